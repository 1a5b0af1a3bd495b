/* SPDX-License-Identifier: Apache-2.0 */
/** paging_int.h - what paging.c (set-up, driver, host) and paging_run.c (the run) share. */
#ifndef GMMU_RUN_PAGING_INT_H
#define GMMU_RUN_PAGING_INT_H

#include "policy/regs.h"
#include "run/paging.h"

/* A fault that waits, or is to be looked at. */
struct paging_held {
  struct gmmu_drv_fault f;
  uint64_t since;
  uint16_t sm, tag;
};
struct paging_transfer {
  unsigned asid;
  uint64_t va, at; /* cycle in which it arrives */
};
/* A queue in one array. */
struct paging_list {
  struct paging_held *v;
  size_t n, cap;
};

struct gmmu_paging {
  struct gmmu_paging_opts o;
  struct gmmu_mem *mem;
  struct gmmu_env *env;
  struct gmmu_regs_model regs;
  struct gmmu_drv drv;
  struct gmmu_mm *mm;
  struct gmmu_software_run run;
  uint64_t next_table, end_table, data, cycle;
  uint64_t *spare; /* tables given back */
  size_t num_spare, cap_spare;
  struct gmmu_inv_cmd cmd;
  enum { IDLE, ASKED, TAKEN } state;
  bool live, failed, copying, stalled;
  struct paging_list fresh, waiting;
  struct paging_transfer *coming; /* in order of arrival: the bus is one queue */
  size_t first_coming, num_coming, cap_coming;
  struct gmmu_iobus bus;
  double bus_ns;
  uint64_t asked; /* pages, since the start */
  struct gmmu_scan scan;
  struct gmmu_paging_stats stats;
};

/** Time of the run. */
static inline double paging_now_ns(const struct gmmu_paging *p) {
  return (double)p->cycle * 1000.0 / GMMU_CORE_MHZ;
}

#endif
