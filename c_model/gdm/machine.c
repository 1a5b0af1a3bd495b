/* SPDX-License-Identifier: Apache-2.0 */
/* machine.c - see machine.h. A translation stays in the TLB until an invalidation covers it, so one
 * that was forgotten is used. */
#include "gdm/machine.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "gmmu_regs.h"
#include "policy/l2_tlb.h"
#include "policy/regs.h"

#define TABLES 0x10000000ull /* physical addresses of the tables' pages ... */
#define TABLE_PAGES 65536u
#define DATA (1ull << 40) /* ... and of the data */
#define PA_W 44u

struct gdm_model {
  struct gmmu_regs_model regs;
  struct gmmu_config cfg;
  struct gmmu_env env;
  struct gmmu_l2_tlb *tlb;
  uint8_t *tables, *data;
  uint64_t data_bytes;
  uint32_t free_pages[TABLE_PAGES], num_free;
  bool env_known;
  struct gmmu_drv_fault fault; /* the queue: a kernel waits for its only fault */
  bool faulted;
};

static uint64_t *table_word(struct gdm_model *m, uint64_t pa) {
  if (pa < TABLES || pa >= TABLES + TABLE_PAGES * 4096ull) return NULL;
  return (uint64_t *)(void *)(m->tables + (pa - TABLES));
}

static void know_env(struct gdm_model *m) {
  struct gmmu_env *e = &m->env;
  const struct gmmu_regs_model *r = &m->regs;
  if (m->env_known) return;
  gmmu_env_from_config(e, &m->cfg);
  for (int a = 0; a < e->num_asids; a++)
    e->ctx[a] =
        (struct gmmu_ctx){r->ctx_root[a], (int)(r->ctx_ctrl[a] & 3), r->ctx_ctrl[a] >> 2 & 1,
                          r->ctx_ctrl[a] >> 3 & 1, r->ctx_ctrl[a] >> 4 & 1};
  for (int w = 0; w < e->num_windows; w++)
    e->win[w] = (struct gmmu_window){r->win_first[w], r->win_last[w],
                                     r->win_ctrl[w] & GMMU_REG_WIN_CTRL_WALK_MASK,
                                     r->win_ctrl[w] & GMMU_REG_WIN_CTRL_DATA_MASK};
  m->env_known = true;
}

/* ---------------------------------------- registers */
static int read_reg(void *arg, uint32_t at, uint32_t *v) {
  struct gdm_model *m = arg;
  uint32_t known;
  if (!gmmu_regs_read(&m->regs, at, v, &known)) return 1;
  switch (at) {
    case GMMU_PARAM_NumPorts: *v = m->regs.ports; break;
    case GMMU_PARAM_NumNative: *v = 0; break;
    case GMMU_PARAM_NumAsids: *v = m->regs.asids; break;
    case GMMU_PARAM_AsidW: *v = m->regs.asid_w; break;
    case GMMU_PARAM_VaW: *v = (uint32_t)m->cfg.VaW; break;
    case GMMU_PARAM_PaW: *v = PA_W; break;
    case GMMU_PARAM_NumWindows: *v = m->regs.windows; break;
    case GMMU_PARAM_FaultEntries: *v = m->regs.fault_entries; break;
    case GMMU_REG_CMD_STATUS: *v = 0; break;
    case GMMU_REG_IRQ_STATUS: *v = m->faulted ? GMMU_REG_IRQ_STATUS_FAULT_MASK : 0; break;
    case GMMU_REG_FAULT_INFO:
      *v = !m->faulted ? 0
                       : GMMU_REG_FAULT_INFO_VALID_MASK | m->fault.cause |
                             m->fault.access << GMMU_REG_FAULT_INFO_ACCESS_SHIFT |
                             GMMU_REG_FAULT_INFO_USER_MASK |
                             m->fault.asid << GMMU_REG_FAULT_INFO_ASID_SHIFT;
      break;
    case GMMU_REG_FAULT_VA_LO: *v = (uint32_t)m->fault.va; break;
    case GMMU_REG_FAULT_VA_HI: *v = (uint32_t)(m->fault.va >> 32); break;
    case GMMU_REG_FAULT_SRC: *v = 0; break;
    default: break;
  }
  return 0;
}

