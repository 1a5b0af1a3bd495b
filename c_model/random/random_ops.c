/* SPDX-License-Identifier: Apache-2.0 */
/* The operations of the random bench's software: which PTEs are written and what is invalidated,
 * step by step. Rules: random_sw.h and random_world.h. */
#include "random/random_ops.h"

static void step(struct sw_op *o, int type, uint64_t addr, uint64_t value) {
  if (o->steps < SW_STEPS)
    o->step[o->steps++] = (struct sw_step){.type = type, .addr = addr, .value = value};
}

static void add_command(struct sw_op *o, struct gmmu_inv_cmd c) {
  if (o->steps < SW_STEPS) o->step[o->steps++] = (struct sw_step){.type = ST_INVALIDATE, .cmd = c};
}

/** A command that covers VFNs lo..hi of the space, not always the smallest. */
struct gmmu_inv_cmd sw_covering(struct rw_world *w, int space, uint64_t lo, uint64_t hi) {
  struct gmmu_inv_cmd c = {
      .valid = true, .kind = GMMU_INV_RANGE, .asid = (uint16_t)w->space[space].asid};
  unsigned dice = (unsigned)rw_below(w, 100);

  c.lo_vfn = lo;
  c.hi_vfn = hi;
  if (dice < 6) {
    c.kind = GMMU_INV_ALL;
    c.asid = (uint16_t)rw_below(w, 1ull << w->cfg->AsidW); /* must not matter */
  } else if (dice < 18) {
    c.kind = GMMU_INV_ASID;
  } else if (dice < 50) {
    uint64_t a = rw_below(w, dice < 34 ? 4 : 1200), b = rw_below(w, dice < 34 ? 4 : 1200);
    c.lo_vfn = lo > a ? lo - a : 0;
    c.hi_vfn = sw_clamp(hi + b);
    /* ends anywhere, also in what the built width has no pages for */
    if (dice < 22) c.lo_vfn = rw_below(w, lo + 1);
    if (dice >= 20 && dice < 24) c.hi_vfn = hi + rw_below(w, (1ull << 36) - hi);
  }
  if (c.kind != GMMU_INV_RANGE) {
    c.lo_vfn = rw_below(w, 1ull << 36); /* must not matter either */
    c.hi_vfn = rw_below(w, 1ull << 36);
  }
  return c;
}

static uint64_t old_pte(const struct rw_world *w, uint64_t pa) {
  return gmmu_mem_read64(w->mem, pa);
}

static bool space_quiet(const struct rw_world *w, int space, int region) {
  for (int i = 0; i < RW_REGIONS * RW_FRAMES; i++) {
    const struct rw_frame *f = &w->space[space].frame[i];
    if ((region < 0 || f->region == region) && (f->locked || f->leaf_ops || !rw_room(w, f)))
      return false;
  }
  return true;
}

void sw_lock_frames(struct rw_world *w, int space, int region, bool locked) {
  for (int i = 0; i < RW_REGIONS * RW_FRAMES; i++)
    if (region < 0 || w->space[space].frame[i].region == region)
      w->space[space].frame[i].locked = locked;
}

/** MESC section IV-D: before a page of a contiguous subregion or frame changes, its C and AC bits
 * go. A walk that has read the frame PTE may still read the head of a subregion and take it for the
 * whole: if it is a head that will change, such walks must have ended before. */
static bool clear_contiguity(struct sw *s, struct sw_op *o, struct rw_frame *f, int page,
                             uint64_t vfn) {
  struct rw_world *w = s->w;
  uint64_t pte = old_pte(w, f->pte_pa), go = GMMU_PTE_C(page / 64) | GMMU_PTE_AC;

  if (rw_env(w)->frame_bits_in_rsw) go = GMMU_PTE_AC_RSW;
  if (!rw_env(w)->ctx[w->space[o->space].asid].ext || !(pte & go)) return false;
  step(o, ST_WRITE, f->pte_pa, pte & ~go);
  if (page % 64 == 0) {
    add_command(o, sw_covering(w, o->space, vfn, vfn));
    step(o, ST_WAIT, 0, 0);
  }
  return true;
}

/** The memory subregion cache may know the old tables, which must not meet the new ones
 * (docs/msc.md): the pointer to them is made invalid first. */
static void break_first(struct sw *s, struct sw_op *o, uint64_t pa, uint64_t lo, uint64_t hi) {
  if (!s->w->cfg->L2Unified) return;
  step(o, ST_WRITE, pa, old_pte(s->w, pa) & ~GMMU_PTE_V);
  add_command(o, sw_covering(s->w, o->space, lo, hi));
  step(o, ST_WAIT, 0, 0);
}

