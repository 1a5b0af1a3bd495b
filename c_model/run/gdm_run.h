/* SPDX-License-Identifier: Apache-2.0 */
/** gdm_run.h - GDM's benchmarks (workloads/gdm_prog.h) as applications above the device memory
 * manager (gmmu_gdm.h). */
#ifndef GMMU_RUN_GDM_RUN_H
#define GMMU_RUN_GDM_RUN_H

#include "gmmu_gdm.h"
#include "workloads/gdm_prog.h"

#define GDM_RUN_APPS 8
#define GDM_RUN_REPS 256
#define GDM_RUN_MARKS 128

/** An application's repetitions. Times in nanoseconds of the simulation. */
struct gdm_run_app {
  struct gdm_prog *prog;
  struct gdm_run *run;
  uint64_t *hash, last[GDM_PROG_REGIONS]; /**< the reference: gdm_prog_flat() */
  bool endless;                           /**< it loops until the others have ended */
  unsigned asid;                          /**< of its first repetition */
  unsigned loops;               /**< times that an endless program has been through its loop */
  unsigned reps;                /**< complete ones; those that count ended before run->stop_ns */
  unsigned played;              /**< complete ones, also those that do not count */
  struct gdm_ctx *ctx;          /**< keep: of all repetitions */
  gdm_ptr at[GDM_PROG_REGIONS]; /**< keep: regions that are allocated, or 0 */
  uint64_t rep_ns[GDM_RUN_REPS];
  double work, rep_work; /**< kernels and copies done, and of one repetition; ns */
  uint64_t mark_ns[GDM_RUN_MARKS],
      mark_free[GDM_RUN_MARKS]; /**< first repetition: length and allocable memory at each HOST step
                                 */
  int marks;
  uint64_t compared, mismatches;
  int error;      /**< enum gdm_error with which it crashed */
  int error_step; /**< step, -1: making the context */
  struct gdm_fault_record fault;
  struct gdm_stats stats; /**< of its complete repetitions and the one that crashed */
};

struct gdm_run {
  /* set before */
  struct gdm_config cfg;
  unsigned reps; /**< of each application at least, fully overlapped */
  bool marks;
  bool keep;   /**< one context for all repetitions; regions stay, but for a program that frees some
                  in between; a program starts   when the one before it has been through its first
                  repetition, repetitions count from when all have */
  bool verify; /**< one more repetition, not in any time, which reads every region before it is
                  freed */
  /* of the run */
  struct gdm *gdm;
  struct gdm_run_app app[GDM_RUN_APPS];
  int num_apps;
  bool stopping, crashed; /**< all have repeated often enough; one has failed */
  uint64_t stop_ns; /**< when all had repeated often enough, or one had crashed and the others'
                       repetitions ended */
  struct gdm_stats stats; /**< of all, at stop_ns */
  uint64_t mismatches;
  bool progress;
  long shown; /* second in which progress was shown last */
};

/** Adds a program with its times; computes its reference. */
int gdm_run_add(struct gdm_run *r, const char *name, const char *regions_ini,
                const char *shares_ini, double dma_share, struct gmmu_err *err);
/** Runs all applications: each starts again until all have run `reps` times, or one has crashed. */
int gdm_run_play(struct gdm_run *r, struct gmmu_err *err);
void gdm_run_free(struct gdm_run *r);
/** Mean of the repetitions; 0 if there is none. */
double gdm_run_mean(const struct gdm_run_app *a);

void gdm_run_table(FILE *f, const struct gdm_run *r);
int gdm_run_json(FILE *f, const struct gdm_run *r, struct gmmu_err *err);

/** Timeline: what the engines did and how much memory each application had, as a picture. */
struct gdm_timeline {
  struct gdm_event *event;
  size_t n, room;
  bool full; /**< more than 2^22 events: the rest is left out */
};
/** For struct gdm_config's event; arg: the timeline. */
void gdm_timeline_event(void *arg, const struct gdm_event *e);
void gdm_timeline_svg(FILE *f, const struct gdm_timeline *t, const struct gdm_run *r);

#endif
