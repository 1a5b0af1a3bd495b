/* SPDX-License-Identifier: Apache-2.0 */
/* Matrix-vector kernels of PolyBench-ACC: ATAX, BICG, MVT, GESUMMV. One thread per row or per
 * column; the accumulator stays in a register but is stored in every iteration, as the compiler
 * does without `restrict`. */
#include "gen.h"

/** One kernel: accumulate m[][] times v[] into acc[], a warp per 32 accumulators. */
struct sweep {
  const char *name;
  uint64_t n, m, v, acc;
  uint32_t warps_per_block;
  bool by_rows;      /**< a thread per row: lane stride is a row, 32 pages at n >= 1024 */
  bool store_first;  /**< acc starts at 0 and is stored; else it is loaded */
  bool vector_first; /**< v[k] is loaded before m */
};

static void sweep_run(struct gen *g, const struct sweep *k) {
  uint64_t row = k->n * 4;
  gen_launch(g, k->name, k->n / GEN_WARP / k->warps_per_block, k->warps_per_block);
  for (uint64_t w = 0; w < k->n / GEN_WARP && gen_ok(g); w++) {
    uint64_t first = w * GEN_WARP, acc = k->acc + first * 4;
    gen_warp(g, w / k->warps_per_block, (uint32_t)(w % k->warps_per_block));
    if (k->store_first) gen_st(g, acc);
    else gen_ld(g, acc);
    for (uint64_t j = 0; j < k->n; j++) {
      if (k->vector_first) gen_ld_bcast(g, k->v + j * 4);
      if (k->by_rows) gen_affine(g, GMMU_READ, 4, GEN_WARP, k->m + first * row + j * 4, row);
      else gen_ld(g, k->m + j * row + first * 4);
      if (!k->vector_first) gen_ld_bcast(g, k->v + j * 4);
      gen_gap(g, GEN_GAP_FMA);
      gen_st(g, acc);
    }
  }
}

/* OpenCL shape: work-groups of 32, so no warp repeats another's work (the CUDA version's block
 * (32,8) does). */
static int atax(uint64_t n, uint64_t seed, const struct gmmu_trace_sink *s, struct gmmu_err *err) {
  (void)seed;
  if (gen_check("ATAX", "N", n, 32, GEN_MAX_DIM, 32, err)) return -1;
  struct gen g;
  gen_init(&g, s);
  uint64_t a = gen_array(&g, "A", n * n * 4, false), x = gen_array(&g, "x", n * 4, false);
  uint64_t y = gen_array(&g, "y", n * 4, true), tmp = gen_array(&g, "tmp", n * 4, true);
  sweep_run(&g, &(struct sweep){.name = "atax_kernel1",
                                .n = n,
                                .m = a,
                                .v = x,
                                .acc = tmp,
                                .warps_per_block = 1,
                                .by_rows = true});
  sweep_run(&g,
            &(struct sweep){
                .name = "atax_kernel2", .n = n, .m = a, .v = tmp, .acc = y, .warps_per_block = 1});
  return g.rc;
}

static int bicg(uint64_t n, uint64_t seed, const struct gmmu_trace_sink *s, struct gmmu_err *err) {
  (void)seed;
  if (gen_check("BICG", "N", n, 256, GEN_MAX_DIM, 256, err)) return -1;
  struct gen g;
  gen_init(&g, s);
  uint64_t a = gen_array(&g, "A", n * n * 4, false), r = gen_array(&g, "r", n * 4, false);
  uint64_t sv = gen_array(&g, "s", n * 4, true), p = gen_array(&g, "p", n * 4, false);
  uint64_t q = gen_array(&g, "q", n * 4, true);
  sweep_run(&g, &(struct sweep){.name = "bicg_kernel1",
                                .n = n,
                                .m = a,
                                .v = r,
                                .acc = sv,
                                .warps_per_block = 8,
                                .store_first = true,
                                .vector_first = true});
  sweep_run(&g, &(struct sweep){.name = "bicg_kernel2",
                                .n = n,
                                .m = a,
                                .v = p,
                                .acc = q,
                                .warps_per_block = 8,
                                .by_rows = true,
                                .store_first = true});
  return g.rc;
}

