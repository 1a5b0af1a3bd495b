// SPDX-License-Identifier: Apache-2.0
// gmmu_dram_search: the columns and the row command that the requests of one queue ask for in the
// two banks of a group, in three steps. Rules: docs/dram_sched.md. Source: MASK section 5.4.
//
// Steps, a cycle each; another search may begin in every cycle:
// 1 what each request asks for, and of which classes there are such (kinds_o), of which the caller
// says in the next cycle where it allows them; meanwhile which one is next;
// 2 the first of each class in each bank and in both, and of these what is allowed;
// 3 they are in sel_*_o. A request that moves down takes its bits along (keep_i).
// Classes: next, high (silver, or golden), low. Fifo=1: translations, all high: columns in order
// and no second one, rows the oldest of each bank. Legal: Entries 1..512.
`default_nettype none
module gmmu_dram_search #(
  parameter int Entries = 256,
  parameter bit Fifo    = 1'b0,
  localparam int N      = Entries
) (
  input  logic           clk_i,
  input  logic           rst_ni,
  // the requests, oldest first
  input  logic [N-1:0]   asks_i,   // for a command
  input  logic [N-1:0]   hit_i,    // its row is open
  input  logic [N-1:0]   write_i,
  input  logic [N-1:0]   silver_i,
  input  logic [N-1:0]   urgent_i, // needed or old
  input  logic [3*N-1:0] bank_i,
  input  logic [N-1:0]   keep_i,   // of the shift at the end of this cycle
  // step 1: the group, and in which banks columns may be looked for
  input  logic [1:0]     group_i,
  input  logic [1:0]     rd_may_i,
  input  logic [1:0]     wr_may_i,
  // {low, high, next} x two banks x {miss, write, read}: there is one that asks for it. miss:
  // another row
  output logic [17:0]    kinds_o,
  output logic [1:0]     next_o,   // next asks, per bank,
  output logic [1:0]     any_o,    // any of class high
  output logic [1:0]     head_o,   // Fifo: the oldest asks for another row there
  // step 2: the class, {low, high, next}, that gives columns, and the banks, {both, upper, lower},
  // in which low and high may; those in which {low, high} give the row command; next does
  input  logic [2:0]     col_i,
  input  logic [2:0]     col_banks_i,
  input  logic [5:0]     row_banks_i,
  input  logic           row_next_i,
  // step 3
  output logic [N-1:0]   sel_col_o,
  output logic [N-1:0]   sel_second_o,
  output logic [N-1:0]   sel_row_o
);
  `include "gmmu_first.svh"
  `include "gmmu_shift.svh"

  // Step 1.
  logic [N-1:0] here, asks, upper, cols, rows, classes_next, high, low, next_q;
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
  for (genvar c = 0; c < 3; c++) begin : gen_class
    for (genvar k = 0; k < 3; k++) begin : gen_kind
      assign kinds_o[c*6 + k]     = |(of_class[c*N +: N] & of_kind[k*N +: N] & ~upper);
      assign kinds_o[c*6 + 3 + k] = |(of_class[c*N +: N] & of_kind[k*N +: N] & upper);
    end
  end
  assign next_o = {|(classes_next & upper), |(classes_next & ~upper)};
  assign any_o  = {|(high & upper), |(high & ~upper)};
  assign head_o = {|(cols & ~hit_i & upper), |(cols & ~hit_i & ~upper)};

  // Bits of the banks in which a bit of `ok` is set.
  function automatic logic [N-1:0] banks(input logic [1:0] ok, input logic [N-1:0] up);
    begin
      banks = (up & {N{ok[1]}}) | (~up & {N{ok[0]}});
    end
  endfunction
  logic [N-1:0] can, misses;
  assign can = (of_kind[0 +: N] & banks(rd_may_i, upper)) |
      (of_kind[N +: N] & banks(wr_may_i, upper));
  assign misses = of_kind[2*N +: N];

  // Step 2.
  logic [N-1:0] col_high, row_high, col_d, second_d, row_d;
  gmmu_dram_pick #(.Entries(N), .Second(1'b0)) u_row_high (
    .clk_i, .v_i(misses & high), .upper_i(upper), .keep_i,
    .banks_i(row_banks_i[2:0]), .first_o(row_high), .second_o()
  );
  if (Fifo) begin : gen_one
    logic [N-1:0] col_q;   // one at most
    always_ff @(posedge clk_i) col_q <= shifted(can & high, keep_i);
    assign col_high = col_q & {N{col_i[1]}};
    assign col_d    = col_high;
    assign row_d    = row_high;
    assign second_d = '0;
  end else begin : gen_three
    // next is one request: what is picked of it is its own
    logic [N-1:0] col_low, row_low, second_high, second_low, col_next_q, row_next_q;
    gmmu_dram_pick #(.Entries(N)) u_col_high (
      .clk_i, .v_i(can & high), .upper_i(upper), .keep_i,
      .banks_i(col_banks_i & {3{col_i[1]}}), .first_o(col_high), .second_o(second_high)
    );
    gmmu_dram_pick #(.Entries(N)) u_col_low (
      .clk_i, .v_i(can & low), .upper_i(upper), .keep_i,
      .banks_i(col_banks_i & {3{col_i[2]}}), .first_o(col_low), .second_o(second_low)
    );
    gmmu_dram_pick #(.Entries(N), .Second(1'b0)) u_row_low (
      .clk_i, .v_i(misses & low), .upper_i(upper), .keep_i,
      .banks_i(row_banks_i[5:3]), .first_o(row_low), .second_o()
    );
    always_ff @(posedge clk_i) begin
      col_next_q <= shifted(can & classes_next, keep_i);
      row_next_q <= shifted(misses & classes_next, keep_i);
    end
    assign col_d = col_high | col_low | (col_next_q & {N{col_i[0]}});
    assign row_d = row_high | row_low | (row_next_q & {N{row_next_i}});
    assign second_d = second_high | second_low;
  end
  always_ff @(posedge clk_i) begin
    sel_col_o    <= shifted(col_d, keep_i);
    sel_second_o <= shifted(second_d, keep_i);
    sel_row_o    <= shifted(row_d, keep_i);
  end
endmodule
`default_nettype wire
