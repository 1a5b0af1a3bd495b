/* SPDX-License-Identifier: Apache-2.0 */
/* region.c - regions, objects and blocks (sections 4.2, 5.1). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "gdm/gdm_int.h"

struct region *gdm_find(const struct gdm_ctx *c, gdm_ptr at) {
  for (struct region *r = c->regions; r; r = r->next)
    if (at >= r->va && at - r->va < r->bytes) return r;
  return NULL;
}

/* By mapped pages: the rest of a region's last page counts as its own, as the hardware does not see
 * the end. */
struct block *gdm_block_at(const struct gdm_ctx *c, gdm_ptr at) {
  uint64_t page = c->g->c.page_bytes;
  for (struct region *r = c->regions; r; r = r->next)
    if (at >= r->va && at - r->va < (r->bytes + page - 1) / page * page)
      return &r->block[(at - r->va) / c->g->c.block_bytes];
  return NULL;
}

/* Addresses for a new region: behind all others while there are any (so that the addresses of a
 * freed region stay unused), then the first gap. A block is left free behind each region. */
static bool place(struct gdm_ctx *c, uint64_t bytes, uint64_t *va) {
  uint64_t unit =
      c->g->c.block_bytes > c->g->c.page_bytes ? c->g->c.block_bytes : c->g->c.page_bytes;
  uint64_t first = c->g->va_first, end = c->g->va_end;
  if (bytes > end - first) return false;
  uint64_t need = (bytes + unit - 1) / unit * unit + unit;
  if (!c->next_va) c->next_va = first;
  if (need <= end - c->next_va) {
    *va = c->next_va;
    c->next_va += need;
    return true;
  }
  uint64_t at = first;
  for (struct region *r = c->regions; r && r->va - at < need; r = r->next)
    at = r->va + (r->bytes + unit - 1) / unit * unit + unit;
  *va = at;
  return at < end && need <= end - at;
}

static size_t staging_bytes(const struct region *r) {
  return (size_t)(r->bytes + 4095) & ~(size_t)4095;
}

