/* SPDX-License-Identifier: Apache-2.0 */
/** test_frontend.c - the SM front end against a device that answers every request after a fixed
 * time. */
#include "frontend_rig.h"

static void test_one_warp_timing(void **state) {
  struct rig *r = rig_new();
  struct maker m = make(1, 1);
  (void)state;

  warp(&m, 0, 0);
  op(&m, GMMU_READ, 32, 0x1000, 4);  /* one line: data miss */
  op(&m, GMMU_WRITE, 32, 0x1000, 4); /* data hit */
  gap(&m, 7);
  op(&m, GMMU_READ, 1, 0x2000, 0);
  r->trace[0] = made(&m);
  rig_start(r, 1);
  rig_run(r);
  assert_int_equal(r->n, 3);
  assert_int_equal(r->log[0].cycle, 0);
  assert_int_equal(r->log[1].cycle, 5 + r->cfg.DataLatency);
  assert_int_equal(r->log[1].q.access, GMMU_WRITE);
  assert_int_equal(r->log[2].cycle, r->log[1].cycle + 5 + (uint64_t)r->cfg.L1dLatency + 7);
  assert_true(r->log[0].q.user);
  assert_int_equal(r->log[0].q.asid, 3);
  assert_int_equal(gmmu_fe_get_counts(r->fe)->line_hits, 1);
  rig_free(r);
}

static void test_pages_back_to_back(void **state) {
  struct rig *r = rig_new();
  struct maker m = make(1, 2);
  (void)state;

  for (uint32_t w = 0; w < 2; w++) {
    warp(&m, 0, w);
    op(&m, GMMU_READ, 32, 0x100010 + w * 0x1000000, 4096);
  }
  r->trace[0] = made(&m);
  rig_start(r, 1);
  rig_run(r);
  assert_int_equal(r->n, 64); /* one a cycle, the second warp right behind the first */
  for (int i = 0; i < 64; i++) {
    assert_int_equal(r->log[i].cycle, i);
    assert_int_equal(r->log[i].va, 0x100010 + (i / 32) * 0x1000000 + (i % 32) * 4096);
    assert_int_equal(r->log[i].q.warp, i / 32);
  }
  rig_free(r);
}

static void test_page_of_crossing_lane(void **state) {
  struct rig *r = rig_new();
  struct maker m = make(1, 1);
  (void)state;

  warp(&m, 0, 0);
  op(&m, GMMU_READ, 2, 0x1ffe, 0x2000); /* each lane's 4 bytes cross a page */
  r->trace[0] = made(&m);
  rig_start(r, 1);
  rig_run(r);
  assert_int_equal(r->n, 4);
  assert_int_equal(r->log[0].va, 0x1ffe);
  assert_int_equal(r->log[1].va, 0x2000);
  assert_int_equal(r->log[2].va, 0x3ffe);
  assert_int_equal(r->log[3].va, 0x4000);
  rig_free(r);
}

static void test_held_until_accepted(void **state) {
  struct rig *r = rig_new();
  struct maker m = make(1, 1);
  struct gmmu_req first;
  (void)state;

  warp(&m, 0, 0);
  op(&m, GMMU_READ, 2, 0x1000, 4096);
  r->trace[0] = made(&m);
  rig_start(r, 1);
  r->ready_from = 20;
  rig_cycle(r);
  first = r->pins.req[0];
  assert_true(first.valid);
  while (r->cycle < 20) {
    rig_cycle(r);
    assert_memory_equal(&r->pins.req[0], &first, sizeof first);
  }
  rig_run(r);
  assert_int_equal(r->log[0].cycle, 20);
  assert_int_equal(r->log[1].cycle, 21);
  rig_free(r);
}

