/* SPDX-License-Identifier: Apache-2.0 */
/** test_no_memory.c - what is made gives NULL or an error when any one of its allocations is
 * refused, and nothing stays allocated, neither then nor after it was freed. The test has malloc,
 * calloc, realloc and free of its own, which can refuse one allocation and count what is not given
 * back. AddressSanitizer has its own: there nothing is refused, and its leak check does the
 * counting. What has no error to return ends the program by abort(), tried in one started again. */
#include "mm_rig.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "apointers/workload.h"
#include "frontend/frontend.h"
#include "frontend/l1d.h"
#include "gdm/gdm_int.h"
#include "gdm/machine.h"
#include "gmmu_apointer.h"
#include "gmmu_manager.h"
#include "policy/l1_tlb.h"
#include "policy/l2_cache.h"
#include "policy/l2_tlb.h"
#include "policy/walk_cache.h"
#include "scoreboard/scoreboard.h"

static bool counting;
static long not_freed, until_refused;

#ifndef __SANITIZE_ADDRESS__
/* NOLINTBEGIN(bugprone-reserved-identifier): glibc's names of what is replaced */
void *__libc_malloc(size_t n);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *p, size_t n);
void __libc_free(void *p);
/* NOLINTEND(bugprone-reserved-identifier) */

static bool refused(void) {
  if (!counting || until_refused-- != 0) return false;
  errno = ENOMEM;
  return true;
}
static void *counted(void *p) {
  not_freed += counting && p;
  return p;
}
void *malloc(size_t n) { return refused() ? NULL : counted(__libc_malloc(n)); }
void *calloc(size_t n, size_t size) { return refused() ? NULL : counted(__libc_calloc(n, size)); }
void *realloc(void *p, size_t n) {
  if (refused()) return NULL;
  return p ? __libc_realloc(p, n) : counted(__libc_realloc(p, n));
}
void free(void *p) {
  not_freed -= counting && p;
  __libc_free(p);
}
#endif

/* From now on allocations are counted, and the one after `first` more is refused. */
static void count(long first) {
  counting = true;
  not_freed = 0;
  until_refused = first;
}

/* Each allocation of make() refused in turn, until it needs no more of them: it returns NULL and
 * leaves nothing behind; with all of them drop() leaves nothing behind. */
static void refuse_each(const char *what, void *(*make)(void), void (*drop)(void *)) {
  void *made = make();
  assert_non_null(made); /* what the C library keeps of a first use (of threads) is not counted */
  drop(made);
  made = NULL;
  for (long n = 0; !made; n++) {
    count(n);
    made = make();
    bool all = until_refused >= 0;
    if (made) drop(made);
    counting = false;
    if (!made == all) fail_msg("%s: allocation %ld refused: made %d", what, n, made != NULL);
    if (not_freed) fail_msg("%s: allocation %ld refused: %ld not freed", what, n, not_freed);
    assert_true(n < 1000);
  }
}

static struct gmmu_config cfg;
static struct gmmu_trace *trace; /* of three arrays, and one warp that loads */

/* ---------------------------------------- arrays and TLBs */
static struct gmmu_replace order;
static void *new_order(void) { return gmmu_replace_init(&order, &gmmu_lru, 4, 2) ? &order : NULL; }
static void free_order(void *p) { gmmu_replace_free(p); }
static void *new_tlb(void) { return gmmu_tlb_new(4, 2, &gmmu_lru); }
static void free_tlb(void *p) { gmmu_tlb_free(p); }
static void *new_l1(void) { return gmmu_l1_new(&cfg, 0); }
static void free_l1(void *p) { gmmu_l1_free(p); }
static void *new_l2(void) { return gmmu_l2_new(&cfg); }
static void free_l2(void *p) { gmmu_l2_free(p); }
static void *new_cache(void) { return gmmu_l2_cache_new(4, 2, false); }
static void free_cache(void *p) { gmmu_l2_cache_free(p); }
static struct gmmu_pwc pwc;
static void *new_pwc(void) { return gmmu_pwc_init(&pwc, &cfg) ? NULL : &pwc; }
static void free_pwc(void *p) { gmmu_pwc_free(p); }
static void *new_scoreboard(void) {
  static const struct gmmu_env env;
  return gmmu_scoreboard_new(&cfg, &env);
}
static void free_scoreboard(void *p) { gmmu_scoreboard_free(p); }

