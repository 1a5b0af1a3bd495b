/* SPDX-License-Identifier: Apache-2.0 */
/** test_l1_policy.c - each rule of docs/l1_tlb.md, "Policy". */
#include "policy/l1_tlb.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

struct fix {
  struct gmmu_config c;
  struct gmmu_env e;
  struct gmmu_l1_tlb *l;
  struct gmmu_l1_result r;
  struct gmmu_fill f;
  uint16_t tag;
};

static void open(struct fix *x, int base, int large, int mshrs) {
  memset(x, 0, sizeof *x);
  gmmu_config_default(&x->c);
  x->c.L1BaseEntries = base;
  x->c.L1LargeEntries = large;
  x->c.L1Mshrs = mshrs;
  gmmu_env_from_config(&x->e, &x->c);
  x->e.ctx[0].mode = x->e.ctx[1].mode = GMMU_MODE_SV48;
  x->e.ctx[2].mode = GMMU_MODE_SV39;
  x->l = gmmu_l1_new(&x->c, 0);
}

static int look(struct fix *x, int asid, uint64_t va) {
  struct gmmu_req q = {.asid = (uint16_t)asid, .va = va, .tag = x->tag++, .user = true};
  gmmu_l1_lookup(x->l, &x->e, &q, &x->r);
  assert_int_equal(x->r.tag, q.tag);
  return x->r.outcome;
}

static struct gmmu_tlb_data page(uint64_t pfn) {
  return (struct gmmu_tlb_data){.pfn = pfn, .r = true, .u = true, .d = true};
}

/** Answers an MSHR whole; returns the number of waiters. */
static int answer(struct fix *x, int mshr, struct gmmu_tlb_data d) {
  bool last = false;
  int n = 0;
  gmmu_l1_store(x->l, mshr, &d);
  gmmu_l1_fill(x->l, mshr, &x->f);
  for (; !last; n++) assert_true(gmmu_l1_serve(x->l, mshr, &last) >= 0);
  return n;
}

static void fill_page(struct fix *x, int asid, uint64_t vfn) {
  assert_int_equal(look(x, asid, vfn << 12), GMMU_L1_MISS_ALLOC);
  answer(x, x->r.mshr, page(vfn + 0x1000));
}

static void local_faults_touch_nothing(void **state) {
  struct fix x;
  (void)state;
  open(&x, 2, 1, 1);
  assert_int_equal(look(&x, 3, 0), GMMU_L1_LOCAL_FAULT); /* context off */
  assert_int_equal(x.r.cause, GMMU_UNKNOWN_ASID);
  assert_int_equal(look(&x, 100, 1ull << 60), GMMU_L1_LOCAL_FAULT); /* none: before canonical */
  assert_int_equal(x.r.cause, GMMU_UNKNOWN_ASID);
  assert_int_equal(look(&x, 0, 1ull << 47), GMMU_L1_LOCAL_FAULT);
  assert_int_equal(x.r.cause, GMMU_NON_CANONICAL);
  assert_int_equal(look(&x, 2, 1ull << 38), GMMU_L1_LOCAL_FAULT); /* Sv39 */
  assert_int_equal(x.r.cause, GMMU_NON_CANONICAL);
  assert_int_equal(look(&x, 0, 1ull << 38), GMMU_L1_MISS_ALLOC); /* Sv48 */
  assert_int_equal(look(&x, 2, ~0ull << 38), GMMU_L1_MISS_PARK);
  gmmu_l1_free(x.l);
}

