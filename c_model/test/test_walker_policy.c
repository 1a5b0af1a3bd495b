/* SPDX-License-Identifier: Apache-2.0 */
/** test_walker_policy.c - slots and restarts of docs/walker.md; the stepwise walk against
 * gmmu_walk(). */
#include "policy/walk_stage.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static void open(struct gmmu_walker *w, struct gmmu_env *e, int walks, int on) {
  struct gmmu_config c;
  gmmu_config_default(&c);
  c.Walks = walks;
  memset(e, 0, sizeof *e);
  gmmu_env_from_config(e, &c);
  e->win[0] = (struct gmmu_window){0, 0xffff, true, true};
  for (int i = 0; i < on; i++)
    e->ctx[i] = (struct gmmu_ctx){.root_pfn = 16ull + (uint64_t)i, .mode = GMMU_MODE_SV48};
  gmmu_walker_init(w, &c);
  w->share.on = gmmu_share_contexts(e);
}

/** Starts the walk at `place` as contexts and windows are now. */
static void start(struct gmmu_walker *w, const struct gmmu_env *e, int place,
                  struct gmmu_walk_result *r) {
  struct gmmu_walk_root root;
  gmmu_walker_root(w, e, place, &root);
  gmmu_walker_start(w, &root, place, r);
}

static int root_fault(const struct gmmu_walker *w, const struct gmmu_env *e, int place) {
  struct gmmu_walk_root root;
  gmmu_walker_root(w, e, place, &root);
  return root.cause;
}

static void oldest_that_may_start_in_lowest_slot(void **state) {
  struct gmmu_walker w;
  struct gmmu_walk_result r;
  struct gmmu_env e;

  (void)state;
  open(&w, &e, 3, 2);
  assert_int_equal(gmmu_walker_pick(&w, &w.share), -1);
  for (int i = 0; i < 4; i++) gmmu_walker_push(&w, 0, 100ull + (uint64_t)i, 0, i, 0);
  gmmu_walker_push(&w, 1, 200, 0, 9, 0);
  assert_int_equal(gmmu_walker_pick(&w, &w.share), 0);
  start(&w, &e, 0, &r);
  assert_true(r.slot == 0 && !r.ended && w.slot[0].at.pa == 16ull << 12 && w.slot[0].at.depth == 1);
  start(&w, &e, 0, &r); /* free 2 > 1 without */
  assert_int_equal(r.slot, 1);
  assert_int_equal(gmmu_walker_pick(&w, &w.share), 2); /* the last slot is ASID 1's */
  start(&w, &e, 2, &r);
  assert_int_equal(w.slot[2].mshr, 9);
  assert_int_equal(gmmu_walker_pick(&w, &w.share), -1);
  gmmu_walker_release(&w, 1);
  assert_int_equal(gmmu_walker_pick(&w, &w.share), 0);
  start(&w, &e, 0, &r);
  assert_true(r.slot == 1 && w.slot[1].vfn == 102 && w.buffered == 1 && w.buffer[0].vfn == 103);
}

static void faults_at_the_start(void **state) {
  struct gmmu_walker w;
  struct gmmu_walk_result r;
  struct gmmu_env e;

  (void)state;
  open(&w, &e, 4, 2);
  e.ctx[1].root_pfn = 0x10000;
  gmmu_walker_push(&w, 1, 5, 0, 0, 0);
  assert_int_equal(root_fault(&w, &e, 0), GMMU_AF_WALK_WINDOW);
  start(&w, &e, 0, &r);
  assert_true(r.ended && r.data.cause == GMMU_AF_WALK_WINDOW && w.slot[r.slot].used);
  gmmu_walker_push(&w, 2, 5, 0, 0, 0);
  assert_int_equal(root_fault(&w, &e, 0), GMMU_UNKNOWN_ASID);
  gmmu_walker_push(&w, 0, 5, 0, 0, 0);
  assert_int_equal(root_fault(&w, &e, 1), GMMU_OK);
}

