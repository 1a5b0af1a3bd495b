/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/walk_stage.h"

int gmmu_walk_stage_pick(const struct gmmu_walk_stage *s, const struct gmmu_walker *w) {
  if (!w->buffered) return -1;
  if (s->started) return gmmu_share_at_least(&s->share, 2) ? 0 : -1;
  return gmmu_walker_pick(w, &s->share);
}

void gmmu_walk_stage_next(struct gmmu_walk_stage *s, const struct gmmu_walker *w,
                          const struct gmmu_env *e, const struct gmmu_walk_stage_in *in) {
  s->named = in->place >= 0 && !in->started && !s->again;
  s->again_ready = s->again && !in->again;
  if (s->named) {
    s->named_mshr = w->buffer[in->place].mshr;
    gmmu_walker_root(w, e, in->place, &s->root);
  } else if (s->again_ready) {
    gmmu_walker_root_again(w, e, &s->root);
  }
  s->again = s->again_ready || in->queued;
  s->share = in->share;
  s->started = in->started;
}