static void miss_merge_park_replay(void **state) {
  struct fix x;
  bool last;
  (void)state;
  open(&x, 8, 2, 2);
  assert_int_equal(look(&x, 0, 0x1000), GMMU_L1_MISS_ALLOC); /* tag 0 */
  assert_int_equal(x.r.mshr, 0);
  assert_int_equal(look(&x, 1, 0x1000), GMMU_L1_MISS_ALLOC); /* tag 1: never across ASIDs */
  assert_int_equal(x.r.mshr, 1);
  assert_int_equal(look(&x, 0, 0x1fff), GMMU_L1_MISS_MERGE); /* tag 2 */
  assert_int_equal(x.r.mshr, 0);
  assert_int_equal(look(&x, 0, 0x2000), GMMU_L1_MISS_PARK);  /* tag 3 */
  assert_int_equal(look(&x, 0, 0x3000), GMMU_L1_MISS_PARK);  /* tag 4 */
  assert_int_equal(look(&x, 0, 0x1008), GMMU_L1_MISS_MERGE); /* tag 5: merges go on */
  struct gmmu_tlb_data d = page(7);
  gmmu_l1_store(x.l, 0, &d);
  gmmu_l1_fill(x.l, 0, &x.f);
  assert_true(x.f.base && !x.f.evict && x.f.way == 0);
  assert_int_equal(gmmu_l1_serve(x.l, 0, &last), 0);
  assert_int_equal(gmmu_l1_serve(x.l, 0, &last), 2);
  assert_false(last);
  assert_int_equal(gmmu_l1_serve(x.l, 0, &last), 5);
  assert_true(last);
  assert_int_equal(look(&x, 0, 0x4000),
                   GMMU_L1_MISS_PARK); /* tag 6: behind the parked ones though one is free */
  gmmu_l1_replay(x.l, &x.e, &x.r);
  assert_true(x.r.outcome == GMMU_L1_MISS_ALLOC && x.r.tag == 3 && x.r.mshr == 0);
  gmmu_l1_replay(x.l, &x.e, &x.r); /* none free: keeps its place */
  assert_true(x.r.outcome == GMMU_L1_MISS_PARK && x.r.tag == 4);
  answer(&x, 1, page(9));
  gmmu_l1_replay(x.l, &x.e, &x.r);
  assert_true(x.r.outcome == GMMU_L1_MISS_ALLOC && x.r.tag == 4 && x.r.mshr == 1);
  gmmu_l1_free(x.l);
}

static void hits_order_and_victims(void **state) {
  struct fix x;
  (void)state;
  open(&x, 2, 1, 2);
  fill_page(&x, 0, 1);
  assert_int_equal(x.f.way, 0);
  fill_page(&x, 0, 2);
  assert_int_equal(x.f.way, 1);
  assert_int_equal(look(&x, 0, 0x1000), GMMU_L1_HIT_BASE);
  assert_true(x.r.way == 0 && x.r.data.pfn == 0x1001);
  fill_page(&x, 0, 3); /* 2 is least recent now */
  assert_true(x.f.way == 1 && x.f.evict);
  assert_int_equal(look(&x, 0, 0x3000), GMMU_L1_HIT_BASE);
  assert_true(x.r.way == 1 && x.r.data.pfn == 0x1003);
  assert_int_equal(look(&x, 0, 0x1000), GMMU_L1_HIT_BASE);
  assert_int_equal(look(&x, 1, 0x1000), GMMU_L1_MISS_ALLOC);
  gmmu_l1_free(x.l);
}

static void large_hit_leaves_the_base_order_alone(void **state) {
  struct fix x;
  struct gmmu_tlb_data large = page(0x400);
  struct gmmu_rsp rsp;
  (void)state;
  open(&x, 2, 1, 2);
  fill_page(&x, 0, 1);
  fill_page(&x, 0, 2);
  large.large = true;
  assert_int_equal(look(&x, 0, 0x3000), GMMU_L1_MISS_ALLOC);
  answer(&x, x.r.mshr, large);
  assert_true(x.f.large && !x.f.base && x.f.way == 0);
  assert_int_equal(look(&x, 0, 0x1008), GMMU_L1_HIT_LARGE); /* covers VFN 1 too, and wins */
  gmmu_l1_respond(x.l, &x.e, x.r.tag, &x.r.data, 0, &rsp);
  assert_true(rsp.large && rsp.pa == 0x401008);
  gmmu_tlb_clear(x.l->large, 0);
  fill_page(&x, 0, 3);
  assert_int_equal(x.f.way, 0); /* VFN 1 was least recent still */
  gmmu_l1_free(x.l);
}

static void large_answer_without_large_array(void **state) {
  struct fix x;
  struct gmmu_tlb_data large = page(0x400);
  (void)state;
  open(&x, 2, 0, 2);
  large.large = true;
  assert_int_equal(look(&x, 0, 0x205000), GMMU_L1_MISS_ALLOC);
  answer(&x, x.r.mshr, large);
  assert_true(x.f.base && !x.f.large);
  assert_int_equal(look(&x, 0, 0x205000), GMMU_L1_HIT_BASE);
  assert_true(x.r.data.pfn == 0x405 && !x.r.data.large);
  assert_int_equal(look(&x, 0, 0x206000), GMMU_L1_MISS_ALLOC);
  gmmu_l1_free(x.l);
}

