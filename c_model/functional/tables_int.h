/* SPDX-License-Identifier: Apache-2.0 */
/** tables_int.h - what page_table.c and page_frame.c share. */
#ifndef GMMU_FUNCTIONAL_TABLES_INT_H
#define GMMU_FUNCTIONAL_TABLES_INT_H

#include "tables_txn.h"

struct undo {
  uint64_t pa, old;
};
struct gmmu_tables {
  struct gmmu_mem *m;
  struct gmmu_env *e;
  uint64_t next_pfn, hi_pfn; /* table frames not handed out: next_pfn..hi_pfn */
  bool has_root[GMMU_MAX_ASIDS];
  struct undo *journal;
  size_t journal_len, journal_cap;
  int txns;        /* open transactions */
  uint64_t leaves; /* that were to be mapped so far */
  uint64_t visits; /* PTEs that unmap looked at */
};

static inline bool pte_valid(uint64_t pte) { return (pte & GMMU_PTE_V) != 0; }
static inline bool pte_leaf(uint64_t pte) {
  return (pte & (GMMU_PTE_R | GMMU_PTE_W | GMMU_PTE_X)) != 0;
}
static inline uint64_t tables_co_bit(const struct gmmu_tables *t) {
  return t->e->frame_bits_in_rsw ? GMMU_PTE_CO_RSW : GMMU_PTE_CO;
}
/** Writes a PTE; in a transaction it is journalled. */
void tables_put(struct gmmu_tables *t, uint64_t pa, uint64_t pte);
/** Arguments of every change: of an address space that has a root, both multiples of align. */
int tables_check_range(const struct gmmu_tables *t, int asid, uint64_t va, uint64_t bytes,
                       uint64_t align, struct gmmu_err *err);

#endif
