/* SPDX-License-Identifier: Apache-2.0 */
/* Traces: both forms hold what was put in; damaged files are refused; nothing is left half written.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "trace/trace_int.h"

static char dir[] = "/tmp/gmmu-trace-XXXXXX";
static char path[64];

static const char *in_dir(const char *name) {
  snprintf(path, sizeof path, "%s/%s", dir, name);
  return path;
}

static void random_op(struct gmmu_rng *r, const struct gmmu_op *prev, struct gmmu_op *op) {
  memset(op, 0, sizeof *op);
  if (gmmu_rng_below(r, 5) == 0) {
    op->access = GMMU_OP_GAP;
    op->gap = (uint32_t)gmmu_rng_next(r);
    return;
  }
  op->access = (uint8_t)gmmu_rng_below(r, 4);
  op->bytes = (uint8_t)(1u << gmmu_rng_below(r, 5));
  op->lanes = (uint8_t)(1 + gmmu_rng_below(r, GMMU_LANES));
  uint64_t base = gmmu_rng_next(r), stride = gmmu_rng_next(r) >> (8 + gmmu_rng_below(r, 50));
  int kind = (int)gmmu_rng_below(r, 3);
  if (kind == 2 && prev->lanes) { /* the same lanes, shifted */
    op->lanes = prev->lanes;
    for (int i = 0; i < op->lanes; i++) op->addr[i] = prev->addr[i] + stride;
    return;
  }
  for (int i = 0; i < op->lanes; i++)
    op->addr[i] = kind ? base + (uint64_t)i * stride : gmmu_rng_next(r);
}

static struct gmmu_trace *random_trace(uint64_t seed) {
  struct gmmu_rng r = {seed};
  struct gmmu_trace_builder *b = gmmu_trace_builder_new("RANDOM");
  struct gmmu_trace_sink s = gmmu_trace_builder_sink(b);
  struct gmmu_op op = {0}, prev = {0};
  for (int i = 0; i < 3; i++) {
    struct gmmu_array a = {
        .va = gmmu_rng_next(&r) >> 8, .bytes = 1 + (gmmu_rng_next(&r) >> 40), .writable = i & 1};
    snprintf(a.name, sizeof a.name, "a%d", i);
    assert_int_equal(s.array(s.arg, &a), 0);
  }
  for (int l = 0; l < 4; l++) {
    uint32_t blocks = 1 + (uint32_t)gmmu_rng_below(&r, 4),
             warps = 1 + (uint32_t)gmmu_rng_below(&r, 4);
    assert_int_equal(s.launch(s.arg, "kernel", blocks, warps), 0);
    for (uint32_t i = 0; i < blocks * warps; i++) {
      if (gmmu_rng_below(&r, 4) == 0) continue;
      assert_int_equal(s.warp(s.arg, i / warps, i % warps), 0);
      prev.lanes = 0;
      for (uint64_t k = gmmu_rng_below(&r, 8); k > 0; k--) {
        random_op(&r, &prev, &op);
        assert_int_equal(s.op(s.arg, &op), 0);
        if (op.access != GMMU_OP_GAP) prev = op;
      }
    }
  }
  struct gmmu_trace *t = gmmu_trace_builder_finish(b, NULL);
  assert_non_null(t);
  return t;
}

static void same(const struct gmmu_trace *a, const struct gmmu_trace *b) {
  assert_string_equal(a->app, b->app);
  assert_int_equal(a->narrays, b->narrays);
  for (uint32_t i = 0; i < a->narrays; i++) { /* the text form also knows the line */
    assert_string_equal(a->array[i].name, b->array[i].name);
    assert_true(a->array[i].va == b->array[i].va && a->array[i].bytes == b->array[i].bytes &&
                a->array[i].writable == b->array[i].writable);
  }
  assert_int_equal(a->nlaunches, b->nlaunches);
  assert_int_equal(a->nops, b->nops);
  for (uint32_t l = 0; l < a->nlaunches; l++) {
    assert_int_equal(a->launch[l].blocks, b->launch[l].blocks);
    assert_int_equal(a->launch[l].warps, b->launch[l].warps);
    for (uint32_t i = 0; i < a->launch[l].blocks * a->launch[l].warps; i++) {
      struct gmmu_cursor ca, cb;
      struct gmmu_op x, y;
      gmmu_trace_cursor(a, l, i / a->launch[l].warps, i % a->launch[l].warps, &ca);
      gmmu_trace_cursor(b, l, i / a->launch[l].warps, i % a->launch[l].warps, &cb);
      while (gmmu_cursor_next(&ca, &x)) {
        assert_true(gmmu_cursor_next(&cb, &y));
        assert_int_equal(x.access, y.access);
        assert_int_equal(x.bytes, y.bytes);
        assert_int_equal(x.gap, y.gap);
        assert_int_equal(x.lanes, y.lanes);
        assert_memory_equal(x.addr, y.addr, x.lanes * sizeof x.addr[0]);
      }
      assert_false(gmmu_cursor_next(&cb, &y));
    }
  }
}

