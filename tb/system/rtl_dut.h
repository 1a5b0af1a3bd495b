/* SPDX-License-Identifier: Apache-2.0 */
/** rtl_dut.h - the Verilated MMU as a gmmu_dut. */
#ifndef GMMU_TB_RTL_DUT_H
#define GMMU_TB_RTL_DUT_H

#include "gmmu.h"

/** How many cycles late clock() tells what happened: 1 with top gmmu_harness, 0 with top gmmu_top.
 */
#ifndef GMMU_RTL_LAG
#if defined(__cplusplus) && __has_include("Vgmmu_harness.h")
#define GMMU_RTL_LAG 1
#else
#define GMMU_RTL_LAG 0
#endif
#endif

#ifdef __cplusplus
extern "C" {
#endif
/** Fails if this executable's RTL was built for other parameters, or has no waves and some are
 * wanted. */
int gmmu_rtl_new(struct gmmu_dut *d, const struct gmmu_config *c, const char *waves,
                 struct gmmu_err *err);
#ifdef __cplusplus
}
#endif
#endif
