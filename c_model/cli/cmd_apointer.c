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

struct args {
  struct gmmu_ap_config cfg;
  struct ap_workload w;
  const char *json;
  struct gmmu_outfile json_out;
  FILE *say;                            /* the report */
  const char *kind_name, *through_name; /* of the run */
  bool kind[AP_NUM_KINDS], through[2];
};

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
    if (k == AP_NUM_KINDS && l.n > 1)
      bad = gmmu_fail(err, "--workload %s: 'all' stands alone", arg);
    for (int j = 0; j < AP_NUM_KINDS && !bad; j++) a->kind[j] |= k == AP_NUM_KINDS || j == k;
  }
  cli_list_free(&l);
  return bad;
}

static int values(struct args *a, const struct cli_options *o, struct gmmu_err *err) {
  static const uint32_t bytes[] = {4, 8, 16};
  const char *tmp = getenv("TMPDIR"), *dir = cli_text(o, "dir");
  int through = cli_chosen(o, "through");
  if (dir && !*dir) return gmmu_fail(err, "--dir: expected the name of a folder");
  *a = (struct args){.cfg = {.pages = (uint32_t)cli_number(o, "cache-pages"),
                             .form = cli_chosen(o, "form") ? GMMU_AP_SHORT : GMMU_AP_LONG,
                             .tlb_entries = (uint32_t)cli_number(o, "tlb"),
                             .prefetch = cli_given(o, "prefetch"),
                             .no_rw_check = cli_given(o, "no-rw-check")},
                     .w = {.blocks = (uint32_t)cli_number(o, "blocks"),
                           .warps = (uint32_t)cli_number(o, "warps"),
                           .resident = (uint32_t)cli_number(o, "resident"),
                           .bytes = bytes[cli_chosen(o, "bytes")],
                           .rounds = (uint32_t)cli_number(o, "rounds"),
                           .pages = (uint32_t)cli_number(o, "warp-pages"),
                           .seed = cli_number(o, "seed"),
                           .images = (uint32_t)cli_number(o, "images"),
                           .image_blocks = (uint32_t)cli_number(o, "image-blocks"),
                           .padded = cli_given(o, "padded"),
                           .dir = dir           ? dir
                                  : tmp && *tmp ? tmp
                                                : "/tmp"},
                     .json = cli_text(o, "json"),
                     .through = {through != 1, through != 0}};
  return take_kinds(a, cli_text(o, "workload"), err);
}

/* ---------------------------------------- reports */

static double share(uint64_t part, uint64_t of) {
  return of ? 100.0 * (double)part / (double)of : 0;
}

static void table_head(FILE *to) {
  fprintf(
      to,
      "workload  through    cache  file MiB   accesses  linked     groups  TLB hits     minor    "
      "major  evicted  written  per batch  errors  wrong\n");
}

static void table_row(FILE *to, const struct ap_workload *w, const char *cache,
                      const struct ap_result *r, const struct gmmu_ap_stats *s, bool last) {
  fprintf(
      to,
      "%-8s  %-9s  %-5s  %8.1f  %9llu  %5.1f%%  %9llu  %8llu  %8llu  %7llu  %7llu  %7llu  %9.2f",
      ap_kind_names[w->kind], ap_through_names[w->through], cache,
      (double)r->file_bytes / (1 << 20), (unsigned long long)s->accesses,
      share(s->fast, s->accesses), (unsigned long long)s->groups, (unsigned long long)s->tlb_hits,
      (unsigned long long)s->minor, (unsigned long long)s->major, (unsigned long long)s->evictions,
      (unsigned long long)s->write_backs,
      s->host_batches ? (double)s->host_requests / (double)s->host_batches : 0.0);
  if (last) fprintf(to, "  %6d  %5llu\n", r->aborted, (unsigned long long)r->wrong);
  else fprintf(to, "\n");
  fflush(to);
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

static int write_json(struct args *a, cJSON *list, struct gmmu_err *err) {
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
  int bad = text ? 0 : gmmu_fail(err, "out of memory");
  if (!bad) {
    fprintf(a->json_out.f, "%s\n", text);
    bad = gmmu_outfile_commit(&a->json_out, err);
  }
  cJSON_free(text);
  cJSON_Delete(o);
  return bad;
}

/* One line that moves, on a terminal. */
static void moving_line(void *arg, const char *what, uint64_t done, uint64_t of) {
  (void)arg;
  fprintf(stderr, "\r%-10s %3u %%\033[K%s", what, (unsigned)(of ? done * 100 / of : 100),
          done >= of ? "\r\033[K" : "");
}

/* Elsewhere a line for each step that is done. */
static void line_of_step(void *arg, const char *what, uint64_t done, uint64_t of) {
  const struct args *a = arg;
  bool launch = strcmp(what, "launch") == 0;
  if (!launch && done < of) return;
  fprintf(stderr, "gmmu apointer: %s through %s: %s", a->kind_name, a->through_name, what);
  if (launch) fprintf(stderr, " %u of %u", (unsigned)done, (unsigned)of);
  fputc('\n', stderr);
}

static int run_all(struct args *a, cJSON *list, uint64_t *bad, struct gmmu_err *err) {
  table_head(a->say);
  for (int k = 0; k < AP_NUM_KINDS; k++)
    for (int t = 0; t < 2; t++) {
      struct ap_result r;
      struct gmmu_ap_record first;
      struct ap_workload w = a->w;
      if (!a->kind[k] || !a->through[t]) continue;
      w.kind = (enum ap_kind)k, w.through = (enum ap_through)t;
      a->kind_name = ap_kind_names[k], a->through_name = ap_through_names[t];
      if (k == AP_FAULTS || k == AP_TLB) w.bytes = 4;
      if (ap_workload_run(&w, &a->cfg, &r, &first, err)) return -1;
      table_row(a->say, &w, "cold", &r, &r.cold, false);
      table_row(a->say, &w, "warm", &r, &r.warm, true);
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
  struct cli_options o = {.command = CLI_APOINTER, .argc = argc, .argv = argv};
  struct gmmu_err err = {""};
  struct args a;
  uint64_t bad = 0;
  int c = cli_parse(&o, &err);
  (void)app;
  if (c == CLI_END && values(&a, &o, &err)) c = CLI_BAD;
  if (c == CLI_END && cli_arguments(&o, 0, "no argument", &err)) c = CLI_BAD;
  if (c != CLI_END) return cli_usage_error(&o, c, &err);
  a.w.progress = isatty(STDERR_FILENO) && !getenv("CI") ? moving_line : line_of_step;
  a.w.progress_arg = &a;
  a.say = a.json && gmmu_outfile_is_stdout(a.json) ? stderr : stdout;
  cJSON *list = cJSON_CreateArray();
  int r = a.json ? gmmu_outfile_open(&a.json_out, a.json, &err) : 0;
  if (!r) r = run_all(&a, list, &bad, &err);
  if (!r && a.json) r = write_json(&a, list, &err);
  gmmu_outfile_abort(&a.json_out);
  cJSON_Delete(list);
  if (r) {
    fprintf(stderr, "gmmu apointer: %s\n", err.msg);
    return 1;
  }
  fprintf(a.say, "mismatches: %llu\n", (unsigned long long)bad);
  return bad ? 1 : 0;
}
