// SPDX-License-Identifier: Apache-2.0
// gmmu_dram_stands: the commands of one DRAM channel that were chosen and wait for the controller:
// two columns of each bank group, a row command of each bank; which of them go in this cycle.
// Rules: docs/dram_sched.md. Source: MASK section 5.4.
//
// What comes in stands from the next cycle on; the caller sees to it that there is room. Out, in the
// same cycle as the controller's ready: a command, with two_i up to two.
`default_nettype none
`include "gmmu_assert.svh"
module gmmu_dram_stands #(
  parameter int RowW  = 16,
  parameter int ColW  = 6,
  parameter int SlotW = 9
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  // a column and a row command, of different banks; class: 0 normal, 1 silver, 2 golden, 3 next
  input  logic             put_col_i,
  input  logic [1:0]       put_col_class_i,
  input  logic [2:0]       put_col_bank_i,
  input  logic [ColW-1:0]  put_col_col_i,
  input  logic             put_col_we_i,
  input  logic             put_col_ap_i,
  input  logic [SlotW-1:0] put_col_slot_i,
  input  logic             put_row_i,
  input  logic [1:0]       put_row_class_i,
  input  logic             put_row_pre_i,
  input  logic [2:0]       put_row_bank_i,
  input  logic [RowW-1:0]  put_row_row_i,
  // controller
  input  logic [7:0]       act_ok_i,
  input  logic [7:0]       pre_ok_i,
  input  logic [7:0]       rd_ok_i,
  input  logic [7:0]       wr_ok_i,
  input  logic             two_i,       // a column and a row command may go in this cycle
  output logic [2:0]       cmd_o,       // 0 none, 1 ACT, 2 PRE, 3 read, 4 write
  output logic [2:0]       bank_o,
  output logic [ColW-1:0]  col_o,
  output logic             ap_o,
  output logic [1:0]       also_o,      // beside a column: 0 none, 1 ACT, 2 PRE
  output logic [2:0]       also_bank_o,
  output logic [RowW-1:0]  row_o,       // of an ACT
  output logic             column_o,    // a column goes
  output logic [SlotW-1:0] slot_o,
  output logic [1:0]       class_o,     // the highest of what goes
  // what stands
  output logic [3:0]       full_o,      // two columns of the group
  output logic             reads_o,
  output logic             writes_o,
  output logic [7:0]       cols_o,      // a column of the bank
  output logic [7:0]       acts_o,      // an ACT of the bank
  output logic [7:0]       pres_o,
  output logic             none_o
);
  localparam int ColumnW = 2 + 1 + ColW + 2 + SlotW; // class, upper bit of the bank, column, ap, we

  logic [3:0]           one_q, two_q, goes, fits;
  logic [4*ColumnW-1:0] head_q, tail_q;
  logic [4*4-1:0]       col_before_q;  // [g*4+h]: g had its last column before h
  logic [7:0]           row_q, pre_q, row_fits, row_goes;
  logic [8*2-1:0]       row_class_q;
  logic [8*RowW-1:0]    row_row_q;
  logic [8*8-1:0]       row_before_q;
  logic [ColumnW-1:0]   put, column;
  logic [2:0]           row_bank;
  logic [1:0]           col_class, row_class, group;
  logic                 col, row, row_pre, col_can, row_can;

  function automatic logic [1:0] class_of(input logic [ColumnW-1:0] c);
    begin
      class_of = c[ColumnW-1 -: 2];
    end
  endfunction

  // The column that may go and is before all others that may.
  always_comb begin
    for (int g = 0; g < 4; g++)
      fits[g] = one_q[g] && (head_q[g*ColumnW] ? wr_ok_i[{head_q[(g+1)*ColumnW-3], 2'(g)}]
          : rd_ok_i[{head_q[(g+1)*ColumnW-3], 2'(g)}]);
    goes = fits;
    for (int g = 0; g < 4; g++)
      for (int h = 0; h < 4; h++)
        if (h != g && fits[h] && (class_of(head_q[h*ColumnW +: ColumnW]) >
            class_of(head_q[g*ColumnW +: ColumnW]) ||
            (class_of(head_q[h*ColumnW +: ColumnW]) == class_of(head_q[g*ColumnW +: ColumnW]) &&
            col_before_q[h*4 + g]))) goes[g] = 1'b0;
    column = '0;
    group  = '0;
    for (int g = 0; g < 4; g++) begin
      column = column | (head_q[g*ColumnW +: ColumnW] & {ColumnW{goes[g]}});
      group  = group | (2'(g) & {2{goes[g]}});
    end
  end
  // The row command: an ACT before a PRE of its class.
  always_comb begin
    row_fits = row_q & ((act_ok_i & ~pre_q) | (pre_ok_i & pre_q));
    row_goes = row_fits;
    for (int b = 0; b < 8; b++)
      for (int c = 0; c < 8; c++)
        if (c != b && row_fits[c] && ({row_class_q[c*2 +: 2], !pre_q[c]} >
            {row_class_q[b*2 +: 2], !pre_q[b]} || ({row_class_q[c*2 +: 2], pre_q[c]} ==
            {row_class_q[b*2 +: 2], pre_q[b]} && row_before_q[c*8 + b]))) row_goes[b] = 1'b0;
    row_bank  = '0;
    row_class = '0;
    row_o     = '0;
    for (int b = 0; b < 8; b++) begin
      row_bank  = row_bank | (3'(b) & {3{row_goes[b]}});
      row_class = row_class | (row_class_q[b*2 +: 2] & {2{row_goes[b]}});
      row_o     = row_o | (row_row_q[b*RowW +: RowW] & {RowW{row_goes[b]}});
    end
  end
  assign row_pre   = |(row_goes & pre_q);
  assign col_class = class_of(column);
  assign col_can   = fits != '0;
  assign row_can   = row_fits != '0;
  assign col       = col_can && (two_i || !row_can || col_class >= row_class);
  assign row       = row_can && (two_i || !col_can || row_class > col_class);

  assign cmd_o       = col ? (column[0] ? 3'd4 : 3'd3) : !row ? 3'd0 : row_pre ? 3'd2 : 3'd1;
  assign bank_o      = col ? {column[ColumnW-3], group} : row_bank;
  assign ap_o        = col && column[1];
  assign slot_o      = column[2 +: SlotW];
  assign col_o       = column[2+SlotW +: ColW];
  assign also_o      = col && row ? (row_pre ? 2'd2 : 2'd1) : 2'd0;
  assign also_bank_o = row_bank;
  assign column_o    = col;
  assign class_o     = row && (!col || row_class > col_class) ? row_class : {2{col}} & col_class;

  assign put = {put_col_class_i, put_col_bank_i[2], put_col_col_i, put_col_slot_i, put_col_ap_i,
      put_col_we_i};
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      one_q <= '0;
      two_q <= '0;
      row_q <= '0;
      for (int g = 0; g < 4; g++) col_before_q[g*4 +: 4] <= 4'b1110 << g;
      for (int b = 0; b < 8; b++) row_before_q[b*8 +: 8] <= 8'hfe << b;
    end else begin
      for (int g = 0; g < 4; g++) begin
        logic comes, leaves;
        comes  = put_col_i && put_col_bank_i[1:0] == 2'(g);
        leaves = goes[g] && col;
        one_q[g] <= (one_q[g] && !leaves) || two_q[g] || comes;
        two_q[g] <= (two_q[g] && !leaves) || (comes && one_q[g] && !leaves) ||
            (comes && two_q[g]);
        for (int h = 0; h < 4; h++) begin
          if (goes[h] && col) col_before_q[g*4 + h] <= 1'b1;
          if (goes[g] && col) col_before_q[g*4 + h] <= 1'b0;
        end
      end
      row_q <= (row_q & ~(row_goes & {8{row}})) | ((8'd1 << put_row_bank_i) & {8{put_row_i}});
      for (int b = 0; b < 8; b++)
        for (int c = 0; c < 8; c++) begin
          if (row_goes[c] && row) row_before_q[b*8 + c] <= 1'b1;
          if (row_goes[b] && row) row_before_q[b*8 + c] <= 1'b0;
        end
    end
  end
  always_ff @(posedge clk_i) begin
    for (int g = 0; g < 4; g++) begin
      if (!one_q[g] || (goes[g] && col && !two_q[g])) head_q[g*ColumnW +: ColumnW] <= put;
      else if (goes[g] && col) head_q[g*ColumnW +: ColumnW] <= tail_q[g*ColumnW +: ColumnW];
      if (!two_q[g] || (goes[g] && col)) tail_q[g*ColumnW +: ColumnW] <= put;
    end
    for (int b = 0; b < 8; b++)
      if (!row_q[b]) begin
        pre_q[b]                  <= put_row_pre_i;
        row_class_q[b*2 +: 2]     <= put_row_class_i;
        row_row_q[b*RowW +: RowW] <= put_row_row_i;
      end
  end

  // What stands.
  assign full_o = two_q;
  assign acts_o = row_q & ~pre_q;
  assign pres_o = row_q & pre_q;
  assign none_o = one_q == '0 && row_q == '0;
  always_comb begin
    reads_o  = 1'b0;
    writes_o = 1'b0;
    for (int g = 0; g < 4; g++) begin
      reads_o  = reads_o || (one_q[g] && !head_q[g*ColumnW]) || (two_q[g] && !tail_q[g*ColumnW]);
      writes_o = writes_o || (one_q[g] && head_q[g*ColumnW]) || (two_q[g] && tail_q[g*ColumnW]);
      for (int u = 0; u < 2; u++)
        cols_o[u*4 + g] = (one_q[g] && head_q[(g+1)*ColumnW-3] == 1'(u)) ||
            (two_q[g] && tail_q[(g+1)*ColumnW-3] == 1'(u));
    end
  end

  `GMMU_ASSERT(dram_stands_row, !put_row_i || !row_q[put_row_bank_i])
  `GMMU_ASSERT(dram_stands_col, !put_col_i || !two_q[put_col_bank_i[1:0]])
  `GMMU_ASSERT(dram_stands_one, (two_q & ~one_q) == '0)
endmodule
`default_nettype wire
