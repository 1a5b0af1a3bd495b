/* SPDX-License-Identifier: Apache-2.0 */
/** timed_walker.c - cycles of the page table walker: docs/walker.md, "Timing". */
#include <string.h>

#include "timed/timed_blocks.h"

void timed_walker_init(struct timed_walker *w, const struct gmmu_config *c) {
  memset(w, 0, sizeof *w);
  gmmu_walker_init(&w->w, c);
}

/** A walk that ended goes to the finish queue, one that goes on makes a read: *read, and true. */
static bool proceed(struct timed_walker *w, const struct gmmu_walk_result *r, struct timed_read *read) {
  const struct gmmu_walk_slot *s = &w->w.slot[r->slot];

  if (r->ended) {
    int i = (w->fin_head + w->fins++) % GMMU_MAX_WALKS;
    w->fin[i] = (struct timed_fin){.slot = (uint8_t)r->slot, .mshr = s->mshr, .data = r->data};
    return false;
  }
  *read = (struct timed_read){.addr = s->at.pa, .slot = (uint8_t)r->slot, .depth = s->at.depth};
  return true;
}

static bool decode(struct timed_walker *w, const struct gmmu_env *e, struct timed_read *read, bool *ended,
                   struct gmmu_walk_event *ev) {
  struct gmmu_walk_result r;

  if (!w->dec_valid) return false;
  gmmu_walker_decode(&w->w, e, w->dec_slot, w->dec_err, w->dec_pte, &r);
  ev->step = true;
  ev->step_restart = r.restarted;
  ev->step_done = *ended = r.ended;
  ev->step_slot = w->dec_slot;
  ev->step_depth = r.depth;
  ev->step_cause = r.data.cause;
  return proceed(w, &r, read);
}

static bool start(struct timed_walker *w, const struct timed_walker_in *in, bool decode_ended,
                  struct timed_read *read, struct gmmu_walk_event *ev) {
  int place = gmmu_walker_pick(&w->w, in->env);
  struct gmmu_walk_req q;
  struct gmmu_walk_result r;

  if (place < 0) return false;
  if (decode_ended && gmmu_walker_start_fault(&w->w, in->env, place)) return false; /* one finish a cycle */
  q = w->w.buffer[place];
  gmmu_walker_start(&w->w, in->env, place, &r);
  ev->start = true;
  ev->start_queued = q.since != in->cycle;
  ev->start_slot = (uint8_t)r.slot;
  ev->start_mshr = q.mshr;
  ev->start_asid = q.asid;
  ev->start_vfn = q.vfn;
  return proceed(w, &r, read);
}

/** The request register takes the head of the read queue, or a new read if there is none. */
static void send(struct timed_walker *w, bool mem_ready, bool made, const struct timed_read *read) {
  bool load = !w->req_valid || mem_ready;

  if (load) {
    w->req_valid = w->reads > 0 || made;
    if (w->reads > 0) {
      w->req = w->read[w->read_head];
      w->read_head = (w->read_head + 1) % GMMU_MAX_WALKS;
      w->reads--;
    } else if (made) {
      w->req = *read;
      return;
    }
  }
  if (made) w->read[(w->read_head + w->reads++) % GMMU_MAX_WALKS] = *read;
}

/** An answer that no slot waits for would be the memory's mistake; it is dropped. */
static void take_answer(struct timed_walker *w, const struct gmmu_pins *p) {
  w->dec_valid = p->mem_rsp.valid && p->mem_rsp.id < w->w.num_slots && w->w.slot[p->mem_rsp.id].used &&
                 !w->w.slot[p->mem_rsp.id].ended;
  w->dec_slot = (uint8_t)p->mem_rsp.id;
  w->dec_err = p->mem_rsp.err;
  w->dec_pte = p->mem_rsp.data;
}

void timed_walker_step(struct timed_walker *w, const struct timed_walker_in *in, struct gmmu_walk_event *ev) {
  struct timed_read read = {0};
  bool ended = false, made;

  ev->mark = in->pulse->mark;
  if (in->pulse->mark) gmmu_walker_mark(&w->w, &in->pulse->cmd);
  made = decode(w, in->env, &read, &ended, ev);
  /* A restart uses the root address, so no walk starts beside it, even if it ends with a fault. */
  if (!made && !(ev->step && ev->step_restart) && w->w.buffered) made = start(w, in, ended, &read, ev);
  send(w, in->pins->mem_req_ready, made, &read);
  take_answer(w, in->pins);
  if (in->fin_taken) { /* last: a slot is free from the next cycle on */
    gmmu_walker_release(&w->w, w->fin[w->fin_head].slot);
    w->fin_head = (w->fin_head + 1) % GMMU_MAX_WALKS;
    w->fins--;
  }
  if (in->alloc) gmmu_walker_push(&w->w, in->alloc_asid, in->alloc_vfn, in->alloc_mshr, in->cycle + 1);
}
