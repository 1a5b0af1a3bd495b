// SPDX-License-Identifier: Apache-2.0
// gmmu_dram_choice: what the searches of one DRAM channel's scheduler look for: in a cycle in which
// one begins (valid_i) it goes through the queues in three steps (gmmu_dram_search). Rules:
// docs/dram_sched.md. Source: MASK section 5.4.
//
// Step 1: in which banks what may be looked for. Step 2: of what the queues have of each class, the
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
  // step 2
  input  logic [17:0] kinds_a_i,   // of the array
  input  logic [1:0]  next_i,      // it has next, silver ones in the bank
  input  logic [1:0]  any_silver_i,
  input  logic [5:0]  kinds_g_i,   // golden
  input  logic [1:0]  any_g_i,
  input  logic [1:0]  head_g_i,    // the oldest golden one asks for another row
  // {normal, silver, golden, next}: in which banks the class that is picked gives the columns, the
  // row command
  output logic [7:0]  col_pick_o,
  output logic [7:0]  row_pick_o,
  // step 3: there is a column, a row command
  output logic [1:0]  group3_o,
  output logic        col_o,
  output logic        row_o,
  output logic        col_first_o, // of two for one bank the column counts
  output logic        pre_o,       // the row command is a PRE
  output logic [1:0]  col_class_o,
  output logic [1:0]  row_class_o
);
  // Step 1.
  logic [7:0] free, row_may, col_may;
  logic [1:0] group2_q, row_ok_q, is_pre_q, rd_ok_q, wr_ok_q;
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
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      rd_ok_q  <= '0;
      wr_ok_q  <= '0;
      row_ok_q <= '0;
    end else begin
      rd_ok_q  <= rd_may_o;
      wr_ok_q  <= wr_may_o;
      row_ok_q <= banks(row_may, group_i);
    end
  end
  always_ff @(posedge clk_i) begin
    is_pre_q <= banks(open_i, group_i);
    group2_q <= group_i;
    group3_o <= group2_q;
  end

  // Step 2. Banks with one that asks for a column, or for another row, of one class; one that asks
  // for a ready column.
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

  function automatic logic ready(input logic [5:0] k, input logic [1:0] rd, input logic [1:0] wr);
    begin
      ready = |({k[3], k[0]} & rd) || |({k[4], k[1]} & wr);
    end
  endfunction

  // Row commands: ACT before PRE.
  function automatic logic [1:0] act_first(input logic [1:0] rows, input logic [1:0] is_pre);
    begin
      act_first = (rows & ~is_pre) != '0 ? rows & ~is_pre : rows;
    end
  endfunction
  logic [1:0] next_misses, shut, silver_hits, normal_hits, kept;
  logic [1:0] next_row, golden_row, silver_row, normal_row;
  logic [3:0] col_of, row_of, col_pick, row_pick;
  logic [7:0] row_ok;
  logic       pick_pre;
  assign silver_hits = hits(kinds_a_i[11:6]);
  assign normal_hits = hits(kinds_a_i[17:12]);
  assign next_misses = misses(kinds_a_i[5:0]);
  assign kept        = silver_hits | (normal_hits & {2{KeepRows}});
  assign next_row    = next_misses & row_ok_q;
  assign golden_row  = misses(kinds_g_i) & row_ok_q & ~next_i;
  assign silver_row  = misses(kinds_a_i[11:6]) & row_ok_q & ~next_i & ~any_g_i &
      ~(is_pre_q & kept);
  assign normal_row  = misses(kinds_a_i[17:12]) & row_ok_q & ~next_i & ~any_g_i & ~any_silver_i &
      ~(is_pre_q & normal_hits);
  // No lower class gets a column where next, or the oldest golden one, asks for another row.
  assign shut   = next_misses | head_g_i;
  assign col_of = {ready(kinds_a_i[17:12], rd_ok_q & ~shut, wr_ok_q & ~shut),
      ready(kinds_a_i[11:6], rd_ok_q & ~shut, wr_ok_q & ~shut),
      ready(kinds_g_i, rd_ok_q & ~next_misses, wr_ok_q & ~next_misses),
      ready(kinds_a_i[5:0], rd_ok_q, wr_ok_q)};
  assign row_of = {|normal_row, |silver_row, |golden_row, |next_row};
  assign row_ok = {act_first(normal_row, is_pre_q), act_first(silver_row, is_pre_q),
      act_first(golden_row, is_pre_q), act_first(next_row, is_pre_q)};
  assign col_pick = col_of & (~col_of + 4'd1);
  assign row_pick = row_of & (~row_of + 4'd1);
  assign pick_pre = (row_pick & {|(row_ok[7:6] & ~is_pre_q), |(row_ok[5:4] & ~is_pre_q),
      |(row_ok[3:2] & ~is_pre_q), |(row_ok[1:0] & ~is_pre_q)}) == '0;
  assign col_pick_o = {{2{col_pick[3]}} & ~shut, {2{col_pick[2]}} & ~shut,
      {2{col_pick[1]}}, {2{col_pick[0]}}};
  assign row_pick_o = row_ok & {{2{row_pick[3]}}, {2{row_pick[2]}}, {2{row_pick[1]}},
      {2{row_pick[0]}}};

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
      col_o <= col_of != '0;
      row_o <= row_of != '0;
    end
  end
  always_ff @(posedge clk_i) begin
    pre_o       <= pick_pre;
    col_class_o <= class_of(col_pick);
    row_class_o <= class_of(row_pick);
  end
  assign col_first_o = col_class_o >= row_class_o;
endmodule
`default_nettype wire
