// SPDX-License-Identifier: Apache-2.0
// gmmu_cache_input: requests of a bank of the L2 cache (gmmu_cache_bank) until they are decided:
// a queue of four for translations (t_) and one for data (d_), stages A and B, and what stage C
// knows of its request.
//
// Stage A, one cycle: the port that did not have the last pick, if it has a request that is not
// under way, else the other one (look_o); none while resting_i.
// A request that stage C does not serve (c_waits_i) is picked again, with all behind it of its
// port. The bypass of a depth counts as it is in stage B. c_waits_i may come late.
`default_nettype none
module gmmu_cache_input #(
  parameter int LineB  = 128,
  parameter int LineW  = 34,
  parameter int SetW   = 6,
  parameter bit Linear = 1'b0,     // set not hashed
  parameter int TIdW   = 6,
  parameter int DIdW   = 12,
  parameter int AppW   = 3,
  localparam int TagW  = LineW - SetW
) (
  input  logic               clk_i,
  input  logic               rst_ni,
  input  logic [7:0]         bypass_i,      // of each depth
  input  logic               t_valid_i,
  output logic               t_ready_o,
  input  logic [LineW-1:0]   t_line_i,
  input  logic               t_beat_i,
  input  logic [2:0]         t_depth_i,
  input  logic               t_we_i,
  input  logic [2:0]         t_word_i,
  input  logic [63:0]        t_wdata_i,
  input  logic [TIdW-1:0]    t_id_i,
  input  logic               d_valid_i,
  output logic               d_ready_o,
  input  logic [LineW-1:0]   d_line_i,
  input  logic               d_we_i,
  input  logic [LineB-1:0]   d_mask_i,
  input  logic [LineB*8-1:0] d_wdata_i,
  input  logic [AppW-1:0]    d_app_i,
  input  logic [DIdW-1:0]    d_id_i,
  // stage A
  input  logic               resting_i,
  output logic               look_o,
  output logic [SetW-1:0]    a_set_o,
  // stage B
  output logic               b_valid_o,
  output logic               b_we_o,
  output logic [SetW-1:0]    b_set_o,
  output logic [LineW-1:0]   b_line_o,
  output logic               b_same_o,      // the line in stage C
  // stage C
  output logic               c_valid_o,
  input  logic               c_waits_i,
  output logic               c_data_o,      // of the data port
  output logic               c_we_o,
  output logic               c_around_o,    // a read whose depth bypasses
  output logic               c_same_o,      // its line was in stage C in the cycle before
  output logic [2:0]         c_depth_o,     // 0: of data
  output logic [SetW-1:0]    c_set_o,
  output logic [LineW-1:0]   c_line_o,
  output logic               t_beat_o,
  output logic [2:0]         t_word_o,
  output logic [63:0]        t_wdata_o,
  output logic [TIdW-1:0]    t_id_o,
  output logic               d_full_o,      // a write of all bytes of the line
  output logic [AppW-1:0]    d_app_o,
  output logic [DIdW-1:0]    d_id_o,
  output logic [LineB-1:0]   d_mask_o,
  output logic [LineB*8-1:0] d_wdata_o,
  // stage D: of the data request that was decided in the cycle before
  output logic [LineB-1:0]   write_mask_o,
  output logic [LineB*8-1:0] write_data_o
);
  // What stage A takes along, and what waits for stage C.
  localparam int KeyW  = SetW + LineW + 1 + 3;
  localparam int TRestW = 1 + 3 + 64 + TIdW;
  localparam int DRestW = 1 + AppW + DIdW + LineB + LineB*8;
  logic                   t_left, d_left, t_take, d_take, look_data, last_data_q, t_waits, d_waits;
  logic                   t_served, d_served, a_we, b_data_q;
  logic [KeyW+TRestW-1:0] t_head, t_next, t_last;
  logic [KeyW+DRestW-1:0] d_head, d_next, d_last;
  logic [KeyW-1:0]        key;
  logic [SetW-1:0]        t_hash, d_hash;
  logic [LineW-1:0]       a_line;
  logic [2:0]             a_depth, b_depth_q;
  logic                   unused;
  gmmu_xor_hash #(.InW(TagW), .W(SetW)) u_t (.v_i(t_line_i[LineW-1:SetW]), .hash_o(t_hash));
  gmmu_xor_hash #(.InW(TagW), .W(SetW)) u_d (.v_i(d_line_i[LineW-1:SetW]), .hash_o(d_hash));
  gmmu_peek_fifo #(.Width(KeyW + TRestW)) u_t_queue (
    .clk_i, .rst_ni, .valid_i(t_valid_i), .ready_o(t_ready_o),
    .data_i({t_line_i[SetW-1:0] ^ (t_hash & {SetW{!Linear}}), t_line_i, t_we_i, t_depth_i,
    t_beat_i, t_word_i, t_wdata_i, t_id_i}),
    .left_o(t_left), .next_o(t_next), .take_i(t_take), .head_o(t_head), .pop_i(t_served),
    .again_i(t_waits), .last_o(t_last)
  );
  gmmu_peek_fifo #(.Width(KeyW + DRestW)) u_d_queue (
    .clk_i, .rst_ni, .valid_i(d_valid_i), .ready_o(d_ready_o),
    .data_i({d_line_i[SetW-1:0] ^ (d_hash & {SetW{!Linear}}), d_line_i, d_we_i, 3'd0,
    d_we_i && (&d_mask_i), d_app_i, d_id_i, d_mask_i, d_wdata_i}),
    .left_o(d_left), .next_o(d_next), .take_i(d_take), .head_o(d_head), .pop_i(d_served),
    .again_i(d_waits), .last_o(d_last)
  );
  assign {t_beat_o, t_word_o, t_wdata_o, t_id_o}               = t_head[TRestW-1:0];
  assign {d_full_o, d_app_o, d_id_o, d_mask_o, d_wdata_o}      = d_head[DRestW-1:0];
  assign {write_mask_o, write_data_o}                          = d_last[LineB*9-1:0];
  // What is asked of one place of a queue only.
  assign unused = ^{t_head[KeyW+TRestW-1:TRestW], d_head[KeyW+DRestW-1:DRestW],
      t_next[TRestW-1:0], d_next[DRestW-1:0], t_last, d_last[KeyW+DRestW-1:LineB*9]};

  // ---------------------------------------------------------------- stage A
  assign look_o    = !resting_i && (t_left || d_left);
  assign look_data = d_left && (!last_data_q || !t_left);
  assign t_take    = look_o && !look_data;
  assign d_take    = look_o && look_data;
  assign key       = look_data ? d_next[KeyW+DRestW-1 -: KeyW] : t_next[KeyW+TRestW-1 -: KeyW];
  assign {a_set_o, a_line, a_we, a_depth} = key;

  // ---------------------------------------------------------------- stages B and C
  assign t_waits  = c_waits_i && !c_data_o;
  assign d_waits  = c_waits_i && c_data_o;
  assign t_served = c_valid_o && !c_data_o && !c_waits_i;
  assign d_served = c_valid_o && c_data_o && !c_waits_i;
  assign b_same_o = b_line_o == c_line_o;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      last_data_q <= 1'b1;
      b_valid_o   <= 1'b0;
      c_valid_o   <= 1'b0;
    end else begin
      if (look_o) last_data_q <= look_data;
      b_valid_o <= look_o && !(look_data ? d_waits : t_waits);
      c_valid_o <= b_valid_o && !(b_data_q ? d_waits : t_waits);
    end
  end
  always_ff @(posedge clk_i) begin
    b_set_o    <= a_set_o;
    b_line_o   <= a_line;
    b_data_q   <= look_data;
    b_we_o     <= a_we;
    b_depth_q  <= a_depth;
    c_set_o    <= b_set_o;
    c_line_o   <= b_line_o;
    c_data_o   <= b_data_q;
    c_we_o     <= b_we_o;
    c_depth_o  <= b_depth_q;
    c_around_o <= !b_data_q && !b_we_o && bypass_i[b_depth_q];
    c_same_o   <= b_same_o;
  end
endmodule
`default_nettype wire
