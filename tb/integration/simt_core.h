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
  void start(Bench &b, uint32_t pc, uint32_t arg);
  bool busy() const override { return core_.busy_o; }
  uint64_t oldest() const override { return since_; } // of the last instruction
  uint64_t done() const override { return instructions_; }
  std::string waits() const override {
    return "instruction " + std::to_string(instructions_) + " since cycle " +
           std::to_string(since_);
  }

  /// Inputs from the pins, outputs to the pins, in the same cycle.
  bool comb(Bench &b) override;
  void clock(Bench &b) override;

 private:
  Vgmmu_simt core_;
  uint64_t instructions_ = 0, since_ = 0;

  static uint64_t word(const Beat &v);
  bool out(Bench &b);
};

#endif
