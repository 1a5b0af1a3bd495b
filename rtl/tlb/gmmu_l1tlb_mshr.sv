// SPDX-License-Identifier: Apache-2.0
// gmmu_l1tlb_mshr: miss registers of one L1 TLB, with the list of waiters of each
// (gmmu_l1tlb_list), the send register towards the L2 and the drain register that answers waiters.
// Rules and timing: docs/l1_tlb.md. Legal: Mshrs >= 1.
`default_nettype none
`include "gmmu_assert.svh"
module gmmu_l1tlb_mshr #(
  parameter int Mshrs = 32,
  parameter int AsidW = 9,
  parameter int VfnW  = 36,
  parameter int PfnW  = 36,
  parameter int TagW  = 8,
`include "gmmu_mmu_options.svh"
  parameter int OwnW  = 1,    // warp bits kept of the request that allocates
  localparam int KeyW      = gmmu_pkg::walk_key_w(VfnW, Svadu),
  localparam int IdxW      = gmmu_pkg::idx_w(Mshrs),
  localparam int XlateW    = gmmu_pkg::xlate_w(PfnW, Colt),
  localparam int PageW     = AsidW + KeyW + OwnW,    // {ASID, walk key, warp}
  localparam int CmdW      = gmmu_pkg::CMD_FIXED_W + AsidW
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  // miss stage: a lookup that missed the arrays in the cycle before
  input  logic              miss_i,
  input  logic [AsidW-1:0]  asid_i,
  input  logic [KeyW-1:0]   walk_key_i,         // with Svadu: {class of store, VFN}
  input  logic [AsidW-1:0]  look_asid_i,        // what is looked up: the same in the next cycle
  input  logic [KeyW-1:0]   look_key_i,
  input  logic [AsidW-1:0]  new_asid_i,         // the same, to be written
  input  logic [KeyW-1:0]   new_key_i,
  output logic              match_o,       // valid, not stale, same page
  output logic [IdxW-1:0]   match_idx_o,
  input  logic              free_i,        // one is free
  output logic              frees_o,       // one is free from the next cycle on
  output logic [IdxW-1:0]   free_idx_o,
  input  logic              alloc_i,       // free_idx_o takes the page, with this first waiter
  input  logic              merge_i,       // match_idx_o takes one more waiter
  input  logic [TagW-1:0]   tag_i,
  input  logic [OwnW-1:0]   warp_i,
  // to the L2
  output logic              req_valid_o,
  input  logic              req_ready_i,
  output logic [AsidW-1:0]  req_asid_o,
  output logic [KeyW-1:0]   req_walk_key_o,
  output logic [IdxW-1:0]   req_mshr_o,
  output logic [OwnW-1:0]   req_warp_o,
  // from the L2: always accepted
  input  logic              rsp_valid_i,
  input  logic [IdxW-1:0]   rsp_mshr_i,
  input  logic [XlateW-1:0] rsp_xlate_i,
  // drain
  output logic              drain_next_o,   // drain_valid_o in the next cycle
  output logic              drain_valid_o,
  output logic              drain_first_o,
  output logic              drain_stale_o,
  output logic              drain_fills_o,  // its translation fills an array, of large pages
  output logic              drain_large_o,
  output logic [IdxW-1:0]   drain_mshr_o,
  // key register: page of the MSHR that is drained, else of the head of the parked list
  input  logic [AsidW-1:0]  head_asid_i,   // of the next cycle
  input  logic [VfnW-1:0]   head_vfn_i,
  output logic [AsidW-1:0]  held_asid_o,
  output logic [VfnW-1:0]   held_vfn_o,
  // page of the MSHR that is drained, in registers of its own: all entries have it at hand
  output logic [AsidW-1:0]  fill_asid_o,
  output logic [VfnW-1:0]   fill_vfn_o,
  output logic [1:0]        drain_store_o,  // class of store
  output logic [XlateW-1:0] drain_xlate_o,
  output logic [TagW-1:0]   drain_tag_o,
  input  logic              drain_pop_i,   // the waiter is answered
  // invalidation
  input  logic              mark_i,
  input  logic              resend_i,
  output logic              stale_o,       // one is stale
  input  logic [CmdW-1:0]   cmd_i
);
  localparam int N = Mshrs;
  if (Mshrs < 1) begin : gen_bad_mshrs
    gmmu_l1tlb_mshr_Mshrs_must_be_at_least_1 u_bad();
  end

  `include "gmmu_types.svh"
  `include "gmmu_first.svh"
  cmd_t cmd;
  assign cmd = cmd_i;
  xlate_t rsp_xlate;
  assign rsp_xlate = rsp_xlate_i[gmmu_pkg::XLATE_FIXED_W+PfnW-1:0];

  logic [Mshrs-1:0]  valid_q, stale_q, send_q, answered_q;
  // of the translation: registers, as the memory gives the rest of it late for a fill
  logic [Mshrs-1:0]  fills_q, large_q;
  logic [Mshrs-1:0]  begun_q;              // a waiter was answered before it was sent again
  // written by a miss, behind one clock gate; mem2reg: as in gmmu_tlb_cam
  (* mem2reg *) logic [AsidW-1:0] asid_q [0:Mshrs-1];
  (* mem2reg *) logic [KeyW-1:0]  walk_key_q [0:Mshrs-1];
  (* mem2reg *) logic [OwnW-1:0]  warp_q [0:Mshrs-1];
  logic [XlateW-1:0] xlate_q [0:Mshrs-1];

  // ---- search
  logic [Mshrs-1:0]              found;
  logic [AsidW+KeyW-1:0]         key;    // a variable, as in gmmu_tlb_cam
  always_comb begin
    found = '0;
    key   = {asid_i, walk_key_i};
    if (miss_i) begin
      for (int i = 0; i < Mshrs; i++) begin
        if ({asid_q[i], walk_key_q[i]} == key) if (valid_q[i] & !stale_q[i]) found[i] = 1'b1;
      end
    end
  end
  assign {match_o, match_idx_o} = {|found, index(found)};
  logic [Mshrs-1:0]  free_hot, next_free, behind_free, writes;    // the first free one; is written
  assign next_free   = miss_i ? free_hot : '0;
  assign behind_free = Mshrs'({upwards(~valid_q), 1'b0});
  assign writes      = free_i ? next_free : '0;
  assign free_idx_o  = index(next_free);

  // ---- which registers does the command match, and does it the one in the miss stage, which comes
  // before it? (frame granular) Kept for the clear pulse: of each page as it is written.
  logic [Mshrs-1:0] cmd_match, resends_q, resends_d;
  logic [Mshrs:0]   marked;
  for (genvar i = 0; i < Mshrs + 1; i++) begin : gen_marked
    logic [AsidW-1:0] asid;
    logic [VfnW-1:0]  vfn;
    localparam int At = i < Mshrs ? i : 0;
    assign {asid, vfn} = i < Mshrs ? {asid_q[At], walk_key_q[At][VfnW-1:0]}
                                   : {asid_i, walk_key_i[VfnW-1:0]};
    assign marked[i] = gmmu_pkg::frame_match(i < Mshrs ? mark_i : miss_i, MarkByAsid != 0,
        cmd.kind, 16'(cmd.asid), cmd.lo, cmd.hi, 16'(asid), 36'($signed(vfn)));
  end
  assign cmd_match = valid_q & marked[Mshrs-1:0];
  assign resends_d = ((mark_i ? marked[Mshrs-1:0] : resends_q) & ~writes) |
      (marked[Mshrs] ? writes : '0);
  assign stale_o   = |(valid_q & stale_q);

  // ---- pages of the next two, to the L2 and to be drained
  logic [Mshrs-1:0]  send_hot, answered_hot;
  logic [IdxW-1:0]   send_idx, answered_idx, drain_mshr_q;
  logic [PageW-1:0]  send_page;
  logic [AsidW-1:0]  next_asid;
  logic [KeyW-1:0]   next_walk_key;
  logic [OwnW-1:0]   unused_warp;
  assign {send_idx, answered_idx} = {index(send_hot), index(answered_hot)};
`ifdef VERILATOR    // the same by number: nobody asks for that of none
  assign send_page = {asid_q[send_idx], walk_key_q[send_idx], warp_q[send_idx]};
  assign {next_asid, next_walk_key, unused_warp} =
      {asid_q[answered_idx], walk_key_q[answered_idx], warp_q[answered_idx]};
