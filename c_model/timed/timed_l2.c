/* SPDX-License-Identifier: Apache-2.0 */
/** timed_l2.c - cycles of the L2 TLB: docs/l2_tlb.md, "Timing". */
#include <string.h>

#include "timed/timed_blocks.h"

int timed_l2_init(struct timed_l2 *l, const struct gmmu_config *c) {
  memset(l, 0, sizeof *l);
  l->tlb = gmmu_l2_new(c);
  if (!l->tlb) return -1;
  l->num_sms = (int)c->NumSms;
  l->ports = (int)c->L2Ports;
  l->latency = (int)c->L2Latency;
  l->delay = l->latency - gmmu_config_l2_decides(c);
  l->turn = c->L2Serial ? (int)c->L2Ways + 2 : 0;
  l->reads = !l->turn && l->latency > 4;
  l->left = l->turn ? l->tlb->sets : 0;
  return 0;
}

void timed_l2_reset(struct timed_l2 *l) {
  struct timed_l2 fresh = {.tlb = l->tlb,
                           .num_sms = l->num_sms,
                           .ports = l->ports,
                           .latency = l->latency,
                           .delay = l->delay,
                           .turn = l->turn,
                           .reads = l->reads};

  gmmu_l2_reset(l->tlb);
  *l = fresh;
  l->left = l->turn ? l->tlb->sets : 0;
}

/** SMs that the head of the answer queue is given to in this cycle: not those with a hit answer. */
static uint64_t queue_serves(const struct timed_l2 *l, uint64_t cycle) {
  if (!l->answers) return 0;
  return l->tlb->mshr[l->answer[l->answer_head].mshr].waiting & ~l->hit_sms[cycle % TIMED_L2_DELAY];
}

uint64_t timed_l2_answers(const struct timed_l2 *l, uint64_t cycle, struct timed_l2_answer *out) {
  int d = (int)(cycle % TIMED_L2_DELAY);
  uint64_t served = queue_serves(l, cycle);

  for (int i = 0; i < l->hits[d]; i++)
    out[l->hit[d][i].req.sm] =
        (struct timed_l2_answer){true, l->hit[d][i].req.l1_mshr, l->hit[d][i].data};
  for (uint64_t left = served; left; left &= left - 1) {
    int sm = __builtin_ctzll(left), mshr = l->answer[l->answer_head].mshr;
    out[sm] = (struct timed_l2_answer){true, l->tlb->mshr[mshr].l1_mshr[sm],
                                       l->answer[l->answer_head].data};
  }
  return served | l->hit_sms[d];
}

/* ---------------------------------------- stage 0 */
static void set_bit(uint64_t *set, int i, bool on) {
  *set = (*set & ~(1ull << i)) | (uint64_t)on << i;
}

/** A waiting SM tries again only with nothing in flight and when an MSHR might be taken in the
 * cycle before. */
static uint64_t eligible(const struct timed_l2 *l) {
  uint64_t set = l->unissued & ~l->masked;

  for (uint64_t left = set & l->waiting; left; left &= left - 1) {
    int sm = __builtin_ctzll(left);
    const struct timed_l2_queue *q = &l->q[sm];
    if (q->issued || !(l->retry >> q->v[q->head].asid & 1)) set &= ~(1ull << sm);
  }
  return set;
}

static void issue_lookups(struct timed_l2 *l, struct timed_l2_op *op) {
  uint64_t set = eligible(l);

  for (int p = 0; p < l->ports && set; p++) {
    int sm = timed_round_robin(set, l->num_sms, &l->rr);
    struct timed_l2_queue *q = &l->q[sm];
    op->kind = TIMED_LOOKUP;
    op->port[p].valid = true;
    op->port[p].replay = l->waiting >> sm & 1;
    op->port[p].req = q->v[(q->head + q->issued) % TIMED_L2_QUEUE];
    q->issued++;
    set_bit(&l->unissued, sm, q->issued < q->count);
    set &= ~(1ull << sm);
  }
}

