/* SPDX-License-Identifier: Apache-2.0 */
/* gmmu run: traces through a device, every answer checked. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "cli/app.h"
#include "cli/options.h"
#include "cli/rtl_exec.h"
#include "cli/run_args.h"
#include "cli/util.h"
#include "common/outfile.h"
#include "run/changes.h"
#include "run/dump.h"
#include "run/paging.h"
#include "run/report.h"
#include "run/space.h"
#include "timed/timed.h"

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
  struct gmmu_memsys_peer peer; /* --memory-rtl */
  struct gmmu_outfile dump, record, json;
  FILE *say; /* the table and the last line */
  char *rerun;
};

static int split_lists(struct job *j, const struct run_args *a, struct gmmu_err *err) {
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

static int load_apps(struct job *j, const struct run_args *a, struct gmmu_err *err) {
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
    j->run.total_accesses += a->passes * gmmu_trace_num_ops(j->trace[i]);
  }
  return 0;
}

static int page_kind(const struct job *j, const struct run_args *a) {
  if (a->frames > 1) return GMMU_MAP_4K;
  if (a->pages >= 0) return a->pages;
  return j->cfg.L2LargeEntries > 0 && j->cfg.Ext ? GMMU_MAP_COALESCED : GMMU_MAP_4K;
}

static int make_front_end(struct job *j, const struct run_args *a, struct gmmu_err *err) {
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
  if (j->run.fe) gmmu_fe_set_passes(j->run.fe, a->passes);
  return j->run.fe ? 0 : -1;
}

static int make_device(struct job *j, const struct gmmu_app *app, const struct run_args *a,
                       struct gmmu_err *err) {
  if (a->rtl) return app->rtl_new(&j->run.dut, &j->cfg, a->waves, err);
  if (gmmu_timed_new(&j->run.dut, &j->cfg, err)) return -1;
  gmmu_timed_set_memory(&j->run.dut, j->space.mem); /* for Ideal */
  return 0;
}

static int manager(const struct job *j, const struct run_args *a) {
  return a->manager >= 0 ? a->manager : (int)gmmu_manager_default(&j->cfg);
}

/* Page tables and environment by the memory manager. */
static int make_paging(struct job *j, const struct run_args *a, struct gmmu_err *err) {
  struct gmmu_paging_opts o = {
      .policy = (enum gmmu_mm_policy)manager(j, a),
      .demand = a->paging == RUN_DEMAND,
      .launch = a->paging == RUN_LAUNCH,
      .bytes = a->memory << 20,
      .bus = {.latency_ns = 1000 * a->bus_wait, .bytes_per_ns = a->bus_rate},
      .index = a->index,
      .occupancy = a->occupancy,
      .cac = (enum gmmu_cac)a->cac,
      .stall = a->cac_stall,
      .scan = a->scan && j->cfg.L2Unified,
      .seed = a->seed};
  if (!(j->space.mem = gmmu_mem_new())) return gmmu_fail(err, "out of memory");
  j->paging = gmmu_paging_new(&j->cfg, &o, j->space.mem, &j->space.env, j->app, j->traces.n, err);
  if (!j->paging) return -1;
  j->space.scan = *gmmu_paging_scan(j->paging);
  j->run.software = gmmu_paging_software(j->paging);
  return 0;
}

static int report(struct job *j, const struct run_args *a, struct gmmu_err *err) {
  static const char *const kinds[] = {"4k", "2m", "coalesced"};
  struct gmmu_report *r = calloc(1, sizeof *r);
  int ret = 0;

  if (!r) return gmmu_fail(err, "out of memory");
  r->run = &j->run;
  r->backend = a->rtl ? "rtl" : "model";
  r->pages = a->paging ? run_pagings[a->paging - 1] : a->map ? "map" : kinds[page_kind(j, a)];
  r->frames = a->paging ? gmmu_manager_names[manager(j, a)]
              : a->map  ? "map"
                        : run_frame_orders[a->frames];
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
    r->app[i].accesses = a->passes * gmmu_trace_num_ops(j->trace[i]);
  }
  gmmu_report_table(j->say, r);
  if (a->json) ret = gmmu_report_json(j->json.f, r, err);
  free(r);
  return ret;
}

