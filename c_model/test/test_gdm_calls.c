/* SPDX-License-Identifier: Apache-2.0 */
/** test_gdm_calls.c - the calls of the device memory manager and its clock: order of events, the
 * CPU's times, contexts, what an allocation may have, what is counted; commands that the
 * hardware refuses. */
#include "gdm_rig.h"

#include "gmmu_regs.h"

/* ---------------------------------------- time */
enum { EVENTS = 300 };
struct log {
  uint64_t at[EVENTS];
  int id[EVENTS], n;
};
struct one {
  struct log *log;
  int id;
};
static void happens(struct gdm *g, void *arg) {
  struct one *o = arg;

  o->log->at[o->log->n] = g->now;
  o->log->id[o->log->n++] = o->id;
}

/* In the order of their times; of one time in the order in which they were asked for. */
static void events_in_order(void **state) {
  struct gdm_config c = config(4);
  struct gdm_ctx *ctx;
  struct gdm *g = start(&c, &ctx);

  (void)state;
  for (uint64_t seed = 1; seed < 20; seed++) {
    struct gmmu_rng r = {seed};
    struct log log = {.n = 0};
    struct one one[EVENTS];
    uint64_t at[EVENTS], now = gdm_now(g);
    for (int i = 0; i < EVENTS; i++) {
      at[i] = now + 1 + gmmu_rng_below(&r, seed % 2 ? 50 : 5000);
      one[i] = (struct one){&log, i};
      gdm_at(g, at[i], happens, &one[i]);
    }
    gdm_delay(g, 6000);
    assert_int_equal(gdm_now(g), now + 6000);
    assert_int_equal(log.n, EVENTS);
    for (int i = 0; i < EVENTS; i++) {
      assert_int_equal(log.at[i], at[log.id[i]]);
      if (i)
        assert_true(log.at[i] > log.at[i - 1] ||
                    (log.at[i] == log.at[i - 1] && log.id[i] > log.id[i - 1]));
    }
  }
  gdm_delay(g, 0);
  finish(g);
}

/* The CPU's times vary by jitter_ppm to either side, by the seed; all of it is counted. */
static void cpu_times(void **state) {
  (void)state;
  for (int jitter = 0; jitter < 2; jitter++) {
    uint64_t least = UINT64_MAX, most = 0, from, sum = 0;
    struct gdm_config c = config(4);
    struct gdm_ctx *ctx;
    struct gdm_stats s;
    c.jitter_ppm = jitter ? 20000 : 0;
    struct gdm *g = start(&c, &ctx);
    for (int i = 0; i < 3000; i++) {
      from = gdm_now(g);
      gdm_cpu(2500000);
      uint64_t took = gdm_now(g) - from;
      sum += took;
      if (took < least) least = took;
      if (took > most) most = took;
    }
    if (jitter)
      assert_true(least >= 2450000 && least < 2451000 && most > 2549000 && most <= 2550000);
    else assert_true(least == 2500000 && most == 2500000);
    gdm_get_stats(g, ctx, &s);
    assert_true(s.cpu_ns == sum && stats(g).cpu_ns == sum);
    assert_int_equal(gdm_ctx_destroy(ctx), 0);
    assert_int_equal(stats(g).cpu_ns, sum); /* contexts that are gone count in the whole */
    gdm_ctx_set_current(NULL);
    gdm_cpu(5); /* of nobody */
    finish(g);
  }
  assert_int_equal(gdm_bytes_ns(6000000000, 6000000000), 1000000000);
  assert_int_equal(gdm_bytes_ns(1ull << 40, 8000000000), 137438953472);
}

/* gdm_cpu(): all values between the bounds, none beyond. */
static void small_variations(void **state) {
  int often[5] = {0};
  struct gdm_config c = config(4);
  struct gdm_ctx *ctx;
  (void)state;
  c.jitter_ppm = 1000000;
  struct gdm *g = start(&c, &ctx);
  for (int i = 0; i < 1000; i++) {
    uint64_t before = gdm_now(g);
    gdm_cpu(2);
    assert_true(gdm_now(g) - before <= 4);
    often[gdm_now(g) - before]++;
  }
  for (int i = 0; i < 5; i++) assert_in_range(often[i], 100, 300);
  finish(g);
}

