// SPDX-License-Identifier: Apache-2.0
// gmmu_set_lru: true-LRU order of the ways of every set. A policy of gmmu_replace, which says what
// its ports mean.
//
// A set that is not known has the order of a set after reset: way 0 is the least recent, then 1,
// 2, ... So no order is reset. Touches of a cycle are seen from the next cycle on.
// old_o: valid in the same cycle while query_i is 1, 0 otherwise. Legal: Sets a power of two >= 2,
// Ways >= 2, Ports 1 or 2.
`default_nettype none
module gmmu_set_lru #(
  parameter int Sets  = 64,
  parameter int Ways  = 4,
  parameter int Ports = 1,
  parameter int Some  = 0,
  parameter int Apart = 0,
  localparam int SetW = gmmu_pkg::idx_w(Sets)
) (
  input  logic                  clk_i,
  input  logic [(Ports+Apart)*SetW-1:0] set_i,
  input  logic [Ports+Apart-1:0] known_i,
  input  logic [Ports*Ways-1:0] touch_i,
  input  logic                  query_i,
  input  logic [Ways-1:0]       may_i,
  output logic [Ways-1:0]       old_o
);
  `include "gmmu_order.svh"

  logic [OrderW-1:0] order_q [0:Sets-1];
  logic [SetW-1:0]   set0;
  logic [Ways-1:0]   touch0;
  logic [OrderW-1:0] order0, next0;
  assign set0   = set_i[SetW-1:0];
  assign touch0 = touch_i[Ways-1:0];
  assign order0 = known_i[0] ? order_q[set0] : RESET_ORDER;
  assign next0  = touched(order0, touch0);
  if (Ports == 2) begin : gen_port1
    // Port 1 comes after port 0, also in the same set; its write, the last, then has both.
    logic [SetW-1:0]   set1;
    logic [Ways-1:0]   touch1;
    logic [OrderW-1:0] order1, next1;
    assign set1   = set_i[2*SetW-1:SetW];
    assign touch1 = touch_i[2*Ways-1:Ways];
    assign order1 = (set1 == set0) ? next0 : known_i[1] ? order_q[set1] : RESET_ORDER;
    assign next1  = touched(order1, touch1);
    always_ff @(posedge clk_i) begin
      if (|touch0) order_q[set0] <= next0;
      if (|touch1) order_q[set1] <= next1;
    end
  end else begin : gen_no_port1
    always_ff @(posedge clk_i) if (|touch0) order_q[set0] <= next0;
  end

  logic [OrderW-1:0] asked;     // order of the set that is asked for
  if (Apart != 0) begin : gen_apart
    assign asked = known_i[Ports] ? order_q[set_i[Ports*SetW +: SetW]] : RESET_ORDER;
  end else begin : gen_port0
    assign asked = order0;
  end

  // The least recent way, or that of some ways: the one that none of them is older than.
  if (Some == 0) begin : gen_all
    assign old_o = query_i ? least_recent(asked) : '0;
  end else begin : gen_some
    for (genvar i = 0; i < Ways; i++) begin : gen_way
      logic [Ways-1:0] older;   // ways that are less recent than this one
      for (genvar j = 0; j < Ways; j++) begin : gen_other
        if (j > i)      assign older[j] = may_i[j] && asked[pair(i, j)];
        else if (j < i) assign older[j] = may_i[j] && !asked[pair(j, i)];
        else            assign older[j] = 1'b0;
      end
      assign old_o[i] = query_i && may_i[i] && older == '0;
    end
  end
  if (Some == 0) begin : gen_any
    logic unused_may;
    assign unused_may = ^may_i;
  end
endmodule
`default_nettype wire
