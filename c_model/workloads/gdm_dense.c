/* SPDX-License-Identifier: Apache-2.0 */
/* backprop, mpe, kmeans and nn of GDM's evaluation (gdm_prog.h). */
#include <cblas.h>
#include <float.h>
#include <math.h>

#include "workloads/gdm_make.h"

/* ---------------------------------------- backprop */
/* A layer of n inputs and 16 hidden units: the products of 40 inputs with their weights are one
 * partial sum. */
#define UNITS 16
#define GROUP 40

/* args: input, weights, partial, n */
static int k_forward(const struct gdm_prog_mem *m, const uint64_t *arg) {
  float in[GROUP], w[GROUP][UNITS], sum[UNITS];
  for (uint64_t g = 0; g < arg[3] / GROUP; g++) {
    GET(arg[0] + g * sizeof in, in, sizeof in);
    GET(arg[1] + g * sizeof w, w, sizeof w);
    memset(sum, 0, sizeof sum);
    for (int i = 0; i < GROUP; i++)
      for (int j = 0; j < UNITS; j++) sum[j] += in[i] * w[i][j];
    PUT(arg[2] + g * sizeof sum, sum, sizeof sum);
  }
  return 0;
}

/* args: input, weights, previous changes, deltas of the hidden units, n */
static int k_adjust(const struct gdm_prog_mem *m, const uint64_t *arg) {
  float in[GROUP], w[GROUP][UNITS], old[GROUP][UNITS], delta[UNITS];
  GET(arg[3], delta, sizeof delta);
  for (uint64_t g = 0; g < arg[4] / GROUP; g++) {
    GET(arg[0] + g * sizeof in, in, sizeof in);
    GET(arg[1] + g * sizeof w, w, sizeof w);
    GET(arg[2] + g * sizeof old, old, sizeof old);
    for (int i = 0; i < GROUP; i++)
      for (int j = 0; j < UNITS; j++) {
        float d = 0.3f * delta[j] * in[i] + 0.3f * old[i][j];
        w[i][j] += d;
        old[i][j] = d;
      }
    PUT(arg[1] + g * sizeof w, w, sizeof w);
    PUT(arg[2] + g * sizeof old, old, sizeof old);
  }
  return 0;
}

/* Partial sums -> deltas, in the first bytes of a buffer of their own. */
static void backprop_host(struct gdm_prog *l) {
  const float *part = (const float *)(const void *)l->buf[3].p;
  float *delta = (float *)(void *)l->buf[4].p;
  double sum[UNITS] = {0};
  for (uint64_t g = 0; g < l->dims[0] / GROUP; g++)
    for (int j = 0; j < UNITS; j++) sum[j] += part[g * UNITS + (uint64_t)j];
  for (int j = 0; j < UNITS; j++) {
    float h = (float)(1 / (1 + exp(-sum[j] / (double)l->dims[0])));
    delta[j] = h * (1 - h) * (0.5f - h) + (float)l->scalar[0];
  }
}

