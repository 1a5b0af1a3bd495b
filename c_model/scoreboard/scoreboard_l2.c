/* SPDX-License-Identifier: Apache-2.0 */
/** scoreboard_l2.c - replays the L2 TLB's events. */
#include <string.h>

#include "scoreboard/scoreboard_parts.h"

#define NAME "l2_tlb"

static void step_sweep(struct gmmu_scoreboard *s, const struct gmmu_l2_event *ev) {
  struct sb_l2 *l = &s->l2;

  sb_at(s, NAME, -1, "sweep", s->order.cmd.asid, s->order.cmd.lo_vfn);
  if (ev->sweep) {
    sb_that(s, "sets visited in order, once each", gmmu_inv_visit(&s->order.sets, ev->sweep_set));
    if (ev->sweep_set < l->tlb->sets)
      sb_same(s, "ways cleared", gmmu_l2_sweep_set(l->tlb, ev->sweep_set, &s->order.cmd),
              ev->sweep_cleared);
  }
  if (ev->sweep_large) {
    int way = ev->sweep_large_way;
    bool in_range = way < gmmu_tlb_ways(l->tlb->large);
    /* what a finish filled in the cycle before, when the way was read, stays */
    bool clear =
        in_range && way != l->filled_large && gmmu_l2_large_matches(l->tlb, way, &s->order.cmd);
    sb_that(s, "large ways visited in order, once each", gmmu_inv_visit(&s->order.large, way));
    sb_same(s, "large way cleared", clear, ev->cleared_large);
    if (clear) gmmu_tlb_clear(l->tlb->large, way);
  }
}

/** What a finish filled in the cycle before, when the way was read, stays; what left then was not
 * there any more. */
static void step_sweep_bypass(struct gmmu_scoreboard *s, const struct gmmu_l2_event *ev) {
  struct sb_l2 *l = &s->l2;
  int way = ev->sweep_bypass_way;
  bool in_range = way < gmmu_l2_bypass_ways(l->tlb);
  bool clear = in_range && !(l->filled.bypass && l->filled.way == way) &&
               gmmu_l2_bypass_matches(l->tlb, way, &s->order.cmd);

  sb_at(s, NAME, -1, "sweep of the bypass cache", s->order.cmd.asid, s->order.cmd.lo_vfn);
  sb_that(s, "bypass ways visited in order, once each", gmmu_inv_visit(&s->order.bypass, way));
  sb_same(s, "bypass way cleared", clear, ev->cleared_bypass);
  if (clear) gmmu_l2_bypass_drop(l->tlb, way);
}

/** Walks finish in the order in which they ended; the walk says which MSHR, what it found and frees
 * its slot. */
static void step_finish(struct gmmu_scoreboard *s, const struct gmmu_l2_event *ev) {
  struct sb_fill_event got = {ev->fill_base, ev->fill_large, ev->overwrite,
                              ev->evict,     ev->fill_way,   ev->fill_pages};
  struct sb_l2 *l = &s->l2;
  struct sb_fin f;
  struct gmmu_l2tlb_mshr *m;
  struct gmmu_fill fill;
  bool token;

  sb_at(s, NAME, -1, "finish", ev->fin_asid, ev->fin_vfn);
  if (!sb_that(s, "a walk has ended", s->walk.fins > 0)) return;
  f = s->walk.fin[0];
  memmove(&s->walk.fin[0], &s->walk.fin[1], (size_t)--s->walk.fins * sizeof f);
  s->walk.leaves = !f.data.early;
  s->walk.leaving = f.slot;
  m = &l->tlb->mshr[f.mshr];
  sb_same(s, "mshr", f.mshr, ev->fin_mshr);
  sb_same(s, "asid", m->asid, ev->fin_asid);
  sb_same(s, "vfn", m->vfn, ev->fin_vfn);
  sb_same(s, "stale", m->stale, ev->fin_stale);
  sb_same(s, "cause", f.data.cause, ev->fin_cause);
  /* An SM has a report for each of its MSHRs at most, and each SM is served in turn. */
  if (s->cfg.WarpCounters && !f.data.run_only &&
      s->cycle - l->since[f.mshr] > (uint64_t)(s->cfg.L1Mshrs * (s->cfg.NumSms + 2) + 4))
    sb_that(s, "the L1s told of waiting warps in time", m->warps != 0);
  token = !s->cfg.FillTokens || gmmu_tokens_holds(&s->tokens.t, m->owner_sm, m->owner_warp);
  gmmu_l2_finish(l->tlb, f.mshr, &f.data, token, &fill);
  sb_same(s, "the warp holds a token", s->cfg.FillTokens && token, ev->fin_token);
  sb_same(s, "bypass cache filled", fill.bypass, ev->fill_bypass);
  sb_same(s, "bypass ways that went", fill.left, ev->bypass_left);
  sb_same_fill(s, &fill, &got);
  l->filled = fill;
  sb_same(s, "early", f.data.early, ev->fin_early);
  sb_same(s, "run only", f.data.run_only, ev->fin_run_only);
  sb_same(s, "subregion entry filled", fill.sub, ev->fill_sub);
  sb_same(s, "ways of overlapping entries", fill.dropped, ev->fin_dropped);
  if (fill.large) l->filled_large = fill.way;
  if (l->dones < 2 * GMMU_L2_MAX_MSHRS) {
    l->done[l->dones].mshr = f.mshr;
    l->done[l->dones++].end = !f.data.early;
  }
  if (f.data.run_only) return; /* those who waited were answered early */
  for (uint64_t left = m->waiting; left; left &= left - 1) {
    int sm = __builtin_ctzll(left);
    sb_l1_decided(s, sm, m->l1_mshr[sm], &f.data, true);
  }
}

