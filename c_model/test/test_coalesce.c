/* SPDX-License-Identifier: Apache-2.0 */
/* Lanes to lines to pages: against a brute-force oracle, and the cases people ask about. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "gmmu.h"

/* First-use order, one byte of every lane at a time. */
static int oracle(const struct gmmu_op *op, unsigned shift, uint64_t *out) {
  int n = 0;
  for (int i = 0; i < op->lanes; i++) {
    for (unsigned b = 0; b < op->bytes; b++) {
      uint64_t x = (op->addr[i] + b) >> shift;
      bool seen = false;
      for (int k = 0; k < n; k++) seen |= out[k] == x;
      if (!seen) out[n++] = x;
    }
  }
  return n;
}

static void check(const struct gmmu_op *op) {
  uint64_t lines[2 * GMMU_LANES], pages[2 * GMMU_LANES], want[2 * GMMU_LANES];
  int n = gmmu_coalesce_lines(op, lines), w = oracle(op, 7, want);
  assert_int_equal(n, w);
  assert_memory_equal(lines, want, (size_t)n * sizeof *want);
  n = gmmu_coalesce_pages(lines, n, pages);
  w = oracle(op, 12, want);
  assert_int_equal(n, w);
  assert_memory_equal(pages, want, (size_t)n * sizeof *want);
}

static void random_operations(void **state) {
  (void)state;
  struct gmmu_rng r = {7};
  for (int i = 0; i < 200000; i++) {
    struct gmmu_op op = {.access = GMMU_READ, .bytes = (uint8_t)(1u << gmmu_rng_below(&r, 5))};
    uint64_t base = gmmu_rng_next(&r) >> 16, spread = 1ull << gmmu_rng_below(&r, 18);
    op.lanes = (uint8_t)(1 + gmmu_rng_below(&r, GMMU_LANES));
    for (int k = 0; k < op.lanes; k++) op.addr[k] = base + gmmu_rng_below(&r, spread);
    check(&op);
  }
}

static void strides(void **state) {
  (void)state;
  const struct {
    uint64_t base, stride;
    unsigned bytes, lines, pages;
  } c[] = {{0x1000, 4, 4, 1, 1},    {0x1040, 4, 4, 2, 1},      {0x1fc0, 4, 4, 2, 2},
           {0x1000, 128, 4, 32, 1}, {0x1000, 4096, 4, 32, 32}, {0x1000, 0, 4, 1, 1},
           {0x1000, 8, 8, 2, 1},    {0x1000, 16, 16, 4, 1},    {0x1ffe, 0, 4, 2, 2}};
  for (size_t i = 0; i < sizeof c / sizeof c[0]; i++) {
    struct gmmu_op op = {.bytes = (uint8_t)c[i].bytes, .lanes = 32};
    uint64_t lines[2 * GMMU_LANES], pages[2 * GMMU_LANES];
    for (int k = 0; k < 32; k++) op.addr[k] = c[i].base + (uint64_t)k * c[i].stride;
    int n = gmmu_coalesce_lines(&op, lines);
    assert_int_equal(n, c[i].lines);
    assert_int_equal(gmmu_coalesce_pages(lines, n, pages), c[i].pages);
    check(&op);
  }
}

int main(void) {
  const struct CMUnitTest t[] = {cmocka_unit_test(random_operations), cmocka_unit_test(strides)};
  return cmocka_run_group_tests(t, NULL, NULL);
}
