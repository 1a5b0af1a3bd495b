// SPDX-License-Identifier: Apache-2.0
// gmmu_channel_harness: a memory channel of a run, for tb/channels/channels.cpp. As in
// tb/system/gmmu_harness.sv every change of tick_i is a clock cycle, and the inputs are registered:
// what is set before an eval() belongs to the cycle that begins with it, as all outputs after it.
`default_nettype none
module gmmu_channel_harness #(
  parameter int Banks         = 2,
  parameter int Sets          = 64,
  parameter int Ways          = 16,
  parameter int LineB         = 128,
  parameter int PortB         = 128,
  parameter int LineW         = 24,
  parameter int Mshrs         = 64,
  parameter int Waiters       = 4,
  parameter int MemSlots      = 4,
  parameter int AnswerSlots   = 16,
  parameter int BypassSlots   = 8,
  parameter int Latency       = 10,
  parameter bit Linear        = 1'b0,
  parameter int GoldenEntries = 16,
  parameter int SilverEntries = 64,
  parameter int NormalEntries = 192,
  parameter bit Aware         = 1'b1,
  parameter bit ClosedRow     = 1'b0,
  parameter bit KeepRows      = 1'b0,
  parameter int NumApps       = 8,
  parameter int TickRatio     = 16384,
  localparam int IdW          = 16,  // GMMU_MEMSYS_RTL_IDS
  localparam int AppW         = gmmu_pkg::idx_w(NumApps),
  localparam int RowW         = LineW + $clog2(Banks) + $clog2(LineB / 64) - 9,
  localparam int ObsW         = 2*gmmu_pkg::idx_w(Ways) + 7
) (
  input  logic                     tick_i,
  input  logic                     rst_ni,
  input  logic [7:0]               bypass_i,
  input  logic                     epoch_i,
  input  logic [AppW:0]            apps_i,
  input  logic [9:0]               quota_max_i,
  input  logic [15:0]              turn_timeout_i,
  input  logic [15:0]              age_cap_i,
  input  logic [NumApps*6-1:0]     con_i,
  input  logic [NumApps*6-1:0]     warps_i,
  input  logic [Banks-1:0]         t_valid_i,
  output logic [Banks-1:0]         t_ready_o,
  input  logic [Banks*64-1:0]      t_line_i,
  input  logic [Banks-1:0]         t_beat_i,
  input  logic [Banks*3-1:0]       t_depth_i,
  input  logic [Banks*IdW-1:0]     t_id_i,
  output logic [Banks-1:0]         t_rsp_valid_o,
  output logic [Banks*IdW-1:0]     t_rsp_id_o,
  output logic [Banks*512-1:0]     t_rsp_data_o,
  input  logic [Banks-1:0]         d_valid_i,
  output logic [Banks-1:0]         d_ready_o,
  input  logic [Banks*64-1:0]      d_line_i,
  input  logic [Banks-1:0]         d_we_i,
  input  logic [Banks*PortB-1:0]   d_mask_i,
  input  logic [Banks*PortB*8-1:0] d_wdata_i,
  input  logic [Banks*AppW-1:0]    d_app_i,
  input  logic [Banks*IdW-1:0]     d_id_i,
  output logic [Banks-1:0]         d_rsp_valid_o,
  output logic [Banks*IdW-1:0]     d_rsp_id_o,
  output logic [Banks*PortB*8-1:0] d_rsp_data_o,
  output logic [Banks-1:0]         access_o,
  output logic [Banks-1:0]         hit_o,
  output logic [Banks*3-1:0]       depth_o,
  output logic [2:0]               cmd_o,
  output logic [2:0]               bank_o,
  output logic [5:0]               col_o,
  output logic                     ap_o,
  output logic [1:0]               also_o,
  output logic [2:0]               also_bank_o,
  output logic [63:0]              row_o,
  output logic [1:0]               ticks_o,
  output logic [511:0]             wdata_o,
  output logic [63:0]              wmask_o,
  input  logic [511:0]             rdata_i,
  output logic [Banks*32-1:0]      obs_cache_o,  // a word for each bank
  output logic [1:0]               entered_o
);
  // A change of tick_i raises clk; the first flip-flop to see it lets it fall again.
  logic clk;
  logic phase_q = 1'b0;
  assign clk = tick_i ^ phase_q;
  always_ff @(posedge clk) phase_q <= !phase_q;

  logic                     rst_q = 1'b0;  // in reset from the start
  logic                     epoch_q;
  logic [7:0]               bypass_q;
  logic [AppW:0]            apps_q;
  logic [9:0]               quota_max_q;
  logic [15:0]              turn_timeout_q, age_cap_q;
  logic [NumApps*6-1:0]     con_q, warps_q;
  logic [Banks-1:0]         t_valid_q, t_beat_q, d_valid_q, d_we_q;
  logic [Banks*LineW-1:0]   t_line_q, d_line_q;
  logic [Banks*3-1:0]       t_depth_q;
  logic [Banks*IdW-1:0]     t_id_q, d_id_q;
  logic [Banks*PortB-1:0]   d_mask_q;
  logic [Banks*PortB*8-1:0] d_wdata_q;
  logic [Banks*AppW-1:0]    d_app_q;
  logic [511:0]             rdata_q;
  always_ff @(posedge clk) begin
    rst_q          <= rst_ni;
    epoch_q        <= epoch_i;
    bypass_q       <= bypass_i;
    apps_q         <= apps_i;
    quota_max_q    <= quota_max_i;
    turn_timeout_q <= turn_timeout_i;
    age_cap_q      <= age_cap_i;
    con_q          <= con_i;
    warps_q        <= warps_i;
    t_valid_q      <= t_valid_i;
    t_beat_q       <= t_beat_i;
    t_depth_q      <= t_depth_i;
    t_id_q         <= t_id_i;
    d_valid_q      <= d_valid_i;
    d_we_q         <= d_we_i;
    d_mask_q       <= d_mask_i;
    d_wdata_q      <= d_wdata_i;
    d_app_q        <= d_app_i;
    d_id_q         <= d_id_i;
    rdata_q        <= rdata_i;
    for (int b = 0; b < Banks; b++) begin
      t_line_q[b*LineW +: LineW] <= t_line_i[b*64 +: LineW];
      d_line_q[b*LineW +: LineW] <= d_line_i[b*64 +: LineW];
    end
  end

  logic [RowW-1:0]       row;
  logic [Banks*ObsW-1:0] obs_cache;
  logic [15+AppW:0]      obs_dram;
  assign row_o     = 64'(row);
  assign entered_o = obs_dram[3:2];
  for (genvar b = 0; b < Banks; b++) begin : gen_obs
    assign obs_cache_o[b*32 +: 32] = 32'(obs_cache[b*ObsW +: ObsW]);
  end
  gmmu_mem_channel #(
    .Banks(Banks), .Sets(Sets), .Ways(Ways), .LineB(LineB), .PortB(PortB), .LineW(LineW),
    .Mshrs(Mshrs), .Waiters(Waiters), .MemSlots(MemSlots), .AnswerSlots(AnswerSlots),
    .BypassSlots(BypassSlots), .Latency(Latency), .Linear(Linear), .TIdW(IdW), .DIdW(IdW),
    .GoldenEntries(GoldenEntries), .SilverEntries(SilverEntries), .NormalEntries(NormalEntries),
    .Aware(Aware), .ClosedRow(ClosedRow), .KeepRows(KeepRows), .NumApps(NumApps),
    .TickRatio(TickRatio)
  ) u_channel (
    .clk_i(clk), .rst_ni(rst_q), .bypass_i(bypass_q), .t_valid_i(t_valid_q), .t_ready_o,
    .t_line_i(t_line_q), .t_beat_i(t_beat_q), .t_depth_i(t_depth_q), .t_we_i({Banks{1'b0}}),
    .t_word_i({(Banks*3){1'b0}}), .t_wdata_i({(Banks*64){1'b0}}), .t_id_i(t_id_q), .t_rsp_valid_o,
    .t_rsp_ready_i({Banks{1'b1}}), .t_rsp_id_o, .t_rsp_data_o, .d_valid_i(d_valid_q), .d_ready_o,
    .d_line_i(d_line_q), .d_we_i(d_we_q), .d_mask_i(d_mask_q), .d_wdata_i(d_wdata_q),
    .d_app_i(d_app_q), .d_id_i(d_id_q), .d_rsp_valid_o, .d_rsp_ready_i({Banks{1'b1}}),
    .d_rsp_id_o, .d_rsp_data_o, .access_o, .hit_o, .depth_o, .apps_i(apps_q),
    .quota_max_i(quota_max_q), .turn_timeout_i(turn_timeout_q), .age_cap_i(age_cap_q),
    .epoch_i(epoch_q), .con_i(con_q), .warps_i(warps_q), .cmd_o, .bank_o, .col_o, .ap_o, .also_o,
    .also_bank_o, .row_o(row), .ticks_o, .wdata_o, .wmask_o, .rdata_i(rdata_q),
    .obs_cache_o(obs_cache), .obs_dram_o(obs_dram)
  );
endmodule
`default_nettype wire
