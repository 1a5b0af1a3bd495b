// SPDX-License-Identifier: Apache-2.0
// axi_moves.cpp - pages that change their frame under loads and stores (axi_moves.h).
#include "axi_moves.h"

namespace {
/// A copy by software takes its time. Nobody may store to the page from before it begins until
/// every access finds the new frame: a store that reaches the old frame meanwhile is missing in the
/// new one.
int slow_copy(void *arg, uint64_t to, uint64_t from) {
  Bench &b = *static_cast<Bench *>(arg);
  for (auto &m : b.mem)
    for (auto &[id, q] : m.writes)
      for (auto &x : q)
        if (x->pa >> 12 == from >> 12)
          b.fail("a store is on its way to a page that is copied", 0, x->pa, x->va);
  for (uint64_t o = 0; o < 4096; o += 256) {
    memcpy(&b.memory.page(to >> 12)[o], &b.memory.page(from >> 12)[o], 256);
    for (uint64_t n = b.below(40); n > 0; n--) b.step();
  }
  return b.below(8) == 0;
}

/// Moves a page to the frame `to`. False: its copy failed, and it is where it was.
bool move_page(Bench &b, Page &p, uint64_t to) {
  uint64_t from = p.pfn, pa = 0, pte = 0;
  auto swap = b.drv.bus.swap_mem;
  if (b.below(2)) b.drv.bus.swap_mem = nullptr;
  bool software = b.below(2);
  b.engine.error_in = b.below(4) ? 0 : 1000;
  p.old_pfn = from;
  p.pfn = to;
  p.leaving = b.moving = true;
  if (uint64_t at = b.is_table && b.below(2) ? b.leaf(p.asid, p.va)
                                             : 0) // hardware is about to set them again
    b.memory.put(at, b.memory.word(at) & ~uint64_t{GMMU_PTE_A | GMMU_PTE_D});
  int e = gmmu_drv_remap(&b.drv, p.asid, p.va, to << 12, software ? slow_copy : nullptr, &b);
  p.leaving = b.moving = false;
  b.engine.error_in = 0;
  b.drv.bus.swap_mem = swap;
  bool failed = e == (software ? GMMU_DRV_COPY : GMMU_DRV_REFUSED);
  if (!failed) b.must(e, "remap");
  if (failed) p.pfn = from, from = to;
  for (auto &m : b.mem)
    for (auto *side : {&m.reads, &m.writes})
      for (auto &[id, q] : *side)
        for (auto &x : q)
          if (x->pa >> 12 == from)
            b.fail("a burst uses a frame that a page has left", 0, x->pa, x->va);
  if (memcmp(b.memory.page(p.pfn).data(), p.content.data(), 4096))
    b.fail("content of a page that was moved", 0, 1, p.va);
  for (auto &byte : b.memory.page(from)) byte = static_cast<uint8_t>(gmmu_rng_next(&b.rng));
  b.must(gmmu_drv_lookup(&b.drv, p.asid, p.va, &pa, &pte), "lookup");
  if (pa >> 12 != p.pfn || !(pte & GMMU_PTE_W) != !p.writable)
    b.fail("PTE of a page that was moved", p.pfn << 10 | p.writable << 2, pte, p.va);
  (failed ? b.unmoved : b.moves)++;
  return !failed;
}

/// The runs of the large frame are true: software may say so. The driver takes it back with what it
/// moves.
void say_runs(Bench &b, unsigned asid) {
  uint64_t root = b.drv.root[asid], pte = b.memory.word(root + (b.large_va >> 30 & 511) * 8),
           at = (pte >> 10 << 12) + (b.large_va >> 21 & 511) * 8;
  b.memory.put(at, b.memory.word(at) | (b.below(2) ? gmmu_rng_next(&b.rng) & 0xff : 0xffull) << 54 |
                       (b.below(2) ? 1ull << 62 : 0));
  b.runs++;
}

} // namespace

void move_some(Bench &b, const bool *coalesced) {
  if (b.below(3)) {
    Page &p = some_page(b);
    if (!p.mapped || p.fixed) return;
    uint64_t from = p.pfn, to = b.frame();
    b.free_frames.insert(move_page(b, p, to) ? from : to);
    return;
  }
  // One of the large frame, often a head, away and back.
  const uint32_t asid = b.asids[b.below(2)];
  uint64_t i = b.below(2) ? 64 * b.below(8) : b.below(512), to = b.frame();
  Page &p = *b.page(asid, b.large_va + i * 4096);
  if (coalesced[asid]) {
    if (gmmu_drv_remap(&b.drv, asid, p.va, to << 12, nullptr, nullptr) != GMMU_DRV_PARTIAL)
      b.fail("a page of a coalesced frame is moved", 1, 0, p.va);
    b.free_frames.insert(to);
    return;
  }
  uint64_t home = p.pfn;
  if (!b.is_table && b.below(2)) say_runs(b, asid);
  for (uint64_t n = b.below(500); n > 0; n--) b.step();
  if (move_page(b, p, to)) {
    for (uint64_t n = b.below(500); n > 0; n--) b.step();
    while (!b.errors && !move_page(b, p, home)) continue;
  }
  b.free_frames.insert(to);
}
