/* SPDX-License-Identifier: Apache-2.0 */
/** run.h - one run: front end, device, memory, checkers, statistics. */
#ifndef GMMU_RUN_RUN_H
#define GMMU_RUN_RUN_H

#include "frontend/frontend.h"
#include "run/mapcheck.h"
#include "run/mismatch.h"
#include "run/pte_mem.h"
#include "run/software.h"
#include "run/stats.h"
#include "timed/memsys.h"
#include "timed/memsys_rtl.h"

struct gmmu_run {
  /* in */
  struct gmmu_config cfg;
  struct gmmu_dut dut;
  int lag; /**< 1: the device tells a cycle's events one cycle later */
  struct gmmu_fe *fe;
  const struct gmmu_env *env;
  struct gmmu_mem *image;
  struct gmmu_mapcheck *said; /**< what the mapping lines say, NULL: answers are checked by walks of
                                 the tables only */
  struct gmmu_software software; /**< self NULL: the tables stay as they are */
  uint64_t seed;
  uint64_t max_cycles;     /**< 0: no limit */
  uint64_t total_accesses; /**< for the progress bar */
  bool policy;             /**< compare every event with the policy models */
  FILE *dump;              /**< CSV of answers, or NULL */
  FILE *record;            /**< what memory channel 0 is given, or NULL (config MemChannels) */
  struct gmmu_memsys_peer *peer; /**< RTL of the memory channels, or NULL (config MemChannels) */
  const char *rerun;
  /** Called when all applications have ended: 1: fe is a new front end, the run goes on; 0: it
   * ends; -1: it cannot go on. NULL: it ends. */
  int (*next)(void *arg, struct gmmu_err *err);
  void *next_arg;
  /* out */
  struct gmmu_fe_counts counts;
  struct gmmu_stats *stats; /**< allocated by gmmu_run(), released by gmmu_run_free() */
  struct gmmu_mismatches mism;
  uint64_t cycles, answers_compared, policy_compared, frames, pages, reads, pte_updates;
  struct gmmu_memsys_stats memsys; /**< with MemChannels; cycles is 0 without */
  int num_apps;                    /**< in: applications, for the memory system */
  uint64_t reads_sum, reads_max;   /**< PTE reads outstanding: sum over cycles, maximum */
  double seconds;
};

/** Runs until all applications are finished. -1: the run could not go on (watchdog, max_cycles). */
int gmmu_run(struct gmmu_run *r, struct gmmu_err *err);
/** Releases what gmmu_run() allocated. */
void gmmu_run_free(struct gmmu_run *r);
/** Cycles without any answer after which a run with requests outstanding is given up. */
uint64_t gmmu_run_patience(const struct gmmu_config *c);
/** True if walks may read the 8 bytes at pa. */
bool gmmu_run_walk_allowed(const struct gmmu_env *e, uint64_t pa);

#endif
