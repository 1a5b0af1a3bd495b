/* SPDX-License-Identifier: Apache-2.0 */
/* The world of the random bench: contexts, windows, ASIDs and the virtual pages, which are the same
 * in every space, so that a mix-up of ASIDs is seen at once. Tables: random_tables.c. */
#include "random/random_world.h"

#include <stdlib.h>
#include <string.h>

#define TABLES_PER_AREA 4000

/* ---------------------------------------- contexts and windows */
struct gmmu_env *rw_change_env(struct rw_world *w) {
  if (!w->env_changed) { /* whoever looks one cycle back still finds the old one */
    w->env[!w->cur] = w->env[w->cur];
    w->cur = !w->cur;
    w->env_changed = true;
  }
  return &w->env[w->cur];
}

void rw_ctx_changed(struct rw_world *w, int space, uint64_t now) {
  struct rw_space *s = &w->space[space];

  if (s->n_log && s->log[s->n_log - 1].from == now) s->n_log--;
  if (s->n_log == RW_CTX_LOG) memmove(s->log, s->log + 1, (size_t)--s->n_log * sizeof *s->log);
  s->log[s->n_log++] = (struct rw_ctx_log){.from = now, .ctx = rw_env(w)->ctx[s->asid]};
}

/** Table frames all over an area, each of its parts has one. */
static void scatter_tables(struct rw_world *w, int area) {
  uint64_t part = (w->walk_hi[area] - w->walk_lo[area] + 1) / TABLES_PER_AREA;

  for (uint64_t i = 0; i < TABLES_PER_AREA; i++)
    w->free_table[w->n_free++] = w->walk_lo[area] + i * part + rw_below(w, part);
}

static void place(struct rw_world *w) {
  const int n = (int)w->cfg->NumWindows;
  struct gmmu_env *e = &w->env[0];
  uint64_t q = (w->top + 1) / 4;

  w->data_lo[0] = q;
  w->data_hi[0] = 2 * q - 1;
  w->data_lo[1] = 2 * q;
  w->data_hi[1] = 3 * q - 1;
  w->walk_lo[0] = 0x100;
  w->walk_hi[0] = q - 1;
  w->walk_lo[1] = 3 * q;
  w->walk_hi[1] = 3 * q + q / 2; /* above is no window at all */
  scatter_tables(w, 0);
  if (n >= 4) scatter_tables(w, 1);
  if (n == 1) {
    e->win[0] =
        (struct gmmu_window){.lo_pfn = 0x100, .hi_pfn = w->data_hi[1], .walk = true, .data = true};
    return;
  }
  e->win[0] = (struct gmmu_window){.lo_pfn = w->walk_lo[0], .hi_pfn = w->walk_hi[0], .walk = true};
  e->win[1] =
      (struct gmmu_window){.lo_pfn = w->data_lo[0], .hi_pfn = w->data_hi[n == 2], .data = true};
  if (n >= 3)
    e->win[2] =
        (struct gmmu_window){.lo_pfn = w->data_lo[1], .hi_pfn = w->data_hi[1], .data = true};
  if (n >= 4)
    e->win[3] =
        (struct gmmu_window){.lo_pfn = w->walk_lo[1], .hi_pfn = w->walk_hi[1], .walk = true};
}

/* ---------------------------------------- the virtual side */
static uint64_t sext(uint64_t v, int bits) {
  return (uint64_t)((int64_t)(v << (64 - bits)) >> (64 - bits));
}

/** Region numbers are VA[47:30]: one in the low half, one in the high half of Sv39, one of Sv48
 * only (VaW 39: in the low half). The third one often differs from the first in one bit. */
static uint64_t region_number(struct rw_world *w, int r) {
  uint64_t n = rw_below(w, 256);

  if (r == 0) return n;
  if (r == 1) return sext(256 + n, 9) & 0x3ffff;
  n = w->space[0].frame[0].lfn >> 9;
  if (rw_chance(w, 60))
    return n ^ 1ull << (w->cfg->VaW == 48 ? 9 + rw_below(w, 9) : rw_below(w, 8));
  return w->cfg->VaW == 48 ? (1 + rw_below(w, 510)) << 9 | rw_below(w, 512)
                           : (n + 1 + rw_below(w, 255)) & 255;
}

static void make_space(struct rw_world *w, int space) {
  struct rw_space *s = &w->space[space];

  for (int i = 0; i < RW_REGIONS * RW_FRAMES; i++) {
    struct rw_frame *f = &s->frame[i];
    *f = w->space[0].frame[i]; /* the same virtual pages in every space */
    f->space = space;
    f->region = i / RW_FRAMES;
    for (int k = 0; k < RW_HOT; k++) {
      struct rw_page *p = &w->page[w->pages];
      *p = (struct rw_page){
          .space = space, .frame = i, .asid = (uint16_t)s->asid, .error_at = RW_NEVER};
      p->vfn = f->lfn << 9 | (uint64_t)f->hot[k];
      f->page[k] = w->pages++;
    }
  }
}

