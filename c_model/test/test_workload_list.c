/* SPDX-License-Identifier: Apache-2.0 */
/* Every kernel of the list: MASK's, each in its small size, sizes that are refused. */
#include "workload_rig.h"

/** Every kernel at its small size; rejected sizes; NULL callbacks; aborts. */
/** MASK's list: lines and pages per warp access of the main arrays, as workloads of that list are
 * defined. */
static void mask_list(void **state) {
  struct count *c;
  (void)state;
  c = run("FFT", 64);
  check_lp(of(c, 0, "a", GMMU_READ), 2, 1, 0, __LINE__);
  check_lp(of(c, 0, "b", GMMU_WRITE), 4, 1, 0, __LINE__);          /* Ns = 1 */
  check_lp(of(c, 1, "b", GMMU_WRITE), 8.0 / 3, 1, 0.01, __LINE__); /* Ns = 4, 16, 64 */
  assert_int_equal(c->launches, 8);
  assert_int_equal(c->all.ops, 8 * 64 * 4 * 4);
  free(c);
  c = run("MM", 1024);
  check_lp(of(c, 0, "B", GMMU_READ), 2, 2, 0, __LINE__);
  check_lp(of(c, 0, "A", GMMU_READ), 1, 1, 0, __LINE__);
  assert_int_equal(c->all.ops, 8 * 64 * 4 * (1024 / 8 * 9 + 32));
  free(c);
  c = run("CONS", 1536);
  check_lp(&c->all, 2, 2, 0, __LINE__);
  assert_int_equal(c->launches, 20);
  free(c);
  c = run("FWT", 1 << 15);
  check_lp(&c->all, 1, 1, 0, __LINE__);
  assert_int_equal(c->launches, 3 * (2 + 1) + 1);
  free(c);
  c = run("LPS", 128);
  check_lp(of(c, 0, "u2", GMMU_WRITE), 1, 1, 0, __LINE__);
  free(c);
  c = run("3DS", 0);
  check_lp(&c->all, 1, 1, 0.01, __LINE__);
  assert_int_equal(c->all.ops, 16 * 32 * 8 * (8 + 112 * 11));
  free(c);
  c = run("BP", 1 << 16);
  check_lp(of(c, 0, "weights", GMMU_READ), 2, 1.04, 0.05, __LINE__);
  check_lp(of(c, 1, "units", GMMU_READ), 1.07, 1, 0.05, __LINE__);
  free(c);
  c = run("NN", 28);
  check_lp(of(c, 0, "layer1_neurons", GMMU_READ), 4.7, 1.1, 0.15, __LINE__);
  check_lp(of(c, 0, "layer2_neurons", GMMU_WRITE), 1.9, 1.03, 0.15, __LINE__);
  free(c);
  c = run("SC", 4096);
  assert_int_equal(of(c, 0, "coord", GMMU_READ)->ops, 4096 / 32 * 256 + 4096 / 512 * 256);
  check_lp(of(c, 0, "coord", GMMU_READ), 1, 1, 0, __LINE__);
  check_lp(of(c, 0, "points", GMMU_READ), 8, 1, 0, __LINE__);
  check_lp(of(c, 0, "work", GMMU_WRITE), 11, 1.4, 0.15, __LINE__);
  free(c);
  c = run("SAD", 176);
  check_lp(of(c, 0, "sads", GMMU_WRITE), 2.6, 1.07, 0.2, __LINE__);
  check_lp(of(c, 1, "sads", GMMU_READ), 1.7, 1.02, 0.3, __LINE__);
  assert_int_equal(c->array[1].bytes, 41 * 1096 * 2 * 99);
  free(c);
  c = run("RAY", 256);
  check_lp(&c->all, 2, 1, 0.01, __LINE__);
  free(c);
  c = run("CFD", 192 * 200);
  check_lp(of(c, 1, "old_variables", GMMU_READ), 1, 1, 0, __LINE__);
  assert_int_equal(of(c, 1, "normals", GMMU_READ)->ops, 3 * 200 * 6 * 12);
  free(c);
  c = run("LUH", 45);
  check_lp(of(c, 1, "nodelist", GMMU_READ), 1.7, 1.0, 0.2,
           __LINE__); /* 1.875: rows of 91,125 ints */
  check_lp(of(c, 1, "pos_x", GMMU_READ), 3.0, 1.06, 0.25, __LINE__);
  check_lp(of(c, 1, "f_elem_x", GMMU_READ), 3.5, 1.7, 0.35, __LINE__);
  check_lp(of(c, 1, "dvd_elem_x", GMMU_READ), 2.7, 1.05, 0.2, __LINE__);
  check_lp(of(c, 1, "ss", GMMU_READ), 2, 1, 0.02, __LINE__);
  free(c);
  c = run("TRD", 0);
  check_lp(&c->all, 1, 1, 0, __LINE__);
  assert_int_equal(c->all.ops, 2 * 3 * (16 << 20) / 128);
  free(c);
  c = run("SCP", 64);
  check_lp(of(c, 0, "A", GMMU_READ), 1, 1, 0, __LINE__);
  assert_int_equal(c->all.ops, 64 * (2 * 16384 / 32 + 1));
  free(c);
  c = run("SCAN", 1 << 20);
  check_lp(of(c, 0, "in", GMMU_READ), 1, 1, 0, __LINE__);
  check_lp(of(c, 1, "out", GMMU_WRITE), 4, 1, 0, __LINE__);
  free(c);
  c = run("QTC", 512);
  check_lp(of(c, 0, "distance_matrix", GMMU_READ), 11, 10, 6,
           __LINE__); /* a line and nearly a page per lane */
  assert_true(of(c, 0, "distance_matrix", GMMU_READ)->lines >
              of(c, 0, "distance_matrix", GMMU_READ)->lanes * 9 / 10);
  free(c);
}

