/* SPDX-License-Identifier: Apache-2.0 */
#include "random/random_storm.h"

#include <stdio.h>
#include <string.h>

#include "policy/invalidate.h"

enum { ANY = 4, BOUND = 1 };

static uint64_t below(struct storm *s, uint64_t n) { return gmmu_rng_below(&s->rng, n); }

void storm_init(struct storm *s, struct rt *t, uint64_t seed) {
  memset(s, 0, sizeof *s);
  s->t = t;
  gmmu_rng_seed(&s->rng, seed ^ 0x73746f726d);
  s->by_asid = t->w->cfg->MarkByAsid != 0;
}

static void new_phase(struct storm *s, struct gmmu_pte_mem *m) {
  s->kind = (int)below(s, 6) - 1;
  s->page = below(s, 2) ? (int)below(s, (uint64_t)s->t->w->pages) : -1;
  m->latency = 1 + (uint32_t)below(s, 1000 >> below(s, 10));
  m->jitter = below(s, 2) ? (uint32_t)below(s, m->latency + 1ull) : 0;
  if (m->latency > s->slowest) s->slowest = m->latency;
  s->t->phase_end += 40ull * m->latency; /* long enough for walks to come and go */
  s->phase_end = s->t->phase_end;
}

/** A page that somebody waits for, if a few tries find one. */
static const struct rw_page *waited_for(struct storm *s) {
  const struct rw_world *w = s->t->w;
  const struct rw_page *p = &w->page[below(s, (uint64_t)w->pages)];

  for (int i = 0; i < 20 && !p->outstanding; i++) p = &w->page[below(s, (uint64_t)w->pages)];
  return p;
}

static struct gmmu_inv_cmd command(struct storm *s) {
  const struct rw_page *p = s->page >= 0 ? &s->t->w->page[s->page] : waited_for(s);
  const uint16_t foreign = (uint16_t)(p->asid | 1u << (s->t->w->cfg->AsidW - 1));
  struct gmmu_inv_cmd c = {.valid = true, .asid = p->asid};

  c.kind = (uint8_t)(s->kind == ANY ? (int)below(s, 4) : s->kind);
  c.lo_vfn = c.hi_vfn = (p->vfn & ~511ull) | below(s, 512); /* mostly of a page that nobody uses */
  /* one of sixteen for an ASID that has no context and differs in the highest bit: nothing goes */
  if (c.lo_vfn % 16 == 0 && foreign >= s->t->w->cfg->NumAsids) c.asid = foreign;
  return c;
}

void storm_before(struct storm *s, struct gmmu_pte_mem *m) {
  struct gmmu_inv_cmd c;

  if (!s->on) return;
  if (s->phase_end != s->t->phase_end) new_phase(s, m);
  s->t->sw->at_once = s->kind >= 0;
  if (s->kind < 0 || rt_idle(s->t) || !sw_may_command(s->t->sw)) return;
  c = command(s);
  sw_command(s->t->sw, &c);
}

/** A request waits from its allocation or merge until its answer is in the answer register. */
static int follow(struct storm *s, int sm, const struct gmmu_l1_event *ev, char *msg, size_t n) {
  struct rw_request *q = &s->t->sm[sm].tag[ev->tag % RT_MAX_TAGS];
  int bad = 0;

  if (ev->op == GMMU_L1_LOOKUP || ev->op == GMMU_L1_REPLAY) {
    q->waits = ev->outcome == GMMU_L1_MISS_ALLOC || ev->outcome == GMMU_L1_MISS_MERGE;
    q->commands = 0;
  } else if ((ev->op == GMMU_L1_ANSWER || ev->op == GMMU_L1_ANSWER_NEXT) && q->waits) {
    q->waits = false;
    s->answered++;
    s->hit += q->commands != 0;
    bad = q->commands > BOUND;
    if (bad)
      snprintf(msg, n,
               "SM %d tag %u, asid %d va 0x%llx: %u commands that match it were accepted while it "
               "waited for its "
               "answer; at most %d",
               sm, ev->tag, q->asid, (unsigned long long)q->va, q->commands, BOUND);
  }
  return bad;
}

/** What was allocated in the cycle in which a command is accepted is marked by it. */
static void count(struct storm *s, const struct gmmu_inv_cmd *c) {
  for (int i = 0; i < s->t->sms; i++)
    for (uint32_t k = 0; k < s->t->tags; k++) {
      struct rw_request *q = &s->t->sm[i].tag[k];
      if (q->waits && gmmu_inv_hits_miss(c, s->by_asid, q->asid, q->va >> 12 & ((1ull << 36) - 1)))
        q->commands++;
    }
}

int storm_events(struct storm *s, const struct gmmu_events *ev, const struct gmmu_pins *p,
                 char *msg, size_t n) {
  struct gmmu_inv_cmd c;
  int bad = 0;

  for (int i = 0; i < s->t->sms; i++)
    if (ev->l1[i].op) bad += follow(s, i, &ev->l1[i], msg, n);
  if (!p->inv.valid || !p->inv_ready) return bad;
  s->commands[p->inv.kind & 3]++;
  c = gmmu_inv_normal(&p->inv, (int)s->t->w->cfg->AsidW);
  count(s, &c);
  return bad;
}
