// SPDX-License-Identifier: Apache-2.0
// gmmu_pte_decode: one step of a walk: a PTE in, either the next PTE's place or the end of the walk
// out. Rules and order of checks: docs/walk-rules.md. Source: RISC-V privileged specification,
// Sv39/Sv48; Mosaic section 4.3 (CO, DIS); MESC section IV-A (C, AC).
//
// Combinational, for two cycles: in the first (ports with `first`) the page is computed and
// compared with the windows of that cycle; the second has the same PTE and walk, and what the first
// one found, first_o, from a register of the caller (found_i).
`default_nettype none
module gmmu_pte_decode #(
  parameter int VfnW           = 36,
  parameter int PfnW           = 36,
  parameter int NumWindows     = 4,
  parameter int LargeAnswers   = 1,   // 0: 2 MiB translations are answered as 4 KiB pages
  parameter int L2Unified      = 0,   // 1: C and AC are followed
`include "gmmu_mmu_options.svh"
  localparam int PageXlateW    = gmmu_pkg::XLATE_FIXED_W + PfnW
) (
  // first cycle; level: gmmu_pkg::LEVEL_4K and others, path: which leaf PTE it is
  // (gmmu_pkg::PATH_OWN and others)
  input  logic [63:0]       first_pte_i,
  input  logic [1:0]        first_level_i,
  input  logic [1:0]        first_path_i,
  input  logic [VfnW-1:0]   first_vfn_i,
  input  logic [NumWindows*PfnW-1:0] win_lo_i,
  input  logic [NumWindows*PfnW-1:0] win_hi_i,
  input  logic [NumWindows-1:0]      win_walk_i,
  input  logic [NumWindows-1:0]      win_data_i,
  output logic [PfnW-1:0]   first_page_o,   // what a leaf maps, before first_offset_o is added
  output logic [8:0]        first_offset_o,
  output logic [PfnW+4:0]   first_o,
  // second cycle
  input  logic [PfnW+4:0]   found_i,
  input  logic [63:0]       pte_i,
  input  logic              err_i,       // memory answered with an error
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
  logic        first_co, first_big, walk_ok, data_ok, width_ok, page_ok;
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
  assign first_co  = first_path_i == gmmu_pkg::PATH_CO;
  assign first_big = first_level_i != gmmu_pkg::LEVEL_4K | first_co;
  assign page      = {first_ppn[43:27],
      first_level_i == gmmu_pkg::LEVEL_512G ? first_vfn[26:18] : first_ppn[26:18],
      first_level_i >= gmmu_pkg::LEVEL_1G ? first_vfn[17:9] : first_ppn[17:9],
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
  // The windows must hold the whole of what an answer lets its caller use.
  assign last = first_big & LargeAnswers != 0 ? {page[PfnW-1:9], 9'h1ff} : page[PfnW-1:0];
  gmmu_windows #(.NumWindows(NumWindows), .PfnW(PfnW)) u_walk_windows (
    .lo_i(win_lo_i), .hi_i(win_hi_i), .allow_i(win_walk_i),
    .first_i(first_ppn[PfnW-1:0]), .last_i(first_ppn[PfnW-1:0]), .inside_o(walk_ok)
  );
  gmmu_windows_add #(.NumWindows(NumWindows), .PfnW(PfnW)) u_data_windows (
    .lo_i(win_lo_i), .hi_i(win_hi_i), .allow_i(win_data_i), .first_i(page[PfnW-1:0]),
    .first_add_i(offset), .last_i(last), .last_add_i(offset), .inside_o(data_ok)
  );
  logic            run_ok, run_ok_q, walk_ok_q, data_ok_q, width_ok_q, page_ok_q;
  logic [PfnW-1:0] pfn_q;
  assign first_o = {run_ok & run_last[44:PfnW] == '0, walk_ok, data_ok, width_ok, page_ok,
                    moved[PfnW-1:0]};
  assign {run_ok_q, walk_ok_q, data_ok_q, width_ok_q, page_ok_q, pfn_q} = found_i;
  if (L2Unified != 0) begin : gen_run
    gmmu_windows_add #(.NumWindows(NumWindows), .PfnW(PfnW)) u_run_windows (
      .lo_i(win_lo_i), .hi_i(win_hi_i), .allow_i(win_data_i), .first_i(first_ppn[PfnW-1:0]),
      .first_add_i(9'd0), .last_i(first_ppn[PfnW-1:0]), .last_add_i(run_pages), .inside_o(run_ok)
    );
    assign whole_o = run_ok_q & (path_i == gmmu_pkg::PATH_AC | path_i == gmmu_pkg::PATH_C) &
        !(ext_i & pte_i[8]);
  end else begin : gen_no_run
    logic unused_run;
    assign unused_run = run_ok_q;
    assign run_ok     = 1'b0;
    assign whole_o    = 1'b0;
  end

  // ---------------------------------------------------------------- second: what it means
  logic        leaf, frame_pte, reserved, wide, misaligned, big, co_i, co_bit, ac_bit, c_bit;
  logic [43:0] ppn;
  logic [26:0] vfn27;
  logic [4:0]  cause;
  logic        own;      // Svadu: hardware may set A and D
  assign own       = Svadu != 0 & path_i == gmmu_pkg::PATH_OWN;
  assign ppn       = pte_i[53:10];
  assign vfn27     = vfn_i[26:0];
  assign leaf      = pte_i[1] | pte_i[3];
  assign frame_pte = !leaf & level_i == gmmu_pkg::LEVEL_2M;
  assign wide      = |pte_i[63:54];
  assign co_i      = path_i == gmmu_pkg::PATH_CO;
  assign co_bit    = FrameBitsInRsw != 0 ? pte_i[8] : pte_i[63];
  assign ac_bit    = L2Unified != 0 & (FrameBitsInRsw != 0 ? pte_i[9] : pte_i[62]);
  assign c_bit     = L2Unified != 0 & FrameBitsInRsw == 0 & pte_i[6'd54 + {3'd0, vfn_i[8:6]}];
  assign reserved  = wide & !(frame_pte & ext_i & FrameBitsInRsw == 0);
  // Low PPN parts of superpages must be 0.
  assign misaligned = ((level_i != gmmu_pkg::LEVEL_4K | co_i) & ppn[8:0] != '0) |
                      (level_i >= gmmu_pkg::LEVEL_1G & ppn[17:9] != '0) |
                      (level_i == gmmu_pkg::LEVEL_512G & ppn[26:18] != '0);
  assign big        = level_i != gmmu_pkg::LEVEL_4K | co_i;

  always_comb begin
    if (err_i) cause = gmmu_pkg::CAUSE_AF_MEM;
    else if (!pte_i[0]) cause = gmmu_pkg::CAUSE_PF_INVALID;
    else if (pte_i[2] & !pte_i[1]) cause = gmmu_pkg::CAUSE_PF_WRITE_ONLY;
    else if (reserved) cause = gmmu_pkg::CAUSE_PF_RESERVED;
    else if (!leaf) begin
      if (level_i == gmmu_pkg::LEVEL_4K) cause = gmmu_pkg::CAUSE_PF_NO_LEAF;
      else if (pte_i[7] | pte_i[6] | pte_i[4]) cause = gmmu_pkg::CAUSE_PF_NONLEAF_ADU;
      else if (!width_ok_q) cause = gmmu_pkg::CAUSE_AF_PPN_WIDTH;
      else if (!walk_ok_q) cause = gmmu_pkg::CAUSE_AF_WALK_WINDOW;
      else cause = gmmu_pkg::CAUSE_OK;
    end else begin
      if (misaligned) cause = gmmu_pkg::CAUSE_PF_MISALIGNED;
      else if (!pte_i[6] & !own) cause = gmmu_pkg::CAUSE_PF_ACCESSED;
      else if (!page_ok_q | !width_ok_q) cause = gmmu_pkg::CAUSE_AF_PPN_WIDTH;
      else if (!data_ok_q) cause = gmmu_pkg::CAUSE_AF_PPN_WINDOW;
      else cause = gmmu_pkg::CAUSE_OK;
    end
  end

  // Only a leaf of the page's own: one that stands for other pages' leaves is left to software.
  assign update_d_o = own &
      gmmu_pkg::needs_dirty({pte_i[7], pte_i[4], pte_i[3], pte_i[2], pte_i[1]}, store_i);
  assign update_o   = own & leaf & cause == gmmu_pkg::CAUSE_OK & (!pte_i[6] | update_d_o);
  assign next_o     = !leaf & cause == gmmu_pkg::CAUSE_OK;
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
      default:            next_idx_o = vfn27[26:18];
    endcase
  end

  xlate_t xlate;
  always_comb begin
    xlate = '0;
    xlate.cause = cause;
    if (cause == gmmu_pkg::CAUSE_OK) begin
      xlate.lg      = big & LargeAnswers != 0;
      xlate.no_fill = ext_i & pte_i[8] & !big;
      xlate.perm    = {pte_i[7], pte_i[4], pte_i[3], pte_i[2], pte_i[1]};
      xlate.pfn     = pfn_q;
    end
  end
  assign xlate_o = xlate;
endmodule
`default_nettype wire