static void round_trips(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 60; seed++) {
    struct gmmu_trace *t = random_trace(seed), *u;
    struct gmmu_err err;
    for (int text = 0; text < 2; text++) {
      assert_int_equal(gmmu_trace_write(t, in_dir("t"), text, &err), 0);
      u = gmmu_trace_read(in_dir("t"), &err);
      assert_non_null(u);
      same(t, u);
      gmmu_trace_free(u);
    }
    gmmu_trace_free(t);
  }
}

static void put(const char *name, const void *v, size_t n) {
  FILE *f = fopen(in_dir(name), "wb");
  assert_non_null(f);
  assert_int_equal(fwrite(v, 1, n, f), n);
  fclose(f);
}

static size_t slurp(const char *name, uint8_t *v, size_t max) {
  FILE *f = fopen(in_dir(name), "rb");
  assert_non_null(f);
  size_t n = fread(v, 1, max, f);
  fclose(f);
  return n;
}

static void damaged_files(void **state) {
  (void)state;
  static uint8_t v[65536];
  struct gmmu_trace *t = random_trace(99), *u;
  struct gmmu_err err;
  assert_int_equal(gmmu_trace_write(t, in_dir("t"), false, &err), 0);
  size_t n = slurp("t", v, sizeof v);
  for (size_t k = 0; k < n; k++) { /* cut short at every byte */
    put("cut", v, k);
    u = gmmu_trace_read(in_dir("cut"), &err);
    assert_null(u);
    assert_non_null(strstr(err.msg, "cut"));
  }
  for (size_t k = 0; k < n;
       k++) { /* every byte changed: refused, or (a byte of no meaning) the same trace */
    v[k] ^= 0x5a;
    put("flip", v, n);
    u = gmmu_trace_read(in_dir("flip"), &err);
    if (u) same(t, u);
    gmmu_trace_free(u);
    v[k] ^= 0x5a;
  }
  gmmu_trace_free(t);
}

/* Behind the checksum: the layout itself must stand any bytes. */
static void damaged_layout(void **state) {
  (void)state;
  struct gmmu_rng r = {5};
  struct gmmu_err err;
  for (uint64_t seed = 1; seed <= 20; seed++) {
    struct gmmu_trace *t = random_trace(seed);
    struct bytes b = {0};
    assert_int_equal(trace_serialise(t, &b, &err), 0);
    for (int i = 0; i < 500; i++) {
      uint8_t *v = malloc(b.n);
      size_t n = gmmu_rng_below(&r, 4) ? b.n : gmmu_rng_below(&r, b.n);
      memcpy(v, b.v, b.n);
      for (uint64_t k = 1 + gmmu_rng_below(&r, 4); k > 0; k--)
        v[gmmu_rng_below(&r, b.n)] = (uint8_t)gmmu_rng_next(&r);
      struct gmmu_trace *u = calloc(1, sizeof *u);
      struct bytes in = {v, n, b.n};
      (void)trace_parse(u, &in, UINT64_MAX, "x", &err);
      gmmu_trace_free(u);
      free(in.v);
    }
    free(b.v);
    gmmu_trace_free(t);
  }
}

/* One warp whose only bytes are `op`. */
static struct gmmu_trace *parse_op(const uint8_t *op, size_t n, struct gmmu_err *err) {
  struct bytes b = {0};
  struct gmmu_trace *t = calloc(1, sizeof *t);
  uint8_t len = (uint8_t)n;
  bytes_put(&b,
            "GMMUTRC1\x01"
            "A\x00\x01\x01k\x01\x01",
            16);
  bytes_put(&b, &len, 1);
  bytes_put(&b, op, n);
  if (trace_parse(t, &b, UINT64_MAX, "x", err)) {
    gmmu_trace_free(t);
    t = NULL;
  }
  free(b.v);
  return t;
}

