/* SPDX-License-Identifier: Apache-2.0 */
/** share.h - "May take" of docs/l2_tlb.md: every application can always get one L2 MSHR and one
 * walk slot. */
#ifndef GMMU_POLICY_SHARE_H
#define GMMU_POLICY_SHARE_H

#include "functional/walk_step.h"

struct gmmu_share {
  int free;
  uint8_t used[GMMU_MAX_ASIDS]; /**< in use by each application */
  /** Where gmmu_share_cycle() is called: contexts that are on; that they changed with this cycle.
   */
  uint64_t on;
  bool unsettled;
};

/** How many more are free than applications that are on have none. */
static inline int gmmu_share_beyond(const struct gmmu_share *s, const struct gmmu_env *e) {
  int without = 0;

  for (int a = 0; a < e->num_asids; a++) without += s->used[a] == 0 && gmmu_ctx_on(e, a);
  return s->free - without;
}

/** Contexts that are on, one bit each. */
static inline uint64_t gmmu_share_contexts(const struct gmmu_env *e) {
  uint64_t on = 0;

  for (int a = 0; a < e->num_asids; a++) on |= (uint64_t)gmmu_ctx_on(e, a) << a;
  return on;
}

/** Once a cycle: in the one after contexts went on or off only who has none may take one. */
static inline void gmmu_share_cycle(struct gmmu_share *s, const struct gmmu_env *e) {
  uint64_t on = gmmu_share_contexts(e);

  s->unsettled = on != s->on;
  s->on = on;
}

static inline bool gmmu_share_may_take(const struct gmmu_share *s, const struct gmmu_env *e,
                                       uint16_t asid) {
  if (s->free == 0) return false;
  if (asid >= GMMU_MAX_ASIDS || s->used[asid] == 0) return true;
  return !s->unsettled && (s->free > e->num_asids || gmmu_share_beyond(s, e) > 0);
}

/** All applications that may, one bit each. */
static inline uint64_t gmmu_share_all(const struct gmmu_share *s, const struct gmmu_env *e) {
  uint64_t none = 0;

  if (s->free == 0) return 0;
  if (!s->unsettled && (s->free > e->num_asids || gmmu_share_beyond(s, e) > 0)) return ~0ull;
  for (int a = 0; a < e->num_asids; a++) none |= (uint64_t)(s->used[a] == 0) << a;
  return none;
}

/** The same, followed from cycle to cycle. */
struct gmmu_share_on {
  uint64_t on;  /**< in the cycle before, one bit each */
  bool changed; /**< in the one before that it was otherwise */
};

/** Whether it is now as it was in the two cycles before. */
static inline bool gmmu_share_rests(struct gmmu_share_on *s, const struct gmmu_env *e) {
  bool before = s->changed;
  uint64_t on = gmmu_share_contexts(e);

  s->changed = on != s->on;
  s->on = on;
  return !before && !s->changed;
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
