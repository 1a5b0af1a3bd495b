/* SPDX-License-Identifier: Apache-2.0 */
/* The memory manager by hand; random operations: test_mm_random.c. */
#include <math.h>

#include "mm_rig.h"

#include "mm/mm_int.h"

/* CoCoA: whole aligned 2 MiB get a frame and are coalesced without an invalidation; the rest are
 * base pages of the application. */
static void conserves_contiguity(void **state) {
  begin(state, GMMU_MM_MOSAIC, 8, true, false);
  struct rig *r = *state;
  uint64_t va = 0x20000000 - 3 * PAGE, bytes = 2 * FRAME + 8 * PAGE;
  int before = r->invalidations;
  assert_int_equal(gmmu_mm_alloc(r->mm, 1, va, bytes, RW, false), 0);
  assert_int_equal(r->invalidations, before);
  assert_true(is_coalesced(r, 1, 0x20000000) && is_coalesced(r, 1, 0x20200000) &&
              !is_coalesced(r, 1, va) && !is_coalesced(r, 1, 0x20400000));
  for (uint64_t o = 0; o < 2 * FRAME; o += PAGE)
    assert_true(where(r, 1, 0x20000000 + o) % FRAME == o % FRAME);
  assert_int_equal(gmmu_mm_alloc(r->mm, 2, va, 8 * PAGE, RW, false), 0);
  assert_true(where(r, 2, va) / FRAME != where(r, 1, va) / FRAME); /* the soft guarantee */
  assert_true(where(r, 1, va) / FRAME == where(r, 1, 0x20400000) / FRAME);
  struct gmmu_mm_stats s = stats(r);
  assert_true(s.coalesced == 2 && s.free_frames == 4 && s.pages == 2 * 512 + 16 &&
              s.resident == s.pages && s.held == 4 * 512);
  well(r);
}

static void demand_coalesces_when_whole(void **state) {
  begin(state, GMMU_MM_MOSAIC, 4, true, false);
  struct rig *r = *state;
  assert_int_equal(gmmu_mm_alloc(r->mm, 1, BASE_VA, FRAME, RW, true), 0);
  assert_int_equal(where(r, 1, BASE_VA), 0);
  for (uint64_t k = 0; k < 512; k++) {
    assert_false(is_coalesced(r, 1, BASE_VA));
    assert_int_equal(touch(r, 1, BASE_VA + (k * 37 % 512) * PAGE + 8, 1), GMMU_DRV_RESOLVED);
    if (k % 64 == 0) well(r);
  }
  assert_true(is_coalesced(r, 1, BASE_VA));
  assert_int_equal(stats(r).ins, 512);
  assert_int_equal(touch(r, 1, BASE_VA, 0),
                   GMMU_DRV_RESOLVED); /* a second fault of the page: nothing more */
  assert_int_equal(stats(r).ins, 512);
  /* Not allocated, not permitted. */
  assert_int_equal(touch(r, 1, BASE_VA + FRAME, 0), GMMU_DRV_LATER);
  assert_int_equal(gmmu_mm_last_fault(r->mm), GMMU_MM_ABSENT);
  assert_int_equal(gmmu_mm_alloc(r->mm, 1, BASE_VA + FRAME, PAGE, GMMU_DRV_R | GMMU_DRV_U, true),
                   0);
  assert_int_equal(touch(r, 1, BASE_VA + FRAME, 1), GMMU_DRV_LATER);
  assert_int_equal(gmmu_mm_last_fault(r->mm), GMMU_MM_ABSENT);
  assert_int_equal(touch(r, 1, BASE_VA + FRAME, 0), GMMU_DRV_RESOLVED);
  well(r);
}

/* CAC: 256 pages left: still coalesced, in the emergency list; 255: splintered, moved to a frame
 * with room. */