int gdm_region_new(struct gdm_ctx *c, uint64_t bytes, struct region **out) {
  struct gdm *g = c->g;
  uint64_t va, old_va = c->next_va;
  if (!place(c, bytes, &va)) return GDM_ERROR_OUT_OF_MEMORY;
  struct region *r = calloc(1, sizeof *r);
  if (r) {
    *r = (struct region){.ctx = c, .va = va, .bytes = bytes, .id = ++g->next_region};
    r->blocks = (uint32_t)((bytes + g->c.block_bytes - 1) / g->c.block_bytes);
    r->block = calloc(r->blocks, sizeof *r->block);
    void *p = mmap(NULL, staging_bytes(r), PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    r->staging = p == MAP_FAILED ? NULL : p;
  }
  if (!r || !r->block || !r->staging) {
    if (r && r->staging) munmap(r->staging, staging_bytes(r));
    if (r) free(r->block);
    free(r);
    c->next_va = old_va;
    return GDM_ERROR_OUT_OF_MEMORY;
  }
  for (uint32_t i = 0; i < r->blocks; i++) {
    struct block *b = &r->block[i];
    uint64_t left = bytes - i * g->c.block_bytes;
    b->r = r;
    b->index = i;
    b->va = va + i * g->c.block_bytes;
    b->bytes = (uint32_t)(left < g->c.block_bytes ? left : g->c.block_bytes);
    b->pages = (uint32_t)((b->bytes + g->c.page_bytes - 1) / g->c.page_bytes);
    b->blank = true;
    b->first = i == 0;
  }
  struct region **at = &c->regions;
  while (*at && (*at)->va < va) at = &(*at)->next;
  r->next = *at;
  *at = r;
  *out = r;
  return GDM_SUCCESS;
}

void gdm_region_free(struct region *r) {
  struct gdm *g = r->ctx->g;
  struct region **at = &r->ctx->regions;
  while (*at != r) at = &(*at)->next;
  *at = r->next;
  gdm_gdev_forget(g, r);
  for (uint32_t i = 0; i < r->blocks; i++) {
    struct block *b = &r->block[i];
    gdm_drop_extents(b);
    gdm_unwant_sign(g, b);
    for (struct block **f = &g->fetch; *f; f = &(*f)->fetch_next)
      if (*f == b) {
        *f = b->fetch_next;
        break;
      }
    if (b->state != BLOCK_OUT) gdm_leave_device(g, b);
    while (b->patches) {
      struct patch *p = b->patches;
      b->patches = p->next;
      free(p);
    }
    free(b->page_dirty);
    free(b->sig);
    free(b->new_sig);
  }
  munmap(r->staging, staging_bytes(r));
  free(r->block);
  free(r);
}

/* A copy larger than a block is an object: it begins with the block that holds its first byte and
 * ends before the block that holds the first byte behind it, which begins the next object. */
void gdm_split(struct region *r, uint64_t off, uint64_t bytes) {
  uint64_t unit = r->ctx->g->c.block_bytes;
  if (bytes <= unit) return;
  uint32_t first = (uint32_t)(off / unit), end = (uint32_t)((off + bytes) / unit);
  if (off + bytes == r->bytes) end = r->blocks;
  for (uint32_t i = first + 1; i < end; i++) r->block[i].first = false;
  r->block[first].first = true;
  if (end < r->blocks) r->block[end].first = true;
}

void gdm_object(const struct block *b, uint32_t *first, uint32_t *last) {
  const struct region *r = b->r;
  for (*first = b->index; !r->block[*first].first; (*first)--) continue;
  for (*last = b->index; *last + 1 < r->blocks && !r->block[*last + 1].first; (*last)++) continue;
}

/* ---------------------------------------- frames and mappings */
static void resident(struct gdm *g, const struct block *b, bool more) {
  struct gdm_stats *of[2] = {&g->stats, &b->r->ctx->stats};
  uint64_t bytes = b->pages * g->c.page_bytes;
  for (int i = 0; i < 2; i++) {
    of[i]->resident_bytes += more ? bytes : -bytes;
    if (of[i]->resident_bytes > of[i]->peak_resident_bytes)
      of[i]->peak_resident_bytes = of[i]->resident_bytes;
  }
  gdm_tell(g, GDM_EVENT_MEMORY, 0, b->r->ctx->asid, g->now, b->r->ctx->stats.resident_bytes, NULL);
}

bool gdm_take_frames(struct gdm *g, struct block *b) {
  if (g->free_frames < b->pages) return false;
  b->frame = malloc(b->pages * sizeof *b->frame);
  if (!b->frame) abort();
  for (uint32_t i = 0; i < b->pages; i++) b->frame[i] = g->frames[--g->free_frames];
  resident(g, b, true);
  return true;
}

void gdm_give_frames(struct gdm *g, struct block *b) {
  resident(g, b, false);
  for (uint32_t i = b->pages; i-- > 0;) g->frames[g->free_frames++] = b->frame[i];
  free(b->frame);
  b->frame = NULL;
}

static int driver_failed(struct gdm *g, struct gdm_ctx *c, const char *what, int error) {
  snprintf(g->message, sizeof g->message, "driver: %s: %s", what, gmmu_drv_error_name(error));
  if (!c->error) c->error = GDM_ERROR_UNKNOWN;
  return GDM_ERROR_UNKNOWN;
}

int gdm_map_block(struct gdm *g, struct block *b) {
  uint64_t page = g->c.page_bytes;
  bool large = page != 4096;
  for (uint32_t i = 0, n; i < b->pages; i += n) {
    for (n = 1; i + n < b->pages && b->frame[i + n] == b->frame[i] + n * page; n++) continue;
    unsigned perms = GMMU_DRV_R | GMMU_DRV_W | GMMU_DRV_U;
    int e = g->c.dirty == GDM_DIRTY_HW
                ? gmmu_drv_map_clear(&g->drv, b->r->ctx->asid, b->va + i * page, b->frame[i],
                                     n * page, perms, large)
                : gmmu_drv_map(&g->drv, b->r->ctx->asid, b->va + i * page, b->frame[i], n * page,
                               perms, large);
    if (e) {
      if (i) gmmu_drv_unmap(&g->drv, b->r->ctx->asid, b->va, i * page);
      return driver_failed(g, b->r->ctx, "map", e);
    }
  }
  b->mapped = true;
  return 0;
}

void gdm_unmap_block(struct gdm *g, struct block *b) {
  if (!b->mapped) return;
  int e = gmmu_drv_unmap(&g->drv, b->r->ctx->asid, b->va, b->pages * g->c.page_bytes);
  if (e) driver_failed(g, b->r->ctx, "unmap", e);
  b->mapped = false;
}

struct harvest {
  struct gdm *g;
  struct block *b;
  bool accessed;
};
static void harvested(void *arg, uint64_t va, bool accessed, bool dirty) {
  struct harvest *h = arg;
  gdm_pte_access(h->g);
  if (dirty) h->b->page_dirty[(va - h->b->va) / h->g->c.page_bytes] = 1;
  h->accessed = h->accessed || accessed;
}
void gdm_harvest_block(struct gdm *g, struct block *b, bool *accessed) {
  struct harvest h = {g, b, false};
  uint64_t debt = g->debt_ns;
  bool was_dirty = memchr(b->page_dirty, 1, b->pages);
  int e =
      gmmu_drv_harvest(&g->drv, b->r->ctx->asid, b->va, b->pages * g->c.page_bytes, harvested, &h);
  if (e) driver_failed(g, b->r->ctx, "harvest", e);
  g->stats.harvest_ns += g->debt_ns - debt;
  b->r->ctx->stats.harvest_ns += g->debt_ns - debt;
  b->status = memchr(b->page_dirty, 1, b->pages) ? STATUS_DIRTY : STATUS_CLEAN;
  if (b->status == STATUS_DIRTY && !was_dirty) gdm_place(g, b);
  *accessed = h.accessed;
}

/* ---------------------------------------- bytes */
void gdm_device_read(struct gdm *g, const struct block *b, uint32_t off, void *to, uint32_t len) {
  uint32_t page = (uint32_t)g->c.page_bytes;
  for (uint32_t n; len; off += n, len -= n, to = (uint8_t *)to + n) {
    n = page - off % page < len ? page - off % page : len;
    g->m.dma_read(g->m.arg, to, b->frame[off / page] + off % page, n);
  }
}
void gdm_device_write(struct gdm *g, const struct block *b, uint32_t off, const void *from,
                      uint32_t len) {
  uint32_t page = (uint32_t)g->c.page_bytes;
  for (uint32_t n; len; off += n, len -= n, from = (const uint8_t *)from + n) {
    n = page - off % page < len ? page - off % page : len;
    g->m.dma_write(g->m.arg, b->frame[off / page] + off % page, from, n);
  }
}

uint8_t *gdm_staging(const struct block *b) {
  return b->r->staging + b->index * b->r->ctx->g->c.block_bytes;
}

/* The staging area, with what is still in the sources of copies. Where a source was written
 * meanwhile, its data is in the staging area when the watch says so, and not before. */
void gdm_host_read(const struct block *b, uint32_t off, void *to, uint32_t len) {
  while (len) {
    struct extent *first = NULL; /* of those that reach into the rest */
    for (struct extent *e = b->extents; e; e = e->next)
      if (e->off < off + len && e->off + e->w.len > off && (!first || e->off < first->off))
        first = e;
    uint32_t n = !first ? len : first->off > off ? first->off - off : 0;
    memcpy(to, gdm_staging(b) + off, n);
    if (n == 0) {
      uint32_t end = first->off + (uint32_t)first->w.len;
      n = end < off + len ? end - off : len;
      if (!gdm_watch_read(&first->w, to, off - first->off, n)) memcpy(to, gdm_staging(b) + off, n);
    }
    off += n;
    len -= n;
    to = (uint8_t *)to + n;
  }
}

void gdm_drop_extents(struct block *b) {
  while (b->extents) {
    struct extent *e = b->extents;
    b->extents = e->next;
    gdm_watch_end(&e->w);
    free(e);
  }
}

/* [off, off + len) is about to get other data: sources whose rest is still wanted are copied. */
void gdm_resolve_extents(struct block *b, uint32_t off, uint32_t len) {
  gdm_check_sources(b);
  for (struct extent **at = &b->extents, *e; (e = *at);) {
    uint32_t end = e->off + (uint32_t)e->w.len;
    if (e->off >= off + len || end <= off) {
      at = &e->next;
      continue;
    }
    if (e->off >= off && end <= off + len) gdm_watch_end(&e->w);
    else gdm_watch_copy(&e->w);
    *at = e->next;
    free(e);
  }
}

void gdm_check_sources(struct block *b) {
  for (struct extent **at = &b->extents, *e; (e = *at);) {
    if (gdm_watch_mode(&e->w, e->w.mode)) {
      at = &e->next;
      continue;
    }
    if (!e->w.copied && b->state == BLOCK_IN) { /* written while the device had it too */
      uint32_t page = (uint32_t)b->r->ctx->g->c.page_bytes;
      for (uint32_t p = e->off / page; b->page_dirty && p <= (e->off + e->w.len - 1) / page; p++)
        b->page_dirty[p] = 1;
      b->status = b->status == STATUS_UNKNOWN && b->page_dirty ? STATUS_UNKNOWN : STATUS_DIRTY;
      b->sig_valid = false;
    }
    *at = e->next;
    free(e);
  }
}

static bool in_patch(const struct block *b, uint32_t off) {
  for (struct patch *p = b->patches; p; p = p->next)
    if (off >= p->off && off - p->off < p->len) return true;
  return false;
}

/* Device to staging area, [lo, hi) but for the patches (which are in ascending order). */
static void fetch_gaps(struct gdm *g, struct block *b, uint32_t lo, uint32_t hi) {
  for (struct patch *p = b->patches; p && lo < hi; p = p->next) {
    if (p->off + p->len <= lo || p->off >= hi) continue;
    if (p->off > lo) gdm_device_read(g, b, lo, gdm_staging(b) + lo, p->off - lo);
    lo = p->off + p->len;
  }
  if (lo < hi) gdm_device_read(g, b, lo, gdm_staging(b) + lo, hi - lo);
}

void gdm_to_staging(struct block *b) {
  struct gdm *g = b->r->ctx->g;
  bool by_page = g->c.dirty == GDM_DIRTY_HW && g->c.policy == GDM_POLICY_GDM;
  uint32_t page = (uint32_t)g->c.page_bytes;
  for (struct extent **at = &b->extents, *e; (e = *at);) {
    if (in_patch(b, e->off)) gdm_watch_copy(&e->w);
    else if (by_page) {
      bool touched = false;
      for (uint32_t p = e->off / page; p <= (e->off + e->w.len - 1) / page; p++)
        touched = touched || b->page_dirty[p];
      if (!touched) {
        at = &e->next;
        continue;
      }
      gdm_watch_copy(&e->w);
    } else gdm_watch_end(&e->w);
    *at = e->next;
    free(e);
  }
  for (uint32_t p = 0; p < b->pages; p++) {
    uint32_t hi = (p + 1) * page < b->bytes ? (p + 1) * page : b->bytes;
    if (!by_page || b->page_dirty[p]) fetch_gaps(g, b, p * page, hi);
  }
  if (by_page) memset(b->page_dirty, 0, b->pages);
  b->blank = false;
}

void gdm_loaded(struct gdm *g, struct block *b) {
  if (!b->page_dirty) b->page_dirty = calloc(b->pages, 1);
  if (!b->page_dirty) abort();
  memset(b->page_dirty, 0, b->pages);
  b->state = BLOCK_IN;
  b->status = g->c.policy == GDM_POLICY_GDM ? STATUS_CLEAN : STATUS_DIRTY;
  for (unsigned i = 0; i < g->c.kernel_engines && !g->m.access;
       i++) { /* its kernel may write to it at once, unseen */
    const struct op *k = g->engine[i].job == ENGINE_KERNEL ? g->engine[i].exec.k : NULL;
    if (k && k->ctx == b->r->ctx && g->c.policy == GDM_POLICY_GDM) b->status = STATUS_UNKNOWN;
  }
  b->new_valid = b->low = false;
  b->was_in = true;
  b->overwritten_before = b->overwritten;
  b->copied_before = b->copied;
  b->overwritten = b->copied = false;
  for (struct extent *e = b->extents; e; e = e->next) gdm_watch_mode(&e->w, WATCH_DROP);
  gdm_map_block(g, b);
  gdm_used(g, b);
}

void gdm_leave_device(struct gdm *g, struct block *b) {
  gdm_forget(g, b);
  gdm_unwant_sign(g, b);
  gdm_unmap_block(g, b);
  gdm_give_frames(g, b);
  b->state = BLOCK_OUT;
  b->new_valid = b->low = false;
}

void gdm_peek(struct gdm_ctx *c, gdm_ptr at, void *to, size_t n) {
  gdm_watch_break(to, n);
  for (size_t m; n; at += m, n -= m, to = (uint8_t *)to + m) {
    struct block *b = gdm_block_at(c, at);
    uint32_t off = (uint32_t)(at - b->va);
    m = b->bytes - off < n ? b->bytes - off : n;
    gdm_check_sources(b);
    bool device = b->state == BLOCK_IN && b->status != STATUS_CLEAN;
    if (!device) gdm_host_read(b, off, to, (uint32_t)m);
    else gdm_device_read(c->g, b, off, to, (uint32_t)m);
    for (struct patch *p = b->patches; device && p; p = p->next) {
      uint32_t lo = p->off > off ? p->off : off,
               hi = p->off + p->len < off + m ? p->off + p->len : off + (uint32_t)m;
      if (lo < hi) gdm_host_read(b, lo, (uint8_t *)to + (lo - off), hi - lo);
    }
  }
}
