/* SPDX-License-Identifier: Apache-2.0 */
/** test_invalidate_policy.c - which pages, frames and misses an invalidation is about, against the
 * pages one by one; its order: a visit that is missing, or comes twice, is named. */
#include "policy/invalidate.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static bool about_page(const struct gmmu_inv_cmd *c, unsigned asid, uint64_t vfn) {
  if (c->kind == GMMU_INV_ALL) return true;
  if (asid != c->asid) return false;
  return c->kind == GMMU_INV_ASID || (vfn >= c->lo_vfn && vfn <= c->hi_vfn);
}
static bool about_any(const struct gmmu_inv_cmd *c, unsigned asid, uint64_t first, uint64_t last) {
  bool any = false;

  for (uint64_t v = first; v <= last; v++) any = any || about_page(c, asid, v);
  return any;
}

static void matches(void **state) {
  static const int kinds[] = {GMMU_INV_ALL, GMMU_INV_ASID, GMMU_INV_RANGE};
  static const uint64_t edge[] = {0, 1, 510, 511, 512, 513, 1023, 1024, 1025, 1535, 1536, 2000};
  enum { N = sizeof edge / sizeof edge[0] };

  (void)state;
  for (int k = 0; k < 3; k++)
    for (int lo = 0; lo < N; lo++)
      for (int hi = 0; hi < N; hi++)
        for (uint16_t asid = 4; asid < 6; asid++) {
          struct gmmu_inv_cmd c = {true, kinds[k], 5, edge[lo], edge[hi]};
          bool all = c.kind == GMMU_INV_ALL;
          if (hi < lo) continue;
          for (int p = 0; p < N; p++) {
            bool frame = about_any(&c, asid, edge[p] & ~511ull, edge[p] | 511);
            assert_int_equal(gmmu_inv_hits_page(&c, asid, edge[p]), about_page(&c, asid, edge[p]));
            assert_int_equal(gmmu_inv_hits_frame(&c, asid, edge[p] >> 9), frame);
            /* a miss by its frame, or by its ASID alone (MarkByAsid) */
            assert_int_equal(gmmu_inv_hits_miss(&c, false, asid, edge[p]), frame);
            assert_int_equal(gmmu_inv_hits_miss(&c, true, asid, edge[p]), all || asid == 5);
            for (int q = p; q < N; q++)
              assert_int_equal(gmmu_inv_hits_run(&c, asid, edge[p], edge[q]),
                               about_any(&c, asid, edge[p], edge[q]));
          }
        }
}

static void as_hardware_takes_it(void **state) {
  const uint64_t vfns = (1ull << 36) - 1;

  (void)state;
  for (int kind = 0; kind < 8; kind++) {
    struct gmmu_inv_cmd c = {false, kind, 0xffff, ~0ull, ~1ull}, n = gmmu_inv_normal(&c, 5);
    bool known = kind == GMMU_INV_ASID || kind == GMMU_INV_RANGE;
    assert_int_equal(n.kind, known ? kind : GMMU_INV_ALL);
    assert_true(n.valid && n.asid == 31 && n.lo_vfn == vfns && n.hi_vfn == vfns - 1);
  }
}

/* ---------------------------------------- order */
enum { NOTHING, SET, LARGE, BYPASS, MSC, SM_BASE, SM_LARGE, PLACES };

static void open(struct gmmu_inv_order *o, bool unified) {
  struct gmmu_config c;

  gmmu_config_default(&c);
  c.NumSms = 2;
  c.L1BaseEntries = 3;
  c.L1LargeEntries = 2;
  c.L2Entries = 8;
  c.L2Ways = 2;
  c.L2Unified = unified;
  c.L2LargeEntries = unified ? 0 : 2;
  c.BypassEntries = 3;
  c.MscSets = 4;
  c.MscWays = 2;
  gmmu_inv_order_init(o, &c);
}
/* n visits in order but for place `without`: all of them are right up to there. */
static void visit(struct gmmu_inv_sweep *s, int n, int without) {
  for (int i = 0; i < n; i++)
    if (i != without)
      assert_int_equal(gmmu_inv_visit(s, i), without < 0 || i < without || i > without + 1);
}

/* A command whose visit number i of the kind `what` is missing; -1: none is. */
static void command(struct gmmu_inv_order *o, bool unified, int what, int i) {
  struct gmmu_inv_cmd cmd = {.valid = true};
  bool early = what == SET || what == LARGE || what == BYPASS, late = what > BYPASS;
  const char *said;

  assert_null(gmmu_inv_accept(o, &cmd, 9));
  assert_null(gmmu_inv_mark(o));
  visit(&o->sets, 4, what == SET ? i : -1);
  visit(&o->large, unified ? 0 : 2, what == LARGE ? i : -1);
  visit(&o->bypass, 3, what == BYPASS ? i : -1);
  said = gmmu_inv_clear_l1s(o);
  assert_int_equal(said != NULL, early);
  if (said) assert_non_null(strstr(said, "before the L2's sweep"));
  assert_false(gmmu_inv_visit(&o->sets, 0)); /* the L2's time is over */
  if (unified) visit(&o->msc, 4, what == MSC ? i : -1);
  for (int sm = 0; sm < 2; sm++) {
    visit(&o->sm_base[sm], 3, what == SM_BASE && i / 3 == sm ? i % 3 : -1);
    visit(&o->sm_large[sm], 2, what == SM_LARGE && i / 2 == sm ? i % 2 : -1);
  }
  said = gmmu_inv_acknowledge(o);
  assert_int_equal(said != NULL, late);
  if (said) assert_non_null(strstr(said, what == MSC ? "memory subregion cache" : "L1s' sweeps"));
  for (int sm = 0; sm < 2; sm++)
    assert_false(gmmu_inv_visit(&o->sm_base[sm], 0) || gmmu_inv_visit(&o->sm_large[sm], 0));
  assert_false(gmmu_inv_visit(&o->msc, 0));
}

