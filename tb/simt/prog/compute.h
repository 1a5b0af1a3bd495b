/* SPDX-License-Identifier: Apache-2.0 */
/** compute.h - the kernels of section VI-B for the lanes of a warp: what they do with each
 * 32-element vector that they read, and the ways to read it. The same arithmetic for arrays:
 * ap_compute() in c_model/apointers/compute.c. */
#ifndef COMPUTE_H
#define COMPUTE_H

#include "ap.h"

struct compute {
  uint32_t rounds, repeat, lane; /* repeat: how often each page is read */
  int32_t c[5], d[5];            /* FFT: coefficients of this lane's five stages, Q15 */
};

/* cos and -sin of 2 pi k / 32 */
static const int16_t fft_cos[16] = {32767, 32137, 30273,  27245,  23170,  18204,  12539,  6393,
                                    0,     -6393, -12539, -18204, -23170, -27245, -30273, -32137};
static const int16_t fft_sin[16] = {0,      -6393,  -12539, -18204, -23170, -27245, -30273, -32137,
                                    -32767, -32137, -30273, -27245, -23170, -18204, -12539, -6393};

INLINE void compute_begin(struct compute *x, uint32_t rounds, uint32_t repeat) {
  x->rounds = rounds, x->repeat = repeat, x->lane = w_lane();
#pragma GCC unroll 5
  for (uint32_t s = 0; s < 5; s++) {
    uint32_t k = (x->lane & ((1u << s) - 1)) << (4 - s);
    x->c[s] = ((const volatile int16_t *)fft_cos)[k];
    x->d[s] = ((const volatile int16_t *)fft_sin)[k];
  }
}

INLINE uint32_t op_read(uint32_t v, const struct compute *x) {
  (void)x;
  return v;
}
INLINE uint32_t op_random(uint32_t v, const struct compute *x) {
  for (uint32_t n = x->rounds; n; n--) v = v * 1664525u + 1013904223u;
  return v;
}
INLINE uint32_t op_reduce(uint32_t v, const struct compute *x) {
#pragma GCC unroll 5
  for (uint32_t d = 16; d; d /= 2) v += w_shfl(v, x->lane ^ d);
  return v;
}
static __attribute__((noinline)) uint32_t op_fft(uint32_t v, const struct compute *x) {
  uint32_t i = x->lane;
  uint32_t r = (i & 1) << 4 | (i & 2) << 2 | (i & 4) | (i & 8) >> 2 | (i & 16) >> 4;
  int32_t re = (int16_t)w_shfl(v, r), im = 0;
#pragma GCC unroll 5
  for (uint32_t s = 0; s < 5; s++) {
    int32_t up = -(int32_t)(i >> s & 1); /* without a branch: the lanes stay together */
    int32_t pr = (int32_t)w_shfl((uint32_t)re, i ^ 1u << s),
            pi = (int32_t)w_shfl((uint32_t)im, i ^ 1u << s);
    int32_t hr = (re & up) | (pr & ~up), hi = (im & up) | (pi & ~up), lr = (pr & up) | (re & ~up),
            li = (pi & up) | (im & ~up);
    int32_t tr = (int32_t)(((int64_t)x->c[s] * hr - (int64_t)x->d[s] * hi) >> 15);
    int32_t ti = (int32_t)(((int64_t)x->c[s] * hi + (int64_t)x->d[s] * hr) >> 15);
    re = lr + ((tr ^ up) - up);
    im = li + ((ti ^ up) - up);
  }
  return (uint32_t)re ^ (uint32_t)im << 7;
}
static __attribute__((noinline)) uint32_t op_bitonic(uint32_t v, const struct compute *x) {
#pragma GCC unroll 5
  for (uint32_t size = 2; size <= 32; size *= 2)
#pragma GCC unroll 5
    for (uint32_t d = size / 2; d; d /= 2) {
      uint32_t other = w_shfl(v, x->lane ^ d),
               smaller = ((x->lane & size) == 0) == ((x->lane & d) == 0);
      uint32_t keep = -(uint32_t)(smaller == (v < other));
      v = (v & keep) | (other & ~keep);
    }
  return v;
}

