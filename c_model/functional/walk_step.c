/* SPDX-License-Identifier: Apache-2.0 */
/** walk_step.c - see walk_step.h; rule numbers in comments are those of docs/walk-rules.md. */
#include "functional/walk_step.h"

#include <string.h>

#define RESERVED_BITS (~0ull << 54)

/** Are bits hi..lo of v all equal? */
static bool all_equal(uint64_t v, int hi, int lo) {
  uint64_t ones = (2ull << (hi - lo)) - 1, bits = v >> lo & ones;
  return bits == 0 || bits == ones;
}

bool gmmu_ctx_on(const struct gmmu_env *e, int asid) {
  if (asid < 0 || asid >= e->num_asids) return false;
  if (e->ctx[asid].mode == GMMU_MODE_SV48) return e->va_w >= 48;
  return e->ctx[asid].mode == GMMU_MODE_SV39;
}

int gmmu_local_fault(const struct gmmu_env *e, int asid, uint64_t va) {
  if (!gmmu_ctx_on(e, asid)) return GMMU_UNKNOWN_ASID;
  return all_equal(va, 63, e->ctx[asid].mode == GMMU_MODE_SV48 ? 47 : 38) ? GMMU_OK
                                                                          : GMMU_NON_CANONICAL;
}

static bool allowed(const struct gmmu_env *e, uint64_t first, uint64_t last, bool walk) {
  for (int i = 0; i < e->num_windows; i++) {
    const struct gmmu_window *w = &e->win[i];
    if ((walk ? w->walk : w->data) && w->lo_pfn <= first && last <= w->hi_pfn) return true;
  }
  return false;
}

static bool too_wide(const struct gmmu_env *e, uint64_t pfn) { return pfn >> (e->pa_w - 12) != 0; }

/** Address of the PTE of table `pfn` at s->level, and rule 3. */
static int aim(const struct gmmu_env *e, struct gmmu_walk_state *s, uint64_t pfn) {
  uint64_t index = s->vfn >> 9 * s->level & 511;
  if (s->path == GMMU_PATH_CO || s->path == GMMU_PATH_AC) index = 0;
  if (s->path == GMMU_PATH_C) index -= index % 64;
  if (!allowed(e, pfn, pfn, true)) return GMMU_AF_WALK_WINDOW;
  s->pa = pfn << 12 | index << 3;
  return GMMU_OK;
}

int gmmu_walk_begin(const struct gmmu_env *e, int asid, uint64_t vfn, struct gmmu_walk_state *s) {
  const struct gmmu_ctx *ctx;

  if (!gmmu_ctx_on(e, asid)) return GMMU_UNKNOWN_ASID;
  ctx = &e->ctx[asid];
  if (ctx->mode == GMMU_MODE_SV39 && !all_equal(vfn, 35, 26)) return GMMU_NON_CANONICAL;
  *s = (struct gmmu_walk_state){.vfn = vfn, .asid = (uint16_t)asid, .depth = 1};
  s->level = ctx->mode == GMMU_MODE_SV48 ? 3 : 2;
  return aim(e, s, ctx->root_pfn);
}

/** A frame PTE of a context with the extension: the first of CO, AC, C that applies. */
static void choose_path(const struct gmmu_env *e, struct gmmu_walk_state *s, uint64_t pte) {
  uint64_t co = e->frame_bits_in_rsw ? GMMU_PTE_CO_RSW : GMMU_PTE_CO;
  uint64_t ac = e->frame_bits_in_rsw ? GMMU_PTE_AC_RSW : GMMU_PTE_AC;

  s->c = e->frame_bits_in_rsw ? 0 : (uint8_t)(pte >> 54);
  s->table = GMMU_PTE_PPN(pte);
  if (pte & co) s->path = GMMU_PATH_CO;
  else if (e->unified && (pte & ac)) s->path = GMMU_PATH_AC;
  else if (e->unified && (s->c >> (s->vfn >> 6 & 7) & 1)) s->path = GMMU_PATH_C;
}

/** Rules 8 to 10, then 3 for the next PTE. */
static int follow(const struct gmmu_env *e, struct gmmu_walk_state *s, uint64_t pte) {
  const struct gmmu_ctx *ctx = &e->ctx[s->asid];

  if (s->level == 0) return GMMU_PF_NO_LEAF;
  if (pte & (GMMU_PTE_A | GMMU_PTE_D | GMMU_PTE_U)) return GMMU_PF_NONLEAF_ADU;
  if (too_wide(e, GMMU_PTE_PPN(pte))) return GMMU_AF_PPN_WIDTH;
  s->path = GMMU_PATH_OWN;
  if (s->level == 1 && ctx->ext) choose_path(e, s, pte);
  s->level--;
  s->depth++;
  return aim(e, s, GMMU_PTE_PPN(pte));
}

