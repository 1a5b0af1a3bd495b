/* SPDX-License-Identifier: Apache-2.0 */
/* dram_sched.c - see dram_sched.h. Lists per class and bank keep a choice independent of the number
 * of requests. */
#include "policy/dram_sched.h"

#include <stdlib.h>
#include <string.h>

#define LINES 4096u /* buckets of the count of requests per line */

/* What a request that does not wait asks of its bank. */
enum want { ROW, COL_RD, COL_WR, WANTS };

struct node {
  struct gmmu_dram_req r;
  uint64_t seq; /* order of entering */
  uint8_t waits, age, cls, home, want;
  bool needed, live;
  int prev, next;   /* in the array's order of age; or the golden queue's */
  int lprev, lnext; /* in list[cls][bank][want], while it does not wait */
};
struct list {
  int first, last;
};
struct gmmu_dram_sched {
  struct gmmu_dram_sched_cfg c;
  struct node *n;
  int *unused;
  uint32_t num_unused, total;
  struct list array, golden;
  struct list list[2][GMMU_DRAM_BANKS][WANTS]; /* silver and normal; each oldest first */
  uint32_t has[2][WANTS];                      /* bit per bank: the list is not empty */
  uint32_t count[3];                           /* by home: normal, silver, golden */
  uint32_t urgent;                             /* requests of the array that are needed or old */
  uint32_t open;
  uint32_t row[GMMU_DRAM_BANKS];
  uint64_t seq;
  uint16_t lines[LINES];
};

struct gmmu_dram_sched *gmmu_dram_sched_new(const struct gmmu_dram_sched_cfg *c) {
  struct gmmu_dram_sched *s = calloc(1, sizeof *s);
  if (!s) return NULL;
  s->c = *c;
  s->total = c->golden + c->silver + c->normal;
  s->n = calloc(s->total, sizeof *s->n);
  s->unused = calloc(s->total, sizeof *s->unused);
  if (!s->n || !s->unused) {
    gmmu_dram_sched_free(s);
    return NULL;
  }
  for (uint32_t i = 0; i < s->total; i++) s->unused[s->num_unused++] = (int)(s->total - 1 - i);
  s->array = s->golden = (struct list){-1, -1};
  for (int k = 0; k < 2; k++)
    for (uint32_t b = 0; b < GMMU_DRAM_BANKS; b++)
      for (int w = 0; w < WANTS; w++) s->list[k][b][w] = (struct list){-1, -1};
  return s;
}

void gmmu_dram_sched_free(struct gmmu_dram_sched *s) {
  if (!s) return;
  free(s->n);
  free(s->unused);
  free(s);
}

/* ---------------------------------------- lists */
static void link_bank(struct gmmu_dram_sched *s, int i) {
  struct node *x = &s->n[i];
  struct list *l = &s->list[x->cls][x->r.bank][x->want];
  int after = l->last; /* mostly the youngest */
  while (after >= 0 && s->n[after].seq > x->seq) after = s->n[after].lprev;
  x->lprev = after;
  x->lnext = after < 0 ? l->first : s->n[after].lnext;
  if (x->lnext < 0) l->last = i;
  else s->n[x->lnext].lprev = i;
  if (after < 0) l->first = i;
  else s->n[after].lnext = i;
  s->has[x->cls][x->want] |= 1u << x->r.bank;
}

static void unlink_bank(struct gmmu_dram_sched *s, int i) {
  struct node *x = &s->n[i];
  struct list *l = &s->list[x->cls][x->r.bank][x->want];
  if (x->lprev < 0) l->first = x->lnext;
  else s->n[x->lprev].lnext = x->lnext;
  if (x->lnext < 0) l->last = x->lprev;
  else s->n[x->lnext].lprev = x->lprev;
  if (l->first < 0) s->has[x->cls][x->want] &= ~(1u << x->r.bank);
}

