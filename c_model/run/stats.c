/* SPDX-License-Identifier: Apache-2.0 */
#include "run/stats.h"

double gmmu_hist_mean(const struct gmmu_hist *h) {
  return h->n ? (double)h->sum / (double)h->n : 0;
}

uint64_t gmmu_hist_quantile(const struct gmmu_hist *h, uint64_t num, uint64_t den) {
  uint64_t seen = 0;

  for (uint64_t i = 0; i < GMMU_HIST; i++) {
    seen += h->count[i];
    if (seen && seen * den >= h->n * num) return i < GMMU_HIST - 1 ? i : h->max;
  }
  return 0;
}

static void add(struct gmmu_level *l) {
  if (++l->now > l->max) l->max = l->now;
}

static void sub(struct gmmu_level *l) {
  if (l->now) l->now--;
}

static void l1_step(struct gmmu_stats *s, struct gmmu_stats_l1 *l, const struct gmmu_l1_event *e) {
  switch (e->op) {
    case GMMU_L1_LOOKUP:
    case GMMU_L1_REPLAY:
      s->lookup_cycles += e->op == GMMU_L1_LOOKUP;
      if (e->op == GMMU_L1_LOOKUP && e->asid < GMMU_MAX_ASIDS) {
        s->app[e->asid].l1_lookups++;
        s->app[e->asid].l1_hits +=
            e->outcome == GMMU_L1_HIT_BASE || e->outcome == GMMU_L1_HIT_LARGE;
      }
      if (e->outcome < 6) (e->op == GMMU_L1_LOOKUP ? s->l1_lookup : s->l1_replay)[e->outcome]++;
      if (e->op == GMMU_L1_REPLAY && e->outcome != GMMU_L1_MISS_PARK) {
        l->parked--;
        sub(&s->l1_park);
      } else if (e->op == GMMU_L1_LOOKUP && e->outcome == GMMU_L1_MISS_PARK) {
        l->parked++;
        add(&s->l1_park);
      }
      if (e->outcome == GMMU_L1_MISS_ALLOC) {
        l->waiters[e->mshr] = 1;
        l->vfn[e->mshr] = e->vfn;
        l->asid[e->mshr] = e->asid;
        add(&s->l1_mshr);
      } else if (e->outcome == GMMU_L1_MISS_MERGE) {
        l->waiters[e->mshr]++;
      }
      break;
    case GMMU_L1_ANSWER:
    case GMMU_L1_ANSWER_NEXT:
      s->l1_answers++;
      s->l1_fills += e->fill_base || e->fill_large;
      s->l1_evicts += e->evict;
      if (l->waiters[e->mshr] && --l->waiters[e->mshr] == 0) sub(&s->l1_mshr);
      break;
    default: break;
  }
}

static void l2_fin(struct gmmu_stats *s, const struct gmmu_l2_event *e) {
  struct gmmu_stats_walk *w = &s->slot;

  s->l2_fills += e->fill_base || e->fill_large;
  s->l2_evicts += e->evict;
  s->l2_sub_fills += e->fill_sub && e->fill_base;
  s->bypass_fills += e->fill_bypass;
  s->token_fills += e->fin_token && (e->fill_base || e->fill_large);
  s->l2_dropped += (uint64_t)__builtin_popcount(e->fin_dropped);
  if (e->fin_early) return; /* the walk goes on */
  s->l2.pending[e->fin_mshr] = false;
  for (int i = 0; i < 128; i++) /* a walk that ended at its start had no step that ends it */
    if (w->used[i] && w->mshr[i] == e->fin_mshr) {
      w->used[i] = false;
      sub(&s->walk);
    }
}

