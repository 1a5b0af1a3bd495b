/* SPDX-License-Identifier: Apache-2.0 */
/* mm_rig.h - what the tests of the memory manager have in common: registers, memory, a host that
 * keeps what every page must hold. */
#ifndef GMMU_TEST_MM_RIG_H
#define GMMU_TEST_MM_RIG_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "gmmu.h"
#include "gmmu_mm.h"
#include "gmmu_regs.h"
#include "policy/regs.h"

#define FIRST 0x40000000ull
#define FRAME ((uint64_t)GMMU_MM_FRAME)
#define PAGE ((uint64_t)GMMU_MM_PAGE)
#define RW (GMMU_DRV_R | GMMU_DRV_W | GMMU_DRV_U)
#define SPACES 4
#define ARENA 4096u /* pages of each address space that the random test uses */
#define BASE_VA 0x10000000ull

struct rig {
  struct gmmu_regs_model regs;
  struct gmmu_mem *mem;
  struct gmmu_drv drv;
  struct gmmu_mm *mm;
  uint64_t next_table, tables_left;
  uint64_t freed[8192];
  int num_freed, commands, invalidations, copies, channel_breaks, fail_page_in;
  bool delayed; /* transfers arrive later */
  struct {
    unsigned asid;
    uint64_t va, pa, bytes;
  } coming[4096];
  int num_coming;
  uint64_t host[SPACES][ARENA]; /* content of pages that are not in memory */
  uint64_t want[SPACES][ARENA]; /* what the page must hold */
  unsigned channels;
};

static inline int rd(void *arg, uint32_t at, uint32_t *v) {
  struct rig *r = arg;
  uint32_t known;
  if (!gmmu_regs_read(&r->regs, at, v, &known)) return 1;
  if (at == GMMU_PARAM_NumPorts) *v = 2;
  if (at == GMMU_PARAM_NumAsids) *v = r->regs.asids;
  if (at == GMMU_PARAM_AsidW) *v = r->regs.asid_w;
  if (at == GMMU_PARAM_VaW) *v = 39;
  if (at == GMMU_PARAM_PaW) *v = r->regs.pfn_w + 12;
  if (at == GMMU_PARAM_NumWindows) *v = r->regs.windows;
  return 0;
}
static inline int wr(void *arg, uint32_t at, uint32_t v) {
  struct rig *r = arg;
  if (at == GMMU_REG_CMD) r->commands++, r->invalidations += v < 4;
  return !gmmu_regs_write(&r->regs, at, v, 15, false);
}
static inline uint64_t rdm(void *arg, uint64_t pa) {
  return gmmu_mem_read64(((struct rig *)arg)->mem, pa);
}
static inline void wrm(void *arg, uint64_t pa, uint64_t v) {
  gmmu_mem_write64(((struct rig *)arg)->mem, pa, v);
}
static inline int take(void *arg, uint64_t *pa) {
  struct rig *r = arg;
  if (r->num_freed) return *pa = r->freed[--r->num_freed], 0;
  if (!r->tables_left) return 1;
  r->tables_left--;
  *pa = r->next_table;
  r->next_table += PAGE;
  return 0;
}
static inline void give(void *arg, uint64_t pa) {
  struct rig *r = arg;
  r->freed[r->num_freed++] = pa;
}

