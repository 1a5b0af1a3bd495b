/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_gen.c - gmmu gen: the trace of a kernel. */
#include <string.h>

#include "cli/cli.h"
#include "cli/options.h"
#include "cli/util.h"
#include "common/outfile.h"
#include "common/text.h"

static void list(void) {
  const struct gmmu_workload *w;
  printf("%-8s %12s %12s  %-28s %s\n", "kernel", "small", "default", "size counts", "what");
  for (size_t i = 0; (w = gmmu_workload_at(i)); i++)
    printf("%-8s %12llu %12llu  %-28s %s\n", w->name, (unsigned long long)w->small,
           (unsigned long long)w->dflt, w->size_is, w->about);
}

static int unknown(const char *kernel, struct gmmu_err *err) {
  const char *names[256];
  const struct gmmu_workload *w;
  char also[96];
  size_t n = 0;
  while (n < 256 && (w = gmmu_workload_at(n))) names[n++] = w->name;
  return gmmu_fail(err, "unknown kernel '%.64s'%s (gmmu gen --list shows them)", kernel,
                   gmmu_suggest(kernel, names, n, also));
}

static int generate(const char *kernel, const char *size, uint64_t seed, bool wide, bool text,
                    const char *out, struct gmmu_err *err) {
  const struct gmmu_workload *w = gmmu_workload_find(kernel);
  uint64_t n;
  if (!w) return unknown(kernel, err);
  if (strcmp(size, "small") == 0) n = w->small;
  else if (strcmp(size, "default") == 0) n = w->dflt;
  else if (cli_u64(size, "--size", &n, err)) return -1;
  if (gmmu_outfile_check(out, err)) return -1;
  struct gmmu_trace_builder *b = gmmu_trace_builder_new(w->name);
  if (!b) return gmmu_fail(err, "out of memory");
  struct gmmu_trace_sink s = gmmu_trace_builder_sink(b);
  struct gmmu_err gen_err = {""};
  int rc = w->gen(n, seed, &s, &gen_err);
  struct gmmu_trace *t = gmmu_trace_builder_finish(b, err);
  if (rc && gen_err.msg[0]) gmmu_fail(err, "%s", gen_err.msg);
  if (rc == 0 && t && wide) {
    struct gmmu_trace *doubled = gmmu_trace_widen(t, err);
    gmmu_trace_free(t);
    t = doubled;
  }
  if (rc == 0 && t) rc = gmmu_trace_write(t, out, text, err);
  else rc = -1;
  gmmu_trace_free(t);
  return rc;
}

int gmmu_cmd_gen(int argc, char **argv) {
  struct cli_options o = {.command = CLI_GEN, .argc = argc, .argv = argv};
  struct gmmu_err err = {""};
  int c = cli_parse(&o, &err);
  bool names = c == CLI_END && cli_given(&o, "list");
  if (c == CLI_END && cli_arguments(&o, names ? 0 : 1, names ? "no argument" : "one KERNEL", &err))
    c = CLI_BAD;
  if (c == CLI_END && !names && !cli_given(&o, "o"))
    c = (gmmu_fail(&err, "needs -o FILE; see gmmu gen --help"), CLI_BAD);
  if (c != CLI_END) return cli_usage_error(&o, c, &err);
  if (names) {
    list();
    return 0;
  }
  if (generate(argv[optind], cli_text(&o, "size"), cli_number(&o, "seed"),
               cli_chosen(&o, "lanes") == 1, cli_given(&o, "text"), cli_text(&o, "o"), &err) == 0)
    return 0;
  fprintf(stderr, "gmmu gen: %s\n", err.msg);
  return 1;
}
