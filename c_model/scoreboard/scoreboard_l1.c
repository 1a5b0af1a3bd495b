/* SPDX-License-Identifier: Apache-2.0 */
/** scoreboard_l1.c - replays one L1 TLB's events, and checks every answer at its pins. */
#include "scoreboard/scoreboard_parts.h"

#define NAME "l1_tlb"

void sb_l1_decided(struct gmmu_scoreboard *s, int sm, int mshr, const struct gmmu_tlb_data *d,
                   bool by_walk) {
  struct sb_mshr *m = &s->l1[sm].mshr[mshr];

  gmmu_l1_store(s->l1[sm].tlb, mshr, d);
  m->progress = SB_ANSWERED;
  m->may_ask = false;
  m->by_walk = by_walk;
  /* A hit is given L2Latency cycles after its request, the L1 holds it in the cycle after that. */
  m->visible = by_walk ? UINT64_MAX
                       : s->cycle + (uint64_t)s->cfg.L2Latency + 1 -
                             (uint64_t)gmmu_config_l2_decides(&s->cfg);
}

void sb_l1_delivered(struct gmmu_scoreboard *s, int sm, int mshr) {
  s->l1[sm].mshr[mshr].visible = s->cycle + 1;
}

/** The answer register in this cycle. Returns whether the L1 may do an op as far as it is
 * concerned. */
static bool step_rsp(struct gmmu_scoreboard *s, int sm, const struct gmmu_pins *p) {
  struct sb_l1 *l = &s->l1[sm];
  const struct gmmu_rsp *r = &p->rsp[sm];
  const struct gmmu_req *q;
  bool adv = !r->valid || p->rsp_ready[sm];

  if (!l->rsp.valid && !r->valid) return true;
  q = &l->tlb->req[l->rsp.tag];
  sb_at(s, NAME, sm, "answer at the pins", q->asid, q->va >> 12 & GMMU_VFN_MASK);
  if (sb_same(s, "valid", l->rsp.valid, r->valid)) {
    sb_same(s, "tag", l->rsp.tag, r->tag);
    sb_same(s, "cause", l->rsp.cause, r->cause);
    sb_same(s, "pa", l->rsp.pa, r->pa);
    sb_same(s, "large", l->rsp.large, r->large);
  }
  if (adv) {
    l->outstanding[l->rsp.tag] = 0;
    l->rsp.valid = false;
  }
  return adv;
}

/** Clear pulse: which MSHRs ask again is certain but for answers of walks that are just being
 * given. */
static void step_resend(struct gmmu_scoreboard *s, int sm) {
  struct sb_l1 *l = &s->l1[sm];

  for (uint64_t left = gmmu_l1_matching(l->tlb, &s->order.cmd, ~0ull); left; left &= left - 1) {
    int i = __builtin_ctzll(left);
    struct sb_mshr *m = &l->mshr[i];
    if (m->progress != SB_ANSWERED) continue;
    if (i == l->drain || m->visible <= s->cycle) m->progress = SB_ASKS;
    else if (m->by_walk) m->may_ask = true;
    if (i == l->drain) l->drain = -1;
  }
}

/** A way that the last op filled keeps its new entry. */
static void step_visits(struct gmmu_scoreboard *s, int sm, const struct gmmu_l1_event *ev) {
  struct sb_l1 *l = &s->l1[sm];

  sb_at(s, NAME, sm, "sweep", s->order.cmd.asid, s->order.cmd.lo_vfn);
  if (ev->sweep_base) {
    int way = ev->sweep_base_way;
    bool in_range = way < gmmu_l1_base_ways(l->tlb);
    bool clear = in_range && gmmu_l1_sweep_base(l->tlb, way, &s->order.cmd, &l->filled);
    sb_that(s, "base ways visited in order, once each", gmmu_inv_visit(&s->order.sm_base[sm], way));
    sb_same(s, "base way cleared", clear, ev->cleared_base);
  }
  if (ev->sweep_large) {
    int way = ev->sweep_large_way;
    bool in_range = way < gmmu_tlb_ways(l->tlb->large);
    bool filled = l->filled.large && l->filled.way == way;
    bool clear = in_range && !filled && gmmu_l1_large_matches(l->tlb, way, &s->order.cmd);
    sb_that(s, "large ways visited in order, once each",
            gmmu_inv_visit(&s->order.sm_large[sm], way));
    sb_same(s, "large way cleared", clear, ev->cleared_large);
    if (clear) gmmu_tlb_clear(l->tlb->large, way);
  }
}

