// SPDX-License-Identifier: Apache-2.0
// Points of gmmu_l1_tlb (docs/coverage.md), of its observation port (a cycle later) and its ports.
`default_nettype none
module gmmu_l1_tlb_points #(
  parameter int Mshrs      = 32,
  parameter int AsidW      = 9,
  parameter int VfnW       = 36,
  parameter int KeyW       = 36,
  parameter int TagW       = 8,
  parameter int WarpCounters = 0,
  parameter int Colt       = 0,
  parameter int MarkByAsid = 0,
  localparam int IdxW      = gmmu_pkg::idx_w(Mshrs),
  localparam int CmdW      = gmmu_pkg::CMD_FIXED_W + AsidW
) (
  input logic              clk_i,
  input logic              rst_ni,
  input logic              req_valid_i,
  input logic              req_ready_o,
  input logic              rsp_valid_o,
  input logic              rsp_ready_i,
  input logic [4:0]        rsp_cause_o,
  input logic              rsp_large_o,
  input logic              l2tlb_req_valid_o,
  input logic              l2tlb_req_ready_i,
  input logic [AsidW-1:0]  l2tlb_req_asid_o,
  input logic [KeyW-1:0]   l2tlb_req_walk_key_o,
  input logic [IdxW-1:0]   l2tlb_req_mshr_o,
  input logic              l2tlb_rsp_valid_i,
  input logic [IdxW-1:0]   l2tlb_rsp_mshr_i,
  input logic              tell_valid_o,
  input logic              tell_ready_i,
  input logic [5:0]        tell_warps_o,
  input logic              mark_i,
  input logic              clear_i,
  input logic [CmdW-1:0]   cmd_i,
  input logic [gmmu_pkg::OBS_L1_W-1:0] obs_o
);
`include "gmmu_obs_places.svh"
`include "gmmu_points_command.svh"
  logic [3:0] op;
  logic [2:0] outcome;
  logic       looks, answers, fills;
  assign op      = obs_o[OBS_L1_OP +: OBS_L1_OP_W];
  assign outcome = obs_o[OBS_L1_OUTCOME +: OBS_L1_OUTCOME_W];
  assign looks   = op == 4'd1 | op == 4'd2;
  assign answers = op == 4'd3 | op == 4'd4;
  assign fills   = answers & (obs_o[OBS_L1_FILL_BASE] | obs_o[OBS_L1_FILL_LARGE]);

  // Parked requests; MSHRs in use, by what the observation port says of them.
  logic [TagW:0]    parked_q;
  logic [Mshrs-1:0] used_q;
  logic [OBS_L1_MSHR_W-1:0] mshr;
  logic             parks, replays;
  assign mshr    = obs_o[OBS_L1_MSHR +: OBS_L1_MSHR_W];
  assign parks   = looks & outcome == 3'd4;
  assign replays = op == 4'd2;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) parked_q <= '0;
    else parked_q <= parked_q + (TagW + 1)'(parks) - (TagW + 1)'(replays);
    if (!rst_ni) used_q <= '0;
    else if (looks & outcome == 3'd2) used_q[IdxW'(mshr)] <= 1'b1;
    else if (op == 4'd3) used_q[IdxW'(mshr)] <= 1'b0;   // its waiters follow one another
  end

  covergroup l1_lookup @(posedge clk_i);
    operation: coverpoint op iff (rst_ni & looks) {
      bins fresh = {1};
      bins replay = {2};
    }
    what: coverpoint outcome {
      bins hit_base = {0};
      bins hit_large = {1};
      bins alloc = {2};
      bins merge = {3};
      bins park = {4};
      bins local_fault = {5};
    }
    result: cross operation, what {
      // A replay has a free MSHR.
      ignore_bins again = binsof(operation.replay) && binsof(what.park);
    }
    // A new request that hits, or merges, while others are parked and all MSHRs are taken.
    over_parked: coverpoint outcome iff (rst_ni & op == 4'd1 & parked_q != '0) {
      bins hit_base = {0};
      bins hit_large = {1};
      bins merge = {3};
      bins park = {4};
      bins local_fault = {5};
    }
    mshrs: coverpoint {&used_q, used_q == '0} iff (rst_ni & looks) {
      bins none_taken = {1};
      bins some_taken = {0};
      bins all_taken = {2};
    }
    parked: coverpoint parked_q iff (rst_ni) {
      bins none = {0};
      bins one = {1};
      bins few = {[2:7]};
      bins many = {[8:511]};
    }
    last_replay: coverpoint parked_q iff (rst_ni & replays) {
      bins empties = {1};
      bins others_stay = {[2:511]};
    }
  endgroup
  l1_lookup u_l1_lookup = new;

  covergroup l1_answer @(posedge clk_i);
    operation: coverpoint op iff (rst_ni & answers) {
      bins first_waiter = {3};
      bins next_waiter = {4};
    }
    age: coverpoint obs_o[OBS_L1_STALE] {
      bins valid = {0};
      bins stale = {1};
    }
    answer: cross operation, age;
    cause: coverpoint rsp_cause_o iff (rst_ni & rsp_valid_o & rsp_ready_i) {
`include "gmmu_points_causes.svh"
      bins dirty = {gmmu_pkg::CAUSE_PF_DIRTY};
      bins permission = {gmmu_pkg::CAUSE_PERM};
      bins non_canonical = {gmmu_pkg::CAUSE_NON_CANONICAL};
      bins unknown_asid = {gmmu_pkg::CAUSE_UNKNOWN_ASID};
    }
    page: coverpoint rsp_large_o iff (rst_ni & rsp_valid_o & rsp_ready_i &
        rsp_cause_o == gmmu_pkg::CAUSE_OK) {
      bins small_page = {0};
      bins large_page = {1};
    }
    sm: coverpoint rsp_ready_i iff (rst_ni & rsp_valid_o) {
      bins waits = {0};
      bins takes = {1};
    }
    request: coverpoint req_ready_o iff (rst_ni & req_valid_i) {
      bins waits = {0};
      bins taken = {1};
    }
    l2: coverpoint l2tlb_req_ready_i iff (rst_ni & l2tlb_req_valid_o) {
      bins waits = {0};
      bins taken = {1};
    }
    warps: coverpoint tell_warps_o iff (rst_ni & WarpCounters != 0 & tell_valid_o &
        tell_ready_i) {
      bins one = {1};
      bins two = {2};
      bins several = {[3:62]};
    }
  endgroup
  l1_answer u_l1_answer = new;

  covergroup l1_fill @(posedge clk_i);
    array: coverpoint obs_o[OBS_L1_FILL_LARGE] iff (rst_ni & fills) {
      bins base_page = {0};
      bins large_page = {1};
    }
    way: coverpoint {obs_o[OBS_L1_OVERWRITE], obs_o[OBS_L1_EVICT]} {
      bins free = {0};
      bins evict = {1};
      bins overwrite = {2};
    }
    fill: cross array, way;
    group: coverpoint obs_o[OBS_L1_FILL_PAGES +: 4] iff (rst_ni & fills & Colt != 0 &
        obs_o[OBS_L1_FILL_BASE]) {
      bins pages[] = {[1:15]};
    }
    sweep_base: coverpoint {obs_o[OBS_L1_CLEARED_BASE], fills} iff (rst_ni &
        obs_o[OBS_L1_SWEEP_BASE]) {
      bins stays = {0};
      bins cleared = {2};
      bins beside_a_fill = {1};
      bins cleared_beside_a_fill = {3};
    }
    sweep_large: coverpoint {obs_o[OBS_L1_CLEARED_LARGE], fills} iff (rst_ni &
        obs_o[OBS_L1_SWEEP_LARGE]) {
      bins stays = {0};
      bins cleared = {2};
      bins beside_a_fill = {1};
      bins cleared_beside_a_fill = {3};
    }
  endgroup
  l1_fill u_l1_fill = new;

  // ---------------------------------------------------------------- where a miss stands at a mark
  logic [1:0]       at_q   [0:Mshrs-1];      // 1 with the L2, 2 answered, 0 else
  logic [AsidW-1:0] asid_q [0:Mshrs-1];
  logic [KeyW-1:0]  key_q  [0:Mshrs-1];
  always_ff @(posedge clk_i) begin
    for (int i = 0; i < Mshrs; i++) begin
      if (!rst_ni | (op == 4'd3 & mshr == OBS_L1_MSHR_W'(i) & at_q[i] == 2'd2)) at_q[i] <= 2'd0;
    end
    if (rst_ni & l2tlb_req_valid_o & l2tlb_req_ready_i) begin
      at_q[l2tlb_req_mshr_o]   <= 2'd1;
      asid_q[l2tlb_req_mshr_o] <= l2tlb_req_asid_o;
      key_q[l2tlb_req_mshr_o]  <= l2tlb_req_walk_key_o;
    end
    if (rst_ni & l2tlb_rsp_valid_i) at_q[l2tlb_rsp_mshr_i] <= 2'd2;
  end
  logic [Mshrs-1:0] match, in_l2, answered, answered_now;
  logic             offered;
  logic [3:0]       places;
  for (genvar i = 0; i < Mshrs; i++) begin : gen_mshr
    assign match[i] = gmmu_pkg::frame_match(1'b1, MarkByAsid != 0, kind, 16'(cmd_asid), cmd_lo,
        cmd_hi, 16'(asid_q[i]), 36'($signed(key_q[i][VfnW-1:0])));
    assign answered_now[i] = match[i] & l2tlb_rsp_valid_i & l2tlb_rsp_mshr_i == IdxW'(i);
    assign in_l2[i]        = match[i] & at_q[i] == 2'd1 & !answered_now[i];
    assign answered[i]     = match[i] & at_q[i] == 2'd2;
  end
  assign offered = l2tlb_req_valid_o & gmmu_pkg::frame_match(1'b1, MarkByAsid != 0, kind,
      16'(cmd_asid), cmd_lo, cmd_hi, 16'(l2tlb_req_asid_o),
      36'($signed(l2tlb_req_walk_key_o[VfnW-1:0])));
  assign places = {offered, |in_l2, |answered_now, |answered};
  covergroup l1_marked @(posedge clk_i);
    by_command: coverpoint command iff (rst_ni & (mark_i | clear_i)) {
`include "gmmu_points_commands.svh"
    }
    pulse: coverpoint clear_i {
      bins mark = {0};
      bins clear = {1};
    }
    where: coverpoint places {
      wildcard bins offered = {4'b1???};
      wildcard bins in_l2 = {4'b?1??};
      wildcard bins answered_now = {4'b??1?};
      wildcard bins answered = {4'b???1};
    }
    miss: cross by_command, pulse, where;
  endgroup
  l1_marked u_l1_marked = new;
endmodule
bind gmmu_l1_tlb gmmu_l1_tlb_points #(.Mshrs(Mshrs), .AsidW(CtxW), .VfnW(VfnW), .KeyW(KeyW),
  .TagW(TagW), .WarpCounters(WarpCounters), .Colt(Colt), .MarkByAsid(MarkByAsid)) u_points (.*);
`default_nettype wire
