// SPDX-License-Identifier: Apache-2.0
// axi_world.h - what surrounds gmmu_axi in the benches: AXI4-Lite access, the driver's bus, memory
// slaves that answer out of order, an AXI4 memory of pages. The simulation advances inside register
// accesses, so that the C driver runs while traffic goes on.
#ifndef GMMU_TB_AXI_WORLD_H
#define GMMU_TB_AXI_WORLD_H

#include <algorithm>
#include <array>
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
#include "../system/bits.h"
extern "C" {
#include "gmmu.h"
#include "gmmu_driver.h"
#include "gmmu_regs.h"
}

using Dut = GMMU_TB_DUT; // the harness: its ports m_*, w_*, c_*, irq_o are those of gmmu_axi

constexpr uint32_t kPorts = GMMU_TB_PORTS, kAddrW = GMMU_TB_ADDR_W, kPaW = 32, kIdW = 4, kUserW = 8,
                   kAsidW = 4;
constexpr uint32_t log2_of(uint32_t n) { return n > 1 ? 1 + log2_of(n / 2) : 0; }
constexpr uint32_t kBytes = GMMU_TB_BYTES, kDataW = kBytes * 8,
                   kMaxSize = log2_of(kBytes);           // of a beat: AxiDataW 32 to 1024
constexpr uint32_t kAtomBytes = kBytes < 8 ? kBytes : 8; // of an atomic
constexpr uint32_t kWalkW = GMMU_TB_WALK_W;              // 32 to 512

/// A beat of the ports: its bytes, or for strobes 0 or 1 for each.
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
inline Beat random_beat(gmmu_rng &rng) {
  Beat v;
  for (auto &x : v) x = static_cast<uint8_t>(gmmu_rng_next(&rng));
  return v;
}

