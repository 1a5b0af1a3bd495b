/* SPDX-License-Identifier: Apache-2.0 */
/* Kernel generators against the counts, lines and pages per warp access of the workload
 * definitions; the list of all of them: test_workload_list.c. */
#include "workload_rig.h"

static void atax(void **state) {
  (void)state;
  struct count *c = run("ATAX", 0);
  assert_int_equal(c->all.ops, 2 * 128 * (1 + 3 * 4096)); /* 3.15M */
  CHECK_LP(of(c, 0, "A", GMMU_READ), 32, 32, 0);
  CHECK_LP(of(c, 0, "x", GMMU_READ), 1, 1, 0);
  CHECK_LP(of(c, 0, "tmp", GMMU_WRITE), 1, 1, 0);
  CHECK_LP(of(c, 1, "A", GMMU_READ), 1, 1, 0);
  CHECK_LP(of(c, 1, "tmp", GMMU_READ), 1, 1, 0);
  CHECK_LP(of(c, 1, "y", GMMU_WRITE), 1, 1, 0);
  assert_int_equal(of(c, 0, "A", GMMU_READ)->lines, 32ull * 128 * 4096); /* 16.8M */
  assert_int_equal(c->launches, 2);
  free(c);
  c = run("ATAX", 256);
  CHECK_LP(of(c, 0, "A", GMMU_READ), 32, 8, 0);
  assert_int_equal(c->blocks, 8);
  assert_int_equal(c->warps, 1);
  free(c);
}

static void bicg(void **state) {
  (void)state;
  struct count *c = run("BICG", 0);
  assert_int_equal(c->all.ops, 2 * 128 * (1 + 3 * 4096));
  CHECK_LP(of(c, 0, "A", GMMU_READ), 1, 1, 0);
  CHECK_LP(of(c, 0, "r", GMMU_READ), 1, 1, 0);
  CHECK_LP(of(c, 1, "A", GMMU_READ), 32, 32, 0);
  CHECK_LP(of(c, 1, "p", GMMU_READ), 1, 1, 0);
  assert_int_equal(of(c, 0, "s", GMMU_READ)->ops, 0);
  assert_int_equal(of(c, 0, "s", GMMU_WRITE)->ops, 128 * 4097);
  assert_int_equal(of(c, 1, "q", GMMU_WRITE)->ops, 128 * 4097);
  assert_int_equal(c->blocks, 16);
  assert_int_equal(c->warps, 8);
  free(c);
}

static void mvt(void **state) {
  (void)state;
  struct count *c = run("MVT", 0);
  assert_int_equal(c->all.ops, 2 * 128 * (1 + 3 * 4096));
  CHECK_LP(of(c, 0, "a", GMMU_READ), 32, 32, 0);
  CHECK_LP(of(c, 1, "a", GMMU_READ), 1, 1, 0);
  assert_int_equal(of(c, 0, "x1", GMMU_READ)->ops, 128);
  assert_int_equal(of(c, 1, "x2", GMMU_WRITE)->ops, 128 * 4096);
  free(c);
}

static void gmv(void **state) {
  (void)state;
  struct count *c = run("GMV", 0);
  assert_int_equal(c->max_warp_ops, 8 * 4096 + 3);
  assert_int_equal(c->all.ops, 128 * (8 * 4096 + 3)); /* 4.2M */
  CHECK_LP(of(c, 0, "A", GMMU_READ), 32, 32, 0);
  CHECK_LP(of(c, 0, "B", GMMU_READ), 32, 32, 0);
  CHECK_LP(of(c, 0, "x", GMMU_READ), 1, 1, 0);
  CHECK_LP(of(c, 0, "y", GMMU_WRITE), 1, 1, 0);
  free(c);
}

