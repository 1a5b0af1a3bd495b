/* SPDX-License-Identifier: Apache-2.0 */
/* paging.c - a run above the memory manager (paging.h): set-up, the driver's registers and memory,
 * the manager's host. The run itself: paging_run.c. */

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gmmu_regs.h"
#include "run/paging_int.h"

#define TABLE_BYTES (512ull << 20) /* of physical memory; what is not written takes none here */
#define FIRST_TABLE (2ull << 20)   /* frame 0 stays empty */
#define CMD_RANGE 2
#define CMD_FRAME 3
#define CMD_MAPPED 4

const char *const gmmu_cac_names[4] = {"ideal", "off", "copy", "bulk"};
/* Of 4 KiB, by enum gmmu_cac. */
static const double copy_ns[4] = {0, 0, 1024 / 1.674, 80};

const char *const gmmu_manager_names[3] = {"mosaic", "base", "large"};

enum gmmu_mm_policy gmmu_manager_default(const struct gmmu_config *c) {
  return c->L2LargeEntries > 0 && c->Ext ? GMMU_MM_MOSAIC : GMMU_MM_BASE;
}

bool gmmu_paging_memory_ok(uint64_t mib) {
  return mib >= 2 && mib % 2 == 0 && mib <= GMMU_PAGING_MAX_MIB;
}

int gmmu_paging_fits(const struct gmmu_config *c, uint64_t bytes, struct gmmu_err *err) {
  if (!((FIRST_TABLE + TABLE_BYTES + bytes - 1) >> c->PaW)) return 0;
  return gmmu_fail(err, "%" PRIu64 " MiB of memory and page tables do not fit into PaW = %lld bits",
                   bytes >> 20, (long long)c->PaW);
}

/* ---------------------------------------- the driver's bus */
static uint32_t parameter(const struct gmmu_paging *p, uint32_t at) {
  switch (at) {
    case GMMU_PARAM_NumPorts: return 1;
    case GMMU_PARAM_NumAsids: return p->regs.asids;
    case GMMU_PARAM_AsidW: return p->regs.asid_w;
    case GMMU_PARAM_VaW: return p->regs.sv48 ? 48 : 39;
    case GMMU_PARAM_PaW: return p->regs.pfn_w + 12;
    case GMMU_PARAM_NumWindows: return p->regs.windows;
    default: return 0;
  }
}

static int read_reg(void *arg, uint32_t at, uint32_t *v) {
  struct gmmu_paging *p = arg;
  uint32_t known;
  if (!gmmu_regs_read(&p->regs, at, v, &known)) return 1;
  if (at >= GMMU_PARAM_NumPorts && at < GMMU_PARAM_NumPorts + 4 * GMMU_NUM_PARAMS)
    *v = parameter(p, at);
  if (at != GMMU_REG_CMD_STATUS) return 0;
  while (p->state != IDLE)
    if (p->run.advance(p->run.arg)) return p->failed = true;
  *v = 0;
  return 0;
}

static void settings(struct gmmu_paging *p) {
  for (int a = 0; a < p->env->num_asids; a++)
    p->env->ctx[a] = (struct gmmu_ctx){.root_pfn = p->regs.ctx_root[a],
                                       .mode = (int)(p->regs.ctx_ctrl[a] & 3),
                                       .ext = p->regs.ctx_ctrl[a] >> 2 & 1};
  for (int w = 0; w < p->env->num_windows; w++)
    p->env->win[w] = (struct gmmu_window){p->regs.win_first[w], p->regs.win_last[w],
                                          p->regs.win_ctrl[w] & 1, p->regs.win_ctrl[w] >> 1 & 1};
}

static int write_reg(void *arg, uint32_t at, uint32_t v) {
  struct gmmu_paging *p = arg;
  if (!gmmu_regs_write(&p->regs, at, v, 15, false)) return 1;
  settings(p);
  if (at != GMMU_REG_CMD || v == CMD_MAPPED || !p->live) return 0;
  p->cmd = (struct gmmu_inv_cmd){.valid = true,
                                 .kind = v >= CMD_FRAME ? GMMU_INV_RANGE : (uint8_t)v,
                                 .asid = (uint16_t)gmmu_regs_kept(&p->regs, GMMU_REG_CMD_ASID),
                                 .lo_vfn = p->regs.first >> 12,
                                 .hi_vfn = p->regs.last >> 12};
  if (v == CMD_FRAME) p->cmd.lo_vfn &= ~511ull, p->cmd.hi_vfn = p->cmd.lo_vfn | 511;
  p->state = ASKED;
  p->stats.commands++;
  return 0;
}

