/* SPDX-License-Identifier: Apache-2.0 */
/* driver_tables.c - page tables of the driver (RISC-V Sv39 and Sv48 with the contiguity extension;
 * docs/walk-rules.md). */
#include "driver/driver_int.h"

#define LARGE (512ull * 4096)
#define PERMS (GMMU_DRV_R | GMMU_DRV_W | GMMU_DRV_X | GMMU_DRV_U)

/* AC and C of a frame PTE: contiguity that software found; the driver clears it with what it
 * changes. */
static uint64_t ac_bit(const struct gmmu_drv *d) {
  return d->build.co_rsw ? 1ull << 9 : 1ull << 62;
}
static uint64_t c_bit(const struct gmmu_drv *d, uint64_t subregion) {
  return d->build.co_rsw ? 0 : 1ull << (54 + subregion);
}
static uint64_t run_bits(const struct gmmu_drv *d) {
  return ac_bit(d) | (d->build.co_rsw ? 0 : 0xffull << 54);
}

static bool canonical(const struct gmmu_drv *d, unsigned asid, uint64_t va) {
  return drv_canonical(va, d->levels[asid] == 4 ? 48 : 39);
}

int drv_usable(const struct gmmu_drv *d, unsigned asid, uint64_t va, uint64_t bytes,
               uint64_t unit) {
  if (asid >= d->build.asids || bytes == 0 || (va | bytes) & (unit - 1) || va + bytes - 1 < va)
    return GMMU_DRV_ARGUMENT;
  if (!d->root[asid]) return GMMU_DRV_ABSENT;
  if (!canonical(d, asid, va) || !canonical(d, asid, va + bytes - 1) ||
      (va >> 63) != ((va + bytes - 1) >> 63))
    return GMMU_DRV_ARGUMENT;
  return 0;
}

static int table_page(struct gmmu_drv *d, uint64_t *pa) {
  if (d->bus.alloc_page(d->bus.arg, pa)) return GMMU_DRV_NO_MEMORY;
  for (uint64_t i = 0; i < 4096; i += 8) drv_put(d, *pa + i, 0);
  return 0;
}

static uint64_t pte_at(uint64_t table, uint64_t va, int level) {
  return table + ((va >> (12 + 9 * level)) & 511) * 8;
}

uint64_t drv_find(struct gmmu_drv *d, unsigned asid, uint64_t va, int *level, uint64_t *frame_pte) {
  uint64_t table = d->root[asid];
  *frame_pte = 0;
  for (int l = d->levels[asid] - 1;; l--) {
    uint64_t at = pte_at(table, va, l), pte = drv_get(d, at);
    *level = l;
    if (l == 0 || !(pte & PTE_V) || pte & PTE_LEAF) return at;
    if (l == 1) *frame_pte = at;
    table = PTE_PPN(pte) << 12;
  }
}

/* Tables down to `level` exist afterwards; tables that were made stay when memory runs out (they
 * are empty). At level 1 a table may stand in the place already. */
static int reach(struct gmmu_drv *d, unsigned asid, uint64_t va, int level, uint64_t *at) {
  uint64_t table = d->root[asid];
  for (int l = d->levels[asid] - 1; l > level; l--) {
    uint64_t here = pte_at(table, va, l), pte = drv_get(d, here);
    if (!(pte & PTE_V)) {
      uint64_t page;
      TRY(table_page(d, &page));
      pte = page >> 12 << 10 | PTE_V;
      drv_put(d, here, pte);
    }
    table = PTE_PPN(pte) << 12;
  }
  *at = pte_at(table, va, level);
  return 0;
}

int gmmu_drv_open(struct gmmu_drv *d, unsigned asid, bool sv48, bool ext, bool sum, bool mxr) {
  if (asid >= d->build.asids || (sv48 && !d->build.sv48)) return GMMU_DRV_ARGUMENT;
  if (d->root[asid]) return GMMU_DRV_EXISTS;
  uint64_t root;
  TRY(table_page(d, &root));
  int e = drv_write(d, GMMU_REG_CTX_ROOT_LO(asid), (uint32_t)(root >> 12));
  if (!e) e = drv_write(d, GMMU_REG_CTX_ROOT_HI(asid), (uint32_t)(root >> 44));
  if (!e)
    e = drv_write(d, GMMU_REG_CTX_CTRL(asid),
                  (sv48 ? 2u : 1u) | (ext ? GMMU_REG_CTX_CTRL_EXT_MASK : 0) |
                      (sum ? GMMU_REG_CTX_CTRL_SUM_MASK : 0) |
                      (mxr ? GMMU_REG_CTX_CTRL_MXR_MASK : 0));
  if (e) {
    d->bus.free_page(d->bus.arg, root);
    return e;
  }
  d->root[asid] = root;
  d->levels[asid] = sv48 ? 4 : 3;
  d->ext[asid] = ext;
  return 0;
}

