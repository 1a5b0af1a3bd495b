/* SPDX-License-Identifier: Apache-2.0 */
/** scan.c - MESC's page table scan (Algorithm 1) and the remap rules of its section IV-D. */
#include <stdlib.h>
#include <string.h>

#include "gmmu_manager.h"

#define PAGES 64 /* of a subregion */
#define SUBS 8   /* of a frame */

static bool ext_on(const struct gmmu_env *e, int asid) {
  return asid >= 0 && asid < e->num_asids && e->ctx[asid].mode != GMMU_MODE_OFF && e->ctx[asid].ext;
}

static bool points_on(uint64_t pte) {
  return (pte & GMMU_PTE_V) && !(pte & (GMMU_PTE_R | GMMU_PTE_W | GMMU_PTE_X));
}

/** Address of the frame PTE of a large frame, 0 if no table of frame PTEs covers it. */
static uint64_t frame_pte_pa(const struct gmmu_mem *m, const struct gmmu_env *e, int asid,
                             uint64_t lfn) {
  int level = e->ctx[asid].mode == GMMU_MODE_SV48 ? 3 : 2;
  uint64_t table = e->ctx[asid].root_pfn, vfn = lfn << 9;

  for (; level > 1; level--) {
    uint64_t pte = gmmu_mem_read64(m, table << 12 | (vfn >> 9 * level & 511) << 3);
    if (!points_on(pte)) return 0;
    table = GMMU_PTE_PPN(pte);
  }
  return table << 12 | (vfn >> 9 & 511) << 3;
}

static uint64_t co_bit(const struct gmmu_env *e) {
  return e->frame_bits_in_rsw ? GMMU_PTE_CO_RSW : GMMU_PTE_CO;
}
static uint64_t ac_bit(const struct gmmu_env *e) {
  return e->frame_bits_in_rsw ? GMMU_PTE_AC_RSW : GMMU_PTE_AC;
}

/** V, R, W, X, U, G: what has to be equal before A and D are set. */
#define SAME (GMMU_PTE_V | GMMU_PTE_R | GMMU_PTE_W | GMMU_PTE_X | GMMU_PTE_U | GMMU_PTE_G)

static bool mapped(uint64_t pte) {
  return (pte & GMMU_PTE_V) && (pte & (GMMU_PTE_R | GMMU_PTE_X)) &&
         !((pte & GMMU_PTE_W) && !(pte & GMMU_PTE_R)) && pte >> 54 == 0;
}

/** Does page b follow page a, with the same permissions? */
static bool follows(uint64_t a, uint64_t b) {
  return mapped(b) && GMMU_PTE_PPN(b) == GMMU_PTE_PPN(a) + 1 && ((a ^ b) & SAME) == 0;
}

static bool contiguous(const uint64_t *pte) {
  if (!mapped(pte[0])) return false;
  for (int i = 1; i < PAGES; i++)
    if (!follows(pte[i - 1], pte[i])) return false;
  return true;
}

/** Software treats the pages of a contiguous subregion as accessed, and as dirty where they can be
 * written. */
static bool touch(struct gmmu_mem *m, uint64_t pa, uint64_t *pte) {
  bool dirtied = false;

  for (int i = 0; i < PAGES; i++) {
    uint64_t now = pte[i] | GMMU_PTE_A | (pte[i] & GMMU_PTE_W ? GMMU_PTE_D : 0);
    if (now == pte[i]) continue;
    dirtied |= (pte[i] & GMMU_PTE_A) && !(pte[i] & GMMU_PTE_D) && (now & GMMU_PTE_D);
    gmmu_mem_write64(m, pa + 8 * (uint64_t)i, now);
    pte[i] = now;
  }
  return dirtied;
}

