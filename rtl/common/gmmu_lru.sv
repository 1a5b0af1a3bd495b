// SPDX-License-Identifier: Apache-2.0
// gmmu_lru: true-LRU order of N ways as one age per way (0 = most recent, N-1 = least recent).
//
// A touch makes a way the most recent; one per port and cycle, port 0 first. Ways are named by
// one-hot vectors, as the search finds them. An age per way costs N*log2(N) flip-flops; an order
// matrix would cost N*(N-1)/2 (docs/common.md).
// Ages are kept bit-sliced (gmmu_ages.svh), so that one touch is a few operations on N-bit vectors.
// Touches are registered and change the ages a cycle later, so that a search's path ends at the
// register; lru_o looks at both and depends on state only. After reset way 0 is the least recent,
// then 1, 2, ...
// lru_o: valid in the same cycle while query_i is 1, 0 otherwise; sees all touches of earlier
// cycles.
// Held=1, with one port: touch_i is that of the cycle before already, as the caller keeps it in a
// register, and counts while held_i is 1.
// Legal: N >= 2, Ports 1 or 2; each port's N bits of touch_i are one-hot or 0.
`default_nettype none
`include "gmmu_assert.svh"
module gmmu_lru #(
  parameter int N     = 16,
  parameter int Ports = 1,
  parameter int Held  = 0,
  localparam int WayW = gmmu_pkg::idx_w(N)
) (
  input  logic               clk_i,
  input  logic               rst_ni,
  input  logic [Ports*N-1:0] touch_i,
  input  logic               held_i,
  input  logic               query_i,
  output logic [N-1:0]       lru_o
);

  if (N < 2) begin : gen_bad_n
    gmmu_lru_N_must_be_at_least_2 u_bad();
  end
  if (Ports != 1 && Ports != 2) begin : gen_bad_ports
    gmmu_lru_Ports_must_be_1_or_2 u_bad();
  end

  `include "gmmu_ages.svh"
  logic [AgesW-1:0]   ages_q, ages0, ages1;
  logic [Ports*N-1:0] touch_q, touch_seen;     // kept; of it, what counts
  logic               touched_any;

  // Ages after a touch of `hot`: every way younger than it gets older by one, it becomes 0.
  function automatic logic [AgesW-1:0] touched(input logic [AgesW-1:0] ages,
      input logic [N-1:0] hot);
    logic [N-1:0] younger, same, plane;
    begin
      younger = '0;
      same    = '1;
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

`ifdef VERILATOR    // only when one is touched
  function automatic logic [AgesW-1:0] touched_all(input logic [AgesW-1:0] ages,
      input logic [Ports*N-1:0] hot);
    begin
      touched_all = ages;
      for (int p = 0; p < Ports; p++)
        if (|hot[p*N +: N]) touched_all = touched(touched_all, hot[p*N +: N]);
    end
  endfunction
  always_ff @(posedge clk_i) begin
    if (!rst_ni) ages_q <= RESET_AGES;
    else if (touched_any) ages_q <= touched_all(ages_q, touch_seen);
  end
`else
  always_comb begin
    ages0 = ages_q;
    if (`GMMU_ANY(touch_seen[N-1:0])) ages0 = touched(ages_q, touch_q[N-1:0]);
  end
  if (Ports == 2) begin : gen_port1
    always_comb begin
      ages1 = ages0;
      if (`GMMU_ANY(touch_seen[2*N-1:N])) ages1 = touched(ages0, touch_q[2*N-1:N]);
    end
  end else begin : gen_no_port1
    assign ages1 = ages0;
  end
`endif

  // Held: the ages change by whatever is kept, and are written only if it was touched.
  if (Held != 0) begin : gen_held
    assign touch_q     = touch_i;
    assign touched_any = held_i;
    assign touch_seen  = held_i ? touch_i : '0;
  end else begin : gen_kept
    logic unused_held;
    assign unused_held = held_i;
    always_ff @(posedge clk_i) touch_q <= rst_ni ? touch_i : '0;
    assign touched_any = |touch_q;
    assign touch_seen  = touch_q;
  end
`ifndef VERILATOR
  gmmu_clkgate #(.Width(AgesW)) u_ages (
    .clk_i, .en_i(!rst_ni | touched_any), .d_i(!rst_ni ? RESET_AGES : ages1), .q_o(ages_q)
  );
`endif

  // The oldest way that no registered touch makes young; with two ways, both touched, that of port
  // 0.
  logic [N-1:0] recent, oldest, second;
  if (Ports == 2) begin : gen_oldest2
    logic [N-1:0] third;
    assign recent = touch_seen[N-1:0] | touch_seen[2*N-1:N];
    assign third  = N == 2 ? touch_q[N-1:0] : aged(ages_q, N - 3);
    assign lru_o  = !query_i ? '0 : |(oldest & ~recent) ? oldest : |(second & ~recent) ? second :
        third;
  end else begin : gen_oldest1
    assign recent = touch_seen;
    assign lru_o  = !query_i ? '0 : |(oldest & ~recent) ? oldest : second;
  end
  always_comb begin : query
    oldest = '0;
    second = '0;
    if (`GMMU_ANY(query_i)) begin
      oldest = aged(ages_q, N - 1);
      second = aged(ages_q, N - 2);
    end
  end
endmodule
`default_nettype wire