static void nw(void **state) {
  (void)state;
  struct count *c = run("NW", 256);
  assert_int_equal(c->all.lanes, 139520);
  assert_int_equal(c->launches, 31);
  free(c);
  c = run("NW", 0);
  assert_int_equal(c->all.ops, 35 * 128 * 128); /* 573k */
  assert_int_equal(c->all.lanes, 8929280);
  assert_int_equal(c->launches, 255);
  assert_string_equal(c->kernel[127], "needle_kernel1");
  assert_string_equal(c->kernel[128], "needle_kernel2");
  CHECK_LP(of(c, 1, "reference", GMMU_READ), 1.5, 1.03, 0.04);
  CHECK_LP(of(c, 1, "matrix", GMMU_WRITE), 1.5, 1.03, 0.04);
  CHECK_LP(of(c, 0, "matrix", GMMU_READ), 18 / 3.0, 18 / 3.0,
           0.5); /* 1 lane, west column 16/16, north row */
  free(c);
}

/* The west column alone: kernel 2 (launch > 0), every 19th read. Checked on the 18th access of a
 * warp. */
static int west_op(void *arg, const struct gmmu_op *op) {
  struct count *c = arg;
  uint64_t lines[2 * GMMU_LANES], pages[2 * GMMU_LANES];
  if (op->access == GMMU_OP_GAP) return 0;
  if (c->warp_ops++ == 17) {
    int nl = gmmu_coalesce_lines(op, lines);
    add(&c->all, op, nl, gmmu_coalesce_pages(lines, nl, pages));
  }
  return 0;
}

static void nw_west(void **state) {
  (void)state;
  struct count *c = calloc(1, sizeof *c);
  assert_non_null(c);
  struct gmmu_trace_sink s = {.arg = c, .warp = on_warp, .op = west_op};
  const struct gmmu_workload *w = gmmu_workload_find("NW");
  assert_int_equal(w->gen(2048, 0, &s, NULL), 0);
  assert_int_equal(c->all.ops, 128 * 128);
  CHECK_LP(&c->all, 16, 16, 0);
  memset(&c->all, 0, sizeof c->all);
  assert_int_equal(w->gen(256, 0, &s, NULL), 0);
  CHECK_LP(&c->all, 16, 5, 0.2);
  free(c);
}

static void bfs(void **state) {
  (void)state;
  struct count *c = run("BFS", 65536);
  assert_int_equal(c->launches, 2 * 10); /* levels */
  struct sum e = *of(c, 0, "edges", GMMU_READ), v = *of(c, 0, "visited", GMMU_READ);
  const struct sum *e1 = of(c, 1, "edges", GMMU_READ), *v1 = of(c, 1, "visited", GMMU_READ);
  e = (struct sum){e.ops + e1->ops, e.lanes + e1->lanes, e.lines + e1->lines, e.pages + e1->pages};
  v = (struct sum){v.ops + v1->ops, v.lanes + v1->lanes, v.lines + v1->lines, v.pages + v1->pages};
  print_message(
      "BFS edges %.2f lanes %.2f/%.2f, visited %.2f/%.2f, cost store %.2f/%.2f of %.2f lanes\n",
      (double)e.lanes / (double)e.ops, (double)e.lines / (double)e.ops,
      (double)e.pages / (double)e.ops, (double)v.lines / (double)v.ops,
      (double)v.pages / (double)v.ops,
      (double)of(c, 1, "cost", GMMU_WRITE)->lines / (double)of(c, 1, "cost", GMMU_WRITE)->ops,
      (double)of(c, 1, "cost", GMMU_WRITE)->pages / (double)of(c, 1, "cost", GMMU_WRITE)->ops,
      (double)of(c, 1, "cost", GMMU_WRITE)->lanes / (double)of(c, 1, "cost", GMMU_WRITE)->ops);
  double lanes = (double)e.lanes / (double)e.ops;
  assert_true(lanes > 5.0 && lanes < 5.4);
  CHECK_LP(&e, 3.2, 1.09, 0.12);
  double vl = (double)v.lines / (double)v.ops;
  assert_true(vl > 5.0 && vl < 5.4);
  CHECK_LP(of(c, 1, "mask", GMMU_READ), 1, 1, 0);
  free(c);
}

