/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_info.c - gmmu info: what is in a trace. */
#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/options.h"
#include "run/json.h"

static const char usage[] =
    "usage: gmmu info [--json] TRACE\n"
    "\n"
    "Prints arrays, launches, accesses, and lines and pages per warp access of a trace.\n";

struct count {
  uint64_t accesses, lanes, lines, pages, gaps;
};

/* Pages of the whole trace: an open-addressed set of page + 1. */
struct page_list {
  uint64_t *v;
  size_t n, size; /* size: a power of two */
  uint64_t last;  /* the one that was added last */
};
#define MAX_PAGES (1u << 24) /* 64 GiB touched: 256 MiB of memory here */

static size_t place(const uint64_t *v, size_t size, uint64_t key) {
  size_t i = (size_t)((key * 0x9e3779b97f4a7c15ull) >> 20) & (size - 1);
  while (v[i] && v[i] != key) i = (i + 1) & (size - 1);
  return i;
}

static int grow(struct page_list *p) {
  size_t size = p->size ? 2 * p->size : 65536;
  uint64_t *v = calloc(size, sizeof *v);
  if (!v) return -1;
  for (size_t i = 0; i < p->size; i++)
    if (p->v[i]) v[place(v, size, p->v[i])] = p->v[i];
  free(p->v);
  p->v = v;
  p->size = size;
  return 0;
}

/* -1: out of memory; 1: more than MAX_PAGES. */
static int add_page(struct page_list *p, uint64_t page) {
  if (p->last == page + 1) return 0;
  p->last = page + 1;
  if (p->n * 2 >= p->size && grow(p)) return -1;
  size_t i = place(p->v, p->size, page + 1);
  if (p->v[i]) return 0;
  if (p->n == MAX_PAGES) return 1;
  p->v[i] = page + 1;
  p->n++;
  return 0;
}

static int count_launch(const struct gmmu_trace *t, uint32_t l, struct count *c, struct page_list *p) {
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
        for (int i = 0, bad; i < np; i++)
          if ((bad = add_page(p, pages[i]))) return bad;
      }
    }
  }
  return 0;
}

static double per(uint64_t a, uint64_t b) { return b ? (double)a / (double)b : 0; }

static void print_text(const struct gmmu_trace *t, const struct count *c, const struct count *all, size_t pages) {
  uint64_t bytes = 0;
  printf("app %s\n", gmmu_trace_app(t));
  for (uint32_t i = 0; i < gmmu_trace_num_arrays(t); i++) {
    const struct gmmu_array *a = gmmu_trace_array(t, i);
    printf("array %-12s 0x%012llx %14llu bytes %s\n", a->name, (unsigned long long)a->va, (unsigned long long)a->bytes,
           a->writable ? "rw" : "ro");
    bytes += a->bytes;
  }
  printf("%-24s %10s %6s %12s %8s %8s %8s\n", "launch", "blocks", "warps", "accesses", "lanes/a", "lines/a", "pages/a");
  uint32_t n = gmmu_trace_num_launches(t), shown = n > 40 ? 40 : n;
  for (uint32_t l = 0; l < shown; l++)
    printf("%4u %-19s %10u %6u %12llu %8.2f %8.2f %8.2f\n", l, gmmu_trace_kernel(t, l), gmmu_trace_blocks(t, l),
           gmmu_trace_warps_per_block(t, l), (unsigned long long)c[l].accesses, per(c[l].lanes, c[l].accesses),
           per(c[l].lines, c[l].accesses), per(c[l].pages, c[l].accesses));
  if (shown < n) printf("     ... %u more launches\n", n - shown);
  printf("%-24s %10s %6s %12llu %8.2f %8.2f %8.2f\n", "total", "", "", (unsigned long long)all->accesses,
         per(all->lanes, all->accesses), per(all->lines, all->accesses), per(all->pages, all->accesses));
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

static void print_json(const struct gmmu_trace *t, const struct count *c, const struct count *all, size_t pages) {
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
  static const struct option opts[] = {{"json", no_argument, 0, 'j'}, {0, 0, 0, 0}};
  struct cli_options o = {.command = "info", .usage = usage, .opts = opts, .argc = argc, .argv = argv};
  struct gmmu_err err = {""};
  bool json = false;
  int c;
  while ((c = cli_option(&o, &err)) >= 0) json = true;
  if (c == CLI_END && cli_arguments(&o, 1, "one TRACE", &err)) c = CLI_BAD;
  if (c != CLI_END) return cli_usage_error(&o, c, &err);
  struct gmmu_trace *t = gmmu_trace_read(argv[optind], &err);
  if (!t) {
    fprintf(stderr, "gmmu info: %s\n", err.msg);
    return 1;
  }
  struct count *v = calloc(gmmu_trace_num_launches(t) + 1, sizeof *v), all = {0};
  struct page_list p = {0};
  int rc = v ? 0 : 1;
  for (uint32_t l = 0; rc == 0 && l < gmmu_trace_num_launches(t); l++) {
    int bad = count_launch(t, l, &v[l], &p);
    if (bad) rc = bad < 0 ? 1 : 2;
    all.accesses += v[l].accesses;
    all.lanes += v[l].lanes;
    all.lines += v[l].lines;
    all.pages += v[l].pages;
    all.gaps += v[l].gaps;
  }
  if (rc == 1) fprintf(stderr, "gmmu info: out of memory\n");
  else if (rc) rc = (fprintf(stderr, "gmmu info: %s: touches more than %u pages (64 GiB)\n", argv[optind], MAX_PAGES), 1);
  else if (json) print_json(t, v, &all, p.n);
  else print_text(t, v, &all, p.n);
  free(p.v);
  free(v);
  gmmu_trace_free(t);
  return rc;
}
