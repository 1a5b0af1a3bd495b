/* SPDX-License-Identifier: Apache-2.0 */
/** test_walk.c - every rule of docs/walk-rules.md one by one, then random tables against an oracle.
 */
#include "gmmu.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <cmocka.h>

#define V GMMU_PTE_V
#define R GMMU_PTE_R
#define W GMMU_PTE_W
#define X GMMU_PTE_X
#define U GMMU_PTE_U
#define G GMMU_PTE_G
#define A GMMU_PTE_A
#define D GMMU_PTE_D
#define FULL (V | R | W | X | U | A | D)

/* Tables of the hand-made tests: level l in frame T0 + l; the VFN's index at level l is 5 + l. */
#define T0 0x100ull
#define DATA 0x40000ull /* 2 MiB, 1 GiB aligned */
#define IDX(l) (5ull + (uint64_t)(l))
#define VFN48 (IDX(3) << 27 | IDX(2) << 18 | IDX(1) << 9 | IDX(0))
#define VFN39 (IDX(2) << 18 | IDX(1) << 9 | IDX(0))

struct fix {
  struct gmmu_mem *m;
  struct gmmu_env e;
  uint64_t bad_pa; /* a read of it is a memory error; 0: none */
  struct gmmu_xlate x;
};

static int rd(void *arg, uint64_t pa, uint64_t *pte) {
  struct fix *f = arg;
  *pte = gmmu_mem_read64(f->m, pa);
  return f->bad_pa && pa == f->bad_pa;
}

static uint64_t pte_at(int level) { return (T0 + (uint64_t)level) << 12 | IDX(level) << 3; }
static void set(struct fix *f, int level, uint64_t pte) {
  gmmu_mem_write64(f->m, pte_at(level), pte);
}

/* Good tables down to a 4 KiB leaf, ASID 0 Sv48, ASID 1 Sv39 on the same tables, extension on. */
static int setup(void **state) {
  struct fix *f = test_calloc(1, sizeof *f);
  f->m = gmmu_mem_new();
  f->e.num_asids = 4;
  f->e.num_windows = 2;
  f->e.va_w = 48;
  f->e.pa_w = 48;
  f->e.large_answers = true;
  f->e.ctx[0] = (struct gmmu_ctx){.root_pfn = T0 + 3, .mode = GMMU_MODE_SV48, .ext = true};
  f->e.ctx[1] = (struct gmmu_ctx){.root_pfn = T0 + 2, .mode = GMMU_MODE_SV39, .ext = true};
  f->e.win[0] = (struct gmmu_window){T0, T0 + 3, true, false};
  f->e.win[1] = (struct gmmu_window){T0 + 4, (1ull << 36) - 1, false, true};
  for (int l = 3; l > 0; l--) set(f, l, GMMU_PTE_MAKE(T0 + (uint64_t)l - 1, V));
  set(f, 0, GMMU_PTE_MAKE(DATA + 7, FULL));
  *state = f;
  return 0;
}

static int teardown(void **state) {
  struct fix *f = *state;
  gmmu_mem_free(f->m);
  test_free(f);
  return 0;
}

static int walk(struct fix *f) {
  gmmu_walk(&f->e, 0, VFN48, rd, f, &f->x);
  return f->x.cause;
}
/* A fault returns its cause, the PTEs read, and nothing else. */
static void fault(struct fix *f, int cause, int reads) {
  struct gmmu_xlate expect = {.cause = cause, .reads = reads};
  assert_string_equal(gmmu_cause_name(walk(f)), gmmu_cause_name(cause));
  assert_int_equal(f->x.reads, reads);
  memcpy(expect.pte_pa, f->x.pte_pa, sizeof expect.pte_pa);
  assert_memory_equal(&f->x, &expect, sizeof expect);
}
static int translate(struct fix *f, uint64_t va, int access, bool user, struct gmmu_answer *a) {
  gmmu_translate(&f->e, f->m, 0, va, access, user, a);
  return a->cause;
}

