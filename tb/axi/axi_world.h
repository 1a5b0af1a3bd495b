// SPDX-License-Identifier: Apache-2.0
// axi_world.h - what surrounds gmmu_axi in the benches: AXI4-Lite access, the driver's bus, a
// memory of pages (its AXI4 slaves: axi_memory.h). The simulation advances inside register
// accesses, so that the C driver runs while traffic goes on.
#ifndef GMMU_TB_AXI_WORLD_H
#define GMMU_TB_AXI_WORLD_H

#include <algorithm>
#include <array>
#include "../common/bench_main.h"

#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <vector>

#include GMMU_TB_HEADER
#include "verilated.h"
#include "../common/coverage.h"
#include "../common/noise.h"
#include "../system/bits.h"
extern "C" {
#include "gmmu.h"
#include "gmmu_driver.h"
#include "gmmu_regs.h"
}

#ifndef GMMU_TB_PA_W
#define GMMU_TB_PA_W 32
#endif

using Dut = GMMU_TB_DUT; // the harness: its ports m_*, w_*, c_*, irq_o are those of gmmu_axi

constexpr uint32_t kPorts = GMMU_TB_PORTS, kAddrW = GMMU_TB_ADDR_W, kPaW = GMMU_TB_PA_W, kIdW = 4,
                   kUserW = 8, kAsidW = 4;
constexpr uint32_t log2_of(uint32_t n) { return n > 1 ? 1 + log2_of(n / 2) : 0; }
constexpr uint32_t kBytes = GMMU_TB_BYTES, kDataW = kBytes * 8,
                   kMaxSize = log2_of(kBytes);                   // of a beat: AxiDataW 32 to 1024
constexpr uint32_t kAtomBytes = kBytes < 8 ? kBytes : 8;         // of an atomic add or swap
constexpr uint32_t kCompareBytes = kBytes < 16 ? kBytes / 2 : 8; // of a value of an atomic compare
constexpr uint32_t kAtomAdd = 0x20, kAtomClear = 0x21, kAtomSwap = 0x30,
                   kAtomCompare = 0x31;     // AWATOP
constexpr uint32_t kWalkW = GMMU_TB_WALK_W; // 32 to 512

/// A beat of the ports: its bytes, or for strobes 0 or 1 for each.
/// Where the nth of beats lies that follow each other in a page, all accessed by the user
/// (Burst::user()): who cannot translate would wait for software.
constexpr uint64_t user_beat(uint64_t n) { return kBytes * n % (kBytes < 32 ? 32 * kBytes : 1024); }
using Beat = std::array<uint8_t, kBytes>;
template <typename T>
void beat_set(T &port, uint32_t lsb, const Beat &v) {
  for (uint32_t i = 0; i < kBytes; i += 4)
    bits_set(port, lsb + 8 * i, 32,
             v[i] | v[i + 1] << 8 | v[i + 2] << 16 | static_cast<uint32_t>(v[i + 3]) << 24);
}
template <typename T>
Beat beat_get(const T &port, uint32_t lsb) {
  Beat v;
  for (uint32_t i = 0; i < kBytes; i += 4) {
    uint32_t w = static_cast<uint32_t>(bits_get(port, lsb + 8 * i, 32));
    memcpy(&v[i], &w, 4);
  }
  return v;
}
template <typename T>
void strb_set(T &port, uint32_t lsb, const Beat &v) {
  for (uint32_t i = 0; i < kBytes; i++) bits_set(port, lsb + i, 1, v[i]);
}
template <typename T>
Beat strb_get(const T &port, uint32_t lsb) {
  Beat v;
  for (uint32_t i = 0; i < kBytes; i++) v[i] = static_cast<uint8_t>(bits_get(port, lsb + i, 1));
  return v;
}
Beat random_beat(gmmu_rng &rng);

/// Bytes by page; unwritten ones are 0.
struct Memory {
  std::map<uint64_t, std::vector<uint8_t>> pages;
  std::vector<uint8_t> &page(uint64_t pfn);
  uint8_t &byte(uint64_t pa) { return page(pa >> 12)[pa & 4095]; }
  uint64_t word(uint64_t pa);
  void put(uint64_t pa, uint64_t v) { memcpy(&page(pa >> 12)[pa & 4088], &v, 8); }
  /// The beat of the bus that holds pa.
  Beat beat(uint64_t pa);
};

/// A burst as a master asked for it, and what became of it.
struct Burst {
  bool write = false;
  uint32_t port = 0, id = 0, asid = 0, len = 0, size = kMaxSize, kind = 1, atop = 0,
           mark = 0; // mark: AxUSER
  uint64_t va = 0, pa = 0, since = 0;
  bool unknown = false;                               // its W beats are taken as they come
  bool issued = false, over = false, refused = false; // refused: memory answers with an error
  uint32_t w_sent = 0, w_done = 0, r_done = 0, r_sent = 0;
  bool first = false;    // a command began while no other burst stood before it
  uint32_t commands = 0; // that ended since, while it was not offered to memory
  uint64_t b_at = 0,
           number = 0; // memory answers not before this cycle; its place in the order of memory
  bool applied = false, b_done = false;
  bool fetch = false;                // a fetch for the MMU
  bool prot2 = false;                // AxPROT[2]
  int want_cause = 0;                // it must end in the MMU, with this cause
  uint32_t refusal = 2;              // memory's response to one that it refuses: SLVERR or DECERR
  std::vector<Beat> data, strb, old; // old: what an atomic returns
  // of masters that keep their pages by themselves: its page; its address is taken, and when;
  // writes that are not ordered to it; the read after which W is sent
  struct HostPage *page = nullptr;
  uint64_t taken_at = 0;
  bool taken = false, bad = false; // bad: a byte was wrong
  std::vector<std::shared_ptr<Burst>> either;
  std::shared_ptr<Burst> after;