static void l2_lookup(struct gmmu_stats *s, const struct gmmu_l2_lookup *p) {
  if (!p->valid || p->outcome >= GMMU_L2_OUTCOMES) return;
  (p->replay ? s->l2_replay : s->l2_lookup)[p->outcome]++;
  if (!p->replay && p->asid < GMMU_MAX_ASIDS) {
    s->app[p->asid].l2_lookups++;
    s->app[p->asid].l2_hits += gmmu_l2_is_hit(p->outcome);
    s->app[p->asid].bypass_hits += p->outcome == GMMU_L2_HIT_BYPASS;
  }
  if (p->outcome != GMMU_L2_MISS_ALLOC) return;
  for (int i = 0; i < 128; i++)
    if (s->l2.pending[i] && s->l2.asid[i] == p->asid && s->l2.vfn[i] >> 9 == p->vfn >> 9) {
      s->same_frame++;
      break;
    }
  s->l2.used[p->mshr] = s->l2.pending[p->mshr] = true;
  s->l2.warps[p->mshr] = 1;
  s->l2.vfn[p->mshr] = p->vfn;
  s->l2.asid[p->mshr] = p->asid;
  add(&s->l2_mshr);
  add(&s->walk_wait);
}

static void walk_caches(struct gmmu_stats *s, const struct gmmu_walk_event *e) {
  s->early += e->step_early;
  if (e->step_early) s->slot.after_heads[e->step_slot] = false;
  s->heads += e->step_head;
  if (e->run && !e->run_stale) {
    /* a walk that has read the heads comes back to insert, without a lookup */
    s->msc_lookups += !s->slot.after_heads[e->run_slot];
    s->slot.after_heads[e->run_slot] = e->run_read;
    s->msc_hits += e->run_hit;
    s->msc_inserts += e->run_insert;
  }
  s->pwc_probes += e->pwc_probe;
  s->pwc_hits += e->pwc_hit;
  s->pwc_inserts += e->pwc_insert;
}

static void walk_step(struct gmmu_stats *s, const struct gmmu_walk_event *e) {
  walk_caches(s, e);
  if (e->step) {
    s->walk_steps++;
    s->walk_restarts += e->step_restart;
    if (e->step_done && s->slot.used[e->step_slot]) {
      s->slot.used[e->step_slot] = false;
      sub(&s->walk);
    }
  }
  if (e->start) {
    s->walks++;
    s->walks_queued += e->start_queued;
    if (e->start_asid < GMMU_MAX_ASIDS) s->app[e->start_asid].walks++;
    sub(&s->walk_wait);
    s->slot.used[e->start_slot] = true;
    s->slot.mshr[e->start_slot] = e->start_mshr;
    add(&s->walk);
  }
}

void gmmu_stats_step(struct gmmu_stats *s, const struct gmmu_events *ev, int num_sms) {
  s->cycles++;
  for (int i = 0; i < num_sms; i++) l1_step(s, &s->l1[i], &ev->l1[i]);
  if (ev->l2.fin) l2_fin(s, &ev->l2);
  l2_lookup(s, &ev->l2.port[0]);
  l2_lookup(s, &ev->l2.port[1]);
  if (ev->l2.freed && s->l2.used[ev->l2.freed_mshr]) {
    s->l2.used[ev->l2.freed_mshr] = false;
    s->missed++;
    s->stalled += s->l2.warps[ev->l2.freed_mshr];
    sub(&s->l2_mshr);
  }
  if (ev->l2.tell) {
    s->warp_reports++;
    s->warps.now = ev->l2.tell_sum;
    if (ev->l2.tell_counted) s->l2.warps[ev->l2.tell_mshr] = ev->l2.tell_sum;
    s->warps.sum += s->warps.now;
    if (s->warps.now > s->warps.max) s->warps.max = s->warps.now;
  }
  walk_step(s, &ev->walk);
  s->epochs += ev->token.pulse;
  s->l1_mshr.sum += s->l1_mshr.now;
  s->l1_park.sum += s->l1_park.now;
  s->l2_mshr.sum += s->l2_mshr.now;
  s->walk_wait.sum += s->walk_wait.now;
  s->walk.sum += s->walk.now;
  s->walk_busy += s->walk.now != 0;
}

uint64_t gmmu_stats_l1_lookups(const struct gmmu_stats *s) {
  uint64_t n = 0;

  for (int i = 0; i < 6; i++) n += s->l1_lookup[i];
  return n;
}

uint64_t gmmu_stats_l2_lookups(const struct gmmu_stats *s) {
  uint64_t n = 0;

  for (int i = 0; i < GMMU_L2_OUTCOMES; i++) n += s->l2_lookup[i];
  return n;
}
