/* SPDX-License-Identifier: Apache-2.0 */
/**
 * walk.c - what a page table walk and a request must answer. No state, no time. The order of the
 * checks is docs/walk-rules.md's; rule numbers in comments are that page's.
 */
#include "gmmu.h"

#include <string.h>

#define RESERVED_BITS (~0ull << 54)

const char *gmmu_cause_name(int cause) {
  static const char *const name[GMMU_NUM_CAUSES] = {"ok",
                                                    "pf_invalid",
                                                    "pf_write_only",
                                                    "pf_no_leaf",
                                                    "pf_nonleaf_adu",
                                                    "pf_accessed",
                                                    "pf_dirty",
                                                    "pf_misaligned",
                                                    "pf_reserved",
                                                    "perm",
                                                    "non_canonical",
                                                    "unknown_asid",
                                                    "af_walk_window",
                                                    "af_ppn_window",
                                                    "af_ppn_width",
                                                    "af_mem",
                                                    "bus_burst"};
  return cause >= 0 && cause < GMMU_NUM_CAUSES ? name[cause] : "?";
}

const char *gmmu_access_name(int access) {
  static const char *const name[] = {"r", "w", "x", "a"};
  return access >= GMMU_READ && access <= GMMU_AMO ? name[access] : "?";
}

void gmmu_env_from_config(struct gmmu_env *e, const struct gmmu_config *c) {
  e->num_asids = (int)c->NumAsids;
  e->num_windows = (int)c->NumWindows;
  e->va_w = (int)c->VaW;
  e->pa_w = (int)c->PaW;
  e->frame_bits_in_rsw = c->FrameBitsInRsw != 0;
  e->large_answers = c->L2LargeEntries > 0 || c->L2Unified;
  e->unified = c->L2Unified != 0;
  e->svadu = c->Svadu != 0;
}

/* Rule 1. An Sv48 context in a build for Sv39 counts as off. */
static bool known(const struct gmmu_env *e, int asid) {
  if (asid < 0 || asid >= e->num_asids) return false;
  return e->ctx[asid].mode == GMMU_MODE_SV39 ||
         (e->ctx[asid].mode == GMMU_MODE_SV48 && e->va_w >= 48);
}

/* Bits hi..lo of v all equal? */
static bool same_bits(uint64_t v, int hi, int lo) {
  uint64_t mask = (2ull << (hi - lo)) - 1, bits = v >> lo & mask;
  return bits == 0 || bits == mask;
}

static bool page_in_window(const struct gmmu_env *e, uint64_t lo_pfn, uint64_t hi_pfn, bool walk) {
  for (int i = 0; i < e->num_windows; i++) {
    const struct gmmu_window *w = &e->win[i];
    if ((walk ? w->walk : w->data) && lo_pfn >= w->lo_pfn && hi_pfn <= w->hi_pfn) return true;
  }
  return false;
}

static bool pfn_too_wide(const struct gmmu_env *e, uint64_t pfn) {
  return pfn >> (e->pa_w - 12) != 0;
}

static bool is_leaf(uint64_t pte) { return (pte & (GMMU_PTE_R | GMMU_PTE_X)) != 0; }

/* Rules 3 and 4. */
static int read_pte(const struct gmmu_env *e, uint64_t table_pfn, uint64_t index,
                    gmmu_pte_read_fn rd, void *arg, struct gmmu_xlate *out, uint64_t *pte) {
  uint64_t pa = table_pfn << 12 | index << 3;
  if (!page_in_window(e, table_pfn, table_pfn, true)) return GMMU_AF_WALK_WINDOW;
  out->pte_pa[out->reads++] = pa;
  return rd(arg, pa, pte) ? GMMU_AF_MEM : GMMU_OK;
}