static void invalidate(struct gdm_model *m, int kind, uint64_t first, uint64_t last) {
  struct gmmu_inv_cmd c = {.valid = true,
                           .kind = kind,
                           .asid = (uint16_t)gmmu_regs_kept(&m->regs, GMMU_REG_CMD_ASID),
                           .lo_vfn = first >> 12,
                           .hi_vfn = last >> 12};
  c = gmmu_inv_normal(&c, (int)m->cfg.AsidW);
  gmmu_l2_mark(m->tlb, &c);
  for (int s = 0; s < m->tlb->sets; s++) gmmu_l2_sweep_set(m->tlb, s, &c);
  for (int w = 0; w < gmmu_tlb_ways(m->tlb->large); w++)
    if (gmmu_l2_large_matches(m->tlb, w, &c)) gmmu_tlb_clear(m->tlb->large, w);
}

static int write_reg(void *arg, uint32_t at, uint32_t v) {
  struct gdm_model *m = arg;
  m->env_known = false;
  if (at == GMMU_REG_FAULT_POP) m->faulted = false;
  if (!gmmu_regs_write(&m->regs, at, v, 15, false)) return 1;
  if (at != GMMU_REG_CMD) return 0;
  switch (v) {
    case 0: invalidate(m, GMMU_INV_ALL, 0, 0); break;
    case 1: invalidate(m, GMMU_INV_ASID, 0, 0); break;
    case 2: invalidate(m, GMMU_INV_RANGE, m->regs.first, m->regs.last); break;
    case 3:
      invalidate(m, GMMU_INV_RANGE, m->regs.first & ~0x1fffffull, m->regs.first | 0x1fffff);
      break;
    default: break; /* mapped: nothing waits; no coalescer, no page copy in this build */
  }
  return 0;
}

static uint64_t read_mem(void *arg, uint64_t pa) {
  uint64_t *w = table_word(arg, pa);
  return w ? *w : 0;
}
static void write_mem(void *arg, uint64_t pa, uint64_t v) {
  uint64_t *w = table_word(arg, pa);
  if (w) *w = v;
}
static int alloc_page(void *arg, uint64_t *pa) {
  struct gdm_model *m = arg;
  if (!m->num_free) return 1;
  *pa = TABLES + 4096ull * m->free_pages[--m->num_free];
  return 0;
}
static void free_page(void *arg, uint64_t pa) {
  struct gdm_model *m = arg;
  m->free_pages[m->num_free++] = (uint32_t)((pa - TABLES) / 4096);
}

/* ---------------------------------------- accesses */
/* The walk of one miss; what it sets in the leaf is in memory when it returns. */
static void walk(struct gdm_model *m, uint16_t asid, uint64_t vfn, uint8_t store,
                 struct gmmu_xlate *x) {
  struct gmmu_walk_state s;
  memset(x, 0, sizeof *x);
  x->cause = gmmu_walk_begin(&m->env, asid, vfn, &s);
  if (x->cause != GMMU_OK) return;
  s.store = store;
  for (;;) {
    uint64_t *w = table_word(m, s.pa);
    if (w && s.update) *w = s.set;
    if (gmmu_walk_step(&m->env, &s, !w, w ? *w : 0, x)) return;
  }
}

static int translate(struct gdm_model *m, unsigned asid, uint64_t va, bool write, uint64_t *pa) {
  int access = write ? GMMU_WRITE : GMMU_READ;
  know_env(m);
  int cause = gmmu_local_fault(&m->env, (int)asid, va);
  if (cause != GMMU_OK) return cause;
  struct gmmu_l2_req r = {
      .vfn = va >> 12 & GMMU_VFN_MASK,
      .asid = (uint16_t)asid,
      .store = m->env.svadu ? gmmu_store_class(access, true, m->env.ctx[asid].sum) : 0};
  struct gmmu_l2_result hit;
  gmmu_l2_lookup(m->tlb, &r, true, &hit);
  if (!gmmu_l2_is_hit(hit.outcome)) {
    struct gmmu_xlate x;
    struct gmmu_fill fill;
    walk(m, r.asid, r.vfn, r.store, &x);
    hit.data = gmmu_tlb_data_of(&x);
    gmmu_l2_finish(m->tlb, hit.mshr, &hit.data, true, &fill);
    gmmu_l2_served(m->tlb, hit.mshr, 1, true);
  }
  if (hit.data.cause != GMMU_OK) return hit.data.cause;
  struct gmmu_xlate x = {.pfn = hit.data.pfn,
                         .r = hit.data.r,
                         .w = hit.data.w,
                         .x = hit.data.x,
                         .u = hit.data.u,
                         .d = hit.data.d};
  cause = gmmu_check_access(&m->env.ctx[asid], &x, access, true);
  *pa = (hit.data.pfn + (hit.data.large ? r.vfn & 511 : 0)) << 12 | (va & 4095);
  return cause;
}

