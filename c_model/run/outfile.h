/* SPDX-License-Identifier: Apache-2.0 */
/** outfile.h - an output file that appears under its name only when it is complete. */
#ifndef GMMU_RUN_OUTFILE_H
#define GMMU_RUN_OUTFILE_H

#include "gmmu.h"

struct gmmu_outfile {
  FILE *f;
  char *path, *tmp;
};

/** Opens a temporary file beside path. */
int gmmu_outfile_open(struct gmmu_outfile *o, const char *path, struct gmmu_err *err);
/** Flushes, closes and renames it. On error nothing is left behind. */
int gmmu_outfile_commit(struct gmmu_outfile *o, struct gmmu_err *err);
/** Removes the temporary file. Does nothing after commit or without open (all zero). */
void gmmu_outfile_abort(struct gmmu_outfile *o);

#endif