static uint64_t read_mem(void *arg, uint64_t pa) {
  return gmmu_mem_read64(((struct gmmu_paging *)arg)->mem, pa);
}
static void write_mem(void *arg, uint64_t pa, uint64_t v) {
  gmmu_mem_write64(((struct gmmu_paging *)arg)->mem, pa, v);
}
static int alloc_page(void *arg, uint64_t *pa) {
  struct gmmu_paging *p = arg;
  if (p->num_spare) return *pa = p->spare[--p->num_spare], 0;
  if (p->next_table == p->end_table) return 1;
  *pa = p->next_table;
  p->next_table += 4096;
  return 0;
}
static void free_page(void *arg, uint64_t pa) {
  struct gmmu_paging *p = arg;
  if (p->num_spare == p->cap_spare) {
    size_t cap = p->cap_spare ? 2 * p->cap_spare : 256;
    uint64_t *v = realloc(p->spare, cap * sizeof *v);
    if (!v) return; /* the table is lost, nothing else */
    p->spare = v;
    p->cap_spare = cap;
  }
  p->spare[p->num_spare++] = pa;
}

/* ---------------------------------------- the manager's host */
static double transfer_ns(struct gmmu_paging *p, uint64_t bytes) {
  p->bus_ns += (double)bytes / p->bus.bytes_per_ns;
  return gmmu_iobus_transfer(&p->bus, paging_now_ns(p), bytes);
}

static int page_in(void *arg, unsigned asid, uint64_t va, uint64_t pa, uint64_t bytes) {
  struct gmmu_paging *p = arg;
  (void)pa;
  if (!p->live && !p->o.launch) return 0; /* before the run: its time does not count */
  if (p->num_coming == p->cap_coming) {
    size_t cap = p->cap_coming ? 2 * p->cap_coming : 1024;
    struct paging_transfer *v = malloc(cap * sizeof *v);
    if (!v) return GMMU_MM_NO_MEMORY;
    for (size_t i = 0; i < p->num_coming; i++)
      v[i] = p->coming[(p->first_coming + i) % p->cap_coming];
    free(p->coming);
    p->coming = v;
    p->cap_coming = cap;
    p->first_coming = 0;
  }
  p->coming[(p->first_coming + p->num_coming++) % p->cap_coming] = (struct paging_transfer){
      asid, va, (uint64_t)(transfer_ns(p, bytes) * GMMU_CORE_MHZ / 1000.0) + 1};
  return 1;
}

static void page_out(void *arg, unsigned asid, uint64_t va, uint64_t pa) {
  (void)asid, (void)va, (void)pa;
  transfer_ns(arg, 4096);
}

/* Contents are not simulated here; the benches of gmmu_axi compare every byte. The manager waits
 * for a copy; the SMs go on, and those that touch the page fault, or they stand still from the
 * first copy to the end of what the manager is doing. */
static void copy(void *arg, uint64_t to, uint64_t from) {
  struct gmmu_paging *p = arg;
  const uint64_t cycles = (uint64_t)ceil(copy_ns[p->o.cac] * GMMU_CORE_MHZ / 1000.0),
                 until = p->cycle + cycles;
  (void)to, (void)from;
  if (!p->live) p->stats.copy_before += cycles;
  if (!p->live || !cycles) return;
  if (p->o.stall && !p->stalled) gmmu_fe_stall(p->run.fe, p->stalled = true);
  p->copying = true;
  while (p->cycle < until && !p->failed)
    if (p->run.advance(p->run.arg)) p->failed = true;
  p->copying = false;
  p->stats.copy_cycles += cycles;
}

