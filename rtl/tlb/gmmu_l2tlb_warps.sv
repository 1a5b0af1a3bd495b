// SPDX-License-Identifier: Apache-2.0
// gmmu_l2tlb_warps: per miss register of the L2 TLB, the sum of the waiting warps that the L1s
// report. Rules and timing: docs/l2_tlb.md, "Waiting warps". Source: MASK section 5.4
// (WarpsStalled).
//
// One report a cycle is added; each SM has a register for one. Sums saturate at 63.
`default_nettype none
module gmmu_l2tlb_warps #(
  parameter int NumSms = 30,
  parameter int Mshrs  = 64,
  localparam int IdxW  = gmmu_pkg::idx_w(Mshrs),
  localparam int SmW   = gmmu_pkg::idx_w(NumSms)
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  input  logic [NumSms-1:0]      tell_valid_i,
  output logic [NumSms-1:0]      tell_ready_o,
  input  logic [NumSms*IdxW-1:0] tell_l2_i,
  input  logic [NumSms*6-1:0]    tell_warps_i,
  // does the SM of the report wait at this MSHR, and its walk has not returned?
  output logic [IdxW-1:0]        idx_o,
  output logic [SmW-1:0]         sm_o,
  input  logic                   counts_i,
  // the sum begins at 0
  input  logic                   alloc_i,
  input  logic [IdxW-1:0]        alloc_idx_i,
  // what was added, for observation
  output logic                   add_o,
  output logic [5:0]             warps_o,
  output logic [5:0]             sum_o
);
  logic [NumSms-1:0] full_q, hot;
  logic [IdxW+5:0]   report_q [0:NumSms-1];
  logic [5:0]        sum_q [0:Mshrs-1];
  logic [5:0]        old;
  logic [6:0]        sum;

  assign tell_ready_o = ~full_q;
  /* verilator lint_off PINCONNECTEMPTY */
  gmmu_rr_arb #(.N(NumSms)) u_serve (
    .clk_i, .rst_ni, .req_i(full_q), .take_i(add_o),
    .valid_o(add_o), .idx_o(sm_o)
  );
  /* verilator lint_on PINCONNECTEMPTY */
  assign {idx_o, warps_o} = report_q[sm_o];
  assign old   = sum_q[idx_o];
  assign sum   = {1'b0, old} + {1'b0, warps_o};
  assign sum_o = !counts_i ? old : sum[6] ? 6'd63 : sum[5:0];
  assign hot   = add_o ? NumSms'(1) << sm_o : '0;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) full_q <= '0;
    else full_q <= (full_q | tell_valid_i) & ~hot;
  end
  for (genvar s = 0; s < NumSms; s++) begin : gen_report
    always_ff @(posedge clk_i) begin
      if (tell_valid_i[s] & !full_q[s]) report_q[s] <=
          {tell_l2_i[s*IdxW +: IdxW], tell_warps_i[s*6 +: 6]};
    end
  end
  always_ff @(posedge clk_i) begin
    if (add_o) sum_q[idx_o] <= sum_o;
    if (alloc_i) sum_q[alloc_idx_i] <= '0;
  end
endmodule
`default_nettype wire