static void what_does_not_fill(void **state) {
  struct fix x;
  struct gmmu_tlb_data d = page(5), fault = {.cause = GMMU_PF_INVALID};
  struct gmmu_inv_cmd all = {.kind = GMMU_INV_ALL};
  struct gmmu_rsp rsp;
  (void)state;
  open(&x, 2, 1, 2);
  d.no_fill = true;
  look(&x, 0, 0x1000);
  answer(&x, 0, d);
  assert_true(!x.f.base && !x.f.large);
  look(&x, 0, 0x1000);
  gmmu_l1_respond(x.l, &x.e, x.r.tag, &fault, 0, &rsp);
  assert_true(rsp.cause == GMMU_PF_INVALID && rsp.pa == 0);
  answer(&x, 0, fault);
  assert_false(x.f.base);
  look(&x, 0, 0x1000);
  gmmu_l1_mark(x.l, &all);
  assert_int_equal(look(&x, 0, 0x1000), GMMU_L1_MISS_ALLOC); /* a stale MSHR takes no merges */
  assert_int_equal(x.r.mshr, 1);
  assert_int_equal(answer(&x, 0, page(5)), 1);
  assert_false(x.f.base);
  answer(&x, 1, page(6));
  assert_true(x.f.base);
  look(&x, 0, 0x1000);
  assert_int_equal(x.r.data.pfn, 6);
  gmmu_l1_free(x.l);
}

static void permission_is_each_requesters(void **state) {
  struct fix x;
  struct gmmu_tlb_data d = page(5);
  struct gmmu_req q = {.va = 0x1234, .tag = 9, .access = GMMU_WRITE};
  struct gmmu_rsp rsp;
  (void)state;
  open(&x, 2, 1, 2);
  look(&x, 0, 0x1000);
  gmmu_l1_lookup(x.l, &x.e, &q, &x.r);
  assert_int_equal(x.r.outcome, GMMU_L1_MISS_MERGE);
  gmmu_l1_respond(x.l, &x.e, 0, &d, 0, &rsp);
  assert_true(rsp.valid && rsp.cause == GMMU_OK && rsp.pa == 0x5000 && rsp.tag == 0 && !rsp.large);
  gmmu_l1_respond(x.l, &x.e, 9, &d, 0, &rsp);
  assert_true(rsp.cause == GMMU_PERM && rsp.pa == 0 && rsp.tag == 9);
  d.w = true, d.u = false, d.d = false;
  gmmu_l1_respond(x.l, &x.e, 9, &d, 0, &rsp);
  assert_int_equal(rsp.cause, GMMU_PF_DIRTY);
  gmmu_l1_free(x.l);
}

static void invalidation_matches(void **state) {
  struct fix x;
  struct gmmu_tlb_data large = page(0x400);
  struct gmmu_inv_cmd range = {.kind = GMMU_INV_RANGE, .asid = 1, .lo_vfn = 0x205, .hi_vfn = 0x206};
  struct gmmu_inv_cmd asid = {.kind = GMMU_INV_ASID, .asid = 1};
  struct gmmu_fill none = {0};
  (void)state;
  open(&x, 8, 2, 4);
  fill_page(&x, 1, 0x204);
  fill_page(&x, 1, 0x205);
  fill_page(&x, 1, 0x206);
  fill_page(&x, 0, 0x205);
  for (int w = 0; w < 8; w++)
    assert_int_equal(gmmu_l1_sweep_base(x.l, w, &range, &none), w == 1 || w == 2);
  for (int w = 0; w < 8; w++) assert_int_equal(gmmu_l1_sweep_base(x.l, w, &asid, &none), w == 0);
  large.large = true;
  look(&x, 1, 0x210000); /* LFN 1: the frame that the range touches */
  answer(&x, x.r.mshr, large);
  assert_true(gmmu_l1_large_matches(x.l, 0, &range) && !gmmu_l1_large_matches(x.l, 1, &range));
  gmmu_tlb_clear(x.l->large, 0);
  look(&x, 1, 0x3ff000); /* MSHR 0: same frame, outside the range */
  look(&x, 1, 0x400000); /* MSHR 1: next frame */
  look(&x, 0, 0x204000); /* MSHR 2: other ASID */
  assert_int_equal(gmmu_l1_matching(x.l, &range, ~0ull), 1);
  assert_int_equal(gmmu_l1_matching(x.l, &asid, ~0ull), 3);
  assert_int_equal(gmmu_l1_matching(x.l, &asid, 2), 2);
  gmmu_l1_free(x.l);
}

