/* SPDX-License-Identifier: Apache-2.0 */
/* apointer_rig.h - what the unit tests of ActivePointers share: a file in /tmp, launches with a
 * watchdog, the combinations of form, TLB and prefetch. */
#ifndef GMMU_TEST_APOINTER_RIG_H
#define GMMU_TEST_APOINTER_RIG_H

#include "gmmu_apointer.h"

#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

enum { PAGE = GMMU_AP_PAGE, L = GMMU_AP_LANES };

static char path[] = "/tmp/gmmu-apointer-XXXXXX";
static uint8_t *content;
static size_t content_bytes;

/* A file of n bytes; byte i is a hash of i, so that no two pages are alike. */
static uint8_t byte_at(uint64_t i) {
  return (uint8_t)((i * UINT64_C(0x9e3779b97f4a7c15)) >> 56 ^ i);
}

static inline void make_file(size_t n) {
  strcpy(path, "/tmp/gmmu-apointer-XXXXXX");
  int fd = mkstemp(path);
  assert_true(fd >= 0);
  content = realloc(content, n);
  content_bytes = n;
  for (size_t i = 0; i < n; i++) content[i] = byte_at(i);
  assert_int_equal(write(fd, content, n), (ssize_t)n);
  close(fd);
}

/* A hang says who waits for whom. */
static struct gmmu_ap *running;
static inline void watchdog(int sig) {
  (void)sig;
  fprintf(stderr, "error: watchdog: a launch did not end\n");
  gmmu_ap_dump(running, stderr);
  _exit(2);
}

static inline struct gmmu_ap *make(uint32_t pages, uint32_t tlb, enum gmmu_ap_form form,
                                   bool prefetch) {
  struct gmmu_err err = {""};
  struct gmmu_ap_config c = {
      .pages = pages, .tlb_entries = tlb, .form = form, .prefetch = prefetch, .retry_limit = 200};
  struct gmmu_ap *s = gmmu_ap_new(&c, &err);
  if (!s) fail_msg("%s", err.msg);
  return s;
}

static inline void end(struct gmmu_ap *s) {
  struct gmmu_err err = {""};
  if (gmmu_ap_audit(s, 0, &err)) fail_msg("%s", err.msg);
  if (gmmu_ap_free(s, &err)) fail_msg("%s", err.msg);
  unlink(path);
}

static inline int launch(struct gmmu_ap *s, uint32_t blocks, uint32_t warps, gmmu_ap_kernel k,
                         void *arg) {
  struct gmmu_err err = {""};
  running = s;
  alarm(60);
  int r = gmmu_ap_launch(s, blocks, warps, 2, k, arg, &err);
  alarm(0);
  if (r < 0) fail_msg("%s", err.msg);
  return r;
}

static inline int open_ro(struct gmmu_ap_warp *w) {
  int f;
  assert_int_equal(gmmu_ap_gopen(w, path, GMMU_AP_READ, &f), GMMU_AP_OK);
  return f;
}

/* Combinations of form, TLB and prefetch. */
struct build {
  uint32_t tlb;
  enum gmmu_ap_form form;
  bool prefetch;
};
static const struct build builds[] = {{0, GMMU_AP_LONG, false},
                                      {0, GMMU_AP_SHORT, true},
                                      {8, GMMU_AP_LONG, true},
                                      {4, GMMU_AP_SHORT, false},
                                      {1, GMMU_AP_LONG, false}};
#define EACH_BUILD(b) \
  for (const struct build *b = builds; b < builds + sizeof builds / sizeof *builds; b++)

#endif
