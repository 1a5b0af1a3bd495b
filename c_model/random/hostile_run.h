/* SPDX-License-Identifier: Apache-2.0 */
/** hostile_run.h - requests of all SMs above hostile tables, one set of tables after another. */
#ifndef GMMU_RUN_HOSTILE_RUN_H
#define GMMU_RUN_HOSTILE_RUN_H

#include "random/random.h"

/** Runs r->tables sets of tables; -1: the run could not go on. As gmmu_random_run(). */
int gmmu_hostile_run(struct gmmu_random *r, struct gmmu_err *err);

#endif
