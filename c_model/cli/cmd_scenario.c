/* SPDX-License-Identifier: Apache-2.0 */
/* gmmu scenario: allocations, runs and frees, one after the other, above the memory manager. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "cli/app.h"
#include "cli/options.h"
#include "cli/rtl_exec.h"
#include "cli/util.h"
#include "common/outfile.h"
#include "scenario/scenario.h"
#include "timed/timed.h"

struct args {
  const char *file, *preset, *json, *waves;
  char *const *set;
  int num_set, manager; /* manager: enum gmmu_mm_policy, -1: default */
  int cac;              /* enum gmmu_cac */
  bool rtl, policy, cac_stall;
  uint64_t seed, max_cycles;
};

/* CLI_END: go on. */
static int parse(struct args *a, struct cli_options *o, struct gmmu_err *err) {
  int c = cli_parse(o, err);
  if (c != CLI_END) return c;
  *a = (struct args){.preset = cli_text(o, "preset"),
                     .json = cli_text(o, "json"),
                     .waves = cli_text(o, "waves"),
                     .set = o->set,
                     .num_set = o->num_set,
                     .manager = cli_chosen(o, "manager"),
                     .cac = cli_chosen(o, "cac"),
                     .rtl = cli_chosen(o, "backend") == 0,
                     .policy = !cli_given(o, "no-policy"),
                     .cac_stall = cli_given(o, "cac-stall"),
                     .seed = cli_number(o, "seed"),
                     .max_cycles = cli_number(o, "max-cycles")};
  if (cli_arguments(o, 1, "one scenario FILE", err)) return CLI_BAD;
  a->file = o->argv[optind];
  if (a->waves && !a->rtl) return gmmu_fail(err, "--waves needs --backend rtl"), CLI_BAD;
  return CLI_END;
}

/* Everything a scenario owns. */
struct job {
  struct gmmu_scenario s;
  struct gmmu_run run;
  struct gmmu_paging *paging;
  struct gmmu_mem *mem;
  struct gmmu_env env;
  struct gmmu_scenario_result *out;
  struct gmmu_outfile json;
  FILE *say; /* the table and the last line */
  char *rerun;
};

/* Outputs are apart from each other and from what is read. */
static int check_files(struct job *j, const struct args *a, struct gmmu_err *err) {
  struct gmmu_file_use *v = calloc((size_t)j->s.num_sets + 4, sizeof *v);
  char preset[PATH_MAX + 32];
  int n = 0;
  if (!v) return gmmu_fail(err, "out of memory");
  v[n++] =
      (struct gmmu_file_use){"--preset", cli_preset_path(a->preset, preset, sizeof preset), false};
  v[n++] = (struct gmmu_file_use){"the scenario", a->file, false};
  for (int i = 0; i < j->s.num_sets; i++)
    v[n++] = (struct gmmu_file_use){"load", j->s.set[i].path, false};
  v[n++] = (struct gmmu_file_use){"--json", a->json, true};
  v[n++] = (struct gmmu_file_use){"--waves", a->waves, true};
  int r = gmmu_files_apart(v, n, err);
  free(v);
  return r || (a->waves && gmmu_outfile_regular("--waves", a->waves, err)) ? -1 : 0;
}

static int open_outputs(struct job *j, const struct args *a, struct gmmu_err *err) {
  j->say = a->json && gmmu_outfile_is_stdout(a->json) ? stderr : stdout;
  return a->json ? gmmu_outfile_open(&j->json, a->json, err) : 0;
}

static int play(struct job *j, const struct gmmu_app *app, const struct args *a,
                struct gmmu_err *err) {
  struct gmmu_config *c = &j->run.cfg;
  if (cli_config(c, a->preset, a->set, a->num_set, err)) return -1;
  if (c->Ideal) return gmmu_fail(err, "Ideal = 1 has no page tables to play with");
  if (gmmu_scenario_read(&j->s, a->file, c, err) || check_files(j, a, err)) return -1;
  if (a->json && gmmu_outfile_check(a->json, err)) return -1;
  if (a->rtl && !app->rtl_new)
    return cli_rtl_exec(app, c, a->preset, a->set, a->num_set, a->waves != NULL, err);
  if (!(j->out = calloc((size_t)j->s.num_steps, sizeof *j->out)))
    return gmmu_fail(err, "out of memory");
  if (open_outputs(j, a, err)) return -1;
  if (a->rtl ? app->rtl_new(&j->run.dut, c, a->waves, err) : gmmu_timed_new(&j->run.dut, c, err))
    return -1;
  j->run.lag = a->rtl ? app->rtl_lag : 0;
  j->run.seed = a->seed;
  j->run.max_cycles = a->max_cycles;
  j->run.policy = a->policy;
  j->run.rerun = j->rerun =
      cli_command(app->argc, app->argv, a->rtl && !a->waves ? " --waves rerun.fst" : NULL);
  struct gmmu_paging_opts o = {
      .policy = a->manager >= 0 ? (enum gmmu_mm_policy)a->manager : gmmu_manager_default(c),
      .bus = GMMU_IOBUS,
      .cac = (enum gmmu_cac)a->cac,
      .stall = a->cac_stall};
  if (gmmu_scenario_run(&j->s, &j->run, &o, &j->paging, &j->mem, &j->env, j->out, err) ||
      gmmu_dut_end(&j->run.dut, err))
    return -1;
  fprintf(j->say, "preset %s, backend %s, %lld SMs, seed %llu, %llu cycles\n", c->name,
          a->rtl ? "rtl" : "model", (long long)c->NumSms, (unsigned long long)a->seed,
          (unsigned long long)j->run.cycles);
  gmmu_scenario_table(j->say, &j->s, j->out);
  if (a->json &&
      (gmmu_scenario_json(j->json.f, &j->s, &j->run, a->rtl ? "rtl" : "model", j->out, err) ||
       gmmu_outfile_commit(&j->json, err)))
    return -1;
  fprintf(j->say, "mismatches: %llu\n", (unsigned long long)j->run.mism.n);
  return j->run.mism.n ? 1 : 0;
}

int cmd_scenario(const struct gmmu_app *app, int argc, char **argv) {
  struct gmmu_err err = {""};
  struct args a;
  struct cli_options o = {.command = CLI_SCENARIO, .argc = argc, .argv = argv};
  int r = parse(&a, &o, &err);
  if (r != CLI_END) return cli_usage_error(&o, r, &err);
  struct job *j = calloc(1, sizeof *j);
  if (!j) return 1;
  r = play(j, app, &a, &err);
  if (r < 0) fprintf(stderr, "gmmu scenario: %s\n", err.msg);
  if (j->run.dut.free) j->run.dut.free(j->run.dut.h);
  gmmu_run_free(&j->run);
  gmmu_fe_free(j->run.fe);
  gmmu_paging_free(j->paging);
  if (j->mem) gmmu_mem_free(j->mem);
  gmmu_scenario_free(&j->s);
  gmmu_outfile_abort(&j->json);
  free(j->out);
  free(j->rerun);
  free(j);
  return r ? 1 : 0;
}
