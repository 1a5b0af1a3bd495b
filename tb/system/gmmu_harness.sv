// SPDX-License-Identifier: Apache-2.0
// gmmu_harness: gmmu_top for the Verilator bench, with two changes that only make simulation faster.
//
// - tick_i: every change of it is one clock cycle, so one eval() is one cycle (the clock goes back by itself).
// - Inputs are registered here: what the bench sets before an eval() is what gmmu_top sees in the cycle that
//   begins with it, and all outputs read after that eval() belong to the same cycle. Combinational logic is so
//   evaluated once a cycle instead of three times.
`default_nettype none
module gmmu_harness #(
  parameter int NumSms         = 30,
  parameter int NumAsids       = 8,
  parameter int AsidW          = 9,
  parameter int VaW            = 48,
  parameter int PaW            = 48,
  parameter int TagW           = 8,
  parameter int WarpW          = 8,
  parameter int L1BaseEntries  = 128,
  parameter int L1LargeEntries = 16,
  parameter int L1Mshrs        = 32,
  parameter int L2Entries      = 512,
  parameter int L2Ways         = 16,
  parameter int L2LargeEntries = 256,
  parameter int L2Ports        = 2,
  parameter int L2Latency      = 10,
  parameter int L2Mshrs        = 64,
  parameter int WarpCounters   = 1,
  parameter int Walks          = 64,
  parameter int L2Unified      = 0,
  parameter int MscSets        = 64,
  parameter int MscWays        = 8,
  parameter int PwcEntries     = 0,
  parameter int PwcWays        = 16,
  parameter int PwcLatency     = 10,
  parameter int Colt           = 0,
  parameter int LineAnswers    = 0,
  parameter int FillTokens     = 0,
  parameter int EpochCycles    = 100000,
  parameter int BypassEntries  = 0,
  parameter int FlushL2        = 0,
  parameter int MarkByAsid     = 0,
  parameter int FrameBitsInRsw = 0,
  parameter int Svadu          = 0,
  parameter int NumWindows     = 4,
  parameter int Obs            = 1,
  localparam int PfnW  = PaW - 12,
  localparam int MemW  = LineAnswers != 0 ? 512 : 64,
  localparam int SlotW = gmmu_pkg::idx_w(Walks)
) (
  input  logic tick_i,
  input  logic  rst_ni,
  input  logic [NumSms-1:0] req_valid_i,
  output logic [NumSms-1:0] req_ready_o,
  input  logic [NumSms*64-1:0] req_va_i,
  input  logic [NumSms*2-1:0] req_access_i,
  input  logic [NumSms-1:0] req_user_i,
  input  logic [NumSms*AsidW-1:0] req_asid_i,
  input  logic [NumSms*WarpW-1:0] req_warp_i,
  input  logic [NumSms*TagW-1:0] req_tag_i,
  output logic [NumSms-1:0] rsp_valid_o,
  input  logic [NumSms-1:0] rsp_ready_i,
  output logic [NumSms*TagW-1:0] rsp_tag_o,
  output logic [NumSms*PaW-1:0] rsp_pa_o,
  output logic [NumSms*5-1:0] rsp_cause_o,
  output logic [NumSms-1:0] rsp_large_o,
  output logic  mem_req_valid_o,
  input  logic  mem_req_ready_i,
  output logic [PaW-1:0] mem_req_addr_o,
  output logic [SlotW-1:0] mem_req_id_o,
  output logic [2:0] mem_req_depth_o,
  output logic  mem_req_upd_o,
  output logic [63:0] mem_req_old_o,
  output logic [63:0] mem_req_new_o,
  input  logic  mem_rsp_valid_i,
  input  logic [SlotW-1:0] mem_rsp_id_i,
  input  logic [MemW-1:0] mem_rsp_data_i,
  input  logic  mem_rsp_err_i,
  input  logic  inv_valid_i,
  output logic  inv_ready_o,
  input  logic [1:0] inv_kind_i,
  input  logic [AsidW-1:0] inv_asid_i,
  input  logic [35:0] inv_lo_i,
  input  logic [35:0] inv_hi_i,
  output logic  inv_done_o,
  input  logic [NumAsids*PfnW-1:0] ctx_root_i,
  input  logic [NumAsids*2-1:0] ctx_mode_i,
  input  logic [NumAsids-1:0] ctx_ext_i,
  input  logic [NumAsids-1:0] ctx_sum_i,
  input  logic [NumAsids-1:0] ctx_mxr_i,
  input  logic [NumWindows*PfnW-1:0] win_lo_i,
  input  logic [NumWindows*PfnW-1:0] win_hi_i,
  input  logic [NumWindows-1:0] win_walk_i,
  input  logic [NumWindows-1:0] win_data_i,
  output logic [NumAsids*$clog2(L2Mshrs+1)-1:0] app_misses_o,
  output logic [NumSms*gmmu_pkg::OBS_L1_W-1:0] obs_l1_o,
  output logic [gmmu_pkg::OBS_L2_W-1:0] obs_l2_o,
  output logic [gmmu_pkg::OBS_WALK_W-1:0] obs_walk_o,
  output logic [gmmu_pkg::OBS_TOKEN_W-1:0] obs_token_o
);
  // A change of tick_i raises clk; the first flip-flop to see it lets it fall again.
  logic clk;
  logic phase_q = 1'b0;
  assign clk = tick_i ^ phase_q;
  always_ff @(posedge clk) phase_q <= !phase_q;

  logic  rst__q;
  logic [NumSms-1:0] req_valid_q;
  logic [NumSms*64-1:0] req_va_q;
  logic [NumSms*2-1:0] req_access_q;
  logic [NumSms-1:0] req_user_q;
  logic [NumSms*AsidW-1:0] req_asid_q;
  logic [NumSms*WarpW-1:0] req_warp_q;
  logic [NumSms*TagW-1:0] req_tag_q;
  logic [NumSms-1:0] rsp_ready_q;
  logic  mem_req_ready_q;
  logic  mem_rsp_valid_q;
  logic [SlotW-1:0] mem_rsp_id_q;
  logic [MemW-1:0] mem_rsp_data_q;
  logic  mem_rsp_err_q;
  logic  inv_valid_q;
  logic [1:0] inv_kind_q;
  logic [AsidW-1:0] inv_asid_q;
  logic [35:0] inv_lo_q;
  logic [35:0] inv_hi_q;
  logic [NumAsids*PfnW-1:0] ctx_root_q;
  logic [NumAsids*2-1:0] ctx_mode_q;
  logic [NumAsids-1:0] ctx_ext_q;
  logic [NumAsids-1:0] ctx_sum_q;
  logic [NumAsids-1:0] ctx_mxr_q;
  logic [NumWindows*PfnW-1:0] win_lo_q;
  logic [NumWindows*PfnW-1:0] win_hi_q;
  logic [NumWindows-1:0] win_walk_q;
  logic [NumWindows-1:0] win_data_q;
  always_ff @(posedge clk) begin
    rst__q <= rst_ni;
    req_valid_q <= req_valid_i;
    req_va_q <= req_va_i;
    req_access_q <= req_access_i;
    req_user_q <= req_user_i;
    req_asid_q <= req_asid_i;
    req_warp_q <= req_warp_i;
    req_tag_q <= req_tag_i;
    rsp_ready_q <= rsp_ready_i;
    mem_req_ready_q <= mem_req_ready_i;
    mem_rsp_valid_q <= mem_rsp_valid_i;
    mem_rsp_id_q <= mem_rsp_id_i;
    mem_rsp_data_q <= mem_rsp_data_i;
    mem_rsp_err_q <= mem_rsp_err_i;
    inv_valid_q <= inv_valid_i;
    inv_kind_q <= inv_kind_i;
    inv_asid_q <= inv_asid_i;
    inv_lo_q <= inv_lo_i;
    inv_hi_q <= inv_hi_i;
    ctx_root_q <= ctx_root_i;
    ctx_mode_q <= ctx_mode_i;
    ctx_ext_q <= ctx_ext_i;
    ctx_sum_q <= ctx_sum_i;
    ctx_mxr_q <= ctx_mxr_i;
    win_lo_q <= win_lo_i;
    win_hi_q <= win_hi_i;
    win_walk_q <= win_walk_i;
    win_data_q <= win_data_i;
  end

  gmmu_top #(
    .NumSms(NumSms), .NumAsids(NumAsids), .AsidW(AsidW), .VaW(VaW), .PaW(PaW), .TagW(TagW), .WarpW(WarpW), .L1BaseEntries(L1BaseEntries), .L1LargeEntries(L1LargeEntries), .L1Mshrs(L1Mshrs), .L2Entries(L2Entries), .L2Ways(L2Ways), .L2LargeEntries(L2LargeEntries), .L2Ports(L2Ports), .L2Latency(L2Latency), .L2Mshrs(L2Mshrs), .WarpCounters(WarpCounters), .Walks(Walks), .L2Unified(L2Unified), .MscSets(MscSets), .MscWays(MscWays), .PwcEntries(PwcEntries), .PwcWays(PwcWays), .PwcLatency(PwcLatency), .Colt(Colt), .LineAnswers(LineAnswers), .FillTokens(FillTokens), .EpochCycles(EpochCycles), .BypassEntries(BypassEntries), .FlushL2(FlushL2), .MarkByAsid(MarkByAsid), .FrameBitsInRsw(FrameBitsInRsw), .Svadu(Svadu), .NumWindows(NumWindows), .Obs(Obs)
  ) u_top (
    .clk_i(clk),
    .rst_ni(rst__q),
    .req_valid_i(req_valid_q),
    .req_ready_o(req_ready_o),
    .req_va_i(req_va_q),
    .req_access_i(req_access_q),
    .req_user_i(req_user_q),
    .req_asid_i(req_asid_q),
    .req_warp_i(req_warp_q),
    .req_tag_i(req_tag_q),
    .rsp_valid_o(rsp_valid_o),
    .rsp_ready_i(rsp_ready_q),
    .rsp_tag_o(rsp_tag_o),
    .rsp_pa_o(rsp_pa_o),
    .rsp_cause_o(rsp_cause_o),
    .rsp_large_o(rsp_large_o),
    .mem_req_valid_o(mem_req_valid_o),
    .mem_req_ready_i(mem_req_ready_q),
    .mem_req_addr_o(mem_req_addr_o),
    .mem_req_id_o(mem_req_id_o),
    .mem_req_depth_o(mem_req_depth_o),
    .mem_req_upd_o(mem_req_upd_o),
    .mem_req_old_o(mem_req_old_o),
    .mem_req_new_o(mem_req_new_o),
    .mem_rsp_valid_i(mem_rsp_valid_q),
    .mem_rsp_id_i(mem_rsp_id_q),
    .mem_rsp_data_i(mem_rsp_data_q),
    .mem_rsp_err_i(mem_rsp_err_q),
    .inv_valid_i(inv_valid_q),
    .inv_ready_o(inv_ready_o),
    .inv_kind_i(inv_kind_q),
    .inv_asid_i(inv_asid_q),
    .inv_lo_i(inv_lo_q),
    .inv_hi_i(inv_hi_q),
    .inv_done_o(inv_done_o),
    .ctx_root_i(ctx_root_q),
    .ctx_mode_i(ctx_mode_q),
    .ctx_ext_i(ctx_ext_q),
    .ctx_sum_i(ctx_sum_q),
    .ctx_mxr_i(ctx_mxr_q),
    .epoch_cycles_i(32'd0), .epoch_o(), .token_free_i(1'b0), .token_start_i(gmmu_pkg::TOKEN_START), .token_step_i(gmmu_pkg::TOKEN_STEP), .token_points_i(gmmu_pkg::TOKEN_POINTS),
    .win_lo_i(win_lo_q),
    .win_hi_i(win_hi_q),
    .win_walk_i(win_walk_q),
    .win_data_i(win_data_q),
    .app_misses_o(app_misses_o),
    .obs_l1_o(obs_l1_o),
    .obs_l2_o(obs_l2_o),
    .obs_walk_o(obs_walk_o),
    .obs_token_o(obs_token_o)
  );
endmodule
`default_nettype wire
