/* SPDX-License-Identifier: Apache-2.0 */
/**
 * page_table.c - builds Sv39 and Sv48 page tables, with Mosaic's CO and DIS bits, in a memory
 * image.
 *
 * Arguments are checked first; what only shows on the way (an overlap, no table frame left) is
 * undone through a journal, so that a failing call leaves no trace. The tables are always read from
 * the image, never from a copy: what a test writes there counts.
 */
#include "tables_int.h"

#include <stdlib.h>
#include <string.h>

struct gmmu_tables *gmmu_tables_new(struct gmmu_mem *m, struct gmmu_env *e, uint64_t lo_pfn,
                                    uint64_t hi_pfn) {
  struct gmmu_tables *t = calloc(1, sizeof *t);
  if (!t) abort();
  t->m = m;
  t->e = e;
  t->next_pfn = lo_pfn ? lo_pfn : 1; /* PTE address 0 means "no table reaches it" */
  t->hi_pfn = hi_pfn;
  return t;
}

void gmmu_tables_free(struct gmmu_tables *t) {
  if (!t) return;
  free(t->journal);
  free(t);
}

/* ---------------------------------------- journal */
void tables_put(struct gmmu_tables *t, uint64_t pa, uint64_t pte) {
  if (t->txns) {
    if (t->journal_len == t->journal_cap) {
      t->journal_cap = t->journal_cap ? 2 * t->journal_cap : 1024;
      t->journal = realloc(t->journal, t->journal_cap * sizeof *t->journal);
      if (!t->journal) abort();
    }
    t->journal[t->journal_len++] = (struct undo){pa, gmmu_mem_read64(t->m, pa)};
  }
  gmmu_mem_write64(t->m, pa, pte);
}

void gmmu_tables_begin(struct gmmu_tables *t, struct gmmu_txn *txn) {
  txn->journal_len = t->journal_len;
  txn->next_pfn = t->next_pfn;
  memcpy(txn->has_root, t->has_root, sizeof txn->has_root);
  memcpy(txn->ctx, t->e->ctx, sizeof txn->ctx);
  t->txns++;
}

void gmmu_tables_end(struct gmmu_tables *t, const struct gmmu_txn *txn, bool keep) {
  t->txns--;
  if (!keep) {
    while (t->journal_len > txn->journal_len) {
      const struct undo *u = &t->journal[--t->journal_len];
      gmmu_mem_write64(t->m, u->pa, u->old);
    }
    t->next_pfn = txn->next_pfn;
    memcpy(t->has_root, txn->has_root, sizeof t->has_root);
    memcpy(t->e->ctx, txn->ctx, sizeof t->e->ctx);
  }
  if (t->txns == 0) t->journal_len = 0;
}

void gmmu_tables_forget(struct gmmu_tables *t, struct gmmu_txn *txn) {
  t->journal_len = txn->journal_len = 0;
}

size_t gmmu_tables_journal(const struct gmmu_tables *t) { return t->journal_len; }

/* The entry keeps the value that is not in memory. */
static void exchange(struct gmmu_tables *t, struct undo *u) {
  uint64_t now = gmmu_mem_read64(t->m, u->pa);
  gmmu_mem_write64(t->m, u->pa, u->old);
  u->old = now;
}

void gmmu_tables_undo(struct gmmu_tables *t, size_t to) {
  for (size_t i = t->journal_len; i-- > to;) exchange(t, &t->journal[i]);
}

void gmmu_tables_redo(struct gmmu_tables *t, size_t to) {
  for (size_t i = to; i < t->journal_len; i++) exchange(t, &t->journal[i]);
}

/* ---------------------------------------- table frames and roots */
/* A zeroed table frame; 0 when there is none left. */
static uint64_t new_table(struct gmmu_tables *t) {
  uint64_t pfn = t->next_pfn;
  if (pfn > t->hi_pfn || pfn >> (t->e->pa_w - 12)) return 0;
  t->next_pfn++;
  for (uint64_t i = 0; i < 512; i++)
    if (gmmu_mem_read64(t->m, pfn << 12 | i << 3)) tables_put(t, pfn << 12 | i << 3, 0);
  return pfn;
}

static int no_table_frame(struct gmmu_err *err) {
  return gmmu_fail(err, "no frame left for page tables");
}

bool gmmu_tables_has_asid(const struct gmmu_tables *t, int asid) {
  return asid >= 0 && asid < GMMU_MAX_ASIDS && t->has_root[asid];
}

