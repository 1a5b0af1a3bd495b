// SPDX-License-Identifier: Apache-2.0
// axi_software.cpp - the software of tb/axi/axi_bench.cpp (axi_software.h).
#include "axi_software.h"

void choose_rights(Bench &b, Page &p, uint32_t access, bool user) {
  p.user = user || (access != 2 && b.below(8));
  p.writable = access == 1 || access == 3 || b.below(2);
  p.executable = access == 2 || b.below(4);
  p.readable = p.writable || !p.executable || access == 0 || b.below(4);
}

int resolve(void *arg, const gmmu_drv_fault *f) {
  Bench &b = *static_cast<Bench *>(arg);
  b.faults++;
  b.asked.check(b, *f);
  if (f->cause == GMMU_AF_MEM) { // the walk had a memory error
    b.memory_faults++;
    return GMMU_DRV_RESOLVED;
  }
  if (f->cause == GMMU_BUS_BURST) { // it has ended
    b.broken++;
    return GMMU_DRV_RESOLVED;
  }
  Page *p = b.page(f->asid, f->va);
  if (!p) {
    b.fail("fault of an address that nobody uses", 0, f->va, f->va);
    return GMMU_DRV_LATER;
  }
  if (b.error_mode || b.fuzzing) return GMMU_DRV_LATER;
  if (b.below(10) == 0) return GMMU_DRV_RESOLVED; // not true: it must fault, and be recorded, again
  if (!p->mapped) {
    p->pfn = b.frame();
    memcpy(b.memory.page(p->pfn).data(), p->content.data(), 4096);
    p->mapped = true;
    choose_rights(b, *p, f->access, f->user);
    b.must(gmmu_drv_map(&b.drv, p->asid, p->va, p->pfn << 12, 4096, rights(*p), false), "map");
  } else if (!permits(*p, f->access, f->user)) {
    (f->access == 2 ? p->executable : f->access ? p->writable : p->readable) = true;
    p->readable |= p->writable;
    if (f->user || f->access == 2) p->user = f->user;
    p->leaving = true; // what it was may be used until the driver has it invalidated
    p->old_pfn = p->pfn;
    b.must(gmmu_drv_protect(&b.drv, p->asid, p->va, 4096, rights(*p)), "protect");
    p->leaving = false;
  }
  return GMMU_DRV_RESOLVED; // also when another fault of the page was resolved before
}

void serve(Bench &b) {
  b.must(gmmu_drv_handle_faults(&b.drv, resolve, &b), "faults");
  b.asked.emptied();
}

bool next_fault(Bench &b, gmmu_drv_fault &f) {
  const bool is = gmmu_drv_next_fault(&b.drv, &f) > 0;
  if (is) b.asked.check(b, f);
  else b.asked.emptied();
  return is;
}

namespace {
/// The frame is no longer in use: content is right, no burst on its way to it. Then it is filled
/// with rubbish.
void retire(Bench &b, Page &p, uint64_t pfn) {
  for (auto &m : b.mem)
    for (auto *side : {&m.reads, &m.writes})
      for (auto &[id, q] : *side)
        for (auto &x : q)
          if (x->pa >> 12 == pfn)
            b.fail("a burst uses a frame after the acknowledgement", 0, x->pa, x->va);
  if (memcmp(b.memory.page(pfn).data(), p.content.data(), 4096))
    b.fail("content of a page after the acknowledgement", 0, 1, p.va);
  for (auto &byte : b.memory.page(pfn)) byte = static_cast<uint8_t>(gmmu_rng_next(&b.rng));
  b.free_frames.insert(pfn);
}

/// The page of a burst that is offered to memory and not taken, if there is one.
Page *held_page(Bench &b) {
  auto &d = b.dut;
  for (uint32_t p = 0; p < kPorts; p++)
    for (bool write : {true, false}) {
      if (write ? !bits_get(d.m_awvalid_o, p, 1) || bits_get(d.m_awready_i, p, 1)
                : !bits_get(d.m_arvalid_o, p, 1) || bits_get(d.m_arready_i, p, 1))
        continue;
      uint64_t pfn = (write ? bits_get(d.m_awaddr_o, p * kPaW, kPaW)
                            : bits_get(d.m_araddr_o, p * kPaW, kPaW)) >>
                     12;
      for (auto &page : b.pages)
        if (page.mapped && !page.fixed && page.pfn == pfn) return &page;
    }
  return nullptr;
}

} // namespace