static void good_walks(void **state) {
  struct fix *f = *state;
  assert_int_equal(walk(f), GMMU_OK);
  assert_true(f->x.pfn == DATA + 7 && f->x.r && f->x.w && f->x.x && f->x.u && f->x.d);
  assert_false(f->x.large || f->x.no_fill);
  assert_int_equal(f->x.reads, 4);
  for (int i = 0; i < 4; i++) assert_int_equal(f->x.pte_pa[i], pte_at(3 - i));
  gmmu_walk(&f->e, 1, VFN39, rd, f, &f->x);
  assert_int_equal(f->x.cause, GMMU_OK);
  assert_int_equal(f->x.reads, 3);
}

static void unknown_asid(void **state) {
  struct fix *f = *state;
  const int asid[] = {-1, 2, 4, 63, 1000};
  f->e.ctx[4] = f->e.ctx[0]; /* beyond num_asids */
  for (size_t i = 0; i < sizeof asid / sizeof asid[0]; i++) {
    gmmu_walk(&f->e, asid[i], VFN48, rd, f, &f->x);
    assert_int_equal(f->x.cause, GMMU_UNKNOWN_ASID);
    assert_int_equal(f->x.reads, 0);
  }
  f->e.va_w = 39;
  fault(f, GMMU_UNKNOWN_ASID, 0); /* Sv48 in a build for Sv39 */
}

static void non_canonical(void **state) {
  struct fix *f = *state;
  struct gmmu_answer a;
  for (int bit = 26; bit < 36; bit++) {
    gmmu_walk(&f->e, 1, VFN39 | 1ull << bit, rd, f, &f->x);
    assert_int_equal(f->x.cause, GMMU_NON_CANONICAL);
    gmmu_walk(&f->e, 1, 0x3ffull << 26 ^ 1ull << bit, rd, f, &f->x);
    assert_int_equal(f->x.cause, GMMU_NON_CANONICAL);
  }
  gmmu_walk(&f->e, 1, 0x3ffull << 26, rd, f, &f->x);
  assert_int_equal(f->x.cause, GMMU_PF_INVALID);
  for (int bit = 47; bit < 64; bit++) {
    assert_int_equal(translate(f, VFN48 << 12 | 1ull << bit, GMMU_READ, true, &a),
                     GMMU_NON_CANONICAL);
    assert_int_equal(translate(f, 0x1ffffull << 47 ^ 1ull << bit, GMMU_READ, true, &a),
                     GMMU_NON_CANONICAL);
    assert_true(a.pa == 0 && !a.may_be_4k && !a.may_be_2m);
  }
  assert_int_equal(translate(f, 0x1ffffull << 47, GMMU_READ, true, &a), GMMU_PF_INVALID);
  gmmu_translate(&f->e, f->m, 1, VFN39 << 12 | 1ull << 38, GMMU_READ, true, &a);
  assert_int_equal(a.cause, GMMU_NON_CANONICAL);
  gmmu_translate(&f->e, f->m, 7, 1ull << 60, GMMU_READ, true, &a);
  assert_int_equal(a.cause, GMMU_UNKNOWN_ASID); /* before non_canonical */
}

static void walk_window(void **state) {
  struct fix *f = *state;
  for (int l = 3; l >= 0; l--) { /* one table outside at a time */
    f->e.win[0].lo_pfn = T0 + (uint64_t)l + 1;
    fault(f, GMMU_AF_WALK_WINDOW, 3 - l);
  }
  f->e.win[0] = (struct gmmu_window){T0, T0 + 3, false, true};
  fault(f, GMMU_AF_WALK_WINDOW, 0);
  f->e.win[2] = (struct gmmu_window){T0, T0 + 3, true, true}; /* beyond num_windows */
  fault(f, GMMU_AF_WALK_WINDOW, 0);
}

static void memory_error(void **state) {
  struct fix *f = *state;
  for (int l = 3; l >= 0; l--) {
    f->bad_pa = pte_at(l);
    fault(f, GMMU_AF_MEM, 4 - l);
  }
}

static void invalid(void **state) {
  struct fix *f = *state;
  for (int l = 0; l < 4; l++) {
    set(f, l, ~0ull & ~V);
    fault(f, GMMU_PF_INVALID, 4 - l);
  }
}

static void write_only(void **state) {
  struct fix *f = *state;
  for (int l = 0; l < 4; l++) {
    set(f, l, V | W | A | D | GMMU_PTE_CO);
    fault(f, GMMU_PF_WRITE_ONLY, 4 - l);
    set(f, l, V | W | X | A | D);
    fault(f, GMMU_PF_WRITE_ONLY, 4 - l);
  }
}

