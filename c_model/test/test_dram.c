/* SPDX-License-Identifier: Apache-2.0 */
/* test_dram.c - DRAM scheduler and channel: rules by hand, random traffic under the independent
 * checker. */
#include <string.h>

#include "dram_rig.h"
#include "policy/dram_check.h"
#include "policy/dram_map.h"
#include "policy/xor_hash.h"
#include "timed/timed_dram.h"

/* Golden first, then silver, then normal; within a class columns, ACT, PRE. */
static void classes(void **state) {
  (void)state;
  struct gmmu_dram_sched *s = gmmu_dram_sched_new(&full);
  struct gmmu_dram_ready r = {.act = 255, .pre = 255, .rd = 255, .wr = 255};
  struct gmmu_dram_req q[] = {req(0, 1, 0, false, false, 1), req(1, 1, 0, false, false, 2),
                              req(2, 1, 0, false, false, 3), req(2, 2, 0, false, true, 4)};
  assert_true(gmmu_dram_sched_enter(s, &q[0], false));
  assert_true(gmmu_dram_sched_enter(s, &q[1], true));
  assert_true(gmmu_dram_sched_enter(s, &q[2], false));
  give(s, &r, GMMU_DRAM_ACT, 2); /* silver before the older normal one */
  give(s, &r, GMMU_DRAM_RD, 2);
  give(s, &r, GMMU_DRAM_ACT, 1);
  r.rd = 0;
  give(s, &r, GMMU_DRAM_ACT, 3);
  assert_true(gmmu_dram_sched_enter(s, &q[3], false));
  give(s, &r, GMMU_DRAM_PRE, 4); /* golden closes a bank under a row hit of normal */
  give(s, &r, GMMU_DRAM_ACT, 4);
  r.rd = 1;
  give(s, &r, GMMU_DRAM_RD, 1);  /* golden's is not ready */
  give(s, &r, GMMU_DRAM_NOP, 0); /* bank 2 is the golden's: no PRE for request 3 */
  r.rd = 255;
  give(s, &r, GMMU_DRAM_RD, 4);
  give(s, &r, GMMU_DRAM_PRE, 3);
  give(s, &r, GMMU_DRAM_ACT, 3);
  give(s, &r, GMMU_DRAM_RD, 3);
  give(s, &r, GMMU_DRAM_NOP, 0);
  gmmu_dram_sched_free(s);
}

/* Same line, one of them a write: order kept, and the older one inherits the class. */
static void same_line(void **state) {
  (void)state;
  struct gmmu_dram_sched *s = gmmu_dram_sched_new(&full);
  struct gmmu_dram_ready r = {.act = 255, .pre = 255, .rd = 255, .wr = 255};
  struct gmmu_dram_req q[] = {req(0, 9, 0, false, false, 1), req(1, 1, 5, true, false, 2),
                              req(1, 1, 5, false, true, 3), req(3, 1, 0, false, true, 4),
                              req(1, 1, 5, true, false, 5)};
  for (int i = 0; i < 5; i++) assert_true(gmmu_dram_sched_enter(s, &q[i], false));
  give(s, &r, GMMU_DRAM_ACT, 2); /* the write, needed by translation 3, before everything */
  give(s, &r, GMMU_DRAM_WR, 2);
  give(s, &r, GMMU_DRAM_RD, 3);
  give(s, &r, GMMU_DRAM_ACT, 4);
  give(s, &r, GMMU_DRAM_RD, 4);
  give(s, &r, GMMU_DRAM_WR, 5);
  give(s, &r, GMMU_DRAM_ACT, 1);
  for (uint32_t i = 0; i < GMMU_DRAM_MAX_WAITS; i++)
    assert_true(gmmu_dram_sched_enter(s, &q[0], false));
  struct gmmu_dram_req w = req(0, 9, 0, true, false, 7);
  assert_false(gmmu_dram_sched_enter(s, &w, false)); /* 16 readers of the line */
  give(s, &r, GMMU_DRAM_RD, 1);
  assert_true(gmmu_dram_sched_enter(s, &w, false));
  gmmu_dram_sched_free(s);
}

/* Two ticks: a command of the other kind goes with the first, at another bank, highest class
 * first. */
