// SPDX-License-Identifier: Apache-2.0
// order_directed.h - the directed cases of tb/axi/order_bench.cpp, on port 0 (ASID 1 of the
// register) and port 1 (ASID in AxUSER).
#ifndef GMMU_TB_AXI_ORDER_DIRECTED_H
#define GMMU_TB_AXI_ORDER_DIRECTED_H

#include "order_world.h"

struct Rates {
  double equal, other;
};

Rates directed(Order &o);

#endif