/* ---------------------------------------- contexts */
/* The lowest ASID that is free; as many as there are. */
static void contexts(void **state) {
  struct gdm_config c = config(4);
  struct gdm_ctx *v[65], *none = NULL;
  struct gmmu_err err = {""};
  struct gdm *g = gdm_new(&c, &err);

  (void)state;
  assert_non_null(g);
  assert_int_equal(gdm_ctx_create(&none, 0, NULL), GDM_ERROR_INVALID_VALUE);
  assert_int_equal(gdm_ctx_create(NULL, 0, g), GDM_ERROR_INVALID_VALUE);
  for (unsigned i = 0; i < 64; i++) {
    assert_int_equal(gdm_ctx_create(&v[i], 0, g), 0);
    assert_true(gdm_ctx_asid(v[i]) == i && gdm_current() == v[i]);
  }
  assert_int_equal(gdm_ctx_create(&v[64], 0, g), GDM_ERROR_OUT_OF_MEMORY);
  static const unsigned gone[] = {40, 3, 63};
  for (int i = 0; i < 3; i++) assert_int_equal(gdm_ctx_destroy(v[gone[i]]), 0);
  assert_null(gdm_current()); /* the last one was the thread's */
  static const unsigned again[] = {3, 40, 63};
  for (int i = 0; i < 3; i++) {
    assert_int_equal(gdm_ctx_create(&v[again[i]], 0, g), 0);
    assert_int_equal(gdm_ctx_asid(v[again[i]]), again[i]);
  }
  unsigned n = 0;
  for (struct gdm_ctx *x = g->ctxs; x; x = x->next, n++) assert_int_equal(x->asid, n);
  assert_int_equal(n, 64);
  finish(g);
}

/* ---------------------------------------- memory */
/* What an allocation could have: free memory, and with gdm and base what others hold and no kernel
 * needs now. */
static void allocable(void **state) {
  (void)state;
  for (int policy = GDM_POLICY_NONE; policy <= GDM_POLICY_GDM; policy++) {
    struct gdm_config c = config(4);
    struct gdm_ctx *ctx;
    size_t can, total;
    c.policy = (enum gdm_policy)policy;
    struct gdm *g = start(&c, &ctx);
    assert_int_equal(gdm_mem_get_info(NULL, &total), GDM_ERROR_INVALID_VALUE);
    assert_int_equal(gdm_mem_get_info(&can, NULL), GDM_ERROR_INVALID_VALUE);
    assert_int_equal(gdm_mem_get_info(&can, &total), 0);
    assert_true(can == 4 * BLOCK && total == 4 * BLOCK);
    gdm_ptr p = region(BLOCK + 1);
    assert_int_equal(run(&look, p, BLOCK + 1), 0);
    assert_int_equal(stats(g).resident_bytes, BLOCK + PAGE);
    assert_int_equal(gdm_mem_get_info(&can, &total), 0);
    bool takes = policy == GDM_POLICY_BASE || policy == GDM_POLICY_GDM;
    assert_true(can == (takes ? 4 * BLOCK : 3 * BLOCK - PAGE) && total == 4 * BLOCK);
    finish(g);
  }
}

/* Policy none: whole pages of device memory, zeroed, up to the last one. */
static void no_manager(void **state) {
  struct gdm_config c = config(4);
  struct gdm_ctx *ctx;
  uint8_t data[BLOCK], back[BLOCK];
  gdm_ptr none;

  (void)state;
  c.policy = GDM_POLICY_NONE;
  struct gdm *g = start(&c, &ctx);
  gdm_ptr p = region(3 * BLOCK + 3 * PAGE);
  assert_int_equal(gdm_mem_alloc(&none, PAGE + 1), GDM_ERROR_OUT_OF_MEMORY);
  gdm_ptr q = region(1);
  assert_int_equal(gdm_mem_alloc(&none, 1), GDM_ERROR_OUT_OF_MEMORY);
  memset(data, 7, sizeof data);
  assert_int_equal(gdm_memcpy_htod(p, data, BLOCK), 0);
  assert_int_equal(gdm_mem_free(q), 0);
  assert_int_equal(gdm_mem_free(p), 0);
  p = region(4 * BLOCK); /* nobody sees what was there */
  for (int i = 0; i < 4; i++) {
    assert_int_equal(gdm_memcpy_dtoh(back, p + (unsigned)i * BLOCK, BLOCK), 0);
    for (size_t k = 0; k < BLOCK; k++) assert_int_equal(back[k], 0);
  }
  finish(g);
}

