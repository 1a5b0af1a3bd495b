// SPDX-License-Identifier: Apache-2.0
// gmmu_mem_harness: one memory channel and the bypass decision, for tb/l2_cache/mem_bench.cpp.
// Small widths.
`default_nettype none
module gmmu_mem_harness #(
  parameter int Banks         = 2,
  parameter int Sets          = 4,
  parameter int Ways          = 2,
  parameter int LineB         = 128,
  parameter int PortB         = 128,
  parameter int Mshrs         = 4,
  parameter int Waiters       = 2,
  parameter int AnswerSlots   = 4,
  parameter int BypassSlots   = 2,
  parameter int MemSlots      = 2,
  parameter int Latency       = 5,
  parameter int GoldenEntries = 4,
  parameter int SilverEntries = 8,
  parameter int NormalEntries = 16,
  parameter int AgeCap        = 0,
  parameter int TickRatio     = 16384,
  localparam int LineW        = 24,
  localparam int ObsW         = 2*gmmu_pkg::idx_w(Ways) + 7
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  logic                  epoch_i,
  input  logic [3:0]            apps_i,
  input  logic [47:0]           con_i,
  input  logic [47:0]           warps_i,
  input  logic [Banks-1:0]      t_valid_i,
  output logic [Banks-1:0]      t_ready_o,
  input  logic [Banks*24-1:0]   t_line_i,
  input  logic [Banks-1:0]      t_beat_i,
  input  logic [Banks*3-1:0]    t_depth_i,
  input  logic [Banks-1:0]      t_we_i,
  input  logic [Banks*3-1:0]    t_word_i,
  input  logic [Banks*64-1:0]   t_wdata_i,
  input  logic [Banks*6-1:0]    t_id_i,
  output logic [Banks-1:0]      t_rsp_valid_o,
  input  logic [Banks-1:0]      t_rsp_ready_i,
  output logic [Banks*6-1:0]    t_rsp_id_o,
  output logic [Banks*512-1:0]  t_rsp_data_o,
  input  logic [Banks-1:0]      d_valid_i,
  output logic [Banks-1:0]      d_ready_o,
  input  logic [Banks*24-1:0]   d_line_i,
  input  logic [Banks-1:0]      d_we_i,
  input  logic [Banks*PortB-1:0] d_mask_i,
  input  logic [Banks*PortB*8-1:0] d_wdata_i,
  input  logic [Banks*3-1:0]    d_app_i,
  input  logic [Banks*12-1:0]   d_id_i,
  output logic [Banks-1:0]      d_rsp_valid_o,
  input  logic [Banks-1:0]      d_rsp_ready_i,
  output logic [Banks*12-1:0]   d_rsp_id_o,
  output logic [Banks*PortB*8-1:0] d_rsp_data_o,
  output logic [2:0]            cmd_o,
  output logic [2:0]            bank_o,
  output logic [5:0]            col_o,
  output logic                  ap_o,
  output logic [1:0]            also_o,
  output logic [2:0]            also_bank_o,
  output logic [31:0]           row_o,
  output logic [1:0]            ticks_o,
  output logic [511:0]          wdata_o,
  output logic [63:0]           wmask_o,
  input  logic [511:0]          rdata_i,
  output logic [7:0]            bypass_o,
  output logic [255:0]          obs_bypass_o,
  output logic [Banks*ObsW-1:0] obs_cache_o,
  output logic [18:0]           obs_dram_o
);
  logic [Banks-1:0]   access, hit;
  logic [Banks*3-1:0] depth;
  localparam int RowW = LineW + $clog2(Banks) + $clog2(LineB / 64) + 6 - 6 - 9;
  logic [RowW-1:0] row;
  assign row_o = 32'(row);
  gmmu_l2_bypass #(.Banks(Banks)) u_bypass (
    .clk_i, .rst_ni, .epoch_i, .access_i(access), .hit_i(hit), .depth_i(depth), .bypass_o,
    .obs_o(obs_bypass_o)
  );
  gmmu_mem_channel #(
    .Banks(Banks), .Sets(Sets), .Ways(Ways), .LineB(LineB), .PortB(PortB), .LineW(LineW),
    .Mshrs(Mshrs), .Waiters(Waiters), .AnswerSlots(AnswerSlots), .BypassSlots(BypassSlots),
    .MemSlots(MemSlots), .Latency(Latency), .TIdW(6), .DIdW(12), .GoldenEntries(GoldenEntries),
    .SilverEntries(SilverEntries), .NormalEntries(NormalEntries), .NumApps(8), .TickRatio(TickRatio)
  ) u_channel (
    .clk_i, .rst_ni, .bypass_i(bypass_o), .t_valid_i, .t_ready_o, .t_line_i, .t_beat_i, .t_depth_i,
    .t_we_i, .t_word_i, .t_wdata_i, .t_id_i, .t_rsp_valid_o, .t_rsp_ready_i, .t_rsp_id_o,
    .t_rsp_data_o, .d_valid_i, .d_ready_o, .d_line_i, .d_we_i, .d_mask_i, .d_wdata_i, .d_app_i,
    .d_id_i, .d_rsp_valid_o, .d_rsp_ready_i, .d_rsp_id_o, .d_rsp_data_o, .access_o(access),
    .hit_o(hit), .depth_o(depth), .apps_i, .quota_max_i(10'd500), .turn_timeout_i(16'd300),
    .age_cap_i(16'(AgeCap)), .epoch_i, .con_i, .warps_i, .cmd_o, .bank_o, .col_o, .ap_o,
    .also_o, .also_bank_o, .row_o(row), .ticks_o, .wdata_o, .wmask_o, .rdata_i,
    .obs_cache_o, .obs_dram_o
  );
endmodule
`default_nettype wire
