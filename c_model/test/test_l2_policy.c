/* SPDX-License-Identifier: Apache-2.0 */
/** test_l2_policy.c - each rule of docs/l2_tlb.md, "Policy". */
#include "policy/l2_tlb.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

struct fix {
  struct gmmu_config c;
  struct gmmu_env e;
  struct gmmu_l2_tlb *l;
  struct gmmu_l2_result r;
  struct gmmu_fill f;
};

/** 4 sets of 2 ways, 2 large; ASIDs 0 to on-1 are on. */
static void open(struct fix *x, int mshrs, int on) {
  memset(x, 0, sizeof *x);
  gmmu_config_default(&x->c);
  x->c.L2Entries = 8;
  x->c.L2Ways = 2;
  x->c.L2LargeEntries = 2;
  x->c.L2Mshrs = mshrs;
  gmmu_env_from_config(&x->e, &x->c);
  for (int i = 0; i < on; i++) x->e.ctx[i].mode = GMMU_MODE_SV48;
  x->l = gmmu_l2_new(&x->c);
  x->l->share.on = gmmu_share_contexts(&x->e);
}

static int look(struct fix *x, int sm, int asid, uint64_t vfn) {
  struct gmmu_l2_req q = {
      .sm = (uint8_t)sm, .l1_mshr = (uint8_t)(sm + 1), .asid = (uint16_t)asid, .vfn = vfn};
  gmmu_l2_lookup(x->l, &q, true, &x->r);
  return x->r.outcome;
}

static void finish(struct fix *x, int mshr, uint64_t pfn, bool large) {
  struct gmmu_tlb_data d = {.pfn = pfn, .large = large};
  gmmu_l2_finish(x->l, mshr, &d, true, &x->f);
}

static void fill(struct fix *x, int asid, uint64_t vfn, bool large) {
  assert_int_equal(look(x, 0, asid, vfn), GMMU_L2_MISS_ALLOC);
  finish(x, x->r.mshr, vfn + 0x1000, large);
  assert_true(gmmu_l2_served(x->l, x->r.mshr, 1, true));
}

static void sets_ways_and_large(void **state) {
  struct fix x;
  (void)state;
  open(&x, 4, 2);
  fill(&x, 0, 0x1001, false);
  assert_true(x.f.base && x.f.way == 0 && !x.f.evict);
  fill(&x, 0, 0x2001, false);
  assert_true(x.f.way == 1);
  fill(&x, 0, 0x1002, false);
  assert_true(x.f.way == 0); /* another set */
  assert_int_equal(look(&x, 0, 0, 0x1001), GMMU_L2_HIT_BASE);
  assert_true(x.r.way == 0 && x.r.data.pfn == 0x2001);
  fill(&x, 0, 0x3001, false);
  assert_true(x.f.way == 1 && x.f.evict);
  fill(&x, 0, 0x1a05, true);
  assert_true(x.f.large && !x.f.base && x.f.way == 0);
  assert_int_equal(look(&x, 3, 0, 0x1bff), GMMU_L2_HIT_LARGE);
  assert_int_equal(look(&x, 3, 1, 0x1bff), GMMU_L2_MISS_ALLOC);
  gmmu_l2_free(x.l);
}

static void merge_wait_and_done(void **state) {
  struct fix x;
  (void)state;
  open(&x, 4, 1);
  assert_int_equal(look(&x, 0, 0, 5), GMMU_L2_MISS_ALLOC);
  assert_int_equal(look(&x, 2, 0, 5), GMMU_L2_MISS_MERGE);
  assert_int_equal(x.r.mshr, 0);
  assert_int_equal(look(&x, 2, 0, 5), GMMU_L2_MISS_WAIT); /* its waiting bit is set */
  assert_int_equal(x.l->mshr[0].waiting, 5);
  assert_int_equal(x.l->mshr[0].l1_mshr[2], 3);
  struct gmmu_tlb_data fault = {.cause = GMMU_PF_INVALID};
  gmmu_l2_finish(x.l, 0, &fault, true, &x.f);
  assert_false(x.f.base || x.f.large);
  assert_int_equal(look(&x, 3, 0, 5), GMMU_L2_MISS_ALLOC); /* done: no merges */
  assert_int_equal(x.r.mshr, 1);
  assert_false(gmmu_l2_served(x.l, 0, 1, true));
  assert_int_equal(look(&x, 4, 0, 6), GMMU_L2_MISS_ALLOC); /* not free before its last waiter */
  assert_int_equal(x.r.mshr, 2);
  assert_true(gmmu_l2_served(x.l, 0, 4, true));
  assert_int_equal(look(&x, 4, 0, 7), GMMU_L2_MISS_ALLOC);
  assert_int_equal(x.r.mshr, 0);
  gmmu_l2_free(x.l);
}

