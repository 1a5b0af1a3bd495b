/* SPDX-License-Identifier: Apache-2.0 */
/* gmmu_base.h - limits, errors and random numbers. Part of gmmu.h, which says the conventions. */
#ifndef GMMU_BASE_H
#define GMMU_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define GMMU_MAX_SMS 64
#define GMMU_MAX_ASIDS 64
#define GMMU_MAX_WINDOWS 8
#define GMMU_PAGE 4096u
#define GMMU_LARGE_PAGE (512u * 4096u)

/* ---------------------------------------- errors (c_model/common/err.c) */
/** One error line, without "gmmu: " in front and without newline. */
struct gmmu_err {
  char msg[512];
};
/** Formats `err` (may be NULL) and returns -1, so that callers write `return gmmu_fail(err, ...)`.
 */
int gmmu_fail(struct gmmu_err *err, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* ---------------------------------------- random numbers */
/** splitmix64: deterministic everywhere, one 64-bit state word, any seed is legal. */
struct gmmu_rng {
  uint64_t s;
};
static inline void gmmu_rng_seed(struct gmmu_rng *r, uint64_t seed) { r->s = seed; }
static inline uint64_t gmmu_rng_next(struct gmmu_rng *r) {
  uint64_t z = (r->s += 0x9e3779b97f4a7c15ull);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  return z ^ (z >> 31);
}
/** Uniform in [0, n), n > 0 (bias below 2^-32 for n < 2^32). */
static inline uint64_t gmmu_rng_below(struct gmmu_rng *r, uint64_t n) {
  return (uint64_t)(((unsigned __int128)gmmu_rng_next(r) * n) >> 64);
}

#ifdef __cplusplus
}
#endif
#endif
