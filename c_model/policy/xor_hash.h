/* SPDX-License-Identifier: Apache-2.0 */
/** xor_hash.h - w bits (1..16) from v, each the XOR of some, to spread addresses
 * (docs/dram_map.md). */
#ifndef GMMU_XOR_HASH_H
#define GMMU_XOR_HASH_H

#include <stdint.h>

static inline uint32_t gmmu_xor_hash(uint64_t v, uint32_t w) {
  /* the bits whose number is a multiple of 5, 7, 11, 17 */
  uint64_t each = w < 5    ? 0x1084210842108421ull
                  : w < 7  ? 0x8102040810204081ull
                  : w < 11 ? 0x0080100200400801ull
                           : 0x0008000400020001ull;
  uint32_t h = 0, keep = w < 3 ? 3 : w;
  for (uint32_t k = 0; k < keep; k++) h ^= (uint32_t)__builtin_parityll(v & each << k) << k % w;
  return h;
}
#endif