/* The last visit that is missing shows at the end of its sweep; others at the next visit, too. */
static void every_visit_once(void **state) {
  static const int last[PLACES] = {-1, 3, 1, 2, 3, 5, 3};
  struct gmmu_inv_order o;

  (void)state;
  for (int unified = 0; unified < 2; unified++) {
    open(&o, unified);
    command(&o, unified, NOTHING, -1);
    for (int what = SET; what < PLACES; what++) {
      if (what == (unified ? LARGE : MSC)) continue; /* not built */
      command(&o, unified, what, last[what]);
      if (what == SM_BASE) command(&o, unified, what, 2);
      if (what == SM_LARGE) command(&o, unified, what, 1);
      command(&o, unified, NOTHING, -1);
    }
  }
}

static void visits(void **state) {
  struct gmmu_inv_sweep s = {3, 0};

  (void)state;
  assert_true(gmmu_inv_visit(&s, 0));
  assert_false(gmmu_inv_visit(&s, 0)); /* twice */
  assert_true(gmmu_inv_visit(&s, 1));
  assert_true(gmmu_inv_visit(&s, 2));
  assert_false(gmmu_inv_visit(&s, 3)); /* there is none */
  s = (struct gmmu_inv_sweep){3, 0};
  assert_false(gmmu_inv_visit(&s, 1)); /* the first is missing */
  assert_true(gmmu_inv_visit(&s, 2));
}

static void steps_out_of_order(void **state) {
  struct gmmu_inv_cmd cmd = {.valid = true};
  struct gmmu_inv_order o;

  (void)state;
  open(&o, false);
  assert_non_null(gmmu_inv_mark(&o)); /* no command */
  open(&o, false);
  assert_non_null(strstr(gmmu_inv_clear_l1s(&o), "out of order"));
  open(&o, false);
  assert_non_null(strstr(gmmu_inv_acknowledge(&o), "out of order"));
  assert_null(gmmu_inv_accept(&o, &cmd, 9));
  assert_non_null(strstr(gmmu_inv_clear_l1s(&o), "out of order")); /* before its mark */
  open(&o, false);
  assert_null(gmmu_inv_accept(&o, &cmd, 9));
  assert_non_null(gmmu_inv_accept(&o, &cmd, 9)); /* before the acknowledgement of the last one */
}

/* Without L2 arrays there is one set to visit; without ways of the subregion cache no set of it. */
static void builds(void **state) {
  struct gmmu_inv_order o;
  struct gmmu_config c;

  (void)state;
  gmmu_config_default(&c);
  c.L2Entries = 0;
  gmmu_inv_order_init(&o, &c);
  assert_int_equal(o.l2_sets, 1);
  c.L2Unified = 1;
  c.MscWays = 0;
  gmmu_inv_order_init(&o, &c);
  assert_int_equal(o.msc_sets, 0);
  c.MscWays = 2;
  c.L2Unified = 0;
  gmmu_inv_order_init(&o, &c);
  assert_int_equal(o.msc_sets, 0);
}

/* As many SMs as there may be: the ways of each are visited before the acknowledgement. */
static void most_sms(void **state) {
  const struct gmmu_inv_cmd cmd = {.valid = true};
  struct gmmu_inv_order o;
  struct gmmu_config c;

  (void)state;
  gmmu_config_default(&c);
  c.NumSms = GMMU_MAX_SMS, c.L1BaseEntries = 2, c.L1LargeEntries = 1, c.L2LargeEntries = 3;
  gmmu_inv_order_init(&o, &c);
  assert_int_equal(o.l1_large, 1);
  assert_null(gmmu_inv_accept(&o, &cmd, 9));
  assert_null(gmmu_inv_mark(&o));
  for (int i = 0; i < o.l2_sets; i++) assert_true(gmmu_inv_visit(&o.sets, i));
  for (int i = 0; i < 3; i++) assert_true(gmmu_inv_visit(&o.large, i));
  assert_null(gmmu_inv_clear_l1s(&o));
  for (int i = 0; i < GMMU_MAX_SMS; i++) {
    for (int w = 0; w < gmmu_config_l1_base(&c, i); w++)
      assert_true(gmmu_inv_visit(&o.sm_base[i], w));
    assert_true(gmmu_inv_visit(&o.sm_large[i], 0));
  }
  assert_null(gmmu_inv_acknowledge(&o));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(most_sms),
                                     cmocka_unit_test(matches),
                                     cmocka_unit_test(as_hardware_takes_it),
                                     cmocka_unit_test(every_visit_once),
                                     cmocka_unit_test(visits),
                                     cmocka_unit_test(steps_out_of_order),
                                     cmocka_unit_test(builds)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
