// SPDX-License-Identifier: Apache-2.0
// gmmu_l2tlb_split: the arrays of the split L2 TLB: set-associative base array (gmmu_l2tlb_base)
// and fully associative large array, each built or left out here. A hit of the large array wins,
// and leaves the order of the base array alone.
//
// Ports and cycles are those of gmmu_l2tlb_unified, and the large array's: its fill, and its sweep
// of one way a cycle from sweep_start_i on. Legal: Entries 0 (no base array) or a multiple of Ways,
// LargeEntries 0 or >= 2, Ports 1 or 2. Rules: docs/l2_tlb.md. Source: Mosaic section 4.3.
`default_nettype none
module gmmu_l2tlb_split #(
  parameter int Entries      = 512,
  parameter int Ways         = 16,
  parameter int LargeEntries = 256,
  parameter int Groups       = 0,    // 1: a base entry holds pages of an aligned group of 4
  parameter int TlbParity    = 0,
  parameter int L2Serial     = 0,    // 1: base array one way a cycle (gmmu_l2tlb_serial)
  parameter int Ports        = 2,
  parameter int FinsApart    = 0,    // 1: no walk ends in the cycle behind another
  parameter int AsidW        = 9,
  parameter int VfnW         = 36,
  parameter int DataW        = 41,
  localparam int StepW       = gmmu_pkg::idx_w(Ways + 3)
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  // stage 0: what stage A may read
  input  logic [Ports-1:0]       early_i,
  input  logic [Ports*VfnW-1:0]  early_vfn_i,
  // stage A
  input  logic [Ports-1:0]       read_i,
  input  logic [Ports*AsidW-1:0] read_asid_i,
  input  logic [Ports*VfnW-1:0]  read_vfn_i,
  input  logic                   read_fin_i,   // a walk's end
  input  logic [StepW-1:0]       step_i,       // L2Serial=1: cycle of stage A
  output logic                   ready_o,      // L2Serial=1: the array was emptied after reset
  // stage B: keys hold what stage A held one cycle before
  input  logic [Ports-1:0]       look_i,
  input  logic [Ports*AsidW-1:0] asid_i,
  input  logic [Ports*VfnW-1:0]  vfn_i,
  input  logic [Ports*2-1:0]     store_i,      // class of the stores that are asked for
  output logic [Ports-1:0]       bad_o,        // an entry with wrong parity was found
  output logic [Ports-1:0]       hit_o,        // with the permissions for it
  output logic [Ports-1:0]       lg_o,         // a 2 MiB translation
  output logic [Ports*gmmu_pkg::L2_WAY_W-1:0] way_o,
  output logic [Ports*DataW-1:0] data_o,       // {permissions, PFN}; of a group: of its first page
  output logic [Ports*9-1:0]     offset_o,     // of the page from it
  output logic [Ports*4-1:0]     pages_o,      // Groups=1: pages of the entry
  // port 0: fill, known late; before it that a walk ended, in each cycle of a fill
  input  logic                   fin_i,
  input  logic                   fill_i,       // base array
  input  logic                   fill_large_i,
  input  logic [DataW-1:0]       fill_data_i,  // {permissions, PFN}
  input  logic [3:0]             fill_pages_i, // Groups=1: pages that share the translation
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
  output logic [31:0]            ways_o,       // cleared by it
  // sweep of the large array
  input  logic                   sweep_start_i,
  output logic                   sweep_busy_o,
  output logic                   large_visit_o,
  output logic                   large_cleared_o,
  output logic [gmmu_pkg::L2_WAY_W-1:0] large_way_o
);
  localparam int PfnW   = DataW - gmmu_pkg::PERM_W;
  localparam int LfnW   = VfnW - 9;
  localparam int LDataW = DataW - 9;
  localparam int Sets   = Entries == 0 ? 1 : Entries / Ways;
  localparam int SetW   = gmmu_pkg::idx_w(Sets);
  localparam int WayW   = gmmu_pkg::idx_w(Ways);
  localparam int LWayW  = gmmu_pkg::idx_w(LargeEntries);
  localparam int Pages  = Groups != 0 ? 4 : 1;
  localparam int GrpW   = Groups != 0 ? 2 : 0;

  // An entry without D is none for a store that Svadu may set D for: hit = same tag, and ready.
  logic [Ports-1:0]        base_same, large_same, base_ready, large_ready, base_hit, large_hit;
  logic [Ports-1:0]        base_bad, large_bad;
  logic [Ports*WayW-1:0]   base_way;
  logic [Ports*DataW-1:0]  base_data;
  logic [Ports*4-1:0]      base_pages;
  logic [Ports*LWayW-1:0]  large_way;
  logic [Ports*LDataW-1:0] large_data;
  logic [Ports*LfnW-1:0]   lfn, read_lfn;
  logic [Ports*SetW-1:0]   early_set;
  logic [Ports-1:0]        base_search, large_search;
  logic [WayW-1:0]         base_fill_way;
  logic [LWayW-1:0]        large_fill_way;
  logic                    base_over, base_evict, large_over, large_evict;
  for (genvar p = 0; p < Ports; p++) begin : gen_port
    logic [1:0]        store;
    logic [LDataW-1:0] entry;
    logic [8:0]        group_page;
    assign store          = store_i[p*2 +: 2];
    assign entry          = large_data[p*LDataW +: LDataW];
    assign base_ready[p]  = !gmmu_pkg::needs_dirty(base_data[p*DataW + PfnW +: gmmu_pkg::PERM_W],
        store);
    assign large_ready[p] = !gmmu_pkg::needs_dirty(entry[LDataW-1:PfnW-9], store);
    // What is found beside a lookup counts with a fill only; with parity it is dropped as well.
    // But for the serial build nothing is found that was not looked for in the cycle before.
    logic search;
    assign search = L2Serial == 0 | look_i[p] | (p == 0 & fin_i);
    assign base_search[p]  = TlbParity == 0 ? search : look_i[p] | (p == 0 & fill_i);
    assign large_search[p] = TlbParity == 0 ? search : look_i[p] | (p == 0 & fill_large_i);
    assign early_set[p*SetW +: SetW] = early_vfn_i[p*VfnW + GrpW +: SetW];
    assign lfn[p*LfnW +: LfnW]      = vfn_i[p*VfnW + 9 +: LfnW];
    assign read_lfn[p*LfnW +: LfnW] = read_vfn_i[p*VfnW + 9 +: LfnW];
    // A large hit is answered with the PFN of the requested page; lg tells the L1 which array to
    // fill.
    assign group_page = Groups != 0 ? {7'd0, vfn_i[p*VfnW +: 2]} : 9'd0;
    assign data_o[p*DataW +: DataW] = large_hit[p] ? {entry, vfn_i[p*VfnW +: 9]}
                                                   : base_data[p*DataW +: DataW];
    assign offset_o[p*9 +: 9] = base_hit[p] & !large_hit[p] ? group_page : 9'd0;
    assign pages_o[p*4 +: 4]  = large_hit[p] ? 4'd0 : base_pages[p*4 +: 4];
    assign way_o[p*gmmu_pkg::L2_WAY_W +: gmmu_pkg::L2_WAY_W] =
        large_hit[p] ? gmmu_pkg::L2_WAY_W'(large_way[p*LWayW +: LWayW]) :
        base_hit[p] ? gmmu_pkg::L2_WAY_W'(base_way[p*WayW +: WayW]) : '0;
  end
  assign base_hit  = base_same & base_ready;
  assign large_hit = large_same & large_ready;
  assign hit_o     = base_hit | large_hit;
  assign lg_o      = large_hit;
  assign bad_o     = look_i & (base_bad | large_bad);
  assign fill_way_o = fill_large_i ? gmmu_pkg::L2_WAY_W'(large_fill_way) :
      fill_i ? gmmu_pkg::L2_WAY_W'(base_fill_way) : '0;
  assign fill_overwrite_o = base_over | large_over;
  assign fill_evict_o     = base_evict | large_evict;

  // ---------------------------------------------------------------- base array
  if (L2Serial != 0 && (Ports != 1 || Groups != 0)) begin : gen_bad_serial
    gmmu_l2tlb_split_L2Serial_has_one_port_and_no_Groups u_bad();
  end
  if (L2Serial != 0) begin : gen_serial
    logic [Ways-1:0] swept;
    logic unused_serial;
    assign unused_serial = ^{early_i, early_set, read_asid_i, read_vfn_i, fill_pages_i};
    gmmu_l2tlb_serial #(.Entries(Entries), .Ways(Ways), .AsidW(AsidW), .VfnW(VfnW),
        .DataW(DataW), .TlbParity(TlbParity)) u_base (
      .clk_i, .rst_ni, .ready_o, .read_i, .step_i, .asid_i, .vfn_i, .search_i(base_search),
      .touch_i(look_i & ~large_hit & base_ready), .hit_o(base_same), .bad_o(base_bad),
      .way_o(base_way), .data_o(base_data), .fill_i, .fill_data_i, .fill_way_o(base_fill_way),
      .fill_overwrite_o(base_over), .fill_evict_o(base_evict), .sweep_i, .sweep_all_i,
      .sweep_asid_all_i, .sweep_asid_i, .sweep_lo_i, .sweep_hi_i, .sweep_cleared_o(swept)
    );
    assign ways_o       = sweep_i ? 32'(swept) : 32'd0;
    assign base_pages   = '0;
    assign fill_pages_o = 4'd1;
  end else if (Entries != 0) begin : gen_base
    logic unused_step;
    assign unused_step = ^step_i;
    assign ready_o     = 1'b1;
    logic [PfnW-1:0]        pfn;    // of page 0 of the entry
    logic [Ports*Pages-1:0] pages;
    logic [Ways-1:0]        swept;
    if (Groups != 0) begin : gen_groups
      assign pfn          = fill_data_i[PfnW-1:0] - PfnW'(vfn_i[1:0]);
      assign fill_pages_o = fill_pages_i | (4'd1 << vfn_i[1:0]);
      assign base_pages   = pages;
    end else begin : gen_no_groups
      logic unused_pages;
      assign unused_pages = ^{pages, fill_pages_i};
      assign pfn          = fill_data_i[PfnW-1:0];
      assign fill_pages_o = 4'd1;
      assign base_pages   = '0;
    end
    gmmu_l2tlb_base #(.Entries(Entries), .Ways(Ways), .Ports(Ports), .AsidW(AsidW), .VfnW(VfnW),
        .DataW(DataW), .Pages(Pages), .TlbParity(TlbParity)) u_base (
      .clk_i, .rst_ni, .flush_i(1'b0), .early_i, .early_set_i(early_set), .read_i, .read_asid_i,
      .read_vfn_i,
      .search_i(base_search), .touch_i(look_i & ~large_hit & base_ready), .asid_i, .vfn_i,
      .hit_o(base_same), .bad_o(base_bad), .way_o(base_way), .data_o(base_data), .pages_o(pages),
      .ask_i(fill_i), .fill_i, .fill_data_i({fill_data_i[DataW-1:PfnW], pfn}),
      .fill_pages_i(fill_pages_o[Pages-1:0]), .fill_way_o(base_fill_way),
      .fill_overwrite_o(base_over), .fill_evict_o(base_evict),
      .sweep_i, .sweep_all_i, .sweep_asid_all_i, .sweep_asid_i, .sweep_lo_i, .sweep_hi_i,
      .sweep_cleared_o(swept)
    );
    assign ways_o = sweep_i ? 32'(swept) : 32'd0;
  end else begin : gen_no_base
    logic unused_base;
    assign unused_base   = ^{early_i, early_set, read_i, read_asid_i, read_vfn_i, step_i,
        base_search, fill_pages_i, sweep_i};
    assign ready_o       = 1'b1;
    assign base_same     = '0;
    assign base_bad      = '0;
    assign base_way      = '0;
    assign base_data     = '0;
    assign base_pages    = '0;
    assign fill_pages_o  = 4'd1;
    assign base_fill_way = '0;
    assign base_over     = 1'b0;
    assign base_evict    = 1'b0;
    assign ways_o        = '0;
  end

  // ---------------------------------------------------------------- large array
  if (LargeEntries != 0) begin : gen_large
    logic [LWayW-1:0]  swept_way;
    logic [AsidW-1:0]  key_asid;     // of an end: a register of its own, as all entries hang on it
    logic [LfnW-1:0]   key_lfn;
    logic [Ports*AsidW-1:0] near_asid;   // another one, for what is compared with it
    logic [Ports*LfnW-1:0]  near_lfn;
    if (L2Serial != 0) begin : gen_key
      logic unused_fin;
      assign unused_fin = read_fin_i;
      assign key_asid   = asid_i[AsidW-1:0];
      assign key_lfn    = lfn[LfnW-1:0];
      assign near_asid  = asid_i;
      assign near_lfn   = lfn;
    end else begin : gen_end_key
      gmmu_clkgate #(.Width(AsidW + LfnW)) u_key (
        .clk_i, .en_i(read_fin_i), .d_i({read_asid_i[AsidW-1:0], read_lfn[LfnW-1:0]}),
        .q_o({key_asid, key_lfn})
      );
      logic unused_key;
      assign unused_key = ^{asid_i, lfn};
      always_ff @(posedge clk_i) begin
        near_asid <= read_asid_i;
        near_lfn  <= read_lfn;
      end
    end
    gmmu_tlb_cam #(.Entries(LargeEntries), .AsidW(AsidW), .PageW(LfnW), .Shift(9), .DataW(LDataW),
                   .Ports(Ports), .Ahead(1), .Apart(TlbParity == 0 ? FinsApart : 0),
                   .TlbParity(TlbParity)) u_large (
      .clk_i, .rst_ni, .read_i, .read_asid_i, .read_page_i(read_lfn), .search_i(large_search),
      .touch_i(look_i & large_ready), .asid_i(near_asid), .page_i(near_lfn),
      .hit_o(large_same), .bad_o(large_bad), .way_o(large_way), .data_o(large_data),
      .take_i(1'b0), .late_data_o(), .fill_i(fill_large_i), .fill_asid_i(key_asid),
      .fill_page_i(key_lfn), .fill_data_i(fill_data_i[DataW-1:9]), .fill_pages_i(1'b1),
      .fill_way_o(large_fill_way), .fill_overwrite_o(large_over), .fill_evict_o(large_evict),
      .sweep_start_i, .sweep_all_i, .sweep_asid_all_i, .sweep_asid_i, .sweep_lo_i, .sweep_hi_i,
      .sweep_busy_o, .sweep_visit_o(large_visit_o), .sweep_cleared_o(large_cleared_o),
      .sweep_way_o(swept_way)
    );
    assign large_way_o = gmmu_pkg::L2_WAY_W'(swept_way);
  end else begin : gen_no_large
    logic unused_large;
    assign unused_large    = ^{lfn, read_lfn, read_fin_i, large_search,
        sweep_start_i};
    assign large_same      = '0;
    assign large_bad       = '0;
    assign large_way       = '0;
    assign large_data      = '0;
    assign large_fill_way  = '0;
    assign large_over      = 1'b0;
    assign large_evict     = 1'b0;
    assign sweep_busy_o    = 1'b0;
    assign large_visit_o   = 1'b0;
    assign large_cleared_o = 1'b0;
    assign large_way_o     = '0;
  end
endmodule
`default_nettype wire
