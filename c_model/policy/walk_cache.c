/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/walk_cache.h"

int gmmu_pwc_init(struct gmmu_pwc *c, const struct gmmu_config *cfg) {
  c->t = NULL;
  if (!cfg->PwcEntries) return 0;
  c->t = gmmu_tlb_new((int)(cfg->PwcEntries / cfg->PwcWays), (int)cfg->PwcWays, &gmmu_lru);
  return c->t ? 0 : -1;
}

void gmmu_pwc_free(struct gmmu_pwc *c) { gmmu_tlb_free(c->t); }

/** Entries are named by the PTE's address; no ASID, for tables may be shared. */
static uint64_t key_of(uint64_t pa) { return 1ull << 63 | pa >> 3; }

int gmmu_pwc_look(const struct gmmu_pwc *c, uint64_t pa, uint64_t *pte) {
  int i = gmmu_tlb_lookup(c->t, key_of(pa));
  if (i >= 0) *pte = gmmu_tlb_data_at(c->t, i)->pfn;
  return i;
}

void gmmu_pwc_insert(struct gmmu_pwc *c, uint64_t pa, uint64_t pte, struct gmmu_fill *f) {
  struct gmmu_tlb_data d = {.pfn = pte};
  gmmu_tlb_fill(c->t, (int)(pa >> 3 & (uint64_t)(gmmu_tlb_sets(c->t) - 1)), key_of(pa), &d, f);
}

/** An insertion of the same cycle may have taken its place: the way is what counts. */
void gmmu_pwc_touch(struct gmmu_pwc *c, int index) { gmmu_tlb_touch(c->t, index); }

/** All ways are filled again before the order matters, so it may be reset as well. */
void gmmu_pwc_flush(struct gmmu_pwc *c) { gmmu_tlb_reset(c->t); }
