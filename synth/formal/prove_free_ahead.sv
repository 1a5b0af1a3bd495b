// SPDX-License-Identifier: Apache-2.0
// The lowest free place known a cycle ahead, for places that are taken and given back in any order:
// in every cycle what a search of those in use finds.
`default_nettype none
module prove_free_ahead #(
  parameter int N      = 5,
  parameter int Covers = 0
) (
  input  logic                 clk_i,
  input  logic                 take_i,
  input  logic                 give_i,
  input  logic [$clog2(N)-1:0] give_idx_i
);
  `include "prove.svh"

  logic [N-1:0]         used_q, free, want, give_hot;
  logic [$clog2(N)-1:0] idx, want_idx;
  gmmu_free_ahead #(.Places(N)) u_dut (
    .clk_i, .rst_ni, .used_i(used_q), .take_i, .give_i, .give_idx_i, .free_o(free), .idx_o(idx)
  );
  assign give_hot = give_i ? N'(1) << give_idx_i : '0;
  always_comb begin
    want     = '0;
    want_idx = '0;
    for (int i = N - 1; i >= 0; i--) begin
      if (!used_q[i]) begin
        want     = N'(1) << i;
        want_idx = ($clog2(N))'(i);
      end
    end
  end
  always_comb begin
    assume (!take_i | used_q != {N{1'b1}});
    assume (!give_i | (give_hot & used_q) != '0);
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) used_q <= '0;
    else used_q <= (used_q | (take_i ? want : '0)) & ~give_hot;
  end

  if (Covers == 0) begin : gen_assert
    always_comb begin
      if (rst_ni) begin
        lowest: assert (free == want);
        number: assert (idx == want_idx);
      end
    end
  end else begin : gen_cover
    always_comb begin
      if (rst_ni) begin
        c_all_used: assert (used_q != {N{1'b1}});
        c_given_when_all_are_used: assert (!(used_q == {N{1'b1}} & give_i));
        c_taken_and_lower_given: assert (!(take_i & give_i & give_hot < free));
        c_taken_and_given_between: assert (!(take_i & give_i & give_hot > free &
            give_hot < (~used_q & ~free)));
        c_the_last_is_taken: assert (!(take_i & !give_i & (used_q | free) == {N{1'b1}}));
      end
    end
  end
endmodule
`default_nettype wire
