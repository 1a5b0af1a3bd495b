/* SPDX-License-Identifier: Apache-2.0 */
/** gdm_make.h - what the programs of gdm_prog.h are made with. */
#ifndef GMMU_WORKLOADS_GDM_MAKE_H
#define GMMU_WORKLOADS_GDM_MAKE_H

#include <string.h>

#include "workloads/gdm_prog.h"

/** Bytes that a kernel handles at one time: a power of two, a multiple of all elements. */
#define GDM_TILE 16384u

#define GET(va, p, n)                                    \
  do {                                                   \
    int get_ = m->get(m->arg, (va), (p), (uint64_t)(n)); \
    if (get_) return get_;                               \
  } while (0)
#define PUT(va, p, n)                                    \
  do {                                                   \
    int put_ = m->put(m->arg, (va), (p), (uint64_t)(n)); \
    if (put_) return put_;                               \
  } while (0)

static inline void *gdm_scratch_of(const struct gdm_prog_mem *m, uint64_t bytes) {
  return m->scratch(m->arg, bytes);
}

static inline float gdm_float(uint64_t bits) {
  uint32_t b = (uint32_t)bits;
  float f;
  memcpy(&f, &b, 4);
  return f;
}
static inline uint64_t gdm_bits(float f) {
  uint32_t b;
  memcpy(&b, &f, 4);
  return b;
}

/* A kernel without memory of its own for its work. */
#define GDM_NO_MEMORY (-12)

/* Building a program. Errors (out of memory, unknown region) are collected and found at the end:
 * l->num_steps is then -1. */
int gdm_region(const struct gdm_prog *l, const char *name); /**< index, or -1 */
uint64_t gdm_bytes(const struct gdm_prog *l, const char *name);
int gdm_buf(struct gdm_prog *l, uint64_t bytes,
            void (*fill)(struct gdm_prog *, struct gdm_prog_buf *), bool written);
void gdm_alloc(struct gdm_prog *l, const char *region);
void gdm_free(struct gdm_prog *l, const char *region);
void gdm_htod(struct gdm_prog *l, const char *region, uint64_t offset, int buf, uint64_t buf_offset,
              uint64_t bytes);
void gdm_dtoh(struct gdm_prog *l, int buf, const char *region, uint64_t offset, uint64_t bytes);
void gdm_host(struct gdm_prog *l, void (*host)(struct gdm_prog *), double weight);
struct gdm_prog_step *gdm_launch_step(struct gdm_prog *l, const char *name, gdm_prog_kernel kernel,
                                      double weight);
void gdm_arg_region(struct gdm_prog *l, struct gdm_prog_step *s, const char *region);
void gdm_arg_value(struct gdm_prog_step *s, uint64_t v);
void gdm_arg_scalar(struct gdm_prog_step *s, uint64_t index);

/** Uniform floats in [0, 1). */
void gdm_fill_floats(struct gdm_prog *l, struct gdm_prog_buf *b);
/** A generator for buffer b of this seed. */
struct gmmu_rng gdm_rng(const struct gdm_prog *l, const struct gdm_prog_buf *b);
/** Columns of an image of `bytes` of floats that is about square: full at scale 1, then halved with
 * every second halving. */
uint64_t gdm_columns(const struct gdm_prog *l, uint64_t full);

void gdm_make_backprop(struct gdm_prog *l);
void gdm_make_hj(struct gdm_prog *l);
void gdm_make_hotspot(struct gdm_prog *l);
void gdm_make_kmeans(struct gdm_prog *l);
void gdm_make_mpe(struct gdm_prog *l);
void gdm_make_nn(struct gdm_prog *l);
void gdm_make_srad(struct gdm_prog *l);
void gdm_make_theano(struct gdm_prog *l);
void gdm_make_malicious(struct gdm_prog *l);

#endif
