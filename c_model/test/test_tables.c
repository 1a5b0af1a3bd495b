/* SPDX-License-Identifier: Apache-2.0 */
/** test_tables.c - sparse memory; page tables against a flat list of what was mapped; failures
 * leave no trace. */
#include "functional/tables_txn.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define MIB (1ull << 20)
#define RWU (GMMU_PTE_V | GMMU_PTE_R | GMMU_PTE_W | GMMU_PTE_U | GMMU_PTE_A | GMMU_PTE_D)
#define RU (GMMU_PTE_V | GMMU_PTE_R | GMMU_PTE_U | GMMU_PTE_A)

struct fix {
  struct gmmu_mem *m;
  struct gmmu_env e;
  struct gmmu_tables *t;
  struct gmmu_err err;
};

/* ASID 0: Sv48, 1: Sv39, both with the extension; 2: Sv48 without. Tables in PFN 0x100..0x4ff. */
static int setup(void **state) {
  struct fix *f = test_calloc(1, sizeof *f);
  f->m = gmmu_mem_new();
  f->e.num_asids = 4;
  f->e.num_windows = 2;
  f->e.va_w = 48;
  f->e.pa_w = 40;
  f->e.large_answers = true;
  f->e.win[0] = (struct gmmu_window){0x100, 0x4ff, true, false};
  f->e.win[1] = (struct gmmu_window){0x1000, (1 << 28) - 1, false, true};
  f->t = gmmu_tables_new(f->m, &f->e, 0x100, 0x4ff);
  assert_int_equal(gmmu_tables_add_asid(f->t, 0, GMMU_MODE_SV48, true, &f->err), 0);
  assert_int_equal(gmmu_tables_add_asid(f->t, 1, GMMU_MODE_SV39, true, &f->err), 0);
  assert_int_equal(gmmu_tables_add_asid(f->t, 2, GMMU_MODE_SV48, false, &f->err), 0);
  *state = f;
  return 0;
}

static int teardown(void **state) {
  struct fix *f = *state;
  gmmu_tables_free(f->t);
  gmmu_mem_free(f->m);
  test_free(f);
  return 0;
}

/* ---------------------------------------- whole-image snapshots */
struct words {
  uint64_t *v;
  size_t n, cap;
};
static void add_word(void *arg, uint64_t pa, uint64_t value) {
  struct words *w = arg;
  if (w->n) assert_true(w->v[w->n - 2] < pa); /* ascending */
  assert_true(value != 0);
  if (w->n == w->cap) {
    w->cap = w->cap ? 2 * w->cap : 1024;
    w->v = realloc(w->v, w->cap * sizeof *w->v);
  }
  w->v[w->n++] = pa;
  w->v[w->n++] = value;
}
static struct words snapshot(const struct gmmu_mem *m) {
  struct words w = {0};
  gmmu_mem_each(m, add_word, &w);
  return w;
}
static void same_words(const struct gmmu_mem *m, struct words *before) {
  struct words now = snapshot(m);
  assert_int_equal(now.n, before->n);
  if (now.n) assert_memory_equal(now.v, before->v, now.n * sizeof *now.v);
  free(now.v);
  free(before->v);
}

static void map(struct fix *f, int asid, uint64_t va, uint64_t pa, uint64_t bytes, uint64_t bits,
                int kind) {
  if (gmmu_tables_map(f->t, asid, va, pa, bytes, bits, kind, &f->err)) fail_msg("%s", f->err.msg);
}
static void map_fails(struct fix *f, int asid, uint64_t va, uint64_t pa, uint64_t bytes,
                      uint64_t bits, int kind, const char *part) {
  struct words before = snapshot(f->m);
  f->err.msg[0] = 0;
  assert_int_equal(gmmu_tables_map(f->t, asid, va, pa, bytes, bits, kind, &f->err), -1);
  if (!strstr(f->err.msg, part)) fail_msg("'%s' is not in '%s'", part, f->err.msg);
  same_words(f->m, &before);
}
static struct gmmu_answer ask(struct fix *f, int asid, uint64_t va, int access) {
  struct gmmu_answer a;
  gmmu_translate(&f->e, f->m, asid, va, access, true, &a);
  return a;
}
static void maps_to(struct fix *f, int asid, uint64_t va, uint64_t pa, bool large) {
  struct gmmu_answer a = ask(f, asid, va, GMMU_READ);
  if (a.cause) fail_msg("va %llx: %s", (unsigned long long)va, gmmu_cause_name(a.cause));
  assert_int_equal(a.pa, pa);
  assert_int_equal(a.may_be_2m, large);
}
static void not_mapped(struct fix *f, int asid, uint64_t va) {
  assert_int_equal(ask(f, asid, va, GMMU_READ).cause, GMMU_PF_INVALID);
}

