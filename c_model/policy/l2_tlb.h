/* SPDX-License-Identifier: Apache-2.0 */
/**
 * l2_tlb.h - policy of the shared L2 TLB, without a clock: docs/l2_tlb.md, "Policy". Model of
 * rtl/tlb/gmmu_l2_tlb.sv.
 *
 * Order within a cycle, which the caller keeps: mark, sweep, finish, port 0, port 1, served.
 */
#ifndef GMMU_POLICY_L2_TLB_H
#define GMMU_POLICY_L2_TLB_H

#include "policy/group_array.h"
#include "policy/invalidate.h"
#include "policy/l2_unified.h"
#include "policy/share.h"
#include "policy/tlb_array.h"

#define GMMU_L2_MAX_MSHRS 128

struct gmmu_l2tlb_mshr {
  uint64_t vfn;
  uint16_t asid;
  uint8_t store; /**< class of its requests' stores */
  bool valid, stale, done;
  bool early;                    /**< answered early: its subregion is answered from head */
  struct gmmu_tlb_data head;     /**< pfn: of the subregion's first page */
  uint8_t warps;                 /**< sum of the waiting warps that the L1s told, at most 63 */
  uint64_t waiting;              /**< SMs that wait */
  uint8_t l1_mshr[GMMU_MAX_SMS]; /**< for each of them, its L1 MSHR */
  uint8_t warp[GMMU_MAX_SMS];    /**< ... and the warp of its request */
  uint8_t owner_sm, owner_warp;  /**< of the request that allocated it */
};

/** Callers may read everything and write only through the functions below. */
struct gmmu_l2_tlb {
  struct gmmu_tlb *base, *large; /**< split build */
  struct gmmu_uni *uni;          /**< unified build, else NULL */
  struct gmmu_group *groups;     /**< config Colt = 2: the base array, else NULL */
  struct gmmu_uni *bypass;       /**< config BypassEntries, else NULL */
  bool flush;                    /**< config FlushL2 */
  bool mark_by_asid;             /**< config MarkByAsid */
  int num_mshrs, sets;
  int num_stale; /**< MSHRs in use that are stale */
  struct gmmu_share share;
  uint64_t match[GMMU_L2_MAX_MSHRS]; /**< key of an MSHR that takes merges, else 0 */
  struct gmmu_l2tlb_mshr mshr[GMMU_L2_MAX_MSHRS];
};

/** A request of an L1. */
struct gmmu_l2_req {
  uint64_t vfn;
  uint16_t asid;
  uint8_t sm, l1_mshr, warp;
  uint8_t store; /**< class of its stores (env.svadu, else 0) */
};

struct gmmu_l2_result {
  uint8_t outcome;           /**< enum gmmu_l2_outcome */
  int way;                   /**< of a hit, else 0 */
  int mshr;                  /**< of an allocation or merge, else 0 */
  struct gmmu_tlb_data data; /**< of a hit */
};

/** NULL: out of memory. */
struct gmmu_l2_tlb *gmmu_l2_new(const struct gmmu_config *c);
void gmmu_l2_free(struct gmmu_l2_tlb *l);
void gmmu_l2_reset(struct gmmu_l2_tlb *l);

/** may_alloc: false on port 1 if port 0 allocated in the same cycle. */
void gmmu_l2_lookup(struct gmmu_l2_tlb *l, const struct gmmu_l2_req *r, bool may_alloc,
                    struct gmmu_l2_result *out);
/** A walk returned for a valid MSHR: fill (none if it only answers early), and the MSHR takes no
 * more merges. `token`: the warp that allocated the MSHR may fill the TLB (true without fill
 * tokens). */
void gmmu_l2_finish(struct gmmu_l2_tlb *l, int mshr, const struct gmmu_tlb_data *data, bool token,
                    struct gmmu_fill *f);
/** These waiting SMs were given the answer; true: nobody is left to get it. The MSHR is then free
 * if `end`: the walk has ended, this was not its early answer. */
bool gmmu_l2_served(struct gmmu_l2_tlb *l, int mshr, uint64_t sms, bool end);

/** An L1 tells of `warps` more that wait. Not counted (false) if the SM does not wait there or the
 * walk returned. */
bool gmmu_l2_tell(struct gmmu_l2_tlb *l, int mshr, int sm, int warps);

void gmmu_l2_mark(struct gmmu_l2_tlb *l, const struct gmmu_inv_cmd *c);
/** Is a miss that a command made stale not answered yet? */
static inline bool gmmu_l2_stale(const struct gmmu_l2_tlb *l) { return l->num_stale > 0; }
/** Clears matching entries of one set; returns the ways cleared, bit i = way i. */
uint32_t gmmu_l2_sweep_set(struct gmmu_l2_tlb *l, int set, const struct gmmu_inv_cmd *c);
/** Does the entry in this way of the bypass cache match? */
bool gmmu_l2_bypass_matches(const struct gmmu_l2_tlb *l, int way, const struct gmmu_inv_cmd *c);
void gmmu_l2_bypass_drop(struct gmmu_l2_tlb *l, int way);
static inline int gmmu_l2_bypass_ways(const struct gmmu_l2_tlb *l) {
  return l->bypass ? l->bypass->ways : 0;
}
/** Does the large entry in this way match? */
bool gmmu_l2_large_matches(const struct gmmu_l2_tlb *l, int way, const struct gmmu_inv_cmd *c);

#endif
