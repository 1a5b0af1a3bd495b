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
  logic [Pages-1:0] range;
  gmmu_tag_range #(.AsidW(AsidW), .NumW(NumW), .Pages(Pages), .Shift(Shift)) u_range (
    .tag_asid_i(tag_i[AsidW+NumW-1:NumW]), .page_i(tag_i[NumW-1:0]), .asid_all_i, .asid_i, .lo_i,
    .hi_i, .range_o(range)
  );
  always_comb begin
    if (!look_i) match_o = '0;
    else match_o = {Pages{all_i}} | range;
  end
endmodule
`default_nettype wire