/** Order in which warps get the port when each has three accesses that hit the data cache. */
static void order(int scheduler, const char *expected) {
  struct rig *r = rig_new();
  struct maker m = make(1, 3);
  char got[16] = "";

  r->cfg.Scheduler = scheduler;
  r->cfg.DataLatency = 1;
  r->latency = 1; /* the warp that was answered is ready again two cycles after its request */
  for (uint32_t w = 0; w < 3; w++) {
    warp(&m, 0, w);
    for (int i = 0; i < 3; i++) op(&m, GMMU_READ, 1, 0x1000, 0);
  }
  r->trace[0] = made(&m);
  rig_start(r, 1);
  rig_run(r);
  for (int i = 0; i < r->n; i++) got[i] = (char)('0' + r->log[i].q.warp);
  assert_string_equal(got, expected);
  rig_free(r);
}

static void test_scheduler(void **state) {
  (void)state;
  order(0, "010101222"); /* greedy then oldest: warp 0 is back when warp 1 has had its turn */
  order(1, "012012012");
}

static void test_blocks_round_robin(void **state) {
  struct rig *r = rig_new();
  struct maker m = make(7, 2);
  int per_block_sm[7];
  (void)state;

  r->cfg.NumSms = 3;
  r->cfg.WarpsPerSm = 4;
  r->cfg.BlocksPerSm = 16; /* two blocks of two warps fit */
  for (uint32_t b = 0; b < 7; b++)
    for (uint32_t w = 0; w < 2; w++) {
      warp(&m, b, w);
      op(&m, GMMU_READ, 1, 0x100000 * (b + 1) + w * 0x1000, 0);
    }
  r->trace[0] = made(&m);
  rig_start(r, 1);
  rig_run(r);
  assert_int_equal(r->n, 14);
  for (int i = 0; i < r->n; i++) per_block_sm[r->log[i].va / 0x100000 - 1] = r->log[i].sm;
  for (int b = 0; b < 6; b++) assert_int_equal(per_block_sm[b], b % 3);
  assert_int_equal(per_block_sm[6], 0); /* SM 0's first block ends first */
  rig_free(r);
}

static void test_launches_in_order(void **state) {
  struct rig *r = rig_new();
  struct maker m = make(2, 1);
  uint64_t last_of_first = 0;
  (void)state;

  r->cfg.NumSms = 2;
  warp(&m, 0, 0);
  op(&m, GMMU_READ, 1, 0x1000, 0);
  warp(&m, 1, 0);
  gap(&m, 500);
  op(&m, GMMU_READ, 1, 0x2000, 0);
  assert_int_equal(m.s.launch(m.s.arg, "k2", 1, 1), 0);
  warp(&m, 0, 0);
  op(&m, GMMU_READ, 1, 0x3000, 0);
  r->trace[0] = made(&m);
  rig_start(r, 1);
  assert_true(gmmu_fe_computing(r->fe) || !gmmu_fe_done(r->fe));
  rig_run(r);
  assert_int_equal(r->n, 3);
  assert_int_equal(r->log[1].va, 0x2000);
  last_of_first = r->log[1].cycle + r->latency + (uint64_t)r->cfg.DataLatency;
  assert_int_equal(r->log[2].va, 0x3000);
  assert_int_equal(r->log[2].cycle, last_of_first);
  rig_free(r);
}

static void test_two_applications(void **state) {
  struct rig *r = rig_new();
  int first, number;
  (void)state;

  r->cfg.NumSms = 5;
  for (int a = 0; a < 2; a++) {
    struct maker m = make(10, 1);
    for (uint32_t b = 0; b < 10; b++) {
      warp(&m, b, 0);
      op(&m, GMMU_READ, 1, 0x1000, 0);
    }
    r->trace[a] = made(&m);
  }
  rig_start(r, 2);
  gmmu_fe_share(r->fe, 0, &first, &number);
  assert_int_equal(first, 0);
  assert_int_equal(number, 3); /* the remainder goes to the first */
  gmmu_fe_share(r->fe, 1, &first, &number);
  assert_int_equal(first, 3);
  assert_int_equal(number, 2);
  rig_run(r);
  assert_int_equal(r->n, 20);
  for (int i = 0; i < r->n; i++) assert_int_equal(r->log[i].q.asid, r->log[i].sm < 3 ? 3 : 4);
  rig_free(r);
}