Page &some_page(Bench &b) {
  const uint64_t k = b.below(2 * kScattered + kNativePages);
  return b.pages[k + (k >= kScattered ? 512 : 0) + (k >= 2 * kScattered ? 512 : 0)];
}

void unmap_some(Bench &b) {
  Page *used = held_page(b); // often one with bursts at the door, or on their way
  if (!used) used = b.page(b.last_asid, b.last_va);
  Page &p = used && b.below(2) ? *used : some_page(b);
  if (!p.mapped || p.fixed) return;
  p.old_pfn = p.pfn;
  p.leaving = true;
  p.mapped = false;
  b.must(gmmu_drv_unmap(&b.drv, p.asid, p.va, 4096), "unmap");
  p.leaving = false;
  retire(b, p, p.old_pfn);
  b.remaps++;
}

void protect_some(Bench &b) {
  Page &p = some_page(b);
  if (!p.mapped || !p.writable || p.fixed) return;
  p.writable = false;
  p.executable = b.below(2);
  p.leaving = true;
  p.old_pfn = p.pfn;
  b.must(gmmu_drv_protect(&b.drv, p.asid, p.va, 4096, rights(p)), "protect");
  p.leaving = false;
}

void new_tables(Bench &b) {
  gmmu_rng rng{~b.seed}; // its own: where tables lie does not change what happens
  auto &pages = b.memory.pages;
  pages.erase(pages.lower_bound(kTables >> 12), pages.upper_bound(kTablesEnd >> 12));
  if (kFar)
    pages.erase(pages.lower_bound(kFarTables >> 12), pages.upper_bound(kFarTablesEnd >> 12));
  b.free_tables.clear();
  for (uint64_t t = kTables; t < kTablesEnd; t += 4096) {
    uint64_t far = 0;
    while (kFar && (!far || std::count(b.free_tables.begin(), b.free_tables.end(), far)))
      far = kFarTables + 4096 * gmmu_rng_below(&rng, kQuarter / 8192);
    b.free_tables.push_back(t);
    if (far) b.free_tables.push_back(far);
  }
}

void set_asids(Bench &b) {
  gmmu_rng rng{b.seed ^ 0xa51d};
  const uint64_t pair = gmmu_rng_below(&rng, (kAsids - 1) * (kAsids - 2));
  b.asids[0] = 1 + static_cast<uint32_t>(pair % (kAsids - 1));
  b.asids[1] =
      1 + static_cast<uint32_t>((pair % (kAsids - 1) + 1 + pair / (kAsids - 1)) % (kAsids - 1));
  for (uint32_t p = 0; p < kAllPorts; p++) b.port_asid[p] = b.asids[p % 2];
  b.port_asid[kNative] = b.asids[1];
  new_tables(b);
}

void build(Bench &b) {
  set_asids(b);
  gmmu_rng rng{b.seed};
  for (uint64_t n = 0, first = (kData + 4 * kLarge) >> 12; b.free_frames.size() < 400; n++) {
    uint64_t f = kFar ? first + gmmu_rng_below(&rng, (kDataEnd >> 12) - first) : first + n;
    if (f >> 1 != kSpare >> 13) b.free_frames.insert(f);
  }
  Places places(b.seed);
  b.large_va = places.draw(kAxiReach, 21);
  uint64_t scattered[kScattered];
  for (auto &va : scattered) va = places.draw(kAxiReach);
  auto add = [&](const Page &p) {
    b.page_of[{p.asid, p.va >> 12}] = b.pages.size();
    b.pages.push_back(p);
  };
  for (uint32_t a : b.asids) {
    for (uint64_t va : scattered) { // the same addresses in both spaces
      Page p;
      p.asid = a;
      p.va = va;
      add(p);
    }
    for (uint64_t i = 0; i < 512;
         i++) { // a large frame that is coalesced and splintered under traffic
      Page p;
      p.asid = a;
      p.va = b.large_va + i * 4096;
      p.fixed = p.mapped = true;
      p.pfn = (kData + a * kLarge + i * 4096) >> 12;
      add(p);
    }
  }
  for (uint64_t i = 0; i < kNativePages; i++) { // where no AXI port reaches
    Page p;
    p.asid = b.port_asid[kNative];
    do p.va = places.draw(kNativeReach);
    while (kAxiReach.extend(p.va) == p.va);
    p.native = true;
    add(p);
  }
}

