/* SPDX-License-Identifier: Apache-2.0 */
/* trace.c - a trace in memory: builder, encoder, cursor. Encoding of an operation:
 * docs/trace-format.md. */
#include "trace/trace_int.h"

#include <stdlib.h>
#include <string.h>

enum { OP_GAP = 0, OP_AFFINE = 1, OP_SHIFT = 2, OP_LIST = 3 };

/* ---------------------------------------- bytes */
int bytes_put(struct bytes *b, const void *p, size_t n) {
  if (b->cap - b->n < n) {
    size_t cap = b->cap ? b->cap * 2 : 4096;
    while (cap - b->n < n) cap *= 2;
    uint8_t *v = realloc(b->v, cap);
    if (!v) return -1;
    b->v = v;
    b->cap = cap;
  }
  if (n) memcpy(b->v + b->n, p, n);
  b->n += n;
  return 0;
}

int bytes_varint(struct bytes *b, uint64_t x) {
  uint8_t buf[10];
  size_t n = 0;
  for (; x >= 0x80; x >>= 7) buf[n++] = (uint8_t)(x | 0x80);
  buf[n++] = (uint8_t)x;
  return bytes_put(b, buf, n);
}

bool take_varint(const uint8_t **p, const uint8_t *end, uint64_t *x) {
  uint64_t v = 0;
  for (int shift = 0; shift < 64; shift += 7) {
    if (*p == end) return false;
    uint8_t c = *(*p)++;
    if (shift == 63 && c > 1) return false;
    v |= (uint64_t)(c & 0x7f) << shift;
    if (!(c & 0x80)) {
      *x = v;
      return true;
    }
  }
  return false;
}

/* Differences of addresses wrap modulo 2^64; small ones of either sign become small numbers. */
static uint64_t zigzag(uint64_t d) { return d << 1 ^ (d >> 63 ? ~0ull : 0); }
static uint64_t unzigzag(uint64_t z) { return z >> 1 ^ (z & 1 ? ~0ull : 0); }

static int log2_bytes(unsigned bytes) {
  for (int i = 0; i <= 4; i++)
    if (bytes == 1u << i) return i;
  return -1;
}

/* ---------------------------------------- builder */
struct gmmu_trace_builder {
  struct gmmu_trace *t;
  struct gmmu_err err;
  bool failed;
  uint64_t prev;
  uint64_t prev_addr[GMMU_LANES];
  uint8_t prev_lanes;
  uint32_t next_warp; /* of the last launch: first warp index not begun */
  bool in_warp;
};

struct gmmu_trace_builder *gmmu_trace_builder_new(const char *app) {
  struct gmmu_trace_builder *b = calloc(1, sizeof *b);
  if (!b || !(b->t = calloc(1, sizeof *b->t))) {
    free(b);
    return NULL;
  }
  snprintf(b->t->app, sizeof b->t->app, "%s", app);
  return b;
}

static int builder_fail(struct gmmu_trace_builder *b, const char *what) {
  b->failed = true;
  return gmmu_fail(&b->err, "%s", what);
}

static int on_array(void *arg, const struct gmmu_array *a) {
  struct gmmu_trace_builder *b = arg;
  struct gmmu_trace *t = b->t;
  if (a->bytes == 0 || a->va + a->bytes - 1 < a->va)
    return builder_fail(b, "array is empty or wraps round");
  if (t->narrays == TRACE_MAX_ARRAYS) return builder_fail(b, "more than 4096 arrays");
  struct gmmu_array *v = realloc(t->array, (t->narrays + 1) * sizeof *v);
  if (!v) return builder_fail(b, "out of memory");
  t->array = v;
  v[t->narrays++] = *a;
  return 0;
}

/* Warps that were not begun are empty. */
static void close_launch(struct gmmu_trace_builder *b) {
  if (b->t->nlaunches == 0) return;
  struct launch *l = &b->t->launch[b->t->nlaunches - 1];
  for (uint32_t i = b->next_warp; i <= l->blocks * l->warps; i++) l->off[i] = b->t->data.n;
}

static int on_launch(void *arg, const char *kernel, uint32_t blocks, uint32_t warps) {
  struct gmmu_trace_builder *b = arg;
  struct gmmu_trace *t = b->t;
  if (blocks == 0 || warps == 0 || (uint64_t)blocks * warps > TRACE_MAX_WARPS - t->nwarps)
    return builder_fail(b, "a launch has 1 warp or more, a trace 8388608 at most");
  if (t->nlaunches == TRACE_MAX_LAUNCHES) return builder_fail(b, "more than 131072 launches");
  close_launch(b);
  struct launch *v = realloc(t->launch, (t->nlaunches + 1) * sizeof *v);
  if (!v) return builder_fail(b, "out of memory");
  t->launch = v;
  struct launch *l = &v[t->nlaunches];
  memset(l, 0, sizeof *l);
  snprintf(l->kernel, sizeof l->kernel, "%s", kernel);
  l->blocks = blocks;
  l->warps = warps;
  l->off = calloc((size_t)blocks * warps + 1, sizeof *l->off);
  if (!l->off) return builder_fail(b, "out of memory");
  t->nlaunches++;
  t->nwarps += (uint64_t)blocks * warps;
  b->next_warp = 0;
  b->in_warp = false;
  return 0;
}

