// SPDX-License-Identifier: Apache-2.0
// gmmu_rr_hot: round-robin choice of one request, as a one-hot vector: the first at or behind the
// place after the last grant, else the first of all.
//
// gnt_o comes in the same cycle, 0 without a request. The place moves with take_i; it is kept as
// the requests from it on, so that nothing is decoded. As gmmu_rr_arb, but for wide choices. After
// reset it is place 0. Legal: Reqs >= 1.
`default_nettype none
module gmmu_rr_hot #(
  parameter int Reqs = 32
) (
  input  logic            clk_i,
  input  logic            rst_ni,
  input  logic [Reqs-1:0] req_i,
  input  logic            take_i,     // the grant is used
  output logic            valid_o,
  output logic [Reqs-1:0] gnt_o
);
  logic [Reqs-1:0] from_q, after;
  gmmu_rr_pick #(.Reqs(Reqs)) u_pick (
    .req_i, .from_i(from_q), .gnt_o, .after_o(after)
  );
  assign valid_o = |req_i;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) from_q <= {Reqs{1'b1}};
    else if (take_i & valid_o) from_q <= after;
  end
endmodule
`default_nettype wire
