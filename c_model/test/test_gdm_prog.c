/* SPDX-License-Identifier: Apache-2.0 */
/* The benchmarks of GDM's evaluation on plain memory: sizes of Table 1, results against small
 * computations of their own. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "temp_file.h"
#include "workloads/gdm_prog.h"

#define REGIONS "sim/gdm/regions.ini"
#define SHARES "sim/gdm/shares.ini"
#define MB (1ull << 20)

static struct gdm_prog *make(const char *name, unsigned scale, uint64_t seed) {
  struct gdm_prog *l = NULL;
  struct gmmu_err err = {""};
  if (gdm_prog_new(&l, name, REGIONS, scale, seed, &err)) fail_msg("%s", err.msg);
  return l;
}

struct hashes {
  uint64_t step[1024], last[GDM_PROG_REGIONS];
};

static struct hashes *play(struct gdm_prog *l) {
  struct hashes *h = calloc(1, sizeof *h);
  struct gmmu_err err = {""};
  assert_true(l->num_steps <= 1024);
  if (gdm_prog_flat(l, 3, h->step, h->last, &err)) fail_msg("%s", err.msg);
  return h;
}

/* Table 1, and the pairs that follow from it: 14 above 1400 MB at their peaks, 7 not. */
static void table1(void **state) {
  static const uint64_t mb[] = {668, 2114, 1316, 120, 658, 1138, 619, 4253};
  uint64_t peak[GDM_PROG_BENCHMARKS];
  int above = 0;
  (void)state;
  for (int i = 0; i < GDM_PROG_BENCHMARKS; i++) {
    struct gdm_prog *l = make(gdm_prog_names[i], 1, 1);
    assert_int_equal(l->table1, mb[i] * MB);
    peak[i] = l->peak;
    if (strcmp(l->name, "hj") == 0) assert_in_range(l->peak, 1281 * MB, 1400 * MB);
    else assert_int_equal(l->peak, l->table1);
    gdm_prog_free(l);
  }
  for (int i = 0; i < 7; i++)
    for (int j = i + 1; j < 7; j++) above += peak[i] + peak[j] > 1400 * MB;
  assert_int_equal(above, 14);
}

/* Same seed, same results, also when played again; another seed, others. Every copy out and every
 * region has a hash. */
static void repeatable(void **state) {
  (void)state;
  for (int i = 0; i < GDM_PROG_PROGRAMS; i++) {
    struct gdm_prog *a = make(gdm_prog_names[i], 64, 1), *b = make(gdm_prog_names[i], 64, 2);
    struct hashes *first = play(a), *other = play(b);
    gdm_prog_again(a);
    struct hashes *again = play(a);
    assert_memory_equal(first, again, sizeof *first);
    if (a->dma_bytes) assert_memory_not_equal(first, other, sizeof *first);
    for (int k = 0; k < a->num_steps; k++)
      if (a->step[k].kind == GDM_PROG_DTOH || a->step[k].kind == GDM_PROG_FREE)
        assert_int_not_equal(first->step[k], 0);
    free(first), free(other), free(again);
    gdm_prog_free(a), gdm_prog_free(b);
  }
}

static const struct gdm_prog_step *last_out(const struct gdm_prog *l) {
  const struct gdm_prog_step *s = NULL;
  for (int i = 0; i < l->num_steps; i++)
    if (l->step[i].kind == GDM_PROG_DTOH) s = &l->step[i];
  assert_non_null(s);
  return s;
}

static void mpe_result(void **state) {
  struct gdm_prog *l = make("mpe", 64, 3);
  const float *a = (void *)l->buf[0].p, *b = (void *)l->buf[1].p, *c = (void *)l->buf[2].p,
              *d = (void *)l->buf[3].p, *z;
  uint64_t n = (uint64_t)sqrt((double)l->region[0].bytes / 4);
  (void)state;
  free(play(l));
  z = (void *)l->buf[last_out(l)->buf].p;
  for (uint64_t k = 0; k < 500; k++) {
    uint64_t r = k * 7919 % n, col = k * 104729 % n;
    double sum = 0;
    for (uint64_t i = 0; i < n; i++)
      sum += (double)a[r * n + i] * b[i * n + col] + (double)c[r * n + i] * d[i * n + col];
    assert_true(fabs(sum - z[r * n + col]) < 1e-3 * sum);
  }
  gdm_prog_free(l);
}