static void marked_walks_restart_once(void **state) {
  struct gmmu_inv_cmd c = {.kind = GMMU_INV_RANGE, .asid = 0, .lo_vfn = 512, .hi_vfn = 512};
  struct gmmu_walker w;
  struct gmmu_walk_result r;
  struct gmmu_walk_root root;
  struct gmmu_env e;

  (void)state;
  open(&w, &e, 4, 1);
  gmmu_walker_push(&w, 0, 1023, 0, 0, 0); /* the frame of the range */
  gmmu_walker_push(&w, 0, 1024, 0, 1, 0);
  start(&w, &e, 0, &r);
  start(&w, &e, 0, &r);
  gmmu_walker_decode(&w, &e, 0, false, GMMU_PTE_MAKE(20, GMMU_PTE_V), NULL, &r);
  assert_true(!r.ended && w.slot[0].at.depth == 2);
  gmmu_walker_mark(&w, &c);
  gmmu_walker_decode(&w, &e, 0, true, 0, NULL, &r); /* even an error is thrown away */
  assert_true(r.restarted && !r.ended && !r.reads && r.depth == 2 && w.num_again == 1);
  gmmu_walker_mark(&w, &c); /* it is to start over already */
  gmmu_walker_root_again(&w, &e, &root);
  gmmu_walker_again(&w, &root, &r);
  assert_true(r.slot == 0 && r.reads && !w.slot[0].restart && w.slot[0].at.depth == 1);
  gmmu_walker_decode(&w, &e, 0, false, 0, NULL, &r);
  assert_true(!r.restarted && r.ended && r.data.cause == GMMU_PF_INVALID);
  gmmu_walker_mark(&w, &c); /* it ended: nothing to restart */
  assert_false(w.slot[0].restart);
  gmmu_walker_decode(&w, &e, 1, true, 0, NULL, &r);
  assert_true(!r.restarted && r.ended && r.data.cause == GMMU_AF_MEM);
}

static void walks_start_over_in_order(void **state) {
  struct gmmu_inv_cmd c = {.kind = GMMU_INV_ALL};
  struct gmmu_walker w;
  struct gmmu_walk_result r;
  struct gmmu_walk_root root;
  struct gmmu_env e;

  (void)state;
  open(&w, &e, 4, 2);
  for (int i = 0; i < 3; i++) gmmu_walker_push(&w, (uint16_t)(i / 2), 5, 0, i, 0);
  for (int i = 0; i < 3; i++) start(&w, &e, 0, &r);
  gmmu_walker_mark(&w, &c);
  for (int slot = 2; slot >= 0; slot--) gmmu_walker_decode(&w, &e, slot, false, 0, NULL, &r);
  assert_int_equal(w.num_again, 3);
  e.ctx[1].mode = GMMU_MODE_OFF;
  for (int slot = 2; slot >= 0; slot--) {
    gmmu_walker_root_again(&w, &e, &root);
    gmmu_walker_again(&w, &root, &r);
    assert_int_equal(r.slot, slot);
    assert_int_equal(r.ended, slot == 2); /* its context went off */
  }
  assert_int_equal(w.slot[2].mshr, 2);
}

/** A cycle: the walk at `place` is named (-1: one was, and starts), the first that starts over did,
 * another one waited behind it. */
static void next(struct gmmu_walk_stage *s, const struct gmmu_walker *w, const struct gmmu_env *e,
                 int place, bool again, bool queued) {
  struct gmmu_walk_stage_in in = {
      .share = w->share, .place = place, .started = place < 0, .again = again, .queued = queued};
  gmmu_walk_stage_next(s, w, e, &in);
}

static void two_cycles_before_the_root(void **state) {
  struct gmmu_walk_stage s = {0};
  struct gmmu_walker w;
  struct gmmu_walk_result r;
  struct gmmu_env e;

  (void)state;
  open(&w, &e, 4, 2);
  gmmu_walker_push(&w, 0, 5, 0, 7, 0);
  gmmu_walker_push(&w, 0, 6, 0, 8, 0);
  assert_false(gmmu_walk_stage_starts(&s, &w, 0));
  next(&s, &w, &e, 0, false, false);
  e.ctx[0].root_pfn = 99; /* from now on: it was read already */
  assert_true(gmmu_walk_stage_starts(&s, &w, 0) && s.root.at.pa == 16ull << 12);
  assert_false(gmmu_walk_stage_starts(&s, &w, 1) || gmmu_walk_stage_starts(&s, &w, -1));
  gmmu_walker_start(&w, &s.root, 0, &r);
  next(&s, &w, &e, -1, false, false);
  assert_false(gmmu_walk_stage_starts(&s, &w, 0)); /* the other one was not named yet */
  /* 3 slots are free as the walk started, 2 now, one is reserved for ASID 1 */
  assert_true(s.started && w.share.free == 3);
  assert_int_equal(gmmu_walk_stage_pick(&s, &w), 0);
  gmmu_share_take(&s.share, 0);
  assert_int_equal(gmmu_walk_stage_pick(&s, &w), -1);
  s.started = false;
  assert_int_equal(gmmu_walk_stage_pick(&s, &w), 0);
  gmmu_walker_mark(&w, &(struct gmmu_inv_cmd){.kind = GMMU_INV_ALL});
  gmmu_walker_decode(&w, &e, 0, false, 0, NULL, &r);
  next(&s, &w, &e, 0, false, true);
  assert_true(s.again && !s.again_ready && gmmu_walk_stage_starts(&s, &w, 0));
  next(&s, &w, &e, 0, false, false);
  assert_true(s.again_ready && !s.named && s.root.at.pa == 99ull << 12);
  gmmu_walker_again(&w, &s.root, &r);
  next(&s, &w, &e, 0, true, false);
  assert_false(s.again || s.again_ready || s.named);
}

