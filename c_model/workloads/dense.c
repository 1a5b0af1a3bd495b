/* SPDX-License-Identifier: Apache-2.0 */
/* Dense kernels: FFT and MM (Parboil), BP (Rodinia backprop), NN (ISPASS-2009 digit recognition).
 */
#include "gen.h"

/* ---------------------------------------- FFT */
#define FFT_N 256u

static int fft(uint64_t batches, uint64_t seed, const struct gmmu_trace_sink *s,
               struct gmmu_err *err) {
  (void)seed;
  if (gen_check("FFT", "number of transforms", batches, 1, 1u << 24, 1, err)) return -1;
  struct gen g;
  uint64_t a[2];
  gen_init(&g, s);
  a[0] = gen_array(&g, "a", batches * FFT_N * 8, true);
  a[1] = gen_array(&g, "b", batches * FFT_N * 8, true);
  for (uint32_t ns = 1, i = 0; ns < FFT_N && gen_ok(&g); ns *= 2, i++) {
    uint64_t src = a[i & 1], dst = a[~i & 1];
    gen_launch(&g, "fft_radix2_kernel", batches, FFT_N / 2 / GEN_WARP);
    for (uint64_t b = 0; b < batches && gen_ok(&g); b++)
      for (uint32_t w = 0; w < FFT_N / 2 / GEN_WARP; w++) {
        uint64_t j = w * GEN_WARP;
        gen_warp(&g, b, w);
        gen_affine(&g, GMMU_READ, 8, GEN_WARP, src + (b * FFT_N + j) * 8, 8);
        gen_affine(&g, GMMU_READ, 8, GEN_WARP, src + (b * FFT_N + j + FFT_N / 2) * 8, 8);
        gen_gap(&g, GEN_GAP_LONG);
        for (uint32_t k = 0; k < 2; k++) {
          for (uint32_t l = 0; l < GEN_WARP; l++)
            g.op.addr[l] = dst + (b * FFT_N + (j + l) / ns * 2 * ns + (j + l) % ns + k * ns) * 8;
          gen_emit(&g, GMMU_WRITE, 8, GEN_WARP);
        }
      }
  }
  return g.rc;
}

/* ---------------------------------------- MM */
static int mm(uint64_t n, uint64_t seed, const struct gmmu_trace_sink *s, struct gmmu_err *err) {
  (void)seed;
  if (gen_check("MM", "N", n, 128, GEN_MAX_DIM, 128, err)) return -1;
  struct gen g;
  gen_init(&g, s);
  uint64_t a = gen_array(&g, "A", n * n * 4, false), b = gen_array(&g, "B", n * n * 4, false);
  uint64_t c = gen_array(&g, "C", n * n * 4, true), gx = n / 128, gy = n / 16;
  gen_launch(&g, "sgemm_kernel", gx * gy, 4);
  for (uint64_t blk = 0; blk < gx * gy && gen_ok(&g); blk++)
    for (uint32_t w = 0; w < 4; w++) {
      uint64_t row = blk % gx * 128 + w * GEN_WARP, col = blk / gx * 16;
      gen_warp(&g, blk, w);
      for (uint64_t i = 0; i < n && gen_ok(&g); i += 8) {
        for (uint32_t l = 0; l < GEN_WARP; l++)
          g.op.addr[l] = b + (col + l % 16 + (i + 2 * w + l / 16) * n) * 4;
        gen_emit(&g, GMMU_READ, 4, GEN_WARP);
        for (uint64_t j = 0; j < 8; j++) {
          gen_ld(&g, a + (row + (i + j) * n) * 4);
          gen_gap(&g, GEN_GAP_FMA);
        }
      }
      for (uint64_t q = 0; q < 16; q++) {
        gen_ld(&g, c + ((col + q) * n + row) * 4);
        gen_st(&g, c + ((col + q) * n + row) * 4);
      }
    }
  return g.rc;
}

/* ---------------------------------------- BP */
#define BP_HIDDEN 16u
#define BP_ROW 17u /* words of a row of weights */

struct bp {
  uint64_t in, w, oldw, partial, delta, ly;
};

/** Two rows (ty, ty + 1) of 16 weights. */
static void bp_weights(struct gen *g, int access, uint64_t base, uint64_t first) {
  for (uint32_t l = 0; l < GEN_WARP; l++)
    g->op.addr[l] = base + (first + l / 16 * BP_ROW + l % 16) * 4;
  gen_emit(g, access, 4, GEN_WARP);
}

