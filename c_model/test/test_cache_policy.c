/* SPDX-License-Identifier: Apache-2.0 */
/** test_cache_policy.c - the array of the L2 cache and the page walk cache against naive ones that
 * keep a time of last use; which levels bypass the L2 cache. */
#include "policy/l2_bypass.h"
#include "policy/l2_cache.h"
#include "policy/msc.h"
#include "policy/walk_cache.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { LINES = 4096 };

/* The least recent of the lines that are there in a set. */
static int least(const uint64_t *when, const uint32_t *set_of, uint32_t set, int *held) {
  int oldest = -1;

  *held = 0;
  for (int i = 0; i < LINES; i++)
    if (when[i] && set_of[i] == set) {
      ++*held;
      if (oldest < 0 || when[i] < when[oldest]) oldest = i;
    }
  return oldest;
}

/* ---------------------------------------- L2 cache */
static void l2_cache(void **state) {
  static uint64_t when[LINES];
  static uint32_t set_of[LINES];
  static bool dirty[LINES];
  static int way_of[LINES];

  (void)state;
  for (int linear = 0; linear < 2; linear++)
    for (uint32_t ways = 1; ways <= 4; ways *= 2) {
      struct gmmu_l2_cache *c = gmmu_l2_cache_new(16, ways, linear);
      struct gmmu_rng r = {ways};
      uint32_t per_set[16] = {0};
      int backs = 0;
      memset(when, 0, sizeof when);
      memset(dirty, 0, sizeof dirty);
      for (uint32_t i = 0; i < LINES; i++) {
        set_of[i] = gmmu_l2_cache_set(c, i);
        assert_true(set_of[i] < 16);
        per_set[set_of[i]]++;
        if (linear) assert_int_equal(set_of[i], i % 16);
        if (i % 16) assert_true(set_of[i] != set_of[i - 1]); /* 16 lines in a row: 16 sets */
      }
      for (int i = 0; i < 16; i++) assert_int_equal(per_set[i], LINES / 16);
      for (uint64_t now = 1; now < 6000; now++) {
        int line = (int)gmmu_rng_below(&r, now % 1000 < 500 ? 64 : LINES), held;
        bool store = gmmu_rng_below(&r, 3) == 0, wrote_back;
        int way = gmmu_l2_cache_find(c, (uint64_t)line);
        assert_int_equal(way, when[line] ? way_of[line] : -1);
        if (way >= 0 && gmmu_rng_below(&r, 20) == 0) {
          gmmu_l2_cache_drop(c, (uint64_t)line, way);
          when[line] = dirty[line] = 0;
          continue;
        }
        if (way >= 0) {
          gmmu_l2_cache_touch(c, (uint64_t)line, way, store);
          dirty[line] |= store;
        } else {
          int oldest = least(when, set_of, set_of[line], &held);
          uint64_t victim;
          way_of[line] = gmmu_l2_cache_fill(c, (uint64_t)line, store, &victim, &wrote_back);
          assert_true(way_of[line] >= 0 && (uint32_t)way_of[line] < ways);
          if (held == (int)ways) {
            assert_int_equal(way_of[line], way_of[oldest]);
            assert_int_equal(wrote_back, dirty[oldest]);
            if (wrote_back) assert_int_equal(victim, oldest);
            backs += wrote_back;
            when[oldest] = 0;
          } else {
            assert_false(wrote_back);
          }
          dirty[line] = store;
        }
        when[line] = now;
      }
      assert_true(backs > 100);
      gmmu_l2_cache_free(c);
    }
  gmmu_l2_cache_free(NULL);
}

/* ---------------------------------------- page walk cache */
static void walk_cache(void **state) {
  static uint64_t when[LINES], value[LINES];
  static uint32_t set_of[LINES];
  struct gmmu_config cfg;
  struct gmmu_pwc c;
  struct gmmu_rng r = {9};
  int hits = 0;

  (void)state;
  gmmu_config_default(&cfg);
  cfg.PwcEntries = 0;
  assert_int_equal(gmmu_pwc_init(&c, &cfg), 0);
  assert_null(c.t);
  cfg.PwcEntries = 16;
  cfg.PwcWays = 4;
  assert_int_equal(gmmu_pwc_init(&c, &cfg), 0);
  assert_non_null(c.t);
  for (uint32_t i = 0; i < LINES; i++) set_of[i] = i % 4; /* by the PTE's number in its table */
  for (uint64_t now = 1; now < 20000; now++) {
    int at = (int)gmmu_rng_below(&r, now % 2000 < 1000 ? 40 : LINES), held;
    uint64_t pa = 0xabcd000000 + 8 * (uint64_t)at, pte = 77;
    int i = gmmu_pwc_look(&c, pa, &pte);
    assert_int_equal(i >= 0, when[at] != 0);
    hits += i >= 0;
    if (i >= 0) {
      assert_true(pte == value[at] && gmmu_pwc_way(&c, i) >= 0 && gmmu_pwc_way(&c, i) < 4);
      gmmu_pwc_touch(&c, i);
    } else {
      int oldest = least(when, set_of, set_of[at], &held);
      struct gmmu_fill f = {0};
      assert_int_equal(pte, 77);
      value[at] = gmmu_rng_next(&r) & ((1ull << 54) - 1);
      gmmu_pwc_insert(&c, pa, value[at], &f);
      assert_true(!f.overwrite && f.evict == (held == 4));
      if (held == 4) when[oldest] = 0;
    }
    when[at] = now;
    if (gmmu_rng_below(&r, 3000) == 0) {
      gmmu_pwc_flush(&c);
      memset(when, 0, sizeof when);
    }
  }
  assert_true(hits > 1000);
  struct gmmu_fill f = {0}; /* an insertion of what is there */
  gmmu_pwc_flush(&c);
  gmmu_pwc_insert(&c, 0x1000, 5, &f);
  gmmu_pwc_insert(&c, 0x1000, 6, &f);
  assert_true(f.overwrite && !f.evict);
  uint64_t pte;
  assert_true(gmmu_pwc_look(&c, 0x1000, &pte) >= 0 && pte == 6);
  assert_int_equal(gmmu_pwc_look(&c, 0x1008, &pte), -1);
  gmmu_pwc_flush(&c); /* a PTE at address 0 is one like any other */
  assert_int_equal(gmmu_pwc_look(&c, 0, &pte), -1);
  gmmu_pwc_insert(&c, 0, 7, &f);
  gmmu_pwc_insert(&c, 32, 8, &f); /* of the same set */
  assert_true(gmmu_pwc_look(&c, 0, &pte) >= 0 && pte == 7);
  gmmu_pwc_free(&c);
}