static void reserved(void **state) {
  struct fix *f = *state;
  for (int ext = 0; ext < 2; ext++)
    for (int rsw = 0; rsw < 2; rsw++)
      for (int l = 3; l >= 0; l--)
        for (int bit = 54; bit < 64; bit++) {
          uint64_t good = gmmu_mem_read64(f->m, pte_at(l));
          bool legal = ext && !rsw && l == 1;
          f->e.ctx[0].ext = ext;
          f->e.frame_bits_in_rsw = rsw;
          set(f, l, good | 1ull << bit);
          if (!legal) fault(f, GMMU_PF_RESERVED, 4 - l);
          else
            assert_int_equal(walk(f),
                             bit == 63 ? GMMU_PF_INVALID : GMMU_OK); /* CO: leaf PTE 0 is empty */
          if (l > 0) {                                               /* as a leaf, legal nowhere */
            set(f, l, GMMU_PTE_MAKE(0, FULL) | 1ull << bit);
            fault(f, GMMU_PF_RESERVED, 4 - l);
          }
          set(f, l, good);
        }
}

static void no_leaf(void **state) {
  struct fix *f = *state;
  set(f, 0, GMMU_PTE_MAKE(T0, V | A | D | U));
  fault(f, GMMU_PF_NO_LEAF, 4);
}

static void nonleaf_adu(void **state) {
  struct fix *f = *state;
  const uint64_t bit[] = {A, D, U};
  for (int l = 1; l < 4; l++)
    for (int i = 0; i < 3; i++) {
      uint64_t good = gmmu_mem_read64(f->m, pte_at(l));
      set(f, l, good | bit[i] | GMMU_PTE_MAKE(1ull << 43, 0)); /* before the width */
      fault(f, GMMU_PF_NONLEAF_ADU, 4 - l);
      set(f, l, good | G);
      assert_int_equal(walk(f), GMMU_OK);
      set(f, l, good);
    }
}

static void pointer_width(void **state) {
  struct fix *f = *state;
  f->e.win[0].hi_pfn = ~0ull;
  for (int l = 1; l < 4; l++) {
    uint64_t good = gmmu_mem_read64(f->m, pte_at(l));
    set(f, l, good | GMMU_PTE_MAKE(1ull << 36, 0));
    fault(f, GMMU_AF_PPN_WIDTH, 4 - l);
    set(f, l, good | GMMU_PTE_MAKE(1ull << 35, 0));
    assert_int_equal(walk(f), GMMU_PF_INVALID);
    set(f, l, good);
  }
}

static void superpages(void **state) {
  struct fix *f = *state;
  struct gmmu_answer a;
  for (int l = 3; l >= 1; l--) {
    uint64_t mask = (1ull << 9 * l) - 1, good = gmmu_mem_read64(f->m, pte_at(l));
    uint64_t ppn = l == 3 ? 1ull << 27 : DATA, pfn = ppn | (VFN48 & mask);
    set(f, l, GMMU_PTE_MAKE(ppn, FULL));
    assert_int_equal(walk(f), GMMU_OK);
    assert_true(f->x.large && f->x.pfn == (pfn & ~511ull) && f->x.reads == 4 - l);
    assert_int_equal(translate(f, VFN48 << 12 | 0x123, GMMU_READ, true, &a), GMMU_OK);
    assert_true(a.pa == (pfn << 12 | 0x123) && a.may_be_2m && a.may_be_4k);
    f->e.large_answers = false;
    assert_int_equal(walk(f), GMMU_OK);
    assert_true(!f->x.large && f->x.pfn == pfn && !f->x.no_fill);
    translate(f, VFN48 << 12 | 0x123, GMMU_READ, true, &a);
    assert_true(a.pa == (pfn << 12 | 0x123) && !a.may_be_2m && a.may_be_4k);
    f->e.large_answers = true;
    for (int b = 0; b < 9 * l; b++) {
      set(f, l, GMMU_PTE_MAKE(ppn | 1ull << b, V | R));
      fault(f, GMMU_PF_MISALIGNED, 4 - l); /* before A=0 */
    }
    set(f, l, GMMU_PTE_MAKE(ppn, FULL) | GMMU_PTE_DIS); /* DIS counts at level 0 only */
    assert_int_equal(walk(f), GMMU_OK);
    assert_false(f->x.no_fill);
    set(f, l, good);
  }
}

