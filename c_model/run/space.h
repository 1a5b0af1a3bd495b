/* SPDX-License-Identifier: Apache-2.0 */
/**
 * space.h - what the driver does before a run: physical memory, page tables and windows.
 *
 * Tables stand in a physical region of their own, which walks may read and data may not use: the
 * top of physical memory, or the next free place below it when a mapping file uses the top. Window
 * 0 allows walks over it, windows 1 and 2 allow data below and above. (NumWindows = 1: one window
 * allows both everywhere.)
 */
#ifndef GMMU_RUN_SPACE_H
#define GMMU_RUN_SPACE_H

#include "gmmu_manager.h"
#include "run/mapcheck.h"

struct gmmu_space_app {
  const char *path; /**< of the trace, for messages */
  const struct gmmu_trace *trace;
  int asid;
};

struct gmmu_space_opts {
  int kind;          /**< enum gmmu_map_kind, without mapping files */
  bool scattered;    /**< physical frames in random order */
  double fragmented; /**< > 0: 4 KiB pages, this share of them in contiguous subregions */
  bool scan;         /**< MESC's scan sets C and AC afterwards (where the extension is on) */
  uint64_t seed;
};

struct gmmu_space {
  struct gmmu_mem *mem;
  struct gmmu_tables *tables;
  struct gmmu_env env;
  struct gmmu_scan scan;      /**< what the scan found */
  struct gmmu_mapping demand; /**< lines of the mapping files that are not mapped yet */
  struct gmmu_mapcheck *said; /**< what the lines say, without the tables */
};

/** An error of all arrays together, at the largest of them. */
int gmmu_space_blame(struct gmmu_err *err, const struct gmmu_space_app *a, const char *what);
/** Maps the applications' arrays, or the lines of the mapping files if num_maps > 0. */
int gmmu_space_build(struct gmmu_space *s, const struct gmmu_config *c,
                     const struct gmmu_space_opts *o, const struct gmmu_space_app *apps,
                     int num_apps, char *const *maps, int num_maps, struct gmmu_err *err);
void gmmu_space_free(struct gmmu_space *s);

#endif
