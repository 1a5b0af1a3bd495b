// SPDX-License-Identifier: Apache-2.0
// gmmu_l1tlb_key: what the arrays of an L1 TLB look for: the page of an MSHR that is answered or of
// the head of the parked list (held_i, a register), else that of the request.
//
// The choice is a register, and so many entries compare the key that it exists in copies, each for
// a part of them. Synthesis would make one register of them again; each stands behind a clock gate
// of its own, which is always open. Legal: Copies >= 1.
`default_nettype none
module gmmu_l1tlb_key #(
  parameter int AsidW  = 9,
  parameter int VfnW   = 36,
  parameter int Copies = 1
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  input  logic                    held_next_i,   // in the next cycle that of the register
  input  logic [AsidW-1:0]        held_asid_i,
  input  logic [VfnW-1:0]         held_vfn_i,
  input  logic [AsidW-1:0]        req_asid_i,
  input  logic [VfnW-1:0]         req_vfn_i,
  output logic                    held_o,
  output logic [Copies*AsidW-1:0] asid_o,
  output logic [Copies*VfnW-1:0]  vfn_o
);
  logic [Copies-1:0] held;
  logic              held_d;
  assign held_d = rst_ni & held_next_i;
  assign held_o = held[0];
  for (genvar c = 0; c < Copies; c++) begin : gen_copy
    gmmu_clkgate #(.Width(1)) u_held (.clk_i, .en_i(1'b1), .d_i(held_d), .q_o(held[c]));
    assign asid_o[c*AsidW +: AsidW] = held[c] ? held_asid_i : req_asid_i;
    assign vfn_o[c*VfnW +: VfnW]    = held[c] ? held_vfn_i : req_vfn_i;
  end
endmodule
`default_nettype wire
