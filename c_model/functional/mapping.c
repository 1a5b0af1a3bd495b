/* SPDX-License-Identifier: Apache-2.0 */
/** mapping.c - mapping files: `asid va pa bytes perms [4k|2m|coalesced|demand]`, numbers in hex or
 * decimal, '#' comments. */
#include "common/outfile.h"
#include "common/text.h"
#include "tables_txn.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char *const kind_name[] = {"4k", "2m", "coalesced", "demand"};
#define NUM_KINDS ((int)(sizeof kind_name / sizeof kind_name[0]))
#define MAX_FIELDS 6

/* ---------------------------------------- one line */
static uint64_t perm_bit(char letter) {
  switch (letter) {
    case 'r': return GMMU_PTE_R;
    case 'w': return GMMU_PTE_W;
    case 'x': return GMMU_PTE_X;
    case 'u': return GMMU_PTE_U;
    case 'g': return GMMU_PTE_G;
    default: return 0;
  }
}

/* Letters of "rwxug", each once, then "!a" and "!d". */
static int parse_perms(const char *s, uint64_t *bits) {
  uint64_t b = GMMU_PTE_V, clear = 0;
  for (; *s && *s != '!'; s++) {
    if (!perm_bit(*s) || (b & perm_bit(*s))) return -1;
    b |= perm_bit(*s);
  }
  for (; *s; s += 2) {
    uint64_t c = s[0] != '!' ? 0 : s[1] == 'a' ? GMMU_PTE_A : s[1] == 'd' ? GMMU_PTE_D : 0;
    if (!c || (clear & c)) return -1;
    clear |= c;
  }
  if (!(b & (GMMU_PTE_R | GMMU_PTE_X)) || ((b & GMMU_PTE_W) && !(b & GMMU_PTE_R))) return -1;
  *bits = (b | GMMU_PTE_A | (b & GMMU_PTE_W ? GMMU_PTE_D : 0)) & ~clear;
  return 0;
}

static int parse_kind(const char *s, int *kind) {
  for (*kind = 0; *kind < NUM_KINDS; ++*kind)
    if (strcmp(s, kind_name[*kind]) == 0) return 0;
  return -1;
}

static int check_line(const struct gmmu_map_line *l, struct gmmu_err *err) {
  uint64_t align =
      l->kind == GMMU_MAP_4K || l->kind == GMMU_MAP_DEMAND ? GMMU_PAGE : GMMU_LARGE_PAGE;
  if (l->bytes == 0) return gmmu_fail(err, "the range is empty");
  if ((l->va | l->pa | l->bytes) & (align - 1))
    return gmmu_fail(err, "va, pa and bytes must be multiples of 0x%llx for kind %s",
                     (unsigned long long)align, kind_name[l->kind]);
  if (l->va + l->bytes - 1 < l->va || l->pa + l->bytes - 1 < l->pa)
    return gmmu_fail(err, "the range goes past the end of the address space");
  return 0;
}

static int number(const char *what, const char *word, uint64_t *v, struct gmmu_err *err) {
  const char *wrong = gmmu_number(word, v);
  return wrong ? gmmu_fail(err, "%s '%.64s' %s", what, word, wrong) : 0;
}

int gmmu_mapping_parse(char *text, struct gmmu_map_line *l, struct gmmu_err *err) {
  char *field[MAX_FIELDS + 1], *save = NULL, *p;
  uint64_t asid;
  int n = 0;

  for (p = strtok_r(text, " \t\r\n", &save); p && n <= MAX_FIELDS;
       p = strtok_r(NULL, " \t\r\n", &save))
    field[n++] = p;
  if (n < MAX_FIELDS - 1 || n > MAX_FIELDS)
    return gmmu_fail(err, "%d fields, expected: asid va pa bytes perms [4k|2m|coalesced|demand]",
                     n);
  if (number("asid", field[0], &asid, err) || number("va", field[1], &l->va, err) ||
      number("pa", field[2], &l->pa, err) || number("bytes", field[3], &l->bytes, err))
    return -1;
  if (asid >= GMMU_MAX_ASIDS)
    return gmmu_fail(err, "asid '%.64s' is not in 0..%d", field[0], GMMU_MAX_ASIDS - 1);
  l->asid = (int)asid;
  if (parse_perms(field[4], &l->bits))
    return gmmu_fail(err,
                     "perms '%.64s': letters of rwxug (r or x at least, w only with r), then !a !d",
                     field[4]);
  l->kind = GMMU_MAP_4K;
  if (n == MAX_FIELDS && parse_kind(field[5], &l->kind))
    return gmmu_fail(err, "kind '%.64s' is not 4k, 2m, coalesced or demand", field[5]);
  return check_line(l, err);
}

