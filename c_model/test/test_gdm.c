/* SPDX-License-Identifier: Apache-2.0 */
/* The device memory manager's rules one by one. */
#include "gdm_rig.h"

static void bad_calls(void **state) {
  (void)state;
  struct gdm_config c = config(4);
  struct gdm_ctx *ctx, *none = NULL;
  gdm_ptr p, q = 5;
  uint8_t byte = 0;
  gdm_ctx_set_current(NULL);
  assert_int_equal(gdm_mem_alloc(&q, 1), GDM_ERROR_INVALID_CONTEXT);
  assert_int_equal(gdm_synchronize(), GDM_ERROR_INVALID_CONTEXT);
  struct gdm *g = start(&c, &ctx);
  assert_int_equal(gdm_ctx_create(&none, 1, g), GDM_ERROR_INVALID_VALUE);
  assert_null(none);
  assert_int_equal(gdm_mem_alloc(&q, 0), GDM_ERROR_INVALID_VALUE);
  assert_int_equal(gdm_mem_alloc(&q, (size_t)1 << 39), GDM_ERROR_OUT_OF_MEMORY);
  assert_int_equal(gdm_mem_alloc(&q, ~(size_t)0), GDM_ERROR_OUT_OF_MEMORY);
  assert_int_equal(gdm_mem_alloc(NULL, 1), GDM_ERROR_INVALID_VALUE);
  assert_true(q == 5);
  p = region(2 * BLOCK + 1);
  assert_int_equal(gdm_mem_free(p + 1), GDM_ERROR_INVALID_VALUE);
  assert_int_equal(gdm_memcpy_htod(p, &byte, 0), 0); /* as in CUDA */
  assert_int_equal(gdm_memcpy_dtoh(NULL, 0, 0), 0);
  assert_int_equal(gdm_memcpy_dtoh(NULL, p, 1), GDM_ERROR_INVALID_VALUE);
  assert_int_equal(gdm_memcpy_htod(p, NULL, 1), GDM_ERROR_INVALID_VALUE);
  assert_int_equal(gdm_memcpy_htod(p + 2 * BLOCK + 1, &byte, 1), GDM_ERROR_INVALID_VALUE);
  assert_int_equal(gdm_memcpy_dtoh(&byte, p + 2 * BLOCK, 2), GDM_ERROR_INVALID_VALUE);
  assert_int_equal(gdm_memcpy_dtoh(&byte, p, ~(size_t)0), GDM_ERROR_INVALID_VALUE);
  assert_int_equal(gdm_launch(NULL, NULL, 0, 0, NULL, 0), GDM_ERROR_INVALID_VALUE);
  assert_int_equal(gdm_launch(&bump, NULL, 2, 0, NULL, 0), GDM_ERROR_INVALID_VALUE);
  q = p - 1;
  assert_int_equal(gdm_launch(&bump, NULL, 0, 0, &q, 1), GDM_ERROR_INVALID_VALUE);
  assert_true(stats(g).kernels == 0 && stats(g).htod_bytes == 0);
  assert_int_equal(gdm_mem_free(p), 0);
  assert_int_equal(gdm_mem_free(p), GDM_ERROR_INVALID_VALUE);
  assert_int_equal(gdm_memcpy_dtoh(&byte, p, 1), GDM_ERROR_INVALID_VALUE);
  assert_int_equal(gdm_ctx_destroy(NULL), GDM_ERROR_INVALID_CONTEXT);
  finish(g);
}

static void bad_configurations(void **state) {
  (void)state;
  struct gmmu_err err;
  struct gdm_config c;
#define BAD(field, value)         \
  gdm_config_default(&c);         \
  c.field = value;                \
  err.msg[0] = 0;                 \
  assert_null(gdm_new(&c, &err)); \
  assert_true(err.msg[0] && !strchr(err.msg, '\n'))
  BAD(scale, 3);
  BAD(scale, 128);
  BAD(policy, 9);
  BAD(dirty, 2);
  BAD(page_bytes, 8192);
  BAD(block_bytes, 12u << 20);
  BAD(block_bytes, 4096);
  BAD(device_bytes, 4097);
  BAD(selection_factor, 1.5);
  BAD(kernel_engines, 0);
  BAD(copy_engines, 5);
  BAD(costs.pcie_bytes_per_s, 0);
  BAD(jitter_ppm, 2000000);
  BAD(watch, GDM_WATCH_COW); /* this program does not interpose free and munmap */
}

