/* SPDX-License-Identifier: Apache-2.0 */
/* queue.c - kernels from their launch to their end: what they need and whose turn it is (section
 * 4.3). */
#include <stdlib.h>

#include "gdm/gdm_int.h"

bool gdm_idle(void *ctx) { return !((struct gdm_ctx *)ctx)->ops; }

void gdm_need(struct op *k, struct block *b) {
  if (k->needs == k->room) {
    k->room = k->room ? 2 * k->room : 64;
    struct block **more = realloc(k->need, k->room * sizeof *more);
    if (!more) abort();
    k->need = more;
  }
  k->need[k->needs++] = b;
}

/* Adds an object's blocks, once; with faults only while there is room, as the rest comes on demand.
 */
static void need_blocks(struct op *k, struct region *r, uint32_t first, uint32_t last,
                        uint64_t *pages, bool all) {
  for (uint32_t i = first; i <= last; i++) {
    struct block *b = &r->block[i];
    if (b->kernel == k->id || (!all && *pages + b->pages > k->ctx->g->total_frames)) continue;
    b->kernel = k->id;
    *pages += b->pages;
    gdm_need(k, b);
  }
}

static int named(struct op *k, const gdm_ptr *objects, unsigned n, uint64_t *pages) {
  for (unsigned i = 0; i < n; i++)
    if (!gdm_find(k->ctx, objects[i])) return GDM_ERROR_INVALID_VALUE;
  for (unsigned i = 0; i < n; i++) {
    struct block *b = gdm_block_at(k->ctx, objects[i]);
    uint32_t first, last;
    gdm_object(b, &first, &last);
    need_blocks(k, b->r, first, last, pages, true);
  }
  return GDM_SUCCESS;
}

/* What the arguments point to, then what was copied since the last launch. */
static void guessed(struct op *k, uint64_t *pages) {
  for (unsigned i = 0; i < k->nargs; i++) {
    struct block *b = gdm_find(k->ctx, k->args[i]) ? gdm_block_at(k->ctx, k->args[i]) : NULL;
    uint32_t first, last;
    if (!b) continue;
    gdm_object(b, &first, &last);
    need_blocks(k, b->r, first, last, pages, false);
  }
  for (struct region *r = k->ctx->regions; r; r = r->next)
    for (uint32_t i = 0; i < r->blocks; i++) {
      uint32_t first, last;
      if (!r->block[i].recent) continue;
      gdm_object(&r->block[i], &first, &last);
      need_blocks(k, r, first, last, pages, false);
    }
}

/* What the launch needs; an error if that cannot be, and nothing is changed. */
int gdm_plan(struct op *k, const gdm_ptr *objects, unsigned n) {
  struct gdm *g = k->ctx->g;
  uint64_t pages = 0;
  k->id = ++g->next_kernel;
  if (n && named(k, objects, n, &pages)) return GDM_ERROR_INVALID_VALUE;
  if (g->c.policy != GDM_POLICY_GDM && g->c.policy != GDM_POLICY_BASE)
    k->needs = 0; /* none: all is there; gdev: by region */
  else if (g->c.policy == GDM_POLICY_BASE || (!n && !g->c.faults)) {
    for (struct region *r = k->ctx->regions; r; r = r->next)
      need_blocks(k, r, 0, r->blocks - 1, &pages, true);
  } else if (!n) {
    guessed(k, &pages);
  }
  return pages > g->total_frames ? GDM_ERROR_OUT_OF_MEMORY : GDM_SUCCESS;
}

/* ---------------------------------------- preparation */
/* The next kernel to load for: contexts in turn, one kernel of each. */
static struct op *next_to_prepare(struct gdm *g) {
  struct op *best = NULL;
  unsigned best_wait = 0;
  for (struct gdm_ctx *c = g->ctxs; c; c = c->next) {
    struct op *o = c->ops;
    while (o && o->kind == OP_KERNEL && o->state == KERNEL_RUNNING) o = o->next;
    if (!o || o->kind != OP_KERNEL || o->state != KERNEL_QUEUED || o->failed) continue;
    unsigned wait = (c->asid + GDM_ASIDS - g->prepare_after - 1) % GDM_ASIDS;
    if (!best || wait < best_wait) best = o, best_wait = wait;
  }
  return best;
}

