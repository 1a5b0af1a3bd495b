// SPDX-License-Identifier: Apache-2.0
// The clock gate of gmmu_clkgate in cells of the OSU 0.18 um library: the latch is open while the
// clock is 0, so that the gated clock rises with the clock or not at all. Cells' names begin with
// gmmu_gate_: scripts/paths.py knows them by that.
module gmmu_gate_cell (input clk_i, input en_i, output clk_o);
  wire low, open;
  INVX1  gmmu_gate_inv   (.A(clk_i), .Y(low));
  LATCH  gmmu_gate_latch (.CLK(low), .D(en_i), .Q(open));
  AND2X1 gmmu_gate_and   (.A(clk_i), .B(open), .Y(clk_o));
endmodule
