/* SPDX-License-Identifier: Apache-2.0 */
/**
 * throughput.h - how much a device translates when it is kept busy: streams without a front end, on
 * the pins.
 *
 * All pages are mapped (4 KiB, or coalesced), the SMs are always ready, and each SM presents a
 * request in every cycle in which it has a free tag.
 */
#ifndef GMMU_RUN_THROUGHPUT_H
#define GMMU_RUN_THROUGHPUT_H

#include "gmmu.h"

enum gmmu_stream {
  GMMU_STREAM_HIT, /**< a few pages per SM: after the first pass every request hits in the L1 */
  GMMU_STREAM_L2,  /**< more pages than an L1 holds and fewer than the L2: every request misses and
                      hits there */
  GMMU_STREAM_WALK /**< always new pages: every request walks */
};
struct gmmu_throughput {
  uint64_t cycles;           /**< measured, after the warm-up */
  uint64_t answers, lookups; /**< L1 */
  uint64_t l2_lookups, l2_misses, walks;
  uint64_t latency_sum, latency_max; /**< of the answers, in cycles */
  uint64_t wrong;                    /**< answers that differ from the golden model */
  uint64_t most_outstanding;         /**< PTE reads */
};
/** Error if the configuration has nothing to measure by the stream. */
int gmmu_throughput_check(const struct gmmu_config *c, enum gmmu_stream stream,
                          struct gmmu_err *err);
/** Runs `cycles` cycles after a warm-up. walk_latency: cycles of every PTE read. */
int gmmu_throughput_run(const struct gmmu_config *c, struct gmmu_dut *dut, bool coalesced,
                        enum gmmu_stream stream, uint32_t walk_latency, uint64_t cycles,
                        struct gmmu_throughput *out, struct gmmu_err *err);
#endif
