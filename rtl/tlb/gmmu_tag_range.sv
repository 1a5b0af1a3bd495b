// SPDX-License-Identifier: Apache-2.0
// gmmu_tag_range: which pages of an entry an invalidation command of an ASID covers. Combinational.
//
// page_i: the entry's page number, without the Shift (0: 4 KiB, 9: 2 MiB) bits of a VFN below it
// and those of a page in its group. Of wider numbers than VFNs (PTE addresses in the page walk
// cache, which every command empties) the lower bits are looked at. Legal: Pages 1, or 4 (an
// aligned group, docs/colt.md) with Shift 0.
`default_nettype none
module gmmu_tag_range #(
  parameter int AsidW = 9,
  parameter int NumW  = 36,
  parameter int Pages = 1,
  parameter int Shift = 0
) (
  input  logic [AsidW-1:0] tag_asid_i,
  input  logic [NumW-1:0]  page_i,
  input  logic             asid_all_i,  // every page of the ASID
  input  logic [AsidW-1:0] asid_i,
  input  logic [35:0]      lo_i,        // VFNs
  input  logic [35:0]      hi_i,
  output logic [Pages-1:0] range_o
);
  localparam int FullW = 36 - Shift;    // page number as wide as the command gives it
  localparam int PageW = NumW + (Pages == 4 ? 2 : 0);
  localparam int UsedW = PageW < FullW ? PageW : FullW;
  for (genvar p = 0; p < Pages; p++) begin : gen_page
    logic [PageW-1:0] page;
    logic             in_range;
    if (Pages == 4) begin : gen_of_group
      assign page = {page_i, 2'(p)};
    end else begin : gen_single
      assign page = page_i;
    end
    gmmu_vfn_range #(.NumW(UsedW), .FullW(FullW)) u_range (
      .page_i(page[UsedW-1:0]), .lo_i(lo_i[35:Shift]), .hi_i(hi_i[35:Shift]), .in_o(in_range)
    );
    assign range_o[p] = tag_asid_i == asid_i & (asid_all_i | in_range);
  end
endmodule
`default_nettype wire
