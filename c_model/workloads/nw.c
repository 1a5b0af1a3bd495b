/* SPDX-License-Identifier: Apache-2.0 */
/* NW (Rodinia): Needleman-Wunsch in 16x16 tiles along anti-diagonals; blocks of 16 threads, half a
 * warp. */
#include "gen.h"

#define TILE 16u

struct nw {
  uint64_t ref, mat, pitch; /**< pitch in bytes: (n + 1) words, so rows are never aligned */
};

static void load_ref(struct gen *g, const struct nw *k, uint64_t off) {
  for (uint32_t ty = 0; ty < TILE; ty++)
    gen_affine(g, GMMU_READ, 4, TILE, k->ref + off + k->pitch * (ty + 1) + 4, 4);
}

static void tile(struct gen *g, const struct nw *k, uint64_t bx, uint64_t by, bool ref_first) {
  uint64_t off = TILE * (k->pitch * by + 4 * bx); /* north-west corner of the tile's border */
  if (ref_first) load_ref(g, k, off);
  gen_affine(g, GMMU_READ, 4, 1, k->mat + off, 0);
  if (!ref_first) load_ref(g, k, off);
  gen_affine(g, GMMU_READ, 4, TILE, k->mat + off + k->pitch, k->pitch); /* west column */
  gen_affine(g, GMMU_READ, 4, TILE, k->mat + off + 4, 4);               /* north row */
  gen_gap(g, GEN_GAP_LONG);
  for (uint32_t ty = 0; ty < TILE; ty++)
    gen_affine(g, GMMU_WRITE, 4, TILE, k->mat + off + k->pitch * (ty + 1) + 4, 4);
}

static int nw(uint64_t n, uint64_t seed, const struct gmmu_trace_sink *s, struct gmmu_err *err) {
  (void)seed;
  if (gen_check("NW", "sequence length", n, TILE, GEN_MAX_DIM - TILE, TILE, err)) return -1;
  struct gen g;
  gen_init(&g, s);
  struct nw k = {.pitch = (n + 1) * 4};
  k.ref = gen_array(&g, "reference", k.pitch * (n + 1), false);
  k.mat = gen_array(&g, "matrix", k.pitch * (n + 1), true);
  uint64_t w = n / TILE;
  for (uint64_t d = 1; d <= w && gen_ok(&g); d++) { /* upper-left triangle */
    gen_launch(&g, "needle_kernel1", d, 1);
    for (uint64_t b = 0; b < d; b++) {
      gen_warp(&g, b, 0);
      tile(&g, &k, b, d - 1 - b, false);
    }
  }
  for (uint64_t d = w - 1; d >= 1 && gen_ok(&g); d--) { /* lower-right triangle */
    gen_launch(&g, "needle_kernel2", d, 1);
    for (uint64_t b = 0; b < d; b++) {
      gen_warp(&g, b, 0);
      tile(&g, &k, b + w - d, w - b - 1, true);
    }
  }
  return g.rc;
}

const struct gmmu_workload gen_nw = {
    "NW", "Rodinia: Needleman-Wunsch sequence alignment", 256, 2048, "sequence length", nw};
