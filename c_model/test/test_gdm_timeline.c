/* SPDX-License-Identifier: Apache-2.0 */
/** test_gdm_timeline.c - what the device memory manager does at which time: its events against
 * times by hand, whose turn it is, who waits for whom, what a failed call leaves. After each test
 * the statistics have to be the sums of the events. */
#include "gdm_rig.h"

#include <sys/resource.h>

enum { EVENTS = 4000 };
static struct gdm_event seen[EVENTS];
static int events;

static void note(void *arg, const struct gdm_event *e) {
  (void)arg;
  assert_true(events < EVENTS && e->start_ns <= e->end_ns);
  assert_true(!events || e->end_ns >= seen[events - 1].end_ns);
  seen[events++] = *e;
}

/* Nothing but what a test looks at costs time: no PTE accesses, no variation. */
static struct gdm_config timed(unsigned blocks) {
  struct gdm_config c = config(blocks);
  c.jitter_ppm = 0;
  c.costs.pte_access_ns = 0;
  c.event = note;
  events = 0;
  return c;
}

static int count(int kind) {
  int n = 0;
  for (int i = 0; i < events; i++) n += seen[i].kind == kind;
  return n;
}
/* The n-th of a kind, from 0. */
static const struct gdm_event *nth(int kind, int n) {
  for (int i = 0; i < events; i++)
    if (seen[i].kind == kind && n-- == 0) return &seen[i];
  fail_msg("%d events of kind %d, too few", count(kind), kind);
  return NULL;
}
static void event_is(int kind, int n, uint64_t start, uint64_t ns, uint64_t bytes) {
  const struct gdm_event *e = nth(kind, n);
  if (e->start_ns != start || e->end_ns != start + ns || e->bytes != bytes)
    fail_msg("event %d of kind %d: %d bytes, from %d to %d; expected %d, %d to %d", n, kind,
             (int)e->bytes, (int)e->start_ns, (int)e->end_ns, (int)bytes, (int)start,
             (int)(start + ns));
}

/* Of all contexts, or of one. */
static void sums_are(struct gdm *g, struct gdm_ctx *ctx) {
  uint64_t bytes[GDM_EVENT_KINDS] = {0}, ns[GDM_EVENT_KINDS] = {0}, n[GDM_EVENT_KINDS] = {0};
  struct gdm_stats s;
  gdm_get_stats(g, ctx, &s);
  for (int i = 0; i < events; i++) {
    const struct gdm_event *e = &seen[i];
    if (ctx && e->asid != gdm_ctx_asid(ctx)) continue;
    bytes[e->kind] += e->bytes;
    ns[e->kind] += e->end_ns - e->start_ns;
    n[e->kind]++;
    if (ctx && e->kind == GDM_EVENT_MEMORY) assert_true(e->bytes <= s.peak_resident_bytes);
  }
  assert_true(s.htod_bytes == bytes[GDM_EVENT_HTOD] && s.htod_ns == ns[GDM_EVENT_HTOD]);
  assert_true(s.dtoh_bytes == bytes[GDM_EVENT_DTOH] && s.dtoh_ns == ns[GDM_EVENT_DTOH]);
  assert_true(s.evict_bytes == bytes[GDM_EVENT_EVICT] && s.evict_ns == ns[GDM_EVENT_EVICT]);
  assert_true(s.kernels == n[GDM_EVENT_KERNEL]);
  assert_true(s.kernel_ns + s.stall_ns == ns[GDM_EVENT_KERNEL]);
  if (!ctx) assert_true(s.signs == n[GDM_EVENT_SIGN] && s.sign_ns == ns[GDM_EVENT_SIGN]);
}
static void end(struct gdm *g) {
  sums_are(g, NULL);
  for (struct gdm_ctx *c = g->ctxs; c; c = c->next) sums_are(g, c);
  finish(g);
}

