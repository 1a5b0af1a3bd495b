// SPDX-License-Identifier: Apache-2.0
// axi_resets.h - resets in the middle of traffic, for tb/axi/axi_bench.cpp.
#ifndef GMMU_TB_AXI_RESETS_H
#define GMMU_TB_AXI_RESETS_H

#include "axi_software.h"
extern "C" {
#include "policy/regs.h"
}

/// The registers after a reset.
gmmu_regs_model fresh_registers(Bench &b);

/// So many short runs, each ended by a reset of 1 to 4 cycles under bursts, walks, faults and, most
/// often, a command that is not done: masters and memories forget what was on its way, software
/// finds registers as after any reset and begins anew. What a reset leaves of a run is a mismatch
/// or a hang of the next. Afterwards all is as after `open_all`.
void resets_in_traffic(Bench &b, uint64_t resets);

#endif
