/* SPDX-License-Identifier: Apache-2.0 */
/* options_table.c - every subcommand and every option of the program: name, argument, range,
 * default, help. A range and a default are appended to the help. docs/cli.md is made of it. */
#include "apointers/workload.h"
#include "cli/options.h"
#include "cli/run_args.h"
#include "run/paging.h"

#define TEXT_OF(x) #x
#define TEXT(x) TEXT_OF(x)
#define NAMES(list) .names = (list), .n = (int)(sizeof(list) / sizeof *(list))

static const char *const backends[] = {"rtl", "model"}, *const kinds[] = {"4k", "2m", "coalesced"};
static const char *const lanes[] = {"32", "64"};
static const char *const streams[] = {"hit", "l2", "walk"}, *const onoff[] = {"off", "on"};
static const char *const policies[] = {"none", "gdev", "base", "gdm"};
static const char *const dirties[] = {"signature", "hw"}, *const watches[] = {"eager", "cow"};
static const char *const through[] = {"apointers", "gpufs", "both"};
static const char *const forms[] = {"long", "short"}, *const bytes[] = {"4", "8", "16"};

#define LAST_LINE "The last line printed is `mismatches: N`; the exit status is 0 only if N is 0"

const struct cli_about cli_commands[] = {
    {CLI_GEN, "gen", "make the trace of a GPU kernel",
     "gmmu gen KERNEL [OPTION]... -o FILE\n       gmmu gen --list",
     "Makes the trace of a GPU kernel's memory accesses (docs/trace-format.md)."},
    {CLI_INFO, "info", "what is in a trace", "gmmu info [--json] TRACE",
     "Prints arrays, launches, accesses, and lines and pages per warp access of a trace."},
    {CLI_RUN, "run", "translate traces through the RTL or the timed model and check every answer",
     "gmmu run --trace T[,T2...] [OPTION]...",
     "Translates the accesses of the traces and checks every answer. Trace k runs as application "
     "k, in ASID k. " LAST_LINE ". An output is a new or a regular file, which appears when it is "
     "complete, a device or a pipe, or - for standard output; the report then goes to standard "
     "error."},
    {CLI_SCENARIO, "scenario",
     "allocations, runs and frees one after the other, above the memory manager",
     "gmmu scenario FILE [OPTION]...",
     "Plays a scenario (docs/scenario.md): loads traces, allocates, runs kernels, frees, with the "
     "memory manager as software, and checks every answer. " LAST_LINE "."},
    {CLI_GDM, "gdm",
     "benchmarks whose memories do not fit together, above the device memory manager",
     "gmmu gdm --run A[+B]... [OPTION]...",
     "Runs GDM's benchmarks (backprop hj hotspot kmeans mpe nn srad theano, and malicious) "
     "together above the device memory manager, and compares every result with that of a run "
     "without a manager (docs/gdm-benchmarks.md). " LAST_LINE " and no program crashed."},
    {CLI_RANDOM, "random", "random traffic with remaps and invalidations in between",
     "gmmu random [OPTION]...",
     "Random requests of all SMs while page tables, contexts and windows change and invalidations "
     "run. After each acknowledgement no answer may carry an old translation. Last line: "
     "`mismatches: N`."},
    {CLI_THROUGHPUT, "throughput", "streams that keep the MMU busy",
     "gmmu throughput --stream hit|l2|walk [OPTION]...",
     "Keeps every SM busy with one kind of request and prints what the MMU does per cycle, as "
     "JSON."},
    {CLI_VECTORS, "vectors", "stimuli and expected answers for other simulators",
     "gmmu vectors (--random | --trace T) [OPTION]... -o DIRECTORY",
     "Writes requests, page tables and expected answers as text for "
     "tb/icarus/gmmu_vectors_tb.sv."},
    {CLI_APOINTER, "apointer",
     "memory-mapped files by ActivePointers, software address translation",
     "gmmu apointer [OPTION]...",
     "Runs ActivePointers' workloads (docs/apointers.md) on files that it makes: warps of 32 lanes "
     "read and write them through pointers that translate themselves, or through GPUfs's gmmap, "
     "twice: with a cold page cache, then with what is in it. Every result is compared with a "
     "plain program's. " LAST_LINE " and no thread block ended by an error."},
    {CLI_PRESET, "preset", "show a configuration",
     "gmmu preset NAME [--set KEY=VALUE]... [--rtl-key | --rtl-flags |\n"
     "                   --memory-key | --memory-flags | --json]\n"
     "       gmmu preset --list\n       gmmu preset --list-keys",
     "Prints a configuration: a preset of sim/presets by name, or a file by path."},
    {0, NULL, NULL, NULL, NULL}};

