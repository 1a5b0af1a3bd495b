/* SPDX-License-Identifier: Apache-2.0 */
/** run_args.h - the command line of gmmu run. */
#ifndef GMMU_CLI_RUN_ARGS_H
#define GMMU_CLI_RUN_ARGS_H

#include "cli/options.h"

enum run_paging { RUN_NO_MANAGER, RUN_DEMAND, RUN_RESIDENT, RUN_LAUNCH };
/** Values of --paging, from RUN_DEMAND on. */
#define RUN_PAGINGS 3
extern const char *const run_pagings[RUN_PAGINGS];

struct run_args {
  const char *preset, *trace, *map, *events, *asid, *sms, *dump, *record, *json, *waves;
  char *const *set;
  int num_set, pages; /* pages: enum gmmu_map_kind, -1: default */
  bool rtl, memory_rtl, policy, scan, restart;
  int paging, manager; /* paging: enum run_paging; manager: enum gmmu_mm_policy, -1: default */
  uint64_t memory;     /* MiB */
  double index, occupancy, bus_wait, bus_rate; /* us, GB/s */
  int cac;                                     /* enum gmmu_cac */
  bool cac_stall;
  int frames; /* of frame_orders */
  uint64_t seed, max_cycles, passes;
};

/** Values of --frames; share of the pages in contiguous subregions. */
#define RUN_FRAME_ORDERS 9
extern const char *const run_frame_orders[RUN_FRAME_ORDERS];
extern const double run_shares[RUN_FRAME_ORDERS];
/** CLI_END: go on. */
int run_args(struct run_args *a, struct cli_options *o, struct gmmu_err *err);

#endif
