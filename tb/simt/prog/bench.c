/* SPDX-License-Identifier: Apache-2.0 */
/** bench.c - measurements of ActivePointers against plain pointers and GPUfs (bench.h). */
#include "ap.h"
#include "bench.h"
#include "compute.h"

#ifndef TILE
#define TILE 4 /* accesses on their way in copies */
#endif
#ifdef SPILL /* so many of a tile's loads are put on the stack as soon as they are issued */
#define KEEP(x, i) \
  if (i < SPILL) __asm__ volatile("" : "+m"(x))
#else
#define KEEP(x, i) (void)0
#endif
enum { REPEAT = 16 };

/* Uses a value, so that the scoreboard waits for it. */
INLINE void use(uint32_t v) { __asm__ volatile("mv zero, %0" ::"r"(v) : "memory"); }

#define TIMED(statement)             \
  for (int i = 0; i < REPEAT; i++) { \
    uint32_t t0 = w_cycle();         \
    statement;                       \
    cycles += w_cycle() - t0;        \
  }

static uint32_t latency_raw(uint32_t kind, uint32_t at) {
  uint32_t cycles = 0;
  volatile uint32_t *p = (volatile uint32_t *)at + w_lane();
  if (kind == BENCH_EMPTY) TIMED(use(0))
  else if (kind == BENCH_READ) TIMED(use(*p))
  else if (kind == BENCH_INC) TIMED(p += 32; use((uint32_t)p))
  else TIMED(use(*p); p += 32; use((uint32_t)p))
  return cycles;
}

static uint32_t latency_ap(uint32_t kind, struct aptr *from) {
  uint32_t cycles = 0;
  struct aptr p = *from;
  use(ap_load4(&p)); /* linked from here on */
  if (kind == BENCH_EMPTY) TIMED(use(0))
  else if (kind == BENCH_READ) TIMED(use(ap_load4(&p)))
  else if (kind == BENCH_INC) TIMED(ap_add(&p, 128); use(p.lo))
  else TIMED(use(ap_load4(&p)); ap_add(&p, 128); use(p.lo))
  *from = p;
  return cycles;
}

/* One page from s to d, `rounds` times, in tiles of TILE accesses. */
#define COPY_LOOP(type, bytes, load, store, advance)                                   \
  for (uint32_t r = 0; r < rounds; r++)                                                \
    for (uint32_t k = 0; k < APD_PAGE / (bytes * 32 * TILE); k++) {                    \
      const int32_t back =                                                             \
          k + 1 < APD_PAGE / (bytes * 32 * TILE) ? 32 * bytes : 32 * bytes - APD_PAGE; \
      type v[TILE];                                                                    \
      _Pragma("GCC unroll 4") for (int i = 0; i < TILE; i++) {                         \
        type x = load(s);                                                              \
        KEEP(x, i);                                                                    \
        v[i] = x;                                                                      \
        advance(s, i + 1 < TILE ? 32 * bytes : back);                                  \
      }                                                                                \
      _Pragma("GCC unroll 4") for (int i = 0; i < TILE; i++) {                         \
        store(d, v[i]);                                                                \
        advance(d, i + 1 < TILE ? 32 * bytes : back);                                  \
      }                                                                                \
    }
#define COPY(name, type, bytes, load, store)                  \
  static void name(uint32_t s, uint32_t d, uint32_t rounds) { \
    COPY_LOOP(type, bytes, load, store, RAW_ADVANCE)          \
  }
#define RAW_ADVANCE(p, n) ((p) += (n))
#define RAW_LOAD4(p) (*(const uint32_t *)(p))
#define RAW_STORE4(p, v) (*(volatile uint32_t *)(p) = (v))
#define RAW_LOAD8(p) w_load8((const void *)(p))
#define RAW_STORE8(p, v) w_store8((void *)(p), v)
#define RAW_LOAD16(p) w_load16((const void *)(p))
#define RAW_STORE16(p, v) w_store16((void *)(p), v)
COPY(copy_raw4, uint32_t, 4, RAW_LOAD4, RAW_STORE4)
COPY(copy_raw8, struct w2, 8, RAW_LOAD8, RAW_STORE8)
COPY(copy_raw16, struct w4, 16, RAW_LOAD16, RAW_STORE16)
#define AP4(p) ap_load4(&(p))
#define AS4(p, v) ap_store4(&(p), v)
#define AP8(p) ap_load8(&(p))
#define AS8(p, v) ap_store8(&(p), v)
#define AP16(p) ap_load16(&(p))
#define AS16(p, v) ap_store16(&(p), v)
#define AP_ADVANCE(p, n) ap_add(&(p), n)
/* Pointers in registers; who called releases them. */
#define COPY_LINKED(name, type, bytes, load, store)                       \
  static void name(struct aptr *from, struct aptr *to, uint32_t rounds) { \
    struct aptr s = *from, d = *to;                                       \
    COPY_LOOP(type, bytes, load, store, AP_ADVANCE)                       \
    *from = s;                                                            \
    *to = d;                                                              \
  }