/* Rules 5 to 7: of any PTE. */
static int check_pte(const struct gmmu_env *e, const struct gmmu_ctx *ctx, uint64_t pte,
                     int level) {
  bool may_have_bits = ctx->ext && !e->frame_bits_in_rsw && level == 1 && !is_leaf(pte);
  if (!(pte & GMMU_PTE_V)) return GMMU_PF_INVALID;
  if ((pte & GMMU_PTE_W) && !(pte & GMMU_PTE_R)) return GMMU_PF_WRITE_ONLY;
  if ((pte & RESERVED_BITS) && !may_have_bits) return GMMU_PF_RESERVED;
  return GMMU_OK;
}

/* Rules 8 to 10: of a PTE that points to a table. */
static int check_pointer(const struct gmmu_env *e, uint64_t pte, int level) {
  if (level == 0) return GMMU_PF_NO_LEAF;
  if (pte & (GMMU_PTE_A | GMMU_PTE_D | GMMU_PTE_U)) return GMMU_PF_NONLEAF_ADU;
  return pfn_too_wide(e, GMMU_PTE_PPN(pte)) ? GMMU_AF_PPN_WIDTH : GMMU_OK;
}

/* Which leaf a frame PTE sends the walk to: the first of CO, AC, C of the page's subregion that is
 * set. */
static int leaf_path(const struct gmmu_env *e, const struct gmmu_ctx *ctx, uint64_t pte, int level,
                     uint64_t vfn) {
  bool rsw = e->frame_bits_in_rsw;
  if (level != 1 || !ctx->ext) return GMMU_PATH_OWN;
  if (pte & (rsw ? GMMU_PTE_CO_RSW : GMMU_PTE_CO)) return GMMU_PATH_CO;
  if (!e->unified) return GMMU_PATH_OWN;
  if (pte & (rsw ? GMMU_PTE_AC_RSW : GMMU_PTE_AC)) return GMMU_PATH_AC;
  if (!rsw && (pte & GMMU_PTE_C(vfn >> 6 & 7))) return GMMU_PATH_C;
  return GMMU_PATH_OWN;
}

/* Rules 11 to 14. The leaf covers 4 KiB x 512^level; on path CO it is PTE 0 and covers its frame.
 * On paths AC and C it is the first page of a contiguous run, in which the answered page is some
 * way on. */
static int finish_leaf(const struct gmmu_env *e, const struct gmmu_ctx *ctx, uint64_t pte,
                       int level, int path, uint64_t vfn, struct gmmu_xlate *out) {
  int span_level = path == GMMU_PATH_CO ? 1 : level;
  uint64_t ppn = GMMU_PTE_PPN(pte), offset_mask = (1ull << 9 * span_level) - 1;
  uint64_t run = path == GMMU_PATH_AC ? 512 : path == GMMU_PATH_C ? 64 : 0;
  bool large = span_level > 0 && e->large_answers;
  uint64_t page_mask = large ? 511 : 0;
  bool set = e->svadu && path == GMMU_PATH_OWN; /* hardware sets A and, for a store, D */
  uint64_t pfn = ((ppn | (vfn & offset_mask)) & ~page_mask) + (run ? vfn % run : 0);

  if (ppn & offset_mask) return GMMU_PF_MISALIGNED;
  if (!(pte & GMMU_PTE_A) && !set) return GMMU_PF_ACCESSED;
  /* The answered PFN, not the leaf's: a 512 GiB leaf may begin inside the physical width and end
   * outside. */
  if (pfn_too_wide(e, pfn)) return GMMU_AF_PPN_WIDTH;
  if (!page_in_window(e, pfn, pfn | page_mask, false)) return GMMU_AF_PPN_WINDOW;
  out->pfn = pfn;
  out->r = (pte & GMMU_PTE_R) != 0;
  out->w = (pte & GMMU_PTE_W) != 0;
  out->x = (pte & GMMU_PTE_X) != 0;
  out->u = (pte & GMMU_PTE_U) != 0;
  out->d = (pte & GMMU_PTE_D) != 0 || (set && out->w);
  out->large = large;
  out->path = (uint8_t)path;
  out->no_fill = ctx->ext && level == 0 && span_level == 0 && (pte & GMMU_PTE_DIS) != 0;
  out->whole = run && !out->no_fill && !pfn_too_wide(e, ppn + run - 1) &&
               page_in_window(e, ppn, ppn + run - 1, false);
  return GMMU_OK;
}

