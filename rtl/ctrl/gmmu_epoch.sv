// SPDX-License-Identifier: Apache-2.0
// gmmu_epoch: one pulse every so many cycles, for fill tokens, cache bypass and DRAM scheduler.
// Rules: docs/epoch.md. Source: MASK sections 5.2 to 5.4.
//
// Legal: EpochCycles at least Least, which is at least 2. Pulses are never closer than Least
// cycles.
`default_nettype none
`include "gmmu_assert.svh"
module gmmu_epoch #(
  parameter int EpochCycles = 100000,   // after reset, and while cycles_i is 0
  parameter int Least       = 2
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic [31:0] cycles_i,         // 0: EpochCycles; less than Least: Least
  output logic        epoch_o
);
  if (Least < 2 || EpochCycles < Least) begin : gen_bad
    gmmu_epoch_EpochCycles_too_short u_bad();
  end

  // Cycles to the pulse. A shorter epoch cuts the one that runs, so that a very long one can be
  // left. Compared with the period, not with the last count: of two counts that are the same either
  // will do, and the subtraction is off the way to the comparison.
  logic [31:0] period, last, less, left_q;
  assign period  = cycles_i == '0 ? 32'(EpochCycles) : cycles_i < 32'(Least) ? 32'(Least)
      : cycles_i;
  assign last    = period - 32'd1;
  // In halves: as one, synthesis would choose first and have one subtraction behind the comparison.
  assign less    = {left_q[31:16] - 16'(left_q[15:0] == '0), left_q[15:0] - 16'd1};
  // left_q is 0, from a register: only 1 is followed by 0, as no period is shorter than 2.
  always_ff @(posedge clk_i) begin
    epoch_o <= rst_ni & left_q == 32'd1;
    if (!rst_ni) left_q <= 32'(EpochCycles - 1);
    else left_q <= epoch_o | left_q >= period ? last : less;
  end
  `GMMU_ASSERT(epoch_at_none_left, epoch_o == (left_q == '0))
endmodule
`default_nettype wire
