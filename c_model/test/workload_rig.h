/* SPDX-License-Identifier: Apache-2.0 */
/* workload_rig.h - a sink that counts what a kernel's generator says, and checks its order. */
#ifndef GMMU_TEST_WORKLOAD_RIG_H
#define GMMU_TEST_WORKLOAD_RIG_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "gmmu.h"

#define MAX_ARRAYS 64
#define MAX_LAUNCHES 4096

/** Sums over warp accesses of one class. */
struct sum {
  uint64_t ops, lanes, lines, pages;
};

/** Counting sink. Classes: array x kernel parity (launch 0 / other) x access kind. */
struct count {
  struct gmmu_array array[MAX_ARRAYS];
  int arrays, launches;
  char kernel[MAX_LAUNCHES][32];
  uint32_t blocks, warps, block, warp; /**< of the current launch; next expected warp */
  struct sum all, by[2][MAX_ARRAYS][4];
  struct sum full[MAX_ARRAYS]; /**< accesses of 32 lanes, any launch, reads and atomics */
  struct sum slot[16];         /**< n-th access of a warp, n < 16 */
  uint64_t warp_ops, max_warp_ops, gaps, bad;
  uint64_t fail_after; /**< abort with 7 after so many accesses; 0: never */
  int last;            /**< array of the previous access */
};

static inline void add(struct sum *s, const struct gmmu_op *op, int lines, int pages) {
  s->ops++;
  s->lanes += op->lanes;
  s->lines += (uint64_t)lines;
  s->pages += (uint64_t)pages;
}

static inline int on_array(void *arg, const struct gmmu_array *a) {
  struct count *c = arg;
  uint64_t end =
      c->arrays ? c->array[c->arrays - 1].va + c->array[c->arrays - 1].bytes : 0x10000000;
  /* 2 MiB-aligned and a guard gap */
  if (c->launches || c->arrays == MAX_ARRAYS || a->va % GMMU_LARGE_PAGE || !a->bytes || !a->name[0])
    c->bad++;
  if (c->arrays ? a->va < end + GMMU_LARGE_PAGE : a->va != end) c->bad++;
  c->array[c->arrays++] = *a;
  return 0;
}

static inline int on_launch(void *arg, const char *kernel, uint32_t blocks, uint32_t warps) {
  struct count *c = arg;
  if (c->launches && (c->block != c->blocks || c->warp))
    c->bad++; /* the last launch was not complete */
  if (c->launches == MAX_LAUNCHES || !blocks || !warps) return 9;
  snprintf(c->kernel[c->launches++], 32, "%s", kernel);
  c->blocks = blocks;
  c->warps = warps;
  c->block = c->warp = 0;
  return 0;
}

static inline int on_warp(void *arg, uint32_t block, uint32_t warp) {
  struct count *c = arg;
  if (block != c->block || warp != c->warp) c->bad++;
  if (++c->warp == c->warps) c->warp = 0, c->block++;
  c->warp_ops = 0;
  return 0;
}

static inline int find_array(struct count *c, uint64_t va, uint32_t bytes) {
  const struct gmmu_array *a = &c->array[c->last];
  if (va - a->va < a->bytes && va - a->va + bytes <= a->bytes) return c->last;
  for (int i = 0; i < c->arrays; i++) {
    a = &c->array[i];
    if (va >= a->va && va + bytes <= a->va + a->bytes) return c->last = i;
  }
  return -1;
}

static inline int on_op(void *arg, const struct gmmu_op *op) {
  struct count *c = arg;
  if (op->access == GMMU_OP_GAP) {
    if (op->gap < 2 || op->gap > 8) c->bad++;
    c->gaps++;
    return 0;
  }
  if (op->lanes < 1 || op->lanes > 32 || op->access > GMMU_AMO) {
    c->bad++;
    return 0;
  }
  int a = find_array(c, op->addr[0], op->bytes);
  for (int l = 0; l < op->lanes; l++)
    if (op->addr[l] % op->bytes || find_array(c, op->addr[l], op->bytes) != a) c->bad++;
  if (a < 0) {
    c->bad++;
    return 0;
  }
  if (op->access != GMMU_READ && !c->array[a].writable) c->bad++;
  uint64_t lines[2 * GMMU_LANES], pages[2 * GMMU_LANES];
  int nl = gmmu_coalesce_lines(op, lines), np = gmmu_coalesce_pages(lines, nl, pages);
  add(&c->all, op, nl, np);
  add(&c->by[c->launches > 1][a][op->access], op, nl, np);
  if (op->lanes == 32 && op->access != GMMU_WRITE) add(&c->full[a], op, nl, np);
  if (c->warp_ops < 16) add(&c->slot[c->warp_ops], op, nl, np);
  if (++c->warp_ops > c->max_warp_ops) c->max_warp_ops = c->warp_ops;
  return c->fail_after && c->all.ops == c->fail_after ? 7 : 0;
}

static inline struct gmmu_trace_sink sink_of(struct count *c) {
  return (struct gmmu_trace_sink){c, on_array, on_launch, on_warp, on_op};
}

/** Runs `name` at size n (0: default); the caller frees. */
static inline struct count *run(const char *name, uint64_t n) {
  const struct gmmu_workload *w = gmmu_workload_find(name);
  assert_non_null(w);
  struct count *c = calloc(1, sizeof *c);
  assert_non_null(c);
  struct gmmu_trace_sink s = sink_of(c);
  struct gmmu_err err = {""};
  int rc = w->gen(n ? n : w->dflt, 42, &s, &err);
  if (rc) fail_msg("%s: %s", name, err.msg);
  assert_int_equal(c->bad, 0);
  assert_int_equal(c->block, c->blocks);
  assert_int_equal(c->warp, 0);
  return c;
}

/** Sums of one array's accesses of one kind in launch 0 (k = 0) or in all others (k = 1). */
static inline const struct sum *of(const struct count *c, int k, const char *array, int access) {
  for (int i = 0; i < c->arrays; i++)
    if (!strcmp(c->array[i].name, array)) return &c->by[k][i][access];
  fail_msg("no array %s", array);
  return NULL;
}
static inline const struct sum *full(const struct count *c, const char *array) {
  for (int i = 0; i < c->arrays; i++)
    if (!strcmp(c->array[i].name, array)) return &c->full[i];
  fail_msg("no array %s", array);
  return NULL;
}

/** Lines and pages per warp access, each within tol of the expected. */
#define CHECK_LP(s, l, p, tol) check_lp(s, l, p, tol, __LINE__)
static inline void check_lp(const struct sum *s, double l, double p, double tol, int line) {
  if (!s->ops) fail_msg("line %d: no accesses", line);
  double gl = (double)s->lines / (double)s->ops, gp = (double)s->pages / (double)s->ops;
  if (gl < l - tol || gl > l + tol || gp < p - tol || gp > p + tol)
    fail_msg("line %d: L/P %.3f/%.3f, expected %.3f/%.3f", line, gl, gp, l, p);
}

#endif
