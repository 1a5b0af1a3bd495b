// SPDX-License-Identifier: Apache-2.0
// gread_host.h - ranges of a file by seed for the program gread.elf, and what plain copies of the
// file's bytes leave in the buffers: each is compared whole, so that a byte too many is seen.
#ifndef GMMU_TB_GREAD_HOST_H
#define GMMU_TB_GREAD_HOST_H

#include <cstdint>
#include <cstring>
#include <vector>
extern "C" {
#include "gmmu.h"
#include "simt/ap_layout.h"
#include "../prog/bench.h"
}

struct Greads {
  static constexpr uint32_t kMost = 3 * APD_PAGE, kSpare = 32; // bytes of a range; around it

  std::vector<gread_range> range; // [warp][read], as the kernel finds them
  std::vector<uint8_t> room;      // all buffers
  std::vector<uint8_t> want;
  std::vector<uint32_t> error;
  uint32_t first = 0; // byte of `room` that the first range begins at
  uint64_t bytes = 0;

  /// n ranges, whose `to` is a byte of `room` until that has a place in the core's memory.
  Greads(uint64_t seed, uint32_t n, const std::vector<uint8_t> &file, uint32_t file_bytes);
};
#endif