COPY_LINKED(copy_ap4, uint32_t, 4, AP4, AS4)
COPY_LINKED(copy_ap8, struct w2, 8, AP8, AS8)
COPY_LINKED(copy_ap16, struct w4, 16, AP16, AS16)

static uint32_t sum_raw(uint32_t at, uint32_t pages, uint32_t stride) {
  uint32_t sum = 0;
  for (uint32_t p = 0; p < pages; p++, at += stride * APD_PAGE)
    for (uint32_t k = 0; k < APD_PAGE / 128; k++)
      sum += ((const volatile uint32_t *)at)[k * 32 + w_lane()];
  return sum;
}

static uint32_t sum_ap(struct aptr *from, uint32_t pages, uint32_t stride) {
  uint32_t sum = 0;
  struct aptr q = *from;
  for (uint32_t p = 0; p < pages; p++) {
    for (uint32_t k = 0; k < APD_PAGE / 128; k++) {
      sum += ap_load4(&q);
      if (k + 1 < APD_PAGE / 128) ap_add(&q, 128);
    }
    ap_add(&q, (int32_t)(stride * APD_PAGE) - (APD_PAGE - 128));
  }
  *from = q;
  return sum;
}

static uint32_t sum_gpufs(uint32_t file, uint32_t page, uint32_t pages, uint32_t stride,
                          uint32_t one) {
  uint32_t sum = 0, at;
  for (uint32_t p = 0; p < pages; p++, page += stride) {
    if (ap_gmmap(file, (uint64_t)page << APD_PAGE_BITS, APD_READ, &at)) w_abort(page);
    if (one) sum += *(const volatile uint32_t *)at;
    else
      for (uint32_t k = 0; k < APD_PAGE / 128; k++)
        sum += ((const volatile uint32_t *)at)[k * 32 + w_lane()];
    use(sum);
    ap_gmunmap(at);
  }
  return sum;
}

static uint32_t faults_raw(uint32_t at, uint32_t pages, uint32_t stride) {
  uint32_t sum = 0;
  for (uint32_t p = 0; p < pages; p++, at += stride * APD_PAGE)
    sum += *(const volatile uint32_t *)at;
  return sum;
}

static uint32_t faults_ap(struct aptr *from, uint32_t pages, uint32_t stride) {
  uint32_t sum = 0;
  struct aptr q = *from;
  for (uint32_t p = 0; p < pages; p++) {
    sum += ap_load4(&q);
    ap_add(&q, (int32_t)(stride * APD_PAGE));
  }
  *from = q;
  return sum;
}

/* Page (i + warp) of the block's, 128 bytes of it that no other warp reads. */
static uint32_t tlb_raw(uint32_t at, uint32_t pages) {
  uint32_t sum = 0, page = w_warp() % pages;
  for (uint32_t i = 0; i < 32; i++) {
    sum += ((const volatile uint32_t *)(at + page * APD_PAGE + w_warp() * 128))[w_lane()];
    page = page + 1 < pages ? page + 1 : 0;
  }
  return sum;
}

static uint32_t tlb_ap(struct aptr *from, uint32_t pages) {
  uint32_t sum = 0, page = w_warp() % pages;
  struct aptr q = *from;
  ap_add(&q, (int32_t)(page * APD_PAGE + w_warp() * 128));
  for (uint32_t i = 0; i < 32; i++) {
    uint32_t next = page + 1 < pages ? page + 1 : 0;
    sum += ap_load4(&q);
    ap_add(&q, (int32_t)((next - page) * APD_PAGE));
    page = next;
  }
  *from = q;
  return sum;
}

static void finish(const volatile struct bench_args *a, uint32_t w, uint32_t cycles, uint32_t sum) {
  volatile uint32_t *r = (volatile uint32_t *)(a->result + w * 256) + w_lane();
  r[0] = sum;
  r[32] = cycles;
}

