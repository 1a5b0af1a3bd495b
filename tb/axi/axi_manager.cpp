// SPDX-License-Identifier: Apache-2.0
// axi_manager.cpp - the memory manager as the software of tb/axi/axi_bench.cpp (axi_manager.h).
#include "axi_manager.h"
extern "C" {
#include "gmmu_mm.h"
}

namespace {
constexpr uint64_t kArenaPages = 4 * 512,
                   kManaged = 4 * kLarge; // memory for two spaces of 8 MiB each

struct Manager {
  Bench &b;
  gmmu_mm *mm = nullptr;
  struct Transfer {
    unsigned asid;
    uint64_t va, pa, bytes, at;
  };
  std::vector<Transfer> coming;
  uint64_t ops = 0, checked = 0, waits = 0;

  explicit Manager(Bench &bench) : b(bench) {}
  void rubbish(uint64_t pa) {
    for (auto &byte : b.memory.page(pa >> 12)) byte = static_cast<uint8_t>(gmmu_rng_next(&b.rng));
  }
  /// Nobody uses the page any more: it holds what was written.
  void same(uint64_t pa, unsigned asid, uint64_t va) {
    for (auto &m : b.mem)
      for (auto *side : {&m.reads, &m.writes})
        for (auto &[id, q] : *side)
          for (auto &x : q)
            if (x->pa >> 12 == pa >> 12)
              b.fail("a burst uses a page that is moved", 0, x->pa, x->va);
    Page *p = b.page(asid, va);
    if (!p || memcmp(b.memory.page(pa >> 12).data(), p->content.data(), 4096))
      b.fail("content of a page that is moved", 0, 1, va);
    checked++;
  }
  void fetch(const Transfer &t) {
    for (uint64_t o = 0; o < t.bytes; o += 4096)
      if (Page *p = b.page(t.asid, t.va + o))
        memcpy(b.memory.page((t.pa + o) >> 12).data(), p->content.data(), 4096);
  }
  static void copy(void *arg, uint64_t to, uint64_t from) {
    Manager &m = *static_cast<Manager *>(arg);
    auto was = m.b.memory.page(from >> 12);
    m.b.engine.error_in = 3000;
    for (int e = GMMU_DRV_REFUSED, n = 0; e && !m.b.errors; n++) { // again after a memory error
      e = gmmu_drv_copy_page(&m.b.drv, to, from);
      if (e && (e != GMMU_DRV_REFUSED || n == 50)) m.b.must(e, "copy");
    }
    m.b.engine.error_in = 0;
    m.b.last_progress = m.b.cycle; // a frame's pages take long, and no fault is served meanwhile
    if (m.b.memory.page(to >> 12) != was) m.b.fail("a copied page", 0, 1, to);
    m.rubbish(from);
  }
  static int page_in(void *arg, unsigned asid, uint64_t va, uint64_t pa, uint64_t bytes) {
    Manager &m = *static_cast<Manager *>(arg);
    Transfer t{asid, va, pa, bytes, m.b.cycle + m.b.below(3000)};
    if (m.b.below(4) == 0) return m.fetch(t), 0;
    m.coming.push_back(t);
    return 1;
  }
  static void page_out(void *arg, unsigned asid, uint64_t va, uint64_t pa) {
    Manager &m = *static_cast<Manager *>(arg);
    m.same(pa, asid, va);
    m.rubbish(pa);
  }
  static unsigned channel(void *, uint64_t pa) {
    return static_cast<unsigned>((pa >> 12 ^ pa >> 14) & 3);
  }
  static int fault(void *arg, const gmmu_drv_fault *f) {
    Manager &m = *static_cast<Manager *>(arg);
    m.b.faults++;
    m.b.asked.check(m.b, *f);
    if (f->cause == GMMU_AF_MEM) return GMMU_DRV_RESOLVED; // the walk had a memory error
    int verdict = gmmu_mm_fault(m.mm, f), why = gmmu_mm_last_fault(m.mm);
    if (why == GMMU_MM_NO_MEMORY) m.waits++; // all pages of a frame are on their way: later
    else if (why) m.b.fail(gmmu_mm_error_name(why), 0, f->cause, f->va);
    return verdict;
  }
  void well() {
    if (const char *e = gmmu_mm_check(mm)) {
      printf("%s\n", e);
      b.errors++;
    }
  }
  void must(int e, const char *what) {
    if (e < 0) {
      printf("manager: %s: %s\n", what, gmmu_mm_error_name(e));
      b.errors++;
    }
  }
  void serve() {
    if (b.dut.irq_o) {
      b.must(gmmu_drv_handle_faults(&b.drv, fault, this), "faults");
      b.asked.emptied();
    }
    for (size_t i = 0; i < coming.size(); i++)
      if (coming[i].at <= b.cycle) {
        Transfer t = coming[i];
        coming.erase(coming.begin() + static_cast<long>(i));
        fetch(t);
        must(gmmu_mm_arrived(mm, t.asid, t.va), "arrived");
        break;
      }
  }
  /// Waits until nothing uses pages [at, at + n) of a space.
  void quiet(uint32_t asid, uint64_t at, uint64_t n) {
    auto all = [&](auto what) {
      for (uint64_t k = at; k < at + n; k++) what(*b.page(asid, b.large_va + k * 4096));
    };
    all([](Page &p) { p.held = true; });
    for (bool busy = true; busy && !b.errors;) {
      busy = false;
      all([&](Page &p) { busy |= p.busy != 0; });
      if (!busy) break;
      b.step();
      serve();
    }
    all([](Page &p) { p.held = false; });
  }
  void allocate(uint32_t asid) {
    uint64_t at = b.below(kArenaPages), n = 1 + b.below(30);
    auto taken = [&] { return b.page(asid, b.large_va + at * 4096)->mapped; };
    if (b.below(2)) { // whole virtual 2 MiB, where there is room
      n = 512 + b.below(100);
      at &= ~511ull;
      for (uint64_t k = 0; k < kArenaPages && taken(); k += 512) at = (at + 512) % kArenaPages;
    } else {
      for (uint64_t k = 0; k < kArenaPages && taken(); k++) at = (at + 1) % kArenaPages;
      for (uint64_t k = 1; k < n; k++)
        if (at + k < kArenaPages && b.page(asid, b.large_va + (at + k) * 4096)->mapped) n = k;
    }
    if (at + n > kArenaPages) n = kArenaPages - at;
    bool exists = false;
    for (uint64_t k = at; k < at + n; k++) exists |= b.page(asid, b.large_va + k * 4096)->mapped;
    if (exists && b.below(8)) return;
    bool writable = b.below(4) != 0, demand = b.below(2);
    int e = gmmu_mm_alloc(mm, asid, b.large_va + at * 4096, n * 4096,
                          GMMU_DRV_R | GMMU_DRV_U | (writable ? GMMU_DRV_W : 0), demand);
    if (e && e != GMMU_MM_EXISTS && e != GMMU_MM_NO_MEMORY) must(e, "alloc");
    if (exists != (e == GMMU_MM_EXISTS) && coming.empty())
      b.fail("allocating what is allocated", exists, static_cast<uint64_t>(-e), at);
    if (e) return;
    ops++;
    for (uint64_t k = at; k < at + n; k++) {
      Page *p = b.page(asid, b.large_va + k * 4096);
      p->mapped = true, p->writable = writable;
    }
  }
  void release(uint32_t asid) {
    uint64_t at = b.below(kArenaPages), n = 1 + b.below(b.below(8) ? 60 : 512);
    while (at < kArenaPages && !b.page(asid, b.large_va + at * 4096)->mapped) at++;
    uint64_t have = 0;
    while (have < n && at + have < kArenaPages &&
           b.page(asid, b.large_va + (at + have) * 4096)->mapped)
      have++;
    if (!have) return;
    quiet(asid, at, have);
    for (uint64_t k = at; k < at + have; k++) b.page(asid, b.large_va + k * 4096)->mapped = false;
    must(gmmu_mm_dealloc(mm, asid, b.large_va + at * 4096, have * 4096), "dealloc");
    ops++;
  }
  /// An application ends: all of it is freed; the next one begins with whole frames.
  void end(uint32_t asid) {
    quiet(asid, 0, kArenaPages);
    std::vector<std::pair<uint64_t, uint64_t>> runs;
    for (uint64_t at = 0; at < kArenaPages; at++) {
      bool &mapped = b.page(asid, b.large_va + at * 4096)->mapped;
      if (!mapped) continue;
      mapped = false; // no traffic from here on
      if (runs.empty() || runs.back().first + runs.back().second != at) runs.push_back({at, 0});
      runs.back().second++;
    }
    for (auto &[at, n] : runs)
      must(gmmu_mm_dealloc(mm, asid, b.large_va + at * 4096, n * 4096), "dealloc");
    ops++;
    for (int k = 0; k < 4; k++) allocate(asid);
  }
};

} // namespace

