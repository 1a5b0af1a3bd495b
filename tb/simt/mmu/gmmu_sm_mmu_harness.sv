// SPDX-License-Identifier: Apache-2.0
// gmmu_sm_mmu_harness: gmmu_sm in front of gmmu_axi with its protocol checkers. Ports m_*, w_*,
// p_*, c_* are gmmu_axi's, cfg_* and imem_* the core's. Driven by tb/simt/mmu/sm_mmu_bench.cpp.
`default_nettype none
module gmmu_sm_mmu_harness #(
  parameter int Warps = 32, LocalBytes = 1024, ScratchBytes = 16384, ImemWords = 16384,
      L1BaseEntries = 16, L2Entries = 64,
  localparam int NumPorts = 1, AxiDataW = 512, AxiIdW = 4, AxiUserW = 8, PaW = 32, WalkDataW = 64,
      WalkIdW = 2, Axis = NumPorts
) (
  input  logic clk_i,
  input  logic rst_ni,
  output logic irq_o,
`include "tb/axi/gmmu_axi_memory_ports.svh"
  input  logic p_rlast_i,
  input  logic imem_we_i,
  input  logic [$clog2(ImemWords)-1:0] imem_addr_i,
  input  logic [31:0] imem_wdata_i,
  input  logic cfg_we_i,
  input  logic [7:0] cfg_addr_i,
  input  logic [31:0] cfg_wdata_i,
  output logic [31:0] cfg_rdata_o,
  output logic busy_o,
  output logic t_valid_o,
  output logic [Warps-1:0] live_o,
  output logic [Warps-1:0] at_bar_o,
  output logic [Warps-1:0] mem_busy_o,
  output logic [31:0] errors_o
);
  logic awvalid, awready, wvalid, wready, wlast, bvalid, bready, arvalid, arready, rvalid, rready;
  logic [AxiIdW-1:0]  awid, bid, arid, rid;
  logic [31:0]        awaddr, araddr;
  logic [7:0]         awlen, arlen;
  logic [2:0]         awsize, arsize, awprot, arprot;
  logic [1:0]         awburst, arburst, bresp, rresp;
  logic [5:0]         awatop;
  logic [511:0]       wdata, rdata;
  logic [63:0]        wstrb;
  gmmu_sm #(.Warps(Warps), .LocalBytes(LocalBytes), .ScratchBytes(ScratchBytes),
      .ImemWords(ImemWords), .Mshrs(2**AxiIdW)) u_core (
    .clk_i, .rst_ni, .imem_we_i, .imem_addr_i, .imem_wdata_i, .cfg_we_i, .cfg_addr_i, .cfg_wdata_i,
    .cfg_rdata_o, .busy_o,
    .m_awvalid_o(awvalid), .m_awready_i(awready), .m_awid_o(awid), .m_awaddr_o(awaddr),
    .m_awlen_o(awlen), .m_awsize_o(awsize),
    .m_awburst_o(awburst), .m_awprot_o(awprot), .m_awatop_o(awatop), .m_wvalid_o(wvalid),
    .m_wready_i(wready), .m_wdata_o(wdata),
    .m_wstrb_o(wstrb), .m_wlast_o(wlast), .m_bvalid_i(bvalid), .m_bready_o(bready), .m_bid_i(bid),
    .m_bresp_i(bresp),
    .m_arvalid_o(arvalid), .m_arready_i(arready), .m_arid_o(arid), .m_araddr_o(araddr),
    .m_arlen_o(arlen), .m_arsize_o(arsize),
    .m_arburst_o(arburst), .m_arprot_o(arprot), .m_rvalid_i(rvalid), .m_rready_o(rready),
    .m_rid_i(rid), .m_rdata_i(rdata),
    .m_rresp_i(rresp), .t_valid_o, .t_warp_o(), .t_pc_o(), .t_ir_o(), .t_mask_o(), .t_wr_valid_o(),
    .t_wr_warp_o(), .t_wr_rd_o(),
    .t_wr_mask_o(), .t_wr_data_o(), .live_o, .at_bar_o, .mem_busy_o, .mshrs_o()
  );
  gmmu_axi_harness #(.NumPorts(1), .NumNative(0), .AxiAddrW(32), .AxiDataW(AxiDataW), .WBeats(1),
      .L1BaseEntries(L1BaseEntries),
    .L2Entries(L2Entries), .ResetMode(2)) u_mmu (
    .clk_i, .rst_ni, .irq_o, .s_awvalid_i(awvalid), .s_awready_o(awready), .s_awid_i(awid),
    .s_awaddr_i(awaddr), .s_awlen_i(awlen),
    .s_awsize_i(awsize), .s_awburst_i(awburst), .s_awlock_i(1'b0), .s_awcache_i(4'd0),
    .s_awprot_i(awprot), .s_awqos_i(4'd0),
    .s_awregion_i(4'd0), .s_awatop_i(awatop), .s_awuser_i(8'd0), .s_awssid_i(4'd0),
    .s_wvalid_i(wvalid), .s_wready_o(wready),
    .s_wdata_i(wdata), .s_wstrb_i(wstrb), .s_wlast_i(wlast), .s_wuser_i(8'd0), .s_bvalid_o(bvalid),
    .s_bready_i(bready), .s_bid_o(bid),
    .s_bresp_o(bresp), .s_buser_o(), .s_arvalid_i(arvalid), .s_arready_o(arready), .s_arid_i(arid),
    .s_araddr_i(araddr),
    .s_arlen_i(arlen), .s_arsize_i(arsize), .s_arburst_i(arburst), .s_arlock_i(1'b0),
    .s_arcache_i(4'd0), .s_arprot_i(arprot),
    .s_arqos_i(4'd0), .s_arregion_i(4'd0), .s_aruser_i(8'd0), .s_arssid_i(4'd0),
    .s_rvalid_o(rvalid), .s_rready_i(rready),
    .s_rid_o(rid), .s_rdata_o(rdata), .s_rresp_o(rresp), .s_rlast_o(), .s_ruser_o(),
`include "tb/axi/gmmu_axi_memory_connect.svh"
`include "tb/axi/gmmu_axi_native_idle.svh"
`include "tb/axi/gmmu_axi_sched_idle.svh"
    .p_rlast_i(1'b1), .errors_o
  );
endmodule
`default_nettype wire
