/* SPDX-License-Identifier: Apache-2.0 */
/* Data-dependent kernels: SC (streamcluster), QTC (SHOC quality threshold clustering), SAD
 * (Parboil), RAY (ISPASS). */
#include "gen.h"

#include <stdlib.h>

/* ---------------------------------------- SC */
#define SC_DIM 256u
#define SC_CENTERS 10u
#define SC_LAUNCHES 4u
#define SC_POINT 32u /* bytes: weight, pointer, assign, cost */

static int sc(uint64_t n, uint64_t seed, const struct gmmu_trace_sink *s, struct gmmu_err *err) {
  if (gen_check("SC", "number of points", n, 512, 1u << 24, 512, err)) return -1;
  struct gen g;
  struct gmmu_rng rng = {seed};
  uint32_t *assign = malloc(n * sizeof *assign);
  if (!assign) return gmmu_fail(err, "not enough memory for %llu points", (unsigned long long)n);
  for (uint64_t i = 0; i < n; i++) assign[i] = (uint32_t)gmmu_rng_below(&rng, n);
  gen_init(&g, s);
  uint64_t coord = gen_array(&g, "coord", SC_DIM * n * 4, false),
           point = gen_array(&g, "points", n * SC_POINT, false);
  uint64_t table = gen_array(&g, "center_table", n * 4, false);
  uint64_t work = gen_array(&g, "work", n * (SC_CENTERS + 1) * 4, true);
  for (uint32_t launch = 0; launch < SC_LAUNCHES && gen_ok(&g); launch++) {
    uint64_t x = gmmu_rng_below(&rng, n); /* the candidate for a new centre */
    gen_launch(&g, "kernel_compute_cost", n / 512, 16);
    for (uint64_t b = 0; b < n / 512 && gen_ok(&g); b++)
      for (uint32_t w = 0; w < 16; w++) {
        uint64_t t = b * 512 + w * GEN_WARP;
        gen_warp(&g, b, w);
        for (uint64_t i = 0; w == 0 && i < SC_DIM; i++)
          gen_affine(&g, GMMU_READ, 4, 1, coord + (i * n + x) * 4, 0);
        for (uint64_t i = 0; i < SC_DIM; i++) {
          gen_ld(&g, coord + (i * n + t) * 4);
          gen_gap(&g, GEN_GAP_FMA);
        }
        gen_affine(&g, GMMU_READ, 4, GEN_WARP, point + t * SC_POINT, SC_POINT);
        gen_affine(&g, GMMU_READ, 4, GEN_WARP, point + t * SC_POINT + 24, SC_POINT);
        gen_affine(&g, GMMU_READ, 8, GEN_WARP, point + t * SC_POINT + 16, SC_POINT);
        for (uint32_t l = 0; l < GEN_WARP; l++) g.op.addr[l] = table + assign[t + l] * 4ull;
        gen_emit(&g, GMMU_READ, 4, GEN_WARP);
        for (int k = 0; k < 2; k++) {
          for (uint32_t l = 0; l < GEN_WARP; l++)
            g.op.addr[l] = work + ((t + l) * (SC_CENTERS + 1) + assign[t + l] % SC_CENTERS) * 4;
          gen_emit(&g, k ? GMMU_WRITE : GMMU_READ, 4, GEN_WARP);
        }
      }
  }
  free(assign);
  return g.rc;
}

/* ---------------------------------------- QTC */
#define QTC_BLOCKS 256u
#define QTC_DEGREE 256u /* most neighbours that are kept of a point */
#define QTC_STEPS 8u    /* points that a cluster grows by, of each seed */

struct qtc {
  uint64_t n, indr, work, ai_mask, mask, dist;
  uint32_t *degree, *neighbour; /* [n], [n * QTC_DEGREE] */
};

/** Neighbours within `radius` of each of n random points in the unit square. */
static void qtc_neighbours(struct qtc *q, struct gmmu_rng *rng, double *x, double *y,
                           double radius) {
  for (uint64_t i = 0; i < q->n; i++) {
    x[i] = (double)gmmu_rng_below(rng, 1u << 30) / (1u << 30);
    y[i] = (double)gmmu_rng_below(rng, 1u << 30) / (1u << 30);
  }
  for (uint64_t i = 0; i < q->n; i++)
    for (uint64_t j = 0; j < q->n && q->degree[i] < QTC_DEGREE; j++) {
      double dx = x[i] - x[j], dy = y[i] - y[j];
      if (i != j && dx * dx + dy * dy < radius * radius)
        q->neighbour[i * QTC_DEGREE + q->degree[i]++] = (uint32_t)j;
    }
}

