/* SPDX-License-Identifier: Apache-2.0 */
/** test_manager.c - scan, remap and fragmented memory against brute force; the paper's example of a
 * run. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "gmmu_manager.h"
#include "policy/l2_unified.h"
#include "policy/walker.h"

#define RW (GMMU_PTE_V | GMMU_PTE_R | GMMU_PTE_W | GMMU_PTE_U)
#define FULL (RW | GMMU_PTE_A | GMMU_PTE_D)
#define ROOT 0x100ull
#define LEAF 0x103ull
#define LFN 0x12345ull

/** One frame of an Sv48 space: tables ROOT to LEAF. */
struct fix {
  struct gmmu_config c;
  struct gmmu_env e;
  struct gmmu_mem *m;
};

static uint64_t table_pa(int level, uint64_t vfn) {
  return (ROOT + 3 - (uint64_t)level) << 12 | (vfn >> 9 * level & 511) << 3;
}
static uint64_t frame_pa(void) { return table_pa(1, LFN << 9); }
static uint64_t leaf_pa(uint64_t page) { return LEAF << 12 | page << 3; }

static void open(struct fix *f) {
  memset(f, 0, sizeof *f);
  gmmu_config_default(&f->c);
  f->c.L2Unified = 1;
  f->c.L2LargeEntries = f->c.L1LargeEntries = 0;
  gmmu_env_from_config(&f->e, &f->c);
  f->e.ctx[2] = (struct gmmu_ctx){.root_pfn = ROOT, .mode = GMMU_MODE_SV48, .ext = true};
  f->e.win[0] =
      (struct gmmu_window){.lo_pfn = 0, .hi_pfn = (1ull << 36) - 1, .walk = true, .data = true};
  f->m = gmmu_mem_new();
  for (int level = 3; level > 0; level--)
    gmmu_mem_write64(f->m, table_pa(level, LFN << 9),
                     GMMU_PTE_MAKE(ROOT + 4 - (uint64_t)level, GMMU_PTE_V));
}

static void put(struct fix *f, uint64_t page, uint64_t pfn, uint64_t bits) {
  gmmu_mem_write64(f->m, leaf_pa(page), GMMU_PTE_MAKE(pfn, bits));
}

static uint64_t scan(struct fix *f, struct gmmu_scan *out) {
  memset(out, 0, sizeof *out);
  gmmu_scan_range(f->m, &f->e, 2, LFN << 9, LFN << 9 | 511, out);
  return gmmu_mem_read64(f->m, frame_pa());
}

/* ---------------------------------------- the walk after its early answer, whole */
static int read_pte(const struct fix *f, uint64_t pa, uint64_t *pte, int *reads, uint64_t *first) {
  if (*reads < 16) first[*reads] = pa;
  ++*reads;
  *pte = gmmu_mem_read64(f->m, pa);
  return 0;
}

/** Walks for a page until its run is filled. Returns the fill's data; bitmap, reads and the early
 * answer as well. */
struct outcome {
  struct gmmu_tlb_data early, end;
  uint8_t bitmap;
  int reads, reads_before_answer;
  uint64_t pa[16];
  bool msc_hit;
};

static void walk(struct fix *f, struct gmmu_walker *w, struct gmmu_msc *msc, uint64_t vfn,
                 struct outcome *o) {
  struct gmmu_walk_result r;
  struct gmmu_walk_root root;
  struct gmmu_run_result run;
  bool reading;
  uint64_t pte;

  memset(o, 0, sizeof *o);
  gmmu_walker_push(w, 2, vfn, 0, 5, 0);
  gmmu_walker_root(w, &f->e, 0, &root);
  gmmu_walker_start(w, &root, 0, &r);
  for (reading = r.reads; !r.ended;) {
    if (reading) {
      read_pte(f, w->slot[r.slot].at.pa, &pte, &o->reads, o->pa);
      gmmu_walker_decode(w, &f->e, r.slot, false, pte, NULL, &r);
      reading = r.reads;
      if (r.early) {
        o->early = r.data;
        o->reads_before_answer = o->reads;
      }
      if (r.ended) o->end = r.data;
      continue;
    }
    bool reads = gmmu_walker_run_reads(w, msc); /* as it says beforehand */
    gmmu_walker_run(w, msc, &f->e, &run);
    assert_int_equal(run.reads, reads);
    reading = run.reads;
    o->msc_hit = run.hit;
    o->bitmap = run.bitmap;
    o->end = run.data;
    if (run.ended) break;
  }
  if (!o->early.early) o->early = o->end;
  gmmu_walker_release(w, 0);
}

