/* SPDX-License-Identifier: Apache-2.0 */
#include "gen.h"

#include <inttypes.h>

#define FIRST_VA 0x10000000ull

void gen_init(struct gen *g, const struct gmmu_trace_sink *s) {
  *g = (struct gen){.s = s, .next_va = FIRST_VA};
}

uint64_t gen_array(struct gen *g, const char *name, uint64_t bytes, bool writable) {
  struct gmmu_array a = {.va = g->next_va, .bytes = bytes, .writable = writable};
  snprintf(a.name, sizeof a.name, "%s", name);
  /* One unused frame between arrays: an overrun faults, and no 2 MiB page is shared. */
  uint64_t frames = (bytes + GMMU_LARGE_PAGE - 1) / GMMU_LARGE_PAGE;
  g->next_va += (frames + 1) * GMMU_LARGE_PAGE;
  if (!g->rc && g->s->array) g->rc = g->s->array(g->s->arg, &a);
  return a.va;
}

void gen_launch(struct gen *g, const char *kernel, uint64_t blocks, uint32_t warps_per_block) {
  if (!g->rc && g->s->launch)
    g->rc = g->s->launch(g->s->arg, kernel, (uint32_t)blocks, warps_per_block);
}

void gen_warp(struct gen *g, uint64_t block, uint32_t warp) {
  if (!g->rc && g->s->warp) g->rc = g->s->warp(g->s->arg, (uint32_t)block, warp);
}

void gen_emit(struct gen *g, int access, uint32_t bytes, uint32_t lanes) {
  if (g->rc || !lanes || !g->s->op) return;
  g->op.access = (uint8_t)access;
  g->op.bytes = (uint8_t)bytes;
  g->op.lanes = (uint8_t)lanes;
  g->op.gap = 0;
  g->rc = g->s->op(g->s->arg, &g->op);
}

void gen_affine(struct gen *g, int access, uint32_t bytes, uint32_t lanes, uint64_t va,
                uint64_t stride) {
  if (g->rc) return;
  for (uint32_t l = 0; l < lanes; l++) g->op.addr[l] = va + l * stride;
  gen_emit(g, access, bytes, lanes);
}

void gen_gap(struct gen *g, uint32_t cycles) {
  if (g->rc || !g->s->op) return;
  struct gmmu_op *o = &g->op;
  o->access = GMMU_OP_GAP;
  o->bytes = 0;
  o->lanes = 0;
  o->gap = cycles;
  g->rc = g->s->op(g->s->arg, o);
}

int gen_check(const char *name, const char *what, uint64_t n, uint64_t lo, uint64_t hi,
              uint64_t mult, struct gmmu_err *err) {
  if (n < lo || n > hi)
    return gmmu_fail(err, "%s: %s is %" PRIu64 ", must be %" PRIu64 " to %" PRIu64, name, what, n,
                     lo, hi);
  if (n % mult)
    return gmmu_fail(err, "%s: %s is %" PRIu64 ", must be a multiple of %" PRIu64, name, what, n,
                     mult);
  return 0;
}
