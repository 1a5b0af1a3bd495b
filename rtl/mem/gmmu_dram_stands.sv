// SPDX-License-Identifier: Apache-2.0
// gmmu_dram_stands: the commands of one DRAM channel that were chosen and wait for the controller:
// columns of each bank group in order, a row command of each bank; which of them go in this cycle.
// Rules: docs/dram_sched.md. Source: MASK section 5.4.
//
// What comes in stands from the next cycle on; the caller sees to it that there is room. Out, in
// the same cycle as the controller's ready: a command, with two_i up to two.
`default_nettype none
`include "gmmu_assert.svh"
module gmmu_dram_stands #(
  parameter int RowW    = 16,
  parameter int ColW    = 6,
  parameter int SlotW   = 9,
  localparam int PlaceW = ColW + SlotW + 2      // column, slot, ap, write
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  // columns of a group, a second one beside the first; class: 0 normal, 1 silver, 2 golden, 3 next
  input  logic              put_col_i,
  input  logic [1:0]        put_group_i,
  input  logic [1:0]        put_col_class_i,
  input  logic              put_col_upper_i,    // of the bank
  input  logic [PlaceW-1:0] put_col_place_i,
  input  logic              put_second_i,
  input  logic              put_second_upper_i,
  input  logic [PlaceW-1:0] put_second_place_i,
  // a row command of another bank
  input  logic              put_row_i,
  input  logic [1:0]        put_row_class_i,
  input  logic              put_row_pre_i,
  input  logic [2:0]        put_row_bank_i,
  input  logic [RowW-1:0]   put_row_row_i,
  // controller
  input  logic [7:0]        act_ok_i,
  input  logic [7:0]        pre_ok_i,
  input  logic [7:0]        rd_ok_i,
  input  logic [7:0]        wr_ok_i,
  input  logic              two_i,       // a column and a row command may go in this cycle
  output logic [2:0]        cmd_o,       // 0 none, 1 ACT, 2 PRE, 3 read, 4 write
  output logic [2:0]        bank_o,
  output logic [ColW-1:0]   col_o,
  output logic              ap_o,
  output logic [1:0]        also_o,      // beside a column: 0 none, 1 ACT, 2 PRE
  output logic [2:0]        also_bank_o,
  output logic [7:0]        act_at_o,    // the same, a bit per bank
  output logic [7:0]        pre_at_o,
  output logic [7:0]        rd_at_o,
  output logic [7:0]        wr_at_o,
  output logic [RowW-1:0]   row_o,       // of an ACT
  output logic              column_o,    // a column goes
  output logic [SlotW-1:0]  slot_o,
  output logic [1:0]        class_o,     // the highest of what goes
  // what stands
  output logic [3:0]        full_o,      // more than two columns of the group
  output logic              reads_o,
  output logic              writes_o,
  output logic [7:0]        more_o,      // more than one column of the bank
  output logic [7:0]        rows_o,      // a row command of the bank
  output logic              none_o
);
  localparam int ColumnW = 2 + 1 + PlaceW; // class, upper bit of the bank

  // Columns: the first of each group, which of them may go, which goes.
  logic [3:0]           valid, fits, goes, reads, writes;
  logic [4*ColumnW-1:0] head;
  logic [4*2-1:0]       head_class;
  logic [15:0]          earlier_q;    // [g*4+h]: g had its last column before h
  logic [7:0]           cols;        // a column of the bank stands
  logic [ColumnW-1:0]   column;
  logic [1:0]           col_class, row_class, group;
  logic                 col, row, row_pre, col_can, row_can;

  // What may go and is before all others that may: the higher class, then `earlier`.
  function automatic logic [3:0] column_first(input logic [3:0] may, input logic [7:0] classes,
      input logic [15:0] earlier);
    logic [3:0] m;
    begin
      m = may;
      for (int g = 0; g < 4; g++)
        for (int h = 0; h < 4; h++)
          if (h != g && may[h] && (classes[h*2 +: 2] > classes[g*2 +: 2] ||
              (classes[h*2 +: 2] == classes[g*2 +: 2] && earlier[h*4 + g]))) m[g] = 1'b0;
      column_first = m;
    end
  endfunction

  function automatic logic [ColumnW-1:0] column_of(input logic [3:0] one,
      input logic [4*ColumnW-1:0] v);
    begin
      column_of = '0;
      for (int g = 0; g < 4; g++)
          column_of = column_of | (v[g*ColumnW +: ColumnW] & {ColumnW{one[g]}});
    end
  endfunction

  for (genvar g = 0; g < 4; g++) begin : gen_group
    logic upper, comes;
    assign comes = put_col_i && put_group_i == 2'(g);
    gmmu_dram_columns #(.Width(ColumnW)) u_columns (
      .clk_i, .rst_ni, .put_i(comes),
      .put_column_i({put_col_class_i, put_col_upper_i, put_col_place_i}),
      .second_i(comes && put_second_i),
      .second_column_i({put_col_class_i, put_second_upper_i, put_second_place_i}),
      .go_i(goes[g] && col), .valid_o(valid[g]), .head_o(head[g*ColumnW +: ColumnW]),
      .full_o(full_o[g]), .reads_o(reads[g]), .writes_o(writes[g]),
      .banks_o({cols[4 + g], cols[g]}), .more_o({more_o[4 + g], more_o[g]})
    );
    assign upper   = head[(g+1)*ColumnW-3];
    assign fits[g] = valid[g] && (head[g*ColumnW] ? (upper ? wr_ok_i[4 + g] : wr_ok_i[g]) :
        (upper ? rd_ok_i[4 + g] : rd_ok_i[g]));
    assign head_class[g*2 +: 2] = head[(g+1)*ColumnW-1 -: 2];
    assign rd_at_o[g]     = goes[g] && col && !head[g*ColumnW] && !upper;
    assign rd_at_o[4 + g] = goes[g] && col && !head[g*ColumnW] && upper;
    assign wr_at_o[g]     = goes[g] && col && head[g*ColumnW] && !upper;
    assign wr_at_o[4 + g] = goes[g] && col && head[g*ColumnW] && upper;
    for (genvar h = 0; h < 4; h++) begin : gen_earlier
      always_ff @(posedge clk_i) begin
        if (!rst_ni) earlier_q[g*4 + h] <= g < h;
        else if (goes[g] && col) earlier_q[g*4 + h] <= 1'b0;
        else if (goes[h] && col) earlier_q[g*4 + h] <= 1'b1;
      end
    end
  end
  assign goes      = column_first(fits, head_class, earlier_q);
  assign column    = column_of(goes, head);
  assign group     = {goes[3] || goes[2], goes[3] || goes[1]};
  assign col_class = column[ColumnW-1 -: 2];

  // Row commands. A PRE waits for the columns of its bank.
  logic [7:0]        row_q, pre_q, row_fits, row_goes;
  logic [8*2-1:0]    row_class_q;
  logic [8*RowW-1:0] row_row_q;
  logic [63:0]       row_earlier_q;

  // The higher class, an ACT before a PRE, then `earlier`.
  function automatic logic [7:0] row_first(input logic [7:0] may, input logic [15:0] classes,
      input logic [7:0] pre, input logic [63:0] earlier);
    logic [7:0] m;
    begin
      m = may;
      for (int b = 0; b < 8; b++)
        for (int c = 0; c < 8; c++)
          if (c != b && may[c] && ({classes[c*2 +: 2], !pre[c]} > {classes[b*2 +: 2], !pre[b]} ||
              ({classes[c*2 +: 2], pre[c]} == {classes[b*2 +: 2], pre[b]} && earlier[c*8 + b])))
              m[b] = 1'b0;
      row_first = m;
    end
  endfunction

  function automatic logic [2+RowW-1:0] row_of(input logic [7:0] one, input logic [15:0] classes,
      input logic [8*RowW-1:0] v);
    begin
      row_of = '0;
      for (int b = 0; b < 8; b++)
          row_of = row_of | ({classes[b*2 +: 2], v[b*RowW +: RowW]} & {(2+RowW){one[b]}});
    end
  endfunction
  assign row_fits = row_q & ((act_ok_i & ~pre_q) | (pre_ok_i & pre_q & ~cols));
  assign row_goes = row_first(row_fits, row_class_q, pre_q, row_earlier_q);
  assign row_pre  = |(row_goes & pre_q);
  assign {row_class, row_o} = row_of(row_goes, row_class_q, row_row_q);
  for (genvar b = 0; b < 8; b++) begin : gen_bank
    always_ff @(posedge clk_i) begin
      if (!rst_ni) row_q[b] <= 1'b0;
      else row_q[b] <= (row_q[b] && !(row_goes[b] && row)) ||
          (put_row_i && put_row_bank_i == 3'(b));
    end
    always_ff @(posedge clk_i) begin
      if (!row_q[b]) begin
        pre_q[b]                  <= put_row_pre_i;
        row_class_q[b*2 +: 2]     <= put_row_class_i;
        row_row_q[b*RowW +: RowW] <= put_row_row_i;
      end
    end
    for (genvar c = 0; c < 8; c++) begin : gen_earlier
      always_ff @(posedge clk_i) begin
        if (!rst_ni) row_earlier_q[b*8 + c] <= b < c;
        else if (row_goes[b] && row) row_earlier_q[b*8 + c] <= 1'b0;
        else if (row_goes[c] && row) row_earlier_q[b*8 + c] <= 1'b1;
      end
    end
  end

  // Is one of v of this class or a higher one? Of those the first has the highest class.
  function automatic logic [3:0] reaches(input logic [7:0] v, input logic [15:0] classes);
    begin
      reaches = '0;
      for (int k = 0; k < 4; k++)
        for (int i = 0; i < 8; i++)
            if (v[i] && classes[i*2 +: 2] >= 2'(k)) reaches[k] = 1'b1;
    end
  endfunction

  // With one tick the column, unless the row command's class is higher.
  logic [3:0] col_reaches, row_reaches;
  logic       row_above;
  assign col_reaches = reaches({4'd0, fits}, {8'd0, head_class});
  assign row_reaches = reaches(row_fits, row_class_q);
  assign row_above   = (row_reaches & ~col_reaches) != '0;
  assign col_can     = col_reaches[0];
  assign row_can     = row_reaches[0];
  assign col         = col_can && (two_i || !row_above);
  assign row         = row_can && (two_i || row_above);
  assign act_at_o    = row_goes & ~pre_q & {8{row}};
  assign pre_at_o    = row_goes & pre_q & {8{row}};
  assign also_bank_o = {|row_goes[7:4], |(row_goes & 8'hcc), |(row_goes & 8'haa)};
  assign cmd_o       = col ? (column[0] ? 3'd4 : 3'd3) : !row ? 3'd0 : row_pre ? 3'd2 : 3'd1;
  assign bank_o      = col ? {column[ColumnW-3], group} : also_bank_o;
  assign ap_o        = col && column[1];
  assign slot_o      = column[2 +: SlotW];
  assign col_o       = column[2+SlotW +: ColW];
  assign also_o      = col && row ? (row_pre ? 2'd2 : 2'd1) : 2'd0;
  assign column_o    = col;
  assign class_o     = row && (!col || row_class > col_class) ? row_class : {2{col}} & col_class;
  assign reads_o     = |reads;
  assign writes_o    = |writes;
  assign rows_o      = row_q;
  assign none_o      = valid == '0 && row_q == '0;

  `GMMU_ASSERT(dram_stands_row, !put_row_i || !row_q[put_row_bank_i])
endmodule
`default_nettype wire