static void also(struct gmmu_dram_sched *s, struct gmmu_dram_ready *r, enum gmmu_dram_cmd_kind kind,
                 uint32_t id, enum gmmu_dram_cmd_kind kind2, uint32_t id2) {
  struct gmmu_dram_cmd c[2] = {gmmu_dram_sched_choose(s, r)};
  c[1] = gmmu_dram_sched_also(s, r, &c[0]);
  assert_int_equal(c[0].kind, kind);
  assert_int_equal(c[0].payload, id);
  assert_int_equal(c[1].kind, kind2);
  if (kind2 != GMMU_DRAM_NOP) assert_int_equal(c[1].payload, id2);
  for (int k = 0; k < 2; k++) {
    gmmu_dram_sched_given(s, &c[k]);
    if (c[k].kind == GMMU_DRAM_ACT) r->open |= 1u << c[k].bank;
    if (c[k].kind == GMMU_DRAM_PRE) r->open &= ~(1u << c[k].bank);
  }
}
static void two_commands(void **state) {
  (void)state;
  struct gmmu_dram_sched *s = gmmu_dram_sched_new(&full);
  struct gmmu_dram_ready r = {.act = 255, .pre = 255, .rd = 255, .wr = 255};
  struct gmmu_dram_req q[] = {req(0, 1, 0, false, false, 1), req(1, 1, 0, false, false, 2),
                              req(2, 1, 0, true, false, 3),  req(0, 2, 0, false, true, 4),
                              req(0, 1, 1, false, false, 5), req(2, 2, 0, false, false, 6)};
  for (int i = 0; i < 3; i++) assert_true(gmmu_dram_sched_enter(s, &q[i], false));
  also(s, &r, GMMU_DRAM_ACT, 1, GMMU_DRAM_NOP, 0); /* no second row command */
  also(s, &r, GMMU_DRAM_RD, 1, GMMU_DRAM_ACT, 2);
  assert_true(gmmu_dram_sched_enter(s, &q[4], false));
  assert_true(gmmu_dram_sched_enter(s, &q[3], false));
  r.rd = 1;
  also(s, &r, GMMU_DRAM_PRE, 4, GMMU_DRAM_NOP, 0); /* normal's column 5 is at the same bank */
  r.rd = 255;
  also(s, &r, GMMU_DRAM_ACT, 4, GMMU_DRAM_RD, 2); /* normal's column beside golden's ACT */
  also(s, &r, GMMU_DRAM_RD, 4, GMMU_DRAM_ACT, 3);
  assert_true(gmmu_dram_sched_enter(s, &q[5], false));
  also(s, &r, GMMU_DRAM_WR, 3, GMMU_DRAM_PRE, 5); /* not the PRE of 6: its row is asked for */
  also(s, &r, GMMU_DRAM_ACT, 5, GMMU_DRAM_NOP, 0);
  also(s, &r, GMMU_DRAM_RD, 5, GMMU_DRAM_PRE, 6);
  struct gmmu_dram_cmd none = {.kind = GMMU_DRAM_NOP};
  assert_int_equal(gmmu_dram_sched_also(s, &r, &none).kind, GMMU_DRAM_NOP);
  gmmu_dram_sched_free(s);
}

/* A PRE of the class waits for its row hits; an old request does not. */
static void old(void **state) {
  (void)state;
  struct gmmu_dram_sched *s = gmmu_dram_sched_new(&full);
  struct gmmu_dram_ready r = {.act = 255, .pre = 255, .rd = 255, .wr = 255};
  struct gmmu_dram_req a = req(0, 1, 0, false, false, 1), b = req(0, 2, 0, false, false, 2),
                       c = req(0, 1, 1, false, false, 3);
  assert_true(gmmu_dram_sched_enter(s, &a, false));
  give(s, &r, GMMU_DRAM_ACT, 1);
  give(s, &r, GMMU_DRAM_RD, 1);
  assert_true(gmmu_dram_sched_enter(s, &b, false));
  for (int i = 0; i < 4; i++) gmmu_dram_sched_age(s);
  assert_true(gmmu_dram_sched_enter(s, &c, false));
  r.rd = 0;
  give(s, &r, GMMU_DRAM_NOP, 0);
  gmmu_dram_sched_age(s);
  give(s, &r, GMMU_DRAM_PRE, 2);
  give(s, &r, GMMU_DRAM_ACT, 2);
  gmmu_dram_sched_free(s);
}

/* Data of the turn's application waits for silver; what is behind it goes on, but for the same
 * line. */
