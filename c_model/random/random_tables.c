/* SPDX-License-Identifier: Apache-2.0 */
/* Page tables of the random bench: their shape and random contents. Physical pages hardly ever
 * repeat. */
#include "random/random_world.h"

#include <string.h>

#define RESERVED_BIT (1ull << 60)
#define POINTER GMMU_PTE_V

static bool has_ext(const struct rw_world *w, int space) {
  return rw_env(w)->ctx[w->space[space].asid].ext;
}

/* ---------------------------------------- table frames */
uint64_t rw_table_new(struct rw_world *w) {
  uint64_t pfn;
  int i;

  if (!w->n_free) return 0;
  i = (int)rw_below(w, (uint64_t)w->n_free);
  pfn = w->free_table[i];
  w->free_table[i] = w->free_table[--w->n_free];
  for (int k = 0; k < 512; k++)
    if (gmmu_mem_read64(w->mem, pfn << 12 | (uint64_t)k << 3))
      gmmu_mem_write64(w->mem, pfn << 12 | (uint64_t)k << 3, 0);
  return pfn;
}

void rw_table_free(struct rw_world *w, uint64_t pfn) {
  bool table = (pfn >= w->walk_lo[0] && pfn <= w->walk_hi[0]) ||
               (pfn >= w->walk_lo[1] && pfn <= w->walk_hi[1]);

  if (table && w->n_free < (int)(sizeof w->free_table / sizeof *w->free_table))
    w->free_table[w->n_free++] = pfn;
}

static void put(struct rw_world *w, uint64_t table, uint64_t index, uint64_t pte) {
  gmmu_mem_write64(w->mem, table << 12 | index << 3, pte);
}

/* ---------------------------------------- random PTEs */
static uint64_t data_pfn(struct rw_world *w, bool frame) {
  int i = (int)rw_below(w, 2);
  uint64_t pfn = w->data_lo[i] + rw_below(w, w->data_hi[i] - w->data_lo[i] + 1);

  /* Some at a window's edge, so that pages, groups and runs lie across it. */
  if (!frame && rw_chance(w, 4)) pfn = w->data_hi[i] - rw_below(w, 4);
  if (!frame && rw_chance(w, 4)) pfn = w->data_hi[i] - rw_below(w, 600);
  return frame ? pfn & ~511ull : pfn;
}

/** A page from which a run begins outside a window, or leaves it, or just does not either. */
static uint64_t edge(struct rw_world *w) {
  int i = (int)rw_below(w, 2);
  uint64_t at = w->data_hi[i] + 1;

  if (rw_chance(w, 40)) at = w->data_lo[i] + (rw_chance(w, 50) ? 512 : 0);
  return at -
         (rw_chance(w, 50) ? rw_below(w, 600) : 64 * (1 + rw_below(w, 8)) + rw_below(w, 3) - 1);
}

static uint64_t leaf_bits(struct rw_world *w) {
  static const uint64_t rwx[] = {GMMU_PTE_R, GMMU_PTE_R | GMMU_PTE_W, GMMU_PTE_R | GMMU_PTE_X,
                                 GMMU_PTE_X, GMMU_PTE_R | GMMU_PTE_W | GMMU_PTE_X};
  uint64_t bits = GMMU_PTE_V | GMMU_PTE_A | GMMU_PTE_D;

  if (w->cfg->Svadu) { /* most are for hardware to set */
    bits &= rw_chance(w, 40) ? ~0ull : ~GMMU_PTE_D;
    bits &= rw_chance(w, 60) ? ~0ull : ~(GMMU_PTE_A | GMMU_PTE_D);
  }
  if (rw_chance(w, 80))
    return bits | GMMU_PTE_R | GMMU_PTE_W | GMMU_PTE_U | (rw_chance(w, 50) ? GMMU_PTE_X : 0);
  bits |= rwx[rw_below(w, 5)];
  if (rw_chance(w, 60)) bits |= GMMU_PTE_U;
  if (rw_chance(w, 20)) bits |= GMMU_PTE_G;
  if (rw_chance(w, 15)) bits &= ~GMMU_PTE_D;
  return bits;
}

/** Of a frame or subregion that is one translation: A and D are set, as software has to; with Svadu
 * sometimes they are not, which faults though hardware sets them elsewhere. */
static uint64_t run_bits(struct rw_world *w, uint64_t bits) {
  bits |= GMMU_PTE_A | GMMU_PTE_D;
  if (!w->cfg->Svadu || rw_chance(w, 80)) return bits;
  return bits & ~(rw_chance(w, 30) ? GMMU_PTE_A | GMMU_PTE_D : GMMU_PTE_D);
}