  uint32_t beats() const { return len + 1; }
  uint32_t w_user(uint32_t beat) const { return (mark + 37 * beat) & ((1u << kUserW) - 1); }
  bool user() const { return !(va >> 10 & 1); } // so the bench sets AxPROT[0]
  uint32_t access() const {
    return atop ? 3 : write ? 1 : fetch ? 2 : 0;
  } // where ARPROT[2] says it
  uint32_t r_beats() const { return atop == kAtomCompare && len ? beats() / 2 : beats(); }
  bool returns() const { return !write || (atop & 0x20); }
  uint64_t at(uint32_t beat, uint64_t base) const;
  /// First lane of a beat, and the one behind its last.
  std::pair<uint64_t, uint64_t> lanes(uint32_t beat) const {
    const uint64_t first = at(beat, va) & (kBytes - 1);
    return {first, ((first >> size) + 1) << size};
  }
  /// First and last byte that it may touch.
  uint64_t low(uint64_t base) const {
    uint64_t bytes = 1ull << size;
    return kind == 2 ? base / (bytes * beats()) * bytes * beats() : base / bytes * bytes;
  }
  uint64_t high(uint64_t base) const {
    return low(base) + (kind == 0 ? 1 : beats()) * (1ull << size) - 1;
  }
};
using Ref = std::shared_ptr<Burst>;

/// The device under test with its registers' bus. `step` is one cycle; it is set by the bench.
struct World {
  VerilatedContext ctx;
  Dut dut{&ctx};
  CoverageAtEnd coverage{&ctx};
  Memory memory;
  gmmu_rng rng{1};
  uint64_t cycle = 0, seed = 1, errors = 0;
  uint64_t last_progress = 0; // the cycle in which something was done
  std::function<void()> step;
  std::function<void(uint32_t, uint32_t, uint32_t)>
      on_write; // a register write was answered: offset, value, strobes
  gmmu_drv drv;
  std::vector<uint64_t> free_tables;

  uint64_t below(uint64_t n) { return gmmu_rng_below(&rng, n); }
  void fail(const char *what, uint64_t want, uint64_t got, uint64_t at);
  void must(int e, const char *what);
  void edge();
  void settle() {
    if (noisy && noise_at != cycle) noise_at = cycle, noise();
    dut.clk_i = 0;
    dut.eval();
  }
  /// In a cycle of four what goes with a valid that is 0 is random: of benches that drive all that
  /// goes with one as they set it.
  bool noisy = false;
  void noise();
  Noise random;
  uint64_t noise_at = ~0ull;
  /// One AXI4-Lite access, with random gaps; the response, or -1 when none comes.
  int access(bool write, uint32_t at, uint32_t *value, uint32_t strb);
  /// Software that reads one register over and over, always the same, waits for what does not
  /// happen: said after longer than any command takes.
  uint32_t polled = ~0u, polled_value = 0, polled_before = 0;
  uint64_t polled_since = 0, polled_last = 0;
  BenchWatchdog polling{200000, [this](BenchWaits &w) {
                          w.add("software",
                                polled == GMMU_REG_CMD_STATUS ? "its command's acknowledgement"
                                                              : "another value of a register",
                                "0x%x of register 0x%x", polled_value, polled);
                          waits(w);
                        }};
  void polls(bool write, uint32_t at, uint32_t);
  /// Who waits for whom beside software: the bench's words.
  std::function<void(BenchWaits &)> who_waits;
  void waits(BenchWaits &w) const {
    if (who_waits) who_waits(w);
    if (dut.irq_o) w.add("gmmu_axi", "software", "its interrupt is up");
  }
  std::function<bool(uint64_t)> is_table; // set in a build with Svadu where software_put() leaves A
                                          // and D to hardware: of page tables
  uint64_t cleared = 0;                   // leaf PTEs that software wrote without A or D
  uint64_t lost_swaps = 0;                // hardware was quicker
  bool moving = false; // time passes between software's read of a PTE and its write
  void hesitate() {
    for (uint64_t n = moving ? below(is_table ? 150 : 30) : 0; n > 0; n--) step();
  }
  /// The driver sets A and D in its leaf PTEs. With Svadu some are left to hardware when they are
  /// new, and kept as hardware has set them when they change, but not in the first PTE of a table,
  /// which stands for others when its frame is coalesced.
  void software_put(uint64_t pa, uint64_t v);
  gmmu_drv_bus bus();
};

#endif
