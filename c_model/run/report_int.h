/* SPDX-License-Identifier: Apache-2.0 */
/** report_int.h - what the table (report.c) and the JSON (report_json.c) of a run share. */
#ifndef GMMU_RUN_REPORT_INT_H
#define GMMU_RUN_REPORT_INT_H

#include "run/report.h"

/** Everything derived, once for both forms. */
struct report_numbers {
  double l1, l1_base, l1_large, l2, l2_base, l2_large, l2_sub, l2_bypass, msc, pwc;
  double walks_mean, khz, per_s, busy;
  uint64_t l1_merged, l2_merged, compared;
};

struct report_numbers report_numbers(const struct gmmu_run *r);

static inline double report_ratio(double a, double b) { return b > 0 ? a / b : 0; }
static inline double report_mem_wait(const struct gmmu_memsys_stats *m, int k) {
  return report_ratio((double)m->wait[k], (double)m->reads[k]);
}

#endif
