/* SPDX-License-Identifier: Apache-2.0 */
/* COLOR and SSSP of Pannotia on 4-neighbour grids in CSR form, which stand for their meshes and
 * road networks. Both are really run, so that the active lanes of every step are right. */
#include "gen.h"

#include <stdlib.h>

#define COLOR_WARPS 8u
#define SSSP_WARPS 2u
#define SSSP_ITERATIONS 8u /* convergence would take about `side` iterations */
#define FAR 99999999u

struct csr {
  uint32_t n, m;
  uint32_t *row, *col;
};

static void csr_free(struct csr *q) {
  free(q->row);
  free(q->col);
}

/** Is the edge between v and its right (d = 0) or lower (d = 1) neighbour there? Both ends ask the
 * same. */
static bool has_edge(uint64_t seed, uint32_t v, unsigned d, unsigned removed_pct) {
  struct gmmu_rng r = {seed ^ ((uint64_t)v << 1 | d) * 0x9e3779b97f4a7c15ull};
  return gmmu_rng_below(&r, 100) >= removed_pct;
}

static int csr_grid(struct csr *q, uint32_t side, uint64_t seed, unsigned removed_pct,
                    struct gmmu_err *err) {
  *q = (struct csr){.n = side * side};
  q->row = malloc(((size_t)q->n + 1) * sizeof *q->row);
  q->col = malloc((size_t)q->n * 4 * sizeof *q->col);
  if (!q->row || !q->col) {
    csr_free(q);
    return gmmu_fail(err, "not enough memory for a grid of side %u", side);
  }
  for (uint32_t v = 0; v < q->n; v++) {
    uint32_t x = v % side, y = v / side;
    q->row[v] = q->m;
    if (y > 0 && has_edge(seed, v - side, 1, removed_pct)) q->col[q->m++] = v - side;
    if (x > 0 && has_edge(seed, v - 1, 0, removed_pct)) q->col[q->m++] = v - 1;
    if (x + 1 < side && has_edge(seed, v, 0, removed_pct)) q->col[q->m++] = v + 1;
    if (y + 1 < side && has_edge(seed, v, 1, removed_pct)) q->col[q->m++] = v + side;
  }
  q->row[q->n] = q->m;
  return 0;
}

/** An access of the lanes in id[0..k). */
static void emit(struct gen *g, int access, uint64_t base, const uint32_t *id, uint32_t k) {
  for (uint32_t l = 0; l < k; l++) g->op.addr[l] = base + id[l] * 4ull;
  gen_emit(g, access, 4, k);
}

/** Edge number `step` of each of the k vertices: those that have one; edge and vertex numbers. */
static uint32_t edges_at(const struct csr *q, const uint32_t *id, uint32_t k, uint32_t step,
                         uint32_t *edge, uint32_t *who) {
  uint32_t n = 0;
  for (uint32_t l = 0; l < k; l++) {
    uint32_t v = id[l];
    if (step >= q->row[v + 1] - q->row[v]) continue;
    edge[n] = q->row[v] + step;
    who[n++] = v;
  }
  return n;
}

/* ---------------------------------------- COLOR */
struct color {
  uint64_t row, col, value, color, max, stop;
  float *v, *best;
  int32_t *c;
};

/** color kernel, one warp: the greatest value among the neighbours without colour. Returns whether
 * stop was set. */
