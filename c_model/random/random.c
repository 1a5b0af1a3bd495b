/* SPDX-License-Identifier: Apache-2.0 */
/* The loop of the random bench. */
#include "random/random.h"

#include <stdlib.h>
#include <string.h>

#include "scoreboard/scoreboard.h"
#include "run/progress.h"
#include "random/random_storm.h"

#define PATIENCE \
  60000 /* cycles without any answer; longest legal silence: stalls plus a full walk queue */

struct loop {
  struct gmmu_random *r;
  struct rw_world w;
  struct sw sw;
  struct rt t;
  struct storm storm;
  struct gmmu_pte_mem mem;
  struct gmmu_pins pins, before;
  struct gmmu_events ev;
  struct gmmu_scoreboard *sb;
  uint64_t begin, end; /* this life: first cycle; cycle of the reset that ends it, 0: none */
  uint64_t last_move;
};

static void mismatch(struct loop *l, uint64_t cycle, const char *block, const char *msg) {
  gmmu_mismatch(&l->r->mism, cycle, block, 1, msg);
}

static void take_answer(struct loop *l, int sm, uint64_t cycle) {
  const struct gmmu_rsp *rsp = &l->pins.rsp[sm];
  struct rw_request *q = rt_find(&l->t, sm, rsp->tag);
  char msg[1024], what[600];
  int ok;

  if (!q || q->accepted == cycle) {
    snprintf(msg, sizeof msg, "SM %d: an answer with tag %u, which no request has", sm, rsp->tag);
    mismatch(l, cycle, "answer", msg);
    return;
  }
  l->r->answers++;
  l->r->by_cause[rsp->cause & 15]++;
  l->r->faults += rsp->cause != GMMU_OK;
  l->r->large += rsp->large;
  ok = rw_answered(&l->w, q, rsp, cycle, what, sizeof what);
  l->r->old += ok == 2;
  if (!ok) {
    snprintf(msg, sizeof msg, "SM %d tag %u: %s", sm, rsp->tag, what);
    mismatch(l, cycle, "answer", msg);
  }
  gmmu_hist_add(&l->r->stats->latency, cycle - q->accepted);
  rt_release(&l->t, sm, q);
  l->last_move = cycle;
}

static void take_memory(struct loop *l, uint64_t cycle) {
  uint64_t bad = l->mem.protocol_errors, pfn = l->pins.mem_req.addr >> 12;
  char msg[128];

  if (l->pins.mem_rsp.valid && l->mem.last.err) {
    rw_read_error(&l->w, l->mem.last.addr, cycle);
    l->r->read_errors++;
  }
  if (gmmu_pte_mem_step(&l->mem, cycle, &l->pins)) {
    if ((pfn >= l->w.walk_lo[0] && pfn <= l->w.walk_hi[0]) || l->w.cfg->NumWindows == 1 ||
        (pfn >= l->w.walk_lo[1] && pfn <= l->w.walk_hi[1] && l->w.cfg->NumWindows >= 4))
      return;
    snprintf(msg, sizeof msg, "read of 0x%llx, which no window for walks ever held",
             (unsigned long long)l->pins.mem_req.addr);
    mismatch(l, cycle, "walker", msg);
  } else if (l->mem.protocol_errors != bad) {
    snprintf(msg, sizeof msg,
             "read of 0x%llx with id %u: misaligned, or the id has a read outstanding",
             (unsigned long long)l->pins.mem_req.addr, l->pins.mem_req.id);
    mismatch(l, cycle, "walker", msg);
  }
}

static void take_pins(struct loop *l, uint64_t cycle) {
  take_memory(l, cycle);
  rt_accept(&l->t, &l->pins, cycle);
  for (int i = 0; i < l->t.sms; i++)
    if (l->pins.rsp[i].valid && l->pins.rsp_ready[i]) take_answer(l, i, cycle);
  if (sw_after(&l->sw, &l->pins,
               cycle)) /* after the answers: this cycle's are not "after the acknowledgement" */
    mismatch(l, cycle, "invalidate", "an acknowledgement without a command");
}

uint64_t gmmu_random_noise(const struct gmmu_random *r, uint64_t cycle) {
  struct gmmu_rng rng;

  gmmu_rng_seed(&rng, r->seed ^ cycle << 20);
  return gmmu_rng_below(&rng, 8) ? 0 : gmmu_rng_next(&rng) | 1;
}

