/* SPDX-License-Identifier: Apache-2.0 */
/* engine.c - the copy engines: what they do next, and transfers block by block (section 4.3). Bytes
 * move when a transfer starts, states change when it ends: nobody can see the difference, as
 * neither a kernel nor the host uses a block that is on its way. */
#include <stdlib.h>
#include <string.h>

#include "gdm/gdm_int.h"

static void count(uint64_t *bytes, uint64_t *ns, const struct transfer *t) {
  *bytes += t->bytes;
  *ns += t->g->now - t->start;
}
static void account(struct gdm *g, const struct transfer *t) {
  struct gdm_stats *of[2] = {&g->stats, &t->b->r->ctx->stats};
  for (int i = 0; i < 2; i++) {
    struct gdm_stats *s = of[i];
    if (t->kind == GDM_EVENT_HTOD) count(&s->htod_bytes, &s->htod_ns, t);
    if (t->kind == GDM_EVENT_DTOH) count(&s->dtoh_bytes, &s->dtoh_ns, t);
    if (t->kind == GDM_EVENT_EVICT) count(&s->evict_bytes, &s->evict_ns, t);
    if (t->kind == GDM_EVENT_HTOD && t->counted) s->reload_bytes += t->bytes;
    if (t->fetch) s->prefetch_bytes += t->bytes;
  }
  gdm_tell(g, t->kind, t->index, t->b->r->ctx->asid, t->start, t->bytes, NULL);
}

/* A full copy to the host's side: the host is up to date now. */
void gdm_host_is_current(struct gdm *g, struct block *b) {
  if (g->c.policy != GDM_POLICY_GDM) return;
  if (b->status == STATUS_DIRTY && b->new_valid && !b->patches) {
    uint8_t *old = b->sig;
    b->sig = b->new_sig;
    b->new_sig = old;
    b->sig_valid = true;
  } else if (b->status != STATUS_CLEAN) {
    b->sig_valid = false;
  }
  b->new_valid = false;
}

static void transfer_end(struct gdm *g, void *arg) {
  struct transfer *t = arg;
  struct block *b = t->b;
  account(g, t);
  if (t->out) {
    t->out->busy = false;
    b->pins--;
  } else if (t->patch) {
    b->pins--;
    for (struct extent *e = b->extents; e; e = e->next)
      if (e->off >= t->patch->off && e->off - t->patch->off < t->patch->len)
        gdm_watch_mode(&e->w, WATCH_DROP);
    free(t->patch);
  } else if (t->kind == GDM_EVENT_HTOD) {
    if (b->cancelled) {
      gdm_give_frames(g, b);
      b->state = BLOCK_OUT;
    } else {
      gdm_loaded(g, b);
    }
    b->cancelled = false;
  } else {
    gdm_give_frames(g, b);
    b->state = BLOCK_OUT;
    gdm_gdev_out(g, b);
  }
  t->busy = false;
  gdm_pump(g);
}

/* A transfer that grew after its start ends later. */
static void transfer_due(struct gdm *g, void *arg) {
  struct transfer *t = arg;
  if (g->now < t->start + t->ns) gdm_at(g, t->start + t->ns, transfer_end, t);
  else transfer_end(g, t);
}

void gdm_transfer(struct gdm *g, struct transfer *t, int kind, struct block *b, uint64_t bytes,
                  bool fill) {
  uint64_t ns = g->c.costs.dma_start_ns + g->debt_ns;
  ns += fill ? gdm_bytes_ns(b->bytes, g->c.costs.fill_bytes_per_s)
             : gdm_bytes_ns(bytes, g->c.costs.pcie_bytes_per_s);
  g->debt_ns = 0;
  t->busy = true;
  t->kind = kind;
  t->b = b;
  t->patch = NULL;
  t->out = NULL;
  t->counted = t->fetch = false;
  t->start = g->now;
  t->bytes = fill ? 0 : bytes;
  t->ns = ns;
  gdm_at(g, g->now + ns, transfer_due, t);
}

void gdm_transfer_bytes(struct transfer *t, uint64_t bytes) {
  t->ns += gdm_bytes_ns(bytes, t->g->c.costs.pcie_bytes_per_s) -
           gdm_bytes_ns(t->bytes, t->g->c.costs.pcie_bytes_per_s);
  t->bytes = bytes;
}

static void drop_patches(struct block *b) {
  while (b->patches) {
    struct patch *p = b->patches;
    b->patches = p->next;
    free(p);
  }
}

