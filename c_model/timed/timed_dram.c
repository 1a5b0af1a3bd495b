/* SPDX-License-Identifier: Apache-2.0 */
/* timed_dram.c - see timed_dram.h. Timing rules are kept as the first cycle at which each command
 * is legal. */
#include "timed/timed_dram.h"

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

struct fifo {
  struct gmmu_dram_req r[2];
  uint32_t n;
};
struct gmmu_dram {
  struct gmmu_dram_cfg c;
  struct gmmu_dram_sched *s;
  uint64_t now;   /* cycle */
  uint64_t tick;  /* ticks of the command clock before this cycle: when the banks' rules count */
  uint32_t ticks; /* in this cycle */
  struct fifo golden;
  struct gmmu_dram_req data[GMMU_DRAM_BUFFER]; /* oldest first */
  uint32_t num_data;
  /* banks */
  uint32_t open;
  uint64_t act[GMMU_DRAM_BANKS], pre[GMMU_DRAM_BANKS], col[GMMU_DRAM_BANKS];
  uint64_t rd[GMMU_DRAM_GROUPS], wr[GMMU_DRAM_GROUPS], rd_any, wr_any, act_any, faw[4];
  uint32_t faw_at;
  /* refresh */
  uint32_t ref_count;
  bool ref_due;
  /* turns */
  struct gmmu_dram_turn turn;
  uint32_t app, quota, used, idle;               /* has the turn */
  uint32_t next_app, next_quota;                 /* gets it then, if one was found */
  uint32_t candidate, k, apps, sum, weight, max; /* k: step of the computation for the candidate */
  bool spent, found;
  uint32_t age_count;
  bool busy; /* the last cycle with a tick did something: the next may as well */
};

static uint64_t later(uint64_t a, uint64_t b) { return a > b ? a : b; }

