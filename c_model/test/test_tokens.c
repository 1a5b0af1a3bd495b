/* SPDX-License-Identifier: Apache-2.0 */
/** test_tokens.c - docs/fill_tokens.md: counts, thresholds, floor and ceiling, halving, marks;
 * bypass cache and fills. */
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "policy/fill_tokens.h"
#include "policy/l2_tlb.h"

static void open(struct gmmu_tokens *t, int sms, int warp_w) {
  struct gmmu_config c;

  gmmu_config_default(&c);
  c.NumSms = sms;
  c.WarpW = warp_w;
  gmmu_tokens_init(t, &c);
}

static void looks(struct gmmu_tokens *t, uint16_t asid, int hits, int misses) {
  struct gmmu_l2_lookup p[2] = {{.valid = true, .asid = asid}};

  for (int i = 0; i < hits + misses; i++) {
    p[0].outcome = i < hits ? GMMU_L2_HIT_BASE : GMMU_L2_MISS_ALLOC;
    gmmu_tokens_lookups(t, p);
  }
}

static void warps(struct gmmu_tokens *t, int sm, uint16_t asid, unsigned n) {
  for (unsigned w = 0; w < n; w++) gmmu_tokens_request(t, sm, asid, w);
}

static void epoch(struct gmmu_tokens *t) {
  gmmu_tokens_pulse(t);
  for (int a = 0; a < t->num_apps; a++) gmmu_tokens_update(t, a);
  for (int w = 0; w < t->num_warps; w++)
    for (int s = 0; s < t->num_sms; s++) gmmu_tokens_mark(t, s, w);
  gmmu_tokens_replace(t);
}

static void counts(void **state) {
  struct gmmu_tokens t;

  (void)state;
  open(&t, 2, 4);
  for (int s = 0; s < 2; s++)
    for (unsigned w = 0; w < 16; w++)
      assert_true(gmmu_tokens_holds(&t, s, w)); /* the first epoch fills freely */
  warps(&t, 0, 3, 16), warps(&t, 1, 3, 16);
  looks(&t, 3, 50, 50);
  epoch(&t);
  assert_int_equal(t.app[3].warps, 32);
  assert_int_equal(t.app[3].tokens, 25); /* floor(0.8 * 32) */
  for (unsigned w = 0; w < 16; w++) {    /* in order of (warp, SM) */
    assert_int_equal(gmmu_tokens_holds(&t, 0, w), w < 13);
    assert_int_equal(gmmu_tokens_holds(&t, 1, w), w < 12);
  }
  warps(&t, 0, 3, 16), warps(&t, 1, 3, 16);
  looks(&t, 3, 48, 52); /* exactly 2 points more */
  epoch(&t);
  assert_int_equal(t.app[3].tokens, 25);
  warps(&t, 0, 3, 16), warps(&t, 1, 3, 16);
  looks(&t, 3, 4599, 5401); /* 2.01 more: step 32/16 */
  epoch(&t);
  assert_true(t.app[3].tokens == 23 && !t.app[3].up);
  warps(&t, 0, 3, 16), warps(&t, 1, 3, 16);
  looks(&t, 3, 4799, 5201); /* exactly 2 less */
  epoch(&t);
  assert_int_equal(t.app[3].tokens, 23);
  for (int i = 0; i < 8; i++) { /* 7 times 5 less: the ceiling is W */
    warps(&t, 0, 3, 16), warps(&t, 1, 3, 16);
    looks(&t, 3, 55 + 5 * i, 45 - 5 * i);
    epoch(&t);
  }
  assert_true(t.app[3].tokens == 32 && t.app[3].up);
  warps(&t, 0, 3, 3); /* fewer warps: the ceiling comes down */
  epoch(&t);
  assert_int_equal(t.app[3].tokens, 3);
  for (int i = 0; i < 5; i++) { /* 3 -> 1: the floor */
    warps(&t, 0, 3, 3);
    looks(&t, 3, 80 - 10 * i, 20 + 10 * i);
    epoch(&t);
  }
  assert_int_equal(t.app[3].tokens, 1);
  assert_true(gmmu_tokens_holds(&t, 0, 0) && !gmmu_tokens_holds(&t, 0, 1));
  epoch(&t); /* it went */
  assert_true(t.app[3].tokens == 0 && !gmmu_tokens_holds(&t, 0, 0));
  warps(&t, 0, 3, 10); /* and comes back */
  epoch(&t);
  assert_int_equal(t.app[3].tokens, 8);
  warps(&t, 0, 3, 1);
  epoch(&t);
  assert_int_equal(t.app[3].tokens, 1);
}

