/* SPDX-License-Identifier: Apache-2.0 */
/** test_mapping.c - mapping files: what is read, written, refused; and applied all or nothing. */
#include "gmmu.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#define MIB (1ull << 20)

struct fix {
  char dir[64], path[96];
  struct gmmu_mapping map;
  struct gmmu_err err;
  struct gmmu_mem *m;
  struct gmmu_env e;
  struct gmmu_tables *t;
};

static int setup(void **state) {
  struct fix *f = test_calloc(1, sizeof *f);
  struct gmmu_config c;
  strcpy(f->dir, "/tmp/gmmu_test_XXXXXX");
  if (!mkdtemp(f->dir)) return -1;
  snprintf(f->path, sizeof f->path, "%s/a.map", f->dir);
  gmmu_config_default(&c);
  gmmu_env_from_config(&f->e, &c);
  f->e.win[0] = (struct gmmu_window){0x100, 0x1ff, true, false};
  f->e.win[1] = (struct gmmu_window){0x200, (1ull << 36) - 1, false, true};
  f->m = gmmu_mem_new();
  f->t = gmmu_tables_new(f->m, &f->e, 0x100, 0x1ff);
  *state = f;
  return 0;
}

static int teardown(void **state) {
  struct fix *f = *state;
  gmmu_mapping_free(&f->map);
  gmmu_tables_free(f->t);
  gmmu_mem_free(f->m);
  unlink(f->path);
  assert_int_equal(rmdir(f->dir), 0); /* nothing else was left there */
  test_free(f);
  return 0;
}

static void put_file(struct fix *f, const char *text, size_t len) {
  FILE *o = fopen(f->path, "w");
  assert_non_null(o);
  fwrite(text, 1, len, o);
  fclose(o);
}
static void good(struct fix *f, const char *text) {
  put_file(f, text, strlen(text));
  gmmu_mapping_free(&f->map);
  if (gmmu_mapping_read(&f->map, f->path, &f->err)) fail_msg("%s", f->err.msg);
}
/* Fails with "path<part>", and leaves the mapping as it was. */
static void bad(struct fix *f, const char *text, const char *part) {
  char expect[256];
  struct gmmu_mapping before = f->map;
  put_file(f, text, strlen(text));
  assert_int_equal(gmmu_mapping_read(&f->map, f->path, &f->err), -1);
  snprintf(expect, sizeof expect, "%s%s", f->path, part);
  if (strncmp(f->err.msg, expect, strlen(expect)) != 0)
    fail_msg("'%s' does not begin '%s'", f->err.msg, expect);
  assert_memory_equal(&f->map, &before, sizeof before);
}
static void is_line(const struct gmmu_map_line *l, int line, int asid, uint64_t va, uint64_t pa,
                    uint64_t bytes, uint64_t bits, int kind) {
  assert_true(l->line == line && l->asid == asid && l->kind == kind);
  assert_true(l->va == va && l->pa == pa && l->bytes == bytes && l->bits == bits);
}

static void read_good(void **state) {
  struct fix *f = *state;
  good(f,
       "# two\n\n0 0x1000 8192 4096 rwu # here\n\t 63  4096\t0 0x2000 rx!a 4k\r\n"
       "1 0x200000 0x400000 0x200000 rwxug!d 2m\n1 0xffffffffffe00000 0 0x200000 r coalesced");
  assert_int_equal(f->map.n, 4);
  is_line(&f->map.v[0], 3, 0, 0x1000, 0x2000, 0x1000, 0xd7, GMMU_MAP_4K);
  is_line(&f->map.v[1], 4, 63, 0x1000, 0, 0x2000, 0x0b, GMMU_MAP_4K);
  is_line(&f->map.v[2], 5, 1, 0x200000, 0x400000, 0x200000, 0x7f, GMMU_MAP_2M);
  is_line(&f->map.v[3], 6, 1, 0xffffffffffe00000, 0, 0x200000, 0x43, GMMU_MAP_COALESCED);
  good(f, "# nothing\n");
  assert_int_equal(f->map.n, 0);
}

