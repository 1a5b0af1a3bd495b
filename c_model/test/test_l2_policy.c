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

static void build(struct fix *x, int64_t unified, int64_t colt, int64_t bypass) {
  open(x, 4, 2);
  gmmu_l2_free(x->l);
  x->c.L2Unified = unified;
  x->c.L2LargeEntries = unified ? 0 : 2;
  x->c.Colt = colt;
  x->c.BypassEntries = bypass;
  x->l = gmmu_l2_new(&x->c);
  assert_non_null(x->l);
  x->l->share.on = gmmu_share_contexts(&x->e);
}
static void fill_data(struct fix *x, int asid, uint64_t vfn, struct gmmu_tlb_data d, bool token) {
  assert_int_equal(look(x, 0, asid, vfn), GMMU_L2_MISS_ALLOC);
  gmmu_l2_finish(x->l, x->r.mshr, &d, token, &x->f);
  assert_true(gmmu_l2_served(x->l, x->r.mshr, 1, true));
}

/* The unified array holds pages, runs of subregions and frames. */
static void unified(void **state) {
  struct gmmu_inv_cmd one = {.kind = GMMU_INV_RANGE, .asid = 0, .lo_vfn = 0x1050, .hi_vfn = 0x1050};
  struct fix x;
  (void)state;
  build(&x, 1, 0, 0);
  fill_data(&x, 0, 0x1001, (struct gmmu_tlb_data){.pfn = 0x77}, true);
  assert_int_equal(look(&x, 1, 0, 0x1001), GMMU_L2_HIT_BASE);
  assert_int_equal(x.r.data.pfn, 0x77);
  /* subregions 1 to 3 of the frame, filled by a walk of page 0x1085 in the middle one */
  fill_data(&x, 0, 0x1085, (struct gmmu_tlb_data){.pfn = 0x5085, .sub = true, .start = 1, .len = 2},
            true);
  assert_true(x.f.sub);
  for (uint64_t vfn = 0x1040; vfn < 0x1100; vfn += 13) {
    assert_int_equal(look(&x, 1, 0, vfn), GMMU_L2_HIT_SUB);
    assert_true(x.r.data.pfn == vfn + 0x4000 && x.r.way < 2);
  }
  assert_int_equal(look(&x, 1, 1, 0x1085), GMMU_L2_MISS_ALLOC);
  assert_int_equal(look(&x, 1, 0, 0x103f), GMMU_L2_MISS_ALLOC);
  assert_int_equal(look(&x, 1, 0, 0x1100), GMMU_L2_MISS_ALLOC);
  gmmu_l2_free(x.l);
  build(&x, 1, 0, 0);
  fill_data(&x, 0, 0x1034, (struct gmmu_tlb_data){.pfn = 0x4000, .large = true}, true);
  assert_int_equal(look(&x, 1, 0, 0x11ff), GMMU_L2_HIT_LARGE);
  assert_true(x.r.data.pfn == 0x4000 && x.r.data.large);
  assert_int_equal(look(&x, 1, 0, 0x1200), GMMU_L2_MISS_ALLOC);
  for (int set = 0; set < 4; set++) gmmu_l2_sweep_set(x.l, set, &one);
  assert_int_equal(look(&x, 1, 0, 0x11ff), GMMU_L2_MISS_ALLOC);
  gmmu_l2_free(x.l);
}

/* A walk that answered early serves the pages of its subregion until its run is filled. */
static void early_answers(void **state) {
  struct gmmu_inv_cmd all = {.kind = GMMU_INV_ALL};
  struct gmmu_tlb_data d = {.pfn = 0x5005, .early = true, .r = true};
  struct fix x;
  (void)state;
  for (int marked = 0; marked < 2; marked++) {
    build(&x, 1, 0, 0);
    assert_int_equal(look(&x, 0, 0, 0x2000), GMMU_L2_MISS_ALLOC);
    assert_int_equal(look(&x, 0, 0, 0x1005), GMMU_L2_MISS_ALLOC);
    gmmu_l2_finish(x.l, 1, &d, true, &x.f);
    assert_false(x.f.base || x.f.large);
    assert_int_equal(look(&x, 2, 0, 0x103f), GMMU_L2_HIT_RUN);
    assert_true(x.r.data.pfn == 0x503f && x.r.data.r && !x.r.data.early);
    assert_int_equal(look(&x, 2, 0, 0x1000), GMMU_L2_HIT_RUN);
    assert_int_equal(x.r.data.pfn, 0x5000);
    assert_int_equal(look(&x, 2, 1, 0x1005), GMMU_L2_MISS_ALLOC); /* another ASID */
    assert_true(gmmu_l2_served(x.l, 1, 1, false));
    assert_true(x.l->mshr[1].valid);
    if (marked) {
      gmmu_l2_mark(x.l, &all);
      assert_int_equal(look(&x, 2, 0, 0x1000), GMMU_L2_MISS_ALLOC);
      gmmu_l2_free(x.l);
      continue;
    }
    assert_int_equal(look(&x, 2, 0, 0x1040), GMMU_L2_MISS_ALLOC); /* another subregion */
    struct gmmu_tlb_data run = {.pfn = 0x5005, .run_only = true, .sub = true};
    gmmu_l2_finish(x.l, 1, &run, true, &x.f);
    assert_true(gmmu_l2_served(x.l, 1, 0, true));
    assert_int_equal(look(&x, 2, 0, 0x1000), GMMU_L2_HIT_SUB);
    assert_false(x.r.data.run_only);
    gmmu_l2_free(x.l);
  }
}

