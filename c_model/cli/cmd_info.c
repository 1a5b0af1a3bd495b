/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_info.c - gmmu info: what is in a trace. */
#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/options.h"
#include "run/json.h"

struct count {
  uint64_t accesses, lanes, lines, pages, gaps;
};

/* Pages of the whole trace: an open-addressed set of page + 1. It has its full size from the start,
 * of which the system gives what is touched: no time at which an old and a new one are both there.
 */
struct page_set {
  uint64_t *v;
  size_t n;
  uint64_t wait[4 * GMMU_LANES]; /* keys not yet in v: their places come from memory together */
  int waiting;
};
#define MAX_PAGES (1u << 23) /* 32 GiB touched: 128 MiB of memory here */
#define SET_SIZE (2 * (size_t)MAX_PAGES)

static size_t place(uint64_t key) {
  return (size_t)((key * 0x9e3779b97f4a7c15ull) >> 20) & (SET_SIZE - 1);
}

enum { TOO_MANY_PAGES = 1, TOO_MANY_LINES = 2 };

/* 0, or TOO_MANY_PAGES. */
static int enter(struct page_set *p) {
  for (int i = 0; i < p->waiting; i++) __builtin_prefetch(&p->v[place(p->wait[i])], 1);
  for (int i = 0; i < p->waiting; i++) {
    size_t k = place(p->wait[i]);
    while (p->v[k] && p->v[k] != p->wait[i]) k = (k + 1) & (SET_SIZE - 1);
    if (p->v[k]) continue;
    if (p->n == MAX_PAGES) return TOO_MANY_PAGES;
    p->v[k] = p->wait[i];
    p->n++;
  }
  p->waiting = 0;
  return 0;
}

/* The pages of one access, 2 * GMMU_LANES at most. */
static int add_pages(struct page_set *p, const uint64_t *page, int n) {
  for (int i = 0; i < n; i++)
    if (p->waiting == 0 || p->wait[p->waiting - 1] != page[i] + 1)
      p->wait[p->waiting++] = page[i] + 1;
  return p->waiting > 2 * GMMU_LANES ? enter(p) : 0;
}

/* lines_left: that may still come. */
static int count_launch(const struct gmmu_trace *t, uint32_t l, struct count *c, struct page_set *p,
                        uint64_t *lines_left) {
  uint64_t lines[2 * GMMU_LANES], pages[2 * GMMU_LANES];
  struct gmmu_cursor cur;
  struct gmmu_op op;
  memset(c, 0, sizeof *c);
  for (uint32_t b = 0; b < gmmu_trace_blocks(t, l); b++) {
    for (uint32_t w = 0; w < gmmu_trace_warps_per_block(t, l); w++) {
      gmmu_trace_cursor(t, l, b, w, &cur);
      while (gmmu_cursor_next(&cur, &op)) {
        if (op.access == GMMU_OP_GAP) {
          c->gaps += op.gap;
          continue;
        }
        int nl = gmmu_coalesce_lines(&op, lines), np = gmmu_coalesce_pages(lines, nl, pages);
        c->accesses++;
        c->lanes += op.lanes;
        c->lines += (uint64_t)nl;
        c->pages += (uint64_t)np;
        if ((uint64_t)nl > *lines_left) return TOO_MANY_LINES;
        *lines_left -= (uint64_t)nl;
        int bad = add_pages(p, pages, np);
        if (bad) return bad;
      }
    }
  }
  return enter(p);
}

static double per(uint64_t a, uint64_t b) { return b ? (double)a / (double)b : 0; }

