/* SPDX-License-Identifier: Apache-2.0 */
/* dram_sched.c - see dram_sched.h. Lists per class and bank keep a choice independent of the number
 * of requests. */
#include "policy/dram_sched_int.h"

#include <stdlib.h>
#include <string.h>

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
  s->idle = (1u << GMMU_DRAM_BANKS) - 1;
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

static enum want want_of(const struct gmmu_dram_sched *s, const struct gmmu_dram_req *r) {
  if (!(s->open >> r->bank & 1) || s->row[r->bank] != r->row) return ROW;
  return r->we ? COL_WR : COL_RD;
}

static void set_want(struct gmmu_dram_sched *s, int i) {
  struct node *x = &s->n[i];
  enum want w = want_of(s, &x->r);
  if (w == x->want) return;
  bool listed = in_array(x) && !x->waits && !x->taken;
  if (listed) unlink_bank(s, i);
  x->want = (uint8_t)w;
  if (listed) link_bank(s, i);
}

static void set_class(struct gmmu_dram_sched *s, int i, int cls) {
  struct node *x = &s->n[i];
  if (x->cls >= cls) return;
  bool listed = !x->waits && !x->taken;
  if (listed) unlink_bank(s, i);
  x->cls = (uint8_t)cls;
  if (listed) link_bank(s, i);
}

/* ---------------------------------------- lines */
static uint16_t *bucket(struct gmmu_dram_sched *s, const struct gmmu_dram_req *r) {
  uint64_t h = (r->row << 16 | (uint64_t)r->col << 3 | r->bank) * 0x9e3779b97f4a7c15ull;
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
    if (!x->taken) unlink_bank(s, i);
    if (urgent(x)) s->urgent--;
  }
  take_out(s, i);
  s->count[x->home]--;
  if (!--s->of_bank[r.bank]) s->idle |= 1u << r.bank;
  s->unused[s->num_unused++] = i;
  (*bucket(s, &r))--;
  each_of_line(s, &r, left, &r);
}

void gmmu_dram_sched_take(struct gmmu_dram_sched *s, const struct gmmu_dram_cmd *c) {
  struct node *x = &s->n[c->node];
  if (in_array(x)) unlink_bank(s, c->node);
  x->taken = true;
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

void gmmu_dram_sched_coming(struct gmmu_dram_sched *s, enum gmmu_dram_class home, int more) {
  s->coming[home] += (uint32_t)more;
}

static uint32_t held(const struct gmmu_dram_sched *s, enum gmmu_dram_class home) {
  return s->count[home] + s->coming[home];
}

bool gmmu_dram_sched_golden_room(const struct gmmu_dram_sched *s) {
  return held(s, GMMU_DRAM_GOLDEN) < s->c.golden;
}

int gmmu_dram_sched_data_room(const struct gmmu_dram_sched *s, bool turn) {
  if (!s->c.aware) return held(s, GMMU_DRAM_NORMAL) < s->c.silver + s->c.normal ? 1 : 0;
  if (turn) return held(s, GMMU_DRAM_SILVER) < s->c.silver ? 2 : 0;
  return held(s, GMMU_DRAM_NORMAL) < s->c.normal ? 1 : 0;
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

uint32_t gmmu_dram_sched_idle(const struct gmmu_dram_sched *s) { return s->idle; }

uint32_t gmmu_dram_sched_conflicts(struct gmmu_dram_sched *s, const struct gmmu_dram_req *r) {
  struct conflict cf = {r, 0};
  each_of_line(s, r, count_conflict, &cf);
  return cf.n;
}

bool gmmu_dram_sched_enter(struct gmmu_dram_sched *s, const struct gmmu_dram_req *r, bool silver) {
  const struct conflict cf = {r, gmmu_dram_sched_conflicts(s, r)};
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
  s->of_bank[r->bank]++;
  s->idle &= ~(1u << r->bank);
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
  return held(s, home);
}
