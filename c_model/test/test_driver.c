/* SPDX-License-Identifier: Apache-2.0 */
/* The driver above the register model: its page tables walked by the functional model, its errors,
 * its order of accesses. */
#include "driver_rig.h"

static void init_reads_the_build(void **state) {
  struct rig *r = *state;
  assert_int_equal(r->drv.build.asids, 4);
  assert_int_equal(r->drv.build.pa_w, 40);
  assert_true(r->drv.build.sv48 && r->drv.build.perf && r->drv.build.large &&
              !r->drv.build.coalescer);
  assert_int_equal(r->last_kind, 0);
}
/* Each bit of CAPS is one of the build's, PteExclusive another. */
static void init_reads_capabilities(void **state) {
  struct rig *r = *state;
  const struct gmmu_drv_bus bus = r->drv.bus;
  const struct gmmu_drv_build *b = &r->drv.build;
  for (unsigned bit = 0; bit <= 10; bit++) {
    r->regs.caps = bit < 10 ? 1u << bit : 0;
    r->exclusive = bit == 10;
    assert_int_equal(gmmu_drv_init(&r->drv, &bus), 0);
    const bool has[] = {b->coalescer, b->hw_ad,  b->perf,  b->tokens, b->unified,      b->large,
                        b->sv48,      b->co_rsw, b->sched, b->copy,   b->pte_exclusive};
    for (unsigned i = 0; i <= 10; i++) assert_int_equal(has[i], i == bit);
  }
}
/* Interrupts, contexts and windows are off behind it, old faults are gone; ports stay. */
static void init_begins_anew(void **state) {
  struct rig *r = *state;
  const struct gmmu_drv_bus bus = r->drv.bus;
  windows(r);
  assert_int_equal(gmmu_drv_open(&r->drv, 3, false, false, false, false), 0);
  assert_int_equal(gmmu_drv_fault_irq(&r->drv, true), 0);
  assert_int_equal(gmmu_regs_kept(&r->regs, GMMU_REG_IRQ_ENABLE), 3); /* FAULT, LOST */
  r->regs.port_ctrl[1] = 1;
  r->records = 3;
  r->status = 15;
  assert_int_equal(gmmu_drv_init(&r->drv, &bus), 0);
  assert_int_equal(gmmu_regs_kept(&r->regs, GMMU_REG_IRQ_ENABLE), 0);
  for (int w = 0; w < 4; w++) assert_int_equal(r->regs.win_ctrl[w], 0);
  for (int a = 0; a < 4; a++) assert_int_equal(r->regs.ctx_ctrl[a], 0);
  assert_true(r->records == 0 && r->status == 0 && r->regs.port_ctrl[1] == 1);
  assert_int_equal(gmmu_drv_fault_irq(&r->drv, true), 0);
  assert_int_equal(gmmu_drv_fault_irq(&r->drv, false), 0);
  assert_int_equal(gmmu_regs_kept(&r->regs, GMMU_REG_IRQ_ENABLE), 0);
}
/* Widths that no build has: another device, or a bus that reads zeros. */
static void init_checks_widths(void **state) {
  struct rig *r = *state;
  const struct gmmu_drv_bus bus = r->drv.bus;
  const unsigned pfn_w[] = {0, 17, 45, 64};
  for (int i = 0; i < 4; i++) {
    r->regs.pfn_w = (int)pfn_w[i];
    assert_int_equal(gmmu_drv_init(&r->drv, &bus), GMMU_DRV_NOT_GMMU);
  }
  r->regs.pfn_w = 44;
  assert_int_equal(gmmu_drv_init(&r->drv, &bus), 0);
}
static void invalidations_check_arguments(void **state) {
  struct rig *r = *state;
  struct gmmu_drv *d = &r->drv;
  int before = r->accesses;
  assert_int_equal(gmmu_drv_invalidate_asid(d, 4), GMMU_DRV_ARGUMENT);
  assert_int_equal(gmmu_drv_invalidate_range(d, 4, 0, 4096), GMMU_DRV_ARGUMENT);
  assert_int_equal(gmmu_drv_invalidate_range(d, 1, 0x1000, 0), GMMU_DRV_ARGUMENT);
  assert_int_equal(gmmu_drv_invalidate_range(d, 1, ~4095ull, 8192), GMMU_DRV_ARGUMENT);
  /* not canonical at either end, from one half to the other: 48 bits would say something else */
  assert_int_equal(gmmu_drv_invalidate_range(d, 1, 0x1000, 1ull << 48), GMMU_DRV_ARGUMENT);
  assert_int_equal(gmmu_drv_invalidate_range(d, 1, 1ull << 48, 4096), GMMU_DRV_ARGUMENT);
  assert_int_equal(gmmu_drv_invalidate_range(d, 1, 0x7ffffffff000, 8192), GMMU_DRV_ARGUMENT);
  assert_int_equal(gmmu_drv_invalidate_range(d, 1, 0, ~0ull), GMMU_DRV_ARGUMENT);
  d->build.va_w = 39;
  assert_int_equal(gmmu_drv_invalidate_range(d, 1, 1ull << 38, 4096), GMMU_DRV_ARGUMENT);
  assert_int_equal(r->accesses, before);
  assert_int_equal(gmmu_drv_invalidate_range(d, 1, (1ull << 38) - 4096, 4096), 0);
  d->build.va_w = 48;
  assert_int_equal(gmmu_drv_invalidate_asid(d, 3), 0);
  assert_true(r->last_kind == 1 && gmmu_regs_kept(&r->regs, GMMU_REG_CMD_ASID) == 3);
  assert_int_equal(gmmu_drv_invalidate_range(d, 2, ~8191ull, 8192), 0);
  assert_true(r->last_kind == 2 && gmmu_regs_kept(&r->regs, GMMU_REG_CMD_ASID) == 2);
  assert_true(r->regs.first == 0xffffffffe000 && r->regs.last == 0xfffffffff000);
}
static void opens(void **state) {
  struct rig *r = *state;
  for (unsigned n = 0; n < 16; n++) {
    assert_int_equal(gmmu_drv_open(&r->drv, 1, n & 1, n & 2, n & 4, n & 8), 0);
    /* mode 1 or 2; EXT, SUM, MXR */
    assert_int_equal(r->regs.ctx_ctrl[1], (n & 1) + 1 + (n / 2 << 2));
    assert_int_equal(gmmu_drv_close(&r->drv, 1), 0);
    assert_int_equal(r->regs.ctx_ctrl[1], 0);
  }
  r->regs.pfn_w = 36; /* a root that needs both words of its register */
  r->free_pages[r->num_free - 1] = 0xabcd00123000;
  assert_int_equal(gmmu_drv_open(&r->drv, 1, true, false, false, false), 0);
  assert_int_equal(r->regs.ctx_root[1], 0xabcd00123);
}
/* The last page below 2^64, whose tables hang at the last entry of each; they all come back. */
static void the_last_page(void **state) {
  struct rig *r = *state;
  uint64_t pa;
  windows(r);
  int free_pages = r->num_free;
  for (int sv48 = 0; sv48 < 2; sv48++) {
    assert_int_equal(gmmu_drv_open(&r->drv, 1, sv48, false, false, false), 0);
    assert_int_equal(gmmu_drv_map(&r->drv, 1, ~4095ull, 0x20003000, 4096, RW, false), 0);
    assert_int_equal(translate(r, 1, ~0ull, GMMU_READ, &pa), GMMU_OK);
    assert_true(pa == 0x20003fff);
    assert_int_equal(gmmu_drv_map(&r->drv, 1, ~4095ull, 0x20003000, 8192, RW, false),
                     GMMU_DRV_ARGUMENT);
    assert_int_equal(r->num_free, free_pages - 3 - sv48);
    assert_int_equal(gmmu_drv_close(&r->drv, 1), 0);
    assert_int_equal(r->num_free, free_pages);
  }
}
/* Ranges in which no table is: nothing to do but the invalidation. */
static void holes(void **state) {
  struct rig *r = *state;
  uint64_t pa;
  windows(r);
  assert_int_equal(gmmu_drv_open(&r->drv, 1, false, true, false, false), 0);
  assert_int_equal(gmmu_drv_map(&r->drv, 1, 0x40200000, 0x20000000, 4096, RW, false), 0);
  for (int i = 0; i < 2; i++) {
    uint64_t va = i ? 0x801fd000 : 0x401fd000; /* no tables at all, no leaf table */
    r->commands = 0;
    assert_int_equal(gmmu_drv_unmap(&r->drv, 1, va, 3 * 4096), 0);
    assert_int_equal(r->commands, 1);
    assert_true(r->regs.first == va && r->regs.last == va + 2 * 4096);
  }
  assert_int_equal(translate(r, 1, 0x40200000, GMMU_READ, &pa), GMMU_OK);
  assert_int_equal(gmmu_drv_unmap(&r->drv, 1, 0x401ff000, 2 * 4096), 0);
  assert_int_equal(translate(r, 1, 0x40200000, GMMU_READ, &pa), GMMU_PF_INVALID);
}
static void ports(void **state) {
  struct rig *r = *state;
  struct gmmu_drv *d = &r->drv;
  struct gmmu_drv_port s = {.mode = GMMU_DRV_HOLD, .asid = 15, .shift = 31};
  r->regs.ports = 3; /* two of AXI, one native client */
  d->build.natives = 1;
  for (unsigned from = 0; from < 4; from++) {
    s.asid_from = (enum gmmu_drv_asid_from)from;
    assert_int_equal(gmmu_drv_set_port(d, 2, &s), 0);
    assert_int_equal(r->regs.port_ctrl[2], 0x001f0002 | from << 4);
    assert_int_equal(r->regs.port_asid[2], 15);
  }
  assert_int_equal(gmmu_drv_set_port(d, 3, &s), GMMU_DRV_ARGUMENT);
  const struct gmmu_drv_port bad[] = {
      {.shift = 32}, {.fetch = 3}, {.asid = 16}, {.mode = 3}, {.asid_from = 4}};
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
    assert_int_equal(gmmu_drv_set_port(d, 0, &bad[i]), GMMU_DRV_ARGUMENT);
  assert_int_equal(r->regs.port_ctrl[0], 0);
}
static void maps_translate(void **state) {
  struct rig *r = *state;
  uint64_t pa, pte;
  windows(r);
  for (int sv48 = 0; sv48 < 2; sv48++) {
    unsigned asid = 1 + (unsigned)sv48;
    assert_int_equal(gmmu_drv_open(&r->drv, asid, sv48, true, false, false), 0);
    uint64_t va = sv48 ? 0xffff800000200000ull : 0x3fffe00000ull;
    assert_int_equal(gmmu_drv_map(&r->drv, asid, va, 0x20003000, 3 * 4096, RW, false), 0);
    assert_int_equal(r->last_kind, 4);
    assert_int_equal(translate(r, (int)asid, va + 0x2abc, GMMU_WRITE, &pa), GMMU_OK);
    assert_true(pa == 0x20005abc);
    assert_int_equal(translate(r, (int)asid, va + 0x3000, GMMU_READ, &pa), GMMU_PF_INVALID);
    assert_int_equal(gmmu_drv_lookup(&r->drv, asid, va + 0x1004, &pa, &pte), 0);
    assert_true(pa == 0x20004004 && (pte & 0xff) == 0xd7);
    assert_int_equal(gmmu_drv_protect(&r->drv, asid, va, 4096, GMMU_DRV_R | GMMU_DRV_U), 0);
    assert_int_equal(r->last_kind, 2);
    assert_true(r->regs.first == (va & 0xfffffffff000) && r->regs.last == (va & 0xfffffffff000));
    assert_int_equal(translate(r, (int)asid, va, GMMU_WRITE, &pa), GMMU_PERM);
    assert_int_equal(gmmu_drv_unmap(&r->drv, asid, va, 2 * 4096), 0);
    assert_int_equal(translate(r, (int)asid, va + 4096, GMMU_READ, &pa), GMMU_PF_INVALID);
    assert_int_equal(translate(r, (int)asid, va + 8192, GMMU_READ, &pa), GMMU_OK);
  }
}
struct harvested {
  int n, accessed, dirty;
  uint64_t va[8];
};
static void harvest_page(void *arg, uint64_t va, bool accessed, bool dirty) {
  struct harvested *h = arg;
  h->va[h->n++] = va;
  h->accessed += accessed;
  h->dirty += dirty;
}
/* A and D clear when mapped, set by the hardware, read once. */
static void maps_clear_and_harvests(void **state) {
  struct rig *r = *state;
  uint64_t pa, pte, va = 0x40000000;
  struct harvested h = {0};
  windows(r);
  assert_int_equal(gmmu_drv_open(&r->drv, 1, false, true, false, false), 0);
  assert_int_equal(gmmu_drv_map_clear(&r->drv, 1, va, 0x20000000, 4096, RW, false),
                   GMMU_DRV_ARGUMENT); /* this build does not set them */
  r->drv.build.hw_ad = true;
  assert_int_equal(gmmu_drv_map_clear(&r->drv, 1, va, 0x20000000, 3 * 4096, RW, false), 0);
  assert_int_equal(gmmu_drv_map_clear(&r->drv, 1, va + (2u << 20), 0x20200000, 2u << 20, RW, true),
                   0);
  assert_int_equal(gmmu_drv_lookup(&r->drv, 1, va + 4096, &pa, &pte), 0);
  assert_true((pte & 0xff) == 0x17 && pa == 0x20001000);
  r->commands = 0;
  assert_int_equal(gmmu_drv_harvest(&r->drv, 1, va, 4u << 20, harvest_page, &h), 0);
  assert_true(h.n == 4 && h.accessed == 0 && h.dirty == 0 &&
              r->commands == 0); /* nothing to clear, nothing to invalidate */
  /* the hardware: page 1 read, page 2 and the large one written */
  uint64_t root = gmmu_mem_read64(r->mem, r->regs.ctx_root[1] * 4096 + 8), mid = GMMU_PTE_PPN(root)
                                                                                 << 12;
  uint64_t leaf = GMMU_PTE_PPN(gmmu_mem_read64(r->mem, mid)) << 12;
  gmmu_mem_write64(r->mem, leaf + 8, gmmu_mem_read64(r->mem, leaf + 8) | GMMU_PTE_A);
  gmmu_mem_write64(r->mem, leaf + 16, gmmu_mem_read64(r->mem, leaf + 16) | GMMU_PTE_A | GMMU_PTE_D);
  gmmu_mem_write64(r->mem, mid + 8, gmmu_mem_read64(r->mem, mid + 8) | GMMU_PTE_A | GMMU_PTE_D);
  h.n = 0;
  assert_int_equal(gmmu_drv_harvest(&r->drv, 1, va + (2u << 20) + 4096, 4096, harvest_page, &h),
                   GMMU_DRV_PARTIAL);
  assert_int_equal(h.n, 0);
  assert_int_equal(gmmu_drv_harvest(&r->drv, 1, va, 4u << 20, harvest_page, &h), 0);
  assert_true(h.n == 4 && h.accessed == 3 && h.dirty == 2 && h.va[3] == va + (2u << 20));
  assert_true(r->commands == 1 && r->last_kind == 2 && r->regs.first == va &&
              r->regs.last == va + (4u << 20) - 4096);
  assert_int_equal(gmmu_drv_lookup(&r->drv, 1, va + (2u << 20), &pa, &pte), 0);
  assert_true((pte & 0xff) == 0x17 && pa == 0x20200000);
  h = (struct harvested){0};
  assert_int_equal(gmmu_drv_harvest(&r->drv, 1, va, 4u << 20, harvest_page, &h), 0);
  assert_true(h.n == 4 && h.accessed == 0 && h.dirty == 0);
  assert_int_equal(gmmu_drv_harvest(&r->drv, 2, va, 4096, harvest_page, &h), GMMU_DRV_ABSENT);
  assert_int_equal(gmmu_drv_harvest(&r->drv, 1, va + 1, 4096, harvest_page, &h), GMMU_DRV_ARGUMENT);
}
static void large_and_coalesced(void **state) {
  struct rig *r = *state;
  uint64_t pa, va = 0x40000000, frame;
  windows(r);
  gmmu_drv_open(&r->drv, 1, false, true, false, false);
  assert_int_equal(gmmu_drv_map(&r->drv, 1, va, 0x20000000, 2u << 20, RW, true), 0);
  assert_int_equal(translate(r, 1, va + 0x123456, GMMU_READ, &pa), GMMU_OK);
  assert_true(pa == 0x20123456);
  assert_int_equal(gmmu_drv_map(&r->drv, 1, va + 4096, 0x30000000, 4096, RW, false),
                   GMMU_DRV_EXISTS);
  assert_int_equal(gmmu_drv_unmap(&r->drv, 1, va, 4096), GMMU_DRV_PARTIAL);
  assert_int_equal(gmmu_drv_unmap(&r->drv, 1, va, 2u << 20), 0);
  va += 2u << 20;
  assert_int_equal(gmmu_drv_coalesce(&r->drv, 1, va), GMMU_DRV_ABSENT);
  assert_int_equal(gmmu_drv_map(&r->drv, 1, va, 0x20200000, 511 * 4096, RW, false), 0);
  assert_int_equal(gmmu_drv_coalesce(&r->drv, 1, va), GMMU_DRV_NOT_CONTIGUOUS);
  assert_int_equal(gmmu_drv_map(&r->drv, 1, va + 511 * 4096, 0x203ff000, 4096, RW, false), 0);
  int before = r->commands;
  assert_int_equal(gmmu_drv_coalesce(&r->drv, 1, va), 0);
  assert_int_equal(r->commands, before); /* in place: nothing is flushed */
  frame = gmmu_mem_read64(
      r->mem,
      ((gmmu_mem_read64(r->mem, (r->regs.ctx_root[1] << 12) + 8) >> 10 & 0xfffffffffff) << 12) + 8);
  assert_true(frame >> 63);
  assert_int_equal(translate(r, 1, va + 0x1fffff, GMMU_WRITE, &pa), GMMU_OK);
  assert_true(pa == 0x203fffff);
  assert_int_equal(gmmu_drv_unmap(&r->drv, 1, va, 4096), GMMU_DRV_PARTIAL);
  assert_int_equal(gmmu_drv_coalesce(&r->drv, 1, va), GMMU_DRV_EXISTS);
  assert_int_equal(gmmu_drv_splinter(&r->drv, 1, va), 0);
  assert_int_equal(r->last_kind, 3);
  assert_int_equal(gmmu_drv_splinter(&r->drv, 1, va), GMMU_DRV_ABSENT);
  assert_int_equal(gmmu_drv_unmap(&r->drv, 1, va, 4096), 0);
  assert_int_equal(translate(r, 1, va + 4096, GMMU_READ, &pa), GMMU_OK);
}
/* A 2 MiB page where pages of 4 KiB were: not over one that is mapped, but over a table without
 * any, which goes back when nobody can read it any more. */