void set_ports(Bench &b, bool errors) {
  for (uint32_t p = 0; p < kAllPorts; p++) {
    gmmu_drv_port s{GMMU_DRV_TRANSLATE, GMMU_DRV_FROM_REGISTER, 0, b.port_asid[p], errors, 0};
    if (p == 1) s.asid_from = GMMU_DRV_FROM_USER, s.shift = 4, s.asid = 0;
    if (p < kPorts) s.fetch = b.port_fetch[p];
    b.must(gmmu_drv_set_port(&b.drv, p, &s), "port");
  }
}

void open_all(Bench &b) {
  gmmu_drv_bus bus = b.bus();
  b.must(gmmu_drv_init(&b.drv, &bus), "init");
  b.must(gmmu_drv_window(&b.drv, 0, kTables, kTablesEnd, true, false), "window");
  b.must(gmmu_drv_window(&b.drv, 1, kData, kDataEnd, false, true), "window");
  if (kFar) b.must(gmmu_drv_window(&b.drv, 2, kFarTables, kFarTablesEnd, true, false), "window");
  for (uint32_t a : b.asids) {
    b.must(gmmu_drv_open(&b.drv, a, false, true, true, false), "open");
    b.must(gmmu_drv_map(&b.drv, a, b.large_va, kData + a * kLarge, kLarge,
                        GMMU_DRV_R | GMMU_DRV_W | GMMU_DRV_X | GMMU_DRV_U, false),
           "map 2 MiB of pages");
  }
  for (auto &p : b.pages) {
    if (p.fixed || !p.mapped) continue;
    b.must(gmmu_drv_map(&b.drv, p.asid, p.va, p.pfn << 12, 4096, rights(p), false), "map");
  }
  set_ports(b, false);
  b.must(gmmu_drv_fault_irq(&b.drv, true), "interrupts");
}

void drain(Bench &b, bool resolve_faults) {
  b.traffic = false;
  auto waiting = [&] {
    if (b.made != b.done || b.native_showing >= 0) return true;
    for (auto &n : b.native)
      if (n.valid) return true;
    return false;
  };
  while (waiting() && !b.errors) {
    b.step();
    if (resolve_faults && b.dut.irq_o) serve(b);
  }
}

void count(Bench &b) {
  uint64_t v[GMMU_DRV_COUNTERS];
  b.must(gmmu_drv_counters(&b.drv, true, v), "counters");
  for (int i = 0; i < GMMU_DRV_COUNTERS; i++) b.counted[i] += v[i];
}

void check_frame(Bench &b, unsigned asid, bool coalesced) {
  uint64_t root = b.drv.root[asid], va = b.large_va,
           pte = b.memory.word(root + (va >> 30 & 511) * 8);
  uint64_t frame = b.memory.word((pte >> 10 << 12) + (va >> 21 & 511) * 8),
           leaves = (frame >> 10 << 12) & ((1ull << kPaW) - 1), dis = 0;
  for (uint64_t i = 0; i < 512; i++) dis += b.memory.word(leaves + 8 * i) >> 8 & 1;
  if (frame >> 63 != coalesced) b.fail("CO of the frame PTE", coalesced, frame >> 63, va);
  if (dis != (coalesced ? 512 : 0)) b.fail("leaf PTEs with DIS", coalesced ? 512 : 0, dis, va);
}

