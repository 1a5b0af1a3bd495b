/* SPDX-License-Identifier: Apache-2.0 */
/** test_frontend_data.c - where an SM's accesses get their data: data cache, lines under way, a
 * memory system in its place here; and what applications do beside each other. */
#include "frontend_rig.h"

#include "frontend/l1d.h"
#include "frontend/lines.h"
#include "timed/memsys.h"

/* In the memory system's place: keeps what it is asked. */
struct gmmu_memsys {
  struct asked {
    int sm;
    uint16_t asid;
    uint64_t line, cycle;
    bool write;
    uint32_t token;
  } v[256];
  int n;
  const struct rig *rig;
};

void gmmu_memsys_data(struct gmmu_memsys *m, int sm, uint16_t asid, uint64_t line, bool write,
                      uint32_t token) {
  assert_true(m->n < 256);
  m->v[m->n++] = (struct asked){sm, asid, line, m->rig->cycle, write, token};
}

static void with_memory(struct rig *r, struct gmmu_memsys *m) {
  *m = (struct gmmu_memsys){.rig = r};
  gmmu_fe_set_memory(r->fe, m);
}
static void run_for(struct rig *r, int cycles) {
  for (int i = 0; i < cycles; i++) rig_cycle(r);
}
static void is_asked(const struct asked *a, uint64_t line, bool write, bool told) {
  assert_true(a->sm == 0 && a->asid == 3 && a->line == line && a->write == write);
  assert_int_equal(a->token != GMMU_MEMSYS_NONE, told);
}

/* One request for a line, joined by the warps that miss it meanwhile; all go on in the cycle behind
 * its data. */
static void reads_join(void **state) {
  struct rig *r = rig_new();
  struct maker m = make(1, 3);
  struct gmmu_memsys mem;

  (void)state;
  for (uint32_t w = 0; w < 3; w++) {
    warp(&m, 0, w);
    if (w == 2) gap(&m, 90); /* comes when the line is there */
    op(&m, GMMU_READ, 1, 0x12380, 0);
    op(&m, GMMU_READ, 1, 0x50000 + 0x1000 * w, 0);
  }
  r->trace[0] = made(&m);
  r->frame = 0x77;
  rig_start(r, 1);
  with_memory(r, &mem);
  run_for(r, 50);
  assert_int_equal(mem.n, 1);
  is_asked(&mem.v[0], 0x77 << 5 | 7, false, true); /* line 7 of the frame */
  assert_int_equal(r->n, 2);
  assert_false(gmmu_fe_done(r->fe));
  gmmu_fe_data(r->fe, 0, mem.v[0].token, r->cycle);
  run_for(r, 40);
  assert_int_equal(r->n, 4); /* both went on */
  assert_int_equal(r->log[2].cycle, 51);
  assert_true(r->log[2].va == 0x51000 && r->log[3].va == 0x50000); /* the last one first */
  run_for(r, 30); /* warp 2 hits, and goes on L1dLatency after its translation */
  assert_int_equal(r->log[4].cycle, 90);
  assert_true(r->log[5].cycle == 90 + r->latency + 1 && r->log[5].va == 0x52000);
  assert_int_equal(gmmu_fe_get_counts(r->fe)->line_hits, 1);
  assert_int_equal(mem.n, 2); /* lines 0 of one frame: joined again */
  gmmu_fe_data(r->fe, 0, mem.v[1].token, r->cycle);
  rig_run(r);
  assert_int_equal(gmmu_fe_get_counts(r->fe)->lines, 6);
  assert_int_equal(gmmu_fe_get_counts(r->fe)->accesses_done, 6);
  rig_free(r);
}

/* Two pages of an access in one frame: the warp waits for the line once. */
static void one_frame_twice(void **state) {
  struct rig *r = rig_new();
  struct maker m = make(1, 1);
  struct gmmu_memsys mem;

  (void)state;
  warp(&m, 0, 0);
  op(&m, GMMU_READ, 2, 0x1000, 4096);
  r->trace[0] = made(&m);
  r->frame = 0x99;
  rig_start(r, 1);
  with_memory(r, &mem);
  run_for(r, 20);
  assert_int_equal(mem.n, 1);
  assert_false(gmmu_fe_done(r->fe));
  gmmu_fe_data(r->fe, 0, mem.v[0].token, r->cycle);
  rig_run(r);
  assert_int_equal(r->cycle, 21);
  rig_free(r);
}

/* A store goes through, though the data cache has its line; its warp waits until it is taken, with
 * StoreWaits. */