static int mvt(uint64_t n, uint64_t seed, const struct gmmu_trace_sink *s, struct gmmu_err *err) {
  (void)seed;
  if (gen_check("MVT", "N", n, 32, GEN_MAX_DIM, 32, err)) return -1;
  struct gen g;
  gen_init(&g, s);
  uint64_t a = gen_array(&g, "a", n * n * 4, false);
  uint64_t x1 = gen_array(&g, "x1", n * 4, true), x2 = gen_array(&g, "x2", n * 4, true);
  uint64_t y1 = gen_array(&g, "y1", n * 4, false), y2 = gen_array(&g, "y2", n * 4, false);
  sweep_run(&g, &(struct sweep){.name = "mvt_kernel1",
                                .n = n,
                                .m = a,
                                .v = y1,
                                .acc = x1,
                                .warps_per_block = 1,
                                .by_rows = true});
  sweep_run(&g,
            &(struct sweep){
                .name = "mvt_kernel2", .n = n, .m = a, .v = y2, .acc = x2, .warps_per_block = 1});
  return g.rc;
}

static int gmv(uint64_t n, uint64_t seed, const struct gmmu_trace_sink *s, struct gmmu_err *err) {
  (void)seed;
  if (gen_check("GMV", "N", n, 256, GEN_MAX_DIM, 256, err)) return -1;
  struct gen g;
  gen_init(&g, s);
  uint64_t row = n * 4;
  uint64_t a = gen_array(&g, "A", n * row, false), b = gen_array(&g, "B", n * row, false);
  uint64_t x = gen_array(&g, "x", row, false), y = gen_array(&g, "y", row, true);
  uint64_t tmp = gen_array(&g, "tmp", row, true);
  gen_launch(&g, "gesummv_kernel", n / 256, 8);
  for (uint64_t w = 0; w < n / GEN_WARP && gen_ok(&g); w++) {
    uint64_t first = w * GEN_WARP, mine = first * 4;
    gen_warp(&g, w / 8, (uint32_t)(w % 8));
    for (uint64_t j = 0; j < n; j++) {
      /* tmp and y may alias each other's stores, so both accumulators are loaded again. */
      gen_affine(&g, GMMU_READ, 4, GEN_WARP, a + first * row + j * 4, row);
      gen_ld_bcast(&g, x + j * 4);
      gen_ld(&g, tmp + mine);
      gen_gap(&g, GEN_GAP_FMA);
      gen_st(&g, tmp + mine);
      gen_affine(&g, GMMU_READ, 4, GEN_WARP, b + first * row + j * 4, row);
      gen_ld_bcast(&g, x + j * 4);
      gen_ld(&g, y + mine);
      gen_gap(&g, GEN_GAP_FMA);
      gen_st(&g, y + mine);
    }
    gen_ld(&g, y + mine);
    gen_ld(&g, tmp + mine);
    gen_st(&g, y + mine);
  }
  return g.rc;
}

const struct gmmu_workload gen_atax = {"ATAX", "PolyBench: y = A^T (A x)", 256,
                                       4096,   "rows and columns of A",    atax};
const struct gmmu_workload gen_bicg = {"BICG", "PolyBench: s = A^T r, q = A p", 256,
                                       4096,   "rows and columns of A",         bicg};
const struct gmmu_workload gen_mvt = {
    "MVT", "PolyBench: x1 += a y1, x2 += a^T y2", 256, 4096, "rows and columns of a", mvt};
const struct gmmu_workload gen_gmv = {
    "GMV", "PolyBench GESUMMV: y = alpha A x + beta B x", 256, 4096, "rows and columns of A and B",
    gmv};