static void test_tags(void **state) {
  struct rig *r = rig_new();
  struct maker m = make(1, 1);
  bool busy[4] = {false};
  int outstanding = 0, most = 0, seen = 0;
  (void)state;

  r->cfg.TagW = 2;
  r->latency = 30;
  warp(&m, 0, 0);
  op(&m, GMMU_READ, 32, 0x1000, 4096);
  r->trace[0] = made(&m);
  rig_start(r, 1);
  while (!gmmu_fe_done(r->fe)) {
    rig_cycle(r);
    if (r->pins.rsp[0].valid) { /* freed before it can be taken again in the next cycle */
      busy[r->pins.rsp[0].tag] = false;
      outstanding--;
    }
    for (; seen < r->n; seen++) {
      assert_false(busy[r->log[seen].q.tag]);
      busy[r->log[seen].q.tag] = true;
      outstanding++;
    }
    most = outstanding > most ? outstanding : most;
    assert_true(r->cycle < 10000);
  }
  assert_int_equal(most, 4);
  assert_true(gmmu_fe_get_counts(r->fe)->tag_stalls > 0);
  rig_free(r);
}

/* Warps that each miss: at most LsuMisses of them wait, and one more is on its way when the last
 * one is known to. */
static void run_lsu(int64_t misses, uint64_t latency, uint64_t *cycles, int *most) {
  struct rig *r = rig_new();
  struct maker m = make(1, 8);
  int seen = 0;
  r->cfg.LsuMisses = misses;
  r->latency = latency;
  for (uint32_t w = 0; w < 8; w++) {
    warp(&m, 0, w);
    for (uint64_t k = 0; k < 4; k++) op(&m, GMMU_READ, 32, 0x100000 * (w + 1) + k * 0x1000, 4);
  }
  r->trace[0] = made(&m);
  rig_start(r, 1);
  *most = 0;
  while (!gmmu_fe_done(r->fe)) {
    int waiting = 0;
    rig_cycle(r);
    for (seen = 0; seen < r->n; seen++)
      waiting += r->log[seen].cycle + 1 < r->cycle && r->cycle <= r->log[seen].due;
    if (waiting > *most) *most = waiting;
    assert_true(r->cycle < 100000);
  }
  assert_int_equal(r->n, 32);
  assert_true((gmmu_fe_get_counts(r->fe)->lsu_stalls > 0) == (misses != 0 && latency > 1));
  *cycles = r->cycle;
  rig_free(r);
}

static void test_lsu_misses(void **state) {
  uint64_t free_run, one, two, hits, hits_one;
  int most;
  (void)state;
  run_lsu(0, 50, &free_run, &most);
  assert_int_equal(most, 8);
  run_lsu(1, 50, &one, &most);
  assert_int_equal(most, 2);
  run_lsu(2, 50, &two, &most);
  assert_int_equal(most, 3);
  assert_true(free_run < two && two < one);
  assert_true(one >= 32 / 2 * 50);
  run_lsu(0, 1, &hits, &most); /* hits are never held up */
  run_lsu(1, 1, &hits_one, &most);
  assert_int_equal(hits, hits_one);
}

/* Two warps compute 100 each: side by side, or one after the other. */
static void test_compute_issue(void **state) {
  (void)state;
  for (int shared = 0; shared < 2; shared++) {
    struct rig *r = rig_new();
    struct maker m = make(1, 2);
    r->cfg.ComputeIssue = shared;
    for (uint32_t w = 0; w < 2; w++) {
      warp(&m, 0, w);
      gap(&m, 100);
      op(&m, GMMU_READ, 32, 0x1000 * (w + 1), 4);
    }
    r->trace[0] = made(&m);
    rig_start(r, 1);
    rig_run(r);
    assert_int_equal(r->log[0].cycle, 100);
    assert_int_equal(r->log[1].cycle, shared ? 200 : 101);
    rig_free(r);
  }
}