static struct list *order(struct gmmu_dram_sched *s, const struct node *x) {
  return x->home == GMMU_DRAM_GOLDEN ? &s->golden : &s->array;
}

static void append(struct gmmu_dram_sched *s, int i) {
  struct node *x = &s->n[i];
  struct list *l = order(s, x);
  x->prev = l->last;
  x->next = -1;
  if (l->last < 0) l->first = i;
  else s->n[l->last].next = i;
  l->last = i;
}

static void take_out(struct gmmu_dram_sched *s, int i) {
  struct node *x = &s->n[i];
  struct list *l = order(s, x);
  if (x->prev < 0) l->first = x->next;
  else s->n[x->prev].next = x->next;
  if (x->next < 0) l->last = x->prev;
  else s->n[x->next].prev = x->prev;
}

static bool in_array(const struct node *x) { return x->home != GMMU_DRAM_GOLDEN; }
static bool urgent(const struct node *x) { return x->needed || x->age >= GMMU_DRAM_OLD; }

static enum want want_of(const struct gmmu_dram_sched *s, const struct gmmu_dram_req *r) {
  if (!(s->open >> r->bank & 1) || s->row[r->bank] != r->row) return ROW;
  return r->we ? COL_WR : COL_RD;
}

static void set_want(struct gmmu_dram_sched *s, int i) {
  struct node *x = &s->n[i];
  enum want w = want_of(s, &x->r);
  if (w == x->want) return;
  bool listed = in_array(x) && !x->waits;
  if (listed) unlink_bank(s, i);
  x->want = (uint8_t)w;
  if (listed) link_bank(s, i);
}

static void set_class(struct gmmu_dram_sched *s, int i, int cls) {
  struct node *x = &s->n[i];
  if (x->cls >= cls) return;
  if (!x->waits) unlink_bank(s, i);
  x->cls = (uint8_t)cls;
  if (!x->waits) link_bank(s, i);
}

/* ---------------------------------------- lines */
static uint16_t *bucket(struct gmmu_dram_sched *s, const struct gmmu_dram_req *r) {
  uint64_t h = ((uint64_t)r->row << 16 | (uint64_t)r->col << 3 | r->bank) * 0x9e3779b97f4a7c15ull;
  return &s->lines[h >> 52];
}
static bool same_line(const struct gmmu_dram_req *a, const struct gmmu_dram_req *b) {
  return a->bank == b->bank && a->row == b->row && a->col == b->col;
}

/* Calls f for every request to the line of r. */
static void each_of_line(struct gmmu_dram_sched *s, const struct gmmu_dram_req *r,
                         void (*f)(struct gmmu_dram_sched *, int, void *), void *arg) {
  if (!*bucket(s, r)) return;
  const struct list l[2] = {s->array, s->golden};
  for (int k = 0; k < 2; k++)
    for (int i = l[k].first, next; i >= 0; i = next) {
      next = s->n[i].next;
      if (same_line(&s->n[i].r, r)) f(s, i, arg);
    }
}

struct conflict {
  const struct gmmu_dram_req *r;
  uint32_t n;
};
static void count_conflict(struct gmmu_dram_sched *s, int i, void *arg) {
  struct conflict *c = arg;
  if (s->n[i].r.we || c->r->we) c->n++;
}
static void left(struct gmmu_dram_sched *s, int i, void *arg) {
  const struct gmmu_dram_req *r = arg;
  struct node *x = &s->n[i];
  if (!(x->r.we || r->we) || !x->waits) return;
  if (--x->waits || !in_array(x)) return;
  x->want = (uint8_t)want_of(s, &x->r); /* not kept while it waits */
  link_bank(s, i);
}
static void inherit_needed(struct gmmu_dram_sched *s, int i, void *arg) {
  (void)arg;
  struct node *x = &s->n[i];
  if (!in_array(x)) return;
  if (!urgent(x)) s->urgent++;
  x->needed = true;
}
static void inherit_silver(struct gmmu_dram_sched *s, int i, void *arg) {
  (void)arg;
  if (in_array(&s->n[i])) set_class(s, i, GMMU_DRAM_SILVER);
}

