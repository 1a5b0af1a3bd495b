// SPDX-License-Identifier: Apache-2.0
// gmmu_cache_bank: one bank of the shared L2 cache: set-associative, true LRU, non-blocking,
// write-back for data; a port for translations (t_) and one for data (d_). Rules and cycles:
// docs/l2_cache.md. Source: MASK section 5.3 and table 1.
//
// Addresses are numbers of lines inside the channel. Memory is read and written in pieces of PieceB
// bytes; a piece comes back (back_) with the id of its read and is always accepted. Answers:
// translations get the piece, data the line.
// Legal: Sets and Ways powers of two from 2 on; LineB is PieceB or twice that; Mshrs 2..64; Waiters
// 1..16; Latency >= 5; slots 1..64, AnswerSlots at least Latency for a hit a cycle.
`default_nettype none
`include "gmmu_assert.svh"
module gmmu_cache_bank #(
  parameter int Sets        = 64,
  parameter int Ways        = 16,
  parameter int LineB       = 128,
  parameter int PieceB      = 64,
  parameter int LineW       = 34,   // bits of a line number
  parameter int Mshrs       = 64,
  parameter int Waiters     = 4,
  parameter int MemSlots    = 4,
  parameter int AnswerSlots = 16,
  parameter int BypassSlots = 8,
  parameter int Latency     = 10,
  parameter bit Linear      = 1'b0, // set not hashed
  parameter int TIdW        = 6,
  parameter int DIdW        = 12,
  parameter int AppW        = 3,
  localparam int Beats      = LineB < PieceB ? 1 : LineB / PieceB,
  localparam int MshrW      = gmmu_pkg::idx_w(Mshrs),
  localparam int IdW        = TIdW > MshrW ? TIdW : MshrW,
  localparam int MemIdW     = IdW + 2,   // {bypassed, piece, id}
  localparam int WayW       = gmmu_pkg::idx_w(Ways)
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  input  logic [7:0]          bypass_i,      // of each depth
  // translations
  input  logic                t_valid_i,
  output logic                t_ready_o,
  input  logic [LineW-1:0]    t_line_i,
  input  logic                t_beat_i,      // piece of the line
  input  logic [2:0]          t_depth_i,     // 1..7
  input  logic                t_we_i,        // an 8-byte PTE is written
  input  logic [2:0]          t_word_i,      // in its piece
  input  logic [63:0]         t_wdata_i,
  input  logic [TIdW-1:0]     t_id_i,
  output logic                t_rsp_valid_o,
  input  logic                t_rsp_ready_i,
  output logic [TIdW-1:0]     t_rsp_id_o,
  output logic [PieceB*8-1:0] t_rsp_data_o,
  // data
  input  logic                d_valid_i,
  output logic                d_ready_o,
  input  logic [LineW-1:0]    d_line_i,
  input  logic                d_we_i,
  input  logic [LineB-1:0]    d_mask_i,
  input  logic [LineB*8-1:0]  d_wdata_i,
  input  logic [AppW-1:0]     d_app_i,
  input  logic [DIdW-1:0]     d_id_i,
  output logic                d_rsp_valid_o,
  input  logic                d_rsp_ready_i,
  output logic [DIdW-1:0]     d_rsp_id_o,
  output logic [LineB*8-1:0]  d_rsp_data_o,
  // memory: translations' queue and data's
  output logic                tm_valid_o,
  input  logic                tm_ready_i,
  output logic [LineW-1:0]    tm_line_o,
  output logic                tm_beat_o,
  output logic                tm_we_o,
  output logic [PieceB-1:0]   tm_mask_o,
  output logic [PieceB*8-1:0] tm_data_o,
  output logic [MemIdW-1:0]   tm_id_o,
  output logic                dm_valid_o,
  input  logic                dm_ready_i,
  output logic [LineW-1:0]    dm_line_o,
  output logic                dm_beat_o,
  output logic                dm_we_o,
  output logic [PieceB*8-1:0] dm_data_o,
  output logic [AppW-1:0]     dm_app_o,
  output logic [MemIdW-1:0]   dm_id_o,
  input  logic                back_valid_i,
  input  logic [MemIdW-1:0]   back_id_i,
  input  logic [PieceB*8-1:0] back_data_i,
  // for gmmu_l2_bypass, a cycle after the decision
  output logic                access_o,
  output logic                hit_o,
  output logic [2:0]          depth_o,
  // observation: {way of a fill, writes back, fill, way of a hit, outcome, data port, decided}
  output logic [2*WayW+6:0]   obs_o
);
  localparam int SetW  = $clog2(Sets);
  localparam int LineBits = LineB * 8;
  localparam int WIdW  = TIdW > DIdW ? TIdW : DIdW;
  // Outcomes of stage C.
  localparam logic [2:0] WAITS = 3'd0;
  localparam logic [2:0] HIT   = 3'd1;
  localparam logic [2:0] MISS  = 3'd2;
  localparam logic [2:0] JOINS = 3'd3;
  localparam logic [2:0] AROUND = 3'd4;
  localparam logic [2:0] PTE_WRITE = 3'd5;

  if (Beats > 2 || LineB != Beats * PieceB || Mshrs < 2 || Mshrs > 64 || Waiters < 1 ||
      Waiters > 16 || Latency < 5 ||
      Sets < 2 || Ways < 2 || (1 << SetW) != Sets || (1 << WayW) != Ways) begin : gen_bad
    gmmu_cache_bank_parameters_out_of_range u_bad();
  end

  // ---------------------------------------------------------------- requests, stages A and B
  // fill_q[n]: cycle F(n+1) of a fill.
  logic                look, fill_start, ready, wb_room, serving, b_valid, b_we, same, c_valid,
      c_waits, c_data, c_we, c_around, c_same, c_stale_q, t_beat, d_full;
  logic [4:0]          fill_q;
  logic [SetW-1:0]     a_set, b_set, c_set, ready_set, fill_set_q;
  logic [2:0]          c_depth, t_word;
  logic [LineW-1:0]    b_line, c_line;
  logic [LineW-1:SetW] fill_tag, fill_tag_q;
  logic [MshrW-1:0]    ready_which, fill_which_q;
  logic [63:0]         t_wdata;
  logic [TIdW-1:0]     t_id;
  logic [AppW-1:0]     d_app;
  logic [DIdW-1:0]     d_id;
  logic [LineB-1:0]    d_mask, write_mask;
  logic [LineBits-1:0] d_wdata, write_data;
  gmmu_cache_input #(.LineB(LineB), .LineW(LineW), .SetW(SetW), .Linear(Linear), .TIdW(TIdW),
      .DIdW(DIdW), .AppW(AppW)) u_input (
    .clk_i, .rst_ni, .bypass_i, .t_valid_i, .t_ready_o, .t_line_i, .t_beat_i, .t_depth_i, .t_we_i,
    .t_word_i, .t_wdata_i, .t_id_i, .d_valid_i, .d_ready_o, .d_line_i, .d_we_i, .d_mask_i,
    .d_wdata_i, .d_app_i, .d_id_i,
    .resting_i(fill_start || fill_q[1]), .look_o(look), .a_set_o(a_set), .b_valid_o(b_valid),
    .b_we_o(b_we), .b_set_o(b_set), .b_line_o(b_line), .b_same_o(same), .c_valid_o(c_valid),
    .c_waits_i(c_waits), .c_data_o(c_data), .c_we_o(c_we), .c_around_o(c_around), .c_same_o(c_same),
    .c_depth_o(c_depth), .c_set_o(c_set), .c_line_o(c_line), .t_beat_o(t_beat), .t_word_o(t_word),
    .t_wdata_o(t_wdata), .t_id_o(t_id), .d_full_o(d_full), .d_app_o(d_app), .d_id_o(d_id),
    .d_mask_o(d_mask), .d_wdata_o(d_wdata), .write_mask_o(write_mask), .write_data_o(write_data)
  );
  assign fill_start = ready && fill_q[2:0] == '0 && !serving && wb_room;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) fill_q <= '0;
    else fill_q <= {fill_q[3:0], fill_start};
  end
  always_ff @(posedge clk_i) begin
    if (fill_start) begin
      fill_which_q <= ready_which;
      fill_set_q   <= ready_set;
    end
    if (fill_q[1]) fill_tag_q <= fill_tag;
    // picked while the tags of its set were about to change
    c_stale_q <= (fill_q[1] || fill_q[3]) && b_set == fill_set_q;
  end

  // ---------------------------------------------------------------- stage C
  logic [2:0]       outcome;
  logic             hit, pending, pending_write, pending_full, some_free, two_free, tq_room,
      ans_room_t, ans_room_d, around_room, touch, drop, alloc, join_it, changed_q;
  logic [WIdW-1:0]  c_id;
  assign c_id = c_data ? WIdW'(d_id) : WIdW'(t_id);
  always_comb begin
    outcome = WAITS;
    if (c_valid) begin
      if (c_around) begin
        if (around_room && tq_room) outcome = AROUND;
      end else if (c_stale_q || (c_same && changed_q)) begin
        outcome = WAITS;
      end else if (!c_data && c_we) begin
        if (!pending && tq_room && !fill_q[2]) outcome = PTE_WRITE;
      end else if (pending) begin
        if (!c_we && !pending_write && !pending_full) outcome = JOINS;
      end else if (hit) begin
        if (c_we ? !fill_q[2] : c_data ? ans_room_d : ans_room_t) outcome = HIT;
      end else begin
        if (c_data ? two_free : (some_free && tq_room)) outcome = MISS;
      end
    end
  end
  assign c_waits  = c_valid && outcome == WAITS;
  assign touch    = outcome == HIT;
  assign drop     = outcome == PTE_WRITE && hit;
  assign alloc    = outcome == MISS;
  assign join_it  = outcome == JOINS;

  // ---------------------------------------------------------------- stage D
  logic            write_q, read_q;  // read_q: stage C may read a line, or a fill its victim's
  logic [AppW-1:0] fill_app, wb_app_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      access_o <= 1'b0;
      hit_o    <= 1'b0;
    end else begin
      access_o <= touch || alloc || join_it;
      hit_o    <= touch;
    end
  end
  always_ff @(posedge clk_i) begin
    if (fill_q[2]) wb_app_q <= fill_app;
    changed_q <= outcome == PTE_WRITE || (touch && c_we);
    depth_o <= c_valid ? c_depth : '0;
    write_q <= touch && c_we;
    read_q  <= (b_valid && !b_we) || fill_q[2];
  end

  // ---------------------------------------------------------------- tags, miss registers, lines
  logic [SetW-1:0]     read_set, d_set;
  logic [WayW-1:0]     read_way, d_way;
  logic                victim_dirty, fill_write, fill_waited, back_around, back_beat,
      back_fetch;
  logic [LineW-1:0]    victim_line;
  logic [MshrW-1:0]    free_which;
  logic [IdW-1:0]      back_id;
  logic                serve_data, serve_beat, serve_last, serve_next;
  logic [WIdW-1:0]     serve_id;
  logic [LineBits-1:0] read_line, new_line;
  assign {back_around, back_beat, back_id} = back_id_i;
  assign back_fetch = back_valid_i && !back_around;
  gmmu_cache_tags #(.Sets(Sets), .Ways(Ways), .LineW(LineW), .Linear(Linear)) u_tags (
    .clk_i, .rst_ni, .read_i(look || fill_start || fill_q[1]),
    .a_set_i(fill_start ? ready_set : fill_q[1] ? fill_set_q : a_set),
    .b_tag_i(b_line[LineW-1:SetW]), .look_i(c_valid && !c_stale_q), .hit_o(hit), .touch_i(touch),
    .touch_write_i(touch && c_we), .drop_i(drop), .read_set_o(read_set), .read_way_o(read_way),
    .set_o(d_set), .way_o(d_way), .fill_i(fill_q[2]), .fill_set_i(fill_set_q),
    .fill_tag_i(fill_tag_q), .fill_dirty_i(fill_write), .victim_dirty_o(victim_dirty),
    .victim_line_o(victim_line)
  );
  gmmu_cache_mshr #(.Mshrs(Mshrs), .Waiters(Waiters), .Beats(Beats), .LineW(LineW), .SetW(SetW),
      .AppW(AppW), .WIdW(WIdW)) u_mshr (
    .clk_i, .rst_ni, .b_look_i(b_valid), .b_line_i(b_line), .b_same_i(same),
    .look_i(c_valid), .line_i(c_line), .set_i(c_set), .data_i(c_data), .we_i(c_we),
    .beat_i(t_beat), .id_i(c_id), .app_i(d_app), .full_i(c_data && d_full), .some_free_o(some_free),
    .two_free_o(two_free), .free_o(free_which), .pending_o(pending),
    .pending_write_o(pending_write), .pending_full_o(pending_full), .alloc_i(alloc),
    .join_i(join_it), .back_i(back_fetch), .back_mshr_i(back_id[MshrW-1:0]),
    .back_beat_i(back_beat), .ready_o(ready), .ready_which_o(ready_which),
    .ready_set_o(ready_set), .start_i(fill_start), .place_i(fill_q[0]), .read_i(fill_q[1]),
    .enter_i(fill_q[2]), .fill_which_i(fill_which_q), .fill_tag_o(fill_tag),
    .fill_write_o(fill_write), .fill_app_o(fill_app), .fill_waited_o(fill_waited),
    .serve_next_i(serve_next), .serve_data_o(serve_data), .serve_beat_o(serve_beat),
    .serve_id_o(serve_id), .serve_last_o(serve_last)
  );
  // Kept for a miss is what every write brings that could be one.
  gmmu_cache_lines #(.Sets(Sets), .Ways(Ways), .LineB(LineB), .Beats(Beats),
      .Mshrs(Mshrs)) u_lines (
    .clk_i, .read_i(read_q), .read_set_i(read_set), .read_way_i(read_way),
    .set_i(d_set), .way_i(d_way), .write_i(write_q), .mask_i(write_mask),
    .data_i(write_data), .read_o(read_line), .keep_i(c_valid && c_data && c_we && some_free),
    .keep_mshr_i(free_which), .keep_mask_i(d_mask), .keep_data_i(d_wdata), .back_i(back_fetch),
    .back_mshr_i(back_id[MshrW-1:0]), .back_beat_i(back_beat), .back_data_i,
    .start_i(fill_start), .start_mshr_i(ready_which), .keep_new_i(fill_q[0]), .fill_i(fill_q[4]),
    .fill_write_i(fill_write), .new_o(new_line)
  );

  // ---------------------------------------------------------------- answers, memory
  gmmu_cache_answers #(.LineB(LineB), .PieceB(PieceB), .AnswerSlots(AnswerSlots),
      .BypassSlots(BypassSlots), .Latency(Latency), .TIdW(TIdW), .DIdW(DIdW)) u_answers (
    .clk_i, .rst_ni, .hit_t_i(touch && !c_data), .hit_d_i(touch && c_data && !c_we),
    .data_i(c_data), .beat_i(t_beat), .id_i(c_id), .line_i(read_line), .room_t_o(ans_room_t),
    .room_d_o(ans_room_d), .fill_i(fill_q[1]), .fill_waited_i(fill_waited),
    .new_i(new_line), .serving_o(serving), .serve_data_i(serve_data),
    .serve_beat_i(serve_beat), .serve_id_i(serve_id), .serve_last_i(serve_last),
    .serve_next_o(serve_next), .around_i(outcome == AROUND), .around_room_o(around_room),
    .back_i(back_valid_i && back_around),
    .back_id_i(back_id[TIdW-1:0]), .back_data_i, .t_rsp_valid_o, .t_rsp_ready_i, .t_rsp_id_o,
    .t_rsp_data_o, .d_rsp_valid_o, .d_rsp_ready_i, .d_rsp_id_o, .d_rsp_data_o
  );
  gmmu_cache_memory #(.LineB(LineB), .PieceB(PieceB), .LineW(LineW), .Mshrs(Mshrs),
      .MemSlots(MemSlots), .TIdW(TIdW), .AppW(AppW)) u_memory (
    .clk_i, .rst_ni, .t_room_o(tq_room),
    .t_push_i(outcome == AROUND || outcome == PTE_WRITE || (alloc && !c_data)),
    .t_line_i(c_line), .t_beat_i(t_beat), .t_around_i(c_around),
    .t_fetch_i(!c_around && !c_we), .t_we_i(c_we), .t_word_i(t_word), .t_wdata_i(t_wdata),
    .t_id_i(c_around || c_we ? IdW'(t_id) : IdW'(free_which)),
    .fetch_push_i(alloc && c_data && !d_full), .fetch_line_i(c_line), .fetch_app_i(d_app),
    .fetch_id_i(free_which), .wb_comes_i(|fill_q[4:3]),
    .wb_room_o(wb_room), .wb_push_i(fill_q[4] && victim_dirty),
    .wb_line_i(victim_line), .wb_app_i(wb_app_q), .wb_data_i(read_line),
    .tm_valid_o, .tm_ready_i, .tm_line_o, .tm_beat_o, .tm_we_o, .tm_mask_o, .tm_data_o, .tm_id_o,
    .dm_valid_o, .dm_ready_i, .dm_line_o, .dm_beat_o, .dm_we_o, .dm_data_o, .dm_app_o, .dm_id_o
  );

  assign obs_o = {read_way & {WayW{fill_q[3]}}, victim_dirty && fill_q[3], fill_q[3],
      read_way & {WayW{touch}}, outcome, c_data, c_valid};

  `GMMU_ASSERT(cache_bank_not_both, !(c_valid && pending && hit && !c_stale_q &&
      !(c_same && changed_q)))
endmodule
`default_nettype wire