static void stage_0(struct timed_l2 *l, const struct timed_l2_in *in, struct timed_l2_op *op,
                    struct timed_l2_out *out) {
  op->kind = TIMED_NONE;
  op->port[0].valid = op->port[1].valid = false;
  /* After a finish lookups have their turn: a burst of finishes must not keep new misses from the
   * freed MSHRs. */
  bool lookups_turn = !l->reads && (l->turn ? l->b.kind : l->a.kind) == TIMED_FIN && eligible(l);
  bool taken = l->reads && l->r.kind == TIMED_FIN; /* the head that is in stage R leaves */

  if (taken) {
    out->fin_taken = true;
    l->r.fin = *in->fin;
  }
  if (l->left) { /* serial build: stage A is not empty; a finish is taken two cycles before B */
    out->fin_taken = l->a.kind == TIMED_FIN && l->left == 2;
    return;
  }
  if (in->fin && !taken && !lookups_turn && l->answers + l->fins_in_flight < TIMED_L2_ANSWERS) {
    op->kind = TIMED_FIN;
    op->fin = *in->fin;
    out->fin_taken = !l->turn && !l->reads;
  } else if (!in->fin && l->sweeping && l->sets_issued < l->tlb->sets) {
    op->kind = TIMED_SWEEP;
    op->set = l->sets_issued++;
  } else if (l->unissued) {
    issue_lookups(l, op);
  }
}

/* ---------------------------------------- stage B */
static void drop_of(struct timed_l2_op *op, int sm) {
  for (int p = 0; p < 2; p++)
    if (op->port[p].valid && op->port[p].req.sm == sm) op->port[p].valid = false;
}

/** MISS_WAIT: what the SM has in stages 0, R and A is dropped; its head is issued again later. */
static void wait(struct timed_l2 *l, int sm, struct timed_l2_op *stage_0) {
  set_bit(&l->waiting, sm, true);
  l->q[sm].issued = 0;
  set_bit(&l->unissued, sm, true);
  drop_of(&l->a, sm);
  drop_of(&l->r, sm);
  drop_of(stage_0, sm);
}

static void leave(struct timed_l2 *l, int sm) {
  struct timed_l2_queue *q = &l->q[sm];

  set_bit(&l->waiting, sm, false);
  q->head = (q->head + 1) % TIMED_L2_QUEUE;
  q->count--;
  q->issued--;
}

static void answer_hit(struct timed_l2 *l, uint64_t at, const struct gmmu_l2_req *q,
                       const struct gmmu_tlb_data *data) {
  int d = (int)(at % TIMED_L2_DELAY), i = l->hits[d]++;

  l->hit[d][i].req = *q;
  l->hit[d][i].data = *data;
  l->hit_sms[d] |= 1ull << q->sm;
}

static void lookup(struct timed_l2 *l, const struct timed_l2_in *in, int p,
                   struct timed_l2_op *stage_0, struct timed_l2_out *out,
                   struct gmmu_l2_lookup *ev) {
  const struct gmmu_l2_req *q = &l->b.port[p].req;
  struct gmmu_l2_result r;

  if (!l->b.port[p].valid) return;
  gmmu_l2_lookup(l->tlb, q, !out->alloc, &r);
  *ev = (struct gmmu_l2_lookup){.valid = true,
                                .replay = l->b.port[p].replay,
                                .sm = q->sm,
                                .l1_mshr = q->l1_mshr,
                                .outcome = r.outcome,
                                .mshr = (uint8_t)r.mshr,
                                .asid = q->asid,
                                .way = (uint16_t)r.way,
                                .vfn = q->vfn};
  if (r.outcome == GMMU_L2_MISS_WAIT) {
    wait(l, q->sm, stage_0);
    return;
  }
  leave(l, q->sm);
  if (r.outcome == GMMU_L2_MISS_ALLOC) {
    out->alloc = true;
    out->alloc_mshr = (uint8_t)r.mshr;
    out->alloc_asid = q->asid;
    out->alloc_vfn = q->vfn;
    out->alloc_store = q->store;
  }
  if (gmmu_l2_is_hit(r.outcome)) answer_hit(l, in->cycle + (uint64_t)l->delay, q, &r.data);
}

/** May this walk fill the TLB? */
static bool may_fill(const struct gmmu_tokens *t, const struct gmmu_l2tlb_mshr *m) {
  if (!t || gmmu_tokens_holds(t, m->owner_sm, m->owner_warp)) return true;
  for (uint64_t left = t->any ? m->waiting : 0; left; left &= left - 1) {
    int sm = __builtin_ctzll(left);
    if (gmmu_tokens_holds(t, sm, m->warp[sm])) return true;
  }
  return false;
}

