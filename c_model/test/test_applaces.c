/* SPDX-License-Identifier: Apache-2.0 */
/** test_applaces.c - what kernels and plain programs of the workloads share, so that comparing the
 * two shows nothing of it: where a warp reads and what it adds. And what a run says when the file
 * is not what the kernel read. workload.c is compiled here. */
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "apointers/workload.c"

/* ---------------------------------------- places */

enum { BLOCKS = 3, WARPS = 5, PAGES = 4 };

/* Each byte of the vector once; a warp's in one piece, in order. */
static void test_in_order(void **state) {
  enum { BYTES = BLOCKS * WARPS * PAGES * PAGE };
  uint8_t *seen = malloc(BYTES);
  (void)state;
  for (uint32_t bytes = 4; bytes <= 16; bytes *= 2) {
    struct ap_workload w = {
        .kind = AP_READ, .blocks = BLOCKS, .warps = WARPS, .pages = PAGES, .bytes = bytes};
    memset(seen, 0, BYTES);
    assert_int_equal(accesses(&w), PAGES * 4096 / (32 * bytes));
    for (uint32_t g = 0; g < BLOCKS * WARPS; g++) {
      uint64_t next = (uint64_t)g * PAGES * 4096;
      for (uint32_t n = 0; n < accesses(&w); n++) {
        uint64_t at = place(&w, g / WARPS, g % WARPS, n);
        for (uint32_t i = 0; i < L; i++, next += bytes) {
          assert_int_equal(lane_at(&w, at, i), next);
          for (uint32_t b = 0; b < bytes; b++) seen[next + b]++;
        }
      }
    }
    for (size_t i = 0; i < BYTES; i++) assert_int_equal(seen[i], 1);
  }
  free(seen);
}

/* Table III: a word of each of the warp's pages, the same for all lanes. */
static void test_faults(void **state) {
  struct ap_workload w = {
      .kind = AP_FAULTS, .blocks = BLOCKS, .warps = WARPS, .pages = PAGES, .bytes = 4};
  uint8_t seen[BLOCKS * WARPS * PAGES] = {0};
  (void)state;
  assert_int_equal(accesses(&w), PAGES);
  for (uint32_t g = 0; g < BLOCKS * WARPS; g++)
    for (uint32_t n = 0; n < PAGES; n++) {
      uint64_t at = place(&w, g / WARPS, g % WARPS, n);
      for (uint32_t i = 0; i < L; i++) assert_int_equal(lane_at(&w, at, i), at);
      assert_true(at % 4 == 0 && at / PAGE / PAGES == g);
      seen[at / PAGE]++;
    }
  for (size_t i = 0; i < sizeof seen; i++) assert_int_equal(seen[i], 1);
}

/* Figure 7: each warp reads 4 KiB, another of the block's pages each time and all of them equally
 * often; 32 warps that stand on one page are apart. */
static void test_tlb(void **state) {
  (void)state;
  for (uint32_t pages = 1; pages <= 16; pages *= 2) {
    struct ap_workload w = {
        .kind = AP_TLB, .blocks = BLOCKS, .warps = 32, .pages = pages, .bytes = 4};
    assert_int_equal(accesses(&w) * 32 * 4, 4096);
    for (uint32_t b = 0; b < BLOCKS; b++) {
      uint32_t often[16] = {0};
      uint8_t apart[32] = {0};
      for (uint32_t warp = 0; warp < 32; warp++) {
        for (uint32_t n = 0; n < accesses(&w); n++) {
          uint64_t at = place(&w, b, warp, n);
          assert_true(at / PAGE / pages == b && at % 128 == 0);
          assert_int_equal(lane_at(&w, at, 31), at + 124);
          often[at / PAGE % pages]++;
          if (n && pages > 1) assert_true(at / PAGE != place(&w, b, warp, n - 1) / PAGE);
        }
        apart[place(&w, b, warp, 0) % PAGE / 128]++;
      }
      for (uint32_t p = 0; p < pages; p++) assert_int_equal(often[p], 32 * 32 / pages);
      for (uint32_t i = 0; i < 32; i++) assert_int_equal(apart[i], 1);
    }
  }
}

