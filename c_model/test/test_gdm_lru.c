/* SPDX-License-Identifier: Apache-2.0 */
/* Which blocks stay: LRU-COST against a naive manager that keeps plain arrays; Gdev's rule. */
#include "gdm_rig.h"

/* ---------------------------------------- LRU-COST against a naive manager */
/* One block per region, hardware dirty bits; each launch names one to three regions, writes some of
 * them, and ends before the next. The naive manager keeps arrays and searches them from end to end.
 */
enum { REGIONS = 12, ROUNDS = 400 };
struct naive {
  int stack[REGIONS], n; /* LRU section, [0] on top */
  int cost[REGIONS], m;  /* COST section, [0] on top */
  bool dirty[REGIONS];
  int room;
};
static int find(const int *v, int n, int x) {
  for (int i = 0; i < n; i++)
    if (v[i] == x) return i;
  return -1;
}
static void cut(int *v, int *n, int at) {
  for (int i = at; i + 1 < *n; i++) v[i] = v[i + 1];
  --*n;
}
static void naive_top(struct naive *s, int x) {
  int at;
  if ((at = find(s->stack, s->n, x)) >= 0) cut(s->stack, &s->n, at);
  if ((at = find(s->cost, s->m, x)) >= 0) cut(s->cost, &s->m, at);
  for (int i = s->n++; i > 0; i--) s->stack[i] = s->stack[i - 1];
  s->stack[0] = x;
}
static void naive_evict(struct naive *s, const int *wanted, int w, double factor) {
  if (s->m == 0) {
    int most = (int)(factor * s->n), taken[REGIONS], t = 0;
    if (most == 0) most = 1;
    for (int i = s->n - 1; i >= 0 && t < most; i--)
      if (find(wanted, w, s->stack[i]) < 0) {
        taken[t++] = s->stack[i];
        cut(s->stack, &s->n, i);
      }
    for (int dirty = 1; dirty >= 0; dirty--) /* top of the section: dirty, and what was used last */
      for (int i = t - 1; i >= 0; i--)
        if (s->dirty[taken[i]] == dirty) s->cost[s->m++] = taken[i];
  }
  s->m--;
  s->dirty[s->cost[s->m]] = false;
}
static void against_a_naive_manager(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 12; seed++) {
    struct gmmu_rng rng = {seed};
    struct gdm_config c = config(5 + (unsigned)seed % 4);
    struct naive s = {.room = 5 + (int)seed % 4};
    struct gdm_ctx *ctx;
    gdm_ptr p[REGIONS];
    c.dirty = GDM_DIRTY_HW;
    c.selection_factor = (double)(seed % 5) / 4;
    struct gdm *g = start(&c, &ctx);
    for (int i = 0; i < REGIONS; i++) p[i] = region(BLOCK);
    for (int round = 0; round < ROUNDS; round++) {
      int want[3], n = 1 + (int)gmmu_rng_below(&rng, 3);
      uint64_t reads[6], writes[6], r = 0, w = 0;
      for (int i = 0; i < n; i++) {
        do want[i] = (int)gmmu_rng_below(&rng, REGIONS);
        while (find(want, i, want[i]) >= 0);
      }
      gdm_ptr names[3];
      for (int i = 0; i < n; i++) {
        names[i] = p[want[i]];
        if (gmmu_rng_below(&rng, 3)) reads[r++] = names[i], reads[r++] = 1;
        else writes[w++] = names[i], writes[w++] = 1;
      }
      assert_int_equal(gdm_launch(&look, reads, (unsigned)r, 1000, names, (unsigned)n), 0);
      assert_int_equal(gdm_launch(&bump, writes, (unsigned)w, 1000, names, (unsigned)n), 0);
      assert_int_equal(gdm_synchronize(), 0);
      /* The naive manager: wanted ones leave the COST section, what is missing is loaded in order.
       */
      int first_uses[3], uses = 0;
      for (int i = 0; i < n; i++)
        if (find(s.cost, s.m, want[i]) >= 0) naive_top(&s, want[i]);
      for (int i = 0; i < n; i++) {
        if (find(s.stack, s.n, want[i]) >= 0) continue;
        if (s.n + s.m == s.room) naive_evict(&s, want, n, c.selection_factor);
        naive_top(&s, want[i]);
      }
      for (int i = 0; i < n; i++)
        if (find(first_uses, uses, want[i]) < 0) first_uses[uses++] = want[i];
      /* Used in the order of the regions' addresses when A is harvested: first by the readers, then
       * by the writers. */
      for (int pass = 0; pass < 2; pass++)
        for (int x = 0; x < REGIONS; x++) {
          bool used = false;
          for (uint64_t i = 0; i < (pass ? w : r); i += 2)
            used = used || (pass ? writes : reads)[i] == p[x];
          if (used) naive_top(&s, x);
          if (used && pass) s.dirty[x] = true;
        }
      for (int x = 0; x < REGIONS; x++) {
        bool expect = find(s.stack, s.n, x) >= 0 || find(s.cost, s.m, x) >= 0;
        if (in(ctx, p[x]) != expect) {
          print_error("seed %d round %d region %d: resident %d, the naive manager says %d\n",
                      (int)seed, round, x, in(ctx, p[x]), expect);
          fail();
        }
      }
    }
    finish(g);
  }
}

