// SPDX-License-Identifier: Apache-2.0
// sm_memory.h - AXI5 memory of one-beat bursts of up to 64 bytes for the benches of the SIMT core:
// answers in any order after random times, reads and writes at any moment of their stay, atomics
// (add, swap, compare) at once. Counts what breaks the core's rules.
#ifndef GMMU_TB_SM_MEMORY_H
#define GMMU_TB_SM_MEMORY_H

#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <deque>
#include <set>
#include <vector>
#include "../common/bench_main.h"
#include "../system/bits.h"
extern "C" {
#include "gmmu.h"
}

/// Old value; the atomic on the 32-bit word at `at` (offset in the line) with the beat's data.
uint32_t sm_atomic(uint32_t atop, uint32_t old, const uint8_t *beat, uint32_t at);

/// Which warps wait for what.
template <class D>
void sm_waits(BenchWaits &w, const D &d) {
  const uint32_t live = d.live_o, memory = live & d.mem_busy_o, bar = live & d.at_bar_o;
  if (memory) w.add("warps", "memory", "mask %08x", memory);
  if (bar) w.add("warps", "a barrier", "mask %08x", bar);
  if (live & ~memory & ~bar) w.add("warps", "issue", "mask %08x", live & ~memory & ~bar);
}

struct SmMemory {
  struct Access {
    uint32_t id, addr, atop, size, burst;
    bool write, data_here, done, bad, b_done, r_done;
    uint64_t at, r_at;
    uint8_t data[64], strb[64], old[64];
  };
  std::vector<uint8_t> bytes;
  std::vector<Access> on;      // on their way
  std::deque<uint32_t> w_wait; // IDs whose W is to come
  std::set<uint32_t> ids;
  gmmu_rng rng{1};
  uint64_t cycle = 0, errors = 0, reads = 0, writes = 0, atomics = 0, latency = 20, stall = 3;
  uint32_t bad_from = ~0u; // addresses from here on are refused
  bool ready_ar = false, ready_aw = false, ready_w = false;
  int r_show = -1, b_show = -1; // IDs

  uint64_t below(uint64_t n) { return gmmu_rng_below(&rng, n); }
  void fail(const char *what, uint64_t v) {
    if (errors++ < 5) printf("cycle %" PRIu64 ": memory: %s (0x%" PRIx64 ")\n", cycle, what, v);
  }
  Access *find(uint32_t id);
  void perform(Access &a);
  void waits(BenchWaits &w) const;
  template <class D>
  void drive(D &d) {
    ready_ar = below(stall) != 0, ready_aw = below(stall) != 0, ready_w = below(stall) != 0;
    d.m_arready_i = ready_ar, d.m_awready_i = ready_aw, d.m_wready_i = ready_w;
    for (auto &a : on)
      if (!a.done && (!a.write || a.data_here) && (cycle >= a.at || below(latency) == 0))
        perform(a);
    if (r_show < 0 && !on.empty())
      for (size_t n = 0, i = below(on.size()); n < on.size() && r_show < 0;
           n++, i = (i + 1) % on.size())
        if (on[i].done && !on[i].r_done && cycle >= on[i].at && below(stall) && !bench_hangs(cycle))
          r_show = static_cast<int>(on[i].id);
    if (b_show < 0 && !on.empty())
      for (size_t n = 0, i = below(on.size()); n < on.size() && b_show < 0;
           n++, i = (i + 1) % on.size())
        if (on[i].done && !on[i].b_done && cycle >= on[i].at && below(stall) && !bench_hangs(cycle))
          b_show = static_cast<int>(on[i].id);
    d.m_rvalid_i = r_show >= 0;
    d.m_bvalid_i = b_show >= 0;
    if (r_show >= 0) {
      Access &a = *find(static_cast<uint32_t>(r_show));
      d.m_rid_i = a.id;
      d.m_rresp_i = a.bad ? 2 : 0;
      for (uint32_t i = 0; i < 16; i++) {
        uint32_t w;
        memcpy(&w, a.old + 4 * i, 4);
        bits_set(d.m_rdata_i, 32 * i, 32, w);
      }
    }
    if (b_show >= 0) {
      d.m_bid_i = static_cast<uint32_t>(b_show);
      d.m_bresp_i = find(static_cast<uint32_t>(b_show))->bad ? 3 : 0;
    }
  }
  void drop(uint32_t id);
  void take(Access a);
  template <class D>
  void sample(D &d) {
    if (d.m_rvalid_i && d.m_rready_o)
      find(static_cast<uint32_t>(r_show))->r_done = true, drop(static_cast<uint32_t>(r_show)),
      r_show = -1;
    if (d.m_bvalid_i && d.m_bready_o)
      find(static_cast<uint32_t>(b_show))->b_done = true, drop(static_cast<uint32_t>(b_show)),
      b_show = -1;
    if (d.m_arvalid_o && d.m_arready_i) {
      if (d.m_araddr_o & 63 || d.m_arsize_o != 6 || d.m_arlen_o || d.m_arburst_o != 1)
        fail("AR is no line", d.m_araddr_o);
      Access a{};
      a.id = d.m_arid_o, a.addr = d.m_araddr_o, a.size = 6, a.b_done = true;
      take(a);
      reads++;
    }
    if (d.m_awvalid_o && d.m_awready_i) {
      Access a{};
      a.id = d.m_awid_o, a.addr = d.m_awaddr_o, a.size = d.m_awsize_o, a.atop = d.m_awatop_o,
      a.burst = d.m_awburst_o, a.write = true;
      a.r_done = !a.atop;
      uint32_t size = !a.atop          ? 6
                      : a.atop == 0x31 ? 3
                                       : 2,
               burst = a.atop == 0x31 && (a.addr & 4) ? 2 : 1;
      if (a.size != size || a.burst != burst || d.m_awlen_o || (a.addr & (a.atop ? 3 : 63)))
        fail("AW", a.addr);
      if (a.atop && a.atop != 0x20 && a.atop != 0x30 && a.atop != 0x31) fail("AWATOP", a.atop);
      take(a);
      w_wait.push_back(a.id);
      (a.atop ? atomics : writes)++;
    }
    if (d.m_wvalid_o && d.m_wready_i) w_data.push_back({});
    if (d.m_wvalid_o && d.m_wready_i) {
      for (uint32_t i = 0; i < 64; i++) {
        w_data.back().data[i] = static_cast<uint8_t>(bits_get(d.m_wdata_o, 8 * i, 8));
        w_data.back().strb[i] = static_cast<uint8_t>(bits_get(d.m_wstrb_o, i, 1));
      }
      if (!d.m_wlast_o) fail("WLAST", 0);
    }
    while (!w_data.empty() && !w_wait.empty()) {
      Access &a = *find(w_wait.front());
      memcpy(a.data, w_data.front().data, 64);
      memcpy(a.strb, w_data.front().strb, 64);
      for (uint32_t i = 0; i < 64 && a.atop; i++) {
        uint32_t low = a.atop == 0x31 ? a.addr & 56 : a.addr & 60, n = a.atop == 0x31 ? 8 : 4;
        if ((a.strb[i] != 0) != (i >= low && i < low + n)) fail("WSTRB of an atomic", a.addr);
      }
      a.data_here = true;
      w_data.pop_front(), w_wait.pop_front();
    }
    cycle++;
  }

 private:
  struct Beat {
    uint8_t data[64], strb[64];
  };
  std::deque<Beat> w_data;
};
#endif
