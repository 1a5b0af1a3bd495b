/* SPDX-License-Identifier: Apache-2.0 */
/* paging.c - demand paging: transfers from host memory, faults (Mosaic sections 3.2, 4.1). */
#include "gmmu_walk.h"
#include "mm/mm_int.h"

/* Pages whose transfer or mapping failed go back to the host, which still has their content. */
static int refused(struct gmmu_mm *m, uint32_t first, uint32_t span, int error) {
  if (m->cfg.policy == GMMU_MM_LARGE) first = first / PAGES * PAGES, span = PAGES;
  for (uint32_t p = first; p < first + span; p++) {
    struct vpage *v = m->owner[p];
    if (!v || (v->state != COMING && v->state != DOOMED)) continue;
    if (v->state == COMING) m->frames[p / PAGES].live--;
    cocoa_give(m, p);
    v->span = 0;
    if (v->state == DOOMED) {
      mm_forget(m, v);
    } else {
      v->state = ON_HOST;
      v->page = NONE;
    }
  }
  return error;
}

/* The pages of a transfer are there: maps those that are still allocated. */
static int landed(struct gmmu_mm *m, struct vpage *v, uint32_t span) {
  const unsigned asid = asid_of(v);
  const uint64_t key = v->key, va = va_of(v);
  const uint32_t first = v->page, i = first / PAGES;
  struct frame *f = &m->frames[i];
  v->span = 0;
  if (m->cfg.policy == GMMU_MM_LARGE) {
    int e =
        gmmu_drv_map(m->drv, asid, frame_va(f), pa_of(m, i * PAGES), GMMU_MM_FRAME, v->perms, true);
    if (e) return refused(m, first, span, e);
    f->large = true;
    for (uint32_t k = 0; k < PAGES; k++) {
      struct vpage *w = m->owner[i * PAGES + k];
      if (!w) continue;
      if (w->state == COMING) w->state = HERE, f->here++;
      else w->state = DEAD;
    }
    return cac_after_free(m, i);
  }
  /* Runs of pages that were not freed meanwhile. */
  for (uint32_t k = 0, q; k < span; k = q) {
    for (q = k; q < span && m->owner[first + q]->state == COMING; q++) {}
    if (q == k) {
      struct vpage *gone = m->owner[first + q++];
      cocoa_give(m, gone->page);
      mm_forget(m, gone);
      continue;
    }
    int e = gmmu_drv_map(m->drv, asid, va + (uint64_t)k * GMMU_MM_PAGE, pa_of(m, first + k),
                         (uint64_t)(q - k) * GMMU_MM_PAGE, m->owner[first + k]->perms, false);
    if (e) return refused(m, first + k, span - k, e);
    for (uint32_t p = k; p < q; p++) m->owner[first + p]->state = HERE;
    f->here += q - k;
  }
  return f->kind == K_BLOCK && f->lfn == key >> 9 ? cac_coalesce(m, i) : 0;
}

int paging_bring(struct gmmu_mm *m, struct vpage *v, uint32_t span) {
  bool large = m->cfg.policy == GMMU_MM_LARGE;
  uint64_t bytes = large ? GMMU_MM_FRAME : (uint64_t)span * GMMU_MM_PAGE;
  uint32_t at = large ? v->page / PAGES * PAGES : v->page;
  v->span = span;
  int e = m->host.page_in(m->host.arg, asid_of(v),
                          large ? va_of(v) & ~(uint64_t)(GMMU_MM_FRAME - 1) : va_of(v),
                          pa_of(m, at), bytes);
  if (e < 0) return refused(m, v->page, span, e);
  m->stats.ins++;
  m->stats.in_bytes += bytes;
  return e == 1 ? 0 : landed(m, v, span);
}

int gmmu_mm_arrived(struct gmmu_mm *m, unsigned asid, uint64_t va) {
  struct vpage *v = mm_find(m, asid, va);
  if (m->cfg.policy ==
      GMMU_MM_LARGE) { /* named by its 2 MiB: the first page that was allocated there */
    uint64_t lfn = key_of(asid, va) >> 9;
    struct block *b;
    HASH_FIND(hh, m->blocks, &lfn, sizeof lfn, b);
    for (uint32_t k = 0; b && k < PAGES && !(v && v->span); k++) v = m->owner[b->frame * PAGES + k];
  }
  if (!v || !v->span) return GMMU_MM_ABSENT;
  return landed(m, v, v->span);
}

/* All pages of the 2 MiB that v lies in come together. */
static int bring_large(struct gmmu_mm *m, struct vpage *v) {
  uint64_t base = va_of(v) & ~(uint64_t)(GMMU_MM_FRAME - 1);
  unsigned asid = asid_of(v);
  struct vpage *first = NULL;
  for (uint32_t k = 0; k < PAGES; k++) {
    struct vpage *w = mm_find(m, asid, base + (uint64_t)k * GMMU_MM_PAGE);
    if (!w || w->state != ON_HOST) continue;
    TRY(place_page(m, w));
    if (!first) first = w;
  }
  return paging_bring(m, first, 1);
}

int paging_place_and_bring(struct gmmu_mm *m, struct vpage *v) {
  if (m->cfg.policy == GMMU_MM_LARGE) return bring_large(m, v);
  TRY(place_page(m, v));
  if (!v->block || (v->key & (PAGES - 1)) || m->frames[v->page / PAGES].kind != K_BLOCK)
    return paging_bring(m, v, 1);
  for (uint32_t k = 1; k < PAGES; k++)
    TRY(place_page(m, mm_find(m, asid_of(v), va_of(v) + (uint64_t)k * GMMU_MM_PAGE)));
  return paging_bring(m, v, PAGES);
}

static int resolve(struct gmmu_mm *m, const struct gmmu_drv_fault *f, bool *now) {
  struct vpage *v = mm_find(m, f->asid, f->va);
  unsigned need = f->access == 0   ? GMMU_DRV_R
                  : f->access == 2 ? GMMU_DRV_X
                  : f->access == 1 ? GMMU_DRV_W
                                   : GMMU_DRV_R | GMMU_DRV_W;
  *now = false;
  if (f->cause == GMMU_NON_CANONICAL || f->cause >= GMMU_AF_WALK_WINDOW) return GMMU_MM_ABSENT;
  if (!v || v->state == DOOMED || v->state == DEAD || (v->perms & need) != need)
    return GMMU_MM_ABSENT;
  if (f->user && !(v->perms & GMMU_DRV_U)) return GMMU_MM_ABSENT;
  if (v->state == ON_HOST) {
    if (m->cfg.policy == GMMU_MM_LARGE) {
      TRY(bring_large(m, v));
    } else {
      TRY(place_page(m, v));
      TRY(paging_bring(m, v, 1));
    }
  }
  *now = v->state == HERE; /* also when another fault has brought it */
  return 0;
}

int gmmu_mm_fault(void *mm, const struct gmmu_drv_fault *f) {
  struct gmmu_mm *m = mm;
  bool now;
  m->last_fault = resolve(m, f, &now);
  return m->last_fault == 0 && now ? GMMU_DRV_RESOLVED : GMMU_DRV_LATER;
}

int gmmu_mm_last_fault(const struct gmmu_mm *m) { return m->last_fault; }
