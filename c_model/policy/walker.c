/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/walker.h"

#include <string.h>

void gmmu_walker_init(struct gmmu_walker *w, const struct gmmu_config *c) {
  memset(w, 0, sizeof *w);
  w->num_slots = (int)c->Walks;
  w->share.free = w->num_slots;
}

void gmmu_walker_push(struct gmmu_walker *w, uint16_t asid, uint64_t vfn, int mshr, uint64_t since) {
  if (w->buffered == GMMU_MAX_BUFFER) return;
  w->buffer[w->buffered++] =
      (struct gmmu_walk_req){.vfn = vfn, .since = since, .asid = asid, .mshr = (uint8_t)mshr};
}

int gmmu_walker_pick(const struct gmmu_walker *w, const struct gmmu_env *e) {
  uint64_t refused = 0; /* applications that may not take a slot now */

  if (w->share.free == 0) return -1;
  for (int i = 0; i < w->buffered; i++) {
    uint64_t app = 1ull << (w->buffer[i].asid & (GMMU_MAX_ASIDS - 1));
    if (refused & app) continue;
    if (gmmu_share_may_take(&w->share, e, w->buffer[i].asid)) return i;
    refused |= app;
  }
  return -1;
}

int gmmu_walker_start_fault(const struct gmmu_walker *w, const struct gmmu_env *e, int place) {
  struct gmmu_walk_state s;
  return gmmu_walk_begin(e, w->buffer[place].asid, w->buffer[place].vfn, &s);
}

/** From the root: the first read, or the end. */
static void begin(struct gmmu_walk_slot *s, const struct gmmu_env *e, struct gmmu_walk_result *out) {
  int cause = gmmu_walk_begin(e, s->asid, s->vfn, &s->at);

  s->restart = false;
  s->ended = out->ended = cause != GMMU_OK;
  out->data = (struct gmmu_tlb_data){.cause = (uint8_t)cause};
}

void gmmu_walker_start(struct gmmu_walker *w, const struct gmmu_env *e, int place, struct gmmu_walk_result *out) {
  struct gmmu_walk_req r = w->buffer[place];
  int i = 0;

  memmove(&w->buffer[place], &w->buffer[place + 1], (size_t)(--w->buffered - place) * sizeof r);
  while (w->slot[i].used) i++; /* share.free > 0 */
  w->slot[i] = (struct gmmu_walk_slot){.vfn = r.vfn, .asid = r.asid, .mshr = r.mshr, .used = true};
  gmmu_share_take(&w->share, r.asid);
  *out = (struct gmmu_walk_result){.slot = i};
  begin(&w->slot[i], e, out);
}

void gmmu_walker_decode(struct gmmu_walker *w, const struct gmmu_env *e, int slot, bool err, uint64_t pte,
                        struct gmmu_walk_result *out) {
  struct gmmu_walk_slot *s = &w->slot[slot];
  struct gmmu_xlate x;

  *out = (struct gmmu_walk_result){.slot = slot, .restarted = s->restart, .depth = s->at.depth};
  if (s->restart) {
    begin(s, e, out);
    return;
  }
  s->ended = out->ended = gmmu_walk_step(e, &s->at, err, pte, &x);
  if (out->ended) out->data = gmmu_tlb_data_of(&x);
}

void gmmu_walker_release(struct gmmu_walker *w, int slot) {
  w->slot[slot].used = false;
  gmmu_share_give(&w->share, w->slot[slot].asid);
}

void gmmu_walker_mark(struct gmmu_walker *w, const struct gmmu_inv_cmd *c) {
  for (int i = 0; i < w->num_slots; i++) {
    struct gmmu_walk_slot *s = &w->slot[i];
    if (s->used && !s->ended && gmmu_inv_hits_frame(c, s->asid, s->vfn >> 9)) s->restart = true;
  }
}
