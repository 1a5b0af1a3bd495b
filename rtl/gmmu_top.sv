// SPDX-License-Identifier: Apache-2.0
// gmmu_top: the whole MMU behind plain vector ports: NumSms L1 TLBs, the shared L2 TLB, the walker,
// invalidation. Ports, widths and latencies: docs/top.md. Parameters and their ranges:
// docs/parameters.md.
`default_nettype none
module gmmu_top #(
`include "gmmu_top_params.svh"
  localparam int PfnW  = PaW - 12,
  localparam int MemW  = LineAnswers != 0 ? 512 : 64,
  localparam int SlotW = gmmu_pkg::idx_w(Walks)
) (
  input  logic                      clk_i,
  input  logic                      rst_ni,
  // requests of the SMs
  input  logic [NumSms-1:0]         req_valid_i,
  output logic [NumSms-1:0]         req_ready_o,
  input  logic [NumSms*64-1:0]      req_va_i,
  input  logic [NumSms*2-1:0]       req_access_i,
  input  logic [NumSms-1:0]         req_user_i,
  input  logic [NumSms*AsidW-1:0]   req_asid_i,
  input  logic [NumSms*WarpW-1:0]   req_warp_i,
  input  logic [NumSms*TagW-1:0]    req_tag_i,
  // answers
  output logic [NumSms-1:0]         rsp_valid_o,
  input  logic [NumSms-1:0]         rsp_ready_i,
  output logic [NumSms*TagW-1:0]    rsp_tag_o,
  output logic [NumSms*PaW-1:0]     rsp_pa_o,
  output logic [NumSms*5-1:0]       rsp_cause_o,
  output logic [NumSms-1:0]         rsp_large_o,
  // PTE reads, and with Svadu updates: a PTE that equals old becomes new, the answer is the PTE as
  // it then is
  output logic                      mem_req_valid_o,
  input  logic                      mem_req_ready_i,
  output logic [PaW-1:0]            mem_req_addr_o,
  output logic [SlotW-1:0]          mem_req_id_o,
  output logic [2:0]                mem_req_depth_o,
  output logic                      mem_req_upd_o,
  output logic [63:0]               mem_req_old_o,
  output logic [63:0]               mem_req_new_o,
  input  logic                      mem_rsp_valid_i,
  input  logic [SlotW-1:0]          mem_rsp_id_i,
  input  logic [MemW-1:0]           mem_rsp_data_i,
  input  logic                      mem_rsp_err_i,
  // invalidation
  input  logic                      inv_valid_i,
  output logic                      inv_ready_o,
  input  logic [1:0]                inv_kind_i,
  input  logic [AsidW-1:0]          inv_asid_i,
  input  logic [35:0]               inv_lo_i,
  input  logic [35:0]               inv_hi_i,
  output logic                      inv_done_o,
  // contexts and windows
  input  logic [NumAsids*PfnW-1:0]  ctx_root_i,
  input  logic [NumAsids*2-1:0]     ctx_mode_i,
  input  logic [NumAsids-1:0]       ctx_ext_i,
  input  logic [NumAsids-1:0]       ctx_sum_i,
  input  logic [NumAsids-1:0]       ctx_mxr_i,
  input  logic [NumWindows*PfnW-1:0] win_lo_i,
  input  logic [NumWindows*PfnW-1:0] win_hi_i,
  input  logic [NumWindows-1:0]     win_walk_i,
  input  logic [NumWindows-1:0]     win_data_i,
  // epochs, and settings of the fill tokens (docs/epoch.md, docs/fill_tokens.md)
  input  logic [31:0]               epoch_cycles_i,   // 0: EpochCycles
  output logic                      epoch_o,
  input  logic                      token_free_i,
  input  logic [6:0]                token_start_i,
  input  logic [2:0]                token_step_i,
  input  logic [6:0]                token_points_i,
  // outstanding L2 misses of each application: how hard it leans on the walker (MASK section 5.4)
  output logic [NumAsids*$clog2(L2Mshrs+1)-1:0] app_misses_o,
  // counters: lookups of new requests in each L1 TLB and those that hit, the same of the ports of
  // the L2 TLB, a walk that starts; lookups that found an entry with wrong parity (TlbParity=1); of
  // the cycle before
  output logic [NumSms-1:0]         count_l1_look_o,
  output logic [NumSms-1:0]         count_l1_hit_o,
  output logic [1:0]                count_l2_look_o,
  output logic [1:0]                count_l2_hit_o,
  output logic                      count_walk_o,
  output logic [NumSms-1:0]         count_l1_parity_o,
  output logic [1:0]                count_l2_parity_o,
  // observation
  output logic [NumSms*gmmu_pkg::OBS_L1_W-1:0] obs_l1_o,
  output logic [gmmu_pkg::OBS_L2_W-1:0]        obs_l2_o,
  output logic [gmmu_pkg::OBS_WALK_W-1:0]      obs_walk_o,
  output logic [gmmu_pkg::OBS_TOKEN_W-1:0]     obs_token_o
);
  // VFN, and the class of store
  localparam int KeyW   = gmmu_pkg::walk_key_w(VaW - 12, Svadu);
  localparam int L1MW   = gmmu_pkg::idx_w(L1Mshrs);
  // What can be in use: each miss of the L2 has an L1 MSHR that waits for it, but for walks that
  // answered early; each walk has a miss. More are counted, by the guarantee of a first one to each
  // application, and not built.
  localparam int MostMisses = NumSms * L1Mshrs;
  localparam int MshrsBuilt = L2Unified == 0 && MostMisses < L2Mshrs ? MostMisses : L2Mshrs;
  localparam int WalksBuilt = MshrsBuilt < Walks ? MshrsBuilt : Walks;
  localparam int MshrW  = gmmu_pkg::idx_w(MshrsBuilt);
  localparam int WalkW  = gmmu_pkg::idx_w(WalksBuilt);
  localparam int SmW    = gmmu_pkg::idx_w(NumSms);
  localparam int CtxW   = gmmu_pkg::idx_w(NumAsids);
  localparam int OwnW   = FillTokens != 0 ? WarpW : 1;
  localparam int XlateW = gmmu_pkg::xlate_w(PfnW, Colt);
  localparam int CmdW   = gmmu_pkg::CMD_FIXED_W + CtxW;

