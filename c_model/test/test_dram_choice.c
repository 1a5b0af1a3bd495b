/* SPDX-License-Identifier: Apache-2.0 */
/** test_dram_choice.c - DRAM scheduler: random requests and random banks that are ready, each
 * choice against docs/dram_sched.md read word by word: one plain list, searched from end to end. */
#include <string.h>

#include "dram_rig.h"

enum { BANKS = GMMU_DRAM_BANKS, MOST = 64, STEPS = 3000, SEEDS = 24 };

struct item {
  struct gmmu_dram_req r;
  bool gold, silver; /* in the golden queue; class of the array */
  bool home_silver, needed, taken;
  uint32_t waits, age;
};
struct plain {
  struct gmmu_dram_sched_cfg c;
  struct item q[MOST]; /* by age, oldest first */
  int n;
  bool open[BANKS];
  uint32_t row[BANKS];
  bool looked;
  uint32_t kept; /* payload of next as it was, or 0 */
};

static bool asks(const struct item *x) { return !x->waits && !x->taken; }
static bool hit(const struct plain *p, const struct item *x) {
  return p->open[x->r.bank] && p->row[x->r.bank] == x->r.row;
}
static bool same_line(const struct item *x, const struct gmmu_dram_req *r) {
  return x->r.bank == r->bank && x->r.row == r->row && x->r.col == r->col;
}
static enum gmmu_dram_class class_of(const struct item *x) {
  return x->gold ? GMMU_DRAM_GOLDEN : x->silver ? GMMU_DRAM_SILVER : GMMU_DRAM_NORMAL;
}

/* ---------------------------------------- the page's rules */

static int next_now(const struct plain *p) {
  for (int i = 0; i < p->n; i++)
    if (!p->q[i].gold && asks(&p->q[i]) && (p->q[i].needed || p->q[i].age >= 5)) return i;
  return -1;
}
static int next_of(const struct plain *p) {
  if (!p->looked) return next_now(p);
  for (int i = 0; i < p->n; i++)
    if (p->kept && p->q[i].r.payload == p->kept && !p->q[i].taken) return i;
  return -1;
}
static int oldest_translation(const struct plain *p) {
  for (int i = 0; i < p->n; i++)
    if (p->q[i].gold && asks(&p->q[i])) return i;
  return -1;
}
/* A lower class gives no column where next, or the oldest translation, asks for another row. */
static bool shut(const struct plain *p, uint32_t bank) {
  int who[2] = {next_of(p), oldest_translation(p)};
  for (int k = 0; k < 2; k++)
    if (who[k] >= 0 && p->q[who[k]].r.bank == bank && !hit(p, &p->q[who[k]])) return true;
  return false;
}

enum kinds { COLUMN, OPEN, CLOSE };
/* May request i, as one of this class, ask for this kind of command? */
static bool may(const struct plain *p, int i, enum gmmu_dram_class cls, enum kinds kind,
                const struct gmmu_dram_ready *r) {
  const struct item *x = &p->q[i];
  uint32_t b = x->r.bank;
  int next = next_of(p);
  if (cls == GMMU_DRAM_NEXT) {
    if (i != next) return false;
  } else if (class_of(x) != cls || !asks(x)) {
    return false;
  }
  if (kind == COLUMN) {
    if (!hit(p, x) || !((x->r.we ? r->wr : r->rd) >> b & 1)) return false;
    if (cls == GMMU_DRAM_NEXT) return true;
    return !shut(p, b) && (cls != GMMU_DRAM_GOLDEN || i == oldest_translation(p));
  }
  if (hit(p, x) || p->open[b] != (kind == CLOSE) || !((kind == OPEN ? r->act : r->pre) >> b & 1))
    return false;
  if (cls == GMMU_DRAM_NEXT) return true;
  if (next >= 0 && p->q[next].r.bank == b) return false;
  for (int k = 0; k < p->n; k++) {
    const struct item *y = &p->q[k];
    if (k == i || !asks(y) || y->r.bank != b) continue;
    if (class_of(y) > cls) return false;                           /* of a higher class */
    if (cls == GMMU_DRAM_GOLDEN && y->gold && k < i) return false; /* an older translation */
    if (cls == GMMU_DRAM_GOLDEN || kind == OPEN || !hit(p, y)) continue;
    if (class_of(y) == cls || (p->c.keep_rows && class_of(y) == GMMU_DRAM_NORMAL)) return false;
  }
  return true;
}