void kernel(const struct apd_system *s, const volatile struct bench_args *a) {
  uint32_t w = w_block() * w_warps() + w_warp(), kind = a->kind, way = a->way, pages = a->pages,
           stride = a->stride, rounds = a->rounds;
  uint32_t cycles = 0, sum = 0, first = w * pages;
  struct aptr src = ap_new(), dst = ap_new();
  ap_begin(s);
  if (stride > 1) first = w; /* pages of the warps interleaved */
  if (kind == BENCH_TLB) first = 0;
  if (way == BENCH_AP) {
    uint64_t bytes = (uint64_t)w_blocks() * w_warps() * pages * APD_PAGE;
    ap_gvmmap(&src, bytes, APD_READ, a->src, 0);
    ap_add(&src, (int32_t)(first << APD_PAGE_BITS));
    if (kind < BENCH_COPY8 || (kind >= BENCH_SUM && a->width == 4))
      ap_add(&src, (int32_t)(w_lane() * 4));
    else if (kind == BENCH_COPY8) ap_add(&src, (int32_t)(w_lane() * 8));
    else if (kind == BENCH_COPY16 || kind >= BENCH_SUM) ap_add(&src, (int32_t)(w_lane() * 16));
    if (kind == BENCH_ADD) {
      ap_assign(&dst, &src);
      ap_add(&dst, (int32_t)(pages / 2 << APD_PAGE_BITS));
      if (a->repeat > 1) use(ap_load4(&dst));
    }
    if (kind >= BENCH_ADD && a->repeat > 1) use(ap_load4(&src));
    if (kind >= BENCH_COPY4 && kind <= BENCH_COPY16) {
      ap_gvmmap(&dst, bytes, APD_READ | APD_WRITE, a->dst, 0);
      ap_add(&dst, (int32_t)((first << APD_PAGE_BITS) + w_lane() * (kind == BENCH_COPY4   ? 4
                                                                    : kind == BENCH_COPY8 ? 8
                                                                                          : 16)));
      /* Both linked before time is taken: the paper's test excludes the page cache. */
      if (kind == BENCH_COPY4) ap_store4(&dst, ap_load4(&src));
      else if (kind == BENCH_COPY8) ap_store8(&dst, ap_load8(&src));
      else ap_store16(&dst, ap_load16(&src));
    }
  }
  w_bar();
  uint32_t begin = w_cycle(), at = a->src + (first << APD_PAGE_BITS),
           to = a->dst + (first << APD_PAGE_BITS), lane = w_lane();
  if (kind <= BENCH_READ_INC)
    cycles = way == BENCH_AP ? latency_ap(kind, &src) : latency_raw(kind, at);
  else if (kind == BENCH_COPY4 && way == BENCH_AP) copy_ap4(&src, &dst, rounds);
  else if (kind == BENCH_COPY8 && way == BENCH_AP) copy_ap8(&src, &dst, rounds);
  else if (kind == BENCH_COPY16 && way == BENCH_AP) copy_ap16(&src, &dst, rounds);
  else if (kind == BENCH_COPY4) copy_raw4(at + lane * 4, to + lane * 4, rounds);
  else if (kind == BENCH_COPY8) copy_raw8(at + lane * 8, to + lane * 8, rounds);
  else if (kind == BENCH_COPY16) copy_raw16(at + lane * 16, to + lane * 16, rounds);
  else if (kind == BENCH_FAULTS) {
    if (way == BENCH_AP) sum = faults_ap(&src, pages, stride);
    else if (way == BENCH_GPUFS) sum = sum_gpufs(a->src, first, pages, stride, 1);
    else sum = faults_raw(at, pages, stride);
  } else if (kind == BENCH_TLB) {
    sum = way == BENCH_AP ? tlb_ap(&src, pages) : tlb_raw(at, pages);
  } else if (kind >= BENCH_ADD) {
    sum = compute(kind, way, a->width, rounds, a->repeat, &src, &dst, at, a->src, first, pages);
  } else {
    if (way == BENCH_AP) sum = sum_ap(&src, pages, stride);
    else if (way == BENCH_GPUFS) sum = sum_gpufs(a->src, first, pages, stride, 0);
    else sum = sum_raw(at, pages, stride);
  }
  use(sum);
  w_fence();
  if (kind > BENCH_READ_INC) cycles = w_cycle() - begin;
  finish(a, w, cycles, sum);
  ap_close(&src);
  ap_close(&dst);
  ap_end();
}
