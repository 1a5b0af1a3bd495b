/* SPDX-License-Identifier: Apache-2.0 */
/* The loop of gmmu random --tables. */
#include "random/hostile_run.h"

#include <stdlib.h>
#include <string.h>

#include "random/hostile.h"
#include "run/progress.h"
#include "run/pte_mem.h"
#include "run/watch.h"
#include "scoreboard/scoreboard.h"

#define PATIENCE 20000 /* cycles in which nothing happens; the longest stall is 300 */

enum { MAX_TAGS = 1024 };

struct waiting {
  bool busy;
  struct gmmu_req q;
  uint64_t seq, since;
};

struct sm {
  struct gmmu_req req; /* presented */
  struct waiting tag[MAX_TAGS];
  uint32_t outstanding;
  uint64_t stall_until;
};

struct run {
  struct gmmu_random *r;
  struct hostile h;
  struct gmmu_rng rng;
  struct gmmu_env env[2]; /* the current one, and the one before for whoever looks a cycle back */
  int cur;
  struct gmmu_pins pins, before;
  struct gmmu_events ev;
  struct gmmu_pte_mem mem;
  struct gmmu_scoreboard *sb;
  struct sm sm[GMMU_MAX_SMS];
  uint32_t tags;
  unsigned rate, ready;      /* percent, of these tables */
  uint64_t todo;             /* requests of these tables that are not accepted yet */
  uint64_t outstanding;      /* accepted requests without an answer, all SMs */
  int stale[HT_ASIDS + 1];   /* ASIDs to invalidate before the next requests; -1: all */
  int stales, given, acked;  /* commands: wanted, accepted, acknowledged */
  uint64_t last_move, table; /* table: number of the present one, from 1 */
};

static uint64_t below(struct run *x, uint64_t n) { return gmmu_rng_below(&x->rng, n); }
static bool chance(struct run *x, unsigned percent) { return below(x, 100) < percent; }

/* ---------------------------------------- from one set of tables to the next */
static void want(struct run *x, int asid) {
  for (int i = 0; i < x->stales; i++)
    if (x->stale[i] == asid) return;
  x->stale[x->stales++] = asid;
}

static int next_table(struct run *x) {
  static const unsigned rates[] = {100, 100, 60, 20}, readies[] = {100, 100, 80, 30};
  static const uint32_t latencies[] = {1, 3, 20, 60}, jitters[] = {0, 4, 40};

  /* Contexts may share tables, windows change for all: an old ASID is stale, a new one is not. */
  x->stales = x->given = x->acked = 0;
  if (chance(x, 70) || x->table == 0) want(x, -1);
  else
    for (int i = 0; i < x->h.asids; i++) want(x, x->h.asid[i]);
  if (hostile_next(&x->h)) return -1;
  x->cur = !x->cur;
  x->env[x->cur] = x->h.env;
  x->mem.image = x->h.mem;
  x->mem.latency = latencies[below(x, 4)];
  x->mem.jitter = jitters[below(x, 3)];
  x->rate = rates[below(x, 4)];
  x->ready = readies[below(x, 4)];
  x->todo = 4 + below(x, 60);
  x->table++;
  return 0;
}

/* ---------------------------------------- requests */
static void drive(struct run *x, uint64_t now) {
  for (int i = 0; i < (int)x->r->cfg.NumSms; i++) {
    struct sm *s = &x->sm[i];
    if (!s->req.valid && x->todo && x->acked == x->stales && s->outstanding < x->tags &&
        chance(x, x->rate)) {
      uint32_t tag = (uint32_t)below(x, x->tags);
      while (s->tag[tag].busy) tag = (tag + 1) % x->tags;
      hostile_request(&x->h, &s->req);
      s->req.tag = (uint16_t)tag;
      s->req.valid = true;
      x->todo--;
    }
    x->pins.req[i] = s->req;
    if (below(x, 2000) == 0) s->stall_until = now + below(x, 300);
    x->pins.rsp_ready[i] = now >= s->stall_until && chance(x, x->ready);
  }
  x->pins.mem_req_ready = chance(x, x->ready);
  x->pins.inv.valid = x->given < x->stales;
  if (x->pins.inv.valid) {
    int asid = x->stale[x->given];
    x->pins.inv.kind = asid < 0 ? GMMU_INV_ALL : GMMU_INV_ASID;
    x->pins.inv.asid = (uint16_t)(asid < 0 ? 0 : asid);
  }
}

