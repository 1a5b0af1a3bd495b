// SPDX-License-Identifier: Apache-2.0
// gmmu_l2tlb_mshr: miss registers of the L2 TLB: which page, which SMs wait (with which L1 MSHR),
// stale, done; the guarantee that every application can get one. Who waits, and the delivery of a
// finished walk to all of them: gmmu_l2tlb_waiters. Rules and timing: docs/l2_tlb.md.
//
// Legal: Total >= NumAsids, Mshrs <= Total: as many as can be in use; Ports 1 or 2.
`default_nettype none
`include "gmmu_assert.svh"
module gmmu_l2tlb_mshr #(
  parameter int Mshrs    = 64,
  parameter int Total    = Mshrs,   // that the guarantee counts
  parameter int Ports    = 2,
  parameter int NumSms   = 30,
  parameter int NumAsids = 8,
  parameter int L1Mshrs  = 32,
  parameter int AsidW    = 9,
  parameter int VfnW     = 36,
  parameter int PfnW     = 36,
  parameter int Early    = 0,    // 1: walks may answer before they end (unified build)
`include "gmmu_mmu_options.svh"
  parameter int OwnW     = 1,    // warp bits kept of the request that allocates (FillTokens)
  localparam int KeyW      = gmmu_pkg::walk_key_w(VfnW, Svadu),
  localparam int IdxW      = gmmu_pkg::idx_w(Mshrs),
  localparam int SmW       = gmmu_pkg::idx_w(NumSms),
  localparam int L1MW      = gmmu_pkg::idx_w(L1Mshrs),
  localparam int XlateW    = gmmu_pkg::xlate_w(PfnW, Colt),
  localparam int CmdW      = gmmu_pkg::CMD_FIXED_W + AsidW
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  // stage A: what stage B may look for in the next cycle
  input  logic [Ports-1:0]       read_i,
  input  logic [Ports*AsidW-1:0] read_asid_i,
  input  logic [Ports*KeyW-1:0]  read_walk_key_i,
  // stage B lookups; the SMs of the two ports differ
  input  logic [Ports-1:0]       search_i,     // a lookup, that may hit: known at once
  input  logic [Ports-1:0]       run_look_i,   // a TLB miss
  // ... that no early answer serves: it looks for an MSHR
  input  logic [Ports-1:0]       look_i,
  input  logic [Ports*AsidW-1:0] asid_i,
  input  logic [Ports*KeyW-1:0]  walk_key_i,        // Svadu=1: {class of store, VFN}
  input  logic [Ports*SmW-1:0]   sm_i,
  input  logic [Ports*L1MW-1:0]  l1_mshr_i,
  input  logic [Ports*OwnW-1:0]  warp_i,
  output logic [Ports-1:0]       merge_o,
  output logic [Ports-1:0]       alloc_o,
  output logic [Ports*IdxW-1:0]  idx_o,        // of the merge or the allocation
  output logic [NumAsids-1:0]    retry_o,      // the application might take one in the cycle before
  // outstanding misses of each application
  output logic [NumAsids*$clog2(Total+1)-1:0] app_misses_o,
  // Early=1: a walk answered early and works on; its subregion is answered from the head's
  output logic [Ports-1:0]       run_hit_o,
  output logic [Ports*(gmmu_pkg::PERM_W+PfnW)-1:0] run_data_o,   // permissions, PFN of the head
  // a finished walk: page of an MSHR (stage 0) and its end (stage B)
  input  logic [IdxW-1:0]        fin_idx_i,
  output logic [AsidW-1:0]       fin_asid_o,
  output logic [KeyW-1:0]        fin_walk_key_o,
  input  logic                   done_i,       // the MSHR takes no more merges
  input  logic                   done_early_i, // ... is answered, and stays until the walk's end
  input  logic [PfnW-1:0]        done_head_i,  // ... PFN of its subregion's head
  input  logic [IdxW-1:0]        read_mshr_i,  // ... in stage A
  input  logic [IdxW-1:0]        done_idx_i,
  input  logic [XlateW-1:0]      done_xlate_i,
  output logic                   done_stale_o,
  output logic [SmW-1:0]         owner_sm_o,   // of the request that allocated fin_idx_i
  output logic [OwnW-1:0]        owner_warp_o,
  output logic [2:0]             answers_o,    // entries in the answer queue (0..4)
  // delivery: SMs that do not get a hit answer in this cycle are served
  input  logic [NumSms-1:0]      sm_busy_i,
  output logic [NumSms-1:0]      ans_valid_o,
  output logic [NumSms*L1MW-1:0] ans_l1_mshr_o,
  output logic [XlateW-1:0]      ans_xlate_o,
  output logic [NumSms-1:0]      ans_displaced_o, // would have been served but was busy
  output logic                   popped_o,     // the head of the answer queue leaves
  output logic                   freed_o,      // ... and frees its MSHR
  output logic [IdxW-1:0]        freed_idx_o,
  // waiting warps: is this SM waiting for a walk that has not returned?
  input  logic [IdxW-1:0]        tell_idx_i,
  input  logic [SmW-1:0]         tell_sm_i,
  output logic                   tell_counts_o,
  // contexts that are on
  input  logic [NumAsids-1:0]    ctx_on_i,
  // invalidation
  input  logic                   mark_next_i,  // the command marks in the next cycle
  input  logic                   mark_i,
  output logic                   stale_o,      // one is stale
  input  logic [CmdW-1:0]        cmd_i
);
  localparam int CtxW = gmmu_pkg::idx_w(NumAsids);
  localparam int N    = Mshrs;

  if (Total < NumAsids || Mshrs > Total) begin : gen_bad_mshrs
    gmmu_l2tlb_mshr_Total_must_be_at_least_NumAsids_and_Mshrs u_bad();
  end

  `include "gmmu_first.svh"

  logic [Mshrs-1:0]  valid_q, stale_q, done_q, stale_now, done_idx_hot_q, done_hot;
  logic [AsidW-1:0]  asid_q [0:Mshrs-1];
  logic [KeyW-1:0]   walk_key_q  [0:Mshrs-1];
  logic [Mshrs-1:0]  early_q;

  // ---- keys of all registers, and those that stage B may write
  localparam int PageKeyW = AsidW + KeyW;
  logic [Mshrs*PageKeyW-1:0] keys;
  logic [PageKeyW-1:0]       key0, key1;
  logic [Mshrs-1:0]          marked, free_hot;
  assign key0 = {asid_i[AsidW-1:0], walk_key_i[KeyW-1:0]};
  assign key1 = {asid_i[Ports*AsidW-1 -: AsidW], walk_key_i[Ports*KeyW-1 -: KeyW]};
  for (genvar i = 0; i < Mshrs; i++) begin : gen_key
    assign keys[i*PageKeyW +: PageKeyW] = {asid_q[i], walk_key_q[i]};
  end

  // ---- mark: before everything else in its cycle
  gmmu_l2tlb_marks #(.Mshrs(Mshrs), .AsidW(AsidW), .VfnW(VfnW), .KeyW(KeyW),
      .MarkByAsid(MarkByAsid)) u_marks (
    .clk_i, .keys_i(keys), .write_i(free_hot), .first_i(alloc_o[0]), .key0_i(key0), .key1_i(key1),
    .next_i(mark_next_i), .mark_i, .cmd_i, .marked_o(marked)
  );
  assign stale_now = stale_q | marked;
  assign stale_o   = |(valid_q & stale_q);

  // ---- guarantee
  logic            alloc_any;
  logic [CtxW-1:0] freed_app;
  // Who may take one: in the cycle after contexts went on or off only who holds none.
  logic [NumAsids-1:0] may_now, early, none, was_on_q;
  logic [Ports*NumAsids-1:0] app_hot_q;          // of the lookups, one-hot
  assign may_now = was_on_q == ctx_on_i ? early : none;
  always_ff @(posedge clk_i) begin
    was_on_q <= ctx_on_i;
    retry_o  <= may_now;
    for (int p = 0; p < Ports; p++)
      app_hot_q[p*NumAsids +: NumAsids] <= NumAsids'(1) << CtxW'(read_asid_i[p*AsidW +: AsidW]);
  end
  gmmu_app_quota #(.Total(Total), .NumApps(NumAsids)) u_quota (
    .clk_i, .rst_ni, .on_i(ctx_on_i), .take_i(alloc_any),
    .take_hot_i(alloc_o[0] ? app_hot_q[NumAsids-1:0] : app_hot_q[Ports*NumAsids-1 -: NumAsids]),
    .give_i(freed_o), .give_app_i(freed_app), .first_o(none), .early_o(early),
    .early_two_o(), .held_o(app_misses_o)
  );

  // ---- lookups
  logic [IdxW-1:0] free_idx;
  // join_old: merges into a register that was there before
  logic [Ports-1:0] match, already, may, join_old;
  logic [Ports*Mshrs-1:0] same, found;
  logic [Mshrs-1:0]       open;
  assign open     = valid_q & ~stale_now & ~done_q;
  assign free_hot = |search_i ? first(~valid_q) : '0;
  assign free_idx = index(free_hot);

  // The keys are compared in stage A, with that of a register that stage B takes then as well.
  logic [Ports*PageKeyW-1:0] read_keys;
  logic [Ports-1:0]          new_same;
  for (genvar p = 0; p < Ports; p++) begin : gen_read
    logic [PageKeyW-1:0] key;
    assign key         = {read_asid_i[p*AsidW +: AsidW], read_walk_key_i[p*KeyW +: KeyW]};
    assign new_same[p] = alloc_o[0] ? key == key0 : key == key1;
    assign read_keys[p*PageKeyW +: PageKeyW] = key;
  end
  gmmu_match_ahead #(.N(Mshrs), .KeyW(PageKeyW), .Ports(Ports)) u_match (
    .clk_i, .look_i(read_i), .key_i(read_keys), .keys_i(keys), .open_i(valid_q),
    .write_i(free_hot), .new_same_i(new_same), .same_o(same)
  );
  for (genvar p = 0; p < Ports; p++) begin : gen_port
    logic m;
    assign found[p*Mshrs +: Mshrs] = search_i[p] ? same[p*Mshrs +: Mshrs] & open : '0;
    assign m           = |found[p*Mshrs +: Mshrs];
    assign match[p]    = look_i[p] & m;   // that it is a miss is known last
    assign may[p]      = |(may_now & app_hot_q[p*NumAsids +: NumAsids]);
    assign join_old[p] = look_i[p] & m & !already[p];
    assign idx_o[p*IdxW +: IdxW] = m ? index(found[p*Mshrs +: Mshrs]) : free_idx;
  end
  // One allocation a cycle, port 0 first.
  logic alloc0;
  assign alloc0     = look_i[0] & !match[0] & may[0];
  assign alloc_o[0] = alloc0;
  assign merge_o[0] = join_old[0];
  logic join_new;   // port 1 misses on the page for which port 0 allocates in this cycle
  if (Ports == 2) begin : gen_alloc1
    assign alloc_o[1] = look_i[1] & !match[1] & may[1] & !alloc0;
    logic pair_q;      // both look for one page: compared in stage A
    always_ff @(posedge clk_i)
      pair_q <= read_keys[2*PageKeyW-1 -: PageKeyW] == read_keys[PageKeyW-1:0];
    assign join_new   = look_i[1] & !match[1] & alloc0 & pair_q;
    assign merge_o[1] = join_old[1] | join_new;
  end else begin : gen_no_alloc1
    assign join_new = 1'b0;
  end

  // ---- finished walks
  assign fin_asid_o     = asid_q[fin_idx_i];
  assign fin_walk_key_o = walk_key_q[fin_idx_i];
  assign done_stale_o   = |(done_idx_hot_q & stale_now);
  assign done_hot       = done_i ? done_idx_hot_q : '0;
  always_ff @(posedge clk_i) done_idx_hot_q <= Mshrs'(1) << read_mshr_i;
  logic [SmW-1:0]  owner_sm_q   [0:Mshrs-1];
  logic [OwnW-1:0] owner_warp_q [0:Mshrs-1];
  logic [SmW-1:0]  alloc_sm;
  logic [OwnW-1:0] alloc_warp;
  assign alloc_sm     = alloc_o[0] ? sm_i[SmW-1:0] : sm_i[Ports*SmW-1 -: SmW];
  assign alloc_warp   = alloc_o[0] ? warp_i[OwnW-1:0] : warp_i[Ports*OwnW-1 -: OwnW];
  assign owner_sm_o   = owner_sm_q[fin_idx_i];
  assign owner_warp_o = owner_warp_q[fin_idx_i];
  always_ff @(posedge clk_i)
    if (|free_hot) {owner_sm_q[free_idx], owner_warp_q[free_idx]} <= {alloc_sm, alloc_warp};

  // ---- who waits, and the delivery
  logic tell_waits;
  gmmu_l2tlb_waiters #(.Mshrs(Mshrs), .Ports(Ports), .NumSms(NumSms), .L1Mshrs(L1Mshrs),
      .AppW(CtxW), .XlateW(XlateW), .Early(Early)) u_waiters (
    .clk_i, .rst_ni, .sm_i, .l1_mshr_i, .found_i(found), .already_o(already),
    .take_i(merge_o | alloc_o), .idx_i(idx_o), .join_old_i(join_old), .join_new_i(join_new),
    .alloc_i(alloc_o), .free_hot_i(free_hot), .done_hot_i(done_hot), .done_i, .done_early_i,
    .done_idx_i, .done_app_i(CtxW'(asid_i[AsidW-1:0])), .done_xlate_i, .answers_o, .sm_busy_i,
    .ans_valid_o, .ans_l1_mshr_o, .ans_xlate_o, .ans_displaced_o, .popped_o, .freed_o, .freed_idx_o,
    .freed_app_o(freed_app), .tell_idx_i, .tell_sm_i, .tell_waits_o(tell_waits)
  );
  assign tell_counts_o = tell_waits;   // nobody waits for a register that is done, or free

  // ---- state
  assign alloc_any = |alloc_o;
  logic [Mshrs-1:0] valid_d, stale_d, done_d, alloc_hot, freed_hot;
  assign alloc_hot = alloc_any ? free_hot : '0;
  assign freed_hot = freed_o ? Mshrs'(1) << freed_idx_o : '0;
  assign valid_d   = (valid_q & ~freed_hot) | alloc_hot;
  // A lookup writes what it would take: of a register that is free nothing matters.
  assign stale_d   = stale_now & ~free_hot;
  assign done_d    = (done_q | done_hot) & ~free_hot;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid_q <= '0;
      stale_q <= '0;
      done_q  <= '0;
    end else begin
      valid_q <= valid_d;
      stale_q <= stale_d;
      done_q  <= done_d;
    end
  end
  always_ff @(posedge clk_i) begin
    if (|free_hot) begin
      {asid_q[free_idx], walk_key_q[free_idx]} <= alloc_o[0] ? key0 : key1;
    end
  end
  // ---- answered early: later misses in the subregion are answered from the head
  if (Early != 0) begin : gen_early
    localparam int DataW = gmmu_pkg::PERM_W + PfnW;
    localparam int RunW = AsidW + VfnW - 6;
    logic [DataW-1:0] head_q [0:Mshrs-1];
    logic [Mshrs*RunW-1:0]  runs;   // ASID and subregion of each
    logic [Ports*RunW-1:0]  read_runs;
    logic [Ports*Mshrs-1:0] same_run;
    for (genvar i = 0; i < Mshrs; i++) begin : gen_run_key
      assign runs[i*RunW +: RunW] = {asid_q[i], walk_key_q[i][VfnW-1:6]};
    end
    for (genvar p = 0; p < Ports; p++) begin : gen_read_run
      assign read_runs[p*RunW +: RunW] =
          {read_asid_i[p*AsidW +: AsidW], read_walk_key_i[p*KeyW + 6 +: VfnW - 6]};
    end
    gmmu_match_ahead #(.N(Mshrs), .KeyW(RunW), .Ports(Ports)) u_match (
      .clk_i, .look_i(read_i), .key_i(read_runs), .keys_i(runs), .open_i(valid_q),
      // what is taken now was not answered early
      .write_i({Mshrs{1'b0}}), .new_same_i({Ports{1'b0}}), .same_o(same_run)
    );
    always_ff @(posedge clk_i) begin
      if (!rst_ni) early_q <= '0;
      else early_q <= ((early_q & ~done_hot) | (done_early_i ? done_hot & ~stale_now : '0)) &
          ~stale_now;
    end
    always_ff @(posedge clk_i) begin
      if (done_i & done_early_i) head_q[done_idx_i] <=
          {done_xlate_i[PfnW +: gmmu_pkg::PERM_W], done_head_i};
    end
    for (genvar p = 0; p < Ports; p++) begin : gen_run
      logic [Mshrs-1:0]  runs_on;   // more than one in a cycle: any will do
      logic              m;
      logic [DataW-1:0]  head;
      assign runs_on = search_i[p] ? same_run[p*Mshrs +: Mshrs] & early_q & ~stale_now : '0;
      assign m    = run_look_i[p] & |runs_on;
      assign head = head_q[index(first(runs_on))];
      assign run_hit_o[p] = m;
      assign run_data_o[p*DataW +: DataW] = head;
    end
  end else begin : gen_no_early
    logic unused_early;
    assign unused_early = ^{done_early_i, done_head_i, run_look_i};
    assign early_q      = '0;
    assign run_hit_o    = '0;
    assign run_data_o   = '0;
  end

  `GMMU_ASSERT(l2tlb_mshr_alloc_has_room, !(alloc_any && (&valid_q)))
  `GMMU_ASSERT(l2tlb_mshr_done_once, !(done_i && done_q[done_idx_i] && !early_q[done_idx_i] &&
      !stale_q[done_idx_i]))
endmodule
`default_nettype wire
