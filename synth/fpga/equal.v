// SPDX-License-Identifier: Apache-2.0
// Comparisons for equality on FPGAs with LUTs of six inputs: a LUT for three bits of each operand,
// and an AND of them. Left to itself abc spreads the comparisons of all entries of an array over
// twice as many LUTs; `keep` holds the groups together.
(* techmap_celltype = "$eq $ne" *)
module gmmu_fpga_equal (A, B, Y);
  parameter A_SIGNED = 0;
  parameter B_SIGNED = 0;
  parameter A_WIDTH  = 1;
  parameter B_WIDTH  = 1;
  parameter Y_WIDTH  = 1;
  parameter _TECHMAP_CELLTYPE_ = "";
  parameter _TECHMAP_CONSTMSK_A_ = 0;
  parameter _TECHMAP_CONSTMSK_B_ = 0;
  input  [A_WIDTH-1:0] A;
  input  [B_WIDTH-1:0] B;
  output [Y_WIDTH-1:0] Y;
  localparam Groups = (A_WIDTH + 2) / 3;
  wire _TECHMAP_FAIL_ = A_WIDTH != B_WIDTH || A_WIDTH < 6 || Y_WIDTH != 1 ||
      _TECHMAP_CONSTMSK_A_ != 0 || _TECHMAP_CONSTMSK_B_ != 0;
  wire [Groups-1:0] same;
  genvar g;
  generate
    for (g = 0; g < Groups; g = g + 1) begin : gen_group
      localparam N = A_WIDTH - 3 * g < 3 ? A_WIDTH - 3 * g : 3;
      (* keep *) wire s;
      assign s = ~|(A[3*g +: N] ^ B[3*g +: N]);
      assign same[g] = s;
    end
  endgenerate
  assign Y = (_TECHMAP_CELLTYPE_ == "$eq") ? &same : ~&same;
endmodule
