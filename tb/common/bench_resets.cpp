// SPDX-License-Identifier: Apache-2.0
// bench_resets.cpp - see bench_resets.h.
#include "bench_resets.h"

#include <cinttypes>
#include <cstdio>

namespace {
constexpr uint64_t kPatience = 30000; // cycles to wait for what the reset is to meet
}

void BenchResets::see(const char *what, bool now) {
  if (next_ == what_.size()) what_.push_back(what), met_.push_back(0);
  now_ |= static_cast<uint32_t>(now) << next_++;
}

bool BenchResets::begins() {
  const uint32_t now = now_, n = static_cast<uint32_t>(what_.size());
  now_ = 0, next_ = 0;
  if (over()) return false;
  if (!cycle_++) {
    from_ = 1 + gmmu_rng_below(rng_, 1ull << (1 + gmmu_rng_below(rng_, 12)));
    if (!ended_) first_ = gmmu_rng_below(rng_, n);
    // in turn, so that none is left out: every other life, in the first round in its very cycle
    wanted_ = ended_ % 2 ? n : static_cast<uint32_t>((first_ + ended_ / 2) % n);
    later_ = ended_ / 2 < n ? 0 : static_cast<uint32_t>(gmmu_rng_below(rng_, 4));
    at_ = 0;
  }
  if (cycle_ < from_) return false;
  if (!at_) {
    if (wanted_ < n && !(now >> wanted_ & 1) && cycle_ < from_ + kPatience) return false;
    at_ = cycle_ + later_;
  }
  if (cycle_ < at_) return false;
  for (uint32_t i = 0; i < n; i++) met_[i] += now >> i & 1;
  ended_++, cycle_ = 0;
  return true;
}

void BenchResets::print() const {
  printf("%" PRIu64 " resets in traffic", ended_);
  for (size_t i = 0; i < what_.size(); i++)
    printf("%s %s %" PRIu64, i ? "," : ";", what_[i], met_[i]);
  puts("");
}

const char *BenchResets::missed() const {
  for (size_t i = 0; i < what_.size() && ended_ >= 300; i++)
    if (!met_[i]) return what_[i];
  return nullptr;
}
