/* SPDX-License-Identifier: Apache-2.0 */
/* cac.c - in-place coalescing and contiguity-aware compaction, the parts in software (Mosaic
 * sections 4.3, 4.4). */
#include <stdlib.h>

#include "mm/mm_int.h"

int cac_coalesce(struct gmmu_mm *m, uint32_t i) {
  struct frame *f = &m->frames[i];
  if (m->cfg.policy != GMMU_MM_MOSAIC || f->kind != K_BLOCK || f->coalesced || f->here != PAGES ||
      !m->drv->ext[f->app])
    return 0;
  TRY(gmmu_drv_coalesce(m->drv, f->app, frame_va(f)));
  f->coalesced = true;
  m->stats.coalesced++;
  return 0;
}

/* Gives the places of dead pages back. Their mappings are gone. The frame may be free afterwards.
 */
static void bury(struct gmmu_mm *m, uint32_t i) {
  for (uint32_t p = i * PAGES; p < (i + 1) * PAGES; p++) {
    struct vpage *v = m->owner[p];
    if (!v || v == &m->foreign || v->state != DEAD) continue;
    cocoa_give(m, p);
    mm_forget(m, v);
  }
}

int cac_splinter(struct gmmu_mm *m, uint32_t i) {
  struct frame *f = &m->frames[i];
  uint64_t va = frame_va(f);
  uint32_t app = f->app, live = f->live;
  if (!f->coalesced) return 0;
  TRY(gmmu_drv_splinter(m->drv, app, va));
  f->coalesced = false;
  m->stats.splintered++;
  /* Dead pages, run by run. */
  for (uint32_t p = 0, q; p < PAGES; p = q) {
    for (q = p; q < PAGES && m->owner[i * PAGES + q]->state == DEAD; q++) {}
    if (q > p)
      TRY(gmmu_drv_unmap(m->drv, app, va + (uint64_t)p * GMMU_MM_PAGE,
                         (uint64_t)(q - p) * GMMU_MM_PAGE));
    else q++;
  }
  list_remove(m, i);
  if (live) cocoa_open_up(m, i);
  bury(m, i);
  return 0;
}

static unsigned channel(const struct gmmu_mm *m, uint32_t page) {
  return m->host.channel ? m->host.channel(m->host.arg, pa_of(m, page)) % MAX_CHANNELS : 0;
}
static uint32_t app_of(const struct gmmu_mm *m, const struct vpage *v) {
  return v == &m->foreign ? FOREIGN : asid_of(v);
}

/* A free page for v in another frame of base pages of its application, in the same channel.
 * promised: pages that others get; left: free pages of each frame without them. */
static uint32_t destination(const struct gmmu_mm *m, uint32_t from, const struct vpage *v,
                            const uint8_t *promised, const uint32_t *left) {
  unsigned c = channel(m, from);
  for (uint32_t i = m->base[app_of(m, v)].first; i != NONE; i = m->frames[i].next) {
    if (i == from / PAGES || !left[i]) continue;
    for (uint32_t p = i * PAGES; p < (i + 1) * PAGES; p++)
      if (!m->owner[p] && !promised[p] && channel(m, p) == c) return p;
  }
  return NONE;
}

static int move(struct gmmu_mm *m, uint32_t from, uint32_t to) {
  struct vpage *v = m->owner[from];
  if (v == &m->foreign) {
    m->host.copy(m->host.arg, pa_of(m, to), pa_of(m, from));
    cocoa_take(m, to, v);
  } else {
    /* Unmapped and nobody uses it before it is copied; accesses meanwhile fault and are retried
     * when it is mapped. */
    TRY(gmmu_drv_unmap(m->drv, asid_of(v), va_of(v), GMMU_MM_PAGE));
    m->host.copy(m->host.arg, pa_of(m, to), pa_of(m, from));
    m->frames[from / PAGES].live--;
    m->frames[from / PAGES].here--;
    cocoa_take(m, to, v);
    TRY(gmmu_drv_map(m->drv, asid_of(v), va_of(v), pa_of(m, to), GMMU_MM_PAGE, v->perms, false));
    v->state = HERE;
    m->frames[to / PAGES].here++;
  }
  m->stats.moved++;
  cocoa_give(m, from);
  return 0;
}

/* Moves all pages of a frame that is not coalesced to others of their applications, if there is
 * room. 1: done; 0: no room. */
static int compact(struct gmmu_mm *m, uint32_t i) {
  uint32_t to[PAGES];
  uint8_t *promised = calloc((size_t)m->num_frames * PAGES, 1);
  uint32_t *left = malloc(m->num_frames * sizeof *left);
  int e = promised && left ? 1 : GMMU_MM_NO_MEMORY;
  for (uint32_t k = 0; k < m->num_frames && e == 1; k++) left[k] = PAGES - m->frames[k].taken;
  for (uint32_t k = 0; k < PAGES && e == 1; k++) {
    const struct vpage *v = m->owner[i * PAGES + k];
    to[k] = NONE;
    if (!v) continue;
    if (v != &m->foreign && v->state != HERE) e = 0;
    else if ((to[k] = destination(m, i * PAGES + k, v, promised, left)) == NONE) e = 0;
    else promised[to[k]] = 1, left[to[k] / PAGES]--;
  }
  free(promised);
  free(left);
  if (e != 1) return e;
  for (uint32_t k = 0; k < PAGES; k++)
    if (to[k] != NONE) TRY(move(m, i * PAGES + k, to[k]));
  m->stats.compacted++;
  return 1;
}

int cac_after_free(struct gmmu_mm *m, uint32_t i) {
  struct frame *f = &m->frames[i];
  if (f->large) {
    if (f->live) return 0;
    TRY(gmmu_drv_unmap(m->drv, f->app, frame_va(f), GMMU_MM_FRAME));
    bury(m, i);
    return 0;
  }
  if (!f->coalesced) return 0;
  if (f->live == 0 || (m->cfg.cac && f->live < m->cfg.threshold)) {
    bool rest = f->live != 0;
    TRY(cac_splinter(m, i));
    int e = rest ? compact(m, i) : 0; /* no memory for it: the frame stays as it is */
    return e < 0 && e != GMMU_MM_NO_MEMORY ? e : 0;
  }
  if (m->cfg.cac && f->live < PAGES && f->list != L_EMERGENCY)
    list_append(m, &m->emergency, L_EMERGENCY, i);
  return 0;
}

int cac_make_room(struct gmmu_mm *m) {
  /* The emptiest frame of base pages that can be moved; a frame that cannot is not tried twice. */
  uint32_t least = 1;
  for (;;) {
    uint32_t best = NONE;
    for (uint32_t i = 0; i < m->num_frames; i++) {
      const struct frame *f = &m->frames[i];
      if (f->kind != K_BASE || f->taken < least || f->taken == PAGES) continue;
      if (best == NONE || f->taken < m->frames[best].taken) best = i;
    }
    if (best == NONE) return 0;
    uint32_t taken = m->frames[best].taken;
    for (uint32_t i = best; i < m->num_frames; i++) {
      if (m->frames[i].kind != K_BASE || m->frames[i].taken != taken) continue;
      int e = compact(m, i);
      if (e) return e;
    }
    least = taken + 1;
  }
}
