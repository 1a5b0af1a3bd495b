// SPDX-License-Identifier: Apache-2.0
// gmmu_l2_base: the set-associative base-page array of the L2 TLB, two lookups a cycle, true LRU per set.
//
// Stage A: the set of each port is read (one RAM per way and port). Stage B: compare, touch, and for port 0
// alone fill or sweep of its set; the change is seen by the next stage B. Rules: docs/l2_tlb.md.
// Legal: Entries/Ways a power of two >= 2, Ways >= 2. Source: Mosaic section 4.3, MASK section 6.
`default_nettype none
module gmmu_l2_base #(
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
  input  logic                   fill_i,       // with search_i[0]
  input  logic [DataW-1:0]       fill_data_i,
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
  localparam int TagW = AsidW + VfnW - SetW;
  localparam int AgeW = Ways * WayW;

  if (Ways < 2 || Sets < 2 || Sets * Ways != Entries || (Sets & (Sets - 1)) != 0) begin : gen_bad_shape
    gmmu_l2_base_Sets_must_be_a_power_of_two_and_Ways_at_least_2 u_bad();
  end
  if (Ports != 1 && Ports != 2) begin : gen_bad_ports
    gmmu_l2_base_Ports_must_be_1_or_2 u_bad();
  end

  // Valid bits and order of a set mean something once its init bit is set; before, it is empty with way 0 the
  // least recent. So only one bit per set is reset.
  logic [Sets-1:0] init_q;
  logic [Ways-1:0] valid_q [0:Sets-1];
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
    logic [Ways-1:0]  valid;
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
    assign set    = vfn_i[p*VfnW +: SetW];
    assign key    = {asid_i[p*AsidW +: AsidW], vfn_i[p*VfnW + SetW +: VfnW - SetW]};
    assign valid  = init_q[set] ? valid_q[set] : '0;
    assign fwd    = wr_q & wr_set_q == set;
    always_comb begin : compare
      logic [TagW-1:0]  t;
      logic [DataW-1:0] d;
      hit  = 1'b0;
      way  = '0;
      data = '0;
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
            if (valid[w]) begin
              hit  = 1'b1;
              way  = way | WayW'(w);
              data = data | d;
            end
          end
        end
      end
    end
    assign hit_o[p]                 = hit;
    assign way_o[p*WayW +: WayW]    = way;
    assign data_o[p*DataW +: DataW] = data;
  end

  // ---- port 0: fill
  logic             free_any;
  logic [WayW-1:0]  free_way, lru_way;
  logic [SetW-1:0]  set0;
  logic [Ways-1:0]  valid0;
  logic [AgeW-1:0]  ages0;
  assign set0   = vfn_i[SetW-1:0];
  assign wr_set = set0;
  assign wr_tag = {asid_i[AsidW-1:0], vfn_i[VfnW-1:SetW]};
  assign valid0 = init_q[set0] ? valid_q[set0] : '0;
  assign ages0  = init_q[set0] ? age_q[set0] : RESET_AGES;
  always_comb begin
    free_any = 1'b0;
    free_way = '0;
    lru_way  = '0;
    if (fill_i) begin
      for (int w = Ways - 1; w >= 0; w--) begin
        if (!valid0[w]) begin
          free_any = 1'b1;
          free_way = WayW'(w);
        end
        if (ages0[w*WayW +: WayW] == WayW'(Ways - 1)) lru_way = WayW'(w);
      end
    end
  end
  assign fill_way_o       = hit_o[0] ? way_o[WayW-1:0] : (free_any ? free_way : lru_way);
  assign fill_overwrite_o = fill_i & hit_o[0];
  assign fill_evict_o     = fill_i & !hit_o[0] & !free_any;

  // ---- port 0: sweep of its set
  logic [Ways-1:0] cleared;
  for (genvar w = 0; w < Ways; w++) begin : gen_sweep
    logic [TagW-1:0]  t;
    logic [AsidW-1:0] asid;
    logic [35:0]      vfn;
    assign t    = (gen_port[0].fwd && wr_way_q == WayW'(w)) ? wr_tag_q : gen_port[0].rtag[w];
    assign asid = t[TagW-1 -: AsidW];
    assign vfn  = 36'($signed({t[VfnW-SetW-1:0], set0}));
    assign cleared[w] = sweep_i & valid0[w] &
        (sweep_all_i |
         (asid == sweep_asid_i & (sweep_asid_all_i | (vfn >= sweep_lo_i & vfn <= sweep_hi_i))));
  end
  assign sweep_cleared_o = cleared;

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
    assign set1       = vfn_i[VfnW +: SetW];
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
  always_ff @(posedge clk_i) begin
    if (fill_i) valid_q[set0] <= valid0 | (Ways'(1) << fill_way_o);
    else if (sweep_i) valid_q[set0] <= valid0 & ~cleared;
  end
  always_ff @(posedge clk_i) begin
    if (touch0) age_q[set0] <= next0;
    if (touch1) age_q[set1] <= next1;  // last wins: already contains port 0 when the sets are equal
  end
endmodule
`default_nettype wire
