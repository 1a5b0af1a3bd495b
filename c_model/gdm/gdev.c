/* SPDX-License-Identifier: Apache-2.0 */
/* gdev.c - Gdev's swapping (section 6.3): whole regions. A region that finds no room takes the
 * frames of one other: strictly larger, of another application, that has never swapped with any
 * other. The two share those frames from then on. */
#include <stdlib.h>
#include <string.h>

#include "gdm/gdm_int.h"

static bool in(const struct region *r) { return r->block[0].frame; }
static uint64_t pages_of(const struct region *r) {
  uint64_t n = 0;
  for (uint32_t i = 0; i < r->blocks; i++) n += r->block[i].pages;
  return n;
}
static bool pinned(const struct region *r) {
  for (uint32_t i = 0; i < r->blocks; i++)
    if (r->block[i].pins || r->block[i].state == BLOCK_LOADING) return true;
  for (const struct op *o = r->ctx->ops; o; o = o->next)
    if (o->kind == OP_KERNEL && (o->state == KERNEL_RUNNING || o->state == KERNEL_READY))
      return true;
  return false;
}

/* Smallest first, as it leaves least unused. *later: there is one, but a kernel has it. */
static struct region *victim(struct gdm *g, const struct region *r, bool *later) {
  struct region *best = NULL, *busy = NULL;
  for (struct gdm_ctx *c = g->ctxs; c; c = c->next)
    for (struct region *v = c->regions; v && c != r->ctx; v = v->next) {
      if (!in(v) || v->bytes <= r->bytes || v->partner ||
          (v->swapped_with && v->swapped_with != r->id))
        continue;
      struct region **to = pinned(v) ? &busy : &best;
      if (!*to || v->bytes < (*to)->bytes) *to = v;
    }
  *later = !best && busy;
  return best;
}

static struct region *larger(struct region *r) {
  return r->partner && r->partner->bytes > r->bytes ? r->partner : r;
}

/* Free frames that stay with the pair: at most as many as the larger region has. */
static void reserve(struct gdm *g, struct region *r, uint64_t pages) {
  struct region *l = larger(r);
  if (!l->spare && !(l->spare = malloc(pages_of(l) * sizeof *l->spare))) abort();
  while (pages-- && g->free_frames) l->spare[l->spares++] = g->frames[--g->free_frames];
}
static void release(struct gdm *g, struct region *r) {
  struct region *l = larger(r);
  while (l->spares) g->frames[g->free_frames++] = l->spare[--l->spares];
}

/* A block of a pair has left the device. */
void gdm_gdev_out(struct gdm *g, struct block *b) {
  if (b->r->partner) reserve(g, b->r, b->pages);
}

static bool moving(const struct region *r) {
  for (uint32_t i = 0; i < r->blocks; i++)
    if (r->block[i].state == BLOCK_LOADING || r->block[i].state == BLOCK_EVICTING) return true;
  return false;
}

/* One transfer for the region: the bytes of all its blocks, the last that is free is the first
 * block. */
static void push_out(struct gdm *g, struct transfer *t, struct region *v) {
  for (uint32_t i = 1; i < v->blocks; i++) {
    gdm_to_staging(&v->block[i]);
    gdm_leave_device(g, &v->block[i]);
    gdm_gdev_out(g, &v->block[i]);
  }
  gdm_evict(g, t, &v->block[0]);
  gdm_transfer_bytes(t, v->bytes);
}

/* Makes the region resident: STEP_DONE when all of it is there. */
enum step gdm_gdev_region(struct gdm *g, struct transfer *t, struct region *r) {
  uint64_t need = pages_of(r), bytes = 0;
  bool later = false;
  if (moving(r)) return STEP_BLOCKED;
  if (in(r)) return STEP_DONE;
  if (r->partner && r->partner->claims)
    return STEP_BLOCKED; /* it had this one pushed out, and comes first */
  if (!r->partner && g->free_frames < need) {
    struct region *v = victim(g, r, &later);
    if (!v) return later ? STEP_BLOCKED : STEP_NEVER;
    r->partner = v;
    v->partner = r;
    r->swapped_with = v->id;
    v->swapped_with = r->id;
  }
  if (r->partner && in(r->partner)) {
    if (pinned(r->partner) || moving(r->partner)) return STEP_BLOCKED;
    push_out(g, t, r->partner);
    r->claims = true;
    return STEP_STARTED;
  }
  r->claims = false;
  release(g, r);
  for (uint32_t i = 0; i < r->blocks; i++) {
    struct block *b = &r->block[i];
    bytes += b->blank ? 0 : b->bytes;
    if (!gdm_take_frames(g, b)) abort(); /* counted above, or reserved for the pair */
    gdm_host_read(b, 0, g->bounce, b->bytes);
    gdm_device_write(g, b, 0, g->bounce, b->bytes);
    if (i) gdm_loaded(g, b);
  }
  if (r->partner) reserve(g, r, pages_of(larger(r)) - need);
  r->block[0].state = BLOCK_LOADING;
  gdm_transfer(g, t, GDM_EVENT_HTOD, &r->block[0], bytes, false);
  t->counted = r->block[0].was_in;
  return STEP_STARTED;
}

enum step gdm_gdev_step(struct gdm *g, struct transfer *t, struct op *k) {
  for (struct region *r = k->ctx->regions; r; r = r->next) {
    enum step s = gdm_gdev_region(g, t, r);
    if (s != STEP_DONE) return s;
  }
  return STEP_DONE;
}

void gdm_gdev_forget(struct gdm *g, struct region *r) {
  release(g, r);
  if (r->partner) r->partner->partner = NULL; /* it has swapped, so it swaps with no other */
  r->partner = NULL;
  free(r->spare);
  r->spare = NULL;
}