#define RUNS (CLI_RUN | CLI_SCENARIO)
#define DEVICE (RUNS | CLI_RANDOM | CLI_THROUGHPUT) /* RTL or timed model */

#define ROW(c, k, n_, a, d, h, ...) \
  {.commands = (c), .kind = (k), .name = (n_), .arg = (a), .dflt = (d), .help = (h), __VA_ARGS__}

/* In the order of help. */
const struct cli_row cli_table[] = {
    /* what is worked on */
    ROW(CLI_GDM, CLI_TEXT, "run", "A+B", NULL,
        "programs; each starts again until all have run often enough"),
    ROW(CLI_THROUGHPUT, CLI_CHOICE, "stream", NULL, NULL,
        "hit: all in the L1; l2: L1 misses that hit in the L2; walk: always new pages",
        NAMES(streams)),
    ROW(CLI_VECTORS, CLI_FLAG, "random", NULL, NULL,
        "a random page-table set with every fault cause"),
    ROW(CLI_VECTORS, CLI_TEXT, "trace", "T", NULL, "the page requests of a trace"),
    ROW(CLI_VECTORS, CLI_RANGE, "count", "N", "2000", "requests per SM at most", .lo = 1,
        .hi = 1000000),
    ROW(CLI_GEN, CLI_TEXT, "size", "small|default|N", "small",
        "problem size; what N counts is in --list"),
    ROW(CLI_GEN, CLI_NUMBER, "seed", "S", "42", "for kernels with random data"),
    ROW(CLI_GEN, CLI_CHOICE, "lanes", NULL, "32",
        "lanes of a warp; 64: two neighbouring warps of a block as one", NAMES(lanes)),
    ROW(CLI_GEN, CLI_FLAG, "text", NULL, NULL, "plain text instead of compressed binary"),
    ROW(CLI_GEN, CLI_TEXT, "o", "FILE", NULL, "the trace; - for standard output"),
    ROW(CLI_GEN, CLI_FLAG, "list", NULL, NULL, "kernels, their sizes and what these count"),
    ROW(CLI_INFO, CLI_FLAG, "json", NULL, NULL, "for tools"),
    ROW(CLI_RANDOM, CLI_NUMBER, "ops", "N", "1000000", "requests"),
    ROW(CLI_RANDOM, CLI_FLAG, "storm", NULL, NULL,
        "invalidations back to back, all kinds, memory latencies 1 to 1000: requests must "
        "progress"),
    ROW(CLI_RANDOM, CLI_NUMBER, "resets", "N", NULL,
        "before the whole run N short ones, each ended by a reset in the middle of its traffic"),
    ROW(CLI_RANDOM, CLI_NUMBER, "tables", "N", NULL,
        "instead: N sets of page tables that no driver would write, each with some 30 requests; "
        "every answer as the walk's rules say"),

    /* configuration */
    ROW(RUNS | CLI_THROUGHPUT, CLI_TEXT, "preset", "P", "mosaic",
        "configuration: a name (gmmu preset --list) or a file"),
    ROW(CLI_RANDOM, CLI_TEXT, "preset", "P", NULL, "the same [mosaic with NumSms=4]"),
    ROW(CLI_VECTORS, CLI_TEXT, "preset", "P", "fpga-small", "the same"),
    ROW(DEVICE | CLI_VECTORS | CLI_PRESET, CLI_SETTING, "set", "KEY=VALUE", NULL,
        "change one key of it (any number of times)"),
    ROW(DEVICE, CLI_CHOICE, "backend", NULL, "rtl", "Verilated RTL or timed model",
        NAMES(backends)),
    ROW(CLI_RUN, CLI_FLAG, "memory-rtl", NULL, NULL,
        "with either: Verilated RTL of the memory channels beside their model, compared in each "
        "cycle (MemChannels above 0; docs/memsys.md)"),

    /* gmmu preset */
    ROW(CLI_PRESET, CLI_FLAG, "rtl-key", NULL, NULL,
        "16 hex digits that name the RTL build of the configuration"),
    ROW(CLI_PRESET, CLI_FLAG, "rtl-flags", NULL, NULL,
        "its Verilator parameters, -GNAME=VALUE ..."),
    ROW(CLI_PRESET, CLI_FLAG, "memory-key", NULL, NULL,
        "the name of the RTL build of its memory channels"),
    ROW(CLI_PRESET, CLI_FLAG, "memory-flags", NULL, NULL, "their Verilator parameters"),
    ROW(CLI_PRESET, CLI_FLAG, "json", NULL, NULL, "all keys as JSON"),
    ROW(CLI_PRESET, CLI_FLAG, "list", NULL, NULL, "names of the presets"),
    ROW(CLI_PRESET, CLI_FLAG, "list-keys", NULL, NULL,
        "all keys with default, range, scope and meaning"),

    /* gmmu throughput */
    ROW(CLI_THROUGHPUT, CLI_FLAG, "coalesced", NULL, NULL, "2 MiB frames instead of 4 KiB pages"),
    ROW(CLI_THROUGHPUT, CLI_RANGE, "latency", "L", "100", "cycles of a PTE read", .lo = 1,
        .hi = 100000),
    ROW(CLI_THROUGHPUT, CLI_RANGE, "cycles", "N", "20000", "measured cycles", .lo = 1, .hi = 1e12),

    /* applications and their memory */
    ROW(CLI_RUN, CLI_TEXT, "trace", "T[,T2...]", NULL, "one application each"),
    ROW(CLI_RUN, CLI_TEXT, "map", "M[,M2...]", NULL,
        "mapping files; without them the driver maps each array of the traces:"),
    ROW(CLI_RUN, CLI_CHOICE, "pages", NULL, NULL,
        "page kind [coalesced with large TLB arrays, else 4k]", NAMES(kinds)),
    ROW(CLI_RUN, CLI_CHOICE, "frames", "F", NULL,
        "physical frames [contiguous]: contiguous, scattered, or fragmented memory "
        "(docs/manager.md): os, memhog25, memhog50, memhog75, each -nodefrag as well",
        .names = run_frame_orders, .n = RUN_FRAME_ORDERS),
    ROW(CLI_RUN, CLI_TEXT, "events", "E", NULL,
        "changes of the page tables while the traces run: map, unmap, invalidate, coalesce, "
        "splinter "
        "at a cycle or a request (docs/events.md)"),
    ROW(CLI_RUN, CLI_CHOICE, "paging", NULL, NULL,
        "instead: the memory manager allocates the arrays (docs/paging.md); their pages come over "
        "the I/O bus when they are touched, or are there at the start, or come from the start on",
        NAMES(run_pagings)),
    ROW(RUNS, CLI_CHOICE, "manager", NULL, NULL,
        "policy of the memory manager [mosaic with large TLB arrays, else base]",
        NAMES(gmmu_manager_names)),
    ROW(CLI_RUN, CLI_EVEN, "memory", "MIB", "3072", "MiB of memory for data, even", .lo = 2,
        .hi = GMMU_PAGING_MAX_MIB),
    ROW(CLI_RUN, CLI_SHARES, "foreign", "I,O", NULL,
        "at the start other data is in a share I of the 2 MiB frames, on a share O of their pages"),
    ROW(CLI_RUN, CLI_REAL, "bus-wait", "US", TEXT(GMMU_IOBUS_US),
        "from the last byte on the I/O bus to the page's arrival", .lo = 0, .hi = 1e6),
    ROW(CLI_RUN, CLI_REAL, "bus-rate", "GB/S", TEXT(GMMU_IOBUS_GB_S), "of the I/O bus", .lo = 0.001,
        .hi = 1e6),
    ROW(RUNS, CLI_CHOICE, "cac", NULL, "ideal",
        "compaction, and what moving a page costs: no time; no compaction; 64-bit reads and "
        "writes; "
        "in the DRAM (docs/paging.md)",
        NAMES(gmmu_cac_names)),
    ROW(RUNS, CLI_FLAG, "cac-stall", NULL, NULL, "all SMs stand still while pages are moved"),
    ROW(CLI_RUN, CLI_FLAG, "no-scan", NULL, NULL,
        "do not look for contiguous subregions [looked for with L2Unified = 1]"),
    ROW(CLI_RUN, CLI_TEXT, "asid", "A[,B...]", NULL, "ASID of each trace [0,1,...]"),
    ROW(CLI_RUN, CLI_TEXT, "sms", "N[,N...]", NULL,
        "SMs of each trace [equal shares, the remainder to the first]"),
    ROW(CLI_RUN, CLI_FLAG, "restart", NULL, NULL,
        "an application that ends starts again, until all have ended once"),
    ROW(CLI_RUN, CLI_WHOLE, "passes", "N", "1",
        "an application has ended when its trace has run N times over the same data", .lo = 1,
        .hi = 1000000),

    /* gmmu gdm */
    ROW(CLI_GDM, CLI_CHOICE, "policy", NULL, "gdm", "of the manager", NAMES(policies)),
    ROW(CLI_GDM, CLI_CHOICE, "dirty", NULL, "signature",
        "what was written: by signatures, or by D and A of PTEs, set by the MMU", NAMES(dirties)),
    ROW(CLI_GDM, CLI_CHOICE, "faults", NULL, "off", "replayable faults of the device",
        NAMES(onoff)),
    ROW(CLI_GDM, CLI_CHOICE, "watch", NULL, NULL,
        "sources of copies: copied at once, or write-protected [cow where its calls are linked in]",
        NAMES(watches)),
    ROW(CLI_GDM, CLI_WHOLE, "scale", "N", "64", "divides sizes and times: a power of two", .lo = 1,
        .hi = 64),
    ROW(CLI_GDM, CLI_WHOLE, "reps", "N", "3", "complete repetitions of each program at least",
        .lo = 1, .hi = 100),
    ROW(CLI_GDM, CLI_REAL, "dma-share", "F", "1", "DMA shares of sim/gdm/shares.ini times F",
        .lo = 0.1, .hi = 10),
    ROW(CLI_GDM, CLI_FLAG, "no-uniformity", NULL, NULL, "without this heuristic (section 4.4)"),
    ROW(CLI_GDM, CLI_FLAG, "no-overwrite", NULL, NULL, "without this heuristic"),
    ROW(CLI_GDM, CLI_FLAG, "no-double-transfer", NULL, NULL, "without this heuristic"),
    ROW(CLI_GDM, CLI_FLAG, "no-prefetch", NULL, NULL, "without idle prefetch"),
    ROW(CLI_GDM, CLI_FLAG, "keep", NULL, NULL,
        "one context for all repetitions, and regions stay but for a program that frees some in "
        "between; a program starts when the one before has been through its first repetition, "
        "times "
        "count from then"),
    ROW(CLI_GDM, CLI_FLAG, "no-verify", NULL, NULL,
        "without the last repetition, whose regions are all read back; results copied out are "
        "compared"),
    ROW(CLI_GDM, CLI_SETTING, "set", "KEY=VALUE", NULL,
        "selection_factor, device_mb, kernel_engines, copy_engines, jitter_ppm, or a cost: "
        "pcie_bytes_per_s, dma_start_ns, sign_bytes_per_s, fill_bytes_per_s, host_bytes_per_s, "
        "kernel_start_ns, "
        "pte_access_ns, fault_ns, api_ns"),
    ROW(CLI_GDM, CLI_TEXT, "regions", "F", NULL, "another file than that of sim/gdm"),
    ROW(CLI_GDM, CLI_TEXT, "shares", "F", NULL, "another file than that of sim/gdm"),
    ROW(CLI_GDM, CLI_FLAG, "marks", NULL, NULL,
        "time and allocable memory at each step of the first repetition (JSON)"),
    ROW(CLI_GDM, CLI_TEXT, "timeline", "T.svg", NULL,
        "kernel engine, copy engine and memory over time"),

    /* gmmu apointer */
    ROW(CLI_APOINTER, CLI_TEXT, "workload", "A,B...", "all",
        "copy add read random reduce fft bitonic faults tlb collage, or all"),
    ROW(CLI_APOINTER, CLI_CHOICE, "through", NULL, "both", "what the files are read and written by",
        NAMES(through)),
    ROW(CLI_APOINTER, CLI_CHOICE, "form", NULL, "long", "of pointers", NAMES(forms)),
    ROW(CLI_APOINTER, CLI_POWER, "tlb", "N", "0",
        "entries of each block's software TLB, 0 or a power of two", .lo = 0, .hi = 1024),
    ROW(CLI_APOINTER, CLI_FLAG, "prefetch", NULL, NULL, "load beside the test of the valid bits"),
    ROW(CLI_APOINTER, CLI_FLAG, "no-rw-check", NULL, NULL, "without the test of permissions"),
    ROW(CLI_APOINTER, CLI_RANGE, "cache-pages", "N", "1024", "frames of the page cache", .lo = 1,
        .hi = 1 << 20),
    ROW(CLI_APOINTER, CLI_RANGE, "blocks", "N", "4", "thread blocks", .lo = 1, .hi = 4096),
    ROW(CLI_APOINTER, CLI_RANGE, "warps", "N", "8", "of a block", .lo = 1, .hi = GMMU_AP_MAX_WARPS),
    ROW(CLI_APOINTER, CLI_RANGE, "resident", "N", "2", "blocks that run at a time", .lo = 1,
        .hi = 64),
    ROW(CLI_APOINTER, CLI_CHOICE, "bytes", NULL, "4", "a lane's access", NAMES(bytes)),
    ROW(CLI_APOINTER, CLI_RANGE, "rounds", "N", "5", "of random", .lo = 1, .hi = 1000),
    ROW(CLI_APOINTER, CLI_RANGE, "warp-pages", "N", "16",
        "pages that each warp reads (tlb: of the block)", .lo = 1, .hi = 65536),
    ROW(CLI_APOINTER, CLI_RANGE, "images", "N", "4096", "of the collage's data set", .lo = 1,
        .hi = 1 << 24),
    ROW(CLI_APOINTER, CLI_RANGE, "image-blocks", "N", "256", "of the collage's input", .lo = 1,
        .hi = 1 << 20),
    ROW(CLI_APOINTER, CLI_FLAG, "padded", NULL, NULL,
        "histograms at 4 KiB instead of 3 KiB, so that none straddles pages"),
    ROW(CLI_APOINTER, CLI_TEXT, "dir", "D", NULL,
        "where the files are made, and removed [$TMPDIR or /tmp]"),

    /* seeds, outputs, checks */
    ROW(RUNS, CLI_NUMBER, "seed", "S", "1",
        "of memory latencies, scattered frames and foreign data"),
    ROW(CLI_GDM, CLI_NUMBER, "seed", "S", "1", "of data and of the CPU's times"),
    ROW(CLI_RANDOM | CLI_VECTORS | CLI_APOINTER, CLI_NUMBER, "seed", "S", "1",
        "of all that is drawn"),
    ROW(CLI_RUN, CLI_TEXT, "dump", "D.csv", NULL, "one line per answer"),
    ROW(CLI_RUN, CLI_TEXT, "record", "R.txt", NULL,
        "what memory channel 0 is given, for the bench of its RTL (MemChannels above 0; "
        "docs/memsys.md)"),
    ROW(RUNS | CLI_GDM | CLI_APOINTER, CLI_TEXT, "json", "J", NULL, "results for tools"),
    ROW(RUNS | CLI_RANDOM, CLI_TEXT, "waves", "W.fst", NULL, "waves (RTL)"),
    ROW(RUNS | CLI_RANDOM, CLI_FLAG, "no-policy", NULL, NULL,
        "do not compare each event with the policy models"),
    ROW(RUNS, CLI_NUMBER, "max-cycles", "N", NULL, "give up after N cycles"),
    ROW(CLI_VECTORS, CLI_TEXT, "o", "DIRECTORY", NULL, "where the files are written"),
    {.name = NULL}};