/* ---------------------------------------- front end */
static struct gmmu_l1d l1d;
static void free_l1d(void *p) { gmmu_l1d_free(p); }
static void *new_l1d(void) {
  if (!gmmu_l1d_init(&l1d, 4096, 4)) return &l1d;
  gmmu_l1d_free(&l1d);
  return NULL;
}
static void free_fe(void *p) { gmmu_fe_free(p); }
static void *new_fe(void) {
  struct gmmu_fe_app app = {.trace = trace};
  struct gmmu_fe *f = gmmu_fe_new(&cfg, &app, 1, false, NULL);
  if (f && gmmu_fe_ok(f)) return f;
  gmmu_fe_free(f); /* of what it needs for an instruction it says so later */
  return NULL;
}

/* ---------------------------------------- devices and frames */
static void *new_device(void) { return gdm_model_new(1 << 20, false); }
static void free_device(void *p) { gdm_model_free(p); }
static void *new_pointers(void) {
  static const struct gmmu_ap_config c = {.pages = 4};
  return gmmu_ap_new(&c, NULL);
}
static void free_pointers(void *p) { assert_int_equal(gmmu_ap_free(p, NULL), 0); }
static struct gmmu_mapping mapping;
static void free_mapping(void *p) { gmmu_mapping_free(p); }
static void *place(bool scatter) {
  uint64_t next = 512;
  return gmmu_place_arrays(trace, 0, GMMU_MAP_4K, scatter, 1, &next, 1 << 20, &mapping, NULL)
             ? NULL
             : &mapping;
}
static void *placed(void) { return place(false); }
static void *scattered(void) { return place(true); }
static void *fragmented(void) {
  uint64_t next = 512;
  return gmmu_place_fragmented(trace, 0, 50, 1, &next, 1 << 20, &mapping, NULL) ? NULL : &mapping;
}

/* Of ActivePointers' workloads: the file, made and removed; the index of the collage's images. */
static void *new_file(void) {
  static const struct ap_workload w = {.kind = AP_READ, .dir = "/tmp"};
  static char path[4096];
  int bad = ap_make_file(&w, "no-memory", 5000, 1, path, NULL);
  remove(path);
  return bad ? NULL : path;
}
static void free_file(void *path) { (void)path; }
static void free_collage(void *c) { ap_collage_free(c); }
static void *new_collage(void) {
  static const struct ap_workload w = {.kind = AP_COLLAGE, .images = 30, .image_blocks = 4};
  struct ap_collage *c = NULL;
  if (!ap_collage_new(&c, &w, "", NULL)) return c;
  ap_collage_free(c);
  return NULL;
}

static const struct object {
  const char *name;
  void *(*make)(void);
  void (*drop)(void *);
} objects[] = {{"order", new_order, free_order},
               {"array", new_tlb, free_tlb},
               {"L1", new_l1, free_l1},
               {"L2", new_l2, free_l2},
               {"L2 cache", new_cache, free_cache},
               {"walk cache", new_pwc, free_pwc},
               {"scoreboard", new_scoreboard, free_scoreboard},
               {"L1 data cache", new_l1d, free_l1d},
               {"front end", new_fe, free_fe},
               {"device", new_device, free_device},
               {"pointers", new_pointers, free_pointers},
               {"file", new_file, free_file},
               {"collage", new_collage, free_collage},
               {"frames", placed, free_mapping},
               {"scattered frames", scattered, free_mapping},
               {"fragmented frames", fragmented, free_mapping}};

/* With split L2 arrays, with groups of pages, with the unified L2 array. */
static void builds(void **state) {
  (void)state;
  for (int build = 0; build < 3; build++) {
    gmmu_config_default(&cfg);
    cfg.NumSms = 2;
    cfg.PwcEntries = 16;
    cfg.PwcWays = 4;
    cfg.BypassEntries = 8;
    cfg.Colt = build == 1 ? 2 : 0;
    cfg.LineAnswers = build == 1;
    if (build == 2) {
      cfg.L2Unified = 1;
      cfg.L2LargeEntries = 0;
      cfg.MscSets = 4;
      cfg.MscWays = 2;
    }
    for (size_t i = 0; i < sizeof objects / sizeof *objects; i++)
      refuse_each(objects[i].name, objects[i].make, objects[i].drop);
  }
}

