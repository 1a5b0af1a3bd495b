/* SPDX-License-Identifier: Apache-2.0 */
/**
 * gmmu_manager.h - the operating-system side of MESC (section IV): the scan that sets C and AC,
 * what a remap owes, and fragmented memory. Rules and decisions: docs/manager.md.
 *
 * Page tables are read from and written to a memory image; contexts say where they are and whether
 * the contiguity extension is on. Addresses are physical, VFNs are VA[47:12], LFNs VA[47:21].
 */
#ifndef GMMU_MANAGER_H
#define GMMU_MANAGER_H

#include "gmmu.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What a scan found. */
struct gmmu_scan {
  uint64_t frames;     /**< leaf tables looked at (no coalesced frames, no 2 MiB leaves) */
  uint64_t whole;      /**< of them, frames with AC set */
  uint64_t subregions; /**< contiguous subregions (C, or in a frame with AC) */
  uint64_t pages;      /**< valid 4 KiB pages in the frames */
  bool dirtied; /**< a D bit went from 0 to 1 in a page that may be cached: software may invalidate
                   it */
};

/** Algorithm 1 on the frames that VFNs lo..hi touch: sets A, and D where W, in the leaf PTEs of
 * contiguous subregions, then C, and AC if the whole frame is contiguous. Bits are only set, never
 * cleared. Nothing happens if the context is off or has no extension. Adds to *out. */
void gmmu_scan_range(struct gmmu_mem *m, const struct gmmu_env *e, int asid, uint64_t lo,
                     uint64_t hi, struct gmmu_scan *out);

/** The same on every frame that a line touches, each once, whatever the order of lines and files.
 */
int gmmu_scan_mapping(struct gmmu_mem *m, const struct gmmu_env *e, const struct gmmu_mapping *maps,
                      int num, struct gmmu_scan *out, struct gmmu_err *err);

/** What has to be done before and after leaf PTE changes of one page (section IV-D). */
struct gmmu_remap {
  uint64_t frame_pte_pa; /**< 0: no leaf table covers the page, nothing to clear */
  uint64_t frame_pte;    /**< its new value: C of the page's subregion and AC cleared */
  bool clears;           /**< it differs from the present one: write it first */
  bool wait_before; /**< the page is the head of its run: invalidate and wait before the leaf PTE is
                       written */
  struct gmmu_inv_cmd
      inv; /**< after the leaf PTE is written (and before it, if wait_before): this one page */
};
void gmmu_remap_plan(const struct gmmu_mem *m, const struct gmmu_env *e, int asid, uint64_t vfn,
                     struct gmmu_remap *out);

/** Share of `n` pages (ascending VFNs; frame of page k: pfn[k]) that lie in contiguous, aligned
 * subregions. */
double gmmu_contiguous_share(const uint64_t *vfn, const uint64_t *pfn, uint64_t n);

/** Gives each of n pages (ascending VFNs) a frame, counted from 0, in regions of 1 to 2047
 * contiguous frames, so that `target` (0..1) of the pages lie in contiguous subregions, as nearly
 * as n allows. Returns the number of frames spanned, 0: out of memory. Deterministic in seed. */
uint64_t gmmu_fragment(const uint64_t *vfn, uint64_t n, double target, uint64_t seed,
                       uint64_t *pfn);

/** Pages that a trace's arrays occupy, ascending; arrays that share a page are one range, writable
 * if one of them is. */
struct gmmu_page_range {
  uint64_t va, bytes;
  bool writable;
};
/** In units of 2^shift bytes. The caller frees it; NULL: *err says why. */
struct gmmu_page_range *gmmu_array_ranges(const struct gmmu_trace *t, unsigned shift, size_t *n,
                                          struct gmmu_err *err);

#ifdef __cplusplus
}
#endif

#endif