static void splinters_below_the_threshold(void **state) {
  begin(state, GMMU_MM_MOSAIC, 4, true, false);
  struct rig *r = *state;
  assert_int_equal(gmmu_mm_alloc(r->mm, 1, BASE_VA, FRAME, RW, false), 0);
  assert_int_equal(gmmu_mm_alloc(r->mm, 1, BASE_VA + FRAME, PAGE, RW, false),
                   0); /* opens a frame of base pages */
  uint64_t pa = where(r, 1, BASE_VA);
  for (unsigned k = 0; k < 512; k++) put(r, pa + k * PAGE, k);
  assert_int_equal(gmmu_mm_dealloc(r->mm, 1, BASE_VA, 256 * PAGE), 0);
  assert_true(is_coalesced(r, 1, BASE_VA + 300 * PAGE));
  assert_true(is_coalesced(r, 1, BASE_VA)); /* freed, mapped all the same */
  assert_int_equal(where(r, 1, BASE_VA), 0);
  well(r);
  assert_int_equal(gmmu_mm_dealloc(r->mm, 1, BASE_VA + 256 * PAGE, PAGE), 0);
  struct gmmu_mm_stats s = stats(r);
  assert_true(s.splintered == 1 && s.compacted == 1 && s.moved == 255 && s.free_frames == 3 &&
              r->copies == 255);
  for (unsigned k = 257; k < 512; k++) {
    assert_true(where(r, 1, BASE_VA + k * PAGE) / FRAME == where(r, 1, BASE_VA + FRAME) / FRAME);
    assert_true(content(r, where(r, 1, BASE_VA + k * PAGE)) == k);
  }
  well(r);
  assert_int_equal(gmmu_mm_dealloc(r->mm, 1, BASE_VA + 257 * PAGE, 255 * PAGE), 0);
  assert_int_equal(gmmu_mm_dealloc(r->mm, 1, BASE_VA + FRAME, PAGE), 0);
  assert_int_equal(stats(r).free_frames, 4);
  well(r);
}

static void without_cac_nothing_moves(void **state) {
  begin(state, GMMU_MM_MOSAIC, 2, false, false);
  struct rig *r = *state;
  assert_int_equal(gmmu_mm_alloc(r->mm, 1, BASE_VA, 2 * FRAME, RW, false), 0);
  assert_int_equal(gmmu_mm_dealloc(r->mm, 1, BASE_VA + PAGE, 511 * PAGE), 0);
  assert_true(stats(r).splintered == 0 && is_coalesced(r, 1, BASE_VA));
  assert_int_equal(gmmu_mm_alloc(r->mm, 1, BASE_VA + 2 * FRAME, PAGE, RW, false),
                   GMMU_MM_NO_MEMORY);
  well(r);
  assert_int_equal(gmmu_mm_dealloc(r->mm, 1, BASE_VA, PAGE), 0);
  assert_int_equal(stats(r).free_frames, 1);
  well(r);
}

/* The failsafe: nothing is free, a coalesced frame with unallocated pages is splintered for them.
 */
static void emergency_list(void **state) {
  begin(state, GMMU_MM_MOSAIC, 2, true, false);
  struct rig *r = *state;
  assert_int_equal(gmmu_mm_alloc(r->mm, 1, BASE_VA, 2 * FRAME, RW, false), 0);
  assert_int_equal(gmmu_mm_dealloc(r->mm, 1, BASE_VA, 100 * PAGE), 0);
  assert_int_equal(gmmu_mm_alloc(r->mm, 1, BASE_VA + 2 * FRAME, 60 * PAGE, RW, false), 0);
  assert_true(stats(r).emergencies == 1 && !is_coalesced(r, 1, BASE_VA + 200 * PAGE) &&
              is_coalesced(r, 1, BASE_VA + FRAME));
  well(r);
  /* Another application: the guarantee is soft. */
  assert_int_equal(gmmu_mm_alloc(r->mm, 2, BASE_VA, 40 * PAGE, RW, false), 0);
  assert_int_equal(stats(r).mixed, 1);
  assert_int_equal(gmmu_mm_alloc(r->mm, 2, BASE_VA + FRAME, PAGE, RW, false), GMMU_MM_NO_MEMORY);
  well(r);
  /* What is dead can be allocated again: its frame is splintered first. */
  assert_int_equal(gmmu_mm_dealloc(r->mm, 1, BASE_VA + FRAME + 5 * PAGE, PAGE), 0);
  assert_int_equal(gmmu_mm_alloc(r->mm, 1, BASE_VA + FRAME + 5 * PAGE, PAGE, RW, false), 0);
  assert_false(is_coalesced(r, 1, BASE_VA + FRAME));
  well(r);
}