static void take_answer(struct run *x, int i, uint64_t now) {
  const struct gmmu_rsp *p = &x->pins.rsp[i];
  struct waiting *w = p->tag < x->tags ? &x->sm[i].tag[p->tag] : NULL;
  struct gmmu_answer a;
  char msg[400];

  x->last_move = now;
  if (!w || !w->busy) {
    snprintf(msg, sizeof msg, "SM %d: an answer with tag %u, which no request has", i, p->tag);
    gmmu_mismatch(&x->r->mism, now, "answer", 1, msg);
    return;
  }
  gmmu_translate(&x->h.env, x->h.mem, w->q.asid, w->q.va, w->q.access, w->q.user, &a);
  x->r->answers++;
  x->r->by_cause[p->cause & 15]++;
  x->r->faults += p->cause != GMMU_OK;
  x->r->large += p->large;
  gmmu_hist_add(&x->r->stats->latency, now - w->since);
  if (p->cause != a.cause || p->pa != a.pa ||
      (a.cause    ? p->large
       : p->large ? !a.may_be_2m
                  : !a.may_be_4k)) {
    snprintf(msg, sizeof msg,
             "tables %llu, SM %d tag %u asid %u va 0x%llx %s %s: expected %s pa 0x%llx, got %s pa "
             "0x%llx page %s",
             (unsigned long long)x->table, i, p->tag, w->q.asid, (unsigned long long)w->q.va,
             gmmu_access_name(w->q.access), w->q.user ? "user" : "supervisor",
             gmmu_cause_name(a.cause), (unsigned long long)a.pa, gmmu_cause_name(p->cause),
             (unsigned long long)p->pa, p->large ? "2m" : "4k");
    gmmu_mismatch(&x->r->mism, now, "answer", 1, msg);
  }
  w->busy = false;
  x->sm[i].outstanding--;
  x->outstanding--;
}

static void take_pins(struct run *x, uint64_t now) {
  const struct gmmu_pins *p = &x->pins;
  uint64_t bad = x->mem.protocol_errors;

  gmmu_pte_mem_step(&x->mem, now, p);
  if (x->mem.protocol_errors != bad)
    gmmu_mismatch(&x->r->mism, now, "walker", 1, "a misaligned read, or an id that is in use");
  for (int i = 0; i < (int)x->r->cfg.NumSms; i++) {
    struct sm *s = &x->sm[i];
    if (p->rsp[i].valid && p->rsp_ready[i]) take_answer(x, i, now);
    if (!s->req.valid || !p->req_ready[i]) continue;
    s->tag[s->req.tag] =
        (struct waiting){.busy = true, .q = s->req, .seq = x->r->requests++, .since = now};
    s->outstanding++;
    x->outstanding++;
    s->req.valid = false;
    x->last_move = now;
  }
  if (p->inv_done) {
    x->acked++;
    x->last_move = now;
  }
  if (p->inv.valid && p->inv_ready) {
    x->r->commands[p->inv.kind]++;
    x->given++;
    x->last_move = now;
  }
}

static void take_events(struct run *x, uint64_t cycle, const struct gmmu_pins *pins) {
  gmmu_random_events(x->r, x->sb, &x->ev, cycle, pins);
}

/* ---------------------------------------- the loop */
static int watchdog(struct run *x, uint64_t cycle, struct gmmu_err *err) {
  struct gmmu_watch_sm w[GMMU_MAX_SMS];

  if (cycle - x->last_move < PATIENCE) return 0;
  for (int i = 0; i < (int)x->r->cfg.NumSms; i++) {
    const struct sm *s = &x->sm[i];
    w[i] = gmmu_watch_begin(i, s->outstanding, s->req.valid);
    for (uint32_t t = 0; t < x->tags; t++) {
      const struct waiting *q = &s->tag[t];
      if (q->busy) gmmu_watch_waits(&w[i], q->seq, q->since, q->q.asid, q->q.va, (uint16_t)t);
    }
  }
  gmmu_watch_print(stderr, cycle, cycle - x->last_move, w, (int)x->r->cfg.NumSms, x->r->stats,
                   &x->mem);
  if (x->acked < x->stales)
    fprintf(stderr, "  invalidation %d of %d before tables %llu is not %s\n",
            (x->acked < x->given ? x->acked : x->given) + 1, x->stales,
            (unsigned long long)x->table, x->acked < x->given ? "acknowledged" : "accepted");
  return gmmu_fail(
      err, "tables %llu: nothing for %llu cycles (cycle %llu, seed %llu); again, with waves: %s",
      (unsigned long long)x->table, (unsigned long long)(cycle - x->last_move),
      (unsigned long long)cycle, (unsigned long long)x->r->seed, x->r->rerun ? x->r->rerun : "-");
}

