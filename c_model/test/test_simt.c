/* SPDX-License-Identifier: Apache-2.0 */
/** test_simt.c - the SIMT core's simulator: each rule of docs/simt.md by hand, values by plain C.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "simt/encode.h"
#include "simt/simt.h"

enum { MEMORY = 1 << 16, HOLE = 0x8000 }; /* the bus refuses 4 KiB at HOLE */

struct rig {
  struct simt *s;
  uint8_t *mem;
  uint32_t code[256], n;
};

static uint8_t *at(void *context, uint32_t address, uint32_t bytes, bool write) {
  struct rig *r = context;
  (void)write;
  if (address >= MEMORY || MEMORY - address < bytes || address >> 12 == HOLE >> 12) return NULL;
  return r->mem + address;
}

static void make(struct rig *r, uint32_t warps, uint64_t seed) {
  struct simt_config c = {.warps = warps, .seed = seed};
  struct gmmu_err err;
  memset(r, 0, sizeof *r);
  r->mem = calloc(1, MEMORY);
  r->s = simt_new(&c, at, r, &err);
  assert_non_null(r->s);
}

static void drop(struct rig *r) {
  simt_free(r->s);
  free(r->mem);
}

static void emit(struct rig *r, uint32_t word) { r->code[r->n++] = word; }

static void emit_li(struct rig *r, uint32_t rd, uint32_t value) {
  emit(r, rv_lui(rd, value + 0x800));
  emit(r, rv_addi(rd, rd, (int32_t)(value << 20) >> 20));
}

/* rd = base + lane * 2^shift, by x31 */
static void emit_lane_address(struct rig *r, uint32_t rd, uint32_t base, uint32_t shift) {
  emit_li(r, rd, base);
  emit(r, rv_csr(31, CSR_LANE));
  emit(r, rv_r(0x13, 1, 0, 31, 31, shift));
  emit(r, rv_r(0x33, 0, 0, rd, rd, 31));
}

static void run(struct rig *r, uint32_t blocks, uint32_t warps, uint32_t scratch) {
  struct gmmu_err err;
  emit(r, RV_END);
  assert_int_equal(simt_load(r->s, r->code, r->n, &err), 0);
  simt_write_reg(r->s, SIMT_ENTRY, 0);
  simt_write_reg(r->s, SIMT_BLOCKS, blocks);
  simt_write_reg(r->s, SIMT_WARPS, warps);
  simt_write_reg(r->s, SIMT_SCRATCH_BYTES, scratch);
  simt_write_reg(r->s, SIMT_CTRL, 1);
  if (simt_run(r->s, 1000000)) {
    simt_dump(r->s, stderr);
    fail_msg("the launch does not end");
  }
  r->n = 0;
}

static uint32_t word(const struct rig *r, uint32_t address) {
  uint32_t v;
  memcpy(&v, r->mem + address, 4);
  return v;
}

static uint32_t mix(uint32_t x) {
  x = (x ^ x >> 16) * 0x45d9f3bu;
  return (x ^ x >> 13) * 0x2c1b3c6du ^ x;
}

/* Signed division and multiplication by C's rules and the specification's two exceptions. */
static uint32_t expect(uint32_t f7, uint32_t f3, uint32_t a, uint32_t b) {
  int64_t x = (int32_t)a, y = (int32_t)b;
  if (f7 == 1) {
    switch (f3) {
      case 0: return a * b;
      case 1: return (uint32_t)((uint64_t)(x * y) >> 32);
      case 2: return (uint32_t)((uint64_t)(x * (int64_t)b) >> 32);
      case 3: return (uint32_t)((uint64_t)a * b >> 32);
      case 4: return b ? (uint32_t)(x / y) : UINT32_MAX;
      case 5: return b ? a / b : UINT32_MAX;
      case 6: return b ? (uint32_t)(x % y) : a;
      default: return b ? a % b : a;
    }
  }
  switch (f3) {
    case 0: return f7 ? a - b : a + b;
    case 1: return a << b % 32;
    case 2: return x < y;
    case 3: return a < b;
    case 4: return a ^ b;
    case 5: return f7 ? (uint32_t)(x >> b % 32) : a >> b % 32;
    case 6: return a | b;
    default: return a & b;
  }
}

