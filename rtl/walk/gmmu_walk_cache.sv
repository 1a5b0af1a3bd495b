// SPDX-License-Identifier: Apache-2.0
// gmmu_walk_cache: page walk cache: the non-leaf PTEs that walks have read, by their address. Every
// read of a non-leaf level is probed here before it goes to memory; probes are pipelined, one a
// cycle. Rules and cycles: docs/walk_cache.md. Source: MASK section 3 (PWCache), MESC section V-A.
//
// Set = address bits [log2(sets)+2:3]; true LRU. A probe made in cycle d has its result in
// d+Latency-3.
// Legal: Entries/Ways a power of two >= 2, Ways >= 2, Latency >= 5.
`default_nettype none
module gmmu_walk_cache #(
  parameter int Entries  = 1024,
  parameter int Ways     = 16,
  parameter int Latency  = 10,
  parameter int AddrW    = 45,      // PTE address without its low 3 bits
  parameter int PayloadW = 8,
  localparam int WayW    = gmmu_pkg::idx_w(Ways)
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  input  logic                probe_i,
  input  logic [AddrW-1:0]    probe_addr_i,
  input  logic [PayloadW-1:0] probe_payload_i,
  output logic                hit_o,          // result of a probe: one of the two
  output logic                miss_o,
  output logic [AddrW-1:0]    addr_o,
  output logic [PayloadW-1:0] payload_o,
  output logic [63:0]         pte_o,
  // an insertion: may there be one in the next cycle, and of which address; is there (its address
  // again): stored at the end of the cycle behind, unless flushed
  input  logic                early_i,
  input  logic [AddrW-1:0]    early_addr_i,
  input  logic                insert_i,
  input  logic [AddrW-1:0]    insert_addr_i,
  input  logic [63:0]         insert_pte_i,
  // everything goes; what was inserted in the cycle before as well
  input  logic                flush_i,
  output logic [WayW-1:0]     way_o,          // of the hit
  output logic                stored_o,       // observation: an insertion takes effect
  output logic [WayW-1:0]     stored_way_o,
  output logic                overwrite_o,
  output logic                evict_o
);
  localparam int Delay = Latency - 4;

  if (Latency < 5) begin : gen_bad_latency
    gmmu_walk_cache_Latency_must_be_at_least_5 u_bad();
  end

  localparam int SetW = gmmu_pkg::idx_w(Entries / Ways);

  // ---- the probe's latency, with stage 0 (tags are read) last, then stages A (compared) and B
  logic [Delay-1:0]          probe_q;
  // a vector: of an array Icarus 11 does not see the last word change
  logic [Delay*(AddrW+PayloadW)-1:0] delay_q;
  logic                      stage_b_q;
  logic [AddrW-1:0]          a_addr, b_addr_q;
  logic [PayloadW-1:0]       a_payload, b_payload_q;
  logic [AddrW+PayloadW-1:0] a_word, b_word_q;
  logic                      probe_0;
  logic [SetW-1:0]           set_0;
  assign a_word = delay_q[Delay*(AddrW+PayloadW)-1 -: AddrW+PayloadW];
  assign {a_payload, a_addr} = a_word;
  assign {b_payload_q, b_addr_q} = b_word_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      probe_q <= '0;
      stage_b_q <= 1'b0;
    end else begin
      probe_q <= Delay'({probe_q, probe_i});
      stage_b_q <= probe_q[Delay-1];
    end
  end
  always_ff @(posedge clk_i) begin
    if (probe_i | (|probe_q))
      delay_q <= (Delay*(AddrW+PayloadW))'({delay_q, probe_payload_i, probe_addr_i});
    if (probe_q[Delay-1]) b_word_q <= a_word;
  end

  if (Delay == 1) begin : gen_at_once
    assign probe_0 = probe_i;
    assign set_0   = probe_addr_i[SetW-1:0];
  end else begin : gen_delayed
    assign probe_0 = probe_q[Delay-2];
    assign set_0   = delay_q[(Delay-2)*(AddrW+PayloadW) +: SetW];
  end

  // ---- the insertion: tags are read before it is known, compared beside, written in the next
  logic             may_q, ins_q;
  logic [AddrW-1:0] ins_addr_q;
  logic [63:0]      ins_pte_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      may_q <= 1'b0;
      ins_q <= 1'b0;
    end else begin
      may_q <= early_i;
      ins_q <= insert_i;
    end
  end
  always_ff @(posedge clk_i) begin
    if (insert_i) begin
      ins_addr_q <= insert_addr_i;
      ins_pte_q  <= insert_pte_i;
    end
  end

  logic [1:0]         hit;
  logic [2*WayW-1:0]  way;
  logic [127:0]       data;
  assign stored_o = ins_q & !flush_i;
  gmmu_l2tlb_base #(.Entries(Entries), .Ways(Ways), .Ports(2), .AsidW(1), .VfnW(AddrW),
      .DataW(64)) u_array (
    .clk_i, .rst_ni, .flush_i, .early_i({probe_0, early_i}),
    .early_set_i({set_0, early_addr_i[SetW-1:0]}), .read_i({probe_q[Delay-1], may_q}),
    .read_asid_i(2'b00), .read_vfn_i({a_addr, insert_addr_i}), .search_i({stage_b_q, ins_q}),
    .touch_i({stage_b_q, 1'b0}), .asid_i(2'b00), .vfn_i({b_addr_q, ins_addr_q}), .hit_o(hit),
    .bad_o(), .way_o(way), .data_o(data), .pages_o(), .ask_i(stored_o),
    .fill_i(stored_o),
    .fill_data_i(ins_pte_q), .fill_pages_i(1'b1), .fill_way_o(stored_way_o),
    .fill_overwrite_o(overwrite_o), .fill_evict_o(evict_o), .sweep_i(1'b0), .sweep_all_i(1'b0),
    .sweep_asid_all_i(1'b0), .sweep_asid_i(1'b0), .sweep_lo_i(36'd0), .sweep_hi_i(36'd0),
    .sweep_cleared_o()
  );
  logic unused_data;
  assign unused_data = ^{hit[0], way[WayW-1:0], data[63:0]};

  assign hit_o     = stage_b_q & hit[1];
  assign miss_o    = stage_b_q & !hit[1];
  assign addr_o    = b_addr_q;
  assign payload_o = b_payload_q;
  assign pte_o     = data[127:64];
  assign way_o     = way[2*WayW-1:WayW];
endmodule
`default_nettype wire
