/* SPDX-License-Identifier: Apache-2.0 */
/* config_file.c - presets: INI files, their bases, and which there are. */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <ini.h>
#include <stdlib.h>
#include <string.h>

#include "common/config_int.h"
#include "common/text.h"

struct load {
  struct gmmu_config c;
  struct gmmu_text t;
  const char *path;
  int num;                 /* keys set */
  int depth;               /* presets that have this one as their base, one above the other */
  int set_at[CONFIG_KEYS]; /* line that set a key, 0: not yet */
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
  size_t i = config_find_key(name);

  if (l->failed) return 0;
  if (strcmp(section, "gmmu") != 0) return load_fail(l, "a key outside section [gmmu]");
  if (strcmp(name, "base") == 0) return load_base(l, value);
  if (i < CONFIG_KEYS && l->set_at[i]) {
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
  for (size_t i = 0; i < CONFIG_KEYS; i++) {
    size_t n = strlen(config_keys[i].name);
    for (const char *p = msg; (p = strstr(p, config_keys[i].name)); p += n)
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
