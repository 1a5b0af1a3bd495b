/* SPDX-License-Identifier: Apache-2.0 */
/** test_dram_check.c - the checker of DRAM commands: each rule of docs/dram_ctrl.md by its name, on
 * the last tick on which it is broken, and not on the tick after that. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "policy/dram_check.h"

enum { NOP, ACT, PRE, RD, WR, PREA, REF };
struct step {
  int64_t at;
  int pin;
  uint32_t bank;
  bool ap;
};
struct rule {
  const char *name;
  struct step step[8]; /* the last one: legal from here on, or never (`never`) */
  bool never;
};

/* tRCD 12, tRAS 28, tRC 40, tRP 12, tRRD 6, tFAW 22, tCCDS 2, tCCDL 3, tRTW 12, tWTR 11, tRTP 2,
 * tWTP 18, tRFC 61, tREFI 1755; group: bank[1:0]. */
static const struct rule rules[] = {
    {"tRCD", {{0, ACT, 3, 0}, {12, RD, 3, 0}}, 0},
    {"tRCD", {{0, ACT, 3, 0}, {12, WR, 3, 0}}, 0},
    {"tRAS", {{0, ACT, 3, 0}, {28, PRE, 3, 0}}, 0},
    {"tRAS", {{0, ACT, 3, 0}, {6, ACT, 7, 0}, {34, PREA, 0, 0}}, 0},
    {"tRP before ACT", {{0, ACT, 3, 0}, {40, PRE, 3, 0}, {52, ACT, 3, 0}}, 0},
    {"tRP before REF", {{0, ACT, 7, 0}, {28, PRE, 7, 0}, {40, REF, 0, 0}}, 0},
    {"tRRD", {{0, ACT, 3, 0}, {6, ACT, 7, 0}}, 0},
    {"tRRD", {{0, ACT, 3, 0}, {9, ACT, 1, 0}, {15, ACT, 7, 0}}, 0},
    {"tCCDL", {{0, ACT, 0, 0}, {6, ACT, 4, 0}, {20, RD, 0, 0}, {23, RD, 4, 0}}, 0},
    {"tCCDL", {{0, ACT, 0, 0}, {6, ACT, 4, 0}, {20, WR, 4, 0}, {23, WR, 0, 0}}, 0},
    {"tCCDS", {{0, ACT, 0, 0}, {6, ACT, 5, 0}, {20, RD, 0, 0}, {22, RD, 5, 0}}, 0},
    {"tCCDS", {{0, ACT, 0, 0}, {6, ACT, 5, 0}, {20, WR, 5, 0}, {22, WR, 0, 0}}, 0},
    {"read to write", {{0, ACT, 0, 0}, {6, ACT, 5, 0}, {20, RD, 0, 0}, {32, WR, 5, 0}}, 0},
    {"tCDLR", {{0, ACT, 0, 0}, {6, ACT, 5, 0}, {20, WR, 0, 0}, {31, RD, 5, 0}}, 0},
    {"tRTP or tWR", {{0, ACT, 2, 0}, {40, RD, 2, 0}, {42, PRE, 2, 0}}, 0},
    {"tRTP or tWR", {{0, ACT, 2, 0}, {20, WR, 2, 0}, {38, PRE, 2, 0}}, 0},
    {"tRTP or tWR", {{0, ACT, 2, 0}, {12, WR, 2, 0}, {29, RD, 2, 0}, {31, PREA, 2, 0}}, 0},
    /* auto-precharge: on the first tick that a PRE might have */
    {"tRP before ACT", {{0, ACT, 2, 0}, {20, RD, 2, 1}, {40, ACT, 2, 0}}, 0},
    {"tRP before ACT", {{0, ACT, 2, 0}, {27, RD, 2, 1}, {41, ACT, 2, 0}}, 0},
    {"tRP before ACT", {{0, ACT, 2, 0}, {12, WR, 2, 1}, {42, ACT, 2, 0}}, 0},
    {"tRP before REF", {{0, ACT, 2, 0}, {30, RD, 2, 1}, {44, REF, 0, 0}}, 0},
    {"tRFC", {{0, REF, 0, 0}, {61, ACT, 1, 0}}, 0},
    {"tRFC before REF", {{0, REF, 0, 0}, {61, REF, 0, 0}}, 0},
    {"two commands in a tick",
     {{0, ACT, 2, 0}, {6, ACT, 3, 0}, {28, PRE, 2, 0}, {29, RD, 3, 0}},
     0},
    {"ACT of an open bank", {{0, ACT, 2, 0}, {60, ACT, 2, 0}}, 1},
    {"column command of a closed bank", {{0, ACT, 2, 0}, {60, RD, 3, 0}}, 1},
    {"column command of a closed bank", {{0, ACT, 2, 0}, {28, PRE, 2, 0}, {60, WR, 2, 0}}, 1},
    {"column command of a closed bank", {{0, ACT, 2, 0}, {28, RD, 2, 1}, {60, RD, 2, 0}}, 1},
    {"PRE of a closed bank", {{60, PRE, 2, 0}}, 1},
    {"PRE of a closed bank",
     {{0, ACT, 2, 0}, {6, ACT, 7, 0}, {40, PREA, 0, 0}, {60, PRE, 7, 0}},
     1},
    {"REF with an open bank", {{0, ACT, 7, 0}, {60, REF, 0, 0}}, 1},
    {"no such command", {{0, ACT, 7, 0}, {60, 7, 0, 0}}, 1}};

