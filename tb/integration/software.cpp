// SPDX-License-Identifier: Apache-2.0
// software.cpp - see software.h.
#include "software.h"

void Software::pages_for(uint32_t port, uint32_t clients, uint32_t count,
                         std::vector<HostPage *> &to) {
  for (uint32_t a = 1; a <= spaces(); a++) {
    if (!s_.shared && a != asid[port]) continue;
    for (uint32_t i = 0; i < count; i++) {
      uint64_t offset = s_.spaces2 && !s_.shared ? port / 2 : port;
      if (s_.pass) {
        uint64_t pfn = b_.frame();
        to.push_back(&b_.add_page(a, pfn << 12, 1u << port));
        to.back()->mapped = true;
        b_.give(*to.back(), pfn);
      } else {
        to.push_back(&b_.add_page(a, base + i * s_.apart + offset * 4096, 1u << port));
      }
    }
    if (!s_.coalesce) continue;
    for (uint64_t i = port; i < 512; i += clients) to.push_back(&large_page(a, i, 1u << port));
  }
  to[0]->pinned = true;
}

HostPage &Software::large_page(uint32_t a, uint64_t i, uint32_t ports) {
  HostPage &p = b_.add_page(a, large_va + i * 4096, ports);
  p.fixed = p.mapped = true;
  b_.give(p, (kFrames + a * kLarge + i * 4096) >> 12);
  return p;
}

void Software::begin(uint32_t ports) {
  for (uint64_t t = kTables; t < kTablesEnd; t += 4096) b_.free_tables.push_back(t);
  if (s_.svadu) b_.is_table = [](uint64_t pa) { return pa >= kTables && pa <= kTablesEnd; };
  gmmu_drv_bus bus = b_.bus();
  must(gmmu_drv_init(&b_.drv, &bus), "init");
  must(gmmu_drv_window(&b_.drv, 0, kTables, kTablesEnd, true, false), "window for tables");
  must(gmmu_drv_window(&b_.drv, 1, kFrames, kFramesEnd, false, true), "window for data");
  for (uint32_t a = 1; a <= spaces(); a++)
    must(gmmu_drv_open(&b_.drv, a, false, true, false, false), "open");
  if (s_.coalesce)
    for (uint32_t a = 1; a <= spaces(); a++)
      must(gmmu_drv_map(&b_.drv, a, large_va, kFrames + a * kLarge, kLarge,
                        GMMU_DRV_R | GMMU_DRV_W | GMMU_DRV_U, false),
           "map 2 MiB of pages");
  for (auto &p : b_.pages) {
    if (p.fixed || p.mapped) continue;
    if (s_.errors && !p.pinned && b_.below(3) == 0) continue; // stays without a translation
    if (s_.errors && !p.pinned && b_.below(2)) p.writable = p.may_write = false;
    if (!s_.cold || p.pinned) map(p, b_.frame());
  }
  for (uint32_t p = 0; p < ports; p++) {
    gmmu_drv_port set{s_.pass ? GMMU_DRV_PASS : GMMU_DRV_TRANSLATE,
                      s_.shared ? GMMU_DRV_FROM_USER : GMMU_DRV_FROM_REGISTER,
                      4,
                      asid[p],
                      s_.errors,
                      fetch[p]};
    if (!s_.shared) set.shift = 0;
    must(gmmu_drv_set_port(&b_.drv, p, &set), "port");
  }
  must(gmmu_drv_fault_irq(&b_.drv, !s_.errors), "interrupts");
  b_.walk.latency = s_.walk_latency;
  uint32_t again = s_.slow_host ? 60 : 0; // a walk's memory error goes away by itself
  b_.access(true, GMMU_REG_RETRY_CYCLES, &again, 15);
  b_.walk.error_in = s_.slow_host ? 200 : 0;
}

