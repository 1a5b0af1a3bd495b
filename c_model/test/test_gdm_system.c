/* SPDX-License-Identifier: Apache-2.0 */
/** test_gdm_system.c - a device with its manager: defaults and limits of the configuration, what
 * the driver's accesses cost, the built-in machine under the driver, and gdm_check(): each
 * invariant broken by hand is named. */
#include "gdm_rig.h"

#include "gdm/machine.h"
#include "gmmu_regs.h"

/* ---------------------------------------- configuration */
static bool taken(const struct gdm_config *c, const char *part) {
  struct gmmu_err err = {""};
  struct gdm *g = gdm_new(c, &err);

  if (g) gdm_delete(g);
  else if (!strstr(err.msg, part)) fail_msg("'%s' is not in '%s'", part, err.msg);
  return g != NULL;
}

static void defaults(void **state) {
  struct gdm_config c;
  const struct gdm_costs *k = &c.costs;

  (void)state;
  gdm_config_default(&c);
  assert_true(c.policy == GDM_POLICY_GDM && c.dirty == GDM_DIRTY_SIGNATURE && !c.faults &&
              c.watch == GDM_WATCH_EAGER && c.scale == 1);
  assert_true(c.uniformity && c.overwrite && c.double_transfer && c.prefetch);
  assert_true(c.selection_factor == 0.2 && c.jitter_ppm == 10000 && c.seed == 1);
  assert_true(k->pcie_bytes_per_s == 6000000000 && k->sign_bytes_per_s == 60000000000 &&
              k->fill_bytes_per_s == 60000000000 && k->host_bytes_per_s == 8000000000);
  assert_true(k->dma_start_ns == 14000 && k->kernel_start_ns == 5000 && k->pte_access_ns == 1000 &&
              k->fault_ns == 20000 && k->api_ns == 1000);
}

/* Sizes and times that follow from the scale. */
static void scales(void **state) {
  (void)state;
  for (unsigned scale = 1; scale <= 64; scale *= 2) {
    struct gmmu_err err = {""};
    struct gdm_config c;
    size_t allocable, total;
    struct gdm_ctx *ctx;
    gdm_config_default(&c);
    c.scale = scale;
    struct gdm *g = gdm_new(&c, &err);
    assert_non_null(g);
    assert_int_equal(gdm_ctx_create(&ctx, 0, g), 0);
    assert_int_equal(gdm_mem_get_info(&allocable, &total), 0);
    assert_int_equal(total, (1400u << 20) / scale / (scale <= 2 ? 2u << 20 : 4096) *
                                (scale <= 2 ? 2u << 20 : 4096));
    assert_int_equal(g->c.block_bytes, (4u << 20) / scale);
    assert_int_equal(g->c.page_bytes, scale <= 2 ? 2u << 20 : 4096);
    assert_int_equal(g->c.costs.dma_start_ns, 14000 / scale);
    assert_int_equal(g->c.costs.kernel_start_ns, 5000 / scale);
    assert_int_equal(g->c.costs.fault_ns, 20000 / scale);
    assert_int_equal(g->c.costs.api_ns, 1000 / scale);
    gdm_delete(g);
  }
}

/* A block of 2 pages makes 2 accesses at the cost of the configuration, one of n pages n at 2 / n
 * of it; one of a page is as dear as one of two. */
static void cost_of_an_access(void **state) {
  (void)state;
  for (unsigned pages = 1; pages <= 8; pages *= 2) {
    struct gdm_config c = config(4);
    struct gmmu_err err = {""};
    c.block_bytes = pages * PAGE;
    struct gdm *g = gdm_new(&c, &err);
    assert_non_null(g);
    assert_int_equal(g->pte_ns, pages <= 2 ? 1000 : 2000 / pages);
    gdm_delete(g);
  }
}

