// SPDX-License-Identifier: Apache-2.0
// contents.h - what the lines of a channel hold in a run with its RTL: words that name their
// 64-byte piece and its version. Version 0 is what memory holds before any write; each write of a
// line is the next version. So the memory behind the pins is a number for each piece that was
// written, and every word on a port or a pin can be told right from wrong.
#pragma once
#include <array>
#include <cstdint>
#include <cstring>
#include <unordered_map>

using Words = std::array<uint64_t, 8>; // a piece

inline Words words_of(uint64_t piece, uint32_t version) {
  Words w;
  uint64_t x = (piece << 32 ^ piece >> 16 ^ version) * 0x9e3779b97f4a7c15ull;
  for (int i = 0; i < 7; i++)
    w[static_cast<size_t>(i)] = (x ^= x >> 29) * (0xbf58476d1ce4e5b9ull + 2 * i);
  w[7] = piece << 32 | version; // read back where the pins write
  return w;
}
inline uint32_t version_in(const Words &w) { return static_cast<uint32_t>(w[7]); }

/// Numbers by pieces or lines; 0 where none was written.
class Versions {
 public:
  uint32_t of(uint64_t k) const {
    const auto it = v_.find(k);
    return it == v_.end() ? 0 : it->second;
  }
  void set(uint64_t k, uint32_t version) { v_[k] = version; }

 private:
  std::unordered_map<uint64_t, uint32_t> v_;
};
