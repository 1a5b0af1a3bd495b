/* SPDX-License-Identifier: Apache-2.0 */
/** timed_dram_int.h - what timed_dram.c (cycle, turns) and timed_dram_choose.c (banks, choice)
 * share.
 */
#ifndef GMMU_TIMED_DRAM_INT_H
#define GMMU_TIMED_DRAM_INT_H

#include "timed/timed_dram.h"

#define WAY 2u       /* cycles from a request's choice to its queue, unless its bank is idle */
#define SEARCH 3u    /* cycles from a search to what it does to the queues */
#define COLS 4u      /* column commands that stand ready in a group */
#define BEHIND 2u    /* second columns' requests that have yet to leave their queue */
#define RCD_SOON 10u /* ticks before which a column of a bank is looked for, tRCD, */
#define PRE_SOON 4u  /* ... and its PRE */
#define AWAKE 12u    /* cycles after which nothing is under way that no timer began */

struct fifo {
  struct gmmu_dram_req r[2];
  uint32_t n;
};
/* A request between its choice and its queue. */
struct coming {
  struct gmmu_dram_req r;
  enum gmmu_dram_class home;
  bool valid;
  bool adds; /* its conflicts are added up in this cycle */
};
/* What a search found. */
struct found {
  struct gmmu_dram_cmd col, second, row;
};
/* Column commands of a group that stand ready, oldest first. */
struct columns {
  struct gmmu_dram_cmd c[COLS];
  uint32_t n;
};
struct gmmu_dram {
  struct gmmu_dram_cfg c;
  struct gmmu_dram_sched *s;
  uint64_t now;   /* cycle */
  uint64_t tick;  /* ticks of the command clock before this cycle: when the banks' rules count */
  uint32_t ticks; /* in this cycle */
  struct fifo golden;
  struct gmmu_dram_req data[GMMU_DRAM_BUFFER]; /* oldest first */
  uint32_t num_data;
  struct coming way[WAY];        /* the last one enters next */
  struct found search[SEARCH];   /* by the cycle in which it began */
  int group, groups[SEARCH - 1]; /* that this cycle's search is for, those before it; -1: none */
  uint32_t last_group;
  uint32_t to_find[GMMU_DRAM_GROUPS];  /* requests in the queues whose column was not found yet */
  uint32_t found_group, num_found;     /* ... those found a cycle ago */
  struct gmmu_dram_cmd behind[BEHIND]; /* taken, leave in cycles in which nothing else does */
  uint32_t num_behind;
  /* stand ready */
  struct columns cols[GMMU_DRAM_GROUPS];
  uint32_t standing[2];                      /* column commands: reads, writes */
  uint8_t columns_of[GMMU_DRAM_BANKS];       /* ... of each bank */
  struct gmmu_dram_cmd row[GMMU_DRAM_BANKS]; /* of the banks in rows */
  uint32_t rows;
  uint64_t col_given[GMMU_DRAM_GROUPS], row_given[GMMU_DRAM_BANKS]; /* when the last one went */
  /* banks */
  uint32_t open;
  uint64_t act[GMMU_DRAM_BANKS], pre[GMMU_DRAM_BANKS], col[GMMU_DRAM_BANKS];
  uint64_t rd[GMMU_DRAM_GROUPS], wr[GMMU_DRAM_GROUPS], rd_any, wr_any, act_any, faw[4];
  uint32_t faw_at;
  /* refresh */
  uint32_t ref_count, due_for; /* cycles since it is due */
  bool ref_due;
  /* turns */
  bool turns; /* one application has it: thresh_max as it was a cycle ago */
  struct gmmu_dram_turn turn;
  uint32_t app, quota, used, idle;               /* has the turn */
  uint32_t next_app, next_quota;                 /* gets it then, if one was found */
  uint32_t candidate, k, apps, sum, weight, max; /* k: step of the computation for the candidate */
  bool spent, found;
  uint32_t age_count;
  uint64_t awake; /* up to here something may happen without a timer */
};

/* Ticks of the command clock before a cycle; the first cycle before which there were so many. */
static inline uint64_t gmmu_dram_ticks_before(const struct gmmu_dram *d, uint64_t cycle) {
  return cycle * d->c.ratio / GMMU_DRAM_ONE;
}
static inline uint64_t gmmu_dram_cycle_of(const struct gmmu_dram *d, uint64_t ticks) {
  return (ticks * GMMU_DRAM_ONE + d->c.ratio - 1) / d->c.ratio;
}

/** No command that was chosen waits for the controller. */
bool gmmu_dram_nothing_stands(const struct gmmu_dram *d);
/** A search begins, one ends, commands go. */
void gmmu_dram_choose(struct gmmu_dram *d, struct gmmu_dram_out *out);
/** The group of the next cycle's search. entered: of the request that entered a queue in this
 * cycle, -1: none. */
void gmmu_dram_next_group(struct gmmu_dram *d, int entered);
#endif
