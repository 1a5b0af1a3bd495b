/* SPDX-License-Identifier: Apache-2.0 */
/** test_config.c - error lines, keys, rules between keys, preset files and the RTL build's name. */
#include "gmmu.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

struct fix {
  char dir[64], path[96];
  struct gmmu_config c, before;
  struct gmmu_err err;
};

static int setup(void **state) {
  struct fix *f = test_calloc(1, sizeof *f);
  strcpy(f->dir, "/tmp/gmmu_test_XXXXXX");
  if (!mkdtemp(f->dir)) return -1;
  snprintf(f->path, sizeof f->path, "%s/try.ini", f->dir);
  gmmu_config_default(&f->c);
  strcpy(f->c.name, "untouched");
  f->before = f->c;
  *state = f;
  return 0;
}

static int teardown(void **state) {
  struct fix *f = *state;
  unlink(f->path);
  rmdir(f->dir);
  test_free(f);
  return 0;
}

static void put_file(struct fix *f, const char *text) {
  FILE *o = fopen(f->path, "w");
  assert_non_null(o);
  fputs(text, o);
  fclose(o);
}

/* Loading `text` fails with an error that has `part` in it, and changes nothing. */
static void bad_file(struct fix *f, const char *text, const char *part) {
  put_file(f, text);
  f->err.msg[0] = 0;
  assert_int_equal(gmmu_config_load(&f->c, f->path, &f->err), -1);
  if (!strstr(f->err.msg, part)) fail_msg("'%s' is not in '%s'", part, f->err.msg);
  assert_non_null(strstr(f->err.msg, f->path));
  assert_memory_equal(&f->c, &f->before, sizeof f->c);
}

static void errors(void **state) {
  struct fix *f = *state;
  assert_int_equal(gmmu_fail(NULL, "%d", 1), -1);
  assert_int_equal(gmmu_fail(&f->err, "x %d", 5), -1);
  assert_string_equal(f->err.msg, "x 5");
  gmmu_fail(&f->err, "in front: %s", f->err.msg);
  assert_string_equal(f->err.msg, "in front: x 5");
  gmmu_fail(&f->err, "%700d", 1);
  assert_int_equal(strlen(f->err.msg), sizeof f->err.msg - 1);
}

static void random_numbers(void **state) {
  struct gmmu_rng r = {0};
  (void)state;
  assert_true(gmmu_rng_next(&r) ==
              0xe220a8397b1dcdafull); /* splitmix64's published first value of seed 0 */
  for (int i = 0; i < 1000; i++) assert_true(gmmu_rng_below(&r, 7) < 7);
}

static void defaults_are_legal(void **state) {
  struct fix *f = *state;
  assert_int_equal(gmmu_config_check(&f->c, &f->err), 0);
  assert_true(f->c.NumSms == 30 && f->c.L2Entries == 512 && f->c.CoreMhz == 1020);
}

static void set_key(void **state) {
  struct fix *f = *state;
  const char *const bad[] = {
      "", " ", "x", "4x", "-1", "0", "65", "0x", "1.5", "99999999999999999999", "4 4"};
  assert_int_equal(gmmu_config_set(&f->c, "NumSms", "4", &f->err), 0);
  assert_int_equal(f->c.NumSms, 4);
  assert_int_equal(gmmu_config_set(&f->c, "NumSms", "0x10", &f->err), 0);
  assert_int_equal(f->c.NumSms, 16);
  assert_int_equal(gmmu_config_set(&f->c, "NumSms", "010", &f->err), 0);
  assert_int_equal(f->c.NumSms, 10);
  f->before = f->c;
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
    assert_int_equal(gmmu_config_set(&f->c, "NumSms", bad[i], &f->err), -1);
  assert_int_equal(gmmu_config_set(&f->c, "numsms", "4", &f->err), -1);
  assert_string_equal(f->err.msg,
                      "unknown key 'numsms', did you mean 'NumSms'? (gmmu preset --list-keys)");
  assert_int_equal(gmmu_config_set(&f->c, "NumSMs", "4", &f->err), -1);
  assert_non_null(strstr(f->err.msg, "did you mean 'NumSms'?"));
  assert_int_equal(gmmu_config_set(&f->c, "Wlaks", "4", &f->err), -1);
  assert_non_null(strstr(f->err.msg, "did you mean 'Walks'?"));
  assert_int_equal(gmmu_config_set(&f->c, "Nonsense", "4", &f->err), -1);
  assert_null(strstr(f->err.msg, "did you mean"));
  assert_int_equal(gmmu_config_set(&f->c, "NumSms", "-1", &f->err), -1);
  assert_string_equal(f->err.msg, "NumSms: '-1' is negative; it is 1 to 64");
  assert_int_equal(gmmu_config_set(&f->c, "NumSms", "18446744073709551616", &f->err), -1);
  assert_string_equal(f->err.msg,
                      "NumSms: '18446744073709551616' is above 2^64 - 1; it is 1 to 64");
  assert_memory_equal(&f->c, &f->before, sizeof f->c);
}

