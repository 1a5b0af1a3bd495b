/* SPDX-License-Identifier: Apache-2.0 */
/** collage.c - image collage (section VI-E): each 32 x 32 block of an input is replaced by the
 * image of a data set whose color histogram is nearest, searched among the candidates in the
 * block's LSH buckets. The data set's histograms, 3 channels of 256 bins of 4 bytes, are the mapped
 * file; a warp handles a block.
 *
 * Data by seed: an image has a palette, pixels around its three base colors, so that images of one
 * palette are near one another and fall into the same buckets. The input repeats palettes as large
 * pictures do. */
#include <errno.h>
#include <stdatomic.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "apointers/workload.h"

enum {
  L = GMMU_AP_LANES,
  PAGE = GMMU_AP_PAGE,
  BINS = 768,
  PIXELS = 1024,
  TABLES = 4,
  HASHES = 6,
  TAPS = 48,
  WIDTH = 48,
  MOST = 32
};
#define NO_IMAGE UINT32_MAX

/** LSH for the Euclidean distance (Datar et al. 2004): floor((a.v + b) / WIDTH), a with TAPS
 * coefficients of +-1. */
struct lsh {
  uint16_t bin[TABLES][HASHES][TAPS];
  int8_t sign[TABLES][HASHES][TAPS];
  int32_t offset[TABLES][HASHES];
};

struct ap_collage {
  struct ap_workload w;
  const char *path;
  struct lsh lsh;
  uint32_t buckets;        /* of a table */
  uint32_t *start[TABLES]; /* bucket -> first of its images in `image` */
  uint32_t *image[TABLES];
  uint32_t *choice; /* of each block */
  _Atomic uint64_t reads;
  uint8_t *touched; /* by the plain search */
};

static uint64_t pitch(const struct ap_workload *w) { return w->padded ? PAGE : BINS * 4; }
uint64_t ap_collage_bytes(const struct ap_workload *w) { return w->images * pitch(w); }

/* ---------------------------------------- data */

static uint64_t mix(uint64_t seed, uint64_t n) {
  struct gmmu_rng r = {seed ^ n * UINT64_C(0xd1342543de82ef95)};
  return gmmu_rng_next(&r);
}

/* Histogram of the picture number `n` with this palette. */
static void draw(uint64_t seed, uint64_t palette, uint64_t n, uint32_t hist[BINS]) {
  struct gmmu_rng r = {mix(seed, n + (UINT64_C(1) << 40))};
  uint64_t base = mix(seed, palette);
  memset(hist, 0, BINS * sizeof *hist);
  for (int p = 0; p < PIXELS; p++) {
    uint64_t v = gmmu_rng_next(&r);
    uint32_t region = (uint32_t)(v & 3) % 3; /* one of the palette's base colors */
    for (uint32_t c = 0; c < 3; c++) {
      uint32_t center = (uint32_t)(base >> (region * 21 + c * 7) & 127) + 56;
      uint32_t noise = (uint32_t)(v >> (8 + 12 * c) & 15) + (uint32_t)(v >> (12 + 12 * c) & 15);
      hist[c * 256 + center + noise]++;
    }
  }
}

static uint64_t palettes(const struct ap_workload *w) { return w->images / 24 + 1; }
static uint64_t palette_of_image(const struct ap_workload *w, uint64_t i) {
  return mix(w->seed, ~i) % palettes(w);
}

static void draw_image(const struct ap_workload *w, uint64_t i, uint32_t hist[BINS]) {
  draw(w->seed, palette_of_image(w, i), i, hist);
}

/* An input's block: a quarter of the blocks come from few palettes, sky and grass. */
static void draw_block(const struct ap_workload *w, uint32_t b, uint32_t hist[BINS]) {
  uint64_t v = mix(w->seed + 1, b);
  uint64_t palette = v % 4 == 0 ? (v >> 8) % 8 % palettes(w) : (v >> 8) % palettes(w);
  draw(w->seed, palette, (UINT64_C(1) << 50) + b, hist);
}

int ap_collage_fill(const struct ap_workload *w, int fd, struct gmmu_err *err) {
  uint32_t many = 256;
  uint64_t step = pitch(w);
  uint8_t *buf = calloc(many, step);
  int bad = buf ? 0 : gmmu_fail(err, "out of memory");
  for (uint64_t i = 0; i < w->images && !bad; i += many) {
    uint64_t n = w->images - i < many ? w->images - i : many;
    uint32_t hist[BINS];
    for (uint64_t k = 0; k < n; k++) {
      draw_image(w, i + k, hist);
      memcpy(buf + k * step, hist, sizeof hist);
    }
    for (size_t done = 0; done < n * step && !bad;) {
      ssize_t k = write(fd, buf + done, n * step - done);
      if (k < 0) bad = gmmu_fail(err, "%s: %s", w->dir, strerror(errno));
      else done += (size_t)k;
    }
    if (w->progress) w->progress(w->progress_arg, "data set", i + n, w->images);
  }
  free(buf);
  return bad;
}