static int on_warp(void *arg, uint32_t block, uint32_t warp) {
  struct gmmu_trace_builder *b = arg;
  if (b->t->nlaunches == 0) return builder_fail(b, "a warp before the first launch");
  struct launch *l = &b->t->launch[b->t->nlaunches - 1];
  if (block >= l->blocks || warp >= l->warps)
    return builder_fail(b, "block or warp number beyond the launch");
  uint32_t i = block * l->warps + warp;
  if (i < b->next_warp)
    return builder_fail(b, "blocks and warps must come in ascending order, each once");
  for (uint32_t k = b->next_warp; k <= i; k++) l->off[k] = b->t->data.n;
  b->next_warp = i + 1;
  b->in_warp = true;
  b->prev = 0;
  b->prev_lanes = 0;
  return 0;
}

static int put_op(struct gmmu_trace_builder *b, const struct gmmu_op *op, int log2b) {
  struct bytes *d = &b->t->data;
  uint64_t stride = op->lanes > 1 ? op->addr[1] - op->addr[0] : 0;
  bool affine = true, shifted = op->lanes == b->prev_lanes;
  for (int i = 1; i < op->lanes && affine; i++) affine = op->addr[i] - op->addr[i - 1] == stride;
  uint64_t shift = shifted ? op->addr[0] - b->prev_addr[0] : 0;
  for (int i = 1; i < op->lanes && shifted; i++) shifted = op->addr[i] - b->prev_addr[i] == shift;

  uint8_t head = (uint8_t)(op->access << 2 | log2b << 4 |
                           (affine    ? OP_AFFINE
                            : shifted ? OP_SHIFT
                                      : OP_LIST));
  int bad = bytes_put(d, &head, 1);
  if (affine) {
    bad |= bytes_varint(d, op->lanes) | bytes_varint(d, zigzag(op->addr[0] - b->prev));
    if (op->lanes > 1) bad |= bytes_varint(d, zigzag(stride));
  } else if (shifted) {
    bad |= bytes_varint(d, zigzag(shift));
  } else {
    bad |= bytes_varint(d, op->lanes) | bytes_varint(d, zigzag(op->addr[0] - b->prev));
    for (int i = 1; i < op->lanes; i++)
      bad |= bytes_varint(d, zigzag(op->addr[i] - op->addr[i - 1]));
  }
  b->prev = op->addr[0];
  b->prev_lanes = op->lanes;
  memcpy(b->prev_addr, op->addr, op->lanes * sizeof op->addr[0]);
  return bad;
}

static int on_op(void *arg, const struct gmmu_op *op) {
  struct gmmu_trace_builder *b = arg;
  if (!b->in_warp) return builder_fail(b, "an operation outside a warp");
  if (op->access == GMMU_OP_GAP) {
    uint8_t head = OP_GAP;
    if (bytes_put(&b->t->data, &head, 1) || bytes_varint(&b->t->data, op->gap))
      return builder_fail(b, "out of memory");
    return 0;
  }
  int log2b = log2_bytes(op->bytes);
  if (op->access > GMMU_AMO) return builder_fail(b, "unknown access");
  if (log2b < 0) return builder_fail(b, "bytes per lane must be 1, 2, 4, 8 or 16");
  if (op->lanes < 1 || op->lanes > GMMU_LANES)
    return builder_fail(b, "an access has 1 to 64 lanes");
  if (put_op(b, op, log2b)) return builder_fail(b, "out of memory");
  b->t->nops++;
  return 0;
}

struct gmmu_trace_sink gmmu_trace_builder_sink(struct gmmu_trace_builder *b) {
  struct gmmu_trace_sink s = {b, on_array, on_launch, on_warp, on_op};
  return s;
}

struct gmmu_trace *gmmu_trace_builder_finish(struct gmmu_trace_builder *b, struct gmmu_err *err) {
  struct gmmu_trace *t = b->t;
  if (b->failed) {
    gmmu_fail(err, "%s", b->err.msg);
    gmmu_trace_free(t);
    t = NULL;
  } else {
    close_launch(b);
  }
  free(b);
  return t;
}

void gmmu_trace_free(struct gmmu_trace *t) {
  if (!t) return;
  for (uint32_t i = 0; i < t->nlaunches; i++) free(t->launch[i].off);
  free(t->launch);
  free(t->array);
  free(t->data.v);
  free(t);
}

/* ---------------------------------------- cursor */
void gmmu_trace_cursor(const struct gmmu_trace *t, uint32_t launch, uint32_t block, uint32_t warp,
                       struct gmmu_cursor *c) {
  const struct launch *l = &t->launch[launch];
  uint32_t i = block * l->warps + warp;
  c->p = t->data.v + l->off[i];
  c->end = t->data.v + l->off[i + 1];
  c->prev = 0;
  c->prev_lanes = 0;
}