/* Gdev: a region that has swapped with one swaps with no other, ever (section 6.3). */
static void gdev_swaps_with_one(void **state) {
  (void)state;
  struct gdm_config c = config(8);
  struct gdm_ctx *a, *b;
  uint8_t data[3 * BLOCK] = {1}, back[3 * BLOCK];
  c.policy = GDM_POLICY_GDEV;
  struct gdm *g = start(&c, &a);
  gdm_ptr big = region(6 * BLOCK);
  uint64_t x[2] = {big, 1}, y[2] = {0, 1};
  assert_int_equal(gdm_launch(&bump, x, 2, 1000, NULL, 0), 0);
  assert_int_equal(gdm_synchronize(), 0);
  assert_int_equal(gdm_ctx_create(&b, 0, g), 0);
  gdm_ptr first = region(3 * BLOCK), second;
  assert_int_equal(gdm_memcpy_htod(first, data, 3 * BLOCK), 0); /* pushes the big one out */
  assert_true(in(b, first) && !in(a, big));
  second =
      region(4 * BLOCK); /* the pair keeps 6 blocks: 2 are left, and the big one has its partner */
  y[0] = second;
  assert_int_equal(gdm_launch(&bump, y, 2, 1000, NULL, 0), GDM_ERROR_OUT_OF_MEMORY);
  assert_int_equal(gdm_mem_free(second), 0);
  assert_int_equal(gdm_mem_free(first), 0);
  gdm_ctx_set_current(a); /* back again, alone */
  assert_int_equal(gdm_launch(&bump, x, 2, 1000, NULL, 0), 0);
  assert_int_equal(gdm_memcpy_dtoh(back, big, 1), 0);
  assert_int_equal(back[0], 2);
  gdm_ctx_set_current(b);
  first = region(3 * BLOCK); /* another region than the one it swapped with */
  y[0] = first;
  assert_int_equal(gdm_launch(&bump, y, 2, 1000, NULL, 0), GDM_ERROR_OUT_OF_MEMORY);
  finish(g);
}

/* While a large region makes way for another one, on one copy engine, a third wants the second:
 * what the large one leaves stays with the pair, so there is no room, before and after the pair has
 * swapped. */
