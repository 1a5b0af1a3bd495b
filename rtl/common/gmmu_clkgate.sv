// SPDX-License-Identifier: Apache-2.0
// gmmu_clkgate: a register that is written only while en_i is 1; not reset. Legal: Width >= 1.
//
// In simulation, on FPGAs and wherever GMMU_GATE_CELLS is not defined: a register with an enable.
// With GMMU_GATE_CELLS: flip-flops without one behind a clock gate, the cell gmmu_gate_cell, for
// which each library has a file in synth/gates/ (docs/synthesis.md). The one latch of this project
// is in there: it holds en_i while clk_i is 1.
`default_nettype none
module gmmu_clkgate #(
  parameter int Width = 8
) (
  input  logic             clk_i,
  input  logic             en_i,
  input  logic [Width-1:0] d_i,
  output logic [Width-1:0] q_o
);
  if (Width < 1) begin : gen_bad_width
    gmmu_clkgate_Width_must_be_at_least_1 u_bad();
  end

`ifdef GMMU_GATE_CELLS
  logic clk;
  gmmu_gate_cell u_gate (.clk_i, .en_i, .clk_o(clk));
  always_ff @(posedge clk) q_o <= d_i;
`else
  always_ff @(posedge clk_i) if (en_i) q_o <= d_i;
`endif
endmodule
`default_nettype wire
