// SPDX-License-Identifier: Apache-2.0
// gmmu_sm_exec: what an instruction computes in its cycle (lanes, across lanes, CSRs) and the
// register before the register file's write port. Divisions and memory are elsewhere.
//
// first_i: an instruction is here, in its first cycle; wr_i: it writes its rd. taken_o, sum_o:
// branches that are taken, addresses, in the same cycle; wb_*: a cycle later.
`default_nettype none
module gmmu_sm_exec #(
  parameter int Lanes = 32,
  parameter int WarpW = 5
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  input  logic                first_i,
  input  logic                wr_i,
  input  logic [WarpW-1:0]    warp_i,
  input  logic [Lanes-1:0]    mask_i,
  input  logic [31:0]         pc_i,
  input  logic [31:0]         ir_i,
  input  logic [3:0]          unit_i,
  input  logic [Lanes*32-1:0] a_i,
  input  logic [Lanes*32-1:0] b_i,
  input  logic [31:0]         count_i,    // instructions of the warp before this one
  input  logic [4:0]          index_i,    // of the warp in its block
  input  logic [31:0]         block_i,
  input  logic [31:0]         warps_i,
  input  logic [31:0]         blocks_i,
  output logic [Lanes-1:0]    taken_o,
  output logic [Lanes*32-1:0] sum_o,
  output logic                wb_valid_o,
  output logic [WarpW-1:0]    wb_warp_o,
  output logic [4:0]          wb_rd_o,
  output logic [Lanes-1:0]    wb_mask_o,
  output logic [Lanes*32-1:0] wb_data_o
);
  `include "gmmu_sm_ops.svh"
  logic [63:0]         cycle_q;
  logic [31:0]         csr;
  logic [Lanes*32-1:0] alu, vote, res;
  gmmu_sm_alu #(.Lanes(Lanes)) u_alu (
    .ir_i, .unit_i(first_i ? unit_i : U_FENCE), .pc_i, .a_i, .b_i, .res_o(alu), .taken_o, .sum_o
  );
  gmmu_sm_vote #(.Lanes(Lanes)) u_vote (
    .en_i(first_i && unit_i == U_VOTE), .ir_i, .mask_i, .a_i, .b_i, .res_o(vote)
  );
  always_comb begin
    case (ir_i[31:20])
      12'hc00: csr = cycle_q[31:0];
      12'hc80: csr = cycle_q[63:32];
      12'hc02: csr = count_i;
      12'hcc1: csr = {27'd0, index_i};
      12'hcc2: csr = block_i;
      12'hcc3: csr = warps_i;
      12'hcc4: csr = blocks_i;
      default: csr = 32'(warp_i);
    endcase
  end
  always_comb begin
    res = alu;
    if (unit_i == U_VOTE) res = vote;
    if (unit_i == U_CSR) for (int l = 0; l < Lanes; l++) res[l*32 +: 32] = ir_i[31:20] == 12'hcc0 ?
        32'(l) : csr;
  end

  always_ff @(posedge clk_i) begin
    wb_valid_o <= rst_ni && first_i && wr_i;
    if (first_i && wr_i) begin
      wb_warp_o <= warp_i;
      wb_rd_o   <= ir_i[11:7];
      wb_mask_o <= mask_i;
      wb_data_o <= res;
    end
    if (!rst_ni) cycle_q <= 64'd0;
    else cycle_q <= cycle_q + 64'd1;
  end
endmodule
`default_nettype wire
