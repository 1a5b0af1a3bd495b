// SPDX-License-Identifier: Apache-2.0
// gmmu_l1_tlb: the L1 TLB of one SM: split base-page and large-page arrays, hit under miss,
// same-page merging. Rules, timing and observation port: docs/l1_tlb.md. Source: Mosaic section
// 4.3, MASK section 6.
//
// One operation a cycle; a hit is answered in the next cycle. req_ready_o depends on state and
// rsp_ready_i only. Legal: BaseEntries >= 2, LargeEntries 0 (none built) or >= 2, Mshrs >= 1, TagW
// 1..16, AsidW 1..16, of at least NumAsids numbers, VaW 39 or 48, PfnW >= 18.
`default_nettype none
module gmmu_l1_tlb #(
  parameter int BaseEntries  = 128,
  parameter int LargeEntries = 16,
  parameter int Mshrs        = 32,
  parameter int NumAsids     = 8,
  parameter int AsidW        = 9,
  parameter int VaW          = 48,
  parameter int PfnW         = 36,
  parameter int TagW         = 8,
  parameter int WarpW        = 8,
  parameter int L2MshrW      = 6,
`include "gmmu_mmu_options.svh"
  localparam int CtxW        = gmmu_pkg::idx_w(NumAsids),
  localparam int VfnW        = VaW - 12,
  localparam int KeyW        = gmmu_pkg::walk_key_w(VfnW, Svadu),
  localparam int IdxW        = gmmu_pkg::idx_w(Mshrs),
  localparam int XlateW      = gmmu_pkg::xlate_w(PfnW, Colt),
  localparam int OwnW        = FillTokens != 0 ? WarpW : 1,
  localparam int CmdW        = gmmu_pkg::CMD_FIXED_W + CtxW
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  // from the SM
  input  logic                req_valid_i,
  output logic                req_ready_o,
  input  logic [63:0]         req_va_i,
  input  logic [1:0]          req_access_i,
  input  logic                req_user_i,
  input  logic [AsidW-1:0]    req_asid_i,
  input  logic [WarpW-1:0]    req_warp_i,
  input  logic [TagW-1:0]     req_tag_i,
  // to the SM
  output logic                rsp_valid_o,
  input  logic                rsp_ready_i,
  output logic [TagW-1:0]     rsp_tag_o,
  output logic [PfnW+11:0]    rsp_pa_o,
  output logic [4:0]          rsp_cause_o,
  output logic                rsp_large_o,
  // to the L2 TLB
  output logic                l2tlb_req_valid_o,
  input  logic                l2tlb_req_ready_i,
  output logic [CtxW-1:0]     l2tlb_req_asid_o,
  output logic [KeyW-1:0]     l2tlb_req_walk_key_o,     // Svadu=1: {class of store, VFN}
  output logic [IdxW-1:0]     l2tlb_req_mshr_o,
  output logic [OwnW-1:0]     l2tlb_req_warp_o,    // FillTokens=1: that allocated the MSHR
  // from the L2 TLB: always accepted
  input  logic                l2tlb_rsp_valid_i,
  input  logic [IdxW-1:0]     l2tlb_rsp_mshr_i,
  input  logic [XlateW-1:0]   l2tlb_rsp_xlate_i,
  // waiting warps: where the L2 keeps this L1's misses, and reports to it (WarpCounters=1)
  input  logic                l2tlb_taken_i,
  input  logic [IdxW-1:0]     l2tlb_taken_mshr_i,
  input  logic [L2MshrW-1:0]  l2tlb_taken_l2_mshr_i,
  output logic                tell_valid_o,
  input  logic                tell_ready_i,
  output logic [L2MshrW-1:0]  tell_l2_mshr_o,
  output logic [5:0]          tell_warps_o,
  // from gmmu_invalidate
  input  logic                mark_i,
  input  logic                clear_i,
  input  logic [CmdW-1:0]     cmd_i,
  output logic                clear_busy_o,
  output logic                stale_o,          // a miss that a command made stale is not answered
  // contexts
  input  logic [NumAsids*2-1:0] ctx_mode_i,
  input  logic [NumAsids-1:0] ctx_sum_i,
  input  logic [NumAsids-1:0] ctx_mxr_i,
  // counters, of the cycle before: a lookup of a new request, one that hits
  output logic                count_look_o,
  output logic                count_hit_o,
  output logic                count_parity_o,   // a lookup that found an entry with wrong parity
  output logic [gmmu_pkg::OBS_L1_W-1:0] obs_o
);
  localparam int PermW  = gmmu_pkg::PERM_W;
  localparam int WaitW  = 15;
  localparam int Copies = gmmu_pkg::l1_key_copies(BaseEntries);
  localparam int Later  = gmmu_pkg::l1_fill_late(Colt, Svadu, TlbParity);
  localparam int KeepW  = WarpCounters != 0 || FillTokens != 0 ? WarpW : 1;   // of a parked warp

  if (VaW != 39 && VaW != 48) begin : gen_bad_va
    gmmu_l1_tlb_VaW_must_be_39_or_48 u_bad();
  end
  if (LargeEntries == 1) begin : gen_bad_large
    gmmu_l1_tlb_LargeEntries_must_be_0_or_at_least_2 u_bad();
  end
  if (PfnW < 18 || TagW < 1 || AsidW < 1 || AsidW > 16) begin : gen_bad_width
    gmmu_l1_tlb_PfnW_TagW_or_AsidW_out_of_range u_bad();
  end

  `include "gmmu_types.svh"

  // ---------------------------------------------------------------- which operation?
  logic adv, pulse, do_ans, do_rep, do_new, do_look, drain_valid, parked;
  assign pulse       = mark_i | clear_i;
  assign do_ans      = adv & !pulse & drain_valid;
  // A parked request goes before a new one when an MSHR is free. Which of them is searched comes
  // from a register.
  assign do_rep      = adv & !pulse & !drain_valid & parked;
  assign req_ready_o = adv & !pulse & !drain_valid & !parked;
  assign do_new      = req_ready_o & req_valid_i;
  assign do_look     = do_rep | do_new;

  // ---------------------------------------------------------------- the operation's request
  logic             held, drain_next, parked_next;    // of an MSHR or the parked list
  logic [63:0]      look_va;
  logic [AsidW-1:0] op_asid;                    // that of a request may be of no context
  logic [CtxW-1:0]  held_asid, head_asid, fill_asid, key_asid, miss_asid, new_asid;
  logic [Copies*CtxW-1:0]  keys_asid;
  logic [Copies*VfnW-1:0]  keys_vfn;
  logic [TagW-1:0]  park_tag, op_tag, drain_tag;
  logic [KeepW-1:0] park_warp, look_warp;
  logic [2:0]       look_au, op_au;             // access, user
  logic [VfnW-1:0]  held_vfn, head_vfn, fill_vfn, key_vfn;
  logic [WaitW-1:0] kept;                       // of who is answered or searched again
  logic [11:0]      op_off;

  gmmu_l1tlb_key #(.AsidW(CtxW), .VfnW(VfnW), .Copies(Copies)) u_key (
    .clk_i, .rst_ni, .held_next_i(drain_next | parked_next), .held_asid_i(held_asid),
    .held_vfn_i(held_vfn), .req_asid_i(req_asid_i[CtxW-1:0]), .req_vfn_i(req_va_i[VaW-1:12]),
    .held_o(held), .asid_o(keys_asid), .vfn_o(keys_vfn)
  );
  assign op_asid   = held ? AsidW'(held_asid) : req_asid_i;
  assign key_asid  = keys_asid[CtxW-1:0];
  assign key_vfn   = keys_vfn[VfnW-1:0];
  assign look_va   = {held ? {(64-VaW){held_vfn[VfnW-1]}} : req_va_i[63:VaW], key_vfn,
                      req_va_i[11:0]};
  assign look_warp = parked ? park_warp : req_warp_i[KeepW-1:0];
  assign look_au   = parked ? kept[14:12] : {req_access_i, req_user_i};
  assign op_tag    = drain_valid ? drain_tag : (parked ? park_tag : req_tag_i);
  assign op_au     = drain_valid ? kept[14:12] : look_au;
  assign op_off    = drain_valid | parked ? kept[11:0] : req_va_i[11:0];

  // ---------------------------------------------------------------- context: known? canonical?
  logic       local_fault, sum, mxr;
  logic [4:0] local_cause;
  gmmu_l1tlb_context #(.NumAsids(NumAsids), .AsidW(AsidW), .VaW(VaW)) u_context (
    .ctx_mode_i, .ctx_sum_i, .ctx_mxr_i, .asid_i(op_asid), .va_i(look_va),
    .fault_o(local_fault), .cause_o(local_cause), .sum_o(sum), .mxr_o(mxr)
  );

  // ---------------------------------------------------------------- miss registers and parked list
  logic              drain_first, drain_stale, drain_fills, drain_large;
  logic              match, do_alloc, do_merge, look_miss, miss, mshr_free, mshr_frees;
  logic [KeyW-1:0]   look_walk_key, miss_walk_key, new_key;
  logic [TagW-1:0]   miss_tag;
  logic [KeepW-1:0]  miss_warp;
  logic [IdxW-1:0]   match_idx, free_idx, drain_mshr;
  logic [XlateW-1:0] drain_xlate_bits;
  xlate_t            drain_xlate;
  logic              hit, hit_large, hit_base;
  // Svadu: class of stores of the request, of what is answered
  logic [1:0]        store, drain_store;
  if (Svadu != 0) begin : gen_store
    assign store         = gmmu_pkg::store_class(look_au[2:1], look_au[0], sum);
    assign look_walk_key = {store, key_vfn};
  end else begin : gen_no_store
    assign store         = 2'b00;
    assign look_walk_key = key_vfn;
  end

  gmmu_l1tlb_mshr #(
`include "gmmu_mmu_options_pass.svh"
    .Mshrs(Mshrs), .AsidW(CtxW), .VfnW(VfnW), .PfnW(PfnW), .TagW(TagW), .OwnW(OwnW)
  ) u_mshr (
    .clk_i, .rst_ni,
    .miss_i(miss), .asid_i(miss_asid), .walk_key_i(miss_walk_key), .look_asid_i(key_asid),
    .look_key_i(look_walk_key), .new_asid_i(new_asid), .new_key_i(new_key), .match_o(match),
    .match_idx_o(match_idx), .free_i(mshr_free), .frees_o(mshr_frees), .free_idx_o(free_idx),
    .alloc_i(do_alloc), .merge_i(do_merge), .tag_i(miss_tag), .warp_i(miss_warp[OwnW-1:0]),
    .req_valid_o(l2tlb_req_valid_o), .req_ready_i(l2tlb_req_ready_i),
    .req_asid_o(l2tlb_req_asid_o), .req_walk_key_o(l2tlb_req_walk_key_o),
    .req_mshr_o(l2tlb_req_mshr_o), .req_warp_o(l2tlb_req_warp_o),
    .rsp_valid_i(l2tlb_rsp_valid_i), .rsp_mshr_i(l2tlb_rsp_mshr_i), .rsp_xlate_i(l2tlb_rsp_xlate_i),
    .drain_next_o(drain_next), .drain_valid_o(drain_valid), .drain_first_o(drain_first),
    .drain_stale_o(drain_stale), .drain_fills_o(drain_fills), .drain_large_o(drain_large),
    .drain_mshr_o(drain_mshr), .head_asid_i(head_asid), .head_vfn_i(head_vfn),
    .held_asid_o(held_asid), .held_vfn_o(held_vfn), .fill_asid_o(fill_asid), .fill_vfn_o(fill_vfn),
    .drain_store_o(drain_store), .drain_xlate_o(drain_xlate_bits), .drain_tag_o(drain_tag),
    .drain_pop_i(do_ans), .mark_i, .resend_i(clear_i), .stale_o, .cmd_i
  );
  assign drain_xlate = drain_xlate_bits[gmmu_pkg::XLATE_FIXED_W+PfnW-1:0];

  assign look_miss = do_look & !local_fault & !hit;
  gmmu_l1tlb_miss #(.Mshrs(Mshrs), .AsidW(CtxW), .VfnW(VfnW), .KeyW(KeyW), .TagW(TagW),
      .WarpW(KeepW)) u_miss (
    .clk_i, .rst_ni,
    .new_i(do_new), .new_tag_i(req_tag_i),
    .new_waiter_i({req_access_i, req_user_i, req_va_i[11:0]}),
    .miss_i(look_miss), .replay_i(do_rep), .asid_i(key_asid), .walk_key_i(look_walk_key),
    .tag_i(op_tag), .warp_i(look_warp),
    .miss_o(miss), .asid_o(miss_asid), .walk_key_o(miss_walk_key), .new_asid_o(new_asid),
    .new_key_o(new_key), .tag_o(miss_tag), .warp_o(miss_warp), .match_i(match),
    .frees_i(mshr_frees), .free_o(mshr_free), .alloc_o(do_alloc), .merge_o(do_merge),
    .parked_next_o(parked_next), .parked_o(parked), .head_asid_o(head_asid), .head_vfn_o(head_vfn),
    .park_tag_o(park_tag), .park_warp_o(park_warp),
    .kept_tag_i(drain_valid ? drain_tag : park_tag), .kept_o(kept)
  );

  // ---------------------------------------------------------------- waiting warps
  logic            tell;
  logic [IdxW-1:0] tell_l1;
  assign tell = tell_valid_o & tell_ready_i;
  if (WarpCounters != 0) begin : gen_warps
    gmmu_l1tlb_warps #(.Mshrs(Mshrs), .WarpW(WarpW), .L2MW(L2MshrW)) u_warps (
      .clk_i, .rst_ni, .alloc_i(do_alloc), .merge_i(do_merge),
      .mshr_i(do_alloc ? free_idx : match_idx),
      .warp_i(miss_warp), .taken_i(l2tlb_taken_i), .taken_mshr_i(l2tlb_taken_mshr_i),
      .taken_l2_i(l2tlb_taken_l2_mshr_i),
      .rsp_valid_i(l2tlb_rsp_valid_i), .rsp_mshr_i(l2tlb_rsp_mshr_i),
      .tell_valid_o, .tell_ready_i, .tell_l1_o(tell_l1), .tell_l2_o(tell_l2_mshr_o), .tell_warps_o
    );
  end else begin : gen_no_warps
    logic unused_warps;
    assign unused_warps   = ^{req_warp_i, miss_warp, l2tlb_taken_i, l2tlb_taken_mshr_i,
        l2tlb_taken_l2_mshr_i};
    assign tell_valid_o   = 1'b0;
    assign tell_l1        = '0;
    assign tell_l2_mshr_o = '0;
    assign tell_warps_o   = '0;
  end

  // ---------------------------------------------------------------- arrays
  logic             do_fill, sweeping, rsp_load, ans_sum, bad, counts;
  logic [PermW-1:0] hit_perm, given_perm;       // given: of the last answer, registers
  logic [PfnW-1:0]  hit_pfn, ans_pfn, given_pfn;
  logic [3:0]       ans_pages;     // CoLT: of the group, that share the translation
  logic [gmmu_pkg::L1_ARRAYS_EVENT_W-1:0] arrays_event;
  // The 4 KiB page of the drained MSHR, also when the translation is large.
  assign ans_pfn = {drain_xlate.pfn[PfnW-1:9],
      drain_large ? fill_vfn[8:0] : drain_xlate.pfn[8:0]};
  assign do_fill = do_ans & drain_first & !drain_stale & drain_fills;
  assign ans_pages = Colt != 0 ? drain_xlate_bits[XlateW-1 -: 4] : 4'd0;
  gmmu_l1tlb_arrays #(.BaseEntries(BaseEntries), .LargeEntries(LargeEntries), .AsidW(CtxW),
      .VfnW(VfnW), .PfnW(PfnW), .Colt(Colt), .Svadu(Svadu), .TlbParity(TlbParity)) u_arrays (
    .clk_i, .rst_ni, .look_i(do_look), .fault_i(local_fault), .asid_i(keys_asid), .vfn_i(keys_vfn),
    .store_i(store), .hit_base_o(hit_base), .hit_large_o(hit_large),
    .bad_o(bad), .take_i(do_ans | do_look), .perm_o(hit_perm), .pfn_o(hit_pfn),
    .fill_i(do_fill), .fill_lg_i(drain_large), .fill_asid_i(fill_asid), .fill_vfn_i(fill_vfn),
    .fill_perm_i(Later != 0 ? given_perm : drain_xlate.perm),
    .fill_pfn_i(Later != 0 ? given_pfn : ans_pfn), .fill_pages_i(ans_pages),
    .clear_i, .cmd_i, .busy_o(sweeping), .event_o(arrays_event)
  );
  assign hit    = hit_large | hit_base;
  assign counts = do_new & !do_ans & !do_rep;
  always_ff @(posedge clk_i) {count_look_o, count_hit_o, count_parity_o} <=
      !rst_ni ? '0 : {counts, counts & !local_fault & hit, bad};

  // ---------------------------------------------------------------- answer
  assign rsp_load = do_ans | (do_look & (local_fault | hit));
  // as when the class of store was chosen
  assign ans_sum  = do_ans & drain_store != 2'b00 ? drain_store[1] : sum;
  gmmu_l1tlb_answer #(.PfnW(PfnW), .TagW(TagW), .Colt(Colt)) u_answer (
    .clk_i, .rst_ni, .adv_o(adv), .take_i(do_ans | do_look), .load_i(rsp_load), .tag_i(op_tag),
    .access_i(op_au[2:1]), .user_i(op_au[0]), .off_i(op_off), .sum_i(ans_sum), .mxr_i(mxr),
    .cause_i(do_ans ? drain_xlate.cause : local_fault ? local_cause : gmmu_pkg::CAUSE_OK),
    .large_i(do_ans ? drain_large : hit_large),
    .given_i(do_ans), .perm_i(drain_xlate.perm),
    .pfn_i({ans_pfn[PfnW-1:9], do_ans ? ans_pfn[8:0] : key_vfn[8:0]}),
    .perm_o(given_perm), .pfn_o(given_pfn), .hit_perm_i(hit_perm), .hit_pfn_i(hit_pfn),
    .add_i((do_ans | hit_large) ? 2'd0 : key_vfn[1:0]),
    .rsp_valid_o, .rsp_ready_i, .rsp_tag_o, .rsp_pa_o, .rsp_cause_o, .rsp_large_o
  );

  // ------------------------------------------------ clear: busy until swept and older answers left
  logic clearing_q;
  assign clear_busy_o = clearing_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) clearing_q <= 1'b0;
    else if (clear_i) clearing_q <= 1'b1;
    else if (!sweeping & adv) clearing_q <= 1'b0;
  end

  if (Obs != 0) begin : gen_obs
    gmmu_l1tlb_obs #(.AsidW(AsidW), .VfnW(VfnW), .TagW(TagW), .IdxW(IdxW),
        .L2MshrW(L2MshrW)) u_obs (
      .clk_i, .rst_ni, .ans_i(do_ans), .first_i(drain_first), .replay_i(do_rep), .new_i(do_new),
      .fault_i(local_fault), .hit_large_i(hit_large), .stale_i(drain_stale),
      .ans_mshr_i(drain_mshr), .miss_i(miss), .alloc_i(do_alloc), .merge_i(do_merge),
      .alloc_mshr_i(free_idx), .merge_mshr_i(match_idx), .asid_i(op_asid), .ans_vfn_i(held_vfn),
      .look_vfn_i(look_va[47:12]), .tag_i(op_tag), .event_i(arrays_event), .mark_i, .clear_i,
      .tell_i(tell), .tell_warps_i(tell_warps_o), .tell_l2_mshr_i(tell_l2_mshr_o),
      .tell_mshr_i(tell_l1), .obs_o
    );
  end else begin : gen_no_obs
    logic unused_obs;
    assign unused_obs = ^{tell, tell_l1, arrays_event, drain_mshr};
    assign obs_o = '0;
  end
endmodule
`default_nettype wire
