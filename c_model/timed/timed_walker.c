/* SPDX-License-Identifier: Apache-2.0 */
/** timed_walker.c - cycles of the page table walker: docs/walker.md, "Timing". */
#include <string.h>

#include "timed/timed_blocks.h"

int timed_walker_init(struct timed_walker *w, const struct gmmu_config *c) {
  memset(w, 0, sizeof *w);
  gmmu_walker_init(&w->w, c);
  w->pwc_latency = (int)c->PwcLatency;
  return gmmu_msc_init(&w->msc, c) | gmmu_pwc_init(&w->pwc, c);
}

void timed_walker_free(struct timed_walker *w) {
  gmmu_msc_free(&w->msc);
  gmmu_pwc_free(&w->pwc);
}

void timed_walker_reset(struct timed_walker *w, const struct gmmu_config *c) {
  struct gmmu_msc msc = w->msc;
  struct gmmu_pwc pwc = w->pwc;

  memset(w, 0, sizeof *w);
  gmmu_walker_init(&w->w, c);
  w->msc = msc;
  w->pwc = pwc;
  w->pwc_latency = (int)c->PwcLatency;
  if (pwc.t) gmmu_pwc_flush(&w->pwc);
  gmmu_msc_reset(&w->msc);
}

#define FINS (2 * GMMU_MAX_WALKS)

static void finish(struct timed_walker *w, int slot, const struct gmmu_tlb_data *data) {
  int i = (w->fin_head + w->fins++) % FINS;
  w->fin[i] =
      (struct timed_fin){.slot = (uint8_t)slot, .mshr = w->w.slot[slot].mshr, .data = *data};
}

/** What ended or answers early goes to the finish queue. What goes on makes a read: *read, and
 * true. */
static bool proceed(struct timed_walker *w, const struct gmmu_walk_result *r,
                    struct timed_read *read) {
  const struct gmmu_walk_slot *s = &w->w.slot[r->slot];

  if (r->ended || r->early) finish(w, r->slot, &r->data);
  if (r->reads)
    *read = (struct timed_read){.addr = s->at.pa,
                                .slot = (uint8_t)r->slot,
                                .depth = s->at.depth,
                                .upper = r->upper,
                                .upd = r->updates,
                                .old = s->at.old,
                                .set = s->at.set};
  return r->reads;
}

/** may: it may have made a read. */
static bool decode(struct timed_walker *w, const struct gmmu_env *e, struct timed_read *read,
                   bool *ended, bool *may, struct gmmu_walk_event *ev) {
  const struct timed_answer *a = &w->dec;
  struct gmmu_walk_result r;

  if (!a->valid) return false;
  *may = gmmu_walker_may_read(&w->w, e, a->slot, a->err, a->pte);
  gmmu_walker_decode(&w->w, e, a->slot, a->err, a->pte, a->line, &r);
  ev->step = true;
  ev->step_restart = r.restarted;
  ev->step_done = r.ended;
  ev->step_early = r.early;
  ev->step_head = r.head;
  ev->step_update = r.updates;
  ev->step_cached = a->cached;
  if (w->pwc.t && r.pointer_pa && !a->cached) {
    w->insert_pa = r.pointer_pa;
    w->insert_pte = a->pte;
  }
  *ended = r.ended || r.early;
  ev->step_slot = a->slot;
  ev->step_depth = r.depth;
  ev->step_cause = r.data.cause;
  return proceed(w, &r, read);
}

static bool begun(struct timed_walker *w, const struct gmmu_walk_result *r, struct timed_read *read,
                  struct gmmu_walk_event *ev) {
  ev->root_end = r->ended;
  ev->root_cause = r->data.cause;
  return proceed(w, r, read);
}

/** A walk begins at its root: one that starts over, or the one in `place` of the buffer, if it was
 * named in the cycle before as well. Only one whose root is allowed if a walk may end now. */
static bool begin(struct timed_walker *w, const struct timed_walker_in *in, int place, bool ends,
                  struct timed_read *read, struct gmmu_walk_event *ev) {
  struct gmmu_walk_req q;
  struct gmmu_walk_result r;

  if (ends && w->stage.root.cause != GMMU_OK) return false; /* one finish a cycle */
  if (w->stage.again_ready) {
    gmmu_walker_again(&w->w, &w->stage.root, &r);
    ev->again = true;
    ev->again_slot = (uint8_t)r.slot;
    return begun(w, &r, read, ev);
  }
  if (!gmmu_walk_stage_starts(&w->stage, &w->w, place)) return false;
  q = w->w.buffer[place];
  gmmu_walker_start(&w->w, &w->stage.root, place, &r);
  ev->start = true;
  ev->start_queued = q.since + 1 != in->cycle;
  ev->start_slot = (uint8_t)r.slot;
  ev->start_mshr = q.mshr;
  ev->start_asid = q.asid;
  ev->start_vfn = q.vfn;
  return begun(w, &r, read, ev);
}