struct gmmu_dram *gmmu_dram_new(const struct gmmu_dram_cfg *c) {
  struct gmmu_dram *d = calloc(1, sizeof *d);
  if (!d) return NULL;
  d->c = *c;
  if (!d->c.ratio) d->c.ratio = GMMU_DRAM_ONE;
  d->turn.apps = 1;
  d->spent = true;
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

/* ---------------------------------------- banks */
/* Ticks of the command clock before a cycle; the first cycle before which there were so many. */
static uint64_t ticks_before(const struct gmmu_dram *d, uint64_t cycle) {
  return cycle * d->c.ratio / GMMU_DRAM_ONE;
}
static uint64_t cycle_of(const struct gmmu_dram *d, uint64_t ticks) {
  return (ticks * GMMU_DRAM_ONE + d->c.ratio - 1) / d->c.ratio;
}

uint64_t gmmu_dram_data_at(const struct gmmu_dram *d) {
  return 1 + cycle_of(d, ticks_before(d, d->now - 1) + d->c.t.cl + GMMU_DRAM_BURST);
}

static struct gmmu_dram_ready ready(const struct gmmu_dram *d) {
  struct gmmu_dram_ready r = {.open = d->open};
  if (d->ref_due || !d->ticks) return r;
  bool act_any = d->tick >= d->act_any && d->tick >= d->faw[d->faw_at];
  for (uint32_t b = 0; b < GMMU_DRAM_BANKS; b++) {
    uint32_t bit = 1u << b, g = b % GMMU_DRAM_GROUPS;
    if (d->open & bit) {
      if (d->tick >= d->pre[b]) r.pre |= bit;
      if (d->tick < d->col[b]) continue;
      if (d->tick >= d->rd_any && d->tick >= d->rd[g]) r.rd |= bit;
      if (d->tick >= d->wr_any && d->tick >= d->wr[g]) r.wr |= bit;
    } else if (act_any && d->tick >= d->act[b]) {
      r.act |= bit;
    }
  }
  return r;
}

static void column(struct gmmu_dram *d, const struct gmmu_dram_cmd *c, uint64_t now) {
  const struct gmmu_dram_timing *t = &d->c.t;
  uint32_t b = c->bank, g = b % GMMU_DRAM_GROUPS;
  if (c->kind == GMMU_DRAM_RD) {
    d->rd[g] = now + t->ccdl;
    d->rd_any = now + t->ccds;
    d->wr_any = later(d->wr_any, now + t->rtw);
    d->pre[b] = later(d->pre[b], now + t->rtp);
  } else {
    d->wr[g] = now + t->ccdl;
    d->wr_any = now + t->ccds;
    d->rd_any = later(d->rd_any, now + t->wtr);
    d->pre[b] = later(d->pre[b], now + t->wtp);
  }
  if (c->ap) {
    d->open &= ~(1u << b);
    d->act[b] = later(d->act[b], d->pre[b] + t->rp);
  }
}

/* now: its tick. */
static void bank_command(struct gmmu_dram *d, const struct gmmu_dram_cmd *c, uint64_t now) {
  const struct gmmu_dram_timing *t = &d->c.t;
  uint32_t b = c->bank;
  switch (c->kind) {
    case GMMU_DRAM_ACT:
      d->open |= 1u << b;
      d->col[b] = now + t->rcd;
      d->pre[b] = now + t->ras;
      d->act[b] = now + t->rc;
      d->act_any = now + t->rrd;
      d->faw[d->faw_at] = now + t->faw;
      d->faw_at = (d->faw_at + 1) % 4;
      break;
    case GMMU_DRAM_PRE:
      d->open &= ~(1u << b);
      d->act[b] = later(d->act[b], now + t->rp);
      break;
    case GMMU_DRAM_RD:
    case GMMU_DRAM_WR: column(d, c, now); break;
    case GMMU_DRAM_PREA:
      for (uint32_t i = 0; i < GMMU_DRAM_BANKS; i++)
        if (d->open >> i & 1) d->act[i] = later(d->act[i], now + t->rp);
      d->open = 0;
      break;
    case GMMU_DRAM_REF:
      for (uint32_t i = 0; i < GMMU_DRAM_BANKS; i++) d->act[i] = now + t->rfc;
      break;
    default: break;
  }
}

/* A due refresh: close all banks once each may be closed, then refresh once each may be activated.
 */
static struct gmmu_dram_cmd refresh(struct gmmu_dram *d) {
  struct gmmu_dram_cmd c = {.kind = GMMU_DRAM_NOP, .node = -1};
  if (!d->ticks) return c;
  if (d->open) {
    for (uint32_t b = 0; b < GMMU_DRAM_BANKS; b++)
      if (d->open >> b & 1 && d->tick < d->pre[b]) return c;
    c.kind = GMMU_DRAM_PREA;
    return c;
  }
  for (uint32_t b = 0; b < GMMU_DRAM_BANKS; b++)
    if (d->tick < d->act[b]) return c;
  c.kind = GMMU_DRAM_REF;
  return c;
}

static void give(struct gmmu_dram *d, const struct gmmu_dram_cmd *c, uint64_t now) {
  if (c->kind == GMMU_DRAM_NOP) return;
  bank_command(d, c, now);
  gmmu_dram_sched_given(d->s, c);
}

/* The commands of this cycle: one, or with two ticks a column on the first and a row command on the
 * second. */
static void choose(struct gmmu_dram *d, struct gmmu_dram_out *out) {
  struct gmmu_dram_ready r = ready(d);
  if (d->ref_due) {
    out->cmd = refresh(d);
  } else {
    out->cmd = gmmu_dram_sched_choose(d->s, &r);
    if (d->ticks == 2) out->also = gmmu_dram_sched_also(d->s, &r, &out->cmd);
    if (gmmu_dram_is_column(out->also.kind)) {
      struct gmmu_dram_cmd column = out->also;
      out->also = out->cmd;
      out->cmd = column;
    }
  }
  give(d, &out->cmd, d->tick);
  give(d, &out->also, d->tick + 1);
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

static void enter(struct gmmu_dram *d, struct gmmu_dram_out *out, bool golden_room, int data_room,
                  int next) {
  if (d->golden.n && golden_room) {
    if (!gmmu_dram_sched_enter(d->s, &d->golden.r[0], false)) return;
    out->entered = d->c.sched.aware ? 3 : 1;
    out->entered_payload = d->golden.r[0].payload;
    pop(&d->golden);
  } else if (next >= 0) {
    if (!gmmu_dram_sched_enter(d->s, &d->data[next], data_room == 2)) return;
    out->entered = (uint8_t)data_room;
    out->entered_payload = d->data[next].payload;
    d->num_data--;
    for (uint32_t i = (uint32_t)next; i < d->num_data; i++) d->data[i] = d->data[i + 1];
  }
}

void gmmu_dram_step(struct gmmu_dram *d, const struct gmmu_dram_in *in, struct gmmu_dram_out *out) {
  int app = d->c.sched.aware && d->c.thresh_max ? (int)d->app : -1, data_room = 0;
  *out = (struct gmmu_dram_out){
      .golden_ready = d->golden.n < 2,
      .data_ready = gmmu_dram_buffer_ready(d->data, d->num_data, app, in->data.app),
      .cmd = {.node = -1},
      .also = {.node = -1}};
  int next = gmmu_dram_sched_next(d->s, d->data, d->num_data, app, &data_room);
  bool golden_room = d->c.sched.aware ? gmmu_dram_sched_golden_room(d->s)
                                      : gmmu_dram_sched_data_room(d->s, false) != 0;
  d->tick = ticks_before(d, d->now);
  d->ticks = (uint32_t)(ticks_before(d, d->now + 1) - d->tick);
  choose(d, out);
  if (d->c.age_cap && ++d->age_count >= d->c.age_cap / 4) {
    d->age_count = 0;
    gmmu_dram_sched_age(d->s);
  }
  enter(d, out, golden_room, data_room, next);
  if (d->c.sched.aware) turn_step(d, in, out->entered == 2, out);
  if (out->cmd.kind == GMMU_DRAM_REF) d->ref_due = false;
  d->ref_count += d->ticks;
  bool due = d->ref_count >= d->c.t.refi;
  if (due) {
    d->ref_count -= d->c.t.refi;
    d->ref_due = true;
  }
  if (in->golden_valid && out->golden_ready) d->golden.r[d->golden.n++] = in->golden;
  if (in->data_valid && out->data_ready) d->data[d->num_data++] = in->data;
  d->busy = (d->busy && !d->ticks) || out->cmd.kind != GMMU_DRAM_NOP || out->entered ||
            in->golden_valid || in->data_valid || out->turn_passed || due ||
            (d->c.age_cap && d->age_count == 0);
  d->now++;
}

/* ---------------------------------------- skipping */
/* The first cycle in which a command may come that waits for tick t. */
static void earlier(const struct gmmu_dram *d, uint64_t *best, uint64_t t) {
  uint64_t ticks = ticks_before(d, cycle_of(d, t)), cycle = cycle_of(d, ticks + 1) - 1;
  if (cycle >= d->now && cycle < *best) *best = cycle;
}

uint64_t gmmu_dram_next_event(const struct gmmu_dram *d) {
  uint64_t now = d->now;
  if (d->busy || d->golden.n || d->num_data || (d->c.sched.aware && d->spent)) return now;
  uint64_t best = cycle_of(d, ticks_before(d, now) + d->c.t.refi - d->ref_count) - 1;
  if (d->c.sched.aware && now + (d->c.turn_timeout - 1 - d->idle) < best)
    best = now + (d->c.turn_timeout - 1 - d->idle);
  if (d->c.age_cap && now + (d->c.age_cap / 4 - 1 - d->age_count) < best)
    best = now + (d->c.age_cap / 4 - 1 - d->age_count);
  if (best <= now) return now;
  if (!d->ref_due && !gmmu_dram_waiting(d)) return best;
  for (uint32_t b = 0; b < GMMU_DRAM_BANKS; b++) {
    earlier(d, &best, d->act[b]);
    earlier(d, &best, d->pre[b]);
    earlier(d, &best, d->col[b]);
  }
  for (uint32_t g = 0; g < GMMU_DRAM_GROUPS; g++) {
    earlier(d, &best, d->rd[g]);
    earlier(d, &best, d->wr[g]);
  }
  earlier(d, &best, d->rd_any);
  earlier(d, &best, d->wr_any);
  earlier(d, &best, d->act_any);
  earlier(d, &best, d->faw[d->faw_at]);
  return best;
}

void gmmu_dram_skip(struct gmmu_dram *d, uint64_t to) {
  uint32_t n = (uint32_t)(to - d->now);
  if (!n) return;
  d->ref_count += (uint32_t)(ticks_before(d, to) - ticks_before(d, d->now));
  if (d->c.age_cap) d->age_count += n;
  if (d->c.sched.aware) {
    d->idle += n;
    for (uint32_t i = 0; i < n; i++) look_for_next(d);
  }
  d->now = to;
}