void Software::serve() {
  b_.doing = "runs";
  if (b_.dut.irq_o && (!s_.slow_host || b_.below(20) == 0)) handle();
  if (s_.slow_host) arrivals();
  auto chance = [&](unsigned n) { return n && b_.below(n) == 0; };
  if (chance(s_.evict)) evict();
  else if (chance(s_.move)) move();
  else if (chance(s_.protect)) protect();
  else if (chance(s_.coalesce)) coalesce();
  else if (s_.storm) storm();
  else if (s_.errors && b_.below(200) == 0) records();
  else b_.step();
  b_.doing = "runs";
}

void Software::handle() {
  b_.doing = "handles faults";
  must(
      gmmu_drv_handle_faults(
          &b_.drv,
          [](void *arg, const gmmu_drv_fault *f) { return static_cast<Software *>(arg)->fault(f); },
          this),
      "faults");
}

void Software::compare() {
  for (auto &p : b_.pages) {
    uint64_t pa, pte;
    // (the first PTE of a table, which may stand for others, is written as the driver gives it)
    if (s_.svadu && p.mapped && p.va >> 12 & 511 && p.host != p.shadow) {
      must(gmmu_drv_lookup(&b_.drv, p.asid, p.va, &pa, &pte), "lookup");
      if (!(pte & GMMU_PTE_D)) b_.fail("D of a page that was written", GMMU_PTE_D, pte, p.va);
    }
    for (uint64_t i = 0; i < 4096; i++)
      if (*b_.bytes(p, i) != p.shadow[i]) {
        b_.fail("a byte of a page at the end", p.shadow[i], *b_.bytes(p, i), p.va + i);
        break;
      }
  }
}

void Software::must(int e, const char *what) {
  if (e < 0) printf("in \"%s\", cycle %" PRIu64 ": ", b_.doing, b_.cycle);
  b_.must(e, what);
  uint32_t held = 0;
  if (e == GMMU_DRV_TIMEOUT && !gmmu_drv_held(&b_.drv, &held)) {
    printf("  ports that keep the command (mask): 0x%x\n", held);
    b_.hung("a command is not acknowledged");
  }
}

void Software::map(HostPage &p, uint64_t pfn) {
  b_.memory.page(pfn) = p.host;
  p.mapped = true;
  b_.give(p, pfn);
  p.may_write = p.writable;
  must(gmmu_drv_map(&b_.drv, p.asid, p.va, pfn << 12, 4096, perms(p), false), "map");
}

void Software::unmap(HostPage &p) {
  must(gmmu_drv_unmap(&b_.drv, p.asid, p.va, 4096), "unmap");
  p.host = b_.memory.page(p.pfn);
  p.mapped = false;
  b_.retire(p);
}

int Software::fault(const gmmu_drv_fault *f) {
  faults++;
  HostPage *p = b_.page(f->asid, f->va);
  if (f->cause == GMMU_AF_MEM && b_.walk.error_in) return GMMU_DRV_RESOLVED;
  if (!p) {
    b_.fail("fault of an address that nobody uses", f->port, f->va, f->va);
    return GMMU_DRV_LATER;
  }
  if (!(p->ports >> f->port & 1))
    b_.fail("fault of a page of another port", p->ports, f->port, f->va);
  if (p->coming) return GMMU_DRV_LATER;
  if (s_.slow_host && b_.below(10) == 0)
    return GMMU_DRV_RESOLVED; // not true: it must fault, and be recorded, again
  if (!p->mapped) {
    if (!s_.slow_host) {
      map(*p, b_.frame());
    } else {
      p->coming = b_.cycle + 200 + b_.below(3000);
      coming_.push_back(p);
      return GMMU_DRV_LATER;
    }
  } else if (f->access != 0 && !p->writable && p->perms & GMMU_DRV_W) {
    restore(*p);
  }
  return GMMU_DRV_RESOLVED;
}

void Software::arrivals() {
  for (size_t i = 0; i < coming_.size(); i++) {
    HostPage &p = *coming_[i];
    if (p.coming > b_.cycle) continue;
    coming_.erase(coming_.begin() + static_cast<long>(i));
    p.coming = 0;
    b_.doing = "maps a page that has come";
    return map(p, b_.frame());
  }
}

