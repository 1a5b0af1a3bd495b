/* SPDX-License-Identifier: Apache-2.0 */
/* gmmu apointer: ActivePointers' workloads on files, against a plain program. */
#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "apointers/workload.h"
#include "cli/app.h"
#include "cli/options.h"
#include "cli/util.h"
#include "common/outfile.h"

static const char usage[] =
    "usage: gmmu apointer [OPTION]...\n"
    "\n"
    "Runs ActivePointers' workloads (docs/apointers.md) on files that it makes: warps of 32 lanes "
    "read and write them through\n"
    "pointers that translate themselves, or through GPUfs's gmmap, twice: with a cold page cache, "
    "then with what is in it.\n"
    "Every result is compared with a plain program's. The last line printed is `mismatches: N`; "
    "the exit status is 0 only if\n"
    "N is 0 and no thread block ended by an error.\n"
    "  --workload A,B...     copy add read random reduce fft bitonic faults tlb collage, or all "
    "[all]\n"
    "  --through T           apointers, gpufs or both [both]\n"
    "  --form F              of pointers: long or short [long]\n"
    "  --tlb N               entries of each block's software TLB, 0 or a power of two up to 1024 "
    "[0]\n"
    "  --prefetch            load beside the test of the valid bits\n"
    "  --no-rw-check         without the test of permissions\n"
    "  --cache-pages N       frames of the page cache, 1 to 1048576 [1024]\n"
    "  --blocks N            thread blocks, 1 to 4096 [4]\n"
    "  --warps N             of a block, 1 to 32 [8]\n"
    "  --resident N          blocks that run at a time, 1 to 64 [2]\n"
    "  --bytes N             a lane's access: 4, 8 or 16 [4]\n"
    "  --rounds N            of random, 1 to 1000 [5]\n"
    "  --warp-pages N        pages that each warp reads (tlb: of the block), 1 to 65536 [16]\n"
    "  --images N            of the collage's data set, 1 to 16777216 [4096]\n"
    "  --image-blocks N      of the collage's input, 1 to 1048576 [256]\n"
    "  --padded              histograms at 4 KiB instead of 3 KiB, so that none straddles pages\n"
    "  --dir D               where the files are made, and removed [$TMPDIR or /tmp]\n"
    "  --seed S              of all data [1]\n"
    "  --json J              results for tools\n";

struct args {
  struct gmmu_ap_config cfg;
  struct ap_workload w;
  const char *json;
  bool kind[AP_NUM_KINDS], through[2];
};

enum {
  O_WORKLOAD = 256,
  O_THROUGH,
  O_FORM,
  O_TLB,
  O_PREFETCH,
  O_NO_RW,
  O_CACHE,
  O_BLOCKS,
  O_WARPS,
  O_RESIDENT,
  O_BYTES,
  O_ROUNDS,
  O_PAGES,
  O_IMAGES,
  O_IBLOCKS,
  O_PADDED,
  O_DIR,
  O_SEED,
  O_JSON
};

static int number(const char *arg, const char *opt, uint64_t lo, uint64_t hi, uint32_t *v,
                  struct gmmu_err *err) {
  uint64_t x;
  if (cli_u64(arg, opt, &x, err)) return -1;
  if (x < lo || x > hi)
    return gmmu_fail(err, "%s: %.64s is not between %llu and %llu", opt, arg,
                     (unsigned long long)lo, (unsigned long long)hi);
  *v = (uint32_t)x;
  return 0;
}

static int take_kinds(struct args *a, const char *arg, struct gmmu_err *err) {
  struct cli_list l;
  int bad = 0;
  memset(a->kind, 0, sizeof a->kind);
  if (cli_split(&l, arg, "--workload", err)) {
    cli_list_free(&l);
    return -1;
  }
  for (int i = 0; i < l.n && !bad; i++) {
    int k = strcmp(l.v[i], "all") == 0
                ? AP_NUM_KINDS
                : cli_choice("--workload", l.v[i], ap_kind_names, AP_NUM_KINDS, err);
    if (k < 0) bad = -1;
    for (int j = 0; j < AP_NUM_KINDS && !bad; j++) a->kind[j] |= k == AP_NUM_KINDS || j == k;
  }
  cli_list_free(&l);
  return bad;
}

