/* SPDX-License-Identifier: Apache-2.0 */
/** test_place.c - every page of every array gets a frame of its own, in all kinds, with enough or
 * too little memory. */
#include "gmmu.h"
#include "gmmu_manager.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static const struct gmmu_array arrays[] = {
    {"in", 0x10000000, 5000, false, 0},     /* two pages, the second shared with ... */
    {"shared", 0x10001400, 0x400, true, 0}, /* ... this one */
    {"out", 0x10400000, 3 << 20, true, 0},  /* 768 pages, 2 large frames */
    {"small", 0x20000010, 8, false, 0},
    {"odd", 0x30123456, (5 << 20) + 1, true, 0}, /* neither end aligned */
};
#define NUM_ARRAYS (sizeof arrays / sizeof arrays[0])

static struct gmmu_trace *trace_of(const struct gmmu_array *arrays, size_t n) {
  struct gmmu_err err = {""};
  struct gmmu_trace_builder *b = gmmu_trace_builder_new("test");
  struct gmmu_trace_sink s = gmmu_trace_builder_sink(b);
  struct gmmu_op op = {.access = GMMU_READ, .bytes = 4, .lanes = 1, .addr = {0x10000000}};
  struct gmmu_trace *t;
  for (size_t i = 0; i < n; i++) assert_int_equal(s.array(s.arg, &arrays[i]), 0);
  assert_int_equal(s.launch(s.arg, "k", 1, 1), 0);
  assert_int_equal(s.warp(s.arg, 0, 0), 0);
  assert_int_equal(s.op(s.arg, &op), 0);
  t = gmmu_trace_builder_finish(b, &err);
  if (!t) fail_msg("%s", err.msg);
  return t;
}

static uint64_t align_up(uint64_t v, uint64_t a) { return (v + a - 1) / a * a; }

/* The line that maps va; exactly one. */
static const struct gmmu_map_line *line_of(const struct gmmu_mapping *m, uint64_t va) {
  const struct gmmu_map_line *l = NULL;
  for (size_t i = 0; i < m->n; i++)
    if (va >= m->v[i].va && va - m->v[i].va < m->v[i].bytes) {
      assert_null(l);
      l = &m->v[i];
    }
  assert_non_null(l);
  return l;
}

static void check_arrays(const struct gmmu_mapping *m, int kind) {
  for (size_t i = 0; i < NUM_ARRAYS; i++)
    for (uint64_t va = arrays[i].va & ~4095ull; va < arrays[i].va + arrays[i].bytes; va += 4096) {
      const struct gmmu_map_line *l = line_of(m, va);
      assert_true(l->asid == 3 && l->kind == kind && (l->bits & GMMU_PTE_U) &&
                  (l->bits & GMMU_PTE_R));
      if (arrays[i].writable) assert_true((l->bits & GMMU_PTE_W) && (l->bits & GMMU_PTE_D));
    }
  assert_false(line_of(m, 0x20000010)->bits & GMMU_PTE_W);
}

/* Frames are inside [first, end) and none is given twice. */
static void check_frames(const struct gmmu_mapping *m, uint64_t first, uint64_t end) {
  bool *used = calloc(end - first, 1);
  for (size_t i = 0; i < m->n; i++)
    for (uint64_t f = m->v[i].pa >> 12; f < (m->v[i].pa + m->v[i].bytes) >> 12; f++) {
      assert_true(f >= first && f < end && !used[f - first]);
      used[f - first] = true;
    }
  free(used);
}

static void apply(const struct gmmu_mapping *m) {
  struct gmmu_mem *mem = gmmu_mem_new();
  struct gmmu_env e = {.num_asids = 4, .va_w = 48, .pa_w = 48};
  struct gmmu_tables *t = gmmu_tables_new(mem, &e, 0x100, 0x1ff);
  struct gmmu_err err;
  if (gmmu_mapping_apply(m, "placed", t, GMMU_MODE_SV48, true, &err)) fail_msg("%s", err.msg);
  gmmu_tables_free(t);
  gmmu_mem_free(mem);
}

static void all_kinds(void **state) {
  for (int kind = 0; kind < 3; kind++)
    for (int scattered = 0; scattered < 2; scattered++) {
      uint64_t next = 0x1001, first = 0x1200, hi = 0x100000;
      uint64_t need =
          kind == GMMU_MAP_4K ? align_up(2 + 768 + 1 + 1281, 512) : 512 * (1 + 2 + 1 + 4);
      struct gmmu_mapping m, again;
      struct gmmu_err err;
      assert_int_equal(gmmu_place_arrays(*state, 3, kind, scattered, 9, &next, hi, &m, &err), 0);
      assert_int_equal(next, first + need);
      assert_int_equal(m.n, !scattered ? 4 : kind == GMMU_MAP_4K ? 2 + 768 + 1 + 1281 : 8);
      check_arrays(&m, kind);
      check_frames(&m, first, next);
      apply(&m);
      next = 0x1001; /* the same seed places the same */
      assert_int_equal(
          gmmu_place_arrays(*state, 3, kind, scattered, 9, &next, next + 511 + need, &again, &err),
          0);
      assert_int_equal(again.n, m.n);
      assert_memory_equal(again.v, m.v, m.n * sizeof *m.v);
      gmmu_mapping_free(&again);
      gmmu_mapping_free(&m);
    }
}

