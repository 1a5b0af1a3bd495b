/* SPDX-License-Identifier: Apache-2.0 */
/* timed_dram_choose.c - banks of a DRAM channel, searches, commands that stand ready and go. Timing
 * rules are kept as the first tick at which each command is legal. */
#include "timed/timed_dram_int.h"

static uint64_t later(uint64_t a, uint64_t b) { return a > b ? a : b; }

/* ---------------------------------------- banks */
/* Legal in this cycle. */
static bool column_may_go(const struct gmmu_dram *d, const struct gmmu_dram_cmd *c) {
  uint32_t b = c->bank, g = b % GMMU_DRAM_GROUPS;
  if (!d->ticks || !(d->open >> b & 1) || d->tick < d->col[b]) return false;
  return c->kind == GMMU_DRAM_RD ? d->tick >= d->rd_any && d->tick >= d->rd[g]
                                 : d->tick >= d->wr_any && d->tick >= d->wr[g];
}

static bool row_may_go(const struct gmmu_dram *d, const struct gmmu_dram_cmd *c) {
  uint32_t b = c->bank;
  bool open = d->open >> b & 1;
  if (!d->ticks || open != (c->kind == GMMU_DRAM_PRE)) return false;
  if (open) return d->tick >= d->pre[b];
  return d->tick >= d->act[b] && d->tick >= d->act_any && d->tick >= d->faw[d->faw_at];
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
bool gmmu_dram_nothing_stands(const struct gmmu_dram *d) {
  return !d->rows && !d->standing[0] && !d->standing[1];
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
    if (d->rows & bit) continue;
    r.act |= bit;
    if (d->columns_of[b] < 2 && d->tick + PRE_SOON >= d->pre[b]) r.pre |= bit;
    if (d->cols[g].n + 2 > COLS || d->tick + RCD_SOON < d->col[b]) continue;
    if (!d->standing[1]) r.rd |= bit;
    if (!d->standing[0]) r.wr |= bit;
  }
  return r;
}

static struct found search(const struct gmmu_dram *d, const struct found *before) {
  struct gmmu_dram_ready r = may_look(d, before);
  if (!(r.rd | r.wr | r.act | r.pre))
    return (struct found){.col = {.node = -1}, .second = {.node = -1}, .row = {.node = -1}};
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
static int ready_column(const struct gmmu_dram *d) {
  int best = -1;
  for (uint32_t g = 0; g < GMMU_DRAM_GROUPS; g++) {
    const struct gmmu_dram_cmd *c = &d->cols[g].c[0];
    if (!d->cols[g].n || !column_may_go(d, c)) continue;
    const struct gmmu_dram_cmd *o = &d->cols[best < 0 ? 0 : best].c[0];
    if (best < 0 || c->cls > o->cls || (c->cls == o->cls && d->col_given[g] < d->col_given[best]))
      best = (int)g;
  }
  return best;
}

static int ready_row(const struct gmmu_dram *d) {
  int best = -1;
  for (uint32_t left = d->rows; left; left &= left - 1) {
    uint32_t b = (uint32_t)__builtin_ctz(left);
    const struct gmmu_dram_cmd *c = &d->row[b], *o = &d->row[best < 0 ? 0 : best];
    if (d->columns_of[b] || !row_may_go(d, c)) continue;
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
  d->columns_of[c.bank]--;
  d->standing[c.kind == GMMU_DRAM_WR]--;
  d->col_given[g] = d->now + 1;
  return c;
}

static struct gmmu_dram_cmd pop_row(struct gmmu_dram *d, int b) {
  struct gmmu_dram_cmd c = d->row[b];
  d->rows &= ~(1u << b);
  d->row_given[b] = d->now + 1;
  return c;
}

/* The commands that go in this cycle: one, or with two ticks a column on the first and a row
 * command on the second. */
static void issue(struct gmmu_dram *d, struct gmmu_dram_out *out) {
  if (gmmu_dram_nothing_stands(d)) return;
  int g = ready_column(d), b = ready_row(d);
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
  d->columns_of[c->bank]++;
  d->standing[c->kind == GMMU_DRAM_WR]++;
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
  if (f->row.kind == GMMU_DRAM_NOP) return;
  d->row[f->row.bank] = f->row;
  d->rows |= 1u << f->row.bank;
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
