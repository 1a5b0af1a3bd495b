/* SPDX-License-Identifier: Apache-2.0 */
/** random_storm.h - gmmu random --storm: invalidations back to back, of all four kinds, mostly of
 * pages of the frames that requests wait for, and the bound that docs/invalidate.md promises all
 * the same: from the cycle in which a request has an L1 MSHR until it is answered at most one
 * command that matches it is accepted. */
#ifndef GMMU_RUN_RANDOM_STORM_H
#define GMMU_RUN_RANDOM_STORM_H

#include "random/random_traffic.h"

struct storm {
  struct rt *t;
  struct gmmu_rng rng;
  bool on, by_asid; /* by_asid: config MarkByAsid */
  int kind;         /* of this phase's commands: 0 to 3; 4: any; -1: no storm */
  int page;         /* whose frame or ASID they are of; -1: that of whoever waits */
  uint64_t phase_end;
  uint64_t commands[4], hit,
      answered;     /* accepted, by kind; answered requests that one matched; that waited at all */
  uint32_t slowest; /* memory latency of the slowest phase */
};

void storm_init(struct storm *s, struct rt *t, uint64_t seed);
/** At the beginning of a cycle: memory's latency (1 to 1000 cycles) and the kind of command change
 * with traffic's phase; a new command if the last one was accepted. */
void storm_before(struct storm *s, struct gmmu_pte_mem *m);
/** Events and pins of one cycle. Returns the number of requests over the bound, the last of them in
 * msg. */
int storm_events(struct storm *s, const struct gmmu_events *ev, const struct gmmu_pins *p,
                 char *msg, size_t n);

#endif
