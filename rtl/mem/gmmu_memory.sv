// SPDX-License-Identifier: Apache-2.0
// gmmu_memory: the memory system behind the MMU: channels of L2 cache and DRAM, the walker's port
// to them, and the decision which page-table levels bypass the cache. Rules: docs/memsys.md and the
// pages of the parts. Source: MASK section 5.
//
// Data ports: one per bank, {channel, bank} 0 in the lowest bits; which bank a physical address
// belongs to, and its line there: gmmu_mem_map. Legal: powers of two; see the parts.
`default_nettype none
module gmmu_memory #(
  parameter int PaW           = 34,
  parameter int ChannelBits   = 3,
  parameter int BankBits      = 1,
  parameter int Sets          = 64,
  parameter int Ways          = 16,
  parameter int Mshrs         = 64,
  parameter int AnswerSlots   = 16,
  parameter int Latency       = 10,
  parameter bit ByPage        = 1'b0,    // a 4 KiB page lies in one channel
  parameter bit Linear        = 1'b0,    // no hashes (docs/dram_map.md)
  parameter int GoldenEntries = 16,
  parameter int SilverEntries = 64,
  parameter int NormalEntries = 192,
  parameter bit Bypass        = 1'b1,    // levels may bypass the cache
  parameter bit Aware         = 1'b1,
  parameter bit ClosedRow     = 1'b0,    // see gmmu_dram_sched
  parameter bit KeepRows      = 1'b0,    // see gmmu_dram_sched
  parameter int NumApps       = 8,
  parameter int TickRatio     = 16384,   // DRAM command clock over clk_i, in 1/16384
  parameter int WalkIdW       = 6,
  parameter int DIdW          = 12,
  parameter bit LineAnswers   = 1'b0,
  parameter int PortB         = 128,     // bytes a cycle of a data port (gmmu_cache_port)
  localparam int LineB        = 128,
  localparam int ColW         = 6,
  localparam int Channels     = 1 << ChannelBits,
  localparam int Banks        = 1 << BankBits,
  localparam int N            = Channels * Banks,
  localparam int LineW        = PaW - 7 - ChannelBits - BankBits,
  localparam int RowW         = PaW - ChannelBits - ColW - 9,
  localparam int AppW         = gmmu_pkg::idx_w(NumApps),
  localparam int RspW         = LineAnswers ? 512 : 64
) (
  input  logic                     clk_i,
  input  logic                     rst_ni,
  // walker
  input  logic                     pte_valid_i,
  output logic                     pte_ready_o,
  input  logic [PaW-1:0]           pte_addr_i,
  input  logic [WalkIdW-1:0]       pte_id_i,
  input  logic [2:0]               pte_depth_i,
  output logic                     pte_rsp_valid_o,
  output logic [WalkIdW-1:0]       pte_rsp_id_o,
  output logic [RspW-1:0]          pte_rsp_data_o,
  // data
  input  logic [N-1:0]             d_valid_i,
  output logic [N-1:0]             d_ready_o,
  input  logic [N*LineW-1:0]       d_line_i,
  input  logic [N-1:0]             d_we_i,
  input  logic [N*PortB-1:0]       d_mask_i,
  input  logic [N*PortB*8-1:0]     d_wdata_i,
  input  logic [N*AppW-1:0]        d_app_i,
  input  logic [N*DIdW-1:0]        d_id_i,
  output logic [N-1:0]             d_rsp_valid_o,
  input  logic [N-1:0]             d_rsp_ready_i,
  output logic [N*DIdW-1:0]        d_rsp_id_o,
  output logic [N*PortB*8-1:0]     d_rsp_data_o,
  // settings and weights of the silver turns
  input  logic [AppW:0]            apps_i,
  input  logic [9:0]               quota_max_i,    // largest quota, 1..1023; 0: no silver turns
  input  logic [15:0]              turn_timeout_i, // 1..65535
  input  logic [15:0]              age_cap_i,      // 0: off; a multiple of 4
  input  logic                     epoch_i,        // pulse
  input  logic [NumApps*6-1:0]     con_i,
  input  logic [NumApps*6-1:0]     warps_i,
  // pins of each channel
  output logic [Channels*3-1:0]    cmd_o,
  output logic [Channels*3-1:0]    bank_o,
  output logic [Channels*ColW-1:0] col_o,
  output logic [Channels-1:0]      ap_o,
  output logic [Channels*2-1:0]    also_o,
  output logic [Channels*3-1:0]    also_bank_o,
  output logic [Channels*RowW-1:0] row_o,
  output logic [Channels*2-1:0]    ticks_o,
  output logic [Channels*512-1:0]  wdata_o,
  output logic [Channels*64-1:0]   wmask_o,
  input  logic [Channels*512-1:0]  rdata_i,
  output logic [7:0]               bypass_o
);
  logic [N-1:0]         t_valid, t_ready, t_beat, t_rsp_valid, t_rsp_ready, access, hit;
  logic [N*LineW-1:0]   t_line;
  logic [N*3-1:0]       t_depth, depth;
  logic [N*WalkIdW-1:0] t_id, t_rsp_id;
  logic [N*512-1:0]     t_rsp_data;
  logic [7:0]           around;

  gmmu_pte_port #(.PaW(PaW), .IdW(WalkIdW), .ChannelBits(ChannelBits), .BankBits(BankBits),
      .ByPage(ByPage), .Linear(Linear), .LineAnswers(LineAnswers)) u_pte (
    .clk_i, .rst_ni, .req_valid_i(pte_valid_i), .req_ready_o(pte_ready_o), .req_addr_i(pte_addr_i),
    .req_id_i(pte_id_i),
    .req_depth_i(pte_depth_i), .rsp_valid_o(pte_rsp_valid_o), .rsp_id_o(pte_rsp_id_o),
    .rsp_data_o(pte_rsp_data_o),
    .t_valid_o(t_valid), .t_ready_i(t_ready), .t_line_o(t_line), .t_beat_o(t_beat),
    .t_depth_o(t_depth), .t_id_o(t_id),
    .t_rsp_valid_i(t_rsp_valid), .t_rsp_ready_o(t_rsp_ready), .t_rsp_id_i(t_rsp_id),
    .t_rsp_data_i(t_rsp_data)
  );
  gmmu_l2_bypass #(.Banks(N)) u_bypass (
    .clk_i, .rst_ni, .epoch_i, .access_i(access), .hit_i(hit), .depth_i(depth), .bypass_o(around),
    .obs_o()
  );
  assign bypass_o = Bypass ? around : '0;

  for (genvar c = 0; c < Channels; c++) begin : gen_channel
    localparam int B = c * Banks;
    gmmu_mem_channel #(
      .Banks(Banks), .Sets(Sets), .Ways(Ways), .LineB(LineB), .PortB(PortB), .LineW(LineW),
      .Mshrs(Mshrs),
      .AnswerSlots(AnswerSlots), .Latency(Latency), .Linear(Linear),
      .TIdW(WalkIdW), .DIdW(DIdW), .GoldenEntries(GoldenEntries), .SilverEntries(SilverEntries),
      .NormalEntries(NormalEntries),
      .Aware(Aware), .ClosedRow(ClosedRow), .KeepRows(KeepRows), .NumApps(NumApps), .ColW(ColW),
      .TickRatio(TickRatio)
    ) u_channel (
      .clk_i, .rst_ni, .bypass_i(bypass_o),
      .t_valid_i(t_valid[B +: Banks]), .t_ready_o(t_ready[B +: Banks]),
      .t_line_i(t_line[B*LineW +: Banks*LineW]),
      .t_beat_i(t_beat[B +: Banks]), .t_depth_i(t_depth[B*3 +: Banks*3]), .t_we_i({Banks{1'b0}}),
      .t_word_i({(Banks*3){1'b0}}), .t_wdata_i({(Banks*64){1'b0}}),
      .t_id_i(t_id[B*WalkIdW +: Banks*WalkIdW]), .t_rsp_valid_o(t_rsp_valid[B +: Banks]),
      .t_rsp_ready_i(t_rsp_ready[B +: Banks]),
      .t_rsp_id_o(t_rsp_id[B*WalkIdW +: Banks*WalkIdW]),
      .t_rsp_data_o(t_rsp_data[B*512 +: Banks*512]),
      .d_valid_i(d_valid_i[B +: Banks]), .d_ready_o(d_ready_o[B +: Banks]),
      .d_line_i(d_line_i[B*LineW +: Banks*LineW]),
      .d_we_i(d_we_i[B +: Banks]), .d_mask_i(d_mask_i[B*PortB +: Banks*PortB]),
      .d_wdata_i(d_wdata_i[B*PortB*8 +: Banks*PortB*8]),
      .d_app_i(d_app_i[B*AppW +: Banks*AppW]), .d_id_i(d_id_i[B*DIdW +: Banks*DIdW]),
      .d_rsp_valid_o(d_rsp_valid_o[B +: Banks]),
      .d_rsp_ready_i(d_rsp_ready_i[B +: Banks]), .d_rsp_id_o(d_rsp_id_o[B*DIdW +: Banks*DIdW]),
      .d_rsp_data_o(d_rsp_data_o[B*PortB*8 +: Banks*PortB*8]), .access_o(access[B +: Banks]),
      .hit_o(hit[B +: Banks]),
      .depth_o(depth[B*3 +: Banks*3]), .apps_i, .quota_max_i, .turn_timeout_i, .age_cap_i, .epoch_i,
      .con_i, .warps_i, .cmd_o(cmd_o[c*3 +: 3]), .bank_o(bank_o[c*3 +: 3]),
      .col_o(col_o[c*ColW +: ColW]), .ap_o(ap_o[c]), .also_o(also_o[c*2 +: 2]),
      .also_bank_o(also_bank_o[c*3 +: 3]), .row_o(row_o[c*RowW +: RowW]),
      .ticks_o(ticks_o[c*2 +: 2]),
      .wdata_o(wdata_o[c*512 +: 512]),
      .wmask_o(wmask_o[c*64 +: 64]), .rdata_i(rdata_i[c*512 +: 512]), .obs_cache_o(), .obs_dram_o()
    );
  end
endmodule
`default_nettype wire
