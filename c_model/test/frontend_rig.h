/* SPDX-License-Identifier: Apache-2.0 */
/* frontend_rig.h - what the tests of the SM front end have in common: a device that answers every
 * request after a fixed time, small traces. */
#ifndef GMMU_TEST_FRONTEND_RIG_H
#define GMMU_TEST_FRONTEND_RIG_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "frontend/frontend.h"

#define MAX_LOG 4096

/** Answers each request `latency` cycles after its handshake, PA = VA (48 bits). */
struct rig {
  struct gmmu_config cfg;
  struct gmmu_trace *trace[2];
  struct gmmu_fe *fe;
  struct gmmu_pins pins;
  struct gmmu_fe_answer ans[GMMU_MAX_SMS];
  uint64_t cycle, latency, ready_from; /* ready_from: requests are accepted from this cycle on */
  uint8_t cause;
  bool restart;
  int sms[2];     /* shares, if given */
  uint64_t frame; /* of all answers, if not 0 */
  struct sent {
    uint64_t cycle, va, due;
    int sm;
    struct gmmu_req q;
    bool done;
  } log[MAX_LOG], *answered[GMMU_MAX_SMS]; /* answered: in this cycle */
  int n, answers;
};

static inline struct rig *rig_new(void) {
  struct rig *r = calloc(1, sizeof *r);

  assert_non_null(r);
  gmmu_config_default(&r->cfg);
  r->cfg.NumSms = 1;
  r->latency = 5;
  return r;
}

static inline void rig_start(struct rig *r, int apps) {
  struct gmmu_fe_app a[2];
  struct gmmu_err err = {""};

  for (int i = 0; i < apps; i++)
    a[i] = (struct gmmu_fe_app){.trace = r->trace[i], .asid = i + 3, .sms = r->sms[i]};
  r->fe = gmmu_fe_new(&r->cfg, a, apps, r->restart, &err);
  if (!r->fe) fail_msg("%s", err.msg);
}

static inline void rig_free(struct rig *r) {
  gmmu_fe_free(r->fe);
  for (int i = 0; i < 2; i++)
    if (r->trace[i]) gmmu_trace_free(r->trace[i]);
  free(r);
}

static inline void answer(struct rig *r, int sm) {
  struct gmmu_rsp *p = &r->pins.rsp[sm];

  p->valid = false;
  for (int i = 0; i < r->n && !p->valid; i++)
    if (!r->log[i].done && r->log[i].sm == sm && r->log[i].due <= r->cycle) {
      r->log[i].done = true;
      *p = (struct gmmu_rsp){.valid = true,
                             .tag = r->log[i].q.tag,
                             .cause = r->cause,
                             .pa = r->cause   ? 0
                                   : r->frame ? r->frame << 12 | (r->log[i].q.va & 4095)
                                              : r->log[i].q.va & 0xffffffffffffull};
      r->answered[sm] = &r->log[i];
    }
}

/* What the front end says of an answer is what it sent: requests are numbered as they were
 * accepted. */
static inline void check_answer(const struct rig *r, const struct gmmu_fe_answer *a) {
  const struct sent *s = r->answered[a->sm];

  assert_true(a->seq == (uint64_t)(s - r->log) && a->va == s->va && a->accepted == s->cycle);
  assert_true(a->first <= a->accepted && a->rsp.tag == s->q.tag && a->user);
  assert_true(a->warp == s->q.warp && a->asid == s->q.asid && a->access == s->q.access);
}

static inline void rig_cycle(struct rig *r) {
  int n;

  gmmu_fe_drive(r->fe, &r->pins);
  for (int i = 0; i < r->cfg.NumSms; i++) {
    answer(r, i);
    r->pins.req_ready[i] = r->cycle >= r->ready_from;
    if (r->pins.req[i].valid && r->pins.req_ready[i]) {
      assert_true(r->n < MAX_LOG);
      r->log[r->n++] = (struct sent){.cycle = r->cycle,
                                     .va = r->pins.req[i].va,
                                     .due = r->cycle + r->latency,
                                     .sm = i,
                                     .q = r->pins.req[i]};
    }
  }
  n = gmmu_fe_step(r->fe, r->cycle, &r->pins, r->ans);
  for (int i = 0; i < n; i++) check_answer(r, &r->ans[i]);
  r->answers += n;
  r->cycle++;
}

static inline void rig_run(struct rig *r) {
  while (!gmmu_fe_done(r->fe)) {
    assert_true(r->cycle < 100000);
    rig_cycle(r);
  }
  assert_int_equal(r->answers, r->n);
  assert_int_equal(gmmu_fe_get_counts(r->fe)->answers, r->n);
  assert_int_equal(gmmu_fe_get_counts(r->fe)->stray, 0);
  assert_true(gmmu_fe_ok(r->fe));
}

/* ---------------------------------------- small traces */
struct maker {
  struct gmmu_trace_builder *b;
  struct gmmu_trace_sink s;
};

static inline struct maker make(uint32_t blocks, uint32_t warps) {
  struct maker m = {.b = gmmu_trace_builder_new("test")};

  m.s = gmmu_trace_builder_sink(m.b);
  assert_int_equal(m.s.launch(m.s.arg, "k", blocks, warps), 0);
  return m;
}

static inline void op(struct maker *m, int access, int lanes, uint64_t va, uint64_t stride) {
  struct gmmu_op o = {.access = (uint8_t)access, .bytes = 4, .lanes = (uint8_t)lanes};

  for (int i = 0; i < lanes; i++) o.addr[i] = va + (uint64_t)i * stride;
  assert_int_equal(m->s.op(m->s.arg, &o), 0);
}

static inline void gap(struct maker *m, uint32_t cycles) {
  struct gmmu_op o = {.access = GMMU_OP_GAP, .gap = cycles};

  assert_int_equal(m->s.op(m->s.arg, &o), 0);
}

static inline void warp(struct maker *m, uint32_t block, uint32_t w) {
  assert_int_equal(m->s.warp(m->s.arg, block, w), 0);
}

static inline struct gmmu_trace *made(struct maker *m) {
  struct gmmu_err err = {""};
  struct gmmu_trace *t = gmmu_trace_builder_finish(m->b, &err);

  if (!t) fail_msg("%s", err.msg);
  return t;
}

#endif