static int take_bytes(struct args *a, const char *arg, struct gmmu_err *err) {
  if (number(arg, "--bytes", 4, 16, &a->w.bytes, err)) return -1;
  return a->w.bytes == 4 || a->w.bytes == 8 || a->w.bytes == 16
             ? 0
             : gmmu_fail(err, "--bytes: %.64s is not 4, 8 or 16", arg);
}

static int take_option(struct args *a, int c, char *arg, struct gmmu_err *err) {
  static const char *const through[] = {"apointers", "gpufs", "both"}, *const forms[] = {"long",
                                                                                         "short"};
  uint32_t v = 0;
  int i;
  switch (c) {
    case O_WORKLOAD: return take_kinds(a, arg, err);
    case O_THROUGH:
      if ((i = cli_choice("--through", arg, through, 3, err)) < 0) return -1;
      a->through[0] = i != 1, a->through[1] = i != 0;
      return 0;
    case O_FORM:
      if ((i = cli_choice("--form", arg, forms, 2, err)) < 0) return -1;
      a->cfg.form = i ? GMMU_AP_SHORT : GMMU_AP_LONG;
      return 0;
    case O_TLB:
      if (number(arg, "--tlb", 0, 1024, &v, err)) return -1;
      a->cfg.tlb_entries = v;
      return v & (v - 1) ? gmmu_fail(err, "--tlb: %u is not a power of two", v) : 0;
    case O_PREFETCH: a->cfg.prefetch = true; return 0;
    case O_NO_RW: a->cfg.no_rw_check = true; return 0;
    case O_CACHE: return number(arg, "--cache-pages", 1, 1 << 20, &a->cfg.pages, err);
    case O_BLOCKS: return number(arg, "--blocks", 1, 4096, &a->w.blocks, err);
    case O_WARPS: return number(arg, "--warps", 1, GMMU_AP_MAX_WARPS, &a->w.warps, err);
    case O_RESIDENT: return number(arg, "--resident", 1, 64, &a->w.resident, err);
    case O_BYTES: return take_bytes(a, arg, err);
    case O_ROUNDS: return number(arg, "--rounds", 1, 1000, &a->w.rounds, err);
    case O_PAGES: return number(arg, "--warp-pages", 1, 65536, &a->w.pages, err);
    case O_IMAGES:
      if (number(arg, "--images", 1, 1 << 24, &v, err)) return -1;
      a->w.images = v;
      return 0;
    case O_IBLOCKS: return number(arg, "--image-blocks", 1, 1 << 20, &a->w.image_blocks, err);
    case O_PADDED: a->w.padded = true; return 0;
    case O_DIR: a->w.dir = arg; return 0;
    case O_SEED: return cli_u64(arg, "--seed", &a->w.seed, err);
    default: a->json = arg; return 0;
  }
}

static void defaults(struct args *a) {
  const char *tmp = getenv("TMPDIR");
  *a = (struct args){.cfg = {.pages = 1024},
                     .w = {.blocks = 4,
                           .warps = 8,
                           .resident = 2,
                           .bytes = 4,
                           .rounds = 5,
                           .pages = 16,
                           .seed = 1,
                           .images = 4096,
                           .image_blocks = 256,
                           .dir = tmp && *tmp ? tmp : "/tmp"},
                     .through = {true, true}};
  for (int i = 0; i < AP_NUM_KINDS; i++) a->kind[i] = true;
}

/* ---------------------------------------- reports */

static double share(uint64_t part, uint64_t of) {
  return of ? 100.0 * (double)part / (double)of : 0;
}

static void table_head(void) {
  printf(
      "workload  through    cache  file MiB   accesses  linked     groups  TLB hits     minor    "
      "major  evicted  written  per batch  errors  wrong\n");
}