/* Section 4.2's Figure 3, and what it leaves open. '|' before a block: an object begins there. */
static void objects(void **state) {
  (void)state;
  struct gdm_config c = config(16);
  struct gdm_ctx *ctx;
  struct gdm *g = start(&c, &ctx);
  uint8_t *data = calloc(16, BLOCK);
  static const struct {
    size_t off, bytes;
    const char *want;
  } steps[] = {{0, 4 * BLOCK, "|...|..."},
               {4 * BLOCK, 2 * BLOCK, "|...|.|."},
               {6 * BLOCK, 100, "|...|.|."},
               {6 * BLOCK, BLOCK, "|...|.|."},
               {BLOCK + 5, 2 * BLOCK, "||.||.|."},
               {BLOCK + 5, 6 * BLOCK, "||.....|"},
               {5 * BLOCK + 1, BLOCK + 1,
                "||...||"
                "|"},
               {0, 8 * BLOCK - 10, "|......."},
               {3 * BLOCK + 9, 5 * BLOCK - 19, "|..|...."},
               {0, 8 * BLOCK - 10, "|......."},
               {7 * BLOCK - 1, BLOCK - 9, "|......."},
               {2 * BLOCK - 1, BLOCK + 1, "||.|...."}};
  gdm_ptr p = region(8 * BLOCK - 10);
  for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
    char got[9] = "";
    assert_int_equal(gdm_memcpy_htod(p + steps[i].off, data, steps[i].bytes), 0);
    for (int b = 0; b < 8; b++)
      got[b] = gdm_block_at(ctx, p + (unsigned)b * BLOCK)->first ? '|' : '.';
    if (strcmp(got, steps[i].want)) print_error("step %zu\n", i);
    assert_string_equal(got, steps[i].want);
  }
  free(data);
  finish(g);
}

/* 98 % of the PCIe rate for a block of 4 MiB; an eviction in front when there is no room. */
static void times(void **state) {
  (void)state;
  struct gdm_config c;
  struct gdm_ctx *ctx;
  gdm_config_default(&c);
  c.device_bytes = 8u << 20;
  c.prefetch = false;
  c.costs.pte_access_ns = 0;
  struct gdm *g = start(&c, &ctx);
  uint8_t *data = calloc(1, 8u << 20);
  gdm_ptr p = region(8u << 20), q = region(4u << 20);
  gdm_memcpy_htod(p, data, 8u << 20);
  assert_int_equal(run(&look, p, 1), 0);
  struct gdm_stats s = stats(g);
  uint64_t wire = 2 * gdm_bytes_ns(4u << 20, 6000000000u);
  assert_true(s.htod_ns == wire + 28000 && s.htod_bytes == 8u << 20);
  assert_true((double)wire / (double)s.htod_ns > 0.98);
  assert_true(s.kernel_ns == 10000 + 5000);
  assert_int_equal(run(&bump, q, 1),
                   0); /* never written by the host: no transfer, but room has to be made */
  s = stats(g);
  assert_true(s.htod_bytes == 8u << 20 && s.evict_dirty == 1 &&
              s.evict_bytes == (4u << 20) + 4096 && s.signs == 1);
  free(data);
  finish(g);
}