static int all_with_pages;
static void count_all(struct rig *r, int kind) {
  if (kind == 0) all_with_pages = r->num_free;
}
static void large_where_small_ones_were(void **state) {
  struct rig *r = *state;
  uint64_t pa, va = 0x40000000;
  windows(r);
  int all = r->num_free;
  gmmu_drv_open(&r->drv, 1, false, true, false, false);
  for (int failing = 0; failing < 2; failing++) {
    int commands = r->commands;
    assert_int_equal(gmmu_drv_map(&r->drv, 1, va, 0x20000000, 4u << 20, RW, false), 0);
    assert_int_equal(gmmu_drv_unmap(&r->drv, 1, va + 4096, (4u << 20) - 4096), 0);
    int pages = r->num_free;
    assert_int_equal(gmmu_drv_map(&r->drv, 1, va, 0x30000000, 4u << 20, RW, true), GMMU_DRV_EXISTS);
    assert_true(translate(r, 1, va, GMMU_READ, &pa) == GMMU_OK && pa == 0x20000000);
    assert_int_equal(gmmu_drv_unmap(&r->drv, 1, va, 4096), 0);
    assert_true(r->num_free == pages && r->commands == commands + 3);
    r->on_command = count_all, all_with_pages = -1, r->hang = failing;
    assert_int_equal(gmmu_drv_map(&r->drv, 1, va, 0x30000000, 4u << 20, RW, true),
                     failing ? GMMU_DRV_TIMEOUT : 0);
    assert_int_equal(all_with_pages, pages); /* none before the acknowledgement */
    assert_int_equal(r->num_free, failing ? pages : pages + 2);
    assert_int_equal(r->last_kind, failing ? 0 : 4);
    r->on_command = NULL, r->hang = false;
    assert_true(translate(r, 1, va + 0x3fffff, GMMU_WRITE, &pa) == GMMU_OK && pa == 0x303fffff);
    assert_int_equal(gmmu_drv_unmap(&r->drv, 1, va, 4u << 20), 0);
  }
  assert_int_equal(gmmu_drv_close(&r->drv, 1), 0);
  assert_int_equal(r->num_free, all); /* those of the command that hung as well */
}
static void bad_arguments_change_nothing(void **state) {
  struct rig *r = *state;
  windows(r);
  gmmu_drv_open(&r->drv, 1, false, true, false, false);
  int free_pages = r->num_free, commands = r->commands;
  struct gmmu_drv *d = &r->drv;
  assert_int_equal(gmmu_drv_open(d, 1, false, false, false, false), GMMU_DRV_EXISTS);
  assert_int_equal(gmmu_drv_open(d, 4, false, false, false, false), GMMU_DRV_ARGUMENT);
  assert_int_equal(gmmu_drv_map(d, 2, 0, 0, 4096, RW, false), GMMU_DRV_ABSENT);
  assert_int_equal(gmmu_drv_map(d, 1, 1, 0, 4096, RW, false), GMMU_DRV_ARGUMENT);
  assert_int_equal(gmmu_drv_map(d, 1, 0, 0, 0, RW, false), GMMU_DRV_ARGUMENT);
  assert_int_equal(gmmu_drv_map(d, 1, 1ull << 38, 0, 4096, RW, false), GMMU_DRV_ARGUMENT);
  assert_int_equal(gmmu_drv_map(d, 1, 0, 1ull << 40, 4096, RW, false), GMMU_DRV_ARGUMENT);
  assert_int_equal(gmmu_drv_map(d, 1, 0, 0, 4096, GMMU_DRV_W, false), GMMU_DRV_ARGUMENT);
  assert_int_equal(gmmu_drv_map(d, 1, 0, 4096, 2u << 20, RW, true), GMMU_DRV_ARGUMENT);
  assert_int_equal(gmmu_drv_protect(d, 1, 0, 4096, RW), GMMU_DRV_ABSENT);
  assert_int_equal(gmmu_drv_protect(d, 2, 0, 4096, RW), GMMU_DRV_ABSENT);
  assert_int_equal(gmmu_drv_protect(d, 4, 0, 4096, RW), GMMU_DRV_ARGUMENT);
  assert_int_equal(gmmu_drv_protect(d, 1, 8, 4096, RW), GMMU_DRV_ARGUMENT);
  assert_int_equal(gmmu_drv_protect(d, 1, 0, 0, RW), GMMU_DRV_ARGUMENT);
  assert_int_equal(gmmu_drv_protect(d, 1, 1ull << 38, 4096, RW), GMMU_DRV_ARGUMENT);
  assert_int_equal(gmmu_drv_window(d, 0, 0, 4096, true, true), GMMU_DRV_ARGUMENT);
  assert_int_equal(gmmu_drv_window(d, 9, 0, 4095, true, true), GMMU_DRV_ARGUMENT);
  assert_int_equal(gmmu_drv_close(d, 3), GMMU_DRV_ABSENT);
  assert_int_equal(r->num_free, free_pages);
  assert_int_equal(r->commands, commands);
  struct gmmu_drv_port s = {.mode = GMMU_DRV_TRANSLATE, .asid = 16};
  assert_int_equal(gmmu_drv_set_port(d, 0, &s), GMMU_DRV_ARGUMENT);
  s.asid = 3, s.asid_from = GMMU_DRV_FROM_ID, s.shift = 4, s.fetch = 2, s.error_mode = true;
  assert_int_equal(gmmu_drv_set_port(d, 1, &s), 0);
  assert_int_equal(r->regs.port_ctrl[1], 0x00040235);
}
static void memory_runs_out(void **state) {
  struct rig *r = *state;
  windows(r);
  gmmu_drv_open(&r->drv, 1, false, false, false, false);
  r->num_free = 1;
  uint64_t pa;
  assert_int_equal(gmmu_drv_map(&r->drv, 1, 0x40000000, 0x20000000, 4096, RW, false),
                   GMMU_DRV_NO_MEMORY);
  assert_int_equal(translate(r, 1, 0x40000000, GMMU_READ, &pa), GMMU_PF_INVALID);
  give(r, 0x180000);
  assert_int_equal(gmmu_drv_map(&r->drv, 1, 0x40000000, 0x20000000, 4096, RW, false), 0);
  assert_int_equal(gmmu_drv_close(&r->drv, 1), 0);
  assert_int_equal(r->num_free, 3); /* all tables came back */
  /* what it leaves is in nobody's way: here a leaf table, and none for the second 2 MiB */
  gmmu_drv_open(&r->drv, 1, false, false, false, false);
  assert_int_equal(gmmu_drv_map(&r->drv, 1, 0x40000000, 0x20000000, 4u << 20, RW, false),
                   GMMU_DRV_NO_MEMORY);
  assert_int_equal(gmmu_drv_map(&r->drv, 1, 0x40000000, 0x20000000, 4u << 20, RW, true), 0);
}
static void hardware_that_fails(void **state) {
  struct rig *r = *state;
  r->hang = true;
  assert_int_equal(gmmu_drv_invalidate_all(&r->drv), GMMU_DRV_TIMEOUT);
  r->hang = false, r->refused = 1;
  assert_int_equal(gmmu_drv_invalidate_asid(&r->drv, 1), GMMU_DRV_REFUSED);
  r->refused = 0, r->fail_at = r->accesses + 2;
  assert_int_equal(gmmu_drv_invalidate_range(&r->drv, 1, 0, 4096), GMMU_DRV_BUS);
  assert_string_equal(gmmu_drv_error_name(GMMU_DRV_TIMEOUT), "no acknowledgement in time");
  const int unknown[] = {1, GMMU_DRV_COPY - 1, INT_MAX, INT_MIN};
  for (int i = 0; i < 4; i++) assert_string_equal(gmmu_drv_error_name(unknown[i]), "unknown error");
}
static void copies_a_page(void **state) {
  struct rig *r = *state;
  int commands = r->commands;
  assert_int_equal(gmmu_drv_copy_page(&r->drv, 0x20001000, 0x20003000),
                   GMMU_DRV_ARGUMENT); /* not built */
  r->drv.build.copy = true;
  assert_int_equal(gmmu_drv_copy_page(&r->drv, 0x20001800, 0x20003000), GMMU_DRV_ARGUMENT);
  assert_int_equal(gmmu_drv_copy_page(&r->drv, 0x20001000, 0x20003008), GMMU_DRV_ARGUMENT);
  assert_int_equal(gmmu_drv_copy_page(&r->drv, 1ull << 40, 0x20003000), GMMU_DRV_ARGUMENT);
  assert_int_equal(r->commands, commands);
  assert_int_equal(gmmu_drv_copy_page(&r->drv, 0x20001000, 0x20003000), 0);
  assert_int_equal(r->last_kind, 7);
  assert_true(r->regs.first == 0x20003000 && r->regs.last == 0x20001000);
  r->drv.build.pa_w = 56, r->regs.pfn_w = 44; /* pages above what a virtual address reaches */
  assert_int_equal(gmmu_drv_copy_page(&r->drv, 0xff00000020001000, 0), GMMU_DRV_ARGUMENT);
  assert_int_equal(gmmu_drv_copy_page(&r->drv, 0x81000020001000, 0xfffffffffff000), 0);
  assert_true(r->regs.first == 0xfffffffffff000 && r->regs.last == 0x81000020001000);
  r->result = 3;
  assert_int_equal(gmmu_drv_copy_page(&r->drv, 0x20001000, 0x20003000), GMMU_DRV_REFUSED);
}
static int handle(void *arg, const struct gmmu_drv_fault *f) {
  assert_true(f->va == 0x40001000 && f->cause == 1 && f->access == 1 && f->asid == 2 &&
              f->port == 1 && f->id == 7 && f->write_channel);
  return *(int *)arg;
}
static void faults(void **state) {
  struct rig *r = *state;
  int verdict = GMMU_DRV_LATER;
  r->records = 3, r->status = 1;
  assert_int_equal(gmmu_drv_handle_faults(&r->drv, handle, &verdict), 3);
  assert_int_equal(r->retries, 0);
  assert_int_equal(r->status, 0);
  r->records = 1, r->status = 1, verdict = GMMU_DRV_RESOLVED;
  assert_int_equal(gmmu_drv_handle_faults(&r->drv, handle, &verdict), 1);
  assert_int_equal(r->retries, 1);
  r->status = 2; /* a record was lost: its access must fault again */
  assert_int_equal(gmmu_drv_handle_faults(&r->drv, handle, &verdict), 0);
  assert_int_equal(r->retries, 2);
  /* accesses that fault as fast as records are taken keep nobody */
  const struct gmmu_drv_bus bus = r->drv.bus;
  r->records = 4, r->status = 1, r->endless = true;
  assert_int_equal(gmmu_drv_handle_faults(&r->drv, handle, &verdict), 4);
  assert_int_equal(gmmu_drv_init(&r->drv, &bus), 0);
}