void set_marks(Bench &b, unsigned asid, bool all) {
  uint64_t leaves = b.is_table ? b.leaf(asid, b.large_va) : 0;
  // page 0 keeps its marks, or gets both: nothing may have accessed it yet
  for (uint64_t i = all ? 0 : 1; leaves && i < 512; i++) {
    uint64_t pte = b.memory.word(leaves + 8 * i);
    b.memory.put(leaves + 8 * i, all          ? pte | GMMU_PTE_A | GMMU_PTE_D
                                 : b.below(2) ? pte & ~uint64_t{GMMU_PTE_D}
                                 : b.below(2) ? pte & ~uint64_t{GMMU_PTE_A | GMMU_PTE_D}
                                              : pte);
  }
}

void coalesce(Bench &b, unsigned asid, bool &large) {
  if (!large) set_marks(b, asid, true);
  b.engine.error_in = b.below(4) ? 0 : 700;
  const uint64_t errors = b.engine.failed;
  int e = large ? gmmu_drv_splinter(&b.drv, asid, b.large_va)
                : gmmu_drv_coalesce(&b.drv, asid, b.large_va);
  bool failed = e == GMMU_DRV_REFUSED && b.engine.error_in;
  b.engine.error_in = 0;
  if (!failed) b.must(e, "coalesce or splinter");
  if (!b.is_table &&
      failed != (b.engine.failed > errors)) // with Svadu also of the walker's updates
    b.fail("memory errors that a coalesce or splinter says", b.engine.failed - errors, failed,
           b.large_va);
  if (failed) { // again, from whatever CO and DIS are now
    uint32_t kind = large ? 6 : 5;
    e = large ? gmmu_drv_splinter(&b.drv, asid, b.large_va)
              : gmmu_drv_coalesce(&b.drv, asid, b.large_va);
    if (e == GMMU_DRV_EXISTS &&
        kind == 5) { // CO was set, DIS not everywhere: splinter, then once more
      b.must(gmmu_drv_splinter(&b.drv, asid, b.large_va), "splinter after an error");
      e = gmmu_drv_coalesce(&b.drv, asid, b.large_va);
    }
    b.must(e, "coalesce or splinter after an error");
    b.co_errors++;
  }
  large = !large;
  check_frame(b, asid, large);
  if (!large) set_marks(b, asid, false);
  b.coalesced++;
}

void fail_updates(Bench &b) {
  auto run = [&](int cycles) {
    for (int i = 0; i < cycles && !b.errors; i++) {
      if (b.dut.irq_o && b.below(8) == 0) serve(b);
      b.step();
    }
  };
  unsigned error_in = b.walk.error_in;
  b.walk.error_in = 0;
  run(1000); // faults of reads have been recorded
  for (int i = 0; i < 6; i++) unmap_some(b);
  uint64_t faults = b.memory_faults, broken = b.engine.broken;
  b.engine.error_in = 1;
  run(3000);
  b.engine.error_in = 0;
  b.failed_updates += b.engine.broken > broken;
  if (b.engine.broken > broken + 20 && b.memory_faults == faults)
    b.fail("faults of updates that memory refused", 1, 0, 0);
  b.walk.error_in = error_in;
}

void copy_page(Bench &b) {
  auto &from = b.memory.page(kSpare >> 12), &to = b.memory.page((kSpare >> 12) + 1);
  for (auto &x : from) x = static_cast<uint8_t>(gmmu_rng_next(&b.rng));
  auto source = from;
  if (b.below(4) == 0) {
    uint64_t table = kTables + 4096 * b.below(8);
    auto old = b.memory.page(table >> 12);
    bool out = b.below(2); // a table as destination, or as source
    auto before = to;
    if (gmmu_drv_copy_page(&b.drv, out ? table : kSpare + 4096, out ? kSpare : table) !=
        GMMU_DRV_REFUSED)
      b.fail("copy outside the windows for data", 1, 0, table);
    if (b.memory.page(table >> 12) != old || to != before)
      b.fail("a refused copy writes", 0, 1, table);
    return;
  }
  b.engine.error_in = b.below(4) ? 0 : 1000;
  int e = gmmu_drv_copy_page(&b.drv, kSpare + 4096, kSpare);
  bool failed = e == GMMU_DRV_REFUSED && b.engine.error_in;
  b.engine.error_in = 0;
  if (failed) e = gmmu_drv_copy_page(&b.drv, kSpare + 4096, kSpare);
  b.must(e, "copy");
  if (to != source || from != source) b.fail("a copied page", 0, 1, kSpare);
  b.copies++;
  b.copy_errors += failed;
}

