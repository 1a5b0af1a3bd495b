// SPDX-License-Identifier: Apache-2.0
// gmmu_native: gmmu_axi without AXI data ports, for cores that ask for translations only. Written by scripts/ports.py from
// rtl/gmmu_axi.sv. Native port n has the registers of port n. docs/gmmu_axi.md, docs/native_port.md
`default_nettype none
module gmmu_native #(
  parameter int NumNative = 1,          // 1..32
  parameter int Slots = 4,              // bursts each channel of a port holds: 2, 4, 8, 16
  parameter int NativeTagW = 4,
  parameter int WalkDataW = 64,         // 32..512, data width of the walker's master
  parameter int FaultEntries = 8,       // 1..64
  parameter int Perf = 1,               // performance counters
  parameter int Coalescer = 1,          // coalesces and splinters large frames on command
  parameter int PageCopy = 1,           // copies pages of 4 KiB on command
  parameter int ResetMode = 0,          // 0 pass through, 2 hold
  parameter int SchedRegs = 0,          // registers for a DRAM scheduler outside (sched_*, epoch_o, app_misses_o)
  parameter int NumAsids = 8,
  parameter int AsidW = 9,
  parameter int VaW = 48,
  parameter int PaW = 48,
  parameter int WarpW = 8,
  parameter int L1BaseEntries = 16,
  parameter int L1LargeEntries = 4,
  parameter int L1Mshrs = 4,
  parameter int L2Entries = 512,
  parameter int L2Ways = 4,
  parameter int L2LargeEntries = 16,
  parameter int L2Ports = 1,
  parameter int L2Latency = 6,
  parameter int L2Mshrs = 8,
  parameter int WarpCounters = 0,
  parameter int Walks = 8,
  parameter int L2Unified = 0,
  parameter int MscSets = 64,
  parameter int MscWays = 8,
  parameter int PwcEntries = 0,
  parameter int PwcWays = 16,
  parameter int PwcLatency = 10,
  parameter int Colt = 0,
  parameter int LineAnswers = 0,
  parameter int FillTokens = 0,
  parameter int EpochCycles = 100000,
  parameter int BypassEntries = 0,
  parameter int FlushL2 = 0,
  parameter int MarkByAsid = 0,
  parameter int FrameBitsInRsw = 0,
  parameter int Svadu = 0,              // 1: hardware sets A and D of PTEs
  parameter int PteExclusive = Svadu,   // 1: PTEs are updated by exclusive accesses, which memory behind p_* has to know
  parameter int NumWindows = 4,
  localparam int WalkIdW = gmmu_pkg::idx_w(Walks),
  localparam int AppW = gmmu_pkg::idx_w(NumAsids),
  localparam int Natives = NumNative > 0 ? NumNative : 1
) (
  input  logic clk_i,
  input  logic rst_ni,
  output logic irq_o,                                       // level
  // native translation ports: n is port n of the registers
  input  logic [Natives-1:0] n_req_valid_i,
  output logic [Natives-1:0] n_req_ready_o,
  input  logic [Natives*64-1:0] n_req_va_i,                 // byte address
  input  logic [Natives*2-1:0] n_req_access_i,              // 0 read, 1 write, 2 execute, 3 atomic
  input  logic [Natives-1:0] n_req_user_i,                  // 1: user privilege
  input  logic [Natives*AsidW-1:0] n_req_asid_i,            // used when ASID_FROM is not 0
  input  logic [Natives*WarpW-1:0] n_req_warp_i,            // comes back with the answer, as the tag
  input  logic [Natives*NativeTagW-1:0] n_req_tag_i,
  output logic [Natives-1:0] n_rsp_valid_o,
  input  logic [Natives-1:0] n_rsp_ready_i,
  output logic [Natives*WarpW-1:0] n_rsp_warp_o,
  output logic [Natives*NativeTagW-1:0] n_rsp_tag_o,
  output logic [Natives*PaW-1:0] n_rsp_pa_o,                // 0 with a cause
  output logic [Natives*5-1:0] n_rsp_cause_o,               // 0: translated; else docs/faults.md
  output logic [Natives-1:0] n_drop_o,                      // answers taken before or now may be stale: they may not be used for new accesses
  input  logic [Natives-1:0] n_busy_i,                      // the client waits for memory with an answer that it took before n_drop_o
  // walker: AXI4 read master
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
  // coalescer, page copy, updates of PTEs: AXI4 master, INCR bursts of 8-byte beats, one ID
  // (Coalescer, PageCopy, Svadu all 0: tie the inputs to 0)
  output logic p_awvalid_o,
  input  logic p_awready_i,
  output logic [PaW-1:0] p_awaddr_o,
  output logic [7:0] p_awlen_o,
  output logic p_awlock_o,
  output logic p_wvalid_o,
  input  logic p_wready_i,
  output logic [63:0] p_wdata_o,
  output logic p_wlast_o,
  input  logic p_bvalid_i,
  output logic p_bready_o,
  input  logic [1:0] p_bresp_i,
  output logic p_arvalid_o,
  input  logic p_arready_i,
  output logic [PaW-1:0] p_araddr_o,
  output logic [7:0] p_arlen_o,
  output logic p_arlock_o,
  input  logic p_rvalid_i,
  output logic p_rready_o,
  input  logic [63:0] p_rdata_i,
  input  logic [1:0] p_rresp_i,
  // registers: AXI4-Lite
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
  // for cache bypass and DRAM scheduler outside: epoch pulse, settings, outstanding L2 TLB misses of
  // each ASID
  output logic epoch_o,
  output logic [AppW:0] sched_apps_o,
  output logic [9:0] sched_quota_o,
  output logic [15:0] sched_timeout_o,
  output logic [15:0] sched_age_cap_o,
  output logic [NumAsids*$clog2(L2Mshrs+1)-1:0] app_misses_o
);
  gmmu_axi #(
    .NumPorts(0), .AxiAddrW(32), .AxiDataW(32), .AxiIdW(WarpW), .AxiUserW(1),
    .NumNative(NumNative), .Slots(Slots), .NativeTagW(NativeTagW), .WalkDataW(WalkDataW),
    .FaultEntries(FaultEntries), .Perf(Perf), .Coalescer(Coalescer), .PageCopy(PageCopy),
    .ResetMode(ResetMode), .SchedRegs(SchedRegs), .NumAsids(NumAsids), .AsidW(AsidW), .VaW(VaW),
    .PaW(PaW), .WarpW(WarpW), .L1BaseEntries(L1BaseEntries), .L1LargeEntries(L1LargeEntries),
    .L1Mshrs(L1Mshrs), .L2Entries(L2Entries), .L2Ways(L2Ways), .L2LargeEntries(L2LargeEntries),
    .L2Ports(L2Ports), .L2Latency(L2Latency), .L2Mshrs(L2Mshrs), .WarpCounters(WarpCounters),
    .Walks(Walks), .L2Unified(L2Unified), .MscSets(MscSets), .MscWays(MscWays),
    .PwcEntries(PwcEntries), .PwcWays(PwcWays), .PwcLatency(PwcLatency), .Colt(Colt),
    .LineAnswers(LineAnswers), .FillTokens(FillTokens), .EpochCycles(EpochCycles),
    .BypassEntries(BypassEntries), .FlushL2(FlushL2), .MarkByAsid(MarkByAsid),
    .FrameBitsInRsw(FrameBitsInRsw), .Svadu(Svadu), .PteExclusive(PteExclusive),
    .NumWindows(NumWindows)
  ) u_gmmu (
    .clk_i, .rst_ni, .irq_o, .n_req_valid_i, .n_req_ready_o, .n_req_va_i, .n_req_access_i,
    .n_req_user_i, .n_req_asid_i, .n_req_warp_i, .n_req_tag_i, .n_rsp_valid_o, .n_rsp_ready_i,
    .n_rsp_warp_o, .n_rsp_tag_o, .n_rsp_pa_o, .n_rsp_cause_o, .n_drop_o, .n_busy_i, .w_arvalid_o,
    .w_arready_i, .w_arid_o, .w_araddr_o, .w_arlen_o, .w_arsize_o, .w_arburst_o, .w_rvalid_i,
    .w_rready_o, .w_rid_i, .w_rdata_i, .w_rresp_i, .w_rlast_i, .p_awvalid_o, .p_awready_i,
    .p_awaddr_o, .p_awlen_o, .p_awlock_o, .p_wvalid_o, .p_wready_i, .p_wdata_o, .p_wlast_o,
    .p_bvalid_i, .p_bready_o, .p_bresp_i, .p_arvalid_o, .p_arready_i, .p_araddr_o, .p_arlen_o,
    .p_arlock_o, .p_rvalid_i, .p_rready_o, .p_rdata_i, .p_rresp_i, .c_awvalid_i, .c_awready_o,
    .c_awaddr_i, .c_wvalid_i, .c_wready_o, .c_wdata_i, .c_wstrb_i, .c_bvalid_o, .c_bready_i,
    .c_bresp_o, .c_arvalid_i, .c_arready_o, .c_araddr_i, .c_rvalid_o, .c_rready_i, .c_rdata_o,
    .c_rresp_o, .epoch_o, .sched_apps_o, .sched_quota_o, .sched_timeout_o, .sched_age_cap_o,
    .app_misses_o,
    .s_awvalid_i(1'd0), .s_awready_o(), .s_awid_i({WarpW{1'b0}}), .s_awaddr_i(32'd0),
    .s_awlen_i(8'd0), .s_awsize_i(3'd0), .s_awburst_i(2'd0), .s_awlock_i(1'd0), .s_awcache_i(4'd0),
    .s_awprot_i(3'd0), .s_awqos_i(4'd0), .s_awregion_i(4'd0), .s_awatop_i(6'd0), .s_awuser_i(1'd0),
    .s_awssid_i({AsidW{1'b0}}), .s_wvalid_i(1'd0), .s_wready_o(), .s_wdata_i(32'd0),
    .s_wstrb_i(4'd0), .s_wlast_i(1'd0), .s_wuser_i(1'd0), .s_bvalid_o(), .s_bready_i(1'd0),
    .s_bid_o(), .s_bresp_o(), .s_buser_o(), .s_arvalid_i(1'd0), .s_arready_o(),
    .s_arid_i({WarpW{1'b0}}), .s_araddr_i(32'd0), .s_arlen_i(8'd0), .s_arsize_i(3'd0),
    .s_arburst_i(2'd0), .s_arlock_i(1'd0), .s_arcache_i(4'd0), .s_arprot_i(3'd0), .s_arqos_i(4'd0),
    .s_arregion_i(4'd0), .s_aruser_i(1'd0), .s_arssid_i({AsidW{1'b0}}), .s_rvalid_o(),
    .s_rready_i(1'd0), .s_rid_o(), .s_rdata_o(), .s_rresp_o(), .s_rlast_o(), .s_ruser_o(),
    .m_awvalid_o(), .m_awready_i(1'd0), .m_awid_o(), .m_awaddr_o(), .m_awlen_o(), .m_awsize_o(),
    .m_awburst_o(), .m_awlock_o(), .m_awcache_o(), .m_awprot_o(), .m_awqos_o(), .m_awregion_o(),
    .m_awatop_o(), .m_awuser_o(), .m_wvalid_o(), .m_wready_i(1'd0), .m_wdata_o(), .m_wstrb_o(),
    .m_wlast_o(), .m_wuser_o(), .m_bvalid_i(1'd0), .m_bready_o(), .m_bid_i({WarpW{1'b0}}),
    .m_bresp_i(2'd0), .m_buser_i(1'd0), .m_arvalid_o(), .m_arready_i(1'd0), .m_arid_o(),
    .m_araddr_o(), .m_arlen_o(), .m_arsize_o(), .m_arburst_o(), .m_arlock_o(), .m_arcache_o(),
    .m_arprot_o(), .m_arqos_o(), .m_arregion_o(), .m_aruser_o(), .m_rvalid_i(1'd0), .m_rready_o(),
    .m_rid_i({WarpW{1'b0}}), .m_rdata_i(32'd0), .m_rresp_i(2'd0), .m_rlast_i(1'd0), .m_ruser_i(1'd0)
  );
endmodule
`default_nettype wire
