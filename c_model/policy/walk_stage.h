/* SPDX-License-Identifier: Apache-2.0 */
/**
 * walk_stage.h - which walk stands before its root, followed from cycle to cycle: the first of
 * those that start over, else the one of the buffer that may start. Its root is read in one cycle,
 * in the next one it may begin. docs/walker.md, "Timing".
 */
#ifndef GMMU_POLICY_WALK_STAGE_H
#define GMMU_POLICY_WALK_STAGE_H

#include "policy/walker.h"

/** Callers read; only the functions below write. */
struct gmmu_walk_stage {
  bool again;       /**< the first walk that is to start over stands here */
  bool again_ready; /**< ... and stood here in the cycle before */
  bool named;       /**< in the cycle before a walk was named that may start */
  uint8_t named_mshr;
  struct gmmu_walk_root root; /**< of again_ready or named, as it was in the cycle before */
  struct gmmu_share share;    /**< who held slots in the cycle before */
  bool started;               /**< in it a walk started */
};

/** Place in the buffer of the walk that is named in this cycle, -1: none. */
int gmmu_walk_stage_pick(const struct gmmu_walk_stage *s, const struct gmmu_walker *w);

/** The walk in `place` of the buffer (-1: none), which may start, was named in the cycle before. */
static inline bool gmmu_walk_stage_starts(const struct gmmu_walk_stage *s,
                                          const struct gmmu_walker *w, int place) {
  return s->named && place >= 0 && w->buffer[place].mshr == s->named_mshr;
}

/** What a cycle was. */
struct gmmu_walk_stage_in {
  struct gmmu_share share; /**< who held slots as it began */
  int place;               /**< of the walk that was named, -1: none */
  bool started;            /**< it did */
  bool again;              /**< the one that starts over did */
  bool queued;             /**< one waited behind that as the cycle began */
};
void gmmu_walk_stage_next(struct gmmu_walk_stage *s, const struct gmmu_walker *w,
                          const struct gmmu_env *e, const struct gmmu_walk_stage_in *in);

#endif
