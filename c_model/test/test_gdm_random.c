/* SPDX-License-Identifier: Apache-2.0 */
/* Random operations of several applications on a small device, against the same operations on plain
 * arrays without any limit of memory: every byte, every error, and the manager's invariants after
 * each operation. GDM_RUNS and GDM_SEED in the environment: more runs, and where they begin. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "gdm/gdm_int.h"

#define APPS 3
#define REGIONS 6
#define OPERATIONS 2000
#define SOURCE (256u << 10)

struct ref {
  gdm_ptr va;
  size_t bytes;
  uint8_t *data;
};
struct app {
  struct gdm_ctx *ctx;
  struct ref r[REGIONS];
};
struct world {
  struct gdm *g;
  struct gdm_config c;
  struct gmmu_rng rng;
  struct app app[APPS];
  uint8_t *source, *back;
  uint64_t seed, op, worked, full;
};

static void die(struct world *w, const char *what) {
  print_error(
      "seed %llu operation %llu: %s\nto repeat: GDM_SEED=%llu GDM_RUNS=1 "
      "build/test-asan/test_gdm_random\n",
      (unsigned long long)w->seed, (unsigned long long)w->op, what, (unsigned long long)w->seed);
  fail();
}
static uint64_t below(struct world *w, uint64_t n) { return gmmu_rng_below(&w->rng, n); }

/* dst[i] = dst[i] * factor + src[i] + i, in pieces that cross pages. */
static void mix(uint8_t *dst, const uint8_t *src, size_t n, size_t from, uint64_t factor) {
  for (size_t i = 0; i < n; i++) dst[i] = (uint8_t)(dst[i] * factor + src[i] + from + i);
}
static void mix_kernel(struct gdm_exec *x, const uint64_t *a, unsigned n) {
  uint8_t d[1000], s[1000];
  assert_int_equal(n, 4);
  for (uint64_t at = 0, m; at < a[2]; at += m) {
    m = a[2] - at < sizeof d ? a[2] - at : sizeof d;
    gdm_load(x, d, a[0] + at, m);
    gdm_load(x, s, a[1] + at, m);
    mix(d, s, m, at, a[3]);
    gdm_store(x, a[0] + at, d, m);
  }
}
/* The same through addresses that stay good. */
static void span_kernel(struct gdm_exec *x, const uint64_t *a, unsigned n) {
  assert_int_equal(n, 4);
  for (uint64_t at = 0, m; at < a[2]; at += m) {
    size_t here, there;
    const uint8_t *s = gdm_span_read(x, a[1] + at, &there);
    uint8_t *d = gdm_span_write(x, a[0] + at, &here);
    m = here < there ? here : there;
    if (m > a[2] - at) m = a[2] - at;
    mix(d, s, m, at, a[3]);
  }
}
static void outside_kernel(struct gdm_exec *x, const uint64_t *a, unsigned n) {
  uint8_t b = 1;
  (void)n;
  gdm_store(x, a[0], &b, 1);
}

static struct ref *some_region(struct world *w, struct app *a) {
  struct ref *r = &a->r[below(w, REGIONS)];
  return r->data ? r : NULL;
}
static uint64_t pages(const struct world *w, const struct app *a) {
  uint64_t n = 0, page = w->c.page_bytes;
  for (int i = 0; i < REGIONS; i++)
    if (a->r[i].data) n += (a->r[i].bytes + page - 1) / page;
  return n;
}

