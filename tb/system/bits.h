// SPDX-License-Identifier: Apache-2.0
// bits.h - bit fields of Verilator ports, whatever C++ type their width gave them.
#ifndef GMMU_TB_BITS_H
#define GMMU_TB_BITS_H

#include <cstdint>

#include "verilated.h"

/// Mask of w bits, 1 <= w <= 64.
inline uint64_t bits_mask(unsigned w) { return ~0ull >> (64 - w); }

/// port[lsb +: w] = v, for ports of at most 64 bits.
template <typename T>
inline void bits_set(T &port, unsigned lsb, unsigned w, uint64_t v) {
  const uint64_t m = bits_mask(w);
  port = static_cast<T>((static_cast<uint64_t>(port) & ~(m << lsb)) | ((v & m) << lsb));
}

template <typename T>
inline uint64_t bits_get(const T &port, unsigned lsb, unsigned w) {
  return (static_cast<uint64_t>(port) >> lsb) & bits_mask(w);
}

/// The same for wider ports: arrays of 32-bit words.
template <std::size_t N>
inline void bits_set(VlWide<N> &port, unsigned lsb, unsigned w, uint64_t v) {
  unsigned word = lsb / 32, off = lsb % 32;
  v &= bits_mask(w);
  while (w) {
    const unsigned n = w < 32 - off ? w : 32 - off;
    const uint32_t m = static_cast<uint32_t>(bits_mask(n)) << off;
    port[word] = (port[word] & ~m) | (static_cast<uint32_t>(v << off) & m);
    v >>= n;
    w -= n;
    off = 0;
    word++;
  }
}

template <std::size_t N>
inline uint64_t bits_get(const VlWide<N> &port, unsigned lsb, unsigned w) {
  const unsigned word = lsb / 32, off = lsb % 32;
  uint64_t v = port[word] >> off;
  if (off + w > 32) v |= static_cast<uint64_t>(port[word + 1]) << (32 - off);
  if (off + w > 64) v |= static_cast<uint64_t>(port[word + 2]) << (64 - off);
  return v & bits_mask(w);
}

/// port[lsb +: 32 * W], 0 beyond the port's end: what is then read from fixed places is read
/// faster.
template <std::size_t W, std::size_t N>
inline VlWide<W> bits_slice(const VlWide<N> &port, unsigned lsb) {
  VlWide<W> v;
  const unsigned word = lsb / 32, off = lsb % 32;
  for (unsigned i = 0; i < W; i++) {
    const uint64_t low = word + i < N ? port[word + i] : 0;
    const uint64_t high = word + i + 1 < N ? port[word + i + 1] : 0;
    v[i] = static_cast<uint32_t>((high << 32 | low) >> off);
  }
  return v;
}

#endif