static void foreign_data_moves(void **state) {
  begin(state, GMMU_MM_MOSAIC, 16, true, false);
  struct rig *r = *state;
  assert_int_equal(gmmu_mm_fragment(r->mm, 1.0, 0.25, 7), 0);
  for (uint64_t pa = FIRST; pa < FIRST + 16 * FRAME; pa += PAGE) put(r, pa, pa);
  assert_true(stats(r).foreign == 16 * 128 && stats(r).free_frames == 0);
  well(r);
  assert_int_equal(gmmu_mm_alloc(r->mm, 1, BASE_VA, 10 * FRAME, RW, false), 0);
  assert_true(stats(r).coalesced == 10 && stats(r).compacted >= 10 && stats(r).foreign == 16 * 128);
  well(r);
  /* Whole frames. */
  end(state);
  begin(state, GMMU_MM_MOSAIC, 4, true, false);
  r = *state;
  assert_int_equal(gmmu_mm_fragment(r->mm, 1, 1, 7), 0);
  assert_true(stats(r).free_frames == 0 && stats(r).foreign == 4 * 512);
  well(r);
  /* A share of the frames. */
  end(state);
  begin(state, GMMU_MM_MOSAIC, 100, true, false);
  r = *state;
  assert_int_equal(gmmu_mm_fragment(r->mm, 0, 0.5, 7), 0); /* none */
  assert_true(stats(r).free_frames == 100 && stats(r).foreign == 0);
  assert_int_equal(gmmu_mm_fragment(r->mm, 0.3, 0.5, 7), 0);
  assert_true(stats(r).free_frames == 70 && stats(r).foreign == 30 * 256);
  well(r);
  /* Any of them: one of four, 400 times. */
  int got[4] = {0};
  for (uint64_t seed = 0; seed < 400; seed++) {
    end(state);
    begin(state, GMMU_MM_MOSAIC, 4, true, false);
    r = *state;
    assert_int_equal(gmmu_mm_fragment(r->mm, 0.25, 1, seed * 0x9e3779b97f4a7c15u), 0);
    assert_int_equal(stats(r).foreign, 512);
    for (int i = 0; i < 4; i++) got[i] += r->mm->frames[i].kind != K_FREE;
  }
  for (int i = 0; i < 4; i++) assert_in_range(got[i], 70, 130);
}

static void memory_runs_out(void **state) {
  begin(state, GMMU_MM_MOSAIC, 4, true, false);
  struct rig *r = *state;
  assert_int_equal(gmmu_mm_alloc(r->mm, 1, BASE_VA, 3 * FRAME + 100 * PAGE, RW, false), 0);
  struct gmmu_mm_stats a = stats(r), b;
  assert_int_equal(gmmu_mm_alloc(r->mm, 2, BASE_VA, FRAME, RW, false), GMMU_MM_NO_MEMORY);
  b = stats(r);
  assert_true(a.pages == b.pages && a.resident == b.resident);
  well(r);
  r->tables_left = 0, r->num_freed = 0; /* none for page tables either */
  assert_int_equal(gmmu_mm_alloc(r->mm, 1, 0x70000000, PAGE, RW, false), GMMU_DRV_NO_MEMORY);
  assert_int_equal(stats(r).pages, a.pages);
  well(r);
  r->fail_page_in = 1;
  assert_int_equal(gmmu_mm_alloc(r->mm, 1, BASE_VA + 4 * FRAME, PAGE, RW, false), GMMU_DRV_BUS);
  assert_int_equal(stats(r).pages, a.pages);
  well(r);
}