static void figure_9(
    void **state) { /* Figure 9: S0 to S3 one run, S4 alone, S5 and S6 not contiguous, S7 alone */
  static const uint64_t head[8] = {0x00F87, 0x00F87 + 64, 0x00F87 + 128, 0x00F87 + 192, 0x0201D, 0,
                                   0,       0x0205D};
  static const struct {
    int x, first, len;
    uint64_t base;
  } want[] = {{0, 0, 3, 0x00F87},
              {1, 0, 3, 0x00F87},
              {3, 0, 3, 0x00F87},
              {4, 4, 0, 0x0201D},
              {7, 7, 0, 0x0205D}};
  struct gmmu_walker w;
  struct gmmu_msc msc;
  struct gmmu_scan s;
  struct outcome o;
  struct fix f;
  (void)state;
  open(&f);
  for (int x = 0; x < 8; x++)
    for (uint64_t i = 0; i < 64; i++)
      put(&f, (uint64_t)x * 64 + i, head[x] ? head[x] + i : 0x40000 + 3 * i + 1000 * (uint64_t)x,
          FULL);
  assert_int_equal(scan(&f, &s) >> 54 & 255, 0x9f);
  assert_false(gmmu_mem_read64(f.m, frame_pa()) & GMMU_PTE_AC);
  for (size_t k = 0; k < sizeof want / sizeof want[0]; k++) {
    struct gmmu_uni *u = gmmu_uni_new(32, 16, 8, &gmmu_lru);
    struct gmmu_fill fill = {0};
    uint64_t vfn = LFN << 9 | (uint64_t)want[k].x << 6 | 17;
    const struct gmmu_uni_entry *e;
    assert_int_equal(gmmu_msc_init(&msc, &f.c), 0);
    gmmu_walker_init(&w, &f.c);
    walk(&f, &w, &msc, vfn, &o);
    assert_int_equal(o.bitmap, 7); /* 0000111 */
    assert_true(o.early.early && o.early.pfn == head[want[k].x] + 17);
    assert_int_equal(o.reads_before_answer, 4); /* the answer waits for no other head */
    assert_int_equal(o.reads, 4 + 5);           /* the heads of the other five with C */
    for (int i = 4, x = 0; i < 9; i++, x++) {   /* ascending, without the own */
      while (x == want[k].x || x == 5 || x == 6) x++;
      assert_int_equal(o.pa[i], leaf_pa((uint64_t)x * 64));
    }
    assert_true(o.end.run_only && o.end.sub && o.end.start == want[k].first &&
                o.end.len == want[k].len);
    gmmu_uni_fill(u, 2, vfn, &o.end, &fill);
    e = &u->entry[(int)(LFN & 31) * 16 + fill.way];
    assert_true(e->sub && fill.way >= 8 && e->vfn >> 6 == (LFN << 3 | (uint64_t)want[k].first));
    assert_int_equal(e->len, want[k].len);
    assert_int_equal(e->data.pfn, want[k].base);
    walk(&f, &w, &msc, vfn ^ 8, &o); /* now the cache knows: no further read */
    assert_true(o.msc_hit && o.reads == 4 && o.bitmap == 7 && o.end.len == want[k].len);
    gmmu_uni_free(u);
    gmmu_msc_free(&msc);
  }
  gmmu_mem_free(f.m);
}

/** A run is filled if all of it lies in one window for data, else the walk's subregion alone; a
 * head that cannot be read, or an invalidation meanwhile, ends the walk without a fill. */
