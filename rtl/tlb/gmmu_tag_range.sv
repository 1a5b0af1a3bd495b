// SPDX-License-Identifier: Apache-2.0
// gmmu_tag_range: which pages of an entry of a set-associative array an invalidation command of an
// ASID covers. Combinational.
//
// Tag: {ASID, VFN above the set's bits}; of wider numbers (PTE addresses in the page walk cache,
// which every command empties) the lower 36 bits are looked at. Legal: Pages 1, or 4 (an aligned
// group, docs/colt.md).
`default_nettype none
module gmmu_tag_range #(
  parameter int AsidW = 9,
  parameter int NumW  = 31,
  parameter int SetW  = 5,
  parameter int Pages = 1
) (
  input  logic [AsidW+NumW-1:0] tag_i,
  input  logic [SetW-1:0]       set_i,
  input  logic                  asid_all_i,  // every page of the ASID
  input  logic [AsidW-1:0]      asid_i,
  input  logic [35:0]           lo_i,        // VFNs
  input  logic [35:0]           hi_i,
  output logic [Pages-1:0]      range_o
);
  localparam int VfnW  = NumW + SetW + (Pages == 4 ? 2 : 0);
  localparam int UsedW = VfnW < 36 ? VfnW : 36;
  for (genvar p = 0; p < Pages; p++) begin : gen_page
    logic [VfnW-1:0] vfn;
    logic            in_range;
    if (Pages == 4) begin : gen_of_group
      assign vfn = {tag_i[NumW-1:0], set_i, 2'(p)};
    end else begin : gen_single
      assign vfn = {tag_i[NumW-1:0], set_i};
    end
    gmmu_vfn_range #(.NumW(UsedW), .FullW(36)) u_range (
      .page_i(vfn[UsedW-1:0]), .lo_i, .hi_i, .in_o(in_range)
    );
    assign range_o[p] = tag_i[NumW +: AsidW] == asid_i & (asid_all_i | in_range);
  end
endmodule
`default_nettype wire