static void limits(void **state) {
  struct gdm_config c;

  (void)state;
#define TRY_IT(field, value, ok, part)     \
  do {                                     \
    c = config(4);                         \
    c.field = value;                       \
    assert_int_equal(taken(&c, part), ok); \
  } while (0)
  TRY_IT(scale, 0, false, "scale 0");
  TRY_IT(scale, 12, false, "scale 12");
  TRY_IT(scale, 128, false, "scale 128");
  TRY_IT(policy, -1, false, "policy");
  TRY_IT(policy, GDM_POLICY_NONE, true, "");
  TRY_IT(policy, GDM_POLICY_GDM + 1, false, "policy");
  TRY_IT(dirty, GDM_DIRTY_HW, true, "");
  TRY_IT(dirty, GDM_DIRTY_HW + 1, false, "dirty");
  for (unsigned n = 0; n <= 5; n++) {
    TRY_IT(kernel_engines, n, n >= 1 && n <= 4, "engines: 1 to 4");
    TRY_IT(copy_engines, n, n >= 1 && n <= 4, "engines: 1 to 4");
  }
  TRY_IT(selection_factor, -0.01, false, "selection factor");
  TRY_IT(selection_factor, 0, true, "");
  TRY_IT(selection_factor, 1, true, "");
  TRY_IT(selection_factor, 1.01, false, "selection factor");
  TRY_IT(jitter_ppm, 1000000, true, "");
  TRY_IT(jitter_ppm, 1000001, false, "jitter");
  TRY_IT(costs.pcie_bytes_per_s, 0, false, "a rate of 0");
  TRY_IT(costs.sign_bytes_per_s, 0, false, "a rate of 0");
  TRY_IT(costs.fill_bytes_per_s, 0, false, "a rate of 0");
  TRY_IT(costs.host_bytes_per_s, 0, false, "a rate of 0");
  TRY_IT(page_bytes, 8192, false, "pages of 8192");
  TRY_IT(page_bytes, 2u << 20, false, "blocks of 16384");
  TRY_IT(block_bytes, PAGE, true, "");
  TRY_IT(block_bytes, PAGE / 2, false, "blocks of 2048");
  TRY_IT(block_bytes, 3 * PAGE, false, "a power of two");
  TRY_IT(device_bytes, BLOCK - PAGE, false, "at least a block");
  TRY_IT(device_bytes, BLOCK, true, "");
  TRY_IT(device_bytes, 4 * BLOCK + 8, false, "whole pages");
  TRY_IT(device_bytes, (1ull << 39) + PAGE, false, "at most 512 GiB");
  for (uint64_t block = 1ull << 30; block <= 1ull << 31; block *= 2) {
    c = config(4);
    c.page_bytes = 2u << 20;
    c.block_bytes = c.device_bytes = block;
    assert_int_equal(taken(&c, "to 1 GiB"), block == 1ull << 30);
  }
}

/* Hardware that does not set A and D; addresses of which not one block is left. */
static void machines(void **state) {
  struct gdm_config c = config(4);
  struct gdm_machine m;
  struct gdm_model *model = gdm_model_new(c.device_bytes, false);

  (void)state;
  gdm_model_machine(model, &m);
  c.machine = &m;
  c.dirty = GDM_DIRTY_HW;
  assert_false(taken(&c, "the hardware does not set A and D"));
  c.dirty = GDM_DIRTY_SIGNATURE;
  static const struct {
    uint64_t first, last, va_first, va_end; /* va_end 0: refused */
  } v[] = {{0, 0, 1ull << 32, 1ull << 38},
           {BLOCK, 2 * BLOCK - 1, BLOCK, 2 * BLOCK},
           {BLOCK, 2 * BLOCK - 2, 0, 0},
           {BLOCK + 1, 3 * BLOCK - 1, 2 * BLOCK, 3 * BLOCK},
           {BLOCK + 1, 3 * BLOCK + 5, 2 * BLOCK, 3 * BLOCK},
           {0, (1ull << 38) - 1, 0, 1ull << 38},
           {0, (1ull << 38) + BLOCK - 1, 0, 0}};
  for (size_t i = 0; i < sizeof v / sizeof v[0]; i++) {
    struct gmmu_err err = {""};
    m.va_first = v[i].first;
    m.va_last = v[i].last;
    struct gdm *g = gdm_new(&c, &err);
    assert_int_equal(g != NULL, v[i].va_end != 0);
    if (g) assert_true(g->va_first == v[i].va_first && g->va_end == v[i].va_end);
    gdm_delete(g);
  }
  gdm_model_free(model);
}

