/* SPDX-License-Identifier: Apache-2.0 */
/** test_apsync.c - gvmsync beside eviction: the page that it found dirty is evicted and brought
 * again, or its frame holds another page, before it takes its reference. Whether that happens is up
 * to threads, so this test holds them: the page cache is compiled here with a call after each plain
 * atomic load, and the host's side is an array. With that host the rules of the page cache by
 * hand: the clock, tries, a page that another warp brings into the last frame, pages that cannot be
 * read or written. */
#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static void looked_at(const volatile void *p);
#undef atomic_load
#define atomic_load(p)                                                  \
  __extension__({                                                       \
    __auto_type value_ = atomic_load_explicit(p, memory_order_seq_cst); \
    looked_at(p);                                                       \
    value_;                                                             \
  })
#include "apointers/page_cache.c"

enum { PAGE = GMMU_AP_PAGE, PAGES = 8, READ_ONLY = 1 }; /* a file of that number */

static struct ap_cache cache;
static uint8_t disk[PAGES][PAGE];
static atomic_int writes, reads;
static enum gmmu_ap_error bad_read, bad_write; /* what the host answers ... */
static enum gmmu_ap_error bad_write_at[PAGES]; /* ... to writes of a page */
static atomic_bool hold;                       /* the next page that is asked for waits */
static sem_t asked, go_on;

enum gmmu_ap_error ap_ring_read(struct ap_ring *r, int file, uint64_t page, uint8_t *to) {
  (void)r, (void)file;
  if (atomic_exchange(&hold, false)) {
    sem_post(&asked);
    sem_wait(&go_on);
  }
  atomic_fetch_add(&reads, 1);
  if (bad_read) return bad_read;
  memcpy(to, disk[page], PAGE);
  return GMMU_AP_OK;
}

enum gmmu_ap_error ap_ring_write(struct ap_ring *r, int file, uint64_t page, const uint8_t *from) {
  (void)r;
  atomic_fetch_add(&writes, 1);
  if (file == READ_ONLY) return GMMU_AP_IO;
  if (bad_write) return bad_write;
  if (bad_write_at[page]) return bad_write_at[page];
  memcpy(disk[page], from, PAGE);
  return GMMU_AP_OK;
}

static void touch(int file, uint64_t page) {
  uint32_t frame;
  assert_int_equal(ap_cache_get(&cache, AP_KEY(file, page), 1, false, NULL, NULL, &frame), 0);
  ap_cache_put(&cache, frame, 1);
}

static bool back; /* does the page come back */
static void *others(void *arg) {
  (void)arg;
  touch(back ? 0 : READ_ONLY, 5); /* evicts page 1, whose evictor writes it */
  if (back) {
    atomic_store(&hold, true);
    touch(0, 1); /* and brings it again: for now its frame has the bytes of page 5 */
  } else {
    sem_post(&asked);
  }
  return NULL;
}

static pthread_t thread;
static const volatile void *armed;
static void (*instead)(void); /* of the thread */
static void looked_at(const volatile void *p) {
  if (!armed || p != armed) return;
  armed = NULL;
  if (instead) {
    instead();
    return;
  }
  assert_int_equal(pthread_create(&thread, NULL, others, NULL), 0);
  sem_wait(&asked);
}

static void sync_beside_eviction(bool comes_back) {
  const struct gmmu_ap_config cfg = {.pages = 1, .bucket_factor = 16, .retry_limit = 1000};
  struct gmmu_err err = {""};
  uint32_t frame;
  back = comes_back;
  memset(&cache, 0, sizeof cache);
  atomic_store_explicit(&writes, 0, memory_order_seq_cst);
  for (int i = 0; i < PAGES; i++) memset(disk[i], 0x10 + i, PAGE);
  sem_init(&asked, 0, 0);
  sem_init(&go_on, 0, 0);
  if (ap_cache_init(&cache, &cfg, NULL, &err)) fail_msg("%s", err.msg);
  assert_int_equal(ap_cache_get(&cache, AP_KEY(0, 1), 1, true, NULL, NULL, &frame), 0);
  memset(ap_cache_data(&cache, frame), 0xaa, PAGE);
  ap_cache_put(&cache, frame, 1);

  alarm(60); /* a wait that nobody ends */
  armed = &cache.frame[frame].dirty;
  assert_int_equal(ap_cache_sync(&cache, 0, 0, PAGES), 0);
  assert_null(armed);
  sem_post(&go_on);
  pthread_join(thread, NULL);
  alarm(0);

  for (int i = 0; i < PAGE; i++) assert_int_equal(disk[1][i], 0xaa);
  assert_int_equal(atomic_load_explicit(&writes, memory_order_seq_cst), 1);
  if (ap_cache_audit(&cache, 0, &err)) fail_msg("%s", err.msg);
  ap_cache_free(&cache);
}

