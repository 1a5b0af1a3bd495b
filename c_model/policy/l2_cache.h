/* SPDX-License-Identifier: Apache-2.0 */
/** l2_cache.h - array of one bank of the shared L2 cache: sets, ways, true LRU, dirty bits
 * (docs/l2_cache.md). No clock. */
#ifndef GMMU_L2_CACHE_H
#define GMMU_L2_CACHE_H

#include "gmmu.h"

struct gmmu_l2_cache;
/** sets: a power of two, from 2 on. Lines are numbers of lines; set: docs/dram_map.md. linear: not
 * hashed. NULL: out of memory. */
struct gmmu_l2_cache *gmmu_l2_cache_new(uint32_t sets, uint32_t ways, bool linear);
void gmmu_l2_cache_free(struct gmmu_l2_cache *c);
/** Set of the line. */
uint32_t gmmu_l2_cache_set(const struct gmmu_l2_cache *c, uint64_t line);
/** Way of the line, -1 if it is not there. Touches nothing. */
int gmmu_l2_cache_find(const struct gmmu_l2_cache *c, uint64_t line);
void gmmu_l2_cache_touch(struct gmmu_l2_cache *c, uint64_t line, int way,
                         bool dirty); /**< dirty: is written */
void gmmu_l2_cache_drop(struct gmmu_l2_cache *c, uint64_t line, int way);
/** Enters the line, which must not be there. Returns the way; *victim: the line that was dirty
 * there, if *wrote_back. */
int gmmu_l2_cache_fill(struct gmmu_l2_cache *c, uint64_t line, bool dirty, uint64_t *victim,
                       bool *wrote_back);
#endif
