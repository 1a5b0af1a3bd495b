/* SPDX-License-Identifier: Apache-2.0 */
/* hotspot and srad of GDM's evaluation (gdm_prog.h): stencils on images of floats, row after row.
 */
#include <math.h>

#include "workloads/gdm_make.h"

#define MAX_COLUMNS 8192
#define STEPS 12      /* of hotspot */
#define DIFFUSIONS 24 /* of srad */

/* Rows y-1, y, y+1 of an image in r[0..2], the image's edge repeated. Rolls on from row y-1. */
static int roll(const struct gdm_prog_mem *m, uint64_t va, uint64_t y, uint64_t rows, uint64_t cols,
                float *r[3]) {
  float *first = r[0];
  if (y == 0) {
    GET(va, r[1], cols * 4);
    memcpy(r[0], r[1], cols * 4);
  } else {
    r[0] = r[1];
    r[1] = r[2];
    r[2] = first;
  }
  if (y + 1 < rows) GET(va + (y + 1) * cols * 4, r[2], cols * 4);
  else memcpy(r[2], r[1], cols * 4);
  return 0;
}

/* ---------------------------------------- hotspot */
/* One step of time. args: temperature before, after, power, maxima (of each row), rows, columns */
static int k_hotspot(const struct gdm_prog_mem *m, const uint64_t *arg) {
  float a[3][MAX_COLUMNS], p[MAX_COLUMNS], out[MAX_COLUMNS], *r[3] = {a[0], a[1], a[2]};
  uint64_t rows = arg[4], cols = arg[5];
  for (uint64_t y = 0; y < rows; y++) {
    float most = 0;
    int e = roll(m, arg[0], y, rows, cols, r);
    if (e) return e;
    GET(arg[2] + y * cols * 4, p, cols * 4);
    for (uint64_t x = 0; x < cols; x++) {
      float t = r[1][x], w = r[1][x ? x - 1 : x], o = r[1][x + 1 < cols ? x + 1 : x];
      out[x] =
          t + 0.05f * (p[x] + (r[0][x] + r[2][x] - 2 * t) + (w + o - 2 * t) + 0.1f * (0.8f - t));
      if (out[x] > most) most = out[x];
    }
    PUT(arg[1] + y * cols * 4, out, cols * 4);
    PUT(arg[3] + y * 4, &most, 4);
  }
  return 0;
}

void gdm_make_hotspot(struct gdm_prog *l) {
  static const char *const all[] = {"temp0", "temp1", "power", "maxima"};
  uint64_t bytes = gdm_bytes(l, "temp0"), cols = gdm_columns(l, MAX_COLUMNS),
           rows = bytes / 4 / cols;
  int t = gdm_buf(l, bytes, gdm_fill_floats, false), p = gdm_buf(l, bytes, gdm_fill_floats, false);
  int out = gdm_buf(l, bytes, NULL, true), max = gdm_buf(l, rows * 4, NULL, true);
  for (int i = 0; i < 4; i++) gdm_alloc(l, all[i]);
  gdm_host(l, NULL, 1);
  gdm_htod(l, "temp0", 0, t, 0, bytes);
  gdm_htod(l, "power", 0, p, 0, bytes);
  for (int i = 0; i < STEPS; i++) {
    struct gdm_prog_step *s = gdm_launch_step(l, "step", k_hotspot, 1);
    gdm_arg_region(l, s, all[i & 1]);
    gdm_arg_region(l, s, all[!(i & 1)]);
    gdm_arg_region(l, s, "power");
    gdm_arg_region(l, s, "maxima");
    gdm_arg_value(s, rows);
    gdm_arg_value(s, cols);
  }
  gdm_dtoh(l, out, "temp0", 0, bytes); /* STEPS is even */
  gdm_dtoh(l, max, "maxima", 0, rows * 4);
  gdm_host(l, NULL, 1);
  for (int i = 0; i < 4; i++) gdm_free(l, all[i]);
}

/* ---------------------------------------- srad */
/* Sum and sum of squares of each row. args: image, sums, rows, columns */
static int k_sums(const struct gdm_prog_mem *m, const uint64_t *arg) {
  float a[MAX_COLUMNS];
  for (uint64_t y = 0; y < arg[2]; y++) {
    float s[2] = {0, 0};
    GET(arg[0] + y * arg[3] * 4, a, arg[3] * 4);
    for (uint64_t x = 0; x < arg[3]; x++) {
      s[0] += a[x];
      s[1] += a[x] * a[x];
    }
    PUT(arg[1] + y * sizeof s, s, sizeof s);
  }
  return 0;
}

/* Differences to the four neighbours, and the diffusion coefficient. args: image, coeff, north,
 * south, west, east, q0sqr and columns in one word (low half the float), rows */
