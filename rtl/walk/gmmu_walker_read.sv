// SPDX-License-Identifier: Apache-2.0
// gmmu_walker_read: the walker's PTE reads: which PTE, from the page walk cache (built or left out
// here) or from memory, and the request register with the queue before it. Rules: docs/walker.md,
// docs/walk_cache.md.
//
// One read a cycle is asked for, and never refused: there is room for one of each walk. It is
// offered to memory in the next cycle at the earliest; what the cache has comes back after
// PwcLatency-2 cycles in pwc_*, and waits for pwc_pop_i.
`default_nettype none
module gmmu_walker_read #(
  parameter int Walks       = 64,
  parameter int PfnW        = 36,
  parameter int PwcEntries  = 0,
  parameter int PwcWays     = 16,
  parameter int PwcLatency  = 10,
  parameter int LineAnswers = 0,
  localparam int SlotW = gmmu_pkg::idx_w(Walks),
  localparam int MemW  = LineAnswers != 0 ? 512 : 64
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  // the walk whose answer is decoded in the next cycle, from memory
  input  logic             first_i,
  input  logic [SlotW-1:0] first_slot_i,
  // the walk whose answer is decoded reads on: the next level, another head of its frame, or
  // (update) the same PTE; may: it alone may read in this cycle
  input  logic             dec_may_i,
  input  logic             dec_read_i,
  input  logic             dec_after_i,
  input  logic             dec_update_i,
  input  logic [SlotW-1:0] dec_slot_i,
  input  logic [63:0]      dec_pte_i,
  input  logic [1:0]       dec_level_i,
  input  logic             dec_sv48_i,
  input  logic             dec_cached_i,    // the answer was the walk cache's
  input  logic [PfnW-1:0]  step_pfn_i,
  input  logic [8:0]       step_idx_i,
  input  logic [PfnW+8:0]  update_addr_i,
  input  logic [2:0]       head_idx_i,
  input  logic [PfnW-1:0]  head_pfn_i,
  // a walk begins, with its root
  input  logic             root_read_i,
  input  logic [SlotW-1:0] root_slot_i,
  input  logic [PfnW-1:0]  root_pfn_i,
  input  logic [8:0]       root_idx_i,
  input  logic [1:0]       root_level_i,
  input  logic             root_sv48_i,
  // a walk that looks for its run reads a head
  input  logic             run_read_i,
  input  logic             run_grant_i,
  input  logic [SlotW-1:0] run_slot_i,
  input  logic [2:0]       run_idx_i,
  input  logic [PfnW-1:0]  run_pfn_i,
  input  logic             run_sv48_i,
  // the read of this cycle
  output logic             read_o,
  output logic [SlotW-1:0] read_slot_o,
  output logic [PfnW+8:0]  read_addr_o,
  // memory
  output logic             mem_req_valid_o,
  input  logic             mem_req_ready_i,
  output logic [PfnW+11:0] mem_req_addr_o,
  output logic [SlotW-1:0] mem_req_id_o,
  output logic [2:0]       mem_req_depth_o,
  input  logic [SlotW-1:0] mem_rsp_id_i,
  input  logic [MemW-1:0]  mem_rsp_data_i,
  output logic [63:0]      mem_rsp_pte_o,
  // walk cache
  output logic             pwc_valid_o,
  output logic [SlotW-1:0] pwc_slot_o,
  output logic [63:0]      pwc_pte_o,
  input  logic             pwc_pop_i,
  input  logic             flush_i,
  output logic [gmmu_pkg::PWC_EVENT_W-1:0] pwc_event_o
);
  localparam int ReadW = PfnW + 9 + SlotW + 3;
  logic             read, direct, first, second, rq_valid, rq_push, rq_pop, rq_direct, m_valid_q,
      m_free, pwc_miss, head;
  logic [1:0]       dec_level, read_level;
  logic [ReadW-1:0] first_data, pwc_miss_data, dec_data, root_data, head_data, run_data, read_data,
      rq_data, mem_req_q;
  assign read       = dec_read_i | (run_read_i & run_grant_i) | root_read_i;
  // What is decoded says late whether it reads; what it would read is ready by then, and chosen.
  assign dec_level  = dec_update_i ? dec_level_i : dec_level_i - 1'b1;
  assign read_level = dec_may_i ? dec_level : root_level_i;
  // A head PTE: of the frame's leaf table.
  assign head       = dec_may_i ? dec_after_i : run_read_i;
  // Depth 1 is the root.
  assign dec_data   = {(dec_sv48_i ? 3'd4 : 3'd3) - {1'b0, dec_level}, dec_slot_i,
                       dec_update_i ? update_addr_i : {step_pfn_i, step_idx_i}};
  assign root_data  = {(root_sv48_i ? 3'd4 : 3'd3) - {1'b0, root_level_i}, root_slot_i,
                       root_pfn_i, root_idx_i};
  assign head_data  = {dec_sv48_i ? 3'd4 : 3'd3, dec_slot_i, head_pfn_i, head_idx_i, 6'd0};
  assign run_data   = {run_sv48_i ? 3'd4 : 3'd3, run_slot_i, run_pfn_i, run_idx_i, 6'd0};
  assign read_data  = dec_may_i ? (dec_after_i ? head_data : dec_data)
                    : run_read_i ? run_data : root_data;
  assign read_o      = read;
  assign read_slot_o = read_data[PfnW+9 +: SlotW];
  assign read_addr_o = read_data[PfnW+8:0];
  // The PTE's place in the line that memory answers.
  if (LineAnswers != 0) begin : gen_line
    logic [2:0] word_q [0:Walks-1];
    always_ff @(posedge clk_i) if (read) word_q[read_slot_o] <= read_data[2:0];
    assign mem_rsp_pte_o = mem_rsp_data_i[word_q[mem_rsp_id_i]*64 +: 64];
  end else begin : gen_no_line
    assign mem_rsp_pte_o = mem_rsp_data_i;
  end

  // ---------------------------------------------------------------- queue and request register
  assign m_free  = !m_valid_q | mem_req_ready_i;
  assign rq_pop  = rq_valid & m_free;
  // A read of a leaf goes to memory at once, another one when the walk cache does not have it: then
  // behind a leaf's of the same cycle.
  assign direct     = read & (PwcEntries == 0 | head | (dec_may_i & dec_update_i) |
                              read_level == gmmu_pkg::LEVEL_4K);
  assign first      = direct | pwc_miss;
  assign second     = direct & pwc_miss;
  assign first_data = PwcEntries == 0 | direct ? read_data : pwc_miss_data;
  assign rq_push    = (first & !(m_free & !rq_valid)) | second;
  assign rq_direct  = m_free & !rq_valid;   // the first of two goes to the request register itself
  gmmu_fifo2 #(.Width(ReadW), .Depth(Walks < 2 ? 2 : Walks)) u_reads (
    .clk_i, .rst_ni, .push_i(rq_push), .data_i(rq_direct ? pwc_miss_data : first_data),
    .push2_i(second & !rq_direct), .data2_i(pwc_miss_data), .pop_i(rq_pop), .valid_o(rq_valid),
    .data_o(rq_data)
  );
  always_ff @(posedge clk_i) begin
    if (!rst_ni) m_valid_q <= 1'b0;
    else if (m_free) m_valid_q <= rq_valid | first;
  end
  always_ff @(posedge clk_i) if (m_free) mem_req_q <= rq_valid ? rq_data : first_data;
  assign mem_req_valid_o = m_valid_q;
  assign mem_req_addr_o  = {mem_req_q[PfnW+8:0], 3'b000};
  assign mem_req_id_o    = mem_req_q[PfnW+9 +: SlotW];
  assign mem_req_depth_o = mem_req_q[ReadW-1 -: 3];

  // ---------------------------------------------------------------- page walk cache
  if (PwcEntries != 0) begin : gen_pwc
    localparam int PWayW = gmmu_pkg::idx_w(PwcWays);
    logic              probe, hit, insert, stored, over, evict;
    logic [PfnW+8:0]   addr_q [0:Walks-1];   // PTE that each walk reads, non-leaf levels
    logic [PfnW+8:0]   miss_addr, early_addr, insert_addr_q;
    logic [SlotW+2:0]  payload;
    logic [63:0]       pte;
    logic [PWayW-1:0]  way, stored_way;
    assign probe  = read & !direct;
    assign insert = dec_read_i & !dec_after_i & !dec_update_i & !dec_cached_i;
    assign early_addr = addr_q[first_slot_i];
    always_ff @(posedge clk_i) begin
      if (probe) addr_q[read_slot_o] <= read_addr_o;
      insert_addr_q <= early_addr;
    end
    gmmu_walk_cache #(.Entries(PwcEntries), .Ways(PwcWays), .Latency(PwcLatency), .AddrW(PfnW + 9),
                      .PayloadW(SlotW + 3)) u_cache (
      .clk_i, .rst_ni, .probe_i(probe), .probe_addr_i(read_addr_o),
      .probe_payload_i(read_data[ReadW-1:PfnW+9]),
      .hit_o(hit), .miss_o(pwc_miss), .addr_o(miss_addr), .payload_o(payload), .pte_o(pte),
      .early_i(first_i), .early_addr_i(early_addr), .insert_i(insert),
      .insert_addr_i(insert_addr_q), .insert_pte_i(dec_pte_i), .flush_i,
      .way_o(way), .stored_o(stored), .stored_way_o(stored_way), .overwrite_o(over), .evict_o(evict)
    );
    assign pwc_miss_data = {payload, miss_addr};
    // Slots apart, which are few enough for flip-flops: whose PTE it is, is needed before the PTE.
    gmmu_fifo #(.Width(64), .Depth(Walks)) u_hits (
      .clk_i, .rst_ni, .push_i(hit), .data_i(pte), .pop_i(pwc_pop_i), .valid_o(pwc_valid_o),
      .data_o(pwc_pte_o), .count_o()
    );
    gmmu_fifo #(.Width(SlotW), .Depth(Walks)) u_hit_slots (
      .clk_i, .rst_ni, .push_i(hit), .data_i(payload[SlotW-1:0]), .pop_i(pwc_pop_i),
      .valid_o(), .data_o(pwc_slot_o), .count_o()
    );
    assign pwc_event_o = {4'(stored_way), 4'(way), 7'(payload[SlotW-1:0]), evict, over, stored,
        hit, hit | pwc_miss};
  end else begin : gen_no_pwc
    logic unused_pwc;
    assign unused_pwc = ^{dec_cached_i, pwc_pop_i, dec_pte_i, flush_i, first_i, first_slot_i};
    assign {pwc_miss, pwc_miss_data, pwc_valid_o, pwc_slot_o, pwc_pte_o, pwc_event_o} = '0;
  end
endmodule
`default_nettype wire
