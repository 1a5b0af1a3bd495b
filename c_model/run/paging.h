/* SPDX-License-Identifier: Apache-2.0 */
/**
 * paging.h - the memory manager (gmmu_mm.h) as the software of a run: it allocates the traces'
 * arrays, maps them as they are touched, and pages them out when memory is full. Rules:
 * docs/paging.md.
 *
 * It reaches the device through a register file of the model (policy/regs.h): the driver's commands
 * become invalidations on the pins, contexts and windows the environment. While a command runs the
 * simulation goes on.
 */
#ifndef GMMU_RUN_PAGING_H
#define GMMU_RUN_PAGING_H

#include "gmmu_mm.h"
#include "run/software.h"
#include "run/space.h"

#define GMMU_CORE_MHZ 1020.0 /**< Mosaic, Table 1: what cycles are in time */

/** Compaction and what moving a page costs (Mosaic sections 4.4, 6.4). */
enum gmmu_cac {
  GMMU_CAC_IDEAL, /**< no time */
  GMMU_CAC_OFF,   /**< no compaction, no splintering below the threshold */
  GMMU_CAC_COPY,  /**< through the memory channel: 512 reads and 512 writes of 64 bits, one a cycle
                     of the memory's 1,674 MHz */
  GMMU_CAC_BULK   /**< within the DRAM: 80 ns a page */
};
/** By enum gmmu_cac. */
extern const char *const gmmu_cac_names[4];

/** Memory for data, in MiB: even, 2 to GMMU_PAGING_MAX_MIB. */
#define GMMU_PAGING_MAX_MIB 65536
bool gmmu_paging_memory_ok(uint64_t mib);
/** 0 when so many bytes and the page tables below them have physical addresses of PaW bits. */
int gmmu_paging_fits(const struct gmmu_config *c, uint64_t bytes, struct gmmu_err *err);

/** Pages that are allocated at a time (8 GiB), and in all by one run (16 GiB): work and memory have
 * a bound. */
#define GMMU_PAGING_MAX_PAGES (1u << 21)
#define GMMU_PAGING_MAX_ASKED (1u << 22)

struct gmmu_paging_opts {
  enum gmmu_mm_policy policy;
  bool demand; /**< pages come when they are touched, over the I/O bus; else all are there at the
                  start */
  bool launch; /**< not demand: allocated at the start, but everything comes over the I/O bus from
                  cycle 0 on, in the order of the allocations */
  uint64_t bytes;          /**< of memory for data, a multiple of 2 MiB */
  struct gmmu_iobus bus;   /**< as it is at the start */
  double index, occupancy; /**< foreign data in memory at the start (Mosaic section 6.4) */
  enum gmmu_cac cac;
  bool stall; /**< while pages are moved all SMs stand still (Mosaic section 5) */
  bool scan;  /**< MESC's scan of what is mapped at the start, if all of it is there and stays */
  uint64_t seed;
};
struct gmmu_paging_stats {
  struct gmmu_mm_stats mm;
  uint64_t faults;      /**< answers with a fault, each replayed later */
  uint64_t commands;    /**< invalidations */
  uint64_t wait;        /**< cycles from a fault to its replay, added up */
  uint64_t copy_cycles; /**< in which pages were moved */
  uint64_t copy_before; /**< the same before the run, which does not contain them */
  double bus_busy;      /**< share of the run in which the I/O bus carried something */
};

/** By enum gmmu_mm_policy. */
extern const char *const gmmu_manager_names[3];
/** Policy of a preset: mosaic if it holds large translations of coalesced frames, else base. */
enum gmmu_mm_policy gmmu_manager_default(const struct gmmu_config *c);

struct gmmu_paging;
/** Builds page tables in `mem` and the environment, opens the applications' address spaces and
 * allocates their arrays (those with a trace). NULL: *err says why. */
struct gmmu_paging *gmmu_paging_new(const struct gmmu_config *c, const struct gmmu_paging_opts *o,
                                    struct gmmu_mem *mem, struct gmmu_env *env,
                                    const struct gmmu_space_app *apps, int num_apps,
                                    struct gmmu_err *err);
void gmmu_paging_free(struct gmmu_paging *p);
/** What the scan found. */
const struct gmmu_scan *gmmu_paging_scan(const struct gmmu_paging *p);
/** Allocates a trace's arrays, or a range, in an address space that was opened; while the run goes
 * on if it has begun. */
int gmmu_paging_load(struct gmmu_paging *p, const struct gmmu_space_app *a, bool demand,
                     struct gmmu_err *err);
int gmmu_paging_range(struct gmmu_paging *p, int asid, const struct gmmu_page_range *r,
                      unsigned perms, bool demand, struct gmmu_err *err);
/** Frees them. Nothing accesses them any more. */
int gmmu_paging_unload(struct gmmu_paging *p, const struct gmmu_space_app *a, struct gmmu_err *err);
int gmmu_paging_free_range(struct gmmu_paging *p, int asid, const struct gmmu_page_range *r,
                           struct gmmu_err *err);
/** Lets the run go on until every transfer has arrived. */
int gmmu_paging_settle(struct gmmu_paging *p, struct gmmu_err *err);

/** For struct gmmu_run. */
struct gmmu_software gmmu_paging_software(struct gmmu_paging *p);
void gmmu_paging_get_stats(const struct gmmu_paging *p, struct gmmu_paging_stats *s);

#endif