static void start_preparing(struct gdm *g, struct op *k) {
  g->preparing = k;
  g->prepare_after = k->ctx->asid;
  k->state = KERNEL_PREPARING;
  k->cursor = 0;
  for (uint32_t i = 0; i < k->needs; i++) k->need[i]->kernel = k->id;
  for (uint32_t i = 0; i < k->needs; i++) {
    k->need[i]->pins++;
    if (k->need[i]->in_cost && k->need[i]->state == BLOCK_IN) gdm_used(g, k->need[i]);
  }
}

static void unpin(struct op *k) {
  for (uint32_t i = 0; i < k->needs; i++) k->need[i]->pins--;
}

/* Back to the queue: its memory is wanted by a kernel that runs. */
void gdm_revert(struct gdm *g, struct op *k) {
  unpin(k);
  k->state = KERNEL_QUEUED;
  if (g->preparing == k) g->preparing = NULL;
}

/* A kernel that waits for a block gives up what was loaded for it and it has not touched. */
bool gdm_shed(struct gdm *g, struct op *k) {
  uint32_t kept = 0, n = k->needs;
  for (uint32_t i = 0; i < n; i++) {
    struct block *b = k->need[i];
    if (b->touched == k->id) {
      k->need[kept++] = b;
    } else {
      b->pins--;
      b->kernel = 0;
    }
  }
  (void)g;
  k->needs = kept;
  return kept < n;
}

/* ---------------------------------------- execution */
static void advance(struct gdm *g, struct gdm_ctx *c) {
  while (c->ops && (c->ops->kind == OP_COPY || c->ops->state == KERNEL_DONE)) {
    struct op *o = c->ops;
    if (o->kind == OP_COPY) gdm_commit_copy(g, o);
    c->ops = o->next;
    if (!c->ops) c->ops_end = &c->ops;
    gdm_op_free(o);
  }
}

/* A context that failed runs nothing more. */
static void drop_ops(struct gdm *g, struct gdm_ctx *c) {
  for (struct op *o = c->ops; o; o = o->next) {
    if (o->kind != OP_KERNEL || o->state == KERNEL_DONE || o->state == KERNEL_RUNNING) continue;
    if (o->state != KERNEL_QUEUED) gdm_revert(g, o);
    o->state = KERNEL_DONE;
  }
  advance(g, c);
}

static void kernel_done(struct gdm *g, void *arg) {
  struct engine *e = arg;
  struct op *k = e->exec.k;
  struct gdm_ctx *c = k->ctx;
  if (e->start < g->now)
    gdm_tell(g, GDM_EVENT_HARVEST, e->index, c->asid, e->start, 0, k->code.name);
  unpin(k);
  k->state = KERNEL_DONE;
  e->job = ENGINE_IDLE;
  e->exec.k = NULL;
  if (c->error) drop_ops(g, c);
  else advance(g, c);
  gdm_pump(g);
}

/* D and A of all that the context has on the device, if they will be asked for; the engine is held
 * until they are clear. */
static uint64_t harvest(struct gdm *g, struct gdm_ctx *c) {
  uint64_t before = g->debt_ns;
  bool used;
  if (g->c.policy != GDM_POLICY_GDM || g->c.dirty != GDM_DIRTY_HW) return 0;
  if (g->stats.allocated_bytes <= g->c.device_bytes) return 0;
  for (struct region *r = c->regions; r; r = r->next)
    for (uint32_t i = 0; i < r->blocks; i++) {
      struct block *b = &r->block[i];
      if (b->state != BLOCK_IN) continue;
      gdm_harvest_block(g, b, &used);
      if (used) gdm_used(g, b);
    }
  uint64_t cost = g->debt_ns - before;
  g->debt_ns = before;
  return cost;
}

