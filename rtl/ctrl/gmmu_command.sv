// SPDX-License-Identifier: Apache-2.0
// gmmu_command: the command sequencer of gmmu_regs. docs/regs.md
//
// A command that is written to CMD goes to the invalidation, or to the engine for coalesce,
// splinter and copy, and ends when inv_done_i says so. It is refused while one runs, or if it is
// not built. *Mapped* ends in the cycle in which it is written. inv_valid_o and co_valid_o stay
// until they are taken.
`default_nettype none
module gmmu_command #(
  parameter int AsidW     = 9,
  parameter int CmdW      = 36,             // of a page number
  parameter int Coalescer = 0,              // commands 5 and 6 are built
  parameter int PageCopy  = 0               // command 7 is built
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             valid_i,         // CMD is written
  input  logic [2:0]       kind_i,
  input  logic [AsidW-1:0] asid_i,          // CMD_ASID, CMD_FIRST, CMD_LAST: stay while busy_o
  input  logic [CmdW-1:0]  first_i,
  input  logic [CmdW-1:0]  last_i,
  output logic             busy_o,
  output logic             refuse_o,        // the write of this cycle is refused
  output logic             refused_o,       // the last write was
  output logic             done_o,          // a command ends in this cycle
  output logic [15:0]      done_count_o,    // so many have ended, modulo 65536
  output logic [2:0]       result_o,        // of the last coalesce, splinter or copy
  // invalidation
  output logic             inv_valid_o,
  input  logic             inv_ready_i,
  output logic [1:0]       inv_kind_o,
  output logic [AsidW-1:0] inv_asid_o,
  output logic [CmdW-1:0]  inv_lo_o,
  output logic [CmdW-1:0]  inv_hi_o,
  // acknowledged, and no burst with an old translation is on its way
  input  logic             inv_done_i,
  output logic             co_valid_o,      // coalesce or splinter the frame of inv_lo_o
  input  logic             co_ready_i,
  output logic             co_splinter_o,
  output logic             co_copy_o,       // copy the page inv_lo_o to inv_hi_o
  input  logic             co_done_i,
  input  logic [2:0]       co_result_i
);
  localparam logic [2:0] CMD_FRAME  = 3'd3;
  localparam logic [2:0] CMD_MAPPED = 3'd4;
  localparam logic [2:0] CMD_SPLINT = 3'd6;
  localparam logic [2:0] CMD_COPY   = 3'd7;

  logic        busy_q, sent_q, refused_q, frame_q, engine_q, splinter_q, copy_q, built;
  logic [15:0] count_q;
  logic [1:0]  kind_q;
  logic [2:0]  result_q;
  assign built    = kind_i == CMD_COPY ? PageCopy != 0 : kind_i <= CMD_MAPPED | Coalescer != 0;
  assign refuse_o = valid_i & (busy_q | !built);
  assign done_o   = (busy_q & inv_done_i) | (valid_i & !refuse_o & kind_i == CMD_MAPPED);
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      busy_q    <= 1'b0;
      sent_q    <= 1'b0;
      refused_q <= 1'b0;
      count_q   <= '0;
      result_q  <= '0;
    end else begin
      if (valid_i) refused_q <= refuse_o;
      if (valid_i & !refuse_o & kind_i != CMD_MAPPED) busy_q <= 1'b1;
      else if (inv_done_i) busy_q <= 1'b0;
      sent_q  <= busy_q & !inv_done_i & (sent_q | (engine_q ? co_ready_i : inv_ready_i));
      count_q <= count_q + 16'(done_o);
      if (co_done_i) result_q <= co_result_i;
    end
  end
  always_ff @(posedge clk_i) begin
    if (valid_i & !refuse_o) begin
      kind_q     <= kind_i >= CMD_FRAME ? gmmu_pkg::INV_RANGE : kind_i[1:0];
      frame_q    <= kind_i >= CMD_FRAME & kind_i != CMD_COPY;
      engine_q   <= kind_i > CMD_MAPPED;
      splinter_q <= kind_i == CMD_SPLINT;
      copy_q     <= kind_i == CMD_COPY;
    end
  end

  assign busy_o        = busy_q;
  assign refused_o     = refused_q;
  assign done_count_o  = count_q;
  assign result_o      = result_q;
  assign inv_valid_o   = busy_q & !sent_q & !engine_q;
  assign co_valid_o    = busy_q & !sent_q & engine_q;
  assign co_splinter_o = splinter_q;
  assign co_copy_o     = copy_q;
  assign inv_kind_o    = kind_q;
  assign inv_asid_o    = asid_i;
  assign inv_lo_o      = frame_q ? {first_i[CmdW-1:9], 9'd0} : first_i;
  assign inv_hi_o      = frame_q ? {first_i[CmdW-1:9], 9'h1ff} : last_i;
endmodule
`default_nettype wire
