// SPDX-License-Identifier: Apache-2.0
// gmmu_rr_hot: round-robin choice of one request, as a one-hot vector: the first at or behind the
// place after the last grant, else the first of all.
//
// gnt_o comes in the same cycle, 0 without a request. The place moves with take_i; it is kept as
// the requests from it on, so that nothing is decoded. As gmmu_rr_arb, but for wide choices. After
// reset it is place 0. Legal: N >= 1.
`default_nettype none
module gmmu_rr_hot #(
  parameter int N = 32
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic [N-1:0] req_i,
  input  logic         take_i,     // the grant is used
  output logic         valid_o,
  output logic [N-1:0] gnt_o
);
  if (N < 1) begin : gen_bad_n
    gmmu_rr_hot_N_must_be_at_least_1 u_bad();
  end
  `include "gmmu_first.svh"

  logic [N-1:0] from_q, ahead, up;     // up: from the grant on
  logic [N:0]   above;
  assign ahead   = req_i & from_q;
  assign valid_o = |req_i;
  assign up      = |ahead ? upwards(ahead) : upwards(req_i);
  assign above   = {up, 1'b0};
  assign gnt_o   = up & ~above[N-1:0];
  always_ff @(posedge clk_i) begin
    if (!rst_ni) from_q <= {N{1'b1}};
    else if (take_i & valid_o) from_q <= above[N-1:0];
  end
endmodule
`default_nettype wire