INLINE uint32_t raw4(uint32_t at) { return *(const volatile uint32_t *)at; }
INLINE struct w4 raw16(uint32_t at) { return w_load16((const void *)at); }
#define FOLD4(op, acc, v, x) acc = acc * 31 + op(v, x)
#define FOLD16(op, acc, t, x) \
  _Pragma("GCC unroll 4") for (int e_ = 0; e_ < 4; e_++) acc = acc * 31 + op((t).v[e_], x)

/* Pages one after the other, each `repeat` times, a vector (of four) an access: by plain pointers,
 * ActivePointers, GPUfs. The last access leaves the pointer in its page. */
#define EACH_ACCESS(bytes)                  \
  for (uint32_t p_ = pages; p_; p_--)       \
    for (uint32_t r_ = x->repeat; r_; r_--) \
      for (uint32_t k_ = APD_PAGE / 32 / bytes; k_; k_--)
#define NEXT(bytes) \
  ((k_ > 1) | ((p_ > 1) & (r_ == 1)) ? 32 * bytes : r_ > 1 ? 32 * bytes - APD_PAGE : 0)
#define STREAM(name, op, type, bytes, fold)                                                      \
  static uint32_t name##_raw##bytes(uint32_t at, uint32_t pages, const struct compute *x) {      \
    uint32_t acc = 0;                                                                            \
    EACH_ACCESS(bytes) {                                                                         \
      type v = raw##bytes(at);                                                                   \
      at += (uint32_t)NEXT(bytes);                                                               \
      fold(op, acc, v, x);                                                                       \
    }                                                                                            \
    return acc;                                                                                  \
  }                                                                                              \
  static uint32_t name##_ap##bytes(struct aptr *from, uint32_t pages, const struct compute *x) { \
    uint32_t acc = 0;                                                                            \
    struct aptr q = *from;                                                                       \
    EACH_ACCESS(bytes) {                                                                         \
      type v = ap_load##bytes(&q);                                                               \
      ap_add(&q, NEXT(bytes));                                                                   \
      fold(op, acc, v, x);                                                                       \
    }                                                                                            \
    *from = q;                                                                                   \
    return acc;                                                                                  \
  }                                                                                              \
  static uint32_t name##_gpufs##bytes(uint32_t file, uint32_t page, uint32_t pages,              \
                                      const struct compute *x) {                                 \
    uint32_t acc = 0, at;                                                                        \
    for (uint32_t p = page; p < page + pages; p++) {                                             \
      if (ap_gmmap(file, (uint64_t)p << APD_PAGE_BITS, APD_READ, &at)) w_abort(p);               \
      for (uint32_t r = x->repeat; r; r--)                                                       \
        for (uint32_t k = 0; k < APD_PAGE / 32 / bytes; k++) {                                   \
          type v = raw##bytes(at + (k * 32 + x->lane) * bytes);                                  \
          fold(op, acc, v, x);                                                                   \
        }                                                                                        \
      ap_gmunmap(at);                                                                            \
    }                                                                                            \
    return acc;                                                                                  \
  }
