// SPDX-License-Identifier: Apache-2.0
// gmmu_sm_system: the SIMT core of tb/simt behind gmmu_axi with its protocol checkers, one port of
// 512 bits. Driven by tb/simt/system/ap_bench.cpp: programs with plain pointers and with
// ActivePointers on the same core.
`default_nettype none
module gmmu_sm_system #(
  parameter int Warps = 32,
  parameter int Mshrs = 64,
  parameter int Slots = 8,    // of the port: bursts that may wait for a page
  localparam int NumPorts = 1, AxiDataW = 512, AxiIdW = $clog2(Mshrs), AxiUserW = 8, PaW = 32,
  localparam int WalkDataW = 64, WalkIdW = 3, Axis = NumPorts
) (
  input  logic clk_i,
  input  logic rst_ni,
  output logic irq_o,
`include "tb/axi/gmmu_axi_memory_ports.svh"
  input  logic               p_rlast_i,
  input  logic               imem_we_i,
  input  logic [13:0]        imem_addr_i,
  input  logic [31:0]        imem_wdata_i,
  input  logic               cfg_we_i,
  input  logic [7:0]         cfg_addr_i,
  input  logic [31:0]        cfg_wdata_i,
  output logic [31:0]        cfg_rdata_o,
  output logic               busy_o,
  output logic [Warps-1:0]   live_o,      // for the watchdog: who waits
  output logic [Warps-1:0]   at_bar_o,
  output logic [Warps-1:0]   mem_busy_o,
  output logic [Mshrs-1:0]   mshrs_o,
  output logic [31:0]        errors_o
);
  logic              k_awvalid, k_awready, k_wvalid, k_wready, k_wlast, k_bvalid, k_bready;
  logic              k_arvalid, k_arready, k_rvalid, k_rready;
  logic [AxiIdW-1:0] k_awid, k_bid, k_arid, k_rid;
  logic [31:0]       k_awaddr, k_araddr;
  logic [7:0]        k_awlen, k_arlen;
  logic [2:0]        k_awsize, k_awprot, k_arsize, k_arprot;
  logic [1:0]        k_awburst, k_arburst, k_bresp, k_rresp;
  logic [5:0]        k_awatop;
  logic [511:0]      k_wdata, k_rdata;
  logic [63:0]       k_wstrb;
  gmmu_sm #(.Warps(Warps), .Mshrs(Mshrs)) u_core (
    .clk_i, .rst_ni, .imem_we_i, .imem_addr_i, .imem_wdata_i, .cfg_we_i, .cfg_addr_i,
    .cfg_wdata_i, .cfg_rdata_o, .busy_o, .m_awvalid_o(k_awvalid), .m_awid_o(k_awid),
    .m_awaddr_o(k_awaddr), .m_awlen_o(k_awlen), .m_awsize_o(k_awsize), .m_awburst_o(k_awburst),
    .m_awprot_o(k_awprot), .m_awatop_o(k_awatop), .m_wvalid_o(k_wvalid), .m_wdata_o(k_wdata),
    .m_wstrb_o(k_wstrb), .m_wlast_o(k_wlast), .m_bready_o(k_bready), .m_arvalid_o(k_arvalid),
    .m_arid_o(k_arid), .m_araddr_o(k_araddr), .m_arlen_o(k_arlen), .m_arsize_o(k_arsize),
    .m_arburst_o(k_arburst), .m_arprot_o(k_arprot), .m_rready_o(k_rready),
    .m_awready_i(k_awready), .m_wready_i(k_wready), .m_bvalid_i(k_bvalid), .m_bid_i(k_bid),
    .m_bresp_i(k_bresp), .m_arready_i(k_arready), .m_rvalid_i(k_rvalid), .m_rid_i(k_rid),
    .m_rdata_i(k_rdata), .m_rresp_i(k_rresp), .t_valid_o(), .t_warp_o(), .t_pc_o(), .t_ir_o(),
    .t_mask_o(), .t_wr_valid_o(), .t_wr_warp_o(), .t_wr_rd_o(), .t_wr_mask_o(), .t_wr_data_o(),
    .live_o, .at_bar_o, .mem_busy_o, .mshrs_o
  );
  gmmu_axi_harness #(
    .NumPorts(1), .NumNative(0), .AxiAddrW(32), .AxiDataW(AxiDataW), .AxiIdW(AxiIdW), .Slots(Slots),
    .Outstanding(Mshrs), .L1BaseEntries(32), .L2Entries(256), .L2Ways(4), .L2Mshrs(16), .Walks(8),
    .FaultEntries(16)
  ) u_mmu (
    .clk_i, .rst_ni, .irq_o, .s_awvalid_i(k_awvalid), .s_awid_i(k_awid), .s_awaddr_i(k_awaddr),
    .s_awlen_i(k_awlen), .s_awsize_i(k_awsize), .s_awburst_i(k_awburst), .s_awlock_i(1'b0),
    .s_awcache_i(4'd0), .s_awprot_i(k_awprot), .s_awqos_i(4'd0), .s_awregion_i(4'd0),
    .s_awatop_i(k_awatop), .s_awuser_i(8'd0), .s_awssid_i(4'd0), .s_wvalid_i(k_wvalid),
    .s_wdata_i(k_wdata), .s_wstrb_i(k_wstrb), .s_wlast_i(k_wlast), .s_wuser_i(8'd0),
    .s_bready_i(k_bready), .s_arvalid_i(k_arvalid), .s_arid_i(k_arid), .s_araddr_i(k_araddr),
    .s_arlen_i(k_arlen), .s_arsize_i(k_arsize), .s_arburst_i(k_arburst), .s_arlock_i(1'b0),
    .s_arcache_i(4'd0), .s_arprot_i(k_arprot), .s_arqos_i(4'd0), .s_arregion_i(4'd0),
    .s_aruser_i(8'd0), .s_arssid_i(4'd0), .s_rready_i(k_rready), .s_awready_o(k_awready),
    .s_wready_o(k_wready), .s_bvalid_o(k_bvalid), .s_bid_o(k_bid), .s_bresp_o(k_bresp),
    .s_arready_o(k_arready), .s_rvalid_o(k_rvalid), .s_rid_o(k_rid), .s_rdata_o(k_rdata),
    .s_rresp_o(k_rresp), .s_buser_o(), .s_rlast_o(), .s_ruser_o(),
`include "tb/axi/gmmu_axi_memory_connect.svh"
`include "tb/axi/gmmu_axi_native_idle.svh"
`include "tb/axi/gmmu_axi_sched_idle.svh"
    .p_rlast_i(1'b1), .errors_o
  );
endmodule
`default_nettype wire
