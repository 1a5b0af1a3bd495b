// SPDX-License-Identifier: Apache-2.0
// gmmu_dram_rows: the rows of a DRAM channel's banks as its queues see them: a row is open from two
// cycles after its ACT was found. Rules: docs/dram_sched.md.
`default_nettype none
module gmmu_dram_rows #(
  parameter int RowW = 16
) (
  input  logic            clk_i,
  input  logic            rst_ni,
  input  logic            row_i,       // a row command was found a cycle ago
  input  logic            pre_i,
  input  logic [2:0]      bank_i,
  input  logic [RowW-1:0] row_row_i,
  input  logic [7:0]      ap_i,        // banks of which a column with auto-precharge was
  input  logic            prea_i,
  output logic            act_o,       // in this cycle it opens
  output logic [7:0]      close_o,     // these close
  output logic [7:0]      changes_o,   // open or close, but for prea_i
  output logic [7:0]      open_o,
  input  logic            in_last_i,   // of four the second one; or, but for in_last_i,
  input  logic            in_put_i,    // one of the upper two,
  input  logic            in_t_i,      // the last one
  input  logic [4*(3+RowW)-1:0] in_i,  // bank, row: open once this cycle is over?
  output logic            in_hit_o,
  input  logic [2:0]      of_bank_i,   // the row that is open there
  output logic [RowW-1:0] of_row_o
);
  logic [8*RowW-1:0] open_row_q;
  logic [7:0]        at_row;
  logic [3:0]        hit;
  assign act_o     = row_i && !pre_i;
  assign at_row    = (8'd1 << bank_i) & {8{row_i}};
  assign changes_o = at_row | ap_i;
  assign close_o   = {8{prea_i}} | (at_row & {8{pre_i}}) | ap_i;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) open_o <= '0;
    else open_o <= (open_o | (at_row & {8{act_o}})) & ~close_o;
  end
  always_ff @(posedge clk_i) if (act_o) open_row_q[bank_i*RowW +: RowW] <= row_row_i;

  for (genvar i = 0; i < 4; i++) begin : gen_in
    logic [2:0]      bank;
    logic [RowW-1:0] row, open_row;
    logic            opens;
    assign {bank, row} = in_i[i*(3+RowW) +: 3+RowW];
    assign opens    = act_o && bank_i == bank;
    assign open_row = opens ? row_row_i : open_row_q[bank*RowW +: RowW];
    assign hit[i]   = open_row == row && (open_o[bank] || opens) &&
        !close_o[bank];
  end
  assign in_hit_o = in_last_i ? hit[1] : !in_put_i ? hit[0] : in_t_i ? hit[3] : hit[2];
  assign of_row_o = open_row_q[of_bank_i*RowW +: RowW];
endmodule
`default_nettype wire
