// SPDX-License-Identifier: Apache-2.0
// gmmu_lru: true-LRU order of N ways as one age per way (0 = most recent, N-1 = least recent).
//
// A touch makes a way the most recent; up to Ports touches a cycle, port 0 first. An age per way costs
// N*log2(N) flip-flops; an order matrix would cost N*(N-1)/2 (docs/common.md). Ages are kept bit-sliced (all
// bits 0, then all bits 1, ...), so that one touch is a few operations on N-bit vectors.
// After reset way 0 is the least recent, then 1, 2, ...
//   lru_way_o: valid in the same cycle while query_i is 1, 0 otherwise; does not see this cycle's touches.
// Legal: N >= 2, Ports 1 or 2.
`default_nettype none
module gmmu_lru #(
  parameter int N     = 16,
  parameter int Ports = 1,
  localparam int WayW = gmmu_pkg::idx_w(N)
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  logic [Ports-1:0]      touch_i,
  input  logic [Ports*WayW-1:0] way_i,
  input  logic                  query_i,
  output logic [WayW-1:0]       lru_way_o
);
  localparam int AgesW = N * WayW;

  if (N < 2) begin : gen_bad_n
    gmmu_lru_N_must_be_at_least_2 u_bad();
  end
  if (Ports != 1 && Ports != 2) begin : gen_bad_ports
    gmmu_lru_Ports_must_be_1_or_2 u_bad();
  end

  logic [AgesW-1:0] ages_q, ages0, ages1;

  // Ages after a touch of `way`: every way younger than it gets older by one, it becomes 0.
  function automatic logic [AgesW-1:0] touched(input logic [AgesW-1:0] ages, input logic [WayW-1:0] way);
    logic [N-1:0] younger, same, plane, hot;
    begin
      younger = '0;
      same    = '1;
      hot     = N'(1) << way;
      for (int b = WayW - 1; b >= 0; b--) begin
        plane = ages[b*N +: N];
        if (|(plane & hot)) begin
          younger = younger | (same & ~plane);
          same    = same & plane;
        end else begin
          same = same & ~plane;
        end
      end
      // Bit-sliced increment: `younger` becomes the carry.
      for (int b = 0; b < WayW; b++) begin
        plane = ages[b*N +: N];
        touched[b*N +: N] = (plane ^ younger) & ~hot;
        younger = plane & younger;
      end
    end
  endfunction

  function automatic logic [AgesW-1:0] reset_ages();
    begin
      reset_ages = '0;
      for (int b = 0; b < WayW; b++) begin
        for (int i = 0; i < N; i++) reset_ages[b*N + i] = 1'((N - 1 - i) >> b);
      end
    end
  endfunction
  localparam logic [AgesW-1:0] RESET_AGES = reset_ages();

  always_comb begin
    ages0 = ages_q;
    if (touch_i[0]) ages0 = touched(ages_q, way_i[WayW-1:0]);
  end
  if (Ports == 2) begin : gen_port1
    always_comb begin
      ages1 = ages0;
      if (touch_i[1]) ages1 = touched(ages0, way_i[2*WayW-1:WayW]);
    end
  end else begin : gen_no_port1
    assign ages1 = ages0;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) ages_q <= RESET_AGES;
    else if (|touch_i) ages_q <= ages1;
  end

  always_comb begin : query
    logic [N-1:0] oldest;
    lru_way_o = '0;
    oldest    = '0;
    if (query_i) begin
      oldest = '1;
      for (int b = 0; b < WayW; b++) begin
        oldest = oldest & (1'((N - 1) >> b) ? ages_q[b*N +: N] : ~ages_q[b*N +: N]);
      end
      for (int i = 0; i < N; i++) begin
        if (oldest[i]) lru_way_o = lru_way_o | WayW'(i);
      end
    end
  end
endmodule
`default_nettype wire