static void what_is_counted(void **state) {
  struct gdm_config c = config(8);
  struct gdm_ctx *ctx;
  uint8_t data[2 * BLOCK], back[2 * BLOCK];
  struct gdm_stats s;

  (void)state;
  struct gdm *g = start(&c, &ctx);
  gdm_ptr p = region(2 * BLOCK), q = region(100);
  assert_true(stats(g).allocated_bytes == 2 * BLOCK + 100);
  assert_int_equal(gdm_mem_free(q), 0);
  assert_true(stats(g).allocated_bytes == 2 * BLOCK &&
              stats(g).peak_allocated_bytes == 2 * BLOCK + 100);
  for (size_t i = 0; i < sizeof data; i++) data[i] = (uint8_t)(i * 7 + 1);
  assert_int_equal(gdm_memcpy_htod(p, data, sizeof data), 0);
  assert_int_equal(run(&bump, p, 2 * BLOCK), 0);
  /* a part of a block, then a whole one and a part, all of it newer on the device */
  assert_int_equal(gdm_memcpy_dtoh(back, p + 5, 10), 0);
  assert_int_equal(stats(g).copied_out, 0);
  for (size_t i = 0; i < 10; i++) assert_int_equal(back[i], (uint8_t)(data[i + 5] + 1));
  assert_int_equal(gdm_memcpy_dtoh(back, p + BLOCK - 1, BLOCK + 1), 0);
  assert_int_equal(stats(g).copied_out, 1);
  for (size_t i = 0; i <= BLOCK; i++) assert_int_equal(back[i], (uint8_t)(data[BLOCK - 1 + i] + 1));
  gdm_get_stats(g, ctx, &s);
  assert_true(s.copied_out == 1 && s.kernels == 1 && s.kernel_ns == 10000 + 5000 &&
              s.stall_ns == 0);
  assert_int_equal(s.resident_bytes, 2 * BLOCK);
  finish(g);
}

/* ---------------------------------------- kernels */
static void adding_kernel(struct gdm_exec *x, const uint64_t *a, unsigned n) {
  uint64_t *sum = gdm_scratch(x, 3 * sizeof *sum), *other = gdm_scratch(x, 5000);
  size_t span;

  for (int i = 0; i < 3; i++) assert_int_equal(sum[i], 0);
  for (int i = 0; i < 600; i++) assert_int_equal(other[i], 0);
  memset(other, 0xff, 4800);
  for (unsigned i = 1; i < n; i++) *sum += a[i];
  assert_true(sum[1] == 0 && sum[2] == 0);
  gdm_store(x, a[0], sum, sizeof *sum);
  const uint8_t *at = gdm_span_read(x, a[0] + 5, &span);
  assert_true(span == PAGE - 5 && at[0] == ((uint8_t *)sum)[5]);
  uint8_t *w = gdm_span_write(x, a[0] + PAGE - 1, &span);
  assert_int_equal(span, 1);
  *w = 99;
}

/* As many arguments as there may be, and not one more; memory of the kernel's own. */
static void arguments(void **state) {
  static const struct gdm_kernel adds = {"adds", adding_kernel}, no_code = {"none", NULL};
  struct gdm_config c = config(4);
  struct gdm_ctx *ctx;
  uint64_t a[GDM_MAX_ARGS + 1], got, want = 0;
  uint8_t byte;

  (void)state;
  struct gdm *g = start(&c, &ctx);
  gdm_ptr p = region(BLOCK);
  a[0] = p;
  for (unsigned i = 1; i <= GDM_MAX_ARGS; i++) a[i] = i * 1000003ull;
  for (unsigned i = 1; i < GDM_MAX_ARGS; i++) want += a[i];
  assert_int_equal(gdm_launch(&adds, a, GDM_MAX_ARGS + 1, 0, NULL, 0), GDM_ERROR_INVALID_VALUE);
  assert_int_equal(gdm_launch(&no_code, a, 1, 0, NULL, 0), GDM_ERROR_INVALID_VALUE);
  assert_int_equal(gdm_launch(&adds, a, GDM_MAX_ARGS, 0, NULL, 1), GDM_ERROR_INVALID_VALUE);
  const uint64_t too_long[] = {GDM_MAX_DURATION_NS + 1, UINT64_MAX - 1000000, UINT64_MAX};
  for (int i = 0; i < 3; i++)
    assert_int_equal(gdm_launch(&adds, a, GDM_MAX_ARGS, too_long[i], NULL, 0),
                     GDM_ERROR_INVALID_VALUE);
  assert_int_equal(gdm_launch(&adds, a, GDM_MAX_ARGS, 0, NULL, 0), 0);
  assert_int_equal(gdm_memcpy_dtoh(&got, p, 8), 0);
  assert_true(got == want);
  assert_int_equal(gdm_memcpy_dtoh(&byte, p + PAGE - 1, 1), 0);
  assert_int_equal(byte, 99);
  assert_int_equal(stats(g).kernels, 1);
  assert_int_equal(gdm_launch(&adds, a, GDM_MAX_ARGS, GDM_MAX_DURATION_NS, NULL, 0), 0);
  assert_int_equal(gdm_memcpy_dtoh(&got, p, 8), 0);
  assert_true(stats(g).kernel_ns >= GDM_MAX_DURATION_NS &&
              stats(g).kernel_ns < 2 * GDM_MAX_DURATION_NS);
  finish(g);
}

