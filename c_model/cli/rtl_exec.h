/* SPDX-License-Identifier: Apache-2.0 */
/** rtl_exec.h - the way from the plain program to the program with the RTL of one configuration. */
#ifndef GMMU_CLI_RTL_EXEC_H
#define GMMU_CLI_RTL_EXEC_H

#include "cli/app.h"
#include "timed/memsys_rtl.h"

/** Builds build/rtl/KEY[-waves]/gmmu_rtl by `make rtl` if needed and executes it with the same
 * command line. Returns only on error. */
int cli_rtl_exec(const struct gmmu_app *app, const struct gmmu_config *c, const char *preset,
                 char *const *set, int num_set, bool waves, struct gmmu_err *err);
/** Builds build/memory-rtl/KEY/channels.so by `make memory-rtl` if needed, loads it and makes its
 * channels. */
int cli_memory_rtl(struct gmmu_memsys_peer *p, const struct gmmu_config *c, int apps,
                   const char *preset, char *const *set, int num_set, struct gmmu_err *err);

#endif
