/* SPDX-License-Identifier: Apache-2.0 */
/** util.h - small helpers of the subcommands. */
#ifndef GMMU_CLI_UTIL_H
#define GMMU_CLI_UTIL_H

#include "gmmu.h"

/** Root of the gmmu tree: $GMMU_ROOT, or the first directory above this executable (or the current
 * directory) that has sim/presets. -1 if there is none. */
int cli_root(char *buf, size_t n);
/** Loads a preset by name or path, then applies "K=V" settings and checks the whole. */
int cli_config(struct gmmu_config *c, const char *preset, char *const *set, int num_set,
               struct gmmu_err *err);
/** Path of the preset that cli_config() reads, for the list of a command's files; in buf. */
const char *cli_preset_path(const char *preset, char *buf, size_t n);
/** One more "K=V". */
int cli_add_set(char **set, int *num, int max, char *kv, struct gmmu_err *err);
/** Unsigned number, decimal or 0x. */
int cli_u64(const char *text, const char *what, uint64_t *v, struct gmmu_err *err);

/** The same, lo to hi. */
int cli_u64_in(const char *text, const char *what, uint64_t lo, uint64_t hi, uint64_t *v,
               struct gmmu_err *err);

/** Which of n names an option's argument is; the error lists them. */
int cli_choice(const char *opt, const char *got, const char *const *names, int n,
               struct gmmu_err *err);

/** Splits "a,b,c", none of them empty; the strings belong to the list. */
struct cli_list {
  char *text, *v[64];
  int n;
};
int cli_split(struct cli_list *l, const char *text, const char *what, struct gmmu_err *err);
void cli_list_free(struct cli_list *l);

/** Command line as one would type it, followed by `extra`; allocated. */
char *cli_command(int argc, char *const *argv, const char *extra);

#endif
