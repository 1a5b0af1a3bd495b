/* SPDX-License-Identifier: Apache-2.0 */
/** test_apcollage.c - the collage's data and search by themselves: collage.c is compiled here. The
 * kernel and the plain program share them, so that comparing the two shows nothing of these. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "apointers/collage.c"

#include "temp_file.h"

/* ---------------------------------------- data */

static struct ap_workload workload(uint64_t images, bool padded) {
  return (struct ap_workload){.kind = AP_COLLAGE,
                              .blocks = 1,
                              .warps = 1,
                              .images = images,
                              .image_blocks = 1,
                              .seed = 11,
                              .padded = padded,
                              .dir = "/tmp"};
}

/* Sum of squares over the bins, in floating point, which is exact for these counts. */
static double squares(const uint32_t *a, const uint32_t *b) {
  double sum = 0;
  for (int i = 0; i < BINS; i++) sum += pow((double)a[i] - b[i], 2);
  return sum;
}

/* 1,024 pixels in each channel. Pixels lie around three colors, which images of one palette share
 * and others do not: so two of one palette are near; one color has about a half, two a quarter. */
static void test_palettes(void **state) {
  enum { EACH = 8, PALETTES = 30 };
  static uint32_t hist[PALETTES][EACH][BINS];
  (void)state;
  for (uint32_t p = 0; p < PALETTES; p++)
    for (uint32_t n = 0; n < EACH; n++) {
      draw(5, p, p * EACH + n, hist[p][n]);
      for (int c = 0; c < 3; c++) {
        uint32_t pixels = 0;
        for (int i = 0; i < 256; i++) pixels += hist[p][n][c * 256 + i];
        assert_int_equal(pixels, PIXELS);
      }
    }
  double same = 0, other = 0;
  uint32_t apart = 0;
  for (uint32_t p = 0; p < PALETTES; p++) {
    for (uint32_t n = 1; n < EACH; n++) {
      assert_memory_not_equal(hist[p][0], hist[p][n], sizeof hist[p][n]);
      same += squares(hist[p][0], hist[p][n]);
      other += squares(hist[p][0], hist[(p + n) % PALETTES][n]);
    }
    for (int c = 0; c < 3; c++) { /* groups of used bins: two colors may touch, three rarely do */
      uint32_t groups = 0;
      for (int i = 1; i < 256; i++) {
        bool here = false, before = false;
        for (int n = 0; n < EACH; n++) {
          here = here || hist[p][n][c * 256 + i];
          before = before || hist[p][n][c * 256 + i - 1];
        }
        groups += here && !before;
      }
      apart += groups > 1;
    }
  }
  assert_true(same * 4 < other);
  assert_true(apart > PALETTES);
}

/* Number of the nearest of `n` histograms. */
static uint32_t nearest(const uint32_t (*of)[BINS], uint32_t n, const uint32_t *hist) {
  uint32_t best = 0;
  for (uint32_t i = 1; i < n; i++)
    if (squares(of[i], hist) < squares(of[best], hist)) best = i;
  return best;
}

/* Images share palettes, and blocks have those of the images; a quarter of the blocks have one of
 * eight. */
static void test_input(void **state) {
  enum { IMAGES = 960, BLOCKS = 800, MANY = 41 };
  static uint32_t of[MANY][BINS], hist[BINS];
  uint32_t images[MANY] = {0}, blocks[MANY] = {0}, most = 0, few = 0;
  struct ap_workload w = workload(IMAGES, true);
  (void)state;
  assert_int_equal(palettes(&w), MANY);
  for (uint32_t p = 0; p < MANY; p++) draw(w.seed, p, UINT64_C(1) << 60 | p, of[p]);
  for (uint64_t i = 0; i < IMAGES; i++) {
    draw_image(&w, i, hist);
    images[nearest(of, MANY, hist)]++;
    assert_true(squares(of[nearest(of, MANY, hist)], hist) < 3 * squares(of[0], hist) / 2);
  }
  for (uint32_t b = 0; b < BLOCKS; b++) {
    draw_block(&w, b, hist);
    blocks[nearest(of, MANY, hist)]++;
  }
  for (uint32_t p = 0; p < MANY; p++) { /* 23.4 images each in the mean */
    assert_in_range(images[p], 5, 60);
    if (p < 8) few += blocks[p];
    if (blocks[p] > most) most = blocks[p];
  }
  assert_in_range(few, BLOCKS / 4 + BLOCKS / 12, BLOCKS / 4 + BLOCKS / 4); /* 1/4 + 3/4 * 8/41 */
  assert_true(most < BLOCKS / 8);
}

static void add(uint64_t *sum, const void *data, size_t bytes) { /* FNV-1a */
  const uint8_t *p = data;
  for (size_t i = 0; i < bytes; i++) *sum = (*sum ^ p[i]) * UINT64_C(0x100000001b3);
}

