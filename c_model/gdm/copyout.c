/* SPDX-License-Identifier: Apache-2.0 */
/* copyout.c - copies to the host (sections 3 and 4.4): block by block, from where the newest data
 * is. A whole block that comes from the device goes to the application's buffer, whose pages are
 * watched from then on: they are the host's copy of the block as a source is (section 4.1), until
 * somebody writes to them. What cannot be watched goes to the staging area first. */
#include <string.h>

#include "gdm/gdm_int.h"

void gdm_copy_out_watch(struct copyout *o) {
  size_t skip, len;
  const struct gdm *g = o->ctx->g;
  if (g->c.policy != GDM_POLICY_GDM || g->c.watch != GDM_WATCH_COW ||
      !gdm_watch_pages(o->dst, o->bytes, &skip, &len, &o->prot))
    return;
  o->watch_lo = skip;
  o->watch_hi = skip + len;
}

/* Does the device have something in [off, off + len) that the host has not? */
static bool newer(struct gdm *g, struct block *b, uint32_t off, uint32_t len) {
  bool used;
  if (b->state != BLOCK_IN) return false;
  gdm_check_sources(b);
  if (g->c.policy != GDM_POLICY_GDM) return true;
  if (g->c.dirty == GDM_DIRTY_SIGNATURE || b->status == STATUS_CLEAN)
    return b->status != STATUS_CLEAN;
  if (b->status == STATUS_UNKNOWN) gdm_harvest_block(g, b, &used);
  for (uint64_t p = off / g->c.page_bytes; p <= (off + len - 1) / g->c.page_bytes; p++)
    if (b->page_dirty[p]) return true;
  return false;
}

/* The pages of the application's buffer that lie in this block's part alone. */
static bool whole_pages(const struct copyout *o, uint32_t len, uint32_t *lo, uint32_t *hi) {
  const uintptr_t page = 4096;
  uintptr_t at = (uintptr_t)(o->dst + o->done);
  uint64_t first = (at + page - 1) / page * page - at, end = (at + len) / page * page - at;
  if ((at + len) / page * page <= at) return false;
  if (o->done + first < o->watch_lo || o->done + end > o->watch_hi || first >= end) return false;
  *lo = (uint32_t)first;
  *hi = (uint32_t)end;
  return true;
}

/* The block is in the application's buffer now: that is the host's copy, the rest of it goes to the
 * staging area. */
static void keep_in_buffer(struct copyout *o, struct block *b, uint32_t lo, uint32_t hi) {
  uint8_t *dst = o->dst + o->done;
  gdm_drop_extents(b);
  memcpy(gdm_staging(b), dst, lo);
  memcpy(gdm_staging(b) + hi, dst + hi, b->bytes - hi);
  b->extents =
      gdm_extent(dst + lo, gdm_staging(b) + lo, hi - lo, o->prot, lo, &o->ctx->cow, WATCH_DROP);
  memset(b->page_dirty, 0, b->pages);
  b->blank = false;
}

/* A block's part that the device has newer. */
static void from_device(struct gdm *g, struct transfer *t, struct copyout *o, struct block *b,
                        uint32_t len) {
  uint64_t bytes = len, host = 0; /* by DMA; by the CPU */
  uint32_t lo, hi;
  uint8_t *dst = o->dst + o->done;
  if (len != b->bytes || g->c.policy != GDM_POLICY_GDM) {
    gdm_peek(o->ctx, o->src + o->done, dst, len);
  } else {
    bool buffer = !b->patches && whole_pages(o, len, &lo, &hi);
    if (g->c.dirty == GDM_DIRTY_HW)
      for (uint32_t p = 0; p < b->pages; p++)
        if (!b->page_dirty[p]) bytes -= g->c.page_bytes < bytes ? g->c.page_bytes : bytes;
    gdm_host_is_current(g, b);
    if (buffer) {
      gdm_device_read(g, b, 0, dst, len); /* pages that are clean come from the host */
      keep_in_buffer(o, b, lo, hi);
      host = len - bytes + lo + (len - hi);
    } else {
      gdm_to_staging(b);
      gdm_host_read(b, 0, dst, len);
      host = len;
    }
    b->status = STATUS_CLEAN;
    b->low = false;
    gdm_unwant_sign(g, b);
    gdm_place(g, b);
  }
  o->busy = true;
  b->pins++;
  gdm_transfer(g, t, GDM_EVENT_DTOH, b, bytes, false);
  t->out = o;
  if (o->done + len == o->bytes) o->host_bytes += host; /* others' while the next is on its way */
}

enum step gdm_copy_out_step(struct gdm *g, struct transfer *t, struct copyout *o) {
  while (o->done < o->bytes) {
    if (o->busy) return STEP_BLOCKED;
    struct block *b = gdm_block_at(o->ctx, o->src + o->done);
    uint32_t off = (uint32_t)(o->src + o->done - b->va);
    uint32_t len =
        b->bytes - off < o->bytes - o->done ? b->bytes - off : (uint32_t)(o->bytes - o->done);
    bool device = newer(g, b, off, len);
    if (device) {
      from_device(g, t, o, b, len);
    } else {
      gdm_host_read(b, off, o->dst + o->done, len);
      o->host_bytes += len;
    }
    if (len == b->bytes && b->state == BLOCK_IN) {
      b->copied = true;
      g->stats.copied_out++;
      o->ctx->stats.copied_out++;
    }
    o->done += len;
    if (device) return STEP_STARTED;
  }
  if (o->busy) return STEP_BLOCKED;
  o->ended = true;
  return STEP_DONE;
}
