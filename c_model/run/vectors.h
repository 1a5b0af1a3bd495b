/* SPDX-License-Identifier: Apache-2.0 */
/**
 * vectors.h - stimuli and expected answers as text, for simulators that cannot call the golden
 * model (tb/icarus/gmmu_vectors_tb.sv). Page tables do not change while the vectors run.
 *
 * Files written into a directory that exists:
 *   params.vh  configuration and sizes, as localparams
 *   vec.hex    one request a line: sizes allowed, cause, PA, user, access, ASID, VA (fields of
 * whole hex digits) mem.hex    page tables, one 8-byte PTE a line, with a leading error digit
 *   ctx.hex    contexts; win.hex windows
 */
#ifndef GMMU_RUN_VECTORS_H
#define GMMU_RUN_VECTORS_H

#include "gmmu.h"

struct gmmu_vectors_job {
  const struct gmmu_config *config;
  const struct gmmu_env *env;
  const struct gmmu_mem *mem;
  uint64_t mem_lo, mem_hi;    /**< byte addresses of the tables, hi exclusive */
  const struct gmmu_req *req; /**< asid, va, access, user of each request */
  size_t per_sm;              /**< requests of each SM: req[sm * per_sm + i] */
};
/** Whether `dir` is one for files; before work whose result they are. */
int gmmu_vectors_check(const char *dir, struct gmmu_err *err);
int gmmu_vectors_write(const struct gmmu_vectors_job *job, const char *dir, struct gmmu_err *err);

/** Requests for a kernel: its warp accesses coalesced to pages, dealt to the SMs warp by warp.
 * Returns the number per SM (at most max); *req is allocated. */
size_t gmmu_vectors_from_trace(const struct gmmu_trace *t, int asid, int num_sms, size_t max,
                               struct gmmu_req **req);

/** A random page-table set in `mem` with every fault cause, and random requests for it. */
int gmmu_vectors_random(const struct gmmu_config *c, uint64_t seed, struct gmmu_env *env,
                        struct gmmu_mem *mem, uint64_t table_lo_pfn, uint64_t table_hi_pfn,
                        size_t per_sm, struct gmmu_req **req, struct gmmu_err *err);
#endif
