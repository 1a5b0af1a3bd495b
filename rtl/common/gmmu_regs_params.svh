// SPDX-License-Identifier: Apache-2.0
// gmmu_regs_params.svh: the parameters that software reads, number 0 lowest. Written by scripts/regs.py from rtl/ctrl/regs.txt.
  localparam int NumParams = 52;
  localparam int ParamsW = NumParams * 32;
  localparam logic [ParamsW-1:0] ParamWords =
    ParamsW'(NumPorts) |
    (ParamsW'(NumNative) << 32) |
    (ParamsW'(NumAsids) << 64) |
    (ParamsW'(AsidW) << 96) |
    (ParamsW'(VaW) << 128) |
    (ParamsW'(PaW) << 160) |
    (ParamsW'(L1BaseEntries) << 192) |
    (ParamsW'(L1LargeEntries) << 224) |
    (ParamsW'(L1Mshrs) << 256) |
    (ParamsW'(L2Entries) << 288) |
    (ParamsW'(L2Ways) << 320) |
    (ParamsW'(L2LargeEntries) << 352) |
    (ParamsW'(L2Ports) << 384) |
    (ParamsW'(L2Latency) << 416) |
    (ParamsW'(L2Mshrs) << 448) |
    (ParamsW'(WarpCounters) << 480) |
    (ParamsW'(Walks) << 512) |
    (ParamsW'(L2Unified) << 544) |
    (ParamsW'(MscSets) << 576) |
    (ParamsW'(MscWays) << 608) |
    (ParamsW'(PwcEntries) << 640) |
    (ParamsW'(PwcWays) << 672) |
    (ParamsW'(PwcLatency) << 704) |
    (ParamsW'(Colt) << 736) |
    (ParamsW'(LineAnswers) << 768) |
    (ParamsW'(FillTokens) << 800) |
    (ParamsW'(EpochCycles) << 832) |
    (ParamsW'(BypassEntries) << 864) |
    (ParamsW'(FlushL2) << 896) |
    (ParamsW'(FrameBitsInRsw) << 928) |
    (ParamsW'(NumWindows) << 960) |
    (ParamsW'(Slots) << 992) |
    (ParamsW'(Outstanding) << 1024) |
    (ParamsW'(WBeats) << 1056) |
    (ParamsW'(AxiAddrW) << 1088) |
    (ParamsW'(AxiDataW) << 1120) |
    (ParamsW'(AxiIdW) << 1152) |
    (ParamsW'(AxiUserW) << 1184) |
    (ParamsW'(FaultEntries) << 1216) |
    (ParamsW'(WalkDataW) << 1248) |
    (ParamsW'(SignExtend) << 1280) |
    (ParamsW'(Coalescer) << 1312) |
    (ParamsW'(WarpW) << 1344) |
    (ParamsW'(NativeTagW) << 1376) |
    (ParamsW'(Perf) << 1408) |
    (ParamsW'(ResetMode) << 1440) |
    (ParamsW'(SchedRegs) << 1472) |
    (ParamsW'(MarkByAsid) << 1504) |
    (ParamsW'(PageCopy) << 1536) |
    (ParamsW'(Svadu) << 1568) |
    (ParamsW'(PteExclusive) << 1600) |
    (ParamsW'(RwOrder) << 1632);
