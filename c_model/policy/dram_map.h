/* SPDX-License-Identifier: Apache-2.0 */
/** dram_map.h - where a physical address lies: channel, bank, row, column (docs/dram_map.md). Power-of-two sizes. */
#ifndef GMMU_DRAM_MAP_H
#define GMMU_DRAM_MAP_H

#include "gmmu.h"

struct gmmu_dram_map {
  uint32_t channel_bits, col_bits; /**< log2 of the channels, 0..5; log2 of the 64-byte lines of a row */
  bool by_page;                    /**< a 4 KiB page lies in one channel */
};
struct gmmu_dram_place {
  uint32_t channel, bank, row, col;
};
struct gmmu_dram_place gmmu_dram_place(const struct gmmu_dram_map *m, uint64_t pa);
#endif