void gdm_kernel_end(struct gdm *g, void *arg) {
  struct engine *e = arg;
  struct op *k = e->exec.k;
  struct gdm_stats *of[2] = {&g->stats, &k->ctx->stats};
  for (int i = 0; i < 2; i++) {
    of[i]->kernels++;
    of[i]->kernel_ns += g->now - k->start - k->stalled;
    of[i]->stall_ns += k->stalled;
  }
  gdm_tell(g, GDM_EVENT_KERNEL, e->index, k->ctx->asid, k->start, 0, k->code.name);
  e->start = g->now;
  uint64_t cost = harvest(g, k->ctx);
  if (cost) gdm_at(g, g->now + cost, kernel_done, e);
  else kernel_done(g, e);
}

/* On a core of the machine accesses are not seen: what its context has on the device, and nobody
 * asked for, stays too. */
static void pin_resident(struct gdm *g, struct op *k) {
  if (g->m.access || !g->c.faults || g->c.policy != GDM_POLICY_GDM) return;
  for (struct region *r = k->ctx->regions; r; r = r->next)
    for (uint32_t i = 0; i < r->blocks; i++) {
      struct block *b = &r->block[i];
      if (b->state != BLOCK_IN || b->kernel == k->id) continue;
      b->pins++;
      gdm_need(k, b);
    }
}

void gdm_may_be_written(struct gdm *g, struct block *b) {
  if (g->c.policy != GDM_POLICY_GDM || b->state != BLOCK_IN) return;
  gdm_check_sources(b);
  b->status = STATUS_UNKNOWN;
  b->new_valid = b->evidence = b->low = false;
  gdm_unwant_sign(g, b);
  if (g->c.dirty != GDM_DIRTY_HW)
    gdm_place(g, b); /* hw: known again when the kernel ends, and mostly as before */
}

static void kernel_start(struct gdm *g, struct engine *e, struct op *k) {
  e->job = ENGINE_KERNEL;
  e->start = k->start = g->now;
  g->run_after = k->ctx->asid;
  k->state = KERNEL_RUNNING;
  pin_resident(g, k);
  for (uint32_t i = 0; i < k->needs; i++) {
    if (g->c.dirty != GDM_DIRTY_HW || g->c.policy != GDM_POLICY_GDM) gdm_used(g, k->need[i]);
    k->need[i]->kernel = k->id;
  }
  for (struct region *r = k->ctx->regions; r; r = r->next)
    for (uint32_t i = 0; i < r->blocks; i++) gdm_may_be_written(g, &r->block[i]);
  e->exec.g = g;
  e->exec.k = k;
  e->exec.engine = e->index;
  e->exec.scratch = NULL;
  e->exec.ran = 0;
  e->fault_lost = false;
  e->go = true;
}

static struct op *next_to_run(struct gdm *g) {
  struct op *best = NULL;
  unsigned best_wait = 0;
  for (struct gdm_ctx *c = g->ctxs; c; c = c->next) {
    struct op *o = c->ops;
    if (!o || o->kind != OP_KERNEL || o->state != KERNEL_READY) continue;
    unsigned wait = (c->asid + GDM_ASIDS - g->run_after - 1) % GDM_ASIDS;
    if (!best || wait < best_wait) best = o, best_wait = wait;
  }
  return best;
}

/* Kernels and maintenance kernels in turn. */
static bool engine_start(struct gdm *g, struct engine *e) {
  struct op *k = next_to_run(g);
  if (!k || g->sign_turn) {
    g->sign_turn = false;
    if (gdm_sign_start(g, e)) return true;
  }
  if (!k) return false;
  g->sign_turn = true;
  kernel_start(g, e, k);
  return true;
}

/* Starts whatever can start. */
void gdm_pump(struct gdm *g) {
  g->pump_again = true;
  if (g->pumping) return;
  g->pumping = true;
  while (g->pump_again) {
    g->pump_again = false;
    if (!g->preparing) {
      struct op *k = next_to_prepare(g);
      if (k) start_preparing(g, k);
    }
    for (unsigned i = 0; i < g->c.copy_engines; i++)
      if (!g->copy[i].busy && gdm_copy_start(g, &g->copy[i])) g->pump_again = true;
    for (unsigned i = 0; i < g->c.kernel_engines; i++)
      if (g->engine[i].job == ENGINE_IDLE && engine_start(g, &g->engine[i])) g->pump_again = true;
  }
  g->pumping = false;
}