/** Spoils a PTE in one of the ways that a walk must notice. */
static uint64_t spoil_once(struct rw_world *w, uint64_t pte, bool leaf) {
  uint64_t low = pte & 0x3ff;

  switch (rw_below(w, 7)) {
    case 0: return pte & ~GMMU_PTE_V;
    case 1: return (pte | GMMU_PTE_W) & ~GMMU_PTE_R;
    case 2: return pte | RESERVED_BIT;
    case 3: return leaf ? pte & ~GMMU_PTE_A : pte | GMMU_PTE_A << rw_below(w, 2);
    case 4:
      return w->cfg->PaW < 56 ? GMMU_PTE_MAKE((w->top + 1) | GMMU_PTE_PPN(pte), low)
                              : pte & ~GMMU_PTE_V;
    case 5:
      return GMMU_PTE_MAKE(
          (w->top - 511 - 512 * rw_below(w, 100)) | (leaf ? GMMU_PTE_PPN(pte) & 511 : 0), low);
    default: return leaf ? pte & ~(GMMU_PTE_R | GMMU_PTE_W | GMMU_PTE_X) : pte | GMMU_PTE_U;
  }
}

/** Now and then in two ways at once: the order of causes decides. */
static uint64_t spoil(struct rw_world *w, uint64_t pte, bool leaf) {
  pte = spoil_once(w, pte, leaf);
  return rw_chance(w, 25) ? spoil_once(w, pte, leaf) : pte;
}

/** A leaf of 2^(9 * level) pages that starts at `base`, rounded down, often at a wrong place: any
 * of its low bits set. */
static uint64_t big_leaf(struct rw_world *w, uint64_t base, int level) {
  uint64_t pfn = base & ~((1ull << 9 * level) - 1);

  if (rw_chance(w, level == 3 ? 40 : 20))
    pfn |= 1ull << (9 * rw_below(w, (uint64_t)level) + rw_below(w, 9));
  uint64_t pte = GMMU_PTE_MAKE(pfn, leaf_bits(w));
  return rw_chance(w, 20) ? spoil(w, pte, true) : pte;
}

uint64_t rw_random_leaf(struct rw_world *w, int space, bool may_be_bad) {
  uint64_t pte = GMMU_PTE_MAKE(data_pfn(w, false), leaf_bits(w));

  if (!has_ext(w, space) && rw_chance(w, 50)) pte |= 3ull << 8; /* software's bits */
  else if (has_ext(w, space) && rw_chance(w, 8)) pte |= GMMU_PTE_DIS;
  return may_be_bad && rw_chance(w, 12) ? spoil(w, pte, true) : pte;
}

static uint64_t co_bit(const struct rw_world *w) {
  return rw_env(w)->frame_bits_in_rsw ? GMMU_PTE_CO_RSW : GMMU_PTE_CO;
}

static uint64_t ac_bit(const struct rw_world *w) {
  return rw_env(w)->frame_bits_in_rsw ? GMMU_PTE_AC_RSW : GMMU_PTE_AC;
}

/** Makes subregion x of a leaf table contiguous: its head and the pages in use. */
static void put_subregion(struct rw_world *w, uint64_t table, const struct rw_frame *f, int x,
                          uint64_t head, uint64_t bits) {
  put(w, table, (uint64_t)x * 64, GMMU_PTE_MAKE(head, bits));
  for (int i = 0; i < RW_HOT; i++)
    if (f->hot[i] / 64 == x)
      put(w, table, (uint64_t)f->hot[i], GMMU_PTE_MAKE(head + (uint64_t)(f->hot[i] % 64), bits));
}

/** MESC section IV-A: some subregions contiguous, runs of them contiguous with one another. Returns
 * the bits of the frame PTE, not always all that could be set; `rest`: leaves of the other
 * subregions are made as well. */
