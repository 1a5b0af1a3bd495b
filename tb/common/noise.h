// SPDX-License-Identifier: Apache-2.0
// noise.h - what goes with a valid that is 0 means nothing: benches make it random in a cycle of
// four, with numbers of their own, so that a run is the same with and without.
#ifndef GMMU_TB_COMMON_NOISE_H
#define GMMU_TB_COMMON_NOISE_H

#include "../system/bits.h"
extern "C" {
#include "gmmu_base.h"
}

struct Noise {
  gmmu_rng rng{1};
  bool now() { return gmmu_rng_below(&rng, 4) == 0; }
  /// port[at +: width] = random bits
  template <typename T>
  void put(T &port, unsigned at, unsigned width) {
    for (unsigned i = 0; i < width; i += 64)
      bits_set(port, at + i, width - i < 64 ? width - i : 64, gmmu_rng_next(&rng));
  }
};

#endif
