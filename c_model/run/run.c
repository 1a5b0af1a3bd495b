/* SPDX-License-Identifier: Apache-2.0 */
#include "run/run.h"

#include <stdlib.h>
#include <string.h>

#include "scoreboard/scoreboard.h"
#include "run/check.h"
#include "run/dump.h"
#include "run/progress.h"
#include "run/watch.h"

struct loop {
  struct gmmu_pins pins, before; /* this cycle's, the last one's */
  struct gmmu_events ev;
  struct gmmu_pte_mem mem;
  struct gmmu_fe_answer ans[GMMU_MAX_SMS];
  struct gmmu_check *check;
  struct gmmu_scoreboard *sb;
  uint64_t last_answer;
  struct gmmu_progress bar;
  struct gmmu_memsys *sys; /* config MemChannels */
  struct gmmu_run *r;
  uint64_t cycle;
  struct gmmu_err *err;
  int ret;
  struct gmmu_l2_event seen; /* what the L2 TLB did, two cycles ago with any device */
};

uint64_t gmmu_run_patience(const struct gmmu_config *c) {
  if (c->MemChannels)
    return 1000000; /* data may wait for translations for long (docs/dram_sched.md) */
  return 20000 + 200 * (uint64_t)(c->WalkLatency + c->WalkJitter);
}

bool gmmu_run_walk_allowed(const struct gmmu_env *e, uint64_t pa) {
  for (int i = 0; i < e->num_windows; i++)
    if (e->win[i].walk && pa >> 12 >= e->win[i].lo_pfn && pa >> 12 <= e->win[i].hi_pfn) return true;
  return false;
}

static void take_answers(struct gmmu_run *r, struct loop *l, uint64_t cycle, int n) {
  char msg[512];

  for (int i = 0; i < n; i++) {
    const struct gmmu_fe_answer *a = &l->ans[i];
    if (a->seq == UINT64_MAX) {
      snprintf(msg, sizeof msg, "SM %d: an answer with tag %u, which no request has", a->sm,
               a->rsp.tag);
      gmmu_mismatch(&r->mism, cycle, "answer", 1, msg);
      continue;
    }
    bool held = false; /* and replayed */
    r->answers_compared++;
    if (r->software.self ? !r->software.answer(r->software.self, a, &held, msg, sizeof msg)
                         : !gmmu_check_answer(l->check, a, msg, sizeof msg))
      gmmu_mismatch(&r->mism, cycle, "answer", 1, msg);
    else if (r->said && !held && !gmmu_mapcheck_answer(r->said, a, cycle, msg, sizeof msg))
      gmmu_mismatch(&r->mism, cycle, "answer", 1, msg);
    if (!r->software.self && r->cfg.Svadu && !gmmu_check_marks(l->check, a, msg, sizeof msg))
      gmmu_mismatch(&r->mism, cycle, "answer", 1, msg);
    if (held) continue;
    gmmu_hist_add(&r->stats->latency, cycle - a->first);
    if (a->asid < GMMU_MAX_ASIDS) {
      r->stats->app[a->asid].answers++;
      r->stats->app[a->asid].latency += cycle - a->first;
      if (cycle - a->first > r->stats->app[a->asid].latency_max)
        r->stats->app[a->asid].latency_max = cycle - a->first;
    }
    if (r->dump) gmmu_dump_line(r->dump, a);
  }
  if (n) l->last_answer = cycle;
}

/** True: a read was accepted. */
static bool take_read(struct gmmu_run *r, struct loop *l, uint64_t cycle) {
  uint64_t bad = l->mem.protocol_errors;
  char msg[128];

  if (gmmu_pte_mem_step(&l->mem, cycle, &l->pins)) {
    if (gmmu_run_walk_allowed(r->env, l->pins.mem_req.addr)) return true;
    snprintf(msg, sizeof msg, "read of 0x%llx, which is outside the windows for walks",
             (unsigned long long)l->pins.mem_req.addr);
    gmmu_mismatch(&r->mism, cycle, "walker", 1, msg);
    return true;
  } else if (l->mem.protocol_errors != bad) {
    snprintf(msg, sizeof msg,
             "read of 0x%llx with id %u: misaligned, or the id has a read outstanding",
             (unsigned long long)l->pins.mem_req.addr, l->pins.mem_req.id);
    gmmu_mismatch(&r->mism, cycle, "walker", 1, msg);
  }
  return false;
}

