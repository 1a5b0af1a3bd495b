/* SPDX-License-Identifier: Apache-2.0 */
/** test_run.c - memory behind the walker, checkers, statistics, output files; whole runs with the
 * timed model, also behind a device that lies. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "common/outfile.h"
#include "run/check.h"
#include "run/pte_mem.h"
#include "random/random.h"
#include "run/run.h"
#include "run/space.h"

/* ---------------------------------------- memory */
struct mem_rig {
  struct gmmu_mem *image;
  struct gmmu_pte_mem m;
  struct gmmu_pins p;
  uint64_t sent[256], order[256];
  int answers, errors;
};

/** Sends one read a cycle with ids 0..n-1 and notes when and in what order they are answered. */
static void mem_run(struct mem_rig *r, int n, uint64_t *latency) {
  int accepted = 0;

  for (uint64_t t = 0; r->answers < n; t++) {
    assert_true(t < 100000);
    gmmu_pte_mem_drive(&r->m, t, &r->p);
    r->p.mem_req_ready = true;
    r->p.mem_req.valid = accepted < n;
    r->p.mem_req.id = (uint16_t)accepted;
    r->p.mem_req.addr = 0x1000 + 8 * (uint64_t)accepted;
    if (r->p.mem_rsp.valid) {
      uint64_t data = 0x1000 + 8 * (uint64_t)r->p.mem_rsp.id;
      r->errors += r->p.mem_rsp.err;
      assert_true(r->p.mem_rsp.data == (r->p.mem_rsp.err ? ~data : data));
      latency[r->p.mem_rsp.id] = t - r->sent[r->p.mem_rsp.id];
      r->order[r->answers++] = r->p.mem_rsp.id;
    }
    if (gmmu_pte_mem_step(&r->m, t, &r->p)) r->sent[accepted++] = t;
  }
  assert_int_equal(r->m.protocol_errors, 0);
  assert_int_equal(r->m.n, 0);
}

static void mem_init(struct mem_rig *r, uint32_t latency, uint32_t jitter) {
  memset(r, 0, sizeof *r);
  r->image = gmmu_mem_new();
  for (uint64_t a = 0x1000; a < 0x2000; a += 8) gmmu_mem_write64(r->image, a, a);
  gmmu_pte_mem_init(&r->m, r->image, latency, jitter, 1);
}

static void test_fixed_latency(void **state) {
  struct mem_rig *r = malloc(sizeof *r);
  uint64_t latency[200];
  (void)state;

  mem_init(r, 20, 0);
  mem_run(r, 200, latency);
  for (int i = 0; i < 200; i++) {
    assert_int_equal(latency[i], 20);
    assert_int_equal(r->order[i], i);
  }
  gmmu_mem_free(r->image);
  free(r);
}

static void test_jitter(void **state) {
  struct mem_rig *r = malloc(sizeof *r);
  uint64_t latency[200], sum = 0;
  bool reordered = false;
  (void)state;

  mem_init(r, 100, 40);
  mem_run(r, 200, latency);
  for (int i = 0; i < 200; i++) {
    assert_in_range(latency[i], 100, 180); /* later than 140 only when two are due in one cycle */
    sum += latency[i];
    reordered |= i && r->order[i] < r->order[i - 1];
  }
  assert_in_range(sum / 200, 110, 140);
  assert_true(reordered);
  gmmu_mem_free(r->image);
  free(r);
}

static void test_memory_errors(void **state) {
  struct mem_rig *r = malloc(sizeof *r);
  uint64_t latency[200];
  (void)state;

  mem_init(r, 3, 5);
  r->m.err_per_million = 200000;
  mem_run(r, 200, latency);
  assert_in_range(r->errors, 20, 60);
  gmmu_mem_free(r->image);
  free(r);
}

static void test_id_in_use(void **state) {
  struct mem_rig *r = malloc(sizeof *r);
  (void)state;

  mem_init(r, 10, 0);
  r->p.mem_req_ready = r->p.mem_req.valid = true;
  assert_true(gmmu_pte_mem_step(&r->m, 0, &r->p));
  assert_false(gmmu_pte_mem_step(&r->m, 1, &r->p)); /* same id again */
  r->p.mem_req.id = 1;
  r->p.mem_req.addr = 4;
  assert_false(gmmu_pte_mem_step(&r->m, 2, &r->p)); /* misaligned */
  assert_int_equal(r->m.protocol_errors, 2);
  gmmu_mem_free(r->image);
  free(r);
}

