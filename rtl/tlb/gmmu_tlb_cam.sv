// SPDX-License-Identifier: Apache-2.0
// gmmu_tlb_cam: fully associative TLB array with true LRU; docs/l1_tlb.md gives the rules.
//
// Search: key in, hit/way/data out in the same cycle; Ports searches a cycle, each only while
// search_i is 1. touch_i makes the way that port hit most recent (at the end of the cycle). Fill:
// with the key of port 0 (search_i[0] must be 1): overwrites the entry with that key, else the
// lowest invalid way, else the LRU way; seen from the next cycle on. Not together with a search of
// port 1. Sweep: start pulse in t; way i is compared with the range in t+1+i and is gone from t+2+i
// on, unless a fill takes it in t+1+i. sweep_visit_o, sweep_cleared_o, sweep_way_o: a visit, in the
// cycle in which the entry is gone. PageW is the width of a page number, Shift the number of VFN
// bits below it (0: 4 KiB, 9: 2 MiB). Legal: Entries >= 2, Ports 1 or 2.
// take_i: what port 0 finds, or fills, now is kept until the next take_i, and late_data_o (with
// Late) is its data, from the next cycle on; no fill or touch without take_i. Overwrites=0: no fill
// has the key of an entry, as its caller knows, and its way does not wait for the search. Ahead=1:
// what is looked for is given, and compared, in the cycle before (read_*). TlbParity=1: an entry
// found with wrong parity (bad_o) is no hit, and gone in the next cycle. Source: Mosaic 4.3.
`default_nettype none
`include "gmmu_assert.svh"
module gmmu_tlb_cam #(
  parameter int Entries = 16,
  parameter int AsidW   = 9,
  parameter int PageW   = 36,
  parameter int Shift   = 0,
  parameter int DataW   = 41,
  parameter int Ports   = 1,
  // 4: an entry holds pages of an aligned group of 4 (docs/colt.md); Shift 0, one port
  parameter int Pages   = 1,
  parameter int Late       = 0,     // 2: fill_data_i is given in the cycle after the fill
  parameter int Overwrites = 1,     // 0: with Pages = 1
  parameter int Ahead      = 0,     // 1: with Pages = 1
  parameter int Apart      = 0,     // 1: no fill follows another at once; Ahead=1, no parity
  parameter int TlbParity  = 0,
  parameter int Copies     = 1,     // of port 0's key, for as many parts of the entries
  parameter int Kept = 32'(Entries >= 32 && Ports * Pages == 1 && Late != 0 &&  // 1: in registers:
      Ahead + Overwrites + TlbParity + gmmu_pkg::FPGA == 0),    // who is free next, a sweep's tag
  localparam int WayW   = gmmu_pkg::idx_w(Entries)
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  // Ahead=1: the keys of the next cycle
  input  logic [Ports-1:0]       read_i,
  input  logic [Ports*AsidW-1:0] read_asid_i,
  input  logic [Ports*PageW-1:0] read_page_i,
  // searches
  input  logic [Ports-1:0]       search_i,
  input  logic [Ports-1:0]       touch_i,
  input  logic [Ports*Copies*AsidW-1:0] asid_i,
  input  logic [Ports*Copies*PageW-1:0] page_i,
  output logic [Ports-1:0]       hit_o,
  output logic [Ports-1:0]       bad_o,
  output logic [Ports*WayW-1:0]  way_o,
  output logic [Ports*DataW-1:0] data_o,
  input  logic                   take_i,
  output logic [DataW-1:0]       late_data_o,
  // fill
  input  logic                   fill_i,
  input  logic [AsidW-1:0]       fill_asid_i,    // the same as port 0's, wherever from
  input  logic [PageW-1:0]       fill_page_i,
  input  logic [DataW-1:0]       fill_data_i,
  input  logic [Pages-1:0]       fill_pages_i,
  output logic [WayW-1:0]        fill_way_o,
  output logic                   fill_overwrite_o,
  output logic                   fill_evict_o,
  // sweep
  input  logic                   sweep_start_i,
  input  logic                   sweep_all_i,    // every ASID, every page
  input  logic                   sweep_asid_all_i, // every page of the ASID
  input  logic [AsidW-1:0]       sweep_asid_i,
  input  logic [35:0]            sweep_lo_i,     // VFNs
  input  logic [35:0]            sweep_hi_i,
  output logic                   sweep_busy_o,
  output logic                   sweep_visit_o,
  output logic                   sweep_cleared_o,
  output logic [WayW-1:0]        sweep_way_o
);
  localparam int N     = Entries;
  localparam int GrpW  = Pages == 4 ? 2 : 0;    // page bits that the mask stands for
  localparam int NumW  = PageW - GrpW;          // the rest, in the tag
  localparam int KeyW  = AsidW + NumW;
  localparam int Rams  = Late == 2 && N >= 8 && Pages == 1 && TlbParity == 0 ? gmmu_pkg::FPGA : 0;
  localparam int Part  = (Entries + Copies - 1) / Copies;    // entries for a copy of the key

  if (Entries < 2) begin : gen_bad_entries
    gmmu_tlb_cam_Entries_must_be_at_least_2 u_bad();
  end else if ((Copies != 1 || Late != 0) && (Ports != 1 || Ahead != 0) ||
      Late == 2 && (Pages != 1 || TlbParity != 0)) begin : gen_bad_late
    gmmu_tlb_cam_Copies_and_Late_need_one_port_and_2_one_page_and_no_parity u_bad();
  end else if (Pages != 1 && (Pages != 4 || Ports != 1 || Shift + Ahead != 0)) begin : gen_bad_pages
    gmmu_tlb_cam_Pages_must_be_1_or_4_with_one_port u_bad();
  end

  // Behind clock gates; mem2reg: as memories Yosys would decode their reads a second time.
  (* mem2reg *) logic [KeyW-1:0]  tag_q   [0:Entries-1];
  (* mem2reg *) logic [DataW-1:0] data_q  [0:Entries-1];
  logic [Entries*Pages-1:0] valid, valid_d;   // by entry, its pages; in the next cycle
  logic [Entries-1:0] used, sound;     // entries that hold something; that have the right parity
  logic [Entries-1:0] stays, at, upto; // Pages = 1: valid behind this cycle without a fill; swept
  logic [Pages-1:0]   sweeps;          // pages of the one at `at` that are swept
  `include "gmmu_first.svh"

  // ---- searches. Nested ifs, here and in the MSHRs: simulators then look at the valid bit of a
  // match only, which makes a search several times faster.
  logic [N-1:0]    into, found;  // that takes the fill; Late: that was found, or filled, last
  logic [N-1:0]    data_into;  // whose data are written: Late=2: a cycle behind the tag
  logic [KeyW-1:0] key0, near_key;   // of a fill: from fill_*, from port 0's key
  logic [Ports*N-1:0] hot_all, bad_all;
  logic [N-1:0]    drop, at_read;   // found with wrong parity; whose tag the sweep reads
  assign {key0, near_key} = {fill_asid_i, fill_page_i[GrpW +: NumW], asid_i[AsidW-1:0],
                             page_i[GrpW +: NumW]};
  for (genvar p = 0; p < Ports; p++) begin : gen_port
    logic [Copies*KeyW-1:0] keys;
    logic [1:0]       page;  // within its entry
    logic [N-1:0]     hot, bad;
    logic [WayW-1:0]  way;
    logic [DataW-1:0] data;
    for (genvar c = 0; c < Copies; c++) begin : gen_key
      assign keys[c*KeyW +: KeyW] = {asid_i[(p+c)*AsidW +: AsidW],
          page_i[(p+c)*PageW + GrpW +: NumW]};
    end
    assign page = Pages == 1 ? 2'd0 : page_i[p*PageW +: 2];
    if (Ahead != 0) begin : gen_ahead
      logic [KeyW-1:0] read_key, key;   // key: a variable: simulators compute it once a search
      logic [N-1:0]    same, hot_q;   // hot_q: in the array as it is now
      assign read_key = {read_asid_i[p*AsidW +: AsidW], read_page_i[p*PageW +: PageW]};
      always_comb begin
        same = '0;
        key  = read_key;
        if (read_i[p]) begin
          for (int i = 0; i < Entries; i++) if (tag_q[i] == key) same[i] = 1'b1;
        end
      end
      always_ff @(posedge clk_i)
        hot_q <= (same & stays & ~into) | (read_i[p] & read_key == near_key ? into : '0);
      assign {hot, bad} = search_i[p] ? {hot_q & sound, hot_q & ~sound} : '0;
      always_comb begin
        way  = '0;
        data = '0;
        if (`GMMU_ANY(hot)) begin
          for (int i = 0; i < Entries; i++) begin
            if (hot[i]) begin
              way  = way | WayW'(i);
              data = data | data_q[i];
            end
          end
        end
      end
    end else begin : gen_now
      logic unused_read;
      logic [Copies*(WayW+DataW)-1:0] words_found;    // {way, data}
      assign unused_read = ^{read_i, read_asid_i, read_page_i};
      for (genvar c = 0; c < Copies; c++) begin : gen_part
        localparam int Low  = c * Part;
        localparam int Some = Entries - Low < Part ? Entries - Low : Part;
        logic [KeyW-1:0]       key;
        logic [Some-1:0]       part_hot, part_bad;
        logic [WayW+DataW-1:0] word;
        always_comb begin
          {part_hot, part_bad, word} = '0;
          key = keys[c*KeyW +: KeyW];
          if (search_i[p]) begin
            for (int i = 0; i < Some; i++) begin
              if (tag_q[Low+i] == key) if (valid[(Low+i)*Pages + 32'(page)]) begin
                part_hot[i] = sound[Low+i];
                part_bad[i] = !sound[Low+i];
                if (sound[Low+i]) word = word | {WayW'(Low + i), data_q[Low+i]};
              end
            end
          end
        end
        assign {hot[Low +: Some], bad[Low +: Some]}      = {part_hot, part_bad};
        assign words_found[c*(WayW+DataW) +: WayW+DataW] = word;
      end
      always_comb begin
        {way, data} = '0;
        for (int c = 0; c < Copies; c++)
          {way, data} = {way, data} | words_found[c*(WayW+DataW) +: WayW+DataW];
      end
    end
    assign hot_all[p*N +: N]       = hot;
    assign bad_all[p*N +: N]       = bad;
    assign hit_o[p]                = |hot;
    assign bad_o[p]                = |bad;
    assign way_o[p*WayW +: WayW]   = way;
    assign data_o[p*DataW +: DataW] = data;
  end
  assign drop = bad_all[N-1:0] | bad_all[Ports*N-1 -: N];

  // ---- data of the entry that was found last: its path ends at one flip-flop an entry. With
  // parity they are taken when they are checked: an answer that waits sees no upset after it.
  logic [KeyW-1:0] at_tag;       // of the entry that is swept
  if (Rams != 0) begin : gen_rams
    gmmu_cam_rams #(.N(N), .TagW(KeyW), .DataW(DataW)) u_rams (
      .clk_i, .into_i(into), .tag_i(key0), .data_into_i(data_into), .data_i(fill_data_i),
      .at_i(at_way), .tag_o(at_tag), .found_i(found), .data_o(late_data_o)
    );
  end else if (Late != 0 && TlbParity != 0) begin : gen_taken
    gmmu_clkgate #(.Width(DataW)) u_data (
      .clk_i, .en_i(take_i), .d_i(data_o[DataW-1:0]), .q_o(late_data_o)
    );
  end else begin : gen_late
    always_comb begin
      late_data_o = '0;                  // without Late nothing is found
`ifdef VERILATOR
      if (|found) late_data_o = data_q[index(found)];   // the same by number
`else
      for (int i = 0; i < Entries; i++) if (found[i]) late_data_o = late_data_o | data_q[i];
`endif
    end
  end

  // ---- fill: which entry takes it: of the same tag; with groups, of the same tag and contents.
  // lose: pages that entries of the group lose to it.
  logic                     same;
  logic [N-1:0]             same_hot;
  logic [Entries*Pages-1:0] lose;
  if (Pages == 1) begin : gen_single
    assign same     = Overwrites != 0 & hit_o[0];
    assign same_hot = hot_all[N-1:0];
    assign {used, lose} = {valid, {Entries{1'b0}}};
  end else begin : gen_group
    logic [Entries-1:0] of_group, alike;
    for (genvar i = 0; i < Entries; i++) begin : gen_entry
      assign used[i]                = |valid[i*Pages +: Pages];
      assign of_group[i]            = fill_i & tag_q[i] == key0 & used[i];
      assign alike[i]               = of_group[i] & sound[i] & data_q[i] == fill_data_i;
      assign lose[i*Pages +: Pages] = (of_group[i] & !alike[i]) ? fill_pages_i : '0;
    end
    assign {same, same_hot} = {|alike, alike};
  end
  gmmu_cam_place #(.N(N), .Ports(Ports), .Pages(Pages), .Late(Late), .Apart(Apart),
      .Kept(Kept)) u_place (
    .clk_i, .rst_ni, .hot_i(hot_all), .touch_i, .take_i, .used_i(used), .sweeps_i(sweeps[0]),
    .at_i(at), .upto_i(upto), .fill_i, .same_i(same), .same_hot_i(same_hot), .into_o(into),
    .evict_o(fill_evict_o), .found_o(found), .data_into_o(data_into)
  );
  assign {fill_way_o, fill_overwrite_o} = {index(into), fill_i & same};

  // ---- sweep: one way a cycle
  logic [WayW-1:0] at_way;                   // whose it is without Ahead
  if (Rams == 0) begin : gen_at_tag
    always_comb begin
      at_tag = '0;
`ifdef VERILATOR
      if (|at_read) at_tag = tag_q[index(at_read)];
`else
      for (int i = 0; i < Entries; i++) if (at_read[i]) at_tag = at_tag | tag_q[i];
`endif
    end
  end
  gmmu_cam_sweep #(.N(N), .AsidW(AsidW), .NumW(NumW), .Pages(Pages), .Shift(Shift),
      .Ahead(Kept != 0 ? 2 : Ahead)) u_sweep (
    .clk_i, .rst_ni, .sweep_start_i, .sweep_all_i, .sweep_asid_all_i, .sweep_asid_i, .sweep_lo_i,
    .sweep_hi_i, .tag_i(at_tag), .key_i(Ahead != 0 ? near_key : key0), .valid_i(valid),
    .into_i(into), .lose_i(lose), .same_i(same), .fill_pages_i, .at_o(at), .upto_o(upto),
    .read_o(at_read), .way_o(at_way), .sweeps_o(sweeps), .sweep_busy_o, .sweep_visit_o,
    .sweep_cleared_o, .sweep_way_o
  );

  // ---- storage
  gmmu_cam_next #(.N(N), .Pages(Pages)) u_next (
    .valid_i(valid), .drop_i(drop), .at_i(at), .sweeps_i(sweeps), .into_i(into), .lose_i(lose),
    .same_i(same), .fill_pages_i, .stays_o(stays), .valid_d_o(valid_d)
  );
  logic [N*(KeyW+DataW)-1:0] words;
  for (genvar i = 0; i < Entries; i++) begin : gen_flat
    assign words[i*(KeyW+DataW) +: KeyW+DataW] = TlbParity != 0 ? {tag_q[i], data_q[i]} : '0;
  end
  gmmu_cam_valid #(.N(N), .Pages(Pages), .WordW(KeyW + DataW), .TlbParity(TlbParity)) u_valid (
    .clk_i, .rst_ni, .valid_d_i(valid_d), .valid_o(valid), .into_i(into),
    .new_i({key0, fill_data_i}), .words_i(words), .sound_o(sound)
  );