/* Addresses of regions: one behind the other with a block between them, while there are any; then
 * the first gap that is wide enough. */
static void addresses(void **state) {
  struct gdm_config c = config(4);
  struct gdm_machine m;
  struct gdm_model *model = gdm_model_new(c.device_bytes, false);
  struct gdm_ctx *ctx;
  gdm_ptr p[5], none;

  (void)state;
  gdm_model_machine(model, &m);
  c.machine = &m;
  m.va_first = 10 * BLOCK;
  m.va_last = 20 * BLOCK - 1; /* ten blocks */
  struct gdm *g = start(&c, &ctx);
  p[0] = region(1);
  p[1] = region(2 * BLOCK);
  p[2] = region(BLOCK + 1);
  assert_true(p[0] == 10 * BLOCK && p[1] == 12 * BLOCK && p[2] == 15 * BLOCK); /* to 18 */
  assert_int_equal(gdm_mem_alloc(&none, 2 * BLOCK), GDM_ERROR_OUT_OF_MEMORY);
  assert_int_equal(gdm_mem_free(p[0]), 0);
  p[3] = region(BLOCK); /* not where the first was: there are addresses behind the others yet */
  assert_int_equal(p[3], 18 * BLOCK);
  assert_int_equal(gdm_mem_alloc(&none, BLOCK + 1), GDM_ERROR_OUT_OF_MEMORY);
  p[0] = region(BLOCK);
  assert_int_equal(p[0], 10 * BLOCK);
  assert_int_equal(gdm_mem_alloc(&none, 1), GDM_ERROR_OUT_OF_MEMORY);
  assert_int_equal(gdm_mem_free(p[1]), 0);
  assert_int_equal(gdm_mem_alloc(&none, 2 * BLOCK + 1), GDM_ERROR_OUT_OF_MEMORY);
  p[1] = region(2 * BLOCK);
  assert_int_equal(p[1], 12 * BLOCK);
  assert_int_equal(gdm_mem_free(p[2]), 0);
  assert_int_equal(gdm_mem_free(p[3]), 0);
  p[4] = region(4 * BLOCK); /* up to the last address */
  assert_int_equal(p[4], 15 * BLOCK);
  assert_int_equal(gdm_mem_alloc(&none, 11 * BLOCK), GDM_ERROR_OUT_OF_MEMORY);
  finish(g);
  gdm_model_free(model);
}

static int no_page(void *arg, uint64_t *pa) {
  (void)arg, (void)pa;
  return 1;
}
/* The driver has no page for a table: the context fails, and says why. */
static void driver_fails(void **state) {
  struct gdm_config c = config(4);
  struct gdm_machine m;
  struct gdm_model *model = gdm_model_new(c.device_bytes, false);
  struct gdm_ctx *ctx;

  (void)state;
  gdm_model_machine(model, &m);
  c.machine = &m;
  struct gdm *g = start(&c, &ctx);
  gdm_ptr p = region(BLOCK), q;
  g->m.bus.alloc_page = no_page;
  assert_int_equal(run(&look, p, 1), GDM_ERROR_UNKNOWN);
  assert_string_equal(gdm_last_message(g), "driver: map: no memory for tables");
  assert_int_equal(gdm_mem_alloc(&q, 1), GDM_ERROR_UNKNOWN);
  assert_int_equal(gdm_synchronize(), GDM_ERROR_UNKNOWN);
  gdm_delete(g);
  gdm_model_free(model);
}