/** The memory system's cycle: hands over the PTE read, tells SMs and walker what is done. */
static int step_memory(struct gmmu_run *r, struct loop *l, uint64_t cycle, bool read,
                       struct gmmu_err *err) {
  int n;

  if (read)
    gmmu_memsys_pte(l->sys, l->pins.mem_req.addr, l->pins.mem_req.depth, l->pins.mem_req.id);
  const struct gmmu_memsys_done *d = gmmu_memsys_step(l->sys, l->pins.app_misses, &l->seen, &n);
  if (n < 0 || !gmmu_fe_ok(r->fe)) return gmmu_fail(err, "out of memory");
  if (r->peer && r->peer->differs)
    gmmu_mismatch(&r->mism, cycle, "memory", r->peer->differs, r->peer->what);
  for (int i = 0; i < n; i++)
    if (d[i].sm < 0) gmmu_pte_mem_release(&l->mem, (uint16_t)d[i].token, cycle + 1);
    else gmmu_fe_data(r->fe, d[i].sm, d[i].token, cycle);
  if (n) l->last_answer = cycle;
  return 0;
}

/** Events of `cycle`, in which the pins were *pins. */
static void take_events(struct gmmu_run *r, struct loop *l, uint64_t cycle,
                        const struct gmmu_pins *pins) {
  char msg[512] = "";
  int bad;

  gmmu_stats_step(r->stats, &l->ev, (int)r->cfg.NumSms);
  r->reads_sum += l->mem.n;
  if (l->mem.n > r->reads_max) r->reads_max = l->mem.n;
  if (!l->sb) return;
  bad = gmmu_scoreboard_step(l->sb, cycle, &l->ev, pins, msg, sizeof msg);
  if (bad) gmmu_mismatch(&r->mism, cycle, "policy", (uint64_t)bad, msg);
}

/** Gives up when nobody has been answered for long though somebody waits. */
static int watchdog(struct gmmu_run *r, struct loop *l, uint64_t cycle, struct gmmu_err *err) {
  struct gmmu_watch_sm sm[GMMU_MAX_SMS];
  uint64_t silent = cycle - l->last_answer;
  bool waiting = false;

  if (r->software.self && r->software.busy(r->software.self)) l->last_answer = cycle;
  if (silent < gmmu_run_patience(&r->cfg) || silent % 1024) return 0;
  for (int i = 0; i < r->cfg.NumSms; i++) {
    sm[i].sm = i;
    sm[i].s = gmmu_fe_sm(r->fe, i);
    waiting |= sm[i].s.outstanding || sm[i].s.presenting;
  }
  if (!waiting && gmmu_fe_computing(r->fe)) return 0;
  gmmu_watch_print(stderr, cycle, silent, sm, (int)r->cfg.NumSms, r->stats, &l->mem);
  return gmmu_fail(err, "no answer for %llu cycles (cycle %llu, seed %llu); again, with waves: %s",
                   (unsigned long long)silent, (unsigned long long)cycle,
                   (unsigned long long)r->seed, r->rerun ? r->rerun : "-");
}

/** One cycle; also called by the software of the run while it waits for a command. -1: the run
 * cannot go on. */
static int one_cycle(void *arg) {
  struct loop *l = arg;
  struct gmmu_run *r = l->r;
  const uint64_t cycle = l->cycle++;
  int ret = l->ret;

  gmmu_fe_drive(r->fe, &l->pins);
  gmmu_pte_mem_drive(&l->mem, cycle, &l->pins);
  if (l->mem.wrote && l->mem.last.addr % 512 == 0)
    gmmu_check_forget(l->check); /* it may be the head of other pages */
  if (r->software.self) r->software.drive(r->software.self, &l->pins);
  r->dut.eval(r->dut.h, &l->pins);
  if (r->software.self) r->software.sample(r->software.self, &l->pins, cycle);
  bool read = take_read(r, l, cycle);
  if (l->sys && !ret) ret = step_memory(r, l, cycle, read, l->err);
  take_answers(r, l, cycle, gmmu_fe_step(r->fe, cycle, &l->pins, l->ans));
  if (r->lag == 0) l->seen = l->ev.l2;
  r->dut.clock(r->dut.h, &l->pins, &l->ev);
  if (r->lag == 1) l->seen = l->ev.l2;
  if (r->lag == 0) {
    take_events(r, l, cycle, &l->pins);
  } else {
    if (cycle) take_events(r, l, cycle - 1, &l->before);
    l->before = l->pins;
  }
  l->pins.env_changed = false;
  if (!ret) ret = watchdog(r, l, cycle, l->err);
  if (cycle % 4096 == 0)
    gmmu_progress_show(&l->bar, gmmu_fe_get_counts(r->fe)->accesses_done, r->total_accesses, cycle);
  r->cycles = cycle + 1;
  if (r->max_cycles && r->cycles >= r->max_cycles && !ret && !gmmu_fe_done(r->fe))
    ret = gmmu_fail(l->err, "not finished after %llu cycles (--max-cycles)",
                    (unsigned long long)r->max_cycles);
  return l->ret = ret;
}

