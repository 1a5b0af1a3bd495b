// SPDX-License-Identifier: Apache-2.0
// gmmu_native_harness: gmmu_axi with three native ports and no traffic on its AXI port, for native_bench.cpp: clients at native ports 0
// and 1, gmmu_page_merge with its client (g_*) at port 2. The other ports are those of gmmu_axi.
`default_nettype none
module gmmu_native_harness #(
  parameter int Lanes = 4,
  parameter int Parts = 0,
  localparam int PaW = 32,
  localparam int AsidW = 4,
  localparam int WarpW = 4,
  localparam int TagW = 4
) (
  input  logic clk_i,
  input  logic rst_ni,
  output logic irq_o,
  input  logic [1:0] n_req_valid_i,
  output logic [1:0] n_req_ready_o,
  input  logic [2*64-1:0] n_req_va_i,
  input  logic [2*TagW-1:0] n_req_tag_i,
  output logic [1:0] n_rsp_valid_o,
  input  logic [1:0] n_rsp_ready_i,
  output logic [2*TagW-1:0] n_rsp_tag_o,
  output logic [2*PaW-1:0] n_rsp_pa_o,
  output logic [2*5-1:0] n_rsp_cause_o,
  output logic [1:0] n_drop_o,
  input  logic [1:0] n_busy_i,
  input  logic g_valid_i,
  output logic g_ready_o,
  input  logic [Lanes-1:0] g_mask_i,
  input  logic [Lanes*64-1:0] g_va_i,
  output logic g_rsp_valid_o,
  input  logic g_rsp_ready_i,
  output logic g_rsp_last_o,
  output logic [Lanes-1:0] g_rsp_mask_o,
  output logic [Lanes*PaW-1:0] g_rsp_pa_o,
  output logic [Lanes*5-1:0] g_rsp_cause_o,
  output logic g_drop_o,
  input  logic g_busy_i,
  output logic w_arvalid_o,
  input  logic w_arready_i,
  output logic [1:0] w_arid_o,
  output logic [PaW-1:0] w_araddr_o,
  output logic [2:0] w_arsize_o,
  input  logic w_rvalid_i,
  output logic w_rready_o,
  input  logic [1:0] w_rid_i,
  input  logic [63:0] w_rdata_i,
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
  output logic [1:0] c_rresp_o
);
  logic             q_valid, q_ready, q_user, a_valid, a_ready, drop, busy;
  logic [63:0]      q_va;
  logic [1:0]       q_access;
  logic [AsidW-1:0] q_asid;
  logic [WarpW-1:0] q_warp, unused_warp;
  logic [TagW-1:0]  q_tag, a_tag;
  logic [PaW-1:0]   a_pa;
  logic [4:0]       a_cause;
  logic [2*WarpW-1:0] unused_warps;
  gmmu_page_merge #(.Lanes(Lanes), .PaW(PaW), .AsidW(AsidW), .WarpW(WarpW), .TagW(TagW), .Parts(Parts)) u_merge (
    .clk_i, .rst_ni, .s_valid_i(g_valid_i), .s_ready_o(g_ready_o), .s_mask_i(g_mask_i), .s_va_i(g_va_i), .s_access_i(2'd0),
    .s_user_i(1'b1), .s_asid_i({AsidW{1'b0}}), .s_warp_i({WarpW{1'b0}}), .m_valid_o(g_rsp_valid_o), .m_ready_i(g_rsp_ready_i),
    .m_last_o(g_rsp_last_o), .m_mask_o(g_rsp_mask_o), .m_pa_o(g_rsp_pa_o), .m_cause_o(g_rsp_cause_o),
    .req_valid_o(q_valid), .req_ready_i(q_ready), .req_va_o(q_va), .req_access_o(q_access), .req_user_o(q_user), .req_asid_o(q_asid),
    .req_warp_o(q_warp), .req_tag_o(q_tag), .rsp_valid_i(a_valid), .rsp_ready_o(a_ready), .rsp_tag_i(a_tag), .rsp_pa_i(a_pa),
    .rsp_cause_i(a_cause), .drop_i(drop), .busy_o(busy), .m_drop_o(g_drop_o), .m_busy_i(g_busy_i)
  );
  gmmu_axi #(
    .NumPorts(1), .NumNative(3), .AxiAddrW(40), .AxiUserW(8), .NativeTagW(TagW), .FaultEntries(4), .NumAsids(4), .AsidW(AsidW),
    .VaW(39), .PaW(PaW), .WarpW(WarpW), .L1BaseEntries(4), .L1LargeEntries(2), .L2Entries(16), .L2Ways(4), .L2LargeEntries(2),
    .Walks(4), .Coalescer(0), .PageCopy(0)
  ) u_dut (
    .clk_i, .rst_ni, .irq_o,
    .s_awvalid_i(1'b0), .s_awready_o(), .s_awid_i('0), .s_awaddr_i('0), .s_awlen_i('0), .s_awsize_i('0), .s_awburst_i('0),
    .s_awlock_i('0), .s_awcache_i('0), .s_awprot_i('0), .s_awqos_i('0), .s_awregion_i('0), .s_awatop_i('0), .s_awuser_i('0),
    .s_awssid_i('0), .s_wvalid_i(1'b0), .s_wready_o(), .s_wdata_i('0), .s_wstrb_i('0), .s_wlast_i('0), .s_wuser_i('0),
    .s_bvalid_o(), .s_bready_i(1'b1), .s_bid_o(), .s_bresp_o(), .s_buser_o(),
    .s_arvalid_i(1'b0), .s_arready_o(), .s_arid_i('0), .s_araddr_i('0), .s_arlen_i('0), .s_arsize_i('0), .s_arburst_i('0),
    .s_arlock_i('0), .s_arcache_i('0), .s_arprot_i('0), .s_arqos_i('0), .s_arregion_i('0), .s_aruser_i('0), .s_arssid_i('0),
    .s_rvalid_o(), .s_rready_i(1'b1), .s_rid_o(), .s_rdata_o(), .s_rresp_o(), .s_rlast_o(), .s_ruser_o(),
    .m_awvalid_o(), .m_awready_i(1'b0), .m_awid_o(), .m_awaddr_o(), .m_awlen_o(), .m_awsize_o(), .m_awburst_o(), .m_awlock_o(),
    .m_awcache_o(), .m_awprot_o(), .m_awqos_o(), .m_awregion_o(), .m_awatop_o(), .m_awuser_o(), .m_wvalid_o(), .m_wready_i(1'b0),
    .m_wdata_o(), .m_wstrb_o(), .m_wlast_o(), .m_wuser_o(), .m_bvalid_i(1'b0), .m_bready_o(), .m_bid_i('0), .m_bresp_i('0),
    .m_buser_i('0), .m_arvalid_o(), .m_arready_i(1'b0), .m_arid_o(), .m_araddr_o(), .m_arlen_o(), .m_arsize_o(), .m_arburst_o(),
    .m_arlock_o(), .m_arcache_o(), .m_arprot_o(), .m_arqos_o(), .m_arregion_o(), .m_aruser_o(), .m_rvalid_i(1'b0), .m_rready_o(),
    .m_rid_i('0), .m_rdata_i('0), .m_rresp_i('0), .m_rlast_i('0), .m_ruser_i('0),
    .n_req_valid_i({q_valid, n_req_valid_i}), .n_req_ready_o({q_ready, n_req_ready_o}), .n_req_va_i({q_va, n_req_va_i}),
    .n_req_access_i({q_access, 4'd0}), .n_req_user_i({q_user, 2'b11}), .n_req_asid_i({q_asid, {2*AsidW{1'b0}}}),
    .n_req_warp_i({q_warp, {2*WarpW{1'b0}}}), .n_req_tag_i({q_tag, n_req_tag_i}), .n_rsp_valid_o({a_valid, n_rsp_valid_o}),
    .n_rsp_ready_i({a_ready, n_rsp_ready_i}), .n_rsp_warp_o({unused_warp, unused_warps}), .n_rsp_tag_o({a_tag, n_rsp_tag_o}),
    .n_rsp_pa_o({a_pa, n_rsp_pa_o}), .n_rsp_cause_o({a_cause, n_rsp_cause_o}), .n_drop_o({drop, n_drop_o}), .n_busy_i({busy, n_busy_i}),
    .w_arvalid_o, .w_arready_i, .w_arid_o, .w_araddr_o, .w_arlen_o(), .w_arsize_o, .w_arburst_o(), .w_rvalid_i, .w_rready_o, .w_rid_i,
    .w_rdata_i, .w_rresp_i, .w_rlast_i,
    .p_awvalid_o(), .p_awready_i(1'b0), .p_awaddr_o(), .p_awlen_o(), .p_awlock_o(), .p_wvalid_o(), .p_wready_i(1'b0), .p_wdata_o(),
    .p_wlast_o(), .p_bvalid_i(1'b0), .p_bready_o(), .p_bresp_i('0), .p_arvalid_o(), .p_arready_i(1'b0), .p_araddr_o(), .p_arlen_o(),
    .p_arlock_o(), .p_rvalid_i(1'b0), .p_rready_o(), .p_rdata_i('0), .p_rresp_i('0),
    .c_awvalid_i, .c_awready_o, .c_awaddr_i, .c_wvalid_i, .c_wready_o, .c_wdata_i, .c_wstrb_i, .c_bvalid_o, .c_bready_i, .c_bresp_o,
    .c_arvalid_i, .c_arready_o, .c_araddr_i, .c_rvalid_o, .c_rready_i, .c_rdata_o, .c_rresp_o,
    .epoch_o(), .sched_apps_o(), .sched_quota_o(), .sched_timeout_o(), .sched_age_cap_o(), .app_misses_o()
  );
endmodule
`default_nettype wire