static void bad_requests(void **state) {
  begin(state, GMMU_MM_MOSAIC, 4, true, false);
  struct rig *r = *state;
  struct gmmu_mm *m = r->mm;
  assert_int_equal(gmmu_mm_alloc(m, 1, BASE_VA, 10 * PAGE, RW, false), 0);
  const struct {
    unsigned asid;
    uint64_t va, bytes;
    unsigned perms;
    int want;
  } bad[] = {{SPACES, BASE_VA, PAGE, RW, GMMU_MM_ARGUMENT},
             {1, BASE_VA + 1, PAGE, RW, GMMU_MM_ARGUMENT},
             {1, BASE_VA, 0, RW, GMMU_MM_ARGUMENT},
             {1, 0x4000000000, PAGE, RW, GMMU_MM_ARGUMENT},
             {1, BASE_VA, 100, RW, GMMU_MM_ARGUMENT},
             {1, 0x3ffffff000, 2 * PAGE, RW, GMMU_MM_ARGUMENT},
             {1, 0x20000000, PAGE, GMMU_DRV_W, GMMU_MM_ARGUMENT},
             {1, 0x20000000, PAGE, 0, GMMU_MM_ARGUMENT},
             {1, BASE_VA + 9 * PAGE, 2 * PAGE, RW, GMMU_MM_EXISTS}};
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
    assert_int_equal(gmmu_mm_alloc(m, bad[i].asid, bad[i].va, bad[i].bytes, bad[i].perms, i & 1),
                     bad[i].want);
  const unsigned may[] = {GMMU_DRV_R, GMMU_DRV_R | GMMU_DRV_W,
                          GMMU_DRV_R | GMMU_DRV_X}; /* read, write, execute, atomic */
  static const bool right[3][4] = {
      {true, false, false, false}, {true, true, false, true}, {true, false, true, false}};
  for (uint64_t k = 0; k < 3; k++) {
    assert_int_equal(gmmu_mm_alloc(m, 2, BASE_VA + k * PAGE, PAGE, may[k] | GMMU_DRV_U, true), 0);
    for (unsigned access = 0; access < 4; access++) {
      touch(r, 2, BASE_VA + k * PAGE, access);
      assert_int_equal(gmmu_mm_last_fault(m), right[k][access] ? 0 : GMMU_MM_ABSENT);
    }
    assert_int_equal(gmmu_mm_dealloc(m, 2, BASE_VA + k * PAGE, PAGE), 0);
  }
  assert_int_equal(gmmu_mm_dealloc(m, 1, BASE_VA + 9 * PAGE, 2 * PAGE), GMMU_MM_ABSENT);
  assert_int_equal(gmmu_mm_dealloc(m, 2, BASE_VA, PAGE), GMMU_MM_ABSENT);
  assert_int_equal(gmmu_mm_dealloc(m, 1, BASE_VA + 1, PAGE), GMMU_MM_ARGUMENT);
  assert_int_equal(stats(r).pages, 10);
  assert_int_equal(gmmu_mm_dealloc(m, 1, BASE_VA, 10 * PAGE), 0);
  assert_int_equal(gmmu_mm_dealloc(m, 1, BASE_VA, 10 * PAGE), GMMU_MM_ABSENT); /* freed twice */
  assert_int_equal(gmmu_mm_arrived(m, 1, BASE_VA), GMMU_MM_ABSENT);
  const double shares[][2] = {{2, 0.5}, {-0.1, 0.5}, {0.5, -0.1}, {0.5, 1.1}};
  for (int i = 0; i < 4; i++)
    assert_int_equal(gmmu_mm_fragment(m, shares[i][0], shares[i][1], 1), GMMU_MM_ARGUMENT);
  well(r);
  assert_string_equal(gmmu_mm_error_name(GMMU_MM_EXISTS), "allocated already");
  assert_string_equal(gmmu_mm_error_name(GMMU_DRV_BUS), "bus error");
  assert_string_equal(gmmu_mm_error_name(GMMU_MM_ARGUMENT), "bad argument");
  assert_string_equal(gmmu_mm_error_name(GMMU_MM_ARGUMENT - 1), "unknown error");
  assert_string_equal(gmmu_mm_error_name(-1000), "unknown error");
  struct gmmu_mm_host host = {0};
  struct gmmu_mm_cfg cfg[] = {{GMMU_MM_MOSAIC, FIRST + PAGE, FRAME, 256, true, false},
                              {GMMU_MM_MOSAIC, FIRST, 0, 256, true, false},
                              {GMMU_MM_MOSAIC, FIRST, FRAME, 0, true, false},
                              {GMMU_MM_MOSAIC, FIRST, FRAME, 513, true, false},
                              {GMMU_MM_MOSAIC, 1ull << 40, FRAME, 256, true, false},
                              {3, FIRST, FRAME, 256, true, false},
                              /* over the end of all addresses, to their end */
                              {GMMU_MM_MOSAIC, 0 - FRAME, 2 * FRAME, 256, true, false},
                              {GMMU_MM_MOSAIC, 0 - FRAME, FRAME, 256, true, false}};
  for (size_t i = 0; i < sizeof cfg / sizeof cfg[0]; i++)
    assert_null(gmmu_mm_new(&cfg[i], &r->drv, &host));
}

static void baselines(void **state) {
  begin(state, GMMU_MM_BASE, 4, true, false);
  struct rig *r = *state;
  for (unsigned a = 1; a < 3; a++)
    assert_int_equal(gmmu_mm_alloc(r->mm, a, BASE_VA, FRAME, RW, true), 0);
  for (unsigned k = 0; k < 100; k++)
    for (unsigned a = 1; a < 3; a++)
      assert_int_equal(touch(r, a, BASE_VA + k * PAGE, 0), GMMU_DRV_RESOLVED);
  assert_true(where(r, 1, BASE_VA) + PAGE == where(r, 2, BASE_VA) &&
              where(r, 2, BASE_VA) + PAGE == where(r, 1, BASE_VA + PAGE));
  assert_int_equal(stats(r).coalesced, 0);
  well(r);
  end(state);

  begin(state, GMMU_MM_LARGE, 4, true, false);
  r = *state;
  assert_int_equal(gmmu_mm_alloc(r->mm, 1, BASE_VA + PAGE, PAGE, RW, true), GMMU_MM_ARGUMENT);
  assert_int_equal(gmmu_mm_alloc(r->mm, 1, BASE_VA, 513 * PAGE, RW, true), 0);
  assert_int_equal(touch(r, 1, BASE_VA + 700, 0), GMMU_DRV_RESOLVED);
  assert_int_equal(touch(r, 1, BASE_VA + 512 * PAGE, 0), GMMU_DRV_RESOLVED);
  struct gmmu_mm_stats s = stats(r);
  assert_true(s.in_bytes == 2 * FRAME && s.held == 1024 && s.resident == 513);
  well(r);
  assert_int_equal(gmmu_mm_alloc(r->mm, 1, BASE_VA + FRAME, PAGE, RW, true), GMMU_MM_EXISTS);
  assert_int_equal(gmmu_mm_dealloc(r->mm, 1, BASE_VA, 512 * PAGE), 0);
  assert_int_equal(stats(r).free_frames, 3);
  well(r);
}