/* A seed gives the data that it always gave: what docs/ says of the collage was measured with
 * these images, blocks and hash functions. */
static void test_same_data(void **state) {
  struct ap_workload w = workload(200, false);
  uint64_t images = UINT64_C(0xcbf29ce484222325), blocks = images, functions = images;
  static struct lsh h;
  uint32_t hist[BINS];
  (void)state;
  for (uint64_t i = 0; i < 200; i++) {
    draw_image(&w, i, hist);
    add(&images, hist, sizeof hist);
  }
  for (uint32_t b = 0; b < 64; b++) {
    draw_block(&w, b, hist);
    add(&blocks, hist, sizeof hist);
  }
  make_lsh(&h, w.seed);
  add(&functions, &h, sizeof h);
  assert_int_equal(images, UINT64_C(0xd56f53694a8b0e6d));
  assert_int_equal(blocks, UINT64_C(0x5930216ad6c41e3f));
  assert_int_equal(functions, UINT64_C(0x41b68675a424d4d8));
}

struct told {
  int images, index, index_lines;
};
static void progress(void *arg, const char *what, uint64_t done, uint64_t all) {
  struct told *t = arg;
  assert_true(done <= all);
  t->images += !strcmp(what, "data set") && done == all;
  t->index += !strcmp(what, "index") && done == all;
  t->index_lines += !strcmp(what, "index");
}

/* Each image's histogram at its place in the file, more than are written at a time. */
static void test_file(void **state) {
  uint32_t hist[BINS], got[BINS];
  (void)state;
  for (int padded = 0; padded < 2; padded++) {
    struct told told = {0};
    struct ap_workload w = workload(300, padded);
    struct gmmu_err err;
    uint64_t step = padded ? 4096 : 3072;
    FILE *f = tmpfile();
    w.progress = progress;
    w.progress_arg = &told;
    assert_non_null(f);
    assert_int_equal(ap_collage_fill(&w, fileno(f), &err), 0);
    assert_int_equal(lseek(fileno(f), 0, SEEK_END), 300 * step);
    assert_int_equal(told.images, 1);
    for (uint64_t i = 0; i < 300; i++) {
      draw_image(&w, i, hist);
      assert_int_equal(pread(fileno(f), got, sizeof got, (off_t)(i * step)), sizeof got);
      assert_memory_equal(got, hist, sizeof hist);
    }
    fclose(f);
  }
  struct ap_workload w = workload(3, true); /* a file that cannot be written */
  struct gmmu_err err = {""};
  int fd = open("/dev/null", O_RDONLY);
  assert_int_equal(ap_collage_fill(&w, fd, &err), -1);
  assert_non_null(strstr(err.msg, "/tmp: "));
  close(fd);
}

/* ---------------------------------------- LSH */

/* Coefficients of +-1 on bins of all the histogram, offsets below the width; by the seed. */
static void test_functions(void **state) {
  struct lsh h, again, other;
  uint32_t bins = 0, plus = 0, offsets = 0, n = 0;
  uint8_t seen[BINS] = {0}, begins[WIDTH] = {0};
  (void)state;
  memset(&h, 0, sizeof h), memset(&again, 0, sizeof again), memset(&other, 0, sizeof other);
  make_lsh(&h, 3);
  make_lsh(&again, 3);
  make_lsh(&other, 4);
  assert_memory_equal(&h, &again, sizeof h);
  for (int t = 0; t < TABLES; t++)
    for (int k = 0; k < HASHES; k++) {
      assert_in_range(h.offset[t][k], 0, WIDTH - 1);
      offsets += !begins[h.offset[t][k]]++;
      assert_memory_not_equal(h.bin[t][k], other.bin[t][k], sizeof h.bin[t][k]);
      for (int i = 0; i < TAPS; i++, n++) {
        assert_true(h.bin[t][k][i] < BINS && abs(h.sign[t][k][i]) == 1);
        bins += !seen[h.bin[t][k][i]]++;
        plus += h.sign[t][k][i] == 1;
      }
    }
  assert_true(bins > BINS / 2 && offsets > WIDTH / 8); /* 1,152 and 24 draws */
  assert_in_range(plus, n * 2 / 5, n * 3 / 5);
}

