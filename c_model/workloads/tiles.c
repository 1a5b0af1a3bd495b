/* SPDX-License-Identifier: Apache-2.0 */
/* LUD and SRAD (version 2) of Rodinia: kernels on 16x16 tiles, a warp is two rows of 16. */
#include "gen.h"

#define TILE 16u
#define LUD_PANELS 16u /* of n/16: a full run at n = 2048 is 22 million accesses */
#define SRAD_ITERATIONS 2u

/** A row of 16 words. */
static void half(struct gen *g, int access, uint64_t va) { gen_affine(g, access, 4, TILE, va, 4); }

/** Two rows of 16 words, `pitch` bytes apart. */
static void two_rows(struct gen *g, int access, uint64_t va, uint64_t pitch) {
  for (uint32_t l = 0; l < GEN_WARP; l++) g->op.addr[l] = va + l / TILE * pitch + l % TILE * 4;
  gen_emit(g, access, 4, GEN_WARP);
}

/* ---------------------------------------- LUD */
struct lud {
  uint64_t n, m, o; /* o: first row and column of the panel */
};

static uint64_t at(const struct lud *k, uint64_t row, uint64_t col) {
  return k->m + ((k->o + row) * k->n + k->o + col) * 4;
}

static void diagonal(struct gen *g, const struct lud *k) {
  gen_launch(g, "lud_diagonal", 1, 1);
  gen_warp(g, 0, 0);
  for (uint64_t r = 0; r < TILE; r++) half(g, GMMU_READ, at(k, r, 0));
  gen_gap(g, GEN_GAP_LONG);
  for (uint64_t r = 1; r < TILE; r++) half(g, GMMU_WRITE, at(k, r, 0));
}

/** One warp per tile to the right and below: its halves diverge, 16 lanes each. */
static void perimeter(struct gen *g, const struct lud *k, uint64_t tiles) {
  gen_launch(g, "lud_perimeter", tiles, 1);
  for (uint64_t b = 0; b < tiles && gen_ok(g); b++) {
    uint64_t off = TILE * (b + 1);
    gen_warp(g, b, 0);
    for (uint64_t r = 0; r < 8; r++) half(g, GMMU_READ, at(k, r, 0));
    for (uint64_t r = 0; r < TILE; r++) half(g, GMMU_READ, at(k, r, off));
    for (uint64_t r = 8; r < TILE; r++) half(g, GMMU_READ, at(k, r, 0));
    for (uint64_t r = 0; r < TILE; r++) half(g, GMMU_READ, at(k, off + r, 0));
    gen_gap(g, GEN_GAP_LONG);
    for (uint64_t r = 1; r < TILE; r++) half(g, GMMU_WRITE, at(k, r, off));
    for (uint64_t r = 0; r < TILE; r++) half(g, GMMU_WRITE, at(k, off + r, 0));
  }
}

static void internal(struct gen *g, const struct lud *k, uint64_t tiles) {
  gen_launch(g, "lud_internal", tiles * tiles, 8);
  for (uint64_t b = 0; b < tiles * tiles && gen_ok(g); b++)
    for (uint32_t w = 0; w < 8; w++) {
      uint64_t x = TILE * (b % tiles + 1), y = TILE * (b / tiles + 1), ty = 2 * w;
      gen_warp(g, b, w);
      two_rows(g, GMMU_READ, at(k, ty, x), k->n * 4);
      two_rows(g, GMMU_READ, at(k, y + ty, 0), k->n * 4);
      gen_gap(g, GEN_GAP_LONG);
      two_rows(g, GMMU_READ, at(k, y + ty, x), k->n * 4);
      two_rows(g, GMMU_WRITE, at(k, y + ty, x), k->n * 4);
    }
}

static int lud(uint64_t n, uint64_t seed, const struct gmmu_trace_sink *s, struct gmmu_err *err) {
  (void)seed;
  if (gen_check("LUD", "n", n, 32, GEN_MAX_DIM, TILE, err)) return -1;
  struct gen g;
  struct lud k = {.n = n};
  gen_init(&g, s);
  k.m = gen_array(&g, "m", n * n * 4, true);
  for (uint64_t p = 0; p < LUD_PANELS && k.o < n && gen_ok(&g); p++, k.o += TILE) {
    uint64_t tiles = (n - k.o) / TILE - 1;
    diagonal(&g, &k);
    if (!tiles) break;
    perimeter(&g, &k, tiles);
    internal(&g, &k, tiles);
  }
  return g.rc;
}

/* ---------------------------------------- SRAD */
struct srad {
  uint64_t n, j, c, e, w, s, nn;
};

/** Both rows of the warp read the same row of 16: above or below the tile; at the edge of the image
 * its own last row. */
