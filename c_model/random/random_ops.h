/* SPDX-License-Identifier: Apache-2.0 */
/** random_ops.h - operations of the random bench's software, as steps (random_sw.h). */
#ifndef GMMU_RANDOM_OPS_H
#define GMMU_RANDOM_OPS_H

#include "random/random_sw.h"

static inline uint64_t sw_clamp(uint64_t v) { return v > 0xfffffffffull ? 0xfffffffffull : v; }
/** A command that covers VFNs lo..hi of the space, not always the smallest. */
struct gmmu_inv_cmd sw_covering(struct rw_world *w, int space, uint64_t lo, uint64_t hi);
/** Nothing else changes the frames of a region (-1: of the space). */
void sw_lock_frames(struct rw_world *w, int space, int region, bool locked);

/* Each fills in the steps of an operation on what it names; false: not now. */
bool sw_make_leaf(struct sw *s, struct sw_op *o, struct rw_frame *f);
bool sw_make_frame(struct sw *s, struct sw_op *o, struct rw_frame *f);
bool sw_make_coalesce(struct sw *s, struct sw_op *o, struct rw_frame *f);
bool sw_make_region(struct sw *s, struct sw_op *o);
bool sw_make_space(struct sw *s, struct sw_op *o);
bool sw_make_toggle(struct sw *s, struct sw_op *o);
bool sw_make_window(struct sw *s, struct sw_op *o);

#endif