static void every_key_has_its_range(void **state) {
  struct fix *f = *state;
  char v[32];
#define GMMU_CFG(name, def, min, max, scope, doc)                  \
  snprintf(v, sizeof v, "%lld", (long long)(min));                 \
  assert_int_equal(gmmu_config_set(&f->c, #name, v, &f->err), 0);  \
  assert_int_equal(f->c.name, min);                                \
  snprintf(v, sizeof v, "%lld", (long long)(max));                 \
  assert_int_equal(gmmu_config_set(&f->c, #name, v, &f->err), 0);  \
  snprintf(v, sizeof v, "%lld", (long long)(min) - 1);             \
  assert_int_equal(gmmu_config_set(&f->c, #name, v, &f->err), -1); \
  snprintf(v, sizeof v, "%lld", (long long)(max) + 1);             \
  assert_int_equal(gmmu_config_set(&f->c, #name, v, &f->err), -1); \
  assert_int_equal(f->c.name, max);                                \
  f->c.name = (max) + 1ll;                                         \
  assert_int_equal(gmmu_config_check(&f->c, &f->err), -1);         \
  assert_non_null(strstr(f->err.msg, #name));                      \
  f->c = f->before;
#include "gmmu_config.def"
#undef GMMU_CFG
}

/* Keys set together are illegal; without the last one they are legal. */
static void rule(struct fix *f, const char *setting, const char *part) {
  char text[256], *save = NULL;
  struct gmmu_config c = f->before;
  snprintf(text, sizeof text, "%s", setting);
  for (char *k = strtok_r(text, " =", &save); k; k = strtok_r(NULL, " =", &save)) {
    assert_int_equal(gmmu_config_check(&c, &f->err), 0);
    assert_int_equal(gmmu_config_set(&c, k, strtok_r(NULL, " =", &save), &f->err), 0);
  }
  assert_int_equal(gmmu_config_check(&c, &f->err), -1);
  if (!strstr(f->err.msg, part)) fail_msg("'%s' is not in '%s'", part, f->err.msg);
}

static void rules_between_keys(void **state) {
  struct fix *f = *state;
  rule(f, "L2Mshrs=7", "NumAsids");
  rule(f, "Walks=7", "NumAsids");
  rule(f, "AsidW=3 NumAsids=9", "AsidW");
  rule(f, "L2Entries=520", "power of two"); /* 32.5 sets */
  rule(f, "L2Entries=528", "power of two"); /* 33 sets */
  rule(f, "L2Ways=3", "power of two");
  rule(f, "NumSms=3 L1SmallSms=8", "L1SmallSms = 8 has a bit of an SM");
  rule(f, "SpreadTables=1 Mode=39", "SpreadTables = 1 needs Mode = 48");
  rule(f, "MemPort=48", "MemPort = 48 is not a power of two");
  rule(f, "Mode=39 VaW=40", "VaW");
  rule(f, "Mode=40", "Mode");
  rule(f, "VaW=39", "Mode");
  rule(f, "WarpW=6 WarpsPerSm=65", "WarpsPerSm");
  rule(f, "L1dWays=3", "L1dBytes");
  rule(f, "L1dBytes=512 L1dWays=8", "L1dBytes");
  rule(f, "L1LargeEntries=0 L2LargeEntries=0 L1LargeEntries=1", "L2LargeEntries");
}

static void load_good(void **state) {
  struct fix *f = *state;
  f->c.NumSms = 2; /* a preset starts from the defaults, not from what c was */
  put_file(f, "# a comment\n; another\n\n[gmmu]\nWalks = 0x20 ; why\n\tL1Mshrs=4\nL2Mshrs : 16");
  if (gmmu_config_load(&f->c, f->path, &f->err)) fail_msg("%s", f->err.msg);
  assert_true(f->c.Walks == 32 && f->c.L1Mshrs == 4 && f->c.L2Mshrs == 16 && f->c.NumSms == 30);
  assert_string_equal(f->c.name, "try");
}

static void load_bad(void **state) {
  struct fix *f = *state;
  char text[400] = "[gmmu]\n# ";
  bad_file(f, "[gmmu]\nWalks = 4\nNoSuch = 1\n", "try.ini:3: unknown key 'NoSuch'");
  bad_file(f, "[gmmu]\nWalks = many\n", "try.ini:2: Walks: 'many' is not a number");
  bad_file(f, "[gmmu]\nWalks =\n", "try.ini:2: Walks: ''");
  bad_file(f, "[gmmu]\n\nWalks = 129\n", "try.ini:3: Walks = 129 is out of range 1..128");
  bad_file(f, "[gmmu]\nWalks = 9\nWalks = 9\n", "try.ini:3: Walks was set in line 2 already");
  bad_file(f, "Walks = 9\n", "try.ini:1: a key outside section [gmmu]");
  bad_file(f, "[gmmu]\nWalks = 9\n[other]\nNumSms = 1\n", "try.ini:4: a key outside");
  bad_file(f, "[gmmu]\nWalks\nNoSuch = 1\n", "try.ini:2: neither");
  bad_file(f, "[gmmu\nWalks = 9\n", "try.ini:1: neither");
  bad_file(
      f, "[gmmu]\nWalks = 4\n\n",
      "try.ini:2: NumAsids = 8 is above"); /* a rule between keys: where the last of them is set */
  bad_file(f, "", "try.ini: an empty preset");
  bad_file(f, "# nothing\n[gmmu]\n", "try.ini: an empty preset");
  memset(text + 9, 'x', 300);
  bad_file(f, text, "try.ini:2: line too long");
  FILE *nul = fopen(f->path, "w");
  fwrite("[gmmu]\nWalks = 16\0 32\n", 1, 22, nul);
  fclose(nul);
  assert_int_equal(gmmu_config_load(&f->c, f->path, &f->err), -1);
  assert_non_null(strstr(f->err.msg, "try.ini:2: a NUL byte"));
  unlink(f->path);
  assert_int_equal(gmmu_config_load(&f->c, f->path, &f->err), -1);
  assert_int_equal(gmmu_config_load(&f->c, f->dir, &f->err), -1); /* a directory */
  assert_memory_equal(&f->c, &f->before, sizeof f->c);
}

static void write_preset(struct fix *f, const char *name, const char *text) {
  char path[128];
  snprintf(path, sizeof path, "%s/%s.ini", f->dir, name);
  FILE *o = fopen(path, "w");
  assert_non_null(o);
  fputs(text, o);
  fclose(o);
}

/* A preset that starts from another: what it says itself counts, rules hold for the whole. */
static void presets_with_base(void **state) {
  struct fix *f = *state;
  char name[16], text[64];
  write_preset(f, "first", "[gmmu]\nNumAsids = 2\nWalks = 4\nL2Mshrs = 32\n");
  write_preset(f, "second", "[gmmu]\nbase = first\nL2Mshrs = 16\n");
  write_preset(f, "wrong", "[gmmu]\nNumAsids = 2\nNoSuch = 1\n");
  write_preset(f, "again", "[gmmu]\nbase = again\nWalks = 9\n");
  put_file(f, "[gmmu]\nbase = second\nL1Mshrs = 8\n");
  if (gmmu_config_load(&f->c, f->path, &f->err)) fail_msg("%s", f->err.msg);
  assert_true(f->c.NumAsids == 2 && f->c.Walks == 4 && f->c.L2Mshrs == 16 && f->c.L1Mshrs == 8 &&
              f->c.NumSms == 30);
  assert_string_equal(f->c.name, "try");
  f->before = f->c;
  bad_file(f, "[gmmu]\nWalks = 8\nbase = first\n", "try.ini:3: base stands in front of all keys");
  bad_file(f, "[gmmu]\nbase = first\nbase = second\nWalks = 8\n",
           "try.ini:3: base was set already");
  bad_file(f, "[gmmu]\nbase = third\nWalks = 8\n", "try.ini:2: base: ");
  bad_file(f, "[gmmu]\nbase = ../first\nWalks = 8\n",
           "try.ini:2: base: '../first' is not the name");
  bad_file(f, "[gmmu]\nbase =\nWalks = 8\n", "try.ini:2: base: '' is not the name");
  bad_file(f, "[gmmu]\nbase = try\nWalks = 8\n", "or its own base");
  bad_file(f, "base = first\n[gmmu]\nWalks = 8\n", "try.ini:1: a key outside section [gmmu]");
  bad_file(f, "[gmmu]\nbase = first\n", "try.ini: an empty preset");
  bad_file(f, "[gmmu]\nbase = first\nNumAsids = 5\n",
           "try.ini:3: NumAsids = 5 is above"); /* 4 walks are the base's */
  put_file(f, "[gmmu]\nbase = wrong\nWalks = 8\n");
  assert_int_equal(gmmu_config_load(&f->c, f->path, &f->err), -1);
  assert_non_null(strstr(f->err.msg, "wrong.ini:3: unknown key 'NoSuch'"));
  put_file(f, "[gmmu]\nbase = again\nWalks = 8\n");
  assert_int_equal(gmmu_config_load(&f->c, f->path, &f->err), -1);
  assert_non_null(
      strstr(f->err.msg, "again.ini:2: base: again is more than 8 presets away, or its own base"));
  /* eight bases are allowed, nine are not */
  write_preset(f, "c0", "[gmmu]\nWalks = 11\n");
  for (int i = 1; i <= 9; i++) {
    snprintf(name, sizeof name, "c%d", i);
    snprintf(text, sizeof text, "[gmmu]\nbase = c%d\nL1Mshrs = %d\n", i - 1, i);
    write_preset(f, name, text);
  }
  assert_int_equal(gmmu_config_load_preset(&f->c, "c8", f->dir, &f->err), 0);
  assert_true(f->c.Walks == 11 && f->c.L1Mshrs == 8);
  assert_int_equal(gmmu_config_load_preset(&f->c, "c9", f->dir, &f->err), -1);
  const char *const written[] = {"first", "second", "wrong", "again", "c0", "c1", "c2",
                                 "c3",    "c4",     "c5",    "c6",    "c7", "c8", "c9"};
  for (size_t i = 0; i < sizeof written / sizeof written[0]; i++) {
    char path[128];
    snprintf(path, sizeof path, "%s/%s.ini", f->dir, written[i]);
    unlink(path);
  }
}

static void presets_by_name(void **state) {
  struct fix *f = *state;
  put_file(f, "[gmmu]\nWalks = 16\n");
  assert_int_equal(gmmu_config_load_preset(&f->c, "try", f->dir, &f->err), 0);
  assert_int_equal(f->c.Walks, 16);
  assert_int_equal(gmmu_config_load_preset(&f->c, f->path, "/nowhere", &f->err), 0);
  f->before = f->c;
  assert_int_equal(gmmu_config_load_preset(&f->c, "tri", f->dir, &f->err), -1);
  assert_non_null(strstr(f->err.msg, "unknown preset 'tri'"));
  assert_non_null(strstr(f->err.msg, ": try"));
  assert_int_equal(gmmu_config_load_preset(&f->c, "try", "/nowhere", &f->err), -1);
  assert_int_equal(gmmu_config_load_preset(&f->c, "try.ini", f->dir, &f->err), -1); /* a path */
  assert_memory_equal(&f->c, &f->before, sizeof f->c);
}

/* sim/presets, from the repository's root or from c_model/test. */
static const char *preset_dir(void) {
  const char *const dirs[] = {"sim/presets", "../sim/presets", "../../sim/presets"};
  for (int i = 0; i < 3; i++)
    if (access(dirs[i], R_OK) == 0) return dirs[i];
  return NULL;
}

static struct gmmu_config shipped(struct fix *f, const char *name) {
  struct gmmu_config c;
  if (gmmu_config_load_preset(&c, name, preset_dir(), &f->err)) fail_msg("%s", f->err.msg);
  assert_string_equal(c.name, name);
  return c;
}

static void shipped_presets(void **state) {
  struct fix *f = *state;
  char mosaic_key[17], ideal_key[17], base_key[17];
  if (!preset_dir()) skip();
  struct gmmu_config m = shipped(f, "mosaic"), i = shipped(f, "ideal"), g = shipped(f, "gpu-mmu");
  struct gmmu_config s = shipped(f, "fpga-small");
  assert_true(m.L1LargeEntries == 16 && m.L2LargeEntries == 256 && m.Ideal == 0 && i.Ideal == 1);
  assert_true(g.L1LargeEntries == 0 && g.L2LargeEntries == 0 && g.NumSms == 30 && g.Walks == 64);
  assert_true(s.NumSms == 1 && s.VaW == 39 && s.Mode == 39 && s.PaW == 32 && s.L2Mshrs == 4 &&
              s.NumWindows == 1 && s.MarkByAsid == 1);
  gmmu_config_rtl_key(&m, mosaic_key);
  gmmu_config_rtl_key(&i, ideal_key);
  gmmu_config_rtl_key(&g, base_key);
  assert_string_equal(mosaic_key, ideal_key); /* Ideal is the model's only */
  assert_string_not_equal(mosaic_key, base_key);
}

static void rtl_flags(void **state) {
  struct fix *f = *state;
  char *text = NULL;
  size_t n;
  FILE *o = open_memstream(&text, &n);
  gmmu_config_rtl_flags(&f->c, o);
  fclose(o);
  assert_non_null(strstr(text, "-GNumSms=30 -GNumAsids=8 "));
  assert_non_null(strstr(text, " -GNumWindows=4"));
  assert_null(strstr(text, "Ideal"));
  assert_null(strstr(text, "WalkLatency"));
  free(text);
}

/* Each RTL key changes the name; a model key does not. */
static void rtl_key(void **state) {
  struct fix *f = *state;
  char base[17], key[17];
  enum { RTL, MODEL };
  gmmu_config_rtl_key(&f->c, base);
  assert_int_equal(strspn(base, "0123456789abcdef"), 16);
#define GMMU_CFG(name, def, min, max, scope, doc)         \
  f->c.name += 1;                                         \
  gmmu_config_rtl_key(&f->c, key);                        \
  assert_int_equal(strcmp(key, base) != 0, scope == RTL); \
  f->c.name -= 1;
#include "gmmu_config.def"
#undef GMMU_CFG
}

static void environment(void **state) {
  struct fix *f = *state;
  struct gmmu_env e;
  memset(&e, 0x5a, sizeof e);
  gmmu_env_from_config(&e, &f->c);
  assert_true(e.num_asids == 8 && e.num_windows == 4 && e.va_w == 48 && e.pa_w == 48);
  assert_true(e.large_answers && !e.frame_bits_in_rsw);
  assert_true(e.win[0].lo_pfn == 0x5a5a5a5a5a5a5a5aull); /* contexts and windows are the caller's */
  f->c.L2LargeEntries = 0;
  f->c.FrameBitsInRsw = 1;
  gmmu_env_from_config(&e, &f->c);
  assert_true(!e.large_answers && e.frame_bits_in_rsw);
}

#define T(fn) cmocka_unit_test_setup_teardown(fn, setup, teardown)
int main(void) {
  const struct CMUnitTest tests[] = {T(errors),
                                     T(random_numbers),
                                     T(defaults_are_legal),
                                     T(set_key),
                                     T(every_key_has_its_range),
                                     T(load_good),
                                     T(load_bad),
                                     T(presets_by_name),
                                     T(presets_with_base),
                                     T(shipped_presets),
                                     T(rules_between_keys),
                                     T(rtl_flags),
                                     T(rtl_key),
                                     T(environment)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