static void names(void **state) {
  (void)state;
  assert_string_equal(gdm_error_name(GDM_SUCCESS), "GDM_SUCCESS");
  assert_string_equal(gdm_error_name(GDM_ERROR_ILLEGAL_ADDRESS), "GDM_ERROR_ILLEGAL_ADDRESS");
  assert_string_equal(gdm_error_name(12345), "GDM_ERROR_UNKNOWN");
}

/* ---------------------------------------- the hardware */
static int (*write_below)(void *arg, uint32_t at, uint32_t v);
static uint32_t refused; /* this command */
static int taken_before;
static int refuse(void *arg, uint32_t at, uint32_t v) {
  return at == GMMU_REG_CMD && v == refused && taken_before-- <= 0 ? 1 : write_below(arg, at, v);
}
/* The hardware takes no command of one kind: at a harvest, at an eviction. And not the word that
 * the third piece of a block was mapped: the first two do not stay mapped. */
static void commands_fail(void **state) {
  enum { RANGE = 2, MAPPED = 4 };
  static const struct {
    int dirty;
    uint32_t command;
    const char *message;
  } v[] = {{GDM_DIRTY_HW, RANGE, "driver: harvest: "},
           {GDM_DIRTY_SIGNATURE, RANGE, "driver: unmap: "},
           {GDM_DIRTY_SIGNATURE, MAPPED, "driver: map: "}};
  (void)state;
  for (int i = 0; i < 3; i++) {
    struct gdm_config c = config(1);
    struct gdm_machine m;
    struct gdm_model *model = gdm_model_new(c.device_bytes, true);
    struct gdm_ctx *ctx;
    uint64_t pa, pte;
    gdm_model_machine(model, &m);
    c.machine = &m;
    c.dirty = (enum gdm_dirty)v[i].dirty;
    struct gdm *g = start(&c, &ctx);
    gdm_ptr p = region(BLOCK), q = region(BLOCK);
    assert_int_equal(run(&look, p, 1), 0);
    struct block *b = gdm_block_at(ctx, p); /* q, which gets its frames, is in three pieces */
    uint64_t frame = b->frame[0];
    gdm_unmap_block(g, b);
    b->frame[0] = b->frame[1];
    b->frame[1] = frame;
    assert_int_equal(gdm_map_block(g, b), 0);
    write_below = g->m.bus.write_reg;
    g->m.bus.write_reg = refuse;
    refused = v[i].command;
    taken_before = refused == MAPPED ? 2 : 0;
    assert_int_equal(run(&look, i ? q : p, 1), GDM_ERROR_UNKNOWN);
    if (strncmp(gdm_last_message(g), v[i].message, strlen(v[i].message)))
      fail_msg("'%s'", gdm_last_message(g));
    for (uint64_t k = 0; refused == MAPPED && k < 2; k++)
      assert_int_equal(gmmu_drv_lookup(&g->drv, 0, q + k * PAGE, &pa, &pte), GMMU_DRV_ABSENT);
    refused = ~0u;
    gdm_delete(g);
    gdm_model_free(model);
  }
}

