// SPDX-License-Identifier: Apache-2.0
// prove.svh: reset of every proof, low in the first cycle and high from then on. Registers that
// reset does not reach start with any value. Included in the body of a module with clk_i and
// without rst_ni.

  logic started_q = 1'b0;
  logic rst_ni;
  always_ff @(posedge clk_i) started_q <= 1'b1;
  assign rst_ni = started_q;
