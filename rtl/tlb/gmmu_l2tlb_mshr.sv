// SPDX-License-Identifier: Apache-2.0
// gmmu_l2tlb_mshr: miss registers of the L2 TLB: which page (gmmu_l2tlb_pages), which SMs wait
// (with which L1 MSHR), open to merges, stale; the guarantee that every application can get one.
// Who waits, and the delivery of a finished walk to all of them: gmmu_l2tlb_waiters. What stage B
// takes is written a cycle later, and counts from the next cycle on. Rules and timing:
// docs/l2_tlb.md.
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
  input  logic [Ports*KeyW-1:0]  read_walk_key_i,   // Svadu=1: {class of store, VFN}
  input  logic [Ports*SmW-1:0]   read_sm_i,
  // stage B lookups; the SMs of the two ports differ
  input  logic [Ports-1:0]       search_i,     // a lookup, that may hit: known at once
  input  logic [Ports-1:0]       run_look_i,   // a TLB miss
  // ... that no early answer serves: it looks for an MSHR
  input  logic [Ports-1:0]       look_i,
  input  logic [Ports*AsidW-1:0] asid_i,
  input  logic [Ports*SmW-1:0]   sm_i,
  input  logic [Ports*L1MW-1:0]  l1_mshr_i,
  input  logic [Ports*OwnW-1:0]  warp_i,
  output logic [Ports-1:0]       merge_o,
  output logic [Ports-1:0]       alloc_o,
  output logic [Ports-1:0]       gets_o,       // one of the two, if it looks for an MSHR
  output logic [Ports*IdxW-1:0]  idx_o,        // of the merge or the allocation
  output logic [IdxW-1:0]        free_idx_o,   // of an allocation, known before there is one
  output logic [NumAsids-1:0]    retry_o,      // the application may take one
  // outstanding misses of each application
  output logic [NumAsids*$clog2(Total+1)-1:0] app_misses_o,
  // Early=1: a walk answered early and works on; its subregion is answered from the head's
  output logic [Ports-1:0]       run_hit_o,
  output logic [Ports*gmmu_pkg::PERM_W-1:0] run_perm_o,          // Svadu=1: permissions
  // permissions, PFN of the head of the cycle before
  output logic [Ports*(gmmu_pkg::PERM_W+PfnW)-1:0] run_data_o,
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

  logic [Mshrs-1:0]  valid_q, open_q, open, stale_q, stale_now, marked, free_hot,
                     done_idx_hot_q, done_hot, early_q;
  logic              alloc_any, alloc_q, fresh;

  // ---- pages; a mark comes before everything else in its cycle
  logic [Ports*Mshrs-1:0] same, same_run;
  logic [Ports-1:0]       new_same;
  logic [Mshrs-1:0]       write_q;
  logic                   pair, new_marked, done_marked;
  gmmu_l2tlb_pages #(.Mshrs(Mshrs), .Ports(Ports), .AsidW(AsidW), .VfnW(VfnW), .KeyW(KeyW),
      .SmW(SmW), .OwnW(OwnW), .Early(Early), .MarkByAsid(MarkByAsid)) u_pages (
    .clk_i, .rst_ni, .read_i, .read_asid_i, .read_walk_key_i, .valid_i(valid_q), .found_o(same),
    .new_o(new_same), .same_run_o(same_run), .pair_o(pair), .sm_i, .warp_i,
    .write_i(free_hot), .take_i(alloc_o), .write_q_o(write_q), .fin_idx_i, .fin_asid_o,
    .fin_walk_key_o, .owner_sm_o, .owner_warp_o, .done_i, .done_idx_i, .mark_next_i, .mark_i,
    .cmd_i, .marked_o(marked), .new_marked_o(new_marked), .done_marked_o(done_marked)
  );
  // What was taken in the cycle before is valid, but not yet in open_q; fresh: nor marked, as in
  // new_same.
  assign fresh     = alloc_q & !new_marked;
  assign open      = open_q & ~marked;
  assign stale_now = (stale_q & ~write_q) | marked | (new_marked ? write_q : '0);
  assign stale_o   = |(valid_q & stale_q & ~write_q);

  // ---- guarantee
  logic [CtxW-1:0] freed_app;
  logic [NumAsids-1:0] may_now;                  // who may take one
  logic [Ports*NumAsids-1:0] app_hot_q;          // of the lookups, one-hot
  assign retry_o = may_now;
  always_ff @(posedge clk_i) begin
    for (int p = 0; p < Ports; p++)
      app_hot_q[p*NumAsids +: NumAsids] <= NumAsids'(1) << CtxW'(read_asid_i[p*AsidW +: AsidW]);
  end
  gmmu_app_quota #(.Total(Total), .NumApps(NumAsids)) u_quota (
    .clk_i, .rst_ni, .on_i(ctx_on_i), .take_i(alloc_any),
    .take_hot_i(alloc_o[0] ? app_hot_q[NumAsids-1:0] : app_hot_q[Ports*NumAsids-1 -: NumAsids]),
    .give_i(freed_o), .give_app_i(freed_app), .first_o(), .may_o(may_now),
    .two_o(), .none_o(), .one_free_o(), .all_o(), .held_o(app_misses_o)
  );

  // ---- lookups
  // m: a register has the page, if it is a lookup, which is not asked before match: every one would
  // hang on it; join_old: merges into one that was there before
  logic [Ports-1:0] m, match, already, may, join_old, recent;
  logic [Ports*Mshrs-1:0] found;
  logic [Mshrs-1:0] next_free;                 // the lowest
  logic [IdxW-1:0]  free_idx_q;
  logic [Ports*IdxW-1:0] found_idx;
  gmmu_free_ahead #(.Places(Mshrs)) u_free (
    .clk_i, .rst_ni, .used_i(valid_q), .take_i(alloc_any), .give_i(freed_o),
    .give_idx_i(freed_idx_o), .free_o(next_free), .idx_o(free_idx_o)
  );
  assign free_hot   = |search_i ? next_free : '0;
  assign free_idx_q = index(write_q);
  for (genvar p = 0; p < Ports; p++) begin : gen_port
    assign found[p*Mshrs +: Mshrs] = same[p*Mshrs +: Mshrs] & open;
    assign recent[p]   = new_same[p];        // that taken in the cycle before
    assign m[p]        = (|found[p*Mshrs +: Mshrs]) | recent[p];
    assign match[p]    = look_i[p] & m[p];   // that it is a miss is known last
    assign may[p]      = |(may_now & app_hot_q[p*NumAsids +: NumAsids]);
    assign join_old[p] = look_i[p] & m[p] & !already[p];
    assign found_idx[p*IdxW +: IdxW] = index(found[p*Mshrs +: Mshrs]);
    assign idx_o[p*IdxW +: IdxW]     = found_idx[p*IdxW +: IdxW] |
        (recent[p] ? free_idx_q : m[p] ? '0 : free_idx_o);
  end
  // One allocation a cycle, port 0 first.
  logic alloc0;
  assign alloc0     = look_i[0] & !match[0] & may[0];
  assign alloc_o[0] = alloc0;
  assign merge_o[0] = join_old[0];
  assign gets_o[0]  = m[0] ? !already[0] : may[0];
  logic join_new;   // port 1 misses on the page for which port 0 allocates in this cycle
  if (Ports == 2) begin : gen_alloc1
    assign alloc_o[1] = look_i[1] & !match[1] & may[1] & !alloc0;
    assign join_new   = look_i[1] & alloc0 & pair;   // no register has it, for port 0 nor port 1
    assign merge_o[1] = join_old[1] | join_new;
    assign gets_o[1]  = m[1] ? !already[1] : alloc0 ? pair : may[1];
  end else begin : gen_no_alloc1
    assign join_new = 1'b0;
  end

  // ---- finished walks
  // Whether its register is stale is looked up in stage A; what is marked in stage B comes beside.
  logic done_stale_q;
  assign done_stale_o = done_stale_q | done_marked;
  assign done_hot     = done_i ? done_idx_hot_q : '0;
  always_ff @(posedge clk_i) begin
    done_idx_hot_q <= Mshrs'(1) << read_mshr_i;
    done_stale_q   <= stale_now[read_mshr_i];
  end

  // ---- who waits, and the delivery
  logic tell_waits;
  gmmu_l2tlb_waiters #(.Mshrs(Mshrs), .Ports(Ports), .NumSms(NumSms), .L1Mshrs(L1Mshrs),
      .AppW(CtxW), .XlateW(XlateW), .Early(Early)) u_waiters (
    .clk_i, .rst_ni, .read_i, .read_sm_i, .sm_i, .l1_mshr_i, .found_i(found),
    .recent_i(recent), .match_i(m), .already_o(already), .take_i(merge_o | alloc_o),
    .found_idx_i(found_idx), .write_q_i(write_q), .write_idx_q_i(free_idx_q),
    .done_hot_i(done_hot), .done_i, .done_early_i, .done_idx_i,
    .done_app_i(CtxW'(asid_i[AsidW-1:0])), .done_xlate_i, .answers_o, .sm_busy_i,
    .ans_valid_o, .ans_l1_mshr_o, .ans_xlate_o, .ans_displaced_o, .popped_o, .freed_o, .freed_idx_o,
    .freed_app_o(freed_app), .tell_idx_i, .tell_sm_i, .tell_waits_o(tell_waits)
  );
  assign tell_counts_o = tell_waits;   // nobody waits for a register that is done, or free

  // ---- state
  assign alloc_any = |alloc_o;
  logic [Mshrs-1:0] freed_hot;
  assign freed_hot = freed_o ? Mshrs'(1) << freed_idx_o : '0;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      alloc_q <= 1'b0;
      valid_q <= '0;
      open_q  <= '0;
      stale_q <= '0;
    end else begin
      alloc_q <= alloc_any;
      valid_q <= (valid_q & ~freed_hot) | (alloc_any ? next_free : '0);
      open_q  <= (open | (fresh ? write_q : '0)) & ~done_hot;
      stale_q <= stale_now;
    end
  end

  // ---- answered early: later misses in the subregion are answered from the head
  if (Early != 0) begin : gen_early
    localparam int DataW = gmmu_pkg::PERM_W + PfnW;
    logic [DataW-1:0] head_q [0:Mshrs-1];
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
      logic [IdxW-1:0]   run, run_q;
      // one that answered early was not stale
      assign runs_on = same_run[p*Mshrs +: Mshrs] & early_q & ~marked;
      assign run     = index(first(runs_on));
      always_ff @(posedge clk_i) run_q <= run;
      assign run_hit_o[p] = run_look_i[p] & |runs_on;
      assign run_data_o[p*DataW +: DataW] = head_q[run_q];
      if (Svadu != 0) begin : gen_perm
        assign run_perm_o[p*gmmu_pkg::PERM_W +: gmmu_pkg::PERM_W] =
            head_q[run][DataW-1 -: gmmu_pkg::PERM_W];
      end else begin : gen_no_perm
        assign run_perm_o[p*gmmu_pkg::PERM_W +: gmmu_pkg::PERM_W] = '0;
      end
    end
    `GMMU_ASSERT(l2tlb_mshr_early_is_fresh, (early_q & (stale_q | ~valid_q)) == '0)
  end else begin : gen_no_early
    logic unused_early;
    assign unused_early = ^{done_early_i, done_head_i, run_look_i, same_run};
    assign early_q      = '0;
    assign run_hit_o    = '0;
    assign {run_perm_o, run_data_o} = '0;
  end

  `GMMU_ASSERT(l2tlb_mshr_gets, (look_i & gets_o) == (merge_o | alloc_o))
  `GMMU_ASSERT(l2tlb_mshr_alloc_has_room, !(alloc_any && (&valid_q)))
  `GMMU_ASSERT(l2tlb_mshr_open_is_fresh, (open_q & (stale_q | ~valid_q)) == '0)
  `GMMU_ASSERT(l2tlb_mshr_one_has_the_page, !(search_i[0] && recent[0] &&
      (|found[Mshrs-1:0])))
  `GMMU_ASSERT(l2tlb_mshr_done_once, !(done_i && !open[done_idx_i] && !early_q[done_idx_i] &&
      !stale_now[done_idx_i]))
endmodule
`default_nettype wire
