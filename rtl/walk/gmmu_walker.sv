// SPDX-License-Identifier: Apache-2.0
// gmmu_walker: highly threaded page table walker: `Walks` slots, one outstanding 8-byte read each,
// answers in any order. Rules, timing and observation port: docs/walker.md. Source: Mosaic section
// 4.3, MASK section 6.
//
// A read takes the memory's latency plus 3 cycles. Legal: Total >= NumAsids, Walks <= Total: as
// many as can be in use; Mshrs >= 1, PfnW 18..44.
`default_nettype none
`include "gmmu_assert.svh"
module gmmu_walker #(
  parameter int Walks          = 64,
  parameter int Total          = Walks,   // slots that the guarantee counts, built or not
  parameter int Mshrs          = 64,
  parameter int NumAsids       = 8,
  parameter int AsidW          = 9,
  parameter int VaW            = 48,
  parameter int PfnW           = 36,
  parameter int NumWindows     = 4,
  parameter int LargeAnswers   = 1,
  parameter int L2Unified      = 0,   // 1: C and AC paths, early answers (docs/msc.md)
  parameter int MscSets        = 64,
  parameter int MscWays        = 8,   // 0: no memory subregion cache
  parameter int PwcEntries     = 0,   // 0: no page walk cache
  parameter int PwcWays        = 16,
  parameter int PwcLatency     = 10,
  parameter int LineAnswers    = 0,   // 1: memory answers with 64-byte lines
