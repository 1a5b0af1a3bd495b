/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/app.h"

#include <errno.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/options.h"
#include "cli/version.h"
#include "common/outfile.h"
#include "common/text.h"

static void usage(FILE *f) {
  fputs(
      "usage: gmmu COMMAND [ARGUMENT]...\n\n"
      "gmmu: an open GPU memory management unit; golden model, traces and simulation.\n",
      f);
  for (const struct cli_about *c = cli_commands; c->name; c++)
    fprintf(f, "  %-6s  %s\n", c->name, c->summary);
  fputs(
      "\n  gmmu help COMMAND     options of a command, as gmmu COMMAND --help\n"
      "  gmmu --version\n",
      f);
}

static int run_gen(const struct gmmu_app *a, int argc, char **argv) {
  (void)a;
  return gmmu_cmd_gen(argc, argv);
}

static int run_gdm(const struct gmmu_app *a, int argc, char **argv) {
  (void)a;
  return gmmu_cmd_gdm(argc, argv);
}

static int run_info(const struct gmmu_app *a, int argc, char **argv) {
  (void)a;
  return gmmu_cmd_info(argc, argv);
}

static int run_vectors(const struct gmmu_app *a, int argc, char **argv) {
  (void)a;
  return gmmu_cmd_vectors(argc, argv);
}

struct command {
  const char *name;
  int (*fn)(const struct gmmu_app *, int, char **);
};
static const struct command commands[] = {{"gen", run_gen},         {"info", run_info},
                                          {"run", cmd_run},         {"scenario", cmd_scenario},
                                          {"random", cmd_random},   {"throughput", cmd_throughput},
                                          {"vectors", run_vectors}, {"apointer", cmd_apointer},
                                          {"gdm", run_gdm},         {"preset", cmd_preset}};
#define NUM_COMMANDS (sizeof commands / sizeof *commands)

static int unknown(const char *name) {
  const char *names[NUM_COMMANDS];
  char also[96];
  for (size_t i = 0; i < NUM_COMMANDS; i++) names[i] = commands[i].name;
  struct gmmu_err err;
  gmmu_fail(&err, "unknown command '%.64s'%s; `gmmu --help` lists them", name,
            gmmu_suggest(name, names, NUM_COMMANDS, also));
  fprintf(stderr, "gmmu: %s\n", err.msg);
  return 2;
}

static const struct command *find(const char *name) {
  for (size_t i = 0; i < NUM_COMMANDS; i++)
    if (strcmp(name, commands[i].name) == 0) return &commands[i];
  return NULL;
}

/* What was printed may not have got there. */
static int printed(int status) {
  bool bad = ferror(stdout);
  errno = 0;
  if (fflush(stdout) == 0 && !bad) return status;
  fprintf(stderr, "gmmu: standard output: %s\n", errno ? strerror(errno) : "cannot be written");
  return status ? status : 1;
}

int gmmu_cli(int argc, char **argv, gmmu_rtl_new_fn rtl_new, int rtl_lag) {
  struct gmmu_app app = {.rtl_new = rtl_new, .rtl_lag = rtl_lag, .argc = argc, .argv = argv};

  gmmu_outfile_signals();
  if (argc < 2) {
    usage(stderr);
    return 2;
  }
  bool help = strcmp(argv[1], "help") == 0;
  if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 || (help && argc == 2)) {
    usage(stdout);
    return printed(0);
  }
  if (strcmp(argv[1], "--version") == 0) {
    puts("gmmu " GMMU_VERSION);
    return printed(0);
  }
  const char *name = argv[help ? 2 : 1];
  const struct command *c = find(name);
  if (!c) return unknown(name);
  if (help) return printed(c->fn(&app, 2, (char *[]){argv[2], (char *)"--help", NULL}));
  return printed(c->fn(&app, argc - 1, argv + 1));
}