/* Memory and tables end the program without memory: they are only freed. Frames anywhere are found
 * again however many there are. */
static void use_tables(uint64_t seed) {
  struct gmmu_env e = {.num_asids = 4, .va_w = 48, .pa_w = 48};
  struct gmmu_mem *m = gmmu_mem_new();
  struct gmmu_tables *t = gmmu_tables_new(m, &e, 0x100, 0x1ff);
  struct gmmu_rng rng = {seed}, again = {seed};
  assert_int_equal(gmmu_tables_add_asid(t, 0, GMMU_MODE_SV48, true, NULL), 0);
  assert_int_equal(gmmu_tables_map(t, 0, 0, 0x1000000, 1 << 20, GMMU_PTE_R, GMMU_MAP_4K, NULL), 0);
  for (int i = 0; i < 1000; i++) {
    uint64_t pfn = 0x1000 + gmmu_rng_below(&rng, 1ull << 35);
    gmmu_mem_write64(m, pfn << 12, pfn);
  }
  for (int i = 0; i < 1000; i++) {
    uint64_t pfn = 0x1000 + gmmu_rng_below(&again, 1ull << 35);
    assert_int_equal(gmmu_mem_read64(m, pfn << 12), pfn);
  }
  gmmu_tables_free(t);
  gmmu_mem_free(m);
}
static void tables(void **state) {
  (void)state;
  count(LONG_MAX);
  for (uint64_t seed = 1; seed <= 10; seed++) use_tables(seed);
  counting = false;
  assert_int_equal(not_freed, 0);
}

/* ---------------------------------------- memory manager */
static struct gmmu_drv *driver;
static void *new_manager(void) {
  static const struct gmmu_mm_cfg cfg = {GMMU_MM_MOSAIC, FIRST, 8 * FRAME, 256, true, false};
  static const struct gmmu_mm_host host;
  return gmmu_mm_new(&cfg, driver, &host);
}
static void free_manager(void *m) { gmmu_mm_free_all(m); }
/* Without memory there is no manager; pages that are gone leave nothing behind in it. */
static void manager(void **state) {
  void *own;
  (void)state;
  begin(&own, GMMU_MM_MOSAIC, 8, true, false);
  struct rig *r = own;
  driver = &r->drv;
  refuse_each("manager", new_manager, free_manager);
  for (int round = 0; round < 9; round++) { /* by then each frame has been used before */
    if (round == 8) count(LONG_MAX);
    int e = gmmu_mm_alloc(r->mm, 3, BASE_VA, FRAME + 4 * PAGE, RW, false);
    if (!e) e = gmmu_mm_dealloc(r->mm, 3, BASE_VA, FRAME + 4 * PAGE);
    counting = false;
    assert_int_equal(e, 0);
  }
  assert_int_equal(not_freed, 0);
  assert_int_equal(end(&own), 0);
}

/* Each allocation refused in turn: what was not allocated is not, what was freed is; the manager
 * goes on. Two 2 MiB, one of which loses its rest by compaction. */
static void manager_goes_on(void **state) {
  const uint64_t bytes = 2 * FRAME, from = BASE_VA + 212 * PAGE, freed = 600 * PAGE;
  (void)state;
#ifdef __SANITIZE_ADDRESS__
  skip(); /* nothing is refused */
#endif
  int e = -1;
  for (long first = 0; e; first++) {
    void *own;
    begin(&own, GMMU_MM_MOSAIC, 4, true, false);
    struct rig *r = own;
    for (int round = 0; round < 8; round++) { /* the test's own memory is there by then */
      assert_int_equal(gmmu_mm_alloc(r->mm, 3, BASE_VA, bytes, RW, false), 0);
      assert_int_equal(gmmu_mm_dealloc(r->mm, 3, BASE_VA, bytes), 0);
    }
    count(first);
    e = gmmu_mm_alloc(r->mm, 3, BASE_VA, bytes, RW, false);
    counting = false;
    if (e) {
      assert_int_equal(e, GMMU_MM_NO_MEMORY);
      assert_int_equal(stats(r).pages, 0);
      assert_int_equal(gmmu_mm_alloc(r->mm, 3, BASE_VA, bytes, RW, false), 0);
    }
    well(r);
    count(e ? first % 8 : 0);
    int after = gmmu_mm_dealloc(r->mm, 3, from, freed);
    counting = false;
    assert_int_equal(after, 0);
    assert_int_equal(stats(r).pages, (bytes - freed) / PAGE);
    well(r);
    assert_int_equal(end(&own), 0);
  }
}