/* A group's pages hit and go one by one; a reset leaves nothing (CoLT). */
static void groups(void **state) {
  struct gmmu_inv_cmd one = {.kind = GMMU_INV_RANGE, .asid = 1, .lo_vfn = 0x205, .hi_vfn = 0x205};
  struct gmmu_fill none = {0};
  struct fix x;
  (void)state;
  memset(&x, 0, sizeof x);
  open(&x, 2, 1, 2);
  gmmu_l1_free(x.l);
  x.c.Colt = 1;
  x.l = gmmu_l1_new(&x.c, 0);
  assert_int_equal(gmmu_l1_base_ways(x.l), 2);
  for (uint64_t first = 0x204; first <= 0x208; first += 4) {
    struct gmmu_tlb_data d = page(first + 0x1001);
    d.group = 15;
    assert_int_equal(look(&x, 1, (first + 1) << 12), GMMU_L1_MISS_ALLOC);
    answer(&x, x.r.mshr, d);
    assert_true(x.f.base && x.f.pages == 15);
  }
  for (uint64_t vfn = 0x204; vfn < 0x20c; vfn++) {
    assert_int_equal(look(&x, 1, vfn << 12), GMMU_L1_HIT_BASE);
    assert_true(x.r.data.pfn == vfn + 0x1000 && x.r.way == (int)(vfn - 0x204) / 4);
  }
  assert_true(gmmu_l1_sweep_base(x.l, 0, &one, &none));
  assert_false(gmmu_l1_sweep_base(x.l, 1, &one, &none));
  assert_int_equal(look(&x, 1, 0x204000), GMMU_L1_HIT_BASE);
  assert_int_equal(look(&x, 1, 0x205000), GMMU_L1_MISS_ALLOC);
  assert_int_equal(look(&x, 1, 0x206000), GMMU_L1_HIT_BASE);
  gmmu_l1_reset(x.l);
  assert_int_equal(look(&x, 1, 0x206000), GMMU_L1_MISS_ALLOC);
  assert_int_equal(x.r.mshr, 0);
  gmmu_l1_free(x.l);
}

/* Svadu: an entry without D serves no store, stores and loads of a page wait apart, and an answer
 * counts with SUM as it was when the request came. */
static void stores_are_apart(void **state) {
  struct gmmu_tlb_data d = page(5);
  struct gmmu_req q = {.va = 0x1000, .user = true, .access = GMMU_WRITE};
  struct gmmu_rsp rsp;
  struct fix x;
  (void)state;
  for (int colt = 0; colt < 2; colt++) {
    memset(&x, 0, sizeof x);
    open(&x, 2, 1, 4);
    gmmu_l1_free(x.l);
    x.c.Colt = colt;
    x.l = gmmu_l1_new(&x.c, 0);
    x.e.svadu = true;
    d.w = true, d.d = false, d.group = 1;
    assert_int_equal(look(&x, 0, 0x1000), GMMU_L1_MISS_ALLOC);
    q.tag = x.tag++;
    gmmu_l1_lookup(x.l, &x.e, &q, &x.r);
    assert_true(x.r.outcome == GMMU_L1_MISS_ALLOC && x.r.mshr == 1);
    answer(&x, 0, d);
    assert_int_equal(look(&x, 0, 0x1000), GMMU_L1_HIT_BASE);
    q.tag = x.tag++;
    gmmu_l1_lookup(x.l, &x.e, &q, &x.r);
    assert_true(x.r.outcome == GMMU_L1_MISS_MERGE && x.r.mshr == 1); /* no hit for it */
    d.d = true;
    answer(&x, 1, d);
    q.tag = x.tag++;
    gmmu_l1_lookup(x.l, &x.e, &q, &x.r);
    assert_int_equal(x.r.outcome, GMMU_L1_HIT_BASE);
    /* a supervisor's, to a user's page */
    q.user = false;
    for (int sum = 0; sum < 2; sum++)
      for (int store = 0; store < 2; store++) {
        q.access = store ? GMMU_WRITE : GMMU_READ;
        q.tag = x.tag++;
        x.e.ctx[0].sum = sum;
        gmmu_l1_keep(x.l, &q);
        if (store) x.e.ctx[0].sum = !sum; /* too late */
        gmmu_l1_respond(x.l, &x.e, q.tag, &d, store ? (uint8_t)(sum << 1 | 1) : 0, &rsp);
        assert_int_equal(rsp.cause, sum ? GMMU_OK : GMMU_PERM);
      }
    q.user = true;
    q.access = GMMU_WRITE;
    gmmu_l1_free(x.l);
  }
}