static void full_silver(void **state) {
  (void)state;
  struct gmmu_dram_sched_cfg c = {.golden = 1, .silver = 1, .normal = 2, .aware = true};
  struct gmmu_dram_sched *s = gmmu_dram_sched_new(&c);
  struct gmmu_dram_req a = req(0, 1, 0, false, false, 1), b = req(0, 1, 1, true, false, 2),
                       x = req(0, 1, 1, false, false, 3), y = req(2, 7, 1, false, false, 4);
  x.app = y.app = 5;
  int home = 0;
  struct gmmu_dram_req buffer[GMMU_DRAM_BUFFER] = {a};
  assert_int_equal(gmmu_dram_sched_next(s, buffer, 1, 0, &home), 0);
  assert_int_equal(home, 2);
  assert_true(gmmu_dram_sched_enter(s, &a, true));
  buffer[0] = b;
  buffer[1] = x;
  assert_int_equal(gmmu_dram_sched_next(s, buffer, 1, 0, &home), -1); /* not into normal */
  assert_int_equal(gmmu_dram_sched_next(s, buffer, 2, 0, &home), -1); /* the same line */
  assert_true(gmmu_dram_buffer_ready(buffer, 2, 0, 0));
  buffer[2] = y;
  assert_int_equal(gmmu_dram_sched_next(s, buffer, 3, 0, &home), 2);
  assert_int_equal(home, 1);
  assert_false(gmmu_dram_buffer_ready(buffer, 3, 0, 5)); /* two of the others */
  assert_true(gmmu_dram_buffer_ready(buffer, 3, 0, 0));
  assert_int_equal(gmmu_dram_sched_next(s, buffer, 3, 5, &home), 0); /* the turn has passed */
  assert_int_equal(home, 1);
  assert_false(gmmu_dram_buffer_ready(buffer, 3, 5, 5));
  assert_true(gmmu_dram_buffer_ready(buffer, 3, -1, 0) == false); /* no turn: all are others */
  gmmu_dram_sched_free(s);
}

/* keep_rows: silver leaves a row to the normal requests that ask for it. */
static void keeps_rows(void **state) {
  (void)state;
  for (int keep = 0; keep < 2; keep++) {
    struct gmmu_dram_sched_cfg c = full;
    c.keep_rows = keep;
    struct gmmu_dram_sched *s = gmmu_dram_sched_new(&c);
    struct gmmu_dram_ready r = {.act = 255, .pre = 255, .rd = 255, .wr = 255};
    struct gmmu_dram_req a = req(0, 1, 0, false, false, 1), b = req(0, 1, 1, false, false, 2),
                         x = req(0, 2, 0, false, false, 3);
    assert_true(gmmu_dram_sched_enter(s, &a, false));
    assert_true(gmmu_dram_sched_enter(s, &b, false));
    give(s, &r, GMMU_DRAM_ACT, 1);
    assert_true(gmmu_dram_sched_enter(s, &x, true));
    if (keep) {
      give(s, &r, GMMU_DRAM_RD, 1);
      give(s, &r, GMMU_DRAM_RD, 2);
    }
    give(s, &r, GMMU_DRAM_PRE, 3);
    gmmu_dram_sched_free(s);
  }
}

/* From reset on somebody has the turn; it passes to applications with a quota, in order, at the
 * quota or the timeout. */
static void turns(void **state) {
  (void)state;
  struct gmmu_dram_cfg cfg = {
      .sched = full, .t = gmmu_dram_gddr5, .num_apps = 4, .thresh_max = 8, .turn_timeout = 300};
  struct gmmu_dram *d = gmmu_dram_new(&cfg);
  uint8_t con[4] = {1, 0, 2, 1}, warps[4] = {2, 9, 1, 4};
  struct gmmu_dram_in in = {.apps = 4, .con = con, .warps = warps};
  static const uint16_t quota[4] = {2, 0, 2, 4};
  static const uint16_t order[] = {2, 3, 0, 2, 3, 0};
  struct gmmu_dram_out o;
  uint32_t passed = 0, silver = 0, n = 0, holder = 0;
  for (uint64_t t = 0; t < 20000 && passed < 6; t++) {
    bool quiet = passed == 4;
    if (!in.data_valid && !quiet)
      in.data = req(n % 8, n / 8 % 5, n % 3, false, false, n), in.data.app = n % 4, n++,
      in.data_valid = true;
    if (quiet) in.data_valid = false;
    uint64_t before = gmmu_dram_now(d);
    gmmu_dram_step(d, &in, &o);
    if (in.data_valid && o.data_ready) in.data_valid = false;
    if (o.entered == 2) {
      silver++;
      assert_int_equal(o.entered_payload % 4, holder);
    } else if (o.entered == 1) {
      assert_int_not_equal(o.entered_payload % 4, holder);
    }
    if (o.turn_found) assert_int_equal(o.turn_quota, quota[o.turn_app]);
    if (!o.turn_passed) continue;
    if (passed == 0) assert_true(before < 4 * (4 + 22));
    else if (!quiet) assert_true(silver >= quota[holder]);
    holder = order[passed++];
    silver = 0;
  }
  assert_int_equal(passed, 6);
  gmmu_dram_free(d);
}

