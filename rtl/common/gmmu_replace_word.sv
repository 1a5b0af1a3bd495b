// SPDX-License-Identifier: Apache-2.0
// gmmu_replace_word: gmmu_replace for an array that keeps the order of a set in a RAM word beside
// it: which way takes a new entry, the lowest that is free, else the least recent; and the order
// after this cycle's touch. Combinational. Ways are one-hot. Legal: Ways >= 2.
`default_nettype none
module gmmu_replace_word #(
  parameter int Ways = 4
) (
  input  logic [gmmu_pkg::order_w(Ways)-1:0] order_i,
  input  logic [Ways-1:0]       touch_i,  // the way that is used, or 0
  input  logic [Ways-1:0]       used_i,   // ways that hold something
  output logic                  full_o,   // all of them
  output logic [Ways-1:0]       way_o,
  output logic [gmmu_pkg::order_w(Ways)-1:0] order_o,
  output logic [gmmu_pkg::order_w(Ways)-1:0] reset_order_o  // of a set that was never used
);
  localparam int N = Ways;
  `include "gmmu_first.svh"
  `include "gmmu_order.svh"
  assign full_o        = &used_i;
  assign way_o         = full_o ? least_recent(full_o, order_i) : first(~used_i);
  assign order_o       = touched(order_i, touch_i);
  assign reset_order_o = RESET_ORDER;
endmodule
`default_nettype wire