static void runs_that_are_not_filled(void **state) {
  static const struct {
    uint64_t lo, hi; /* pages of the run of subregions 2 to 5, from its first on */
    bool data, whole;
  } window[] = {{0, 255, true, true},
                {1, 255, true, false},
                {0, 254, true, false},
                {0, 255, false, false},
                {0, 300, true, true}};
  struct gmmu_walk_result r;
  struct gmmu_walk_root root;
  struct gmmu_run_result run;
  struct gmmu_walker w;
  struct gmmu_msc msc;
  struct gmmu_scan s;
  struct outcome o;
  struct fix f;
  uint64_t pte;
  (void)state;
  for (int i = 0; i < 5; i++) {
    open(&f);
    for (uint64_t p = 128; p < 384; p++) put(&f, p, 0x20000 + p - 128, FULL);
    assert_int_equal(scan(&f, &s) >> 54 & 255, 0x3c);
    f.e.win[0].data = false;
    f.e.win[1] =
        (struct gmmu_window){0x20000 + window[i].lo, 0x20000 + window[i].hi, false, window[i].data};
    f.e.win[2] = (struct gmmu_window){0x20000 + 64, 0x20000 + 127, false, true}; /* subregion 3 */
    assert_int_equal(gmmu_msc_init(&msc, &f.c), 0);
    gmmu_walker_init(&w, &f.c);
    walk(&f, &w, &msc, LFN << 9 | 3 << 6 | 63, &o);
    assert_true(o.early.early && o.early.pfn == 0x20000 + 127 && o.end.run_only && o.end.sub);
    assert_int_equal(o.end.start, window[i].whole ? 2 : 3);
    assert_int_equal(o.end.len, window[i].whole ? 3 : 0);
    assert_int_equal(o.end.pfn, 0x20000 + 127);
    gmmu_msc_reset(&msc);
    for (int how = 0; how < 3; how++) { /* an error, a mark before the head, or before the lookup */
      gmmu_walker_init(&w, &f.c);
      gmmu_walker_push(&w, 2, LFN << 9 | 3 << 6, 0, 5, 0);
      gmmu_walker_root(&w, &f.e, 0, &root);
      gmmu_walker_start(&w, &root, 0, &r);
      while (!r.early) {
        assert_false(r.ended || r.head);
        pte = gmmu_mem_read64(f.m, w.slot[r.slot].at.pa);
        gmmu_walker_decode(&w, &f.e, r.slot, false, pte, NULL, &r);
      }
      if (how == 2) gmmu_walker_mark(&w, &(struct gmmu_inv_cmd){.kind = GMMU_INV_ALL});
      assert_int_equal(gmmu_walker_run_reads(&w, &msc), how != 2);
      assert_int_equal(gmmu_walker_run_reads(&w, &(struct gmmu_msc){0}), how != 2); /* no cache */
      gmmu_walker_run(&w, &msc, &f.e, &run);
      if (how < 2) {
        assert_true(run.reads && !run.ended);
        if (how) gmmu_walker_mark(&w, &(struct gmmu_inv_cmd){.kind = GMMU_INV_ALL});
        gmmu_walker_decode(&w, &f.e, r.slot, how == 0, 0, NULL, &r);
        assert_true(r.head && r.ended && r.data.run_only && !r.data.sub);
      } else {
        assert_true(run.stale && run.ended && run.data.run_only && !run.data.sub);
      }
    }
    gmmu_msc_free(&msc);
    gmmu_mem_free(f.m);
  }
}

/** AC with a physical side that is not 2 MiB aligned. */
static void whole_frame(void **state) {
  struct gmmu_walker w;
  struct gmmu_msc msc = {0};
  struct gmmu_scan s;
  struct outcome o;
  struct fix f;
  (void)state;
  open(&f);
  for (uint64_t i = 0; i < 512; i++) put(&f, i, 0x6000A + i, FULL);
  assert_true(scan(&f, &s) & GMMU_PTE_AC);
  assert_true(s.whole == 1 && s.subregions == 8 && s.pages == 512 && !s.dirtied);
  gmmu_walker_init(&w, &f.c);
  walk(&f, &w, &msc, LFN << 9 | 0x1ff, &o);
  assert_int_equal(o.reads, 4);
  assert_int_equal(o.pa[3], leaf_pa(0));
  assert_int_equal(o.end.pfn, 0x6000A + 0x1ff);
  assert_true(o.end.sub && !o.end.run_only && !o.end.large && o.end.start == 0 && o.end.len == 7);
  f.e.frame_bits_in_rsw = true; /* the same in bit 9, and no C bits */
  gmmu_mem_write64(f.m, frame_pa(), GMMU_PTE_MAKE(LEAF, GMMU_PTE_V));
  assert_int_equal(scan(&f, &s), GMMU_PTE_MAKE(LEAF, GMMU_PTE_V | GMMU_PTE_AC_RSW));
  gmmu_mem_free(f.m);
}