/** One or two changes of one leaf PTE. */
bool sw_make_leaf(struct sw *s, struct sw_op *o, struct rw_frame *f) {
  struct rw_world *w = s->w;
  int i = (int)rw_below(w, RW_HOT), writes = rw_chance(w, 15) ? 2 : 1;
  uint64_t pa = f->table << 12 | (uint64_t)f->hot[i] << 3, pte = old_pte(w, pa),
           vfn = w->page[f->page[i]].vfn;
  bool need = false, bits;

  if (!f->table || !f->pte_pa || (f->kind != RW_NORMAL && f->kind != RW_CONTIG) || !rw_room(w, f))
    return false;
  bits = (old_pte(w, f->pte_pa) & (255ull << 54 | GMMU_PTE_AC | GMMU_PTE_AC_RSW)) != 0;
  if (bits && f->leaf_ops) return false; /* one at a time writes the frame PTE */
  if (bits) need = clear_contiguity(s, o, f, f->hot[i], vfn);
  o->alone = f->locked = bits;
  for (; writes; writes--) {
    uint64_t next = rw_random_leaf(w, o->space, true);
    need |= (pte & GMMU_PTE_V) != 0;
    if ((pte & GMMU_PTE_V) && rw_chance(w, 30)) /* only the permissions */
      next = (next & 0x3ff) | (pte & ~0x3ffull);
    if ((pte & GMMU_PTE_V) && rw_chance(w, 15)) next = pte & ~GMMU_PTE_V;
    step(o, ST_WRITE, pa, next);
    pte = next;
  }
  if (need || rw_chance(w, 10)) {
    add_command(o, sw_covering(w, o->space, vfn, vfn));
    step(o, ST_WAIT, 0, 0);
  }
  f->kind = RW_NORMAL;
  f->leaf_ops++;
  o->page = f->page[i];
  return true;
}

/** All versions of the frame's pages that are alive are large ones: touching any page of it covers
 * them all. */
static bool all_large(const struct rw_world *w, const struct rw_frame *f) {
  for (int i = 0; i < RW_HOT; i++) {
    const struct rw_page *p = &w->page[f->page[i]];
    for (int k = 0; k < p->n; k++)
      if (!p->v[k].x.large) return false;
  }
  return w->kill_large_by_frame;
}

/** Another leaf table or leaf behind the frame PTE, by one write. */
bool sw_make_frame(struct sw *s, struct sw_op *o, struct rw_frame *f) {
  struct rw_world *w = s->w;
  uint64_t pte, lo = f->lfn << 9, hi = lo | 511;
  bool was_valid;

  if (!f->pte_pa || f->leaf_ops || f->kind == RW_COALESCED || !rw_room(w, f)) return false;
  was_valid = old_pte(w, f->pte_pa) & GMMU_PTE_V;
  o->after[0] = *f;
  pte = rw_random_frame(w, o->space, f, &o->after[0].table, &o->after[0].kind);
  if (was_valid) break_first(s, o, f->pte_pa, lo, hi);
  step(o, ST_WRITE, f->pte_pa, pte);
  if (was_valid && all_large(w, f) && rw_chance(w, 60)) {
    lo += rw_below(w, 512);
    hi = lo + rw_below(w, 3);
  }
  if (was_valid || rw_chance(w, 30)) {
    add_command(o, sw_covering(w, o->space, lo, hi));
    step(o, ST_WAIT, 0, 0);
  }
  o->old[o->num_old++] = f->table;
  f->locked = true;
  return true;
}

static void shuffle(struct rw_world *w, int *v, int n) {
  for (int i = n - 1; i > 0; i--) {
    int k = (int)rw_below(w, (uint64_t)i + 1), t = v[i];
    v[i] = v[k];
    v[k] = t;
  }
}

/** Mosaic section 4.3. Coalesce: CO, then DIS; nothing is invalidated. Splinter: DIS, CO,
 * invalidate. */
