/* SPDX-License-Identifier: Apache-2.0 */
/* Svadu: hardware sets A and D (docs/walk-rules.md). Each rule by hand, and the timed model under
 * random traffic. */
#include "functional/walk_step.h"
#include "policy/l1_tlb.h"
#include "policy/l2_tlb.h"
#include "policy/walker.h"
#include "timed_rig.h"

#define LEAF (GMMU_PTE_V | GMMU_PTE_R | GMMU_PTE_W | GMMU_PTE_U)

/* ---------------------------------------- classes of stores */
static void classes(void **state) {
  (void)state;
  assert_int_equal(gmmu_store_class(GMMU_READ, true, true), 0);
  assert_int_equal(gmmu_store_class(GMMU_EXEC, false, true), 0);
  assert_int_equal(gmmu_store_class(GMMU_WRITE, true, false), 2);
  assert_int_equal(gmmu_store_class(GMMU_AMO, false, false), 1);
  assert_int_equal(gmmu_store_class(GMMU_WRITE, false, true), 3);
  assert_true(gmmu_needs_dirty(true, true, false, 2) && gmmu_needs_dirty(true, false, false, 1));
  assert_false(gmmu_needs_dirty(true, true, false, 1) || gmmu_needs_dirty(true, false, false, 2));
  assert_false(gmmu_needs_dirty(true, true, true, 3) || gmmu_needs_dirty(false, true, false, 3));
}

/* ---------------------------------------- the walk */
struct fix {
  struct gmmu_config c;
  struct gmmu_env e;
};

static void open(struct fix *x) {
  memset(x, 0, sizeof *x);
  gmmu_config_default(&x->c);
  x->c.Svadu = 1;
  gmmu_env_from_config(&x->e, &x->c);
  for (int i = 0; i < 2; i++)
    x->e.ctx[i] = (struct gmmu_ctx){.root_pfn = 1, .mode = GMMU_MODE_SV39, .ext = true};
  x->e.win[0] = (struct gmmu_window){0, 1 << 20, true, true};
}

/** A walk that has come to the leaf of VFN 5, for stores of this class. */
static struct gmmu_walk_state at_leaf(const struct fix *x, uint64_t frame_bits, uint8_t store) {
  struct gmmu_walk_state s;
  struct gmmu_xlate out;

  assert_int_equal(gmmu_walk_begin(&x->e, 0, 5, &s), GMMU_OK);
  s.store = store;
  assert_false(gmmu_walk_step(&x->e, &s, false, GMMU_PTE_MAKE(2, GMMU_PTE_V), &out));
  assert_false(gmmu_walk_step(&x->e, &s, false, GMMU_PTE_MAKE(3, GMMU_PTE_V | frame_bits), &out));
  return s;
}

static void leaf_is_updated_and_read_again(void **state) {
  uint64_t pte = GMMU_PTE_MAKE(77, LEAF), with_a = pte | GMMU_PTE_A, with_d = with_a | GMMU_PTE_D;
  struct gmmu_walk_state s;
  struct gmmu_xlate out;
  struct fix x;

  (void)state;
  open(&x);
  s = at_leaf(&x, 0, 0); /* a load sets A alone */
  assert_false(gmmu_walk_step(&x.e, &s, false, pte, &out));
  assert_true(s.update && s.old == pte && s.set == with_a && s.pa == (3 << 12 | 5 << 3) &&
              s.depth == 3);
  assert_true(gmmu_walk_step(&x.e, &s, false, with_a, &out));
  assert_true(!s.update && out.cause == GMMU_OK && !out.d);

  s = at_leaf(&x, 0, 2); /* a store sets both, in one update */
  assert_false(gmmu_walk_step(&x.e, &s, false, pte, &out));
  assert_true(s.update && s.set == with_d);
  assert_false(gmmu_walk_step(&x.e, &s, false, with_a,
                              &out)); /* another walk was quicker: the step is repeated */
  assert_true(s.update && s.old == with_a && s.set == with_d);
  assert_true(gmmu_walk_step(&x.e, &s, false, with_d, &out));
  assert_true(out.cause == GMMU_OK && out.d);

  s = at_leaf(&x, 0, 2); /* software took the page away meanwhile */
  assert_false(gmmu_walk_step(&x.e, &s, false, pte, &out));
  assert_true(gmmu_walk_step(&x.e, &s, false, 0, &out));
  assert_int_equal(out.cause, GMMU_PF_INVALID);

  s = at_leaf(&x, 0,
              1); /* a store that will be refused: a supervisor's on a user page without SUM */
  assert_false(gmmu_walk_step(&x.e, &s, false, pte, &out));
  assert_true(s.set == with_a);

  s = at_leaf(&x, 0, 2); /* a PTE that faults is left alone */
  assert_true(gmmu_walk_step(&x.e, &s, false, GMMU_PTE_MAKE(2 << 20, LEAF), &out));
  assert_int_equal(out.cause, GMMU_AF_PPN_WINDOW);
}

