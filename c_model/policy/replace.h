/* SPDX-License-Identifier: Apache-2.0 */
/**
 * replace.h - which way takes a new entry: the lowest that is free, else the one that the
 * replacement policy gives (docs/common.md). Every array that replaces holds one: TLB arrays of all
 * kinds, page walk cache, memory subregion cache, bypass cache, L2 cache; and the front end's L1
 * data cache. Model of rtl/common/gmmu_replace.sv.
 *
 * A policy is one file that defines a struct gmmu_policy. Another one: its file, and its line in
 * GMMU_POLICIES.
 */
#ifndef GMMU_POLICY_REPLACE_H
#define GMMU_POLICY_REPLACE_H

#include <stdbool.h>
#include <stddef.h>

/** All policies: POLICY(name) for the struct gmmu_policy gmmu_NAME. */
#define GMMU_POLICIES POLICY(lru) /* true LRU: lru.c */

/** What a policy does. Its state is one block of memory for all sets of an array; sets >= 1, ways
 * >= 1. */
struct gmmu_policy {
  const char *name;
  size_t (*bytes)(int sets, int ways); /**< of its state */
  void (*reset)(void *state, int sets, int ways);
  /** The entry was used; index: set * ways + way. */
  void (*touch)(void *state, int sets, int ways, int index);
  /** The way to replace among ways from, from + 1, ..: changes nothing. */
  int (*victim)(const void *state, int sets, int ways, int set, int from);
};
#define POLICY(n) extern const struct gmmu_policy gmmu_##n;
GMMU_POLICIES
#undef POLICY
/** All of them, the last one NULL. */
extern const struct gmmu_policy *const gmmu_policies[];

/** The policy's state of one array. */
struct gmmu_replace {
  const struct gmmu_policy *policy;
  int sets, ways;
  void *state;
};

/** As after reset. An array of no ways is never asked. False: out of memory. */
bool gmmu_replace_init(struct gmmu_replace *r, const struct gmmu_policy *p, int sets, int ways);
void gmmu_replace_free(struct gmmu_replace *r);
void gmmu_replace_reset(struct gmmu_replace *r);

static inline void gmmu_replace_touch(struct gmmu_replace *r, int index) {
  r->policy->touch(r->state, r->sets, r->ways, index);
}
static inline int gmmu_replace_victim(const struct gmmu_replace *r, int set, int from) {
  return r->policy->victim(r->state, r->sets, r->ways, set, from);
}
/** The way of `set` that takes a new entry, of ways from, from + 1, ... `used`: says of an index
 * whether the array holds something there. */
static inline int gmmu_replace_way(const struct gmmu_replace *r, int set, int from,
                                   bool (*used)(const void *array, int index), const void *array) {
  for (int w = from; w < r->ways; w++)
    if (!used(array, set * r->ways + w)) return w;
  return gmmu_replace_victim(r, set, from);
}

#endif
