/* SPDX-License-Identifier: Apache-2.0 */
/** gdm_watch_rig.h - what the tests of the write watch share: a device half as large as the buffer
 * that is copied to it. */
#ifndef GMMU_TEST_GDM_WATCH_RIG_H
#define GMMU_TEST_GDM_WATCH_RIG_H

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <unistd.h>

#include <cmocka.h>

#include "gdm/gdm_int.h"

#define PAGE 4096u
#define N (16u * PAGE)

struct rig {
  struct gdm *g;
  struct gdm_ctx *c;
  gdm_ptr p;
  uint8_t *src, *want, *back;
};

static inline int set_up(void **state, enum gdm_watch watch, enum gdm_dirty dirty) {
  static struct rig r;
  struct gdm_config c;
  struct gmmu_err err;
  gdm_config_default(&c);
  c.watch = watch;
  c.dirty = dirty;
  c.page_bytes = PAGE;
  c.block_bytes = 4 * PAGE;
  c.device_bytes = 8 * PAGE; /* half of the buffer fits */
  c.prefetch = false;
  r.g = gdm_new(&c, &err);
  if (!r.g) print_error("%s\n", err.msg);
  assert_non_null(r.g);
  assert_int_equal(gdm_ctx_create(&r.c, 0, r.g), 0);
  assert_int_equal(gdm_mem_alloc(&r.p, 2 * N), 0);
  r.src = mmap(NULL, N, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  r.want = malloc(2 * N);
  r.back = malloc(2 * N);
  for (size_t i = 0; i < N; i++) r.src[i] = (uint8_t)(i * 7 + i / PAGE);
  memcpy(r.want, r.src, N);
  *state = &r;
  return 0;
}
static inline int setup(void **state) { return set_up(state, GDM_WATCH_COW, GDM_DIRTY_SIGNATURE); }
static inline int teardown(void **state) {
  struct rig *r = *state;
  gdm_delete(r->g);
  assert_false(gdm_watch_any());
  if (r->src) munmap(r->src, N);
  free(r->want);
  free(r->back);
  return 0;
}
static inline void check(struct rig *r, size_t n) {
  struct gmmu_err err;
  assert_int_equal(gdm_check(r->g, &err), 0);
  assert_int_equal(gdm_memcpy_dtoh(r->back, r->p, n), 0);
  assert_memory_equal(r->back, r->want, n);
}
static inline uint64_t copied(struct rig *r) {
  struct gdm_stats s;
  gdm_get_stats(r->g, r->c, &s);
  return s.cow_bytes;
}
static inline void copy(struct rig *r) {
  assert_int_equal(gdm_memcpy_htod(r->p, r->src, N), 0);
  assert_true(gdm_watch_any());
  assert_int_equal(copied(r), 0);
}

static inline void touch_kernel(struct gdm_exec *x, const uint64_t *a, unsigned n) {
  uint8_t b;
  (void)n;
  gdm_load(x, &b, a[0], 1);
}
static const struct gdm_kernel touch = {"touch", touch_kernel};
static inline void add_kernel(struct gdm_exec *x, const uint64_t *a, unsigned n) {
  uint8_t d[64];
  (void)n;
  for (uint64_t at = 0; at < a[1]; at += sizeof d) {
    gdm_load(x, d, a[0] + at, sizeof d);
    for (size_t i = 0; i < sizeof d; i++) d[i]++;
    gdm_store(x, a[0] + at, d, sizeof d);
  }
}
static const struct gdm_kernel add = {"add", add_kernel};
/* Two blocks of their own take the device: what else is there leaves it. */
static inline void push_out(struct rig *r) {
  gdm_ptr two[2];
  uint64_t a[1];
  for (int i = 0; i < 2; i++) assert_int_equal(gdm_mem_alloc(&two[i], 4 * PAGE), 0);
  a[0] = two[0];
  assert_int_equal(gdm_launch(&touch, a, 1, 1000, two, 2), 0);
  assert_int_equal(gdm_synchronize(), 0);
  for (int i = 0; i < 2; i++) assert_int_equal(gdm_mem_free(two[i]), 0);
  struct gmmu_err err;
  assert_int_equal(gdm_check(r->g, &err), 0);
}
/* A kernel adds one to the first block, which is copied back to `to`. */
static inline void compute(struct rig *r, uint8_t *to) {
  assert_int_equal(gdm_mem_free(r->p), 0);
  assert_int_equal(gdm_mem_alloc(&r->p, 4 * PAGE), 0);
  assert_int_equal(gdm_memcpy_htod(r->p, r->want, 4 * PAGE), 0);
  uint64_t a[2] = {r->p, 4 * PAGE};
  assert_int_equal(gdm_launch(&add, a, 2, 1000, NULL, 0), 0);
  assert_int_equal(gdm_synchronize(), 0);
  for (size_t i = 0; i < 4 * PAGE; i++) r->want[i]++;
  assert_false(gdm_watch_any()); /* of the source, which has been written */
  assert_int_equal(gdm_memcpy_dtoh(to, r->p, 4 * PAGE), 0);
  assert_memory_equal(to, r->want, 4 * PAGE);
}
static inline struct gdm_stats stats(struct rig *r) {
  struct gdm_stats s;
  gdm_get_stats(r->g, r->c, &s);
  return s;
}

/* Who holds the watch's lock for ever keeps the watchdog from its word: it waits for the lock in
 * free(). So its thread, which no lock keeps from this signal, says it. The sanitizers take their
 * time. */
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
#define MOST 30
#else
#define MOST 3
#endif
#define TEXT(x) #x
#define WORD(s) "watchdog: no end within processor time of " TEXT(s) " s\n"
static inline void no_end(int signal) {
  (void)signal;
  _exit(write(2, WORD(MOST), sizeof WORD(MOST) - 1) < 0 ? 2 : 1);
}
static inline void limit_time(void) {
  struct itimerval most = {.it_value = {.tv_sec = MOST}};
  struct sigaction a = {.sa_handler = no_end};
  sigaction(SIGPROF, &a, NULL);
  setitimer(ITIMER_PROF, &most, NULL);
}

#endif
