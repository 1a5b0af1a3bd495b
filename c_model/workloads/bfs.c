/* SPDX-License-Identifier: Apache-2.0 */
/* BFS (Rodinia): level-synchronous breadth-first search of a uniform random directed graph, m = 6n.
 * The search is really run, so that the active lanes of every level are right. */
#include "gen.h"

#include <stdlib.h>
#include <string.h>

#define DEGREE 6u
#define BLOCK 512u
#define WARPS (BLOCK / GEN_WARP)

struct graph {
  uint32_t n;
  uint32_t *start; /**< n + 1 */
  uint32_t *dst;
  uint8_t *mask, *upd, *visited;
};
/** Device addresses. */
struct bfs {
  uint64_t node, edges, mask, upd, visited, cost, over;
};

static void graph_free(struct graph *q) {
  free(q->start);
  free(q->dst);
  free(q->mask);
  free(q->upd);
  free(q->visited);
}

static int graph_make(struct graph *q, uint32_t n, uint64_t seed, struct gmmu_err *err) {
  uint64_t m = (uint64_t)n * DEGREE;
  *q = (struct graph){.n = n};
  q->start = calloc((size_t)n + 1, sizeof *q->start);
  q->dst = malloc(m * sizeof *q->dst);
  q->mask = calloc(n, 1);
  q->upd = calloc(n, 1);
  q->visited = calloc(n, 1);
  if (!q->start || !q->dst || !q->mask || !q->upd || !q->visited) {
    graph_free(q);
    return gmmu_fail(err, "BFS: not enough memory for a graph of %u vertices", n);
  }
  /* The sources are drawn twice from the same seed (count, then place) instead of stored. */
  struct gmmu_rng r = {seed}, d = {seed ^ 0x5bd1e995c0ffee11ull};
  for (uint64_t e = 0; e < m; e++) q->start[gmmu_rng_below(&r, n) + 1]++;
  for (uint32_t v = 0; v < n; v++) q->start[v + 1] += q->start[v];
  gmmu_rng_seed(&r, seed);
  for (uint64_t e = 0; e < m; e++)
    q->dst[q->start[gmmu_rng_below(&r, n)]++] = (uint32_t)gmmu_rng_below(&d, n);
  /* Placing moved every start to its end: shift back. */
  memmove(q->start + 1, q->start, n * sizeof *q->start);
  q->start[0] = 0;
  return 0;
}

/** Lanes of a warp for which `set` is true; returns their number. */
static uint32_t active(const uint8_t *set, uint32_t first, uint32_t lanes, uint32_t id[GEN_WARP]) {
  uint32_t k = 0;
  for (uint32_t l = 0; l < lanes; l++)
    if (set[first + l]) id[k++] = first + l;
  return k;
}

static void emit_ids(struct gen *g, int access, uint32_t bytes, uint64_t base, uint64_t stride,
                     const uint32_t *id, uint32_t k) {
  for (uint32_t l = 0; l < k; l++) g->op.addr[l] = base + id[l] * stride;
  gen_emit(g, access, bytes, k);
}

/** Kernel 1, one warp: the frontier's vertices visit their neighbours. */
static void expand(struct gen *g, const struct bfs *b, struct graph *q, uint32_t first,
                   uint32_t lanes) {
  uint32_t id[GEN_WARP], k = active(q->mask, first, lanes, id);
  gen_affine(g, GMMU_READ, 1, lanes, b->mask + first, 1);
  if (!k) return;
  emit_ids(g, GMMU_WRITE, 1, b->mask, 1, id, k);
  emit_ids(g, GMMU_READ, 4, b->node, 8, id, k);
  emit_ids(g, GMMU_READ, 4, b->node + 4, 8, id, k);
  for (uint32_t l = 0; l < k; l++) q->mask[id[l]] = 0;
  for (uint32_t step = 0;; step++) {
    uint32_t e[GEN_WARP], to[GEN_WARP], me[GEN_WARP], fresh[GEN_WARP], ke = 0, kf = 0;
    for (uint32_t l = 0; l < k; l++) {
      uint32_t v = id[l];
      if (step >= q->start[v + 1] - q->start[v]) continue;
      e[ke] = q->start[v] + step;
      to[ke] = q->dst[e[ke]];
      if (!q->visited[to[ke]]) {
        me[kf] = v;
        fresh[kf++] = to[ke];
        q->upd[to[ke]] = 1;
      }
      ke++;
    }
    if (!ke) return;
    emit_ids(g, GMMU_READ, 4, b->edges, 4, e, ke);
    emit_ids(g, GMMU_READ, 1, b->visited, 1, to, ke);
    gen_gap(g, GEN_GAP_ALU);
    emit_ids(g, GMMU_READ, 4, b->cost, 4, me, kf);
    emit_ids(g, GMMU_WRITE, 4, b->cost, 4, fresh, kf);
    emit_ids(g, GMMU_WRITE, 1, b->upd, 1, fresh, kf);
  }
}