/* ---------------------------------------- memory */
static void memory(void **state) {
  struct gmmu_mem *m = gmmu_mem_new();
  struct gmmu_rng r = {5};
  enum { N = 3000 };
  uint64_t *pa = malloc(N * sizeof *pa);
  size_t zero = 0;
  (void)state;
  for (int i = 0; i < N; i++) { /* scattered over 56 bits, no two in the same word */
    pa[i] = ((gmmu_rng_next(&r) & ((1ull << 42) - 1)) * N + (uint64_t)i) % (1ull << 53) * 8;
    gmmu_mem_write64(m, pa[i], ~pa[i]);
  }
  gmmu_mem_write64(m, 0xfffffffffffff8, 1);
  gmmu_mem_write64(m, 0x0, 2);
  assert_int_equal(gmmu_mem_read64(m, 0xfffffffffffff8), 1);
  for (int i = 0; i < N; i++) assert_true(gmmu_mem_read64(m, pa[i]) == ~pa[i]);
  for (int i = 0; i < N; i++) zero += gmmu_mem_read64(m, pa[i] ^ 0x800000) == 0;
  assert_true(zero > N - 3);
  struct words w = snapshot(m);
  assert_int_equal(w.n, 2 * (N + 2));
  free(w.v);
  gmmu_mem_write64(m, 0x5000, 0); /* writing 0 makes nothing */
  for (int i = 0; i < N; i++) gmmu_mem_write64(m, pa[i], 0);
  w = snapshot(m);
  assert_int_equal(w.n, 4);
  free(w.v);
  free(pa);
  gmmu_mem_free(m);
  gmmu_mem_free(NULL);
}

/* ---------------------------------------- roots */
static void asids(void **state) {
  struct fix *f = *state;
  struct words before = snapshot(f->m);
  struct gmmu_env env = f->e;
  assert_int_equal(gmmu_tables_add_asid(f->t, 0, GMMU_MODE_SV48, true, &f->err), -1); /* twice */
  assert_int_equal(gmmu_tables_add_asid(f->t, -1, GMMU_MODE_SV48, true, &f->err), -1);
  assert_int_equal(gmmu_tables_add_asid(f->t, 4, GMMU_MODE_SV48, true, &f->err), -1);
  assert_int_equal(gmmu_tables_add_asid(f->t, 3, GMMU_MODE_OFF, true, &f->err), -1);
  f->e.va_w = env.va_w = 39;
  assert_int_equal(gmmu_tables_add_asid(f->t, 3, GMMU_MODE_SV48, true, &f->err), -1);
  assert_memory_equal(&f->e, &env, sizeof env);
  assert_true(env.ctx[0].mode == GMMU_MODE_SV48 && env.ctx[1].mode == GMMU_MODE_SV39);
  assert_true(env.ctx[1].ext && !env.ctx[2].ext && env.ctx[0].root_pfn != env.ctx[1].root_pfn);
  same_words(f->m, &before);
}

/* ---------------------------------------- mapping */
static void kinds(void **state) {
  struct fix *f = *state;
  for (int asid = 0; asid < 2; asid++) {
    uint64_t va = 0x12345000, top = asid ? 0xffffffffffe00000 : 0xffff800000000000;
    map(f, asid, va, 0x7654000, 3 * MIB, RWU, GMMU_MAP_4K);
    map(f, asid, 0x40000000, 0x20000000, 4 * MIB, RWU, GMMU_MAP_2M);
    map(f, asid, 0x50000000, 0x30000000, 4 * MIB, RU, GMMU_MAP_COALESCED);
    map(f, asid, top, 0x40000000, 2 * MIB, RWU, GMMU_MAP_4K); /* Sv39: up to the last byte */
    for (uint64_t o = 0; o < 3 * MIB; o += 4096)
      maps_to(f, asid, va + o + 5, 0x7654000 + o + 5, false);
    for (uint64_t o = 0; o < 4 * MIB; o += 4096) {
      maps_to(f, asid, 0x40000000 + o, 0x20000000 + o, true);
      maps_to(f, asid, 0x50000000 + o, 0x30000000 + o, true);
    }
    for (uint64_t o = 0; o < 2 * MIB; o += 4096) maps_to(f, asid, top + o, 0x40000000 + o, false);
    not_mapped(f, asid, va - 1);
    not_mapped(f, asid, va + 3 * MIB);
    not_mapped(f, asid, 0x40000000 + 4 * MIB);
    not_mapped(f, asid, 0x50000000 - 1);
    assert_int_equal(ask(f, asid, 0x50000000, GMMU_WRITE).cause, GMMU_PERM);
    assert_int_equal(ask(f, asid, va, GMMU_AMO).cause, GMMU_OK);
  }
  f->e.large_answers = false; /* the same tables in a build without large arrays */
  maps_to(f, 0, 0x50001000, 0x30001000, false);
  maps_to(f, 1, 0x40001000, 0x20001000, false);
}