static void quotas(void **state) {
  (void)state;
  struct gmmu_dram_turn t = {.apps = 3};
  gmmu_dram_turn_see(&t, 0, 10, 5, true);
  gmmu_dram_turn_see(&t, 1, 100, 70, true); /* both saturate at 63 */
  gmmu_dram_turn_see(&t, 1, 2, 3, false);
  assert_int_equal(gmmu_dram_turn_weight(&t, 0), 50);
  assert_int_equal(gmmu_dram_turn_weight(&t, 1), 3969);
  assert_int_equal(gmmu_dram_quota(500, 50, 4019, 3), 6);
  assert_int_equal(gmmu_dram_quota(500, 3969, 4019, 3), 493);
  assert_int_equal(gmmu_dram_quota(500, 0, 4019, 3), 0);
  assert_int_equal(gmmu_dram_quota(500, 0, 0, 3), 166);
  gmmu_dram_turn_see(&t, 1, 2, 3, true); /* restarts from the present value */
  assert_int_equal(gmmu_dram_turn_weight(&t, 1), 6);
}

/* The checker finds each rule broken by one cycle. */
static void checker(void **state) {
  (void)state;
  static const struct step {
    int t, pin, bank;
    bool ap;
  } seq[][6] = {
      {{0, GMMU_PIN_ACT, 0, 0}, {28, GMMU_PIN_PRE, 0, 0}, {28, GMMU_PIN_ACT, 1, 0}},
      {{0, GMMU_PIN_ACT, 0, 0}, {11, GMMU_PIN_RD, 0, 0}},
      {{0, GMMU_PIN_ACT, 0, 0}, {27, GMMU_PIN_PRE, 0, 0}},
      {{0, GMMU_PIN_ACT, 0, 0}, {5, GMMU_PIN_ACT, 1, 0}},
      {{0, GMMU_PIN_ACT, 0, 0}, {28, GMMU_PIN_PRE, 0, 0}, {39, GMMU_PIN_ACT, 0, 0}},
      {{0, GMMU_PIN_ACT, 0, 0}, {20, GMMU_PIN_RD, 0, 1}, {39, GMMU_PIN_ACT, 0, 0}},
      {{0, GMMU_PIN_ACT, 0, 0}, {12, GMMU_PIN_RD, 0, 0}, {14, GMMU_PIN_RD, 0, 0}},
      {{0, GMMU_PIN_ACT, 0, 0},
       {6, GMMU_PIN_ACT, 1, 0},
       {18, GMMU_PIN_RD, 0, 0},
       {19, GMMU_PIN_RD, 1, 0}},
      {{0, GMMU_PIN_ACT, 0, 0}, {12, GMMU_PIN_RD, 0, 0}, {23, GMMU_PIN_WR, 0, 0}},
      {{0, GMMU_PIN_ACT, 0, 0}, {12, GMMU_PIN_WR, 0, 0}, {22, GMMU_PIN_RD, 0, 0}},
      {{0, GMMU_PIN_ACT, 0, 0}, {12, GMMU_PIN_WR, 0, 0}, {29, GMMU_PIN_PRE, 0, 0}},
      {{0, GMMU_PIN_ACT, 0, 0}, {30, GMMU_PIN_RD, 0, 0}, {31, GMMU_PIN_PRE, 0, 0}},
      {{0, GMMU_PIN_ACT, 0, 0}, {28, GMMU_PIN_PREA, 0, 0}, {39, GMMU_PIN_REF, 0, 0}},
      {{0, GMMU_PIN_REF, 0, 0}, {60, GMMU_PIN_ACT, 0, 0}},
      {{3511, GMMU_PIN_ACT, 0, 0}},
      {{0, GMMU_PIN_ACT, 0, 0}, {10, GMMU_PIN_ACT, 0, 0}},
      {{0, GMMU_PIN_RD, 0, 0}},
  };
  for (size_t k = 0; k < sizeof seq / sizeof seq[0]; k++)
    for (int late = 0; late < 2; late++) { /* one cycle later it is legal, but for the last three */
      struct gmmu_dram_check c;
      gmmu_dram_check_init(&c, &gmmu_dram_rules_gddr5);
      int n = 0;
      while (n < 6 && (n == 0 || seq[k][n].pin)) n++;
      for (int i = 0; i < n; i++) {
        const struct step *p = &seq[k][i];
        const char *e = gmmu_dram_check_command(&c, p->t + (late && i == n - 1), p->pin,
                                                (uint32_t)p->bank, 7, p->ap);
        if (i < n - 1) assert_null(e);
        else if (late && k < sizeof seq / sizeof seq[0] - 3) assert_null(e);
        else assert_non_null(e);
      }
    }
  /* tFAW: four ACTs six cycles apart, the fifth 22 after the first is legal, 21 would be, too, if
   * only tRRD counted */
  for (int late = 0; late < 2; late++) {
    struct gmmu_dram_rules r = gmmu_dram_rules_gddr5;
    r.rrd = 5;
    struct gmmu_dram_check c;
    gmmu_dram_check_init(&c, &r);
    for (uint32_t b = 0; b < 4; b++)
      assert_null(gmmu_dram_check_command(&c, b * 5, GMMU_PIN_ACT, b, 0, false));
    const char *e = gmmu_dram_check_command(&c, 21 + late, GMMU_PIN_ACT, 4, 0, false);
    assert_true(late ? e == NULL : e != NULL);
  }
}