/** Different seeds give different graphs, equal seeds equal traces; partial last warps stay in
 * bounds. */
static void bfs_seed(void **state) {
  (void)state;
  const struct gmmu_workload *w = gmmu_workload_find("BFS");
  uint64_t ops[3];
  for (int i = 0; i < 3; i++) {
    struct count *c = calloc(1, sizeof *c);
    assert_non_null(c);
    struct gmmu_trace_sink s = sink_of(c);
    assert_int_equal(w->gen(1000, i == 2 ? 43 : 42, &s, NULL), 0);
    assert_int_equal(c->bad, 0);
    assert_int_equal(c->blocks, 2);
    ops[i] = c->all.lines;
    free(c);
  }
  assert_int_equal(ops[0], ops[1]);
  assert_int_not_equal(ops[0], ops[2]);
}

static void conv2d(void **state) {
  (void)state;
  struct count *c = run("2DCONV", 0);
  assert_int_equal(c->all.ops, 10 * 128 * 4094); /* 524k warps less the border rows */
  for (int i = 0; i < 9; i++) {
    assert_int_equal(c->slot[i].ops, 128 * 4094);
    if (i % 3 == 1) CHECK_LP(&c->slot[i], 1, 1, 0);
    else CHECK_LP(&c->slot[i], 2, 1.03, 0.01);
  }
  CHECK_LP(&c->slot[9], 1, 1, 0);
  free(c);
  c = run("2DCONV", 128);
  for (int i = 0; i < 9; i++) CHECK_LP(&c->slot[i], i % 3 == 1 ? 1 : 1.75, 1, 0);
  free(c);
}

static void hotspot(void **state) {
  (void)state;
  struct count *c = run("HS", 0);
  assert_int_equal(c->launches, 2);
  assert_int_equal(c->blocks, 171 * 171);
  CHECK_LP(of(c, 0, "temp0", GMMU_READ), 2.9, 2, 0.1);
  CHECK_LP(of(c, 0, "power", GMMU_READ), 2.9, 2, 0.1);
  CHECK_LP(of(c, 0, "temp1", GMMU_WRITE), 2.5, 2, 0.05);
  CHECK_LP(of(c, 1, "temp1", GMMU_READ), 2.9, 2, 0.1);                 /* swapped */
  assert_int_equal(of(c, 1, "temp0", GMMU_WRITE)->lanes, 2048 * 2048); /* every cell once */
  free(c);
  c = run("HS", 512);
  CHECK_LP(of(c, 0, "power", GMMU_READ), 2.9, 1, 0.1);
  free(c);
}

static void histo(void **state) {
  (void)state;
  struct count *c = run("HISTO", 0);
  CHECK_LP(of(c, 0, "data", GMMU_READ), 1, 1, 0);
  CHECK_LP(of(c, 0, "partial", GMMU_WRITE), 1, 1, 0);
  CHECK_LP(full(c, "partial"), 32, 8, 0);
  assert_int_equal(of(c, 0, "data", GMMU_READ)->lanes, 16u << 20);
  assert_int_equal(of(c, 0, "partial", GMMU_WRITE)->lanes, 240 * 256);
  assert_int_equal(of(c, 1, "partial", GMMU_READ)->lanes, 240 * 256);
  assert_int_equal(of(c, 1, "histogram", GMMU_WRITE)->lanes, 256);
  free(c);
}

/* 32 independent uniform addresses would give 32/31.98 at 2^24 words and 32/31.52 at 2^19, the
 * numbers of the definitions. The benchmark's own stream, started at x^0, is sparse at first: its
 * first warps repeat lines and pages (thread k starts at x^(k * updates)). The second bound is the
 * measured one. */
