/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/util.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/text.h"

static bool is_root(const char *dir) {
  char path[PATH_MAX + 16];

  snprintf(path, sizeof path, "%s/sim/presets", dir);
  return access(path, R_OK | X_OK) == 0;
}

/** Cuts dir down to the first ancestor that is a root. */
static bool climb(char *dir) {
  while (*dir) {
    char *slash = strrchr(dir, '/');
    if (is_root(dir)) return true;
    if (!slash) return false;
    *slash = 0;
  }
  return false;
}

int cli_root(char *buf, size_t n) {
  const char *env = getenv("GMMU_ROOT");
  char dir[PATH_MAX];
  ssize_t len;

  if (env && is_root(env)) return snprintf(buf, n, "%s", env) < (int)n ? 0 : -1;
  len = readlink("/proc/self/exe", dir, sizeof dir - 1);
  dir[len > 0 ? len : 0] = 0;
  if (!climb(dir) && (!getcwd(dir, sizeof dir) || !climb(dir))) return -1;
  return snprintf(buf, n, "%s", dir) < (int)n ? 0 : -1;
}

static int set_one(struct gmmu_config *c, const char *kv, struct gmmu_err *err) {
  const char *eq = strchr(kv, '=');
  char key[64];

  if (!eq || eq == kv || eq - kv >= (int)sizeof key)
    return gmmu_fail(err, "--set %.64s: not KEY=VALUE", kv);
  snprintf(key, sizeof key, "%.*s", (int)(eq - kv), kv);
  return gmmu_config_set(c, key, eq + 1, err);
}

int cli_config(struct gmmu_config *c, const char *preset, char *const *set, int num_set,
               struct gmmu_err *err) {
  char root[PATH_MAX], dir[PATH_MAX + 16];

  if (cli_root(root, sizeof root)) strcpy(root, ".");
  snprintf(dir, sizeof dir, "%s/sim/presets", root);
  if (gmmu_config_load_preset(c, preset, dir, err)) return -1;
  for (int i = 0; i < num_set; i++)
    if (set_one(c, set[i], err)) return -1;
  return gmmu_config_check(c, err);
}

const char *cli_preset_path(const char *preset, char *buf, size_t n) {
  char root[PATH_MAX];
  size_t len = strlen(preset);
  if (strchr(preset, '/') || (len >= 4 && strcmp(preset + len - 4, ".ini") == 0) ||
      cli_root(root, sizeof root))
    return preset;
  return snprintf(buf, n, "%s/sim/presets/%s.ini", root, preset) < (int)n ? buf : preset;
}

int cli_add_set(char **set, int *num, int max, char *kv, struct gmmu_err *err) {
  if (*num == max) return gmmu_fail(err, "more than %d settings", max);
  set[(*num)++] = kv;
  return 0;
}

int cli_u64(const char *text, const char *what, uint64_t *v, struct gmmu_err *err) {
  const char *wrong = gmmu_number(text, v);
  return wrong ? gmmu_fail(err, "%s: '%.64s' %s", what, text, wrong) : 0;
}

int cli_u64_in(const char *text, const char *what, uint64_t lo, uint64_t hi, uint64_t *v,
               struct gmmu_err *err) {
  if (cli_u64(text, what, v, err)) return -1;
  if (*v < lo || *v > hi)
    return gmmu_fail(err, "%s: %.64s is not in %llu..%llu", what, text, (unsigned long long)lo,
                     (unsigned long long)hi);
  return 0;
}

int cli_choice(const char *opt, const char *got, const char *const *names, int n,
               struct gmmu_err *err) {
  char list[256] = "", also[96];
  for (int i = 0; i < n; i++)
    if (strcmp(got, names[i]) == 0) return i;
  for (int i = 0; i < n; i++) {
    size_t len = strlen(list);
    snprintf(list + len, sizeof list - len, "%s%s", i ? ", " : "", names[i]);
  }
  return gmmu_fail(err, "%s: '%.64s' is not one of its values: %s%s", opt, got, list,
                   gmmu_suggest(got, names, (size_t)n, also));
}

int cli_split(struct cli_list *l, const char *text, const char *what, struct gmmu_err *err) {
  memset(l, 0, sizeof *l);
  l->text = strdup(text);
  if (!l->text) return gmmu_fail(err, "out of memory");
  for (char *p = l->text, *comma; p; p = comma ? comma + 1 : NULL) {
    if ((comma = strchr(p, ','))) *comma = 0;
    if (!*p) return gmmu_fail(err, "%s: '%.64s' has an empty entry", what, text);
    if (l->n == (int)(sizeof l->v / sizeof *l->v))
      return gmmu_fail(err, "%s: more than %d entries", what, l->n);
    l->v[l->n++] = p;
  }
  return 0;
}

void cli_list_free(struct cli_list *l) {
  free(l->text);
  memset(l, 0, sizeof *l);
}

char *cli_command(int argc, char *const *argv, const char *extra) {
  char *text = NULL;
  size_t n = 0;
  FILE *f = open_memstream(&text, &n);

  if (!f) return NULL;
  for (int i = 0; i < argc; i++) {
    bool plain = *argv[i] && !argv[i][strcspn(argv[i], " \t\n'\"\\$&|;<>()*?#`!{}[]~")];
    fprintf(f, plain ? "%s%s" : "%s'%s'", i ? " " : "", argv[i]);
  }
  if (extra) fputs(extra, f);
  return fclose(f) == 0 ? text : NULL;
}
