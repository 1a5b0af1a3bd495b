/* SPDX-License-Identifier: Apache-2.0 */
/** l2_bypass.h - which page-table levels bypass the L2 cache (MASK, section 5.3;
 * docs/l2_bypass.md). No clock. */
#ifndef GMMU_L2_BYPASS_H
#define GMMU_L2_BYPASS_H

#include "gmmu.h"

#define GMMU_DEPTHS 8u         /**< 0: data, 1..7: depth of a translation */
#define GMMU_L2_BYPASS_MIN 64u /**< accesses before a rate means something */
struct gmmu_l2_bypass {
  uint32_t access[GMMU_DEPTHS], hit[GMMU_DEPTHS]; /**< 16 bits each */
  bool bypass[GMMU_DEPTHS];
};
/** Adds what happened to one depth in a cycle. */
void gmmu_l2_bypass_count(struct gmmu_l2_bypass *b, uint32_t depth, uint32_t accesses,
                          uint32_t hits);
/** Whether depth 1..7 is to bypass, by what is counted now. */
bool gmmu_l2_bypass_wanted(const struct gmmu_l2_bypass *b, uint32_t depth);
/** The decision for depth 1..7, from now on. */
void gmmu_l2_bypass_decide(struct gmmu_l2_bypass *b, uint32_t depth, bool bypass);
void gmmu_l2_bypass_epoch(struct gmmu_l2_bypass *b);
#endif
