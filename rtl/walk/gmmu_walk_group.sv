// SPDX-License-Identifier: Apache-2.0
// gmmu_walk_group: CoLT: which pages of the aligned group of 4 share a finished walk's translation,
// in the second cycle after memory's answer, whose line it keeps; in the first one (ports with
// `first`) PTEs and windows are compared.
// Rules: docs/colt.md. Source: MESC section V-A.
`default_nettype none
module gmmu_walk_group #(
  parameter int PfnW        = 36,
  parameter int NumWindows  = 4,
  parameter int MemW        = 512,
  localparam int PageXlateW = gmmu_pkg::XLATE_FIXED_W + PfnW
) (
  input  logic              clk_i,
  input  logic              mem_valid_i,
  input  logic [MemW-1:0]   mem_data_i,  // line of 8 PTEs, page 0 lowest; looked at with own_i
  input  logic              mem_half_i,  // the group in it
  // what a leaf maps is first_pfn_i + first_offset_i, for the requested page
  input  logic [1:0]        first_page_i,
  input  logic [PfnW-1:0]   first_pfn_i,
  input  logic [8:0]        first_offset_i,
  input  logic [1:0]        page_i,      // the requested one
  input  logic              own_i,       // the walk ended with the page's own leaf PTE at level 0
  input  logic              ext_i,       // contiguity extension on
  input  logic [PageXlateW-1:0] xlate_i,
  input  logic [NumWindows*PfnW-1:0] win_lo_i,
  input  logic [NumWindows*PfnW-1:0] win_hi_i,
  input  logic [NumWindows-1:0]      win_data_i,
  output logic [3:0]        group_o      // 0 after a fault
);
  localparam int AsidW = 1;  // cmd_t is not used here
  `include "gmmu_types.svh"
  xlate_t xlate;
  assign xlate = xlate_i;

  logic [255:0] ptes_q;
  logic [63:0]  own;
  always_ff @(posedge clk_i)
    if (mem_valid_i) ptes_q <= mem_half_i ? mem_data_i[MemW-1 -: 256] : mem_data_i[255:0];
  assign own = ptes_q[first_page_i*64 +: 64];

  for (genvar i = 0; i < 4; i++) begin : gen_page
    logic [63:0]   pte;
    logic [44:0]   here, there;   // PPN(i) + page = PPN(page) + i
    logic [PfnW:0] pfn;           // top bit: below 0 or too wide
    logic [10:0]   away;          // of the page from first_pfn_i
    logic          same, in_win, same_q, dis_q, in_win_q, joins;
    assign pte   = ptes_q[i*64 +: 64];
    assign here  = {1'b0, pte[53:10]} + 45'(first_page_i);
    assign there = {1'b0, own[53:10]} + 45'(i);
    assign same  = pte[7:0] == own[7:0] & pte[63:54] == '0 & here == there;
    assign away  = {2'd0, first_offset_i} + 11'(i) - 11'(first_page_i);
    assign pfn   = {1'b0, first_pfn_i} + (PfnW+1)'($signed(away));
    gmmu_windows #(.NumWindows(NumWindows), .PfnW(PfnW)) u_windows (
      .lo_i(win_lo_i), .hi_i(win_hi_i), .allow_i(win_data_i),
      .first_i(pfn[PfnW-1:0]), .last_i(pfn[PfnW-1:0]), .inside_o(in_win)
    );
    always_ff @(posedge clk_i) begin
      same_q   <= same;
      dis_q    <= pte[8];
      in_win_q <= !pfn[PfnW] & in_win;
    end
    assign joins = in_win_q & ((same_q & !(ext_i & dis_q)) | !own_i);
    assign group_o[i] = xlate.cause == gmmu_pkg::CAUSE_OK & (xlate.lg | page_i == 2'(i) | joins);
  end
endmodule
`default_nettype wire
