/* SPDX-License-Identifier: Apache-2.0 */
/* cocoa.c - contiguity-conserving allocation (Mosaic section 4.2): the free frame list, the frames
 * of base pages of each application, the frame kept for each virtual 2 MiB. */
#include <stdlib.h>

#include "manager/mm_int.h"

static struct head *head_of(struct gmmu_mm *m, const struct frame *f) {
  return f->list == L_FREE        ? &m->free_list
         : f->list == L_EMERGENCY ? &m->emergency
                                  : &m->base[f->app];
}

void list_remove(struct gmmu_mm *m, uint32_t i) {
  struct frame *f = &m->frames[i];
  if (f->list == L_NONE) return;
  struct head *h = head_of(m, f);
  *(f->prev == NONE ? &h->first : &m->frames[f->prev].next) = f->next;
  *(f->next == NONE ? &h->last : &m->frames[f->next].prev) = f->prev;
  if (f->list == L_FREE) m->stats.free_frames--;
  f->list = L_NONE;
}

void list_append(struct gmmu_mm *m, struct head *h, enum list l, uint32_t i) {
  struct frame *f = &m->frames[i];
  f->list = (uint8_t)l;
  f->prev = h->last;
  f->next = NONE;
  *(h->last == NONE ? &h->first : &m->frames[h->last].next) = i;
  h->last = i;
  if (l == L_FREE) m->stats.free_frames++;
}

void cocoa_init(struct gmmu_mm *m) {
  const struct head empty = {NONE, NONE};
  m->free_list = m->emergency = empty;
  for (uint32_t a = 0; a < NUM_APPS; a++) m->base[a] = empty;
  for (uint32_t i = 0; i < m->num_frames; i++) {
    m->frames[i].app = NOBODY;
    list_append(m, &m->free_list, L_FREE, i);
  }
}

/* A frame of base pages stands in its application's list while it has a free page. */
static void settle(struct gmmu_mm *m, uint32_t i) {
  struct frame *f = &m->frames[i];
  bool belongs = f->kind == K_BASE && f->taken < PAGES;
  if (belongs && f->list != L_BASE) list_append(m, &m->base[f->app], L_BASE, i);
  if (!belongs && f->list == L_BASE) list_remove(m, i);
}

void cocoa_take(struct gmmu_mm *m, uint32_t page, struct vpage *v) {
  struct frame *f = &m->frames[page / PAGES];
  m->owner[page] = v;
  f->taken++;
  f->foreign += v == &m->foreign;
  if (v != &m->foreign) {
    v->page = page;
    v->state = COMING;
    f->live++;
  }
  settle(m, page / PAGES);
}

static void set_app(struct gmmu_mm *m, uint32_t i, uint32_t app) {
  list_remove(m, i);
  m->frames[i].app = app;
  settle(m, i);
}

/* No virtual 2 MiB has this frame any more. */
static void forget_block(struct gmmu_mm *m, const struct frame *f) {
  struct block *b;
  HASH_FIND(hh, m->blocks, &f->lfn, sizeof f->lfn, b);
  if (!b) return;
  HASH_DEL(m->blocks, b);
  free(b);
}

static void make_free(struct gmmu_mm *m, uint32_t i) {
  struct frame *f = &m->frames[i];
  list_remove(m, i);
  if (f->kind == K_BLOCK) forget_block(m, f);
  *f = (struct frame){.kind = K_FREE, .app = NOBODY};
  list_append(m, &m->free_list, L_FREE, i);
}

void cocoa_give(struct gmmu_mm *m, uint32_t page) {
  struct frame *f = &m->frames[page / PAGES];
  f->foreign -= m->owner[page] == &m->foreign;
  m->owner[page] = NULL;
  f->taken--;
  if (f->taken == 0) make_free(m, page / PAGES);
  else settle(m, page / PAGES);
}

static uint32_t take_free_frame(struct gmmu_mm *m, enum kind kind, uint32_t app) {
  uint32_t i = m->free_list.first;
  if (i == NONE) return NONE;
  list_remove(m, i);
  m->frames[i].kind = (uint8_t)kind;
  m->frames[i].app = app;
  m->frames[i].born = ++m->births;
  settle(m, i);
  return i;
}

static uint32_t free_page_of(const struct gmmu_mm *m, uint32_t frame) {
  for (uint32_t p = frame * PAGES; p < (frame + 1) * PAGES; p++)
    if (!m->owner[p]) return p;
  return NONE;
}

uint32_t cocoa_base_page(struct gmmu_mm *m, uint32_t app) {
  uint32_t i = m->base[app].first;
  if (i == NONE) i = take_free_frame(m, K_BASE, app);
  return i == NONE ? NONE : free_page_of(m, i);
}

void cocoa_open_up(struct gmmu_mm *m, uint32_t i) {
  forget_block(m, &m->frames[i]);
  m->frames[i].kind = K_BASE;
  settle(m, i);
}

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
      set_app(m, i, MIXED);
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
    e = paging_out(m);
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

int cocoa_place(struct gmmu_mm *m, struct vpage *v) {
  uint32_t page, app = asid_of(v);
  if (v->block) {
    uint64_t lfn = lfn_of(v);
    struct block *b;
    HASH_FIND(hh, m->blocks, &lfn, sizeof lfn, b);
    while (!b && !scattered(m, v)) {
      uint32_t i = take_free_frame(m, K_BLOCK, app);
      if (i != NONE) {
        if (!(b = calloc(1, sizeof *b))) {
          make_free(m, i);
          return GMMU_MM_NO_MEMORY;
        }
        b->key = m->frames[i].lfn = lfn;
        b->frame = i;
        HASH_ADD(hh, m->blocks, key, sizeof b->key, b);
        break;
      }
      int e = m->cfg.policy == GMMU_MM_MOSAIC && m->cfg.cac ? cac_make_room(m) : 0;
      if (e == 0 && m->cfg.policy == GMMU_MM_LARGE)
        e = m->cfg.page_out ? paging_out(m) : GMMU_MM_NO_MEMORY;
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
