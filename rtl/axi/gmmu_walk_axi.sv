// SPDX-License-Identifier: Apache-2.0
// gmmu_walk_axi: the walker's PTE reads as an AXI4 read master: one burst for each read, ARID =
// walk slot, answers in any order.
//
// WalkDataW 64 to 512: one beat. 32: two beats, the low word is kept until the high one comes.
// LineAnswers=1 needs WalkDataW 512. Adds no cycle; RREADY is always 1; a response that is not OKAY
// is a memory error. docs/axi_port.md Svadu=1: updates of PTEs take their way
// through gmmu_walk_axi_updates.
`default_nettype none
module gmmu_walk_axi #(
`include "gmmu_axi_params.svh"
  localparam int SlotW = gmmu_pkg::idx_w(Walks),
  localparam int MemW  = LineAnswers != 0 ? 512 : 64
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             req_valid_i,
  output logic             req_ready_o,
  input  logic [PaW-1:0]   req_addr_i,
  input  logic [SlotW-1:0] req_id_i,
  input  logic             req_upd_i,       // an update: old becomes new
  input  logic [63:0]      req_old_i,
  input  logic [63:0]      req_new_i,
  output logic             rsp_valid_o,
  output logic [SlotW-1:0] rsp_id_o,
  output logic [MemW-1:0]  rsp_data_o,
  output logic             rsp_err_o,
  // to gmmu_pte_write: held until done
  output logic             up_valid_o,
  output logic [PaW-1:0]   up_addr_o,
  output logic [63:0]      up_old_o,
  output logic [63:0]      up_new_o,
  input  logic             up_done_i,
  input  logic             up_err_i,
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
  input  logic [WalkDataW-1:0] rdata_i,
  input  logic [1:0]       rresp_i,
  input  logic             rlast_i
);
  if (WalkDataW != 32 && WalkDataW != 64 && WalkDataW != 128 && WalkDataW != 256 &&
      WalkDataW != 512) begin : gen_bad_data
    gmmu_walk_axi_WalkDataW_must_be_32_to_512 u_bad();
  end
  if (LineAnswers != 0 && WalkDataW != 512) begin : gen_bad_line
    gmmu_walk_axi_LineAnswers_need_WalkDataW_512 u_bad();
  end

  logic             err;          // the update before this answer failed
  logic [SlotW-1:0] ar_id;
  logic [PaW-1:0]   ar_addr;
  if (Svadu != 0) begin : gen_updates
    gmmu_walk_axi_updates #(.Walks(Walks), .PaW(PaW)) u_updates (
      .clk_i, .rst_ni, .req_valid_i, .req_ready_o, .req_addr_i, .req_id_i, .req_upd_i, .req_old_i,
      .req_new_i, .up_valid_o, .up_addr_o, .up_old_o, .up_new_o, .up_done_i, .up_err_i,
      .arvalid_o, .arready_i, .arid_o(ar_id), .araddr_o(ar_addr), .rsp_valid_i(rsp_valid_o),
      .rsp_id_i(rid_i), .rsp_err_o(err)
    );
  end else begin : gen_no_updates
    logic unused_updates;
    assign unused_updates = ^{rst_ni, req_upd_i, req_old_i, req_new_i, up_done_i, up_err_i};
    assign {up_valid_o, up_addr_o, up_old_o, up_new_o} = '0;
    assign arvalid_o   = req_valid_i;
    assign req_ready_o = arready_i;
    assign ar_id       = req_id_i;
    assign ar_addr     = req_addr_i;
    assign err         = 1'b0;
  end
  assign arid_o      = ar_id;
  assign araddr_o    = LineAnswers != 0 ? {ar_addr[PaW-1:6], 6'd0} : ar_addr;
  assign arlen_o     = WalkDataW == 32 ? 8'd1 : 8'd0;
  assign arsize_o    = WalkDataW == 32 ? 3'd2 : LineAnswers != 0 ? 3'd6 : 3'd3;
  assign arburst_o   = 2'b01;
  assign rready_o    = 1'b1;
  assign rsp_valid_o = rvalid_i & rlast_i;
  assign rsp_id_o    = rid_i;

  if (WalkDataW == 32) begin : gen_32
    logic [32:0] low [0:Walks-1];    // {error, word}
    always_ff @(posedge clk_i) if (rvalid_i & !rlast_i) low[rid_i] <= {rresp_i != 2'b00, rdata_i};
    assign rsp_data_o = {rdata_i, low[rid_i][31:0]};
    assign rsp_err_o  = rresp_i != 2'b00 | low[rid_i][32] | err;
  end else if (WalkDataW == MemW) begin : gen_same
    logic unused_clk;
    assign unused_clk = clk_i;
    assign rsp_data_o = rdata_i;
    assign rsp_err_o  = rresp_i != 2'b00 | err;
  end else begin : gen_wide
    localparam int LaneW = $clog2(WalkDataW / 64);
    logic [LaneW-1:0] lane [0:Walks-1];
    always_ff @(posedge clk_i) if (arvalid_o & arready_i) lane[ar_id] <= ar_addr[3 +: LaneW];
    assign rsp_data_o = rdata_i[lane[rid_i]*64 +: 64];
    assign rsp_err_o  = rresp_i != 2'b00 | err;
  end
endmodule
`default_nettype wire
