/* SPDX-License-Identifier: Apache-2.0 */
/* gmmu run: traces through a device, every answer checked. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "cli/app.h"
#include "cli/options.h"
#include "cli/rtl_exec.h"
#include "cli/util.h"
#include "common/outfile.h"
#include "run/changes.h"
#include "run/dump.h"
#include "run/paging.h"
#include "run/report.h"
#include "run/space.h"
#include "timed/timed.h"

static const char usage[] =
    "usage: gmmu run --trace T[,T2...] [OPTION]...\n"
    "\n"
    "Translates the accesses of the traces and checks every answer. Trace k runs as application k, "
    "in ASID k.\n"
    "The last line printed is `mismatches: N`; the exit status is 0 only if N is 0.\n"
    "An output is a new or a regular file, which appears when it is complete, a device or a pipe, "
    "or - for standard output; the\n"
    "report then goes to standard error.\n"
    "  --preset P            configuration: a name (gmmu preset --list) or a file [mosaic]\n"
    "  --set KEY=VALUE       change one key of it (any number of times)\n"
    "  --backend rtl|model   Verilated RTL or timed model [rtl]\n"
    "  --trace T[,T2...]     one application each\n"
    "  --map M[,M2...]       mapping files; without them the driver maps each array of the "
    "traces:\n"
    "  --pages 4k|2m|coalesced            page kind [coalesced with large TLB arrays, else 4k]\n"
    "  --frames F                         physical frames [contiguous]: contiguous, scattered, or "
    "fragmented memory\n"
    "                                     (docs/manager.md): os, memhog25, memhog50, memhog75, "
    "each -nodefrag as well\n"
    "  --events E            changes of the page tables while the traces run: map, unmap, "
    "invalidate, coalesce, splinter\n"
    "                        at a cycle or a request (docs/events.md)\n"
    "  --paging demand|resident           instead: the memory manager allocates the arrays "
    "(docs/paging.md); their pages\n"
    "                                     come over the I/O bus when they are touched, or are "
    "there at the start\n"
    "  --manager mosaic|base|large        its policy [mosaic with large TLB arrays, else base]\n"
    "  --memory MIB          of memory for data, even [3072]\n"
    "  --foreign I,O         at the start other data is in a share I of the 2 MiB frames, on a "
    "share O of their pages\n"
    "  --cac ideal|off|copy|bulk          compaction, and what moving a page costs [ideal]: no "
    "time; no compaction; 64-bit\n"
    "                                     reads and writes; in the DRAM (docs/paging.md)\n"
    "  --cac-stall           all SMs stand still while pages are moved\n"
    "  --no-scan             do not look for contiguous subregions [looked for with L2Unified = "
    "1]\n"
    "  --asid A[,B...]       ASID of each trace [0,1,...]\n"
    "  --sms N[,N...]        SMs of each trace [equal shares, the remainder to the first]\n"
    "  --restart             an application that ends starts again, until all have ended once\n"
    "  --seed S              of memory latencies and scattered frames [1]\n"
    "  --dump D.csv          one line per answer\n"
    "  --record R.txt        what memory channel 0 is given, for the bench of its RTL (MemChannels "
    "above 0; docs/memsys.md)\n"
    "  --json J              results for tools\n"
    "  --waves W.fst         waves (RTL)\n"
    "  --no-policy           do not compare each event with the policy models\n"
    "  --max-cycles N        give up after N cycles\n";

struct args {
  const char *preset, *trace, *map, *events, *asid, *sms, *dump, *record, *json, *waves;
  char *set[64];
  int num_set, pages; /* pages: enum gmmu_map_kind, -1: default */
  bool rtl, policy, scan, restart;
  int paging,
      manager; /* paging: 0 none, 1 demand, 2 resident; manager: enum gmmu_mm_policy, -1: default */
  uint64_t memory; /* MiB */
  double index, occupancy;
  int cac; /* enum gmmu_cac */
  bool cac_stall;
  bool manager_options;
  int frames; /* of frame_orders */
  uint64_t seed, max_cycles;
};