static bool color1(struct gen *g, const struct csr *q, struct color *d, uint32_t first,
                   uint32_t lanes) {
  uint32_t id[GEN_WARP], edge[GEN_WARP], who[GEN_WARP], to[GEN_WARP], next[GEN_WARP], k = 0, n;
  bool stop = false;

  gen_affine(g, GMMU_READ, 4, lanes, d->color + first * 4ull, 4);
  for (uint32_t l = 0; l < lanes; l++)
    if (d->c[first + l] < 0) id[k++] = first + l;
  if (!k) return false;
  emit(g, GMMU_READ, d->row, id, k);
  n = 0;
  for (uint32_t l = 0; l < k; l++) /* the last vertex takes m instead */
    if (id[l] + 1 < q->n) next[n++] = id[l] + 1;
  emit(g, GMMU_READ, d->row, next, n);
  for (uint32_t l = 0; l < k; l++) d->best[id[l]] = -1;
  for (uint32_t step = 0; (n = edges_at(q, id, k, step, edge, who)) > 0; step++) {
    uint32_t open = 0, more = 0, again[GEN_WARP], e2[GEN_WARP];
    for (uint32_t l = 0; l < n; l++) to[l] = q->col[edge[l]];
    emit(g, GMMU_READ, d->col, edge, n);
    emit(g, GMMU_READ, d->color, to, n);
    for (uint32_t l = 0; l < n; l++) {
      if (d->c[to[l]] >= 0 || q->row[who[l] + 1] - q->row[who[l]] == 1) continue;
      if (d->v[to[l]] > d->best[who[l]]) {
        d->best[who[l]] = d->v[to[l]];
        e2[more] = edge[l];
        again[more++] = to[l];
      }
      to[open++] = to[l];
    }
    if (!open) continue;
    stop = true;
    gen_affine(g, GMMU_WRITE, 4, open, d->stop, 0);
    emit(g, GMMU_READ, d->value, to, open);
    gen_gap(g, GEN_GAP_ALU);
    emit(g, GMMU_READ, d->col, e2, more);
    emit(g, GMMU_READ, d->value, again, more);
  }
  emit(g, GMMU_WRITE, d->max, id, k);
  return stop;
}

/** color2 kernel, one warp: who beats all neighbours takes the colour. */
static void color2(struct gen *g, struct color *d, uint32_t first, uint32_t lanes, int32_t round) {
  uint32_t id[GEN_WARP], win[GEN_WARP], k = 0, n = 0;

  gen_affine(g, GMMU_READ, 4, lanes, d->color + first * 4ull, 4);
  for (uint32_t l = 0; l < lanes; l++)
    if (d->c[first + l] < 0) id[k++] = first + l;
  emit(g, GMMU_READ, d->value, id, k);
  emit(g, GMMU_READ, d->max, id, k);
  for (uint32_t l = 0; l < k; l++)
    if (d->v[id[l]] >= d->best[id[l]]) win[n++] = id[l];
  emit(g, GMMU_WRITE, d->color, win, n);
  for (uint32_t l = 0; l < n; l++) d->c[win[l]] = round;
}

static void color_rounds(struct gen *g, const struct csr *q, struct color *d) {
  uint64_t warps = (q->n + 255) / 256 * COLOR_WARPS;
  bool stop = true;

  for (int32_t round = 0; stop && gen_ok(g); round++) {
    stop = false;
    gen_launch(g, "color", warps / COLOR_WARPS, COLOR_WARPS);
    for (uint64_t w = 0; w < warps && gen_ok(g); w++) {
      uint32_t lanes = gen_clip(w * GEN_WARP, GEN_WARP, q->n);
      gen_warp(g, w / COLOR_WARPS, (uint32_t)(w % COLOR_WARPS));
      if (lanes) stop |= color1(g, q, d, (uint32_t)(w * GEN_WARP), lanes);
    }
    gen_launch(g, "color2", warps / COLOR_WARPS, COLOR_WARPS);
    for (uint64_t w = 0; w < warps && gen_ok(g); w++) {
      uint32_t lanes = gen_clip(w * GEN_WARP, GEN_WARP, q->n);
      gen_warp(g, w / COLOR_WARPS, (uint32_t)(w % COLOR_WARPS));
      if (lanes) color2(g, d, (uint32_t)(w * GEN_WARP), lanes, round);
    }
  }
}