/* The bucket changes when one of a table's sums enters another cell, and only then. */
static void test_cells(void **state) {
  struct ap_collage *c = calloc(1, sizeof *c);
  (void)state;
  c->buckets = 1 << 30;
  for (int t = 0; t < TABLES; t++)
    for (int k = 0; k < HASHES; k++)
      for (int i = 0; i < TAPS; i++) { /* a bin for each function; the others are of all */
        c->lsh.bin[t][k][i] = (uint16_t)(i == 0 || i == TAPS - 1 ? t * HASHES + k : 700 + i);
        c->lsh.sign[t][k][i] = t % 2 ? -1 : 1;
        c->lsh.offset[t][k] = t * 5 + k;
      }
  for (int t = 0; t < TABLES; t++)
    for (int k = 0; k < HASHES; k++) {
      uint32_t hist[BINS] = {0}, bucket[TABLES];
      double cell = floor((t * 5 + k) / 48.0);
      for (int u = 0; u < TABLES; u++) bucket[u] = bucket_of(c, u, hist);
      for (uint32_t v = 1; v < 120; v++) { /* counted twice, by the first tap and the last */
        hist[t * HASHES + k] = v;
        double now = floor((t * 5 + k + (t % 2 ? -2.0 : 2.0) * v) / 48);
        for (int u = 0; u < TABLES; u++)
          assert_int_equal(bucket_of(c, u, hist) != bucket[u], u == t && now != cell);
        cell = now;
        bucket[t] = bucket_of(c, t, hist);
      }
    }
  free(c);
}

/* Each image once in each table, in its bucket, ascending; a histogram's candidates are the first
 * 32 of each of its buckets, none twice. */
static void test_index(void **state) {
  static const uint32_t images[] = {1, 7, 300, 100};
  (void)state;
  for (int v = 0; v < 4; v++) {
    struct told told = {0};
    struct ap_workload w = workload(images[v], false);
    struct ap_collage *c;
    struct gmmu_err err;
    uint32_t hist[BINS], n = images[v], full = 0;
    w.progress = progress;
    w.progress_arg = &told;
    assert_int_equal(ap_collage_new(&c, &w, "", &err), 0);
    assert_true(told.index == 1 && told.index_lines == 1); /* else one in 4,096 images */
    if (v == 3) {                                          /* all in one bucket */
      c->buckets = 1;
      for (int t = 0; t < TABLES; t++) memset(c->start[t], 0, 2 * sizeof *c->start[t]);
      assert_int_equal(index_images(c, &err), 0);
    }
    uint32_t(*bucket)[TABLES] = calloc(n, sizeof *bucket);
    for (uint32_t i = 0; i < n; i++) {
      draw_image(&w, i, hist);
      for (int t = 0; t < TABLES; t++) bucket[i][t] = bucket_of(c, t, hist);
    }
    for (int t = 0; t < TABLES; t++) {
      uint32_t at = 0;
      for (uint32_t b = 0; b < c->buckets; b++) {
        assert_int_equal(c->start[t][b], at);
        for (uint32_t i = 0; i < n; i++)
          if (bucket[i][t] == b) assert_int_equal(c->image[t][at++], i);
      }
      assert_int_equal(c->start[t][c->buckets], n);
    }
    for (uint32_t b = 0; b < 60; b++) {
      uint32_t list[TABLES * MOST], want[TABLES * MOST], k = 0;
      draw_block(&w, b, hist);
      for (int t = 0; t < TABLES; t++) {
        uint32_t here = bucket_of(c, t, hist), taken = 0;
        for (uint32_t i = 0; i < n && taken < MOST; i++) {
          if (bucket[i][t] != here) continue;
          taken++;
          uint32_t seen = 0;
          for (uint32_t x = 0; x < k; x++) seen += want[x] == i;
          if (!seen) want[k++] = i;
        }
        full += taken == MOST;
      }
      assert_int_equal(candidates(c, hist, list), k);
      assert_memory_equal(list, want, k * sizeof *list);
    }
    assert_int_equal(full, v == 3 ? 60 * TABLES : full);
    free(bucket);
    ap_collage_free(c);
  }
}

/* ---------------------------------------- search */

/* A histogram of large and small counts. */
static void counts(uint64_t seed, uint32_t hist[BINS]) {
  struct gmmu_rng r = {seed};
  for (int i = 0; i < BINS; i++)
    hist[i] = (uint32_t)gmmu_rng_below(&r, gmmu_rng_below(&r, 2) ? 1024 : 1 << 20);
}

static int fds(void) {
  int n = 0;
  for (int i = 0; i < 200; i++) n += fcntl(i, F_GETFD) >= 0;
  return n;
}

struct distances {
  const char *path;
  bool padded;
  int compared;
};

static void distances_kernel(struct gmmu_ap_warp *w, void *arg) {
  struct distances *d = arg;
  uint32_t a[BINS], b[BINS];
  struct gmmu_apv *p = gmmu_ap_open(w, false);
  uint64_t step = d->padded ? 4096 : 3072, got;
  int f;
  assert_int_equal(gmmu_ap_gopen(w, d->path, GMMU_AP_READ, &f), 0);
  assert_int_equal(gmmu_ap_gvmmap(w, 9 * step, GMMU_AP_READ, f, 0, p), 0);
  for (uint64_t i = 0; i < 9; i++) {
    uint64_t n = i * 5 % 9;
    counts(n, a);
    counts(100 + i, b);
    double want = squares(a, b);
    assert_true((double)distance(a, b) == want);
    assert_true((double)distance_apointer(w, p, n * step, b) == want);
    assert_true(distance_gpufs(w, d->padded, f, n * step, b, &got) && (double)got == want);
    d->compared++;
  }
  assert_false(distance_gpufs(w, d->padded, f, 10 * step + 4096, b, &got)); /* behind the end */
}