static void stores(void **state) {
  (void)state;
  for (int waits = 0; waits < 2; waits++) {
    struct rig *r = rig_new();
    struct maker m = make(1, 2);
    struct gmmu_memsys mem;
    r->cfg.StoreWaits = waits;
    for (uint32_t w = 0; w < 2; w++) {
      warp(&m, 0, w);
      op(&m, GMMU_READ, 1, 0x1000, 0);
      op(&m, GMMU_WRITE, 1, 0x1000, 0);
      op(&m, GMMU_READ, 1, 0x1000, 0);
    }
    r->trace[0] = made(&m);
    rig_start(r, 1);
    with_memory(r, &mem);
    run_for(r, 20);
    assert_int_equal(mem.n, 1);
    gmmu_fe_data(r->fe, 0, mem.v[0].token, r->cycle);
    run_for(r, 30);
    assert_int_equal(mem.n, 3);
    is_asked(&mem.v[1], 0x1000 >> 7, true, waits);
    is_asked(&mem.v[2], 0x1000 >> 7, true, waits);
    assert_int_equal(gmmu_fe_done(r->fe), !waits);
    assert_int_equal(r->n, waits ? 4 : 6);
    if (waits) {
      assert_true(mem.v[1].token != mem.v[2].token);
      gmmu_fe_data(r->fe, 0, mem.v[2].token, r->cycle); /* its warp goes on, alone */
      run_for(r, 20);
      assert_true(r->n == 5 && r->log[4].q.warp == r->log[3].q.warp && r->log[4].cycle == 51);
      gmmu_fe_data(r->fe, 0, mem.v[1].token, r->cycle);
    }
    rig_run(r);
    assert_int_equal(gmmu_fe_get_counts(r->fe)->line_hits, 2);
    assert_int_equal(mem.n, 3);
    rig_free(r);
  }
}

/* Atomics read their line at the L2 cache, each for itself, whatever the data cache has, and write
 * it back when it is there; a read does not join one. */
static void atomics(void **state) {
  struct rig *r = rig_new();
  struct maker m = make(1, 3);
  struct gmmu_memsys mem;

  (void)state;
  for (uint32_t w = 0; w < 2; w++) {
    warp(&m, 0, w);
    op(&m, GMMU_AMO, 1, 0x1000, 0);
  }
  warp(&m, 0, 2);
  op(&m, GMMU_READ, 1, 0x1000, 0);
  op(&m, GMMU_AMO, 1, 0x1000, 0);
  r->trace[0] = made(&m);
  rig_start(r, 1);
  with_memory(r, &mem);
  run_for(r, 20);
  assert_int_equal(mem.n, 3);
  for (int i = 0; i < 3; i++) is_asked(&mem.v[i], 0x1000 >> 7, false, true);
  gmmu_fe_data(r->fe, 0, mem.v[2].token, r->cycle); /* the read: nothing is written */
  run_for(r, 20);
  assert_int_equal(mem.n, 4);
  is_asked(&mem.v[3], 0x1000 >> 7, false, true); /* the data cache has the line */
  for (int i = 0; i < 3; i++) {
    const int order[] = {3, 0, 1};
    gmmu_fe_data(r->fe, 0, mem.v[order[i]].token, r->cycle);
    assert_int_equal(mem.n, 5 + i);
    is_asked(&mem.v[4 + i], 0x1000 >> 7, true, false);
    run_for(r, 3);
  }
  rig_run(r);
  assert_int_equal(gmmu_fe_get_counts(r->fe)->line_hits, 0);
  rig_free(r);
}

/* SmLines: while so many lines are under way, no further page is presented. */
static void few_lines(void **state) {
  struct rig *r = rig_new();
  struct maker m = make(1, 1);
  struct gmmu_memsys mem;

  (void)state;
  r->cfg.SmLines = 2;
  r->latency = 0;
  warp(&m, 0, 0);
  op(&m, GMMU_READ, 4, 0x1000, 4096);
  r->trace[0] = made(&m);
  rig_start(r, 1);
  with_memory(r, &mem);
  run_for(r, 20);
  assert_true(mem.n >= 2 && r->n < 4 && gmmu_fe_get_counts(r->fe)->lsu_stalls > 10);
  for (int i = 0; i < mem.n; i++) {
    gmmu_fe_data(r->fe, 0, mem.v[i].token, r->cycle);
    run_for(r, 5);
  }
  rig_run(r);
  assert_int_equal(mem.n, 4);
  rig_free(r);
}

