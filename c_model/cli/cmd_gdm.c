/* SPDX-License-Identifier: Apache-2.0 */
/* gmmu gdm: GDM's benchmarks above the device memory manager. */
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/options.h"
#include "cli/util.h"
#include "common/outfile.h"
#include "run/gdm_run.h"

static const char usage[] =
    "usage: gmmu gdm --run A[+B]... [OPTION]...\n"
    "\n"
    "Runs GDM's benchmarks (backprop hj hotspot kmeans mpe nn srad theano, and malicious) together "
    "above the device memory\n"
    "manager, and compares every result with that of a run without a manager "
    "(docs/gdm-benchmarks.md). The last line printed is\n"
    "`mismatches: N`; the exit status is 0 only if N is 0 and no program crashed.\n"
    "  --run A+B             programs; each starts again until all have run often enough\n"
    "  --policy P            none, gdev, base or gdm [gdm]\n"
    "  --dirty D             signature, or hw: D and A of PTEs set by the MMU [signature]\n"
    "  --faults on|off       replayable faults of the device [off]\n"
    "  --watch eager|cow     sources of copies: copied at once, or write-protected [cow where its "
    "calls are linked in]\n"
    "  --scale N             divides sizes and times: power of two, 1 to 64 [64]\n"
    "  --reps N              complete repetitions of each program at least, 1 to 100 [3]\n"
    "  --seed S              of data and of the CPU's times [1]\n"
    "  --dma-share F         DMA shares of sim/gdm/shares.ini times F, 0.1 to 10 [1]\n"
    "  --no-uniformity --no-overwrite --no-double-transfer    without this heuristic (section "
    "4.4)\n"
    "  --no-prefetch         without idle prefetch\n"
    "  --keep                one context for all repetitions, and regions stay but for a program "
    "that frees some in between; a\n"
    "                        program starts when the one before has been through its first "
    "repetition, times count from then\n"
    "  --no-verify           without the last repetition, whose regions are all read back; results "
    "copied out are compared\n"
    "  --set KEY=VALUE       selection_factor, device_mb, kernel_engines, copy_engines, "
    "jitter_ppm, or a cost: pcie_bytes_per_s,\n"
    "                        dma_start_ns, sign_bytes_per_s, host_bytes_per_s, kernel_start_ns, "
    "pte_access_ns, fault_ns, api_ns\n"
    "  --regions F --shares F                 other files than those of sim/gdm\n"
    "  --marks               time and allocable memory at each step of the first repetition "
    "(JSON)\n"
    "  --json J              results for tools\n"
    "  --timeline T.svg      kernel engine, copy engine and memory over time\n";

struct args {
  char *programs, *regions, *shares, *json, *timeline, own_regions[PATH_MAX + 32],
      own_shares[PATH_MAX + 32];
  double dma_share;
  FILE *say; /* the table and the last line */
  struct gmmu_outfile json_out, timeline_out;
  struct gdm_run run;
  struct gdm_timeline events;
};

enum {
  O_RUN = 256,
  O_POLICY,
  O_DIRTY,
  O_FAULTS,
  O_WATCH,
  O_SCALE,
  O_REPS,
  O_SEED,
  O_DMA_SHARE,
  O_NO_UNIFORMITY,
  O_NO_OVERWRITE,
  O_NO_DOUBLE,
  O_NO_PREFETCH,
  O_KEEP,
  O_NO_VERIFY,
  O_SET,
  O_REGIONS,
  O_SHARES,
  O_MARKS,
  O_JSON,
  O_TIMELINE
};

static int number(const char *text, const char *what, double lo, double hi, double *v,
                  struct gmmu_err *err) {
  char *end;
  errno = 0;
  double x = strtod(text, &end);
  if (errno || end == text || *end || !(x >= lo && x <= hi))
    return gmmu_fail(err, "%s: '%.64s' is not a number from %g to %g", what, text, lo, hi);
  *v = x;
  return 0;
}

static int whole(const char *text, const char *what, double lo, double hi, unsigned *v,
                 struct gmmu_err *err) {
  double x;
  if (number(text, what, lo, hi, &x, err)) return -1;
  if (x != floor(x)) return gmmu_fail(err, "%s: '%.64s' is not a whole number", what, text);
  *v = (unsigned)x;
  return 0;
}

