// SPDX-License-Identifier: Apache-2.0
// Miss registers of the L2 TLB: a miss is answered exactly once, with what its walk brought, of its
// own page, to the L1 MSHR that asked; one that a command has matched since it was taken is told as
// stale when its walk ends, and takes no more merges, nor does one whose walk has ended; of one
// page at most one register takes merges; ends leave in order, each to all who wait, at once but
// for those who get a hit's answer. Early: a walk may answer before it ends; its end then finds
// nobody who waits, and until then, or a command that matches it, it answers lookups of its
// subregion with what it said. See proofs.txt and docs/formal.md. Assumed: the pipeline of
// gmmu_l2_tlb (a lookup's page in stage A, its end in B; ends alone, with their page, some cycles
// after the walk began, once for each), an L1 MSHR has one request on its way, a command comes when
// nothing is stale.
`default_nettype none
module prove_l2tlb_mshr #(
  parameter int Ports  = 1,
  parameter int ByAsid = 1,      // MarkByAsid
  parameter int Early  = 0,
  parameter int Covers = 0,
  localparam int Mshrs  = 2,
  localparam int Sms    = 2,
  localparam int VfnW   = 10,    // bit 9: of the frame, bit 0; the others are 0
  localparam int CmdW   = gmmu_pkg::CMD_FIXED_W + 1,
  localparam int XlateW = gmmu_pkg::xlate_w(8, 0)
) (
  input  logic             clk_i,
  input  logic [Ports-1:0] read_i,
  input  logic [Ports-1:0] asid_i,
  input  logic [Ports*2-1:0] page_i,
  input  logic [Ports-1:0] sm_i,
  input  logic [Ports-1:0] hit_i,
  input  logic [Ports-1:0] l1_mshr_i,
  input  logic             fin_i,         // a walk ends: stage 0
  input  logic             fin_idx_i,
  input  logic             fin_early_i,   // Early: an answer, the end comes later
  input  logic             head_i,
  input  logic             xlate_i,
  input  logic [Sms-1:0]   busy_i,
  input  logic             mark_next_i,
  input  logic [1:0]       kind_i,
  input  logic             cmd_asid_i,
  input  logic             lo_i,
  input  logic             hi_i,
  input  logic             who_sm_i,      // the L1 MSHR that is followed
  input  logic             who_l1_i,
  input  logic [1:0]       on_i           // address spaces that are on: one that is alone has both
);
  `include "prove.svh"

  // ---- the pipeline: stage 0, A, B
  logic [Ports-1:0]   a_look, a_asid, a_sm, b_read_q, search, b_asid_q, b_sm_q, merge, alloc, gets,
                      idx, look;
  logic [Ports*2-1:0] a_page, b_page_q;
  logic               fin_q, fin_idx_q, fin_asid_q, b_fin_q, b_idx_q, fin_asid, fin_early_q,
                      b_early_q;
  logic [1:0]         fin_page_q;
  logic [VfnW-1:0]    fin_key;
  logic [Ports*VfnW-1:0] a_key;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) {fin_q, b_fin_q, b_read_q} <= '0;
    else {fin_q, b_fin_q, b_read_q} <= {fin_i, fin_q, a_look};
    {fin_idx_q, fin_asid_q, fin_page_q} <= {fin_idx_i, fin_asid, fin_key[9], fin_key[0]};
    {fin_early_q, b_early_q, b_idx_q} <= {fin_early_i, fin_early_q, fin_idx_q};
    {b_asid_q, b_page_q, b_sm_q} <= {a_asid, a_page, a_sm};
  end
  assign a_look = fin_q ? '0 : read_i;
  always_comb begin
    {a_asid, a_page, a_sm} = {asid_i, page_i, sm_i};
    if (fin_q) {a_asid[0], a_page[1:0]} = {fin_asid_q, fin_page_q};
  end
  for (genvar p = 0; p < Ports; p++) begin : gen_key
    assign a_key[p*VfnW +: VfnW] = {a_page[2*p+1], 8'd0, a_page[2*p]};
  end
  assign search = b_read_q;
  assign look   = b_read_q & ~hit_i & ~run_hit;

  // ---- a command stands from the cycle before its mark
  logic            mark_q, cmd_asid_q, lo_q, hi_q, stale_any;
  logic [1:0]      kind_q;
  logic [CmdW-1:0] cmd;
  always_ff @(posedge clk_i) begin
    mark_q <= rst_ni & mark_next_i;
    if (!mark_next_i) {kind_q, cmd_asid_q, lo_q, hi_q} <= {kind_i, cmd_asid_i, lo_i, hi_i};
  end
  // frames 0 and -1
  assign cmd = {kind_q, cmd_asid_q, {27{lo_q}}, 9'd0, {27{hi_q}}, 9'h1ff};

  logic              free_idx, popped, freed, freed_idx, done_stale, tell, own_sm, own_warp;
  logic [1:0]        retry, ans_valid, ans_l1, displaced;
  logic [2:0]        answers;
  logic [3:0]        misses;
  logic [XlateW-1:0] ans_xlate;
  logic [Ports-1:0]  run_hit;
  logic [Ports*gmmu_pkg::PERM_W-1:0] run_perm;
  logic [Ports*(gmmu_pkg::PERM_W+8)-1:0] run_data;
  gmmu_l2tlb_mshr #(.Mshrs(Mshrs), .Total(Mshrs), .Ports(Ports), .NumSms(Sms), .NumAsids(2),
      .L1Mshrs(2), .AsidW(1), .VfnW(VfnW), .PfnW(8), .Early(Early),
      .MarkByAsid(ByAsid)) u_dut (
    .clk_i, .rst_ni, .read_i(a_look), .read_asid_i(a_asid), .read_walk_key_i(a_key),
    .read_sm_i(a_sm), .search_i(search), .run_look_i(b_read_q & ~hit_i), .look_i(look),
    .asid_i(b_asid_q),
    .sm_i(b_sm_q), .l1_mshr_i, .warp_i('0), .merge_o(merge), .alloc_o(alloc), .gets_o(gets),
    .idx_o(idx), .free_idx_o(free_idx), .retry_o(retry), .app_misses_o(misses),
    .run_hit_o(run_hit), .run_perm_o(run_perm), .run_data_o(run_data), .fin_idx_i,
    .fin_asid_o(fin_asid), .fin_walk_key_o(fin_key), .done_i(b_fin_q), .done_early_i(b_early_q),
    .done_head_i({7'd0, head_i}), .read_mshr_i(fin_idx_q), .done_idx_i(b_idx_q),
    .done_xlate_i(XlateW'(xlate_i)), .done_stale_o(done_stale), .owner_sm_o(own_sm),
    .owner_warp_o(own_warp), .answers_o(answers), .sm_busy_i(busy_i), .ans_valid_o(ans_valid),
    .ans_l1_mshr_o(ans_l1), .ans_xlate_o(ans_xlate), .ans_displaced_o(displaced),
    .popped_o(popped), .freed_o(freed), .freed_idx_o(freed_idx), .tell_idx_i('0), .tell_sm_i('0),
    .tell_counts_o(tell), .ctx_on_i(on_i), .mark_next_i, .mark_i(mark_q), .stale_o(stale_any),
    .cmd_i(cmd)
  );

  // ---- registers by what came of them: used, page, walk on its way, stale, ended
  logic [Mshrs-1:0] used, walks, stale, ended, over, told, early1, early2, match, stale_now, asid,
                    head, serves;
  logic [2*Mshrs-1:0] page;
  for (genvar i = 0; i < Mshrs; i++) begin : gen_mshr
    logic take, fin, frees, frame;
    assign take  = (alloc[0] && idx[0] == 1'(i)) || (alloc[Ports-1] && idx[Ports-1] == 1'(i));
    assign fin   = fin_i && fin_idx_i == 1'(i);
    assign frees = freed && freed_idx == 1'(i);
    assign frame = page[2*i+1];
    assign match[i] = kind_q == gmmu_pkg::INV_ALL || (asid[i] == cmd_asid_q &&
        (kind_q == gmmu_pkg::INV_ASID || (kind_q == gmmu_pkg::INV_RANGE &&
         (ByAsid != 0 || (frame >= lo_q && frame <= hi_q)))));
    assign serves[i] = used[i] && ended[i] && !over[i] && !stale_now[i];
    assign stale_now[i] = stale[i] || (mark_q && match[i]);
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        {used[i], walks[i], stale[i], ended[i], over[i], told[i], early1[i], early2[i]} <= '0;
      end else begin
        used[i]   <= take || (used[i] && !frees);
        walks[i]  <= take || (walks[i] && !(fin && !fin_early_i));
        told[i]   <= !take && (told[i] || (fin && fin_early_i));
        over[i]   <= !take && (over[i] || (b_fin_q && !b_early_q && b_idx_q == 1'(i)));
        stale[i]  <= !take && stale_now[i] && !frees;
        ended[i]  <= !take && (ended[i] || (b_fin_q && b_idx_q == 1'(i)));
        early1[i] <= take;
        early2[i] <= early1[i];
      end
      if (b_fin_q && b_early_q && b_idx_q == 1'(i)) head[i] <= head_i;
      if (take) asid[i] <= alloc[0] ? b_asid_q[0] : b_asid_q[Ports-1];
      if (take) page[2*i +: 2] <= alloc[0] ? b_page_q[1:0] : b_page_q[2*Ports-1 -: 2];
    end
  end

  // ---- who waits; of one what for, and what its walk brought
  logic [3:0] waits_q, asks, served;      // [2*sm + L1 MSHR]
  logic       who_sm_q, who_l1_q, idx_q, has_q, xlate_q, mine;
  always_comb begin
    {asks, served} = '0;
    for (int p = 0; p < Ports; p++)
      if (merge[p] || alloc[p]) asks[{b_sm_q[p], l1_mshr_i[p]}] = 1'b1;
    for (int s = 0; s < Sms; s++)
      if (ans_valid[s]) served[{s[0], ans_l1[s]}] = 1'b1;
  end
  assign mine = waits_q[{who_sm_q, who_l1_q}];
  always_ff @(posedge clk_i) begin
    waits_q <= rst_ni ? (waits_q | asks) & ~served : '0;
    {who_sm_q, who_l1_q} <= rst_ni ? {who_sm_q, who_l1_q} : {who_sm_i, who_l1_i};
    for (int p = 0; p < Ports; p++) begin
      if ((merge[p] || alloc[p]) && b_sm_q[p] == who_sm_q && l1_mshr_i[p] == who_l1_q)
        {idx_q, has_q} <= {idx[p], 1'b0};
    end
    if (mine && b_fin_q && b_idx_q == idx_q && !has_q) {has_q, xlate_q} <= {1'b1, xlate_i};
  end

  // ---- ends that are held, the oldest lowest
  logic [2:0] held_q, held;
  logic [3:0] order_q, order, early_q, earlies, empty_q, empties;   // which, early, nobody waits
  assign held    = held_q - 3'(popped);
  assign order   = popped ? order_q >> 1 : order_q;
  assign earlies = popped ? early_q >> 1 : early_q;
  assign empties = popped ? empty_q >> 1 : empty_q;
  always_ff @(posedge clk_i) begin
    held_q <= rst_ni ? held + 3'(b_fin_q) : '0;
    {order_q, early_q, empty_q} <= {order, earlies, empties};
    if (b_fin_q) order_q[held[1:0]] <= b_idx_q;
    if (b_fin_q) early_q[held[1:0]] <= b_early_q;
    if (b_fin_q) empty_q[held[1:0]] <= ended[b_idx_q];
  end
  // a lookup that an early answer serves: what it gets, in the next cycle
  logic [Ports-1:0] run_q;
  logic [2*Ports-1:0] from, from_q;
  logic [Mshrs-1:0] head_q;
  for (genvar p = 0; p < Ports; p++) begin : gen_from
    for (genvar i = 0; i < Mshrs; i++) begin : gen_of
      assign from[2*p+i] = serves[i] && asid[i] == b_asid_q[p] && page[2*i+1] == b_page_q[2*p+1];
    end
  end
  always_ff @(posedge clk_i) {run_q, from_q, head_q} <= {rst_ni ? run_hit : '0, from, head};

  // ---- what the rest of the L2 TLB keeps to
  always_comb begin
    if (!rst_ni) assume (read_i == '0 && !fin_i && !mark_next_i);
    // Ends: of a walk that is on its way, not in the cycles in which its page is being written; not
    // one behind the other; as many as there is room for.
    assume (!fin_early_i || (Early != 0 && fin_i && !told[fin_idx_i]));
    assume (!fin_i || (walks[fin_idx_i] && !early1[fin_idx_i] && !early2[fin_idx_i] && !fin_q));
    // A lookup: of distinct SMs, by an L1 MSHR that waits for nothing.
    if (Ports == 2) assume (a_look != '1 || a_sm[0] != a_sm[Ports-1]);
    for (int p = 0; p < Ports; p++)
      assume (!look[p] || !waits_q[{b_sm_q[p], l1_mshr_i[p]}]);
    // Commands: none while one is being marked or is stale.
    assume (!mark_next_i || (!mark_q && !(|stale_now)));
  end

  if (Covers == 0) begin : gen_assert
    always_comb begin
      if (rst_ni) begin
        for (int p = 0; p < Ports; p++) begin
          assert (run_hit[p] == (Early != 0 && b_read_q[p] && !hit_i[p] && from[2*p +: 2] != '0));
          assert (!run_q[p] || (run_data[p*13+1 +: 12] == '0 &&
              ((from_q[2*p] && head_q[0] == run_data[p*13]) ||
               (from_q[2*p+1] && head_q[1] == run_data[p*13]))));
          assert (!(merge[p] && alloc[p]) && (look[p] || !(merge[p] || alloc[p])));
          assert (!look[p] || gets[p] == (merge[p] || alloc[p]));
          // Into an open register of its page, or that which port 0 takes.
          assert (!merge[p] || (p == 1 && alloc[0] && idx[p] == idx[0] &&
              {b_asid_q[p], b_page_q[2*p +: 2]} == {b_asid_q[0], b_page_q[1:0]}) ||
              (used[idx[p]] && !stale_now[idx[p]] && !ended[idx[p]] &&
               {asid[idx[p]], page[2*idx[p] +: 2]} == {b_asid_q[p], b_page_q[2*p +: 2]}));
          // Else it takes the free one, and no open one has its page.
          assert (!alloc[p] || (!used[idx[p]] && idx[p] == free_idx));
          assert (!alloc[p] || !(
              (used[0] && !stale_now[0] && !ended[0] &&
               {asid[0], page[1:0]} == {b_asid_q[p], b_page_q[2*p +: 2]}) ||
              (used[1] && !stale_now[1] && !ended[1] &&
               {asid[1], page[3:2]} == {b_asid_q[p], b_page_q[2*p +: 2]})));
        end
        page_of: assert (!fin_i || {fin_asid, fin_key} ==
            {asid[fin_idx_i], page[2*fin_idx_i+1], 8'd0, page[2*fin_idx_i]});
        stale_of: assert (!b_fin_q || done_stale == stale_now[b_idx_q]);
        none_stale: assert (!stale_any || (used & stale) != '0);
        asked:    assert ((served & ~waits_q) == '0);
        right:    assert (!(ans_valid[who_sm_q] && ans_l1[who_sm_q] == who_l1_q) ||
                          (mine && has_q && ans_xlate == XlateW'(xlate_q)));
        kept:     assert (!mine || (used[idx_q] && (walks[idx_q] || fin_q || b_fin_q || has_q)));
        owed:     assert (!(mine && has_q) || answers != '0);
        at_once:  assert (answers == '0 || busy_i != '0 || popped);
        not_busy: assert ((ans_valid & busy_i) == '0);
        frees_one: assert (!freed || (used[freed_idx] && over[freed_idx]));
        in_order: assert (answers == held_q && freed == (popped && !early_q[0]) &&
            (!freed || freed_idx == order_q[0]));
        nobody:   assert (!(held_q != '0 && empty_q[0]) || ans_valid == '0);
      end
    end
  end else begin : gen_cover
    always_comb begin
      if (rst_ni) begin
        c0: assert (!(merge[0] && ended == 2'b01));
        c1: assert (!(b_fin_q && done_stale && mark_q));
        c2: assert (!(ans_valid == 2'b11 && displaced == '0 && answers == 3'd2));
        c3: assert (!(displaced == 2'b10 && mine && has_q && who_sm_q));
        c4: assert (!(alloc[0] && stale_now == 2'b10 && page[3:2] == b_page_q[1:0]));
        c6: assert (!(alloc[0] && used[0] && asid[0] == b_asid_q[0] && page[1:0] != b_page_q[1:0]));
        if (Early != 0) c7: assert (!(run_q[0] && run_data[0] && empty_q[0] && held_q == 3'd2));
        if (Early != 0) c8: assert (!(b_fin_q && b_early_q && done_stale && mine));
        if (Ports == 2) c5: assert (!(merge[Ports-1] && alloc[0]));
      end
    end
  end
endmodule
`default_nettype wire
