// SPDX-License-Identifier: Apache-2.0
// gmmu_dram_found: step 3 of the searches of one DRAM channel: which of the commands that were
// found count; a cycle later requests leave their queue, and rows open and close for what is looked
// for. Rules: docs/dram_sched.md.
//
// A column of the queues is {upper bit of its bank, column, slot, write, home silver}; where it
// stands it is {column, slot, auto-precharge, write}.
`default_nettype none
module gmmu_dram_found #(
  parameter bit ClosedRow = 1'b0,
  parameter int RowW      = 16,
  parameter int ColW      = 6,
  parameter int SlotW     = 9,
  localparam int FoundW   = ColW + SlotW + 3,
  localparam int PlaceW   = ColW + SlotW + 2
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  // what was found, of class golden or of another one
  input  logic [1:0]        group_i,
  input  logic              col_i,
  input  logic              row_i,
  input  logic              col_first_i,   // of two for one bank the column counts
  input  logic              pre_i,
  input  logic              col_gold_i,
  input  logic              row_gold_i,
  input  logic [FoundW-1:0] first_a_i,     // in the array, in the golden queue
  input  logic [FoundW-1:0] first_g_i,
  input  logic              two_a_i,       // there is a second one
  input  logic [FoundW-1:0] second_a_i,
  input  logic [1:0]        more_i,        // yet another request is for the open row
  input  logic              row_bank_a_i,
  input  logic              row_bank_g_i,
  input  logic [RowW-1:0]   row_a_i,
  input  logic [RowW-1:0]   row_g_i,
  // what counts
  output logic              col_o,
  output logic              col_upper_o,
  output logic [PlaceW-1:0] col_place_o,
  output logic              second_o,
  output logic              second_upper_o,
  output logic [PlaceW-1:0] second_place_o,
  output logic              row_o,
  output logic [2:0]        row_bank_o,
  output logic [RowW-1:0]   row_row_o,
  output logic              pop_o,         // see gmmu_dram_taken
  output logic              place_o,
  // a cycle later, or later: a request leaves
  output logic              left_o,
  output logic              left_second_o, // it came second
  output logic [2:0]        left_bank_o,
  output logic [ColW-1:0]   left_col_o,
  output logic              left_we_o,
  output logic              left_golden_o,
  output logic              left_silver_o,
  // a cycle later
  output logic              found_second_o,
  output logic [1:0]        found_group_o,
  input  logic              prea_i,
  output logic              act_o,         // row of_row_o of act_bank_o opens
  output logic [2:0]        act_bank_o,
  output logic [RowW-1:0]   of_row_o,      // of that, or of what came second and leaves
  output logic [7:0]        close_o,
  output logic [7:0]        changes_o,
  output logic [7:0]        open_o,
  input  logic              in_last_i,     // see gmmu_dram_rows
  input  logic              in_put_i,
  input  logic              in_t_i,
  input  logic [4*(3+RowW)-1:0] in_i,
  output logic              in_hit_o
);
  // The second column goes the first one's way, in a bank that has no row command, if its request
  // has a place to wait in until it leaves.
  logic              same, room, row_upper, col_we, col_home, col_ap;
  logic              second_we, second_home, second_ap;
  logic [FoundW-1:0] first;
  logic [ColW-1:0]   col_col, second_col;
  logic [SlotW-1:0]  col_slot, second_slot;
  assign first      = col_gold_i ? first_g_i : first_a_i;
  assign {col_upper_o, col_col, col_slot, col_we, col_home} = first;
  assign {second_upper_o, second_col, second_slot, second_we, second_home} = second_a_i;
  assign row_upper  = row_gold_i ? row_bank_g_i : row_bank_a_i;
  assign row_row_o  = row_gold_i ? row_g_i : row_a_i;
  assign row_bank_o = {row_upper, group_i};
  assign same       = col_i && row_i && col_upper_o == row_upper;
  assign col_o      = col_i && !(same && !col_first_i);
  assign row_o      = row_i && !(same && col_first_i);
  assign second_o   = col_o && !col_gold_i && two_a_i && second_we == col_we && room &&
      !(row_o && row_upper == second_upper_o);
  assign col_ap     = ClosedRow && !more_i[col_upper_o] &&
      !(two_a_i && second_upper_o == col_upper_o);
  assign second_ap  = ClosedRow && !more_i[second_upper_o];
  assign col_place_o    = {col_col, col_slot, col_ap, col_we};
  assign second_place_o = {second_col, second_slot, second_ap, second_we};

  // A cycle later.
  logic            row_q, pre_q;
  logic [7:0]      closes_q;
  logic [RowW-1:0] second_row;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      row_q          <= 1'b0;
      found_second_o <= 1'b0;
      closes_q       <= '0;
    end else begin
      row_q          <= row_o;
      found_second_o <= second_o;
      closes_q       <= ({7'd0, col_o && col_ap} << {col_upper_o, group_i}) |
          ({7'd0, second_o && second_ap} << {second_upper_o, group_i});
    end
  end
  always_ff @(posedge clk_i) begin
    found_group_o <= group_i;
    {pre_q, act_bank_o} <= {pre_i, row_bank_o};
  end
  gmmu_dram_leaves #(.RowW(RowW), .ColW(ColW)) u_leaves (
    .clk_i, .rst_ni, .first_i(col_o), .first_bank_i({col_upper_o, group_i}), .first_col_i(col_col),
    .first_we_i(col_we), .first_golden_i(col_gold_i), .first_silver_i(!col_gold_i && col_home),
    .opens_i(row_o && !pre_i), .opens_row_i(row_row_o), .second_i(second_o),
    .second_bank_i({second_upper_o, group_i}), .second_row_i(second_row), .second_col_i(second_col),
    .second_we_i(second_we), .second_silver_i(second_home), .room_o(room), .pop_o, .place_o,
    .left_o, .left_second_o, .left_bank_o, .of_row_o, .left_col_o, .left_we_o, .left_golden_o,
    .left_silver_o
  );
  gmmu_dram_rows #(.RowW(RowW)) u_rows (
    .clk_i, .rst_ni, .row_i(row_q), .pre_i(pre_q), .bank_i(act_bank_o), .row_row_i(of_row_o),
    .ap_i(closes_q), .prea_i, .act_o, .close_o, .changes_o, .open_o, .in_last_i, .in_put_i,
    .in_t_i, .in_i, .in_hit_o, .of_bank_i({second_upper_o, group_i}), .of_row_o(second_row)
  );
endmodule
`default_nettype wire
