// SPDX-License-Identifier: Apache-2.0
// gmmu_l1tlb_context: what the context of a request says of it before any TLB is asked: is its ASID
// one that is on, is its address canonical; combinational. Rules: docs/l1_tlb.md.
//
// sum_o and mxr_o are of asid_i, also when an answer and no request is at hand.
`default_nettype none
module gmmu_l1tlb_context #(
  parameter int NumAsids = 8,
  parameter int AsidW    = 9,
  parameter int VaW      = 48
) (
  input  logic [NumAsids*2-1:0] ctx_mode_i,
  input  logic [NumAsids-1:0]   ctx_sum_i,
  input  logic [NumAsids-1:0]   ctx_mxr_i,
  input  logic [AsidW-1:0]      asid_i,
  input  logic [63:0]           va_i,
  output logic                  fault_o,
  output logic [4:0]            cause_o,    // of the fault
  output logic                  sum_o,
  output logic                  mxr_o
);
  localparam int CtxW = gmmu_pkg::idx_w(NumAsids);
  logic [CtxW-1:0] ctx_idx;
  logic            ctx_in_range, ctx_on, canonical;
  logic [1:0]      mode;
  assign ctx_idx = CtxW'(asid_i);
  if ((1 << AsidW) > NumAsids) begin : gen_range
    assign ctx_in_range = asid_i < AsidW'(NumAsids);
  end else begin : gen_no_range
    assign ctx_in_range = 1'b1;
  end
  assign mode   = ctx_mode_i[ctx_idx*2 +: 2];
  assign sum_o  = ctx_sum_i[ctx_idx];
  assign mxr_o  = ctx_mxr_i[ctx_idx];
  assign ctx_on = ctx_in_range &
                  (mode == gmmu_pkg::MODE_SV39 | (mode == gmmu_pkg::MODE_SV48 & VaW == 48));
  assign canonical = (mode == gmmu_pkg::MODE_SV39) ? (va_i[63:38] == {26{va_i[38]}})
                                                   : (va_i[63:47] == {17{va_i[47]}});
  assign fault_o = !ctx_on | !canonical;
  assign cause_o = !ctx_on ? gmmu_pkg::CAUSE_UNKNOWN_ASID : gmmu_pkg::CAUSE_NON_CANONICAL;
endmodule
`default_nettype wire
