/* SPDX-License-Identifier: Apache-2.0 */
/** config.c - presets: the keys of gmmu_config.def, INI files, rules between keys, the RTL build's
 * name. */
#include "gmmu.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <ini.h>
#include <stdlib.h>
#include <string.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "common/text.h"

enum scope { RTL, MODEL };
struct key {
  const char *name;
  size_t offset;
  int64_t def, min, max;
  enum scope scope;
};
static const struct key keys[] = {
#define GMMU_CFG(name, def, min, max, scope, doc) \
  {#name, offsetof(struct gmmu_config, name), def, min, max, scope},
#include "gmmu_config.def"
#undef GMMU_CFG
};
#define NUM_KEYS (sizeof keys / sizeof keys[0])

static int64_t *field(struct gmmu_config *c, size_t i) {
  return (int64_t *)(void *)((char *)c + keys[i].offset);
}
static int64_t value_of(const struct gmmu_config *c, size_t i) {
  return *field((struct gmmu_config *)c, i);
}

/* Index of a key, NUM_KEYS if there is none. */
static size_t find_key(const char *name) {
  size_t i = 0;
  while (i < NUM_KEYS && strcmp(keys[i].name, name) != 0) i++;
  return i;
}

void gmmu_config_default(struct gmmu_config *c) {
  memset(c, 0, sizeof *c);
  for (size_t i = 0; i < NUM_KEYS; i++) *field(c, i) = keys[i].def;
  strcpy(c->name, "default");
}

/* The most similar key, for messages. */
static const char *similar(const char *key, char buf[96]) {
  const char *names[NUM_KEYS];
  for (size_t i = 0; i < NUM_KEYS; i++) names[i] = keys[i].name;
  return gmmu_suggest(key, names, NUM_KEYS, buf);
}

int gmmu_config_set(struct gmmu_config *c, const char *key, const char *value,
                    struct gmmu_err *err) {
  uint64_t v;
  char also[96];
  size_t i = find_key(key);

  if (i == NUM_KEYS)
    return gmmu_fail(err, "unknown key '%.64s'%s (gmmu preset --list-keys)", key,
                     similar(key, also));
  const char *wrong = gmmu_number(value, &v);
  if (wrong)
    return gmmu_fail(err, "%s: '%.64s' %s; it is %lld to %lld", key, value, wrong,
                     (long long)keys[i].min, (long long)keys[i].max);
  if (v < (uint64_t)keys[i].min || v > (uint64_t)keys[i].max) /* all are at least 0 */
    return gmmu_fail(err, "%s = %llu is out of range %lld..%lld", key, (unsigned long long)v,
                     (long long)keys[i].min, (long long)keys[i].max);
  *field(c, i) = (int64_t)v;
  return 0;
}

static bool power_of_two(int64_t v) { return v > 0 && (v & (v - 1)) == 0; }

static int check_ranges(const struct gmmu_config *c, struct gmmu_err *err) {
  for (size_t i = 0; i < NUM_KEYS; i++)
    if (value_of(c, i) < keys[i].min || value_of(c, i) > keys[i].max)
      return gmmu_fail(err, "%s = %lld is out of range %lld..%lld", keys[i].name,
                       (long long)value_of(c, i), (long long)keys[i].min, (long long)keys[i].max);
  return 0;
}

static int check_tlbs(const struct gmmu_config *c, struct gmmu_err *err) {
  if (c->L2Entries && (c->L2Entries % c->L2Ways || !power_of_two(c->L2Entries / c->L2Ways)))
    return gmmu_fail(err, "L2Entries/L2Ways = %lld/%lld is not a power of two",
                     (long long)c->L2Entries, (long long)c->L2Ways);
  if (c->L1LargeEntries > 0 && c->L2LargeEntries == 0 && !c->L2Unified)
    return gmmu_fail(err,
                     "L1LargeEntries = %lld needs L2LargeEntries > 0 or L2Unified = 1: without, "
                     "the L2 never answers a large page",
                     (long long)c->L1LargeEntries);
  if (c->L1LargeEntries == 1 || c->L2LargeEntries == 1)
    return gmmu_fail(err, "L1LargeEntries and L2LargeEntries are 0 (none built) or at least 2");
  if (c->L2Unified && c->L2LargeEntries > 0)
    return gmmu_fail(
        err,
        "L2Unified = 1 holds 2 MiB translations in its one array: L2LargeEntries = %lld must be 0",
        (long long)c->L2LargeEntries);
  if (c->L2Unified && (c->L2Ways < 4 || c->L2Ways % 2))
    return gmmu_fail(err, "L2Unified = 1 needs an even number of L2Ways, at least 4; it is %lld",
                     (long long)c->L2Ways);
  if (!power_of_two(c->MscSets) || c->MscWays == 1)
    return gmmu_fail(
        err, "MscSets = %lld is a power of two, and MscWays = %lld is 0 (none built) or at least 2",
        (long long)c->MscSets, (long long)c->MscWays);
  if (c->PwcEntries && (c->PwcEntries % c->PwcWays || !power_of_two(c->PwcEntries / c->PwcWays) ||
                        c->PwcEntries / c->PwcWays < 2))
    return gmmu_fail(err, "PwcEntries/PwcWays = %lld/%lld is not a power of two of at least 2 sets",
                     (long long)c->PwcEntries, (long long)c->PwcWays);
  if (c->Colt && !c->LineAnswers)
    return gmmu_fail(err, "Colt = %lld needs LineAnswers = 1", (long long)c->Colt);
  if (c->Colt == 2 && c->L2Unified)
    return gmmu_fail(err, "Colt = 2 groups pages in the split L2 TLB: L2Unified must be 0");
  if (c->L2Entries == 0 && (c->L2Unified || c->L2LargeEntries || c->Colt == 2))
    return gmmu_fail(
        err,
        "L2Entries = 0 (no L2 arrays) needs L2Unified = 0, L2LargeEntries = 0 and Colt below 2");
  if (c->BypassEntries && !c->FillTokens)
    return gmmu_fail(err, "BypassEntries = %lld needs FillTokens = 1", (long long)c->BypassEntries);
  if (c->BypassEntries == 1) return gmmu_fail(err, "BypassEntries is 0 (none built) or at least 2");
  if (c->FillTokens && c->EpochCycles <= 2 + c->NumSms + c->NumAsids + (c->NumSms << c->WarpW))
    return gmmu_fail(err,
                     "EpochCycles = %lld: marking tokens takes 2 + NumSms + NumAsids + NumSms * "
                     "2^WarpW = %lld cycles, an epoch is longer",
                     (long long)c->EpochCycles,
                     (long long)(2 + c->NumSms + c->NumAsids + (c->NumSms << c->WarpW)));
  if (c->L2Entries && c->L2Entries / c->L2Ways < 2)
    return gmmu_fail(err, "L2Entries/L2Ways is below 2 sets");
  return 0;
}

static int check_asids(const struct gmmu_config *c, struct gmmu_err *err) {
  if (c->NumAsids > c->L2Mshrs || c->NumAsids > c->Walks)
    return gmmu_fail(err,
                     "NumAsids = %lld is above L2Mshrs = %lld or Walks = %lld: one of each is "
                     "guaranteed per ASID",
                     (long long)c->NumAsids, (long long)c->L2Mshrs, (long long)c->Walks);
  if (c->NumAsids > 1ll << c->AsidW)
    return gmmu_fail(err, "NumAsids = %lld does not fit in AsidW = %lld bits",
                     (long long)c->NumAsids, (long long)c->AsidW);
  return 0;
}

static int check_model(const struct gmmu_config *c, struct gmmu_err *err) {
  int64_t way_bytes = 128 * c->L1dWays;
  if ((c->MemChannels && !power_of_two(c->MemChannels)) || !power_of_two(c->CacheBanks) ||
      !power_of_two(c->CacheSets) || !power_of_two(c->CacheWays))
    return gmmu_fail(err,
                     "MemChannels = %lld (or 0), CacheBanks = %lld, CacheSets = %lld and CacheWays "
                     "= %lld are powers of two",
                     (long long)c->MemChannels, (long long)c->CacheBanks, (long long)c->CacheSets,
                     (long long)c->CacheWays);
  if (c->Svadu && (c->MemChannels || c->Ideal))
    return gmmu_fail(err, "Svadu = 1 needs %s: %s", c->Ideal ? "Ideal = 0" : "MemChannels = 0",
                     c->Ideal ? "without walks nobody sets A and D"
                              : "the L2 cache's port for translations only reads");
  if (c->DramMhz > 2 * c->CoreMhz || (c->DramMhz && c->DramMhz * 16384 < c->CoreMhz))
    return gmmu_fail(err, "DramMhz = %lld is above twice CoreMhz = %lld, or below a 16384th of it",
                     (long long)c->DramMhz, (long long)c->CoreMhz);
  if (c->AgeCap % 4)
    return gmmu_fail(err, "AgeCap = %lld is not a multiple of 4", (long long)c->AgeCap);
  if (c->VaW != 39 && c->VaW != 48)
    return gmmu_fail(err, "VaW = %lld is not 39 or 48", (long long)c->VaW);
  if ((c->Mode != 39 && c->Mode != 48) || c->Mode > c->VaW)
    return gmmu_fail(err, "Mode = %lld is not 39 or 48, or is above VaW = %lld", (long long)c->Mode,
                     (long long)c->VaW);
  if (c->WarpsPerSm > 1ll << c->WarpW)
    return gmmu_fail(err, "WarpsPerSm = %lld does not fit in WarpW = %lld bits",
                     (long long)c->WarpsPerSm, (long long)c->WarpW);
  if (c->L1dBytes < way_bytes || c->L1dBytes % way_bytes)
    return gmmu_fail(err, "L1dBytes = %lld is not a multiple of 128*L1dWays = %lld",
                     (long long)c->L1dBytes, (long long)way_bytes);
  return 0;
}

int gmmu_config_check(const struct gmmu_config *c, struct gmmu_err *err) {
  if (check_ranges(c, err) || check_tlbs(c, err) || check_asids(c, err) || check_model(c, err))
    return -1;
  return 0;
}

/* ---------------------------------------- INI files */
struct load {
  struct gmmu_config c;
  struct gmmu_text t;
  const char *path;
  int num;              /* keys set */
  int depth;            /* presets that have this one as their base, one above the other */
  int set_at[NUM_KEYS]; /* line that set a key, 0: not yet */
  bool failed, has_base;
  struct gmmu_err err;
};
static int load_keys(struct load *l);

static int load_fail(struct load *l, const char *what) {
  l->failed = true;
  gmmu_fail(&l->err, "%s:%d: %s", l->path, l->t.line, what);
  return 0; /* inih: 0 is an error */
}

/* inih counts lines but does not tell the handler; and it would take an overlong line for two. */
static char *load_line(char *buf, int size, void *arg) {
  struct load *l = arg;
  int more = l->failed ? 0 : gmmu_text_line(&l->t, &l->err);
  if (more < 0) l->failed = true;
  if (more <= 0) return NULL;
  /* Indented lines would be continuations of the value before. */
  const char *text = l->t.buf + strspn(l->t.buf, " \t");
  if (strlen(text) + 2 > (size_t)size) {
    load_fail(l, "line too long");
    return NULL;
  }
  strcpy(stpcpy(buf, text), "\n");
  return buf;
}

/* `base = NAME`: the keys start from those of NAME.ini in the same folder. Rules are checked when
 * all keys are read. */
static int load_base(struct load *l, const char *name) {
  enum { DEEPEST = 8 };
  struct load b = {.c = l->c, .depth = l->depth + 1};
  struct gmmu_err why;
  char *path = NULL;

  if (l->num) return load_fail(l, "base stands in front of all keys");
  if (l->has_base) return load_fail(l, "base was set already");
  if (!*name || strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-_ABCDEFGHIJKLMNOPQRSTUVWXYZ") !=
                    strlen(name)) {
    gmmu_fail(&why, "base: '%.64s' is not the name of a preset of this folder", name);
    return load_fail(l, why.msg);
  }
  if (b.depth > DEEPEST) {
    gmmu_fail(&why, "base: %s is more than %d presets away, or its own base", name, DEEPEST);
    return load_fail(l, why.msg);
  }
  const char *slash = strrchr(l->path, '/');
  if (asprintf(&path, "%.*s%s.ini", slash ? (int)(slash + 1 - l->path) : 0, l->path, name) < 0)
    return load_fail(l, "out of memory");
  b.path = path;
  b.t = (struct gmmu_text){.f = fopen(path, "r"), .path = path};
  if (!b.t.f) {
    gmmu_fail(&why, "base: %.200s: %s", path, strerror(errno));
    load_fail(l, why.msg);
  } else if (load_keys(&b)) {
    l->failed = true; /* the base's file and line say it */
    l->err = b.err;
  } else {
    l->c = b.c;
    l->has_base = true;
  }
  if (b.t.f) fclose(b.t.f);
  gmmu_text_free(&b.t);
  free(path);
  return !l->failed;
}

static int load_key(void *arg, const char *section, const char *name, const char *value) {
  struct load *l = arg;
  struct gmmu_err why;
  size_t i = find_key(name);

  if (l->failed) return 0;
  if (strcmp(section, "gmmu") != 0) return load_fail(l, "a key outside section [gmmu]");
  if (strcmp(name, "base") == 0) return load_base(l, value);
  if (i < NUM_KEYS && l->set_at[i]) {
    gmmu_fail(&why, "%s was set in line %d already", name, l->set_at[i]);
    return load_fail(l, why.msg);
  }
  if (gmmu_config_set(&l->c, name, value, &why)) return load_fail(l, why.msg);
  l->set_at[i] = l->t.line;
  l->num++;
  return 1;
}

static void name_from_path(char name[64], const char *path) {
  const char *base = strrchr(path, '/');
  size_t n;
  base = base ? base + 1 : path;
  n = strlen(base);
  if (n > 4 && strcmp(base + n - 4, ".ini") == 0) n -= 4;
  snprintf(name, 64, "%.*s", (int)(n < 63 ? n : 63), base);
}

/* Line of the last key set here that a rule's message names; 0: none. */
static int line_of_rule(const struct load *l, const char *msg) {
  int line = 0;
  for (size_t i = 0; i < NUM_KEYS; i++) {
    size_t n = strlen(keys[i].name);
    for (const char *p = msg; (p = strstr(p, keys[i].name)); p += n)
      if ((p == msg || !isalnum((unsigned char)p[-1])) && !isalnum((unsigned char)p[n]) &&
          l->set_at[i] > line)
        line = l->set_at[i];
  }
  return line;
}

/* All keys of a file; rules between them are not checked yet. */
static int load_keys(struct load *l) {
  int rc = ini_parse_stream(load_line, l, load_key, l);

  /* A syntax error that inih saw earlier than the handler's first error wins. */
  if (rc > 0 && (!l->failed || rc < l->t.line))
    return gmmu_fail(&l->err, "%s:%d: neither a [section] nor 'key = value'", l->path, rc);
  if (l->failed || rc) return -1;
  if (!l->num)
    return gmmu_fail(
        &l->err, "%s: an empty preset: it sets no key (section [gmmu], then KEY = VALUE)", l->path);
  return 0;
}

static int load_stream(struct load *l) {
  struct gmmu_err why;
  if (load_keys(l)) return -1;
  if (gmmu_config_check(&l->c, &why)) {
    l->t.line = line_of_rule(l, why.msg);
    return l->t.line ? (load_fail(l, why.msg), -1) : gmmu_fail(&l->err, "%s: %s", l->path, why.msg);
  }
  return 0;
}

int gmmu_config_load(struct gmmu_config *c, const char *path, struct gmmu_err *err) {
  struct load l = {.path = path};
  int rc;

  l.t = (struct gmmu_text){.f = fopen(path, "r"), .path = path};
  if (!l.t.f) return gmmu_fail(err, "%s: %s", path, strerror(errno));
  gmmu_config_default(&l.c);
  name_from_path(l.c.name, path);
  rc = load_stream(&l);
  fclose(l.t.f);
  gmmu_text_free(&l.t);
  if (rc) return gmmu_fail(err, "%s", l.err.msg);
  *c = l.c;
  return 0;
}

static bool is_ini(const char *s) {
  size_t n = strlen(s);
  return n >= 4 && strcmp(s + n - 4, ".ini") == 0;
}

static int ini_entry(const struct dirent *d) { return is_ini(d->d_name) && d->d_name[0] != '.'; }

static int unknown_preset(const char *name, const char *dir, struct gmmu_err *err) {
  struct dirent **e;
  char list[256] = "", also[96] = "";
  int n = scandir(dir, &e, ini_entry, alphasort);

  if (n < 0) return gmmu_fail(err, "preset directory %s: %s", dir, strerror(errno));
  for (int i = 0; i < n; i++) {
    size_t len = strlen(list);
    snprintf(list + len, sizeof list - len, " %.*s", (int)strlen(e[i]->d_name) - 4, e[i]->d_name);
    e[i]->d_name[strlen(e[i]->d_name) - 4] = 0;
    const char *one = e[i]->d_name;
    if (!also[0]) gmmu_suggest(name, &one, 1, also);
    free(e[i]);
  }
  free(e);
  return gmmu_fail(err, "unknown preset '%.64s'%s; known in %.100s:%s", name, also, dir,
                   list[0] ? list : " none");
}

int gmmu_config_load_preset(struct gmmu_config *c, const char *name_or_path, const char *preset_dir,
                            struct gmmu_err *err) {
  char *path = NULL;
  FILE *f;
  int rc;

  if (strchr(name_or_path, '/') || is_ini(name_or_path))
    return gmmu_config_load(c, name_or_path, err);
  if (asprintf(&path, "%s/%s.ini", preset_dir, name_or_path) < 0)
    return gmmu_fail(err, "out of memory");
  f = fopen(path, "r");
  if (f) fclose(f);
  rc = f ? gmmu_config_load(c, path, err) : unknown_preset(name_or_path, preset_dir, err);
  free(path);
  return rc;
}

/* ---------------------------------------- the RTL build */
#define FLAGS_MAX (NUM_KEYS * 48)

static void rtl_flags(const struct gmmu_config *c, char text[FLAGS_MAX]) {
  size_t n = 0;
  text[0] = 0;
  for (size_t i = 0; i < NUM_KEYS; i++)
    if (keys[i].scope == RTL)
      n += (size_t)snprintf(text + n, FLAGS_MAX - n, "%s-G%s=%lld", n ? " " : "", keys[i].name,
                            (long long)value_of(c, i));
}

void gmmu_config_rtl_flags(const struct gmmu_config *c, FILE *f) {
  char text[FLAGS_MAX];
  rtl_flags(c, text);
  fputs(text, f);
}

void gmmu_config_rtl_key(const struct gmmu_config *c, char key[17]) {
  char text[FLAGS_MAX];
  rtl_flags(c, text);
  snprintf(key, 17, "%016llx", (unsigned long long)XXH64(text, strlen(text), 0));
}
