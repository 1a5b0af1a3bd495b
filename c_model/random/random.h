/* SPDX-License-Identifier: Apache-2.0 */
/** random.h - invalidation under fire: random traffic of all SMs over page tables that change while
 * it runs. What is checked and how: docs/random.md; in short: random_world.h. */
#ifndef GMMU_RUN_RANDOM_H
#define GMMU_RUN_RANDOM_H

#include "run/mismatch.h"
#include "run/stats.h"
#include "scoreboard/scoreboard.h"

struct gmmu_random {
  /* in */
  struct gmmu_config cfg;
  struct gmmu_dut dut;
  int lag;
  uint64_t ops; /**< requests to make */
  uint64_t seed;
  bool policy;
  bool storm;      /**< invalidations back to back (random_storm.h) */
  uint64_t resets; /**< lives that a reset cuts in the middle of traffic, before the whole run */
  uint64_t tables; /**< for gmmu_hostile_run() */
  const char *rerun;
  /* out */
  struct gmmu_mismatches mism;
  uint64_t cycles, requests, answers, faults,
      old; /**< old: answers that carried a superseded translation, legally */
  uint64_t by_cause[GMMU_NUM_CAUSES], large;
  uint64_t sw[16]; /**< software operations by kind (gmmu_random_sw_name) */
  uint64_t pte_writes, commands[3], killed;
  uint64_t storm_commands[4], waited,
      waited_hit;   /**< storm: commands by kind; requests that missed; that one matched */
  uint32_t slowest; /**< ... memory latency of the slowest phase */
  uint64_t policy_compared, reads, read_errors;
  uint64_t pte_updates, pte_late; /**< config Svadu: PTEs that hardware updated; updates that came
                                     too late: repeated */
  double seconds;
  struct gmmu_stats *stats;
};

/** -1: the run could not go on. */
int gmmu_random_run(struct gmmu_random *r, struct gmmu_err *err);
void gmmu_random_free(struct gmmu_random *r);
/** pins->noise of a cycle: in one of eight inputs without a valid are random. */
uint64_t gmmu_random_noise(const struct gmmu_random *r, uint64_t cycle);
/** What every random run does with a cycle's events: counts them and, with a scoreboard, compares
 * them. */
void gmmu_random_events(struct gmmu_random *r, struct gmmu_scoreboard *sb,
                        const struct gmmu_events *ev, uint64_t cycle, const struct gmmu_pins *pins);
/** Name of software operation k; NULL past the end. */
const char *gmmu_random_sw_name(int k);

#endif