static void give_back(struct gmmu_drv *d, uint64_t table, int level) {
  for (uint64_t i = 0; level > 0 && i < 512; i++) {
    uint64_t pte = drv_get(d, table + 8 * i);
    if (pte & PTE_V && !(pte & PTE_LEAF)) give_back(d, PTE_PPN(pte) << 12, level - 1);
  }
  d->bus.free_page(d->bus.arg, table);
}

/* Leaf tables that a large page replaced: a chain through their first words, which walks under way
 * take for entries without V. Nobody uses them once everything was invalidated. */
static void unlink_table(struct gmmu_drv *d, uint64_t table) {
  drv_put(d, table, d->unlinked);
  d->unlinked = table;
}
static int free_unlinked(struct gmmu_drv *d) {
  if (!d->unlinked) return 0;
  TRY(gmmu_drv_invalidate_all(d));
  while (d->unlinked) {
    uint64_t table = d->unlinked;
    d->unlinked = drv_get(d, table);
    d->bus.free_page(d->bus.arg, table);
  }
  return 0;
}

static bool empty_table(struct gmmu_drv *d, uint64_t table) {
  for (uint64_t i = 0; i < 4096; i += 8)
    if (drv_get(d, table + i) & PTE_V) return false;
  return true;
}

int gmmu_drv_close(struct gmmu_drv *d, unsigned asid) {
  if (asid >= d->build.asids) return GMMU_DRV_ARGUMENT;
  if (!d->root[asid]) return GMMU_DRV_ABSENT;
  TRY(drv_write(d, GMMU_REG_CTX_CTRL(asid), 0));
  TRY(gmmu_drv_invalidate_asid(d, asid));
  TRY(free_unlinked(d));
  give_back(d, d->root[asid], d->levels[asid] - 1);
  d->root[asid] = 0;
  return 0;
}

static uint64_t leaf_bits(unsigned perms) {
  return PTE_V | PTE_A | perms | (perms & GMMU_DRV_W ? PTE_D : 0);
}
static bool legal(unsigned perms) {
  return !(perms & ~PERMS) && perms & (GMMU_DRV_R | GMMU_DRV_X) &&
         (perms & GMMU_DRV_R || !(perms & GMMU_DRV_W));
}

static int map(struct gmmu_drv *d, unsigned asid, uint64_t va, uint64_t pa, uint64_t bytes,
               unsigned perms, bool large, uint64_t bits) {
  uint64_t unit = large ? LARGE : 4096;
  TRY(drv_usable(d, asid, va, bytes, unit));
  if (pa & (unit - 1) || pa + bytes - 1 < pa || (pa + bytes - 1) >> d->build.pa_w || !legal(perms))
    return GMMU_DRV_ARGUMENT;
  for (uint64_t o = 0; o < bytes; o += unit) {
    int level;
    uint64_t frame, at = drv_find(d, asid, va + o, &level, &frame);
    if (drv_get(d, at) & PTE_V) return GMMU_DRV_EXISTS;
    if (large && level == 0 && !empty_table(d, at & ~4095ull)) return GMMU_DRV_EXISTS;
  }
  uint64_t at;
  for (uint64_t o = 0; o < bytes; o += unit)
    TRY(reach(d, asid, va + o, large ? 1 : 0, &at)); /* memory first */
  for (uint64_t o = 0; o < bytes; o += unit) {
    TRY(reach(d, asid, va + o, large ? 1 : 0, &at));
    uint64_t was = drv_get(d, at);
    drv_put(d, at, (pa + o) >> 12 << 10 | bits);
    if (large && was & PTE_V) unlink_table(d, PTE_PPN(was) << 12);
  }
  TRY(free_unlinked(d));
  return drv_mapped(d);
}