static void leaf_accessed(void **state) {
  struct fix *f = *state;
  set(f, 0, GMMU_PTE_MAKE(1ull << 43, FULL & ~A)); /* before the width */
  fault(f, GMMU_PF_ACCESSED, 4);
}

static void leaf_width(void **state) {
  struct fix *f = *state;
  f->e.win[1].hi_pfn = ~0ull;
  set(f, 0, GMMU_PTE_MAKE(1ull << 36, FULL));
  fault(f, GMMU_AF_PPN_WIDTH, 4);
  set(f, 0, GMMU_PTE_MAKE((1ull << 36) - 1, FULL));
  assert_int_equal(walk(f), GMMU_OK);
  /* A 512 GiB leaf at 0 that reaches beyond a 36-bit physical space. */
  f->e.pa_w = 36;
  f->e.win[1].lo_pfn = 0;
  set(f, 3, GMMU_PTE_MAKE(0, FULL));
  assert_int_equal(walk(f), GMMU_OK);
  gmmu_walk(&f->e, 0, VFN48 | 1ull << 24, rd, f, &f->x);
  assert_int_equal(f->x.cause, GMMU_AF_PPN_WIDTH);
}

static void data_window(void **state) {
  struct fix *f = *state;
  f->e.win[1].hi_pfn = DATA + 6;
  fault(f, GMMU_AF_PPN_WINDOW, 4);
  f->e.win[1] = (struct gmmu_window){DATA + 7, DATA + 7, false, true};
  assert_int_equal(walk(f), GMMU_OK);
  f->e.win[1].data = false;
  fault(f, GMMU_AF_PPN_WINDOW, 4);
  /* A large page must lie in one window whole; broken into 4 KiB, only the page asked for. */
  set(f, 1, GMMU_PTE_MAKE(DATA, FULL));
  f->e.win[1] = (struct gmmu_window){DATA, DATA + 510, false, true};
  fault(f, GMMU_AF_PPN_WINDOW, 3);
  f->e.num_windows = 3;
  f->e.win[2] = (struct gmmu_window){DATA + 511, DATA + 511, false, true};
  fault(f, GMMU_AF_PPN_WINDOW, 3); /* two windows that touch do not count as one */
  f->e.large_answers = false;
  assert_int_equal(walk(f), GMMU_OK);
  f->e.large_answers = true;
  f->e.win[1].hi_pfn = DATA + 511;
  assert_int_equal(walk(f), GMMU_OK);
}

static void set_co(struct fix *f, uint64_t leaf0) {
  set(f, 1, GMMU_PTE_MAKE(T0, V | (f->e.frame_bits_in_rsw ? GMMU_PTE_CO_RSW : GMMU_PTE_CO)));
  gmmu_mem_write64(f->m, T0 << 12, leaf0);
}

static void coalesced(void **state) {
  struct fix *f = *state;
  for (int rsw = 0; rsw < 2; rsw++) {
    f->e.frame_bits_in_rsw = rsw;
    set_co(f, GMMU_PTE_MAKE(DATA, FULL) | GMMU_PTE_DIS);
    assert_int_equal(walk(f), GMMU_OK);
    assert_true(f->x.large && f->x.pfn == DATA && !f->x.no_fill);
    assert_true(f->x.reads == 4 && f->x.pte_pa[3] == T0 << 12); /* leaf 0, not the requested one */
    f->e.large_answers = false;
    assert_int_equal(walk(f), GMMU_OK);
    assert_true(!f->x.large && f->x.pfn == DATA + IDX(0) && !f->x.no_fill);
    f->e.large_answers = true;
    set_co(f, GMMU_PTE_MAKE(DATA + 1, V | R));
    fault(f, GMMU_PF_MISALIGNED, 4);
    set_co(f, GMMU_PTE_MAKE(DATA, V | R));
    fault(f, GMMU_PF_ACCESSED, 4);
    set_co(f, GMMU_PTE_MAKE(DATA, R | A));
    fault(f, GMMU_PF_INVALID, 4);
    set_co(f, GMMU_PTE_MAKE(DATA, V));
    fault(f, GMMU_PF_NO_LEAF, 4);
    set_co(f, GMMU_PTE_MAKE(1ull << 36, FULL));
    fault(f, GMMU_AF_PPN_WIDTH, 4);
  }
  /* Extension off, RSW bits: an ordinary pointer. */
  f->e.ctx[0].ext = false;
  assert_int_equal(walk(f), GMMU_OK);
  assert_true(!f->x.large && f->x.pfn == DATA + 7);
  /* Bits 8 and 9 of a frame PTE mean nothing without FrameBitsInRsw; C and AC are ignored. */
  f->e.ctx[0].ext = true;
  f->e.frame_bits_in_rsw = false;
  set(f, 1, GMMU_PTE_MAKE(T0, V) | 3ull << 8 | GMMU_PTE_AC | GMMU_PTE_C(0) | GMMU_PTE_C(7));
  assert_int_equal(walk(f), GMMU_OK);
  assert_true(!f->x.large && f->x.pfn == DATA + 7);
}

