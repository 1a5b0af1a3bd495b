// SPDX-License-Identifier: Apache-2.0
// The L2 TLB's part of an invalidation: once sweep_done_o has come, no answer to whatever lookup of
// one followed page, a hit's or a walk's, has a translation from before the mark of a command that
// covers the page; sweep_done_o comes once for each start. It is what prove_l1_tlb assumes. Arrays
// and miss registers are any that keep to what other proofs show of them (tlb_cam*, set_array*,
// bypass_cache; l2tlb_mshr*), below; queues, arbitration, stages, fill rules, sweep, drain and the
// delay line of hits are the design's own.
//
// The page has two translations in turn, its colour; a command that covers it changes which. A PFN
// here is {of the followed page, colour}. Assumed of the walker (walker_ends): from the cycle
// behind the mark on a walk that ends has the new colour, but what stood in its queue then, which
// has no gap, and the empty end of a walk that answered early, which fills nothing. Such an end, or
// the fill of a run, has bit 1 of its PFN set here: nobody waits for it (l2tlb_mshr-early). See
// proofs.txt and docs/formal.md.
`default_nettype none
`define FOLLOWED(W) W'(27'b1_0000_0000_1)   // frame 1, page 1

// The arrays: entries of the followed page only, one in the set-associative array, one in the
// others; each may go at any time. For another page any hit.
module gmmu_l2tlb_lookup;  // parameters and ports of rtl/
  localparam logic [AsidW-1:0] Asid = AsidW'(1);
  localparam logic [VfnW-1:0]  Vfn  = `FOLLOWED(VfnW);
  (* anyseq *) logic [Ports-1:0] any_hit;
  (* anyseq *) logic       lose_set, lose_rest, visit;
  logic                    set_q, set_colour_q, rest_q, rest_colour_q, busy_q, covers;
  logic                    frame, own, to_set, to_rest;
  logic [1:0]              kind;
  logic [AsidW-1:0]        asid;
  logic [35:0]             lo, hi;
  logic [Ports-1:0]        here;
  assign {kind, asid, lo, hi} = cmd_i;
  assign covers = kind == gmmu_pkg::INV_ALL | FlushL2 != 0 | (asid == Asid &
      (kind == gmmu_pkg::INV_ASID | (36'($signed(Vfn)) >= lo & 36'($signed(Vfn)) <= hi)));
  // what fills it: its own walk, one of its frame, one whose run has it
  assign frame  = fin_i & asid_i[AsidW-1:0] == Asid & walk_key_i[VfnW-1:9] == Vfn[VfnW-1:9];
  assign own    = !fill_sub_i ? walk_key_i[VfnW-1:0] == Vfn
      : fill_start_i <= Vfn[8:6] & {1'b0, fill_start_i} + fill_len_i >= Vfn[8:6];
  assign to_set  = frame & own & fill_base_i;
  assign to_rest = frame & (fill_large_i | (own & fill_bypass_i));
  always_ff @(posedge clk_i) begin
    if (!rst_ni) {set_q, rest_q, busy_q} <= '0;
    else begin
      set_q  <= to_set | (set_q & !lose_set & !(sweep_i & walk_key_i[0] == Vfn[0] & covers));
      rest_q <= to_rest | (rest_q & !lose_rest & !(busy_q & visit & covers));
      busy_q <= sweep_start_i | (busy_q & !visit);
    end
    if (to_set) set_colour_q <= fill_xlate_i[0];
    if (to_rest) rest_colour_q <= fill_xlate_i[0];
  end
  for (genvar p = 0; p < Ports; p++) begin : gen_port
    assign here[p]  = asid_i[p*AsidW +: AsidW] == Asid & walk_key_i[p*KeyW +: VfnW] == Vfn;
    assign run_look_o[p] = look_i[p] & !(here[p] ? set_q | rest_q : any_hit[p]);
    assign hit_o[p]      = look_i[p] & (!run_look_o[p] | run_hit_i[p]);
    assign xlate_o[p*XlateW +: XlateW] =
        XlateW'({here[p], here[p] & (set_q ? set_colour_q : rest_colour_q)});
  end
  assign sweep_busy_o = busy_q;
  assign ready_o      = 1'b1;
  assign {bad_o, offset_o, outcome_o, way_o, event_o} = '0;
endmodule

// Miss registers: an end is stale where a command has matched its page since its walk began; ends
// are answered in order, each in a cycle or more; nobody waits for the end of one that answered
// early. A walk that answers early answers lookups too, of
// its subregion, until its end or a command that matches it.
module gmmu_l2tlb_mshr;  // parameters and ports of rtl/
  localparam logic [AsidW-1:0] Asid = AsidW'(1);
  localparam logic [VfnW-1:0]  Vfn  = `FOLLOWED(VfnW);
  (* anyseq *) logic [Ports-1:0] any_merge, any_alloc;
  (* anyseq *) logic       any_stale, any_pop, run_ends, any_page, any_frame, any_asid;
  (* anyseq *) logic [NumSms-1:0] any_waits, any_displaced;
  (* anyseq *) logic [NumAsids-1:0] any_may;
  (* anyseq *) logic [IdxW-1:0] any_idx;
  localparam int DataW = gmmu_pkg::PERM_W + PfnW;
  logic [Ports-1:0]        here;
  logic [1:0]              kind;
  logic [AsidW-1:0]        asid, end_asid_q;
  logic [VfnW-1:0]         end_vfn_q;
  logic [35:0]             lo, hi;
  logic                    match, covers, now_q, of_frame, of_page, of_run, run_q, run_colour_q,
                           run_data_q;
  logic [2:0]              ends_q;
  logic [3:0]              mine_q, colour_q, mine, colour;   // of the queue of ends, oldest lowest
  logic [3:0]              empty_q, empty;
  assign {kind, asid, lo, hi} = cmd_i;
  assign match  = kind == gmmu_pkg::INV_ALL | (asid == Asid & (kind == gmmu_pkg::INV_ASID |
      (kind == gmmu_pkg::INV_RANGE & (MarkByAsid != 0 |
       (27'($signed(Vfn[VfnW-1:9])) >= lo[35:9] & 27'($signed(Vfn[VfnW-1:9])) <= hi[35:9])))));
  assign covers = kind == gmmu_pkg::INV_ALL | (asid == Asid &
      (kind == gmmu_pkg::INV_ASID | (36'($signed(Vfn)) >= lo & 36'($signed(Vfn)) <= hi)));
  // a walk's page, in stage 0, and in stage B what stage A had
  assign fin_asid_o     = AsidW'(any_asid);
  assign fin_walk_key_o = KeyW'({any_frame, 8'd0, any_page});
  always_ff @(posedge clk_i) {end_asid_q, end_vfn_q} <=
      {read_asid_i[AsidW-1:0], read_walk_key_i[VfnW-1:0]};
  assign of_frame = end_asid_q == Asid & end_vfn_q[VfnW-1:9] == Vfn[VfnW-1:9];
  assign of_page  = of_frame & end_vfn_q == Vfn;
  assign of_run   = of_frame & end_vfn_q[8:6] == Vfn[8:6];
  assign done_stale_o = any_stale |
      (of_frame & ((mark_i & match) | done_xlate_i[0] != now_q));
  assign popped_o = ends_q != '0 & any_pop;
  assign mine     = popped_o ? mine_q >> 1 : mine_q;
  assign colour   = popped_o ? colour_q >> 1 : colour_q;
  assign empty    = popped_o ? empty_q >> 1 : empty_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) {ends_q, now_q, run_q} <= '0;
    else begin
      run_q  <= done_i & done_early_i & of_run ? !done_stale_o
                                               : run_q & !run_ends & !(mark_i & match);
      ends_q <= ends_q + 3'(done_i) - 3'(popped_o);
      now_q  <= now_q ^ (mark_i & covers);
    end
    if (done_i & done_early_i & of_run) run_colour_q <= done_xlate_i[0];
    run_data_q <= run_colour_q;
    for (int i = 0; i < 4; i++) begin
      empty_q[i]  <= done_i & ends_q - 3'(popped_o) == 3'(i) ? done_xlate_i[1] : empty[i];
      mine_q[i]   <= done_i & ends_q - 3'(popped_o) == 3'(i) ? of_page : mine[i];
      colour_q[i] <= done_i & ends_q - 3'(popped_o) == 3'(i) ? done_xlate_i[0] : colour[i];
    end
  end
