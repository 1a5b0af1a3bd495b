// SPDX-License-Identifier: Apache-2.0
// collage_host.h - data of the collage (section VI-E) by seed, and a plain program's choices for
// it. An image has a palette, its pixels lie around three base colors, so images of one palette are
// near one another and fall into the same LSH buckets.
#ifndef GMMU_TB_COLLAGE_HOST_H
#define GMMU_TB_COLLAGE_HOST_H

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <vector>
extern "C" {
#include "gmmu.h"
#include "../prog/bench.h"
}

struct Collage {
  using Hist = std::array<uint32_t, COLLAGE_BINS>;
  uint32_t images, blocks, pitch, buckets = 1;
  std::vector<uint8_t> file;
  std::vector<uint32_t> pixels, bins, offset, start, image; // as in struct collage_args
  std::vector<std::vector<uint32_t>> look;                  // candidates of each block
  std::vector<uint32_t> want;                               // its choice, ~0: none
  uint64_t reads = 0, distinct = 0;

  Collage(uint64_t seed, uint32_t num_images, uint32_t num_blocks, uint32_t bytes);

 private:
  gmmu_rng rng_;
  uint32_t palettes_;
  std::vector<uint64_t> base_;

  std::vector<uint32_t> picture(uint32_t palette);
  static Hist histogram(const std::vector<uint32_t> &p);
  void lsh();
  uint32_t bucket(const Hist &h, uint32_t table) const;
  void index();
  void choose(const Hist &h);
};
#endif
