/* SPDX-License-Identifier: Apache-2.0 */
/**
 * paging.h - the memory manager (gmmu_mm.h) as the software of a run: it allocates the traces' arrays, maps them as they are
 * touched, and pages them out when memory is full. Rules: docs/paging.md.
 *
 * It reaches the device through a register file of the model (policy/regs.h): the driver's commands become invalidations on
 * the pins, contexts and windows the environment. While a command runs the simulation goes on.
 */
#ifndef GMMU_RUN_PAGING_H
#define GMMU_RUN_PAGING_H

#include "frontend/frontend.h"
#include "gmmu_mm.h"
#include "run/space.h"

#define GMMU_CORE_MHZ 1020.0 /**< Mosaic, Table 1: what cycles are in time */

struct gmmu_paging_opts {
  enum gmmu_mm_policy policy;
  bool demand;          /**< pages come when they are touched, over the I/O bus; else all are there at the start */
  uint64_t bytes;       /**< of memory for data, a multiple of 2 MiB */
  double index, occupancy; /**< foreign data in memory at the start (Mosaic section 6.4) */
  uint64_t seed;
};
struct gmmu_paging_stats {
  struct gmmu_mm_stats mm;
  uint64_t faults;      /**< answers with a fault, each replayed later */
  uint64_t commands;    /**< invalidations */
  uint64_t wait;        /**< cycles from a fault to its replay, added up */
  double bus_busy;      /**< share of the run in which the I/O bus carried something */
};

/** By enum gmmu_mm_policy. */
extern const char *const gmmu_manager_names[3];
/** Policy of a preset: mosaic if it holds large translations of coalesced frames, else base. */
enum gmmu_mm_policy gmmu_manager_default(const struct gmmu_config *c);

struct gmmu_paging;
/** Builds page tables in `mem` and the environment, opens the applications' address spaces and allocates their arrays (those
 *  with a trace). NULL: *err says why. */
struct gmmu_paging *gmmu_paging_new(const struct gmmu_config *c, const struct gmmu_paging_opts *o, struct gmmu_mem *mem,
                                    struct gmmu_env *env, const struct gmmu_space_app *apps, int num_apps, struct gmmu_err *err);
void gmmu_paging_free(struct gmmu_paging *p);
/** Allocates a trace's arrays, or a range, in an address space that was opened; while the run goes on if it has begun. */
int gmmu_paging_load(struct gmmu_paging *p, const struct gmmu_space_app *a, bool demand, struct gmmu_err *err);
int gmmu_paging_range(struct gmmu_paging *p, int asid, const struct gmmu_page_range *r, unsigned perms, bool demand, struct gmmu_err *err);
/** Frees them. Nothing accesses them any more. */
int gmmu_paging_unload(struct gmmu_paging *p, const struct gmmu_space_app *a, struct gmmu_err *err);
int gmmu_paging_free_range(struct gmmu_paging *p, int asid, const struct gmmu_page_range *r, struct gmmu_err *err);
/** Lets the run go on until every transfer has arrived. */
int gmmu_paging_settle(struct gmmu_paging *p, struct gmmu_err *err);

/** From here on commands go to the device; `advance` is one cycle of the run (0, or not 0: it cannot go on). */
void gmmu_paging_start(struct gmmu_paging *p, struct gmmu_fe *fe, int (*advance)(void *arg), void *arg);
/** Before eval(): the invalidation port. */
void gmmu_paging_drive(const struct gmmu_paging *p, struct gmmu_pins *pins);
/** After eval(), with this cycle's pins. */
void gmmu_paging_sample(struct gmmu_paging *p, const struct gmmu_pins *pins, uint64_t cycle);
/** An answer of the device. False: wrong, *msg says what was expected. A fault of an allocated page is kept for gmmu_paging_serve(). */
bool gmmu_paging_answer(struct gmmu_paging *p, const struct gmmu_fe_answer *a, char *msg, size_t n);
/** Between two cycles: what has arrived, and faults. -1: it cannot go on. */
int gmmu_paging_serve(struct gmmu_paging *p, struct gmmu_err *err);
/** Somebody waits for a transfer: a silent cycle is not the device's fault. */
bool gmmu_paging_busy(const struct gmmu_paging *p);
void gmmu_paging_get_stats(const struct gmmu_paging *p, struct gmmu_paging_stats *s);

#endif
