// SPDX-License-Identifier: Apache-2.0
// gmmu_walker: highly threaded page table walker: `Walks` slots, one outstanding 8-byte read each,
// answers in any order. Rules, timing and observation port: docs/walker.md. Source: Mosaic section
// 4.3, MASK section 6.
//
// A read takes the memory's latency plus 2 cycles. Legal: Walks >= NumAsids, Mshrs >= 1, PfnW
// 18..44.
`default_nettype none
`include "gmmu_assert.svh"
module gmmu_walker #(
  parameter int Walks          = 64,
  parameter int Mshrs          = 64,
  parameter int NumAsids       = 8,
  parameter int AsidW          = 9,
  parameter int VaW            = 48,
  parameter int PfnW           = 36,
  parameter int NumWindows     = 4,
  parameter int LargeAnswers   = 1,
  parameter int FrameBitsInRsw = 0,
  parameter int Unified        = 0,   // 1: C and AC paths, early answers (docs/msc.md)
  parameter int MscSets        = 64,
  parameter int MscWays        = 8,   // 0: no memory subregion cache
  parameter int PwcEntries     = 0,   // 0: no page walk cache
  parameter int PwcWays        = 16,
  parameter int PwcLatency     = 10,
  parameter int LineAnswers    = 0,   // 1: memory answers with 64-byte lines
  // not 0: answers come with their group (docs/colt.md); needs LineAnswers
  parameter int Colt           = 0,
  // 1: an invalidation of a range restarts all walks of its ASID
  parameter int MarkByAsid     = 0,
  parameter int Svadu          = 0,   // 1: A and D are set by hardware (docs/walker.md)
  parameter int Obs            = 1,
  localparam int VfnW   = VaW - 12,
  localparam int KeyW   = VfnW + (Svadu != 0 ? gmmu_pkg::CLASS_W : 0),
  localparam int SlotW  = gmmu_pkg::idx_w(Walks),
  localparam int MshrW  = gmmu_pkg::idx_w(Mshrs),
  localparam int XlateW = gmmu_pkg::XLATE_FIXED_W + PfnW,
  localparam int OutW   = gmmu_pkg::xlate_w(PfnW, Colt),
  localparam int MemW   = LineAnswers != 0 ? 512 : 64,
  localparam int CmdW   = gmmu_pkg::CMD_FIXED_W + AsidW
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  // walks from the L2 TLB: always accepted
  input  logic                walk_valid_i,
  input  logic [MshrW-1:0]    walk_mshr_i,
  input  logic [AsidW-1:0]    walk_asid_i,
  input  logic [KeyW-1:0]     walk_vfn_i,    // Svadu=1: {class of store, VFN}
  // finished walks
  output logic                fin_valid_o,
  input  logic                fin_take_i,
  output logic [MshrW-1:0]    fin_mshr_o,
  output logic [OutW-1:0]     fin_xlate_o,
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
  input  logic [CmdW-1:0]     cmd_i,         // held until the next mark
  // the memory subregion cache is being cleared, or a stale walk updates
  output logic                clear_busy_o,
  output logic [gmmu_pkg::OBS_WALK_W-1:0] obs_o
);
  localparam int CtxW  = gmmu_pkg::idx_w(NumAsids);
  localparam int ReadW = PfnW + 9 + SlotW + 3;
  localparam int RunW  = gmmu_pkg::RUN_W;
  localparam int FinW  = SlotW + MshrW + RunW + OutW;

  if (Walks < NumAsids) begin : gen_bad_walks
    gmmu_walker_Walks_must_be_at_least_NumAsids u_bad();
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

  `include "gmmu_types.svh"
  cmd_t cmd;
  assign cmd = cmd_i;

  // ---------------------------------------------------------------- slots
  logic [Walks-1:0] busy_q, restart_q;   // in use; its next answer is to be thrown away
  logic [AsidW-1:0] asid_q  [0:Walks-1];
  logic [VfnW-1:0]  vfn_q   [0:Walks-1];
  logic [MshrW-1:0] mshr_q  [0:Walks-1];
  logic [1:0]       level_q [0:Walks-1]; // of the read that is outstanding
  logic [1:0]       path_q  [0:Walks-1];
  logic [Walks-1:0] sv48_q;              // the mode it began with

  // ---------------------------------------------------------------- mark
  logic [Walks-1:0] cmd_match, marked;
  for (genvar i = 0; i < Walks; i++) begin : gen_marked
    assign marked[i] = mark_i ?
        gmmu_pkg::frame_match(MarkByAsid != 0, cmd.kind, 16'(cmd.asid), cmd.lo, cmd.hi,
            16'(asid_q[i]), 36'($signed(vfn_q[i]))) : 1'b0;
  end
  assign cmd_match = busy_q & marked;

  // --------------------------------------------------------- decode of the answer taken last cycle
  logic             dec_q, dec_err_q, dec_stale, dec_restart, dec_next, dec_read, dec_end,
      step_next, step_whole;
  // the walk updates the PTE that it read
  logic             step_upd, step_upd_d, dec_upd;
  logic [1:0]       dec_store;                                   // Svadu: class of its stores
  // head: of another subregion
  logic             dec_after, dec_head, dec_early, dec_fin, head_read;
  logic [1:0]       step_path, dec_path;
  logic [2:0]       head_idx;
  logic [SlotW-1:0] dec_slot_q;
  logic [63:0]      dec_pte_q;
  logic [AsidW-1:0] dec_asid;
  logic [VfnW-1:0]  dec_vfn;
  logic [1:0]       dec_level;
  logic [PfnW-1:0]  step_pfn;
  logic [8:0]       step_idx;
  logic [XlateW-1:0] step_xlate;
  xlate_t           dec_xlate, root_xlate;
  logic [CtxW-1:0]  dec_ctx;

  // PTEs that the walk cache holds wait for a cycle without an answer from memory.
  logic             pwc_valid, pwc_pop, dec_pwc_q;
  logic [SlotW-1:0] pwc_slot;
  logic [63:0]      pwc_pte, mem_pte;
  assign pwc_pop = pwc_valid & !mem_rsp_valid_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) dec_q <= 1'b0;
    else dec_q <= mem_rsp_valid_i | pwc_valid;
  end
  always_ff @(posedge clk_i) begin
    if (mem_rsp_valid_i | pwc_valid) begin
      dec_slot_q <= mem_rsp_valid_i ? mem_rsp_id_i : pwc_slot;
      dec_pte_q  <= mem_rsp_valid_i ? mem_pte : pwc_pte;
      dec_err_q  <= mem_rsp_valid_i & mem_rsp_err_i;
      dec_pwc_q  <= !mem_rsp_valid_i;
    end
  end
  assign dec_asid    = asid_q[dec_slot_q];
  assign dec_vfn     = vfn_q[dec_slot_q];
  assign dec_level   = level_q[dec_slot_q];
  assign dec_ctx     = CtxW'(dec_asid);
  assign dec_path    = path_q[dec_slot_q];
  assign dec_stale   = restart_q[dec_slot_q] | cmd_match[dec_slot_q];
  assign dec_head    = dec_q & dec_after;
  assign dec_restart = dec_q & !dec_after & dec_stale;
  gmmu_pte_decode #(.VfnW(VfnW), .PfnW(PfnW), .NumWindows(NumWindows), .LargeAnswers(LargeAnswers),
                    .FrameBitsInRsw(FrameBitsInRsw), .Unified(Unified), .Svadu(Svadu)) u_decode (
    .pte_i(dec_pte_q), .err_i(dec_err_q), .level_i(dec_level), .path_i(dec_path),
    .ext_i(ctx_ext_i[dec_ctx]), .vfn_i(dec_vfn), .store_i(dec_store),
    .win_lo_i, .win_hi_i, .win_walk_i, .win_data_i, .update_o(step_upd), .update_d_o(step_upd_d),
    .next_o(step_next), .next_pfn_o(step_pfn), .next_idx_o(step_idx), .next_path_o(step_path),
    .xlate_o(step_xlate),
    .whole_o(step_whole)
  );

  // -------------------------------------------------------- root of a walk that starts or restarts
  logic             buf_valid, buf_waited, start, root_ok, root_window, root_canonical, root_sv48;
  logic [MshrW-1:0] buf_mshr;
  logic [AsidW-1:0] buf_asid, root_asid;
  logic [VfnW-1:0]  buf_vfn, root_vfn;
  logic [KeyW-1:0]  buf_key;
  logic [CtxW-1:0]  root_ctx;
  logic [PfnW-1:0]  root_pfn;
  logic [8:0]       root_idx;
  logic [1:0]       root_level;
  assign root_asid  = dec_restart ? dec_asid : buf_asid;
  assign root_vfn   = dec_restart ? dec_vfn : buf_vfn;
  assign root_ctx   = CtxW'(root_asid);
  assign root_pfn   = ctx_root_i[root_ctx*PfnW +: PfnW];
  assign root_sv48  = ctx_mode_i[root_ctx*2 +: 2] == gmmu_pkg::MODE_SV48;
  assign root_level = root_sv48 ? 2'd3 : 2'd2;
  if (VfnW == 36) begin : gen_sv48
    assign root_idx       = root_sv48 ? root_vfn[35:27] : root_vfn[26:18];
    assign root_canonical = root_sv48 | root_vfn[35:27] == {9{root_vfn[26]}};
  end else begin : gen_sv39
    assign root_idx       = root_vfn[26:18];
    assign root_canonical = 1'b1;
  end
  gmmu_windows #(.NumWindows(NumWindows), .PfnW(PfnW)) u_root_windows (
    .lo_i(win_lo_i), .hi_i(win_hi_i), .allow_i(win_walk_i),
    .first_i(root_pfn), .last_i(root_pfn), .inside_o(root_window)
  );
  always_comb begin
    root_xlate = '0;
    if (!ctx_on_i[root_ctx]) root_xlate.cause = gmmu_pkg::CAUSE_UNKNOWN_ASID;
    else if (!root_canonical) root_xlate.cause = gmmu_pkg::CAUSE_NON_CANONICAL;
    else if (!root_window) root_xlate.cause = gmmu_pkg::CAUSE_AF_WALK_WINDOW;
  end
  assign root_ok = root_xlate.cause == gmmu_pkg::CAUSE_OK;

  // --------------------------------------------------------------- who reads, who ends, who starts
  logic start_end;
  logic [4:0]        step_cause;
  logic              run_end, run_read, run_grant;
  logic [SlotW-1:0]  run_slot;
  logic [2:0]        run_idx;
  logic [XlateW-1:0] run_xlate;
  logic [RunW-1:0]   run_run;
  assign step_cause = step_xlate[XlateW-1 -: 5];
  assign dec_upd   = dec_q & !dec_restart & !dec_after & step_upd;
  assign dec_next  = dec_restart ? root_ok : dec_after ? head_read : step_next | step_upd;
  assign dec_read  = dec_q & dec_next;
  assign dec_end   = dec_after ? dec_head & (dec_err_q | dec_stale) : dec_q & !dec_next
      & !dec_early;
  // The head of a contiguous subregion: the requester is answered now, the run is found afterwards.
  assign dec_early = dec_q & !dec_after & !dec_restart & !step_next & step_whole
      & dec_path == 2'd3 &
                     step_cause == gmmu_pkg::CAUSE_OK;
  assign dec_fin   = dec_end | dec_early;
  assign run_grant = run_end ? !dec_fin : run_read & !dec_read;
  assign dec_xlate = dec_restart ? root_xlate : dec_after ? '0 : step_xlate;
  assign start     = buf_valid & !dec_read & !dec_restart & !run_read
      & (root_ok | !(dec_fin | run_end));
  assign start_end = start & !root_ok;

  logic [NumAsids-1:0] may;
  logic [NumAsids*$clog2(Walks+1)-1:0] unused_held;
  logic                fin_pop, fin_free;
  logic [SlotW-1:0]    fin_slot, free_slot;
  logic [AsidW-1:0]    fin_asid;
  assign fin_asid = asid_q[fin_slot];
  gmmu_walk_buffer #(.Depth(Mshrs), .NumAsids(NumAsids), .AsidW(AsidW), .VfnW(KeyW)) u_buffer (
    .clk_i, .rst_ni, .push_i(walk_valid_i), .push_mshr_i(walk_mshr_i), .push_asid_i(walk_asid_i),
    .push_vfn_i(walk_vfn_i), .may_i(may), .valid_o(buf_valid), .mshr_o(buf_mshr), .asid_o(buf_asid),
    .vfn_o(buf_key), .waited_o(buf_waited), .pop_i(start)
  );
  gmmu_app_quota #(.Total(Walks), .NumApps(NumAsids)) u_quota (
    .clk_i, .rst_ni, .on_i(ctx_on_i), .take_i(start), .take_app_i(CtxW'(buf_asid)),
    .give_i(fin_free), .give_app_i(CtxW'(fin_asid)), .may_o(may), .held_o(unused_held)
  );
  assign buf_vfn = buf_key[VfnW-1:0];
  always_comb begin
    free_slot = '0;
    if (buf_valid) begin
      for (int i = Walks - 1; i >= 0; i--) begin
        if (!busy_q[i]) free_slot = SlotW'(i);
      end
    end
  end

  logic [Walks-1:0] busy_d, restart_d, start_hot, dec_hot, fin_hot;
  assign start_hot = start ? Walks'(1) << free_slot : '0;
  assign dec_hot   = dec_q ? Walks'(1) << dec_slot_q : '0;
  assign fin_hot   = fin_free ? Walks'(1) << fin_slot : '0;
  assign busy_d    = (busy_q & ~fin_hot) | start_hot;
  assign restart_d = (restart_q | cmd_match) & ~dec_hot & ~start_hot;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      busy_q    <= '0;
      restart_q <= '0;
    end else begin
      busy_q    <= busy_d;
      restart_q <= restart_d;
    end
  end
  always_ff @(posedge clk_i) begin
    if (start) begin
      asid_q[free_slot]  <= buf_asid;
      vfn_q[free_slot]   <= buf_vfn;
      mshr_q[free_slot]  <= buf_mshr;
      level_q[free_slot] <= root_level;
      path_q[free_slot]  <= 2'd0;
      sv48_q[free_slot]  <= root_sv48;
    end else if (dec_read & !dec_after & !dec_upd) begin
      level_q[dec_slot_q] <= dec_restart ? root_level : dec_level - 1'b1;
      path_q[dec_slot_q]  <= dec_restart ? 2'd0 : step_path;
      if (dec_restart) sv48_q[dec_slot_q] <= root_sv48;
    end
  end

  // --------------------------------------------------------------- read queue and request register
  logic              read, direct, first, second, rq_valid, rq_push, rq_pop, m_valid_q, m_free,
      pwc_miss;
  logic [ReadW-1:0]  first_data, pwc_miss_data;
  logic [ReadW-1:0]  read_data, rq_data, m_q;
  logic [1:0]        read_level;
  logic              read_sv48;
  assign read       = dec_read | (run_read & run_grant) | (start & root_ok);
  assign read_level = (dec_restart | !dec_read) ? root_level : dec_upd ? dec_level
      : dec_level - 1'b1;
  assign read_sv48  = (dec_read & !dec_restart) ? sv48_q[dec_slot_q] : root_sv48;
  logic              head;        // a head PTE: of the frame's leaf table
  logic [SlotW-1:0]  head_slot;
  logic [PfnW-1:0]   head_pfn;
  logic [ReadW-1:0]  step_data;
  logic [PfnW+8:0]   upd_addr;    // Svadu: of the PTE that was answered
  assign head      = dec_read ? dec_after : run_read;
  assign head_slot = (dec_after & dec_read) ? dec_slot_q : run_slot;
  // Depth 1 is the root.
  assign step_data  = {(read_sv48 ? 3'd4 : 3'd3) - {1'b0, read_level},
                       dec_read ? dec_slot_q : free_slot,
                       dec_upd ? upd_addr : (dec_read & !dec_restart) ? {step_pfn, step_idx}
                           : {root_pfn, root_idx}};
  assign read_data  = !head ? step_data : {sv48_q[head_slot] ? 3'd4 : 3'd3, head_slot, head_pfn,
                      (dec_after & dec_read) ? head_idx : run_idx, 6'd0};
  // The PTE's place in the line that memory answers.
  if (LineAnswers != 0) begin : gen_line
    logic [2:0] word_q [0:Walks-1];
    always_ff @(posedge clk_i) if (read) word_q[read_data[PfnW+9 +: SlotW]] <= read_data[2:0];
    assign mem_pte = mem_rsp_data_i[word_q[mem_rsp_id_i]*64 +: 64];
  end else begin : gen_no_line
    assign mem_pte = mem_rsp_data_i;
  end
  assign m_free  = !m_valid_q | mem_req_ready_i;
  assign rq_pop  = rq_valid & m_free;
  // A read of a leaf goes to memory at once, another one when the walk cache does not have it: then
  // behind a leaf's of the same cycle.
  assign direct     = read & (PwcEntries == 0 | head | dec_upd | read_level == 2'd0);
  assign first      = direct | pwc_miss;
  assign second     = direct & pwc_miss;
  assign first_data = direct ? read_data : pwc_miss_data;
  assign rq_push    = (first & !(m_free & !rq_valid)) | second;
  /* verilator lint_off PINCONNECTEMPTY */
  logic rq_direct;   // the first of two goes to the request register itself
  assign rq_direct = m_free & !rq_valid;
  gmmu_fifo2 #(.Width(ReadW), .Depth(Walks < 2 ? 2 : Walks)) u_reads (
    .clk_i, .rst_ni, .push_i(rq_push), .data_i(rq_direct ? pwc_miss_data : first_data),
    .push2_i(second & !rq_direct), .data2_i(pwc_miss_data), .pop_i(rq_pop), .valid_o(rq_valid),
    .data_o(rq_data)
  );
  always_ff @(posedge clk_i) begin
    if (!rst_ni) m_valid_q <= 1'b0;
    else if (m_free) m_valid_q <= rq_valid | first;
  end
  always_ff @(posedge clk_i) if (m_free) m_q <= rq_valid ? rq_data : first_data;
  assign mem_req_valid_o = m_valid_q;
  assign mem_req_addr_o  = {m_q[PfnW+8:0], 3'b000};
  assign mem_req_id_o    = m_q[PfnW+9 +: SlotW];
  assign mem_req_depth_o = m_q[ReadW-1 -: 3];

  // ---------------------------------------------------------------- Svadu: A and D
  logic upd_busy, run_busy;
  if (Svadu != 0) begin : gen_svadu
    logic [1:0]       store_q [0:Walks-1];     // class of its stores
    logic [Walks-1:0] upd_q;                   // what is outstanding is an update
    logic [PfnW+8:0]  addr_q [0:Walks-1];      // of the PTE that is read
    logic [63:0]      old_q  [0:Walks-1];      // the PTE as it was read
    logic [Walks-1:0] dirty_q;                 // ... and whether D is set
    logic [SlotW-1:0] id;
    assign dec_store = store_q[dec_slot_q];
    assign upd_addr  = addr_q[dec_slot_q];
    always_ff @(posedge clk_i) begin
      if (!rst_ni) upd_q <= '0;
      else upd_q <= (upd_q & ~dec_hot) | (dec_upd ? dec_hot : '0);
    end
    always_ff @(posedge clk_i) begin
      if (start) store_q[free_slot] <= buf_key[KeyW-1 -: 2];
      if (read) addr_q[read_data[PfnW+9 +: SlotW]] <= read_data[PfnW+8:0];
      if (dec_upd) begin
        old_q[dec_slot_q]   <= dec_pte_q;
        dirty_q[dec_slot_q] <= step_upd_d;
      end
    end
    assign id            = mem_req_id_o;
    assign mem_req_upd_o = upd_q[id];
    assign mem_req_old_o = old_q[id];
    assign mem_req_new_o = old_q[id] | {56'd0, dirty_q[id], 7'h40};
    // A stale walk's update may still be done until it is answered: before that nobody is told that
    // it is over.
    assign upd_busy      = |(upd_q & restart_q);
  end else begin : gen_svade
    logic unused_svadu;
    assign unused_svadu  = step_upd_d;
    assign dec_store     = '0;
    assign upd_addr      = '0;
    assign mem_req_upd_o = 1'b0;
    assign mem_req_old_o = '0;
    assign mem_req_new_o = '0;
    assign upd_busy      = 1'b0;
  end
  assign clear_busy_o = run_busy | upd_busy;

  // -------------------------------------------------------------- pages that share the translation
  logic [OutW-1:0] dec_out, run_out, root_out;
  if (Colt != 0) begin : gen_group
    logic [255:0] ptes_q;
    logic [3:0]   group;
    always_ff @(posedge clk_i)
      if (mem_rsp_valid_i)
          ptes_q <= vfn_q[mem_rsp_id_i][2] ? mem_rsp_data_i[MemW-1 -: 256] : mem_rsp_data_i[255:0];
    gmmu_walk_group #(.PfnW(PfnW), .NumWindows(NumWindows)) u_group (
      .ptes_i(ptes_q), .page_i(dec_vfn[1:0]), .own_i(dec_level == 2'd0 & dec_path == 2'd0),
      .ext_i(ctx_ext_i[dec_ctx]),
      .xlate_i(step_xlate), .win_lo_i, .win_hi_i, .win_data_i, .group_o(group)
    );
    assign dec_out  = {dec_restart | dec_after ? 4'd0 : group, dec_xlate};
    assign run_out  = {4'd0, run_xlate};
    assign root_out = {4'd0, root_xlate};
  end else begin : gen_no_group
    assign dec_out  = dec_xlate;
    assign run_out  = run_xlate;
    assign root_out = root_xlate;
  end

  // ---------------------------------------------------------------- finished walks
  logic [FinW-1:0] fin_in;
  logic [RunW-1:0] dec_run;
  assign dec_run = dec_head ? {2'b01, 1'b0, 6'd0} : dec_early ? {2'b10, 1'b0, 6'd0}
                 : (dec_restart | !step_whole | dec_path != 2'd2 | step_cause != gmmu_pkg::CAUSE_OK)
                     ? '0
                 : {3'b001, 3'd0, 3'd7};
  assign fin_in = dec_fin ? {dec_slot_q, mshr_q[dec_slot_q], dec_run, dec_out}
                : run_end ? {run_slot, mshr_q[run_slot], run_run, run_out}
                : {free_slot, buf_mshr, {RunW{1'b0}}, root_out};
  // A walk that answers early is in the queue twice.
  gmmu_fifo #(.Width(FinW), .Depth(Unified != 0 ? 2 * Walks : Walks)) u_finished (
    .clk_i, .rst_ni, .push_i(dec_fin | run_end | start_end), .data_i(fin_in), .pop_i(fin_pop),
    .valid_o(fin_valid_o), .data_o({fin_slot, fin_mshr_o, fin_run_o, fin_xlate_o}), .count_o()
  );
  /* verilator lint_on PINCONNECTEMPTY */
  assign fin_pop  = fin_take_i;
  assign fin_free = fin_pop & !fin_run_o[RunW-1];

  // ---------------------------------------------------------------- page walk cache
  logic [28:0] pwc_event;
  if (PwcEntries != 0) begin : gen_pwc
    localparam int PWayW = gmmu_pkg::idx_w(PwcWays);
    logic              probe, hit, insert, stored, over, evict;
    logic [PfnW+8:0]   addr_q [0:Walks-1];   // PTE that each walk reads, non-leaf levels
    logic [PfnW+8:0]   miss_addr;
    logic [SlotW+2:0]  payload;
    logic [63:0]       pte;
    logic [PWayW-1:0]  way, stored_way;
    assign probe  = read & !direct;
    assign insert = dec_read & !dec_restart & !dec_after & !dec_upd & !dec_pwc_q;
    always_ff @(posedge clk_i) if (probe) addr_q[read_data[PfnW+9 +: SlotW]] <= read_data[PfnW+8:0];
    gmmu_walk_cache #(.Entries(PwcEntries), .Ways(PwcWays), .Latency(PwcLatency), .AddrW(PfnW + 9),
                      .PayloadW(SlotW + 3)) u_cache (
      .clk_i, .rst_ni, .probe_i(probe), .probe_addr_i(read_data[PfnW+8:0]),
      .probe_payload_i(read_data[ReadW-1:PfnW+9]),
      .hit_o(hit), .miss_o(pwc_miss), .addr_o(miss_addr), .payload_o(payload), .pte_o(pte),
      .insert_i(insert), .insert_addr_i(addr_q[dec_slot_q]),
      .insert_pte_i(dec_pte_q), .flush_i(mark_i),
      .way_o(way), .stored_o(stored), .stored_way_o(stored_way), .overwrite_o(over), .evict_o(evict)
    );
    assign pwc_miss_data = {payload, miss_addr};
    /* verilator lint_off PINCONNECTEMPTY */
    gmmu_fifo #(.Width(SlotW + 64), .Depth(Walks)) u_hits (
      .clk_i, .rst_ni, .push_i(hit), .data_i({payload[SlotW-1:0], pte}), .pop_i(pwc_pop),
      .valid_o(pwc_valid), .data_o({pwc_slot, pwc_pte}), .count_o()
    );
    /* verilator lint_on PINCONNECTEMPTY */
    assign pwc_event = {8'(stored_way), 8'(way), 8'(payload[SlotW-1:0]), evict, over, stored, hit,
        hit | pwc_miss};
  end else begin : gen_no_pwc
    logic unused_pwc;
    assign unused_pwc    = ^{dec_pwc_q, pwc_pop};
    assign pwc_miss      = 1'b0;
    assign pwc_miss_data = '0;
    assign pwc_valid     = 1'b0;
    assign pwc_slot      = '0;
    assign pwc_pte       = '0;
    assign pwc_event     = '0;
  end

  // ---------------------------------------------------------------- runs of contiguous subregions
  logic [gmmu_pkg::RUN_EVENT_W-1:0] run_event;
  if (Unified != 0) begin : gen_run
    logic [Walks-1:0] after_q;               // answered early
    logic [PfnW-1:0]  table_q [0:Walks-1];   // the frame's leaf table
    logic [7:0]       c_q     [0:Walks-1];
    assign dec_after = dec_q & after_q[dec_slot_q];   // known also before the first answer
    always_ff @(posedge clk_i) begin
      if (!rst_ni) after_q <= '0;
      else after_q <= (after_q & ~start_hot) | (dec_early ? dec_hot : '0);
    end
    always_ff @(posedge clk_i) begin
      if (dec_read & !dec_restart & !dec_after & !dec_upd & dec_level == 2'd1) begin
        table_q[dec_slot_q] <= step_pfn;
        c_q[dec_slot_q]     <= dec_pte_q[61:54];
      end
    end
    assign head_pfn = table_q[head_slot];
    gmmu_walk_run #(.Walks(Walks), .AsidW(AsidW), .VfnW(VfnW), .PfnW(PfnW), .NumWindows(NumWindows),
                    .MscSets(MscSets), .MscWays(MscWays)) u_run (
      .clk_i, .rst_ni, .begin_i(dec_early), .head_i(dec_head), .slot_i(dec_slot_q),
      .pte_i(dec_pte_q),
      .drop_i(dec_err_q | dec_stale), .dec_vfn_i(dec_vfn), .c_i(c_q[dec_slot_q]),
      .head_read_o(head_read), .head_idx_o(head_idx),
      .slot_o(run_slot), .asid_i(asid_q[run_slot]), .vfn_i(vfn_q[run_slot]),
      .stale_i(restart_q[run_slot] | cmd_match[run_slot]),
      .end_o(run_end), .read_o(run_read), .read_idx_o(run_idx), .grant_i(run_grant),
      .end_xlate_o(run_xlate), .end_run_o(run_run),
      .win_lo_i, .win_hi_i, .win_data_i, .mark_i, .cmd_i, .busy_o(run_busy), .event_o(run_event)
    );
  end else begin : gen_no_run
    logic unused_run;
    assign unused_run   = ^{step_whole, run_event, head_idx};
    assign dec_after    = 1'b0;
    assign head_read    = 1'b0;
    assign head_idx     = '0;
    assign head_pfn     = '0;
    assign run_slot     = '0;
    assign run_end      = 1'b0;
    assign run_read     = 1'b0;
    assign run_idx      = '0;
    assign run_xlate    = '0;
    assign run_run      = '0;
    assign run_busy     = 1'b0;
    assign run_event    = '0;
  end

  // ---------------------------------------------------------------- observation port
  if (Obs != 0) begin : gen_obs
`include "gmmu_obs_walk.svh"
    assign ev_start        = start;
    assign ev_start_queued = start & buf_waited;
    assign ev_mark         = mark_i;
    assign ev_start_slot   = 8'(free_slot);
    assign ev_start_mshr   = 8'(buf_mshr);
    assign ev_start_vfn    = 36'($signed(buf_vfn));
    assign ev_start_asid   = 16'(buf_asid);
    assign ev_step         = dec_q;
    assign ev_step_restart = dec_restart;
    assign ev_step_done    = dec_end;
    assign ev_step_depth   = (sv48_q[dec_slot_q] ? 3'd4 : 3'd3) - {1'b0, dec_level};
    assign ev_step_cause   = dec_end ? dec_xlate.cause : 5'd0;
    assign ev_step_slot    = 8'(dec_slot_q);
    assign ev_step_early   = dec_early;
    assign ev_step_head    = dec_head;
    assign ev_step_cached  = dec_pwc_q & PwcEntries != 0;
    assign ev_step_update  = dec_upd;
    assign ev_root_end     = start_end;
    assign ev_root_cause   = root_xlate.cause;
    assign {ev_msc_cleared, ev_msc_set, ev_msc_sweep, ev_run_evict, ev_run_overwrite, ev_run_bitmap,
            ev_run_way, ev_run_slot, ev_run_read, ev_run_insert, ev_run_hit, ev_run_stale, ev_run} =
                run_event;
    assign {ev_pwc_insert_way, ev_pwc_way, ev_pwc_slot, ev_pwc_evict, ev_pwc_overwrite,
        ev_pwc_insert,
            ev_pwc_hit, ev_pwc_probe} = pwc_event;
  end else begin : gen_no_obs
    assign obs_o = '0;
  end

  `GMMU_ASSERT(walker_answer_expected, !(mem_rsp_valid_i && !busy_q[mem_rsp_id_i]))
  `GMMU_ASSERT(walker_one_end, !(dec_end && start_end))
  `GMMU_ASSERT(walker_start_has_slot, !(start && (&busy_q)))
endmodule
`default_nettype wire
