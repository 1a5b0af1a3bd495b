/* SPDX-License-Identifier: Apache-2.0 */
/* pages.c - the pages that are allocated, by address space and virtual address. */
#include <stdlib.h>

#include "mm/mm_int.h"

struct vpage *mm_find(const struct gmmu_mm *m, unsigned asid, uint64_t va) {
  uint64_t key = key_of(asid, va);
  struct vpage *v;
  if ((uint64_t)((int64_t)(va << 16) >> 16) != va) return NULL; /* not canonical */
  HASH_FIND(hh, m->pages, &key, sizeof key, v);
  return v;
}

void mm_forget(struct gmmu_mm *m, struct vpage *v) {
  HASH_DEL(m->pages, v);
  free(v);
}
