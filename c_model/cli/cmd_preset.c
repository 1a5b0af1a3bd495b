/* SPDX-License-Identifier: Apache-2.0 */
/* gmmu preset: shows configurations. */
#include <dirent.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "cli/app.h"
#include "cli/options.h"
#include "cli/util.h"
#include "run/json.h"
#include "timed/memsys_rtl.h"

static int list_keys(void) {
#define GMMU_CFG(name, def, min, max, scope, doc)                                         \
  printf("%-15s %10lld  %lld..%lld  %s  %s\n", #name, (long long)(def), (long long)(min), \
         (long long)(max), #scope[0] == 'R' ? "rtl  " : "model", doc);
#include "gmmu_config.def"
#undef GMMU_CFG
  return 0;
}

static int is_preset(const struct dirent *d) {
  size_t n = strlen(d->d_name);

  return n > 4 && d->d_name[0] != '.' && strcmp(d->d_name + n - 4, ".ini") == 0;
}

static int list_presets(struct gmmu_err *err) {
  char root[PATH_MAX], dir[PATH_MAX + 16];
  struct dirent **e;
  int n;

  if (cli_root(root, sizeof root))
    return gmmu_fail(err, "cannot find the gmmu tree (set GMMU_ROOT)");
  snprintf(dir, sizeof dir, "%s/sim/presets", root);
  n = scandir(dir, &e, is_preset, alphasort);
  if (n < 0) return gmmu_fail(err, "%s: cannot be read", dir);
  for (int i = 0; i < n; i++) {
    printf("%.*s\n", (int)strlen(e[i]->d_name) - 4, e[i]->d_name);
    free(e[i]);
  }
  free(e);
  return 0;
}

static void print_keys(const struct gmmu_config *c, bool json) {
  const char *sep = "";

  char *name = gmmu_json_quoted(c->name);

  if (json) printf("{\n  \"name\": %s", name ? name : "\"\"");
  else printf("# %s\n[gmmu]\n", c->name);
  cJSON_free(name);
#define GMMU_CFG(key, def, min, max, scope, doc)                  \
  if (json) printf(",\n  \"%s\": %lld", #key, (long long)c->key); \
  else printf("%s%s = %lld\n", sep, #key, (long long)c->key);
#include "gmmu_config.def"
#undef GMMU_CFG
  if (json) printf("\n}\n");
}

static int show(const char *name, char *const *set, int num_set, int what, struct gmmu_err *err) {
  struct gmmu_config c;
  char key[17], memory[GMMU_MEMSYS_RTL_KEY];

  if (cli_config(&c, name, set, num_set, err)) return -1;
  if (what == 'k') {
    gmmu_config_rtl_key(&c, key);
    puts(key);
  } else if (what == 'f') {
    gmmu_config_rtl_flags(&c, stdout);
    putchar('\n');
  } else if (what != 'j' && what && !c.MemChannels) {
    return gmmu_fail(err, "no memory channels: MemChannels is 0");
  } else if (what == 'm') {
    gmmu_memsys_rtl_key(&c, memory);
    puts(memory);
  } else if (what == 'g') {
    gmmu_memsys_rtl_flags(&c, stdout);
    putchar('\n');
  } else {
    print_keys(&c, what == 'j');
  }
  return 0;
}

int cmd_preset(const struct gmmu_app *app, int argc, char **argv) {
  static const struct {
    const char *name;
    int what;
  } shown[] = {{"rtl-key", 'k'},      {"rtl-flags", 'f'}, {"json", 'j'}, {"memory-key", 'm'},
               {"memory-flags", 'g'}, {"list-keys", 'K'}, {"list", 'L'}};
  struct cli_options o = {.command = CLI_PRESET, .argc = argc, .argv = argv};
  struct gmmu_err err = {""};
  int what = 0, r, c = cli_parse(&o, &err);

  (void)app;
  for (size_t i = 0; c == CLI_END && i < sizeof shown / sizeof *shown; i++) {
    if (!cli_given(&o, shown[i].name)) continue;
    if (what)
      c = (gmmu_fail(&err,
                     "one of --rtl-key, --rtl-flags, --memory-key, --memory-flags, --json, --list "
                     "and --list-keys; see gmmu preset --help"),
           CLI_BAD);
    what = shown[i].what;
  }
  bool all = what == 'K' || what == 'L';
  if (c == CLI_END && cli_arguments(&o, all ? 0 : 1, all ? "no argument" : "one NAME", &err))
    c = CLI_BAD;
  if (c != CLI_END) return cli_usage_error(&o, c, &err);
  if (what == 'K') return list_keys();
  r = what == 'L' ? list_presets(&err) : show(argv[optind], o.set, o.num_set, what, &err);
  if (r) fprintf(stderr, "gmmu preset: %s\n", err.msg);
  return r ? 1 : 0;
}