/* Lines under way against a list: found unless they are atomic, each once. */
static void lines_alone(void **state) {
  enum { LINES = 700, ROUNDS = 20000 };
  static struct fe_lines l;
  int index[LINES], n = 0, most = 0;
  bool atomic[LINES];
  struct gmmu_rng rng = {3};

  (void)state;
  for (int i = 0; i < LINES; i++) index[i] = -1;
  for (int k = 0; k < ROUNDS; k++) {
    bool fill = k / 2000 % 2 == 0; /* mostly more, or mostly fewer */
    int i = (int)gmmu_rng_below(&rng, LINES);
    uint64_t line = (uint64_t)i * 0x12345 + 7;
    assert_int_equal(fe_lines_find(&l, line), index[i] >= 0 && !atomic[i] ? index[i] : -1);
    if (index[i] < 0 && (fill || gmmu_rng_below(&rng, 4) == 0)) {
      atomic[i] = gmmu_rng_below(&rng, 4) == 0;
      index[i] = fe_lines_add(&l, line, atomic[i]);
      assert_true(index[i] >= 0);
      for (int j = 0; j < LINES; j++) assert_true(j == i || index[j] != index[i]);
      assert_true(fe_lines_wait(&l, index[i], (unsigned)i % 256));
      assert_false(fe_lines_wait(&l, index[i], (unsigned)i % 256));
      most = ++n > most ? n : most;
    } else if (index[i] >= 0 && (!fill || gmmu_rng_below(&rng, 4) == 0)) {
      struct fe_line x = fe_lines_take(&l, (uint32_t)index[i]);
      assert_true(x.line == line && x.atomic == atomic[i]);
      for (unsigned w = 0; w < 256; w++)
        assert_int_equal(x.warps[w / 64] >> w % 64 & 1, w == (unsigned)i % 256);
      index[i] = -1;
      n--;
    }
    assert_int_equal(l.n, n);
  }
  assert_true(most > 300);
  fe_lines_free(&l);
}

/* The data cache against a naive one: sets of lines, the least recent of a set goes. */
static void l1d_alone(void **state) {
  static const struct {
    int64_t bytes, ways;
    uint64_t sets;
  } v[] = {{128, 4, 1}, {2048, 4, 4}, {1024, 1, 8}, {3 * 128, 3, 1}};

  (void)state;
  for (size_t k = 0; k < sizeof v / sizeof v[0]; k++) {
    uint64_t when[64] = {0}; /* last use of each line that is there */
    struct gmmu_rng rng = {k};
    struct gmmu_l1d c;
    int hits = 0;
    assert_int_equal(gmmu_l1d_init(&c, v[k].bytes, v[k].ways), 0);
    for (uint64_t now = 1; now < 5000; now++) {
      uint64_t line = gmmu_rng_below(&rng, now < 2500 ? 64 : 12), oldest = 64, held = 0;
      assert_int_equal(gmmu_l1d_access(&c, line), when[line] != 0);
      hits += when[line] != 0;
      for (uint64_t i = line % v[k].sets; i < 64; i += v[k].sets)
        if (when[i]) {
          held++;
          if (oldest == 64 || when[i] < when[oldest]) oldest = i;
        }
      if (!when[line] && held == (uint64_t)v[k].ways) when[oldest] = 0;
      when[line] = now;
    }
    assert_true(hits > 200);
    gmmu_l1d_free(&c);
  }
}

static struct gmmu_trace *reads(uint32_t n, uint64_t va) {
  struct maker m = make(1, 1);

  warp(&m, 0, 0);
  for (uint32_t i = 0; i < n; i++) op(&m, GMMU_READ, 1, va + 0x1000 * i, 0);
  return made(&m);
}

/* The shorter of two applications runs once; with restart again until the other has ended. */
static void restart(void **state) {
  (void)state;
  for (int again = 0; again < 2; again++) {
    struct rig *r = rig_new();
    int of[2] = {0};
    r->cfg.NumSms = 3;
    r->sms[0] = 1;
    r->sms[1] = 2;
    r->restart = again;
    r->trace[0] = reads(2, 0x100000);
    r->trace[1] = reads(9, 0x800000);
    rig_start(r, 2);
    while (!gmmu_fe_done(r->fe)) rig_cycle(r);
    for (int i = 0; i < r->n; i++) {
      bool first = r->log[i].va < 0x800000;
      assert_true(r->log[i].sm == (first ? 0 : 1) && r->log[i].q.asid == (first ? 3 : 4));
      if (++of[!first] == 2 && first) /* its data, which the data cache has not */
        assert_int_equal(gmmu_fe_app_progress(r->fe, 0).first_end,
                         r->log[i].due + (uint64_t)r->cfg.DataLatency);
    }
    assert_int_equal(of[1], 9);
    assert_true(again ? of[0] > 4 : of[0] == 2);
    assert_int_equal(gmmu_fe_app_progress(r->fe, 0).runs, again ? of[0] / 2 : 1);
    assert_int_equal(gmmu_fe_app_progress(r->fe, 1).runs, 1);
    assert_int_equal(gmmu_fe_app_progress(r->fe, 1).first_end, r->cycle);
    rig_free(r);
  }
}

