/* SPDX-License-Identifier: Apache-2.0 */
/* gmmu_trace.h - traces of memory accesses (c_model/trace/). Part of gmmu.h, which says the
 * conventions. */
#ifndef GMMU_TRACE_H
#define GMMU_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gmmu_base.h"

#ifdef __cplusplus
extern "C" {
#endif

#define GMMU_LANES 64 /**< most lanes a warp may have */
/** One array of an application. */
struct gmmu_array {
  char name[32];
  uint64_t va, bytes;
  bool writable;
  uint32_t line; /**< of a text trace, for messages; else 0 */
};
/** One warp access: a static load/store executed by a warp, or a compute gap. */
struct gmmu_op {
  uint8_t access;            /**< enum gmmu_access, or GMMU_OP_GAP */
  uint8_t bytes;             /**< per lane: 1, 2, 4, 8 or 16 */
  uint8_t lanes;             /**< number of addresses */
  uint32_t gap;              /**< GMMU_OP_GAP: cycles of computation */
  uint64_t addr[GMMU_LANES]; /**< active lanes only, low to high */
};
#define GMMU_OP_GAP 255

/** Where a generator or a reader puts a trace; every callback may be NULL. Order: arrays, then per
 * launch: launch, then for each block in ascending order and each warp of it: warp, ops... */
struct gmmu_trace_sink {
  void *arg;
  int (*array)(void *arg, const struct gmmu_array *a);
  int (*launch)(void *arg, const char *kernel, uint32_t blocks, uint32_t warps_per_block);
  int (*warp)(void *arg, uint32_t block, uint32_t warp);
  int (*op)(void *arg, const struct gmmu_op *op);
};

/** A whole trace in memory, compactly encoded. */
struct gmmu_trace;
/** Reads binary (zstd) or text, told apart by content. Truncated or corrupt: error with file and
 * line or byte. */
struct gmmu_trace *gmmu_trace_read(const char *path, struct gmmu_err *err);
void gmmu_trace_free(struct gmmu_trace *t);
/** Trace builder: a sink that makes a gmmu_trace in memory. finish() gives the trace (NULL on
 * error) and releases the builder. */
struct gmmu_trace_builder;
struct gmmu_trace_builder *gmmu_trace_builder_new(const char *app_name);
struct gmmu_trace_sink gmmu_trace_builder_sink(struct gmmu_trace_builder *b);
struct gmmu_trace *gmmu_trace_builder_finish(struct gmmu_trace_builder *b, struct gmmu_err *err);
/** The same accesses with 64 lanes a warp: warps 2k and 2k+1 of each block run together, operation
 * by operation; where the two differ (access, bytes), one after the other. NULL on error. */
struct gmmu_trace *gmmu_trace_widen(const struct gmmu_trace *t, struct gmmu_err *err);
/** Writes a temporary file beside path, then renames: never a partial file. */
int gmmu_trace_write(const struct gmmu_trace *t, const char *path, bool text, struct gmmu_err *err);

const char *gmmu_trace_app(const struct gmmu_trace *t);
uint32_t gmmu_trace_num_arrays(const struct gmmu_trace *t);
const struct gmmu_array *gmmu_trace_array(const struct gmmu_trace *t, uint32_t i);
uint32_t gmmu_trace_num_launches(const struct gmmu_trace *t);
uint32_t gmmu_trace_blocks(const struct gmmu_trace *t, uint32_t launch);
uint32_t gmmu_trace_warps_per_block(const struct gmmu_trace *t, uint32_t launch);
const char *gmmu_trace_kernel(const struct gmmu_trace *t, uint32_t launch);
uint64_t gmmu_trace_num_ops(const struct gmmu_trace *t); /**< accesses, gaps not counted */
/** Lines of all accesses together up to which a reader should count, by the size of the file:
 * docs/trace-format.md. */
uint64_t gmmu_trace_max_lines(const struct gmmu_trace *t);

/** Reads one warp's ops in order. Small (no allocation), copyable. */
struct gmmu_cursor {
  const uint8_t *p, *end;
  uint64_t prev, stride; /**< decoder state: the access before; prev_addr only if not affine */
  uint64_t prev_addr[GMMU_LANES];
  uint8_t prev_lanes;
  bool affine;
};
void gmmu_trace_cursor(const struct gmmu_trace *t, uint32_t launch, uint32_t block, uint32_t warp,
                       struct gmmu_cursor *c);
/** Returns false at the end of the warp. */
bool gmmu_cursor_next(struct gmmu_cursor *c, struct gmmu_op *op);

/** Distinct 128-byte lines of an op, lanes low to high; an access that crosses a line counts both.
 * Returns the number (at most 2 * lanes); lines[] are byte addresses / 128. */
int gmmu_coalesce_lines(const struct gmmu_op *op, uint64_t lines[2 * GMMU_LANES]);
/** Distinct pages of those lines, in order; pages[] are VA >> 12 (all 52 bits). */
int gmmu_coalesce_pages(const uint64_t *lines, int nlines, uint64_t pages[2 * GMMU_LANES]);

#ifdef __cplusplus
}
#endif
#endif