/** Everything a run owns. */
struct job {
  struct gmmu_config cfg;
  struct cli_list traces, maps, asids, sms;
  struct gmmu_space_app app[GMMU_MAX_SMS];
  struct gmmu_trace *trace[GMMU_MAX_SMS];
  struct gmmu_space space;
  struct gmmu_paging *paging;
  struct gmmu_changes *changes;
  struct gmmu_run run;
  struct gmmu_outfile dump, record, json;
  FILE *say; /* the table and the last line */
  char *rerun, *waves;
};

/** Values of --frames. Share of the pages in contiguous subregions: `os` our choice, memhog...
 * MESC's Table II. */
static const char *const frame_orders[] = {
    "contiguous",        "scattered",         "os",
    "memhog25",          "memhog50",          "memhog75",
    "memhog25-nodefrag", "memhog50-nodefrag", "memhog75-nodefrag"};
static const double shares[] = {0, 0, 0.9, 0.487, 0.428, 0.389, 0.443, 0.423, 0.347};

enum {
  O_RECORD = 237,
  O_CAC,
  O_CAC_STALL,
  O_PAGING = 240,
  O_MANAGER,
  O_MEMORY,
  O_FOREIGN,
  O_EVENTS,
  O_SMS = 253,
  O_RESTART,
  O_NO_SCAN,
  O_PRESET = 256,
  O_SET,
  O_BACKEND,
  O_TRACE,
  O_MAP,
  O_PAGES,
  O_FRAMES,
  O_ASID,
  O_SEED,
  O_DUMP,
  O_JSON,
  O_WAVES,
  O_NO_POLICY,
  O_MAX_CYCLES
};

static int take_option(struct args *a, int c, char *arg, struct gmmu_err *err) {
  static const char *const kinds[] = {"4k", "2m", "coalesced"}, *const backends[] = {"rtl",
                                                                                     "model"};
  static const char *const pagings[] = {"demand", "resident"};
  int i;

  switch (c) {
    case O_PRESET: a->preset = arg; return 0;
    case O_TRACE: a->trace = arg; return 0;
    case O_MAP: a->map = arg; return 0;
    case O_EVENTS: a->events = arg; return 0;
    case O_ASID: a->asid = arg; return 0;
    case O_SMS: a->sms = arg; return 0;
    case O_RESTART: a->restart = true; return 0;
    case O_DUMP: a->dump = arg; return 0;
    case O_RECORD: a->record = arg; return 0;
    case O_JSON: a->json = arg; return 0;
    case O_WAVES: a->waves = arg; return 0;
    case O_NO_POLICY: a->policy = false; return 0;
    case O_SEED: return cli_u64(arg, "--seed", &a->seed, err);
    case O_MAX_CYCLES: return cli_u64(arg, "--max-cycles", &a->max_cycles, err);
    case O_SET: return cli_add_set(a->set, &a->num_set, 64, arg, err);
    case O_PAGES: return (a->pages = cli_choice("--pages", arg, kinds, 3, err)) < 0 ? -1 : 0;
    case O_FRAMES:
      a->frames = cli_choice("--frames", arg, frame_orders, 9, err);
      return a->frames < 0 ? -1 : 0;
    case O_PAGING:
      return (a->paging = 1 + cli_choice("--paging", arg, pagings, 2, err)) < 1 ? -1 : 0;
    case O_MANAGER:
      a->manager_options = true;
      return (a->manager = cli_choice("--manager", arg, gmmu_manager_names, 3, err)) < 0 ? -1 : 0;
    case O_MEMORY:
      a->manager_options = true;
      if (cli_u64(arg, "--memory", &a->memory, err)) return -1;
      return gmmu_paging_memory_ok(a->memory)
                 ? 0
                 : gmmu_fail(err, "--memory: %s is not an even number from 2 to %d (MiB)", arg,
                             GMMU_PAGING_MAX_MIB);
    case O_FOREIGN:
      a->manager_options = true;
      if (sscanf(arg, "%lf,%lf%n", &a->index, &a->occupancy, &i) != 2 || arg[i] ||
          !(a->index >= 0 && a->index <= 1) || !(a->occupancy >= 0 && a->occupancy <= 1))
        return gmmu_fail(err, "--foreign: '%.64s' is not two shares from 0 to 1, as 0.9,0.5", arg);
      return 0;
    case O_CAC:
      a->manager_options = true;
      return (a->cac = cli_choice("--cac", arg, gmmu_cac_names, 4, err)) < 0 ? -1 : 0;
    case O_CAC_STALL: a->manager_options = a->cac_stall = true; return 0;
    case O_NO_SCAN: a->scan = false; return 0;
    case O_BACKEND:
      i = cli_choice("--backend", arg, backends, 2, err);
      a->rtl = i == 0;
      return i < 0 ? -1 : 0;
    default: return -1;
  }
}

