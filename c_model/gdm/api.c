/* SPDX-License-Identifier: Apache-2.0 */
/* api.c - the calls of gmmu_gdm.h. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gdm/gdm_int.h"

const char *gdm_error_name(int error) {
  switch (error) {
    case GDM_SUCCESS: return "GDM_SUCCESS";
    case GDM_ERROR_INVALID_VALUE: return "GDM_ERROR_INVALID_VALUE";
    case GDM_ERROR_OUT_OF_MEMORY: return "GDM_ERROR_OUT_OF_MEMORY";
    case GDM_ERROR_INVALID_CONTEXT: return "GDM_ERROR_INVALID_CONTEXT";
    case GDM_ERROR_ILLEGAL_ADDRESS: return "GDM_ERROR_ILLEGAL_ADDRESS";
    case GDM_ERROR_LAUNCH_OUT_OF_RESOURCES: return "GDM_ERROR_LAUNCH_OUT_OF_RESOURCES";
    case GDM_ERROR_NOT_SUPPORTED: return "GDM_ERROR_NOT_SUPPORTED";
    default: return "GDM_ERROR_UNKNOWN";
  }
}
const char *gdm_last_message(const struct gdm *g) { return g->message; }

/* The start of every call: the current context is alive, and the call's own time passes, with what
 * the application spent in copying buffers it wrote to. */
static int enter(struct gdm_ctx **out) {
  struct gdm_ctx *c = gdm_current();
  if (!c) return GDM_ERROR_INVALID_CONTEXT;
  struct gdm *g = c->g;
  uint64_t copied = __atomic_load_n(&c->cow.bytes, __ATOMIC_RELAXED);
  gdm_delay(g,
            g->c.costs.api_ns + gdm_bytes_ns(copied - c->cow_charged, g->c.costs.host_bytes_per_s));
  c->cow_charged = copied;
  *out = c;
  return c->error;
}

/* [at, at + bytes) lies in one region. */
static bool inside(const struct gdm_ctx *c, gdm_ptr at, size_t bytes) {
  const struct region *r = gdm_find(c, at);
  return r && bytes > 0 && bytes <= r->va + r->bytes - at;
}

/* ---------------------------------------- contexts */
int gdm_ctx_create(struct gdm_ctx **ctx, unsigned flags, struct gdm *g) {
  if (!ctx || flags || !g) return GDM_ERROR_INVALID_VALUE;
  unsigned asid = 0;
  for (struct gdm_ctx *c = g->ctxs; c; c = c->next) /* in ascending order */
    if (c->asid == asid) asid++;
  if (asid >= g->drv.build.asids || asid >= GDM_ASIDS) return GDM_ERROR_OUT_OF_MEMORY;
  struct gdm_ctx *c = calloc(1, sizeof *c), **at = &g->ctxs;
  if (!c) return GDM_ERROR_OUT_OF_MEMORY;
  if (gmmu_drv_open(&g->drv, asid, false, false, false, false)) {
    free(c);
    return GDM_ERROR_OUT_OF_MEMORY;
  }
  *c = (struct gdm_ctx){.g = g, .asid = asid, .owner = gdm_me(g)};
  c->ops_end = &c->ops;
  while (*at && (*at)->asid < asid) at = &(*at)->next;
  c->next = *at;
  *at = c;
  gdm_ctx_set_current(*ctx = c);
  gdm_delay(g, g->c.costs.api_ns);
  return GDM_SUCCESS;
}

unsigned gdm_ctx_asid(const struct gdm_ctx *ctx) { return ctx->asid; }

static bool region_still(void *arg) {
  struct region *r = arg;
  for (uint32_t i = 0; i < r->blocks; i++)
    if (r->block[i].pins || r->block[i].state == BLOCK_LOADING ||
        r->block[i].state == BLOCK_EVICTING)
      return false;
  return true;
}

static void account_alloc(struct gdm_ctx *c, uint64_t bytes, bool more) {
  struct gdm_stats *of[2] = {&c->g->stats, &c->stats};
  for (int i = 0; i < 2; i++) {
    of[i]->allocated_bytes += more ? bytes : -bytes;
    if (of[i]->allocated_bytes > of[i]->peak_allocated_bytes)
      of[i]->peak_allocated_bytes = of[i]->allocated_bytes;
  }
}

static void free_region(struct gdm_ctx *c, struct region *r) {
  struct gdm *g = c->g;
  gdm_wait(g, gdm_idle, c, "its kernels, to free");
  gdm_wait(g, region_still, r, "a transfer, to free");
  account_alloc(c, r->bytes, false);
  gdm_region_free(r);
  gdm_pump(g);
}

