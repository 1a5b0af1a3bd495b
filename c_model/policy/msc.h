/* SPDX-License-Identifier: Apache-2.0 */
/**
 * msc.h - memory subregion cache and the search for a run of contiguous subregions, without a
 * clock: docs/msc.md. Model of rtl/walk/gmmu_msc.sv and gmmu_walk_run.sv. MESC section IV-B.
 */
#ifndef GMMU_POLICY_MSC_H
#define GMMU_POLICY_MSC_H

#include "policy/invalidate.h"
#include "policy/tlb_array.h"

/** What a walk knows of its frame's subregions after its early answer. */
struct gmmu_run {
  uint64_t own_pfn, last_pfn; /**< heads: of the walk's own subregion, and the one read last */
  uint8_t own_low, last_low;  /**< low 8 bits of their PTEs */
  int last;                   /**< number of the one read last if it was a valid leaf, else -1 */
  int cur;                    /**< head that is being read */
  uint8_t todo, bitmap;       /**< heads to read; bit i: subregions i and i+1 are contiguous */
  bool insert;                /**< all were read */
};

/** Starts with the head PTE of subregion x, in a frame with these C bits. */
void gmmu_run_begin(struct gmmu_run *r, int x, uint64_t pte, uint8_t c);
/** The PTE of head r->cur, of the walk for subregion x. Returns the next head to read (then
 * r->cur), -1: none. */
int gmmu_run_head(struct gmmu_run *r, int x, uint64_t pte, int pa_w);
/** First subregion of the run round x; *len: subregions - 1. */
int gmmu_run_round(uint8_t bitmap, int x, int *len);

struct gmmu_msc {
  struct gmmu_tlb *t; /**< NULL: no cache is built */
};
/** -1: out of memory. */
int gmmu_msc_init(struct gmmu_msc *m, const struct gmmu_config *c);
void gmmu_msc_free(struct gmmu_msc *m);
void gmmu_msc_reset(struct gmmu_msc *m);
/** Way of the frame's entry and its bitmap, -1 on a miss; a hit becomes most recent. */
int gmmu_msc_lookup(struct gmmu_msc *m, uint16_t asid, uint64_t lfn, uint8_t *bitmap);
void gmmu_msc_insert(struct gmmu_msc *m, uint16_t asid, uint64_t lfn, uint8_t bitmap,
                     struct gmmu_fill *f);
/** Clears matching entries of one set; bit i = way i was cleared. */
uint32_t gmmu_msc_sweep(struct gmmu_msc *m, int set, const struct gmmu_inv_cmd *c);

#endif