/* Pages of a block get frames that follow one another in no order; each is mapped to its own. */
static void scattered_frames(void **state) {
  struct gdm_config c = config(4);
  struct gdm_ctx *ctx;
  uint8_t data[BLOCK], back[BLOCK];

  (void)state;
  for (int hw = 0; hw < 2; hw++) {
    c.dirty = hw ? GDM_DIRTY_HW : GDM_DIRTY_SIGNATURE;
    struct gdm *g = start(&c, &ctx);
    gdm_ptr p = region(BLOCK);
    for (uint64_t i = 0; i + 1 < g->free_frames; i += 3) { /* pairs change places */
      uint64_t f = g->frames[i];
      g->frames[i] = g->frames[i + 1];
      g->frames[i + 1] = f;
    }
    for (size_t i = 0; i < BLOCK; i++) data[i] = (uint8_t)(i / PAGE * 50 + i % 7);
    assert_int_equal(gdm_memcpy_htod(p, data, BLOCK), 0);
    assert_int_equal(run(&bump, p, BLOCK), 0);
    struct gmmu_err err;
    if (gdm_check(g, &err)) fail_msg("%s", err.msg);
    assert_int_equal(gdm_memcpy_dtoh(back, p, BLOCK), 0);
    for (size_t i = 0; i < BLOCK; i++) assert_int_equal(back[i], (uint8_t)(data[i] + 1));
    finish(g);
  }
}

/* What is counted over PCIe: leaves and pointers that are written, not the clearing of new tables;
 * invalidations, not the word that pages were mapped. */
static void accesses_that_count(void **state) {
  struct gdm_config c = config(4);
  struct gdm_ctx *ctx;

  (void)state;
  struct gdm *g = start(&c, &ctx);
  assert_int_equal(stats(g).pte_accesses, 0);
  gdm_ptr p = region(BLOCK);
  assert_int_equal(run(&look, p, 1), 0);
  assert_int_equal(stats(g).pte_accesses, 4 + 2); /* below the root two tables of Sv39 */
  assert_int_equal(stats(g).invalidations, 0);
  assert_int_equal(gdm_mem_free(p), 0);
  assert_int_equal(stats(g).pte_accesses, 4 + 2 + 4);
  assert_int_equal(stats(g).invalidations, 1);
  finish(g);
}

/* ---------------------------------------- the built-in machine */
#define DATA_BYTES (64u << 20)
static const uint64_t va = 0x40000000, large_va = 0x80000000;

struct built_in {
  struct gdm_model *model;
  struct gdm_machine m;
  struct gmmu_drv d;
};

/* ASIDs 5 and 63; in each four pages at va and a large one, in frames of their own. */
static void power_on(struct built_in *b, bool svadu) {
  const unsigned perms = GMMU_DRV_R | GMMU_DRV_W | GMMU_DRV_U;

  b->model = gdm_model_new(DATA_BYTES, svadu);
  assert_non_null(b->model);
  gdm_model_machine(b->model, &b->m);
  assert_int_equal(gmmu_drv_init(&b->d, &b->m.bus), 0);
  assert_int_equal(gmmu_drv_window(&b->d, 0, b->m.table_first, b->m.table_last, true, false), 0);
  assert_int_equal(
      gmmu_drv_window(&b->d, 1, b->m.data_first, b->m.data_first + DATA_BYTES - 1, false, true), 0);
  for (unsigned n = 0; n < 2; n++) {
    unsigned asid = n ? 63 : 5;
    uint64_t pa = b->m.data_first + n * (8u << 20);
    assert_int_equal(gmmu_drv_open(&b->d, asid, n, false, false, false), 0);
    if (svadu) {
      assert_int_equal(gmmu_drv_map_clear(&b->d, asid, va, pa, 4 * PAGE, perms, false), 0);
      assert_int_equal(
          gmmu_drv_map_clear(&b->d, asid, large_va, pa + (2u << 20), 2u << 20, perms, true), 0);
    } else {
      assert_int_equal(gmmu_drv_map(&b->d, asid, va, pa, 4 * PAGE, perms, false), 0);
      assert_int_equal(gmmu_drv_map(&b->d, asid, large_va, pa + (2u << 20), 2u << 20, perms, true),
                       0);
    }
  }
}
static int touch(struct built_in *b, unsigned asid, uint64_t at, bool write, uint8_t *byte) {
  return b->m.access(b->m.arg, asid, at, write, byte, 1);
}