void Software::move() {
  b_.doing = "moves a page";
  HostPage *p = pick();
  if (!p) return;
  moved++;
  if (!s_.remap || b_.below(2)) {
    unmap(*p);
    return map(*p, b_.frame());
  }
  // By the driver, with loads all the time and stores that wait while it is copied.
  moving_ = p, to_ = b_.frame();
  b_.user_of[to_] = p;
  auto swap = b_.drv.bus.swap_mem;
  if (b_.below(2)) b_.drv.bus.swap_mem = nullptr;
  b_.moving = true;
  int e = gmmu_drv_remap(&b_.drv, p->asid, p->va, to_ << 12, b_.below(2) ? nullptr : copy, this);
  b_.moving = false;
  b_.drv.bus.swap_mem = swap;
  must(e, "remap");
  b_.retire(*p);
  b_.give(*p, to_);
  p->may_write = p->writable;
}

int Software::copy(void *arg, uint64_t to, uint64_t from) {
  Software &s = *static_cast<Software *>(arg);
  s.moving_->may_write = false;
  s.b_.at_rest(*s.moving_, true);
  s.b_.memory.page(to >> 12) = s.b_.memory.page(from >> 12);
  for (uint64_t n = s.b_.below(200); n > 0; n--) s.b_.step();
  if (s.b_.memory.page(to >> 12) != s.b_.memory.page(from >> 12))
    s.b_.fail("a store to a page that is copied", 0, from, to);
  s.moving_->may_write = s.moving_->writable;
  return 0;
}

void Software::protect() {
  b_.doing = "makes a page read-only";
  HostPage *p = pick();
  if (!p || !(p->perms & GMMU_DRV_W)) return;
  protects++;
  if (!p->writable) return restore(*p);
  p->writable = false;
  must(gmmu_drv_protect(&b_.drv, p->asid, p->va, 4096, perms(*p)), "protect");
  p->may_write = false;
  b_.at_rest(*p, true);
}

void Software::coalesce() {
  b_.doing = "coalesces or splinters";
  uint32_t a = 1 + static_cast<uint32_t>(b_.below(spaces()));
  must(
      large_[a] ? gmmu_drv_splinter(&b_.drv, a, large_va) : gmmu_drv_coalesce(&b_.drv, a, large_va),
      "coalesce or splinter");
  large_[a] = !large_[a];
  coalesced++;
}

void Software::storm() {
  b_.doing = "invalidates again and again";
  uint32_t kind;
  do kind = static_cast<uint32_t>(b_.below(4));
  while (!(s_.storm >> kind & 1));
  const HostPage &p = b_.pages[b_.below(b_.pages.size())];
  uint64_t va = (p.va & ~(kLarge - 1)) + kLarge - 4096;
  if (kind == 0) must(gmmu_drv_invalidate_all(&b_.drv), "invalidate all");
  else if (kind == 1) must(gmmu_drv_invalidate_asid(&b_.drv, p.asid), "invalidate an ASID");
  else if (kind == 2)
    must(gmmu_drv_invalidate_range(&b_.drv, p.asid, va, 4096), "invalidate a range");
  else must(drv_invalidate_frame(&b_.drv, p.asid, va), "invalidate a frame");
  commands++;
}

void Software::records() {
  b_.doing = "reads fault records";
  gmmu_drv_fault f;
  int n;
  while ((n = gmmu_drv_next_fault(&b_.drv, &f)) > 0) {
    faults++;
    HostPage *p = b_.page(f.asid, f.va);
    if (!p || !(p->ports >> f.port & 1))
      b_.fail("record of a page of another port", p ? p->ports : 0, f.port, f.va);
    else if (p->mapped ? f.cause != GMMU_PERM || f.access == 0 || p->writable
                       : f.cause != GMMU_PF_INVALID)
      b_.fail("cause in a record", 0, f.cause, f.va);
  }
  must(n, "fault record");
}