struct choice {
  int i; /* -1: nothing */
  enum gmmu_dram_class cls;
  enum gmmu_dram_cmd_kind kind;
};
static struct choice choose(const struct plain *p, const struct gmmu_dram_ready *r) {
  for (int cls = GMMU_DRAM_NEXT; cls >= GMMU_DRAM_NORMAL; cls--)
    for (int kind = COLUMN; kind <= CLOSE; kind++)
      for (int i = 0; i < p->n; i++)
        if (may(p, i, (enum gmmu_dram_class)cls, (enum kinds)kind, r))
          return (struct choice){i, (enum gmmu_dram_class)cls,
                                 kind == OPEN    ? GMMU_DRAM_ACT
                                 : kind == CLOSE ? GMMU_DRAM_PRE
                                 : p->q[i].r.we  ? GMMU_DRAM_WR
                                                 : GMMU_DRAM_RD};
  return (struct choice){-1, GMMU_DRAM_NORMAL, GMMU_DRAM_NOP};
}
static struct choice choose_also(const struct plain *p, const struct gmmu_dram_ready *r,
                                 struct choice first) {
  struct gmmu_dram_ready other = *r;
  struct choice none = {-1, GMMU_DRAM_NORMAL, GMMU_DRAM_NOP};
  if (first.i < 0) return none;
  if (gmmu_dram_is_column(first.kind)) other.rd = other.wr = 0;
  else other.act = other.pre = 0;
  struct choice c = choose(p, &other);
  return c.i >= 0 && p->q[c.i].r.bank == p->q[first.i].r.bank ? none : c;
}
static struct choice choose_second(const struct plain *p, const struct gmmu_dram_ready *r,
                                   struct choice first) {
  struct choice none = {-1, GMMU_DRAM_NORMAL, GMMU_DRAM_NOP};
  if (!gmmu_dram_is_column(first.kind) || first.cls > GMMU_DRAM_SILVER) return none;
  for (int i = 0; i < p->n; i++) {
    if (i == first.i || !may(p, i, first.cls, COLUMN, r)) continue;
    if (p->q[i].r.we != p->q[first.i].r.we) return none;
    return (struct choice){i, first.cls, first.kind};
  }
  return none;
}
/* Auto-precharge: nobody else in the queues is for the row. */
static bool closes(const struct plain *p, struct choice c, int before) {
  if (!p->c.closed_row || !gmmu_dram_is_column(c.kind)) return false;
  for (int i = 0; i < p->n; i++)
    if (i != c.i && i != before && p->q[i].r.bank == p->q[c.i].r.bank &&
        p->q[i].r.row == p->q[c.i].r.row)
      return false;
  return true;
}

/* ---------------------------------------- what changes the list */

static uint32_t conflicts(const struct plain *p, const struct gmmu_dram_req *r) {
  uint32_t n = 0;
  for (int i = 0; i < p->n; i++) n += same_line(&p->q[i], r) && (p->q[i].r.we || r->we);
  return n;
}
static void enter(struct plain *p, const struct gmmu_dram_req *r, bool silver) {
  bool gold = r->golden && p->c.aware;
  uint32_t waits = conflicts(p, r);
  for (int i = 0; i < p->n && waits; i++) {
    if (!same_line(&p->q[i], r) || p->q[i].gold) continue;
    if (gold) p->q[i].needed = true;
    if (silver) p->q[i].silver = true;
  }
  p->q[p->n++] =
      (struct item){.r = *r, .gold = gold, .silver = silver, .home_silver = silver, .waits = waits};
}
static int position(const struct plain *p, uint32_t payload) {
  for (int i = 0; i < p->n; i++)
    if (p->q[i].r.payload == payload) return i;
  fail_msg("request %u is gone", payload);
  return -1;
}
static void leave(struct plain *p, int i) {
  struct gmmu_dram_req r = p->q[i].r;
  memmove(&p->q[i], &p->q[i + 1], (size_t)(--p->n - i) * sizeof p->q[0]);
  for (int k = i; k < p->n; k++) /* the younger ones to its line */
    if (same_line(&p->q[k], &r) && (p->q[k].r.we || r.we)) p->q[k].waits--;
}
static void given(struct plain *p, const struct gmmu_dram_cmd *c) {
  if (c->kind == GMMU_DRAM_ACT) p->open[c->bank] = true, p->row[c->bank] = c->row;
  if (c->kind == GMMU_DRAM_PRE || (gmmu_dram_is_column(c->kind) && c->ap)) p->open[c->bank] = false;
  if (c->kind == GMMU_DRAM_PREA) memset(p->open, 0, sizeof p->open);
  if (gmmu_dram_is_column(c->kind)) leave(p, position(p, c->payload));
}

