// SPDX-License-Identifier: Apache-2.0
// One step of a walk, for any PTE in any windows, at full width. Isolation: whatever the PTE says,
// no frame outside the windows that software allows is answered, filled or read. And the rules of
// docs/walk-rules.md, 4 to 14, written again.
`default_nettype none
module prove_pte_decode #(
  parameter int PfnW           = 36,
  parameter int LargeAnswers   = 1,
  parameter int FrameBitsInRsw = 0,
  parameter int L2Unified      = 0,
  parameter int Svadu          = 0,
  parameter int Covers         = 0,
  localparam int W             = 2,      // windows
  localparam int XlateW        = gmmu_pkg::XLATE_FIXED_W + PfnW
) (
  input  logic              clk_i,
  input  logic [63:0]       pte_i,
  input  logic              err_i,
  input  logic [1:0]        level_i,
  input  logic [1:0]        path_i,
  input  logic              ext_i,
  input  logic [35:0]       vfn_i,
  input  logic [1:0]        store_i,
  input  logic [W*PfnW-1:0] lo_i,
  input  logic [W*PfnW-1:0] hi_i,
  input  logic [W-1:0]      walk_i,
  input  logic [W-1:0]      data_i,
  input  logic [8:0]        any_page     // one of the pages of what is answered or filled
);
  `include "prove.svh"

  logic              next, update, update_d, whole;
  logic [PfnW-1:0]   next_pfn, first_page;
  logic [8:0]        first_offset;
  logic [PfnW+9:0]   found;
  logic [8:0]        next_idx;
  logic [1:0]        next_path;
  logic [XlateW-1:0] xlate;
  gmmu_pte_decode #(
    .PfnW(PfnW), .NumWindows(W), .LargeAnswers(LargeAnswers), .FrameBitsInRsw(FrameBitsInRsw),
    .L2Unified(L2Unified),
    .Svadu(Svadu)
  ) u_dut (
    // both cycles in one: the register between them is the walker's
    .first_pte_i(pte_i), .first_err_i(err_i), .first_level_i(level_i), .first_path_i(path_i),
    .first_vfn_i(vfn_i), .win_lo_i(lo_i), .win_hi_i(hi_i), .win_walk_i(walk_i), .win_data_i(data_i),
    .first_page_o(first_page), .first_offset_o(first_offset), .first_o(found), .found_i(found),
    .pte_i, .level_i, .path_i, .ext_i, .vfn_i, .store_i, .next_o(next),
    .next_pfn_o(next_pfn), .next_idx_o(next_idx), .next_path_o(next_path), .xlate_o(xlate),
    .update_o(update), .update_d_o(update_d), .whole_o(whole)
  );
  // {cause, large, no_fill, permissions, PFN}, gmmu_pkg
  logic [4:0]      cause;
  logic            large;
  logic [PfnW-1:0] pfn;
  assign {cause, large} = xlate[XlateW-1 -: 6];
  assign pfn            = xlate[PfnW-1:0];

  always_comb begin
    assume (path_i == 2'd0 | (level_i == 2'd0 & ext_i));  // CO, AC and C paths end at a 4 KiB leaf
    assume (!path_i[1] | L2Unified != 0);
    assume (path_i != 2'd3 | FrameBitsInRsw == 0);
  end

  // ---- windows, of one frame at a time
  function automatic logic in_window(input logic [44:0] f, input logic [W-1:0] allow);
    begin
      in_window = 1'b0;
      for (int w = 0; w < W; w++) begin
        if (allow[w] & f >= 45'(lo_i[w*PfnW +: PfnW]) & f <= 45'(hi_i[w*PfnW +: PfnW]))
          in_window = 1'b1;
      end
    end
  endfunction
  logic ok;
  assign ok = cause == gmmu_pkg::CAUSE_OK & !next;
  // a page of the run that may be filled; the answered one is offset pages into it
  logic [44:0] filled;
  logic [8:0]  offset;
  assign offset = path_i == 2'd2 ? vfn_i[8:0] : {3'd0, vfn_i[5:0]};
  assign filled = 45'(pfn) - 45'(offset) + 45'(path_i == 2'd2 ? any_page : {3'd0, any_page[5:0]});

  // ---- the rules, in their order
  logic        is_leaf, own, is_frame, spans;
  logic [4:0]  want;
  logic [43:0] ppn;
  // as in the leaf with the VFN's bits inside the span; with the path's offset
  logic [44:0] page, answer;
  logic [44:0] low;                      // bits inside the span
  logic        mis, in_one;
  assign is_leaf  = pte_i[3:1] != 3'b000;
  assign own      = Svadu != 0 & path_i == 2'd0;
  assign is_frame = !is_leaf & level_i == 2'd1;
  assign ppn      = pte_i[53:10];
  assign spans    = level_i != 2'd0 | path_i == 2'd1;
  always_comb begin
    case (path_i == 2'd1 ? 2'd1 : level_i)
      2'd0:    low = 45'h0;
      2'd1:    low = 45'h1ff;
      2'd2:    low = 45'h3ffff;
      default: low = 45'h7ffffff;
    endcase
    mis    = ({1'b0, ppn} & low) != '0;
    page   = {1'b0, ppn} | ({9'd0, vfn_i} & low);
    if (spans & LargeAnswers != 0) page = page & ~45'h1ff;
    answer = path_i[1] ? page + {36'd0, offset} : page;
    in_one = 1'b0;
    for (int w = 0; w < W; w++) begin
      if (data_i[w] & answer >= 45'(lo_i[w*PfnW +: PfnW]) &
          answer + (spans & LargeAnswers != 0 ? 45'd511 : 45'd0) <= 45'(hi_i[w*PfnW +: PfnW]))
            in_one = 1'b1;
    end
    want = gmmu_pkg::CAUSE_OK;
    if (err_i) want = gmmu_pkg::CAUSE_AF_MEM;  // 4
    else if (!pte_i[0]) want = gmmu_pkg::CAUSE_PF_INVALID;  // 5
    else if (pte_i[2:1] == 2'b10) want = gmmu_pkg::CAUSE_PF_WRITE_ONLY;  // 6
    // 7
    else if (pte_i[63:54] != '0 & !(is_frame & ext_i & FrameBitsInRsw == 0))
      want = gmmu_pkg::CAUSE_PF_RESERVED;
    else if (!is_leaf & level_i == 2'd0) want = gmmu_pkg::CAUSE_PF_NO_LEAF;  // 8
    // 9
    else if (!is_leaf & (pte_i[7] | pte_i[6] | pte_i[4])) want = gmmu_pkg::CAUSE_PF_NONLEAF_ADU;
    else if (!is_leaf & (ppn >> PfnW) != '0) want = gmmu_pkg::CAUSE_AF_PPN_WIDTH;  // 10
    // 3, of the next read
    else if (!is_leaf & !in_window({1'b0, ppn}, walk_i)) want = gmmu_pkg::CAUSE_AF_WALK_WINDOW;
    else if (!is_leaf) want = gmmu_pkg::CAUSE_OK;
    else if (mis) want = gmmu_pkg::CAUSE_PF_MISALIGNED;  // 11
    else if (!pte_i[6] & !own) want = gmmu_pkg::CAUSE_PF_ACCESSED;  // 12
    else if ((answer >> PfnW) != '0) want = gmmu_pkg::CAUSE_AF_PPN_WIDTH;  // 13
    else if (!in_one) want = gmmu_pkg::CAUSE_AF_PPN_WINDOW;  // 14
  end

  // The PTE that is read next: of the page; on a path of the frame's PTE the head that it names. A
  // bit of the frame's PTE: coalesced, whole frame, the subregion's.
  logic       co, ac, c;
  logic [1:0] path;
  logic [8:0] index;
  always_comb begin
    co    = FrameBitsInRsw != 0 ? pte_i[8] : pte_i[63];
    ac    = L2Unified != 0 & (FrameBitsInRsw != 0 ? pte_i[9] : pte_i[62]);
    c     = L2Unified != 0 & FrameBitsInRsw == 0 & pte_i[54 + 32'(vfn_i[8:6])];
    path  = !(is_frame & ext_i) ? 2'd0 : co ? 2'd1 : ac ? 2'd2 : c ? 2'd3 : 2'd0;
    index = level_i == 2'd3 ? vfn_i[26:18] : level_i == 2'd2 ? vfn_i[17:9] : vfn_i[8:0];
    if (path == 2'd3) index = {vfn_i[8:6], 6'd0};
    else if (path != 2'd0) index = 9'd0;
  end

  if (Covers == 0) begin : gen_assert
    always_comb if (rst_ni) begin
      if (next) reads_next: assert (45'(next_pfn) == 45'(ppn) & next_idx == index &
          next_path == path);
      if (ok) answered_frame_is_allowed: assert (in_window(45'(pfn), data_i));
      if (ok & large)
        whole_large_page_is_allowed: assert (pfn[8:0] == '0 &
            in_window(45'(pfn) + 45'(any_page), data_i));
      if (ok & whole)
        whole_run_is_allowed: assert (in_window(filled, data_i) & (filled >> PfnW) == '0);
      if (next) next_table_is_allowed: assert (in_window(45'(next_pfn), walk_i));
      cause_is_the_first_that_applies: assert (cause == want);
      goes_down_at_pointers: assert (next == (!is_leaf & want == gmmu_pkg::CAUSE_OK));
      if (ok) answers_what_the_leaf_says: assert (45'(pfn) == answer &
          large == (spans & LargeAnswers != 0));
      if (update)
        updates_permitted_leaves_only: assert (Svadu != 0 & path_i == 2'd0 & ok & is_leaf &
          pte_i[0]);
      if (update & update_d) sets_dirty_for_stores_only: assert (store_i != '0 & pte_i[2]);
      if (whole) fills_runs_of_paths_only: assert (path_i[1]);
    end
  end else begin : gen_cover
    always_comb if (rst_ni) begin
      c_next: assert (!next);
      c_ok: assert (!(ok & path_i == 2'd1));
      c_level3: assert (!(ok & level_i == 2'd3));
      c_window: assert (cause != gmmu_pkg::CAUSE_AF_PPN_WINDOW);
      c_reserved: assert (cause != gmmu_pkg::CAUSE_PF_RESERVED);
      if (L2Unified != 0) c_whole: assert (!(ok & whole & path_i == 2'd2 & offset == 9'd511));
      if (Svadu != 0) c_update: assert (!(update & update_d));
    end
  end
endmodule
`default_nettype wire
