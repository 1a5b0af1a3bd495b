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
  localparam int Oldest = 5;

  if (N < 5) begin : gen_bad_n
    gmmu_lru_deep_N_must_be_at_least_5 u_bad();
  end

  `include "gmmu_ages.svh"

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

  logic [AgesW-1:0] ages_q, ages_d;
  logic [N-1:0]     touch0_q, touch1_q;      // first stage
  logic [N-1:0]     change0_q, change1_q;    // second stage; they differ
  logic [WayW-1:0]  change0_age_q, change1_age_q;
  logic             change0, change1;
  assign change0 = |change0_q;
  assign change1 = |change1_q;

  // ---- second stage
  logic [N-1:0] by_change0, by_change1, carry, plane;
  always_comb begin
    ages_d = ages_q;
    by_change0  = '0;
    by_change1  = '0;
    carry  = '0;
    plane  = '0;
    if (change0 | change1) begin
      by_change0 = change0 ? younger(ages_q, change0_age_q) : '0;
      by_change1 = change1 ? younger(ages_q, change1_age_q) : '0;
      for (int b = 0; b < WayW; b++) begin
        plane = ages_q[b*N +: N];
        if (b == 0) begin
          ages_d[N-1:0] = plane ^ by_change0 ^ by_change1;
          carry         = (by_change0 & by_change1) | (plane & (by_change0 ^ by_change1));
        end else begin
          ages_d[b*N +: N] = plane ^ carry;
          if (b < WayW - 1) carry = plane & carry;   // no age overflows
        end
        // change1 comes last; change0 is behind it
        ages_d[b*N +: N] = ages_d[b*N +: N] & ~(change0_q | change1_q);
      end
      ages_d[N-1:0] = ages_d[N-1:0] | (change1 ? change0_q : '0);
    end
  end

  // ---- first stage: the age that a way has behind the second one
  function automatic logic [WayW-1:0] behind(input logic [WayW-1:0] age, input logic is_change0,
      input logic is_change1, input logic has_change0, input logic [WayW-1:0] change0_age,
      input logic has_change1, input logic [WayW-1:0] change1_age);
    logic below_change0, below_change1;
    begin
      below_change0 = has_change0 & age < change0_age;
      below_change1 = has_change1 & age < change1_age;
      behind = is_change1 ? '0 : is_change0 ? WayW'(has_change1) :
          age + WayW'(below_change0) + WayW'(below_change1);
    end
  endfunction
  logic [WayW-1:0] touch0_age, touch1_age;
`ifdef VERILATOR    // only of a touch, as ages are given to functions in copies
  always_comb begin
    {touch0_age, touch1_age} = '0;
    if (|touch0_q) begin
      touch0_age = behind(age_of(ages_q, touch0_q), |(touch0_q & change0_q),
          |(touch0_q & change1_q), change0, change0_age_q, change1, change1_age_q);
    end
    if (|touch1_q) begin
      touch1_age = behind(age_of(ages_q, touch1_q), |(touch1_q & change0_q),
          |(touch1_q & change1_q), change0, change0_age_q, change1, change1_age_q);
    end
  end
`else
  assign touch0_age = behind(age_of(ages_q, touch0_q), |(touch0_q & change0_q),
      |(touch0_q & change1_q), change0, change0_age_q, change1, change1_age_q);
  assign touch1_age = behind(age_of(ages_q, touch1_q), |(touch1_q & change0_q),
      |(touch1_q & change1_q), change0, change0_age_q, change1, change1_age_q);
`endif
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      ages_q <= RESET_AGES;
      touch0_q   <= '0;
      touch1_q   <= '0;
      change0_q   <= '0;
      change1_q   <= '0;
    end else begin
      ages_q <= ages_d;
      touch0_q   <= touch_i[N-1:0];
      touch1_q   <= touch_i[2*N-1:N];
      change0_q   <= touch0_q;
      change1_q   <= touch1_q & ~touch0_q;    // twice the same way: once
    end
  end
  always_ff @(posedge clk_i) begin
    change0_age_q <= touch0_age;
    change1_age_q <= touch1_age;
  end

  // ---- the least recent
  logic [N-1:0] still, old;      // not on its way; of one age
  logic         found;
  always_comb begin
    still = ~(touch0_q | touch1_q | change0_q | change1_q);
    lru_o = '0;
    found = 1'b0;
    old   = '0;
    if (query_i) begin
      for (int age = 1; age <= Oldest; age++) begin
        old   = aged(ages_q, N - age) & still;
        lru_o = lru_o | (found ? '0 : old);
        found = found | |old;
      end
    end
  end
endmodule
`default_nettype wire
