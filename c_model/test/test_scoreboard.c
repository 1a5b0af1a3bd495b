/* SPDX-License-Identifier: Apache-2.0 */
/** test_scoreboard.c - the scoreboard notices every wrong field, and every wrong order of an
 * invalidation. */
#include "timed_rig.h"

#include "policy/invalidate.h"

/* Each case waits for an event and changes one thing of it. x: what is changed; when: the
 * condition. */
#define L1(when, change)                    \
  do {                                      \
    for (int i = 0; i < 4; i++) {           \
      struct gmmu_l1_event *l = &ev->l1[i]; \
      if (when) {                           \
        change;                             \
        return true;                        \
      }                                     \
    }                                       \
    return false;                           \
  } while (0)
#define ONE(when, change)      \
  do {                         \
    if (!(when)) return false; \
    change;                    \
    return true;               \
  } while (0)
#define IS_LOOK(l) ((l)->op == GMMU_L1_LOOKUP || (l)->op == GMMU_L1_REPLAY)

static bool spoil_l1(int which, struct gmmu_events *ev, struct gmmu_pins *p) {
  switch (which) {
    case 0: L1(IS_LOOK(l), l->vfn ^= 1);
    case 1: L1(IS_LOOK(l), l->asid ^= 1);
    case 2: L1(IS_LOOK(l), l->tag ^= 1);
    case 3: L1(l->op == GMMU_L1_LOOKUP && l->outcome == GMMU_L1_HIT_BASE, l->way ^= 1);
    case 4:
      L1(l->op == GMMU_L1_LOOKUP && l->outcome == GMMU_L1_HIT_LARGE, l->outcome = GMMU_L1_HIT_BASE);
    case 5: L1(IS_LOOK(l) && l->outcome == GMMU_L1_MISS_ALLOC, l->mshr ^= 1);
    case 6: L1(IS_LOOK(l) && l->outcome == GMMU_L1_MISS_MERGE, l->outcome = GMMU_L1_MISS_ALLOC);
    case 7:
      L1(l->op == GMMU_L1_LOOKUP && l->outcome == GMMU_L1_MISS_PARK,
         l->outcome = GMMU_L1_MISS_ALLOC);
    case 8: L1(l->outcome == GMMU_L1_LOCAL_FAULT && l->op, l->outcome = GMMU_L1_MISS_ALLOC);
    case 9: L1(l->op == GMMU_L1_ANSWER, l->stale ^= true);
    case 10: L1(l->op == GMMU_L1_ANSWER && l->fill_base, l->way ^= 1);
    case 11: L1(l->op == GMMU_L1_ANSWER && l->fill_base && !l->overwrite, l->evict ^= true);
    case 12: L1(l->op == GMMU_L1_ANSWER && l->fill_large, l->fill_large = false);
    case 13: L1(l->op == GMMU_L1_ANSWER, l->tag ^= 1);
    case 14: L1(l->op == GMMU_L1_ANSWER_NEXT, l->op = GMMU_L1_ANSWER);
    case 15: L1(l->op == GMMU_L1_ANSWER_NEXT, l->mshr ^= 1);
    case 16: L1(l->op == GMMU_L1_LOOKUP, l->op = GMMU_L1_NONE);
    case 17: L1(l->op == GMMU_L1_NONE, l->op = GMMU_L1_LOOKUP);
    case 18: L1(l->op == GMMU_L1_REPLAY, l->tag ^= 1);
    case 19:
      L1(l->sweep_base,
         l->sweep_base = false); /* noticed at the next visit or the acknowledgement */
    case 20: L1(l->sweep_base, l->cleared_base ^= true);
    case 21: L1(l->sweep_large, l->sweep_large_way ^= 1);
    case 22: L1(l->mark, l->mark = false);
    case 23: L1(l->resend && i, l->resend = false);
    case 24: ONE(p->rsp[1].valid && !p->rsp[1].cause, p->rsp[1].pa ^= 0x1000);
    case 25: ONE(p->rsp[2].valid, p->rsp[2].cause ^= 1);
    case 26: ONE(p->rsp[0].valid, p->rsp[0].tag ^= 1);
    case 27: ONE(p->rsp[0].valid && !p->rsp[0].cause, p->rsp[0].large ^= true);
    case 28: ONE(p->rsp[3].valid, p->rsp[3].valid = false);
    case 29: L1(l->op == GMMU_L1_ANSWER && l->fill_base, l->overwrite ^= true);
    default: return false;
  }
}
#define L1_CASES 30