/** What a lookup or replay must have done. */
static void check_result(struct gmmu_scoreboard *s, int sm, const struct gmmu_l1_event *ev,
                         const struct gmmu_l1_result *r) {
  struct sb_l1 *l = &s->l1[sm];
  const struct gmmu_req *q = &l->tlb->req[r->tag];

  sb_same(s, "tag", r->tag, ev->tag);
  sb_same(s, "asid", q->asid, ev->asid);
  sb_same(s, "vfn", q->va >> 12 & GMMU_VFN_MASK, ev->vfn);
  if (sb_same(s, "outcome", r->outcome, ev->outcome)) {
    if (r->outcome == GMMU_L1_HIT_BASE || r->outcome == GMMU_L1_HIT_LARGE)
      sb_same(s, "hit way", (uint64_t)r->way, ev->way);
    if (r->outcome == GMMU_L1_MISS_ALLOC || r->outcome == GMMU_L1_MISS_MERGE)
      sb_same(s, "mshr", (uint64_t)r->mshr, ev->mshr);
  }
  if (r->outcome == GMMU_L1_MISS_ALLOC) l->mshr[r->mshr] = (struct sb_mshr){.progress = SB_ASKS};
  if (r->outcome == GMMU_L1_MISS_ALLOC || r->outcome == GMMU_L1_MISS_MERGE) {
    int i = (int)(s->cycle % SB_COUNT_AFTER);
    l->count[i].valid = true;
    l->count[i].mshr = (uint8_t)r->mshr;
    l->count[i].warp = r->warp;
  }
  if (r->outcome == GMMU_L1_LOCAL_FAULT)
    l->rsp = (struct gmmu_rsp){.valid = true, .tag = r->tag, .cause = r->cause};
  if (r->outcome == GMMU_L1_HIT_BASE || r->outcome == GMMU_L1_HIT_LARGE)
    gmmu_l1_respond(l->tlb, sb_env(s), r->tag, &r->data, 0, &l->rsp);
}

static void step_lookup(struct gmmu_scoreboard *s, int sm, const struct gmmu_l1_event *ev,
                        const struct gmmu_req *q) {
  struct sb_l1 *l = &s->l1[sm];
  uint8_t *outstanding = &l->outstanding[q->tag & l->tlb->tag_mask];
  struct gmmu_l1_result r;

  sb_at(s, NAME, sm, "lookup", q->asid, q->va >> 12 & GMMU_VFN_MASK);
  if (!sb_that(s, "the SM reuses only tags that were answered", !*outstanding)) return;
  *outstanding = 1;
  gmmu_l1_lookup(l->tlb, sb_env(s), q, &r);
  check_result(s, sm, ev, &r);
}

static void step_replay(struct gmmu_scoreboard *s, int sm, const struct gmmu_l1_event *ev) {
  struct sb_l1 *l = &s->l1[sm];
  struct gmmu_l1_result r;

  sb_at(s, NAME, sm, "replay", ev->asid, ev->vfn);
  if (!sb_that(s, "a request is parked", l->tlb->park_first >= 0)) return;
  sb_that(s, "an MSHR is free for the replay", l->tlb->free != 0);
  gmmu_l1_replay(l->tlb, sb_env(s), &r);
  check_result(s, sm, ev, &r);
}

