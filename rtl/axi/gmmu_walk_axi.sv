// SPDX-License-Identifier: Apache-2.0
// gmmu_walk_axi: the walker's PTE reads as an AXI4 read master: one burst for each read, ARID = walk slot, answers in any order.
//
// DataW 64 to 512: one beat. DataW 32: two beats, the low word is kept until the high one comes. LineAnswers=1 needs DataW 512.
// Adds no cycle; RREADY is always 1; a response that is not OKAY is a memory error. docs/axi_port.md
`default_nettype none
module gmmu_walk_axi #(
  parameter int PaW         = 48,
  parameter int Walks       = 64,
  parameter int DataW       = 64,
  parameter int LineAnswers = 0,
  localparam int SlotW = gmmu_pkg::idx_w(Walks),
  localparam int MemW  = LineAnswers != 0 ? 512 : 64
) (
  input  logic             clk_i,
  input  logic             req_valid_i,
  output logic             req_ready_o,
  input  logic [PaW-1:0]   req_addr_i,
  input  logic [SlotW-1:0] req_id_i,
  output logic             rsp_valid_o,
  output logic [SlotW-1:0] rsp_id_o,
  output logic [MemW-1:0]  rsp_data_o,
  output logic             rsp_err_o,
  output logic             arvalid_o,
  input  logic             arready_i,
  output logic [SlotW-1:0] arid_o,
  output logic [PaW-1:0]   araddr_o,
  output logic [7:0]       arlen_o,
  output logic [2:0]       arsize_o,
  output logic [1:0]       arburst_o,
  input  logic             rvalid_i,
  output logic             rready_o,
  input  logic [SlotW-1:0] rid_i,
  input  logic [DataW-1:0] rdata_i,
  input  logic [1:0]       rresp_i,
  input  logic             rlast_i
);
  if (DataW != 32 && DataW != 64 && DataW != 128 && DataW != 256 && DataW != 512) begin : gen_bad_data
    gmmu_walk_axi_DataW_must_be_32_to_512 u_bad();
  end
  if (LineAnswers != 0 && DataW != 512) begin : gen_bad_line
    gmmu_walk_axi_LineAnswers_need_DataW_512 u_bad();
  end

  assign arvalid_o   = req_valid_i;
  assign req_ready_o = arready_i;
  assign arid_o      = req_id_i;
  assign araddr_o    = LineAnswers != 0 ? {req_addr_i[PaW-1:6], 6'd0} : req_addr_i;
  assign arlen_o     = DataW == 32 ? 8'd1 : 8'd0;
  assign arsize_o    = DataW == 32 ? 3'd2 : LineAnswers != 0 ? 3'd6 : 3'd3;
  assign arburst_o   = 2'b01;
  assign rready_o    = 1'b1;
  assign rsp_valid_o = rvalid_i & rlast_i;
  assign rsp_id_o    = rid_i;

  if (DataW == 32) begin : gen_32
    logic [32:0] low [0:Walks-1];    // {error, word}
    always_ff @(posedge clk_i) if (rvalid_i & !rlast_i) low[rid_i] <= {rresp_i != 2'b00, rdata_i};
    assign rsp_data_o = {rdata_i, low[rid_i][31:0]};
    assign rsp_err_o  = rresp_i != 2'b00 | low[rid_i][32];
  end else if (DataW == MemW) begin : gen_same
    logic unused_clk;
    assign unused_clk = clk_i;
    assign rsp_data_o = rdata_i;
    assign rsp_err_o  = rresp_i != 2'b00;
  end else begin : gen_wide
    localparam int LaneW = $clog2(DataW / 64);
    logic [LaneW-1:0] lane [0:Walks-1];
    always_ff @(posedge clk_i) if (arvalid_o & arready_i) lane[req_id_i] <= req_addr_i[3 +: LaneW];
    assign rsp_data_o = rdata_i[lane[rid_i]*64 +: 64];
    assign rsp_err_o  = rresp_i != 2'b00;
  end
endmodule
`default_nettype wire
