/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/group_array.h"

#include <stdlib.h>
#include <string.h>

struct gmmu_group *gmmu_group_new(int sets, int ways, int pfn_w, const struct gmmu_policy *policy) {
  struct gmmu_group *g = calloc(1, sizeof *g);

  if (!g) return NULL;
  g->sets = sets;
  g->ways = ways;
  g->pfn_mask = (1ull << pfn_w) - 1;
  g->entry = calloc((size_t)sets * (size_t)ways, sizeof *g->entry);
  if (!g->entry || !gmmu_replace_init(&g->replace, policy, sets, ways)) {
    gmmu_group_free(g);
    return NULL;
  }
  gmmu_group_reset(g);
  return g;
}

void gmmu_group_free(struct gmmu_group *g) {
  if (!g) return;
  free(g->entry);
  gmmu_replace_free(&g->replace);
  free(g);
}

void gmmu_group_reset(struct gmmu_group *g) {
  memset(g->entry, 0, (size_t)g->sets * (size_t)g->ways * sizeof *g->entry);
  gmmu_replace_reset(&g->replace);
}

static int first_of_set(const struct gmmu_group *g, uint64_t vfn) {
  return (int)(vfn >> 2 & (uint64_t)(g->sets - 1)) * g->ways;
}

static bool same_group(const struct gmmu_group_entry *e, uint16_t asid, uint64_t vfn) {
  return e->pages && e->asid == asid && e->group == vfn >> 2;
}

int gmmu_group_lookup(const struct gmmu_group *g, uint16_t asid, uint64_t vfn) {
  int first = first_of_set(g, vfn);

  for (int i = first; i < first + g->ways; i++)
    if (same_group(&g->entry[i], asid, vfn) && (g->entry[i].pages >> (vfn & 3) & 1)) return i;
  return -1;
}

void gmmu_group_touch(struct gmmu_group *g, int index) { gmmu_replace_touch(&g->replace, index); }

struct gmmu_tlb_data gmmu_group_data(const struct gmmu_group *g, int index, uint64_t vfn) {
  struct gmmu_tlb_data d = g->entry[index].data;

  d.pfn = (d.pfn + (vfn & 3)) & g->pfn_mask;
  d.group = g->entry[index].pages;
  return d;
}

static bool same_data(const struct gmmu_tlb_data *a, const struct gmmu_tlb_data *b) {
  return a->pfn == b->pfn && a->r == b->r && a->w == b->w && a->x == b->x && a->u == b->u &&
         a->d == b->d;
}

static bool used(const void *array, int index) {
  return ((const struct gmmu_group *)array)->entry[index].pages != 0;
}

void gmmu_group_fill(struct gmmu_group *g, uint16_t asid, uint64_t vfn,
                     const struct gmmu_tlb_data *data, struct gmmu_fill *f) {
  int first = first_of_set(g, vfn), into = -1;
  /* as it was before the fill */
  int spare = first + gmmu_replace_way(&g->replace, first / g->ways, 0, used, g);
  bool valid = g->entry[spare].pages != 0;
  struct gmmu_tlb_data d = *data;

  f->base = true;
  f->pages = (uint8_t)(data->group | 1u << (vfn & 3));
  d.pfn = (d.pfn - (vfn & 3)) & g->pfn_mask;
  d.group = 0;
  d.large = false;
  for (int i = first; i < first + g->ways; i++) {
    if (!same_group(&g->entry[i], asid, vfn)) continue;
    if (same_data(&g->entry[i].data, &d)) into = i;
    else g->entry[i].pages &= (uint8_t)~f->pages;
  }
  f->overwrite = into >= 0;
  f->evict = into < 0 && valid;
  if (into < 0) {
    into = spare;
    g->entry[into] = (struct gmmu_group_entry){.group = vfn >> 2, .asid = asid, .data = d};
  }
  g->entry[into].pages |= f->pages;
  gmmu_group_touch(g, into);
  f->way = into - first;
}

bool gmmu_group_drop(struct gmmu_group *g, int index, const struct gmmu_inv_cmd *c, uint8_t keep) {
  struct gmmu_group_entry *e = &g->entry[index];
  uint8_t go = 0;

  for (unsigned i = 0; i < 4; i++)
    if ((e->pages & ~keep) >> i & 1 && gmmu_inv_hits_page(c, e->asid, e->group << 2 | i))
      go |= (uint8_t)(1u << i);
  e->pages &= (uint8_t)~go;
  return go != 0;
}
