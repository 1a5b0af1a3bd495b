/* SPDX-License-Identifier: Apache-2.0 */
/* dram_choose.c - which command goes next (dram_sched.h): nothing changes here. */
#include "policy/dram_sched_int.h"

bool gmmu_dram_sched_closes(const struct gmmu_dram_sched *s, const struct gmmu_dram_cmd *c,
                            const struct gmmu_dram_cmd *before) {
  if (!s->c.closed_row || !gmmu_dram_is_column(c->kind)) return false;
  for (int k = 0; k < 2; k++)
    for (int j = k ? s->golden.first : s->array.first; j >= 0; j = s->n[j].next)
      if (j != c->node && !(before && j == before->node) && s->n[j].r.bank == c->bank &&
          s->n[j].r.row == c->row)
        return false;
  return true;
}

static struct gmmu_dram_cmd command(const struct gmmu_dram_sched *s, enum gmmu_dram_cmd_kind kind,
                                    int i, enum gmmu_dram_class cls) {
  const struct node *x = &s->n[i];
  struct gmmu_dram_cmd c = {.kind = kind,
                            .bank = x->r.bank,
                            .row = x->r.row,
                            .col = x->r.col,
                            .payload = x->r.payload,
                            .cls = cls,
                            .golden = x->r.golden,
                            .from_golden = !in_array(x),
                            .node = i};
  c.ap = gmmu_dram_sched_closes(s, &c, NULL);
  return c;
}

/* The command that one request asks for, NOP if it is not ready. */
static enum gmmu_dram_cmd_kind asks(const struct gmmu_dram_sched *s, const struct node *x,
                                    const struct gmmu_dram_ready *r) {
  uint32_t b = x->r.bank;
  if (x->want == COL_RD) return r->rd >> b & 1 ? GMMU_DRAM_RD : GMMU_DRAM_NOP;
  if (x->want == COL_WR) return r->wr >> b & 1 ? GMMU_DRAM_WR : GMMU_DRAM_NOP;
  if (s->open >> b & 1) return r->pre >> b & 1 ? GMMU_DRAM_PRE : GMMU_DRAM_NOP;
  return r->act >> b & 1 ? GMMU_DRAM_ACT : GMMU_DRAM_NOP;
}

static int find_next(const struct gmmu_dram_sched *s) {
  if (!s->urgent) return -1;
  for (int i = s->array.first; i >= 0; i = s->n[i].next)
    if (!s->n[i].waits && !s->n[i].taken && urgent(&s->n[i])) return i;
  return -1;
}

void gmmu_dram_sched_look(struct gmmu_dram_sched *s) {
  s->looked = true;
  s->kept = find_next(s);
  if (s->kept >= 0) s->kept_seq = s->n[s->kept].seq;
}

/* The next request now, or as it was, if it has not been taken meanwhile. */
static int next_of(const struct gmmu_dram_sched *s) {
  if (!s->looked) return find_next(s);
  if (s->kept < 0 || s->n[s->kept].seq != s->kept_seq || s->n[s->kept].taken) return -1;
  return s->kept;
}

/* The bank in which a request asks for another row. */
static uint32_t row_bank(const struct gmmu_dram_sched *s, int i) {
  return i >= 0 && s->n[i].want == ROW ? 1u << s->n[i].r.bank : 0;
}

/* Where no lower class gives a column: next, or the oldest translation, asks for another row. */
static uint32_t shut_banks(const struct gmmu_dram_sched *s, int next) {
  int i = s->golden.first;
  while (i >= 0 && (s->n[i].waits || s->n[i].taken)) i = s->n[i].next;
  return row_bank(s, next) | row_bank(s, i);
}

/* Golden: the oldest may use its column; per bank the oldest may open or close a row. Returns the
 * banks asked for. */
static uint32_t choose_golden(const struct gmmu_dram_sched *s, const struct gmmu_dram_ready *r,
                              uint32_t claimed, uint32_t shut, int *col, int *act, int *pre) {
  uint32_t seen = 0;
  bool head = true;
  for (int i = s->golden.first; i >= 0; i = s->n[i].next) {
    const struct node *x = &s->n[i];
    if (x->waits || x->taken) continue;
    uint32_t bit = 1u << x->r.bank;
    enum gmmu_dram_cmd_kind k = asks(s, x, r);
    if (head && gmmu_dram_is_column(k) && !(shut & bit)) *col = i;
    if (!(seen & bit) && !(claimed & bit)) {
      if (k == GMMU_DRAM_ACT && *act < 0) *act = i;
      if (k == GMMU_DRAM_PRE && *pre < 0) *pre = i;
    }
    head = false;
    seen |= bit;
  }
  return seen;
}

