// SPDX-License-Identifier: Apache-2.0
// gmmu_bypass_cache: fully associative true-LRU array beside the L2 TLB's, for translations that
// may not fill it. Holds pages and runs of subregions as the unified L2 does. Rules:
// docs/bypass_cache.md. Source: MASK section 5.2.
//
// In stage B of the L2 TLB: searches of both ports, and for port 0 alone a fill, or the removal of
// what a fill of the L2 replaces; never both. What they look for is given in stage A, the cycle
// before, as well: all is compared then, but whether an entry is valid and sound. Sweep: one way a
// cycle. TlbParity=1: as in gmmu_tlb_cam. Legal: Entries 2..32, Ports 1 or 2.
`default_nettype none
`include "gmmu_assert.svh"
module gmmu_bypass_cache #(
  parameter int Entries = 32,
  parameter int Ports   = 2,
  parameter int AsidW   = 9,
  parameter int VfnW    = 36,
  parameter int DataW   = 41,
  parameter int TlbParity = 0,
  localparam int WayW   = gmmu_pkg::idx_w(Entries)
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  // stage A: the keys of the next cycle
  input  logic [Ports-1:0]       read_i,
  input  logic [Ports*AsidW-1:0] read_asid_i,
  input  logic [Ports*VfnW-1:0]  read_vfn_i,
  input  logic [7:0]             read_fill_i,  // of port 0: {run of subregions, LG, first, last}
  // searches
  input  logic [Ports-1:0]       search_i,
  input  logic [Ports-1:0]       touch_i,
  input  logic [Ports*AsidW-1:0] asid_i,
  input  logic [Ports*VfnW-1:0]  vfn_i,
  output logic [Ports-1:0]       hit_o,
  output logic [Ports-1:0]       bad_o,        // an entry of the page with wrong parity
  output logic [Ports-1:0]       lg_o,         // a 2 MiB translation
  output logic [Ports*WayW-1:0]  way_o,
  output logic [Ports*DataW-1:0] data_o,       // {permissions, PFN of the entry's first page}
  output logic [Ports*9-1:0]     offset_o,     // of the page from it; 0 for 2 MiB translations
  // the page of port 0: fill, or leave; fin_i: it may be either, known earlier
  input  logic                   fin_i,
  input  logic                   fill_i,
  input  logic                   leave_i,
  input  logic                   fill_sub_i,
  input  logic                   fill_lg_i,    // with fill_sub_i
  input  logic [2:0]             fill_start_i,
  input  logic [2:0]             fill_len_i,   // subregions - 1
  input  logic [DataW-1:0]       fill_data_i,
  output logic [WayW-1:0]        fill_way_o,
  output logic                   fill_overwrite_o,
  output logic                   fill_evict_o,
  output logic [Entries-1:0]     left_o,       // entries that went for it
  // sweep
  input  logic                   sweep_start_i,
  input  logic                   sweep_all_i,
  input  logic                   sweep_asid_all_i,
  input  logic [AsidW-1:0]       sweep_asid_i,
  input  logic [35:0]            sweep_lo_i,
  input  logic [35:0]            sweep_hi_i,
  output logic                   sweep_busy_o,
  output logic                   sweep_visit_o,
  output logic                   sweep_cleared_o,
  output logic [WayW-1:0]        sweep_way_o
);
  // Tag: {T, ASID, VFN}; of a subregion entry VFN = {LFN, first subregion, length, LG, two bits of
  // nothing}.
  localparam int N    = Entries;
  localparam int TagW = 1 + AsidW + VfnW;
  localparam int LfnW = VfnW - 9;
  localparam int FrameW = AsidW + LfnW;

  if (Entries < 2 || Entries > 32 || (Ports != 1 && Ports != 2)) begin : gen_bad
    gmmu_bypass_cache_Entries_must_be_2_to_32_and_Ports_1_or_2 u_bad();
  end

  `include "gmmu_first.svh"

  // an entry's words behind one clock gate; mem2reg: as in gmmu_tlb_cam
  (* mem2reg *) logic [TagW-1:0]  tag_q  [0:Entries-1];
  (* mem2reg *) logic [DataW-1:0] data_q [0:Entries-1];
  logic [Entries-1:0] valid, valid_d, sound;  // sound: with the right parity
  logic [3:0]         last [0:Entries-1];     // of a subregion entry: its last subregion
  logic [Ports*N-1:0] frame, hot, bad;        // by port: entries of the frame; the one that hits
  logic [N-1:0]       into;                   // that takes a fill
  logic [N*FrameW-1:0] frames;                // {ASID, LFN}
  logic [N-1:0]       kind;                   // of an entry: a run of subregions
  for (genvar i = 0; i < Entries; i++) begin : gen_last
    assign last[i] = {1'b0, tag_q[i][8:6]} + {1'b0, tag_q[i][5:3]};
    assign frames[i*FrameW +: FrameW] = tag_q[i][TagW-2:9];
    assign kind[i]                    = tag_q[i][TagW-1];
  end

  // ---- frames: compared a cycle before
  logic [AsidW-1:0] asid0;
  logic [VfnW-1:0]  vfn0;
  logic [LfnW-1:0]  lfn0;
  assign asid0 = asid_i[AsidW-1:0];
  assign vfn0  = vfn_i[VfnW-1:0];
  assign lfn0  = vfn0[VfnW-1:9];
  logic [Ports*FrameW-1:0] read_frames;
  logic [Ports-1:0]        new_same, new_frame;
  logic [Ports*N-1:0]      same_frame, old_frame;
  for (genvar p = 0; p < Ports; p++) begin : gen_read
    logic [FrameW-1:0] key;
    assign key = {read_asid_i[p*AsidW +: AsidW], read_vfn_i[p*VfnW + 9 +: LfnW]};
    assign read_frames[p*FrameW +: FrameW] = key;
    assign new_same[p] = key == {asid0, lfn0};
  end
  gmmu_match_ahead #(.N(N), .KeyW(FrameW), .Ports(Ports)) u_frames (
    .clk_i, .look_i(read_i), .key_i(read_frames), .keys_i(frames), .open_i(valid),
    .write_i(into), .new_same_i(new_same), .same_o(same_frame),
    .old_o(old_frame), .new_o(new_frame)
  );

  // ---- and within the frame: what an entry holds of it against the page, and of port 0 against
  // what is filled. new_: of the entry that is written meanwhile
  logic [2:0]         last_new, a_start, a_last;
  logic               a_sub, unused_a_lg;
  logic [N-1:0]       written_q, alike, over, alike_q, over_q, same_fill, over_fill;
  logic               new_alike, new_over, new_alike_q, new_over_q;
  logic [Ports*N-1:0] of_page, old_page;
  logic [Ports-1:0]   new_page;
  assign last_new = fill_start_i + fill_len_i;
  assign {a_sub, unused_a_lg, a_start, a_last} = read_fill_i;
  always_ff @(posedge clk_i) written_q <= into;
  for (genvar p = 0; p < Ports; p++) begin : gen_page
    logic [8:0]   key;
    logic [N-1:0] found, found_q;
    logic         new_found, new_found_q;
    assign key = read_vfn_i[p*VfnW +: 9];
    always_comb begin : compare
      logic [TagW-1:0] t;
      found = '0;
      t     = '0;
      if (`GMMU_ANY(read_i[p])) begin
        for (int i = 0; i < Entries; i++) begin
          t        = tag_q[i];
          found[i] = t[TagW-1] ? key[8:6] >= t[8:6] && {1'b0, key[8:6]} <= last[i] : t[8:0] == key;
        end
      end
    end
    assign new_found = fill_sub_i ? key[8:6] >= fill_start_i && key[8:6] <= last_new
                                  : key == vfn0[8:0];
    always_ff @(posedge clk_i) begin
      found_q     <= found;
      new_found_q <= new_found;
    end
    assign old_page[p*N +: N] = found_q & ~written_q;
    assign new_page[p]        = new_found_q;
    assign of_page[p*N +: N]  = old_page[p*N +: N] | (new_found_q ? written_q : '0);
  end
  always_comb begin : compare_fill
    logic [TagW-1:0] t;
    alike = '0;
    over  = '0;
    t     = '0;
    if (`GMMU_ANY(read_i[0])) begin
      for (int i = 0; i < Entries; i++) begin
        t        = tag_q[i];
        alike[i] = t[TagW-1] == a_sub &
                   (a_sub ? t[8:6] == a_start : t[8:0] == read_vfn_i[8:0]);
        `GMMU_USED(a_sub) over[i] = t[TagW-1] & a_sub & t[8:6] != a_start & t[8:6] <= a_last &
                   a_start <= last[i][2:0];
      end
    end
  end
  assign new_alike = fill_sub_i == a_sub &
                     (a_sub ? fill_start_i == a_start : vfn0[8:0] == read_vfn_i[8:0]);
  assign new_over  = fill_sub_i & a_sub & fill_start_i != a_start & fill_start_i <= a_last &
                     a_start <= last_new;
  always_ff @(posedge clk_i) begin
    alike_q     <= alike;
    over_q      <= over;
    new_alike_q <= new_alike;
    new_over_q  <= new_over;
  end
  assign same_fill = (alike_q & ~written_q) | (new_alike_q ? written_q : '0);
  assign over_fill = (over_q & ~written_q) | (new_over_q ? written_q : '0);

  // ---- searches: a subregion entry wins
  for (genvar p = 0; p < Ports; p++) begin : gen_port
    logic              look, lg, any_sub;
    logic [N-1:0]      of_frame, regs, subs;
    logic [VfnW-1:0]   vfn;
    logic [WayW-1:0]   way;
    logic [DataW-1:0]  data;
    logic [2:0]        start;
    assign look = search_i[p] | (p == 0 ? fin_i : 1'b0);
    assign vfn  = vfn_i[p*VfnW +: VfnW];
    assign of_frame = look ? same_frame[p*N +: N] & valid : '0;
    assign regs = of_frame & of_page[p*N +: N] & ~kind;
    assign subs = of_frame & of_page[p*N +: N] & kind;
    assign frame[p*N +: N] = of_frame & sound;
    assign any_sub         = |(subs & sound);
    assign hot[p*N +: N]   = !search_i[p] ? '0 : any_sub ? subs & sound : regs & sound;
    assign bad[p*N +: N]   = search_i[p] ? (subs | regs) & ~sound : '0;
    assign bad_o[p]        = |bad[p*N +: N];
    always_comb begin : answer
      logic [TagW-1:0] t;
      way   = '0;
      data  = '0;
      lg    = 1'b0;
      start = '0;
      t     = '0;
      `GMMU_USED(|hot[p*N +: N]) for (int i = 0; i < Entries; i++) begin
        if (hot[p*N + i]) begin
          t     = tag_q[i];
          way   = way | WayW'(i);
          data  = data | data_q[i];
          lg    = lg | t[2];
          start = start | t[8:6];
        end
      end
    end
    // as |hot, but does not wait for which kind wins; what was written last is asked once for all
    assign hit_o[p] = search_i[p] & (
        (|(old_frame[p*N +: N] & old_page[p*N +: N] & valid & sound)) |
        (new_frame[p] & new_page[p] & |(written_q & valid & sound)));
    assign lg_o[p]                  = search_i[p] & any_sub & lg;
    assign way_o[p*WayW +: WayW]    = way;
    assign data_o[p*DataW +: DataW] = data;
    assign offset_o[p*9 +: 9]       = (search_i[p] & any_sub & !lg) ? vfn[8:0] - {start, 6'd0}
                                                                 : 9'd0;
  end

  // ---- port 0: fill and leave
  logic [TagW-1:0]    new_tag;
  logic [Entries-1:0] same, overlaps, goes, stays;
  logic               any_same, full;
  logic [N-1:0]       victim;          // one-hot: free or least recent
  assign new_tag  = {fill_sub_i, asid0,
      fill_sub_i ? {lfn0, fill_start_i, fill_len_i, fill_lg_i, 2'b00} : vfn0};
  // Whether it fills or leaves is known last.
  assign same     = fin_i ? frame[N-1:0] & same_fill : '0;
  assign overlaps = fin_i ? frame[N-1:0] & over_fill : '0;
  assign any_same = |same;
  assign goes     = leave_i ? same | overlaps : fill_i ? overlaps : '0;
  assign stays    = valid & ~goes;
  assign left_o   = goes;
  assign into             = !fill_i ? '0 : any_same ? same : victim;
  assign fill_way_o       = index(into);
  assign fill_overwrite_o = fill_i & any_same;
  assign fill_evict_o     = fill_i & !any_same & full;

  logic [Ports*N-1:0] touch;     // one-hot, by port
  assign touch[N-1:0] = fill_i ? into : touch_i[0] ? hot[N-1:0] : '0;
  if (Ports == 2) begin : gen_touch1
    assign touch[2*N-1:N] = touch_i[1] ? hot[2*N-1:N] : '0;
  end
  gmmu_replace #(.Ways(N), .Ports(Ports)) u_replace (
    .clk_i, .rst_ni, .flush_i(1'b0), .early_set_i({Ports{1'b0}}), .early_known_i({Ports{1'b1}}),
    .set_i({Ports{1'b0}}), .known_i({Ports{1'b1}}), .touch_i(touch), .held_i(1'b1),
    .query_i(fin_i), .may_i({N{1'b1}}), .used_i(valid & ~overlaps), .full_o(full), .way_o(victim)
  );

  // ---- sweep: one way a cycle; a fill of the way, or its leaving, in the same cycle wins
  logic             clear;
  logic [WayW-1:0]  ptr;
  logic [N-1:0]     at;         // the same, one-hot
  logic [TagW-1:0]  ptr_tag;
  logic [35:0]      first36, last36;
  logic [2:0]       ptr_last;
  assign at       = N'(1) << ptr;
  assign ptr_tag  = tag_q[ptr];
  assign ptr_last = ptr_tag[8:6] + ptr_tag[5:3];
  // Page numbers are sign-extended from the built VA width, as VAs are.
  assign first36  = 36'($signed({ptr_tag[VfnW-1:9],
      ptr_tag[TagW-1] ? {ptr_tag[8:6], 6'd0} : ptr_tag[8:0]}));
  assign last36   = 36'($signed({ptr_tag[VfnW-1:9],
      ptr_tag[TagW-1] ? {ptr_last, 6'h3f} : ptr_tag[8:0]}));
  assign clear    = sweep_busy_o & |(stays & ~into & at) &
                    (sweep_all_i | (ptr_tag[TagW-2 -: AsidW] == sweep_asid_i &
                     (sweep_asid_all_i | (last36 >= sweep_lo_i & first36 <= sweep_hi_i))));
  gmmu_way_sweep #(.Ways(Entries)) u_sweep (
    .clk_i, .rst_ni, .start_i(sweep_start_i), .clear_i(clear), .busy_o(sweep_busy_o), .ptr_o(ptr),
    .visit_o(sweep_visit_o), .cleared_o(sweep_cleared_o), .way_o(sweep_way_o)
  );

  // ---- storage
  logic [N*(TagW+DataW)-1:0] words;
  for (genvar i = 0; i < Entries; i++) begin : gen_flat
    assign words[i*(TagW+DataW) +: TagW+DataW] = TlbParity != 0 ? {tag_q[i], data_q[i]} : '0;
  end
  assign valid_d = (stays & ~(clear ? at : '0) & ~bad[N-1:0] & ~bad[Ports*N-1 -: N]) | into;
  gmmu_cam_valid #(.N(N), .WordW(TagW + DataW), .TlbParity(TlbParity)) u_valid (
    .clk_i, .rst_ni, .valid_d_i(valid_d), .valid_o(valid), .into_i(into),
    .new_i({new_tag, fill_data_i}), .words_i(words), .sound_o(sound)
  );
  for (genvar i = 0; i < Entries; i++) begin : gen_words
    logic [TagW-1:0]  tag;
    logic [DataW-1:0] data;
    gmmu_clkgate #(.Width(TagW + DataW)) u_words (
      .clk_i, .en_i(into[i]), .d_i({new_tag, fill_data_i}), .q_o({tag, data})
    );
    assign tag_q[i]  = tag;
    assign data_q[i] = data;
  end
endmodule
`default_nettype wire