static void halving(void **state) {
  struct gmmu_tokens t;
  struct gmmu_l2_lookup two[2] = {{.valid = true, .asid = 1, .outcome = GMMU_L2_MISS_MERGE},
                                  {.valid = true, .asid = 1, .outcome = GMMU_L2_HIT_BYPASS}};

  (void)state;
  open(&t, 1, 3);
  looks(&t, 1, 101, 65535);
  assert_true(t.app[1].hits == 101 && t.app[1].misses == 65535);
  gmmu_tokens_lookups(&t, two);
  assert_true(t.app[1].hits == 51 && t.app[1].misses == 32768);
  two[0].outcome = two[1].outcome = GMMU_L2_MISS_WAIT;
  gmmu_tokens_lookups(&t, two);
  assert_true(t.app[1].hits == 51 && t.app[1].misses == 32768);
  looks(&t, 1, 0, 32766);
  two[0].outcome = two[1].outcome = GMMU_L2_MISS_ALLOC; /* 65,534 and two more at once */
  gmmu_tokens_lookups(&t, two);
  assert_true(t.app[1].hits == 25 && t.app[1].misses == 32769);
}

/** Warp ids alias; an SM belongs to the application of its last request; unknown ASIDs count for
 * nobody. */
static void who_counts(void **state) {
  struct gmmu_tokens t;

  (void)state;
  open(&t, 3, 8);
  for (unsigned w = 0; w < 300; w++) gmmu_tokens_request(&t, 0, 0, w);
  gmmu_tokens_request(&t, 1, 0, 7);
  gmmu_tokens_request(&t, 1, 2, 8);
  gmmu_tokens_request(&t, 2, 8, 8); /* NumAsids is 8 */
  assert_true(t.sm[2].app == 0 && !t.sm[2].active[8]);
  epoch(&t);
  assert_true(t.app[0].warps == 256 && t.app[2].warps == 2);
  assert_true(t.app[0].tokens == 204 && t.app[2].tokens == 1);
  assert_true(gmmu_tokens_holds(&t, 0, 203) && gmmu_tokens_holds(&t, 0, 256 + 203) &&
              !gmmu_tokens_holds(&t, 0, 204));
  assert_true(gmmu_tokens_holds(&t, 1, 7) && !gmmu_tokens_holds(&t, 1, 8));
}

/* Both ports of a cycle: each for its own application, none that is not there. */
static void ports(void **state) {
  struct gmmu_tokens t;
  struct gmmu_l2_lookup p[2] = {{.valid = true, .asid = 1, .outcome = GMMU_L2_HIT_BASE},
                                {.valid = true, .asid = 2, .outcome = GMMU_L2_MISS_ALLOC}};

  (void)state;
  open(&t, 1, 3);
  gmmu_tokens_lookups(&t, p);
  assert_true(t.app[1].hits == 1 && t.app[1].misses == 0);
  assert_true(t.app[2].hits == 0 && t.app[2].misses == 1);
  p[0].valid = false;
  p[0].asid = 2;
  gmmu_tokens_lookups(&t, p);
  assert_true(t.app[2].hits == 0 && t.app[2].misses == 2);
  p[1].valid = false;
  gmmu_tokens_lookups(&t, p);
  assert_true(t.app[1].hits == 1 && t.app[2].hits == 0 && t.app[2].misses == 2);
}

/* TokenOrder: warp by warp of SM 0 first, then of the next; of the application's SMs alone. */
static void order_of_sms(void **state) {
  struct gmmu_config c;
  struct gmmu_tokens t;

  (void)state;
  gmmu_config_default(&c);
  c.NumSms = 4;
  c.WarpW = 4;
  c.TokenOrder = 1;
  gmmu_tokens_init(&t, &c);
  for (int s = 0; s < 4; s++) warps(&t, s, s == 1 ? 5 : 3, 10);
  gmmu_tokens_request(&t, 0, 3, 12); /* a gap in SM 0's */
  epoch(&t);
  assert_true(t.app[3].warps == 31 && t.app[3].tokens == 24 && t.app[5].tokens == 8);
  for (unsigned w = 0; w < 16; w++) {
    assert_int_equal(gmmu_tokens_holds(&t, 0, w), w < 10 || w == 12);
    assert_int_equal(gmmu_tokens_holds(&t, 1, w), w < 8);
    assert_int_equal(gmmu_tokens_holds(&t, 2, w), w < 10);
    assert_int_equal(gmmu_tokens_holds(&t, 3, w), w < 3); /* 24 - 11 - 10 */
  }
}

