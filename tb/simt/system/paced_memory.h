// SPDX-License-Identifier: Apache-2.0
// paced_memory.h - memory behind one AXI5 port of 512 bits for measurements: every access takes
// `latency` cycles, and all together move `rate` bytes a cycle (a burst of 64 bytes occupies it for
// 64 / rate cycles; atomics too). Accesses take effect when they are taken; answers come in that
// order. With `chance` it takes and answers only now and then; with `jitter` a latency is up to so
// many cycles longer or shorter, drawn by `rng`.
#ifndef GMMU_TB_PACED_MEMORY_H
#define GMMU_TB_PACED_MEMORY_H

#include <cstring>
#include <deque>
#include <vector>
#include "../../common/bench_main.h"
#include "../../system/bits.h"

struct PacedMemory {
  std::vector<uint8_t> bytes;
  double rate = 4, free_at = 0;
  uint64_t latency = 400, jitter = 0, bursts = 0, atomics = 0, moved = 0, errors = 0;
  bool chance = false;
  gmmu_rng rng{1};
  struct Answer {
    uint32_t id;
    bool bad;
    uint64_t at;
    uint8_t line[64];
  };
  struct Address {
    uint32_t id, addr, atop;
  };
  struct Data {
    uint8_t byte[64];
    uint64_t strb;
  };
  std::deque<Answer> r, b;
  std::deque<Address> aw;
  std::deque<Data> w;

  uint64_t due(uint64_t now) {
    double t = free_at > static_cast<double>(now) ? free_at : static_cast<double>(now);
    free_at = t + 64 / rate;
    bursts++;
    moved += 64;
    uint64_t more = jitter ? gmmu_rng_next(&rng) % (2 * jitter + 1) : 0;
    return static_cast<uint64_t>(free_at) + latency - jitter + more;
  }
  uint8_t *line(uint32_t addr) {
    return (addr & ~63u) + 64ull <= bytes.size() ? &bytes[addr & ~63u] : nullptr;
  }
  static uint32_t atomic(uint32_t atop, uint32_t old, const uint8_t *beat, uint32_t at) {
    uint32_t a, other;
    memcpy(&a, beat + at, 4);
    memcpy(&other, beat + (at ^ 4), 4);
    return atop == 0x20 ? old + a : atop == 0x30 ? a : old == a ? other : old;
  }
  void waits(BenchWaits &who) const {
    if (!r.empty()) who.add("the core", "memory", "%zu answers to reads", r.size());
    if (!b.empty()) who.add("the core", "memory", "%zu answers to writes", b.size());
    if (!aw.empty()) who.add("memory", "W of the core", "%zu writes", aw.size());
  }
  template <class D, class R>
  void drive(D &d, uint64_t cycle, R below) {
    d.m_arready_i = !chance || below(3) != 0;
    d.m_awready_i = !chance || below(3) != 0;
    d.m_wready_i = !chance || below(3) != 0;
    if (!d.m_rvalid_i || taken_r)
      d.m_rvalid_i =
          !r.empty() && r.front().at <= cycle && !bench_hangs(cycle) && (!chance || below(3) != 0);
    if (!d.m_bvalid_i || taken_b)
      d.m_bvalid_i =
          !b.empty() && b.front().at <= cycle && !bench_hangs(cycle) && (!chance || below(3) != 0);
    taken_r = taken_b = false;
    if (d.m_rvalid_i) {
      d.m_rid_i = r.front().id;
      d.m_rresp_i = r.front().bad ? 2 : 0;
      d.m_rlast_i = 1;
      for (uint32_t i = 0; i < 16; i++) {
        uint32_t v;
        memcpy(&v, r.front().line + 4 * i, 4);
        bits_set(d.m_rdata_i, 32 * i, 32, v);
      }
    }
    if (d.m_bvalid_i) {
      d.m_bid_i = b.front().id;
      d.m_bresp_i = b.front().bad ? 2 : 0;
    }
  }
  template <class D>
  void sample(D &d, uint64_t cycle) {
    if (d.m_rvalid_i && d.m_rready_o) r.pop_front(), taken_r = true;
    if (d.m_bvalid_i && d.m_bready_o) b.pop_front(), taken_b = true;
    if (d.m_awvalid_o && d.m_awready_i)
      aw.push_back({static_cast<uint32_t>(d.m_awid_o), static_cast<uint32_t>(d.m_awaddr_o),
                    static_cast<uint32_t>(d.m_awatop_o)});
    if (d.m_wvalid_o && d.m_wready_i) {
      w.push_back({});
      for (uint32_t i = 0; i < 16; i++) {
        uint32_t v = static_cast<uint32_t>(bits_get(d.m_wdata_o, 32 * i, 32));
        memcpy(w.back().byte + 4 * i, &v, 4);
      }
      w.back().strb =
          bits_get(d.m_wstrb_o, 0, 32) | static_cast<uint64_t>(bits_get(d.m_wstrb_o, 32, 32)) << 32;
    }
    for (; !aw.empty() && !w.empty(); aw.pop_front(), w.pop_front())
      write(aw.front(), w.front(), cycle);
    if (d.m_arvalid_o && d.m_arready_i) {
      Answer a{static_cast<uint32_t>(d.m_arid_o), false, due(cycle), {}};
      uint8_t *from = line(static_cast<uint32_t>(d.m_araddr_o));
      a.bad = !from;
      if (from) memcpy(a.line, from, 64);
      r.push_back(a);
    }
  }

 private:
  bool taken_r = false, taken_b = false;
  void write(const Address &a, const Data &x, uint64_t cycle) {
    uint8_t *to = line(a.addr);
    Answer done{a.id, !to, due(cycle), {}};
    if (to && a.atop) {
      uint32_t old, at = a.addr & 63;
      memcpy(done.line, to, 64);
      memcpy(&old, to + at, 4);
      old = atomic(a.atop, old, x.byte, at);
      memcpy(to + at, &old, 4);
      atomics++;
    } else if (to) {
      for (uint32_t i = 0; i < 64; i++)
        if (x.strb >> i & 1) to[i] = x.byte[i];
    }
    b.push_back(done);
    if (a.atop) r.push_back(done);
  }
};
#endif
