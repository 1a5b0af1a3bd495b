// SPDX-License-Identifier: Apache-2.0
// gmmu_l1tlb_answer: answer register of an L1 TLB, and behind it the check of permissions, which
// each requester has of his own: the array lookup has the cycle before for itself.
//
// A hit's entry is given in the cycle in which it is offered (hit_...), all else is loaded before.
// What is loaded in cycle t is offered in t+1 until it is taken. adv_o: the register is free or is
// being taken. rsp_ready_i goes to adv_o; nothing else is combinational from inputs to outputs.
`default_nettype none
module gmmu_l1tlb_answer #(
  parameter int PfnW = 36,
  parameter int TagW = 8,
  parameter int Colt = 0
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  output logic                 adv_o,
  input  logic                 take_i,      // what follows is taken; only with adv_o
  input  logic                 load_i,      // and is an answer; only with take_i
  input  logic [TagW-1:0]      tag_i,
  input  logic [1:0]           access_i,
  input  logic                 user_i,
  input  logic [11:0]          off_i,
  input  logic                 sum_i,
  input  logic                 mxr_i,
  input  logic [4:0]           cause_i,     // before the check
  input  logic                 large_i,
  input  logic                 given_i,     // perm_i and pfn_i are its translation, else a hit
  input  logic [gmmu_pkg::PERM_W-1:0] perm_i,
  input  logic [PfnW-1:0]      pfn_i,       // of a large hit: page in its frame
  input  logic [1:0]           add_i,       // Colt: page in its group, added to the PFN
  // perm_i and pfn_i, from the next cycle on
  output logic [gmmu_pkg::PERM_W-1:0] perm_o,
  output logic [PfnW-1:0]      pfn_o,
  // of what was hit, while it is offered
  input  logic [gmmu_pkg::PERM_W-1:0] hit_perm_i,
  input  logic [PfnW-1:0]      hit_pfn_i,
  // to the SM
  output logic                 rsp_valid_o,
  input  logic                 rsp_ready_i,
  output logic [TagW-1:0]      rsp_tag_o,
  output logic [PfnW+11:0]     rsp_pa_o,
  output logic [4:0]           rsp_cause_o,
  output logic                 rsp_large_o
);
  logic              rsp_valid_q, user_q, sum_q, mxr_q, large_q, given_q;
  logic [TagW-1:0]   tag_q;
  logic [4:0]        cause_q, cause;
  logic [gmmu_pkg::PERM_W-1:0] perm_q, perm;
  logic [1:0]        access_q, add_q;
  logic [PfnW-1:0]   pfn_q, pfn;
  logic [11:0]       off_q;
  assign adv_o = !rsp_valid_q | rsp_ready_i;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) rsp_valid_q <= 1'b0;
    else if (adv_o) rsp_valid_q <= load_i;
  end
  always_ff @(posedge clk_i) begin
    if (take_i) begin
      tag_q    <= tag_i;
      access_q <= access_i;
      user_q   <= user_i;
      off_q    <= off_i;
      sum_q    <= sum_i;
      mxr_q    <= mxr_i;
      cause_q  <= cause_i;
      large_q  <= large_i;
      given_q  <= given_i;
      perm_q   <= perm_i;
      pfn_q    <= pfn_i;
    end
  end
  if (Colt != 0) begin : gen_group
    always_ff @(posedge clk_i) if (take_i) add_q <= add_i;
  end else begin : gen_no_group
    assign add_q = 2'd0;
  end
  assign perm_o = perm_q;
  assign pfn_o  = pfn_q;
  assign perm  = given_q ? perm_q : hit_perm_i;
  assign pfn   = given_q ? pfn_q : hit_pfn_i | (large_q ? PfnW'(pfn_q[8:0]) : '0);
  assign cause = (cause_q != gmmu_pkg::CAUSE_OK) ? cause_q
                 : gmmu_pkg::check_access(perm, access_q, user_q, sum_q, mxr_q);
  assign rsp_valid_o = rsp_valid_q;
  assign rsp_tag_o   = tag_q;
  assign rsp_cause_o = cause;
  assign rsp_large_o = large_q & cause == gmmu_pkg::CAUSE_OK;
  assign rsp_pa_o    = (cause == gmmu_pkg::CAUSE_OK) ? {pfn + PfnW'(add_q), off_q} : '0;
endmodule
`default_nettype wire