/* ---------------------------------------- statistics and files */
static void test_histogram(void **state) {
  struct gmmu_hist *h = calloc(1, sizeof *h);
  (void)state;

  assert_true(gmmu_hist_mean(h) == 0);
  for (uint64_t i = 1; i <= 100; i++) gmmu_hist_add(h, i);
  assert_true(gmmu_hist_mean(h) == 50.5);
  assert_int_equal(gmmu_hist_quantile(h, 99, 100), 99);
  assert_int_equal(gmmu_hist_quantile(h, 1, 2), 50);
  gmmu_hist_add(h, 1000000);
  assert_int_equal(gmmu_hist_quantile(h, 1, 1), 1000000);
  free(h);
}

static void test_outfile(void **state) {
  struct gmmu_outfile o = {0};
  struct gmmu_err err;
  char dir[] = "/tmp/gmmu_test_XXXXXX", path[64];
  (void)state;

  assert_non_null(mkdtemp(dir));
  snprintf(path, sizeof path, "%s/out", dir);
  assert_int_equal(gmmu_outfile_open(&o, path, &err), 0);
  fputs("half", o.f);
  assert_int_not_equal(access(path, F_OK), 0);
  gmmu_outfile_abort(&o);
  assert_int_equal(gmmu_outfile_open(&o, path, &err), 0);
  assert_int_equal(gmmu_outfile_commit(&o, &err), 0);
  assert_int_equal(access(path, F_OK), 0);
  assert_int_equal(gmmu_outfile_open(&o, dir, &err), -1); /* a directory */
  unlink(path);
  assert_int_equal(rmdir(dir), 0); /* no temporary file is left */
}

/* ---------------------------------------- a small world and a run in it */
struct world {
  struct gmmu_config cfg;
  struct gmmu_trace *t;
  struct gmmu_space space;
  struct gmmu_run run;
};

static struct gmmu_trace *small_trace(bool wild) {
  struct gmmu_trace_builder *b = gmmu_trace_builder_new("small");
  struct gmmu_trace_sink s = gmmu_trace_builder_sink(b);
  struct gmmu_array a = {.name = "a", .va = 0x40000000, .bytes = 4 << 20, .writable = false};
  struct gmmu_err err;

  s.array(s.arg, &a);
  s.launch(s.arg, "k", 8, 2);
  for (uint32_t i = 0; i < 16; i++) {
    s.warp(s.arg, i / 2, i % 2);
    for (uint32_t k = 0; k < 20; k++) {
      struct gmmu_op o = {.access = k % 5 ? GMMU_READ : GMMU_WRITE, .bytes = 4, .lanes = 32};
      for (uint64_t l = 0; l < 32; l++)
        o.addr[l] = a.va + (i * 20011 + k * 70001 + l * 5003) * 4 % a.bytes;
      if (wild) o.addr[3] = 0x123456789abcdef0;
      s.op(s.arg, &o);
    }
  }
  return gmmu_trace_builder_finish(b, &err);
}

static struct world *world_new(int kind, bool wild) {
  struct world *w = calloc(1, sizeof *w);
  struct gmmu_space_opts o = {.kind = kind, .scattered = true, .seed = 3};
  struct gmmu_space_app app = {.path = "small", .asid = 2};
  struct gmmu_fe_app fa = {.asid = 2};
  struct gmmu_err err = {""};

  gmmu_config_default(&w->cfg);
  w->cfg.NumSms = 3;
  w->cfg.L1BaseEntries = 16;
  app.trace = fa.trace = w->t = small_trace(wild);
  if (gmmu_space_build(&w->space, &w->cfg, &o, &app, 1, NULL, 0, &err)) fail_msg("%s", err.msg);
  w->run.fe = gmmu_fe_new(&w->cfg, &fa, 1, false, &err);
  w->run.cfg = w->cfg;
  w->run.env = &w->space.env;
  w->run.image = w->space.mem;
  w->run.seed = 1;
  w->run.policy = true;
  assert_non_null(w->run.fe);
  assert_int_equal(gmmu_timed_new(&w->run.dut, &w->cfg, &err), 0);
  return w;
}

