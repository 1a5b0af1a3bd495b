// SPDX-License-Identifier: Apache-2.0
// gmmu_l2tlb_unified: the array of the subregion-aware unified L2 TLB: regular entries (one 4 KiB
// page, any way) and subregion entries (a run of 1 to 8 subregions of one frame, upper half of the
// ways) in one array.
//
// Stages 0 and A: the regular set and the subregion set of each port are read, tags first, and
// these compared; the upper ways therefore have two read addresses a port. Valid bits, and the
// order of the set that a walk's end may fill, are read in stage A. Stage B: answer, touch, and for
// port 0 alone fill or sweep; the change is seen by the next stage B. Valid bits and orders are
// written a cycle later. Rules: docs/l2_tlb.md, "Unified build". TlbParity=1: as in
// gmmu_l2tlb_base. Source: MESC section IV-C. Legal: Entries/Ways a power of two >= 2, Ways even
// and >= 4, Ports 1 or 2.
`default_nettype none
module gmmu_l2tlb_unified #(
  parameter int Entries = 512,
  parameter int Ways    = 16,
  parameter int Ports   = 2,
  parameter int AsidW   = 9,
  parameter int VfnW    = 36,
  parameter int DataW   = 41,
  parameter int TlbParity = 0,
  localparam int Sets   = Entries / Ways,
  localparam int SetW   = gmmu_pkg::idx_w(Sets),
  localparam int WayW   = gmmu_pkg::idx_w(Ways)
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  // stage 0: what stage A may read
  input  logic [Ports-1:0]       early_i,
  input  logic [Ports*VfnW-1:0]  early_vfn_i,
  // stage A
  input  logic [Ports-1:0]       read_i,
  input  logic [Ports*AsidW-1:0] read_asid_i,
  input  logic [Ports*VfnW-1:0]  read_vfn_i,   // of a sweep: the set number
  // a walk's end, and what it may fill: {run of subregions, LG, first, last of them}
  input  logic                   read_fin_i,
  input  logic [7:0]             read_fill_i,
  // stage B: keys are what stage A held one cycle before
  input  logic [Ports-1:0]       look_i,
  input  logic [Ports*VfnW-1:0]  vfn_i,
  input  logic [Ports*2-1:0]     store_i,      // class of the stores that are asked for
  output logic [Ports-1:0]       hit_o,        // with the permissions for it
  output logic [Ports-1:0]       bad_o,        // an entry with wrong data was found
  output logic [Ports-1:0]       sub_o,        // the hit is a subregion entry
  output logic [Ports-1:0]       lg_o,         // ... of a coalesced frame or 2 MiB leaf
  output logic [Ports*gmmu_pkg::L2_WAY_W-1:0] way_o,
  output logic [Ports*DataW-1:0] data_o,       // {permissions, PFN of the entry's first page}
  output logic [Ports*9-1:0]     offset_o,     // of the page from it
  output logic [Ports*4-1:0]     pages_o,      // that share the translation: none here
  // port 0: a walk's end, and (known later) that it fills
  input  logic                   fin_i,
  input  logic                   fill_i,
  input  logic [DataW-1:0]       fill_data_i,
  output logic [gmmu_pkg::L2_WAY_W-1:0] fill_way_o,
  output logic                   fill_overwrite_o,
  output logic                   fill_evict_o,
  output logic [3:0]             fill_pages_o,
  // port 0: sweep of a set
  input  logic                   sweep_i,
  input  logic                   sweep_all_i,
  input  logic                   sweep_asid_all_i,
  input  logic [AsidW-1:0]       sweep_asid_i,
  input  logic [35:0]            sweep_lo_i,
  input  logic [35:0]            sweep_hi_i,
  output logic [31:0]            ways_o        // cleared by the sweep, dropped by a fill
);
  // Tag: {T, ASID, field}. Field of a regular entry: VFN above the set bits. Of a subregion entry:
  // LFN above the set bits, first and last subregion, LG, and two bits of nothing.
  localparam int FieldW = VfnW - SetW;
  localparam int FrameW = FieldW - 9;
  localparam int TagW   = 1 + AsidW + FieldW;
  localparam int N      = Ways;
  localparam int Low    = Ways / 2;          // first way of subregion entries
  localparam int KeptW  = Ways * (1 + TlbParity);     // {inverted, valid}

  if (Ways < 4 || Ways % 2 != 0 || Sets < 2 || Sets * Ways != Entries ||
      (Sets & (Sets - 1)) != 0) begin : gen_bad_shape
    gmmu_l2tlb_unified_Sets_must_be_a_power_of_two_and_Ways_even_and_at_least_4 u_bad();
  end
  if (FrameW < 1) begin : gen_bad_sets
    gmmu_l2tlb_unified_has_too_many_sets u_bad();
  end
  if (Ports != 1 && Ports != 2) begin : gen_bad_ports
    gmmu_l2tlb_unified_Ports_must_be_1_or_2 u_bad();
  end

  // As in gmmu_l2tlb_base: one reset bit per set says whether its valid bits and order mean
  // something.
  logic [Sets-1:0]  init;
  logic [KeptW-1:0] valid_q [0:Sets-1];
  `include "gmmu_first.svh"
  // What both copies say.
  function automatic logic [Ways-1:0] once(input logic [KeptW-1:0] kept);
    begin
      once = TlbParity != 0 ? kept[Ways-1:0] & ~kept[KeptW-1 -: Ways] : kept[Ways-1:0];
    end
  endfunction

  // ---- what a walk's end may write, known in stage A: the set (that of a sweep too) and the tag
  logic [SetW-1:0] ask_set, wr_set;
  logic [TagW-1:0] wr_tag;
  logic            sub0, may_sub, may_lg, ask_sub;
  logic [2:0]      may_first, may_last;
  logic [AsidW-1:0] read_asid0;
  logic [VfnW-1:0]  read_vfn0;
  assign {may_sub, may_lg, may_first, may_last} = read_fill_i;
  assign read_asid0 = read_asid_i[AsidW-1:0];
  assign read_vfn0  = read_vfn_i[VfnW-1:0];
  assign ask_sub    = read_fin_i & may_sub;
  assign ask_set    = ask_sub ? read_vfn0[9 +: SetW] : read_vfn0[SetW-1:0];
  // Gated, as this is another register than that of u_replace: it drives all RAMs.
  gmmu_clkgate #(.Width(SetW)) u_set (
    .clk_i, .en_i(read_i[0]), .d_i(ask_set), .q_o(wr_set)
  );
  gmmu_clkgate #(.Width(TagW)) u_tag (
    .clk_i, .en_i(read_fin_i),
    .d_i({may_sub, read_asid0, may_sub
          ? {read_vfn0[VfnW-1:9+SetW], may_first, may_last, may_lg, 2'b00}
          : read_vfn0[VfnW-1:SetW]}),
    .q_o(wr_tag)
  );
  // Not the tag's, which drives all RAMs.
  always_ff @(posedge clk_i) sub0 <= may_sub;

  // ---- what stage B wrote one cycle ago, and the valid bits of the set that it changed then
  logic             change, change_q;
  logic [Ways-1:0]  into, write_hot_q, next_valid, change_valid_q;
  logic [SetW-1:0]  write_set_q, change_set_q;
  logic [TagW-1:0]  write_tag_q;
  logic [DataW-1:0] write_data_q;
  always_ff @(posedge clk_i) change_q <= rst_ni & change;
  always_ff @(posedge clk_i) begin
    change_set_q   <= wr_set;
    change_valid_q <= next_valid;
  end
  gmmu_set_write #(.SetW(SetW), .Ways(Ways), .TagW(TagW), .DataW(DataW)) u_write (
    .clk_i, .rst_ni, .we_i(fin_i), .set_i(wr_set), .hot_i(into), .tag_i(wr_tag),
    .data_i(fill_data_i), .write_hot_q_o(write_hot_q), .write_set_q_o(write_set_q),
    .write_tag_q_o(write_tag_q), .write_data_q_o(write_data_q)
  );

  // ---- ports
  logic [Ports-1:0]      same, ready;   // an entry with the key; it serves the class of store
  logic [Ports*Ways-1:0] hot;
  logic [Ports*SetW-1:0] touch_set;
  logic [Ways-1:0]       reg_hot0, reg_valid0, valid0;
  logic [Ways-1:0]       range0;
  logic [Ways-Low-1:0]   covers0, start0;
  for (genvar p = 0; p < Ports; p++) begin : gen_port
    logic [VfnW-1:0]  vfn, read_vfn;
    logic [SetW-1:0]  reg_set, sub_set, read_reg, read_sub;
    logic [Ways-1:0]  reg_old, sub_old, reg_valid, sub_valid, reg_valid_q;
    logic             search, sub, lg, fin;
    logic [DataW-1:0] data;
    logic [Ways-1:0]  reg_hot, range, wrong;
    logic [Ways-Low-1:0] wrong_sub, covers, start;
    logic [2:0]       first_sub, last_sub;
    assign vfn       = vfn_i[p*VfnW +: VfnW];
    assign read_vfn  = read_vfn_i[p*VfnW +: VfnW];
    assign search    = look_i[p] | (p == 0 & fin_i);
    assign reg_set   = vfn[SetW-1:0];
    assign sub_set   = vfn[9 +: SetW];
    assign read_reg  = read_vfn[SetW-1:0];
    assign read_sub  = read_vfn[9 +: SetW];
    // What is valid is read in stage A, with what is being written and what stage B changes then,
    // which is known last.
    assign fin       = p == 0 & read_fin_i;
    assign first_sub = fin ? may_first : read_vfn[8:6];
    assign last_sub  = fin ? may_last : read_vfn[8:6];
    assign reg_old = change_q & change_set_q == read_reg ? change_valid_q
        : init[read_reg] ? once(valid_q[read_reg]) : '0;
    assign sub_old = change_q & change_set_q == read_sub ? change_valid_q
        : init[read_sub] ? once(valid_q[read_sub]) : '0;
    assign reg_valid = change & wr_set == read_reg ? next_valid : reg_old;
    assign sub_valid = change & wr_set == read_sub ? next_valid : sub_old;
    always_ff @(posedge clk_i) reg_valid_q <= reg_valid;
    gmmu_l2tlb_unified_port #(.Sets(Sets), .Ways(Ways), .AsidW(AsidW), .VfnW(VfnW),
        .DataW(DataW), .Sweep(p == 0 ? 1 : 0), .TlbParity(TlbParity)) u_port (
      .clk_i, .early_i(early_i[p]), .early_vfn_i(early_vfn_i[p*VfnW +: VfnW]), .read_i(read_i[p]),
      .read_asid_i(read_asid_i[p*AsidW +: AsidW]), .read_vfn_i(read_vfn), .first_i(first_sub),
      .last_i(last_sub), .sweep_asid_all_i, .sweep_asid_i, .sweep_lo_i, .sweep_hi_i,
      .search_i(search), .vfn_i(vfn), .reg_valid_i(reg_valid), .sub_valid_i(sub_valid),
      .reg_hot_o(reg_hot), .hit_o(same[p]), .bad_o(bad_o[p]),
      .sub_o(sub), .lg_o(lg), .hot_o(hot[p*Ways +: Ways]),
      .way_o(way_o[p*gmmu_pkg::L2_WAY_W +: WayW]),
      .data_o(data), .offset_o(offset_o[p*9 +: 9]),
      .range_o(range), .covers_o(covers), .start_o(start), .wrong_o(wrong),
      .wrong_sub_o(wrong_sub),
      .change_i(change), .we_i(into), .set_i(wr_set), .tag_i(wr_tag), .data_i(fill_data_i),
      .write_hot_q_i(write_hot_q), .write_set_q_i(write_set_q), .write_tag_q_i(write_tag_q),
      .write_data_q_i(write_data_q)
    );
    assign ready[p] = !gmmu_pkg::needs_dirty(data[DataW-1 -: gmmu_pkg::PERM_W],
        store_i[p*2 +: 2]);
    assign hit_o[p] = same[p] & ready[p];
    assign sub_o[p] = sub & ready[p];
    assign lg_o[p]  = lg & ready[p];
    assign way_o[p*gmmu_pkg::L2_WAY_W+WayW +: gmmu_pkg::L2_WAY_W-WayW] = '0;
    assign data_o[p*DataW +: DataW] = data;
    // A subregion hit touches only its own set.
    assign touch_set[p*SetW +: SetW] = p == 0 & fin_i ? wr_set : sub ? sub_set : reg_set;
    if (p == 0) begin : gen_first
      // Ways whose tag is wrong go with a fill or sweep, as in gmmu_l2tlb_base.
      assign reg_hot0   = reg_hot;
      assign reg_valid0 = reg_valid_q & ~wrong;
      // Of a fill: those of its set, chosen before what is changed now is known.
      logic [Ways-1:0] fill_valid_q;
      always_ff @(posedge clk_i) fill_valid_q <= change & wr_set == ask_set ? next_valid
          : ask_sub ? sub_old : reg_old;
      assign valid0     = fill_valid_q & ~(sub0 ? {wrong_sub, {Low{1'b0}}} : wrong);
      assign range0     = range;
      assign covers0    = covers;
      assign start0     = start;
    end
  end

  assign pages_o = '0;

  // ---- port 0: fill
  logic             full, old;
  logic [Ways-1:0]  stays, dropped, may, old_hot, victim;   // victim: one-hot
  // Other subregion entries of the frame that overlap the new one go first; that of its first
  // subregion is overwritten, as is a regular entry of the page. A subregion entry takes one of the
  // upper ways.
  assign dropped = {sub0 ? covers0 & ~start0 : '0, {Low{1'b0}}};
  assign old_hot = sub0 ? {covers0 & start0, {Low{1'b0}}} : reg_hot0;
  assign stays   = valid0 & ~dropped;
  assign may     = {{(Ways-Low){1'b1}}, {Low{!sub0}}};
  assign old     = |old_hot;
  assign into    = !fill_i ? '0 : old ? old_hot : victim;
  assign fill_overwrite_o = fill_i & old;
  assign fill_evict_o     = fill_i & !old & full;
  assign fill_way_o       = gmmu_pkg::L2_WAY_W'(index(into));
  assign fill_pages_o     = 4'd1;

  // ---- port 0: sweep of a set, read as a regular one
  logic [Ways-1:0] cleared;
  assign cleared = sweep_i ? reg_valid0 & ({Ways{sweep_all_i}} | range0) : '0;
  assign ways_o  = sweep_i ? 32'(cleared) : fill_i ? 32'(dropped) : '0;

  // ---- state
  logic [Ports*Ways-1:0] touch;     // one-hot, by port; a fill is a touch of port 0
  logic [Ports-1:0]      known;
  logic [Ports*SetW-1:0] early_set;
  logic [Ports-1:0]      early_known;
  logic                  ask_known;
  for (genvar p = 0; p < Ports; p++) begin : gen_touch
    logic [Ways-1:0] touched;
    assign touched = look_i[p] & hit_o[p] ? hot[p*Ways +: Ways] : '0;
    assign touch[p*Ways +: Ways] = p == 0 ? touched | into : touched;
    assign known[p] = p == 0 & fin_i ? init[wr_set] : 1'b1;    // a set with a hit was filled
  end
  assign early_set   = (Ports*SetW)'(ask_set);
  // Both sets are looked up and one is chosen, as this lies on the way to every bit of the order.
  assign ask_known   = ask_sub ? init[read_vfn0[9 +: SetW]] : init[read_vfn0[SetW-1:0]];
  assign early_known = Ports'(ask_known);
  gmmu_replace #(.Sets(Sets), .Ways(Ways), .Ports(Ports), .Some(1), .Apart(1)) u_replace (
    .clk_i, .rst_ni, .flush_i(1'b0), .early_set_i(early_set), .early_known_i(early_known),
    .set_i(touch_set), .known_i(known), .touch_i(touch), .held_i(1'b1), .query_i(fin_i),
    .may_i(may), .used_i(stays), .full_o(full), .way_o(victim)
  );

  // an empty set is never touched or swept clear
  gmmu_l2tlb_init #(.Sets(Sets), .TlbParity(TlbParity)) u_init (
    .clk_i, .rst_ni, .flush_i(1'b0), .fill_i, .set_i(wr_set), .init_o(init)
  );
  assign change     = fill_i | sweep_i;
  assign next_valid = sweep_i ? reg_valid0 & ~cleared : stays | into;
  always_ff @(posedge clk_i) begin
    if (change_q) valid_q[change_set_q] <= KeptW'({~change_valid_q, change_valid_q});
  end
endmodule
`default_nettype wire