static void bp_delta_and_unit(struct gen *g, const struct bp *k, uint64_t unit) {
  for (uint32_t l = 0; l < GEN_WARP; l++) g->op.addr[l] = k->delta + (l % 16 + 1) * 4;
  gen_emit(g, GMMU_READ, 4, GEN_WARP);
  for (uint32_t l = 0; l < GEN_WARP; l++) g->op.addr[l] = k->ly + (unit + l / 16) * 4;
  gen_emit(g, GMMU_READ, 4, GEN_WARP);
}

static int bp(uint64_t n, uint64_t seed, const struct gmmu_trace_sink *s, struct gmmu_err *err) {
  (void)seed;
  if (gen_check("BP", "input units", n, 16, 1u << 28, 16, err)) return -1;
  struct gen g;
  struct bp k;
  gen_init(&g, s);
  k.in = gen_array(&g, "input", (n + 1) * 4, false);
  k.w = gen_array(&g, "weights", (n + 1) * BP_ROW * 4, true);
  k.oldw = gen_array(&g, "old_weights", (n + 1) * BP_ROW * 4, true);
  k.partial = gen_array(&g, "partial_sums", n * 4, true);
  k.delta = gen_array(&g, "delta", BP_ROW * 4, false);
  k.ly = gen_array(&g, "units", (n + 1) * 4, false);
  gen_launch(&g, "bpnn_layerforward", n / 16, 8);
  for (uint64_t b = 0; b < n / 16 && gen_ok(&g); b++)
    for (uint32_t w = 0; w < 8; w++) {
      uint64_t unit = 16 * b + 2 * w;
      gen_warp(&g, b, w);
      gen_affine(&g, GMMU_READ, 4, 2, k.in + (unit + 1) * 4, 4);
      bp_weights(&g, GMMU_READ, k.w, BP_ROW * unit + 18);
      gen_gap(&g, GEN_GAP_LONG);
      bp_weights(&g, GMMU_WRITE, k.w, BP_ROW * unit + 18);
      gen_affine(&g, GMMU_WRITE, 4, 2, k.partial + unit * 4, 4);
    }
  gen_launch(&g, "bpnn_adjust_weights", n / 16, 8);
  for (uint64_t b = 0; b < n / 16 && gen_ok(&g); b++)
    for (uint32_t w = 0; w < 8; w++) {
      uint64_t unit = 16 * b + 2 * w, at = BP_ROW * unit + 18;
      gen_warp(&g, b, w);
      bp_delta_and_unit(&g, &k, unit + 1);
      bp_weights(&g, GMMU_READ, k.w, at);
      bp_weights(&g, GMMU_READ, k.oldw, at);
      gen_gap(&g, GEN_GAP_FMA);
      bp_weights(&g, GMMU_WRITE, k.w, at);
      bp_delta_and_unit(&g, &k, unit + 1);
      bp_weights(&g, GMMU_READ, k.oldw, at);
      bp_weights(&g, GMMU_WRITE, k.oldw, at);
      if (b || w) continue;
      gen_affine(&g, GMMU_READ, 4, BP_HIDDEN, k.delta + 4, 4); /* the row of the bias */
      gen_affine(&g, GMMU_READ, 4, BP_HIDDEN, k.oldw + 4, 4);
      gen_affine(&g, GMMU_WRITE, 4, BP_HIDDEN, k.w + 4, 4);
      gen_affine(&g, GMMU_WRITE, 4, BP_HIDDEN, k.oldw + 4, 4);
    }
  return g.rc;
}

/* ---------------------------------------- NN */
/* Layers 2 and 3 of all images would be 540 million accesses: they are run for the first images
 * only. */
#define NN_LAYER2 256u
#define NN_LAYER3 16u

struct nn {
  uint64_t n1, n2, n3, n4, n5, w1, w2, w3, w4;
};

static void nn_layer1(struct gen *g, const struct nn *k, uint64_t images) {
  gen_launch(g, "first_layer", 6 * images, 6); /* 13 x 13 threads */
  for (uint64_t b = 0; b < 6 * images && gen_ok(g); b++)
    for (uint32_t w = 0; w < 6; w++) {
      uint64_t map = b % 6, image = b / 6;
      uint32_t lanes = gen_clip(w * GEN_WARP, GEN_WARP, 169);
      gen_warp(g, b, w);
      gen_affine(g, GMMU_READ, 4, lanes, k->w1 + 26 * map * 4, 0);
      for (uint32_t i = 0; i < 25; i++) {
        for (uint32_t l = 0; l < lanes; l++) {
          uint32_t t = w * GEN_WARP + l;
          g->op.addr[l] =
              k->n1 + (841 * image + 58 * (t / 13) + 2 * (t % 13) + 29 * (i / 5) + i % 5) * 4;
        }
        gen_emit(g, GMMU_READ, 4, lanes);
        gen_affine(g, GMMU_READ, 4, lanes, k->w1 + (26 * map + 1 + i) * 4, 0);
        gen_gap(g, GEN_GAP_FMA);
      }
      gen_affine(g, GMMU_WRITE, 4, lanes, k->n2 + (1014 * image + 169 * map + w * GEN_WARP) * 4, 4);
    }
}

