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

/** Follows each SM's oldest request through L1 MSHR, L2 MSHR and walk slot to memory. */
void gmmu_watch_print(FILE *f, uint64_t cycle, uint64_t silent, const struct gmmu_watch_sm *sms,
                      int n, const struct gmmu_stats *st, const struct gmmu_pte_mem *mem);

#endif