/** Both ends, some neighbours, and the rest all over the frame, heads of subregions among them. */
static int hot_page(struct rw_world *w, int k) {
  int n = k == 8 ? 8 + (int)rw_below(w, 32) : (k - 8) * 42 + (int)rw_below(w, 41);

  if (k < 8) return k == 0 ? 0 : k == 1 ? 511 : k;
  return k % 3 == 0 && rw_chance(w, 60) ? (n + 40) / 64 * 64 : n;
}

/** A page that differs from another in one bit of its number, and is none that the frame has. */
static void one_bit_apart(struct rw_world *w, struct rw_frame *f, int k) {
  int page = f->hot[rw_below(w, (uint64_t)k)] ^ 1 << rw_below(w, 9);

  for (int i = 0; i < RW_HOT; i++)
    if (f->hot[i] == page) return;
  f->hot[k] = page;
}

/** VAs that differ in one bit: pages of a frame, frames of a region, regions: a tag that ignores
 * any bit mixes some up. */
static void pair_up(struct rw_world *w) {
  struct rw_frame *all = w->space[0].frame;

  for (int i = 0; i < RW_REGIONS * RW_FRAMES; i++)
    for (int k = RW_HOT - 4; k < RW_HOT; k++) one_bit_apart(w, &all[i], k);
  for (int r = 0; r < RW_REGIONS; r++) {
    struct rw_frame *f = &all[r * RW_FRAMES];
    uint64_t lfn = f[0].lfn ^ 1ull << rw_below(w, 9);
    bool taken = false;
    for (int i = 0; i < RW_FRAMES - 1; i++) taken |= f[i].lfn == lfn;
    if (taken) continue;
    f[RW_FRAMES - 1].lfn = lfn;
    memcpy(f[RW_FRAMES - 1].hot, f[0].hot, sizeof f[0].hot);
  }
  for (int i = 0; i < RW_FRAMES; i++) { /* the third region like the first */
    struct rw_frame *f = &all[2 * RW_FRAMES + i];
    f->lfn = (f->lfn & ~511ull) | (all[i].lfn & 511);
    memcpy(f->hot, all[i].hot, sizeof f->hot);
  }
}

static void make_addresses(struct rw_world *w) {
  for (int r = 0; r < RW_REGIONS; r++) {
    uint64_t region = region_number(w, r), first = rw_below(w, 508);
    for (int i = 0; i < RW_FRAMES; i++) {
      struct rw_frame *f = &w->space[0].frame[r * RW_FRAMES + i];
      /* two neighbours, two far away: ranges that end between frames matter */
      f->lfn = region << 9 | (i < 2 ? first + (uint64_t)i
                                    : (first + 2 + rw_below(w, 250) * 2 + (uint64_t)(i - 2)) % 512);
      for (int k = 0; k < i; k++)
        if (w->space[0].frame[r * RW_FRAMES + k].lfn == f->lfn) {
          f->lfn = region << 9 | ((f->lfn + 1) & 511);
          k = -1;
        }
      for (int k = 0; k < RW_HOT; k++) f->hot[k] = hot_page(w, k);
    }
  }
  pair_up(w);
}

static void choose_asids(struct rw_world *w) {
  int n = (int)w->cfg->NumAsids, bits = 1;

  while (1 << bits < n) bits++;
  w->spaces = n < RW_ASIDS ? n : RW_ASIDS;
  for (int i = 0; i < w->spaces; i++) { /* over the whole width, often two that differ in one bit */
    int asid = (int)rw_below(w, (uint64_t)n);
    if (i % 2 && rw_chance(w, 70)) asid = w->space[i - 1].asid ^ 1 << rw_below(w, (uint64_t)bits);
    for (int k = 0; k < i; k++)
      if (asid >= n || w->space[k].asid == asid) {
        asid = (int)rw_below(w, (uint64_t)n);
        k = -1;
      }
    w->space[i].asid = asid;
  }
}

int rw_world_init(struct rw_world *w, const struct gmmu_config *c, uint64_t seed,
                  struct gmmu_err *err) {
  memset(w, 0, sizeof *w);
  w->cfg = c;
  gmmu_rng_seed(&w->rng, seed);
  w->top = (1ull << (c->PaW - 12)) - 1;
  w->kill_large_by_frame = c->L1LargeEntries > 0 && (c->L2LargeEntries > 0 || c->L2Unified);
  w->mem = gmmu_mem_new();
  if (!w->mem) return gmmu_fail(err, "out of memory");
  gmmu_env_from_config(&w->env[0], c);
  place(w);
  choose_asids(w);
  make_addresses(w);
  for (int i = 0; i < w->spaces; i++) make_space(w, i);
  for (int i = 0; i < w->spaces; i++) {
    struct gmmu_ctx ctx = rw_random_space(w, i);
    w->env[0].ctx[w->space[i].asid] = ctx;
    rw_ctx_changed(w, i, 0);
    rw_update_space(w, i, 0);
  }
  w->env[1] = w->env[0];
  return 0;
}

void rw_world_free(struct rw_world *w) {
  if (w->mem) gmmu_mem_free(w->mem);
  w->mem = NULL;
}