static void read_bad(void **state) {
  struct fix *f = *state;
  static const char binary[] = "0 0x1000 0 4096 r\n0 0x2000\0 0 4096 r\n";
  bad(f, "0 0x1000 0 4096\n", ":1: 4 fields");
  bad(f, "0 0x1000 0 4096 r\n0 0x20", ":2: 2 fields"); /* truncated */
  bad(f, "0 0x1000 0 4096 r 4k more\n", ":1: 7 fields");
  bad(f, "\n0 0x1000 0 4096 r 1g\n", ":2: kind '1g'");
  bad(f, "64 0x1000 0 4096 r\n", ":1: asid '64' is not in 0..63");
  bad(f, "-1 0x1000 0 4096 r\n", ":1: asid '-1'");
  bad(f, "0 0x1000z 0 4096 r\n", ":1: va '0x1000z'");
  bad(f, "0 x 0 4096 r\n", ":1: va 'x'");
  bad(f, "0 0x1000 0x 4096 r\n", ":1: pa '0x'");
  bad(f, "0 0x1000 0 -4096 r\n", ":1: bytes '-4096'");
  bad(f, "0 0x1000 99999999999999999999 4096 r\n", ":1: pa");
  bad(f, "0 0x1000 0 0 r\n", ":1: the range is empty");
  bad(f, "0 0x1008 0 4096 r\n", ":1: va, pa and bytes must be multiples of 0x1000");
  bad(f, "0 0x1000 8 4096 r\n", ":1: va, pa and bytes");
  bad(f, "0 0x1000 0 4097 r\n", ":1: va, pa and bytes");
  bad(f, "0 0x200000 0x1000 0x200000 r 2m\n", ":1: va, pa and bytes must be multiples of 0x200000");
  bad(f, "0 0x201000 0 0x200000 r coalesced\n", ":1: va, pa and bytes");
  bad(f, "0 0xfffffffffffff000 0 0x2000 r\n", ":1: the range goes past");
  bad(f, "0 0 0xfffffffffffff000 0x2000 r\n", ":1: the range goes past");
  const char *const perms[] = {"w", "wx", "u", "rr", "rz", "r!", "r!b", "r!a!a", "!a", "R", "r!ar"};
  for (size_t i = 0; i < sizeof perms / sizeof perms[0]; i++) {
    char text[64];
    snprintf(text, sizeof text, "0 0 0 4096 %s\n", perms[i]);
    bad(f, text, ":1: perms '");
  }
  put_file(f, binary, sizeof binary - 1);
  assert_int_equal(gmmu_mapping_read(&f->map, f->path, &f->err), -1);
  assert_non_null(strstr(f->err.msg, ":2: a NUL byte: not a text file"));
  assert_int_equal(gmmu_mapping_read(&f->map, "/nowhere/x", &f->err), -1);
  assert_int_equal(gmmu_mapping_read(&f->map, f->dir, &f->err), -1);
}

static void read_overlaps(void **state) {
  struct fix *f = *state;
  bad(f, "0 0x1000 0 8192 r\n# x\n0 0x2000 0 4096 r\n", ":3: va 0x2000 overlaps line 1 (asid 0)");
  bad(f, "0 0x5000 0 4096 r\n0 0x1000 0 0x8000 r\n", ":2: va 0x5000 overlaps line 1 (asid 0)");
  bad(f, "3 0 0 0x200000 r 2m\n3 0x1ff000 0 4096 r\n", ":2: va 0x1ff000 overlaps line 1 (asid 3)");
  bad(f, "0 0x1000 0 4096 r\n0 0x1000 0 4096 r\n", ":2: va 0x1000 overlaps line 1");
  bad(f, "0 0x1000 0 4096 r\n0 0x1000 0 4096 r\n0 0x1000 0 4096 r\n", ":2: va 0x1000 overlaps");
  bad(f, "0 0xffffffffffffe000 0 8192 r\n0 0xfffffffffffff000 0 4096 r\n",
      ":2: va 0xfffffffffffff000");
  good(f, "0 0x1000 0 4096 r\n1 0x1000 0 4096 r\n0 0x2000 0 4096 r\n0 0 0 4096 r\n");
}

