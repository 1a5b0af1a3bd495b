/* SPDX-License-Identifier: Apache-2.0 */
/* CUDA SDK and SHOC: CONS (convolutionSeparable), FWT (fastWalshTransform), SCP (scalarProd), SCAN,
 * TRD (Triad). */
#include "gen.h"

#define MAX_BYTES (1ull << 34)

/* ---------------------------------------- CONS */
#define CONS_TIMES 10

/** Two rows of 16 words. */
static void tile_rows(struct gen *g, int access, uint64_t va, uint64_t pitch) {
  for (uint32_t l = 0; l < GEN_WARP; l++) g->op.addr[l] = va + l / 16 * pitch + l % 16 * 4;
  gen_emit(g, access, 4, GEN_WARP);
}

/** Block (16,4): four tiles of 16 columns and the two beside them. */
static void cons_rows(struct gen *g, uint64_t w, uint64_t h, uint64_t src, uint64_t dst) {
  static const int order[] = {1, 2, 3, 4, 0, 5};
  gen_launch(g, "convolution_rows_kernel", w / 64 * (h / 4), 2);
  for (uint64_t b = 0; b < w / 64 * (h / 4) && gen_ok(g); b++)
    for (uint32_t k = 0; k < 2; k++) {
      int64_t x = (int64_t)(b % (w / 64) * 64) - 16;
      uint64_t y = b / (w / 64) * 4 + 2 * k;
      gen_warp(g, b, k);
      for (int i = 0; i < 6; i++) {
        int64_t at = x + 16 * order[i];
        if (at >= 0 && at < (int64_t)w)
          tile_rows(g, GMMU_READ, src + (y * w + (uint64_t)at) * 4, w * 4);
      }
      gen_gap(g, GEN_GAP_LONG);
      for (int i = 1; i <= 4; i++)
        tile_rows(g, GMMU_WRITE, dst + (y * w + (uint64_t)(x + 16 * i)) * 4, w * 4);
    }
}

/** Block (16,8): four tiles of 8 rows and the two above and below. */
static void cons_cols(struct gen *g, uint64_t w, uint64_t h, uint64_t src, uint64_t dst) {
  static const int order[] = {1, 2, 3, 4, 0, 5};
  gen_launch(g, "convolution_columns_kernel", w / 16 * (h / 32), 4);
  for (uint64_t b = 0; b < w / 16 * (h / 32) && gen_ok(g); b++)
    for (uint32_t k = 0; k < 4; k++) {
      uint64_t x = b % (w / 16) * 16;
      int64_t y = (int64_t)(b / (w / 16) * 32) - 8 + 2 * k;
      gen_warp(g, b, k);
      for (int i = 0; i < 6; i++) {
        int64_t at = y + 8 * order[i];
        if (at >= 0 && at < (int64_t)h)
          tile_rows(g, GMMU_READ, src + ((uint64_t)at * w + x) * 4, w * 4);
      }
      gen_gap(g, GEN_GAP_LONG);
      for (int i = 1; i <= 4; i++)
        tile_rows(g, GMMU_WRITE, dst + ((uint64_t)(y + 8 * i) * w + x) * 4, w * 4);
    }
}

static int cons(uint64_t w, uint64_t seed, const struct gmmu_trace_sink *s, struct gmmu_err *err) {
  (void)seed;
  if (gen_check("CONS", "image width", w, 64, GEN_MAX_DIM, 64, err)) return -1;
  struct gen g;
  uint64_t h = w / 2;
  gen_init(&g, s);
  uint64_t src = gen_array(&g, "input", w * h * 4, false),
           buf = gen_array(&g, "buffer", w * h * 4, true);
  uint64_t dst = gen_array(&g, "output", w * h * 4, true);
  for (int i = 0; i < CONS_TIMES && gen_ok(&g); i++) {
    cons_rows(&g, w, h, src, buf);
    cons_cols(&g, w, h, buf, dst);
  }
  return g.rc;
}

/* ---------------------------------------- FWT */
/** In place: four words `stride` apart per thread, 256 threads a block. */
static void fwt_batch2(struct gen *g, uint64_t data, uint64_t n, uint64_t total) {
  uint64_t stride = n / 4, blocks = total / 1024;
  gen_launch(g, "fwt_batch2_kernel", blocks, 8);
  for (uint64_t b = 0; b < blocks && gen_ok(g); b++)
    for (uint32_t w = 0; w < 8; w++) {
      uint64_t pos = b * 256 + w * GEN_WARP, base = pos / stride * n + pos % stride;
      gen_warp(g, b, w);
      for (uint64_t k = 0; k < 4; k++) gen_ld(g, data + (base + k * stride) * 4);
      gen_gap(g, GEN_GAP_FMA);
      for (uint64_t k = 0; k < 4; k++) gen_st(g, data + (base + k * stride) * 4);
    }
}