static uint64_t make_subregions(struct rw_world *w, uint64_t table, const struct rw_frame *f) {
  uint64_t bits = leaf_bits(w), head = data_pfn(w, false), set = 0, bad = 0;
  bool all = true, c = !rw_env(w)->frame_bits_in_rsw;

  if (rw_chance(w, 20)) head = edge(w);
  for (int x = 0; x < 8; x++) {
    bool joins = x > 0 && rw_chance(w, 70);
    if (rw_chance(w, 25)) {
      all = false;
      if (c && rw_chance(w, 40)) { /* C is set without truth: the head is bad, which nobody may take
                                      for contiguous */
        bad = bad && rw_chance(w, 60) ? bad + (64ull << 10) /* as the one below it */
                                      : spoil(w, GMMU_PTE_MAKE(head, bits), true);
        put(w, table, (uint64_t)x * 64, bad);
        set |= GMMU_PTE_C(x);
        head += 64;
      } else bad = 0;
      continue;
    }
    bad = 0;
    if (x > 0 && !joins) /* often by one bit only */
      head = rw_chance(w, 30) ? head ^ 1ull << rw_below(w, 10) : data_pfn(w, false);
    if (rw_chance(w, 10)) bits = leaf_bits(w), joins = x == 0;
    all &= joins || x == 0;
    bits = run_bits(w, bits);
    put_subregion(w, table, f, x, head, bits);
    head += 64;
    if (c && rw_chance(w, 90)) set |= GMMU_PTE_C(x);
  }
  return set | (all && rw_chance(w, 80) ? ac_bit(w) : 0);
}

/** Which of its C and AC bits software sets in a frame that is contiguous as a whole. */
static uint64_t contiguous_bits(struct rw_world *w) {
  uint64_t set =
      rw_env(w)->frame_bits_in_rsw ? 0 : (rw_chance(w, 50) ? 255 : rw_below(w, 256)) << 54;
  return set | (rw_chance(w, 40) ? ac_bit(w) : 0);
}

uint64_t rw_random_frame(struct rw_world *w, int space, struct rw_frame *f, uint64_t *table,
                         int *kind) {
  unsigned dice = (unsigned)rw_below(w, 100);
  uint64_t base = data_pfn(w, true), bits = run_bits(w, leaf_bits(w)), pte;

  *table = 0;
  if (dice < 12) { /* native 2 MiB leaf */
    *kind = RW_MEGA;
    pte = GMMU_PTE_MAKE(base + (rw_chance(w, 10) ? 1 + rw_below(w, 511) : 0), leaf_bits(w));
    return rw_chance(w, 10) ? spoil(w, pte, true) : pte;
  }
  if (dice < 16) {
    *kind = RW_ABSENT;
    return rw_below(w, 1ull << 54) & ~GMMU_PTE_V;
  }
  *table = rw_table_new(w);
  pte = GMMU_PTE_MAKE(*table, POINTER);
  if (dice < 60 || !has_ext(w, space)) {
    *kind = dice < 22 ? RW_BAD : RW_NORMAL;
    for (int i = 0; i < RW_HOT; i++)
      put(w, *table, (uint64_t)f->hot[i], rw_random_leaf(w, space, true));
    if (has_ext(w, space) && dice >= 40) pte |= make_subregions(w, *table, f);
    return *kind == RW_BAD ? spoil(w, pte, false) : pte;
  }
  *kind = dice < 76 ? RW_CONTIG : dice < 96 ? RW_COALESCED : RW_BAD;
  if (*kind == RW_BAD) /* coalesced, but it is not: leaf PTE 0 decides */
    base += rw_chance(w, 50) ? 1 + rw_below(w, 511) : 0;
  for (int x = 0; x < 8; x++)
    put_subregion(w, *table, f, x, base + 64ull * (uint64_t)x,
                  bits | (*kind == RW_CONTIG ? 0 : GMMU_PTE_DIS));
  if (*kind != RW_BAD && rw_chance(w, 70)) pte |= contiguous_bits(w);
  if (*kind == RW_BAD && rw_chance(w, 70))
    put(w, *table, 0, spoil(w, GMMU_PTE_MAKE(base, bits), true));
  if (*kind == RW_BAD && w->cfg->L2Unified && rw_chance(w, 40)) /* AC without truth: the same */
    return pte | ac_bit(w);
  return *kind == RW_CONTIG ? pte : pte | co_bit(w);
}

uint64_t rw_random_region(struct rw_world *w, int space, int region, uint64_t *table,
                          struct rw_frame *next) {
  struct rw_space *s = &w->space[space];
  unsigned dice = (unsigned)rw_below(w, 100);
  uint64_t pte;

  for (int i = 0; i < RW_FRAMES; i++) {
    next[i] = s->frame[region * RW_FRAMES + i];
    next[i].kind = RW_BAD;
    next[i].pte_pa = next[i].table = 0;
  }
  *table = 0;
  if (dice < 8) { /* 1 GiB leaf: broken into 2 MiB translations */
    return big_leaf(w, w->data_lo[rw_below(w, 2)], 2);
  }
  *table = rw_table_new(w);
  for (int i = 0; i < RW_FRAMES; i++) {
    uint64_t index = next[i].lfn & 511;
    uint64_t fp = rw_random_frame(w, space, &next[i], &next[i].table, &next[i].kind);
    next[i].pte_pa = *table << 12 | index << 3;
    gmmu_mem_write64(w->mem, next[i].pte_pa, fp);
  }
  pte = GMMU_PTE_MAKE(*table, POINTER);
  if (dice < 12) { /* nobody reaches these frames: they must not be operated on */
    for (int i = 0; i < RW_FRAMES; i++) next[i].pte_pa = 0;
    return spoil(w, pte, false);
  }
  return pte;
}

