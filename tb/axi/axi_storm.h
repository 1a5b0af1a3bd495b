// SPDX-License-Identifier: Apache-2.0
// axi_storm.h - invalidations back to back under bursts, for tb/axi/axi_bench.cpp: nobody faults,
// so every burst must get through, and within the commands that docs/axi_port.md allows.
#ifndef GMMU_TB_AXI_STORM_H
#define GMMU_TB_AXI_STORM_H

#include "axi_software.h"

constexpr uint32_t kSlots = GMMU_TB_SLOTS, kL1Mshrs = 4;

constexpr uint32_t kGenerations =
    (2 * kSlots + kL1Mshrs - 1) / kL1Mshrs; // of misses that a port's lookups make
constexpr uint32_t kMostCommands = (kSlots + 1) * (kGenerations + 1);

/// The bursts that wait for nothing but their translation and memory's address channel.
template <typename F>
void first_ones(Bench &b, F f) {
  for (uint32_t p = 0; p < kPorts; p++)
    for (bool write : {false, true}) {
      for (auto &[id, q] : write ? b.unissued_w[p] : b.unissued_r[p])
        while (!q.empty() && q.front()->over) q.pop_front(); // ended in the MMU before
      uint64_t oldest = ~0ull;
      for (auto &[id, q] : write ? b.unissued_w[p] : b.unissued_r[p])
        if (!q.empty()) oldest = std::min(oldest, q.front()->since);
      for (auto &[id, q] : write ? b.unissued_w[p] : b.unissued_r[p])
        if (!q.empty() && (!write || q.front()->since == oldest)) f(p, *q.front());
    }
}

bool offered(Bench &b, uint32_t p, const Burst &x);

struct Storm {
  uint64_t commands = 0,
           hit = 0; // hit: times that a burst was not offered between beginning and end of one
  uint32_t worst = 0;
};

/// One command; what waits all the while counts it, if it matches every miss of its port.
void storm_command(Bench &b, Storm &s, uint32_t kind);

Storm storm(Bench &b, uint64_t bursts);

/// The worst memory: it takes one read address for each command, just after the acknowledgement,
/// when the bursts that lost their translation are being looked up again. Port 0 reads a page that
/// hits all the time; one burst's page is invalidated over and over, so that it is the only one
/// that must walk. Returns the commands until it was issued.
uint32_t worst_memory(Bench &b);

#endif
