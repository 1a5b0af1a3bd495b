// SPDX-License-Identifier: Apache-2.0
// gmmu_l1tlb_obs: observation port of an L1 TLB (docs/l1_tlb.md, "Observation port"): the
// operation of a cycle and what it did, in the next cycle, in which a lookup that missed is in the
// miss stage. Nothing goes back. Built with Obs.
`default_nettype none
module gmmu_l1tlb_obs #(
  parameter int AsidW   = 9,
  parameter int VfnW    = 36,
  parameter int TagW    = 8,
  parameter int IdxW    = 5,
  parameter int L2MshrW = 6
) (
  input  logic               clk_i,
  input  logic               rst_ni,
  // operation: answer (its MSHR's first), replay, new request
  input  logic               ans_i,
  input  logic               first_i,
  input  logic               replay_i,
  input  logic               new_i,
  input  logic               fault_i,
  input  logic               hit_large_i,
  input  logic               stale_i,
  input  logic [IdxW-1:0]    ans_mshr_i,
  // miss stage: of the lookup in the cycle before
  input  logic               miss_i,
  input  logic               alloc_i,
  input  logic               merge_i,
  input  logic [IdxW-1:0]    alloc_mshr_i,
  input  logic [IdxW-1:0]    merge_mshr_i,
  input  logic [AsidW-1:0]   asid_i,
  input  logic [VfnW-1:0]    ans_vfn_i,
  input  logic [35:0]        look_vfn_i,
  input  logic [TagW-1:0]    tag_i,
  input  logic [gmmu_pkg::L1_ARRAYS_EVENT_W-1:0] event_i,
  input  logic               mark_i,
  input  logic               clear_i,
  // report of waiting warps
  input  logic               tell_i,
  input  logic [5:0]         tell_warps_i,
  input  logic [L2MshrW-1:0] tell_l2_mshr_i,
  input  logic [IdxW-1:0]    tell_mshr_i,
  output logic [gmmu_pkg::OBS_L1_W-1:0] obs_o
);
`include "gmmu_obs_l1.svh"
  assign ev_op      = ans_i ? (first_i ? 4'd3 : 4'd4) : replay_i ? 4'd2 : new_i ? 4'd1 : 4'd0;
  logic [2:0] found_q;
  logic [5:0] mshr_q;
  always_ff @(posedge clk_i) begin
    found_q <= ans_i ? 3'd0 : fault_i ? 3'd5 : {2'd0, hit_large_i};
    mshr_q  <= ans_i ? 6'(ans_mshr_i) : 6'd0;
  end
  assign ev_outcome = !miss_i ? found_q : alloc_i ? 3'd2 : merge_i ? 3'd3 : 3'd4;
  assign ev_stale   = ans_i & stale_i;
  assign ev_mshr    = alloc_i ? 6'(alloc_mshr_i) : merge_i ? 6'(merge_mshr_i) : mshr_q;
  assign ev_asid    = 16'(asid_i);
  assign ev_vfn     = ans_i ? 36'($signed(ans_vfn_i)) : look_vfn_i;
  assign ev_tag     = 16'(tag_i);
  assign {ev_fill_base, ev_fill_large, ev_overwrite, ev_evict, ev_way, ev_fill_pages,
          ev_sweep_base, ev_cleared_base, ev_sweep_base_way,
          ev_sweep_large, ev_cleared_large, ev_sweep_large_way} = event_i;
  assign ev_mark         = mark_i;
  assign ev_resend       = clear_i;
  assign ev_tell         = tell_i;
  assign ev_tell_warps   = tell_i ? tell_warps_i : 6'd0;
  assign ev_tell_l2_mshr = tell_i ? 7'(tell_l2_mshr_i) : 7'd0;
  assign ev_tell_mshr    = tell_i ? 6'(tell_mshr_i) : 6'd0;
endmodule
`default_nettype wire