`else
  logic [Mshrs*PageW-1:0] pages;
  for (genvar i = 0; i < Mshrs; i++) begin : gen_page
    assign pages[i*PageW +: PageW] = {asid_q[i], walk_key_q[i], warp_q[i]};
  end
  gmmu_hot_mux #(.N(Mshrs), .Width(PageW)) u_send_page (
    .hot_i(send_hot), .words_i(pages), .word_o(send_page)
  );
  gmmu_hot_mux #(.N(Mshrs), .Width(PageW)) u_next (
    .hot_i(answered_hot), .words_i(pages), .word_o({next_asid, next_walk_key, unused_warp})
  );
`endif

  // ---- send register
  logic            send_load, send_any, req_valid_q;
  assign send_load = send_any & (!req_valid_q | req_ready_i);
  gmmu_rr_ahead #(.Reqs(Mshrs)) u_send (
    .clk_i, .rst_ni, .req_i(send_q), .add_i(next_free), .add_after_i(behind_free),
    .added_i(alloc_i), .take_i(send_load), .void_i(resend_i), .valid_o(send_any), .gnt_o(send_hot)
  );
  gmmu_clkgate #(.Width(IdxW + PageW)) u_request (
    .clk_i, .en_i(send_load), .d_i({send_idx, send_page}),
    .q_o({req_mshr_o, req_asid_o, req_walk_key_o, req_warp_o})
  );
  // ---- drain register
  logic              drain_valid_q, drain_first_q, drain_last, drain_load, answered_any, frees;
  logic [AsidW-1:0]  held_asid_q;
  logic [KeyW-1:0]   held_walk_key_q;      // Svadu: the class is that of an MSHR
  // Who joins in this cycle, of a lookup before the answer, is behind the last one.
  logic              drain_tail, drain_joined, drain_resend, drain_stale_q, same_q;
  logic              same_held, same_next;  // a cycle ahead: it says who is drained next
  assign same_held    = {look_asid_i, look_key_i} == {held_asid_q, held_walk_key_q};
  assign same_next    = {look_asid_i, look_key_i} == {next_asid, next_walk_key};
  assign drain_joined = miss_i & drain_valid_q & !drain_stale_o & same_q;
  assign drain_last   = drain_tail & !drain_joined;
  assign {frees, frees_o} = {2{drain_pop_i & drain_last}};
  gmmu_free_ahead #(.Places(Mshrs)) u_free (
    .clk_i, .rst_ni, .used_i(valid_q), .take_i(alloc_i), .give_i(frees), .give_idx_i(drain_mshr_q),
    .free_o(free_hot), .idx_o()
  );
  // Not in the clear pulse: what is answered then may have to be asked for again.
  assign drain_load = answered_any & !resend_i & (!drain_valid_q | frees);
  gmmu_rr_ahead #(.Reqs(Mshrs)) u_drain (
    .clk_i, .rst_ni, .req_i(answered_q), .add_i(Mshrs'(1) << rsp_mshr_i),
    .add_after_i(Mshrs'({{Mshrs{1'b1}} << rsp_mshr_i, 1'b0})), .added_i(rsp_valid_i),
    .take_i(drain_load), .void_i(resend_i), .valid_o(answered_any), .gnt_o(answered_hot)
  );
  assign drain_resend   = resend_i & drain_valid_q & resends_q[drain_mshr_q];
  assign drain_next_o   = drain_load | (drain_valid_q & !(drain_resend | frees));
  assign {req_valid_o, drain_valid_o, drain_first_o, drain_stale_o, drain_mshr_o} =
      {req_valid_q, drain_valid_q, drain_first_q, drain_stale_q, drain_mshr_q};
  assign {held_asid_o, held_vfn_o} = {held_asid_q, held_walk_key_q[VfnW-1:0]};
  assign drain_store_o  = Svadu != 0 ? held_walk_key_q[KeyW-1 -: 2] : 2'b00;
  gmmu_l1tlb_list #(.Mshrs(Mshrs), .TagW(TagW)) u_list (
    .clk_i, .rst_ni, .tag_i, .first_i(writes), .merge_i, .found_i(found),
    .load_i(drain_load), .load_hot_i(answered_hot), .valid_i(drain_valid_q),
    .mshr_i(drain_mshr_q), .joined_i(drain_joined), .pop_i(drain_pop_i), .back_i(drain_resend),
    .tag_o(drain_tag_o), .last_o(drain_tail)
  );

  // ---- state bits
  logic [Mshrs-1:0] valid_d, stale_d, send_d, answered_d, begun_d, allocs, drains, again, rsp_hot;
  assign {drains, allocs} = {Mshrs'(1) << drain_mshr_q, alloc_i ? next_free : '0};
  assign rsp_hot    = rsp_valid_i ? Mshrs'(1) << rsp_mshr_i : '0;
  assign again      = resend_i ? valid_q & resends_q : '0;
  assign valid_d    = (valid_q & ~(frees ? drains : '0)) | allocs;
  assign stale_d    = ((stale_q | (mark_i ? cmd_match : '0)) & ~allocs) |
      (mark_i & marked[Mshrs] ? allocs : '0);
  assign send_d     = ((send_q | (again & answered_q) | (drain_resend ? drains : '0)) &
      ~(send_load ? send_hot : '0)) | allocs;
  assign answered_d = (answered_q & ~again & ~(drain_load ? answered_hot : '0)) |
      rsp_hot;
  assign begun_d    = (begun_q | (drain_resend & !drain_first_q ? drains : '0)) & ~writes;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid_q       <= '0;
      stale_q       <= '0;
      send_q        <= '0;
      answered_q    <= '0;
      req_valid_q   <= 1'b0;
      drain_valid_q <= 1'b0;
    end else begin
      valid_q    <= valid_d;
      stale_q    <= stale_d;
      send_q     <= send_d;
      answered_q <= answered_d;
      if (send_load) req_valid_q <= 1'b1;
      else if (req_ready_i) req_valid_q <= 1'b0;
      drain_valid_q <= drain_next_o;
    end
  end

  // ---- payload: not reset
  always_ff @(posedge clk_i) {begun_q, resends_q} <= {begun_d, resends_d};
  gmmu_clkgate #(.Width(IdxW + 2 + AsidW + VfnW)) u_drained (
    .clk_i, .en_i(drain_load), .d_i({answered_idx, |(fills_q & answered_hot),
        |(large_q & answered_hot), next_asid, next_walk_key[VfnW-1:0]}),
    .q_o({drain_mshr_q, drain_fills_o, drain_large_o, fill_asid_o, fill_vfn_o})
  );
  always_ff @(posedge clk_i) begin
    drain_stale_q <= drain_load ?
        |(stale_q & answered_hot) | (mark_i & |(cmd_match & answered_hot)) :
        drain_stale_q | (mark_i & cmd_match[drain_mshr_q]);
    same_q <= drain_load ? same_next : same_held;
    if (drain_load) begin
      held_asid_q      <= next_asid;
      held_walk_key_q  <= next_walk_key;
      drain_xlate_o    <= xlate_q[answered_idx];
      drain_first_q    <= 1'b1;
    end else begin
      if (drain_pop_i) drain_first_q <= 1'b0;
      if (!drain_valid_q | drain_resend | frees) begin
        held_asid_q     <= head_asid_i;
        held_walk_key_q <= KeyW'(head_vfn_i);
      end
    end
    if (rsp_valid_i) xlate_q[rsp_mshr_i] <= rsp_xlate_i;
    fills_q <= (fills_q & ~rsp_hot) | (!rsp_xlate.no_fill &
        rsp_xlate.cause == gmmu_pkg::CAUSE_OK ? rsp_hot & ~begun_q : '0);
    large_q <= (large_q & ~rsp_hot) | (rsp_xlate.lg ? rsp_hot : '0);
  end
  // Every miss writes the register that it would take: what nobody waits for says nothing, and the
  // way from the search to alloc_i ends at the valid bits.
`ifdef VERILATOR
  always_ff @(posedge clk_i) if (miss_i & free_i)    // the same, in one write
    {asid_q[free_idx_o], walk_key_q[free_idx_o], warp_q[free_idx_o]} <=
        {new_asid_i, new_key_i, warp_i};
`else
  for (genvar i = 0; i < Mshrs; i++) begin : gen_miss
    logic [AsidW-1:0] asid;
    logic [KeyW-1:0]  walk_key;
    logic [OwnW-1:0]  warp;
    gmmu_clkgate #(.Width(PageW)) u_words (
      .clk_i, .en_i(writes[i]), .d_i({new_asid_i, new_key_i, warp_i}),
      .q_o({asid, walk_key, warp})
    );
    assign asid_q[i]     = asid;
    assign walk_key_q[i] = walk_key;
    assign warp_q[i]     = warp;
  end
`endif
  `GMMU_ASSERT(l1_mshr_answer_expected, !(rsp_valid_i && !valid_q[rsp_mshr_i]))
  `GMMU_ASSERT(l1_mshr_alloc_free, !(alloc_i && !free_i))
  `GMMU_ASSERT_IF(l1_mshr_same_is_so, miss_i && drain_valid_q,
      same_q == ({asid_i, walk_key_i} == {held_asid_q, held_walk_key_q}))
  `GMMU_ASSERT(l1_mshr_free_is_so, free_i == !(&valid_q))
  `GMMU_ASSERT_IF(l1_mshr_stale_is_so, drain_valid_q,
      (valid_q[drain_mshr_q] && drain_stale_q == stale_q[drain_mshr_q]))
endmodule
`default_nettype wire
