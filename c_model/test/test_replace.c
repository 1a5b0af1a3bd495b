/* SPDX-License-Identifier: Apache-2.0 */
/** test_replace.c - every replacement policy against what arrays count on; true LRU against a naive
 * list. */
#include "policy/replace.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "gmmu.h"

enum { SETS = 8, WAYS = 16 };
/** Ways of each set from the least recent to the most recent. */
struct order {
  int way[SETS][WAYS];
};

static void order_reset(struct order *o, int sets, int ways) {
  for (int s = 0; s < sets; s++)
    for (int w = 0; w < ways; w++) o->way[s][w] = w;
}

static void order_touch(struct order *o, int ways, int set, int way) {
  int *list = o->way[set], at = 0;
  while (list[at] != way) at++;
  memmove(&list[at], &list[at + 1], (size_t)(ways - 1 - at) * sizeof *list);
  list[ways - 1] = way;
}

static int order_victim(const struct order *o, int set, int from) {
  int at = 0;
  while (o->way[set][at] < from) at++;
  return o->way[set][at];
}

static void lru(const struct gmmu_policy *p, int sets, int ways, uint64_t seed) {
  struct gmmu_rng rng = {seed};
  struct gmmu_replace r;
  struct order o;

  assert_true(gmmu_replace_init(&r, p, sets, ways));
  order_reset(&o, sets, ways);
  for (int n = 0; n < 20000; n++) {
    int set = (int)gmmu_rng_below(&rng, (uint64_t)sets);
    int way = (int)gmmu_rng_below(&rng, (uint64_t)ways);
    if (gmmu_rng_below(&rng, 2000) == 0) {
      gmmu_replace_reset(&r);
      order_reset(&o, sets, ways);
    }
    gmmu_replace_touch(&r, set * ways + way);
    order_touch(&o, ways, set, way);
    for (int s = 0; s < sets; s++)
      for (int from = 0; from < ways; from++)
        assert_int_equal(gmmu_replace_victim(&r, s, from), order_victim(&o, s, from));
  }
  gmmu_replace_free(&r);
}

static void true_lru(void **state) {
  (void)state;
  lru(&gmmu_lru, 1, 1, 1);
  lru(&gmmu_lru, 1, 2, 2);
  lru(&gmmu_lru, 1, WAYS, 3);
  lru(&gmmu_lru, 4, 3, 4);
  lru(&gmmu_lru, SETS, 4, 5);
}

/** What arrays count on, whatever the policy: ways from `from` on, never the way used last where
 * there is another, other sets change nothing, the same after each reset. */
static void any(const struct gmmu_policy *p, int sets, int ways, uint64_t seed) {
  struct gmmu_rng rng = {seed};
  struct gmmu_replace r;
  int first[SETS], before[SETS];

  assert_true(gmmu_replace_init(&r, p, sets, ways));
  for (int s = 0; s < sets; s++) first[s] = gmmu_replace_victim(&r, s, 0);
  for (int n = 0; n < 5000; n++) {
    int set = (int)gmmu_rng_below(&rng, (uint64_t)sets);
    int way = (int)gmmu_rng_below(&rng, (uint64_t)ways), v;
    for (int s = 0; s < sets; s++) before[s] = gmmu_replace_victim(&r, s, 0);
    gmmu_replace_touch(&r, set * ways + way);
    for (int s = 0; s < sets; s++)
      if (s != set) assert_int_equal(gmmu_replace_victim(&r, s, 0), before[s]);
    v = gmmu_replace_victim(&r, set, 0);
    assert_true(v != way || ways == 1);
    for (int from = 0; from < ways; from++) {
      v = gmmu_replace_victim(&r, set, from);
      assert_in_range(v, from, ways - 1);
      assert_int_equal(gmmu_replace_victim(&r, set, from), v); /* asking changes nothing */
    }
  }
  gmmu_replace_reset(&r);
  for (int s = 0; s < sets; s++) assert_int_equal(gmmu_replace_victim(&r, s, 0), first[s]);
  gmmu_replace_free(&r);
}

static void every_policy(void **state) {
  (void)state;
  for (int i = 0; gmmu_policies[i]; i++) {
    any(gmmu_policies[i], 1, 1, 1);
    any(gmmu_policies[i], 1, 2, 2);
    any(gmmu_policies[i], 1, WAYS, 3);
    any(gmmu_policies[i], SETS, 5, 4);
  }
}

static bool bit(const void *array, int index) { return *(const uint64_t *)array >> index & 1; }

/** The lowest free way of those that may be taken, else the policy's. */
static void free_ways_first(void **state) {
  struct gmmu_replace r;
  uint64_t used = 0x0b07; /* set 0: 7, set 1: 0, set 2: b */

  (void)state;
  assert_true(gmmu_replace_init(&r, &gmmu_lru, 4, 4));
  assert_int_equal(gmmu_replace_way(&r, 0, 0, bit, &used), 3);
  assert_int_equal(gmmu_replace_way(&r, 1, 2, bit, &used), 2);
  assert_int_equal(gmmu_replace_way(&r, 2, 0, bit, &used), 2);
  assert_int_equal(gmmu_replace_way(&r, 2, 3, bit, &used), 3);
  gmmu_replace_touch(&r, 8 + 3);
  used |= 0xf00;
  assert_int_equal(gmmu_replace_way(&r, 2, 2, bit, &used), 2);
  gmmu_replace_touch(&r, 8 + 2);
  assert_int_equal(gmmu_replace_way(&r, 2, 2, bit, &used), 3);
  gmmu_replace_free(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(true_lru),
      cmocka_unit_test(every_policy),
      cmocka_unit_test(free_ways_first),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