/** One step of a cluster's growth: the block's two warps look at every neighbour of the seed. */
static void qtc_step(struct gen *g, const struct qtc *q, uint64_t block, uint64_t seed, uint32_t w,
                     uint64_t latest) {
  for (uint32_t i = w * GEN_WARP; i < q->degree[seed]; i += 64) {
    const uint32_t *p = &q->neighbour[seed * QTC_DEGREE + i];
    uint32_t lanes = gen_clip(i, GEN_WARP, q->degree[seed]);
    gen_affine(g, GMMU_READ, 4, lanes, q->indr + (seed * QTC_DEGREE + i) * 4, 4);
    for (uint32_t l = 0; l < lanes; l++) g->op.addr[l] = q->ai_mask + block * q->n + p[l];
    gen_emit(g, GMMU_READ, 1, lanes);
    for (uint32_t l = 0; l < lanes; l++) g->op.addr[l] = q->mask + p[l];
    gen_emit(g, GMMU_READ, 1, lanes);
    for (uint32_t l = 0; l < lanes; l++)
      g->op.addr[l] = q->work + (p[l] * q->n + latest) * 4; /* a column */
    gen_emit(g, GMMU_READ, 4, lanes);
    gen_gap(g, GEN_GAP_FMA);
    gen_affine(g, GMMU_READ, 4, lanes, q->dist + (block * QTC_DEGREE + i) * 4, 4);
    gen_affine(g, GMMU_WRITE, 4, lanes, q->dist + (block * QTC_DEGREE + i) * 4, 4);
  }
}

static int qtc(uint64_t n, uint64_t seed, const struct gmmu_trace_sink *s, struct gmmu_err *err) {
  if (gen_check("QTC", "number of points", n, QTC_BLOCKS, 16384, QTC_BLOCKS, err)) return -1;
  struct gen g;
  struct gmmu_rng rng = {seed};
  struct qtc q = {.n = n,
                  .degree = calloc(n, sizeof *q.degree),
                  .neighbour = malloc(n * QTC_DEGREE * sizeof *q.neighbour)};
  double *xy = malloc(2 * n * sizeof *xy);
  if (!q.degree || !q.neighbour || !xy) {
    free(q.degree);
    free(q.neighbour);
    free(xy);
    return gmmu_fail(err, "not enough memory for %llu points", (unsigned long long)n);
  }
  qtc_neighbours(&q, &rng, xy, xy + n, 0.1);
  free(xy);
  gen_init(&g, s);
  q.indr = gen_array(&g, "indr_mtrx", n * QTC_DEGREE * 4, false);
  q.work = gen_array(&g, "distance_matrix", n * n * 4, false);
  q.ai_mask = gen_array(&g, "Ai_mask", QTC_BLOCKS * n, true);
  q.mask = gen_array(&g, "clustered_mask", n, false);
  q.dist = gen_array(&g, "dist_to_clust", QTC_BLOCKS * QTC_DEGREE * 4, true);
  gen_launch(&g, "qtc_device", QTC_BLOCKS, 2);
  for (uint64_t b = 0; b < QTC_BLOCKS && gen_ok(&g); b++)
    for (uint32_t w = 0; w < 2; w++) {
      gen_warp(&g, b, w);
      for (uint64_t seed_point = b; seed_point < n; seed_point += QTC_BLOCKS) {
        uint32_t degree = q.degree[seed_point];
        uint64_t latest = seed_point;
        for (uint32_t step = 0; step < QTC_STEPS && step < degree && gen_ok(&g); step++) {
          qtc_step(&g, &q, b, seed_point, w, latest);
          latest = q.neighbour[seed_point * QTC_DEGREE + (step * 7 + seed_point) % degree];
          if (w == 0) gen_affine(&g, GMMU_WRITE, 1, 1, q.ai_mask + b * n + latest, 0);
        }
      }
    }
  free(q.degree);
  free(q.neighbour);
  return g.rc;
}

/* ---------------------------------------- SAD */
#define SAD_POSITIONS 1096u /* of the search window, 2 bytes each */

struct sad {
  uint64_t width, mbs, frame, sads;
  uint64_t first[8]; /* of each size of block, in units of SAD_POSITIONS: 1 is 16x16, 7 is 4x4 */
};

static uint64_t sad_at(const struct sad *k, int kind, uint64_t block) {
  return k->sads + (k->first[kind] + block) * SAD_POSITIONS * 2;
}

/** 4x4 blocks: 61 threads read 16 pixels and write all positions, 8 bytes a lane. */
static void sad_4x4(struct gen *g, const struct sad *k) {
  uint64_t cols = k->width / 4, blocks = k->mbs * 16;
  gen_launch(g, "mb_sad_calc", blocks, 2);
  for (uint64_t b = 0; b < blocks && gen_ok(g); b++)
    for (uint32_t w = 0; w < 2; w++) {
      gen_warp(g, b, w);
      if (w) continue;
      for (uint32_t l = 0; l < 16; l++)
        g->op.addr[l] = k->frame + ((b / cols * 4 + l / 4) * k->width + b % cols * 4 + l % 4) * 2;
      gen_emit(g, GMMU_READ, 2, 16);
      gen_gap(g, GEN_GAP_LONG);
      for (uint32_t i = 0; i < SAD_POSITIONS / 4; i += GEN_WARP)
        gen_affine(g, GMMU_WRITE, 8, gen_clip(i, GEN_WARP, SAD_POSITIONS / 4),
                   sad_at(k, 7, b) + i * 8, 8);
    }
}

