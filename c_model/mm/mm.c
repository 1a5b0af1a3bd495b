/* SPDX-License-Identifier: Apache-2.0 */
/* mm.c - the memory manager's allocations (gmmu_mm.h). Rules: docs/mm.md. */
#include <stdlib.h>

#include "gmmu.h"
#include "mm/mm_int.h"

const char *gmmu_mm_error_name(int error) {
  static const char *const names[] = {"no memory", "allocated already", "not allocated",
                                      "bad argument"};
  int i = GMMU_MM_NO_MEMORY - error;
  return i >= 0 && i < (int)(sizeof names / sizeof names[0]) ? names[i]
                                                             : gmmu_drv_error_name(error);
}

struct gmmu_mm *gmmu_mm_new(const struct gmmu_mm_cfg *cfg, struct gmmu_drv *drv,
                            const struct gmmu_mm_host *host) {
  if (cfg->bytes == 0 || (cfg->first | cfg->bytes) % GMMU_MM_FRAME ||
      cfg->bytes / GMMU_MM_FRAME >= NONE / PAGES || cfg->first + (cfg->bytes - 1) < cfg->first ||
      (cfg->first + (cfg->bytes - 1)) >> drv->build.pa_w || cfg->threshold < 1 ||
      cfg->threshold > PAGES || (unsigned)cfg->policy > GMMU_MM_LARGE)
    return NULL;
  struct gmmu_mm *m = calloc(1, sizeof *m);
  if (!m) return NULL;
  m->cfg = *cfg;
  m->drv = drv;
  m->host = *host;
  m->num_frames = (uint32_t)(cfg->bytes / GMMU_MM_FRAME);
  m->frames = calloc(m->num_frames, sizeof *m->frames);
  m->owner = calloc((size_t)m->num_frames * PAGES, sizeof(struct vpage *));
  if (!m->frames || !m->owner) {
    gmmu_mm_free_all(m);
    return NULL;
  }
  m->stats.frames = m->num_frames;
  cocoa_init(m);
  return m;
}

void gmmu_mm_free_all(struct gmmu_mm *m) {
  if (!m) return;
  struct vpage *v, *next;
  struct block *b, *next_b;
  HASH_ITER (hh, m->pages, v, next) {
    HASH_DEL(m->pages, v);
    free(v);
  }
  HASH_ITER (hh, m->blocks, b, next_b) {
    HASH_DEL(m->blocks, b);
    free(b);
  }
  free(m->frames);
  free(m->owner);
  free(m);
}

static int range_ok(const struct gmmu_mm *m, unsigned asid, uint64_t va, uint64_t bytes) {
  if (asid >= m->drv->build.asids || !m->drv->root[asid] || bytes == 0 ||
      (va | bytes) % GMMU_MM_PAGE || va + bytes - 1 < va)
    return GMMU_MM_ARGUMENT;
  unsigned bits = m->drv->levels[asid] == 4 ? 48 : 39;
  uint64_t low = va >> (bits - 1), high = (va + bytes - 1) >> (bits - 1),
           ones = ~0ull >> (bits - 1);
  return (low == 0 && high == 0) || (low == ones && high == ones) ? 0 : GMMU_MM_ARGUMENT;
}

