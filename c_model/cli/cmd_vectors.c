/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_vectors.c - gmmu vectors: stimuli and expected answers for simulators that cannot call the
 * golden model. */
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/options.h"
#include "cli/util.h"
#include "gmmu_manager.h"
#include "run/vectors.h"

#define TABLE_LO 0x100ull
#define TABLE_HI 0x2ffull

struct args {
  const char *preset, *trace, *dir;
  char *const *set;
  int num_set;
  bool random;
  uint64_t count, seed;
};

/* Arrays are mapped half as coalesced frames, half as scattered 4 KiB pages: odd seeds, even seeds.
 * A unified L2 TLB gets fragmented memory with C and AC bits instead of scattered pages. */
static int from_trace(const struct args *a, const struct gmmu_config *c, struct gmmu_env *env,
                      struct gmmu_mem *mem, struct gmmu_req **req, size_t *per_sm,
                      struct gmmu_err *err) {
  struct gmmu_tables *t = gmmu_tables_new(mem, env, TABLE_LO, TABLE_HI);
  struct gmmu_trace *trace = gmmu_trace_read(a->trace, err);
  struct gmmu_mapping map = {0};
  uint64_t next = TABLE_HI + 1;
  int mode = c->Mode == 48 ? GMMU_MODE_SV48 : GMMU_MODE_SV39, rc = -1;
  bool coalesced = a->seed % 2;
  uint64_t last = (1ull << (c->PaW - 12)) - 1;
  if (!t || !trace) goto out;
  if (c->L2Unified && !coalesced
          ? gmmu_place_fragmented(trace, 0, 0.7, a->seed, &next, last, &map, err)
          : gmmu_place_arrays(trace, 0, coalesced ? GMMU_MAP_COALESCED : GMMU_MAP_4K, !coalesced,
                              a->seed, &next, last, &map, err))
    goto out;
  if (gmmu_mapping_apply(&map, a->trace, t, mode, true, err) == 0) {
    struct gmmu_scan found = {0};
    if (c->L2Unified && gmmu_scan_mapping(mem, env, &map, 1, &found, err)) goto out;
    *per_sm = gmmu_vectors_from_trace(trace, 0, (int)c->NumSms, a->count, req);
    rc = *per_sm ? 0 : gmmu_fail(err, "%s: no requests for %d SMs", a->trace, (int)c->NumSms);
  }
out:
  gmmu_mapping_free(&map);
  gmmu_trace_free(trace);
  gmmu_tables_free(t);
  return rc;
}

static int make(const struct args *a, struct gmmu_err *err) {
  struct gmmu_config c;
  struct gmmu_env env;
  struct gmmu_req *req = NULL;
  size_t per_sm = a->count;
  if (cli_config(&c, a->preset, a->set, a->num_set, err) || gmmu_vectors_check(a->dir, err))
    return -1;
  memset(&env, 0, sizeof env);
  gmmu_env_from_config(&env, &c);
  uint64_t last = (1ull << (c.PaW - 12)) - 1;
  /* A random set also meets pages outside the windows. */
  if (a->random) last -= last / 16;
  if (c.NumWindows > 1) {
    env.win[0] = (struct gmmu_window){TABLE_LO, TABLE_HI, true, false};
    env.win[1] = (struct gmmu_window){TABLE_HI + 1, last, false, true};
  } else {
    env.win[0] = (struct gmmu_window){TABLE_LO, last, true, true};
  }
  struct gmmu_mem *mem = gmmu_mem_new();
  if (!mem) return gmmu_fail(err, "out of memory");
  int rc = a->random
               ? gmmu_vectors_random(&c, a->seed, &env, mem, TABLE_LO, TABLE_HI, per_sm, &req, err)
               : from_trace(a, &c, &env, mem, &req, &per_sm, err);
  if (rc == 0) {
    struct gmmu_vectors_job job = {&c,  &env,  mem, TABLE_LO << 12, (TABLE_HI + 1) << 12,
                                   req, per_sm};
    rc = gmmu_vectors_write(&job, a->dir, err);
  }
  free(req);
  gmmu_mem_free(mem);
  return rc;
}

int gmmu_cmd_vectors(int argc, char **argv) {
  struct cli_options o = {.command = CLI_VECTORS, .argc = argc, .argv = argv};
  struct args a = {0};
  struct gmmu_err err = {""};
  int c = cli_parse(&o, &err);
  if (c == CLI_END)
    a = (struct args){.preset = cli_text(&o, "preset"),
                      .trace = cli_text(&o, "trace"),
                      .dir = cli_text(&o, "o"),
                      .set = o.set,
                      .num_set = o.num_set,
                      .random = cli_given(&o, "random"),
                      .count = cli_number(&o, "count"),
                      .seed = cli_number(&o, "seed")};
  if (c == CLI_END && cli_arguments(&o, 0, "no argument", &err)) c = CLI_BAD;
  if (c == CLI_END && (!a.dir || a.random == (a.trace != NULL)))
    c = (gmmu_fail(&err, "needs --random or --trace T, and -o DIRECTORY; see gmmu vectors --help"),
         CLI_BAD);
  if (c != CLI_END) return cli_usage_error(&o, c, &err);
  if (make(&a, &err) == 0) return 0;
  fprintf(stderr, "gmmu vectors: %s\n", err.msg);
  return 1;
}