static int set(struct args *a, const char *kv, struct gmmu_err *err) {
  static const struct {
    const char *key;
    size_t at;
    double lo, hi;
  } costs[] = {
#define C(x, lo, hi) {#x, offsetof(struct gdm_costs, x), lo, hi}
      C(pcie_bytes_per_s, 1e6, 1e13),
      C(dma_start_ns, 0, 1e9),
      C(sign_bytes_per_s, 1e6, 1e13),
      C(host_bytes_per_s, 1e6, 1e13),
      C(kernel_start_ns, 0, 1e9),
      C(pte_access_ns, 0, 1e9),
      C(fault_ns, 0, 1e9),
      C(api_ns, 0, 1e9),
#undef C
  };
  struct gdm_config *c = &a->run.cfg;
  const char *eq = strchr(kv, '=');
  double v;
  if (!eq || eq == kv || eq - kv > 40) return gmmu_fail(err, "--set %.64s: not KEY=VALUE", kv);
  char key[48];
  snprintf(key, sizeof key, "%.*s", (int)(eq - kv), kv);
  if (strcmp(key, "selection_factor") == 0)
    return number(eq + 1, key, 0, 1, &c->selection_factor, err);
  if (strcmp(key, "kernel_engines") == 0) return whole(eq + 1, key, 1, 4, &c->kernel_engines, err);
  if (strcmp(key, "copy_engines") == 0) return whole(eq + 1, key, 1, 4, &c->copy_engines, err);
  if (strcmp(key, "jitter_ppm") == 0) return whole(eq + 1, key, 0, 500000, &c->jitter_ppm, err);
  if (strcmp(key, "device_mb") == 0) {
    if (number(eq + 1, key, 8, 1 << 20, &v, err)) return -1;
    c->device_bytes = (uint64_t)(v * 1048576.0); /* at full size: divided below */
    return 0;
  }
  for (size_t i = 0; i < sizeof costs / sizeof *costs; i++) {
    if (strcmp(key, costs[i].key)) continue;
    if (number(eq + 1, key, costs[i].lo, costs[i].hi, &v, err)) return -1;
    *(uint64_t *)(void *)((char *)&c->costs + costs[i].at) = (uint64_t)v;
    return 0;
  }
  return gmmu_fail(err, "--set %.48s: no such key; see gmmu gdm --help", key);
}

static int take_option(struct args *a, int c, char *arg, struct gmmu_err *err) {
  static const char *const policies[] = {"none", "gdev", "base", "gdm"}, *const dirties[] = {
                                                                             "signature", "hw"};
  static const char *const onoff[] = {"off", "on"}, *const watches[] = {"eager", "cow"};
  struct gdm_config *g = &a->run.cfg;
  int i = 0;
  switch (c) {
    case O_RUN: a->programs = arg; return 0;
    case O_REGIONS: a->regions = arg; return 0;
    case O_SHARES: a->shares = arg; return 0;
    case O_JSON: a->json = arg; return 0;
    case O_TIMELINE: a->timeline = arg; return 0;
    case O_POLICY:
      i = cli_choice("--policy", arg, policies, 4, err);
      g->policy = (enum gdm_policy)i;
      return i < 0 ? -1 : 0;
    case O_DIRTY:
      i = cli_choice("--dirty", arg, dirties, 2, err);
      g->dirty = (enum gdm_dirty)i;
      return i < 0 ? -1 : 0;
    case O_FAULTS:
      i = cli_choice("--faults", arg, onoff, 2, err);
      g->faults = i == 1;
      return i < 0 ? -1 : 0;
    case O_WATCH:
      i = cli_choice("--watch", arg, watches, 2, err);
      g->watch = (enum gdm_watch)i;
      return i < 0 ? -1 : 0;
    case O_SCALE: return whole(arg, "--scale", 1, 64, &g->scale, err);
    case O_REPS: return whole(arg, "--reps", 1, 100, &a->run.reps, err);
    case O_SEED: return cli_u64(arg, "--seed", &g->seed, err);
    case O_DMA_SHARE: return number(arg, "--dma-share", 0.1, 10, &a->dma_share, err);
    case O_NO_UNIFORMITY: g->uniformity = false; return 0;
    case O_NO_OVERWRITE: g->overwrite = false; return 0;
    case O_NO_DOUBLE: g->double_transfer = false; return 0;
    case O_NO_PREFETCH: g->prefetch = false; return 0;
    case O_KEEP: a->run.keep = true; return 0;
    case O_NO_VERIFY: a->run.verify = false; return 0;
    case O_MARKS: a->run.marks = true; return 0;
    default: return set(a, arg, err);
  }
}

static const struct option opts[] = {{"run", 1, NULL, O_RUN},
                                     {"policy", 1, NULL, O_POLICY},
                                     {"dirty", 1, NULL, O_DIRTY},
                                     {"faults", 1, NULL, O_FAULTS},
                                     {"watch", 1, NULL, O_WATCH},
                                     {"scale", 1, NULL, O_SCALE},
                                     {"reps", 1, NULL, O_REPS},
                                     {"seed", 1, NULL, O_SEED},
                                     {"dma-share", 1, NULL, O_DMA_SHARE},
                                     {"no-uniformity", 0, NULL, O_NO_UNIFORMITY},
                                     {"no-overwrite", 0, NULL, O_NO_OVERWRITE},
                                     {"no-double-transfer", 0, NULL, O_NO_DOUBLE},
                                     {"no-prefetch", 0, NULL, O_NO_PREFETCH},
                                     {"keep", 0, NULL, O_KEEP},
                                     {"no-verify", 0, NULL, O_NO_VERIFY},
                                     {"set", 1, NULL, O_SET},
                                     {"regions", 1, NULL, O_REGIONS},
                                     {"shares", 1, NULL, O_SHARES},
                                     {"marks", 0, NULL, O_MARKS},
                                     {"json", 1, NULL, O_JSON},
                                     {"timeline", 1, NULL, O_TIMELINE},
                                     {NULL, 0, NULL, 0}};

