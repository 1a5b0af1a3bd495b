/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/l2_bypass.h"

#include <string.h>

void gmmu_l2_bypass_count(struct gmmu_l2_bypass *b, uint32_t depth, uint32_t accesses,
                          uint32_t hits) {
  if (b->access[depth] + accesses > 65535) {
    b->access[depth] /= 2;
    b->hit[depth] /= 2;
  }
  b->access[depth] += accesses;
  b->hit[depth] += hits;
}

bool gmmu_l2_bypass_wanted(const struct gmmu_l2_bypass *b, uint32_t d) {
  return b->access[d] >= GMMU_L2_BYPASS_MIN && b->access[0] >= GMMU_L2_BYPASS_MIN &&
         (uint64_t)b->hit[d] * b->access[0] < (uint64_t)b->hit[0] * b->access[d];
}

void gmmu_l2_bypass_decide(struct gmmu_l2_bypass *b, uint32_t d, bool bypass) {
  b->bypass[d] = bypass;
}

void gmmu_l2_bypass_epoch(struct gmmu_l2_bypass *b) { memset(b, 0, sizeof *b); }