/// Bytes by page; unwritten ones are 0.
struct Memory {
  std::map<uint64_t, std::vector<uint8_t>> pages;
  std::vector<uint8_t> &page(uint64_t pfn) {
    auto &p = pages[pfn];
    if (p.empty()) p.assign(4096, 0);
    return p;
  }
  uint8_t &byte(uint64_t pa) { return page(pa >> 12)[pa & 4095]; }
  uint64_t word(uint64_t pa) {
    uint64_t v;
    memcpy(&v, &page(pa >> 12)[pa & 4088], 8);
    return v;
  }
  void put(uint64_t pa, uint64_t v) { memcpy(&page(pa >> 12)[pa & 4088], &v, 8); }
  /// The beat of the bus that holds pa.
  Beat beat(uint64_t pa) {
    Beat v;
    memcpy(v.data(), &page(pa >> 12)[pa & 4095 & ~(kBytes - 1ull)], kBytes);
    return v;
  }
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
  uint32_t r_beats() const { return atop == 0x31 && len ? beats() / 2 : beats(); }
  bool returns() const { return !write || (atop & 0x20); }
  uint64_t at(uint32_t beat, uint64_t base) const {
    uint64_t bytes = 1ull << size, a = base;
    if (kind == 0 || beat == 0) return a;
    a = base / bytes * bytes + beat * bytes;
    if (kind == 2) {
      uint64_t total = bytes * beats(), low = base / total * total;
      a = low + a % total;
    }
    return a;
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
  uint64_t cycle = 0, seed = 1, errors = 0, last_progress = 0;
  std::function<void()> step;
  std::function<void(uint32_t, uint32_t, uint32_t)>
      on_write; // a register write was answered: offset, value, strobes
  gmmu_drv drv;
  std::vector<uint64_t> free_tables;

  uint64_t below(uint64_t n) { return gmmu_rng_below(&rng, n); }
  void fail(const char *what, uint64_t want, uint64_t got, uint64_t at) {
    if (errors++ < 10)
      printf("cycle %" PRIu64 ", seed %" PRIu64 ": %s: expected 0x%" PRIx64 ", got 0x%" PRIx64
             " (at 0x%" PRIx64 ")\n",
             cycle, seed, what, want, got, at);
  }
  void must(int e, const char *what) {
    if (e < 0) {
      printf("driver: %s: %s\n", what, gmmu_drv_error_name(e));
      errors++;
    }
  }
  void edge() {
    dut.clk_i = 1;
    dut.eval();
    cycle++;
  }
  void settle() {
    dut.clk_i = 0;
    dut.eval();
  }
  /// One AXI4-Lite access, with random gaps; the response, or -1 when none comes.
  int access(bool write, uint32_t at, uint32_t *value, uint32_t strb) {
    Dut &d = dut;
    bool a = true, w = write, done = false;
    int resp = -1;
    polls(write, at, *value);
    for (int i = 0; !done && i < 1000; i++) {
      bool gap = below(4) == 0;
      d.c_awvalid_i = write && a && !gap;
      d.c_awaddr_i = at;
      d.c_wvalid_i = w && (below(2) || !a);
      d.c_wdata_i = *value;
      d.c_wstrb_i = strb;
      d.c_arvalid_i = !write && a && !gap;
      d.c_araddr_i = at;
      d.c_bready_i = d.c_rready_i = below(3) != 0;
      settle();
      bool took_a = write ? d.c_awvalid_i && d.c_awready_o : d.c_arvalid_i && d.c_arready_o,
           took_w = d.c_wvalid_i && d.c_wready_o;
      if (write && d.c_bvalid_o && d.c_bready_i) done = true, resp = d.c_bresp_o;
      if (!write && d.c_rvalid_o && d.c_rready_i)
        done = true, resp = d.c_rresp_o, *value = d.c_rdata_o;
      step();
      if (took_a) a = false;
      if (took_w) w = false;
    }
    d.c_awvalid_i = d.c_wvalid_i = d.c_arvalid_i = d.c_bready_i = d.c_rready_i = 0;
    if (done && write && on_write) on_write(at, *value, strb);
    if (!done) fail("register access is not answered", 1, 0, at);
    if (!write) polled_value = *value;
    return resp;
  }
  /// Software that reads one register over and over, always the same, waits for what does not
  /// happen: said after longer than any command takes.
  uint32_t polled = ~0u, polled_value = 0, polled_before = 0;
  uint64_t polled_since = 0, polled_last = 0;
  std::function<void()> who_waits; // more words of the bench
  void polls(bool write, uint32_t at, uint32_t) {
    if (write || at != polled || polled_value != polled_before || cycle > polled_last + 2000)
      polled_since = cycle;
    polled_last = cycle;
    polled = write ? ~0u : at;
    polled_before = polled_value;
    if (cycle - polled_since < 200000) return;
    printf(
        "cycle %" PRIu64 ", seed %" PRIu64
        ": software waits for nothing: it has read register 0x%x as 0x%x for 200000 cycles%s; irq "
        "%d\n",
        cycle, seed, at, polled_value,
        at == GMMU_REG_CMD_STATUS ? " (a command is not acknowledged)" : "", dut.irq_o);
    if (who_waits) who_waits();
    printf("FAIL\n");
    exit(1);
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
  void software_put(uint64_t pa, uint64_t v) {
    const uint64_t ad = GMMU_PTE_A | GMMU_PTE_D, old = memory.word(pa);
    if (moving) {
      if (old & ad & ~v)
        fail("A or D that hardware has set is lost when a page is moved", old, v, pa);
      memory.put(pa, v);
      return;
    }
    if (is_table && is_table(pa) && pa & 4095 && (v & GMMU_PTE_V) &&
        (v & (GMMU_PTE_R | GMMU_PTE_X))) {
      if ((old & GMMU_PTE_V) && GMMU_PTE_PPN(old) == GMMU_PTE_PPN(v)) v = (v & ~ad) | (old & ad);
      else v &= below(3) == 0 ? ~0ull : below(2) ? ~ad : ~uint64_t{GMMU_PTE_D};
      cleared += (v & ad) != ad;
    }
    memory.put(pa, v);
  }
  gmmu_drv_bus bus() {
    gmmu_drv_bus b{};
    b.arg = this;
    b.read_reg = [](void *p, uint32_t at, uint32_t *v) {
      return static_cast<World *>(p)->access(false, at, v, 15) ? 1 : 0;
    };
    b.write_reg = [](void *p, uint32_t at, uint32_t v) {
      return static_cast<World *>(p)->access(true, at, &v, 15) ? 1 : 0;
    };
    b.read_mem = [](void *p, uint64_t pa) {
      uint64_t v = static_cast<World *>(p)->memory.word(pa);
      static_cast<World *>(p)->hesitate();
      return v;
    };
    b.swap_mem = [](void *p, uint64_t pa, uint64_t expected, uint64_t value) {
      World &w = *static_cast<World *>(p);
      uint64_t was = w.memory.word(pa);
      if (was == expected) w.software_put(pa, value);
      else w.lost_swaps++;
      w.hesitate();
      return was;
    };
    b.write_mem = [](void *p, uint64_t pa, uint64_t v) {
      static_cast<World *>(p)->software_put(pa, v);
    };
    b.alloc_page = [](void *p, uint64_t *pa) {
      World *w = static_cast<World *>(p);
      if (w->free_tables.empty()) return 1;
      *pa = w->free_tables.back();
      w->free_tables.pop_back();
      return 0;
    };
    b.free_page = [](void *p, uint64_t pa) { static_cast<World *>(p)->free_tables.push_back(pa); };
    return b;
  }
};

/// The walker's memory: answers in any order, after random times, errors on demand.
struct WalkMemory {
  struct Read {
    uint32_t id;
    uint64_t pa, at;
    bool line; // 64 bytes
  };
  std::deque<Read> reads;
  int showing = -1;
  bool bad = false;
  uint32_t beat = 0;     // of a read of two beats
  uint32_t refusal = 2;  // SLVERR or DECERR
  unsigned error_in = 0; // one read of so many fails; 0: none
  unsigned latency = 12;
  uint64_t served = 0;

  void drive(World &w) {
    Dut &d = w.dut;
    d.w_arready_i = w.below(4) != 0;
    if (showing < 0 && !reads.empty()) {
      int pick = static_cast<int>(w.below(reads.size()));
      if (reads[static_cast<size_t>(pick)].at <= w.cycle) {
        showing = pick;
        beat = 0;
        bad = error_in && w.below(error_in) == 0;
        refusal = 2 + static_cast<uint32_t>(w.cycle % 2);
      }
    }
    d.w_rvalid_i = showing >= 0;
    if (showing < 0) return;
    const Read &r = reads[static_cast<size_t>(showing)];
    d.w_rid_i = r.id;
    if (kWalkW <= 64) {
      bits_set(d.w_rdata_i, 0, kWalkW,
               (bad ? gmmu_rng_next(&w.rng) : w.memory.word(r.pa)) >> (32 * beat));
    } else { // the lane of the PTE; a read of a whole line: all
      uint64_t base = r.pa & ~(kWalkW / 8 - 1ull);
      for (uint32_t lane = 0; lane < kWalkW / 64; lane++) {
        uint64_t at = base + 8 * lane;
        bits_set(d.w_rdata_i, 64 * lane, 64,
                 bad || (at != r.pa && !r.line) ? gmmu_rng_next(&w.rng) : w.memory.word(at));
      }
    }
    d.w_rresp_i = bad && (beat == 0) == (r.pa & 8) / 8 ? refusal
                  : bad && kWalkW >= 64                ? refusal
                                                       : 0; // of two beats one has the error
    d.w_rlast_i = kWalkW >= 64 || beat == 1;
  }
  void sample(World &w) {
    Dut &d = w.dut;
    if (d.w_rvalid_i && d.w_rready_o && !d.w_rlast_i) {
      beat = 1;
    } else if (d.w_rvalid_i && d.w_rready_o) {
      beat = 0;
      reads.erase(reads.begin() + showing);
      showing = -1;
      served++;
    }
    if (d.w_arvalid_o && d.w_arready_i)
      reads.push_back(
          {d.w_arid_o, d.w_araddr_o, w.cycle + 1 + w.below(2 * latency), d.w_arsize_o == 6});
  }
};

#ifndef GMMU_TB_NATIVE_ONLY // no AXI ports, no coalescer
/// The memory of coalescer, page copy and updates of PTEs: bursts in order. Some writes it takes
/// only when address and data are offered together. Exclusive accesses: a write is refused when the
/// word is not what was read, and now and then for nothing.
struct EngineMemory {
  struct Access {
    uint64_t at, ready;
    uint32_t beats;
    bool lock;
  };
  std::deque<Access> reads, writes;
  std::deque<uint64_t> data;                         // W beats whose AW may still come
  std::deque<std::pair<uint64_t, uint32_t>> answers; // of writes: not before this cycle; BRESP
  uint64_t marked_at = ~0ull, marked = 0;            // what was read exclusively
  uint64_t exclusive = 0, refused = 0, dirtied = 0,
           broken =
               0; // exclusive writes done, refused; PTEs that got D; exclusive reads with an error
  std::function<void(World &, uint64_t)> on_dirty; // a PTE got D
  uint32_t beat = 0;
  bool together = false, bad = false;
  unsigned error_in = 0;   // one read beat or write burst of so many fails; 0: none
  unsigned b_error_in = 0; // one write burst of so many
  uint64_t failed = 0;     // of both

  void drive(World &w) {
    Dut &d = w.dut;
    d.p_arready_i = w.below(3) != 0;
    d.p_awready_i = w.below(3) != 0 && (!together || d.p_wvalid_o || !data.empty());
    d.p_wready_i = w.below(3) != 0 && (!together || d.p_awvalid_o || !writes.empty());
    if (!d.p_rvalid_i || d.p_rready_o) bad = error_in && w.below(error_in) == 0; // of each beat
    bool reading =
        !reads.empty() && w.cycle >= reads.front().ready && (d.p_rvalid_i || w.below(8) != 0);
    d.p_rvalid_i = reading;
    d.p_rresp_i = bad ? 2 + w.cycle % 2 : reading && reads.front().lock ? 1 : 0;
    d.p_rlast_i = reading && beat + 1 == reads.front().beats;
    d.p_rdata_i =
        bad || !reading ? gmmu_rng_next(&w.rng) : w.memory.word(reads.front().at + 8 * beat);
    d.p_bvalid_i = !answers.empty() && w.cycle >= answers.front().first;
    d.p_bresp_i = d.p_bvalid_i ? static_cast<uint8_t>(answers.front().second) : 0;
  }
  void sample(World &w) {
    Dut &d = w.dut;
    failed += d.p_rvalid_i && d.p_rready_o && d.p_rresp_i >= 2;
    if (d.p_rvalid_i && d.p_rready_o && reads.front().lock) broken += d.p_rresp_i >= 2;
    if (d.p_rvalid_i && d.p_rready_o && reads.front().lock && d.p_rresp_i == 1)
      marked_at = reads.front().at, marked = d.p_rdata_i;
    if (d.p_rvalid_i && d.p_rready_o && ++beat == reads.front().beats) reads.pop_front(), beat = 0;
    if (d.p_bvalid_i && d.p_bready_o) answers.pop_front();
    if (d.p_arvalid_o && d.p_arready_i)
      reads.push_back({d.p_araddr_o, w.cycle + w.below(12), d.p_arlen_o + 1u, d.p_arlock_o != 0});
    if (d.p_awvalid_o && d.p_awready_i)
      writes.push_back({d.p_awaddr_o, 0, d.p_awlen_o + 1u, d.p_awlock_o != 0});
    if (d.p_wvalid_o && d.p_wready_i) data.push_back(d.p_wdata_o);
    if (writes.empty() || data.size() < writes.front().beats) return;
    bool error = (error_in && w.below(error_in) == 0) || (b_error_in && w.below(b_error_in) == 0),
         lock = writes.front().lock, lost = false;
    if ((w.is_table || lock) && writes.front().beats == 1) {
      uint64_t at = writes.front().at, old = w.memory.word(at), now = data.front(),
               ad = GMMU_PTE_A | GMMU_PTE_D;
      if (!lock) w.fail("a PTE is written by a plain access", 1, 0, at);
      if (marked_at != at) w.fail("an exclusive write of what was not read so", marked_at, at, at);
      lost = old != marked || w.below(8) == 0;
      refused += !error && lost;
      exclusive += !error && !lost;
      if (!error && !lost && (old & ad & ~now)) w.fail("A or D of a PTE is lost", old, now, at);
      if (!error && !lost && (now & ~old & GMMU_PTE_D)) {
        dirtied++;
        if (on_dirty) on_dirty(w, at);
      }
      marked_at = ~0ull;
    }
    for (uint32_t i = 0; i < writes.front().beats; i++, data.pop_front())
      if (!error && !lost) w.memory.put(writes.front().at + 8 * i, data.front());
    failed += error;
    writes.pop_front();
    answers.push_back({w.cycle + w.below(8), error ? 2u + w.cycle % 2 : lock && !lost ? 1u : 0u});
    together = w.below(2);
  }
};

/// AtomicLoad ADD of the kAtomBytes at `a`, whose bytes are at `to`.
inline void atomic_add(uint8_t *to, const Beat &data, uint64_t a) {
  uint64_t sum = 0, add = 0;
  memcpy(&sum, to, kAtomBytes);
  memcpy(&add, &data[a & (kBytes - 1)], kAtomBytes);
  sum += add;
  memcpy(to, &sum, kAtomBytes);
}

/// How often a memory does what it could do: not in `idle` of `of` cycles, by chance.
struct Pace {
  uint32_t of, idle;
  bool now(World &w) const { return w.below(of) >= idle; }
};

/// The memory behind one port. Bursts of one ID stay in order, others overtake; read bursts of
/// different IDs interleave.
struct PortMemory {
  uint32_t port;
  Pace aw{3, 1}, ar{3, 1}, w{4, 1}, answer{4, 1};
  unsigned shut_one_in = 3000,
           shut_cycles =
               400;         // takes no addresses now and then, for 50 cycles and up to so many more
  bool in_order = false;    // answers in the order of the bursts, whatever their IDs
  bool interleaves = true;  // read beats of different IDs take turns
  bool as_accepted = false; // a read returns what memory held when its address was taken
  std::map<uint32_t, std::deque<Ref>> reads, writes; // by ID, issued and not complete
  std::deque<Ref> w_order;
  struct WBeat {
    Beat data, strb;
    bool last;
  };
  std::deque<WBeat> w_early; // taken, their AW not yet
  bool together = false;     // AW is taken only when its W is offered, or has come
  uint32_t r_id = 0, b_id = 0;
  bool r_on = false, b_on = false;
  Beat r_data{};
  uint64_t shut_until = 0;
  unsigned latency = 10;
  bool fast = false; // always ready, answers at once
  int doors = -1;    // takes so many read addresses and no more; -1: no limit
  bool one = false;  // takes an address only when it has nothing else of that direction
  std::function<void(Ref)> on_apply; // a write has reached memory, an atomic is done
  uint64_t taken = 0;                // bursts

  void drive(World &w) {
    Dut &d = w.dut;
    // Now and then it takes nothing for a while: bursts are held at its door.
    if (!fast && w.below(shut_one_in) == 0) shut_until = w.cycle + 50 + w.below(shut_cycles);
    bool open = fast || w.cycle >= shut_until;
    bool held = together && !bits_get(d.m_wvalid_o, port, 1) && w_early.empty();
    auto full = [&](auto &from) {
      if (one)
        for (auto &[i, q] : from)
          if (!q.empty()) return true;
      return false;
    };
    bits_set(d.m_awready_i, port, 1, fast || (open && !held && !full(writes) && aw.now(w)));
    bits_set(d.m_wready_i, port, 1, fast || this->w.now(w));
    bits_set(d.m_arready_i, port, 1,
             doors >= 0 ? doors > 0 : fast || (open && !full(reads) && ar.now(w)));
    if (!r_on && (r_on = pick(w, reads, true, r_id))) { // what is shown stays
      const Burst &b = *reads[r_id].front();
      r_data = b.refused                 ? random_beat(w.rng)
               : b.old.size() > b.r_sent ? b.old[b.r_sent]
                                         : w.memory.beat(b.at(b.r_sent, b.pa));
    }
    if (!b_on) b_on = pick(w, writes, false, b_id);
    bits_set(d.m_rvalid_i, port, 1, r_on);
    if (r_on) {
      Burst &b = *reads[r_id].front();
      bits_set(d.m_rid_i, port * kIdW, kIdW, r_id);
      beat_set(d.m_rdata_i, port * kDataW, r_data);
      bits_set(d.m_rresp_i, port * 2, 2, b.refused ? b.refusal : 0);
      bits_set(d.m_rlast_i, port, 1, b.r_sent + 1 == b.r_beats());
      bits_set(d.m_ruser_i, port * kUserW, kUserW, b.mark);
    }
    bits_set(d.m_bvalid_i, port, 1, b_on);
    if (b_on) {
      bits_set(d.m_bid_i, port * kIdW, kIdW, b_id);
      bits_set(d.m_bresp_i, port * 2, 2,
               writes[b_id].front()->refused ? writes[b_id].front()->refusal : 0);
      bits_set(d.m_buser_i, port * kUserW, kUserW, writes[b_id].front()->mark);
    }
  }
  bool pick(World &w, std::map<uint32_t, std::deque<Ref>> &from, bool read, uint32_t &id) {
    std::vector<uint32_t> can;
    for (auto &[i, q] : from)
      if (!q.empty() && q.front()->b_at <= w.cycle &&
          (read && !q.front()->write ? true : q.front()->applied && (!read || w.below(40) == 0)))
        can.push_back(i);
    if (can.empty() || (!fast && !answer.now(w))) return false;
    id = can[w.below(can.size())];
    if (in_order || !interleaves) {
      uint64_t first = ~0ull; // the burst that has begun; else the oldest
      for (auto &[i, q] : from)
        if (!q.empty()) first = std::min(first, read && q.front()->r_sent ? 0 : q.front()->number);
      for (auto &[i, q] : from)
        if (!q.empty() && (read && q.front()->r_sent ? 0 : q.front()->number) == first &&
            (in_order || first == 0))
          id = i;
      for (uint32_t i : can)
        if (i == id) return true;
      return false;
    }
    return true;
  }
  void issued(World &w, Ref b) {
    if (!b->write && doors > 0) doors--;
    b->b_at = w.cycle + (fast ? 1 : 1 + w.below(2 * latency));
    b->number = ++taken;
    for (uint32_t i = 0; as_accepted && !b->write && i < b->beats(); i++)
      b->old.push_back(w.memory.beat(b->at(i, b->pa)));
    if (b->returns()) reads[b->id].push_back(b);
    if (b->write) {
      writes[b->id].push_back(b);
      w_order.push_back(b);
    }
  }
  void sample(World &w) {
    Dut &d = w.dut;
    if (r_on && bits_get(d.m_rready_o, port, 1)) {
      r_on = false;
      auto &q = reads[r_id];
      if (++q.front()->r_sent == q.front()->r_beats()) q.pop_front();
    }
    if (b_on && bits_get(d.m_bready_o, port, 1)) {
      b_on = false;
      writes[b_id].pop_front();
    }
    if (bits_get(d.m_wvalid_o, port, 1) && bits_get(d.m_wready_i, port, 1))
      w_early.push_back({beat_get(d.m_wdata_o, port * kDataW), strb_get(d.m_wstrb_o, port * kBytes),
                         bits_get(d.m_wlast_o, port, 1) != 0});
    while (!w_early.empty() && !w_order.empty()) {
      Burst &b = *w_order.front();
      auto [data, strb, last] = w_early.front();
      w_early.pop_front();
      if (b.unknown && b.data.size() < b.beats()) b.data.push_back(data), b.strb.push_back(strb);
      if (b.w_done < b.beats()) {
        const Beat &want = b.data[b.w_done], &lanes = b.strb[b.w_done];
        for (uint32_t i = 0; i < kBytes; i++) {
          if (strb[i] != lanes[i]) w.fail("WSTRB at memory", lanes[i], strb[i], b.va + i);
          if (lanes[i] && data[i] != want[i]) w.fail("WDATA at memory", want[i], data[i], b.va + i);
        }
        b.w_done++;
      }
      if (last != (b.w_done == b.beats()))
        w.fail("WLAST at memory", b.w_done == b.beats(), !b.w_done, b.va);
      if (b.w_done == b.beats()) {
        apply(w, b);
        if (on_apply) on_apply(w_order.front());
        w_order.pop_front();
        together = w.below(2);
      }
    }
  }
  void apply(World &w, Burst &b) {
    b.applied = true;
    if (b.atop & 0x20) {
      for (uint32_t i = 0; i < b.beats(); i++) b.old.push_back(w.memory.beat(b.at(i, b.pa)));
      if (!b.refused)
        for (uint32_t i = 0; i < b.beats(); i++)
          atomic_add(&w.memory.byte(b.at(i, b.pa)), b.data[i], b.at(i, b.pa));
    } else if (!b.refused) {
      for (uint32_t i = 0; i < b.beats(); i++) {
        uint64_t base = b.at(i, b.pa) & ~(kBytes - 1ull);
        for (uint32_t l = 0; l < kBytes; l++)
          if (b.strb[i][l]) w.memory.byte(base + l) = b.data[i][l];
      }
    }
  }
};

/// The burst that memory takes in this cycle at a port, from the pins alone; null: none.
inline Ref burst_at_memory(World &w, uint32_t p, bool write) {
  Dut &d = w.dut;
  auto is = [&](auto &aw, auto &ar) { return bits_get(aw, p, 1) && bits_get(ar, p, 1); };
  if (!(write ? is(d.m_awvalid_o, d.m_awready_i) : is(d.m_arvalid_o, d.m_arready_i)))
    return nullptr;
  auto get = [&](auto &aw, auto &ar, uint32_t n) {
    return write ? bits_get(aw, p * n, n) : bits_get(ar, p * n, n);
  };
  auto b = std::make_shared<Burst>();
  b->write = write, b->unknown = true, b->port = p, b->since = w.cycle;
  b->id = static_cast<uint32_t>(get(d.m_awid_o, d.m_arid_o, kIdW));
  b->pa = get(d.m_awaddr_o, d.m_araddr_o, kPaW);
  b->len = static_cast<uint32_t>(get(d.m_awlen_o, d.m_arlen_o, 8));
  b->size = static_cast<uint32_t>(get(d.m_awsize_o, d.m_arsize_o, 3));
  b->kind = static_cast<uint32_t>(get(d.m_awburst_o, d.m_arburst_o, 2));
  b->mark = static_cast<uint32_t>(get(d.m_awuser_o, d.m_aruser_o, kUserW));
  return b;
}
#endif

#endif
