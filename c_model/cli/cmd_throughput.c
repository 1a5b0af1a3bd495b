/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_throughput.c - gmmu throughput: streams that keep the MMU busy; results as JSON on stdout. */
#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

#include "cli/app.h"
#include "cli/options.h"
#include "cli/rtl_exec.h"
#include "cli/util.h"
#include "run/throughput.h"

#define MAX_CYCLES 1000000000000ull /* weeks, and far from any overflow */

static const char usage[] =
    "usage: gmmu throughput --stream hit|l2|walk [OPTION]...\n"
    "\n"
    "Keeps every SM busy with one kind of request and prints what the MMU does per cycle, as "
    "JSON.\n"
    "  --stream S        hit: all in the L1; l2: L1 misses that hit in the L2; walk: always new "
    "pages\n"
    "  --coalesced       2 MiB frames instead of 4 KiB pages\n"
    "  --latency L       cycles of a PTE read, 1 to 100000 [100]\n"
    "  --cycles N        measured cycles, 1 to 10^12 [20000]\n"
    "  --preset P, --set KEY=VALUE, --backend rtl|model   as in gmmu run\n";

static void print_json(const struct gmmu_throughput *t, const struct gmmu_config *c) {
  double n = (double)t->cycles;
  cJSON *o = cJSON_CreateObject();
  cJSON_AddNumberToObject(o, "cycles", n);
  cJSON_AddNumberToObject(o, "answers_per_cycle_per_sm",
                          (double)t->answers / n / (double)c->NumSms);
  cJSON_AddNumberToObject(o, "l2_lookups_per_cycle", (double)t->l2_lookups / n);
  cJSON_AddNumberToObject(o, "l2_misses", (double)t->l2_misses);
  cJSON_AddNumberToObject(o, "walks_per_cycle", (double)t->walks / n);
  cJSON_AddNumberToObject(o, "latency_mean",
                          t->answers ? (double)t->latency_sum / (double)t->answers : 0);
  cJSON_AddNumberToObject(o, "latency_max", (double)t->latency_max);
  cJSON_AddNumberToObject(o, "most_outstanding_reads", (double)t->most_outstanding);
  char *s = cJSON_Print(o);
  puts(s);
  free(s);
  cJSON_Delete(o);
}

int cmd_throughput(const struct gmmu_app *app, int argc, char **argv) {
  static const struct option opts[] = {
      {"stream", required_argument, 0, 's'},  {"coalesced", no_argument, 0, 'c'},
      {"latency", required_argument, 0, 'l'}, {"cycles", required_argument, 0, 'n'},
      {"preset", required_argument, 0, 'p'},  {"set", required_argument, 0, 'S'},
      {"backend", required_argument, 0, 'b'}, {0, 0, 0, 0}};
  static const char *const streams[] = {"hit", "l2", "walk"}, *const backends[] = {"rtl", "model"};
  struct cli_options o = {
      .command = "throughput", .usage = usage, .opts = opts, .argc = argc, .argv = argv};
  const char *preset = "mosaic";
  char *set[64];
  int nset = 0, stream = -1, backend = 0, c, bad = 0;
  bool coalesced = false;
  uint64_t latency = 100, cycles = 20000;
  struct gmmu_err err = {""};
  struct gmmu_config cfg;
  struct gmmu_dut dut;
  struct gmmu_throughput t;
  while (!bad && (c = cli_option(&o, &err)) >= 0) {
    switch (c) {
      case 's': bad = (stream = cli_choice("--stream", optarg, streams, 3, &err)) < 0; break;
      case 'c': coalesced = true; break;
      case 'l': bad = cli_u64_in(optarg, "--latency", 1, 100000, &latency, &err); break;
      case 'n': bad = cli_u64_in(optarg, "--cycles", 1, MAX_CYCLES, &cycles, &err); break;
      case 'p': preset = optarg; break;
      case 'S': bad = cli_add_set(set, &nset, 64, optarg, &err); break;
      default: bad = (backend = cli_choice("--backend", optarg, backends, 2, &err)) < 0;
    }
  }
  if (bad) c = CLI_BAD;
  if (c == CLI_END && cli_arguments(&o, 0, "no argument", &err)) c = CLI_BAD;
  if (c == CLI_END && stream < 0)
    c = (gmmu_fail(&err, "needs --stream hit, l2 or walk; see gmmu throughput --help"), CLI_BAD);
  if (c != CLI_END) return cli_usage_error(&o, c, &err);
  if (cli_config(&cfg, preset, set, nset, &err)) goto fail;
  if (backend == 1) {
    if (gmmu_timed_new(&dut, &cfg, &err)) goto fail;
  } else if (!app->rtl_new) {
    cli_rtl_exec(app, &cfg, preset, set, nset, false, &err);
    goto fail;
  } else if (app->rtl_new(&dut, &cfg, NULL, &err)) {
    goto fail;
  }
  int rc = gmmu_throughput_run(&cfg, &dut, coalesced, (enum gmmu_stream)stream, (uint32_t)latency,
                               cycles, &t, &err);
  dut.free(dut.h);
  if (rc) goto fail;
  print_json(&t, &cfg);
  return 0;
fail:
  fprintf(stderr, "gmmu throughput: %s\n", err.msg);
  return 1;
}