static void translations_of_many_pages_are_softwares(void **state) {
  struct gmmu_walk_state s;
  struct gmmu_xlate out;
  struct fix x;

  (void)state;
  open(&x);
  s = at_leaf(&x, GMMU_PTE_CO, 2);
  assert_true(gmmu_walk_step(&x.e, &s, false, GMMU_PTE_MAKE(512, LEAF), &out));
  assert_int_equal(out.cause, GMMU_PF_ACCESSED);
  s = at_leaf(&x, GMMU_PTE_CO, 2);
  assert_true(gmmu_walk_step(&x.e, &s, false, GMMU_PTE_MAKE(512, LEAF | GMMU_PTE_A), &out));
  assert_true(out.cause == GMMU_OK && !out.d);
  x.e.unified = true;
  s = at_leaf(&x, GMMU_PTE_C(0), 2);
  assert_true(gmmu_walk_step(&x.e, &s, false, GMMU_PTE_MAKE(512, LEAF), &out));
  assert_int_equal(out.cause, GMMU_PF_ACCESSED);
}

static void answers_of_the_functional_model(void **state) {
  struct gmmu_mem *m = gmmu_mem_new();
  struct gmmu_answer a;
  struct fix x;

  (void)state;
  open(&x);
  gmmu_mem_write64(m, 1 << 12, GMMU_PTE_MAKE(2, GMMU_PTE_V));
  gmmu_mem_write64(m, 2 << 12, GMMU_PTE_MAKE(3, GMMU_PTE_V));
  gmmu_mem_write64(m, 3 << 12 | 5 << 3, GMMU_PTE_MAKE(77, LEAF));
  gmmu_translate(&x.e, m, 0, 5 << 12, GMMU_WRITE, true, &a);
  assert_true(a.cause == GMMU_OK && a.pa == 77 << 12);
  gmmu_translate(&x.e, m, 0, 5 << 12, GMMU_WRITE, false, &a);
  assert_int_equal(a.cause, GMMU_PERM);
  x.e.svadu = false;
  gmmu_translate(&x.e, m, 0, 5 << 12, GMMU_READ, true, &a);
  assert_int_equal(a.cause, GMMU_PF_ACCESSED);
  gmmu_mem_free(m);
}

/* ---------------------------------------- the TLBs */
static int l1_look(struct gmmu_l1_tlb *l, const struct fix *x, int access, bool user,
                   struct gmmu_l1_result *r) {
  static uint16_t tag;
  struct gmmu_req q = {
      .valid = true, .user = user, .access = (uint8_t)access, .tag = tag++ & 255, .va = 5 << 12};
  gmmu_l1_lookup(l, &x->e, &q, r);
  return r->outcome;
}

static void l1_answer(struct gmmu_l1_tlb *l, int mshr, struct gmmu_tlb_data d,
                      struct gmmu_fill *f) {
  bool last = false;
  gmmu_l1_store(l, mshr, &d);
  gmmu_l1_fill(l, mshr, f);
  while (!last) gmmu_l1_serve(l, mshr, &last);
}

