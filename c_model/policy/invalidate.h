/* SPDX-License-Identifier: Apache-2.0 */
/**
 * invalidate.h - what an invalidation command matches, and the order of its steps. Model of
 * rtl/ctrl/gmmu_invalidate.sv; rules: docs/invalidate.md.
 */
#ifndef GMMU_POLICY_INVALIDATE_H
#define GMMU_POLICY_INVALIDATE_H

#include "gmmu.h"

/** Kind 3 acts as all; ASID and VFNs cut to the width of the ports. */
struct gmmu_inv_cmd gmmu_inv_normal(const struct gmmu_inv_cmd *c, int asid_w);
/** A base entry of one page. */
bool gmmu_inv_hits_page(const struct gmmu_inv_cmd *c, uint16_t asid, uint64_t vfn);
/** An entry that covers pages first to last. */
bool gmmu_inv_hits_run(const struct gmmu_inv_cmd *c, uint16_t asid, uint64_t first, uint64_t last);
/** A large entry. */
bool gmmu_inv_hits_frame(const struct gmmu_inv_cmd *c, uint16_t asid, uint64_t lfn);
/** An MSHR or a walk: by its large frame, or (config MarkByAsid) by its ASID. */
bool gmmu_inv_hits_miss(const struct gmmu_inv_cmd *c, bool by_asid, uint16_t asid, uint64_t vfn);

/** One sweep over `n` places in ascending order, each once. */
struct gmmu_inv_sweep {
  int n, next;
};
/** True if `place` is the one whose turn it is; the turn passes on. */
bool gmmu_inv_visit(struct gmmu_inv_sweep *s, int place);

enum gmmu_inv_step {
  GMMU_INV_IDLE, /**< no command */
  GMMU_INV_MARK, /**< accepted; the mark pulse is due */
  GMMU_INV_L2,   /**< the L2 is swept and drained */
  GMMU_INV_L1    /**< L1s resend and are swept */
};
/** The steps of one command, without a clock: what may come next, and what must be complete before.
 */
struct gmmu_inv_order {
  struct gmmu_inv_cmd cmd;
  enum gmmu_inv_step step;
  int num_sms, l1_base[GMMU_MAX_SMS], l1_large, l2_sets, l2_large, l2_bypass, msc_sets;
  struct gmmu_inv_sweep sets, large, bypass; /**< of the L2 */
  struct gmmu_inv_sweep msc;
  struct gmmu_inv_sweep sm_base[GMMU_MAX_SMS], sm_large[GMMU_MAX_SMS];
};
void gmmu_inv_order_init(struct gmmu_inv_order *o, const struct gmmu_config *c);
/** Each returns NULL, or what is wrong with this step now; the step is then taken all the same. */
const char *gmmu_inv_accept(struct gmmu_inv_order *o, const struct gmmu_inv_cmd *c, int asid_w);
const char *gmmu_inv_mark(struct gmmu_inv_order *o);
const char *gmmu_inv_clear_l1s(struct gmmu_inv_order *o);
const char *gmmu_inv_acknowledge(struct gmmu_inv_order *o);

#endif
