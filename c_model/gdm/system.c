/* SPDX-License-Identifier: Apache-2.0 */
/* system.c - a device with its manager: configuration, the driver's way to the hardware and what it
 * costs, invariants. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "gdm/gdm_int.h"
#include "gmmu_regs.h"

void gdm_config_default(struct gdm_config *c) {
  *c = (struct gdm_config){.policy = GDM_POLICY_GDM,
                           .scale = 1,
                           .seed = 1,
                           .kernel_engines = 1,
                           .copy_engines = 1,
                           .selection_factor = 0.2,
                           .uniformity = true,
                           .overwrite = true,
                           .double_transfer = true,
                           .prefetch = true,
                           .jitter_ppm = 10000};
  c->costs = (struct gdm_costs){.pcie_bytes_per_s = 6000000000,
                                .dma_start_ns = 14000,
                                .sign_bytes_per_s = 60000000000,
                                .fill_bytes_per_s = 60000000000,
                                .host_bytes_per_s = 8000000000,
                                .kernel_start_ns = 5000,
                                .pte_access_ns = 1000,
                                .fault_ns = 20000,
                                .api_ns = 1000};
}

static bool power_of_two(uint64_t v) { return v && !(v & (v - 1)); }

static int check(struct gdm_config *c, struct gmmu_err *err) {
  if ((unsigned)c->policy > GDM_POLICY_GDM)
    return gmmu_fail(err, "policy %d: none, gdev, base or gdm", (int)c->policy);
  if ((unsigned)c->dirty > GDM_DIRTY_HW)
    return gmmu_fail(err, "dirty %d: signature or hw", (int)c->dirty);
  if (!power_of_two(c->scale) || c->scale > 64)
    return gmmu_fail(err, "scale %u: a power of two from 1 to 64", c->scale);
  if (c->watch == GDM_WATCH_COW && !gdm_watch_interposed())
    return gmmu_fail(err, "watch cow: this program does not interpose free, munmap and read");
  if (c->kernel_engines < 1 || c->kernel_engines > GDM_MAX_ENGINES || c->copy_engines < 1 ||
      c->copy_engines > GDM_MAX_ENGINES)
    return gmmu_fail(err, "engines: 1 to %d", GDM_MAX_ENGINES);
  if (!(c->selection_factor >= 0 && c->selection_factor <= 1))
    return gmmu_fail(err, "selection factor %g: 0 to 1", c->selection_factor);
  if (c->jitter_ppm > 1000000)
    return gmmu_fail(err, "jitter %u: at most 1000000 ppm", c->jitter_ppm);
  const struct gdm_costs *k = &c->costs;
  if (!k->pcie_bytes_per_s || !k->sign_bytes_per_s || !k->fill_bytes_per_s || !k->host_bytes_per_s)
    return gmmu_fail(err, "a rate of 0 bytes per second");
  if (!c->page_bytes) c->page_bytes = c->scale <= 2 ? GMMU_LARGE_PAGE : GMMU_PAGE;
  if (!c->block_bytes) c->block_bytes = (4u << 20) / c->scale;
  if (!c->device_bytes)
    c->device_bytes = (1400ull << 20) / c->scale / c->page_bytes * c->page_bytes;
  if (c->page_bytes != GMMU_PAGE && c->page_bytes != GMMU_LARGE_PAGE)
    return gmmu_fail(err, "pages of %" PRIu64 " bytes: 4096 or 2097152", c->page_bytes);
  if (!power_of_two(c->block_bytes) || c->block_bytes < c->page_bytes || c->block_bytes > 1u << 30)
    return gmmu_fail(err, "blocks of %" PRIu64 " bytes: a power of two from the page size to 1 GiB",
                     c->block_bytes);
  if (c->device_bytes < c->block_bytes || c->device_bytes % c->page_bytes ||
      c->device_bytes > 1ull << 39)
    return gmmu_fail(
        err, "device memory of %" PRIu64 " bytes: at least a block, whole pages, at most 512 GiB",
        c->device_bytes);
  return 0;
}

/* ---------------------------------------- the driver's accesses */
void gdm_pte_access(struct gdm *g) {
  g->stats.pte_accesses++;
  g->debt_ns += g->pte_ns;
}
static int read_reg(void *arg, uint32_t at, uint32_t *v) {
  struct gdm *g = arg;
  return g->m.bus.read_reg(g->m.bus.arg, at, v);
}
static int write_reg(void *arg, uint32_t at, uint32_t v) {
  struct gdm *g = arg;
  if (at == GMMU_REG_CMD && v <= 3) {
    g->stats.invalidations++;
    g->debt_ns += g->pte_ns;
  }
  return g->m.bus.write_reg(g->m.bus.arg, at, v);
}
/* The driver's own way through its tables costs nothing: it has written them, and could keep a
 * copy. What hardware writes, A and D, is read by the harvest, which counts its leaves. */