void gdm_make_backprop(struct gdm_prog *l) {
  uint64_t weights = gdm_bytes(l, "weights"), partial = gdm_bytes(l, "partial"),
           n = gdm_bytes(l, "input") / 4;
  int in = gdm_buf(l, n * 4, gdm_fill_floats, false),
      w = gdm_buf(l, weights, gdm_fill_floats, false);
  int old = gdm_buf(l, weights, gdm_fill_floats, false), part = gdm_buf(l, partial, NULL, true);
  int delta = gdm_buf(l, 4096, NULL, true), out = gdm_buf(l, weights, NULL, true);
  l->dims[0] = n;
  gdm_alloc(l, "input");
  gdm_alloc(l, "weights");
  gdm_alloc(l, "previous");
  gdm_alloc(l, "partial");
  gdm_host(l, NULL, 1);
  gdm_htod(l, "input", 0, in, 0, n * 4);
  gdm_htod(l, "weights", 0, w, 0, weights);
  struct gdm_prog_step *s = gdm_launch_step(l, "layerforward", k_forward, 1);
  gdm_arg_region(l, s, "input");
  gdm_arg_region(l, s, "weights");
  gdm_arg_region(l, s, "partial");
  gdm_arg_value(s, n);
  gdm_dtoh(l, part, "partial", 0, partial);
  gdm_host(l, backprop_host, 1);
  gdm_htod(l, "partial", 0, delta, 0,
           UNITS * 4); /* a copy far smaller than a block, into one that the kernel wrote */
  gdm_htod(l, "previous", 0, old, 0, weights);
  s = gdm_launch_step(l, "adjust_weights", k_adjust, 2);
  gdm_arg_region(l, s, "input");
  gdm_arg_region(l, s, "weights");
  gdm_arg_region(l, s, "previous");
  gdm_arg_region(l, s, "partial");
  gdm_arg_value(s, n);
  gdm_dtoh(l, out, "weights", 0, weights);
  gdm_host(l, NULL, 1);
  gdm_free(l, "input");
  gdm_free(l, "weights");
  gdm_free(l, "previous");
  gdm_free(l, "partial");
}

/* ---------------------------------------- mpe: A B + C D */
#define SQUARE 128 /* elements of a side of a tile */

static int get_square(const struct gdm_prog_mem *m, uint64_t va, uint64_t n, uint64_t r, uint64_t c,
                      float *t, int rows, int cols) {
  for (int i = 0; i < rows; i++)
    GET(va + ((r + (uint64_t)i) * n + c) * 4, t + i * SQUARE, cols * 4);
  return 0;
}

static int side(uint64_t n, uint64_t at) { return n - at < SQUARE ? (int)(n - at) : SQUARE; }

/* args: x, y, product, n */
static int k_product(const struct gdm_prog_mem *m, const uint64_t *arg) {
  const size_t tile = SQUARE * SQUARE;
  float *x = gdm_scratch_of(m, 3 * tile * 4), *y = x + tile, *z = y + tile;
  uint64_t n = arg[3];
  if (!x) return GDM_NO_MEMORY;
  for (uint64_t r = 0; r < n; r += SQUARE)
    for (uint64_t c = 0; c < n; c += SQUARE) {
      int rows = side(n, r), cols = side(n, c), e;
      memset(z, 0, tile * 4);
      for (uint64_t k = 0; k < n; k += SQUARE) {
        if ((e = get_square(m, arg[0], n, r, k, x, rows, side(n, k)))) return e;
        if ((e = get_square(m, arg[1], n, k, c, y, side(n, k), cols))) return e;
        cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, rows, cols, side(n, k), 1, x, SQUARE,
                    y, SQUARE, 1, z, SQUARE);
      }
      for (int i = 0; i < rows; i++)
        PUT(arg[2] + ((r + (uint64_t)i) * n + c) * 4, z + i * SQUARE, cols * 4);
    }
  return 0;
}

/* args: x, y, sum, elements */
static int k_sum(const struct gdm_prog_mem *m, const uint64_t *arg) {
  float x[GDM_TILE / 4], y[GDM_TILE / 4];
  for (uint64_t i = 0; i < arg[3]; i += GDM_TILE / 4) {
    uint64_t k = arg[3] - i < GDM_TILE / 4 ? arg[3] - i : GDM_TILE / 4;
    GET(arg[0] + i * 4, x, k * 4);
    GET(arg[1] + i * 4, y, k * 4);
    for (uint64_t j = 0; j < k; j++) x[j] += y[j];
    PUT(arg[2] + i * 4, x, k * 4);
  }
  return 0;
}

static void mpe_launch(struct gdm_prog *l, const char *name, gdm_prog_kernel k, const char *x,
                       const char *y, const char *z, uint64_t n, double w) {
  struct gdm_prog_step *s = gdm_launch_step(l, name, k, w);
  gdm_arg_region(l, s, x);
  gdm_arg_region(l, s, y);
  gdm_arg_region(l, s, z);
  gdm_arg_value(s, n);
}