int gmmu_tables_add_asid(struct gmmu_tables *t, int asid, int mode, bool ext,
                         struct gmmu_err *err) {
  uint64_t root;

  if (asid < 0 || asid >= t->e->num_asids)
    return gmmu_fail(err, "asid %d is not in 0..%d", asid, t->e->num_asids - 1);
  if (t->has_root[asid]) return gmmu_fail(err, "asid %d has tables already", asid);
  if (mode != GMMU_MODE_SV39 && !(mode == GMMU_MODE_SV48 && t->e->va_w >= 48))
    return gmmu_fail(err, "mode %d is not Sv39, or Sv48 in a build for %d-bit addresses", mode,
                     t->e->va_w);
  root = new_table(t);
  if (!root) return no_table_frame(err);
  t->has_root[asid] = true;
  t->e->ctx[asid].root_pfn = root; /* SUM and MXR are the caller's */
  t->e->ctx[asid].mode = mode;
  t->e->ctx[asid].ext = ext;
  return 0;
}

/* ---------------------------------------- going down */
static uint64_t pte_pa(uint64_t table, uint64_t va, int level) {
  return table << 12 | (va >> (12 + 9 * level) & 511) << 3;
}
static uint64_t span(int level) { return 1ull << (12 + 9 * level); }
static int top_level(const struct gmmu_tables *t, int asid) {
  return t->e->ctx[asid].mode == GMMU_MODE_SV48 ? 3 : 2;
}

uint64_t gmmu_tables_pte_pa(const struct gmmu_tables *t, int asid, uint64_t va, int level) {
  uint64_t table;
  int l;

  if (!gmmu_tables_has_asid(t, asid) || level < 0 || level > top_level(t, asid)) return 0;
  table = t->e->ctx[asid].root_pfn;
  for (l = top_level(t, asid); l > level; l--) {
    uint64_t pte = gmmu_mem_read64(t->m, pte_pa(table, va, l));
    if (!pte_valid(pte) || pte_leaf(pte)) return 0;
    table = GMMU_PTE_PPN(pte);
  }
  return pte_pa(table, va, level);
}

int gmmu_tables_set_pte(struct gmmu_tables *t, int asid, uint64_t va, int level, uint64_t pte,
                        struct gmmu_err *err) {
  uint64_t pa = gmmu_tables_pte_pa(t, asid, va, level);
  if (!pa)
    return gmmu_fail(err, "asid %d va 0x%llx: no table at level %d", asid, (unsigned long long)va,
                     level);
  tables_put(t, pa, pte);
  return 0;
}

/* ---------------------------------------- arguments */
int tables_check_range(const struct gmmu_tables *t, int asid, uint64_t va, uint64_t bytes,
                       uint64_t align, struct gmmu_err *err) {
  int bits;
  uint64_t top_first, top_last;

  if (!gmmu_tables_has_asid(t, asid)) return gmmu_fail(err, "asid %d has no tables", asid);
  if (bytes == 0) return gmmu_fail(err, "the range is empty");
  if ((va | bytes) & (align - 1))
    return gmmu_fail(err, "va 0x%llx or size 0x%llx is not a multiple of 0x%llx",
                     (unsigned long long)va, (unsigned long long)bytes, (unsigned long long)align);
  bits = t->e->ctx[asid].mode == GMMU_MODE_SV48 ? 48 : 39;
  top_first = (uint64_t)((int64_t)va >> (bits - 1));
  top_last = (uint64_t)((int64_t)(va + bytes - 1) >> (bits - 1));
  if ((top_first != 0 && top_first != ~0ull) || top_last != top_first || va + bytes - 1 < va)
    return gmmu_fail(err, "va 0x%llx..0x%llx is not sign-extended from bit %d (Sv%d)",
                     (unsigned long long)va, (unsigned long long)(va + bytes - 1), bits - 1, bits);
  return 0;
}

