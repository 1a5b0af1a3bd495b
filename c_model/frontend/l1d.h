/* SPDX-License-Identifier: Apache-2.0 */
/** L1 data cache of one SM: physical line tags only, LRU. It exists to give an access a realistic
 * end time. */
#ifndef GMMU_FRONTEND_L1D_H
#define GMMU_FRONTEND_L1D_H

#include <stdbool.h>
#include <stdint.h>

#include "policy/replace.h"

struct gmmu_l1d {
  uint64_t *tag; /* physical line + 1; 0: empty */
  struct gmmu_replace replace;
};

/** bytes/128/ways sets (at least one). Returns -1 without memory. */
int gmmu_l1d_init(struct gmmu_l1d *c, int64_t bytes, int64_t ways);
void gmmu_l1d_free(struct gmmu_l1d *c);
/** Looks up a physical line (PA >> 7), fills it on a miss, makes it most recent. Returns true on a
 * hit. */
bool gmmu_l1d_access(struct gmmu_l1d *c, uint64_t line);

#endif
