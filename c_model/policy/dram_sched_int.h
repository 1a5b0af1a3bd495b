/* SPDX-License-Identifier: Apache-2.0 */
/** dram_sched_int.h - what dram_sched.c (requests and their lists) and dram_choose.c (the choice)
 * share. */
#ifndef GMMU_POLICY_DRAM_SCHED_INT_H
#define GMMU_POLICY_DRAM_SCHED_INT_H

#include "policy/dram_sched.h"

#define LINES 4096u /* buckets of the count of requests per line */

/* What a request that does not wait asks of its bank. */
enum want { ROW, COL_RD, COL_WR, WANTS };

struct node {
  struct gmmu_dram_req r;
  uint64_t seq; /* order of entering */
  uint8_t waits, age, cls, home, want;
  bool needed, live;
  bool taken;       /* its column was chosen: asks for nothing any more, and leaves soon */
  int prev, next;   /* in the array's order of age; or the golden queue's */
  int lprev, lnext; /* in list[cls][bank][want], while it does not wait */
};
struct list {
  int first, last;
};
struct gmmu_dram_sched {
  struct gmmu_dram_sched_cfg c;
  struct node *n;
  int *unused;
  uint32_t num_unused, total;
  struct list array, golden;
  struct list list[2][GMMU_DRAM_BANKS][WANTS]; /* silver and normal; each oldest first */
  uint32_t has[2][WANTS];                      /* bit per bank: the list is not empty */
  uint32_t count[3], coming[3]; /* by home, normal, silver, golden: in the queues; on the way */
  uint32_t of_bank[GMMU_DRAM_BANKS]; /* requests in the queues; */
  uint32_t idle;                     /* bit per bank: none */
  uint32_t urgent;                   /* requests of the array that are needed or old */
  uint32_t open;
  uint64_t row[GMMU_DRAM_BANKS];
  uint64_t seq;
  bool looked; /* kept and kept_seq are the next request as it was */
  int kept;    /* -1: none */
  uint64_t kept_seq;
  uint16_t lines[LINES];
};

static inline bool in_array(const struct node *x) { return x->home != GMMU_DRAM_GOLDEN; }
static inline bool urgent(const struct node *x) { return x->needed || x->age >= GMMU_DRAM_OLD; }

#endif