static const struct option opts[] = {{"preset", 1, NULL, O_PRESET},
                                     {"set", 1, NULL, O_SET},
                                     {"backend", 1, NULL, O_BACKEND},
                                     {"trace", 1, NULL, O_TRACE},
                                     {"map", 1, NULL, O_MAP},
                                     {"events", 1, NULL, O_EVENTS},
                                     {"pages", 1, NULL, O_PAGES},
                                     {"frames", 1, NULL, O_FRAMES},
                                     {"asid", 1, NULL, O_ASID},
                                     {"seed", 1, NULL, O_SEED},
                                     {"dump", 1, NULL, O_DUMP},
                                     {"record", 1, NULL, O_RECORD},
                                     {"json", 1, NULL, O_JSON},
                                     {"waves", 1, NULL, O_WAVES},
                                     {"no-policy", 0, NULL, O_NO_POLICY},
                                     {"max-cycles", 1, NULL, O_MAX_CYCLES},
                                     {"paging", 1, NULL, O_PAGING},
                                     {"manager", 1, NULL, O_MANAGER},
                                     {"memory", 1, NULL, O_MEMORY},
                                     {"foreign", 1, NULL, O_FOREIGN},
                                     {"cac", 1, NULL, O_CAC},
                                     {"cac-stall", 0, NULL, O_CAC_STALL},
                                     {"sms", 1, NULL, O_SMS},
                                     {"restart", 0, NULL, O_RESTART},
                                     {"no-scan", 0, NULL, O_NO_SCAN},
                                     {NULL, 0, NULL, 0}};

/** CLI_END: go on. */
static int parse(struct args *a, struct cli_options *o, struct gmmu_err *err) {
  int c;

  *a = (struct args){.preset = "mosaic",
                     .pages = -1,
                     .frames = -1,
                     .manager = -1,
                     .memory = 3072,
                     .rtl = true,
                     .policy = true,
                     .scan = true,
                     .seed = 1};
  while ((c = cli_option(o, err)) >= 0)
    if (take_option(a, c, optarg, err)) return CLI_BAD;
  if (c != CLI_END) return c;
  if (cli_arguments(o, 0, "no argument", err)) return CLI_BAD;
  if (!a->trace) return gmmu_fail(err, "no --trace; see gmmu run --help"), CLI_BAD;
  if (a->map && (a->pages >= 0 || a->frames >= 0))
    return gmmu_fail(err, "--map says where each page is: without --pages and --frames"), CLI_BAD;
  if (a->paging && (a->map || a->pages >= 0 || a->frames >= 0 || a->events))
    return gmmu_fail(err, "--paging is instead of --map, --pages, --frames and --events"), CLI_BAD;
  if (a->frames < 0) a->frames = 0;
  if (a->frames > 1 && a->pages > GMMU_MAP_4K)
    return gmmu_fail(err, "--frames %s is for --pages 4k", frame_orders[a->frames]), CLI_BAD;
  if (!a->paging && a->manager_options)
    return gmmu_fail(err, "--manager, --memory, --foreign, --cac and --cac-stall are for --paging"),
           CLI_BAD;
  if (a->waves && !a->rtl) return gmmu_fail(err, "--waves needs --backend rtl"), CLI_BAD;
  return CLI_END;
}

static int split_lists(struct job *j, const struct args *a, struct gmmu_err *err) {
  if (cli_split(&j->traces, a->trace, "--trace", err) ||
      (a->map && cli_split(&j->maps, a->map, "--map", err)) ||
      (a->asid && cli_split(&j->asids, a->asid, "--asid", err)) ||
      (a->sms && cli_split(&j->sms, a->sms, "--sms", err)))
    return -1;
  if (a->sms && j->sms.n != j->traces.n)
    return gmmu_fail(err, "--sms has %d entries, --trace has %d", j->sms.n, j->traces.n);
  if (a->asid && j->asids.n != j->traces.n)
    return gmmu_fail(err, "--asid has %d entries, --trace has %d", j->asids.n, j->traces.n);
  return 0;
}

