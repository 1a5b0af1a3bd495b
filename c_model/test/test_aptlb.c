/* SPDX-License-Identifier: Apache-2.0 */
/** test_aptlb.c - an entry of the software TLB that changes its page between a look at its key and
 * the addition to its count. The TLB is compiled here with a call before each such addition; the
 * host's side gives zeros. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void about_to_add(void);
#undef atomic_compare_exchange_weak_explicit
#define atomic_compare_exchange_weak_explicit(p, was, to, good, bad) \
  (about_to_add(), atomic_compare_exchange_strong_explicit(p, was, to, good, bad))
#include "apointers/software_tlb.c"

enum gmmu_ap_error ap_ring_read(struct ap_ring *r, int file, uint64_t page, uint8_t *to) {
  (void)r, (void)file, (void)page;
  memset(to, 0, GMMU_AP_PAGE);
  return GMMU_AP_OK;
}

enum gmmu_ap_error ap_ring_write(struct ap_ring *r, int file, uint64_t page, const uint8_t *from) {
  (void)r, (void)file, (void)page, (void)from;
  return GMMU_AP_IO;
}

static struct ap_cache cache;
static struct ap_tlb tlb;

/* Another warp links to the page, past the TLB and into it, and unlinks again. */
static void enters(uint64_t page) {
  uint32_t frame;
  assert_int_equal(ap_cache_get(&cache, AP_KEY(0, page), 2, false, NULL, NULL, &frame), 0);
  assert_true(ap_tlb_fill(&tlb, &cache, AP_KEY(0, page), 2, frame));
  ap_tlb_put(&tlb, AP_KEY(0, page), 2);
}

static bool replace;
static void about_to_add(void) {
  if (!replace) return;
  replace = false;
  enters(5); /* the same entry, as there are four */
}

static void test_entry_changes(void **state) {
  const struct gmmu_ap_config cfg = {.pages = 4, .bucket_factor = 16, .retry_limit = 10};
  struct gmmu_err err = {""};
  uint32_t frame = 99;
  (void)state;
  if (ap_cache_init(&cache, &cfg, NULL, &err)) fail_msg("%s", err.msg);
  assert_int_equal(ap_tlb_init(&tlb, 4), 0);
  enters(1);
  replace = true;
  assert_false(ap_tlb_get(&tlb, AP_KEY(0, 1), 3, &frame));
  assert_false(replace);
  assert_int_equal(atomic_load(&tlb.entry[1].count), 0); /* what was added is taken back */
  assert_true(ap_tlb_get(&tlb, AP_KEY(0, 5), 3, &frame));
  assert_true(atomic_load(&cache.frame[frame].key) == AP_KEY(0, 5));
  assert_int_equal(ap_tlb_flush(&tlb, &cache), 0);
  ap_tlb_put(&tlb, AP_KEY(0, 5), 3);
  assert_int_equal(ap_tlb_flush(&tlb, &cache), 1);
  if (ap_cache_audit(&cache, 0, &err)) fail_msg("%s", err.msg);
  ap_tlb_free(&tlb);
  ap_cache_free(&cache);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_entry_changes)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
