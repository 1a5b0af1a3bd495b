// SPDX-License-Identifier: Apache-2.0
// gmmu_pte_axi: the coalescer's PTE reads and writes as an AXI4 master: single beats of 8 bytes, one on its way at a time, no ID.
//
// AW and W are offered together and taken in any order. BREADY and RREADY are always 1; a response that is not OKAY is an error.
// docs/coalescer.md
`default_nettype none
module gmmu_pte_axi #(
  parameter int PaW = 48
) (
  input  logic           clk_i,
  input  logic           rst_ni,
  input  logic           req_valid_i,
  output logic           req_ready_o,
  input  logic           req_we_i,
  input  logic [PaW-1:0] req_addr_i,
  input  logic [63:0]    req_wdata_i,
  output logic           rsp_valid_o,
  output logic [63:0]    rsp_rdata_o,
  output logic           rsp_err_o,
  output logic           awvalid_o,
  input  logic           awready_i,
  output logic [PaW-1:0] awaddr_o,
  output logic           wvalid_o,
  input  logic           wready_i,
  output logic [63:0]    wdata_o,
  input  logic           bvalid_i,
  output logic           bready_o,
  input  logic [1:0]     bresp_i,
  output logic           arvalid_o,
  input  logic           arready_i,
  output logic [PaW-1:0] araddr_o,
  input  logic           rvalid_i,
  output logic           rready_o,
  input  logic [63:0]    rdata_i,
  input  logic [1:0]     rresp_i
);
  logic aw_q, w_q;   // the address, the data of this write is taken already
  assign arvalid_o   = req_valid_i & !req_we_i;
  assign awvalid_o   = req_valid_i & req_we_i & !aw_q;
  assign wvalid_o    = req_valid_i & req_we_i & !w_q;
  assign araddr_o    = req_addr_i;
  assign awaddr_o    = req_addr_i;
  assign wdata_o     = req_wdata_i;
  assign rready_o    = 1'b1;
  assign bready_o    = 1'b1;
  assign req_ready_o = req_we_i ? (aw_q | awready_i) & (w_q | wready_i) : arready_i;
  assign rsp_valid_o = rvalid_i | bvalid_i;
  assign rsp_rdata_o = rdata_i;
  assign rsp_err_o   = (rvalid_i ? rresp_i : bresp_i) != 2'b00;
  always_ff @(posedge clk_i) begin
    if (!rst_ni | (req_valid_i & req_ready_o)) begin
      aw_q <= 1'b0;
      w_q  <= 1'b0;
    end else begin
      aw_q <= aw_q | (awvalid_o & awready_i);
      w_q  <= w_q | (wvalid_o & wready_i);
    end
  end
endmodule
`default_nettype wire