/* Pages go out in the order in which they came: a full memory must not give up the page that an
 * access is about to use. */
static void oldest_goes_out(void **state) {
  for (enum gmmu_mm_policy policy = GMMU_MM_MOSAIC; policy <= GMMU_MM_BASE; policy++) {
    begin(state, policy, 1, true, true);
    struct rig *r = *state;
    assert_int_equal(gmmu_mm_fragment(r->mm, 1, 500.0 / 512, 3), 0); /* 12 pages are left */
    assert_int_equal(stats(r).foreign, 500);
    for (uint64_t pa = FIRST; pa < FIRST + FRAME; pa += PAGE) put(r, pa, pa);
    assert_int_equal(gmmu_mm_alloc(r->mm, 1, BASE_VA, 100 * PAGE, RW, true), 0);
    for (uint64_t k = 0; k < 100; k++) {
      assert_int_equal(touch(r, 1, BASE_VA + k * PAGE, 0), GMMU_DRV_RESOLVED);
      for (uint64_t j = 0; j <= k; j++)
        assert_int_equal(where(r, 1, BASE_VA + j * PAGE) != 0, k - j < 12);
      well(r);
    }
    end(state);
  }
}

static void oldest_frame_goes_first(void **state) {
  begin(state, GMMU_MM_BASE, 2, false, true);
  struct rig *r = *state;
  assert_int_equal(gmmu_mm_alloc(r->mm, 1, BASE_VA, 1100 * PAGE, RW, true), 0);
  for (uint64_t k = 0; k < 1025; k++)
    assert_int_equal(touch(r, 1, BASE_VA + k * PAGE, 0), GMMU_DRV_RESOLVED);
  assert_int_equal(where(r, 1, BASE_VA), 0);
  for (uint64_t k = 1; k < 1025; k++) assert_int_not_equal(where(r, 1, BASE_VA + k * PAGE), 0);
  well(r);
}

/* The driver has no memory for a table when a transfer arrives, of which a part was freed on its
 * way. */
static void arrival_that_fails(void **state) {
  begin(state, GMMU_MM_MOSAIC, 4, true, false);
  struct rig *r = *state;
  r->delayed = true;
  assert_int_equal(gmmu_mm_alloc(r->mm, 1, BASE_VA, FRAME, RW, false), 0); /* one transfer */
  assert_int_equal(r->num_coming, 1);
  assert_int_equal(gmmu_mm_dealloc(r->mm, 1, BASE_VA + 7 * PAGE, PAGE), 0);
  assert_int_equal(gmmu_mm_dealloc(r->mm, 1, BASE_VA + 100 * PAGE, PAGE), 0);
  r->tables_left = 0;
  r->num_freed = 0;
  assert_int_equal(gmmu_mm_arrived(r->mm, 1, BASE_VA), GMMU_DRV_NO_MEMORY);
  well(r);
  assert_int_equal(stats(r).free_frames, 4);
  r->tables_left = 100;
  r->delayed = false;
  assert_int_equal(touch(r, 1, BASE_VA + 7 * PAGE, 0), GMMU_DRV_LATER);
  assert_int_equal(gmmu_mm_last_fault(r->mm), GMMU_MM_ABSENT);
  assert_int_equal(touch(r, 1, BASE_VA + 8 * PAGE, 0), GMMU_DRV_RESOLVED);
  well(r);
}

