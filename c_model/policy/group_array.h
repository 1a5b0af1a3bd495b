/* SPDX-License-Identifier: Apache-2.0 */
/**
 * group_array.h - a base-page array whose entries hold up to four pages of an aligned group of 4
 * (CoLT): docs/colt.md, "Array". Model of rtl/tlb/gmmu_tlb_cam.sv (one set) and
 * rtl/tlb/gmmu_l2tlb_base.sv with Pages=4.
 *
 * Entries are named by an index, set * ways + way. A page lives in set (VFN >> 2) mod sets; no page
 * is in two entries.
 */
#ifndef GMMU_GROUP_ARRAY_H
#define GMMU_GROUP_ARRAY_H

#include "policy/invalidate.h"
#include "policy/replace.h"
#include "policy/tlb_data.h"

struct gmmu_group_entry {
  uint64_t group; /**< VFN >> 2 */
  uint16_t asid;
  uint8_t pages;             /**< bit i: page i of the group is held; 0: invalid entry */
  struct gmmu_tlb_data data; /**< pfn: of page 0, modulo the PFN width */
};

/** Callers may read everything and write only through the functions below. */
struct gmmu_group {
  int sets, ways;
  uint64_t pfn_mask;
  struct gmmu_group_entry *entry;
  struct gmmu_replace replace;
};

/** Invalid entries. NULL: out of memory. */
struct gmmu_group *gmmu_group_new(int sets, int ways, int pfn_w, const struct gmmu_policy *policy);
void gmmu_group_free(struct gmmu_group *g);
void gmmu_group_reset(struct gmmu_group *g);

/** Index of the entry that holds the page, -1 on a miss. Changes nothing. */
int gmmu_group_lookup(const struct gmmu_group *g, uint16_t asid, uint64_t vfn);
/** An entry was used. */
void gmmu_group_touch(struct gmmu_group *g, int index);
/** The page's translation in this entry; its `group` says which pages the entry holds. */
struct gmmu_tlb_data gmmu_group_data(const struct gmmu_group *g, int index, uint64_t vfn);
/** Fills the page and those of data->group; f->base, pages, way, overwrite (an entry took them) and
 * evict are set. */
void gmmu_group_fill(struct gmmu_group *g, uint16_t asid, uint64_t vfn,
                     const struct gmmu_tlb_data *data, struct gmmu_fill *f);
/** The entry loses the pages that match, but for those in `keep`. Returns whether it lost any. */
bool gmmu_group_drop(struct gmmu_group *g, int index, const struct gmmu_inv_cmd *c, uint8_t keep);

#endif
