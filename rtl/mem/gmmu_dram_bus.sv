// SPDX-License-Identifier: Apache-2.0
// gmmu_dram_bus: what the times between the banks of a DRAM channel allow: ACTs one after the
// other, columns of a group and of all, the turn of the data bus. Rules: docs/dram_ctrl.md.
//
// A command comes in the cycle after the one in which it goes; what it says counts in that cycle
// (as in gmmu_dram_bank).
`default_nettype none
`include "gmmu_assert.svh"
module gmmu_dram_bus #(
  parameter int Rrd  = 6,
  parameter int Faw  = 22,
  parameter int Ccds = 2,
  parameter int Ccdl = 3,
  parameter int Rtw  = 12,
  parameter int Wtr  = 11
) (
  input  logic       clk_i,
  input  logic       rst_ni,
  // what went in the cycle before; of the groups whether one of theirs did
  input  logic       act_i,
  input  logic       read_i,
  input  logic       write_i,
  input  logic [3:0] reads_i,
  input  logic [3:0] writes_i,
  input  logic [1:0] before_i,    // ticks from a column of that cycle to its end,
  input  logic [1:0] row_ticks_i, // from a row command
  input  logic [1:0] ticks_i,     // of this cycle
  output logic       act_o,
  output logic [3:0] rd_o,        // per group
  output logic [3:0] wr_o
);
  localparam int Turn = Rtw > Wtr ? Rtw : Wtr;
  localparam int Acts = Faw > Rrd ? Faw : Rrd;
  localparam int Next = Ccds > Ccdl ? Ccds : Ccdl;
  localparam int Cols = Turn > Next ? Turn : Next;
  localparam int W    = $clog2((Acts > Cols ? Acts : Cols) + 1);

  // faw: of the last four ACTs, the oldest lowest
  logic [4*W-1:0] rd_left_q, wr_left_q, faw_q, rd, wr, faw;
  logic [W-1:0]   rd_any_q, wr_any_q, act_any_q, rd_any, wr_any, act_any;
  logic [3:0]     rd_may_q, wr_may_q;
  logic           act_may_q;

  `include "gmmu_dram_times.svh"

  // With what went in the cycle before. Columns of the group wait longer (tCCDL); the other
  // direction until the bus has turned.
  assign act_any = act_i ? W'(Rrd) - W'(row_ticks_i) : act_any_q;
  assign faw     = act_i ? {W'(Faw) - W'(row_ticks_i), faw_q[4*W-1:W]} : faw_q;
  assign rd_any  = read_i ? W'(Ccds) - W'(before_i) :
      write_i ? later(rd_any_q, W'(Wtr) - W'(before_i)) : rd_any_q;
  assign wr_any  = write_i ? W'(Ccds) - W'(before_i) :
      read_i ? later(wr_any_q, W'(Rtw) - W'(before_i)) : wr_any_q;
  for (genvar g = 0; g < 4; g++) begin : gen_group
    assign rd[g*W +: W] = reads_i[g] ? W'(Ccdl) - W'(before_i) : rd_left_q[g*W +: W];
    assign wr[g*W +: W] = writes_i[g] ? W'(Ccdl) - W'(before_i) : wr_left_q[g*W +: W];
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        rd_left_q[g*W +: W] <= '0;
        wr_left_q[g*W +: W] <= '0;
        faw_q[g*W +: W]     <= '0;
        rd_may_q[g]         <= 1'b1;
        wr_may_q[g]         <= 1'b1;
      end else begin
        rd_left_q[g*W +: W] <= down(rd[g*W +: W], ticks_i);
        wr_left_q[g*W +: W] <= down(wr[g*W +: W], ticks_i);
        faw_q[g*W +: W]     <= down(faw[g*W +: W], ticks_i);
        rd_may_q[g]         <= rd[g*W +: W] <= W'(ticks_i) && rd_any <= W'(ticks_i);
        wr_may_q[g]         <= wr[g*W +: W] <= W'(ticks_i) && wr_any <= W'(ticks_i);
      end
    end
    // A column of the cycle before forbids what a cycle does not outlast.
    assign rd_o[g] = rd_may_q[g] && !(read_i && W'(Ccds) > W'(before_i)) &&
        !(reads_i[g] && W'(Ccdl) > W'(before_i)) && !(write_i && W'(Wtr) > W'(before_i));
    assign wr_o[g] = wr_may_q[g] && !(write_i && W'(Ccds) > W'(before_i)) &&
        !(writes_i[g] && W'(Ccdl) > W'(before_i)) && !(read_i && W'(Rtw) > W'(before_i));
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      act_any_q <= '0;
      rd_any_q  <= '0;
      wr_any_q  <= '0;
      act_may_q <= 1'b1;
    end else begin
      act_any_q <= down(act_any, ticks_i);
      rd_any_q  <= down(rd_any, ticks_i);
      wr_any_q  <= down(wr_any, ticks_i);
      act_may_q <= act_any <= W'(ticks_i) && faw[0 +: W] <= W'(ticks_i);
    end
  end
  assign act_o = act_may_q && !act_i; // tRRD is longer than a cycle

  `GMMU_ASSERT(dram_bus_act, act_o == (act_any == '0 && faw[0 +: W] == '0))
  `GMMU_ASSERT(dram_bus_rd, rd_o[0] == (rd_any == '0 && rd[0 +: W] == '0))
  `GMMU_ASSERT(dram_bus_wr, wr_o[3] == (wr_any == '0 && wr[3*W +: W] == '0))
  `GMMU_ASSERT(dram_bus_one, !(read_i && write_i))
endmodule
`default_nettype wire