static void gup(void **state) {
  (void)state;
  struct count *c = run("GUP", 0);
  CHECK_LP(of(c, 0, "table", GMMU_AMO), 32, 31.98, 0.1);
  CHECK_LP(of(c, 0, "table", GMMU_AMO), 31.964, 31.901, 0.001);
  CHECK_LP(of(c, 0, "starts", GMMU_READ), 2, 1, 0);
  assert_int_equal(c->all.ops, 2048 * (1 + 2 * 64)); /* capped */
  free(c);
  c = run("GUP", 1u << 19);
  CHECK_LP(of(c, 0, "table", GMMU_AMO), 32, 31.5, 1.0);
  CHECK_LP(of(c, 0, "table", GMMU_AMO), 31.485, 30.527, 0.001);
  assert_int_equal(c->all.ops, 2048 * (1 + 2 * 32)); /* the suite's whole run */
  free(c);
}

/** First atomic of warp 0 (arg: two words), then stop. */
static int first_amo(void *arg, const struct gmmu_op *op) {
  if (op->access != GMMU_AMO) return 0;
  memcpy(arg, op->addr, 2 * sizeof op->addr[0]);
  return 5;
}

/** x^64 = x^2 + x + 1, so x^1024 = x^32 + x^16 + 1: thread 1's first word is 2^17 + 2, thread 0's
 * is 2. */
static void gup_stream(void **state) {
  (void)state;
  uint64_t a[2] = {0};
  struct gmmu_trace_sink s = {.arg = a, .op = first_amo};
  assert_int_equal(gmmu_workload_find("GUP")->gen(1u << 24, 0, &s, NULL), 5);
  assert_int_equal(a[0], 0x10000000 + 8 * 2);
  assert_int_equal(a[1], 0x10000000 + 8 * ((1 << 17) + 2));
}

static void blk(void **state) {
  (void)state;
  struct count *c = run("BLK", 0);
  assert_int_equal(c->all.lanes, 5ull * (8 << 20));
  CHECK_LP(&c->all, 1, 1, 0);
  free(c);
  c = run("BLK", 1001); /* partial last warp */
  assert_int_equal(c->all.lanes, 5 * 1001);
  free(c);
}

static void red(void **state) {
  (void)state;
  struct count *c = run("RED", 0);
  CHECK_LP(&c->all, 1, 1, 0);
  assert_int_equal(c->launches, 4);
  assert_int_equal(full(c, "in")->lanes, 4ull * (16 << 20));
  free(c);
}

/** PolyBench data mining: the result's diagonal walk has a line and a page per lane. */
static void mining(void **state) {
  (void)state;
  struct count *c = run("CORR", 0);
  assert_int_equal(c->launches, 4);
  CHECK_LP(of(c, 0, "data", GMMU_READ), 1, 1, 0);
  CHECK_LP(of(c, 1, "symmat", GMMU_WRITE), 32, 32, 0.35);
  CHECK_LP(of(c, 1, "mean", GMMU_READ), 1, 1, 0);
  /* mean, std, reduce; then per warp 4 t: 1 + 2048 x 3 + 1, and the diagonal */
  assert_int_equal(c->all.ops, 64ull * (2 + 2 * 2048) + 64ull * (3 + 3 * 2048) + 5ull * 64 * 2048 +
                                   64ull * (1 + 4 * (3ull * 2048 + 2)));
  free(c);
  c = run("COVAR", 0);
  assert_int_equal(c->launches, 3);
  CHECK_LP(of(c, 1, "symmat", GMMU_WRITE), 32, 32, 0.35);
  assert_int_equal(c->all.ops,
                   64ull * (2 + 2 * 2048) + 3ull * 64 * 512 + 64ull * 4 * (3ull * 2048 + 2));
  free(c);
  /* at M = 64 all t: the shifted loads are 2 lines as often as the shift is not a multiple of 32 */
  c = run("COVAR", 64);
  assert_int_equal(of(c, 1, "symmat", GMMU_WRITE)->ops, (64ull + 32) * (64 + 2));
  free(c);
}