/* By hand, the numbers of docs/dram_map.md; no two lines in one place; 256 bytes (a page) in one
 * row and channel. */
static void map(void **state) {
  (void)state;
  struct gmmu_dram_map m = {.channel_bits = 3, .col_bits = 6, .linear = true};
  struct gmmu_dram_place p = gmmu_dram_place(&m, 0x123456789a40);
  assert_true(p.channel == 2 && p.bank == 3 && p.col == 0x11 && p.row == 0x48d159e);
  m.linear = false;
  p = gmmu_dram_place(&m, 0x123456789a40);
  assert_true(p.channel == 1 && p.bank == 4 && p.col == 0x11 && p.row == 0x48d159e);
  m.by_page = true;
  p = gmmu_dram_place(&m, 0x123456789a40);
  assert_true(p.channel == 1 && p.bank == 5 && p.col == 0x19 && p.row == 0x48d159e);
  m = (struct gmmu_dram_map){.col_bits = 3}; /* rows have up to 44 bits */
  p = gmmu_dram_place(&m, 1ull << 54);
  assert_true(p.row == 1ull << 42 && p.bank == 4 && p.col == 0);
  for (int k = 0; k < 4; k++) {
    uint8_t *seen = calloc(1, 1u << 17);
    m = (struct gmmu_dram_map){.channel_bits = 3, .col_bits = 6, .by_page = k & 1, .linear = k & 2};
    for (uint64_t pa = 0; pa < 1u << 23;
         pa += 64) { /* 8 channels, 4 KiB rows: 32 rows of each bank */
      p = gmmu_dram_place(&m, pa);
      uint64_t at = ((p.row * 8 + p.channel) * 8 + p.bank) * 64 + p.col;
      assert_true(at < 1u << 17 && !seen[at]++);
      struct gmmu_dram_place q = gmmu_dram_place(&m, pa & ~64ull & ~128ull);
      assert_true(q.channel == p.channel && q.bank == p.bank && q.row == p.row);
      if (k & 1 && pa & 4095) assert_int_equal(p.channel, gmmu_dram_place(&m, pa - 64).channel);
    }
    free(seen);
  }
}

/* The example of docs/dram_map.md. */
static void mem_example(void **state) {
  (void)state;
  struct gmmu_mem_map m = {.channels = 8, .banks = 2};
  struct gmmu_mem_place p = gmmu_mem_place(&m, 0x123456789a40);
  assert_true(p.channel == 1 && p.bank == 1 && p.line == 0x2468acf13 &&
              ((p.line & 63) ^ gmmu_xor_hash(p.line >> 6, 6)) == 25);
  m.by_page = true;
  p = gmmu_mem_place(&m, 0x123456789a40);
  assert_true(p.channel == 1 && p.bank == 0 && p.line == 0x2468acf1a &&
              ((p.line & 63) ^ gmmu_xor_hash(p.line >> 6, 6)) == 16);
}

/* Channel, cache bank and line of a bank: no two lines in one place, the same channel as
 * gmmu_dram_place's. */