int gdm_ctx_destroy(struct gdm_ctx *ctx) {
  if (!ctx) return GDM_ERROR_INVALID_CONTEXT;
  struct gdm *g = ctx->g;
  struct gdm_ctx **at = &g->ctxs;
  gdm_delay(g, g->c.costs.api_ns);
  gdm_wait(g, gdm_idle, ctx, "its kernels, to end");
  while (ctx->regions) free_region(ctx, ctx->regions);
  while (*at != ctx) at = &(*at)->next;
  *at = ctx->next;
  gmmu_drv_close(&g->drv, ctx->asid);
  if (gdm_current() == ctx) gdm_ctx_set_current(NULL);
  g->stats.cpu_ns += ctx->stats.cpu_ns;
  g->gone.cow_bytes += ctx->cow.bytes;
  g->gone.cow_faults += ctx->cow.faults;
  free(ctx);
  return GDM_SUCCESS;
}

/* ---------------------------------------- memory */
int gdm_mem_alloc(gdm_ptr *dptr, size_t bytes) {
  struct gdm_ctx *c;
  struct region *r;
  int e = enter(&c);
  if (e) return e;
  if (!dptr || bytes == 0) return GDM_ERROR_INVALID_VALUE;
  struct gdm *g = c->g;
  if (bytes > 1ull << 40) return GDM_ERROR_OUT_OF_MEMORY;
  uint64_t pages = (bytes + g->c.page_bytes - 1) / g->c.page_bytes;
  if (g->c.policy == GDM_POLICY_NONE && pages > g->free_frames) return GDM_ERROR_OUT_OF_MEMORY;
  if ((e = gdm_region_new(c, bytes, &r))) return e;
  account_alloc(c, bytes, true);
  for (uint32_t i = 0; g->c.policy == GDM_POLICY_NONE && i < r->blocks; i++) {
    struct block *b = &r->block[i];
    gdm_take_frames(g, b);
    gdm_host_read(b, 0, g->bounce, b->bytes); /* zeros: nobody sees what another left */
    gdm_device_write(g, b, 0, g->bounce, b->bytes);
    gdm_loaded(g, b);
  }
  *dptr = r->va;
  return GDM_SUCCESS;
}

int gdm_mem_free(gdm_ptr dptr) {
  struct gdm_ctx *c;
  int e = enter(&c);
  if (e) return e;
  struct region *r = gdm_find(c, dptr);
  if (!r || r->va != dptr) return GDM_ERROR_INVALID_VALUE;
  free_region(c, r);
  return c->error;
}

static bool copy_ended(void *arg) { return ((struct copyout *)arg)->ended; }
static void run_copy(struct gdm_ctx *c, struct copyout *o, const char *why) {
  struct copyout **at = &c->g->outs;
  while (*at) at = &(*at)->next;
  *at = o;
  gdm_pump(c->g);
  gdm_wait(c->g, copy_ended, o, why);
}

int gdm_memcpy_htod(gdm_ptr dst, const void *src, size_t bytes) {
  struct gdm_ctx *c;
  int e = enter(&c);
  if (e) return e;
  if (bytes == 0) return GDM_SUCCESS;
  if (!src || !inside(c, dst, bytes)) return GDM_ERROR_INVALID_VALUE;
  bool at_once = c->g->c.policy != GDM_POLICY_GDM;
  if (at_once) {
    gdm_wait(c->g, gdm_idle, c, "its kernels, to copy");
    if (c->error) return c->error;
  }
  e = gdm_copy_in(c, dst, src, bytes);
  if (e || !at_once) return e;
  struct copyout o = {.ctx = c, .in = true, .src = dst, .bytes = bytes};
  run_copy(c, &o, "a copy to the device");
  return c->error;
}

int gdm_memcpy_dtoh(void *dst, gdm_ptr src, size_t bytes) {
  struct gdm_ctx *c;
  int e = enter(&c);
  if (e) return e;
  if (bytes == 0) return GDM_SUCCESS;
  if (!dst || !inside(c, src, bytes)) return GDM_ERROR_INVALID_VALUE;
  gdm_wait(c->g, gdm_idle, c, "its kernels, to copy back");
  if (c->error) return c->error;
  gdm_watch_break(dst, bytes);
  struct copyout o = {.ctx = c, .dst = dst, .src = src, .bytes = bytes};
  gdm_copy_out_watch(&o);
  run_copy(c, &o, "a copy to the host");
  if (c->g->c.policy == GDM_POLICY_GDM)
    gdm_delay(c->g, gdm_bytes_ns(o.host_bytes, c->g->c.costs.host_bytes_per_s));
  return c->error;
}

