/* SPDX-License-Identifier: Apache-2.0 */
/** collage.c - the image collage of section VI-E on the lanes of the SIMT core (bench.h, struct
 * collage_args). A warp takes a block of the input: its color histogram in the scratchpad, the LSH
 * keys of that, the images of these buckets, and of them the one with the nearest histogram, the
 * lower number where two are as near. Histograms are read 16 bytes a lane, by plain pointers,
 * ActivePointers or GPUfs's gmmap. */
#include "ap.h"
#include "bench.h"

enum { BYTES = COLLAGE_BINS * 4, LIST = COLLAGE_TABLES * COLLAGE_MOST };

INLINE void use(uint32_t v) { __asm__ volatile("mv zero, %0" ::"r"(v) : "memory"); }

INLINE void count(uint32_t at) {
  __asm__ volatile("amoadd.w zero, %1, (%0)" ::"r"(at), "r"(1) : "memory");
}

static void histogram(uint32_t hist, uint32_t pixels) {
  uint32_t lane = w_lane();
  for (uint32_t n = 0; n < BYTES / 512; n++)
    w_store16((void *)(hist + n * 512 + lane * 16), (struct w4){{0, 0, 0, 0}});
  for (uint32_t n = 0; n < COLLAGE_PIXELS / 32; n++) {
    uint32_t v = ((const volatile uint32_t *)pixels)[n * 32 + lane];
    count(hist + (v & 255) * 4);
    count(hist + 1024 + (v >> 8 & 255) * 4);
    count(hist + 2048 + (v >> 16 & 255) * 4);
  }
}

/* Lane t * 6 + k computes hash k of table t. */
static uint32_t cells(const volatile struct collage_args *a, uint32_t hist) {
  uint32_t lane = w_lane(), sum = ((const volatile uint32_t *)a->offset)[lane], bins = a->bins;
  for (uint32_t n = 0; n < COLLAGE_TAPS; n++) {
    uint32_t bin = ((const volatile uint32_t *)bins)[n * 32 + lane], minus = -(bin >> 31);
    uint32_t v = *(const volatile uint32_t *)(hist + (bin & 1023) * 4);
    sum += (v ^ minus) - minus;
  }
  return (uint32_t)((int32_t)sum >> COLLAGE_SHIFT);
}

/* Numbers of the candidates, each once, at `list`; how many. */
static uint32_t candidates(const volatile struct collage_args *a, uint32_t hist, uint32_t list) {
  uint32_t lane = w_lane(), cell = cells(a, hist), n = 0, buckets = a->bucket_mask + 1;
  for (uint32_t t = 0; t < COLLAGE_TABLES; t++) {
    uint32_t key = 0;
    for (uint32_t k = 0; k < COLLAGE_HASHES; k++)
      key = key * 1000003u + w_shfl(cell, t * COLLAGE_HASHES + k);
    uint32_t bucket = (key * 0x9e3779b1u >> 8) & (buckets - 1);
    const volatile uint32_t *start =
        (const volatile uint32_t *)a->start + t * (buckets + 1) + bucket;
    uint32_t from = start[0], many = start[1] - from, image = 0;
    many = many < COLLAGE_MOST ? many : COLLAGE_MOST;
    image = ((const volatile uint32_t *)a->image)[t * a->images + from + (lane < many ? lane : 0)];
    for (uint32_t j = 0; j < many; j++) {
      uint32_t x = w_shfl(image, j);
      uint32_t seen = (lane < n) & (*(const volatile uint32_t *)(list + lane * 4) == x);
      seen |= (lane + 32 < n) & (*(const volatile uint32_t *)(list + 128 + lane * 4) == x);
      if (w_any(seen)) continue;
      *(volatile uint32_t *)(list + n * 4) = x;
      n++;
    }
  }
  return n;
}

INLINE uint32_t distance(struct w4 a, uint32_t hist) {
  struct w4 b = w_load16((const void *)hist);
  uint32_t sum = 0;
#pragma GCC unroll 4
  for (int i = 0; i < 4; i++) sum += (a.v[i] - b.v[i]) * (a.v[i] - b.v[i]);
  return sum;
}

