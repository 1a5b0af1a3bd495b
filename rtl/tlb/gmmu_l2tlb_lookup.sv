// SPDX-License-Identifier: Apache-2.0
// gmmu_l2tlb_lookup: what the L2 TLB holds: the split or the unified array, the bypass cache beside
// it, and which of them (or a walk that answered early) answers a lookup. The arrays are chosen
// here and nowhere else. Rules: docs/l2_tlb.md, docs/bypass_cache.md.
//
// Stages 0 and A read; all the rest is of stage B, one cycle later, and combinational: hits and
// their answers in the cycle of the lookup, fills and sweeps of a set in that of their request,
// seen by the next stage B. Port 0 lowest in port vectors. Legal: as gmmu_l2_tlb.
`default_nettype none
module gmmu_l2tlb_lookup #(
  parameter int Entries       = 512,
  parameter int Ways          = 16,
  parameter int LargeEntries  = 256,
  parameter int L2Unified     = 0,
  parameter int Ports         = 2,
  parameter int FinsApart     = 0,   // 1: no walk ends in the cycle behind another
  parameter int BypassEntries = 0,
`include "gmmu_mmu_options.svh"
  parameter int AsidW         = 9,
  parameter int VfnW          = 36,
  parameter int PfnW          = 36,
  localparam int KeyW         = gmmu_pkg::walk_key_w(VfnW, Svadu),
  localparam int DataW        = gmmu_pkg::PERM_W + PfnW,
  localparam int XlateW       = gmmu_pkg::xlate_w(PfnW, Colt),
  localparam int CmdW         = gmmu_pkg::CMD_FIXED_W + AsidW,
  localparam int StepW        = gmmu_pkg::idx_w(Ways + 3)
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  // stage 0: what stage A may read
  input  logic [Ports-1:0]        early_i,
  input  logic [Ports*KeyW-1:0]   early_walk_key_i,
  // stage A
  input  logic [Ports-1:0]        read_i,
  input  logic [Ports*AsidW-1:0]  read_asid_i,
  input  logic [Ports*KeyW-1:0]   read_walk_key_i,
  input  logic                    read_fin_i,  // a walk that ended, what it may fill
  input  logic [7:0]              read_fill_i,
  input  logic [StepW-1:0]        step_i,      // L2Serial=1: cycle of stage A
  output logic                    ready_o,     // L2Serial=1: the array was emptied after reset
  // lookups: ASID, {class of store, VFN}
  input  logic [Ports-1:0]        look_i,
  input  logic [Ports*AsidW-1:0]  asid_i,
  input  logic [Ports*KeyW-1:0]   walk_key_i,
  output logic [Ports-1:0]        hit_o,
  output logic [Ports-1:0]        bad_o,       // an entry with wrong parity was found
  output logic [Ports*XlateW-1:0] xlate_o,     // of a hit; its PFN is ...
  output logic [Ports*9-1:0]      offset_o,    // ... that of the page after this is added
  // walks that answered early: asked when nothing else hits; permissions and PFN come later
  output logic [Ports-1:0]        run_look_o,
  input  logic [Ports-1:0]        run_hit_i,
  input  logic [Ports*gmmu_pkg::PERM_W-1:0] run_perm_i,
  // port 0: a walk that ended, and what it fills (gmmu_l2tlb_fill): late; translation: fill_xlate_i
  input  logic                    fin_i,
  input  logic                    fill_base_i,
  input  logic                    fill_large_i,
  input  logic                    fill_bypass_i,
  input  logic                    fill_leave_i, // what the bypass cache has of it goes
  input  logic                    fill_sub_i,
  input  logic [2:0]              fill_start_i,
  input  logic [2:0]              fill_len_i,
  input  logic [PfnW-1:0]         fill_first_pfn_i,
  input  logic [XlateW-1:0]       fill_xlate_i,
  // invalidation: sweep of one set; start of the sweep of the associative arrays
  input  logic                    sweep_i,
  input  logic                    sweep_start_i,
  output logic                    sweep_busy_o,
  input  logic [CmdW-1:0]         cmd_i,
  // observation: outcome of each port (4: nothing hits), way, and the event for gmmu_l2tlb_obs
  output logic [Ports*3-1:0]      outcome_o,
  output logic [Ports*gmmu_pkg::L2_WAY_W-1:0] way_o,
  output logic [gmmu_pkg::L2_LOOK_EVENT_W-1:0] event_o
);
  localparam int ByWayW = gmmu_pkg::idx_w(BypassEntries);

  if (Colt == 2 && L2Unified != 0) begin : gen_bad_colt
    gmmu_l2tlb_lookup_Colt_2_needs_the_split_build u_bad();
  end

  `include "gmmu_types.svh"
  cmd_t   cmd;
  logic   cmd_all, cmd_asid_all;
  xlate_t fill_xlate;
  assign cmd          = cmd_i;
  assign cmd_all      = cmd.kind == gmmu_pkg::INV_ALL | FlushL2 != 0;
  assign cmd_asid_all = cmd.kind == gmmu_pkg::INV_ASID;
  assign fill_xlate   = fill_xlate_i[gmmu_pkg::XLATE_FIXED_W+PfnW-1:0];

  logic [Ports*VfnW-1:0] early_vfn, read_vfn, vfn;
  logic [Ports*2-1:0]    store;        // class of each port's stores
  for (genvar p = 0; p < Ports; p++) begin : gen_key
    assign early_vfn[p*VfnW +: VfnW] = early_walk_key_i[p*KeyW +: VfnW];
    assign read_vfn[p*VfnW +: VfnW] = read_walk_key_i[p*KeyW +: VfnW];
    assign vfn[p*VfnW +: VfnW]      = walk_key_i[p*KeyW +: VfnW];
    if (Svadu != 0) begin : gen_store
      assign store[p*2 +: 2] = walk_key_i[p*KeyW + VfnW +: 2];
    end else begin : gen_no_store
      assign store[p*2 +: 2] = 2'b00;
    end
  end

  // ---------------------------------------------------------------- arrays
  logic [Ports-1:0]       hit, bad, sub, lg;
  logic [Ports*gmmu_pkg::L2_WAY_W-1:0] way;
  logic [Ports*DataW-1:0] data;
  logic [Ports*9-1:0]     offset;
  logic [Ports*4-1:0]     pages;
  logic [gmmu_pkg::L2_WAY_W-1:0] fill_way, large_way;
  logic                   fill_over, fill_evict, large_busy, large_visit, large_cleared;
  logic [3:0]             fill_pages;
  logic [31:0]            ways;
  if (L2Unified != 0) begin : gen_unified
    logic unused_step;
    assign unused_step = ^step_i;
    assign ready_o      = 1'b1;
    gmmu_l2tlb_unified #(.Entries(Entries), .Ways(Ways), .Ports(Ports), .AsidW(AsidW), .VfnW(VfnW),
                      .DataW(DataW), .TlbParity(TlbParity)) u_array (
      .clk_i, .rst_ni, .early_i, .early_vfn_i(early_vfn), .read_i, .read_asid_i,
      .read_vfn_i(read_vfn), .read_fin_i, .read_fill_i, .look_i, .vfn_i(vfn), .store_i(store),
      .hit_o(hit), .bad_o(bad), .sub_o(sub), .lg_o(lg), .way_o(way), .data_o(data),
      .offset_o(offset), .pages_o(pages), .fin_i, .fill_i(fill_base_i),
      .fill_data_i({fill_xlate.perm, fill_first_pfn_i}),
      .fill_way_o(fill_way), .fill_overwrite_o(fill_over), .fill_evict_o(fill_evict),
      .fill_pages_o(fill_pages),
      .sweep_i, .sweep_all_i(cmd_all), .sweep_asid_all_i(cmd_asid_all), .sweep_asid_i(cmd.asid),
      .sweep_lo_i(cmd.lo), .sweep_hi_i(cmd.hi), .ways_o(ways)
    );
    assign {large_busy, large_visit, large_cleared, large_way} = '0;   // its own only
  end else begin : gen_split
    logic unused_run;
    assign unused_run = ^read_fill_i;
    logic [3:0] shared;
    if (Colt == 2) begin : gen_group
      assign shared = fill_xlate_i[XlateW-1 -: 4];
    end else begin : gen_no_group
      assign shared = '0;
    end
    gmmu_l2tlb_split #(.Entries(Entries), .Ways(Ways), .LargeEntries(LargeEntries),
        .Groups(Colt == 2 ? 1 : 0), .L2Serial(L2Serial), .Ports(Ports), .FinsApart(FinsApart),
        .AsidW(AsidW), .VfnW(VfnW), .DataW(DataW), .TlbParity(TlbParity)) u_arrays (
      .clk_i, .rst_ni, .early_i, .early_vfn_i(early_vfn), .read_i, .read_asid_i,
      .read_vfn_i(read_vfn), .read_fin_i, .step_i, .ready_o,
      .look_i, .asid_i, .vfn_i(vfn), .store_i(store),
      .hit_o(hit), .bad_o(bad), .lg_o(lg), .way_o(way), .data_o(data), .offset_o(offset),
      .pages_o(pages),
      .fin_i, .fill_i(fill_base_i), .fill_large_i,
      .fill_data_i({fill_xlate.perm, fill_xlate.pfn}),
      .fill_pages_i(shared), .fill_way_o(fill_way), .fill_overwrite_o(fill_over),
      .fill_evict_o(fill_evict), .fill_pages_o(fill_pages),
      .sweep_i, .sweep_all_i(cmd_all), .sweep_asid_all_i(cmd_asid_all), .sweep_asid_i(cmd.asid),
      .sweep_lo_i(cmd.lo), .sweep_hi_i(cmd.hi), .ways_o(ways),
      .sweep_start_i, .sweep_busy_o(large_busy), .large_visit_o(large_visit),
      .large_cleared_o(large_cleared), .large_way_o(large_way)
    );
    assign sub = '0;
  end

  // ---------------------------------------------------------------- bypass cache
  logic [Ports-1:0]        bypass_hit, bypass_bad, bypass_lg;
  logic [Ports*ByWayW-1:0] bypass_way;
  logic [Ports*DataW-1:0]  bypass_data;
  logic [Ports*9-1:0]      bypass_offset;
  logic                    bypass_busy;
  logic [45:0]             bypass_event;    // {overwrite, evict, way, left, visit, cleared, way}
  if (BypassEntries != 0) begin : gen_bypass
    logic [Ports-1:0]         same, ready, touch;
    logic [BypassEntries-1:0] left;
    logic [ByWayW-1:0]        into, swept;
    logic                     over, evict, visit, cleared;
    for (genvar p = 0; p < Ports; p++) begin : gen_ready
      assign ready[p] = !gmmu_pkg::needs_dirty(bypass_data[p*DataW + PfnW +: gmmu_pkg::PERM_W],
          store[p*2 +: 2]);
    end
    assign bypass_hit   = same & ready;
    assign touch        = look_i & ~hit & ready;
    assign bypass_event = {over, evict, 5'(into), 32'(left), visit, cleared, 5'(swept)};
    gmmu_bypass_cache #(.Entries(BypassEntries), .Ports(Ports), .AsidW(AsidW), .VfnW(VfnW),
        .DataW(DataW), .TlbParity(TlbParity)) u_bypass (
      .clk_i, .rst_ni, .read_i, .read_asid_i, .read_vfn_i(read_vfn), .read_fill_i,
      .search_i(look_i), .touch_i(touch), .asid_i, .vfn_i(vfn), .hit_o(same),
      .bad_o(bypass_bad), .lg_o(bypass_lg), .way_o(bypass_way), .data_o(bypass_data),
      .offset_o(bypass_offset), .fin_i, .fill_i(fill_bypass_i),
      .leave_i(fill_leave_i), .fill_sub_i, .fill_lg_i(fill_xlate.lg), .fill_start_i, .fill_len_i,
      .fill_data_i({fill_xlate.perm, fill_first_pfn_i}), .fill_way_o(into), .fill_overwrite_o(over),
      .fill_evict_o(evict), .left_o(left), .sweep_start_i, .sweep_all_i(cmd_all),
      .sweep_asid_all_i(cmd_asid_all), .sweep_asid_i(cmd.asid), .sweep_lo_i(cmd.lo),
      .sweep_hi_i(cmd.hi), .sweep_busy_o(bypass_busy), .sweep_visit_o(visit),
      .sweep_cleared_o(cleared), .sweep_way_o(swept)
    );
  end else begin : gen_no_bypass
    logic unused_bypass;
    assign unused_bypass = ^{fill_bypass_i, fill_leave_i};
    assign {bypass_hit, bypass_bad, bypass_lg, bypass_way, bypass_data, bypass_offset, bypass_busy,
            bypass_event} = '0;
  end

  // ---------------------------------------------------------------- who answers
  logic [Ports-1:0] run_hit;      // with the permissions for the class of store
  assign run_look_o   = look_i & ~hit & ~bypass_hit;
  assign hit_o        = look_i & (hit | bypass_hit | run_hit);
  assign bad_o        = look_i & (bad | bypass_bad);
  assign sweep_busy_o = large_busy | bypass_busy;
  for (genvar p = 0; p < Ports; p++) begin : gen_answer
    xlate_t xlate;
    logic   bypassed;
    assign bypassed = bypass_hit[p] & !hit[p];
    assign run_hit[p] = run_hit_i[p] &
        !gmmu_pkg::needs_dirty(run_perm_i[p*gmmu_pkg::PERM_W +: gmmu_pkg::PERM_W],
            store[p*2 +: 2]);
    assign xlate = bypassed ? {gmmu_pkg::CAUSE_OK, bypass_lg[p], 1'b0,
                               bypass_data[p*DataW +: DataW]} :
        {gmmu_pkg::CAUSE_OK, lg[p], 1'b0, data[p*DataW +: DataW]};   // of a run: lg is 0
    assign offset_o[p*9 +: 9] = run_hit[p] ? {3'd0, vfn[p*VfnW +: 6]} :
                                bypassed ? bypass_offset[p*9 +: 9] : offset[p*9 +: 9];
    if (Colt != 0) begin : gen_group
      // A walk that answered early knows the whole subregion; a hit brings one page, or those of
      // its entry.
      assign xlate_o[p*XlateW +: XlateW] = {bypassed ? 4'd0 : run_hit[p] ? 4'hf : pages[p*4 +: 4],
          xlate};
    end else begin : gen_no_group
      logic unused_pages;
      assign unused_pages = ^pages[p*4 +: 4];
      assign xlate_o[p*XlateW +: XlateW] = xlate;
    end
    assign outcome_o[p*3 +: 3] = lg[p] ? 3'd1 : sub[p] ? 3'd5 : look_i[p] & hit[p] ? 3'd0 :
                                 bypass_hit[p] ? 3'd7 : run_hit[p] ? 3'd6 : 3'd4;
    assign way_o[p*gmmu_pkg::L2_WAY_W +: gmmu_pkg::L2_WAY_W] =
        hit[p] ? way[p*gmmu_pkg::L2_WAY_W +: gmmu_pkg::L2_WAY_W] : !bypass_hit[p] ? '0 :
        gmmu_pkg::L2_WAY_W'(bypass_way[p*ByWayW +: ByWayW]);
  end
  assign event_o = {fill_over, fill_evict, fill_way, fill_pages, ways, large_visit, large_cleared,
                    large_way, bypass_event};
endmodule
`default_nettype wire