/* A last operation that breaks off is refused wherever it ends, as the first of its warp and behind
 * another. */
static void broken_last_operation(void **state) {
  (void)state;
  static const uint8_t whole[][12] = {
      {5, 0x00, 0x81, 0x80, 0x80, 0x01},       /* gap of four bytes */
      {5, 0x21, 0x03, 0x80, 0x01, 0x08},       /* affine: lanes, base, stride */
      {3, 0x21, 0x01, 0x10},                   /* one lane */
      {6, 0x23, 0x03, 0x80, 0x01, 0x08, 0x02}, /* list */
      {9, 0x21, 0x03, 0x80, 0x01, 0x08, 0x22, 0x80, 0x80,
       0x01}}; /* affine, then the same shifted */
  struct gmmu_err err = {""};
  for (size_t i = 0; i < sizeof whole / sizeof *whole; i++)
    for (size_t n = 1; n <= whole[i][0]; n++) {
      bool ends = n == whole[i][0] || (i == 4 && n == 5);
      struct gmmu_trace *t = parse_op(whole[i] + 1, n, &err);
      assert_true((t != NULL) == ends);
      if (t) assert_int_equal(gmmu_trace_num_ops(t), i == 0 ? 0 : i == 4 && n == 9 ? 2 : 1);
      else assert_non_null(strstr(err.msg, "x: corrupt operation in launch 0, block 0, warp 0"));
      gmmu_trace_free(t);
    }
}

static void text_errors(void **state) {
  (void)state;
  const struct {
    const char *text, *line;
  } c[] = {
      {"", ":1:"},
      {"hello\n", ":1:"},
      {"gmmu-trace 2\n", ":1:"},
      {"gmmu-trace 1\nlaunch k blocks 1 warps 1\n", ":2:"},
      {"gmmu-trace 1\napp X\narray A 0 0 rw\n", ":3:"},
      {"gmmu-trace 1\napp \x01X\n", ":2: name"},
      {"gmmu-trace 1\napp \xc3\xa4\n", ":2: name"},
      {"gmmu-trace 1\napp X\narray A\xff 0 16 rw\n", ":3: name"},
      {"gmmu-trace 1\napp X\nlaunch abcdefghijklmnopqrstuvwxyzabcdef blocks 1 warps 1\n",
       ":3: name"},
      {"gmmu-trace 1\napp X\nlaunch k blocks 16777217 warps 1\n", ":3:"},
      {"gmmu-trace 1\napp X\nlaunch k blocks 8388608 warps 1\nlaunch k blocks 1 warps 1\n", ":4:"},
      {"gmmu-trace 1\napp X\nlaunch k blocks 1 warps 1\nblock 0 warp 0\nr 4 -8\n",
       ":5: '-8' is negative"},
      {"gmmu-trace 1\napp X\nlaunch k blocks 1 warps 1\nblock 0 warp 0\nr 4 18446744073709551616\n",
       ":5: '18446744073709551616' is above 2^64 - 1"},
      {"gmmu-trace 1\napp X\nlaunch k blocks 1 warps 1\nblock 0 warp 0\ngap 4294967296\n",
       ":5: '4294967296' is above 2^32 - 1"},
      {"gmmu-trace 1\napp X\narray A 0 16 wo\n", ":3:"},
      {"gmmu-trace 1\napp X\nblock 0 warp 0\n", ":3:"},
      {"gmmu-trace 1\napp X\nlaunch k blocks 0 warps 1\n", ":3:"},
      {"gmmu-trace 1\napp X\nlaunch k blocks 1 warps 1\nr 4 0\n", ":4:"},
      {"gmmu-trace 1\napp X\nlaunch k blocks 1 warps 1\nblock 0 warp 1\n", ":4:"},
      {"gmmu-trace 1\napp X\nlaunch k blocks 2 warps 1\nblock 1 warp 0\nblock 0 warp 0\n", ":5:"},
      {"gmmu-trace 1\napp X\nlaunch k blocks 1 warps 1\nblock 0 warp 0\nr 3 0\n", ":5:"},
      {"gmmu-trace 1\napp X\nlaunch k blocks 1 warps 1\nblock 0 warp 0\nr 4 0+4*65\n", ":5:"},
      {"gmmu-trace 1\napp X\nlaunch k blocks 1 warps 1\nblock 0 warp 0\nr 4 12q\n", ":5:"},
      {"gmmu-trace 1\napp X\nlaunch k blocks 1 warps 1\nblock 0 warp 0\ngap -1\n", ":5:"},
      {"gmmu-trace 1\napp X\nlaunch k blocks 1 warps 1\nblock 0 warp 0\nq 4 0\n", ":5:"}};
  for (size_t i = 0; i < sizeof c / sizeof c[0]; i++) {
    struct gmmu_err err = {""};
    put("text", c[i].text, strlen(c[i].text));
    struct gmmu_trace *t = gmmu_trace_read(in_dir("text"), &err);
    if (t || !strstr(err.msg, c[i].line)) fail_msg("case %zu: %s", i, err.msg);
  }
}

