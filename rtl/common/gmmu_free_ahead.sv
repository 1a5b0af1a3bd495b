// SPDX-License-Identifier: Apache-2.0
// gmmu_free_ahead: the lowest-numbered free one of N places, known at the beginning of the cycle:
// one-hot, a register, and its number.
//
// It is chosen a cycle ahead: what is free now, or if that is taken the lowest free one besides, or
// what is given back, where that is lower. Whether one is taken and whether one is given back may
// both be late. Rules: docs/common.md. Legal: Places >= 1.
`default_nettype none
`include "gmmu_assert.svh"
module gmmu_free_ahead #(
  parameter int Places = 64,
  localparam int IdxW  = gmmu_pkg::idx_w(Places)
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  input  logic [Places-1:0] used_i,      // in this cycle; none behind reset
  input  logic              take_i,      // free_o is used from the next cycle on
  input  logic              give_i,      // give_idx_i, used now, is free from the next cycle on
  input  logic [IdxW-1:0]   give_idx_i,
  output logic [Places-1:0] free_o,      // one-hot, 0 if none is free
  output logic [IdxW-1:0]   idx_o        // ... its number, 0 if none is free
);
  localparam int N = Places;      // of gmmu_first.svh
  `include "gmmu_first.svh"

  logic [Places-1:0] free_q;
  assign free_o = free_q;
  assign idx_o  = index(free_q);

  if (Places <= 2) begin : gen_few      // as fast at once, and smaller
    logic unused_ahead;
    assign unused_ahead = ^{clk_i, rst_ni, take_i, give_i, give_idx_i};
    assign free_q       = first(~used_i);
  end else begin : gen_ahead
    logic [Places-1:0] left, second, give_hot, below, gives, gives_taken;
    logic              first_stays, second_stays;    // it is lower than what is given back
    assign left     = ~used_i & ~free_q;
    assign second   = first(left);
    assign give_hot = Places'(1) << give_idx_i;
    assign below    = ~({Places{1'b1}} << give_idx_i);
    assign first_stays  = (free_q & below) != '0;
    assign second_stays = (left & below) != '0;
    assign gives       = first_stays ? free_q : give_hot;
    assign gives_taken = second_stays ? second : give_hot;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) free_q <= Places'(1);
      else free_q <= give_i ? (take_i ? gives_taken : gives) : take_i ? second : free_q;
    end
  end

  `GMMU_ASSERT(free_ahead_is_the_lowest, free_q == first(~used_i))
  `GMMU_ASSERT_IF(free_ahead_takes_a_free_one, take_i, free_q != '0)
  `GMMU_ASSERT_IF(free_ahead_gives_a_used_one, give_i, used_i[give_idx_i])
endmodule
`default_nettype wire