static void alloc(struct world *w, struct app *a) {
  for (int i = 0; i < REGIONS; i++) {
    struct ref *r = &a->r[i];
    if (r->data) continue;
    r->bytes = 1 + below(w, below(w, 4) ? w->c.block_bytes * 3 : w->c.block_bytes * 8);
    if (r->bytes > SOURCE) r->bytes = SOURCE;
    uint64_t free_pages = w->g->free_frames,
             need = (r->bytes + w->c.page_bytes - 1) / w->c.page_bytes;
    int e = gdm_mem_alloc(&r->va, r->bytes);
    bool fits = w->c.policy != GDM_POLICY_NONE || need <= free_pages;
    if (e != (fits ? GDM_SUCCESS : GDM_ERROR_OUT_OF_MEMORY)) die(w, "an allocation's answer");
    if (!e) r->data = calloc(1, r->bytes);
    return;
  }
}
static void release(struct world *w, struct app *a) {
  struct ref *r = some_region(w, a);
  if (!r) return;
  gdm_ptr va = r->va;
  if (gdm_mem_free(va)) die(w, "a free failed");
  if (gdm_mem_free(va) != GDM_ERROR_INVALID_VALUE) die(w, "a double free worked");
  if (gdm_memcpy_htod(va, w->source, 1) != GDM_ERROR_INVALID_VALUE)
    die(w, "a copy to freed memory worked");
  free(r->data);
  r->data = NULL;
}
static void some_range(struct world *w, const struct ref *r, size_t *off, size_t *n) {
  *off = below(w, 3) ? below(w, r->bytes) : 0;
  if (below(w, 2)) *off = *off / w->c.block_bytes * w->c.block_bytes;
  *n = below(w, 3) ? 1 + below(w, r->bytes - *off) : r->bytes - *off;
}
static void copy_in(struct world *w, struct app *a) {
  struct ref *r = some_region(w, a);
  size_t off, n;
  if (!r) return;
  some_range(w, r, &off, &n);
  size_t at = below(w, SOURCE - n + 1);
  for (size_t i = 0; i < 16; i++) w->source[at + below(w, n)] = (uint8_t)below(w, 256);
  if (gdm_memcpy_htod(r->va + off, w->source + at, n)) die(w, "a copy to the device failed");
  memcpy(r->data + off, w->source + at, n);
  if (gdm_memcpy_htod(r->va + off, w->source, r->bytes - off + 1) != GDM_ERROR_INVALID_VALUE)
    die(w, "a copy across the end worked");
}
/* The application goes on with its buffer. */
static void scribble(struct world *w) {
  size_t at = below(w, SOURCE), n = below(w, 4) ? 1 : 1 + below(w, SOURCE - at);
  memset((below(w, 2) ? w->source : w->back) + at, (int)below(w, 256), n);
}
static void copy_out(struct world *w, struct app *a) {
  struct ref *r = some_region(w, a);
  size_t off, n;
  if (!r) return;
  some_range(w, r, &off, &n);
  size_t at = below(w, SOURCE - n + 1); /* over what other copies have come from and gone to */
  if (below(w, 2)) at = at / 4096 * 4096;
  uint8_t *to = (below(w, 3) ? w->back : w->source) + at;
  if (gdm_memcpy_dtoh(to, r->va + off, n)) die(w, "a copy to the host failed");
  if (memcmp(to, r->data + off, n)) die(w, "bytes that were copied back differ");
}
static void launch(struct world *w, struct app *a) {
  static const struct gdm_kernel mixes = {"mix", mix_kernel}, spans = {"span", span_kernel};
  struct ref *d = some_region(w, a), *s = some_region(w, a);
  if (!d || !s) return;
  size_t n = 1 + below(w, d->bytes < s->bytes ? d->bytes : s->bytes),
         doff = below(w, d->bytes - n + 1), soff = below(w, s->bytes - n + 1);
  if (d == s && doff + n > soff && soff + n > doff && doff != soff)
    return; /* order of overlapping pieces is the kernel's own */
  uint64_t args[4] = {d->va + doff, s->va + soff, n, below(w, 2) ? 1 : 3};
  if (!below(w, 8)) args[2] = n = 1; /* reads and writes little of much */
  uint64_t unit = w->c.block_bytes, touched = 0;
  touched +=
      (args[0] + n - 1) / unit - args[0] / unit + 1 + (args[1] + n - 1) / unit - args[1] / unit + 1;
  if (w->c.faults && touched * unit > w->c.device_bytes) return; /* one kernel's blocks must fit */
  bool by_span = d != s && below(w, 2);
  gdm_ptr objects[2 * REGIONS];
  unsigned names = 0;
  if (w->c.policy == GDM_POLICY_GDM && !below(w, 3)) { /* every object of the two regions */
    for (struct ref *r = d;; r = s) {
      for (size_t at = 0; at < r->bytes; at += w->c.block_bytes)
        if (names < 2 * REGIONS) objects[names++] = r->va + at;
      if (r == s || w->c.faults) break;
    }
    if (names == 2 * REGIONS) names = 0;
    if (gdm_launch(&mixes, args, 4, 0, (gdm_ptr[]){d->va, 12345}, 2) != GDM_ERROR_INVALID_VALUE)
      die(w, "a launch with an unknown object worked");
  }
  bool whole =
      w->c.policy == GDM_POLICY_BASE || (w->c.policy == GDM_POLICY_GDM && !w->c.faults && !names);
  bool fits = !whole || pages(w, a) <= w->g->total_frames;
  int e = gdm_launch(by_span ? &spans : &mixes, args, 4, below(w, 400000), names ? objects : NULL,
                     names);
  if (w->c.policy == GDM_POLICY_GDEV && e == GDM_ERROR_OUT_OF_MEMORY) {
    w->full++;
    return;
  }
  if (names && e == GDM_ERROR_OUT_OF_MEMORY) {
    w->full++;
    return;
  }
  if (e != (fits ? GDM_SUCCESS : GDM_ERROR_OUT_OF_MEMORY)) die(w, "a launch's answer");
  if (e) {
    w->full++;
    return;
  }
  w->worked++;
  if (!by_span) { /* the pieces of mix_kernel */
    for (size_t at = 0, m; at < n; at += m) {
      m = n - at < 1000 ? n - at : 1000;
      mix(d->data + doff + at, s->data + soff + at, m, at, args[3]);
    }
  } else {
    for (size_t at = 0, m; at < n; at += m) {
      size_t page = w->c.page_bytes, here = page - (d->va + doff + at) % page,
             there = page - (s->va + soff + at) % page;
      m = here < there ? here : there;
      if (m > n - at) m = n - at;
      mix(d->data + doff + at, s->data + soff + at, m, at, args[3]);
    }
  }
}
/* An application that reads outside ends, and only it. */
static void go_astray(struct world *w, struct app *a) {
  static const struct gdm_kernel strays = {"stray", outside_kernel};
  struct ref *r = some_region(w, a);
  if (!r || below(w, 8)) return;
  uint64_t args[1] = {r->va + (r->bytes + w->c.page_bytes - 1) / w->c.page_bytes * w->c.page_bytes};
  int e = gdm_launch(&strays, args, 1, 1000, NULL, 0);
  if (e) return;
  if (gdm_synchronize() != GDM_ERROR_ILLEGAL_ADDRESS)
    die(w, "a kernel outside its regions was not told of");
  struct gdm_fault_record f;
  gdm_last_fault(a->ctx, &f);
  if (!f.valid || f.va != args[0] || strcmp(f.kernel, "stray") || f.asid != gdm_ctx_asid(a->ctx))
    die(w, "the fault's record");
  gdm_ptr p;
  if (gdm_mem_alloc(&p, 1) != GDM_ERROR_ILLEGAL_ADDRESS) die(w, "the error did not stay");
  if (gdm_ctx_destroy(a->ctx)) die(w, "the context could not be destroyed");
  for (int i = 0; i < REGIONS; i++) free(a->r[i].data), a->r[i].data = NULL;
  if (gdm_ctx_create(&a->ctx, 0, w->g)) die(w, "no new context");
}
static void compare_all(struct world *w, struct app *a) {
  if (gdm_synchronize()) die(w, "synchronize failed");
  for (int i = 0; i < REGIONS; i++)
    if (a->r[i].data) {
      gdm_peek(a->ctx, a->r[i].va, w->back, a->r[i].bytes);
      if (memcmp(w->back, a->r[i].data, a->r[i].bytes))
        die(w, "bytes differ from the run without a limit");
    }
}