/** Four smaller blocks make five larger ones: two and two halves, and the whole. */
static void sad_larger(struct gen *g, const struct sad *k, const char *name, uint32_t warps,
                       const int kinds[4]) {
  gen_launch(g, name, k->mbs, warps);
  for (uint64_t mb = 0; mb < k->mbs && gen_ok(g); mb++)
    for (uint32_t w = 0; w < warps; w++) {
      uint64_t q = mb * warps + w;
      gen_warp(g, mb, w);
      for (uint32_t i = 0; i < SAD_POSITIONS / 2; i += GEN_WARP) {
        uint32_t lanes = gen_clip(i, GEN_WARP, SAD_POSITIONS / 2);
        for (uint64_t j = 0; j < 4; j++)
          gen_affine(g, GMMU_READ, 4, lanes, sad_at(k, kinds[0], 4 * q + j) + i * 4, 4);
        gen_gap(g, GEN_GAP_ALU);
        for (uint64_t j = 0; j < 2; j++)
          gen_affine(g, GMMU_WRITE, 4, lanes, sad_at(k, kinds[1], 2 * q + j) + i * 4, 4);
        for (uint64_t j = 0; j < 2; j++)
          gen_affine(g, GMMU_WRITE, 4, lanes, sad_at(k, kinds[2], 2 * q + j) + i * 4, 4);
        gen_affine(g, GMMU_WRITE, 4, lanes, sad_at(k, kinds[3], q) + i * 4, 4);
      }
    }
}

static int sad(uint64_t width, uint64_t seed, const struct gmmu_trace_sink *s,
               struct gmmu_err *err) {
  static const uint64_t per_mb[8] = {0, 1, 2, 2, 4, 8, 8, 16};
  static const int eights[4] = {7, 6, 5, 4}, sixteens[4] = {4, 3, 2, 1};
  (void)seed;
  if (gen_check("SAD", "columns of the frame", width, 176, 8192, 176, err)) return -1;
  struct gen g;
  struct sad k = {.width = width, .mbs = width / 16 * (width * 9 / 11 / 16)};
  for (int i = 1, at = 0; i < 8; i++) {
    k.first[i] = (uint64_t)at * k.mbs;
    at += (int)per_mb[i];
  }
  gen_init(&g, s);
  k.frame = gen_array(&g, "frame", width * (width * 9 / 11) * 2, false);
  k.sads = gen_array(&g, "sads", 41 * SAD_POSITIONS * 2 * k.mbs, true);
  sad_4x4(&g, &k);
  sad_larger(&g, &k, "larger_sad_calc_8", 4, eights);
  sad_larger(&g, &k, "larger_sad_calc_16", 1, sixteens);
  return g.rc;
}

/* ---------------------------------------- RAY */
/* The scene is in constant memory; what remains are the pixels. */
static int ray(uint64_t n, uint64_t seed, const struct gmmu_trace_sink *s, struct gmmu_err *err) {
  (void)seed;
  if (gen_check("RAY", "columns of the picture", n, 16, GEN_MAX_DIM, 16, err)) return -1;
  struct gen g;
  gen_init(&g, s);
  uint64_t result = gen_array(&g, "result", n * n * 4, true), gx = n / 16, blocks = gx * (n / 8);
  gen_launch(&g, "render", blocks, 4);
  for (uint64_t b = 0; b < blocks && gen_ok(&g); b++)
    for (uint32_t w = 0; w < 4; w++) {
      uint64_t first = result + ((b / gx * 8 + 2 * w) * n + b % gx * 16) * 4;
      gen_warp(&g, b, w);
      for (int k = 0; k < 3; k++) { /* cleared, then read and written */
        for (uint32_t l = 0; l < GEN_WARP; l++) g.op.addr[l] = first + l / 16 * n * 4 + l % 16 * 4;
        gen_emit(&g, k == 1 ? GMMU_READ : GMMU_WRITE, 4, GEN_WARP);
        gen_gap(&g, GEN_GAP_LONG);
      }
    }
  return g.rc;
}

const struct gmmu_workload gen_sc = {
    "SC", "Rodinia: streamcluster, 256 dimensions, 4 launches", 2048, 65536, "points", sc};
const struct gmmu_workload gen_qtc = {
    "QTC", "SHOC: quality threshold clustering, 8 steps of each seed", 512, 4096, "points", qtc};
const struct gmmu_workload gen_sad = {
    "SAD", "Parboil: sums of absolute differences", 176, 704, "columns of the frame", sad};
const struct gmmu_workload gen_ray = {
    "RAY", "ISPASS-2009: ray tracing, global traffic only", 256, 2048, "columns of the picture",
    ray};
