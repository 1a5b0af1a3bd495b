// SPDX-License-Identifier: Apache-2.0
// gmmu_l2_cache: the banks of the shared L2 cache that stand before one memory channel, and their
// way to it. Rules: docs/l2_cache.md. Source: MASK section 5.3 and table 1.
//
// The requests of each bank come in at ports of their own, addressed by the line's number in it.
// Memory ids: {bank, gmmu_cache_bank's}. Legal: Banks a power of two, 1..16.
`default_nettype none
module gmmu_l2_cache #(
  parameter int Banks       = 2,
  parameter int Sets        = 64,
  parameter int Ways        = 16,
  parameter int LineB       = 128,
  parameter int PortB       = LineB,  // bytes a cycle of a data port (gmmu_cache_port)
  parameter int PieceB      = 64,
  parameter int LineW       = 34,   // bits of a line number in a bank
  parameter int Mshrs       = 64,
  parameter int Waiters     = 4,
  parameter int MemSlots    = 4,
  parameter int AnswerSlots = 16,
  parameter int BypassSlots = 8,
  parameter int Latency     = 10,
  parameter bit Linear      = 1'b0,   // sets not hashed
  parameter int TIdW        = 6,
  parameter int DIdW        = 12,
  parameter int AppW        = 3,
  localparam int BankW      = gmmu_pkg::idx_w(Banks),
  localparam int BankBits   = $clog2(Banks),
  localparam int MshrW      = gmmu_pkg::idx_w(Mshrs),
  localparam int BMemIdW    = (TIdW > MshrW ? TIdW : MshrW) + 2,
  localparam int MemIdW     = BankW + BMemIdW,
  localparam int WayW       = gmmu_pkg::idx_w(Ways),
  localparam int ObsW       = 2*WayW + 7
) (
  input  logic                      clk_i,
  input  logic                      rst_ni,
  input  logic [7:0]                bypass_i,
  input  logic [Banks-1:0]          t_valid_i,
  output logic [Banks-1:0]          t_ready_o,
  input  logic [Banks*LineW-1:0]    t_line_i,
  input  logic [Banks-1:0]          t_beat_i,
  input  logic [Banks*3-1:0]        t_depth_i,
  input  logic [Banks-1:0]          t_we_i,
  input  logic [Banks*3-1:0]        t_word_i,
  input  logic [Banks*64-1:0]       t_wdata_i,
  input  logic [Banks*TIdW-1:0]     t_id_i,
  output logic [Banks-1:0]          t_rsp_valid_o,
  input  logic [Banks-1:0]          t_rsp_ready_i,
  output logic [Banks*TIdW-1:0]     t_rsp_id_o,
  output logic [Banks*PieceB*8-1:0] t_rsp_data_o,
  input  logic [Banks-1:0]          d_valid_i,
  output logic [Banks-1:0]          d_ready_o,
  input  logic [Banks*LineW-1:0]    d_line_i,
  input  logic [Banks-1:0]          d_we_i,
  input  logic [Banks*PortB-1:0]    d_mask_i,
  input  logic [Banks*PortB*8-1:0]  d_wdata_i,
  input  logic [Banks*AppW-1:0]     d_app_i,
  input  logic [Banks*DIdW-1:0]     d_id_i,
  output logic [Banks-1:0]          d_rsp_valid_o,
  input  logic [Banks-1:0]          d_rsp_ready_i,
  output logic [Banks*DIdW-1:0]     d_rsp_id_o,
  output logic [Banks*PortB*8-1:0]  d_rsp_data_o,
  // memory; lines are numbers inside the channel
  output logic                      tm_valid_o,
  input  logic                      tm_ready_i,
  output logic [LineW+BankBits-1:0] tm_line_o,
  output logic                      tm_beat_o,
  output logic                      tm_we_o,
  output logic [PieceB-1:0]         tm_mask_o,
  output logic [PieceB*8-1:0]       tm_data_o,
  output logic [MemIdW-1:0]         tm_id_o,
  output logic                      dm_valid_o,
  input  logic                      dm_ready_i,
  output logic [LineW+BankBits-1:0] dm_line_o,
  output logic                      dm_beat_o,
  output logic                      dm_we_o,
  output logic [PieceB*8-1:0]       dm_data_o,
  output logic [AppW-1:0]           dm_app_o,
  output logic [MemIdW-1:0]         dm_id_o,
  input  logic                      back_valid_i,
  input  logic [MemIdW-1:0]         back_id_i,
  input  logic [PieceB*8-1:0]       back_data_i,
  output logic [Banks-1:0]          access_o,
  output logic [Banks-1:0]          hit_o,
  output logic [Banks*3-1:0]        depth_o,
  output logic [Banks*ObsW-1:0]     obs_o
);
  localparam int TW = LineW + 2 + PieceB + PieceB*8 + BMemIdW;
  localparam int DW = LineW + 2 + PieceB*8 + AppW + BMemIdW;

  if (Banks < 1 || Banks > 16 || (1 << BankBits) != Banks) begin : gen_bad
    gmmu_l2_cache_Banks_must_be_a_power_of_two_up_to_16 u_bad();
  end

  logic [Banks-1:0]    tm_valid, tm_ready, dm_valid, dm_ready;
  logic [Banks*TW-1:0] tm_all;
  logic [Banks*DW-1:0] dm_all;
  logic [BankW-1:0]    tm_bank, dm_bank;
  for (genvar b = 0; b < Banks; b++) begin : gen_bank
    logic [LineW-1:0]    t_line, d_line;
    logic                t_beat, t_we, d_beat, d_we;
    logic [PieceB-1:0]   t_mask;
    logic [PieceB*8-1:0] t_data, d_data;
    logic [BMemIdW-1:0]  t_id, d_id;
    logic [AppW-1:0]     d_app;
    logic                p_valid, p_ready, p_rsp_valid, p_rsp_ready;
    logic [LineB-1:0]    p_mask;
    logic [LineB*8-1:0]  p_wdata, p_rsp_data;
    gmmu_cache_port #(.LineB(LineB), .PortB(PortB)) u_port (
      .clk_i, .rst_ni, .valid_i(d_valid_i[b]), .ready_o(d_ready_o[b]), .we_i(d_we_i[b]),
      .mask_i(d_mask_i[b*PortB +: PortB]), .wdata_i(d_wdata_i[b*PortB*8 +: PortB*8]),
      .rsp_valid_o(d_rsp_valid_o[b]), .rsp_ready_i(d_rsp_ready_i[b]),
      .rsp_data_o(d_rsp_data_o[b*PortB*8 +: PortB*8]), .b_valid_o(p_valid), .b_ready_i(p_ready),
      .b_mask_o(p_mask), .b_wdata_o(p_wdata), .b_rsp_valid_i(p_rsp_valid),
      .b_rsp_ready_o(p_rsp_ready), .b_rsp_data_i(p_rsp_data)
    );
    gmmu_cache_bank #(
      .Sets(Sets), .Ways(Ways), .LineB(LineB), .PieceB(PieceB), .LineW(LineW), .Mshrs(Mshrs),
      .Waiters(Waiters), .MemSlots(MemSlots),
      .AnswerSlots(AnswerSlots), .BypassSlots(BypassSlots), .Latency(Latency),
      .Linear(Linear), .TIdW(TIdW), .DIdW(DIdW), .AppW(AppW)
    ) u_bank (
      .clk_i, .rst_ni, .bypass_i, .t_valid_i(t_valid_i[b]), .t_ready_o(t_ready_o[b]),
      .t_line_i(t_line_i[b*LineW +: LineW]),
      .t_beat_i(t_beat_i[b]), .t_depth_i(t_depth_i[b*3 +: 3]), .t_we_i(t_we_i[b]),
      .t_word_i(t_word_i[b*3 +: 3]),
      .t_wdata_i(t_wdata_i[b*64 +: 64]), .t_id_i(t_id_i[b*TIdW +: TIdW]),
      .t_rsp_valid_o(t_rsp_valid_o[b]),
      .t_rsp_ready_i(t_rsp_ready_i[b]), .t_rsp_id_o(t_rsp_id_o[b*TIdW +: TIdW]),
      .t_rsp_data_o(t_rsp_data_o[b*PieceB*8 +: PieceB*8]),
      .d_valid_i(p_valid), .d_ready_o(p_ready), .d_line_i(d_line_i[b*LineW +: LineW]),
      .d_we_i(d_we_i[b]),
      .d_mask_i(p_mask), .d_wdata_i(p_wdata),
      .d_app_i(d_app_i[b*AppW +: AppW]),
      .d_id_i(d_id_i[b*DIdW +: DIdW]), .d_rsp_valid_o(p_rsp_valid), .d_rsp_ready_i(p_rsp_ready),
      .d_rsp_id_o(d_rsp_id_o[b*DIdW +: DIdW]), .d_rsp_data_o(p_rsp_data),
      .tm_valid_o(tm_valid[b]), .tm_ready_i(tm_ready[b]), .tm_line_o(t_line), .tm_beat_o(t_beat),
      .tm_we_o(t_we), .tm_mask_o(t_mask),
      .tm_data_o(t_data), .tm_id_o(t_id), .dm_valid_o(dm_valid[b]), .dm_ready_i(dm_ready[b]),
      .dm_line_o(d_line), .dm_beat_o(d_beat),
      .dm_we_o(d_we), .dm_data_o(d_data), .dm_app_o(d_app), .dm_id_o(d_id),
      .back_valid_i(back_valid_i && (Banks == 1 || back_id_i[BMemIdW +: BankW] == BankW'(b))),
      .back_id_i(back_id_i[BMemIdW-1:0]), .back_data_i,
      .access_o(access_o[b]), .hit_o(hit_o[b]), .depth_o(depth_o[b*3 +: 3]),
      .obs_o(obs_o[b*ObsW +: ObsW])
    );
    assign tm_all[b*TW +: TW] = {t_line, t_beat, t_we, t_mask, t_data, t_id};
    assign dm_all[b*DW +: DW] = {d_line, d_beat, d_we, d_data, d_app, d_id};
    assign tm_ready[b] = tm_ready_i && tm_bank == BankW'(b);
    assign dm_ready[b] = dm_ready_i && dm_bank == BankW'(b);
  end

  // Round robin over the banks; one that was offered and not taken stays.
  logic [BankW-1:0]   tm_next, dm_next, tm_held_q, dm_held_q;
  logic               tm_hold_q, dm_hold_q;
  logic [LineW-1:0]   tm_line, dm_line;
  logic [BMemIdW-1:0] tm_id, dm_id;
  gmmu_rr_arb #(.N(Banks)) u_tm (
    .clk_i, .rst_ni, .req_i(tm_hold_q ? Banks'(1) << tm_held_q : tm_valid),
    .take_i(tm_valid_o && tm_ready_i),
    .valid_o(tm_valid_o), .idx_o(tm_next)
  );
  gmmu_rr_arb #(.N(Banks)) u_dm (
    .clk_i, .rst_ni, .req_i(dm_hold_q ? Banks'(1) << dm_held_q : dm_valid),
    .take_i(dm_valid_o && dm_ready_i),
    .valid_o(dm_valid_o), .idx_o(dm_next)
  );
  assign tm_bank = tm_next;
  assign dm_bank = dm_next;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      tm_hold_q <= 1'b0;
      dm_hold_q <= 1'b0;
    end else begin
      tm_hold_q <= tm_valid_o && !tm_ready_i;
      dm_hold_q <= dm_valid_o && !dm_ready_i;
    end
  end
  always_ff @(posedge clk_i) begin
    tm_held_q <= tm_next;
    dm_held_q <= dm_next;
  end
  assign {tm_line, tm_beat_o, tm_we_o, tm_mask_o, tm_data_o, tm_id} = tm_all[tm_bank*TW +: TW];
  assign {dm_line, dm_beat_o, dm_we_o, dm_data_o, dm_app_o, dm_id} = dm_all[dm_bank*DW +: DW];
  assign tm_id_o = {tm_bank, tm_id};
  assign dm_id_o = {dm_bank, dm_id};
  if (Banks == 1) begin : gen_one
    assign tm_line_o = tm_line;
    assign dm_line_o = dm_line;
  end else begin : gen_more
    assign tm_line_o = {tm_line, tm_bank};
    assign dm_line_o = {dm_line, dm_bank};
  end
endmodule
`default_nettype wire
