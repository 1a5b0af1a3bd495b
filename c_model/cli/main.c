/* SPDX-License-Identifier: Apache-2.0 */
/* The plain program: timed model only; --backend rtl executes the RTL's own program (rtl_exec.h).
 */
#include "cli/app.h"

int main(int argc, char **argv) { return gmmu_cli(argc, argv, NULL, 0); }