static void what_is_built(void **state) {
  (void)state;
  for (int svadu = 0; svadu < 2; svadu++) {
    struct built_in b;
    power_on(&b, svadu);
    assert_true(b.d.build.ports == 1 && b.d.build.natives == 0 && b.d.build.asids == 64 &&
                b.d.build.asid_w == 8 && b.d.build.pa_w == 44 && b.d.build.va_w == 48 &&
                b.d.build.fault_entries == 1);
    assert_true(b.d.build.sv48 && b.d.build.large && b.d.build.hw_ad == svadu &&
                !b.d.build.coalescer && !b.d.build.copy && !b.d.build.perf);
    gdm_model_free(b.model);
  }
}

/* Each byte where its page is, and in memory as DMA sees it. */
static void moves_bytes(void **state) {
  struct built_in b;
  uint8_t byte, back[3];
  size_t n = 0;
  (void)state;
  power_on(&b, false);
  for (unsigned asid = 5; asid < 64; asid += 58)
    for (int i = 0; i < 6; i++, n++) {
      uint64_t at = i < 4 ? va + (uint64_t)i * PAGE + 17 : large_va + (uint64_t)(i - 4) * 0x123456;
      uint64_t pa = b.m.data_first + (asid == 63 ? 8u << 20 : 0) +
                    (i < 4 ? at - va : (2u << 20) + (at - large_va));
      int cause;
      byte = (uint8_t)(n + 100);
      assert_int_equal(touch(&b, asid, at, true, &byte), 0);
      b.m.dma_read(b.m.arg, back, pa - 1, 3);
      assert_true(back[0] == 0 && back[1] == byte && back[2] == 0);
      back[1] = (uint8_t)(n + 1);
      b.m.dma_write(b.m.arg, pa - 1, back, 3);
      assert_int_equal(touch(&b, asid, at, false, &byte), 0);
      assert_int_equal(byte, n + 1);
      assert_int_equal(*(uint8_t *)b.m.span(b.m.arg, asid, at, false, &cause), n + 1);
      assert_int_equal(cause, GMMU_OK);
    }
  gdm_model_free(b.model);
}

static void records_faults(void **state) {
  struct built_in b;
  struct gmmu_drv_fault f;
  uint8_t byte = 0;
  uint32_t status;
  int cause;

  (void)state;
  power_on(&b, false);
  assert_int_equal(gmmu_drv_protect(&b.d, 63, va, PAGE, GMMU_DRV_R | GMMU_DRV_U), 0);
  for (int write = 0; write < 2; write++)
    for (int way = 0; way < 2; way++) { /* by access or span */
      uint64_t at = va + 5 * PAGE + (1ull << 33) + 5;
      if (way) assert_null(b.m.span(b.m.arg, 63, at, write, &cause));
      else cause = touch(&b, 63, at, write, &byte);
      assert_int_equal(cause, GMMU_PF_INVALID);
      assert_int_equal(b.m.bus.read_reg(b.m.bus.arg, GMMU_REG_IRQ_STATUS, &status), 0);
      assert_int_equal(status, GMMU_REG_IRQ_STATUS_FAULT_MASK);
      assert_int_equal(gmmu_drv_next_fault(&b.d, &f), 1);
      assert_true(f.va == at && f.cause == GMMU_PF_INVALID && f.access == (unsigned)write);
      assert_true(f.asid == 63 && f.user && f.port == 0 && f.id == 0 && !f.write_channel);
      assert_int_equal(gmmu_drv_next_fault(&b.d, &f), 0);
      assert_int_equal(b.m.bus.read_reg(b.m.bus.arg, GMMU_REG_IRQ_STATUS, &status), 0);
      assert_int_equal(status, 0);
    }
  assert_int_equal(touch(&b, 63, va, false, &byte), 0);
  assert_int_equal(touch(&b, 63, va, true, &byte), GMMU_PERM);
  assert_int_equal(touch(&b, 7, va, false, &byte), GMMU_UNKNOWN_ASID);
  assert_int_equal(touch(&b, 5, 1ull << 38, false, &byte), GMMU_NON_CANONICAL);
  assert_int_equal(touch(&b, 63, 1ull << 38, false, &byte), GMMU_PF_INVALID); /* Sv48 */
  gdm_model_free(b.model);
}