static int check_map(const struct gmmu_tables *t, int asid, uint64_t va, uint64_t pa,
                     uint64_t bytes, uint64_t bits, int kind, struct gmmu_err *err) {
  uint64_t align = kind == GMMU_MAP_4K ? GMMU_PAGE : GMMU_LARGE_PAGE, end = 1ull << t->e->pa_w;

  if (kind < GMMU_MAP_4K || kind > GMMU_MAP_COALESCED)
    return gmmu_fail(err, "unknown kind %d", kind);
  if (tables_check_range(t, asid, va, bytes, align, err)) return -1;
  if (pa & (align - 1))
    return gmmu_fail(err, "pa 0x%llx is not a multiple of 0x%llx", (unsigned long long)pa,
                     (unsigned long long)align);
  if (pa >= end || bytes > end - pa)
    return gmmu_fail(err, "pa 0x%llx..0x%llx is beyond %d bits", (unsigned long long)pa,
                     (unsigned long long)(pa + bytes - 1), t->e->pa_w);
  if (bits >> 8)
    return gmmu_fail(err, "leaf bits 0x%llx are more than 8 bits", (unsigned long long)bits);
  if (!(bits & (GMMU_PTE_R | GMMU_PTE_X))) return gmmu_fail(err, "a leaf needs r or x");
  if ((bits & GMMU_PTE_W) && !(bits & GMMU_PTE_R)) return gmmu_fail(err, "w without r is reserved");
  if (kind == GMMU_MAP_COALESCED && !t->e->ctx[asid].ext)
    return gmmu_fail(err, "asid %d has no contiguity extension: it cannot hold coalesced frames",
                     asid);
  return 0;
}

int gmmu_tables_check_map(const struct gmmu_tables *t, const struct gmmu_map_line *l,
                          struct gmmu_err *err) {
  return check_map(t, l->asid, l->va, l->pa, l->bytes, l->bits,
                   l->kind == GMMU_MAP_DEMAND ? GMMU_MAP_4K : l->kind, err);
}

int gmmu_tables_check_range(const struct gmmu_tables *t, const struct gmmu_map_line *l,
                            struct gmmu_err *err) {
  return tables_check_range(t, l->asid, l->va, l->bytes, GMMU_PAGE, err);
}

bool gmmu_tables_next_frame(const struct gmmu_tables *t, int asid, uint64_t *va, uint64_t last) {
  for (;;) {
    int level = top_level(t, asid);
    for (; level > 1; level--) {
      uint64_t pte = gmmu_mem_read64(t->m, gmmu_tables_pte_pa(t, asid, *va, level));
      if (!pte_valid(pte) || pte_leaf(pte)) break;
    }
    if (level == 1) return true;
    uint64_t end = *va | (span(level) - 1);
    if (end >= last) return false;
    *va = end + 1;
  }
}

/* ---------------------------------------- map */
struct map_job {
  struct gmmu_tables *t;
  uint64_t delta, bits; /* PA = VA + delta */
  int asid, kind;
  struct gmmu_err *err;
};

static int overlap(const struct map_job *j, uint64_t va) {
  return gmmu_fail(j->err, "asid %d va 0x%llx is mapped already", j->asid, (unsigned long long)va);
}

static bool has_valid_pte(const struct gmmu_tables *t, uint64_t table) {
  for (uint64_t i = 0; i < 512; i++)
    if (pte_valid(gmmu_mem_read64(t->m, table << 12 | i << 3))) return true;
  return false;
}

static int write_leaf(const struct map_job *j, uint64_t pa, uint64_t old, uint64_t va, int level) {
  uint64_t dis = j->kind == GMMU_MAP_COALESCED ? GMMU_PTE_DIS : 0;
  /* A leaf table that unmap has emptied may be replaced by a 2 MiB leaf. */
  if (pte_valid(old) && (level == 0 || pte_leaf(old) || has_valid_pte(j->t, GMMU_PTE_PPN(old))))
    return overlap(j, va);
  tables_put(j->t, pa, GMMU_PTE_MAKE((va + j->delta) >> 12, j->bits | dis));
  return 0;
}

/* The table that the PTE at pa points to, made if it is not there. */
static int enter(const struct map_job *j, uint64_t pa, uint64_t pte, uint64_t va, int level,
                 uint64_t *table) {
  uint64_t co = j->kind == GMMU_MAP_COALESCED && level == 1 ? tables_co_bit(j->t) : 0;

  if (pte_valid(pte) && pte_leaf(pte)) return overlap(j, va);
  if (!pte_valid(pte)) {
    *table = new_table(j->t);
    if (!*table) return no_table_frame(j->err);
    tables_put(j->t, pa, GMMU_PTE_MAKE(*table, GMMU_PTE_V | co));
    return 0;
  }
  *table = GMMU_PTE_PPN(pte);
  if (level == 1 && (pte & tables_co_bit(j->t)) && j->t->e->ctx[j->asid].ext) return overlap(j, va);
  if (co)
    tables_put(j->t, pa,
               pte | co); /* an emptied leaf table; if it is not, its leaves report the overlap */
  return 0;
}

