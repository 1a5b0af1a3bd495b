// SPDX-License-Identifier: Apache-2.0
// gmmu_dram_choice: what the searches of one DRAM channel's scheduler look for: in a cycle in which
// one begins (valid_i) it goes through the queues in three steps (gmmu_dram_search). Rules:
// docs/dram_sched.md. Source: MASK section 5.4.
//
// Step 1: in which banks what may be looked for, and where each class asks for it. Step 2: the
// class that gives the columns and that which gives the row command. Step 3: what was found. Class:
// 0 normal, 1 silver, 2 golden, 3 next.
`default_nettype none
module gmmu_dram_choice #(
  parameter bit KeepRows = 1'b0 // silver precharges no row that a normal request asks for
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  // step 1: the banks as the queues see them
  input  logic        valid_i,
  input  logic [1:0]  group_i,
  input  logic [7:0]  open_i,
  input  logic [7:0]  changes_i,   // opens or closes in this cycle
  input  logic        due_i,
  input  logic [7:0]  pre_soon_i,
  input  logic [7:0]  rcd_soon_i,
  input  logic [3:0]  full_i,      // what stands ready
  input  logic        reads_i,
  input  logic        writes_i,
  input  logic [7:0]  more_i,      // more than one column of the bank
  input  logic [7:0]  rows_i,      // a row command of the bank
  output logic [1:0]  rd_may_o,    // in which banks of the group columns may be looked for
  output logic [1:0]  wr_may_o,
  input  logic [17:0] kinds_a_i,   // of the array
  input  logic [1:0]  next_i,      // it has next, silver ones in the bank
  input  logic [1:0]  any_silver_i,
  input  logic [5:0]  kinds_g_i,   // golden
  input  logic [1:0]  any_g_i,
  input  logic [1:0]  head_g_i,    // the oldest golden one asks for another row
  // step 2: the class, {normal, silver, golden, next}, that gives the columns, and in which banks
  // normal or silver may, {both, upper, lower}; in which banks {normal, silver, golden} give the
  // row command, if it is theirs; next does
  output logic [3:0]  col_pick_o,
  output logic [2:0]  col_banks_o,
  output logic [8:0]  row_banks_o,
  output logic        row_next_o,
  // step 3: there is a column, a row command
  output logic [1:0]  group3_o,
  output logic        col_o,
  output logic        row_o,
  output logic        col_first_o, // of two for one bank the column counts
  output logic        pre_o,       // the row command is a PRE
  output logic [1:0]  col_class_o,
  output logic        col_gold_o,  // 2
  output logic [1:0]  row_class_o,
  output logic        row_gold_o
);
  // Step 1.
  logic [7:0] free, row_may, col_may;
  assign free    = ~changes_i & ~rows_i & {8{valid_i && !due_i}};
  assign row_may = free & (~open_i | (~more_i & pre_soon_i));
  assign col_may = free & rcd_soon_i & {8{!full_i[group_i]}};

  // The two banks of the group.
  function automatic logic [1:0] banks(input logic [7:0] v, input logic [1:0] g);
    begin
      banks = {v[{1'b1, g}], v[{1'b0, g}]};
    end
  endfunction
  assign rd_may_o = banks(col_may, group_i) & {2{!writes_i}};
  assign wr_may_o = banks(col_may, group_i) & {2{!reads_i}};

  // Banks with one that asks for a column of the open row, or for another row, of one class; one
  // that asks for a ready column.
  function automatic logic [1:0] hits(input logic [5:0] k);
    begin
      hits = {k[4] | k[3], k[1] | k[0]};
    end
  endfunction

  function automatic logic [1:0] misses(input logic [5:0] k);
    begin
      misses = {k[5], k[2]};
    end
  endfunction

  function automatic logic [1:0] ready(input logic [5:0] k, input logic [1:0] rd,
      input logic [1:0] wr);
    begin
      ready = ({k[3], k[0]} & rd) | ({k[4], k[1]} & wr);
    end
  endfunction

  // Row commands: ACT before PRE.
  function automatic logic [1:0] act_first(input logic [1:0] rows, input logic [1:0] pre);
    begin
      act_first = (rows & ~pre) != '0 ? rows & ~pre : rows;
    end
  endfunction

  function automatic logic [2:0] decoded(input logic [1:0] b);
    begin
      decoded = {b == 2'b11, b == 2'b10, b == 2'b01};
    end
  endfunction

  // By class, {normal, silver, golden, next}: banks in which it gives a column, a row command.
  logic [1:0] next_misses, shut, silver_hits, normal_hits, kept, is_pre, no_row, group2_q;
  logic [7:0] cols, row_commands;
  logic [8:0] row_banks;
  logic [3:0] col_of, row_of, act_of, col_of_q, act_of_q; // it gives one; it is an ACT
  logic [3:0] row_pick, row_pick_q;
  assign silver_hits = hits(kinds_a_i[11:6]);
  assign normal_hits = hits(kinds_a_i[17:12]);
  assign next_misses = misses(kinds_a_i[5:0]);
  assign kept        = silver_hits | (normal_hits & {2{KeepRows}});
  assign is_pre      = banks(open_i, group_i);
  assign no_row      = next_i | any_g_i;
  // No lower class gets a column where next, or the oldest golden one, asks for another row.
  assign shut = next_misses | head_g_i;
  assign cols = {ready(kinds_a_i[17:12], rd_may_o, wr_may_o) & ~shut,
      ready(kinds_a_i[11:6], rd_may_o, wr_may_o) & ~shut,
      ready(kinds_g_i, rd_may_o, wr_may_o) & ~next_misses,
      ready(kinds_a_i[5:0], rd_may_o, wr_may_o)};
  assign row_commands = {4{banks(row_may, group_i)}} &
      {misses(kinds_a_i[17:12]) & ~no_row & ~any_silver_i & ~(is_pre & normal_hits),
      misses(kinds_a_i[11:6]) & ~no_row & ~(is_pre & kept),
      misses(kinds_g_i) & ~next_i, next_misses};
  for (genvar c = 0; c < 4; c++) begin : gen_class
    assign col_of[c] = |cols[2*c +: 2];
    assign row_of[c] = |row_commands[2*c +: 2];
    assign act_of[c] = |(row_commands[2*c +: 2] & ~is_pre);
  end
  assign row_pick = row_of & (~row_of + 4'd1);
  for (genvar c = 1; c < 4; c++) begin : gen_banks
    assign row_banks[3*(c-1) +: 3] = decoded(act_first(row_commands[2*c +: 2], is_pre)) &
        {3{row_pick[c]}};
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      col_of_q    <= '0;
      row_pick_q  <= '0;
      row_banks_o <= '0;
    end else begin
      col_of_q    <= col_of;
      row_pick_q  <= row_pick;
      row_banks_o <= row_banks;
    end
  end
  always_ff @(posedge clk_i) begin
    act_of_q    <= act_of;
    col_banks_o <= decoded(~shut);
    group2_q    <= group_i;
    group3_o    <= group2_q;
  end

  // Step 2.
  assign row_next_o = row_pick_q[0];
  assign col_pick_o = col_of_q & (~col_of_q + 4'd1);

  // Step 3.
  function automatic logic [1:0] class_of(input logic [3:0] pick);
    begin
      class_of = {pick[0] | pick[1], pick[0] | pick[2]};
    end
  endfunction
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      col_o <= 1'b0;
      row_o <= 1'b0;
    end else begin
      col_o <= col_of_q != '0;
      row_o <= row_pick_q != '0;
    end
  end
  // The row command's class is not higher.
  function automatic logic not_below(input logic [3:0] col, input logic [3:0] row);
    begin
      not_below = ({|col, |col[2:0], |col[1:0], col[0]} & row) != '0;
    end
  endfunction
  always_ff @(posedge clk_i) begin
    pre_o       <= (row_pick_q & act_of_q) == '0;
    col_class_o <= class_of(col_pick_o);
    col_gold_o  <= col_pick_o[1];
    row_class_o <= class_of(row_pick_q);
    row_gold_o  <= row_pick_q[1];
    col_first_o <= not_below(col_pick_o, row_pick_q);
  end
endmodule
`default_nettype wire