/* ---------------------------------------- both */

static uint64_t now_seed, now_step;
static void same(const struct plain *p, struct gmmu_dram_cmd c, struct choice want,
                 const char *what, int before) {
  const struct item *x = want.i < 0 ? NULL : &p->q[want.i];
  bool right = c.kind == want.kind;
  if (right && x)
    right = c.bank == x->r.bank && c.row == x->r.row && c.col == x->r.col &&
            c.payload == x->r.payload && c.cls == want.cls && c.golden == x->r.golden &&
            c.from_golden == x->gold && c.ap == closes(p, want, before);
  if (!right)
    fail_msg("seed %d step %d, %s: kind %d class %d request %u; by the page kind %d class %d %u",
             (int)now_seed, (int)now_step, what, (int)c.kind, (int)c.cls, c.payload, (int)want.kind,
             (int)want.cls, x ? x->r.payload : 0);
}

struct both {
  struct plain p;
  struct gmmu_dram_sched *s;
  struct gmmu_rng rng;
  uint32_t banks, rows, cols, goldens, id, seen[4], kinds[4][5], second, also, aps;
  struct gmmu_dram_cmd stands[4]; /* columns that were taken */
  int n;
};
static uint32_t below(struct both *x, uint32_t n) { return (uint32_t)gmmu_rng_below(&x->rng, n); }

static void some_request(struct both *x) {
  struct plain *p = &x->p;
  struct gmmu_dram_req r = req(below(x, x->banks), below(x, x->rows), below(x, x->cols),
                               below(x, 3) == 0, below(x, 100) < x->goldens, ++x->id);
  int room = gmmu_dram_sched_data_room(x->s, below(x, 2));
  uint32_t held[3] = {0};
  for (int i = 0; i < p->n; i++) held[p->q[i].gold ? 2 : p->q[i].home_silver]++;
  assert_int_equal(gmmu_dram_sched_golden_room(x->s), held[2] < p->c.golden);
  assert_int_equal(gmmu_dram_sched_conflicts(x->s, &r), conflicts(p, &r));
  if (r.golden && p->c.aware ? held[2] == p->c.golden : !room) return;
  bool takes = conflicts(p, &r) <= 15, silver = (!r.golden || !p->c.aware) && room == 2;
  assert_int_equal(gmmu_dram_sched_enter(x->s, &r, silver), takes);
  if (takes) enter(p, &r, silver);
}

static void give_one(struct both *x) {
  struct gmmu_dram_cmd c = x->stands[0];
  memmove(x->stands, x->stands + 1, (size_t)--x->n * sizeof c);
  gmmu_dram_sched_given(x->s, &c);
  given(&x->p, &c);
}

/* The command goes, or its request is taken and it goes later; always taken where next is looked
 * at beforehand. */
static void goes(struct both *x, struct gmmu_dram_cmd c) {
  bool later = x->n < 4 && below(x, 2);
  if (gmmu_dram_is_column(c.kind) && (later || x->p.looked)) {
    gmmu_dram_sched_take(x->s, &c);
    x->p.q[position(&x->p, c.payload)].taken = true;
    if (later) x->stands[x->n++] = c;
    if (later) return;
  }
  gmmu_dram_sched_given(x->s, &c);
  given(&x->p, &c);
}