static void step_tell(struct gmmu_scoreboard *s, const struct gmmu_l2_event *ev) {
  struct sb_l1 *from = &s->l1[ev->tell_sm % GMMU_MAX_SMS];

  sb_at(s, NAME, -1, "tell", 0, 0);
  if (!sb_that(s, "the SM has told something", ev->tell_sm < s->cfg.NumSms && from->tell.full))
    return;
  from->tell.full = false;
  sb_same(s, "mshr", from->tell.l2_mshr, ev->tell_mshr);
  sb_same(s, "warps", from->tell.warps, ev->tell_warps);
  sb_same(s, "counted", gmmu_l2_tell(s->l2.tlb, from->tell.l2_mshr, ev->tell_sm, from->tell.warps),
          ev->tell_counted);
  sb_same(s, "sum", s->l2.tlb->mshr[from->tell.l2_mshr].warps, ev->tell_sum);
}

void sb_l2_first(struct gmmu_scoreboard *s, const struct gmmu_l2_event *ev) {
  gmmu_share_cycle(&s->l2.tlb->share, sb_env(s));
  if (s->mark_due) gmmu_l2_mark(s->l2.tlb, &s->order.cmd);
  if (ev->sweep || ev->sweep_large) step_sweep(s, ev);
  if (ev->sweep_bypass) step_sweep_bypass(s, ev);
  s->l2.filled_large = -1;
  s->l2.filled = (struct gmmu_fill){0};
  if (ev->tell) step_tell(s, ev);
  if (ev->fin) step_finish(s, ev);
}

/** The request must be one that the L1 makes, and a waiting SM's is the one that waits. */
static bool legal(struct gmmu_scoreboard *s, const struct gmmu_l2_lookup *ev) {
  const struct sb_l1 *l = &s->l1[ev->sm % GMMU_MAX_SMS];
  const struct gmmu_l1tlb_mshr *m;
  const struct sb_mshr *b;

  if (!sb_that(s, "SM and L1 MSHR exist", ev->sm < s->cfg.NumSms && ev->l1_mshr < s->cfg.L1Mshrs))
    return false;
  m = &l->tlb->mshr[ev->l1_mshr];
  b = &l->mshr[ev->l1_mshr];
  if (!sb_that(s, "the L1 MSHR has asked and has no answer",
               m->valid && (b->progress == SB_ASKS || (b->progress == SB_ANSWERED && b->may_ask))))
    return false;
  sb_same(s, "asid", m->asid, ev->asid);
  sb_same(s, "vfn", m->vfn, ev->vfn);
  if (sb_same(s, "replay", s->l2.waits[ev->sm], ev->replay) && ev->replay)
    sb_same(s, "L1 MSHR of the waiting request", s->l2.waits_for[ev->sm], ev->l1_mshr);
  return true;
}

