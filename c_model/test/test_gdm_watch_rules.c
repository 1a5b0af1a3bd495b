/* SPDX-License-Identifier: Apache-2.0 */
/** test_gdm_watch_rules.c - what of a buffer is watched and what is staged, by the counts of bytes;
 * and the watch by itself: ranges side by side and on the same pages, faults of the program's own.
 */
#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "gdm_watch_rig.h"

static int setup_hw(void **state) { return set_up(state, GDM_WATCH_COW, GDM_DIRTY_HW); }
static int setup_eager(void **state) { return set_up(state, GDM_WATCH_EAGER, GDM_DIRTY_SIGNATURE); }

/* ---------------------------------------- what is watched, seen by what is staged */

/* Eager: everything at once, and no buffer is watched, of whichever direction. */
static void eager_watches_nothing(void **state) {
  struct rig *r = *state;
  assert_int_equal(gdm_memcpy_htod(r->p, r->src, N), 0);
  assert_false(gdm_watch_any());
  assert_int_equal(stats(r).staged_bytes, N);
  compute(r, r->src);
  assert_false(gdm_watch_any());
}

/* Whole pages are watched and only what is left of the first and last one staged, wherever blocks
 * begin. */
static void only_parts_of_pages_are_staged(void **state) {
  struct rig *r = *state;
  static const struct {
    size_t dst, src, bytes, staged;
  } v[] = {{0, 0, N, 0},
           {4 * PAGE - 100, 96, 8 * PAGE, PAGE},
           {4 * PAGE - 3999, 97, 8 * PAGE, PAGE},
           {5, 0, 8 * PAGE, 0},
           {PAGE, 1, PAGE, PAGE},
           {PAGE, 1, 2 * PAGE - 1, PAGE - 1},
           {0, PAGE - 1, PAGE + 2, 2}};
  for (size_t i = 0; i < sizeof v / sizeof v[0]; i++) {
    uint64_t before = stats(r).staged_bytes;
    assert_int_equal(gdm_memcpy_htod(r->p + v[i].dst, r->src + v[i].src, v[i].bytes), 0);
    assert_int_equal(stats(r).staged_bytes - before, v[i].staged);
    memcpy(r->want + v[i].dst, r->src + v[i].src, v[i].bytes);
    check(r, v[i].dst + v[i].bytes);
  }
  assert_int_equal(copied(r), 0);
}

/* A source can be copied again and again, in other parts, while it is watched already. */
static void a_watched_source_again(void **state) {
  struct rig *r = *state;
  gdm_ptr q;
  assert_int_equal(gdm_mem_alloc(&q, N), 0);
  copy(r);
  assert_int_equal(gdm_memcpy_htod(q + PAGE, r->src + PAGE, N - 2 * PAGE), 0);
  assert_int_equal(gdm_memcpy_htod(q, r->src, PAGE), 0);
  assert_int_equal(stats(r).staged_bytes, 0);
  r->src[8 * PAGE] ^= 255;
  assert_int_equal(copied(r), 8 * PAGE); /* a block of each */
  assert_int_equal(gdm_memcpy_dtoh(r->back, q, N - PAGE), 0);
  assert_memory_equal(r->back, r->want, N - PAGE);
  check(r, N);
}