/* The distance of a histogram in the file in each way to read it. */
static void test_distances(void **state) {
  (void)state;
  for (int padded = 0; padded < 2; padded++) {
    struct gmmu_ap_config cfg = {.pages = 16};
    struct gmmu_err err = {""};
    struct distances d = {.padded = padded};
    uint8_t slot[4096] = {0};
    char path[] = TEMP_FILE;
    temp_file(path, "");
    FILE *f = fopen(path, "w");
    for (uint64_t i = 0; i < 9; i++) {
      uint32_t hist[BINS];
      counts(i, hist);
      memcpy(slot, hist, sizeof hist);
      fwrite(slot, padded ? 4096 : 3072, 1, f);
    }
    fclose(f);
    d.path = path;
    struct gmmu_ap *s = gmmu_ap_new(&cfg, &err);
    assert_non_null(s);
    assert_int_equal(gmmu_ap_launch(s, 1, 1, 1, distances_kernel, &d, &err), 0);
    assert_int_equal(d.compared, 9);
    assert_int_equal(gmmu_ap_free(s, &err), 0);
    remove(path);
  }
}

/* Of candidates that are equally near the lowest number, whatever their order: a file of zeros. One
 * wrong choice is counted; without a file, or a mapping of it, nothing is searched. */
static void test_choice(void **state) {
  struct gmmu_ap_config cfg = {.pages = 64};
  struct gmmu_err err = {""};
  (void)state;
  for (int way = 0; way < 4; way++) {
    struct ap_workload w = workload(200, way & 1);
    uint64_t wrong = 0, values = 0, reads, distinct, listed = 0;
    struct ap_collage *c;
    char path[] = TEMP_FILE;
    temp_file(path, "");
    assert_int_equal(truncate(path, 200 * 4096), 0);
    w.through = way & 2 ? AP_GPUFS : AP_POINTERS;
    w.image_blocks = 30;
    assert_int_equal(ap_collage_new(&c, &w, path, &err), 0);
    struct gmmu_ap *s = gmmu_ap_new(&cfg, &err);
    assert_non_null(s);
    int before = fds();
    assert_int_equal(gmmu_ap_launch(s, 1, 1, 1, ap_collage_kernel, c, &err), 0);
    for (uint32_t b = 0; b < 30; b++) {
      uint32_t hist[BINS], list[TABLES * MOST], least = NO_IMAGE;
      draw_block(&w, b, hist);
      uint32_t n = candidates(c, hist, list);
      for (uint32_t k = 0; k < n; k++) least = list[k] < least ? list[k] : least;
      assert_int_equal(c->choice[b], least);
      listed += n;
    }
    c->choice[29] ^= 1;
    assert_int_equal(ap_collage_check(c, &wrong, &values, &err), 0);
    assert_true(wrong == 1 && values == 30);
    ap_collage_reuse(c, &reads, &distinct);
    assert_true(reads == listed && distinct > 0 && distinct <= 200);
    assert_int_equal(fds(), before + 1); /* the host's side holds the file */
    memset(c->choice, 0x5a, 30 * sizeof *c->choice);
    c->w.images = UINT64_C(1) << 50; /* more than a mapping may have */
    assert_int_equal(gmmu_ap_launch(s, 1, 1, 1, ap_collage_kernel, c, &err), 0);
    for (uint32_t b = 0; b < 30; b++) assert_int_equal(c->choice[b], 0x5a5a5a5a);
    c->w.images = 200;
    assert_int_equal(truncate(path, 4096), 0);
    wrong = values = 0;
    assert_int_equal(ap_collage_check(c, &wrong, &values, &err), -1);
    assert_non_null(strstr(err.msg, "cannot be read"));
    assert_int_equal(fds(), before + 1);
    remove(path);
    assert_int_equal(ap_collage_check(c, &wrong, &values, &err), -1);
    assert_non_null(strstr(err.msg, path));
    assert_int_equal(gmmu_ap_free(s, &err), 0);
    ap_collage_free(c);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_palettes),  cmocka_unit_test(test_input),
      cmocka_unit_test(test_same_data), cmocka_unit_test(test_file),
      cmocka_unit_test(test_functions), cmocka_unit_test(test_cells),
      cmocka_unit_test(test_index),     cmocka_unit_test(test_distances),
      cmocka_unit_test(test_choice)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
