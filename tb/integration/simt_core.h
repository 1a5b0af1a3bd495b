// SPDX-License-Identifier: Apache-2.0
// simt_core.h - how a core's own Verilated model hangs in the integration bench, by the example of
// gmmu_simt (tb/softcore): two AXI ports, an I port (fetches) and a D port.
// docs/integration-bench.md
#ifndef GMMU_TB_INTEGRATION_SIMT_CORE_H
#define GMMU_TB_INTEGRATION_SIMT_CORE_H

#include "Vgmmu_simt.h"
#include "bench.h"

class SimtCore : public Client {
 public:
  SimtCore(Bench &b, uint32_t c) : i_port(2 * c), d_port(2 * c + 1), core_(&b.ctx, "core") {
    name = "core " + std::to_string(c);
    bench_reset(core_);
  }
  const uint32_t i_port, d_port;
  void start(Bench &b, uint32_t pc, uint32_t arg) {
    core_.pc_i = pc, core_.arg_i = arg, core_.start_i = 1;
    since_ = b.cycle;
    b.step();
    core_.start_i = 0;
  }
  bool busy() const override { return core_.busy_o; }
  uint64_t oldest() const override { return since_; } // of the last instruction
  uint64_t done() const override { return instructions_; }
  std::string waits() const override {
    return "instruction " + std::to_string(instructions_) + " since cycle " +
           std::to_string(since_);
  }

  /// Inputs from the pins, outputs to the pins, in the same cycle.
  bool comb(Bench &b) override {
    const AxiPins &i = b.axi[i_port], &d = b.axi[d_port];
    core_.clk_i = 0;
    core_.i_arready_i = i.arready, core_.i_rvalid_i = i.rvalid, core_.i_rdata_i = word(i.rdata);
    core_.d_arready_i = d.arready, core_.d_rvalid_i = d.rvalid,
    core_.d_rid_i = static_cast<uint8_t>(d.rid), core_.d_rdata_i = word(d.rdata);
    core_.d_awready_i = d.awready, core_.d_wready_i = d.wready, core_.d_bvalid_i = d.bvalid;
    core_.eval();
    return out(b);
  }
  void clock(Bench &b) override {
    if (core_.retired_o) instructions_++, since_ = b.cycle;
    core_.clk_i = 1;
    core_.eval();
    out(b);
  }

 private:
  Vgmmu_simt core_;
  uint64_t instructions_ = 0, since_ = 0;

  static uint64_t word(const Beat &v) {
    uint64_t w;
    memcpy(&w, v.data(), 8);
    return w;
  }
  bool out(Bench &b) {
    AxiPins &i = b.axi[i_port], &d = b.axi[d_port];
    bool same = i.arvalid == core_.i_arvalid_o && i.rready == core_.i_rready_o &&
                d.arvalid == core_.d_arvalid_o && d.rready == core_.d_rready_o &&
                d.awvalid == core_.d_awvalid_o && d.wvalid == core_.d_wvalid_o &&
                d.bready == core_.d_bready_o;
    i.arvalid = core_.i_arvalid_o, i.araddr = core_.i_araddr_o, i.rready = core_.i_rready_o;
    d.arvalid = core_.d_arvalid_o, d.araddr = core_.d_araddr_o, d.arid = core_.d_arid_o,
    d.rready = core_.d_rready_o;
    d.awvalid = core_.d_awvalid_o, d.awaddr = core_.d_awaddr_o, d.awid = core_.d_awid_o,
    d.bready = core_.d_bready_o;
    d.wvalid = core_.d_wvalid_o, d.wlast = true, d.arsize = d.awsize = 2;
    for (uint32_t n = 0; n < 8; n++)
      d.wdata[n] = static_cast<uint8_t>(core_.d_wdata_o >> 8 * n),
      d.wstrb[n] = core_.d_wstrb_o >> n & 1;
    return !same;
  }
};

#endif
