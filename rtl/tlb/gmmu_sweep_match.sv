// SPDX-License-Identifier: Apache-2.0
// gmmu_sweep_match: which pages of an entry of a fully associative array an invalidation command
// covers. Part of gmmu_tlb_cam; combinational.
//
// Tag: {ASID, page number}, the page number of NumW bits above the Shift (0: 4 KiB, 9: 2 MiB) and
// group bits of a VFN. Legal: Pages 1, or 4 (an aligned group, docs/colt.md) with Shift 0.
`default_nettype none
module gmmu_sweep_match #(
  parameter int AsidW = 9,
  parameter int NumW  = 36,
  parameter int Pages = 1,
  parameter int Shift = 0
) (
  input  logic                  look_i,      // 0: nothing is covered
  input  logic [AsidW+NumW-1:0] tag_i,
  input  logic                  all_i,       // every ASID, every page
  input  logic                  asid_all_i,  // every page of the ASID
  input  logic [AsidW-1:0]      asid_i,
  input  logic [35:0]           lo_i,        // VFNs
  input  logic [35:0]           hi_i,
  output logic [Pages-1:0]      match_o
);
  localparam int FullW = 36 - Shift;   // page number as wide as the command gives it
  logic [FullW-1:0] lo_page, hi_page;
  assign lo_page = lo_i[35:Shift];
  assign hi_page = hi_i[35:Shift];
  for (genvar p = 0; p < Pages; p++) begin : gen_match
    localparam int PageW = NumW + (Pages == 4 ? 2 : 0);
    localparam int UsedW = PageW < FullW ? PageW : FullW;
    logic [PageW-1:0] page;
    logic             in_range;
    if (Pages == 4) begin : gen_of_group
      assign page = {tag_i[NumW-1:0], 2'(p)};
    end else begin : gen_single
      assign page = tag_i[NumW-1:0];
    end
    gmmu_vfn_range #(.NumW(UsedW), .FullW(FullW)) u_range (
      .page_i(page[UsedW-1:0]), .lo_i(lo_page), .hi_i(hi_page), .in_o(in_range)
    );
    always_comb begin
      if (!look_i) match_o[p] = 1'b0;
      else match_o[p] = all_i | (tag_i[AsidW+NumW-1:NumW] == asid_i & (asid_all_i | in_range));
    end
  end
endmodule
`default_nettype wire
