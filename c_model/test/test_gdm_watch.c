/* SPDX-License-Identifier: Apache-2.0 */
/* The write watch on the sources of copies: every way in which an application may change or lose a
 * buffer that it has copied to the device, by real pages, from its own and from other threads. Also
 * built with ThreadSanitizer. */
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "gdm_watch_rig.h"

static void an_untouched_source_is_not_copied(void **state) {
  struct rig *r = *state;
  struct gdm_stats s;
  copy(r);
  check(r, N);
  gdm_get_stats(r->g, r->c, &s);
  assert_int_equal(s.cow_bytes + s.staged_bytes, 0);
  assert_int_equal(gdm_mem_free(r->p), 0);
  assert_false(gdm_watch_any());
  r->src[5] = 1; /* and is writable again */
}
static void a_write_copies_its_block_only(void **state) {
  struct rig *r = *state;
  copy(r);
  r->src[5 * PAGE + 3] ^= 255;
  assert_int_equal(copied(r), 4 * PAGE);
  r->src[7 * PAGE] ^= 255; /* the same block: no second fault */
  assert_int_equal(copied(r), 4 * PAGE);
  r->src[0] ^= 255;
  assert_int_equal(copied(r), 8 * PAGE);
  check(r, N);
}
static void a_write_behind_the_transfer_copies_nothing(void **state) {
  struct rig *r = *state;
  uint64_t a[1] = {r->p};
  copy(r);
  assert_int_equal(gdm_launch(&touch, a, 1, 1000, &r->p, 1),
                   GDM_ERROR_OUT_OF_MEMORY); /* one object of four blocks */
  gdm_ptr small;
  assert_int_equal(gdm_mem_alloc(&small, 4 * PAGE), 0);
  assert_int_equal(gdm_memcpy_htod(small, r->src, 4 * PAGE), 0);
  a[0] = small;
  assert_int_equal(gdm_launch(&touch, a, 1, 1000, &small, 1), 0);
  assert_int_equal(gdm_synchronize(), 0);
  r->src[1] ^= 255; /* the big region's first block is copied, the small one is on the device */
  assert_int_equal(copied(r), 4 * PAGE);
  check(r, N);
  assert_int_equal(gdm_memcpy_dtoh(r->back, small, 4 * PAGE), 0);
  assert_memory_equal(r->back, r->want, 4 * PAGE);
}
static void partial_pages_are_copied_at_once(void **state) {
  struct rig *r = *state;
  struct gdm_stats s;
  assert_int_equal(gdm_memcpy_htod(r->p, r->src + 100, 3 * PAGE), 0);
  gdm_get_stats(r->g, r->c, &s);
  assert_int_equal(s.staged_bytes, PAGE); /* 3996 in front, 100 behind */
  r->src[0] = r->src[3 * PAGE + 1] = r->src[3 * PAGE + 99] = 1;
  assert_int_equal(copied(r), 0);
  r->src[2 * PAGE] ^= 1;
  memmove(r->want, r->want + 100, 3 * PAGE);
  check(r, 3 * PAGE);
}
static void several_watches_on_a_page(void **state) {
  struct rig *r = *state;
  gdm_ptr q;
  assert_int_equal(gdm_mem_alloc(&q, N), 0);
  copy(r);
  assert_int_equal(gdm_memcpy_htod(q + 2 * PAGE + 17, r->src + PAGE, 6 * PAGE),
                   0); /* blocks' borders in the middle of pages */
  assert_int_equal(gdm_memcpy_htod(q, r->src, PAGE), 0);
  r->src[5 * PAGE] ^= 255;
  r->src[1] ^= 255;
  check(r, N);
  assert_int_equal(gdm_memcpy_dtoh(r->back, q + 2 * PAGE + 17, 6 * PAGE), 0);
  assert_memory_equal(r->back, r->want + PAGE, 6 * PAGE);
  assert_int_equal(gdm_memcpy_dtoh(r->back, q, PAGE), 0);
  assert_memory_equal(r->back, r->want, PAGE);
  assert_int_equal(gdm_mem_free(r->p), 0); /* the pages stay protected for the other */
  r->src[3 * PAGE] ^= 255;
  assert_int_equal(gdm_memcpy_dtoh(r->back, q + 2 * PAGE + 17, 6 * PAGE), 0);
  assert_memory_equal(r->back, r->want + PAGE, 6 * PAGE);
}
static void a_second_copy_takes_the_place_of_the_first(void **state) {
  struct rig *r = *state;
  copy(r);
  r->src[9] = r->want[9] = 77; /* copies the first block */
  assert_int_equal(gdm_memcpy_htod(r->p, r->src, N), 0);
  r->src[9] = 78;
  check(r, N);
}
// Not instrumented: AddressSanitizer of GCC 14 keeps local arrays on a stack of its own, in memory
// that can be watched.
__attribute__((no_sanitize_address)) static void stack_shared_and_read_only_are_copied_at_once(
    void **state) {
  struct rig *r = *state;
  struct gdm_stats s;
  uint8_t local[3 * PAGE];
  memset(local, 5, sizeof local);
  assert_int_equal(gdm_memcpy_htod(r->p, local, sizeof local), 0);
  uint8_t *shared = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  assert_int_equal(gdm_memcpy_htod(r->p, shared, PAGE), 0);
  assert_int_equal(mprotect(r->src, N, PROT_READ), 0);
  assert_int_equal(gdm_memcpy_htod(r->p, r->src, N), 0);
  assert_false(gdm_watch_any());
  gdm_get_stats(r->g, r->c, &s);
  assert_int_equal(s.staged_bytes, 4 * PAGE + N);
  munmap(shared, PAGE);
  check(r, N);
}
static void the_pages_own_protection_comes_back(void **state) {
  struct rig *r = *state;
  char line[256], perms[5] = "";
  assert_int_equal(mprotect(r->src, N, PROT_READ | PROT_WRITE | PROT_EXEC), 0);
  copy(r);
  r->src[0] ^= 1;
  assert_int_equal(gdm_mem_free(r->p), 0);
  assert_int_equal(gdm_mem_alloc(&r->p, N), 0);
  FILE *f = fopen("/proc/self/maps", "r");
  while (fgets(line, sizeof line, f)) {
    unsigned long from, to;
    char p[5];
    if (sscanf(line, "%lx-%lx %4s", &from, &to, p) == 3 && (uintptr_t)r->src >= from &&
        (uintptr_t)r->src + N <= to)
      memcpy(perms, p, 5);
  }
  fclose(f);
  assert_string_equal(perms, "rwxp");
}

