/* SPDX-License-Identifier: Apache-2.0 */
/* trace_text.c - the text form of a trace, for people: docs/trace-format.md. */
#include <stdlib.h>
#include <string.h>

#include "common/text.h"
#include "trace/trace_int.h"

#define MAX_WORDS (GMMU_LANES + 8)

struct reader {
  const char *path;
  int line;
  char *word[MAX_WORDS];
  int n;
  struct gmmu_trace_builder *b;
  struct gmmu_trace_sink sink;
  struct gmmu_err *err;
};

static int fail(struct reader *r, const char *what, const char *word) {
  return gmmu_fail(r->err, "%s:%d: %s%s%.64s%s", r->path, r->line, what, word ? " '" : "",
                   word ? word : "", word ? "'" : "");
}

static int number(struct reader *r, const char *s, uint64_t max, uint64_t *v) {
  const char *wrong = gmmu_number_to(s, max, v);
  return wrong ? gmmu_fail(r->err, "%s:%d: '%.64s' %s", r->path, r->line, s, wrong) : 0;
}

static int name(struct reader *r, const char *s, char to[TRACE_NAME]) {
  const char *wrong = gmmu_name_wrong(s);
  if (wrong) return gmmu_fail(r->err, "%s:%d: name '%.64s' %s", r->path, r->line, s, wrong);
  strcpy(to, s);
  return 0;
}

static int split(struct reader *r, char *text) {
  char *save, *hash = strchr(text, '#');
  if (hash) *hash = 0;
  r->n = 0;
  for (char *w = strtok_r(text, " \t\r\n", &save); w; w = strtok_r(NULL, " \t\r\n", &save)) {
    if (r->n == MAX_WORDS) return fail(r, "too many words", NULL);
    r->word[r->n++] = w;
  }
  return 0;
}

/* "BASE+STRIDE*LANES" or "BASE-STRIDE*LANES". */
static int affine(struct reader *r, char *w, struct gmmu_op *op) {
  char *sign = strpbrk(w + 1, "+-"), *star = strchr(w, '*');
  uint64_t base, stride, lanes;
  if (!sign || !star || star < sign) return fail(r, "expected BASE+STRIDE*LANES, got", w);
  bool minus = *sign == '-';
  *sign = *star = 0;
  if (number(r, w, UINT64_MAX, &base) || number(r, sign + 1, UINT64_MAX, &stride) ||
      number(r, star + 1, GMMU_LANES, &lanes))
    return -1;
  op->lanes = (uint8_t)lanes;
  for (uint64_t i = 0; i < lanes; i++) op->addr[i] = minus ? base - i * stride : base + i * stride;
  return 0;
}

static int read_op(struct reader *r, int access) {
  struct gmmu_op op = {.access = (uint8_t)access};
  uint64_t v;
  if (r->n < 3) return fail(r, "expected: r|w|x|a BYTES ADDRESS...", NULL);
  if (number(r, r->word[1], 16, &v)) return -1;
  op.bytes = (uint8_t)v;
  if (r->n == 3 && strchr(r->word[2], '*')) {
    if (affine(r, r->word[2], &op)) return -1;
  } else {
    if (r->n - 2 > GMMU_LANES) return fail(r, "an access has 1 to 64 lanes", NULL);
    for (int i = 2; i < r->n; i++)
      if (number(r, r->word[i], UINT64_MAX, &op.addr[op.lanes++])) return -1;
  }
  return r->sink.op(r->sink.arg, &op);
}

static int read_array(struct reader *r) {
  struct gmmu_array a = {.line = (uint32_t)r->line};
  if (r->n != 5) return fail(r, "expected: array NAME ADDRESS BYTES rw|ro", NULL);
  if (name(r, r->word[1], a.name) || number(r, r->word[2], UINT64_MAX, &a.va) ||
      number(r, r->word[3], UINT64_MAX, &a.bytes))
    return -1;
  if (strcmp(r->word[4], "rw") != 0 && strcmp(r->word[4], "ro") != 0)
    return fail(r, "expected rw or ro, got", r->word[4]);
  a.writable = r->word[4][1] == 'w';
  return r->sink.array(r->sink.arg, &a);
}

static int read_launch(struct reader *r) {
  uint64_t blocks, warps;
  char kernel[TRACE_NAME];
  if (r->n != 6 || strcmp(r->word[2], "blocks") != 0 || strcmp(r->word[4], "warps") != 0)
    return fail(r, "expected: launch KERNEL blocks N warps N", NULL);
  if (name(r, r->word[1], kernel) || number(r, r->word[3], UINT32_MAX, &blocks) ||
      number(r, r->word[5], UINT32_MAX, &warps))
    return -1;
  return r->sink.launch(r->sink.arg, kernel, (uint32_t)blocks, (uint32_t)warps);
}

static int read_warp(struct reader *r) {
  uint64_t block, warp;
  if (r->n != 4 || strcmp(r->word[2], "warp") != 0)
    return fail(r, "expected: block N warp N", NULL);
  if (number(r, r->word[1], UINT32_MAX, &block) || number(r, r->word[3], UINT32_MAX, &warp))
    return -1;
  return r->sink.warp(r->sink.arg, (uint32_t)block, (uint32_t)warp);
}