static uint64_t read_mem(void *arg, uint64_t pa) {
  struct gdm *g = arg;
  return g->m.bus.read_mem(g->m.bus.arg, pa);
}
static void write_mem(void *arg, uint64_t pa, uint64_t v) {
  struct gdm *g = arg;
  if (v != 0 || pa >> 12 != g->fresh_page >> 12) {
    g->fresh_page = UINT64_MAX; /* a new table is cleared by the device, before all else */
    gdm_pte_access(g);
  }
  g->m.bus.write_mem(g->m.bus.arg, pa, v);
}
static uint64_t swap_mem(void *arg, uint64_t pa, uint64_t expected, uint64_t value) {
  struct gdm *g = arg;
  gdm_pte_access(g);
  return g->m.bus.swap_mem(g->m.bus.arg, pa, expected, value);
}
static int alloc_page(void *arg, uint64_t *pa) {
  struct gdm *g = arg;
  int e = g->m.bus.alloc_page(g->m.bus.arg, pa);
  if (!e) g->fresh_page = *pa;
  return e;
}
static void free_page(void *arg, uint64_t pa) {
  struct gdm *g = arg;
  g->m.bus.free_page(g->m.bus.arg, pa);
}

static int start_driver(struct gdm *g, struct gmmu_err *err) {
  struct gmmu_drv_bus bus = {g,         read_reg,   write_reg, read_mem,
                             write_mem, alloc_page, free_page, g->m.bus.swap_mem ? swap_mem : NULL};
  int e = gmmu_drv_init(&g->drv, &bus);
  if (!e) e = gmmu_drv_window(&g->drv, 0, g->m.table_first, g->m.table_last, true, false);
  if (!e)
    e = gmmu_drv_window(&g->drv, 1, g->m.data_first, g->m.data_first + g->c.device_bytes - 1, false,
                        true);
  if (e) return gmmu_fail(err, "driver: %s", gmmu_drv_error_name(e));
  if (g->c.dirty == GDM_DIRTY_HW && !g->drv.build.hw_ad)
    return gmmu_fail(err, "dirty hw: the hardware does not set A and D");
  return 0;
}

/* Regions begin at block boundaries. */
static int place_regions(struct gdm *g, struct gmmu_err *err) {
  uint64_t unit = g->c.block_bytes, sv39 = 1ull << 38;
  g->va_first = g->m.va_last ? (g->m.va_first + unit - 1) / unit * unit : 1ull << 32;
  g->va_end =
      g->m.va_last ? (g->m.va_last / unit + (g->m.va_last % unit == unit - 1)) * unit : sv39;
  if (g->va_end > sv39 || g->va_first >= g->va_end)
    return gmmu_fail(
        err, "addresses %#" PRIx64 " to %#" PRIx64 ": at least a block, in Sv39's lower half",
        g->m.va_first, g->m.va_last);
  return 0;
}

/* Everything is divided alike, so that a block costs the same share of a second whatever the scale.
 * A block of 2 pages makes 2 accesses where one of P pages makes P. */
static void scale_costs(struct gdm *g) {
  struct gdm_costs *k = &g->c.costs;
  uint64_t n = g->c.scale, pages = g->c.block_bytes / g->c.page_bytes;
  k->dma_start_ns /= n;
  k->kernel_start_ns /= n;
  k->fault_ns /= n;
  k->api_ns /= n;
  g->pte_ns = k->pte_access_ns / n * 2 / (pages > 2 ? pages : 2);
}

struct gdm *gdm_new(const struct gdm_config *config, struct gmmu_err *err) {
  struct gdm *g = calloc(1, sizeof *g);
  if (!g) return gmmu_fail(err, "out of memory"), NULL;
  g->c = *config;
  if (check(&g->c, err)) goto fail;
  if (config->machine) {
    g->m = *config->machine;
  } else {
    g->model = gdm_model_new(g->c.device_bytes, g->c.dirty == GDM_DIRTY_HW);
    if (!g->model) {
      gmmu_fail(err, "out of memory for a device of %" PRIu64 " bytes", g->c.device_bytes);
      goto fail;
    }
    gdm_model_machine(g->model, &g->m);
  }
  if (place_regions(g, err) || start_driver(g, err)) goto fail;
  scale_costs(g);
  g->stats = (struct gdm_stats){0};
  g->debt_ns = 0;
  g->total_frames = g->free_frames = g->c.device_bytes / g->c.page_bytes;
  g->frames = malloc(g->total_frames * sizeof *g->frames);
  g->bounce = malloc(g->c.block_bytes);
  if (!g->frames || !g->bounce) {
    gmmu_fail(err, "out of memory");
    goto fail;
  }
  for (uint64_t i = 0; i < g->total_frames; i++)
    g->frames[i] = g->m.data_first + (g->total_frames - 1 - i) * g->c.page_bytes;
  for (unsigned i = 0; i < g->c.copy_engines; i++)
    g->copy[i] = (struct transfer){.g = g, .index = i};
  gdm_sim_init(g);
  return g;
fail:
  gdm_model_free(g->model);
  free(g->frames);
  free(g->bounce);
  free(g);
  return NULL;
}