`include "gmmu_mmu_options.svh"
  localparam int VfnW       = VaW - 12,
  localparam int KeyW       = gmmu_pkg::walk_key_w(VfnW, Svadu),
  localparam int SlotW      = gmmu_pkg::idx_w(Walks),
  localparam int MshrW      = gmmu_pkg::idx_w(Mshrs),
  localparam int PageXlateW = gmmu_pkg::XLATE_FIXED_W + PfnW,
  localparam int XlateW     = gmmu_pkg::xlate_w(PfnW, Colt),
  localparam int MemW       = LineAnswers != 0 ? 512 : 64,
  localparam int CmdW       = gmmu_pkg::CMD_FIXED_W + AsidW
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  // walks from the L2 TLB: always accepted
  input  logic                walk_valid_i,
  input  logic [MshrW-1:0]    walk_mshr_i,
  input  logic [AsidW-1:0]    walk_asid_i,
  input  logic [KeyW-1:0]     walk_key_i,    // Svadu=1: {class of store, VFN}
  // finished walks
  output logic                fin_valid_o,
  input  logic                fin_take_i,
  output logic [MshrW-1:0]    fin_mshr_o,
  output logic [XlateW-1:0]     fin_xlate_o,
  // {early, run only, subregion fill, first, length}
  output logic [gmmu_pkg::RUN_W-1:0] fin_run_o,
  // PTE reads
  output logic                mem_req_valid_o,
  input  logic                mem_req_ready_i,
  output logic [PfnW+11:0]    mem_req_addr_o,
  output logic [SlotW-1:0]    mem_req_id_o,
  output logic [2:0]          mem_req_depth_o,
  // Svadu=1: not a read but an update: a PTE that equals old becomes new; the answer is the PTE as
  // it then is
  output logic                mem_req_upd_o,
  output logic [63:0]         mem_req_old_o,
  output logic [63:0]         mem_req_new_o,
  input  logic                mem_rsp_valid_i,   // always accepted
  input  logic [SlotW-1:0]    mem_rsp_id_i,
  input  logic [MemW-1:0]     mem_rsp_data_i,
  input  logic                mem_rsp_err_i,
  // contexts and windows
  input  logic [NumAsids*PfnW-1:0]   ctx_root_i,
  input  logic [NumAsids*2-1:0]      ctx_mode_i,
  input  logic [NumAsids-1:0]        ctx_on_i,
  input  logic [NumAsids-1:0]        ctx_ext_i,
  input  logic [NumWindows*PfnW-1:0] win_lo_i,
  input  logic [NumWindows*PfnW-1:0] win_hi_i,
  input  logic [NumWindows-1:0]      win_walk_i,
  input  logic [NumWindows-1:0]      win_data_i,
  // invalidation
  input  logic                mark_i,
  input  logic [CmdW-1:0]     cmd_i,         // holds from the cycle before mark_i on
  // the memory subregion cache is being cleared, or a stale walk updates
  output logic                clear_busy_o,
  output logic                count_walk_o,  // counters: a walk started in the cycle before
  output logic [gmmu_pkg::OBS_WALK_W-1:0] obs_o
);
  localparam int CtxW  = gmmu_pkg::idx_w(NumAsids);
  localparam int RunW  = gmmu_pkg::RUN_W;

  if (Total < NumAsids || Walks > Total) begin : gen_bad_walks
    gmmu_walker_Total_must_be_at_least_NumAsids_and_Walks u_bad();
  end
  if (PfnW < 18 || PfnW > 44) begin : gen_bad_pfn
    gmmu_walker_PfnW_must_be_18_to_44 u_bad();
  end
  if (VaW != 39 && VaW != 48) begin : gen_bad_va
    gmmu_walker_VaW_must_be_39_or_48 u_bad();
  end
  if (Colt != 0 && LineAnswers == 0) begin : gen_bad_colt
    gmmu_walker_Colt_needs_LineAnswers u_bad();
  end

  // ---------------------------------------------------------------- slots, walks that wait
  logic             root_valid, root_again, root_begin, root_ok, root_end, root_sv48, start,
      start_waited, free;
  logic             dec, dec_err, dec_cached, dec_stale, dec_restart, dec_next, dec_read, dec_end,
      dec_early, dec_fin, dec_sv48, dec_upd, dec_after, dec_pointer, dec_may, step_may, head_read,
      run_end, run_read, run_grant, run_stale, run_sv48, rsp_half, take_dec, first, first_pointer;
  logic [SlotW-1:0] free_slot, again_slot, root_slot, fin_slot, take_slot, first_slot, dec_slot,
      run_slot;
  logic [AsidW-1:0] start_asid, dec_asid, run_asid;
  logic [KeyW-1:0]  start_walk_key;
  logic [VfnW-1:0]  start_vfn, first_vfn, dec_vfn, run_vfn;
  logic [MshrW-1:0] root_mshr, dec_mshr, run_mshr;
  logic [1:0]       first_level, first_path, dec_level, dec_path, step_path, root_level;
  logic [PfnW-1:0]  root_pfn, first_pfn;
  logic [8:0]       root_idx, first_offset;
  logic [4:0]       root_cause;
  logic [Walks-1:0] restart;
  logic [CtxW-1:0]  dec_ctx, root_app, free_app;
  gmmu_walker_slots #(
`include "gmmu_mmu_options_pass.svh"
    .Walks(Walks), .Mshrs(Mshrs), .AsidW(AsidW), .VfnW(VfnW), .PfnW(PfnW)
  ) u_slots (
    .clk_i, .rst_ni, .want_i(root_valid), .again_i(root_again), .again_slot_i(again_slot),
    .free_slot_o(free_slot), .begin_i(root_begin), .start_asid_i(start_asid),
    .start_vfn_i(start_vfn), .start_mshr_i(root_mshr), .root_level_i(root_level),
    .root_sv48_i(root_sv48), .take_i(take_dec), .take_slot_i(take_slot), .first_i(first),
    .first_vfn_o(first_vfn), .first_level_o(first_level), .first_path_o(first_path), .dec_i(dec),
    .dec_slot_i(dec_slot), .dec_asid_o(dec_asid), .dec_vfn_o(dec_vfn), .dec_mshr_o(dec_mshr),
    .dec_level_o(dec_level), .dec_path_o(dec_path), .dec_sv48_o(dec_sv48), .dec_stale_o(dec_stale),
    .step_i(dec & !dec_after), .step_keep_i(!dec_pointer), .step_path_i(step_path),
    .run_slot_i(run_slot), .run_asid_o(run_asid), .run_vfn_o(run_vfn), .run_mshr_o(run_mshr),
    .run_stale_o(run_stale), .run_sv48_o(run_sv48), .rsp_valid_i(mem_rsp_valid_i),
    .rsp_slot_i(mem_rsp_id_i), .rsp_half_o(rsp_half), .free_i(free), .fin_slot_i(fin_slot), .mark_i,
    .cmd_i, .restart_o(restart)
  );
  gmmu_walker_start #(.Walks(Walks), .Total(Total), .Mshrs(Mshrs), .NumAsids(NumAsids),
      .AsidW(AsidW), .VfnW(VfnW), .KeyW(KeyW), .PfnW(PfnW), .NumWindows(NumWindows)) u_start (
    .clk_i, .rst_ni, .push_i(walk_valid_i), .push_mshr_i(walk_mshr_i), .push_asid_i(walk_asid_i),
    .push_walk_key_i(walk_key_i), .again_i(dec_restart), .again_slot_i(dec_slot),
    .again_app_i(dec_ctx), .again_vfn_i(dec_vfn), .again_mshr_i(dec_mshr), .valid_o(root_valid),
    .again_o(root_again), .slot_o(again_slot), .waited_o(start_waited), .mshr_o(root_mshr),
    .app_o(root_app), .asid_o(start_asid), .walk_key_o(start_walk_key), .pfn_o(root_pfn),
    .idx_o(root_idx), .level_o(root_level), .sv48_o(root_sv48), .cause_o(root_cause),
    .begin_i(root_begin), .free_i(free), .free_app_i(free_app), .ctx_root_i, .ctx_mode_i,
    .ctx_on_i, .win_lo_i, .win_hi_i, .win_walk_i
  );
  assign start_vfn = start_walk_key[VfnW-1:0];
  assign root_slot = root_again ? again_slot : free_slot;

  // ---------------------------------------------------------------- the answer that is decoded
  logic              step_upd, step_upd_d, step_next, step_whole, step_ok, pwc_valid, pwc_pop;
  logic [SlotW-1:0]  pwc_slot;
  logic [63:0]       dec_pte, mem_pte, pwc_pte;
  logic [PfnW-1:0]   step_pfn;
  logic [8:0]        step_idx;
  logic [PageXlateW-1:0] step_xlate, dec_xlate;
  logic [1:0]        dec_store;
  assign dec_ctx = CtxW'(dec_asid);
  gmmu_walker_step #(
