// SPDX-License-Identifier: Apache-2.0
// Unsigned comparisons for FPGAs as the carry of a subtraction, always with the right operand
// inverted: Yosys's own also looks whether all bits are equal where >= or <= is asked for, and
// inverts either operand, so that ranges that several arrays compare with are inverted for each.
// The sources have on the right what comes out of logic, which is inverted there for nothing.
(* techmap_celltype = "$lt $le $gt $ge" *)
module gmmu_fpga_compare (A, B, Y);
  parameter A_SIGNED = 0;
  parameter B_SIGNED = 0;
  parameter A_WIDTH  = 1;
  parameter B_WIDTH  = 1;
  parameter Y_WIDTH  = 1;
  parameter _TECHMAP_CELLTYPE_ = "";
  input  [A_WIDTH-1:0] A;
  input  [B_WIDTH-1:0] B;
  output [Y_WIDTH-1:0] Y;
  localparam W = A_WIDTH > B_WIDTH ? A_WIDTH : B_WIDTH;
  localparam Equal = _TECHMAP_CELLTYPE_ == "$lt" || _TECHMAP_CELLTYPE_ == "$ge";
  localparam Below = _TECHMAP_CELLTYPE_ == "$lt" || _TECHMAP_CELLTYPE_ == "$le";
  wire _TECHMAP_FAIL_ = A_SIGNED != 0 || B_SIGNED != 0 || W < 8;
  wire [W-1:0] a = A;
  wire [W-1:0] b = B;
  wire [W:0]   sum = {1'b0, a} + {1'b0, ~b} + Equal;
  assign Y = Below ? !sum[W] : sum[W];
endmodule