/* AC and C in a build that follows them: the head's PTE is read; `whole` where all pages of the run
 * may be filled, though only the one asked for decides the answer. */
static void contiguous(void **state) {
  static const struct {
    uint64_t bit, pages;
    int path;
  } v[] = {{GMMU_PTE_AC, 512, GMMU_PATH_AC}, {GMMU_PTE_C(0), 64, GMMU_PATH_C}};
  struct fix *f = *state;
  f->e.unified = true;
  for (int i = 0; i < 2; i++) {
    uint64_t head = DATA + 3, end = head + v[i].pages - 1, pfn = head + IDX(0);
    f->e.win[1] = (struct gmmu_window){head, end, false, true};
    set(f, 1, GMMU_PTE_MAKE(T0, V) | v[i].bit);
    gmmu_mem_write64(f->m, T0 << 12, GMMU_PTE_MAKE(head, FULL));
    assert_int_equal(walk(f), GMMU_OK);
    assert_true(f->x.pfn == pfn && f->x.path == v[i].path && f->x.whole && !f->x.no_fill);
    assert_true(f->x.reads == 4 && f->x.pte_pa[3] == T0 << 12);
    f->e.win[1].hi_pfn = end - 1;
    assert_int_equal(walk(f), GMMU_OK);
    assert_true(f->x.pfn == pfn && !f->x.whole);
    f->e.win[1] = (struct gmmu_window){head + 1, end, false, true};
    assert_int_equal(walk(f), GMMU_OK);
    assert_true(f->x.pfn == pfn && !f->x.whole);
    f->e.win[1] = (struct gmmu_window){head, end, false, true};
    gmmu_mem_write64(f->m, T0 << 12, GMMU_PTE_MAKE(head, FULL) | GMMU_PTE_DIS);
    assert_int_equal(walk(f), GMMU_OK);
    assert_true(f->x.pfn == pfn && f->x.no_fill && !f->x.whole);
    f->e.pa_w = 40; /* the run ends beyond physical memory */
    head = (1ull << 28) + 1 - v[i].pages;
    f->e.win[1] = (struct gmmu_window){0, ~0ull, false, true};
    gmmu_mem_write64(f->m, T0 << 12, GMMU_PTE_MAKE(head, FULL));
    assert_int_equal(walk(f), GMMU_OK);
    assert_true(f->x.pfn == head + IDX(0) && !f->x.whole);
    gmmu_mem_write64(f->m, T0 << 12, GMMU_PTE_MAKE(head - 1, FULL));
    assert_int_equal(walk(f), GMMU_OK);
    assert_true(f->x.whole);
    f->e.pa_w = 48;
  }
}

static void disabled(void **state) {
  struct fix *f = *state;
  set(f, 0, GMMU_PTE_MAKE(DATA, FULL) | GMMU_PTE_DIS);
  assert_int_equal(walk(f), GMMU_OK);
  assert_true(f->x.no_fill);
  f->e.ctx[0].ext = false;
  assert_int_equal(walk(f), GMMU_OK);
  assert_false(f->x.no_fill);
}

/* Every combination of leaf bits, privilege, SUM, MXR and access; the expectation is spelt out per
 * access. */
