/* SPDX-License-Identifier: Apache-2.0 */
/* timed_dram.c - see timed_dram.h. */
#include "timed/timed_dram_int.h"

#include <stdlib.h>

const struct gmmu_dram_timing gmmu_dram_gddr5 = {.rcd = 12,
                                                 .ras = 28,
                                                 .rc = 40,
                                                 .rp = 12,
                                                 .rrd = 6,
                                                 .faw = 22,
                                                 .ccds = 2,
                                                 .ccdl = 3,
                                                 .rtw = 12,
                                                 .wtr = 11,
                                                 .rtp = 2,
                                                 .wtp = 18,
                                                 .cl = 12,
                                                 .wl = 4,
                                                 .rfc = 61,
                                                 .refi = 1755};

#define DIVIDE 22u /* cycles of the quota's division */

/* From the next cycle on, by what the settings say in this one. */
static void set_turns(struct gmmu_dram *d) { d->turns = d->c.sched.aware && d->c.thresh_max; }

struct gmmu_dram *gmmu_dram_new(const struct gmmu_dram_cfg *c) {
  struct gmmu_dram *d = calloc(1, sizeof *d);
  if (!d) return NULL;
  d->c = *c;
  if (!d->c.ratio) d->c.ratio = GMMU_DRAM_ONE;
  d->turn.apps = 1;
  d->spent = true;
  set_turns(d);
  for (uint32_t i = 0; i < SEARCH; i++)
    d->search[i].col.node = d->search[i].second.node = d->search[i].row.node = -1;
  d->group = -1;
  for (uint32_t i = 0; i < SEARCH - 1; i++) d->groups[i] = -1;
  d->s = gmmu_dram_sched_new(&c->sched);
  if (!d->s) {
    free(d);
    return NULL;
  }
  return d;
}

void gmmu_dram_free(struct gmmu_dram *d) {
  if (!d) return;
  gmmu_dram_sched_free(d->s);
  free(d);
}

void gmmu_dram_set(struct gmmu_dram *d, uint32_t thresh_max, uint32_t turn_timeout,
                   uint32_t age_cap) {
  d->c.thresh_max = thresh_max;
  if (!d->now) set_turns(d);
  d->c.turn_timeout = turn_timeout;
  d->c.age_cap = age_cap;
  if (!age_cap) d->age_count = 0;
}

uint64_t gmmu_dram_now(const struct gmmu_dram *d) { return d->now; }
uint32_t gmmu_dram_queued(const struct gmmu_dram *d, enum gmmu_dram_class home) {
  return gmmu_dram_sched_count(d->s, home);
}
uint32_t gmmu_dram_waiting(const struct gmmu_dram *d) {
  return d->golden.n + d->num_data + gmmu_dram_sched_count(d->s, GMMU_DRAM_NORMAL) +
         gmmu_dram_sched_count(d->s, GMMU_DRAM_SILVER) +
         gmmu_dram_sched_count(d->s, GMMU_DRAM_GOLDEN);
}

uint64_t gmmu_dram_data_at(const struct gmmu_dram *d) {
  return 1 +
         gmmu_dram_cycle_of(d, gmmu_dram_ticks_before(d, d->now - 1) + d->c.t.cl + GMMU_DRAM_BURST);
}

/* ---------------------------------------- turns */
/* The application after this one; apps: as the computation sees it. */
static uint32_t after(uint32_t app, uint32_t apps) { return app + 1 < apps ? app + 1 : 0; }

/* One cycle of the candidate's quota: first the weights, one a cycle, then the division. True: a
 * quota above 0 was found. */
static bool quota_step(struct gmmu_dram *d, uint32_t apps, uint32_t *quota) {
  if (d->k == 0) {
    d->turn.apps = apps;
    d->max = d->c.thresh_max;
    d->sum = 0;
    if (d->candidate >= apps) d->candidate = 0;
  }
  if (d->k < d->turn.apps) {
    uint32_t w = gmmu_dram_turn_weight(&d->turn, d->k);
    d->sum += w;
    if (d->k == d->candidate) d->weight = w;
  }
  if (++d->k < d->turn.apps + DIVIDE) return false;
  d->k = 0;
  *quota = gmmu_dram_quota(d->max, d->weight, d->sum, d->turn.apps);
  return *quota != 0;
}

