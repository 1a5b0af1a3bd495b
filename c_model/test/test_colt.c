/* SPDX-License-Identifier: Apache-2.0 */
/** test_colt.c - docs/colt.md: which pages go together, against walks of every page; the group
 * array against a list of the pages it must hold. */
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "functional/walk_step.h"
#include "policy/group_array.h"

#define LEAVES 0x40ull /* table of the leaves, level 0; its frame PTE is in table 0x41 */
#define TOP 0x43ull

struct fix {
  struct gmmu_env e;
  struct gmmu_mem *m;
  struct gmmu_rng rng;
};

static int read_mem(void *arg, uint64_t pa, uint64_t *pte) {
  *pte = gmmu_mem_read64(arg, pa);
  return 0;
}

static void open(struct fix *x, uint64_t seed) {
  struct gmmu_config c;

  gmmu_config_default(&c);
  c.L2Unified = 1;
  c.L2LargeEntries = c.L1LargeEntries = 0;
  c.PaW = 40;
  memset(&x->e, 0, sizeof x->e);
  gmmu_env_from_config(&x->e, &c);
  x->m = gmmu_mem_new();
  x->rng.s = seed;
  x->e.ctx[0] = (struct gmmu_ctx){.root_pfn = TOP, .mode = GMMU_MODE_SV48, .ext = true};
  x->e.win[0] = (struct gmmu_window){0, 0x1003, true, true};
  x->e.win[1] = (struct gmmu_window){0x1004, 0x1fff, false, true};
  x->e.win[2] = (struct gmmu_window){0xffffff0, 0xfffffff, false, true};
  gmmu_mem_write64(x->m, TOP << 12, GMMU_PTE_MAKE(TOP - 1, GMMU_PTE_V));
  gmmu_mem_write64(x->m, (TOP - 1) << 12, GMMU_PTE_MAKE(TOP - 2, GMMU_PTE_V));
  gmmu_mem_write64(x->m, (TOP - 2) << 12, GMMU_PTE_MAKE(LEAVES, GMMU_PTE_V));
}

/** The walk step by step, with the line of its last PTE. */
static uint8_t group_of(const struct fix *x, uint64_t vfn, struct gmmu_xlate *out) {
  struct gmmu_walk_state s;
  uint64_t line[8];

  assert_int_equal(gmmu_walk_begin(&x->e, 0, vfn, &s), GMMU_OK);
  for (;;) {
    uint64_t pa = s.pa;
    for (uint64_t i = 0; i < 8; i++) line[i] = gmmu_mem_read64(x->m, (pa & ~63ull) + 8 * i);
    if (gmmu_walk_step(&x->e, &s, false, line[pa / 8 % 8], out))
      return gmmu_walk_group(&x->e, &s, line, out);
  }
}

/** Leaf PTEs that are often alike and often differ in one thing. */
static uint64_t leaf(struct fix *x, uint64_t pfn) {
  uint64_t bits = GMMU_PTE_V | GMMU_PTE_R | GMMU_PTE_W | GMMU_PTE_A | GMMU_PTE_D;
  static const uint64_t change[] = {GMMU_PTE_V, GMMU_PTE_W, GMMU_PTE_X, GMMU_PTE_U,
                                    GMMU_PTE_G, GMMU_PTE_A, GMMU_PTE_D, GMMU_PTE_DIS,
                                    1ull << 9,  1ull << 54, 1ull << 63};

  if (gmmu_rng_below(&x->rng, 6) == 0)
    bits ^= change[gmmu_rng_below(&x->rng, sizeof change / sizeof change[0])];
  if (gmmu_rng_below(&x->rng, 6) == 0) pfn += gmmu_rng_below(&x->rng, 3) - 1;
  return GMMU_PTE_MAKE(pfn & ((1ull << 44) - 1), bits);
}

