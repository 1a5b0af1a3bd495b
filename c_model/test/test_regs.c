/* SPDX-License-Identifier: Apache-2.0 */
/** test_regs.c - the model of the register file against docs/regs-map.md, by a table of its own:
 * which offsets have a register, what each keeps of what is written, byte by byte, what it reads
 * after reset, and that no other register changes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "gmmu_regs.h"
#include "policy/regs.h"

#define WORDS (GMMU_REGS_BYTES / 4)
#define TOKENS GMMU_REG_CAPS_TOKENS_MASK
#define SCHED GMMU_REG_CAPS_SCHED_MASK

/* Three ports, five address spaces, ASIDs of 3 bits, PFNs of 34, two windows. */
static const struct gmmu_regs_model build = {.ports = 3,
                                             .asids = 5,
                                             .asid_w = 3,
                                             .pfn_w = 34,
                                             .windows = 2,
                                             .reset_mode = 2,
                                             .fault_entries = 16,
                                             .counters = 11,
                                             .caps = TOKENS | SCHED,
                                             .params = 56,
                                             .epoch_reset = 5000,
                                             .least_epoch = 64,
                                             .sv48 = true};

/* Registers that keep what is written: `keep` are the bits that exist; legal values alone reach
 * `probe` and 0. */
struct kept {
  uint32_t offset, stride, count, keep, reset;
  bool busy;      /* keeps its value while a command runs */
  uint32_t least; /* of what 0 becomes */
  uint32_t caps;  /* built with any of these; 0: always */
};
static const struct kept rw[] = {
    {0x014, 0, 1, 0xf, 0, false, 0, 0},
    {0x028, 0, 1, 0x7, 0, true, 0, 0},
    {0x030, 0, 1, 0xfffff000, 0, true, 0, 0},
    {0x034, 0, 1, 0xffff, 0, true, 0, 0},
    {0x038, 0, 1, 0xfffff000, 0, true, 0, 0},
    {0x03c, 0, 1, 0xffff, 0, true, 0, 0},
    {0x064, 0, 1, 0xffffffff, 0, false, 0, 0},
    {0x0a0, 0, 1, 0xffffffff, 5000, false, 64, TOKENS | SCHED},
    {0x0a4, 0, 1, 0x7f7f0701, 2 << 24 | 80 << 16 | 4 << 8, false, 0, TOKENS},
    {0x0a8, 0, 1, 0xff, 5, false, 1, SCHED},
    {0x0ac, 0, 1, 0x3ff, 500, false, 1, SCHED},
    {0x0b0, 0, 1, 0xffff, 2000, false, 1, SCHED},
    {0x0b4, 0, 1, 0xfffc, 0, false, 0, SCHED},
    {0x400, 32, 2, 0xffffffff, 0, false, 0, 0},
    {0x404, 32, 2, 0x3, 0, false, 0, 0},
    {0x408, 32, 2, 0xffffffff, 0, false, 0, 0},
    {0x40c, 32, 2, 0x3, 0, false, 0, 0},
    {0x410, 32, 2, 0x3, 0, false, 0, 0},
    {0x800, 16, 3, 0x001f0337, 2, false, 0, 0},
    {0x804, 16, 3, 0x7, 0, false, 0, 0},
    {0x1000, 16, 5, 0xffffffff, 0, false, 0, 0},
    {0x1004, 16, 5, 0x3, 0, false, 0, 0},
    {0x1008, 16, 5, 0x1f, 0, false, 0, 0},
};
/* The others: what they read, and which bits hardware alone makes. */
struct fixed {
  uint32_t offset, stride, count, value, hardware;
};
static const struct fixed ro[] = {
    {0x000, 0, 1, 0x554d4d47, 0},
    {0x004, 0, 1, 1, 0},
    {0x008, 0, 1, TOKENS | SCHED, 0},
    {0x010, 0, 1, 0, 0xf},        /* IRQ_STATUS */
    {0x020, 0, 1, 0, 0},          /* CMD: reads 0 */
    {0x024, 0, 1, 0, 0xffff0703}, /* CMD_STATUS */
    {0x040, 0, 1, 16 << 8, 0xff}, /* FAULT_STATUS: records, of 16 */
    {0x044, 0, 1, 0, 0},
    {0x048, 0, 1, 0, 0xffffffff}, /* the head of the queue */
    {0x04c, 0, 1, 0, 0xffffffff},
    {0x050, 0, 1, 0, 0xffffffff},
    {0x054, 0, 1, 0, 0xffffffff},
    {0x060, 0, 1, 0, 0},
    {0x068, 0, 1, 0, 0},
    {0x070, 0, 1, 0, 0xffffffff}, /* PORTS_BUSY */
    {0x074, 0, 1, 0, 7},          /* CMD_HELD: three ports */
    {0x600, 4, 56, 0, 0xffffffff},
    {0x700, 8, 11, 0, 0xffffffff},
    {0x704, 8, 11, 0, 0xffffffff},
    {0x808, 16, 3, 0, 0x1ff}, /* PORT_STATUS */
};
#define COUNT(a) (sizeof(a) / sizeof(a)[0])

