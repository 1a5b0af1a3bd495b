/* SPDX-License-Identifier: Apache-2.0 */
/** compute.c - what the workloads of section VI-B do with what they read. Fixed point: lanes have
 * no floating point. */
#include <math.h>
#include <string.h>

#include "apointers/workload.h"

enum { L = GMMU_AP_LANES, STAGES = 5 };

/* Each stage is what a GPU does with one shuffle: every lane gets its partner's value. */
void ap_fft32(const int32_t in[L], int32_t re[L], int32_t im[L]) {
  for (uint32_t i = 0; i < L; i++) { /* bit-reversed input */
    uint32_t r = (i & 1) << 4 | (i & 2) << 2 | (i & 4) | (i & 8) >> 2 | (i & 16) >> 4;
    re[i] = in[r];
    im[i] = 0;
  }
  for (uint32_t s = 0; s < STAGES; s++) {
    uint32_t half = 1u << s;
    int32_t nr[L], ni[L];
    for (uint32_t i = 0; i < L; i++) {
      uint32_t lo = i & ~half, hi = i | half, k = (i & (half - 1)) << (STAGES - 1 - s);
      int64_t c = lround(cos(-2 * M_PI * k / L) * 32767),
              d = lround(sin(-2 * M_PI * k / L) * 32767);
      int32_t tr = (int32_t)((c * re[hi] - d * im[hi]) >> 15),
              ti = (int32_t)((c * im[hi] + d * re[hi]) >> 15);
      nr[i] = i & half ? re[lo] - tr : re[lo] + tr;
      ni[i] = i & half ? im[lo] - ti : im[lo] + ti;
    }
    memcpy(re, nr, sizeof nr);
    memcpy(im, ni, sizeof ni);
  }
}

void ap_sort32(uint32_t x[L]) {
  for (uint32_t size = 2; size <= L; size *= 2)
    for (uint32_t d = size / 2; d; d /= 2) {
      uint32_t y[L];
      for (uint32_t i = 0; i < L; i++) {
        uint32_t other = x[i ^ d], up = !(i & size), low = !(i & d);
        y[i] = (up == low) == (x[i] < other) ? x[i] : other;
      }
      memcpy(x, y, sizeof y);
    }
}

static uint32_t random_rounds(uint32_t x, uint32_t rounds) {
  while (rounds--) x = x * 1664525u + 1013904223u;
  return x;
}

void ap_compute(enum ap_kind k, uint32_t rounds, const uint32_t x[L], uint32_t acc[L]) {
  uint32_t y[L];
  int32_t in[L], re[L], im[L];
  memcpy(y, x, sizeof y);
  switch (k) {
    case AP_RANDOM:
      for (int i = 0; i < L; i++) y[i] = random_rounds(x[i], rounds);
      break;
    case AP_REDUCE:
      for (uint32_t d = L / 2; d; d /= 2) { /* butterfly by shuffles: all lanes end with the sum */
        uint32_t z[L];
        for (uint32_t i = 0; i < L; i++) z[i] = y[i] + y[i ^ d];
        memcpy(y, z, sizeof y);
      }
      break;
    case AP_FFT:
      for (int i = 0; i < L; i++) in[i] = (int16_t)x[i];
      ap_fft32(in, re, im);
      for (int i = 0; i < L; i++) y[i] = (uint32_t)re[i] ^ (uint32_t)im[i] << 7;
      break;
    case AP_BITONIC: ap_sort32(y); break;
    default: break;
  }
  for (int i = 0; i < L; i++) acc[i] = acc[i] * 31 + y[i];
}
