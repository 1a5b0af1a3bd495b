// SPDX-License-Identifier: Apache-2.0
// The whole L1 TLB: every request is answered at most once, with its own page's frame, and an
// answer that is offered stays; no MSHR asks the L2 while its last request is not answered; and
// when the L1s' part of an invalidation is over (clear_busy_o falls), no answer, to whatever
// request, has a translation from before it. Assumed of the L2 (l2_tlb): what it answers from
// the clear pulse on is of after the mark; of gmmu_invalidate: one command at a time, none while
// misses are stale.
`default_nettype none
module prove_l1_tlb #(
  parameter int BaseEntries  = 2,
  parameter int LargeEntries = 0,
  parameter int Mshrs        = 2,
  parameter int TagW         = 1,
  parameter int Covers       = 0,
  localparam int Tags  = 1 << TagW,
  localparam int PfnW  = 18,
  localparam int IdxW  = gmmu_pkg::idx_w(Mshrs),
  localparam int CmdW  = gmmu_pkg::CMD_FIXED_W + 1
) (
  input  logic            clk_i,
  input  logic            req_valid_i,
  input  logic [1:0]      req_key_i,        // ASID, page
  input  logic [TagW-1:0] req_tag_i,
  input  logic            rsp_ready_i,
  input  logic            l2_ready_i,
  input  logic            l2_valid_i,
  input  logic [IdxW-1:0] l2_mshr_i,
  input  logic            l2_no_fill_i,
  input  logic            l2_old_i,         // before the clear pulse: still the old translation
  input  logic            mark_i,
  input  logic            clear_i,
  input  logic [1:0]      kind_i,
  input  logic [2:0]      range_i,          // ASID, first and last page
  input  logic            changes_i,        // the command changes the page
  input  logic [1:0]      key_i             // any page, the same for ever
);
  `include "prove.svh"

  logic             req_ready, rsp_valid, rsp_large, ask_valid, busy, stale, ask_asid;
  logic [TagW-1:0]  rsp_tag;
  logic [PfnW+11:0] rsp_pa;
  logic [4:0]       rsp_cause;
  logic [26:0]      ask_vfn;
  logic [IdxW-1:0]  ask_mshr;
  logic [gmmu_pkg::XLATE_FIXED_W+PfnW-1:0] xlate;
  logic [CmdW-1:0]  cmd;

  // -------------------------------------------------------- one page, and what becomes of it
  // It has two frames in turn; a command that covers it may change which.
  logic [1:0]       key_q, kind_q;
  logic [2:0]       range_q;
  logic             now_q, was_q, marked_q, cleared_q, covers, running;
  logic [1:0]       kind;
  logic [2:0]       range;
  assign running = marked_q || cleared_q;
  assign kind    = running ? kind_q : kind_i;
  assign range   = running ? range_q : range_i;
  assign cmd     = {kind, range[2], 35'd0, range[1], 35'd0, range[0]};
  assign covers  = kind == gmmu_pkg::INV_ALL || (range[2] == key_q[1] &&
      (kind == gmmu_pkg::INV_ASID || (range[1] <= key_q[0] && key_q[0] <= range[0])));
  // Within the MMU a command of nothing has a range without a page.
  always_comb assume (kind_i != gmmu_pkg::INV_NONE || range_i[1:0] == 2'b10);

  logic [Tags-1:0]  out_q, mine_q;
  logic [Mshrs-1:0] asked_q, asked_mine_q;
  logic             rsp_waits_q, ask_waits_q, mine, l2_mine;
  logic [PfnW+TagW+16:0] rsp_was_q;
  logic [IdxW+27:0] ask_was_q;
  assign mine    = mine_q[rsp_tag];
  assign l2_mine = asked_mine_q[l2_mshr_i];
  // {cause, large, no fill, permissions, frame}: bit 1 of the frame: of the page that is looked at
  assign xlate   = {5'd0, 1'b0, l2_no_fill_i, 5'b01111, 16'd0, l2_mine,
      l2_mine && (marked_q && !clear_i && l2_old_i ? was_q : now_q)};
  gmmu_l1_tlb #(
    .BaseEntries(BaseEntries), .LargeEntries(LargeEntries), .Mshrs(Mshrs), .NumAsids(2), .AsidW(1),
    .VaW(39), .PfnW(PfnW), .TagW(TagW), .WarpW(1), .L2MshrW(1), .WarpCounters(0), .Obs(0)
  ) u_dut (
    .clk_i, .rst_ni, .req_valid_i, .req_ready_o(req_ready),
    .req_va_i({51'd0, req_key_i[0], 12'd0}), .req_access_i(gmmu_pkg::ACCESS_READ),
    .req_user_i(1'b1), .req_asid_i(req_key_i[1]), .req_warp_i(1'b0), .req_tag_i,
    .rsp_valid_o(rsp_valid), .rsp_ready_i, .rsp_tag_o(rsp_tag), .rsp_pa_o(rsp_pa),
    .rsp_cause_o(rsp_cause), .rsp_large_o(rsp_large), .l2tlb_req_valid_o(ask_valid),
    .l2tlb_req_ready_i(l2_ready_i), .l2tlb_req_asid_o(ask_asid), .l2tlb_req_walk_key_o(ask_vfn),
    .l2tlb_req_mshr_o(ask_mshr), .l2tlb_req_warp_o(), .l2tlb_rsp_valid_i(l2_valid_i),
    .l2tlb_rsp_mshr_i(l2_mshr_i), .l2tlb_rsp_xlate_i(xlate), .l2tlb_taken_i(1'b0),
    .l2tlb_taken_mshr_i('0), .l2tlb_taken_l2_mshr_i(1'b0), .tell_valid_o(), .tell_ready_i(1'b0),
    .tell_l2_mshr_o(), .tell_warps_o(), .mark_i, .clear_i, .cmd_i(cmd), .clear_busy_o(busy),
    .stale_o(stale), .ctx_mode_i({2{gmmu_pkg::MODE_SV39}}), .ctx_sum_i(2'b00), .ctx_mxr_i(2'b00),
    .count_look_o(), .count_hit_o(), .count_parity_o(), .obs_o()
  );

  // marked_q: from the mark to the clear pulse; cleared_q: from there until no L1 is busy.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      key_q <= key_i;
      {now_q, was_q, marked_q, cleared_q, out_q, asked_q, rsp_waits_q, ask_waits_q} <= '0;
    end else begin
      if (mark_i) begin
        {kind_q, range_q} <= {kind_i, range_i};
        was_q <= now_q;
        now_q <= now_q ^ (covers && changes_i);
      end
      marked_q  <= mark_i || (marked_q && !clear_i);
      cleared_q <= clear_i || (cleared_q && busy);
      for (int t = 0; t < Tags; t++) begin
        if (rsp_valid && rsp_ready_i && rsp_tag == TagW'(t)) out_q[t] <= 1'b0;
        if (req_valid_i && req_ready && req_tag_i == TagW'(t)) begin
          out_q[t]  <= 1'b1;
          mine_q[t] <= req_key_i == key_q;
        end
      end
      for (int m = 0; m < Mshrs; m++) begin
        if (l2_valid_i && l2_mshr_i == IdxW'(m)) asked_q[m] <= 1'b0;
        if (ask_valid && l2_ready_i && ask_mshr == IdxW'(m)) begin
          asked_q[m]      <= 1'b1;
          asked_mine_q[m] <= {ask_asid, ask_vfn} == {key_q[1], 26'd0, key_q[0]};
        end
      end
      rsp_waits_q <= rsp_valid && !rsp_ready_i;
      ask_waits_q <= ask_valid && !l2_ready_i;
    end
    rsp_was_q <= {rsp_tag, rsp_pa[PfnW+11:0], rsp_cause};
    ask_was_q <= {ask_mshr, ask_asid, ask_vfn};
  end
  always_comb begin
    if (!rst_ni) assume ({req_valid_i, l2_valid_i, mark_i, clear_i} == '0);
    if (req_valid_i) assume (!out_q[req_tag_i]);
    if (l2_valid_i) assume (32'(l2_mshr_i) < Mshrs && asked_q[l2_mshr_i]);
    assume (!mark_i || (!running && !stale));
    assume (!clear_i || marked_q);
  end

  if (Covers == 0) begin : gen_assert
    always_comb begin
      if (rst_ni) begin
        once:       assert (!rsp_valid || out_q[rsp_tag]);
        rsp_stays:  assert (!rsp_waits_q ||
                            (rsp_valid && {rsp_tag, rsp_pa, rsp_cause} == rsp_was_q));
        no_fault:   assert (!rsp_valid || (rsp_cause == '0 && !rsp_large));
        own_page:   assert (!rsp_valid ||
                            (rsp_pa[PfnW+11:14] == '0 && rsp_pa[13] == mine && rsp_pa[11:0] == '0));
        up_to_date: assert (!rsp_valid || running || !mine || rsp_pa[12] == now_q);
        ask_once:   assert (!ask_valid || !asked_q[ask_mshr]);
        ask_stays:  assert (!ask_waits_q ||
                            (ask_valid && {ask_mshr, ask_asid, ask_vfn} == ask_was_q));
        ask_of:     assert (!ask_valid || ask_vfn[26:1] == '0);
      end
    end
  end else begin : gen_cover
    always_comb if (rst_ni) assert (!(rsp_valid && mine && rsp_pa[12] && !running && now_q));
    always_comb if (rst_ni) assert (!(rsp_valid && mine && cleared_q && rsp_pa[12] != now_q));
    always_comb if (rst_ni) assert (!(stale && !running));
    always_comb if (rst_ni) assert (!(rsp_waits_q && cleared_q && busy));
    always_comb if (rst_ni) assert (!(asked_q == '1));
    always_comb if (rst_ni) assert (!(out_q == '1 && asked_q != '1 && asked_q != '0 && !req_ready));
  end
endmodule
`default_nettype wire
