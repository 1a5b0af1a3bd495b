/* SPDX-License-Identifier: Apache-2.0 */
/** changes_int.h - what changes.c (while a run goes on) and changes_file.c (the file) share. */
#ifndef GMMU_RUN_CHANGES_INT_H
#define GMMU_RUN_CHANGES_INT_H

#include <uthash.h>

#include "functional/tables_txn.h"
#include "gmmu_mm.h"
#include "run/changes.h"
#include "run/run.h"

#define ABSENT UINT64_MAX
#define COMING (UINT64_MAX - 1)
#define VFNS ((1ull << 36) - 1)

enum kind { MAP, UNMAP, INVALIDATE, COALESCE, SPLINTER, KINDS };

struct change {
  enum kind kind;
  bool by_seq;
  uint64_t at;
  int line;
  struct gmmu_map_line
      map;        /* map: all of it; unmap, coalesce, splinter, invalidate: asid, va, bytes */
  uint8_t inv;    /* invalidate: enum of the command */
  size_t journal; /* 1 + length of the tables' journal before it; 0: not begun */
  uint64_t acknowledged; /* cycle */
};
/* A page of a demand line that was touched. */
struct touched {
  uint64_t page;
  uint64_t since; /* ABSENT, COMING, or the cycle in which it was mapped */
  UT_hash_handle hh;
};
struct demand {
  struct gmmu_map_line l;
  struct touched *pages;
};
struct held {
  uint64_t asid, va, since;
  uint16_t sm, tag;
};
struct transfer {
  size_t line;
  uint64_t page, at;
};

struct gmmu_changes {
  const char *path;
  const struct gmmu_config *c;
  struct gmmu_space *space;
  struct gmmu_txn txn; /* never ended: the journal knows every value that was replaced */
  struct change *list;
  size_t num, next, cap;
  bool writes_done; /* of ev[next]: only its invalidation is left */
  enum { IDLE, ASKED, TAKEN } state;
  struct gmmu_inv_cmd cmd;
  uint64_t cycle;
  struct demand *demand;
  size_t num_demand;
  struct held *held;
  size_t num_held, cap_held;
  struct transfer *coming; /* in order of arrival */
  size_t first_coming, num_coming, cap_coming;
  struct gmmu_iobus bus;
  struct gmmu_fe *fe;
  struct gmmu_check *check;
  struct gmmu_changes_stats stats;
};

/** Reads all changes; an error names path and line. */
int changes_read_file(struct gmmu_changes *h, FILE *f, struct gmmu_err *err);

#endif