static bool take_addresses(struct gmmu_cursor *c, int kind, struct gmmu_op *op) {
  uint64_t x, lanes;
  if (kind == OP_SHIFT) {
    if (c->prev_lanes == 0 || !take_varint(&c->p, c->end, &x)) return false;
    uint64_t shift = unzigzag(x);
    op->lanes = c->prev_lanes;
    op->addr[0] = c->prev + shift;
    if (c->affine)
      for (int i = 1; i < op->lanes; i++) op->addr[i] = op->addr[i - 1] + c->stride;
    else
      for (int i = 0; i < op->lanes; i++) op->addr[i] = c->prev_addr[i] += shift;
    return true;
  }
  if (!take_varint(&c->p, c->end, &lanes) || lanes < 1 || lanes > GMMU_LANES) return false;
  if (!take_varint(&c->p, c->end, &x)) return false;
  op->lanes = (uint8_t)lanes;
  op->addr[0] = c->prev + unzigzag(x);
  uint64_t stride = 0;
  if (kind == OP_AFFINE && lanes > 1) {
    if (!take_varint(&c->p, c->end, &x)) return false;
    stride = unzigzag(x);
  }
  for (int i = 1; i < op->lanes; i++) {
    if (kind == OP_LIST) {
      if (!take_varint(&c->p, c->end, &x)) return false;
      stride = unzigzag(x);
    }
    op->addr[i] = op->addr[i - 1] + stride;
  }
  c->affine = kind == OP_AFFINE;
  c->stride = stride;
  if (!c->affine) memcpy(c->prev_addr, op->addr, op->lanes * sizeof op->addr[0]);
  return true;
}

bool gmmu_cursor_next(struct gmmu_cursor *c, struct gmmu_op *op) {
  if (c->p == c->end) return false;
  uint8_t head = *c->p++;
  int kind = head & 3;
  if (kind == OP_GAP) {
    uint64_t gap;
    if (head != OP_GAP || !take_varint(&c->p, c->end, &gap) || gap > UINT32_MAX) return false;
    op->access = GMMU_OP_GAP;
    op->bytes = op->lanes = 0;
    op->gap = (uint32_t)gap;
    return true;
  }
  if (head >> 4 > 4) return false;
  op->access = head >> 2 & 3;
  op->bytes = (uint8_t)(1u << (head >> 4));
  op->gap = 0;
  if (!take_addresses(c, kind, op)) return false;
  c->prev = op->addr[0];
  c->prev_lanes = op->lanes;
  return true;
}

int trace_validate(struct gmmu_trace *t, uint64_t max_lanes, struct gmmu_err *err) {
  uint64_t lanes = 0;
  t->nops = 0;
  for (uint32_t l = 0; l < t->nlaunches; l++) {
    for (uint32_t i = 0; i < t->launch[l].blocks * t->launch[l].warps; i++) {
      struct gmmu_cursor c;
      struct gmmu_op op;
      gmmu_trace_cursor(t, l, i / t->launch[l].warps, i % t->launch[l].warps, &c);
      const uint8_t *start = c.p; /* of the operation that is read */
      while (c.p != c.end && gmmu_cursor_next(&c, &op)) {
        t->nops += op.access != GMMU_OP_GAP;
        lanes += op.lanes;
        start = c.p;
      }
      if (c.p != c.end || start != c.end) /* an operation that breaks off ends there as well */
        return gmmu_fail(
            err, "corrupt operation in launch %u, block %u, warp %u, byte %zu of the operations", l,
            i / t->launch[l].warps, i % t->launch[l].warps, (size_t)(start - t->data.v));
      if (lanes > max_lanes)
        return gmmu_fail(err, "more than %llu addresses: see the limits of docs/trace-format.md",
                         (unsigned long long)max_lanes);
    }
  }
  return 0;
}

/* ---------------------------------------- access */
const char *gmmu_trace_app(const struct gmmu_trace *t) { return t->app; }
uint32_t gmmu_trace_num_arrays(const struct gmmu_trace *t) { return t->narrays; }
const struct gmmu_array *gmmu_trace_array(const struct gmmu_trace *t, uint32_t i) {
  return &t->array[i];
}
uint32_t gmmu_trace_num_launches(const struct gmmu_trace *t) { return t->nlaunches; }
uint32_t gmmu_trace_blocks(const struct gmmu_trace *t, uint32_t l) { return t->launch[l].blocks; }
uint32_t gmmu_trace_warps_per_block(const struct gmmu_trace *t, uint32_t l) {
  return t->launch[l].warps;
}
const char *gmmu_trace_kernel(const struct gmmu_trace *t, uint32_t l) {
  return t->launch[l].kernel;
}
uint64_t gmmu_trace_num_ops(const struct gmmu_trace *t) { return t->nops; }
uint64_t gmmu_trace_max_lines(const struct gmmu_trace *t) {
  return t->max_lines ? t->max_lines : UINT64_MAX;
}