static void own_leaf(void **state) {
  static const uint64_t base[] = {0,      1,      0x200,     0x1001,    0x1002,
                                  0x1003, 0x1ffd, 0xffffffd, 0xffffff0, 0x10000000 - 2};
  struct fix x;
  int joined[4] = {0};

  (void)state;
  open(&x, 1);
  for (int n = 0; n < 20000; n++) {
    uint64_t first = base[gmmu_rng_below(&x.rng, sizeof base / sizeof base[0])],
             vfn = gmmu_rng_below(&x.rng, 8);
    struct gmmu_xlate own, other;
    uint8_t group;
    for (uint64_t i = 0; i < 8; i++)
      gmmu_mem_write64(x.m, (LEAVES << 12) + 8 * i, leaf(&x, first + (i & 3)));
    x.e.ctx[0].ext = gmmu_rng_below(&x.rng, 2);
    group = group_of(&x, vfn, &own);
    if (own.cause) {
      assert_int_equal(group, 0);
      continue;
    }
    for (uint64_t i = 0; i < 4; i++) {
      uint64_t page = (vfn & ~3ull) + i;
      uint64_t low[2] = {gmmu_mem_read64(x.m, (LEAVES << 12) + 8 * vfn),
                         gmmu_mem_read64(x.m, (LEAVES << 12) + 8 * page)};
      bool together;
      gmmu_walk(&x.e, 0, page, read_mem, x.m, &other);
      together = !other.cause && !other.no_fill && other.pfn - page == own.pfn - vfn &&
                 !((low[0] ^ low[1]) & 0xff);
      assert_int_equal(group >> i & 1, page == vfn || together);
      joined[i] += together && page != vfn;
    }
  }
  for (int i = 0; i < 4; i++) assert_true(joined[i] > 1000);
  gmmu_mem_free(x.m);
}

/** C, AC and CO: all four, but for pages that the windows deny. */
static void runs_and_frames(void **state) {
  static const struct {
    uint64_t frame_bits, head,
        first; /* the leaf PTE that is read, and the PFN of the group's first page */
    int index;
    bool ext_2m;
  } c[] = {{GMMU_PTE_C(1), 0x1000 - 64, 0x1000 - 64, 64, false},
           {GMMU_PTE_C(1), 0xfc2, 0xfc2 + 60, 64, false},
           {GMMU_PTE_AC, 0xe00, 0xe00 + 124, 0, false},
           {GMMU_PTE_CO, 0xe00, 0xe00 + 124, 0, true}};
  struct fix x;
  struct gmmu_xlate t;

  (void)state;
  open(&x, 2);
  for (size_t i = 0; i < sizeof c / sizeof c[0]; i++) {
    uint64_t vfn = c[i].index == 64 ? 64 + (c[i].first - c[i].head) : 124;
    gmmu_mem_write64(x.m, (TOP - 2) << 12, GMMU_PTE_MAKE(LEAVES, GMMU_PTE_V | c[i].frame_bits));
    gmmu_mem_write64(x.m, (LEAVES << 12) + 8 * (uint64_t)c[i].index,
                     GMMU_PTE_MAKE(c[i].head, GMMU_PTE_V | GMMU_PTE_R | GMMU_PTE_A));
    for (uint64_t p = 0; p < 4; p++) {
      assert_int_equal(group_of(&x, vfn + p, &t), 15);
      assert_int_equal(t.cause, GMMU_OK);
      assert_int_equal(t.large, c[i].ext_2m);
    }
  }
  x.e.win[0].hi_pfn = 0xfff; /* now the second run's group is cut after two pages */
  x.e.win[1].lo_pfn = 0x1000;
  gmmu_mem_write64(x.m, (TOP - 2) << 12, GMMU_PTE_MAKE(LEAVES, GMMU_PTE_V | GMMU_PTE_C(1)));
  gmmu_mem_write64(x.m, (LEAVES << 12) + 8 * 64,
                   GMMU_PTE_MAKE(0xfc2, GMMU_PTE_V | GMMU_PTE_R | GMMU_PTE_A));
  x.e.win[1].data = false;
  assert_int_equal(group_of(&x, 124, &t), 3);
  assert_int_equal(group_of(&x, 126, &t), 0);
  assert_int_equal(t.cause, GMMU_AF_PPN_WINDOW);
  gmmu_mem_free(x.m);
}

/* ---------------------------------------- array */
#define PAGES 64
#define SPACES 2

/** What is known of a page: filled last with this PFN and permission; the array may have evicted
 * it. */
struct known {
  bool filled, w;
  uint64_t pfn;
};

