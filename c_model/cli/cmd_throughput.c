/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_throughput.c - gmmu throughput: streams that keep the MMU busy; results as JSON on stdout. */
#include <cjson/cJSON.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "cli/app.h"
#include "cli/rtl_exec.h"
#include "cli/util.h"
#include "run/throughput.h"

static const char usage[] =
    "usage: gmmu throughput --stream hit|l2|walk [OPTION]...\n"
    "\n"
    "Keeps every SM busy with one kind of request and prints what the MMU does per cycle, as JSON.\n"
    "  --stream S        hit: all in the L1; l2: L1 misses that hit in the L2; walk: always new pages\n"
    "  --coalesced       2 MiB frames instead of 4 KiB pages\n"
    "  --latency L       cycles of a PTE read [100]\n"
    "  --cycles N        measured cycles [20000]\n"
    "  --preset P, --set KEY=VALUE, --backend rtl|model   as in gmmu run\n";

static void print_json(const struct gmmu_throughput *t, const struct gmmu_config *c) {
  double n = (double)t->cycles;
  cJSON *o = cJSON_CreateObject();
  cJSON_AddNumberToObject(o, "cycles", n);
  cJSON_AddNumberToObject(o, "answers_per_cycle_per_sm", (double)t->answers / n / (double)c->NumSms);
  cJSON_AddNumberToObject(o, "l2_lookups_per_cycle", (double)t->l2_lookups / n);
  cJSON_AddNumberToObject(o, "l2_misses", (double)t->l2_misses);
  cJSON_AddNumberToObject(o, "walks_per_cycle", (double)t->walks / n);
  cJSON_AddNumberToObject(o, "latency_mean", t->answers ? (double)t->latency_sum / (double)t->answers : 0);
  cJSON_AddNumberToObject(o, "latency_max", (double)t->latency_max);
  cJSON_AddNumberToObject(o, "most_outstanding_reads", (double)t->most_outstanding);
  char *s = cJSON_Print(o);
  puts(s);
  free(s);
  cJSON_Delete(o);
}

int cmd_throughput(const struct gmmu_app *app, int argc, char **argv) {
  static const struct option opt[] = {
      {"stream", required_argument, 0, 's'}, {"coalesced", no_argument, 0, 'c'},  {"latency", required_argument, 0, 'l'},
      {"cycles", required_argument, 0, 'n'}, {"preset", required_argument, 0, 'p'}, {"set", required_argument, 0, 'S'},
      {"backend", required_argument, 0, 'b'}, {"help", no_argument, 0, 'h'},       {0, 0, 0, 0}};
  const char *preset = "mosaic", *backend = "rtl";
  char *set[64];
  int nset = 0, stream = -1, c;
  bool coalesced = false;
  uint64_t latency = 100, cycles = 20000;
  struct gmmu_err err = {""};
  struct gmmu_config cfg;
  struct gmmu_dut dut;
  struct gmmu_throughput t;
  optind = 0;
  while ((c = getopt_long(argc, argv, "h", opt, NULL)) != -1) {
    switch (c) {
      case 's':
        stream = strcmp(optarg, "hit") == 0 ? GMMU_STREAM_HIT : strcmp(optarg, "l2") == 0 ? GMMU_STREAM_L2
                 : strcmp(optarg, "walk") == 0 ? GMMU_STREAM_WALK : -1;
        break;
      case 'c': coalesced = true; break;
      case 'l':
        if (cli_u64(optarg, "--latency", &latency, &err)) goto fail;
        break;
      case 'n':
        if (cli_u64(optarg, "--cycles", &cycles, &err)) goto fail;
        break;
      case 'p': preset = optarg; break;
      case 'S':
        if (nset < 64) set[nset++] = optarg;
        break;
      case 'b': backend = optarg; break;
      case 'h': fputs(usage, stdout); return 0;
      default: return 2;
    }
  }
  if (stream < 0 || latency == 0 || latency > 100000 || cycles == 0) {
    fprintf(stderr, "gmmu throughput: needs --stream hit|l2|walk, a latency of 1 to 100000 and cycles\n");
    return 2;
  }
  if (cli_config(&cfg, preset, set, nset, &err)) goto fail;
  if (strcmp(backend, "model") == 0) {
    if (gmmu_timed_new(&dut, &cfg, &err)) goto fail;
  } else if (!app->rtl_new) {
    cli_rtl_exec(app, &cfg, preset, set, nset, false, &err);
    goto fail;
  } else if (app->rtl_new(&dut, &cfg, NULL, &err)) {
    goto fail;
  }
  int rc = gmmu_throughput_run(&cfg, &dut, coalesced, (enum gmmu_stream)stream, (uint32_t)latency, cycles, &t, &err);
  dut.free(dut.h);
  if (rc) goto fail;
  print_json(&t, &cfg);
  return 0;
fail:
  fprintf(stderr, "gmmu throughput: %s\n", err.msg);
  return 1;
}