/* ---------------------------------------- choice */
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
  if (s->c.closed_row && (kind == GMMU_DRAM_RD || kind == GMMU_DRAM_WR)) {
    c.ap = true; /* unless another request is for the open row */
    for (int k = 0; k < 2; k++)
      for (int j = k ? s->golden.first : s->array.first; j >= 0; j = s->n[j].next)
        if (j != i && s->n[j].r.bank == x->r.bank && s->n[j].r.row == x->r.row) c.ap = false;
  }
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
    if (!s->n[i].waits && urgent(&s->n[i])) return i;
  return -1;
}

/* Golden: the oldest may use its column; per bank the oldest may open or close a row. Returns the
 * banks asked for. */
static uint32_t choose_golden(const struct gmmu_dram_sched *s, const struct gmmu_dram_ready *r,
                              uint32_t claimed, int *col, int *act, int *pre) {
  uint32_t seen = 0;
  bool head = true;
  for (int i = s->golden.first; i >= 0; i = s->n[i].next) {
    const struct node *x = &s->n[i];
    if (x->waits) continue;
    uint32_t bit = 1u << x->r.bank;
    enum gmmu_dram_cmd_kind k = asks(s, x, r);
    if (head && (k == GMMU_DRAM_RD || k == GMMU_DRAM_WR)) *col = i;
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
  int i = find_next(s);
  if (i >= 0) {
    enum gmmu_dram_cmd_kind k = asks(s, &s->n[i], r);
    if (k != GMMU_DRAM_NOP) return command(s, k, i, GMMU_DRAM_NEXT);
    claimed |= 1u << s->n[i].r.bank;
  }
  if (s->golden.first >= 0) {
    int col = -1, act = -1, pre = -1;
    uint32_t banks = choose_golden(s, r, claimed, &col, &act, &pre);
    if (col >= 0)
      return command(s, s->n[col].r.we ? GMMU_DRAM_WR : GMMU_DRAM_RD, col, GMMU_DRAM_GOLDEN);
    if (act >= 0) return command(s, GMMU_DRAM_ACT, act, GMMU_DRAM_GOLDEN);
    if (pre >= 0) return command(s, GMMU_DRAM_PRE, pre, GMMU_DRAM_GOLDEN);
    claimed |= banks;
  }
  for (int cls = GMMU_DRAM_SILVER; cls >= GMMU_DRAM_NORMAL; cls--) {
    uint32_t hits = s->has[cls][COL_RD] | s->has[cls][COL_WR];
    i = oldest(s, cls, COL_WR, r->wr, oldest(s, cls, COL_RD, r->rd, -1));
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

/* ---------------------------------------- effects */
/* Rows of a bank changed. */
static void refile(struct gmmu_dram_sched *s, uint32_t bank) {
  for (int cls = 0; cls < 2; cls++)
    for (int w = 0; w < WANTS; w++)
      for (int i = s->list[cls][bank][w].first, next; i >= 0; i = next) {
        next = s->n[i].lnext;
        set_want(s, i);
      }
  for (int i = s->golden.first; i >= 0; i = s->n[i].next)
    if (s->n[i].r.bank == bank) set_want(s, i);
}

static void remove_request(struct gmmu_dram_sched *s, int i) {
  struct node *x = &s->n[i];
  struct gmmu_dram_req r = x->r;
  if (in_array(x)) {
    unlink_bank(s, i);
    if (urgent(x)) s->urgent--;
  }
  take_out(s, i);
  s->count[x->home]--;
  s->unused[s->num_unused++] = i;
  (*bucket(s, &r))--;
  each_of_line(s, &r, left, &r);
}

void gmmu_dram_sched_given(struct gmmu_dram_sched *s, const struct gmmu_dram_cmd *c) {
  uint32_t bit = 1u << c->bank;
  switch (c->kind) {
    case GMMU_DRAM_ACT:
      s->open |= bit;
      s->row[c->bank] = c->row;
      refile(s, c->bank);
      break;
    case GMMU_DRAM_PRE:
      s->open &= ~bit;
      refile(s, c->bank);
      break;
    case GMMU_DRAM_RD:
    case GMMU_DRAM_WR:
      remove_request(s, c->node);
      if (c->ap) {
        s->open &= ~bit;
        refile(s, c->bank);
      }
      break;
    case GMMU_DRAM_PREA:
      s->open = 0;
      for (uint32_t b = 0; b < GMMU_DRAM_BANKS; b++) refile(s, b);
      break;
    default: break;
  }
}

bool gmmu_dram_sched_golden_room(const struct gmmu_dram_sched *s) {
  return s->count[GMMU_DRAM_GOLDEN] < s->c.golden;
}

int gmmu_dram_sched_data_room(const struct gmmu_dram_sched *s, bool turn) {
  if (!s->c.aware) return s->count[GMMU_DRAM_NORMAL] < s->c.silver + s->c.normal ? 1 : 0;
  if (turn) return s->count[GMMU_DRAM_SILVER] < s->c.silver ? 2 : 0;
  return s->count[GMMU_DRAM_NORMAL] < s->c.normal ? 1 : 0;
}

bool gmmu_dram_buffer_ready(const struct gmmu_dram_req *buffer, uint32_t n, int app, uint16_t of) {
  uint32_t same = 0;
  for (uint32_t i = 0; i < n; i++) same += (buffer[i].app == app) == (of == app);
  return n < GMMU_DRAM_BUFFER && same < GMMU_DRAM_BUFFER / 2;
}

int gmmu_dram_sched_next(const struct gmmu_dram_sched *s, const struct gmmu_dram_req *buffer,
                         uint32_t n, int app, int *home) {
  for (uint32_t i = 0; i < n; i++) {
    bool older = false;
    for (uint32_t k = 0; k < i; k++) older |= same_line(&buffer[k], &buffer[i]);
    *home = gmmu_dram_sched_data_room(s, buffer[i].app == app);
    if (*home && !older) return (int)i;
  }
  return -1;
}

bool gmmu_dram_sched_enter(struct gmmu_dram_sched *s, const struct gmmu_dram_req *r, bool silver) {
  struct conflict cf = {r, 0};
  each_of_line(s, r, count_conflict, &cf);
  if (cf.n > GMMU_DRAM_MAX_WAITS) return false;
  bool golden = r->golden && s->c.aware;
  if (cf.n && golden) each_of_line(s, r, inherit_needed, NULL);
  if (cf.n && silver) each_of_line(s, r, inherit_silver, NULL);
  int i = s->unused[--s->num_unused];
  struct node *x = &s->n[i];
  *x = (struct node){.r = *r,
                     .seq = s->seq++,
                     .waits = (uint8_t)cf.n,
                     .home = golden   ? GMMU_DRAM_GOLDEN
                             : silver ? GMMU_DRAM_SILVER
                                      : GMMU_DRAM_NORMAL};
  x->cls = golden ? 0 : x->home;
  x->want = (uint8_t)want_of(s, r);
  append(s, i);
  if (!golden && !x->waits) link_bank(s, i);
  s->count[x->home]++;
  (*bucket(s, r))++;
  return true;
}

void gmmu_dram_sched_age(struct gmmu_dram_sched *s) {
  for (int i = s->array.first; i >= 0; i = s->n[i].next) {
    struct node *x = &s->n[i];
    if (x->age >= GMMU_DRAM_OLD) continue;
    bool was = urgent(x);
    x->age++;
    if (!was && urgent(x)) s->urgent++;
  }
}

uint32_t gmmu_dram_sched_count(const struct gmmu_dram_sched *s, enum gmmu_dram_class home) {
  return s->count[home];
}
