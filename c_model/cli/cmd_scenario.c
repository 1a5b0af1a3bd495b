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

static const char usage[] =
    "usage: gmmu scenario FILE [OPTION]...\n"
    "\n"
    "Plays a scenario (docs/scenario.md): loads traces, allocates, runs kernels, frees, with the "
    "memory manager as software,\n"
    "and checks every answer. The last line printed is `mismatches: N`; the exit status is 0 only "
    "if N is 0.\n"
    "  --preset P            configuration: a name (gmmu preset --list) or a file [mosaic]\n"
    "  --set KEY=VALUE       change one key of it (any number of times)\n"
    "  --backend rtl|model   Verilated RTL or timed model [rtl]\n"
    "  --manager mosaic|base|large        policy of the memory manager [mosaic with large TLB "
    "arrays, else base]\n"
    "  --cac ideal|off|copy|bulk          compaction, and what moving a page costs [ideal] "
    "(docs/paging.md)\n"
    "  --cac-stall           all SMs stand still while pages are moved\n"
    "  --seed S              of memory latencies and foreign data [1]\n"
    "  --json J              results for tools\n"
    "  --waves W.fst         waves (RTL)\n"
    "  --no-policy           do not compare each event with the policy models\n"
    "  --max-cycles N        give up after N cycles\n";

struct args {
  const char *file, *preset, *json, *waves;
  char *set[64];
  int num_set, manager; /* manager: enum gmmu_mm_policy, -1: default */
  int cac;              /* enum gmmu_cac */
  bool rtl, policy, cac_stall;
  uint64_t seed, max_cycles;
};

enum {
  O_PRESET = 256,
  O_SET,
  O_BACKEND,
  O_MANAGER,
  O_CAC,
  O_CAC_STALL,
  O_SEED,
  O_JSON,
  O_WAVES,
  O_NO_POLICY,
  O_MAX_CYCLES
};

static int take_option(struct args *a, int c, char *arg, struct gmmu_err *err) {
  static const char *const backends[] = {"rtl", "model"};
  int i;
  switch (c) {
    case O_PRESET: a->preset = arg; return 0;
    case O_JSON: a->json = arg; return 0;
    case O_WAVES: a->waves = arg; return 0;
    case O_NO_POLICY: a->policy = false; return 0;
    case O_SEED: return cli_u64(arg, "--seed", &a->seed, err);
    case O_MAX_CYCLES: return cli_u64(arg, "--max-cycles", &a->max_cycles, err);
    case O_MANAGER:
      return (a->manager = cli_choice("--manager", arg, gmmu_manager_names, 3, err)) < 0 ? -1 : 0;
    case O_CAC: return (a->cac = cli_choice("--cac", arg, gmmu_cac_names, 4, err)) < 0 ? -1 : 0;
    case O_CAC_STALL: a->cac_stall = true; return 0;
    case O_BACKEND:
      i = cli_choice("--backend", arg, backends, 2, err);
      a->rtl = i == 0;
      return i < 0 ? -1 : 0;
    default: return cli_add_set(a->set, &a->num_set, 64, arg, err);
  }
}

static const struct option opts[] = {{"preset", 1, NULL, O_PRESET},
                                     {"set", 1, NULL, O_SET},
                                     {"backend", 1, NULL, O_BACKEND},
                                     {"manager", 1, NULL, O_MANAGER},
                                     {"seed", 1, NULL, O_SEED},
                                     {"json", 1, NULL, O_JSON},
                                     {"waves", 1, NULL, O_WAVES},
                                     {"no-policy", 0, NULL, O_NO_POLICY},
                                     {"max-cycles", 1, NULL, O_MAX_CYCLES},
                                     {"cac", 1, NULL, O_CAC},
                                     {"cac-stall", 0, NULL, O_CAC_STALL},
                                     {NULL, 0, NULL, 0}};

/* CLI_END: go on. */
static int parse(struct args *a, struct cli_options *o, struct gmmu_err *err) {
  int c;
  *a = (struct args){.preset = "mosaic", .manager = -1, .rtl = true, .policy = true, .seed = 1};
  while ((c = cli_option(o, err)) >= 0)
    if (take_option(a, c, optarg, err)) return CLI_BAD;
  if (c != CLI_END) return c;
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
  char *rerun, *waves;
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
  return r || (a->waves && !(j->waves = gmmu_outfile_in_place("--waves", a->waves, ".hier", err)))
             ? -1
             : 0;
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
  if (a->rtl && !app->rtl_new)
    return cli_rtl_exec(app, c, a->preset, a->set, a->num_set, a->waves != NULL, err);
  if (!(j->out = calloc((size_t)j->s.num_steps, sizeof *j->out)))
    return gmmu_fail(err, "out of memory");
  if (open_outputs(j, a, err)) return -1;
  if (a->rtl ? app->rtl_new(&j->run.dut, c, j->waves, err) : gmmu_timed_new(&j->run.dut, c, err))
    return -1;
  j->run.lag = a->rtl ? app->rtl_lag : 0;
  j->run.seed = a->seed;
  j->run.max_cycles = a->max_cycles;
  j->run.policy = a->policy;
  j->run.rerun = j->rerun =
      cli_command(app->argc, app->argv, a->rtl && !a->waves ? " --waves rerun.fst" : NULL);
  struct gmmu_paging_opts o = {
      .policy = a->manager >= 0 ? (enum gmmu_mm_policy)a->manager : gmmu_manager_default(c),
      .cac = (enum gmmu_cac)a->cac,
      .stall = a->cac_stall};
  if (gmmu_scenario_run(&j->s, &j->run, &o, &j->paging, &j->mem, &j->env, j->out, err)) return -1;
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
  struct cli_options o = {
      .command = "scenario", .usage = usage, .opts = opts, .argc = argc, .argv = argv};
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
  free(j->waves);
  free(j->out);
  free(j->rerun);
  free(j);
  return r ? 1 : 0;
}
