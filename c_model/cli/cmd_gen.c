/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_gen.c - gmmu gen: the trace of a kernel. */
#include <getopt.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/util.h"

static const char usage[] =
    "usage: gmmu gen KERNEL [--size small|default|N] [--seed S] [--lanes 64] [--text] -o FILE\n"
    "       gmmu gen --list\n"
    "\n"
    "Makes the trace of a GPU kernel's memory accesses (docs/trace-format.md).\n"
    "  --size N   problem size; what N counts is in --list (default: small)\n"
    "  --seed S   for kernels with random data (default 42)\n"
    "  --lanes L  lanes of a warp, 32 or 64 (default 32); 64: two neighbouring warps of a block as one\n"
    "  --text     plain text instead of compressed binary\n"
    "  -o FILE    the trace\n";

static void list(void) {
  const struct gmmu_workload *w;
  printf("%-8s %12s %12s  %-28s %s\n", "kernel", "small", "default", "size counts", "what");
  for (size_t i = 0; (w = gmmu_workload_at(i)); i++)
    printf("%-8s %12llu %12llu  %-28s %s\n", w->name, (unsigned long long)w->small, (unsigned long long)w->dflt,
           w->size_is, w->about);
}

static int generate(const char *kernel, const char *size, uint64_t seed, uint64_t lanes, bool text,
                    const char *out, struct gmmu_err *err) {
  const struct gmmu_workload *w = gmmu_workload_find(kernel);
  uint64_t n;
  if (!w) return gmmu_fail(err, "unknown kernel '%s' (gmmu gen --list shows them)", kernel);
  if (strcmp(size, "small") == 0) n = w->small;
  else if (strcmp(size, "default") == 0) n = w->dflt;
  else if (cli_u64(size, "--size", &n, err)) return -1;
  struct gmmu_trace_builder *b = gmmu_trace_builder_new(w->name);
  if (!b) return gmmu_fail(err, "out of memory");
  struct gmmu_trace_sink s = gmmu_trace_builder_sink(b);
  struct gmmu_err gen_err = {""};
  int rc = w->gen(n, seed, &s, &gen_err);
  struct gmmu_trace *t = gmmu_trace_builder_finish(b, err);
  if (rc && gen_err.msg[0]) gmmu_fail(err, "%s", gen_err.msg);
  if (rc == 0 && t && lanes == 64) {
    struct gmmu_trace *wide = gmmu_trace_widen(t, err);
    gmmu_trace_free(t);
    t = wide;
  }
  if (rc == 0 && t) rc = gmmu_trace_write(t, out, text, err);
  else rc = -1;
  gmmu_trace_free(t);
  return rc;
}

int gmmu_cmd_gen(int argc, char **argv) {
  static const struct option opt[] = {{"size", required_argument, 0, 's'}, {"seed", required_argument, 0, 'S'},
                                      {"text", no_argument, 0, 't'},       {"list", no_argument, 0, 'l'},
                                      {"lanes", required_argument, 0, 'L'}, {"help", no_argument, 0, 'h'},
                                      {0, 0, 0, 0}};
  const char *size = "small", *out = NULL;
  struct gmmu_err err = {""};
  uint64_t seed = 42, lanes = 32;
  bool text = false;
  int c;
  optind = 0;
  while ((c = getopt_long(argc, argv, "o:h", opt, NULL)) != -1) {
    switch (c) {
      case 's': size = optarg; break;
      case 'S':
        if (cli_u64(optarg, "--seed", &seed, &err)) goto fail;
        break;
      case 'L':
        if (cli_u64(optarg, "--lanes", &lanes, &err)) goto fail;
        if (lanes != 32 && lanes != 64) {
          gmmu_fail(&err, "--lanes is %s, must be 32 or 64", optarg);
          goto fail;
        }
        break;
      case 't': text = true; break;
      case 'l': list(); return 0;
      case 'o': out = optarg; break;
      case 'h': fputs(usage, stdout); return 0;
      default: return 2;
    }
  }
  if (optind + 1 != argc || !out) {
    fprintf(stderr, "gmmu gen: needs one KERNEL and -o FILE (gmmu gen --help)\n");
    return 2;
  }
  if (generate(argv[optind], size, seed, lanes, text, out, &err) == 0) return 0;
fail:
  fprintf(stderr, "gmmu gen: %s\n", err.msg);
  return 1;
}