static int oldest(const struct gmmu_dram_sched *s, int cls, enum want w, uint32_t banks, int best) {
  banks &= s->has[cls][w];
  for (; banks; banks &= banks - 1) {
    int i = s->list[cls][__builtin_ctz(banks)][w].first;
    if (best < 0 || s->n[i].seq < s->n[best].seq) best = i;
  }
  return best;
}

struct gmmu_dram_cmd gmmu_dram_sched_choose(const struct gmmu_dram_sched *s,
                                            const struct gmmu_dram_ready *r) {
  uint32_t claimed = 0;
  int i = next_of(s);
  const uint32_t shut = shut_banks(s, i);
  if (i >= 0) {
    enum gmmu_dram_cmd_kind k = asks(s, &s->n[i], r);
    if (k != GMMU_DRAM_NOP) return command(s, k, i, GMMU_DRAM_NEXT);
    claimed |= 1u << s->n[i].r.bank;
  }
  if (s->golden.first >= 0) {
    int col = -1, act = -1, pre = -1;
    uint32_t banks = choose_golden(s, r, claimed, shut, &col, &act, &pre);
    if (col >= 0)
      return command(s, s->n[col].r.we ? GMMU_DRAM_WR : GMMU_DRAM_RD, col, GMMU_DRAM_GOLDEN);
    if (act >= 0) return command(s, GMMU_DRAM_ACT, act, GMMU_DRAM_GOLDEN);
    if (pre >= 0) return command(s, GMMU_DRAM_PRE, pre, GMMU_DRAM_GOLDEN);
    claimed |= banks;
  }
  for (int cls = GMMU_DRAM_SILVER; cls >= GMMU_DRAM_NORMAL; cls--) {
    uint32_t hits = s->has[cls][COL_RD] | s->has[cls][COL_WR];
    i = oldest(s, cls, COL_WR, r->wr & ~shut, oldest(s, cls, COL_RD, r->rd & ~shut, -1));
    if (i >= 0)
      return command(s, s->n[i].r.we ? GMMU_DRAM_WR : GMMU_DRAM_RD, i, (enum gmmu_dram_class)cls);
    i = oldest(s, cls, ROW, r->act & ~s->open & ~claimed, -1);
    if (i >= 0) return command(s, GMMU_DRAM_ACT, i, (enum gmmu_dram_class)cls);
    uint32_t keep = hits;
    if (s->c.keep_rows) keep |= s->has[GMMU_DRAM_NORMAL][COL_RD] | s->has[GMMU_DRAM_NORMAL][COL_WR];
    i = oldest(s, cls, ROW, r->pre & s->open & ~claimed & ~keep, -1);
    if (i >= 0) return command(s, GMMU_DRAM_PRE, i, (enum gmmu_dram_class)cls);
    claimed |= hits | s->has[cls][ROW];
  }
  return (struct gmmu_dram_cmd){.kind = GMMU_DRAM_NOP, .node = -1};
}

struct gmmu_dram_cmd gmmu_dram_sched_also(const struct gmmu_dram_sched *s,
                                          const struct gmmu_dram_ready *r,
                                          const struct gmmu_dram_cmd *first) {
  struct gmmu_dram_cmd none = {.kind = GMMU_DRAM_NOP, .node = -1};
  struct gmmu_dram_ready other = *r;
  if (first->kind == GMMU_DRAM_NOP) return none;
  if (gmmu_dram_is_column(first->kind)) other.rd = other.wr = 0;
  else other.act = other.pre = 0;
  struct gmmu_dram_cmd c = gmmu_dram_sched_choose(s, &other);
  return c.bank == first->bank ? none : c;
}

struct gmmu_dram_cmd gmmu_dram_sched_second(const struct gmmu_dram_sched *s,
                                            const struct gmmu_dram_ready *r,
                                            const struct gmmu_dram_cmd *first) {
  const struct gmmu_dram_cmd none = {.kind = GMMU_DRAM_NOP, .node = -1};
  if (!gmmu_dram_is_column(first->kind) || first->cls > GMMU_DRAM_SILVER) return none;
  const uint32_t shut = shut_banks(s, next_of(s));
  int second = -1;
  for (int w = COL_RD; w <= COL_WR; w++) {
    uint32_t banks = (w == COL_RD ? r->rd : r->wr) & ~shut & s->has[first->cls][w];
    for (; banks; banks &= banks - 1) {
      int i = s->list[first->cls][__builtin_ctz(banks)][w].first;
      if (i == first->node) i = s->n[i].lnext;
      if (i >= 0 && (second < 0 || s->n[i].seq < s->n[second].seq)) second = i;
    }
  }
  if (second < 0 || s->n[second].r.we != s->n[first->node].r.we) return none;
  return command(s, first->kind, second, first->cls);
}