static struct gdm_ctx *another(struct gdm *g) {
  struct gdm_ctx *c;
  assert_int_equal(gdm_ctx_create(&c, 0, g), 0);
  return c;
}
/* A launch that takes this long and touches nothing but what it names. */
static int launch(const struct gdm_kernel *k, gdm_ptr p, size_t n, uint64_t ns) {
  uint64_t a[2] = {p, n};
  return gdm_launch(k, a, 2, ns, &p, 1);
}
static void fill(gdm_ptr p, size_t bytes) {
  uint8_t *data = malloc(bytes);
  memset(data, 7, bytes);
  assert_int_equal(gdm_memcpy_htod(p, data, bytes), 0);
  free(data);
}

/* 14 us and 6 GB/s; the CPU's 8 GB/s. */
static uint64_t dma(uint64_t bytes) { return 14000 + bytes * 1000 / 6000; }
static uint64_t by_cpu(uint64_t bytes) { return bytes / 8; }

/* ---------------------------------------- times */

/* A call is 1 us of the CPU, and what it copies itself; a launch starts to load at once; a kernel
 * is 5 us longer than its duration; mapping a block's pages is paid by the transfer behind it. */
static void one_of_each(void **state) {
  (void)state;
  for (uint64_t pte = 0; pte <= 1000; pte += 1000) {
    struct gdm_config c = timed(4);
    struct gdm_ctx *ctx;
    uint8_t back[BLOCK];
    c.costs.pte_access_ns = pte;
    struct gdm *g = start(&c, &ctx);
    uint64_t now = gdm_now(g);
    gdm_ptr p = region(BLOCK);
    fill(p, BLOCK);
    now += 1000 + 1000 + by_cpu(BLOCK);
    assert_int_equal(gdm_now(g), now);
    assert_int_equal(launch(&bump, p, 1, 10000), 0);
    now += 1000;
    assert_int_equal(gdm_now(g), now);
    assert_int_equal(gdm_synchronize(), 0);
    event_is(GDM_EVENT_HTOD, 0, now, dma(BLOCK), BLOCK);
    now += dma(BLOCK);
    event_is(GDM_EVENT_KERNEL, 0, now, 15000, 0);
    assert_string_equal(nth(GDM_EVENT_KERNEL, 0)->name, "bump");
    now += 15000;
    assert_int_equal(gdm_now(g), now);
    assert_int_equal(gdm_memcpy_dtoh(back, p, BLOCK), 0);
    /* four leaves and two tables, at half the cost, as a block has four pages and not two */
    uint64_t took = dma(BLOCK) + 6 * pte / 2;
    event_is(GDM_EVENT_DTOH, 0, now + 1000, took, BLOCK);
    assert_int_equal(gdm_now(g), now + 1000 + took + by_cpu(BLOCK)); /* to the buffer */
    assert_int_equal(count(GDM_EVENT_HARVEST) + count(GDM_EVENT_EVICT), 0);
    assert_int_equal(nth(GDM_EVENT_MEMORY, count(GDM_EVENT_MEMORY) - 1)->bytes, BLOCK);
    end(g);
  }
}

/* Time that a kernel lets pass is its own and no stall; its duration comes on top. */
static void running_kernel(struct gdm_exec *x, const uint64_t *a, unsigned n) {
  uint8_t b;
  (void)n;
  gdm_running(x, a[1]);
  if (a[0]) gdm_load(x, &b, a[0], 1);
  gdm_running(x, a[1]);
}
static void a_kernel_that_runs(void **state) {
  static const struct gdm_kernel runs = {"runs", running_kernel};
  (void)state;
  for (int faults = 0; faults < 2; faults++) {
    struct gdm_config c = timed(4);
    struct gdm_ctx *ctx;
    struct gdm_stats s;
    c.faults = true;
    struct gdm *g = start(&c, &ctx);
    gdm_ptr p = region(BLOCK), q = region(BLOCK);
    fill(q, BLOCK);
    assert_int_equal(run(&look, p, 1), 0);
    uint64_t a[2] = {faults ? q : 0, 70000}, now = gdm_now(g) + 1000;
    assert_int_equal(gdm_launch(&runs, a, 2, 3000, &p, 1), 0);
    assert_int_equal(gdm_synchronize(), 0);
    uint64_t stall = faults ? 20000 + dma(BLOCK) : 0;
    event_is(GDM_EVENT_KERNEL, 1, now, 140000 + 3000 + 5000 + stall, 0);
    gdm_get_stats(g, ctx, &s);
    assert_int_equal(s.stall_ns, stall);
    assert_int_equal(s.kernel_ns, 15000 + 148000);
    end(g);
  }
}

