/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/l2_unified.h"

#include <stdlib.h>
#include <string.h>

struct gmmu_uni *gmmu_uni_new(int sets, int ways, int sub_from) {
  struct gmmu_uni *u = calloc(1, sizeof *u);

  if (!u) return NULL;
  u->sets = sets;
  u->ways = ways;
  u->sub_from = sub_from;
  u->entry = calloc((size_t)(sets * ways), sizeof *u->entry);
  if (!u->entry) {
    free(u);
    return NULL;
  }
  gmmu_uni_reset(u);
  return u;
}

void gmmu_uni_free(struct gmmu_uni *u) {
  if (!u) return;
  free(u->entry);
  free(u);
}

/** Way 0 of each set is the least recent. */
void gmmu_uni_reset(struct gmmu_uni *u) {
  int n = u->sets * u->ways;

  memset(u->entry, 0, (size_t)n * sizeof *u->entry);
  for (int i = 0; i < n; i++) u->entry[i].used = (uint64_t)(i % u->ways);
  u->clock = (uint64_t)u->ways;
}

static int regular_set(const struct gmmu_uni *u, uint64_t vfn) {
  return (int)(vfn & (uint64_t)(u->sets - 1));
}
/** VSN[7:3] with 32 sets: all subregions of a frame are in one set. */
static int sub_set(const struct gmmu_uni *u, uint64_t vfn) {
  return (int)(vfn >> 9 & (uint64_t)(u->sets - 1));
}

int gmmu_uni_lookup(const struct gmmu_uni *u, uint16_t asid, uint64_t vfn) {
  const struct gmmu_uni_entry *set = &u->entry[sub_set(u, vfn) * u->ways];

  for (int w = u->sub_from; w < u->ways; w++)
    if (set[w].valid && set[w].sub && set[w].asid == asid && set[w].vfn <= vfn &&
        vfn <= gmmu_uni_last(&set[w]))
      return (int)(&set[w] - u->entry);
  set = &u->entry[regular_set(u, vfn) * u->ways];
  for (int w = 0; w < u->ways; w++)
    if (set[w].valid && !set[w].sub && set[w].asid == asid && set[w].vfn == vfn)
      return (int)(&set[w] - u->entry);
  return -1;
}

void gmmu_uni_touch(struct gmmu_uni *u, int index) { u->entry[index].used = u->clock++; }

/** The entry to write among ways from..: the one given as `same`, else the first invalid one, else
 * the LRU one. */
static int victim(const struct gmmu_uni_entry *set, int from, int ways, int same,
                  struct gmmu_fill *f) {
  int lru = from;

  f->overwrite = same >= 0;
  if (same >= 0) return same;
  for (int w = from; w < ways; w++)
    if (!set[w].valid) return w;
  for (int w = from; w < ways; w++)
    if (set[w].used < set[lru].used) lru = w;
  f->evict = true;
  return lru;
}

/** The entry that these data make. */
static struct gmmu_uni_entry entry_of(uint16_t asid, uint64_t vfn,
                                      const struct gmmu_tlb_data *data) {
  struct gmmu_uni_entry n = {.valid = true, .asid = asid, .vfn = vfn, .data = *data};

  n.sub = data->large || data->sub;
  n.data.sub = false;
  n.data.start = n.data.len = 0;
  if (data->large) {
    n.vfn = vfn & ~511ull;
    n.len = 7;
  } else if (data->sub) {
    n.vfn = (vfn & ~511ull) + 64ull * data->start;
    n.len = data->len;
    n.data.pfn = data->pfn - (vfn - n.vfn);
  }
  return n;
}

static bool overlap(const struct gmmu_uni_entry *a, const struct gmmu_uni_entry *b) {
  return a->valid && a->sub == b->sub && a->asid == b->asid && a->vfn <= gmmu_uni_last(b) &&
         b->vfn <= gmmu_uni_last(a);
}

uint32_t gmmu_uni_leave(struct gmmu_uni *u, uint16_t asid, uint64_t vfn,
                        const struct gmmu_tlb_data *data) {
  struct gmmu_uni_entry n = entry_of(asid, vfn, data);
  struct gmmu_uni_entry *set = &u->entry[(n.sub ? sub_set(u, vfn) : regular_set(u, vfn)) * u->ways];
  uint32_t left = 0;

  for (int w = 0; w < u->ways; w++) {
    if (!overlap(&set[w], &n)) continue;
    set[w].valid = false;
    left |= 1u << w;
  }
  return left;
}

void gmmu_uni_fill(struct gmmu_uni *u, uint16_t asid, uint64_t vfn,
                   const struct gmmu_tlb_data *data, struct gmmu_fill *f) {
  struct gmmu_uni_entry n = entry_of(asid, vfn, data), *set;
  int same = -1;

  set = &u->entry[(n.sub ? sub_set(u, vfn) : regular_set(u, vfn)) * u->ways];
  for (int w = 0; w < u->ways; w++) {
    struct gmmu_uni_entry *e = &set[w];
    if (!overlap(e, &n)) continue;
    if (e->vfn == n.vfn) {
      same = w;
    } else {
      e->valid = false; /* it overlaps the new one */
      f->dropped |= 1u << w;
    }
  }
  f->base = true;
  f->sub = n.sub;
  f->way = victim(set, n.sub ? u->sub_from : 0, u->ways, same, f);
  set[f->way] = n;
  gmmu_uni_touch(u, (int)(&set[f->way] - u->entry));
}

bool gmmu_uni_matches(const struct gmmu_uni_entry *e, const struct gmmu_inv_cmd *c) {
  return e->valid && gmmu_inv_hits_run(c, e->asid, e->vfn, gmmu_uni_last(e));
}

uint32_t gmmu_uni_sweep(struct gmmu_uni *u, int set, const struct gmmu_inv_cmd *c) {
  uint32_t cleared = 0;

  for (int w = 0; w < u->ways; w++) {
    struct gmmu_uni_entry *e = &u->entry[set * u->ways + w];
    if (!gmmu_uni_matches(e, c)) continue;
    e->valid = false;
    cleared |= 1u << w;
  }
  return cleared;
}
