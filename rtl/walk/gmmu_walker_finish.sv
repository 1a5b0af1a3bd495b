// SPDX-License-Identifier: Apache-2.0
// gmmu_walker_finish: walks that end, in the order of their ends: by the answer that is decoded, by
// the end of their run, or at their root. With CoLT (built or left out here) an answer has its
// group: the pages of the same line that are mapped alike (docs/colt.md).
//
// One end a cycle, seen from the next cycle on. A walk that answers early ends twice, and is freed
// by the second; there is room for all. free_o: of the end that was taken in the cycle before, so
// that the queue's RAM is not on the way to who may start next; nor is it on the way to the unified
// L2's tags, for which the queue's head is a register.
`default_nettype none
module gmmu_walker_finish #(
  parameter int Walks       = 64,
  parameter int Mshrs       = 64,
  parameter int PfnW        = 36,
  parameter int NumWindows  = 4,
  parameter int L2Unified   = 0,
  parameter int Colt        = 0,
  parameter int LineAnswers = 0,
  parameter int CtxW        = 3,
  localparam int SlotW      = gmmu_pkg::idx_w(Walks),
  localparam int MshrW      = gmmu_pkg::idx_w(Mshrs),
  localparam int RunW       = gmmu_pkg::RUN_W,
  localparam int PageXlateW = gmmu_pkg::XLATE_FIXED_W + PfnW,
  localparam int XlateW     = gmmu_pkg::xlate_w(PfnW, Colt),
  localparam int MemW       = LineAnswers != 0 ? 512 : 64
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  // the answer that is decoded ends its walk
  input  logic              dec_fin_i,
  input  logic [CtxW-1:0]   dec_app_i,
  input  logic [SlotW-1:0]  dec_slot_i,
  input  logic [MshrW-1:0]  dec_mshr_i,
  input  logic [PageXlateW-1:0] dec_xlate_i,
  input  logic              dec_head_i,      // it was another head of its frame
  input  logic              dec_early_i,
  input  logic              dec_frame_i,     // the translation is of the whole frame
  // CoLT: its line (memory's answer two cycles before), its page in it; in the cycle between, the
  // page that its leaf maps
  input  logic              mem_valid_i,
  input  logic [MemW-1:0]   mem_data_i,
  input  logic              mem_half_i,      // bit 2 of its VFN
  input  logic [1:0]        first_page_i,
  input  logic [PfnW-1:0]   first_pfn_i,
  input  logic [8:0]        first_offset_i,
  input  logic [1:0]        dec_page_i,
  input  logic              dec_own_i,       // a leaf of its own, not of a contiguous frame
  input  logic              dec_alone_i,     // no group: the walk restarts, or reads heads
  input  logic              dec_ext_i,
  input  logic [PageXlateW-1:0] step_xlate_i,
  input  logic [NumWindows*PfnW-1:0] win_lo_i,
  input  logic [NumWindows*PfnW-1:0] win_hi_i,
  input  logic [NumWindows-1:0]      win_data_i,
  // a run ends; else a walk at its root
  input  logic              run_end_i,
  input  logic [CtxW-1:0]   run_app_i,
  input  logic [SlotW-1:0]  run_slot_i,
  input  logic [MshrW-1:0]  run_mshr_i,
  input  logic [PageXlateW-1:0] run_xlate_i,
  input  logic [RunW-1:0]   run_run_i,
  input  logic              root_end_i,
  input  logic [CtxW-1:0]   root_app_i,
  input  logic [SlotW-1:0]  root_slot_i,
  input  logic [MshrW-1:0]  root_mshr_i,
  input  logic [PageXlateW-1:0] root_xlate_i,
  // to the L2 TLB
  output logic              fin_valid_o,
  input  logic              fin_take_i,
  output logic [MshrW-1:0]  fin_mshr_o,
  output logic [XlateW-1:0]   fin_xlate_o,
  output logic [RunW-1:0]   fin_run_o,
  output logic              free_o,
  output logic [SlotW-1:0]  free_slot_o,
  output logic [CtxW-1:0]   free_app_o
);
  localparam int FinW = CtxW + SlotW + MshrW + RunW + XlateW;
  logic [XlateW-1:0] dec_xlate, run_xlate, root_xlate;
  if (Colt != 0) begin : gen_group
    logic [3:0] group;
    gmmu_walk_group #(.PfnW(PfnW), .NumWindows(NumWindows), .MemW(MemW)) u_group (
      .clk_i, .mem_valid_i, .mem_data_i, .mem_half_i, .first_page_i, .first_pfn_i, .first_offset_i,
      .page_i(dec_page_i), .own_i(dec_own_i), .ext_i(dec_ext_i), .xlate_i(step_xlate_i), .win_lo_i,
      .win_hi_i, .win_data_i, .group_o(group)
    );
    assign dec_xlate  = {dec_alone_i ? 4'd0 : group, dec_xlate_i};
    assign run_xlate  = {4'd0, run_xlate_i};
    assign root_xlate = {4'd0, root_xlate_i};
  end else begin : gen_no_group
    assign dec_xlate  = dec_xlate_i;
    assign run_xlate  = run_xlate_i;
    assign root_xlate = root_xlate_i;
  end

  logic [FinW-1:0]  fin_in;
  logic             free_q;
  logic [SlotW-1:0] slot, freed_slot_q;
  logic [CtxW-1:0]  app, freed_app_q;
  logic [RunW-1:0] dec_run;
  assign dec_run = dec_head_i ? gmmu_pkg::RUN_ONLY : dec_early_i ? gmmu_pkg::RUN_EARLY
                 : !dec_frame_i ? '0 : gmmu_pkg::RUN_FRAME;
  assign fin_in  = dec_fin_i ? {dec_app_i, dec_slot_i, dec_mshr_i, dec_run, dec_xlate}
                 : run_end_i ? {run_app_i, run_slot_i, run_mshr_i, run_run_i, run_xlate}
                 : {root_app_i, root_slot_i, root_mshr_i, {RunW{1'b0}}, root_xlate};
  // A head register only where the memory is deep: it costs 90 LUTs with four walks.
  gmmu_fifo #(.Width(FinW), .Depth(L2Unified != 0 ? 2 * Walks : Walks), .Late(1),
              .Head(Walks > 8 ? 1 : 0)) u_finished (
    .clk_i, .rst_ni, .push_i(dec_fin_i | run_end_i | root_end_i), .data_i(fin_in),
    .pop_i(fin_take_i), .valid_o(fin_valid_o),
    .data_o({app, slot, fin_mshr_o, fin_run_o, fin_xlate_o}), .count_o()
  );
  always_ff @(posedge clk_i) begin
    free_q       <= rst_ni & fin_take_i & !fin_run_o[gmmu_pkg::RUN_EARLY_BIT];
    freed_slot_q <= slot;
    freed_app_q  <= app;
  end
  assign free_o      = free_q;
  assign free_slot_o = freed_slot_q;
  assign free_app_o  = freed_app_q;
endmodule
`default_nettype wire