`include "gmmu_top_checks.svh"

  logic [NumAsids-1:0] ctx_on;
  for (genvar a = 0; a < NumAsids; a++) begin : gen_ctx
    assign ctx_on[a] = ctx_mode_i[a*2 +: 2] == gmmu_pkg::MODE_SV39 |
                       (ctx_mode_i[a*2 +: 2] == gmmu_pkg::MODE_SV48 & VaW == 48);
  end

  // ---------------------------------------------------------------- invalidation
  logic              mark_next, mark, sweep_start, sweep_done, walk_busy, clear;
  logic [NumSms-1:0] clear_busy;
  logic [NumSms:0]   stale;
  logic [CmdW-1:0]   cmd;
  gmmu_invalidate #(.NumSms(NumSms), .NumAsids(NumAsids), .AsidW(AsidW)) u_invalidate (
    .clk_i, .rst_ni, .valid_i(inv_valid_i), .ready_o(inv_ready_o),
    .cmd_i({inv_kind_i, inv_asid_i, inv_lo_i, inv_hi_i}), .done_o(inv_done_o),
    .cmd_o(cmd), .mark_next_o(mark_next), .mark_o(mark), .sweep_start_o(sweep_start),
    .sweep_done_i(sweep_done), .walk_busy_i(walk_busy), .clear_o(clear),
    .clear_busy_i(clear_busy), .stale_i(stale)
  );

  // ---------------------------------------------------------------- L1 TLBs
  logic [NumSms-1:0]        l2tlb_req_valid, l2tlb_req_ready;
  logic [NumSms*CtxW-1:0]   l2tlb_req_asid;
  logic [NumSms*KeyW-1:0]   l2tlb_req_walk_key;
  logic [NumSms*L1MW-1:0]   l2tlb_req_mshr;
  logic [NumSms*OwnW-1:0]   l2tlb_req_warp;
  logic [L2Ports*NumSms-1:0] hit_sel;
  logic [L2Ports*L1MW-1:0]  hit_l1_mshr;
  logic [L2Ports*XlateW-1:0] hit_xlate;
  logic [NumSms-1:0]        ans_sel;
  logic [NumSms*L1MW-1:0]   ans_l1_mshr;
  logic [XlateW-1:0]        ans_xlate;
  logic [L2Ports*NumSms-1:0] taken_sel;
  logic [L2Ports*L1MW-1:0]  taken_l1_mshr;
  logic [L2Ports*MshrW-1:0] taken_mshr;
  logic [NumSms-1:0]        tell_valid, tell_ready;
  logic [NumSms*MshrW-1:0]  tell_mshr;
  logic [NumSms*6-1:0]      tell_warps;

  for (genvar s = 0; s < NumSms; s++) begin : gen_sm
    // At most one of the buses answers this SM in a cycle.
    logic              sel0, sel1, rsp_valid, taken0, taken;
    logic [L1MW-1:0]   took_l1_mshr;
    logic [MshrW-1:0]  took_mshr;
    logic [L1MW-1:0]   rsp_mshr, mshr1;
    logic [XlateW-1:0] rsp_xlate, xlate1;
    assign sel0   = hit_sel[s];
    assign taken0 = taken_sel[s];
    assign taken  = taken0 | taken_sel[(L2Ports-1)*NumSms + s];
    assign took_l1_mshr = taken0 ? taken_l1_mshr[L1MW-1:0] :
        taken_l1_mshr[(L2Ports-1)*L1MW +: L1MW];
    assign took_mshr    = taken0 ? taken_mshr[MshrW-1:0] : taken_mshr[(L2Ports-1)*MshrW +: MshrW];
    if (L2Ports == 2) begin : gen_bus1
      assign sel1   = hit_sel[NumSms + s];
      assign mshr1  = hit_l1_mshr[(L2Ports-1)*L1MW +: L1MW];
      assign xlate1 = hit_xlate[(L2Ports-1)*XlateW +: XlateW];
    end else begin : gen_no_bus1
      assign sel1   = 1'b0;
      assign mshr1  = '0;
      assign xlate1 = '0;
    end
    assign rsp_valid = sel0 | sel1 | ans_sel[s];
    assign rsp_mshr  = sel0 ? hit_l1_mshr[L1MW-1:0] : sel1 ? mshr1 : ans_l1_mshr[s*L1MW +: L1MW];
    assign rsp_xlate = sel0 ? hit_xlate[XlateW-1:0] : sel1 ? xlate1 : ans_xlate;

    localparam int Base = s < 31 && (L1SmallSms >> s) % 2 == 1 ? L1SmallEntries : L1BaseEntries;
    gmmu_l1_tlb #(
`include "gmmu_mmu_options_pass.svh"
      .BaseEntries(Base), .LargeEntries(L1LargeEntries), .Mshrs(L1Mshrs),
      .NumAsids(NumAsids), .AsidW(AsidW), .VaW(VaW), .PfnW(PfnW), .TagW(TagW), .WarpW(WarpW),
      .L2MshrW(MshrW)
    ) u_l1 (
      .clk_i, .rst_ni,
      .req_valid_i(req_valid_i[s]), .req_ready_o(req_ready_o[s]), .req_va_i(req_va_i[s*64 +: 64]),
      .req_access_i(req_access_i[s*2 +: 2]), .req_user_i(req_user_i[s]),
      .req_asid_i(req_asid_i[s*AsidW +: AsidW]), .req_warp_i(req_warp_i[s*WarpW +: WarpW]),
      .req_tag_i(req_tag_i[s*TagW +: TagW]),
      .rsp_valid_o(rsp_valid_o[s]), .rsp_ready_i(rsp_ready_i[s]),
      .rsp_tag_o(rsp_tag_o[s*TagW +: TagW]),
      .rsp_pa_o(rsp_pa_o[s*PaW +: PaW]), .rsp_cause_o(rsp_cause_o[s*5 +: 5]),
      .rsp_large_o(rsp_large_o[s]),
      .l2tlb_req_valid_o(l2tlb_req_valid[s]), .l2tlb_req_ready_i(l2tlb_req_ready[s]),
      .l2tlb_req_asid_o(l2tlb_req_asid[s*CtxW +: CtxW]),
      .l2tlb_req_walk_key_o(l2tlb_req_walk_key[s*KeyW +: KeyW]),
      .l2tlb_req_mshr_o(l2tlb_req_mshr[s*L1MW +: L1MW]),
      .l2tlb_req_warp_o(l2tlb_req_warp[s*OwnW +: OwnW]),
      .l2tlb_rsp_valid_i(rsp_valid), .l2tlb_rsp_mshr_i(rsp_mshr), .l2tlb_rsp_xlate_i(rsp_xlate),
      .l2tlb_taken_i(taken), .l2tlb_taken_mshr_i(took_l1_mshr), .l2tlb_taken_l2_mshr_i(took_mshr),
      .tell_valid_o(tell_valid[s]), .tell_ready_i(tell_ready[s]),
      .tell_l2_mshr_o(tell_mshr[s*MshrW +: MshrW]),
      .tell_warps_o(tell_warps[s*6 +: 6]),
      .mark_i(mark), .clear_i(clear), .cmd_i(cmd), .clear_busy_o(clear_busy[s]), .stale_o(stale[s]),
      .ctx_mode_i, .ctx_sum_i, .ctx_mxr_i,
      .count_look_o(count_l1_look_o[s]), .count_hit_o(count_l1_hit_o[s]),
      .count_parity_o(count_l1_parity_o[s]),
      .obs_o(obs_l1_o[s*gmmu_pkg::OBS_L1_W +: gmmu_pkg::OBS_L1_W])
    );
  end

  // ---------------------------------------------------------------- epochs and fill tokens
  if (EpochCycles != 0) begin : gen_epoch
    gmmu_epoch #(.EpochCycles(EpochCycles),
        .Least(FillTokens != 0 ? gmmu_pkg::least_epoch(NumSms, NumAsids, WarpW) : 2)) u_epoch (
      .clk_i, .rst_ni, .cycles_i(epoch_cycles_i), .epoch_o
    );
  end else begin : gen_no_epoch
    logic unused_epoch;
    assign unused_epoch = ^epoch_cycles_i;
    assign epoch_o      = 1'b0;
  end
  logic [1:0]        look, look_hit;
  logic [2*CtxW-1:0] look_app;
  logic [SmW-1:0]    owner_sm;
  logic [OwnW-1:0]   owner_warp;
  logic              token;
  if (FillTokens != 0) begin : gen_tokens
    gmmu_fill_tokens #(
