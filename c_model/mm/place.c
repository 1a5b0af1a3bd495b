/* SPDX-License-Identifier: Apache-2.0 */
/* place.c - where a page goes (Mosaic sections 4.2 and 4.4): the frame of its virtual 2 MiB, else a
 * base page; what is given up when nothing is free. */
#include <stdlib.h>

#include "mm/mm_int.h"

/* A frame that is kept for a virtual 2 MiB and has free pages, not coalesced. app NOBODY: of
 * anybody. */
static bool give_up_one(struct gmmu_mm *m, uint32_t app) {
  for (uint32_t i = 0; i < m->num_frames; i++) {
    const struct frame *f = &m->frames[i];
    if (f->kind != K_BLOCK || f->coalesced || f->large || f->taken == PAGES ||
        (app != NOBODY && f->app != app))
      continue;
    cocoa_open_up(m, i);
    m->stats.given_up++;
    return true;
  }
  return false;
}

/* The failsafe of section 4.4. app NOBODY: a frame of anybody. 1: there are free base pages now; 0:
 * no; or an error. */
static int emergency(struct gmmu_mm *m, uint32_t app) {
  for (uint32_t i = m->emergency.first; i != NONE; i = m->frames[i].next) {
    if (app != NOBODY && m->frames[i].app != app) continue;
    TRY(cac_splinter(m, i));
    m->stats.emergencies++;
    return 1;
  }
  return 0;
}

/* Gives up the soft guarantee of one frame that has free pages. */
static bool mix_one(struct gmmu_mm *m) {
  for (uint32_t i = 0; i < m->num_frames; i++)
    if (m->frames[i].kind == K_BASE && m->frames[i].app != MIXED && m->frames[i].taken < PAGES) {
      cocoa_set_app(m, i, MIXED);
      m->stats.mixed++;
      return true;
    }
  return false;
}

static int base_page(struct gmmu_mm *m, uint32_t app, uint32_t *page) {
  const uint32_t own = m->cfg.policy == GMMU_MM_BASE ? MIXED : app;
  for (;;) {
    int e = 0;
    if ((*page = cocoa_base_page(m, own)) != NONE) return 0;
    if (m->cfg.policy == GMMU_MM_MOSAIC) {
      if (m->cfg.cac && (e = cac_make_room(m)) != 0) goto next;
      if (give_up_one(m, app)) continue;
      if ((e = emergency(m, app)) != 0) goto next;
      if ((*page = cocoa_base_page(m, MIXED)) != NONE) return 0;
      if (mix_one(m) || give_up_one(m, NOBODY)) continue;
      if ((e = emergency(m, NOBODY)) != 0) goto next;
    }
    if (!m->cfg.page_out) return GMMU_MM_NO_MEMORY;
    e = evict_one(m);
    if (e == 0) return GMMU_MM_NO_MEMORY;
next:
    if (e < 0) return e;
  }
}

/* Pages of its virtual 2 MiB have places elsewhere: a frame of their own would never be whole. */
static bool scattered(const struct gmmu_mm *m, const struct vpage *v) {
  if (m->cfg.policy == GMMU_MM_LARGE) return false;
  uint64_t base = va_of(v) & ~(uint64_t)(GMMU_MM_FRAME - 1);
  for (uint32_t k = 0; k < PAGES; k++) {
    const struct vpage *w = mm_find(m, asid_of(v), base + (uint64_t)k * GMMU_MM_PAGE);
    if (w && w->page != NONE) return true;
  }
  return false;
}

int place_page(struct gmmu_mm *m, struct vpage *v) {
  uint32_t page, app = asid_of(v);
  if (v->block) {
    uint64_t lfn = lfn_of(v);
    struct block *b;
    HASH_FIND(hh, m->blocks, &lfn, sizeof lfn, b);
    while (!b && !scattered(m, v)) {
      uint32_t i = cocoa_take_free_frame(m, K_BLOCK, app);
      if (i != NONE) {
        if (!(b = calloc(1, sizeof *b))) {
          cocoa_make_free(m, i);
          return GMMU_MM_NO_MEMORY;
        }
        b->key = m->frames[i].lfn = lfn;
        b->frame = i;
        HASH_ADD(hh, m->blocks, key, sizeof b->key, b);
        if (b->hh.tbl) break;
        free(b);
        cocoa_make_free(m, i);
        return GMMU_MM_NO_MEMORY;
      }
      int e = m->cfg.policy == GMMU_MM_MOSAIC && m->cfg.cac ? cac_make_room(m) : 0;
      if (e == 0 && m->cfg.policy == GMMU_MM_LARGE)
        e = m->cfg.page_out ? evict_one(m) : GMMU_MM_NO_MEMORY;
      if (e == 0 && m->cfg.policy == GMMU_MM_LARGE) e = GMMU_MM_NO_MEMORY;
      if (e < 0) return e;
      if (e == 0) break;
    }
    /* In a frame of its own a page has its place; a dead one that is allocated again never comes
     * here (mm.c). */
    if (b) {
      cocoa_take(m, b->frame * PAGES + (uint32_t)(v->key & (PAGES - 1)), v);
      return 0;
    }
  }
  TRY(base_page(m, app, &page));
  cocoa_take(m, page, v);
  return 0;
}