static void coalesced_bits(void **state) {
  struct fix *f = *state;
  for (int rsw = 0; rsw < 2; rsw++) {
    uint64_t va = 0x50000000 + (uint64_t)rsw * 0x40000000, frame, head;
    f->e.frame_bits_in_rsw = rsw;
    map(f, 0, va, 0x30000000, 2 * MIB, RWU, GMMU_MAP_COALESCED);
    frame = gmmu_tables_pte_pa(f->t, 0, va, 1);
    assert_true(frame == gmmu_tables_pte_pa(f->t, 0, va + 2 * MIB - 1, 1));
    assert_true((gmmu_mem_read64(f->m, frame) & (GMMU_PTE_CO | GMMU_PTE_CO_RSW)) ==
                (rsw ? GMMU_PTE_CO_RSW : GMMU_PTE_CO));
    head = gmmu_tables_pte_pa(f->t, 0, va, 0);
    for (uint64_t i = 0; i < 512; i++)
      assert_true(gmmu_mem_read64(f->m, head + 8 * i) ==
                  GMMU_PTE_MAKE(0x30000 + i, RWU | GMMU_PTE_DIS));
  }
}

static void bad_arguments(void **state) {
  struct fix *f = *state;
  const uint64_t end = 1ull << 40;
  map_fails(f, 3, 0x1000, 0x1000, 4096, RWU, GMMU_MAP_4K, "no tables");
  map_fails(f, -1, 0x1000, 0x1000, 4096, RWU, GMMU_MAP_4K, "no tables");
  map_fails(f, 0, 0x1000, 0x1000, 0, RWU, GMMU_MAP_4K, "empty");
  map_fails(f, 0, 0x1001, 0x1000, 4096, RWU, GMMU_MAP_4K, "multiple");
  map_fails(f, 0, 0x1000, 0x1008, 4096, RWU, GMMU_MAP_4K, "multiple");
  map_fails(f, 0, 0x1000, 0x1000, 100, RWU, GMMU_MAP_4K, "multiple");
  for (int kind = GMMU_MAP_2M; kind <= GMMU_MAP_COALESCED; kind++) {
    map_fails(f, 0, 0x201000, 0x200000, 2 * MIB, RWU, kind, "multiple");
    map_fails(f, 0, 0x200000, 0x201000, 2 * MIB, RWU, kind, "multiple");
    map_fails(f, 0, 0x200000, 0x200000, 4096, RWU, kind, "multiple");
  }
  map_fails(f, 0, 1ull << 47, 0x1000, 4096, RWU, GMMU_MAP_4K,
            "va 0x800000000000..0x800000000fff is not sign-extended from bit 47 (Sv48)");
  map_fails(f, 0, (1ull << 47) - 4096, 0x1000, 8192, RWU, GMMU_MAP_4K, "sign-extended");
  map_fails(f, 0, ~4095ull, 0x1000, 8192, RWU, GMMU_MAP_4K, "sign-extended");
  map_fails(f, 1, 1ull << 38, 0x1000, 4096, RWU, GMMU_MAP_4K, "sign-extended");
  map_fails(f, 1, 0x8000000000000000, 0x1000, 4096, RWU, GMMU_MAP_4K, "sign-extended");
  map_fails(f, 0, 0x1000, end, 4096, RWU, GMMU_MAP_4K,
            "pa 0x10000000000..0x10000000fff is beyond 40 bits");
  map_fails(f, 0, 0x1000, end - 4096, 8192, RWU, GMMU_MAP_4K, "beyond 40 bits");
  map_fails(f, 0, 0x1000, 0x1000, 4096, RWU | 0x100, GMMU_MAP_4K, "8 bits");
  map_fails(f, 0, 0x1000, 0x1000, 4096, GMMU_PTE_V, GMMU_MAP_4K, "needs r or x");
  map_fails(f, 0, 0x1000, 0x1000, 4096, GMMU_PTE_X | GMMU_PTE_W, GMMU_MAP_4K, "w without r");
  map_fails(f, 0, 0x1000, 0x1000, 4096, RWU, 3, "kind");
  map_fails(f, 2, 0x200000, 0x200000, 2 * MIB, RWU, GMMU_MAP_COALESCED, "extension");
  map(f, 0, 0x1000, end - 4096, 4096, RWU, GMMU_MAP_4K);
}

