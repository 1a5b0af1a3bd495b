/* SPDX-License-Identifier: Apache-2.0 */
/** timed.h - what the timed model offers beyond struct gmmu_dut. */
#ifndef GMMU_TIMED_H
#define GMMU_TIMED_H

#include "gmmu.h"

/** Memory image that config Ideal=1 translates from (before the first clock; not owned). Without
 * Ideal the model reads memory only through its pins and this has no effect. */
void gmmu_timed_set_memory(struct gmmu_dut *d, const struct gmmu_mem *m);

#endif