/* A harvest holds the kernel engine: PTEs read and written, and invalidations. It is left out
 * while everything fits. */
static void harvests(void **state) {
  (void)state;
  for (int fits = 0; fits < 2; fits++) {
    struct gdm_config c = timed(2);
    struct gdm_ctx *ctx;
    c.dirty = GDM_DIRTY_HW;
    c.costs.pte_access_ns = 1000;
    struct gdm *g = start(&c, &ctx);
    gdm_ptr p = region(BLOCK);
    region(BLOCK);
    if (!fits) region(1);
    assert_int_equal(run(&look, p, BLOCK), 0);
    uint64_t before = stats(g).pte_accesses + stats(g).invalidations;
    assert_int_equal(launch(&look, p, BLOCK, 1000), 0);
    assert_int_equal(launch(&look, p, BLOCK, 1000), 0);
    assert_int_equal(gdm_synchronize(), 0);
    uint64_t more = stats(g).pte_accesses + stats(g).invalidations - before;
    const struct gdm_event *first = nth(GDM_EVENT_KERNEL, 1), *second = nth(GDM_EVENT_KERNEL, 2);
    if (fits) {
      assert_true(more == 0 && count(GDM_EVENT_HARVEST) == 0);
      assert_int_equal(second->start_ns, first->end_ns);
    } else {
      assert_true(more >= 2 * (4 + 4 + 1)); /* four leaves are read and cleared */
      event_is(GDM_EVENT_HARVEST, 1, first->end_ns, more / 2 * 500, 0);
      assert_int_equal(second->start_ns, nth(GDM_EVENT_HARVEST, 1)->end_ns);
    }
    assert_int_equal(stats(g).harvest_ns, fits ? 0 : more / 2 * 3 * 500);
    end(g);
  }
}

/* Per page: of the last page only what the region has of it. */
static void a_part_of_a_page(void **state) {
  static const struct {
    uint64_t at, bytes;
  } v[] = {{2 * PAGE + 99, 100}, {0, PAGE}, {PAGE + 5, PAGE}};
  (void)state;
  for (int i = 0; i < 3; i++) {
    struct gdm_config c = timed(1);
    struct gdm_ctx *ctx;
    c.dirty = GDM_DIRTY_HW;
    struct gdm *g = start(&c, &ctx);
    gdm_ptr p = region(2 * PAGE + 100), q = region(BLOCK);
    fill(p, 2 * PAGE + 100);
    uint64_t a[2] = {p + v[i].at, 1};
    assert_int_equal(gdm_launch(&bump, a, 2, 1000, &p, 1), 0);
    assert_int_equal(run(&look, q, 1), 0);
    assert_int_equal(nth(GDM_EVENT_EVICT, 0)->bytes, v[i].bytes);
    end(g);
  }
}

/* base: when a copy of several blocks returns all of them are there. */
static void copies_at_once(void **state) {
  struct gdm_config c = timed(4);
  struct gdm_ctx *ctx;
  (void)state;
  c.policy = GDM_POLICY_BASE;
  struct gdm *g = start(&c, &ctx);
  gdm_ptr p = region(3 * BLOCK);
  uint64_t now = gdm_now(g);
  fill(p + 5, 2 * BLOCK); /* ends in the third */
  for (int i = 0; i < 3; i++) assert_true(in(ctx, p + (unsigned)i * BLOCK));
  assert_int_equal(stats(g).htod_bytes, 3 * BLOCK);
  assert_true(gdm_now(g) >= now + 3 * dma(BLOCK));
  end(g);
}

/* ---------------------------------------- turns */

