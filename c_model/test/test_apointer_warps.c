/* SPDX-License-Identifier: Apache-2.0 */
/** test_apointer_warps.c - many warps on few frames: random accesses against plain memory,
 * contention, barriers, files that shrink. */
#include "apointer_rig.h"
#include "common/write_inside.h"

/* ---------------------------------------- random, against plain memory */

struct random_arg {
  uint64_t seed;
  uint32_t pages, ops;
  bool unaligned;
};

/* After each operation, while the other warps are in the middle of theirs. */
static void watch(struct gmmu_ap_warp *w) {
  struct gmmu_err err = {""};
  if (gmmu_ap_watch(w, &err)) fail_msg("%s", err.msg);
}

/* Each warp owns a slice of the file at an odd offset and reads and writes it at random through two
 * pointers, copies and moves them; its shadow is plain memory. */
static void random_kernel(struct gmmu_ap_warp *w, void *arg) {
  const struct random_arg *a = arg;
  struct gmmu_rng rng = {a->seed + gmmu_ap_block(w) * 1000 + gmmu_ap_warp_id(w)};
  uint32_t g = gmmu_ap_block(w) * 4 + gmmu_ap_warp_id(w), bytes = a->pages * PAGE - 24;
  uint64_t start = (uint64_t)g * a->pages * PAGE + (a->unaligned ? 13 : 0);
  uint8_t *shadow = malloc(bytes);
  struct gmmu_apv *v[2] = {gmmu_ap_open(w, false), gmmu_ap_open(w, gmmu_rng_below(&rng, 4) == 0)};
  int f;
  assert_non_null(shadow);
  memcpy(shadow, content + start, bytes);
  assert_int_equal(gmmu_ap_gopen(w, path, GMMU_AP_RDWR, &f), GMMU_AP_OK);
  for (int k = 0; k < 2; k++)
    assert_int_equal(gmmu_ap_gvmmap(w, bytes, GMMU_AP_RDWR, f, start, v[k]), GMMU_AP_OK);
  for (uint32_t op = 0; op < a->ops; op++) {
    int k = (int)gmmu_rng_below(&rng, 2);
    uint32_t n = 1u << gmmu_rng_below(&rng, 5), mask = (uint32_t)gmmu_rng_next(&rng);
    if (gmmu_rng_below(&rng, 4) == 0) mask = UINT32_MAX;
    gmmu_ap_set_mask(w, mask);
    if (gmmu_rng_below(&rng, 8) == 0) gmmu_ap_assign(w, v[k], v[!k]);
    watch(w);
    if (gmmu_rng_below(&rng, 16) == 0)
      gmmu_ap_broadcast(w, v[k], v[!k], (uint32_t)gmmu_rng_below(&rng, L));
    watch(w);
    int64_t d[L], near = (int64_t)gmmu_rng_below(&rng, bytes);
    uint8_t buf[L * 16];
    bool few = gmmu_rng_below(&rng, 2);
    for (uint32_t i = 0; i < L; i++) {
      /* lanes apart by their own 16 bytes, so that stores of one access do not meet */
      int64_t room = bytes - 16 * L - 16,
              to = (few ? near % room : (int64_t)gmmu_rng_below(&rng, 3) * (room / 3)) + 16 * i;
      if (a->unaligned) to += (int64_t)(16 - n ? gmmu_rng_below(&rng, 17 - n) : 0);
      else to = to / 16 * 16;
      d[i] = (int64_t)start + to - gmmu_ap_position(w, v[k], i);
    }
    gmmu_ap_add(w, v[k], d);
    watch(w);
    bool write = gmmu_rng_below(&rng, 2);
    for (uint32_t i = 0; i < L * n; i++) buf[i] = (uint8_t)gmmu_rng_next(&rng);
    if (write) gmmu_ap_store(w, v[k], buf, n);
    else gmmu_ap_load(w, v[k], buf, n);
    watch(w);
    for (uint32_t i = 0; i < L; i++) {
      uint8_t *at = shadow + gmmu_ap_position(w, v[k], i) - start;
      if (!(mask >> i & 1)) continue;
      if (write) memcpy(at, buf + i * n, n);
      else assert_memory_equal(at, buf + i * n, n);
    }
  }
  memcpy(content + start, shadow, bytes);
  free(shadow);
}

static void run_random(uint64_t seed, uint32_t blocks, uint32_t warps, uint32_t ops) {
  printf("seed %llu\n", (unsigned long long)seed);
  EACH_BUILD(b) {
    struct random_arg a = {
        .seed = seed, .pages = 6, .ops = ops, .unaligned = b->form == GMMU_AP_LONG};
    make_file((size_t)blocks * 4 * a.pages * PAGE);
    /* room for what can be linked at once: two pointers, a second page each, the TLBs */
    struct gmmu_ap *s = make(2 * warps * 6 + 8, b->tlb, b->form, b->prefetch);
    assert_int_equal(launch(s, blocks, warps, random_kernel, &a), 0);
    struct gmmu_ap_stats st;
    gmmu_ap_get_stats(s, &st);
    assert_true(st.evictions > 0 && st.minor > 0 && st.write_backs > 0);
    struct gmmu_err err = {""};
    assert_int_equal(gmmu_ap_drop_cache(s, &err), 0);
    uint8_t *file = malloc(content_bytes);
    int fd = open(path, O_RDONLY);
    assert_int_equal(read(fd, file, content_bytes), (ssize_t)content_bytes);
    assert_memory_equal(file, content, content_bytes);
    close(fd);
    free(file);
    end(s);
  }
}

