/* SPDX-License-Identifier: Apache-2.0 */
/* regs.h - the register file without a clock (docs/regs.md): what a write changes and what a read
 * gives. What hardware events change (busy commands, fault records, counters) is told by the caller
 * or left out of the known bits. */
#ifndef GMMU_REGS_MODEL_H
#define GMMU_REGS_MODEL_H

#include "gmmu.h"

#define GMMU_REGS_MAX_PORTS 32
#define GMMU_REGS_SINGLES 0x100
struct gmmu_regs_model {
  /* the build */
  uint32_t ports, asids, asid_w, pfn_w, windows, reset_mode, fault_entries, counters, caps, params;
  uint32_t epoch_reset, least_epoch; /* cycles after reset, and the least */
  bool sv48;
  /* what software wrote */
  uint32_t port_ctrl[GMMU_REGS_MAX_PORTS], port_asid[GMMU_REGS_MAX_PORTS], ctx_ctrl[128],
      win_ctrl[GMMU_MAX_WINDOWS];
  uint64_t ctx_root[128], win_first[GMMU_MAX_WINDOWS], win_last[GMMU_MAX_WINDOWS];
  uint64_t first, last;             /* addresses of a command */
  uint32_t kept[GMMU_REGS_SINGLES]; /* registers that stand there once, by offset / 4 */
};

/** What is kept of a register that stands there once. */
static inline uint32_t gmmu_regs_kept(const struct gmmu_regs_model *m, uint32_t offset) {
  return m->kept[offset / 4];
}
/** Reset. The build's fields must be set. */
void gmmu_regs_reset(struct gmmu_regs_model *m);
/** Is there a register at this offset? Bits 1:0 do not matter. */
bool gmmu_regs_exists(const struct gmmu_regs_model *m, uint32_t offset);
/** A write of the bytes of `strb`; cmd_busy: a command runs, so its arguments stay. False: no such
 * register (SLVERR). */
bool gmmu_regs_write(struct gmmu_regs_model *m, uint32_t offset, uint32_t data, uint32_t strb,
                     bool cmd_busy);
/** A read: value, and which of its bits follow from writes alone. False: no such register (SLVERR,
 * reads 0). */
bool gmmu_regs_read(const struct gmmu_regs_model *m, uint32_t offset, uint32_t *value,
                    uint32_t *known);

#endif
