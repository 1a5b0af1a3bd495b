// SPDX-License-Identifier: Apache-2.0
// gmmu_dram_search: the column and the row command that the requests of one queue ask for in the
// two banks of a group, in four steps. Rules: docs/dram_sched.md. Source: MASK section 5.4.
//
// Steps, a cycle each; another search may begin in every cycle:
// 1 what each request asks for, and of which classes there are such; meanwhile which one is next;
// 2 the caller decides on kinds_o what is picked (col_i, row_i and the banks); 3 the first of those;
// 4 it is in sel_col_o and sel_row_o. A request that moves down takes its bits along (keep_i).
// Fifo=1: translations: columns in order, rows the oldest of each bank. Legal: Entries 1..512.
`default_nettype none
module gmmu_dram_search #(
  parameter int Entries  = 256,
  parameter bit Fifo     = 1'b0,
  localparam int N       = Entries
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  // the requests, oldest first
  input  logic [N-1:0] asks_i,    // for a command
  input  logic [N-1:0] hit_i,     // its row is open
  input  logic [N-1:0] write_i,
  input  logic [N-1:0] silver_i,
  input  logic [N-1:0] urgent_i,  // needed or old
  input  logic [3*N-1:0] bank_i,
  input  logic [N-1:0] keep_i,    // of the shift at the end of this cycle
  // step 1: the group
  input  logic [1:0]   group_i,
  // step 2: {low, high, next} x two banks x {miss, write, read}: there is one that asks for it;
  // high: silver, or golden. miss: another row
  output logic [17:0]  kinds_o,
  output logic [1:0]   any_o,     // any that asks, per bank
  input  logic [2:0]   col_i,     // the class whose column, or whose row command is picked
  input  logic [2:0]   row_i,
  input  logic [1:0]   rd_ok_i,   // in which banks
  input  logic [1:0]   wr_ok_i,
  input  logic [1:0]   row_ok_i,
  // step 4
  output logic [N-1:0] sel_col_o,
  output logic [N-1:0] sel_row_o
);
  `include "gmmu_first.svh"
  `include "gmmu_shift.svh"

  // Step 1.
  logic [N-1:0] here, asks, upper, cols, rows, classes_next, high, low;
  logic [N-1:0] rd_q, wr_q, miss_q, next_q, s1_next_q, s1_silver_q;
  logic [17:0]  kinds;
  assign upper = bank_i[2*N +: N];
  assign here  = ~(bank_i[N +: N] ^ {N{group_i[1]}}) & ~(bank_i[0 +: N] ^ {N{group_i[0]}});
  assign asks  = asks_i & here;
  if (Fifo) begin : gen_fifo
    assign cols = first(asks_i) & here;
    assign rows = first(asks & ~upper) | first(asks & upper);
    assign high = asks;
    assign low  = '0;
    assign next_q       = '0;
    assign classes_next = '0;
  end else begin : gen_classes
    assign cols = asks;
    assign rows = asks;
    assign high = asks & silver_i;
    assign low  = asks & ~silver_i;
    assign classes_next = asks & next_q;
    always_ff @(posedge clk_i) next_q <= shifted(first(asks_i & urgent_i), keep_i);
  end
  logic [3*N-1:0] of_class, of_kind;
  assign of_class = {low, high, classes_next};
  assign of_kind  = {rows & ~hit_i, cols & hit_i & write_i, cols & hit_i & ~write_i};
  always_comb begin
    for (int c = 0; c < 3; c++)
      for (int k = 0; k < 3; k++) begin
        kinds[c*6 + k]     = |(of_class[c*N +: N] & of_kind[k*N +: N] & ~upper);
        kinds[c*6 + 3 + k] = |(of_class[c*N +: N] & of_kind[k*N +: N] & upper);
      end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      kinds_o <= '0;
      any_o   <= '0;
    end else begin
      kinds_o <= kinds;
      any_o   <= {|(asks & upper), |(asks & ~upper)};
    end
  end
  always_ff @(posedge clk_i) begin
    rd_q   <= shifted(of_kind[0 +: N], keep_i);
    wr_q   <= shifted(of_kind[N +: N], keep_i);
    miss_q <= shifted(of_kind[2*N +: N], keep_i);
    s1_next_q   <= shifted(classes_next, keep_i);
    s1_silver_q <= shifted(high, keep_i);
  end

  // Step 2.
  logic [N-1:0] col_of, row_of, col_d, row_d, col_q, row_q;
  assign col_of = (s1_next_q & {N{col_i[0]}}) | (s1_silver_q & {N{col_i[1]}}) |
      (~s1_silver_q & {N{col_i[2]}});
  assign row_of = (s1_next_q & {N{row_i[0]}}) | (s1_silver_q & {N{row_i[1]}}) |
      (~s1_silver_q & {N{row_i[2]}});
  assign col_d = col_of & ((rd_q & ((upper & {N{rd_ok_i[1]}}) | (~upper & {N{rd_ok_i[0]}}))) |
      (wr_q & ((upper & {N{wr_ok_i[1]}}) | (~upper & {N{wr_ok_i[0]}}))));
  assign row_d = row_of & miss_q & ((upper & {N{row_ok_i[1]}}) | (~upper & {N{row_ok_i[0]}}));
  always_ff @(posedge clk_i) begin
    col_q <= shifted(col_d, keep_i);
    row_q <= shifted(row_d, keep_i);
  end

  // Step 3.
  always_ff @(posedge clk_i) begin
    sel_col_o <= shifted(first(col_q), keep_i);
    sel_row_o <= shifted(first(row_q), keep_i);
  end
endmodule
`default_nettype wire
