/* SPDX-License-Identifier: Apache-2.0 */
/** test_apworkloads.c - ActivePointers' workloads: the arithmetic by itself, then each on a small
 * file with few frames, through pointers and through gmmap. */
#include "apointers/workload.h"

#include <math.h>
#include <stdatomic.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

enum { L = GMMU_AP_LANES };

/* Against the definition of the transform. Each of the five stages rounds coefficient and product:
 * below 2 units a stage on values that double. */
static void test_fft(void **state) {
  struct gmmu_rng rng = {5};
  (void)state;
  for (int round = 0; round < 200; round++) {
    int32_t in[L], re[L], im[L];
    for (int i = 0; i < L; i++)
      in[i] = round == 0   ? 32767
              : round == 1 ? (i == 3 ? -32768 : 0)
                           : (int16_t)gmmu_rng_next(&rng);
    ap_fft32(in, re, im);
    for (int k = 0; k < L; k++) {
      double r = 0, j = 0;
      for (int i = 0; i < L; i++)
        r += in[i] * cos(2 * M_PI * i * k / L), j -= in[i] * sin(2 * M_PI * i * k / L);
      assert_true(fabs(r - re[k]) < 100 && fabs(j - im[k]) < 100);
    }
  }
}

static int ascending(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

static void test_sort(void **state) {
  struct gmmu_rng rng = {6};
  (void)state;
  for (int round = 0; round < 500; round++) {
    uint32_t x[L], y[L];
    for (int i = 0; i < L; i++)
      y[i] = x[i] = (uint32_t)(round % 2 ? gmmu_rng_below(&rng, 4) : gmmu_rng_next(&rng));
    ap_sort32(x);
    qsort(y, L, sizeof *y, ascending);
    assert_memory_equal(x, y, sizeof x);
  }
}

static void test_reduce_random(void **state) {
  uint32_t x[L], acc[L] = {0}, sum = 0;
  (void)state;
  for (uint32_t i = 0; i < L; i++) sum += x[i] = i * 77777777u;
  ap_compute(AP_REDUCE, 0, x, acc);
  for (int i = 0; i < L; i++) assert_int_equal(acc[i], sum);
  memset(acc, 0, sizeof acc);
  ap_compute(AP_RANDOM, 2, x, acc); /* two rounds by hand */
  assert_int_equal(acc[0], 1013904223u * 1664525u + 1013904223u);
}

static void test_each(void **state) {
  static const struct gmmu_ap_config build[] = {
      {.pages = 20}, {.pages = 40, .tlb_entries = 4, .form = GMMU_AP_SHORT, .prefetch = true}};
  (void)state;
  for (int k = 0; k < AP_NUM_KINDS; k++)
    for (int t = 0; t < 2; t++)
      for (int b = 0; b < 2; b++)
        for (uint32_t bytes = 4; bytes <= 16; bytes *= 4) {
          struct ap_workload w = {.kind = (enum ap_kind)k,
                                  .through = (enum ap_through)t,
                                  .blocks = 3,
                                  .warps = 4,
                                  .resident = 2,
                                  .rounds = 5,
                                  .pages = 3,
                                  .bytes = k == AP_FAULTS || k == AP_TLB ? 4 : bytes,
                                  .seed = 3,
                                  .images = 300,
                                  .image_blocks = 40,
                                  .padded = b,
                                  .dir = "/tmp"};
          struct ap_result r;
          struct gmmu_ap_record first;
          struct gmmu_err err = {""};
          if (ap_workload_run(&w, &build[b], &r, &first, &err))
            fail_msg("%s: %s", ap_kind_names[k], err.msg);
          assert_int_equal(r.aborted, 0);
          assert_int_equal(r.wrong, 0);
          assert_true(r.values > 0);
          assert_true(r.cold.major > 0);
          if (t == AP_POINTERS && k != AP_COLLAGE)
            assert_int_equal(r.cold.lane_accesses % (12 * L), 0);
        }
}

/* Also: values that were not computed are wrong, so the comparison compares. */
static void test_errors(void **state) {
  struct ap_workload w = {.kind = AP_READ,
                          .blocks = 1,
                          .warps = 2,
                          .pages = 2,
                          .bytes = 4,
                          .seed = 1,
                          .dir = "/nonexistent"};
  struct gmmu_ap_config c = {.pages = 8};
  struct ap_result r;
  struct gmmu_ap_record first;
  struct gmmu_err err = {""};
  (void)state;
  assert_int_equal(ap_workload_run(&w, &c, &r, &first, &err), -1);
  assert_non_null(strstr(err.msg, "/nonexistent"));
  w.dir = "/tmp"; /* one frame for two warps that each hold a page: the defined error, reported, not
                     a hang */
  w.kind = AP_ADD;
  c.pages = 1, c.retry_limit = 50;
  assert_int_equal(ap_workload_run(&w, &c, &r, &first, &err), 0);
  assert_true(r.aborted > 0 && r.wrong > 0);
  assert_int_equal(first.error, GMMU_AP_NO_PAGE);
}

struct told {
  int files, launches, data_sets;
  uint64_t last, all;
};
static void progress(void *arg, const char *what, uint64_t done, uint64_t all) {
  struct told *t = arg;
  t->files += !strcmp(what, "file") && done == all;
  t->data_sets += !strcmp(what, "data set") && done == all;
  if (strcmp(what, "launch")) return;
  assert_int_equal(all, 2);
  assert_int_equal(done, ++t->launches);
}

/* What each reads follows from its sizes: with frames for all of the file every page comes once, in
 * the first launch, and both launches access the same. */
static void test_counts(void **state) {
  (void)state;
  for (int k = 0; k < AP_COLLAGE; k++)
    for (int t = 0; t < 2; t++)
      for (uint32_t bytes = 4; bytes <= 16; bytes *= 4) {
        struct told told = {0};
        struct ap_workload w = {.kind = (enum ap_kind)k,
                                .through = (enum ap_through)t,
                                .blocks = 2,
                                .warps = 3,
                                .resident = 2,
                                .pages = 4,
                                .bytes = k == AP_FAULTS || k == AP_TLB ? 4 : bytes,
                                .seed = 5,
                                .dir = "/tmp",
                                .progress = progress,
                                .progress_arg = &told};
        struct gmmu_ap_config c = {.pages = 100};
        struct gmmu_ap_record first;
        struct gmmu_err err = {""};
        struct ap_result r;
        uint64_t vectors = k == AP_ADD ? 2 : 1, files = k == AP_COPY ? 2 : 1;
        uint64_t pages = (k == AP_TLB ? 2 * 4 : 6 * 4) * vectors;
        uint64_t accesses = k == AP_FAULTS ? 4
                            : k == AP_TLB  ? GMMU_AP_PAGE / (L * 4)
                                           : 4 * GMMU_AP_PAGE / (L * bytes);
        if (ap_workload_run(&w, &c, &r, &first, &err)) fail_msg("%s", err.msg);
        assert_true(r.wrong == 0 && r.aborted == 0 && r.seconds > 0);
        assert_int_equal(r.file_bytes, pages * GMMU_AP_PAGE);
        assert_int_equal(r.values, 6 * L + (k == AP_COPY ? pages * GMMU_AP_PAGE / 4 : 0));
        assert_int_equal(r.cold.major, pages * files);
        assert_int_equal(r.warm.major, 0);
        assert_true(told.launches == 2 && told.files == 1 && told.data_sets == 0);
        if (t == AP_GPUFS) continue;
        assert_int_equal(r.cold.accesses, 6 * accesses * vectors * files);
        assert_int_equal(r.cold.lane_accesses, L * r.cold.accesses);
        assert_int_equal(r.warm.accesses, r.cold.accesses);
        assert_int_equal(r.warm.lane_accesses, r.cold.lane_accesses);
      }
}

/* The collage: sizes of its file, and the same images and reads in each way to read them. */
static void test_collage(void **state) {
  uint64_t reads[2][2], distinct[2][2];
  (void)state;
  for (int t = 0; t < 2; t++)
    for (int padded = 0; padded < 2; padded++) {
      struct told told = {0};
      struct ap_workload w = {.kind = AP_COLLAGE,
                              .through = (enum ap_through)t,
                              .blocks = 2,
                              .warps = 3,
                              .images = 400,
                              .image_blocks = 50,
                              .padded = padded,
                              .seed = 4,
                              .dir = "/tmp",
                              .progress = progress,
                              .progress_arg = &told};
      struct gmmu_ap_config c = {.pages = 500};
      struct gmmu_ap_record first;
      struct gmmu_err err = {""};
      struct ap_result r;
      if (ap_workload_run(&w, &c, &r, &first, &err)) fail_msg("%s", err.msg);
      assert_true(r.wrong == 0 && r.aborted == 0 && r.values == 50);
      assert_int_equal(r.file_bytes, 400 * (padded ? GMMU_AP_PAGE : 3 * 256 * 4));
      assert_true(told.launches == 2 && told.data_sets == 1);
      reads[t][padded] = r.reads;
      distinct[t][padded] = r.distinct;
      /* 4 tables of at most 32 candidates; blocks share images */
      assert_true(r.reads > 50 && r.reads < 50 * 4 * 32);
      assert_true(r.distinct > 10 && r.distinct < 400 && r.distinct < r.reads);
      if (padded) assert_int_equal(r.cold.major, r.distinct); /* an image a page */
    }
  for (int i = 1; i < 4; i++)
    assert_true(reads[i / 2][i % 2] == reads[0][0] && distinct[i / 2][i % 2] == distinct[0][0]);
}

static void nothing(struct gmmu_ap_warp *w, void *arg) {
  (void)w;
  atomic_fetch_add((_Atomic int *)arg, 1);
}

/* Sizes of launches and systems at their limits and beyond. */
static void test_limits(void **state) {
  static const struct {
    uint32_t blocks, warps, resident;
    const char *wrong;
  } v[] = {{0, 1, 1, "0 thread blocks"},
           {(1 << 20) + 1, 1, 1, "1048577 thread blocks"},
           {1, 0, 1, "0 warps a block"},
           {1, GMMU_AP_MAX_WARPS + 1, 1, "warps a block: 1 to"},
           {1, 1, 65, "65 resident blocks: at most 64"},
           {1, GMMU_AP_MAX_WARPS, 1, NULL},
           {70, 2, 64, NULL},
           {3, 2, 0, NULL}};
  static const struct {
    struct gmmu_ap_config c;
    const char *wrong;
  } s[] = {{{.pages = (1 << 20) + 1}, "1048577 pages: at most 1048576"},
           {{.pages = 4, .bucket_factor = 65}, "65 buckets a page: at most 64"},
           {{.pages = 4, .bucket_factor = 64}, NULL},
           {{.pages = 4, .tlb_entries = 2048}, "TLB of 2048 entries"},
           {{.pages = 4, .tlb_entries = 3}, "TLB of 3 entries"},
           {{.pages = 4, .tlb_entries = 1024}, NULL},
           {{.pages = 4, .ring_slots = 8192}, "ring of 8192 slots"},
           {{.pages = 4, .ring_slots = 24}, "ring of 24 slots"},
           {{.pages = 4, .ring_slots = 4096}, NULL},
           {{.pages = 4, .ring_slots = 1}, NULL}};
  struct gmmu_ap_config c = {.pages = 4};
  struct gmmu_err err = {""};
  struct gmmu_ap *ap = gmmu_ap_new(&c, &err);
  (void)state;
  assert_non_null(ap);
  for (size_t i = 0; i < sizeof v / sizeof v[0]; i++) {
    _Atomic int ran = 0;
    err.msg[0] = 0;
    int e = gmmu_ap_launch(ap, v[i].blocks, v[i].warps, v[i].resident, nothing, &ran, &err);
    assert_int_equal(e, v[i].wrong ? -1 : 0);
    assert_int_equal(ran, v[i].wrong ? 0 : v[i].blocks * v[i].warps);
    if (v[i].wrong) assert_non_null(strstr(err.msg, v[i].wrong));
  }
  assert_int_equal(gmmu_ap_free(ap, &err), 0);
  for (size_t i = 0; i < sizeof s / sizeof s[0]; i++) {
    err.msg[0] = 0;
    ap = gmmu_ap_new(&s[i].c, &err);
    assert_int_equal(ap == NULL, s[i].wrong != NULL);
    if (s[i].wrong) assert_non_null(strstr(err.msg, s[i].wrong));
    assert_int_equal(gmmu_ap_free(ap, &err), 0);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_fft),           cmocka_unit_test(test_sort),
      cmocka_unit_test(test_reduce_random), cmocka_unit_test(test_each),
      cmocka_unit_test(test_counts),        cmocka_unit_test(test_collage),
      cmocka_unit_test(test_limits),        cmocka_unit_test(test_errors)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