/* CLI_END: go on. */
static int parse(struct args *a, struct cli_options *o, struct gmmu_err *err) {
  struct gdm_config *g = &a->run.cfg;
  int c;
  gdm_config_default(g);
  g->scale = 64;
  g->seed = 1;
  g->watch = gdm_watch_interposed() ? GDM_WATCH_COW : GDM_WATCH_EAGER;
  a->run.reps = 3;
  a->run.verify = true;
  a->run.progress = isatty(2) && !getenv("CI");
  a->dma_share = 1;
  while ((c = cli_option(o, err)) >= 0)
    if (take_option(a, c, optarg, err)) return CLI_BAD;
  if (c != CLI_END) return c;
  if (cli_arguments(o, 0, "nothing but options", err)) return CLI_BAD;
  if (!a->programs) return gmmu_fail(err, "--run is needed; see gmmu gdm --help"), CLI_BAD;
  if (g->scale & (g->scale - 1))
    return gmmu_fail(err, "--scale %u: not a power of two", g->scale), CLI_BAD;
  if (g->watch == GDM_WATCH_COW && !gdm_watch_interposed())
    return gmmu_fail(err, "--watch cow: the interposed calls are not linked in"), CLI_BAD;
  g->device_bytes = g->device_bytes / g->scale / (2u << 20) * (2u << 20);
  return CLI_END;
}

/* The input files, and that outputs are apart from them and from each other; then the outputs are
 * opened. */
static int open_files(struct args *a, struct gmmu_err *err) {
  char root[PATH_MAX];
  if (cli_root(root, sizeof root)) strcpy(root, ".");
  if (!a->regions)
    snprintf(a->own_regions, sizeof a->own_regions, "%s/sim/gdm/regions.ini", root),
        a->regions = a->own_regions;
  if (!a->shares)
    snprintf(a->own_shares, sizeof a->own_shares, "%s/sim/gdm/shares.ini", root),
        a->shares = a->own_shares;
  const struct gmmu_file_use v[] = {{"--regions", a->regions, false},
                                    {"--shares", a->shares, false},
                                    {"--json", a->json, true},
                                    {"--timeline", a->timeline, true}};
  a->say = (a->json && gmmu_outfile_is_stdout(a->json)) ||
                   (a->timeline && gmmu_outfile_is_stdout(a->timeline))
               ? stderr
               : stdout;
  return gmmu_files_apart(v, 4, err) ||
                 (a->json && gmmu_outfile_open(&a->json_out, a->json, err)) ||
                 (a->timeline && gmmu_outfile_open(&a->timeline_out, a->timeline, err))
             ? -1
             : 0;
}

static int add_programs(struct args *a, struct gmmu_err *err) {
  char *save = NULL, *text = strdup(a->programs);
  int r = text ? 0 : gmmu_fail(err, "out of memory");
  for (char *p = text ? strtok_r(text, "+", &save) : NULL; p && !r; p = strtok_r(NULL, "+", &save))
    r = gdm_run_add(&a->run, p, a->regions, a->shares, a->dma_share, err);
  if (!r && !a->run.num_apps) r = gmmu_fail(err, "--run '%.64s': no program", a->programs);
  free(text);
  return r;
}

static int play(struct args *a, struct gmmu_err *err) {
  struct gdm_run *r = &a->run;
  if (a->timeline) {
    r->cfg.event = gdm_timeline_event;
    r->cfg.event_arg = &a->events;
  }
  if (open_files(a, err) || add_programs(a, err) || gdm_run_play(r, err)) return -1;
  fprintf(a->say, "%s, scale %u, seed %llu, %.3f ms\n", a->programs, r->cfg.scale,
          (unsigned long long)r->cfg.seed, (double)r->stop_ns * 1e-6);
  gdm_run_table(a->say, r);
  if (a->json && (gdm_run_json(a->json_out.f, r, err) || gmmu_outfile_commit(&a->json_out, err)))
    return -1;
  if (a->timeline) {
    gdm_timeline_svg(a->timeline_out.f, &a->events, r);
    if (gmmu_outfile_commit(&a->timeline_out, err)) return -1;
  }
  fprintf(a->say, "mismatches: %llu\n", (unsigned long long)r->mismatches);
  return r->mismatches || r->crashed ? 1 : 0;
}

int gmmu_cmd_gdm(int argc, char **argv) {
  struct gmmu_err err = {""};
  struct cli_options o = {
      .command = "gdm", .usage = usage, .opts = opts, .argc = argc, .argv = argv};
  struct args *a = calloc(1, sizeof *a);
  if (!a) return 1;
  int r = parse(a, &o, &err);
  if (r != CLI_END) {
    free(a);
    return cli_usage_error(&o, r, &err);
  }
  r = play(a, &err);
  if (r < 0) fprintf(stderr, "gmmu gdm: %s\n", err.msg);
  gdm_run_free(&a->run);
  gmmu_outfile_abort(&a->json_out);
  gmmu_outfile_abort(&a->timeline_out);
  free(a->events.event);
  free(a);
  return r ? 1 : 0;
}
