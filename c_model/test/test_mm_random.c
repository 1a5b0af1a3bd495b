/* SPDX-License-Identifier: Apache-2.0 */
/* Random operations on the memory manager, all invariants and contents after each. GMMU_MM_SEEDS=N:
 * N seeds. */
#include "mm_rig.h"

struct plan {
  enum gmmu_mm_policy policy;
  unsigned frames;
  bool cac, out, delayed;
  double index, occupancy;
};

static void arrive_one(struct rig *r, struct gmmu_rng *g) {
  if (!r->num_coming) return;
  int k = (int)gmmu_rng_below(g, (uint64_t)r->num_coming);
  fetch(r, r->coming[k].asid, r->coming[k].va, r->coming[k].pa, r->coming[k].bytes);
  unsigned asid = r->coming[k].asid;
  uint64_t va = r->coming[k].va;
  r->coming[k] = r->coming[--r->num_coming];
  assert_int_equal(gmmu_mm_arrived(r->mm, asid, va), 0);
}

static void random_plan(void **state, const struct plan *p, uint64_t seed, int ops) {
  begin(state, p->policy, p->frames, p->cac, p->out);
  struct rig *r = *state;
  struct gmmu_rng g = {seed};
  static bool has[SPACES][ARENA], writable[SPACES][ARENA];
  memset(has, 0, sizeof has);
  r->delayed = p->delayed;
  assert_int_equal(gmmu_mm_fragment(r->mm, p->index, p->occupancy, seed), 0);
  for (uint64_t pa = FIRST; pa < FIRST + p->frames * FRAME; pa += PAGE) put(r, pa, pa);
  uint64_t foreign = stats(r).foreign;
  for (int op = 0; op < ops; op++) {
    unsigned a = 1 + (unsigned)gmmu_rng_below(&g, SPACES - 1);
    uint32_t at = (uint32_t)gmmu_rng_below(&g, ARENA),
             n = 1 + (uint32_t)gmmu_rng_below(&g, gmmu_rng_below(&g, 2) ? 20 : 1300);
    if (p->policy == GMMU_MM_LARGE || gmmu_rng_below(&g, 3) == 0) at &= ~511u;
    if (at + n > ARENA) n = ARENA - at;
    unsigned what = (unsigned)gmmu_rng_below(&g, p->delayed ? 9 : 7);
    if (what < 2 &&
        gmmu_rng_below(&g, 8)) { /* mostly what can be done: free room, or allocated pages */
      uint32_t k = 0, step = what == 0 && (n > 100 || p->policy == GMMU_MM_LARGE) ? 512 : 1;
      if (step == 512) at &= ~511u, n = n < 400 ? 512 : n;
      for (k = 0; k < ARENA && has[a][at] != (what == 1); k += step) at = (at + step) % ARENA;
      k = 0;
      while (k < n && at + k < ARENA && has[a][at + k] == (what == 1)) k++;
      if (k) n = k;
      if (at + n > ARENA) n = ARENA - at;
    }
    uint64_t va = BASE_VA + at * PAGE;
    switch (what) {
      case 0: {
        bool exists = false, demand = gmmu_rng_below(&g, 2), w = gmmu_rng_below(&g, 4) != 0;
        for (uint32_t k = 0; k < n; k++) exists |= has[a][at + k];
        for (uint32_t k = 0; k < n && !exists; k++)
          r->host[a][at + k] = r->want[a][at + k] = gmmu_rng_next(&g);
        int e = gmmu_mm_alloc(r->mm, a, va, n * PAGE, w ? RW : GMMU_DRV_R | GMMU_DRV_U, demand);
        if (exists) assert_int_equal(e, GMMU_MM_EXISTS);
        else if (e)
          assert_true(e == GMMU_MM_NO_MEMORY ||
                      (e == GMMU_MM_EXISTS && (p->delayed || p->policy == GMMU_MM_LARGE)));
        for (uint32_t k = 0; k < n && !e; k++) has[a][at + k] = true, writable[a][at + k] = w;
        break;
      }
      case 1:
      case 2: {
        bool all = true;
        if (gmmu_rng_below(&g, 4))
          while (n > 1 && !has[a][at + n - 1]) n--;
        for (uint32_t k = 0; k < n; k++) all &= has[a][at + k];
        int e = gmmu_mm_dealloc(r->mm, a, va, n * PAGE);
        assert_int_equal(e, all ? 0 : GMMU_MM_ABSENT);
        for (uint32_t k = 0; k < n && all; k++) has[a][at + k] = false;
        break;
      }
      case 7:
      case 8:
        for (uint32_t k = 0; k < 4 * n; k++) arrive_one(r, &g);
        break;
      default:
        for (uint32_t k = at; k < at + n && k < at + 600; k++) { /* accesses */
          bool w = gmmu_rng_below(&g, 2);
          uint64_t pa = where(r, a, BASE_VA + k * PAGE);
          if (!pa) {
            int verdict = touch(r, a, BASE_VA + k * PAGE + 16, w), why = gmmu_mm_last_fault(r->mm);
            if (!has[a][k] || (w && !writable[a][k])) assert_int_equal(why, GMMU_MM_ABSENT);
            else if (p->delayed)
              assert_true((why == 0 && verdict == GMMU_DRV_LATER) || why == GMMU_MM_NO_MEMORY);
            else assert_true(why == 0 || (why == GMMU_MM_NO_MEMORY && !p->out));
            pa = where(r, a, BASE_VA + k * PAGE);
          }
          if (!pa) continue;
          assert_true(has[a][k]);
          assert_true(content(r, pa) == r->want[a][k]);
          if (w && writable[a][k]) put(r, pa, r->want[a][k] = gmmu_rng_next(&g));
        }
    }
    well(r);
    assert_int_equal(stats(r).foreign, foreign);
  }
  while (r->num_coming) arrive_one(r, &g);
  /* Every page holds what it must, wherever it is. */
  for (unsigned a = 1; a < SPACES; a++)
    for (uint32_t k = 0; k < ARENA; k++) {
      uint64_t pa = 0;
      enum gmmu_mm_where w = gmmu_mm_where(r->mm, a, BASE_VA + k * PAGE, &pa);
      assert_int_equal(w != GMMU_MM_NOT_ALLOCATED, has[a][k]);
      if (w == GMMU_MM_HERE) assert_true(content(r, pa) == r->want[a][k]);
      else if (w == GMMU_MM_ON_HOST) assert_true(r->host[a][k] == r->want[a][k]);
    }
  for (unsigned a = 1; a < SPACES; a++)
    for (uint32_t k = 0; k < ARENA; k++)
      if (has[a][k]) assert_int_equal(gmmu_mm_dealloc(r->mm, a, BASE_VA + k * PAGE, PAGE), 0);
  well(r);
  struct gmmu_mm_stats s = stats(r);
  assert_true(s.pages == 0 && s.resident == 0 && s.held == 0);
  if (p->index == 0) assert_int_equal(s.free_frames, s.frames);
  print_message(
      "policy %d, %u frames: %d operations, %llu coalesced, %llu splintered, %llu compacted, %llu "
      "moved, %llu emergencies, %llu given up, "
      "%llu mixed, %llu in, %llu out\n",
      p->policy, p->frames, ops, (unsigned long long)s.coalesced, (unsigned long long)s.splintered,
      (unsigned long long)s.compacted, (unsigned long long)s.moved,
      (unsigned long long)s.emergencies, (unsigned long long)s.given_up,
      (unsigned long long)s.mixed, (unsigned long long)s.ins, (unsigned long long)s.outs);
  end(state);
}