`include "gmmu_mmu_options_pass.svh"
      .NumSms(NumSms), .NumAsids(NumAsids), .AsidW(AsidW), .WarpW(WarpW)
    ) u_tokens (
      .clk_i, .rst_ni, .epoch_i(epoch_o), .free_i(token_free_i), .start_i(token_start_i),
      .step_i(token_step_i),
      .points_i(token_points_i), .req_i(req_valid_i & req_ready_o), .req_asid_i, .req_warp_i,
      .look_i(look), .look_hit_i(look_hit), .look_app_i(look_app),
      .sm_i(owner_sm), .warp_i(owner_warp), .holds_o(token), .obs_o(obs_token_o)
    );
  end else begin : gen_no_tokens
    logic unused_tokens;
    assign unused_tokens = ^{token_free_i, token_start_i, token_step_i, token_points_i, look,
        look_hit, look_app, owner_sm, owner_warp};
    assign token         = 1'b1;
    assign obs_token_o   = '0;
  end

  // ---------------------------------------------------------------- L2 TLB
  logic              walk_valid, fin_valid, fin_take;
  logic [MshrW-1:0]  walk_mshr, fin_mshr;
  logic [CtxW-1:0]   walk_asid;
  logic [KeyW-1:0]   walk_key;
  logic [XlateW-1:0] fin_xlate;
  logic [gmmu_pkg::RUN_W-1:0] fin_run;
  gmmu_l2_tlb #(
`include "gmmu_mmu_options_pass.svh"
    .NumSms(NumSms), .NumAsids(NumAsids), .AsidW(CtxW), .VaW(VaW), .PfnW(PfnW),
    .L1Mshrs(L1Mshrs), .Entries(L2Entries), .Ways(L2Ways), .LargeEntries(L2LargeEntries),
    .L2Unified(L2Unified), .Ports(L2Ports), .Latency(L2Latency), .Mshrs(MshrsBuilt),
    .Total(L2Mshrs), .WarpW(WarpW), .BypassEntries(BypassEntries)
  ) u_l2 (
    .clk_i, .rst_ni,
    .req_valid_i(l2tlb_req_valid), .req_ready_o(l2tlb_req_ready), .req_asid_i(l2tlb_req_asid),
    .req_walk_key_i(l2tlb_req_walk_key), .req_mshr_i(l2tlb_req_mshr), .req_warp_i(l2tlb_req_warp),
    .look_o(look), .look_hit_o(look_hit), .look_app_o(look_app), .owner_sm_o(owner_sm),
    .owner_warp_o(owner_warp),
    .token_i(token), .app_misses_o,
    .taken_sel_o(taken_sel), .taken_l1_mshr_o(taken_l1_mshr), .taken_mshr_o(taken_mshr),
    .tell_valid_i(tell_valid), .tell_ready_o(tell_ready), .tell_mshr_i(tell_mshr),
    .tell_warps_i(tell_warps),
    .hit_sel_o(hit_sel), .hit_l1_mshr_o(hit_l1_mshr), .hit_xlate_o(hit_xlate),
    .ans_sel_o(ans_sel), .ans_l1_mshr_o(ans_l1_mshr), .ans_xlate_o(ans_xlate),
    .walk_valid_o(walk_valid), .walk_mshr_o(walk_mshr), .walk_asid_o(walk_asid),
    .walk_key_o(walk_key),
    .fin_valid_i(fin_valid), .fin_take_o(fin_take), .fin_mshr_i(fin_mshr), .fin_xlate_i(fin_xlate),
    .fin_run_i(fin_run),
    .ctx_on_i(ctx_on), .mark_next_i(mark_next), .mark_i(mark), .sweep_start_i(sweep_start),
    .sweep_done_o(sweep_done), .stale_o(stale[NumSms]), .cmd_i(cmd),
    .count_look_o(count_l2_look_o), .count_hit_o(count_l2_hit_o),
    .count_parity_o(count_l2_parity_o), .obs_o(obs_l2_o)
  );

  // ---------------------------------------------------------------- walker
  logic [WalkW-1:0] mem_id;
  assign mem_req_id_o = SlotW'(mem_id);
  gmmu_walker #(