/* Elements of 4 bytes one after the other, of two vectors their sum. */
static void test_elements(void **state) {
  (void)state;
  for (uint32_t bytes = 4; bytes <= 16; bytes *= 2)
    for (int pairs = 0; pairs < 2; pairs++) {
      struct ap_workload w = {.kind = pairs ? AP_ADD : AP_READ, .bytes = bytes};
      struct gmmu_rng r = {bytes};
      uint32_t a[L * 4], b[L * 4], got[L] = {0}, want[L] = {0};
      for (uint32_t i = 0; i < L * 4; i++)
        a[i] = (uint32_t)gmmu_rng_next(&r), b[i] = (uint32_t)gmmu_rng_next(&r);
      consume(&w, (uint8_t *)a, pairs ? (uint8_t *)b : NULL, got);
      for (uint32_t k = 0; k < bytes / 4; k++) {
        uint32_t x[L];
        for (uint32_t i = 0; i < L; i++) {
          uint32_t at = i * (bytes / 4) + k;
          x[i] = a[at] + (pairs ? b[at] : 0);
        }
        ap_compute(w.kind, 0, x, want);
      }
      assert_memory_equal(got, want, sizeof got);
    }
}

/* ---------------------------------------- whole runs */

static int lines_with(const char *file, const char *part) {
  char line[8192];
  int n = 0;
  FILE *f = fopen(file, "r");
  while (fgets(line, sizeof line, f)) n += strstr(line, part) != NULL;
  fclose(f);
  return n;
}

/* Changes a file when both launches are over, or removes it. */
struct fate {
  char dir[64];
  const char *prefix; /* of the file, or NULL: none */
  long at;            /* word that changes, or -1: the file goes */
  int told;
};
static void meets(void *arg, const char *what, uint64_t done, uint64_t all) {
  struct fate *t = arg;
  char path[400];
  if (strcmp(what, "launch") || done < all) return;
  t->told++;
  DIR *d = opendir(t->dir);
  for (struct dirent *e; t->prefix && (e = readdir(d));) {
    if (strncmp(e->d_name, t->prefix, strlen(t->prefix))) continue;
    snprintf(path, sizeof path, "%s/%s", t->dir, e->d_name);
    if (t->at < 0) {
      assert_int_equal(remove(path), 0);
      break;
    }
    FILE *f = fopen(path, "r+");
    uint32_t word;
    fseek(f, t->at, SEEK_SET);
    assert_int_equal(fread(&word, 4, 1, f), 1);
    word++;
    fseek(f, t->at, SEEK_SET);
    fwrite(&word, 4, 1, f);
    fclose(f);
  }
  closedir(d);
}

static int run(enum ap_kind kind, enum ap_through through, struct fate *t, struct ap_result *r,
               struct gmmu_err *err) {
  struct ap_workload w = {.kind = kind,
                          .through = through,
                          .blocks = BLOCKS,
                          .warps = WARPS,
                          .pages = PAGES,
                          .bytes = kind == AP_FAULTS ? 4 : 8,
                          .rounds = 3,
                          .seed = 9,
                          .images = 100,
                          .image_blocks = 20,
                          .dir = t->dir,
                          .progress = meets,
                          .progress_arg = t};
  struct gmmu_ap_config c = {.pages = 300};
  struct gmmu_ap_record first;
  strcpy(t->dir, "/tmp/gmmu-test-XXXXXX");
  assert_non_null(mkdtemp(t->dir));
  int bad = ap_workload_run(&w, &c, r, &first, err);
  assert_int_equal(t->told, 1);
  assert_int_equal(lines_with("/proc/self/maps", t->dir), 0); /* nothing stays mapped */
  assert_int_equal(rmdir(t->dir), 0);                         /* and no file is left */
  return bad;
}

