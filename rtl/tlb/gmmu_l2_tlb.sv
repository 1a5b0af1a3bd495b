// SPDX-License-Identifier: Apache-2.0
// gmmu_l2_tlb: the L2 TLB that all SMs share. Split build: set-associative base array, fully
// associative large array. Unified build: one array of pages and runs of subregions. Miss
// registers. Rules, pipeline and observation port: docs/l2_tlb.md. Source: Mosaic section 4.3, MASK
// section 6; unified: MESC section IV-C.
//
// Stage 0 arbitrates, stage R (in stage 0 with Latency 4) reads the request, R and A the base
// array, stage B decides. A hit's answer leaves Latency cycles after the handshake. Legal: Latency
// >= 4, Ports 1 or 2, Entries 0 or a multiple of Ways, LargeEntries 0 or >= 2, Mshrs <= Total.
`default_nettype none
module gmmu_l2_tlb #(
  parameter int NumSms       = 30,
  parameter int NumAsids     = 8,
  parameter int AsidW        = 9,
  parameter int VaW          = 48,
  parameter int PfnW         = 36,
  parameter int L1Mshrs      = 32,
  parameter int Entries      = 512,
  parameter int Ways         = 16,
  parameter int LargeEntries = 256,
  parameter int L2Unified    = 0,    // 1: one array, of pages and subregions; LargeEntries is 0
  parameter int Ports        = 2,
  parameter int Latency      = 10,
  parameter int Mshrs        = 64,
  parameter int Total        = Mshrs,   // that the guarantee counts, >= NumAsids; as in gmmu_top
`include "gmmu_mmu_options.svh"
  parameter int WarpW        = 8,
  parameter int BypassEntries = 0,   // FillTokens: what warps without a token fill; 0: none
  localparam int VfnW         = VaW - 12,
  localparam int KeyW         = gmmu_pkg::walk_key_w(VfnW, Svadu),
  localparam int SmW          = gmmu_pkg::idx_w(NumSms),
  localparam int L1MW         = gmmu_pkg::idx_w(L1Mshrs),
  localparam int OwnW         = FillTokens != 0 ? WarpW : 1,
  localparam int IdxW         = gmmu_pkg::idx_w(Mshrs),
  localparam int XlateW       = gmmu_pkg::xlate_w(PfnW, Colt),
  localparam int CmdW         = gmmu_pkg::CMD_FIXED_W + AsidW
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  // from the L1s
  input  logic [NumSms-1:0]       req_valid_i,
  output logic [NumSms-1:0]       req_ready_o,
  input  logic [NumSms*AsidW-1:0] req_asid_i,
  input  logic [NumSms*KeyW-1:0]  req_walk_key_i, // Svadu=1: {class of store, VFN}
  input  logic [NumSms*L1MW-1:0]  req_mshr_i,
  input  logic [NumSms*OwnW-1:0]  req_warp_i,    // FillTokens=1: of the miss
  // waiting warps (WarpCounters=1): where a port's miss is kept, and the L1s' reports
  output logic [Ports*NumSms-1:0] taken_sel_o,
  output logic [Ports*L1MW-1:0]   taken_l1_mshr_o,
  output logic [Ports*IdxW-1:0]   taken_mshr_o,
  input  logic [NumSms-1:0]       tell_valid_i,
  output logic [NumSms-1:0]       tell_ready_o,
  input  logic [NumSms*IdxW-1:0]  tell_mshr_i,
  input  logic [NumSms*6-1:0]     tell_warps_i,
  // hit answers: one bus per port, each for one SM; never stalled
  output logic [Ports*NumSms-1:0] hit_sel_o,
  output logic [Ports*L1MW-1:0]   hit_l1_mshr_o,
  output logic [Ports*XlateW-1:0] hit_xlate_o,
  // walk answers: one bus for any set of SMs
  output logic [NumSms-1:0]       ans_sel_o,
  output logic [NumSms*L1MW-1:0]  ans_l1_mshr_o,
  output logic [XlateW-1:0]       ans_xlate_o,
  // to the walker: always accepted
  output logic                    walk_valid_o,
  output logic [IdxW-1:0]         walk_mshr_o,
  output logic [AsidW-1:0]        walk_asid_o,
  output logic [KeyW-1:0]         walk_key_o,
  // returned walks
  input  logic                    fin_valid_i,
  output logic                    fin_take_o,
  input  logic [IdxW-1:0]         fin_mshr_i,
  input  logic [XlateW-1:0]       fin_xlate_i,
  // L2Unified=1: {early, run only, subregion fill, first, length}
  input  logic [gmmu_pkg::RUN_W-1:0] fin_run_i,
  // fill tokens: lookups that ended, by port; whose walk returns (stage 0), may it fill (stage B)?
  output logic [1:0]              look_o,
  output logic [1:0]              look_hit_o,
  output logic [2*gmmu_pkg::idx_w(NumAsids)-1:0] look_app_o,
  output logic [SmW-1:0]          owner_sm_o,
  output logic [OwnW-1:0]         owner_warp_o,
  input  logic                    token_i,
  // outstanding misses of each application (MASK section 5.4)
  output logic [NumAsids*$clog2(Total+1)-1:0] app_misses_o,
  input  logic [NumAsids-1:0]     ctx_on_i,      // contexts that are on
  // invalidation
  input  logic                    mark_next_i,   // the cycle before the mark
  input  logic                    mark_i,
  input  logic                    sweep_start_i,
  output logic                    sweep_done_o,  // pulse: swept and drained
  output logic                    stale_o,       // a miss that a command made stale is not answered
  input  logic [CmdW-1:0]         cmd_i,
  // counters, by port, of the cycle before: a lookup but the later ones of a request that waits,
  // one that hits, one
  output logic [1:0]              count_look_o,
  output logic [1:0]              count_hit_o,
  output logic [1:0]              count_parity_o,  // that found an entry with wrong parity
  output logic [gmmu_pkg::OBS_L2_W-1:0] obs_o
);
  localparam int DataW  = gmmu_pkg::PERM_W + PfnW;
  localparam int Sets   = Entries == 0 ? 1 : Entries / Ways;
  localparam int SetW   = gmmu_pkg::idx_w(Sets);
  localparam int CtxW   = gmmu_pkg::idx_w(NumAsids);
  localparam int GrpW   = Colt == 2 ? 2 : 0;
  localparam int QW     = AsidW + KeyW + OwnW + L1MW;
  localparam int Reads  = 32'(L2Serial == 0 && Latency > 4);   // there is a stage R
  // stage B after the request's handshake
  localparam int Decide = L2Serial != 0 ? Ways + 4 : 3 + Reads;

  if (Latency < 4) begin : gen_bad_latency
    gmmu_l2_tlb_Latency_must_be_at_least_4 u_bad();
  end
  if (LargeEntries == 1) begin : gen_bad_large
    gmmu_l2_tlb_LargeEntries_must_be_0_or_at_least_2 u_bad();
  end
  if (L2Unified != 0 && LargeEntries != 0) begin : gen_bad_unified
    gmmu_l2_tlb_L2Unified_has_no_LargeEntries u_bad();
  end
  if (Ports != 1 && Ports != 2) begin : gen_bad_ports
    gmmu_l2_tlb_Ports_must_be_1_or_2 u_bad();
  end

  // ---------------------------------------------------------------- stages; port 0: low halves
  logic s0_fin, s0_sweep, a_fin, a_sweep, b_fin, b_sweep, free, ready, fin_before, arrays_busy,
      popped;
  logic [gmmu_pkg::idx_w(Ways+3)-1:0] step;
  logic [1:0] s0_load, s0_look, s0_replay, early, a_read, b_look, b_replay, b_commit, b_wait, b_got;
  logic [2*SmW-1:0]   s0_sm, a_sm, b_sm;
  logic [2*QW-1:0]    s0_request;
  logic [SetW-1:0]    s0_set;
  logic [2*KeyW-1:0]  early_walk_key, a_walk_key, b_walk_key;
  logic [2*AsidW-1:0] a_asid, b_asid;
  logic [2*L1MW-1:0]  b_l1m;
  logic [2*OwnW-1:0]  b_warp;
  logic [IdxW-1:0]    a_mshr, b_mshr, tell_idx, freed_idx;
  logic [XlateW-1:0]  b_xlate;
  logic [gmmu_pkg::RUN_W-1:0] b_run;
  logic [NumAsids-1:0] retry;
  logic [2:0]         answers, fill_start, fill_len;
  logic [7:0]         a_fill;
  logic [NumSms-1:0]  displaced;
  logic [AsidW-1:0]   fin_asid;
  logic [KeyW-1:0]    fin_walk_key;
  logic done_stale, fill_any, fill_may, fill_base, fill_large, fill_bypass, fill_sub;
  logic [PfnW-1:0]    first_pfn;
  gmmu_l2tlb_issue #(.NumSms(NumSms), .NumAsids(NumAsids), .Ports(Ports), .AsidW(AsidW),
      .KeyW(KeyW), .OwnW(OwnW), .L1Mshrs(L1Mshrs), .Sets(Sets), .Latency(Latency),
      .Reads(Reads)) u_issue (
    .clk_i, .rst_ni, .req_valid_i, .req_ready_o, .req_asid_i, .req_walk_key_i, .req_mshr_i,
    .req_warp_i, .may_i(retry), .displaced_i(displaced), .free_i(free), .fin_valid_i,
    .a_fin_i(a_fin), .b_fin_i(b_fin), .fin_before_i(fin_before), .answers_i(answers),
    .popped_i(popped), .sweep_start_i, .sweep_busy_i(a_sweep | b_sweep | arrays_busy),
    .sweep_done_o, .set_o(s0_set), .fin_o(s0_fin), .sweep_o(s0_sweep), .load_o(s0_load),
    .look_o(s0_look), .sm_o(s0_sm), .replay_o(s0_replay), .request_o(s0_request), .b_sm_i(b_sm),
    .b_commit_i(b_commit), .b_wait_i(b_wait)
  );
  gmmu_l2tlb_pipe #(.NumSms(NumSms), .AsidW(AsidW), .KeyW(KeyW), .OwnW(OwnW), .L1MW(L1MW),
      .IdxW(IdxW), .XlateW(XlateW), .SetW(SetW), .GrpW(GrpW), .L2Unified(L2Unified),
      .L2Serial(L2Serial), .Ways(Ways), .PfnW(PfnW), .Entries(Entries),
      .LargeEntries(LargeEntries), .FillTokens(FillTokens),
      .BypassEntries(BypassEntries)) u_pipe (
    .clk_i, .rst_ni, .ready_i(ready), .free_o(free), .look_i(s0_look), .load_i(s0_load),
    .sm_i(s0_sm), .replay_i(s0_replay), .request_i(s0_request), .fin_i(s0_fin), .fin_mshr_i,
    .fin_asid_i(fin_asid), .fin_walk_key_i(fin_walk_key), .fin_xlate_i, .fin_run_i, .fin_take_o,
    .sweep_i(s0_sweep), .sweep_set_i(s0_set), .early_o(early), .early_walk_key_o(early_walk_key),
    .a_read_o(a_read), .a_step_o(step), .a_fin_o(a_fin), .a_sweep_o(a_sweep), .a_sm_o(a_sm),
    .a_asid_o(a_asid), .a_walk_key_o(a_walk_key), .fin_before_o(fin_before), .b_wait_i(b_wait),
    .b_look_o(b_look), .b_fin_o(b_fin), .b_sweep_o(b_sweep), .b_replay_o(b_replay), .b_sm_o(b_sm),
    .b_asid_o(b_asid), .b_walk_key_o(b_walk_key), .b_l1_mshr_o(b_l1m), .b_warp_o(b_warp),
    .b_mshr_o(b_mshr), .b_xlate_o(b_xlate), .b_run_o(b_run), .a_mshr_o(a_mshr), .a_fill_o(a_fill),
    .stale_i(done_stale), .token_i, .fill_any_o(fill_any), .fill_may_o(fill_may),
    .fill_base_o(fill_base), .fill_large_o(fill_large), .fill_bypass_o(fill_bypass),
    .fill_sub_o(fill_sub), .fill_start_o(fill_start), .fill_len_o(fill_len),
    .fill_first_pfn_o(first_pfn)
  );

  // ---------------------------------------------------------------- arrays
  logic [Ports-1:0]       hit, bad, run_look, run_hit;
  logic [Ports*XlateW-1:0] hit_xlate;
  logic [Ports*9-1:0]     hit_offset;
  logic [Ports*gmmu_pkg::PERM_W-1:0] run_perm;
  logic [Ports*DataW-1:0] run_data;
  logic [Ports*3-1:0]     outcome;
  logic [Ports*gmmu_pkg::L2_WAY_W-1:0] way;
  logic [gmmu_pkg::L2_LOOK_EVENT_W-1:0] look_event;
  gmmu_l2tlb_lookup #(