static void mem_map(void **state) {
  (void)state;
  static const struct gmmu_mem_map maps[] = {{.channels = 8, .banks = 2},
                                             {.channels = 8, .banks = 2, .linear = true},
                                             {.channels = 8, .banks = 2, .by_page = true},
                                             {.channels = 6, .banks = 2},
                                             {.channels = 2, .banks = 8},
                                             {.channels = 1, .banks = 1},
                                             {.channels = 8, .banks = 4, .first = 2, .share = 2}};
  for (size_t k = 0; k < sizeof maps / sizeof *maps; k++) {
    const struct gmmu_mem_map *m = &maps[k];
    uint8_t *seen = calloc(1, 1u << 19);
    for (uint64_t pa = 0; pa < 1u << 23; pa += 128) {
      struct gmmu_mem_place p = gmmu_mem_place(m, pa);
      assert_true(p.channel < m->channels && p.bank < m->banks);
      if (m->share) assert_true(p.channel >= m->first && p.channel < m->first + m->share);
      uint64_t at = (p.line * m->banks + p.bank) * m->channels + p.channel;
      assert_true(at < 1u << 19 && !seen[at]++);
      if (m->channels == 8 && !m->share) {
        struct gmmu_dram_map d = {
            .channel_bits = 3, .col_bits = 6, .by_page = m->by_page, .linear = m->linear};
        struct gmmu_dram_place whole = gmmu_dram_place(&d, pa);
        struct gmmu_dram_map one = {.col_bits = 6, .linear = m->linear};
        struct gmmu_dram_place in = gmmu_dram_place(
            &one, gmmu_mem_line_in_channel(m->banks, m->linear, p.bank, p.line) * 128);
        assert_true(whole.channel == p.channel && whole.bank == in.bank && whole.row == in.row &&
                    whole.col == in.col);
      }
    }
    free(seen);
  }
}

/* Power-of-two pitches: 512 lines in a column go to all channels, cache banks, and at least half of
 * channels' sets and DRAM banks. */
static void pitches(void **state) {
  (void)state;
  enum { N = 512, SETS = 64 };
  for (uint32_t channels = 1; channels <= 16; channels *= 2)
    for (int by_page = 0; by_page < 2; by_page++)
      for (uint32_t pitch = by_page ? 12 : 8; pitch <= 22; pitch++) {
        const struct gmmu_mem_map m = {.channels = channels, .banks = 2, .by_page = by_page};
        const struct gmmu_dram_map d = {
            .channel_bits = (uint32_t)__builtin_ctz(channels), .col_bits = 6, .by_page = by_page};
        uint32_t banks[32] = {0}, dram[128] = {0}, sets[16 * 2 * SETS] = {0}, most[3] = {0};
        for (uint64_t i = 0; i < N; i++) {
          struct gmmu_mem_place p = gmmu_mem_place(&m, 0x5a4000000 + (i << pitch));
          struct gmmu_dram_place q = gmmu_dram_place(&d, 0x5a4000000 + (i << pitch));
          uint32_t b = p.channel * 2 + p.bank,
                   s = b * SETS + ((p.line ^ gmmu_xor_hash(p.line >> 6, 6)) & (SETS - 1));
          if (++banks[b] > most[0]) most[0] = banks[b];
          if (++dram[q.channel * 8 + q.bank] > most[1]) most[1] = dram[q.channel * 8 + q.bank];
          if (++sets[s] > most[2]) most[2] = sets[s];
        }
        if (most[0] > 2 * N / (2 * channels) || most[1] > 4 * N / (8 * channels) || most[2] > 16)
          fail_msg(
              "%u channels, by page %d, pitch 2^%u: %u in a cache bank, %u in a DRAM bank, %u in a "
              "set",
              channels, by_page, pitch, most[0], most[1], most[2]);
      }
}

