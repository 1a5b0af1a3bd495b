/* SPDX-License-Identifier: Apache-2.0 */
/**
 * changes.h - changes of the page tables while traces run: the file of `gmmu run --events`, and the `demand` lines of mapping
 * files. Formats and rules: docs/events.md.
 *
 * One event at a time: its PTE writes in one cycle, then the invalidation of its range, then the next event. An answer is right
 * by the tables as they are, or as they were before an event that has not been acknowledged in an earlier cycle.
 */
#ifndef GMMU_RUN_CHANGES_H
#define GMMU_RUN_CHANGES_H

#include "frontend/frontend.h"
#include "run/check.h"
#include "run/space.h"

struct gmmu_changes_stats {
  uint64_t events, done;  /**< in the file; acknowledged */
  uint64_t commands;      /**< invalidations */
  uint64_t superseded;    /**< answers by tables that an event in progress has replaced */
  uint64_t faults, transfers, wait; /**< of demand pages: faults, pages that came, cycles from fault to replay added up */
};

struct gmmu_changes;
/** Reads the events (path NULL: none) and takes the demand lines of `s`. NULL: *err names file and line. */
struct gmmu_changes *gmmu_changes_new(const struct gmmu_config *c, struct gmmu_space *s, const char *path, struct gmmu_err *err);
void gmmu_changes_free(struct gmmu_changes *h);
void gmmu_changes_start(struct gmmu_changes *h, struct gmmu_fe *fe, struct gmmu_check *check);
/** Before eval(): the invalidation port. */
void gmmu_changes_drive(const struct gmmu_changes *h, struct gmmu_pins *pins);
/** After eval(), with this cycle's pins. */
void gmmu_changes_sample(struct gmmu_changes *h, const struct gmmu_pins *pins, uint64_t cycle);
/** As gmmu_check_answer(). *held: the access waits, and is replayed. */
bool gmmu_changes_answer(struct gmmu_changes *h, const struct gmmu_fe_answer *a, bool *held, char *msg, size_t n);
/** Between two cycles: pages that arrive, and the next event. -1: it cannot go on. */
int gmmu_changes_serve(struct gmmu_changes *h, struct gmmu_err *err);
/** A page is on its way: a silent cycle is not the device's fault. */
bool gmmu_changes_busy(const struct gmmu_changes *h);
void gmmu_changes_get_stats(const struct gmmu_changes *h, struct gmmu_changes_stats *s);

#endif