/** Each of the 256 patterns of C, with random contiguity between neighbours, against an oracle that
 * looks at pages. */
static void all_patterns(void **state) {
  struct gmmu_rng r = {11};
  (void)state;
  for (unsigned c = 0; c < 256; c++) {
    uint64_t head[8], bits[8];
    struct gmmu_walker w;
    struct gmmu_msc msc;
    struct gmmu_scan s;
    struct outcome o;
    struct fix f;
    uint8_t want = 0;
    open(&f);
    for (int x = 0; x < 8; x++) {
      bool joins = x && gmmu_rng_below(&r, 3);
      head[x] = joins ? head[x - 1] + 64 : 0x10000 + gmmu_rng_below(&r, 1 << 20);
      bits[x] = gmmu_rng_below(&r, 4) ? FULL : FULL & ~(GMMU_PTE_W | GMMU_PTE_D);
      for (uint64_t i = 0; i < 64; i++)
        put(&f, (uint64_t)x * 64 + i, head[x] + i + (!(c >> x & 1) && i == 30), bits[x]);
    }
    assert_int_equal(scan(&f, &s) >> 54 & 255, c);
    for (int x = 0; x < 7; x++)
      if ((c >> x & 3) == 3 && head[x + 1] == head[x] + 64 && bits[x] == bits[x + 1])
        want |= (uint8_t)(1 << x);
    assert_int_equal((gmmu_mem_read64(f.m, frame_pa()) & GMMU_PTE_AC) != 0, want == 127);
    assert_int_equal(gmmu_msc_init(&msc, &f.c), 0);
    for (int x = 0; x < 8; x++) {
      int first = x, last = x;
      if (!(c >> x & 1) || want == 127) continue;
      while (first && want >> (first - 1) & 1) first--;
      while (last < 7 && want >> last & 1) last++;
      gmmu_msc_reset(&msc);
      gmmu_walker_init(&w, &f.c);
      walk(&f, &w, &msc, LFN << 9 | (uint64_t)x << 6 | 5, &o);
      assert_int_equal(o.bitmap, want);
      assert_int_equal(o.end.start, first);
      assert_int_equal(o.end.len, last - first);
      assert_int_equal(o.end.w, (bits[x] & GMMU_PTE_W) != 0);
    }
    gmmu_msc_free(&msc);
    gmmu_mem_free(f.m);
  }
}