/* Random traffic: no rule broken, nothing lost, same-line order kept, skipping changes nothing. */
struct life {
  bool we, golden, live;
  uint32_t line;
};
static void traffic(bool aware, bool closed, uint32_t age_cap, uint32_t ratio, uint64_t seed) {
  struct gmmu_dram_cfg cfg = {.sched = full,
                              .t = gmmu_dram_gddr5,
                              .num_apps = 4,
                              .thresh_max = 500,
                              .turn_timeout = 200,
                              .age_cap = age_cap,
                              .ratio = ratio};
  cfg.sched.aware = aware;
  cfg.sched.closed_row = closed;
  struct gmmu_dram *d = gmmu_dram_new(&cfg), *e = gmmu_dram_new(&cfg); /* e skips idle cycles */
  struct gmmu_dram_check chk;
  gmmu_dram_check_init(&chk, &gmmu_dram_rules_gddr5);
  struct gmmu_rng r = {seed};
  enum { N = 20000 };
  struct life *life = calloc(N, sizeof *life);
  uint8_t con[4], warps[4];
  uint32_t sent = 0, served = 0;
  uint64_t skipped = 0, pairs = 0;
  struct gmmu_dram_in in = {.apps = 4, .con = con, .warps = warps};
  for (int i = 0; i < 4; i++) con[i] = (uint8_t)(i * 9), warps[i] = (uint8_t)(3 + i);
  for (uint64_t guard = 0; served < N && guard < 5000000; guard++) {
    if (!in.golden_valid && !in.data_valid && sent < N &&
        gmmu_rng_below(&r, sent / 2000 % 2 ? 3 : 60) == 0) {
      struct gmmu_dram_req *q = gmmu_rng_below(&r, 4) ? &in.data : &in.golden;
      *q = req(gmmu_rng_below(&r, 8), gmmu_rng_below(&r, 3), gmmu_rng_below(&r, 4),
               gmmu_rng_below(&r, 3) == 0, q == &in.golden, sent);
      q->app = (uint16_t)gmmu_rng_below(&r, 4);
      life[sent] = (struct life){q->we, q->golden, true, q->bank * 64u + q->row * 8 + q->col};
      sent++;
      if (q->golden) in.golden_valid = true;
      else in.data_valid = true;
    }
    in.epoch = gmmu_rng_below(&r, 5000) == 0;
    struct gmmu_dram_out o, oe;
    gmmu_dram_step(d, &in, &o);
    uint64_t next = gmmu_dram_next_event(e);
    if (next > gmmu_dram_now(e) && !in.golden_valid && !in.data_valid && !in.epoch) {
      gmmu_dram_skip(e, gmmu_dram_now(e) + 1);
      skipped++;
      assert_int_equal(o.cmd.kind, GMMU_DRAM_NOP);
      assert_false(o.turn_passed || o.entered);
    } else {
      gmmu_dram_step(e, &in, &oe);
      assert_int_equal(o.cmd.kind, oe.cmd.kind);
      assert_int_equal(o.cmd.payload, oe.cmd.payload);
      assert_int_equal(o.also.kind, oe.also.kind);
      assert_int_equal(o.entered, oe.entered);
      assert_int_equal(o.turn_found, oe.turn_found);
      assert_int_equal(o.turn_passed, oe.turn_passed);
    }
    if (in.golden_valid && o.golden_ready) in.golden_valid = false;
    if (in.data_valid && o.data_ready) in.data_valid = false;
    uint64_t tick = (gmmu_dram_now(d) - 1) * ratio /
                    GMMU_DRAM_ONE; /* the first of the cycle; commands need one */
    if (o.cmd.kind != GMMU_DRAM_NOP) assert_true(gmmu_dram_now(d) * ratio / GMMU_DRAM_ONE > tick);
    const char *bad = gmmu_dram_check_command(&chk, (int64_t)tick, (int)o.cmd.kind, o.cmd.bank,
                                              o.cmd.row, o.cmd.ap);
    if (o.also.kind != GMMU_DRAM_NOP) {
      pairs++;
      assert_true(gmmu_dram_is_column(o.cmd.kind));
      assert_true(o.also.kind == GMMU_DRAM_ACT || o.also.kind == GMMU_DRAM_PRE);
      assert_int_equal(gmmu_dram_now(d) * ratio / GMMU_DRAM_ONE, tick + 2);
      if (!bad)
        bad = gmmu_dram_check_command(&chk, (int64_t)tick + 1, (int)o.also.kind, o.also.bank,
                                      o.also.row, false);
    }
    if (bad)
      print_error("seed %llu cycle %llu: %s\n", (unsigned long long)seed,
                  (unsigned long long)gmmu_dram_now(d), bad);
    assert_null(bad);
    if (o.cmd.kind == GMMU_DRAM_RD || o.cmd.kind == GMMU_DRAM_WR) {
      struct life *x = &life[o.cmd.payload];
      assert_true(x->live);
      assert_int_equal(gmmu_dram_check_row(&chk, o.cmd.bank), o.cmd.row);
      for (uint32_t k = o.cmd.payload > 400 ? o.cmd.payload - 400 : 0; k < o.cmd.payload;
           k++) /* one input: sent in order */
        if (life[k].live && life[k].line == x->line && life[k].golden == x->golden)
          assert_false(life[k].we || x->we);
      x->live = false;
      served++;
    }
  }
  assert_int_equal(served, N);
  /* with a tick in 16 cycles the queues are hardly ever empty */
  if (ratio > 1000) assert_true(skipped > 1000);
  assert_true(ratio > GMMU_DRAM_ONE ? pairs > 100 : !pairs);
  free(life);
  gmmu_dram_free(d);
  gmmu_dram_free(e);
}
static struct gmmu_dram *one_app(uint32_t ratio) {
  const struct gmmu_dram_cfg cfg = {.sched = full,
                                    .t = gmmu_dram_gddr5,
                                    .num_apps = 1,
                                    .thresh_max = 500,
                                    .turn_timeout = 2000,
                                    .ratio = ratio};
  return gmmu_dram_new(&cfg);
}
/* One read alone: its command and its data come as many ticks after each other as the rules say, in
 * whole cycles. */
