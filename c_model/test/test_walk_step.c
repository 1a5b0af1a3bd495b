/* SPDX-License-Identifier: Apache-2.0 */
/** test_walk_step.c - the walk step by step against the walk whole (gmmu_walk, which has oracles of
 * its own in test_walk.c), on random tables with every bit of the contiguity extension. */
#include "functional/walk_step.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#define T0 0x100ull
#define POOL 8u

struct fix {
  struct gmmu_env e;
  struct gmmu_mem *m;
  struct gmmu_rng r;
};

static bool one_in(struct fix *f, uint64_t n) { return gmmu_rng_below(&f->r, n) == 0; }
static uint64_t few_index(struct fix *f) {
  static const uint64_t v[] = {0, 1, 64, 255, 511};
  return v[gmmu_rng_below(&f->r, 5)];
}
static int read_mem(void *arg, uint64_t pa, uint64_t *pte) {
  *pte = gmmu_mem_read64(arg, pa);
  return pa == (T0 << 12 | 255 << 3); /* one word that cannot be read */
}

/* Of table t: the first ones mostly point to the next, the last ones mostly have leaves. */
static uint64_t random_pte(struct fix *f, uint64_t t) {
  uint64_t p;

  if (t < 4 ? !one_in(f, 6) : one_in(f, 6)) {
    p = GMMU_PTE_MAKE(T0 + (t + 1 + one_in(f, 3)) % POOL, GMMU_PTE_V);
    if (one_in(f, 3)) p |= GMMU_PTE_C(one_in(f, 2) ? 0 : 7);
    if (one_in(f, 4)) p |= one_in(f, 2) ? GMMU_PTE_AC : GMMU_PTE_CO;
    if (one_in(f, 2)) p |= gmmu_rng_below(&f->r, 4) << 8; /* CO, AC in the RSW bits */
  } else {
    static const uint64_t base[] = {0x40000, 1ull << 28, (1ull << 28) - 100, 0x3ff00};
    p = GMMU_PTE_MAKE(base[gmmu_rng_below(&f->r, 4)] + (one_in(f, 3) ? 7 : 0),
                      (gmmu_rng_next(&f->r) & 0x1be) | GMMU_PTE_V | GMMU_PTE_R | GMMU_PTE_A);
  }
  if (one_in(f, 16)) p ^= 1ull << gmmu_rng_below(&f->r, 64);
  if (one_in(f, 12)) p ^= GMMU_PTE_A;
  return p;
}

static void random_env(struct fix *f) {
  f->e.num_asids = 4;
  f->e.num_windows = 2;
  f->e.va_w = 48;
  f->e.pa_w = 40;
  f->e.large_answers = one_in(f, 2);
  f->e.unified = one_in(f, 2);
  f->e.frame_bits_in_rsw = one_in(f, 2);
  f->e.win[0] = (struct gmmu_window){T0, T0 + POOL - one_in(f, 4), true, false};
  f->e.win[1] = (struct gmmu_window){0x3ff80, one_in(f, 2) ? ~0ull >> 20 : 0x400ff, false, true};
  for (int a = 0; a < 6; a++) /* those from 4 on are not of the build */
    f->e.ctx[a] = (struct gmmu_ctx){.root_pfn = T0 + gmmu_rng_below(&f->r, 3),
                                    .mode = a & 1 ? GMMU_MODE_SV39 : GMMU_MODE_SV48,
                                    .ext = a & 2};
  for (uint64_t t = 0; t < POOL; t++)
    for (uint64_t i = 0; i < 5; i++)
      gmmu_mem_write64(f->m, (T0 + t) << 12 | (uint64_t[]){0, 1, 64, 255, 511}[i] << 3,
                       random_pte(f, t));
}

/* The walk by its steps, as gmmu_walk() tells of it. */
static void by_steps(struct fix *f, int asid, uint64_t vfn, struct gmmu_xlate *out) {
  struct gmmu_walk_state s;
  uint64_t pa[8];
  int n = 0, cause = gmmu_walk_begin(&f->e, asid, vfn, &s);
  bool ended = cause != GMMU_OK;

  memset(out, 0, sizeof *out);
  out->cause = cause;
  while (!ended) {
    uint64_t pte;
    assert_true(n < 4);
    assert_int_equal(s.depth, n + 1);
    pa[n] = s.pa;
    bool err = read_mem(f->m, pa[n++], &pte);
    ended = gmmu_walk_step(&f->e, &s, err, pte, out);
    assert_false(s.update); /* without Svadu hardware sets nothing */
  }
  out->reads = n;
  memcpy(out->pte_pa, pa, (size_t)n * sizeof *pa);
}