int gdm_synchronize(void) {
  struct gdm_ctx *c;
  int e = enter(&c);
  if (e) return e;
  gdm_wait(c->g, gdm_idle, c, "its kernels");
  return c->error;
}

int gdm_mem_get_info(size_t *allocable, size_t *total) {
  struct gdm_ctx *c;
  int e = enter(&c);
  if (e) return e;
  if (!allocable || !total) return GDM_ERROR_INVALID_VALUE;
  struct gdm *g = c->g;
  uint64_t pages = g->free_frames;
  if (g->c.policy == GDM_POLICY_GDM || g->c.policy == GDM_POLICY_BASE)
    for (struct gdm_ctx *x = g->ctxs; x; x = x->next)
      for (struct region *r = x->regions; r; r = r->next)
        for (uint32_t i = 0; i < r->blocks; i++)
          if (r->block[i].frame && !r->block[i].pins) pages += r->block[i].pages;
  *allocable = pages * g->c.page_bytes;
  *total = g->total_frames * g->c.page_bytes;
  return GDM_SUCCESS;
}

/* ---------------------------------------- kernels */
/* A launch with Gdev, once earlier kernels of its context have ended: it got its room or failed. */
struct gdev_launch {
  const struct gdm_ctx *c;
  uint64_t id;
};
static bool gdev_decided(void *arg) {
  const struct gdev_launch *l = arg;
  const struct op *k = l->c->ops;
  return !k || (k->id == l->id && (k->failed || k->state == KERNEL_RUNNING ||
                                   k->state == KERNEL_READY || k->state == KERNEL_DONE));
}

int gdm_launch(const struct gdm_kernel *k, const uint64_t *args, unsigned nargs,
               uint64_t duration_ns, const gdm_ptr *objects, unsigned num_objects) {
  struct gdm_ctx *c;
  int e = enter(&c);
  if (e) return e;
  if (!k || !k->run || nargs > GDM_MAX_ARGS || (nargs && !args) || (num_objects && !objects) ||
      duration_ns > GDM_MAX_DURATION_NS)
    return GDM_ERROR_INVALID_VALUE;
  struct gdm *g = c->g;
  struct op *o = calloc(1, sizeof *o);
  if (!o) return GDM_ERROR_OUT_OF_MEMORY;
  *o = (struct op){.kind = OP_KERNEL,
                   .ctx = c,
                   .code = *k,
                   .duration = duration_ns,
                   .nargs = nargs,
                   .state = KERNEL_QUEUED};
  if (nargs) memcpy(o->args, args, nargs * sizeof *args);
  if ((e = gdm_plan(o, objects, num_objects))) {
    gdm_op_free(o);
    return e;
  }
  for (struct region *r = c->regions; r; r = r->next)
    for (uint32_t i = 0; i < r->blocks; i++) r->block[i].recent = false;
  *c->ops_end = o;
  c->ops_end = &o->next;
  if (g->c.policy == GDM_POLICY_GDEV) { /* says at once if there is no victim */
    struct gdev_launch l = {c, o->id};
    gdm_pump(g);
    gdm_wait(g, gdev_decided, &l, "room for its regions");
    if (c->ops && c->ops->id == l.id && c->ops->failed) {
      gdm_op_free(c->ops);
      c->ops = NULL;
      c->ops_end = &c->ops;
      return GDM_ERROR_OUT_OF_MEMORY;
    }
    return GDM_SUCCESS;
  }
  gdm_pump(g);
  return GDM_SUCCESS;
}

void gdm_last_fault(const struct gdm_ctx *ctx, struct gdm_fault_record *r) { *r = ctx->fault; }

void gdm_get_stats(const struct gdm *g, const struct gdm_ctx *ctx, struct gdm_stats *s) {
  *s = ctx ? ctx->stats : g->stats;
  if (ctx) {
    s->cow_bytes = __atomic_load_n(&ctx->cow.bytes, __ATOMIC_RELAXED);
    s->cow_faults = __atomic_load_n(&ctx->cow.faults, __ATOMIC_RELAXED);
    return;
  }
  s->cow_bytes = g->gone.cow_bytes;
  s->cow_faults = g->gone.cow_faults;
  for (const struct gdm_ctx *c = g->ctxs; c; c = c->next) {
    s->cow_bytes += __atomic_load_n(&c->cow.bytes, __ATOMIC_RELAXED);
    s->cow_faults += __atomic_load_n(&c->cow.faults, __ATOMIC_RELAXED);
    s->cpu_ns += c->stats.cpu_ns;
  }
}
