// SPDX-License-Identifier: Apache-2.0
// PTE reads of the walker: what is offered to memory stays until it is taken; each read that was
// asked for goes to memory once, with its own address, depth and walk, or comes from the page walk
// cache once, and only where that may have it; none is lost, and without that cache none waits for
// more than Walks - 1 others; of a line the PTE that was asked for is answered. Assumed: the rules
// of gmmu_walker: one walk reads in a cycle, none that has a read on its way; what the cache has is
// taken when it is there, memory answers what it was asked.
`default_nettype none
module prove_walker_read #(
  parameter int Walks       = 3,
  parameter int PwcEntries  = 0,
  parameter int LineAnswers = 0,
  parameter int Covers      = 0,
  localparam int SlotW   = gmmu_pkg::idx_w(Walks),
  localparam int PfnW    = 1,
  localparam int Latency = 5,
  localparam int MemW    = LineAnswers != 0 ? 512 : 64
) (
  input  logic             clk_i,
  input  logic [SlotW-1:0] which_i,        // the walk that is followed
  input  logic             dec_may_i,
  input  logic             dec_read_i,
  input  logic             dec_after_i,
  input  logic             dec_update_i,
  input  logic             dec_cached_i,
  input  logic [SlotW-1:0] dec_slot_i,
  input  logic [1:0]       dec_level_i,
  input  logic             root_read_i,
  input  logic [SlotW-1:0] root_slot_i,
  input  logic [1:0]       root_level_i,
  input  logic             run_read_i,
  input  logic             run_grant_i,
  input  logic [SlotW-1:0] run_slot_i,
  input  logic             sv48_i,
  input  logic [PfnW-1:0]  pfn_i,
  input  logic [2:0]       idx_i,
  input  logic             first_i,
  input  logic [SlotW-1:0] first_slot_i,
  input  logic             flush_i,
  input  logic             mem_req_ready_i,
  input  logic             mem_rsp_valid_i,
  input  logic [SlotW-1:0] mem_rsp_id_i,
  input  logic [7:0]       mem_rsp_data_i,
  input  logic             pwc_pop_i
);
  `include "prove.svh"
  logic             read, mem_valid, pwc_valid, read_head, read_update, direct;
  logic [SlotW-1:0] read_slot, mem_id, pwc_slot;
  logic [PfnW+8:0]  read_addr;
  logic [PfnW+11:0] mem_addr;
  logic [2:0]       mem_depth, read_depth;
  logic [1:0]       read_level;
  logic [63:0]      mem_pte, pwc_pte;
  logic [MemW-1:0]  line;
  logic [gmmu_pkg::PWC_EVENT_W-1:0] pwc_event;

  for (genvar i = 0; i < MemW / 64; i++) begin : gen_word
    assign line[i*64 +: 64] = {63'd0, mem_rsp_data_i[i]};
  end
  gmmu_walker_read #(.Walks(Walks), .PfnW(PfnW), .PwcEntries(PwcEntries), .PwcWays(2),
      .PwcLatency(Latency), .LineAnswers(LineAnswers)) u_dut (
    .clk_i, .rst_ni, .first_i, .first_slot_i, .dec_may_i, .dec_read_i, .dec_after_i, .dec_update_i,
    .dec_slot_i, .dec_pte_i('0), .dec_level_i, .dec_sv48_i(sv48_i), .dec_cached_i,
    .step_pfn_i(pfn_i), .step_idx_i({6'd0, idx_i}), .update_addr_i({pfn_i, 6'd1, idx_i}),
    .head_idx_i(idx_i), .head_pfn_i(pfn_i), .root_read_i, .root_slot_i, .root_pfn_i(pfn_i),
    .root_idx_i({6'd0, idx_i}), .root_level_i, .root_sv48_i(sv48_i), .run_read_i, .run_grant_i,
    .run_slot_i, .run_idx_i(idx_i), .run_pfn_i(pfn_i), .run_sv48_i(sv48_i), .read_o(read),
    .read_slot_o(read_slot), .read_addr_o(read_addr), .mem_req_valid_o(mem_valid), .mem_req_ready_i,
    .mem_req_addr_o(mem_addr), .mem_req_id_o(mem_id), .mem_req_depth_o(mem_depth), .mem_rsp_id_i,
    .mem_rsp_data_i(line), .mem_rsp_pte_o(mem_pte), .pwc_valid_o(pwc_valid), .pwc_slot_o(pwc_slot),
    .pwc_pte_o(pwc_pte), .pwc_pop_i, .flush_i, .pwc_event_o(pwc_event)
  );

  // The read of this cycle, as the rules say it (docs/walker.md): a head is a leaf of its frame's
  // table, one that is decoded reads its next level, or the same PTE again.
  assign read_head   = dec_may_i ? dec_after_i : run_read_i;
  assign read_update = dec_may_i && !dec_after_i && dec_update_i;
  assign read_level  = read_head ? 2'd0
                     : dec_may_i ? (dec_update_i ? dec_level_i : dec_level_i - 2'd1) : root_level_i;
  assign read_depth  = (sv48_i ? 3'd4 : 3'd3) - {1'b0, read_level};
  assign direct      = read_head || read_update || read_level == 2'd0 || PwcEntries == 0;

  // Of each walk: a read is on its way, memory has it. Of the one that is followed: what it asked.
  logic [Walks-1:0] busy_q, sent_q;
  logic [PfnW+8:0]  addr_q;
  logic [2:0]       depth_q, age_q;
  logic [SlotW:0]   others_q;
  logic             direct_q, waits_q;
  logic [SlotW-1:0] which_q, id_q;
  logic [PfnW+11:0] offer_q;
  logic [2:0]       offer_depth_q;
  logic             take, pop;
  assign take = mem_valid && mem_req_ready_i;
  assign pop  = pwc_valid && pwc_pop_i;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      {busy_q, sent_q, waits_q} <= '0;
    end else begin
      waits_q <= mem_valid && !mem_req_ready_i;
      for (int i = 0; i < Walks; i++) begin
        if (read && read_slot == SlotW'(i)) busy_q[i] <= 1'b1;
        else if ((mem_rsp_valid_i && mem_rsp_id_i == SlotW'(i)) ||
                 (pop && pwc_slot == SlotW'(i))) busy_q[i] <= 1'b0;
        if (take && mem_id == SlotW'(i)) sent_q[i] <= 1'b1;
        else if (mem_rsp_valid_i && mem_rsp_id_i == SlotW'(i)) sent_q[i] <= 1'b0;
      end
    end
    if (read && read_slot == which_q) begin
      {addr_q, depth_q, direct_q} <= {read_addr, read_depth, direct};
      {age_q, others_q}           <= '0;
    end else begin
      if (age_q != 3'd7) age_q <= age_q + 1'b1;
      if (take) others_q <= others_q + 1'b1;
    end
    {id_q, offer_q, offer_depth_q} <= {mem_id, mem_addr, mem_depth};
    which_q <= rst_ni ? which_q : which_i;
  end
  always_comb begin
    if (!rst_ni) assume (32'(which_i) < Walks && !read && !mem_rsp_valid_i);
    assume (32'(which_q) < Walks || !rst_ni);
    assume (dec_may_i || !(dec_read_i || dec_after_i));
    assume (!(run_read_i && run_grant_i) || !dec_may_i);
    assume (!root_read_i || (!dec_may_i && !run_read_i));
    if (dec_read_i && !dec_after_i && !dec_update_i) assume (dec_level_i != 2'd0);
    assume ((sv48_i || (root_level_i != 2'd3 && dec_level_i != 2'd3)));
    if (read) assume (32'(read_slot) < Walks && !busy_q[read_slot]);
    if (mem_rsp_valid_i) assume (32'(mem_rsp_id_i) < Walks && sent_q[mem_rsp_id_i]);
    assume (!pwc_pop_i || pwc_valid);
  end

  if (Covers == 0) begin : gen_assert
    always_comb begin
      if (rst_ni) begin
        stays: assert (!waits_q || (mem_valid &&
            {mem_id, mem_addr, mem_depth} == {id_q, offer_q, offer_depth_q}));
        once:  assert (!mem_valid || (32'(mem_id) < Walks && busy_q[mem_id] && !sent_q[mem_id]));
        what:  assert (!mem_valid || mem_id != which_q ||
            {mem_addr, mem_depth} == {addr_q, 3'd0, depth_q});
        cached: assert (!pwc_valid || (32'(pwc_slot) < Walks && busy_q[pwc_slot] &&
            !sent_q[pwc_slot] && !(pwc_slot == which_q && direct_q)));
        either: assert (!(mem_valid && pwc_valid && mem_id == pwc_slot));
        // None is lost: what is old enough is in a queue.
        kept:  assert (!(busy_q[which_q] && !sent_q[which_q]) || mem_valid || pwc_valid ||
            (!direct_q && age_q < 3'(Latency - 1)));
        at_once: assert (!(busy_q[which_q] && !sent_q[which_q] && direct_q) || mem_valid);
        in_turn: assert (PwcEntries != 0 || !(busy_q[which_q] && !sent_q[which_q]) ||
            others_q < (SlotW + 1)'(Walks));
        word:  assert (!mem_rsp_valid_i || mem_rsp_id_i != which_q ||
            mem_pte == {63'd0, mem_rsp_data_i[LineAnswers != 0 ? addr_q[2:0] : 3'd0]});
      end
    end
  end else begin : gen_cover
    always_comb if (rst_ni) assert (!(waits_q && take && others_q == (SlotW + 1)'(Walks - 1)));
    always_comb if (rst_ni) begin
      assert (!(mem_rsp_valid_i && mem_rsp_id_i == which_q && addr_q[2:0] == 3'd5));
    end
    if (PwcEntries != 0) begin : gen_pwc
      always_comb if (rst_ni) assert (!(pwc_valid && pwc_slot == which_q && waits_q));
      always_comb if (rst_ni) assert (!(take && mem_id == which_q && !direct_q && waits_q));
    end
  end
endmodule
`default_nettype wire