static void transfers_that_take_time(void **state) {
  begin(state, GMMU_MM_MOSAIC, 4, true, false);
  struct rig *r = *state;
  r->delayed = true;
  assert_int_equal(gmmu_mm_alloc(r->mm, 1, BASE_VA, 4 * PAGE, RW, true), 0);
  for (int k = 0; k < 3; k++)
    assert_int_equal(touch(r, 1, BASE_VA + 8 * k, 0), GMMU_DRV_LATER); /* of several SMs */
  assert_int_equal(gmmu_mm_last_fault(r->mm), 0);
  assert_int_equal(r->num_coming, 1);
  well(r);
  fetch(r, 1, BASE_VA, r->coming[0].pa, PAGE);
  assert_int_equal(gmmu_mm_arrived(r->mm, 1, BASE_VA), 0);
  assert_int_equal(touch(r, 1, BASE_VA, 0), GMMU_DRV_RESOLVED);
  /* Freed on the way: the place stays until the transfer ends. */
  assert_int_equal(touch(r, 1, BASE_VA + PAGE, 0), GMMU_DRV_LATER);
  assert_int_equal(gmmu_mm_dealloc(r->mm, 1, BASE_VA, 4 * PAGE), 0);
  assert_int_equal(stats(r).free_frames, 3);
  assert_int_equal(gmmu_mm_alloc(r->mm, 1, BASE_VA, 4 * PAGE, RW, true), GMMU_MM_EXISTS);
  well(r);
  assert_int_equal(gmmu_mm_arrived(r->mm, 1, BASE_VA + PAGE), 0);
  assert_int_equal(stats(r).free_frames, 4);
  assert_int_equal(gmmu_mm_alloc(r->mm, 1, BASE_VA, 4 * PAGE, RW, true), 0);
  well(r);
}

/* The upper half of the address space is as good as the lower; across both is none. */
static void upper_half(void **state) {
  begin(state, GMMU_MM_MOSAIC, 4, true, false);
  struct rig *r = *state;
  const uint64_t half = 0xffffffc000000000; /* Sv39 */
  assert_int_equal(gmmu_mm_alloc(r->mm, 1, half, FRAME, RW, false), 0);
  assert_true(is_coalesced(r, 1, half) && where(r, 1, half + PAGE));
  assert_int_equal(gmmu_mm_alloc(r->mm, 1, ~4095ull, PAGE, RW, false), 0);
  assert_int_equal(gmmu_mm_alloc(r->mm, 1, half - PAGE, PAGE, RW, false), GMMU_MM_ARGUMENT);
  assert_int_equal(gmmu_mm_alloc(r->mm, 1, ~4095ull, 2 * PAGE, RW, false), GMMU_MM_ARGUMENT);
  well(r);
}

/* Faults that no page cures are not retried, also of a page that is there; records of before are.
 */
static void faults_without_a_cure(void **state) {
  begin(state, GMMU_MM_MOSAIC, 4, true, false);
  struct rig *r = *state;
  uint64_t pa;
  assert_int_equal(gmmu_mm_alloc(r->mm, 1, BASE_VA, PAGE, RW, false), 0);
  for (unsigned cause = 1; cause <= 16; cause++) {
    struct gmmu_drv_fault f = {.va = BASE_VA, .asid = 1, .cause = cause};
    bool cured = cause < GMMU_NON_CANONICAL || cause == GMMU_UNKNOWN_ASID;
    assert_int_equal(gmmu_mm_fault(r->mm, &f), cured ? GMMU_DRV_RESOLVED : GMMU_DRV_LATER);
    assert_int_equal(gmmu_mm_last_fault(r->mm), cured ? 0 : GMMU_MM_ABSENT);
  }
  for (unsigned bit = 47; bit < 64; bit++) { /* another address, not its low 48 bits */
    struct gmmu_drv_fault f = {.va = BASE_VA ^ 1ull << bit, .asid = 1, .cause = 1};
    assert_int_equal(gmmu_mm_fault(r->mm, &f), GMMU_DRV_LATER);
    assert_int_equal(gmmu_mm_last_fault(r->mm), GMMU_MM_ABSENT);
    assert_int_equal(gmmu_mm_where(r->mm, 1, f.va, &pa), GMMU_MM_NOT_ALLOCATED);
  }
  well(r);
}

/* What accesses may do when nothing changes: of pages that are allocated, on their way, freed
 * and mapped all the same, freed on their way. */