static void test_arithmetic(void **state) {
  static const uint32_t special[] = {0,          1,          2,          31,        32,
                                     0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff};
  static const struct {
    uint32_t f7, f3;
  } op[] = {{0, 0}, {0x20, 0}, {0, 1}, {0, 2}, {0, 3}, {0, 4}, {0, 5}, {0x20, 5}, {0, 6},
            {0, 7}, {1, 0},    {1, 1}, {1, 2}, {1, 3}, {1, 4}, {1, 5}, {1, 6},    {1, 7}};
  struct rig r;
  (void)state;
  make(&r, 1, 0);
  for (uint32_t round = 0; round < 20; round++) {
    for (size_t k = 0; k < sizeof op / sizeof *op; k++) {
      for (uint32_t l = 0; l < 32; l++) {
        uint32_t a = mix(round * 64 + l), b = mix(round * 64 + l + 32);
        if (mix(a) % 3 == 0) a = special[mix(a + 1) % 9];
        if (mix(b) % 3 == 0) b = special[mix(b + 1) % 9];
        memcpy(r.mem + 0x100 + l * 4, &a, 4);
        memcpy(r.mem + 0x200 + l * 4, &b, 4);
      }
      emit_lane_address(&r, 1, 0x100, 2);
      emit(&r, rv_i(0x03, 2, 5, 1, 0));
      emit(&r, rv_i(0x03, 2, 6, 1, 0x100));
      emit(&r, rv_r(0x33, op[k].f3, op[k].f7, 7, 5, 6));
      emit(&r, rv_s(0x23, 2, 7, 1, 0x200));
      run(&r, 1, 1, 0);
      for (uint32_t l = 0; l < 32; l++)
        assert_int_equal(
            word(&r, 0x300 + l * 4),
            expect(op[k].f7, op[k].f3, word(&r, 0x100 + l * 4), word(&r, 0x200 + l * 4)));
    }
  }
  drop(&r);
}

static void test_start(void **state) {
  struct rig r;
  (void)state;
  make(&r, 2, 0);
  simt_write_reg(r.s, SIMT_ARG0 + 12, 77);
  emit_lane_address(&r, 1, 0x100, 4);
  emit(&r, rv_s(0x2b, 5, 11, 1, 0)); /* a1, a2, a3, a4 */
  emit(&r, rv_s(0x23, 2, 2, 1, 0x400));
  run(&r, 1, 1, 0);
  for (uint32_t l = 0; l < 32; l++) {
    assert_int_equal(word(&r, 0x108 + l * 16), 77);
    assert_int_equal(word(&r, 0x10c + l * 16), 0);
    assert_int_equal(word(&r, 0x500 + l * 16), 0xf0000400);
  }
  drop(&r);
}

