/* SPDX-License-Identifier: Apache-2.0 */
/** test_no_memory.c - what is made gives NULL or an error when any one of its allocations is
 * refused, and nothing stays allocated, neither then nor after it was freed. */
#include "alloc_rig.h"

#include <stdio.h>
#include <string.h>

#include "apointers/workload.h"
#include "frontend/frontend.h"
#include "frontend/l1d.h"
#include "gdm/machine.h"
#include "gmmu_apointer.h"
#include "gmmu_manager.h"
#include "policy/l1_tlb.h"
#include "policy/l2_cache.h"
#include "policy/l2_tlb.h"
#include "policy/walk_cache.h"
#include "scoreboard/scoreboard.h"

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
static void *placed(void) {
  uint64_t next = 512;
  return gmmu_place_arrays(trace, 0, GMMU_MAP_4K, false, 1, &next, 1 << 20, &mapping, NULL)
             ? NULL
             : &mapping;
}
static void *scattered(void) {
  uint64_t next = 512;
  return gmmu_place_arrays(trace, 0, GMMU_MAP_4K, true, 1, &next, 1 << 20, &mapping, NULL)
             ? NULL
             : &mapping;
}
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

static void all(void) {
  for (size_t i = 0; i < sizeof objects / sizeof *objects; i++)
    refuse_each(objects[i].name, objects[i].make, objects[i].drop);
}

/* ---------------------------------------- builds */
static void config(void) {
  gmmu_config_default(&cfg);
  cfg.NumSms = 2;
  cfg.PwcEntries = 16;
  cfg.PwcWays = 4;
  cfg.BypassEntries = 8;
}
static void split(void **state) {
  (void)state;
  config();
  all();
}
static void groups(void **state) {
  (void)state;
  config();
  cfg.Colt = 2;
  cfg.LineAnswers = 1;
  all();
}
static void unified(void **state) {
  (void)state;
  config();
  cfg.L2Unified = 1;
  cfg.L2LargeEntries = 0;
  cfg.MscSets = 4;
  cfg.MscWays = 2;
  all();
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
  counting = true;
  not_freed = 0;
  until_refused = 1 << 30;
  for (uint64_t seed = 1; seed <= 10; seed++) use_tables(seed);
  counting = false;
  assert_int_equal(not_freed, 0);
}

static int setup(void **state) {
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
static int teardown(void **state) {
  (void)state;
  gmmu_trace_free(trace);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(split), cmocka_unit_test(groups),
                                     cmocka_unit_test(unified), cmocka_unit_test(tables)};
  return cmocka_run_group_tests(tests, setup, teardown);
}
