// SPDX-License-Identifier: Apache-2.0
// One page: what the subregion-aware array says of it, at either port, is what was last filled for
// it: its regular entry, or before that the subregion entry that covers it. The followed page is
// fixed (pages are compared for equality, or for order: docs/formal.md), so that what an entry has
// to hold is a cube. The way for a new entry is any that the rules leave: set_lru-apart has which.
// See proofs.txt and docs/formal.md.
`default_nettype none

// Any way among those that may be taken; one that is free first.
module gmmu_replace;  // parameters and ports of rtl/
  (* anyseq *) logic [Ways-1:0] any;
  localparam int N = Ways;
  `include "gmmu_first.svh"
  logic [Ways-1:0] free, wish;
  assign free   = may_i & ~used_i;
  assign wish   = (any & may_i) != '0 ? any & may_i : may_i;
  assign full_o = free == '0;
  assign way_o  = !query_i ? '0 : first(full_o ? wish : free);
endmodule

module prove_unified_array #(
  parameter int Ports  = 1,
  parameter int Asid   = 1,
  parameter int Frame  = 1,      // the followed page: its frame's number, subregion and page in it
  parameter int Sub    = 1,
  parameter int Page   = 1,
  parameter int Covers = 0,
  localparam int Sets  = 2,
  localparam int Ways  = 4,
  localparam int VfnW  = 11,     // {frame above the set, set of a frame, subregion, page}
  localparam int DataW = 6,
  localparam int KeyW  = 7
) (
  input  logic                  clk_i,
  // stage 0: what enters, with the key that stage A has one cycle later: {ASID, VFN[10:6], VFN[0]}
  input  logic [Ports-1:0]      look_i,
  input  logic                  fin_i,
  input  logic                  sweep_i,
  input  logic [Ports*KeyW-1:0] key_i,
  input  logic [7:0]            may_i,       // stage A: {subregions, LG, first, last}
  input  logic [Ports*2-1:0]    store_i,     // stage B
  input  logic                  fill_i,
  input  logic [1:0]            data_i,      // {dirty, PFN}
  input  logic                  sweep_all_i,
  input  logic                  sweep_asid_all_i,
  input  logic                  sweep_asid_i,
  input  logic [VfnW:0]         sweep_lo_i,
  input  logic [VfnW:0]         sweep_hi_i
);
  `include "prove.svh"
  localparam logic [VfnW-1:0] Vfn = {2'(Frame), 3'(Sub), 6'(Page)};

  function automatic logic [VfnW-1:0] vfn_of(input logic [KeyW-1:0] k);
    vfn_of = {k[5:1], Vfn[5:1], k[0]};
  endfunction

  // ---- stages A and B
  logic [Ports-1:0]      look_a, look_b;
  logic                  fin_a, fin_b, sweep_a, sweep_b;
  logic [Ports*KeyW-1:0] key_a, key_b;
  logic [7:0]            may_b;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) {look_a, look_b, fin_a, fin_b, sweep_a, sweep_b} <= '0;
    else {look_a, look_b, fin_a, fin_b, sweep_a, sweep_b} <=
        {look_i, look_a, fin_i, fin_a, sweep_i, sweep_a};
    key_a <= key_i;
    key_b <= key_a;
    may_b <= may_i;
  end
  logic [Ports-1:0]      asid_a;
  logic [Ports*VfnW-1:0] vfn_0, vfn_a, vfn_b;
  for (genvar p = 0; p < Ports; p++) begin : gen_keys
    assign asid_a[p]                 = key_a[p*KeyW + KeyW-1];
    assign vfn_0[p*VfnW +: VfnW]     = vfn_of(key_i[p*KeyW +: KeyW]);
    assign vfn_a[p*VfnW +: VfnW]     = vfn_of(key_a[p*KeyW +: KeyW]);
    assign vfn_b[p*VfnW +: VfnW]     = vfn_of(key_b[p*KeyW +: KeyW]);
  end

  logic        may_sub, may_lg, fill;
  logic [2:0]  first, last;
  logic [DataW-1:0] data;
  assign {may_sub, may_lg, first, last} = may_b;
  assign fill = fin_b & fill_i;
  assign data = {data_i[1], 4'b1010, data_i[0]};     // U, W: what stores need D for

  logic [Ports-1:0]       hit, is_sub, is_lg, unused_bad;
  logic [Ports*gmmu_pkg::L2_WAY_W-1:0] way;
  logic [Ports*DataW-1:0] found;
  logic [Ports*9-1:0]     offset;
  logic [Ports*4-1:0]     unused_pages;
  logic [gmmu_pkg::L2_WAY_W-1:0] fill_way;
  logic                   overwrite, evict;
  logic [3:0]             unused_fill_pages;
  logic [31:0]            ways;
  gmmu_l2tlb_unified #(.Entries(Sets * Ways), .Ways(Ways), .Ports(Ports), .AsidW(1),
      .VfnW(VfnW), .DataW(DataW)) u_dut (
    .clk_i, .rst_ni, .early_i(look_i | Ports'(fin_i | sweep_i)), .early_vfn_i(vfn_0),
    .read_i(look_a | Ports'(fin_a | sweep_a)), .read_asid_i(asid_a), .read_vfn_i(vfn_a),
    .read_fin_i(fin_a), .read_fill_i(may_i), .look_i(look_b), .vfn_i(vfn_b), .store_i,
    .hit_o(hit), .bad_o(unused_bad), .sub_o(is_sub), .lg_o(is_lg), .way_o(way), .data_o(found),
    .offset_o(offset), .pages_o(unused_pages), .fin_i(fin_b), .fill_i(fill), .fill_data_i(data),
    .fill_way_o(fill_way), .fill_overwrite_o(overwrite), .fill_evict_o(evict),
    .fill_pages_o(unused_fill_pages), .sweep_i(sweep_b), .sweep_all_i(all),
    .sweep_asid_all_i(asid_all), .sweep_asid_i(sweep_asid), .sweep_lo_i(lo), .sweep_hi_i(hi),
    .ways_o(ways)
  );

  // ---- the caller's rules: port 0 has one of a lookup, a walk's end and a set of a sweep
  always_comb assume (32'(look_i[0]) + 32'(fin_i) + 32'(sweep_i) <= 1);
  always_comb assume (!(fin_a & may_i[7]) | may_i[5:3] <= may_i[2:0]);
  localparam int SweepW = VfnW;
  `include "prove_sweep.svh"

  // ---- what the array must hold of the page: a regular entry, a subregion entry that covers it
  logic             reg_q, sub_q, lg_q;
  logic [1:0]       reg_way_q, sub_way_q, reg_data_q, sub_data_q;
  logic [2:0]       first_q, last_q;
  logic [VfnW-1:0]  vfn0;
  logic             set, same_asid, same_frame, is_reg, is_run, over, reg_set, sub_set;
  logic [35:0]      page36, head36, tail36;
  logic             reg_swept, sub_swept;
  assign vfn0       = vfn_b[VfnW-1:0];
  assign set        = fin_b & may_sub ? vfn0[9] : vfn0[0];
  assign same_asid  = key_b[KeyW-1] == 1'(Asid);
  assign same_frame = same_asid & vfn0[VfnW-1:9] == Vfn[VfnW-1:9];
  assign is_reg     = fill & !may_sub & same_asid & vfn0 == Vfn;
  assign is_run     = fill & may_sub & same_frame & first <= 3'(Sub) & last >= 3'(Sub);
  assign over       = fill & may_sub & same_frame & first <= last_q & last >= first_q;
  assign reg_set    = set == Vfn[0];
  assign sub_set    = set == Vfn[9];
  assign page36     = {{(36 - VfnW){Vfn[VfnW-1]}}, Vfn};
  assign head36     = {{(36 - VfnW){Vfn[VfnW-1]}}, Vfn[VfnW-1:9], first_q, 6'h00};
  assign tail36     = {{(36 - VfnW){Vfn[VfnW-1]}}, Vfn[VfnW-1:9], last_q, 6'h3f};
  assign reg_swept  = all |
      (sweep_asid == 1'(Asid) & (asid_all | (page36 >= lo & page36 <= hi)));
  assign sub_swept  = all |
      (sweep_asid == 1'(Asid) & (asid_all | (tail36 >= lo & head36 <= hi)));
  always_ff @(posedge clk_i) begin
    if (!rst_ni) reg_q <= 1'b0;
    else if (is_reg) reg_q <= 1'b1;
    else if (fill & reg_set & fill_way[1:0] == reg_way_q) reg_q <= 1'b0;   // its way was taken
    else if (sweep_b & reg_set & reg_swept) reg_q <= 1'b0;
    if (is_reg) {reg_way_q, reg_data_q} <= {fill_way[1:0], data_i};
    if (!rst_ni) sub_q <= 1'b0;
    else if (is_run) sub_q <= 1'b1;
    else if (over | (fill & sub_set & fill_way[1:0] == sub_way_q)) sub_q <= 1'b0;
    else if (sweep_b & sub_set & sub_swept) sub_q <= 1'b0;
    if (is_run)
      {sub_way_q, sub_data_q, lg_q, first_q, last_q} <=
          {fill_way[1:0], data_i, may_lg, first, last};
  end

  if (Covers == 0) begin : gen_assert
    logic [Ports-1:0] hit_ok, answer_ok;
    for (genvar p = 0; p < Ports; p++) begin : gen_port
      logic [1:0] kept;
      logic       is_key, ready;
      assign is_key = look_b[p] & key_b[p*KeyW +: KeyW] == {1'(Asid), Vfn[10:6], Vfn[0]};
      assign kept   = sub_q ? sub_data_q : reg_data_q;
      assign ready  = kept[1] | !store_i[p*2 + 1];
      assign hit_ok[p]    = !is_key |
          {hit[p], is_sub[p], is_lg[p]} == ({reg_q | sub_q, sub_q, sub_q & lg_q} & {3{ready}});
      assign answer_ok[p] = !(is_key & hit[p]) |
          (found[p*DataW +: DataW] == {kept[1], 4'b1010, kept[0]} &
           offset[p*9 +: 9] == (sub_q ? Vfn[8:0] - {first_q, 6'd0} : 9'd0) &
           way[p*gmmu_pkg::L2_WAY_W +: gmmu_pkg::L2_WAY_W] ==
           gmmu_pkg::L2_WAY_W'(sub_q ? sub_way_q : reg_way_q));
    end
    always_comb begin
      if (rst_ni) begin
        hit_is_what_was_filled: assert (&hit_ok);
        answer_is_what_was_filled: assert (&answer_ok);
        if (is_reg)
          overwrites_itself: assert (overwrite == reg_q & (!reg_q | fill_way[1:0] == reg_way_q));
        if (fill & may_sub) run_above: assert (fill_way[1:0] >= 2'(Ways / 2));
        if (over & sub_q & first == first_q)
          overwrites_its_run: assert (overwrite & fill_way[1:0] == sub_way_q);
        if (fill & sub_q) drops_what_overlaps:
          assert (!sub_set | ways[sub_way_q] == (over & first != first_q));
        if (fill & reg_set & !is_reg & reg_q & fill_way[1:0] == reg_way_q)
          takes_it_only_when_full: assert (evict);
        if (fill & sub_set & !over & sub_q & fill_way[1:0] == sub_way_q)
          takes_run_only_when_full: assert (evict);
        if (fill) evicts_or_overwrites: assert (!(evict & overwrite));
        if (sweep_b & reg_set & reg_q) clears_page: assert (ways[reg_way_q] == reg_swept);
        if (sweep_b & sub_set & sub_q) clears_run: assert (ways[sub_way_q] == sub_swept);
      end
    end
  end else begin : gen_cover
    logic is_key;
    assign is_key = look_b[Ports-1] &
        key_b[(Ports-1)*KeyW +: KeyW] == {1'(Asid), Vfn[10:6], Vfn[0]};
    always_comb begin
      if (rst_ni) begin
        c0: assert (!(is_key & hit[Ports-1] & !is_sub[Ports-1]));
        c1: assert (!(is_key & is_sub[Ports-1] & is_lg[Ports-1] & reg_q));
        c2: assert (!(is_key & (reg_q | sub_q) & !hit[Ports-1]));
        c3: assert (!(over & sub_q & first != first_q));
        c4: assert (!(over & sub_q & first == first_q & !is_run));
        c5: assert (!(fill & reg_set & evict & reg_q & fill_way[1:0] == reg_way_q));
        c6: assert (!(sweep_b & sub_set & sub_q & sub_swept & !reg_swept));
        c7: assert (!(sweep_b & sub_set & sub_q & !sub_swept));
        c8: assert (!(sweep_b & reg_set & reg_q & reg_swept & !all));
      end
    end
  end
endmodule
`default_nettype wire
