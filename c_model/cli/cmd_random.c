/* SPDX-License-Identifier: Apache-2.0 */
/* gmmu random: invalidation under fire (random/random.h). */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "cli/app.h"
#include "cli/options.h"
#include "cli/rtl_exec.h"
#include "cli/util.h"
#include "common/outfile.h"
#include "random/hostile_run.h"

struct args {
  const char *preset, *waves;
  char *const *set;
  int num_set;
  bool rtl, policy, storm;
  uint64_t ops, seed, tables, resets;
};

/** CLI_END: go on. */
static int parse(struct args *a, struct cli_options *o, struct gmmu_err *err) {
  int c = cli_parse(o, err);
  if (c != CLI_END) return c;
  *a = (struct args){.preset = cli_text(o, "preset"),
                     .waves = cli_text(o, "waves"),
                     .rtl = cli_chosen(o, "backend") == 0,
                     .policy = !cli_given(o, "no-policy"),
                     .storm = cli_given(o, "storm"),
                     .ops = cli_number(o, "ops"),
                     .tables = cli_number(o, "tables"),
                     .resets = cli_number(o, "resets"),
                     .seed = cli_number(o, "seed")};
  if (cli_arguments(o, 0, "no argument", err)) return CLI_BAD;
  if (a->waves && !a->rtl) return gmmu_fail(err, "--waves needs --backend rtl"), CLI_BAD;
  if (a->tables && a->storm)
    return gmmu_fail(err, "--tables: nothing changes under the requests, so no --storm"), CLI_BAD;
  if (a->tables && a->resets) return gmmu_fail(err, "--resets: only without --tables"), CLI_BAD;
  if (!a->preset) {
    a->preset = "mosaic";
    if (o->num_set == 0) o->set[o->num_set++] = (char *)"NumSms=4";
  }
  a->set = o->set;
  a->num_set = o->num_set;
  return CLI_END;
}

static void report(const struct gmmu_random *r) {
  printf("random: preset %s, seed %llu\n", r->cfg.name, (unsigned long long)r->seed);
  printf("  requests       %10llu   in %llu cycles, %.1f kHz\n", (unsigned long long)r->requests,
         (unsigned long long)r->cycles, (double)r->cycles / r->seconds / 1e3);
  if (r->resets)
    printf("  resets         %10llu   in the middle of traffic\n", (unsigned long long)r->resets);
  printf("  answers        %10llu   large %llu, faults %llu, superseded but legal %llu\n",
         (unsigned long long)r->answers, (unsigned long long)r->large,
         (unsigned long long)r->faults, (unsigned long long)r->old);
  printf("  by cause      ");
  for (int i = 1; i <= GMMU_AF_MEM; i++)
    printf(" %s %llu", gmmu_cause_name(i), (unsigned long long)r->by_cause[i]);
  printf("\n  software      ");
  for (int i = 0; gmmu_random_sw_name(i); i++)
    printf(" %s %llu", gmmu_random_sw_name(i), (unsigned long long)r->sw[i]);
  printf("\n  PTE writes     %10llu   reads %llu, of them errors %llu\n",
         (unsigned long long)r->pte_writes, (unsigned long long)r->reads,
         (unsigned long long)r->read_errors);
  if (r->cfg.Svadu)
    printf("  PTE updates    %10llu   by hardware; %llu more met another PTE\n",
           (unsigned long long)r->pte_updates, (unsigned long long)r->pte_late);
  printf("  invalidations  %10llu   all %llu, ASID %llu, range %llu; translations killed %llu\n",
         (unsigned long long)(r->commands[0] + r->commands[1] + r->commands[2]),
         (unsigned long long)r->commands[0], (unsigned long long)r->commands[1],
         (unsigned long long)r->commands[2], (unsigned long long)r->killed);
  if (r->storm)
    printf(
        "  storm          %10llu   requests that missed, %llu of them matched by a command; all "
        "%llu, ASID %llu, range %llu, kind 3 "
        "%llu; memory latency to %u\n",
        (unsigned long long)r->waited, (unsigned long long)r->waited_hit,
        (unsigned long long)r->storm_commands[0], (unsigned long long)r->storm_commands[1],
        (unsigned long long)r->storm_commands[2], (unsigned long long)r->storm_commands[3],
        r->slowest);
  printf("  comparisons    %10llu   answers %llu, policy %llu\n",
         (unsigned long long)(r->answers + r->policy_compared), (unsigned long long)r->answers,
         (unsigned long long)r->policy_compared);
}