/* A translation stays until an invalidation covers it: of the page, the frame, the ASID, of all. */
static void holds_translations(void **state) {
  (void)state;
  for (int kind = 0; kind < 4; kind++)
    for (int big = 0; big < 2; big++) {
      const struct gmmu_drv_bus *bus;
      struct built_in b;
      uint8_t byte = 0;
      uint64_t at = big ? large_va + 0x5000 : va + PAGE, other = big ? va : large_va, root, pte;
      power_on(&b, false);
      bus = &b.m.bus;
      for (int k = 0; k < 2; k++) /* the last one that is walked stays, whatever else is */
        for (unsigned asid = 5; asid < 64; asid += 58)
          assert_true(touch(&b, asid, at, false, &byte) == 0 &&
                      touch(&b, asid, other, false, &byte) == 0);
      for (unsigned asid = 5; asid < 64; asid += 58) { /* all pages are gone from the tables */
        root = b.d.root[asid];
        pte = bus->read_mem(bus->arg, root + (asid == 63 ? 0 : 8 * (at >> 30)));
        assert_true(pte & 1);
        for (uint64_t i = 0; i < 512; i++) bus->write_mem(bus->arg, root + 8 * i, 0);
        assert_int_equal(touch(&b, asid, at, true, &byte), 0);
        assert_int_equal(touch(&b, asid, other, true, &byte), 0);
      }
      switch (kind) {
        case 0: assert_int_equal(gmmu_drv_invalidate_all(&b.d), 0); break;
        case 1: assert_int_equal(gmmu_drv_invalidate_asid(&b.d, 63), 0); break;
        case 2: assert_int_equal(gmmu_drv_invalidate_range(&b.d, 63, at, PAGE), 0); break;
        default: /* the 2 MiB of an address */
          assert_int_equal(bus->write_reg(bus->arg, GMMU_REG_CMD_ASID, 63), 0);
          assert_int_equal(
              bus->write_reg(bus->arg, GMMU_REG_CMD_FIRST_LO, (uint32_t)(at ^ 0x1ff000)), 0);
          assert_int_equal(bus->write_reg(bus->arg, GMMU_REG_CMD_FIRST_HI, 0), 0);
          assert_int_equal(bus->write_reg(bus->arg, GMMU_REG_CMD, 3), 0);
      }
      assert_int_equal(touch(&b, 63, at, false, &byte), GMMU_PF_INVALID);
      assert_int_equal(touch(&b, 63, other, false, &byte), kind < 2 ? GMMU_PF_INVALID : 0);
      assert_int_equal(touch(&b, 5, at, false, &byte), kind < 1 ? GMMU_PF_INVALID : 0);
      assert_int_equal(touch(&b, 5, other, false, &byte), kind < 1 ? GMMU_PF_INVALID : 0);
      gdm_model_free(b.model);
    }
}

