/* SPDX-License-Identifier: Apache-2.0 */
/** options.h - options of a subcommand, the same for all: -h and --help; unknown ones with the most
 * similar name; a missing argument; one given twice with different arguments (but those that may be
 * repeated) is an error, and a trace is never given twice. */
#ifndef GMMU_CLI_OPTIONS_H
#define GMMU_CLI_OPTIONS_H

#include <getopt.h>

#include "gmmu.h"

#define CLI_MAX_OPTIONS 48
enum { CLI_END = -1, CLI_HELP = -2, CLI_BAD = -3 };

struct cli_options {
  const char *command, *usage;
  const struct option
      *opts;           /**< up to CLI_MAX_OPTIONS; "set" may be repeated. Help is not among them */
  const char *letters; /**< as of getopt(), without h, or NULL; each is a val of opts or stands for
                          itself */
  int argc;
  char **argv;
  /* own */
  bool begun;
  const char *given[CLI_MAX_OPTIONS], *given_letter[128];
};

/** val of the next option, its argument in optarg. CLI_END: optind is at the first argument that is
 * none. CLI_HELP: help was printed. CLI_BAD: *err. */
int cli_option(struct cli_options *o, struct gmmu_err *err);
/** After CLI_END: exactly n arguments are left? what: "one TRACE", for the message. */
int cli_arguments(const struct cli_options *o, int n, const char *what, struct gmmu_err *err);
/** Exit status 2 and the error, or 0 after help. */
int cli_usage_error(const struct cli_options *o, int option, const struct gmmu_err *err);

#endif