static void against_the_whole_walk(void **state) {
  struct fix f = {.r = {77}};
  int seen[GMMU_NUM_CAUSES] = {0}, paths[4] = {0}, whole = 0;

  (void)state;
  f.m = gmmu_mem_new();
  for (int n = 0; n < 1500000; n++) {
    struct gmmu_xlate want, got;
    int asid = (int)gmmu_rng_below(&f.r, 8) - 1;
    if (n % 40 == 0) random_env(&f);
    uint64_t vfn = few_index(&f) << 27 | few_index(&f) << 18 | few_index(&f) << 9 | few_index(&f);
    if (one_in(&f, 2)) vfn = (uint64_t)((int64_t)(vfn << 37) >> 37) & ((1ull << 36) - 1);
    gmmu_walk(&f.e, asid, vfn, read_mem, f.m, &want);
    by_steps(&f, asid, vfn, &got);
    if (got.cause != want.cause)
      fail_msg("n %d asid %d vfn %llx: %s, whole %s", n, asid, (unsigned long long)vfn,
               gmmu_cause_name(got.cause), gmmu_cause_name(want.cause));
    assert_memory_equal(&got, &want, sizeof got);
    seen[want.cause]++;
    if (want.cause) continue;
    paths[want.path]++;
    whole += want.whole;
  }
  for (int c = 0; c <= GMMU_AF_MEM; c++)
    if (c != GMMU_PF_DIRTY && c != GMMU_PERM && seen[c] < 20)
      fail_msg("only %d of %s", seen[c], gmmu_cause_name(c));
  for (int i = 0; i < 4; i++) assert_true(paths[i] > 50);
  assert_true(whole > 20);
  gmmu_mem_free(f.m);
}

/* What a request is answered before anything is looked up. */
static void local_faults(void **state) {
  struct fix f = {.r = {1}};

  (void)state;
  f.m = gmmu_mem_new();
  random_env(&f);
  for (int asid = -1; asid < 6; asid++) {
    bool there = asid >= 0 && asid < 4;
    int top = asid & 1 ? 38 : 47;
    assert_int_equal(gmmu_local_fault(&f.e, asid, 0x1000), there ? GMMU_OK : GMMU_UNKNOWN_ASID);
    for (int bit = 0; there && bit < 64; bit++) {
      int want = bit < top ? GMMU_OK : GMMU_NON_CANONICAL;
      assert_int_equal(gmmu_local_fault(&f.e, asid, 1ull << bit), want);
      assert_int_equal(gmmu_local_fault(&f.e, asid, ~(1ull << bit)), want);
    }
  }
  f.e.va_w = 39;
  assert_int_equal(gmmu_local_fault(&f.e, 0, 0), GMMU_UNKNOWN_ASID);
  assert_int_equal(gmmu_local_fault(&f.e, 1, 0), GMMU_OK);
  gmmu_mem_free(f.m);
  /* below the first context: whatever lies there */
  struct {
    struct gmmu_ctx before;
    struct gmmu_env e;
  } x = {{.mode = GMMU_MODE_SV39}, {.num_asids = 4, .va_w = 48, .pa_w = 48}};
  assert_false(gmmu_ctx_on(&x.e, -1));
}

/* Pages that go together (docs/colt.md): all four of a large translation, wherever its frame lies;
 * none beyond the physical width, though a window allows it. */
static void groups_at_edges(void **state) {
  const uint64_t bits = GMMU_PTE_V | GMMU_PTE_R | GMMU_PTE_A;
  struct gmmu_env e = {.num_asids = 1, .num_windows = 1, .va_w = 48, .pa_w = 40};
  struct gmmu_walk_state s = {.vfn = 0x12343, .level = 1};
  struct gmmu_xlate x = {.pfn = 0x40000, .large = true};
  uint64_t line[8] = {0};

  (void)state;
  e.win[0] = (struct gmmu_window){0x40000, 0x401ff, false, true};
  assert_int_equal(gmmu_walk_group(&e, &s, line, &x), 15);
  x.cause = GMMU_PF_INVALID;
  assert_int_equal(gmmu_walk_group(&e, &s, line, &x), 0);
  e.win[0] = (struct gmmu_window){0, ~0ull, false, true};
  for (uint64_t i = 0; i < 8; i++) line[i] = GMMU_PTE_MAKE((1ull << 28) - 2 + (i & 3), bits);
  for (uint64_t page = 0; page < 2; page++) {
    s = (struct gmmu_walk_state){.vfn = 0x12344 + page};
    x = (struct gmmu_xlate){.pfn = (1ull << 28) - 2 + page};
    assert_int_equal(gmmu_walk_group(&e, &s, line, &x), 3);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(against_the_whole_walk),
                                     cmocka_unit_test(local_faults),
                                     cmocka_unit_test(groups_at_edges)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