static int load_apps(struct job *j, const struct args *a, struct gmmu_err *err) {
  for (int i = 0; i < j->traces.n; i++) {
    uint64_t asid = (uint64_t)i;
    if (a->asid && cli_u64(j->asids.v[i], "--asid", &asid, err)) return -1;
    if (asid >= (uint64_t)j->cfg.NumAsids)
      return gmmu_fail(err, "ASID %llu is not below NumAsids = %lld", (unsigned long long)asid,
                       (long long)j->cfg.NumAsids);
    j->trace[i] = gmmu_trace_read(j->traces.v[i], err);
    if (!j->trace[i]) return -1;
    j->app[i] =
        (struct gmmu_space_app){.path = j->traces.v[i], .trace = j->trace[i], .asid = (int)asid};
    j->run.total_accesses += gmmu_trace_num_ops(j->trace[i]);
  }
  return 0;
}

static int page_kind(const struct job *j, const struct args *a) {
  if (a->frames > 1) return GMMU_MAP_4K;
  if (a->pages >= 0) return a->pages;
  return j->cfg.L2LargeEntries > 0 && j->cfg.Ext ? GMMU_MAP_COALESCED : GMMU_MAP_4K;
}

static int make_front_end(struct job *j, const struct args *a, struct gmmu_err *err) {
  struct gmmu_fe_app fa[GMMU_MAX_SMS];

  for (int i = 0; i < j->traces.n; i++) {
    uint64_t sms = 0;
    if (a->sms && cli_u64(j->sms.v[i], "--sms", &sms, err)) return -1;
    if (a->sms && (sms < 1 || sms > (uint64_t)j->cfg.NumSms))
      return gmmu_fail(err, "--sms: %s is not 1 to NumSms = %lld", j->sms.v[i],
                       (long long)j->cfg.NumSms);
    fa[i] = (struct gmmu_fe_app){
        .trace = j->trace[i], .path = j->traces.v[i], .asid = j->app[i].asid, .sms = (int)sms};
  }
  j->run.fe = gmmu_fe_new(&j->cfg, fa, j->traces.n, a->restart, err);
  return j->run.fe ? 0 : -1;
}

static int make_device(struct job *j, const struct gmmu_app *app, const struct args *a,
                       struct gmmu_err *err) {
  if (a->rtl) return app->rtl_new(&j->run.dut, &j->cfg, j->waves, err);
  if (gmmu_timed_new(&j->run.dut, &j->cfg, err)) return -1;
  gmmu_timed_set_memory(&j->run.dut, j->space.mem); /* for Ideal */
  return 0;
}

static int manager(const struct job *j, const struct args *a) {
  return a->manager >= 0 ? a->manager : (int)gmmu_manager_default(&j->cfg);
}

/* Page tables and environment by the memory manager. */
static int make_paging(struct job *j, const struct args *a, struct gmmu_err *err) {
  struct gmmu_paging_opts o = {.policy = (enum gmmu_mm_policy)manager(j, a),
                               .demand = a->paging == 1,
                               .bytes = a->memory << 20,
                               .index = a->index,
                               .occupancy = a->occupancy,
                               .cac = (enum gmmu_cac)a->cac,
                               .stall = a->cac_stall,
                               .seed = a->seed};
  if (!(j->space.mem = gmmu_mem_new())) return gmmu_fail(err, "out of memory");
  j->paging = gmmu_paging_new(&j->cfg, &o, j->space.mem, &j->space.env, j->app, j->traces.n, err);
  if (!j->paging) return -1;
  j->run.software = gmmu_paging_software(j->paging);
  return 0;
}

