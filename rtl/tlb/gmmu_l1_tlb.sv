// SPDX-License-Identifier: Apache-2.0
// gmmu_l1_tlb: the L1 TLB of one SM: split base-page and large-page arrays, hit under miss,
// same-page merging. Rules, timing and observation port: docs/l1_tlb.md. Source: Mosaic section
// 4.3, MASK section 6.
//
// One operation a cycle; a hit is answered in the next cycle. req_ready_o depends on state and
// rsp_ready_i only. Legal: BaseEntries >= 2, LargeEntries 0 (none built) or >= 2, Mshrs >= 1, TagW
// 1..16, AsidW 1..16, VaW 39 or 48, PfnW >= 18.
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
  parameter int WarpCounters = 1,
  parameter int L2MshrW      = 6,
  parameter int FillTokens   = 0,    // 1: the L2 is told which warp misses
  parameter int Colt         = 0,    // not 0: base entries hold up to 4 pages (docs/colt.md)
  parameter int MarkByAsid   = 0,    // 1: an invalidation of a range marks all misses of its ASID
  parameter int Svadu        = 0,    // 1: hardware sets A and D (docs/walk-rules.md)
  parameter int Obs          = 1,
  localparam int VfnW   = VaW - 12,
  localparam int KeyW   = VfnW + (Svadu != 0 ? gmmu_pkg::CLASS_W : 0),
  localparam int IdxW   = gmmu_pkg::idx_w(Mshrs),
  localparam int XlateW = gmmu_pkg::xlate_w(PfnW, Colt),
  localparam int OwnW   = FillTokens != 0 ? WarpW : 1,
  localparam int CmdW   = gmmu_pkg::CMD_FIXED_W + AsidW
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
  output logic                l2_req_valid_o,
  input  logic                l2_req_ready_i,
  output logic [AsidW-1:0]    l2_req_asid_o,
  output logic [KeyW-1:0]     l2_req_vfn_o,     // Svadu=1: {class of store, VFN}
  output logic [IdxW-1:0]     l2_req_mshr_o,
  output logic [OwnW-1:0]     l2_req_warp_o,    // FillTokens=1: that allocated the MSHR
  // from the L2 TLB: always accepted
  input  logic                l2_rsp_valid_i,
  input  logic [IdxW-1:0]     l2_rsp_mshr_i,
  input  logic [XlateW-1:0]   l2_rsp_xlate_i,
  // waiting warps: where the L2 keeps this L1's misses, and reports to it (WarpCounters=1)
  input  logic                l2_taken_i,
  input  logic [IdxW-1:0]     l2_taken_mshr_i,
  input  logic [L2MshrW-1:0]  l2_taken_l2_mshr_i,
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
  output logic [gmmu_pkg::OBS_L1_W-1:0] obs_o
);
  localparam int LfnW   = VfnW - 9;
  localparam int PermW  = gmmu_pkg::PERM_W;
  localparam int DataW  = PermW + PfnW;
  localparam int LDataW = PermW + PfnW - 9;
  localparam int WaitW  = 15;
  localparam int Pages  = Colt != 0 ? 4 : 1;
  localparam int BWayW  = gmmu_pkg::idx_w(BaseEntries);
  localparam int LWayW  = gmmu_pkg::idx_w(LargeEntries);
  localparam int CtxW   = gmmu_pkg::idx_w(NumAsids);
  // Warp bits that are kept with a parked request.
  localparam int KeepW  = WarpCounters != 0 || FillTokens != 0 ? WarpW : 1;
  localparam int ParkW  = KeepW + AsidW + VaW + 3 + TagW;

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
  cmd_t cmd;
  assign cmd = cmd_i;

  // ---------------------------------------------------------------- which operation?
  logic adv, pulse, do_ans, do_rep, do_new, do_look;
  logic rsp_valid_q;
  logic drain_valid, park_valid, park_empty, mshr_free;

  assign adv         = !rsp_valid_q | rsp_ready_i;
  assign pulse       = mark_i | clear_i;
  assign do_ans      = adv & !pulse & drain_valid;
  assign do_rep      = adv & !pulse & !drain_valid & park_valid & mshr_free;
  assign req_ready_o = adv & !pulse & !drain_valid & !(park_valid & mshr_free);
  assign do_new      = req_ready_o & req_valid_i;
  assign do_look     = do_rep | do_new;

  // ---------------------------------------------------------------- the operation's request
  logic [ParkW-1:0] park_data;
  logic [63:0]      park_va, look_va;
  logic [AsidW-1:0] park_asid, look_asid, key_asid, drain_asid;
  logic [TagW-1:0]  park_tag, op_tag, drain_tag;
  logic [KeepW-1:0] park_warp, look_warp;
  logic [2:0]       park_au, look_au, op_au;    // access, user
  logic [VfnW-1:0]  key_vfn, drain_vfn;
  logic [WaitW-1:0] drain_waiter;
  logic [11:0]      op_off;

  assign {park_warp, park_asid, park_au, park_tag} = park_data[ParkW-1:VaW];
  assign park_va   = 64'($signed(park_data[VaW-1:0]));
  assign look_va   = do_rep ? park_va : req_va_i;
  assign look_warp = do_rep ? park_warp : req_warp_i[KeepW-1:0];
  assign look_asid = do_rep ? park_asid : req_asid_i;
  assign look_au   = do_rep ? park_au : {req_access_i, req_user_i};
  assign key_asid  = drain_valid ? drain_asid : look_asid;
  assign key_vfn   = drain_valid ? drain_vfn : look_va[VaW-1:12];
  assign op_tag    = drain_valid ? drain_tag : (do_rep ? park_tag : req_tag_i);
  assign op_au     = drain_valid ? drain_waiter[14:12] : look_au;
  assign op_off    = drain_valid ? drain_waiter[11:0] : look_va[11:0];

  // ---------------------------------------------------------------- context: known? canonical?
  logic [CtxW-1:0] ctx_idx;
  logic            ctx_in_range, ctx_on, canonical, sum, mxr, local_fault;
  logic [1:0]      mode;
  logic [4:0]      local_cause;
  assign ctx_idx = CtxW'(key_asid);
  if ((1 << AsidW) > NumAsids) begin : gen_range
    assign ctx_in_range = key_asid < AsidW'(NumAsids);
  end else begin : gen_no_range
    assign ctx_in_range = 1'b1;
  end
  assign mode = ctx_mode_i[ctx_idx*2 +: 2];
  assign sum  = ctx_sum_i[ctx_idx];
  assign mxr  = ctx_mxr_i[ctx_idx];
  assign ctx_on = ctx_in_range &
                  (mode == gmmu_pkg::MODE_SV39 | (mode == gmmu_pkg::MODE_SV48 & VaW == 48));
  assign canonical = (mode == gmmu_pkg::MODE_SV39) ? (look_va[63:38] == {26{look_va[38]}})
                                                   : (look_va[63:47] == {17{look_va[47]}});
  assign local_fault = !ctx_on | !canonical;
  assign local_cause = !ctx_on ? gmmu_pkg::CAUSE_UNKNOWN_ASID : gmmu_pkg::CAUSE_NON_CANONICAL;

  // ---------------------------------------------------------------- miss registers and parked list
  logic              drain_first, drain_stale, match, do_alloc, do_merge, do_park, look_miss;
  logic [IdxW-1:0]   match_idx, free_idx, drain_mshr;
  logic [XlateW-1:0] drain_xlate_bits;
  xlate_t            drain_xlate;
  logic              hit, hit_large, hit_base;
  // Svadu: class of stores of the request, of what is answered
  logic [1:0]        store, drain_store;
  logic [KeyW-1:0]   miss_key;
  if (Svadu != 0) begin : gen_store
    assign store    = gmmu_pkg::store_class(look_au[2:1], look_au[0], sum);
    assign miss_key = {store, key_vfn};
  end else begin : gen_no_store
    assign store    = 2'b00;
    assign miss_key = key_vfn;
  end

  gmmu_l1_mshr #(.Mshrs(Mshrs), .AsidW(AsidW), .VfnW(VfnW), .PfnW(PfnW), .TagW(TagW), .Colt(Colt), .OwnW(OwnW), .MarkByAsid(MarkByAsid), .Svadu(Svadu)) u_mshr (
    .clk_i, .rst_ni,
    .look_i(do_look), .asid_i(key_asid), .vfn_i(miss_key),
    .match_o(match), .match_idx_o(match_idx), .free_o(mshr_free), .free_idx_o(free_idx),
    .alloc_i(do_alloc), .merge_i(do_merge), .tag_i(op_tag), .waiter_i({look_au, look_va[11:0]}),
    .warp_i(look_warp[OwnW-1:0]),
    .req_valid_o(l2_req_valid_o), .req_ready_i(l2_req_ready_i),
    .req_asid_o(l2_req_asid_o), .req_vfn_o(l2_req_vfn_o), .req_mshr_o(l2_req_mshr_o),
    .req_warp_o(l2_req_warp_o),
    .rsp_valid_i(l2_rsp_valid_i), .rsp_mshr_i(l2_rsp_mshr_i), .rsp_xlate_i(l2_rsp_xlate_i),
    .drain_valid_o(drain_valid), .drain_first_o(drain_first), .drain_stale_o(drain_stale),
    .drain_mshr_o(drain_mshr), .drain_asid_o(drain_asid), .drain_vfn_o(drain_vfn),
    .drain_store_o(drain_store),
    .drain_xlate_o(drain_xlate_bits), .drain_tag_o(drain_tag), .drain_waiter_o(drain_waiter),
    .drain_pop_i(do_ans),
    .mark_i, .resend_i(clear_i), .stale_o, .cmd_i
  );
  assign drain_xlate = drain_xlate_bits[gmmu_pkg::XLATE_FIXED_W+PfnW-1:0];

  assign look_miss = do_look & !local_fault & !hit;
  assign do_merge  = look_miss & match;
  assign do_alloc  = look_miss & !match & mshr_free & (park_empty | do_rep);
  assign do_park   = look_miss & !match & !(mshr_free & (park_empty | do_rep));

  // A replay leaves the list unless it parks again; it is tried only with a free MSHR, so it never
  // does.
  gmmu_ram_fifo #(.Width(ParkW), .Depth(1 << TagW)) u_park (
    .clk_i, .rst_ni,
    .push_i(do_park & do_new), .data_i({look_warp, look_asid, look_au, op_tag, look_va[VaW-1:0]}),
    .pop_i(do_rep & !do_park), .valid_o(park_valid), .data_o(park_data), .empty_o(park_empty)
  );

  // ---------------------------------------------------------------- waiting warps
  logic            tell;
  logic [IdxW-1:0] tell_l1;
  assign tell = tell_valid_o & tell_ready_i;
  if (WarpCounters != 0) begin : gen_warps
    gmmu_l1_warps #(.Mshrs(Mshrs), .WarpW(WarpW), .L2MW(L2MshrW)) u_warps (
      .clk_i, .rst_ni, .alloc_i(do_alloc), .merge_i(do_merge),
      .mshr_i(do_alloc ? free_idx : match_idx),
      .warp_i(look_warp), .taken_i(l2_taken_i), .taken_mshr_i(l2_taken_mshr_i),
      .taken_l2_i(l2_taken_l2_mshr_i),
      .rsp_valid_i(l2_rsp_valid_i), .rsp_mshr_i(l2_rsp_mshr_i),
      .tell_valid_o, .tell_ready_i, .tell_l1_o(tell_l1), .tell_l2_o(tell_l2_mshr_o), .tell_warps_o
    );
  end else begin : gen_no_warps
    logic unused_warps;
    assign unused_warps   = ^{req_warp_i, look_warp, l2_taken_i, l2_taken_mshr_i,
        l2_taken_l2_mshr_i};
    assign tell_valid_o   = 1'b0;
    assign tell_l1        = '0;
    assign tell_l2_mshr_o = '0;
    assign tell_warps_o   = '0;
  end

  // ---------------------------------------------------------------- arrays
  logic              do_fill, fill_base, fill_large, fill_is_large;
  logic              base_over, base_evict, large_over, large_evict;
  logic [BWayW-1:0]  base_way, base_fill_way, base_swp_way;
  logic [DataW-1:0]  base_data;
  logic              base_swp, base_cleared, base_busy, cam_hit_base;
  logic [LDataW-1:0] large_data;
  logic [LWayW-1:0]  large_way, large_fill_way, large_swp_way;
  logic              large_swp, large_cleared, large_busy, cam_hit_large;
  logic              base_ready, large_ready;   // the entry serves the request's class of store
  logic [PfnW-1:0]   ans_pfn;
  logic              cmd_all, cmd_asid_all;

  assign cmd_all      = cmd.kind == 2'd0 | cmd.kind == 2'd3;
  assign cmd_asid_all = cmd.kind == gmmu_pkg::INV_ASID;

  // The 4 KiB page of the drained MSHR, also when the translation is large.
  assign ans_pfn = {drain_xlate.pfn[PfnW-1:9],
      drain_xlate.lg ? drain_vfn[8:0] : drain_xlate.pfn[8:0]};
  assign do_fill = do_ans & drain_first & !drain_stale & !drain_xlate.no_fill &
                   drain_xlate.cause == gmmu_pkg::CAUSE_OK;
  assign fill_is_large = drain_xlate.lg & LargeEntries != 0;
  assign fill_large    = do_fill & fill_is_large;
  assign fill_base     = do_fill & !fill_is_large;

  // With CoLT an entry has the PFN of its group's page 0; the page is added behind the answer
  // register.
  logic [PfnW-1:0]  fill_pfn;
  logic [Pages-1:0] fill_pages;
  logic [1:0]       add_q;
  logic             rsp_load;
  if (Colt != 0) begin : gen_group
    assign fill_pfn   = ans_pfn - PfnW'(drain_vfn[1:0]);
    assign fill_pages = drain_xlate_bits[XlateW-1 -: 4] | (4'd1 << drain_vfn[1:0]);
    always_ff @(posedge clk_i) if (rsp_load) add_q <= (do_ans | hit_large) ? 2'd0 : key_vfn[1:0];
  end else begin : gen_no_group
    assign fill_pfn   = ans_pfn;
    assign fill_pages = '1;
    assign add_q      = 2'd0;
  end

  gmmu_tlb_cam #(.Entries(BaseEntries), .AsidW(AsidW), .PageW(VfnW), .Shift(0), .DataW(DataW),
      .Pages(Pages)) u_base (
    .clk_i, .rst_ni,
    .search_i(do_look | fill_base), .touch_i(do_look & !local_fault & !hit_large & base_ready),
    .asid_i(key_asid), .page_i(key_vfn), .hit_o(cam_hit_base), .way_o(base_way), .data_o(base_data),
    .fill_i(fill_base), .fill_data_i({drain_xlate.perm, fill_pfn}), .fill_pages_i(fill_pages),
    .fill_way_o(base_fill_way), .fill_overwrite_o(base_over), .fill_evict_o(base_evict),
    .sweep_start_i(clear_i), .sweep_all_i(cmd_all), .sweep_asid_all_i(cmd_asid_all),
    .sweep_asid_i(cmd.asid),
    .sweep_lo_i(cmd.lo), .sweep_hi_i(cmd.hi), .sweep_busy_o(base_busy),
    .swp_visit_o(base_swp), .swp_cleared_o(base_cleared), .swp_way_o(base_swp_way)
  );

  if (LargeEntries != 0) begin : gen_large
    gmmu_tlb_cam #(.Entries(LargeEntries), .AsidW(AsidW), .PageW(LfnW), .Shift(9), .DataW(LDataW))
        u_large (
      .clk_i, .rst_ni,
      .search_i(do_look | fill_large), .touch_i(do_look & !local_fault & large_ready),
      .asid_i(key_asid), .page_i(key_vfn[VfnW-1:9]), .hit_o(cam_hit_large), .way_o(large_way),
      .data_o(large_data),
      .fill_i(fill_large), .fill_data_i({drain_xlate.perm, drain_xlate.pfn[PfnW-1:9]}),
      .fill_pages_i(1'b1),
      .fill_way_o(large_fill_way), .fill_overwrite_o(large_over), .fill_evict_o(large_evict),
      .sweep_start_i(clear_i), .sweep_all_i(cmd_all), .sweep_asid_all_i(cmd_asid_all),
      .sweep_asid_i(cmd.asid), .sweep_lo_i(cmd.lo), .sweep_hi_i(cmd.hi), .sweep_busy_o(large_busy),
      .swp_visit_o(large_swp), .swp_cleared_o(large_cleared), .swp_way_o(large_swp_way)
    );
  end else begin : gen_no_large
    assign cam_hit_large  = 1'b0;
    assign large_way      = '0;
    assign large_data     = '0;
    assign large_fill_way = '0;
    assign large_over     = 1'b0;
    assign large_evict    = 1'b0;
    assign large_busy     = 1'b0;
    assign large_swp      = 1'b0;
    assign large_cleared  = 1'b0;
    assign large_swp_way  = '0;
  end
  // The large array has priority. An entry without D is none for a store that Svadu may set D for.
  assign base_ready  = !gmmu_pkg::needs_dirty(base_data[DataW-1:PfnW], store);
  assign large_ready = !gmmu_pkg::needs_dirty(large_data[LDataW-1:PfnW-9], store);
  assign hit_large = do_look & cam_hit_large & large_ready;
  assign hit_base  = do_look & cam_hit_base & base_ready & !hit_large;
  assign hit       = hit_large | hit_base;

  // ---------------------------------------------------------------- answer register
  logic              user_q, sum_q, mxr_q, large_q;
  logic [TagW-1:0]   tag_q;
  logic [4:0]        cause_q, cause;
  logic [PermW-1:0]  perm_q;
  logic [1:0]        access_q;
  logic [PfnW-1:0]   pfn_q;
  logic [11:0]       off_q;

  assign rsp_load = do_ans | (do_look & (local_fault | hit));
  always_ff @(posedge clk_i) begin
    if (!rst_ni) rsp_valid_q <= 1'b0;
    else if (adv) rsp_valid_q <= rsp_load;
  end
  always_ff @(posedge clk_i) begin
    if (rsp_load) begin
      tag_q    <= op_tag;
      access_q <= op_au[2:1];
      user_q   <= op_au[0];
      off_q    <= op_off;
      sum_q    <= do_ans & drain_store != 2'b00 ? drain_store[1] : sum;   // as when the class was chosen
      mxr_q    <= mxr;
      if (do_ans) begin
        cause_q <= drain_xlate.cause;
        large_q <= drain_xlate.lg;
        perm_q  <= drain_xlate.perm;
        pfn_q   <= ans_pfn;
      end else begin
        cause_q <= local_fault ? local_cause : gmmu_pkg::CAUSE_OK;
        large_q <= hit_large;
        perm_q  <= hit_large ? large_data[LDataW-1:PfnW-9] : base_data[DataW-1:PfnW];
        pfn_q   <= hit_large ? {large_data[PfnW-10:0], key_vfn[8:0]} : base_data[PfnW-1:0];
      end
    end
  end
  // Permission is checked per requester, behind the register: the array lookup has the cycle for
  // itself.
  assign cause = (cause_q != gmmu_pkg::CAUSE_OK) ? cause_q
                 : gmmu_pkg::check_access(perm_q, access_q, user_q, sum_q, mxr_q);
  assign rsp_valid_o = rsp_valid_q;
  assign rsp_tag_o   = tag_q;
  assign rsp_cause_o = cause;
  assign rsp_large_o = large_q & cause == gmmu_pkg::CAUSE_OK;
  assign rsp_pa_o    = (cause == gmmu_pkg::CAUSE_OK) ? {pfn_q + PfnW'(add_q), off_q} : '0;

  // ------------------------------------------------ clear: busy until swept and older answers left
  logic clearing_q, swept;
  assign swept        = !base_busy & !large_busy;
  assign clear_busy_o = clearing_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) clearing_q <= 1'b0;
    else if (clear_i) clearing_q <= 1'b1;
    else if (swept & adv) clearing_q <= 1'b0;
  end

  // ---------------------------------------------------------------- observation port
  if (Obs != 0) begin : gen_obs
`include "gmmu_obs_l1.svh"
    assign ev_op = do_ans ? (drain_first ? 4'd3 : 4'd4) : do_rep ? 4'd2 : do_new ? 4'd1 : 4'd0;
    assign ev_outcome = do_ans ? 3'd0 : local_fault ? 3'd5 : hit_large ? 3'd1 : hit_base ? 3'd0 :
                        do_alloc ? 3'd2 : do_merge ? 3'd3 : 3'd4;
    assign ev_stale = do_ans & drain_stale;
    assign ev_mshr  = do_ans ? 8'(drain_mshr) : do_alloc ? 8'(free_idx) : do_merge ? 8'(match_idx)
        : 8'd0;
    assign ev_asid  = 16'(key_asid);
    assign ev_vfn   = do_ans ? 36'($signed(drain_vfn)) : look_va[47:12];
    assign ev_tag   = 16'(op_tag);
    assign ev_way   = fill_large ? 16'(large_fill_way) : fill_base ? 16'(base_fill_way) :
                      hit_large ? 16'(large_way) : hit_base ? 16'(base_way) : 16'd0;
    assign ev_fill_base       = fill_base;
    assign ev_fill_large      = fill_large;
    assign ev_overwrite       = base_over | large_over;
    assign ev_evict           = base_evict | large_evict;
    assign ev_fill_pages      = fill_base & Colt != 0 ? 4'(fill_pages) : 4'd0;
    assign ev_sweep_base      = base_swp;
    assign ev_cleared_base    = base_swp & base_cleared;
    assign ev_sweep_base_way  = 12'(base_swp_way);
    assign ev_sweep_large     = large_swp;
    assign ev_cleared_large   = large_swp & large_cleared;
    assign ev_sweep_large_way = 12'(large_swp_way);
    assign ev_mark            = mark_i;
    assign ev_resend          = clear_i;
    assign ev_tell            = tell;
    assign ev_tell_warps      = tell ? tell_warps_o : 6'd0;
    assign ev_tell_l2_mshr    = tell ? 8'(tell_l2_mshr_o) : 8'd0;
    assign ev_tell_mshr       = tell ? 8'(tell_l1) : 8'd0;
  end else begin : gen_no_obs
    logic unused_tell;
    assign unused_tell = ^{tell, tell_l1};
    assign obs_o = '0;
  end
endmodule
`default_nettype wire