static void world_free(struct world *w) {
  w->run.dut.free(w->run.dut.h);
  gmmu_run_free(&w->run);
  gmmu_fe_free(w->run.fe);
  gmmu_space_free(&w->space);
  gmmu_trace_free(w->t);
  free(w);
}

static void run_kind(int kind, bool wild) {
  struct world *w = world_new(kind, wild);
  struct gmmu_err err = {""};

  if (gmmu_run(&w->run, &err)) fail_msg("%s", err.msg);
  assert_int_equal(w->run.mism.n, 0);
  assert_int_equal(w->run.counts.accesses, 320);
  assert_int_equal(w->run.counts.accesses_done, 320);
  assert_int_equal(w->run.counts.answers, w->run.answers_compared);
  assert_int_equal(w->run.stats->latency.n, w->run.counts.answers);
  assert_true(w->run.policy_compared > w->run.answers_compared);
  assert_true(w->run.counts.faults > 0); /* writes to an array that is not writable */
  assert_int_equal(w->run.frames, 2 + 0);
  if (kind != GMMU_MAP_4K) /* everything fits: one walk a frame, but for those that were already
                              under way */
    assert_int_equal(w->run.stats->walks, w->run.frames + w->run.stats->same_frame);
  else assert_true(w->run.stats->walks >= w->run.pages);
  world_free(w);
}

static void test_runs(void **state) {
  (void)state;
  run_kind(GMMU_MAP_4K, false);
  run_kind(GMMU_MAP_2M, false);
  run_kind(GMMU_MAP_COALESCED, false);
  run_kind(GMMU_MAP_COALESCED, true);
}

/** A device that hands on the timed model's pins, sometimes wrong. */
struct liar {
  struct gmmu_dut real;
  int lie, calls;
};
enum { LIE_PA, LIE_CAUSE, LIE_LARGE, LIE_TAG, LIE_SILENT, LIE_RANGE };

static void liar_eval(void *h, struct gmmu_pins *p) {
  struct liar *l = h;
  struct gmmu_inv_cmd inv = p->inv;

  if (l->lie == LIE_RANGE && p->inv.kind == GMMU_INV_RANGE)
    p->inv.lo_vfn = p->inv.hi_vfn = 0x7000000; /* nobody's page */
  l->real.eval(l->real.h, p);
  p->inv = inv;
  for (int i = 0; i < 3; i++) {
    if (l->lie == LIE_SILENT) p->rsp[i].valid = false;
    if (!p->rsp[i].valid || ++l->calls != 500) continue;
    switch (l->lie) {
      case LIE_PA: p->rsp[i].pa ^= 0x1000; break;
      case LIE_CAUSE: p->rsp[i].cause ^= GMMU_PERM; break;
      case LIE_LARGE: p->rsp[i].large ^= true; break;
      case LIE_TAG: p->rsp[i].tag ^= 0x80; break;
      default: break;
    }
  }
}

static void liar_clock(void *h, struct gmmu_pins *p, struct gmmu_events *ev) {
  struct liar *l = h;
  struct gmmu_inv_cmd inv = p->inv;

  if (l->lie == LIE_RANGE && p->inv.kind == GMMU_INV_RANGE)
    p->inv.lo_vfn = p->inv.hi_vfn = 0x7000000;
  l->real.clock(l->real.h, p, ev);
  p->inv = inv;
}

static void liar_reset(void *h, struct gmmu_pins *p) {
  ((struct liar *)h)->real.reset(((struct liar *)h)->real.h, p);
}

static void liar_free(void *h) {
  struct liar *l = h;

  l->real.free(l->real.h);
  free(l);
}

static void make_liar(struct gmmu_dut *d, int lie) {
  struct liar *l = calloc(1, sizeof *l);

  l->real = *d;
  l->lie = lie;
  *d = (struct gmmu_dut){
      .h = l, .eval = liar_eval, .clock = liar_clock, .reset = liar_reset, .free = liar_free};
}

static void test_lies_are_found(void **state) {
  (void)state;
  for (int lie = LIE_PA; lie <= LIE_TAG; lie++) {
    struct world *w = world_new(GMMU_MAP_4K, false);
    struct gmmu_err err = {""};
    w->run.policy = false; /* the functional checker alone */
    w->run.mism.shown = 0;
    make_liar(&w->run.dut, lie);
    (void)gmmu_run(&w->run, &err); /* a lost tag ends in the watchdog */
    assert_true(w->run.mism.n > 0);
    world_free(w);
  }
}