/** Kernel 2, one warp: the new vertices become the frontier. Returns whether there was any. */
static bool advance(struct gen *g, const struct bfs *b, struct graph *q, uint32_t first,
                    uint32_t lanes) {
  uint32_t id[GEN_WARP], k = active(q->upd, first, lanes, id);
  gen_affine(g, GMMU_READ, 1, lanes, b->upd + first, 1);
  emit_ids(g, GMMU_WRITE, 1, b->mask, 1, id, k);
  emit_ids(g, GMMU_WRITE, 1, b->visited, 1, id, k);
  gen_affine(g, GMMU_WRITE, 1, k, b->over, 0);
  emit_ids(g, GMMU_WRITE, 1, b->upd, 1, id, k);
  for (uint32_t l = 0; l < k; l++) {
    q->mask[id[l]] = q->visited[id[l]] = 1;
    q->upd[id[l]] = 0;
  }
  return k != 0;
}

static int bfs(uint64_t n, uint64_t seed, const struct gmmu_trace_sink *s, struct gmmu_err *err) {
  if (gen_check("BFS", "number of vertices", n, GEN_WARP, 1u << 28, 1, err)) return -1;
  struct graph q;
  if (graph_make(&q, (uint32_t)n, seed, err)) return -1;
  struct gen g;
  gen_init(&g, s);
  struct bfs b;
  b.node = gen_array(&g, "nodes", n * 8, false);
  b.edges = gen_array(&g, "edges", n * DEGREE * 4, false);
  b.mask = gen_array(&g, "mask", n, true);
  b.upd = gen_array(&g, "updating_mask", n, true);
  b.visited = gen_array(&g, "visited", n, true);
  b.cost = gen_array(&g, "cost", n * 4, true);
  b.over = gen_array(&g, "over", 1, true);

  /* Vertex 0 is the source; the next one that has edges if it has none, as the trace would be
   * empty. */
  uint32_t src = 0;
  while (q.start[src + 1] == q.start[src]) src++;
  q.mask[src] = q.visited[src] = 1;

  uint64_t blocks = (n + BLOCK - 1) / BLOCK;
  for (bool more = true; more && gen_ok(&g);) {
    gen_launch(&g, "bfs_kernel1", blocks, WARPS);
    for (uint64_t w = 0; w < blocks * WARPS && gen_ok(&g); w++) {
      gen_warp(&g, w / WARPS, (uint32_t)(w % WARPS));
      uint32_t lanes = gen_clip(w * GEN_WARP, GEN_WARP, n);
      if (lanes) expand(&g, &b, &q, (uint32_t)(w * GEN_WARP), lanes);
    }
    more = false;
    gen_launch(&g, "bfs_kernel2", blocks, WARPS);
    for (uint64_t w = 0; w < blocks * WARPS && gen_ok(&g); w++) {
      gen_warp(&g, w / WARPS, (uint32_t)(w % WARPS));
      uint32_t lanes = gen_clip(w * GEN_WARP, GEN_WARP, n);
      if (lanes && advance(&g, &b, &q, (uint32_t)(w * GEN_WARP), lanes)) more = true;
    }
  }
  graph_free(&q);
  return g.rc;
}

const struct gmmu_workload gen_bfs = {
    "BFS",      "Rodinia: breadth-first search, uniform random graph, 6 edges per vertex",
    4096,       1u << 21,
    "vertices", bfs};
