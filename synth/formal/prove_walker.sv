// SPDX-License-Identifier: Apache-2.0
// The walker's part of an invalidation: a translation from before the mark of a command that covers
// its page ends in no cycle behind the mark but from the queue of ended walks, where it stood then,
// and which has had no gap since. It is what prove_l2_tlb assumes. Around any slots, starts, steps
// and reads that keep to what other proofs show of them (walk_slots: when a walk is stale); who
// restarts, who ends, and the queue are the design's own. Unified: walks that answer early, and the
// search of their runs, too, around any heads and without a subregion cache; the end of a run that
// was marked meanwhile has the old translation, but fills nothing.
//
// The followed frame has two translations in turn, its colour; a command that covers it changes
// which. A walk has the colour of the cycle in which it began to read, a frame number here is {of
// the followed frame, colour}. See proofs.txt and docs/formal.md.
`default_nettype none

// Slots: a walk is stale when a command has covered it since its last step, or its begin, but in
// that cycle.
module gmmu_walker_slots;  // parameters and ports of rtl/
  (* anyseq *) logic any_mine, any_stale, any_contiguous;
  logic [Walks-1:0]  busy_q, mine_q, colour_q, stale_q, begins, steps;
  logic              now_q, flips, now;
  assign flips       = mark_i & cmd_i[0];     // covers the followed frame
  assign now         = now_q ^ flips;
  assign free_slot_o = SlotW'(busy_q[0]);
  always_comb begin
    {begins, steps} = '0;
    begins[again_i ? again_slot_i : free_slot_o] = begin_i;
    steps[dec_slot_i] = step_i;
  end
  always_ff @(posedge clk_i) begin
    now_q <= rst_ni & now;
    for (int w = 0; w < Walks; w++) begin
      if (!rst_ni) {busy_q[w], stale_q[w]} <= '0;
      else begin
        busy_q[w]  <= begins[w] | (busy_q[w] & !(free_i & fin_slot_i == SlotW'(w)));
        stale_q[w] <= (stale_q[w] | (flips & mine_q[w])) & !begins[w] & !steps[w];
      end
      if (begins[w]) colour_q[w] <= now;
      if (begins[w] & !again_i) mine_q[w] <= any_mine;
    end
  end
  assign dec_stale_o = any_stale | (mine_q[dec_slot_i] & (stale_q[dec_slot_i] | flips));
  assign dec_vfn_o   = VfnW'({mine_q[dec_slot_i], colour_q[dec_slot_i]});
  assign dec_path_o  = any_contiguous ? gmmu_pkg::PATH_C : gmmu_pkg::PATH_OWN;
  assign run_stale_o = mine_q[run_slot_i] & (stale_q[run_slot_i] | flips);
  always_comb assume (!(begin_i & !again_i) | !(&busy_q));   // gmmu_walker_start counts them
  assign {first_vfn_o, first_level_o, first_path_o, dec_asid_o, dec_mshr_o, dec_level_o, dec_sv48_o,
          run_asid_o, run_vfn_o, run_mshr_o, run_sv48_o, rsp_half_o, restart_o} = '0;
endmodule

// What begins: any new walk, or one that is to start over; any cause.
module gmmu_walker_start;  // parameters and ports of rtl/
  (* anyseq *) logic             any, any_again, any_cause;
  (* anyseq *) logic [SlotW-1:0] any_slot;
  logic [Walks-1:0]              waits_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) waits_q <= '0;
    else begin
      if (begin_i & again_o) waits_q[slot_o] <= 1'b0;
      if (again_i) waits_q[again_slot_i] <= 1'b1;
    end
  end
  assign slot_o  = any_slot;
  assign again_o = any_again & waits_q[slot_o];
  assign valid_o = any;
  assign cause_o = {4'd0, any_cause};
  assign {waited_o, mshr_o, app_o, asid_o, walk_key_o, pfn_o, idx_o, level_o, sv48_o} = '0;
endmodule

// Reads: each is answered once, two cycles later at the earliest.
module gmmu_walker_read;  // parameters and ports of rtl/
  (* anyseq *) logic             any;
  (* anyseq *) logic [SlotW-1:0] any_slot;
  logic [Walks-1:0]              reads_q, sent_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) {reads_q, sent_q} <= '0;
    else begin
      sent_q <= reads_q;
      if (pwc_valid_o) reads_q[pwc_slot_o] <= 1'b0;
      if (pwc_valid_o) sent_q[pwc_slot_o] <= 1'b0;
      if (root_read_i) reads_q[root_slot_i] <= 1'b1;
      if (dec_read_i) reads_q[dec_slot_i] <= 1'b1;
      if (run_read_i & run_grant_i) reads_q[run_slot_i] <= 1'b1;
    end
  end
  assign pwc_slot_o  = any_slot;
  assign pwc_valid_o = any & sent_q[pwc_slot_o];
  assign {read_o, read_slot_o, read_addr_o, mem_req_valid_o, mem_req_addr_o, mem_req_id_o,
          mem_req_depth_o, mem_rsp_pte_o, pwc_pte_o, pwc_event_o} = '0;
endmodule

// Steps: of what is answered, in the next cycle; a pointer, after which the walk may read on, or a
// leaf with what it has read, or (Svadu) one that is to be updated and read again.
module gmmu_walker_step;  // parameters and ports of rtl/
  (* anyseq *) logic [4:0] any;
  logic             valid_q;
  logic [SlotW-1:0] slot_q;
  always_ff @(posedge clk_i) {valid_q, slot_q} <= {rst_ni & pwc_valid_i, pwc_slot_i};
  assign first_o      = pwc_valid_i;
  assign first_slot_o = pwc_slot_i;
  assign valid_o      = valid_q;
  assign slot_o       = slot_q;
  assign pointer_o    = any[0];
  assign next_o       = valid_q & any[0];
  assign update_o     = Svadu != 0 & valid_q & !any[0] & any[2];
  assign update_d_o   = any[3];
  assign whole_o      = L2Unified != 0 & any[4];
  assign may_read_o   = valid_q | any[1];
  assign xlate_o      = PageXlateW'(vfn_i[1:0]);
  assign {pwc_pop_o, take_o, take_slot_o, first_pointer_o, first_page_o, first_offset_o, pte_o,
          err_o, cached_o, next_pfn_o, next_idx_o, next_path_o} = '0;
endmodule

// Heads: of a walk that answered early its own; which others are read, and what they say, is any.
module gmmu_walk_heads;  // parameters and ports of rtl/
  (* anyseq *) logic       any_last, any_insert;
  (* anyseq *) logic [7:0] any_todo;
  (* anyseq *) logic [6:0] any_bitmap;
  logic [1:0] own_q [0:Walks-1];
  always_ff @(posedge clk_i) if (begin_i) own_q[slot_i] <= vfn_i[1:0];
  assign last_o       = any_last;
  assign read_o       = head_i & !drop_i & !last_o;
  assign run_pfn_o    = PfnW'(own_q[run_slot_i]);
  assign run_todo_o   = any_todo;
  assign run_bitmap_o = any_bitmap;
  assign run_insert_o = any_insert;
  assign {idx_o, table_o, run_table_o, run_low_o} = '0;
endmodule

module prove_walker #(
  parameter int Svadu   = 0,
  parameter int Colt    = 0,
  parameter int Unified = 0,
  parameter int Covers  = 0,
  localparam int Walks  = 2,
  localparam int PfnW   = 18,
  localparam int CmdW   = gmmu_pkg::CMD_FIXED_W + 1
) (
  input  logic clk_i,
  input  logic take_i,
  input  logic mark_i,
  input  logic covers_i
);
  `include "prove.svh"

  logic            fin_valid, now_q, old_q, mark, fin_mshr;
  logic [gmmu_pkg::xlate_w(PfnW, Colt)-1:0] fin_xlate;
  logic [gmmu_pkg::RUN_W-1:0] fin_run;
  logic            take;
  assign mark = rst_ni & mark_i;
  assign take = fin_valid & take_i;
  gmmu_walker #(.Walks(Walks), .Mshrs(2), .NumAsids(1), .AsidW(1), .VaW(39), .PfnW(PfnW),
      .NumWindows(1), .Svadu(Svadu), .Colt(Colt), .LineAnswers(Colt != 0 ? 1 : 0),
      .L2Unified(Unified), .MscSets(1), .MscWays(0), .Obs(0)) u_dut (
    .clk_i, .rst_ni, .walk_valid_i(1'b0), .walk_mshr_i('0), .walk_asid_i('0), .walk_key_i('0),
    .fin_valid_o(fin_valid), .fin_take_i(take), .fin_mshr_o(fin_mshr), .fin_xlate_o(fin_xlate),
    .fin_run_o(fin_run), .mem_req_valid_o(), .mem_req_ready_i(1'b1), .mem_req_addr_o(),
    .mem_req_id_o(), .mem_req_depth_o(), .mem_req_upd_o(), .mem_req_old_o(), .mem_req_new_o(),
    .mem_rsp_valid_i(1'b0), .mem_rsp_id_i('0), .mem_rsp_data_i('0), .mem_rsp_err_i(1'b0),
    .ctx_root_i('0), .ctx_mode_i('0), .ctx_on_i('0), .ctx_ext_i('0), .win_lo_i('0), .win_hi_i('0),
    .win_walk_i('0), .win_data_i('0), .mark_i(mark), .cmd_i(CmdW'(covers_i)), .clear_busy_o(),
    .count_walk_o(), .obs_o()
  );
  always_ff @(posedge clk_i) begin
    now_q <= rst_ni & (now_q ^ (mark & covers_i));
    // what stood in the queue at the mark, and has had no gap since
    old_q <= rst_ni & (mark ? fin_valid : old_q & fin_valid);
  end
  logic old;
  logic ends_empty;    // the end of a walk that answered early: no answer, no fill
  assign ends_empty = fin_run[gmmu_pkg::RUN_W-1:6] == gmmu_pkg::RUN_ONLY[gmmu_pkg::RUN_W-1:6];
  assign old = fin_valid & fin_xlate[1] & fin_xlate[0] != now_q;
  // One mark at a time: what is from before the last but one is gone.
  always_comb assume (!mark | !old_q);

  if (Covers == 0) begin : gen_assert
    always_comb if (rst_ni) only_what_stood: assert (!old | old_q | ends_empty);
  end else begin : gen_cover
    logic again_q;
    always_ff @(posedge clk_i) again_q <= rst_ni & (again_q | (mark & covers_i));
    always_comb begin
      if (rst_ni) begin
        c0: assert (!(old & take));
        c1: assert (!(fin_valid & fin_xlate[1] & again_q & !old & fin_xlate[0]));
        c2: assert (!(fin_valid & fin_xlate[PfnW-1:0] == '0 & again_q));
        if (Unified != 0) begin
          c3: assert (!(old & !old_q & ends_empty));
          c4: assert (!(fin_run[7] & fin_run[6] & fin_xlate[1] & again_q & fin_xlate[0] == now_q &
              fin_valid));
          c5: assert (!(fin_valid & fin_run[gmmu_pkg::RUN_EARLY_BIT] & old & take));
        end
      end
    end
  end
endmodule
`default_nettype wire
