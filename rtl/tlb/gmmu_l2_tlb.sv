// SPDX-License-Identifier: Apache-2.0
// gmmu_l2_tlb: the L2 TLB that all SMs share. Split build: set-associative base array, fully
// associative large array. Unified build: one array of pages and runs of subregions. Miss
// registers. Rules, pipeline and observation port: docs/l2_tlb.md. Source: Mosaic section 4.3, MASK
// section 6; unified: MESC section IV-C.
//
// Stage 0 arbitrates, stage A reads the base array, stage B decides. A hit's answer leaves
// L2Latency cycles after the request handshake. Legal: Latency >= 4, Ports 1 or 2, Entries 0 (no
// base array) or a multiple of Ways, LargeEntries 0 or >= 2, Mshrs >= NumAsids.
`default_nettype none
module gmmu_l2_tlb #(
  parameter int NumSms       = 30,
  parameter int NumAsids     = 8,
  parameter int AsidW        = 9,
  parameter int VaW          = 48,
  parameter int PfnW         = 36,
  parameter int L1Mshrs      = 32,
  parameter int Entries      = 512,
  parameter int Ways         = 16,
  parameter int LargeEntries = 256,
  // 1: one array with regular and subregion entries; LargeEntries is 0
  parameter int Unified      = 0,
  parameter int Ports        = 2,
  parameter int Latency      = 10,
  parameter int Mshrs        = 64,
  parameter int WarpCounters = 1,
  // 1: translations come with their group; 2: the base array holds groups
  parameter int Colt         = 0,
  parameter int WarpW        = 8,
  // 1: only warps with a token fill the arrays (docs/fill_tokens.md)
  parameter int FillTokens   = 0,
  // ... the others fill the bypass cache (docs/bypass_cache.md); 0: none built
  parameter int BypassEntries = 0,
  parameter int FlushL2      = 0,    // 1: every invalidation empties arrays and bypass cache
  parameter int MarkByAsid   = 0,    // 1: an invalidation of a range marks all misses of its ASID
  parameter int Svadu        = 0,    // 1: hardware sets A and D (docs/walk-rules.md)
  parameter int Obs          = 1,
  localparam int VfnW   = VaW - 12,
  localparam int KeyW   = VfnW + (Svadu != 0 ? gmmu_pkg::CLASS_W : 0),
  localparam int SmW    = gmmu_pkg::idx_w(NumSms),
  localparam int L1MW   = gmmu_pkg::idx_w(L1Mshrs),
  localparam int OwnW   = FillTokens != 0 ? WarpW : 1,
  localparam int IdxW   = gmmu_pkg::idx_w(Mshrs),
  localparam int XlateW = gmmu_pkg::xlate_w(PfnW, Colt),
  localparam int CmdW   = gmmu_pkg::CMD_FIXED_W + AsidW
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  // from the L1s
  input  logic [NumSms-1:0]       req_valid_i,
  output logic [NumSms-1:0]       req_ready_o,
  input  logic [NumSms*AsidW-1:0] req_asid_i,
  input  logic [NumSms*KeyW-1:0]  req_vfn_i,     // Svadu=1: {class of store, VFN}
  input  logic [NumSms*L1MW-1:0]  req_mshr_i,
  input  logic [NumSms*OwnW-1:0]  req_warp_i,    // FillTokens=1: of the miss
  // waiting warps (WarpCounters=1): where a port's miss is kept, and the L1s' reports
  output logic [Ports*NumSms-1:0] taken_sel_o,
  output logic [Ports*L1MW-1:0]   taken_l1_mshr_o,
  output logic [Ports*IdxW-1:0]   taken_mshr_o,
  input  logic [NumSms-1:0]       tell_valid_i,
  output logic [NumSms-1:0]       tell_ready_o,
  input  logic [NumSms*IdxW-1:0]  tell_mshr_i,
  input  logic [NumSms*6-1:0]     tell_warps_i,
  // hit answers: one bus per port, each for one SM; never stalled
  output logic [Ports*NumSms-1:0] hit_sel_o,
  output logic [Ports*L1MW-1:0]   hit_l1_mshr_o,
  output logic [Ports*XlateW-1:0] hit_xlate_o,
  // walk answers: one bus for any set of SMs
  output logic [NumSms-1:0]       ans_sel_o,
  output logic [NumSms*L1MW-1:0]  ans_l1_mshr_o,
  output logic [XlateW-1:0]       ans_xlate_o,
  // to the walker: always accepted
  output logic                    walk_valid_o,
  output logic [IdxW-1:0]         walk_mshr_o,
  output logic [AsidW-1:0]        walk_asid_o,
  output logic [KeyW-1:0]         walk_vfn_o,
  // returned walks
  input  logic                    fin_valid_i,
  output logic                    fin_take_o,
  input  logic [IdxW-1:0]         fin_mshr_i,
  input  logic [XlateW-1:0]       fin_xlate_i,
  // Unified=1: {early, run only, subregion fill, first, length}
  input  logic [gmmu_pkg::RUN_W-1:0] fin_run_i,
  // fill tokens: lookups that ended, by port; may this warp fill?
  output logic [1:0]              look_o,
  output logic [1:0]              look_hit_o,
  output logic [2*gmmu_pkg::idx_w(NumAsids)-1:0] look_app_o,
  output logic [SmW-1:0]          owner_sm_o,
  output logic [OwnW-1:0]         owner_warp_o,
  input  logic                    token_i,
  // outstanding misses of each application (MASK section 5.4)
  output logic [NumAsids*$clog2(Mshrs+1)-1:0] app_misses_o,
  // contexts that are on
  input  logic [NumAsids-1:0]     ctx_on_i,
  // invalidation
  input  logic                    mark_i,
  input  logic                    sweep_start_i,
  output logic                    sweep_done_o,  // pulse: swept and drained
  output logic                    stale_o,       // a miss that a command made stale is not answered
  input  logic [CmdW-1:0]         cmd_i,
  output logic [gmmu_pkg::OBS_L2_W-1:0] obs_o
);
  localparam int LfnW   = VfnW - 9;
  localparam int PermW  = gmmu_pkg::PERM_W;
  localparam int DataW  = PermW + PfnW;
  localparam int LDataW = PermW + PfnW - 9;
  localparam int Sets   = Entries == 0 ? 1 : Entries / Ways;
  localparam int SetW   = gmmu_pkg::idx_w(Sets);
  localparam int WayW   = gmmu_pkg::idx_w(Ways);
  localparam int LWayW  = gmmu_pkg::idx_w(LargeEntries);
  localparam int CtxW   = gmmu_pkg::idx_w(NumAsids);
  localparam int Pages  = Colt == 2 ? 4 : 1;   // that a base entry may hold
  localparam int GrpW   = Colt == 2 ? 2 : 0;
  localparam int ByWayW = gmmu_pkg::idx_w(BypassEntries);
  localparam int QW     = AsidW + KeyW + OwnW + L1MW;
  localparam int Delay  = Latency - 3;   // registers behind stage B

  if (Latency < 4) begin : gen_bad_latency
    gmmu_l2_tlb_Latency_must_be_at_least_4 u_bad();
  end
  if (LargeEntries == 1) begin : gen_bad_large
    gmmu_l2_tlb_LargeEntries_must_be_0_or_at_least_2 u_bad();
  end
  if (Unified != 0 && LargeEntries != 0) begin : gen_bad_unified
    gmmu_l2_tlb_Unified_has_no_LargeEntries u_bad();
  end
  if (Colt == 2 && Unified != 0) begin : gen_bad_colt
    gmmu_l2_tlb_Colt_2_needs_the_split_build u_bad();
  end
  if (Ports != 1 && Ports != 2) begin : gen_bad_ports
    gmmu_l2_tlb_Ports_must_be_1_or_2 u_bad();
  end

  `include "gmmu_types.svh"
  cmd_t cmd;
  logic cmd_all, cmd_asid_all;
  assign cmd          = cmd_i;
  assign cmd_all      = cmd.kind == 2'd0 | cmd.kind == 2'd3 | FlushL2 != 0;
  assign cmd_asid_all = cmd.kind == gmmu_pkg::INV_ASID;

  // ---------------------------------------------------------------- input queues
  logic [NumSms-1:0]    q_avail, q_waiting, q_issue, q_commit, q_wait, candidate, masked_q;
  logic [NumSms*QW-1:0] q_data;
  logic [NumAsids-1:0]  may;
  for (genvar s = 0; s < NumSms; s++) begin : gen_queue
    logic [QW-1:0] head;
    gmmu_l2_queue #(.Width(QW)) u_queue (
      .clk_i, .rst_ni, .valid_i(req_valid_i[s]), .ready_o(req_ready_o[s]),
      .data_i({req_asid_i[s*AsidW +: AsidW], req_vfn_i[s*KeyW +: KeyW], req_warp_i[s*OwnW +: OwnW],
               req_mshr_i[s*L1MW +: L1MW]}),
      .avail_o(q_avail[s]), .data_o(head), .waiting_o(q_waiting[s]),
      .issue_i(q_issue[s]), .commit_i(q_commit[s]), .wait_i(q_wait[s])
    );
    assign q_data[s*QW +: QW] = head;
    // What waits for an MSHR is tried again only when its application may take one.
    assign candidate[s] = q_avail[s] & !masked_q[s] &
        (!q_waiting[s] | may[CtxW'(head[QW-1 -: AsidW])]);
  end

  // ---------------------------------------------------------------- stage 0
  logic            s0_fin, s0_sweep, s0_look, sweep_sets;
  logic            a_fin_q, b_fin_q;
  logic            gnt_v0, gnt_v1;
  logic [SmW-1:0]  gnt_sm0, gnt_sm1;
  logic [2:0]      answers;
  logic [AsidW-1:0] fin_asid;
  logic [KeyW-1:0] fin_vfn;
  logic [SetW-1:0] sweep_set;

  // After a finish lookups have their turn: a burst of finishes must not keep new misses from the
  // freed MSHRs.
  assign s0_fin   = fin_valid_i & (answers + 3'(a_fin_q) + 3'(b_fin_q) < 3'd4) &
      !(a_fin_q & gnt_v0);
  assign s0_sweep = !fin_valid_i & sweep_sets;
  assign s0_look  = !s0_fin & !s0_sweep;
  assign fin_take_o = s0_fin;

  gmmu_rr_arb #(.N(NumSms), .Second(Ports == 2 ? 1 : 0)) u_arb (
    .clk_i, .rst_ni, .req_i(candidate), .take_i(s0_look), .take2_i(s0_look),
    .valid_o(gnt_v0), .idx_o(gnt_sm0), .valid2_o(gnt_v1), .idx2_o(gnt_sm1)
  );

  // --------------------------------------------------------------- stage B results that reach back
  logic [1:0]       b_v_q, b_commit, b_wait;
  logic [2*SmW-1:0] b_sm_q, a_sm_q, s0_sm;   // port 0 in the low half, as in all port vectors here
  logic [1:0]       a_v_q;
  logic [1:0]       s0_v, a_keep;
  assign s0_sm = {gnt_sm1, gnt_sm0};

  // Younger requests of an SM whose request waits are dropped in stages 0 and A.
  logic [SmW-1:0] b_sm0, b_sm1;
  assign b_sm0 = b_sm_q[SmW-1:0];
  assign b_sm1 = b_sm_q[2*SmW-1:SmW];
  for (genvar p = 0; p < 2; p++) begin : gen_drop
    logic [SmW-1:0] s0_this, a_this;
    assign s0_this   = s0_sm[p*SmW +: SmW];
    assign a_this    = a_sm_q[p*SmW +: SmW];
    assign s0_v[p]   = s0_look & (p == 0 ? gnt_v0 : gnt_v1) &
                       !(b_wait[0] & b_sm0 == s0_this) & !(b_wait[1] & b_sm1 == s0_this);
    assign a_keep[p] = a_v_q[p] & !(b_wait[0] & b_sm0 == a_this) & !(b_wait[1] & b_sm1 == a_this);
  end
  for (genvar s = 0; s < NumSms; s++) begin : gen_reach_back
    logic b0, b1;
    assign b0          = b_sm0 == SmW'(s);
    assign b1          = b_sm1 == SmW'(s);
    assign q_issue[s]  = (s0_v[0] & gnt_sm0 == SmW'(s)) | (s0_v[1] & gnt_sm1 == SmW'(s));
    assign q_commit[s] = (b_commit[0] & b0) | (b_commit[1] & b1);
    assign q_wait[s]   = (b_wait[0] & b0) | (b_wait[1] & b1);
  end

  // ---------------------------------------------------------------- stage A
  logic             a_sweep_q;
  logic [1:0]       a_replay_q;
  logic [2*AsidW-1:0] a_asid_q;
  logic [2*KeyW-1:0]  a_vfn_q;
  logic [2*L1MW-1:0]  a_l1m_q;
  logic [2*OwnW-1:0]  a_warp_q;
  logic [IdxW-1:0]  a_mshr_q;
  logic [XlateW-1:0] a_xlate_q;
  logic [gmmu_pkg::RUN_W-1:0] a_run_q, b_run_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      a_v_q     <= '0;
      a_fin_q   <= 1'b0;
      a_sweep_q <= 1'b0;
    end else begin
      a_v_q     <= s0_v;
      a_fin_q   <= s0_fin;
      a_sweep_q <= s0_sweep;
    end
  end
  for (genvar p = 0; p < 2; p++) begin : gen_stage_a
    logic [QW-1:0]    d;
    logic [SmW-1:0]   sm;
    logic             fin, sweep;
    assign sm    = s0_sm[p*SmW +: SmW];
    assign d     = q_data[sm*QW +: QW];
    assign fin   = p == 0 & s0_fin;
    assign sweep = p == 0 & s0_sweep;
    always_ff @(posedge clk_i) begin
      if (s0_v[p]) begin
        a_sm_q[p*SmW +: SmW]    <= sm;
        a_replay_q[p]           <= q_waiting[sm];
        a_l1m_q[p*L1MW +: L1MW] <= d[L1MW-1:0];
        a_warp_q[p*OwnW +: OwnW] <= d[L1MW +: OwnW];
      end
      if (s0_v[p] | fin) a_asid_q[p*AsidW +: AsidW] <= fin ? fin_asid : d[QW-1 -: AsidW];
      if (s0_v[p] | fin | sweep)
        a_vfn_q[p*KeyW +: KeyW] <= fin ? fin_vfn : sweep ? KeyW'(sweep_set)
            << GrpW : d[L1MW+OwnW +: KeyW];
    end
  end
  always_ff @(posedge clk_i) begin
    if (s0_fin) begin
      a_mshr_q  <= fin_mshr_i;
      a_xlate_q <= fin_xlate_i;
      a_run_q   <= Unified != 0 ? fin_run_i : '0;
    end
  end

  // ---------------------------------------------------------------- stage B
  logic             b_sweep_q;
  logic [1:0]       b_replay_q;
  logic [2*AsidW-1:0] b_asid_q;
  logic [2*KeyW-1:0]  b_vfn_q;
  logic [2*L1MW-1:0]  b_l1m_q;
  logic [2*OwnW-1:0]  b_warp_q;
  logic [IdxW-1:0]  b_mshr_q;
  logic [XlateW-1:0] b_out_q;     // as it goes to the L1s
  xlate_t           b_xlate_q;
  assign b_xlate_q = b_out_q[gmmu_pkg::XLATE_FIXED_W+PfnW-1:0];
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      b_v_q     <= '0;
      b_fin_q   <= 1'b0;
      b_sweep_q <= 1'b0;
    end else begin
      b_v_q     <= a_keep;
      b_fin_q   <= a_fin_q;
      b_sweep_q <= a_sweep_q;
    end
  end
  for (genvar p = 0; p < 2; p++) begin : gen_stage_b
    always_ff @(posedge clk_i) begin
      if (a_keep[p] | (p == 0 & (a_fin_q | a_sweep_q))) begin
        b_sm_q[p*SmW +: SmW]       <= a_sm_q[p*SmW +: SmW];
        b_replay_q[p]              <= a_replay_q[p];
        b_asid_q[p*AsidW +: AsidW] <= a_asid_q[p*AsidW +: AsidW];
        b_vfn_q[p*KeyW +: KeyW]    <= a_vfn_q[p*KeyW +: KeyW];
        b_l1m_q[p*L1MW +: L1MW]    <= a_l1m_q[p*L1MW +: L1MW];
        b_warp_q[p*OwnW +: OwnW]   <= a_warp_q[p*OwnW +: OwnW];
      end
    end
  end
  always_ff @(posedge clk_i) begin
    if (a_fin_q) begin
      b_mshr_q  <= a_mshr_q;
      b_out_q   <= a_xlate_q;
      b_run_q   <= a_run_q;
    end
  end

  // Keys of the ports that are built, port 0 lowest.
  logic [2*AsidW-1:0] key_asid2;
  logic [2*VfnW-1:0]  key_vfn2;
  logic [2*LfnW-1:0]  key_lfn2;
  logic [2*SetW-1:0]  read_set2;
  logic [2*VfnW-1:0]  read_vfn2;
  logic [2*SmW-1:0]   key_sm2;
  logic [2*L1MW-1:0]  key_l1m2;
  logic [VfnW-1:0]    b_vfn0, b_vfn1, a_vfn0, a_vfn1;
  assign b_vfn0 = b_vfn_q[VfnW-1:0];
  assign b_vfn1 = b_vfn_q[KeyW +: VfnW];
  assign a_vfn0 = a_vfn_q[VfnW-1:0];
  assign a_vfn1 = a_vfn_q[KeyW +: VfnW];
  assign key_asid2 = b_asid_q;
  assign key_vfn2  = {b_vfn1, b_vfn0};
  assign key_lfn2  = {b_vfn1[VfnW-1:9], b_vfn0[VfnW-1:9]};
  assign read_vfn2 = {a_vfn1, a_vfn0};
  assign read_set2 = {a_vfn1[GrpW +: SetW], a_vfn0[GrpW +: SetW]};
  assign key_sm2   = b_sm_q;
  assign key_l1m2  = b_l1m_q;

  logic              done_stale, do_fill, fill_large, fill_base;
  logic [1:0]        base_hit, large_hit, hit, merge, alloc;
  // An entry without D is none for a store that Svadu may set D for: hit = same tag, and ready.
  logic [1:0]        base_same, large_same, by_same, base_ready, large_ready, by_ready;
  logic [3:0]        store;      // class of each port's stores
  logic [2*WayW-1:0] base_way;
  logic [2*DataW-1:0] base_data;
  logic [2*LWayW-1:0] large_way;
  logic [2*LDataW-1:0] large_data;
  logic [WayW-1:0]   base_fill_way;
  logic [LWayW-1:0]  large_fill_way, large_swp_way;
  logic              base_over, base_evict, large_over, large_evict;
  logic [Ways-1:0]   swept_ways;
  logic              large_busy, large_swp, large_cleared;
  logic [2*IdxW-1:0] mshr_idx;

  // A walk may answer early (no fill yet), and later fill its run (nobody waits any more).
  logic              b_early, b_run_only, b_sub;
  logic [2:0]        b_start, b_len;
  assign {b_early, b_run_only, b_sub, b_start, b_len} = b_run_q;
  assign do_fill    = b_fin_q & !done_stale & !b_xlate_q.no_fill &
      b_xlate_q.cause == gmmu_pkg::CAUSE_OK &
                      !b_early & (!b_run_only | b_sub);
  // Who may fill the arrays; what others bring goes to the bypass cache.
  logic may_fill, fill_bypass;
  assign may_fill    = FillTokens == 0 | token_i;
  assign fill_bypass = do_fill & !may_fill & BypassEntries != 0;
  assign fill_large  = do_fill & may_fill & b_xlate_q.lg & LargeEntries != 0;
  assign fill_base   = do_fill & may_fill & !(b_xlate_q.lg & LargeEntries != 0) & Entries != 0;
  // PFN of the first page of what is filled. A large translation comes with its frame's, any other
  // with that of the requested page.
  logic [8:0]      in_run;
  logic [PfnW-1:0] first_pfn;
  logic            fill_sub;
  assign in_run    = b_vfn0[8:0] - {b_start, 6'd0};
  assign fill_sub  = b_xlate_q.lg | b_sub;
  assign first_pfn = b_xlate_q.lg | !b_sub ? b_xlate_q.pfn : b_xlate_q.pfn - PfnW'(in_run);

  // The large array has priority; a hit there leaves the base order alone.
  logic [1:0] base_read, base_search, base_touch, large_search, large_touch;
  assign base_read    = {a_keep[1], a_keep[0] | a_fin_q | a_sweep_q};
  assign base_search  = {b_v_q[1], b_v_q[0] | fill_base};
  assign base_touch   = b_v_q & ~large_hit & base_ready;
  assign large_search = {b_v_q[1], b_v_q[0] | fill_large};
  assign large_touch  = b_v_q & large_ready;

  // of them, subregion entries; coalesced ones
  logic [1:0]        sub_same, lg_same, sub_hit, sub_lg;
  logic [1:0]        run_hit;                        // walks that answered early
  logic [2*9-1:0]    sub_off;
  logic [2*DataW-1:0] run_data;
  logic [Ways-1:0]   dropped;
  logic [2*4-1:0]    base_pages;                     // of a base hit's entry, and of a fill
  logic [3:0]        fill_pages;
  if (Unified != 0) begin : gen_unified
    gmmu_l2_unified #(.Entries(Entries), .Ways(Ways), .Ports(Ports), .AsidW(AsidW), .VfnW(VfnW),
                      .DataW(DataW)) u_array (
      .clk_i, .rst_ni,
      .read_i(base_read[Ports-1:0]), .read_vfn_i(read_vfn2[Ports*VfnW-1:0]),
      .search_i(base_search[Ports-1:0]), .touch_i(base_touch[Ports-1:0]),
      .asid_i(key_asid2[Ports*AsidW-1:0]), .vfn_i(key_vfn2[Ports*VfnW-1:0]),
      .hit_o(base_same[Ports-1:0]), .sub_o(sub_same[Ports-1:0]), .lg_o(lg_same[Ports-1:0]),
      .way_o(base_way[Ports*WayW-1:0]), .data_o(base_data[Ports*DataW-1:0]),
      .offset_o(sub_off[Ports*9-1:0]),
      .fill_i(fill_base), .fill_sub_i(fill_sub), .fill_lg_i(b_xlate_q.lg),
      .fill_start_i(b_xlate_q.lg ? 3'd0 : b_start), .fill_len_i(b_xlate_q.lg ? 3'd7 : b_len),
      .fill_data_i({b_xlate_q.perm, first_pfn}),
      .fill_way_o(base_fill_way), .fill_overwrite_o(base_over), .fill_evict_o(base_evict),
      .fill_dropped_o(dropped),
      .sweep_i(b_sweep_q), .sweep_all_i(cmd_all), .sweep_asid_all_i(cmd_asid_all),
      .sweep_asid_i(cmd.asid),
      .sweep_lo_i(cmd.lo), .sweep_hi_i(cmd.hi), .sweep_cleared_o(swept_ways)
    );
    logic unused_set;
    assign unused_set = ^read_set2;
    assign base_pages[Ports*4-1:0] = '0;
    assign fill_pages              = 4'd1;
  end else if (Entries == 0) begin : gen_none
    logic unused_none;
    assign unused_none = ^{read_set2, read_vfn2, base_read, base_search, base_touch};
    assign base_same[Ports-1:0]       = '0;
    assign sub_same[Ports-1:0]        = '0;
    assign lg_same[Ports-1:0]         = '0;
    assign sub_off[Ports*9-1:0]       = '0;
    assign base_way[Ports*WayW-1:0]   = '0;
    assign base_data[Ports*DataW-1:0] = '0;
    assign base_pages[Ports*4-1:0]    = '0;
    assign fill_pages    = 4'd1;
    assign base_fill_way = '0;
    assign base_over     = 1'b0;
    assign base_evict    = 1'b0;
    assign swept_ways    = '0;
    assign dropped       = '0;
  end else begin : gen_split
    logic [PfnW-1:0]        fill_pfn;    // of page 0 of the entry
    logic [Ports*Pages-1:0] pages;
    if (Colt == 2) begin : gen_groups
      assign fill_pfn   = b_xlate_q.pfn - PfnW'(b_vfn0[1:0]);
      assign fill_pages = b_out_q[XlateW-1 -: 4] | (4'd1 << b_vfn0[1:0]);
      for (genvar p = 0; p < Ports; p++) begin : gen_offset
        assign sub_off[p*9 +: 9] = base_hit[p] &
            !large_hit[p] ? {7'd0, key_vfn2[p*VfnW +: 2]} : 9'd0;
      end
      assign base_pages[Ports*4-1:0] = pages;
    end else begin : gen_no_groups
      logic unused_pages;
      assign unused_pages = ^pages;
      assign fill_pfn   = b_xlate_q.pfn;
      assign fill_pages = 4'd1;
      assign sub_off[Ports*9-1:0]    = '0;
      assign base_pages[Ports*4-1:0] = '0;
    end
    gmmu_l2_base #(.Entries(Entries), .Ways(Ways), .Ports(Ports), .AsidW(AsidW), .VfnW(VfnW),
        .DataW(DataW),
                   .Pages(Pages)) u_base (
      .clk_i, .rst_ni, .flush_i(1'b0),
      .read_i(base_read[Ports-1:0]), .read_set_i(read_set2[Ports*SetW-1:0]),
      .search_i(base_search[Ports-1:0]), .touch_i(base_touch[Ports-1:0]),
      .asid_i(key_asid2[Ports*AsidW-1:0]), .vfn_i(key_vfn2[Ports*VfnW-1:0]),
      .hit_o(base_same[Ports-1:0]), .way_o(base_way[Ports*WayW-1:0]),
      .data_o(base_data[Ports*DataW-1:0]),
      .pages_o(pages),
      .fill_i(fill_base), .fill_data_i({b_xlate_q.perm, fill_pfn}),
      .fill_pages_i(fill_pages[Pages-1:0]),
      .fill_way_o(base_fill_way), .fill_overwrite_o(base_over), .fill_evict_o(base_evict),
      .sweep_i(b_sweep_q), .sweep_all_i(cmd_all), .sweep_asid_all_i(cmd_asid_all),
      .sweep_asid_i(cmd.asid),
      .sweep_lo_i(cmd.lo), .sweep_hi_i(cmd.hi), .sweep_cleared_o(swept_ways)
    );
    assign sub_same[Ports-1:0] = '0;
    assign lg_same[Ports-1:0]  = '0;
    assign dropped             = '0;
    logic unused_run;
    assign unused_run = ^{read_vfn2, b_start, b_len};
  end

  if (LargeEntries != 0) begin : gen_large
    gmmu_tlb_cam #(.Entries(LargeEntries), .AsidW(AsidW), .PageW(LfnW), .Shift(9), .DataW(LDataW),
                   .Ports(Ports)) u_large (
      .clk_i, .rst_ni,
      .search_i(large_search[Ports-1:0]), .touch_i(large_touch[Ports-1:0]),
      .asid_i(key_asid2[Ports*AsidW-1:0]), .page_i(key_lfn2[Ports*LfnW-1:0]),
      .hit_o(large_same[Ports-1:0]), .way_o(large_way[Ports*LWayW-1:0]),
      .data_o(large_data[Ports*LDataW-1:0]),
      .fill_i(fill_large), .fill_data_i({b_xlate_q.perm, b_xlate_q.pfn[PfnW-1:9]}),
      .fill_pages_i(1'b1),
      .fill_way_o(large_fill_way), .fill_overwrite_o(large_over), .fill_evict_o(large_evict),
      .sweep_start_i, .sweep_all_i(cmd_all), .sweep_asid_all_i(cmd_asid_all),
      .sweep_asid_i(cmd.asid),
      .sweep_lo_i(cmd.lo), .sweep_hi_i(cmd.hi), .sweep_busy_o(large_busy),
      .swp_visit_o(large_swp), .swp_cleared_o(large_cleared), .swp_way_o(large_swp_way)
    );
  end else begin : gen_no_large
    assign large_same[Ports-1:0]         = '0;
    assign large_way[Ports*LWayW-1:0]    = '0;
    assign large_data[Ports*LDataW-1:0]  = '0;
    assign large_fill_way = '0;
    assign large_over     = 1'b0;
    assign large_evict    = 1'b0;
    assign large_busy     = 1'b0;
    assign large_swp      = 1'b0;
    assign large_cleared  = 1'b0;
    assign large_swp_way  = '0;
  end
  // ---------------------------------------------------------------- bypass cache
  logic [1:0]          by_hit, by_lg;
  logic [2*ByWayW-1:0] by_way;
  logic [2*DataW-1:0]  by_data;
  logic [2*9-1:0]      by_off;
  logic [ByWayW-1:0]   by_fill_way, by_swp_way;
  logic                by_over, by_evict, by_busy, by_swp, by_cleared;
  logic [31:0]         by_left;
  if (BypassEntries != 0) begin : gen_bypass
    logic [1:0]               search, touch;
    logic [BypassEntries-1:0] left;
    assign search  = {b_v_q[1], b_v_q[0]};
    assign touch   = b_v_q & ~base_hit & ~large_hit & by_ready;
    assign by_left = 32'(left);
    gmmu_bypass_cache #(.Entries(BypassEntries), .Ports(Ports), .AsidW(AsidW), .VfnW(VfnW),
        .DataW(DataW)) u_bypass (
      .clk_i, .rst_ni, .search_i(search[Ports-1:0]), .touch_i(touch[Ports-1:0]),
      .asid_i(key_asid2[Ports*AsidW-1:0]), .vfn_i(key_vfn2[Ports*VfnW-1:0]),
      .hit_o(by_same[Ports-1:0]), .lg_o(by_lg[Ports-1:0]), .way_o(by_way[Ports*ByWayW-1:0]),
      .data_o(by_data[Ports*DataW-1:0]), .offset_o(by_off[Ports*9-1:0]),
      .fill_i(fill_bypass), .leave_i(do_fill & may_fill), .fill_sub_i(fill_sub), .fill_lg_i(b_xlate_q.lg),
      .fill_start_i(b_xlate_q.lg ? 3'd0 : b_start), .fill_len_i(b_xlate_q.lg ? 3'd7 : b_len),
      .fill_data_i({b_xlate_q.perm, first_pfn}),
      .fill_way_o(by_fill_way), .fill_overwrite_o(by_over), .fill_evict_o(by_evict), .left_o(left),
      .sweep_start_i, .sweep_all_i(cmd_all), .sweep_asid_all_i(cmd_asid_all),
      .sweep_asid_i(cmd.asid),
      .sweep_lo_i(cmd.lo), .sweep_hi_i(cmd.hi), .sweep_busy_o(by_busy),
      .swp_visit_o(by_swp), .swp_cleared_o(by_cleared), .swp_way_o(by_swp_way)
    );
  end else begin : gen_no_bypass
    logic unused_bypass;
    assign unused_bypass = ^{fill_bypass, fill_sub, first_pfn, b_start, b_len};
    assign by_same[Ports-1:0]         = '0;
    assign by_lg[Ports-1:0]           = '0;
    assign by_way[Ports*ByWayW-1:0]   = '0;
    assign by_data[Ports*DataW-1:0]   = '0;
    assign by_off[Ports*9-1:0]        = '0;
    assign by_fill_way = '0;
    assign by_over     = 1'b0;
    assign by_evict    = 1'b0;
    assign by_left     = '0;
    assign by_busy     = 1'b0;
    assign by_swp      = 1'b0;
    assign by_cleared  = 1'b0;
    assign by_swp_way  = '0;
  end

  // A port that is not built never has a request.
  if (Ports == 1) begin : gen_tie
    assign base_same[1]                 = 1'b0;
    assign sub_same[1]                  = 1'b0;
    assign lg_same[1]                   = 1'b0;
    assign sub_off[17:9]                = '0;
    assign base_pages[7:4]              = '0;
    assign run_hit[1]                   = 1'b0;
    assign by_same[1]                   = 1'b0;
    assign by_lg[1]                     = 1'b0;
    assign by_way[2*ByWayW-1:ByWayW]    = '0;
    assign by_data[2*DataW-1:DataW]     = '0;
    assign by_off[17:9]                 = '0;
    assign run_data[2*DataW-1:DataW]    = '0;
    assign base_way[2*WayW-1:WayW]      = '0;
    assign base_data[2*DataW-1:DataW]   = '0;
    assign large_same[1]                = 1'b0;
    assign large_way[2*LWayW-1:LWayW]   = '0;
    assign large_data[2*LDataW-1:LDataW] = '0;
    assign merge[1]                     = 1'b0;
    assign alloc[1]                     = 1'b0;
    assign mshr_idx[2*IdxW-1:IdxW]      = '0;
  end

  if (Svadu != 0) begin : gen_store
    assign store = {b_vfn_q[2*KeyW-1 -: 2], b_vfn_q[KeyW-1 -: 2]};
  end else begin : gen_no_store
    assign store = '0;
  end
  for (genvar p = 0; p < 2; p++) begin : gen_ready
    logic [1:0] s;
    assign s = store[p*2 +: 2];
    assign base_ready[p]  = !gmmu_pkg::needs_dirty(base_data[p*DataW + PfnW +: PermW], s);
    assign large_ready[p] = !gmmu_pkg::needs_dirty(large_data[p*LDataW + PfnW-9 +: PermW], s);
    assign by_ready[p]    = !gmmu_pkg::needs_dirty(by_data[p*DataW + PfnW +: PermW], s);
  end
  assign base_hit  = base_same & base_ready;
  assign sub_hit   = sub_same & base_ready;
  assign sub_lg    = lg_same & base_ready;
  assign large_hit = large_same & large_ready;
  assign by_hit    = by_same & by_ready;
  assign hit = b_v_q & (base_hit | large_hit | by_hit | run_hit);

  logic [1:0]       mshr_look, run_look;
  logic [NumSms-1:0] sm_hit, ans_displaced;
  logic             popped, freed, tell_add, tell_counts;
  logic [IdxW-1:0]  tell_idx;
  logic [SmW-1:0]   tell_sm;
  logic [5:0]       tell_warps, tell_sum;
  logic [IdxW-1:0]  freed_idx;
  assign run_look  = b_v_q & ~base_hit & ~large_hit & ~by_hit;
  assign mshr_look = run_look & ~run_hit;
  gmmu_l2_mshr #(.Mshrs(Mshrs), .Ports(Ports), .NumSms(NumSms), .NumAsids(NumAsids),
      .L1Mshrs(L1Mshrs),
                 .AsidW(AsidW), .VfnW(VfnW), .PfnW(PfnW), .Early(Unified), .Colt(Colt), .OwnW(OwnW),
                 .MarkByAsid(MarkByAsid),
                 .Svadu(Svadu)) u_mshr (
    .clk_i, .rst_ni,
    .run_look_i(run_look[Ports-1:0]), .run_hit_o(run_hit[Ports-1:0]),
    .run_data_o(run_data[Ports*DataW-1:0]),
    .look_i(mshr_look[Ports-1:0]), .asid_i(key_asid2[Ports*AsidW-1:0]),
    .vfn_i(b_vfn_q[Ports*KeyW-1:0]),
    .sm_i(key_sm2[Ports*SmW-1:0]), .l1_mshr_i(key_l1m2[Ports*L1MW-1:0]),
    .warp_i(b_warp_q[Ports*OwnW-1:0]),
    .owner_sm_o, .owner_warp_o, .app_misses_o,
    .merge_o(merge[Ports-1:0]), .alloc_o(alloc[Ports-1:0]), .idx_o(mshr_idx[Ports*IdxW-1:0]),
    .may_o(may),
    .fin_idx_i(fin_mshr_i), .fin_asid_o(fin_asid), .fin_vfn_o(fin_vfn),
    .done_i(b_fin_q), .done_early_i(b_early), .done_head_i(b_xlate_q.pfn - PfnW'(b_vfn0[5:0])),
    .done_idx_i(b_mshr_q),
    .done_xlate_i(b_out_q), .done_stale_o(done_stale),
    .answers_o(answers), .sm_busy_i(sm_hit), .ans_valid_o(ans_sel_o), .ans_l1_mshr_o(ans_l1_mshr_o),
    .ans_xlate_o(ans_xlate_o), .ans_displaced_o(ans_displaced), .popped_o(popped), .freed_o(freed),
    .freed_idx_o(freed_idx),
    .tell_idx_i(tell_idx), .tell_sm_i(tell_sm), .tell_counts_o(tell_counts),
    .ctx_on_i, .mark_i, .stale_o, .cmd_i
  );
  assign b_commit = hit | merge | alloc;
  assign b_wait   = b_v_q & ~b_commit;
  assign look_o     = b_commit;
  assign look_hit_o = hit;
  assign look_app_o = {CtxW'(b_asid_q[2*AsidW-1:AsidW]), CtxW'(b_asid_q[AsidW-1:0])};

  // An SM that a hit displaced from a walk's answer gets no new lookup until it has been served.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) masked_q <= '0;
    else masked_q <= ans_displaced;
  end

  assign walk_valid_o = |alloc;
  assign walk_mshr_o  = alloc[0] ? mshr_idx[IdxW-1:0] : mshr_idx[2*IdxW-1:IdxW];
  assign walk_asid_o  = alloc[0] ? b_asid_q[AsidW-1:0] : b_asid_q[2*AsidW-1:AsidW];
  assign walk_vfn_o   = alloc[0] ? b_vfn_q[KeyW-1:0] : b_vfn_q[2*KeyW-1:KeyW];

  // ---------------------------------------------------------------- waiting warps
  for (genvar p = 0; p < Ports; p++) begin : gen_taken
    assign taken_sel_o[p*NumSms +: NumSms] = (merge[p] | alloc[p]) ? NumSms'(1)
        << b_sm_q[p*SmW +: SmW] : '0;
  end
  assign taken_l1_mshr_o = b_l1m_q[Ports*L1MW-1:0];
  assign taken_mshr_o    = mshr_idx[Ports*IdxW-1:0];
  if (WarpCounters != 0) begin : gen_warps
    gmmu_l2_warps #(.NumSms(NumSms), .Mshrs(Mshrs)) u_warps (
      .clk_i, .rst_ni, .tell_valid_i, .tell_ready_o, .tell_l2_i(tell_mshr_i), .tell_warps_i,
      .idx_o(tell_idx), .sm_o(tell_sm), .counts_i(tell_counts), .alloc_i(walk_valid_o),
      .alloc_idx_i(walk_mshr_o),
      .add_o(tell_add), .warps_o(tell_warps), .sum_o(tell_sum)
    );
  end else begin : gen_no_warps
    logic unused_tell;
    assign unused_tell  = ^{tell_valid_i, tell_mshr_i, tell_warps_i};
    assign tell_ready_o = '1;
    assign tell_idx     = '0;
    assign tell_sm      = '0;
    assign tell_add     = 1'b0;
    assign tell_warps   = '0;
    assign tell_sum     = '0;
  end

  // -------------------------------------------------------- hit answers: delay line behind stage B
  logic [Ports*NumSms-1:0] hit_sms;
  for (genvar p = 0; p < Ports; p++) begin : gen_delay
    xlate_t            x;
    logic [LDataW-1:0] ld;
    logic [8:0]        page;
    assign ld   = large_data[p*LDataW +: LDataW];
    assign page = key_vfn2[p*VfnW +: 9];
    // A large hit is answered with the PFN of the requested page; lg tells the L1 which array to
    // fill.
    assign x = large_hit[p] ? {gmmu_pkg::CAUSE_OK, 1'b1, 1'b0, ld[LDataW-1:PfnW-9], ld[PfnW-10:0],
        page} :
               by_hit[p] & !base_hit[p] ? {gmmu_pkg::CAUSE_OK, by_lg[p], 1'b0,
                   by_data[p*DataW +: DataW]} :
               run_hit[p]   ? {gmmu_pkg::CAUSE_OK, 1'b0, 1'b0, run_data[p*DataW +: DataW]}
                            : {gmmu_pkg::CAUSE_OK, sub_lg[p], 1'b0, base_data[p*DataW +: DataW]};
    logic [XlateW-1:0] out;
    logic [8:0]        offset;
    assign offset = run_hit[p] ? {3'd0, page[5:0]} : (by_hit[p] & !base_hit[p] & !large_hit[p])
        ? by_off[p*9 +: 9]
                    : sub_off[p*9 +: 9];
    if (Colt != 0) begin : gen_group
      // A walk that answered early knows the whole subregion; a hit brings one page, or those of
      // its entry.
      assign out = {large_hit[p] | (by_hit[p] & !base_hit[p]) ? 4'd0 : run_hit[p] ? 4'hf : base_pages[p*4 +: 4], x};
    end else begin : gen_no_group
      assign out = x;
    end
    gmmu_l2_hits #(.NumSms(NumSms), .L1MW(L1MW), .PfnW(PfnW), .Delay(Delay),
                   .Offsets(Unified != 0 || Colt == 2 ? 1 : 0), .Colt(Colt)) u_hits (
      .clk_i, .rst_ni, .hit_i(hit[p]), .sm_i(key_sm2[p*SmW +: SmW]),
      .l1_mshr_i(key_l1m2[p*L1MW +: L1MW]),
      .xlate_i(out), .offset_i(offset),
      .sel_o(hit_sms[p*NumSms +: NumSms]), .l1_mshr_o(hit_l1_mshr_o[p*L1MW +: L1MW]),
      .xlate_o(hit_xlate_o[p*XlateW +: XlateW])
    );
  end
  assign hit_sel_o = hit_sms;
  if (Ports == 2) begin : gen_hit2
    assign sm_hit = hit_sms[NumSms-1:0] | hit_sms[Ports*NumSms-1 -: NumSms];
  end else begin : gen_hit1
    assign sm_hit = hit_sms;
  end

  // ---------------------------------------------------------------- sweep, then drain
  gmmu_l2_sweep #(.Sets(Sets), .Latency(Latency)) u_sweep (
    .clk_i, .rst_ni, .start_i(sweep_start_i), .sets_o(sweep_sets), .set_o(sweep_set),
    .take_i(s0_sweep),
    .busy_i(a_sweep_q | b_sweep_q | large_busy | by_busy), .answers_i(answers), .freed_i(popped),
    .done_o(sweep_done_o)
  );

  // ---------------------------------------------------------------- observation port
  if (Obs != 0) begin : gen_obs
`include "gmmu_obs_l2.svh"
    for (genvar p = 0; p < 2; p++) begin : gen_port_obs
      assign ev_valid[p]          = b_v_q[p];
      assign ev_replay[p]         = b_replay_q[p];
      assign ev_outcome[p*3 +: 3] =
          large_hit[p] | sub_lg[p] ? 3'd1 : sub_hit[p] ? 3'd5 : base_hit[p] ? 3'd0 :
          by_hit[p] ? 3'd7 : run_hit[p] ? 3'd6 : alloc[p] ? 3'd2 : merge[p] ? 3'd3 : 3'd4;
      assign ev_mshr[p*8 +: 8]    = (merge[p] | alloc[p]) ? 8'(mshr_idx[p*IdxW +: IdxW]) : 8'd0;
      assign ev_sm[p*8 +: 8]      = 8'(b_sm_q[p*SmW +: SmW]);
      assign ev_l1_mshr[p*8 +: 8] = 8'(b_l1m_q[p*L1MW +: L1MW]);
      assign ev_vfn[p*36 +: 36]   = 36'($signed(key_vfn2[p*VfnW +: VfnW]));
      assign ev_asid[p*16 +: 16]  = 16'(b_asid_q[p*AsidW +: AsidW]);
      assign ev_way[p*16 +: 16]   = large_hit[p] ? 16'(large_way[p*LWayW +: LWayW]) :
                                    base_hit[p] ? 16'(base_way[p*WayW +: WayW]) :
                                    by_hit[p] ? 16'(by_way[p*ByWayW +: ByWayW]) : 16'd0;
    end
    // a walk that returned
    assign ev_fin          = b_fin_q;
    assign ev_fin_stale    = done_stale;
    assign ev_fill_base    = fill_base;
    assign ev_fill_large   = fill_large;
    assign ev_overwrite    = base_over | large_over;
    assign ev_evict        = base_evict | large_evict;
    assign ev_fill_sub     = fill_base & Unified != 0 & (b_xlate_q.lg | b_sub);
    assign ev_fin_cause    = b_xlate_q.cause;
    assign ev_fin_mshr     = 8'(b_mshr_q);
    assign ev_fin_run_only = b_run_only;
    assign ev_fin_early    = b_early;
    assign ev_fin_length   = b_len;
    assign ev_fin_vfn      = 36'($signed(b_vfn0));
    assign ev_fill_way     = fill_large ? 12'(large_fill_way) : fill_base ? 12'(base_fill_way)
        : 12'd0;
    assign ev_fin_asid     = 16'(b_asid_q[AsidW-1:0]);
    assign ev_fin_token    = b_fin_q & FillTokens != 0 & may_fill;
    assign ev_fill_pages   = fill_base & Colt == 2 ? fill_pages : 4'd0;
    // what it did to the bypass cache
    assign ev_fill_bypass      = b_fin_q & fill_bypass;
    assign ev_bypass_overwrite = b_fin_q & fill_bypass & by_over;
    assign ev_bypass_evict     = b_fin_q & fill_bypass & by_evict;
    assign ev_bypass_sub       = b_fin_q & fill_bypass & fill_sub;
    assign ev_bypass_way       = b_fin_q & fill_bypass ? 8'(by_fill_way) : 8'd0;
    assign ev_bypass_left      = do_fill ? by_left : '0;
    // invalidation
    assign ev_mark             = mark_i;
    assign ev_sweep            = b_sweep_q;
    assign ev_sweep_set        = 16'(b_vfn0[GrpW +: SetW]);
    assign ev_ways             = b_sweep_q ? 32'(swept_ways) : 32'(dropped);
    assign ev_sweep_large      = large_swp;
    assign ev_cleared_large    = large_swp & large_cleared;
    assign ev_sweep_large_way  = 12'(large_swp_way);
    assign ev_sweep_bypass     = by_swp;
    assign ev_cleared_bypass   = by_swp & by_cleared;
    assign ev_sweep_bypass_way = 8'(by_swp_way);
    // MSHRs and reports of waiting warps
    assign ev_freed        = freed;
    assign ev_popped       = popped;
    assign ev_freed_mshr   = 8'(freed_idx);
    assign ev_tell         = tell_add;
    assign ev_tell_counted = tell_add & tell_counts;
    assign ev_tell_warps   = tell_add ? tell_warps : 6'd0;
    assign ev_tell_mshr    = tell_add ? 8'(tell_idx) : 8'd0;
    assign ev_tell_sm      = tell_add ? 8'(tell_sm) : 8'd0;
    assign ev_tell_sum     = tell_add ? tell_sum : 6'd0;
  end else begin : gen_no_obs
    logic unused_tells;
    assign unused_tells = ^{tell_add, tell_warps, tell_sum, by_fill_way, by_over, by_evict, by_left,
        by_swp,
                            by_cleared, by_swp_way, by_way};
    assign obs_o = '0;
  end
endmodule
`default_nettype wire
