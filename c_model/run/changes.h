/* SPDX-License-Identifier: Apache-2.0 */
/**
 * changes.h - changes of the page tables while traces run: the file of `gmmu run --events`, and the
 * `demand` lines of mapping files. Formats and rules: docs/events.md.
 *
 * One change at a time: its PTE writes in one cycle, then the invalidation of its range, then the
 * next change. An answer is right by the tables as they are, or as they were before a change that
 * has not been acknowledged in an earlier cycle.
 */
#ifndef GMMU_RUN_CHANGES_H
#define GMMU_RUN_CHANGES_H

#include "run/software.h"
#include "run/space.h"

struct gmmu_changes_stats {
  uint64_t listed, done; /**< in the file; acknowledged */
  uint64_t commands;     /**< invalidations */
  uint64_t superseded;   /**< answers by tables that a change in progress has replaced */
  uint64_t faults, transfers,
      wait; /**< of demand pages: faults, pages that came, cycles from fault to replay added up */
};

struct gmmu_changes;
/** Reads the changes (path NULL: none) and takes the demand lines of `s`. NULL: *err names file and
 * line. */
struct gmmu_changes *gmmu_changes_new(const struct gmmu_config *c, struct gmmu_space *s,
                                      const char *path, struct gmmu_err *err);
void gmmu_changes_free(struct gmmu_changes *h);
/** For struct gmmu_run. */
struct gmmu_software gmmu_changes_software(struct gmmu_changes *h);
void gmmu_changes_get_stats(const struct gmmu_changes *h, struct gmmu_changes_stats *s);

#endif
