/* SPDX-License-Identifier: Apache-2.0 */
/* run_args.c - the command line of gmmu run. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "cli/run_args.h"
#include "cli/util.h"
#include "run/paging.h"

const char run_usage[] =
    "usage: gmmu run --trace T[,T2...] [OPTION]...\n"
    "\n"
    "Translates the accesses of the traces and checks every answer. Trace k runs as application k, "
    "in ASID k.\n"
    "The last line printed is `mismatches: N`; the exit status is 0 only if N is 0.\n"
    "An output is a new or a regular file, which appears when it is complete, a device or a pipe, "
    "or - for standard output; the\n"
    "report then goes to standard error.\n"
    "  --preset P            configuration: a name (gmmu preset --list) or a file [mosaic]\n"
    "  --set KEY=VALUE       change one key of it (any number of times)\n"
    "  --backend rtl|model   Verilated RTL or timed model [rtl]\n"
    "  --trace T[,T2...]     one application each\n"
    "  --map M[,M2...]       mapping files; without them the driver maps each array of the "
    "traces:\n"
    "  --pages 4k|2m|coalesced            page kind [coalesced with large TLB arrays, else 4k]\n"
    "  --frames F                         physical frames [contiguous]: contiguous, scattered, or "
    "fragmented memory\n"
    "                                     (docs/manager.md): os, memhog25, memhog50, memhog75, "
    "each -nodefrag as well\n"
    "  --events E            changes of the page tables while the traces run: map, unmap, "
    "invalidate, coalesce, splinter\n"
    "                        at a cycle or a request (docs/events.md)\n"
    "  --paging demand|resident           instead: the memory manager allocates the arrays "
    "(docs/paging.md); their pages\n"
    "                                     come over the I/O bus when they are touched, or are "
    "there at the start\n"
    "  --manager mosaic|base|large        its policy [mosaic with large TLB arrays, else base]\n"
    "  --memory MIB          of memory for data, even [3072]\n"
    "  --foreign I,O         at the start other data is in a share I of the 2 MiB frames, on a "
    "share O of their pages\n"
    "  --cac ideal|off|copy|bulk          compaction, and what moving a page costs [ideal]: no "
    "time; no compaction; 64-bit\n"
    "                                     reads and writes; in the DRAM (docs/paging.md)\n"
    "  --cac-stall           all SMs stand still while pages are moved\n"
    "  --no-scan             do not look for contiguous subregions [looked for with L2Unified = "
    "1]\n"
    "  --asid A[,B...]       ASID of each trace [0,1,...]\n"
    "  --sms N[,N...]        SMs of each trace [equal shares, the remainder to the first]\n"
    "  --restart             an application that ends starts again, until all have ended once\n"
    "  --seed S              of memory latencies and scattered frames [1]\n"
    "  --dump D.csv          one line per answer\n"
    "  --record R.txt        what memory channel 0 is given, for the bench of its RTL (MemChannels "
    "above 0; docs/memsys.md)\n"
    "  --json J              results for tools\n"
    "  --waves W.fst         waves (RTL)\n"
    "  --no-policy           do not compare each event with the policy models\n"
    "  --max-cycles N        give up after N cycles\n";

/** Values of --frames. Share of the pages in contiguous subregions: `os` our choice, memhog...
 * MESC's Table II. */
const char *const run_frame_orders[] = {
    "contiguous",        "scattered",         "os",
    "memhog25",          "memhog50",          "memhog75",
    "memhog25-nodefrag", "memhog50-nodefrag", "memhog75-nodefrag"};
const double run_shares[] = {0, 0, 0.9, 0.487, 0.428, 0.389, 0.443, 0.423, 0.347};

enum {
  O_RECORD = 237,
  O_CAC,
  O_CAC_STALL,
  O_PAGING = 240,
  O_MANAGER,
  O_MEMORY,
  O_FOREIGN,
  O_EVENTS,
  O_SMS = 253,
  O_RESTART,
  O_NO_SCAN,
  O_PRESET = 256,
  O_SET,
  O_BACKEND,
  O_TRACE,
  O_MAP,
  O_PAGES,
  O_FRAMES,
  O_ASID,
  O_SEED,
  O_DUMP,
  O_JSON,
  O_WAVES,
  O_NO_POLICY,
  O_MAX_CYCLES
};