/** Random frames and remaps: a set bit is always true, and the scan finds all that could be set. */
static void scan_and_remap(void **state) {
  struct gmmu_rng r = {5};
  struct fix f;
  (void)state;
  open(&f);
  for (uint64_t i = 0; i < 512; i++)
    put(&f, i, 0x9000 + i, RW); /* A and D clear: the scan sets them */
  for (int n = 0; n < 3000; n++) {
    uint64_t page = gmmu_rng_below(&r, 512), frame;
    struct gmmu_remap plan;
    struct gmmu_scan s;
    bool whole = true;
    gmmu_remap_plan(f.m, &f.e, 2, LFN << 9 | page, &plan);
    assert_int_equal(plan.frame_pte_pa, frame_pa());
    assert_int_equal(plan.clears, plan.frame_pte != gmmu_mem_read64(f.m, frame_pa()));
    assert_int_equal(plan.wait_before, plan.clears && page % 64 == 0);
    assert_true(plan.inv.lo_vfn == (LFN << 9 | page) && plan.inv.hi_vfn == plan.inv.lo_vfn &&
                plan.inv.asid == 2);
    gmmu_mem_write64(f.m, plan.frame_pte_pa, plan.frame_pte);
    switch (gmmu_rng_below(&r, 6)) {
      case 0: put(&f, page, gmmu_rng_below(&r, 1 << 20), RW); break;
      case 1: put(&f, page, 0x9000 + page, GMMU_PTE_R); break; /* not valid */
      case 2: put(&f, page, 0x9000 + page, RW | GMMU_PTE_X); break;
      default: put(&f, page, 0x9000 + page, RW); /* back */
    }
    if (n % 40 == 0)
      for (uint64_t i = 0; i < 512; i++) put(&f, i, 0x9000 + i, RW);
    frame = scan(&f, &s);
    for (int x = 0; x < 8; x++) {
      bool good = true;
      uint64_t first = gmmu_mem_read64(f.m, leaf_pa((uint64_t)x * 64));
      for (uint64_t i = 0; i < 64; i++) {
        uint64_t pte = gmmu_mem_read64(f.m, leaf_pa((uint64_t)x * 64 + i));
        good = good && (pte & GMMU_PTE_V) && GMMU_PTE_PPN(pte) == GMMU_PTE_PPN(first) + i &&
               (pte & 0xff) == (first & 0xff);
        if (frame & GMMU_PTE_C(x))
          assert_int_equal(pte & (GMMU_PTE_A | GMMU_PTE_D), GMMU_PTE_A | GMMU_PTE_D);
      }
      assert_int_equal(good, (frame & GMMU_PTE_C(x)) != 0);
      whole = whole && good &&
              (x == 0 || GMMU_PTE_PPN(first) ==
                             GMMU_PTE_PPN(gmmu_mem_read64(f.m, leaf_pa((uint64_t)x * 64 - 1))) + 1);
      if (x && ((first ^ gmmu_mem_read64(f.m, leaf_pa(0))) & 0xff)) whole = false;
    }
    assert_int_equal(whole, (frame & GMMU_PTE_AC) != 0);
  }
  f.e.ctx[2].ext = false; /* without the extension nobody touches anything */
  gmmu_mem_write64(f.m, frame_pa(), GMMU_PTE_MAKE(LEAF, GMMU_PTE_V));
  struct gmmu_scan s;
  assert_int_equal(scan(&f, &s), GMMU_PTE_MAKE(LEAF, GMMU_PTE_V));
  assert_int_equal(s.frames, 0);
  gmmu_mem_free(f.m);
}

static void whole_in_order(struct fix *f, uint64_t bits) {
  for (uint64_t i = 0; i < 512; i++) put(f, i, 0x9000 + i, bits);
}

/** No leaf: V is 0, or R and X are, W without R, a reserved bit is set. Such pages are not counted,
 * and break their subregions. */
static void reserved_leaves(void **state) {
  struct gmmu_scan s;
  struct fix f;
  (void)state;
  open(&f);
  whole_in_order(&f, FULL | GMMU_PTE_X);
  put(&f, 5, 0x9005, (FULL | GMMU_PTE_X) & ~GMMU_PTE_V);
  put(&f, 70, 0x9000 + 70, (FULL | GMMU_PTE_X) & ~GMMU_PTE_R);
  put(&f, 140, 0x9000 + 140, FULL & ~(GMMU_PTE_R | GMMU_PTE_W));
  gmmu_mem_write64(f.m, leaf_pa(511), GMMU_PTE_MAKE(0x9000 + 511, FULL | GMMU_PTE_X) | 1ull << 63);
  assert_int_equal(scan(&f, &s) >> 54 & 255, 0x78);
  assert_true(s.frames == 1 && s.whole == 0 && s.subregions == 4 && s.pages == 508);
  whole_in_order(&f, GMMU_PTE_W | GMMU_PTE_V | GMMU_PTE_X); /* all alike, and reserved */
  scan(&f, &s);
  assert_true(s.frames == 1 && s.subregions == 0 && s.pages == 0);
  gmmu_mem_free(f.m);
}

