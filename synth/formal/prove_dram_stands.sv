// SPDX-License-Identifier: Apache-2.0
// Which of the commands that stand ready go: of the columns, and of the row commands, that the
// controller can take the one of the highest class, among these an ACT before a PRE, then that of
// the group, of the bank, that gave its last one longest ago; with one tick the column unless the
// row command's class is higher. A PRE waits for the columns of its bank. Around the
// queues of columns that dram_columns proves gmmu_dram_columns to be (prove_columns.svh). See
// proofs.txt and docs/formal.md.
`default_nettype none
module gmmu_dram_columns;  // parameters and ports of rtl/
  logic put, second, go;
  assign {put, second, go} = {put_i, second_i, go_i};
  `include "prove_columns.svh"
  always_comb begin
    banks_o = '0;
    for (int i = 0; i < 4; i++)
      if (3'(i) < n_q) banks_o[queue_q[i*Width + Width-3]] = 1'b1;
  end
  assign valid_o = n_q != 3'd0;
  assign head_o  = queue_q[Width-1:0];
  assign full_o  = n_q > 3'd2;
  assign {reads_o, writes_o, more_o} = '0;  // are only passed on
`ifndef COVERS
  always_comb if (rst_ni) assert (!put_i | !full_o);
  always_comb if (rst_ni) assert (!second_i | put_i);
  always_comb if (rst_ni) assert (!go_i | valid_o);
`endif
endmodule

module prove_dram_stands #(
  parameter int Covers = 0,
  localparam int RowW   = 1,
  localparam int ColW   = 1,
  localparam int SlotW  = 1,
  localparam int PlaceW = ColW + SlotW + 2,
  localparam int Width  = 3 + PlaceW
) (
  input  logic              clk_i,
  input  logic              put_col_i,
  input  logic [1:0]        put_group_i,
  input  logic [1:0]        put_col_class_i,
  input  logic              put_col_upper_i,
  input  logic [PlaceW-1:0] put_col_place_i,
  input  logic              put_second_i,
  input  logic              put_second_upper_i,
  input  logic [PlaceW-1:0] put_second_place_i,
  input  logic              put_row_i,
  input  logic [1:0]        put_row_class_i,
  input  logic              put_row_pre_i,
  input  logic [2:0]        put_row_bank_i,
  input  logic [RowW-1:0]   put_row_row_i,
  input  logic [7:0]        act_ok_i,
  input  logic [7:0]        pre_ok_i,
  input  logic [7:0]        rd_ok_i,
  input  logic [7:0]        wr_ok_i,
  input  logic              two_i,
  input  logic [1:0]        group_i,       // a pair of groups, a pair of banks: any
  input  logic [1:0]        other_group_i,
  input  logic [2:0]        bank_i,
  input  logic [2:0]        other_bank_i
);
  `include "prove.svh"

  logic [2:0]        cmd, bank, also_bank;
  logic [1:0]        also, class_out;
  logic [ColW-1:0]   col;
  logic [RowW-1:0]   row_out;
  logic [SlotW-1:0]  slot;
  logic [7:0]        act_at, pre_at, rd_at, wr_at, rows;
  logic [3:0]        full;
  logic              ap, column, none, put_col, put_second, put_row;
  gmmu_dram_stands #(.RowW(RowW), .ColW(ColW), .SlotW(SlotW)) u_dut (
    .clk_i, .rst_ni, .put_col_i(put_col), .put_group_i, .put_col_class_i, .put_col_upper_i,
    .put_col_place_i, .put_second_i(put_second), .put_second_upper_i, .put_second_place_i,
    .put_row_i(put_row), .put_row_class_i, .put_row_pre_i, .put_row_bank_i, .put_row_row_i,
    .act_ok_i, .pre_ok_i, .rd_ok_i, .wr_ok_i, .two_i, .cmd_o(cmd), .bank_o(bank), .col_o(col),
    .ap_o(ap), .also_o(also), .also_bank_o(also_bank), .act_at_o(act_at), .pre_at_o(pre_at),
    .rd_at_o(rd_at), .wr_at_o(wr_at), .row_o(row_out), .column_o(column), .slot_o(slot),
    .class_o(class_out), .full_o(full), .reads_o(), .writes_o(), .more_o(), .rows_o(rows),
    .none_o(none)
  );
  // ---- the caller's rules, by what it is told
  assign put_col    = put_col_i & rst_ni & !full[put_group_i];
  assign put_second = put_col & put_second_i;
  assign put_row    = put_row_i & rst_ni & !rows[put_row_bank_i];

  // ---- what stands: the columns' first ones, the row commands
  logic [3:0]         valid, col_may, col_goes;
  logic [4*Width-1:0] heads;
  logic [7:0]         cols, row_may, row_goes, stands_q, is_pre_q, bits_q;
  logic [15:0]        row_class_q;
  logic [7:0]         col_class;
  logic [1:0]         col_best, row_best;
  assign row_goes = act_at | pre_at;
  for (genvar g = 0; g < 4; g++) begin : gen_group
    logic upper, here;
    assign here = put_col & put_group_i == 2'(g);
    gmmu_dram_columns #(.Width(Width)) u_columns (
      .clk_i, .rst_ni, .put_i(here),
      .put_column_i({put_col_class_i, put_col_upper_i, put_col_place_i}),
      .second_i(here & put_second),
      .second_column_i({put_col_class_i, put_second_upper_i, put_second_place_i}),
      .go_i(col_goes[g]), .valid_o(valid[g]), .head_o(heads[g*Width +: Width]), .full_o(),
      .reads_o(), .writes_o(), .banks_o({cols[4+g], cols[g]}), .more_o()
    );
    assign upper       = heads[g*Width + Width-3];
    assign col_goes[g] = rd_at[g] | rd_at[4+g] | wr_at[g] | wr_at[4+g];
    assign col_may[g]  = valid[g] & (heads[g*Width] ? wr_ok_i[{upper, 2'(g)}] :
        rd_ok_i[{upper, 2'(g)}]);
    assign col_class[g*2 +: 2] = heads[g*Width + Width-2 +: 2];
  end
  assign row_may = stands_q & ((act_ok_i & ~is_pre_q) | (pre_ok_i & is_pre_q & ~cols));
  always_comb begin
    {col_best, row_best} = '0;
    for (int g = 0; g < 4; g++)
      if (col_may[g] && col_class[g*2 +: 2] > col_best) col_best = col_class[g*2 +: 2];
    for (int b = 0; b < 8; b++)
      if (row_may[b] && row_class_q[b*2 +: 2] > row_best) row_best = row_class_q[b*2 +: 2];
  end
  always_ff @(posedge clk_i) begin
    for (int b = 0; b < 8; b++) begin
      if (row_goes[b]) stands_q[b] <= 1'b0;
      if (put_row && put_row_bank_i == 3'(b)) begin
        stands_q[b]           <= 1'b1;
        is_pre_q[b]           <= put_row_pre_i;
        row_class_q[b*2 +: 2] <= put_row_class_i;
        bits_q[b]             <= put_row_row_i;
      end
    end
    if (!rst_ni) stands_q <= '0;
  end

  // ---- of the pairs: the second one's last was later (never: the lower number first)
  logic [1:0] group, other_group;
  logic [2:0] bank1, bank2;
  logic       group_later_q, bank_later_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      {group, other_group, bank1, bank2} <= {group_i, other_group_i, bank_i, other_bank_i};
      group_later_q <= group_i < other_group_i;
      bank_later_q  <= bank_i < other_bank_i;
    end else begin
      if (col_goes[group]) group_later_q <= 1'b0;
      if (col_goes[other_group]) group_later_q <= 1'b1;
      if (row_goes[bank1]) bank_later_q <= 1'b0;
      if (row_goes[bank2]) bank_later_q <= 1'b1;
    end
  end

  // ---- what goes
  logic [1:0] g;
  logic       col_now, row_now;
  logic [2:0] b;
  assign col_now = |col_goes;
  assign row_now = |row_goes;
  assign g       = {col_goes[3] | col_goes[2], col_goes[3] | col_goes[1]};
  assign b       = {|row_goes[7:4], |(row_goes & 8'hcc), |(row_goes & 8'haa)};
  if (Covers == 0) begin : gen_assert
    always_comb begin
      if (rst_ni) begin
        one_column: assert ((col_goes & (col_goes - 4'd1)) == '0 & (col_goes & ~col_may) == '0);
        one_row:    assert ((row_goes & (row_goes - 8'd1)) == '0 & (row_goes & ~row_may) == '0);
        kinds:      assert ((act_at & is_pre_q) == '0 & (pre_at & ~is_pre_q) == '0);
        directions: assert (!col_now | (|wr_at == heads[g*Width] &
                                        |(rd_at[7:4] | wr_at[7:4]) == heads[g*Width + Width-3]));
        // which kinds go
        two_ticks: assert (!two_i | (col_now == |col_may & row_now == |row_may));
        one_tick:  assert (two_i | (!(col_now & row_now) &
                                    (col_now | row_now) == (|col_may | |row_may) &
                                    row_now == (|row_may & (!(|col_may) | row_best > col_best))));
        // which of them
        col_highest: assert (!col_now | col_class[g*2 +: 2] == col_best);
        row_highest: assert (!row_now | row_class_q[b*2 +: 2] == row_best);
        col_longest: assert (group == other_group | !(col_goes[group] & col_may[other_group]) |
                             col_class[other_group*2 +: 2] != col_best | group_later_q);
        row_longest: assert (bank1 == bank2 | !(row_goes[bank1] & row_may[bank2]) |
                             row_class_q[bank2*2 +: 2] != row_best |
                             is_pre_q[bank2] & !is_pre_q[bank1] |
                             is_pre_q[bank1] == is_pre_q[bank2] & bank_later_q);
        // as the pins say it
        pins: assert (cmd == (col_now ? (|wr_at ? 3'd4 : 3'd3) : !row_now ? 3'd0 : |pre_at ? 3'd2 :
                              3'd1) &
                      also == (col_now & row_now ? (|pre_at ? 2'd2 : 2'd1) : 2'd0) &
                      column == col_now);
        banks: assert ((!col_now | bank == {heads[g*Width + Width-3], g}) &
                       (!row_now | (col_now ? also_bank : bank) == b));
        fields: assert (!col_now | {col, slot, ap} == heads[g*Width+1 +: PlaceW-1]);
        opens:  assert (!(|act_at) | row_out == bits_q[b]);
        class_is: assert (!(col_now | row_now) |
                          class_out == (!col_now ? row_best :
                                        !row_now | col_best > row_best ? col_best : row_best));
        stands: assert (rows == stands_q & none == (stands_q == '0 & valid == '0));
      end
    end
  end else begin : gen_cover
    always_comb begin
      if (rst_ni) begin
        c0: assert (!(col_now & row_now & |pre_at & cols != '0));
        c1: assert (!(row_now & |col_may & !two_i));
        c2: assert (!(col_goes[group] & col_may[other_group] & other_group < group &
                      col_class[group*2 +: 2] == col_class[other_group*2 +: 2]));
        c3: assert (!(row_goes[bank1] & row_may[bank2] & bank2 < bank1 &
                      is_pre_q[bank2] == is_pre_q[bank1] &
                      row_class_q[bank1*2 +: 2] == row_class_q[bank2*2 +: 2]));
      end
    end
  end
endmodule
`default_nettype wire