static struct gmmu_regs_model fresh(uint32_t caps) {
  struct gmmu_regs_model m = build;

  m.caps = caps;
  memset(m.port_ctrl, 0xa5, sizeof m.port_ctrl);
  memset(m.port_asid, 0xa5, sizeof m.port_asid);
  memset(m.ctx_ctrl, 0xa5, sizeof m.ctx_ctrl);
  memset(m.ctx_root, 0xa5, sizeof m.ctx_root);
  memset(m.win_ctrl, 0xa5, sizeof m.win_ctrl);
  memset(m.win_first, 0xa5, sizeof m.win_first);
  memset(m.win_last, 0xa5, sizeof m.win_last);
  memset(m.kept, 0xa5, sizeof m.kept);
  m.first = m.last = 0xa5a5a5a5a5a5;
  gmmu_regs_reset(&m);
  return m;
}

static uint32_t get(const struct gmmu_regs_model *m, uint32_t at) {
  uint32_t v, known;

  assert_true(gmmu_regs_read(m, at, &v, &known));
  assert_int_equal(known, 0xffffffff);
  return v;
}
static void set(struct gmmu_regs_model *m, uint32_t at, uint32_t v) {
  assert_true(gmmu_regs_write(m, at, v, 15, false));
}

/* All that software reads, as one picture. */
static void picture(const struct gmmu_regs_model *m, uint32_t *v) {
  for (uint32_t i = 0; i < WORDS; i++) {
    uint32_t known;
    if (!gmmu_regs_read(m, 4 * i, &v[i], &known)) assert_int_equal(v[i], 0);
    v[i] &= known;
  }
}

static void mark(bool *there, uint32_t offset, uint32_t stride, uint32_t count) {
  for (uint32_t n = 0; n < count; n++) there[(offset + stride * n) / 4] = true;
}

/* A register is where the map has one of the build, and nowhere else. */
static void offsets(void **state) {
  static const uint32_t builds[] = {0, TOKENS, SCHED, TOKENS | SCHED};

  (void)state;
  for (size_t b = 0; b < COUNT(builds); b++) {
    struct gmmu_regs_model m = fresh(builds[b]);
    bool there[WORDS] = {false};
    uint32_t v, known;
    for (size_t i = 0; i < COUNT(ro); i++) mark(there, ro[i].offset, ro[i].stride, ro[i].count);
    for (size_t i = 0; i < COUNT(rw); i++)
      if (!rw[i].caps || (rw[i].caps & builds[b]))
        mark(there, rw[i].offset, rw[i].stride, rw[i].count);
    for (uint32_t at = 0; at < GMMU_REGS_BYTES; at++) { /* bits 1:0 do not matter */
      assert_int_equal(gmmu_regs_exists(&m, at), there[at / 4]);
      assert_int_equal(gmmu_regs_read(&m, at, &v, &known), there[at / 4]);
      assert_int_equal(gmmu_regs_write(&m, at, 0, 0, false), there[at / 4]);
    }
  }
}

static void after_reset(void **state) {
  struct gmmu_regs_model m = fresh(TOKENS | SCHED);

  (void)state;
  for (size_t i = 0; i < COUNT(rw); i++)
    for (uint32_t n = 0; n < rw[i].count; n++)
      assert_int_equal(get(&m, rw[i].offset + rw[i].stride * n), rw[i].reset);
  for (size_t i = 0; i < COUNT(ro); i++)
    for (uint32_t n = 0; n < ro[i].count; n++) {
      uint32_t v, known;
      assert_true(gmmu_regs_read(&m, ro[i].offset + ro[i].stride * n, &v, &known));
      assert_int_equal(known, ~ro[i].hardware);
      assert_int_equal(v & known, ro[i].value);
    }
  m.ports = 32; /* all bits of CMD_HELD are ports */
  uint32_t v, known;
  assert_true(gmmu_regs_read(&m, 0x074, &v, &known));
  assert_int_equal(known, 0);
}

/* One write of some bytes to a register that has `before`: it reads `want`, the rest as ever. */
static void one_write(struct gmmu_regs_model *m, uint32_t at, uint32_t data, uint32_t strb,
                      uint32_t want) {
  static uint32_t before[WORDS], now[WORDS];

  picture(m, before);
  assert_true(gmmu_regs_write(m, at, data, strb, false));
  picture(m, now);
  before[at / 4] = want;
  assert_memory_equal(now, before, sizeof now);
}

