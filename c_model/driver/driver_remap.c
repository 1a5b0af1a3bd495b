/* SPDX-License-Identifier: Apache-2.0 */
/*
 * driver_remap.c - moves a page to another frame while it is in use (gmmu_drv_remap,
 * docs/driver.md).
 *
 * Nobody stores between the copy and the moment when every access finds the new frame, no access
 * finds the old content after somebody stored to the new frame, and no A or D that hardware sets is
 * lost:
 * - plain (Svade): W is taken away and that is acknowledged; copy; new frame, acknowledged; W
 * again, acknowledged.
 * - Svadu with compare-and-swap: the same, each change of the leaf by compare-and-swap.
 * - Svadu without: the pointer to the leaf table, which hardware never writes, is made invalid and
 * that is acknowledged; then nothing reaches the leaf, and it is changed by a plain write.
 */
#include "driver/driver_int.h"

#include <stddef.h>

#define PAGE 4096ull

struct move {
  struct gmmu_drv *d;
  unsigned asid;
  uint64_t va, to, from, leaf,
      frame; /* pages, virtual and physical; addresses of leaf and frame PTE */
  int (*copy)(void *arg, uint64_t to, uint64_t from);
  void *arg;
  bool swap; /* the leaf is changed by compare-and-swap */
};

/* The leaf, as it is at that moment, gets (leaf & keep) | set. */
static void change_leaf(const struct move *m, uint64_t keep, uint64_t set) {
  uint64_t old = drv_get(m->d, m->leaf), was;
  if (!m->swap) {
    drv_put(m->d, m->leaf, (old & keep) | set);
    return;
  }
  while ((was = m->d->bus.swap_mem(m->d->bus.arg, m->leaf, old, (old & keep) | set)) != old)
    old = was;
}

static int acknowledged(const struct move *m) {
  return gmmu_drv_invalidate_range(m->d, m->asid, m->va, PAGE);
}

static int copy_data(const struct move *m) {
  if (!m->copy) return gmmu_drv_copy_page(m->d, m->to, m->from);
  return m->copy(m->arg, m->to, m->from) ? GMMU_DRV_COPY : 0;
}

static void new_frame(const struct move *m) { change_leaf(m, ~PTE_PPN_MASK, m->to >> 12 << 10); }

/* W goes while the page moves; loads go on. */
static int move_readable(const struct move *m, bool writable) {
  if (writable) {
    change_leaf(m, ~PTE_W, 0);
    TRY(acknowledged(m));
  }
  int copied = copy_data(m);
  if (!copied) {
    new_frame(m);
    TRY(acknowledged(m));
  }
  if (writable) {
    change_leaf(m, ~0ull, PTE_W);
    TRY(acknowledged(m)); /* and stores that waited for W are retried */
  }
  return copied;
}

/* The pointer to the leaf table goes while the page moves; accesses to its 2 MiB that walk wait. */
static int move_unreachable(const struct move *m) {
  uint64_t pointer = drv_get(m->d, m->frame);
  drv_put(m->d, m->frame, pointer & ~PTE_V);
  int e = acknowledged(m), copied = 0;
  if (!e && !(copied = copy_data(m))) new_frame(m);
  drv_put(m->d, m->frame, pointer);
  TRY(e);
  TRY(drv_mapped(m->d));
  return copied;
}

int gmmu_drv_remap(struct gmmu_drv *d, unsigned asid, uint64_t va, uint64_t pa,
                   int (*copy)(void *arg, uint64_t to, uint64_t from), void *arg) {
  struct move m = {.d = d, .asid = asid, .va = va, .to = pa, .copy = copy, .arg = arg};
  TRY(drv_usable(d, asid, va, PAGE, PAGE));
  if (pa & (PAGE - 1) || pa >> d->build.pa_w || (!copy && !d->build.copy)) return GMMU_DRV_ARGUMENT;
  int level;
  m.leaf = drv_find(d, asid, va, &level, &m.frame);
  uint64_t pte = drv_get(d, m.leaf);
  if (!(pte & PTE_V)) return GMMU_DRV_ABSENT;
  if (level != 0 || (d->ext[asid] && drv_get(d, m.frame) & drv_co_bit(d))) return GMMU_DRV_PARTIAL;
  m.from = PTE_PPN(pte) << 12;
  if (m.to == m.from) return GMMU_DRV_ARGUMENT;
  m.swap = d->build.hw_ad && d->build.pte_exclusive && d->bus.swap_mem;
  TRY(drv_drop_runs(d, asid, va, PAGE));
  return d->build.hw_ad && !m.swap ? move_unreachable(&m) : move_readable(&m, pte & PTE_W);
}
