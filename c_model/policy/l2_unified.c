/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/l2_unified.h"

#include <stdlib.h>
#include <string.h>

struct gmmu_uni *gmmu_uni_new(int sets, int ways, int sub_from, const struct gmmu_policy *policy) {
  struct gmmu_uni *u = calloc(1, sizeof *u);

  if (!u) return NULL;
  u->sets = sets;
  u->ways = ways;
  u->sub_from = sub_from;
  u->entry = calloc((size_t)(sets * ways), sizeof *u->entry);
  if (!u->entry || !gmmu_replace_init(&u->replace, policy, sets, ways)) {
    gmmu_uni_free(u);
    return NULL;
  }
  gmmu_uni_reset(u);
  return u;
}

void gmmu_uni_free(struct gmmu_uni *u) {
  if (!u) return;
  free(u->entry);
  gmmu_replace_free(&u->replace);
  free(u);
}

void gmmu_uni_reset(struct gmmu_uni *u) {
  int n = u->sets * u->ways;

  memset(u->entry, 0, (size_t)n * sizeof *u->entry);
  gmmu_replace_reset(&u->replace);
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

void gmmu_uni_touch(struct gmmu_uni *u, int index) { gmmu_replace_touch(&u->replace, index); }

static bool used(const void *array, int index) {
  return ((const struct gmmu_uni *)array)->entry[index].valid;
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
  struct gmmu_uni_entry n = entry_of(asid, vfn, data);
  int at = n.sub ? sub_set(u, vfn) : regular_set(u, vfn), same = -1;
  struct gmmu_uni_entry *set = &u->entry[at * u->ways];

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
  f->overwrite = same >= 0;
  f->way = same >= 0 ? same : gmmu_replace_way(&u->replace, at, n.sub ? u->sub_from : 0, used, u);
  f->evict = same < 0 && set[f->way].valid;
  set[f->way] = n;
  gmmu_uni_touch(u, at * u->ways + f->way);
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