static void table_row(const struct ap_workload *w, const char *cache, const struct ap_result *r,
                      const struct gmmu_ap_stats *s, bool last) {
  printf("%-8s  %-9s  %-5s  %8.1f  %9llu  %5.1f%%  %9llu  %8llu  %8llu  %7llu  %7llu  %7llu  %9.2f",
         ap_kind_names[w->kind], ap_through_names[w->through], cache,
         (double)r->file_bytes / (1 << 20), (unsigned long long)s->accesses,
         share(s->fast, s->accesses), (unsigned long long)s->groups,
         (unsigned long long)s->tlb_hits, (unsigned long long)s->minor,
         (unsigned long long)s->major, (unsigned long long)s->evictions,
         (unsigned long long)s->write_backs,
         s->host_batches ? (double)s->host_requests / (double)s->host_batches : 0.0);
  if (last) printf("  %6d  %5llu\n", r->aborted, (unsigned long long)r->wrong);
  else printf("\n");
}

static cJSON *stats_json(const struct gmmu_ap_stats *s) {
  static const char *const names[] = {
      "accesses",        "lane_accesses", "linked_accesses", "groups",       "tlb_hits",
      "tlb_misses",      "tlb_conflicts", "minor_faults",    "major_faults", "waits",
      "evictions",       "write_backs",   "retries",         "unlinks",      "prefetches",
      "prefetches_used", "host_batches",  "host_requests",   "host_bytes",   "max_references"};
  _Static_assert(sizeof names / sizeof *names == sizeof *s / sizeof(uint64_t), "a name for each");
  cJSON *o = cJSON_CreateObject();
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    cJSON_AddNumberToObject(o, names[i], (double)((const uint64_t *)s)[i]);
  return o;
}

static void result_json(cJSON *list, const struct ap_workload *w, const struct ap_result *r) {
  cJSON *o = cJSON_CreateObject();
  cJSON_AddStringToObject(o, "workload", ap_kind_names[w->kind]);
  cJSON_AddStringToObject(o, "through", ap_through_names[w->through]);
  cJSON_AddNumberToObject(o, "file_bytes", (double)r->file_bytes);
  cJSON_AddNumberToObject(o, "values", (double)r->values);
  cJSON_AddNumberToObject(o, "wrong", (double)r->wrong);
  cJSON_AddNumberToObject(o, "blocks_ended_by_error", r->aborted);
  cJSON_AddNumberToObject(o, "host_seconds", r->seconds);
  if (w->kind == AP_COLLAGE) {
    cJSON_AddNumberToObject(o, "histograms_read", (double)r->reads);
    cJSON_AddNumberToObject(o, "histograms_distinct", (double)r->distinct);
  }
  cJSON_AddItemToObject(o, "cold", stats_json(&r->cold));
  cJSON_AddItemToObject(o, "warm", stats_json(&r->warm));
  cJSON_AddItemToArray(list, o);
}

static int write_json(const char *path, const struct args *a, cJSON *list, struct gmmu_err *err) {
  struct gmmu_outfile out = {0};
  cJSON *o = cJSON_CreateObject();
  cJSON_AddStringToObject(o, "form", a->cfg.form == GMMU_AP_SHORT ? "short" : "long");
  cJSON_AddNumberToObject(o, "tlb_entries", a->cfg.tlb_entries);
  cJSON_AddNumberToObject(o, "cache_pages", a->cfg.pages);
  cJSON_AddBoolToObject(o, "prefetch", a->cfg.prefetch);
  cJSON_AddBoolToObject(o, "rw_check", !a->cfg.no_rw_check);
  cJSON_AddNumberToObject(o, "blocks", a->w.blocks);
  cJSON_AddNumberToObject(o, "warps", a->w.warps);
  cJSON_AddNumberToObject(o, "bytes", a->w.bytes);
  cJSON_AddNumberToObject(o, "seed", (double)a->w.seed);
  cJSON_AddItemReferenceToObject(o, "runs", list);
  char *text = cJSON_Print(o);
  int bad = text ? gmmu_outfile_open(&out, path, err) : gmmu_fail(err, "out of memory");
  if (!bad) {
    fprintf(out.f, "%s\n", text);
    bad = gmmu_outfile_commit(&out, err);
  }
  gmmu_outfile_abort(&out);
  cJSON_free(text);
  cJSON_Delete(o);
  return bad;
}

