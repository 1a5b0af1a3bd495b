/* SPDX-License-Identifier: Apache-2.0 */
/**
 * scoreboard.h - replays a device's observation events into the policy models and compares every
 * field.
 *
 * Nothing that is compared is taken from the events: requests, commands and PTE answers come from
 * the pins, and everything else follows from them and from the order of events. The events say only
 * *when* a block did something (which L1 MSHR is answered next, which SM's request the L2 looks
 * up); what it did is predicted: outcome, way, MSHR, victim, fill, waiter, slot, PTE address,
 * cause, cleared entries, and the content of every answer at the pins.
 *
 * The walker is compared one cycle late, because the L2 takes a walk's answer (which frees its
 * slot) two cycles before the event of it; messages name the cycle of the event.
 */
#ifndef GMMU_SCOREBOARD_H
#define GMMU_SCOREBOARD_H

#include "gmmu.h"

struct gmmu_scoreboard;
/** A device just out of reset, with `env` (copied; followed through pins->env later). NULL: out of
 * memory. With config Ideal there is nothing to predict: every step then returns 0. */
struct gmmu_scoreboard *gmmu_scoreboard_new(const struct gmmu_config *c,
                                            const struct gmmu_env *env);
void gmmu_scoreboard_free(struct gmmu_scoreboard *s);
/** The events of one cycle with its pins (inputs and outputs as they were in that cycle), cycles in
 * order without a gap, the first one's the cycle after the reset. Returns the number of mismatches;
 * msg then describes the first ("" otherwise). After a mismatch the models follow their own
 * prediction, so later ones may be its consequence. */
int gmmu_scoreboard_step(struct gmmu_scoreboard *s, uint64_t cycle, const struct gmmu_events *ev,
                         const struct gmmu_pins *pins, char *msg, size_t n);
/** Comparisons made so far. */
uint64_t gmmu_scoreboard_checks(const struct gmmu_scoreboard *s);
static inline uint64_t gmmu_scoreboard_comparisons(const struct gmmu_scoreboard *s) {
  return gmmu_scoreboard_checks(s);
}
/** True if nothing is pending: no MSHR, walk, parked request, answer or command. For the end of a
 * test. */
bool gmmu_scoreboard_idle(const struct gmmu_scoreboard *s);

#endif
