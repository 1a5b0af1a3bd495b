// SPDX-License-Identifier: Apache-2.0
// bench_resets.h - when resets in the middle of traffic come, for the benches of blocks.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

extern "C" {
#include "gmmu.h"
}

/// Short lives before the whole run, each ended by a reset of 1 to 4 cycles: every other one in any
/// cycle, the others in the first one, from some cycle on, in which something happens that the
/// bench names, each in turn, or up to three cycles later.
class BenchResets {
 public:
  /// So many, but 2 to 1,000: a long run is not to be resets alone.
  static uint64_t lives_of(uint64_t wanted) { return std::clamp<uint64_t>(wanted, 2, 1000); }
  BenchResets(uint64_t lives, gmmu_rng *rng) : lives_(lives), rng_(rng) {}
  /// Once a cycle for everything that the bench names, in the same order: it happens in this cycle.
  void see(const char *what, bool now);
  /// Once a cycle, behind all see(): a reset begins at the end of this cycle.
  bool begins();
  uint64_t cycles() { return 1 + gmmu_rng_below(rng_, 4); } ///< of a reset
  bool over() const { return ended_ == lives_; }
  uint64_t ended() const { return ended_; }
  /// One line: how many there were, and how many in a cycle in which each of these happened.
  void print() const;
  /// What no reset met, after at least three hundred lives; nullptr: nothing.
  const char *missed() const;

 private:
  uint64_t lives_, ended_ = 0, cycle_ = 0, from_ = 0, at_ = 0, first_ = 0;
  uint32_t now_ = 0, wanted_ = 0, later_ = 0;
  gmmu_rng *rng_;
  size_t next_ = 0;
  std::vector<const char *> what_;
  std::vector<uint64_t> met_;
};
