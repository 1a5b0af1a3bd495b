// SPDX-License-Identifier: Apache-2.0
// axi_moves.h - pages that change their frame under loads and stores (gmmu_drv_remap), for
// tb/axi/axi_bench.cpp.
#ifndef GMMU_TB_AXI_MOVES_H
#define GMMU_TB_AXI_MOVES_H

#include "axi_software.h"

void move_some(Bench &b, const bool *coalesced);

#endif