static int walk_tables(const struct gmmu_env *e, const struct gmmu_ctx *ctx, uint64_t vfn,
                       gmmu_pte_read_fn rd, void *arg, struct gmmu_xlate *out) {
  uint64_t table = ctx->root_pfn, pte = 0;
  int level = ctx->mode == GMMU_MODE_SV48 ? 3 : 2, path = GMMU_PATH_OWN;

  for (;; level--) {
    uint64_t index = vfn >> 9 * level & 511;
    int cause;
    if (path == GMMU_PATH_C) index &= ~63ull;
    else if (path != GMMU_PATH_OWN) index = 0;
    cause = read_pte(e, table, index, rd, arg, out, &pte);
    if (cause == GMMU_OK) cause = check_pte(e, ctx, pte, level);
    if (cause != GMMU_OK) return cause;
    if (is_leaf(pte)) return finish_leaf(e, ctx, pte, level, path, vfn, out);
    cause = check_pointer(e, pte, level);
    if (cause != GMMU_OK) return cause;
    path = leaf_path(e, ctx, pte, level, vfn);
    table = GMMU_PTE_PPN(pte);
  }
}

void gmmu_walk(const struct gmmu_env *e, int asid, uint64_t vfn, gmmu_pte_read_fn rd, void *arg,
               struct gmmu_xlate *out) {
  memset(out, 0, sizeof *out);
  if (!known(e, asid)) out->cause = GMMU_UNKNOWN_ASID;
  else if (e->ctx[asid].mode == GMMU_MODE_SV39 && !same_bits(vfn, 35, 26))
    out->cause = GMMU_NON_CANONICAL;
  else out->cause = walk_tables(e, &e->ctx[asid], vfn, rd, arg, out);
}

static bool permitted(const struct gmmu_ctx *ctx, const struct gmmu_xlate *x, int access,
                      bool user) {
  if (user && !x->u) return false;
  if (!user && x->u && (!ctx->sum || access == GMMU_EXEC)) return false;
  switch (access) {
    case GMMU_READ: return x->r || (x->x && ctx->mxr);
    case GMMU_WRITE: return x->w;
    case GMMU_EXEC: return x->x;
    case GMMU_AMO: return x->r && x->w;
    default: return false;
  }
}

int gmmu_check_access(const struct gmmu_ctx *ctx, const struct gmmu_xlate *x, int access,
                      bool user) {
  if (!permitted(ctx, x, access, user)) return GMMU_PERM;
  if ((access == GMMU_WRITE || access == GMMU_AMO) && !x->d) return GMMU_PF_DIRTY;
  return GMMU_OK;
}

static int read_mem(void *arg, uint64_t pa, uint64_t *pte) {
  *pte = gmmu_mem_read64(arg, pa);
  return 0;
}

void gmmu_translate(const struct gmmu_env *e, const struct gmmu_mem *m, int asid, uint64_t va,
                    int access, bool user, struct gmmu_answer *out) {
  struct gmmu_xlate x;
  uint64_t vfn = va >> 12 & ((1ull << 36) - 1);

  memset(out, 0, sizeof *out);
  if (!known(e, asid)) {
    out->cause = GMMU_UNKNOWN_ASID;
    return;
  }
  if (!same_bits(va, 63, e->ctx[asid].mode == GMMU_MODE_SV48 ? 47 : 38)) {
    out->cause = GMMU_NON_CANONICAL;
    return;
  }
  gmmu_walk(e, asid, vfn, read_mem, (void *)m, &x); /* read_mem only reads it */
  out->cause = x.cause != GMMU_OK ? x.cause : gmmu_check_access(&e->ctx[asid], &x, access, user);
  if (out->cause != GMMU_OK) return;
  out->pa = (x.pfn + (x.large ? vfn & 511 : 0)) << 12 | (va & 0xfff);
  out->may_be_4k = true; /* an L1 without large array, or a base entry of earlier, answers 4 KiB */
  out->may_be_2m = x.large;
}
