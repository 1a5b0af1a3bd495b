// SPDX-License-Identifier: Apache-2.0
// gmmu_dram_bank: one bank of a DRAM channel: whether its row is open, and what its times allow.
// Rules: docs/dram_ctrl.md.
//
// A command of the bank comes in the cycle after the one in which it goes; what it says counts in
// that cycle: act_o, pre_o, col_o are a register's bit, counted ahead without it, and what it
// forbids. before_i: ticks from a column of that cycle to its end, row_ticks_i from a row command;
// ticks_i: of this cycle. Legal: as gmmu_dram_ctrl.
`default_nettype none
`include "gmmu_assert.svh"
module gmmu_dram_bank #(
  parameter int Rcd     = 12,
  parameter int Ras     = 28,
  parameter int Rc      = 40,
  parameter int Rp      = 12,
  parameter int Rtp     = 2,
  parameter int Wtp     = 18,
  parameter int Rfc     = 61,
  parameter int PreSoon = 4,
  parameter int RcdSoon = 10
) (
  input  logic       clk_i,
  input  logic       rst_ni,
  // what went in the cycle before
  input  logic       act_i,
  input  logic       pre_i,
  input  logic       read_i,
  input  logic       write_i,
  input  logic       ap_i,      // beside one of these two
  input  logic       prea_i,    // of all banks, the refresh too
  input  logic       refresh_i,
  input  logic       prea_now_i, // these two in this cycle
  input  logic       refresh_now_i,
  input  logic [1:0] before_i,
  input  logic [1:0] row_ticks_i,
  input  logic [1:0] ticks_i,
  output logic       open_o,
  output logic       act_o,      // closed, and every time up to an ACT is over
  output logic       pre_o,      // open, and every time up to a PRE is over
  output logic       col_o,      // open, and tRCD is over
  output logic       pre_soon_o, // within PreSoon ticks a PRE may come,
  output logic       rcd_soon_o  // within RcdSoon is tRCD over
);
  localparam int Most = Rfc > Ras + Rp ? (Rfc > Rc ? Rfc : Rc) : (Ras + Rp > Rc ? Ras + Rp : Rc);
  localparam int W    = $clog2((Most > RcdSoon + 2 ? Most : RcdSoon + 2) + 1);

  // Ticks left of what an ACT, a PRE, a column waits for: as they were before the last cycle's
  // command, and with it.
  logic [W-1:0] act_q, pre_q, rcd_q, act, pre, rcd, col_time;
  logic         open_q, act_may_q, pre_may_q, col_may_q, pre_soon_q, rcd_soon_q, pre_waits;

  `include "gmmu_dram_times.svh"

  assign open_o = (open_q | act_i) & ~(pre_i | ap_i | prea_i);
  assign rcd = act_i ? W'(Rcd) - W'(row_ticks_i) : rcd_q;
  assign pre = act_i ? W'(Ras) - W'(row_ticks_i) :
      read_i ? later(pre_q, W'(Rtp) - W'(before_i)) :
      write_i ? later(pre_q, W'(Wtp) - W'(before_i)) : pre_q;
  // With auto-precharge the precharge comes as soon as it may: after `pre`.
  assign col_time = (read_i ? W'(Rtp + Rp) : W'(Wtp + Rp)) - W'(before_i);
  assign act = act_i ? W'(Rc) - W'(row_ticks_i) :
      refresh_i ? W'(Rfc) - W'(before_i) :
      pre_i ? later(act_q, W'(Rp) - W'(row_ticks_i)) :
      ap_i ? later(later(act_q, pre_q + W'(Rp)), col_time) :
      prea_i && open_q ? later(act_q, W'(Rp) - W'(before_i)) : act_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      open_q     <= 1'b0;
      act_q      <= '0;
      pre_q      <= '0;
      rcd_q      <= '0;
      act_may_q  <= 1'b1;
      pre_may_q  <= 1'b0;
      col_may_q  <= 1'b0;
      pre_soon_q <= 1'b1;
      rcd_soon_q <= 1'b1;
    end else begin
      open_q     <= open_o;
      act_q      <= down(act, ticks_i);
      pre_q      <= down(pre, ticks_i);
      rcd_q      <= down(rcd, ticks_i);
      act_may_q  <= !open_o && act <= W'(ticks_i) && !refresh_now_i;
      pre_may_q  <= open_o && pre <= W'(ticks_i) && !prea_now_i;
      col_may_q  <= open_o && rcd <= W'(ticks_i) && !prea_now_i;
      pre_soon_q <= pre <= W'(PreSoon) + W'(ticks_i);
      rcd_soon_q <= rcd <= W'(RcdSoon) + W'(ticks_i);
    end
  end

  // tRCD, tRAS and tRC are longer than a cycle: no need to ask how long an ACT was ago.
  assign act_o     = act_may_q && !act_i;
  assign pre_waits = (read_i && W'(Rtp) > W'(before_i)) || (write_i && W'(Wtp) > W'(before_i));
  assign pre_o     = pre_may_q && !pre_i && !ap_i && !pre_waits;
  assign col_o     = col_may_q && !pre_i && !ap_i;
  assign pre_soon_o = act_i ? W'(Ras) - W'(row_ticks_i) <= W'(PreSoon) : pre_soon_q &&
      !(read_i && W'(Rtp) - W'(before_i) > W'(PreSoon)) &&
      !(write_i && W'(Wtp) - W'(before_i) > W'(PreSoon));
  assign rcd_soon_o = act_i ? W'(Rcd) - W'(row_ticks_i) <= W'(RcdSoon) : rcd_soon_q;

  `GMMU_ASSERT(dram_bank_act, act_o == (!open_o && act == '0))
  `GMMU_ASSERT(dram_bank_pre, pre_o == (open_o && pre == '0))
  `GMMU_ASSERT(dram_bank_col, col_o == (open_o && rcd == '0))
  `GMMU_ASSERT(dram_bank_pre_soon, pre_soon_o == (pre <= W'(PreSoon)))
  `GMMU_ASSERT(dram_bank_rcd_soon, rcd_soon_o == (rcd <= W'(RcdSoon)))
endmodule
`default_nettype wire