static void test_widths(void **state) {
  struct rig r;
  (void)state;
  make(&r, 1, 0);
  for (int i = 0; i < 1024; i++) r.mem[0x1000 + i] = (uint8_t)mix((uint32_t)i);
  emit_lane_address(&r, 1, 0x1000, 4);
  emit(&r, rv_i(0x2b, 1, 8, 1, 0));  /* l16 x8 .. x11 */
  emit(&r, rv_i(0x2b, 0, 13, 1, 8)); /* l8 x13, x14: any parity */
  emit(&r, rv_i(0x03, 0, 5, 1, 3));
  emit(&r, rv_i(0x03, 5, 6, 1, 6));
  emit_lane_address(&r, 2, 0x2000, 6);
  emit(&r, rv_s(0x2b, 5, 8, 2, 0));
  emit(&r, rv_s(0x2b, 4, 13, 2, 16));
  emit(&r, rv_s(0x23, 2, 5, 2, 24));
  emit(&r, rv_s(0x23, 2, 6, 2, 28));
  emit(&r, rv_s(0x23, 0, 8, 2, 33));
  emit(&r, rv_s(0x23, 1, 8, 2, 38));
  run(&r, 1, 1, 0);
  for (uint32_t l = 0; l < 32; l++) {
    const uint8_t *in = r.mem + 0x1000 + l * 16, *out = r.mem + 0x2000 + l * 64;
    assert_memory_equal(out, in, 16);
    assert_memory_equal(out + 16, in + 8, 8);
    assert_int_equal(word(&r, 0x2000 + l * 64 + 24), (uint32_t)(int32_t)(int8_t)in[3]);
    assert_int_equal(word(&r, 0x2000 + l * 64 + 28), (uint32_t)(in[6] | in[7] << 8));
    assert_int_equal(word(&r, 0x2000 + l * 64 + 32), (uint32_t)in[0] << 8);
    assert_int_equal(word(&r, 0x2000 + l * 64 + 36), (uint32_t)(in[0] | in[1] << 8) << 16);
  }
  assert_int_equal(simt_counts(r.s)->read_bursts, 8 * 4);
  assert_int_equal(simt_counts(r.s)->write_bursts, 32 * 6);
  drop(&r);
}

/* Lanes below 5 skip, the others loop lane times; all meet again and vote. */
static void test_divergence(void **state) {
  struct rig r;
  (void)state;
  make(&r, 1, 0);
  emit(&r, rv_csr(5, CSR_LANE));
  emit(&r, rv_addi(6, 0, 5));
  emit(&r, rv_b(4, 5, 6, 16)); /* blt: to the vote */
  emit(&r, rv_addi(7, 7, 1));
  emit(&r, rv_ballot(9, 7));
  emit(&r, rv_b(1, 7, 5, -8)); /* bne */
  emit(&r, rv_ballot(8, 7));
  emit(&r, rv_all(10, 7));
  emit(&r, rv_any(11, 7));
  emit(&r, rv_popc(12, 8));
  emit(&r, rv_ffs(13, 8));
  emit(&r, rv_addi(14, 5, 1));
  emit(&r, rv_shfl(15, 7, 14));
  run(&r, 1, 1, 0);
  for (uint32_t l = 0; l < 32; l++) {
    const uint32_t *x = simt_lane_regs(r.s, 0, l);
    assert_int_equal(x[7], l < 5 ? 0 : l);
    assert_int_equal(x[8], 0xffffffe0);
    if (l >= 5) assert_int_equal(x[9], UINT32_MAX << l); /* who was still in the loop */
    assert_int_equal(x[10], 0);
    assert_int_equal(x[11], 1);
    assert_int_equal(x[12], 27);
    assert_int_equal(x[13], 6);
    assert_int_equal(x[15], (l + 1) % 32 < 5 ? 0 : (l + 1) % 32);
  }
  drop(&r);
}

/* The even lanes go a way that lies behind the vote and come back; only wsync makes all meet. */
static void test_wsync(void **state) {
  struct rig r;
  (void)state;
  for (int with = 0; with < 2; with++) {
    make(&r, 1, 0);
    emit(&r, rv_csr(5, CSR_LANE));
    emit(&r, rv_i(0x13, 7, 6, 5, 1));
    emit(&r, rv_addi(20, 0, -1));
    emit(&r, rv_b(0, 6, 0, 16)); /* even: away */
    emit(&r, with ? rv_wsync(20) : rv_addi(0, 0, 0));
    emit(&r, rv_ballot(8, 20));
    emit(&r, RV_END);
    emit(&r, rv_addi(9, 0, 1)); /* where the even ones go */
    emit(&r, rv_jal(0, -16));
    run(&r, 1, 1, 0);
    for (uint32_t l = 0; l < 32; l++)
      assert_int_equal(simt_lane_regs(r.s, 0, l)[8], with    ? UINT32_MAX
                                                     : l & 1 ? 0xaaaaaaaa
                                                             : 0x55555555);
    drop(&r);
  }
}

