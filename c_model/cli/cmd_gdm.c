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

struct args {
  const char *programs, *regions, *shares, *json, *timeline;
  char own_regions[PATH_MAX + 32], own_shares[PATH_MAX + 32];
  double dma_share;
  FILE *say; /* the table and the last line */
  struct gmmu_outfile json_out, timeline_out;
  struct gdm_run run;
  struct gdm_timeline events;
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
      C(fill_bytes_per_s, 1e6, 1e13),
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

static void values(struct args *a, const struct cli_options *o) {
  struct gdm_config *g = &a->run.cfg;
  a->programs = cli_text(o, "run");
  a->regions = cli_text(o, "regions");
  a->shares = cli_text(o, "shares");
  a->json = cli_text(o, "json");
  a->timeline = cli_text(o, "timeline");
  a->dma_share = cli_real(o, "dma-share");
  a->run.reps = (unsigned)cli_number(o, "reps");
  a->run.keep = cli_given(o, "keep");
  a->run.verify = !cli_given(o, "no-verify");
  a->run.marks = cli_given(o, "marks");
  a->run.progress = isatty(2) && !getenv("CI");
  g->policy = (enum gdm_policy)cli_chosen(o, "policy");
  g->dirty = (enum gdm_dirty)cli_chosen(o, "dirty");
  g->faults = cli_chosen(o, "faults") == 1;
  g->watch = cli_given(o, "watch")    ? (enum gdm_watch)cli_chosen(o, "watch")
             : gdm_watch_interposed() ? GDM_WATCH_COW
                                      : GDM_WATCH_EAGER;
  g->scale = (unsigned)cli_number(o, "scale");
  g->seed = cli_number(o, "seed");
  if (cli_given(o, "no-uniformity")) g->uniformity = false;
  if (cli_given(o, "no-overwrite")) g->overwrite = false;
  if (cli_given(o, "no-double-transfer")) g->double_transfer = false;
  if (cli_given(o, "no-prefetch")) g->prefetch = false;
}

/* CLI_END: go on. */
static int parse(struct args *a, struct cli_options *o, struct gmmu_err *err) {
  struct gdm_config *g = &a->run.cfg;
  int c = cli_parse(o, err);
  if (c != CLI_END) return c;
  gdm_config_default(g);
  values(a, o);
  for (int i = 0; i < o->num_set; i++)
    if (set(a, o->set[i], err)) return CLI_BAD;
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
  struct cli_options o = {.command = CLI_GDM, .argc = argc, .argv = argv};
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