`ifndef COVERS
  always_comb if (rst_ni) assert (!done_i | ends_q < 3'd4);
`endif
  assign answers_o       = ends_q;
  assign ans_valid_o     = ends_q != '0 & !empty_q[0] ? any_waits & ~sm_busy_i : '0;
  assign ans_displaced_o = any_displaced;
  assign ans_xlate_o     = XlateW'({mine_q[0], colour_q[0]});
  assign freed_o         = popped_o;
  assign merge_o         = look_i & any_merge;
  assign alloc_o         = look_i & ~any_merge & any_alloc;
  assign gets_o          = any_merge | any_alloc;
  assign retry_o         = any_may;
  assign free_idx_o      = any_idx;
  for (genvar p = 0; p < Ports; p++) begin : gen_run
    assign run_hit_o[p] = Early != 0 & run_look_i[p] & run_q & !(mark_i & match) & here[p];
    assign run_data_o[p*DataW +: DataW] = DataW'({1'b1, run_data_q});
    always_ff @(posedge clk_i) here[p] <= read_asid_i[p*AsidW +: AsidW] == Asid &
        read_walk_key_i[p*KeyW +: VfnW] == Vfn;
  end
  assign {ans_l1_mshr_o, freed_idx_o, idx_o, app_misses_o, run_perm_o, owner_sm_o, owner_warp_o,
          tell_counts_o, stale_o} = '0;