`include "gmmu_mmu_options_pass.svh"
    .Walks(Walks), .VfnW(VfnW), .PfnW(PfnW), .NumWindows(NumWindows),
    .LargeAnswers(LargeAnswers), .L2Unified(L2Unified)
  ) u_step (
    .clk_i, .rst_ni, .mem_valid_i(mem_rsp_valid_i), .mem_slot_i(mem_rsp_id_i), .mem_pte_i(mem_pte),
    .mem_err_i(mem_rsp_err_i), .pwc_valid_i(pwc_valid), .pwc_slot_i(pwc_slot), .pwc_pte_i(pwc_pte),
    .pwc_pop_o(pwc_pop), .take_o(take_dec), .take_slot_o(take_slot), .first_o(first),
    .first_slot_o(first_slot), .first_pointer_o(first_pointer), .first_level_i(first_level),
    .first_path_i(first_path), .first_vfn_i(first_vfn), .first_page_o(first_pfn),
    .first_offset_o(first_offset), .valid_o(dec), .slot_o(dec_slot), .pte_o(dec_pte),
    .err_o(dec_err), .cached_o(dec_cached), .pointer_o(dec_pointer), .may_read_o(step_may),
    .level_i(dec_level), .path_i(dec_path), .ext_i(ctx_ext_i[dec_ctx]), .vfn_i(dec_vfn),
    .store_i(dec_store), .win_lo_i, .win_hi_i, .win_walk_i, .win_data_i, .update_o(step_upd),
    .update_d_o(step_upd_d), .next_o(step_next), .next_pfn_o(step_pfn), .next_idx_o(step_idx),
    .next_path_o(step_path), .xlate_o(step_xlate), .whole_o(step_whole)
  );
  always_ff @(posedge clk_i) count_walk_o <= rst_ni & start;

  // --------------------------------------------------------------- who reads, who ends, who begins
  assign root_ok     = root_cause == gmmu_pkg::CAUSE_OK;
  assign step_ok     = step_xlate[PageXlateW-1 -: 5] == gmmu_pkg::CAUSE_OK;
  assign dec_restart = dec & !dec_after & dec_stale;
  assign dec_upd     = dec & !dec_restart & !dec_after & step_upd;   // of the PTE that was read
  assign dec_next    = dec_after ? head_read : step_next | step_upd;
  assign dec_read    = dec & dec_next & !dec_restart;
  // not dec_next, which hangs on the heads that are left
  assign dec_end     = dec_after ? dec_err | dec_stale
                     : dec & !dec_restart & !(step_next | step_upd) & !dec_early;
  // The head of a contiguous subregion: the requester is answered now, the run is found afterwards.
  assign dec_early   = dec & !dec_after & !dec_restart & !step_next & step_whole & step_ok &
                       dec_path == gmmu_pkg::PATH_C;
  assign dec_fin     = dec_end | dec_early;
  assign dec_may     = step_may | dec_after;
  assign run_grant   = run_end ? !dec_fin : run_read & !dec_may;
  assign dec_xlate   = dec_after ? '0 : step_xlate;
  assign root_begin  = root_valid & !dec_may & !run_read & (root_ok | !(dec | run_end));
  assign root_end    = root_begin & !root_ok;
  assign start       = root_begin & !root_again;

  // ---------------------------------------------------------------- reads
  logic             read;
  logic [SlotW-1:0] read_slot;
  logic [PfnW+8:0]  read_addr, upd_addr;
  logic [PfnW-1:0]  head_pfn, run_pfn;
  logic [2:0]       head_idx, run_idx;
  logic [gmmu_pkg::PWC_EVENT_W-1:0] pwc_event;
  gmmu_walker_read #(.Walks(Walks), .PfnW(PfnW), .PwcEntries(PwcEntries), .PwcWays(PwcWays),
      .PwcLatency(PwcLatency), .LineAnswers(LineAnswers)) u_read (
    .clk_i, .rst_ni, .first_i(first & first_pointer), .first_slot_i(first_slot),
    .dec_may_i(dec_may), .dec_read_i(dec_read), .dec_after_i(dec_after),
    .dec_update_i(!dec_pointer), .dec_slot_i(dec_slot), .dec_pte_i(dec_pte),
    .dec_level_i(dec_level), .dec_sv48_i(dec_sv48), .dec_cached_i(dec_cached),
    .step_pfn_i(step_pfn), .step_idx_i(step_idx), .update_addr_i(upd_addr), .head_idx_i(head_idx),
    .head_pfn_i(head_pfn), .root_read_i(root_begin & root_ok), .root_slot_i(root_slot),
    .root_pfn_i(root_pfn), .root_idx_i(root_idx), .root_level_i(root_level),
    .root_sv48_i(root_sv48), .run_read_i(run_read), .run_grant_i(run_grant), .run_slot_i(run_slot),
    .run_idx_i(run_idx), .run_pfn_i(run_pfn), .run_sv48_i(run_sv48), .read_o(read),
    .read_slot_o(read_slot), .read_addr_o(read_addr), .mem_req_valid_o, .mem_req_ready_i,
    .mem_req_addr_o, .mem_req_id_o, .mem_req_depth_o, .mem_rsp_id_i, .mem_rsp_data_i,
    .mem_rsp_pte_o(mem_pte), .pwc_valid_o(pwc_valid), .pwc_slot_o(pwc_slot), .pwc_pte_o(pwc_pte),
    .pwc_pop_i(pwc_pop), .flush_i(mark_i), .pwc_event_o(pwc_event)
  );
  logic upd_busy, run_busy;
  if (Svadu != 0) begin : gen_svadu
    gmmu_walker_update #(.Walks(Walks), .PfnW(PfnW)) u_update (
      .clk_i, .rst_ni, .start_i(start), .start_slot_i(free_slot),
      .start_store_i(start_walk_key[KeyW-1 -: 2]), .read_i(read), .read_slot_i(read_slot),
      .read_addr_i(read_addr), .dec_i(dec), .dec_slot_i(dec_slot), .dec_pte_i(dec_pte),
      .update_i(dec_upd), .dirty_i(step_upd_d), .dec_store_o(dec_store), .dec_addr_o(upd_addr),
      .id_i(mem_req_id_o), .upd_o(mem_req_upd_o), .old_o(mem_req_old_o), .new_o(mem_req_new_o),
      .restart_i(restart), .busy_o(upd_busy)
    );
  end else begin : gen_svade
    logic unused_svadu;
    assign unused_svadu = ^{step_upd_d, read, read_slot, read_addr, restart};
    assign {dec_store, upd_addr, mem_req_upd_o, mem_req_old_o, mem_req_new_o, upd_busy} = '0;
  end
  assign clear_busy_o = run_busy | upd_busy;

  // ---------------------------------------------------------------- runs of contiguous subregions
  logic [PageXlateW-1:0] run_xlate;
  logic [RunW-1:0]   run_run;
  logic [gmmu_pkg::RUN_EVENT_W-1:0] run_event;
  if (L2Unified != 0) begin : gen_run
    gmmu_walker_early #(.Walks(Walks), .AsidW(AsidW), .VfnW(VfnW), .PfnW(PfnW),
        .NumWindows(NumWindows), .MscSets(MscSets), .MscWays(MscWays)) u_early (
      .clk_i, .rst_ni, .start_i(start), .start_slot_i(free_slot), .first_i(first),
      .first_slot_i(first_slot), .dec_i(dec), .dec_slot_i(dec_slot), .dec_pte_i(dec_pte),
      .dec_vfn_i(dec_vfn), .dec_drop_i(dec_err | dec_stale),
      .table_i(dec_read & !dec_after & !dec_upd & dec_level == gmmu_pkg::LEVEL_2M),
      .table_pfn_i(step_pfn), .early_i(dec_early), .after_o(dec_after), .head_read_o(head_read),
      .head_idx_o(head_idx), .head_pfn_o(head_pfn), .run_slot_o(run_slot), .run_asid_i(run_asid),
      .run_vfn_i(run_vfn), .run_stale_i(run_stale), .run_end_o(run_end), .run_read_o(run_read),
      .run_idx_o(run_idx), .run_pfn_o(run_pfn), .run_grant_i(run_grant), .run_xlate_o(run_xlate),
      .run_run_o(run_run), .win_lo_i, .win_hi_i, .win_data_i, .mark_i, .cmd_i, .busy_o(run_busy),
      .event_o(run_event)
    );
  end else begin : gen_no_run
    assign {dec_after, head_read, head_idx, head_pfn, run_slot, run_end, run_read, run_idx,
            run_pfn, run_xlate, run_run, run_busy, run_event} = '0;
  end

  // ---------------------------------------------------------------- finished walks
  gmmu_walker_finish #(.Walks(Walks), .Mshrs(Mshrs), .PfnW(PfnW), .NumWindows(NumWindows),
      .L2Unified(L2Unified), .Colt(Colt), .LineAnswers(LineAnswers), .CtxW(CtxW)) u_finish (
    .clk_i, .rst_ni, .dec_fin_i(dec_fin), .dec_app_i(dec_ctx), .dec_slot_i(dec_slot),
    .dec_mshr_i(dec_mshr), .dec_xlate_i(dec_xlate), .dec_head_i(dec_after), .dec_early_i(dec_early),
    .dec_frame_i(step_whole & dec_path == gmmu_pkg::PATH_AC & step_ok),
    .mem_valid_i(mem_rsp_valid_i), .mem_data_i(mem_rsp_data_i), .mem_half_i(rsp_half),
    .first_page_i(first_vfn[1:0]), .first_pfn_i(first_pfn), .first_offset_i(first_offset),
    .dec_page_i(dec_vfn[1:0]),
    .dec_own_i(dec_level == gmmu_pkg::LEVEL_4K & dec_path == gmmu_pkg::PATH_OWN),
    .dec_alone_i(dec_after), .dec_ext_i(ctx_ext_i[dec_ctx]), .step_xlate_i(step_xlate), .win_lo_i,
    .win_hi_i, .win_data_i, .run_end_i(run_end), .run_app_i(CtxW'(run_asid)), .run_slot_i(run_slot),
    .run_mshr_i(run_mshr), .run_xlate_i(run_xlate), .run_run_i(run_run), .root_end_i(root_end),
    .root_app_i(root_app), .root_slot_i(root_slot), .root_mshr_i(root_mshr),
    .root_xlate_i({root_cause, {PageXlateW-5{1'b0}}}), .fin_valid_o, .fin_take_i, .fin_mshr_o,
    .fin_xlate_o, .fin_run_o, .free_o(free), .free_slot_o(fin_slot), .free_app_o(free_app)
  );

  if (Obs != 0) begin : gen_obs
    gmmu_walker_obs #(.AsidW(AsidW), .VfnW(VfnW), .SlotW(SlotW), .MshrW(MshrW),
        .PwcEntries(PwcEntries)) u_obs (
      .clk_i, .rst_ni, .mark_i, .start_i(start), .waited_i(start_waited), .start_slot_i(free_slot),
      .start_mshr_i(root_mshr), .start_vfn_i(start_vfn), .start_asid_i(start_asid),
      .again_i(root_begin & root_again), .again_slot_i(again_slot), .root_end_i(root_end),
      .root_cause_i(root_cause), .step_i(dec), .restart_i(dec_restart),
      .end_i(dec_end), .early_i(dec_early), .head_i(dec_after), .cached_i(dec_cached),
      .update_i(dec_upd), .sv48_i(dec_sv48), .level_i(dec_level),
      .cause_i(dec_xlate[PageXlateW-1 -: 5]), .slot_i(dec_slot), .run_event_i(run_event),
      .pwc_event_i(pwc_event), .obs_o
    );
  end else begin : gen_no_obs
    logic unused_obs;
    assign unused_obs = ^{start_waited, run_event, pwc_event};
    assign obs_o = '0;
  end

  `GMMU_ASSERT(walker_one_end, !(dec_end && root_end))
endmodule
`default_nettype wire
