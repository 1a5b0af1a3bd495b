// SPDX-License-Identifier: Apache-2.0
// gmmu_replace: which way takes a new entry: the lowest that is free, else the one that the
// replacement policy gives. Every array that replaces holds one: TLB arrays, page walk cache,
// memory subregion cache, bypass cache, L2 cache.
//
// A policy is a module with these ports but used_i, full_o and way_o, and with old_o; it stands in
// this file once for arrays of one set (touches registered, so that a search's path ends there; in
// stages where ways are many) and once for those of many sets (state kept by set). Another policy:
// its file, and its line here.
//
// Ways are one-hot. touch_i: the way of port p that was used, or 0; seen by the policy from the
// next cycle on, port 0 first. Port 0 also asks: query_i, way_o in the same cycle, 0 without
// query_i. known_i: the set was written since reset; where not, its state means nothing. Apart:
// query_i asks for a set of its own, given in the cycle before as the first of early_set_i and
// early_known_i: where a search decides which set port 0 touches, a fill's way does not wait for
// it.
// Legal: Sets 1 or a power of two, Ways >= 2, Ports 1 or 2. Some, Apart, Ahead: not with Sets = 1;
// Held: only then, with one port.
`default_nettype none
module gmmu_replace #(
  parameter int Sets  = 1,
  parameter int Ways  = 16,
  parameter int Ports = 1,
  parameter int Some  = 0,     // 1: only the ways of may_i are asked for; 0: all
  parameter int Apart = 0,     // 1: the set that is asked for is not that of port 0
  parameter int Ahead = 0,     // 1: the ports' sets are given in the cycle before as well (early_*)
  parameter int Held  = 0,     // 1: touch_i is that of the cycle before, from the caller's register
  localparam int SetW = gmmu_pkg::idx_w(Sets)
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  logic                  flush_i,  // Ahead: no set is known from the next cycle on
  input  logic [Ports*SetW-1:0] early_set_i,
  input  logic [Ports-1:0]      early_known_i,
  input  logic [Ports*SetW-1:0] set_i,
  input  logic [Ports-1:0]      known_i,
  input  logic [Ports*Ways-1:0] touch_i,
  input  logic                  held_i,   // Held: touch_i counts
  input  logic                  query_i,
  input  logic [Ways-1:0]       may_i,
  input  logic [Ways-1:0]       used_i,   // ways that hold something
  output logic                  full_o,   // none of the ways that may be taken is free
  output logic [Ways-1:0]       way_o
);
  localparam int N = Ways;
  `include "gmmu_first.svh"

  logic [Ways-1:0] free, old;
  if (Sets == 1) begin : gen_one
    logic unused_set;
    assign unused_set = ^{flush_i, early_set_i, early_known_i, set_i, known_i};
    if (Ports == 2 && Ways >= 32) begin : gen_deep
      gmmu_lru_deep #(.N(Ways)) u_policy (
        .clk_i, .rst_ni, .touch_i, .query_i, .lru_o(old)
      );
    end else begin : gen_flat
      gmmu_lru #(.N(Ways), .Ports(Ports), .Held(Held)) u_policy (
        .clk_i, .rst_ni, .touch_i, .held_i, .query_i, .lru_o(old)
      );
    end
  end else begin : gen_sets
    gmmu_set_lru #(.Sets(Sets), .Ways(Ways), .Ports(Ports), .Some(Some), .Apart(Apart),
        .Ahead(Ahead)) u_policy (
      .clk_i, .rst_ni, .flush_i, .early_set_i, .early_known_i, .set_i, .known_i, .touch_i, .query_i,
      .may_i, .old_o(old)
    );
  end
  assign free   = (Some != 0 ? may_i : {Ways{1'b1}}) & ~used_i;
  assign full_o = free == '0;
  // one assignment: as two, Icarus 11 did not get past time 0 in the two-port CAM
  assign way_o  = !query_i ? '0 : full_o ? old : first(free);
  if (Some == 0) begin : gen_any
    logic unused_may;
    assign unused_may = ^may_i;
  end
endmodule
`default_nettype wire
