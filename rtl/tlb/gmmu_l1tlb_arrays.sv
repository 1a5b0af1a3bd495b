// SPDX-License-Identifier: Apache-2.0
// gmmu_l1tlb_arrays: base-page and large-page array of an L1 TLB, both fully associative with true
// LRU; the large one, which has priority, is built or left out here. Rules: docs/l1_tlb.md.
//
// A lookup hits or misses in its cycle; what the entry holds is there from the next one on, until
// the next take_i. One lookup or fill a cycle, with the page in asid_i and vfn_i;
// a fill is seen from the next cycle on. Sweep: from clear_i on, one way of each a cycle, until
// busy_o is 0. Legal: BaseEntries >= 2, LargeEntries 0 or >= 2.
`default_nettype none
`include "gmmu_assert.svh"
module gmmu_l1tlb_arrays #(
  parameter int BaseEntries  = 128,
  parameter int LargeEntries = 16,
  parameter int AsidW        = 9,
  parameter int VfnW         = 36,
  parameter int PfnW         = 36,
  parameter int Colt         = 0,
  parameter int Svadu        = 0,
  parameter int TlbParity    = 0,
  localparam int Copies      = gmmu_pkg::l1_key_copies(BaseEntries),
  localparam int PermW       = gmmu_pkg::PERM_W,
  localparam int CmdW        = gmmu_pkg::CMD_FIXED_W + AsidW
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  // lookup
  input  logic             look_i,
  input  logic             fault_i,       // its answer is a fault: the order stays
  input  logic [Copies*AsidW-1:0] asid_i,
  input  logic [Copies*VfnW-1:0]  vfn_i,
  input  logic [1:0]       store_i,       // Svadu: class of its stores
  output logic             hit_base_o,
  output logic             hit_large_o,
  output logic             bad_o,         // it found an entry with wrong parity
  // what it hit, of the lookup in the last cycle with take_i
  input  logic             take_i,
  output logic [PermW-1:0] perm_o,
  output logic [PfnW-1:0]  pfn_o,         // Colt: that of the group's page 0; large: of its page 0
  // fill
  input  logic             fill_i,
  input  logic             fill_lg_i,     // a 2 MiB translation
  input  logic [AsidW-1:0] fill_asid_i,   // as asid_i, and so on
  input  logic [VfnW-1:0]  fill_vfn_i,
  input  logic [PermW-1:0] fill_perm_i,   // Late=2: in the next cycle
  input  logic [PfnW-1:0]  fill_pfn_i,    // of the page; Late=2: in the next cycle
  input  logic [3:0]       fill_pages_i,  // Colt: pages that share it
  // sweep
  input  logic             clear_i,
  input  logic [CmdW-1:0]  cmd_i,
  output logic             busy_o,
  output logic [gmmu_pkg::L1_ARRAYS_EVENT_W-1:0] event_o   // observation of this cycle
);
  localparam int LfnW   = VfnW - 9;
  localparam int DataW  = PermW + PfnW;
  localparam int LDataW = PermW + PfnW - 9;
  localparam int Pages  = Colt != 0 ? 4 : 1;
  localparam int Late   = 1 + gmmu_pkg::l1_fill_late(Colt, Svadu, TlbParity);
  localparam int BWayW  = gmmu_pkg::idx_w(BaseEntries);
  localparam int LWayW  = gmmu_pkg::idx_w(LargeEntries);

  `include "gmmu_types.svh"
  cmd_t cmd;
  logic cmd_all, cmd_asid_all;
  assign cmd          = cmd_i;
  assign cmd_all      = cmd.kind == gmmu_pkg::INV_ALL;
  assign cmd_asid_all = cmd.kind == gmmu_pkg::INV_ASID;

  logic              fill_base, fill_large, base_over, base_evict, large_over, large_evict;
  logic              base_sweep, base_cleared, base_busy, cam_hit_base, base_ready;
  logic              large_sweep, large_cleared, large_busy, cam_hit_large, large_ready;
  logic              hit_base, hit_large, base_bad, large_bad;
  logic [BWayW-1:0]  base_way, base_fill_way, base_sweep_way;
  logic [LWayW-1:0]  large_way, large_fill_way, large_sweep_way;
  logic [DataW-1:0]  base_data, base_late;
  logic [LDataW-1:0] large_data, large_late;
  logic              large_q;
  logic [PfnW-1:0]   base_pfn;
  logic [Pages-1:0]  fill_pages;
  assign fill_large = fill_i & fill_lg_i & LargeEntries != 0;
  assign fill_base  = fill_i & !(fill_lg_i & LargeEntries != 0);
  // With CoLT an entry has the PFN of its group's page 0.
  if (Colt != 0) begin : gen_group
    assign base_pfn   = fill_pfn_i - PfnW'(fill_vfn_i[1:0]);
    assign fill_pages = fill_pages_i | (4'd1 << fill_vfn_i[1:0]);
  end else begin : gen_no_group
    assign base_pfn   = fill_pfn_i;
    assign fill_pages = '1;
  end

  // Base entries have copies of the key of their own, where there are more than one.
  localparam int Own = Copies > 1 ? 1 : 0;
  gmmu_tlb_cam #(.Entries(BaseEntries), .AsidW(AsidW), .PageW(VfnW), .Shift(0), .DataW(DataW),
      .Pages(Pages), .Late(Late), .Overwrites(32'(Colt != 0 || Svadu != 0)),
      .TlbParity(TlbParity), .Copies(Copies - Own)) u_base (
    .clk_i, .rst_ni, .read_i(1'b0), .read_asid_i(fill_asid_i), .read_page_i(fill_vfn_i),
    .search_i(look_i | fill_base), .touch_i(look_i & !fault_i & !hit_large & base_ready),
    .asid_i(asid_i[Copies*AsidW-1:Own*AsidW]), .page_i(vfn_i[Copies*VfnW-1:Own*VfnW]),
    .hit_o(cam_hit_base), .bad_o(base_bad), .way_o(base_way),
    .data_o(base_data), .take_i, .late_data_o(base_late),
    .fill_i(fill_base), .fill_asid_i, .fill_page_i(fill_vfn_i),
    .fill_data_i({fill_perm_i, base_pfn}), .fill_pages_i(fill_pages),
    .fill_way_o(base_fill_way), .fill_overwrite_o(base_over), .fill_evict_o(base_evict),
    .sweep_start_i(clear_i), .sweep_all_i(cmd_all), .sweep_asid_all_i(cmd_asid_all),
    .sweep_asid_i(cmd.asid), .sweep_lo_i(cmd.lo), .sweep_hi_i(cmd.hi), .sweep_busy_o(base_busy),
    .sweep_visit_o(base_sweep), .sweep_cleared_o(base_cleared), .sweep_way_o(base_sweep_way)
  );
  if (LargeEntries != 0) begin : gen_large
    gmmu_tlb_cam #(.Entries(LargeEntries), .AsidW(AsidW), .PageW(LfnW), .Shift(9),
        .DataW(LDataW), .Late(Late), .TlbParity(TlbParity)) u_large (
      .clk_i, .rst_ni, .read_i(1'b0), .read_asid_i(fill_asid_i), .read_page_i(fill_vfn_i[VfnW-1:9]),
      .search_i(look_i | fill_large), .touch_i(look_i & !fault_i & large_ready),
      .asid_i(asid_i[AsidW-1:0]), .page_i(vfn_i[VfnW-1:9]), .hit_o(cam_hit_large),
      .bad_o(large_bad), .way_o(large_way), .data_o(large_data), .take_i, .late_data_o(large_late),
      .fill_i(fill_large), .fill_asid_i, .fill_page_i(fill_vfn_i[VfnW-1:9]),
      .fill_data_i({fill_perm_i, fill_pfn_i[PfnW-1:9]}), .fill_pages_i(1'b1),
      .fill_way_o(large_fill_way), .fill_overwrite_o(large_over), .fill_evict_o(large_evict),
      .sweep_start_i(clear_i), .sweep_all_i(cmd_all), .sweep_asid_all_i(cmd_asid_all),
      .sweep_asid_i(cmd.asid), .sweep_lo_i(cmd.lo), .sweep_hi_i(cmd.hi), .sweep_busy_o(large_busy),
      .sweep_visit_o(large_sweep), .sweep_cleared_o(large_cleared), .sweep_way_o(large_sweep_way)
    );
  end else begin : gen_no_large
    assign {cam_hit_large, large_bad, large_way, large_data, large_late, large_fill_way, large_over,
            large_evict, large_busy, large_sweep, large_cleared, large_sweep_way} = '0;
  end

  // The large array has priority. An entry without D is none for a store that Svadu may set D for.
  assign base_ready  = !gmmu_pkg::needs_dirty(base_data[DataW-1:PfnW], store_i);
  assign large_ready = !gmmu_pkg::needs_dirty(large_data[LDataW-1:PfnW-9], store_i);
  assign hit_large   = look_i & cam_hit_large & large_ready;
  assign hit_base    = look_i & cam_hit_base & base_ready & !hit_large;
  assign hit_base_o  = hit_base;
  assign hit_large_o = hit_large;
  assign bad_o       = look_i & (base_bad | large_bad);
  always_ff @(posedge clk_i) if (take_i) large_q <= hit_large;
  assign perm_o      = large_q ? large_late[LDataW-1:PfnW-9] : base_late[DataW-1:PfnW];
  assign pfn_o       = large_q ? {large_late[PfnW-10:0], 9'd0} : base_late[PfnW-1:0];
  assign busy_o      = base_busy | large_busy;

  logic [8:0] way;
  assign way = fill_large ? 9'(large_fill_way) : fill_base ? 9'(base_fill_way) :
               hit_large ? 9'(large_way) : hit_base ? 9'(base_way) : 9'd0;
  assign event_o = {fill_base, fill_large, base_over | large_over, base_evict | large_evict, way,
                    fill_base & Colt != 0 ? 4'(fill_pages) : 4'd0,
                    base_sweep, base_sweep & base_cleared, 9'(base_sweep_way),
                    large_sweep, large_sweep & large_cleared, 8'(large_sweep_way)};

  `GMMU_ASSERT_IF(l1_fill_is_what_is_searched, fill_i,
      {fill_asid_i, fill_vfn_i} == {asid_i[AsidW-1:0], vfn_i[VfnW-1:0]})
endmodule
`default_nettype wire
