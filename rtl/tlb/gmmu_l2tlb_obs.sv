// SPDX-License-Identifier: Apache-2.0
// gmmu_l2tlb_obs: observation port of the L2 TLB (docs/l2_tlb.md, "Observation port"): what
// happened in stage B, in the next cycle. Only wires from the other parts come in; nothing goes
// back. Built with Obs.
`default_nettype none
module gmmu_l2tlb_obs #(
  parameter int Ports      = 2,
  parameter int AsidW      = 9,
  parameter int VfnW       = 36,
  parameter int KeyW       = 36,
  parameter int PfnW       = 36,
  parameter int SmW        = 5,
  parameter int L1MW       = 5,
  parameter int IdxW       = 6,
  parameter int SetW       = 5,
  parameter int GrpW       = 0,
  parameter int L2Unified  = 0,
  parameter int Colt       = 0,
  parameter int FillTokens = 0
) (
  input  logic               clk_i,
  input  logic               rst_ni,
  // lookups
  input  logic [1:0]         look_i,
  input  logic [1:0]         replay_i,
  input  logic [2*SmW-1:0]   sm_i,
  input  logic [2*AsidW-1:0] asid_i,
  input  logic [2*KeyW-1:0]  walk_key_i,
  input  logic [2*L1MW-1:0]  l1_mshr_i,
  input  logic [Ports*3-1:0] outcome_i,     // of the arrays; 4: nothing hits
  input  logic [Ports*gmmu_pkg::L2_WAY_W-1:0] way_i,
  input  logic [1:0]         merge_i,
  input  logic [1:0]         alloc_i,
  input  logic [2*IdxW-1:0]  mshr_i,
  // a walk that ended
  input  logic               fin_i,
  input  logic               fin_stale_i,
  input  logic [IdxW-1:0]    fin_mshr_i,
  input  logic [gmmu_pkg::XLATE_FIXED_W+PfnW-1:0] fin_xlate_i,
  input  logic [gmmu_pkg::RUN_W-1:0] fin_run_i,
  input  logic               fill_any_i,
  input  logic               fill_may_i,
  input  logic               fill_base_i,
  input  logic               fill_large_i,
  input  logic               fill_bypass_i,
  input  logic               fill_sub_i,
  // invalidation; what arrays and bypass cache did
  input  logic               mark_i,
  input  logic               sweep_i,
  input  logic [gmmu_pkg::L2_LOOK_EVENT_W-1:0] event_i,
  // MSHRs and reports of waiting warps
  input  logic               freed_i,
  input  logic               popped_i,
  input  logic [IdxW-1:0]    freed_idx_i,
  input  logic               tell_i,
  input  logic               tell_counts_i,
  input  logic [IdxW-1:0]    tell_idx_i,
  input  logic [SmW-1:0]     tell_sm_i,
  input  logic [5:0]         tell_warps_i,
  input  logic [5:0]         tell_sum_i,
  output logic [gmmu_pkg::OBS_L2_W-1:0] obs_o
);
`include "gmmu_types.svh"
`include "gmmu_obs_l2.svh"
  xlate_t      xlate;
  logic        early, run_only, sub, over, evict, large_visit, large_cleared, bypass_over,
      bypass_evict, bypass_visit, bypass_cleared, bypass;
  logic [2:0]  start, len;
  logic [gmmu_pkg::L2_WAY_W-1:0] fill_way, large_way;
  logic [3:0]  fill_pages;
  logic [31:0] ways, left;
  logic [4:0]  bypass_way, bypass_swept;
  logic [5:0]  outcome;      // a port that is not built: nothing hits
  logic [2*gmmu_pkg::L2_WAY_W-1:0] way;
  logic        unused_start;
  assign xlate = fin_xlate_i;
  assign {early, run_only, sub, start, len} = fin_run_i;
  assign unused_start = ^{start, xlate};
  assign {over, evict, fill_way, fill_pages, ways, large_visit, large_cleared, large_way,
          bypass_over, bypass_evict, bypass_way, left, bypass_visit, bypass_cleared,
          bypass_swept} = event_i;
  assign outcome = 6'({3'd4, outcome_i});
  assign way     = (2*gmmu_pkg::L2_WAY_W)'(way_i);
  for (genvar p = 0; p < 2; p++) begin : gen_port
    assign ev_valid[p]          = look_i[p];
    assign ev_replay[p]         = replay_i[p];
    assign ev_outcome[p*3 +: 3] = outcome[p*3 +: 3] != 3'd4 ? outcome[p*3 +: 3] :
                                  alloc_i[p] ? 3'd2 : merge_i[p] ? 3'd3 : 3'd4;
    assign ev_mshr[p*7 +: 7]    = (merge_i[p] | alloc_i[p]) ? 7'(mshr_i[p*IdxW +: IdxW]) : 7'd0;
    assign ev_sm[p*6 +: 6]      = 6'(sm_i[p*SmW +: SmW]);
    assign ev_l1_mshr[p*6 +: 6] = 6'(l1_mshr_i[p*L1MW +: L1MW]);
    assign ev_vfn[p*36 +: 36]   = 36'($signed(walk_key_i[p*KeyW +: VfnW]));
    assign ev_asid[p*7 +: 7]    = 7'(asid_i[p*AsidW +: AsidW]);
    assign ev_way[p*gmmu_pkg::L2_WAY_W +: gmmu_pkg::L2_WAY_W] =
        way[p*gmmu_pkg::L2_WAY_W +: gmmu_pkg::L2_WAY_W];
  end
  // a walk that returned
  assign ev_fin          = fin_i;
  assign ev_fin_stale    = fin_stale_i;
  assign ev_fill_base    = fill_base_i;
  assign ev_fill_large   = fill_large_i;
  assign ev_overwrite    = over;
  assign ev_evict        = evict;
  assign ev_fill_sub     = fill_base_i & L2Unified != 0 & (xlate.lg | sub);
  assign ev_fin_cause    = xlate.cause;
  assign ev_fin_mshr     = 7'(fin_mshr_i);
  assign ev_fin_run_only = run_only;
  assign ev_fin_early    = early;
  assign ev_fin_length   = len;
  assign ev_fin_vfn      = 36'($signed(walk_key_i[VfnW-1:0]));
  assign ev_fill_way     = fill_large_i | fill_base_i ? fill_way : '0;
  assign ev_fin_asid     = 7'(asid_i[AsidW-1:0]);
  assign ev_fin_token    = fin_i & FillTokens != 0 & fill_may_i;
  assign ev_fill_pages   = fill_base_i & Colt == 2 ? fill_pages : 4'd0;
  // what it did to the bypass cache
  assign bypass              = fin_i & fill_bypass_i;
  assign ev_fill_bypass      = bypass;
  assign ev_bypass_overwrite = bypass & bypass_over;
  assign ev_bypass_evict     = bypass & bypass_evict;
  assign ev_bypass_sub       = bypass & fill_sub_i;
  assign ev_bypass_way       = bypass ? bypass_way : 5'd0;
  assign ev_bypass_left      = fill_any_i ? left : '0;
  // invalidation
  assign ev_mark             = mark_i;
  assign ev_sweep            = sweep_i;
  assign ev_sweep_set        = 15'(walk_key_i[GrpW +: SetW]);
  assign ev_ways             = ways;
  assign ev_sweep_large      = large_visit;
  assign ev_cleared_large    = large_visit & large_cleared;
  assign ev_sweep_large_way  = large_way;
  assign ev_sweep_bypass     = bypass_visit;
  assign ev_cleared_bypass   = bypass_visit & bypass_cleared;
  assign ev_sweep_bypass_way = bypass_swept;
  // MSHRs and reports of waiting warps
  assign ev_freed        = freed_i;
  assign ev_popped       = popped_i;
  assign ev_freed_mshr   = 7'(freed_idx_i);
  assign ev_tell         = tell_i;
  assign ev_tell_counted = tell_i & tell_counts_i;
  assign ev_tell_warps   = tell_i ? tell_warps_i : 6'd0;
  assign ev_tell_mshr    = tell_i ? 7'(tell_idx_i) : 7'd0;
  assign ev_tell_sm      = tell_i ? 6'(tell_sm_i) : 6'd0;
  assign ev_tell_sum     = tell_i ? tell_sum_i : 6'd0;
endmodule
`default_nettype wire
