/* SPDX-License-Identifier: Apache-2.0 */
/** mismatch.h - counts mismatches and prints the first ones with what is needed to look at them. */
#ifndef GMMU_RUN_MISMATCH_H
#define GMMU_RUN_MISMATCH_H

#include <stdint.h>

struct gmmu_mismatches {
  uint64_t n;
  uint64_t seed;
  const char *rerun; /**< command that repeats the run with waves */
  int shown;
};

/** One mismatch (or `count` of them that one message describes) of `block` in `cycle`. */
void gmmu_mismatch(struct gmmu_mismatches *m, uint64_t cycle, const char *block, uint64_t count,
                   const char *msg);

#endif