static bool at_rest(const struct run *x) {
  bool presented = false;

  for (int i = 0; i < (int)x->r->cfg.NumSms; i++) presented |= x->sm[i].req.valid;
  return !x->todo && !presented && !x->outstanding && x->acked == x->stales;
}

static int loop(struct run *x, struct gmmu_err *err) {
  struct gmmu_random *r = x->r;
  struct gmmu_progress bar;
  double start = gmmu_now();
  uint64_t cycle;
  bool fresh = true;
  int ret = 0;

  gmmu_progress_start(&bar);
  for (cycle = 0; !ret; cycle++) {
    /* A walk for nobody may still be under way: no read of it crosses into the next tables, the
     * next one is marked by the invalidation. */
    if (at_rest(x) && x->mem.n == 0) {
      if (x->table == r->tables) break;
      if (next_table(x)) ret = gmmu_fail(err, "out of memory");
      fresh = true;
      x->last_move = cycle;
      if (ret) break;
    }
    x->pins.env = &x->env[x->cur];
    x->pins.env_changed = fresh;
    fresh = false;
    drive(x, cycle);
    gmmu_pte_mem_drive(&x->mem, cycle, &x->pins);
    x->pins.noise = gmmu_random_noise(r, cycle);
    r->dut.eval(r->dut.h, &x->pins);
    take_pins(x, cycle);
    r->dut.clock(r->dut.h, &x->pins, &x->ev);
    if (r->lag == 0) take_events(x, cycle, &x->pins);
    else if (cycle) take_events(x, cycle - 1, &x->before);
    x->before = x->pins;
    ret = watchdog(x, cycle, err);
    if (cycle % 4096 == 0) gmmu_progress_show(&bar, x->table, r->tables, cycle);
    if (r->mism.n > 1000) ret = gmmu_fail(err, "more than 1000 mismatches: given up");
  }
  gmmu_progress_end(&bar);
  r->cycles = cycle;
  r->seconds = gmmu_now() - start;
  return ret;
}

int gmmu_hostile_run(struct gmmu_random *r, struct gmmu_err *err) {
  struct run *x = calloc(1, sizeof *x);
  int ret = -1;

  r->stats = calloc(1, sizeof *r->stats);
  r->mism = (struct gmmu_mismatches){.seed = r->seed, .rerun = r->rerun};
  if (!x || !r->stats) {
    free(x);
    return gmmu_fail(err, "out of memory");
  }
  x->r = r;
  gmmu_rng_seed(&x->rng, r->seed ^ 0x7461626c6573);
  x->tags = r->cfg.TagW < 10 ? 1u << r->cfg.TagW : MAX_TAGS;
  hostile_init(&x->h, &r->cfg, r->seed);
  x->env[0] = x->env[1] = x->h.env; /* every context is off */
  x->pins.env = &x->env[0];
  x->pins.env_changed = true;
  gmmu_pte_mem_init(&x->mem, NULL, 20, 20, r->seed);
  x->mem.lines = r->cfg.LineAnswers != 0;
  if (r->policy && !(x->sb = gmmu_scoreboard_new(&r->cfg, x->pins.env))) {
    gmmu_fail(err, "out of memory");
    goto out;
  }
  r->dut.reset(r->dut.h, &x->pins);
  ret = loop(x, err);
  r->reads = x->mem.reads;
  r->policy_compared = x->sb ? gmmu_scoreboard_comparisons(x->sb) : 0;
out:
  if (x->sb) gmmu_scoreboard_free(x->sb);
  hostile_free(&x->h);
  free(x);
  return ret;
}
