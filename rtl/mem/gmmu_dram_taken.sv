// SPDX-License-Identifier: Apache-2.0
// gmmu_dram_taken: which requests of one queue were found and leave it. Rules: docs/dram_sched.md.
//
// The one that is taken first leaves in the next cycle (leaving_o), and those above it move down in
// the one after that (keep_o: those below; hole_o). The second, of Behind=1 only, waits in one of
// two places until pop_i, at which nothing else is taken; place_i: in the later one.
`default_nettype none
`include "gmmu_assert.svh"
module gmmu_dram_taken #(
  parameter int Entries = 256,
  parameter bit Behind  = 1'b1,
  localparam int N      = Entries
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic [N-1:0] put_at_i,   // a request enters there
  input  logic [N-1:0] first_i,
  input  logic         take_i,
  input  logic [N-1:0] second_i,
  input  logic         take_second_i,
  input  logic         place_i,
  input  logic         pop_i,
  output logic [N-1:0] taken_o,
  output logic [N-1:0] leaving_o,
  output logic [N-1:0] keep_o,
  output logic         hole_o
);
  `include "gmmu_first.svh"
  `include "gmmu_shift.svh"

  // above: the one that leaves, and all above it; leaves: there is one.
  logic [N-1:0] gone, gone_second, popped, above, above_popped, above_q, moves;
  logic         leaves, leaves_q;
  assign gone = first_i & {N{take_i}};
  if (Behind) begin : gen_behind
    logic [N-1:0] early_q, late_q;
    assign gone_second  = second_i & {N{take_second_i}};
    assign popped       = early_q & {N{pop_i}};
    assign above_popped = upwards(early_q) & {N{pop_i}};
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        early_q <= '0;
        late_q  <= '0;
      end else begin
        early_q <= shifted((pop_i ? late_q : early_q) | (gone_second & {N{!place_i}}), keep_o);
        late_q  <= shifted((late_q & {N{!pop_i}}) | (gone_second & {N{place_i}}), keep_o);
      end
    end
  end else begin : gen_none
    assign gone_second  = '0;
    assign popped       = '0;
    assign above_popped = '0;
  end

  // A vector of what is above a place, after the shift of this cycle.
  function automatic logic [N-1:0] lowered(input logic [N-1:0] v, input logic any,
      input logic [N-1:0] stay);
    logic [N:0] all;
    begin
      all     = {any, v};
      lowered = (v & stay) | (all[N:1] & ~stay);
    end
  endfunction
  assign above  = (upwards(first_i) & {N{take_i}}) | above_popped;
  assign leaves = take_i || (Behind && pop_i);
  assign moves  = lowered(above_q, leaves_q, keep_o);
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      taken_o   <= '0;
      leaving_o <= '0;
      above_q   <= '0;
      leaves_q  <= 1'b0;
      keep_o    <= '1;
      hole_o    <= 1'b0;
    end else begin
      taken_o   <= shifted(taken_o | gone | gone_second, keep_o) & ~put_at_i;
      leaving_o <= shifted(gone | popped, keep_o);
      above_q   <= lowered(above, leaves, keep_o);
      leaves_q  <= leaves;
      hole_o    <= leaves_q;
      keep_o    <= ~moves;
    end
  end

  `GMMU_ASSERT(dram_taken_above, above_q == upwards(leaving_o))
  `GMMU_ASSERT(dram_taken_one, leaves_q ? $onehot(leaving_o) : leaving_o == '0)
endmodule
`default_nettype wire