/* Whether a walk may read on is known before what its PTE means: false only where it does not. */
static void may_read_on(void **state) {
  const uint64_t leaf = GMMU_PTE_V | GMMU_PTE_R | GMMU_PTE_W, a = GMMU_PTE_A, d = GMMU_PTE_D;
  struct gmmu_walker w;
  struct gmmu_walk_result r;
  struct gmmu_env e;

  (void)state;
  open(&w, &e, 4, 1);
  gmmu_walker_push(&w, 0, 5, 0, 0, 0);
  start(&w, &e, 0, &r);
  for (int svadu = 0; svadu < 2; svadu++)
    for (int level = 0; level < 4; level++)
      for (int store = 0; store < 2; store++)
        for (uint64_t bits = 0; bits < 256; bits++) {
          bool pointer = !(bits & (GMMU_PTE_R | GMMU_PTE_W | GMMU_PTE_X)), want;
          e.svadu = svadu;
          w.slot[0].at.level = (int8_t)level;
          w.slot[0].at.store = store ? 3 : 0;
          want = bits & GMMU_PTE_V &&
                 (pointer ? level > 0 : svadu && (!(bits & a) || (store && !(bits & d))));
          assert_int_equal(gmmu_walker_may_read(&w, &e, 0, false, bits), want);
          assert_false(gmmu_walker_may_read(&w, &e, 0, true, bits));
        }
  e.svadu = true;
  w.slot[0].at.path = GMMU_PATH_CO; /* hardware sets nothing there */
  assert_false(gmmu_walker_may_read(&w, &e, 0, false, leaf));
  w.slot[0].after = true; /* heads of other subregions */
  assert_true(gmmu_walker_may_read(&w, &e, 0, true, 0));
}

/* An update of a walk that will restart: neither one that is not marked, nor ended, nor no update.
 */
static void stale_updates(void **state) {
  struct gmmu_inv_cmd all = {.kind = GMMU_INV_ALL};
  struct gmmu_walker w;
  struct gmmu_walk_result r;
  struct gmmu_env e;

  (void)state;
  open(&w, &e, 4, 1);
  e.svadu = true;
  assert_false(gmmu_walker_stale_update(&w));
  gmmu_walker_push(&w, 0, 5, 3, 0, 0);
  start(&w, &e, 0, &r);
  w.slot[0].at.level = 0;
  gmmu_walker_decode(&w, &e, 0, false,
                     GMMU_PTE_MAKE(7, GMMU_PTE_V | GMMU_PTE_R | GMMU_PTE_W | GMMU_PTE_U), NULL, &r);
  assert_true(r.reads && r.updates && !r.ended);
  assert_int_equal(w.slot[0].at.set ^ w.slot[0].at.old, GMMU_PTE_A | GMMU_PTE_D); /* of a store */
  assert_false(gmmu_walker_stale_update(&w));
  gmmu_walker_mark(&w, &all);
  assert_true(gmmu_walker_stale_update(&w));
  w.slot[0].at.update = false;
  assert_false(gmmu_walker_stale_update(&w));
  w.slot[0].at.update = true;
  w.slot[0].ended = true;
  assert_false(gmmu_walker_stale_update(&w));
  w.slot[0].ended = false;
  w.slot[0].used = false;
  assert_false(gmmu_walker_stale_update(&w));
}

static void buffer_that_is_full(void **state) {
  struct gmmu_walker w;
  struct gmmu_env e;

  (void)state;
  open(&w, &e, 4, 1);
  for (int i = 0; i < GMMU_MAX_BUFFER + 1; i++) gmmu_walker_push(&w, 0, (uint64_t)i, 0, i, 0);
  assert_int_equal(w.buffered, GMMU_MAX_BUFFER);
  assert_true(w.buffer[0].vfn == 0 && w.buffer[GMMU_MAX_BUFFER - 1].vfn == GMMU_MAX_BUFFER - 1);
  assert_false(w.slot[0].used);
}

/* ---------------------------------------- the walk itself */
static uint64_t random_pte(struct gmmu_rng *g, int tables) {
  uint64_t bits = gmmu_rng_next(g) & 0x3ff, pfn = gmmu_rng_below(g, (uint64_t)tables),
           odd = gmmu_rng_below(g, 32);
  if (gmmu_rng_below(g, 4)) bits |= GMMU_PTE_V;
  if (gmmu_rng_below(g, 2)) bits = GMMU_PTE_V; /* a pointer */
  else if (gmmu_rng_below(g, 2)) bits |= GMMU_PTE_R | GMMU_PTE_A, pfn = pfn << 9;
  if (odd == 0) pfn |= 1ull << 43;
  if (odd == 1) pfn |= 512;
  if (odd == 2) pfn <<= 9;
  if (odd == 3) bits |= 1ull << (54 + gmmu_rng_below(g, 10));
  if (odd == 4 || odd == 5) bits |= GMMU_PTE_CO;
  if (odd == 6 || odd == 7) bits |= GMMU_PTE_AC | GMMU_PTE_AC_RSW;
  if (odd > 7 && odd < 16) bits |= GMMU_PTE_C(odd - 8) | GMMU_PTE_C(0);
  return GMMU_PTE_MAKE(pfn, bits);
}