bool sw_make_coalesce(struct sw *s, struct sw_op *o, struct rw_frame *f) {
  struct rw_world *w = s->w;
  bool splinter = f->kind == RW_COALESCED;
  uint64_t co = rw_env(w)->frame_bits_in_rsw ? GMMU_PTE_CO_RSW : GMMU_PTE_CO, pte;
  int order[RW_HOT + 8], n = 0;

  if (!f->pte_pa || f->leaf_ops || !rw_room(w, f) || (f->kind != RW_CONTIG && !splinter))
    return false;
  pte = old_pte(w, f->pte_pa);
  for (int i = 0; i < RW_HOT; i++) order[n++] = f->hot[i];
  for (int x = 0; x < 8; x++) { /* heads of subregions are read as well */
    bool in = false;
    for (int i = 0; i < RW_HOT; i++) in |= f->hot[i] == 64 * x;
    if (!in) order[n++] = 64 * x;
  }
  shuffle(w, order, n);
  if (!splinter) step(o, ST_WRITE, f->pte_pa, pte | co);
  for (int i = 0; i < n; i++) {
    uint64_t pa = f->table << 12 | (uint64_t)order[i] << 3;
    step(o, ST_WRITE, pa,
         splinter ? old_pte(w, pa) & ~GMMU_PTE_DIS : old_pte(w, pa) | GMMU_PTE_DIS);
  }
  if (splinter) {
    step(o, ST_WRITE, f->pte_pa, pte & ~co);
    add_command(o, sw_covering(w, o->space, f->lfn << 9, f->lfn << 9 | 511));
    step(o, ST_WAIT, 0, 0);
  }
  o->kind = splinter ? SW_SPLINTER : SW_COALESCE;
  o->after[0] = *f;
  o->after[0].kind = splinter ? RW_CONTIG : RW_COALESCED;
  f->locked = true;
  return true;
}

bool sw_make_region(struct sw *s, struct sw_op *o) {
  struct rw_world *w = s->w;
  struct rw_space *sp = &w->space[o->space];
  uint64_t pa = sp->region_pte_pa[o->region], lo = sp->frame[o->region * RW_FRAMES].lfn >> 9 << 18;

  if (!pa || !space_quiet(w, o->space, o->region)) return false;
  for (int i = 0; i < RW_FRAMES; i++)
    o->old[o->num_old++] = sp->frame[o->region * RW_FRAMES + i].table;
  o->old[o->num_old++] = sp->region_table[o->region];
  break_first(s, o, pa, lo, lo | 0x3ffff);
  step(o, ST_WRITE, pa, rw_random_region(w, o->space, o->region, &o->after_table, o->after));
  add_command(o, sw_covering(w, o->space, lo, lo | 0x3ffff));
  step(o, ST_WAIT, 0, 0);
  sw_lock_frames(w, o->space, o->region, true);
  return true;
}

/** Another context: off, invalidate, then the new tables. */
bool sw_make_space(struct sw *s, struct sw_op *o) {
  struct rw_world *w = s->w;

  if (!space_quiet(w, o->space, -1)) return false;
  step(o, ST_CTX_OFF, 0, 0);
  add_command(o, (struct gmmu_inv_cmd){.valid = true,
                                       .kind = rw_chance(w, 80) ? GMMU_INV_ASID : GMMU_INV_ALL,
                                       .asid = (uint16_t)w->space[o->space].asid});
  step(o, ST_WAIT, 0, 0);
  step(o, ST_CTX_NEW, 0, 0);
  sw_lock_frames(w, o->space, -1, true);
  return true;
}

bool sw_make_toggle(struct sw *s, struct sw_op *o) {
  if (!space_quiet(s->w, o->space, -1)) return false;
  step(o, ST_CTX_OFF, 0, 0);
  step(o, ST_CTX_ON, 0, 0);
  sw_lock_frames(s->w, o->space, -1, true);
  return true;
}

/** A window closes, and opens again; alone, because a walk meets it together with the tables. */
bool sw_make_window(struct sw *s, struct sw_op *o) {
  struct rw_world *w = s->w;
  int n = (int)w->cfg->NumWindows, win = n >= 3 ? 2 : 1;
  bool walk = n >= 4 && rw_chance(w, 50);

  for (int i = 0; i < SW_OPS; i++)
    if (s->op[i].active) return false;
  for (int i = 0; i < w->spaces; i++)
    if (!space_quiet(w, i, -1)) return false;
  if (n == 1) return false;
  if (walk) win = 3;
  step(o, walk ? ST_WIN_WALK : ST_WIN_DATA, (uint64_t)win, 0);
  add_command(o, (struct gmmu_inv_cmd){.valid = true, .kind = GMMU_INV_ALL});
  step(o, ST_WAIT, 0, 0);
  step(o, walk ? ST_WIN_WALK : ST_WIN_DATA, (uint64_t)win, 0); /* opening needs no invalidation */
  for (int i = 0; i < w->spaces; i++) sw_lock_frames(w, i, -1, true);
  return true;
}
