/* SPDX-License-Identifier: Apache-2.0 */
/** app.h - the gmmu program. build/bin/gmmu and each build/rtl/KEY/gmmu_rtl are this program; only
 * the latter has a Verilated RTL inside. */
#ifndef GMMU_CLI_APP_H
#define GMMU_CLI_APP_H

#include "gmmu.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Makes the Verilated device of this executable; waves: FST file or NULL. */
typedef int (*gmmu_rtl_new_fn)(struct gmmu_dut *d, const struct gmmu_config *c, const char *waves,
                               struct gmmu_err *err);

/** What subcommands need besides their arguments. */
struct gmmu_app {
  gmmu_rtl_new_fn rtl_new; /**< NULL in the plain program */
  int rtl_lag;             /**< cycles by which its events come late (tb/system/rtl_dut.h) */
  int argc;                /**< whole command line */
  char **argv;
};

/** The program. */
int gmmu_cli(int argc, char **argv, gmmu_rtl_new_fn rtl_new, int rtl_lag);

#ifdef __cplusplus
}
#endif

/* Subcommands: argv[0] is the subcommand's name. Exit status: 0, 1 (mismatches or error), 2
 * (usage). */
int cmd_run(const struct gmmu_app *app, int argc, char **argv);
int cmd_scenario(const struct gmmu_app *app, int argc, char **argv);
int cmd_random(const struct gmmu_app *app, int argc, char **argv);
int cmd_throughput(const struct gmmu_app *app, int argc, char **argv);
int cmd_apointer(const struct gmmu_app *app, int argc, char **argv);
int cmd_preset(const struct gmmu_app *app, int argc, char **argv);

#endif