static int k_srad1(const struct gdm_prog_mem *m, const uint64_t *arg) {
  float a[3][MAX_COLUMNS], d[5][MAX_COLUMNS], *r[3] = {a[0], a[1], a[2]}, q0 = gdm_float(arg[6]);
  uint64_t rows = arg[7], cols = arg[6] >> 32;
  for (uint64_t y = 0; y < rows; y++) {
    int e = roll(m, arg[0], y, rows, cols, r);
    if (e) return e;
    for (uint64_t x = 0; x < cols; x++) {
      float j = r[1][x];
      d[1][x] = r[0][x] - j;
      d[2][x] = r[2][x] - j;
      d[3][x] = r[1][x ? x - 1 : x] - j;
      d[4][x] = r[1][x + 1 < cols ? x + 1 : x] - j;
      float g2 =
          (d[1][x] * d[1][x] + d[2][x] * d[2][x] + d[3][x] * d[3][x] + d[4][x] * d[4][x]) / (j * j);
      float lap = (d[1][x] + d[2][x] + d[3][x] + d[4][x]) / j, den = 1 + 0.25f * lap;
      float q = (0.5f * g2 - lap * lap / 16) / (den * den),
            c = 1 / (1 + (q - q0) / (q0 * (1 + q0)));
      d[0][x] = c < 0 ? 0 : c > 1 ? 1 : c;
    }
    for (int i = 0; i < 5; i++) PUT(arg[1 + i] + y * cols * 4, d[i], cols * 4);
  }
  return 0;
}

/* The image a step later. args as k_srad1 */
static int k_srad2(const struct gdm_prog_mem *m, const uint64_t *arg) {
  float c[2][MAX_COLUMNS], d[4][MAX_COLUMNS], j[MAX_COLUMNS], *here = c[0], *below = c[1];
  uint64_t rows = arg[7], cols = arg[6] >> 32;
  GET(arg[1], below, cols * 4);
  for (uint64_t y = 0; y < rows; y++) {
    float *t = here;
    here = below;
    below = t;
    if (y + 1 < rows) GET(arg[1] + (y + 1) * cols * 4, below, cols * 4);
    else memcpy(below, here, cols * 4);
    GET(arg[0] + y * cols * 4, j, cols * 4);
    for (int i = 0; i < 4; i++) GET(arg[2 + i] + y * cols * 4, d[i], cols * 4);
    for (uint64_t x = 0; x < cols; x++) {
      float east = here[x + 1 < cols ? x + 1 : x];
      j[x] +=
          0.125f * (here[x] * d[0][x] + below[x] * d[1][x] + here[x] * d[2][x] + east * d[3][x]);
    }
    PUT(arg[0] + y * cols * 4, j, cols * 4);
  }
  return 0;
}

static void fill_image(struct gdm_prog *l, struct gdm_prog_buf *b) {
  float *f = (float *)(void *)b->p;
  gdm_fill_floats(l, b);
  for (uint64_t i = 0; i < b->bytes / 4; i++) f[i] = expf(f[i]);
}

static void srad_host(struct gdm_prog *l) {
  const float *s = (const float *)(const void *)l->buf[1].p;
  double sum = 0, sq = 0, n = (double)l->dims[0] * (double)l->dims[1];
  for (uint64_t y = 0; y < l->dims[0]; y++) {
    sum += s[2 * y];
    sq += s[2 * y + 1];
  }
  double mean = sum / n, q0 = (sq / n - mean * mean) / (mean * mean);
  l->scalar[0] = gdm_bits((float)(q0 > 1e-6 ? q0 : 1e-6)) | l->dims[1] << 32;
}

void gdm_make_srad(struct gdm_prog *l) {
  static const char *const all[] = {"image", "coeff", "north", "south", "west", "east", "sums"};
  uint64_t bytes = gdm_bytes(l, "image"), cols = gdm_columns(l, MAX_COLUMNS / 2),
           rows = bytes / 4 / cols;
  int image = gdm_buf(l, bytes, fill_image, false), sums = gdm_buf(l, rows * 8, NULL, true),
      out = gdm_buf(l, bytes, NULL, true);
  l->dims[0] = rows;
  l->dims[1] = cols;
  for (int i = 0; i < 7; i++) gdm_alloc(l, all[i]);
  gdm_host(l, NULL, 8);
  gdm_htod(l, "image", 0, image, 0, bytes);
  for (int i = 0; i < DIFFUSIONS; i++) {
    struct gdm_prog_step *s = gdm_launch_step(l, "sums", k_sums, 1);
    gdm_arg_region(l, s, "image");
    gdm_arg_region(l, s, "sums");
    gdm_arg_value(s, rows);
    gdm_arg_value(s, cols);
    gdm_dtoh(l, sums, "sums", 0, rows * 8);
    gdm_host(l, srad_host, 1);
    for (int k = 0; k < 2; k++) { /* as many bytes in the one as in the other */
      s = gdm_launch_step(l, k ? "srad2" : "srad1", k ? k_srad2 : k_srad1, 6);
      for (int r = 0; r < 6; r++) gdm_arg_region(l, s, all[r]);
      gdm_arg_scalar(s, 0);
      gdm_arg_value(s, rows);
    }
  }
  gdm_dtoh(l, out, "image", 0, bytes);
  gdm_host(l, NULL, 8);
  for (int i = 0; i < 7; i++) gdm_free(l, all[i]);
}
