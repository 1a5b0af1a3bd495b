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
  localparam int N = 2 * Reqs;      // of gmmu_first.svh
  if (Reqs < 1) begin : gen_bad_n
    gmmu_rr_hot_Reqs_must_be_at_least_1 u_bad();
  end
  `include "gmmu_first.svh"

  // Those from the place on, and behind them all: the first of both is one choice, so that no
  // single bit selects between two.
  logic [Reqs-1:0] from_q;
  logic [N-1:0]    up;          // from the first on
  logic [N:0]      above;       // behind it
  assign valid_o = |req_i;
  assign up      = upwards({req_i, req_i & from_q});
  assign above   = {up, 1'b0};
  assign gnt_o   = (up[Reqs-1:0] & ~above[Reqs-1:0]) | (up[N-1:Reqs] & ~above[N-1:Reqs]);
  always_ff @(posedge clk_i) begin
    if (!rst_ni) from_q <= {Reqs{1'b1}};
    else if (take_i & valid_o) from_q <= up[Reqs-1] ? above[Reqs-1:0] : above[N-1:Reqs];
  end
endmodule
`default_nettype wire
