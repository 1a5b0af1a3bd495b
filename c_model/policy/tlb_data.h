/* SPDX-License-Identifier: Apache-2.0 */
/** tlb_data.h - a translation as TLBs hold it and pass it on, and how it is tagged. */
#ifndef GMMU_TLB_DATA_H
#define GMMU_TLB_DATA_H

#include "functional/walk_step.h"

#define GMMU_VFN_MASK ((1ull << 36) - 1)

/** What a walk returned, without the trace of its reads. */
struct gmmu_tlb_data {
  uint64_t pfn; /**< first PFN of the page */
  uint8_t cause;
  bool r, w, x, u, d, large, no_fill;
  uint8_t
      group; /**< CoLT: pages of the aligned group of 4 that share the translation (docs/colt.md) */
  /* unified L2: */
  bool early;    /**< the walk answers now and fills later */
  bool run_only; /**< ... this is that fill: nobody is answered */
  bool sub;      /**< fills subregions start to start+len of the frame (pfn is the page's) */
  uint8_t start, len;
};

static inline struct gmmu_tlb_data gmmu_tlb_data_of(const struct gmmu_xlate *x) {
  return (struct gmmu_tlb_data){.pfn = x->pfn,
                                .cause = (uint8_t)x->cause,
                                .r = x->r,
                                .w = x->w,
                                .x = x->x,
                                .u = x->u,
                                .d = x->d,
                                .large = x->large,
                                .no_fill = x->no_fill,
                                .sub = x->path == GMMU_PATH_AC && x->whole,
                                .len = x->path == GMMU_PATH_AC && x->whole ? 7 : 0};
}

/** An entry without D is none for a store (of this class) that hardware may set D for. */
static inline bool gmmu_tlb_serves(const struct gmmu_tlb_data *d, uint8_t store) {
  return !gmmu_needs_dirty(d->w, d->u, d->d, store);
}

/** Tag of a base entry (n = VFN) or large entry (n = LFN); never 0. */
static inline uint64_t gmmu_tlb_key(uint16_t asid, uint64_t n) {
  return 1ull << 63 | (uint64_t)asid << 36 | n;
}
static inline uint16_t gmmu_tlb_key_asid(uint64_t key) { return (uint16_t)(key >> 36); }
static inline uint64_t gmmu_tlb_key_n(uint64_t key) { return key & GMMU_VFN_MASK; }

/** What a fill did (docs/l1_tlb.md, "Fill"). */
struct gmmu_fill {
  bool base, large;      /**< which array was filled; none: no fill */
  bool overwrite, evict; /**< an entry of the same tag was replaced; a valid entry of another was */
  bool sub;              /**< unified L2: a subregion entry; base is set as well */
  uint32_t dropped;      /**< unified L2: ways of overlapping entries that went */
  bool bypass; /**< the bypass cache was filled, not the L2 TLB: way, overwrite, evict, sub are its
                */
  uint32_t left; /**< bypass ways of entries that were dropped or left for the L2 TLB */
  uint8_t pages; /**< CoLT: pages of the group that were filled */
  int way;
};

#endif