static void grm(void **state) {
  (void)state;
  struct count *c = run("GRM", 2048);
  assert_int_equal(c->launches, 3 * 8);
  CHECK_LP(of(c, 0, "A", GMMU_READ), 1, 1, 0);
  assert_int_equal(of(c, 0, "A", GMMU_READ)->lanes, 2048); /* one thread */
  assert_true(c->all.ops > 3500000 && c->all.ops < 3900000);
  free(c);
  c = run("GRM", 64);
  /* kernel 2: 32 lines and 2 pages at N = 64 (8 k, 2 warps); kernel 3 stores no Q */
  CHECK_LP(of(c, 1, "Q", GMMU_WRITE), 32, 2, 0);
  assert_int_equal(of(c, 1, "Q", GMMU_WRITE)->ops, 16);
  free(c);
}

static void grid_graphs(void **state) {
  (void)state;
  struct count *c = run("COLOR", 1024);
  CHECK_LP(of(c, 0, "col", GMMU_READ), 4.9, 1.12, 0.3);    /* some are read again, by fewer lanes */
  CHECK_LP(of(c, 0, "color", GMMU_READ), 1.42, 1.03, 0.1); /* with color[tid], 1 line */
  assert_int_equal(c->array[1].bytes, 4ull * 4 * 1024 * 1023);
  assert_true(c->launches >= 10 && c->launches % 2 == 0);
  assert_int_equal(of(c, 1, "color", GMMU_WRITE)->lanes,
                   1024 * 1024); /* every vertex is coloured once */
  free(c);
  c = run("SSSP", 0);
  assert_int_equal(c->launches, 1 + 3 * 8);
  CHECK_LP(of(c, 1, "data", GMMU_READ), 3.5, 1.1, 0.4); /* degree 2.8 */
  CHECK_LP(of(c, 1, "vector2", GMMU_WRITE), 1, 1, 0.02);
  assert_true(c->array[1].bytes / 4 > 3350000 && c->array[1].bytes / 4 < 3430000);
  free(c);
}

static void tiles(void **state) {
  (void)state;
  struct count *c = run("LUD", 2048);
  uint64_t want = 0;
  for (uint64_t p = 0; p < 16; p++) {
    uint64_t t = 127 - p;
    want += 31 + t * (16 + 32 + 31) + t * t * 32;
  }
  assert_int_equal(c->all.ops, want);
  assert_int_equal(c->launches, 3 * 16);
  assert_true(c->full[0].ops > 0);
  CHECK_LP(&c->full[0], 2, 2, 0); /* the internal kernel */
  free(c);
  c = run("LUD", 128); /* to the end: 8 diagonals */
  assert_int_equal(c->launches, 3 * 8 - 2);
  free(c);
  c = run("SRAD", 0);
  assert_int_equal(c->all.ops, 2ull * 19 * 2048 * 2048 / 32);
  CHECK_LP(of(c, 0, "C", GMMU_WRITE), 2, 2, 0);
  CHECK_LP(of(c, 0, "J", GMMU_READ), (1 + 1 + 2 + 2 + 2) / 5., (1 + 1 + 2 + 2 + 2) / 5., 0);
  free(c);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(atax),       cmocka_unit_test(bicg),     cmocka_unit_test(mvt),
      cmocka_unit_test(gmv),        cmocka_unit_test(nw),       cmocka_unit_test(nw_west),
      cmocka_unit_test(bfs),        cmocka_unit_test(bfs_seed), cmocka_unit_test(conv2d),
      cmocka_unit_test(hotspot),    cmocka_unit_test(histo),    cmocka_unit_test(gup),
      cmocka_unit_test(gup_stream), cmocka_unit_test(blk),      cmocka_unit_test(red),
      cmocka_unit_test(mining),     cmocka_unit_test(grm),      cmocka_unit_test(grid_graphs),
      cmocka_unit_test(tiles),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
