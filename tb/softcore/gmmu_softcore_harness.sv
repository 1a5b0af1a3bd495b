// SPDX-License-Identifier: Apache-2.0
// gmmu_softcore_harness: two gmmu_simt cores, each with an I and a D port, in front of gmmu_axi with its protocol checkers.
// Port 0 and 1: I and D of core 0; 2 and 3: of core 1. Driven by tb/softcore/softcore_bench.cpp.
`default_nettype none
module gmmu_softcore_harness #(
  localparam int NumPorts = 4, AxiDataW = 64, AxiIdW = 4, AxiUserW = 8, PaW = 32, WalkDataW = 64, WalkIdW = 2
) (
  input  logic clk_i,
  input  logic rst_ni,
  output logic irq_o,
  output logic [NumPorts-1:0] m_awvalid_o,
  input  logic [NumPorts-1:0] m_awready_i,
  output logic [NumPorts*AxiIdW-1:0] m_awid_o,
  output logic [NumPorts*PaW-1:0] m_awaddr_o,
  output logic [NumPorts*8-1:0] m_awlen_o,
  output logic [NumPorts*3-1:0] m_awsize_o,
  output logic [NumPorts*2-1:0] m_awburst_o,
  output logic [NumPorts-1:0] m_awlock_o,
  output logic [NumPorts*4-1:0] m_awcache_o,
  output logic [NumPorts*3-1:0] m_awprot_o,
  output logic [NumPorts*4-1:0] m_awqos_o,
  output logic [NumPorts*4-1:0] m_awregion_o,
  output logic [NumPorts*6-1:0] m_awatop_o,
  output logic [NumPorts*AxiUserW-1:0] m_awuser_o,
  output logic [NumPorts-1:0] m_wvalid_o,
  input  logic [NumPorts-1:0] m_wready_i,
  output logic [NumPorts*AxiDataW-1:0] m_wdata_o,
  output logic [NumPorts*(AxiDataW/8)-1:0] m_wstrb_o,
  output logic [NumPorts-1:0] m_wlast_o,
  output logic [NumPorts*AxiUserW-1:0] m_wuser_o,
  input  logic [NumPorts-1:0] m_bvalid_i,
  output logic [NumPorts-1:0] m_bready_o,
  input  logic [NumPorts*AxiIdW-1:0] m_bid_i,
  input  logic [NumPorts*2-1:0] m_bresp_i,
  input  logic [NumPorts*AxiUserW-1:0] m_buser_i,
  output logic [NumPorts-1:0] m_arvalid_o,
  input  logic [NumPorts-1:0] m_arready_i,
  output logic [NumPorts*AxiIdW-1:0] m_arid_o,
  output logic [NumPorts*PaW-1:0] m_araddr_o,
  output logic [NumPorts*8-1:0] m_arlen_o,
  output logic [NumPorts*3-1:0] m_arsize_o,
  output logic [NumPorts*2-1:0] m_arburst_o,
  output logic [NumPorts-1:0] m_arlock_o,
  output logic [NumPorts*4-1:0] m_arcache_o,
  output logic [NumPorts*3-1:0] m_arprot_o,
  output logic [NumPorts*4-1:0] m_arqos_o,
  output logic [NumPorts*4-1:0] m_arregion_o,
  output logic [NumPorts*AxiUserW-1:0] m_aruser_o,
  input  logic [NumPorts-1:0] m_rvalid_i,
  output logic [NumPorts-1:0] m_rready_o,
  input  logic [NumPorts*AxiIdW-1:0] m_rid_i,
  input  logic [NumPorts*AxiDataW-1:0] m_rdata_i,
  input  logic [NumPorts*2-1:0] m_rresp_i,
  input  logic [NumPorts-1:0] m_rlast_i,
  input  logic [NumPorts*AxiUserW-1:0] m_ruser_i,
  output logic w_arvalid_o,
  input  logic w_arready_i,
  output logic [WalkIdW-1:0] w_arid_o,
  output logic [PaW-1:0] w_araddr_o,
  output logic [7:0] w_arlen_o,
  output logic [2:0] w_arsize_o,
  output logic [1:0] w_arburst_o,
  input  logic w_rvalid_i,
  output logic w_rready_o,
  input  logic [WalkIdW-1:0] w_rid_i,
  input  logic [WalkDataW-1:0] w_rdata_i,
  input  logic [1:0] w_rresp_i,
  input  logic w_rlast_i,
  input  logic c_awvalid_i,
  output logic c_awready_o,
  input  logic [12:0] c_awaddr_i,
  input  logic c_wvalid_i,
  output logic c_wready_o,
  input  logic [31:0] c_wdata_i,
  input  logic [3:0] c_wstrb_i,
  output logic c_bvalid_o,
  input  logic c_bready_i,
  output logic [1:0] c_bresp_o,
  input  logic c_arvalid_i,
  output logic c_arready_o,
  input  logic [12:0] c_araddr_i,
  output logic c_rvalid_o,
  input  logic c_rready_i,
  output logic [31:0] c_rdata_o,
  output logic [1:0] c_rresp_o,
  input  logic [1:0]  start_i,
  input  logic [63:0] pc_i,
  input  logic [63:0] arg_i,
  output logic [1:0]  busy_o,
  output logic [1:0]  retired_o,
  output logic [31:0] errors_o
);
  logic [1:0]   i_arvalid, i_rready, d_arvalid, d_rready, d_awvalid, d_wvalid, d_bready;
  logic [63:0]  i_araddr, d_araddr, d_awaddr;
  logic [7:0]   d_arid, d_awid;
  logic [127:0] d_wdata;
  logic [15:0]  d_wstrb, rid;
  logic [3:0]   awready, wready, bvalid, arready, rvalid;
  logic [255:0] rdata;
  for (genvar c = 0; c < 2; c++) begin : gen_core
    gmmu_simt u_core (
      .clk_i, .rst_ni, .start_i(start_i[c]), .pc_i(pc_i[c*32 +: 32]), .arg_i(arg_i[c*32 +: 32]), .busy_o(busy_o[c]), .retired_o(retired_o[c]),
      .i_arvalid_o(i_arvalid[c]), .i_arready_i(arready[2*c]), .i_araddr_o(i_araddr[c*32 +: 32]), .i_rvalid_i(rvalid[2*c]),
      .i_rready_o(i_rready[c]), .i_rdata_i(rdata[2*c*64 +: 64]),
      .d_arvalid_o(d_arvalid[c]), .d_arready_i(arready[2*c+1]), .d_arid_o(d_arid[c*4 +: 4]), .d_araddr_o(d_araddr[c*32 +: 32]),
      .d_rvalid_i(rvalid[2*c+1]), .d_rready_o(d_rready[c]), .d_rid_i(rid[(2*c+1)*4 +: 4]), .d_rdata_i(rdata[(2*c+1)*64 +: 64]),
      .d_awvalid_o(d_awvalid[c]), .d_awready_i(awready[2*c+1]), .d_awid_o(d_awid[c*4 +: 4]), .d_awaddr_o(d_awaddr[c*32 +: 32]),
      .d_wvalid_o(d_wvalid[c]), .d_wready_i(wready[2*c+1]), .d_wdata_o(d_wdata[c*64 +: 64]), .d_wstrb_o(d_wstrb[c*8 +: 8]),
      .d_bvalid_i(bvalid[2*c+1]), .d_bready_o(d_bready[c])
    );
  end
  gmmu_axi_harness #(.NumPorts(NumPorts), .NumNative(0), .AxiAddrW(32), .L1BaseEntries(8), .L2Entries(64), .ResetMode(2)) u_mmu (
    .clk_i, .rst_ni, .irq_o, .s_awvalid_i({d_awvalid[1], 1'b0, d_awvalid[0], 1'b0}), .s_awready_o(awready), .s_awid_i({d_awid[1*4 +:
    4], 4'd0, d_awid[0*4 +: 4], 4'd0}), .s_awaddr_i({d_awaddr[1*32 +: 32], 32'd0, d_awaddr[0*32 +: 32], 32'd0}), .s_awlen_i(32'd0),
    .s_awsize_i({3'd2, 3'd3, 3'd2, 3'd3}), .s_awburst_i(8'b01010101), .s_awlock_i(4'd0), .s_awcache_i(16'd0), .s_awprot_i(12'd0),
    .s_awqos_i(16'd0), .s_awregion_i(16'd0), .s_awatop_i(24'd0), .s_awuser_i(32'd0), .s_awssid_i(16'd0), .s_wvalid_i({d_wvalid[1],
    1'b0, d_wvalid[0], 1'b0}), .s_wready_o(wready), .s_wdata_i({d_wdata[1*64 +: 64], 64'd0, d_wdata[0*64 +: 64], 64'd0}),
    .s_wstrb_i({d_wstrb[1*8 +: 8], 8'd0, d_wstrb[0*8 +: 8], 8'd0}), .s_wlast_i(4'b1111), .s_wuser_i(32'd0), .s_bvalid_o(bvalid),
    .s_bready_i({d_bready[1], 1'b0, d_bready[0], 1'b0}), .s_bid_o(), .s_bresp_o(), .s_buser_o(), .s_arvalid_i({d_arvalid[1],
    i_arvalid[1], d_arvalid[0], i_arvalid[0]}), .s_arready_o(arready), .s_arid_i({d_arid[1*4 +: 4], 4'd0, d_arid[0*4 +: 4], 4'd0}),
    .s_araddr_i({d_araddr[1*32 +: 32], i_araddr[1*32 +: 32], d_araddr[0*32 +: 32], i_araddr[0*32 +: 32]}), .s_arlen_i(32'd0),
    .s_arsize_i({3'd2, 3'd3, 3'd2, 3'd3}), .s_arburst_i(8'b01010101), .s_arlock_i(4'd0), .s_arcache_i(16'd0), .s_arprot_i(12'd0),
    .s_arqos_i(16'd0), .s_arregion_i(16'd0), .s_aruser_i(32'd0), .s_arssid_i(16'd0), .s_rvalid_o(rvalid), .s_rready_i({d_rready[1],
    i_rready[1], d_rready[0], i_rready[0]}), .s_rid_o(rid), .s_rdata_o(rdata), .s_rresp_o(), .s_rlast_o(), .s_ruser_o(),
    .m_awvalid_o, .m_awready_i, .m_awid_o, .m_awaddr_o, .m_awlen_o, .m_awsize_o, .m_awburst_o, .m_awlock_o, .m_awcache_o,
    .m_awprot_o, .m_awqos_o, .m_awregion_o, .m_awatop_o, .m_awuser_o, .m_wvalid_o, .m_wready_i, .m_wdata_o, .m_wstrb_o, .m_wlast_o,
    .m_wuser_o, .m_bvalid_i, .m_bready_o, .m_bid_i, .m_bresp_i, .m_buser_i, .m_arvalid_o, .m_arready_i, .m_arid_o, .m_araddr_o,
    .m_arlen_o, .m_arsize_o, .m_arburst_o, .m_arlock_o, .m_arcache_o, .m_arprot_o, .m_arqos_o, .m_arregion_o, .m_aruser_o,
    .m_rvalid_i, .m_rready_o, .m_rid_i, .m_rdata_i, .m_rresp_i, .m_rlast_i, .m_ruser_i, .n_req_valid_i(1'b0), .n_req_ready_o(),
    .n_req_va_i(64'd0), .n_req_access_i(2'd0), .n_req_user_i(1'b0), .n_req_asid_i(4'd0), .n_req_warp_i(4'd0), .n_req_tag_i(4'd0),
    .n_rsp_valid_o(), .n_rsp_ready_i(1'b0), .n_rsp_warp_o(), .n_rsp_tag_o(), .n_rsp_pa_o(), .n_rsp_cause_o(), .w_arvalid_o,
    .w_arready_i, .w_arid_o, .w_araddr_o, .w_arlen_o, .w_arsize_o, .w_arburst_o, .w_rvalid_i, .w_rready_o, .w_rid_i, .w_rdata_i,
    .w_rresp_i, .w_rlast_i, .c_awvalid_i, .c_awready_o, .c_awaddr_i, .c_wvalid_i, .c_wready_o, .c_wdata_i, .c_wstrb_i, .c_bvalid_o,
    .c_bready_i, .c_bresp_o, .c_arvalid_i, .c_arready_o, .c_araddr_i, .c_rvalid_o, .c_rready_i, .c_rdata_o, .c_rresp_o,
    .errors_o(errors_o)
  );
endmodule
`default_nettype wire