endmodule

module prove_l2_tlb #(
  parameter int Ports   = 1,
  parameter int Latency = 6,
  parameter int Unified = 0,
  parameter int Serial  = 0,
  parameter int FlushL2 = 0,
  parameter int ByAsid  = 0,
  parameter int Covers  = 0,
  localparam int Sms    = 2,
  localparam int VfnW   = 27,
  localparam int PfnW   = 2,
  localparam int XlateW = gmmu_pkg::xlate_w(PfnW, 0),
  localparam int CmdW   = gmmu_pkg::CMD_FIXED_W + 1
) (
  input  logic             clk_i,
  input  logic [Sms-1:0]   req_valid_i,
  input  logic [Sms*3-1:0] req_key_i,       // ASID, frame, page
  input  logic             fin_valid_i,
  input  logic             fin_colour_i,
  input  logic             fin_large_i,
  input  logic             fin_no_fill_i,
  input  logic [gmmu_pkg::RUN_W-1:0] fin_run_i,     // Unified
  input  logic             mark_next_i,
  input  logic             sweep_start_i,
  input  logic [1:0]       kind_i,
  input  logic             cmd_asid_i,
  input  logic [3:0]       range_i          // first and last {frame, page}
);
  `include "prove.svh"

  // ---- a command stands from the cycle before its mark until the sweep is done
  logic            mark_q, marked_q, swept_q, asid_q, covers, running, done, fin_take, now_q, old_q;
  logic [1:0]      kind_q;
  logic [3:0]      range_q;
  logic [CmdW-1:0] cmd;
  localparam logic [VfnW-1:0] Vfn = `FOLLOWED(VfnW);
  function automatic logic [35:0] wide(input logic [1:0] v);
    wide = {26'd0, v[1], 8'd0, v[0]};
  endfunction
  assign cmd     = {kind_q, asid_q, wide(range_q[3:2]), wide(range_q[1:0])};
  assign running = mark_q | marked_q;     // marked_q: from behind the mark to the end of the sweep
  assign covers  = kind_q == gmmu_pkg::INV_ALL | (asid_q &
      (kind_q == gmmu_pkg::INV_ASID |
       (wide(range_q[3:2]) <= 36'(Vfn) & 36'(Vfn) <= wide(range_q[1:0]))));
  always_ff @(posedge clk_i) begin
    if (!rst_ni) {mark_q, marked_q, swept_q, now_q, old_q} <= '0;
    else begin
      mark_q   <= mark_next_i;
      marked_q <= mark_q | (marked_q & !done);
      swept_q  <= !mark_q & (swept_q | sweep_start_i);
      now_q    <= now_q ^ (mark_q & covers);
      old_q    <= mark_q | (old_q & fin_valid_i);   // the walker's queue has had no gap since
    end
    if (!rst_ni | (!running & !mark_next_i))
      {kind_q, asid_q, range_q} <= {kind_i, cmd_asid_i, range_i};
  end

  logic [Sms-1:0]          req_ready, req_asid, ans_sel, unused_tell, unused_l1;
  logic [Sms*VfnW-1:0]     req_vfn;
  logic [Ports*Sms-1:0]    hit_sel, unused_taken;
  logic [Ports*XlateW-1:0] hit_xlate;
  logic [XlateW-1:0]       ans_xlate;
  for (genvar s = 0; s < Sms; s++) begin : gen_sm
    assign req_asid[s]               = req_key_i[s*3 + 2];
    assign req_vfn[s*VfnW +: VfnW]   = VfnW'(wide(req_key_i[s*3 +: 2]));
  end
  gmmu_l2_tlb #(.NumSms(Sms), .NumAsids(2), .AsidW(1), .VaW(39), .PfnW(PfnW), .L1Mshrs(2),
      .Entries(8), .Ways(4), .LargeEntries(Unified != 0 ? 0 : 2),
      .L2Unified(Unified), .L2Serial(Serial), .Ports(Ports), .Latency(Latency), .Mshrs(2),
      .WarpCounters(0), .FlushL2(FlushL2), .MarkByAsid(ByAsid), .Obs(0), .WarpW(1)) u_dut (
    .clk_i, .rst_ni, .req_valid_i, .req_ready_o(req_ready), .req_asid_i(req_asid),
    .req_walk_key_i(req_vfn), .req_mshr_i('0), .req_warp_i('0), .taken_sel_o(unused_taken),
    .taken_l1_mshr_o(), .taken_mshr_o(), .tell_valid_i('0), .tell_ready_o(unused_tell),
    .tell_mshr_i('0), .tell_warps_i('0), .hit_sel_o(hit_sel), .hit_l1_mshr_o(),
    .hit_xlate_o(hit_xlate), .ans_sel_o(ans_sel), .ans_l1_mshr_o(unused_l1),
    .ans_xlate_o(ans_xlate), .walk_valid_o(), .walk_mshr_o(), .walk_asid_o(), .walk_key_o(),
    .fin_valid_i, .fin_take_o(fin_take), .fin_mshr_i('0),
    .fin_xlate_i({5'd0, fin_large_i, fin_no_fill_i, 5'b01111, Unified != 0 & fin_run_i[7],
    fin_colour_i}),
    .fin_run_i(Unified != 0 ? fin_run_i : '0), .look_o(), .look_hit_o(), .look_app_o(),
    .owner_sm_o(), .owner_warp_o(),
    .token_i(1'b0), .app_misses_o(), .ctx_on_i(2'b11), .mark_next_i, .mark_i(mark_q),
    .sweep_start_i, .sweep_done_o(done), .stale_o(), .cmd_i(cmd), .count_look_o(),
    .count_hit_o(), .count_parity_o(), .obs_o()
  );

  // ---- gmmu_invalidate: one command at a time, one start behind its mark; the walker
  always_comb begin
    assume (!mark_next_i | (rst_ni & !running));
    assume (kind_i != gmmu_pkg::INV_NONE | range_i == 4'b1100);   // it has no page
    assume (!sweep_start_i | (marked_q & !swept_q));
    assume (!fin_valid_i | fin_colour_i == now_q | old_q |
        (Unified != 0 & fin_run_i[gmmu_pkg::RUN_W-1:6] == gmmu_pkg::RUN_ONLY[gmmu_pkg::RUN_W-1:6]));
    assume (!fin_waits_q | (fin_valid_i &
        {fin_colour_i, fin_large_i, fin_no_fill_i, fin_run_i} == fin_was_q));
  end
  logic fin_waits_q;
  logic [gmmu_pkg::RUN_W+2:0] fin_was_q;
  always_ff @(posedge clk_i) begin
    fin_waits_q <= rst_ni & fin_valid_i & !fin_take;
    fin_was_q   <= {fin_colour_i, fin_large_i, fin_no_fill_i, fin_run_i};
  end

  logic ends;     // an answer of the followed page with a translation from before
  always_comb begin
    ends = ans_sel != '0 & ans_xlate[1] & ans_xlate[0] != now_q;
    for (int p = 0; p < Ports; p++)
      if (hit_sel[p*Sms +: Sms] != '0 & hit_xlate[p*XlateW+1] &
          hit_xlate[p*XlateW] != now_q) ends = 1'b1;
  end
  if (Covers == 0) begin : gen_assert
    always_comb begin
      if (rst_ni) begin
        up_to_date: assert (running | !ends);
        done_once:  assert (!done | (marked_q & swept_q));
      end
    end
  end else begin : gen_cover
    logic [2:0] hits_q;    // of the followed page since the last mark
    always_ff @(posedge clk_i) begin
      if (!rst_ni | mark_q) hits_q <= '0;
      else if (hit_sel != '0 & hit_xlate[1] & !(&hits_q)) hits_q <= hits_q + 1'b1;
    end
    always_comb begin
      if (rst_ni) begin
        c0: assert (!(done & now_q & hits_q != '0));
        c1: assert (!(marked_q & ends & ans_sel != '0 & ans_xlate[1]));
        c2: assert (!(marked_q & hit_sel != '0 & hit_xlate[1] & hit_xlate[0] != now_q & swept_q));
        c3: assert (!(!running & now_q & ans_sel != '0 & ans_xlate[1:0] == 2'b11));
        c4: assert (!(!running & now_q & hit_sel != '0 & hit_xlate[1:0] == 2'b11));
        c5: assert (!(fin_take & old_q & fin_colour_i != now_q));
        c6: assert (!(done & !now_q & hits_q != '0 & kind_q == gmmu_pkg::INV_RANGE));
      end
    end
  end
endmodule
`default_nettype wire
