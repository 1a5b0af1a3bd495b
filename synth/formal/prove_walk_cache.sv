// SPDX-License-Identifier: Apache-2.0
// One symbolic address: a probe hits exactly when it was put in last, and nothing has taken its way
// or flushed it. See proofs.txt and docs/formal.md.
`default_nettype none
module prove_walk_cache #(
  parameter int Ways    = 2,
  parameter int Latency = 5,
  parameter int Covers  = 0,
  localparam int AddrW  = 3,
  localparam int WayW   = gmmu_pkg::idx_w(Ways)
) (
  input  logic             clk_i,
  input  logic             probe_i,
  input  logic [AddrW-1:0] probe_addr_i,
  input  logic             payload_i,
  input  logic             early_i,
  input  logic [AddrW-1:0] early_addr_i,
  input  logic             insert_i,
  input  logic             pte_i,
  input  logic             flush_i,
  input  logic [AddrW-1:0] any_key
);
  `include "prove.svh"

  logic             early_q, insert_q, pte_q;
  logic [AddrW-1:0] early_addr_q, insert_addr_q;
  logic             hit, miss, payload, stored, overwrite, evict;
  logic [AddrW-1:0] addr;
  logic [63:0]      pte;
  logic [WayW-1:0]  way, stored_way;
  always_ff @(posedge clk_i) begin
    {early_q, insert_q} <= rst_ni ? {early_i, insert_i} : '0;
    early_addr_q        <= early_addr_i;
    {insert_addr_q, pte_q} <= {early_addr_q, pte_i};
  end
  gmmu_walk_cache #(.Entries(2 * Ways), .Ways(Ways), .Latency(Latency), .AddrW(AddrW),
      .PayloadW(1)) u_dut (
    .clk_i, .rst_ni, .probe_i, .probe_addr_i, .probe_payload_i(payload_i), .hit_o(hit),
    .miss_o(miss), .addr_o(addr), .payload_o(payload), .pte_o(pte), .early_i, .early_addr_i,
    .insert_i, .insert_addr_i(early_addr_q), .insert_pte_i({63'd0, pte_i}), .flush_i, .way_o(way),
    .stored_o(stored), .stored_way_o(stored_way), .overwrite_o(overwrite), .evict_o(evict)
  );

  // An insertion was announced the cycle before, with its address.
  always_comb begin
    assume (!insert_i | early_q);
    if (!rst_ni) assume (!probe_i & !early_i & !insert_i);
  end

  // ---- what was asked when, up to the result
  localparam int Wait = Latency - 3;
  logic [Wait-1:0]       asked_q, payload_q;
  logic [Wait*AddrW-1:0] addr_q;
  always_ff @(posedge clk_i) begin
    asked_q   <= rst_ni ? Wait'({asked_q, probe_i}) : '0;
    payload_q <= Wait'({payload_q, payload_i});
    addr_q    <= (Wait*AddrW)'({addr_q, probe_addr_i});
  end

  // ---- the symbolic address
  logic [AddrW-1:0] key;
  logic             in_q, data_q, result_of_key, put, takes;
  logic [WayW-1:0]  way_q;
  always_ff @(posedge clk_i) if (!rst_ni) key <= any_key;
  assign put           = insert_q & !flush_i & insert_addr_q == key;
  assign takes         = insert_q & !flush_i & insert_addr_q[0] == key[0] & stored_way == way_q;
  assign result_of_key = asked_q[Wait-1] & addr_q[Wait*AddrW-1 -: AddrW] == key;
  always_ff @(posedge clk_i) begin
    if (!rst_ni | flush_i) in_q <= 1'b0;
    else if (put) in_q <= 1'b1;
    else if (takes) in_q <= 1'b0;
    if (put) {way_q, data_q} <= {stored_way, pte_q};
  end

  if (Covers == 0) begin : gen_assert
    always_comb begin
      if (rst_ni) begin
        one_result: assert ((hit | miss) == asked_q[Wait-1] & !(hit & miss));
        if (hit | miss) its_own: assert (addr == addr_q[Wait*AddrW-1 -: AddrW] &
            payload == payload_q[Wait-1]);
        if (result_of_key) hit_is_what_was_put_in: assert (hit == in_q);
        if (result_of_key & in_q) its_pte: assert (pte[0] == data_q & way == way_q);
        is_stored: assert (stored == (insert_q & !flush_i));
        if (put) overwrites_itself: assert (overwrite == in_q & (!in_q | stored_way == way_q));
        if (takes & in_q & !put) takes_it_only_when_full: assert (evict);
      end
    end
  end else begin : gen_cover
    always_comb begin
      if (rst_ni) begin
        c0: assert (!(result_of_key & hit));
        c1: assert (!(result_of_key & hit & flush_i));
        c2: assert (!(put & overwrite));
        c3: assert (!(takes & in_q & evict));
        c4: assert (!(insert_q & flush_i & in_q));
        c5: assert (!(result_of_key & !in_q & put));
      end
    end
  end
endmodule
`default_nettype wire