/* One line that moves, on a terminal. */
static void progress(void *arg, const char *what, uint64_t done, uint64_t of) {
  (void)arg;
  fprintf(stderr, "\r%-10s %3u %%\033[K%s", what, (unsigned)(of ? done * 100 / of : 100),
          done >= of ? "\r\033[K" : "");
}

static int run_all(struct args *a, cJSON *list, uint64_t *bad, struct gmmu_err *err) {
  table_head();
  for (int k = 0; k < AP_NUM_KINDS; k++)
    for (int t = 0; t < 2; t++) {
      struct ap_result r;
      struct gmmu_ap_record first;
      struct ap_workload w = a->w;
      if (!a->kind[k] || !a->through[t]) continue;
      w.kind = (enum ap_kind)k, w.through = (enum ap_through)t;
      if (k == AP_FAULTS || k == AP_TLB) w.bytes = 4;
      if (ap_workload_run(&w, &a->cfg, &r, &first, err)) return -1;
      table_row(&w, "cold", &r, &r.cold, false);
      table_row(&w, "warm", &r, &r.warm, true);
      if (r.aborted)
        fprintf(stderr, "gmmu apointer: %s: block %u, warp %u, lane %u: %s at file byte %lld\n",
                ap_kind_names[k], first.block, first.warp, first.lane,
                gmmu_ap_error_names[first.error], (long long)first.position);
      *bad += r.wrong + (uint64_t)r.aborted;
      result_json(list, &w, &r);
    }
  return 0;
}

int cmd_apointer(const struct gmmu_app *app, int argc, char **argv) {
  static const struct option opts[] = {{"workload", 1, NULL, O_WORKLOAD},
                                       {"through", 1, NULL, O_THROUGH},
                                       {"form", 1, NULL, O_FORM},
                                       {"tlb", 1, NULL, O_TLB},
                                       {"prefetch", 0, NULL, O_PREFETCH},
                                       {"no-rw-check", 0, NULL, O_NO_RW},
                                       {"cache-pages", 1, NULL, O_CACHE},
                                       {"blocks", 1, NULL, O_BLOCKS},
                                       {"warps", 1, NULL, O_WARPS},
                                       {"resident", 1, NULL, O_RESIDENT},
                                       {"bytes", 1, NULL, O_BYTES},
                                       {"rounds", 1, NULL, O_ROUNDS},
                                       {"warp-pages", 1, NULL, O_PAGES},
                                       {"images", 1, NULL, O_IMAGES},
                                       {"image-blocks", 1, NULL, O_IBLOCKS},
                                       {"padded", 0, NULL, O_PADDED},
                                       {"dir", 1, NULL, O_DIR},
                                       {"seed", 1, NULL, O_SEED},
                                       {"json", 1, NULL, O_JSON},
                                       {NULL, 0, NULL, 0}};
  struct cli_options o = {
      .command = "apointer", .usage = usage, .opts = opts, .argc = argc, .argv = argv};
  struct gmmu_err err = {""};
  struct args a;
  uint64_t bad = 0;
  int c;
  (void)app;
  defaults(&a);
  while ((c = cli_option(&o, &err)) >= 0)
    if (take_option(&a, c, optarg, &err)) {
      c = CLI_BAD;
      break;
    }
  if (c == CLI_END && cli_arguments(&o, 0, "no argument", &err)) c = CLI_BAD;
  if (c != CLI_END) return cli_usage_error(&o, c, &err);
  if (isatty(STDERR_FILENO)) a.w.progress = progress;
  cJSON *list = cJSON_CreateArray();
  int r = run_all(&a, list, &bad, &err);
  if (!r && a.json) r = write_json(a.json, &a, list, &err);
  cJSON_Delete(list);
  if (r) {
    fprintf(stderr, "gmmu apointer: %s\n", err.msg);
    return 1;
  }
  printf("mismatches: %llu\n", (unsigned long long)bad);
  return bad ? 1 : 0;
}
