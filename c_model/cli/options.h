/* SPDX-License-Identifier: Apache-2.0 */
/** options.h - options of the subcommands, all of them from one table (options_table.c): their
 * names, arguments, ranges, defaults and help, and what is said of a wrong one.
 *
 * The same for all: -h and --help; unknown ones with the most similar name; a missing argument; one
 * given twice with different arguments (but those that may be repeated) is an error, and a trace is
 * never given twice. */
#ifndef GMMU_CLI_OPTIONS_H
#define GMMU_CLI_OPTIONS_H

#include <getopt.h>

#include "gmmu.h"

#define CLI_MAX_OPTIONS 48
#define CLI_MAX_SETTINGS 64
enum { CLI_END = -1, CLI_HELP = -2, CLI_BAD = -3 };

enum cli_command {
  CLI_GEN = 1,
  CLI_INFO = 2,
  CLI_RUN = 4,
  CLI_SCENARIO = 8,
  CLI_GDM = 16,
  CLI_RANDOM = 32,
  CLI_THROUGHPUT = 64,
  CLI_VECTORS = 128,
  CLI_APOINTER = 256,
  CLI_PRESET = 512,
};

enum cli_kind {
  CLI_FLAG,
  CLI_TEXT,
  CLI_SETTING, /**< KEY=VALUE, any number of times */
  CLI_NUMBER,  /**< 64 bits, decimal or 0x */
  CLI_RANGE,   /**< the same, lo to hi */
  CLI_EVEN,    /**< the same, even */
  CLI_POWER,   /**< the same, 0 or a power of two */
  CLI_REAL,    /**< lo to hi */
  CLI_WHOLE,   /**< the same, without a fraction */
  CLI_SHARES,  /**< two reals of 0 to 1, "A,B" */
  CLI_CHOICE,  /**< one of names */
};

/** A row of the table. */
struct cli_row {
  unsigned commands; /**< enum cli_command, several of them */
  enum cli_kind kind;
  const char *name; /**< one letter: a short option */
  const char *arg;  /**< as help shows it; NULL: none, or the names of a choice */
  const char *dflt; /**< what stands for it when it is not given; NULL: none */
  const char *help;
  double lo, hi;
  const char *const *names;
  int n; /**< of names */
};
extern const struct cli_row cli_table[];

/** A command: its line in `gmmu --help`, and what its own help says before the options. The last
 * has no name. */
struct cli_about {
  enum cli_command command;
  const char *name, *summary, *usage, *about;
};
extern const struct cli_about cli_commands[];

/** What an option's argument says. */
struct cli_value {
  bool given;
  const char *text;
  uint64_t number; /**< of a choice: which */
  double real, second;
};

struct cli_options {
  enum cli_command command;
  int argc;
  char **argv;
  /* own */
  const char *name;
  const struct cli_row *row[CLI_MAX_OPTIONS];
  struct cli_value value[CLI_MAX_OPTIONS];
  int num_rows;
  char *set[CLI_MAX_SETTINGS];
  int num_set;
};

/** Takes all options of argv. CLI_END: optind is at the first argument that is none. CLI_HELP: help
 * was printed. CLI_BAD: *err. */
int cli_parse(struct cli_options *o, struct gmmu_err *err);
/** After CLI_END: exactly n arguments are left? what: "one TRACE", for the message. */
int cli_arguments(const struct cli_options *o, int n, const char *what, struct gmmu_err *err);
/** Exit status 2 and the error, or 0 after help. */
int cli_usage_error(const struct cli_options *o, int option, const struct gmmu_err *err);

/** An option by its name, which the command must have. Not given: its default, or NULL and 0. */
const struct cli_value *cli_value(const struct cli_options *o, const char *name);
bool cli_given(const struct cli_options *o, const char *name);
const char *cli_text(const struct cli_options *o, const char *name);
uint64_t cli_number(const struct cli_options *o, const char *name);
double cli_real(const struct cli_options *o, const char *name);
/** Which of a choice's names; -1: not given, and no default. */
int cli_chosen(const struct cli_options *o, const char *name);

#endif