/* ---------------------------------------- levels that bypass the L2 cache */
/* A level is to bypass when data hits more often, and both were counted often enough. */
static void bypass(void **state) {
  struct gmmu_l2_bypass b;

  (void)state;
  for (uint32_t n = 62; n < 67; n++)
    for (uint32_t data = 62; data < 67; data++)
      for (uint32_t d = 1; d < GMMU_DEPTHS; d++)
        for (int less = 0; less < 2; less++) {
          gmmu_l2_bypass_epoch(&b);
          gmmu_l2_bypass_count(&b, d, n, less ? n / 4 : n);
          gmmu_l2_bypass_count(&b, 0, data, data / 2);
          assert_int_equal(gmmu_l2_bypass_wanted(&b, d), less && n >= 64 && data >= 64);
          for (uint32_t x = 1; x < GMMU_DEPTHS; x++)
            if (x != d) assert_false(gmmu_l2_bypass_wanted(&b, x));
        }
  gmmu_l2_bypass_epoch(&b); /* the same rate: it stays */
  gmmu_l2_bypass_count(&b, 2, 100, 50);
  gmmu_l2_bypass_count(&b, 0, 200, 100);
  assert_false(gmmu_l2_bypass_wanted(&b, 2));
  gmmu_l2_bypass_count(&b, 0, 1, 1);
  assert_true(gmmu_l2_bypass_wanted(&b, 2));
  gmmu_l2_bypass_decide(&b, 2, true);
  assert_true(b.bypass[2] && !b.bypass[1] && !b.bypass[3]);
  gmmu_l2_bypass_epoch(&b);
  assert_false(b.bypass[2] || b.access[0] || b.hit[0] || b.access[2]);
  /* 16 bits: what does not fit halves what was before */
  gmmu_l2_bypass_count(&b, 3, 65535, 20000);
  assert_true(b.access[3] == 65535 && b.hit[3] == 20000);
  gmmu_l2_bypass_count(&b, 3, 3, 1);
  assert_true(b.access[3] == 32767 + 3 && b.hit[3] == 10000 + 1);
  assert_true(b.access[2] == 0 && b.access[4] == 0);
  gmmu_l2_bypass_count(&b, 4, 65534, 7); /* what fits halves nothing */
  gmmu_l2_bypass_count(&b, 4, 1, 1);
  assert_true(b.access[4] == 65535 && b.hit[4] == 8);
}

/* ---------------------------------------- memory subregion cache */
/* The subregion below is contiguous with this one if its head follows it in memory and has the same
 * permissions; not if the walk would reject the head (W without R). */
static void subregions(void **state) {
  static const uint64_t low[] = {GMMU_PTE_R | GMMU_PTE_W, GMMU_PTE_X, GMMU_PTE_W | GMMU_PTE_X};
  struct gmmu_config cfg;
  struct gmmu_msc m;

  (void)state;
  for (int i = 0; i < 3; i++) {
    uint64_t bits = GMMU_PTE_V | GMMU_PTE_A | GMMU_PTE_D | low[i];
    struct gmmu_run r;
    gmmu_run_begin(&r, 1, 0x1040ull << 10 | bits, 3);
    gmmu_run_head(&r, 1, 0x1000ull << 10 | bits, 40);
    assert_int_equal(r.bitmap, i < 2);
  }
  gmmu_config_default(&cfg); /* not built: nothing is put in */
  cfg.MscWays = 0;
  assert_int_equal(gmmu_msc_init(&m, &cfg), 0);
  struct gmmu_fill f = {.base = true, .overwrite = true, .evict = true, .way = 3}, none = {0};
  gmmu_msc_insert(&m, 1, 2, 255, &f);
  assert_memory_equal(&f, &none, sizeof f);
  gmmu_msc_free(&m);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(l2_cache), cmocka_unit_test(walk_cache),
                                     cmocka_unit_test(bypass), cmocka_unit_test(subregions)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