static void groups_of_pages(void **state) {
  struct gmmu_inv_cmd one = {.kind = GMMU_INV_RANGE, .asid = 0, .lo_vfn = 0x1016, .hi_vfn = 0x1016};
  struct fix x;
  (void)state;
  build(&x, 0, 2, 0);
  for (uint64_t vfn = 0x1004; vfn <= 0x1014; vfn += 16)
    fill_data(&x, 0, vfn + 2, (struct gmmu_tlb_data){.pfn = vfn + 0x2002, .group = 15}, true);
  for (uint64_t vfn = 0x1004; vfn < 0x1018; vfn += (vfn & 3) == 3 ? 13 : 1) {
    assert_int_equal(look(&x, 1, 0, vfn), GMMU_L2_HIT_BASE);
    assert_true(x.r.data.pfn == vfn + 0x2000 && x.r.way == (vfn >= 0x1014));
  }
  /* set 1 of 4 by the group's number; way 1 loses a page of its four */
  assert_int_equal(gmmu_l2_sweep_set(x.l, 0, &one), 0);
  assert_int_equal(gmmu_l2_sweep_set(x.l, 1, &one), 2);
  assert_int_equal(look(&x, 1, 0, 0x1016), GMMU_L2_MISS_ALLOC);
  assert_int_equal(look(&x, 1, 0, 0x1017), GMMU_L2_HIT_BASE);
  gmmu_l2_reset(x.l);
  x.l->share.on = gmmu_share_contexts(&x.e);
  assert_int_equal(look(&x, 1, 0, 0x1017), GMMU_L2_MISS_ALLOC);
  assert_int_equal(x.r.mshr, 0);
  gmmu_l2_free(x.l);
}

/* Without a token a translation goes to the bypass cache; with one it leaves that. */
static void without_a_token(void **state) {
  struct gmmu_inv_cmd other = {.kind = GMMU_INV_ASID, .asid = 1}, own = {.kind = GMMU_INV_ASID};
  struct gmmu_tlb_data d = {.pfn = 9};
  struct fix x;
  (void)state;
  build(&x, 0, 0, 4);
  fill_data(&x, 0, 0x1001, d, false);
  assert_true(x.f.bypass && !x.f.base && x.f.left == 0 && x.f.dropped == 0);
  assert_int_equal(look(&x, 1, 0, 0x1001), GMMU_L2_HIT_BYPASS);
  assert_int_equal(x.r.data.pfn, 9);
  assert_true(gmmu_l2_bypass_matches(x.l, 0, &own) && !gmmu_l2_bypass_matches(x.l, 0, &other) &&
              !gmmu_l2_bypass_matches(x.l, 1, &own));
  gmmu_l2_bypass_drop(x.l, 0);
  assert_int_equal(look(&x, 1, 0, 0x1001), GMMU_L2_MISS_ALLOC);
  struct gmmu_l2_req store = {.sm = 2, .vfn = 0x1001, .store = 2}; /* a miss of its own */
  gmmu_l2_lookup(x.l, &store, true, &x.r);
  assert_true(x.r.outcome == GMMU_L2_MISS_ALLOC && x.r.mshr == 1);
  gmmu_l2_finish(x.l, 0, &d, false, &x.f);
  assert_true(x.f.bypass && x.f.way == 0);
  gmmu_l2_finish(x.l, 1, &d, true, &x.f);
  assert_true(x.f.base && !x.f.bypass && x.f.left == 1);
  assert_false(gmmu_l2_bypass_matches(x.l, 0, &own));
  assert_int_equal(look(&x, 1, 0, 0x1001), GMMU_L2_HIT_BASE);
  gmmu_l2_free(x.l);
  build(&x, 0, 0, 0); /* no bypass cache: it is not kept */
  fill_data(&x, 0, 0x1001, d, false);
  assert_false(x.f.bypass || x.f.base || x.f.large);
  gmmu_l2_free(x.l);
}

/* No arrays at all; a way that is empty matches nothing; a flush is of everything. */
static void bare(void **state) {
  struct gmmu_inv_cmd all = {.kind = GMMU_INV_ALL}, other = {.kind = GMMU_INV_ASID, .asid = 1};
  struct fix x;
  (void)state;
  open(&x, 4, 2);
  assert_false(gmmu_l2_large_matches(x.l, 1, &all));
  fill(&x, 0, 0x1001, false);
  fill(&x, 0, 0x1005, false);
  assert_int_equal(gmmu_l2_sweep_set(x.l, 1, &other), 0);
  x.l->flush = true;
  assert_int_equal(gmmu_l2_sweep_set(x.l, 1, &other), 3);
  fill(&x, 0, 0x1001, false);
  gmmu_l2_reset(x.l);
  x.l->share.on = gmmu_share_contexts(&x.e);
  assert_int_equal(look(&x, 0, 0, 0x1001), GMMU_L2_MISS_ALLOC);
  gmmu_l2_free(x.l);
  x.c.L2Entries = x.c.L2LargeEntries = 0;
  x.l = gmmu_l2_new(&x.c);
  assert_int_equal(x.l->sets, 1);
  x.l->share.on = gmmu_share_contexts(&x.e);
  fill(&x, 0, 0x1001, false);
  assert_false(x.f.base || x.f.large);
  assert_int_equal(gmmu_l2_sweep_set(x.l, 0, &all), 0);
  gmmu_l2_free(x.l);
  gmmu_l2_free(NULL);
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
      cmocka_unit_test(unified),
      cmocka_unit_test(early_answers),
      cmocka_unit_test(groups_of_pages),
      cmocka_unit_test(without_a_token),
      cmocka_unit_test(bare),
      cmocka_unit_test(warps_add_up),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