/* Outputs are apart from each other and from what is read. */
static int check_files(struct job *j, const struct run_args *a, struct gmmu_err *err) {
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
  return a->waves ? gmmu_outfile_regular("--waves", a->waves, err) : 0;
}

static int open_outputs(struct job *j, const struct run_args *a, struct gmmu_err *err) {
  const char *const out[] = {a->dump, a->record, a->json};
  j->say = stdout;
  for (int i = 0; i < 3; i++)
    if (out[i] && gmmu_outfile_is_stdout(out[i])) j->say = stderr;
  if (a->dump && gmmu_outfile_open(&j->dump, a->dump, err)) return -1;
  if (a->record && gmmu_outfile_open(&j->record, a->record, err)) return -1;
  if (a->json && gmmu_outfile_open(&j->json, a->json, err)) return -1;
  return 0;
}

static int check_outputs(const struct run_args *a, struct gmmu_err *err) {
  const char *const out[] = {a->dump, a->record, a->json};
  for (int i = 0; i < 3; i++)
    if (out[i] && gmmu_outfile_check(out[i], err)) return -1;
  return 0;
}

static int run_job(struct job *j, const struct gmmu_app *app, const struct run_args *a,
                   struct gmmu_err *err) {
  struct gmmu_space_opts so = {.kind = page_kind(j, a),
                               .scattered = a->frames == 1,
                               .fragmented = run_shares[a->frames],
                               .scan = a->scan && j->cfg.L2Unified,
                               .seed = a->seed};

  if ((a->paging ? make_paging(j, a, err)
                 : gmmu_space_build(&j->space, &j->cfg, &so, j->app, j->traces.n, j->maps.v,
                                    j->maps.n, err)) ||
      make_front_end(j, a, err))
    return -1;
  if (a->events || j->space.demand.n) {
    if (j->cfg.Ideal) return gmmu_fail(err, "Ideal = 1 has no page tables that could change");
    if (j->cfg.SpreadTables) return gmmu_fail(err, "SpreadTables = 1: no --events");
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
  if (a->memory_rtl && !j->cfg.MemChannels)
    return gmmu_fail(err, "--memory-rtl needs a memory system: MemChannels above 0");
  if (a->memory_rtl && j->cfg.CacheMissLatency)
    return gmmu_fail(err, "--memory-rtl: the RTL has no CacheMissLatency");
  if (a->memory_rtl && j->run.num_apps > (int)GMMU_MEMSYS_RTL_APPS)
    return gmmu_fail(err, "--memory-rtl: ASIDs are below %u", GMMU_MEMSYS_RTL_APPS);
  if (a->rtl && !app->rtl_new && check_outputs(a, err)) return -1;
  if (a->rtl && !app->rtl_new) /* all input is good: now the RTL is worth building */
    return cli_rtl_exec(app, &j->cfg, a->preset, a->set, a->num_set, a->waves != NULL, err);
  if (open_outputs(j, a, err) || make_device(j, app, a, err)) return -1;
  if (a->memory_rtl) {
    if (cli_memory_rtl(&j->peer, &j->cfg, j->run.num_apps, a->preset, a->set, a->num_set, err))
      return -1;
    j->run.peer = &j->peer;
  }
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
  if (gmmu_dut_end(&j->run.dut, err) || report(j, a, err)) return -1;
  if ((a->dump && gmmu_outfile_commit(&j->dump, err)) ||
      (a->record && gmmu_outfile_commit(&j->record, err)) ||
      (a->json && gmmu_outfile_commit(&j->json, err)))
    return -1;
  fprintf(j->say, "mismatches: %llu\n", (unsigned long long)j->run.mism.n);
  return j->run.mism.n ? 1 : 0;
}

static void release(struct job *j) {
  if (j->run.dut.free) j->run.dut.free(j->run.dut.h);
  if (j->peer.free) j->peer.free(j->peer.self);
  gmmu_run_free(&j->run);
  gmmu_fe_free(j->run.fe);
  gmmu_paging_free(j->paging);
  gmmu_changes_free(j->changes);
  gmmu_space_free(&j->space);
  gmmu_outfile_abort(&j->dump);
  gmmu_outfile_abort(&j->record);
  gmmu_outfile_abort(&j->json);
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
  struct run_args a;
  struct job *j;
  struct cli_options o = {.command = CLI_RUN, .argc = argc, .argv = argv};
  int r = run_args(&a, &o, &err);

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