static void test_random(void **state) {
  const char *seed = getenv("SEED"), *rounds = getenv("ROUNDS");
  (void)state;
  for (uint64_t r = 0; r < (rounds ? strtoull(rounds, NULL, 10) : 1); r++)
    run_random((seed ? strtoull(seed, NULL, 10) : 1) + r, 6, 4, 150);
}

/* ---------------------------------------- contention: one bucket, one page, one frame */

static void contend(struct gmmu_ap_warp *w, void *arg) {
  struct gmmu_rng rng = {gmmu_ap_block(w) * 32 + gmmu_ap_warp_id(w) + *(uint64_t *)arg};
  struct gmmu_apv *p = gmmu_ap_open(w, false);
  uint32_t got[L];
  int f = open_ro(w);
  assert_int_equal(gmmu_ap_gvmmap(w, 64 * PAGE, GMMU_AP_READ, f, 0, p), GMMU_AP_OK);
  for (int k = 0; k < 40; k++) {
    int64_t to = (int64_t)gmmu_rng_below(&rng, 12) * PAGE + 64;
    gmmu_ap_add_all(w, p, to - gmmu_ap_position(w, p, 0));
    gmmu_ap_load(w, p, got, 4);
    watch(w);
    for (int i = 0; i < L; i++) assert_memory_equal(&got[i], content + to, 4);
    gmmu_ap_add_all(w, p,
                    (int64_t)PAGE * 20); /* unlinks: nobody waits for a frame while holding one */
  }
}

static void test_contention(void **state) {
  uint64_t seed = getenv("SEED") ? strtoull(getenv("SEED"), NULL, 10) : 1;
  (void)state;
  for (uint32_t factor = 1; factor <= 16; factor *= 16)
    for (uint32_t tlb = 0; tlb <= 2; tlb += 2) {
      struct gmmu_err err = {""};
      make_file(64 * PAGE);
      struct gmmu_ap_config c = {.pages = 8 + tlb,
                                 .bucket_factor = factor,
                                 .tlb_entries = tlb,
                                 .retry_limit = 100000,
                                 .ring_slots = 2,
                                 .batch = 2};
      struct gmmu_ap *s = gmmu_ap_new(&c, &err);
      assert_non_null(s);
      assert_int_equal(launch(s, 4, 8, contend, &seed), 0);
      struct gmmu_ap_stats st;
      gmmu_ap_get_stats(s, &st);
      assert_true(st.evictions > 12);
      end(s);
    }
}

/* ---------------------------------------- barrier, sync, files that shrink, two mappings */

static void halves(struct gmmu_ap_warp *w, void *arg) {
  struct gmmu_apv *a = gmmu_ap_open(w, false), *b = gmmu_ap_open(w, false);
  uint32_t v[L], got[L];
  int f;
  (void)arg;
  assert_int_equal(gmmu_ap_gopen(w, path, GMMU_AP_RDWR, &f), GMMU_AP_OK);
  assert_int_equal(gmmu_ap_gvmmap(w, 2 * PAGE, GMMU_AP_RDWR, f, 0, a), GMMU_AP_OK);
  assert_int_equal(gmmu_ap_gvmmap(w, PAGE, GMMU_AP_READ, f, PAGE, b), GMMU_AP_OK);
  int64_t at[L];
  for (uint32_t i = 0; i < L; i++)
    at[i] = PAGE + 128 * gmmu_ap_warp_id(w) + 4 * i, v[i] = 1000 * gmmu_ap_warp_id(w) + i;
  gmmu_ap_add(w, a, at);
  gmmu_ap_store(w, a, v, 4);
  gmmu_ap_barrier(w);
  for (uint32_t i = 0; i < L; i++) at[i] = 128 * ((gmmu_ap_warp_id(w) + 1) % 4) + 4 * i;
  gmmu_ap_add(w, b, at); /* what the next warp wrote, through another mapping of the file */
  gmmu_ap_load(w, b, got, 4);
  for (uint32_t i = 0; i < L; i++)
    assert_int_equal(got[i], 1000 * ((gmmu_ap_warp_id(w) + 1) % 4) + i);
  gmmu_ap_barrier(w);
  if (gmmu_ap_warp_id(w) == 0) {
    assert_int_equal(gmmu_ap_gvmsync(w, a, 0), GMMU_AP_OK);
    int fd = open(path, O_RDONLY);
    assert_int_equal(pread(fd, got, sizeof got, PAGE + 128), (ssize_t)sizeof got);
    close(fd);
    for (uint32_t i = 0; i < L; i++) assert_int_equal(got[i], 1000 + i);
  }
  if (gmmu_ap_warp_id(w) == 3) return; /* ends while the others wait: they go on */
  gmmu_ap_barrier(w);
}

