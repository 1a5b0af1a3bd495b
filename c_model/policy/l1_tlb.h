/* SPDX-License-Identifier: Apache-2.0 */
/**
 * l1_tlb.h - policy of one L1 TLB, without a clock: docs/l1_tlb.md, "Policy". Model of
 * rtl/tlb/gmmu_l1_tlb.sv.
 *
 * Given the order of events, each call says what must happen. When an answer of the L2 arrives,
 * when it is drained and what is sent is the caller's: the timed model has the queues, the
 * scoreboard follows the device's events. Requests are named by their tag; a tag must not be given
 * twice before it was answered.
 */
#ifndef GMMU_POLICY_L1_TLB_H
#define GMMU_POLICY_L1_TLB_H

#include "policy/group_array.h"
#include "policy/invalidate.h"
#include "policy/tlb_array.h"

#define GMMU_L1_MAX_MSHRS 64

struct gmmu_l1tlb_mshr {
  uint64_t vfn;
  uint16_t asid;
  bool valid, stale;
  bool begun;         /**< a waiter was answered: sent again, it fills nothing more */
  uint8_t store;      /**< class of its requests' stores (env.svadu, else 0) */
  uint8_t owner_warp; /**< of the request that allocated it */
  int32_t first,
      last; /**< waiting tags in order of arrival, linked by gmmu_l1_tlb.next; -1: none */
  struct gmmu_tlb_data data; /**< the L2's answer, once stored */
  uint64_t warp[4];          /**< distinct warps that wait: bit w%64 of word w/64 */
  uint8_t warps, untold; /**< their number (at most 63), and how many of them the L2 was not told */
  uint8_t l2_mshr;       /**< where the L2 keeps the miss, once taken */
  bool taken;
};

/** Callers may read everything and write only through the functions below. */
struct gmmu_l1_tlb {
  struct gmmu_tlb *base, *large;
  struct gmmu_group *groups; /**< config Colt: the base array; `base` then has no ways. Else NULL */
  int num_mshrs;
  bool mark_by_asid; /**< config MarkByAsid */
  uint16_t tag_mask, asid_mask, warp_mask;
  bool count_warps;         /**< config WarpCounters */
  uint64_t free, mergeable; /**< MSHRs: not in use; valid and not stale */
  struct gmmu_l1tlb_mshr mshr[GMMU_L1_MAX_MSHRS];
  struct gmmu_req *req;          /**< per tag: the request */
  int32_t *next;                 /**< per tag: next waiter of its MSHR, or next parked one */
  int32_t park_first, park_last; /**< parked list, -1: empty */
};

struct gmmu_l1_result {
  uint8_t outcome; /**< enum gmmu_l1_outcome */
  uint8_t cause;   /**< of a local fault, else 0 */
  uint16_t tag;
  int way;                   /**< of a hit, else 0 */
  int mshr;                  /**< of an allocation or merge, else 0 */
  uint8_t warp;              /**< of an allocation or merge: to be counted there */
  struct gmmu_tlb_data data; /**< of a hit: the entry */
};

/** That of this SM. NULL: out of memory. */
struct gmmu_l1_tlb *gmmu_l1_new(const struct gmmu_config *c, int sm);
void gmmu_l1_free(struct gmmu_l1_tlb *l);
void gmmu_l1_reset(struct gmmu_l1_tlb *l);

/** The request is kept under its tag, which is returned, until it is answered. */
int gmmu_l1_keep(struct gmmu_l1_tlb *l, const struct gmmu_req *r);
/** Lookup of a new request, which is copied (ASID and tag cut to the width of the ports). */
void gmmu_l1_lookup(struct gmmu_l1_tlb *l, const struct gmmu_env *e, const struct gmmu_req *r,
                    struct gmmu_l1_result *out);
/** Lookup of the request at the head of the parked list, which must not be empty. */
void gmmu_l1_replay(struct gmmu_l1_tlb *l, const struct gmmu_env *e, struct gmmu_l1_result *out);
/** Stores the L2's answer for a valid MSHR. */
void gmmu_l1_store(struct gmmu_l1_tlb *l, int mshr, const struct gmmu_tlb_data *data);
/** The fill before the first waiter of a stored answer is served. */
void gmmu_l1_fill(struct gmmu_l1_tlb *l, int mshr, struct gmmu_fill *f);
/** Takes the next waiter off the MSHR; *last: it was the last one and the MSHR is free. Returns its
 * tag, or -1 if the MSHR has none. */
int gmmu_l1_serve(struct gmmu_l1_tlb *l, int mshr, bool *last);
/** The answer that translation `d` gives to the request with this tag; permission is checked here.
 * `store`: of the MSHR that it waited at, 0 for a hit; a store is checked with the SUM by which its
 * class was chosen. */
void gmmu_l1_respond(const struct gmmu_l1_tlb *l, const struct gmmu_env *e, int tag,
                     const struct gmmu_tlb_data *d, uint8_t store, struct gmmu_rsp *rsp);

/** The warp of a request that allocated or merged is counted; of an MSHR that is free again, not.
 * Returns whether it was one more. */
bool gmmu_l1_count(struct gmmu_l1_tlb *l, int mshr, unsigned warp);
/** The L2 keeps this MSHR's miss in its own: it is to be told of all warps that wait. */
void gmmu_l1_taken(struct gmmu_l1_tlb *l, int mshr, int l2_mshr);
/** Tells the L2: returns the number of warps that it was not told. */
int gmmu_l1_tell(struct gmmu_l1_tlb *l, int mshr);

/** Matching MSHRs become stale. */
void gmmu_l1_mark(struct gmmu_l1_tlb *l, const struct gmmu_inv_cmd *c);
/** Is a miss that a command made stale not answered yet? */
static inline bool gmmu_l1_stale(const struct gmmu_l1_tlb *l) {
  return (~(l->free | l->mergeable) & ~0ull >> (64 - l->num_mshrs)) != 0;
}
/** MSHRs of the command: those of `among` that resend if their answer is stored. */
uint64_t gmmu_l1_matching(const struct gmmu_l1_tlb *l, const struct gmmu_inv_cmd *c,
                          uint64_t among);
/** Ways of the base array. */
int gmmu_l1_base_ways(const struct gmmu_l1_tlb *l);
/** A sweep of this way: clears what matches and was not filled by `f`, the fill of the cycle in
 * which the way is read. Returns whether anything was cleared. */
bool gmmu_l1_sweep_base(struct gmmu_l1_tlb *l, int way, const struct gmmu_inv_cmd *c,
                        const struct gmmu_fill *f);
/** Does the large entry in this way match? */
bool gmmu_l1_large_matches(const struct gmmu_l1_tlb *l, int way, const struct gmmu_inv_cmd *c);

#endif
