// SPDX-License-Identifier: Apache-2.0
// axi_places.cpp - see axi_places.h.
#include "axi_places.h"

uint64_t Places::draw(Reach reach, uint32_t align) {
  auto below = [&](uint64_t n) { return gmmu_rng_below(&rng_, n); };
  auto taken = [&](uint64_t va) {
    return std::any_of(all_.begin(), all_.end(), [&](const Place &p) {
      const uint32_t shift = std::max(align, p.align);
      return va >> shift == p.va >> shift;
    });
  };
  uint64_t va;
  do {
    va = gmmu_rng_next(&rng_);
    if (!all_.empty() && below(2))
      va = all_[below(all_.size())].va ^ 1ull << (align + below(reach.bits - align));
    va = reach.extend(va >> align << align);
  } while (taken(va));
  all_.push_back({va, align});
  return va;
}

void Asked::check(World &w, const gmmu_drv_fault &f) const {
  uint64_t last = 0; // of this ID: what was most likely meant
  if (auto it = of_.find({f.port, f.write_channel, f.id}); it != of_.end())
    for (auto &x : it->second) {
      if (x.va == f.va && x.asid == f.asid) return;
      last = x.va;
    }
  w.fail("address in a fault's record", last, f.va, f.port);
}

void Asked::emptied() {
  for (auto &[who, q] : of_) {
    q.erase(std::remove_if(q.begin(), q.end(), [](const One &x) { return x.old && *x.over; }),
            q.end());
    for (auto &x : q) x.old = *x.over;
  }
}