/* Every kind over every kind, at both ends of a longer range: refused, without a trace. */
static void overlaps(void **state) {
  struct fix *f = *state;
  for (int asid = 0; asid < 2; asid++)
    for (int old = 0; old < 3; old++) {
      uint64_t va = 0x10000000 + (uint64_t)old * 0x10000000;
      map(f, asid, va, 0x20000000, 2 * MIB, RWU, old);
      for (int kind = 0; kind < 3; kind++) {
        map_fails(f, asid, va, 0x60000000, 2 * MIB, RWU, kind, "mapped already");
        map_fails(f, asid, va - 6 * MIB, 0x60000000, 8 * MIB, RWU, kind, "mapped already");
        map_fails(f, asid, va, 0x60000000, 8 * MIB, RWU, kind, "mapped already");
      }
      map_fails(f, asid, va + 2 * MIB - 4096, 0x60000000, 4096, RWU, GMMU_MAP_4K, "mapped already");
      map(f, asid, va + 2 * MIB, 0x60000000, 4096, RWU, GMMU_MAP_4K); /* beside it: fine */
    }
}

static void out_of_table_frames(void **state) {
  struct fix *f = *state;
  struct gmmu_tables *t = gmmu_tables_new(f->m, &f->e, 0x800, 0x804); /* root, 3 tables, 1 more */
  struct words before;
  assert_int_equal(gmmu_tables_add_asid(t, 3, GMMU_MODE_SV48, true, &f->err), 0);
  before = snapshot(f->m);
  assert_int_equal(gmmu_tables_map(t, 3, 0, 0, 6 * MIB, RWU, GMMU_MAP_4K, &f->err), -1);
  assert_non_null(strstr(f->err.msg, "no frame left"));
  same_words(f->m, &before);
  assert_int_equal(gmmu_tables_map(t, 3, 0, 0, 4 * MIB, RWU, GMMU_MAP_4K, &f->err),
                   0); /* frames came back */
  assert_int_equal(gmmu_tables_map(t, 3, 1ull << 30, 0, 4096, RWU, GMMU_MAP_4K, &f->err), -1);
  gmmu_tables_free(t);
  t = gmmu_tables_new(f->m, &f->e, 1ull << 28, 1ull << 29); /* beyond pa_w */
  f->e.num_asids = 5;
  assert_int_equal(gmmu_tables_add_asid(t, 4, GMMU_MODE_SV48, true, &f->err), -1);
  assert_int_equal(f->e.ctx[4].mode, GMMU_MODE_OFF);
  gmmu_tables_free(t);
}

static void unmap(void **state) {
  struct fix *f = *state;
  struct words empty, before;
  map(f, 0, 0x10000000, 0x20000000, 6 * MIB, RWU, GMMU_MAP_4K);
  map(f, 0, 0x20000000, 0x20000000, 4 * MIB, RWU, GMMU_MAP_2M);
  map(f, 0, 0x30000000, 0x20000000, 4 * MIB, RWU, GMMU_MAP_COALESCED);
  assert_int_equal(gmmu_tables_unmap(f->t, 0, 0x10001000, 2 * MIB, &f->err), 0);
  maps_to(f, 0, 0x10000000, 0x20000000, false);
  not_mapped(f, 0, 0x10001000);
  not_mapped(f, 0, 0x10200000);
  maps_to(f, 0, 0x10201000, 0x20201000, false);
  before = snapshot(f->m); /* part of a large page */
  assert_int_equal(gmmu_tables_unmap(f->t, 0, 0x20000000, 2 * MIB + 4096, &f->err), -1);
  assert_int_equal(gmmu_tables_unmap(f->t, 0, 0x30001000, 4 * MIB, &f->err), -1);
  assert_int_equal(gmmu_tables_unmap(f->t, 0, 0x30001800, 4096, &f->err), -1);
  assert_int_equal(gmmu_tables_unmap(f->t, 3, 0x30000000, 4096, &f->err), -1);
  same_words(f->m, &before);
  assert_int_equal(gmmu_tables_unmap(f->t, 0, 0, 1ull << 47, &f->err),
                   0); /* all; holes are skipped */
  for (uint64_t va = 0x10000000; va < 0x40000000; va += 0x1000) not_mapped(f, 0, va);
  empty = snapshot(f->m);
  for (int kind = 0; kind < 3; kind++) /* the emptied ranges take any kind again */
    for (uint64_t va = 0x10000000; va <= 0x30000000; va += 0x10000000) {
      map(f, 0, va, 0x40000000, 4 * MIB, RWU, kind);
      maps_to(f, 0, va + 0x201000, 0x40201000, kind != GMMU_MAP_4K);
      assert_int_equal(gmmu_tables_unmap(f->t, 0, va, 4 * MIB, &f->err), 0);
      not_mapped(f, 0, va);
    }
  free(empty.v);
}

