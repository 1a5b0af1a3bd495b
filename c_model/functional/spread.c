/* SPDX-License-Identifier: Apache-2.0 */
/* spread.c - page tables with one PTE in each 128-byte line (docs/mapping-format.md). */
#include <stdlib.h>

#include "gmmu.h"

#define LEVELS 4
#define BITS 5 /* of a VPN that a level translates; the other 4 choose a PTE of its line */

uint64_t gmmu_spread_va(uint64_t va) {
  uint64_t out = va & 4095;
  if (va >> GMMU_SPREAD_BITS) return va ^ 1ull << 62;
  for (int l = 0; l < LEVELS; l++) {
    uint64_t part = va >> (12 + BITS * l) & ((1 << BITS) - 1);
    out |= (part << 4 | part >> 1) << (12 + 9 * l);
  }
  return out >> 47 ? out | 0xffffull << 48 : out; /* canonical */
}

int gmmu_mapping_spread(struct gmmu_mapping *m, struct gmmu_err *err) {
  size_t pages = 0, n = 0;
  for (size_t i = 0; i < m->n; i++) {
    const struct gmmu_map_line *l = &m->v[i];
    const char *why = NULL;
    if (l->kind != GMMU_MAP_4K) why = "pages are 4 KiB";
    else if ((l->va + l->bytes - 1) >> GMMU_SPREAD_BITS) why = "virtual addresses are below 4 GiB";
    if (why)
      return gmmu_fail(err, "virtual address 0x%llx: SpreadTables = 1: %s",
                       (unsigned long long)l->va, why);
    pages += l->bytes >> 12;
  }
  struct gmmu_map_line *v = malloc((pages ? pages : 1) * sizeof *v);
  if (!v) return gmmu_fail(err, "out of memory");
  for (size_t i = 0; i < m->n; i++)
    for (uint64_t o = 0; o < m->v[i].bytes; o += 4096) {
      v[n] = m->v[i];
      v[n].va = gmmu_spread_va(m->v[i].va + o);
      v[n].pa += o;
      v[n++].bytes = 4096;
    }
  free(m->v);
  *m = (struct gmmu_mapping){v, n};
  return 0;
}
