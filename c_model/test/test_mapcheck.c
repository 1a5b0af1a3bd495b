/* SPDX-License-Identifier: Apache-2.0 */
/** test_mapcheck.c - the check of answers by mapping lines: agrees with the walk of the tables on
 * random address spaces and changes; sees what a walk of wrong tables cannot; the scan of several
 * address spaces. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "functional/tables_txn.h"
#include "run/run.h"
#include "run/space.h"
#include "temp_file.h"

#define SPACES 3

static struct gmmu_config preset(const char *name) {
  struct gmmu_config c;
  struct gmmu_err err = {""};
  if (gmmu_config_load_preset(&c, name, "sim/presets", &err)) fail_msg("%s", err.msg);
  c.NumSms = 2;
  return c;
}

static void build(struct gmmu_space *s, const struct gmmu_config *c, const char *text) {
  struct gmmu_space_opts o = {.scan = c->L2Unified};
  struct gmmu_err err = {""};
  char path[] = TEMP_FILE, *maps[] = {path};
  temp_file(path, text);
  if (gmmu_space_build(s, c, &o, NULL, 0, maps, 1, &err)) fail_msg("%s", err.msg);
  unlink(path);
}

/* An answer as a walk of the tables gives it. */
static struct gmmu_fe_answer walked(const struct gmmu_space *s, int asid, uint64_t va, int access,
                                    bool user) {
  struct gmmu_answer w;
  gmmu_translate(&s->env, s->mem, asid, va, access, user, &w);
  return (struct gmmu_fe_answer){.va = va,
                                 .asid = (uint16_t)asid,
                                 .access = (uint8_t)access,
                                 .user = user,
                                 .rsp = {.cause = (uint8_t)w.cause, .pa = w.pa}};
}

static bool said(struct gmmu_space *s, const struct gmmu_fe_answer *a, uint64_t cycle) {
  char msg[512] = "";
  bool right = gmmu_mapcheck_answer(s->said, a, cycle, msg, sizeof msg);
  assert_true(right == (msg[0] == 0));
  return right;
}

static int store(const char *text) {
  const struct gmmu_config c = preset("mesc");
  struct gmmu_space s;
  build(&s, &c, text);
  struct gmmu_fe_answer a = walked(&s, 0, 0x40000000, GMMU_WRITE, true);
  assert_true(said(&s, &a, 0));
  gmmu_space_free(&s);
  return a.rsp.cause;
}

/* The last frame of one address space says nothing about the same frame of another. */
static void test_spaces_apart(void **state) {
  (void)state;
  assert_int_equal(
      store("1 0x40000000 0x40000000 0x200000 rwu\n0 0x40000000 0x80000000 0x200000 rwu!d\n"),
      GMMU_OK);
  assert_int_equal(
      store("0 0x40000000 0x80000000 0x200000 rwu!d\n1 0x40000000 0x40000000 0x200000 rwu\n"),
      GMMU_OK);
}

/* 64 contiguous pages and 65 others; unsorted lines come back to the frame of the first again and
 * again. */
static void test_frames_count_once(void **state) {
  const struct gmmu_config c = preset("mesc");
  struct gmmu_space s;
  char text[16384] = "0 0x40000000 0x80000000 0x40000 rwu\n";
  (void)state;
  for (int i = 0; i < 65; i++)
    sprintf(text + strlen(text), "0 0x%x 0x%x 0x1000 rwu\n",
            0x40000000 + (i % 2 ? 0x200000 : 0x40000) + i * 4096, 0x90000000 + i * 8192);
  build(&s, &c, text);
  assert_int_equal(s.scan.subregions, 1);
  assert_int_equal(s.scan.pages, 129);
  assert_int_equal(s.scan.frames, 2);
  gmmu_space_free(&s);
}

/* ---------------------------------------- random address spaces */
static const char *const perm[] = {"r",  "rw",  "x",    "rx",    "rwx",     "ru",   "rwu",
                                   "xu", "rxu", "rwxu", "rwu!d", "rwu!a!d", "ru!a", "rwg!d"};