static void no_partial_file(void **state) {
  (void)state;
  struct gmmu_trace *t = random_trace(3);
  struct gmmu_err err;
  assert_int_equal(gmmu_trace_write(t, in_dir("none/t"), false, &err), -1);
  assert_int_equal(access(in_dir("none/t"), F_OK), -1);
  gmmu_trace_free(t);
}

static int set_up(void **state) {
  (void)state;
  return mkdtemp(dir) ? 0 : -1;
}
static int tear_down(void **state) {
  (void)state;
  const char *names[] = {"t", "cut", "flip", "text", "wide"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) unlink(in_dir(names[i]));
  return rmdir(dir);
}

/* By hand: warps 0 and 1 of a block as one warp of 64 lanes; warp 2 has no neighbour. */
static void widened(void **state) {
  (void)state;
  static const char text[] =
      "gmmu-trace 1\napp W\narray A 0x10000000 0x10000 rw\nlaunch k blocks 1 warps 3\n"
      "block 0 warp 0\nr 4 0x10000000+4*32\ngap 5\nw 4 0x10001000+4*40\n"
      "block 0 warp 1\nr 4 0x10000080+4*32\ngap 9\nr 8 0x10002000\nw 4 0x10003000+4*30\n"
      "block 0 warp 2\na 4 0x10004000\n";
  static const struct {
    int warp, access, bytes, lanes;
    uint64_t first, last;
  } want[] = {
      {0, GMMU_READ, 4, 64, 0x10000000, 0x100000fc},  {0, GMMU_OP_GAP, 0, 0, 9, 0},
      {0, GMMU_WRITE, 4, 40, 0x10001000, 0x1000109c}, {0, GMMU_READ, 8, 1, 0x10002000, 0x10002000},
      {0, GMMU_WRITE, 4, 30, 0x10003000, 0x10003074}, {1, GMMU_AMO, 4, 1, 0x10004000, 0x10004000},
  };
  struct gmmu_err err = {""};
  FILE *f = fopen(in_dir("wide"), "w");
  assert_non_null(f);
  fputs(text, f);
  fclose(f);
  struct gmmu_trace *t = gmmu_trace_read(in_dir("wide"), &err), *w;
  assert_non_null(t);
  w = gmmu_trace_widen(t, &err);
  assert_non_null(w);
  assert_int_equal(gmmu_trace_warps_per_block(w, 0), 2);
  size_t i = 0;
  for (uint32_t warp = 0; warp < 2; warp++) {
    struct gmmu_cursor c;
    struct gmmu_op op;
    gmmu_trace_cursor(w, 0, 0, warp, &c);
    for (; gmmu_cursor_next(&c, &op); i++) {
      assert_true(i < sizeof want / sizeof want[0]);
      assert_int_equal(warp, want[i].warp);
      assert_int_equal(op.access, want[i].access);
      if (op.access == GMMU_OP_GAP) {
        assert_int_equal(op.gap, want[i].first);
        continue;
      }
      assert_int_equal(op.bytes, want[i].bytes);
      assert_int_equal(op.lanes, want[i].lanes);
      assert_int_equal(op.addr[0], want[i].first);
      assert_int_equal(op.addr[op.lanes - 1], want[i].last);
    }
  }
  assert_int_equal(i, sizeof want / sizeof want[0]);
  gmmu_trace_free(w);
  gmmu_trace_free(t);
}

int main(void) {
  const struct CMUnitTest t[] = {
      cmocka_unit_test(round_trips),    cmocka_unit_test(damaged_files),
      cmocka_unit_test(damaged_layout), cmocka_unit_test(broken_last_operation),
      cmocka_unit_test(text_errors),    cmocka_unit_test(no_partial_file),
      cmocka_unit_test(widened)};
  return cmocka_run_group_tests(t, set_up, tear_down);
}