int gmmu_drv_map(struct gmmu_drv *d, unsigned asid, uint64_t va, uint64_t pa, uint64_t bytes,
                 unsigned perms, bool large) {
  return map(d, asid, va, pa, bytes, perms, large, leaf_bits(perms));
}

int gmmu_drv_map_clear(struct gmmu_drv *d, unsigned asid, uint64_t va, uint64_t pa, uint64_t bytes,
                       unsigned perms, bool large) {
  if (!d->build.hw_ad) return GMMU_DRV_ARGUMENT;
  return map(d, asid, va, pa, bytes, perms, large, leaf_bits(perms) & ~(PTE_A | PTE_D));
}

/* The pages of the range are mapped whole: no part of a 2 MiB leaf or of a coalesced frame. */
static int whole(struct gmmu_drv *d, unsigned asid, uint64_t va, uint64_t bytes, bool must_exist) {
  uint64_t end = va + bytes;
  for (uint64_t a = va, step; a != end; a += step) {
    int level;
    uint64_t frame, pte = drv_get(d, drv_find(d, asid, a, &level, &frame));
    uint64_t span = 4096ull << (9 * level);
    bool coalesced = level == 0 && d->ext[asid] && drv_get(d, frame) & drv_co_bit(d);
    if (coalesced) span = LARGE;
    step = span - (a & (span - 1));
    if (step > end - a) step = end - a;
    if (!(pte & PTE_V)) {
      if (must_exist) return GMMU_DRV_ABSENT;
    } else if (span > 4096 && step != span) {
      return GMMU_DRV_PARTIAL;
    }
  }
  return 0;
}

int drv_drop_runs(struct gmmu_drv *d, unsigned asid, uint64_t va, uint64_t bytes) {
  uint64_t end = va + bytes;
  bool stood_for_others = false;
  if (!d->ext[asid]) return 0;
  for (uint64_t a = va, step; a != end; a += step) {
    int level;
    uint64_t frame;
    drv_find(d, asid, a, &level, &frame);
    step = LARGE - (a & (LARGE - 1));
    if (step > end - a) step = end - a;
    if (level != 0) continue;
    uint64_t f = drv_get(d, frame), runs = f & run_bits(d), first = a >> 12 & 511,
             last = first + (step >> 12) - 1;
    if (!(runs | (f & drv_co_bit(d)))) continue;
    drv_put(d, frame, f & ~(drv_co_bit(d) | run_bits(d)));
    if (runs & ac_bit(d) && first == 0) stood_for_others = true;
    for (uint64_t x = 0; x < 8; x++)
      if (runs & c_bit(d, x) && first <= 64 * x && 64 * x <= last) stood_for_others = true;
  }
  return stood_for_others ? gmmu_drv_invalidate_range(d, asid, va, bytes) : 0;
}

/* Gives every leaf of the range other bits (0: unmaps it), and drops what the frame PTE says of its
 * contiguity. */
static int change(struct gmmu_drv *d, unsigned asid, uint64_t va, uint64_t bytes, uint64_t bits) {
  uint64_t end = va + bytes;
  TRY(drv_drop_runs(d, asid, va, bytes));
  for (uint64_t a = va, step; a != end; a += step) {
    int level;
    uint64_t frame, at = drv_find(d, asid, a, &level, &frame), pte = drv_get(d, at),
                    span = 4096ull << (9 * level);
    step = span - (a & (span - 1));
    if (step > end - a) step = end - a;
    if (!(pte & PTE_V)) continue;
    drv_put(d, at, bits ? (pte >> 10 << 10) | bits : 0);
  }
  return gmmu_drv_invalidate_range(d, asid, va, bytes);
}

int gmmu_drv_unmap(struct gmmu_drv *d, unsigned asid, uint64_t va, uint64_t bytes) {
  TRY(drv_usable(d, asid, va, bytes, 4096));
  TRY(whole(d, asid, va, bytes, false));
  return change(d, asid, va, bytes, 0);
}

int gmmu_drv_protect(struct gmmu_drv *d, unsigned asid, uint64_t va, uint64_t bytes,
                     unsigned perms) {
  TRY(drv_usable(d, asid, va, bytes, 4096));
  if (!legal(perms)) return GMMU_DRV_ARGUMENT;
  TRY(whole(d, asid, va, bytes, true));
  return change(d, asid, va, bytes, leaf_bits(perms));
}

