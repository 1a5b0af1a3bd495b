// SPDX-License-Identifier: Apache-2.0
// gread_host.cpp - see gread_host.h.
#include "gread_host.h"

Greads::Greads(uint64_t seed, uint32_t n, const std::vector<uint8_t> &file, uint32_t file_bytes) {
  gmmu_rng rng{seed};
  auto draw = [&](uint64_t below) { return static_cast<uint32_t>(gmmu_rng_below(&rng, below)); };
  for (uint32_t i = 0; i < n; i++) {
    // Every fourth is long; every sixth is about the file's end, where pages wholly behind it are
    // an error.
    uint32_t most = i % 4 == 0 ? kMost : 300, len = draw(most + 1), skew = draw(16);
    uint32_t offset = i % 6 == 5 ? file_bytes - 2000 + draw(6000) : draw(file_bytes);
    range.push_back({offset, len, static_cast<uint32_t>(want.size()) + kSpare + skew, ~0u});
    want.resize((want.size() + 2 * kSpare + 16 + len + 63) & ~size_t{63}, 0xa5);
    error.push_back(APD_OK);
    for (uint32_t k = 0; k < len; k++) {
      uint32_t at = offset + k;
      if (at / APD_PAGE * APD_PAGE >= file_bytes) {
        error.back() = APD_EOF;
        break;
      }
      want[range.back().to + k] = at < file_bytes ? file[at] : 0;
      bytes++;
    }
  }
  first = range[0].to;
  room.assign(want.size(), 0xa5);
}