/* Lines of 1 to 80 pages in 3 frames of each address space, in random order, without overlaps; many
 * go on where another ends. */
static void random_lines(struct gmmu_rng *r, bool coalesced, char *text) {
  struct {
    int asid;
    uint64_t va, pa, n;
    const char *perms, *kind;
  } v[400];
  int n = 0;
  for (int asid = 0; asid < SPACES; asid++)
    for (int f = 0; f < 3; f++) {
      uint64_t va = 0x40000000 + (uint64_t)f * GMMU_LARGE_PAGE,
               pa = 0x80000000 + gmmu_rng_below(r, 64) * GMMU_LARGE_PAGE;
      const char *p = perm[gmmu_rng_below(r, 14)];
      int whole = (int)gmmu_rng_below(r, 4);
      if (whole < 2) {
        v[n].asid = asid, v[n].va = va, v[n].pa = pa, v[n].n = 512, v[n].perms = p,
        v[n].kind = whole       ? "2m"
                    : coalesced ? "coalesced"
                                : "4k";
        n++;
        continue;
      }
      for (uint64_t page = 0, len; page < 512 && n < 400; page += len) {
        len = gmmu_rng_below(r, 4) ? 64 - page % 64 : 1 + gmmu_rng_below(r, 80);
        if (len > 512 - page) len = 512 - page;
        if (gmmu_rng_below(r, 4) == 0) p = perm[gmmu_rng_below(r, 14)];
        if (gmmu_rng_below(r, 5) == 0) pa += gmmu_rng_below(r, 64) * 4096;
        if (gmmu_rng_below(r, 8) == 0) continue;
        v[n].asid = asid, v[n].va = va + page * 4096, v[n].pa = pa + page * 4096, v[n].n = len,
        v[n].perms = p, v[n].kind = "4k";
        n++;
      }
    }
  text[0] = 0;
  for (int i = n; i > 0; i--) {
    int k = (int)gmmu_rng_below(r, (uint64_t)i);
    text += sprintf(text, "%d 0x%llx 0x%llx 0x%llx %s %s\n", v[k].asid, (unsigned long long)v[k].va,
                    (unsigned long long)v[k].pa, (unsigned long long)v[k].n * 4096, v[k].perms,
                    v[k].kind);
    v[k] = v[i - 1];
  }
}

/* changing: an answer may also be as before, so wrong ones are not tried. */
static void compare(struct gmmu_space *s, struct gmmu_rng *r, uint64_t cycle, bool changing,
                    uint64_t *causes) {
  uint64_t va = 0x40000000 + gmmu_rng_below(r, 4 * 512) * 4096 + gmmu_rng_below(r, 4096);
  if (gmmu_rng_below(r, 50) == 0) va |= gmmu_rng_next(r) << 38;
  struct gmmu_fe_answer a = walked(s, (int)gmmu_rng_below(r, SPACES + 1), va,
                                   (int)gmmu_rng_below(r, 4), gmmu_rng_below(r, 2));
  causes[a.rsp.cause]++;
  if (!said(s, &a, cycle)) {
    char msg[512];
    gmmu_mapcheck_answer(s->said, &a, cycle, msg, sizeof msg);
    fail_msg("%s", msg);
  }
  if (changing) return;
  a.rsp.pa ^=
      1ull << (12 + gmmu_rng_below(r, 30)); /* any other address, or another cause, is wrong */
  assert_false(said(s, &a, cycle));
  a.rsp.pa = 0;
  a.rsp.cause = (uint8_t)(a.rsp.cause == GMMU_PERM ? GMMU_OK : GMMU_PERM);
  assert_false(said(s, &a, cycle));
}