static void test_barrier_sync(void **state) {
  (void)state;
  EACH_BUILD(b) {
    make_file(2 * PAGE);
    struct gmmu_ap *s = make(4, b->tlb, b->form, b->prefetch);
    assert_int_equal(launch(s, 1, 4, halves, NULL), 0);
    end(s);
  }
}

static void last_page(struct gmmu_ap_warp *w, void *arg) {
  struct gmmu_apv *p = gmmu_ap_open(w, false);
  uint8_t got[L];
  int f, phase = *(int *)arg;
  assert_int_equal(gmmu_ap_gopen(w, path, GMMU_AP_RDWR, &f), GMMU_AP_OK);
  assert_int_equal(gmmu_ap_gvmmap(w, 4 * PAGE, GMMU_AP_RDWR, f, 0, p), GMMU_AP_OK);
  int64_t at = phase == 0 ? 3 * PAGE + 90 : phase == 1 ? 90 : 3 * PAGE;
  gmmu_ap_add_all(w, p, at);
  gmmu_ap_set_mask(w, 1);
  gmmu_ap_load(w, p, got, 1);
  assert_int_equal(got[0], phase == 0 ? content[at] : 0);
  if (phase == 0) {
    gmmu_ap_store(w, p, "\xaa", 1);
    gmmu_ap_add_all(
        w, p, 20); /* behind the end of the file, in its last page: zero, and not written back */
    gmmu_ap_load(w, p, got, 1);
    assert_int_equal(got[0], 0);
    gmmu_ap_store(w, p, "\xbb", 1);
  }
}

static void test_file_ends(void **state) {
  (void)state;
  struct gmmu_err err = {""};
  int phase = 0;
  size_t n;
  uint64_t more;
  make_file(3 * PAGE + 100);
  struct gmmu_ap *s = make(8, 0, GMMU_AP_LONG, false);
  assert_int_equal(launch(s, 1, 1, last_page, &phase), 0);
  assert_int_equal(gmmu_ap_drop_cache(s, &err), 0);
  struct gmmu_ap_stats st;
  gmmu_ap_get_stats(s, &st);
  assert_int_equal(st.host_bytes, 2 * 100); /* read and written: nothing behind the end */
  uint8_t tail[64];
  int fd = open(path, O_RDONLY);
  assert_int_equal(pread(fd, tail, sizeof tail, 3 * PAGE + 80), 20); /* it did not grow */
  assert_int_equal(tail[10], 0xaa);
  close(fd);
  assert_int_equal(truncate(path, 50),
                   0); /* shrinks while it is open: an error, not a hang; what is left reads on */
  phase = 1;
  assert_int_equal(launch(s, 1, 1, last_page, &phase), 0);
  phase = 2;
  assert_int_equal(launch(s, 1, 1, last_page, &phase), 1);
  const struct gmmu_ap_record *r = gmmu_ap_records(s, &n, &more);
  assert_int_equal(n, 1);
  assert_int_equal(r->error, GMMU_AP_EOF);
  end(s);
}

/* The moment between a look at a file's length and the write: it shrank. What is inside is written,
 * and it stays as short as it is. */
static void test_shrinks_before_a_write(void **state) {
  static const off_t lengths[] = {3 * PAGE, PAGE + 100, PAGE, 50, 0};
  uint8_t page[PAGE], got[PAGE];
  (void)state;
  memset(page, 0xa5, sizeof page);
  for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
    make_file(3 * PAGE);
    int fd = open(path, O_RDWR);
    assert_int_equal(ftruncate(fd, lengths[i]), 0);
    assert_int_equal(gmmu_write_inside(fd, page, PAGE, PAGE), 0);
    assert_int_equal(lseek(fd, 0, SEEK_END), lengths[i]);
    ssize_t left = lengths[i] > 2 * PAGE ? PAGE : lengths[i] > PAGE ? lengths[i] - PAGE : 0;
    assert_int_equal(pread(fd, got, PAGE, PAGE), left);
    assert_memory_equal(got, page, (size_t)left);
    left = lengths[i] < PAGE ? lengths[i] : PAGE;
    assert_int_equal(pread(fd, got, PAGE, 0), left);
    assert_memory_equal(got, content, (size_t)left);
    close(fd);
    unlink(path);
  }
  int fd = open("/dev/null", O_RDONLY);
  assert_int_not_equal(gmmu_write_inside(fd, page, PAGE, 0), 0);
  close(fd);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_random), cmocka_unit_test(test_contention),
      cmocka_unit_test(test_barrier_sync), cmocka_unit_test(test_file_ends),
      cmocka_unit_test(test_shrinks_before_a_write)};
  signal(SIGALRM, watchdog);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