static int take_option(struct run_args *a, int c, char *arg, struct gmmu_err *err) {
  static const char *const kinds[] = {"4k", "2m", "coalesced"}, *const backends[] = {"rtl",
                                                                                     "model"};
  static const char *const pagings[] = {"demand", "resident"};
  int i;

  switch (c) {
    case O_PRESET: a->preset = arg; return 0;
    case O_TRACE: a->trace = arg; return 0;
    case O_MAP: a->map = arg; return 0;
    case O_EVENTS: a->events = arg; return 0;
    case O_ASID: a->asid = arg; return 0;
    case O_SMS: a->sms = arg; return 0;
    case O_RESTART: a->restart = true; return 0;
    case O_DUMP: a->dump = arg; return 0;
    case O_RECORD: a->record = arg; return 0;
    case O_JSON: a->json = arg; return 0;
    case O_WAVES: a->waves = arg; return 0;
    case O_NO_POLICY: a->policy = false; return 0;
    case O_SEED: return cli_u64(arg, "--seed", &a->seed, err);
    case O_MAX_CYCLES: return cli_u64(arg, "--max-cycles", &a->max_cycles, err);
    case O_SET: return cli_add_set(a->set, &a->num_set, 64, arg, err);
    case O_PAGES: return (a->pages = cli_choice("--pages", arg, kinds, 3, err)) < 0 ? -1 : 0;
    case O_FRAMES:
      a->frames = cli_choice("--frames", arg, run_frame_orders, 9, err);
      return a->frames < 0 ? -1 : 0;
    case O_PAGING:
      return (a->paging = 1 + cli_choice("--paging", arg, pagings, 2, err)) < 1 ? -1 : 0;
    case O_MANAGER:
      a->manager_options = true;
      return (a->manager = cli_choice("--manager", arg, gmmu_manager_names, 3, err)) < 0 ? -1 : 0;
    case O_MEMORY:
      a->manager_options = true;
      if (cli_u64(arg, "--memory", &a->memory, err)) return -1;
      return gmmu_paging_memory_ok(a->memory)
                 ? 0
                 : gmmu_fail(err, "--memory: %s is not an even number from 2 to %d (MiB)", arg,
                             GMMU_PAGING_MAX_MIB);
    case O_FOREIGN:
      a->manager_options = true;
      if (sscanf(arg, "%lf,%lf%n", &a->index, &a->occupancy, &i) != 2 || arg[i] ||
          !(a->index >= 0 && a->index <= 1) || !(a->occupancy >= 0 && a->occupancy <= 1))
        return gmmu_fail(err, "--foreign: '%.64s' is not two shares from 0 to 1, as 0.9,0.5", arg);
      return 0;
    case O_CAC:
      a->manager_options = true;
      return (a->cac = cli_choice("--cac", arg, gmmu_cac_names, 4, err)) < 0 ? -1 : 0;
    case O_CAC_STALL: a->manager_options = a->cac_stall = true; return 0;
    case O_NO_SCAN: a->scan = false; return 0;
    case O_BACKEND:
      i = cli_choice("--backend", arg, backends, 2, err);
      a->rtl = i == 0;
      return i < 0 ? -1 : 0;
    default: return -1;
  }
}

const struct option run_options[] = {{"preset", 1, NULL, O_PRESET},
                                     {"set", 1, NULL, O_SET},
                                     {"backend", 1, NULL, O_BACKEND},
                                     {"trace", 1, NULL, O_TRACE},
                                     {"map", 1, NULL, O_MAP},
                                     {"events", 1, NULL, O_EVENTS},
                                     {"pages", 1, NULL, O_PAGES},
                                     {"frames", 1, NULL, O_FRAMES},
                                     {"asid", 1, NULL, O_ASID},
                                     {"seed", 1, NULL, O_SEED},
                                     {"dump", 1, NULL, O_DUMP},
                                     {"record", 1, NULL, O_RECORD},
                                     {"json", 1, NULL, O_JSON},
                                     {"waves", 1, NULL, O_WAVES},
                                     {"no-policy", 0, NULL, O_NO_POLICY},
                                     {"max-cycles", 1, NULL, O_MAX_CYCLES},
                                     {"paging", 1, NULL, O_PAGING},
                                     {"manager", 1, NULL, O_MANAGER},
                                     {"memory", 1, NULL, O_MEMORY},
                                     {"foreign", 1, NULL, O_FOREIGN},
                                     {"cac", 1, NULL, O_CAC},
                                     {"cac-stall", 0, NULL, O_CAC_STALL},
                                     {"sms", 1, NULL, O_SMS},
                                     {"restart", 0, NULL, O_RESTART},
                                     {"no-scan", 0, NULL, O_NO_SCAN},
                                     {NULL, 0, NULL, 0}};

/** CLI_END: go on. */
int run_args(struct run_args *a, struct cli_options *o, struct gmmu_err *err) {
  int c;

  *a = (struct run_args){.preset = "mosaic",
                         .pages = -1,
                         .frames = -1,
                         .manager = -1,
                         .memory = 3072,
                         .rtl = true,
                         .policy = true,
                         .scan = true,
                         .seed = 1};
  while ((c = cli_option(o, err)) >= 0)
    if (take_option(a, c, optarg, err)) return CLI_BAD;
  if (c != CLI_END) return c;
  if (cli_arguments(o, 0, "no argument", err)) return CLI_BAD;
  if (!a->trace) return gmmu_fail(err, "no --trace; see gmmu run --help"), CLI_BAD;
  if (a->map && (a->pages >= 0 || a->frames >= 0))
    return gmmu_fail(err, "--map says where each page is: without --pages and --frames"), CLI_BAD;
  if (a->paging && (a->map || a->pages >= 0 || a->frames >= 0 || a->events))
    return gmmu_fail(err, "--paging is instead of --map, --pages, --frames and --events"), CLI_BAD;
  if (a->frames < 0) a->frames = 0;
  if (a->frames > 1 && a->pages > GMMU_MAP_4K)
    return gmmu_fail(err, "--frames %s is for --pages 4k", run_frame_orders[a->frames]), CLI_BAD;
  if (!a->paging && a->manager_options)
    return gmmu_fail(err, "--manager, --memory, --foreign, --cac and --cac-stall are for --paging"),
           CLI_BAD;
  if (a->waves && !a->rtl) return gmmu_fail(err, "--waves needs --backend rtl"), CLI_BAD;
  return CLI_END;
}