#define RUN_ACTS 6 /* the cycle of a lookup in which it acts, or later */

/** The next cycle of the lookup of the first waiting run; acts: it did, and the next one follows,
 * if another waits. */
static void run_next(struct timed_walker *w, const struct timed_walker_in *in, int waiting,
                     bool acts) {
  bool inserts = w->run_insert;
  bool load = waiting > w->run_held && (!w->run_held || acts);

  if (load || in->pulse->mark) w->run_cycle = 0; /* its entry may be about to go */
  else if (w->run_cycle) w->run_cycle += w->run_cycle < RUN_ACTS;
  else w->run_cycle = w->run_held && !timed_walker_busy(w) && !inserts;
  w->run_held = load || (w->run_held && !acts);
  w->run_insert = false;
}

/** Lookup of the first waiting run, behind the decode, which has the finish queue and the read port
 * first. Returns what it wants: 'e' to end, 'r' to read, 0. */
static char run(struct timed_walker *w, const struct timed_walker_in *in, const struct gmmu_env *e,
                int waiting, bool dec_fin, bool dec_may, bool *made, struct timed_read *read,
                struct gmmu_walk_event *ev) {
  struct gmmu_run_result r;
  bool reads, acts;

  if (!w->run_held || w->run_cycle < RUN_ACTS || in->pulse->mark) {
    run_next(w, in, waiting, false);
    return 0;
  }
  reads = gmmu_walker_run_reads(&w->w, &w->msc);
  acts = reads ? !dec_may : !dec_fin;
  run_next(w, in, waiting, acts);
  if (!acts) return reads ? 'r' : 'e';
  gmmu_walker_run(&w->w, &w->msc, e, &r);
  ev->run = true;
  ev->run_slot = (uint8_t)r.slot;
  ev->run_stale = r.stale;
  ev->run_hit = r.hit;
  ev->run_insert = w->run_insert = r.insert;
  ev->run_read = r.reads;
  ev->run_way = r.hit || r.insert ? (uint8_t)r.way : 0;
  ev->run_bitmap = r.bitmap;
  ev->run_overwrite = r.fill.overwrite;
  ev->run_evict = r.fill.evict;
  if (r.ended) {
    finish(w, r.slot, &r.data);
    return 'e';
  }
  *made = true;
  *read = (struct timed_read){.addr = w->w.slot[r.slot].at.pa,
                              .slot = (uint8_t)r.slot,
                              .depth = w->w.slot[r.slot].at.depth};
  return 'r';
}

/** Clearing of the memory subregion cache: a set is read in one cycle, compared in the next, and
 * cleared in the one after that. */
static void sweep(struct timed_walker *w, const struct timed_pulses *p,
                  struct gmmu_walk_event *ev) {
  int set = w->sweep_set - (w->sweep_a ? 2 : 1);

  if (w->visit) {
    ev->msc_sweep = true;
    ev->msc_set = (uint8_t)set;
    ev->msc_cleared = (uint16_t)gmmu_msc_sweep(&w->msc, set, &p->cmd);
  }
  w->visit = w->sweep_a;
  w->sweep_a = w->sweep;
  if (w->sweep) w->sweep = ++w->sweep_set < gmmu_tlb_sets(w->msc.t);
  if (p->mark && w->msc.t) {
    w->sweep = true;
    w->sweep_a = w->visit = false;
    w->sweep_set = 0;
  }
}

/** The request register takes the head of the read queue, or the first new read if there is none.
 */
static void send(struct timed_walker *w, bool mem_ready, const struct timed_read *made, int n) {
  bool load = !w->req_valid || mem_ready;
  int i = 0;

  if (load) {
    w->req_valid = w->reads > 0 || n > 0;
    if (w->reads > 0) {
      w->req = w->read[w->read_head];
      w->read_head = (w->read_head + 1) % GMMU_MAX_WALKS;
      w->reads--;
    } else if (n > 0) {
      w->req = made[i++];
    }
  }
  for (; i < n; i++) w->read[(w->read_head + w->reads++) % GMMU_MAX_WALKS] = made[i];
}

/** The page walk cache in this cycle: the result of a probe, then what was inserted in the cycle
 * before, then a flush. Returns whether the probe missed: *missed then goes to memory. */