static void shared_row(struct gen *g, uint64_t va) {
  for (uint32_t l = 0; l < GEN_WARP; l++) g->op.addr[l] = va + l % TILE * 4;
  gen_emit(g, GMMU_READ, 4, GEN_WARP);
}

/** One word per row: left or right of the tile. */
static void column(struct gen *g, uint64_t va, uint64_t pitch) {
  for (uint32_t l = 0; l < GEN_WARP; l++) g->op.addr[l] = va + l / TILE * pitch;
  gen_emit(g, GMMU_READ, 4, GEN_WARP);
}

/** Where the tile's neighbours are; at the edge of the image the tile's own row or column is read
 * again. */
struct tile {
  uint64_t idx, north, south, west, east; /* byte offsets; idx: of the warp's first word */
};

static struct tile tile_of(uint64_t n, uint64_t b, uint32_t w) {
  uint64_t tiles = n / TILE, x = b % tiles * TILE, y = b / tiles * TILE, row = y + 2 * w;
  return (struct tile){.idx = (row * n + x) * 4,
                       .north = ((y ? y - 1 : 0) * n + x) * 4,
                       .south = ((y + TILE < n ? y + TILE : n - 1) * n + x) * 4,
                       .west = (row * n + (x ? x - 1 : 0)) * 4,
                       .east = (row * n + (x + TILE < n ? x + TILE : n - 1)) * 4};
}

static void srad1(struct gen *g, const struct srad *k) {
  uint64_t blocks = k->n / TILE * (k->n / TILE), pitch = k->n * 4;
  const uint64_t out[] = {k->c, k->e, k->w, k->s, k->nn};
  gen_launch(g, "srad_cuda_1", blocks, 8);
  for (uint64_t b = 0; b < blocks && gen_ok(g); b++)
    for (uint32_t w = 0; w < 8; w++) {
      struct tile t = tile_of(k->n, b, w);
      gen_warp(g, b, w);
      shared_row(g, k->j + t.north);
      shared_row(g, k->j + t.south);
      column(g, k->j + t.west, pitch);
      column(g, k->j + t.east, pitch);
      two_rows(g, GMMU_READ, k->j + t.idx, pitch);
      gen_gap(g, GEN_GAP_LONG);
      for (int i = 0; i < 5; i++) two_rows(g, GMMU_WRITE, out[i] + t.idx, pitch);
    }
}

static void srad2(struct gen *g, const struct srad *k) {
  uint64_t blocks = k->n / TILE * (k->n / TILE), pitch = k->n * 4;
  const uint64_t in[] = {k->nn, k->s, k->w, k->e};
  gen_launch(g, "srad_cuda_2", blocks, 8);
  for (uint64_t b = 0; b < blocks && gen_ok(g); b++)
    for (uint32_t w = 0; w < 8; w++) {
      struct tile t = tile_of(k->n, b, w);
      gen_warp(g, b, w);
      two_rows(g, GMMU_READ, k->j + t.idx, pitch);
      shared_row(g, k->c + t.south);
      column(g, k->c + t.east, pitch);
      two_rows(g, GMMU_READ, k->c + t.idx, pitch);
      for (int i = 0; i < 4; i++) two_rows(g, GMMU_READ, in[i] + t.idx, pitch);
      gen_gap(g, GEN_GAP_LONG);
      two_rows(g, GMMU_WRITE, k->j + t.idx, pitch);
    }
}

static int srad(uint64_t n, uint64_t seed, const struct gmmu_trace_sink *s, struct gmmu_err *err) {
  (void)seed;
  if (gen_check("SRAD", "n", n, 32, GEN_MAX_DIM, TILE, err)) return -1;
  struct gen g;
  struct srad k = {.n = n};
  gen_init(&g, s);
  k.j = gen_array(&g, "J", n * n * 4, true);
  k.c = gen_array(&g, "C", n * n * 4, true);
  k.e = gen_array(&g, "E_C", n * n * 4, true);
  k.w = gen_array(&g, "W_C", n * n * 4, true);
  k.s = gen_array(&g, "S_C", n * n * 4, true);
  k.nn = gen_array(&g, "N_C", n * n * 4, true);
  for (uint32_t i = 0; i < SRAD_ITERATIONS && gen_ok(&g); i++) {
    srad1(&g, &k);
    srad2(&g, &k);
  }
  return g.rc;
}

const struct gmmu_workload gen_lud = {
    "LUD", "Rodinia: LU decomposition, first 16 panels", 128, 2048, "rows of the matrix", lud};
const struct gmmu_workload gen_srad = {
    "SRAD", "Rodinia: SRAD version 2, 2 iterations", 128, 2048, "rows of the image", srad};