/* Content: the first and the last word of a page, the last one inverted. */
static inline void put(struct rig *r, uint64_t pa, uint64_t v) {
  gmmu_mem_write64(r->mem, pa, v);
  gmmu_mem_write64(r->mem, pa + PAGE - 8, ~v);
}
static inline uint64_t content(struct rig *r, uint64_t pa) {
  uint64_t v = gmmu_mem_read64(r->mem, pa);
  assert_true(gmmu_mem_read64(r->mem, pa + PAGE - 8) == ~v);
  return v;
}
static inline unsigned channel(void *arg, uint64_t pa) {
  return (unsigned)(pa >> 12 ^ pa >> 14) % ((struct rig *)arg)->channels;
}
static inline void copy(void *arg, uint64_t to, uint64_t from) {
  struct rig *r = arg;
  r->copies++;
  r->channel_breaks += channel(r, to) != channel(r, from);
  put(r, to, content(r, from));
}
static inline void fetch(struct rig *r, unsigned asid, uint64_t va, uint64_t pa, uint64_t bytes) {
  for (uint64_t o = 0; o < bytes; o += PAGE) {
    uint64_t i = (va + o - BASE_VA) / PAGE;
    if (i < ARENA) put(r, pa + o, r->host[asid][i]);
  }
}
static inline int page_in(void *arg, unsigned asid, uint64_t va, uint64_t pa, uint64_t bytes) {
  struct rig *r = arg;
  uint64_t got, pte;
  assert_int_equal(gmmu_drv_lookup(&r->drv, asid, va, &got, &pte), GMMU_DRV_ABSENT);
  if (r->fail_page_in && --r->fail_page_in == 0) return GMMU_DRV_BUS;
  if (!r->delayed) return fetch(r, asid, va, pa, bytes), 0;
  assert_true(r->num_coming < 4096);
  r->coming[r->num_coming].asid = asid;
  r->coming[r->num_coming].va = va;
  r->coming[r->num_coming].pa = pa;
  r->coming[r->num_coming++].bytes = bytes;
  return 1;
}
static inline void page_out(void *arg, unsigned asid, uint64_t va, uint64_t pa) {
  struct rig *r = arg;
  r->host[asid][(va - BASE_VA) / PAGE] = content(r, pa);
}

static inline void begin(void **state, enum gmmu_mm_policy policy, unsigned frames, bool cac,
                         bool out) {
  struct rig *r = calloc(1, sizeof *r);
  r->mem = gmmu_mem_new();
  r->regs = (struct gmmu_regs_model){.ports = 2,
                                     .asids = SPACES,
                                     .asid_w = 4,
                                     .pfn_w = 28,
                                     .windows = 4,
                                     .fault_entries = 4,
                                     .counters = 11,
                                     .caps = 0x24,
                                     .params = GMMU_NUM_PARAMS};
  gmmu_regs_reset(&r->regs);
  r->next_table = 0x100000;
  r->tables_left = 4096;
  r->channels = 4;
  struct gmmu_drv_bus bus = {r, rd, wr, rdm, wrm, take, give, NULL};
  assert_int_equal(gmmu_drv_init(&r->drv, &bus), 0);
  for (unsigned a = 0; a < SPACES; a++)
    assert_int_equal(gmmu_drv_open(&r->drv, a, false, true, false, false), 0);
  struct gmmu_mm_cfg cfg = {policy, FIRST, frames * FRAME, 256, cac, out};
  struct gmmu_mm_host host = {r, copy, page_in, page_out, channel};
  r->mm = gmmu_mm_new(&cfg, &r->drv, &host);
  assert_non_null(r->mm);
  *state = r;
}
static inline int end(void **state) {
  struct rig *r = *state;
  if (!r) return 0;
  gmmu_mm_free_all(r->mm);
  gmmu_mem_free(r->mem);
  free(r);
  *state = NULL;
  return 0;
}
static inline void well(struct rig *r) {
  const char *e = gmmu_mm_check(r->mm);
  if (e) fail_msg("invariant: %s", e);
  assert_int_equal(r->channel_breaks, 0);
}
static inline struct gmmu_mm_stats stats(struct rig *r) {
  struct gmmu_mm_stats s;
  gmmu_mm_get_stats(r->mm, &s);
  return s;
}
static inline uint64_t where(struct rig *r, unsigned asid, uint64_t va) {
  uint64_t pa = 0;
  return gmmu_mm_where(r->mm, asid, va, &pa) == GMMU_MM_HERE ? pa : 0;
}
static inline bool is_coalesced(struct rig *r, unsigned asid, uint64_t va) {
  uint64_t pa, pte;
  return gmmu_drv_lookup(&r->drv, asid, va, &pa, &pte) == 0 && pte >> 8 & 1;
}
static inline int touch(struct rig *r, unsigned asid, uint64_t va, unsigned access) {
  struct gmmu_drv_fault f = {
      .va = va, .cause = GMMU_PF_INVALID, .access = access, .asid = asid, .user = true};
  return gmmu_mm_fault(r->mm, &f);
}

#endif