#define BOTH(name)                            \
  STREAM(name, op_##name, uint32_t, 4, FOLD4) \
  STREAM(name, op_##name, struct w4, 16, FOLD16)
BOTH(read)
BOTH(random)
BOTH(reduce)
BOTH(fft)
BOTH(bitonic)

/* Two vectors of `pages` pages, the second behind the first. */
#define ADD4(acc, a, b) acc = acc * 31 + (a + b)
#define ADD16(acc, a, b) \
  _Pragma("GCC unroll 4") for (int e_ = 0; e_ < 4; e_++) acc = acc * 31 + (a.v[e_] + b.v[e_])
#define ADD(type, bytes)                                                                     \
  static uint32_t add_raw##bytes(uint32_t at, uint32_t pages, const struct compute *x) {     \
    uint32_t acc = 0, second = at + pages * APD_PAGE;                                        \
    EACH_ACCESS(bytes) {                                                                     \
      type a = raw##bytes(at), b = raw##bytes(second);                                       \
      at += (uint32_t)NEXT(bytes), second += (uint32_t)NEXT(bytes);                          \
      ADD##bytes(acc, a, b);                                                                 \
    }                                                                                        \
    return acc;                                                                              \
  }                                                                                          \
  static uint32_t add_ap##bytes(struct aptr *from, struct aptr *from2, uint32_t pages,       \
                                const struct compute *x) {                                   \
    uint32_t acc = 0;                                                                        \
    struct aptr p = *from, q = *from2;                                                       \
    EACH_ACCESS(bytes) {                                                                     \
      type a = ap_load##bytes(&p), b = ap_load##bytes(&q);                                   \
      ap_add(&p, NEXT(bytes));                                                               \
      ap_add(&q, NEXT(bytes));                                                               \
      ADD##bytes(acc, a, b);                                                                 \
    }                                                                                        \
    *from = p;                                                                               \
    *from2 = q;                                                                              \
    return acc;                                                                              \
  }                                                                                          \
  static uint32_t add_gpufs##bytes(uint32_t file, uint32_t page, uint32_t pages,             \
                                   const struct compute *x) {                                \
    uint32_t acc = 0, at, to, lane = x->lane;                                                \
    for (uint32_t p = page; p < page + pages; p++) {                                         \
      if (ap_gmmap(file, (uint64_t)p << APD_PAGE_BITS, APD_READ, &at)) w_abort(p);           \
      if (ap_gmmap(file, (uint64_t)(p + pages) << APD_PAGE_BITS, APD_READ, &to)) w_abort(p); \
      for (uint32_t r = x->repeat; r; r--)                                                   \
        for (uint32_t k = 0; k < APD_PAGE / 32 / bytes; k++) {                               \
          type a = raw##bytes(at + (k * 32 + lane) * bytes),                                 \
               b = raw##bytes(to + (k * 32 + lane) * bytes);                                 \
          ADD##bytes(acc, a, b);                                                             \
        }                                                                                    \
      ap_gmunmap(at);                                                                        \
      ap_gmunmap(to);                                                                        \
    }                                                                                        \
    return acc;                                                                              \
  }
ADD(uint32_t, 4)
ADD(struct w4, 16)

/* One of them; `bytes` is 4 or 16. */
#define WAY_OF(name, bytes)                                           \
  (way == BENCH_AP      ? name##_ap##bytes(src, pages, &x)            \
   : way == BENCH_GPUFS ? name##_gpufs##bytes(file, first, pages, &x) \
                        : name##_raw##bytes(at + x.lane * bytes, pages, &x))
#define WIDTH_OF(name) (width == 16 ? WAY_OF(name, 16) : WAY_OF(name, 4))
static uint32_t compute(uint32_t kind, uint32_t way, uint32_t width, uint32_t rounds,
                        uint32_t repeat, struct aptr *src, struct aptr *second, uint32_t at,
                        uint32_t file, uint32_t first, uint32_t pages) {
  struct compute x;
  compute_begin(&x, rounds, repeat);
  if (kind == BENCH_READ_ALL) return WIDTH_OF(read);
  if (kind == BENCH_RANDOM) return WIDTH_OF(random);
  if (kind == BENCH_REDUCE) return WIDTH_OF(reduce);
  if (kind == BENCH_FFT) return WIDTH_OF(fft);
  if (kind == BENCH_BITONIC) return WIDTH_OF(bitonic);
  pages /= 2;
  if (width == 16)
    return way == BENCH_AP      ? add_ap16(src, second, pages, &x)
           : way == BENCH_GPUFS ? add_gpufs16(file, first, pages, &x)
                                : add_raw16(at + x.lane * 16, pages, &x);
  return way == BENCH_AP      ? add_ap4(src, second, pages, &x)
         : way == BENCH_GPUFS ? add_gpufs4(file, first, pages, &x)
                              : add_raw4(at + x.lane * 4, pages, &x);
}

#endif