static void test_page_on_its_way_back(void **state) {
  (void)state;
  sync_beside_eviction(true);
}

/* Its frame holds a page of another file by then, which is no business of this mapping's. */
static void test_page_of_another_file(void **state) {
  (void)state;
  sync_beside_eviction(false);
}

/* ---------------------------------------- rules by hand */

static void make_cache(uint32_t pages, uint32_t tries) {
  const struct gmmu_ap_config cfg = {.pages = pages, .bucket_factor = 1, .retry_limit = tries};
  struct gmmu_err err = {""};
  memset(&cache, 0, sizeof cache);
  atomic_store_explicit(&reads, 0, memory_order_seq_cst);
  for (int i = 0; i < PAGES; i++) memset(disk[i], 0x10 + i, PAGE);
  sem_init(&asked, 0, 0);
  sem_init(&go_on, 0, 0);
  if (ap_cache_init(&cache, &cfg, NULL, &err)) fail_msg("%s", err.msg);
}

static void end_cache(void) {
  struct gmmu_err err = {""};
  if (ap_cache_audit(&cache, 0, &err)) fail_msg("%s", err.msg);
  ap_cache_free(&cache);
}

static enum gmmu_ap_error get(uint64_t page, bool dirty, uint32_t *frame) {
  return ap_cache_get(&cache, AP_KEY(0, page), 1, dirty, NULL, NULL, frame);
}

/* A page that was used since the hand passed gets a second turn. */
static void test_clock(void **state) {
  static const uint64_t touched[] = {0, 1, 2, 3, 4, 1, 5, 1};
  (void)state;
  make_cache(4, 10);
  for (size_t i = 0; i < sizeof touched / sizeof *touched; i++) touch(0, touched[i]);
  /* 4 takes the place of 0, 5 that of 2 */
  assert_int_equal(atomic_load_explicit(&reads, memory_order_seq_cst), 6);
  end_cache();
}

/* All frames referenced: so many tries as the parameter says, then the error. */
static void test_tries(void **state) {
  uint32_t frame[3];
  (void)state;
  make_cache(2, 7);
  for (uint32_t i = 0; i < 2; i++) assert_int_equal(get(i, false, &frame[i]), GMMU_AP_OK);
  assert_int_equal(get(2, false, &frame[2]), GMMU_AP_NO_PAGE);
  assert_int_equal(cache.pressure, 7);
  for (uint32_t i = 0; i < 2; i++) ap_cache_put(&cache, frame[i], 1);
  end_cache();
}

/* All frames are referenced. Between two tries somebody takes the one that is free again, for the
 * very page that is asked for, and keeps it. */
struct other {
  bool done, gave; /* gave: what the caller is told */
  uint32_t frame;
};
static bool takes_the_last_frame(void *arg) {
  struct other *o = arg;
  if (o->done) return false;
  o->done = true;
  ap_cache_put(&cache, o->frame, 1);
  assert_int_equal(get(1, false, &o->frame), GMMU_AP_OK);
  return o->gave;
}

static void test_others_bring_the_page(void **state) {
  (void)state;
  for (int i = 0; i < 4; i++) {
    struct other o = {.gave = i % 2};
    uint32_t frame = 7;
    make_cache(1, i / 2 ? 1 : 100); /* also when it was the last try */
    assert_int_equal(get(5, false, &o.frame), GMMU_AP_OK);
    assert_int_equal(ap_cache_get(&cache, AP_KEY(0, 1), 3, false, takes_the_last_frame, &o, &frame),
                     GMMU_AP_OK);
    assert_int_equal(frame, o.frame);
    assert_int_equal(ap_cache_data(&cache, frame)[0], 0x11);
    ap_cache_put(&cache, frame, 3);
    assert_int_equal(get(2, false, &frame), GMMU_AP_NO_PAGE); /* nobody brings this one */
    ap_cache_put(&cache, o.frame, 1);
    assert_int_equal(cache.retries, 1 + cache.retry_limit);
    end_cache();
  }
}

/* Its data exists nowhere else: it stays, dirty, and who synced or wanted its frame learns of it.
 */