/* ---------------------------------------- applications */
struct job {
  struct gdm *g;
  size_t bytes;
  int rounds, error;
  uint64_t end;
  bool right;
};
static void job_main(void *arg) {
  struct job *j = arg;
  struct gdm_ctx *ctx;
  gdm_ptr p;
  uint8_t *data = malloc(j->bytes), *back = malloc(j->bytes);
  j->error = gdm_ctx_create(&ctx, 0, j->g);
  if (!j->error) j->error = gdm_mem_alloc(&p, j->bytes);
  for (size_t i = 0; i < j->bytes; i++) data[i] = (uint8_t)(i * 3 + j->bytes);
  if (!j->error) j->error = gdm_memcpy_htod(p, data, j->bytes);
  for (int i = 0; i < j->rounds && !j->error; i++) {
    uint64_t a[2] = {p, j->bytes};
    gdm_cpu(20000);
    j->error = gdm_launch(&bump, a, 2, 50000, NULL, 0);
  }
  if (!j->error) j->error = gdm_memcpy_dtoh(back, p, j->bytes);
  j->right = !j->error;
  for (size_t i = 0; i < j->bytes && j->right; i++)
    j->right = back[i] == (uint8_t)(data[i] + j->rounds);
  j->end = gdm_now(j->g);
  free(data);
  free(back);
}
static uint64_t two_jobs(enum gdm_policy policy, enum gdm_dirty dirty, size_t a, size_t b,
                         uint64_t seed, struct job j[2]) {
  struct gdm_config c = config(8);
  c.policy = policy;
  c.dirty = dirty;
  c.seed = seed;
  struct gdm *g = start(&c, NULL);
  for (int i = 0; i < 2; i++) {
    j[i] = (struct job){.g = g, .bytes = i ? b : a, .rounds = 5};
    assert_int_equal(gdm_app_start(g, i ? "b" : "a", job_main, &j[i]), 0);
  }
  gdm_run(g);
  uint64_t end = gdm_now(g);
  assert_int_equal(stats(g).resident_bytes, 0); /* what they left was freed */
  finish(g);
  return end;
}
static void two_applications(void **state) {
  (void)state;
  struct job j[2];
  for (int policy = GDM_POLICY_NONE; policy <= GDM_POLICY_GDM; policy++)
    for (int dirty = 0; dirty < (policy == GDM_POLICY_GDM ? 2 : 1); dirty++) {
      two_jobs(policy, dirty, 3 * BLOCK, 5 * BLOCK, 1, j); /* fit together */
      assert_true(j[0].right && j[1].right);
      uint64_t end = two_jobs(policy, dirty, 5 * BLOCK, 6 * BLOCK, 1, j); /* do not */
      if (policy == GDM_POLICY_NONE)
        assert_true((j[0].error == GDM_ERROR_OUT_OF_MEMORY) !=
                    (j[1].error == GDM_ERROR_OUT_OF_MEMORY));
      else assert_true(j[0].right && j[1].right); /* gdev: one region each, of different size */
      assert_true(end ==
                  two_jobs(policy, dirty, 5 * BLOCK, 6 * BLOCK, 1, j)); /* the same for a seed */
      bool differs = false;
      for (uint64_t seed = 2; seed < 6; seed++)
        differs = differs || end != two_jobs(policy, dirty, 5 * BLOCK, 6 * BLOCK, seed, j);
      assert_true(differs || policy == GDM_POLICY_GDEV || policy == GDM_POLICY_BASE);
      if (policy == GDM_POLICY_GDEV) { /* of equal size neither may be a victim */
        two_jobs(policy, dirty, 6 * BLOCK, 6 * BLOCK, 1, j);
        assert_true((j[0].error == GDM_ERROR_OUT_OF_MEMORY) !=
                    (j[1].error == GDM_ERROR_OUT_OF_MEMORY));
      }
    }
}

/* A kernel outside its regions: a record, its application ends, the other is right. */
static void stray_main(void *arg) {
  struct job *j = arg;
  struct gdm_ctx *ctx;
  gdm_ptr p;
  struct gdm_fault_record f;
  gdm_ctx_create(&ctx, 0, j->g);
  gdm_mem_alloc(&p, BLOCK);
  uint64_t a[2] = {p + BLOCK - 1, 2};
  gdm_launch(&bump, a, 2, 1000, NULL, 0);
  gdm_launch(&bump, a, 2, 1000, NULL, 0); /* never runs */
  j->error = gdm_synchronize();
  gdm_last_fault(ctx, &f);
  j->right = f.valid && f.va == p + BLOCK && f.access == GMMU_READ && f.cause == GMMU_PF_INVALID &&
             !strcmp(f.kernel, "bump") && gdm_mem_free(p) == GDM_ERROR_ILLEGAL_ADDRESS &&
             gdm_launch(&bump, a, 2, 0, NULL, 0) == GDM_ERROR_ILLEGAL_ADDRESS;
}
static void only_the_guilty_ends(void **state) {
  (void)state;
  for (int faults = 0; faults < 2; faults++) {
    struct gdm_config c = config(4);
    c.faults = faults;
    struct gdm *g = start(&c, NULL);
    struct job j[2] = {{.g = g, .bytes = 3 * BLOCK, .rounds = 5}, {.g = g}};
    gdm_app_start(g, "good", job_main, &j[0]);
    gdm_app_start(g, "stray", stray_main, &j[1]);
    gdm_run(g);
    assert_true(j[0].right && j[1].right);
    assert_int_equal(j[1].error, GDM_ERROR_ILLEGAL_ADDRESS);
    assert_int_equal(stats(g).kernels, 6);
    finish(g);
  }
}