/* Maps first..last (inclusive), which lie within this table. */
static int map_in(const struct map_job *j, uint64_t table, int level, uint64_t first,
                  uint64_t last) {
  int leaf_level = j->kind == GMMU_MAP_2M ? 1 : 0;
  for (uint64_t va = first;; va = (va | (span(level) - 1)) + 1) {
    uint64_t pa = pte_pa(table, va, level), pte = gmmu_mem_read64(j->t->m, pa);
    uint64_t stop = va | (span(level) - 1), child = 0;
    if (level == leaf_level) {
      if (write_leaf(j, pa, pte, va, level)) return -1;
    } else if (enter(j, pa, pte, va, level, &child) ||
               map_in(j, child, level - 1, va, stop < last ? stop : last)) {
      return -1;
    }
    if (stop >= last) return 0;
  }
}

int gmmu_tables_map(struct gmmu_tables *t, int asid, uint64_t va, uint64_t pa, uint64_t bytes,
                    uint64_t bits, int kind, struct gmmu_err *err) {
  struct map_job j = {
      .t = t, .delta = pa - va, .bits = bits | GMMU_PTE_V, .asid = asid, .kind = kind, .err = err};
  struct gmmu_txn txn;
  int rc;

  if (check_map(t, asid, va, pa, bytes, bits, kind, err)) return -1;
  uint64_t leaves = bytes >> (kind == GMMU_MAP_2M ? 21 : 12);
  if (leaves > GMMU_MAX_LEAVES - t->leaves)
    return gmmu_fail(err, "more than %u leaf PTEs are mapped in all (32 GiB of 4 KiB pages)",
                     GMMU_MAX_LEAVES);
  t->leaves += leaves;
  gmmu_tables_begin(t, &txn);
  rc = map_in(&j, t->e->ctx[asid].root_pfn, top_level(t, asid), va, va + bytes - 1);
  gmmu_tables_end(t, &txn, rc == 0);
  return rc;
}

/* ---------------------------------------- unmap */
static int unmap_in(struct gmmu_tables *t, const struct gmmu_ctx *ctx, uint64_t table, int level,
                    uint64_t first, uint64_t last, struct gmmu_err *err) {
  for (uint64_t va = first;; va = (va | (span(level) - 1)) + 1) {
    uint64_t pa = pte_pa(table, va, level), pte = gmmu_mem_read64(t->m, pa);
    uint64_t start = va & ~(span(level) - 1), stop = va | (span(level) - 1);
    bool whole = first <= start && last >= stop;
    bool co = level == 1 && ctx->ext && !pte_leaf(pte) && (pte & tables_co_bit(t));

    if (++t->visits > GMMU_MAX_VISITS)
      return gmmu_fail(err, "more than %u PTEs are looked at to unmap in all", GMMU_MAX_VISITS);
    if (pte_valid(pte) && level > 0 && (pte_leaf(pte) || co) && !whole)
      return gmmu_fail(err, "va 0x%llx is part of a large page that is not unmapped whole",
                       (unsigned long long)va);
    if (pte_valid(pte) && (level == 0 || pte_leaf(pte))) tables_put(t, pa, pte & ~GMMU_PTE_V);
    else if (pte_valid(pte)) {
      if (co) tables_put(t, pa, pte & ~tables_co_bit(t));
      if (unmap_in(t, ctx, GMMU_PTE_PPN(pte), level - 1, va, stop < last ? stop : last, err))
        return -1;
    }
    if (stop >= last) return 0;
  }
}

int gmmu_tables_unmap(struct gmmu_tables *t, int asid, uint64_t va, uint64_t bytes,
                      struct gmmu_err *err) {
  struct gmmu_txn txn;
  int rc;

  if (tables_check_range(t, asid, va, bytes, GMMU_PAGE, err)) return -1;
  gmmu_tables_begin(t, &txn);
  rc = unmap_in(t, &t->e->ctx[asid], t->e->ctx[asid].root_pfn, top_level(t, asid), va,
                va + bytes - 1, err);
  gmmu_tables_end(t, &txn, rc == 0);
  return rc;
}