static void random_operations(void **state) {
  static const struct plan plans[] = {{GMMU_MM_MOSAIC, 40, true, false, false, 0, 0},
                                      {GMMU_MM_MOSAIC, 14, true, false, false, 0, 0},
                                      {GMMU_MM_MOSAIC, 12, true, true, false, 0, 0},
                                      {GMMU_MM_MOSAIC, 24, true, true, true, 0, 0},
                                      {GMMU_MM_MOSAIC, 12, true, true, true, 0.5, 0.3},
                                      {GMMU_MM_MOSAIC, 12, false, true, true, 0, 0},
                                      {GMMU_MM_MOSAIC, 10, true, false, true, 1, 0.4},
                                      {GMMU_MM_BASE, 8, true, true, true, 0, 0},
                                      {GMMU_MM_LARGE, 12, true, true, true, 0, 0},
                                      {GMMU_MM_LARGE, 12, true, false, false, 0, 0}};
  const char *more = getenv("GMMU_MM_SEEDS"); /* runs of other seeds, for make regress */
  for (uint64_t s = 0; s < (more ? strtoull(more, NULL, 0) : 1); s++)
    for (size_t i = 0; i < sizeof plans / sizeof plans[0]; i++)
      random_plan(state, &plans[i], 100 + i + 1000 * s, 1000);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test_teardown(random_operations, end)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