/* One word of the file that is another than what the kernel read: one value is wrong; of the copy,
 * the value and the word in its file. A word that nobody reads is none. */
static void test_differences(void **state) {
  static const struct {
    enum ap_kind kind;
    long at;
    uint64_t wrong;
  } v[] = {{AP_READ, 0, 1},
           {AP_READ, BLOCKS * WARPS * PAGES * PAGE - 4, 1},
           {AP_RANDOM, 3 * PAGE + 8, 1},
           {AP_ADD, 12, 1},
           {AP_ADD, 2 * BLOCKS * WARPS * PAGES * PAGE - 4, 1},
           {AP_REDUCE, 16, L},
           {AP_COPY, 5 * PAGE + 4, 2},
           {AP_COPY, BLOCKS * WARPS * PAGES * PAGE - 4, 2},
           {AP_FAULTS, 0, L},
           {AP_FAULTS, 4, 0},
           {AP_FAULTS, PAGES * PAGE + 4, L},
           {AP_FAULTS, (BLOCKS * WARPS - 1) * PAGES * PAGE + 4, 0}};
  (void)state;
  for (size_t i = 0; i < sizeof v / sizeof v[0]; i++)
    for (int through = 0; through < 2; through++) {
      struct fate t = {.prefix = "gmmu-data", .at = v[i].at};
      struct gmmu_err err = {""};
      struct ap_result r;
      if (run(v[i].kind, (enum ap_through)through, &t, &r, &err)) fail_msg("%s", err.msg);
      if (r.wrong != v[i].wrong) fail_msg("case %zu: %d wrong", i, (int)r.wrong);
    }
}

/* A file that is gone when the plain program reads it. */
static void test_gone(void **state) {
  static const struct {
    enum ap_kind kind;
    const char *prefix;
  } v[] = {{AP_READ, "gmmu-data"},
           {AP_COPY, "gmmu-data"},
           {AP_COPY, "gmmu-copy"},
           {AP_COLLAGE, "gmmu-data"}};
  (void)state;
  for (size_t i = 0; i < sizeof v / sizeof v[0]; i++) {
    struct fate t = {.prefix = v[i].prefix, .at = -1};
    struct gmmu_err err = {""};
    struct ap_result r;
    assert_int_equal(run(v[i].kind, AP_POINTERS, &t, &r, &err), -1);
    assert_non_null(strstr(err.msg, v[i].prefix));
    assert_non_null(strstr(err.msg, "No such file"));
  }
}

/* A page is pinned once for as long as a warp reads there; the collage's kernel reads each
 * histogram in six accesses of 512 bytes. */
static void test_faults_of_runs(void **state) {
  (void)state;
  for (int k = 0; k < AP_NUM_KINDS; k++) {
    struct fate t = {.prefix = NULL};
    struct gmmu_err err = {""};
    struct ap_result r;
    uint64_t pins = BLOCKS * WARPS * PAGES * (k == AP_ADD || k == AP_COPY ? 2 : 1);
    if (k == AP_TLB) continue;
    if (run((enum ap_kind)k, k == AP_COLLAGE ? AP_POINTERS : AP_GPUFS, &t, &r, &err))
      fail_msg("%s", err.msg);
    assert_true(r.wrong == 0 && r.aborted == 0);
    if (k == AP_COLLAGE) {
      assert_int_equal(r.cold.accesses, 6 * r.reads);
      assert_int_equal(r.warm.accesses, 6 * r.reads);
    } else {
      assert_int_equal(r.cold.major + r.cold.minor, pins);
      assert_int_equal(r.warm.minor, pins);
    }
  }
}

/* ---------------------------------------- files */