static void choices(struct both *x) {
  struct plain *p = &x->p;
  struct gmmu_dram_ready r = {.act = below(x, 256) | below(x, 256),
                              .pre = below(x, 256),
                              .rd = below(x, 256) & (below(x, 4) ? ~0u : 0),
                              .wr = below(x, 256) & (below(x, 4) ? ~0u : 0)};
  struct choice one = choose(p, &r), two = choose_also(p, &r, one),
                next = choose_second(p, &r, one);
  struct gmmu_dram_cmd c = gmmu_dram_sched_choose(x->s, &r);
  same(p, c, one, "first", -1);
  struct gmmu_dram_cmd d = gmmu_dram_sched_also(x->s, &r, &c),
                       e = gmmu_dram_sched_second(x->s, &r, &c);
  same(p, d, two, "beside it", -1);
  same(p, e, next, "second column", -1);
  if (next.i >= 0) {
    assert_int_equal(gmmu_dram_sched_closes(x->s, &e, &c), closes(p, next, one.i));
    x->second++;
  }
  x->also += two.i >= 0;
  if (one.i >= 0) x->kinds[one.cls][one.kind]++;
  x->aps += c.ap;
  if (one.i < 0 || below(x, 8) == 0) return;
  bool both = two.i >= 0 && below(x, 2);
  if (next.i >= 0 && below(x, 2)) {
    c.ap = false;
    e.ap = gmmu_dram_sched_closes(x->s, &e, &c);
    goes(x, c);
    goes(x, e);
  } else {
    goes(x, c);
    if (both) goes(x, d);
  }
}

static void one_run(struct both *x, uint64_t seed) {
  struct plain *p = &x->p;
  now_seed = seed;
  memset(p, 0, sizeof *p);
  x->rng = (struct gmmu_rng){seed};
  p->c = (struct gmmu_dram_sched_cfg){.golden = 1 + below(x, 16),
                                      .silver = 1 + below(x, 16),
                                      .normal = 1 + below(x, 24),
                                      .aware = seed % 8 != 0,
                                      .closed_row = seed & 1,
                                      .keep_rows = seed >> 1 & 1};
  x->banks = 1 + below(x, BANKS);
  x->rows = 1 + below(x, 3);
  x->cols = 1 + below(x, 6);
  x->goldens = below(x, 3) * 20;
  x->n = 0;
  x->s = gmmu_dram_sched_new(&p->c);
  assert_non_null(x->s);
  for (now_step = 0; now_step < STEPS; now_step++) {
    if (below(x, 3)) some_request(x);
    if (x->n && below(x, 2)) give_one(x);
    if (below(x, 40) == 0) {
      gmmu_dram_sched_age(x->s);
      for (int i = 0; i < p->n; i++) p->q[i].age += !p->q[i].gold;
    }
    if (below(x, 200) == 0 && !x->n) {
      struct gmmu_dram_cmd all = {.kind = GMMU_DRAM_PREA};
      gmmu_dram_sched_given(x->s, &all);
      given(p, &all);
    }
    if (seed % 3 == 0 && below(x, 2)) {
      gmmu_dram_sched_look(x->s);
      p->looked = true;
      p->kept = next_now(p) < 0 ? 0 : p->q[next_now(p)].r.payload;
    }
    choices(x);
  }
  gmmu_dram_sched_free(x->s);
}

static void against_the_page(void **state) {
  static struct both x;
  (void)state;
  for (uint64_t seed = 1; seed <= SEEDS; seed++) one_run(&x, seed);
  for (int cls = GMMU_DRAM_NORMAL; cls <= GMMU_DRAM_NEXT; cls++) /* each was there often */
    for (int kind = GMMU_DRAM_ACT; kind <= GMMU_DRAM_WR; kind++)
      if (x.kinds[cls][kind] < 20) fail_msg("class %d kind %d: %u", cls, kind, x.kinds[cls][kind]);
  assert_true(x.second > 100 && x.also > 100 && x.aps > 100);
}

int main(void) {
  const struct CMUnitTest t[] = {cmocka_unit_test(against_the_page)};
  return cmocka_run_group_tests(t, NULL, NULL);
}