static void access_checks(void **state) {
  (void)state;
  for (unsigned n = 0; n < 1u << 10; n++) {
    bool sum = n & 32, mxr = n & 64, user = n & 128;
    struct gmmu_ctx ctx = {.sum = sum, .mxr = mxr};
    struct gmmu_xlate x = {.r = n & 1, .w = n & 2, .x = n & 4, .u = n & 8, .d = n & 16};
    int access = (int)(n >> 8), expect = GMMU_OK;
    bool ok[] = {x.r || (mxr && x.x), x.w, x.x, x.r && x.w};
    if (!ok[access]) expect = GMMU_PERM;
    if (user != x.u && !(x.u && sum && access != GMMU_EXEC)) expect = GMMU_PERM;
    if (expect == GMMU_OK && (access & 1) && !x.d) expect = GMMU_PF_DIRTY; /* WRITE = 1, AMO = 3 */
    assert_int_equal(gmmu_check_access(&ctx, &x, access, user), expect);
  }
}

static void translate_order(void **state) {
  struct fix *f = *state;
  struct gmmu_answer a;
  set(f, 0, GMMU_PTE_MAKE(DATA, V | R)); /* A=0, and no write permission: the walk's cause first */
  assert_int_equal(translate(f, VFN48 << 12, GMMU_WRITE, false, &a), GMMU_PF_ACCESSED);
  set(f, 0, GMMU_PTE_MAKE(DATA, V | R | A | U));
  assert_int_equal(translate(f, VFN48 << 12, GMMU_WRITE, true, &a), GMMU_PERM);
  assert_true(a.pa == 0 && !a.may_be_4k && !a.may_be_2m);
  set(f, 0, GMMU_PTE_MAKE(DATA, V | R | W | A | U));
  assert_int_equal(translate(f, VFN48 << 12, GMMU_AMO, true, &a), GMMU_PF_DIRTY);
  assert_int_equal(translate(f, VFN48 << 12 | 8, GMMU_READ, true, &a), GMMU_OK);
  assert_true(a.pa == (DATA << 12 | 8) && a.may_be_4k && !a.may_be_2m);
}

static void names(void **state) {
  (void)state;
  for (int i = 0; i < GMMU_NUM_CAUSES; i++) assert_true(strlen(gmmu_cause_name(i)) > 1);
  assert_string_equal(gmmu_cause_name(GMMU_AF_MEM), "af_mem");
  assert_string_equal(gmmu_cause_name(GMMU_PF_RESERVED), "pf_reserved");
  assert_string_equal(gmmu_cause_name(GMMU_BUS_BURST), "bus_burst");
  assert_string_equal(gmmu_cause_name(GMMU_NUM_CAUSES), "?");
  assert_string_equal(gmmu_cause_name(-1), "?");
  assert_string_equal(gmmu_access_name(GMMU_AMO), "a");
  assert_string_equal(gmmu_access_name(9), "?");
}

/* ---------------------------------------------------------------- oracle
 * Written from docs/walk-rules.md in another form: all rules of a PTE are evaluated, the lowest one
 * that fails wins; address ranges instead of bit tricks; levels counted from the root. */
struct oracle {
  int cause, reads;
  uint64_t pa; /* of the byte asked for */
  bool large, no_fill;
};

static bool allowed(const struct gmmu_env *e, uint64_t lo, uint64_t hi, bool walk_not_data) {
  bool any = false;
  for (int i = 0; i < e->num_windows; i++)
    any = any || ((walk_not_data ? e->win[i].walk : e->win[i].data) &&
                  e->win[i].lo_pfn << 12 <= lo && hi < (e->win[i].hi_pfn + 1) << 12);
  return any;
}