void gdm_make_mpe(struct gdm_prog *l) {
  static const char *const in[] = {"a", "b", "c", "d"}, *const all[] = {"a",  "b",  "c",  "d",
                                                                        "ab", "cd", "sum"};
  uint64_t bytes = gdm_bytes(l, "a"),
           n = (uint64_t)sqrt((double)bytes / 4); /* what the square leaves over is not used */
  for (int i = 0; i < 7; i++) gdm_alloc(l, all[i]);
  gdm_host(l, NULL, 1);
  for (int i = 0; i < 4; i++)
    gdm_htod(l, in[i], 0, gdm_buf(l, bytes, gdm_fill_floats, false), 0, n * n * 4);
  mpe_launch(l, "product", k_product, "a", "b", "ab", n, 1);
  mpe_launch(l, "product", k_product, "c", "d", "cd", n, 1);
  mpe_launch(l, "sum", k_sum, "ab", "cd", "sum", n * n, 0.02);
  gdm_dtoh(l, gdm_buf(l, bytes, NULL, true), "sum", 0, n * n * 4);
  gdm_host(l, NULL, 1);
  for (int i = 0; i < 7; i++) gdm_free(l, all[i]);
}

/* ---------------------------------------- kmeans */
/* Points of 31 features and a last one that is always 1, so that sums of points count them too. 448
 * points are one group. */
#define FEATURES 32
#define CENTROIDS 16
#define POINTS 448
#define ITERATIONS 20

/* args: points, member, centroids, sums, n */
static int k_assign(const struct gdm_prog_mem *m, const uint64_t *arg) {
  float c[CENTROIDS][FEATURES], p[FEATURES], sum[CENTROIDS][FEATURES];
  GET(arg[2], c, sizeof c);
  for (uint64_t g = 0; g < arg[4] / POINTS; g++) {
    uint32_t member[POINTS];
    memset(sum, 0, sizeof sum);
    for (uint64_t i = 0; i < POINTS; i++) {
      float best = FLT_MAX;
      GET(arg[0] + (g * POINTS + i) * sizeof p, p, sizeof p);
      for (uint32_t k = 0; k < CENTROIDS; k++) {
        float d = 0;
        for (int f = 0; f < FEATURES - 1; f++) d += (p[f] - c[k][f]) * (p[f] - c[k][f]);
        if (d < best) best = d, member[i] = k;
      }
      for (int f = 0; f < FEATURES; f++) sum[member[i]][f] += p[f];
    }
    PUT(arg[1] + g * sizeof member, member, sizeof member);
    PUT(arg[3] + g * sizeof sum, sum, sizeof sum);
  }
  return 0;
}

static void fill_points(struct gdm_prog *l, struct gdm_prog_buf *b) {
  float *p = (float *)(void *)b->p;
  gdm_fill_floats(l, b);
  for (uint64_t i = FEATURES - 1; i < b->bytes / 4; i += FEATURES) p[i] = 1;
}

static void kmeans_host(struct gdm_prog *l) {
  float *c = (float *)(void *)l->buf[1].p;
  const float *part = (const float *)(const void *)l->buf[2].p;
  for (int k = 0; k < CENTROIDS; k++) {
    double sum[FEATURES] = {0};
    for (uint64_t g = 0; g < l->dims[0] / POINTS; g++)
      for (int f = 0; f < FEATURES; f++)
        sum[f] += part[(g * CENTROIDS + (uint64_t)k) * FEATURES + (uint64_t)f];
    for (int f = 0; f < FEATURES && sum[FEATURES - 1] > 0; f++)
      c[k * FEATURES + f] = (float)(sum[f] / sum[FEATURES - 1]);
  }
}

