// SPDX-License-Identifier: Apache-2.0
// gmmu_rr_pick: of requests the first at or behind a place, else the first of all; and the places
// behind it. Combinational; what gmmu_rr_hot and gmmu_rr_ahead are made of. Legal: Reqs >= 1.
`default_nettype none
module gmmu_rr_pick #(
  parameter int Reqs = 32
) (
  input  logic [Reqs-1:0] req_i,
  input  logic [Reqs-1:0] from_i,     // the place and all behind it
  output logic [Reqs-1:0] gnt_o,      // one-hot, 0 without a request
  output logic [Reqs-1:0] after_o     // those behind it
);
  localparam int N = 2 * Reqs;        // of gmmu_first.svh
  if (Reqs < 1) begin : gen_bad_n
    gmmu_rr_pick_Reqs_must_be_at_least_1 u_bad();
  end
  `include "gmmu_first.svh"

  // Those from the place on, and behind them all: the first of both is one choice, so that no
  // single bit selects between two.
  logic [N-1:0] up;        // from the first on
  logic [N:0]   above;     // behind it
  assign up      = upwards({req_i, req_i & from_i});
  assign above   = {up, 1'b0};
  assign gnt_o   = (up[Reqs-1:0] & ~above[Reqs-1:0]) | (up[N-1:Reqs] & ~above[N-1:Reqs]);
  assign after_o = up[Reqs-1] ? above[Reqs-1:0] : above[N-1:Reqs];
endmodule
`default_nettype wire
