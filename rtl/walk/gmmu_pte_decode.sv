// SPDX-License-Identifier: Apache-2.0
// gmmu_pte_decode: one step of a walk: a PTE in, either the next PTE's place or the end of the walk
// out. Rules and order of checks: docs/walk-rules.md. Source: RISC-V privileged specification,
// Sv39/Sv48; Mosaic section 4.3 (CO, DIS); MESC section IV-A (C, AC).
//
// Combinational, for two cycles: in the first (ports with `first`) the page is computed and
// compared with the windows of that cycle, and the PTE alone judged; the second has the same PTE
// and walk, what the first one found, first_o, from a register of the caller (found_i), and ext_i.
`default_nettype none
module gmmu_pte_decode #(
  parameter int VfnW           = 36,
  parameter int PfnW           = 36,
  parameter int NumWindows     = 4,
  parameter int LargeAnswers   = 1,   // 0: 2 MiB translations are answered as 4 KiB pages
  parameter int L2Unified      = 0,   // 1: C and AC are followed
`include "gmmu_mmu_options.svh"
  localparam int PageXlateW    = gmmu_pkg::XLATE_FIXED_W + PfnW,
  localparam int FoundW        = PfnW + 10
) (
  // first cycle; level: gmmu_pkg::LEVEL_4K and others, path: which leaf PTE it is
  // (gmmu_pkg::PATH_OWN and others)
  input  logic [63:0]       first_pte_i,
  input  logic              first_err_i,    // memory answered with an error
  input  logic [1:0]        first_level_i,
  input  logic [1:0]        first_path_i,
  input  logic [VfnW-1:0]   first_vfn_i,
  input  logic [NumWindows*PfnW-1:0] win_lo_i,
  input  logic [NumWindows*PfnW-1:0] win_hi_i,
  input  logic [NumWindows-1:0]      win_walk_i,
  input  logic [NumWindows-1:0]      win_data_i,
  output logic [PfnW-1:0]   first_page_o,   // what a leaf maps, before first_offset_o is added
  output logic [8:0]        first_offset_o,
  output logic [FoundW-1:0] first_o,
  // second cycle
  input  logic [FoundW-1:0] found_i,
  input  logic [63:0]       pte_i,
  input  logic [1:0]        level_i,
  input  logic [1:0]        path_i,
  input  logic              ext_i,       // contiguity extension on
  input  logic [VfnW-1:0]   vfn_i,
  input  logic [1:0]        store_i,     // Svadu: class of stores (gmmu_pkg::store_class)
  output logic              next_o,      // go down: read the PTE at {next_pfn_o, next_idx_o}
  output logic [PfnW-1:0]   next_pfn_o,
  output logic [8:0]        next_idx_o,
  output logic [1:0]        next_path_o,
  output logic [PageXlateW-1:0] xlate_o,     // the result when next_o is 0
  // Svadu: no result yet: A is to be set, and D with update_d_o
  output logic              update_o,
  output logic              update_d_o,
  output logic              whole_o      // paths AC, C: the whole frame or subregion may be filled
);
  localparam int AsidW = 1;  // cmd_t is not used here
  `include "gmmu_types.svh"

  // ---------------------------------------------------------------- first: page and windows
  // Superpages: leaves above 2 MiB give the 2 MiB part that holds the page.
  logic        first_leaf, superpage, first_co, first_big, width_ok, page_ok;
  logic [26:0] first_vfn;
  logic [43:0] first_ppn, page;
  logic [8:0]  offset;   // of the page in the run, paths AC and C
  logic [8:0]  run_pages;
  logic [44:0] moved, run_last;
  logic [35:0] frame_more;
  logic [9:0]  moved_low, run_low;
  logic [PfnW-1:0] last;
  assign first_ppn = first_pte_i[53:10];
  assign first_vfn = first_vfn_i[26:0];
  assign first_leaf = first_pte_i[1] | first_pte_i[3];
  assign first_co  = first_path_i == gmmu_pkg::PATH_CO;
  // Split build: the page of a pointer is the table that it names, so that one comparison serves.
  // The unified build, which adds first, does not wait for what the PTE is.
  assign superpage = L2Unified != 0 | first_leaf;
  assign first_big = superpage & (first_level_i != gmmu_pkg::LEVEL_4K | first_co);
  assign page      = {first_ppn[43:27],
      VfnW == 36 & superpage & first_level_i == gmmu_pkg::LEVEL_512G
          ? first_vfn[26:18] : first_ppn[26:18],
      superpage & first_level_i >= gmmu_pkg::LEVEL_1G ? first_vfn[17:9] : first_ppn[17:9],
      first_big & LargeAnswers == 0 ? first_vfn[8:0] : first_ppn[8:0]};
  assign offset    = L2Unified == 0 ? 9'd0 : first_path_i == gmmu_pkg::PATH_AC ? first_vfn[8:0]
                   : first_path_i == gmmu_pkg::PATH_C ? {3'd0, first_vfn[5:0]} : 9'd0;
  // Sums within a 2 MiB frame; the frame behind it beside that.
  assign frame_more = {1'b0, page[43:9]} + 1'b1;
  assign moved_low = {1'b0, page[8:0]} + {1'b0, offset};
  assign moved     = {moved_low[9] ? frame_more : {1'b0, page[43:9]}, moved_low[8:0]};
  assign run_pages = first_path_i == gmmu_pkg::PATH_AC ? 9'd511 : 9'd63;   // behind the head
  assign run_low   = {1'b0, page[8:0]} + {1'b0, run_pages};
  assign run_last  = {run_low[9] ? frame_more : {1'b0, page[43:9]}, run_low[8:0]};
  if (PfnW < 44) begin : gen_width
    assign width_ok = first_ppn[43:PfnW] == '0;
    assign page_ok  = moved[44:PfnW] == '0;
  end else begin : gen_no_width
    assign width_ok = 1'b1;
    assign page_ok  = !moved[44];
  end
  assign first_page_o   = page[PfnW-1:0];
  assign first_offset_o = offset;
  // The windows must hold the whole of what an answer lets its caller use; or the next table.
  assign last  = first_big & LargeAnswers != 0 ? {page[PfnW-1:9], 9'h1ff} : page[PfnW-1:0];

  // ---------------------------------------------------------------- first: what the PTE alone says
  logic       first_own, misaligned, named, place, run_ok, run_ok_q, wide_q, sound_q;
  logic [1:0] window_ok, window_ok_q;     // of data and of walks; split build: one for both
  logic [4:0] first_cause, cause_q;
  logic [PfnW-1:0] pfn_q;
  assign first_own  = Svadu != 0 & first_path_i == gmmu_pkg::PATH_OWN;
  // Low PPN parts of superpages must be 0.
  assign misaligned = (first_big & first_ppn[8:0] != '0) |
      (first_level_i >= gmmu_pkg::LEVEL_1G & first_ppn[17:9] != '0) |
      (VfnW == 36 & first_level_i == gmmu_pkg::LEVEL_512G & first_ppn[26:18] != '0);
  always_comb begin
    named = 1'b1;      // before reserved bits are looked at
    if (first_err_i) first_cause = gmmu_pkg::CAUSE_AF_MEM;
    else if (!first_pte_i[0]) first_cause = gmmu_pkg::CAUSE_PF_INVALID;
    else if (first_pte_i[2] & !first_pte_i[1]) first_cause = gmmu_pkg::CAUSE_PF_WRITE_ONLY;
    else begin
      named = 1'b0;
      if (!first_leaf) begin
        if (first_level_i == gmmu_pkg::LEVEL_4K) first_cause = gmmu_pkg::CAUSE_PF_NO_LEAF;
        else if (first_pte_i[7] | first_pte_i[6] | first_pte_i[4])
          first_cause = gmmu_pkg::CAUSE_PF_NONLEAF_ADU;
        else first_cause = place ? gmmu_pkg::CAUSE_OK : gmmu_pkg::CAUSE_AF_PPN_WIDTH;
      end else begin
        if (misaligned) first_cause = gmmu_pkg::CAUSE_PF_MISALIGNED;
        else if (!first_pte_i[6] & !first_own) first_cause = gmmu_pkg::CAUSE_PF_ACCESSED;
        else first_cause = place ? gmmu_pkg::CAUSE_OK : gmmu_pkg::CAUSE_AF_PPN_WIDTH;
      end
    end
  end
  assign place   = width_ok & (page_ok | !first_leaf);
  assign first_o = {run_ok & run_last[44:PfnW] == '0, !named & |first_pte_i[63:54], first_cause,
                    first_cause == gmmu_pkg::CAUSE_OK, window_ok, moved[PfnW-1:0]};
  assign {run_ok_q, wide_q, cause_q, sound_q, window_ok_q, pfn_q} = found_i;
  if (L2Unified != 0) begin : gen_run
    gmmu_windows #(.NumWindows(NumWindows), .PfnW(PfnW)) u_walk_windows (
      .lo_i(win_lo_i), .hi_i(win_hi_i), .allow_i(win_walk_i),
      .first_i(first_ppn[PfnW-1:0]), .last_i(first_ppn[PfnW-1:0]), .inside_o(window_ok[1])
    );
    gmmu_windows_add #(.NumWindows(NumWindows), .PfnW(PfnW)) u_data_windows (
      .lo_i(win_lo_i), .hi_i(win_hi_i), .allow_i(win_data_i), .first_i(page[PfnW-1:0]),
      .first_add_i(offset), .last_i(last), .last_add_i(offset), .inside_o(window_ok[0])
    );
    gmmu_windows_add #(.NumWindows(NumWindows), .PfnW(PfnW)) u_run_windows (
      .lo_i(win_lo_i), .hi_i(win_hi_i), .allow_i(win_data_i), .first_i(first_ppn[PfnW-1:0]),
      .first_add_i(9'd0), .last_i(first_ppn[PfnW-1:0]), .last_add_i(run_pages), .inside_o(run_ok)
    );
    assign whole_o = run_ok_q & (path_i == gmmu_pkg::PATH_AC | path_i == gmmu_pkg::PATH_C) &
        !(ext_i & pte_i[8]);
  end else begin : gen_no_run
    logic both;
    gmmu_windows #(.NumWindows(NumWindows), .PfnW(PfnW)) u_windows (
      .lo_i(win_lo_i), .hi_i(win_hi_i), .allow_i(first_leaf ? win_data_i : win_walk_i),
      .first_i(page[PfnW-1:0]), .last_i(last), .inside_o(both)
    );
    assign window_ok = {both, both};
    logic unused_run;
    assign unused_run = run_ok_q;
    assign run_ok     = 1'b0;
    assign whole_o    = 1'b0;
  end

  // ---------------------------------------------------------------- second: what it means
  logic        leaf, frame_pte, reserved, fine, ok, big, co_bit, ac_bit, c_bit;
  logic [43:0] ppn;
  logic [26:0] vfn27;
  logic [4:0]  cause;
  logic        own;      // Svadu: hardware may set A and D
  assign own       = Svadu != 0 & path_i == gmmu_pkg::PATH_OWN;
  assign ppn       = pte_i[53:10];
  assign vfn27     = vfn_i[26:0];
  assign leaf      = pte_i[1] | pte_i[3];
  assign frame_pte = !leaf & level_i == gmmu_pkg::LEVEL_2M;
  assign co_bit    = FrameBitsInRsw != 0 ? pte_i[8] : pte_i[63];
  assign ac_bit    = L2Unified != 0 & (FrameBitsInRsw != 0 ? pte_i[9] : pte_i[62]);
  assign c_bit     = L2Unified != 0 & FrameBitsInRsw == 0 & pte_i[6'd54 + {3'd0, vfn_i[8:6]}];
  assign reserved  = wide_q & !(frame_pte & ext_i & FrameBitsInRsw == 0);
  assign fine      = sound_q & (leaf ? window_ok_q[0] : window_ok_q[1]);
  assign ok        = fine & !reserved;
  assign big       = level_i != gmmu_pkg::LEVEL_4K | path_i == gmmu_pkg::PATH_CO;

  always_comb begin
    if (reserved) cause = gmmu_pkg::CAUSE_PF_RESERVED;
    else if (!sound_q) cause = cause_q;
    else if (fine) cause = gmmu_pkg::CAUSE_OK;
    else cause = leaf ? gmmu_pkg::CAUSE_AF_PPN_WINDOW : gmmu_pkg::CAUSE_AF_WALK_WINDOW;
  end

  // Only a leaf of the page's own: one that stands for other pages' leaves is left to software.
  assign update_d_o = own &
      gmmu_pkg::needs_dirty({pte_i[7], pte_i[4], pte_i[3], pte_i[2], pte_i[1]}, store_i);
  assign update_o   = own & leaf & ok & (!pte_i[6] | update_d_o);
  assign next_o     = !leaf & ok;
  assign next_pfn_o = ppn[PfnW-1:0];
  // The first that applies: coalesced, whole frame contiguous, subregion contiguous, none.
  assign next_path_o = !(frame_pte & ext_i)
      ? gmmu_pkg::PATH_OWN : co_bit ? gmmu_pkg::PATH_CO
      : ac_bit ? gmmu_pkg::PATH_AC : c_bit ? gmmu_pkg::PATH_C : gmmu_pkg::PATH_OWN;
  always_comb begin
    case (level_i)
      gmmu_pkg::LEVEL_2M: next_idx_o = next_path_o == gmmu_pkg::PATH_OWN ? vfn27[8:0]
          : next_path_o == gmmu_pkg::PATH_C ? {vfn27[8:6], 6'd0} : 9'd0;
      gmmu_pkg::LEVEL_1G: next_idx_o = vfn27[17:9];
      default:            next_idx_o = VfnW == 36 ? vfn27[26:18] : vfn27[17:9];
    endcase
  end

  xlate_t xlate;
  always_comb begin
    xlate = '0;
    xlate.cause = cause;
    if (ok) begin
      xlate.lg      = big & LargeAnswers != 0;
      xlate.no_fill = ext_i & pte_i[8] & !big;
      xlate.perm    = {pte_i[7], pte_i[4], pte_i[3], pte_i[2], pte_i[1]};
      xlate.pfn     = pfn_q;
    end
  end
  assign xlate_o = xlate;
endmodule
`default_nettype wire
