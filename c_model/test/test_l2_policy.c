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

/* A group in the first way of the first set is found like any other. */
static void the_first_group(void **state) {
  struct fix x;
  (void)state;
  build(&x, 0, 2, 0);
  fill_data(&x, 0, 0x1000, (struct gmmu_tlb_data){.pfn = 0x2000, .group = 15}, true);
  assert_int_equal(x.f.way, 0);
  assert_int_equal(look(&x, 1, 0, 0x1003), GMMU_L2_HIT_BASE);
  assert_true(x.r.data.pfn == 0x2003 && x.r.way == 0);
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

/* Runs that overlap the new one leave the bypass cache: they count as that, and not as dropped. */
static void overlaps_in_the_bypass_cache(void **state) {
  struct fix x;
  (void)state;
  build(&x, 1, 0, 4);
  assert_int_equal(look(&x, 0, 0, 0x1085), GMMU_L2_MISS_ALLOC);
  assert_int_equal(look(&x, 0, 0, 0x1105), GMMU_L2_MISS_ALLOC);
  for (int i = 0; i < 2; i++) { /* subregions 1 to 3, then 3 to 5 */
    struct gmmu_tlb_data d = {.pfn = 0x5085 + 0x80 * (uint64_t)i, .sub = true, .len = 2};
    d.start = (uint8_t)(1 + 2 * i);
    gmmu_l2_finish(x.l, i, &d, false, &x.f);
    assert_true(x.f.bypass && !x.f.base && x.f.dropped == 0);
    assert_int_equal(x.f.left, i);
  }
  assert_int_equal(look(&x, 1, 0, 0x1050), GMMU_L2_MISS_ALLOC);
  assert_int_equal(look(&x, 1, 0, 0x10d0), GMMU_L2_HIT_BYPASS);
  assert_int_equal(x.r.data.pfn, 0x50d0);
  gmmu_l2_free(x.l);
}

/* The unified array against plain ones: what a fill overwrites, drops and evicts; who serves a
 * page. Pages are in any way of their set, runs and frames in the upper half. */
struct line {
  bool valid, sub;
  uint16_t asid;
  uint64_t first, last, to; /* page numbers */
};
static bool in_line(const struct line *e, bool sub, uint16_t asid, uint64_t vfn) {
  return e->valid && e->sub == sub && e->asid == asid && e->first <= vfn && vfn <= e->last;
}
static void unified_at_random(void **state) {
  enum { SETS = 4, WAYS = 4, STEPS = 30000 };
  struct gmmu_uni *u = gmmu_uni_new(SETS, WAYS, WAYS / 2, &gmmu_lru);
  struct line at[SETS][WAYS] = {0};
  struct gmmu_rng rng = {17};
  uint32_t hits = 0, drops = 0, evictions = 0, overwrites = 0;
  (void)state;
  for (int n = 0; n < STEPS; n++) {
    uint16_t asid = (uint16_t)gmmu_rng_below(&rng, 2);
    uint64_t vfn = gmmu_rng_below(&rng, 3) << 9 | gmmu_rng_below(&rng, 8) << 6 |
                   gmmu_rng_below(&rng, 4),
             part = vfn >> 6 & 7;
    int found = gmmu_uni_lookup(u, asid, vfn), want = -1;
    for (int w = 0; w < WAYS; w++)
      if (in_line(&at[vfn % SETS][w], false, asid, vfn)) want = (int)(vfn % SETS) * WAYS + w;
    for (int w = 0; w < WAYS; w++)
      if (in_line(&at[(vfn >> 9) % SETS][w], true, asid, vfn))
        want = (int)((vfn >> 9) % SETS) * WAYS + w;
    assert_int_equal(found, want);
    if (found >= 0) {
      const struct gmmu_uni_entry *e = &u->entry[found];
      const struct line *x = &at[found / WAYS][found % WAYS];
      hits++;
      assert_int_equal(e->data.pfn + (e->data.large ? 0 : vfn - e->vfn),
                       x->to + (vfn - x->first) * !e->data.large);
    }
    if (gmmu_rng_below(&rng, 3) == 0) continue;
    struct gmmu_tlb_data d = {.pfn = 0x100000 + (uint64_t)n * 4096};
    struct line new = {true, false, asid, vfn, vfn, d.pfn};
    uint64_t kind = gmmu_rng_below(&rng, 8);
    if (kind == 0) { /* a frame */
      d.large = new.sub = true;
      new.first = vfn & ~511ull, new.last = vfn | 511;
    } else if (kind < 4) { /* a run round the page's subregion */
      uint64_t from = gmmu_rng_below(&rng, part + 1), to = part + gmmu_rng_below(&rng, 8 - part);
      d.sub = new.sub = true;
      d.start = (uint8_t)from, d.len = (uint8_t)(to - from);
      new.first = (vfn & ~511ull) + 64 * from, new.last = (vfn & ~511ull) + 64 * to + 63;
      new.to = d.pfn - (vfn - new.first);
    }
    struct line *set = at[(new.sub ? vfn >> 9 : vfn) % SETS];
    struct gmmu_fill f = {0};
    gmmu_uni_fill(u, asid, vfn, &d, &f);
    uint32_t dropped = 0;
    int same = -1;
    for (int w = 0; w < WAYS; w++) {
      struct line *e = &set[w];
      if (!e->valid || e->sub != new.sub || e->asid != asid || e->first > new.last ||
          e->last < new.first)
        continue;
      if (e->first == new.first) same = w;
      else dropped |= 1u << w, e->valid = false;
    }
    assert_true(f.base && f.sub == new.sub &&f.dropped == dropped &&f.overwrite == (same >= 0));
    if (same >= 0) assert_int_equal(f.way, same);
    assert_in_range(f.way, new.sub &&same < 0 ? WAYS / 2 : 0, WAYS - 1);
    assert_int_equal(f.evict, same < 0 && set[f.way].valid);
    for (int w = new.sub ? WAYS / 2 : 0; w < WAYS; w++) assert_true(!f.evict || set[w].valid);
    set[f.way] = new;
    drops += dropped != 0, evictions += f.evict, overwrites += f.overwrite;
  }
  assert_true(hits > 1000 && drops > 1000 && evictions > 1000 && overwrites > 1000);
  gmmu_uni_free(u);
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

/* As many MSHRs as there may be: all are taken, marked and given back. */
static void most_mshrs(void **state) {
  const struct gmmu_inv_cmd all = {.valid = true, .kind = GMMU_INV_ALL};
  struct fix x;
  (void)state;
  open(&x, GMMU_L2_MAX_MSHRS, 1);
  for (int i = 0; i < GMMU_L2_MAX_MSHRS; i++) {
    assert_int_equal(look(&x, i % 64, 0, 0x100 + (uint64_t)i), GMMU_L2_MISS_ALLOC);
    assert_int_equal(x.r.mshr, i);
  }
  assert_int_equal(look(&x, 0, 0, 0x1000), GMMU_L2_MISS_WAIT);
  assert_false(gmmu_l2_stale(x.l));
  gmmu_l2_mark(x.l, &all);
  for (int i = 0; i < GMMU_L2_MAX_MSHRS; i++) {
    assert_true(gmmu_l2_stale(x.l) && x.l->mshr[i].stale);
    finish(&x, i, 1, false);
    assert_false(x.f.base);
    assert_true(gmmu_l2_served(x.l, i, 1ull << i % 64, true));
  }
  assert_false(gmmu_l2_stale(x.l));
  gmmu_l2_free(x.l);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(most_mshrs),
      cmocka_unit_test(sets_ways_and_large),
      cmocka_unit_test(merge_wait_and_done),
      cmocka_unit_test(every_application_gets_one),
      cmocka_unit_test(contexts_are_known_later),
      cmocka_unit_test(stale_and_sweep),
      cmocka_unit_test(unified),
      cmocka_unit_test(early_answers),
      cmocka_unit_test(groups_of_pages),
      cmocka_unit_test(the_first_group),
      cmocka_unit_test(overlaps_in_the_bypass_cache),
      cmocka_unit_test(unified_at_random),
      cmocka_unit_test(without_a_token),
      cmocka_unit_test(bare),
      cmocka_unit_test(warps_add_up),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