/* All warps add to a word of memory and one of the scratchpad, meet, and read. Under many orders.
 */
static void test_atomics_and_barrier(void **state) {
  struct rig r;
  (void)state;
  for (uint64_t seed = 0; seed < 20; seed++) {
    make(&r, 8, seed);
    emit_li(&r, 1, 0x100);
    emit_li(&r, 2, 0xe0000008);
    emit(&r, rv_csr(3, CSR_BLOCK));
    emit(&r, rv_s(0x23, 2, 0, 2, 0)); /* the scratchpad is as the block before left it */
    emit(&r, rv_bar());
    emit(&r, rv_addi(5, 0, 3));
    emit(&r, rv_amo(RV_AMOADD, 6, 1, 5));
    emit(&r, rv_amo(RV_AMOADD, 7, 2, 5));
    emit(&r, rv_bar());
    emit(&r, rv_i(0x03, 2, 8, 2, 0));
    emit(&r, rv_r(0x13, 1, 0, 4, 3, 2));
    emit(&r, rv_s(0x23, 2, 8, 4, 0x200));
    run(&r, 6, 4, 1024);
    assert_int_equal(word(&r, 0x100), 6 * 4 * 32 * 3);
    for (uint32_t b = 0; b < 6; b++) assert_int_equal(word(&r, 0x200 + b * 4), 4 * 32 * 3);
    assert_int_equal(simt_read_reg(r.s, SIMT_STATUS), 0);
    drop(&r);
  }
}

static void test_cas(void **state) {
  struct rig r;
  (void)state;
  make(&r, 1, 0);
  emit_li(&r, 1, 0x100);
  emit(&r, rv_csr(5, CSR_LANE)); /* lane l: if it is l, make it l + 1; lanes in order, so all do */
  emit(&r, rv_addi(6, 5, 1));
  emit(&r, rv_addi(7, 5, 0));
  emit(&r, rv_amo(RV_AMOCAS, 7, 1, 6));
  emit(&r, rv_addi(8, 0, 99));
  emit(&r, rv_amo(RV_AMOCAS, 8, 1, 6)); /* not equal: nothing, the old value */
  emit(&r, rv_amo(RV_AMOSWAP, 9, 1, 5));
  run(&r, 1, 1, 0);
  for (uint32_t l = 0; l < 32; l++) {
    assert_int_equal(simt_lane_regs(r.s, 0, l)[7], l);
    assert_int_equal(simt_lane_regs(r.s, 0, l)[8], 32);
    assert_int_equal(simt_lane_regs(r.s, 0, l)[9], l ? l - 1 : 32);
  }
  assert_int_equal(word(&r, 0x100), 31);
  drop(&r);
}

/* Block 2 of 4 does `bad` in its warp 1; the others write their number. */
static void check_error(uint32_t bad, uint32_t address, enum simt_cause cause, uint32_t lane,
                        uint32_t reported) {
  struct rig r;
  make(&r, 4, 3);
  emit_lane_address(&r, 1, address, 4);
  emit_li(&r, 2, 0x100);
  emit(&r, rv_csr(3, CSR_BLOCK));
  emit(&r, rv_csr(4, CSR_WARP));
  emit(&r, rv_addi(5, 0, 2));
  emit(&r, rv_b(1, 3, 5, 16));
  emit(&r, rv_addi(5, 0, 1));
  emit(&r, rv_b(1, 4, 5, 8));
  uint32_t pc = r.n * 4;
  emit(&r, bad);
  emit(&r, rv_bar());
  emit(&r, rv_r(0x13, 1, 0, 6, 3, 2));
  emit(&r, rv_r(0x33, 0, 0, 6, 6, 2));
  emit(&r, rv_addi(3, 3, 1));
  emit(&r, rv_s(0x23, 2, 3, 6, 0));
  run(&r, 4, 2, 64);
  for (uint32_t b = 0; b < 4; b++) assert_int_equal(word(&r, 0x100 + b * 4), b == 2 ? 0 : b + 1);
  assert_int_equal(simt_read_reg(r.s, SIMT_STATUS), 2);
  assert_int_equal(simt_read_reg(r.s, SIMT_ERR_INFO),
                   UINT32_C(1) << 31 | 1 << 16 | lane << 8 | (uint32_t)cause);
  assert_int_equal(simt_read_reg(r.s, SIMT_ERR_BLOCK), 2);
  assert_int_equal(simt_read_reg(r.s, SIMT_ERR_ADDR), reported);
  if (cause != SIMT_SYNC) assert_int_equal(simt_read_reg(r.s, SIMT_ERR_PC), pc);
  simt_write_reg(r.s, SIMT_ERR_PC, 0);
  assert_int_equal(simt_read_reg(r.s, SIMT_STATUS), 0);
  drop(&r);
}

