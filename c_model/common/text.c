/* SPDX-License-Identifier: Apache-2.0 */
#include "common/text.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---------------------------------------- lines */
static int bad_line(const struct gmmu_text *t, struct gmmu_err *err, const char *what) {
  return gmmu_fail(err, "%s:%d: %s", t->path, t->line, what);
}

int gmmu_text_line(struct gmmu_text *t, struct gmmu_err *err) {
  int c = getc(t->f);
  t->len = 0;
  if (c == EOF) return ferror(t->f) ? gmmu_fail(err, "%s: %s", t->path, strerror(errno)) : 0;
  t->line++;
  for (; c != EOF && c != '\n'; c = getc(t->f)) {
    if (c == 0) return bad_line(t, err, "a NUL byte: not a text file");
    if (t->len == GMMU_MAX_LINE) return bad_line(t, err, "the line is longer than 65535 bytes");
    if (t->len + 1 >= t->cap) {
      size_t cap = t->cap ? 2 * t->cap : 256;
      char *v = realloc(t->buf, cap);
      if (!v) return bad_line(t, err, "out of memory");
      t->buf = v;
      t->cap = cap;
    }
    t->buf[t->len++] = (char)c;
  }
  if (ferror(t->f)) return gmmu_fail(err, "%s: %s", t->path, strerror(errno));
  if (!t->buf && !(t->buf = malloc(t->cap = 256))) return bad_line(t, err, "out of memory");
  t->buf[t->len] = 0;
  return 1;
}

void gmmu_text_free(struct gmmu_text *t) {
  free(t->buf);
  t->buf = NULL;
  t->cap = 0;
}

/* ---------------------------------------- words */
const char *gmmu_number(const char *s, uint64_t *v) {
  bool hex = s && s[0] == '0' && (s[1] == 'x' || s[1] == 'X'), minus = s && s[0] == '-';
  const char *digits = s ? s + (hex ? 2 : minus) : "";
  const size_t n = strlen(digits);
  if (!n || strspn(digits, hex ? "0123456789abcdefABCDEF" : "0123456789") != n)
    return "is not a number (decimal, or hexadecimal with 0x)";
  if (minus) return "is negative";
  errno = 0;
  unsigned long long x = strtoull(digits, NULL, hex ? 16 : 10);
  if (errno) return "is above 2^64 - 1";
  *v = x;
  return NULL;
}

const char *gmmu_number_to(const char *s, uint64_t max, uint64_t *v) {
  static const struct {
    uint64_t max;
    const char *what;
  } limit[] = {{GMMU_LANES, "is above 64"}, {16, "is above 16"}, {UINT32_MAX, "is above 2^32 - 1"}};
  uint64_t x;
  const char *wrong = gmmu_number(s, &x);
  if (wrong) return wrong;
  for (size_t i = 0; x > max && i < sizeof limit / sizeof *limit; i++)
    if (limit[i].max == max) return limit[i].what;
  if (x > max) return "is out of range";
  *v = x;
  return NULL;
}

const char *gmmu_name_wrong(const char *s) {
  if (!*s) return "is empty";
  if (strlen(s) > 31) return "is longer than 31 characters";
  for (; *s; s++)
    if ((unsigned char)*s <= ' ' || (unsigned char)*s > '~')
      return "has a character that is not printable ASCII";
  return NULL;
}

/* ---------------------------------------- suggestions */
/* Letters to change, add, leave out or swap with the next one; letter case does not count. At most
 * 48 letters are looked at. */
static int distance(const char *a, const char *b) {
  int d[50][50], n = (int)strnlen(a, 48), m = (int)strnlen(b, 48);
  for (int i = 0; i <= n; i++)
    for (int k = 0; k <= m; k++) {
      if (!i || !k) {
        d[i][k] = i + k;
        continue;
      }
      bool same = tolower((unsigned char)a[i - 1]) == tolower((unsigned char)b[k - 1]);
      int best = d[i - 1][k - 1] + !same;
      if (d[i - 1][k] + 1 < best) best = d[i - 1][k] + 1;
      if (d[i][k - 1] + 1 < best) best = d[i][k - 1] + 1;
      if (i > 1 && k > 1 && tolower((unsigned char)a[i - 1]) == tolower((unsigned char)b[k - 2]) &&
          tolower((unsigned char)a[i - 2]) == tolower((unsigned char)b[k - 1]) &&
          d[i - 2][k - 2] + 1 < best)
        best = d[i - 2][k - 2] + 1;
      d[i][k] = best;
    }
  return d[n][m];
}

const char *gmmu_nearest(const char *word, const char *const *names, size_t n) {
  const char *best = NULL;
  int least = strlen(word) > 4 ? 3 : 2; /* below */
  for (size_t i = 0; i < n; i++) {
    int d = names[i] ? distance(word, names[i]) : 99;
    if (d < least) least = d, best = names[i];
  }
  return best;
}

const char *gmmu_suggest(const char *word, const char *const *names, size_t n, char buf[96]) {
  const char *s = gmmu_nearest(word, names, n);
  buf[0] = 0;
  if (s) snprintf(buf, 96, ", did you mean '%.64s'?", s);
  return buf;
}

/* ---------------------------------------- UTF-8 */
/* Bytes of the character at s, 0 if it is none. */
static int utf8_length(const unsigned char *s) {
  int n = s[0] < 0x80                   ? 1
          : s[0] >= 0xc2 && s[0] < 0xe0 ? 2
          : s[0] >= 0xe0 && s[0] < 0xf0 ? 3
          : s[0] >= 0xf0 && s[0] < 0xf5 ? 4
                                        : 0;
  for (int i = 1; i < n; i++)
    if ((s[i] & 0xc0) != 0x80) return 0;
  if (n == 3 && ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] > 0x9f)))
    return 0; /* overlong, surrogates */
  if (n == 4 && ((s[0] == 0xf0 && s[1] < 0x90) || (s[0] == 0xf4 && s[1] > 0x8f)))
    return 0; /* overlong, above U+10FFFF */
  return n;
}

char *gmmu_utf8(const char *s) {
  char *out = malloc(3 * strlen(s) + 1), *p = out;
  while (out && *s) {
    int n = utf8_length((const unsigned char *)s);
    memcpy(p, n ? s : "\xef\xbf\xbd", n ? (size_t)n : 3);
    p += n ? n : 3;
    s += n ? n : 1;
  }
  if (out) *p = 0;
  return out;
}