static bool spoil_rest(int which, struct gmmu_events *ev, struct gmmu_pins *p) {
  struct gmmu_l2_event *l = &ev->l2;
  struct gmmu_walk_event *w = &ev->walk;
  switch (which) {
    case 0: ONE(l->port[0].valid, l->port[0].vfn ^= 1);
    case 1: ONE(l->port[0].valid, l->port[0].asid ^= 1);
    case 2: ONE(l->port[0].valid, l->port[0].sm = 99);
    case 3: ONE(l->port[0].valid, l->port[0].l1_mshr = 99);
    case 4: ONE(l->port[0].valid && l->port[0].outcome == GMMU_L2_HIT_BASE, l->port[0].way ^= 1);
    case 5:
      ONE(l->port[1].valid && l->port[1].outcome == GMMU_L2_HIT_LARGE,
          l->port[1].outcome = GMMU_L2_HIT_BASE);
    case 6: ONE(l->port[1].valid && l->port[1].outcome == GMMU_L2_MISS_MERGE, l->port[1].mshr ^= 1);
    case 7: ONE(l->port[0].valid && l->port[0].outcome == GMMU_L2_MISS_ALLOC, l->port[0].mshr ^= 1);
    case 8:
      ONE(l->port[0].valid && l->port[0].outcome == GMMU_L2_MISS_WAIT,
          l->port[0].outcome = GMMU_L2_MISS_ALLOC);
    case 9: ONE(l->port[0].valid, l->port[0].replay ^= true);
    case 10: ONE(l->fin, l->fin_mshr ^= 1);
    case 11: ONE(l->fin, l->fin_cause ^= 1);
    case 12: ONE(l->fin, l->fin_stale ^= true);
    case 13: ONE(l->fin && l->fill_base, l->fill_way ^= 1);
    case 14: ONE(l->fin && l->fill_large, l->fill_large = false);
    case 15: ONE(l->fin, l->fin_vfn ^= 1);
    case 16: ONE(l->fin && l->fill_base, l->evict ^= true);
    case 17: ONE(l->freed, l->freed_mshr ^= 1);
    case 18: ONE(!l->freed, l->freed = true);
    case 19: ONE(l->sweep, l->sweep_set ^= 1);
    case 20: ONE(l->sweep, l->sweep_cleared ^= 2);
    case 21: ONE(l->sweep_large, l->sweep_large = false);
    case 22: ONE(l->sweep_large, l->cleared_large ^= true);
    case 23: ONE(l->mark, l->mark = false);
    case 24: ONE(!l->mark, l->mark = true);
    case 25: ONE(w->start, w->start_slot ^= 1);
    case 26: ONE(w->start, w->start_mshr ^= 1);
    case 27: ONE(w->start, w->start_vfn ^= 1);
    case 28: ONE(w->start, w->start_queued ^= true);
    case 29: ONE(w->start, w->start = false);
    case 30: ONE(w->step, w->step_slot ^= 1);
    case 31: ONE(w->step, w->step_done ^= true);
    case 32: ONE(w->step, w->step_restart ^= true);
    case 33: ONE(w->step, w->step_depth ^= 1);
    case 34: ONE(w->step && w->step_done, w->step_cause ^= 1);
    case 35: ONE(w->step, w->step = false);
    case 36: ONE(w->mark, w->mark = false);
    case 37: ONE(p->mem_req.valid, p->mem_req.addr ^= 8);
    case 38: ONE(p->mem_req.valid, p->mem_req.depth ^= 1);
    case 39: ONE(p->mem_rsp.valid && !p->mem_rsp.err, p->mem_rsp.data ^= 1);
    case 40: ONE(p->mem_req.valid, p->mem_req.id ^= 1);
    case 41: ONE(p->inv_done, p->inv_done = false);
    case 42: ONE(ev->l1[0].resend, p->inv_done = true); /* before the L1s' sweeps */
    case 43: ONE(!w->root_end, w->root_end = true);
    default: return false;
  }
}
#define REST_CASES 44