/* What a program compiled with _FORTIFY_SOURCE calls. */
ssize_t __read_chk(int fd, void *p, size_t n, size_t room);
ssize_t __pread_chk(int fd, void *p, size_t n, off_t at, size_t room);
ssize_t __pread64_chk(int fd, void *p, size_t n, off64_t at, size_t room);
ssize_t __recv_chk(int fd, void *p, size_t n, size_t room, int flags);
ssize_t __recvfrom_chk(int fd, void *p, size_t n, size_t room, int flags, struct sockaddr *from,
                       socklen_t *len);
size_t __fread_chk(void *p, size_t room, size_t size, size_t n, FILE *f);
size_t __fread_unlocked_chk(void *p, size_t room, size_t size, size_t n, FILE *f);

/* What loses or changes a buffer without a fault. */
static void through_a_free(void **state) {
  struct rig *r = *state;
  uint8_t *heap = malloc(N);
  memcpy(heap, r->want, N);
  assert_int_equal(gdm_memcpy_htod(r->p, heap, N), 0);
  assert_true(gdm_watch_any());
  free(heap);
  assert_false(gdm_watch_any());
  check(r, N);
}
static void through_realloc(void **state) {
  struct rig *r = *state;
#ifndef __SANITIZE_ADDRESS__    /* whose heap gives nothing back */
  mallopt(M_MMAP_THRESHOLD, N); /* its end is unmapped, which nobody is told of */
#endif
  for (int way = 0; way < 2; way++) {
    uint8_t *heap = malloc(4 * N);
    memcpy(heap + 2 * N, r->want, N);
    assert_int_equal(gdm_memcpy_htod(r->p, heap + 2 * N, N), 0);
    heap = way ? reallocarray(heap, 2, N) : realloc(heap, 2 * N);
    assert_non_null(heap);
    check(r, N);
    free(heap);
  }
  for (int way = 0; way < 2; way++) {
    uint8_t *heap = malloc(N);
    memcpy(heap, r->want, N);
    assert_int_equal(gdm_memcpy_htod(r->p, heap, N), 0);
    heap = way ? reallocarray(heap, 64, N) : realloc(heap, 64 * N);
    assert_non_null(heap);
    memset(heap, 1, N);
    check(r, N);
    free(heap);
  }
}
static void through_munmap(void **state) {
  struct rig *r = *state;
  copy(r);
  munmap(r->src, N);
  r->src = NULL;
  check(r, N);
}
/* New memory in the source's place, all of it or a part. */
static void through_mmap_fixed(void **state) {
  struct rig *r = *state;
  for (int way = 0; way < 3; way++) {
    memcpy(r->src, r->want, N);
    assert_int_equal(gdm_memcpy_htod(r->p, r->src, N), 0);
    assert_true(gdm_watch_any());
    size_t off = way ? 2 * PAGE : 0, n = way ? PAGE : N;
    uint8_t *to = way == 2 ? mmap64(r->src + off, n, PROT_READ | PROT_WRITE,
                                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0)
                           : mmap(r->src + off, n, PROT_READ | PROT_WRITE,
                                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    assert_ptr_equal(to, r->src + off);
    memset(to, 9, n); /* writable */
    check(r, N);
  }
}
static void through_mremap(void **state) {
  struct rig *r = *state;
  copy(r);
  uint8_t *hole = mmap(NULL, 4 * N, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  uint8_t *to = mremap(r->src, N, 2 * N, MREMAP_MAYMOVE | MREMAP_FIXED, hole);
  assert_ptr_equal(to, hole);
  memset(to, 9, 2 * N); /* writable */
  munmap(hole, 4 * N);
  r->src = NULL;
  check(r, N);
}
/* Other memory is moved to where the source is. */
static void through_mremap_onto_it(void **state) {
  struct rig *r = *state;
  copy(r);
  uint8_t *other = mmap(NULL, N, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  assert_ptr_equal(mremap(other, N, N, MREMAP_MAYMOVE | MREMAP_FIXED, r->src), r->src);
  memset(r->src, 9, N);
  check(r, N);
}
static void through_madvise(void **state) {
  struct rig *r = *state;
  copy(r);
  assert_int_equal(madvise(r->src, N, MADV_DONTNEED), 0);
  assert_int_equal(r->src[77], 0);
  check(r, N);
}
static void through_mprotect(void **state) {
  struct rig *r = *state;
  copy(r);
  assert_int_equal(mprotect(r->src, N, PROT_READ | PROT_WRITE), 0);
  memset(r->src, 3, N);
  check(r, N);
}
static void through_reads(void **state) {
  struct rig *r = *state;
  int zero = open("/dev/zero", O_RDONLY), pair[2];
  FILE *f = fopen("/dev/zero", "r");
  struct iovec v = {r->src + PAGE, 3 * PAGE}; /* of the first block */
  struct iovec two[2] = {{r->src + 4 * PAGE, PAGE}, {r->src + 8 * PAGE, 2 * PAGE}};
  struct mmsghdr many[2] = {{.msg_hdr = {.msg_iov = two, .msg_iovlen = 1}},
                            {.msg_hdr = {.msg_iov = &v, .msg_iovlen = 1}}};
  struct msghdr m = {.msg_iov = two, .msg_iovlen = 2};
  char *junk = calloc(1, 3 * PAGE);
  assert_int_equal(socketpair(AF_UNIX, SOCK_DGRAM, 0, pair), 0);
  for (int way = 0; way < 22; way++) {
    memcpy(r->src, r->want, N);
    assert_int_equal(gdm_memcpy_htod(r->p, r->src, N), 0);
    assert_true(gdm_watch_any());
    if ((way >= 5 && way < 8) || way >= 19)
      assert_int_equal(send(pair[0], junk, 3 * PAGE, 0), 3 * PAGE);
    if (way == 21) assert_int_equal(send(pair[0], junk, 3 * PAGE, 0), 3 * PAGE);
    ssize_t n =
        way == 0    ? read(zero, v.iov_base, v.iov_len)
        : way == 1  ? pread(zero, v.iov_base, v.iov_len, 0)
        : way == 2  ? readv(zero, two, 2)
        : way == 3  ? preadv(zero, two, 2, 0)
        : way == 4  ? (ssize_t)fread(v.iov_base, 1, v.iov_len, f)
        : way == 5  ? recv(pair[1], v.iov_base, v.iov_len, 0)
        : way == 6  ? recvfrom(pair[1], v.iov_base, v.iov_len, 0, NULL, NULL)
        : way == 7  ? recvmsg(pair[1], &m, 0)
        : way == 8  ? getrandom(v.iov_base, v.iov_len, 0)
        : way == 9  ? (ssize_t)fread_unlocked(v.iov_base, 1, v.iov_len, f)
        : way == 10 ? pread64(zero, v.iov_base, v.iov_len, 0)
        : way == 11 ? preadv64(zero, two, 2, 0)
        : way == 12 ? preadv2(zero, two, 2, 0, 0)
        : way == 13 ? preadv64v2(zero, two, 2, 0, 0)
        : way == 14 ? __read_chk(zero, v.iov_base, v.iov_len, v.iov_len)
        : way == 15 ? __pread_chk(zero, v.iov_base, v.iov_len, 0, v.iov_len)
        : way == 16 ? __pread64_chk(zero, v.iov_base, v.iov_len, 0, v.iov_len)
        : way == 17 ? (ssize_t)__fread_chk(v.iov_base, v.iov_len, 1, v.iov_len, f)
        : way == 18 ? (ssize_t)__fread_unlocked_chk(v.iov_base, v.iov_len, 1, v.iov_len, f)
        : way == 19 ? __recv_chk(pair[1], v.iov_base, v.iov_len, v.iov_len, 0)
        : way == 20 ? __recvfrom_chk(pair[1], v.iov_base, v.iov_len, v.iov_len, 0, NULL, NULL)
        : recvmmsg(pair[1], many, 2, 0, NULL) == 2 ? (ssize_t)many[1].msg_len
                                                   : -1;
    assert_int_equal(n, (ssize_t)v.iov_len);
    check(r, N);
  }
  close(zero);
  close(pair[0]);
  close(pair[1]);
  fclose(f);
  free(junk);
}
/* The manager's own write into a buffer. */
static void through_a_copy_back(void **state) {
  struct rig *r = *state;
  copy(r);
  assert_int_equal(gdm_memcpy_htod(r->p + N, r->want + PAGE, N - PAGE), 0);
  assert_int_equal(gdm_memcpy_dtoh(r->src, r->p + N, N - PAGE), 0);
  assert_memory_equal(r->src, r->want + PAGE, N - PAGE);
  check(r, N);
}

/* A copy behind a kernel that still needs the old data; its source is written before the kernel
 * ends. */
static void a_copy_behind_a_kernel(void **state) {
  struct rig *r = *state;
  gdm_ptr q;
  assert_int_equal(gdm_mem_free(r->p), 0);
  assert_int_equal(gdm_mem_alloc(&r->p, 4 * PAGE), 0);
  assert_int_equal(gdm_mem_alloc(&q, 4 * PAGE), 0);
  uint64_t a[2] = {r->p, 4 * PAGE};
  assert_int_equal(gdm_memcpy_htod(r->p, r->src, 4 * PAGE), 0);
  assert_int_equal(gdm_launch(&add, a, 2, 1000000, NULL, 0), 0);
  assert_int_equal(gdm_memcpy_htod(r->p, r->src + 4 * PAGE, 4 * PAGE), 0);
  assert_int_equal(gdm_memcpy_htod(q, r->src + 8 * PAGE, 4 * PAGE), 0);
  memset(r->src + 4 * PAGE, 1, 2 * PAGE); /* in the first only */
  assert_int_equal(gdm_launch(&add, a, 2, 1000000, NULL, 0), 0);
  memset(r->src, 1, N);
  assert_int_equal(gdm_memcpy_dtoh(r->back, r->p, 4 * PAGE), 0);
  for (size_t i = 0; i < 4 * PAGE; i++)
    assert_int_equal(r->back[i], (uint8_t)(r->want[4 * PAGE + i] + 1));
  assert_int_equal(gdm_memcpy_dtoh(r->back, q, 4 * PAGE), 0);
  assert_memory_equal(r->back, r->want + 8 * PAGE, 4 * PAGE);
}

/* The same into the middle of two blocks; its source is still what the data is read from. */
static void a_copy_behind_a_kernel_into_the_middle(void **state) {
  struct rig *r = *state;
  gdm_ptr q;
  assert_int_equal(gdm_mem_free(r->p), 0);
  assert_int_equal(gdm_mem_alloc(&r->p, 4 * PAGE), 0);
  assert_int_equal(gdm_mem_alloc(&q, 8 * PAGE), 0);
  uint64_t a[2] = {r->p, 4 * PAGE};
  assert_int_equal(gdm_launch(&add, a, 2, 1000000, &r->p, 1), 0);
  assert_int_equal(gdm_memcpy_htod(q + PAGE, r->src, 6 * PAGE), 0);
  assert_true(gdm_watch_any());
  assert_int_equal(gdm_memcpy_dtoh(r->back, q, 8 * PAGE), 0);
  for (size_t i = 0; i < 8 * PAGE; i++)
    assert_int_equal(r->back[i], i < PAGE || i >= 7 * PAGE ? 0 : r->want[i - PAGE]);
  assert_int_equal(copied(r), 0);
}

static void a_buffer_copied_to_is_the_hosts_copy(void **state) {
  struct rig *r = *state;
  struct gdm_stats s;
  compute(r, r->src);
  assert_true(gdm_watch_any());
  push_out(r);
  gdm_get_stats(r->g, r->c, &s);
  assert_int_equal(s.evict_bytes + s.evict_dirty, 0); /* clean */
  assert_int_equal(s.evict_clean, 1);
  r->src[5] ^= 255; /* the only copy there is */
  assert_int_equal(copied(r), 4 * PAGE);
  check(r, 4 * PAGE);
}
static void a_write_to_it_while_the_device_has_the_block(void **state) {
  struct rig *r = *state;
  struct gdm_stats s;
  compute(r, r->src);
  r->src[3 * PAGE] ^= 255;
  assert_false(gdm_watch_any());
  assert_int_equal(copied(r), 0);
  push_out(r);
  gdm_get_stats(r->g, r->c, &s);
  assert_int_equal(s.evict_dirty, 1);
  check(r, 4 * PAGE);
}
/* On the heap it begins and ends in the middle of a page. */
static void it_is_on_the_heap_and_freed(void **state) {
  struct rig *r = *state;
  for (int way = 0; way < 2; way++) {
    uint8_t *heap = malloc(N);
    compute(r, heap + 1);
    assert_true(gdm_watch_any());
    if (way) push_out(r);
    heap[1] ^= 255;
    heap[4 * PAGE] ^= 255;
    free(heap);
    if (!way) push_out(r);
    check(r, 4 * PAGE);
  }
}
static void it_is_copied_to_again(void **state) {
  struct rig *r = *state;
  compute(r, r->src);
  gdm_peek(r->c, r->p, r->src, 4 * PAGE); /* over itself */
  assert_memory_equal(r->src, r->want, 4 * PAGE);
  assert_int_equal(gdm_memcpy_dtoh(r->src, r->p, 4 * PAGE), 0);
  for (int i = 0; i < 3; i++) { /* the buffer has it, the device, the host */
    if (i == 2) push_out(r);
    assert_int_equal(gdm_memcpy_dtoh(r->src + (i ? PAGE : 0), r->p, 4 * PAGE), 0);
    assert_memory_equal(r->src + (i ? PAGE : 0), r->want, 4 * PAGE);
    check(r, 4 * PAGE);
  }
}

/* Threads that know nothing of the manager write all over a buffer while its copies go to the
 * device and away again. Each byte is written by one thread, with a value of the round; the bytes
 * on the device are those of the moment of the copy. */
struct writer {
  struct rig *r;
  pthread_t thread;
  unsigned first, round;
  pthread_barrier_t *start, *end;
};
enum { ROUNDS = 40, WRITERS = 3 };
static void *write_all(void *arg) {
  struct writer *w = arg;
  for (unsigned round = 1; round <= ROUNDS; round++) {
    pthread_barrier_wait(w->start);
    for (size_t i = w->first; i < N; i += WRITERS)
      w->r->src[i * 2654435761u % N] = (uint8_t)(round + i);
    pthread_barrier_wait(w->end);
  }
  return NULL;
}
static void writes_from_other_threads(void **state) {
  struct rig *r = *state;
  struct writer w[WRITERS];
  pthread_barrier_t start, end;
  pthread_barrier_init(&start, NULL, WRITERS + 1);
  pthread_barrier_init(&end, NULL, WRITERS + 1);
  for (unsigned i = 0; i < WRITERS; i++) {
    w[i] = (struct writer){.r = r, .first = i, .start = &start, .end = &end};
    pthread_create(&w[i].thread, NULL, write_all, &w[i]);
  }
  for (unsigned round = 0; round < ROUNDS; round++) {
    memcpy(r->want, r->src, N);
    assert_int_equal(gdm_memcpy_htod(r->p, r->src, N), 0);
    pthread_barrier_wait(
        &start); /* they write while it is copied back, through the device or not */
    assert_int_equal(gdm_memcpy_dtoh(r->back, r->p, N), 0);
    assert_memory_equal(r->back, r->want, N);
    uint64_t a[1] = {r->p + round % 16 * PAGE};
    gdm_ptr small;
    assert_int_equal(gdm_mem_alloc(&small, 4 * PAGE), 0);
    a[0] = small;
    assert_int_equal(gdm_launch(&touch, a, 1, 1000, &small, 1), 0);
    assert_int_equal(gdm_mem_free(small), 0);
    pthread_barrier_wait(&end);
    check(r, N);
  }
  for (unsigned i = 0; i < WRITERS; i++) pthread_join(w[i].thread, NULL);
  pthread_barrier_destroy(&start);
  pthread_barrier_destroy(&end);
}

/* One that is freed by another thread while it is watched, changes its mode, is copied or given up:
 * whoever comes first, the copy is what the source had. */
struct breaker {
  const uint8_t *source;
  atomic_uint times;
  atomic_bool stop;
};
static void *break_for_ever(void *arg) {
  struct breaker *b = arg;
  while (!atomic_load_explicit(&b->stop, memory_order_relaxed)) {
    gdm_watch_break(b->source, PAGE);
    atomic_fetch_add_explicit(&b->times, 1, memory_order_relaxed);
  }
  return NULL;
}
static void freed_by_another_thread(void **state) {
  uint8_t *source = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  struct breaker b = {.source = source};
  static uint8_t home[PAGE];
  pthread_t thread;

  (void)state;
  assert_int_equal(pthread_create(&thread, NULL, break_for_ever, &b), 0);
  for (unsigned round = 0; round < 2000; round++) {
    struct gdm_watch_range w = {
        .src = source, .to = home, .len = PAGE, .prot = PROT_READ | PROT_WRITE};
    source[round * 2654435761u % PAGE] = (uint8_t)(round | 1);
    memset(home, 0, sizeof home);
    gdm_watch_add(&w);
    /* relaxed: what it did is ordered by the watch's lock alone, or ThreadSanitizer says so */
    const unsigned times = atomic_load_explicit(&b.times, memory_order_relaxed);
    /* asleep: who yields may be who runs on, for a whole slice, where both have one processor */
    while (round % 4 > 1 && atomic_load_explicit(&b.times, memory_order_relaxed) - times < 2)
      nanosleep(&(struct timespec){.tv_nsec = 20000}, NULL);
    gdm_watch_mode(&w, WATCH_COPY);
    if (round % 2) gdm_watch_copy(&w);
    else gdm_watch_end(&w);
    assert_true(!w.live && (w.copied || !(round % 2)));
    if (w.copied) assert_memory_equal(home, source, PAGE);
  }
  atomic_store(&b.stop, true);
  pthread_join(thread, NULL);
  assert_false(gdm_watch_any());
  munmap(source, PAGE);
}

/* A handler of a signal that reads, as those with a pipe to their main loop do, comes while the
 * thread that it interrupts is in the watch. Not with ThreadSanitizer, which calls handlers later,
 * inside one another. */
#ifndef __SANITIZE_THREAD__
struct caller {
  pthread_t whom;
  atomic_bool stop;
};
static int pipe_end;
static atomic_uint came;
static void read_a_byte(int signal) {
  char b;
  int kept = errno;
  (void)signal;
  if (read(pipe_end, &b, 1) < 0) atomic_fetch_add(&came, 1); /* it is empty */
  errno = kept;
}
static void *call_for_ever(void *arg) {
  struct caller *c = arg;
  while (!atomic_load(&c->stop)) {
    pthread_kill(c->whom, SIGALRM);
    nanosleep(&(struct timespec){.tv_nsec = 20000}, NULL);
  }
  return NULL;
}
static void a_signal_whose_handler_reads(void **state) {
  struct sigaction a = {.sa_handler = read_a_byte, .sa_flags = SA_RESTART}, before;
  struct caller c = {.whom = pthread_self()};
  struct rig *r = *state;
  pthread_t thread;
  int ends[2];

  assert_int_equal(pipe2(ends, O_NONBLOCK), 0);
  pipe_end = ends[0];
  assert_int_equal(sigaction(SIGALRM, &a, &before), 0);
  copy(r);
  assert_int_equal(pthread_create(&thread, NULL, call_for_ever, &c), 0);
  for (unsigned i = 0; i < 20000 || atomic_load(&came) < 200; i++) {
    struct gdm_watch_range w = {.src = (uint8_t *)r->src, .len = PAGE, .prot = PROT_READ};
    gdm_watch_mode(&w, WATCH_COPY); /* of none that is watched: the lock and nothing else */
  }
  atomic_store(&c.stop, true);
  pthread_join(thread, NULL);
  assert_int_equal(sigaction(SIGALRM, &before, NULL), 0);
  check(r, N);
  close(ends[0]);
  close(ends[1]);
}
#endif

int main(void) {
  limit_time();
#define T(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
  const struct CMUnitTest tests[] = {T(an_untouched_source_is_not_copied),
                                     T(a_write_copies_its_block_only),
                                     T(a_write_behind_the_transfer_copies_nothing),
                                     T(partial_pages_are_copied_at_once),
                                     T(several_watches_on_a_page),
                                     T(a_second_copy_takes_the_place_of_the_first),
                                     T(stack_shared_and_read_only_are_copied_at_once),
                                     T(the_pages_own_protection_comes_back),
                                     T(through_a_free),
                                     T(through_realloc),
                                     T(through_munmap),
                                     T(through_mmap_fixed),
                                     T(through_mremap),
                                     T(through_mremap_onto_it),
                                     T(through_madvise),
                                     T(through_mprotect),
                                     T(through_reads),
                                     T(through_a_copy_back),
                                     T(a_copy_behind_a_kernel),
                                     T(a_copy_behind_a_kernel_into_the_middle),
                                     T(a_buffer_copied_to_is_the_hosts_copy),
                                     T(a_write_to_it_while_the_device_has_the_block),
                                     T(it_is_on_the_heap_and_freed),
                                     T(it_is_copied_to_again),
                                     T(writes_from_other_threads),
#ifndef __SANITIZE_THREAD__
                                     T(a_signal_whose_handler_reads),
#endif
                                     cmocka_unit_test(freed_by_another_thread)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
