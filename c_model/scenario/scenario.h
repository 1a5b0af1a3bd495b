/* SPDX-License-Identifier: Apache-2.0 */
/** scenario.h - scenario files: what is allocated, run and freed, one step a line
 * (docs/scenario.md). */
#ifndef GMMU_RUN_SCENARIO_H
#define GMMU_RUN_SCENARIO_H

#include "run/paging.h"
#include "run/run.h"

enum gmmu_step_kind { GMMU_STEP_LOAD, GMMU_STEP_ALLOC, GMMU_STEP_RUN, GMMU_STEP_FREE };
/** A name: the arrays of a trace, or one range. */
struct gmmu_scenario_set {
  char name[32];
  int asid;
  char *path; /**< NULL: a range */
  struct gmmu_trace *trace;
  struct gmmu_page_range range;
  unsigned perms;
  bool demand;
};
struct gmmu_scenario_step {
  enum gmmu_step_kind kind;
  int line, n;
  int set[GMMU_MAX_SMS], sms[GMMU_MAX_SMS]; /**< indices of sets; RUN: their SMs, 0: equal shares */
  uint64_t offset, bytes;                   /**< FREE: a part of a range; bytes 0: all */
};
struct gmmu_scenario {
  char *path;
  struct gmmu_scenario_set *set;
  struct gmmu_scenario_step *step;
  int num_sets, num_steps;
  uint64_t memory; /**< bytes */
  double index, occupancy;
};
/** What a step took. RUN: of the run; else of its allocation or its freeing. */
struct gmmu_scenario_result {
  uint64_t begin, cycles, accesses, faults, l1_lookups, l1_hits, l2_lookups, l2_hits, walks;
  struct gmmu_mm_stats before, after;
};

/** Reads and checks the whole file and its traces. */
int gmmu_scenario_read(struct gmmu_scenario *s, const char *path, const struct gmmu_config *c,
                       struct gmmu_err *err);
void gmmu_scenario_free(struct gmmu_scenario *s);
/** Runs it. r: dut, cfg and what else gmmu_run() takes, apart from fe, env, image and software,
 * which are made here. options: policy, cac and stall. out: one for each step. What it made is in
 * *paging afterwards. */
int gmmu_scenario_run(struct gmmu_scenario *s, struct gmmu_run *r,
                      const struct gmmu_paging_opts *options, struct gmmu_paging **paging,
                      struct gmmu_mem **mem, struct gmmu_env *env, struct gmmu_scenario_result *out,
                      struct gmmu_err *err);

/** A line for each step. */
void gmmu_scenario_table(FILE *f, const struct gmmu_scenario *s,
                         const struct gmmu_scenario_result *r);
int gmmu_scenario_json(FILE *f, const struct gmmu_scenario *s, const struct gmmu_run *run,
                       const char *backend, const struct gmmu_scenario_result *r,
                       struct gmmu_err *err);

#endif
