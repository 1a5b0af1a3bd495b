/* SPDX-License-Identifier: Apache-2.0 */
/* copy.c - copies to the device: the data waits in its source, or in the staging area, until it is
 * needed (section 4.1). */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "gdm/gdm_int.h"

/* Keeps the list sorted and its ranges apart. */
static void add_patch(struct block *b, uint32_t off, uint32_t len) {
  struct patch **at = &b->patches, *p;
  uint32_t end = off + len;
  while ((p = *at) && p->off + p->len < off) at = &p->next;
  while ((p = *at) && p->off <= end) {
    if (p->off < off) off = p->off;
    if (p->off + p->len > end) end = p->off + p->len;
    *at = p->next;
    free(p);
  }
  p = malloc(sizeof *p);
  if (!p) abort();
  *p = (struct patch){off, end - off, *at};
  *at = p;
}

/* [off, off + len) of a block is about to get new data on the host's side. */
static void overwrite(struct gdm *g, struct block *b, uint32_t off, uint32_t len) {
  bool whole = len == b->bytes;
  gdm_resolve_extents(b, off, len);
  if (b->state == BLOCK_LOADING) b->cancelled = true;
  if (b->state == BLOCK_IN) {
    add_patch(b, off, len);
    whole = b->patches->len == b->bytes;
    if (whole && g->c.policy == GDM_POLICY_GDM) {
      b->overwritten = true;
      g->stats.overwritten++;
      b->r->ctx->stats.overwritten++;
      free(b->patches);
      b->patches = NULL;
      gdm_leave_device(g, b);
    }
  }
  if (whole) b->was_in = false;
  b->sig_valid = b->blank = false;
}

/* The newest first. */
static void want_fetch(struct gdm *g, struct block *b) {
  if (b->state == BLOCK_IN) return;
  b->to_fetch = true;
  if (b->fetch_linked) return;
  b->fetch_linked = true;
  b->fetch_next = g->fetch;
  g->fetch = b;
}

static uint8_t *staging_at(const struct region *r, gdm_ptr at) { return r->staging + (at - r->va); }

struct extent *gdm_extent(const uint8_t *src, uint8_t *to, size_t len, int prot, uint32_t off,
                          struct gdm_watch_count *count, enum gdm_watch_mode mode) {
  struct extent *e = malloc(sizeof *e);
  if (!e) abort();
  *e = (struct extent){.w = {.src = (uint8_t *)(uintptr_t)src,
                             .to = to,
                             .len = len,
                             .prot = prot,
                             .count = count,
                             .mode = mode},
                       .off = off};
  gdm_watch_add(&e->w);
  return e;
}

/* Everything before it was done: the copy's data becomes the data of its blocks. */
void gdm_commit_copy(struct gdm *g, struct op *o) {
  struct region *r = gdm_find(o->ctx, o->dst);
  for (uint64_t done = 0, n; done < o->bytes; done += n) {
    struct block *b = gdm_block_at(o->ctx, o->dst + done);
    uint32_t off = (uint32_t)(o->dst + done - b->va);
    n = b->bytes - off < o->bytes - done ? b->bytes - off : o->bytes - done;
    overwrite(g, b, off, (uint32_t)n);
    uint8_t *home = staging_at(r, o->dst + done);
    uint64_t at = done;
    while (o->extents && o->extents->off < done + n) { /* ascending; none crosses a block */
      struct extent *e = o->extents;
      o->extents = e->next;
      memcpy(home + (at - done), o->saved + at, e->off - at);
      at = e->off + e->w.len;
      if (gdm_watch_move(&e->w, home + (e->off - done))) {
        e->off += (uint32_t)(off - done);
        e->next = b->extents;
        b->extents = e;
      } else {
        memcpy(home + (e->off - done), o->saved + e->off, e->w.len);
        free(e);
      }
    }
    memcpy(home + (at - done), o->saved + at, done + n - at);
    want_fetch(g, b);
  }
}

void gdm_op_free(struct op *o) {
  while (o->extents) {
    struct extent *e = o->extents;
    o->extents = e->next;
    gdm_watch_end(&e->w);
    free(e);
  }
  if (o->saved) munmap(o->saved, o->bytes);
  free(o->need);
  free(o);
}

/* The copy of section 4.1. What can be watched stays in the source, the rest is copied now: to the
 * staging area or, while kernels of the context are under way that may need what is there, to
 * memory of its own. */
int gdm_copy_in(struct gdm_ctx *c, gdm_ptr dst, const void *src, size_t bytes) {
  struct gdm *g = c->g;
  struct region *r = gdm_find(c, dst);
  bool now = gdm_idle(c);
  size_t skip = 0, len = 0, copied = 0;
  int prot = 0;
  struct op *o = NULL;
  if (g->c.policy != GDM_POLICY_GDM || g->c.watch != GDM_WATCH_COW ||
      !gdm_watch_pages(src, bytes, &skip, &len, &prot))
    len = 0;
  if (!now) {
    o = calloc(1, sizeof *o);
    void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                   -1, 0);
    if (!o || p == MAP_FAILED) {
      free(o);
      return GDM_ERROR_OUT_OF_MEMORY;
    }
    *o = (struct op){.kind = OP_COPY, .ctx = c, .dst = dst, .bytes = bytes, .saved = p};
  }
  gdm_split(r, dst - r->va, bytes);
  struct extent **tail = o ? &o->extents : NULL;
  for (size_t done = 0, n; done < bytes; done += n) {
    struct block *b = gdm_block_at(c, dst + done);
    uint32_t off = (uint32_t)(dst + done - b->va);
    n = b->bytes - off < bytes - done ? b->bytes - off : bytes - done;
    uint8_t *home = o ? o->saved + done : staging_at(r, dst + done);
    const uint8_t *from = (const uint8_t *)src + done;
    size_t lo = skip > done ? skip - done : 0,
           hi = skip + len > done ? skip + len - done : 0; /* the part to watch */
    if (hi > n) hi = n;
    if (lo > hi || !len) lo = hi = 0;
    if (now) overwrite(g, b, off, (uint32_t)n);
    memcpy(home, from, lo);
    memcpy(home + hi, from + hi, n - hi);
    copied += n - (hi - lo);
    if (hi > lo) {
      struct extent *e = gdm_extent(from + lo, home + lo, hi - lo, prot,
                                    (uint32_t)(o ? done + lo : off + lo), &c->cow, WATCH_COPY);
      e->next = o ? NULL : b->extents;
      if (o) *tail = e, tail = &e->next;
      else b->extents = e;
    }
    b->recent = true;
    if (now && g->c.policy == GDM_POLICY_GDM) want_fetch(g, b);
  }
  if (o) {
    *c->ops_end = o;
    c->ops_end = &o->next;
  }
  if (g->c.policy == GDM_POLICY_GDM) {
    g->stats.staged_bytes += copied;
    c->stats.staged_bytes += copied;
    gdm_pump(g);
    gdm_delay(g, gdm_bytes_ns(copied, g->c.costs.host_bytes_per_s));
  }
  return GDM_SUCCESS;
}
