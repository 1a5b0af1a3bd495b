// SPDX-License-Identifier: Apache-2.0
// gmmu_axi: the MMU as a drop-in block: NumPorts AXI4 bumps in the wire, NumNative translation
// ports, the walker as an AXI4 read master, registers behind AXI4-Lite, fault queue, interrupt.
// Without AXI ports: gmmu_native. Ports and use: docs/gmmu_axi.md; wiring of known cores:
// docs/integration.md; registers: docs/regs.md.
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
  localparam int NumSms   = NumPorts + NumNative;
  localparam int PfnW     = PaW - 12;
  localparam int SlotW    = $clog2(Slots);
  localparam int TagW     = SlotW + 1;
  localparam int RecW     = 1 + 64 + AsidW + 2 + 1 + AxiIdW + 5;
  localparam int PortW    = gmmu_pkg::idx_w(NumSms);
  localparam int FCntW    = $clog2(FaultEntries + 1);
  localparam int MemW     = LineAnswers != 0 ? 512 : 64;
  localparam int Counters = 11;
  localparam int PerfW    = 48;
  localparam int Caps     = (Coalescer != 0 ? 1 : 0) + (Perf != 0 ? 4 : 0)
      + (FillTokens != 0 ? 8 : 0) + (L2Unified != 0 ? 16 : 0) +
                            (L2Unified != 0 || L2LargeEntries != 0 ? 32 : 0) + (VaW == 48 ? 64 : 0)
                                + (FrameBitsInRsw != 0 ? 128 : 0) + (SchedRegs != 0 ? 256 : 0)
                                + (PageCopy != 0 ? 512 : 0) + (Svadu != 0 ? 2 : 0);
  `include "gmmu_regs_params.svh"

`include "gmmu_axi_checks.svh"

  // ------------------------------------------------------------ settings and requests of all ports
  logic [NumSms*2-1:0]       mode, asid_from, fetch;
  logic [NumSms-1:0]         error_mode;
  logic [NumSms*5-1:0]       shift;
  logic [NumSms*AsidW-1:0]   asid;
  logic [NumSms*8-1:0]       stalled;
  logic [NumSms-1:0]         busy, old;
  logic                      retry, tick, drop;
  logic [NumSms-1:0]         req_valid, req_ready, req_user, rsp_valid;
  logic [NumSms*64-1:0]      req_va;
  logic [NumSms*2-1:0]       req_access;
  logic [NumSms*AsidW-1:0]   req_asid;
  logic [NumSms*WarpW-1:0]   req_warp;
  logic [NumSms*TagW-1:0]    req_tag, rsp_tag;
  logic [NumSms*PaW-1:0]     rsp_pa;
  logic [NumSms*5-1:0]       rsp_cause;
  logic [NumSms-1:0]         f_valid, f_taken;
  logic [NumSms*RecW-1:0]    f_rec;
  logic                      f_lost;

  for (genvar p = 0; p < NumPorts; p++) begin : gen_port
    gmmu_axi_port #(
      .Slots(Slots), .Outstanding(Outstanding), .WBeats(WBeats), .AxiAddrW(AxiAddrW),
      .DataW(AxiDataW), .IdW(AxiIdW), .UserW(AxiUserW),
      .PaW(PaW), .AsidW(AsidW), .WarpW(WarpW), .SignExtend(SignExtend), .RwOrder(RwOrder)
    ) u_port (
      .clk_i, .rst_ni,
      .s_awvalid_i(s_awvalid_i[p]), .s_awready_o(s_awready_o[p]),
      .s_awid_i(s_awid_i[p*AxiIdW +: AxiIdW]),
      .s_awaddr_i(s_awaddr_i[p*AxiAddrW +: AxiAddrW]), .s_awlen_i(s_awlen_i[p*8 +: 8]),
      .s_awsize_i(s_awsize_i[p*3 +: 3]),
      .s_awburst_i(s_awburst_i[p*2 +: 2]), .s_awlock_i(s_awlock_i[p]),
      .s_awcache_i(s_awcache_i[p*4 +: 4]),
      .s_awprot_i(s_awprot_i[p*3 +: 3]), .s_awqos_i(s_awqos_i[p*4 +: 4]),
      .s_awregion_i(s_awregion_i[p*4 +: 4]),
      .s_awatop_i(s_awatop_i[p*6 +: 6]), .s_awuser_i(s_awuser_i[p*AxiUserW +: AxiUserW]),
      .s_awssid_i(s_awssid_i[p*AsidW +: AsidW]),
      .s_wvalid_i(s_wvalid_i[p]), .s_wready_o(s_wready_o[p]),
      .s_wdata_i(s_wdata_i[p*AxiDataW +: AxiDataW]),
      .s_wstrb_i(s_wstrb_i[p*(AxiDataW/8) +: (AxiDataW/8)]), .s_wlast_i(s_wlast_i[p]),
      .s_wuser_i(s_wuser_i[p*AxiUserW +: AxiUserW]),
      .s_bvalid_o(s_bvalid_o[p]), .s_bready_i(s_bready_i[p]), .s_bid_o(s_bid_o[p*AxiIdW +: AxiIdW]),
      .s_bresp_o(s_bresp_o[p*2 +: 2]),
      .s_buser_o(s_buser_o[p*AxiUserW +: AxiUserW]), .s_arvalid_i(s_arvalid_i[p]),
      .s_arready_o(s_arready_o[p]),
      .s_arid_i(s_arid_i[p*AxiIdW +: AxiIdW]), .s_araddr_i(s_araddr_i[p*AxiAddrW +: AxiAddrW]),
      .s_arlen_i(s_arlen_i[p*8 +: 8]),
      .s_arsize_i(s_arsize_i[p*3 +: 3]), .s_arburst_i(s_arburst_i[p*2 +: 2]),
      .s_arlock_i(s_arlock_i[p]),
      .s_arcache_i(s_arcache_i[p*4 +: 4]), .s_arprot_i(s_arprot_i[p*3 +: 3]),
      .s_arqos_i(s_arqos_i[p*4 +: 4]),
      .s_arregion_i(s_arregion_i[p*4 +: 4]), .s_aruser_i(s_aruser_i[p*AxiUserW +: AxiUserW]),
      .s_arssid_i(s_arssid_i[p*AsidW +: AsidW]), .s_rvalid_o(s_rvalid_o[p]),
      .s_rready_i(s_rready_i[p]),
      .s_rid_o(s_rid_o[p*AxiIdW +: AxiIdW]), .s_rdata_o(s_rdata_o[p*AxiDataW +: AxiDataW]),
      .s_rresp_o(s_rresp_o[p*2 +: 2]),
      .s_rlast_o(s_rlast_o[p]), .s_ruser_o(s_ruser_o[p*AxiUserW +: AxiUserW]),
      .m_awvalid_o(m_awvalid_o[p]),
      .m_awready_i(m_awready_i[p]), .m_awid_o(m_awid_o[p*AxiIdW +: AxiIdW]),
      .m_awaddr_o(m_awaddr_o[p*PaW +: PaW]),
      .m_awlen_o(m_awlen_o[p*8 +: 8]), .m_awsize_o(m_awsize_o[p*3 +: 3]),
      .m_awburst_o(m_awburst_o[p*2 +: 2]),
      .m_awlock_o(m_awlock_o[p]), .m_awcache_o(m_awcache_o[p*4 +: 4]),
      .m_awprot_o(m_awprot_o[p*3 +: 3]),
      .m_awqos_o(m_awqos_o[p*4 +: 4]), .m_awregion_o(m_awregion_o[p*4 +: 4]),
      .m_awatop_o(m_awatop_o[p*6 +: 6]),
      .m_awuser_o(m_awuser_o[p*AxiUserW +: AxiUserW]), .m_wvalid_o(m_wvalid_o[p]),
      .m_wready_i(m_wready_i[p]),
      .m_wdata_o(m_wdata_o[p*AxiDataW +: AxiDataW]),
      .m_wstrb_o(m_wstrb_o[p*(AxiDataW/8) +: (AxiDataW/8)]), .m_wlast_o(m_wlast_o[p]),
      .m_wuser_o(m_wuser_o[p*AxiUserW +: AxiUserW]), .m_bvalid_i(m_bvalid_i[p]),
      .m_bready_o(m_bready_o[p]),
      .m_bid_i(m_bid_i[p*AxiIdW +: AxiIdW]), .m_bresp_i(m_bresp_i[p*2 +: 2]),
      .m_buser_i(m_buser_i[p*AxiUserW +: AxiUserW]),
      .m_arvalid_o(m_arvalid_o[p]), .m_arready_i(m_arready_i[p]),
      .m_arid_o(m_arid_o[p*AxiIdW +: AxiIdW]),
      .m_araddr_o(m_araddr_o[p*PaW +: PaW]), .m_arlen_o(m_arlen_o[p*8 +: 8]),
      .m_arsize_o(m_arsize_o[p*3 +: 3]),
      .m_arburst_o(m_arburst_o[p*2 +: 2]), .m_arlock_o(m_arlock_o[p]),
      .m_arcache_o(m_arcache_o[p*4 +: 4]),
      .m_arprot_o(m_arprot_o[p*3 +: 3]), .m_arqos_o(m_arqos_o[p*4 +: 4]),
      .m_arregion_o(m_arregion_o[p*4 +: 4]),
      .m_aruser_o(m_aruser_o[p*AxiUserW +: AxiUserW]), .m_rvalid_i(m_rvalid_i[p]),
      .m_rready_o(m_rready_o[p]),
      .m_rid_i(m_rid_i[p*AxiIdW +: AxiIdW]), .m_rdata_i(m_rdata_i[p*AxiDataW +: AxiDataW]),
      .m_rresp_i(m_rresp_i[p*2 +: 2]),
      .m_rlast_i(m_rlast_i[p]), .m_ruser_i(m_ruser_i[p*AxiUserW +: AxiUserW]),
      .mode_i(mode[p*2 +: 2]), .error_mode_i(error_mode[p]), .asid_from_i(asid_from[p*2 +: 2]),
      .asid_shift_i(shift[p*5 +: 5]),
      .fetch_i(fetch[p*2 +: 2]), .asid_i(asid[p*AsidW +: AsidW]),
      .req_valid_o(req_valid[p]), .req_ready_i(req_ready[p]), .req_va_o(req_va[p*64 +: 64]),
      .req_access_o(req_access[p*2 +: 2]),
      .req_user_o(req_user[p]), .req_asid_o(req_asid[p*AsidW +: AsidW]),
      .req_warp_o(req_warp[p*WarpW +: WarpW]),
      .req_tag_o(req_tag[p*TagW +: TagW]), .rsp_valid_i(rsp_valid[p]),
      .rsp_tag_i(rsp_tag[p*TagW +: TagW]),
      .rsp_pfn_i(rsp_pa[p*PaW+12 +: PfnW]), .rsp_cause_i(rsp_cause[p*5 +: 5]),
      .f_valid_o(f_valid[p]), .f_rec_o(f_rec[p*RecW +: RecW]), .f_taken_i(f_taken[p]),
      .f_lost_i(f_lost), .retry_i(retry), .tick_i(tick),
      .drop_i(drop), .old_o(old[p]), .stalled_o(stalled[p*8 +: 8]), .busy_o(busy[p])
    );
  end
  if (NumPorts == 0) begin : gen_no_axi
    logic unused_axi;
    assign unused_axi = ^{
      s_awvalid_i, s_awid_i, s_awaddr_i, s_awlen_i, s_awsize_i, s_awburst_i, s_awlock_i,
      s_awcache_i, s_awprot_i, s_awqos_i, s_awregion_i, s_awatop_i, s_awuser_i, s_awssid_i,
      s_wvalid_i, s_wdata_i, s_wstrb_i, s_wlast_i, s_wuser_i, s_bready_i, s_arvalid_i, s_arid_i,
      s_araddr_i, s_arlen_i, s_arsize_i, s_arburst_i, s_arlock_i, s_arcache_i, s_arprot_i,
      s_arqos_i, s_arregion_i, s_aruser_i, s_arssid_i, s_rready_i, m_awready_i, m_wready_i,
      m_bvalid_i, m_bid_i, m_bresp_i, m_buser_i, m_arready_i, m_rvalid_i, m_rid_i, m_rdata_i,
      m_rresp_i, m_rlast_i, m_ruser_i
    };
    assign {
      s_awready_o, s_wready_o, s_bvalid_o, s_bid_o, s_bresp_o, s_buser_o, s_arready_o,
      s_rvalid_o, s_rid_o, s_rdata_o, s_rresp_o, s_rlast_o, s_ruser_o, m_awvalid_o, m_awid_o,
      m_awaddr_o, m_awlen_o, m_awsize_o, m_awburst_o, m_awlock_o, m_awcache_o, m_awprot_o,
      m_awqos_o, m_awregion_o, m_awatop_o, m_awuser_o, m_wvalid_o, m_wdata_o, m_wstrb_o,
      m_wlast_o, m_wuser_o, m_bready_o, m_arvalid_o, m_arid_o, m_araddr_o, m_arlen_o, m_arsize_o,
      m_arburst_o, m_arlock_o, m_arcache_o, m_arprot_o, m_arqos_o, m_arregion_o, m_aruser_o,
      m_rready_o
    } = '0;
  end
  for (genvar n = 0; n < Natives; n++) begin : gen_native
    localparam int P = NumPorts + n;
    if (NumNative > 0) begin : gen_built
      // offered before the acknowledgement and not taken: it is stale when it is taken
      logic old_answer;
      gmmu_native_port #(
        .Slots(Slots), .PaW(PaW), .AsidW(AsidW), .WarpW(WarpW), .TagW(NativeTagW), .IdW(AxiIdW)
      ) u_port (
        .clk_i, .rst_ni, .s_valid_i(n_req_valid_i[n]), .s_ready_o(n_req_ready_o[n]),
        .s_va_i(n_req_va_i[n*64 +: 64]),
        .s_access_i(n_req_access_i[n*2 +: 2]), .s_user_i(n_req_user_i[n]),
        .s_asid_i(n_req_asid_i[n*AsidW +: AsidW]),
        .s_warp_i(n_req_warp_i[n*WarpW +: WarpW]),
        .s_tag_i(n_req_tag_i[n*NativeTagW +: NativeTagW]),
        .m_valid_o(n_rsp_valid_o[n]), .m_ready_i(n_rsp_ready_i[n]),
        .m_warp_o(n_rsp_warp_o[n*WarpW +: WarpW]),
        .m_tag_o(n_rsp_tag_o[n*NativeTagW +: NativeTagW]), .m_pa_o(n_rsp_pa_o[n*PaW +: PaW]),
        .m_cause_o(n_rsp_cause_o[n*5 +: 5]),
        .mode_i(mode[P*2 +: 2]), .error_mode_i(error_mode[P]), .asid_from_i(asid_from[P*2 +: 2]),
        .asid_i(asid[P*AsidW +: AsidW]),
        .req_valid_o(req_valid[P]), .req_ready_i(req_ready[P]), .req_va_o(req_va[P*64 +: 64]),
        .req_access_o(req_access[P*2 +: 2]),
        .req_user_o(req_user[P]), .req_asid_o(req_asid[P*AsidW +: AsidW]),
        .req_warp_o(req_warp[P*WarpW +: WarpW]),
        .req_tag_o(req_tag[P*TagW +: TagW]), .rsp_valid_i(rsp_valid[P]),
        .rsp_tag_i(rsp_tag[P*TagW +: TagW]),
        .rsp_pfn_i(rsp_pa[P*PaW+12 +: PfnW]), .rsp_cause_i(rsp_cause[P*5 +: 5]),
        .f_valid_o(f_valid[P]), .f_rec_o(f_rec[P*RecW +: RecW]), .f_taken_i(f_taken[P]),
        .f_lost_i(f_lost), .retry_i(retry),
        .tick_i(tick), .drop_i(drop), .old_o(old_answer), .stalled_o(stalled[P*8 +: 8])
      );
      assign n_drop_o[n] = drop | old_answer;
      assign old[P]      = old_answer | n_busy_i[n];
      logic unused_settings;
      assign unused_settings = ^{shift[P*5 +: 5], fetch[P*2 +: 2]};
      assign busy[P] = 1'b0;
    end else begin : gen_none
      logic unused_native;
      assign unused_native = ^{n_req_valid_i, n_req_va_i, n_req_access_i, n_req_user_i,
          n_req_asid_i, n_req_warp_i, n_req_tag_i,
                               n_rsp_ready_i, n_busy_i};
      assign n_req_ready_o = '0;
      assign n_rsp_valid_o = '0;
      assign n_rsp_warp_o  = '0;
      assign n_rsp_tag_o   = '0;
      assign n_rsp_pa_o    = '0;
      assign n_rsp_cause_o = '0;
      assign n_drop_o      = '0;
    end
  end

  // ---------------------------------------------------------------- the MMU
  logic                       mem_req_valid, mem_req_ready, mem_rsp_valid, mem_rsp_err;
  logic [PaW-1:0]             mem_req_addr;
  logic [WalkIdW-1:0]         mem_req_id, mem_rsp_id;
  logic [2:0]                 unused_depth;
  logic                       mem_req_upd, up_valid, up_done, up_err;
  logic [63:0]                mem_req_old, mem_req_new, up_old, up_new;
  logic [PaW-1:0]             up_addr;
  logic [MemW-1:0]            mem_rsp_data;
  logic                       inv_valid, inv_ready, inv_done, unused_mmu;
  logic [1:0]                 inv_kind;
  logic [AsidW-1:0]           inv_asid;
  logic [35:0]                inv_lo, inv_hi;
  logic [NumAsids*PfnW-1:0]   ctx_root;
  logic [NumAsids*2-1:0]      ctx_mode;
  logic [NumAsids-1:0]        ctx_ext, ctx_sum, ctx_mxr;
  logic [NumWindows*PfnW-1:0] win_lo, win_hi;
  logic [NumWindows-1:0]      win_walk, win_data;
  logic [NumSms-1:0]          unused_large;
  logic [31:0]                            epoch_cycles;
  logic                                   token_free;
  logic [6:0]                             token_start, token_points;
  logic [2:0]                             token_step;
  logic [NumSms*gmmu_pkg::OBS_L1_W-1:0]   obs_l1;
  logic [gmmu_pkg::OBS_L2_W-1:0]          obs_l2;
  logic [gmmu_pkg::OBS_WALK_W-1:0]        obs_walk;
  logic [gmmu_pkg::OBS_TOKEN_W-1:0]       unused_token;
  gmmu_top #(
