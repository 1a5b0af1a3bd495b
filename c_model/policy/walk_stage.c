/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/walk_stage.h"

void gmmu_walk_stage_next(struct gmmu_walk_stage *s, const struct gmmu_walker *w,
                          const struct gmmu_env *e, int place, bool began, bool queued) {
  s->named = place >= 0 && !s->again;
  s->again_ready = s->again && !began;
  if (s->named) {
    s->named_mshr = w->buffer[place].mshr;
    gmmu_walker_root(w, e, place, &s->root);
  } else if (s->again_ready) {
    gmmu_walker_root_again(w, e, &s->root);
  }
  s->again = s->again_ready || queued;
}
