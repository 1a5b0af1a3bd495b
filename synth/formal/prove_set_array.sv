// SPDX-License-Identifier: Apache-2.0
// One symbolic key: what the set-associative array says of it, at either port, is what was last
// filled for it. See proofs.txt and docs/formal.md.
`default_nettype none
module prove_set_array #(
  parameter int Sets    = 2,
  parameter int Ways    = 2,
  parameter int Ports   = 2,
  parameter int NumW    = 1,     // page bits above the set's
  parameter int OneData = 0,
  parameter int Covers  = 0,
  localparam int AsidW  = 1,
  localparam int SetW   = $clog2(Sets),
  localparam int WayW   = $clog2(Ways),
  localparam int PageW  = SetW + NumW,
  localparam int KeyW   = AsidW + PageW
) (
  input  logic                  clk_i,
  input  logic                  flush_i,
  // stage 0: what enters, with the key that stage A has one cycle later
  input  logic [Ports-1:0]      look_i,
  input  logic                  fill_i,
  input  logic                  sweep_i,
  input  logic [Ports*KeyW-1:0] key_i,
  input  logic [Ports-1:0]      touch_i,     // stage B
  input  logic                  data_i,
  input  logic                  sweep_all_i,
  input  logic                  sweep_asid_all_i,
  input  logic                  sweep_asid_i,
  input  logic [PageW:0]        sweep_lo_i,
  input  logic [PageW:0]        sweep_hi_i,
  input  logic [KeyW-1:0]       any_key
);
  `include "prove.svh"

  // ---- stages A and B
  logic [Ports-1:0]      look_a, look_b, read_a;
  logic                  fill_a, fill_b, sweep_a, sweep_b;
  logic [Ports*KeyW-1:0] key_a, key_b;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) {look_a, look_b, fill_a, fill_b, sweep_a, sweep_b} <= '0;
    else {look_a, look_b, fill_a, fill_b, sweep_a, sweep_b} <=
        {look_i, look_a, fill_i, fill_a, sweep_i, sweep_a};
    key_a <= key_i;
    key_b <= key_a;
  end
  assign read_a = look_a | Ports'(fill_a | sweep_a);

  logic [Ports*AsidW-1:0] asid_a, asid_b;
  logic [Ports*PageW-1:0] page_a, page_b;
  logic [Ports*SetW-1:0]  early_set;
  for (genvar p = 0; p < Ports; p++) begin : gen_keys
    assign {asid_a[p], page_a[p*PageW +: PageW]} = key_a[p*KeyW +: KeyW];
    assign {asid_b[p], page_b[p*PageW +: PageW]} = key_b[p*KeyW +: KeyW];
    assign early_set[p*SetW +: SetW]             = key_i[p*KeyW +: SetW];
  end

  logic [Ports-1:0]      hit, data, unused_bad, unused_pages;
  logic [Ports*WayW-1:0] way;
  logic [WayW-1:0]       fill_way;
  logic                  overwrite, evict;
  logic [Ways-1:0]       cleared;
  gmmu_l2tlb_base #(.Entries(Sets * Ways), .Ways(Ways), .Ports(Ports), .AsidW(AsidW),
      .VfnW(PageW), .DataW(1), .OneData(OneData)) u_dut (
    .clk_i, .rst_ni, .flush_i, .early_i(look_i | Ports'(fill_i | sweep_i)),
    .early_set_i(early_set), .read_i(read_a), .read_asid_i(asid_a), .read_vfn_i(page_a),
    .search_i(look_b | Ports'(fill_b | sweep_b)), .touch_i(look_b & touch_i), .asid_i(asid_b),
    .vfn_i(page_b), .hit_o(hit), .bad_o(unused_bad), .way_o(way), .data_o(data),
    .pages_o(unused_pages), .ask_i(fill_b), .fill_i(fill_b), .fill_data_i(data_i),
    .fill_pages_i(1'b1), .fill_way_o(fill_way), .fill_overwrite_o(overwrite),
    .fill_evict_o(evict), .sweep_i(sweep_b), .sweep_all_i(all), .sweep_asid_all_i(asid_all),
    .sweep_asid_i(sweep_asid), .sweep_lo_i(lo), .sweep_hi_i(hi), .sweep_cleared_o(cleared)
  );

  // ---- the caller's rules: port 0 has one of a lookup, a fill and a set of a sweep
  always_comb assume (32'(look_i[0]) + 32'(fill_i) + 32'(sweep_i) <= 1);
  localparam int SweepW = PageW;
  `include "prove_sweep.svh"

  // ---- the symbolic key: chosen once, any value
  logic [KeyW-1:0]  key;
  logic [Ports-1:0] is_key;
  logic             of_set, covers;
  logic [35:0]      page36;
  always_ff @(posedge clk_i) if (!rst_ni) key <= any_key;
  for (genvar p = 0; p < Ports; p++) begin : gen_is_key
    assign is_key[p] = key_b[p*KeyW +: KeyW] == key;
  end
  assign of_set = key_b[SetW-1:0] == key[SetW-1:0];
  assign page36 = {{(36 - PageW){key[PageW-1]}}, key[PageW-1:0]};
  assign covers = all | (sweep_asid == key[KeyW-1] & (asid_all | (page36 >= lo & page36 <= hi)));

  // ---- what the array must hold of it
  logic            in_q, data_q;
  logic [WayW-1:0] way_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni | flush_i) in_q <= 1'b0;
    else if (fill_b & is_key[0]) in_q <= 1'b1;
    else if (fill_b & of_set & fill_way == way_q) in_q <= 1'b0;   // somebody else took its way
    else if (sweep_b & of_set & covers) in_q <= 1'b0;
    if (fill_b & is_key[0]) begin
      way_q  <= fill_way;
      data_q <= data_i;
    end
  end

  if (Covers == 0) begin : gen_assert
    logic [Ports-1:0] hit_ok, data_ok;
    for (genvar p = 0; p < Ports; p++) begin : gen_port
      assign hit_ok[p]  = !(look_b[p] & is_key[p]) | hit[p] == in_q;
      assign data_ok[p] = !(look_b[p] & is_key[p] & in_q) |
          (data[p] == data_q & way[p*WayW +: WayW] == way_q);
    end
    always_comb begin
      if (rst_ni) begin
        hit_is_what_was_filled: assert (&hit_ok);
        data_is_what_was_filled: assert (&data_ok);
        if (fill_b & is_key[0])
          overwrites_itself: assert (overwrite == in_q & (!in_q | fill_way == way_q));
        if (fill_b) evicts_or_overwrites: assert (!(evict & overwrite));
        if (fill_b & of_set & !is_key[0] & in_q & fill_way == way_q)
          takes_it_only_when_full: assert (evict);
        if (sweep_b & of_set & in_q) clears_what_it_covers: assert (cleared[way_q] == covers);
      end
    end
  end else begin : gen_cover
    always_comb begin
      if (rst_ni) begin
        c0: assert (!(look_b[0] & is_key[0] & hit[0]));
        c1: assert (!(look_b[Ports-1] & is_key[Ports-1] & hit[Ports-1]));
        c2: assert (!(fill_b & overwrite & is_key[0]));
        c3: assert (!(fill_b & of_set & evict & fill_way == way_q & in_q));
        c4: assert (!(sweep_b & of_set & in_q & covers));
        c5: assert (!(sweep_b & of_set & in_q & !covers));
        c6: assert (!(flush_i & in_q));
        c7: assert (!(fill_b & flush_i & is_key[0]));
      end
    end
  end
endmodule
`default_nettype wire