/* Contexts whose kernels wait take turns, to be loaded for and to run. */
static void contexts_in_turn(void **state) {
  enum { CONTEXTS = 3, EACH = 4 };
  struct gdm_config c = timed(8);
  struct gdm_ctx *ctx[CONTEXTS];
  (void)state;
  c.costs.dma_start_ns = 100000; /* all of them wait when the first block has come */
  struct gdm *g = start(&c, NULL);
  for (int i = 0; i < CONTEXTS; i++) {
    ctx[i] = another(g);
    gdm_ptr p = region(BLOCK);
    fill(p, BLOCK);
    for (int k = 0; k < EACH; k++) assert_int_equal(launch(&look, p, 1, 1000000), 0);
  }
  for (int i = 0; i < CONTEXTS; i++) {
    gdm_ctx_set_current(ctx[i]);
    assert_int_equal(gdm_synchronize(), 0);
  }
  assert_int_equal(count(GDM_EVENT_HTOD), CONTEXTS);
  for (int k = 0; k < CONTEXTS; k++) assert_int_equal(nth(GDM_EVENT_HTOD, k)->asid, k);
  for (int k = 0; k < CONTEXTS * EACH; k++)
    assert_int_equal(nth(GDM_EVENT_KERNEL, k)->asid, k % CONTEXTS);
  end(g);
}

/* Idle prefetch goes on behind a copy that waits for a kernel, not while a kernel waits. What a
 * kernel has brought meanwhile is passed over. */
static void prefetch_beside_a_kernel(void **state) {
  (void)state;
  for (int kernels = 1; kernels <= 3; kernels++) {
    struct gdm_config c = timed(8);
    struct gdm_ctx *a, *b;
    c.prefetch = true;
    struct gdm *g = start(&c, &a);
    gdm_ptr p = region(BLOCK);
    assert_int_equal(run(&look, p, 1), 0); /* it is there */
    for (int i = 0; i < kernels; i++) assert_int_equal(launch(&look, p, 1, 1000000), 0);
    fill(p, BLOCK); /* waits behind them */
    b = another(g);
    gdm_ptr q = region(BLOCK);
    assert_int_equal(count(GDM_EVENT_HTOD), 1);
    fill(q, BLOCK);
    gdm_ctx_set_current(a);
    assert_int_equal(gdm_synchronize(), 0);
    gdm_ctx_set_current(b);
    gdm_cpu(1000000);
    assert_true(in(b, q));
    uint64_t first = nth(GDM_EVENT_KERNEL, 1)->end_ns, at = nth(GDM_EVENT_HTOD, 1)->start_ns;
    /* of three one runs, one is ready to, and one waits */
    assert_int_equal(at >= first, kernels == 3);
    assert_true(at <= first);
    end(g);
  }
}
static void prefetch_passes_over(void **state) {
  struct gdm_config c = timed(8);
  struct gdm_ctx *ctx;
  (void)state;
  c.prefetch = true;
  struct gdm *g = start(&c, &ctx);
  gdm_ptr p = region(BLOCK), q[3];
  for (int i = 0; i < 3; i++) q[i] = region(BLOCK);
  assert_int_equal(launch(&look, p, 1, 1000), 0); /* the copy engine is busy with it */
  struct gdm_ctx *other = another(g);
  gdm_ptr r[3];
  for (int i = 0; i < 3; i++) r[i] = region(BLOCK), fill(r[i], BLOCK);
  assert_int_equal(launch(&look, r[2], 1, 1000), 0); /* the newest comes for this one */
  assert_int_equal(gdm_synchronize(), 0);
  gdm_cpu(1000000);
  for (int i = 0; i < 3; i++) assert_true(in(other, r[i]) && !in(ctx, q[i]));
  assert_true(stats(g).prefetch_bytes >= BLOCK && stats(g).prefetch_bytes <= 2 * BLOCK);
  end(g);
}
/* Room that a free leaves is used at once. */
static void prefetch_after_a_free(void **state) {
  struct gdm_config c = timed(2);
  struct gdm_ctx *ctx;
  (void)state;
  c.prefetch = true;
  struct gdm *g = start(&c, &ctx);
  gdm_ptr p = region(2 * BLOCK), q = region(BLOCK);
  assert_int_equal(run(&look, p, 1), 0);
  fill(q, BLOCK);
  gdm_cpu(1000000);
  assert_false(in(ctx, q));
  assert_int_equal(gdm_mem_free(p), 0);
  gdm_cpu(dma(BLOCK));
  assert_true(in(ctx, q));
  end(g);
}

