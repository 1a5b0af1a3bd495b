// SPDX-License-Identifier: Apache-2.0
// gmmu_l2_unified: the array of the subregion-aware unified L2 TLB: regular entries (one 4 KiB
// page, any way) and subregion entries (a run of 1 to 8 subregions of one frame, upper half of the
// ways) in one array.
//
// Stage A: the regular set and the subregion set of each port are read; the upper ways therefore
// have two read addresses a port. Stage B: compare, touch, and for port 0 alone fill or sweep; the
// change is seen by the next stage B. Rules: docs/l2_tlb.md, "Unified build". Source: MESC section
// IV-C. Legal: Entries/Ways a power of two >= 2, Ways even and >= 4, Ports 1 or 2.
`default_nettype none
module gmmu_l2_unified #(
  parameter int Entries = 512,
  parameter int Ways    = 16,
  parameter int Ports   = 2,
  parameter int AsidW   = 9,
  parameter int VfnW    = 36,
  parameter int DataW   = 41,
  localparam int Sets   = Entries / Ways,
  localparam int SetW   = gmmu_pkg::idx_w(Sets),
  localparam int WayW   = gmmu_pkg::idx_w(Ways)
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  // stage A
  input  logic [Ports-1:0]       read_i,
  input  logic [Ports*VfnW-1:0]  read_vfn_i,   // of a sweep: the set number
  // stage B: keys hold what stage A held one cycle before
  input  logic [Ports-1:0]       search_i,
  input  logic [Ports-1:0]       touch_i,
  input  logic [Ports*AsidW-1:0] asid_i,
  input  logic [Ports*VfnW-1:0]  vfn_i,
  output logic [Ports-1:0]       hit_o,
  output logic [Ports-1:0]       sub_o,        // the hit is a subregion entry
  output logic [Ports-1:0]       lg_o,         // ... of a coalesced frame or 2 MiB leaf
  output logic [Ports*WayW-1:0]  way_o,
  output logic [Ports*DataW-1:0] data_o,       // {permissions, PFN of the entry's first page}
  output logic [Ports*9-1:0]     offset_o,     // of the page from it
  input  logic                   fill_i,       // with search_i[0]
  input  logic                   fill_sub_i,
  input  logic                   fill_lg_i,
  input  logic [2:0]             fill_start_i,
  input  logic [2:0]             fill_len_i,   // subregions - 1
  input  logic [DataW-1:0]       fill_data_i,
  output logic [WayW-1:0]        fill_way_o,
  output logic                   fill_overwrite_o,
  output logic                   fill_evict_o,
  output logic [Ways-1:0]        fill_dropped_o,
  input  logic                   sweep_i,      // with search_i[0]
  input  logic                   sweep_all_i,
  input  logic                   sweep_asid_all_i,
  input  logic [AsidW-1:0]       sweep_asid_i,
  input  logic [35:0]            sweep_lo_i,
  input  logic [35:0]            sweep_hi_i,
  output logic [Ways-1:0]        sweep_cleared_o
);
  // Tag: {T, ASID, field}. Field of a regular entry: VFN above the set bits. Of a subregion entry:
  // LFN above the set bits, first subregion, length, LG, and two bits of nothing.
  localparam int FieldW = VfnW - SetW;
  localparam int FrameW = FieldW - 9;
  localparam int TagW   = 1 + AsidW + FieldW;
  localparam int AgeW   = Ways * WayW;
  localparam int Low    = Ways / 2;          // first way of subregion entries

  if (Ways < 4 || Ways % 2 != 0 || Sets < 2 || Sets * Ways != Entries ||
      (Sets & (Sets - 1)) != 0) begin : gen_bad_shape
    gmmu_l2_unified_Sets_must_be_a_power_of_two_and_Ways_even_and_at_least_4 u_bad();
  end
  if (FrameW < 1) begin : gen_bad_sets
    gmmu_l2_unified_has_too_many_sets u_bad();
  end
  if (Ports != 1 && Ports != 2) begin : gen_bad_ports
    gmmu_l2_unified_Ports_must_be_1_or_2 u_bad();
  end

  // As in gmmu_l2_base: one reset bit per set says whether its valid bits and order mean something.
  logic [Sets-1:0] init_q;
  logic [Ways-1:0] valid_q [0:Sets-1];
  logic [AgeW-1:0] age_q   [0:Sets-1];
  `include "gmmu_set_lru.svh"
  localparam logic [AgeW-1:0] RESET_AGES = reset_ages();

  // ---- what stage B wrote one cycle ago
  logic             wr_q;
  logic [SetW-1:0]  wr_set, wr_set_q;
  logic [WayW-1:0]  wr_way_q;
  logic [TagW-1:0]  wr_tag, wr_tag_q;
  logic [DataW-1:0] wr_data_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) wr_q <= 1'b0;
    else wr_q <= fill_i;
  end
  always_ff @(posedge clk_i) begin
    if (fill_i) begin
      wr_set_q  <= wr_set;
      wr_way_q  <= fill_way_o;
      wr_tag_q  <= wr_tag;
      wr_data_q <= fill_data_i;
    end
  end

  // ---- ports
  logic [Ports*SetW-1:0] touch_set;
  for (genvar p = 0; p < Ports; p++) begin : gen_port
    logic [TagW-1:0]   reg_tag  [0:Ways-1];
    logic [DataW-1:0]  reg_data [0:Ways-1];
    logic [TagW-1:0]   sub_tag  [0:Ways-Low-1];
    logic [DataW-1:0]  sub_data [0:Ways-Low-1];
    logic [VfnW-1:0]   read_vfn, vfn;
    logic [AsidW-1:0]  asid;
    logic [SetW-1:0]   reg_set, sub_set;
    logic [Ways-1:0]   reg_valid, sub_valid;
    logic              reg_fwd, sub_fwd, reg_hit, sub_hit, lg, search;
    logic [WayW-1:0]   reg_way, sub_way;
    logic [DataW-1:0]  reg_d, sub_d;
    logic [2:0]        start;
    assign read_vfn = read_vfn_i[p*VfnW +: VfnW];
    for (genvar w = 0; w < Ways; w++) begin : gen_way
      logic we;
      assign we = fill_i & fill_way_o == WayW'(w);
      gmmu_ram #(.Width(TagW), .Depth(Sets)) u_tag (
        .clk_i, .we_i(we), .waddr_i(wr_set), .wdata_i(wr_tag),
        .re_i(read_i[p]), .raddr_i(read_vfn[SetW-1:0]), .rdata_o(reg_tag[w])
      );
      gmmu_ram #(.Width(DataW), .Depth(Sets)) u_data (
        .clk_i, .we_i(we), .waddr_i(wr_set), .wdata_i(fill_data_i),
        .re_i(read_i[p]), .raddr_i(read_vfn[SetW-1:0]), .rdata_o(reg_data[w])
      );
      if (w >= Low) begin : gen_sub
        gmmu_ram #(.Width(TagW), .Depth(Sets)) u_tag (
          .clk_i, .we_i(we), .waddr_i(wr_set), .wdata_i(wr_tag),
          .re_i(read_i[p]), .raddr_i(read_vfn[9 +: SetW]), .rdata_o(sub_tag[w-Low])
        );
        gmmu_ram #(.Width(DataW), .Depth(Sets)) u_data (
          .clk_i, .we_i(we), .waddr_i(wr_set), .wdata_i(fill_data_i),
          .re_i(read_i[p]), .raddr_i(read_vfn[9 +: SetW]), .rdata_o(sub_data[w-Low])
        );
      end
    end

    assign search    = search_i[p];
    assign vfn       = vfn_i[p*VfnW +: VfnW];
    assign asid      = asid_i[p*AsidW +: AsidW];
    assign reg_set   = vfn[SetW-1:0];
    assign sub_set   = vfn[9 +: SetW];
    assign reg_valid = init_q[reg_set] ? valid_q[reg_set] : '0;
    assign sub_valid = init_q[sub_set] ? valid_q[sub_set] : '0;
    assign reg_fwd   = wr_q & wr_set_q == reg_set;
    assign sub_fwd   = wr_q & wr_set_q == sub_set;
    always_comb begin : compare_regular
      logic [TagW-1:0]  t;
      logic [DataW-1:0] d;
      reg_hit = 1'b0;
      reg_way = '0;
      reg_d   = '0;
      t       = '0;
      d       = '0;
      if (search) begin
        for (int w = 0; w < Ways; w++) begin
          t = reg_tag[w];
          d = reg_data[w];
          if (reg_fwd && wr_way_q == WayW'(w)) begin
            t = wr_tag_q;
            d = wr_data_q;
          end
          if (t == {1'b0, asid, vfn[VfnW-1:SetW]}) begin
            if (reg_valid[w]) begin
              reg_hit = 1'b1;
              reg_way = reg_way | WayW'(w);
              reg_d   = reg_d | d;
            end
          end
        end
      end
    end
    always_comb begin : compare_subregion
      logic [TagW-1:0]   t;
      logic [DataW-1:0]  d;
      logic [FieldW-1:0] f;
      sub_hit = 1'b0;
      sub_way = '0;
      sub_d   = '0;
      start   = '0;
      lg      = 1'b0;
      t       = '0;
      d       = '0;
      f       = '0;
      if (search) begin
        for (int w = Low; w < Ways; w++) begin
          t = sub_tag[w-Low];
          d = sub_data[w-Low];
          if (sub_fwd && wr_way_q == WayW'(w)) begin
            t = wr_tag_q;
            d = wr_data_q;
          end
          f = t[FieldW-1:0];
          if (f[FieldW-1:9] == vfn[VfnW-1:9+SetW]) begin
            if (sub_valid[w] && t[TagW-1:FieldW] == {1'b1, asid} &&
                vfn[8:6] >= f[8:6] && {1'b0, vfn[8:6]} <= {1'b0, f[8:6]} + {1'b0, f[5:3]}) begin
              sub_hit = 1'b1;
              sub_way = sub_way | WayW'(w);
              sub_d   = sub_d | d;
              start   = start | f[8:6];
              lg      = lg | f[2];
            end
          end
        end
      end
    end
    // A subregion hit wins, and touches only its own set.
    assign hit_o[p]                 = reg_hit | sub_hit;
    assign sub_o[p]                 = sub_hit;
    assign lg_o[p]                  = sub_hit & lg;
    assign way_o[p*WayW +: WayW]    = sub_hit ? sub_way : reg_way;
    assign data_o[p*DataW +: DataW] = sub_hit ? sub_d : reg_d;
    assign offset_o[p*9 +: 9]       = sub_hit ? vfn[8:0] - {start, 6'd0} : 9'd0;
    assign touch_set[p*SetW +: SetW] = sub_hit ? sub_set : reg_set;
  end

  // ---- port 0: fill
  logic              free_any, same;
  logic [WayW-1:0]   free_way, lru_way, same_way;
  logic [WayW-1:0]   lru_age;
  logic [SetW-1:0]   set0;
  logic [Ways-1:0]   valid0, stays, dropped;
  logic [AgeW-1:0]   ages0, fill_ages;
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
  assign valid0   = init_q[wr_set] ? valid_q[wr_set] : '0;
  assign fill_ages = init_q[wr_set] ? age_q[wr_set] : RESET_AGES;
  // Other subregion entries of the frame that overlap the new one go first.
  for (genvar w = 0; w < Ways; w++) begin : gen_drop
    if (w >= Low) begin : gen_upper
      logic [TagW-1:0] t;
      logic [3:0]      last;
      assign t    = (gen_port[0].sub_fwd && wr_way_q == WayW'(w))
          ? wr_tag_q : gen_port[0].sub_tag[w-Low];
      assign last = {1'b0, t[8:6]} + {1'b0, t[5:3]};
      assign dropped[w] = fill_i & fill_sub_i & valid0[w] & t[8:6] != fill_start_i &
          t[TagW-1:9] == {1'b1, asid0, vfn0[VfnW-1:9+SetW]} & {1'b0, t[8:6]} <= fill_end &
              last >= {1'b0, fill_start_i};
    end else begin : gen_lower
      assign dropped[w] = 1'b0;
    end
  end
  // {T, ASID, frame, first subregion} of the upper ways of the subregion set.
  logic [TagW-7:0] upper_tag [0:Ways-Low-1];
  for (genvar w = 0; w < Ways - Low; w++) begin : gen_tag
    logic [TagW-1:0] t;
    assign t = (gen_port[0].sub_fwd && wr_way_q == WayW'(w + Low))
        ? wr_tag_q : gen_port[0].sub_tag[w];
    assign upper_tag[w] = t[TagW-1:6];
  end
  assign stays = valid0 & ~dropped;
  always_comb begin
    same     = 1'b0;
    same_way = '0;
    if (fill_i & fill_sub_i) begin
      for (int w = Low; w < Ways; w++) begin
        if (stays[w]) begin
          if (upper_tag[w-Low] == wr_tag[TagW-1:6]) begin
            same     = 1'b1;
            same_way = same_way | WayW'(w);
          end
        end
      end
    end
  end
  always_comb begin
    free_any = 1'b0;
    free_way = '0;
    lru_way  = '0;
    lru_age  = '0;
    if (fill_i) begin
      for (int w = Ways - 1; w >= 0; w--) begin
        if (!fill_sub_i || w >= Low) begin
          if (!stays[w]) begin
            free_any = 1'b1;
            free_way = WayW'(w);
          end
          if (fill_ages[w*WayW +: WayW] >= lru_age) begin
            lru_way = WayW'(w);
            lru_age = fill_ages[w*WayW +: WayW];
          end
        end
      end
    end
  end
  logic            old;
  logic [WayW-1:0] old_way;
  assign old              = fill_sub_i ? same : gen_port[0].reg_hit;
  assign old_way          = fill_sub_i ? same_way : gen_port[0].reg_way;
  assign fill_way_o       = old ? old_way : free_any ? free_way : lru_way;
  assign fill_overwrite_o = fill_i & old;
  assign fill_evict_o     = fill_i & !old & !free_any;
  assign fill_dropped_o   = dropped;

  // ---- port 0: sweep of a set, read as a regular one
  logic [Ways-1:0] cleared, swept_valid;
  assign swept_valid = gen_port[0].reg_valid;
  for (genvar w = 0; w < Ways; w++) begin : gen_sweep
    logic [TagW-1:0]   t;
    logic [FieldW-1:0] f;
    logic [35:0]       first, last;
    assign t     = (gen_port[0].reg_fwd && wr_way_q == WayW'(w))
        ? wr_tag_q : gen_port[0].reg_tag[w];
    assign f     = t[FieldW-1:0];
    assign first = t[TagW-1] ? 36'($signed({f[FieldW-1:9], vfn0[SetW-1:0], f[8:6], 6'd0}))
                             : 36'($signed({f, vfn0[SetW-1:0]}));
    assign last  = t[TagW-1] ? 36'($signed({f[FieldW-1:9], vfn0[SetW-1:0], f[8:6] + f[5:3], 6'h3f}))
        : first;
    assign cleared[w] = sweep_i & swept_valid[w] &
        (sweep_all_i | (t[TagW-2:FieldW] == sweep_asid_i &
                        (sweep_asid_all_i | (last >= sweep_lo_i & first <= sweep_hi_i))));
  end
  assign sweep_cleared_o = cleared;

  // ---- state
  logic            touch0, touch1;
  logic [WayW-1:0] touch_way0, touch_way1;
  logic [SetW-1:0] set1;
  logic [AgeW-1:0] next0, ages1, next1;
  assign set0       = fill_i ? wr_set : touch_set[SetW-1:0];
  assign ages0      = init_q[set0] ? age_q[set0] : RESET_AGES;
  assign touch0     = fill_i | (touch_i[0] & hit_o[0]);
  assign touch_way0 = fill_i ? fill_way_o : way_o[WayW-1:0];
  assign next0      = touch0 ? touched(ages0, touch_way0) : ages0;
  if (Ports == 2) begin : gen_touch1
    assign touch1     = touch_i[1] & hit_o[1];
    assign touch_way1 = way_o[2*WayW-1:WayW];
    assign set1       = touch_set[2*SetW-1:SetW];
  end else begin : gen_no_touch1
    assign touch1     = 1'b0;
    assign touch_way1 = '0;
    assign set1       = '0;
  end
  // Port 1 comes after port 0, also in the same set.
  assign ages1 = (set1 == set0) ? next0 : (init_q[set1] ? age_q[set1] : RESET_AGES);
  assign next1 = touch1 ? touched(ages1, touch_way1) : ages1;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) init_q <= '0;
    else if (fill_i) init_q[wr_set] <= 1'b1;   // an empty set is never touched or swept clear
  end
  always_ff @(posedge clk_i) begin
    if (fill_i) valid_q[wr_set] <= stays | (Ways'(1) << fill_way_o);
    else if (sweep_i) valid_q[vfn0[SetW-1:0]] <= swept_valid & ~cleared;
  end
  always_ff @(posedge clk_i) begin
    if (touch0) age_q[set0] <= next0;
    if (touch1) age_q[set1] <= next1;  // last wins: already contains port 0 when the sets are equal
  end
endmodule
`default_nettype wire
