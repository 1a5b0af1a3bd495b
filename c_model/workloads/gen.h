/* SPDX-License-Identifier: Apache-2.0 */
/**
 * gen.h - what all kernel generators share: array placement, launches, warps and warp accesses.
 *
 * Errors are sticky: the first non-zero return of a callback is kept in `rc`, every later call does
 * nothing, and the generator returns `rc` at its end. Outer loops test gen_ok() so that an abort is
 * quick.
 */
#ifndef GMMU_GEN_H
#define GMMU_GEN_H

#include "gmmu.h"

#define GEN_WARP 32u /**< lanes of a warp */

/* Cycles of GMMU_OP_GAP. They stand for the arithmetic between accesses; coarse on purpose. */
#define GEN_GAP_ALU 2u  /**< one integer or shared-memory step */
#define GEN_GAP_FMA 4u  /**< one dependent multiply-add */
#define GEN_GAP_LONG 8u /**< a stencil, a tile in shared memory, transcendental functions */

struct gen {
  const struct gmmu_trace_sink *s;
  uint64_t next_va;
  int rc;
  struct gmmu_op op; /**< scratch: op.addr may be filled before gen_emit() */
};

void gen_init(struct gen *g, const struct gmmu_trace_sink *s);
static inline bool gen_ok(const struct gen *g) { return g->rc == 0; }
/** Places an array at the next 2 MiB boundary behind a guard gap of at least 2 MiB; returns its
 * base. */
uint64_t gen_array(struct gen *g, const char *name, uint64_t bytes, bool writable);
void gen_launch(struct gen *g, const char *kernel, uint64_t blocks, uint32_t warps_per_block);
void gen_warp(struct gen *g, uint64_t block, uint32_t warp);
/** Emits an access of `lanes` lanes whose addresses are already in g->op.addr; none if lanes is 0.
 */
void gen_emit(struct gen *g, int access, uint32_t bytes, uint32_t lanes);
/** Lane l accesses va + l * stride (stride 0: broadcast). */
void gen_affine(struct gen *g, int access, uint32_t bytes, uint32_t lanes, uint64_t va,
                uint64_t stride);
void gen_gap(struct gen *g, uint32_t cycles);

/** Full warp of 4-byte words, consecutive. */
static inline void gen_ld(struct gen *g, uint64_t va) {
  gen_affine(g, GMMU_READ, 4, GEN_WARP, va, 4);
}
static inline void gen_st(struct gen *g, uint64_t va) {
  gen_affine(g, GMMU_WRITE, 4, GEN_WARP, va, 4);
}
/** Full warp, one 4-byte word for all lanes. */
static inline void gen_ld_bcast(struct gen *g, uint64_t va) {
  gen_affine(g, GMMU_READ, 4, GEN_WARP, va, 0);
}

/** Number of the `want` lanes from `first` on that are below `limit`: partial last warps. */
static inline uint32_t gen_clip(uint64_t first, uint32_t want, uint64_t limit) {
  return first >= limit ? 0 : limit - first < want ? (uint32_t)(limit - first) : want;
}
/** Checks lo <= n <= hi and n % mult == 0 for kernel `name`; `what` names n in the message. */
int gen_check(const char *name, const char *what, uint64_t n, uint64_t lo, uint64_t hi,
              uint64_t mult, struct gmmu_err *err);

#define GEN_MAX_DIM \
  32768u /**< side of a matrix: 4 GiB of floats, beyond what a trace can be used for */

extern const struct gmmu_workload gen_atax, gen_bicg, gen_mvt, gen_gmv, gen_nw, gen_bfs, gen_2dconv,
    gen_hs, gen_histo, gen_gup, gen_blk, gen_red, gen_corr, gen_covar, gen_grm, gen_sssp, gen_color,
    gen_lud, gen_srad, gen_cons, gen_fwt, gen_scp, gen_scan, gen_trd, gen_lps, gen_3ds, gen_fft,
    gen_mm, gen_bp, gen_nn, gen_sc, gen_qtc, gen_sad, gen_ray, gen_cfd, gen_luh;

#endif
