// SPDX-License-Identifier: Apache-2.0
// gmmu_tokens_rate: did the miss rate of an application rise or fall by more than so many points
// from one epoch to the next? 100 (m t' - m' t) against p t t', no divider. Rules:
// docs/fill_tokens.md.
//
// All in digits of three bits, lowest first: 14 of them are 42 bits, as much as either side and
// their difference need. clear_i: new factors from the next cycle on, t_i two cycles on; they stay.
// rises_o and falls_o are right 18 cycles after clear_i.
`default_nettype none
module gmmu_tokens_rate (
  input  logic        clk_i,
  input  logic        clear_i,
  input  logic [15:0] old_misses_i,   // with clear_i
  input  logic [16:0] old_sum_i,
  input  logic [15:0] misses_i,
  input  logic [16:0] sum_i,
  input  logic [6:0]  points_i,
  output logic        rises_o,
  output logic        falls_o
);
  // the factors that are taken digit by digit
  logic [15:0] old_misses_q;
  logic [16:0] old_sum_q;
  always_ff @(posedge clk_i) begin
    old_misses_q <= clear_i ? old_misses_i : old_misses_q >> 3;
    old_sum_q    <= clear_i ? old_sum_i : old_sum_q >> 3;
  end
  logic [2:0] new_rate, old_rate, both;   // digits of m t', m' t, t t'
  gmmu_tokens_product #(.Width(16)) u_new (
    .clk_i, .clear_i, .factor_i(misses_i), .digit_i(old_sum_q[2:0]), .digit_o(new_rate)
  );
  gmmu_tokens_product #(.Width(17)) u_old (
    .clk_i, .clear_i, .factor_i(sum_i), .digit_i(old_misses_q[2:0]), .digit_o(old_rate)
  );
  gmmu_tokens_product #(.Width(17)) u_both (
    .clk_i, .clear_i, .factor_i(sum_i), .digit_i(old_sum_q[2:0]), .digit_o(both)
  );

  // ---- times 100, times p: digits of both sides, and what of them is still to come
  logic        borrow_q, borrow;
  logic [2:0]  change;
  logic [6:0]  change_q, limit_q;
  logic [9:0]  change_sum, limit_sum;
  logic [2:0]  change_digit_q, limit_digit_q;
  assign {borrow, change} = {1'b0, new_rate} - {1'b0, old_rate} - 4'(borrow_q);
  assign change_sum = 10'(change_q) + 10'(change) * 10'd100;
  assign limit_sum  = 10'(limit_q) + 10'(both) * 10'(points_i);

  // ---- change - limit and -change - limit: positive?
  logic [3:0] up;
  logic [4:0] down;
  logic       up_borrow_q, up_sign_q, up_some_q, down_sign_q, down_some_q;
  logic [1:0] down_borrow_q;
  assign up   = {1'b0, change_digit_q} - {1'b0, limit_digit_q} - 4'(up_borrow_q);
  assign down = 5'd0 - 5'(change_digit_q) - 5'(limit_digit_q) - 5'(down_borrow_q);
  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      borrow_q       <= 1'b0;
      change_q       <= '0;
      limit_q        <= '0;
      change_digit_q <= '0;
      limit_digit_q  <= '0;
      up_borrow_q    <= 1'b0;
      down_borrow_q  <= '0;
      up_some_q      <= 1'b0;
      down_some_q    <= 1'b0;
    end else begin
      borrow_q       <= borrow;
      {change_q, change_digit_q} <= change_sum;
      {limit_q, limit_digit_q}   <= limit_sum;
      up_borrow_q    <= up[3];
      down_borrow_q  <= 2'd0 - down[4:3];
      up_some_q      <= up_some_q | up[2:0] != '0;
      down_some_q    <= down_some_q | down[2:0] != '0;
    end
    up_sign_q   <= up[2];
    down_sign_q <= down[2];
  end
  assign rises_o = up_some_q & !up_sign_q;
  assign falls_o = down_some_q & !down_sign_q;
endmodule
`default_nettype wire