struct third {
  struct gdm *g;
  gdm_ptr at;
  uint64_t begins;
  size_t bytes;
  bool stays_out;
  uint64_t ended;
};
static void third_main(void *arg) {
  struct third *t = arg;
  struct gdm_ctx *c;
  uint8_t data[4 * BLOCK];
  memset(data, 7, sizeof data);
  assert_int_equal(gdm_ctx_create(&c, 0, t->g), 0);
  t->at = region(t->bytes);
  gdm_cpu(t->begins - gdm_now(t->g));
  assert_int_equal(gdm_memcpy_htod(t->at, data, t->bytes), 0);
  t->ended = gdm_now(t->g);
  assert_int_equal(gdm_block_at(c, t->at)->state == BLOCK_OUT, t->stays_out);
  uint64_t x[2] = {t->at, 1};
  int e = gdm_launch(&bump, x, 2, 1000, NULL, 0);
  assert_int_equal(e, t->stays_out ? GDM_ERROR_OUT_OF_MEMORY : 0);
  assert_int_equal(gdm_synchronize(), 0);
  for (uint64_t turn = 2 * t->begins + 20000000; !t->stays_out && turn < 200000000;
       turn += 60000000) { /* the two of the pair in turn */
    gdm_cpu(turn - gdm_now(t->g));
    assert_int_equal(gdm_launch(&bump, x, 2, 1000, NULL, 0), 0);
    assert_int_equal(gdm_synchronize(), 0);
    assert_true(in(c, t->at));
  }
  gdm_cpu(100000000); /* its regions stay until all have ended */
}
static void gdev_pair_keeps_its_frames(void **state) {
  (void)state;
  for (uint64_t late = 1000; late < 4000000; late *= 3) {
    struct gdm_config c = config(5);
    struct gmmu_err err;
    c.policy = GDM_POLICY_GDEV;
    c.copy_engines = 2;
    c.jitter_ppm = 0;
    struct gdm *g = start(&c, NULL);
    struct third t[3] = {{g, 0, 10000000, 4 * BLOCK, false, 0},
                         {g, 0, 20000000, 2 * BLOCK, false, 0},
                         {g, 0, 20000000 + late, 3 * BLOCK, true, 0}};
    for (int i = 0; i < 3; i++) gdm_app_start(g, "app", third_main, &t[i]);
    gdm_run(g);
    assert_true(t[0].ended < 20000000 && t[1].ended > 20000000);
    if (gdm_check(g, &err)) fail_msg("%s", err.msg);
    gdm_delete(g);
  }
}

/* A kernel that was made ready while another one runs gives its blocks up for what that one asks
 * for by faults, and has them again afterwards. */
static gdm_ptr hidden[3];
static void late_kernel(struct gdm_exec *x, const uint64_t *a, unsigned n) {
  uint8_t b;
  (void)a, (void)n;
  gdm_running(x, 1000000);
  for (int i = 0; i < 3; i++) gdm_load(x, &b, hidden[i], 1);
}
static void ready_kernels_blocks(void **state) {
  static const struct gdm_kernel late = {"late", late_kernel};
  struct gdm_config c = config(3);
  struct gdm_ctx *ctx, *other;
  uint8_t byte;
  (void)state;
  c.faults = true;
  struct gdm *g = start(&c, &ctx);
  for (int i = 0; i < 3; i++) hidden[i] = region(BLOCK);
  assert_int_equal(gdm_launch(&late, NULL, 0, 1000, NULL, 0), 0);
  assert_int_equal(gdm_ctx_create(&other, 0, g), 0);
  gdm_ptr p = region(2 * BLOCK);
  uint64_t a[2] = {p, BLOCK + 1};
  assert_int_equal(gdm_launch(&bump, a, 2, 1000, &p, 1), 0);
  gdm_cpu(500000);
  assert_true(in(other, p) && in(other, p + BLOCK) && other->ops->state == KERNEL_READY);
  gdm_ctx_set_current(ctx);
  assert_int_equal(gdm_synchronize(), 0);
  gdm_ctx_set_current(other);
  assert_int_equal(gdm_memcpy_dtoh(&byte, p + BLOCK, 1), 0);
  assert_int_equal(byte, 1);
  assert_int_equal(stats(g).kernels, 2);
  finish(g);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(against_a_naive_manager), cmocka_unit_test(ready_kernels_blocks),
      cmocka_unit_test(gdev_swaps_with_one), cmocka_unit_test(gdev_pair_keeps_its_frames)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
