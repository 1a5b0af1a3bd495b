/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/dram_turn.h"

static uint8_t larger(uint8_t kept, uint32_t now, bool pulse) {
  uint8_t v = (uint8_t)(now < GMMU_DRAM_SAT ? now : GMMU_DRAM_SAT);
  return pulse || v > kept ? v : kept;
}

void gmmu_dram_turn_see(struct gmmu_dram_turn *t, uint32_t i, uint32_t con, uint32_t warps,
                        bool pulse) {
  t->con[i] = larger(t->con[i], con, pulse);
  t->warps[i] = larger(t->warps[i], warps, pulse);
}

uint32_t gmmu_dram_turn_weight(const struct gmmu_dram_turn *t, uint32_t i) {
  return (uint32_t)t->con[i] * t->warps[i];
}

uint32_t gmmu_dram_quota(uint32_t max, uint32_t weight, uint32_t sum, uint32_t apps) {
  return sum ? max * weight / sum : max / apps;
}