/** A chunk of n words per block through shared memory. */
static void fwt_batch1(struct gen *g, uint64_t data, uint64_t n, uint64_t total) {
  uint32_t threads = (uint32_t)n / 4;
  gen_launch(g, "fwt_batch1_kernel", total / n, threads / GEN_WARP);
  for (uint64_t b = 0; b < total / n && gen_ok(g); b++)
    for (uint32_t w = 0; w < threads / GEN_WARP; w++) {
      uint64_t at = data + (b * n + w * GEN_WARP) * 4;
      gen_warp(g, b, w);
      for (uint32_t k = 0; k < 4; k++) gen_ld(g, at + k * threads * 4ull);
      gen_gap(g, GEN_GAP_LONG);
      for (uint32_t k = 0; k < 4; k++) gen_st(g, at + k * threads * 4ull);
    }
}

static void fwt_transform(struct gen *g, uint64_t data, uint64_t total) {
  uint64_t n = total;
  for (; n > 2048 && gen_ok(g); n /= 4) fwt_batch2(g, data, n, total);
  fwt_batch1(g, data, n, total);
}

static int fwt(uint64_t n, uint64_t seed, const struct gmmu_trace_sink *s, struct gmmu_err *err) {
  (void)seed;
  if (gen_check("FWT", "number of words", n, 1024, MAX_BYTES / 4, 1, err)) return -1;
  if (n & (n - 1))
    return gmmu_fail(err, "FWT: number of words is %llu, must be a power of two",
                     (unsigned long long)n);
  struct gen g;
  gen_init(&g, s);
  uint64_t data = gen_array(&g, "data", n * 4, true), kernel = gen_array(&g, "kernel", n * 4, true);
  fwt_transform(&g, data, n);
  fwt_transform(&g, kernel, n);
  gen_launch(&g, "modulate_kernel", 128, 8);
  for (uint64_t b = 0; b < 128 && gen_ok(&g); b++)
    for (uint32_t w = 0; w < 8; w++) {
      gen_warp(&g, b, w);
      for (uint64_t pos = b * 256 + w * GEN_WARP; pos < n; pos += 128 * 256) {
        gen_ld(&g, data + pos * 4);
        gen_ld(&g, kernel + pos * 4);
        gen_gap(&g, GEN_GAP_FMA);
        gen_st(&g, data + pos * 4);
      }
    }
  fwt_transform(&g, data, n);
  return g.rc;
}

/* ---------------------------------------- SCP */
#define SCP_BLOCKS 128u
#define SCP_ELEMENTS 16384u
#define SCP_ACCUMULATORS 1024u

static int scp(uint64_t vectors, uint64_t seed, const struct gmmu_trace_sink *s,
               struct gmmu_err *err) {
  (void)seed;
  if (gen_check("SCP", "number of vectors", vectors, 1, 65536, 1, err)) return -1;
  struct gen g;
  gen_init(&g, s);
  uint64_t bytes = vectors * SCP_ELEMENTS * 4;
  uint64_t a = gen_array(&g, "A", bytes, false), b = gen_array(&g, "B", bytes, false);
  uint64_t c = gen_array(&g, "C", vectors * 4, true);
  gen_launch(&g, "scalar_prod_kernel", SCP_BLOCKS, 8);
  for (uint32_t blk = 0; blk < SCP_BLOCKS && gen_ok(&g); blk++)
    for (uint32_t t = 0; t < 256; t += GEN_WARP) {
      gen_warp(&g, blk, t / GEN_WARP);
      for (uint64_t v = blk; v < vectors && gen_ok(&g); v += SCP_BLOCKS) {
        for (uint64_t i = t; i < SCP_ACCUMULATORS; i += 256)
          for (uint64_t pos = i; pos < SCP_ELEMENTS; pos += SCP_ACCUMULATORS) {
            gen_ld(&g, a + (v * SCP_ELEMENTS + pos) * 4);
            gen_ld(&g, b + (v * SCP_ELEMENTS + pos) * 4);
            gen_gap(&g, GEN_GAP_FMA);
          }
        if (t == 0) gen_affine(&g, GMMU_WRITE, 4, 1, c + v * 4, 0);
      }
    }
  return g.rc;
}

/* ---------------------------------------- SCAN */
#define SCAN_BLOCKS 64u