static void write_and_read_back(void **state) {
  struct fix *f = *state;
  struct gmmu_mapping back = {0};
  good(f,
       "0 0x1000 8192 4096 rwu\n63 4096 0 0x2000 rx!a 4k\n1 0x200000 0x400000 0x200000 rwxug!a!d "
       "2m\n"
       "1 0xffffffffffe00000 0 0x200000 x coalesced\n");
  assert_int_equal(gmmu_mapping_write(&f->map, f->path, &f->err), 0);
  assert_int_equal(gmmu_mapping_read(&back, f->path, &f->err), 0);
  assert_int_equal(back.n, f->map.n);
  for (size_t i = 0; i < back.n; i++) {
    const struct gmmu_map_line *a = &f->map.v[i];
    is_line(&back.v[i], a->line + 1, a->asid, a->va, a->pa, a->bytes, a->bits,
            a->kind); /* one comment line */
  }
  /* What the format cannot hold is refused, and the file stays what it was. */
  const uint64_t bits[] = {0, 0x01, 0x05, 0xc3, 0x42, 0x143};
  for (size_t i = 0; i < sizeof bits / sizeof bits[0]; i++) {
    f->map.v[1].bits = bits[i];
    assert_int_equal(gmmu_mapping_write(&f->map, f->path, &f->err), -1);
    assert_non_null(strstr(f->err.msg, ": mapping line 2 has bits 0x"));
  }
  gmmu_mapping_free(&back);
  assert_int_equal(gmmu_mapping_read(&back, f->path, &f->err), 0);
  assert_int_equal(back.n, 4);
  assert_int_equal(gmmu_mapping_write(&back, "/nowhere/x", &f->err), -1);
  gmmu_mapping_free(&back);
}

static int cause(struct fix *f, int asid, uint64_t va, int access) {
  struct gmmu_answer a;
  gmmu_translate(&f->e, f->m, asid, va, access, true, &a);
  return a.cause;
}

static void count(void *arg, uint64_t pa, uint64_t value) { *(uint64_t *)arg += (pa + 1) * value; }
static uint64_t digest(const struct gmmu_mem *m) {
  uint64_t sum = 0;
  gmmu_mem_each(m, count, &sum);
  return sum;
}

static void apply(void **state) {
  struct fix *f = *state;
  struct gmmu_answer a;
  good(f,
       "0 0x1000 0x300000 4096 rwu\n0 0x400000 0x400000 0x200000 ru 2m\n2 0x400000 0x600000 "
       "0x400000 rwu coalesced\n"
       "2 0x1000 0x300000 4096 rwu!d\n2 0x2000 0x300000 4096 rwu!a\n");
  assert_int_equal(gmmu_mapping_apply(&f->map, f->path, f->t, GMMU_MODE_SV39, true, &f->err), 0);
  assert_true(f->e.ctx[0].mode == GMMU_MODE_SV39 && f->e.ctx[1].mode == GMMU_MODE_OFF &&
              f->e.ctx[2].ext);
  gmmu_translate(&f->e, f->m, 2, 0x654321, GMMU_WRITE, true, &a);
  assert_true(a.cause == GMMU_OK && a.pa == 0x854321 && a.may_be_2m);
  assert_int_equal(cause(f, 0, 0x1000, GMMU_WRITE), GMMU_OK);
  assert_int_equal(cause(f, 0, 0x400000, GMMU_WRITE), GMMU_PERM);
  assert_int_equal(cause(f, 1, 0x1000, GMMU_READ), GMMU_UNKNOWN_ASID);
  assert_int_equal(cause(f, 2, 0x1000, GMMU_WRITE), GMMU_PF_DIRTY);
  assert_int_equal(cause(f, 2, 0x2000, GMMU_READ), GMMU_PF_ACCESSED);
}