/* Demand loading: what no argument tells of is fetched when it is touched; without faults a launch
 * that names too little ends. */
static void demand(void **state) {
  (void)state;
  struct gdm_config c = config(4);
  struct gdm_ctx *ctx;
  c.faults = true;
  struct gdm *g = start(&c, &ctx);
  uint8_t data[BLOCK] = {9}, back;
  gdm_ptr p = region(3 * BLOCK), q = region(3 * BLOCK);
  gdm_memcpy_htod(q, data, BLOCK);
  assert_int_equal(run(&look, p, 1), 0); /* names p: three blocks, no fault */
  assert_int_equal(stats(g).faults, 0);
  uint64_t a[4] = {q + BLOCK, 1, q, 1};
  assert_int_equal(gdm_launch(&bump, a, 4, 1000, &p, 1), 0);
  assert_int_equal(gdm_memcpy_dtoh(&back, q, 1), 0);
  assert_int_equal(back, 10);
  assert_true(stats(g).faults == 2 && stats(g).stall_ns > 2 * (20000 + 14000));
  uint64_t all[12];
  for (int i = 0; i < 6; i++)
    all[2 * i] = (i < 3 ? p : q) + (unsigned)(i % 3) * BLOCK, all[2 * i + 1] = 1;
  assert_int_equal(gdm_launch(&bump, all, 12, 1000, &p, 1),
                   0); /* more than the device has, touched by one kernel */
  assert_int_equal(gdm_synchronize(), GDM_ERROR_LAUNCH_OUT_OF_RESOURCES);
  finish(g);
  c.faults = false;
  g = start(&c, &ctx);
  p = region(BLOCK), q = region(BLOCK);
  a[0] = q, a[1] = 1;
  assert_int_equal(gdm_launch(&bump, a, 2, 1000, &p, 1), 0);
  assert_int_equal(gdm_synchronize(), GDM_ERROR_ILLEGAL_ADDRESS);
  finish(g);
}

/* Idle prefetch takes free memory only, the newest copy first. */
static void prefetch(void **state) {
  (void)state;
  struct gdm_config c = config(3);
  struct gdm_ctx *ctx;
  c.prefetch = true;
  struct gdm *g = start(&c, &ctx);
  uint8_t data[BLOCK] = {9};
  gdm_ptr p[5];
  for (int i = 0; i < 5; i++) p[i] = region(BLOCK);
  for (int i = 0; i < 5; i++) gdm_memcpy_htod(p[i], data, BLOCK);
  gdm_cpu(10000000);
  struct gdm_stats s = stats(g);
  assert_true(s.prefetch_bytes == 3 * BLOCK && s.evict_clean + s.evict_dirty == 0);
  assert_true(in(ctx, p[4]) &&
              in(ctx, p[0])); /* the first was on its way at once, then the newest */
  assert_int_equal(run(&look, p[4], 1), 0);
  assert_true(stats(g).htod_bytes == s.htod_bytes);
  finish(g);
}