/* ---------------------------------------- LSH */

static void make_lsh(struct lsh *h, uint64_t seed) {
  struct gmmu_rng r = {seed + 99};
  for (int t = 0; t < TABLES; t++)
    for (int k = 0; k < HASHES; k++) {
      h->offset[t][k] = (int32_t)gmmu_rng_below(&r, WIDTH);
      for (int i = 0; i < TAPS; i++) {
        h->bin[t][k][i] = (uint16_t)gmmu_rng_below(&r, BINS);
        h->sign[t][k][i] = gmmu_rng_below(&r, 2) ? 1 : -1;
      }
    }
}

static uint32_t bucket_of(const struct ap_collage *c, int table, const uint32_t hist[BINS]) {
  uint64_t key = 0;
  for (int k = 0; k < HASHES; k++) {
    int32_t sum = c->lsh.offset[table][k];
    for (int i = 0; i < TAPS; i++)
      sum += c->lsh.sign[table][k][i] * (int32_t)hist[c->lsh.bin[table][k][i]];
    int32_t cell = sum >= 0 ? sum / WIDTH : -((WIDTH - 1 - sum) / WIDTH);
    key = key * 1000003u + (uint32_t)cell;
  }
  return (uint32_t)(mix(7, key) % c->buckets);
}

/* Images by bucket, ascending numbers in each. */
static int index_images(struct ap_collage *c, struct gmmu_err *err) {
  uint32_t hist[BINS], *key = malloc((size_t)c->w.images * TABLES * sizeof *key);
  if (!key) return gmmu_fail(err, "out of memory");
  for (uint64_t i = 0; i < c->w.images; i++) {
    draw_image(&c->w, i, hist);
    for (int t = 0; t < TABLES; t++) key[i * TABLES + (unsigned)t] = bucket_of(c, t, hist);
    if (c->w.progress && ((i + 1) % 4096 == 0 || i + 1 == c->w.images))
      c->w.progress(c->w.progress_arg, "index", i + 1, c->w.images);
  }
  for (int t = 0; t < TABLES; t++) {
    uint32_t *start = c->start[t];
    for (uint64_t i = 0; i < c->w.images; i++) start[key[i * TABLES + (unsigned)t] + 1]++;
    for (uint32_t b = 0; b < c->buckets; b++) start[b + 1] += start[b];
    uint32_t *fill = malloc((size_t)c->buckets * sizeof *fill);
    if (!fill) {
      free(key);
      return gmmu_fail(err, "out of memory");
    }
    memcpy(fill, start, (size_t)c->buckets * sizeof *fill);
    for (uint64_t i = 0; i < c->w.images; i++)
      c->image[t][fill[key[i * TABLES + (unsigned)t]]++] = (uint32_t)i;
    free(fill);
  }
  free(key);
  return 0;
}

/* Candidates of a histogram, without repetition, at most MOST a table. */
static uint32_t candidates(const struct ap_collage *c, const uint32_t hist[BINS],
                           uint32_t out[TABLES * MOST]) {
  uint32_t n = 0;
  for (int t = 0; t < TABLES; t++) {
    uint32_t b = bucket_of(c, t, hist), end = c->start[t][b + 1], first = c->start[t][b];
    for (uint32_t k = first; k < end && k < first + MOST; k++) {
      uint32_t seen = 0;
      while (seen < n && out[seen] != c->image[t][k]) seen++;
      if (seen == n) out[n++] = c->image[t][k];
    }
  }
  return n;
}

/* ---------------------------------------- kernel */

/* Sum over lanes of their partial sums: five shuffles on a GPU. */
static uint64_t reduce(const uint64_t part[L]) {
  uint64_t sum = 0;
  for (int i = 0; i < L; i++) sum += part[i];
  return sum;
}

static uint64_t distance_apointer(struct gmmu_ap_warp *w, struct gmmu_apv *p, uint64_t at,
                                  const uint32_t hist[BINS]) {
  uint64_t part[L] = {0};
  uint32_t words[L][4];
  int64_t d[L];
  for (uint32_t i = 0; i < L; i++) d[i] = (int64_t)(at + i * 16) - gmmu_ap_position(w, p, i);
  gmmu_ap_add(w, p, d);
  for (uint32_t n = 0; n < BINS / (L * 4); n++) {
    gmmu_ap_load(w, p, words, 16);
    for (uint32_t i = 0; i < L; i++)
      for (uint32_t k = 0; k < 4; k++) {
        int64_t x = (int64_t)words[i][k] - hist[n * L * 4 + i * 4 + k];
        part[i] += (uint64_t)(x * x);
      }
    if (n + 1 < BINS / (L * 4)) gmmu_ap_add_all(w, p, L * 16);
  }
  return reduce(part);
}