static void nn_layer2(struct gen *g, const struct nn *k, uint64_t images) {
  gen_launch(g, "second_layer", 50 * images, 1); /* 5 x 5 threads */
  for (uint64_t b = 0; b < 50 * images && gen_ok(g); b++) {
    uint64_t map = b % 50, image = b / 50;
    gen_warp(g, b, 0);
    gen_affine(g, GMMU_READ, 4, 25, k->w2 + 156 * map * 4, 0);
    for (uint32_t i = 0; i < 25; i++)
      for (uint32_t f = 0; f < 6; f++) {
        for (uint32_t l = 0; l < 25; l++)
          g->op.addr[l] =
              k->n2 +
              (1014 * image + 169 * f + 26 * (l / 5) + 2 * (l % 5) + 13 * (i / 5) + i % 5) * 4;
        gen_emit(g, GMMU_READ, 4, 25);
        gen_affine(g, GMMU_READ, 4, 25, k->w2 + (156 * map + 1 + 6 * i + f) * 4, 0);
        gen_gap(g, GEN_GAP_FMA);
      }
    gen_affine(g, GMMU_WRITE, 4, 25, k->n3 + (1250 * image + 25 * map) * 4, 4);
  }
}

/** One thread per neuron: layers 3 and 4. */
static void nn_full(struct gen *g, const char *name, uint64_t images, uint64_t neurons,
                    uint64_t inputs, uint64_t in, uint64_t weights, uint64_t out) {
  gen_launch(g, name, neurons * images, 1);
  for (uint64_t b = 0; b < neurons * images && gen_ok(g); b++) {
    uint64_t neuron = b % neurons, image = b / neurons;
    gen_warp(g, b, 0);
    gen_affine(g, GMMU_READ, 4, 1, weights + (inputs + 1) * neuron * 4, 0);
    for (uint64_t i = 0; i < inputs; i++) {
      gen_affine(g, GMMU_READ, 4, 1, in + (inputs * image + i) * 4, 0);
      gen_affine(g, GMMU_READ, 4, 1, weights + ((inputs + 1) * neuron + 1 + i) * 4, 0);
      gen_gap(g, GEN_GAP_FMA);
    }
    gen_affine(g, GMMU_WRITE, 4, 1, out + (neurons * image + neuron) * 4, 0);
  }
}

static int nn(uint64_t images, uint64_t seed, const struct gmmu_trace_sink *s,
              struct gmmu_err *err) {
  (void)seed;
  if (gen_check("NN", "number of images", images, 1, 1u << 20, 1, err)) return -1;
  struct gen g;
  struct nn k;
  uint64_t some = images < NN_LAYER2 ? images : NN_LAYER2,
           few = images < NN_LAYER3 ? images : NN_LAYER3;
  gen_init(&g, s);
  k.n1 = gen_array(&g, "layer1_neurons", images * 841 * 4, false);
  k.n2 = gen_array(&g, "layer2_neurons", images * 1014 * 4, true);
  k.n3 = gen_array(&g, "layer3_neurons", images * 1250 * 4, true);
  k.n4 = gen_array(&g, "layer4_neurons", images * 100 * 4, true);
  k.n5 = gen_array(&g, "layer5_neurons", images * 10 * 4, true);
  k.w1 = gen_array(&g, "layer1_weights", 156 * 4, false);
  k.w2 = gen_array(&g, "layer2_weights", 7800 * 4, false);
  k.w3 = gen_array(&g, "layer3_weights", 125100 * 4, false);
  k.w4 = gen_array(&g, "layer4_weights", 1010 * 4, false);
  nn_layer1(&g, &k, images);
  nn_layer2(&g, &k, some);
  nn_full(&g, "third_layer", few, 100, 1250, k.n3, k.w3, k.n4);
  nn_full(&g, "fourth_layer", few, 10, 100, k.n4, k.w4, k.n5);
  return g.rc;
}

const struct gmmu_workload gen_fft = {
    "FFT", "Parboil: radix-2 transforms of 256 points", 16, 32768, "transforms", fft};
const struct gmmu_workload gen_mm = {
    "MM", "Parboil: sgemm", 256, 2048, "rows and columns of the matrices", mm};
const struct gmmu_workload gen_bp = {
    "BP", "Rodinia: backprop, 16 hidden units", 1024, 1u << 20, "input units", bp};
const struct gmmu_workload gen_nn = {
    "NN",     "ISPASS-2009: digit recognition, layers 2 and 3 of the first images only",
    28,       2048,
    "images", nn};