static bool walk_cache(struct timed_walker *w, const struct timed_walker_in *in, uint64_t insert_pa,
                       uint64_t insert_pte, struct timed_read *missed, struct gmmu_walk_event *ev) {
  bool due = w->probes && w->probe[w->probe_head].at == in->cycle;
  struct gmmu_fill f = {0};
  uint64_t pte = 0;
  int hit = -1;

  if (due) {
    *missed = w->probe[w->probe_head];
    w->probe_head = (w->probe_head + 1) % GMMU_MAX_WALKS;
    w->probes--;
    hit = gmmu_pwc_look(&w->pwc, missed->addr, &pte);
    ev->pwc_probe = true;
    ev->pwc_hit = hit >= 0;
    ev->pwc_slot = missed->slot;
    ev->pwc_way = hit >= 0 ? (uint8_t)gmmu_pwc_way(&w->pwc, hit) : 0;
  }
  if (insert_pa && !in->pulse->mark) {
    gmmu_pwc_insert(&w->pwc, insert_pa, insert_pte, &f);
    ev->pwc_insert = true;
    ev->pwc_overwrite = f.overwrite;
    ev->pwc_evict = f.evict;
    ev->pwc_insert_way = (uint8_t)f.way;
  }
  if (hit >= 0) {
    int i = (w->cached_head + w->num_cached++) % GMMU_MAX_WALKS;
    w->cached[i].slot = missed->slot;
    w->cached[i].pte = pte;
    gmmu_pwc_touch(&w->pwc, hit);
  }
  if (in->pulse->mark) gmmu_pwc_flush(&w->pwc);
  return due && hit < 0;
}

/** An answer that no slot waits for would be the memory's mistake; it is dropped. */
static void take_answer(struct timed_walker *w, const struct gmmu_pins *p, bool cached) {
  struct timed_answer *a = &w->first;

  w->dec.valid = a->valid;
  if (a->valid) w->dec = *a;
  a->valid = p->mem_rsp.valid && p->mem_rsp.id < w->w.num_slots && w->w.slot[p->mem_rsp.id].used &&
             !w->w.slot[p->mem_rsp.id].ended;
  a->slot = (uint8_t)p->mem_rsp.id;
  a->err = p->mem_rsp.err;
  a->pte = p->mem_rsp.data;
  if (w->w.groups && p->mem_rsp.valid) memcpy(a->line, p->mem_rsp.line, sizeof a->line);
  a->cached = false;
  if (p->mem_rsp.valid || !cached) return;
  a->valid = a->cached = true;
  a->err = false;
  a->slot = w->cached[w->cached_head].slot;
  a->pte = w->cached[w->cached_head].pte;
  w->cached_head = (w->cached_head + 1) % GMMU_MAX_WALKS;
  w->num_cached--;
}

void timed_walker_step(struct timed_walker *w, const struct timed_walker_in *in,
                       struct gmmu_walk_event *ev) {
  struct timed_read read = {0}, to_memory[2];
  struct gmmu_env mixed;
  const struct gmmu_env *e = gmmu_walker_env(in->env, w->win, &mixed);
  uint64_t insert_pa = w->insert_pa, insert_pte = w->insert_pte;
  bool cached = w->num_cached > 0; /* as in this cycle */
  int n = 0;
  bool ended = false, may = false, made;
  int waiting = w->w.num_waiting; /* as in this cycle */
  struct gmmu_walk_stage_in stage = {.queued = w->w.num_again > w->stage.again};
  char wants;

  gmmu_share_cycle(&w->w.share, in->env);
  stage.share = w->w.share;
  ev->mark = in->pulse->mark;
  w->insert_pa = 0;
  if (in->pulse->mark) gmmu_walker_mark(&w->w, &in->pulse->cmd);
  made = decode(w, e, &read, &ended, &may, ev);
  wants = run(w, in, e, waiting, ended, may, &made, &read, ev);
  stage.place = gmmu_walk_stage_pick(&w->stage, &w->w);
  if (!may && wants != 'r') made = begin(w, in, stage.place, ev->step || wants == 'e', &read, ev);
  stage.started = ev->start;
  stage.again = ev->again;
  gmmu_walk_stage_next(&w->stage, &w->w, in->env, &stage);
  sweep(w, in->pulse, ev);
  if (made && !(w->pwc.t && read.upper)) {
    to_memory[n++] = read;
  } else if (made) {
    read.at = in->cycle + (uint64_t)w->pwc_latency - 3;
    w->probe[(w->probe_head + w->probes++) % GMMU_MAX_WALKS] = read;
  }
  if (w->pwc.t && walk_cache(w, in, insert_pa, insert_pte, &to_memory[n], ev)) n++;
  send(w, in->pins->mem_req_ready, to_memory, n);
  take_answer(w, in->pins, cached);
  if (e != in->env) memcpy(w->win, in->env->win, sizeof w->win);
  /* last: a slot is free from the second cycle after its end was taken on */
  if (w->leaves) gmmu_walker_release(&w->w, w->leaving);
  w->leaves = in->fin_taken && !w->fin[w->fin_head].data.early;
  if (in->fin_taken) {
    w->leaving = w->fin[w->fin_head].slot;
    w->fin_head = (w->fin_head + 1) % FINS;
    w->fins--;
  }
  if (in->alloc)
    gmmu_walker_push(&w->w, in->alloc_asid, in->alloc_vfn, in->alloc_store, in->alloc_mshr,
                     in->cycle + 1);
}
