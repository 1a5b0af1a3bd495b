/* SPDX-License-Identifier: Apache-2.0 */
/** test_apring.c - the host's side of ActivePointers on files that cannot be read or written: it is
 * compiled here with a read and a write that fail when told to. */
#include "apointer_rig.h"

#include <errno.h>

#include "common/write_inside.h"

static atomic_int fail_read, fail_write; /* errno of the next one */
static atomic_int at_most = PAGE;        /* bytes of one read */
static ssize_t told_pread(int fd, void *to, size_t n, off_t at) {
  int e = atomic_load(&fail_read);
  size_t most = (size_t)atomic_load(&at_most);
  if (e && (most == PAGE || at % PAGE)) {
    atomic_store(&fail_read, 0);
    errno = e;
    return -1;
  }
  return pread(fd, to, n < most ? n : most, at);
}

static int told_write(int fd, const void *from, size_t n, off_t at) {
  int e = atomic_exchange(&fail_write, 0);
  return e ? e : gmmu_write_inside(fd, from, n, at);
}

#define pread told_pread
#define gmmu_write_inside told_write
#include "apointers/host_ring.c"
#undef pread

static struct ap_ring *ring; /* a new one for each test: one that failed leaves its thread */
static int file;

static void start(void) {
  const struct gmmu_ap_config cfg = {.ring_slots = 2, .batch = 2};
  struct gmmu_err err = {""};
  ring = calloc(1, sizeof *ring);
  assert_non_null(ring);
  alarm(60);
  make_file(2 * PAGE + 10);
  if (ap_ring_init(ring, &cfg, &err)) fail_msg("%s", err.msg);
  assert_int_equal(ap_ring_open(ring, path, GMMU_AP_RDWR, &file), GMMU_AP_OK);
  file = AP_FILE_NUMBER(file);
}

static void stop(void) {
  alarm(0);
  ap_ring_free(ring);
  free(ring);
  unlink(path);
}

static void test_reads(void **state) {
  uint8_t got[PAGE];
  (void)state;
  start();
  for (int i = 0; i < 2; i++) { /* at once, and after a part */
    atomic_store(&at_most, i ? 1000 : PAGE);
    atomic_store(&fail_read, EIO);
    assert_int_equal(ap_ring_read(ring, file, 1, got), GMMU_AP_IO);
    atomic_store(&fail_read, EINTR); /* no error */
    assert_int_equal(ap_ring_read(ring, file, 1, got), GMMU_AP_OK);
    assert_memory_equal(got, content + PAGE, PAGE);
    assert_int_equal(atomic_load(&fail_read), 0);
  }
  assert_int_equal(ap_ring_read(ring, file, 2, got), GMMU_AP_OK);
  assert_memory_equal(got, content + 2 * PAGE, 10);
  assert_int_equal(ap_ring_read(ring, file, 3, got), GMMU_AP_EOF);
  stop();
}

static void test_writes(void **state) {
  uint8_t page[PAGE], got[PAGE];
  (void)state;
  start();
  memset(page, 0xa5, sizeof page);
  atomic_store(&fail_write, ENOSPC);
  assert_int_equal(ap_ring_write(ring, file, 1, page), GMMU_AP_IO);
  assert_int_equal(ap_ring_read(ring, file, 1, got), GMMU_AP_OK);
  assert_memory_equal(got, content + PAGE, PAGE);
  assert_int_equal(ap_ring_write(ring, file, 1, page), GMMU_AP_OK);
  assert_int_equal(ap_ring_read(ring, file, 1, got), GMMU_AP_OK);
  assert_memory_equal(got, page, PAGE);
  stop();
}

/* Handles of one file: one number, each with the mode that it was opened with. */
static void test_handles(void **state) {
  int reads, again;
  (void)state;
  start();
  assert_int_equal(ap_ring_open(ring, path, GMMU_AP_READ, &reads), GMMU_AP_OK);
  assert_int_equal(AP_FILE_NUMBER(reads), file);
  assert_int_equal(ap_ring_mode(ring, reads), GMMU_AP_READ);
  assert_int_equal(ap_ring_open(ring, path, GMMU_AP_WRITE, &again), GMMU_AP_OK);
  assert_int_equal(AP_FILE_NUMBER(again), file);
  assert_int_equal(ap_ring_mode(ring, again), GMMU_AP_RDWR);
  for (int i = -1; i < 1 << 12; i++)
    assert_int_equal(ap_ring_mode(ring, i), i == reads   ? GMMU_AP_READ
                                            : i == again ? GMMU_AP_RDWR
                                                         : 0);
  int other; /* a file that was only opened to be read */
  unlink(path);
  make_file(PAGE);
  assert_int_equal(ap_ring_open(ring, path, GMMU_AP_READ, &other), GMMU_AP_OK);
  assert_int_equal(ap_ring_mode(ring, other), GMMU_AP_READ);
  assert_int_equal(ap_ring_mode(ring, other | AP_MAY_WRITE), 0);
  stop();
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_reads), cmocka_unit_test(test_writes),
                                     cmocka_unit_test(test_handles)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