/* A leak of a block an iteration: constant cost once the memory is full (section 6.2). */
static void a_leak(void **state) {
  (void)state;
  for (int hw = 0; hw < 2; hw++) {
    struct gdm_config c = config(8);
    struct gdm_ctx *ctx;
    uint8_t data[BLOCK] = {1};
    uint64_t took[40];
    c.jitter_ppm = 0;
    c.dirty = hw ? GDM_DIRTY_HW : GDM_DIRTY_SIGNATURE;
    struct gdm *g = start(&c, &ctx);
    for (int i = 0; i < 40; i++) {
      uint64_t from = gdm_now(g);
      gdm_ptr p = region(BLOCK);
      gdm_memcpy_htod(p, data, BLOCK);
      assert_int_equal(run(&bump, p, BLOCK), 0);
      took[i] = gdm_now(g) - from;
    }
    assert_true(took[6] == took[2] && took[20] > took[6] && took[20] < 4 * took[6] &&
                took[39] == took[20] && took[30] == took[20]);
    finish(g);
  }
}

/* Kernels on a core of the machine, whose accesses the manager does not see: only their faults. */
static struct gdm_machine below_the_core;
static gdm_ptr core_adds_late;
static void core_access(struct gdm_exec *x, gdm_ptr at, uint8_t add) {
  const struct gdm_machine *m = &below_the_core;
  for (int write = 0; write < 2; write++) {
    static uint8_t b;
    struct gmmu_drv_fault f;
    int cause;
    if (write) b += add;
    while ((cause = m->access(m->arg, gdm_exec_asid(x), at, write, &b, 1))) {
      assert_int_equal(gmmu_drv_next_fault(&x->g->drv, &f), 1);
      if (gdm_demand(x, f.va, f.access == GMMU_WRITE, (int)f.cause)) return;
    }
  }
}
static void core_kernel(struct gdm_exec *x, const uint64_t *a, unsigned n) {
  for (unsigned i = 0; i + 1 < n; i += 2)
    for (uint64_t at = 0; at < a[i + 1]; at += PAGE) core_access(x, a[i] + at, 1);
  gdm_running(x, 1000000); /* what is prefetched meanwhile may be written, too */
  if (core_adds_late) core_access(x, core_adds_late, 1);
}
static void a_core_of_the_machine(void **state) {
  static const struct gdm_kernel core = {"core", core_kernel};
  (void)state;
  for (int way = 0; way < 4; way++) { /* signatures or hardware; without and with prefetch */
    bool hw = way & 1;
    struct gdm_config c = config(4);
    struct gdm_ctx *ctx;
    struct gdm_model *model = gdm_model_new(c.device_bytes, hw);
    struct gdm_fault_record f;
    struct gmmu_err err;
    uint8_t data[BLOCK] = {50}, back[4 * BLOCK];
    gdm_model_machine(model, &below_the_core);
    struct gdm_machine m = below_the_core;
    m.access = NULL;
    m.va_first = 5000;
    m.va_last = 0xfffff;
    c.machine = &m;
    c.dirty = hw ? GDM_DIRTY_HW : GDM_DIRTY_SIGNATURE;
    c.faults = true;
    c.prefetch = way >= 2;
    struct gdm *g = start(&c, &ctx);
    gdm_ptr p = region(2 * BLOCK), q = region(3 * BLOCK), none;
    assert_true(p == BLOCK && q > p && q < 0x100000);
    assert_int_equal(gdm_mem_alloc(&none, 0x100000), GDM_ERROR_OUT_OF_MEMORY);
    uint64_t a[4] = {p, 2 * BLOCK, q + BLOCK, BLOCK};
    gdm_memcpy_htod(p, data, BLOCK);
    gdm_memcpy_htod(q + 2 * BLOCK, data, BLOCK);
    core_adds_late = q + 2 * BLOCK;
    assert_int_equal(gdm_launch(&core, a, 4, 0, &p, 1),
                     0); /* names p; q's second block comes on its fault */
    assert_int_equal(gdm_synchronize(), 0);
    struct gdm_stats s = stats(g);
    assert_true(s.faults == (c.prefetch ? 1 : 2) && s.kernel_ns >= 1000000 && s.stall_ns >= 20000);
    assert_true(!c.prefetch || s.prefetch_bytes > 0);
    core_adds_late = 0;
    assert_int_equal(gdm_check(g, &err), 0); /* what was prefetched is not called clean */
    /* Three blocks of q and both of p: more than there is room for. */
    uint64_t b[4] = {q, 3 * BLOCK, p, BLOCK};
    for (int round = 0; round < 3; round++) {
      assert_int_equal(gdm_launch(&core, b, 4, 0, &q, 1), 0);
      assert_int_equal(gdm_launch(&core, a, 2, 0, &p, 1), 0);
    }
    assert_int_equal(gdm_memcpy_dtoh(back, p, 2 * BLOCK), 0);
    assert_true(back[0] == 57 && back[PAGE] == 7 && back[BLOCK] == 4 && back[1] == 0);
    assert_int_equal(gdm_memcpy_dtoh(back, q, 3 * BLOCK), 0);
    assert_true(back[0] == 3 && back[BLOCK] == 4 && back[2 * BLOCK] == 54 &&
                back[2 * BLOCK + PAGE] == 3);
    assert_int_equal(gdm_check(g, &err), 0);
    uint64_t stray[2] = {q + 3 * BLOCK, 1};
    assert_int_equal(gdm_launch(&core, stray, 2, 0, NULL, 0), 0);
    assert_int_equal(gdm_synchronize(), GDM_ERROR_ILLEGAL_ADDRESS);
    gdm_last_fault(ctx, &f);
    assert_true(f.valid && f.va == stray[0] && f.cause == GMMU_PF_INVALID);
    finish(g);
    gdm_model_free(model);
  }
}
/* What its context has on the device stays while such a kernel runs, named or not: another
 * context's block goes, though it was used last. */