static void finish(struct timed_l2 *l, const struct gmmu_tokens *tokens, struct gmmu_l2_event *ev) {
  const struct timed_fin *fin = &l->b.fin;
  const struct gmmu_l2tlb_mshr *m = &l->tlb->mshr[fin->mshr];
  int i = (l->answer_head + l->answers) % TIMED_L2_ANSWERS;
  struct gmmu_fill f;
  bool token = may_fill(tokens, m);

  gmmu_l2_finish(l->tlb, fin->mshr, &fin->data, token, &f);
  ev->fin_token = tokens && token;
  ev->fill_bypass = f.bypass;
  ev->bypass_left = f.left;
  ev->fin = true;
  ev->fin_stale = m->stale;
  ev->fin_mshr = fin->mshr;
  ev->fin_cause = fin->data.cause;
  ev->fin_asid = m->asid;
  ev->fin_vfn = m->vfn;
  ev->fin_early = fin->data.early;
  ev->fin_run_only = fin->data.run_only;
  ev->fill_sub = f.sub;
  ev->fin_dropped = f.dropped;
  ev->fill_base = f.base;
  ev->fill_large = f.large;
  ev->overwrite = f.overwrite;
  ev->evict = f.evict;
  ev->fill_way = (uint16_t)f.way;
  ev->fill_pages = f.pages;
  l->answer[i].mshr = fin->mshr;
  l->answer[i].end = !fin->data.early;
  l->answer[i].data = fin->data;
  l->fins_in_flight--;
  l->answers++;
}

static void stage_b(struct timed_l2 *l, const struct timed_l2_in *in, struct timed_l2_op *stage_0,
                    struct timed_l2_out *out, struct gmmu_l2_event *ev) {
  switch (l->b.kind) {
    case TIMED_FIN: finish(l, in->tokens, ev); break;
    case TIMED_SWEEP:
      ev->sweep = true;
      ev->sweep_set = (uint16_t)l->b.set;
      ev->sweep_cleared = gmmu_l2_sweep_set(l->tlb, l->b.set, &in->pulse->cmd);
      l->sets_done++;
      break;
    case TIMED_LOOKUP:
      lookup(l, in, 0, stage_0, out, &ev->port[0]);
      lookup(l, in, 1, stage_0, out, &ev->port[1]);
      break;
    default: break;
  }
}

/* ---------------------------------------- answer queue, sweep, queues */
/** Gives the head of the answer queue away. Returns true if it leaves. `had` of the queue's entries
 * were there in this cycle. */
static bool serve(struct timed_l2 *l, uint64_t cycle, int had, struct gmmu_l2_event *ev) {
  int mshr = l->answer[l->answer_head].mshr;
  uint64_t to = had ? l->tlb->mshr[mshr].waiting : 0, hits = l->hit_sms[cycle % TIMED_L2_DELAY];

  l->masked = to & hits;
  if (!had || !gmmu_l2_served(l->tlb, mshr, to & ~hits, l->answer[l->answer_head].end))
    return false;
  ev->popped = true;
  ev->freed = l->answer[l->answer_head].end;
  ev->freed_mshr = (uint8_t)mshr;
  l->answer_head = (l->answer_head + 1) % TIMED_L2_ANSWERS;
  l->answers--;
  return true;
}

/** One large way per cycle: compared as it was in this cycle, gone in the next; a fill in this
 * cycle wins. */
static void sweep_large(struct timed_l2 *l, bool match, const struct gmmu_l2_event *ev) {
  int way = l->large_read++;
  bool cleared = match && !(ev->fill_large && ev->fill_way == way);

  if (cleared) gmmu_tlb_clear(l->tlb->large, way);
  l->seen.sweep_large = true;
  l->seen.cleared_large = cleared;
  l->seen.sweep_large_way = (uint16_t)way;
}

static void sweep_bypass(struct timed_l2 *l, bool match, const struct gmmu_l2_event *ev) {
  int way = l->bypass_read++;
  bool cleared =
      match && !(ev->fill_bypass && ev->fill_way == way) && !(ev->bypass_left >> way & 1);

  if (cleared) gmmu_l2_bypass_drop(l->tlb, way);
  l->seen.sweep_bypass = true;
  l->seen.cleared_bypass = cleared;
  l->seen.sweep_bypass_way = (uint8_t)way;
}