/* ---------------------------------------- set-up */
int gmmu_paging_range(struct gmmu_paging *p, int asid, const struct gmmu_page_range *r,
                      unsigned perms, bool demand, struct gmmu_err *err) {
  struct gmmu_mm_stats now;
  const uint64_t pages = r->bytes >> 12;
  gmmu_mm_get_stats(p->mm, &now);
  if (pages > GMMU_PAGING_MAX_PAGES || pages > GMMU_PAGING_MAX_PAGES - now.pages)
    return gmmu_fail(err, "more than %u pages (8 GiB) would be allocated", GMMU_PAGING_MAX_PAGES);
  if (pages > GMMU_PAGING_MAX_ASKED - p->asked)
    return gmmu_fail(err, "more than %u pages (16 GiB) would be allocated one after the other",
                     GMMU_PAGING_MAX_ASKED);
  p->asked += pages;
  int e = gmmu_mm_alloc(p->mm, (unsigned)asid, r->va, r->bytes, perms, demand);
  return e ? gmmu_fail(err, "allocating 0x%" PRIx64 " bytes at 0x%" PRIx64 ", ASID %d: %s",
                       r->bytes, r->va, asid, gmmu_mm_error_name(e))
           : 0;
}

int gmmu_paging_free_range(struct gmmu_paging *p, int asid, const struct gmmu_page_range *r,
                           struct gmmu_err *err) {
  int e = gmmu_mm_dealloc(p->mm, (unsigned)asid, r->va, r->bytes);
  return e ? gmmu_fail(err, "freeing 0x%" PRIx64 " bytes at 0x%" PRIx64 ", ASID %d: %s", r->bytes,
                       r->va, asid, gmmu_mm_error_name(e))
           : 0;
}

static struct gmmu_page_range *ranges(const struct gmmu_paging *p, const struct gmmu_space_app *a,
                                      size_t *n, struct gmmu_err *err) {
  return gmmu_array_ranges(a->trace, p->o.policy == GMMU_MM_LARGE ? 21 : 12, n, err);
}

int gmmu_paging_load(struct gmmu_paging *p, const struct gmmu_space_app *a, bool demand,
                     struct gmmu_err *err) {
  const unsigned base = GMMU_DRV_R | GMMU_DRV_X | GMMU_DRV_U;
  size_t n;
  struct gmmu_page_range *v = ranges(p, a, &n, err);
  int e = v ? 0 : -1;
  struct gmmu_err why = {""};
  for (size_t i = 0; i < n && !e; i++)
    e = gmmu_paging_range(p, a->asid, &v[i], base | (v[i].writable ? GMMU_DRV_W : 0), demand, &why);
  if (v && e) gmmu_space_blame(err, a, why.msg);
  free(v);
  return e;
}

int gmmu_paging_unload(struct gmmu_paging *p, const struct gmmu_space_app *a,
                       struct gmmu_err *err) {
  size_t n;
  struct gmmu_page_range *v = ranges(p, a, &n, err);
  int e = v ? 0 : -1;
  for (size_t i = 0; i < n && !e; i++) e = gmmu_paging_free_range(p, a->asid, &v[i], err);
  free(v);
  return e;
}

/* Nothing clears C and AC of a page that the manager moves or takes away later (what a remap owes,
 * gmmu_manager.h): scanned only where no page can, as all are there and none is on demand or on its
 * way. */
static int scan_all(struct gmmu_paging *p, const struct gmmu_space_app *apps, int num_apps,
                    struct gmmu_err *err) {
  struct gmmu_mm_stats now;
  gmmu_mm_get_stats(p->mm, &now);
  if (p->o.demand || p->o.launch || now.resident < now.pages) return 0;
  for (int i = 0; i < num_apps; i++) {
    size_t n;
    struct gmmu_page_range *v = ranges(p, &apps[i], &n, err);
    uint64_t next = 0; /* first frame not looked at: arrays ascend, and may share one */
    if (!v) return -1;
    for (size_t k = 0; k < n; k++) {
      uint64_t lo = v[k].va >> 12, hi = (v[k].va + v[k].bytes - 1) >> 12;
      if (lo >> 9 < next) lo = next << 9;
      if (lo <= hi) gmmu_scan_range(p->mem, p->env, apps[i].asid, lo, hi, &p->scan);
      next = (hi >> 9) + 1;
    }
    free(v);
  }
  return 0;
}

