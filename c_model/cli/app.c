/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/app.h"

#include <string.h>

#include "cli/cli.h"

#define GMMU_VERSION "0.1.0"

static const char usage[] =
    "usage: gmmu COMMAND [ARGUMENT]...\n"
    "\n"
    "gmmu: an open GPU memory management unit; golden model, traces and simulation.\n"
    "  gen     make the trace of a GPU kernel\n"
    "  info    what is in a trace\n"
    "  run     translate traces through the RTL or the timed model and check every answer\n"
    "  scenario  allocations, runs and frees one after the other, above the memory manager\n"
    "  random  random traffic with remaps and invalidations in between\n"
    "  throughput  streams that keep the MMU busy\n"
    "  vectors  stimuli and expected answers for other simulators\n"
    "  preset  show a configuration\n"
    "\n"
    "  gmmu COMMAND --help   options of a command\n"
    "  gmmu --version\n";

static int run_gen(const struct gmmu_app *a, int argc, char **argv) {
  (void)a;
  return gmmu_cmd_gen(argc, argv);
}

static int run_info(const struct gmmu_app *a, int argc, char **argv) {
  (void)a;
  return gmmu_cmd_info(argc, argv);
}

static int run_vectors(const struct gmmu_app *a, int argc, char **argv) {
  (void)a;
  return gmmu_cmd_vectors(argc, argv);
}

int gmmu_cli(int argc, char **argv, gmmu_rtl_new_fn rtl_new, int rtl_lag) {
  static const struct {
    const char *name;
    int (*fn)(const struct gmmu_app *, int, char **);
  } cmd[] = {{"gen", run_gen}, {"info", run_info}, {"run", cmd_run}, {"scenario", cmd_scenario}, {"random", cmd_random}, {"throughput", cmd_throughput}, {"vectors", run_vectors}, {"preset", cmd_preset}};
  struct gmmu_app app = {.rtl_new = rtl_new, .rtl_lag = rtl_lag, .argc = argc, .argv = argv};

  if (argc < 2) {
    fputs(usage, stderr);
    return 2;
  }
  if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "help") == 0)
    return fputs(usage, stdout) < 0;
  if (strcmp(argv[1], "--version") == 0)
    return puts("gmmu " GMMU_VERSION) < 0;
  for (size_t i = 0; i < sizeof cmd / sizeof *cmd; i++)
    if (strcmp(argv[1], cmd[i].name) == 0)
      return cmd[i].fn(&app, argc - 1, argv + 1);
  fprintf(stderr, "gmmu: unknown command '%s'; `gmmu --help` lists them\n", argv[1]);
  return 2;
}
