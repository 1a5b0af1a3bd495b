/* SPDX-License-Identifier: Apache-2.0 */
/* Streaming kernels of the CUDA SDK and SHOC: HISTO (histogram256), BLK (BlackScholes), RED
 * (Reduction). */
#include "gen.h"

#define MAX_BYTES (1ull << 34)

#define H_BLOCKS 240u
#define H_THREADS 192u
#define H_BINS 256u

/* The data decides only addresses in shared memory, which are no global accesses. */
static int histo(uint64_t bytes, uint64_t seed, const struct gmmu_trace_sink *s,
                 struct gmmu_err *err) {
  (void)seed;
  if (gen_check("HISTO", "data bytes", bytes, 4, MAX_BYTES, 4, err)) return -1;
  struct gen g;
  gen_init(&g, s);
  uint64_t data = gen_array(&g, "data", bytes, false), words = bytes / 4;
  uint64_t partial = gen_array(&g, "partial", H_BLOCKS * H_BINS * 4, true);
  uint64_t hist = gen_array(&g, "histogram", H_BINS * 4, true);
  gen_launch(&g, "histogram256_kernel", H_BLOCKS, H_THREADS / GEN_WARP);
  for (uint32_t b = 0; b < H_BLOCKS && gen_ok(&g); b++)
    for (uint32_t t = 0; t < H_THREADS; t += GEN_WARP) {
      gen_warp(&g, b, t / GEN_WARP);
      for (uint64_t pos = b * H_THREADS + t; pos < words && gen_ok(&g);
           pos += H_BLOCKS * H_THREADS) {
        gen_affine(&g, GMMU_READ, 4, gen_clip(pos, GEN_WARP, words), data + pos * 4, 4);
        gen_gap(&g, GEN_GAP_FMA); /* four bytes, four shared-memory increments */
      }
      for (uint32_t bin = t; bin < H_BINS; bin += H_THREADS)
        gen_st(&g, partial + (H_BINS * b + bin) * 4);
    }
  gen_launch(&g, "merge_histogram256_kernel", H_BINS, 256 / GEN_WARP);
  for (uint32_t b = 0; b < H_BINS && gen_ok(&g); b++)
    for (uint32_t t = 0; t < 256; t += GEN_WARP) {
      gen_warp(&g, b, t / GEN_WARP);
      gen_affine(&g, GMMU_READ, 4, gen_clip(t, GEN_WARP, H_BLOCKS),
                 partial + (b + H_BINS * (uint64_t)t) * 4, H_BINS * 4);
      gen_gap(&g, GEN_GAP_LONG);
      if (t == 0) gen_affine(&g, GMMU_WRITE, 4, 1, hist + b * 4, 0);
    }
  return g.rc;
}

#define B_BLOCKS 480u
#define B_THREADS 128u

static int blk(uint64_t n, uint64_t seed, const struct gmmu_trace_sink *s, struct gmmu_err *err) {
  (void)seed;
  if (gen_check("BLK", "number of options", n, 1, MAX_BYTES / 4, 1, err)) return -1;
  struct gen g;
  gen_init(&g, s);
  uint64_t in[3], out[2];
  in[0] = gen_array(&g, "stock_price", n * 4, false);
  in[1] = gen_array(&g, "strike", n * 4, false);
  in[2] = gen_array(&g, "years", n * 4, false);
  out[0] = gen_array(&g, "call", n * 4, true);
  out[1] = gen_array(&g, "put", n * 4, true);
  gen_launch(&g, "black_scholes_kernel", B_BLOCKS, B_THREADS / GEN_WARP);
  for (uint32_t b = 0; b < B_BLOCKS && gen_ok(&g); b++)
    for (uint32_t t = 0; t < B_THREADS; t += GEN_WARP) {
      gen_warp(&g, b, t / GEN_WARP);
      for (uint64_t o = b * B_THREADS + t; o < n && gen_ok(&g); o += B_BLOCKS * B_THREADS) {
        uint32_t lanes = gen_clip(o, GEN_WARP, n);
        for (int k = 0; k < 3; k++) gen_affine(&g, GMMU_READ, 4, lanes, in[k] + o * 4, 4);
        gen_gap(&g, GEN_GAP_LONG);
        for (int k = 0; k < 2; k++) gen_affine(&g, GMMU_WRITE, 4, lanes, out[k] + o * 4, 4);
      }
    }
  return g.rc;
}

#define R_BLOCKS 64u
#define R_THREADS 256u
#define R_LAUNCHES 4 /* the suite repeats the same launch 256 times */

/* Every thread adds two words R_THREADS apart per step, hence the multiple of 2 * R_THREADS words.
 */
static int red(uint64_t bytes, uint64_t seed, const struct gmmu_trace_sink *s,
               struct gmmu_err *err) {
  (void)seed;
  if (gen_check("RED", "data bytes", bytes, 8 * R_THREADS, MAX_BYTES, 8 * R_THREADS, err))
    return -1;
  struct gen g;
  gen_init(&g, s);
  uint64_t in = gen_array(&g, "in", bytes, false), out = gen_array(&g, "out", R_BLOCKS * 4, true);
  for (int launch = 0; launch < R_LAUNCHES && gen_ok(&g); launch++) {
    gen_launch(&g, "reduce_kernel", R_BLOCKS, R_THREADS / GEN_WARP);
    for (uint32_t b = 0; b < R_BLOCKS && gen_ok(&g); b++)
      for (uint32_t t = 0; t < R_THREADS; t += GEN_WARP) {
        gen_warp(&g, b, t / GEN_WARP);
        for (uint64_t i = 2 * R_THREADS * b + t; i < bytes / 4 && gen_ok(&g);
             i += 2 * R_THREADS * R_BLOCKS) {
          gen_ld(&g, in + i * 4);
          gen_ld(&g, in + (i + R_THREADS) * 4);
          gen_gap(&g, GEN_GAP_FMA);
        }
        if (t == 0) {
          gen_gap(&g, GEN_GAP_LONG); /* tree in shared memory */
          gen_affine(&g, GMMU_WRITE, 4, 1, out + b * 4, 0);
        }
      }
  }
  return g.rc;
}

const struct gmmu_workload gen_histo = {
    "HISTO", "CUDA SDK: 256-bin histogram", 256u << 10, 64u << 20, "bytes of data", histo};
const struct gmmu_workload gen_blk = {
    "BLK", "CUDA SDK: Black-Scholes option pricing", 65536, 8u << 20, "options", blk};
const struct gmmu_workload gen_red = {
    "RED", "SHOC: sum of an array, 4 launches", 64u << 10, 64u << 20, "bytes of data", red};