static int read_gap(struct reader *r) {
  struct gmmu_op op = {.access = GMMU_OP_GAP};
  uint64_t v;
  if (r->n != 2) return fail(r, "expected: gap CYCLES", NULL);
  if (number(r, r->word[1], UINT32_MAX, &v)) return -1;
  op.gap = (uint32_t)v;
  return r->sink.op(r->sink.arg, &op);
}

static int read_line(struct reader *r) {
  const char *w = r->word[0];
  const char *kinds = "rwxa";
  if (strcmp(w, "array") == 0) return read_array(r);
  if (strcmp(w, "launch") == 0) return read_launch(r);
  if (strcmp(w, "block") == 0) return read_warp(r);
  if (strcmp(w, "gap") == 0) return read_gap(r);
  if (w[0] && !w[1] && strchr(kinds, w[0])) return read_op(r, (int)(strchr(kinds, w[0]) - kinds));
  return fail(r, "unknown word", w);
}

/* The first two lines: "gmmu-trace 1" and "app NAME". */
static int read_head(struct reader *r, int *seen) {
  if (*seen == 0) {
    if (r->n != 2 || strcmp(r->word[0], "gmmu-trace") != 0)
      return fail(r, "not a gmmu trace", NULL);
    if (strcmp(r->word[1], "1") != 0) return fail(r, "unknown trace version", r->word[1]);
  } else {
    if (r->n != 2 || strcmp(r->word[0], "app") != 0) return fail(r, "expected: app NAME", NULL);
    char app[TRACE_NAME];
    if (name(r, r->word[1], app)) return -1;
    r->b = gmmu_trace_builder_new(app);
    if (!r->b) return fail(r, "out of memory", NULL);
    r->sink = gmmu_trace_builder_sink(r->b);
  }
  ++*seen;
  return 0;
}

struct gmmu_trace *trace_read_text(FILE *f, const char *path, struct gmmu_err *err) {
  struct reader r = {.path = path, .err = err};
  struct gmmu_text t = {.f = f, .path = path};
  int seen = 0, rc = 0, more;
  while (rc == 0 && (more = gmmu_text_line(&t, err)) != 0) {
    r.line = t.line;
    if ((rc = more < 0 ? -1 : split(&r, t.buf)) || r.n == 0) continue;
    if (seen < 2) {
      rc = read_head(&r, &seen);
      continue;
    }
    if (err) err->msg[0] = 0;
    rc = read_line(&r);
    /* The builder's refusals have no line number yet. */
    if (rc && (!err || err->msg[0] == 0)) {
      struct gmmu_err inner = {"bad trace"};
      gmmu_trace_free(gmmu_trace_builder_finish(r.b, &inner));
      r.b = NULL;
      fail(&r, inner.msg, NULL);
    }
  }
  gmmu_text_free(&t);
  if (rc == 0 && seen < 2) {
    r.line += r.line == 0;
    rc = fail(&r, "not a gmmu trace", NULL);
  }
  struct gmmu_err ignored;
  struct gmmu_trace *done = r.b ? gmmu_trace_builder_finish(r.b, rc ? &ignored : err) : NULL;
  if (rc) {
    gmmu_trace_free(done);
    done = NULL;
  }
  return done;
}

/* ---------------------------------------- writing */
static void print_op(const struct gmmu_op *op, FILE *f) {
  if (op->access == GMMU_OP_GAP) {
    fprintf(f, "gap %u\n", op->gap);
    return;
  }
  fprintf(f, "%s %u", gmmu_access_name(op->access), op->bytes);
  bool affine = op->lanes > 2;
  uint64_t stride = op->lanes > 1 ? op->addr[1] - op->addr[0] : 0;
  for (int i = 2; i < op->lanes && affine; i++) affine = op->addr[i] - op->addr[i - 1] == stride;
  if (affine && stride >> 63)
    fprintf(f, " 0x%llx-%llu*%u", (unsigned long long)op->addr[0], (unsigned long long)-stride,
            op->lanes);
  else if (affine)
    fprintf(f, " 0x%llx+%llu*%u", (unsigned long long)op->addr[0], (unsigned long long)stride,
            op->lanes);
  else
    for (int i = 0; i < op->lanes; i++) fprintf(f, " 0x%llx", (unsigned long long)op->addr[i]);
  fputc('\n', f);
}

int trace_print_text(const struct gmmu_trace *t, FILE *f) {
  fprintf(f, "gmmu-trace 1\napp %s\n", t->app);
  for (uint32_t i = 0; i < t->narrays; i++)
    fprintf(f, "array %s 0x%llx %llu %s\n", t->array[i].name, (unsigned long long)t->array[i].va,
            (unsigned long long)t->array[i].bytes, t->array[i].writable ? "rw" : "ro");
  for (uint32_t l = 0; l < t->nlaunches; l++) {
    const struct launch *x = &t->launch[l];
    fprintf(f, "launch %s blocks %u warps %u\n", x->kernel, x->blocks, x->warps);
    for (uint32_t i = 0; i < x->blocks * x->warps; i++) {
      struct gmmu_cursor c;
      struct gmmu_op op;
      if (x->off[i] == x->off[i + 1]) continue;
      fprintf(f, "block %u warp %u\n", i / x->warps, i % x->warps);
      gmmu_trace_cursor(t, l, i / x->warps, i % x->warps, &c);
      while (gmmu_cursor_next(&c, &op)) print_op(&op, f);
    }
  }
  return ferror(f) ? -1 : 0;
}
