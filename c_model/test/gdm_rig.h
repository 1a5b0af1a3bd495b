/* SPDX-License-Identifier: Apache-2.0 */
/* gdm_rig.h - what the unit tests of the device memory manager share: small devices, two kernels.
 */
#ifndef GMMU_TEST_GDM_RIG_H
#define GMMU_TEST_GDM_RIG_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "gdm/gdm_int.h"

#define PAGE 4096u
#define BLOCK (4u * PAGE)

static inline struct gdm_config config(unsigned blocks) {
  struct gdm_config c;
  gdm_config_default(&c);
  c.page_bytes = PAGE;
  c.block_bytes = BLOCK;
  c.device_bytes = (uint64_t)blocks * BLOCK;
  c.prefetch = false;
  return c;
}
static inline struct gdm *start(const struct gdm_config *c, struct gdm_ctx **ctx) {
  struct gmmu_err err = {""};
  struct gdm *g = gdm_new(c, &err);
  if (!g) print_error("%s\n", err.msg);
  assert_non_null(g);
  for (int i = 0; ctx && i < 1; i++) assert_int_equal(gdm_ctx_create(ctx, 0, g), 0);
  return g;
}
static inline void finish(struct gdm *g) {
  struct gmmu_err err;
  if (gdm_check(g, &err)) print_error("%s\n", err.msg), fail();
  gdm_delete(g);
}
static inline gdm_ptr region(size_t bytes) {
  gdm_ptr p = 0;
  assert_int_equal(gdm_mem_alloc(&p, bytes), 0);
  return p;
}
static inline struct gdm_stats stats(struct gdm *g) {
  struct gdm_stats s;
  gdm_get_stats(g, NULL, &s);
  return s;
}
static inline bool in(struct gdm_ctx *c, gdm_ptr p) {
  return gdm_block_at(c, p)->state == BLOCK_IN;
}

/* args: n, then n pairs of address and length: adds 1 to every byte (or only reads, code "look").
 */
static inline void bump_kernel(struct gdm_exec *x, const uint64_t *a, unsigned n) {
  for (unsigned i = 0; i + 1 < n; i += 2)
    for (uint64_t at = 0; at < a[i + 1]; at++) {
      uint8_t b;
      gdm_load(x, &b, a[i] + at, 1);
      b++;
      gdm_store(x, a[i] + at, &b, 1);
    }
}
static inline void look_kernel(struct gdm_exec *x, const uint64_t *a, unsigned n) {
  uint8_t b;
  for (unsigned i = 0; i + 1 < n; i += 2)
    for (uint64_t at = 0; at < a[i + 1]; at += 512) gdm_load(x, &b, a[i] + at, 1);
}
static const struct gdm_kernel bump = {"bump", bump_kernel}, look = {"look", look_kernel};
static inline int run(const struct gdm_kernel *k, gdm_ptr p, size_t n) {
  uint64_t a[2] = {p, n};
  int e = gdm_launch(k, a, 2, 10000, &p, 1);
  return e ? e : gdm_synchronize();
}

#endif