/* ---------------------------------------- overlaps */
static int by_va(const void *a, const void *b) {
  const struct gmmu_map_line *x = *(const struct gmmu_map_line *const *)a,
                             *y = *(const struct gmmu_map_line *const *)b;
  if (x->asid != y->asid) return x->asid < y->asid ? -1 : 1;
  if (x->va != y->va) return x->va < y->va ? -1 : 1;
  return (x->line > y->line) - (x->line < y->line);
}

static int report_overlap(const struct gmmu_map_line *a, const struct gmmu_map_line *b,
                          const char *path, struct gmmu_err *err) {
  const struct gmmu_map_line *later = a->line > b->line ? a : b, *earlier = later == a ? b : a;
  return gmmu_fail(err, "%s:%d: va 0x%llx overlaps line %d (asid %d)", path, later->line,
                   (unsigned long long)b->va, earlier->line, b->asid);
}

static int check_overlaps(const struct gmmu_mapping *m, const char *path, struct gmmu_err *err) {
  const struct gmmu_map_line **sorted;
  int rc = 0;

  if (m->n < 2) return 0;
  sorted = malloc(m->n * sizeof *sorted);
  if (!sorted) return gmmu_fail(err, "out of memory");
  for (size_t i = 0; i < m->n; i++) sorted[i] = &m->v[i];
  qsort(sorted, m->n, sizeof *sorted, by_va);
  for (size_t i = 1; i < m->n && rc == 0; i++)
    if (sorted[i - 1]->asid == sorted[i]->asid &&
        sorted[i - 1]->va + (sorted[i - 1]->bytes - 1) >= sorted[i]->va)
      rc = report_overlap(sorted[i - 1], sorted[i], path, err);
  free(sorted);
  return rc;
}

int gmmu_mapping_reserve(struct gmmu_mapping *m, size_t more, struct gmmu_err *err) {
  struct gmmu_map_line *v = realloc(m->v, (m->n + more) * sizeof *v);
  if (!v) return gmmu_fail(err, "out of memory");
  m->v = v;
  return 0;
}

struct gmmu_map_line *gmmu_mapping_next(struct gmmu_mapping *m) { return &m->v[m->n++]; }

/* ---------------------------------------- files */
static int append(struct gmmu_mapping *m, size_t *cap, const struct gmmu_map_line *l,
                  struct gmmu_err *err) {
  if (m->n == *cap) {
    size_t n = *cap ? 2 * *cap : 64;
    struct gmmu_map_line *v = realloc(m->v, n * sizeof *v);
    if (!v) return gmmu_fail(err, "out of memory");
    m->v = v;
    *cap = n;
  }
  m->v[m->n++] = *l;
  return 0;
}

/* Text up to a comment; false if nothing but blanks is left. */
static bool strip(char *text) {
  text[strcspn(text, "#")] = 0;
  return text[strspn(text, " \t\r\n")] != 0;
}

static int read_lines(struct gmmu_mapping *m, FILE *f, const char *path, struct gmmu_err *err) {
  struct gmmu_text t = {.f = f, .path = path};
  struct gmmu_err why;
  size_t cap = 0;
  int rc;

  while ((rc = gmmu_text_line(&t, err)) > 0) {
    struct gmmu_map_line l = {.line = t.line, .file = path};
    if (!strip(t.buf)) continue;
    if (gmmu_mapping_parse(t.buf, &l, &why) || append(m, &cap, &l, &why)) {
      rc = gmmu_fail(err, "%s:%d: %s", path, t.line, why.msg);
      break;
    }
  }
  gmmu_text_free(&t);
  return rc;
}