static void test_random(void **state) {
  uint64_t causes[GMMU_NUM_CAUSES] = {0};
  char *text = malloc(65536);
  (void)state;
  for (uint64_t seed = 1; seed <= 60; seed++) {
    struct gmmu_rng r = {seed};
    struct gmmu_config c = preset(seed % 2 ? "mesc" : seed % 4 ? "mosaic" : "gpu-mmu");
    c.FrameBitsInRsw = seed % 3 == 0;
    c.Svadu = seed % 5 == 0;
    c.NumWindows = 1 + (int64_t)(seed % 4);
    struct gmmu_space s;
    random_lines(&r, c.Ext, text);
    build(&s, &c, text);
    s.env.ctx[1].sum = true;
    s.env.ctx[2].sum = s.env.ctx[2].mxr = true;
    if (seed % 7 == 0)
      s.env.win[c.NumWindows > 1].lo_pfn = 0x80100; /* a part of the pages is in no window */
    for (int i = 0; i < 3000; i++) compare(&s, &r, 0, false, causes);
    gmmu_space_free(&s);
  }
  free(text);
  for (int k = 0; k < GMMU_NUM_CAUSES; k++)
    if (k == GMMU_OK || k == GMMU_PF_INVALID || k == GMMU_PF_ACCESSED || k == GMMU_PF_DIRTY ||
        k == GMMU_PERM || k == GMMU_NON_CANONICAL || k == GMMU_UNKNOWN_ASID ||
        k == GMMU_AF_PPN_WINDOW)
      assert_true(causes[k] > 100);
}

/* Random changes: right by now, right by before until the acknowledgement and in its cycle, wrong
 * by before after it. */
static void test_changes(void **state) {
  uint64_t causes[GMMU_NUM_CAUSES] = {0}, old = 0;
  char *text = malloc(65536);
  (void)state;
  for (uint64_t seed = 1; seed <= 20; seed++) {
    struct gmmu_rng r = {seed};
    struct gmmu_config c = preset("mosaic");
    struct gmmu_space s;
    struct gmmu_err err;
    struct gmmu_txn txn;
    c.Svadu = seed % 3 == 0;
    random_lines(&r, true, text);
    build(&s, &c, text);
    gmmu_tables_begin(s.tables, &txn);
    for (uint64_t cycle = 10; cycle < 4000; cycle += 10) {
      int asid = (int)gmmu_rng_below(&r, SPACES), kind = (int)gmmu_rng_below(&r, 5), ok = -1;
      uint64_t va = 0x40000000 + gmmu_rng_below(&r, 3 * 512) * 4096,
               n = 1 + gmmu_rng_below(&r, 100), frame = va & ~(GMMU_LARGE_PAGE - 1ull);
      bool whole = gmmu_rng_below(&r, 3) == 0;
      struct gmmu_map_line l = {asid,
                                whole ? frame : va,
                                0x80000000 + gmmu_rng_below(&r, 64) * GMMU_LARGE_PAGE,
                                whole ? GMMU_LARGE_PAGE : n * 4096,
                                0xdf,
                                GMMU_MAP_4K,
                                0,
                                NULL};
      struct gmmu_fe_answer before[8];
      if (whole && gmmu_rng_below(&r, 2))
        l.kind = gmmu_rng_below(&r, 2) ? GMMU_MAP_2M : GMMU_MAP_COALESCED;
      for (int i = 0; i < 8; i++)
        before[i] = walked(&s, asid, l.va + gmmu_rng_below(&r, l.bytes),
                           i % 2 ? GMMU_READ : GMMU_WRITE, true);
      if (kind < 2 && !(ok = gmmu_tables_unmap(s.tables, asid, l.va, l.bytes, &err)))
        gmmu_mapcheck_unmap(s.said, asid, l.va, l.bytes);
      if (kind >= 2 && kind < 4 &&
          !(ok = gmmu_tables_map(s.tables, asid, l.va, l.pa, l.bytes, l.bits, l.kind, &err)))
        gmmu_mapcheck_map(s.said, &l);
      if (kind == 4 && !(ok = gmmu_tables_coalesce(s.tables, asid, frame, &err)))
        gmmu_mapcheck_frame(s.said, asid, frame, true);
      else if (kind == 4 && !(ok = gmmu_tables_splinter(s.tables, asid, frame, &err)))
        gmmu_mapcheck_frame(s.said, asid, frame, false);
      for (int i = 0; i < 20; i++) compare(&s, &r, cycle, true, causes);
      if (ok) continue;
      for (int i = 0; i < 8; i++) assert_true(said(&s, &before[i], cycle + 1));
      gmmu_mapcheck_acknowledged(s.said, cycle + 2);
      for (int i = 0; i < 8; i++) assert_true(said(&s, &before[i], cycle + 2));
      for (int i = 0; i < 8; i++) {
        struct gmmu_fe_answer now = walked(&s, asid, before[i].va, before[i].access, true);
        bool same = now.rsp.cause == before[i].rsp.cause && now.rsp.pa == before[i].rsp.pa;
        if (!c.Svadu) assert_true(said(&s, &before[i], cycle + 3) == same);
        old += !same;
      }
    }
    gmmu_tables_end(s.tables, &txn, true);
    gmmu_space_free(&s);
  }
  free(text);
  assert_true(old > 1000);
  assert_true(causes[GMMU_OK] > 1000 && causes[GMMU_PF_INVALID] > 1000);
}