static void all_small(void **state) {
  (void)state;
  size_t i = 0;
  for (const struct gmmu_workload *w; (w = gmmu_workload_at(i)); i++) {
    assert_ptr_equal(gmmu_workload_find(w->name), w);
    assert_non_null(w->about);
    assert_non_null(w->size_is);
    assert_true(w->small < w->dflt);
    struct count *c = run(w->name, w->small);
    print_message("%-8s small: %llu accesses, %.2f/%.2f\n", w->name, (unsigned long long)c->all.ops,
                  (double)c->all.lines / (double)c->all.ops,
                  (double)c->all.pages / (double)c->all.ops);
    assert_true(c->gaps > 0);
    free(c);
    struct gmmu_trace_sink none = {0};
    assert_int_equal(w->gen(w->small, 42, &none, NULL), 0);
    c = calloc(1, sizeof *c);
    assert_non_null(c);
    c->fail_after = 100;
    struct gmmu_trace_sink s = sink_of(c);
    assert_int_equal(w->gen(w->small, 42, &s, NULL), 7);
    assert_int_equal(c->all.ops, 100);
    free(c);
    struct gmmu_err err = {""};
    assert_int_equal(w->gen(0, 42, &none, &err), -1);
    assert_true(strlen(err.msg) > 10);
    assert_int_equal(w->gen(UINT64_MAX, 42, &none, &err), -1);
  }
  assert_int_equal(i, 36);
  assert_null(gmmu_workload_find("no such kernel"));
  assert_ptr_equal(gmmu_workload_find("atax"), gmmu_workload_find("ATAX"));
}

static void bad_sizes(void **state) {
  (void)state;
  static const struct {
    const char *name;
    uint64_t n;
    const char *msg;
  } t[] = {
      {"ATAX", 100, "ATAX: N is 100, must be a multiple of 32"},
      {"BICG", 288, "BICG: N is 288, must be a multiple of 256"},
      {"NW", 250, "NW: sequence length is 250, must be a multiple of 16"},
      {"GUP", 65535, "GUP: table words is 65535, must be a power of two"},
      {"RED", 3000, "RED: data bytes is 3000, must be a multiple of 2048"},
      {"BFS", 8, "BFS: number of vertices is 8, must be 32 to 268435456"},
  };
  struct gmmu_trace_sink none = {0};
  for (size_t i = 0; i < sizeof t / sizeof t[0]; i++) {
    struct gmmu_err err = {""};
    assert_int_equal(gmmu_workload_find(t[i].name)->gen(t[i].n, 42, &none, &err), -1);
    assert_string_equal(err.msg, t[i].msg);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(mask_list), cmocka_unit_test(all_small),
                                     cmocka_unit_test(bad_sizes)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