void gmmu_random_events(struct gmmu_random *r, struct gmmu_scoreboard *sb,
                        const struct gmmu_events *ev, uint64_t cycle,
                        const struct gmmu_pins *pins) {
  char msg[512] = "";
  int bad;

  gmmu_stats_step(r->stats, ev, (int)r->cfg.NumSms);
  if (!sb) return;
  bad = gmmu_scoreboard_step(sb, cycle, ev, pins, msg, sizeof msg);
  if (bad) gmmu_mismatch(&r->mism, cycle, "policy", (uint64_t)bad, msg);
}

static void take_events(struct loop *l, uint64_t cycle, const struct gmmu_pins *pins) {
  char msg[512] = "";

  if (l->storm.on) {
    int bad = storm_events(&l->storm, &l->ev, pins, msg, sizeof msg);
    if (bad) gmmu_mismatch(&l->r->mism, cycle, "progress", (uint64_t)bad, msg);
  }
  gmmu_random_events(l->r, l->sb, &l->ev, cycle, pins);
}

static int watchdog(struct loop *l, uint64_t cycle, struct gmmu_err *err) {
  struct gmmu_watch_sm sm[GMMU_MAX_SMS];

  if (cycle - l->last_move < PATIENCE) return 0;
  if (l->t.requests < l->t.ops && l->t.rate < 20 && cycle - l->last_move < 2 * PATIENCE) return 0;
  for (int i = 0; i < l->t.sms; i++) sm[i] = rt_watch(&l->t, i);
  gmmu_watch_print(stderr, cycle, cycle - l->last_move, sm, l->t.sms, l->r->stats, &l->mem);
  if (l->sw.acknowledged != l->sw.accepted)
    fprintf(stderr, "  an invalidation accepted in cycle %llu is not acknowledged\n",
            (unsigned long long)l->sw.queue[l->sw.acknowledged % SW_QUEUE].accepted);
  return gmmu_fail(err, "no answer for %llu cycles (cycle %llu, seed %llu); again, with waves: %s",
                   (unsigned long long)(cycle - l->last_move), (unsigned long long)cycle,
                   (unsigned long long)l->r->seed, l->r->rerun ? l->r->rerun : "-");
}

static bool finished(struct loop *l, uint64_t cycle) {
  if (l->end) return cycle == l->end;
  l->sw.stop = l->t.requests >= l->t.ops;
  return rt_idle(&l->t) && sw_idle(&l->sw);
}

static int run(struct loop *l, struct gmmu_err *err) {
  struct gmmu_random *r = l->r;
  struct gmmu_progress bar;
  double start = gmmu_now();
  uint64_t cycle = l->begin;
  int ret = 0;

  gmmu_progress_start(&bar);
  for (; !finished(l, cycle) && !ret; cycle++) {
    if (cycle > l->begin) sw_before(&l->sw, cycle);
    l->pins.env = rw_env(&l->w);
    l->pins.env_changed = l->w.env_changed || cycle == l->begin;
    rt_drive(&l->t, &l->pins, &l->mem, cycle);
    storm_before(&l->storm, &l->mem);
    sw_drive(&l->sw, &l->pins, cycle);
    gmmu_pte_mem_drive(&l->mem, cycle, &l->pins);
    l->pins.noise = gmmu_random_noise(r, cycle);
    if (l->mem.wrote) rw_pte_updated(&l->w, l->mem.last.addr, cycle);
    r->dut.eval(r->dut.h, &l->pins);
    take_pins(l, cycle);
    r->dut.clock(r->dut.h, &l->pins, &l->ev);
    if (r->lag == 0) take_events(l, cycle, &l->pins);
    else if (cycle > l->begin) take_events(l, cycle - 1, &l->before);
    l->before = l->pins;
    ret = watchdog(l, cycle, err);
    if (l->sw.acknowledged == l->sw.queued && l->t.requests >= l->t.ops && rt_idle(&l->t))
      l->last_move = cycle; /* only pauses of software are left */
    if (cycle % 4096 == 0) gmmu_progress_show(&bar, r->answers, r->ops, cycle);
    if (r->mism.n > 1000) ret = gmmu_fail(err, "more than 1000 mismatches: given up");
  }
  if (r->lag && cycle > l->begin) { /* the last cycle's events */
    l->pins.mem_rsp.valid = l->pins.inv.valid = false;
    r->dut.eval(r->dut.h, &l->pins);
    r->dut.clock(r->dut.h, &l->pins, &l->ev);
    take_events(l, cycle - 1, &l->before);
  }
  gmmu_progress_end(&bar);
  r->cycles = cycle;
  r->seconds += gmmu_now() - start;
  return ret;
}

