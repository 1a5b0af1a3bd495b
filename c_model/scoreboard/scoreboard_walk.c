/* SPDX-License-Identifier: Apache-2.0 */
/** scoreboard_walk.c - replays the walker's events, one cycle late, with the PTEs that memory
 * answered. */
#include <string.h>

#include "scoreboard/scoreboard_parts.h"

#define NAME "walker"

static void finish(struct sb_walk *w, int slot, const struct gmmu_tlb_data *data) {
  w->fin[w->fins++] =
      (struct sb_fin){.slot = (uint8_t)slot, .mshr = w->w.slot[slot].mshr, .data = *data};
}

static void read_next(struct sb_walk *w, int slot) {
  w->read[w->reads].addr = w->w.slot[slot].at.pa;
  w->read[w->reads].upd = w->w.slot[slot].at.update;
  w->read[w->reads].old = w->w.slot[slot].at.old;
  w->read[w->reads].set = w->w.slot[slot].at.set;
  w->read[w->reads].slot = (uint8_t)slot;
  w->read[w->reads++].depth = w->w.slot[slot].at.depth;
}

/** A walk ended, answered early, or reads on. */
static void proceed(struct gmmu_scoreboard *s, const struct gmmu_walk_result *r) {
  if (r->ended || r->early) finish(&s->walk, r->slot, &r->data);
  if (r->reads && r->upper && s->walk.pwc.t) s->walk.probe[s->walk.probes++] = (uint8_t)r->slot;
  else if (r->reads) read_next(&s->walk, r->slot);
}

/** Returns true if it may have made a read. */
static bool step_decode(struct gmmu_scoreboard *s, const struct gmmu_env *e,
                        const struct gmmu_walk_event *ev) {
  struct sb_walk *w = &s->walk;
  const struct sb_answer *a = &w->answer;
  const struct gmmu_walk_slot *slot = &w->w.slot[a->slot];
  struct gmmu_walk_result r;
  bool may;

  if (!a->valid && !ev->step) return false;
  sb_at(s, NAME, -1, "step", slot->asid, slot->vfn);
  sb_same(s, "a PTE is decoded in the second cycle after its answer", a->valid, ev->step);
  if (!a->valid) return false;
  may = gmmu_walker_may_read(&w->w, e, a->slot, a->err, a->pte);
  gmmu_walker_decode(&w->w, e, a->slot, a->err, a->pte, a->line, &r);
  sb_same(s, "slot", a->slot, ev->step_slot);
  sb_same(s, "restart", r.restarted, ev->step_restart);
  sb_same(s, "ended", r.ended, ev->step_done);
  sb_same(s, "depth", r.depth, ev->step_depth);
  sb_same(s, "answered early", r.early, ev->step_early);
  sb_same(s, "head of another subregion", r.head, ev->step_head);
  sb_same(s, "PTE to be updated", r.updates, ev->step_update);
  sb_same(s, "PTE from the page walk cache", a->cached, ev->step_cached);
  if (w->pwc.t && r.pointer_pa && !a->cached) {
    w->insert_pa = r.pointer_pa;
    w->insert_pte = a->pte;
  }
  if (r.ended) sb_same(s, "cause", r.data.cause, ev->step_cause);
  proceed(s, &r);
  return may;
}

/** Page walk cache: the time of a probe's result is the device's, an insertion takes effect in the
 * cycle after. */
