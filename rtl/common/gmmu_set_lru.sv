// SPDX-License-Identifier: Apache-2.0
// gmmu_set_lru: true-LRU order of the ways of every set. A policy of gmmu_replace, which says what
// its ports mean.
//
// A set that is not known has the order of a set after reset: way 0 is the least recent, then 1,
// 2, ... So no order is reset. Touches of a cycle are seen from the next cycle on. Ahead: a port's
// set is given, and its order read, in the cycle before (early_*); flush_i: no set is known from
// the next cycle on. Apart: what query_i asks for is a set of its own, given in the cycle before as
// the first of early_set_i; touches are then written a cycle late, from registers, and counted for
// who asks before.
// old_o: valid in the same cycle while query_i is 1, 0 otherwise. Legal: Sets a power of two >= 2,
// Ways >= 2, Ports 1 or 2.
`default_nettype none
module gmmu_set_lru #(
  parameter int Sets  = 64,
  parameter int Ways  = 4,
  parameter int Ports = 1,
  parameter int Some  = 0,
  parameter int Apart = 0,
  parameter int Ahead = 0,
  localparam int SetW = gmmu_pkg::idx_w(Sets)
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  logic                  flush_i,
  input  logic [Ports*SetW-1:0] early_set_i,
  input  logic [Ports-1:0]      early_known_i,
  input  logic [Ports*SetW-1:0] set_i,
  input  logic [Ports-1:0]      known_i,
  input  logic [Ports*Ways-1:0] touch_i,
  input  logic                  query_i,
  input  logic [Ways-1:0]       may_i,
  output logic [Ways-1:0]       old_o
);
  `include "gmmu_order.svh"

  logic [OrderW-1:0]     order_q [0:Sets-1];
  logic [Ports*SetW-1:0] set;                     // of what is written now
  logic [Ports-1:0]      known;
  logic [Ports*Ways-1:0] touch;
  logic [SetW-1:0]       set0, set1;
  logic [Ways-1:0]       touch0, touch1, before1; // before1: by port 0 in the set of port 1
  logic [OrderW-1:0]     order0, order1, next0, next1;
  if (Apart != 0) begin : gen_late
    logic [Ports*SetW-1:0] set_q;
    logic [Ports-1:0]      known_q;
    logic [Ports*Ways-1:0] touch_q;
    always_ff @(posedge clk_i) begin
      set_q   <= set_i;
      known_q <= known_i;
      touch_q <= rst_ni ? touch_i : '0;
    end
    assign set   = set_q;
    assign known = known_q;
    assign touch = touch_q;
  end else begin : gen_at_once
    logic unused_reset;
    assign unused_reset = rst_ni;
    assign set   = set_i;
    assign known = known_i;
    assign touch = touch_i;
  end
  assign set0   = set[SetW-1:0];
  assign touch0 = touch[Ways-1:0];
  assign next0  = touched(order0, touch0);
  if (Ports == 2) begin : gen_port1
    // Port 1 comes after port 0, also in the same set; its write, the last, then has both. Both are
    // of the order as it is, so that the two touches are no chain behind it.
    assign set1    = set[2*SetW-1:SetW];
    assign touch1  = touch[2*Ways-1:Ways];
    assign before1 = (set1 == set0) ? touch0 : '0;
    assign next1   = after_two(order1, before1, touch1);
    always_ff @(posedge clk_i) begin
      if (|touch0) order_q[set0] <= next0;
      if (|touch1) order_q[set1] <= next1;
    end
  end else begin : gen_no_port1
    assign {set1, touch1, before1, next1} = '0;
    always_ff @(posedge clk_i) if (|touch0) order_q[set0] <= next0;
  end

  // ---- the orders of the ports' sets
  logic [2*OrderW-1:0] orders;
  assign {order1, order0} = orders;
  for (genvar p = 0; p < 2; p++) begin : gen_order
    if (p >= Ports) begin : gen_none
      assign orders[p*OrderW +: OrderW] = '0;
    end else if (Ahead != 0) begin : gen_ahead
      logic [SetW-1:0]   early_set;
      logic [OrderW-1:0] ahead_q;
      assign early_set = early_set_i[p*SetW +: SetW];
      always_ff @(posedge clk_i) begin
        ahead_q <= flush_i ? RESET_ORDER : |touch1 & set1 == early_set ? next1 :
            |touch0 & set0 == early_set ? next0 :
            early_known_i[p] ? order_q[early_set] : RESET_ORDER;
      end
      assign orders[p*OrderW +: OrderW] = ahead_q;
    end else begin : gen_now
      assign orders[p*OrderW +: OrderW] =
          known[p] ? order_q[set[p*SetW +: SetW]] : RESET_ORDER;
    end
  end
  if (Ahead != 0) begin : gen_unused_known
    logic unused_known;
    assign unused_known = ^known;
  end else begin : gen_unused_early
    logic unused_early;
    assign unused_early = ^{flush_i, early_set_i, early_known_i};
  end

  // ---- the order that is asked for
  logic [OrderW-1:0] asked;
  if (Apart != 0) begin : gen_apart
    logic [OrderW-1:0] copy_q [0:Sets-1];   // of order_q, for the third port that reads
    logic [OrderW-1:0] ask_q;
    logic [SetW-1:0]   ask_set, ask_set_q;
    logic [Ways-1:0]   seen0, seen1;        // touches that are written now
    assign ask_set = early_set_i[SetW-1:0];
    always_ff @(posedge clk_i) begin
      if (|touch0) copy_q[set0] <= next0;
      if (|touch1) copy_q[set1] <= next1;
    end
    always_ff @(posedge clk_i) begin
      ask_set_q <= ask_set;
      // a set that is touched now is known
      ask_q     <= !early_known_i[0] ? RESET_ORDER : |touch1 & set1 == ask_set ? next1 :
          |touch0 & set0 == ask_set ? next0 : copy_q[ask_set];
    end
    assign seen0 = set0 == ask_set_q ? touch0 : '0;
    assign seen1 = set1 == ask_set_q ? touch1 : '0;
    assign asked = after_two(ask_q, seen0, seen1);
  end else begin : gen_port0
    assign asked = order0;
  end

  // The least recent way, or that of some ways: the one that none of them is older than.
  if (Some == 0) begin : gen_all
    assign old_o = least_recent(query_i, asked);
  end else begin : gen_some
    assign old_o = oldest_of(query_i ? may_i : '0, asked);
  end
  if (Some == 0) begin : gen_any
    logic unused_may;
    assign unused_may = ^may_i;
  end
endmodule
`default_nettype wire