static int scan(uint64_t bytes, uint64_t seed, const struct gmmu_trace_sink *s,
                struct gmmu_err *err) {
  (void)seed;
  if (gen_check("SCAN", "data bytes", bytes, SCAN_BLOCKS * 4096, MAX_BYTES, SCAN_BLOCKS * 4096,
                err))
    return -1;
  struct gen g;
  gen_init(&g, s);
  uint64_t in = gen_array(&g, "in", bytes, false), out = gen_array(&g, "out", bytes, true);
  uint64_t sums = gen_array(&g, "sums", SCAN_BLOCKS * 4, true), region = bytes / SCAN_BLOCKS;
  gen_launch(&g, "reduce", SCAN_BLOCKS, 8);
  for (uint32_t b = 0; b < SCAN_BLOCKS && gen_ok(&g); b++)
    for (uint32_t w = 0; w < 8; w++) {
      gen_warp(&g, b, w);
      for (uint64_t at = w * 128; at < region; at += 1024) {
        gen_ld(&g, in + b * region + at);
        gen_gap(&g, GEN_GAP_ALU);
      }
      if (w == 0) gen_affine(&g, GMMU_WRITE, 4, 1, sums + b * 4, 0);
    }
  gen_launch(&g, "scan_single_block", 1, 8);
  for (uint32_t w = 0; w < 8; w++) {
    gen_warp(&g, 0, w);
    if (w >= SCAN_BLOCKS / GEN_WARP) continue;
    gen_ld(&g, sums + w * 128);
    gen_gap(&g, GEN_GAP_LONG);
    gen_st(&g, sums + w * 128);
  }
  gen_launch(&g, "bottom_scan", SCAN_BLOCKS, 8);
  for (uint32_t b = 0; b < SCAN_BLOCKS && gen_ok(&g); b++)
    for (uint32_t w = 0; w < 8; w++) {
      gen_warp(&g, b, w);
      gen_ld_bcast(&g, sums + b * 4);
      for (uint64_t at = w * 512; at < region; at += 4096) { /* float4 */
        gen_affine(&g, GMMU_READ, 16, GEN_WARP, in + b * region + at, 16);
        gen_gap(&g, GEN_GAP_LONG);
        gen_affine(&g, GMMU_WRITE, 16, GEN_WARP, out + b * region + at, 16);
      }
    }
  return g.rc;
}

/* ---------------------------------------- TRD */
static int trd(uint64_t bytes, uint64_t seed, const struct gmmu_trace_sink *s,
               struct gmmu_err *err) {
  static const char *const names[] = {"A0", "B0", "C0", "A1", "B1", "C1"};
  (void)seed;
  if (gen_check("TRD", "bytes of an array", bytes, 512, MAX_BYTES, 512, err)) return -1;
  struct gen g;
  uint64_t a[6];
  gen_init(&g, s);
  for (int i = 0; i < 6; i++) a[i] = gen_array(&g, names[i], bytes, i % 3 == 2);
  for (int set = 0; set < 2 && gen_ok(&g);
       set++) { /* the chunk loop alternates between the two sets */
    gen_launch(&g, "triad", bytes / 512, 4);
    for (uint64_t b = 0; b < bytes / 512 && gen_ok(&g); b++)
      for (uint32_t w = 0; w < 4; w++) {
        uint64_t at = b * 512 + w * 128;
        gen_warp(&g, b, w);
        gen_ld(&g, a[3 * set] + at);
        gen_ld(&g, a[3 * set + 1] + at);
        gen_gap(&g, GEN_GAP_FMA);
        gen_st(&g, a[3 * set + 2] + at);
      }
  }
  return g.rc;
}

const struct gmmu_workload gen_cons = {"CONS", "CUDA SDK: separable convolution, 10 times", 256,
                                       3072,   "columns of the image, twice its rows",      cons};
const struct gmmu_workload gen_fwt = {
    "FWT", "CUDA SDK: fast Walsh transform", 1u << 15, 1u << 23, "words", fwt};
const struct gmmu_workload gen_scp = {
    "SCP", "CUDA SDK: scalar products of vectors of 16,384 words", 64, 2048, "vectors", scp};
const struct gmmu_workload gen_scan = {
    "SCAN", "SHOC: prefix sums of an array", 1u << 20, 64u << 20, "bytes of data", scan};
const struct gmmu_workload gen_trd = {"TRD",
                                      "SHOC: triad, one pass over two sets of arrays",
                                      64u << 10,
                                      16u << 20,
                                      "bytes of an array",
                                      trd};
