/* SPDX-License-Identifier: Apache-2.0 */
/** dram_rig.h - a scheduler's settings, a request, a command that has to come, for tests. Header
 * only: each test is one program. */
#ifndef GMMU_TEST_DRAM_RIG_H
#define GMMU_TEST_DRAM_RIG_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "policy/dram_sched.h"

static const struct gmmu_dram_sched_cfg full = {
    .golden = 16, .silver = 64, .normal = 192, .aware = true};

static inline struct gmmu_dram_req req(uint32_t bank, uint32_t row, uint32_t col, bool we,
                                       bool golden, uint32_t id) {
  return (struct gmmu_dram_req){
      .bank = (uint8_t)bank, .row = row, .col = col, .we = we, .golden = golden, .payload = id};
}
/* The command that goes next is this one, of this request; the banks follow. */
static inline void give(struct gmmu_dram_sched *s, struct gmmu_dram_ready *r,
                        enum gmmu_dram_cmd_kind kind, uint32_t id) {
  struct gmmu_dram_cmd c = gmmu_dram_sched_choose(s, r);
  assert_int_equal(c.kind, kind);
  if (kind != GMMU_DRAM_NOP) assert_int_equal(c.payload, id);
  gmmu_dram_sched_given(s, &c);
  if (kind == GMMU_DRAM_ACT) r->open |= 1u << c.bank;
  if (kind == GMMU_DRAM_PRE) r->open &= ~(1u << c.bank);
}

#endif
