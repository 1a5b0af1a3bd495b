// SPDX-License-Identifier: Apache-2.0
// True LRU: the same victim as a matrix of "i was touched after j", which is how the order is
// defined, and never two.
`default_nettype none
module prove_lru #(
  parameter int N      = 4,
  parameter int Ports  = 1,
  parameter int Deep   = 0,    // 1: gmmu_lru_deep, with two ports
  parameter int Held   = 0,    // 1, one port: the touch in a register here
  parameter int Covers = 0
) (
  input  logic               clk_i,
  input  logic [Ports*N-1:0] touch_i,
  input  logic [N-1:0]       other_i,      // Held: what is kept instead, and not touched
  input  logic               query_i
);
  `include "prove.svh"

  logic [N-1:0] lru;
  if (Deep != 0) begin : gen_deep
    gmmu_lru_deep #(.N(N)) u_dut (.clk_i, .rst_ni, .touch_i, .query_i, .lru_o(lru));
  end else if (Held != 0) begin : gen_held
    logic [N-1:0] touch_q;
    logic         held_q;
    always_ff @(posedge clk_i) begin
      touch_q <= touch_i != '0 ? touch_i[N-1:0] : other_i;
      held_q  <= touch_i != '0;
    end
    gmmu_lru #(.N(N), .Held(1)) u_dut (
      .clk_i, .rst_ni, .touch_i(touch_q), .held_i(held_q), .query_i, .lru_o(lru)
    );
  end else begin : gen_flat
    gmmu_lru #(.N(N), .Ports(Ports)) u_dut (
      .clk_i, .rst_ni, .touch_i, .held_i(1'b1), .query_i, .lru_o(lru)
    );
  end

  always_comb begin
    assume ((other_i & (other_i - 1'b1)) == '0);
    for (int p = 0; p < Ports; p++) begin
      assume ((touch_i[p*N +: N] & (touch_i[p*N +: N] - 1'b1)) == '0);
      if (!rst_ni) assume (touch_i[p*N +: N] == '0);
    end
  end

  // after_q[i*N+j]: i is more recent than j. After reset way 0 is the least recent.
  logic [N*N-1:0] after_q, after;
  logic [N-1:0]   oldest;
  always_comb begin
    after = after_q;
    for (int p = 0; p < Ports; p++) begin
      for (int i = 0; i < N; i++) begin
        if (touch_i[p*N + i]) begin
          for (int j = 0; j < N; j++) begin
            after[i*N + j] = 1'b1;
            after[j*N + i] = 1'b0;
          end
        end
      end
    end
  end
  always_ff @(posedge clk_i) begin
    if (rst_ni) after_q <= after;
    else for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) after_q[i*N + j] <= i > j;
  end
  always_comb begin
    for (int i = 0; i < N; i++) begin
      oldest[i] = 1'b1;
      for (int j = 0; j < N; j++) if (i != j & after_q[i*N + j]) oldest[i] = 1'b0;
    end
  end

  if (Covers == 0) begin : gen_assert
    always_comb begin
      if (rst_ni) begin
        victim_is_the_least_recent: assert (lru == (query_i ? oldest : '0));
        order_is_an_order: assert (oldest != '0 & (oldest & (oldest - 1'b1)) == '0);
      end
    end
  end else begin : gen_cover
    for (genvar i = 0; i < N; i++) begin : gen_way
      always_comb if (rst_ni) assert (!(query_i & lru[i] & |touch_i));
    end
  end
endmodule
`default_nettype wire