/** Adds what a life counted. */
static void collect(struct loop *l) {
  struct gmmu_random *r = l->r;

  r->requests += l->t.requests;
  r->reads += l->mem.reads;
  r->pte_updates += l->mem.updated;
  r->pte_late += l->mem.updates - l->mem.updated;
  r->pte_writes += l->w.writes;
  r->killed += l->w.killed;
  for (int i = 0; i < (int)(sizeof l->sw.count / sizeof *l->sw.count); i++)
    r->sw[i] += l->sw.count[i];
  for (int i = 0; i < 3; i++) r->commands[i] += l->sw.commands[i];
  for (int i = 0; i < 4; i++) r->storm_commands[i] += l->storm.commands[i];
  r->waited += l->storm.answered;
  r->waited_hit += l->storm.hit;
  if (l->storm.slowest > r->slowest) r->slowest = l->storm.slowest;
  r->policy_compared += l->sb ? gmmu_scoreboard_comparisons(l->sb) : 0;
}

/** From a reset to the end, or to cycle l->end, whatever is under way then: everything around the
 * device is new too, so that what the reset leaves of the life before it shows as a mismatch. */
static int live(struct loop *l, uint64_t seed, uint64_t ops, struct gmmu_err *err) {
  struct gmmu_random *r = l->r;
  int ret = -1;

  if (rw_world_init(&l->w, &r->cfg, seed, err)) goto out;
  sw_init(&l->sw, &l->w);
  rt_init(&l->t, &l->w, &l->sw, ops, seed);
  storm_init(&l->storm, &l->t, seed);
  l->storm.on = r->storm;
  gmmu_pte_mem_init(&l->mem, l->w.mem, 20, 20, seed);
  l->mem.lines = r->cfg.LineAnswers != 0;
  if (r->cfg.Svadu) l->mem.writable = l->w.mem;
  l->pins.env = rw_env(&l->w);
  l->pins.env_changed = true;
  if (r->policy && !(l->sb = gmmu_scoreboard_new(&r->cfg, l->pins.env))) {
    gmmu_fail(err, "out of memory");
    goto out;
  }
  r->dut.reset(r->dut.h, &l->pins);
  ret = run(l, err);
  collect(l);
out:
  if (l->sb) gmmu_scoreboard_free(l->sb);
  rw_world_free(&l->w);
  return ret;
}

/** Cycles of a life that a reset cuts: the first few, the first walks, full queues. */
static uint64_t life_length(struct gmmu_rng *rng) {
  static const uint64_t most[] = {8, 300, 5000, 5000};

  return 1 + gmmu_rng_below(rng, most[gmmu_rng_below(rng, 4)]);
}

int gmmu_random_run(struct gmmu_random *r, struct gmmu_err *err) {
  struct loop *l = calloc(1, sizeof *l);
  struct gmmu_rng rng;
  int ret = 0;

  r->stats = calloc(1, sizeof *r->stats);
  r->mism = (struct gmmu_mismatches){.seed = r->seed, .rerun = r->rerun};
  if (!l || !r->stats) {
    free(l);
    return gmmu_fail(err, "out of memory");
  }
  gmmu_rng_seed(&rng, r->seed ^ 0x726573657473);
  for (uint64_t life = 0; life <= r->resets && !ret; life++) {
    struct gmmu_pins left = l->pins; /* during the reset inputs are as the life before left them */
    bool last = life == r->resets;

    memset(l, 0, sizeof *l);
    l->r = r;
    l->pins = left;
    l->begin = l->last_move = r->cycles;
    l->end = last ? 0 : r->cycles + life_length(&rng);
    ret =
        live(l, r->seed + life, last && r->ops > r->requests ? r->ops - r->requests : r->ops, err);
  }
  free(l);
  return ret;
}

void gmmu_random_free(struct gmmu_random *r) {
  free(r->stats);
  r->stats = NULL;
}
