/* SPDX-License-Identifier: Apache-2.0 */
/* gmmu_tables.h - page tables (c_model/functional/page_table.c). Part of gmmu.h, which says the
 * conventions. */
#ifndef GMMU_TABLES_H
#define GMMU_TABLES_H

#include <stdbool.h>
#include <stdint.h>

#include "gmmu_walk.h"

#ifdef __cplusplus
extern "C" {
#endif

enum gmmu_map_kind {
  GMMU_MAP_4K,
  GMMU_MAP_2M,
  GMMU_MAP_COALESCED,
  GMMU_MAP_DEMAND /**< mapping files only: 4 KiB pages that come when touched */
};
#define GMMU_MAX_LEAVES \
  (1u << 23) /**< mapped by one gmmu_tables in its life: work and memory have a bound */
#define GMMU_MAX_VISITS (1u << 26) /**< PTEs that its gmmu_tables_unmap() looks at */
/** Builds tables of all address spaces in one memory image; table frames come from [lo_pfn,
 * hi_pfn]. */
struct gmmu_tables;
struct gmmu_tables *gmmu_tables_new(struct gmmu_mem *m, struct gmmu_env *e, uint64_t lo_pfn,
                                    uint64_t hi_pfn);
void gmmu_tables_free(struct gmmu_tables *t);
/** Gives ASID a root table; mode as enum gmmu_mode. */
int gmmu_tables_add_asid(struct gmmu_tables *t, int asid, int mode, bool ext, struct gmmu_err *err);
/** Maps [va, va+bytes) to [pa, pa+bytes), both multiples of 4 KiB (2 MiB for the other kinds), leaf
 * bits = low 8 PTE bits. Overlap with an existing mapping, misalignment, non-canonical VA, PA
 * beyond pa_w: error and nothing is changed. */
int gmmu_tables_map(struct gmmu_tables *t, int asid, uint64_t va, uint64_t pa, uint64_t bytes,
                    uint64_t bits, int kind, struct gmmu_err *err);
/** Clears V of the leaves in [va, va+bytes); what is not mapped is skipped. A 2 MiB leaf or
 * coalesced frame must be covered whole (its CO is then cleared too), else error and nothing is
 * changed. */
int gmmu_tables_unmap(struct gmmu_tables *t, int asid, uint64_t va, uint64_t bytes,
                      struct gmmu_err *err);
/** Mosaic's in-place change of the 2 MiB frame at va: CO in the frame PTE, DIS in its 512 leaves.
 * Coalesce: all leaves are valid, contiguous from the start of a physical frame, of equal
 * permissions. Splinter: the frame is coalesced. Else error. */
int gmmu_tables_coalesce(struct gmmu_tables *t, int asid, uint64_t va, struct gmmu_err *err);
int gmmu_tables_splinter(struct gmmu_tables *t, int asid, uint64_t va, struct gmmu_err *err);
/** Overwrites the PTE for va at `level` with any value, to build what gmmu_tables_map refuses.
 * Error if no table reaches it. */
int gmmu_tables_set_pte(struct gmmu_tables *t, int asid, uint64_t va, int level, uint64_t pte,
                        struct gmmu_err *err);
/** Physical address of the PTE for va at `level` (0 = 4 KiB leaf, 1 = frame PTE, ...); 0 if no
 * table reaches it. */
uint64_t gmmu_tables_pte_pa(const struct gmmu_tables *t, int asid, uint64_t va, int level);

#ifdef __cplusplus
}
#endif
#endif
