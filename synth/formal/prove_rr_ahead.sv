// SPDX-License-Identifier: Apache-2.0
// Round robin known a cycle ahead: in every cycle the grant of gmmu_rr_hot, for the same grants
// taken, of the requests that stood in the cycle before and were not taken, or if there are none of
// the one that was added; none in the cycle behind one in which requests changed otherwise.
`default_nettype none
module prove_rr_ahead #(
  parameter int N      = 5,
  parameter int Covers = 0
) (
  input  logic         clk_i,
  input  logic [N-1:0] add_i,
  input  logic         added_i,
  input  logic         take_i,
  input  logic         void_i,
  input  logic [N-1:0] others_i     // requests behind void_i
);
  `include "prove.svh"

  logic [N-1:0] req_q, old_q, gnt, hot;
  logic         valid, hot_valid, voided_q;
  logic [N-1:0] left;
  assign left = req_q & ~(take_i & valid ? gnt : '0);
  gmmu_rr_ahead #(.Reqs(N)) u_dut (
    .clk_i, .rst_ni, .req_i(req_q), .add_i, .add_after_i(~(add_i | (add_i - 1'b1))), .added_i,
    .take_i, .void_i, .valid_o(valid), .gnt_o(gnt)
  );
  gmmu_rr_hot #(.Reqs(N)) u_hot (
    .clk_i, .rst_ni, .req_i(|old_q ? old_q : req_q), .take_i(take_i & valid),
    .valid_o(hot_valid), .gnt_o(hot)
  );
  always_comb begin
    assume (add_i != '0 & (add_i & (add_i - 1'b1)) == '0);
    assume (!added_i | (add_i & req_q) == '0);
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      req_q    <= '0;
      old_q    <= '0;
      voided_q <= 1'b0;
    end else begin
      old_q    <= void_i ? '0 : left;
      req_q    <= void_i ? others_i : left | (added_i ? add_i : '0);
      voided_q <= void_i;
    end
  end

  if (Covers == 0) begin : gen_assert
    always_comb begin
      if (rst_ni) begin
        same_grant: assert (!valid | gnt == hot);
        same_valid: assert (valid == (hot_valid & !voided_q));
      end
    end
  end else begin : gen_cover
    always_comb begin
      if (rst_ni) begin
        c_taken_and_added: assert (!(take_i & valid & added_i & |(req_q & ~gnt)));
        c_added_alone: assert (!(valid & old_q == '0));
        c_behind_others: assert (!(voided_q & hot_valid));
        c_wraps: assert (!(valid & gnt[0] & req_q == {N{1'b1}}));
      end
    end
  end
endmodule
`default_nettype wire
