/* SPDX-License-Identifier: Apache-2.0 */
/**
 * dram_turn.h - policy of gmmu_dram_turn: weights and quotas of the silver queue (MASK,
 * section 5.4, equation 1). Written from docs/dram_sched.md.
 */
#ifndef GMMU_DRAM_TURN_H
#define GMMU_DRAM_TURN_H

#include "gmmu.h"

#define GMMU_DRAM_APPS 64u
#define GMMU_DRAM_SAT 63u /**< ConPTW and WarpsStalled are 6 bits wide */

struct gmmu_dram_turn {
  uint32_t apps; /**< applications with data, 1..GMMU_DRAM_APPS */
  uint8_t con[GMMU_DRAM_APPS], warps[GMMU_DRAM_APPS]; /**< largest values since the epoch pulse */
};
/** Present outstanding misses of application i and warps that wait on one of its MSHRs; pulse: a
 * new epoch begins. */
void gmmu_dram_turn_see(struct gmmu_dram_turn *t, uint32_t i, uint32_t con, uint32_t warps,
                        bool pulse);
uint32_t gmmu_dram_turn_weight(const struct gmmu_dram_turn *t,
                               uint32_t i); /**< ConPTW x WarpsStalled, 0..3969 */
/** thresh_i, at most max. sum: of all weights. */
uint32_t gmmu_dram_quota(uint32_t max, uint32_t weight, uint32_t sum, uint32_t apps);
#endif