void managed(Bench &b, uint64_t bursts) {
  b.pages.clear();
  b.page_of.clear();
  b.large_va = Places(b.seed).draw(kAxiReach, log2_of(kArenaPages * 4096));
  for (uint32_t a : b.asids)
    for (uint64_t k = 0; k < kArenaPages; k++) {
      Page p;
      p.asid = a;
      p.va = b.large_va + k * 4096;
      for (auto &x : p.content) x = static_cast<uint8_t>(gmmu_rng_next(&b.rng));
      b.page_of[{a, p.va >> 12}] = b.pages.size();
      b.pages.push_back(p);
    }
  gmmu_drv_bus bus = b.bus();
  b.must(gmmu_drv_init(&b.drv, &bus), "init");
  b.must(gmmu_drv_window(&b.drv, 0, kTables, kTablesEnd, true, false), "window");
  b.must(gmmu_drv_window(&b.drv, 1, kData, kData + kManaged - 1, false, true), "window");
  for (uint32_t a : b.asids) b.must(gmmu_drv_open(&b.drv, a, false, true, true, false), "open");
  Manager m(b);
  gmmu_mm_cfg cfg{GMMU_MM_MOSAIC, kData, kManaged, 256, true, true};
  gmmu_mm_host host{&m, Manager::copy, Manager::page_in, Manager::page_out, Manager::channel};
  m.mm = gmmu_mm_new(&cfg, &b.drv, &host);
  m.must(m.mm ? gmmu_mm_fragment(m.mm, 0.4, 0.3, b.seed) : GMMU_MM_NO_MEMORY, "new");
  if (b.errors) return;
  b.where = [&m](uint32_t asid, uint64_t va, uint64_t *pa) {
    return gmmu_mm_where(m.mm, asid, va, pa) >= GMMU_MM_COMING;
  };
  set_ports(b, false);
  b.must(gmmu_drv_fault_irq(&b.drv, true), "interrupts");
  for (uint32_t a : b.asids) m.allocate(a);
  b.target = b.made + bursts;
  b.traffic = true;
  b.walk.error_in = 200;
  BenchProgress progress(b.target, "bursts", 0x1000);
  uint64_t next_check = 0;
  while (b.made < b.target && !b.errors) {
    const uint32_t a = b.asids[b.below(2)];
    // Spells in which memory fills up, and spells of coming and going.
    uint64_t what = b.below(1000);
    if (what < 2) m.allocate(a);
    else if (what < 5 && b.made / 6000 % 2) m.release(a);
    else if (what == 5 && b.below(12) == 0) m.end(a);
    else b.step();
    m.serve();
    if (b.cycle >= next_check) m.well(), next_check = b.cycle + 20000;
    progress.show(b.cycle, b.done);
  }
  b.traffic = false;
  for (bool busy = true; busy && !b.errors;) {
    busy = b.made != b.done || b.native_showing >= 0 || !m.coming.empty();
    for (auto &n : b.native) busy |= n.valid;
    b.step();
    m.serve();
  }
  m.well();
  for (auto &p : b.pages) { // every byte of every live page that is in memory
    uint64_t pa = 0;
    if (p.mapped && gmmu_mm_where(m.mm, p.asid, p.va, &pa) == GMMU_MM_HERE)
      m.same(pa, p.asid, p.va);
  }
  b.where = nullptr;
  gmmu_mm_stats s;
  gmmu_mm_get_stats(m.mm, &s);
  // A short run may miss one of them.
  if (!b.errors && bursts >= 80000 && (!s.coalesced || !s.splintered || !s.moved || !s.outs))
    b.fail("coalesced, splintered, moved, paged out", 1, 0, s.coalesced);
  b.errors += b.dut.errors_o;
  printf("%s gmmu_axi above the memory manager: %" PRIu64 " bursts (%" PRIu64 " atomic), %" PRIu64
         " native requests, %" PRIu64 " faults, %" PRIu64 " allocations and frees, %" PRIu64
         " frames coalesced, %" PRIu64 " splintered, %" PRIu64 " compacted, %" PRIu64
         " pages moved, %" PRIu64 " in, %" PRIu64 " out, %" PRIu64 " emergencies, %" PRIu64
         " frames mixed, %" PRIu64 " pages compared whole, %" PRIu64 " cycles; %" PRIu64
         " mismatches\n",
         b.errors ? "FAIL" : "PASS", b.done, b.atomics, b.natives, b.faults, m.ops, s.coalesced,
         s.splintered, s.compacted, s.moved, s.ins, s.outs, s.emergencies, s.mixed, m.checked,
         b.cycle, b.errors);
  gmmu_mm_free_all(m.mm);
}
