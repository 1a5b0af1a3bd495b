/* SPDX-License-Identifier: Apache-2.0 */
/* widen.c - a trace with 64 lanes a warp out of one with 32: warps 2k and 2k+1 of a block become
 * one warp. */
#include <string.h>

#include "gmmu.h"

struct half {
  struct gmmu_cursor c;
  struct gmmu_op op;
  bool more;
};

static void start(struct half *h, const struct gmmu_trace *t, uint32_t launch, uint32_t block,
                  uint32_t warp, bool there) {
  h->more = there;
  if (!there) return;
  gmmu_trace_cursor(t, launch, block, warp, &h->c);
  h->more = gmmu_cursor_next(&h->c, &h->op);
}

static bool alike(const struct gmmu_op *a, const struct gmmu_op *b) {
  if (a->access == GMMU_OP_GAP || b->access == GMMU_OP_GAP) return a->access == b->access;
  return a->access == b->access && a->bytes == b->bytes && a->lanes + b->lanes <= GMMU_LANES;
}

/* Both halves run the same instruction: one access with the lanes of both, or the longer of two
 * gaps. Else they have diverged, and a half that computes, or the first one, goes alone. */
static int step(struct half *a, struct half *b, const struct gmmu_trace_sink *s) {
  struct gmmu_op op;
  bool use_a = a->more, use_b = b->more;
  if (use_a && use_b && !alike(&a->op, &b->op)) {
    use_a = b->op.access != GMMU_OP_GAP;
    use_b = !use_a;
  }
  op = use_a ? a->op : b->op;
  if (use_a && use_b) {
    if (op.access == GMMU_OP_GAP) {
      if (b->op.gap > op.gap) op.gap = b->op.gap;
    } else {
      memcpy(op.addr + op.lanes, b->op.addr, b->op.lanes * sizeof op.addr[0]);
      op.lanes = (uint8_t)(op.lanes + b->op.lanes);
    }
  }
  if (use_a) a->more = gmmu_cursor_next(&a->c, &a->op);
  if (use_b) b->more = gmmu_cursor_next(&b->c, &b->op);
  return s->op(s->arg, &op);
}

static int widen_block(const struct gmmu_trace *t, uint32_t launch, uint32_t block,
                       const struct gmmu_trace_sink *s) {
  uint32_t warps = gmmu_trace_warps_per_block(t, launch);
  for (uint32_t w = 0; w < warps; w += 2) {
    struct half a, b;
    start(&a, t, launch, block, w, true);
    start(&b, t, launch, block, w + 1, w + 1 < warps);
    if (!a.more && !b.more) continue;
    int rc = s->warp(s->arg, block, w / 2);
    while (!rc && (a.more || b.more)) rc = step(&a, &b, s);
    if (rc) return rc;
  }
  return 0;
}

struct gmmu_trace *gmmu_trace_widen(const struct gmmu_trace *t, struct gmmu_err *err) {
  struct gmmu_trace_builder *tb = gmmu_trace_builder_new(gmmu_trace_app(t));
  if (!tb) {
    gmmu_fail(err, "out of memory");
    return NULL;
  }
  struct gmmu_trace_sink s = gmmu_trace_builder_sink(tb);
  int rc = 0;
  for (uint32_t i = 0; !rc && i < gmmu_trace_num_arrays(t); i++)
    rc = s.array(s.arg, gmmu_trace_array(t, i));
  for (uint32_t l = 0; !rc && l < gmmu_trace_num_launches(t); l++) {
    rc = s.launch(s.arg, gmmu_trace_kernel(t, l), gmmu_trace_blocks(t, l),
                  (gmmu_trace_warps_per_block(t, l) + 1) / 2);
    for (uint32_t b = 0; !rc && b < gmmu_trace_blocks(t, l); b++) rc = widen_block(t, l, b, &s);
  }
  return gmmu_trace_builder_finish(tb, err); /* keeps the first error of its callbacks */
}
