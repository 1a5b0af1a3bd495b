// SPDX-License-Identifier: Apache-2.0
// gmmu_l2tlb_marks: which miss registers of the L2 TLB an invalidation command hits. Part of
// gmmu_l2tlb_mshr.
//
// They are compared in the cycle before the mark (next_i), with the key of a register that is taken
// then as well: write_i says which (one-hot; whether it is then in use is for the caller to know),
// first_i whether key0_i or key1_i. marked_o: in the mark's cycle, 0 otherwise.
`default_nettype none
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
  input  logic [Mshrs*PageKeyW-1:0] keys_i,
  input  logic [Mshrs-1:0]          write_i,
  input  logic                      first_i,
  input  logic [PageKeyW-1:0]       key0_i,
  input  logic [PageKeyW-1:0]       key1_i,
  input  logic                      next_i,
  input  logic                      mark_i,
  input  logic [CmdW-1:0]           cmd_i,
  output logic [Mshrs-1:0]          marked_o
);
  localparam int PfnW = 36;   // of the types; no translation here
  `include "gmmu_types.svh"
  cmd_t cmd;
  assign cmd = cmd_i;

  // Of the registers, of key0, of key1.
  logic [(Mshrs+2)*PageKeyW-1:0] keys;
  logic [Mshrs+1:0]              match;
  assign keys = {key1_i, key0_i, keys_i};
  for (genvar i = 0; i < Mshrs + 2; i++) begin : gen_match
    logic [AsidW-1:0] asid;
    logic [VfnW-1:0]  vfn;
    assign asid     = keys[i*PageKeyW+KeyW +: AsidW];
    assign vfn      = keys[i*PageKeyW +: VfnW];
    assign match[i] = next_i ?
        gmmu_pkg::frame_match(MarkByAsid != 0, cmd.kind, 16'(cmd.asid), cmd.lo, cmd.hi,
            16'(asid), 36'($signed(vfn))) : 1'b0;
  end

  logic [Mshrs-1:0] mark_q, write_q;
  logic [1:0]       new_q;            // key0, key1
  logic             first_q;          // key0 was written
  for (genvar i = 0; i < Mshrs; i++) begin : gen_each
    assign marked_o[i] = !mark_i ? 1'b0 : !write_q[i] ? mark_q[i] : first_q ? new_q[0] : new_q[1];
  end
  always_ff @(posedge clk_i) begin
    write_q <= write_i;
    first_q <= first_i;
    mark_q  <= match[Mshrs-1:0];
    new_q   <= match[Mshrs +: 2];
  end
endmodule
`default_nettype wire