/* A line that fails takes all the lines before it back, roots included. */
static void apply_all_or_nothing(void **state) {
  struct fix *f = *state;
  struct gmmu_env env;
  char expect[160];
  uint64_t before;
  good(f, "0 0x1000 0x300000 4096 rwu\n");
  assert_int_equal(gmmu_mapping_apply(&f->map, f->path, f->t, GMMU_MODE_SV48, true, &f->err), 0);
  const char *const last[] = {
      "0 0x1000 0 4096 r",               /* mapped by an earlier file */
      "8 0x1000 0 4096 r",               /* no such context */
      "1 0x800000000000 0 4096 r",       /* not canonical */
      "1 0x1000 0x1000000000000 4096 r", /* beyond pa_w */
      "1 0 0 0x40000000 r",              /* more tables than there are frames for */
  };
  env = f->e;
  before = digest(f->m);
  for (size_t i = 0; i < sizeof last / sizeof last[0]; i++) {
    char text[256];
    snprintf(text, sizeof text, "0 0x7000 0 4096 r\n3 0x200000 0 0x200000 r coalesced\n\n%s\n",
             last[i]);
    good(f, text);
    assert_int_equal(gmmu_mapping_apply(&f->map, f->path, f->t, GMMU_MODE_SV48, true, &f->err), -1);
    snprintf(expect, sizeof expect, "%s:4: ", f->path);
    if (strncmp(f->err.msg, expect, strlen(expect)) != 0) fail_msg("%s", f->err.msg);
    assert_int_equal(digest(f->m), before);
    assert_memory_equal(&f->e, &env, sizeof env);
  }
  good(f,
       "0 0x7000 0 4096 r\n3 0x200000 0 0x200000 r coalesced\n"); /* and they can still be made */
  assert_int_equal(gmmu_mapping_apply(&f->map, f->path, f->t, GMMU_MODE_SV48, true, &f->err), 0);
  good(f, "3 0x600000 0 0x200000 r coalesced\n4 0x600000 0 0x200000 r coalesced\n");
  assert_int_equal(gmmu_mapping_apply(&f->map, f->path, f->t, GMMU_MODE_SV48, false, &f->err),
                   -1); /* 4: no ext */
  assert_int_equal(cause(f, 3, 0x600000, GMMU_READ), GMMU_PF_INVALID);
}

/* A mapping made by a program is checked for overlaps too. */
static void apply_overlap(void **state) {
  struct fix *f = *state;
  good(f, "0 0x1000 0x300000 4096 rwu\n0 0x2000 0x300000 4096 rwu\n");
  f->map.v[1].va = 0x1000;
  assert_int_equal(gmmu_mapping_apply(&f->map, "made", f->t, GMMU_MODE_SV48, true, &f->err), -1);
  assert_string_equal(f->err.msg, "made:2: va 0x1000 overlaps line 1 (asid 0)");
  assert_int_equal(f->e.ctx[0].mode, GMMU_MODE_OFF);
  good(f, "0 0x1000 0x300000 4096 r\n0 0x2000 0 4096 r\n0 0x3000 0 4096 r\n");
  for (int i = 0; i < 3; i++) { /* the first two by their lines, in whatever order they stand */
    f->map.v[i].va = 0x1000;
    f->map.v[i].line = 9 - 2 * i;
  }
  assert_int_equal(gmmu_mapping_apply(&f->map, "made", f->t, GMMU_MODE_SV48, true, &f->err), -1);
  assert_string_equal(f->err.msg, "made:7: va 0x1000 overlaps line 5 (asid 0)");
  gmmu_mapping_free(&f->map);
  assert_true(f->map.v == NULL && f->map.n == 0);
}

#define T(fn) cmocka_unit_test_setup_teardown(fn, setup, teardown)
int main(void) {
  const struct CMUnitTest tests[] = {T(read_good),           T(read_bad), T(read_overlaps),
                                     T(write_and_read_back), T(apply),    T(apply_all_or_nothing),
                                     T(apply_overlap)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