static void start_sweep(struct timed_l2 *l) {
  l->sweeping = true;
  l->draining = false;
  l->sets_issued = l->sets_done = l->large_read = l->bypass_read = 0;
}

/** Drain: from the cycle after the first one in which both sweeps are through. */
static void drain(struct timed_l2 *l, bool through, bool left) {
  l->done = false;
  if (through && !l->draining) {
    l->draining = true;
    l->drain_left = l->latency;
    l->drain_old = l->answers; /* as in the next cycle */
    return;
  }
  if (!l->draining) return;
  if (l->drain_left) l->drain_left--;
  if (left && l->drain_old) l->drain_old--;
  l->done = l->drain_left == 0 && l->drain_old == 0;
  if (l->done) l->sweeping = l->draining = false;
}

static void enqueue(struct timed_l2 *l, const struct timed_l2_in *in) {
  for (int i = 0; i < in->reqs; i++) {
    struct timed_l2_queue *q = &l->q[in->req[i].sm];
    q->v[(q->head + q->count++) % TIMED_L2_QUEUE] = in->req[i];
    set_bit(&l->unissued, in->req[i].sm, true);
  }
}

/** Into the next cycle: what was chosen enters stage A. Serial build: it stays there for its turn,
 * and a lookup that was dropped takes none. */
static void advance(struct timed_l2 *l, const struct timed_l2_op *op) {
  if (l->left) {
    l->left--;
    l->b.kind = TIMED_NONE;
    if (l->left || l->a.kind == TIMED_NONE) return;
    l->b = l->a;
    l->a.kind = TIMED_NONE;
    return;
  }
  if (!l->turn) {
    l->b = l->a;
    l->a = l->reads ? l->r : *op;
    l->r = *op;
    return;
  }
  l->b.kind = TIMED_NONE;
  l->a = *op;
  if (op->kind == TIMED_LOOKUP && !op->port[0].valid) l->a.kind = TIMED_NONE;
  if (l->a.kind != TIMED_NONE) l->left = l->turn;
}

void timed_l2_step(struct timed_l2 *l, const struct timed_l2_in *in, struct timed_l2_out *out,
                   struct gmmu_l2_event *ev) {
  int had = l->answers, large_ways = gmmu_tlb_ways(l->tlb->large),
      d = (int)(in->cycle % TIMED_L2_DELAY);
  bool read_large = l->sweeping && l->large_read < large_ways;
  bool read_bypass = l->sweeping && l->bypass_read < gmmu_l2_bypass_ways(l->tlb);
  bool match_bypass =
      read_bypass && gmmu_l2_bypass_matches(l->tlb, l->bypass_read, &in->pulse->cmd);
  bool through =
      l->sweeping && l->sets_done == l->tlb->sets && l->large_read == large_ways && !read_bypass;
  bool match = read_large && gmmu_l2_large_matches(l->tlb, l->large_read, &in->pulse->cmd), left;
  struct timed_l2_op op;
  uint64_t retry;

  gmmu_share_cycle(&l->tlb->share, in->env);
  retry = gmmu_share_all(&l->tlb->share, in->env->num_asids);
  *out = (struct timed_l2_out){0};
  ev->mark = in->pulse->mark;
  ev->sweep_large = l->seen.sweep_large;
  ev->cleared_large = l->seen.cleared_large;
  ev->sweep_large_way = l->seen.sweep_large_way;
  ev->sweep_bypass = l->seen.sweep_bypass;
  ev->cleared_bypass = l->seen.cleared_bypass;
  ev->sweep_bypass_way = l->seen.sweep_bypass_way;
  l->seen = (struct gmmu_l2_event){0};
  stage_0(l, in, &op, out); /* by this cycle's state: before stage B changes it */
  if (in->pulse->mark) gmmu_l2_mark(l->tlb, &in->pulse->cmd);
  timed_l2_add_warps(l, ev);
  stage_b(l, in, &op, out, ev);
  if (read_large) sweep_large(l, match, ev);
  if (read_bypass) sweep_bypass(l, match_bypass, ev);
  left = serve(l, in->cycle, had, ev);
  drain(l, through, left);
  if (in->pulse->sweep) start_sweep(l);
  l->hits[d] = 0;
  l->hit_sms[d] = 0;
  if (op.kind == TIMED_FIN) l->fins_in_flight++;
  advance(l, &op);
  l->retry = retry;
  enqueue(l, in);
  timed_l2_take_tells(l, in->tell);
}
