// SPDX-License-Identifier: Apache-2.0
// gmmu_l2tlb_init: which sets of the L2 TLB's set-associative array have been filled: what a set
// keeps means something once its bit is set, so that only one bit a set is reset. TlbParity=1: kept
// twice, the second time inverted; what differs is not filled. Rules: docs/l2_tlb.md. Legal: Sets a
// power of two >= 2.
`default_nettype none
module gmmu_l2tlb_init #(
  parameter int Sets      = 64,
  parameter int TlbParity = 0,
  localparam int SetW     = gmmu_pkg::idx_w(Sets)
) (
  input  logic            clk_i,
  input  logic            rst_ni,
  input  logic            flush_i,  // none is
  input  logic            fill_i,   // set_i, from the next cycle on
  input  logic [SetW-1:0] set_i,
  output logic [Sets-1:0] init_o
);
  logic [Sets-1:0] init_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni | flush_i) init_q <= '0;
    else if (fill_i) init_q[set_i] <= 1'b1;
  end
  if (TlbParity != 0) begin : gen_twice
    (* keep *) logic [Sets-1:0] blank_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni | flush_i) blank_q <= '1;
      else if (fill_i) blank_q[set_i] <= 1'b0;
    end
    assign init_o = init_q & ~blank_q;
  end else begin : gen_once
    assign init_o = init_q;
  end
endmodule
`default_nettype wire