static int report(struct job *j, const struct args *a, struct gmmu_err *err) {
  static const char *const kinds[] = {"4k", "2m", "coalesced"};
  struct gmmu_report *r = calloc(1, sizeof *r);
  int ret = 0;

  if (!r) return gmmu_fail(err, "out of memory");
  r->run = &j->run;
  r->backend = a->rtl ? "rtl" : "model";
  r->pages = a->paging ? (a->paging == 1 ? "demand" : "resident")
             : a->map  ? "map"
                       : kinds[page_kind(j, a)];
  r->frames = a->paging ? gmmu_manager_names[manager(j, a)]
              : a->map  ? "map"
                        : frame_orders[a->frames];
  struct gmmu_paging_stats ps;
  if (j->paging) {
    gmmu_paging_get_stats(j->paging, &ps);
    r->paging = &ps;
  }
  struct gmmu_changes_stats cs;
  if (j->changes) {
    gmmu_changes_get_stats(j->changes, &cs);
    r->changes = &cs;
  }
  r->scan = &j->space.scan;
  r->num_apps = j->traces.n;
  for (int i = 0; i < r->num_apps; i++) {
    r->app[i] = (struct gmmu_report_app){
        .trace = j->traces.v[i], .name = gmmu_trace_app(j->trace[i]), .asid = j->app[i].asid};
    gmmu_fe_share(j->run.fe, i, &r->app[i].first_sm, &r->app[i].num_sms);
    r->app[i].progress = gmmu_fe_app_progress(j->run.fe, i);
    r->app[i].accesses = gmmu_trace_num_ops(j->trace[i]);
  }
  gmmu_report_table(j->say, r);
  if (a->json) ret = gmmu_report_json(j->json.f, r, err);
  free(r);
  return ret;
}

/* Outputs are apart from each other and from what is read. */
static int check_files(struct job *j, const struct args *a, struct gmmu_err *err) {
  struct gmmu_file_use v[2 * 64 + 8];
  char preset[PATH_MAX + 32];
  int n = 0;
  v[n++] =
      (struct gmmu_file_use){"--preset", cli_preset_path(a->preset, preset, sizeof preset), false};
  v[n++] = (struct gmmu_file_use){"--events", a->events, false};
  for (int i = 0; i < j->traces.n; i++)
    v[n++] = (struct gmmu_file_use){"--trace", j->traces.v[i], false};
  for (int i = 0; i < j->maps.n; i++) v[n++] = (struct gmmu_file_use){"--map", j->maps.v[i], false};
  v[n++] = (struct gmmu_file_use){"--dump", a->dump, true};
  v[n++] = (struct gmmu_file_use){"--record", a->record, true};
  v[n++] = (struct gmmu_file_use){"--json", a->json, true};
  v[n++] = (struct gmmu_file_use){"--waves", a->waves, true};
  if (gmmu_files_apart(v, n, err)) return -1;
  return a->waves && !(j->waves = gmmu_outfile_in_place("--waves", a->waves, ".hier", err)) ? -1
                                                                                            : 0;
}

static int open_outputs(struct job *j, const struct args *a, struct gmmu_err *err) {
  const char *const out[] = {a->dump, a->record, a->json};
  j->say = stdout;
  for (int i = 0; i < 3; i++)
    if (out[i] && gmmu_outfile_is_stdout(out[i])) j->say = stderr;
  if (a->dump && gmmu_outfile_open(&j->dump, a->dump, err)) return -1;
  if (a->record && gmmu_outfile_open(&j->record, a->record, err)) return -1;
  if (a->json && gmmu_outfile_open(&j->json, a->json, err)) return -1;
  return 0;
}

