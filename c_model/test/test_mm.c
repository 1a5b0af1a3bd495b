/* SPDX-License-Identifier: Apache-2.0 */
/* The memory manager above the driver and the register model: what it promises by hand, and random
 * operations whose invariants and contents are checked after each. */
#include <math.h>
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

static int rd(void *arg, uint32_t at, uint32_t *v) {
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
static int wr(void *arg, uint32_t at, uint32_t v) {
  struct rig *r = arg;
  if (at == GMMU_REG_CMD) r->commands++, r->invalidations += v < 4;
  return !gmmu_regs_write(&r->regs, at, v, 15, false);
}
static uint64_t rdm(void *arg, uint64_t pa) {
  return gmmu_mem_read64(((struct rig *)arg)->mem, pa);
}
static void wrm(void *arg, uint64_t pa, uint64_t v) {
  gmmu_mem_write64(((struct rig *)arg)->mem, pa, v);
}
static int take(void *arg, uint64_t *pa) {
  struct rig *r = arg;
  if (r->num_freed) return *pa = r->freed[--r->num_freed], 0;
  if (!r->tables_left) return 1;
  r->tables_left--;
  *pa = r->next_table;
  r->next_table += PAGE;
  return 0;
}
static void give(void *arg, uint64_t pa) {
  struct rig *r = arg;
  r->freed[r->num_freed++] = pa;
}

/* Content: the first and the last word of a page, the last one inverted. */
static void put(struct rig *r, uint64_t pa, uint64_t v) {
  gmmu_mem_write64(r->mem, pa, v);
  gmmu_mem_write64(r->mem, pa + PAGE - 8, ~v);
}
static uint64_t content(struct rig *r, uint64_t pa) {
  uint64_t v = gmmu_mem_read64(r->mem, pa);
  assert_true(gmmu_mem_read64(r->mem, pa + PAGE - 8) == ~v);
  return v;
}
static unsigned channel(void *arg, uint64_t pa) {
  return (unsigned)(pa >> 12 ^ pa >> 14) % ((struct rig *)arg)->channels;
}
static void copy(void *arg, uint64_t to, uint64_t from) {
  struct rig *r = arg;
  r->copies++;
  r->channel_breaks += channel(r, to) != channel(r, from);
  put(r, to, content(r, from));
}
static void fetch(struct rig *r, unsigned asid, uint64_t va, uint64_t pa, uint64_t bytes) {
  for (uint64_t o = 0; o < bytes; o += PAGE) {
    uint64_t i = (va + o - BASE_VA) / PAGE;
    if (i < ARENA) put(r, pa + o, r->host[asid][i]);
  }
}
static int page_in(void *arg, unsigned asid, uint64_t va, uint64_t pa, uint64_t bytes) {
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
static void page_out(void *arg, unsigned asid, uint64_t va, uint64_t pa) {
  struct rig *r = arg;
  r->host[asid][(va - BASE_VA) / PAGE] = content(r, pa);
}

static void begin(void **state, enum gmmu_mm_policy policy, unsigned frames, bool cac, bool out) {
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
static int end(void **state) {
  struct rig *r = *state;
  if (!r) return 0;
  gmmu_mm_free_all(r->mm);
  gmmu_mem_free(r->mem);
  free(r);
  *state = NULL;
  return 0;
}
static void well(struct rig *r) {
  const char *e = gmmu_mm_check(r->mm);
  if (e) fail_msg("invariant: %s", e);
  assert_int_equal(r->channel_breaks, 0);
}
static struct gmmu_mm_stats stats(struct rig *r) {
  struct gmmu_mm_stats s;
  gmmu_mm_get_stats(r->mm, &s);
  return s;
}
static uint64_t where(struct rig *r, unsigned asid, uint64_t va) {
  uint64_t pa = 0;
  return gmmu_mm_where(r->mm, asid, va, &pa) == GMMU_MM_HERE ? pa : 0;
}
static bool is_coalesced(struct rig *r, unsigned asid, uint64_t va) {
  uint64_t pa, pte;
  return gmmu_drv_lookup(&r->drv, asid, va, &pa, &pte) == 0 && pte >> 8 & 1;
}
static int touch(struct rig *r, unsigned asid, uint64_t va, unsigned access) {
  struct gmmu_drv_fault f = {
      .va = va, .cause = GMMU_PF_INVALID, .access = access, .asid = asid, .user = true};
  return gmmu_mm_fault(r->mm, &f);
}

/* CoCoA: whole aligned 2 MiB get a frame and are coalesced without an invalidation; the rest are
 * base pages of the application. */
static void conserves_contiguity(void **state) {
  begin(state, GMMU_MM_MOSAIC, 8, true, false);
  struct rig *r = *state;
  uint64_t va = 0x20000000 - 3 * PAGE, bytes = 2 * FRAME + 8 * PAGE;
  int before = r->invalidations;
  assert_int_equal(gmmu_mm_alloc(r->mm, 1, va, bytes, RW, false), 0);
  assert_int_equal(r->invalidations, before);
  assert_true(is_coalesced(r, 1, 0x20000000) && is_coalesced(r, 1, 0x20200000) &&
              !is_coalesced(r, 1, va) && !is_coalesced(r, 1, 0x20400000));
  for (uint64_t o = 0; o < 2 * FRAME; o += PAGE)
    assert_true(where(r, 1, 0x20000000 + o) % FRAME == o % FRAME);
  assert_int_equal(gmmu_mm_alloc(r->mm, 2, va, 8 * PAGE, RW, false), 0);
  assert_true(where(r, 2, va) / FRAME != where(r, 1, va) / FRAME); /* the soft guarantee */
  assert_true(where(r, 1, va) / FRAME == where(r, 1, 0x20400000) / FRAME);
  struct gmmu_mm_stats s = stats(r);
  assert_true(s.coalesced == 2 && s.free_frames == 4 && s.pages == 2 * 512 + 16 &&
              s.resident == s.pages && s.held == 4 * 512);
  well(r);
}

static void demand_coalesces_when_whole(void **state) {
  begin(state, GMMU_MM_MOSAIC, 4, true, false);
  struct rig *r = *state;
  assert_int_equal(gmmu_mm_alloc(r->mm, 1, BASE_VA, FRAME, RW, true), 0);
  assert_int_equal(where(r, 1, BASE_VA), 0);
  for (uint64_t k = 0; k < 512; k++) {
    assert_false(is_coalesced(r, 1, BASE_VA));
    assert_int_equal(touch(r, 1, BASE_VA + (k * 37 % 512) * PAGE + 8, 1), GMMU_DRV_RESOLVED);
    if (k % 64 == 0) well(r);
  }
  assert_true(is_coalesced(r, 1, BASE_VA));
  assert_int_equal(stats(r).ins, 512);
  assert_int_equal(touch(r, 1, BASE_VA, 0),
                   GMMU_DRV_RESOLVED); /* a second fault of the page: nothing more */
  assert_int_equal(stats(r).ins, 512);
  /* Not allocated, not permitted. */
  assert_int_equal(touch(r, 1, BASE_VA + FRAME, 0), GMMU_DRV_LATER);
  assert_int_equal(gmmu_mm_last_fault(r->mm), GMMU_MM_ABSENT);
  assert_int_equal(gmmu_mm_alloc(r->mm, 1, BASE_VA + FRAME, PAGE, GMMU_DRV_R | GMMU_DRV_U, true),
                   0);
  assert_int_equal(touch(r, 1, BASE_VA + FRAME, 1), GMMU_DRV_LATER);
  assert_int_equal(gmmu_mm_last_fault(r->mm), GMMU_MM_ABSENT);
  assert_int_equal(touch(r, 1, BASE_VA + FRAME, 0), GMMU_DRV_RESOLVED);
  well(r);
}

/* CAC: 256 pages left: still coalesced, in the emergency list; 255: splintered, moved to a frame
 * with room. */
static void splinters_below_the_threshold(void **state) {
  begin(state, GMMU_MM_MOSAIC, 4, true, false);
  struct rig *r = *state;
  assert_int_equal(gmmu_mm_alloc(r->mm, 1, BASE_VA, FRAME, RW, false), 0);
  assert_int_equal(gmmu_mm_alloc(r->mm, 1, BASE_VA + FRAME, PAGE, RW, false),
                   0); /* opens a frame of base pages */
  uint64_t pa = where(r, 1, BASE_VA);
  for (unsigned k = 0; k < 512; k++) put(r, pa + k * PAGE, k);
  assert_int_equal(gmmu_mm_dealloc(r->mm, 1, BASE_VA, 256 * PAGE), 0);
  assert_true(is_coalesced(r, 1, BASE_VA + 300 * PAGE));
  assert_true(is_coalesced(r, 1, BASE_VA)); /* freed, mapped all the same */
  assert_int_equal(where(r, 1, BASE_VA), 0);
  well(r);
  assert_int_equal(gmmu_mm_dealloc(r->mm, 1, BASE_VA + 256 * PAGE, PAGE), 0);
  struct gmmu_mm_stats s = stats(r);
  assert_true(s.splintered == 1 && s.compacted == 1 && s.moved == 255 && s.free_frames == 3 &&
              r->copies == 255);
  for (unsigned k = 257; k < 512; k++) {
    assert_true(where(r, 1, BASE_VA + k * PAGE) / FRAME == where(r, 1, BASE_VA + FRAME) / FRAME);
    assert_true(content(r, where(r, 1, BASE_VA + k * PAGE)) == k);
  }
  well(r);
  assert_int_equal(gmmu_mm_dealloc(r->mm, 1, BASE_VA + 257 * PAGE, 255 * PAGE), 0);
  assert_int_equal(gmmu_mm_dealloc(r->mm, 1, BASE_VA + FRAME, PAGE), 0);
  assert_int_equal(stats(r).free_frames, 4);
  well(r);
}

static void without_cac_nothing_moves(void **state) {
  begin(state, GMMU_MM_MOSAIC, 2, false, false);
  struct rig *r = *state;
  assert_int_equal(gmmu_mm_alloc(r->mm, 1, BASE_VA, 2 * FRAME, RW, false), 0);
  assert_int_equal(gmmu_mm_dealloc(r->mm, 1, BASE_VA + PAGE, 511 * PAGE), 0);
  assert_true(stats(r).splintered == 0 && is_coalesced(r, 1, BASE_VA));
  assert_int_equal(gmmu_mm_alloc(r->mm, 1, BASE_VA + 2 * FRAME, PAGE, RW, false),
                   GMMU_MM_NO_MEMORY);
  well(r);
  assert_int_equal(gmmu_mm_dealloc(r->mm, 1, BASE_VA, PAGE), 0);
  assert_int_equal(stats(r).free_frames, 1);
  well(r);
}

/* The failsafe: nothing is free, a coalesced frame with unallocated pages is splintered for them.
 */
static void emergency_list(void **state) {
  begin(state, GMMU_MM_MOSAIC, 2, true, false);
  struct rig *r = *state;
  assert_int_equal(gmmu_mm_alloc(r->mm, 1, BASE_VA, 2 * FRAME, RW, false), 0);
  assert_int_equal(gmmu_mm_dealloc(r->mm, 1, BASE_VA, 100 * PAGE), 0);
  assert_int_equal(gmmu_mm_alloc(r->mm, 1, BASE_VA + 2 * FRAME, 60 * PAGE, RW, false), 0);
  assert_true(stats(r).emergencies == 1 && !is_coalesced(r, 1, BASE_VA + 200 * PAGE) &&
              is_coalesced(r, 1, BASE_VA + FRAME));
  well(r);
  /* Another application: the guarantee is soft. */
  assert_int_equal(gmmu_mm_alloc(r->mm, 2, BASE_VA, 40 * PAGE, RW, false), 0);
  assert_int_equal(stats(r).mixed, 1);
  assert_int_equal(gmmu_mm_alloc(r->mm, 2, BASE_VA + FRAME, PAGE, RW, false), GMMU_MM_NO_MEMORY);
  well(r);
  /* What is dead can be allocated again: its frame is splintered first. */
  assert_int_equal(gmmu_mm_dealloc(r->mm, 1, BASE_VA + FRAME + 5 * PAGE, PAGE), 0);
  assert_int_equal(gmmu_mm_alloc(r->mm, 1, BASE_VA + FRAME + 5 * PAGE, PAGE, RW, false), 0);
  assert_false(is_coalesced(r, 1, BASE_VA + FRAME));
  well(r);
}

static void foreign_data_moves(void **state) {
  begin(state, GMMU_MM_MOSAIC, 16, true, false);
  struct rig *r = *state;
  assert_int_equal(gmmu_mm_fragment(r->mm, 1.0, 0.25, 7), 0);
  for (uint64_t pa = FIRST; pa < FIRST + 16 * FRAME; pa += PAGE) put(r, pa, pa);
  assert_true(stats(r).foreign == 16 * 128 && stats(r).free_frames == 0);
  well(r);
  assert_int_equal(gmmu_mm_alloc(r->mm, 1, BASE_VA, 10 * FRAME, RW, false), 0);
  assert_true(stats(r).coalesced == 10 && stats(r).compacted >= 10 && stats(r).foreign == 16 * 128);
  well(r);
  /* A share of the frames. */
  end(state);
  begin(state, GMMU_MM_MOSAIC, 100, true, false);
  r = *state;
  assert_int_equal(gmmu_mm_fragment(r->mm, 0.3, 0.5, 7), 0);
  assert_true(stats(r).free_frames == 70 && stats(r).foreign == 30 * 256);
  well(r);
}

static void memory_runs_out(void **state) {
  begin(state, GMMU_MM_MOSAIC, 4, true, false);
  struct rig *r = *state;
  assert_int_equal(gmmu_mm_alloc(r->mm, 1, BASE_VA, 3 * FRAME + 100 * PAGE, RW, false), 0);
  struct gmmu_mm_stats a = stats(r), b;
  assert_int_equal(gmmu_mm_alloc(r->mm, 2, BASE_VA, FRAME, RW, false), GMMU_MM_NO_MEMORY);
  b = stats(r);
  assert_true(a.pages == b.pages && a.resident == b.resident);
  well(r);
  r->tables_left = 0, r->num_freed = 0; /* none for page tables either */
  assert_int_equal(gmmu_mm_alloc(r->mm, 1, 0x70000000, PAGE, RW, false), GMMU_DRV_NO_MEMORY);
  assert_int_equal(stats(r).pages, a.pages);
  well(r);
  r->fail_page_in = 1;
  assert_int_equal(gmmu_mm_alloc(r->mm, 1, BASE_VA + 4 * FRAME, PAGE, RW, false), GMMU_DRV_BUS);
  assert_int_equal(stats(r).pages, a.pages);
  well(r);
}

static void bad_requests(void **state) {
  begin(state, GMMU_MM_MOSAIC, 4, true, false);
  struct rig *r = *state;
  struct gmmu_mm *m = r->mm;
  assert_int_equal(gmmu_mm_alloc(m, 1, BASE_VA, 10 * PAGE, RW, false), 0);
  const struct {
    unsigned asid;
    uint64_t va, bytes;
    unsigned perms;
    int want;
  } bad[] = {{SPACES, BASE_VA, PAGE, RW, GMMU_MM_ARGUMENT},
             {1, BASE_VA + 1, PAGE, RW, GMMU_MM_ARGUMENT},
             {1, BASE_VA, 0, RW, GMMU_MM_ARGUMENT},
             {1, 0x4000000000, PAGE, RW, GMMU_MM_ARGUMENT},
             {1, BASE_VA, 100, RW, GMMU_MM_ARGUMENT},
             {1, 0x3ffffff000, 2 * PAGE, RW, GMMU_MM_ARGUMENT},
             {1, 0x20000000, PAGE, GMMU_DRV_W, GMMU_MM_ARGUMENT},
             {1, 0x20000000, PAGE, 0, GMMU_MM_ARGUMENT},
             {1, BASE_VA + 9 * PAGE, 2 * PAGE, RW, GMMU_MM_EXISTS}};
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
    assert_int_equal(gmmu_mm_alloc(m, bad[i].asid, bad[i].va, bad[i].bytes, bad[i].perms, i & 1),
                     bad[i].want);
  const unsigned may[] = {GMMU_DRV_R, GMMU_DRV_R | GMMU_DRV_W,
                          GMMU_DRV_R | GMMU_DRV_X}; /* read, write, execute, atomic */
  static const bool right[3][4] = {
      {true, false, false, false}, {true, true, false, true}, {true, false, true, false}};
  for (uint64_t k = 0; k < 3; k++) {
    assert_int_equal(gmmu_mm_alloc(m, 2, BASE_VA + k * PAGE, PAGE, may[k] | GMMU_DRV_U, true), 0);
    for (unsigned access = 0; access < 4; access++) {
      touch(r, 2, BASE_VA + k * PAGE, access);
      assert_int_equal(gmmu_mm_last_fault(m), right[k][access] ? 0 : GMMU_MM_ABSENT);
    }
    assert_int_equal(gmmu_mm_dealloc(m, 2, BASE_VA + k * PAGE, PAGE), 0);
  }
  assert_int_equal(gmmu_mm_dealloc(m, 1, BASE_VA + 9 * PAGE, 2 * PAGE), GMMU_MM_ABSENT);
  assert_int_equal(gmmu_mm_dealloc(m, 2, BASE_VA, PAGE), GMMU_MM_ABSENT);
  assert_int_equal(gmmu_mm_dealloc(m, 1, BASE_VA + 1, PAGE), GMMU_MM_ARGUMENT);
  assert_int_equal(stats(r).pages, 10);
  assert_int_equal(gmmu_mm_dealloc(m, 1, BASE_VA, 10 * PAGE), 0);
  assert_int_equal(gmmu_mm_dealloc(m, 1, BASE_VA, 10 * PAGE), GMMU_MM_ABSENT); /* freed twice */
  assert_int_equal(gmmu_mm_arrived(m, 1, BASE_VA), GMMU_MM_ABSENT);
  assert_int_equal(gmmu_mm_fragment(m, 2, 0.5, 1), GMMU_MM_ARGUMENT);
  well(r);
  assert_string_equal(gmmu_mm_error_name(GMMU_MM_EXISTS), "allocated already");
  assert_string_equal(gmmu_mm_error_name(GMMU_DRV_BUS), "bus error");
  struct gmmu_mm_host host = {0};
  struct gmmu_mm_cfg cfg[] = {{GMMU_MM_MOSAIC, FIRST + PAGE, FRAME, 256, true, false},
                              {GMMU_MM_MOSAIC, FIRST, 0, 256, true, false},
                              {GMMU_MM_MOSAIC, FIRST, FRAME, 0, true, false},
                              {GMMU_MM_MOSAIC, FIRST, FRAME, 513, true, false},
                              {GMMU_MM_MOSAIC, 1ull << 40, FRAME, 256, true, false},
                              {3, FIRST, FRAME, 256, true, false}};
  for (size_t i = 0; i < sizeof cfg / sizeof cfg[0]; i++)
    assert_null(gmmu_mm_new(&cfg[i], &r->drv, &host));
}

static void baselines(void **state) {
  begin(state, GMMU_MM_BASE, 4, true, false);
  struct rig *r = *state;
  for (unsigned a = 1; a < 3; a++)
    assert_int_equal(gmmu_mm_alloc(r->mm, a, BASE_VA, FRAME, RW, true), 0);
  for (unsigned k = 0; k < 100; k++)
    for (unsigned a = 1; a < 3; a++)
      assert_int_equal(touch(r, a, BASE_VA + k * PAGE, 0), GMMU_DRV_RESOLVED);
  assert_true(where(r, 1, BASE_VA) + PAGE == where(r, 2, BASE_VA) &&
              where(r, 2, BASE_VA) + PAGE == where(r, 1, BASE_VA + PAGE));
  assert_int_equal(stats(r).coalesced, 0);
  well(r);
  end(state);

  begin(state, GMMU_MM_LARGE, 4, true, false);
  r = *state;
  assert_int_equal(gmmu_mm_alloc(r->mm, 1, BASE_VA + PAGE, PAGE, RW, true), GMMU_MM_ARGUMENT);
  assert_int_equal(gmmu_mm_alloc(r->mm, 1, BASE_VA, 513 * PAGE, RW, true), 0);
  assert_int_equal(touch(r, 1, BASE_VA + 700, 0), GMMU_DRV_RESOLVED);
  assert_int_equal(touch(r, 1, BASE_VA + 512 * PAGE, 0), GMMU_DRV_RESOLVED);
  struct gmmu_mm_stats s = stats(r);
  assert_true(s.in_bytes == 2 * FRAME && s.held == 1024 && s.resident == 513);
  well(r);
  assert_int_equal(gmmu_mm_alloc(r->mm, 1, BASE_VA + FRAME, PAGE, RW, true), GMMU_MM_EXISTS);
  assert_int_equal(gmmu_mm_dealloc(r->mm, 1, BASE_VA, 512 * PAGE), 0);
  assert_int_equal(stats(r).free_frames, 3);
  well(r);
}

/* Pages go out in the order in which they came: a full memory must not give up the page that an
 * access is about to use. */
static void oldest_goes_out(void **state) {
  for (enum gmmu_mm_policy policy = GMMU_MM_MOSAIC; policy <= GMMU_MM_BASE; policy++) {
    begin(state, policy, 1, true, true);
    struct rig *r = *state;
    assert_int_equal(gmmu_mm_fragment(r->mm, 1, 500.0 / 512, 3), 0); /* 12 pages are left */
    assert_int_equal(stats(r).foreign, 500);
    for (uint64_t pa = FIRST; pa < FIRST + FRAME; pa += PAGE) put(r, pa, pa);
    assert_int_equal(gmmu_mm_alloc(r->mm, 1, BASE_VA, 100 * PAGE, RW, true), 0);
    for (uint64_t k = 0; k < 100; k++) {
      assert_int_equal(touch(r, 1, BASE_VA + k * PAGE, 0), GMMU_DRV_RESOLVED);
      for (uint64_t j = 0; j <= k; j++)
        assert_int_equal(where(r, 1, BASE_VA + j * PAGE) != 0, k - j < 12);
      well(r);
    }
    end(state);
  }
}

static void oldest_frame_goes_first(void **state) {
  begin(state, GMMU_MM_BASE, 2, false, true);
  struct rig *r = *state;
  assert_int_equal(gmmu_mm_alloc(r->mm, 1, BASE_VA, 1100 * PAGE, RW, true), 0);
  for (uint64_t k = 0; k < 1025; k++)
    assert_int_equal(touch(r, 1, BASE_VA + k * PAGE, 0), GMMU_DRV_RESOLVED);
  assert_int_equal(where(r, 1, BASE_VA), 0);
  for (uint64_t k = 1; k < 1025; k++) assert_int_not_equal(where(r, 1, BASE_VA + k * PAGE), 0);
  well(r);
}

/* The driver has no memory for a table when a transfer arrives, of which a part was freed on its
 * way. */
static void arrival_that_fails(void **state) {
  begin(state, GMMU_MM_MOSAIC, 4, true, false);
  struct rig *r = *state;
  r->delayed = true;
  assert_int_equal(gmmu_mm_alloc(r->mm, 1, BASE_VA, FRAME, RW, false), 0); /* one transfer */
  assert_int_equal(r->num_coming, 1);
  assert_int_equal(gmmu_mm_dealloc(r->mm, 1, BASE_VA + 7 * PAGE, PAGE), 0);
  assert_int_equal(gmmu_mm_dealloc(r->mm, 1, BASE_VA + 100 * PAGE, PAGE), 0);
  r->tables_left = 0;
  r->num_freed = 0;
  assert_int_equal(gmmu_mm_arrived(r->mm, 1, BASE_VA), GMMU_DRV_NO_MEMORY);
  well(r);
  assert_int_equal(stats(r).free_frames, 4);
  r->tables_left = 100;
  r->delayed = false;
  assert_int_equal(touch(r, 1, BASE_VA + 7 * PAGE, 0), GMMU_DRV_LATER);
  assert_int_equal(gmmu_mm_last_fault(r->mm), GMMU_MM_ABSENT);
  assert_int_equal(touch(r, 1, BASE_VA + 8 * PAGE, 0), GMMU_DRV_RESOLVED);
  well(r);
}

static void transfers_that_take_time(void **state) {
  begin(state, GMMU_MM_MOSAIC, 4, true, false);
  struct rig *r = *state;
  r->delayed = true;
  assert_int_equal(gmmu_mm_alloc(r->mm, 1, BASE_VA, 4 * PAGE, RW, true), 0);
  for (int k = 0; k < 3; k++)
    assert_int_equal(touch(r, 1, BASE_VA + 8 * k, 0), GMMU_DRV_LATER); /* of several SMs */
  assert_int_equal(gmmu_mm_last_fault(r->mm), 0);
  assert_int_equal(r->num_coming, 1);
  well(r);
  fetch(r, 1, BASE_VA, r->coming[0].pa, PAGE);
  assert_int_equal(gmmu_mm_arrived(r->mm, 1, BASE_VA), 0);
  assert_int_equal(touch(r, 1, BASE_VA, 0), GMMU_DRV_RESOLVED);
  /* Freed on the way: the place stays until the transfer ends. */
  assert_int_equal(touch(r, 1, BASE_VA + PAGE, 0), GMMU_DRV_LATER);
  assert_int_equal(gmmu_mm_dealloc(r->mm, 1, BASE_VA, 4 * PAGE), 0);
  assert_int_equal(stats(r).free_frames, 3);
  assert_int_equal(gmmu_mm_alloc(r->mm, 1, BASE_VA, 4 * PAGE, RW, true), GMMU_MM_EXISTS);
  well(r);
  assert_int_equal(gmmu_mm_arrived(r->mm, 1, BASE_VA + PAGE), 0);
  assert_int_equal(stats(r).free_frames, 4);
  assert_int_equal(gmmu_mm_alloc(r->mm, 1, BASE_VA, 4 * PAGE, RW, true), 0);
  well(r);
}

static void io_bus(void **state) {
  (void)state;
  struct gmmu_iobus b = {0};
  assert_true(fabs(gmmu_iobus_transfer(&b, 1000, 4096) - 1000 - 55000) < 50); /* 55 us */
  struct gmmu_iobus c = {0};
  assert_true(fabs(gmmu_iobus_transfer(&c, 0, 2 << 20) - 318000) < 500); /* 318 us */
  double second = gmmu_iobus_transfer(&c, 0, 2 << 20); /* shares the bus, not the latency */
  assert_true(fabs(second - 2 * (2 << 20) / 7.96 - 54500) < 1);
}

/* ---------------------------------------- random */
struct plan {
  enum gmmu_mm_policy policy;
  unsigned frames;
  bool cac, out, delayed;
  double index, occupancy;
};

static void arrive_one(struct rig *r, struct gmmu_rng *g) {
  if (!r->num_coming) return;
  int k = (int)gmmu_rng_below(g, (uint64_t)r->num_coming);
  fetch(r, r->coming[k].asid, r->coming[k].va, r->coming[k].pa, r->coming[k].bytes);
  unsigned asid = r->coming[k].asid;
  uint64_t va = r->coming[k].va;
  r->coming[k] = r->coming[--r->num_coming];
  assert_int_equal(gmmu_mm_arrived(r->mm, asid, va), 0);
}

static void random_plan(void **state, const struct plan *p, uint64_t seed, int ops) {
  begin(state, p->policy, p->frames, p->cac, p->out);
  struct rig *r = *state;
  struct gmmu_rng g = {seed};
  static bool has[SPACES][ARENA], writable[SPACES][ARENA];
  memset(has, 0, sizeof has);
  r->delayed = p->delayed;
  assert_int_equal(gmmu_mm_fragment(r->mm, p->index, p->occupancy, seed), 0);
  for (uint64_t pa = FIRST; pa < FIRST + p->frames * FRAME; pa += PAGE) put(r, pa, pa);
  uint64_t foreign = stats(r).foreign;
  for (int op = 0; op < ops; op++) {
    unsigned a = 1 + (unsigned)gmmu_rng_below(&g, SPACES - 1);
    uint32_t at = (uint32_t)gmmu_rng_below(&g, ARENA),
             n = 1 + (uint32_t)gmmu_rng_below(&g, gmmu_rng_below(&g, 2) ? 20 : 1300);
    if (p->policy == GMMU_MM_LARGE || gmmu_rng_below(&g, 3) == 0) at &= ~511u;
    if (at + n > ARENA) n = ARENA - at;
    unsigned what = (unsigned)gmmu_rng_below(&g, p->delayed ? 9 : 7);
    if (what < 2 &&
        gmmu_rng_below(&g, 8)) { /* mostly what can be done: free room, or allocated pages */
      uint32_t k = 0, step = what == 0 && (n > 100 || p->policy == GMMU_MM_LARGE) ? 512 : 1;
      if (step == 512) at &= ~511u, n = n < 400 ? 512 : n;
      for (k = 0; k < ARENA && has[a][at] != (what == 1); k += step) at = (at + step) % ARENA;
      k = 0;
      while (k < n && at + k < ARENA && has[a][at + k] == (what == 1)) k++;
      if (k) n = k;
      if (at + n > ARENA) n = ARENA - at;
    }
    uint64_t va = BASE_VA + at * PAGE;
    switch (what) {
      case 0: {
        bool exists = false, demand = gmmu_rng_below(&g, 2), w = gmmu_rng_below(&g, 4) != 0;
        for (uint32_t k = 0; k < n; k++) exists |= has[a][at + k];
        for (uint32_t k = 0; k < n && !exists; k++)
          r->host[a][at + k] = r->want[a][at + k] = gmmu_rng_next(&g);
        int e = gmmu_mm_alloc(r->mm, a, va, n * PAGE, w ? RW : GMMU_DRV_R | GMMU_DRV_U, demand);
        if (exists) assert_int_equal(e, GMMU_MM_EXISTS);
        else if (e)
          assert_true(e == GMMU_MM_NO_MEMORY ||
                      (e == GMMU_MM_EXISTS && (p->delayed || p->policy == GMMU_MM_LARGE)));
        for (uint32_t k = 0; k < n && !e; k++) has[a][at + k] = true, writable[a][at + k] = w;
        break;
      }
      case 1:
      case 2: {
        bool all = true;
        if (gmmu_rng_below(&g, 4))
          while (n > 1 && !has[a][at + n - 1]) n--;
        for (uint32_t k = 0; k < n; k++) all &= has[a][at + k];
        int e = gmmu_mm_dealloc(r->mm, a, va, n * PAGE);
        assert_int_equal(e, all ? 0 : GMMU_MM_ABSENT);
        for (uint32_t k = 0; k < n && all; k++) has[a][at + k] = false;
        break;
      }
      case 7:
      case 8:
        for (uint32_t k = 0; k < 4 * n; k++) arrive_one(r, &g);
        break;
      default:
        for (uint32_t k = at; k < at + n && k < at + 600; k++) { /* accesses */
          bool w = gmmu_rng_below(&g, 2);
          uint64_t pa = where(r, a, BASE_VA + k * PAGE);
          if (!pa) {
            int verdict = touch(r, a, BASE_VA + k * PAGE + 16, w), why = gmmu_mm_last_fault(r->mm);
            if (!has[a][k] || (w && !writable[a][k])) assert_int_equal(why, GMMU_MM_ABSENT);
            else if (p->delayed)
              assert_true((why == 0 && verdict == GMMU_DRV_LATER) || why == GMMU_MM_NO_MEMORY);
            else assert_true(why == 0 || (why == GMMU_MM_NO_MEMORY && !p->out));
            pa = where(r, a, BASE_VA + k * PAGE);
          }
          if (!pa) continue;
          assert_true(has[a][k]);
          assert_true(content(r, pa) == r->want[a][k]);
          if (w && writable[a][k]) put(r, pa, r->want[a][k] = gmmu_rng_next(&g));
        }
    }
    well(r);
    assert_int_equal(stats(r).foreign, foreign);
  }
  while (r->num_coming) arrive_one(r, &g);
  /* Every page holds what it must, wherever it is. */
  for (unsigned a = 1; a < SPACES; a++)
    for (uint32_t k = 0; k < ARENA; k++) {
      uint64_t pa = 0;
      enum gmmu_mm_where w = gmmu_mm_where(r->mm, a, BASE_VA + k * PAGE, &pa);
      assert_int_equal(w != GMMU_MM_NOT_ALLOCATED, has[a][k]);
      if (w == GMMU_MM_HERE) assert_true(content(r, pa) == r->want[a][k]);
      else if (w == GMMU_MM_ON_HOST) assert_true(r->host[a][k] == r->want[a][k]);
    }
  for (unsigned a = 1; a < SPACES; a++)
    for (uint32_t k = 0; k < ARENA; k++)
      if (has[a][k]) assert_int_equal(gmmu_mm_dealloc(r->mm, a, BASE_VA + k * PAGE, PAGE), 0);
  well(r);
  struct gmmu_mm_stats s = stats(r);
  assert_true(s.pages == 0 && s.resident == 0 && s.held == 0);
  if (p->index == 0) assert_int_equal(s.free_frames, s.frames);
  print_message(
      "policy %d, %u frames: %d operations, %llu coalesced, %llu splintered, %llu compacted, %llu "
      "moved, %llu emergencies, %llu given up, "
      "%llu mixed, %llu in, %llu out\n",
      p->policy, p->frames, ops, (unsigned long long)s.coalesced, (unsigned long long)s.splintered,
      (unsigned long long)s.compacted, (unsigned long long)s.moved,
      (unsigned long long)s.emergencies, (unsigned long long)s.given_up,
      (unsigned long long)s.mixed, (unsigned long long)s.ins, (unsigned long long)s.outs);
  end(state);
}

static void random_operations(void **state) {
  static const struct plan plans[] = {{GMMU_MM_MOSAIC, 40, true, false, false, 0, 0},
                                      {GMMU_MM_MOSAIC, 14, true, false, false, 0, 0},
                                      {GMMU_MM_MOSAIC, 12, true, true, false, 0, 0},
                                      {GMMU_MM_MOSAIC, 24, true, true, true, 0, 0},
                                      {GMMU_MM_MOSAIC, 12, true, true, true, 0.5, 0.3},
                                      {GMMU_MM_MOSAIC, 12, false, true, true, 0, 0},
                                      {GMMU_MM_MOSAIC, 10, true, false, true, 1, 0.4},
                                      {GMMU_MM_BASE, 8, true, true, true, 0, 0},
                                      {GMMU_MM_LARGE, 12, true, true, true, 0, 0},
                                      {GMMU_MM_LARGE, 12, true, false, false, 0, 0}};
  const char *more = getenv("GMMU_MM_SEEDS"); /* runs of other seeds, for make regress */
  for (uint64_t s = 0; s < (more ? strtoull(more, NULL, 0) : 1); s++)
    for (size_t i = 0; i < sizeof plans / sizeof plans[0]; i++)
      random_plan(state, &plans[i], 100 + i + 1000 * s, 1000);
}

#define T(f) cmocka_unit_test_teardown(f, end)
int main(void) {
  const struct CMUnitTest tests[] = {T(conserves_contiguity),
                                     T(demand_coalesces_when_whole),
                                     T(splinters_below_the_threshold),
                                     T(without_cac_nothing_moves),
                                     T(emergency_list),
                                     T(foreign_data_moves),
                                     T(memory_runs_out),
                                     T(bad_requests),
                                     T(baselines),
                                     T(oldest_frame_goes_first),
                                     T(arrival_that_fails),
                                     T(transfers_that_take_time),
                                     T(oldest_goes_out),
                                     T(io_bus),
                                     T(random_operations)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