static int color(uint64_t side, uint64_t seed, const struct gmmu_trace_sink *s,
                 struct gmmu_err *err) {
  if (gen_check("COLOR", "side of the grid", side, 8, 8192, 1, err)) return -1;
  struct csr q;
  if (csr_grid(&q, (uint32_t)side, seed, 0, err)) return -1;
  struct gen g;
  struct gmmu_rng r = {seed};
  struct color d = {.v = malloc(q.n * sizeof *d.v),
                    .best = calloc(q.n, sizeof *d.best),
                    .c = malloc(q.n * sizeof *d.c)};
  int rc = -1;
  if (d.v && d.best && d.c) {
    gen_init(&g, s);
    d.row = gen_array(&g, "row", q.n * 4ull, false);
    d.col = gen_array(&g, "col", q.m * 4ull, false);
    d.value = gen_array(&g, "node_value", q.n * 4ull, false);
    d.color = gen_array(&g, "color", q.n * 4ull, true);
    d.max = gen_array(&g, "max_d", q.n * 4ull, true);
    d.stop = gen_array(&g, "stop", 4, true);
    for (uint32_t v = 0; v < q.n; v++) {
      d.v[v] = (float)gmmu_rng_below(&r, 1 << 24) / (1 << 24);
      d.c[v] = -1;
    }
    color_rounds(&g, &q, &d);
    rc = g.rc;
  } else {
    gmmu_fail(err, "COLOR: not enough memory for a grid of side %llu", (unsigned long long)side);
  }
  free(d.v);
  free(d.best);
  free(d.c);
  csr_free(&q);
  return rc;
}

/* ---------------------------------------- SSSP */
struct sssp {
  uint64_t row, col, data, x, y, stop;
  uint32_t *w, *vx, *vy;
};

/** spmv_min_plus, one warp. */
static void relax(struct gen *g, const struct csr *q, struct sssp *d, uint32_t first,
                  uint32_t lanes) {
  uint32_t id[GEN_WARP], edge[GEN_WARP], who[GEN_WARP], to[GEN_WARP], n;

  for (uint32_t l = 0; l < lanes; l++) id[l] = first + l;
  gen_affine(g, GMMU_READ, 4, lanes, d->row + first * 4ull, 4);
  gen_affine(g, GMMU_READ, 4, lanes, d->row + (first + 1) * 4ull, 4);
  gen_affine(g, GMMU_READ, 4, lanes, d->x + first * 4ull, 4);
  for (uint32_t l = 0; l < lanes; l++) d->vy[id[l]] = d->vx[id[l]];
  for (uint32_t step = 0; (n = edges_at(q, id, lanes, step, edge, who)) > 0; step++) {
    uint32_t shorter = 0, e2[GEN_WARP], t2[GEN_WARP];
    for (uint32_t l = 0; l < n; l++) to[l] = q->col[edge[l]];
    emit(g, GMMU_READ, d->data, edge, n);
    emit(g, GMMU_READ, d->col, edge, n);
    emit(g, GMMU_READ, d->x, to, n);
    gen_gap(g, GEN_GAP_ALU);
    for (uint32_t l = 0; l < n; l++) {
      uint32_t via = d->w[edge[l]] + d->vx[to[l]];
      if (via >= d->vy[who[l]]) continue;
      d->vy[who[l]] = via;
      e2[shorter] = edge[l];
      t2[shorter++] = to[l];
    }
    emit(g, GMMU_READ, d->data, e2, shorter);
    emit(g, GMMU_READ, d->col, e2, shorter);
    emit(g, GMMU_READ, d->x, t2, shorter);
  }
  gen_affine(g, GMMU_WRITE, 4, lanes, d->y + first * 4ull, 4);
}

enum sssp_kernel { SSSP_INIT, SSSP_ASSIGN, SSSP_SPMV, SSSP_DIFF };

