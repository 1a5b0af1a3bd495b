/* SPDX-License-Identifier: Apache-2.0 */
/** software_tlb.h - the TLB of a thread block, in its scratchpad (ActivePointers sections III-E,
 * IV-D): direct mapped, searched without a lock. An entry keeps one reference of the page cache as
 * long as it is valid, and a count of the block's own links; count -1: somebody changes it. An
 * entry whose count is above 0 is never replaced: who meets it goes past it to the page table. */
#ifndef GMMU_AP_SOFTWARE_TLB_H
#define GMMU_AP_SOFTWARE_TLB_H

#include "apointers/page_cache.h"

struct ap_tlb_entry {
  _Atomic uint64_t key; /* AP_NO_KEY: invalid */
  _Atomic uint32_t frame;
  _Atomic int32_t count;
};

struct ap_tlb {
  struct ap_tlb_entry *entry;
  uint32_t entries; /* 0: none */
};

int ap_tlb_init(struct ap_tlb *t, uint32_t entries);
/** n links more to the page, if an entry holds it. */
bool ap_tlb_get(struct ap_tlb *t, uint64_t key, int32_t n, uint32_t *frame);
/** Puts a page in whose n references the caller holds: they become the entry's. False: they stay
 * the caller's. */
bool ap_tlb_fill(struct ap_tlb *t, struct ap_cache *c, uint64_t key, int32_t n, uint32_t frame);
/** n links fewer of a page that ap_tlb_get or ap_tlb_fill counted. */
void ap_tlb_put(struct ap_tlb *t, uint64_t key, int32_t n);
/** Gives the references of entries without links back; how many. */
uint32_t ap_tlb_flush(struct ap_tlb *t, struct ap_cache *c);
/** While others work: an entry has this page in this frame and at least `held` links. */
bool ap_tlb_holds(const struct ap_tlb *t, uint64_t key, uint32_t frame, uint32_t held);
void ap_tlb_free(struct ap_tlb *t);

#endif
