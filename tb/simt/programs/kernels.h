/* SPDX-License-Identifier: Apache-2.0 */
/** kernels.h - what a thread of programs/kernels.c computes; compiled for the SIMT core and, for
 * the expected results, for the host. */
#ifndef GMMU_TB_SIMT_KERNELS_H
#define GMMU_TB_SIMT_KERNELS_H

#include <stdint.h>

enum { THREAD_WORDS = 16, BINS = 16 };

static inline uint32_t crc32_of(const uint8_t *p, uint32_t n) {
  uint32_t c = UINT32_MAX;
  for (uint32_t i = 0; i < n; i++) {
    c ^= p[i];
    for (int b = 0; b < 8; b++) c = c >> 1 ^ (c & 1 ? UINT32_C(0xedb88320) : 0);
  }
  return ~c;
}
static inline uint32_t collatz(uint32_t v) { /* steps: lanes part and join */
  uint32_t n = 0;
  for (v = v % 97 + 1; v != 1 && n < 60; n++) v = v & 1 ? 3 * v + 1 : v / 2;
  return n;
}
static inline void sort(int32_t *v, int n) {
  for (int i = 1; i < n; i++) {
    int32_t x = v[i];
    int k = i;
    for (; k > 0 && v[k - 1] > x; k--) v[k] = v[k - 1];
    v[k] = x;
  }
}
/** out: three words. */
static inline void thread(uint32_t id, const uint32_t *in, uint32_t *out) {
  int32_t v[THREAD_WORDS];
  for (int i = 0; i < THREAD_WORDS; i++) v[i] = (int32_t)(in[i] ^ id * UINT32_C(2654435761));
  sort(v, THREAD_WORDS);
  uint32_t median = (uint32_t)v[THREAD_WORDS / 2];
  out[0] = crc32_of((const uint8_t *)in, 4 * THREAD_WORDS) ^ id;
  out[1] = collatz(median) + (median / (id % 13 + 1)) + (uint32_t)(v[0] % (int32_t)(id % 5 + 2));
  out[2] = (uint32_t)((uint64_t)median * in[0] >> 32);
}

#endif
