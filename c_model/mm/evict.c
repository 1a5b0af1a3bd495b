/* SPDX-License-Identifier: Apache-2.0 */
/* evict.c - pages go out to the host to make room (docs/mm.md). */
#include "mm/mm_int.h"

static int page_out(struct gmmu_mm *m, uint32_t page) {
  struct vpage *v = m->owner[page];
  struct frame *f = &m->frames[page / PAGES];
  m->host.page_out(m->host.arg, asid_of(v), va_of(v), pa_of(m, page));
  m->stats.outs++;
  f->here--;
  f->live--;
  v->state = ON_HOST;
  v->page = NONE;
  cocoa_give(m, page);
  return 0;
}

int evict_one(struct gmmu_mm *m) {
  /* The frame that was taken into use first and has pages here, none on their way. */
  uint32_t best = NONE;
  for (uint32_t i = 0; i < m->num_frames; i++) {
    const struct frame *f = &m->frames[i];
    if (f->here && f->here == f->live && (best == NONE || f->born < m->frames[best].born)) best = i;
  }
  if (best == NONE) return 0;
  struct frame *f = &m->frames[best];
  if (f->kind == K_BLOCK) { /* all of it: its contiguity would be gone */
    uint32_t app = f->app;
    uint64_t va = frame_va(f);
    if (f->coalesced) {
      TRY(cac_splinter(m, best));
      f->kind = K_BASE;
    }
    TRY(gmmu_drv_unmap(m->drv, app, va, GMMU_MM_FRAME));
    for (uint32_t p = best * PAGES; p < (best + 1) * PAGES; p++) {
      if (!m->owner[p]) continue;
      if (m->owner[p]->state == HERE) {
        TRY(page_out(m, p));
      } else if (m->owner[p]->state == DEAD) { /* of a 2 MiB page */
        struct vpage *dead = m->owner[p];
        cocoa_give(m, p);
        mm_forget(m, dead);
      }
    }
    return 1;
  }
  for (uint32_t k = 0; k < PAGES; k++) {
    uint32_t p = best * PAGES + (f->hand + k) % PAGES;
    struct vpage *v = m->owner[p];
    if (!v || v == &m->foreign || v->state != HERE) continue;
    f->hand = p % PAGES + 1;
    TRY(gmmu_drv_unmap(m->drv, asid_of(v), va_of(v), GMMU_MM_PAGE));
    TRY(page_out(m, p));
    f->born = ++m->births; /* the others have their turn first */
    return 1;
  }
  return 0;
}
