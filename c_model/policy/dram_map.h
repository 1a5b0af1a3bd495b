/* SPDX-License-Identifier: Apache-2.0 */
/** dram_map.h - where a physical address lies: channel, L2 cache bank, DRAM bank, row, column
 * (docs/dram_map.md). */
#ifndef GMMU_DRAM_MAP_H
#define GMMU_DRAM_MAP_H

#include "gmmu.h"

struct gmmu_dram_map {
  uint32_t channel_bits,
      col_bits; /**< log2 of the channels, 0..5; log2 of the 64-byte pieces of a row, 3..10 */
  bool by_page; /**< a 4 KiB page lies in one channel */
  bool linear;  /**< no hashes */
};
struct gmmu_dram_place {
  uint32_t channel, bank;
  uint64_t row;
  uint32_t col;
};
struct gmmu_dram_place gmmu_dram_place(const struct gmmu_dram_map *m, uint64_t pa);

/** Channels and the L2 cache banks of each. */
struct gmmu_mem_map {
  uint32_t channels; /**< any number */
  uint32_t banks;    /**< of a channel, a power of two */
  bool by_page, linear;
  uint32_t first,
      share; /**< share not 0: only channels first..first+share-1; share divides channels */
};
struct gmmu_mem_place {
  uint32_t channel, bank; /**< bank: in the channel */
  uint64_t line;          /**< number of the 128-byte line in its bank */
};
struct gmmu_mem_place gmmu_mem_place(const struct gmmu_mem_map *m, uint64_t pa);
/** Number of the line in its channel, of the line in its bank. */
uint64_t gmmu_mem_line_in_channel(uint32_t banks, bool linear, uint32_t bank, uint64_t line);
#endif