/* Memory whose neighbours are of another kind is watched like any other. */
static void beside_other_memory(void **state) {
  struct rig *r = *state;
  uint8_t *m = mmap(NULL, 6 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  assert_int_equal(mprotect(m, 2 * PAGE, PROT_NONE), 0);
  assert_int_equal(mprotect(m + 4 * PAGE, 2 * PAGE, PROT_NONE), 0);
  memcpy(m + 2 * PAGE, r->want, 2 * PAGE);
  assert_int_equal(gdm_memcpy_htod(r->p, m + 2 * PAGE, 2 * PAGE), 0);
  assert_true(stats(r).staged_bytes == 0 && gdm_watch_any());
  m[3 * PAGE] ^= 255;
  assert_int_equal(copied(r), 2 * PAGE);
  check(r, 2 * PAGE);
  munmap(m, 6 * PAGE);
}

/* The stack of a thread that calls, as the main thread's. */
__attribute__((no_sanitize_address)) static void *from_its_stack(void *arg) {
  struct rig *r = arg;
  uint8_t local[3 * PAGE];
  gdm_ctx_set_current(r->c);
  memcpy(local, r->want, sizeof local);
  assert_int_equal(gdm_memcpy_htod(r->p, local, sizeof local), 0);
  gdm_ctx_set_current(NULL);
  return NULL;
}
static void a_threads_stack(void **state) {
  struct rig *r = *state;
  pthread_t t;
  pthread_attr_t a;
  pthread_attr_init(&a);
  assert_int_equal(pthread_create(&t, &a, from_its_stack, r), 0);
  pthread_join(t, NULL);
  pthread_attr_destroy(&a);
  assert_false(gdm_watch_any());
  assert_int_equal(stats(r).staged_bytes, 3 * PAGE);
  check(r, 3 * PAGE);
}

/* A part of a block that the device has: once it went there by DMA a write to its source copies
 * nothing. */
static void a_write_behind_a_partial_copy(void **state) {
  struct rig *r = *state;
  compute(r, r->back);
  assert_int_equal(gdm_memcpy_htod(r->p + PAGE, r->src + 8 * PAGE, 2 * PAGE), 0);
  memcpy(r->want + PAGE, r->src + 8 * PAGE, 2 * PAGE);
  uint64_t a[1] = {r->p};
  assert_int_equal(gdm_launch(&touch, a, 1, 1000, &r->p, 1), 0);
  assert_int_equal(gdm_synchronize(), 0);
  r->src[8 * PAGE] ^= 255;
  assert_int_equal(copied(r), 0);
  check(r, 4 * PAGE);
}

/* What is in front of the whole pages of a buffer and behind them is copied by the CPU, at 8 GB/s;
 * the pages are not. */
static void the_cpus_part_of_a_copy_back(void **state) {
  struct rig *r = *state;
  static const struct {
    size_t at, by_cpu;
  } v[] = {{0, 0}, {1, PAGE}, {4000, PAGE}};
  uint64_t took[3];
  compute(r, r->back);
  for (int i = 0; i < 3; i++) {
    uint64_t a[2] = {r->p, 4 * PAGE};
    assert_int_equal(gdm_launch(&add, a, 2, 1000, NULL, 0), 0);
    assert_int_equal(gdm_synchronize(), 0);
    uint64_t before = gdm_now(r->g);
    assert_int_equal(gdm_memcpy_dtoh(r->src + v[i].at, r->p, 4 * PAGE), 0);
    took[i] = gdm_now(r->g) - before;
    assert_int_equal(took[i] - took[0], v[i].by_cpu / 8);
  }
}

/* hw: a block that was copied out is clean, also for the harvest of the next kernel; and what a
 * kernel wrote elsewhere in a block leaves a source where it is. */
static void hw_copied_out_is_clean(void **state) {
  struct rig *r = *state;
  uint64_t a[1];
  compute(r, r->src);
  a[0] = r->p;
  assert_int_equal(gdm_launch(&touch, a, 1, 1000, &r->p, 1), 0);
  assert_int_equal(gdm_synchronize(), 0);
  push_out(r);
  assert_true(stats(r).evict_dirty == 0 && stats(r).evict_clean == 1);
  check(r, 4 * PAGE);
}
static void hw_a_source_beside_dirty_pages(void **state) {
  struct rig *r = *state;
  assert_int_equal(gdm_mem_free(r->p), 0);
  assert_int_equal(gdm_mem_alloc(&r->p, 4 * PAGE), 0);
  assert_int_equal(gdm_memcpy_htod(r->p, r->src, 2 * PAGE), 0);
  uint64_t a[2] = {r->p + 2 * PAGE, 2 * PAGE};
  assert_int_equal(gdm_launch(&add, a, 2, 1000, &r->p, 1), 0);
  assert_int_equal(gdm_synchronize(), 0);
  push_out(r);
  assert_true(stats(r).evict_dirty == 1 && stats(r).evict_bytes == 2 * PAGE);
  r->src[PAGE] ^= 255; /* the only copy there is */
  assert_int_equal(copied(r), 2 * PAGE);
  memset(r->want + 2 * PAGE, 1, 2 * PAGE);
  check(r, 4 * PAGE);
}

/* hw: nor does what the host wrote in front of it, in the block on the device. */
static void hw_a_source_behind_a_new_copy(void **state) {
  struct rig *r = *state;
  assert_int_equal(gdm_mem_free(r->p), 0);
  assert_int_equal(gdm_mem_alloc(&r->p, 4 * PAGE), 0);
  assert_int_equal(gdm_memcpy_htod(r->p + PAGE, r->src + PAGE, PAGE), 0);
  uint64_t a[2] = {r->p + 3 * PAGE, PAGE};
  assert_int_equal(gdm_launch(&add, a, 2, 1000, &r->p, 1), 0);
  assert_int_equal(gdm_synchronize(), 0);
  uint64_t staged = stats(r).staged_bytes;
  assert_int_equal(gdm_memcpy_htod(r->p, r->src + 8 * PAGE + 1, PAGE), 0);
  assert_int_equal(stats(r).staged_bytes - staged, PAGE);
  struct gdm_ctx *other; /* whose kernels do not have this copy sent first */
  assert_int_equal(gdm_ctx_create(&other, 0, r->g), 0);
  push_out(r);
  gdm_ctx_set_current(r->c);
  r->src[PAGE] ^= 255; /* the only copy there is */
  assert_int_equal(copied(r), PAGE);
  memcpy(r->want, r->src + 8 * PAGE + 1, PAGE);
  memset(r->want + 2 * PAGE, 0, PAGE);
  memset(r->want + 3 * PAGE, 1, PAGE);
  check(r, 4 * PAGE);
}

/* ---------------------------------------- the watch by itself */

enum { RANGES = 4 };
struct ranges {
  uint8_t *m, home[RANGES][8 * PAGE];
  struct gdm_watch_range w[RANGES];
};
static struct ranges *watch(const size_t part[][2], int n) {
  struct ranges *x = calloc(1, sizeof *x);
  size_t skip, len;
  int prot;
  x->m = mmap(NULL, 8 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  assert_true(gdm_watch_pages(x->m + 5, 8 * PAGE - 5, &skip, &len, &prot)); /* the handler is set */
  assert_true(skip == PAGE - 5 && len == 7 * PAGE && prot == (PROT_READ | PROT_WRITE));
  for (size_t i = 0; i < 8 * PAGE; i++) x->m[i] = (uint8_t)(i * 3 + i / PAGE);
  for (int i = 0; i < n; i++) {
    x->w[i] = (struct gdm_watch_range){.src = x->m + part[i][0],
                                       .to = x->home[i],
                                       .len = part[i][1] - part[i][0],
                                       .prot = PROT_READ | PROT_WRITE,
                                       .mode = WATCH_COPY};
    gdm_watch_add(&x->w[i]);
    assert_true(x->w[i].live && !x->w[i].copied);
  }
  assert_int_equal(gdm_watch_ranges, n);
  return x;
}
static void end_watch(struct ranges *x, int n) {
  for (int i = 0; i < n; i++) gdm_watch_end(&x->w[i]);
  assert_int_equal(gdm_watch_ranges, 0);
  memset(x->m, 1, 8 * PAGE); /* all of it is writable again */
  munmap(x->m, 8 * PAGE);
  free(x);
}
/* A write to a page: these of the ranges (bits) are copied as they were, the others live on. */
static void write_resolves(struct ranges *x, size_t at, int n, unsigned which) {
  uint8_t was = x->m[at];
  x->m[at] = (uint8_t)(was + 1);
  for (int i = 0; i < n; i++) {
    assert_int_equal(x->w[i].live, !(which >> i & 1));
    if (!(which >> i & 1)) continue;
    size_t off = at - (size_t)(x->w[i].src - x->m);
    assert_true(x->w[i].copied);
    if (off < x->w[i].len) assert_int_equal(x->home[i][off], was);
  }
}

/* A write resolves the ranges on its page and no other, not even one that begins where it ends. */
static void ranges_side_by_side(void **state) {
  static const size_t part[][2] = {{0, 2 * PAGE}, {2 * PAGE, 4 * PAGE}, {4 * PAGE, 6 * PAGE + 1}};
  (void)state;
  for (int first = 0; first < 3; first++) {
    struct ranges *x = watch(part, 3);
    write_resolves(x, part[first][0], 3, 1u << first);
    end_watch(x, 3);
    x = watch(part, 3);
    gdm_watch_break(x->m + part[first][0], 0); /* nothing of it */
    gdm_watch_break(x->m + part[first][0] + 7, 0);
    for (int i = 0; i < 3; i++) assert_true(x->w[i].live);
    gdm_watch_break(x->m + part[first][0] + PAGE, 1);
    for (int i = 0; i < 3; i++) assert_int_equal(x->w[i].live, i != first);
    end_watch(x, 3);
  }
}

/* Pages that two ranges share stay protected for the one that is left; a place in the table that is
 * used again hides no other. */
static void ranges_share_pages(void **state) {
  static const size_t part[][2] = {
      {0, 3 * PAGE - 50}, {3 * PAGE - 50, 5 * PAGE}, {4 * PAGE, 8 * PAGE}, {PAGE, 2 * PAGE}};
  (void)state;
  for (int gone = 0; gone < 4; gone++) {
    struct ranges *x = watch(part, 4);
    gdm_watch_end(&x->w[gone]);
    for (size_t page = 0; page < 8; page++) {
      unsigned which = 1u << gone;
      for (int i = 0; i < 4; i++) {
        size_t from = part[i][0] / PAGE, to = (part[i][1] + PAGE - 1) / PAGE;
        if (i != gone && page >= from && page < to) which |= 1u << i;
      }
      bool live[4];
      for (int i = 0; i < 4; i++) live[i] = x->w[i].live;
      uint8_t was = x->m[page * PAGE + 9];
      x->m[page * PAGE + 9]++;
      for (int i = 0; i < 4; i++) {
        assert_int_equal(x->w[i].live, live[i] && !(which >> i & 1));
        size_t off = page * PAGE + 9 - part[i][0];
        if (live[i] && !x->w[i].live && page * PAGE + 9 >= part[i][0] && off < x->w[i].len)
          assert_int_equal(x->home[i][off], was);
      }
    }
    end_watch(x, 4);
  }
  struct ranges *x = watch(part, 3);
  gdm_watch_end(&x->w[0]);
  x->w[0].src = x->m;
  x->w[0].len = PAGE;
  gdm_watch_add(&x->w[0]);
  write_resolves(x, 7 * PAGE, 3, 4);
  end_watch(x, 3);
}

/* While one thread copies a source nobody else changes what is watched: each call of another thread
 * comes after the whole copy. */
enum { LARGE = 64 << 20 };
static void *copies_large(void *arg) {
  gdm_watch_copy(arg);
  return NULL;
}
static void calls_come_after_a_copy(void **state) {
  const size_t far = LARGE / 4 * 3;
  (void)state;
  for (int call = 0; call < 6; call++) {
    uint8_t *m = mmap(NULL, 2 * LARGE + 2 * PAGE, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    uint8_t small[PAGE], *home = m + LARGE, *other = home + LARGE;
    struct gdm_watch_range w[3];
    pthread_t thread;
    assert_ptr_not_equal(m, MAP_FAILED);
    m[0] = m[far] = 7;
    for (int i = 0; i < 3; i++)
      w[i] = (struct gdm_watch_range){.src = i ? other + (i - 1) * PAGE : m,
                                      .to = i ? small : home,
                                      .len = i ? PAGE : LARGE,
                                      .prot = PROT_READ | PROT_WRITE,
                                      .mode = WATCH_COPY};
    gdm_watch_add(&w[0]);
    gdm_watch_add(&w[1]);
    assert_int_equal(pthread_create(&thread, NULL, copies_large, &w[0]), 0);
    while (__atomic_load_n(&home[0], __ATOMIC_RELAXED) != 7) continue; /* it is under way */
    switch (call) {
      case 0: gdm_watch_break(other, 1); break;
      case 1: gdm_watch_add(&w[2]); break;
      case 2: gdm_watch_end(&w[1]); break;
      case 3: gdm_watch_copy(&w[1]); break;
      case 4: assert_true(gdm_watch_mode(&w[1], WATCH_DROP)); break;
      default: assert_true(gdm_watch_move(&w[1], small));
    }
    uint8_t copied = __atomic_load_n(&home[far], __ATOMIC_RELAXED);
    pthread_join(thread, NULL);
    assert_int_equal(copied, 7);
    assert_int_equal(w[1].live, call == 1 || call > 3);
    for (int i = 1; i < (call == 1 ? 3 : 2); i++) gdm_watch_end(&w[i]);
    assert_int_equal(gdm_watch_ranges, 0);
    munmap(m, 2 * LARGE + 2 * PAGE);
  }
}

/* A write that is none of ours ends the program as it would without the watch. */
static void a_fault_of_the_programs_own(void **state) {
  static const size_t part[][2] = {{0, PAGE}};
  (void)state;
  for (int ended = 0; ended < 2; ended++) {
    struct ranges *x = watch(part, 1); /* here: the child allocates nothing */
    pid_t child = fork();
    if (child == 0) {
      struct rlimit none = {0, 0};
      setrlimit(RLIMIT_CORE, &none);
      alarm(10);
      if (ended) x->m[0] = 1;
      mprotect(x->m + 4 * PAGE, PAGE, PROT_READ);
      *(volatile uint8_t *)(x->m + 4 * PAGE) = 1;
      _exit(0);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV);
    end_watch(x, 1);
  }
}

/* Of a buffer that is not aligned the whole pages can be watched. */
static void whole_pages_of_a_buffer(void **state) {
  struct rig *r = *state;
  struct copyout o = {.ctx = r->c, .dst = r->src + 1, .bytes = 3 * PAGE};
  gdm_copy_out_watch(&o);
  assert_int_equal(o.watch_lo, PAGE - 1);
  assert_int_equal(o.watch_hi, 3 * PAGE - 1);
}

int main(void) {
#define WITH(before, f) cmocka_unit_test_setup_teardown(f, before, teardown)
  const struct CMUnitTest tests[] = {WITH(setup, only_parts_of_pages_are_staged),
                                     WITH(setup, whole_pages_of_a_buffer),
                                     WITH(setup, a_watched_source_again),
                                     WITH(setup, beside_other_memory),
                                     WITH(setup, a_threads_stack),
                                     WITH(setup, a_write_behind_a_partial_copy),
                                     WITH(setup, the_cpus_part_of_a_copy_back),
                                     WITH(setup_eager, eager_watches_nothing),
                                     WITH(setup_hw, hw_copied_out_is_clean),
                                     WITH(setup_hw, hw_a_source_beside_dirty_pages),
                                     WITH(setup_hw, hw_a_source_behind_a_new_copy),
                                     cmocka_unit_test(ranges_side_by_side),
                                     cmocka_unit_test(ranges_share_pages),
                                     cmocka_unit_test(calls_come_after_a_copy),
                                     cmocka_unit_test(a_fault_of_the_programs_own)};
  limit_time();
  return cmocka_run_group_tests(tests, NULL, NULL);
}