/** dirtied: D was set in a page that a TLB may hold without it, which has A. */
static void dirtied(void **state) {
  static const struct {
    uint64_t bits;
    bool dirtied;
  } v[] = {{RW, false},
           {RW | GMMU_PTE_A, true},
           {FULL, false},
           {RW | GMMU_PTE_D, false},
           {GMMU_PTE_V | GMMU_PTE_R | GMMU_PTE_A, false},
           {GMMU_PTE_V | GMMU_PTE_R, false}};
  (void)state;
  for (int pages = 64; pages <= 512; pages *= 8) /* a subregion, or the whole frame */
    for (size_t i = 0; i < sizeof v / sizeof v[0]; i++) {
      struct gmmu_scan s;
      struct fix f;
      open(&f);
      f.e.frame_bits_in_rsw = pages == 512;
      for (uint64_t p = 0; p < (uint64_t)pages; p++) put(&f, p, 0x9000 + p, v[i].bits);
      scan(&f, &s);
      assert_int_equal(s.subregions, pages / 64);
      assert_int_equal(s.dirtied, v[i].dirtied);
      assert_true(gmmu_mem_read64(f.m, leaf_pa(63)) & GMMU_PTE_A);
      assert_int_equal((gmmu_mem_read64(f.m, leaf_pa(63)) & GMMU_PTE_D) != 0,
                       (v[i].bits & (GMMU_PTE_W | GMMU_PTE_D)) != 0);
      gmmu_mem_free(f.m);
    }
}

/** Frames without a leaf table of their own are left alone; so is an address space that is off, has
 * no extension, or is not one of the build. */
static void not_scanned(void **state) {
  const uint64_t frames[] = {0, GMMU_PTE_MAKE(LEAF, FULL), GMMU_PTE_MAKE(LEAF, GMMU_PTE_R),
                             GMMU_PTE_MAKE(LEAF, GMMU_PTE_V) | GMMU_PTE_CO};
  struct gmmu_remap plan;
  struct gmmu_scan s;
  struct fix f;
  (void)state;
  open(&f);
  whole_in_order(&f, FULL);
  for (uint64_t i = 0; i < 512; i++) /* what a frame PTE of 0 would point to */
    gmmu_mem_write64(f.m, i << 3, GMMU_PTE_MAKE(0x9000 + i, FULL));
  for (size_t i = 0; i < sizeof frames / sizeof frames[0]; i++) {
    gmmu_mem_write64(f.m, frame_pa(), frames[i]);
    assert_int_equal(scan(&f, &s), frames[i]);
    assert_true(s.frames == 0 && s.pages == 0);
  }
  gmmu_mem_write64(f.m, frame_pa(), GMMU_PTE_MAKE(LEAF, GMMU_PTE_V));
  f.e.num_asids = 2;
  scan(&f, &s);
  assert_int_equal(s.frames, 0);
  f.e.num_asids = 3;
  f.e.ctx[2].root_pfn = ROOT + 1; /* of Sv39, the same tables below */
  f.e.ctx[2].mode = GMMU_MODE_OFF;
  scan(&f, &s);
  assert_int_equal(s.frames, 0);
  gmmu_remap_plan(f.m, &f.e, 2, LFN << 9, &plan);
  assert_true(plan.frame_pte_pa == 0 && !plan.clears);
  f.e.ctx[2].mode = GMMU_MODE_SV39;
  assert_true(scan(&f, &s) & GMMU_PTE_AC);
  assert_int_equal(s.frames, 1);
  gmmu_remap_plan(f.m, &f.e, 2, LFN << 9 | 65, &plan);
  assert_true(plan.clears && !plan.wait_before);
  assert_int_equal(plan.frame_pte, GMMU_PTE_MAKE(LEAF, GMMU_PTE_V) | (0xfdull << 54));
  gmmu_mem_free(f.m);
}

/** Each frame that a line touches is scanned once: lines of several files, in any order, that share
 * frames, end at a frame's edge, or lie in the upper half of the address space. */
