/* SPDX-License-Identifier: Apache-2.0 */
/* timed_dram_choose.c - banks of a DRAM channel, searches, commands that stand ready and go. Timing
 * rules are kept as the first tick at which each command is legal. */
#include "timed/timed_dram_int.h"

static uint64_t later(uint64_t a, uint64_t b) { return a > b ? a : b; }

/* ---------------------------------------- banks */
static struct gmmu_dram_ready ready(const struct gmmu_dram *d) {
  struct gmmu_dram_ready r = {.open = d->open};
  if (!d->ticks) return r;
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

/* ---------------------------------------- choice */
static bool stand_any(const struct gmmu_dram *d, enum gmmu_dram_cmd_kind kind) {
  for (uint32_t g = 0; g < GMMU_DRAM_GROUPS; g++)
    for (uint32_t i = 0; i < d->cols[g].n; i++)
      if (d->cols[g].c[i].kind == kind) return true;
  return false;
}

bool gmmu_dram_nothing_stands(const struct gmmu_dram *d) {
  for (uint32_t g = 0; g < GMMU_DRAM_GROUPS; g++)
    if (d->cols[g].n) return false;
  for (uint32_t b = 0; b < GMMU_DRAM_BANKS; b++)
    if (d->row[b].kind != GMMU_DRAM_NOP) return false;
  return true;
}

/* Columns of a bank that stand ready. */
static uint32_t columns_of(const struct gmmu_dram *d, uint32_t b) {
  const struct columns *q = &d->cols[b % GMMU_DRAM_GROUPS];
  uint32_t n = 0;
  for (uint32_t i = 0; i < q->n; i++) n += q->c[i].bank == b;
  return n;
}

/* What the search of this cycle may look for, in the banks of its group. before: what is done to
 * the queues in this cycle. */
static struct gmmu_dram_ready may_look(const struct gmmu_dram *d, const struct found *before) {
  struct gmmu_dram_ready r = {0};
  if (d->ref_due || d->group < 0) return r;
  uint32_t g = (uint32_t)d->group;
  for (uint32_t b = g; b < GMMU_DRAM_BANKS; b += GMMU_DRAM_GROUPS) {
    uint32_t bit = 1u << b;
    if (before->row.kind != GMMU_DRAM_NOP && before->row.bank == b) continue;
    if ((before->col.ap && before->col.bank == b) ||
        (before->second.ap && before->second.bank == b))
      continue;
    if (d->row[b].kind != GMMU_DRAM_NOP) continue;
    r.act |= bit;
    if (columns_of(d, b) < 2 && d->tick + PRE_SOON >= d->pre[b]) r.pre |= bit;
    if (d->cols[g].n + 2 > COLS || d->tick + RCD_SOON < d->col[b]) continue;
    if (!stand_any(d, GMMU_DRAM_WR)) r.rd |= bit;
    if (!stand_any(d, GMMU_DRAM_RD)) r.wr |= bit;
  }
  return r;
}

static struct found search(const struct gmmu_dram *d, const struct found *before) {
  struct gmmu_dram_ready r = may_look(d, before);
  struct gmmu_dram_cmd first = gmmu_dram_sched_choose(d->s, &r),
                       second = gmmu_dram_sched_also(d->s, &r, &first);
  bool is_col = gmmu_dram_is_column(first.kind);
  struct found f = {.col = is_col ? first : second, .row = is_col ? second : first};
  f.second = gmmu_dram_sched_second(d->s, &r, &f.col);
  if (f.row.kind != GMMU_DRAM_NOP && f.row.bank == f.second.bank)
    f.second = (struct gmmu_dram_cmd){.node = -1};
  return f;
}

/* Of the commands that stand ready the one whose class is highest, an ACT before a PRE, then the
 * one whose group or bank had its last one longest ago. */
static int ready_column(const struct gmmu_dram *d, const struct gmmu_dram_ready *r) {
  int best = -1;
  for (uint32_t g = 0; g < GMMU_DRAM_GROUPS; g++) {
    const struct gmmu_dram_cmd *c = &d->cols[g].c[0];
    if (!d->cols[g].n || !((c->kind == GMMU_DRAM_RD ? r->rd : r->wr) >> c->bank & 1)) continue;
    const struct gmmu_dram_cmd *o = &d->cols[best < 0 ? 0 : best].c[0];
    if (best < 0 || c->cls > o->cls || (c->cls == o->cls && d->col_given[g] < d->col_given[best]))
      best = (int)g;
  }
  return best;
}

static int ready_row(const struct gmmu_dram *d, const struct gmmu_dram_ready *r) {
  int best = -1;
  for (uint32_t b = 0; b < GMMU_DRAM_BANKS; b++) {
    const struct gmmu_dram_cmd *c = &d->row[b], *o = &d->row[best < 0 ? 0 : best];
    if (c->kind == GMMU_DRAM_NOP || !((c->kind == GMMU_DRAM_ACT ? r->act : r->pre) >> b & 1) ||
        columns_of(d, b))
      continue;
    if (best < 0 || c->cls > o->cls ||
        (c->cls == o->cls &&
         (c->kind < o->kind || (c->kind == o->kind && d->row_given[b] < d->row_given[best]))))
      best = (int)b;
  }
  return best;
}

static struct gmmu_dram_cmd pop_column(struct gmmu_dram *d, int g) {
  struct columns *q = &d->cols[g];
  struct gmmu_dram_cmd c = q->c[0];
  for (uint32_t i = 1; i < q->n; i++) q->c[i - 1] = q->c[i];
  q->n--;
  d->col_given[g] = d->now + 1;
  return c;
}

static struct gmmu_dram_cmd pop_row(struct gmmu_dram *d, int b) {
  struct gmmu_dram_cmd c = d->row[b];
  d->row[b] = (struct gmmu_dram_cmd){.node = -1};
  d->row_given[b] = d->now + 1;
  return c;
}

/* The commands that go in this cycle: one, or with two ticks a column on the first and a row
 * command on the second. */
static void issue(struct gmmu_dram *d, struct gmmu_dram_out *out) {
  struct gmmu_dram_ready r = ready(d);
  int g = ready_column(d, &r), b = ready_row(d, &r);
  if (g >= 0 && b >= 0 && d->ticks < 2) {
    if (d->row[b].cls > d->cols[g].c[0].cls) g = -1;
    else b = -1;
  }
  if (g >= 0) out->cmd = pop_column(d, g);
  if (b >= 0) *(g >= 0 ? &out->also : &out->cmd) = pop_row(d, b);
  bank_command(d, &out->cmd, d->tick);
  bank_command(d, &out->also, d->tick + 1);
}

static void stand_column(struct gmmu_dram *d, const struct gmmu_dram_cmd *c) {
  struct columns *q = &d->cols[c->bank % GMMU_DRAM_GROUPS];
  gmmu_dram_sched_take(d->s, c);
  q->c[q->n++] = *c;
}

/* A search is over: its commands stand ready. The second column is there only if its request has a
 * place to wait until it leaves. */
static void stand(struct gmmu_dram *d, struct found *f) {
  if (d->num_behind == BEHIND) f->second = (struct gmmu_dram_cmd){.node = -1};
  if (f->col.kind != GMMU_DRAM_NOP) {
    f->col.ap = gmmu_dram_sched_closes(d->s, &f->col, NULL);
    f->second.ap = gmmu_dram_sched_closes(d->s, &f->second, &f->col);
    stand_column(d, &f->col);
  }
  if (f->second.kind != GMMU_DRAM_NOP) {
    stand_column(d, &f->second);
    d->behind[d->num_behind++] = f->second;
  }
  if (f->row.kind != GMMU_DRAM_NOP) d->row[f->row.bank] = f->row;
}

/* A cycle later: the first column's request leaves, or one that was second; rows open and close. */
static void leave(struct gmmu_dram *d, const struct found *f, struct gmmu_dram_cmd *behind) {
  const struct gmmu_dram_cmd closes = {.kind = GMMU_DRAM_PRE, .bank = f->second.bank};
  d->found_group = f->col.bank % GMMU_DRAM_GROUPS;
  d->num_found = (f->col.kind != GMMU_DRAM_NOP) + (f->second.kind != GMMU_DRAM_NOP);
  if (f->col.kind != GMMU_DRAM_NOP) gmmu_dram_sched_given(d->s, &f->col);
  if (f->second.kind != GMMU_DRAM_NOP && f->second.ap) gmmu_dram_sched_given(d->s, &closes);
  if (f->row.kind != GMMU_DRAM_NOP) gmmu_dram_sched_given(d->s, &f->row);
  if (behind->kind == GMMU_DRAM_NOP) return;
  behind->ap = false; /* the row has closed before */
  gmmu_dram_sched_given(d->s, behind);
}

/* Of those that were second the one that leaves in this cycle: no first one does, no row opens. */
static struct gmmu_dram_cmd pop_behind(struct gmmu_dram *d, const struct found *f) {
  struct gmmu_dram_cmd c = {.node = -1};
  if (!d->num_behind || f->col.kind != GMMU_DRAM_NOP || f->row.kind == GMMU_DRAM_ACT) return c;
  c = d->behind[0];
  d->num_behind--;
  for (uint32_t i = 0; i < d->num_behind; i++) d->behind[i] = d->behind[i + 1];
  return c;
}

void gmmu_dram_choose(struct gmmu_dram *d, struct gmmu_dram_out *out) {
  struct found *at = &d->search[d->now % SEARCH], before = *at;
  struct gmmu_dram_cmd behind = pop_behind(d, &before);
  *at = search(d, &before);
  gmmu_dram_sched_look(d->s);
  if (d->ref_due && d->due_for >= SEARCH && gmmu_dram_nothing_stands(d)) {
    out->cmd = refresh(d);
    bank_command(d, &out->cmd, d->tick);
    if (out->cmd.kind == GMMU_DRAM_PREA) gmmu_dram_sched_given(d->s, &out->cmd);
  } else {
    issue(d, out);
  }
  stand(d, &d->search[(d->now + 1) % SEARCH]);
  leave(d, &before, &behind);
  if (at->col.kind != GMMU_DRAM_NOP || at->row.kind != GMMU_DRAM_NOP ||
      out->cmd.kind != GMMU_DRAM_NOP)
    d->awake = d->now + AWAKE;
}

void gmmu_dram_next_group(struct gmmu_dram *d, int entered) {
  for (uint32_t i = SEARCH - 2; i > 0; i--) d->groups[i] = d->groups[i - 1];
  d->groups[0] = d->group;
  d->group = -1;
  for (uint32_t k = 1; k <= GMMU_DRAM_GROUPS; k++) {
    int g = (int)((d->last_group + k) % GMMU_DRAM_GROUPS);
    bool busy = !d->to_find[g] && g != entered;
    for (uint32_t i = 0; i < SEARCH - 1; i++) busy |= d->groups[i] == g;
    if (busy) continue;
    d->group = g;
    d->last_group = (uint32_t)g;
    break;
  }
  d->to_find[d->found_group] -= d->num_found;
  d->num_found = 0;
}
