/* SPDX-License-Identifier: Apache-2.0 */
#include "run/paging.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gmmu_regs.h"
#include "policy/regs.h"

#define TABLE_BYTES (512ull << 20) /* of physical memory; what is not written takes none here */
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

/* A fault that waits, or is to be looked at. */
struct held {
  struct gmmu_drv_fault f;
  uint64_t since;
  uint16_t sm, tag;
};
struct transfer {
  unsigned asid;
  uint64_t va, at; /* cycle in which it arrives */
};
/* A queue in one array. */
struct held_list {
  struct held *v;
  size_t n, cap;
};

struct gmmu_paging {
  struct gmmu_paging_opts o;
  struct gmmu_mem *mem;
  struct gmmu_env *env;
  struct gmmu_regs_model regs;
  struct gmmu_drv drv;
  struct gmmu_mm *mm;
  struct gmmu_software_run run;
  uint64_t next_table, end_table, data, cycle;
  uint64_t *spare; /* tables given back */
  size_t num_spare, cap_spare;
  struct gmmu_inv_cmd cmd;
  enum { IDLE, ASKED, TAKEN } state;
  bool live, failed, copying, stalled;
  struct held_list fresh, waiting;
  struct transfer *coming; /* in order of arrival: the bus is one queue */
  size_t first_coming, num_coming, cap_coming;
  struct gmmu_iobus bus;
  double bus_ns;
  uint64_t asked; /* pages, since the start */
  struct gmmu_paging_stats stats;
};

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
                                 .asid = (uint16_t)p->regs.cmd_asid,
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
static double now_ns(const struct gmmu_paging *p) {
  return (double)p->cycle * 1000.0 / GMMU_CORE_MHZ;
}

static double transfer_ns(struct gmmu_paging *p, uint64_t bytes) {
  p->bus_ns += (double)bytes / GMMU_IOBUS_BYTES_PER_NS;
  return gmmu_iobus_transfer(&p->bus, now_ns(p), bytes);
}

