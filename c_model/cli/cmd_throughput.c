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
  struct cli_options o = {.command = CLI_THROUGHPUT, .argc = argc, .argv = argv};
  struct gmmu_err err = {""};
  struct gmmu_config cfg;
  struct gmmu_dut dut;
  struct gmmu_throughput t;
  int c = cli_parse(&o, &err);
  if (c == CLI_END && cli_arguments(&o, 0, "no argument", &err)) c = CLI_BAD;
  if (c == CLI_END && !cli_given(&o, "stream"))
    c = (gmmu_fail(&err, "needs --stream hit, l2 or walk; see gmmu throughput --help"), CLI_BAD);
  if (c != CLI_END) return cli_usage_error(&o, c, &err);
  const char *preset = cli_text(&o, "preset");
  enum gmmu_stream stream = (enum gmmu_stream)cli_chosen(&o, "stream");
  if (cli_config(&cfg, preset, o.set, o.num_set, &err) || gmmu_throughput_check(&cfg, stream, &err))
    goto fail;
  if (cli_chosen(&o, "backend") == 1) {
    if (gmmu_timed_new(&dut, &cfg, &err)) goto fail;
  } else if (!app->rtl_new) {
    cli_rtl_exec(app, &cfg, preset, o.set, o.num_set, false, &err);
    goto fail;
  } else if (app->rtl_new(&dut, &cfg, NULL, &err)) {
    goto fail;
  }
  int rc =
      gmmu_throughput_run(&cfg, &dut, cli_given(&o, "coalesced"), stream,
                          (uint32_t)cli_number(&o, "latency"), cli_number(&o, "cycles"), &t, &err);
  dut.free(dut.h);
  if (rc) goto fail;
  print_json(&t, &cfg);
  return 0;
fail:
  fprintf(stderr, "gmmu throughput: %s\n", err.msg);
  return 1;
}
