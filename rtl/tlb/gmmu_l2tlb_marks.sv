// SPDX-License-Identifier: Apache-2.0
// gmmu_l2tlb_marks: which miss registers of the L2 TLB an invalidation command hits. Part of
// gmmu_l2tlb_pages.
//
// Pages are compared in the cycle before the mark (next_i): those of the registers; late0_i or
// late1_i (late_first_i) for the register that is being written, late_i, one-hot; key0_i and
// key1_i, of which one may be taken then, for write_i; and that of a walk whose end is in stage A.
// new_match_o: key0_i, key1_i, at once. In the mark's cycle, 0 otherwise: marked_o, without the
// register of write_i; new_marked_o, by key, of that; fin_marked_o.
`default_nettype none
`include "gmmu_assert.svh"
module gmmu_l2tlb_marks #(
  parameter int Mshrs      = 64,
  parameter int AsidW      = 9,
  parameter int VfnW       = 36,
  parameter int KeyW       = 36,
  parameter int MarkByAsid = 0,
  localparam int PageKeyW  = AsidW + KeyW,    // {ASID, walk key}
  localparam int CmdW      = gmmu_pkg::CMD_FIXED_W + AsidW
) (
  input  logic                      clk_i,
  input  logic                      rst_ni,
  input  logic [Mshrs*PageKeyW-1:0] keys_i,
  input  logic [Mshrs-1:0]          late_i,
  input  logic                      late_first_i,
  input  logic [PageKeyW-1:0]       late0_i,
  input  logic [PageKeyW-1:0]       late1_i,
  input  logic [Mshrs-1:0]          write_i,
  input  logic                      first_i,
  input  logic [PageKeyW-1:0]       key0_i,
  input  logic [PageKeyW-1:0]       key1_i,
  input  logic [PageKeyW-1:0]       fin_key_i,
  input  logic                      next_i,
  input  logic                      mark_i,      // the cycle after next_i
  input  logic [CmdW-1:0]           cmd_i,
  output logic [1:0]                new_match_o,
  output logic [Mshrs-1:0]          marked_o,
  output logic                      new_marked_o,
  output logic                      fin_marked_o
);
  localparam int PfnW = 36;   // of the types; no translation here
  `include "gmmu_types.svh"
  cmd_t cmd;
  assign cmd = cmd_i;

  // Of the registers, of late0, late1, key0, key1, of the walk that ends.
  logic [5*PageKeyW-1:0] more;
  logic [Mshrs+4:0]      match;
  logic                  late;
  assign more = {fin_key_i, key1_i, key0_i, late1_i, late0_i};
  for (genvar i = 0; i < Mshrs + 5; i++) begin : gen_match
    logic [AsidW-1:0] asid;
    logic [VfnW-1:0]  vfn;
    if (i < Mshrs) begin : gen_register
      assign asid = keys_i[i*PageKeyW+KeyW +: AsidW];
      assign vfn  = keys_i[i*PageKeyW +: VfnW];
    end else begin : gen_more
      assign asid = more[(i-Mshrs)*PageKeyW+KeyW +: AsidW];
      assign vfn  = more[(i-Mshrs)*PageKeyW +: VfnW];
    end
    assign match[i] = gmmu_pkg::frame_match(next_i, MarkByAsid != 0, cmd.kind, 16'(cmd.asid),
        cmd.lo, cmd.hi, 16'(asid), 36'($signed(vfn)));
  end

  assign new_match_o = match[Mshrs+3:Mshrs+2];
  assign late        = late_first_i ? match[Mshrs] : match[Mshrs+1];
  always_ff @(posedge clk_i) begin
    marked_o     <= ~write_i & ((late ? late_i : '0) | (match[Mshrs-1:0] & ~late_i));
    new_marked_o <= first_i ? new_match_o[0] : new_match_o[1];
    fin_marked_o <= match[Mshrs+4];
  end

  // What is found in a cycle is the mark's of the next one.
  logic next_q;
  always_ff @(posedge clk_i) next_q <= rst_ni & next_i;
  `GMMU_ASSERT(l2tlb_mark_after_its_search, mark_i == next_q)
endmodule
`default_nettype wire