static void mappings(void **state) {
  const uint64_t va = LFN << 21, high = 0xffff800000000000ull;
  struct gmmu_map_line a[] = {{2, va + (1 << 21), 0, 0x1000, 0, GMMU_MAP_4K, 1, "a"},
                              {2, va, 0, 1 << 21, 0, GMMU_MAP_4K, 2, "a"}};
  struct gmmu_map_line b[] = {{2, va + 0x5000, 0, 0x2000, 0, GMMU_MAP_4K, 1, "b"},
                              {1, va, 0, 0x1000, 0, GMMU_MAP_4K, 2, "b"}};
  struct gmmu_map_line c = {2, va | high, 0, 0x1000, 0, GMMU_MAP_4K, 1, "c"};
  struct gmmu_mapping maps[] = {{a, 2}, {b, 2}}, edge = {&a[1], 1}, upper = {&c, 1};
  struct gmmu_err err = {""};
  struct gmmu_scan s = {0};
  struct fix f;
  (void)state;
  open(&f);
  whole_in_order(&f, FULL);
  gmmu_mem_write64(f.m, frame_pa() + 8, GMMU_PTE_MAKE(LEAF + 1, GMMU_PTE_V));
  for (uint64_t i = 0; i < 64; i++)
    gmmu_mem_write64(f.m, (LEAF + 1) << 12 | i << 3, GMMU_PTE_MAKE(0xa000 + i, FULL));
  assert_int_equal(gmmu_scan_mapping(f.m, &f.e, maps, 2, &s, &err), 0);
  assert_true(s.frames == 2 && s.whole == 1 && s.subregions == 9 && s.pages == 512 + 64);
  memset(&s, 0, sizeof s);
  assert_int_equal(gmmu_scan_mapping(f.m, &f.e, &edge, 1, &s, &err), 0);
  assert_true(s.frames == 1 && s.pages == 512);
  gmmu_mem_write64(f.m, table_pa(3, (va | high) >> 12), GMMU_PTE_MAKE(ROOT + 1, GMMU_PTE_V));
  memset(&s, 0, sizeof s);
  assert_int_equal(gmmu_scan_mapping(f.m, &f.e, &upper, 1, &s, &err), 0);
  assert_true(s.frames == 1 && s.pages == 512);
  gmmu_mem_free(f.m);
}

static int by_value(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

static void fragments(void **state) {
  static const double share[] = {0.9, 0.487, 0.428, 0.389, 0.443, 0.423, 0.347, 0.1};
  enum { N = 40000 };
  uint64_t *vfn = malloc(N * sizeof *vfn), *pfn = malloc(N * sizeof *pfn);
  (void)state;
  for (uint64_t k = 0; k < N; k++) vfn[k] = 0x40000 + k + k / 20000 * 77;
  for (size_t i = 0; i < sizeof share / sizeof share[0]; i++) {
    uint64_t span = gmmu_fragment(vfn, N, share[i], 3 + i, pfn), longest = 0, ones = 0, regions = 0;
    double got = gmmu_contiguous_share(vfn, pfn, N);
    if (got < share[i] - 0.03 || got > share[i] + 0.03)
      fail_msg("share %.3f, wanted %.3f", got, share[i]);
    for (uint64_t k = 0, len = 0; k < N; k++) {
      len = k && pfn[k] == pfn[k - 1] + 1 ? len + 1 : 1;
      longest = len > longest ? len : longest;
      if (k + 1 == N || pfn[k + 1] != pfn[k] + 1) regions++, ones += len == 1;
    }
    assert_true(longest > 64 && regions > 10 && ones > 0);
    qsort(pfn, N, sizeof *pfn, by_value);
    for (uint64_t k = 1; k < N; k++) assert_true(pfn[k] > pfn[k - 1]); /* no frame twice */
    assert_true(pfn[N - 1] < span);
  }
  free(vfn);
  free(pfn);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(figure_9),       cmocka_unit_test(runs_that_are_not_filled),
      cmocka_unit_test(whole_frame),    cmocka_unit_test(all_patterns),
      cmocka_unit_test(scan_and_remap), cmocka_unit_test(reserved_leaves),
      cmocka_unit_test(dirtied),        cmocka_unit_test(not_scanned),
      cmocka_unit_test(mappings),       cmocka_unit_test(fragments),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
