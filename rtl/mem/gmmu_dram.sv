// SPDX-License-Identifier: Apache-2.0
// gmmu_dram: one DRAM channel: scheduler and controller. Rules: docs/dram_sched.md,
// docs/dram_ctrl.md. Source: MASK section 5.4.
//
// Requests of one 64-byte line each: translations (t_) and data (d_), valid/ready. Reads are
// answered with their id, in any order, always accepted; writes are not answered. Widths: line data
// DataW, ids IdW. Times are ticks of the
// command clock, TickRatio / 16384 a cycle.
`default_nettype none
module gmmu_dram #(
  parameter int GoldenEntries = 16,
  parameter int SilverEntries = 64,
  parameter int NormalEntries = 192,
  parameter bit Aware         = 1'b1,
  parameter bit ClosedRow     = 1'b0,
  parameter bit KeepRows      = 1'b0,  // see gmmu_dram_sched
  parameter int NumApps       = 8,
  parameter int RowW          = 16,
  parameter int ColW          = 6,
  parameter int IdW           = 8,
  parameter int DataW         = 512,
  parameter int WDataW        = DataW,  // written: data, and what goes with it, as a byte mask
  parameter int Rcd           = 12,
  parameter int Ras           = 28,
  parameter int Rc            = 40,
  parameter int Rp            = 12,
  parameter int Rrd           = 6,
  parameter int Faw           = 22,
  parameter int Ccds          = 2,
  parameter int Ccdl          = 3,
  parameter int Rtw           = 12,
  parameter int Wtr           = 11,
  parameter int Rtp           = 2,
  parameter int Wtp           = 18,
  parameter int Cl            = 12,
  parameter int Rfc           = 61,
  parameter int Refi          = 1755,
  parameter int TickRatio     = 16384,  // command clock over clk_i, in 1/16384
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
  input  logic [IdW-1:0]       t_id_i,
  input  logic [WDataW-1:0]    t_data_i,
  input  logic                 d_valid_i,
  output logic                 d_ready_o,
  input  logic [2:0]           d_bank_i,
  input  logic [RowW-1:0]      d_row_i,
  input  logic [ColW-1:0]      d_col_i,
  input  logic                 d_we_i,
  input  logic [AppW-1:0]      d_app_i,
  input  logic [IdW-1:0]       d_id_i,
  input  logic [WDataW-1:0]    d_data_i,
  input  logic [AppW:0]        apps_i,
  input  logic [9:0]           quota_max_i,    // largest quota, 1..1023; 0: no silver turns
  input  logic [15:0]          turn_timeout_i, // 1..65535
  input  logic [15:0]          age_cap_i,      // 0: off; a multiple of 4
  input  logic                 epoch_i,
  input  logic [NumApps*6-1:0] con_i,
  input  logic [NumApps*6-1:0] warps_i,
  // pins
  output logic [2:0]           cmd_o,
  output logic [2:0]           bank_o,
  output logic [ColW-1:0]      col_o,
  output logic                 ap_o,
  output logic [1:0]           also_o,         // second command, beside a column
  output logic [2:0]           also_bank_o,
  output logic [RowW-1:0]      row_o,          // of an ACT
  output logic [1:0]           ticks_o,        // of the command clock in this cycle of the pins
  output logic [WDataW-1:0]    wdata_o,
  input  logic [DataW-1:0]     rdata_i,
  // answers to reads
  output logic                 rsp_valid_o,
  output logic [IdW-1:0]       rsp_id_o,
  output logic [DataW-1:0]     rsp_data_o,
  output logic [IdW-1:0]       obs_id_o,   // of the command on the pins
  output logic [15+AppW:0]     obs_o       // of the scheduler
);
  logic [7:0]        act_ok, pre_ok, rd_ok, wr_ok, pre_soon, rcd_soon, act_at, pre_at, rd_at, wr_at;
  logic              due, idle, prea, ap, two;
  logic [1:0]        also;
  logic [2:0]        cmd, bank, also_bank;
  logic [RowW-1:0]   row;
  logic [ColW-1:0]   col;
  logic [IdW-1:0]    id;
  gmmu_dram_sched #(
    .GoldenEntries(GoldenEntries), .SilverEntries(SilverEntries), .NormalEntries(NormalEntries),
    .Aware(Aware), .ClosedRow(ClosedRow), .KeepRows(KeepRows),
    .NumApps(NumApps), .RowW(RowW), .ColW(ColW), .PayloadW(IdW + WDataW)
  ) u_sched (
    .clk_i, .rst_ni, .t_valid_i, .t_ready_o, .t_bank_i, .t_row_i, .t_col_i, .t_we_i,
    .t_payload_i({t_id_i, t_data_i}), .d_valid_i, .d_ready_o, .d_bank_i, .d_row_i, .d_col_i,
    .d_we_i, .d_app_i, .d_payload_i({d_id_i, d_data_i}), .apps_i, .quota_max_i, .turn_timeout_i,
    .age_cap_i, .epoch_i, .con_i, .warps_i, .act_ok_i(act_ok), .pre_ok_i(pre_ok), .rd_ok_i(rd_ok),
    .wr_ok_i(wr_ok), .two_i(two), .pre_soon_i(pre_soon), .rcd_soon_i(rcd_soon), .due_i(due),
    .idle_o(idle), .prea_i(prea), .cmd_o(cmd), .bank_o(bank), .col_o(col), .ap_o(ap), .also_o(also),
    .also_bank_o(also_bank), .act_at_o(act_at), .pre_at_o(pre_at), .rd_at_o(rd_at), .wr_at_o(wr_at),
    .row_o(row), .payload_o({id, wdata_o}), .obs_o
  );
  gmmu_dram_ctrl #(
    .RowW(RowW), .ColW(ColW), .IdW(IdW), .DataW(DataW), .Rcd(Rcd), .Ras(Ras), .Rc(Rc), .Rp(Rp),
    .Rrd(Rrd), .Faw(Faw), .Ccds(Ccds), .Ccdl(Ccdl),
    .Rtw(Rtw), .Wtr(Wtr), .Rtp(Rtp), .Wtp(Wtp), .Cl(Cl), .Rfc(Rfc), .Refi(Refi),
    .TickRatio(TickRatio)
  ) u_ctrl (
    .clk_i, .rst_ni, .act_ok_o(act_ok), .pre_ok_o(pre_ok), .rd_ok_o(rd_ok), .wr_ok_o(wr_ok),
    .two_o(two), .pre_soon_o(pre_soon), .rcd_soon_o(rcd_soon), .due_o(due), .idle_i(idle),
    .prea_o(prea), .cmd_i(cmd), .bank_i(bank), .col_i(col), .ap_i(ap), .also_i(also),
    .also_bank_i(also_bank), .act_at_i(act_at), .pre_at_i(pre_at), .rd_at_i(rd_at), .wr_at_i(wr_at),
    .row_i(row), .id_i(id), .cmd_o, .bank_o, .col_o, .ap_o, .also_o, .also_bank_o, .row_o, .ticks_o,
    .rdata_i, .rsp_valid_o, .rsp_id_o, .rsp_data_o
  );
  assign obs_id_o = id;
endmodule
`default_nettype wire