static uint64_t distance(const uint32_t a[BINS], const uint32_t b[BINS]) {
  uint64_t sum = 0;
  for (int i = 0; i < BINS; i++) sum += (uint64_t)(((int64_t)a[i] - b[i]) * ((int64_t)a[i] - b[i]));
  return sum;
}

static bool distance_gpufs(struct gmmu_ap_warp *w, bool padded, int file, uint64_t at,
                           const uint32_t hist[BINS], uint64_t *d) {
  uint32_t words[BINS];
  void *page;
  if (padded) { /* one page, pinned while it is read */
    if (gmmu_ap_gmmap(w, file, at, GMMU_AP_READ, &page)) return false;
    memcpy(words, page, sizeof words);
    gmmu_ap_gmunmap(w, page);
  } else if (gmmu_ap_gread(w, file, at, words, sizeof words)) {
    return false;
  }
  *d = distance(words, hist);
  return true;
}

void ap_collage_kernel(struct gmmu_ap_warp *w, void *collage) {
  struct ap_collage *c = collage;
  uint32_t hist[BINS], list[TABLES * MOST];
  struct gmmu_apv *p = gmmu_ap_open(w, false);
  int f;
  if (gmmu_ap_gopen(w, c->path, GMMU_AP_READ, &f)) return;
  if (gmmu_ap_gvmmap(w, ap_collage_bytes(&c->w), GMMU_AP_READ, f, 0, p)) return;
  for (uint32_t b = gmmu_ap_block(w) * c->w.warps + gmmu_ap_warp_id(w); b < c->w.image_blocks;
       b += c->w.blocks * c->w.warps) {
    uint64_t best = UINT64_MAX, d;
    uint32_t choice = NO_IMAGE;
    draw_block(&c->w, b, hist);
    uint32_t n = candidates(c, hist, list);
    for (uint32_t k = 0; k < n; k++) {
      if (c->w.through == AP_POINTERS) d = distance_apointer(w, p, list[k] * pitch(&c->w), hist);
      else if (!distance_gpufs(w, c->w.padded, f, list[k] * pitch(&c->w), hist, &d)) return;
      if (d < best || (d == best && list[k] < choice)) best = d, choice = list[k];
    }
    c->choice[b] = choice;
    atomic_fetch_add_explicit(&c->reads, n, memory_order_relaxed);
  }
}

/* ---------------------------------------- plain program */

int ap_collage_check(struct ap_collage *c, uint64_t *wrong, uint64_t *values,
                     struct gmmu_err *err) {
  int fd = open(c->path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return gmmu_fail(err, "%s: %s", c->path, strerror(errno));
  for (uint32_t b = 0; b < c->w.image_blocks; b++) {
    uint32_t hist[BINS], words[BINS], list[TABLES * MOST], choice = NO_IMAGE;
    uint64_t best = UINT64_MAX;
    draw_block(&c->w, b, hist);
    uint32_t n = candidates(c, hist, list);
    for (uint32_t k = 0; k < n; k++) {
      if (pread(fd, words, sizeof words, (off_t)(list[k] * pitch(&c->w))) !=
          (ssize_t)sizeof words) {
        close(fd);
        return gmmu_fail(err, "%s: histogram %u cannot be read", c->path, list[k]);
      }
      c->touched[list[k]] = 1;
      uint64_t d = distance(words, hist);
      if (d < best || (d == best && list[k] < choice)) best = d, choice = list[k];
    }
    *wrong += choice != c->choice[b];
    *values += 1;
  }
  close(fd);
  return 0;
}

void ap_collage_reuse(const struct ap_collage *c, uint64_t *reads, uint64_t *distinct) {
  *reads = c->reads;
  *distinct = 0;
  for (uint64_t i = 0; i < c->w.images; i++) *distinct += c->touched[i];
}

int ap_collage_new(struct ap_collage **out, const struct ap_workload *w, const char *path,
                   struct gmmu_err *err) {
  struct ap_collage *c = calloc(1, sizeof *c);
  if (!(*out = c)) return gmmu_fail(err, "out of memory");
  c->w = *w;
  c->path = path;
  c->buckets = (uint32_t)(w->images / 8 + 1);
  c->choice = malloc(w->image_blocks * sizeof *c->choice);
  c->touched = calloc(w->images, 1);
  for (int t = 0; t < TABLES; t++) {
    c->start[t] = calloc((size_t)c->buckets + 1, sizeof **c->start);
    c->image[t] = malloc(w->images * sizeof **c->image);
    if (!c->start[t] || !c->image[t]) return gmmu_fail(err, "out of memory");
  }
  if (!c->choice || !c->touched) return gmmu_fail(err, "out of memory");
  make_lsh(&c->lsh, w->seed);
  return index_images(c, err);
}

void ap_collage_free(struct ap_collage *c) {
  if (!c) return;
  for (int t = 0; t < TABLES; t++) {
    free(c->start[t]);
    free(c->image[t]);
  }
  free(c->choice);
  free(c->touched);
  free(c);
}