static void l1_entry_without_d_is_none_for_a_store(void **state) {
  struct gmmu_tlb_data clean = {.pfn = 77, .r = true, .w = true, .u = true}, dirty = clean;
  struct gmmu_l1_result r;
  struct gmmu_l1_tlb *l;
  struct gmmu_fill f;
  struct gmmu_rsp rsp;
  struct fix x;
  int user, super;

  (void)state;
  open(&x);
  dirty.d = true;
  l = gmmu_l1_new(&x.c, 0);
  assert_int_equal(l1_look(l, &x, GMMU_READ, true, &r), GMMU_L1_MISS_ALLOC);
  assert_int_equal(l1_look(l, &x, GMMU_WRITE, true, &r),
                   GMMU_L1_MISS_ALLOC); /* they do not merge */
  user = r.mshr;
  assert_int_equal(l1_look(l, &x, GMMU_AMO, true, &r), GMMU_L1_MISS_MERGE);
  assert_true(r.mshr == user && l->mshr[user].store == 2);
  assert_int_equal(l1_look(l, &x, GMMU_WRITE, false, &r),
                   GMMU_L1_MISS_ALLOC); /* who may not store does not merge with who may */
  super = r.mshr;
  l1_answer(l, 0, clean, &f);
  assert_int_equal(l1_look(l, &x, GMMU_READ, true, &r), GMMU_L1_HIT_BASE);
  assert_int_equal(l1_look(l, &x, GMMU_WRITE, true, &r), GMMU_L1_MISS_MERGE);
  assert_int_equal(l1_look(l, &x, GMMU_WRITE, false, &r),
                   GMMU_L1_HIT_BASE); /* refused whatever D is */
  gmmu_l1_respond(l, &x.e, r.tag, &r.data, 0, &rsp);
  assert_int_equal(rsp.cause, GMMU_PERM);
  l1_answer(l, super, clean, &f);
  l1_answer(l, user, dirty, &f);
  assert_true(f.base && f.overwrite);
  assert_int_equal(l1_look(l, &x, GMMU_WRITE, true, &r), GMMU_L1_HIT_BASE);
  gmmu_l1_free(l);
}

static void l1_checks_with_the_sum_of_the_lookup(void **state) {
  struct gmmu_tlb_data clean = {.pfn = 77, .r = true, .w = true, .u = true};
  struct gmmu_l1_result r;
  struct gmmu_l1_tlb *l;
  struct gmmu_rsp rsp;
  struct fix x;

  (void)state;
  open(&x);
  l = gmmu_l1_new(&x.c, 0);
  assert_int_equal(l1_look(l, &x, GMMU_WRITE, false, &r), GMMU_L1_MISS_ALLOC);
  x.e.ctx[0].sum = true; /* too late: D was not asked for */
  gmmu_l1_respond(l, &x.e, r.tag, &clean, l->mshr[r.mshr].store, &rsp);
  assert_int_equal(rsp.cause, GMMU_PERM);
  gmmu_l1_free(l);
}

static int l2_look(struct gmmu_l2_tlb *l, int sm, uint8_t store, struct gmmu_l2_result *r) {
  struct gmmu_l2_req q = {.sm = (uint8_t)sm, .vfn = 5, .store = store};
  gmmu_l2_lookup(l, &q, true, r);
  return r->outcome;
}

static void l2_looks_behind_a_large_entry_without_d(void **state) {
  struct gmmu_tlb_data large = {.pfn = 512, .r = true, .w = true, .u = true, .large = true};
  struct gmmu_tlb_data page = {.pfn = 77, .r = true, .w = true, .u = true, .d = true};
  struct gmmu_l2_result r;
  struct gmmu_l2_tlb *l;
  struct gmmu_fill f;
  struct fix x;

  (void)state;
  open(&x);
  l = gmmu_l2_new(&x.c);
  assert_int_equal(l2_look(l, 0, 2, &r), GMMU_L2_MISS_ALLOC);
  assert_int_equal(l2_look(l, 1, 0, &r), GMMU_L2_MISS_ALLOC);
  assert_int_equal(l2_look(l, 2, 2, &r), GMMU_L2_MISS_MERGE);
  assert_int_equal(r.mshr, 0);
  gmmu_l2_finish(l, 1, &large, true, &f);
  gmmu_l2_served(l, 1, 2, true);
  assert_int_equal(l2_look(l, 3, 0, &r), GMMU_L2_HIT_LARGE);
  assert_int_equal(l2_look(l, 3, 1, &r), GMMU_L2_HIT_LARGE);
  assert_int_equal(l2_look(l, 3, 2, &r), GMMU_L2_MISS_MERGE);
  gmmu_l2_finish(l, 0, &page, true, &f);
  gmmu_l2_served(l, 0, 13, true);
  assert_int_equal(l2_look(l, 3, 2, &r), GMMU_L2_HIT_BASE);
  assert_int_equal(l2_look(l, 3, 0, &r), GMMU_L2_HIT_LARGE);
  gmmu_l2_free(l);
}

