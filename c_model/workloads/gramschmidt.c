/* SPDX-License-Identifier: Apache-2.0 */
/* GRAMSCHMIDT of PolyBench-ACC: three kernels per column k; columns are walked down the rows, a new
 * page each step. */
#include "gen.h"

#define STEPS 8u /* columns k, spread over all: a full run is a thousand million accesses */
#define BLOCK_WARPS 8u

struct grm {
  uint64_t n, a, r, q, k;
};

static uint64_t blocks_of(uint64_t n) { return (n + 255) / 256; }

/** One thread: the norm of column k. */
static void norm(struct gen *g, const struct grm *m) {
  gen_launch(g, "gramschmidt_kernel1", 1, BLOCK_WARPS);
  for (uint32_t w = 0; w < BLOCK_WARPS && gen_ok(g); w++) {
    gen_warp(g, 0, w);
    if (w) continue;
    for (uint64_t i = 0; i < m->n; i++) {
      gen_affine(g, GMMU_READ, 4, 1, m->a + (i * m->n + m->k) * 4, 0);
      gen_gap(g, GEN_GAP_FMA);
    }
    gen_affine(g, GMMU_WRITE, 4, 1, m->r + m->k * (m->n + 1) * 4, 0);
  }
}

/** A thread per row: column k of Q. */
static void scale(struct gen *g, const struct grm *m) {
  gen_launch(g, "gramschmidt_kernel2", blocks_of(m->n), BLOCK_WARPS);
  for (uint64_t w = 0; w < blocks_of(m->n) * BLOCK_WARPS && gen_ok(g); w++) {
    uint64_t at = (w * GEN_WARP * m->n + m->k) * 4;
    uint32_t lanes = gen_clip(w * GEN_WARP, GEN_WARP, m->n);
    gen_warp(g, w / BLOCK_WARPS, (uint32_t)(w % BLOCK_WARPS));
    if (!lanes) continue;
    gen_affine(g, GMMU_READ, 4, lanes, m->a + at, m->n * 4);
    gen_affine(g, GMMU_READ, 4, lanes, m->r + m->k * (m->n + 1) * 4, 0);
    gen_gap(g, GEN_GAP_FMA);
    gen_affine(g, GMMU_WRITE, 4, lanes, m->q + at, m->n * 4);
  }
}

/** A thread per column j > k: its projection on column k, then taken off. */
static void project(struct gen *g, const struct grm *m) {
  gen_launch(g, "gramschmidt_kernel3", blocks_of(m->n), BLOCK_WARPS);
  for (uint64_t w = 0; w < blocks_of(m->n) * BLOCK_WARPS && gen_ok(g); w++) {
    uint64_t first = w * GEN_WARP, end = first + GEN_WARP < m->n ? first + GEN_WARP : m->n;
    gen_warp(g, w / BLOCK_WARPS, (uint32_t)(w % BLOCK_WARPS));
    if (first <= m->k) first = m->k + 1;
    if (first >= end) continue;
    uint32_t lanes = (uint32_t)(end - first);
    uint64_t mine = m->r + (m->k * m->n + first) * 4;
    gen_affine(g, GMMU_WRITE, 4, lanes, mine, 4);
    for (uint64_t i = 0; i < m->n; i++) {
      gen_affine(g, GMMU_READ, 4, lanes, m->q + (i * m->n + m->k) * 4, 0);
      gen_affine(g, GMMU_READ, 4, lanes, m->a + (i * m->n + first) * 4, 4);
      gen_gap(g, GEN_GAP_FMA);
      gen_affine(g, GMMU_WRITE, 4, lanes, mine, 4);
    }
    for (uint64_t i = 0; i < m->n; i++) {
      gen_affine(g, GMMU_READ, 4, lanes, mine, 4);
      gen_affine(g, GMMU_READ, 4, lanes, m->q + (i * m->n + m->k) * 4, 0);
      gen_affine(g, GMMU_READ, 4, lanes, m->a + (i * m->n + first) * 4, 4);
      gen_gap(g, GEN_GAP_FMA);
      gen_affine(g, GMMU_WRITE, 4, lanes, m->a + (i * m->n + first) * 4, 4);
    }
  }
}

static int grm(uint64_t n, uint64_t seed, const struct gmmu_trace_sink *s, struct gmmu_err *err) {
  (void)seed;
  if (gen_check("GRM", "N", n, 32, GEN_MAX_DIM, 32, err)) return -1;
  struct gen g;
  struct grm m = {.n = n};
  gen_init(&g, s);
  m.a = gen_array(&g, "A", n * n * 4, true);
  m.r = gen_array(&g, "R", n * n * 4, true);
  m.q = gen_array(&g, "Q", n * n * 4, true);
  for (uint64_t i = 0; i < STEPS && gen_ok(&g); i++) {
    m.k = n * (2 * i + 1) / (2 * STEPS);
    norm(&g, &m);
    scale(&g, &m);
    project(&g, &m);
  }
  return g.rc;
}

const struct gmmu_workload gen_grm = {"GRM",
                                      "PolyBench GRAMSCHMIDT: A = Q R, 8 columns k spread over all",
                                      64,
                                      2048,
                                      "rows and columns of A",
                                      grm};