/* The same for software that waits: --max-cycles counts there as well, though no application runs.
 */
static int advance(void *arg) {
  struct loop *l = arg;
  int ret = one_cycle(arg);
  if (!ret && l->r->max_cycles && l->r->cycles >= l->r->max_cycles)
    ret = l->ret = gmmu_fail(l->err, "not finished after %llu cycles (--max-cycles)",
                             (unsigned long long)l->r->max_cycles);
  return ret;
}

static int loop(struct gmmu_run *r, struct loop *l, struct gmmu_err *err) {
  double start = gmmu_now();

  l->r = r;
  l->err = err;
  gmmu_progress_start(&l->bar);
  for (int more = 1; more == 1 && !l->ret;) {
    if (l->sys) gmmu_fe_set_memory(r->fe, l->sys);
    if (r->software.self)
      r->software.start(r->software.self, &(struct gmmu_software_run){r->fe, l->check, advance, l});
    while (!gmmu_fe_done(r->fe) && !l->ret) {
      one_cycle(l);
      if (r->software.self && !l->ret) {
        struct gmmu_err e = {""};
        int bad = r->software.serve(r->software.self, &e);
        if (bad && !l->ret)
          l->ret = gmmu_fail(err, "%s", e.msg); /* unless a cycle inside has said why */
      }
    }
    struct gmmu_err why = {""};
    more = !l->ret && r->next ? r->next(r->next_arg, &why) : 0;
    if (more < 0 && !l->ret)
      l->ret = gmmu_fail(err, "%s", why.msg); /* unless a cycle inside has said why */
  }
  if (r->lag && r->cycles) { /* the last cycle's events */
    l->pins.mem_rsp.valid = l->pins.inv.valid = false;
    r->dut.eval(r->dut.h, &l->pins);
    r->dut.clock(r->dut.h, &l->pins, &l->ev);
    take_events(r, l, r->cycles - 1, &l->before);
  }
  gmmu_progress_end(&l->bar);
  r->seconds = gmmu_now() - start;
  return l->ret;
}

int gmmu_run(struct gmmu_run *r, struct gmmu_err *err) {
  struct loop *l = calloc(1, sizeof *l);
  int ret = -1;

  r->stats = calloc(1, sizeof *r->stats);
  r->mism = (struct gmmu_mismatches){.seed = r->seed, .rerun = r->rerun};
  if (!l || !r->stats || !(l->check = gmmu_check_new(r->env, r->image)) ||
      (r->policy && !(l->sb = gmmu_scoreboard_new(&r->cfg, r->env)))) {
    gmmu_fail(err, "out of memory");
    goto out;
  }
  gmmu_pte_mem_init(&l->mem, r->image, (uint32_t)r->cfg.WalkLatency, (uint32_t)r->cfg.WalkJitter,
                    r->seed);
  l->mem.lines = r->cfg.LineAnswers != 0;
  if (r->cfg.Svadu) l->mem.writable = r->image;
  if (r->cfg.MemChannels) {
    if (!(l->sys = gmmu_memsys_new(&r->cfg, r->num_apps))) {
      gmmu_fail(err, "out of memory");
      goto out;
    }
    l->mem.external = true;
    if (r->record) gmmu_memsys_record(l->sys, r->record);
    gmmu_memsys_set_peer(l->sys, r->peer);
  }
  l->pins.env = r->env;
  l->pins.env_changed = true;
  l->pins.mem_req_ready = true;
  r->dut.reset(r->dut.h, &l->pins);
  ret = loop(r, l, err);
  r->counts = *gmmu_fe_get_counts(r->fe);
  r->frames = gmmu_check_frames(l->check);
  r->pages = gmmu_check_pages(l->check);
  r->reads = l->mem.reads;
  r->pte_updates = l->mem.updated;
  if (l->sys) r->memsys = *gmmu_memsys_get_stats(l->sys);
  r->policy_compared = l->sb ? gmmu_scoreboard_comparisons(l->sb) : 0;
out:
  if (l) {
    gmmu_check_free(l->check);
    gmmu_memsys_free(l->sys);
    if (l->sb) gmmu_scoreboard_free(l->sb);
  }
  free(l);
  return ret;
}

void gmmu_run_free(struct gmmu_run *r) {
  free(r->stats);
  r->stats = NULL;
}