/* docs/fill_tokens.md, "Timing": what is due in each cycle behind a pulse. */
static void timing(void **state) {
  static const int builds[][3] = {{1, 1, 1}, {2, 8, 3}, {3, 5, 6}, {30, 32, 8}, {4, 2, 5}};

  (void)state;
  for (size_t b = 0; b < sizeof builds / sizeof builds[0]; b++) {
    int n = builds[b][0], a = builds[b][1], v = 1 << builds[b][2], words = v < 32 ? 1 : v / 32;
    int turns = 4 + n * words, bits = turns + 20 * a, replaced = bits + 1 + v * n;
    struct gmmu_config c;
    struct gmmu_tokens t;
    gmmu_config_default(&c);
    c.NumSms = n;
    c.NumAsids = a;
    c.WarpW = builds[b][2];
    gmmu_tokens_init(&t, &c);
    for (int since = 0; since < replaced + 50; since++) {
      struct gmmu_token_due d = gmmu_tokens_due(&t, (uint64_t)since);
      if (since >= turns && since < bits && (since - turns) % 20 == 19) {
        assert_int_equal(d.phase, GMMU_TOKEN_UPDATE);
        assert_int_equal(d.app, (since - turns) / 20);
      } else if (since >= bits && since < bits + v * n) {
        assert_int_equal(d.phase, GMMU_TOKEN_MARK);
        assert_int_equal(d.warp * n + d.sm, since - bits);
        assert_true(d.sm >= 0 && d.sm < n);
      } else {
        assert_int_equal(d.phase, since == replaced ? GMMU_TOKEN_REPLACE : GMMU_TOKEN_NONE);
      }
    }
  }
}

static void bypass(void **state) {
  struct gmmu_config c;
  struct gmmu_env e;
  struct gmmu_l2_tlb *l;
  struct gmmu_l2_result r;
  struct gmmu_fill f;
  struct gmmu_tlb_data d = {.pfn = 0x500, .r = true};
  struct gmmu_l2_req q = {.asid = 1, .vfn = 0x123, .sm = 2, .warp = 9};
  struct gmmu_inv_cmd inv = {.kind = GMMU_INV_RANGE, .asid = 1, .lo_vfn = 0x900, .hi_vfn = 0x900};

  (void)state;
  gmmu_config_default(&c);
  c.FillTokens = 1;
  c.BypassEntries = 2;
  c.FlushL2 = 1;
  memset(&e, 0, sizeof e);
  gmmu_env_from_config(&e, &c);
  e.ctx[1].mode = GMMU_MODE_SV48;
  l = gmmu_l2_new(&c);
  for (int i = 0; i < 3; i++) { /* three pages without a token: the first is evicted */
    q.vfn = 0x123ull + (uint64_t)i;
    gmmu_l2_lookup(l, &q, true, &r);
    assert_true(r.outcome == GMMU_L2_MISS_ALLOC && l->mshr[r.mshr].owner_sm == 2 &&
                l->mshr[r.mshr].owner_warp == 9);
    gmmu_l2_finish(l, r.mshr, &d, false, &f);
    assert_true(f.bypass && !f.base && f.way == i % 2 && f.evict == (i == 2) && !f.overwrite);
    gmmu_l2_served(l, r.mshr, 1ull << 2, true);
  }
  q.vfn = 0x124;
  gmmu_l2_lookup(l, &q, true, &r);
  assert_true(r.outcome == GMMU_L2_HIT_BYPASS && r.way == 1 && r.data.pfn == 0x500);
  q.asid = 0; /* nobody else gets it */
  gmmu_l2_lookup(l, &q, false, &r);
  assert_int_equal(r.outcome, GMMU_L2_MISS_WAIT);
  q.asid = 1;
  q.vfn = 0x123; /* now with a token: way 0 holds page 0x125 */
  gmmu_l2_lookup(l, &q, true, &r);
  gmmu_l2_finish(l, r.mshr, &d, true, &f);
  assert_true(!f.bypass && f.base && f.left == 0);
  gmmu_l2_served(l, r.mshr, 1ull << 2, true);
  q.vfn = 0x1000; /* a page that is filled twice leaves the bypass cache */
  gmmu_l2_lookup(l, &q, true, &r);
  gmmu_uni_fill(l->bypass, 1, 0x1000, &d, &f);
  gmmu_l2_finish(l, r.mshr, &d, true, &f);
  assert_true(f.base && f.left != 0);
  assert_true(gmmu_l2_bypass_matches(l, 1, &inv)); /* FlushL2: whatever the range */
  gmmu_l2_free(l);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(counts),       cmocka_unit_test(halving),
                                     cmocka_unit_test(who_counts),   cmocka_unit_test(ports),
                                     cmocka_unit_test(order_of_sms), cmocka_unit_test(timing),
                                     cmocka_unit_test(bypass)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
