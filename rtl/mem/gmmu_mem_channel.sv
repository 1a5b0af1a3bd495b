// SPDX-License-Identifier: Apache-2.0
// gmmu_mem_channel: one channel of the memory system: L2 cache banks, DRAM scheduler and
// controller. Rules: docs/l2_cache.md, docs/dram_sched.md, docs/dram_ctrl.md, docs/dram_map.md.
// Source: MASK sections 5.3 and 5.4.
//
// Ports of the banks as in gmmu_l2_cache; which levels bypass comes from gmmu_l2_bypass, which
// serves all channels. Legal: LineB is 64 or 128; see the parts for the rest.
`default_nettype none
module gmmu_mem_channel #(
  parameter int Banks         = 2,
  parameter int Sets          = 64,
  parameter int Ways          = 16,
  parameter int LineB         = 128,
  parameter int PortB         = LineB,  // bytes a cycle of a data port (gmmu_cache_port)
  parameter int LineW         = 24,
  parameter int Mshrs         = 64,
  parameter int Waiters       = 4,
  parameter int MemSlots      = 4,
  parameter int AnswerSlots   = 16,
  parameter int BypassSlots   = 8,
  parameter int Latency       = 10,
  parameter bit Linear        = 1'b0,  // no hashes (docs/dram_map.md)
  parameter int TIdW          = 6,
  parameter int DIdW          = 12,
  parameter int GoldenEntries = 16,
  parameter int SilverEntries = 64,
  parameter int NormalEntries = 192,
  parameter bit Aware         = 1'b1,
  parameter bit ClosedRow     = 1'b0,
  parameter bit KeepRows      = 1'b0,  // see gmmu_dram_sched
  parameter int NumApps       = 8,
  parameter int ColW          = 6,
  parameter int TickRatio     = 16384,  // DRAM command clock over clk_i, in 1/16384
  localparam int PieceB       = 64,
  localparam int AppW         = gmmu_pkg::idx_w(NumApps),
  localparam int BankW        = gmmu_pkg::idx_w(Banks),
  localparam int BankBits     = $clog2(Banks),
  localparam int MshrW        = gmmu_pkg::idx_w(Mshrs),
  localparam int MemIdW       = BankW + (TIdW > MshrW ? TIdW : MshrW) + 2,
  localparam int PieceBits    = $clog2(LineB / PieceB),
  localparam int ChanW        = LineW + BankBits + PieceBits + 6,  // bytes of the channel, log2
  localparam int RowW         = ChanW - ColW - 9,
  localparam int ObsW         = 2*gmmu_pkg::idx_w(Ways) + 7
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
  output logic [Banks-1:0]          access_o,
  output logic [Banks-1:0]          hit_o,
  output logic [Banks*3-1:0]        depth_o,
  input  logic [AppW:0]             apps_i,
  input  logic [9:0]                quota_max_i,    // largest quota, 1..1023; 0: no silver turns
  input  logic [15:0]               turn_timeout_i, // 1..65535
  input  logic [15:0]               age_cap_i,      // 0: off; a multiple of 4
  input  logic                      epoch_i,
  input  logic [NumApps*6-1:0]      con_i,
  input  logic [NumApps*6-1:0]      warps_i,
  // pins; written bytes: mask_o
  output logic [2:0]                cmd_o,
  output logic [2:0]                bank_o,
  output logic [ColW-1:0]           col_o,
  output logic                      ap_o,
  output logic [1:0]                also_o,
  output logic [2:0]                also_bank_o,
  output logic [RowW-1:0]           row_o,
  output logic [1:0]                ticks_o,
  output logic [PieceB*8-1:0]       wdata_o,
  output logic [PieceB-1:0]         wmask_o,
  input  logic [PieceB*8-1:0]       rdata_i,
  output logic [Banks*ObsW-1:0]     obs_cache_o,
  output logic [15+AppW:0]          obs_dram_o
);
  logic                      tm_valid, tm_ready, tm_beat, tm_we, dm_valid, dm_ready, dm_beat, dm_we,
      back_valid;
  logic [LineW+BankBits-1:0] tm_line, dm_line;
  logic [PieceB-1:0]         tm_mask;
  logic [PieceB*8-1:0]       tm_data, dm_data, back_data;
  logic [MemIdW-1:0]         tm_id, dm_id, back_id;
  logic [AppW-1:0]           dm_app;
  gmmu_l2_cache #(
    .Banks(Banks), .Sets(Sets), .Ways(Ways), .LineB(LineB), .PortB(PortB), .PieceB(PieceB),
    .LineW(LineW), .Mshrs(Mshrs), .Waiters(Waiters),
    .MemSlots(MemSlots), .AnswerSlots(AnswerSlots), .BypassSlots(BypassSlots), .Latency(Latency),
    .Linear(Linear),
    .TIdW(TIdW), .DIdW(DIdW), .AppW(AppW)
  ) u_cache (
    .clk_i, .rst_ni, .bypass_i, .t_valid_i, .t_ready_o, .t_line_i, .t_beat_i, .t_depth_i, .t_we_i,
    .t_word_i, .t_wdata_i, .t_id_i,
    .t_rsp_valid_o, .t_rsp_ready_i, .t_rsp_id_o, .t_rsp_data_o, .d_valid_i, .d_ready_o, .d_line_i,
    .d_we_i, .d_mask_i, .d_wdata_i, .d_app_i,
    .d_id_i, .d_rsp_valid_o, .d_rsp_ready_i, .d_rsp_id_o, .d_rsp_data_o,
    .tm_valid_o(tm_valid), .tm_ready_i(tm_ready), .tm_line_o(tm_line), .tm_beat_o(tm_beat),
    .tm_we_o(tm_we), .tm_mask_o(tm_mask),
    .tm_data_o(tm_data), .tm_id_o(tm_id), .dm_valid_o(dm_valid), .dm_ready_i(dm_ready),
    .dm_line_o(dm_line), .dm_beat_o(dm_beat),
    .dm_we_o(dm_we), .dm_data_o(dm_data), .dm_app_o(dm_app), .dm_id_o(dm_id),
    .back_valid_i(back_valid), .back_id_i(back_id),
    .back_data_i(back_data), .access_o, .hit_o, .depth_o, .obs_o(obs_cache_o)
  );

  logic [ChanW-1:6] t_addr, d_addr;
  logic [2:0]       t_bank, d_bank;
  logic [RowW-1:0]  t_row, d_row;
  logic [ColW-1:0]  t_col, d_col;
  // Lines of the channel: a bank's number is hashed with the line's in it.
  logic [LineW+BankBits-1:0] t_line, d_line;
  if (BankBits == 0 || Linear) begin : gen_plain
    assign t_line = tm_line;
    assign d_line = dm_line;
  end else begin : gen_hashed
    logic [BankBits-1:0] t_hash, d_hash;
    gmmu_xor_hash #(.InW(LineW), .W(BankBits)) u_t_hash (.v_i(tm_line[BankBits +: LineW]),
        .hash_o(t_hash));
    gmmu_xor_hash #(.InW(LineW), .W(BankBits)) u_d_hash (.v_i(dm_line[BankBits +: LineW]),
        .hash_o(d_hash));
    assign t_line = {tm_line[BankBits +: LineW], tm_line[BankBits-1:0] ^ t_hash};
    assign d_line = {dm_line[BankBits +: LineW], dm_line[BankBits-1:0] ^ d_hash};
  end
  if (LineB == PieceB) begin : gen_whole
    assign t_addr = t_line;
    assign d_addr = d_line;
  end else begin : gen_pieces
    assign t_addr = {t_line, tm_beat};
    assign d_addr = {d_line, dm_beat};
  end
  gmmu_dram_map #(.PaW(ChanW), .ChannelBits(0), .ColBits(ColW),
      .Linear(Linear)) u_t_map (.line_i(t_addr),
      .channel_o(), .bank_o(t_bank), .row_o(t_row), .col_o(t_col));
  gmmu_dram_map #(.PaW(ChanW), .ChannelBits(0), .ColBits(ColW),
      .Linear(Linear)) u_d_map (.line_i(d_addr),
      .channel_o(), .bank_o(d_bank), .row_o(d_row), .col_o(d_col));
  gmmu_dram #(
    .GoldenEntries(GoldenEntries), .SilverEntries(SilverEntries), .NormalEntries(NormalEntries),
    .Aware(Aware), .ClosedRow(ClosedRow), .KeepRows(KeepRows),
    .NumApps(NumApps), .RowW(RowW), .ColW(ColW), .IdW(MemIdW),
    .DataW(PieceB * 8), .WDataW(PieceB * 9), .TickRatio(TickRatio)
  ) u_dram (
    .clk_i, .rst_ni, .t_valid_i(tm_valid), .t_ready_o(tm_ready), .t_bank_i(t_bank), .t_row_i(t_row),
    .t_col_i(t_col), .t_we_i(tm_we),
    .t_id_i(tm_id), .t_data_i({tm_mask, tm_data}), .d_valid_i(dm_valid), .d_ready_o(dm_ready),
    .d_bank_i(d_bank), .d_row_i(d_row),
    .d_col_i(d_col), .d_we_i(dm_we), .d_app_i(dm_app), .d_id_i(dm_id),
    .d_data_i({{PieceB{1'b1}}, dm_data}), .apps_i, .quota_max_i, .turn_timeout_i, .age_cap_i,
    .epoch_i, .con_i,
    .warps_i, .cmd_o, .bank_o, .col_o, .ap_o, .also_o, .also_bank_o, .row_o, .ticks_o,
    .wdata_o({wmask_o, wdata_o}), .rdata_i,
    .rsp_valid_o(back_valid), .rsp_id_o(back_id),
    .rsp_data_o(back_data), .obs_id_o(), .obs_o(obs_dram_o)
  );
endmodule
`default_nettype wire