static uint32_t distance_raw(uint32_t at, uint32_t hist) {
  uint32_t sum = 0;
  for (uint32_t n = 0; n < BYTES; n += 512)
    sum += distance(w_load16((const void *)(at + n)), hist + n);
  return sum;
}

static uint32_t distance_ap(struct aptr *p, int32_t delta, uint32_t hist) {
  uint32_t sum = 0;
  struct aptr q = *p;
  ap_add(&q, delta);
  for (uint32_t n = 0; n < BYTES; n += 512) {
    sum += distance(ap_load16(&q), hist + n);
    if (n + 512 < BYTES) ap_add(&q, 512);
  }
  *p = q;
  return sum;
}

/* A histogram may lie in two pages: both are pinned while it is read. */
static uint32_t distance_gpufs(uint32_t file, uint32_t offset, uint32_t hist) {
  uint32_t sum = 0, first, second = 0, in = offset & (APD_PAGE - 1), lane = w_lane() * 16,
           two = in + BYTES > APD_PAGE;
  if (ap_gmmap(file, offset, APD_READ, &first)) w_abort(offset);
  if (two && ap_gmmap(file, offset - in + APD_PAGE, APD_READ, &second)) w_abort(offset);
  for (uint32_t n = 0; n < BYTES; n += 512) {
    uint32_t at = in + n + lane, over = -(uint32_t)(at >= APD_PAGE);
    uint32_t from = ((first - in + at) & ~over) | ((second + at - APD_PAGE) & over);
    sum += distance(w_load16((const void *)from), hist + n);
  }
  use(sum);
  ap_gmunmap(first);
  if (two) ap_gmunmap(second);
  return sum;
}

void kernel(const struct apd_system *s, const volatile struct collage_args *a) {
  uint32_t all = w_blocks() * w_warps(), me = w_block() * w_warps() + w_warp(), lane = w_lane(),
           way = a->way, pitch = a->pitch;
  ap_begin(s);
  uint32_t hist = 0xe0000000u + APD_SCRATCH_WORDS * 4 + s->tlb_entries * 16 +
                  w_warp() * (BYTES + LIST * 4),
           list = hist + BYTES;
  struct aptr p = ap_new();
  uint32_t at = lane * 16; /* where p points */
  if (way == BENCH_AP) {
    ap_gvmmap(&p, (uint64_t)a->images * pitch, APD_READ, a->file, 0);
    ap_add(&p, (int32_t)at);
  }
  w_bar();
  uint32_t begin = w_cycle();
  for (uint32_t b = me; b < a->blocks; b += all) {
    uint32_t best = ~0u, choice = ~0u;
    histogram(hist, a->pixels + b * (COLLAGE_PIXELS * 4));
    uint32_t n = candidates(a, hist, list);
    for (uint32_t k = 0; k < n; k++) {
      uint32_t x = *(const volatile uint32_t *)(list + k * 4), d, to = x * pitch;
      if (way == BENCH_AP) {
        d = distance_ap(&p, (int32_t)(to + lane * 16 - at), hist + lane * 16);
        at = to + lane * 16 + BYTES - 512;
      } else if (way == BENCH_GPUFS) {
        d = distance_gpufs(a->file, to, hist + lane * 16);
      } else {
        d = distance_raw(a->file + to + lane * 16, hist + lane * 16);
      }
      for (uint32_t m = 16; m; m /= 2) d += w_shfl(d, lane ^ m);
      uint32_t nearer = -(uint32_t)((d < best) | ((d == best) & (x < choice)));
      best = (d & nearer) | (best & ~nearer);
      choice = (x & nearer) | (choice & ~nearer);
    }
    *(volatile uint32_t *)(a->choice + b * 4) = choice;
  }
  w_fence();
  volatile uint32_t *r = (volatile uint32_t *)(a->result + me * 256) + lane;
  r[0] = 0;
  r[32] = w_cycle() - begin;
  ap_close(&p);
  ap_end();
}
