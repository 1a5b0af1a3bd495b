/* SPDX-License-Identifier: Apache-2.0 */
/**
 * fragment.c - physical memory as a long-running system gives it: regions of 1 to 2047 contiguous
 * frames. The length of a region is drawn by class (1, 2-3, 4-7, ... pages) with probability 2^(-a
 * class): a small `a` gives long regions. `a` is searched so that the wanted share of the pages
 * lies in contiguous subregions.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gmmu_manager.h"

#define CLASSES 11
#define SUB 64

double gmmu_contiguous_share(const uint64_t *vfn, const uint64_t *pfn, uint64_t n) {
  uint64_t covered = 0;

  for (uint64_t k = 0; k + SUB <= n; k++) {
    uint64_t i = 1;
    if (vfn[k] % SUB) continue;
    while (i < SUB && vfn[k + i] == vfn[k] + i && pfn[k + i] == pfn[k] + i) i++;
    covered += i == SUB ? SUB : 0;
  }
  return n ? (double)covered / (double)n : 0;
}

static uint64_t length(struct gmmu_rng *r, const double *weight, double sum) {
  double x = (double)gmmu_rng_below(r, 1u << 30) / (1u << 30) * sum;
  int c = 0;

  while (c < CLASSES - 1 && x >= weight[c]) x -= weight[c++];
  return (1ull << c) + gmmu_rng_below(r, 1ull << c);
}

/** Regions in virtual order, pfn[k] = position of page k in its region's order: region number << 16
 * | place. */
static uint64_t cut(uint64_t n, double a, uint64_t seed, uint64_t *pfn) {
  struct gmmu_rng r = {seed};
  double weight[CLASSES], sum = 0;
  uint64_t regions = 0;

  for (int c = 0; c < CLASSES; c++) sum += weight[c] = pow(2, -a * c);
  for (uint64_t k = 0; k < n; regions++)
    for (uint64_t left = length(&r, weight, sum), i = 0; left && k < n; left--, i++)
      pfn[k++] = regions << 16 | i;
  return regions;
}

/** Places regions in a random order with gaps, so that no two become one. Returns the frames
 * spanned. */
static uint64_t place(uint64_t n, uint64_t regions, uint64_t seed, uint64_t *pfn) {
  struct gmmu_rng r = {seed ^ 0x5bd1e995c0ffee11ull};
  uint64_t *size = calloc(regions + 1, sizeof *size), *order = calloc(regions + 1, sizeof *order),
           next = 0;

  if (size && order) {
    for (uint64_t k = 0; k < n; k++) size[pfn[k] >> 16]++;
    for (uint64_t i = 0; i < regions; i++) {
      uint64_t j = gmmu_rng_below(&r, i + 1);
      order[i] = order[j];
      order[j] = i;
    }
    for (uint64_t i = 0; i < regions; i++) {
      uint64_t region = order[i], len = size[region];
      next += 1 + gmmu_rng_below(&r, 3);
      size[region] = next; /* now its first frame */
      next += len;
    }
    for (uint64_t k = 0; k < n; k++) pfn[k] = size[pfn[k] >> 16] + (pfn[k] & 0xffff);
  }
  free(size);
  free(order);
  return next;
}

uint64_t gmmu_fragment(const uint64_t *vfn, uint64_t n, double target, uint64_t seed,
                       uint64_t *pfn) {
  double lo = -2, hi = 4, best = 0, miss = 2;

  for (int i = 0; i < 24; i++) { /* the share falls with a, but for the draw's noise */
    double a = (lo + hi) / 2, share;
    cut(n, a, seed, pfn);
    share = gmmu_contiguous_share(vfn, pfn, n);
    if (fabs(share - target) < miss) {
      miss = fabs(share - target);
      best = a;
    }
    if (share > target) lo = a;
    else hi = a;
  }
  return place(n, cut(n, best, seed, pfn), seed, pfn);
}
