// SPDX-License-Identifier: Apache-2.0
// gmmu_dram_leaves: the requests of one DRAM channel that were found and leave their queue, one a
// cycle: the first of a search a cycle later, the second in a cycle in which no first one leaves
// and no row opens, in order. Rules: docs/dram_sched.md.
//
// room_o: a second one may come. pop_o: one that came second leaves in the next cycle; place_o: a
// second one that comes now is the later of two.
`default_nettype none
`include "gmmu_assert.svh"
module gmmu_dram_leaves #(
  parameter int RowW = 16,
  parameter int ColW = 6
) (
  input  logic            clk_i,
  input  logic            rst_ni,
  input  logic            first_i,
  input  logic [2:0]      first_bank_i,
  input  logic [ColW-1:0] first_col_i,
  input  logic            first_we_i,
  input  logic            first_golden_i,
  input  logic            first_silver_i,
  input  logic            opens_i,        // a row opens in the next cycle: this one
  input  logic [RowW-1:0] opens_row_i,
  input  logic            second_i,       // beside a first one only
  input  logic [2:0]      second_bank_i,
  input  logic [RowW-1:0] second_row_i,
  input  logic [ColW-1:0] second_col_i,
  input  logic            second_we_i,
  input  logic            second_silver_i,
  output logic            room_o,
  output logic            pop_o,
  output logic            place_o,
  // what leaves in this cycle
  output logic            left_o,
  output logic            left_second_o,
  output logic [2:0]      left_bank_o,
  output logic [RowW-1:0] of_row_o,       // the row that opens, or that of a second one
  output logic [ColW-1:0] left_col_o,
  output logic            left_we_o,
  output logic            left_golden_o,
  output logic            left_silver_o
);
  localparam int W = 3 + RowW + ColW + 2;

  logic [1:0]   waiting_q; // second ones
  logic [W-1:0] early_q, late_q, second;
  assign second  = {second_bank_i, second_row_i, second_col_i, second_we_i, second_silver_i};
  assign room_o  = !waiting_q[1];
  assign pop_o   = waiting_q != '0 && !first_i && !opens_i;
  assign place_o = waiting_q[0] && !pop_o;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      waiting_q     <= '0;
      left_o        <= 1'b0;
      left_second_o <= 1'b0;
    end else begin
      waiting_q     <= waiting_q + 2'(second_i) - 2'(pop_o);
      left_o        <= first_i || pop_o;
      left_second_o <= pop_o;
    end
  end
  always_ff @(posedge clk_i) begin
    if (pop_o) early_q <= late_q;
    else if (second_i && !place_o) early_q <= second;
    if (second_i) late_q <= second;
  end
  always_ff @(posedge clk_i) begin
    {left_bank_o, of_row_o, left_col_o, left_we_o, left_silver_o} <= early_q;
    if (first_i) {left_bank_o, left_col_o, left_we_o, left_silver_o} <=
        {first_bank_i, first_col_i, first_we_i, first_silver_i};
    if (opens_i) of_row_o <= opens_row_i;
    left_golden_o <= first_i && first_golden_i;
  end

  `GMMU_ASSERT(dram_leaves_second, !second_i || (first_i && room_o))
endmodule
`default_nettype wire