/* A load sets A, a store A and D, of its page alone. */
static void sets_a_and_d(void **state) {
  struct built_in b;
  uint64_t pa, pte;
  uint8_t byte = 0;
  (void)state;
  power_on(&b, true);
  assert_int_equal(touch(&b, 63, va + PAGE, false, &byte), 0);
  assert_int_equal(touch(&b, 63, va + 2 * PAGE, true, &byte), 0);
  assert_int_equal(touch(&b, 63, va + 3 * PAGE, false, &byte), 0);
  assert_int_equal(touch(&b, 63, va + 3 * PAGE, true, &byte), 0); /* the load's entry is no use */
  assert_int_equal(touch(&b, 63, large_va + 0x6000, true, &byte), 0);
  for (uint64_t i = 0; i < 5; i++) {
    static const uint64_t want[] = {0, GMMU_PTE_A, GMMU_PTE_A | GMMU_PTE_D, GMMU_PTE_A | GMMU_PTE_D,
                                    GMMU_PTE_A | GMMU_PTE_D};
    assert_int_equal(gmmu_drv_lookup(&b.d, 63, i < 4 ? va + i * PAGE : large_va, &pa, &pte), 0);
    assert_int_equal(pte & (GMMU_PTE_A | GMMU_PTE_D), want[i]);
  }
  assert_int_equal(gmmu_drv_lookup(&b.d, 5, va + 2 * PAGE, &pa, &pte), 0);
  assert_int_equal(pte & (GMMU_PTE_A | GMMU_PTE_D), 0);
  gdm_model_free(b.model);
}

/* Pages for tables: each once, inside the window, and again when they were given back. */
static void table_pages(void **state) {
  struct built_in b;
  uint64_t first = 0, pa, n = 0;
  (void)state;
  power_on(&b, false);
  uint8_t *seen = calloc((b.m.table_last + 1 - b.m.table_first) / PAGE, 1);
  for (; !b.m.bus.alloc_page(b.m.bus.arg, &pa); n++) {
    assert_true(pa >= b.m.table_first && pa + PAGE - 1 <= b.m.table_last && pa % PAGE == 0);
    assert_false(seen[(pa - b.m.table_first) / PAGE]++);
    if (!first) first = pa;
  }
  assert_true(n > 60000);
  b.m.bus.free_page(b.m.bus.arg, first);
  assert_int_equal(b.m.bus.alloc_page(b.m.bus.arg, &pa), 0);
  assert_int_equal(pa, first);
  assert_true(b.m.bus.alloc_page(b.m.bus.arg, &pa));
  assert_int_equal(b.m.bus.read_mem(b.m.bus.arg, b.m.table_last + 1), 0); /* no memory there */
  b.m.bus.write_mem(b.m.bus.arg, b.m.table_last + 1, 1);
  free(seen);
  gdm_model_free(b.model);
}

/* ---------------------------------------- gdm_check() */
static void says(struct gdm *g, const char *what) {
  struct gmmu_err err = {"all is well"};

  if (!gdm_check(g, &err) || !strstr(err.msg, what)) fail_msg("'%s', wanted '%s'", err.msg, what);
}
static void well(struct gdm *g) {
  struct gmmu_err err;

  if (gdm_check(g, &err)) fail_msg("%s", err.msg);
}
/* *x is v for one check. */
#define BROKEN(x, v, what)     \
  do {                         \
    __typeof__(x) kept_ = (x); \
    (x) = (v);                 \
    says(g, what);             \
    (x) = kept_;               \
    well(g);                   \
  } while (0)

