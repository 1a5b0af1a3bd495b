/* SPDX-License-Identifier: Apache-2.0 */
/* run_args.c - the command line of gmmu run. */
#include "cli/run_args.h"

#include "cli/util.h"
#include "run/paging.h"

/** Values of --frames. Share of the pages in contiguous subregions: `os` our choice, memhog...
 * MESC's Table II. */
const char *const run_frame_orders[RUN_FRAME_ORDERS] = {
    "contiguous",        "scattered",         "os",
    "memhog25",          "memhog50",          "memhog75",
    "memhog25-nodefrag", "memhog50-nodefrag", "memhog75-nodefrag"};
const double run_shares[RUN_FRAME_ORDERS] = {0, 0, 0.9, 0.487, 0.428, 0.389, 0.443, 0.423, 0.347};

const char *const run_pagings[RUN_PAGINGS] = {"demand", "resident", "launch"};

static void values(struct run_args *a, const struct cli_options *o) {
  const struct cli_value *foreign = cli_value(o, "foreign");
  *a = (struct run_args){.preset = cli_text(o, "preset"),
                         .trace = cli_text(o, "trace"),
                         .map = cli_text(o, "map"),
                         .events = cli_text(o, "events"),
                         .asid = cli_text(o, "asid"),
                         .sms = cli_text(o, "sms"),
                         .dump = cli_text(o, "dump"),
                         .record = cli_text(o, "record"),
                         .json = cli_text(o, "json"),
                         .waves = cli_text(o, "waves"),
                         .set = o->set,
                         .num_set = o->num_set,
                         .pages = cli_chosen(o, "pages"),
                         .rtl = cli_chosen(o, "backend") == 0,
                         .memory_rtl = cli_given(o, "memory-rtl"),
                         .policy = !cli_given(o, "no-policy"),
                         .scan = !cli_given(o, "no-scan"),
                         .restart = cli_given(o, "restart"),
                         .paging = 1 + cli_chosen(o, "paging"),
                         .manager = cli_chosen(o, "manager"),
                         .memory = cli_number(o, "memory"),
                         .index = foreign->real,
                         .occupancy = foreign->second,
                         .bus_wait = cli_value(o, "bus-wait")->real,
                         .bus_rate = cli_value(o, "bus-rate")->real,
                         .cac = cli_chosen(o, "cac"),
                         .cac_stall = cli_given(o, "cac-stall"),
                         .frames = cli_chosen(o, "frames"),
                         .seed = cli_number(o, "seed"),
                         .passes = cli_number(o, "passes"),
                         .max_cycles = cli_number(o, "max-cycles")};
}

/** CLI_END: go on. */
int run_args(struct run_args *a, struct cli_options *o, struct gmmu_err *err) {
  int c = cli_parse(o, err);
  if (c != CLI_END) return c;
  values(a, o);
  if (cli_arguments(o, 0, "no argument", err)) return CLI_BAD;
  if (!a->trace) return gmmu_fail(err, "no --trace; see gmmu run --help"), CLI_BAD;
  if (a->map && (a->pages >= 0 || a->frames >= 0))
    return gmmu_fail(err, "--map says where each page is: without --pages and --frames"), CLI_BAD;
  if (a->paging && (a->map || a->pages >= 0 || a->frames >= 0 || a->events))
    return gmmu_fail(err, "--paging is instead of --map, --pages, --frames and --events"), CLI_BAD;
  if (a->frames < 0) a->frames = 0;
  if (a->frames > 1 && a->pages > GMMU_MAP_4K)
    return gmmu_fail(err, "--frames %s is for --pages 4k", run_frame_orders[a->frames]), CLI_BAD;
  static const char *const manager[] = {"manager",  "memory", "foreign",  "bus-wait",
                                        "bus-rate", "cac",    "cac-stall"};
  for (size_t i = 0; i < sizeof manager / sizeof *manager; i++)
    if (!a->paging && cli_given(o, manager[i]))
      return gmmu_fail(err,
                       "--manager, --memory, --foreign, --bus-wait, --bus-rate, --cac and "
                       "--cac-stall are for --paging"),
             CLI_BAD;
  if (a->waves && !a->rtl) return gmmu_fail(err, "--waves needs --backend rtl"), CLI_BAD;
  return CLI_END;
}
