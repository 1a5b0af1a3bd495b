// SPDX-License-Identifier: Apache-2.0
// gmmu_rr_arb: round-robin choice among N requests.
//
// valid_o/idx_o: first request at or after the pointer, wrapping round, in the same cycle. take_i:
// the grant is used; the pointer then moves behind it; after reset it is 0. Two grants a cycle:
// gmmu_rr_two. Legal: N >= 1.
`default_nettype none
module gmmu_rr_arb #(
  parameter int N      = 4,
  localparam int IdxW  = gmmu_pkg::idx_w(N)
) (
  input  logic            clk_i,
  input  logic            rst_ni,
  input  logic [N-1:0]    req_i,
  input  logic            take_i,
  output logic            valid_o,
  output logic [IdxW-1:0] idx_o
);
  if (N < 1) begin : gen_bad_n
    gmmu_rr_arb_N_must_be_at_least_1 u_bad();
  end

  logic [IdxW-1:0] ptr_q;

  // Down-counting: the last assignment, the lowest index, wins.
  always_comb begin : pick
    logic            hi_v;
    logic [IdxW-1:0] hi, lo;
    valid_o = |req_i;
    hi_v    = 1'b0;
    hi      = '0;
    lo      = '0;
    if (valid_o) begin
      for (int i = N - 1; i >= 0; i--) begin
        if (req_i[i]) begin
          lo = IdxW'(i);
          if (IdxW'(i) >= ptr_q) begin
            hi   = IdxW'(i);
            hi_v = 1'b1;
          end
        end
      end
    end
    idx_o = hi_v ? hi : lo;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) ptr_q <= '0;
    else if (take_i & valid_o) ptr_q <= (idx_o == IdxW'(N - 1)) ? '0 : idx_o + 1'b1;
  end
endmodule
`default_nettype wire