static void settings(void **state) {
  struct rig *r = *state;
  struct gmmu_drv *d = &r->drv;
  struct gmmu_drv_tokens t = {false, 50, 3, 10};
  struct gmmu_drv_scheduler s = {2, 100, 700, 256};
  /* a build without them: refused, nothing accessed */
  int before = r->accesses;
  assert_int_equal(gmmu_drv_set_epoch(d, 1000), GMMU_DRV_ARGUMENT);
  assert_int_equal(gmmu_drv_set_tokens(d, &t), GMMU_DRV_ARGUMENT);
  assert_int_equal(gmmu_drv_set_scheduler(d, &s), GMMU_DRV_ARGUMENT);
  assert_int_equal(r->accesses, before);
  r->regs.caps |= GMMU_REG_CAPS_TOKENS_MASK | GMMU_REG_CAPS_SCHED_MASK;
  r->regs.epoch_reset = 100000, r->regs.least_epoch = 58;
  gmmu_regs_reset(&r->regs);
  struct gmmu_drv_bus bus = d->bus;
  assert_int_equal(gmmu_drv_init(d, &bus), 0);
  assert_int_equal(gmmu_drv_set_epoch(d, 57), GMMU_DRV_ARGUMENT); /* too short: stays as it was */
  assert_int_equal(gmmu_regs_kept(&r->regs, GMMU_REG_EPOCH_CYCLES), 100000);
  assert_int_equal(gmmu_drv_set_epoch(d, 58), 0);
  assert_int_equal(gmmu_regs_kept(&r->regs, GMMU_REG_EPOCH_CYCLES), 58);
  assert_int_equal(gmmu_drv_set_tokens(d, &t), 0);
  assert_int_equal(gmmu_regs_kept(&r->regs, GMMU_REG_TOKENS), 10u << 24 | 50u << 16 | 3u << 8);
  t.start_percent = 101;
  assert_int_equal(gmmu_drv_set_tokens(d, &t), GMMU_DRV_ARGUMENT);
  assert_int_equal(gmmu_drv_set_scheduler(d, &s), 0);
  assert_true(gmmu_regs_kept(&r->regs, GMMU_REG_SCHED_APPS) == 2 &&
              gmmu_regs_kept(&r->regs, GMMU_REG_SCHED_QUOTA) == 100 &&
              gmmu_regs_kept(&r->regs, GMMU_REG_SCHED_TIMEOUT) == 700 &&
              gmmu_regs_kept(&r->regs, GMMU_REG_SCHED_AGE_CAP) == 256);
  const struct gmmu_drv_scheduler good[] = {{1, 1, 1, 0}, {4, 1023, 65535, 65532}};
  for (size_t i = 0; i < 2; i++) {
    assert_int_equal(gmmu_drv_set_scheduler(d, &good[i]), 0);
    assert_int_equal(gmmu_regs_kept(&r->regs, GMMU_REG_SCHED_TIMEOUT), good[i].timeout);
  }
  assert_int_equal(gmmu_drv_set_scheduler(d, &s), 0);
  struct gmmu_drv_scheduler bad[] = {{0, 1, 1, 0}, {5, 1, 1, 0},     {1, 0, 1, 0}, {1, 1024, 1, 0},
                                     {1, 1, 0, 0}, {1, 1, 65536, 0}, {1, 1, 1, 2}};
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
    assert_int_equal(gmmu_drv_set_scheduler(d, &bad[i]), GMMU_DRV_ARGUMENT);
  assert_int_equal(gmmu_regs_kept(&r->regs, GMMU_REG_SCHED_APPS), 2);
  for (int tokens = 0; tokens < 2; tokens++) { /* epochs with either of them */
    d->build.tokens = tokens;
    d->build.sched = !tokens;
    assert_int_equal(gmmu_drv_set_epoch(d, 2000), 0);
  }
  r->fail_at = r->accesses + 2;
  assert_int_equal(gmmu_drv_set_epoch(d, 1000), GMMU_DRV_BUS);
}

int main(void) {
  const struct CMUnitTest tests[] = {T(init_reads_the_build),
                                     T(init_reads_capabilities),
                                     T(init_begins_anew),
                                     T(init_checks_widths),
                                     T(invalidations_check_arguments),
                                     T(opens),
                                     T(the_last_page),
                                     T(holes),
                                     T(ports),
                                     T(maps_translate),
                                     T(maps_clear_and_harvests),
                                     T(large_and_coalesced),
                                     T(large_where_small_ones_were),
                                     T(bad_arguments_change_nothing),
                                     T(memory_runs_out),
                                     T(hardware_that_fails),
                                     T(copies_a_page),
                                     T(faults),
                                     T(settings)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
