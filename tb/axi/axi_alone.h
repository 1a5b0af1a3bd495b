// SPDX-License-Identifier: Apache-2.0
// axi_alone.h - what only shows of gmmu_axi while little else goes on: that faulted bursts ask when
// they are told to and not otherwise, that nothing is recorded twice or not at all, whom a command
// waits for. Part of tb/axi/axi_bench.cpp.
#ifndef GMMU_TB_AXI_ALONE_H
#define GMMU_TB_AXI_ALONE_H

#include "axi_software.h"

/// A faulted burst asks again every RETRY_CYCLES, never with 0, and when a command has ended.
void asks_when_told(Bench &b);

/// Faults of all ports in one cycle: each has its record. Records of reads, fetches, writes and
/// atomics say what they are.
void records_of_each(Bench &b);

/// Coalescing and splintering with memory errors.
void coalesce_fails(Bench &b);

/// Bursts that break a rule of AXI, one behind the other, end without software.
void illegal_in_a_row(Bench &b);

/// A command waits for the bursts that memory had, an atomic's last R too, and not for later ones.
void ends_before_new(Bench &b);

/// Atomics, and writes behind them: the last R of one comes before its B, and as the next is
/// issued; none is left on its way.
void atomics_cross(Bench &b);

/// Atomics of some beats that end in the MMU: as many R as memory would give; loads and atomics on
/// a page that allows neither. In error mode.
void atomics_end_here(Bench &b);

/// What a walk may meet ends a burst with the response of its cause: a read of a PTE that fails
/// (with what it read, valid), tables that no window has, none of these. In error mode.
void walks_fail(Bench &b);

/// A read or a write whose update of A or D fails ends with a memory error, and the next one has
/// its update. In error mode.
void updates_fail(Bench &b);

/// A frame is splintered while a miss that a command has overtaken still waits for its PTE.
void splinter_behind_stale(Bench &b);

#endif