static void a_core_keeps_what_is_there(void **state) {
  static const struct gdm_kernel core = {"core", core_kernel};
  (void)state;
  struct gdm_config c = config(3);
  struct gdm_ctx *a, *b;
  struct gdm_model *model = gdm_model_new(c.device_bytes, false);
  gdm_model_machine(model, &below_the_core);
  struct gdm_machine m = below_the_core;
  m.access = NULL;
  c.machine = &m;
  c.faults = true;
  struct gdm *g = start(&c, &a);
  gdm_ptr p = region(BLOCK), q = region(BLOCK), late = region(BLOCK);
  uint64_t args[2] = {p, 1};
  for (int i = 0; i < 2; i++) { /* q, then p */
    args[0] = i ? p : q;
    assert_int_equal(gdm_launch(&core, args, 2, 0, &args[0], 1), 0);
  }
  assert_int_equal(gdm_synchronize(), 0);
  assert_int_equal(gdm_ctx_create(&b, 0, g), 0);
  gdm_ptr other = region(BLOCK);
  args[0] = other;
  assert_int_equal(gdm_launch(&core, args, 2, 0, &other, 1), 0);
  assert_int_equal(gdm_synchronize(), 0);
  assert_true(in(a, p) && in(a, q) && in(b, other));
  gdm_ctx_set_current(a);
  args[0] = p;
  core_adds_late = late;
  assert_int_equal(gdm_launch(&core, args, 2, 0, &p, 1), 0);
  assert_int_equal(gdm_synchronize(), 0);
  core_adds_late = 0;
  assert_true(in(a, p) && in(a, q) && in(a, late) && !in(b, other));
  finish(g);
  gdm_model_free(model);
}
static void bad_addresses(void **state) {
  (void)state;
  static const uint64_t bad[][2] = {{0x1000, 0x4fff}, {0, 1ull << 39}, {1ull << 37, 1ull << 36}};
  for (int i = 0; i < 3; i++) {
    struct gdm_config c = config(4);
    struct gdm_model *model = gdm_model_new(c.device_bytes, false);
    struct gdm_machine m;
    struct gmmu_err err = {""};
    gdm_model_machine(model, &m);
    m.va_first = bad[i][0], m.va_last = bad[i][1];
    c.machine = &m;
    assert_null(gdm_new(&c, &err));
    assert_true(err.msg[0]);
    gdm_model_free(model);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bad_calls),        cmocka_unit_test(bad_configurations),
      cmocka_unit_test(objects),          cmocka_unit_test(times),
      cmocka_unit_test(two_applications), cmocka_unit_test(only_the_guilty_ends),
      cmocka_unit_test(demand),           cmocka_unit_test(prefetch),
      cmocka_unit_test(a_leak),           cmocka_unit_test(a_core_of_the_machine),
      cmocka_unit_test(bad_addresses),    cmocka_unit_test(a_core_keeps_what_is_there)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