static void array(void **state) {
  struct gmmu_group *g = gmmu_group_new(4, 4, 36, &gmmu_lru);
  struct known known[SPACES][PAGES] = {0};
  struct gmmu_rng rng = {5};
  int hits = 0, merged = 0;

  (void)state;
  for (int n = 0; n < 200000; n++) {
    uint16_t asid = (uint16_t)gmmu_rng_below(&rng, SPACES);
    uint64_t vfn = gmmu_rng_below(&rng, PAGES);
    int i = gmmu_group_lookup(g, asid, vfn);
    if (i >= 0) {
      struct gmmu_tlb_data d = gmmu_group_data(g, i, vfn);
      assert_true(known[asid][vfn].filled && d.pfn == known[asid][vfn].pfn &&
                  d.w == known[asid][vfn].w);
      assert_true(d.group >> (vfn & 3) & 1);
      gmmu_group_touch(g, i);
      hits++;
    } else {
      struct gmmu_fill f = {0};
      struct gmmu_tlb_data d = {
          .r = true, .w = gmmu_rng_below(&rng, 2), .pfn = (vfn & 3) + gmmu_rng_below(&rng, 2)};
      d.group = (uint8_t)gmmu_rng_below(&rng, 16);
      gmmu_group_fill(g, asid, vfn, &d, &f);
      merged += f.overwrite;
      assert_int_equal(f.pages, d.group | 1u << (vfn & 3));
      for (uint64_t p = 0; p < 4; p++)
        if (f.pages >> p & 1)
          known[asid][(vfn & ~3ull) + p] =
              (struct known){true, d.w, (d.pfn + p - (vfn & 3)) & ((1ull << 36) - 1)};
      assert_true(gmmu_group_lookup(g, asid, vfn) >= 0);
    }
    for (uint64_t p = 0; p < PAGES; p += 4) { /* no page twice */
      uint8_t seen = 0;
      for (int e = 0; e < 16; e++) {
        if (g->entry[e].group != p >> 2 || g->entry[e].asid != asid) continue;
        assert_int_equal(seen & g->entry[e].pages, 0);
        seen |= g->entry[e].pages;
      }
    }
    if (gmmu_rng_below(&rng, 50) == 0) {
      struct gmmu_inv_cmd c = {.kind = GMMU_INV_RANGE, .asid = asid, .lo_vfn = vfn};
      c.hi_vfn = vfn + gmmu_rng_below(&rng, 5);
      for (int e = 0; e < 16; e++) gmmu_group_drop(g, e, &c, 0);
      for (uint64_t p = vfn; p <= c.hi_vfn && p < PAGES; p++) {
        known[asid][p].filled = false;
        assert_true(gmmu_group_lookup(g, asid, p) < 0);
      }
    }
  }
  assert_true(hits > 10000 && merged > 1000);
  /* the fourth page in frame 1: the group would begin below memory */
  struct gmmu_tlb_data low = {.r = true, .pfn = 1, .group = 8};
  struct gmmu_fill f;
  gmmu_group_fill(g, 0, 7, &low, &f);
  assert_int_equal(gmmu_group_data(g, gmmu_group_lookup(g, 0, 7), 7).pfn, 1);
  gmmu_group_free(g);
}

/** A page that comes alone joins its group; a neighbour that was not invalidated stays. */
static void joins_and_sweeps(void **state) {
  struct gmmu_group *g = gmmu_group_new(1, 4, 36, &gmmu_lru);
  struct gmmu_tlb_data d = {.r = true, .pfn = 0x102, .group = 0x7};
  struct gmmu_inv_cmd c = {.kind = GMMU_INV_RANGE, .asid = 1, .lo_vfn = 41, .hi_vfn = 41};
  struct gmmu_fill f = {0};

  (void)state;
  gmmu_group_fill(g, 1, 42, &d, &f);
  assert_true(!f.overwrite && !f.evict && f.way == 0 && f.pages == 7);
  d.pfn = 0x103, d.group = 0;
  gmmu_group_fill(g, 1, 43, &d, &f);
  assert_true(f.overwrite && f.way == 0 && g->entry[0].pages == 15);
  d.pfn = 0x999; /* an other translation of page 43 */
  gmmu_group_fill(g, 1, 43, &d, &f);
  assert_true(!f.overwrite && f.way == 1 && g->entry[0].pages == 7 && g->entry[1].pages == 8);
  assert_true(gmmu_group_drop(g, 0, &c, 0) && g->entry[0].pages == 5);
  assert_false(gmmu_group_drop(g, 0, &c, 0));
  c.lo_vfn = 40, c.hi_vfn = 43;
  assert_true(gmmu_group_drop(g, 0, &c, 4)); /* page 42 was filled in the same cycle */
  assert_int_equal(g->entry[0].pages, 4);
  assert_int_equal(gmmu_group_lookup(g, 1, 42), 0);
  assert_int_equal(gmmu_group_lookup(g, 2, 42), -1);
  gmmu_group_free(g);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(own_leaf), cmocka_unit_test(runs_and_frames),
                                     cmocka_unit_test(array), cmocka_unit_test(joins_and_sweeps)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