static void permissions(void **state) {
  begin(state, GMMU_MM_MOSAIC, 4, true, false);
  struct rig *r = *state;
  bool stale;
  uint64_t pa = 0, was;
  assert_int_equal(gmmu_mm_alloc(r->mm, 1, BASE_VA, FRAME, RW, false), 0);
  was = where(r, 1, BASE_VA + 3 * PAGE);
  assert_int_equal(gmmu_mm_perms(r->mm, 1, BASE_VA + 3 * PAGE, &stale, &pa), RW);
  assert_false(stale);
  assert_int_equal(gmmu_mm_dealloc(r->mm, 1, BASE_VA + 3 * PAGE, PAGE), 0);
  assert_int_equal(gmmu_mm_perms(r->mm, 1, BASE_VA + 3 * PAGE + 8, &stale, &pa), RW);
  assert_true(stale && pa == was + 8);
  assert_int_equal(gmmu_mm_perms(r->mm, 1, BASE_VA + FRAME, &stale, &pa), 0);
  assert_false(stale);
  r->delayed = true;
  assert_int_equal(gmmu_mm_alloc(r->mm, 1, BASE_VA + FRAME, 2 * PAGE, GMMU_DRV_R, true), 0);
  r->delayed = true;
  touch(r, 1, BASE_VA + FRAME, 0); /* a user's: not permitted */
  assert_int_equal(gmmu_mm_last_fault(r->mm), GMMU_MM_ABSENT);
  struct gmmu_drv_fault f = {.va = BASE_VA + FRAME, .asid = 1};
  assert_int_equal(gmmu_mm_fault(r->mm, &f), GMMU_DRV_LATER);
  assert_int_equal(gmmu_mm_last_fault(r->mm), 0); /* a supervisor's: on its way */
  assert_int_equal(gmmu_mm_perms(r->mm, 1, BASE_VA + FRAME, &stale, &pa), GMMU_DRV_R);
  assert_int_equal(gmmu_mm_dealloc(r->mm, 1, BASE_VA + FRAME, PAGE), 0);
  assert_int_equal(gmmu_mm_perms(r->mm, 1, BASE_VA + FRAME, &stale, &pa), 0);
  assert_false(stale);
  well(r);
}

/* 2 MiB pages: an allocation takes its own 2 MiB only; a transfer that fails takes all of its
 * pages back. */
static void large_pages(void **state) {
  begin(state, GMMU_MM_LARGE, 4, true, false);
  struct rig *r = *state;
  assert_int_equal(gmmu_mm_alloc(r->mm, 1, BASE_VA + FRAME, FRAME, RW, true), 0);
  assert_int_equal(gmmu_mm_alloc(r->mm, 1, BASE_VA, FRAME, RW, true), 0);
  r->fail_page_in = 1;
  assert_int_equal(touch(r, 1, BASE_VA + 7 * PAGE, 0), GMMU_DRV_LATER);
  assert_int_equal(gmmu_mm_last_fault(r->mm), GMMU_DRV_BUS);
  assert_true(stats(r).free_frames == 4 && stats(r).resident == 0);
  well(r);
  assert_int_equal(touch(r, 1, BASE_VA + 7 * PAGE, 0), GMMU_DRV_RESOLVED);
  assert_true(stats(r).free_frames == 3 && stats(r).resident == 512);
  well(r);
}

/* A whole 2 MiB is one transfer each; the end of one is told by its first page. */
static void whole_transfers(void **state) {
  begin(state, GMMU_MM_MOSAIC, 4, true, false);
  struct rig *r = *state;
  assert_int_equal(gmmu_mm_alloc(r->mm, 1, BASE_VA, 3 * FRAME, RW, false), 0);
  assert_true(stats(r).ins == 3 && stats(r).in_bytes == 3 * FRAME && stats(r).coalesced == 3);
  end(state);
  begin(state, GMMU_MM_MOSAIC, 4, true, false);
  r = *state;
  r->delayed = true;
  assert_int_equal(gmmu_mm_alloc(r->mm, 1, BASE_VA, FRAME, RW, false), 0);
  assert_int_equal(gmmu_mm_arrived(r->mm, 1, BASE_VA + PAGE), GMMU_MM_ABSENT);
  assert_int_equal(where(r, 1, BASE_VA), 0);
  fetch(r, 1, BASE_VA, r->coming[0].pa, FRAME);
  assert_int_equal(gmmu_mm_arrived(r->mm, 1, BASE_VA), 0);
  assert_true(is_coalesced(r, 1, BASE_VA));
  well(r);
}

/* Pages of a 2 MiB that has a page elsewhere join it: a frame of their own would never be whole. */
static void no_frame_for_scattered_pages(void **state) {
  begin(state, GMMU_MM_MOSAIC, 2, true, false);
  struct rig *r = *state;
  assert_int_equal(gmmu_mm_alloc(r->mm, 2, BASE_VA, FRAME, RW, false), 0);
  assert_int_equal(gmmu_mm_alloc(r->mm, 1, BASE_VA + 4 * FRAME, PAGE, RW, false), 0);
  assert_int_equal(gmmu_mm_alloc(r->mm, 1, BASE_VA, FRAME, RW, true), 0);
  assert_int_equal(touch(r, 1, BASE_VA + 3 * PAGE, 0), GMMU_DRV_RESOLVED);
  assert_int_equal(gmmu_mm_dealloc(r->mm, 2, BASE_VA, FRAME), 0);
  assert_int_equal(stats(r).free_frames, 1);
  assert_int_equal(touch(r, 1, BASE_VA + 10 * PAGE, 0), GMMU_DRV_RESOLVED);
  assert_int_equal(touch(r, 1, BASE_VA + 2 * PAGE, 0), GMMU_DRV_RESOLVED);
  assert_int_equal(stats(r).free_frames, 1);
  for (uint64_t k = 2; k <= 10; k += k == 2 ? 1 : 7)
    assert_int_equal(where(r, 1, BASE_VA + k * PAGE) / FRAME,
                     where(r, 1, BASE_VA + 4 * FRAME) / FRAME);
  well(r);
}