/* Pushes a block out. False: it was clean and is gone already. */
bool gdm_evict(struct gdm *g, struct transfer *t, struct block *v) {
  uint64_t bytes = v->bytes + gdm_sign_transfer(g, v);
  bool by_page = g->c.dirty == GDM_DIRTY_HW && g->c.policy == GDM_POLICY_GDM, used;
  if (by_page && v->status == STATUS_UNKNOWN) gdm_harvest_block(g, v, &used);
  /* From here on a write to a source copies it; one that came before makes the block dirty. */
  for (struct extent *e = v->extents; e; e = e->next) gdm_watch_mode(&e->w, WATCH_COPY);
  gdm_check_sources(v);
  gdm_forget(g, v);
  gdm_unwant_sign(g, v);
  gdm_unmap_block(g, v);
  uint64_t *count[2][2] = {{&g->stats.evict_dirty, &g->stats.evict_clean},
                           {&v->r->ctx->stats.evict_dirty, &v->r->ctx->stats.evict_clean}};
  bool clean = v->status == STATUS_CLEAN;
  for (int i = 0; i < 2; i++) (*count[i][clean])++;
  v->low = v->evidence = false;
  if (clean) {
    drop_patches(v);
    gdm_give_frames(g, v);
    v->state = BLOCK_OUT;
    v->new_valid = false;
    return false;
  }
  if (by_page) {
    bytes = 0;
    for (uint32_t p = 0; p < v->pages; p++) {
      uint64_t left = v->bytes - p * g->c.page_bytes;
      if (v->page_dirty[p]) bytes += left < g->c.page_bytes ? left : g->c.page_bytes;
    }
  }
  gdm_host_is_current(g, v);
  gdm_to_staging(v);
  drop_patches(v);
  v->state = BLOCK_EVICTING;
  gdm_transfer(g, t, GDM_EVENT_EVICT, v, bytes, false);
  return true;
}

static enum step send_patch(struct gdm *g, struct transfer *t, struct block *b) {
  struct patch *p = b->patches;
  b->patches = p->next;
  gdm_host_read(b, p->off, g->bounce, p->len);
  gdm_device_write(g, b, p->off, g->bounce, p->len);
  b->pins++;
  gdm_transfer(g, t, GDM_EVENT_HTOD, b, p->len, false);
  t->patch = p;
  return STEP_STARTED;
}

enum step gdm_load_step(struct gdm *g, struct transfer *t, struct block *b, bool fetch) {
  bool wait;
  if (b->state == BLOCK_LOADING || b->state == BLOCK_EVICTING) return STEP_BLOCKED;
  if (b->state == BLOCK_IN) return b->patches ? send_patch(g, t, b) : STEP_DONE;
  while (g->free_frames < b->pages) {
    struct block *v = fetch ? NULL : gdm_victim(g, &wait);
    if (!v) return STEP_BLOCKED;
    if (gdm_evict(g, t, v)) return STEP_STARTED;
  }
  gdm_take_frames(g, b);
  gdm_host_read(b, 0, g->bounce, b->bytes);
  gdm_device_write(g, b, 0, g->bounce, b->bytes);
  b->state = BLOCK_LOADING;
  b->to_fetch = false;
  gdm_transfer(g, t, GDM_EVENT_HTOD, b, b->bytes + (b->sig_valid ? gdm_sign_transfer(g, b) : 0),
               b->blank);
  t->counted = b->was_in;
  t->fetch = fetch;
  return STEP_STARTED;
}

/* ---------------------------------------- copies that are waited for */
static enum step copy_in_step(struct gdm *g, struct transfer *t, struct copyout *o) {
  while (o->done < o->bytes) {
    struct block *b = gdm_block_at(o->ctx, o->src + o->done);
    enum step s = g->c.policy == GDM_POLICY_GDEV ? gdm_gdev_region(g, t, b->r) : STEP_DONE;
    if (s == STEP_NEVER) { /* the launch will say so */
      if (o->held) o->held->pins--;
      o->done = o->bytes;
      break;
    }
    if (s == STEP_DONE) s = gdm_load_step(g, t, b, false);
    if (!o->held) o->held = b, b->pins++; /* nobody pushes it out before it counts as copied */
    if (s != STEP_DONE) return s;
    b->pins--;
    o->held = NULL;
    uint64_t n = b->va + b->bytes - (o->src + o->done);
    o->done += n < o->bytes - o->done ? n : o->bytes - o->done;
  }
  o->ended = true;
  return STEP_DONE;
}

/* The oldest copy that can go on. */
static enum step copies(struct gdm *g, struct transfer *t) {
  for (struct copyout **at = &g->outs, *o; (o = *at);) {
    enum step s = o->in ? copy_in_step(g, t, o) : gdm_copy_out_step(g, t, o);
    if (s == STEP_STARTED) return s;
    if (s == STEP_DONE) *at = o->next;
    else at = &o->next;
  }
  return STEP_BLOCKED;
}