static void print_text(const struct gmmu_trace *t, const struct count *c, const struct count *all,
                       size_t pages) {
  uint64_t bytes = 0;
  printf("app %s\n", gmmu_trace_app(t));
  for (uint32_t i = 0; i < gmmu_trace_num_arrays(t); i++) {
    const struct gmmu_array *a = gmmu_trace_array(t, i);
    printf("array %-12s 0x%012llx %14llu bytes %s\n", a->name, (unsigned long long)a->va,
           (unsigned long long)a->bytes, a->writable ? "rw" : "ro");
    bytes += a->bytes;
  }
  printf("%-24s %10s %6s %12s %8s %8s %8s\n", "launch", "blocks", "warps", "accesses", "lanes/a",
         "lines/a", "pages/a");
  uint32_t n = gmmu_trace_num_launches(t), shown = n > 40 ? 40 : n;
  for (uint32_t l = 0; l < shown; l++)
    printf("%4u %-19s %10u %6u %12llu %8.2f %8.2f %8.2f\n", l, gmmu_trace_kernel(t, l),
           gmmu_trace_blocks(t, l), gmmu_trace_warps_per_block(t, l),
           (unsigned long long)c[l].accesses, per(c[l].lanes, c[l].accesses),
           per(c[l].lines, c[l].accesses), per(c[l].pages, c[l].accesses));
  if (shown < n) printf("     ... %u more launches\n", n - shown);
  printf("%-24s %10s %6s %12llu %8.2f %8.2f %8.2f\n", "total", "", "",
         (unsigned long long)all->accesses, per(all->lanes, all->accesses),
         per(all->lines, all->accesses), per(all->pages, all->accesses));
  printf("footprint: %.2f MiB in arrays, %zu distinct pages touched, %llu cycles of computation\n",
         (double)bytes / 1048576, pages, (unsigned long long)all->gaps);
}

static cJSON *count_json(const struct count *c) {
  cJSON *o = cJSON_CreateObject();
  gmmu_json_u64(o, "accesses", c->accesses);
  gmmu_json_u64(o, "lanes", c->lanes);
  gmmu_json_u64(o, "lines", c->lines);
  gmmu_json_u64(o, "pages", c->pages);
  return o;
}

static void print_json(const struct gmmu_trace *t, const struct count *c, const struct count *all,
                       size_t pages) {
  cJSON *o = cJSON_CreateObject(), *a = cJSON_AddArrayToObject(o, "launches");
  gmmu_json_text(o, "app", gmmu_trace_app(t));
  for (uint32_t l = 0; l < gmmu_trace_num_launches(t); l++) {
    cJSON *x = count_json(&c[l]);
    gmmu_json_text(x, "kernel", gmmu_trace_kernel(t, l));
    cJSON_AddItemToArray(a, x);
  }
  cJSON_AddItemToObject(o, "total", count_json(all));
  gmmu_json_u64(o, "distinct_pages", pages);
  char *s = cJSON_Print(o);
  puts(s);
  free(s);
  cJSON_Delete(o);
}

int gmmu_cmd_info(int argc, char **argv) {
  struct cli_options o = {.command = CLI_INFO, .argc = argc, .argv = argv};
  struct gmmu_err err = {""};
  int c = cli_parse(&o, &err);
  if (c == CLI_END && cli_arguments(&o, 1, "one TRACE", &err)) c = CLI_BAD;
  if (c != CLI_END) return cli_usage_error(&o, c, &err);
  struct gmmu_trace *t = gmmu_trace_read(argv[optind], &err);
  if (!t) {
    fprintf(stderr, "gmmu info: %s\n", err.msg);
    return 1;
  }
  uint32_t n = gmmu_trace_num_launches(t);
  struct count *v = calloc(n + 1, sizeof *v), all = {0};
  struct page_set p = {.v = calloc(SET_SIZE, sizeof *p.v)};
  uint64_t lines = gmmu_trace_max_lines(t);
  int bad = 0, rc = 1;
  for (uint32_t l = 0; v && p.v && bad == 0 && l < n; l++) {
    bad = count_launch(t, l, &v[l], &p, &lines);
    all.accesses += v[l].accesses;
    all.lanes += v[l].lanes;
    all.lines += v[l].lines;
    all.pages += v[l].pages;
    all.gaps += v[l].gaps;
  }
  bool memory = v && p.v;
  free(p.v); /* before what is printed takes memory */
  if (!memory) fprintf(stderr, "gmmu info: out of memory\n");
  else if (bad == TOO_MANY_PAGES)
    fprintf(stderr, "gmmu info: %s: touches more than %u pages (32 GiB)\n", argv[optind],
            MAX_PAGES);
  else if (bad)
    fprintf(stderr,
            "gmmu info: %s: touches more than %llu lines: see the limits of docs/trace-format.md\n",
            argv[optind], (unsigned long long)gmmu_trace_max_lines(t));
  else rc = (cli_given(&o, "json") ? print_json(t, v, &all, p.n) : print_text(t, v, &all, p.n), 0);
  free(v);
  gmmu_trace_free(t);
  return rc;
}