/* ---------------------------------------- walker and memory */
static void stale_update_holds_the_acknowledgement(void **state) {
  struct gmmu_inv_cmd all = {.kind = GMMU_INV_ALL};
  struct gmmu_walk_result r;
  struct gmmu_walk_root root;
  struct gmmu_walker w;
  struct fix x;

  (void)state;
  open(&x);
  gmmu_walker_init(&w, &x.c);
  gmmu_walker_push(&w, 0, 5, 2, 0, 0);
  gmmu_walker_root(&w, &x.e, 0, &root);
  gmmu_walker_start(&w, &root, 0, &r);
  gmmu_walker_decode(&w, &x.e, 0, false, GMMU_PTE_MAKE(2, GMMU_PTE_V), NULL, &r);
  gmmu_walker_decode(&w, &x.e, 0, false, GMMU_PTE_MAKE(3, GMMU_PTE_V), NULL, &r);
  gmmu_walker_decode(&w, &x.e, 0, false, GMMU_PTE_MAKE(77, LEAF), NULL, &r);
  assert_true(r.reads && r.updates && !r.upper && !r.pointer_pa &&
              w.slot[0].at.set == (GMMU_PTE_MAKE(77, LEAF) | GMMU_PTE_A | GMMU_PTE_D));
  assert_false(gmmu_walker_stale_update(&w));
  gmmu_walker_mark(&w, &all);
  assert_true(gmmu_walker_stale_update(&w));
  gmmu_walker_decode(&w, &x.e, 0, false, w.slot[0].at.set, NULL, &r);
  assert_true(r.restarted && !r.reads && !r.updates && !gmmu_walker_stale_update(&w));
  gmmu_walker_mark(&w, &all); /* it has no read */
  assert_false(gmmu_walker_stale_update(&w));
  gmmu_walker_root_again(&w, &x.e, &root);
  gmmu_walker_again(&w, &root, &r);
  assert_true(r.reads && !r.updates && !gmmu_walker_stale_update(&w));
  gmmu_walker_mark(&w, &all); /* a read of it holds nothing up */
  assert_false(gmmu_walker_stale_update(&w));
}

static uint64_t update(struct gmmu_pte_mem *m, struct gmmu_pins *p, uint64_t cycle, uint64_t old,
                       uint64_t set) {
  p->mem_req_ready = p->mem_req.valid = p->mem_req.upd = true;
  p->mem_req.addr = 0x1000;
  p->mem_req.old = old;
  p->mem_req.set = set;
  assert_true(gmmu_pte_mem_step(m, cycle, p));
  gmmu_pte_mem_drive(m, cycle + 20, p);
  assert_true(p->mem_rsp.valid);
  return p->mem_rsp.data;
}

static void memory_compares_and_sets(void **state) {
  struct gmmu_mem *image = gmmu_mem_new();
  struct gmmu_pte_mem *m = malloc(sizeof *m);
  struct gmmu_pins *p = calloc(1, sizeof *p);

  (void)state;
  gmmu_pte_mem_init(m, image, 20, 0, 1);
  gmmu_mem_write64(image, 0x1000, 0x17);
  p->mem_req_ready = p->mem_req.valid = p->mem_req.upd = true;
  p->mem_req.addr = 0x1000;
  assert_false(gmmu_pte_mem_step(m, 0, p)); /* a memory that nobody may write */
  assert_int_equal(m->protocol_errors, 1);
  m->writable = image;
  assert_int_equal(update(m, p, 100, 0x17, 0x57), 0x57);
  assert_true(m->wrote && gmmu_mem_read64(image, 0x1000) == 0x57);
  assert_int_equal(update(m, p, 200, 0x17, 0xd7), 0x57); /* another PTE: what is there */
  assert_true(!m->wrote && gmmu_mem_read64(image, 0x1000) == 0x57 && m->updates == 2 &&
              m->updated == 1);
  m->err_per_million = 1000000;
  update(m, p, 300, 0x57, 0xd7);
  assert_true(p->mem_rsp.err && !m->wrote && gmmu_mem_read64(image, 0x1000) == 0x57);
  free(p);
  free(m);
  gmmu_mem_free(image);
}