static struct oracle oracle_walk(struct fix *f, int asid, uint64_t va) {
  const struct gmmu_env *e = &f->e;
  const struct gmmu_ctx *c = &e->ctx[asid];
  uint64_t table = c->root_pfn * 4096, limit = 1ull << e->pa_w;
  uint64_t bytes =
      c->mode == GMMU_MODE_SV48 ? 1ull << 39 : 1ull << 30; /* one PTE of this table covers */
  bool head = false;
  struct oracle o = {0};
  uint64_t in_table = va % (bytes * 512);
  for (;; bytes /= 512) {
    uint64_t pa = table + 8 * (head ? 0 : in_table / bytes), p;
    bool ptr, frame, base_leaf = bytes == 4096;
    if (!allowed(e, table, table + 4095, true)) return o.cause = GMMU_AF_WALK_WINDOW, o;
    o.reads++;
    if (rd(f, pa, &p)) return o.cause = GMMU_AF_MEM, o;
    ptr = !(p & 0xe);
    frame = ptr && bytes == GMMU_LARGE_PAGE && c->ext;
    uint64_t span = head ? GMMU_LARGE_PAGE : bytes, to = (p << 10 >> 20) << 12,
             byte = to + in_table % span;
    bool large = span >= GMMU_LARGE_PAGE && e->large_answers;
    uint64_t size = large ? GMMU_LARGE_PAGE : 4096, page = byte / size * size;
    const int fails[][2] = {
        {!(p & 1), GMMU_PF_INVALID},
        {(p & 6) == 4, GMMU_PF_WRITE_ONLY},
        {p >> 54 != 0 && !(frame && !e->frame_bits_in_rsw), GMMU_PF_RESERVED},
        {ptr && base_leaf, GMMU_PF_NO_LEAF},
        {ptr && (p & 0xd0), GMMU_PF_NONLEAF_ADU},
        {ptr && to >= limit, GMMU_AF_PPN_WIDTH},
        {!ptr && to % span, GMMU_PF_MISALIGNED},
        {!ptr && !(p & 0x40), GMMU_PF_ACCESSED},
        {!ptr && byte >= limit, GMMU_AF_PPN_WIDTH},
        {!ptr && !allowed(e, page, page + size - 1, false), GMMU_AF_PPN_WINDOW}};
    for (size_t i = 0; i < sizeof fails / sizeof fails[0]; i++)
      if (fails[i][0]) return o.cause = fails[i][1], o;
    if (!ptr) {
      o.pa = byte;
      o.large = large;
      o.no_fill = base_leaf && !head && c->ext && (p & 0x100);
      return o;
    }
    head = frame && (e->frame_bits_in_rsw ? p >> 8 & 1 : p >> 63);
    table = to;
    in_table %= bytes;
  }
}

#define POOL 12u
static uint64_t few_index(struct gmmu_rng *r) {
  const uint64_t v[] = {0, 1, 255, 511};
  return v[gmmu_rng_below(r, 4)];
}
static bool one_in(struct gmmu_rng *r, uint64_t n) { return gmmu_rng_below(r, n) == 0; }

static uint64_t random_pte(struct gmmu_rng *r) {
  const uint64_t top = gmmu_rng_next(r), pointer = one_in(r, 3) ? 0 : 1;
  uint64_t p;
  if (pointer) {
    p = GMMU_PTE_MAKE(T0 + gmmu_rng_below(r, POOL), V);
    if (one_in(r, 3)) p |= GMMU_PTE_CO;
    if (one_in(r, 3)) p |= GMMU_PTE_CO_RSW;
  } else {
    uint64_t ppn = (top & ((1ull << 18) - 1)) << 18; /* 1 GiB aligned, sometimes less so */
    ppn = one_in(r, 2)   ? ppn
          : one_in(r, 2) ? ppn | (gmmu_rng_below(r, 512) << 9)
                         : ppn | gmmu_rng_below(r, 1 << 18);
    if (one_in(r, 3)) ppn &= 1ull << 27;
    p = GMMU_PTE_MAKE(ppn, (gmmu_rng_next(r) & 0x1be) | V | R | A);
  }
  if (one_in(r, 12)) p ^= 1ull << gmmu_rng_below(r, 10);
  if (one_in(r, 16)) p ^= 1ull << (54 + gmmu_rng_below(r, 10));
  if (one_in(r, 16)) p ^= 1ull << (10 + gmmu_rng_below(r, 44));
  return p;
}