static const char *play(const struct rule *r, const struct gmmu_dram_rules *times, int early,
                        struct gmmu_dram_check *c) {
  int n = 0;
  gmmu_dram_check_init(c, times);
  while (n < 8 && r->step[n].pin) n++;
  for (int i = 0;; i++) {
    const struct step *p = &r->step[i];
    bool last = i == n - 1;
    const char *e = gmmu_dram_check_command(c, 1000 + p->at - (last ? early : 0), p->pin, p->bank,
                                            p->bank * 10 + 1, p->ap);
    if (last) return e;
    if (e) fail_msg("%s: step %d: %s", r->name, i, e);
    if (p->pin == ACT) assert_int_equal(gmmu_dram_check_row(c, p->bank), p->bank * 10 + 1);
  }
}

static void each_rule(void **state) {
  struct gmmu_dram_check c;
  (void)state;
  for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
    const char *e = play(&rules[i], &gmmu_dram_rules_gddr5, rules[i].never ? 0 : 1, &c);
    if (!e) fail_msg("%s (%zu) is not found", rules[i].name, i);
    assert_string_equal(e, rules[i].name);
    if (rules[i].never) continue;
    e = play(&rules[i], &gmmu_dram_rules_gddr5, 0, &c);
    if (e) fail_msg("%s (%zu): %s", rules[i].name, i, e);
    uint64_t commands = 0, columns = 0;
    for (int k = 0; k < 8 && rules[i].step[k].pin; k++) {
      commands++;
      columns += rules[i].step[k].pin == RD || rules[i].step[k].pin == WR;
    }
    assert_true(c.commands == commands && c.columns == columns);
  }
}

/* Of the default times tRAS and tRP are tRC, and three tRRD nearly tFAW: others show these. */
static void hidden_rules(void **state) {
  static const struct rule hidden[] = {
      {"tFAW",
       {{0, ACT, 0, 0},
        {7, ACT, 1, 0},
        {12, ACT, 2, 0},
        {17, ACT, 3, 0},
        {22, ACT, 4, 0},
        {29, ACT, 5, 0}},
       0},
      {"tRC", {{0, ACT, 3, 0}, {28, PRE, 3, 0}, {50, ACT, 3, 0}}, 0},
      {"tRC", {{0, ACT, 3, 0}, {20, RD, 3, 1}, {50, ACT, 3, 0}}, 0}};
  struct gmmu_dram_rules r = gmmu_dram_rules_gddr5;
  struct gmmu_dram_check c;
  (void)state;
  r.rrd = 4;
  r.rc = 50;
  for (int i = 0; i < 3; i++) {
    const char *e = play(&hidden[i], &r, 1, &c);
    assert_non_null(e);
    assert_string_equal(e, hidden[i].name);
    assert_null(play(&hidden[i], &r, 0, &c));
  }
}

/* Two intervals without a refresh, from the start and from one refresh to the next; a tick without
 * a command is none. */
static void refreshes(void **state) {
  struct gmmu_dram_check c;
  (void)state;
  gmmu_dram_check_init(&c, &gmmu_dram_rules_gddr5);
  for (int64_t at = 0; at <= 3510; at++)
    assert_null(gmmu_dram_check_command(&c, at, NOP, 0, 0, false));
  assert_null(gmmu_dram_check_command(&c, 3510, REF, 0, 0, false));
  assert_int_equal(c.commands, 1);
  assert_null(gmmu_dram_check_command(&c, 7020, NOP, 0, 0, false));
  assert_string_equal(gmmu_dram_check_command(&c, 7021, NOP, 0, 0, false),
                      "tREFI: no refresh for two intervals");
}

int main(void) {
  const struct CMUnitTest t[] = {cmocka_unit_test(each_rule), cmocka_unit_test(hidden_rules),
                                 cmocka_unit_test(refreshes)};
  return cmocka_run_group_tests(t, NULL, NULL);
}
