// SPDX-License-Identifier: Apache-2.0
// gmmu_dram_search: the columns and the row command that the requests of one queue ask for in the
// two banks of a group, in three steps. Rules: docs/dram_sched.md. Source: MASK section 5.4.
//
// Steps, a cycle each; another search may begin in every cycle:
// 1 what each request asks for, and of which classes there are such; meanwhile which one is next;
// 2 the first of each class in the banks that the caller allows on kinds_o, and of these the class
// that it picks; 3 they are in sel_*_o. A request that moves down takes its bits along (keep_i).
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
  // step 1: the group
  input  logic [1:0]     group_i,
  // step 2: {low, high, next} x two banks x {miss, write, read}: there is one that asks for it.
  // miss: another row
  output logic [17:0]    kinds_o,
  output logic [1:0]     any_o,    // any that asks, per bank
  output logic [1:0]     head_o,   // Fifo: the oldest asks for another row there
  input  logic [2:0]     col_i,    // the class whose column, or whose row command is picked
  input  logic [2:0]     row_i,
  input  logic [1:0]     rd_ok_i,  // in which banks: columns of next,
  input  logic [1:0]     wr_ok_i,
  input  logic [1:0]     rd_low_i, // ... of the others,
  input  logic [1:0]     wr_low_i,
  input  logic [5:0]     row_ok_i, // ... row commands of {low, high, next}
  // step 3
  output logic [N-1:0]   sel_col_o,
  output logic [N-1:0]   sel_second_o,
  output logic [N-1:0]   sel_row_o
);
  `include "gmmu_first.svh"
  `include "gmmu_second.svh"
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
  logic [17:0]    kinds;
  assign of_class = {low, high, classes_next};
  assign of_kind  = {rows & ~hit_i, cols & hit_i & write_i, cols & hit_i & ~write_i};
  for (genvar c = 0; c < 3; c++) begin : gen_class
    for (genvar k = 0; k < 3; k++) begin : gen_kind
      assign kinds[c*6 + k]     = |(of_class[c*N +: N] & of_kind[k*N +: N] & ~upper);
      assign kinds[c*6 + 3 + k] = |(of_class[c*N +: N] & of_kind[k*N +: N] & upper);
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      kinds_o <= '0;
      any_o   <= '0;
      head_o  <= '0;
    end else begin
      kinds_o <= kinds;
      any_o   <= {|(asks & upper), |(asks & ~upper)};
      head_o  <= {|(cols & ~hit_i & upper), |(cols & ~hit_i & ~upper)};
    end
  end
  logic [N-1:0] reads_q, writes_q, miss_q, was_next_q, high_q;
  always_ff @(posedge clk_i) begin
    reads_q    <= shifted(of_kind[0 +: N], keep_i);
    writes_q   <= shifted(of_kind[N +: N], keep_i);
    miss_q     <= shifted(of_kind[2*N +: N], keep_i);
    was_next_q <= shifted(classes_next, keep_i);
    high_q     <= shifted(high, keep_i);
  end

  // Step 2: bits of the banks in which a bit of `ok` is set.
  function automatic logic [N-1:0] banks(input logic [1:0] ok, input logic [N-1:0] up);
    begin
      banks = (up & {N{ok[1]}}) | (~up & {N{ok[0]}});
    end
  endfunction
  logic [N-1:0] can, col_high, row_high, col_d, second_d, row_d;
  assign can      = (reads_q & banks(rd_low_i, upper)) | (writes_q & banks(wr_low_i, upper));
  assign col_high = can & high_q;
  assign row_high = miss_q & high_q & banks(row_ok_i[3:2], upper);
  if (Fifo) begin : gen_one
    assign col_d    = col_high & {N{col_i[1]}};   // one at most
    assign row_d    = first(row_high) & {N{row_i[1]}};
    assign second_d = '0;
  end else begin : gen_three
    logic [N-1:0] col_next, row_next, col_low, row_low;
    assign col_next = was_next_q & ((reads_q & banks(rd_ok_i, upper)) |
        (writes_q & banks(wr_ok_i, upper)));
    assign row_next = was_next_q & miss_q & banks(row_ok_i[1:0], upper);
    assign col_low  = can & ~high_q;
    assign row_low  = miss_q & ~high_q & banks(row_ok_i[5:4], upper);
    assign col_d    = (col_next & {N{col_i[0]}}) | (first(col_high) & {N{col_i[1]}}) |
        (first(col_low) & {N{col_i[2]}});
    assign row_d    = (row_next & {N{row_i[0]}}) | (first(row_high) & {N{row_i[1]}}) |
        (first(row_low) & {N{row_i[2]}});
    assign second_d = (second(col_high) & {N{col_i[1]}}) | (second(col_low) & {N{col_i[2]}});
  end
  always_ff @(posedge clk_i) begin
    sel_col_o    <= shifted(col_d, keep_i);
    sel_second_o <= shifted(second_d, keep_i);
    sel_row_o    <= shifted(row_d, keep_i);
  end
endmodule
`default_nettype wire