/* hw: who was named and not accessed has not been used. */
static void named_only(void **state) {
  struct gdm_config c = timed(3);
  struct gdm_ctx *ctx;
  gdm_ptr p[4];
  (void)state;
  c.dirty = GDM_DIRTY_HW;
  struct gdm *g = start(&c, &ctx);
  for (int i = 0; i < 4; i++) p[i] = region(BLOCK);
  for (int i = 0; i < 3; i++) assert_int_equal(run(&look, p[i], 1), 0);
  assert_int_equal(run(&look, p[0], 0), 0);
  assert_int_equal(run(&look, p[3], 1), 0);
  assert_true(!in(ctx, p[0]) && in(ctx, p[1]) && in(ctx, p[2]));
  end(g);
}

/* ---------------------------------------- loading on demand */

static gdm_ptr hidden[8];
static void hidden_kernel(struct gdm_exec *x, const uint64_t *a, unsigned n) {
  uint8_t b;
  (void)n;
  for (uint64_t i = a[0]; i < a[1]; i++) gdm_load(x, &b, hidden[i], 1);
}
/* Blocks that no argument tells of, from `first` up to `end`. */
static int launch_hidden(uint64_t first, uint64_t last, uint64_t ns) {
  static const struct gdm_kernel k = {"hidden", hidden_kernel};
  uint64_t a[2] = {first, last};
  return gdm_launch(&k, a, 2, ns, NULL, 0);
}

/* What arguments point to is loaded before the kernel starts, up to the last page that fits; then
 * what was copied to. */
static void guesses(void **state) {
  (void)state;
  for (unsigned room = 3; room <= 5; room++) {
    struct gdm_config c = timed(room);
    struct gdm_ctx *ctx;
    c.faults = true;
    struct gdm *g = start(&c, &ctx);
    gdm_ptr p = region(3 * BLOCK), q = region(BLOCK), r = region(BLOCK);
    assert_int_equal(run(&look, p, 1), 0); /* the copies before are those of another launch */
    fill(q, BLOCK);
    for (int i = 0; i < 3; i++) hidden[i] = p + (unsigned)i * BLOCK;
    uint64_t a[6] = {p, 2 * BLOCK + 1};
    assert_int_equal(gdm_launch(&look, a, 2, 1000, NULL, 0), 0);
    assert_int_equal(gdm_synchronize(), 0);
    assert_int_equal(stats(g).faults, 0);
    assert_int_equal(in(ctx, q), room > 3);
    assert_false(in(ctx, r));
    end(g);
  }
}

/* Two kernel engines. One kernel has the memory: the other's fault waits until it ends. */
static void a_fault_waits(void **state) {
  struct gdm_config c = timed(2);
  struct gdm_ctx *a, *b;
  (void)state;
  c.faults = true;
  c.kernel_engines = 2;
  struct gdm *g = start(&c, &a);
  gdm_ptr p = region(2 * BLOCK);
  uint64_t args[2] = {p, BLOCK + 1};
  assert_int_equal(gdm_launch(&look, args, 2, 1000000, &p, 1), 0);
  gdm_cpu(100000); /* it runs */
  b = another(g);
  hidden[0] = region(BLOCK);
  assert_int_equal(launch_hidden(0, 1, 1000), 0);
  assert_int_equal(gdm_synchronize(), 0);
  assert_true(in(b, hidden[0]));
  assert_int_equal(nth(GDM_EVENT_KERNEL, 0)->asid, gdm_ctx_asid(a));
  assert_true(nth(GDM_EVENT_KERNEL, 1)->end_ns > nth(GDM_EVENT_KERNEL, 0)->end_ns);
  assert_true(nth(GDM_EVENT_KERNEL, 1)->engine != nth(GDM_EVENT_KERNEL, 0)->engine);
  assert_int_equal(stats(g).faults, 1);
  end(g);
}

/* More than there is, with the other engine idle: the kernel ends with an error. */
static void a_fault_is_lost(void **state) {
  (void)state;
  for (unsigned engines = 1; engines <= 2; engines++) {
    struct gdm_config c = timed(2);
    struct gdm_ctx *ctx;
    c.faults = true;
    c.kernel_engines = engines;
    struct gdm *g = start(&c, &ctx);
    for (int i = 0; i < 3; i++) hidden[i] = region(BLOCK);
    assert_int_equal(launch_hidden(0, 2, 1000), 0);
    assert_int_equal(gdm_synchronize(), 0);
    assert_int_equal(launch_hidden(0, 3, 1000), 0);
    assert_int_equal(gdm_synchronize(), GDM_ERROR_LAUNCH_OUT_OF_RESOURCES);
    end(g);
  }
}

