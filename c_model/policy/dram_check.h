/* SPDX-License-Identifier: Apache-2.0 */
/**
 * dram_check.h - watches the commands on the pins of one DRAM channel and says which rule of
 * docs/dram_ctrl.md one breaks. It keeps the history of commands and shares nothing with the
 * scheduler or its timing.
 */
#ifndef GMMU_DRAM_CHECK_H
#define GMMU_DRAM_CHECK_H

#include "gmmu.h"

#define GMMU_DRAM_CHECK_BANKS 8
struct gmmu_dram_rules { /**< ticks */
  int rcd, ras, rc, rp, rrd, faw, ccds, ccdl, cl, wl, burst, cdlr, wr, rtp, rfc, refi, groups;
};
extern const struct gmmu_dram_rules gmmu_dram_rules_gddr5;
enum gmmu_dram_pin {
  GMMU_PIN_NOP,
  GMMU_PIN_ACT,
  GMMU_PIN_PRE,
  GMMU_PIN_RD,
  GMMU_PIN_WR,
  GMMU_PIN_PREA,
  GMMU_PIN_REF
};
struct gmmu_dram_check {
  struct gmmu_dram_rules r;
  struct {
    bool open;
    uint64_t row;
    int64_t act, pre, rd, wr; /**< last such command; pre may lie ahead after an auto-precharge */
  } bank[GMMU_DRAM_CHECK_BANKS];
  int64_t acts[4], rd[8], wr[8], ref, any_rd, any_wr,
      last; /**< last four ACTs, oldest first; last column per group; of all commands */
  uint64_t commands, columns;
};
void gmmu_dram_check_init(struct gmmu_dram_check *c, const struct gmmu_dram_rules *r);
/** NULL, or the broken rule. Once per command, `tick` not decreasing. */
const char *gmmu_dram_check_command(struct gmmu_dram_check *c, int64_t tick, int pin, uint32_t bank,
                                    uint64_t row, bool ap);
/** Row that a column command of the bank reads or writes. */
uint64_t gmmu_dram_check_row(const struct gmmu_dram_check *c, uint32_t bank);
#endif
