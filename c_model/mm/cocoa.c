/* SPDX-License-Identifier: Apache-2.0 */
/* cocoa.c - contiguity-conserving allocation (Mosaic section 4.2): the free frame list, the frames
 * of base pages of each application, the frame kept for each virtual 2 MiB. */
#include <stdlib.h>

#include "mm/mm_int.h"

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

void cocoa_set_app(struct gmmu_mm *m, uint32_t i, uint32_t app) {
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

void cocoa_make_free(struct gmmu_mm *m, uint32_t i) {
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
  if (f->taken == 0) cocoa_make_free(m, page / PAGES);
  else settle(m, page / PAGES);
}

uint32_t cocoa_take_free_frame(struct gmmu_mm *m, enum kind kind, uint32_t app) {
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
  if (i == NONE) i = cocoa_take_free_frame(m, K_BASE, app);
  return i == NONE ? NONE : free_page_of(m, i);
}

void cocoa_open_up(struct gmmu_mm *m, uint32_t i) {
  forget_block(m, &m->frames[i]);
  m->frames[i].kind = K_BASE;
  settle(m, i);
}
