/* SPDX-License-Identifier: Apache-2.0 */
/* Two-dimensional stencils: 2DCONV (PolyBench-ACC) and HS (Rodinia hotspot). */
#include "gen.h"

/* Block (32,8): a warp is 32 columns of one row. Border cells are not computed: inactive lanes. */
static int conv2d(uint64_t n, uint64_t seed, const struct gmmu_trace_sink *s,
                  struct gmmu_err *err) {
  (void)seed;
  if (gen_check("2DCONV", "N", n, 32, GEN_MAX_DIM, 32, err)) return -1;
  struct gen g;
  gen_init(&g, s);
  uint64_t row = n * 4;
  uint64_t a = gen_array(&g, "A", n * row, false), b = gen_array(&g, "B", n * row, true);
  uint64_t gx = n / 32, gy = n / 8;
  gen_launch(&g, "convolution2d_kernel", gx * gy, 8);
  for (uint64_t blk = 0; blk < gx * gy && gen_ok(&g); blk++)
    for (uint32_t w = 0; w < 8; w++) {
      uint64_t i = blk / gx * 8 + w, j0 = blk % gx * 32, j1 = j0 + 32;
      gen_warp(&g, blk, w);
      if (i == 0 || i == n - 1) continue;
      if (j0 == 0) j0 = 1;
      if (j1 == n) j1 = n - 1;
      uint32_t lanes = (uint32_t)(j1 - j0);
      uint64_t at = i * row + j0 * 4;
      for (uint32_t k = 0; k < 9; k++) /* rows i-1, i, i+1; in each, columns j-1, j, j+1 */
        gen_affine(&g, GMMU_READ, 4, lanes, a + at + k / 3 * row - row + k % 3 * 4 - 4, 4);
      gen_gap(&g, GEN_GAP_LONG);
      gen_affine(&g, GMMU_WRITE, 4, lanes, b + at, 4);
    }
  return g.rc;
}

#define HS_BLOCK 16
#define HS_PYRAMID 2 /* iterations per launch = halo width */
#define HS_ITERATIONS 3

/** Addresses of base's cells in columns x0 <= x < x1 and rows y0 <= y < y1, cut to the grid. */
static uint32_t cells(struct gen *g, uint64_t base, int64_t n, int64_t x0, int64_t x1, int64_t y0,
                      int64_t y1) {
  uint32_t k = 0;
  for (int64_t y = y0 < 0 ? 0 : y0; y < y1 && y < n; y++)
    for (int64_t x = x0 < 0 ? 0 : x0; x < x1 && x < n; x++)
      g->op.addr[k++] = base + (uint64_t)(y * n + x) * 4;
  return k;
}

/* Block (16,16): a warp is two rows of 16. Blocks overlap by the halo. */
static int hotspot(uint64_t size, uint64_t seed, const struct gmmu_trace_sink *s,
                   struct gmmu_err *err) {
  (void)seed;
  if (gen_check("HS", "N", size, HS_BLOCK, GEN_MAX_DIM, 1, err)) return -1;
  struct gen g;
  gen_init(&g, s);
  const int64_t n = (int64_t)size, p = HS_PYRAMID, step = HS_BLOCK - 2 * p,
                side = (n + step - 1) / step;
  uint64_t temp[2];
  temp[0] = gen_array(&g, "temp0", size * size * 4, true);
  temp[1] = gen_array(&g, "temp1", size * size * 4, true);
  uint64_t power = gen_array(&g, "power", size * size * 4, false);
  for (int t = 0; t * HS_PYRAMID < HS_ITERATIONS && gen_ok(&g); t++) {
    gen_launch(&g, "hotspot_kernel", (uint64_t)(side * side), HS_BLOCK / 2);
    for (int64_t blk = 0; blk < side * side && gen_ok(&g); blk++)
      for (uint32_t w = 0; w < HS_BLOCK / 2; w++) {
        int64_t x = blk % side * step - p, ty = 2 * w, y = blk / side * step - p + ty;
        gen_warp(&g, (uint64_t)blk, w);
        gen_emit(&g, GMMU_READ, 4, cells(&g, temp[t & 1], n, x, x + HS_BLOCK, y, y + 2));
        gen_emit(&g, GMMU_READ, 4, cells(&g, power, n, x, x + HS_BLOCK, y, y + 2));
        gen_gap(&g, GEN_GAP_LONG);
        /* p is even, so a warp's two rows are both inside the halo or both not */
        if (ty >= p && ty < HS_BLOCK - p)
          gen_emit(&g, GMMU_WRITE, 4,
                   cells(&g, temp[~t & 1], n, x + p, x + HS_BLOCK - p, y, y + 2));
      }
  }
  return g.rc;
}

const struct gmmu_workload gen_2dconv = {"2DCONV", "PolyBench: 3x3 convolution",    256,
                                         4096,     "rows and columns of the image", conv2d};
const struct gmmu_workload gen_hs = {"HS", "Rodinia: hotspot thermal simulation", 128,
                                     2048, "rows and columns of the grid",        hotspot};
