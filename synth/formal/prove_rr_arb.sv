// SPDX-License-Identifier: Apache-2.0
// Round robin: only requests are granted, a second grant is another one, and a request that stays
// is granted before any other is granted twice: after at most N - 1 grants that are used.
`default_nettype none
module prove_rr_arb #(
  parameter int N      = 5,
  parameter int Two    = 0,    // 1: gmmu_rr_two
  parameter int Hot    = 0,    // 1: gmmu_rr_hot; neither: gmmu_rr_arb
  parameter int Covers = 0,
  localparam int IdxW  = $clog2(N)
) (
  input  logic            clk_i,
  input  logic [N-1:0]    req_i,
  input  logic            take_i,
  input  logic [IdxW-1:0] any_one
);
  `include "prove.svh"

  logic [N-1:0] gnt, gnt2;
  if (Two != 0) begin : gen_two
    gmmu_rr_two #(.N(N)) u_dut (.clk_i, .rst_ni, .req_i, .take_i, .gnt_o(gnt), .gnt2_o(gnt2));
  end else if (Hot != 0) begin : gen_hot
    logic valid;
    gmmu_rr_hot #(.Reqs(N)) u_dut (.clk_i, .rst_ni, .req_i, .take_i, .valid_o(valid), .gnt_o(gnt));
    assign gnt2 = '0;
  end else begin : gen_one
    logic            valid;
    logic [IdxW-1:0] idx;
    gmmu_rr_arb #(.N(N)) u_dut (.clk_i, .rst_ni, .req_i, .take_i, .valid_o(valid), .idx_o(idx));
    assign gnt  = valid ? N'(1) << idx : '0;
    assign gnt2 = '0;
  end

  logic [IdxW-1:0] one_q;             // any requester, the same for ever
  always_ff @(posedge clk_i) if (!rst_ni) one_q <= any_one;
  always_comb begin
    if (!rst_ni) assume (32'(any_one) < N);
  end

  // Grants that others used while it asked.
  logic            asks, granted;
  logic [IdxW:0]   others_q;
  assign asks    = req_i[one_q];
  assign granted = take_i & (gnt[one_q] | gnt2[one_q]);
  always_ff @(posedge clk_i) begin
    if (!rst_ni | !asks | granted) others_q <= '0;
    else if (take_i) others_q <= others_q + (IdxW+1)'(gnt != '0) + (IdxW+1)'(gnt2 != '0);
  end

  if (Covers == 0) begin : gen_assert
    always_comb begin
      if (rst_ni) begin
        grants_when_asked: assert ((gnt != '0) == |req_i);
        grants_a_request: assert ((gnt & ~req_i) == '0 & (gnt & (gnt - 1'b1)) == '0);
        grants_a_second_request: assert ((gnt2 & (~req_i | gnt)) == '0 &
            (gnt2 & (gnt2 - 1'b1)) == '0);
        second_when_there_is_one: assert ((gnt2 != '0) ==
            (Two != 0 & |(req_i & (req_i - 1'b1))));
        nobody_waits_longer: assert (others_q <= (IdxW+1)'(N - 1));
      end
    end
  end else begin : gen_cover
    always_comb begin
      if (rst_ni) begin
        c_longest_wait: assert (!(others_q == (IdxW+1)'(N - 1) & asks));
        c_granted: assert (!(granted & others_q != '0));
        if (Two != 0) c_second: assert (!(take_i & gnt2[one_q]));
      end
    end
  end
endmodule
`default_nettype wire