/* ---------------------------------------- whole runs */
/* A run over tables in which one PTE is wrong: all else is consistent, so only the lines show it.
 */
static uint64_t run_over(int level, uint64_t flip, bool with_lines) {
  struct gmmu_config c = preset("mosaic");
  struct gmmu_trace_builder *b = gmmu_trace_builder_new("T");
  struct gmmu_trace_sink k = gmmu_trace_builder_sink(b);
  struct gmmu_op op = {.access = GMMU_READ, .bytes = 4, .lanes = 1};
  struct gmmu_space s;
  struct gmmu_err err;
  struct gmmu_run *run = calloc(1, sizeof *run);
  k.launch(k.arg, "k", 1, 1);
  k.warp(k.arg, 0, 0);
  for (uint64_t i = 0; i < 20; i++) {
    op.addr[0] = 0x40000000 + i * 4096;
    k.op(k.arg, &op);
  }
  struct gmmu_trace *t = gmmu_trace_builder_finish(b, &err);
  build(&s, &c, "0 0x40000000 0x80000000 0x200000 rwu\n1 0x40000000 0xa0000000 0x200000 rwu\n");
  uint64_t pa = gmmu_tables_pte_pa(s.tables, 0, 0x40003000, level);
  gmmu_mem_write64(s.mem, pa, gmmu_mem_read64(s.mem, pa) ^ flip);
  *run = (struct gmmu_run){.cfg = c,
                           .env = &s.env,
                           .image = s.mem,
                           .seed = 1,
                           .policy = true,
                           .num_apps = 1,
                           .said = with_lines ? s.said : NULL};
  assert_int_equal(gmmu_timed_new(&run->dut, &c, &err), 0);
  run->fe = gmmu_fe_new(&c, &(struct gmmu_fe_app){.trace = t, .asid = 0}, 1, false, &err);
  assert_non_null(run->fe);
  assert_int_equal(gmmu_run(run, &err), 0);
  uint64_t n = run->mism.n;
  run->dut.free(run->dut.h);
  gmmu_run_free(run);
  gmmu_fe_free(run->fe);
  gmmu_trace_free(t);
  gmmu_space_free(&s);
  free(run);
  return n;
}

static void test_wrong_tables(void **state) {
  const struct {
    int level;
    uint64_t flip, wrong;
  } t[] = {{0, 0, 0},          {0, 1ull << 20, 1}, {0, GMMU_PTE_V, 1},
           {0, GMMU_PTE_A, 1}, {0, GMMU_PTE_U, 1}, {0, GMMU_PTE_R | GMMU_PTE_W, 1},
           {1, GMMU_PTE_V, 20}};
  (void)state;
  for (size_t i = 0; i < sizeof t / sizeof *t; i++) {
    assert_int_equal(run_over(t[i].level, t[i].flip, false),
                     0); /* the walk of the tables sees nothing */
    assert_int_equal(run_over(t[i].level, t[i].flip, true), t[i].wrong);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_spaces_apart),
                                     cmocka_unit_test(test_frames_count_once),
                                     cmocka_unit_test(test_random), cmocka_unit_test(test_changes),
                                     cmocka_unit_test(test_wrong_tables)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
