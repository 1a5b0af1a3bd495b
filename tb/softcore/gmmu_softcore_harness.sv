// SPDX-License-Identifier: Apache-2.0
// gmmu_softcore_harness: two gmmu_simt cores, each with an I and a D port, in front of gmmu_axi
// with its protocol checkers.
// Port 0 and 1: I and D of core 0; 2 and 3: of core 1. Driven by tb/softcore/softcore_bench.cpp.
`default_nettype none
module gmmu_softcore_harness #(
  parameter int Svadu = 0,
  localparam int NumPorts = 4, AxiDataW = 64, AxiIdW = 4, AxiUserW = 8, PaW = 32, WalkDataW = 64,
      WalkIdW = 2, Axis = NumPorts
) (
  input  logic clk_i,
  input  logic rst_ni,
  output logic irq_o,
`include "tb/axi/gmmu_axi_memory_ports.svh"
  input  logic p_rlast_i,
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
      .clk_i, .rst_ni, .start_i(start_i[c]), .pc_i(pc_i[c*32 +: 32]), .arg_i(arg_i[c*32 +: 32]),
      .busy_o(busy_o[c]), .retired_o(retired_o[c]), .i_arvalid_o(i_arvalid[c]),
      .i_arready_i(arready[2*c]), .i_araddr_o(i_araddr[c*32 +: 32]), .i_rvalid_i(rvalid[2*c]),
      .i_rready_o(i_rready[c]), .i_rdata_i(rdata[2*c*64 +: 64]), .d_arvalid_o(d_arvalid[c]),
      .d_arready_i(arready[2*c+1]), .d_arid_o(d_arid[c*4 +: 4]), .d_araddr_o(d_araddr[c*32 +: 32]),
      .d_rvalid_i(rvalid[2*c+1]), .d_rready_o(d_rready[c]), .d_rid_i(rid[(2*c+1)*4 +: 4]),
      .d_rdata_i(rdata[(2*c+1)*64 +: 64]), .d_awvalid_o(d_awvalid[c]), .d_awready_i(awready[2*c+1]),
      .d_awid_o(d_awid[c*4 +: 4]), .d_awaddr_o(d_awaddr[c*32 +: 32]), .d_wvalid_o(d_wvalid[c]),
      .d_wready_i(wready[2*c+1]), .d_wdata_o(d_wdata[c*64 +: 64]), .d_wstrb_o(d_wstrb[c*8 +: 8]),
      .d_bvalid_i(bvalid[2*c+1]), .d_bready_o(d_bready[c])
    );
  end
  gmmu_axi_harness #(.NumPorts(NumPorts), .NumNative(0), .AxiAddrW(32), .L1BaseEntries(8),
      .L2Entries(64), .ResetMode(2), .Svadu(Svadu)) u_mmu (
    .clk_i, .rst_ni, .irq_o, .s_awvalid_i({d_awvalid[1], 1'b0, d_awvalid[0], 1'b0}),
    .s_awready_o(awready), .s_awid_i({d_awid[1*4 +: 4], 4'd0, d_awid[0*4 +: 4], 4'd0}),
    .s_awaddr_i({d_awaddr[1*32 +: 32], 32'd0, d_awaddr[0*32 +: 32], 32'd0}), .s_awlen_i(32'd0),
    .s_awsize_i({3'd2, 3'd3, 3'd2, 3'd3}), .s_awburst_i(8'b01010101), .s_awlock_i(4'd0),
    .s_awcache_i(16'd0), .s_awprot_i(12'd0), .s_awqos_i(16'd0), .s_awregion_i(16'd0),
    .s_awatop_i(24'd0), .s_awuser_i(32'd0), .s_awssid_i(16'd0),
    .s_wvalid_i({d_wvalid[1], 1'b0, d_wvalid[0], 1'b0}), .s_wready_o(wready),
    .s_wdata_i({d_wdata[1*64 +: 64], 64'd0, d_wdata[0*64 +: 64], 64'd0}),
    .s_wstrb_i({d_wstrb[1*8 +: 8], 8'd0, d_wstrb[0*8 +: 8], 8'd0}), .s_wlast_i(4'b1111),
    .s_wuser_i(32'd0), .s_bvalid_o(bvalid), .s_bready_i({d_bready[1], 1'b0, d_bready[0], 1'b0}),
    .s_bid_o(), .s_bresp_o(), .s_buser_o(),
    .s_arvalid_i({d_arvalid[1], i_arvalid[1], d_arvalid[0], i_arvalid[0]}), .s_arready_o(arready),
    .s_arid_i({d_arid[1*4 +: 4], 4'd0, d_arid[0*4 +: 4], 4'd0}),
    .s_araddr_i({d_araddr[1*32 +: 32], i_araddr[1*32 +: 32], d_araddr[0*32 +: 32],
    i_araddr[0*32 +: 32]}),
    .s_arlen_i(32'd0), .s_arsize_i({3'd2, 3'd3, 3'd2, 3'd3}), .s_arburst_i(8'b01010101),
    .s_arlock_i(4'd0), .s_arcache_i(16'd0), .s_arprot_i(12'd0), .s_arqos_i(16'd0),
    .s_arregion_i(16'd0), .s_aruser_i(32'd0), .s_arssid_i(16'd0), .s_rvalid_o(rvalid),
    .s_rready_i({d_rready[1], i_rready[1], d_rready[0], i_rready[0]}), .s_rid_o(rid),
    .s_rdata_o(rdata), .s_rresp_o(), .s_rlast_o(), .s_ruser_o(),
`include "tb/axi/gmmu_axi_memory_connect.svh"
`include "tb/axi/gmmu_axi_native_idle.svh"
`include "tb/axi/gmmu_axi_sched_idle.svh"
    .p_rlast_i, .errors_o
  );
endmodule
`default_nettype wire