/* A kernel that is ready to run gives its memory up for a fault of one that runs, and has it again
 * afterwards. */
static void a_ready_kernel_waits(void **state) {
  struct gdm_config c = timed(3);
  struct gdm_ctx *a, *b;
  (void)state;
  c.faults = true;
  struct gdm *g = start(&c, &a);
  for (int i = 0; i < 3; i++) hidden[i] = region(BLOCK);
  gdm_ptr first = region(PAGE);
  /* runs, and asks for its blocks while the second context's kernel has been made ready */
  assert_int_equal(launch(&look, first, 1, 100000), 0);
  b = another(g);
  gdm_ptr p = region(2 * BLOCK);
  assert_int_equal(launch(&bump, p, BLOCK + 1, 1000), 0);
  gdm_ctx_set_current(a);
  assert_int_equal(launch_hidden(0, 3, 1000), 0);
  assert_int_equal(gdm_synchronize(), 0);
  gdm_ctx_set_current(b);
  assert_int_equal(gdm_synchronize(), 0);
  uint8_t byte;
  assert_int_equal(gdm_memcpy_dtoh(&byte, p + BLOCK, 1), 0);
  assert_int_equal(byte, 1);
  end(g);
}

/* ---------------------------------------- Gdev */

static struct gdm *gdev(struct gdm_config *c, unsigned blocks) {
  *c = timed(blocks);
  c->policy = GDM_POLICY_GDEV;
  return start(c, NULL);
}

/* A region goes by one transfer; the one that takes its place comes behind it. */
static void a_region_goes_whole(void **state) {
  struct gdm_config c;
  struct gdm *g = gdev(&c, 4);
  (void)state;
  struct gdm_ctx *a = another(g);
  gdm_ptr p = region(3 * BLOCK);
  fill(p, 3 * BLOCK);
  struct gdm_ctx *b = another(g);
  gdm_ptr q = region(2 * BLOCK);
  uint64_t now = gdm_now(g) + 1000;
  fill(q, 2 * BLOCK);
  event_is(GDM_EVENT_EVICT, 0, now, dma(3 * BLOCK), 3 * BLOCK);
  event_is(GDM_EVENT_HTOD, 1, now + dma(3 * BLOCK), dma(2 * BLOCK), 2 * BLOCK);
  assert_true(in(b, q) && !in(a, p));
  end(g);
}

/* Of those that are larger the smallest is the victim. */
static void the_smallest_victim(void **state) {
  (void)state;
  for (int order = 0; order < 2; order++) {
    struct gdm_config c;
    struct gdm *g = gdev(&c, 9);
    struct gdm_ctx *a = another(g);
    gdm_ptr large, small;
    if (order) small = region(3 * BLOCK), large = region(5 * BLOCK);
    else large = region(5 * BLOCK), small = region(3 * BLOCK);
    fill(large, 5 * BLOCK);
    fill(small, 3 * BLOCK);
    struct gdm_ctx *b = another(g);
    gdm_ptr q = region(2 * BLOCK);
    fill(q, 2 * BLOCK);
    assert_true(in(b, q) && in(a, large) && !in(a, small));
    end(g);
  }
}