static void coalesce_fails(struct fix *f, int asid, uint64_t va, bool splinter, const char *part) {
  struct words before = snapshot(f->m);
  f->err.msg[0] = 0;
  assert_int_equal(
      (splinter ? gmmu_tables_splinter : gmmu_tables_coalesce)(f->t, asid, va, &f->err), -1);
  if (!strstr(f->err.msg, part)) fail_msg("'%s' is not in '%s'", part, f->err.msg);
  same_words(f->m, &before);
}

/* In place: the same words as when it is mapped coalesced, and back. */
static void coalesce_splinter(void **state) {
  struct fix *f = *state;
  struct words base, whole;
  map(f, 0, 0x10000000, 0x20000000, 4 * MIB, RWU, GMMU_MAP_4K);
  base = snapshot(f->m);
  assert_int_equal(gmmu_tables_coalesce(f->t, 0, 0x10200000, &f->err), 0);
  maps_to(f, 0, 0x10201000, 0x20201000, true);
  maps_to(f, 0, 0x10001000, 0x20001000, false);
  coalesce_fails(f, 0, 0x10200000, false, "coalesced already");
  coalesce_fails(f, 0, 0x10000000, true, "not coalesced");
  assert_int_equal(gmmu_tables_splinter(f->t, 0, 0x10200000, &f->err), 0);
  same_words(f->m, &base);
  assert_int_equal(gmmu_tables_coalesce(f->t, 0, 0x10000000, &f->err), 0);
  assert_int_equal(gmmu_tables_coalesce(f->t, 0, 0x10200000, &f->err), 0);
  whole = snapshot(f->m);
  assert_int_equal(gmmu_tables_unmap(f->t, 0, 0x10000000, 4 * MIB, &f->err), 0);
  map(f, 0, 0x10000000, 0x20000000, 4 * MIB, RWU, GMMU_MAP_COALESCED);
  same_words(f->m, &whole);
  map(f, 0, 0x30000000, 0x20001000, 2 * MIB, RWU,
      GMMU_MAP_4K); /* contiguous, but not from the start of a frame */
  coalesce_fails(f, 0, 0x30000000, false, "start of a physical frame");
  map(f, 0, 0x40000000, 0x20000000, 2 * MIB - 4096, RWU, GMMU_MAP_4K);
  coalesce_fails(f, 0, 0x40000000, false, "0x401ff000: not contiguous");
  map(f, 0, 0x401ff000, 0x201ff000, 4096, RU, GMMU_MAP_4K);
  coalesce_fails(f, 0, 0x40000000, false, "other permissions");
  map(f, 2, 0x10000000, 0x20000000, 2 * MIB, RWU, GMMU_MAP_4K);
  coalesce_fails(f, 2, 0x10000000, false, "no contiguity extension");
  coalesce_fails(f, 0, 0x10001000, false, "multiple");
  coalesce_fails(f, 0, 0x50000000, false, "no leaf table");
  coalesce_fails(f, 3, 0x10000000, true, "no tables");
}

/* Coalescing writes the frame PTE and the table's 512 leaves, nothing else. */
static void coalesce_touches(void **state) {
  struct fix *f = *state;
  for (uint64_t va = 0x10000000; va < 0x10800000; va += 2 * MIB)
    map(f, 0, va, 0x20000000, 2 * MIB, RWU, GMMU_MAP_4K);
  for (uint64_t va = 0x10000000; va < 0x10800000; va += 2 * MIB) {
    uint64_t table = gmmu_tables_pte_pa(f->t, 0, va, 0), changed = 0;
    struct words before = snapshot(f->m), now;
    assert_int_equal(gmmu_tables_coalesce(f->t, 0, va, &f->err), 0);
    now = snapshot(f->m);
    assert_int_equal(now.n, before.n);
    for (size_t i = 0; i < now.n; i += 2) {
      assert_int_equal(now.v[i], before.v[i]);
      if (now.v[i + 1] == before.v[i + 1]) continue;
      changed++;
      assert_true(now.v[i] >> 12 == table >> 12 || now.v[i] == gmmu_tables_pte_pa(f->t, 0, va, 1));
    }
    assert_int_equal(changed, 513);
    free(before.v);
    free(now.v);
  }
}

