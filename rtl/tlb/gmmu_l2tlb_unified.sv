// SPDX-License-Identifier: Apache-2.0
// gmmu_l2tlb_unified: the array of the subregion-aware unified L2 TLB: regular entries (one 4 KiB
// page, any way) and subregion entries (a run of 1 to 8 subregions of one frame, upper half of the
// ways) in one array.
//
// Stages 0 and A: the regular set and the subregion set of each port are read, tags first, and
// these compared; the upper ways therefore have two read addresses a port. Stage B: answer, touch,
// and for port 0 alone fill or sweep; the change is seen by the next stage B. Rules:
// docs/l2_tlb.md, "Unified build". TlbParity=1: as in gmmu_l2tlb_base. Source: MESC section IV-C.
// Legal: Entries/Ways a power of two
// >= 2, Ways even and >= 4, Ports 1 or 2.
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
  // stage B: keys hold what stage A held one cycle before
  input  logic [Ports-1:0]       look_i,
  input  logic [Ports*AsidW-1:0] asid_i,
  input  logic [Ports*VfnW-1:0]  vfn_i,
  input  logic [Ports*2-1:0]     store_i,      // class of the stores that are asked for
  output logic [Ports-1:0]       hit_o,        // with the permissions for it
  output logic [Ports-1:0]       bad_o,        // an entry with wrong data was found
  output logic [Ports-1:0]       sub_o,        // the hit is a subregion entry
  output logic [Ports-1:0]       lg_o,         // ... of a coalesced frame or 2 MiB leaf
  output logic [Ports*16-1:0]    way_o,
  output logic [Ports*DataW-1:0] data_o,       // {permissions, PFN of the entry's first page}
  output logic [Ports*9-1:0]     offset_o,     // of the page from it
  output logic [Ports*4-1:0]     pages_o,      // that share the translation: none here
  // port 0: fill
  input  logic                   fill_i,
  input  logic                   fill_sub_i,
  input  logic                   fill_lg_i,
  input  logic [2:0]             fill_start_i,
  input  logic [2:0]             fill_len_i,   // subregions - 1
  input  logic [DataW-1:0]       fill_data_i,
  output logic [11:0]            fill_way_o,
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
  // LFN above the set bits, first subregion, length, LG, and two bits of nothing.
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

  // ---- what stage B wrote one cycle ago
  logic             write_q;
  logic [SetW-1:0]  wr_set, write_set_q;
  logic [WayW-1:0]  write_way_q, fill_way;
  logic [TagW-1:0]  wr_tag, write_tag_q;
  logic [DataW-1:0] write_data_q;
  gmmu_set_write #(.SetW(SetW), .WayW(WayW), .TagW(TagW), .DataW(DataW)) u_write (
    .clk_i, .rst_ni, .we_i(fill_i), .set_i(wr_set), .way_i(fill_way), .tag_i(wr_tag),
    .data_i(fill_data_i), .write_q_o(write_q), .write_set_q_o(write_set_q),
    .write_way_q_o(write_way_q), .write_tag_q_o(write_tag_q), .write_data_q_o(write_data_q)
  );

  // ---- ports
  logic [Ports-1:0]      same, ready;   // an entry with the key; it serves the class of store
  logic [Ports*WayW-1:0] way;
  logic [Ports*SetW-1:0] touch_set;
  logic [WayW-1:0]       reg_way0;
  logic                  reg_hit0;
  logic [Ways-1:0]       reg_valid0;
  logic [Ways-1:0]       range0, wrong0;     // wrong: tags, in the page's set and the frame's
  logic [Ways-Low-1:0]   wrong_sub0;
  logic [Ways-Low-1:0]   frame0;        // subregion entries of the frame, with their fields
  logic [(Ways-Low)*7-1:0] field0;
  for (genvar p = 0; p < Ports; p++) begin : gen_port
    logic [VfnW-1:0]  vfn;
    logic [SetW-1:0]  reg_set, sub_set;
    logic [Ways-1:0]  reg_valid, sub_valid;
    logic             search, reg_hit, sub, lg;
    logic [WayW-1:0]  reg_way;
    logic [DataW-1:0] data;
    logic [Ways-1:0]  range, wrong;
    logic [Ways-Low-1:0] wrong_sub;
    logic [KeptW-1:0] reg_kept, sub_kept;
    logic [Ways-Low-1:0] frame;
    logic [(Ways-Low)*7-1:0] field;
    assign vfn       = vfn_i[p*VfnW +: VfnW];
    assign search    = look_i[p] | (p == 0 & fill_i);
    assign reg_set   = vfn[SetW-1:0];
    assign sub_set   = vfn[9 +: SetW];
    assign reg_kept  = valid_q[reg_set];
    assign sub_kept  = valid_q[sub_set];
    assign reg_valid = init[reg_set] ? once(reg_kept) : '0;
    assign sub_valid = init[sub_set] ? once(sub_kept) : '0;
    gmmu_l2tlb_unified_port #(.Sets(Sets), .Ways(Ways), .AsidW(AsidW), .VfnW(VfnW),
        .DataW(DataW), .Sweep(p == 0 ? 1 : 0), .TlbParity(TlbParity)) u_port (
      .clk_i, .early_i(early_i[p]), .early_vfn_i(early_vfn_i[p*VfnW +: VfnW]), .read_i(read_i[p]),
      .read_asid_i(read_asid_i[p*AsidW +: AsidW]), .read_vfn_i(read_vfn_i[p*VfnW +: VfnW]),
      .sweep_asid_all_i, .sweep_asid_i, .sweep_lo_i, .sweep_hi_i,
      .search_i(search), .vfn_i(vfn),
      .reg_valid_i(reg_valid), .sub_valid_i(sub_valid),
      .reg_hit_o(reg_hit), .reg_way_o(reg_way), .hit_o(same[p]), .bad_o(bad_o[p]),
      .sub_o(sub), .lg_o(lg), .way_o(way[p*WayW +: WayW]), .data_o(data),
      .offset_o(offset_o[p*9 +: 9]),
      .range_o(range), .frame_o(frame), .field_o(field), .wrong_o(wrong),
      .wrong_sub_o(wrong_sub),
      .we_i(fill_i), .way_i(fill_way), .set_i(wr_set), .tag_i(wr_tag), .data_i(fill_data_i),
      .write_q_i(write_q), .write_way_q_i(write_way_q), .write_set_q_i(write_set_q),
      .write_tag_q_i(write_tag_q), .write_data_q_i(write_data_q)
    );
    assign ready[p] = !gmmu_pkg::needs_dirty(data[DataW-1 -: gmmu_pkg::PERM_W],
        store_i[p*2 +: 2]);
    assign hit_o[p] = same[p] & ready[p];
    assign sub_o[p] = sub & ready[p];
    assign lg_o[p]  = lg & ready[p];
    assign way_o[p*16 +: 16]        = 16'(way[p*WayW +: WayW]);
    assign data_o[p*DataW +: DataW] = data;
    // A subregion hit touches only its own set.
    assign touch_set[p*SetW +: SetW] = sub ? sub_set : reg_set;
    if (p == 0) begin : gen_first
      assign reg_hit0   = reg_hit;
      assign reg_way0   = reg_way;
      assign reg_valid0 = reg_valid & ~wrong;
      assign range0     = range;
      assign wrong0     = wrong;
      assign wrong_sub0 = wrong_sub;
      assign frame0     = frame;
      assign field0     = field;
    end
  end

  assign pages_o = '0;

  // ---- port 0: fill
  logic              full, alike, old;
  logic [WayW-1:0]   same_way, old_way;
  logic [Ways-1:0]   valid0, stays, dropped, may, victim;   // victim: one-hot
  logic [VfnW-1:0]   vfn0;
  logic [AsidW-1:0]  asid0;
  logic [3:0]        fill_end;
  assign vfn0     = vfn_i[VfnW-1:0];
  assign asid0    = asid_i[AsidW-1:0];
  assign wr_set   = fill_sub_i ? vfn0[9 +: SetW] : vfn0[SetW-1:0];
  assign wr_tag   = {fill_sub_i, asid0,
                     fill_sub_i ? {vfn0[VfnW-1:9+SetW], fill_start_i, fill_len_i, fill_lg_i, 2'b00}
                                : vfn0[VfnW-1:SetW]};
  assign fill_end = {1'b0, fill_start_i} + {1'b0, fill_len_i};
  // Ways whose tag is wrong go with a fill or sweep, as in gmmu_l2tlb_base.
  logic [KeptW-1:0] kept0;
  assign kept0    = valid_q[wr_set];
  assign valid0   = !init[wr_set] ? '0
      : once(kept0) & ~(fill_sub_i ? {wrong_sub0, {Low{1'b0}}} : wrong0);
  // Other subregion entries of the frame that overlap the new one go first.
  logic [Ways-1:0] alike_hot;    // of its first subregion
  for (genvar w = 0; w < Ways; w++) begin : gen_drop
    if (w >= Low) begin : gen_upper
      logic [2:0] first_sub, length;
      logic [3:0] last;
      logic       of_frame, at_start;
      assign {first_sub, length} = field0[(w-Low)*7 + 1 +: 6];
      assign last         = {1'b0, first_sub} + {1'b0, length};
      assign of_frame     = fill_i & fill_sub_i & valid0[w] & frame0[w-Low];
      assign at_start     = first_sub == fill_start_i;
      assign alike_hot[w] = of_frame & at_start;
      assign dropped[w]   = of_frame & !at_start & {1'b0, first_sub} <= fill_end &
          last >= {1'b0, fill_start_i};
    end else begin : gen_lower
      assign alike_hot[w] = 1'b0;
      assign dropped[w]   = 1'b0;
    end
  end
  assign stays    = valid0 & ~dropped;
  assign alike    = |alike_hot;
  assign same_way = index(alike_hot);
  // A subregion entry takes one of the upper ways.
  assign may              = {{(Ways-Low){1'b1}}, {Low{!fill_sub_i}}};
  assign old              = fill_sub_i ? alike : reg_hit0;
  assign old_way          = fill_sub_i ? same_way : reg_way0;
  assign fill_way         = old ? old_way : index(victim);
  assign fill_overwrite_o = fill_i & old;
  assign fill_evict_o     = fill_i & !old & full;
  assign fill_way_o       = 12'(fill_way);
  assign fill_pages_o     = 4'd1;

  // ---- port 0: sweep of a set, read as a regular one
  logic [Ways-1:0] cleared;
  assign cleared = sweep_i ? reg_valid0 & ({Ways{sweep_all_i}} | range0) : '0;
  assign ways_o = sweep_i ? 32'(cleared) : 32'(dropped);

  // ---- state
  logic [Ports*SetW-1:0] order_set;
  logic [Ports-1:0]      known;
  logic [Ports*Ways-1:0] touch;     // one-hot, by port; a fill is a touch of port 0
  for (genvar p = 0; p < Ports; p++) begin : gen_touch
    logic touched;
    assign touched = look_i[p] & hit_o[p];
    if (p == 0) begin : gen_first
      assign order_set[SetW-1:0] = fill_i ? wr_set : touch_set[SetW-1:0];
      assign touch[Ways-1:0] = fill_i ? Ways'(1) << fill_way
                             : touched ? Ways'(1) << way[WayW-1:0] : '0;
    end else begin : gen_second
      assign order_set[p*SetW +: SetW] = touch_set[p*SetW +: SetW];
      assign touch[p*Ways +: Ways] = touched ? Ways'(1) << way[p*WayW +: WayW] : '0;
    end
    assign known[p] = init[order_set[p*SetW +: SetW]];
  end
  gmmu_replace #(.Sets(Sets), .Ways(Ways), .Ports(Ports), .Some(1), .Apart(1)) u_replace (
    .clk_i, .rst_ni, .flush_i(1'b0), .early_set_i(order_set), .early_known_i(known),
    .set_i({wr_set, order_set}), .known_i({init[wr_set], known}),
    .touch_i(touch), .held_i(1'b1), .query_i(fill_i), .may_i(may), .used_i(stays), .full_o(full),
    .way_o(victim)
  );

  // an empty set is never touched or swept clear
  gmmu_l2tlb_init #(.Sets(Sets), .TlbParity(TlbParity)) u_init (
    .clk_i, .rst_ni, .flush_i(1'b0), .fill_i, .set_i(wr_set), .init_o(init)
  );
  logic [Ways-1:0] next_valid;
  assign next_valid = fill_i ? stays | (Ways'(1) << fill_way) : reg_valid0 & ~cleared;
  always_ff @(posedge clk_i) begin
    if (fill_i) valid_q[wr_set] <= KeptW'({~next_valid, next_valid});
    else if (sweep_i) valid_q[vfn0[SetW-1:0]] <= KeptW'({~next_valid, next_valid});
  end
endmodule
`default_nettype wire