const struct gmmu_scan *gmmu_paging_scan(const struct gmmu_paging *p) { return &p->scan; }

static int open_spaces(struct gmmu_paging *p, const struct gmmu_config *c,
                       const struct gmmu_space_app *apps, int num_apps, struct gmmu_err *err) {
  struct gmmu_drv_bus bus = {p,         read_reg,   write_reg, read_mem,
                             write_mem, alloc_page, free_page, NULL};
  uint64_t top = p->data + p->o.bytes - 1;
  int e = gmmu_drv_init(&p->drv, &bus);
  if (!e && c->NumWindows == 1) e = gmmu_drv_window(&p->drv, 0, 0, top, true, true);
  if (!e && c->NumWindows > 1)
    e = gmmu_drv_window(&p->drv, 0, p->next_table, p->end_table - 1, true, false);
  if (!e && c->NumWindows > 1) e = gmmu_drv_window(&p->drv, 1, p->data, top, false, true);
  for (int i = 0; i < num_apps && !e; i++)
    if (!p->drv.root[apps[i].asid])
      e = gmmu_drv_open(&p->drv, (unsigned)apps[i].asid, c->Mode == 48, c->Ext, false, false);
  return e ? gmmu_fail(err, "driver: %s", gmmu_drv_error_name(e)) : 0;
}

struct gmmu_paging *gmmu_paging_new(const struct gmmu_config *c, const struct gmmu_paging_opts *o,
                                    struct gmmu_mem *mem, struct gmmu_env *env,
                                    const struct gmmu_space_app *apps, int num_apps,
                                    struct gmmu_err *err) {
  if (c->SpreadTables) {
    gmmu_fail(err, "SpreadTables = 1 needs page tables of the driver: no memory manager");
    return NULL;
  }
  struct gmmu_paging *p = calloc(1, sizeof *p);
  if (!p) {
    gmmu_fail(err, "out of memory");
    return NULL;
  }
  p->o = *o;
  p->bus = o->bus;
  p->mem = mem;
  p->env = env;
  p->next_table = FIRST_TABLE;
  p->end_table = FIRST_TABLE + TABLE_BYTES;
  p->data = p->end_table;
  gmmu_env_from_config(env, c);
  p->regs = (struct gmmu_regs_model){.ports = 1,
                                     .asids = (uint32_t)c->NumAsids,
                                     .asid_w = (uint32_t)c->AsidW,
                                     .pfn_w = (uint32_t)c->PaW - 12,
                                     .windows = (uint32_t)c->NumWindows,
                                     .fault_entries = 1,
                                     .params = GMMU_NUM_PARAMS,
                                     .sv48 = c->VaW == 48,
                                     .caps = (c->VaW == 48 ? GMMU_REG_CAPS_SV48_MASK : 0) |
                                             (c->FrameBitsInRsw ? GMMU_REG_CAPS_CO_RSW_MASK : 0)};
  gmmu_regs_reset(&p->regs);
  if (gmmu_paging_fits(c, o->bytes, err)) goto bad;
  if (open_spaces(p, c, apps, num_apps, err)) goto bad;
  struct gmmu_mm_cfg cfg = {o->policy, p->data, o->bytes, 256, o->cac != GMMU_CAC_OFF, true};
  struct gmmu_mm_host host = {p, copy, page_in, page_out, NULL};
  p->mm = gmmu_mm_new(&cfg, &p->drv, &host);
  if (!p->mm || gmmu_mm_fragment(p->mm, o->index, o->occupancy, o->seed)) {
    gmmu_fail(err, "memory manager: bad size or fragmentation, or out of memory");
    goto bad;
  }
  for (int i = 0; i < num_apps; i++)
    if (apps[i].trace && gmmu_paging_load(p, &apps[i], o->demand, err)) goto bad;
  if (o->scan && scan_all(p, apps, num_apps, err)) goto bad;
  return p;
bad:
  gmmu_paging_free(p);
  return NULL;
}

void gmmu_paging_free(struct gmmu_paging *p) {
  if (!p) return;
  gmmu_mm_free_all(p->mm);
  free(p->spare);
  free(p->fresh.v);
  free(p->waiting.v);
  free(p->coming);
  free(p);
}
