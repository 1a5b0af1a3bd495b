// SPDX-License-Identifier: Apache-2.0
// Order to one line of a DRAM channel: of two requests to it, any, of which one is a write, the
// younger one's column is chosen only when the older one's has been; and a request that is the only
// one asks. All of their way to the queues, both queues, of translations and others, and how what
// was chosen leaves them, around any searches that choose among those that ask, columns of open
// rows, two in a search or one, and rows, none of a bank that opens or closes in this cycle
// (dram_search, dram_choice). Two banks of a group.
`default_nettype none
// Any search; here rd_may_i says which of the two banks neither opens nor closes, kinds_o that a
// request asks.
module gmmu_dram_search;  // parameters and ports of rtl/
  (* anyseq *) logic [Entries-1:0] any, any_second, any_row;
  logic [Entries-1:0] may, may_second, may_row, upper, quiet;
  assign upper        = bank_i[2*Entries +: Entries];
  assign quiet        = asks_i & ((upper & {Entries{rd_may_i[1]}}) |
      (~upper & {Entries{rd_may_i[0]}}));
  assign may          = quiet & hit_i & any;
  assign sel_col_o    = may & (~may + 1'b1);
  assign may_second   = Fifo || may == '0 ? '0 : quiet & hit_i & any_second & ~sel_col_o;
  assign sel_second_o = may_second & (~may_second + 1'b1);
  assign may_row      = quiet & ~hit_i & any_row;
  assign sel_row_o    = may_row & (~may_row + 1'b1);
  assign any_o        = {|may_row, |may};
  assign kinds_o      = {17'd0, |asks_i};
  assign {next_o, head_o} = '0;
endmodule

module prove_dram_line #(
  parameter int ClosedRow = 0,
  parameter int Covers    = 0,
  localparam int ArrayN   = 2,
  localparam int GoldN    = 1,
  localparam int LineW    = 5,     // bank, row, column
  localparam int SlotW    = 2,
  localparam int FoundW   = 1 + SlotW + 3
) (
  input  logic       clk_i,
  input  logic       t_i,
  input  logic       d_i,
  input  logic [2:0] line_i,      // bank 0 or 4, row, column
  input  logic       we_i,
  input  logic [1:0] who_i,       // 1, 2: the followed ones
  input  logic       gold_col_i,
  input  logic       gold_row_i,
  input  logic       col_first_i
);
  `include "prove.svh"

  // ---- newcomers
  logic             move, put, enter, free, to_golden, to_silver, put_same, count_same;
  logic             from_last, from_put, in_hit;
  logic [LineW:0]   line, in_line, count_line, last_line, enter_line;
  logic [SlotW-1:0] enter_slot;
  logic [3:0]       waits;
  logic [1:0]       some, less, left;      // of the array, of the golden queue
  logic [7:0]       clash;
  // ---- what is chosen, and leaves
  logic             found_col, found_row, col_gold, row_gold, col, second, row;
  logic             pop, place, leaves, left_second, left_col, left_we, left_golden;
  logic             act, of_row;
  logic [2:0]       left_bank, act_bank;
  logic [7:0]       close, changes, open;
  logic [3:0]       any, more;             // {row, column} of the golden queue, of the array
  logic [1:0]       rows, row_banks, twos;
  logic [35:0]      kinds;
  logic [2*FoundW-1:0] firsts, seconds;
  logic [FoundW-1:0] first;
  assign line = {line_i[2], 2'd0, line_i[1:0], we_i};
  gmmu_dram_way #(.Entries(ArrayN + GoldN), .LineW(LineW), .SlotW(SlotW), .ArrW(1),
      .GolW(1)) u_way (
    .clk_i, .rst_ni, .t_i, .d_i, .t_line_i(line), .d_line_i(line), .line_o(in_line),
    .golden_i(t_i), .silver_i(1'b0), .slot_i(who_i), .left_i(leaves), .left_bank_i(left_bank),
    .move_o(move), .put_o(put), .count_line_o(count_line), .conflicts_a_i(clash[3:0]),
    .conflicts_g_i(clash[7:4]), .conflict_i(|some), .one_less_i(|less), .one_left_i(|left),
    .last_line_o(last_line), .from_last_o(from_last), .from_put_o(from_put), .enter_o(enter),
    .enter_group_o(), .enter_line_o(enter_line), .enter_golden_o(to_golden),
    .enter_silver_o(to_silver), .enter_slot_o(enter_slot), .enter_waits_o(waits),
    .enter_free_o(free), .inherits_o(), .put_same_o(put_same), .count_same_o(count_same)
  );
  for (genvar q = 0; q < 2; q++) begin : gen_queue
    gmmu_dram_queue #(.Entries(q == 0 ? ArrayN : GoldN), .Fifo(q != 0), .RowW(1), .ColW(1),
        .SlotW(SlotW)) u_queue (
      .clk_i, .rst_ni, .move_i(move), .probe_bank_i(in_line[LineW -: 3]),
      .probe_row_i(in_line[2]), .probe_col_i(in_line[1]), .probe_we_i(in_line[0]),
      .count_we_i(count_line[0]), .conflicts_o(clash[4*q +: 4]), .conflict_o(some[q]),
      .one_less_o(less[q]), .one_left_o(left[q]), .put_i(enter & to_golden == (q != 0)),
      .put_bank_i(enter_line[LineW -: 3]), .put_row_i(enter_line[2]), .put_col_i(enter_line[1]),
      .put_we_i(enter_line[0]), .put_slot_i(enter_slot), .put_silver_i(to_silver),
      .put_hit_i(in_hit), .put_waits_i(waits), .put_free_i(free), .probe_same_i(put_same),
      .count_same_i(count_same), .need_i(1'b0), .to_silver_i(1'b0), .group_i(2'd0),
      .rd_may_i(~{changes[4], changes[0]}), .wr_may_i('0), .kinds_o(kinds[18*q +: 18]), .next_o(),
      .any_o(any[2*q +: 2]), .head_o(),
      .pick_col_i('0), .col_banks_i('0), .row_banks_i('0), .row_next_i(1'b0),
      .found_group_i(2'd0), .take_i(col & col_gold == (q != 0)),
      .take_second_i(q == 0 ? second : 1'b0), .first_o(firsts[FoundW*q +: FoundW]),
      .second_valid_o(twos[q]), .second_o(seconds[FoundW*q +: FoundW]),
      .more_hits_o(more[2*q +: 2]),
      .row_bank_o(row_banks[q]), .row_o(rows[q]), .place_i(q == 0 ? place : 1'b0),
      .pop_i(q == 0 ? pop : 1'b0), .left_i(leaves), .left_second_i(left_second),
      .left_bank_i(left_bank), .left_col_i(left_col), .left_we_i(left_we), .act_i(act),
      .act_bank_i(act_bank), .of_row_i(of_row), .close_i(close), .older_i(1'b0)
    );
  end
  assign col_gold  = any[2] & (gold_col_i | !any[0]);
  assign row_gold  = any[3] & (gold_row_i | !any[1]);
  assign found_col = rst_ni & (any[0] | any[2]);
  assign found_row = rst_ni & (any[1] | any[3]);
  assign first     = col_gold ? firsts[FoundW +: FoundW] : firsts[FoundW-1:0];
  gmmu_dram_found #(.ClosedRow(ClosedRow != 0), .RowW(1), .ColW(1), .SlotW(SlotW)) u_found (
    .clk_i, .rst_ni, .group_i(2'd0), .col_i(found_col), .row_i(found_row), .col_first_i,
    .pre_i(open[{row_gold ? row_banks[1] : row_banks[0], 2'd0}]), .col_gold_i(col_gold),
    .row_gold_i(row_gold), .first_a_i(firsts[FoundW-1:0]),
    .first_g_i(firsts[FoundW +: FoundW]), .two_a_i(twos[0]), .second_a_i(seconds[FoundW-1:0]),
    .more_i(more[1:0] | more[3:2]), .row_bank_a_i(row_banks[0]), .row_bank_g_i(row_banks[1]),
    .row_a_i(rows[0]), .row_g_i(rows[1]), .col_o(col), .col_upper_o(),
    .col_place_o(), .second_o(second), .second_upper_o(),
    .second_place_o(), .row_o(row), .row_bank_o(), .row_row_o(),
    .pop_o(pop), .place_o(place), .left_o(leaves), .left_second_o(left_second),
    .left_bank_o(left_bank), .left_col_o(left_col), .left_we_o(left_we),
    .left_golden_o(left_golden), .left_silver_o(), .found_second_o(),
    .found_group_o(), .prea_i(1'b0), .act_o(act), .act_bank_o(act_bank),
    .of_row_o(of_row), .close_o(close), .changes_o(changes), .open_o(open),
    .in_last_i(from_last), .in_put_i(from_put), .in_t_i(t_i),
    .in_i({4'(line >> 2), 4'(line >> 2), 4'(last_line >> 2), 4'(count_line >> 2)}),
    .in_hit_o(in_hit)
  );

  // ---- places; the two
  logic [1:0] array_q;
  logic [2:0] alone_q;     // cycles in which there was one request, the same
  logic       gold_q, a_put_q, a_went_q, b_put_q, a_we_q, a_goes, b_goes;
  assign a_goes = (col & first[3:2] == 2'd1) | (second & seconds[3:2] == 2'd1);
  assign b_goes = (col & first[3:2] == 2'd2) | (second & seconds[3:2] == 2'd2);
  always_ff @(posedge clk_i) begin
    if (!rst_ni) {array_q, gold_q, a_put_q, a_went_q, b_put_q} <= '0;
    else begin
      array_q    <= array_q + 2'(put & !t_i) - 2'(leaves & !left_golden);
      gold_q     <= gold_q ^ (put & t_i) ^ (leaves & left_golden);
      a_put_q    <= a_put_q | (put & who_i == 2'd1);
      b_put_q    <= b_put_q | (put & who_i == 2'd2);
      a_went_q   <= a_went_q | a_goes;
    end
    if (!rst_ni | put | leaves | col | pop | 3'(array_q) + 3'(gold_q) != 3'd1) alone_q <= '0;
    else if (!(&alone_q)) alone_q <= alone_q + 1'b1;
    if (put & who_i == 2'd1) a_we_q <= we_i;
  end
  always_comb begin
    assume (!(t_i & d_i));
    if (!rst_ni) assume (!t_i & !d_i);
    assume (!t_i | !gold_q);
    assume (!d_i | array_q < 2'(ArrayN));
    if (t_i | d_i) begin
      assume (who_i != 2'd3 & (who_i == 2'd0 | line_i == 3'd0));
      assume (who_i != 2'd1 | !a_put_q);
      assume (who_i != 2'd2 | (a_put_q & !b_put_q & (we_i | a_we_q)));
    end
  end

  if (Covers == 0) begin : gen_assert
    always_comb if (rst_ni) in_order: assert (!b_goes | a_went_q);
    always_comb if (rst_ni) asks:     assert (alone_q < 3'd4 | kinds[0] | kinds[18]);
  end else begin : gen_cover
    always_comb if (rst_ni) assert (!(b_goes & a_we_q & second));
    always_comb if (rst_ni) assert (!(b_put_q & a_goes & !col_gold & to_golden & enter));
    always_comb if (rst_ni) assert (!(b_put_q & a_goes & col_gold));
    always_comb if (rst_ni) assert (!(b_put_q & !a_went_q & row & open[0]));
  end
endmodule
`default_nettype wire
