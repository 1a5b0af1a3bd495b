// SPDX-License-Identifier: Apache-2.0
// The gmmu program with the RTL of one configuration inside.
#include "cli/app.h"
#include "rtl_dut.h"

int main(int argc, char **argv) { return gmmu_cli(argc, argv, gmmu_rtl_new, GMMU_RTL_LAG); }
