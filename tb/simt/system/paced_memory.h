// SPDX-License-Identifier: Apache-2.0
// paced_memory.h - memory behind one AXI5 port of 512 bits for measurements: every access takes
// `latency` cycles, and all together move `rate` bytes a cycle (a burst of 64 bytes occupies it for
// 64 / rate cycles; atomics too). Accesses take effect when they are taken; answers come in that
// order. With `chance` it takes and answers only now and then; with `jitter` a latency is up to so
// many cycles longer or shorter, drawn by `rng`. With `late` an access takes effect at a moment
// between its taking and its answer, drawn by `rng`, one in 16 up to 32 times the latency later;
// only those of one ID and direction keep their order, in effects and answers.
#ifndef GMMU_TB_PACED_MEMORY_H
#define GMMU_TB_PACED_MEMORY_H

#include <algorithm>
#include <cstring>
#include <deque>
#include <list>
#include <map>
#include <vector>
#include "../../common/bench_main.h"
#include "../../system/bits.h"
extern "C" {
#include "gmmu.h"
}

struct PacedMemory {
  std::vector<uint8_t> bytes;
  double rate = 4, free_at = 0;
  uint64_t latency = 400, jitter = 0, bursts = 0, atomics = 0, moved = 0, errors = 0;
  bool chance = false, late = false;
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
  std::list<Answer> r, b;
  std::deque<Address> aw;
  std::deque<Data> w;

  uint64_t due(uint64_t now);
  uint8_t *line(uint32_t addr) {
    return (addr & ~63u) + 64ull <= bytes.size() ? &bytes[addr & ~63u] : nullptr;
  }
  static uint32_t atomic(uint32_t atop, uint32_t old, const uint8_t *beat, uint32_t at);
  void waits(BenchWaits &who) const;
  template <class D, class R>
  void drive(D &d, uint64_t cycle, R below) {
    for (size_t i = 0; i < waiting.size();)
      if (waiting[i].when <= cycle)
        effect(waiting[i]), waiting.erase(waiting.begin() + static_cast<long>(i));
      else i++;
    d.m_arready_i = !chance || below(3) != 0;
    d.m_awready_i = !chance || below(3) != 0;
    d.m_wready_i = !chance || below(3) != 0;
    if (late && (!d.m_rvalid_i || taken_r)) ripe_first(r, cycle);
    if (late && (!d.m_bvalid_i || taken_b)) ripe_first(b, cycle);
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
      uint32_t addr = static_cast<uint32_t>(d.m_araddr_o);
      r.push_back({static_cast<uint32_t>(d.m_arid_o), !line(addr), due(cycle), {}});
      take({{r.back().id, addr, 0}, {}, &r.back(), false, 0}, r.back(), cycle);
    }
  }

 private:
  bool taken_r = false, taken_b = false;
  struct Access {
    Address a;
    Data x;
    Answer *read; // where what was there goes; null: a plain write
    bool writes;
    uint64_t when;
  };
  std::vector<Access> waiting;       // those that have not taken effect, oldest first
  std::map<uint64_t, uint64_t> last; // of an ID and direction: when its latest one does

  static void ripe_first(std::list<Answer> &q, uint64_t cycle);
  void take(Access t, Answer &answer, uint64_t cycle);
  void effect(const Access &t);
  void write(const Address &a, const Data &x, uint64_t cycle);
};
#endif