/* A value of the register's bits that is legal in all its fields: modes 1, few applications. */
static uint32_t legal(const struct kept *r, uint32_t x) {
  switch (r->offset) {
    case 0x0a0: return x | 64;
    case 0x0a4: return x & 0x3f3f0701;
    case 0x0a8: return (x & 3) | 1;
    case 0x0ac:
    case 0x0b0: return (x & r->keep) | 1;
    case 0x800: return x & 0x001f0135;
    case 0x1008: return x & 0x1d;
    default: return x & r->keep;
  }
}

/* Each register takes what it has bits for, by bytes, and no other one changes. */
static void each_keeps_its_bits(void **state) {
  struct gmmu_regs_model m = fresh(TOKENS | SCHED);

  (void)state;
  for (size_t i = 0; i < COUNT(rw); i++)
    for (uint32_t n = 0; n < rw[i].count; n++) {
      const struct kept *r = &rw[i];
      uint32_t at = r->offset + r->stride * n, x = legal(r, 0x5a3c69f1 + 0x01010101 * n),
               y = legal(r, ~x), now = x;
      one_write(&m, at, x | (r->offset < 0x100 ? 0 : ~r->keep), 15, x);
      assert_true(gmmu_regs_write(&m, at, y, 15, true)); /* beside a command */
      assert_int_equal(get(&m, at), r->busy ? x : y);
      one_write(&m, at, x, 15, x);
      for (uint32_t b = 0; b < 4; b++) { /* a byte at a time: x becomes y */
        uint32_t byte = 255u << 8 * b;
        if (legal(r, (now & ~byte) | (y & byte)) != ((now & ~byte) | (y & byte))) continue;
        now = (now & ~byte) | (y & byte);
        one_write(&m, at, y, 1u << b, now);
      }
      one_write(&m, at, ~0u, 0, now);
      one_write(&m, at, 0, 15, r->least);
      one_write(&m, at | 3, x, 15, x); /* bits 1:0 do not matter */
    }
}

/* Bits that a register has not read 0. */
static void unnamed_bits(void **state) {
  struct gmmu_regs_model m = fresh(TOKENS | SCHED);

  (void)state;
  for (size_t i = 0; i < COUNT(rw); i++) {
    set(&m, rw[i].offset, 0xffffffff);
    assert_int_equal(get(&m, rw[i].offset) & ~rw[i].keep, 0);
  }
}

/* What is out of range reads back as the nearest, or as the map says. */
static void illegal_values(void **state) {
  static const struct {
    uint32_t at, data, want;
  } v[] = {
      {0x0a0, 63, 64},
      {0x0a0, 64, 64},
      {0x0a0, 65, 65},
      {0x0a4, 100u << 24 | 100u << 16, 100u << 24 | 100u << 16},
      {0x0a4, 101u << 24 | 3u << 16 | 0x701, 100u << 24 | 3u << 16 | 0x701},
      {0x0a4, 3u << 24 | 127u << 16, 3u << 24 | 100u << 16},
      {0x0a4, 0x80800000, 0},
      {0x0a8, 0, 1},
      {0x0a8, 4, 4},
      {0x0a8, 5, 5},
      {0x0a8, 6, 5},
      {0x0a8, 255, 5},
      {0x0ac, 2, 2},
      {0x0ac, 1, 1},
      {0x0ac, 1024, 1}, /* 0 in its ten bits */
      {0x0b0, 0x10000, 1},
      {0x0b4, 7, 4},
      {0x800, 3, 2}, /* hold */
      {0x800, 2, 2},
      {0x810, 1, 1},
      {0x800, 0x300, 0},
      {0x800, 0x200, 0x200},
      {0x800, 0x337, 0x036},
      {0x1008, 2, 2},
      {0x1008, 3, 0},
      {0x1008, 0x1f, 0x1c},
      {0x1008, 0x1e, 0x1e},
  };
  struct gmmu_regs_model m = fresh(TOKENS | SCHED);

  (void)state;
  for (size_t i = 0; i < COUNT(v); i++) one_write(&m, v[i].at, v[i].data, 15, v[i].want);
  m.sv48 = false;
  one_write(&m, 0x1008, 2, 15, 0);
  one_write(&m, 0x1008, 0x1d, 15, 0x1d);
  one_write(&m, 0x1008, 0x1e, 15, 0x1c);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(offsets), cmocka_unit_test(after_reset), cmocka_unit_test(unnamed_bits),
      cmocka_unit_test(each_keeps_its_bits), cmocka_unit_test(illegal_values)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
