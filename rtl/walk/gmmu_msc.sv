// SPDX-License-Identifier: Apache-2.0
// gmmu_msc: memory subregion cache: for a 2 MiB virtual frame, which neighbouring subregions are
// contiguous with one another, as a 7-bit bitmap. A set-associative array, true LRU. Cycles and
// rules: docs/msc.md. Source: MESC IV-B.
//
// A lookup: the set's tags are read in cycle t (early_i), compared from t+1 on while read_i is 1;
// the result is there in the cycle behind each such one. An insertion (insert_i), or that the hit
// becomes the most recent (touch_i), comes in such a cycle as well. Legal: Sets a power of two
// >= 2, Ways >= 2.
`default_nettype none
`include "gmmu_assert.svh"
module gmmu_msc #(
  parameter int Sets  = 64,
  parameter int Ways  = 8,
  parameter int AsidW = 9,
  parameter int LfnW  = 27,
  localparam int WayW = gmmu_pkg::idx_w(Ways),
  localparam int SetW = gmmu_pkg::idx_w(Sets),
  localparam int CmdW = gmmu_pkg::CMD_FIXED_W + AsidW
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             early_i,      // not while busy
  input  logic [LfnW-1:0]  early_lfn_i,
  input  logic             read_i,
  input  logic [AsidW-1:0] asid_i,       // held with read_i, and one cycle more
  input  logic [LfnW-1:0]  lfn_i,
  output logic             hit_o,
  output logic [6:0]       bitmap_o,
  output logic [WayW-1:0]  way_o,        // of the hit
  input  logic             touch_i,
  input  logic             insert_i,     // bitmap_i is put in
  input  logic [6:0]       bitmap_i,
  // of an insertion in this cycle, or in the next one
  output logic [WayW-1:0]  insert_way_o,
  output logic             overwrite_o,
  output logic             evict_o,
  // invalidation: every set is visited once
  input  logic             clear_i,      // pulse
  input  logic [CmdW-1:0]  cmd_i,        // held while busy
  output logic             busy_o,
  output logic             sweep_visit_o,
  output logic [SetW-1:0]  sweep_set_o,
  output logic [Ways-1:0]  sweep_cleared_o
);
  localparam int PfnW = 36;              // xlate_t is not used here
  `include "gmmu_types.svh"
  cmd_t cmd;
  assign cmd = cmd_i;

  logic             sweep_q, sweep_a_q, sweep_b_q, stage_b_q;
  logic [SetW-1:0]  set_q, set_a_q, set_b_q;   // set_a_q: the set whose tags were read
  logic [LfnW-1:0]  key;
  logic [35:0]      lo, hi;
  assign key = {lfn_i[LfnW-1:SetW], set_b_q};
  assign lo  = 36'($signed(cmd.lo[35:9]));
  assign hi  = 36'($signed(cmd.hi[35:9]));

  gmmu_l2tlb_base #(.Entries(Sets * Ways), .Ways(Ways), .Ports(1), .AsidW(AsidW), .VfnW(LfnW),
      .DataW(7), .OneData(1)) u_array (
    .clk_i, .rst_ni, .flush_i(1'b0),
    .early_i(sweep_q | early_i), .early_set_i(sweep_q ? set_q : early_lfn_i[SetW-1:0]),
    .read_i(sweep_a_q | read_i), .read_asid_i(asid_i),
    .read_vfn_i({lfn_i[LfnW-1:SetW], set_a_q}),
    .search_i(stage_b_q), .touch_i, .asid_i, .vfn_i(key),
    .hit_o, .bad_o(), .way_o, .data_o(bitmap_o), .pages_o(), .ask_i(1'b1),
    .fill_i(insert_i), .fill_data_i(bitmap_i), .fill_pages_i(1'b1), .fill_way_o(insert_way_o),
    .fill_overwrite_o(overwrite_o),
    .fill_evict_o(evict_o),
    .sweep_i(sweep_b_q), .sweep_all_i(cmd.kind == gmmu_pkg::INV_ALL),
    .sweep_asid_all_i(cmd.kind == gmmu_pkg::INV_ASID), .sweep_asid_i(cmd.asid), .sweep_lo_i(lo),
    .sweep_hi_i(hi),
    .sweep_cleared_o(sweep_cleared_o)
  );

  assign busy_o      = sweep_q | sweep_a_q | sweep_b_q;
  assign sweep_visit_o = sweep_b_q;
  assign sweep_set_o   = set_b_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      stage_b_q <= 1'b0;
      sweep_q   <= 1'b0;
      sweep_a_q <= 1'b0;
      sweep_b_q <= 1'b0;
      set_q     <= '0;
    end else begin
      stage_b_q <= read_i;
      sweep_a_q <= sweep_q;
      sweep_b_q <= sweep_a_q;
      if (clear_i) begin
        sweep_q <= 1'b1;
        set_q <= '0;
      end else if (sweep_q) begin
        sweep_q <= set_q != SetW'(Sets - 1);
        set_q <= set_q + 1'b1;
      end
    end
  end
  // The set of stage B, of a sweep or the lookup: a register, as the order's RAM is written there.
  always_ff @(posedge clk_i) begin
    if (sweep_q) set_a_q <= set_q;
    else if (early_i) set_a_q <= early_lfn_i[SetW-1:0];
    set_b_q <= set_a_q;
  end

  `GMMU_ASSERT(msc_reads_what_was_read_early, !(read_i && lfn_i[SetW-1:0] != set_a_q))
endmodule
`default_nettype wire