static void random_env(struct fix *f, struct gmmu_rng *r) {
  const int widths[] = {30, 36, 40, 48, 56};
  f->e.pa_w = widths[gmmu_rng_below(r, 5)];
  f->e.large_answers = one_in(r, 2);
  f->e.frame_bits_in_rsw = one_in(r, 2);
  f->e.num_windows = 3;
  f->e.win[0] = (struct gmmu_window){T0 + (one_in(r, 6) ? 1 : 0), T0 + POOL - 1, true, false};
  f->e.win[1] = (struct gmmu_window){0, (1ull << 44) - 1, false, !one_in(r, 4)};
  f->e.win[2] = (struct gmmu_window){gmmu_rng_below(r, 1ull << 30), 1ull << 31, one_in(r, 8), true};
  for (int a = 0; a < 4; a++)
    f->e.ctx[a] = (struct gmmu_ctx){.root_pfn = T0 + gmmu_rng_below(r, POOL),
                                    .mode = a & 1 ? GMMU_MODE_SV39 : GMMU_MODE_SV48,
                                    .ext = a & 2};
  f->bad_pa = one_in(r, 4) ? (T0 + gmmu_rng_below(r, POOL)) << 12 | few_index(r) << 3 : 0;
  for (uint64_t t = 0; t < POOL; t++)
    for (uint64_t i = 0; i < 4; i++)
      gmmu_mem_write64(f->m, (T0 + t) << 12 | (uint64_t[]){0, 1, 255, 511}[i] << 3, random_pte(r));
}

static uint64_t random_va(struct gmmu_rng *r, int mode) {
  int bits = mode == GMMU_MODE_SV48 ? 48 : 39;
  uint64_t va = few_index(r) << 39 | few_index(r) << 30 | few_index(r) << 21 | few_index(r) << 12;
  return (uint64_t)((int64_t)(va << (64 - bits)) >> (64 - bits)) | gmmu_rng_below(r, 4096);
}

static void against_oracle(void **state) {
  struct fix *f = *state;
  struct gmmu_rng r = {2024};
  int seen[GMMU_NUM_CAUSES] = {0}, large = 0, no_fill = 0;
  for (int n = 0; n < 400000; n++) {
    if (n % 50 == 0) random_env(f, &r);
    int asid = (int)gmmu_rng_below(&r, 4);
    uint64_t va = random_va(&r, f->e.ctx[asid].mode);
    struct oracle o = oracle_walk(f, asid, va);
    gmmu_walk(&f->e, asid, va >> 12 & ((1ull << 36) - 1), rd, f, &f->x);
    if (f->x.cause != o.cause || f->x.reads != o.reads)
      fail_msg("n %d va %llx: %s after %d reads, oracle %s after %d", n, (unsigned long long)va,
               gmmu_cause_name(f->x.cause), f->x.reads, gmmu_cause_name(o.cause), o.reads);
    seen[o.cause]++;
    if (o.cause) continue;
    assert_true(f->x.large == o.large && f->x.no_fill == o.no_fill);
    assert_int_equal((f->x.pfn << 12) + va % (o.large ? GMMU_LARGE_PAGE : 4096), o.pa);
    large += o.large;
    no_fill += o.no_fill;
    if (!f->bad_pa && f->x.r) { /* the whole request agrees too */
      struct gmmu_answer a;
      gmmu_translate(&f->e, f->m, asid, va, GMMU_READ, f->x.u, &a);
      assert_true(a.cause == GMMU_OK && a.pa == o.pa && a.may_be_2m == o.large);
    }
  }
  for (int c = 0; c <= GMMU_AF_MEM; c++) /* the walk's causes were all hit */
    if (c != GMMU_PF_DIRTY && c != GMMU_PERM && c != GMMU_NON_CANONICAL && c != GMMU_UNKNOWN_ASID)
      if (seen[c] < 50) fail_msg("only %d of %s", seen[c], gmmu_cause_name(c));
  assert_true(large > 50 && no_fill > 50);
}

#define T(fn) cmocka_unit_test_setup_teardown(fn, setup, teardown)
int main(void) {
  const struct CMUnitTest tests[] = {
      T(good_walks),    T(unknown_asid),  T(non_canonical), T(walk_window),   T(memory_error),
      T(invalid),       T(write_only),    T(reserved),      T(no_leaf),       T(nonleaf_adu),
      T(pointer_width), T(superpages),    T(leaf_accessed), T(leaf_width),    T(data_window),
      T(coalesced),     T(contiguous),    T(disabled),      T(access_checks), T(translate_order),
      T(names),         T(against_oracle)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