static void step_walk_cache(struct gmmu_scoreboard *s, const struct gmmu_walk_event *ev, bool mark,
                            uint64_t insert_pa, uint64_t insert_pte) {
  struct sb_walk *w = &s->walk;
  uint64_t pte = 0;
  int hit = -1, slot = 0;

  sb_at(s, NAME, -1, "walk cache", 0, 0);
  if (ev->pwc_probe && sb_that(s, "a read is being probed", w->probes > 0)) {
    slot = w->probe[0];
    memmove(&w->probe[0], &w->probe[1], (size_t)--w->probes);
    sb_at(s, NAME, -1, "walk cache", w->w.slot[slot].asid, w->w.slot[slot].vfn);
    hit = gmmu_pwc_look(&w->pwc, w->w.slot[slot].at.pa, &pte);
    sb_same(s, "slot", (uint64_t)slot, ev->pwc_slot);
    sb_same(s, "hit", hit >= 0, ev->pwc_hit);
    if (hit < 0) read_next(w, slot);
    else sb_same(s, "way", (uint64_t)gmmu_pwc_way(&w->pwc, hit), ev->pwc_way);
  }
  if (insert_pa || ev->pwc_insert) {
    struct gmmu_fill f = {0};
    sb_same(s, "a PTE is put in", insert_pa && !mark, ev->pwc_insert);
    if (insert_pa && !mark) {
      gmmu_pwc_insert(&w->pwc, insert_pa, insert_pte, &f);
      sb_same(s, "way", (uint64_t)f.way, ev->pwc_insert_way);
      sb_same(s, "overwrite", f.overwrite, ev->pwc_overwrite);
      sb_same(s, "evict", f.evict, ev->pwc_evict);
    }
  }
  if (hit >= 0) {
    w->cached[w->num_cached].slot = (uint8_t)slot;
    w->cached[w->num_cached++].pte = pte;
    gmmu_pwc_touch(&w->pwc, hit);
  }
  if (mark) gmmu_pwc_flush(&w->pwc);
}

/** Lookup of the run that waits longest; its time is the device's. Returns 'r' if it made a read,
 * 'e' if it ended. */
static char step_run(struct gmmu_scoreboard *s, const struct gmmu_env *e,
                     const struct gmmu_walk_event *ev) {
  struct sb_walk *w = &s->walk;
  const struct gmmu_walk_slot *slot;
  struct gmmu_run_result r;

  if (!ev->run) return 0;
  sb_at(s, NAME, -1, "run", 0, 0);
  if (!sb_that(s, "a run waits to be looked up", w->w.num_waiting > 0)) return 0;
  slot = &w->w.slot[w->w.waiting[0]];
  sb_at(s, NAME, -1, "run", slot->asid, slot->vfn);
  gmmu_walker_run(&w->w, &w->msc, e, &r);
  sb_same(s, "slot", (uint64_t)r.slot, ev->run_slot);
  sb_same(s, "stale", r.stale, ev->run_stale);
  sb_same(s, "hit", r.hit, ev->run_hit);
  sb_same(s, "insert", r.insert, ev->run_insert);
  sb_same(s, "reads a head", r.reads, ev->run_read);
  if (w->msc.t && (r.hit || r.insert)) sb_same(s, "way", (uint64_t)r.way, ev->run_way);
  if (r.ended && !r.stale) sb_same(s, "bitmap", r.bitmap, ev->run_bitmap);
  sb_same(s, "overwrite", r.fill.overwrite, ev->run_overwrite);
  sb_same(s, "evict", r.fill.evict, ev->run_evict);
  if (r.ended) finish(w, r.slot, &r.data);
  else read_next(w, r.slot);
  return r.ended ? 'e' : 'r';
}

static void step_msc_sweep(struct gmmu_scoreboard *s, const struct gmmu_walk_event *ev) {
  sb_at(s, NAME, -1, "sweep", s->order.cmd.asid, s->order.cmd.lo_vfn);
  sb_that(s, "sets of the memory subregion cache visited in order, once each",
          gmmu_inv_visit(&s->order.msc, ev->msc_set));
  if (s->walk.msc.t && ev->msc_set < gmmu_tlb_sets(s->walk.msc.t))
    sb_same(s, "ways cleared", gmmu_msc_sweep(&s->walk.msc, ev->msc_set, &s->order.cmd),
            ev->msc_cleared);
}

/** A walk began at its root; returns true if it ended there. */
static bool begins(struct gmmu_scoreboard *s, const struct gmmu_walk_result *r,
                   const struct gmmu_walk_event *ev) {
  sb_same(s, "ended at its root", r->ended, ev->root_end);
  if (r->ended) sb_same(s, "cause", r->data.cause, ev->root_cause);
  proceed(s, r);
  return r->ended;
}

