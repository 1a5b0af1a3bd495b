// SPDX-License-Identifier: Apache-2.0
// gmmu_tokens_product: a product of which one factor comes in digits of three bits, lowest first,
// and which leaves so, two cycles later. After the factor's digits zeros follow.
//
// clear_i: begins anew with the digit of the next cycle. The sum is kept as sum and carries, so no
// carry runs through it.
`default_nettype none
module gmmu_tokens_product #(
  parameter int Width = 16
) (
  input  logic             clk_i,
  input  logic             clear_i,
  input  logic [Width-1:0] factor_i,
  input  logic [2:0]       digit_i,
  output logic [2:0]       digit_o
);
  localparam int W = Width + 3;
  logic [W-1:0] part0, part1, part2, sum0, sum1, sum2, carry0, carry1, carry2;
  logic [W-1:0]     sum, carry;
  logic [Width-1:0] sum_q, carry_q;
  logic [2:0]       low_sum_q, low_carry_q;
  logic             over_q, over;   // of the digits that left
  logic [2:0]       digit;
  assign part0 = digit_i[0] ? W'(factor_i) : '0;
  assign part1 = digit_i[1] ? W'(factor_i) << 1 : '0;
  assign part2 = digit_i[2] ? W'(factor_i) << 2 : '0;
  // Three rows of full adders: five numbers become two. No carry leaves: the sum fits.
  assign sum0   = part0 ^ part1 ^ part2;
  assign carry0 = ((part0 & part1) | (part0 & part2) | (part1 & part2)) << 1;
  assign sum    = W'(sum_q);
  assign carry  = W'(carry_q);
  assign sum1   = sum0 ^ sum ^ carry;
  assign carry1 = ((sum0 & sum) | (sum0 & carry) | (sum & carry)) << 1;
  assign sum2   = sum1 ^ carry1 ^ carry0;
  assign carry2 = ((sum1 & carry1) | (sum1 & carry0) | (carry1 & carry0)) << 1;
  assign {over, digit} = {1'b0, low_sum_q} + {1'b0, low_carry_q} + 4'(over_q);
  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      sum_q       <= '0;
      carry_q     <= '0;
      low_sum_q   <= '0;
      low_carry_q <= '0;
      over_q      <= 1'b0;
      digit_o     <= '0;
    end else begin
      {sum_q, low_sum_q}     <= sum2;
      {carry_q, low_carry_q} <= carry2;
      over_q                 <= over;
      digit_o                <= digit;
    end
  end
endmodule
`default_nettype wire