/* Frees pages that are allocated, of any state. */
static int release(struct gmmu_mm *m, unsigned asid, uint64_t va, uint64_t bytes) {
  const uint64_t end = va + bytes;
  for (uint64_t a = va, b; a != end; a = b) {
    struct vpage *v = mm_find(m, asid, a);
    b = a + GMMU_MM_PAGE;
    if (!is_allocated(v)) continue; /* a roll-back meets pages that it has freed */
    m->stats.pages--;
    if (v->state == ON_HOST) {
      mm_forget(m, v);
      continue;
    }
    uint32_t i = v->page / PAGES;
    struct frame *f = &m->frames[i];
    if (v->state == COMING) {
      f->live--;
      v->state = DOOMED;
      continue;
    }
    if (f->coalesced || f->large) { /* up to the end of its virtual 2 MiB */
      uint64_t stop = (a | (GMMU_MM_FRAME - 1)) + 1;
      for (b = a; b != end && b != stop; b += GMMU_MM_PAGE) {
        struct vpage *w = mm_find(m, asid, b);
        m->stats.pages -= b != a;
        w->state = DEAD;
        f->live--;
        f->here--;
      }
      TRY(cac_after_free(m, i));
      continue;
    }
    /* A run of mapped pages, in whatever frames: one invalidation. */
    for (struct vpage *w = mm_find(m, asid, b); b != end && w && w->state == HERE;
         w = mm_find(m, asid, b)) {
      const struct frame *g = &m->frames[w->page / PAGES];
      if (g->coalesced || g->large) break;
      m->stats.pages--;
      b += GMMU_MM_PAGE;
    }
    TRY(gmmu_drv_unmap(m->drv, asid, a, b - a));
    for (uint64_t x = a; x != b; x += GMMU_MM_PAGE) {
      struct vpage *w = mm_find(m, asid, x);
      struct frame *g = &m->frames[w->page / PAGES];
      g->live--;
      g->here--;
      cocoa_give(m, w->page);
      mm_forget(m, w);
    }
  }
  return 0;
}

int gmmu_mm_dealloc(struct gmmu_mm *m, unsigned asid, uint64_t va, uint64_t bytes) {
  TRY(range_ok(m, asid, va, bytes));
  for (uint64_t a = va; a != va + bytes; a += GMMU_MM_PAGE)
    if (!is_allocated(mm_find(m, asid, a))) return GMMU_MM_ABSENT;
  return release(m, asid, va, bytes);
}

/* Nothing of the range is allocated, nor on its way; what is dead there loses its mapping. */
static int clear_range(struct gmmu_mm *m, unsigned asid, uint64_t va, uint64_t bytes) {
  bool large = m->cfg.policy == GMMU_MM_LARGE;
  uint64_t end =
      large ? va + (bytes + GMMU_MM_FRAME - 1) / GMMU_MM_FRAME * GMMU_MM_FRAME : va + bytes;
  for (uint64_t a = va; a != end; a += GMMU_MM_PAGE) {
    const struct vpage *v = mm_find(m, asid, a);
    if (v && (large || v->state != DEAD)) return GMMU_MM_EXISTS;
  }
  for (uint64_t a = va; a != end; a += GMMU_MM_PAGE) {
    const struct vpage *v = mm_find(m, asid, a);
    if (v) TRY(cac_splinter(m, v->page / PAGES));
  }
  return 0;
}

/* Places the pages and brings them in, a virtual 2 MiB with a frame of its own at once. */
static int bring_now(struct gmmu_mm *m, unsigned asid, uint64_t va, uint64_t bytes) {
  for (uint64_t a = va; a != va + bytes; a += GMMU_MM_PAGE) {
    struct vpage *v = mm_find(m, asid, a);
    if (v->state != ON_HOST) continue;
    TRY(paging_place_and_bring(m, v));
  }
  return 0;
}