`ifdef VERILATOR    // in one write each; tb/netlist compares the netlist of what is below with it
  logic [WayW-1:0] data_at;
  assign data_at = index(data_into);
  always_ff @(posedge clk_i) if (|into) tag_q[fill_way_o] <= key0;
  always_ff @(posedge clk_i) if (|data_into) data_q[data_at] <= fill_data_i;
`else
  for (genvar i = 0; i < Entries; i++) begin : gen_words
    logic [KeyW-1:0]  tag;
    logic [DataW-1:0] data;
    if (Late == 2) begin : gen_apart
      gmmu_clkgate #(.Width(KeyW)) u_tag (.clk_i, .en_i(into[i]), .d_i(key0), .q_o(tag));
      gmmu_clkgate #(.Width(DataW)) u_data (
        .clk_i, .en_i(data_into[i]), .d_i(fill_data_i), .q_o(data)
      );
    end else begin : gen_together
      gmmu_clkgate #(.Width(KeyW + DataW)) u_words (
        .clk_i, .en_i(into[i]), .d_i({key0, fill_data_i}), .q_o({tag, data})
      );
    end
    assign tag_q[i]  = tag;
    assign data_q[i] = data;
  end
`endif
  `GMMU_ASSERT_IF(cam_one_is_written, |into, (into & (into - 1'b1)) == '0)
  `GMMU_ASSERT_IF(cam_fill_is_new, Overwrites == 0 && fill_i, !hit_o[0])
endmodule
`default_nettype wire