static void *span(void *arg, unsigned asid, uint64_t va, bool write, int *cause) {
  struct gdm_model *m = arg;
  uint64_t pa = 0;
  *cause = translate(m, asid, va, write, &pa);
  if (*cause == GMMU_OK) return m->data + (pa - DATA);
  m->fault = (struct gmmu_drv_fault){
      .va = va, .cause = (unsigned)*cause, .access = write, .asid = asid, .user = true};
  m->faulted = true;
  return NULL;
}

static int access_bytes(void *arg, unsigned asid, uint64_t va, bool write, void *data,
                        size_t bytes) {
  int cause;
  uint8_t *at = span(arg, asid, va, write, &cause);
  if (!at) return cause;
  if (write) memcpy(at, data, bytes);
  else memcpy(data, at, bytes);
  return 0;
}

static void dma_write(void *arg, uint64_t pa, const void *from, size_t bytes) {
  memcpy(((struct gdm_model *)arg)->data + (pa - DATA), from, bytes);
}
static void dma_read(void *arg, void *to, uint64_t pa, size_t bytes) {
  memcpy(to, ((struct gdm_model *)arg)->data + (pa - DATA), bytes);
}

static void *reserve(uint64_t bytes) {
  void *p =
      mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return p == MAP_FAILED ? NULL : p;
}

struct gdm_model *gdm_model_new(uint64_t device_bytes, bool svadu) {
  struct gdm_model *m = calloc(1, sizeof *m);
  if (!m) return NULL;
  gmmu_config_default(&m->cfg);
  m->cfg.NumAsids = 64;
  m->cfg.AsidW = 8;
  m->cfg.PaW = PA_W;
  m->cfg.Svadu = svadu;
  m->regs = (struct gmmu_regs_model){.ports = 1,
                                     .asids = 64,
                                     .asid_w = 8,
                                     .pfn_w = PA_W - 12,
                                     .windows = (uint32_t)m->cfg.NumWindows,
                                     .fault_entries = 1,
                                     .params = GMMU_NUM_PARAMS,
                                     .sv48 = true,
                                     .caps = GMMU_REG_CAPS_SV48_MASK | GMMU_REG_CAPS_LARGE_MASK |
                                             (svadu ? GMMU_REG_CAPS_HW_AD_MASK : 0)};
  gmmu_regs_reset(&m->regs);
  m->data_bytes = device_bytes;
  m->tlb = gmmu_l2_new(&m->cfg);
  m->tables = reserve(TABLE_PAGES * 4096ull);
  m->data = reserve(device_bytes);
  for (uint32_t i = 0; i < TABLE_PAGES; i++) m->free_pages[m->num_free++] = TABLE_PAGES - 1 - i;
  if (m->tlb && m->tables && m->data) return m;
  gdm_model_free(m);
  return NULL;
}

void gdm_model_free(struct gdm_model *m) {
  if (!m) return;
  gmmu_l2_free(m->tlb);
  if (m->tables) munmap(m->tables, TABLE_PAGES * 4096ull);
  if (m->data) munmap(m->data, m->data_bytes);
  free(m);
}

void gdm_model_machine(struct gdm_model *m, struct gdm_machine *out) {
  *out = (struct gdm_machine){
      .arg = m,
      .bus = {m, read_reg, write_reg, read_mem, write_mem, alloc_page, free_page, NULL},
      .data_first = DATA,
      .table_first = TABLES,
      .table_last = TABLES + TABLE_PAGES * 4096ull - 1,
      .dma_write = dma_write,
      .dma_read = dma_read,
      .access = access_bytes,
      .span = span};
}
