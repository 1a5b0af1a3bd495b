// SPDX-License-Identifier: Apache-2.0
// gmmu_l2tlb_fill: what a walk that ends in stage B fills: the arrays, the bypass cache, nothing.
// What it brings is looked at in stage A, the cycle before; that its miss register is stale, and
// the token, are known in B. Rules: docs/l2_tlb.md, docs/fill_tokens.md.
//
// A walk may answer early (no fill yet), and later fill its run (nobody waits any more).
`default_nettype none
module gmmu_l2tlb_fill #(
  parameter int PfnW          = 36,
  parameter int Entries       = 512,
  parameter int LargeEntries  = 256,
  parameter int FillTokens    = 0,
  parameter int BypassEntries = 0,
  localparam int XlateW = gmmu_pkg::XLATE_FIXED_W + PfnW
) (
  input  logic              clk_i,
  // stage A
  input  logic [XlateW-1:0] xlate_i,
  input  logic [gmmu_pkg::RUN_W-1:0] run_i,
  input  logic [8:0]        page_i,       // of the request, in its frame
  output logic [7:0]        a_fill_o,     // {run of subregions, LG, first, last of them}
  // stage B
  input  logic              fin_i,
  input  logic              stale_i,
  input  logic              token_i,
  output logic              any_o,        // it is good for a fill
  output logic              may_o,        // the warp may fill the arrays
  output logic              base_o,       // base or unified array
  output logic              large_o,
  output logic              bypass_o,
  output logic              sub_o,        // a run of subregions ...
  output logic [2:0]        start_o,
  output logic [2:0]        len_o,        // ... subregions - 1
  // PFN of the first page of what is filled. A large translation comes with its frame's, any other
  // with that of the requested page.
  output logic [PfnW-1:0]   first_pfn_o
);
  localparam int AsidW = 1;   // of the types; no ASID here
  `include "gmmu_types.svh"
  xlate_t     xlate;
  logic       early, run_only, sub, a_sub;
  logic [2:0] start, len, a_start;
  logic [8:0] in_run;
  assign xlate = xlate_i;
  assign {early, run_only, sub, start, len} = run_i;

  logic good_q, large_q;
  always_ff @(posedge clk_i) begin
    good_q      <= !xlate.no_fill & xlate.cause == gmmu_pkg::CAUSE_OK & !early & (!run_only | sub);
    large_q     <= xlate.lg & LargeEntries != 0;
    sub_o       <= a_sub;
    start_o     <= a_start;
    len_o       <= xlate.lg ? 3'd7 : len;
    first_pfn_o <= xlate.lg | !sub ? xlate.pfn : xlate.pfn - PfnW'(in_run);
  end
  assign a_sub    = xlate.lg | sub;
  assign a_start  = xlate.lg ? 3'd0 : start;
  assign a_fill_o = {a_sub, xlate.lg, a_start, xlate.lg ? 3'd7 : start + len};
  assign in_run   = page_i - {start, 6'd0};
  assign any_o    = fin_i & good_q & !stale_i;
  // Who may fill the arrays; what others bring goes to the bypass cache.
  assign may_o    = FillTokens == 0 | token_i;
  assign bypass_o = any_o & !may_o & BypassEntries != 0;
  assign large_o  = any_o & may_o & large_q;
  assign base_o   = any_o & may_o & !large_q & Entries != 0;
endmodule
`default_nettype wire
