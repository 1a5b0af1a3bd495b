// SPDX-License-Identifier: Apache-2.0
// What the scheduler of a DRAM channel chooses is of the highest class that may give it, by the
// rules of docs/dram_sched.md, said bank by bank and class by class. See proofs.txt and
// docs/formal.md.
`default_nettype none
module prove_dram_choice #(
  parameter bit KeepRows = 1'b0,
  parameter int Covers   = 0
) (
  input  logic        clk_i,
  input  logic        valid_i,
  input  logic [1:0]  group_i,
  input  logic [7:0]  open_i,
  input  logic [7:0]  changes_i,
  input  logic        due_i,
  input  logic [7:0]  pre_soon_i,
  input  logic [7:0]  rcd_soon_i,
  input  logic [3:0]  full_i,
  input  logic        reads_i,
  input  logic        writes_i,
  input  logic [7:0]  more_i,
  input  logic [7:0]  rows_i,
  input  logic [17:0] kinds_a_i,
  input  logic [1:0]  next_i,
  input  logic [1:0]  any_silver_i,
  input  logic [5:0]  kinds_g_i,
  input  logic [1:0]  any_g_i,
  input  logic [1:0]  head_g_i
);
  `include "prove.svh"

  logic [1:0] rd_may, wr_may, group3, col_class, row_class;
  logic [3:0] col_pick;
  logic [2:0] col_banks;
  logic [8:0] row_banks;
  logic       row_next, col, row, col_first, pre, col_gold, row_gold;
  gmmu_dram_choice #(.KeepRows(KeepRows)) u_dut (
    .clk_i, .rst_ni, .valid_i, .group_i, .open_i, .changes_i, .due_i, .pre_soon_i, .rcd_soon_i,
    .full_i, .reads_i, .writes_i, .more_i, .rows_i, .rd_may_o(rd_may), .wr_may_o(wr_may),
    .kinds_a_i, .next_i, .any_silver_i, .kinds_g_i, .any_g_i, .head_g_i, .col_pick_o(col_pick),
    .col_banks_o(col_banks), .row_banks_o(row_banks), .row_next_o(row_next), .group3_o(group3),
    .col_o(col), .row_o(row), .col_first_o(col_first), .pre_o(pre), .col_class_o(col_class),
    .col_gold_o(col_gold), .row_class_o(row_class), .row_gold_o(row_gold)
  );

  // What the queues say fits together: next stands where it asks for something.
  always_comb begin
    assume (((next_i ^ 2'b11) & {|kinds_a_i[5:3], |kinds_a_i[2:0]}) == '0);
    assume (((any_silver_i ^ 2'b11) & {|kinds_a_i[11:9], |kinds_a_i[8:6]}) == '0);
  end

  // ---- the rules; classes as numbers: 3 next, 2 golden, 1 silver, 0 normal
  logic [7:0] may_col, may_act, may_pre;      // [4 bank + class]
  for (genvar b = 0; b < 2; b++) begin : gen_bank
    logic [2:0] at;
    logic       open, col_free, act_free, pre_free;
    logic [3:0] rd, wr, other, asks, keeps;
    assign at       = {1'(b), group_i};
    assign open     = open_i[at];
    assign rd       = {kinds_a_i[3*b], kinds_g_i[3*b], kinds_a_i[6+3*b], kinds_a_i[12+3*b]};
    assign wr       = {kinds_a_i[3*b+1], kinds_g_i[3*b+1], kinds_a_i[7+3*b], kinds_a_i[13+3*b]};
    assign other    = {kinds_a_i[3*b+2], kinds_g_i[3*b+2], kinds_a_i[8+3*b], kinds_a_i[14+3*b]};
    // Nothing for a bank that changes or for which a row command stands; columns while there is
    // room and of one direction; no PRE while columns of the bank stand.
    assign col_free = valid_i & !due_i & !changes_i[at] & !rows_i[at] & rcd_soon_i[at] &
                      !full_i[group_i];
    assign act_free = valid_i & !due_i & !changes_i[at] & !rows_i[at] & !open;
    assign pre_free = valid_i & !due_i & !changes_i[at] & !rows_i[at] & open & !more_i[at] &
                      pre_soon_i[at];
    // A higher class asks for the bank; columns of the open row that forbid the class's PRE.
    assign asks     = {1'b0, next_i[b], next_i[b] | any_g_i[b],
                       next_i[b] | any_g_i[b] | any_silver_i[b]};
    assign keeps    = {2'b00, rd[1] | wr[1] | (KeepRows & (rd[0] | wr[0])), rd[0] | wr[0]};
    for (genvar c = 0; c < 4; c++) begin : gen_class
      logic shut;                   // next, or the oldest golden one, wants another row
      assign shut = (c < 3 & other[3]) | (c < 2 & head_g_i[b]);
      assign may_col[4*b+c] = col_free & ((rd[c] & !writes_i) | (wr[c] & !reads_i)) & !shut;
      assign may_act[4*b+c] = act_free & other[c] & !asks[c];
      assign may_pre[4*b+c] = pre_free & other[c] & !asks[c] & !keeps[c];
    end
  end
  logic       col_d, row_d, pre_d, first_d, col_1, row_1, pre_1, first_1, col_2, row_2, pre_2,
      first_2;
  logic [1:0] col_c, row_c, col_c1, row_c1, col_c2, row_c2, group_1, group_2;
  always_comb begin
    {col_d, row_d, pre_d} = '0;
    {col_c, row_c} = '0;
    for (int c = 0; c < 4; c++) begin
      if (may_col[c] | may_col[4+c]) begin
        col_d = 1'b1;
        col_c = 2'(c);
      end
      if (may_act[c] | may_act[4+c] | may_pre[c] | may_pre[4+c]) begin
        row_d = 1'b1;
        row_c = 2'(c);
        pre_d = !(may_act[c] | may_act[4+c]);     // an ACT goes first
      end
    end
    first_d = col_d & row_d & col_c >= row_c;
  end
  always_ff @(posedge clk_i) begin
    {col_1, row_1, col_2, row_2} <= rst_ni ? {col_d, row_d, col_1, row_1} : '0;
    {pre_1, first_1, col_c1, row_c1, group_1} <= {pre_d, first_d, col_c, row_c, group_i};
    {pre_2, first_2, col_c2, row_c2, group_2} <= {pre_1, first_1, col_c1, row_c1, group_1};
  end

  if (Covers == 0) begin : gen_assert
    always_comb begin
      if (rst_ni) begin
        a_column_when_there_is_one: assert (col == col_2);
        a_row_command_when_there_is_one: assert (row == row_2);
        if (col) highest_column: assert (col_class == col_c2 & col_gold == (col_c2 == 2'd2));
        if (row) highest_row: assert (row_class == row_c2 & row_gold == (row_c2 == 2'd2));
        if (row) act_before_pre: assert (pre == pre_2);
        if (col & row) column_first: assert (col_first == first_2);
        if (col | row) its_group: assert (group3 == group_2);
      end
    end
  end else begin : gen_cover
    for (genvar c = 0; c < 4; c++) begin : gen_class
      always_comb begin
        if (rst_ni) begin
          assert (!(col & col_class == 2'(c)));
          assert (!(row & row_class == 2'(c) & pre));
          assert (!(row & row_class == 2'(c) & !pre));
        end
      end
    end
    always_comb begin
      if (rst_ni) begin
        c_both: assert (!(col & row & !col_first));
        c_first: assert (!(col & row & col_first & col_class != row_class));
      end
    end
  end
endmodule
`default_nettype wire
