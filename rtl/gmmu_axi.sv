// SPDX-License-Identifier: Apache-2.0
// gmmu_axi: the MMU as a drop-in block: NumPorts AXI4 bumps in the wire, NumNative translation
// ports, the walker as an AXI4 read master, registers behind AXI4-Lite, fault queue, interrupt.
// Without AXI ports: gmmu_native. Ports and use: docs/gmmu_axi.md; wiring of known cores:
// docs/integration.md; registers: docs/regs.md.
//
// This module gives AXI channels their names and no more: in gmmu_axi_core each is valid, ready and
// one vector (rtl/common/gmmu_axi_pack.svh, written by scripts/ports.py from the ports below).
//
// All vectors are concatenations with port 0 in the lowest bits. After reset every port is in
// ResetMode (0: passes addresses through unchanged). Parameters and what each means:
// rtl/params.txt, docs/gmmu_axi.md, docs/parameters.md.
`default_nettype none
module gmmu_axi #(
`include "gmmu_axi_params.svh"
  localparam int WalkIdW       = gmmu_pkg::idx_w(Walks),
  localparam int AppW          = gmmu_pkg::idx_w(NumAsids),
  localparam int Axis          = NumPorts > 0 ? NumPorts : 1,
  localparam int Natives       = NumNative > 0 ? NumNative : 1
) (
  input  logic clk_i,
  input  logic rst_ni,
  output logic irq_o,  // level
  // slave sides: virtual addresses; port p is port p of the registers
  input  logic [Axis-1:0] s_awvalid_i,
  output logic [Axis-1:0] s_awready_o,
  input  logic [Axis*AxiIdW-1:0] s_awid_i,
  input  logic [Axis*AxiAddrW-1:0] s_awaddr_i,
  input  logic [Axis*8-1:0] s_awlen_i,
  input  logic [Axis*3-1:0] s_awsize_i,
  input  logic [Axis*2-1:0] s_awburst_i,
  input  logic [Axis-1:0] s_awlock_i,
  input  logic [Axis*4-1:0] s_awcache_i,
  input  logic [Axis*3-1:0] s_awprot_i,
  input  logic [Axis*4-1:0] s_awqos_i,
  input  logic [Axis*4-1:0] s_awregion_i,
  input  logic [Axis*6-1:0] s_awatop_i,
  input  logic [Axis*AxiUserW-1:0] s_awuser_i,
  input  logic [Axis*AsidW-1:0] s_awssid_i,  // AxMMUSSID
  input  logic [Axis-1:0] s_wvalid_i,
  output logic [Axis-1:0] s_wready_o,
  input  logic [Axis*AxiDataW-1:0] s_wdata_i,
  input  logic [Axis*(AxiDataW/8)-1:0] s_wstrb_i,
  input  logic [Axis-1:0] s_wlast_i,
  input  logic [Axis*AxiUserW-1:0] s_wuser_i,
  output logic [Axis-1:0] s_bvalid_o,
  input  logic [Axis-1:0] s_bready_i,
  output logic [Axis*AxiIdW-1:0] s_bid_o,
  output logic [Axis*2-1:0] s_bresp_o,
  output logic [Axis*AxiUserW-1:0] s_buser_o,
  input  logic [Axis-1:0] s_arvalid_i,
  output logic [Axis-1:0] s_arready_o,
  input  logic [Axis*AxiIdW-1:0] s_arid_i,
  input  logic [Axis*AxiAddrW-1:0] s_araddr_i,
  input  logic [Axis*8-1:0] s_arlen_i,
  input  logic [Axis*3-1:0] s_arsize_i,
  input  logic [Axis*2-1:0] s_arburst_i,
  input  logic [Axis-1:0] s_arlock_i,
  input  logic [Axis*4-1:0] s_arcache_i,
  input  logic [Axis*3-1:0] s_arprot_i,
  input  logic [Axis*4-1:0] s_arqos_i,
  input  logic [Axis*4-1:0] s_arregion_i,
  input  logic [Axis*AxiUserW-1:0] s_aruser_i,
  input  logic [Axis*AsidW-1:0] s_arssid_i,  // AxMMUSSID
  output logic [Axis-1:0] s_rvalid_o,
  input  logic [Axis-1:0] s_rready_i,
  output logic [Axis*AxiIdW-1:0] s_rid_o,
  output logic [Axis*AxiDataW-1:0] s_rdata_o,
  output logic [Axis*2-1:0] s_rresp_o,
  output logic [Axis-1:0] s_rlast_o,
  output logic [Axis*AxiUserW-1:0] s_ruser_o,
  // master sides: physical addresses
  output logic [Axis-1:0] m_awvalid_o,
  input  logic [Axis-1:0] m_awready_i,
  output logic [Axis*AxiIdW-1:0] m_awid_o,
  output logic [Axis*PaW-1:0] m_awaddr_o,
  output logic [Axis*8-1:0] m_awlen_o,
  output logic [Axis*3-1:0] m_awsize_o,
  output logic [Axis*2-1:0] m_awburst_o,
  output logic [Axis-1:0] m_awlock_o,
  output logic [Axis*4-1:0] m_awcache_o,
  output logic [Axis*3-1:0] m_awprot_o,
  output logic [Axis*4-1:0] m_awqos_o,
  output logic [Axis*4-1:0] m_awregion_o,
  output logic [Axis*6-1:0] m_awatop_o,
  output logic [Axis*AxiUserW-1:0] m_awuser_o,
  output logic [Axis-1:0] m_wvalid_o,
  input  logic [Axis-1:0] m_wready_i,
  output logic [Axis*AxiDataW-1:0] m_wdata_o,
  output logic [Axis*(AxiDataW/8)-1:0] m_wstrb_o,
  output logic [Axis-1:0] m_wlast_o,
  output logic [Axis*AxiUserW-1:0] m_wuser_o,
  input  logic [Axis-1:0] m_bvalid_i,
  output logic [Axis-1:0] m_bready_o,
  input  logic [Axis*AxiIdW-1:0] m_bid_i,
  input  logic [Axis*2-1:0] m_bresp_i,
  input  logic [Axis*AxiUserW-1:0] m_buser_i,
  output logic [Axis-1:0] m_arvalid_o,
  input  logic [Axis-1:0] m_arready_i,
  output logic [Axis*AxiIdW-1:0] m_arid_o,
  output logic [Axis*PaW-1:0] m_araddr_o,
  output logic [Axis*8-1:0] m_arlen_o,
  output logic [Axis*3-1:0] m_arsize_o,
  output logic [Axis*2-1:0] m_arburst_o,
  output logic [Axis-1:0] m_arlock_o,
  output logic [Axis*4-1:0] m_arcache_o,
  output logic [Axis*3-1:0] m_arprot_o,
  output logic [Axis*4-1:0] m_arqos_o,
  output logic [Axis*4-1:0] m_arregion_o,
  output logic [Axis*AxiUserW-1:0] m_aruser_o,
  input  logic [Axis-1:0] m_rvalid_i,
  output logic [Axis-1:0] m_rready_o,
  input  logic [Axis*AxiIdW-1:0] m_rid_i,
  input  logic [Axis*AxiDataW-1:0] m_rdata_i,
  input  logic [Axis*2-1:0] m_rresp_i,
  input  logic [Axis-1:0] m_rlast_i,
  input  logic [Axis*AxiUserW-1:0] m_ruser_i,
  // native translation ports: n is port NumPorts + n of the registers (NumNative = 0: tie the
  // inputs to 0)
  input  logic [Natives-1:0]            n_req_valid_i,
  output logic [Natives-1:0]            n_req_ready_o,
  input  logic [Natives*64-1:0]         n_req_va_i,  // byte address
  input  logic [Natives*2-1:0]          n_req_access_i,  // 0 read, 1 write, 2 execute, 3 atomic
  input  logic [Natives-1:0]            n_req_user_i,  // 1: user privilege
  input  logic [Natives*AsidW-1:0]      n_req_asid_i,  // used when ASID_FROM is not 0
  input  logic [Natives*WarpW-1:0]      n_req_warp_i,  // comes back with the answer, as the tag
  input  logic [Natives*NativeTagW-1:0] n_req_tag_i,
  output logic [Natives-1:0]            n_rsp_valid_o,
  input  logic [Natives-1:0]            n_rsp_ready_i,
  output logic [Natives*WarpW-1:0]      n_rsp_warp_o,
  output logic [Natives*NativeTagW-1:0] n_rsp_tag_o,
  output logic [Natives*PaW-1:0]        n_rsp_pa_o,  // 0 with a cause
  output logic [Natives*5-1:0]          n_rsp_cause_o,  // 0: translated; else docs/faults.md
  output logic [Natives-1:0]            n_drop_o,  // answers so far: no new accesses with them
  input  logic [Natives-1:0]            n_busy_i,  // waits for memory with one of before n_drop_o
  // walker: AXI4 read master
  output logic                          w_arvalid_o,
  input  logic                          w_arready_i,
  output logic [WalkIdW-1:0]            w_arid_o,
  output logic [PaW-1:0]                w_araddr_o,
  output logic [7:0]                    w_arlen_o,
  output logic [2:0]                    w_arsize_o,
  output logic [1:0]                    w_arburst_o,
  input  logic                          w_rvalid_i,
  output logic                          w_rready_o,
  input  logic [WalkIdW-1:0]            w_rid_i,
  input  logic [WalkDataW-1:0]          w_rdata_i,
  input  logic [1:0]                    w_rresp_i,
  input  logic                          w_rlast_i,
  // coalescer, page copy, updates of PTEs: AXI4 master, INCR bursts of 8-byte beats, one ID
  // (Coalescer, PageCopy, Svadu all 0: tie the inputs to 0)
  output logic                          p_awvalid_o,
  input  logic                          p_awready_i,
  output logic [PaW-1:0]                p_awaddr_o,
  output logic [7:0]                    p_awlen_o,
  output logic                          p_awlock_o,
  output logic                          p_wvalid_o,
  input  logic                          p_wready_i,
  output logic [63:0]                   p_wdata_o,
  output logic                          p_wlast_o,
  input  logic                          p_bvalid_i,
  output logic                          p_bready_o,
  input  logic [1:0]                    p_bresp_i,
  output logic                          p_arvalid_o,
  input  logic                          p_arready_i,
  output logic [PaW-1:0]                p_araddr_o,
  output logic [7:0]                    p_arlen_o,
  output logic                          p_arlock_o,
  input  logic                          p_rvalid_i,
  output logic                          p_rready_o,
  input  logic [63:0]                   p_rdata_i,
  input  logic [1:0]                    p_rresp_i,
  // registers: AXI4-Lite
  input  logic                          c_awvalid_i,
  output logic                          c_awready_o,
  input  logic [12:0]                   c_awaddr_i,
  input  logic                          c_wvalid_i,
  output logic                          c_wready_o,
  input  logic [31:0]                   c_wdata_i,
  input  logic [3:0]                    c_wstrb_i,
  output logic                          c_bvalid_o,
  input  logic                          c_bready_i,
  output logic [1:0]                    c_bresp_o,
  input  logic                          c_arvalid_i,
  output logic                          c_arready_o,
  input  logic [12:0]                   c_araddr_i,
  output logic                          c_rvalid_o,
  input  logic                          c_rready_i,
  output logic [31:0]                   c_rdata_o,
  output logic [1:0]                    c_rresp_o,
  // for cache bypass and DRAM scheduler outside: epoch pulse, settings, outstanding L2 TLB misses
  // of each ASID
  output logic                          epoch_o,
  output logic [AppW:0]                 sched_apps_o,
  output logic [9:0]                    sched_quota_o,
  output logic [15:0]                   sched_timeout_o,
  output logic [15:0]                   sched_age_cap_o,
  output logic [NumAsids*$clog2(L2Mshrs+1)-1:0] app_misses_o
);
`include "gmmu_axi_checks.svh"
`include "gmmu_axi_pack.svh"
  gmmu_axi_core #(
`include "gmmu_axi_pass.svh"
  ) u_core (
    .clk_i, .rst_ni,
`include "gmmu_axi_core_connect.svh"
    .irq_o
  );
endmodule
`default_nettype wire