/* Names up to the longest that there may be; zeros for a target; whole chunks and a rest. */
static void test_make_file(void **state) {
  static char dir[4200], path[4096];
  struct ap_workload w = {.kind = AP_READ, .dir = dir};
  struct gmmu_err err;
  (void)state;
  for (int n = 4000; n < 4120; n++) { /* "/gmmu-x-XXXXXX" and the end are 15 more */
    memset(dir, 'd', (size_t)n);
    dir[0] = '/', dir[n] = 0;
    err.msg[0] = 0;
    assert_int_equal(ap_make_file(&w, "x", 1, 1, path, &err), -1);
    assert_int_equal(strstr(err.msg, "path too long") != NULL, n + 15 > 4096);
  }
  strcpy(dir, "/tmp");
  for (int seed = 0; seed < 3; seed++) {
    static const size_t bytes = (2 << 20) + 24;
    static uint64_t word[3][((2 << 20) + 24) / 8];
    int in = dup(0);
    close(0); /* the lowest number is free: a file of the descriptor 0 */
    int bad = ap_make_file(&w, "x", bytes, (uint64_t)seed, path, &err);
    dup2(in, 0);
    close(in);
    assert_int_equal(bad, 0);
    FILE *f = fopen(path, "r");
    assert_int_equal(fread(word[seed], 1, bytes, f), bytes);
    assert_int_equal(fgetc(f), EOF);
    fclose(f);
    for (size_t i = 0; i < bytes / 8; i++) {
      if (!seed) assert_true(word[0][i] == 0);
      else if (i) assert_true(word[seed][i] != word[seed][i - 1]);
    }
    gmmu_scratch_remove(path);
  }
}

/* Without a place for the files nothing runs. */
static void test_no_files(void **state) {
  (void)state;
  for (int k = 0; k < AP_NUM_KINDS; k++) {
    struct ap_workload w = {.kind = (enum ap_kind)k,
                            .blocks = 1,
                            .warps = 1,
                            .pages = 1,
                            .bytes = 4,
                            .images = 9,
                            .image_blocks = 2,
                            .dir = "/nonexistent"};
    struct gmmu_ap_config c = {.pages = 8};
    struct gmmu_ap_record first;
    struct gmmu_err err = {""};
    struct ap_result r;
    assert_int_equal(ap_workload_run(&w, &c, &r, &first, &err), -1);
    assert_non_null(strstr(err.msg, "/nonexistent/gmmu-data-"));
    assert_true(r.values == 0 && r.cold.accesses == 0);
  }
}

/* A launch that cannot be is an error of the run. */
static void test_no_launch(void **state) {
  struct ap_workload w = {.kind = AP_READ,
                          .blocks = 1,
                          .warps = 1,
                          .resident = 65,
                          .pages = 1,
                          .bytes = 4,
                          .seed = 1,
                          .dir = "/tmp"};
  struct gmmu_ap_config c = {.pages = 8};
  struct gmmu_ap_record first;
  struct gmmu_err err = {""};
  struct ap_result r;
  (void)state;
  assert_int_equal(ap_workload_run(&w, &c, &r, &first, &err), -1);
  assert_string_equal(err.msg, "65 resident blocks: at most 64");
}

/* Two vectors and one frame: the second pin of a warp is refused, and the block goes on without. */
static void test_no_page(void **state) {
  struct ap_workload w = {.kind = AP_ADD,
                          .through = AP_GPUFS,
                          .blocks = 1,
                          .warps = 1,
                          .pages = 2,
                          .bytes = 4,
                          .seed = 1,
                          .dir = "/tmp"};
  struct gmmu_ap_config c = {.pages = 1, .retry_limit = 20};
  struct gmmu_ap_record first = {0};
  struct gmmu_err err = {""};
  struct ap_result r;
  (void)state;
  assert_int_equal(ap_workload_run(&w, &c, &r, &first, &err), 0);
  assert_true(r.wrong > 0 && r.aborted == 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_in_order),    cmocka_unit_test(test_faults),
      cmocka_unit_test(test_tlb),         cmocka_unit_test(test_elements),
      cmocka_unit_test(test_differences), cmocka_unit_test(test_no_launch),
      cmocka_unit_test(test_gone),        cmocka_unit_test(test_faults_of_runs),
      cmocka_unit_test(test_make_file),   cmocka_unit_test(test_no_page),
      cmocka_unit_test(test_no_files)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
