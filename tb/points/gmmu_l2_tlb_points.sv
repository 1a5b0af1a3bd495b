// SPDX-License-Identifier: Apache-2.0
// Points of gmmu_l2_tlb (docs/coverage.md), of its observation port (a cycle later) and its ports.
`default_nettype none
module gmmu_l2_tlb_points #(
  parameter int NumSms        = 30,
  parameter int L2Unified     = 0,
  parameter int Colt          = 0,
  parameter int FillTokens    = 0,
  parameter int BypassEntries = 0,
  parameter int WarpCounters  = 0
) (
  input logic              clk_i,
  input logic              rst_ni,
  input logic [NumSms-1:0] req_valid_i,
  input logic [NumSms-1:0] req_ready_o,
  input logic [NumSms-1:0] tell_valid_i,
  input logic [NumSms-1:0] tell_ready_o,
  input logic [NumSms-1:0] ans_sel_o,
  input logic [NumSms-1:0] displaced,
  input logic [2:0]        answers,
  input logic              fin_valid_i,
  input logic              fin_take_o,
  input logic              mark_i,
  input logic              sweep_done_o,
  input logic [gmmu_pkg::OBS_L2_W-1:0] obs_o
);
`include "gmmu_obs_places.svh"
  localparam int P1 = OBS_L2_PORT_STRIDE;      // from port 0's lookup to port 1's
  logic       look0, look1, again0, again1, fin, fill, same_page;
  logic [2:0] out0, out1;
  assign look0   = obs_o[OBS_L2_VALID];
  assign look1   = obs_o[P1 + OBS_L2_VALID];
  assign again0  = obs_o[OBS_L2_REPLAY];
  assign again1  = obs_o[P1 + OBS_L2_REPLAY];
  assign out0    = obs_o[OBS_L2_OUTCOME +: 3];
  assign out1    = obs_o[P1 + OBS_L2_OUTCOME +: 3];
  assign fin     = obs_o[OBS_L2_FIN];
  assign fill    = obs_o[OBS_L2_FILL_BASE] | obs_o[OBS_L2_FILL_LARGE] | obs_o[OBS_L2_FILL_BYPASS];
  assign same_page = obs_o[OBS_L2_VFN +: 36] == obs_o[P1 + OBS_L2_VFN +: 36] &
      obs_o[OBS_L2_ASID +: OBS_L2_ASID_W] == obs_o[P1 + OBS_L2_ASID +: OBS_L2_ASID_W];
  covergroup l2_lookup @(posedge clk_i);
    outcome0: coverpoint out0 iff (rst_ni & look0) {
`include "gmmu_points_l2_outcomes.svh"
    }
    outcome1: coverpoint out1 iff (rst_ni & look1) {
`include "gmmu_points_l2_outcomes.svh"
    }
    replay0: coverpoint again0 {
      bins first_time = {0};
      bins again = {1};
    }
    replay1: coverpoint again1 {
      bins first_time = {0};
      bins again = {1};
    }
    port0: cross outcome0, replay0;
    port1: cross outcome1, replay1;
    both: cross outcome0, outcome1 {
      // One allocation a cycle.
      ignore_bins one = binsof(outcome0.alloc) && binsof(outcome1.alloc);
      // No build has both of: large array and subregions; large array answers with CO only where
      // there is one; early answers are the unified build's.
      ignore_bins builds = (binsof(outcome0.hit_large) &&
          (binsof(outcome1.hit_sub) || binsof(outcome1.hit_run))) ||
          (binsof(outcome1.hit_large) && (binsof(outcome0.hit_sub) || binsof(outcome0.hit_run)));
    }
    same: coverpoint {out0, out1} iff (rst_ni & look0 & look1 & same_page) {
      bins hit_base = {0};
      bins hit_large = {9};
      bins alloc_merge = {19};
      bins merge_merge = {27};
      bins wait_wait = {36};
      bins hit_sub = {45};
      bins hit_run = {54};
      bins hit_bypass = {63};
    }
    request: coverpoint |(req_valid_i & ~req_ready_o) iff (rst_ni) {
      bins none_refused = {0};
      bins refused = {1};
    }
  endgroup
  l2_lookup u_l2_lookup = new;

  covergroup l2_finish @(posedge clk_i);
    cause: coverpoint obs_o[OBS_L2_FIN_CAUSE +: 5] iff (rst_ni & fin) {
`include "gmmu_points_causes.svh"
      bins non_canonical = {gmmu_pkg::CAUSE_NON_CANONICAL};
      bins unknown_asid = {gmmu_pkg::CAUSE_UNKNOWN_ASID};
    }
    age: coverpoint obs_o[OBS_L2_FIN_STALE] {
      bins valid = {0};
      bins stale = {1};
    }
    ended: cross cause, age;
    way: coverpoint {obs_o[OBS_L2_OVERWRITE], obs_o[OBS_L2_EVICT]} iff (rst_ni & fin & fill &
        !obs_o[OBS_L2_FILL_BYPASS]) {
      bins free = {0};
      bins evict = {1};
      bins overwrite = {2};
    }
    array: coverpoint {obs_o[OBS_L2_FILL_SUB], obs_o[OBS_L2_FILL_LARGE]} {
      bins page = {0};
      bins large_page = {1};
      bins run = {2};
    }
    filled: cross array, way;
    bypass_way: coverpoint {obs_o[OBS_L2_BYPASS_OVERWRITE], obs_o[OBS_L2_BYPASS_EVICT]}
        iff (rst_ni & fin & obs_o[OBS_L2_FILL_BYPASS]) {
      bins free = {0};
      bins evict = {1};
      bins overwrite = {2};
    }
    bypass_what: coverpoint obs_o[OBS_L2_BYPASS_SUB] {
      bins page = {0};
      bins run = {1};
    }
    bypass: cross bypass_what, bypass_way;
    token: coverpoint {obs_o[OBS_L2_FIN_TOKEN], fill, obs_o[OBS_L2_FILL_BYPASS]} iff (rst_ni &
        fin & FillTokens != 0 & !obs_o[OBS_L2_FIN_STALE] & !obs_o[OBS_L2_FIN_EARLY] &
        obs_o[OBS_L2_FIN_CAUSE +: 5] == gmmu_pkg::CAUSE_OK) {
      bins fills = {6};
      bins no_token_bypass = {3};
      bins no_token_no_fill = {0};
    }
    // Entries of the walk's pages that go for it.
    dropped: coverpoint $countones(obs_o[OBS_L2_WAYS +: 32]) iff (rst_ni & fin &
        L2Unified != 0 & obs_o[OBS_L2_FILL_SUB]) {
      bins none = {0};
      bins one = {1};
      bins more = {[2:32]};
    }
    bypass_dropped: coverpoint obs_o[OBS_L2_BYPASS_LEFT +: 32] != '0 iff (rst_ni & fin &
        BypassEntries != 0 & fill) {
      bins none = {0};
      bins some = {1};
    }
    run: coverpoint {obs_o[OBS_L2_FIN_EARLY], obs_o[OBS_L2_FIN_RUN_ONLY],
        obs_o[OBS_L2_FIN_STALE]} iff (rst_ni & fin & L2Unified != 0) {
      bins early = {4};
      bins early_stale = {5};
      bins run_only = {2};
      bins run_only_stale = {3};
      bins ordinary = {0};
      bins ordinary_stale = {1};
    }
    length: coverpoint obs_o[OBS_L2_FIN_LENGTH +: 3] iff (rst_ni & fin &
        obs_o[OBS_L2_FIN_RUN_ONLY] & obs_o[OBS_L2_FILL_SUB]) {
      bins subregions[] = {[0:7]};
    }
    group: coverpoint obs_o[OBS_L2_FILL_PAGES +: 4] iff (rst_ni & fin & Colt == 2 &
        obs_o[OBS_L2_FILL_BASE]) {
      bins pages[] = {[1:15]};
    }
    held_back: coverpoint fin_take_o iff (rst_ni & fin_valid_i) {
      bins waits = {0};
      bins taken = {1};
    }
  endgroup
  l2_finish u_l2_finish = new;

  covergroup l2_answers @(posedge clk_i);
    queue: coverpoint answers iff (rst_ni) {
      bins length[] = {[0:4]};
    }
    // An SM that a hit is answered to in this cycle gets the walk's answer later.
    delivery: coverpoint {displaced != '0, $countones(ans_sel_o) > 1} iff (rst_ni &
        (ans_sel_o != '0 | displaced != '0)) {
      bins one_sm = {0};
      bins several_sms = {1};
      bins displaced = {2};
      bins displaced_several = {3};
    }
    freed: coverpoint {obs_o[OBS_L2_POPPED], obs_o[OBS_L2_FREED]} iff (rst_ni) {
      bins popped_and_freed = {3};
      bins popped_early_answer = {2};
    }
    report: coverpoint obs_o[OBS_L2_TELL_SUM +: 6] iff (rst_ni & obs_o[OBS_L2_TELL]) {
      bins one = {1};
      bins several = {[2:62]};
      bins most = {63};
    }
    counted: coverpoint obs_o[OBS_L2_TELL_COUNTED] iff (rst_ni & obs_o[OBS_L2_TELL]) {
      bins too_late = {0};
      bins counted = {1};
    }
    reports: coverpoint |(tell_valid_i & ~tell_ready_o) iff (rst_ni & WarpCounters != 0 &
        tell_valid_i != '0) {
      bins none_waits = {0};
      bins one_waits = {1};
    }
    swept: coverpoint obs_o[OBS_L2_WAYS +: 32] != '0 iff (rst_ni & obs_o[OBS_L2_SWEEP]) {
      bins nothing = {0};
      bins cleared = {1};
    }
    swept_large: coverpoint {obs_o[OBS_L2_CLEARED_LARGE], fin & obs_o[OBS_L2_FILL_LARGE]}
        iff (rst_ni & obs_o[OBS_L2_SWEEP_LARGE]) {
      bins stays = {0};
      bins cleared = {2};
      bins beside_a_fill = {1};
    }
    swept_bypass: coverpoint {obs_o[OBS_L2_CLEARED_BYPASS], fin & obs_o[OBS_L2_FILL_BYPASS]}
        iff (rst_ni & obs_o[OBS_L2_SWEEP_BYPASS]) {
      bins stays = {0};
      bins cleared = {2};
      bins beside_a_fill = {1};
    }
    mark_with: coverpoint {fin, look0 | look1} iff (rst_ni & obs_o[OBS_L2_MARK]) {
      bins idle = {0};
      bins lookup = {1};
      bins finish = {2};
    }
  endgroup
  l2_answers u_l2_answers = new;
endmodule
bind gmmu_l2_tlb gmmu_l2_tlb_points #(.NumSms(NumSms), .L2Unified(L2Unified), .Colt(Colt),
  .FillTokens(FillTokens), .BypassEntries(BypassEntries), .WarpCounters(WarpCounters))
  u_points (.*);
`default_nettype wire