static int page_in(void *arg, unsigned asid, uint64_t va, uint64_t pa, uint64_t bytes) {
  struct gmmu_paging *p = arg;
  (void)pa;
  if (!p->live) return 0; /* before the run: its time does not count */
  if (p->num_coming == p->cap_coming) {
    size_t cap = p->cap_coming ? 2 * p->cap_coming : 1024;
    struct transfer *v = malloc(cap * sizeof *v);
    if (!v) return GMMU_MM_NO_MEMORY;
    for (size_t i = 0; i < p->num_coming; i++)
      v[i] = p->coming[(p->first_coming + i) % p->cap_coming];
    free(p->coming);
    p->coming = v;
    p->cap_coming = cap;
    p->first_coming = 0;
  }
  p->coming[(p->first_coming + p->num_coming++) % p->cap_coming] =
      (struct transfer){asid, va, (uint64_t)(transfer_ns(p, bytes) * GMMU_CORE_MHZ / 1000.0) + 1};
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
  struct gmmu_paging *p = calloc(1, sizeof *p);
  if (!p) {
    gmmu_fail(err, "out of memory");
    return NULL;
  }
  p->o = *o;
  p->mem = mem;
  p->env = env;
  p->next_table = 2 << 20; /* frame 0 stays empty */
  p->end_table = p->next_table + TABLE_BYTES;
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
  if ((p->data + o->bytes - 1) >> c->PaW) {
    gmmu_fail(err, "%" PRIu64 " MiB of memory and page tables do not fit into PaW = %lld bits",
              o->bytes >> 20, (long long)c->PaW);
    goto bad;
  }
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

/* ---------------------------------------- the run */
static void start(void *self, const struct gmmu_software_run *r) {
  struct gmmu_paging *p = self;
  p->run = *r;
  p->live = true;
  gmmu_fe_set_replay(r->fe);
}

static void drive(void *self, struct gmmu_pins *pins) {
  const struct gmmu_paging *p = self;
  pins->inv = p->cmd;
  pins->inv.valid = p->state == ASKED;
}

static void sample(void *self, const struct gmmu_pins *pins, uint64_t cycle) {
  struct gmmu_paging *p = self;
  p->cycle = cycle;
  if (p->state == TAKEN && pins->inv_done) p->state = IDLE;
  if (p->state == ASKED && pins->inv_ready) p->state = TAKEN;
}

static bool add(struct held_list *l, const struct held *h) {
  if (l->n == l->cap) {
    size_t cap = l->cap ? 2 * l->cap : 256;
    struct held *v = realloc(l->v, cap * sizeof *v);
    if (!v) return false;
    l->v = v;
    l->cap = cap;
  }
  l->v[l->n++] = *h;
  return true;
}

static bool may(unsigned perms, const struct gmmu_fe_answer *a) {
  const unsigned need = a->access == GMMU_READ    ? GMMU_DRV_R
                        : a->access == GMMU_EXEC  ? GMMU_DRV_X
                        : a->access == GMMU_WRITE ? GMMU_DRV_W
                                                  : GMMU_DRV_R | GMMU_DRV_W;
  return (perms & need) == need && (!a->user || perms & GMMU_DRV_U);
}

/* The fault of an access that no paging helps: outside the allocations, or not permitted. GMMU_OK:
 * none. */
static int hopeless(const struct gmmu_paging *p, const struct gmmu_fe_answer *a,
                    enum gmmu_mm_where w, unsigned perms, bool stale) {
  const int64_t top = (int64_t)a->va >> (p->env->ctx[a->asid].mode == GMMU_MODE_SV48 ? 47 : 38);
  if (top != 0 && top != -1) return GMMU_NON_CANONICAL;
  if (w == GMMU_MM_NOT_ALLOCATED && !stale) return GMMU_PF_INVALID;
  return may(perms, a)                                                   ? GMMU_OK
         : a->rsp.cause == GMMU_PF_INVALID && w < GMMU_MM_HERE && !stale ? GMMU_PF_INVALID
                                                                         : GMMU_PERM;
}

static bool answer(void *self, const struct gmmu_fe_answer *a, bool *held, char *msg, size_t n) {
  struct gmmu_paging *p = self;
  uint64_t pa = 0;
  bool stale;
  enum gmmu_mm_where w = gmmu_mm_where(p->mm, a->asid, a->va, &pa);
  const unsigned perms = gmmu_mm_perms(p->mm, a->asid, a->va, &stale, &pa);
  const int cause = hopeless(p, a, w, perms, stale);
  bool fault = a->rsp.cause != GMMU_OK, right;
  /* The manager's state changes only after the acknowledgement, so an old translation is right as
   * long as it may be used; a fault may be answered to a walk that began before the page was
   * mapped. */
  if (cause) right = a->rsp.cause == cause && a->rsp.pa == 0;
  else
    right = fault ? a->rsp.cause == GMMU_PF_INVALID && a->rsp.pa == 0 && !stale
                  : (w >= GMMU_MM_COMING || stale) && a->rsp.pa == pa;
  if (!right)
    snprintf(msg, n,
             "SM %d tag %u asid %d va 0x%" PRIx64 " %s: expected %s pa 0x%" PRIx64
             ", got %s pa 0x%" PRIx64,
             a->sm, a->rsp.tag, a->asid, a->va, gmmu_access_name(a->access), gmmu_cause_name(cause),
             cause ? 0 : pa, gmmu_cause_name(a->rsp.cause), a->rsp.pa);
  gmmu_check_touch(p->run.check, a);
  *held = fault && !cause;
  if (fault && cause) gmmu_fe_give_up(p->run.fe, a->sm, a->rsp.tag, a->rsp.cause, p->cycle);
  if (!*held) return right;
  struct held h = {.f = {.va = a->va,
                         .cause = a->rsp.cause,
                         .access = a->access,
                         .asid = a->asid,
                         .user = a->user},
                   .since = p->cycle,
                   .sm = a->sm,
                   .tag = a->rsp.tag};
  p->stats.faults++;
  if (!add(&p->fresh, &h)) p->failed = true;
  return right;
}

static void replay(struct gmmu_paging *p, const struct held *h) {
  p->stats.wait += p->cycle - h->since;
  gmmu_fe_retry(p->run.fe, h->sm, h->tag);
}

/* Accesses whose page is there now go on. Called before anything can page it out again. */
static void wake(struct gmmu_paging *p) {
  size_t n = 0;
  uint64_t pa;
  for (size_t i = 0; i < p->waiting.n; i++) {
    struct held h = p->waiting.v[i];
    if (gmmu_mm_where(p->mm, h.f.asid, h.f.va, &pa) == GMMU_MM_HERE) replay(p, &h);
    else p->waiting.v[n++] = h;
  }
  p->waiting.n = n;
}

static int cannot(struct gmmu_err *err, const char *what, const struct gmmu_drv_fault *f, int e) {
  return gmmu_fail(err, "%s, ASID %u, address 0x%" PRIx64 ": %s", what, f->asid, f->va,
                   gmmu_mm_error_name(e));
}

static int serve_all(struct gmmu_paging *p, struct gmmu_err *err) {
  bool arrived = false;
  while (p->num_coming && p->coming[p->first_coming].at <= p->cycle) {
    struct transfer t = p->coming[p->first_coming];
    p->first_coming = (p->first_coming + 1) % p->cap_coming;
    p->num_coming--;
    int e = gmmu_mm_arrived(p->mm, t.asid, t.va);
    if (e)
      return cannot(err, "a page that arrived",
                    &(struct gmmu_drv_fault){.asid = t.asid, .va = t.va}, e);
    arrived = true;
  }
  if (arrived) wake(p);
  for (size_t i = 0; i < p->fresh.n; i++) { /* grows while commands run */
    struct held h = p->fresh.v[i];
    if (gmmu_mm_fault(p->mm, &h.f) == GMMU_DRV_RESOLVED) {
      replay(p, &h);
      continue;
    }
    int why = gmmu_mm_last_fault(p->mm);
    if (why && (why != GMMU_MM_NO_MEMORY || !p->num_coming))
      return cannot(err, "a fault", &h.f, why);
    if (why == 0 && !add(&p->waiting, &h)) p->failed = true;
    if (why) { /* every page of memory is on its way: asks again when something has arrived */
      memmove(p->fresh.v, p->fresh.v + i, (p->fresh.n - i) * sizeof *p->fresh.v);
      p->fresh.n -= i;
      return 0;
    }
  }
  p->fresh.n = 0;
  return p->failed ? gmmu_fail(err, "out of memory") : 0;
}

static int serve(void *self, struct gmmu_err *err) {
  struct gmmu_paging *p = self;
  int e = serve_all(p, err);
  if (p->stalled) gmmu_fe_stall(p->run.fe, p->stalled = false);
  return e;
}

int gmmu_paging_settle(struct gmmu_paging *p, struct gmmu_err *err) {
  while (p->num_coming) {
    if (p->run.advance(p->run.arg)) return gmmu_fail(err, "the run cannot go on");
    if (serve(p, err)) return -1;
  }
  return 0;
}

static bool busy(void *self) {
  const struct gmmu_paging *p = self;
  return p->num_coming || p->copying || p->state != IDLE;
}

struct gmmu_software gmmu_paging_software(struct gmmu_paging *p) {
  return (struct gmmu_software){p, start, drive, sample, answer, serve, busy};
}

void gmmu_paging_get_stats(const struct gmmu_paging *p, struct gmmu_paging_stats *s) {
  *s = p->stats;
  gmmu_mm_get_stats(p->mm, &s->mm);
  s->bus_busy = p->cycle ? p->bus_ns / now_ns(p) : 0;
}