`include "gmmu_mmu_options_pass.svh"
    .Entries(Entries), .Ways(Ways), .LargeEntries(LargeEntries), .L2Unified(L2Unified), .PfnW(PfnW),
    .Ports(Ports), .FinsApart(Reads), .BypassEntries(BypassEntries), .AsidW(AsidW), .VfnW(VfnW)
  ) u_lookup (
    .clk_i, .rst_ni, .early_i(early[Ports-1:0]), .read_i(a_read[Ports-1:0]), .read_fin_i(a_fin),
    .read_fill_i(a_fill), .early_walk_key_i(early_walk_key[Ports*KeyW-1:0]),
    .read_asid_i(a_asid[Ports*AsidW-1:0]), .read_walk_key_i(a_walk_key[Ports*KeyW-1:0]),
    .step_i(step), .ready_o(ready), .look_i(b_look[Ports-1:0]), .asid_i(b_asid[Ports*AsidW-1:0]),
    .hit_o(hit), .bad_o(bad), .walk_key_i(b_walk_key[Ports*KeyW-1:0]), .xlate_o(hit_xlate),
    .offset_o(hit_offset), .run_look_o(run_look), .run_hit_i(run_hit), .run_perm_i(run_perm),
    .fin_i(b_fin), .fill_base_i(fill_base), .fill_large_i(fill_large),
    .fill_bypass_i(fill_bypass), .fill_leave_i(fill_any & fill_may), .fill_sub_i(fill_sub),
    .fill_start_i(fill_start), .fill_len_i(fill_len), .fill_first_pfn_i(first_pfn),
    .fill_xlate_i(b_xlate), .sweep_i(b_sweep), .sweep_start_i, .sweep_busy_o(arrays_busy), .cmd_i,
    .outcome_o(outcome), .way_o(way), .event_o(look_event)
  );

  // ---------------------------------------------------------------- misses, answers of walks
  logic [Ports-1:0]      merge, alloc, gets;
  logic [Ports*IdxW-1:0] mshr_idx;
  logic [NumSms-1:0]     sm_hit;   // that a hit is answered to
  logic                  freed, tell_add, tell_counts;
  logic [SmW-1:0]        tell_sm;
  logic [5:0]            tell_warps, tell_sum;
  gmmu_l2tlb_mshr #(
`include "gmmu_mmu_options_pass.svh"
    .Mshrs(Mshrs), .Total(Total), .Ports(Ports), .NumSms(NumSms), .NumAsids(NumAsids),
    .L1Mshrs(L1Mshrs), .AsidW(AsidW), .VfnW(VfnW), .PfnW(PfnW), .Early(L2Unified), .OwnW(OwnW)
  ) u_mshr (
    .clk_i, .rst_ni, .read_i(a_read[Ports-1:0]), .read_asid_i(a_asid[Ports*AsidW-1:0]),
    .read_walk_key_i(a_walk_key[Ports*KeyW-1:0]), .read_sm_i(a_sm[Ports*SmW-1:0]),
    .search_i(b_look[Ports-1:0]), .run_look_i(run_look), .run_hit_o(run_hit),
    .run_perm_o(run_perm), .run_data_o(run_data), .look_i(b_look[Ports-1:0] & ~hit),
    .asid_i(b_asid[Ports*AsidW-1:0]),
    .sm_i(b_sm[Ports*SmW-1:0]), .l1_mshr_i(b_l1m[Ports*L1MW-1:0]), .warp_i(b_warp[Ports*OwnW-1:0]),
    .owner_sm_o, .owner_warp_o, .app_misses_o, .merge_o(merge), .alloc_o(alloc), .gets_o(gets),
    .idx_o(mshr_idx), .free_idx_o(walk_mshr_o), .retry_o(retry), .fin_idx_i(fin_mshr_i),
    .fin_asid_o(fin_asid), .fin_walk_key_o(fin_walk_key), .done_i(b_fin),
    .done_early_i(b_run[gmmu_pkg::RUN_EARLY_BIT]),
    .done_head_i(b_xlate[PfnW-1:0] - PfnW'(b_walk_key[5:0])), .read_mshr_i(a_mshr),
    .done_idx_i(b_mshr), .done_xlate_i(b_xlate), .done_stale_o(done_stale), .answers_o(answers),
    .sm_busy_i(sm_hit), .ans_valid_o(ans_sel_o), .ans_l1_mshr_o, .ans_xlate_o,
    .ans_displaced_o(displaced), .popped_o(popped), .freed_o(freed), .freed_idx_o(freed_idx),
    .tell_idx_i(tell_idx), .tell_sm_i(tell_sm), .tell_counts_o(tell_counts), .ctx_on_i,
    .mark_next_i, .mark_i, .stale_o, .cmd_i
  );
  assign look_hit_o = 2'(hit);     // a port that is not built never hits or misses
  assign b_got      = 2'(gets);    // a miss that takes or joins an MSHR
  assign b_commit   = look_hit_o | (b_look & b_got);
  always_ff @(posedge clk_i) {count_look_o, count_hit_o, count_parity_o} <=
      !rst_ni ? '0 : {3{b_look & ~b_replay}} & {2'b11, look_hit_o, 2'(bad)};
  assign b_wait     = b_look & ~look_hit_o & ~b_got;
  assign look_o     = b_commit;
  assign look_app_o = {CtxW'(b_asid[2*AsidW-1:AsidW]), CtxW'(b_asid[AsidW-1:0])};
  assign walk_valid_o = |alloc;
  assign walk_asid_o  = alloc[0] ? b_asid[AsidW-1:0] : b_asid[2*AsidW-1:AsidW];
  assign walk_key_o   = alloc[0] ? b_walk_key[KeyW-1:0] : b_walk_key[2*KeyW-1:KeyW];

  // ---------------------------------------------------------------- waiting warps
  for (genvar p = 0; p < Ports; p++) begin : gen_taken
    assign taken_sel_o[p*NumSms +: NumSms] = (merge[p] | alloc[p])
        ? NumSms'(1) << b_sm[p*SmW +: SmW] : '0;
  end
  assign taken_l1_mshr_o = b_l1m[Ports*L1MW-1:0];
  assign taken_mshr_o    = mshr_idx;
  if (WarpCounters != 0) begin : gen_warps
    gmmu_l2tlb_warps #(.NumSms(NumSms), .Mshrs(Mshrs)) u_warps (
      .clk_i, .rst_ni, .tell_valid_i, .tell_ready_o, .tell_l2_i(tell_mshr_i), .tell_warps_i,
      .idx_o(tell_idx), .sm_o(tell_sm), .counts_i(tell_counts), .alloc_i(walk_valid_o),
      .alloc_idx_i(walk_mshr_o), .add_o(tell_add), .warps_o(tell_warps), .sum_o(tell_sum)
    );
  end else begin : gen_no_warps
    logic unused_tell;
    assign unused_tell  = ^{tell_valid_i, tell_mshr_i, tell_warps_i};
    assign tell_ready_o = '1;
    assign {tell_idx, tell_sm, tell_add, tell_warps, tell_sum} = '0;
  end

  // ---------------------------------------------------------------- answers of hits
  for (genvar p = 0; p < Ports; p++) begin : gen_delay
    gmmu_l2tlb_hits #(.NumSms(NumSms), .L1MW(L1MW), .PfnW(PfnW), .Delay(Latency - Decide),
        .Offsets(L2Unified != 0 || Colt == 2 ? 1 : 0), .Late(L2Unified), .Colt(Colt)) u_hits (
      .clk_i, .rst_ni, .hit_i(hit[p]), .sm_i(b_sm[p*SmW +: SmW]), .l1_mshr_i(b_l1m[p*L1MW +: L1MW]),
      .xlate_i(hit_xlate[p*XlateW +: XlateW]), .offset_i(hit_offset[p*9 +: 9]), .late_i(run_hit[p]),
      .late_data_i(run_data[p*DataW +: DataW]),
      .sel_o(hit_sel_o[p*NumSms +: NumSms]), .l1_mshr_o(hit_l1_mshr_o[p*L1MW +: L1MW]),
      .xlate_o(hit_xlate_o[p*XlateW +: XlateW])
    );
  end
  assign sm_hit = hit_sel_o[NumSms-1:0] | hit_sel_o[Ports*NumSms-1 -: NumSms];

  if (Obs != 0) begin : gen_obs
    gmmu_l2tlb_obs #(.Ports(Ports), .AsidW(AsidW), .VfnW(VfnW), .KeyW(KeyW), .PfnW(PfnW), .SmW(SmW),
        .L1MW(L1MW), .IdxW(IdxW), .SetW(SetW), .GrpW(GrpW), .L2Unified(L2Unified), .Colt(Colt),
        .FillTokens(FillTokens)) u_obs (
      .clk_i, .rst_ni, .look_i(b_look), .replay_i(b_replay), .sm_i(b_sm), .asid_i(b_asid),
      .walk_key_i(b_walk_key), .l1_mshr_i(b_l1m), .outcome_i(outcome), .way_i(way),
      .merge_i(2'(merge)), .alloc_i(2'(alloc)), .mshr_i((2*IdxW)'(mshr_idx)), .fin_i(b_fin),
      .fin_stale_i(done_stale), .fin_mshr_i(b_mshr), .fin_run_i(b_run),
      .fin_xlate_i(b_xlate[gmmu_pkg::XLATE_FIXED_W+PfnW-1:0]), .fill_any_i(fill_any),
      .fill_may_i(fill_may), .fill_base_i(fill_base), .fill_large_i(fill_large),
      .fill_bypass_i(fill_bypass), .fill_sub_i(fill_sub), .mark_i, .sweep_i(b_sweep),
      .event_i(look_event), .freed_i(freed), .popped_i(popped), .freed_idx_i(freed_idx),
      .tell_i(tell_add), .tell_counts_i(tell_counts), .tell_idx_i(tell_idx), .tell_sm_i(tell_sm),
      .tell_warps_i(tell_warps), .tell_sum_i(tell_sum), .obs_o
    );
  end else begin : gen_no_obs
    logic unused_obs;
    assign unused_obs = ^{tell_add, tell_warps, tell_sum, outcome, way, look_event, b_replay,
        freed, freed_idx};
    assign obs_o = '0;
  end
endmodule
`default_nettype wire
