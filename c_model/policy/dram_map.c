/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/dram_map.h"

#define CHUNK 8u /* log2 of the bytes that stay in a channel, by line */

struct gmmu_dram_place gmmu_dram_place(const struct gmmu_dram_map *m, uint64_t pa) {
  struct gmmu_dram_place p;
  uint32_t k = m->channel_bits, low = m->by_page ? 12 : CHUNK;
  uint64_t mask = (1ull << k) - 1, above = pa >> low;
  p.channel = (uint32_t)(above & mask);
  if (m->by_page && k)
    for (uint64_t x = above >> k; x; x >>= k) p.channel ^= (uint32_t)(x & mask);
  uint64_t line = (above >> k << low | (pa & ((1ull << low) - 1))) >> 6; /* within the channel */
  uint32_t group = line & 3;
  line >>= 2;
  p.col = (uint32_t)(line & ((1u << m->col_bits) - 1));
  line >>= m->col_bits;
  p.bank = (uint32_t)(line & 1) << 2 | group;
  p.row = (uint32_t)(line >> 1);
  return p;
}
