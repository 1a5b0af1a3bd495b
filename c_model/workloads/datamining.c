/* SPDX-License-Identifier: Apache-2.0 */
/* Correlation and covariance of PolyBench-ACC: column means, centred data, then the symmetric
 * matrix, in which each thread owns a row j1 and walks along the diagonal: one line and one page
 * per lane, stored again in every step. */
#include "gen.h"

#define BLOCK_WARPS 8u
#define FULL_UP_TO 256u /* above: CAP_T values of t per warp, spread over all */
#define CAP_T 4u

struct mining {
  uint64_t m, data, mean, std, sym; /* std 0: covariance */
};

static uint64_t blocks_of(uint64_t threads) { return (threads + 255) / 256; }

/** A thread per column: acc[j] over data[i][j]; `second` (0: none) is loaded beside it. */
static void columns(struct gen *g, const struct mining *k, const char *name, uint64_t acc,
                    uint64_t second, int last_stores) {
  gen_launch(g, name, blocks_of(k->m), BLOCK_WARPS);
  for (uint64_t w = 0; w < blocks_of(k->m) * BLOCK_WARPS && gen_ok(g); w++) {
    uint64_t first = w * GEN_WARP;
    gen_warp(g, w / BLOCK_WARPS, (uint32_t)(w % BLOCK_WARPS));
    if (first >= k->m) continue;
    gen_st(g, acc + first * 4);
    for (uint64_t i = 0; i < k->m; i++) {
      gen_ld(g, k->data + (i * k->m + first) * 4);
      if (second) gen_ld(g, second + first * 4);
      gen_gap(g, GEN_GAP_FMA);
      gen_st(g, acc + first * 4);
    }
    for (int i = 0; i < last_stores; i++) gen_st(g, acc + first * 4);
  }
}

/** Blocks of (32,8): a warp is a piece of one row. Rows `rows` and up are left out, as a grid that
 * is too small does. */
static void centre(struct gen *g, const struct mining *k, uint64_t rows) {
  uint64_t bx = k->m / 32, by = rows / 8;
  gen_launch(g, "reduce_kernel", bx * by, BLOCK_WARPS);
  for (uint64_t b = 0; b < bx * by && gen_ok(g); b++)
    for (uint32_t w = 0; w < BLOCK_WARPS; w++) {
      uint64_t j = b % bx * 32, i = b / bx * 8 + w, at = k->data + (i * k->m + j) * 4;
      gen_warp(g, b, w);
      gen_ld(g, k->mean + j * 4);
      gen_ld(g, at);
      gen_gap(g, GEN_GAP_ALU);
      gen_st(g, at);
      if (!k->std) continue;
      gen_ld(g, k->std + j * 4);
      gen_gap(g, GEN_GAP_ALU);
      gen_st(g, at);
    }
}

/** One value of t for one warp: lanes with j2 = j1 + shift + t inside the matrix are active, a
 * prefix of the warp. */
static void one_t(struct gen *g, const struct mining *k, uint64_t first, uint64_t j2,
                  uint32_t lanes) {
  uint64_t pitch = (k->m + 1) * 4;
  gen_affine(g, GMMU_WRITE, 4, lanes, k->sym + (first * k->m + j2) * 4, pitch);
  for (uint64_t i = 0; i < k->m; i++) {
    gen_affine(g, GMMU_READ, 4, lanes, k->data + (i * k->m + first) * 4, 4);
    gen_affine(g, GMMU_READ, 4, lanes, k->data + (i * k->m + j2) * 4, 4);
    gen_gap(g, GEN_GAP_FMA);
    gen_affine(g, GMMU_WRITE, 4, lanes, k->sym + (first * k->m + j2) * 4, pitch);
  }
  gen_affine(g, GMMU_WRITE, 4, lanes, k->sym + (j2 * k->m + first) * 4, pitch);
}

/** shift 1: correlation (the diagonal is set apart), 0: covariance. */
static void triangle(struct gen *g, const struct mining *k, const char *name, uint64_t shift) {
  gen_launch(g, name, blocks_of(k->m), BLOCK_WARPS);
  for (uint64_t w = 0; w < blocks_of(k->m) * BLOCK_WARPS && gen_ok(g); w++) {
    uint64_t first = w * GEN_WARP, values, n;
    gen_warp(g, w / BLOCK_WARPS, (uint32_t)(w % BLOCK_WARPS));
    if (first >= k->m) continue;
    if (shift)
      gen_affine(g, GMMU_WRITE, 4, gen_clip(first, GEN_WARP, k->m - 1),
                 k->sym + first * (k->m + 1) * 4, (k->m + 1) * 4);
    values = k->m - shift - first; /* of t, until the warp's smallest j1 is through */
    n = k->m > FULL_UP_TO && values > CAP_T ? CAP_T : values;
    for (uint64_t i = 0; i < n && gen_ok(g); i++) {
      uint64_t t = values * i / n;
      one_t(g, k, first, first + shift + t, gen_clip(first, GEN_WARP, k->m - shift - t));
    }
  }
}

static int mine(const char *name, uint64_t m, bool corr, const struct gmmu_trace_sink *s,
                struct gmmu_err *err) {
  if (gen_check(name, "M", m, 32, GEN_MAX_DIM, 32, err)) return -1;
  struct gen g;
  struct mining k = {.m = m};
  gen_init(&g, s);
  k.data = gen_array(&g, "data", m * m * 4, true);
  k.sym = gen_array(&g, "symmat", m * m * 4, true);
  k.mean = gen_array(&g, "mean", m * 4, true);
  if (corr) k.std = gen_array(&g, "stddev", m * 4, true);
  columns(&g, &k, "mean_kernel", k.mean, 0, 1);
  if (corr) columns(&g, &k, "std_kernel", k.std, k.mean, 2);
  centre(&g, &k,
         corr ? m : m / 4); /* the suite's grid of the covariance has a quarter of the rows */
  triangle(&g, &k, corr ? "corr_kernel" : "covar_kernel", corr);
  return g.rc;
}

static int corr(uint64_t n, uint64_t seed, const struct gmmu_trace_sink *s, struct gmmu_err *err) {
  (void)seed;
  return mine("CORR", n, true, s, err);
}
static int covar(uint64_t n, uint64_t seed, const struct gmmu_trace_sink *s, struct gmmu_err *err) {
  (void)seed;
  return mine("COVAR", n, false, s, err);
}

const struct gmmu_workload gen_corr = {
    "CORR",
    "PolyBench: correlation matrix, 4 steps of t per warp above M = 256",
    128,
    2048,
    "columns (and rows) of the data",
    corr};
const struct gmmu_workload gen_covar = {
    "COVAR",
    "PolyBench: covariance matrix, 4 steps of t per warp above M = 256",
    128,
    2048,
    "columns (and rows) of the data",
    covar};
