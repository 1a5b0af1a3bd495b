/* SPDX-License-Identifier: Apache-2.0 */
/* Three-dimensional stencils: LPS (laplace3d) and 3DS (threeDS). */
#include "gen.h"

/* ---------------------------------------- LPS */
struct lps {
  int64_t n, pitch, x0, y0; /* pitch in words; first cell of the block */
  uint64_t u1, u2;
};

static uint64_t lps_at(const struct lps *k, uint64_t base, int64_t x, int64_t y, int64_t z) {
  return base + (uint64_t)((z * k->n + y) * k->pitch + x) * 4;
}

/** The warp's own row of the block in plane z. */
static void lps_own(struct gen *g, const struct lps *k, int access, uint64_t base, uint32_t w,
                    int64_t z) {
  int64_t y = k->y0 + w;
  uint32_t lanes = gen_clip((uint64_t)k->x0, GEN_WARP, (uint64_t)k->n);
  if (y < k->n) gen_affine(g, access, 4, lanes, lps_at(k, base, k->x0, y, z), 4);
}

/** Warps 0 and 1 read the rows above and below the block, 12 lanes of warp 2 the columns beside it.
 */
static void lps_halo(struct gen *g, const struct lps *k, uint32_t w, int64_t z) {
  uint32_t lanes = 0;
  if (w < 2) {
    int64_t y = w == 0 ? k->y0 - 1 : k->y0 + 4;
    if (y >= 0 && y < k->n)
      gen_affine(g, GMMU_READ, 4, gen_clip((uint64_t)k->x0, GEN_WARP, (uint64_t)k->n),
                 lps_at(k, k->u1, k->x0, y, z), 4);
    return;
  }
  if (w != 2) return;
  for (int64_t c = 0; c < 2; c++)
    for (int64_t r = -1; r < 5; r++) {
      int64_t x = c ? k->x0 + 32 : k->x0 - 1, y = k->y0 + r;
      if (x >= 0 && x < k->n && y >= 0 && y < k->n) g->op.addr[lanes++] = lps_at(k, k->u1, x, y, z);
    }
  gen_emit(g, GMMU_READ, 4, lanes);
}

static int lps(uint64_t n, uint64_t seed, const struct gmmu_trace_sink *s, struct gmmu_err *err) {
  (void)seed;
  if (gen_check("LPS", "side", n, 32, 2048, 1, err)) return -1;
  struct gen g;
  struct lps k = {.n = (int64_t)n, .pitch = (int64_t)((n + 127) / 128 * 128)};
  uint64_t bytes = n * n * (uint64_t)k.pitch * 4, gx = (n + 31) / 32, gy = (n + 3) / 4;
  gen_init(&g, s);
  k.u1 = gen_array(&g, "u1", bytes, false);
  k.u2 = gen_array(&g, "u2", bytes, true);
  gen_launch(&g, "laplace3d_kernel", gx * gy, 4);
  for (uint64_t b = 0; b < gx * gy && gen_ok(&g); b++)
    for (uint32_t w = 0; w < 4; w++) {
      k.x0 = (int64_t)(b % gx * 32);
      k.y0 = (int64_t)(b / gx * 4);
      gen_warp(&g, b, w);
      lps_own(&g, &k, GMMU_READ, k.u1, w, 0);
      lps_halo(&g, &k, w, 0);
      for (int64_t z = 0; z < k.n && gen_ok(&g); z++) {
        if (z + 1 < k.n) {
          lps_own(&g, &k, GMMU_READ, k.u1, w, z + 1);
          lps_halo(&g, &k, w, z + 1);
        }
        gen_gap(&g, GEN_GAP_FMA);
        lps_own(&g, &k, GMMU_WRITE, k.u2, w, z);
      }
    }
  return g.rc;
}

/* ---------------------------------------- 3DS */
static int threeds(uint64_t x, uint64_t seed, const struct gmmu_trace_sink *s,
                   struct gmmu_err *err) {
  (void)seed;
  if (gen_check("3DS", "columns", x, 64, 4096, 32, err)) return -1;
  struct gen g;
  uint64_t y = x / 2, z = x / 4 < 32 ? 32 : x / 4, plane = x * y * 4, gx = x / 32, gy = y / 8;
  gen_init(&g, s);
  uint64_t in = gen_array(&g, "in", plane * z, false), out = gen_array(&g, "out", plane * z, true);
  uint64_t coeff = gen_array(&g, "coefficients", 20, false);
  gen_launch(&g, "stencil_3d_kernel", gx * gy, 8);
  for (uint64_t b = 0; b < gx * gy && gen_ok(&g); b++)
    for (uint32_t w = 0; w < 8; w++) {
      uint64_t own = ((b / gx * 8 + w) * x + b % gx * 32) * 4;
      gen_warp(&g, b, w);
      for (uint64_t p = 0; p < 8; p++) gen_ld(&g, in + own + p * plane);
      for (uint64_t t = 0; t + 16 < z && gen_ok(&g); t++) {
        uint64_t at =
            own +
            (4 + t) * plane; /* in plane 4 and above the rows and columns beside it are in bounds */
        gen_ld(&g, in + own + (8 + t) * plane);
        gen_ld(&g, in + at - 32 * x);
        gen_ld(&g, in + at + 32 * x);
        gen_affine(&g, GMMU_READ, 4, 8, in + at - 32, 4);
        gen_affine(&g, GMMU_READ, 4, 8, in + at + 128, 4);
        for (uint64_t c = 0; c < 5; c++) gen_ld_bcast(&g, coeff + c * 4);
        gen_gap(&g, GEN_GAP_LONG);
        gen_st(&g, out + at);
      }
    }
  return g.rc;
}

const struct gmmu_workload gen_lps = {
    "LPS", "laplace3d: one Jacobi step on a cube", 64, 256, "side of the cube", lps};
const struct gmmu_workload gen_3ds = {"3DS",
                                      "threeDS: 3-D stencil of 25 points",
                                      64,
                                      512,
                                      "columns; half as many rows, a quarter as many planes",
                                      threeds};
