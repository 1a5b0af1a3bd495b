// SPDX-License-Identifier: Apache-2.0
// One symbolic key: what the array says of it is what was last filled for it. See proofs.txt and
// docs/formal.md.
`default_nettype none
module prove_tlb_cam #(
  parameter int Entries = 4,
  parameter int AsidW   = 1,
  parameter int PageW   = 2,
  parameter int DataW   = 1,
  parameter int Kept    = 0,     // no fill has the key of an entry; who is free is a register
  parameter int Covers  = 0,
  localparam int WayW   = $clog2(Entries),
  localparam int KeyW   = AsidW + PageW
) (
  input  logic             clk_i,
  input  logic             search_i,
  input  logic             touch_i,
  input  logic [AsidW-1:0] asid_i,
  input  logic [PageW-1:0] page_i,
  input  logic             fill_i,
  input  logic [DataW-1:0] fill_data_i,
  input  logic             sweep_start_i,
  input  logic             sweep_all_i,
  input  logic             sweep_asid_all_i,
  input  logic [AsidW-1:0] sweep_asid_i,
  input  logic [PageW:0]   sweep_lo_i,
  input  logic [PageW:0]   sweep_hi_i,
  input  logic [KeyW-1:0]  any_key
);
  `include "prove.svh"

  logic             hit, overwrite, evict, busy, visit, cleared;
  logic [WayW-1:0]  way, fill_way, sweep_way;
  logic [DataW-1:0] data;
  gmmu_tlb_cam #(.Entries(Entries), .AsidW(AsidW), .PageW(PageW), .DataW(DataW), .Late(Kept),
      .Overwrites(1 - Kept), .Kept(Kept)) u_dut (
    .clk_i, .rst_ni, .read_i(1'b0), .read_asid_i(asid_i), .read_page_i(page_i), .search_i, .touch_i,
    .asid_i, .page_i, .hit_o(hit), .bad_o(), .way_o(way), .data_o(data), .take_i(search_i),
    .late_data_o(), .fill_i, .fill_asid_i(asid_i), .fill_page_i(page_i), .fill_data_i,
    .fill_pages_i(1'b1), .fill_way_o(fill_way), .fill_overwrite_o(overwrite), .fill_evict_o(evict),
    .sweep_start_i, .sweep_all_i(all), .sweep_asid_all_i(asid_all), .sweep_asid_i(sweep_asid),
    .sweep_lo_i(lo), .sweep_hi_i(hi), .sweep_busy_o(busy), .sweep_visit_o(visit),
    .sweep_cleared_o(cleared), .sweep_way_o(sweep_way)
  );

  // ---- the caller's rules
  always_comb begin
    if (rst_ni) begin
      assume (!fill_i | search_i);                  // a fill gives its key on port 0
      assume (Kept == 0 | !fill_i | !hit);
      assume (!touch_i | search_i);
      assume (!sweep_start_i | !busy);              // one sweep at a time
    end else begin
      assume (!fill_i & !search_i & !sweep_start_i);
    end
  end
  // A command stays as it is while it sweeps. Pages outside the built width take part: the whole 36
  // bits are compared.
  logic             all, asid_all;
  logic [AsidW-1:0] sweep_asid;
  logic [35:0]      lo, hi;
  always_ff @(posedge clk_i) begin
    if (sweep_start_i) begin
      all        <= sweep_all_i;
      asid_all   <= sweep_asid_all_i;
      sweep_asid <= sweep_asid_i;
      lo         <= {{(36 - PageW){sweep_lo_i[PageW]}}, sweep_lo_i[PageW-1:0]};
      hi         <= {{(36 - PageW){sweep_hi_i[PageW]}}, sweep_hi_i[PageW-1:0]};
    end
  end

  // ---- the symbolic key: chosen once, any value
  logic [KeyW-1:0] key_q, key;
  always_ff @(posedge clk_i) if (!rst_ni) key_q <= any_key;
  assign key = key_q;
  logic is_key;
  assign is_key = {asid_i, page_i} == key;

  // ---- what the array must hold of it
  logic             in_q;
  logic [WayW-1:0]  way_q;
  logic [DataW-1:0] data_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) in_q <= 1'b0;
    else if (fill_i & is_key) in_q <= 1'b1;
    else if (fill_i & fill_way == way_q) in_q <= 1'b0;     // somebody else took its way
    else if (gone_now) in_q <= 1'b0;
    if (fill_i & is_key) begin
      way_q  <= fill_way;
      data_q <= fill_data_i;
    end
  end

  // A sweep that covers the key visits its way in turn: entry i in the i-th cycle after the start.
  logic [WayW-1:0] turn_q;
  logic            run_q, covers, gone_now;
  logic [35:0]     page36;
  assign page36   = {{(36 - PageW){key[PageW-1]}}, key[PageW-1:0]};
  assign covers   = all | (sweep_asid == key[KeyW-1:PageW] &
      (asid_all | (page36 >= lo & page36 <= hi)));
  assign gone_now = run_q & turn_q == way_q & covers;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) run_q <= 1'b0;
    else if (sweep_start_i) run_q <= 1'b1;
    else if (turn_q == WayW'(Entries - 1)) run_q <= 1'b0;
    turn_q <= sweep_start_i ? '0 : turn_q + 1'b1;
  end

  // A visit is reported in the cycle after it: cleared means that the sweep took the entry, not a
  // fill.
  logic            in_before_q, took_q;
  logic [WayW-1:0] way_before_q;
  always_ff @(posedge clk_i) begin
    in_before_q  <= rst_ni & in_q;
    way_before_q <= way_q;
    took_q       <= gone_now & !(fill_i & fill_way == way_q);
  end

  if (Covers == 0) begin : gen_assert
    always_comb begin
      if (rst_ni) begin
        if (search_i & is_key) hit_is_what_was_filled: assert (hit == in_q);
        if (search_i & is_key & in_q)
          data_is_what_was_filled: assert (data == data_q & way == way_q);
        if (fill_i & is_key)
          overwrites_itself: assert (overwrite == in_q & (!in_q | fill_way == way_q));
        if (fill_i & evict) evicts_only_when_full: assert (!overwrite);
        if (visit & in_before_q & sweep_way == way_before_q)
          reports_what_it_took: assert (cleared == took_q);
        if (run_q) busy_while_it_runs: assert (busy);
      end
    end
  end else begin : gen_cover
    always_comb begin
      if (rst_ni) begin
        c0: assert (!(hit & is_key));
        c1: assert (!(fill_i & evict));
        c2: assert (!(cleared & in_q));
        if (Kept == 0) c3: assert (!(fill_i & overwrite & is_key));
        c4: assert (!(gone_now & in_q & !fill_i));
        c5: assert (!(fill_i & evict & fill_way == way_q & in_q));
      end
    end
  end
endmodule
`default_nettype wire