/** Is the leaf the page's own, of which hardware sets A and D? */
static bool sets(const struct gmmu_env *e, const struct gmmu_walk_state *s) {
  return e->svadu && s->path == GMMU_PATH_OWN;
}

/** Rules 11 to 14. */
static int leaf(const struct gmmu_env *e, const struct gmmu_walk_state *s, uint64_t pte,
                struct gmmu_xlate *out) {
  int span_level = s->path == GMMU_PATH_CO ? 1 : s->level;
  uint64_t run = s->path == GMMU_PATH_AC  ? 511
                 : s->path == GMMU_PATH_C ? 63
                                          : 0;  /* pages behind the head */
  uint64_t open = (1ull << 9 * span_level) - 1; /* PFN bits that the leaf leaves to the VFN */
  bool large = span_level > 0 && e->large_answers;
  uint64_t page = large ? 511 : 0;
  uint64_t head = GMMU_PTE_PPN(pte), pfn = ((head | (s->vfn & open)) & ~page) + (s->vfn & run);

  if (GMMU_PTE_PPN(pte) & open) return GMMU_PF_MISALIGNED;
  if (!(pte & GMMU_PTE_A) && !sets(e, s)) return GMMU_PF_ACCESSED;
  if (too_wide(e, pfn)) return GMMU_AF_PPN_WIDTH;
  if (!allowed(e, pfn, pfn | page, false)) return GMMU_AF_PPN_WINDOW;
  out->pfn = pfn;
  out->r = pte & GMMU_PTE_R;
  out->w = pte & GMMU_PTE_W;
  out->x = pte & GMMU_PTE_X;
  out->u = pte & GMMU_PTE_U;
  out->d = pte & GMMU_PTE_D;
  out->large = large;
  out->path = s->path;
  out->no_fill = e->ctx[s->asid].ext && span_level == 0 && (pte & GMMU_PTE_DIS);
  out->whole =
      run && !out->no_fill && !too_wide(e, head + run) && allowed(e, head, head + run, false);
  return GMMU_OK;
}

bool gmmu_walk_step(const struct gmmu_env *e, struct gmmu_walk_state *s, bool err, uint64_t pte,
                    struct gmmu_xlate *out) {
  bool is_leaf = pte & (GMMU_PTE_R | GMMU_PTE_X), ended = true;
  bool frame_bits = e->ctx[s->asid].ext && !e->frame_bits_in_rsw && s->level == 1 && !is_leaf;
  struct gmmu_xlate x;

  s->update = false;
  memset(&x, 0, sizeof x);
  if (err) x.cause = GMMU_AF_MEM;
  else if (!(pte & GMMU_PTE_V)) x.cause = GMMU_PF_INVALID;
  else if ((pte & GMMU_PTE_W) && !(pte & GMMU_PTE_R)) x.cause = GMMU_PF_WRITE_ONLY;
  else if ((pte & RESERVED_BITS) && !frame_bits) x.cause = GMMU_PF_RESERVED;
  else if (is_leaf) x.cause = leaf(e, s, pte, &x);
  else {
    x.cause = follow(e, s, pte);
    ended = x.cause != GMMU_OK;
  }
  if (ended && is_leaf && x.cause == GMMU_OK && sets(e, s)) { /* rule 16 */
    s->old = pte;
    s->set = pte | GMMU_PTE_A | (gmmu_needs_dirty(x.w, x.u, x.d, s->store) ? GMMU_PTE_D : 0);
    s->update = s->set != pte;
    if (s->update) return false;
  }
  if (ended) *out = x;
  return ended;
}

/** Does PTE i of a group stand for the page that follows the requested one's (`own`) at the same
 * distance? */
static bool continues(const struct gmmu_env *e, int asid, uint64_t own, int64_t distance,
                      uint64_t pte) {
  if ((pte & 0xff) != (own & 0xff) || (pte & RESERVED_BITS)) return false;
  if (e->ctx[asid].ext && (pte & GMMU_PTE_DIS)) return false;
  return (int64_t)GMMU_PTE_PPN(pte) == (int64_t)GMMU_PTE_PPN(own) + distance;
}

uint8_t gmmu_walk_group(const struct gmmu_env *e, const struct gmmu_walk_state *s,
                        const uint64_t line[8], const struct gmmu_xlate *x) {
  int page = (int)(s->vfn & 3);
  const uint64_t *pte = &line[s->vfn & 4];
  uint8_t group = (uint8_t)(1u << page);

  if (x->cause) return 0;
  if (x->large) return 15;
  for (int i = 0; i < 4; i++) {
    uint64_t pfn = x->pfn + (uint64_t)(int64_t)(i - page); /* below 0: too wide */
    if (i == page || too_wide(e, pfn) || !allowed(e, pfn, pfn, false)) continue;
    if (s->level == 0 && s->path == GMMU_PATH_OWN &&
        !continues(e, s->asid, pte[page], i - page, pte[i]))
      continue;
    group |= (uint8_t)(1u << i);
  }
  return group;
}
