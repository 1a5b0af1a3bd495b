// SPDX-License-Identifier: Apache-2.0
// gmmu_walker_step: the answer that the walker decodes: taken from memory, or in a cycle without
// one from the walk cache; in the next cycle (first) its page is compared with the windows, in the
// one after it is decoded. One answer a cycle.
`default_nettype none
module gmmu_walker_step #(
  parameter int Walks          = 64,
  parameter int VfnW           = 36,
  parameter int PfnW           = 36,
  parameter int NumWindows     = 4,
  parameter int LargeAnswers   = 1,
  parameter int L2Unified      = 0,
`include "gmmu_mmu_options.svh"
  localparam int SlotW         = gmmu_pkg::idx_w(Walks),
  localparam int PageXlateW    = gmmu_pkg::XLATE_FIXED_W + PfnW
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  // answers
  input  logic              mem_valid_i,
  input  logic [SlotW-1:0]  mem_slot_i,
  input  logic [63:0]       mem_pte_i,
  input  logic              mem_err_i,
  input  logic              pwc_valid_i,
  input  logic [SlotW-1:0]  pwc_slot_i,
  input  logic [63:0]       pwc_pte_i,
  output logic              pwc_pop_o,
  // the one that is decoded two cycles later; in the next one, with its walk
  output logic              take_o,
  output logic [SlotW-1:0]  take_slot_o,
  output logic              first_o,
  output logic [SlotW-1:0]  first_slot_o,
  output logic              first_pointer_o,
  input  logic [1:0]        first_level_i,
  input  logic [1:0]        first_path_i,
  input  logic [VfnW-1:0]   first_vfn_i,
  output logic [PfnW-1:0]   first_page_o,
  output logic [8:0]        first_offset_o,
  // the one that is decoded
  output logic              valid_o,
  output logic [SlotW-1:0]  slot_o,
  output logic [63:0]       pte_o,
  output logic              err_o,
  output logic              cached_o,
  output logic              pointer_o,    // it is no leaf
  output logic              may_read_o,   // known early: only then does its walk read on
  // its walk
  input  logic [1:0]        level_i,
  input  logic [1:0]        path_i,
  input  logic              ext_i,
  input  logic [VfnW-1:0]   vfn_i,
  input  logic [1:0]        store_i,
  input  logic [NumWindows*PfnW-1:0] win_lo_i,
  input  logic [NumWindows*PfnW-1:0] win_hi_i,
  input  logic [NumWindows-1:0]      win_walk_i,
  input  logic [NumWindows-1:0]      win_data_i,
  // what it says (gmmu_pte_decode)
  output logic              update_o,
  output logic              update_d_o,
  output logic              next_o,
  output logic [PfnW-1:0]   next_pfn_o,
  output logic [8:0]        next_idx_o,
  output logic [1:0]        next_path_o,
  output logic [PageXlateW-1:0] xlate_o,
  output logic              whole_o
);
  logic             first_q, first_err_q, first_pwc_q, dec_q, dec_err_q, dec_pwc_q, take;
  logic [SlotW-1:0] first_slot_q, dec_slot_q;
  logic [63:0]      first_pte_q, dec_pte_q;
  logic [PfnW+9:0]  found, found_q;
  assign take      = mem_valid_i | pwc_valid_i;
  assign pwc_pop_o = pwc_valid_i & !mem_valid_i;
  assign take_o      = take;
  assign take_slot_o = mem_valid_i ? mem_slot_i : pwc_slot_i;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      first_q <= 1'b0;
      dec_q   <= 1'b0;
    end else begin
      first_q <= take;
      dec_q   <= first_q;
    end
  end
  always_ff @(posedge clk_i) begin
    if (take) begin
      first_slot_q <= take_slot_o;
      first_pte_q  <= mem_valid_i ? mem_pte_i : pwc_pte_i;
      first_err_q  <= mem_valid_i & mem_err_i;
      first_pwc_q  <= !mem_valid_i;
    end
    found_q <= found;
    if (first_q) begin
      dec_slot_q <= first_slot_q;
      dec_pte_q  <= first_pte_q;
      dec_err_q  <= first_err_q;
      dec_pwc_q  <= first_pwc_q;
    end
  end
  assign first_o         = first_q;
  assign first_slot_o    = first_slot_q;
  assign first_pointer_o = first_pte_q[3:1] == '0;
  assign valid_o  = dec_q;
  assign slot_o   = dec_slot_q;
  assign pte_o    = dec_pte_q;
  assign err_o    = dec_err_q;
  assign cached_o = dec_pwc_q;
  // All that is left out makes a fault of it, or ends the walk.
  assign pointer_o  = dec_pte_q[3:1] == '0;
  assign may_read_o = dec_q & !dec_err_q & dec_pte_q[0] & (pointer_o
      ? level_i != gmmu_pkg::LEVEL_4K
      : Svadu != 0 & path_i == gmmu_pkg::PATH_OWN &
        (!dec_pte_q[6] | (!dec_pte_q[7] & store_i != '0)));
  gmmu_pte_decode #(
`include "gmmu_mmu_options_pass.svh"
    .VfnW(VfnW), .PfnW(PfnW), .NumWindows(NumWindows), .LargeAnswers(LargeAnswers),
    .L2Unified(L2Unified)
  ) u_decode (
    .first_pte_i(first_pte_q), .first_err_i(first_err_q), .first_level_i, .first_path_i,
    .first_vfn_i, .win_lo_i, .win_hi_i, .win_walk_i, .win_data_i, .first_page_o, .first_offset_o,
    .first_o(found), .found_i(found_q),
    .pte_i(dec_pte_q), .level_i, .path_i, .ext_i, .vfn_i, .store_i, .update_o,
    .update_d_o, .next_o, .next_pfn_o, .next_idx_o, .next_path_o, .xlate_o, .whole_o
  );
endmodule
`default_nettype wire