static void test_errors(void **state) {
  (void)state;
  check_error(0, 0, SIMT_ILLEGAL, 0, 0);
  check_error(rv_amo(2, 5, 1, 0), 0x200, SIMT_ILLEGAL, 0, 0); /* LR */
  check_error(rv_csr(5, 0x300), 0x200, SIMT_ILLEGAL, 0, 0);
  check_error(rv_i(0x2b, 0, 31, 1, 0), 0x200, SIMT_ILLEGAL, 0, 0);
  check_error(rv_i(0x03, 2, 5, 1, 2), 0x200, SIMT_ALIGN, 0, 0x202);
  check_error(rv_i(0x2b, 1, 5, 1, 8), 0x200, SIMT_ALIGN, 0, 0x208);
  check_error(rv_i(0x03, 2, 5, 1, 0), 0xe0000000, SIMT_RANGE, 4, 0xe0000040);
  check_error(rv_s(0x23, 2, 5, 1, 0), 0xf0000300, SIMT_RANGE, 16, 0xf0000400);
  check_error(rv_i(0x03, 2, 5, 1, 0), HOLE - 0x100, SIMT_BUS_READ, 16, HOLE);
  check_error(rv_s(0x23, 2, 5, 1, 0), HOLE - 0x100, SIMT_BUS_WRITE, 16, HOLE);
  check_error(rv_abort(1), 0x12345670, SIMT_SOFT, 0, 0x12345670);
}

static void test_sync_error(void **state) {
  struct rig r;
  (void)state;
  make(&r, 1, 0);
  emit(&r, rv_csr(5, CSR_LANE));
  emit(&r, rv_addi(20, 0, -1));
  emit(&r, rv_addi(6, 0, 7));
  emit(&r, rv_b(0, 5, 6, 12));
  emit(&r, rv_wsync(20));
  emit(&r, RV_END);
  emit(&r, rv_bar());
  run(&r, 1, 1, 0);
  assert_int_equal(simt_read_reg(r.s, SIMT_ERR_INFO), UINT32_C(1) << 31 | SIMT_SYNC);
  drop(&r);
}

static void test_bad_launches(void **state) {
  static const struct {
    uint32_t blocks, warps, scratch;
  } bad[] = {{0, 1, 0}, {1, 0, 0}, {1, 5, 0}, {1, 1, 8}, {1, 1, 32768}};
  struct rig r;
  (void)state;
  make(&r, 4, 0);
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    run(&r, bad[i].blocks, bad[i].warps, bad[i].scratch);
    assert_int_equal(simt_counts(r.s)->instructions, 0);
  }
  struct gmmu_err err;
  struct simt_config c = {.warps = 3};
  assert_null(simt_new(&c, at, &r, &err));
  assert_non_null(strstr(err.msg, "warps"));
  drop(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_arithmetic), cmocka_unit_test(test_start),
      cmocka_unit_test(test_widths),     cmocka_unit_test(test_divergence),
      cmocka_unit_test(test_wsync),      cmocka_unit_test(test_atomics_and_barrier),
      cmocka_unit_test(test_cas),        cmocka_unit_test(test_errors),
      cmocka_unit_test(test_sync_error), cmocka_unit_test(test_bad_launches),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
