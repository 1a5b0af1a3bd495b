// SPDX-License-Identifier: Apache-2.0
// axi_fair.h - every burst has its turn, for tb/axi/axi_bench.cpp: no burst waits longer than the
// others in the port's slots take, however fast new ones come.
#ifndef GMMU_TB_AXI_FAIR_H
#define GMMU_TB_AXI_FAIR_H

#include "axi_storm.h"

/// Port 0 and the native port full of hits, of faults, before a memory that takes few addresses:
/// the longest wait has a bound. Ports end faults with errors.
void has_its_turn(Bench &b);

#endif