static void names_what_is_wrong(void **state) {
  struct gdm_config c = config(8);
  struct gdm_ctx *ctx;
  uint8_t data[BLOCK] = {1}, byte = 99;

  (void)state;
  c.dirty = GDM_DIRTY_HW;
  struct gdm *g = start(&c, &ctx);
  gdm_ptr p = region(2 * BLOCK), q = region(BLOCK), out = region(BLOCK);
  assert_int_equal(gdm_memcpy_htod(p, data, BLOCK), 0);
  assert_int_equal(gdm_memcpy_htod(q, data, BLOCK), 0);
  assert_int_equal(run(&look, p, 1), 0);
  assert_int_equal(run(&look, q, 1), 0);
  well(g);
  struct block *a = gdm_block_at(ctx, p), *b = gdm_block_at(ctx, q), *far = gdm_block_at(ctx, out);
  assert_true(a->state == BLOCK_IN && b->state == BLOCK_IN && far->state == BLOCK_OUT);
  BROKEN(far->state, BLOCK_LOADING, ": state 1, frames 0");
  BROKEN(a->state, BLOCK_OUT, ": state 0, frames 1");
  BROKEN(a->frame[1], b->frame[1], "mapping");
  BROKEN(a->state, BLOCK_EVICTING, "mapping");
  /* lists */
  struct list *l = &g->lru;
  assert_true(l->n == 3 && g->cost.n == 0 && l->head && l->tail != l->head);
  BROKEN(l->head->prev, l->tail, "list 0 is broken");
  BROKEN(l->head->in_cost, true, "list 0 is broken");
  BROKEN(l->tail, l->head, "list 0 has 3 blocks");
  BROKEN(l->n, 2, "list 0 has 3 blocks, not 2");
  BROKEN(g->cost.n, 1, "list 1 has 0 blocks, not 1");
  struct block *last = l->tail; /* a block that no list has */
  l->tail = last->prev;
  l->tail->next = NULL;
  l->n--;
  says(g, "3 blocks are resident, 2 in the lists");
  l->tail->next = last;
  l->tail = last;
  l->n++;
  well(g);
  /* frames */
  BROKEN(g->free_frames, g->free_frames - 1, "owners");
  BROKEN(g->frames[0], a->frame[0], "is free and has an owner");
  /* bytes */
  a->status = STATUS_CLEAN; /* it was only looked at */
  well(g);
  g->m.dma_write(g->m.arg, a->frame[3] + 5, &byte, 1);
  says(g, "clean, but not equal to the host's copy");
  a->status = STATUS_DIRTY;
  well(g);
  struct patch patch = {.off = 3 * PAGE, .len = 10}; /* the host has newer bytes there */
  a->status = STATUS_CLEAN;
  a->patches = &patch;
  well(g);
  patch.len = 5;
  says(g, "clean, but not equal to the host's copy");
  a->patches = NULL;
  a->status = STATUS_DIRTY;
  finish(g);
}

static struct gdm *checked;
static struct block *missing;
static void checking_kernel(struct gdm_exec *x, const uint64_t *a, unsigned n) {
  uint8_t b;
  struct list *l = &checked->lru;

  (void)n;
  gdm_load(x, &b, a[0], 1);
  well(checked);
  /* the kernel's block leaves the device under it */
  gdm_forget(checked, missing);
  gdm_unmap_block(checked, missing);
  missing->state = BLOCK_EVICTING;
  says(checked, "of the running kernel check is not resident");
  checked->engine[0].fault = missing; /* but it waits for it */
  well(checked);
  checked->engine[0].fault = NULL;
  missing->state = BLOCK_IN;
  gdm_map_block(checked, missing);
  gdm_list_top(l, missing);
  well(checked);
}
static void a_running_kernel(void **state) {
  static const struct gdm_kernel check = {"check", checking_kernel};
  struct gdm_config c = config(4);
  struct gdm_ctx *ctx;

  (void)state;
  struct gdm *g = checked = start(&c, &ctx);
  gdm_ptr p = region(2 * BLOCK);
  missing = gdm_block_at(ctx, p + BLOCK);
  assert_int_equal(run(&check, p, 1), 0);
  finish(g);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(defaults),           cmocka_unit_test(scales),
      cmocka_unit_test(cost_of_an_access),  cmocka_unit_test(limits),
      cmocka_unit_test(machines),           cmocka_unit_test(accesses_that_count),
      cmocka_unit_test(addresses),          cmocka_unit_test(driver_fails),
      cmocka_unit_test(scattered_frames),   cmocka_unit_test(what_is_built),
      cmocka_unit_test(moves_bytes),        cmocka_unit_test(records_faults),
      cmocka_unit_test(holds_translations), cmocka_unit_test(sets_a_and_d),
      cmocka_unit_test(table_pages),        cmocka_unit_test(names_what_is_wrong),
      cmocka_unit_test(a_running_kernel)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