/* All but gdm: a block that is overwritten as a whole keeps its place on the device. */
static void overwritten_in_place(void **state) {
  (void)state;
  for (int policy = GDM_POLICY_NONE; policy < GDM_POLICY_GDM; policy++) {
    struct gdm_config c = config(4);
    struct gdm_ctx *ctx;
    uint8_t data[BLOCK], back[BLOCK];
    c.policy = (enum gdm_policy)policy;
    struct gdm *g = start(&c, &ctx);
    gdm_ptr p = region(BLOCK);
    for (int round = 0; round < 2; round++) {
      memset(data, 7 + round, BLOCK);
      uint64_t before = round ? gdm_block_at(ctx, p)->frame[0] : 0, told = stats(g).pte_accesses;
      assert_int_equal(gdm_memcpy_htod(p, data, BLOCK), 0);
      assert_true(in(ctx, p) && (!round || gdm_block_at(ctx, p)->frame[0] == before));
      if (round) assert_int_equal(stats(g).pte_accesses, told);
    }
    assert_int_equal(stats(g).overwritten, 0);
    assert_int_equal(gdm_memcpy_dtoh(back, p, BLOCK), 0);
    assert_memory_equal(back, data, BLOCK);
    finish(g);
  }
}

/* Registers after reset, and a root's frame number: that of a physical address of 44 bits. */
static void registers(void **state) {
  struct gdm_model *model = gdm_model_new(BLOCK, false);
  struct gdm_machine m;
  const struct gmmu_drv_bus *bus = &m.bus;
  uint32_t v;
  (void)state;
  gdm_model_machine(model, &m);
  static const struct {
    uint32_t at, write, want;
  } r[] = {{GMMU_REG_CTX_CTRL(7), 0, 0},
           {GMMU_REG_CTX_ROOT_LO(7), 0, 0},
           {GMMU_REG_CTX_ROOT_LO(7), ~0u, ~0u},
           {GMMU_REG_CTX_ROOT_HI(7), ~0u, 0},
           {GMMU_REG_FAULT_INFO, 0, 0}};
  for (size_t i = 0; i < sizeof r / sizeof r[0]; i++) {
    if (r[i].write) assert_int_equal(bus->write_reg(bus->arg, r[i].at, r[i].write), 0);
    assert_int_equal(bus->read_reg(bus->arg, r[i].at, &v), 0);
    assert_int_equal(v, r[i].want);
  }
  gdm_model_free(model);
}

/* A block's parts by themselves: frames that are not free are not taken, what is unmapped says so,
 * and a block that is not on the device is not written there. */
static void parts_of_a_block(void **state) {
  struct gdm_config c = config(4);
  struct gdm_ctx *ctx;

  (void)state;
  struct gdm *g = start(&c, &ctx);
  gdm_ptr p = region(BLOCK);
  struct block *b = gdm_block_at(ctx, p);
  const enum block_status status = b->status;
  gdm_may_be_written(g, b);
  assert_int_equal(b->status, status);
  const uint32_t free_frames = g->free_frames;
  g->free_frames = 3; /* of four pages */
  assert_false(gdm_take_frames(g, b));
  assert_int_equal(g->free_frames, 3);
  g->free_frames = free_frames;
  assert_int_equal(run(&bump, p, BLOCK), 0);
  assert_true(b->mapped);
  gdm_unmap_block(g, b);
  assert_false(b->mapped);
  assert_int_equal(gdm_map_block(g, b), 0);
  assert_int_equal(run(&bump, p, BLOCK), 0);
  finish(g);
}

/* What a kernel that runs needs is its own. */
static bool is_its_own;
static void owning_kernel(struct gdm_exec *x, const uint64_t *a, unsigned n) {
  (void)n;
  is_its_own = gdm_block_at(x->k->ctx, a[0])->kernel == x->k->id;
}
static void owner_of_a_block(void **state) {
  static const struct gdm_kernel owns = {"owns", owning_kernel};
  struct gdm_config c = config(4);
  struct gdm_ctx *ctx;

  (void)state;
  struct gdm *g = start(&c, &ctx);
  gdm_ptr p = region(BLOCK), q = region(BLOCK);
  for (int i = 0; i < 4; i++) {
    is_its_own = false;
    assert_int_equal(run(&owns, i % 2 ? p : q, BLOCK), 0);
    assert_true(is_its_own);
  }
  finish(g);
}

