/* SPDX-License-Identifier: Apache-2.0 */
/* check.c - the invariants of the memory manager: lists, frames, pages and page tables agree. */
#include <inttypes.h>
#include <stdio.h>

#include "mm/mm_int.h"

static const char *wrong(struct gmmu_mm *m, const char *what, uint64_t at) {
  snprintf(m->wrong, sizeof m->wrong, "%s (0x%" PRIx64 ")", what, at);
  return m->wrong;
}

static const char *check_list(struct gmmu_mm *m, const struct head *h, enum list l, uint32_t app,
                              uint32_t *members) {
  uint32_t prev = NONE;
  for (uint32_t i = h->first; i != NONE; prev = i, i = m->frames[i].next) {
    const struct frame *f = &m->frames[i];
    if (f->list != l || f->prev != prev || (l == L_BASE && f->app != app))
      return wrong(m, "list broken at frame", i);
    if (++*members > m->num_frames) return wrong(m, "list without end", i);
  }
  return h->last == prev ? NULL : wrong(m, "end of a list", h->last);
}

static const char *check_frame(struct gmmu_mm *m, uint32_t i) {
  const struct frame *f = &m->frames[i];
  uint32_t taken = 0, live = 0, here = 0, dead = 0, foreign = 0;
  for (uint32_t p = i * PAGES; p < (i + 1) * PAGES; p++) {
    const struct vpage *v = m->owner[p];
    if (!v) continue;
    taken++;
    foreign += v == &m->foreign;
    uint32_t app = v == &m->foreign ? FOREIGN : asid_of(v);
    if (f->app != MIXED && f->app != app)
      return wrong(m, "page of another application in frame", i);
    if (v == &m->foreign) continue;
    if (v->page != p) return wrong(m, "page thinks it is elsewhere", va_of(v));
    live += v->state == COMING || v->state == HERE;
    here += v->state == HERE;
    dead += v->state == DEAD;
    if (v->state == ON_HOST) return wrong(m, "page on the host has a place", va_of(v));
    if (v->state == DEAD && !f->coalesced && !f->large)
      return wrong(m, "dead page in a frame that is not whole", va_of(v));
    if (f->kind == K_BLOCK && (lfn_of(v) != f->lfn || (v->key & (PAGES - 1)) != p % PAGES))
      return wrong(m, "page not in its place", va_of(v));
  }
  if (foreign != f->foreign || taken != f->taken || live != f->live || here != f->here)
    return wrong(m, "counts of frame", i);
  if ((taken == 0) != (f->kind == K_FREE)) return wrong(m, "free or not, frame", i);
  enum list want = f->kind == K_FREE                    ? L_FREE
                   : f->kind == K_BASE && taken < PAGES ? L_BASE
                                                        : L_NONE;
  if (f->coalesced && dead && m->cfg.cac) want = L_EMERGENCY;
  if (f->list != want) return wrong(m, "frame in the wrong list", i);
  if (f->coalesced && (f->kind != K_BLOCK || taken != PAGES || here + dead != PAGES))
    return wrong(m, "coalesced and not whole, frame", i);
  if (f->kind == K_BLOCK) {
    const struct block *b;
    HASH_FIND(hh, m->blocks, &f->lfn, sizeof f->lfn, b);
    if (!b || b->frame != i) return wrong(m, "frame of a virtual 2 MiB that does not know it", i);
  }
  return NULL;
}

static const char *check_page(struct gmmu_mm *m, const struct vpage *v) {
  uint64_t pa, pte;
  bool mapped = v->state == HERE || v->state == DEAD;
  if ((v->state == ON_HOST) != (v->page == NONE)) return wrong(m, "place of page", va_of(v));
  if (v->page != NONE && m->owner[v->page] != v)
    return wrong(m, "page whose place belongs to another", va_of(v));
  int e = gmmu_drv_lookup(m->drv, asid_of(v), va_of(v), &pa, &pte);
  if (e != (mapped ? 0 : GMMU_DRV_ABSENT))
    return wrong(m, mapped ? "page not in the page table" : "page in the page table", va_of(v));
  if (!mapped) return NULL;
  const struct frame *f = &m->frames[v->page / PAGES];
  if (pa != pa_of(m, v->page) || (pte & 0x1e) != v->perms) return wrong(m, "PTE", va_of(v));
  if (!f->large && (pte >> 8 & 1) != f->coalesced) return wrong(m, "DIS", va_of(v));
  return NULL;
}

const char *gmmu_mm_check(struct gmmu_mm *m) {
  uint32_t members = 0, in_lists = 0;
  uint64_t pages = 0, places = 0, blocks = 0, taken = 0;
  const char *e = check_list(m, &m->free_list, L_FREE, NOBODY, &members);
  if (!e && members != m->stats.free_frames) return wrong(m, "free frames", members);
  if (!e) e = check_list(m, &m->emergency, L_EMERGENCY, NOBODY, &members);
  for (uint32_t a = 0; a < NUM_APPS && !e; a++) e = check_list(m, &m->base[a], L_BASE, a, &members);
  for (uint32_t i = 0; i < m->num_frames && !e; i++) {
    e = check_frame(m, i);
    in_lists += m->frames[i].list != L_NONE;
    blocks += m->frames[i].kind == K_BLOCK;
    for (uint32_t p = i * PAGES; p < (i + 1) * PAGES; p++)
      taken += m->owner[p] && m->owner[p] != &m->foreign;
  }
  if (e) return e;
  if (members != in_lists || blocks != HASH_COUNT(m->blocks))
    return wrong(m, "frames in lists, or virtual 2 MiB", in_lists);
  struct vpage *v, *next;
  HASH_ITER (hh, m->pages, v, next) {
    if ((e = check_page(m, v)) != NULL) return e;
    pages += is_allocated(v);
    places += v->page != NONE;
  }
  if (pages != m->stats.pages || places != taken) return wrong(m, "pages", pages);
  return NULL;
}