static int read_mem(void *arg, uint64_t pa, uint64_t *pte) {
  *pte = gmmu_mem_read64(arg, pa);
  return pa % 4096 == 8 * 63;
}

static void step_is_the_walk(void **state) {
  struct gmmu_rng g = {4};
  unsigned seen[GMMU_NUM_CAUSES] = {0}, updates = 0;

  (void)state;
  for (int n = 0; n < 3000; n++) {
    struct gmmu_env e = {.num_asids = 3,
                         .num_windows = 2,
                         .va_w = n % 5 ? 48 : 39,
                         .pa_w = 36 + n % 20,
                         .frame_bits_in_rsw = n % 3 == 0,
                         .large_answers = n % 2 == 0,
                         .unified = n % 4 == 0,
                         .svadu = n % 7 > 3};
    struct gmmu_mem *m = gmmu_mem_new();
    e.win[0] = (struct gmmu_window){gmmu_rng_below(&g, 2), 6 + gmmu_rng_below(&g, 3), true, true};
    e.win[1] = (struct gmmu_window){512, 512 * (2 + gmmu_rng_below(&g, 9)) - gmmu_rng_below(&g, 2),
                                    false, true};
    for (int a = 0; a < 2; a++)
      e.ctx[a] = (struct gmmu_ctx){gmmu_rng_below(&g, 8), (int)gmmu_rng_below(&g, 10) % 3,
                                   n % 4 != 0, false, false};
    for (uint64_t t = 0; t < 8; t++)
      for (uint64_t i = 0; i < 64; i++) {
        uint64_t pte = random_pte(&g, 8);
        if (e.svadu) pte &= ~(gmmu_rng_next(&g) & (GMMU_PTE_A | GMMU_PTE_D));
        gmmu_mem_write64(m, t << 12 | i << 3, pte);
      }
    for (int k = 0; k < 60; k++) {
      uint64_t vfn = gmmu_rng_next(&g), pte;
      struct gmmu_xlate want, got = {0};
      struct gmmu_walk_state s;
      int asid = (int)gmmu_rng_below(&g, 4), reads = 0;
      bool ended;
      vfn = (vfn & 63) | (vfn >> 6 & 63) << 9 | (vfn >> 12 & 63) << 18 |
            (vfn >> 18 & (k % 2 ? 63 : 0)) << 27;
      gmmu_walk(&e, asid, vfn, read_mem, m, &want);
      got.cause = gmmu_walk_begin(&e, asid, vfn, &s);
      s.store = 3; /* a store that may go anywhere: with svadu the walk ends with D=1 where
                      gmmu_walk() says so */
      s.update = false;
      for (ended = got.cause != 0; !ended; reads++) {
        int err = 0;
        if (s.update) { /* nobody else changes the PTE */
          assert_true(e.svadu && gmmu_mem_read64(m, s.pa) == s.old);
          gmmu_mem_write64(m, s.pa, s.set);
          reads--;
          updates++;
        }
        err = read_mem(m, s.pa, &pte);
        assert_int_equal(s.pa, want.pte_pa[reads]);
        assert_int_equal(s.depth, reads + 1);
        ended = gmmu_walk_step(&e, &s, err != 0, pte, &got);
      }
      assert_int_equal(reads, want.reads);
      got.reads = want.reads;
      memcpy(got.pte_pa, want.pte_pa, sizeof got.pte_pa);
      assert_memory_equal(&got, &want, sizeof got);
      seen[got.cause]++;
    }
    gmmu_mem_free(m);
  }
  assert_true(updates > 100);
  for (int i = 0; i <= GMMU_AF_MEM; i++)
    if (i != GMMU_PERM && i != GMMU_PF_DIRTY && i != GMMU_NON_CANONICAL && !seen[i])
      fail_msg("no walk ended with %s", gmmu_cause_name(i));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(oldest_that_may_start_in_lowest_slot),
      cmocka_unit_test(faults_at_the_start),
      cmocka_unit_test(marked_walks_restart_once),
      cmocka_unit_test(walks_start_over_in_order),
      cmocka_unit_test(two_cycles_before_the_root),
      cmocka_unit_test(may_read_on),
      cmocka_unit_test(stale_updates),
      cmocka_unit_test(buffer_that_is_full),
      cmocka_unit_test(step_is_the_walk),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