/* ---------------------------------------- what is next */
static bool moving(const struct gdm *g) {
  for (unsigned i = 0; i < g->c.copy_engines; i++)
    if (g->copy[i].busy) return true;
  for (unsigned i = 0; i < g->c.kernel_engines; i++)
    if (g->engine[i].job == ENGINE_SIGN || (g->engine[i].job == ENGINE_IDLE && g->num_to_sign))
      return true;
  return false;
}

/* Blocks that running kernels wait for. They may have the memory of kernels that have not started.
 */
static bool faults(struct gdm *g, struct transfer *t) {
  for (unsigned i = 0; i < g->c.kernel_engines; i++) {
    struct engine *e = &g->engine[i];
    while (e->fault) {
      enum step s = gdm_load_step(g, t, e->fault, false);
      if (s == STEP_STARTED) return true;
      if (s == STEP_DONE) e->fault = NULL;
      if (s != STEP_BLOCKED || moving(g)) break;
      struct op *waiting = g->preparing;
      for (struct gdm_ctx *c = g->ctxs; c && !waiting; c = c->next)
        for (struct op *o = c->ops; o && !waiting; o = o->next)
          if (o->kind == OP_KERNEL && o->state == KERNEL_READY) waiting = o;
      if (waiting) {
        gdm_revert(g, waiting);
        continue;
      }
      bool shed = false;
      for (unsigned j = 0; j < g->c.kernel_engines; j++)
        if (g->engine[j].fault) shed = gdm_shed(g, g->engine[j].exec.k) || shed;
      if (shed) continue;
      bool others = false; /* another engine's kernel will end and give its memory up */
      for (unsigned j = 0; j < g->c.kernel_engines; j++)
        others = others || (j != i && g->engine[j].job == ENGINE_KERNEL && !g->engine[j].fault);
      if (others) break;
      e->fault_lost = true;
      e->fault = NULL;
    }
  }
  return false;
}

static enum step prepare(struct gdm *g, struct transfer *t) {
  struct op *k = g->preparing;
  if (!k) return STEP_BLOCKED;
  enum step s = STEP_DONE;
  for (struct region *r = k->ctx->regions; r;
       r = r->next) /* the kernel must not see what a copy replaced, named or not */
    for (uint32_t i = 0; i < r->blocks; i++)
      if (r->block[i].state == BLOCK_IN && r->block[i].patches)
        return send_patch(g, t, &r->block[i]);
  if (g->c.policy == GDM_POLICY_GDEV) s = gdm_gdev_step(g, t, k);
  for (; s == STEP_DONE && k->cursor < k->needs; k->cursor++)
    if ((s = gdm_load_step(g, t, k->need[k->cursor], false)) != STEP_DONE) break;
  if (s == STEP_NEVER) {
    g->preparing = NULL;
    k->failed = true;
    gdm_revert(g, k);
    return STEP_DONE;
  }
  if (s != STEP_DONE) return s;
  k->state = KERNEL_READY;
  g->preparing = NULL;
  return STEP_DONE;
}

/* Requests of copies that nothing needed yet, the newest first, while there is room and no kernel
 * waits. */
static bool prefetch(struct gdm *g, struct transfer *t) {
  if (!g->c.prefetch || g->preparing) return false;
  for (struct gdm_ctx *c = g->ctxs; c; c = c->next)
    for (struct op *o = c->ops; o; o = o->next)
      if (o->kind == OP_KERNEL && o->state == KERNEL_QUEUED) return false;
  while (g->fetch) {
    struct block *b = g->fetch;
    if (b->to_fetch && b->state == BLOCK_OUT) return gdm_load_step(g, t, b, true) == STEP_STARTED;
    b->to_fetch = false;
    g->fetch = b->fetch_next;
    b->fetch_next = NULL;
    b->fetch_linked = false;
  }
  return false;
}

/* One step of an idle copy engine; true: something changed. */
bool gdm_copy_start(struct gdm *g, struct transfer *t) {
  if (faults(g, t)) return true;
  struct op *was = g->preparing;
  struct copyout *outs = g->outs;
  enum step s = STEP_BLOCKED;
  for (int i = 0; i < 2 && s != STEP_STARTED; i++) {
    g->copy_turn = !g->copy_turn;
    s = g->copy_turn ? copies(g, t) : prepare(g, t);
  }
  if (s == STEP_STARTED || was != g->preparing || outs != g->outs) return true;
  return prefetch(g, t);
}
