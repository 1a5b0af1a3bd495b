/* SPDX-License-Identifier: Apache-2.0 */
/* test_dram_search.c - DRAM scheduler: what a search with a clock asks of the rules: second
 * columns, banks in which no lower class gives a column. */
#include "dram_rig.h"

/* Of the class that gave the first column the oldest other one that may go in its way, if it is the
 * next in age of those that may go at all; behind it no auto-precharge for the first. */
static void second_column(void **state) {
  (void)state;
  struct gmmu_dram_sched_cfg cfg = full;
  cfg.closed_row = true;
  struct gmmu_dram_sched *s = gmmu_dram_sched_new(&cfg);
  struct gmmu_dram_ready r = {.act = 255, .pre = 255, .rd = 255, .wr = 255};
  struct gmmu_dram_req q[] = {req(0, 1, 0, false, false, 1), req(4, 1, 0, false, false, 2),
                              req(0, 1, 1, true, false, 3),  req(0, 1, 2, false, false, 4),
                              req(1, 1, 0, false, true, 5),  req(1, 1, 1, false, true, 6)};
  for (int i = 0; i < 4; i++) assert_true(gmmu_dram_sched_enter(s, &q[i], i == 3));
  give(s, &r, GMMU_DRAM_ACT, 4); /* silver */
  give(s, &r, GMMU_DRAM_RD, 4);
  r.rd = 0;
  give(s, &r, GMMU_DRAM_WR, 3);
  assert_true(gmmu_dram_sched_enter(s, &q[3], false));
  give(s, &r, GMMU_DRAM_ACT, 2);
  r.rd = 255;
  struct gmmu_dram_cmd c = gmmu_dram_sched_choose(s, &r), d = gmmu_dram_sched_second(s, &r, &c);
  assert_int_equal(c.payload, 1);
  assert_int_equal(d.payload, 2); /* another bank of those that may go */
  r.rd = 1;
  d = gmmu_dram_sched_second(s, &r, &c);
  assert_int_equal(d.payload, 4);
  assert_false(c.ap || gmmu_dram_sched_closes(s, &d, NULL)); /* two of the row */
  assert_true(gmmu_dram_sched_closes(s, &d, &c));
  assert_true(gmmu_dram_sched_enter(s, &q[2], false)); /* younger, of the other direction */
  d = gmmu_dram_sched_second(s, &r, &c);
  assert_int_equal(d.payload, 4);
  gmmu_dram_sched_take(s, &c);
  gmmu_dram_sched_given(s, &d);
  c = gmmu_dram_sched_choose(s, &r);
  assert_int_equal(c.payload, 3);
  assert_true(gmmu_dram_sched_enter(s, &q[3], false));
  r.rd = 255;
  d = gmmu_dram_sched_second(s, &r, &c);
  assert_int_equal(d.kind, GMMU_DRAM_NOP); /* the next in age is the read at bank 4 */
  assert_true(gmmu_dram_sched_enter(s, &q[4], false));
  assert_true(gmmu_dram_sched_enter(s, &q[5], false));
  give(s, &r, GMMU_DRAM_ACT, 5);
  c = gmmu_dram_sched_choose(s, &r);
  assert_int_equal(c.payload, 5);
  assert_int_equal(gmmu_dram_sched_second(s, &r, &c).kind, GMMU_DRAM_NOP); /* golden: in order */
  gmmu_dram_sched_free(s);
}

/* Where next, or the oldest translation, asks for another row, lower classes give no column. */
static void shut_banks(void **state) {
  (void)state;
  struct gmmu_dram_sched *s = gmmu_dram_sched_new(&full);
  struct gmmu_dram_ready r = {.act = 255, .pre = 255, .rd = 255, .wr = 255};
  struct gmmu_dram_req q[] = {req(0, 1, 0, false, false, 1), req(1, 1, 0, false, false, 2),
                              req(0, 2, 0, false, true, 3),  req(1, 2, 0, false, true, 4),
                              req(1, 1, 1, true, false, 5),  req(1, 1, 1, false, true, 6)};
  for (int i = 0; i < 2; i++) assert_true(gmmu_dram_sched_enter(s, &q[i], i == 1));
  give(s, &r, GMMU_DRAM_ACT, 2);
  r.rd = 0;
  give(s, &r, GMMU_DRAM_ACT, 1);
  for (int i = 2; i < 4; i++) assert_true(gmmu_dram_sched_enter(s, &q[i], false));
  r.rd = 255;
  r.pre = 0;
  struct gmmu_dram_cmd c = gmmu_dram_sched_choose(s, &r);
  assert_int_equal(c.payload, 2); /* only the oldest translation shuts its bank */
  assert_int_equal(gmmu_dram_sched_second(s, &r, &c).kind, GMMU_DRAM_NOP);
  gmmu_dram_sched_given(s, &c);
  give(s, &r, GMMU_DRAM_NOP, 0);
  assert_true(gmmu_dram_sched_enter(s, &q[4], false));
  r.wr = 0;
  assert_true(gmmu_dram_sched_enter(s, &q[5], false));
  r.pre = 255;
  give(s, &r, GMMU_DRAM_PRE, 3); /* the write is next, its column not ready */
  r.wr = 255;
  give(s, &r, GMMU_DRAM_WR, 5); /* next goes where a translation asks for another row */
  gmmu_dram_sched_free(s);
}

int main(void) {
  const struct CMUnitTest t[] = {cmocka_unit_test(second_column), cmocka_unit_test(shut_banks)};
  return cmocka_run_group_tests(t, NULL, NULL);
}