/* ---------------------------------------- a pointer of a warp */
static void opens_a_pointer(struct gmmu_ap_warp *w, void *arg) {
  (void)arg;
  count(0);
  gmmu_ap_open(w, false);
}
/* Its block ends by an error of lane 0, of no file. */
static void no_pointer(void **state) {
  size_t n;
  uint64_t more;
  (void)state;
#ifdef __SANITIZE_ADDRESS__
  skip(); /* nothing is refused */
#endif
  struct gmmu_ap *s = new_pointers();
  assert_non_null(s);
  assert_int_equal(gmmu_ap_launch(s, 1, 1, 1, opens_a_pointer, NULL, NULL), 1);
  counting = false;
  const struct gmmu_ap_record *r = gmmu_ap_records(s, &n, &more);
  assert_true(n == 1 && more == 0);
  assert_true(r->block == 0 && r->warp == 0 && r->lane == 0 && r->error == GMMU_AP_LIMIT);
  assert_true(!r->write && r->file == -1 && r->position == 0);
  free_pointers(s);
}

/* ---------------------------------------- what has no error to return ends the program */
static void needs_a_block(void) {
  static struct op kernel;
  static struct block block;
  count(0);
  gdm_need(&kernel, &block);
}
static void signs(void) {
  static const uint8_t data[256];
  uint8_t signature[MD5_BYTES];
  gdm_sign_bytes(data, sizeof data, 1, signature); /* what a first use keeps is there */
  count(1);                                        /* the lanes, but no digest of one */
  gdm_sign_bytes(data, sizeof data, 1, signature);
}
static void nothing(void *arg) { (void)arg; }
static void starts_an_application(void) {
  struct rlimit memory;
  struct gdm_config c;
  gdm_config_default(&c);
  struct gdm *g = gdm_new(&c, NULL);
  getrlimit(RLIMIT_AS, &memory);
  memory.rlim_cur = 1; /* no stack for its thread */
  setrlimit(RLIMIT_AS, &memory);
  gdm_app_start(g, "late", nothing, NULL);
}
static const struct {
  const char *name;
  void (*what)(void);
} ends[] = {{"needs", needs_a_block}, {"signs", signs}, {"starts", starts_an_application}};
static void ends_by_abort(void **state) {
  (void)state;
#ifdef __SANITIZE_ADDRESS__
  skip(); /* nothing is refused */
#endif
  for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
    int status;
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (!pid) {
      execl("/proc/self/exe", "test_no_memory", ends[i].name, (char *)NULL);
      _exit(127);
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGABRT)
      fail_msg("%s: no abort(), status 0x%x", ends[i].name, (unsigned)status);
  }
}
static int end_as(const char *name) {
  for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
    if (!strcmp(name, ends[i].name)) ends[i].what();
  return 2; /* it did not end, or there is no such case */
}

static int make_trace(void **state) {
  static const struct gmmu_array arrays[] = {{"a", 0x10000000, 5000, false, 0},
                                             {"b", 0x10400000, 3 << 20, true, 0},
                                             {"c", 0x20000010, 8, false, 0}};
  struct gmmu_trace_builder *b = gmmu_trace_builder_new("test");
  struct gmmu_trace_sink s = gmmu_trace_builder_sink(b);
  struct gmmu_op op = {.access = GMMU_READ, .bytes = 4, .lanes = 1, .addr = {0x10000000}};
  (void)state;
  for (int i = 0; i < 3; i++) s.array(s.arg, &arrays[i]);
  s.launch(s.arg, "k", 1, 1);
  s.warp(s.arg, 0, 0);
  s.op(s.arg, &op);
  trace = gmmu_trace_builder_finish(b, NULL);
  return trace ? 0 : -1;
}
static int drop_trace(void **state) {
  (void)state;
  gmmu_trace_free(trace);
  return 0;
}

int main(int argc, char **argv) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(builds),     cmocka_unit_test(tables),
      cmocka_unit_test(manager),    cmocka_unit_test(manager_goes_on),
      cmocka_unit_test(no_pointer), cmocka_unit_test(ends_by_abort)};
  if (argc == 2) return end_as(argv[1]);
  return cmocka_run_group_tests(tests, make_trace, drop_trace);
}
