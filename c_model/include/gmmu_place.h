/* SPDX-License-Identifier: Apache-2.0 */
/* gmmu_place.h - frames for the arrays of a trace (c_model/contig/place.c). Part of gmmu.h, which
 * says the conventions. */
#ifndef GMMU_PLACE_H
#define GMMU_PLACE_H

#include <stdbool.h>
#include <stdint.h>

#include "gmmu_mapping.h"

#ifdef __cplusplus
extern "C" {
#endif

struct gmmu_trace;
/** Chooses frames for every array of a trace: fills `out` with lines
 * of `asid`, page rounded (2 MiB rounded for the large kinds; arrays that then share a page share a
 * line), perms "rwu", or "ru" if not writable. Frames come from PFN *next_frame (first rounded up
 * to 2 MiB) to hi_pfn (inclusive): contiguous, or when `scattered` in a random order of pages (of 2
 * MiB frames for the large kinds), one line each. *next_frame is left 2 MiB aligned behind them, so
 * that a next call never overlaps. */
int gmmu_place_arrays(const struct gmmu_trace *t, int asid, int kind, bool scattered, uint64_t seed,
                      uint64_t *next_frame, uint64_t hi_pfn, struct gmmu_mapping *out,
                      struct gmmu_err *err);
/** The same with 4 KiB pages in fragmented memory: `target` (0..1) of the pages lie in contiguous
 * subregions (docs/manager.md). */
int gmmu_place_fragmented(const struct gmmu_trace *t, int asid, double target, uint64_t seed,
                          uint64_t *next_frame, uint64_t hi_pfn, struct gmmu_mapping *out,
                          struct gmmu_err *err);

#ifdef __cplusplus
}
#endif
#endif