/* An application's own emergency frame is splintered before another one's guarantee is given up. */
static void own_emergency_first(void **state) {
  begin(state, GMMU_MM_MOSAIC, 2, true, false);
  struct rig *r = *state;
  assert_int_equal(gmmu_mm_alloc(r->mm, 1, BASE_VA, FRAME, RW, false), 0);
  assert_int_equal(gmmu_mm_alloc(r->mm, 2, BASE_VA, 5 * PAGE, RW, false), 0);
  assert_int_equal(gmmu_mm_dealloc(r->mm, 1, BASE_VA, 10 * PAGE), 0);
  assert_int_equal(gmmu_mm_alloc(r->mm, 1, BASE_VA + FRAME, PAGE, RW, false), 0);
  assert_true(stats(r).emergencies == 1 && stats(r).mixed == 0);
  well(r);
}

/* A frame of a virtual 2 MiB goes out whole, the one behind it stays. */
static void one_frame_goes_out(void **state) {
  begin(state, GMMU_MM_MOSAIC, 3, true, true);
  struct rig *r = *state;
  assert_int_equal(gmmu_mm_alloc(r->mm, 1, BASE_VA, 3 * FRAME, RW, false), 0);
  assert_int_equal(gmmu_mm_alloc(r->mm, 2, BASE_VA, PAGE, RW, false), 0);
  assert_true(stats(r).outs == 512 && stats(r).resident == 2 * 512 + 1);
  assert_int_equal(where(r, 1, BASE_VA), 0);
  assert_true(is_coalesced(r, 1, BASE_VA + FRAME) && is_coalesced(r, 1, BASE_VA + 2 * FRAME));
  well(r);
}

/* A frame full of base pages: they go out one after the other, none is passed over. */
static void pages_go_out_in_turn(void **state) {
  begin(state, GMMU_MM_BASE, 1, false, true);
  struct rig *r = *state;
  assert_int_equal(gmmu_mm_alloc(r->mm, 1, BASE_VA, 700 * PAGE, RW, true), 0);
  for (uint64_t k = 0; k < 700; k++) {
    assert_int_equal(touch(r, 1, BASE_VA + k * PAGE, 0), GMMU_DRV_RESOLVED);
    if (k < 512) continue;
    assert_int_equal(where(r, 1, BASE_VA + (k - 512) * PAGE), 0);
    assert_int_not_equal(where(r, 1, BASE_VA + (k - 511) * PAGE), 0);
  }
  well(r);
}

static void io_bus(void **state) {
  (void)state;
  struct gmmu_iobus b = GMMU_IOBUS;
  assert_true(fabs(gmmu_iobus_transfer(&b, 1000, 4096) - 1000 - 55000) < 50); /* 55 us */
  struct gmmu_iobus c = GMMU_IOBUS;
  assert_true(fabs(gmmu_iobus_transfer(&c, 0, 2 << 20) - 318000) < 500); /* 318 us */
  double second = gmmu_iobus_transfer(&c, 0, 2 << 20); /* shares the bus, not the latency */
  assert_true(fabs(second - 2 * (2 << 20) / 7.96 - 54500) < 1);
  struct gmmu_iobus d = {100, 64, 0};
  assert_true(fabs(gmmu_iobus_transfer(&d, 1000, 4096) - 1000 - 64 - 100) < 1e-6);
}

#define T(f) cmocka_unit_test_teardown(f, end)
int main(void) {
  const struct CMUnitTest tests[] = {T(conserves_contiguity),
                                     T(demand_coalesces_when_whole),
                                     T(splinters_below_the_threshold),
                                     T(without_cac_nothing_moves),
                                     T(emergency_list),
                                     T(foreign_data_moves),
                                     T(memory_runs_out),
                                     T(bad_requests),
                                     T(baselines),
                                     T(oldest_frame_goes_first),
                                     T(arrival_that_fails),
                                     T(transfers_that_take_time),
                                     T(oldest_goes_out),
                                     T(upper_half),
                                     T(faults_without_a_cure),
                                     T(permissions),
                                     T(large_pages),
                                     T(whole_transfers),
                                     T(no_frame_for_scattered_pages),
                                     T(own_emergency_first),
                                     T(one_frame_goes_out),
                                     T(pages_go_out_in_turn),
                                     T(io_bus)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
