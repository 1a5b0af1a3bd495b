/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/options.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/util.h"
#include "common/text.h"

#define COLUMNS 100
#define HELP_AT 24 /* where an option's text begins */

static int see(const struct cli_options *o, struct gmmu_err *err, const char *what,
               const char *word, const char *also) {
  return gmmu_fail(err, "%s '%.64s'%s; see gmmu %s --help", what, word, also, o->name), CLI_BAD;
}

static int unknown(const struct cli_options *o, const char *word, struct gmmu_err *err) {
  const char *names[CLI_MAX_OPTIONS + 1] = {"help"};
  char name[64], also[96] = "";
  size_t n = 1;
  for (int i = 0; i < o->num_rows; i++)
    if (o->row[i]->name[1]) names[n++] = o->row[i]->name;
  snprintf(name, sizeof name, "%.*s", (int)strcspn(word, "="), word);
  for (size_t i = 0; i < n; i++)
    if (strncmp(name, "--", 2) == 0 && strcmp(name + 2, names[i]) == 0)
      return see(o, err, "no argument belongs to", word, "");
  const char *near = strncmp(name, "--", 2) == 0 ? gmmu_nearest(name + 2, names, n) : NULL;
  if (near) snprintf(also, sizeof also, ", did you mean '--%s'?", near);
  return see(o, err, "unknown option", word, also);
}

/* ---------------------------------------- help */

/* "--name ARG"; its length. */
static size_t synopsis(const struct cli_row *r, char *buf, size_t n) {
  size_t at = (size_t)snprintf(buf, n, "%s%s", r->name[1] ? "--" : "-", r->name);
  if (r->arg) at += (size_t)snprintf(buf + at, n - at, " %s", r->arg);
  else if (r->kind == CLI_CHOICE)
    for (int i = 0; i < r->n; i++)
      at += (size_t)snprintf(buf + at, n - at, "%c%s", i ? '|' : ' ', r->names[i]);
  return at;
}

/* Words of a text from column `at` on, further lines from column `from` on. */
static size_t wrap(const char *text, size_t at, size_t from) {
  while (*text) {
    size_t n = strcspn(text, " ");
    if (at > from && at + 1 + n > COLUMNS) {
      printf("\n%*s", (int)from, "");
      at = from;
    } else if (at > from) {
      at += (size_t)printf(" ");
    }
    at += (size_t)printf("%.*s", (int)n, text);
    text += n + (text[n] == ' ');
  }
  return at;
}

static void help_row(const struct cli_row *r) {
  char text[1024];
  size_t at = synopsis(r, text, sizeof text);
  printf("  %s", text);
  at += 2;
  if (at + 2 > HELP_AT) printf("\n%*s", HELP_AT, "");
  else printf("%*s", (int)(HELP_AT - at), "");
  int n = snprintf(text, sizeof text, "%s", r->help);
  if (r->hi > r->lo)
    n += snprintf(text + n, sizeof text - (size_t)n, ", %.15g to %.15g", r->lo, r->hi);
  if (r->dflt) snprintf(text + n, sizeof text - (size_t)n, " [%s]", r->dflt);
  wrap(text, HELP_AT, HELP_AT);
  putchar('\n');
}

static const struct cli_about *about(enum cli_command c) {
  const struct cli_about *a = cli_commands;
  while (a->command != c) a++;
  return a;
}

static void help(const struct cli_options *o) {
  printf("usage: %s\n\n", about(o->command)->usage);
  wrap(about(o->command)->about, 0, 0);
  putchar('\n');
  for (int i = 0; i < o->num_rows; i++) help_row(o->row[i]);
}

/* ---------------------------------------- arguments */

static int real(const struct cli_row *r, const char *opt, const char *text, double *v,
                struct gmmu_err *err) {
  char *end;
  errno = 0;
  double x = strtod(text, &end);
  if (errno || end == text || *end || !(x >= r->lo && x <= r->hi))
    return gmmu_fail(err, "%s: '%.64s' is not a number from %g to %g", opt, text, r->lo, r->hi);
  if (r->kind == CLI_WHOLE && x != floor(x))
    return gmmu_fail(err, "%s: '%.64s' is not a whole number", opt, text);
  *v = x;
  return 0;
}

static int two_shares(const char *opt, const char *text, struct cli_value *v,
                      struct gmmu_err *err) {
  int n = 0;
  if (sscanf(text, "%lf,%lf%n", &v->real, &v->second, &n) == 2 && !text[n] && v->real >= 0 &&
      v->real <= 1 && v->second >= 0 && v->second <= 1)
    return 0;
  return gmmu_fail(err, "%s: '%.64s' is not two shares from 0 to 1, as 0.9,0.5", opt, text);
}

