// SPDX-License-Identifier: Apache-2.0
// pins.h - what a client of gmmu_axi holds on to: the pins of one AXI port, of one native port.
// Names are AXI's, seen from the client: it sets the upper half, the bench sets the lower one.
// docs/integration-bench.md
#ifndef GMMU_TB_INTEGRATION_PINS_H
#define GMMU_TB_INTEGRATION_PINS_H

#include "../axi/axi_memory.h"

#ifndef GMMU_TB_NATIVES
#define GMMU_TB_NATIVES 0
#endif
constexpr uint32_t kNatives = GMMU_TB_NATIVES, kTagW = 4, kWarpW = 4;

struct AxiPins {
  bool awvalid = false, wvalid = false, wlast = false, bready = false, arvalid = false,
       rready = false;
  uint32_t awid = 0, awlen = 0, awsize = kMaxSize, awburst = 1, awprot = 0, awuser = 0;
  uint32_t arid = 0, arlen = 0, arsize = kMaxSize, arburst = 1, arprot = 0, aruser = 0;
  uint64_t awaddr = 0, araddr = 0;
  Beat wdata{}, wstrb{}; // a strobe is 0 or 1

  bool awready = false, wready = false, bvalid = false, arready = false, rvalid = false,
       rlast = false;
  uint32_t bid = 0, bresp = 0, rid = 0, rresp = 0;
  Beat rdata{};

  void show(Dut &d, uint32_t p) const;
  void see(Dut &d, uint32_t p);
};

/// Access: 0 read, 1 write, 2 fetch. {warp, tag} names a request until its answer is taken.
struct NativePins {
  bool req_valid = false, user = true, rsp_ready = false, busy = false;
  uint64_t va = 0;
  uint32_t access = 0, asid = 0, warp = 0, tag = 0;

  bool req_ready = false, rsp_valid = false, drop = false;
  uint32_t rsp_warp = 0, rsp_tag = 0, cause = 0;
  uint64_t pa = 0;

  void show(Dut &d, uint32_t n) const;
  void see(Dut &d, uint32_t n);
};

#endif
