// SPDX-License-Identifier: Apache-2.0
// gmmu_walker_obs: observation port of the walker (docs/walker.md, "Observation port"): what
// happened, in the next cycle. Nothing goes back. Built with Obs.
`default_nettype none
module gmmu_walker_obs #(
  parameter int AsidW      = 9,
  parameter int VfnW       = 36,
  parameter int SlotW      = 6,
  parameter int MshrW      = 6,
  parameter int PwcEntries = 0
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             mark_i,
  // a walk starts, or starts over; ends at its root
  input  logic             start_i,
  input  logic             waited_i,
  input  logic [SlotW-1:0] start_slot_i,
  input  logic [MshrW-1:0] start_mshr_i,
  input  logic [VfnW-1:0]  start_vfn_i,
  input  logic [AsidW-1:0] start_asid_i,
  input  logic             again_i,
  input  logic [SlotW-1:0] again_slot_i,
  input  logic             root_end_i,
  input  logic [4:0]       root_cause_i,
  // the answer that is decoded
  input  logic             step_i,
  input  logic             restart_i,
  input  logic             end_i,
  input  logic             early_i,
  input  logic             head_i,
  input  logic             cached_i,
  input  logic             update_i,
  input  logic             sv48_i,
  input  logic [1:0]       level_i,
  input  logic [4:0]       cause_i,
  input  logic [SlotW-1:0] slot_i,
  // runs and walk cache
  input  logic [gmmu_pkg::RUN_EVENT_W-1:0] run_event_i,
  input  logic [gmmu_pkg::PWC_EVENT_W-1:0] pwc_event_i,
  output logic [gmmu_pkg::OBS_WALK_W-1:0] obs_o
);
`include "gmmu_obs_walk.svh"
  assign ev_start        = start_i;
  assign ev_start_queued = start_i & waited_i;
  assign ev_mark         = mark_i;
  assign ev_start_slot   = 7'(start_slot_i);
  assign ev_start_mshr   = 7'(start_mshr_i);
  assign ev_start_vfn    = 36'($signed(start_vfn_i));
  assign ev_start_asid   = 7'(start_asid_i);
  assign ev_step         = step_i;
  assign ev_step_restart = restart_i;
  assign ev_step_done    = end_i;
  assign ev_step_depth   = (sv48_i ? 3'd4 : 3'd3) - {1'b0, level_i};
  assign ev_step_cause   = end_i ? cause_i : 5'd0;
  assign ev_step_slot    = 7'(slot_i);
  assign ev_step_early   = early_i;
  assign ev_step_head    = head_i;
  assign ev_step_cached  = cached_i & PwcEntries != 0;
  assign ev_step_update  = update_i;
  assign ev_again        = again_i;
  assign ev_again_slot   = 7'(again_slot_i);
  assign ev_root_end     = root_end_i;
  assign ev_root_cause   = root_cause_i;
  assign {ev_msc_cleared, ev_msc_set, ev_msc_sweep, ev_run_evict, ev_run_overwrite, ev_run_bitmap,
          ev_run_way, ev_run_slot, ev_run_read, ev_run_insert, ev_run_hit, ev_run_stale,
          ev_run} = run_event_i;
  assign {ev_pwc_insert_way, ev_pwc_way, ev_pwc_slot, ev_pwc_evict, ev_pwc_overwrite,
          ev_pwc_insert, ev_pwc_hit, ev_pwc_probe} = pwc_event_i;
endmodule
`default_nettype wire