static bool look_for_next(struct gmmu_dram *d) {
  uint32_t quota = 0;
  bool found = quota_step(d, d->apps, &quota);
  if (found) {
    d->next_app = d->candidate;
    d->next_quota = quota;
    d->found = true;
  }
  if (d->k == 0) d->candidate = after(found ? d->app : d->candidate, d->turn.apps);
  return found;
}

static void turn_step(struct gmmu_dram *d, const struct gmmu_dram_in *in, bool entered,
                      struct gmmu_dram_out *out) {
  d->used += entered;
  d->idle = entered ? 0 : d->idle + 1;
  d->spent |= (entered && d->used == d->quota) || (!entered && d->idle >= d->c.turn_timeout);
  out->turn_passed = d->spent && d->found;
  uint32_t app = d->next_app, quota = d->next_quota; /* as found in an earlier cycle */
  d->apps = in->apps;
  out->turn_found = look_for_next(d);
  out->turn_app = (uint16_t)d->next_app;
  out->turn_quota = (uint16_t)d->next_quota;
  if (out->turn_passed) {
    d->app = app;
    d->quota = quota;
    d->used = d->idle = 0;
    d->spent = d->found = false;
    d->candidate = after(d->app, d->turn.apps);
    d->k = 0;
  }
  for (uint32_t i = 0; i < d->c.num_apps; i++)
    gmmu_dram_turn_see(&d->turn, i, in->con[i], in->warps[i], in->epoch);
}

/* ---------------------------------------- cycle */
static void pop(struct fifo *f) {
  f->r[0] = f->r[1];
  f->n--;
}

/* The oldest request on its way, whose conflicts were counted, enters its queue, unless they are
 * added up, or it would wait for too many as the cycle begins; then all stay where they are. */
static bool is_held(const struct gmmu_dram *d) {
  const struct coming *w = &d->way[1];
  return w->valid && (w->adds || gmmu_dram_sched_conflicts(d->s, &w->r) > GMMU_DRAM_MAX_WAITS);
}

/* Returns the group. */
static int enter_queue(struct gmmu_dram *d, struct coming *w) {
  uint32_t group = w->r.bank % GMMU_DRAM_GROUPS;
  d->to_find[group]++;
  gmmu_dram_sched_coming(d->s, w->home, -1);
  gmmu_dram_sched_enter(d->s, &w->r, w->home == GMMU_DRAM_SILVER);
  w->valid = false;
  d->awake = d->now + AWAKE;
  return (int)group;
}

/* That one enters; or, if there is none, the next one, if it conflicts with nothing. The others go
 * on. Returns the group of the one that entered, -1: none. */
static int enter(struct gmmu_dram *d) {
  int group = -1;
  for (int i = 1; i >= 0 && group < 0; i--) {
    struct coming *w = &d->way[i];
    if (!w->valid || (i == 0 && gmmu_dram_sched_conflicts(d->s, &w->r))) continue;
    group = enter_queue(d, w);
  }
  if (d->way[0].valid) {
    d->way[1] = d->way[0];
    d->way[1].adds = gmmu_dram_sched_conflicts(d->s, &d->way[1].r) != 0;
  }
  d->way[0].valid = false;
  return group;
}

/* A request goes on its way to the queues; to an idle bank, if none is on its way, it enters at
 * once. Returns its group then, else -1. */
static int leave_input(struct gmmu_dram *d, struct gmmu_dram_out *out, bool golden_room,
                       int data_room, int next, uint32_t idle) {
  struct coming *w = &d->way[0];
  if (d->golden.n && golden_room) {
    *w = (struct coming){.r = d->golden.r[0],
                         .home = d->c.sched.aware ? GMMU_DRAM_GOLDEN : GMMU_DRAM_NORMAL,
                         .valid = true};
    pop(&d->golden);
  } else if (next >= 0) {
    *w = (struct coming){.r = d->data[next],
                         .home = data_room == 2 ? GMMU_DRAM_SILVER : GMMU_DRAM_NORMAL,
                         .valid = true};
    d->num_data--;
    for (uint32_t i = (uint32_t)next; i < d->num_data; i++) d->data[i] = d->data[i + 1];
  }
  if (!w->valid) return -1;
  gmmu_dram_sched_coming(d->s, w->home, 1);
  out->entered = (uint8_t)(1 + w->home);
  out->entered_payload = w->r.payload;
  d->awake = d->now + AWAKE;
  return idle >> w->r.bank & 1 ? enter_queue(d, w) : -1;
}