`include "gmmu_core_pass.svh"
    .NumSms(NumSms), .TagW(TagW), .Obs(Perf)
  ) u_mmu (
    .clk_i, .rst_ni,
    .req_valid_i(req_valid), .req_ready_o(req_ready), .req_va_i(req_va), .req_access_i(req_access),
    .req_user_i(req_user),
    .req_asid_i(req_asid), .req_warp_i(req_warp), .req_tag_i(req_tag),
    .rsp_valid_o(rsp_valid), .rsp_ready_i({NumSms{1'b1}}), .rsp_tag_o(rsp_tag), .rsp_pa_o(rsp_pa),
    .rsp_cause_o(rsp_cause),
    .rsp_large_o(unused_large),
    .mem_req_valid_o(mem_req_valid), .mem_req_ready_i(mem_req_ready), .mem_req_addr_o(mem_req_addr),
    .mem_req_id_o(mem_req_id),
    .mem_req_depth_o(unused_depth), .mem_req_upd_o(mem_req_upd), .mem_req_old_o(mem_req_old),
    .mem_req_new_o(mem_req_new), .mem_rsp_valid_i(mem_rsp_valid), .mem_rsp_id_i(mem_rsp_id),
    .mem_rsp_data_i(mem_rsp_data),
    .mem_rsp_err_i(mem_rsp_err),
    .inv_valid_i(inv_valid), .inv_ready_o(inv_ready), .inv_kind_i(inv_kind), .inv_asid_i(inv_asid),
    .inv_lo_i(inv_lo), .inv_hi_i(inv_hi),
    .inv_done_o(inv_done), .ctx_root_i(ctx_root), .ctx_mode_i(ctx_mode), .ctx_ext_i(ctx_ext),
    .ctx_sum_i(ctx_sum), .ctx_mxr_i(ctx_mxr),
    .win_lo_i(win_lo), .win_hi_i(win_hi), .win_walk_i(win_walk), .win_data_i(win_data),
    .app_misses_o,
    .epoch_cycles_i(epoch_cycles), .epoch_o, .token_free_i(token_free), .token_start_i(token_start),
    .token_step_i(token_step),
    .token_points_i(token_points),
    .obs_l1_o(obs_l1), .obs_l2_o(obs_l2), .obs_walk_o(obs_walk), .obs_token_o(unused_token)
  );
  gmmu_walk_axi #(.PaW(PaW), .Walks(Walks), .DataW(WalkDataW), .LineAnswers(LineAnswers),
      .Svadu(Svadu)) u_walk_axi (
    .clk_i, .rst_ni, .req_upd_i(mem_req_upd), .req_old_i(mem_req_old), .req_new_i(mem_req_new),
    .up_valid_o(up_valid), .up_addr_o(up_addr),
    .up_old_o(up_old), .up_new_o(up_new), .up_done_i(up_done), .up_err_i(up_err),
    .req_valid_i(mem_req_valid), .req_ready_o(mem_req_ready), .req_addr_i(mem_req_addr),
    .req_id_i(mem_req_id),
    .rsp_valid_o(mem_rsp_valid), .rsp_id_o(mem_rsp_id), .rsp_data_o(mem_rsp_data),
    .rsp_err_o(mem_rsp_err),
    .arvalid_o(w_arvalid_o), .arready_i(w_arready_i), .arid_o(w_arid_o), .araddr_o(w_araddr_o),
    .arlen_o(w_arlen_o),
    .arsize_o(w_arsize_o), .arburst_o(w_arburst_o), .rvalid_i(w_rvalid_i), .rready_o(w_rready_o),
    .rid_i(w_rid_i), .rdata_i(w_rdata_i),
    .rresp_i(w_rresp_i), .rlast_i(w_rlast_i)
  );

  // ------------------------------------------ an invalidation ends when nobody uses an old address
  logic drain_q, cmd_done, co_ends;
  assign drop     = inv_done;
  assign cmd_done = (drain_q & old == '0) | co_ends;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) drain_q <= 1'b0;
    else drain_q <= inv_done | (drain_q & old != '0);
  end

  // --------------------------------------------------------- coalescer, page copy, updates of PTEs
  logic       co_valid, co_ready, co_splinter, co_copy, co_done, r_inv_valid, e_inv_valid,
      e_inv_empty;
  logic [2:0] co_result;
  logic [35:0] r_inv_lo, r_inv_hi;
  assign inv_valid = r_inv_valid | e_inv_valid;
  assign inv_lo    = e_inv_empty ? '1 : r_inv_lo;
  assign inv_hi    = e_inv_empty ? '0 : r_inv_hi;
  gmmu_engine_axi #(
    .Coalescer(Coalescer), .PageCopy(PageCopy), .NumAsids(NumAsids), .AsidW(AsidW), .PfnW(PfnW),
    .VaW(VaW), .NumWindows(NumWindows),
    .FrameBitsInRsw(FrameBitsInRsw), .FlushPwc(PwcEntries), .Svadu(Svadu),
    .PteExclusive(PteExclusive)
  ) u_engine (
    .clk_i, .rst_ni, .valid_i(co_valid), .ready_o(co_ready), .copy_i(co_copy),
    .splinter_i(co_splinter), .asid_i(inv_asid),
    .first_i(r_inv_lo), .last_i(r_inv_hi), .done_o(co_done), .result_o(co_result), .ends_o(co_ends),
    .inv_valid_o(e_inv_valid),
    .inv_ready_i(inv_ready), .inv_empty_o(e_inv_empty), .ctx_root_i(ctx_root),
    .ctx_mode_i(ctx_mode), .ctx_ext_i(ctx_ext),
    .win_lo_i(win_lo), .win_hi_i(win_hi), .win_walk_i(win_walk), .win_data_i(win_data),
    .awvalid_o(p_awvalid_o), .awready_i(p_awready_i), .awaddr_o(p_awaddr_o), .awlen_o(p_awlen_o),
    .awlock_o(p_awlock_o),
    .arlock_o(p_arlock_o), .up_valid_i(up_valid), .up_addr_i(up_addr), .up_old_i(up_old),
    .up_new_i(up_new), .up_done_o(up_done),
    .up_err_o(up_err), .wvalid_o(p_wvalid_o),
    .wready_i(p_wready_i), .wdata_o(p_wdata_o), .wlast_o(p_wlast_o), .bvalid_i(p_bvalid_i),
    .bready_o(p_bready_o), .bresp_i(p_bresp_i),
    .arvalid_o(p_arvalid_o), .arready_i(p_arready_i), .araddr_o(p_araddr_o), .arlen_o(p_arlen_o),
    .rvalid_i(p_rvalid_i),
    .rready_o(p_rready_o), .rdata_i(p_rdata_i), .rresp_i(p_rresp_i)
  );

  // ---------------------------------------------------------------- faults
  logic                  head_valid, pop, recorded, overflow;
  logic [RecW+PortW-1:0] head;
  logic [FCntW-1:0]      records;
  gmmu_fault_queue #(.NumPorts(NumSms), .Depth(FaultEntries), .RecW(RecW)) u_faults (
    .clk_i, .rst_ni, .valid_i(f_valid), .rec_i(f_rec), .taken_o(f_taken), .lost_o(f_lost),
    .head_valid_o(head_valid), .head_o(head),
    .pop_i(pop), .count_o(records), .recorded_o(recorded), .overflow_o(overflow)
  );

  // ---------------------------------------------------------------- performance counters
  logic                      snap, clear;
  logic [Counters*PerfW-1:0] perf;
  if (Perf != 0) begin : gen_perf
    gmmu_perf #(.NumSms(NumSms), .NumPorts(Axis), .Width(PerfW)) u_perf (
      .clk_i, .rst_ni, .obs_l1_i(obs_l1), .obs_l2_i(obs_l2), .obs_walk_i(obs_walk),
      .pte_read_i(mem_req_valid & mem_req_ready),
      .recorded_i(recorded), .lost_i(overflow), .read_i(m_arvalid_o & m_arready_i),
      .write_i(m_awvalid_o & m_awready_i),
      .stalled_i(|stalled), .snap_i(snap), .clear_i(clear), .value_o(perf)
    );
  end else begin : gen_no_perf
    logic unused_perf;
    assign unused_perf = ^{snap, clear, obs_l1, obs_l2, obs_walk};
    assign perf        = '0;
  end
  assign unused_mmu = ^{unused_depth, unused_large, unused_token};

  // ---------------------------------------------------------------- registers
  gmmu_regs #(
    .NumPorts(NumSms), .NumAsids(NumAsids), .AsidW(AsidW), .PfnW(PfnW), .VaW(VaW),
    .NumWindows(NumWindows), .ResetMode(ResetMode),
    .FaultEntries(FaultEntries), .IdW(AxiIdW), .PortW(PortW), .Counters(Counters), .PerfW(PerfW),
    .Caps(Caps), .Params(NumParams), .Coalescer(Coalescer), .PageCopy(PageCopy),
    .FillTokens(FillTokens), .SchedRegs(SchedRegs), .EpochCycles(EpochCycles),
    .LeastEpoch(FillTokens != 0 ? gmmu_pkg::least_epoch(NumSms, NumAsids, WarpW) : 2)
  ) u_regs (
    .clk_i, .rst_ni, .awvalid_i(c_awvalid_i), .awready_o(c_awready_o), .awaddr_i(c_awaddr_i),
    .wvalid_i(c_wvalid_i), .wready_o(c_wready_o),
    .wdata_i(c_wdata_i), .wstrb_i(c_wstrb_i), .bvalid_o(c_bvalid_o), .bready_i(c_bready_i),
    .bresp_o(c_bresp_o),
    .arvalid_i(c_arvalid_i), .arready_o(c_arready_o), .araddr_i(c_araddr_i), .rvalid_o(c_rvalid_o),
    .rready_i(c_rready_i),
    .rdata_o(c_rdata_o), .rresp_o(c_rresp_o), .irq_o,
    .params_i(ParamWords), .port_mode_o(mode), .port_error_o(error_mode),
    .port_asid_from_o(asid_from), .port_shift_o(shift),
    .port_fetch_o(fetch), .port_asid_o(asid), .port_stalled_i(stalled),
    .port_busy_i(busy), .port_held_i(drain_q ? old : '0),
    .ctx_root_o(ctx_root), .ctx_mode_o(ctx_mode), .ctx_ext_o(ctx_ext), .ctx_sum_o(ctx_sum),
    .ctx_mxr_o(ctx_mxr),
    .win_lo_o(win_lo), .win_hi_o(win_hi), .win_walk_o(win_walk), .win_data_o(win_data),
    .epoch_cycles_o(epoch_cycles), .token_free_o(token_free), .token_start_o(token_start),
    .token_step_o(token_step),
    .token_points_o(token_points), .sched_apps_o, .sched_quota_o, .sched_timeout_o,
    .sched_age_cap_o,
    .inv_valid_o(r_inv_valid), .inv_ready_i(inv_ready), .inv_kind_o(inv_kind),
    .inv_asid_o(inv_asid), .inv_lo_o(r_inv_lo),
    .inv_hi_o(r_inv_hi), .inv_done_i(cmd_done), .co_valid_o(co_valid), .co_ready_i(co_ready),
    .co_splinter_o(co_splinter), .co_copy_o(co_copy),
    .co_done_i(co_done), .co_result_i(co_result),
    .fault_valid_i(head_valid), .fault_head_i(head), .fault_count_i(records), .fault_pop_o(pop),
    .fault_recorded_i(recorded),
    .fault_lost_i(overflow), .retry_o(retry), .tick_o(tick), .perf_snap_o(snap),
    .perf_clear_o(clear), .perf_i(perf)
  );
endmodule
`default_nettype wire
