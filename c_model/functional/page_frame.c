/* SPDX-License-Identifier: Apache-2.0 */
/* page_frame.c - Mosaic's changes of a whole 2 MiB frame in place: coalesce and splinter. */
#include "tables_int.h"

/* The leaf table of the frame at va; 0 and *err if the frame PTE points to none. *pte: the frame
 * PTE. */
static uint64_t leaf_table(const struct gmmu_tables *t, int asid, uint64_t va, uint64_t *pte,
                           struct gmmu_err *err) {
  uint64_t pa;
  if (tables_check_range(t, asid, va, GMMU_LARGE_PAGE, GMMU_LARGE_PAGE, err)) return 0;
  pa = gmmu_tables_pte_pa(t, asid, va, 1);
  *pte = pa ? gmmu_mem_read64(t->m, pa) : 0;
  if (pte_valid(*pte) && !pte_leaf(*pte)) return GMMU_PTE_PPN(*pte);
  gmmu_fail(err, "asid %d va 0x%llx: no leaf table", asid, (unsigned long long)va);
  return 0;
}

static void set_frame(struct gmmu_tables *t, int asid, uint64_t va, uint64_t table,
                      uint64_t frame_pte, bool on) {
  tables_put(t, gmmu_tables_pte_pa(t, asid, va, 1),
             on ? frame_pte | tables_co_bit(t) : frame_pte & ~tables_co_bit(t));
  for (uint64_t i = 0; i < 512; i++) {
    uint64_t pte = gmmu_mem_read64(t->m, table << 12 | i << 3);
    tables_put(t, table << 12 | i << 3, on ? pte | GMMU_PTE_DIS : pte & ~GMMU_PTE_DIS);
  }
}

int gmmu_tables_coalesce(struct gmmu_tables *t, int asid, uint64_t va, struct gmmu_err *err) {
  uint64_t frame_pte, table = leaf_table(t, asid, va, &frame_pte, err), first;

  if (!table) return -1;
  if (!t->e->ctx[asid].ext)
    return gmmu_fail(err, "asid %d has no contiguity extension: it cannot hold coalesced frames",
                     asid);
  if (frame_pte & tables_co_bit(t))
    return gmmu_fail(err, "asid %d va 0x%llx: the frame is coalesced already", asid,
                     (unsigned long long)va);
  first = gmmu_mem_read64(t->m, table << 12);
  if (!pte_valid(first) || GMMU_PTE_PPN(first) & 511)
    return gmmu_fail(err,
                     "asid %d va 0x%llx: its first page is not at the start of a physical frame",
                     asid, (unsigned long long)va);
  for (uint64_t i = 1; i < 512; i++)
    if (gmmu_mem_read64(t->m, table << 12 | i << 3) != first + (i << 10))
      return gmmu_fail(err,
                       "asid %d va 0x%llx: not contiguous with the first page of its frame, or of "
                       "other permissions",
                       asid, (unsigned long long)(va + (i << 12)));
  set_frame(t, asid, va, table, frame_pte, true);
  return 0;
}

int gmmu_tables_splinter(struct gmmu_tables *t, int asid, uint64_t va, struct gmmu_err *err) {
  uint64_t frame_pte, table = leaf_table(t, asid, va, &frame_pte, err);

  if (!table) return -1;
  if (!(frame_pte & tables_co_bit(t)))
    return gmmu_fail(err, "asid %d va 0x%llx: the frame is not coalesced", asid,
                     (unsigned long long)va);
  set_frame(t, asid, va, table, frame_pte, false);
  return 0;
}
