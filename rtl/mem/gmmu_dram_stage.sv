// SPDX-License-Identifier: Apache-2.0
// gmmu_dram_stage: gmmu_dram_sched alone in front of any memory controller: requests in, one stream
// of requests out, in the scheduler's order. Rules: docs/dram_sched.md. Source: MASK section 5.4.
//
// The banks' states are those that the requests sent so far leave behind; opening and closing a row
// here costs a cycle each and sends nothing. A request goes out one cycle after its choice and
// stays until out_ready_i.
`default_nettype none
module gmmu_dram_stage #(
  parameter int GoldenEntries = 16,
  parameter int SilverEntries = 64,
  parameter int NormalEntries = 192,
  parameter bit Aware         = 1'b1,
  parameter bit KeepRows      = 1'b0,    // see gmmu_dram_sched
  parameter int NumApps       = 8,
  parameter int RowW          = 16,
  parameter int ColW          = 6,
  parameter int PayloadW      = 16,
  localparam int AppW         = gmmu_pkg::idx_w(NumApps)
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  logic                 t_valid_i,
  output logic                 t_ready_o,
  input  logic [2:0]           t_bank_i,
  input  logic [RowW-1:0]      t_row_i,
  input  logic [ColW-1:0]      t_col_i,
  input  logic                 t_we_i,
  input  logic [PayloadW-1:0]  t_payload_i,
  input  logic                 d_valid_i,
  output logic                 d_ready_o,
  input  logic [2:0]           d_bank_i,
  input  logic [RowW-1:0]      d_row_i,
  input  logic [ColW-1:0]      d_col_i,
  input  logic                 d_we_i,
  input  logic [AppW-1:0]      d_app_i,
  input  logic [PayloadW-1:0]  d_payload_i,
  input  logic [AppW:0]        apps_i,
  input  logic [9:0]           quota_max_i,    // largest quota, 1..1023; 0: no silver turns
  input  logic [15:0]          turn_timeout_i, // 1..65535
  input  logic [15:0]          age_cap_i,      // 0: off; a multiple of 4
  input  logic                 epoch_i,
  input  logic [NumApps*6-1:0] con_i,
  input  logic [NumApps*6-1:0] warps_i,
  output logic                 out_valid_o,
  input  logic                 out_ready_i,
  output logic [2:0]           out_bank_o,
  output logic [RowW-1:0]      out_row_o,
  output logic [ColW-1:0]      out_col_o,
  output logic                 out_we_o,
  output logic [PayloadW-1:0]  out_payload_o
);
  logic [7:0]        open_q;
  logic [8*RowW-1:0] row_q;
  logic [2:0]        cmd, bank;
  logic [RowW-1:0]   row;
  logic [ColW-1:0]   col;
  logic              column, can;
  // A column command needs the output register in the cycle after it.
  assign can    = !out_valid_o || out_ready_i;
  assign column = cmd == 3'd3 || cmd == 3'd4;
  gmmu_dram_sched #(
    .GoldenEntries(GoldenEntries), .SilverEntries(SilverEntries), .NormalEntries(NormalEntries),
    .Aware(Aware), .KeepRows(KeepRows), .NumApps(NumApps),
    .RowW(RowW), .ColW(ColW), .PayloadW(PayloadW)
  ) u_sched (
    .clk_i, .rst_ni, .t_valid_i, .t_ready_o, .t_bank_i, .t_row_i, .t_col_i, .t_we_i, .t_payload_i,
    .d_valid_i, .d_ready_o, .d_bank_i, .d_row_i, .d_col_i, .d_we_i, .d_app_i, .d_payload_i, .apps_i,
    .quota_max_i, .turn_timeout_i, .age_cap_i, .epoch_i, .con_i, .warps_i, .act_ok_i(~open_q),
    .pre_ok_i(open_q), .rd_ok_i(open_q & {8{can}}), .wr_ok_i(open_q & {8{can}}), .two_i(1'b0),
    .pre_soon_i(8'hff), .rcd_soon_i(8'hff), .due_i(1'b0), .idle_o(), .prea_i(1'b0), .cmd_o(cmd),
    .bank_o(bank), .col_o(col), .ap_o(), .also_o(), .also_bank_o(), .act_at_o(), .pre_at_o(),
    .rd_at_o(), .wr_at_o(), .row_o(row), .payload_o(out_payload_o), .obs_o()
  );
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      open_q      <= '0;
      out_valid_o <= 1'b0;
    end else begin
      if (cmd == 3'd1) open_q[bank] <= 1'b1;
      if (cmd == 3'd2) open_q[bank] <= 1'b0;
      if (can) out_valid_o <= column;
    end
  end
  always_ff @(posedge clk_i) begin
    if (cmd == 3'd1) row_q[bank*RowW +: RowW] <= row;
    if (column) begin
      out_bank_o <= bank;
      out_row_o  <= row_q[bank*RowW +: RowW];
      out_col_o  <= col;
      out_we_o   <= cmd == 3'd4;
    end
  end
endmodule
`default_nettype wire
