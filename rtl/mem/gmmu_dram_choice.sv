// SPDX-License-Identifier: Apache-2.0
// gmmu_dram_choice: the searches of one DRAM channel's scheduler: in each cycle one begins in the two
// banks of a group, in turn, and goes through the queues in four steps (gmmu_dram_search). Rules:
// docs/dram_sched.md. Source: MASK section 5.4.
//
// Step 1: in which banks what may be looked for. Step 2: of what the queues have of each class, the
// first column and the first row command. Step 4: what was found. Class: 0 normal, 1 silver, 2
// golden, 3 next.
`default_nettype none
module gmmu_dram_choice #(
  parameter bit KeepRows = 1'b0 // silver precharges no row that a normal request asks for
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  // step 1: the banks as the queues see them
  output logic [1:0]  group1_o,
  input  logic [7:0]  open_i,
  input  logic [7:0]  changes_i,   // opens or closes in this cycle
  input  logic        due_i,
  input  logic [7:0]  pre_soon_i,
  input  logic        rd_soon_i,
  input  logic        wr_soon_i,
  input  logic [3:0]  full_i,      // what stands ready
  input  logic        reads_i,
  input  logic        writes_i,
  input  logic [7:0]  cols_i,
  input  logic [7:0]  acts_i,
  input  logic [7:0]  pres_i,
  // step 2
  input  logic [17:0] kinds_a_i,   // of the array
  input  logic [5:0]  kinds_g_i,   // golden
  input  logic [1:0]  any_g_i,
  output logic [3:0]  col_pick_o,  // normal, silver, golden, next
  output logic [3:0]  row_pick_o,
  output logic [1:0]  rd_ok_o,
  output logic [1:0]  wr_ok_o,
  output logic [1:0]  row_ok_o,
  // step 4: there is a column, a row command
  output logic [1:0]  group4_o,
  output logic        col_o,
  output logic        row_o,
  output logic        col_first_o, // of two for one bank the column counts
  output logic        pre_o,       // the row command is a PRE
  output logic [1:0]  col_class_o,
  output logic [1:0]  row_class_o
);
  logic [1:0] group2_q, group3_q, rd_ok, wr_ok, row_ok, row_ok_q, is_pre_q;
  always_comb begin
    for (int k = 0; k < 2; k++) begin
      logic [2:0] b;
      b = {1'(k), group1_o};
      row_ok[k] = !due_i && !changes_i[b] && !acts_i[b] && !pres_i[b] &&
          (!open_i[b] || (!cols_i[b] && pre_soon_i[b]));
      rd_ok[k]  = !due_i && !changes_i[b] && !pres_i[b] && !full_i[group1_o] && !writes_i &&
          rd_soon_i;
      wr_ok[k]  = !due_i && !changes_i[b] && !pres_i[b] && !full_i[group1_o] && !reads_i &&
          wr_soon_i;
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      group1_o <= '0;
      rd_ok_o  <= '0;
      wr_ok_o  <= '0;
      row_ok_q <= '0;
    end else begin
      group1_o <= group1_o + 2'd1;
      rd_ok_o  <= rd_ok;
      wr_ok_o  <= wr_ok;
      row_ok_q <= row_ok;
    end
  end
  always_ff @(posedge clk_i) begin
    is_pre_q <= {open_i[{1'b1, group1_o}], open_i[{1'b0, group1_o}]};
    group2_q <= group1_o;
    group3_q <= group2_q;
    group4_o <= group3_q;
  end

  // Step 2: class by class, what is ready; the class whose column and that whose row command goes.
  logic [3:0]  col_of, act_of, pre_of, row_of; // normal, silver, golden, next
  logic [1:0]  claimed, silver_any, silver_hits, normal_hits, kept;
  logic [1:0]  n_row, g_row, s_row, m_row;
  logic        pick_pre;
  // Banks with one that asks for a column, for a ready column, or for another row, of one class.
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
  assign silver_hits = hits(kinds_a_i[11:6]);
  assign normal_hits = hits(kinds_a_i[17:12]);
  assign silver_any  = silver_hits | misses(kinds_a_i[11:6]);
  assign claimed     = hits(kinds_a_i[5:0]) | misses(kinds_a_i[5:0]);
  assign kept        = silver_hits | (normal_hits & {2{KeepRows}});
  assign n_row = misses(kinds_a_i[5:0]) & row_ok_q;
  assign g_row = misses(kinds_g_i) & row_ok_q & ~claimed;
  assign s_row = misses(kinds_a_i[11:6]) & row_ok_q & ~claimed & ~any_g_i & ~(is_pre_q & kept);
  assign m_row = misses(kinds_a_i[17:12]) & row_ok_q & ~claimed & ~any_g_i & ~silver_any &
      ~(is_pre_q & normal_hits);
  assign col_of = {ready(kinds_a_i[17:12], rd_ok_o, wr_ok_o), ready(kinds_a_i[11:6], rd_ok_o, wr_ok_o),
      ready(kinds_g_i, rd_ok_o, wr_ok_o), ready(kinds_a_i[5:0], rd_ok_o, wr_ok_o)};
  assign act_of = {|(m_row & ~is_pre_q), |(s_row & ~is_pre_q), |(g_row & ~is_pre_q),
      |(n_row & ~is_pre_q)};
  assign pre_of = {|(m_row & is_pre_q), |(s_row & is_pre_q), |(g_row & is_pre_q),
      |(n_row & is_pre_q)};
  assign row_of     = act_of | pre_of;
  assign col_pick_o = col_of & (~col_of + 4'd1);
  assign row_pick_o = row_of & (~row_of + 4'd1);
  assign pick_pre   = (row_pick_o & act_of) == '0;
  assign row_ok_o   = ((n_row & {2{row_pick_o[0]}}) | (g_row & {2{row_pick_o[1]}}) |
      (s_row & {2{row_pick_o[2]}}) | (m_row & {2{row_pick_o[3]}})) & ~(is_pre_q ^ {2{pick_pre}});

  // Steps 3 and 4.
  logic       col_q, row_q, first_q, pre_q;
  logic [1:0] col_class_q, row_class_q;
  function automatic logic [1:0] class_of(input logic [3:0] pick);
    begin
      class_of = {pick[0] | pick[1], pick[0] | pick[2]};
    end
  endfunction
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      col_q <= 1'b0;
      row_q <= 1'b0;
      col_o <= 1'b0;
      row_o <= 1'b0;
    end else begin
      col_q <= col_of != '0;
      row_q <= row_of != '0;
      col_o <= col_q;
      row_o <= row_q;
    end
  end
  always_ff @(posedge clk_i) begin
    first_q     <= class_of(col_pick_o) >= class_of(row_pick_o);
    pre_q       <= pick_pre;
    col_class_q <= class_of(col_pick_o);
    row_class_q <= class_of(row_pick_o);
    {col_first_o, pre_o, col_class_o, row_class_o} <= {first_q, pre_q, col_class_q, row_class_q};
  end
endmodule
`default_nettype wire