static void step_lookup(struct gmmu_scoreboard *s, int port, const struct gmmu_l2_lookup *ev) {
  struct sb_l2 *l = &s->l2;
  struct gmmu_l2_req q = {.sm = ev->sm, .l1_mshr = ev->l1_mshr};
  struct gmmu_l2_result r;
  struct sb_mshr *b;

  sb_at(s, NAME, -1, port ? "lookup on port 1" : "lookup on port 0", ev->asid, ev->vfn);
  if (!sb_that(s, "the port is built", port < s->cfg.L2Ports) || !legal(s, ev)) return;
  b = &s->l1[ev->sm].mshr[ev->l1_mshr];
  q.asid = s->l1[ev->sm].tlb->mshr[ev->l1_mshr].asid;
  q.vfn = s->l1[ev->sm].tlb->mshr[ev->l1_mshr].vfn;
  q.warp = s->l1[ev->sm].tlb->mshr[ev->l1_mshr].owner_warp;
  q.store = s->l1[ev->sm].tlb->mshr[ev->l1_mshr].store;
  gmmu_l2_lookup(l->tlb, &q, !l->alloc, &r);
  if (sb_same(s, "outcome", r.outcome, ev->outcome)) {
    if (gmmu_l2_is_hit(r.outcome)) sb_same(s, "hit way", (uint64_t)r.way, ev->way);
    if (r.outcome == GMMU_L2_MISS_ALLOC || r.outcome == GMMU_L2_MISS_MERGE)
      sb_same(s, "mshr", (uint64_t)r.mshr, ev->mshr);
  }
  l->waits[q.sm] = r.outcome == GMMU_L2_MISS_WAIT;
  l->waits_for[q.sm] = q.l1_mshr;
  b->may_ask = false;
  b->progress = SB_ASKS; /* if it waits; a resend may have left it SB_ANSWERED */
  if (gmmu_l2_is_hit(r.outcome)) sb_l1_decided(s, q.sm, q.l1_mshr, &r.data, false);
  if (r.outcome == GMMU_L2_MISS_ALLOC || r.outcome == GMMU_L2_MISS_MERGE) {
    b->progress = SB_IN_L2;
    gmmu_l1_taken(s->l1[q.sm].tlb, q.l1_mshr, r.mshr);
  }
  if (r.outcome == GMMU_L2_MISS_ALLOC) {
    l->alloc = true;
    l->since[r.mshr] = s->cycle;
    l->walk = (struct gmmu_walk_req){.vfn = q.vfn,
                                     .since = s->cycle + 1,
                                     .asid = q.asid,
                                     .mshr = (uint8_t)r.mshr,
                                     .store = q.store};
  }
}

/** Answers leave the answer queue in the order in which they finished. */
static void step_popped(struct gmmu_scoreboard *s, bool freed, int mshr) {
  struct sb_l2 *l = &s->l2;
  struct gmmu_l2tlb_mshr *m;
  int first;
  bool end;

  sb_at(s, NAME, -1, "answered", 0, 0);
  if (!sb_that(s, "an MSHR is done", l->dones > 0)) return;
  first = l->done[0].mshr;
  end = l->done[0].end;
  memmove(&l->done[0], &l->done[1], (size_t)--l->dones * sizeof l->done[0]);
  m = &l->tlb->mshr[first];
  sb_at(s, NAME, -1, "answered", m->asid, m->vfn);
  sb_same(s, "freed", end, freed);
  sb_same(s, "mshr", (uint64_t)first, (uint64_t)mshr);
  for (uint64_t left = m->waiting; left; left &= left - 1) {
    int sm = __builtin_ctzll(left);
    sb_l1_delivered(s, sm, m->l1_mshr[sm]);
  }
  gmmu_l2_served(l->tlb, first, m->waiting, end);
}

void sb_l2_second(struct gmmu_scoreboard *s, const struct gmmu_l2_event *ev) {
  if (ev->port[0].valid && ev->port[1].valid) {
    sb_at(s, NAME, -1, "ports", ev->port[1].asid, ev->port[1].vfn);
    sb_that(s, "the ports serve distinct SMs", ev->port[0].sm != ev->port[1].sm);
  }
  if (ev->port[0].valid) step_lookup(s, 0, &ev->port[0]);
  if (ev->port[1].valid) step_lookup(s, 1, &ev->port[1]);
  if (ev->popped) step_popped(s, ev->freed, ev->freed_mshr);
  else if (ev->freed) sb_that(s, "an MSHR is freed when its answer has been given to all", false);
}
