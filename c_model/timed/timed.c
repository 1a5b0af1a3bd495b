/* SPDX-License-Identifier: Apache-2.0 */
/**
 * timed.c - the whole MMU with its cycles (docs/top.md) behind struct gmmu_dut: the invalidation
 * sequencer (docs/invalidate.md) and the wires between the blocks of timed_blocks.h.
 */
#include "timed/timed.h"

#include <stdlib.h>
#include <string.h>

#include "timed/timed_blocks.h"

/** Registered state of the sequencer: what it does in this cycle. */
enum inv_state {
  INV_IDLE,
  INV_LOAD,
  INV_MARK,
  INV_SWEEP,
  INV_WAIT_L2,
  INV_CLEAR,
  INV_WAIT_L1,
  INV_DONE
};

struct timed {
  struct gmmu_config cfg;
  int num_sms;
  uint64_t cycle;
  enum inv_state inv;
  bool swept; /* the L2 is done, the walker's cache not yet */
  bool stale; /* in the cycle before a miss was stale */
  struct gmmu_inv_cmd cmd;
  struct timed_l1 l1[GMMU_MAX_SMS];
  struct timed_l2 l2;
  struct timed_walker walker;
  struct timed_tokens tokens;
  struct timed_l2_answer answer[GMMU_MAX_SMS];
  struct timed_tell tell[GMMU_MAX_SMS]; /* reports that the L2 accepts in this cycle */
  struct gmmu_events unseen;            /* when the caller wants no events */
};

static struct timed_pulses pulses(const struct timed *t) {
  return (struct timed_pulses){t->inv == INV_MARK, t->inv == INV_SWEEP, t->inv == INV_CLEAR,
                               t->cmd};
}

static void timed_eval(void *h, struct gmmu_pins *p) {
  struct timed *t = h;
  struct timed_pulses pulse = pulses(t);
  const struct timed_walker *w = &t->walker;

  for (int i = 0; i < t->num_sms; i++) {
    p->req_ready[i] = timed_l1_req_ready(&t->l1[i], &pulse, p->rsp_ready[i], t->cycle);
    p->rsp[i] = t->l1[i].ans;
  }
  p->mem_req.valid = w->req_valid;
  p->mem_req.addr = w->req.addr;
  p->mem_req.id = w->req.slot;
  p->mem_req.depth = w->req.depth;
  p->mem_req.upd = w->req.upd;
  p->mem_req.old = w->req.old;
  p->mem_req.set = w->req.set;
  memcpy(p->app_misses, t->l2.tlb->share.used, (size_t)t->cfg.NumAsids);
  p->inv_ready = t->inv == INV_IDLE && !t->stale;
  p->inv_done = t->inv == INV_DONE;
}

static void step_inv(struct timed *t, const struct gmmu_pins *p, bool l2_done, bool walk_busy,
                     bool l1_busy) {
  switch (t->inv) {
    case INV_IDLE:
      if (!p->inv.valid || t->stale) break;
      t->cmd = gmmu_inv_normal(&p->inv, (int)t->cfg.AsidW);
      t->inv = INV_LOAD;
      break;
    case INV_LOAD: t->inv = INV_MARK; break;
    case INV_MARK: t->inv = INV_SWEEP; break;
    case INV_SWEEP: t->inv = INV_WAIT_L2; break;
    case INV_WAIT_L2:
      if ((l2_done || t->swept) && !walk_busy) t->inv = INV_CLEAR;
      t->swept |= l2_done;
      break;
    case INV_CLEAR:
      t->swept = false;
      t->inv = INV_WAIT_L1;
      break;
    case INV_WAIT_L1:
      if (!l1_busy) t->inv = INV_DONE;
      break;
    default: t->inv = INV_IDLE;
  }
}

/** All L1s; returns the number of requests that the L2 accepts, and whether any L1 was busy. */
static int step_l1s(struct timed *t, const struct gmmu_pins *p, const struct timed_pulses *pulse,
                    uint64_t answers, struct gmmu_l2_req *req, bool *busy, struct gmmu_events *ev) {
  struct timed_l1_in in = {.env = p->env, .pulse = pulse, .cycle = t->cycle};
  int n = 0;

  *busy = false;
  for (int i = 0; i < t->num_sms; i++) {
    struct timed_l1 *l = &t->l1[i];
    if (!(answers >> i & 1)) t->answer[i].valid = false;
    in.l2_ready = timed_l2_ready(&t->l2, i);
    in.tell_ready = !(t->l2.tells >> i & 1);
    in.req = &p->req[i];
    in.answer = &t->answer[i];
    in.rsp_ready = p->rsp_ready[i];
    *busy |= l->busy;
    if (l->send_valid && in.l2_ready) req[n++] = l->send;
    timed_l1_step(l, &in, &t->tell[i], &ev->l1[i]);
  }
  return n;
}

