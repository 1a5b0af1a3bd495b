/* SPDX-License-Identifier: Apache-2.0 */
/** report.h - a run's results: table for people, JSON for tools (docs/reports.md). */
#ifndef GMMU_RUN_REPORT_H
#define GMMU_RUN_REPORT_H

#include "gmmu_manager.h"
#include "run/changes.h"
#include "run/paging.h"
#include "run/run.h"

struct gmmu_report_app {
  const char *trace, *name; /**< path; application's name */
  int asid, first_sm, num_sms;
  uint64_t accesses; /**< of one run of its trace, in all passes */
  struct gmmu_fe_progress progress;
};

struct gmmu_report {
  const struct gmmu_run *run;
  const char *backend, *pages, *frames;
  const struct gmmu_scan *scan;             /**< what the scan for contiguous subregions found */
  const struct gmmu_paging_stats *paging;   /**< NULL: no memory manager */
  const struct gmmu_changes_stats *changes; /**< NULL: no changes, no demand lines */
  struct gmmu_report_app app[GMMU_MAX_SMS];
  int num_apps;
};

void gmmu_report_table(FILE *f, const struct gmmu_report *r);
int gmmu_report_json(FILE *f, const struct gmmu_report *r, struct gmmu_err *err);

#endif