int gmmu_mapping_read(struct gmmu_mapping *m, const char *path, struct gmmu_err *err) {
  struct gmmu_mapping in = {0};
  FILE *f = fopen(path, "r");
  int rc;

  if (!f) return gmmu_fail(err, "%s: %s", path, strerror(errno));
  rc = read_lines(&in, f, path, err);
  fclose(f);
  if (rc == 0) rc = check_overlaps(&in, path, err);
  if (rc) {
    gmmu_mapping_free(&in);
    return -1;
  }
  *m = in;
  return 0;
}

void gmmu_mapping_free(struct gmmu_mapping *m) {
  free(m->v);
  m->v = NULL;
  m->n = 0;
}

/* The perms field; NULL for bits that the format cannot express. */
static const char *perms_text(uint64_t bits, char out[16]) {
  uint64_t again;
  char *p = out;
  for (const char *c = "rwxug"; *c; c++)
    if (bits & perm_bit(*c)) *p++ = *c;
  *p = 0;
  if (!(bits & GMMU_PTE_A)) p = stpcpy(p, "!a");
  if ((bits & GMMU_PTE_W) && !(bits & GMMU_PTE_D)) stpcpy(p, "!d");
  return parse_perms(out, &again) == 0 && again == bits ? out : NULL;
}

static int write_line(const struct gmmu_map_line *l, FILE *f) {
  char perms[16];
  if (l->kind < 0 || l->kind >= NUM_KINDS || !perms_text(l->bits, perms)) return -1;
  fprintf(f, "%d 0x%llx 0x%llx 0x%llx %s %s\n", l->asid, (unsigned long long)l->va,
          (unsigned long long)l->pa, (unsigned long long)l->bytes, perms, kind_name[l->kind]);
  return 0;
}

static int write_lines(const struct gmmu_mapping *m, FILE *f, const char *path,
                       struct gmmu_err *err) {
  fputs("# asid va pa bytes perms kind\n", f);
  for (size_t i = 0; i < m->n; i++)
    if (write_line(&m->v[i], f))
      return gmmu_fail(err,
                       "%s: mapping line %zu has bits 0x%llx or kind %d, which a file cannot hold",
                       path, i + 1, (unsigned long long)m->v[i].bits, m->v[i].kind);
  return 0;
}

int gmmu_mapping_write(const struct gmmu_mapping *m, const char *path, struct gmmu_err *err) {
  struct gmmu_outfile o;
  if (gmmu_outfile_open(&o, path, err)) return -1;
  if (write_lines(m, o.f, path, err) == 0) return gmmu_outfile_commit(&o, err);
  gmmu_outfile_abort(&o);
  return -1;
}

/* ---------------------------------------- apply */
static int apply_line(const struct gmmu_map_line *l, struct gmmu_tables *t, int mode, bool ext,
                      struct gmmu_err *err) {
  if (!gmmu_tables_has_asid(t, l->asid) && gmmu_tables_add_asid(t, l->asid, mode, ext, err))
    return -1;
  if (l->kind == GMMU_MAP_DEMAND) return gmmu_tables_check_map(t, l, err);
  return gmmu_tables_map(t, l->asid, l->va, l->pa, l->bytes, l->bits, l->kind, err);
}

int gmmu_mapping_apply(const struct gmmu_mapping *m, const char *path, struct gmmu_tables *t,
                       int mode, bool ext, struct gmmu_err *err) {
  struct gmmu_txn txn;
  struct gmmu_err why;
  int rc = 0;

  if (check_overlaps(m, path, err)) return -1;
  gmmu_tables_begin(t, &txn);
  for (size_t i = 0; i < m->n && rc == 0; i++)
    if (apply_line(&m->v[i], t, mode, ext, &why))
      rc = gmmu_fail(err, "%s:%d: %s", path, m->v[i].line, why.msg);
  gmmu_tables_end(t, &txn, rc == 0);
  return rc;
}