/** As begins(). */
static bool step_again(struct gmmu_scoreboard *s, const struct gmmu_walk_event *ev) {
  struct sb_walk *w = &s->walk;
  struct gmmu_walk_result r;

  sb_at(s, NAME, -1, "start over", 0, 0);
  if (!sb_that(s, "a walk that is to start over had its root read", w->stage.again_ready))
    return false;
  sb_at(s, NAME, -1, "start over", w->w.slot[w->w.again[0]].asid, w->w.slot[w->w.again[0]].vfn);
  gmmu_walker_again(&w->w, &w->stage.root, &r);
  sb_same(s, "slot", (uint64_t)r.slot, ev->again_slot);
  return begins(s, &r, ev);
}

/** As begins(). */
static bool step_start(struct gmmu_scoreboard *s, int place, uint64_t cycle,
                       const struct gmmu_walk_event *ev) {
  struct sb_walk *w = &s->walk;
  struct gmmu_walk_req q = {0};
  struct gmmu_walk_result r;

  if (place < 0 && !ev->start) return false;
  if (place >= 0) q = w->w.buffer[place];
  sb_at(s, NAME, -1, "start", place >= 0 ? q.asid : ev->start_asid,
        place >= 0 ? q.vfn : ev->start_vfn);
  sb_same(s, "a walk starts", place >= 0, ev->start);
  if (place < 0) return false;
  gmmu_walker_start(&w->w, &w->stage.root, place, &r);
  sb_same(s, "slot", (uint64_t)r.slot, ev->start_slot);
  sb_same(s, "mshr", q.mshr, ev->start_mshr);
  sb_same(s, "asid", q.asid, ev->start_asid);
  sb_same(s, "vfn", q.vfn, ev->start_vfn);
  sb_same(s, "had waited", q.since + 1 != cycle, ev->start_queued);
  return begins(s, &r, ev);
}

/** Who begins at its root: a walk that starts over, or else one that may start. made: another read
 * may have been made; ends: a walk may have ended. */
static void step_begin(struct gmmu_scoreboard *s, const struct gmmu_env *e, bool made, bool ends,
                       struct gmmu_walk_stage_in *in, const struct gmmu_walk_event *ev) {
  struct sb_walk *w = &s->walk;
  bool fault = w->stage.root.cause != GMMU_OK, free = !made && !(ends && fault), ended = false;

  in->place = gmmu_walk_stage_pick(&w->stage, &w->w);
  in->started =
      free && !w->stage.again_ready && gmmu_walk_stage_starts(&w->stage, &w->w, in->place);
  in->again = ev->again;
  if (w->stage.again_ready || ev->again) {
    sb_at(s, NAME, -1, "start over", 0, 0);
    sb_same(s, "a walk starts over", free && w->stage.again_ready, ev->again);
    if (ev->again) ended = step_again(s, ev);
  }
  ended |= step_start(s, in->started ? in->place : -1, s->cycle, ev);
  if (ev->root_end) sb_that(s, "a walk ends at its root", ended);
  gmmu_walk_stage_next(&w->stage, &w->w, e, in);
}

/** The read at the pins must be the oldest one made in earlier cycles. */
static void step_request(struct gmmu_scoreboard *s, const struct sb_walk_cycle *c) {
  struct sb_walk *w = &s->walk;

  sb_at(s, NAME, -1, "PTE read at the pins", 0, 0);
  if (!sb_that(s, "a read is to be made", w->reads > 0)) return;
  sb_at(s, NAME, -1, "PTE read at the pins", w->w.slot[w->read[0].slot].asid,
        w->w.slot[w->read[0].slot].vfn);
  sb_same(s, "address", w->read[0].addr, c->req_addr);
  sb_same(s, "id", w->read[0].slot, c->req_id);
  sb_same(s, "depth", w->read[0].depth, c->req_depth);
  sb_same(s, "update", w->read[0].upd, c->req_upd);
  if (w->read[0].upd) {
    sb_same(s, "PTE before the update", w->read[0].old, c->req_old);
    sb_same(s, "PTE after the update", w->read[0].set, c->req_set);
  }
  if (!c->req_ready) return;
  w->reading[w->read[0].slot] = true;
  memmove(&w->read[0], &w->read[1], (size_t)--w->reads * sizeof w->read[0]);
}