static void scan_frame(struct gmmu_mem *m, const struct gmmu_env *e, uint64_t pte_pa,
                       struct gmmu_scan *out) {
  uint64_t frame = gmmu_mem_read64(m, pte_pa), now = frame, pte[SUBS * PAGES],
           table = GMMU_PTE_PPN(frame) << 12;
  bool whole = true;

  if (!points_on(frame) || (frame & co_bit(e))) return;
  out->frames++;
  for (int i = 0; i < SUBS * PAGES; i++) {
    pte[i] = gmmu_mem_read64(m, table + 8 * (uint64_t)i);
    out->pages += mapped(pte[i]);
  }
  for (int x = 0; x < SUBS; x++) {
    uint64_t *first = &pte[x * PAGES];
    if (!contiguous(first)) {
      whole = false;
      continue;
    }
    out->subregions++;
    whole = whole && (x == 0 || follows(first[-1], first[0]));
    if (!e->frame_bits_in_rsw) {
      out->dirtied |= touch(m, table + 8 * (uint64_t)(x * PAGES), first);
      now |= GMMU_PTE_C(x);
    }
  }
  if (whole) {
    for (int x = 0; x < SUBS; x++)
      out->dirtied |= touch(m, table + 8 * (uint64_t)(x * PAGES), &pte[x * PAGES]);
    now |= ac_bit(e);
    out->whole++;
  }
  if (now != frame) gmmu_mem_write64(m, pte_pa, now);
}

void gmmu_scan_range(struct gmmu_mem *m, const struct gmmu_env *e, int asid, uint64_t lo,
                     uint64_t hi, struct gmmu_scan *out) {
  if (!ext_on(e, asid)) return;
  for (uint64_t lfn = lo >> 9; lfn <= hi >> 9; lfn++) {
    uint64_t pa = frame_pte_pa(m, e, asid, lfn);
    if (pa) scan_frame(m, e, pa, out);
  }
}

/* Frames of one address space: asid << 36 | LFN. */
struct frames {
  uint64_t lo, hi;
};

static int by_lo(const void *a, const void *b) {
  uint64_t x = ((const struct frames *)a)->lo, y = ((const struct frames *)b)->lo;
  return (x > y) - (x < y);
}

int gmmu_scan_mapping(struct gmmu_mem *m, const struct gmmu_env *e, const struct gmmu_mapping *maps,
                      int num, struct gmmu_scan *out, struct gmmu_err *err) {
  size_t n = 0, k = 0;
  uint64_t next = 0; /* first frame not looked at */
  for (int i = 0; i < num; i++) n += maps[i].n;
  struct frames *v = malloc((n + 1) * sizeof *v);
  if (!v) return gmmu_fail(err, "out of memory");
  for (int i = 0; i < num; i++)
    for (size_t j = 0; j < maps[i].n; j++) {
      const struct gmmu_map_line *l = &maps[i].v[j];
      uint64_t vfn = l->va >> 12 & ((1ull << 36) - 1), space = (uint64_t)l->asid << 36;
      v[k++] = (struct frames){space | vfn >> 9, space | (vfn + ((l->bytes - 1) >> 12)) >> 9};
    }
  qsort(v, n, sizeof *v, by_lo);
  for (k = 0; k < n; k++) {
    uint64_t lo = v[k].lo > next ? v[k].lo : next;
    if (lo > v[k].hi) continue;
    const uint64_t lfns = (1ull << 36) - 1;
    gmmu_scan_range(m, e, (int)(lo >> 36), (lo & lfns) << 9, (v[k].hi & lfns) << 9, out);
    next = v[k].hi + 1;
  }
  free(v);
  return 0;
}

void gmmu_remap_plan(const struct gmmu_mem *m, const struct gmmu_env *e, int asid, uint64_t vfn,
                     struct gmmu_remap *out) {
  uint64_t go = ac_bit(e) | (e->frame_bits_in_rsw ? 0 : GMMU_PTE_C(vfn >> 6 & 7)), pte;

  *out = (struct gmmu_remap){.inv = {.valid = true,
                                     .kind = GMMU_INV_RANGE,
                                     .asid = (uint16_t)asid,
                                     .lo_vfn = vfn,
                                     .hi_vfn = vfn}};
  if (!ext_on(e, asid)) return;
  out->frame_pte_pa = frame_pte_pa(m, e, asid, vfn >> 9);
  if (!out->frame_pte_pa) return;
  pte = out->frame_pte = gmmu_mem_read64(m, out->frame_pte_pa);
  if (!points_on(pte)) return;
  out->frame_pte = pte & ~go;
  out->clears = out->frame_pte != pte;
  /* A walk that read the old frame PTE may still take this page for the head of what it covers. */
  out->wait_before = out->clears && vfn % PAGES == 0;
}