/* Nothing to do: no application's trace has launches; it has ended, in all passes. */
static void empty_trace(void **state) {
  struct rig *r = rig_new();
  struct gmmu_err err = {""};

  (void)state;
  r->cfg.NumSms = 2;
  r->trace[0] = gmmu_trace_builder_finish(gmmu_trace_builder_new("empty"), &err);
  assert_non_null(r->trace[0]);
  rig_start(r, 1);
  assert_true(gmmu_fe_done(r->fe) && gmmu_fe_ok(r->fe));
  assert_int_equal(gmmu_fe_app_progress(r->fe, 0).runs, 1);
  gmmu_fe_set_passes(r->fe, 4);
  assert_true(gmmu_fe_done(r->fe));
  rig_free(r);
}

static void refused(void **state) {
  struct rig *r = rig_new();
  struct gmmu_fe_app a[2];
  struct gmmu_err err = {""};

  (void)state;
  r->cfg.NumSms = 4;
  r->trace[0] = reads(1, 0x1000);
  a[0] = a[1] = (struct gmmu_fe_app){.trace = r->trace[0]};
  assert_null(gmmu_fe_new(&r->cfg, a, 0, false, &err));
  assert_non_null(strstr(err.msg, "0 applications need at least as many SMs"));
  a[0].sms = 1;
  assert_null(gmmu_fe_new(&r->cfg, a, 2, false, &err));
  assert_non_null(strstr(err.msg, "SMs are given for 1 of 2 applications, 1 in all"));
  a[1].sms = 4;
  assert_null(gmmu_fe_new(&r->cfg, a, 2, false, &err));
  assert_non_null(strstr(err.msg, "2 of 2 applications, 5 in all; NumSms is 4"));
  rig_free(r);
}

/* Warps in any of 256 slots get the port; the pins have the low WarpW bits of their slot. */
static void many_warps(void **state) {
  (void)state;
  for (uint32_t one = 5; one < 256; one += 64) {
    struct rig *r = rig_new();
    struct maker m = make(1, 256);
    r->cfg.WarpsPerSm = 256;
    r->cfg.WarpW = 3;
    for (uint32_t w = 0; w < 256; w++) {
      warp(&m, 0, w);
      if (w == one || w == one + 3) op(&m, GMMU_READ, 1, 0x1000 * w, 0);
    }
    r->trace[0] = made(&m);
    rig_start(r, 1);
    rig_run(r);
    assert_int_equal(r->n, 2);
    assert_true(r->log[0].va == 0x1000 * one && r->log[0].q.warp == one % 8);
    assert_true(r->log[1].cycle == 1 && r->log[1].q.warp == (one + 3) % 8);
    rig_free(r);
  }
}

/* Each warp goes on when its gap is over, in whatever order the gaps end. */
static void gaps_end_in_time(void **state) {
  static const uint32_t cycles[] = {50, 10, 100, 30, 70};
  struct rig *r = rig_new();
  struct maker m = make(1, 5);

  (void)state;
  for (uint32_t w = 0; w < 5; w++) {
    warp(&m, 0, w);
    gap(&m, cycles[w]);
    op(&m, GMMU_READ, 1, 0x1000 * (w + 1), 0);
  }
  r->trace[0] = made(&m);
  rig_start(r, 1);
  rig_run(r);
  for (int i = 0; i < 5; i++) assert_int_equal(r->log[i].cycle, cycles[r->log[i].va / 0x1000 - 1]);
  rig_free(r);
}

/* SpreadTables: each page's address is the spread one. */
static void spread(void **state) {
  struct rig *r = rig_new();
  struct maker m = make(1, 1);

  (void)state;
  r->cfg.SpreadTables = 1;
  warp(&m, 0, 0);
  op(&m, GMMU_READ, 32, 0x123008, 4096);
  r->trace[0] = made(&m);
  rig_start(r, 1);
  rig_run(r);
  assert_int_equal(r->n, 32);
  for (uint64_t i = 0; i < 32; i++)
    assert_int_equal(r->log[i].va, gmmu_spread_va(0x123008 + 4096 * i));
  rig_free(r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(reads_join),  cmocka_unit_test(one_frame_twice),
      cmocka_unit_test(stores),      cmocka_unit_test(atomics),
      cmocka_unit_test(few_lines),   cmocka_unit_test(lines_alone),
      cmocka_unit_test(l1d_alone),   cmocka_unit_test(restart),
      cmocka_unit_test(empty_trace), cmocka_unit_test(refused),
      cmocka_unit_test(many_warps),  cmocka_unit_test(gaps_end_in_time),
      cmocka_unit_test(spread),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