/** As in this cycle. */
static bool any_stale(const struct timed *t) {
  bool stale = gmmu_l2_stale(t->l2.tlb);
  for (int i = 0; i < t->num_sms && !stale; i++) stale = gmmu_l1_stale(t->l1[i].tlb);
  return stale;
}

static void timed_clock(void *h, struct gmmu_pins *p, struct gmmu_events *events) {
  struct timed *t = h;
  struct gmmu_events *ev = events ? events : &t->unseen;
  struct timed_pulses pulse = pulses(t);
  struct gmmu_l2_req req[GMMU_MAX_SMS];
  struct timed_l2_in l2 = {
      .env = p->env, .pulse = &pulse, .req = req, .tell = t->tell, .cycle = t->cycle};
  struct timed_walker_in w = {.env = p->env, .pins = p, .pulse = &pulse, .cycle = t->cycle};
  struct timed_l2_out out;
  bool busy, l2_done = t->l2.done, stale = any_stale(t);
  bool walk_busy = timed_walker_busy(&t->walker) ||
                   (t->inv == INV_WAIT_L2 && gmmu_walker_stale_update(&t->walker.w));

  memset(ev->l1, 0, (size_t)t->num_sms * sizeof ev->l1[0]);
  memset(&ev->l2, 0, sizeof ev->l2);
  memset(&ev->walk, 0, sizeof ev->walk);
  memset(&ev->token, 0, sizeof ev->token);
  ev->inv = t->cmd;
  ev->inv.valid = t->inv != INV_IDLE;
  l2.reqs = step_l1s(t, p, &pulse, timed_l2_answers(&t->l2, t->cycle, t->answer), req, &busy, ev);
  l2.fin = t->walker.fins ? &t->walker.fin[t->walker.fin_head] : NULL;
  l2.tokens = t->cfg.FillTokens ? &t->tokens.t : NULL;
  timed_l2_step(&t->l2, &l2, &out, &ev->l2);
  for (int i = 0; i < 2; i++) {
    const struct gmmu_l2_lookup *p = &ev->l2.port[i];
    if (p->valid && (p->outcome == GMMU_L2_MISS_ALLOC || p->outcome == GMMU_L2_MISS_MERGE))
      timed_l1_taken(&t->l1[p->sm], p->l1_mshr, p->mshr);
  }
  w.fin_taken = out.fin_taken;
  w.alloc = out.alloc;
  w.alloc_mshr = out.alloc_mshr;
  w.alloc_asid = out.alloc_asid;
  w.alloc_vfn = out.alloc_vfn;
  w.alloc_store = out.alloc_store;
  timed_walker_step(&t->walker, &w, &ev->walk);
  if (t->cfg.FillTokens) timed_tokens_step(&t->tokens, t->cycle, p, ev->l2.port, &ev->token);
  step_inv(t, p, l2_done, walk_busy, busy);
  t->stale = stale;
  t->cycle++;
}

static void timed_reset(void *h, struct gmmu_pins *p) {
  struct timed *t = h;

  (void)p;
  for (int i = 0; i < t->num_sms; i++) timed_l1_reset(&t->l1[i]);
  timed_l2_reset(&t->l2);
  timed_walker_reset(&t->walker, &t->cfg);
  timed_tokens_reset(&t->tokens, &t->cfg);
  t->inv = INV_IDLE;
  t->swept = t->stale = false;
  t->cmd = (struct gmmu_inv_cmd){0};
  t->cycle = 0;
}

static void timed_free(void *h) {
  struct timed *t = h;

  if (!t) return;
  for (int i = 0; i < t->num_sms; i++) gmmu_l1_free(t->l1[i].tlb);
  gmmu_l2_free(t->l2.tlb);
  timed_walker_free(&t->walker);
  free(t);
}

void gmmu_timed_set_memory(struct gmmu_dut *d, const struct gmmu_mem *m) {
  struct timed *t = d->h;
  for (int i = 0; i < t->num_sms; i++) t->l1[i].mem = m;
}

int gmmu_timed_new(struct gmmu_dut *d, const struct gmmu_config *c, struct gmmu_err *err) {
  struct timed *t;
  int bad = 0;

  if (gmmu_config_check(c, err)) return -1;
  t = calloc(1, sizeof *t);
  if (!t) return gmmu_fail(err, "out of memory");
  t->cfg = *c;
  t->num_sms = (int)c->NumSms;
  for (int i = 0; i < t->num_sms; i++) bad |= timed_l1_init(&t->l1[i], c, i);
  bad |= timed_l2_init(&t->l2, c);
  bad |= timed_walker_init(&t->walker, c);
  if (bad) {
    timed_free(t);
    return gmmu_fail(err, "out of memory");
  }
  *d = (struct gmmu_dut){
      .h = t, .eval = timed_eval, .clock = timed_clock, .reset = timed_reset, .free = timed_free};
  return 0;
}
