/* SPDX-License-Identifier: Apache-2.0 */
/** share.h - "May take" of docs/l2_tlb.md: every application can always get one L2 MSHR and one
 * walk slot. */
#ifndef GMMU_POLICY_SHARE_H
#define GMMU_POLICY_SHARE_H

#include "functional/walk_step.h"

struct gmmu_share {
  int free;
  uint8_t used[GMMU_MAX_ASIDS]; /**< in use by each application */
  uint64_t on;                  /**< contexts that are on, one bit each, as they are known here */
  bool unsettled;               /**< this has just changed */
  uint64_t late[2];             /**< as they were in the last cycle and in the one before */
};

/** How many more are free than applications that are on have none. */
static inline int gmmu_share_beyond(const struct gmmu_share *s) {
  int beyond = s->free;

  for (uint64_t on = s->on; on; on &= on - 1) beyond -= s->used[__builtin_ctzll(on)] == 0;
  return beyond;
}

/** From now on these contexts are known to be on. */
static inline void gmmu_share_know(struct gmmu_share *s, uint64_t on) {
  s->unsettled = on != s->on;
  s->on = on;
}

/** Contexts that are on, one bit each. */
static inline uint64_t gmmu_share_contexts(const struct gmmu_env *e) {
  uint64_t on = 0;

  for (int a = 0; a < e->num_asids; a++) on |= (uint64_t)gmmu_ctx_on(e, a) << a;
  return on;
}

/** Once a cycle: which contexts are on is known two cycles later. */
static inline void gmmu_share_cycle(struct gmmu_share *s, const struct gmmu_env *e) {
  gmmu_share_know(s, s->late[1]);
  s->late[1] = s->late[0];
  s->late[0] = gmmu_share_contexts(e);
}

/** Whether at least n more are free than applications that are on have none; not said of contexts
 * that have just changed. */
static inline bool gmmu_share_at_least(const struct gmmu_share *s, int n) {
  if (s->unsettled) return false;
  return s->free >= n + GMMU_MAX_ASIDS || gmmu_share_beyond(s) >= n;
}

static inline bool gmmu_share_may_take(const struct gmmu_share *s, uint16_t asid) {
  if (s->free == 0) return false;
  if (asid >= GMMU_MAX_ASIDS || s->used[asid] == 0) return true;
  return gmmu_share_at_least(s, 1);
}

/** All applications that may, one bit each. */
static inline uint64_t gmmu_share_all(const struct gmmu_share *s, int num_asids) {
  uint64_t none = 0;

  if (s->free == 0) return 0;
  if (gmmu_share_at_least(s, 1)) return ~0ull;
  for (int a = 0; a < num_asids; a++) none |= (uint64_t)(s->used[a] == 0) << a;
  return none;
}

static inline void gmmu_share_take(struct gmmu_share *s, uint16_t asid) {
  s->free--;
  if (asid < GMMU_MAX_ASIDS) s->used[asid]++;
}

static inline void gmmu_share_give(struct gmmu_share *s, uint16_t asid) {
  s->free++;
  if (asid < GMMU_MAX_ASIDS) s->used[asid]--;
}

#endif