static void ratio(void **state) {
  (void)state;
  static const struct {
    uint32_t ratio, rcd, data;
  } want[] = {{GMMU_DRAM_ONE, 12, 15}, {2 * GMMU_DRAM_ONE, 6, 8}, {GMMU_DRAM_ONE / 2, 24, 28}};
  for (size_t k = 0; k < sizeof want / sizeof *want; k++) {
    struct gmmu_dram *d = one_app(want[k].ratio);
    uint8_t zero[1] = {0};
    struct gmmu_dram_in in = {.apps = 1,
                              .con = zero,
                              .warps = zero,
                              .data_valid = true,
                              .data = req(1, 2, 3, false, false, 9)};
    struct gmmu_dram_out o = {0};
    uint64_t act = 0;
    while (o.cmd.kind != GMMU_DRAM_RD && gmmu_dram_now(d) < 1000) {
      gmmu_dram_step(d, &in, &o);
      in.data_valid = false;
      if (o.cmd.kind == GMMU_DRAM_ACT) act = gmmu_dram_now(d);
    }
    assert_int_equal(gmmu_dram_now(d) - act, want[k].rcd);
    assert_int_equal(gmmu_dram_data_at(d) - (gmmu_dram_now(d) - 1), want[k].data);
    gmmu_dram_free(d);
  }
}

/* Requests go on their way one a cycle, but in the cycle in which the conflicts of one are added
 * up: two behind the one in which it did itself. */
static void conflicts(void **state) {
  (void)state;
  for (uint32_t same = 0; same < 2; same++) {
    struct gmmu_dram *d = one_app(GMMU_DRAM_ONE);
    uint8_t zero[1] = {0};
    struct gmmu_dram_in in = {.apps = 1, .con = zero, .warps = zero};
    uint32_t sent = 0, on_way = 0, at[6] = {0};
    for (uint32_t cycle = 0; cycle < 12; cycle++) {
      struct gmmu_dram_out o;
      in.data_valid = sent < 6;
      in.data = req(1, 2, same && sent == 1 ? 0 : sent, sent == 0, false, sent);
      gmmu_dram_step(d, &in, &o);
      sent += in.data_valid && o.data_ready;
      if (!o.entered) continue;
      assert_true(on_way < 6);
      assert_int_equal(o.entered_payload, on_way);
      at[on_way++] = cycle;
    }
    const uint32_t want[2][6] = {{1, 2, 3, 4, 5, 6}, {1, 2, 3, 5, 6, 7}};
    assert_int_equal(on_way, 6);
    assert_memory_equal(at, want[same], sizeof at);
    gmmu_dram_free(d);
  }
}

static void random_traffic(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 4; seed++) {
    traffic(true, false, 0, GMMU_DRAM_ONE, seed);
    traffic(true, true, 512, GMMU_DRAM_ONE, seed + 10);
    traffic(false, seed & 1, 0, GMMU_DRAM_ONE, seed + 20);
    traffic(true, false, 0, 26889, seed + 30);
    traffic(true, seed & 1, 1024, 11703, seed + 40);
    traffic(false, false, 0, 2 * GMMU_DRAM_ONE, seed + 50);
    traffic(true, false, 0, 1000, seed + 60);
  }
}

int main(void) {
  const struct CMUnitTest t[] = {cmocka_unit_test(classes),
                                 cmocka_unit_test(same_line),
                                 cmocka_unit_test(old),
                                 cmocka_unit_test(quotas),
                                 cmocka_unit_test(checker),
                                 cmocka_unit_test(conflicts),
                                 cmocka_unit_test(random_traffic),
                                 cmocka_unit_test(map),
                                 cmocka_unit_test(full_silver),
                                 cmocka_unit_test(keeps_rows),
                                 cmocka_unit_test(turns),
                                 cmocka_unit_test(mem_map),
                                 cmocka_unit_test(pitches),
                                 cmocka_unit_test(mem_example),
                                 cmocka_unit_test(ratio),
                                 cmocka_unit_test(two_commands)};
  return cmocka_run_group_tests(t, NULL, NULL);
}