int gmmu_mm_alloc(struct gmmu_mm *m, unsigned asid, uint64_t va, uint64_t bytes, unsigned perms,
                  bool demand) {
  const unsigned all = GMMU_DRV_R | GMMU_DRV_W | GMMU_DRV_X | GMMU_DRV_U;
  TRY(range_ok(m, asid, va, bytes));
  if (perms & ~all || !(perms & (GMMU_DRV_R | GMMU_DRV_X)) ||
      (perms & GMMU_DRV_W && !(perms & GMMU_DRV_R)))
    return GMMU_MM_ARGUMENT;
  if (m->cfg.policy == GMMU_MM_LARGE && va % GMMU_MM_FRAME) return GMMU_MM_ARGUMENT;
  TRY(clear_range(m, asid, va, bytes));
  int e = 0;
  for (uint64_t a = va; a != va + bytes && !e; a += GMMU_MM_PAGE) {
    struct vpage *v = calloc(1, sizeof *v);
    if (!v) {
      e = GMMU_MM_NO_MEMORY;
      break;
    }
    uint64_t base = a & ~(uint64_t)(GMMU_MM_FRAME - 1);
    v->key = key_of(asid, a);
    v->page = NONE;
    v->state = ON_HOST;
    v->perms = (uint8_t)perms;
    v->block = m->cfg.policy == GMMU_MM_LARGE || (m->cfg.policy == GMMU_MM_MOSAIC && base >= va &&
                                                  base + (GMMU_MM_FRAME - 1) <= va + (bytes - 1));
    HASH_ADD(hh, m->pages, key, sizeof v->key, v);
    if (!v->hh.tbl) {
      free(v);
      e = GMMU_MM_NO_MEMORY;
      break;
    }
    m->stats.pages++;
  }
  if (!e && !demand) e = bring_now(m, asid, va, bytes);
  if (e) TRY(release(m, asid, va, bytes));
  return e;
}

enum gmmu_mm_where gmmu_mm_where(const struct gmmu_mm *m, unsigned asid, uint64_t va,
                                 uint64_t *pa) {
  const struct vpage *v = mm_find(m, asid, va);
  if (!is_allocated(v)) return GMMU_MM_NOT_ALLOCATED;
  if (v->state != ON_HOST) *pa = pa_of(m, v->page) + va % GMMU_MM_PAGE;
  return v->state == ON_HOST ? GMMU_MM_ON_HOST : v->state == COMING ? GMMU_MM_COMING : GMMU_MM_HERE;
}

unsigned gmmu_mm_perms(const struct gmmu_mm *m, unsigned asid, uint64_t va, bool *stale,
                       uint64_t *pa) {
  const struct vpage *v = mm_find(m, asid, va);
  *stale = v && v->state == DEAD;
  if (*stale) *pa = pa_of(m, v->page) + va % GMMU_MM_PAGE;
  return v && (is_allocated(v) || *stale) ? v->perms : 0;
}

int gmmu_mm_fragment(struct gmmu_mm *m, double index, double occupancy, uint64_t seed) {
  if (!(index >= 0 && index <= 1 && occupancy >= 0 && occupancy <= 1)) return GMMU_MM_ARGUMENT;
  struct gmmu_rng rng = {seed};
  uint32_t left = 0, pages = (uint32_t)(occupancy * PAGES + 0.5);
  for (uint32_t i = 0; i < m->num_frames; i++) left += m->frames[i].kind == K_FREE;
  uint32_t want = (uint32_t)(index * left + 0.5);
  for (uint32_t i = 0; i < m->num_frames && want && pages; i++) {
    struct frame *f = &m->frames[i];
    if (f->kind != K_FREE) continue;
    if (gmmu_rng_below(&rng, left--) >= want) continue;
    want--;
    list_remove(m, i);
    f->kind = K_BASE;
    f->app = m->cfg.policy == GMMU_MM_BASE ? MIXED : FOREIGN;
    f->born = ++m->births;
    for (uint32_t p = 0, n = pages; p < PAGES; p++)
      if (gmmu_rng_below(&rng, PAGES - p) < n) {
        cocoa_take(m, i * PAGES + p, &m->foreign);
        n--;
      }
  }
  return 0;
}

void gmmu_mm_get_stats(const struct gmmu_mm *m, struct gmmu_mm_stats *s) {
  *s = m->stats;
  s->resident = s->held = s->foreign = 0;
  for (uint32_t i = 0; i < m->num_frames; i++) {
    const uint32_t foreign = m->frames[i].foreign;
    s->resident += m->frames[i].live;
    s->foreign += foreign;
    if (m->frames[i].taken > foreign) s->held += PAGES - foreign;
  }
}
