// SPDX-License-Identifier: Apache-2.0
// gmmu_l2_bypass: which page-table levels bypass the L2 cache. Rules: docs/l2_bypass.md. Source:
// MASK section 5.3.
//
// Each bank reports at most one access a cycle. bypass_o[d] for depths 1..7; bit 0 is 0. No
// divider: h_d x a_0 is compared with h_0 x a_d, both made serially, lowest bit first, one depth in
// 18 cycles. Legal: Banks 1..64.
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

  localparam int CntW = $clog2(Banks + 1);
  logic [8*16-1:0] acc_q, hit_q, acc_d, hit_d;
  for (genvar d = 0; d < 8; d++) begin : gen_depth
    logic [Banks-1:0] of;
    logic [CntW-1:0]  n, m;
    logic [16:0]      sum;
    logic [15:0]      acc, hit;
    logic             halve;
    for (genvar b = 0; b < Banks; b++) begin : gen_bank
      assign of[b] = depth_i[b*3 +: 3] == 3'(d);
    end
    gmmu_count #(.N(Banks)) u_accesses (.v_i(access_i & of), .n_o(n));
    gmmu_count #(.N(Banks)) u_hits (.v_i(hit_i & of), .n_o(m));
    assign acc   = acc_q[d*16 +: 16];
    assign hit   = hit_q[d*16 +: 16];
    assign sum   = {1'b0, acc} + 17'(n);
    assign halve = sum[16];
    assign acc_d[d*16 +: 16] = halve ? (acc >> 1) + 16'(n) : sum[15:0];
    assign hit_d[d*16 +: 16] = halve ? (hit >> 1) + 16'(m) : hit + 16'(m);
  end

  // ---- one depth's turn: step 0 takes the counters, 1 to 16 a bit of each product, 17 decides
  localparam logic [4:0] LAST = 5'd17;
  logic [2:0]  depth_q;
  logic [4:0]  step_q;
  logic [15:0] h_d_q, h_0_q, a_d_q, a_0_q;    // a: shifted down, a bit a step
  logic [15:0] left_q, right_q;               // what is left of h_d x a_0 and of h_0 x a_d
  logic [16:0] left, right;
  logic        enough_q, less_q, less;
  logic [15:0] a_d;
  assign a_d   = acc_q[depth_q*16 +: 16];
  assign left  = {1'b0, left_q} + (a_0_q[0] ? {1'b0, h_d_q} : '0);
  assign right = {1'b0, right_q} + (a_d_q[0] ? {1'b0, h_0_q} : '0);
  // of the parts below: the highest bit in which they differ
  assign less  = left_q == right_q ? less_q : left_q < right_q;
  always_ff @(posedge clk_i) begin
    if (step_q == '0) begin
      h_d_q    <= hit_q[depth_q*16 +: 16];
      h_0_q    <= hit_q[15:0];
      a_d_q    <= a_d;
      a_0_q    <= acc_q[15:0];
      enough_q <= a_d >= 16'(Min) & acc_q[15:0] >= 16'(Min);
      left_q   <= '0;
      right_q  <= '0;
      less_q   <= 1'b0;
    end else if (step_q != LAST) begin
      a_d_q   <= a_d_q >> 1;
      a_0_q   <= a_0_q >> 1;
      left_q  <= left[16:1];
      right_q <= right[16:1];
      if (left[0] != right[0]) less_q <= right[0];
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || epoch_i) begin
      acc_q    <= '0;
      hit_q    <= '0;
      bypass_o <= '0;
      depth_q  <= 3'd1;
      step_q   <= '0;
    end else begin
      acc_q  <= acc_d;
      hit_q  <= hit_d;
      step_q <= step_q == LAST ? '0 : step_q + 5'd1;
      if (step_q == LAST) begin
        bypass_o[depth_q] <= enough_q & less;
        depth_q           <= depth_q == 3'd7 ? 3'd1 : depth_q + 3'd1;
      end
    end
  end

  always_comb begin
    for (int d = 0; d < 8; d++) obs_o[d*32 +: 32] = {hit_q[d*16 +: 16], acc_q[d*16 +: 16]};
  end
endmodule
`default_nettype wire