`include "gmmu_mmu_options_pass.svh"
    .Walks(WalksBuilt), .Total(Walks), .Mshrs(MshrsBuilt), .NumAsids(NumAsids), .AsidW(CtxW),
    .VaW(VaW), .PfnW(PfnW), .NumWindows(NumWindows),
    .LargeAnswers(L2LargeEntries != 0 || L2Unified != 0 ? 1 : 0), .L2Unified(L2Unified),
    .MscSets(MscSets), .MscWays(MscWays), .PwcEntries(PwcEntries), .PwcWays(PwcWays),
    .PwcLatency(PwcLatency), .LineAnswers(LineAnswers)
  ) u_walker (
    .clk_i, .rst_ni,
    .walk_valid_i(walk_valid), .walk_mshr_i(walk_mshr), .walk_asid_i(walk_asid),
    .walk_key_i(walk_key),
    .fin_valid_o(fin_valid), .fin_take_i(fin_take), .fin_mshr_o(fin_mshr), .fin_xlate_o(fin_xlate),
    .fin_run_o(fin_run),
    .mem_req_valid_o, .mem_req_ready_i, .mem_req_addr_o, .mem_req_id_o(mem_id), .mem_req_depth_o,
    .mem_req_upd_o, .mem_req_old_o, .mem_req_new_o,
    .mem_rsp_valid_i, .mem_rsp_id_i(WalkW'(mem_rsp_id_i)), .mem_rsp_data_i, .mem_rsp_err_i,
    .ctx_root_i, .ctx_mode_i, .ctx_on_i(ctx_on), .ctx_ext_i, .win_lo_i, .win_hi_i, .win_walk_i,
    .win_data_i,
    .mark_i(mark), .cmd_i(cmd), .clear_busy_o(walk_busy), .count_walk_o,
    .obs_o(obs_walk_o)
  );
endmodule
`default_nettype wire