static void step_answer(struct gmmu_scoreboard *s, const struct sb_walk_cycle *c, bool cached) {
  struct sb_walk *w = &s->walk;
  struct sb_answer *a = &w->first;

  w->answer.valid = a->valid;
  if (a->valid) w->answer = *a;
  a->valid = a->cached = false;
  if (!c->rsp_valid && cached) {
    a->valid = a->cached = true;
    a->err = false;
    a->slot = w->cached[0].slot;
    a->pte = w->cached[0].pte;
    memmove(&w->cached[0], &w->cached[1], (size_t)--w->num_cached * sizeof w->cached[0]);
  }
  if (!c->rsp_valid) return;
  sb_at(s, NAME, -1, "PTE answer", 0, 0);
  if (!sb_that(s, "memory answers a read that is outstanding",
               c->rsp_id < w->w.num_slots && w->reading[c->rsp_id]))
    return;
  w->reading[c->rsp_id] = false;
  a->valid = true;
  a->slot = (uint8_t)c->rsp_id;
  a->err = c->rsp_err;
  a->pte = c->rsp_data;
  memcpy(a->line, c->rsp_line, sizeof a->line);
}

/** The cycle before, with its environment. */
static void compare(struct gmmu_scoreboard *s, const struct sb_walk_cycle *c) {
  const struct gmmu_env *e = &s->env[s->before], *looked;
  struct gmmu_env mixed;
  bool may;
  uint64_t insert_pa = s->walk.insert_pa, insert_pte = s->walk.insert_pte;
  bool cached = s->walk.num_cached > 0; /* as the cycle began */
  struct gmmu_walk_stage_in in = {.queued = s->walk.w.num_again > s->walk.stage.again};
  char run;

  gmmu_share_cycle(&s->walk.w.share, e);
  in.share = s->walk.w.share;
  s->walk.insert_pa = 0;
  s->cycle--;
  if (c->req_valid) step_request(s, c);
  if (c->mark_due || c->ev.mark) {
    sb_at(s, NAME, -1, "mark", s->order.cmd.asid, s->order.cmd.lo_vfn);
    sb_same(s, "mark pulse", c->mark_due, c->ev.mark);
  }
  if (c->mark_due) gmmu_walker_mark(&s->walk.w, &s->order.cmd);
  looked = gmmu_walker_env(e, s->walk.win, &mixed);
  may = step_decode(s, looked, &c->ev);
  run = step_run(s, looked, &c->ev);
  step_begin(s, e, may || run == 'r', c->ev.step || run == 'e', &in, &c->ev);
  if (c->ev.msc_sweep) step_msc_sweep(s, &c->ev);
  if (s->walk.pwc.t) step_walk_cache(s, &c->ev, c->mark_due, insert_pa, insert_pte);
  step_answer(s, c, cached);
  if (looked != e) memcpy(s->walk.win, e->win, sizeof s->walk.win);
  s->cycle++;
}

void sb_walk_step(struct gmmu_scoreboard *s, const struct gmmu_walk_event *ev,
                  const struct gmmu_pins *p) {
  struct sb_walk *w = &s->walk;

  if (w->have_last) compare(s, &w->last);
  if (w->leaves) gmmu_walker_release(&w->w, w->leaving);
  w->leaves = false;
  if (s->l2.alloc)
    gmmu_walker_push(&w->w, s->l2.walk.asid, s->l2.walk.vfn, s->l2.walk.store, s->l2.walk.mshr,
                     s->l2.walk.since);
  s->l2.alloc = false;
  w->have_last = true;
  w->last = (struct sb_walk_cycle){.ev = *ev,
                                   .mark_due = s->mark_due,
                                   .req_valid = p->mem_req.valid,
                                   .req_ready = p->mem_req_ready,
                                   .req_addr = p->mem_req.addr,
                                   .req_id = p->mem_req.id,
                                   .req_depth = p->mem_req.depth,
                                   .req_upd = p->mem_req.upd,
                                   .req_old = p->mem_req.old,
                                   .req_set = p->mem_req.set,
                                   .rsp_valid = p->mem_rsp.valid,
                                   .rsp_err = p->mem_rsp.err,
                                   .rsp_id = p->mem_rsp.id,
                                   .rsp_data = p->mem_rsp.data};
  if (s->cfg.LineAnswers) memcpy(w->last.rsp_line, p->mem_rsp.line, sizeof w->last.rsp_line);
}
