/* SPDX-License-Identifier: Apache-2.0 */
/**
 * walk_cache.h - page walk cache, without a clock: docs/walk_cache.md, "Policy". Model of
 * rtl/walk/gmmu_walk_cache.sv.
 *
 * Order within a cycle, which the caller keeps: the probe looks, then the insertion, then the
 * probe's hit is touched, then a flush.
 */
#ifndef GMMU_POLICY_WALK_CACHE_H
#define GMMU_POLICY_WALK_CACHE_H

#include "policy/tlb_array.h"

struct gmmu_pwc {
  struct gmmu_tlb *t; /**< NULL: none is built */
};

/** -1: out of memory. */
int gmmu_pwc_init(struct gmmu_pwc *c, const struct gmmu_config *cfg);
void gmmu_pwc_free(struct gmmu_pwc *c);
/** Index of the PTE at this address and the PTE itself; -1 on a miss. */
int gmmu_pwc_look(const struct gmmu_pwc *c, uint64_t pa, uint64_t *pte);
void gmmu_pwc_insert(struct gmmu_pwc *c, uint64_t pa, uint64_t pte, struct gmmu_fill *f);
/** A hit of gmmu_pwc_look() becomes most recent. */
void gmmu_pwc_touch(struct gmmu_pwc *c, int index);
static inline int gmmu_pwc_way(const struct gmmu_pwc *c, int index) {
  return index % gmmu_tlb_ways(c->t);
}
/** Everything goes. */
void gmmu_pwc_flush(struct gmmu_pwc *c);

#endif
