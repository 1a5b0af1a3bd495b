// SPDX-License-Identifier: Apache-2.0
// gmmu_l2_base: the set-associative base-page array of the L2 TLB, two lookups a cycle, true LRU
// per set.
//
// Stage A: the set of each port is read (one RAM per way and port). Stage B: compare, touch, and
// for port 0 alone fill or sweep of its set; the change is seen by the next stage B. Rules:
// docs/l2_tlb.md. Legal: Entries/Ways a power of two >= 2, Ways >= 2. Source: Mosaic section 4.3,
// MASK section 6.
`default_nettype none
module gmmu_l2_base #(
  parameter int Entries = 512,
  parameter int Ways    = 16,
  parameter int Ports   = 2,
  parameter int AsidW   = 9,
  parameter int VfnW    = 36,
  parameter int DataW   = 41,
  parameter int Pages   = 1,    // 4: an entry holds pages of an aligned group of 4 (docs/colt.md)
  localparam int Sets   = Entries / Ways,
  localparam int SetW   = gmmu_pkg::idx_w(Sets),
  localparam int WayW   = gmmu_pkg::idx_w(Ways)
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  input  logic                   flush_i,      // empties every set; wins over a fill
  // stage A
  input  logic [Ports-1:0]       read_i,
  input  logic [Ports*SetW-1:0]  read_set_i,
  // stage B: keys hold what stage A held one cycle before
  input  logic [Ports-1:0]       search_i,
  input  logic [Ports-1:0]       touch_i,
  input  logic [Ports*AsidW-1:0] asid_i,
  input  logic [Ports*VfnW-1:0]  vfn_i,
  output logic [Ports-1:0]       hit_o,
  output logic [Ports*WayW-1:0]  way_o,
  output logic [Ports*DataW-1:0] data_o,
  output logic [Ports*Pages-1:0] pages_o,      // of the entry
  input  logic                   fill_i,       // with search_i[0]
  input  logic [DataW-1:0]       fill_data_i,
  input  logic [Pages-1:0]       fill_pages_i,
  output logic [WayW-1:0]        fill_way_o,
  output logic                   fill_overwrite_o,
  output logic                   fill_evict_o,
  input  logic                   sweep_i,      // with search_i[0]
  input  logic                   sweep_all_i,
  input  logic                   sweep_asid_all_i,
  input  logic [AsidW-1:0]       sweep_asid_i,
  input  logic [35:0]            sweep_lo_i,
  input  logic [35:0]            sweep_hi_i,
  output logic [Ways-1:0]        sweep_cleared_o
);
  localparam int GrpW = Pages == 4 ? 2 : 0;   // VFN bits that the mask stands for
  localparam int NumW = VfnW - SetW - GrpW;
  localparam int TagW = AsidW + NumW;
  localparam int AgeW = Ways * WayW;

  if (Ways < 2 || Sets < 2 || Sets * Ways != Entries || (Sets & (Sets - 1)) != 0) begin :
      gen_bad_shape
    gmmu_l2_base_Sets_must_be_a_power_of_two_and_Ways_at_least_2 u_bad();
  end
  if (Ports != 1 && Ports != 2) begin : gen_bad_ports
    gmmu_l2_base_Ports_must_be_1_or_2 u_bad();
  end
  if (Pages != 1 && Pages != 4) begin : gen_bad_pages
    gmmu_l2_base_Pages_must_be_1_or_4 u_bad();
  end

  // Valid bits and order of a set mean something once its init bit is set; before, it is empty with
  // way 0 the least recent. So only one bit per set is reset.
  logic [Sets-1:0] init_q;
  logic [Ways*Pages-1:0] valid_q [0:Sets-1];
  logic [AgeW-1:0] age_q   [0:Sets-1];

  `include "gmmu_set_lru.svh"
  localparam logic [AgeW-1:0] RESET_AGES = reset_ages();

  // ---- what stage B wrote one cycle ago, for the set that stage A was reading then
  logic             wr, wr_q;
  logic [SetW-1:0]  wr_set, wr_set_q;
  logic [WayW-1:0]  wr_way_q;
  logic [TagW-1:0]  wr_tag, wr_tag_q;
  logic [DataW-1:0] wr_data_q;
  assign wr     = fill_i;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) wr_q <= 1'b0;
    else wr_q <= wr;
  end
  always_ff @(posedge clk_i) begin
    if (wr) begin
      wr_set_q  <= wr_set;
      wr_way_q  <= fill_way_o;
      wr_tag_q  <= wr_tag;
      wr_data_q <= fill_data_i;
    end
  end

  // ---- ports
  for (genvar p = 0; p < Ports; p++) begin : gen_port
    logic [TagW-1:0]  rtag  [0:Ways-1];
    logic [DataW-1:0] rdata [0:Ways-1];
    logic [SetW-1:0]  set;
    logic [TagW-1:0]  key;
    logic [Ways*Pages-1:0] valid;
    logic [1:0]       page;     // within its entry
    logic [Pages-1:0] pages;
    logic             hit, fwd, search;
    logic [WayW-1:0]  way;
    logic [DataW-1:0] data;

    for (genvar w = 0; w < Ways; w++) begin : gen_way
      gmmu_ram #(.Width(TagW), .Depth(Sets)) u_tag (
        .clk_i, .we_i(wr & fill_way_o == WayW'(w)), .waddr_i(wr_set), .wdata_i(wr_tag),
        .re_i(read_i[p]), .raddr_i(read_set_i[p*SetW +: SetW]), .rdata_o(rtag[w])
      );
      gmmu_ram #(.Width(DataW), .Depth(Sets)) u_data (
        .clk_i, .we_i(wr & fill_way_o == WayW'(w)), .waddr_i(wr_set), .wdata_i(fill_data_i),
        .re_i(read_i[p]), .raddr_i(read_set_i[p*SetW +: SetW]), .rdata_o(rdata[w])
      );
    end

    assign search = search_i[p];
    assign set    = vfn_i[p*VfnW + GrpW +: SetW];
    assign key    = {asid_i[p*AsidW +: AsidW], vfn_i[p*VfnW + GrpW + SetW +: NumW]};
    assign page   = Pages == 1 ? 2'd0 : vfn_i[p*VfnW +: 2];
    assign valid  = init_q[set] ? valid_q[set] : '0;
    assign fwd    = wr_q & wr_set_q == set;
    always_comb begin : compare
      logic [TagW-1:0]  t;
      logic [DataW-1:0] d;
      hit  = 1'b0;
      way  = '0;
      data = '0;
      pages = '0;
      t    = '0;
      d    = '0;
      if (search) begin
        for (int w = 0; w < Ways; w++) begin
          t = rtag[w];
          d = rdata[w];
          if (fwd && wr_way_q == WayW'(w)) begin
            t = wr_tag_q;
            d = wr_data_q;
          end
          if (t == key) begin
            if (valid[w*Pages + 32'(page)]) begin
              hit   = 1'b1;
              way   = way | WayW'(w);
              data  = data | d;
              pages = pages | valid[w*Pages +: Pages];
            end
          end
        end
      end
    end
    assign hit_o[p]                 = hit;
    assign way_o[p*WayW +: WayW]    = way;
    assign data_o[p*DataW +: DataW] = data;
    assign pages_o[p*Pages +: Pages] = pages;
  end

  // ---- port 0: fill
  logic             free_any;
  logic [WayW-1:0]  free_way, lru_way;
  logic [SetW-1:0]  set0;
  logic [Ways*Pages-1:0] valid0;
  logic [AgeW-1:0]  ages0;
  assign set0   = vfn_i[GrpW +: SetW];
  assign wr_set = set0;
  assign wr_tag = {asid_i[AsidW-1:0], vfn_i[VfnW-1:SetW+GrpW]};
  assign valid0 = init_q[set0] ? valid_q[set0] : '0;
  assign ages0  = init_q[set0] ? age_q[set0] : RESET_AGES;
  always_comb begin
    free_any = 1'b0;
    free_way = '0;
    lru_way  = '0;
    if (fill_i) begin
      for (int w = Ways - 1; w >= 0; w--) begin
        if (valid0[w*Pages +: Pages] == '0) begin
          free_any = 1'b1;
          free_way = WayW'(w);
        end
        if (ages0[w*WayW +: WayW] == WayW'(Ways - 1)) lru_way = WayW'(w);
      end
    end
  end
  // Which entry takes the fill: of the same tag; with groups, of the same tag and contents. lose:
  // pages that entries of the group lose to it.
  logic                  same;
  logic [WayW-1:0]       same_way;
  logic [Ways*Pages-1:0] lose;
  if (Pages == 1) begin : gen_single
    assign same     = hit_o[0];
    assign same_way = way_o[WayW-1:0];
    assign lose     = '0;
  end else begin : gen_group
    logic [Ways-1:0] of_group, alike;
    for (genvar w = 0; w < Ways; w++) begin : gen_way
      logic             fwd;
      logic [TagW-1:0]  t;
      logic [DataW-1:0] d;
      assign fwd = gen_port[0].fwd && wr_way_q == WayW'(w);
      assign t   = fwd ? wr_tag_q : gen_port[0].rtag[w];
      assign d   = fwd ? wr_data_q : gen_port[0].rdata[w];
      assign of_group[w] = fill_i & t == wr_tag & valid0[w*Pages +: Pages] != '0;
      assign alike[w]    = of_group[w] & d == fill_data_i;
      assign lose[w*Pages +: Pages] = (of_group[w] & !alike[w]) ? fill_pages_i : '0;
    end
    assign same = |alike;
    always_comb begin
      same_way = '0;
      for (int w = 0; w < Ways; w++) if (alike[w]) same_way = same_way | WayW'(w);
    end
  end
  assign fill_way_o       = same ? same_way : (free_any ? free_way : lru_way);
  assign fill_overwrite_o = fill_i & same;
  assign fill_evict_o     = fill_i & !same & !free_any;

  // ---- port 0: sweep of its set; the set's pages after a fill or sweep
  logic [Ways*Pages-1:0] gone, next_valid;
  for (genvar w = 0; w < Ways; w++) begin : gen_sweep
    logic [TagW-1:0]  t;
    logic [AsidW-1:0] asid;
    logic             into;
    logic [Pages-1:0] kept;
    assign t    = (gen_port[0].fwd && wr_way_q == WayW'(w)) ? wr_tag_q : gen_port[0].rtag[w];
    assign asid = t[TagW-1 -: AsidW];
    for (genvar p = 0; p < Pages; p++) begin : gen_page
      logic [35:0] vfn;
      if (Pages == 4) begin : gen_of_group
        assign vfn = 36'($signed({t[NumW-1:0], set0, 2'(p)}));
      end else begin : gen_only
        assign vfn = 36'($signed({t[NumW-1:0], set0}));
      end
      assign gone[w*Pages + p] = sweep_i & valid0[w*Pages + p] &
          (sweep_all_i |
           (asid == sweep_asid_i & (sweep_asid_all_i | (vfn >= sweep_lo_i & vfn <= sweep_hi_i))));
    end
    assign sweep_cleared_o[w] = |gone[w*Pages +: Pages];
    assign into = fill_i & fill_way_o == WayW'(w);
    assign kept = (into & !same) ? '0
                  : valid0[w*Pages +: Pages] & ~gone[w*Pages +: Pages] & ~lose[w*Pages +: Pages];
    assign next_valid[w*Pages +: Pages] = kept | (into ? fill_pages_i : '0);
  end

  // ---- state
  logic            touch0, touch1;
  logic [WayW-1:0] touch_way0, touch_way1;
  logic [SetW-1:0] set1;
  logic [AgeW-1:0] next0, ages1, next1;
  assign touch0     = fill_i | (touch_i[0] & hit_o[0]);
  assign touch_way0 = fill_i ? fill_way_o : way_o[WayW-1:0];
  assign next0      = touch0 ? touched(ages0, touch_way0) : ages0;
  if (Ports == 2) begin : gen_touch1
    assign touch1     = touch_i[1] & hit_o[1];
    assign touch_way1 = way_o[2*WayW-1:WayW];
    assign set1       = vfn_i[VfnW + GrpW +: SetW];
  end else begin : gen_no_touch1
    assign touch1     = 1'b0;
    assign touch_way1 = '0;
    assign set1       = '0;
  end
  // Port 1 comes after port 0, also in the same set.
  assign ages1 = (set1 == set0) ? next0 : (init_q[set1] ? age_q[set1] : RESET_AGES);
  assign next1 = touch1 ? touched(ages1, touch_way1) : ages1;

  always_ff @(posedge clk_i) begin
    if (!rst_ni | flush_i) init_q <= '0;
    else if (fill_i) init_q[set0] <= 1'b1;   // an empty set is never touched or swept clear
  end
  always_ff @(posedge clk_i) if (fill_i | sweep_i) valid_q[set0] <= next_valid;
  always_ff @(posedge clk_i) begin
    if (touch0) age_q[set0] <= next0;
    if (touch1) age_q[set1] <= next1;  // last wins: already contains port 0 when the sets are equal
  end
endmodule
`default_nettype wire
