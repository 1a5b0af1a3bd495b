// SPDX-License-Identifier: Apache-2.0
// gmmu_rr_arb: round-robin choice among N requests, and optionally a second, different one.
//
// valid_o/idx_o: first request at or after the pointer, wrapping round, in the same cycle.
// valid2_o/idx2_o (Second=1): the next one after it. take_i: the first grant is used; take2_i: the
// second as well. The pointer then moves behind the last used grant; after reset it is 0. Legal: N
// >= 1.
`default_nettype none
module gmmu_rr_arb #(
  parameter int N      = 4,
  parameter int Second = 0,
  localparam int IdxW  = gmmu_pkg::idx_w(N)
) (
  input  logic            clk_i,
  input  logic            rst_ni,
  input  logic [N-1:0]    req_i,
  input  logic            take_i,
  input  logic            take2_i,
  output logic            valid_o,
  output logic [IdxW-1:0] idx_o,
  output logic            valid2_o,
  output logic [IdxW-1:0] idx2_o
);
  if (N < 1) begin : gen_bad_n
    gmmu_rr_arb_N_must_be_at_least_1 u_bad();
  end

  logic [IdxW-1:0] ptr_q, last;

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

  if (Second != 0) begin : gen_second
    logic [N-1:0] rest;
    always_comb begin
      rest = req_i;
      for (int i = 0; i < N; i++) begin
        if (IdxW'(i) == idx_o) rest[i] = 1'b0;
      end
    end
    always_comb begin : pick2
      logic            hi_v;
      logic [IdxW-1:0] hi, lo;
      valid2_o = |rest;
      hi_v     = 1'b0;
      hi       = '0;
      lo       = '0;
      if (valid2_o) begin
        for (int i = N - 1; i >= 0; i--) begin
          if (rest[i]) begin
            lo = IdxW'(i);
            // idx_o itself is out of rest, so "after it" is ">".
            if (IdxW'(i) > idx_o) begin
              hi   = IdxW'(i);
              hi_v = 1'b1;
            end
          end
        end
      end
      idx2_o = hi_v ? hi : lo;
    end
  end else begin : gen_no_second
    assign valid2_o = 1'b0;
    assign idx2_o   = '0;
  end

  assign last = (take2_i & valid2_o) ? idx2_o : idx_o;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) ptr_q <= '0;
    else if (take_i & valid_o) ptr_q <= (last == IdxW'(N - 1)) ? '0 : last + 1'b1;
  end
endmodule
`default_nettype wire
