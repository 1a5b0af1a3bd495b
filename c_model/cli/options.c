/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/options.h"

#include <string.h>

#include "common/text.h"

static int see(const struct cli_options *o, struct gmmu_err *err, const char *what,
               const char *word, const char *also) {
  return gmmu_fail(err, "%s '%.64s'%s; see gmmu %s --help", what, word, also, o->command), CLI_BAD;
}

static int unknown(const struct cli_options *o, const char *word, struct gmmu_err *err) {
  const char *names[CLI_MAX_OPTIONS + 1] = {"help"};
  char name[64], also[96] = "";
  size_t n = 1;
  for (; o->opts[n - 1].name && n <= CLI_MAX_OPTIONS; n++) names[n] = o->opts[n - 1].name;
  snprintf(name, sizeof name, "%.*s", (int)strcspn(word, "="), word);
  for (size_t i = 0; i < n; i++)
    if (strncmp(name, "--", 2) == 0 && strcmp(name + 2, names[i]) == 0)
      return see(o, err, "no argument belongs to", word, "");
  const char *near = strncmp(name, "--", 2) == 0 ? gmmu_nearest(name + 2, names, n) : NULL;
  if (near) snprintf(also, sizeof also, ", did you mean '--%s'?", near);
  return see(o, err, "unknown option", word, also);
}

/* One option, one meaning. */
static int once(const struct cli_options *o, const char **before, const char *name,
                struct gmmu_err *err) {
  const char *now = optarg ? optarg : "";
  if (*before && (strcmp(*before, now) || strcmp(name, "trace") == 0)) {
    bool letter = !name[1];
    return gmmu_fail(err, "%s%s is given twice%s; see gmmu %s --help", letter ? "-" : "--", name,
                     strcmp(name, "trace") == 0 ? " (several traces: --trace T1,T2)" : "",
                     o->command),
           CLI_BAD;
  }
  *before = now;
  return 0;
}

int cli_option(struct cli_options *o, struct gmmu_err *err) {
  struct option all[CLI_MAX_OPTIONS + 2];
  char letters[32];
  int n = 0, at = -1, c;

  for (; o->opts[n].name && n < CLI_MAX_OPTIONS; n++) all[n] = o->opts[n];
  all[n] = (struct option){"help", no_argument, NULL, 'h'};
  all[n + 1] = (struct option){0};
  snprintf(letters, sizeof letters, ":h%s", o->letters ? o->letters : "");
  if (!o->begun) optind = 0;
  o->begun = true;
  opterr = 0;
  int word = optind ? optind : 1;
  c = getopt_long(o->argc, o->argv, letters, all, &at);
  if (c == -1) return CLI_END;
  if (c == 'h') {
    fputs(o->usage, stdout);
    return CLI_HELP;
  }
  if (c == ':') return see(o, err, "an argument is missing after", o->argv[optind - 1], "");
  if (c == '?') {
    /* An option that takes no argument got one, several options begin so, or there is none. */
    const char *w = o->argv[optind > word ? optind - 1 : word];
    return unknown(o, w, err);
  }
  if (at >= 0 && strcmp(o->opts[at].name, "set") == 0) return c;
  if (at >= 0) return once(o, &o->given[at], o->opts[at].name, err) ? CLI_BAD : c;
  return c > 0 && c < 128 && once(o, &o->given_letter[c], (const char[]){(char)c, 0}, err) ? CLI_BAD
                                                                                           : c;
}

int cli_arguments(const struct cli_options *o, int n, const char *what, struct gmmu_err *err) {
  if (o->argc - optind == n) return 0;
  if (o->argc - optind < n) return gmmu_fail(err, "needs %s; see gmmu %s --help", what, o->command);
  return see(o, err, "unexpected argument", o->argv[optind + n], "");
}

int cli_usage_error(const struct cli_options *o, int option, const struct gmmu_err *err) {
  if (option == CLI_HELP) return 0;
  fprintf(stderr, "gmmu %s: %s\n", o->command, err->msg);
  return 2;
}
