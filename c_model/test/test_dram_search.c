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

/* No command has no request: neither the first choice, nor those beside one. */
static void none_is_of_no_request(void **state) {
  (void)state;
  struct gmmu_dram_sched *s = gmmu_dram_sched_new(&full);
  struct gmmu_dram_ready r = {.act = 255, .pre = 255, .rd = 255, .wr = 255};
  struct gmmu_dram_req q = req(3, 1, 0, false, false, 1);
  struct gmmu_dram_cmd c = gmmu_dram_sched_choose(s, &r);
  assert_true(c.kind == GMMU_DRAM_NOP && c.node == -1);
  assert_true(gmmu_dram_sched_enter(s, &q, false));
  const int kinds[] = {GMMU_DRAM_ACT, GMMU_DRAM_RD, GMMU_DRAM_NOP};
  for (int i = 0; i < 3; i++) { /* nothing is held, only what the first command takes */
    struct gmmu_dram_cmd also = gmmu_dram_sched_also(s, &r, &c),
                         second = gmmu_dram_sched_second(s, &r, &c);
    assert_true(also.kind == GMMU_DRAM_NOP && also.node == -1);
    assert_true(second.kind == GMMU_DRAM_NOP && second.node == -1);
    if (i) gmmu_dram_sched_given(s, &c);
    c = gmmu_dram_sched_choose(s, &r);
    assert_int_equal(c.kind, kinds[i]);
  }
  gmmu_dram_sched_free(s);
}

/* A line is told from others by a count that has 16 bits: it is of those that are held, not of all
 * that ever were. */
static void line_that_was_often_there(void **state) {
  (void)state;
  struct gmmu_dram_sched *s = gmmu_dram_sched_new(&full);
  struct gmmu_dram_ready r = {.act = 255, .pre = 255, .rd = 255, .wr = 255};
  struct gmmu_dram_req w = req(2, 7, 5, true, false, 1);
  assert_true(gmmu_dram_sched_enter(s, &w, false));
  give(s, &r, GMMU_DRAM_ACT, 1);
  give(s, &r, GMMU_DRAM_WR, 1);
  for (int i = 2; i < (1 << 16) + 2; i++) {
    assert_true(gmmu_dram_sched_enter(s, &w, false));
    assert_int_equal(gmmu_dram_sched_conflicts(s, &w), 1);
    give(s, &r, GMMU_DRAM_WR, 1);
    assert_int_equal(gmmu_dram_sched_conflicts(s, &w), 0);
  }
  gmmu_dram_sched_free(s);
}

/* Requests that are on their way to a queue have a place in it. */
static void room_of_those_that_come(void **state) {
  (void)state;
  struct gmmu_dram_sched *s = gmmu_dram_sched_new(&full);
  assert_true(gmmu_dram_sched_golden_room(s));
  gmmu_dram_sched_coming(s, GMMU_DRAM_GOLDEN, (int)full.golden);
  assert_false(gmmu_dram_sched_golden_room(s));
  gmmu_dram_sched_coming(s, GMMU_DRAM_GOLDEN, -1);
  assert_true(gmmu_dram_sched_golden_room(s));
  gmmu_dram_sched_coming(s, GMMU_DRAM_SILVER, (int)full.silver);
  assert_int_equal(gmmu_dram_sched_data_room(s, true), 0);
  assert_int_equal(gmmu_dram_sched_data_room(s, false), 1);
  gmmu_dram_sched_coming(s, GMMU_DRAM_NORMAL, (int)full.normal);
  assert_int_equal(gmmu_dram_sched_data_room(s, false), 0);
  gmmu_dram_sched_free(s);
}

int main(void) {
  const struct CMUnitTest t[] = {cmocka_unit_test(second_column), cmocka_unit_test(shut_banks),
                                 cmocka_unit_test(none_is_of_no_request),
                                 cmocka_unit_test(line_that_was_often_there),
                                 cmocka_unit_test(room_of_those_that_come)};
  return cmocka_run_group_tests(t, NULL, NULL);
}