static int by_value(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return x < y ? -1 : x > y;
}

/* The join's matches, counted by sorting. */
static void hj_result(void **state) {
  struct gdm_prog *l = make("hj", 64, 4);
  uint64_t n = l->region[0].bytes / 4, want = 0, got = 0, with = 0;
  uint32_t *r = malloc(n * 4);
  (void)state;
  memcpy(r, l->buf[0].p, n * 4);
  qsort(r, n, 4, by_value);
  const uint32_t *s = (void *)l->buf[1].p;
  for (uint64_t i = 0; i < n; i++) want += bsearch(&s[i], r, n, 4, by_value) != NULL;
  free(play(l));
  const unsigned char *out = l->buf[2].p;
  for (uint64_t i = 0; i < n; i++) {
    with += ((const uint32_t *)(const void *)out)[i] != 0xffffffffu;
    got += ((const uint16_t *)(const void *)(out + 4 * n))[i];
  }
  assert_int_equal(got, want);
  assert_int_equal(with, want);
  assert_in_range(want, n / 3, n / 3 * 2);
  free(r);
  gdm_prog_free(l);
}

static void nn_result(void **state) {
  struct gdm_prog *l = make("nn", 64, 5);
  const float *p = (void *)l->buf[0].p, *t = (void *)l->buf[1].p;
  const uint64_t *near = (void *)l->buf[3].p;
  uint64_t n = l->buf[0].bytes / 8, nearer = 0;
  (void)state;
  free(play(l));
  float fifth = hypotf(p[2 * near[4]] - t[0], p[2 * near[4] + 1] - t[1]);
  for (uint64_t i = 0; i < n; i++)
    nearer += hypotf(p[2 * i] - t[0], p[2 * i + 1] - t[1]) < fifth * 0.99999f;
  assert_in_range(nearer, 3, 4);
  gdm_prog_free(l);
}

/* Diffusion smooths: the image's variance falls; hotspot: temperatures stay in their range. kmeans:
 * each point is at its nearest centroid of the last assignment, all counted. */
static void images_and_clusters(void **state) {
  struct gdm_prog *l = make("srad", 64, 6);
  const float *in = (void *)l->buf[0].p, *out = (void *)l->buf[2].p;
  double rough[2] = {0, 0};
  (void)state;
  free(play(l));
  for (uint64_t i = 1; i < l->buf[0].bytes / 4; i++) {
    rough[0] += fabs((double)in[i] - in[i - 1]);
    rough[1] += fabs((double)out[i] - out[i - 1]);
  }
  assert_true(rough[1] < 0.5 * rough[0] && rough[1] > 0);
  gdm_prog_free(l);

  l = make("hotspot", 64, 6);
  free(play(l));
  const struct gdm_prog_step *max = last_out(l);
  for (uint64_t i = 0; i < max->bytes / 4; i++) {
    float t = ((const float *)(const void *)l->buf[max->buf].p)[i];
    assert_true(t > 0.3f && t < 2);
  }
  gdm_prog_free(l);

  l = make("kmeans", 64, 6);
  free(play(l));
  const float *sums = (void *)l->buf[2].p;
  double count = 0;
  for (uint64_t i = 31; i < l->buf[2].bytes / 4; i += 32) count += sums[i];
  assert_true(count == (double)(l->region[0].bytes / 128));
  gdm_prog_free(l);
}

/* backprop: weights after one step of learning, from the formula, at some places. */
static void backprop_result(void **state) {
  struct gdm_prog *l = make("backprop", 64, 7);
  const float *in = (void *)l->buf[0].p, *w = (void *)l->buf[1].p, *old = (void *)l->buf[2].p,
              *out = (void *)l->buf[5].p;
  uint64_t n = l->buf[0].bytes / 4;
  (void)state;
  free(play(l));
  for (int j = 0; j < 16; j++) {
    double sum = 0;
    for (uint64_t i = 0; i < n; i++) sum += (double)in[i] * w[i * 16 + (uint64_t)j];
    double h = 1 / (1 + exp(-sum / (double)n)), delta = h * (1 - h) * (0.5 - h);
    for (uint64_t i = 0; i < n; i += n / 10) {
      double want = w[i * 16 + (uint64_t)j] + 0.3 * delta * in[i] + 0.3 * old[i * 16 + (uint64_t)j];
      assert_true(fabs(out[i * 16 + (uint64_t)j] - want) < 1e-5);
    }
  }
  gdm_prog_free(l);
}

