/* SPDX-License-Identifier: Apache-2.0 */
/**
 * l2_unified.h - array of the subregion-aware unified L2 TLB, without a clock: docs/l2_tlb.md,
 * "Unified build". Model of rtl/tlb/gmmu_l2tlb_unified.sv. MESC section IV-C.
 */
#ifndef GMMU_POLICY_L2_UNIFIED_H
#define GMMU_POLICY_L2_UNIFIED_H

#include "policy/invalidate.h"
#include "policy/replace.h"
#include "policy/tlb_data.h"

struct gmmu_uni_entry {
  bool valid, sub; /**< sub: a run of subregions (T=1) */
  uint8_t len;     /**< sub: subregions - 1 */
  uint16_t asid;
  uint64_t vfn;              /**< of the entry's first page */
  struct gmmu_tlb_data data; /**< pfn: of that page; large: a coalesced frame or 2 MiB leaf */
};

struct gmmu_uni {
  int sets, ways;
  int sub_from;                 /**< first way of subregion entries */
  struct gmmu_uni_entry *entry; /**< set * ways + way */
  struct gmmu_replace replace;
};

/** sub_from: first way that subregion entries may use. NULL: out of memory. */
struct gmmu_uni *gmmu_uni_new(int sets, int ways, int sub_from, const struct gmmu_policy *policy);
void gmmu_uni_free(struct gmmu_uni *u);
void gmmu_uni_reset(struct gmmu_uni *u);
/** Index of the entry that translates the page, a subregion entry before a regular one; -1 on a
 * miss. */
int gmmu_uni_lookup(const struct gmmu_uni *u, uint16_t asid, uint64_t vfn);
void gmmu_uni_touch(struct gmmu_uni *u, int index);
/** Fills what a walk for page vfn returned: a large translation or a run (data->sub) as a subregion
 * entry, else a regular one. f: base, sub, way, overwrite, evict, dropped. */
void gmmu_uni_fill(struct gmmu_uni *u, uint16_t asid, uint64_t vfn,
                   const struct gmmu_tlb_data *data, struct gmmu_fill *f);
/** Drops what a fill of these data elsewhere replaces: the regular entry of the page, or subregion
 * entries that overlap. Returns the ways of its set. */
uint32_t gmmu_uni_leave(struct gmmu_uni *u, uint16_t asid, uint64_t vfn,
                        const struct gmmu_tlb_data *data);
/** Does the entry match? */
bool gmmu_uni_matches(const struct gmmu_uni_entry *e, const struct gmmu_inv_cmd *c);
/** Clears matching entries of one set; bit i = way i was cleared. */
uint32_t gmmu_uni_sweep(struct gmmu_uni *u, int set, const struct gmmu_inv_cmd *c);
/** First and last VFN that an entry covers. */
static inline uint64_t gmmu_uni_last(const struct gmmu_uni_entry *e) {
  return e->sub ? e->vfn + ((uint64_t)e->len << 6 | 63) : e->vfn;
}

#endif
