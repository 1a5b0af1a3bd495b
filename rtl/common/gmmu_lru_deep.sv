// SPDX-License-Identifier: Apache-2.0
// gmmu_lru_deep: true-LRU order of many ways, two touches a cycle: what gmmu_lru does, with the
// same ports and the same answers, in shorter paths. A policy of gmmu_replace.
//
// A touch passes two stages behind its register: in the first the age of its way is looked up, in
// the second all ages change by it. Two touches of one cycle change them together: with x and y
// the ages of the ways before, every other way gets older by one for each of x and y that it is
// younger than. What is on its way is younger than all the rest, so the least recent is the oldest
// that is none of those (four at most: the fifth oldest is one). After reset way 0 is the least
// recent, then 1, 2, ... Legal: N >= 5; each port's N bits of touch_i are one-hot or 0.
`default_nettype none
module gmmu_lru_deep #(
  parameter int N     = 256,
  localparam int WayW = gmmu_pkg::idx_w(N)
) (
  input  logic           clk_i,
  input  logic           rst_ni,
  input  logic [2*N-1:0] touch_i,
  input  logic           query_i,
  output logic [N-1:0]   lru_o
);
  localparam int AgesW  = N * WayW;
  localparam int Oldest = 5;

  if (N < 5) begin : gen_bad_n
    gmmu_lru_deep_N_must_be_at_least_5 u_bad();
  end

  // Ages are kept bit-sliced: all bits 0, then all bits 1, ...
  function automatic logic [AgesW-1:0] reset_ages();
    begin
      reset_ages = '0;
      for (int b = 0; b < WayW; b++) begin
        for (int i = 0; i < N; i++) reset_ages[b*N + i] = 1'((N - 1 - i) >> b);
      end
    end
  endfunction
  localparam logic [AgesW-1:0] RESET_AGES = reset_ages();

  // Age of the way `hot`.
  function automatic logic [WayW-1:0] age_of(input logic [AgesW-1:0] ages,
      input logic [N-1:0] hot);
    begin
      for (int b = 0; b < WayW; b++) age_of[b] = |(ages[b*N +: N] & hot);
    end
  endfunction

  // The ways that are younger than `age`.
  function automatic logic [N-1:0] younger(input logic [AgesW-1:0] ages,
      input logic [WayW-1:0] age);
    logic [N-1:0] same, plane;
    begin
      younger = '0;
      same    = {N{1'b1}};
      for (int b = WayW - 1; b >= 0; b--) begin
        plane = ages[b*N +: N];
        if (age[b]) begin
          younger = younger | (same & ~plane);
          same    = same & plane;
        end else begin
          same = same & ~plane;
        end
      end
    end
  endfunction

  // The ways of age `age`.
  function automatic logic [N-1:0] aged(input logic [AgesW-1:0] ages, input int age);
    begin
      aged = {N{1'b1}};
      for (int b = 0; b < WayW; b++)
          aged = aged & (1'(age >> b) ? ages[b*N +: N] : ~ages[b*N +: N]);
    end
  endfunction

  logic [AgesW-1:0] ages_q, ages_d;
  logic [N-1:0]     x0_q, x1_q, y0_q, y1_q;    // first stage, second stage; y0_q, y1_q differ
  logic [WayW-1:0]  y0_age_q, y1_age_q;
  logic             y0, y1;
  assign y0 = |y0_q;
  assign y1 = |y1_q;

  // ---- second stage
  logic [N-1:0] by_y0, by_y1, carry, plane;
  always_comb begin
    ages_d = ages_q;
    by_y0  = '0;
    by_y1  = '0;
    carry  = '0;
    plane  = '0;
    if (y0 | y1) begin
      by_y0 = y0 ? younger(ages_q, y0_age_q) : '0;
      by_y1 = y1 ? younger(ages_q, y1_age_q) : '0;
      for (int b = 0; b < WayW; b++) begin
        plane = ages_q[b*N +: N];
        if (b == 0) begin
          ages_d[N-1:0] = plane ^ by_y0 ^ by_y1;
          carry         = (by_y0 & by_y1) | (plane & (by_y0 ^ by_y1));
        end else begin
          ages_d[b*N +: N] = plane ^ carry;
          carry            = plane & carry;
        end
        // y1 comes last; y0 is behind it
        ages_d[b*N +: N] = ages_d[b*N +: N] & ~(y0_q | y1_q);
      end
      ages_d[N-1:0] = ages_d[N-1:0] | (y1 ? y0_q : '0);
    end
  end

  // ---- first stage: the age that a way has behind the second one
  function automatic logic [WayW-1:0] behind(input logic [WayW-1:0] age, input logic is_y0,
      input logic is_y1, input logic has_y0, input logic [WayW-1:0] y0_age, input logic has_y1,
      input logic [WayW-1:0] y1_age);
    logic below_y0, below_y1;
    begin
      below_y0 = has_y0 & age < y0_age;
      below_y1 = has_y1 & age < y1_age;
      behind   = is_y1 ? '0 : is_y0 ? WayW'(has_y1) : age + WayW'(below_y0) + WayW'(below_y1);
    end
  endfunction
  logic [WayW-1:0] x0_age, x1_age;
  assign x0_age = behind(age_of(ages_q, x0_q), |(x0_q & y0_q), |(x0_q & y1_q), y0, y0_age_q, y1,
      y1_age_q);
  assign x1_age = behind(age_of(ages_q, x1_q), |(x1_q & y0_q), |(x1_q & y1_q), y0, y0_age_q, y1,
      y1_age_q);
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      ages_q <= RESET_AGES;
      x0_q   <= '0;
      x1_q   <= '0;
      y0_q   <= '0;
      y1_q   <= '0;
    end else begin
      ages_q <= ages_d;
      x0_q   <= touch_i[N-1:0];
      x1_q   <= touch_i[2*N-1:N];
      y0_q   <= x0_q;
      y1_q   <= x1_q & ~x0_q;    // twice the same way: once
    end
  end
  always_ff @(posedge clk_i) begin
    y0_age_q <= x0_age;
    y1_age_q <= x1_age;
  end

  // ---- the least recent
  logic [N-1:0] still, old;      // not on its way; of one age
  logic         found;
  always_comb begin
    still = ~(x0_q | x1_q | y0_q | y1_q);
    lru_o = '0;
    found = 1'b0;
    old   = '0;
    if (query_i) begin
      for (int k = 1; k <= Oldest; k++) begin
        old   = aged(ages_q, N - k) & still;
        lru_o = lru_o | (found ? '0 : old);
        found = found | |old;
      end
    end
  end
endmodule
`default_nettype wire
