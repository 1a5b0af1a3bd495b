// SPDX-License-Identifier: Apache-2.0
// directed.h - the integration bench's directed kernels: each prints how many words were wrong.
// docs/integration-bench.md
#ifndef GMMU_TB_INTEGRATION_DIRECTED_H
#define GMMU_TB_INTEGRATION_DIRECTED_H

#include "axi_master.h"
#include "native_client.h"
#include "software.h"

/// One client under a scenario, made by `hang`, until `enough`; what is left when its time is over
/// is nobody's.
struct Kernel {
  std::unique_ptr<Bench> owner = std::make_unique<Bench>();
  Bench &b = *owner;
  Scenario s;
  Software sw;
  Kernel(const char *what, uint64_t seed, std::function<void(Scenario &)> set);
  static void frames_of(Bench &b) {
    for (uint64_t f = 0; f < 600; f++)
      b.free_frames.push_back((kFrames + 4 * kLarge + f * 4096) >> 12);
  }
  void run(std::function<bool()> enough);

 private:
  static Bench &seeded(Bench &b, uint64_t seed) { return b.seed = seed, b.rng.s = seed, b; }
  static Scenario with(const char *what, std::function<void(Scenario &)> set);
};

/// A cache that writes a line and reads it again before B: 36 lines, each in a page of its own.
/// Counts wrong lines.
uint64_t lines(const char *what, uint64_t seed, std::function<void(Scenario &)> set);

/// Clients that keep addresses outside the MMU while pages move: words that are read from a frame
/// that was given back.
uint64_t kept(const char *what, uint64_t seed, bool lanes, Keep keep,
              std::function<void(Scenario &)> set);

/// Invalidations one after the other: accesses that end in 60,000 cycles. All pages are in one
/// range of 2 MiB.
bool progress(const char *what, uint64_t seed, unsigned kind, unsigned latency);

/// A read of a page that is not there, while bursts also ask again by themselves: after each
/// command it is recorded again. Counts the commands after which it is not.
uint64_t recorded_again(uint64_t seed);

/// Says what each kernel saw; whether nothing was wrong.
bool directed(uint64_t seed);

#endif
