// SPDX-License-Identifier: Apache-2.0
// sm_program.h - random programs for the SIMT core whose results do not depend on time: a warp
// reads and writes a region of its own in memory, a part of its block's scratchpad and local
// memory; data of others it sees only behind a barrier, or adds to counters whose old value it
// drops. At its end every lane stores its registers. Words by c_model/simt/encode.h.
#ifndef GMMU_TB_SM_PROGRAM_H
#define GMMU_TB_SM_PROGRAM_H

#include <cstdint>
#include <vector>
extern "C" {
#include "gmmu.h"
#include "simt/encode.h"
#include "simt/simt.h"
}

constexpr uint32_t kCommon = 0x10000, kCounters = 0x14000, kShared = 0x20000, kOwn = 0x100000,
                   kOwnBytes = 4096, kDump = 0x200000, kDumpBytes = 4096;
constexpr uint32_t kMemory = 0x300000, kMaxIds = 256; // ids: block * WARPS + warp

struct SmLaunch {
  std::vector<uint32_t> code;
  uint32_t entry = 0, args[4] = {}, blocks = 1, warps = 1, scratch = 0;
  /// Writes its registers, `put(address, value)`, that of the start last.
  template <class Put>
  void start(Put put) const {
    put(SIMT_ENTRY, entry);
    for (uint32_t i = 0; i < 4; i++) put(SIMT_ARG0 + 4 * i, args[i]);
    put(SIMT_BLOCKS, blocks);
    put(SIMT_WARPS, warps);
    put(SIMT_SCRATCH_BYTES, scratch);
    put(SIMT_CTRL, 1);
  }
};

class SmProgram {
 public:
  SmProgram(gmmu_rng &rng, uint32_t part) : rng_(rng), part_(part) {}
  // Registers: 1 own region, 3 part of the scratchpad, 4 common data, 5 mixed base of the lane, 6
  // and 7 addresses and loops, 8 and 9 counters of loops, 14 mask of a join; 15 to 31 data.
  std::vector<uint32_t> make(uint32_t length);

 private:
  gmmu_rng &rng_;
  uint32_t part_; // bytes of a warp's part of the scratchpad: power of two, at least 64
  std::vector<uint32_t> code_;
  bool far_ = false; // a branch out of reach

  uint32_t below(uint32_t n) { return static_cast<uint32_t>(gmmu_rng_below(&rng_, n)); }
  uint32_t data() { return 15 + below(17); }
  uint32_t source() { return below(8) == 0 ? 0 : data(); }
  void put(uint32_t w) { code_.push_back(w); }
  void constant(uint32_t rd, uint32_t v) {
    put(rv_lui(rd, v + (v & 0x800 ? 0x1000 : 0)));
    put(rv_addi(rd, rd, static_cast<int32_t>(v << 20) >> 20));
  }
  void prologue();
  void epilogue();

  void alu();
  void vote();
  /// An access: base + some bytes, aligned; register 6 the address.
  void access();
  /// Register 7: this block's shared memory; 6: + 128 bytes for each warp, 4 for each lane.
  void shared_address(uint32_t warp);
  /// What a warp stores before FENCE and barrier, the next warp reads behind it.
  void shared();
  void patch(size_t at, uint32_t f3, uint32_t a, uint32_t b) {
    reach(code_.size() - at);
    code_[at] = rv_b(f3, a, b, static_cast<int32_t>(code_.size() - at) * 4);
  }
  void reach(size_t words) { far_ = far_ || words >= 1000; }
  uint32_t condition() {
    static const uint32_t f3s[] = {0, 1, 4, 5, 6, 7};
    return f3s[below(6)];
  }
  void piece(uint32_t depth);
};
#endif