static void every_application_gets_one(void **state) {
  struct fix x;
  struct gmmu_l2_req q = {.sm = 1, .asid = 2, .vfn = 77};
  (void)state;
  open(&x, 4, 3);
  assert_int_equal(look(&x, 0, 0, 1), GMMU_L2_MISS_ALLOC); /* free 4 */
  assert_int_equal(look(&x, 0, 0, 2), GMMU_L2_MISS_ALLOC); /* free 3 > 2 without */
  assert_int_equal(look(&x, 0, 0, 3), GMMU_L2_MISS_WAIT);  /* free 2, 2 without */
  assert_int_equal(look(&x, 1, 1, 4), GMMU_L2_MISS_ALLOC);
  assert_int_equal(look(&x, 0, 0, 3), GMMU_L2_MISS_WAIT); /* free 1, 1 without */
  gmmu_l2_lookup(x.l, &q, false, &x.r);                   /* port 0 allocated */
  assert_int_equal(x.r.outcome, GMMU_L2_MISS_WAIT);
  x.e.ctx[2].mode = GMMU_MODE_OFF; /* off: nothing is kept for it, as soon as that is known */
  gmmu_share_cycle(&x.l->share, &x.e);
  assert_int_equal(look(&x, 0, 0, 3), GMMU_L2_MISS_WAIT);
  for (int i = 0; i < 2; i++) gmmu_share_know(&x.l->share, gmmu_share_contexts(&x.e));
  assert_int_equal(look(&x, 0, 0, 3), GMMU_L2_MISS_ALLOC);
  assert_int_equal(look(&x, 0, 0, 9), GMMU_L2_MISS_WAIT);
  gmmu_l2_free(x.l);
}

/* Which contexts are on is known two cycles later; when that changes, only who has none may. */
static void contexts_are_known_later(void **state) {
  struct fix x;
  struct gmmu_share s = {.free = 3, .used = {1}};

  (void)state;
  open(&x, 4, 2);
  for (int i = 0; i < 4; i++) gmmu_share_cycle(&s, &x.e);
  assert_true(s.on == 3 && !s.unsettled && gmmu_share_beyond(&s) == 2);
  x.e.ctx[2].mode = x.e.ctx[3].mode = GMMU_MODE_SV48;
  for (int i = 0; i < 2; i++) {
    gmmu_share_cycle(&s, &x.e);
    assert_true(s.on == 3 && gmmu_share_at_least(&s, 2) && !gmmu_share_at_least(&s, 3));
    assert_true(gmmu_share_all(&s, 4) == ~0ull);
  }
  gmmu_share_cycle(&s, &x.e);
  assert_true(s.on == 15 && s.unsettled && gmmu_share_beyond(&s) == 0);
  x.e.ctx[3].mode = GMMU_MODE_OFF;
  for (int i = 0; i < 2; i++) gmmu_share_cycle(&s, &x.e);
  assert_true(s.on == 15 && !s.unsettled && !gmmu_share_may_take(&s, 0));
  gmmu_share_cycle(&s, &x.e);
  assert_true(s.on == 7 && s.unsettled && gmmu_share_beyond(&s) == 1);
  assert_true(!gmmu_share_may_take(&s, 0) && gmmu_share_may_take(&s, 1));
  assert_true(gmmu_share_all(&s, 4) == 14);
  gmmu_share_cycle(&s, &x.e);
  assert_true(!s.unsettled && gmmu_share_may_take(&s, 0) && gmmu_share_all(&s, 4) == ~0ull);
  s.free = 0;
  assert_true(!gmmu_share_may_take(&s, 1) && gmmu_share_all(&s, 4) == 0);
  gmmu_l2_free(x.l);
}

