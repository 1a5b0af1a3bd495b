// SPDX-License-Identifier: Apache-2.0
// gmmu_walker_early: walks of the unified build that answered early: the leaf table and the C bits
// of each one's frame, and the search of its run (gmmu_walk_run). Rules: docs/msc.md.
`default_nettype none
`include "gmmu_assert.svh"
module gmmu_walker_early #(
  parameter int Walks       = 64,
  parameter int AsidW       = 9,
  parameter int VfnW        = 36,
  parameter int PfnW        = 36,
  parameter int NumWindows  = 4,
  parameter int MscSets     = 64,
  parameter int MscWays     = 8,
  localparam int SlotW      = gmmu_pkg::idx_w(Walks),
  localparam int PageXlateW = gmmu_pkg::XLATE_FIXED_W + PfnW,
  localparam int CmdW       = gmmu_pkg::CMD_FIXED_W + AsidW
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  input  logic              start_i,
  input  logic [SlotW-1:0]  start_slot_i,
  // the answer that is decoded in the next cycle; the one that is
  input  logic              first_i,
  input  logic [SlotW-1:0]  first_slot_i,
  input  logic              dec_i,
  input  logic [SlotW-1:0]  dec_slot_i,
  input  logic [63:0]       dec_pte_i,
  input  logic [VfnW-1:0]   dec_vfn_i,
  input  logic              dec_drop_i,     // memory error, or stale
  input  logic              table_i,        // it names the frame's leaf table
  input  logic [PfnW-1:0]   table_pfn_i,
  input  logic              early_i,        // it is the requested head: answered now
  output logic              after_o,        // it is another head
  output logic              head_read_o,    // ... behind which head_idx_o of head_pfn_o is read
  output logic [2:0]        head_idx_o,
  output logic [PfnW-1:0]   head_pfn_o,
  // the walk that looks for its run
  output logic [SlotW-1:0]  run_slot_o,
  input  logic [AsidW-1:0]  run_asid_i,
  input  logic [VfnW-1:0]   run_vfn_i,
  input  logic              run_stale_i,
  output logic              run_end_o,
  output logic              run_read_o,     // head run_idx_o of run_pfn_o
  output logic [2:0]        run_idx_o,
  output logic [PfnW-1:0]   run_pfn_o,
  input  logic              run_grant_i,
  output logic [PageXlateW-1:0] run_xlate_o,
  output logic [gmmu_pkg::RUN_W-1:0] run_run_o,
  input  logic [NumWindows*PfnW-1:0] win_lo_i,
  input  logic [NumWindows*PfnW-1:0] win_hi_i,
  input  logic [NumWindows-1:0]      win_data_i,
  input  logic              mark_i,
  input  logic [CmdW-1:0]   cmd_i,
  output logic              busy_o,
  output logic [gmmu_pkg::RUN_EVENT_W-1:0] event_o
);
  logic [Walks-1:0] after_q, start_hot, dec_hot;   // answered early
  logic             dec_after_q, last, insert;
  logic [PfnW-1:0]  own_pfn;
  logic [7:0]       own_low, todo;
  logic [6:0]       bitmap;
  assign start_hot = start_i ? Walks'(1) << start_slot_i : '0;
  assign dec_hot   = dec_i ? Walks'(1) << dec_slot_i : '0;
  assign after_o   = dec_i & dec_after_q;   // known also before the first answer
  always_ff @(posedge clk_i) begin
    if (!rst_ni) after_q <= '0;
    else after_q <= (after_q & ~start_hot) | (early_i ? dec_hot : '0);
  end
  always_ff @(posedge clk_i) dec_after_q <= after_q[first_slot_i];
  gmmu_walk_heads #(.Walks(Walks), .VfnW(VfnW), .PfnW(PfnW)) u_heads (
    .clk_i, .first_i, .first_slot_i, .slot_i(dec_slot_i), .table_i, .table_pfn_i, .begin_i(early_i),
    .head_i(after_o), .drop_i(dec_drop_i), .pte_i(dec_pte_i), .vfn_i(dec_vfn_i), .last_o(last),
    .read_o(head_read_o), .idx_o(head_idx_o), .table_o(head_pfn_o), .run_slot_i(run_slot_o),
    .run_read_i(run_read_o & run_grant_i), .run_idx_i(run_idx_o), .run_table_o(run_pfn_o),
    .run_pfn_o(own_pfn), .run_low_o(own_low), .run_todo_o(todo), .run_bitmap_o(bitmap),
    .run_insert_o(insert)
  );
  gmmu_walk_run #(.Walks(Walks), .AsidW(AsidW), .VfnW(VfnW), .PfnW(PfnW), .NumWindows(NumWindows),
                  .MscSets(MscSets), .MscWays(MscWays)) u_run (
    .clk_i, .rst_ni, .push_i(early_i | (after_o & !dec_drop_i & last)), .push_slot_i(dec_slot_i),
    .slot_o(run_slot_o), .asid_i(run_asid_i), .vfn_i(run_vfn_i), .stale_i(run_stale_i),
    .own_pfn_i(own_pfn), .own_low_i(own_low), .todo_i(todo), .bitmap_i(bitmap), .insert_i(insert),
    .end_o(run_end_o), .read_o(run_read_o), .read_idx_o(run_idx_o), .grant_i(run_grant_i),
    .end_xlate_o(run_xlate_o), .end_run_o(run_run_o), .win_lo_i, .win_hi_i, .win_data_i, .mark_i,
    .cmd_i, .busy_o, .event_o
  );

  // gmmu_walk_heads writes a bitmap a cycle late: it is read for the walk's next head after that,
  // and by its lookup, which waits in a queue before.
  logic             wrote_q;
  logic [SlotW-1:0] wrote_slot_q;
  always_ff @(posedge clk_i) begin
    wrote_q      <= rst_ni & (early_i | after_o);
    wrote_slot_q <= dec_slot_i;
  end
  `GMMU_ASSERT(walker_head_after_bitmap, !(wrote_q && first_i && first_slot_i == wrote_slot_q))
endmodule
`default_nettype wire
