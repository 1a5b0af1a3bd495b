// SPDX-License-Identifier: Apache-2.0
// mem_resets.h - resets in the middle of traffic, for tb/l2_cache/mem_bench.cpp.
#ifndef GMMU_TB_MEM_RESETS_H
#define GMMU_TB_MEM_RESETS_H

#include "mem_bench.h"

/// Once a cycle: which of those things happen that a reset is to meet.
void moments(Bench &b);
/// All is as at power-up, but for what the memory holds and requests at the ports: new model, no
/// request on its way.
void begin(Bench &b);
/// Behind the edge at which a reset began: the rest of it, with nothing offered, counted or on the
/// pins, and begin().
void finish_reset(Bench &b);

#endif