static void test_fault_ends_the_page(void **state) {
  struct rig *r = rig_new();
  struct maker m = make(1, 1);
  (void)state;

  warp(&m, 0, 0);
  op(&m, GMMU_READ, 2, 0x1000, 4096);
  op(&m, GMMU_READ, 1, 0x1000, 0);
  r->trace[0] = made(&m);
  r->cause = GMMU_PF_INVALID;
  rig_start(r, 1);
  rig_run(r);
  assert_int_equal(r->n, 3); /* no retry */
  assert_int_equal(gmmu_fe_get_counts(r->fe)->faults, 3);
  assert_int_equal(gmmu_fe_get_counts(r->fe)->lines, 0);
  assert_int_equal(r->log[2].cycle, 1 + 5 + 1); /* the cycle after the second page's answer */
  rig_free(r);
}

/* With replay a fault keeps its tag; the retry goes before what the warp asks next, and counts as
 * one access. */
static void test_replay(void **state) {
  struct rig *r = rig_new();
  struct maker m = make(1, 1);
  (void)state;

  warp(&m, 0, 0);
  op(&m, GMMU_READ, 2, 0x1000, 4096);
  op(&m, GMMU_WRITE, 1, 0x5000, 0);
  r->trace[0] = made(&m);
  r->cause = GMMU_PF_INVALID;
  rig_start(r, 1);
  gmmu_fe_set_replay(r->fe);
  for (int i = 0; i < 50; i++) rig_cycle(r);
  assert_int_equal(r->n, 2); /* both pages wait, the warp does not go on */
  assert_int_equal(gmmu_fe_get_counts(r->fe)->faults, 2);
  assert_false(gmmu_fe_done(r->fe));
  assert_int_equal(gmmu_fe_sm(r->fe, 0).outstanding, 2);
  r->cause = GMMU_OK;
  gmmu_fe_retry(r->fe, 0, r->log[1].q.tag);
  gmmu_fe_retry(r->fe, 0, r->log[0].q.tag);
  rig_run(r);
  assert_int_equal(r->n, 5);
  assert_true(r->log[2].va == 0x2000 &&
              r->log[2].q.tag == r->log[1].q.tag); /* in the order of the retries */
  assert_true(r->log[3].va == 0x1000 && r->log[3].q.access == GMMU_READ);
  assert_int_equal(r->log[3].cycle, r->log[2].cycle + 1);
  assert_true(r->log[4].va == 0x5000 && r->log[4].q.access == GMMU_WRITE);
  assert_int_equal(gmmu_fe_get_counts(r->fe)->accesses_done, 2);
  assert_int_equal(gmmu_fe_get_counts(r->fe)->requests, 5);
  rig_free(r);
}

static void test_stray_answer(void **state) {
  struct rig *r = rig_new();
  struct maker m = make(1, 1);
  (void)state;

  warp(&m, 0, 0);
  op(&m, GMMU_READ, 1, 0x1000, 0);
  r->trace[0] = made(&m);
  rig_start(r, 1);
  rig_cycle(r);
  r->pins.rsp[0] = (struct gmmu_rsp){.valid = true, .tag = 77};
  r->pins.req_ready[0] = false;
  assert_int_equal(gmmu_fe_step(r->fe, r->cycle, &r->pins, r->ans), 1);
  assert_true(r->ans[0].seq == UINT64_MAX);
  assert_int_equal(gmmu_fe_get_counts(r->fe)->stray, 1);
  rig_free(r);
}

/* A stall of 1,000 cycles, wherever it begins, is 1,000 cycles more and nothing else; nothing new
 * is presented meanwhile. */
