/* SPDX-License-Identifier: Apache-2.0 */
/** test_tlb_array.c - random operations on tlb_array against a list of ways in order of use. */
#include "policy/tlb_array.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#define MAX 64

/** The naive oracle: per set its ways, least recent first. */
struct oracle {
  int sets, ways;
  uint64_t key[MAX], pfn[MAX];
  int order[MAX];
};

static void o_reset(struct oracle *o, int sets, int ways) {
  memset(o, 0, sizeof *o);
  o->sets = sets;
  o->ways = ways;
  for (int i = 0; i < sets * ways; i++) o->order[i] = i;
}

static int o_lookup(const struct oracle *o, uint64_t key) {
  for (int i = 0; i < o->sets * o->ways; i++)
    if (key && o->key[i] == key) return i;
  return -1;
}

static void o_touch(struct oracle *o, int index) {
  int *v = &o->order[index / o->ways * o->ways], at = 0;
  while (v[at] != index) at++;
  memmove(&v[at], &v[at + 1], (size_t)(o->ways - 1 - at) * sizeof *v);
  v[o->ways - 1] = index;
}

static int o_fill(struct oracle *o, int set, uint64_t key, uint64_t pfn, bool *overwrite,
                  bool *evict) {
  int i = o_lookup(o, key);
  *overwrite = i >= 0;
  *evict = false;
  if (i < 0)
    for (int w = o->ways - 1; w >= 0; w--)
      if (!o->key[set * o->ways + w]) i = set * o->ways + w;
  if (i < 0) {
    i = o->order[set * o->ways];
    *evict = true;
  }
  o->key[i] = key;
  o->pfn[i] = pfn;
  o_touch(o, i);
  return i;
}

static void run(int sets, int ways, uint64_t keys, uint64_t seed) {
  struct gmmu_tlb *t = gmmu_tlb_new(sets, ways, &gmmu_lru);
  struct gmmu_rng rng = {seed};
  struct oracle o;

  o_reset(&o, sets, ways);
  for (int n = 0; n < 20000; n++) {
    uint64_t vfn = gmmu_rng_below(&rng, keys), what = gmmu_rng_below(&rng, 100);
    uint64_t key =
        gmmu_tlb_key((uint16_t)(vfn % 3), vfn << 7 | (vfn & 7)); /* the same low bits often */
    int set = (int)(vfn % (uint64_t)sets), want = o_lookup(&o, key), got = gmmu_tlb_lookup(t, key);

    assert_int_equal(got, want);
    if (got >= 0) assert_int_equal(gmmu_tlb_data_at(t, got)->pfn, o.pfn[want]);
    if (what < 40) {
      if (got < 0) continue;
      gmmu_tlb_touch(t, got);
      o_touch(&o, got);
    } else if (what < 85) {
      struct gmmu_tlb_data d = {.pfn = (uint64_t)n};
      struct gmmu_fill f;
      bool overwrite, evict;
      want = o_fill(&o, set, key, d.pfn, &overwrite, &evict);
      assert_int_equal(gmmu_tlb_fill(t, set, key, &d, &f), want);
      assert_int_equal(f.way, want % ways);
      assert_int_equal(f.overwrite, overwrite);
      assert_int_equal(f.evict, evict);
    } else if (what < 99) {
      int i = (int)gmmu_rng_below(&rng, (uint64_t)(sets * ways));
      gmmu_tlb_clear(t, i); /* order unchanged, also of one that is invalid */
      o.key[i] = 0;
    } else if (gmmu_rng_below(&rng, 20) == 0) {
      gmmu_tlb_reset(t);
      o_reset(&o, sets, ways);
    }
    for (int i = 0; i < sets * ways; i++) assert_int_equal(gmmu_tlb_key_at(t, i), o.key[i]);
  }
  gmmu_tlb_free(t);
}

static void fully_associative(void **state) {
  (void)state;
  run(1, 1, 3, 1);
  run(1, 2, 4, 2);
  run(1, 16, 24, 3);
  run(1, 64, 90, 4);
  for (uint64_t seed = 9; seed < 17; seed++) run(1, 1 + (int)seed % 3, 40, seed); /* rarely found */
}

static void set_associative(void **state) {
  (void)state;
  run(2, 2, 10, 5);
  run(8, 4, 60, 6);
  run(4, 16, 100, 7);
  run(32, 2, 100, 8);
}

static void not_built(void **state) {
  struct gmmu_tlb *t = gmmu_tlb_new(1, 0, &gmmu_lru);
  (void)state;
  assert_int_equal(gmmu_tlb_lookup(t, gmmu_tlb_key(0, 0)), -1);
  assert_int_equal(gmmu_tlb_ways(t), 0);
  gmmu_tlb_reset(t);
  gmmu_tlb_free(t);
}

static void first_victims_are_ways_0_1_2(void **state) {
  struct gmmu_tlb *t = gmmu_tlb_new(1, 4, &gmmu_lru);
  struct gmmu_tlb_data d = {0};
  struct gmmu_fill f;

  (void)state;
  for (uint64_t i = 0; i < 12; i++) {
    gmmu_tlb_fill(t, 0, gmmu_tlb_key(1, i), &d, &f);
    assert_int_equal(f.way, i % 4);
    assert_int_equal(f.evict, i >= 4);
  }
  gmmu_tlb_free(t);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(fully_associative),
      cmocka_unit_test(set_associative),
      cmocka_unit_test(not_built),
      cmocka_unit_test(first_victims_are_ways_0_1_2),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
