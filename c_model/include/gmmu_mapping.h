/* SPDX-License-Identifier: Apache-2.0 */
/* gmmu_mapping.h - mapping files (c_model/functional/mapping.c). Part of gmmu.h, which says the
 * conventions. */
#ifndef GMMU_MAPPING_H
#define GMMU_MAPPING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gmmu_tables.h"

#ifdef __cplusplus
extern "C" {
#endif

/** One line of a mapping file: asid va pa bytes perms [4k|2m|coalesced|demand]. */
struct gmmu_map_line {
  int asid;
  uint64_t va, pa, bytes, bits;
  int kind, line;
  const char *file; /**< of the line, for messages; the reader's path, which must live as long */
};
struct gmmu_mapping {
  struct gmmu_map_line *v;
  size_t n;
};
/** perms: letters of "rwxug", then optionally "!a" and "!d" to clear A and D (set otherwise, D only
 * with w). */
int gmmu_mapping_parse(char *text, struct gmmu_map_line *l,
                       struct gmmu_err *err); /**< one line; changes the text */
int gmmu_mapping_read(struct gmmu_mapping *m, const char *path, struct gmmu_err *err);
int gmmu_mapping_write(const struct gmmu_mapping *m, const char *path, struct gmmu_err *err);
void gmmu_mapping_free(struct gmmu_mapping *m);
/** Room for `more` lines behind those that are there (more > 0). */
int gmmu_mapping_reserve(struct gmmu_mapping *m, size_t more, struct gmmu_err *err);
/** The next line, to be written; there is room for it. */
struct gmmu_map_line *gmmu_mapping_next(struct gmmu_mapping *m);
/** Applies all lines but demand; ASIDs get a root on first use. Errors name path and line; the
 * tables are then unchanged. */
int gmmu_mapping_apply(const struct gmmu_mapping *m, const char *path, struct gmmu_tables *t,
                       int mode, bool ext, struct gmmu_err *err);

#define GMMU_SPREAD_BITS 32 /**< of virtual addresses that can be spread */
/** Where the spread layout has a virtual address: each level of Sv48 translates 5 bits of the VPN,
 * as the upper 5 of its index, so that PTEs lie in 128-byte lines of their own; the lower 4 repeat
 * 4 of them, for the sets of TLBs. From 4 GiB on: an address that is not canonical. */
uint64_t gmmu_spread_va(uint64_t va);
/** All lines there, page by page. Only 4 KiB pages below 4 GiB; else unchanged. */
int gmmu_mapping_spread(struct gmmu_mapping *m, struct gmmu_err *err);

#ifdef __cplusplus
}
#endif
#endif