/* A frame for a table is cleared, whatever was in it. */
static void used_table_frames(void **state) {
  struct fix *f = *state;
  for (uint64_t pa = 0x103000; pa < 0x108000; pa += 8) gmmu_mem_write64(f->m, pa, ~0ull);
  assert_int_equal(gmmu_tables_add_asid(f->t, 3, GMMU_MODE_SV48, true, &f->err), 0);
  map(f, 3, 0x10000000, 0x20000000, 4096, RWU, GMMU_MAP_4K);
  maps_to(f, 3, 0x10000000, 0x20000000, false);
  not_mapped(f, 3, 0x10001000);
  not_mapped(f, 3, 0x10200000);
  not_mapped(f, 3, 0x40000000);
  not_mapped(f, 3, 1ull << 39);
}

/* What is not as map() makes it: a frame that is coalesced takes no page even where a leaf of it is
 * not valid, nor does a valid PTE without R, W, X; software's bits above the frame PTE are free. */
static void odd_tables(void **state) {
  struct fix *f = *state;
  map(f, 0, 0x10000000, 0x20000000, 2 * MIB, RWU, GMMU_MAP_COALESCED);
  assert_int_equal(gmmu_tables_set_pte(f->t, 0, 0x10005000, 0, 0, &f->err), 0);
  map_fails(f, 0, 0x10005000, 0x30000000, 4096, RWU, GMMU_MAP_4K, "mapped already");
  map(f, 0, 0x30000000, 0x20000000, 4096, RWU, GMMU_MAP_4K);
  assert_int_equal(
      gmmu_tables_set_pte(f->t, 0, 0x30001000, 0, GMMU_PTE_MAKE(0x500, GMMU_PTE_V), &f->err), 0);
  map_fails(f, 0, 0x30001000, 0x30000000, 4096, RWU, GMMU_MAP_4K, "va 0x30001000 is mapped");
  f->e.frame_bits_in_rsw = true;
  uint64_t above = gmmu_mem_read64(f->m, gmmu_tables_pte_pa(f->t, 0, 0x30000000, 2));
  assert_int_equal(gmmu_tables_set_pte(f->t, 0, 0x30000000, 2, above | GMMU_PTE_CO_RSW, &f->err),
                   0);
  map(f, 0, 0x30002000, 0x30000000, 4096, RWU, GMMU_MAP_4K);
  maps_to(f, 0, 0x30002000, 0x30000000, false);
}

/* Frame PTEs of tables that are there, in order: all 512 of each, and no others. */
static void next_frame(void **state) {
  struct fix *f = *state;
  const uint64_t last = (1ull << 40) - 1;
  uint64_t va = 0, n = 0;
  assert_false(gmmu_tables_next_frame(f->t, 0, &va, last)); /* no table yet */
  map(f, 0, 0x10000000, 0x20000000, 4096, RWU, GMMU_MAP_4K);
  map(f, 0, 3ull << 30 | 0x200000, 0x20000000, 4096, RWU, GMMU_MAP_4K);
  map(f, 0, 1ull << 39 | 1ull << 30, 0x20000000, 2 * MIB, RWU, GMMU_MAP_2M);
  assert_int_equal(gmmu_tables_set_pte(f->t, 0, 5ull << 30, 2, RWU, &f->err), 0); /* 1 GiB */
  for (va = 0; gmmu_tables_next_frame(f->t, 0, &va, last); va += 2 * MIB, n++) {
    const uint64_t first[] = {0, 3ull << 30, 1ull << 39 | 1ull << 30};
    assert_int_equal(va, first[n / 512] + n % 512 * 2 * MIB);
    assert_int_equal(gmmu_tables_pte_pa(f->t, 0, va, 1) & 4095, n % 512 * 8);
    if (va + 2 * MIB > last) break;
  }
  assert_int_equal(n, 3 * 512);
  va = 1ull << 30; /* from a hole on, and up to the byte before a table, or its first */
  assert_false(gmmu_tables_next_frame(f->t, 0, &va, (3ull << 30) - 1));
  va = 1ull << 30;
  assert_true(gmmu_tables_next_frame(f->t, 0, &va, 3ull << 30));
  assert_int_equal(va, 3ull << 30);
  va = 0x10000000;
  assert_true(gmmu_tables_next_frame(f->t, 0, &va, 0x10000000));
  assert_int_equal(va, 0x10000000);
}