static void scattered_is_scattered(void **state) {
  uint64_t next = 0x1000, next2 = 0x1000;
  struct gmmu_mapping a, b;
  struct gmmu_err err;
  size_t neighbours = 0, same = 0;
  assert_int_equal(gmmu_place_arrays(*state, 0, GMMU_MAP_4K, true, 1, &next, 1 << 20, &a, &err), 0);
  assert_int_equal(gmmu_place_arrays(*state, 0, GMMU_MAP_4K, true, 2, &next2, 1 << 20, &b, &err),
                   0);
  for (size_t i = 1; i < a.n; i++) {
    neighbours += a.v[i].pa == a.v[i - 1].pa + 4096;
    same += a.v[i].pa == b.v[i].pa;
  }
  assert_true(neighbours < 16 && same < 16);
  gmmu_mapping_free(&a);
  gmmu_mapping_free(&b);
}

static void too_little_memory(void **state) {
  const uint64_t need = 512 * 5; /* 2052 pages */
  struct gmmu_mapping m = {.n = 77};
  struct gmmu_err err;
  uint64_t next = 0x1000;
  for (int scattered = 0; scattered < 2; scattered++) {
    assert_int_equal(
        gmmu_place_arrays(*state, 0, GMMU_MAP_4K, scattered, 1, &next, next + need - 2, &m, &err),
        -1);
    assert_int_equal(gmmu_place_arrays(*state, 0, GMMU_MAP_4K, scattered, 1, &next, 0, &m, &err),
                     -1);
    assert_true(next == 0x1000 && m.n == 77 && m.v == NULL);
  }
  assert_int_equal(
      gmmu_place_arrays(*state, 0, GMMU_MAP_4K, false, 1, &next, next + need - 1, &m, &err), 0);
  gmmu_mapping_free(&m);
}

/* Ranges of pages: sorted, one for arrays that share a page. */
static void ranges(void **state) {
  static const struct gmmu_array mixed[] = {
      {"late", 0x30000000, 0x3000, false, 0},
      {"early", 0x10000800, 0x1000, true, 0},   /* pages 0 and 1 */
      {"inside", 0x10001000, 0x10, false, 0},   /* 1 */
      {"longer", 0x10001800, 0x2000, false, 0}, /* 1 to 3 */
      {"next", 0x10004000, 0x1000, false, 0},   /* shares none */
  };
  static const struct gmmu_page_range pages[] = {
      {0x10000000, 0x4000, true}, {0x10004000, 0x1000, false}, {0x30000000, 0x3000, false}};
  static const struct gmmu_page_range frames[] = {{0x10000000, 1 << 21, true},
                                                  {0x30000000, 1 << 21, false}};
  struct gmmu_trace *t = trace_of(mixed, 5);
  struct gmmu_page_range *v;
  struct gmmu_mapping m;
  struct gmmu_err err;
  uint64_t next = 0x1000;
  size_t n = 77;

  (void)state;
  v = gmmu_array_ranges(t, 12, &n, &err);
  assert_int_equal(n, 3);
  for (size_t i = 0; i < n; i++)
    assert_true(v[i].va == pages[i].va && v[i].bytes == pages[i].bytes &&
                v[i].writable == pages[i].writable);
  free(v);
  v = gmmu_array_ranges(t, 21, &n, &err);
  assert_int_equal(n, 2);
  for (size_t i = 0; i < n; i++)
    assert_true(v[i].va == frames[i].va && v[i].bytes == frames[i].bytes &&
                v[i].writable == frames[i].writable);
  free(v);
  gmmu_trace_free(t);
  t = trace_of(NULL, 0);
  v = gmmu_array_ranges(t, 12, &n, &err);
  assert_non_null(v);
  assert_int_equal(n, 0);
  free(v);
  assert_int_equal(gmmu_place_arrays(t, 0, GMMU_MAP_4K, true, 1, &next, 1 << 20, &m, &err), 0);
  assert_true(m.n == 0 && next == 0x1000);
  gmmu_mapping_free(&m);
  gmmu_trace_free(t);
}

/* Fragmented memory: a line and a frame for each page, as contiguous as was asked, as nearly as
 * 2052 pages allow. */
