/* SPDX-License-Identifier: Apache-2.0 */
/**
 * outfile.h - the one way in which files are written.
 *
 * A regular file, or a new one, appears under its name only when it is complete: it is written
 * beside it and then renamed; an existing one keeps its mode. Symbolic links are followed. Devices,
 * pipes and sockets are written to directly, and so are "-" and whatever standard output is. A
 * directory, and a file without any write bit, are errors, for root as well.
 *
 * The names of temporary files are the one thing that the library keeps for the whole process: a
 * signal handler needs them.
 */
#ifndef GMMU_COMMON_OUTFILE_H
#define GMMU_COMMON_OUTFILE_H

#include "gmmu.h"

#ifdef __cplusplus
extern "C" {
#endif

struct gmmu_outfile {
  FILE *f;
  char *path, *target, *tmp; /* as given; where links lead; NULL: written directly */
  char *helper;              /* of gmmu_outfile_helper */
  int slot, helper_slot;
};

int gmmu_outfile_open(struct gmmu_outfile *o, const char *path, struct gmmu_err *err);
/** Flushes, closes and renames it. On error nothing is left behind. */
int gmmu_outfile_commit(struct gmmu_outfile *o, struct gmmu_err *err);
/** Removes the temporary file. Does nothing after commit or without open (all zero). */
void gmmu_outfile_abort(struct gmmu_outfile *o);

/** Whether it can be opened, before work whose result it is for; nothing is left behind. A device
 * or a pipe is not opened. */
int gmmu_outfile_check(const char *path, struct gmmu_err *err);

/** mkstemp of a file that signals remove, until gmmu_scratch_remove: which needs the same string. A
 * descriptor, or -1 and an empty name. */
int gmmu_scratch_make(char *name, struct gmmu_err *err);
void gmmu_scratch_remove(char *name);

/** SIGINT, SIGTERM and other signals that end the program remove the temporary files first. */
void gmmu_outfile_signals(void);

/** A file of a command. */
struct gmmu_file_use {
  const char *option; /**< "--dump", or what an input is, for messages */
  const char *path;   /**< NULL: not used */
  bool out;
};
/** Error if an output is also an input or another output: the same regular file by whatever name,
 * or standard output twice. */
int gmmu_files_apart(const struct gmmu_file_use *v, int n, struct gmmu_err *err);
/** Is it "-", or the regular file or pipe that standard output is? */
bool gmmu_outfile_is_stdout(const char *path);
/** For a file that a library writes by its name: a regular or new one, that can be opened. */
int gmmu_outfile_regular(const char *option, const char *path, struct gmmu_err *err);
/** That library writes another one, o->tmp with this suffix, which goes with it. */
int gmmu_outfile_helper(struct gmmu_outfile *o, const char *suffix, struct gmmu_err *err);
/** It maps its files too, and ends by SIGBUS where there is no room for what is mapped. From now on
 * the program ends instead as by other errors: a line on standard error, exit status 1, temporary
 * files removed. NULL: as before. */
void gmmu_outfile_mapped(const char *path);

#ifdef __cplusplus
}
#endif

#endif