static void one_run(uint64_t seed, int operations) {
  struct world w = {.seed = seed, .rng = {seed}};
  struct gmmu_err err;
  gdm_config_default(&w.c);
  w.c.seed = seed;
  w.c.policy = below(&w, 8) == 0    ? GDM_POLICY_BASE
               : below(&w, 8) == 0  ? GDM_POLICY_GDEV
               : below(&w, 12) == 0 ? GDM_POLICY_NONE
                                    : GDM_POLICY_GDM;
  w.c.dirty = below(&w, 2) && w.c.policy == GDM_POLICY_GDM ? GDM_DIRTY_HW : GDM_DIRTY_SIGNATURE;
  w.c.faults = below(&w, 2);
  w.c.watch = below(&w, 3) ? GDM_WATCH_COW : GDM_WATCH_EAGER;
  w.c.page_bytes = 4096;
  w.c.block_bytes = 4096ull << below(&w, 5);
  w.c.device_bytes = w.c.block_bytes * (2 + below(&w, (1u << 20) / w.c.block_bytes - 1));
  if (w.c.device_bytes > 1u << 20) w.c.device_bytes = 1u << 20;
  w.c.selection_factor = (double)below(&w, 5) / 4;
  w.c.uniformity = below(&w, 2), w.c.overwrite = below(&w, 2), w.c.double_transfer = below(&w, 2),
  w.c.prefetch = below(&w, 2);
  w.c.copy_engines = 1 + (unsigned)below(&w, 2);
  w.c.kernel_engines = w.c.faults ? 1 : 1 + (unsigned)below(&w, 2);
  w.g = gdm_new(&w.c, &err);
  if (!w.g) print_error("%s\n", err.msg), fail();
  w.source = aligned_alloc(4096, SOURCE);
  w.back = malloc(SOURCE);
  for (size_t i = 0; i < SOURCE; i++) w.source[i] = (uint8_t)gmmu_rng_next(&w.rng);
  for (int i = 0; i < APPS; i++) gdm_ctx_create(&w.app[i].ctx, 0, w.g);
  for (w.op = 0; w.op < (uint64_t)operations; w.op++) {
    struct app *a = &w.app[below(&w, APPS)];
    gdm_ctx_set_current(a->ctx);
    switch (below(&w, 16)) {
      case 0:
      case 1: alloc(&w, a); break;
      case 2: release(&w, a); break;
      case 3:
      case 4:
      case 5: copy_in(&w, a); break;
      case 6:
      case 7: copy_out(&w, a); break;
      case 8: scribble(&w); break;
      case 9: gdm_cpu(below(&w, 200000)); break;
      case 10:
        if (!below(&w, 20)) go_astray(&w, a);
        break;
      case 11:
        if (!below(&w, 4)) compare_all(&w, a);
        break;
      default: launch(&w, a); break;
    }
    if (gdm_check(w.g, &err)) die(&w, err.msg);
  }
  for (int i = 0; i < APPS; i++) {
    gdm_ctx_set_current(w.app[i].ctx);
    compare_all(&w, &w.app[i]);
    for (int k = 0; k < REGIONS; k++) free(w.app[i].r[k].data);
  }
  gdm_delete(w.g);
  if (gdm_watch_any()) die(&w, "a source is still watched");
  free(w.source);
  free(w.back);
}

static void random_runs(void **state) {
  (void)state;
  const char *runs = getenv("GDM_RUNS"), *seed = getenv("GDM_SEED"), *ops = getenv("GDM_OPS");
  uint64_t first = seed ? strtoull(seed, NULL, 0) : 1;
  int n = runs ? atoi(runs) : 20;
  print_message(
      "random runs: seeds %llu to %llu; to repeat one: GDM_SEED=n GDM_RUNS=1 "
      "build/test-asan/test_gdm_random\n",
      (unsigned long long)first, (unsigned long long)first + (unsigned)n - 1);
  for (int i = 0; i < n; i++) one_run(first + (unsigned)i, ops ? atoi(ops) : OPERATIONS);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(random_runs)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