static void fragmented(void **state) {
  static const double target[] = {0.1, 0.5, 0.9};
  double last = -1;

  for (int i = 0; i < 3; i++) {
    uint64_t next = 0x1001, vfn[2052], pfn[2052];
    struct gmmu_mapping m, again;
    struct gmmu_err err;
    double share;
    assert_int_equal(gmmu_place_fragmented(*state, 3, target[i], 7, &next, 1 << 20, &m, &err), 0);
    assert_int_equal(m.n, 2052);
    assert_int_equal(next % 512, 0);
    check_arrays(&m, GMMU_MAP_4K);
    check_frames(&m, 0x1200, next);
    for (size_t k = 0; k < m.n; k++) vfn[k] = m.v[k].va >> 12, pfn[k] = m.v[k].pa >> 12;
    share = gmmu_contiguous_share(vfn, pfn, m.n);
    assert_true(share > last + 0.1 && share > target[i] - 0.15 && share < target[i] + 0.15);
    last = share;
    next = 0x1001;
    assert_int_equal(gmmu_place_fragmented(*state, 3, target[i], 7, &next, 1 << 20, &again, &err),
                     0);
    assert_memory_equal(again.v, m.v, m.n * sizeof *m.v);
    gmmu_mapping_free(&again);
    gmmu_mapping_free(&m);
  }
}

static int setup(void **state) { return (*state = trace_of(arrays, NUM_ARRAYS)) ? 0 : -1; }
static int teardown(void **state) { return gmmu_trace_free(*state), 0; }

/* Spread: every page in a place of its own, every PTE of a table in a 128-byte line of its own, all
 * sets of a TLB of 32 sets (VFN[4:0]) used by 32 pages in a row; order is kept. */
static void spread(void **state) {
  (void)state;
  uint64_t last = 0;
  for (uint64_t page = 0; page < 1 << 20; page += page < 4096 ? 1 : 4093) {
    uint64_t va = gmmu_spread_va(page << 12 | 0x123), lines = 0;
    assert_int_equal(va & 4095, 0x123);
    assert_true(va > last && (va >> 47 == 0 || va >> 47 == 0x1ffff));
    last = va;
    for (int l = 0; l < 4; l++) lines |= (va >> (12 + 9 * l) >> 4 & 31) << (5 * l);
    assert_int_equal(lines, page); /* the lines that a walk reads say the page */
  }
  uint32_t sets = 0;
  for (uint64_t page = 0; page < 32; page++)
    sets |= 1u << (gmmu_spread_va((page + 96) << 12) >> 12 & 31);
  assert_int_equal(sets, 0xffffffff);
  assert_true(gmmu_spread_va(1ull << 32) >> 47 != 0 && gmmu_spread_va(1ull << 32) >> 47 != 0x1ffff);

  struct gmmu_map_line *v = malloc(2 * sizeof *v);
  v[0] = (struct gmmu_map_line){1, 0x10001000, 0x5000, 0x3000, GMMU_PTE_R, GMMU_MAP_4K, 7, "f"};
  v[1] = (struct gmmu_map_line){2, 0x20000000, 0x9000, 0x1000, GMMU_PTE_W, GMMU_MAP_4K, 8, "f"};
  struct gmmu_mapping m = {v, 2};
  struct gmmu_err err = {""};
  assert_int_equal(gmmu_mapping_spread(&m, &err), 0);
  assert_int_equal(m.n, 4);
  for (uint64_t i = 0; i < 4; i++) {
    const struct gmmu_map_line *l = &m.v[i];
    assert_true(l->va == gmmu_spread_va(i < 3 ? 0x10001000 + (i << 12) : 0x20000000));
    assert_true(l->pa == (i < 3 ? 0x5000 + (i << 12) : 0x9000) && l->bytes == 4096);
    assert_true(l->asid == (i < 3 ? 1 : 2) && l->line == (i < 3 ? 7 : 8));
  }
  m.v[0].kind = GMMU_MAP_2M;
  assert_int_equal(gmmu_mapping_spread(&m, &err), -1);
  assert_non_null(strstr(err.msg, "pages are 4 KiB"));
  m.v[0].kind = GMMU_MAP_4K;
  m.v[0].va = (1ull << 32) - 0x1000;
  m.v[0].bytes = 0x2000;
  assert_int_equal(gmmu_mapping_spread(&m, &err), -1);
  assert_non_null(strstr(err.msg, "below 4 GiB"));
  assert_int_equal(m.n, 4);
  gmmu_mapping_free(&m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(all_kinds),         cmocka_unit_test(scattered_is_scattered),
      cmocka_unit_test(too_little_memory), cmocka_unit_test(ranges),
      cmocka_unit_test(fragmented),        cmocka_unit_test(spread)};
  return cmocka_run_group_tests(tests, setup, teardown);
}