/* A kernel that is given another's address is refused. */
static void outside(void **state) {
  struct gdm_prog *l = make("nn", 64, 1);
  struct gmmu_err err = {""};
  struct hashes *h = calloc(1, sizeof *h);
  (void)state;
  for (int i = 0; i < l->num_steps; i++)
    if (l->step[i].kind == GDM_PROG_LAUNCH) l->step[i].arg[3].v++; /* one place too many */
  assert_int_equal(gdm_prog_flat(l, 1, h->step, h->last, &err), -1);
  assert_string_equal(err.msg, "nn: kernel distance leaves its regions");
  free(h);
  gdm_prog_free(l);
}

static void times(void **state) {
  (void)state;
  for (int i = 0; i < GDM_PROG_BENCHMARKS; i++)
    for (unsigned scale = 1; scale <= 64; scale *= 64) {
      struct gdm_prog *l = make(gdm_prog_names[i], scale == 1 ? 32 : 64, 1);
      struct gdm_prog_shares s;
      struct gmmu_err err = {""};
      double kernel = 0, cpu = 0;
      if (gdm_prog_shares_read(&s, l->name, SHARES, &err)) fail_msg("%s", err.msg);
      if (scale == 64) gdm_prog_shares_scale(&s, 1.5);
      assert_true(s.dma + s.kernel >= 50); /* GPU-intensive */
      gdm_prog_times(l, &s, 6.0);
      for (int k = 0; k < l->num_steps; k++)
        *(l->step[k].kind == GDM_PROG_LAUNCH ? &kernel : &cpu) += (double)l->step[k].ns;
      double all = (double)l->dma_bytes / 6.0 + kernel + cpu;
      assert_true(fabs(kernel / all - s.kernel / 100) < 1e-3 &&
                  fabs(cpu / all - s.cpu / 100) < 1e-3);
      gdm_prog_free(l);
    }
}

static void refuses(const char *text, const char *name, const char *message) {
  char path[] = TEMP_FILE;
  struct gdm_prog *l = NULL;
  struct gmmu_err err = {""};
  temp_file(path, text);
  assert_int_equal(gdm_prog_new(&l, name, path, 64, 1, &err), -1);
  assert_null(l);
  if (!strstr(err.msg, message)) fail_msg("'%s' has no '%s'", err.msg, message);
  unlink(path);
}

static void bad_files(void **state) {
  struct gdm_prog *l = NULL;
  struct gmmu_err err = {""};
  (void)state;
  refuses("[nn]\ntable1 = 3\nplaces = 1\ndistances = 1\n", "nn", "sum is not table1");
  refuses("[nn]\ntable1 = 1\nplaces = x\n", "nn", ":3: not a region");
  refuses("[nn]\ntable1 = 1\nplaces = 0.1\n", "nn", ":3: not a region of whole pages at scale 64");
  refuses("[nn]\ntable1 = 2\nplaces = 1\nplaces = 1\n", "nn", ":4");
  refuses("[nn]\ntable1 = 2\nplaces = 1\ndistances = 1\n", "nn", "a region is missing");
  refuses("[nn]\ntable1 = 300\na = 1 x 300\n", "nn", ":3");
  refuses("[hj]\ntable1 = 2\n", "nn", "no section [nn]");
  assert_int_equal(gdm_prog_new(&l, "nn", "/tmp/none/none.ini", 64, 1, &err), -1);
  assert_int_equal(gdm_prog_new(&l, "nothing", REGIONS, 64, 1, &err), -1);
  assert_int_equal(gdm_prog_new(&l, "nn", REGIONS, 3, 1, &err), -1);
  assert_int_equal(gdm_prog_new(&l, "nn", REGIONS, 128, 1, &err), -1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(table1),          cmocka_unit_test(repeatable),
      cmocka_unit_test(mpe_result),      cmocka_unit_test(hj_result),
      cmocka_unit_test(nn_result),       cmocka_unit_test(images_and_clusters),
      cmocka_unit_test(backprop_result), cmocka_unit_test(outside),
      cmocka_unit_test(times),           cmocka_unit_test(bad_files)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