static void test_write_that_fails(void **state) {
  uint32_t frame;
  (void)state;
  make_cache(1, 10);
  assert_int_equal(get(1, true, &frame), GMMU_AP_OK);
  memset(ap_cache_data(&cache, frame), 0xaa, PAGE);
  ap_cache_put(&cache, frame, 1);
  bad_write = GMMU_AP_IO;
  for (int i = 0; i < 2; i++) assert_int_equal(ap_cache_sync(&cache, 0, 0, PAGES), GMMU_AP_IO);
  assert_int_equal(get(2, false, &frame), GMMU_AP_IO);
  bad_write = GMMU_AP_OK;
  assert_int_equal(get(1, false, &frame), GMMU_AP_OK);
  assert_int_equal(ap_cache_data(&cache, frame)[9], 0xaa);
  ap_cache_put(&cache, frame, 1);
  touch(0, 2);
  assert_int_equal(disk[1][9], 0xaa);
  end_cache();
}

/* Two that found the page nowhere and have a frame each: the second one shares the first one's. */
static uint32_t first_frame;
static void enters_first(void) { assert_int_equal(get(1, false, &first_frame), GMMU_AP_OK); }

static void test_two_bring_one_page(void **state) {
  uint32_t frame;
  (void)state;
  make_cache(2, 10);
  instead = enters_first;
  armed = &cache.frame[0].key; /* looked at once the frame is owned */
  assert_int_equal(get(1, false, &frame), GMMU_AP_OK);
  instead = NULL;
  assert_null(armed);
  assert_int_equal(first_frame, 1);
  assert_int_equal(frame, 1);
  ap_cache_put(&cache, frame, 2);
  end_cache();
}

static enum gmmu_ap_error got[2];
static void *get_late(void *arg) {
  uint32_t frame;
  *(enum gmmu_ap_error *)arg = get(3, false, &frame);
  return NULL;
}

/* Who waits for a page that cannot be brought learns why too, and gives back what he counted; it is
 * asked for again when somebody wants it again. */
static void test_read_that_fails(void **state) {
  pthread_t t[2];
  (void)state;
  make_cache(2, 10);
  alarm(60);
  bad_read = GMMU_AP_EOF;
  atomic_store(&hold, true);
  assert_int_equal(pthread_create(&t[0], NULL, get_late, &got[0]), 0);
  sem_wait(&asked);
  assert_int_equal(pthread_create(&t[1], NULL, get_late, &got[1]), 0);
  while (atomic_load_explicit(&cache.frame[0].count, memory_order_seq_cst) != 2) usleep(100);
  sem_post(&go_on);
  for (int i = 0; i < 2; i++) pthread_join(t[i], NULL);
  alarm(0);
  assert_int_equal(got[0], GMMU_AP_EOF);
  assert_int_equal(got[1], GMMU_AP_EOF);
  bad_read = GMMU_AP_OK;
  touch(0, 3);
  end_cache();
}

/* Pages that follow one that could not be written are tried, and the first error is what is said:
 * later ones, of another kind or none, do not cover it. */
static void test_first_error(void **state) {
  uint32_t frame[4];
  (void)state;
  make_cache(4, 10);
  for (uint32_t i = 0; i < 4; i++) {
    assert_int_equal(get(i, true, &frame[i]), GMMU_AP_OK);
    memset(ap_cache_data(&cache, frame[i]), 0x77, PAGE);
    ap_cache_put(&cache, frame[i], 1);
  }
  for (uint32_t i = 1; i < 4; i++) assert_true(frame[i] > frame[i - 1]);
  bad_write_at[1] = GMMU_AP_ACCESS;
  bad_write_at[2] = GMMU_AP_IO;
  assert_int_equal(ap_cache_sync(&cache, 0, 0, PAGES), GMMU_AP_ACCESS);
  assert_int_equal(disk[0][9], 0x77);
  assert_int_equal(disk[3][9], 0x77);
  bad_write_at[1] = GMMU_AP_OK;
  assert_int_equal(ap_cache_sync(&cache, 0, 0, PAGES), GMMU_AP_IO);
  bad_write_at[2] = GMMU_AP_OK;
  assert_int_equal(ap_cache_sync(&cache, 0, 0, PAGES), GMMU_AP_OK);
  assert_int_equal(disk[2][9], 0x77);
  end_cache();
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_page_on_its_way_back),
                                     cmocka_unit_test(test_first_error),
                                     cmocka_unit_test(test_page_of_another_file),
                                     cmocka_unit_test(test_clock),
                                     cmocka_unit_test(test_tries),
                                     cmocka_unit_test(test_others_bring_the_page),
                                     cmocka_unit_test(test_two_bring_one_page),
                                     cmocka_unit_test(test_write_that_fails),
                                     cmocka_unit_test(test_read_that_fails)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
