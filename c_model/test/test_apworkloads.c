/* SPDX-License-Identifier: Apache-2.0 */
/** test_apworkloads.c - ActivePointers' workloads: the arithmetic by itself, then each on a small
 * file with few frames, through pointers and through gmmap. */
#include "apointers/workload.h"

#include <math.h>
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

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_fft), cmocka_unit_test(test_sort),
                                     cmocka_unit_test(test_reduce_random),
                                     cmocka_unit_test(test_each), cmocka_unit_test(test_errors)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