void gdm_delete(struct gdm *g) {
  if (!g) return;
  while (g->ctxs) gdm_ctx_destroy(g->ctxs);
  gdm_sim_end(g);
  for (unsigned i = 0; i < g->c.kernel_engines; i++)
    free(g->engine[i].signs); /* a maintenance kernel that nobody waited for */
  gdm_model_free(g->model);
  free(g->frames);
  free(g->bounce);
  free(g->to_sign);
  free(g);
}

/* ---------------------------------------- invariants */
static int check_block(struct gdm *g, struct block *b, uint8_t *owned, uint8_t *bytes,
                       struct gmmu_err *err) {
  const struct gdm_ctx *c = b->r->ctx;
  bool has = b->state != BLOCK_OUT;
  if (has != (b->frame != NULL))
    return gmmu_fail(err, "ASID %u block %#" PRIx64 ": state %d, frames %d", c->asid, b->va,
                     (int)b->state, !has);
  for (uint32_t i = 0; i < b->pages; i++) {
    uint64_t pa = 0, pte;
    int e = gmmu_drv_lookup(&g->drv, c->asid, b->va + i * g->c.page_bytes, &pa, &pte);
    if (b->state == BLOCK_IN ? e != 0 || pa != b->frame[i] : e != GMMU_DRV_ABSENT)
      return gmmu_fail(err, "ASID %u page %#" PRIx64 ": mapping (%s) is not the manager's", c->asid,
                       b->va + i * g->c.page_bytes, gmmu_drv_error_name(e));
    if (has && owned[(b->frame[i] - g->m.data_first) / g->c.page_bytes]++)
      return gmmu_fail(err, "frame %#" PRIx64 " has two owners", b->frame[i]);
  }
  if (b->state != BLOCK_IN) return 0;
  gdm_check_sources(b);
  if (b->status != STATUS_CLEAN) return 0;
  gdm_host_read(b, 0, bytes, b->bytes);
  gdm_device_read(g, b, 0, g->bounce, b->bytes);
  for (struct patch *p = b->patches; p; p = p->next)
    memcpy(bytes + p->off, g->bounce + p->off, p->len);
  if (memcmp(bytes, g->bounce, b->bytes))
    return gmmu_fail(err, "ASID %u block %#" PRIx64 ": clean, but not equal to the host's copy",
                     c->asid, b->va);
  return 0;
}

static int check_lists(struct gdm *g, uint32_t in, struct gmmu_err *err) {
  uint32_t n[2] = {0, 0};
  struct list *l[2] = {&g->lru, &g->cost};
  for (int i = 0; i < 2; i++) {
    struct block *above = NULL;
    for (struct block *b = l[i]->head; b; above = b, b = b->next, n[i]++)
      if (b->prev != above || b->in_cost != (i == 1) || b->state != BLOCK_IN)
        return gmmu_fail(err, "list %d is broken at block %#" PRIx64, i, b->va);
    if (l[i]->tail != above || l[i]->n != n[i])
      return gmmu_fail(err, "list %d has %u blocks, not %u", i, n[i], l[i]->n);
  }
  if (n[0] + n[1] != in)
    return gmmu_fail(err, "%u blocks are resident, %u in the lists", in, n[0] + n[1]);
  return 0;
}

static bool waited_for(const struct gdm *g, const struct block *b) {
  for (unsigned i = 0; i < g->c.kernel_engines; i++)
    if (g->engine[i].fault == b) return true;
  return false;
}

int gdm_check(struct gdm *g, struct gmmu_err *err) {
  uint8_t *owned = calloc(g->total_frames, 1), *bytes = malloc(g->c.block_bytes);
  uint32_t in = 0;
  int e = !owned || !bytes ? gmmu_fail(err, "out of memory") : 0;
  for (struct gdm_ctx *c = g->ctxs; c && !e; c = c->next) {
    for (struct region *r = c->regions; r && !e; r = r->next) {
      for (uint32_t i = 0; i < r->blocks && !e; i++) {
        in += r->block[i].state == BLOCK_IN;
        e = check_block(g, &r->block[i], owned, bytes, err);
      }
      for (uint32_t i = 0; i < r->spares; i++)
        owned[(r->spare[i] - g->m.data_first) / g->c.page_bytes]++;
    }
    for (struct op *o = c->ops; o && !e; o = o->next)
      for (uint32_t i = 0; i < o->needs && !e; i++)
        if (o->kind == OP_KERNEL && o->state == KERNEL_RUNNING && o->need[i]->state != BLOCK_IN &&
            !waited_for(g, o->need[i]))
          e = gmmu_fail(err, "ASID %u block %#" PRIx64 " of the running kernel %s is not resident",
                        c->asid, o->need[i]->va, o->code.name);
  }
  for (uint64_t i = 0; i < g->free_frames && !e; i++)
    if (owned[(g->frames[i] - g->m.data_first) / g->c.page_bytes]++)
      e = gmmu_fail(err, "frame %#" PRIx64 " is free and has an owner", g->frames[i]);
  for (uint64_t i = 0; i < g->total_frames && !e; i++)
    if (owned[i] != 1) e = gmmu_fail(err, "frame %" PRIu64 " has %u owners", i, owned[i]);
  if (!e) e = check_lists(g, in, err);
  free(owned);
  free(bytes);
  return e;
}
