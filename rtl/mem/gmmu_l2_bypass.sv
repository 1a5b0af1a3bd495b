// SPDX-License-Identifier: Apache-2.0
// gmmu_l2_bypass: which page-table levels bypass the L2 cache. Rules: docs/l2_bypass.md. Source:
// MASK section 5.3.
//
// Each bank reports at most one access a cycle. bypass_o[d] for depths 1..7; bit 0 is 0. No
// divider: h_d x a_0 is compared with h_0 x a_d, one depth a cycle. Legal: Banks 1..64.
`default_nettype none
module gmmu_l2_bypass #(
  parameter int Banks = 16
) (
  input  logic               clk_i,
  input  logic               rst_ni,
  input  logic               epoch_i,     // pulse
  input  logic [Banks-1:0]   access_i,
  input  logic [Banks-1:0]   hit_i,       // only with access_i
  input  logic [Banks*3-1:0] depth_i,     // 0: data
  output logic [7:0]         bypass_o,
  output logic [8*32-1:0]    obs_o        // {hits, accesses} of each depth
);
  localparam int Min = 64;

  if (Banks < 1 || Banks > 64) begin : gen_bad
    gmmu_l2_bypass_Banks_must_be_1_to_64 u_bad();
  end

  logic [8*16-1:0] acc_q, hit_q, acc_d, hit_d;
  logic [2:0]      at_depth_q;
  logic [15:0]     a_d, a_0, h_d, h_0;
  logic            decision;

  always_comb begin
    for (int d = 0; d < 8; d++) begin : depth
      logic [6:0]  n, m;
      logic        halve;
      n = '0;
      m = '0;
      for (int b = 0; b < Banks; b++) begin
        n = n + 7'(access_i[b] && depth_i[b*3 +: 3] == 3'(d));
        m = m + 7'(hit_i[b] && depth_i[b*3 +: 3] == 3'(d));
      end
      halve = 17'(acc_q[d*16 +: 16]) + 17'(n) > 17'd65535;
      acc_d[d*16 +: 16] = (halve ? acc_q[d*16 +: 16] >> 1 : acc_q[d*16 +: 16]) + 16'(n);
      hit_d[d*16 +: 16] = (halve ? hit_q[d*16 +: 16] >> 1 : hit_q[d*16 +: 16]) + 16'(m);
    end
  end

  assign a_d = acc_q[at_depth_q*16 +: 16];
  assign h_d = hit_q[at_depth_q*16 +: 16];
  assign a_0 = acc_q[15:0];
  assign h_0 = hit_q[15:0];
  assign decision = a_d >= 16'(Min) && a_0 >= 16'(Min) && 32'(h_d) * 32'(a_0) < 32'(h_0) * 32'(a_d);

  always_ff @(posedge clk_i) begin
    if (!rst_ni || epoch_i) begin
      acc_q      <= '0;
      hit_q      <= '0;
      bypass_o   <= '0;
      at_depth_q <= 3'd1;
    end else begin
      acc_q                <= acc_d;
      hit_q                <= hit_d;
      bypass_o[at_depth_q] <= decision;
      at_depth_q           <= at_depth_q == 3'd7 ? 3'd1 : at_depth_q + 3'd1;
    end
  end

  always_comb begin
    for (int d = 0; d < 8; d++) obs_o[d*32 +: 32] = {hit_q[d*16 +: 16], acc_q[d*16 +: 16]};
  end
endmodule
`default_nettype wire
