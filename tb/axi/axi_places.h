// SPDX-License-Identifier: Apache-2.0
// axi_places.h - virtual addresses of the benches around gmmu_axi: where pages lie, drawn by a
// run's seed over all bits that a port gives and Sv39 translates, and which addresses a record of
// the fault queue may name.
#ifndef GMMU_TB_AXI_PLACES_H
#define GMMU_TB_AXI_PLACES_H

#include "axi_world.h"

/// Addresses that a port reaches: so many bits are free, what is above is 0, or the highest of
/// them.
struct Reach {
  uint32_t bits;
  bool sign;
  constexpr uint64_t extend(uint64_t va) const {
    const uint64_t low = va & ((1ull << bits) - 1);
    return sign && low >> (bits - 1) ? low | ~0ull << bits : low;
  }
};
#ifdef GMMU_TB_SIGN_EXTEND
constexpr Reach kAxiReach{kAddrW < 39 ? kAddrW : 39, true};
#else
constexpr Reach kAxiReach{kAddrW < 38 ? kAddrW : 38, false}; // the lower half of Sv39
#endif
constexpr Reach kNativeReach{39, true};

/// Every second place differs from another one in one bit, so that none of them may be lost on the
/// way. It has a generator of its own: where pages lie does not change what happens to them.
class Places {
 public:
  explicit Places(uint64_t seed) : rng_{~seed} {}
  /// A free one of 2^align bytes.
  uint64_t draw(Reach reach, uint32_t align = 12);

 private:
  struct Place {
    uint64_t va;
    uint32_t align;
  };
  gmmu_rng rng_;
  std::vector<Place> all_;
};

/// What ports were asked and the fault queue may say: of each access its address and ASID, kept
/// until the queue was empty twice after its end.
class Asked {
 public:
  void add(uint32_t port, bool write, uint32_t id, uint32_t asid, uint64_t va,
           std::shared_ptr<const bool> over) {
    of_[{port, write, id}].push_back({va, asid, over, false});
  }
  /// A record's address is that of an access of its port, whole.
  void check(World &w, const gmmu_drv_fault &f) const;
  /// Software has read the queue to its end.
  void emptied();
  void clear() { of_.clear(); }

 private:
  struct One {
    uint64_t va;
    uint32_t asid;
    std::shared_ptr<const bool> over;
    bool old; // it was over when the queue was last empty
  };
  std::map<std::tuple<uint32_t, bool, uint32_t>, std::deque<One>> of_; // port, channel, ID
};

#endif