static int run_job(struct job *j, const struct gmmu_app *app, const struct args *a,
                   struct gmmu_err *err) {
  struct gmmu_space_opts so = {.kind = page_kind(j, a),
                               .scattered = a->frames == 1,
                               .fragmented = shares[a->frames],
                               .scan = a->scan && j->cfg.L2Unified,
                               .seed = a->seed};

  if ((a->paging ? make_paging(j, a, err)
                 : gmmu_space_build(&j->space, &j->cfg, &so, j->app, j->traces.n, j->maps.v,
                                    j->maps.n, err)) ||
      make_front_end(j, a, err))
    return -1;
  if (a->events || j->space.demand.n) {
    if (j->cfg.Ideal) return gmmu_fail(err, "Ideal = 1 has no page tables that could change");
    if (!(j->changes = gmmu_changes_new(&j->cfg, &j->space, a->events, err))) return -1;
    j->run.software = gmmu_changes_software(j->changes);
  }
  j->run.num_apps = 1;
  for (int i = 0; i < j->traces.n; i++)
    if (j->app[i].asid >= j->run.num_apps) j->run.num_apps = j->app[i].asid + 1;
  if (j->cfg.MemChannels && j->cfg.MemPartition && j->run.num_apps > j->cfg.MemChannels)
    return gmmu_fail(err,
                     "MemPartition = 1 divides the channels by ASID, from 0 to the highest in use: "
                     "ASID %d needs %d channels; MemChannels is %lld",
                     j->run.num_apps - 1, j->run.num_apps, (long long)j->cfg.MemChannels);
  if (a->rtl && (j->cfg.TokenStart != 80 || j->cfg.TokenStep != 16 || j->cfg.TokenPoints != 2 ||
                 j->cfg.TokenMerged || j->cfg.TokenAny || j->cfg.TokenOrder))
    return gmmu_fail(err,
                     "TokenStart, TokenStep, TokenPoints, TokenMerged, TokenAny and TokenOrder are "
                     "of the model only (--backend model)");
  if (a->record && !j->cfg.MemChannels)
    return gmmu_fail(err, "--record needs a memory system: MemChannels above 0");
  if (a->rtl && !app->rtl_new) /* all input is good: now the RTL is worth building */
    return cli_rtl_exec(app, &j->cfg, a->preset, a->set, a->num_set, a->waves != NULL, err);
  if (open_outputs(j, a, err) || make_device(j, app, a, err)) return -1;
  j->run.cfg = j->cfg;
  j->run.env = &j->space.env;
  j->run.image = j->space.mem;
  j->run.said = j->space.said;
  j->run.lag = a->rtl ? app->rtl_lag : 0;
  j->run.seed = a->seed;
  j->run.max_cycles = a->max_cycles;
  j->run.policy = a->policy && !j->cfg.Ideal;
  j->run.dump = j->dump.f;
  j->run.record = j->record.f;
  j->run.rerun = j->rerun =
      cli_command(app->argc, app->argv, a->rtl && !a->waves ? " --waves rerun.fst" : NULL);
  if (a->dump) gmmu_dump_header(j->dump.f);
  if (gmmu_run(&j->run, err)) return -1;
  if (report(j, a, err)) return -1;
  if ((a->dump && gmmu_outfile_commit(&j->dump, err)) ||
      (a->record && gmmu_outfile_commit(&j->record, err)) ||
      (a->json && gmmu_outfile_commit(&j->json, err)))
    return -1;
  fprintf(j->say, "mismatches: %llu\n", (unsigned long long)j->run.mism.n);
  return j->run.mism.n ? 1 : 0;
}

static void release(struct job *j) {
  if (j->run.dut.free) j->run.dut.free(j->run.dut.h);
  gmmu_run_free(&j->run);
  gmmu_fe_free(j->run.fe);
  gmmu_paging_free(j->paging);
  gmmu_changes_free(j->changes);
  gmmu_space_free(&j->space);
  gmmu_outfile_abort(&j->dump);
  gmmu_outfile_abort(&j->record);
  gmmu_outfile_abort(&j->json);
  free(j->waves);
  for (int i = 0; i < GMMU_MAX_SMS; i++)
    if (j->trace[i]) gmmu_trace_free(j->trace[i]);
  cli_list_free(&j->traces);
  cli_list_free(&j->maps);
  cli_list_free(&j->asids);
  cli_list_free(&j->sms);
  free(j->rerun);
  free(j);
}

int cmd_run(const struct gmmu_app *app, int argc, char **argv) {
  struct gmmu_err err = {""};
  struct args a;
  struct job *j;
  struct cli_options o = {
      .command = "run", .usage = usage, .opts = opts, .argc = argc, .argv = argv};
  int r = parse(&a, &o, &err);

  if (r != CLI_END) return cli_usage_error(&o, r, &err);
  j = calloc(1, sizeof *j);
  if (!j) return 1;
  r = cli_config(&j->cfg, a.preset, a.set, a.num_set, &err);
  if (!r && a.rtl && j->cfg.Ideal)
    r = gmmu_fail(&err, "Ideal = 1 is of the model only (--backend model)");
  if (!r) r = split_lists(j, &a, &err);
  if (!r) r = check_files(j, &a, &err);
  if (!r) r = load_apps(j, &a, &err);
  if (!r) r = run_job(j, app, &a, &err);
  if (r < 0) fprintf(stderr, "gmmu run: %s\n", err.msg);
  release(j);
  return r ? 1 : 0;
}
