// SPDX-License-Identifier: Apache-2.0
// axi_manager.h - the memory manager (gmmu_mm.h) as the software of tb/axi/axi_bench.cpp: it
// allocates, frees, coalesces, splinters, compacts and pages under random bursts, which it serves
// on their faults.
#ifndef GMMU_TB_AXI_MANAGER_H
#define GMMU_TB_AXI_MANAGER_H

#include "axi_software.h"

/// Everything by the manager: returns when `bursts` bursts are done.
void managed(Bench &b, uint64_t bursts);

#endif