Ref read_nothing(Bench &b) {
  Page &p = b.pages[0];
  if (p.mapped) {
    b.must(gmmu_drv_unmap(&b.drv, p.asid, p.va, 4096), "unmap");
    p.mapped = false;
    retire(b, p, p.pfn);
  }
  auto r = std::make_shared<Burst>();
  r->asid = p.asid, r->va = p.va, r->mark = 3, r->fetch = b.port_fetch[0] == 2;
  b.lock(*r, 1);
  b.ar[0] = r;
  b.made++;
  offer(b);
  return r;
}

void ends_between_retries(Bench &b) {
  uint32_t every = 1, off = 0;
  b.access(true, GMMU_REG_RETRY_CYCLES, &every, 15);
  Ref r = read_nothing(b);
  for (int i = 0; i < 200; i++) b.step();
  if (r->over) b.fail("a burst without a page ended", 0, 1, r->va);
  r->want_cause = GMMU_PF_INVALID;
  set_ports(b, true);
  for (int i = 0; i < 2000 && !r->over; i++) b.step();
  if (!r->over) b.fail("a burst in error mode never ends", 1, 0, r->va);
  set_ports(b, false);
  b.access(true, GMMU_REG_RETRY_CYCLES, &off, 15);
  gmmu_drv_fault f;
  while (next_fault(b, f)) continue;
}

void recorded_again(Bench &b) {
  uint32_t off = 0;
  b.access(true, GMMU_REG_RETRY_CYCLES, &off, 15);
  Ref r = read_nothing(b);
  int calls = 0;
  std::function<int(const gmmu_drv_fault *)> second = [&](const gmmu_drv_fault *f) {
    return ++calls < 3 ? +GMMU_DRV_RESOLVED : resolve(&b, f);
  };
  auto call = [](void *arg, const gmmu_drv_fault *f) {
    return (*static_cast<std::function<int(const gmmu_drv_fault *)> *>(arg))(f);
  };
  while (b.made != b.done && !b.errors) {
    b.step();
    if (b.dut.irq_o) b.must(gmmu_drv_handle_faults(&b.drv, call, &second), "faults");
  }
  if (calls < 3)
    b.fail("records of a fault that is retried", 3, static_cast<uint64_t>(calls), r->va);
}

void lose_space(Bench &b) {
  const uint32_t asid = b.asids[b.below(2)];
  uint32_t was = 0, off = 0;
  b.access(false, GMMU_REG_CTX_CTRL(asid), &was, 15);
  b.access(true, GMMU_REG_CTX_CTRL(asid), &off, 15);
  b.must(gmmu_drv_invalidate_asid(&b.drv, asid), "invalidate");
  for (uint64_t n = 200 + b.below(400); n; n--) b.step();
  b.access(true, GMMU_REG_CTX_CTRL(asid), &was, 15);
  b.nowhere++;
}

void hold_native(Bench &b) {
  gmmu_drv_port s{GMMU_DRV_HOLD, GMMU_DRV_FROM_REGISTER, 0, b.port_asid[kNative], false, 0};
  b.must(gmmu_drv_set_port(&b.drv, kNative, &s), "port");
  b.native_held = true;
  for (uint64_t n = b.below(200); n; n--) b.step();
  b.native_held = false;
  s.mode = GMMU_DRV_TRANSLATE;
  b.must(gmmu_drv_set_port(&b.drv, kNative, &s), "port");
}

void set_tokens(Bench &b) {
  auto percent = [&] {
    return static_cast<unsigned>(b.below(2) ? b.below(101) : b.below(2) ? 100 : 0);
  };
  gmmu_drv_tokens t{b.below(4) == 0, percent(), static_cast<unsigned>(b.below(8)), percent()};
  b.must(gmmu_drv_set_tokens(&b.drv, &t), "settings of the fill tokens");
}