static int take(struct cli_options *o, const struct cli_row *r, char *text, struct cli_value *v,
                struct gmmu_err *err) {
  char opt[64];
  int i;
  snprintf(opt, sizeof opt, "%s%s", r->name[1] ? "--" : "-", r->name);
  v->text = text;
  switch (r->kind) {
    case CLI_FLAG:
    case CLI_TEXT: return 0;
    case CLI_SETTING: return cli_add_set(o->set, &o->num_set, CLI_MAX_SETTINGS, text, err);
    case CLI_NUMBER: return cli_u64(text, opt, &v->number, err);
    case CLI_RANGE: return cli_u64_in(text, opt, (uint64_t)r->lo, (uint64_t)r->hi, &v->number, err);
    case CLI_EVEN:
      if (cli_u64(text, opt, &v->number, err)) return -1;
      return v->number % 2 || v->number < (uint64_t)r->lo || v->number > (uint64_t)r->hi
                 ? gmmu_fail(err, "%s: %.64s is not an even number from %g to %g", opt, text, r->lo,
                             r->hi)
                 : 0;
    case CLI_POWER:
      if (cli_u64_in(text, opt, (uint64_t)r->lo, (uint64_t)r->hi, &v->number, err)) return -1;
      return v->number & (v->number - 1)
                 ? gmmu_fail(err, "%s: %.64s is not a power of two", opt, text)
                 : 0;
    case CLI_REAL:
    case CLI_WHOLE:
      if (real(r, opt, text, &v->real, err)) return -1;
      v->number = (uint64_t)v->real;
      return 0;
    case CLI_SHARES: return two_shares(opt, text, v, err);
    case CLI_CHOICE:
      i = cli_choice(opt, text, r->names, r->n, err);
      v->number = (uint64_t)i;
      return i < 0 ? -1 : 0;
  }
  return -1;
}

/* One option, one meaning. */
static int once(const struct cli_options *o, const struct cli_row *r, const struct cli_value *v,
                const char *now, struct gmmu_err *err) {
  bool trace = strcmp(r->name, "trace") == 0;
  if (r->kind == CLI_SETTING || !v->given || (!trace && strcmp(v->text, now) == 0)) return 0;
  return gmmu_fail(err, "%s%s is given twice%s; see gmmu %s --help", r->name[1] ? "--" : "-",
                   r->name, trace ? " (several traces: --trace T1,T2)" : "", o->name);
}

/* The command's rows, and what getopt() wants of them: val is the row. */
static int begin(struct cli_options *o, struct option *all, char *letters, struct gmmu_err *err) {
  int n = 0;
  o->name = about(o->command)->name;
  strcpy(letters, ":h");
  for (const struct cli_row *r = cli_table; r->name; r++) {
    if (!(r->commands & (unsigned)o->command)) continue;
    int i = o->num_rows++;
    o->row[i] = r;
    if (r->name[1])
      all[n++] = (struct option){r->name, r->kind == CLI_FLAG ? no_argument : required_argument,
                                 NULL, 256 + i};
    else strcat(letters, (const char[]){r->name[0], ':', 0});
    if (r->dflt && take(o, r, (char *)r->dflt, &o->value[i], err)) return -1;
  }
  all[n] = (struct option){"help", no_argument, NULL, 'h'};
  all[n + 1] = (struct option){0};
  return 0;
}

static int find(const struct cli_options *o, const char *name) {
  for (int i = 0; i < o->num_rows; i++)
    if (strcmp(o->row[i]->name, name) == 0) return i;
  fprintf(stderr, "gmmu %s has no option %s\n", o->name, name);
  abort();
}

int cli_parse(struct cli_options *o, struct gmmu_err *err) {
  struct option all[CLI_MAX_OPTIONS + 2];
  char letters[32];
  int c;
  if (begin(o, all, letters, err)) return CLI_BAD;
  optind = 0;
  opterr = 0;
  for (;;) {
    int word = optind ? optind : 1;
    c = getopt_long(o->argc, o->argv, letters, all, NULL);
    if (c == -1) return CLI_END;
    if (c == 'h') {
      help(o);
      return CLI_HELP;
    }
    if (c == ':') return see(o, err, "an argument is missing after", o->argv[optind - 1], "");
    /* An option that takes no argument got one, several options begin so, or there is none. */
    if (c == '?') return unknown(o, o->argv[optind > word ? optind - 1 : word], err);
    int i = c >= 256 ? c - 256 : find(o, (const char[]){(char)c, 0});
    char *text = optarg ? optarg : (char *)"";
    if (once(o, o->row[i], &o->value[i], text, err) || take(o, o->row[i], text, &o->value[i], err))
      return CLI_BAD;
    o->value[i].given = true;
  }
}

int cli_arguments(const struct cli_options *o, int n, const char *what, struct gmmu_err *err) {
  if (o->argc - optind == n) return 0;
  if (o->argc - optind < n) return gmmu_fail(err, "needs %s; see gmmu %s --help", what, o->name);
  return see(o, err, "unexpected argument", o->argv[optind + n], "");
}

int cli_usage_error(const struct cli_options *o, int option, const struct gmmu_err *err) {
  if (option == CLI_HELP) return 0;
  fprintf(stderr, "gmmu %s: %s\n", o->name, err->msg);
  return 2;
}

const struct cli_value *cli_value(const struct cli_options *o, const char *name) {
  return &o->value[find(o, name)];
}

bool cli_given(const struct cli_options *o, const char *name) { return cli_value(o, name)->given; }

const char *cli_text(const struct cli_options *o, const char *name) {
  return cli_value(o, name)->text;
}

uint64_t cli_number(const struct cli_options *o, const char *name) {
  return cli_value(o, name)->number;
}

double cli_real(const struct cli_options *o, const char *name) { return cli_value(o, name)->real; }

int cli_chosen(const struct cli_options *o, const char *name) {
  const struct cli_value *v = cli_value(o, name);
  return v->text ? (int)v->number : -1;
}