void gmmu_dram_step(struct gmmu_dram *d, const struct gmmu_dram_in *in, struct gmmu_dram_out *out) {
  int app = d->turns ? (int)d->app : -1, data_room = 0;
  *out = (struct gmmu_dram_out){
      .golden_ready = d->golden.n < 2,
      .data_ready = gmmu_dram_buffer_ready(d->data, d->num_data, app, in->data.app),
      .cmd = {.node = -1},
      .also = {.node = -1}};
  int next = gmmu_dram_sched_next(d->s, d->data, d->num_data, app, &data_room);
  bool golden_room = d->c.sched.aware ? gmmu_dram_sched_golden_room(d->s)
                                      : gmmu_dram_sched_data_room(d->s, false) != 0;
  d->tick = gmmu_dram_ticks_before(d, d->now);
  d->ticks = (uint32_t)(gmmu_dram_ticks_before(d, d->now + 1) - d->tick);
  bool held = is_held(d);
  uint32_t idle = d->way[0].valid || d->way[1].valid ? 0 : gmmu_dram_sched_idle(d->s);
  int entered = -1;
  gmmu_dram_choose(d, out);
  if (d->c.age_cap && ++d->age_count >= d->c.age_cap / 4) {
    d->age_count = 0;
    gmmu_dram_sched_age(d->s);
    d->awake = d->now + AWAKE;
  }
  if (held) {
    d->way[1].adds = false;
  } else {
    entered = enter(d);
    int straight = leave_input(d, out, golden_room, data_room, next, idle);
    if (straight >= 0) entered = straight;
  }
  gmmu_dram_next_group(d, entered);
  if (d->c.sched.aware) turn_step(d, in, out->entered == 2, out);
  if (out->cmd.kind == GMMU_DRAM_REF) d->ref_due = false;
  d->due_for = d->ref_due ? d->due_for + 1 : 0;
  d->ref_count += d->ticks;
  bool due = d->ref_count >= d->c.t.refi;
  if (due) {
    d->ref_count -= d->c.t.refi;
    d->ref_due = true;
  }
  if (in->golden_valid && out->golden_ready) d->golden.r[d->golden.n++] = in->golden;
  if (in->data_valid && out->data_ready) d->data[d->num_data++] = in->data;
  if (held || in->golden_valid || in->data_valid || out->turn_passed || due)
    d->awake = d->now + AWAKE;
  set_turns(d);
  d->now++;
}

/* ---------------------------------------- skipping */
uint64_t gmmu_dram_next_event(const struct gmmu_dram *d) {
  uint64_t now = d->now;
  if (now <= d->awake || d->ref_due || gmmu_dram_waiting(d) || !gmmu_dram_nothing_stands(d) ||
      (d->c.sched.aware && d->spent))
    return now;
  uint64_t best =
      gmmu_dram_cycle_of(d, gmmu_dram_ticks_before(d, now) + d->c.t.refi - d->ref_count) - 1;
  if (d->c.sched.aware && now + (d->c.turn_timeout - 1 - d->idle) < best)
    best = now + (d->c.turn_timeout - 1 - d->idle);
  if (d->c.age_cap && now + (d->c.age_cap / 4 - 1 - d->age_count) < best)
    best = now + (d->c.age_cap / 4 - 1 - d->age_count);
  if (best <= now) return now;
  return best;
}

void gmmu_dram_skip(struct gmmu_dram *d, uint64_t to) {
  uint32_t n = (uint32_t)(to - d->now);
  if (!n) return;
  d->ref_count += (uint32_t)(gmmu_dram_ticks_before(d, to) - gmmu_dram_ticks_before(d, d->now));
  if (d->c.age_cap) d->age_count += n;
  if (d->c.sched.aware) {
    d->idle += n;
    for (uint32_t i = 0; i < n; i++) look_for_next(d);
  }
  set_turns(d);
  d->now = to;
}