/* ---------------------------------------- the whole MMU */
static void leaf_each(struct rig *r, void (*fn)(struct rig *r, int asid, int page, uint64_t pa)) {
  for (int a = 0; a < r->asids; a++)
    for (int p = 0; p < RIG_PAGES; p++) {
      int frame = p / 8, level = frame % 3 == 2;
      if (frame % 3 == 1) continue; /* coalesced */
      if (gmmu_tables_pte_pa(r->tables, a, r->va[a][p], level))
        fn(r, a, p, gmmu_tables_pte_pa(r->tables, a, r->va[a][p], level));
    }
}

static void clear(struct rig *r, int asid, int page, uint64_t pa) {
  (void)asid;
  (void)page;
  gmmu_mem_write64(r->mem, pa, gmmu_mem_read64(r->mem, pa) & ~(GMMU_PTE_A | GMMU_PTE_D));
}

/** What was answered through this leaf; a 2 MiB leaf has eight of the pages. */
static void compare(struct rig *r, int asid, int page, uint64_t pa) {
  bool large = page / 8 % 3 == 2;
  uint64_t pte = gmmu_mem_read64(r->mem, pa);
  unsigned ok = r->ok[asid][page];

  for (int p = page & ~7; large && p < (page | 7) + 1 && p < RIG_PAGES; p++) ok |= r->ok[asid][p];
  if (ok && !(pte & GMMU_PTE_A)) fail_msg("asid %d page %d: accessed, and A=0", asid, page);
  if (!(pte & GMMU_PTE_D) != !(ok & (1u << GMMU_WRITE | 1u << GMMU_AMO)))
    fail_msg("asid %d page %d: PTE 0x%llx, accesses 0x%x", asid, page, (unsigned long long)pte, ok);
}

static void marks_exactly_what_was_accessed(void **state) {
  static const struct {
    const char *key;
    int64_t v;
  } set[][3] = {{{"NumSms", 3}},
                {{"NumSms", 3}, {"Colt", 2}, {"LineAnswers", 1}},
                {{"NumSms", 3}, {"L2LargeEntries", 0}, {"L2Unified", 1}}};

  (void)state;
  for (int n = 0; n < 3; n++) {
    struct rig *r = malloc(sizeof *r);
    struct gmmu_config c;
    gmmu_config_default(&c);
    if (n == 1) rig_set(&c, "L2LargeEntries", 0), rig_set(&c, "L1LargeEntries", 0);
    for (int i = 0; i < 3 && set[n][i].key; i++) rig_set(&c, set[n][i].key, set[n][i].v);
    rig_set(&c, "Svadu", 1);
    rig_open(r, &c, 5 + (uint64_t)n);
    leaf_each(r, clear);
    for (int i = 0; i < 6000; i++) {
      r->mem_ready_pct = i % 50 < 5 ? 0 : 70;
      rig_cycle(r);
    }
    rig_drain(r);
    leaf_each(r, compare);
    assert_true(r->pte.updated > 20);
    rig_close(r);
    free(r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(classes),
      cmocka_unit_test(leaf_is_updated_and_read_again),
      cmocka_unit_test(translations_of_many_pages_are_softwares),
      cmocka_unit_test(answers_of_the_functional_model),
      cmocka_unit_test(l1_entry_without_d_is_none_for_a_store),
      cmocka_unit_test(l1_checks_with_the_sum_of_the_lookup),
      cmocka_unit_test(l2_looks_behind_a_large_entry_without_d),
      cmocka_unit_test(stale_update_holds_the_acknowledgement),
      cmocka_unit_test(memory_compares_and_sets),
      cmocka_unit_test(marks_exactly_what_was_accessed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