static uint64_t lfn_of(const struct rw_space *s, int region) {
  return s->frame[region * RW_FRAMES].lfn;
}

static void absent_region(struct rw_space *s, int r) {
  s->region_pte_pa[r] = s->region_table[r] = 0;
  for (int i = 0; i < RW_FRAMES; i++) {
    s->frame[r * RW_FRAMES + i].kind = RW_BAD;
    s->frame[r * RW_FRAMES + i].pte_pa = s->frame[r * RW_FRAMES + i].table = 0;
  }
}

/** A root beside the windows that a walk may read. */
static uint64_t root_outside(struct rw_world *w) {
  if (w->cfg->NumWindows >= 2 && rw_chance(w, 50))
    return w->walk_hi[0] + 1 + rw_below(w, 2) * rw_below(w, 512);
  return w->walk_lo[0] - 1 - rw_below(w, 2) * rw_below(w, w->walk_lo[0]);
}

struct gmmu_ctx rw_random_space(struct rw_world *w, int space) {
  struct rw_space *s = &w->space[space];
  struct gmmu_env *e =
      &w->env[w->cur]; /* mode and ext steer the contents; the caller publishes the context */
  struct gmmu_ctx c = {.ext = rw_chance(w, 80), .sum = rw_chance(w, 50), .mxr = rw_chance(w, 50)};
  uint64_t l2[RW_REGIONS], l3 = 0;

  c.mode = w->cfg->VaW == 48 && rw_chance(w, 60) ? GMMU_MODE_SV48 : GMMU_MODE_SV39;
  e->ctx[s->asid].mode = c.mode;
  e->ctx[s->asid].ext = c.ext;
  if (rw_chance(w, 4)) {
    c.root_pfn = root_outside(w);
    for (int r = 0; r < RW_REGIONS; r++) absent_region(s, r);
    return c;
  }
  c.root_pfn = l3 = rw_table_new(w);
  for (int r = 0; r < RW_REGIONS; r++) {
    uint64_t i3 = lfn_of(s, r) >> 18 & 511, i2 = lfn_of(s, r) >> 9 & 511, high = lfn_of(s, r) >> 17;
    struct rw_frame next[RW_FRAMES];
    if (c.mode == GMMU_MODE_SV39 && high != 0 && high != 1023) { /* no such address in Sv39 */
      absent_region(s, r);
      continue;
    }
    l2[r] = l3;
    if (c.mode == GMMU_MODE_SV48) {
      if (rw_chance(w, 10)) { /* 512 GiB leaf */
        put(w, l3, i3, big_leaf(w, w->data_lo[1], 3));
        absent_region(s, r);
        s->upper_table[r] = 0;
        continue;
      }
      l2[r] = rw_table_new(w); /* regions never share an entry of the root */
      put(w, l3, i3, GMMU_PTE_MAKE(l2[r], POINTER));
      s->upper_table[r] = l2[r];
    }
    s->region_pte_pa[r] = l2[r] << 12 | i2 << 3;
    gmmu_mem_write64(w->mem, s->region_pte_pa[r],
                     rw_random_region(w, space, r, &s->region_table[r], next));
    memcpy(&s->frame[r * RW_FRAMES], next, sizeof next);
  }
  return c;
}

void rw_release_space(struct rw_world *w, int space) {
  struct rw_space *s = &w->space[space];

  rw_table_free(w, rw_env(w)->ctx[s->asid].root_pfn);
  for (int r = 0; r < RW_REGIONS; r++) {
    rw_table_free(w, s->region_table[r]);
    rw_table_free(w, s->upper_table[r]);
    s->region_table[r] = s->upper_table[r] = 0;
  }
  for (int i = 0; i < RW_REGIONS * RW_FRAMES; i++) {
    rw_table_free(w, s->frame[i].table);
    s->frame[i].table = 0;
  }
}
