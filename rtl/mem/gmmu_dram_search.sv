// SPDX-License-Identifier: Apache-2.0
// gmmu_dram_search: the columns and the row command that the requests of one queue ask for in the
// two banks of a group, in three steps. Rules: docs/dram_sched.md. Source: MASK section 5.4.
//
// Steps, a cycle each; another search may begin in every cycle:
// 1 what each request asks for, and of which classes there are such; meanwhile which one is next;
// 2 the first of each class in each bank and in both, and of these what the caller allows on
// kinds_o; 3 they are in sel_*_o. A request that moves down takes its bits along (keep_i).
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
  // step 2: {low, high, next} x two banks x {miss, write, read}: there is one that asks for it.
  // miss: another row
  output logic [17:0]    kinds_o,
  output logic [1:0]     next_o,   // next asks, per bank,
  output logic [1:0]     any_o,    // any of class high
  output logic [1:0]     head_o,   // Fifo: the oldest asks for another row there
  // of which class, {low, high, next}, and in which of the two banks
  input  logic [5:0]     col_i,
  input  logic [5:0]     row_i,
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
    logic [N-1:0] first_urgent;
    gmmu_dram_pick #(.Entries(N), .Second(1'b0)) u_next (
      .v_i(asks_i & urgent_i), .upper_i({N{1'b0}}), .banks_i(2'b01), .first_o(first_urgent),
      .second_o()
    );
    always_ff @(posedge clk_i) next_q <= shifted(first_urgent, keep_i);
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
      next_o  <= '0;
      any_o   <= '0;
      head_o  <= '0;
    end else begin
      kinds_o <= kinds;
      next_o  <= {|(classes_next & upper), |(classes_next & ~upper)};
      any_o   <= {|(high & upper), |(high & ~upper)};
      head_o  <= {|(cols & ~hit_i & upper), |(cols & ~hit_i & ~upper)};
    end
  end
  // Bits of the banks in which a bit of `ok` is set.
  function automatic logic [N-1:0] banks(input logic [1:0] ok, input logic [N-1:0] up);
    begin
      banks = (up & {N{ok[1]}}) | (~up & {N{ok[0]}});
    end
  endfunction
  logic [N-1:0] can, upper_q, was_next_q, col_high_q, col_low_q, row_high_q, row_low_q;
  assign can = (of_kind[0 +: N] & banks(rd_may_i, upper)) |
      (of_kind[N +: N] & banks(wr_may_i, upper));
  always_ff @(posedge clk_i) begin
    upper_q    <= shifted(upper, keep_i);
    was_next_q <= shifted(classes_next, keep_i);
    col_high_q <= shifted(can & high, keep_i);
    col_low_q  <= shifted(can & low, keep_i);
    row_high_q <= shifted(of_kind[2*N +: N] & high, keep_i);
    row_low_q  <= shifted(of_kind[2*N +: N] & low, keep_i);
  end

  // Step 2.
  logic [N-1:0] col_high, row_high, col_d, second_d, row_d;
  gmmu_dram_pick #(.Entries(N), .Second(1'b0)) u_row_high (
    .v_i(row_high_q), .upper_i(upper_q), .banks_i(row_i[3:2]), .first_o(row_high), .second_o()
  );
  if (Fifo) begin : gen_one
    assign col_high = col_high_q & banks(col_i[3:2], upper_q);  // one at most
    assign col_d    = col_high;
    assign row_d    = row_high;
    assign second_d = '0;
  end else begin : gen_three
    // next is one request: what is picked of it is its own
    logic [N-1:0] col_low, row_low, second_high, second_low;
    gmmu_dram_pick #(.Entries(N)) u_col_high (
      .v_i(col_high_q), .upper_i(upper_q), .banks_i(col_i[3:2]), .first_o(col_high),
      .second_o(second_high)
    );
    gmmu_dram_pick #(.Entries(N)) u_col_low (
      .v_i(col_low_q), .upper_i(upper_q), .banks_i(col_i[5:4]), .first_o(col_low),
      .second_o(second_low)
    );
    gmmu_dram_pick #(.Entries(N), .Second(1'b0)) u_row_low (
      .v_i(row_low_q), .upper_i(upper_q), .banks_i(row_i[5:4]), .first_o(row_low), .second_o()
    );
    assign col_d = col_high | col_low |
        (was_next_q & (col_high_q | col_low_q) & {N{col_i[1:0] != '0}});
    assign row_d = row_high | row_low |
        (was_next_q & (row_high_q | row_low_q) & {N{row_i[1:0] != '0}});
    assign second_d = second_high | second_low;
  end
  always_ff @(posedge clk_i) begin
    sel_col_o    <= shifted(col_d, keep_i);
    sel_second_o <= shifted(second_d, keep_i);
    sel_row_o    <= shifted(row_d, keep_i);
  end
endmodule
`default_nettype wire