/* More addresses than there are from the first to the last. */
static void no_addresses(void **state) {
  struct gdm_config c = config(4);
  struct gdm_ctx *ctx;
  gdm_ptr p;

  (void)state;
  c.block_bytes = 16 << 20;
  c.device_bytes = 2ull * c.block_bytes;
  struct gdm *g = start(&c, &ctx);
  assert_true(g->va_first > PAGE);
  assert_int_equal(gdm_mem_alloc(&p, g->va_end - g->va_first + PAGE), GDM_ERROR_OUT_OF_MEMORY);
  assert_int_equal(gdm_mem_alloc(&p, g->va_end), GDM_ERROR_OUT_OF_MEMORY);
  finish(g);
}

/* A frame that is coalesced is one translation where its context has the extension, and there
 * alone: one of its pages, which is gone from the table meanwhile, is reached by that of another.
 */
static void extension_of_a_context(void **state) {
  const uint64_t va = 0x40000000, frame = 2u << 20, ppn = ((1ull << 44) - 1) << 10;
  const unsigned perms = GMMU_DRV_R | GMMU_DRV_W | GMMU_DRV_U;
  struct gdm_model *model = gdm_model_new(2 * frame, false);
  struct gdm_machine m;
  struct gmmu_drv d;
  uint64_t marks = 0;
  (void)state;
  gdm_model_machine(model, &m);
  assert_int_equal(gmmu_drv_init(&d, &m.bus), 0);
  assert_int_equal(gmmu_drv_window(&d, 0, m.table_first, m.table_last, true, false), 0);
  assert_int_equal(gmmu_drv_window(&d, 1, m.data_first, m.data_first + 2 * frame - 1, false, true),
                   0);
  for (unsigned n = 0; n < 2; n++) {
    bool ext = n == 0;
    unsigned asid = 7 + n;
    uint64_t at = 0, pte = 0, table;
    uint8_t byte = 0;
    assert_int_equal(gmmu_drv_open(&d, asid, false, ext, false, false), 0);
    assert_int_equal(gmmu_drv_map(&d, asid, va, m.data_first + n * frame, frame, perms, false), 0);
    if (ext) assert_int_equal(gmmu_drv_coalesce(&d, asid, va), 0);
    table = d.root[asid];
    for (int level = 2; level > 0; level--) {
      at = table + (va >> (12 + 9 * level) & 511) * 8;
      pte = m.bus.read_mem(m.bus.arg, at);
      table = (pte & ppn) << 2;
    }
    if (ext) marks = pte & ~ppn;
    else m.bus.write_mem(m.bus.arg, at, pte | marks);
    m.access(m.arg, asid, va, false, &byte, 1);
    m.bus.write_mem(m.bus.arg, table + 3 * 8, 0);
    int cause = m.access(m.arg, asid, va + 3 * PAGE, false, &byte, 1);
    assert_int_equal(cause == GMMU_OK, ext);
  }
  gdm_model_free(model);
}

/* gdm_check() of blocks in both sections. */
static void names_blocks_of_both_lists(void **state) {
  struct gdm_config c = config(4);
  struct gdm_ctx *ctx;
  (void)state;
  c.selection_factor = 1;
  struct gdm *g = start(&c, &ctx);
  for (int i = 0; i < 5; i++) assert_int_equal(run(&look, region(BLOCK), 1), 0);
  assert_true(g->lru.n > 0 && g->cost.n > 1);
  struct list *l = &g->cost;
  struct block *last = l->tail;
  l->tail = last->prev;
  l->tail->next = NULL;
  l->n--;
  struct gmmu_err err = {""};
  assert_int_equal(gdm_check(g, &err), -1);
  assert_string_equal(err.msg, "4 blocks are resident, 3 in the lists");
  l->tail->next = last;
  l->tail = last;
  l->n++;
  finish(g);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(events_in_order),
                                     cmocka_unit_test(cpu_times),
                                     cmocka_unit_test(contexts),
                                     cmocka_unit_test(allocable),
                                     cmocka_unit_test(no_manager),
                                     cmocka_unit_test(what_is_counted),
                                     cmocka_unit_test(arguments),
                                     cmocka_unit_test(names),
                                     cmocka_unit_test(small_variations),
                                     cmocka_unit_test(commands_fail),
                                     cmocka_unit_test(overwritten_in_place),
                                     cmocka_unit_test(extension_of_a_context),
                                     cmocka_unit_test(registers),
                                     cmocka_unit_test(parts_of_a_block),
                                     cmocka_unit_test(owner_of_a_block),
                                     cmocka_unit_test(no_addresses),
                                     cmocka_unit_test(names_blocks_of_both_lists)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
