/* SPDX-License-Identifier: Apache-2.0 */
/** progress.h - a progress bar on stderr when it is a terminal (and CI is not set); nothing
 * otherwise. */
#ifndef GMMU_RUN_PROGRESS_H
#define GMMU_RUN_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

struct gmmu_progress {
  bool on, drawn;
  double start, next; /* seconds */
};

double gmmu_now(void); /**< monotonic seconds */
void gmmu_progress_start(struct gmmu_progress *p);
/** Cheap enough for every few thousand cycles. */
void gmmu_progress_show(struct gmmu_progress *p, uint64_t done, uint64_t total, uint64_t cycles);
void gmmu_progress_end(struct gmmu_progress *p);

#endif