/** As report(), of --tables. */
static void report_tables(const struct gmmu_random *r) {
  printf("random: preset %s, seed %llu\n", r->cfg.name, (unsigned long long)r->seed);
  printf("  tables         %10llu   in %llu cycles, %.1f kHz\n", (unsigned long long)r->tables,
         (unsigned long long)r->cycles, (double)r->cycles / r->seconds / 1e3);
  printf("  answers        %10llu   large %llu, faults %llu\n", (unsigned long long)r->answers,
         (unsigned long long)r->large, (unsigned long long)r->faults);
  printf("  by cause      ");
  for (int i = 1; i < GMMU_AF_MEM; i++)
    printf(" %s %llu", gmmu_cause_name(i), (unsigned long long)r->by_cause[i]);
  printf("\n  PTE reads      %10llu\n", (unsigned long long)r->reads);
  printf("  invalidations  %10llu   all %llu, ASID %llu\n",
         (unsigned long long)(r->commands[0] + r->commands[1]), (unsigned long long)r->commands[0],
         (unsigned long long)r->commands[1]);
  printf("  comparisons    %10llu   answers %llu, policy %llu\n",
         (unsigned long long)(r->answers + r->policy_compared), (unsigned long long)r->answers,
         (unsigned long long)r->policy_compared);
}

static int run(struct gmmu_random *r, const struct gmmu_app *app, const struct args *a,
               struct gmmu_err *err) {
  char preset[PATH_MAX + 32];
  int ret;

  if (cli_config(&r->cfg, a->preset, a->set, a->num_set, err)) return -1;
  if (r->cfg.Ideal) return gmmu_fail(err, "Ideal = 1 has no invalidation");
  if (a->tables && r->cfg.Svadu)
    return gmmu_fail(err, "--tables: with Svadu = 1 tables change under the requests");
  const struct gmmu_file_use files[] = {
      {"--preset", cli_preset_path(a->preset, preset, sizeof preset), false},
      {"--waves", a->waves, true}};
  if (gmmu_files_apart(files, 2, err) ||
      (a->waves && gmmu_outfile_regular("--waves", a->waves, err)))
    return -1;
  if (a->rtl && !app->rtl_new)
    return cli_rtl_exec(app, &r->cfg, a->preset, a->set, a->num_set, a->waves != NULL, err);
  r->ops = a->ops;
  r->seed = a->seed;
  r->policy = a->policy;
  r->storm = a->storm;
  r->tables = a->tables;
  r->resets = a->resets;
  r->lag = a->rtl ? app->rtl_lag : 0;
  if (a->rtl ? app->rtl_new(&r->dut, &r->cfg, a->waves, err)
             : gmmu_timed_new(&r->dut, &r->cfg, err))
    return -1;
  ret = (r->tables ? gmmu_hostile_run(r, err) : gmmu_random_run(r, err)) ||
        gmmu_dut_end(&r->dut, err);
  if (r->tables) report_tables(r);
  else report(r);
  if (ret && r->mism.n) printf("mismatches: %llu\n", (unsigned long long)r->mism.n);
  return ret;
}

int cmd_random(const struct gmmu_app *app, int argc, char **argv) {
  struct gmmu_err err = {""};
  struct gmmu_random r;
  struct args a;
  char *rerun;
  struct cli_options o = {.command = CLI_RANDOM, .argc = argc, .argv = argv};
  int ret = parse(&a, &o, &err);

  if (ret != CLI_END) return cli_usage_error(&o, ret, &err);
  memset(&r, 0, sizeof r);
  rerun = cli_command(app->argc, app->argv, a.rtl && !a.waves ? " --waves rerun.fst" : NULL);
  r.rerun = rerun;
  ret = run(&r, app, &a, &err);
  if (ret) fprintf(stderr, "gmmu random: %s\n", err.msg);
  else printf("mismatches: %llu\n", (unsigned long long)r.mism.n);
  ret = ret || r.mism.n;
  if (r.dut.free) r.dut.free(r.dut.h);
  gmmu_random_free(&r);
  free(rerun);
  return ret;
}