/* A kernel has the only victim, or is about to: who wants it waits for the kernel's end. */
static void a_victim_in_use(void **state) {
  (void)state;
  for (int runs = 0; runs < 2; runs++) { /* ready, running */
    struct gdm_config c;
    struct gdm *g = gdev(&c, 6);
    struct gdm_ctx *x = another(g);
    gdm_ptr tiny = region(BLOCK);
    fill(tiny, BLOCK);
    if (!runs) assert_int_equal(launch(&look, tiny, 1, 1000000), 0);
    struct gdm_ctx *a = another(g);
    gdm_ptr p = region(4 * BLOCK);
    fill(p, 4 * BLOCK);
    assert_int_equal(launch(&bump, p, 4 * BLOCK, 1000000), 0);
    struct gdm_ctx *b = another(g);
    gdm_ptr q = region(3 * BLOCK);
    assert_int_equal(launch(&bump, q, 1, 1000), 0);
    assert_int_equal(gdm_synchronize(), 0);
    assert_true(in(b, q) && !in(a, p) && in(x, tiny));
    gdm_ctx_set_current(a);
    assert_int_equal(gdm_synchronize(), 0);
    uint8_t byte;
    assert_int_equal(gdm_memcpy_dtoh(&byte, p + 4 * BLOCK - 1, 1), 0);
    assert_int_equal(byte, 8);
    end(g);
  }
}

/* ---------------------------------------- calls that fail */

/* No more address space for this process than it has, and `more` bytes. */
static struct rlimit memory_limit(size_t more) {
  struct rlimit was, now;
  unsigned long pages = 0;
  FILE *f = fopen("/proc/self/statm", "r");
  assert_int_equal(fscanf(f, "%lu", &pages), 1);
  fclose(f);
  getrlimit(RLIMIT_AS, &was);
  now = was;
  now.rlim_cur = pages * 4096 + more;
  setrlimit(RLIMIT_AS, &now);
  return was;
}

/* No memory for a staging area, or for a copy that has to wait: an error, and nothing changed. */
static void no_memory(void **state) {
  enum { SIZE = 64 << 20 };
  struct gdm_config c;
  struct gdm_ctx *ctx;
  gdm_ptr none = 5;
  (void)state;
  gdm_config_default(&c);
  c.prefetch = false;
  struct gdm *g = start(&c, &ctx);
  struct gdm_config small = config(1), large = c;
  large.device_bytes = 1ull << 36;
  struct gmmu_err err = {""};
  gdm_ptr p = region(SIZE), before = region(1);
  uint8_t *data = calloc(1, SIZE);
  assert_int_equal(launch(&bump, before, 1, 1000000), 0);
  struct rlimit was = memory_limit(SIZE / 2);
  int alloc = gdm_mem_alloc(&none, 1ull << 36), copy = gdm_memcpy_htod(p, data, SIZE);
  struct gdm *other = gdm_new(&small, &err); /* its page tables do not fit */
  setrlimit(RLIMIT_AS, &was);
  assert_true(!other && strstr(err.msg, "memory for a device"));
  was = memory_limit(1 << 30); /* enough for all but the device's memory */
  struct gdm *more = gdm_new(&large, &err);
  setrlimit(RLIMIT_AS, &was);
  assert_int_equal(alloc, GDM_ERROR_OUT_OF_MEMORY);
  assert_int_equal(copy, GDM_ERROR_OUT_OF_MEMORY);
  assert_true(!more && strstr(err.msg, "memory for a device"));
  assert_true(none == 5 && stats(g).allocated_bytes == SIZE + 1 && stats(g).staged_bytes == 0);
  /* the next begins where it would have: a free block behind the last one */
  assert_int_equal(region(1), before + 2 * g->c.block_bytes);
  assert_int_equal(gdm_synchronize(), 0);
  free(data);
  finish(g);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(one_of_each),
                                     cmocka_unit_test(a_kernel_that_runs),
                                     cmocka_unit_test(harvests),
                                     cmocka_unit_test(a_part_of_a_page),
                                     cmocka_unit_test(copies_at_once),
                                     cmocka_unit_test(contexts_in_turn),
                                     cmocka_unit_test(prefetch_beside_a_kernel),
                                     cmocka_unit_test(prefetch_passes_over),
                                     cmocka_unit_test(prefetch_after_a_free),
                                     cmocka_unit_test(named_only),
                                     cmocka_unit_test(guesses),
                                     cmocka_unit_test(a_fault_waits),
                                     cmocka_unit_test(a_fault_is_lost),
                                     cmocka_unit_test(a_ready_kernel_waits),
                                     cmocka_unit_test(a_region_goes_whole),
                                     cmocka_unit_test(the_smallest_victim),
                                     cmocka_unit_test(a_victim_in_use),
                                     cmocka_unit_test(no_memory)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
