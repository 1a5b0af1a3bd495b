// SPDX-License-Identifier: Apache-2.0
// dram_pieces.h - which 64-byte piece of a channel a column command on the pins reads or writes, by
// the inverse of each step of docs/dram_map.md; shares nothing with the design or its model.
#pragma once
#include <cstdint>

/// The XOR of bits first, first + step, ... of v.
inline uint64_t dram_every(uint64_t v, int step, int first) {
  uint64_t x = 0;
  for (int k = first; k < 64; k += step) x ^= v >> k & 1;
  return x;
}

/// Rows of 64 pieces.
inline uint64_t dram_piece(uint64_t row, uint32_t bank, uint32_t col, bool linear = false) {
  const uint64_t hash =
      dram_every(row, 5, 0) | dram_every(row, 5, 1) << 1 | dram_every(row, 5, 2) << 2;
  const uint64_t raw = bank ^ (linear ? 0 : hash);
  return (row << 1 | raw >> 2) << 8 | static_cast<uint64_t>(col >> 2) << 4 | (raw & 3) << 2 |
         (col & 3);
}