static void test_watchdog(void **state) {
  struct world *w = world_new(GMMU_MAP_4K, false);
  struct gmmu_err err = {""};
  (void)state;

  w->run.policy = false;
  make_liar(&w->run.dut, LIE_SILENT);
  assert_int_equal(gmmu_run(&w->run, &err), -1);
  assert_non_null(strstr(err.msg, "no answer for"));
  world_free(w);
}

static void test_max_cycles(void **state) {
  struct world *w = world_new(GMMU_MAP_4K, false);
  struct gmmu_err err = {""};
  (void)state;

  w->run.max_cycles = 50;
  assert_int_equal(gmmu_run(&w->run, &err), -1);
  assert_int_equal(w->run.cycles, 50);
  world_free(w);
}

static void test_space_errors(void **state) {
  struct gmmu_config c;
  struct gmmu_space s;
  struct gmmu_space_opts o = {.kind = GMMU_MAP_4K};
  struct gmmu_space_app app = {.path = "small", .trace = small_trace(false), .asid = 1};
  struct gmmu_err err = {""};
  char path[] = "/tmp/gmmu_map_XXXXXX", *maps[] = {path};
  int fd = mkstemp(path);
  (void)state;

  gmmu_config_default(&c);
  dprintf(fd, "0 0x1000 0x1000 0x1000 rwu\n");
  assert_int_equal(gmmu_space_build(&s, &c, &o, &app, 1, maps, 1, &err), -1);
  assert_non_null(strstr(err.msg, "no page table"));
  app.asid = 0; /* a line at the top of memory: the tables go below it */
  dprintf(fd, "0 0x2000 0x%llx 0x1000 rwu\n", (1ull << c.PaW) - 4096);
  assert_int_equal(gmmu_space_build(&s, &c, &o, &app, 1, maps, 1, &err), 0);
  assert_true(s.env.win[0].hi_pfn == (1ull << (c.PaW - 12)) - 2);
  assert_true(s.env.win[2].data && s.env.win[2].lo_pfn == s.env.win[0].hi_pfn + 1);
  gmmu_space_free(&s);
  app.asid = (int)c.NumAsids;
  assert_int_equal(gmmu_space_build(&s, &c, &o, &app, 1, NULL, 0, &err), -1);
  close(fd);
  unlink(path);
  gmmu_trace_free((struct gmmu_trace *)app.trace);
}

/* ---------------------------------------- random bench */
static void random_run(struct gmmu_random *r, int lie) {
  struct gmmu_err err = {""};

  memset(r, 0, sizeof *r);
  gmmu_config_default(&r->cfg);
  r->cfg.NumSms = 3;
  r->cfg.L1BaseEntries = 16;
  r->cfg.L2Entries = 128;
  r->ops = 30000;
  r->seed = 5;
  r->policy = lie < 0;
  assert_int_equal(gmmu_timed_new(&r->dut, &r->cfg, &err), 0);
  if (lie >= 0) make_liar(&r->dut, lie);
  if (gmmu_random_run(r, &err) && lie < 0) fail_msg("%s", err.msg);
  r->dut.free(r->dut.h);
}

static void test_random(void **state) {
  struct gmmu_random r;
  (void)state;

  random_run(&r, -1);
  assert_int_equal(r.mism.n, 0);
  assert_true(r.answers >= r.ops);
  assert_true(r.killed > 100);
  gmmu_random_free(&r);
  random_run(&r, LIE_RANGE); /* range invalidations that do nothing */
  assert_true(r.mism.n > 0);
  gmmu_random_free(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_fixed_latency), cmocka_unit_test(test_jitter),
      cmocka_unit_test(test_memory_errors), cmocka_unit_test(test_id_in_use),
      cmocka_unit_test(test_histogram),     cmocka_unit_test(test_outfile),
      cmocka_unit_test(test_runs),          cmocka_unit_test(test_lies_are_found),
      cmocka_unit_test(test_watchdog),      cmocka_unit_test(test_max_cycles),
      cmocka_unit_test(test_space_errors),  cmocka_unit_test(test_random),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