static void spoil_with(bool (*spoil)(int, struct gmmu_events *, struct gmmu_pins *), int cases) {
  for (int n = 0; n < cases; n++) {
    struct gmmu_config c;
    struct rig *r = malloc(sizeof *r);
    gmmu_config_default(&c);
    c.NumSms = 4, c.NumAsids = 4, c.L1BaseEntries = 4, c.L1LargeEntries = 2, c.L1Mshrs = 3,
    c.L2Entries = 16;
    c.L2Ways = 4, c.L2LargeEntries = 2, c.L2Mshrs = 5, c.Walks = 4, c.TagW = 5;
    rig_open(r, &c, 100 + (uint64_t)n);
    r->spoil = spoil;
    r->which = n;
    r->ready_pct = 80;
    r->pte.latency = 2; /* so that much happens in few cycles */
    for (int i = 0; i < 20000 && !r->spoiled; i++) {
      if (i % 300 == 299 && !r->pins.inv.valid)
        r->pins.inv = (struct gmmu_inv_cmd){.valid = true, .asid = 1};
      if (i < 1000)
        r->spoiled = true; /* warm up: rig_compare() leaves alone what is spoiled already */
      rig_cycle(r);
      if (i < 1000) {
        assert_int_equal(r->mismatches, 0);
        r->spoiled = false;
      }
    }
    if (!r->spoiled) fail_msg("case %d never came up", n);
    r->pins.inv = (struct gmmu_inv_cmd){.valid = true}; /* brings a missed step to light */
    for (int i = 0; i < 600 && !r->mismatches; i++) rig_cycle(r);
    if (!r->mismatches) fail_msg("case %d was not noticed", n);
    rig_close(r);
    free(r);
  }
}

static void notices_wrong_l1_and_answers(void **state) {
  (void)state;
  spoil_with(spoil_l1, L1_CASES);
}

static void notices_wrong_l2_walker_invalidation(void **state) {
  (void)state;
  spoil_with(spoil_rest, REST_CASES);
}

static void order_of_an_invalidation(void **state) {
  struct gmmu_config c;
  struct gmmu_inv_order o;
  struct gmmu_inv_cmd cmd = {.valid = true, .kind = 3, .asid = 0xfff, .hi_vfn = ~0ull};

  (void)state;
  gmmu_config_default(&c);
  c.NumSms = 1, c.L1BaseEntries = 2, c.L1LargeEntries = 0, c.L2Entries = 4, c.L2Ways = 2,
  c.L2LargeEntries = 2;
  gmmu_inv_order_init(&o, &c);
  assert_non_null(gmmu_inv_acknowledge(&o));
  assert_false(gmmu_inv_visit(&o.sets, 0));
  assert_null(gmmu_inv_accept(&o, &cmd, 9));
  assert_true(o.cmd.kind == GMMU_INV_ALL && o.cmd.asid == 0x1ff &&
              o.cmd.hi_vfn == (1ull << 36) - 1);
  assert_null(gmmu_inv_mark(&o));
  assert_true(gmmu_inv_visit(&o.sets, 0));
  assert_false(gmmu_inv_visit(&o.sets, 0));
  assert_true(gmmu_inv_visit(&o.sets, 1));
  assert_non_null(gmmu_inv_clear_l1s(&o)); /* the large way is missing */
  assert_true(gmmu_inv_visit(&o.sm_base[0], 0));
  assert_non_null(gmmu_inv_acknowledge(&o));
  gmmu_inv_accept(&o, &cmd, 9);
  assert_non_null(gmmu_inv_accept(&o, &cmd, 9));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(notices_wrong_l1_and_answers),
      cmocka_unit_test(notices_wrong_l2_walker_invalidation),
      cmocka_unit_test(order_of_an_invalidation),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