/** One launch; returns whether the vectors differed (SSSP_DIFF). */
static bool sssp_launch(struct gen *g, const struct csr *q, struct sssp *d,
                        enum sssp_kernel kernel) {
  static const char *const name[] = {"vector_init", "vector_assign", "spmv_min_plus",
                                     "vector_diff"};
  uint64_t warps = (q->n + 63ull) / 64 * SSSP_WARPS;
  bool differ = false;

  gen_launch(g, name[kernel], warps / SSSP_WARPS, SSSP_WARPS);
  for (uint64_t w = 0; w < warps && gen_ok(g); w++) {
    uint32_t lanes = gen_clip(w * GEN_WARP, GEN_WARP, q->n), first = (uint32_t)(w * GEN_WARP),
             k = 0;
    uint64_t at = first * 4ull;
    gen_warp(g, w / SSSP_WARPS, (uint32_t)(w % SSSP_WARPS));
    if (!lanes) continue;
    switch (kernel) {
      case SSSP_SPMV: relax(g, q, d, first, lanes); break;
      case SSSP_DIFF:
        gen_affine(g, GMMU_READ, 4, lanes, d->y + at, 4);
        gen_affine(g, GMMU_READ, 4, lanes, d->x + at, 4);
        for (uint32_t l = 0; l < lanes; l++) k += d->vx[first + l] != d->vy[first + l];
        gen_affine(g, GMMU_WRITE, 1, k, d->stop, 0);
        differ |= k != 0;
        break;
      default:
        if (kernel == SSSP_ASSIGN) gen_affine(g, GMMU_READ, 4, lanes, d->y + at, 4);
        gen_affine(g, GMMU_WRITE, 4, lanes, d->x + at, 4);
        if (kernel == SSSP_INIT) gen_affine(g, GMMU_WRITE, 4, lanes, d->y + at, 4);
        for (uint32_t l = 0; l < lanes; l++) d->vx[first + l] = d->vy[first + l];
    }
  }
  return differ;
}

static int sssp(uint64_t side, uint64_t seed, const struct gmmu_trace_sink *s,
                struct gmmu_err *err) {
  if (gen_check("SSSP", "side of the grid", side, 8, 8192, 1, err)) return -1;
  struct csr q;
  if (csr_grid(&q, (uint32_t)side, seed, 30, err)) return -1;
  struct gen g;
  struct gmmu_rng r = {seed};
  struct sssp d = {.w = malloc((q.m + 1u) * sizeof *d.w),
                   .vx = malloc(q.n * sizeof *d.vx),
                   .vy = malloc(q.n * sizeof *d.vy)};
  int rc = -1;
  if (d.w && d.vx && d.vy) {
    gen_init(&g, s);
    d.row = gen_array(&g, "row", (q.n + 1ull) * 4, false);
    d.col = gen_array(&g, "col", q.m * 4ull, false);
    d.data = gen_array(&g, "data", q.m * 4ull, false);
    d.x = gen_array(&g, "vector1", q.n * 4ull, true);
    d.y = gen_array(&g, "vector2", q.n * 4ull, true);
    d.stop = gen_array(&g, "stop", 1, true);
    for (uint32_t e = 0; e < q.m; e++) d.w[e] = 1 + (uint32_t)gmmu_rng_below(&r, 1000);
    for (uint32_t v = 0; v < q.n; v++) d.vy[v] = v ? FAR : 0;
    sssp_launch(&g, &q, &d, SSSP_INIT);
    for (uint32_t i = 0, more = 1; i < SSSP_ITERATIONS && more && gen_ok(&g); i++) {
      sssp_launch(&g, &q, &d, SSSP_ASSIGN);
      sssp_launch(&g, &q, &d, SSSP_SPMV);
      more = sssp_launch(&g, &q, &d, SSSP_DIFF);
    }
    rc = g.rc;
  } else {
    gmmu_fail(err, "SSSP: not enough memory for a grid of side %llu", (unsigned long long)side);
  }
  free(d.w);
  free(d.vx);
  free(d.vy);
  csr_free(&q);
  return rc;
}

const struct gmmu_workload gen_color = {
    "COLOR", "Pannotia: graph colouring (max), 4-neighbour grid", 64, 1024, "side of the grid",
    color};
const struct gmmu_workload gen_sssp = {
    "SSSP",
    "Pannotia: shortest paths, grid with 30 % of the edges removed, 8 iterations",
    64,
    1100,
    "side of the grid",
    sssp};