static void test_stall(void **state) {
  uint64_t end = 0;
  (void)state;

  for (uint64_t at = 0; at < 120; at++) { /* 0: none */
    struct rig *r = rig_new();
    struct maker m = make(2, 2);
    for (uint32_t w = 0; w < 4; w++) {
      warp(&m, w / 2, w % 2);
      op(&m, GMMU_READ, 8, 0x100000 + w * 0x1000000, 4096);
      gap(&m, 40 + w);
      op(&m, GMMU_WRITE, 2, 0x100000 + w * 0x1000000, 4096);
    }
    r->trace[0] = made(&m);
    r->cfg.DataLatency = 1; /* nothing but the gaps is on its way for long */
    r->cfg.L1dLatency = 1;
    r->latency = 0;
    rig_start(r, 1);
    while (at && r->cycle < at) rig_cycle(r);
    int sent = r->n;
    if (at) gmmu_fe_stall(r->fe, true);
    for (int i = 0; at && i < 1000; i++) rig_cycle(r);
    assert_true(r->n <= sent + 1); /* what was presented already */
    if (at) gmmu_fe_stall(r->fe, false);
    rig_run(r);
    if (!at) end = r->cycle;
    else if (at < end) assert_int_equal(r->cycle, end + 1000);
    rig_free(r);
  }
  assert_true(end > 60 && end < 120);
}

/* Three passes: both warps' accesses again behind the last answer of the pass before. */
static void test_passes(void **state) {
  struct rig *r = rig_new();
  struct maker m = make(1, 2);
  (void)state;

  for (uint32_t w = 0; w < 2; w++) {
    warp(&m, 0, w);
    op(&m, GMMU_READ, 1, 0x10000 + 0x1000 * w, 0);
  }
  r->trace[0] = made(&m);
  rig_start(r, 1);
  gmmu_fe_set_passes(r->fe, 3), rig_run(r);
  for (int i = 2; i < r->n; i++)
    for (int k = i / 2 * 2 - 2; k < i / 2 * 2; k++)
      assert_true(r->log[i].cycle > r->log[k].due && r->log[i ^ 1].va != r->log[i].va);
  assert_true(r->n == 6 && gmmu_fe_app_progress(r->fe, 0).runs == 3);
  assert_int_equal(gmmu_fe_app_progress(r->fe, 0).first_end, r->cycle);
  rig_free(r);
}

static void test_impossible(void **state) {
  struct rig *r = rig_new();
  struct maker m = make(1, 9);
  struct gmmu_fe_app a[2];
  struct gmmu_err err = {""};
  (void)state;

  for (uint32_t w = 0; w < 9; w++) warp(&m, 0, w);
  r->trace[0] = made(&m);
  a[0] = a[1] = (struct gmmu_fe_app){.trace = r->trace[0]};
  r->cfg.WarpsPerSm = 8;
  assert_null(gmmu_fe_new(&r->cfg, a, 1, false, &err)); /* a block larger than an SM */
  assert_non_null(strstr(err.msg, "WarpsPerSm"));
  r->cfg.WarpsPerSm = 9;
  assert_null(gmmu_fe_new(&r->cfg, a, 2, false, &err)); /* more applications than SMs */
  rig_start(r, 1);
  rig_run(r); /* warps without operations end at once */
  assert_int_equal(r->n, 0);
  rig_free(r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_one_warp_timing),
      cmocka_unit_test(test_pages_back_to_back),
      cmocka_unit_test(test_page_of_crossing_lane),
      cmocka_unit_test(test_held_until_accepted),
      cmocka_unit_test(test_scheduler),
      cmocka_unit_test(test_blocks_round_robin),
      cmocka_unit_test(test_launches_in_order),
      cmocka_unit_test(test_two_applications),
      cmocka_unit_test(test_tags),
      cmocka_unit_test(test_fault_ends_the_page),
      cmocka_unit_test(test_lsu_misses),
      cmocka_unit_test(test_compute_issue),
      cmocka_unit_test(test_replay),
      cmocka_unit_test(test_stray_answer),
      cmocka_unit_test(test_stall),
      cmocka_unit_test(test_passes),
      cmocka_unit_test(test_impossible),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
