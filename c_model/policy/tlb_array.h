/* SPDX-License-Identifier: Apache-2.0 */
/**
 * tlb_array.h - one array of a TLB: tags, contents and a replacement policy. Model of
 * rtl/tlb/gmmu_tlb_cam.sv (one set) and rtl/tlb/gmmu_l2tlb_base.sv.
 *
 * Entries are named by an index, set * ways + way. Lookup, touch, fill and clear take constant time
 * (a hash finds tags; so does the policy): the golden model is looked up once per
 * access of a trace.
 */
#ifndef GMMU_TLB_ARRAY_H
#define GMMU_TLB_ARRAY_H

#include "policy/replace.h"
#include "policy/tlb_data.h"

struct gmmu_tlb;
/** Invalid entries. `ways` 0: an array that is not built, always
 * misses. NULL: out of memory. */
struct gmmu_tlb *gmmu_tlb_new(int sets, int ways, const struct gmmu_policy *policy);
void gmmu_tlb_free(struct gmmu_tlb *t);
void gmmu_tlb_reset(struct gmmu_tlb *t);

/** Index of the entry with this key, -1 on a miss. Changes nothing. */
int gmmu_tlb_lookup(const struct gmmu_tlb *t, uint64_t key);
/** An entry was used. */
void gmmu_tlb_touch(struct gmmu_tlb *t, int index);
/** Puts (key, data) into `set`: over the entry with the same key, else into the lowest-numbered
 * invalid way, else over the policy's victim; it counts as used. Returns the index; f->way,
 * overwrite and evict are set. A key is always filled into the same set; the array is built. */
int gmmu_tlb_fill(struct gmmu_tlb *t, int set, uint64_t key, const struct gmmu_tlb_data *data,
                  struct gmmu_fill *f);
/** Makes an entry invalid; the policy does not see it. */
void gmmu_tlb_clear(struct gmmu_tlb *t, int index);

int gmmu_tlb_sets(const struct gmmu_tlb *t);
int gmmu_tlb_ways(const struct gmmu_tlb *t);
/** Key of an entry, 0 if it is invalid. */
uint64_t gmmu_tlb_key_at(const struct gmmu_tlb *t, int index);
const struct gmmu_tlb_data *gmmu_tlb_data_at(const struct gmmu_tlb *t, int index);

#endif