static void step_answer(struct gmmu_scoreboard *s, int sm, const struct gmmu_l1_event *ev) {
  struct sb_l1 *l = &s->l1[sm];
  bool first = ev->op == GMMU_L1_ANSWER, last, is_valid;
  const struct gmmu_l1tlb_mshr *m = &l->tlb->mshr[ev->mshr % GMMU_L1_MAX_MSHRS];
  int i = ev->mshr % GMMU_L1_MAX_MSHRS, tag;

  sb_at(s, NAME, sm, first ? "answer" : "answer next", ev->asid, ev->vfn);
  sb_same(s, "MSHR being answered", (uint64_t)(first ? -1 : ev->mshr), (uint64_t)l->drain);
  is_valid = ev->mshr < l->tlb->num_mshrs && m->valid;
  if (!sb_that(s, "the MSHR is in use and the L2 answered it",
               is_valid && l->mshr[i].progress == SB_ANSWERED))
    return;
  l->mshr[i].may_ask = false;
  sb_same(s, "asid", m->asid, ev->asid);
  sb_same(s, "vfn", m->vfn, ev->vfn);
  sb_same(s, "stale", m->stale, ev->stale);
  if (first) {
    struct sb_fill_event got = {ev->fill_base, ev->fill_large, ev->overwrite,
                                ev->evict,     ev->way,        ev->fill_pages};
    struct gmmu_fill f;
    gmmu_l1_fill(l->tlb, i, &f);
    sb_same_fill(s, &f, &got);
    l->filled = f;
  } else {
    sb_that(s, "only the first answer of an MSHR fills", !ev->fill_base && !ev->fill_large);
  }
  tag = gmmu_l1_serve(l->tlb, i, &last);
  l->drain = last ? -1 : i;
  sb_same(s, "tag of the next waiter", (uint64_t)tag, ev->tag);
  if (tag >= 0) gmmu_l1_respond(l->tlb, sb_env(s), tag, &m->data, m->store, &l->rsp);
}

/** What the L2 is told of the warps that wait at an MSHR. */
static void step_tell(struct gmmu_scoreboard *s, int sm, const struct gmmu_l1_event *ev) {
  struct sb_l1 *l = &s->l1[sm];
  const struct gmmu_l1tlb_mshr *m = &l->tlb->mshr[ev->tell_mshr % GMMU_L1_MAX_MSHRS];

  sb_at(s, NAME, sm, "tell", m->asid, m->vfn);
  sb_that(s, "the L2 has no report of this SM to add", !l->tell.full);
  if (!sb_that(s, "the L2 keeps the MSHR's miss",
               ev->tell_mshr < l->tlb->num_mshrs && m->valid && m->taken))
    return;
  sb_same(s, "L2 MSHR", m->l2_mshr, ev->tell_l2_mshr);
  l->tell.full = true;
  l->tell.l2_mshr = m->l2_mshr;
  l->tell.warps = (uint8_t)gmmu_l1_tell(l->tlb, ev->tell_mshr);
  sb_same(s, "warps", l->tell.warps, ev->tell_warps);
  sb_that(s, "warps that the L2 was not told", l->tell.warps != 0);
}

/** The warp of a lookup three cycles ago is counted. */
static void step_count(struct gmmu_scoreboard *s, int sm) {
  struct sb_l1 *l = &s->l1[sm];
  int i = (int)(s->cycle % SB_COUNT_AFTER);

  if (l->count[i].valid) gmmu_l1_count(l->tlb, l->count[i].mshr, l->count[i].warp);
  l->count[i].valid = false;
}

void sb_l1_step(struct gmmu_scoreboard *s, int sm, const struct gmmu_l1_event *ev,
                const struct gmmu_pins *p) {
  struct sb_l1 *l = &s->l1[sm];
  bool accepted = p->req[sm].valid && p->req_ready[sm], adv = step_rsp(s, sm, p);

  if (s->mark_due) gmmu_l1_mark(l->tlb, &s->order.cmd);
  if (ev->resend) step_resend(s, sm);
  if (ev->sweep_base || ev->sweep_large) step_visits(s, sm, ev);
  l->filled = (struct gmmu_fill){0};
  if (ev->tell) step_tell(s, sm, ev);
  step_count(s, sm);
  if (!accepted && ev->op == GMMU_L1_NONE) return;
  sb_at(s, NAME, sm, "op", ev->asid, ev->vfn);
  sb_same(s, "lookup in the cycle of a request's handshake", accepted, ev->op == GMMU_L1_LOOKUP);
  sb_that(s, "no op while the answer register is held, nor with a pulse",
          adv && !s->mark_due && !ev->resend);
  if (accepted) step_lookup(s, sm, ev, &p->req[sm]);
  else if (ev->op == GMMU_L1_REPLAY) step_replay(s, sm, ev);
  else if (ev->op == GMMU_L1_ANSWER || ev->op == GMMU_L1_ANSWER_NEXT) step_answer(s, sm, ev);
}
