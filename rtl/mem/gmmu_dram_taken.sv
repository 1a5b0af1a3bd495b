// SPDX-License-Identifier: Apache-2.0
// gmmu_dram_taken: which requests of one queue were found and leave it. Rules: docs/dram_sched.md.
//
// The one that is taken first leaves in the next cycle (leaving_o), and those above it move down in
// the one after that (keep_o: those below; hole_o). The second, of Behind=1 only, waits in one of
// two places until pop_i, at which nothing else is taken; place_i: in the later one.
`default_nettype none
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
  `include "gmmu_shift.svh"

  // The entries below that of a one-hot vector.
  function automatic logic [N-1:0] below(input logic [N-1:0] v);
    logic [N:0] moved;
    begin
      moved = {1'b0, v};
      below = moved[N:1];
      for (int s = 1; s < N; s = s * 2) below = below | (below >> s);
    end
  endfunction

  logic [N-1:0] gone, gone_second, popped;
  assign gone = first_i & {N{take_i}};
  if (Behind) begin : gen_behind
    logic [N-1:0] early_q, late_q;
    assign gone_second = second_i & {N{take_second_i}};
    assign popped      = early_q & {N{pop_i}};
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
    assign gone_second = '0;
    assign popped      = '0;
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      taken_o   <= '0;
      leaving_o <= '0;
      keep_o    <= '1;
      hole_o    <= 1'b0;
    end else begin
      taken_o   <= shifted(taken_o | gone | gone_second, keep_o) & ~put_at_i;
      leaving_o <= shifted(gone | popped, keep_o);
      hole_o    <= |leaving_o;
      keep_o    <= |leaving_o ? shifted(below(leaving_o), keep_o) : '1;
    end
  end
endmodule
`default_nettype wire
