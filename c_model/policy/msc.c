/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/msc.h"

/** Is the PTE a leaf that maps a page? What the walk itself would reject is contiguous with
 * nothing. */
static bool good_leaf(uint64_t pte, int pa_w) {
  if (!(pte & GMMU_PTE_V) || !(pte & (GMMU_PTE_R | GMMU_PTE_X))) return false;
  if ((pte & GMMU_PTE_W) && !(pte & GMMU_PTE_R)) return false;
  return pte >> 54 == 0 && GMMU_PTE_PPN(pte) >> (pa_w - 12) == 0;
}

void gmmu_run_begin(struct gmmu_run *r, int x, uint64_t pte, uint8_t c) {
  *r = (struct gmmu_run){.own_pfn = GMMU_PTE_PPN(pte),
                         .own_low = (uint8_t)pte,
                         .last = -1,
                         .todo = (uint8_t)(c & ~(1u << x))};
}

int gmmu_run_head(struct gmmu_run *r, int x, uint64_t pte, int pa_w) {
  uint64_t pfn = GMMU_PTE_PPN(pte);
  uint8_t low = (uint8_t)pte;
  int j = r->cur;
  bool good = good_leaf(pte, pa_w), below;

  if (x == j - 1) below = r->own_pfn + 64 == pfn && r->own_low == low;
  else below = r->last >= 0 && r->last == j - 1 && r->last_pfn + 64 == pfn && r->last_low == low;
  if (good && below) r->bitmap |= (uint8_t)(1u << (j - 1));
  if (good && x == j + 1 && pfn + 64 == r->own_pfn && r->own_low == low)
    r->bitmap |= (uint8_t)(1u << j);
  r->last = good ? j : -1;
  r->last_pfn = pfn;
  r->last_low = low;
  r->todo &= (uint8_t) ~(1u << j);
  r->insert = r->todo == 0;
  if (!r->insert) r->cur = __builtin_ctz(r->todo);
  return r->insert ? -1 : r->cur;
}

int gmmu_run_round(uint8_t bitmap, int x, int *len) {
  int first = x, last = x;

  while (first > 0 && bitmap >> (first - 1) & 1) first--;
  while (last < 7 && bitmap >> last & 1) last++;
  *len = last - first;
  return first;
}

int gmmu_msc_init(struct gmmu_msc *m, const struct gmmu_config *c) {
  m->t = NULL;
  if (!c->L2Unified || !c->MscWays) return 0;
  m->t = gmmu_tlb_new((int)c->MscSets, (int)c->MscWays, &gmmu_lru);
  return m->t ? 0 : -1;
}

void gmmu_msc_free(struct gmmu_msc *m) { gmmu_tlb_free(m->t); }
void gmmu_msc_reset(struct gmmu_msc *m) {
  if (m->t) gmmu_tlb_reset(m->t);
}

int gmmu_msc_lookup(struct gmmu_msc *m, uint16_t asid, uint64_t lfn, uint8_t *bitmap) {
  int i = m->t ? gmmu_tlb_lookup(m->t, gmmu_tlb_key(asid, lfn)) : -1;

  if (i < 0) return -1;
  gmmu_tlb_touch(m->t, i);
  *bitmap = (uint8_t)gmmu_tlb_data_at(m->t, i)->pfn;
  return i % gmmu_tlb_ways(m->t);
}

void gmmu_msc_insert(struct gmmu_msc *m, uint16_t asid, uint64_t lfn, uint8_t bitmap,
                     struct gmmu_fill *f) {
  struct gmmu_tlb_data d = {.pfn = bitmap};

  *f = (struct gmmu_fill){0};
  if (m->t)
    gmmu_tlb_fill(m->t, (int)(lfn & (uint64_t)(gmmu_tlb_sets(m->t) - 1)), gmmu_tlb_key(asid, lfn),
                  &d, f);
}

uint32_t gmmu_msc_sweep(struct gmmu_msc *m, int set, const struct gmmu_inv_cmd *c) {
  int ways = gmmu_tlb_ways(m->t);
  uint32_t cleared = 0;

  for (int w = 0; w < ways; w++) {
    uint64_t key = gmmu_tlb_key_at(m->t, set * ways + w);
    if (!key || !gmmu_inv_hits_frame(c, gmmu_tlb_key_asid(key), gmmu_tlb_key_n(key))) continue;
    gmmu_tlb_clear(m->t, set * ways + w);
    cleared |= 1u << w;
  }
  return cleared;
}
