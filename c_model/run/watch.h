/* SPDX-License-Identifier: Apache-2.0 */
/** watch.h - what to print when nothing moves: who waits for whom. */
#ifndef GMMU_RUN_WATCH_H
#define GMMU_RUN_WATCH_H

#include "frontend/frontend.h"
#include "run/pte_mem.h"
#include "run/stats.h"

/** Oldest outstanding request of one SM. */
struct gmmu_watch_sm {
  int sm;
  struct gmmu_fe_sm_state s;
};

/** One SM: how many requests it has outstanding, and whether it presents another. */
struct gmmu_watch_sm gmmu_watch_begin(int sm, uint32_t outstanding, bool presenting);
/** One outstanding request of it, accepted in cycle `since`; the lowest seq is the oldest. */
void gmmu_watch_waits(struct gmmu_watch_sm *w, uint64_t seq, uint64_t since, uint16_t asid,
                      uint64_t va, uint16_t tag);
/** Follows each SM's oldest request through L1 MSHR, L2 MSHR and walk slot to memory. */
void gmmu_watch_print(FILE *f, uint64_t cycle, uint64_t silent, const struct gmmu_watch_sm *sms,
                      int n, const struct gmmu_stats *st, const struct gmmu_pte_mem *mem);

#endif