static void stale_and_sweep(void **state) {
  struct fix x;
  struct gmmu_inv_cmd range = {
      .kind = GMMU_INV_RANGE, .asid = 0, .lo_vfn = 0x1001, .hi_vfn = 0x1001};
  (void)state;
  open(&x, 8, 2);
  fill(&x, 0, 0x1001, false);
  fill(&x, 1, 0x1001, false);
  fill(&x, 0, 0x1111, true); /* LFN 8, as the range */
  assert_int_equal(look(&x, 0, 0, 0x1001), GMMU_L2_HIT_LARGE);
  assert_int_equal(look(&x, 0, 0, 0x2000), GMMU_L2_MISS_ALLOC); /* MSHR 0, another frame */
  gmmu_tlb_clear(x.l->large, 0);
  assert_int_equal(look(&x, 0, 0, 0x1005), GMMU_L2_MISS_ALLOC); /* MSHR 1, same frame */
  gmmu_l2_mark(x.l, &range);
  assert_true(!x.l->mshr[0].stale && x.l->mshr[1].stale);
  assert_int_equal(look(&x, 3, 0, 0x1005), GMMU_L2_MISS_ALLOC); /* no merge into a stale one */
  finish(&x, 1, 1, false);
  assert_false(x.f.base);
  assert_int_equal(gmmu_l2_sweep_set(x.l, 0, &range), 0);
  assert_int_equal(gmmu_l2_sweep_set(x.l, 1, &range), 1); /* way 0: ASID 0; way 1 is ASID 1's */
  assert_int_equal(gmmu_l2_sweep_set(x.l, 1, &range), 0);
  assert_int_equal(look(&x, 0, 1, 0x1001), GMMU_L2_HIT_BASE);
  assert_false(gmmu_l2_large_matches(x.l, 0, &range));
  fill(&x, 0, 0x1111, true);
  assert_true(gmmu_l2_large_matches(x.l, 0, &range));
  gmmu_l2_free(x.l);
}

static void warps_add_up(void **state) {
  struct fix x;
  (void)state;
  open(&x, 4, 2);
  assert_int_equal(look(&x, 3, 0, 0x10), GMMU_L2_MISS_ALLOC);
  assert_int_equal(look(&x, 5, 0, 0x10), GMMU_L2_MISS_MERGE);
  assert_true(gmmu_l2_tell(x.l, 0, 3, 40));
  assert_false(gmmu_l2_tell(x.l, 0, 4, 1)); /* does not wait there */
  assert_int_equal(x.l->mshr[0].warps, 40);
  assert_true(gmmu_l2_tell(x.l, 0, 5, 23));
  assert_int_equal(x.l->mshr[0].warps, 63);
  assert_true(gmmu_l2_tell(x.l, 0, 5, 1));
  assert_int_equal(x.l->mshr[0].warps, 63);
  finish(&x, 0, 1, false);
  assert_false(gmmu_l2_tell(x.l, 0, 3, 1)); /* late */
  assert_true(gmmu_l2_served(x.l, 0, 1 << 3 | 1 << 5, true));
  assert_int_equal(look(&x, 3, 0, 0x11), GMMU_L2_MISS_ALLOC);
  assert_int_equal(x.l->mshr[0].warps, 0);
  gmmu_l2_free(x.l);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sets_ways_and_large),
      cmocka_unit_test(merge_wait_and_done),
      cmocka_unit_test(every_application_gets_one),
      cmocka_unit_test(contexts_are_known_later),
      cmocka_unit_test(stale_and_sweep),
      cmocka_unit_test(warps_add_up),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
