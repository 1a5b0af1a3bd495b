/* SPDX-License-Identifier: Apache-2.0 */
/** lru.c - true LRU per set; after reset way 0 is the least recent, then 1, 2, ... Model of
 * rtl/common/gmmu_lru.sv and rtl/common/gmmu_set_lru.sv.
 *
 * A list per set instead of ages, so that a touch takes constant time: the golden model makes one
 * per access of a trace. */
#include <stdint.h>

#include "policy/replace.h"

/** Neighbours in the order of recency. Each set's list is a ring through a sentinel, number of
 * entries + set, whose `newer` is the LRU way and whose `older` the MRU way. */
struct link {
  uint32_t newer, older;
};

static size_t bytes(int sets, int ways) {
  return (size_t)sets * ((size_t)ways + 1) * sizeof(struct link);
}

static void reset(void *state, int sets, int ways) {
  struct link *l = state;

  for (uint32_t s = 0; s < (uint32_t)sets; s++) {
    uint32_t first = s * (uint32_t)ways, ring = (uint32_t)(sets * ways) + s, prev = ring;
    for (uint32_t i = first; i < first + (uint32_t)ways; prev = i++) {
      l[prev].newer = i;
      l[i].older = prev;
    }
    l[prev].newer = ring;
    l[ring].older = prev;
  }
}

static void touch(void *state, int sets, int ways, int index) {
  struct link *l = state;
  uint32_t i = (uint32_t)index, ring = (uint32_t)(sets * ways + index / ways);
  struct link me = l[i];

  if (me.newer == ring) return; /* most recent already */
  l[me.older].newer = me.newer;
  l[me.newer].older = me.older;
  me.older = l[ring].older;
  l[me.older].newer = i;
  l[ring].older = i;
  l[i].older = me.older;
  l[i].newer = ring;
}

static int victim(const void *state, int sets, int ways, int set, int from) {
  const struct link *l = state;
  uint32_t i = l[sets * ways + set].newer, least = (uint32_t)(set * ways + from);

  while (i < least) i = l[i].newer; /* ways before `from`, which are older */
  return (int)i - set * ways;
}

const struct gmmu_policy gmmu_lru = {"lru", bytes, reset, touch, victim};
