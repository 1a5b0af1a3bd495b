// SPDX-License-Identifier: Apache-2.0
// gmmu_walker_start: the walk that may start: those that wait (gmmu_walk_buffer), how many slots
// each application may take (gmmu_app_quota), and the root of the one that is offered. Rules:
// docs/walker.md.
//
// The offer is picked a cycle before, by which contexts are on then and in the cycle before that:
// when that changes, nothing is offered until it is so again. Legal: as gmmu_walker.
`default_nettype none
module gmmu_walker_start #(
  parameter int Walks      = 64,
  parameter int Mshrs      = 64,
  parameter int NumAsids   = 8,
  parameter int AsidW      = 9,
  parameter int VfnW       = 36,
  parameter int KeyW       = 36,
  parameter int PfnW       = 36,
  parameter int NumWindows = 4,
  localparam int CtxW  = gmmu_pkg::idx_w(NumAsids),
  localparam int MshrW = gmmu_pkg::idx_w(Mshrs)
) (
  input  logic                       clk_i,
  input  logic                       rst_ni,
  // a walk that comes
  input  logic                       push_i,
  input  logic [MshrW-1:0]           push_mshr_i,
  input  logic [AsidW-1:0]           push_asid_i,
  input  logic [KeyW-1:0]            push_walk_key_i,
  // the one that may start, and its root
  output logic                       valid_o,
  output logic                       waited_o,
  output logic [MshrW-1:0]           mshr_o,
  output logic [CtxW-1:0]            app_o,
  output logic [AsidW-1:0]           asid_o,
  output logic [KeyW-1:0]            walk_key_o,
  output logic [PfnW-1:0]            pfn_o,
  output logic [8:0]                 idx_o,
  output logic [1:0]                 level_o,
  output logic                       sv48_o,
  output logic [4:0]                 cause_o,
  input  logic                       start_i,   // it does
  // a slot that becomes free
  input  logic                       free_i,
  input  logic [CtxW-1:0]            free_app_i,
  // contexts and windows
  input  logic [NumAsids*PfnW-1:0]   ctx_root_i,
  input  logic [NumAsids*2-1:0]      ctx_mode_i,
  input  logic [NumAsids-1:0]        ctx_on_i,
  input  logic [NumWindows*PfnW-1:0] win_lo_i,
  input  logic [NumWindows*PfnW-1:0] win_hi_i,
  input  logic [NumWindows-1:0]      win_walk_i
);
  logic                valid, changed, changed_q;
  logic [NumAsids-1:0] was_on_q, keep, take, unused_may;
  logic [NumAsids*$clog2(Walks+1)-1:0] unused_held;

  assign changed = ctx_on_i != was_on_q;
  assign valid_o = valid & !changed & !changed_q;
  always_ff @(posedge clk_i) begin
    was_on_q      <= ctx_on_i;
    changed_q <= rst_ni & changed;
  end

  gmmu_walk_buffer #(.Depth(Mshrs), .NumAsids(NumAsids), .AsidW(AsidW), .KeyW(KeyW)) u_buffer (
    .clk_i, .rst_ni, .push_i, .push_mshr_i, .push_asid_i, .push_walk_key_i, .keep_i(keep),
    .take_i(take), .valid_o(valid), .mshr_o, .app_o, .asid_o, .walk_key_o, .waited_o,
    .pop_i(start_i)
  );
  gmmu_app_quota #(.Total(Walks), .NumApps(NumAsids)) u_quota (
    .clk_i, .rst_ni, .on_i(ctx_on_i), .take_i(start_i), .take_app_i(app_o), .give_i(free_i),
    .give_app_i(free_app_i), .may_o(unused_may), .next_keep_o(keep), .next_take_o(take),
    .held_o(unused_held)
  );
  gmmu_walker_root #(.NumAsids(NumAsids), .VfnW(VfnW), .PfnW(PfnW), .NumWindows(NumWindows))
  u_root (
    .app_i(app_o), .vfn_i(walk_key_o[VfnW-1:0]), .ctx_root_i, .ctx_mode_i, .ctx_on_i, .win_lo_i,
    .win_hi_i, .win_walk_i, .pfn_o, .idx_o, .level_o, .sv48_o, .cause_o
  );
endmodule
`default_nettype wire