/* Back to any point of an open transaction, and forward again; the same word more than once. */
static void undo_redo(void **state) {
  struct fix *f = *state;
  struct gmmu_txn txn;
  struct words at[4];
  size_t len[4];
  gmmu_tables_begin(f->t, &txn);
  for (int i = 0; i < 4; i++) {
    len[i] = gmmu_tables_journal(f->t);
    at[i] = snapshot(f->m);
    if (i % 2 == 0) map(f, 0, 0x10000000, (uint64_t)(0x20 + i) << 24, 2 * MIB, RWU, GMMU_MAP_4K);
    else assert_int_equal(gmmu_tables_unmap(f->t, 0, 0x10000000, MIB, &f->err), 0);
    if (i == 1) assert_int_equal(gmmu_tables_unmap(f->t, 0, 0x10000000, 2 * MIB, &f->err), 0);
  }
  for (int i = 3; i >= 0; i--) {
    struct words now = snapshot(f->m);
    gmmu_tables_undo(f->t, len[i]);
    same_words(f->m, &at[i]);
    gmmu_tables_redo(f->t, len[i]);
    same_words(f->m, &now);
  }
  gmmu_tables_end(f->t, &txn, true);
  assert_int_equal(gmmu_tables_journal(f->t), 0);
  map(f, 0, 0x50000000, 0x20000000, 4096, RWU, GMMU_MAP_4K); /* a transaction of its own */
  assert_int_equal(gmmu_tables_journal(f->t), 0);
}

static void pte_addresses(void **state) {
  struct fix *f = *state;
  uint64_t va = 0x10203000, pte;
  assert_true(gmmu_tables_pte_pa(f->t, 0, va, 3) == f->e.ctx[0].root_pfn << 12);
  assert_true(gmmu_tables_pte_pa(f->t, 0, va, 2) == 0);
  assert_true(gmmu_tables_pte_pa(f->t, 1, va, 3) == 0); /* no such level in Sv39 */
  assert_true(gmmu_tables_pte_pa(f->t, 3, va, 3) == 0 && gmmu_tables_pte_pa(f->t, 0, va, -1) == 0);
  assert_int_equal(gmmu_tables_set_pte(f->t, 0, va, 0, 1, &f->err), -1);
  map(f, 0, va, 0x20000000, 4096, RWU, GMMU_MAP_4K);
  pte = gmmu_mem_read64(f->m, gmmu_tables_pte_pa(f->t, 0, va, 0));
  assert_true(pte == GMMU_PTE_MAKE(0x20000, RWU));
  assert_int_equal(gmmu_tables_set_pte(f->t, 0, va, 0, pte & ~GMMU_PTE_A, &f->err), 0);
  assert_int_equal(ask(f, 0, va, GMMU_READ).cause, GMMU_PF_ACCESSED);
  assert_int_equal(gmmu_tables_set_pte(f->t, 0, va, 1, GMMU_PTE_MAKE(0x20000, RWU), &f->err), 0);
  assert_true(gmmu_tables_pte_pa(f->t, 0, va, 0) == 0); /* a leaf ends the path */
  maps_to(f, 0, va, 0x20003000, true);
}

/* ---------------------------------------- random maps against a flat array */
#define SPAN_PAGES (64 * 512) /* 128 MiB, straddling 1 GiB in the VA */
#define BASE ((1ull << 30) - 64 * MIB)
struct flat {
  uint64_t pfn; /* 0: not mapped */
  bool large;
};

static bool all_free(const struct flat *v, uint64_t first, uint64_t n) {
  for (uint64_t i = 0; i < n; i++)
    if (v[first + i].pfn) return false;
  return true;
}

