// SPDX-License-Identifier: Apache-2.0
// Points of gmmu_invalidate (docs/coverage.md). Ports are signals of the block, by their names
// there.
`default_nettype none
module gmmu_invalidate_points #(
  parameter int NumAsids = 8,
  parameter int AsidW = 9,
  localparam int CmdW = gmmu_pkg::CMD_FIXED_W + AsidW
) (
  input logic            clk_i,
  input logic            rst_ni,
  input logic            valid_i,
  input logic            ready_o,
  input logic [CmdW-1:0] cmd_i,
  input logic [2:0]      state_q,
  input logic            stale_q,
  input logic            swept_q,
  input logic            sweep_done_i,
  input logic            walk_busy_i,
  input logic            done_o
);
`include "gmmu_points_command.svh"
  covergroup invalidate @(posedge clk_i);
    taken: coverpoint command iff (rst_ni & valid_i & ready_o) {
`include "gmmu_points_commands.svh"
      bins everything_kind_3 = {1};
    }
    nobody: coverpoint command iff (rst_ni & valid_i & ready_o & 32'(cmd_asid) >= NumAsids) {
      bins everything = {0, 1};
      bins address_space = {2};
      bins range = {3, 4, 5};
    }
    waits: coverpoint {state_q != 3'd0, stale_q} iff (rst_ni & valid_i & !ready_o) {
      bins for_stale_misses = {1};
      bins for_another = {2};
      bins for_another_and_stale = {3};
    }
    l2_phase: coverpoint {sweep_done_i, swept_q, walk_busy_i} iff (rst_ni & state_q == 3'd4) {
      bins sweeps = {0};
      bins sweeps_walker_busy = {1};
      bins done_last = {4};
      bins walker_last = {2, 3, 5};
    }
    acknowledged: coverpoint {valid_i, stale_q} iff (rst_ni & done_o) {
      bins alone = {0};
      bins next_waits = {2};
      bins stale_left = {1};
      bins next_waits_stale_left = {3};
    }
    hi_lo: coverpoint cmd_lo > cmd_hi iff (rst_ni & valid_i & ready_o &
        kind == gmmu_pkg::INV_RANGE) {
      bins range = {0};
      bins empty_range = {1};
    }
  endgroup
  invalidate u_invalidate = new;
endmodule
bind gmmu_invalidate gmmu_invalidate_points #(.NumAsids(NumAsids), .AsidW(AsidW)) u_points (.*);
`default_nettype wire