int gmmu_drv_harvest(struct gmmu_drv *d, unsigned asid, uint64_t va, uint64_t bytes,
                     void (*page)(void *arg, uint64_t va, bool accessed, bool dirty), void *arg) {
  uint64_t end = va + bytes;
  bool changed = false;
  TRY(drv_usable(d, asid, va, bytes, 4096));
  for (int pass = 0; pass < 2; pass++) { /* refusals first */
    for (uint64_t a = va, step; a != end; a += step) {
      int level;
      uint64_t frame, at = drv_find(d, asid, a, &level, &frame), span = 4096ull << (9 * level);
      step = span - (a & (span - 1));
      if (step > end - a) step = end - a;
      if (pass == 0) {
        if (level == 0 && d->ext[asid] && drv_get(d, frame) & (drv_co_bit(d) | run_bits(d)))
          return GMMU_DRV_PARTIAL;
        if (step != span && level > 0 && drv_get(d, at) & PTE_V) return GMMU_DRV_PARTIAL;
        continue;
      }
      uint64_t pte = drv_get(d, at);
      if (!(pte & PTE_V)) continue;
      if (pte & (PTE_A | PTE_D)) {
        uint64_t was = pte;
        do {
          pte = was;
          if (d->bus.swap_mem) was = d->bus.swap_mem(d->bus.arg, at, pte, pte & ~(PTE_A | PTE_D));
          else drv_put(d, at, pte & ~(PTE_A | PTE_D));
        } while (was != pte);
        changed = true;
      }
      page(arg, a, pte & PTE_A, pte & PTE_D);
    }
  }
  return changed ? gmmu_drv_invalidate_range(d, asid, va, bytes) : 0;
}

int gmmu_drv_lookup(struct gmmu_drv *d, unsigned asid, uint64_t va, uint64_t *pa, uint64_t *pte) {
  TRY(drv_usable(d, asid, va & ~4095ull, 4096, 4096));
  int level;
  uint64_t frame;
  *pte = drv_get(d, drv_find(d, asid, va, &level, &frame));
  if (!(*pte & PTE_V)) return GMMU_DRV_ABSENT;
  *pa = (PTE_PPN(*pte) << 12) + (va & ((4096ull << (9 * level)) - 1));
  return 0;
}

int gmmu_drv_coalesce(struct gmmu_drv *d, unsigned asid, uint64_t va) {
  TRY(drv_usable(d, asid, va, LARGE, LARGE));
  if (!d->ext[asid]) return GMMU_DRV_ARGUMENT;
  int level;
  uint64_t frame, first_at = drv_find(d, asid, va, &level, &frame), first = drv_get(d, first_at);
  if (level != 0 || !(first & PTE_V)) return GMMU_DRV_ABSENT;
  if (drv_get(d, frame) & drv_co_bit(d)) return GMMU_DRV_EXISTS;
  if (PTE_PPN(first) & 511 || !(first & PTE_A) || (first & GMMU_DRV_W && !(first & PTE_D)))
    return GMMU_DRV_NOT_CONTIGUOUS;
  for (uint64_t i = 0; i < 512; i++)
    if ((drv_get(d, first_at + 8 * i) & ~PTE_DIS) != ((first & ~PTE_DIS) + (i << 10)))
      return GMMU_DRV_NOT_CONTIGUOUS;
  if (d->build.coalescer) return drv_coalesce_command(d, asid, va, false);
  drv_put(d, frame, drv_get(d, frame) | drv_co_bit(d));
  for (uint64_t i = 0; i < 512; i++)
    drv_put(d, first_at + 8 * i, drv_get(d, first_at + 8 * i) | PTE_DIS);
  return 0;
}

int gmmu_drv_splinter(struct gmmu_drv *d, unsigned asid, uint64_t va) {
  TRY(drv_usable(d, asid, va, LARGE, LARGE));
  int level;
  uint64_t frame, first_at = drv_find(d, asid, va, &level, &frame);
  if (level != 0 || !d->ext[asid] || !(drv_get(d, frame) & drv_co_bit(d))) return GMMU_DRV_ABSENT;
  if (d->build.coalescer) return drv_coalesce_command(d, asid, va, true);
  for (uint64_t i = 0; i < 512; i++)
    drv_put(d, first_at + 8 * i, drv_get(d, first_at + 8 * i) & ~PTE_DIS);
  drv_put(d, frame, drv_get(d, frame) & ~drv_co_bit(d));
  return drv_invalidate_frame(d, asid, va);
}
