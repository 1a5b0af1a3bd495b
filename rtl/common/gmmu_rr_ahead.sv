// SPDX-License-Identifier: Apache-2.0
// gmmu_rr_ahead: round-robin choice of one request, as gmmu_rr_hot, but known at the beginning of
// the cycle: gnt_o is a register.
//
// It is chosen a cycle ahead: of the requests that are known then, without the grant that is taken,
// by round robin; if there are none, what add_i names. Whether the grant is taken and what is added
// may both be late: the caller, who may know it from a number, gives the places behind it. Requests
// that change otherwise have no grant in the next cycle (void_i). Rules: docs/common.md. Legal:
// Reqs >= 1.
`default_nettype none
`include "gmmu_assert.svh"
module gmmu_rr_ahead #(
  parameter int Reqs = 32
) (
  input  logic            clk_i,
  input  logic            rst_ni,
  input  logic [Reqs-1:0] req_i,      // in this cycle, registers
  input  logic [Reqs-1:0] add_i,      // one-hot: one more from the next cycle on, if
  input  logic [Reqs-1:0] add_after_i,  // the places behind that one
  input  logic            added_i,    // it is added
  input  logic            take_i,     // the grant is used, and is no request any more
  input  logic            void_i,     // other requests come or go: choose again
  output logic            valid_o,
  output logic [Reqs-1:0] gnt_o
);
  // The places behind the last grant that was taken, and those behind gnt_q; valid_q: gnt_q is not
  // 0, beside it, as who takes the grant asks for that first.
  logic [Reqs-1:0] from_q, after_q, gnt_q;
  logic            valid_q;
  assign valid_o = valid_q;
  assign gnt_o   = gnt_q;

  // [0]: the grant stays, [1]: it is taken
  logic [2*Reqs-1:0] next, after;
  logic [1:0]        none;          // no other one is left
  for (genvar k = 0; k < 2; k++) begin : gen_case
    logic [Reqs-1:0] left;
    assign left    = k == 0 ? req_i : req_i & ~gnt_q;
    assign none[k] = left == '0;
    gmmu_rr_pick #(.Reqs(Reqs)) u_pick (
      .req_i(left), .from_i(k == 0 ? from_q : after_q), .gnt_o(next[k*Reqs +: Reqs]),
      .after_o(after[k*Reqs +: Reqs])
    );
  end
  // What is added comes last, and only beside none.
  logic take, alone;
  assign take  = take_i & valid_q;
  assign alone = take ? none[1] : none[0];
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid_q <= 1'b0;
      gnt_q   <= '0;
      from_q  <= {Reqs{1'b1}};
    end else begin
      valid_q <= !void_i & (!alone | added_i);
      gnt_q   <= void_i ? '0 : (take ? next[2*Reqs-1:Reqs] : next[Reqs-1:0]) |
          (add_i & {Reqs{alone & added_i}});
      if (take) from_q <= after_q;
    end
  end
  always_ff @(posedge clk_i) begin
    after_q <= alone ? add_after_i : take ? after[2*Reqs-1:Reqs] : after[Reqs-1:0];
  end

  `GMMU_ASSERT(rr_ahead_grants_a_request, (gnt_q & ~req_i) == '0 && valid_q == |gnt_q)
  `GMMU_ASSERT(rr_ahead_after_is_so, !added_i || add_after_i == ~(add_i | (add_i - 1'b1)))
  `GMMU_ASSERT(rr_ahead_adds_no_request, !added_i || (add_i & req_i) == '0)
endmodule
`default_nettype wire