static void random_step(struct fix *f, struct gmmu_rng *r, int asid, struct flat *v) {
  int kind = (int)gmmu_rng_below(r, 3);
  uint64_t unit = kind == GMMU_MAP_4K ? 1 : 512, max = SPAN_PAGES / unit;
  uint64_t n = (1 + gmmu_rng_below(r, unit == 1 ? 1500 : 3)),
           first = gmmu_rng_below(r, max - n + 1) * unit;
  uint64_t pfn =
      0x10000 + gmmu_rng_below(r, 1 << 10) * 512 + (unit == 1 ? gmmu_rng_below(r, 512) : 0);
  bool is_free;
  n *= unit;
  is_free = all_free(v, first, n);
  assert_int_equal(gmmu_tables_map(f->t, asid, BASE + first * 4096, pfn << 12, n * 4096, RWU, kind,
                                   &f->err) == 0,
                   is_free);
  for (uint64_t i = 0; is_free && i < n; i++) v[first + i] = (struct flat){pfn + i, unit == 512};
}

static void random_unmap(struct fix *f, struct gmmu_rng *r, int asid, struct flat *v) {
  uint64_t n = 512 * (1 + gmmu_rng_below(r, 6)),
           first = gmmu_rng_below(r, (SPAN_PAGES - n) / 512 + 1) * 512;
  assert_int_equal(gmmu_tables_unmap(f->t, asid, BASE + first * 4096, n * 4096, &f->err), 0);
  memset(&v[first], 0, n * sizeof *v);
}

static void random_maps(void **state) {
  struct fix *f = *state;
  struct gmmu_rng r = {77};
  struct flat *flat = calloc(2 * SPAN_PAGES, sizeof *flat);
  for (int step = 0; step < 600; step++) {
    int asid = step & 1;
    struct flat *v = flat + asid * SPAN_PAGES;
    if (step % 16 > 10) random_unmap(f, &r, asid, v);
    else random_step(f, &r, asid, v);
    if (step % 60) continue;
    for (uint64_t i = 0; i < 2 * SPAN_PAGES; i++) {
      uint64_t va = BASE + i % SPAN_PAGES * 4096;
      if (flat[i].pfn)
        maps_to(f, (int)(i / SPAN_PAGES), va | 8, flat[i].pfn << 12 | 8, flat[i].large);
      else not_mapped(f, (int)(i / SPAN_PAGES), va);
    }
  }
  free(flat);
}

static void large_map(void **state) {
  struct fix *f = *state;
  map(f, 0, 1ull << 32, 1ull << 32, 1024 * MIB, RWU, GMMU_MAP_4K);
  for (uint64_t o = 0; o < 1024 * MIB; o += 4096 * 251)
    maps_to(f, 0, (1ull << 32) + o, (1ull << 32) + o, false);
}

/* Frames that all begin their search at the table's end, whose search goes on at its start: each is
 * found, before and after the table grew. */
static void frames_around_the_end(void **state) {
  enum { FRAMES = 60, MANY = 2000 };
  struct gmmu_mem *m = gmmu_mem_new();
  uint64_t pfn[FRAMES], next = 1;

  (void)state;
  for (int i = 0; i < FRAMES; i++, next++) { /* in the last slots of 256, as mem.c spreads them */
    while ((next * 0x9e3779b97f4a7c15ull) >> 56 < 252) next++;
    pfn[i] = next;
    gmmu_mem_write64(m, pfn[i] << 12, pfn[i]);
  }
  for (int i = 0; i < FRAMES; i++) assert_int_equal(gmmu_mem_read64(m, pfn[i] << 12), pfn[i]);
  for (uint64_t i = 0; i < MANY; i++) gmmu_mem_write64(m, (1ull << 30 | i) << 12 | 8, i + 1);
  for (int i = 0; i < FRAMES; i++) {
    assert_int_equal(gmmu_mem_read64(m, pfn[i] << 12), pfn[i]);
    assert_int_equal(gmmu_mem_read64(m, pfn[i] << 12 | 8), 0);
  }
  for (uint64_t i = 0; i < MANY; i++)
    assert_int_equal(gmmu_mem_read64(m, (1ull << 30 | i) << 12 | 8), i + 1);
  gmmu_mem_free(m);
}

#define T(fn) cmocka_unit_test_setup_teardown(fn, setup, teardown)
int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(frames_around_the_end),
                                     T(memory),
                                     T(asids),
                                     T(kinds),
                                     T(coalesced_bits),
                                     T(bad_arguments),
                                     T(overlaps),
                                     T(out_of_table_frames),
                                     T(unmap),
                                     T(coalesce_splinter),
                                     T(coalesce_touches),
                                     T(used_table_frames),
                                     T(odd_tables),
                                     T(next_frame),
                                     T(undo_redo),
                                     T(pte_addresses),
                                     T(random_maps),
                                     T(large_map)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
