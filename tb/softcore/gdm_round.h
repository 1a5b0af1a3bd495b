// SPDX-License-Identifier: Apache-2.0
// gdm_round.h - the working example above the device memory manager (docs/gdm.md): two programs
// whose memories do not fit together take turns on the SIMT cores. The manager loads what a
// launch's arguments point to before it starts the core; what a launch does not name comes on a
// fault of the core, whose access waits in gmmu_axi. A and D are set by the RTL.
#ifndef GMMU_TB_GDM_ROUND_H
#define GMMU_TB_GDM_ROUND_H

#include "../axi/axi_memory.h"
#include "simt_jobs.h"
extern "C" {
#include "gmmu_gdm.h"
}

/// An application's memory: arrays that the host keeps a copy of.
struct GdmArrays : SimtHost {
  struct Array {
    gdm_ptr va;
    std::vector<uint8_t> bytes;
    bool host_newer = false, device_newer = false;
  };
  World &w;
  std::vector<Array> all;
  explicit GdmArrays(World &world) : w(world) {}

  void ok(int e, const char *what);
  uint32_t add(size_t bytes);
  uint8_t *at(uint64_t va, bool write);
  uint32_t get(unsigned, uint64_t va) override;
  void put(unsigned, uint64_t va, uint32_t v, unsigned) override { memcpy(at(va, true), &v, 4); }
  uint64_t random(uint64_t n) override { return w.below(n); }
  /// To the device, what the host has written.
  void flush();
  uint64_t pages() const;
};

class GdmRound {
 public:
  GdmRound(World &world, const uint64_t *instructions, uint64_t frames)
      : w_(world), instructions_(instructions), frames_(frames) {}

  void run(uint64_t tables, uint64_t tables_end);

 private:
  static constexpr uint64_t kBlock = 8192, kPages = 12, kCycleNs = 10;
  struct App {
    GdmRound *round;
    unsigned core;
    uint64_t pages = 0, instructions = 0;
    unsigned launches = 0, asid = 0;
    bool right = false;
  };
  World &w_;
  const uint64_t *instructions_;
  uint64_t frames_;
  gdm *g_ = nullptr;
  std::string order_;

  /// The same allocations where each takes device memory.
  void without(gdm_config c);
  static const char *name(unsigned core) { return core ? "bfs" : "vecadd"; }
  static std::vector<size_t> sizes(unsigned core) {
    if (core) return {4 * ::bfs().size(), 24, 4 * (kNodes + 1), 16 * kNodes, 4 * kNodes, 4};
    return {4 * vecadd().size(), 16, 4 * kWords, 4 * kWords, 4 * kWords};
  }
  static constexpr size_t kNodes = 300, kWords = 2000;

  void with(const gdm_config &c);

  void check() {
    gmmu_err err;
    if (!w_.errors && gdm_check(g_, &err)) w_.fail(err.msg, 0, 1, 0);
  }

  /// The host's side of a program, on a thread of its own.
  void program(App &a);

  /// A kernel: starts the core and serves its faults; the manager's time and the RTL's go together.
  static void on_core(gdm_exec *x, const uint64_t *a, unsigned);
  bool serve(gdm_exec *x);
};

#endif
