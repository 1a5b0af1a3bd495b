// SPDX-License-Identifier: Apache-2.0
// recording.h - reads what gmmu run --record wrote (docs/memsys.md): decimal numbers without sign,
// each in its range.
#ifndef TB_L2_CACHE_RECORDING_H
#define TB_L2_CACHE_RECORDING_H

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <utility>
#include <vector>

extern "C" {
#include "timed/timed_channel.h"
}

// A recorded run: requests of each bank and port, and what the scheduler was told, by cycle.
struct Recording {
  struct Load {
    uint64_t cycle;
    uint8_t v[16];
  };
  explicit Recording(size_t banks) : request(banks) {}
  std::vector<std::array<std::deque<std::pair<uint64_t, gmmu_cache_req>>, 2>> request;
  std::deque<Load> loads;
  std::deque<uint64_t> epochs;
  uint64_t total = 0;
  uint32_t apps = 0;
  /* A decimal number up to `max`: no sign, nothing behind it. */
  static bool number(FILE *f, uint64_t max, uint64_t *v);
  bool read(const char *path, uint64_t most);
};

#endif