void gdm_make_kmeans(struct gdm_prog *l) {
  uint64_t points = gdm_bytes(l, "points"), n = points / (FEATURES * 4),
           sums = n / POINTS * CENTROIDS * FEATURES * 4;
  int p = gdm_buf(l, points, fill_points, false), c = gdm_buf(l, 4096, fill_points, true),
      sum = gdm_buf(l, sums, NULL, true);
  int member = gdm_buf(l, n * 4, NULL, true);
  l->dims[0] = n;
  gdm_alloc(l, "points");
  gdm_alloc(l, "member");
  gdm_alloc(l, "centroids");
  gdm_alloc(l, "sums");
  gdm_host(l, NULL, 1);
  gdm_htod(l, "points", 0, p, 0, points);
  for (int i = 0; i < ITERATIONS; i++) {
    gdm_htod(l, "centroids", 0, c, 0,
             CENTROIDS * FEATURES * 4); /* the host then overwrites the buffer */
    struct gdm_prog_step *s = gdm_launch_step(l, "assign", k_assign, 1);
    gdm_arg_region(l, s, "points");
    gdm_arg_region(l, s, "member");
    gdm_arg_region(l, s, "centroids");
    gdm_arg_region(l, s, "sums");
    gdm_arg_value(s, n);
    gdm_dtoh(l, sum, "sums", 0, sums);
    gdm_host(l, kmeans_host, 1);
  }
  gdm_dtoh(l, member, "member", 0, n * 4);
  gdm_free(l, "points");
  gdm_free(l, "member");
  gdm_free(l, "centroids");
  gdm_free(l, "sums");
}

/* ---------------------------------------- nn */
/* args: places (x, y), distances, target (x, y), n */
static int k_distance(const struct gdm_prog_mem *m, const uint64_t *arg) {
  float p[GDM_TILE / 8][2], d[GDM_TILE / 8], t[2];
  GET(arg[2], t, sizeof t);
  for (uint64_t i = 0; i < arg[3]; i += GDM_TILE / 8) {
    uint64_t k = arg[3] - i < GDM_TILE / 8 ? arg[3] - i : GDM_TILE / 8;
    GET(arg[0] + i * 8, p, k * 8);
    for (uint64_t j = 0; j < k; j++)
      d[j] = sqrtf((p[j][0] - t[0]) * (p[j][0] - t[0]) + (p[j][1] - t[1]) * (p[j][1] - t[1]));
    PUT(arg[1] + i * 4, d, k * 4);
  }
  return 0;
}

/* The five nearest, nearest first, in the scratch buffer. */
static void nn_host(struct gdm_prog *l) {
  const float *d = (const float *)(const void *)l->buf[2].p;
  uint64_t *near = (uint64_t *)(void *)l->buf[3].p;
  int n = 0;
  for (uint64_t i = 0; i < l->dims[0]; i++) {
    if (n == 5 && d[i] >= d[near[4]]) continue;
    int k = n < 5 ? n++ : 4;
    for (; k > 0 && d[i] < d[near[k - 1]]; k--) near[k] = near[k - 1];
    near[k] = i;
  }
}

void gdm_make_nn(struct gdm_prog *l) {
  uint64_t places = gdm_bytes(l, "places"), n = places / 8;
  int p = gdm_buf(l, places, gdm_fill_floats, false), t = gdm_buf(l, 4096, gdm_fill_floats, false);
  int d = gdm_buf(l, n * 4, NULL, true);
  gdm_buf(l, 4096, NULL, true);
  l->dims[0] = n;
  gdm_alloc(l, "places");
  gdm_alloc(l, "distances");
  gdm_alloc(l, "target");
  gdm_host(l, NULL, 1);
  gdm_htod(l, "places", 0, p, 0, places);
  gdm_htod(l, "target", 0, t, 0, 8);
  struct gdm_prog_step *s = gdm_launch_step(l, "distance", k_distance, 1);
  gdm_arg_region(l, s, "places");
  gdm_arg_region(l, s, "distances");
  gdm_arg_region(l, s, "target");
  gdm_arg_value(s, n);
  gdm_dtoh(l, d, "distances", 0, n * 4);
  gdm_host(l, nn_host, 1);
  gdm_free(l, "places");
  gdm_free(l, "distances");
  gdm_free(l, "target");
}
