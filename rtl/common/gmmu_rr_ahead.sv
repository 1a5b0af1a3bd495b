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
  output logic [Reqs-1:0] gnt_o        // one-hot while valid_o is 1, else nothing
);
  localparam int N = Reqs;        // of gmmu_first.svh
  `include "gmmu_first.svh"

  // The places behind the last grant that was taken, and those behind gnt_q; valid_q: gnt_q counts.
  logic [Reqs-1:0] from_q, after_q, gnt_q;
  logic            valid_q;
  assign valid_o = valid_q;
  assign gnt_o   = gnt_q;

  // [0]: the grant stays, [1]: it is taken
  logic [2*Reqs-1:0] next, after;
  logic [1:0]        some;          // there is one in the next cycle
  for (genvar k = 0; k < 2; k++) begin : gen_case
    logic [Reqs-1:0] left, from, picked, behind;
    logic            none;          // no other one is left
    assign left = k == 0 ? req_i : req_i & ~gnt_q;
    assign from = k == 0 ? from_q : after_q;
    assign none = left == '0;
    if (Reqs <= 4) begin : gen_few
      gmmu_rr_pick #(.Reqs(Reqs)) u_pick (
        .req_i(left), .from_i(from), .gnt_o(picked), .after_o(behind)
      );
    end else begin : gen_many
      // Where none is from that place on, the first of all: of all but gnt_q it is the same, or
      // gnt_q itself, which is then the only one. So one search of all is enough for both cases.
      logic [Reqs-1:0] up, all;
      logic [Reqs:0]   above, all_above;
      assign up        = upwards(req_i & from);
      assign all       = upwards(req_i);
      assign above     = {up, 1'b0};
      assign all_above = {all, 1'b0};
      assign picked = (up & ~above[Reqs-1:0]) | (all & ~all_above[Reqs-1:0] &
          ~({Reqs{above[Reqs]}} | (k == 0 ? '0 : gnt_q)));
      assign behind = above[Reqs] ? above[Reqs-1:0] : all_above[Reqs-1:0];
    end
    // What is added comes only beside none.
    assign next[k*Reqs +: Reqs]  = picked | (add_i & {Reqs{none & added_i}});
    assign after[k*Reqs +: Reqs] = none ? add_after_i : behind;
    assign some[k]               = !none | added_i;
  end
  // Taken or not comes last; what is no grant is not made 0.
  logic take;
  assign take = take_i & valid_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid_q <= 1'b0;
      from_q  <= {Reqs{1'b1}};
    end else begin
      valid_q <= !void_i & (take ? some[1] : some[0]);
      if (take) from_q <= after_q;
    end
  end
  always_ff @(posedge clk_i)
    {gnt_q, after_q} <= take ? {next[2*Reqs-1:Reqs], after[2*Reqs-1:Reqs]}
                             : {next[Reqs-1:0], after[Reqs-1:0]};

  `GMMU_ASSERT_IF(rr_ahead_grants_a_request, valid_q,
      (gnt_q & (gnt_q - 1'b1)) == '0 && (gnt_q & req_i) != '0)
  `GMMU_ASSERT_IF(rr_ahead_after_is_so, added_i, add_after_i == ~(add_i | (add_i - 1'b1)))
  `GMMU_ASSERT_IF(rr_ahead_adds_no_request, added_i, (add_i & req_i) == '0)
endmodule
`default_nettype wire
