/* SPDX-License-Identifier: Apache-2.0 */
/* gmmu_workload.h - kernels that make traces (c_model/workloads/). Part of gmmu.h, which says the
 * conventions. */
#ifndef GMMU_WORKLOAD_H
#define GMMU_WORKLOAD_H

#include <stddef.h>
#include <stdint.h>

#include "gmmu_trace.h"

#ifdef __cplusplus
extern "C" {
#endif

/** One kernel generator. */
struct gmmu_workload {
  const char *name;     /**< "ATAX" */
  const char *about;    /**< suite and what it does, one line */
  uint64_t small, dflt; /**< the size parameter N of --size small and --size default */
  const char *size_is;  /**< what N counts */
  int (*gen)(uint64_t n, uint64_t seed, const struct gmmu_trace_sink *s, struct gmmu_err *err);
};
const struct gmmu_workload *gmmu_workload_find(
    const char *name);                                  /**< case-insensitive; NULL if unknown */
const struct gmmu_workload *gmmu_workload_at(size_t i); /**< NULL past the end */

#ifdef __cplusplus
}
#endif
#endif
