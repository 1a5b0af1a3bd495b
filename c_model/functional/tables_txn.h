/* SPDX-License-Identifier: Apache-2.0 */
/**
 * tables_txn.h - all-or-nothing changes of page tables, for a mapping of many lines. Between begin
 * and end every PTE write is journalled. May be nested: an inner rollback undoes the inner changes
 * only.
 */
#ifndef GMMU_TABLES_TXN_H
#define GMMU_TABLES_TXN_H

#include "gmmu.h"

struct gmmu_txn {
  size_t journal_len;
  uint64_t next_pfn;
  bool has_root[GMMU_MAX_ASIDS];
  struct gmmu_ctx ctx[GMMU_MAX_ASIDS];
};
void gmmu_tables_begin(struct gmmu_tables *t, struct gmmu_txn *txn);
/** Keeps the changes, or (keep = false) restores tables and contexts as they were at begin. */
void gmmu_tables_end(struct gmmu_tables *t, const struct gmmu_txn *txn, bool keep);
/** Writes journalled so far in the open transactions. */
size_t gmmu_tables_journal(const struct gmmu_tables *t);
/** Puts the tables back to how they were at journal length `to`, and forward again: between the two
 * nothing is written. */
void gmmu_tables_undo(struct gmmu_tables *t, size_t to);
void gmmu_tables_redo(struct gmmu_tables *t, size_t to);
/** Forgets the journal so far: nothing before now is undone any more. */
void gmmu_tables_forget(struct gmmu_tables *t, struct gmmu_txn *txn);
/** What gmmu_tables_map() and gmmu_tables_unmap() would say to the arguments, before the tables are
 * looked at. */
int gmmu_tables_check_map(const struct gmmu_tables *t, const struct gmmu_map_line *l,
                          struct gmmu_err *err);
int gmmu_tables_check_range(const struct gmmu_tables *t, const struct gmmu_map_line *l,
                            struct gmmu_err *err);
/** VA of the next frame PTE at or behind va, at most `last`, of a table that is there: ranges
 * without tables are skipped. False: there is none. */
bool gmmu_tables_next_frame(const struct gmmu_tables *t, int asid, uint64_t *va, uint64_t last);
/** Has add_asid been called for it? */
bool gmmu_tables_has_asid(const struct gmmu_tables *t, int asid);

#endif