/* Widths of ASID and warp; page 0; tag 0 behind another one; an MSHR fills at its first answer. */
static void small_numbers(void **state) {
  struct gmmu_inv_cmd all = {.kind = GMMU_INV_ALL};
  struct gmmu_req q = {.va = 0x7000, .user = true, .asid = 0x201, .warp = 9};
  struct gmmu_tlb_data d = page(3);
  struct fix x;
  bool last;
  (void)state;
  open(&x, 2, 2, 4);
  assert_int_equal(look(&x, 0, 0), GMMU_L1_MISS_ALLOC); /* not an MSHR that was never used */
  gmmu_l1_free(x.l);
  x.c.AsidW = 9;
  x.c.WarpW = 3;
  x.l = gmmu_l1_new(&x.c, 0);
  q.tag = 5;
  gmmu_l1_lookup(x.l, &x.e, &q, &x.r);
  assert_true(x.r.outcome == GMMU_L1_MISS_ALLOC && x.r.warp == 1);
  assert_true(x.l->mshr[0].asid == 1 && x.l->mshr[0].owner_warp == 1);
  q.tag = 0;
  gmmu_l1_lookup(x.l, &x.e, &q, &x.r);
  assert_true(x.r.outcome == GMMU_L1_MISS_MERGE && x.r.warp == 1);
  q.va = 0x8000, q.tag = 6;
  gmmu_l1_lookup(x.l, &x.e, &q, &x.r);
  assert_int_equal(gmmu_l1_matching(x.l, &all, ~0ull), 3); /* two of four, and no others */
  gmmu_l1_store(x.l, 0, &d);
  gmmu_l1_fill(x.l, 0, &x.f);
  assert_true(x.f.base);
  assert_int_equal(gmmu_l1_serve(x.l, 0, &last), 5);
  assert_false(last);
  gmmu_l1_fill(x.l, 0, &x.f);
  assert_false(x.f.base || x.f.large);
  assert_int_equal(gmmu_l1_serve(x.l, 0, &last), 0);
  assert_true(last);
  assert_false(gmmu_l1_large_matches(x.l, 0, &all)); /* an empty way */
  gmmu_l1_free(x.l);
  gmmu_l1_free(NULL);
}

static void warps_are_counted_once(void **state) {
  struct fix x;
  struct gmmu_req q = {.va = 0x5000, .user = true};
  (void)state;
  open(&x, 2, 0, 2);
  for (int i = 0; i < 8;
       i++) { /* warps 3 and 131 four times each: they differ in the second word */
    q.tag = x.tag++;
    q.warp = i & 1 ? 131 : 3;
    gmmu_l1_lookup(x.l, &x.e, &q, &x.r);
    assert_int_equal(x.l->mshr[0].warps, i < 2 ? i : 2);
    assert_int_equal(gmmu_l1_count(x.l, x.r.mshr, x.r.warp), i < 2);
  }
  assert_int_equal(x.l->mshr[0].warps, 2);
  gmmu_l1_taken(x.l, 0, 9);
  assert_int_equal(x.l->mshr[0].l2_mshr, 9);
  assert_int_equal(gmmu_l1_tell(x.l, 0), 2);
  assert_int_equal(gmmu_l1_tell(x.l, 0), 0);
  for (int i = 0; i < 100; i++) {
    q.tag = x.tag++;
    q.warp = (uint16_t)(i + 10);
    gmmu_l1_lookup(x.l, &x.e, &q, &x.r);
    gmmu_l1_count(x.l, x.r.mshr, x.r.warp);
  }
  assert_int_equal(x.l->mshr[0].warps, 63);
  assert_int_equal(gmmu_l1_tell(x.l, 0), 61);
  gmmu_l1_taken(x.l, 0, 4); /* asked again after an invalidation: all of them are told again */
  assert_int_equal(gmmu_l1_tell(x.l, 0), 63);
  answer(&x, 0, page(1));
  assert_false(gmmu_l1_count(x.l, 0, 9)); /* too late: the MSHR is free */
  fill_page(&x, 0, 8);
  assert_int_equal(look(&x, 0, 0x9000), GMMU_L1_MISS_ALLOC); /* the same MSHR again */
  assert_int_equal(x.r.mshr, 0);
  assert_int_equal(x.l->mshr[0].warps, 0);
  assert_true(gmmu_l1_count(x.l, 0, x.r.warp));
  assert_int_equal(x.l->mshr[0].warps, 1);
  gmmu_l1_free(x.l);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(local_faults_touch_nothing),
      cmocka_unit_test(miss_merge_park_replay),
      cmocka_unit_test(hits_order_and_victims),
      cmocka_unit_test(large_hit_leaves_the_base_order_alone),
      cmocka_unit_test(large_answer_without_large_array),
      cmocka_unit_test(what_does_not_fill),
      cmocka_unit_test(permission_is_each_requesters),
      cmocka_unit_test(invalidation_matches),
      cmocka_unit_test(groups),
      cmocka_unit_test(stores_are_apart),
      cmocka_unit_test(small_numbers),
      cmocka_unit_test(warps_are_counted_once),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
