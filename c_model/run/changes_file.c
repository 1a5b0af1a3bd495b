/* SPDX-License-Identifier: Apache-2.0 */
/* changes_file.c - the file of gmmu run --events: changes are read and checked before the run. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/text.h"
#include "run/changes_int.h"

static const char *const kind_name[KINDS] = {"map", "unmap", "invalidate", "coalesce", "splinter"};

/* "asid va [bytes]" */
static int place(char **save, struct gmmu_map_line *l, bool bytes, const char *what,
                 struct gmmu_err *err) {
  uint64_t asid;
  const char *a = strtok_r(NULL, " \t\r\n", save), *v = strtok_r(NULL, " \t\r\n", save),
             *b = bytes ? strtok_r(NULL, " \t\r\n", save) : NULL;
  l->bytes = GMMU_LARGE_PAGE;
  if (gmmu_number(a, &asid) || gmmu_number(v, &l->va) || (bytes && gmmu_number(b, &l->bytes)))
    return gmmu_fail(err, "expected: %s asid va%s", what, bytes ? " bytes" : "");
  l->asid = asid < GMMU_MAX_ASIDS ? (int)asid : GMMU_MAX_ASIDS;
  uint64_t align = bytes ? GMMU_PAGE : GMMU_LARGE_PAGE;
  if (l->bytes == 0 || (l->va | l->bytes) & (align - 1))
    return gmmu_fail(err, "va and bytes must be multiples of 0x%" PRIx64 ", and not empty", align);
  return 0;
}

static int parse_invalidate(char **save, struct change *e, struct gmmu_err *err) {
  const char *word = strtok_r(NULL, " \t\r\n", save);
  uint64_t asid;
  if (word && strcmp(word, "all") == 0) return e->inv = GMMU_INV_ALL, 0;
  if (word && strcmp(word, "asid") == 0) {
    if (gmmu_number(strtok_r(NULL, " \t\r\n", save), &asid))
      return gmmu_fail(err, "expected: invalidate asid N");
    e->inv = GMMU_INV_ASID;
    e->map.asid = asid < GMMU_MAX_ASIDS ? (int)asid : GMMU_MAX_ASIDS;
    return 0;
  }
  e->inv = GMMU_INV_RANGE;
  if (!word) return gmmu_fail(err, "expected: invalidate all | asid N | N va bytes");
  if (gmmu_number(word, &asid))
    return gmmu_fail(err, "invalidate '%.32s': expected all, asid or a number", word);
  const char *v = strtok_r(NULL, " \t\r\n", save), *b = strtok_r(NULL, " \t\r\n", save);
  if (gmmu_number(v, &e->map.va) || gmmu_number(b, &e->map.bytes) || e->map.bytes == 0)
    return gmmu_fail(err, "expected: invalidate all | asid N | N va bytes");
  e->map.asid = asid < GMMU_MAX_ASIDS ? (int)asid : GMMU_MAX_ASIDS;
  return 0;
}

static int parse(char *text, struct change *e, struct gmmu_err *err) {
  char *save = NULL, *when = strtok_r(text, " \t\r\n", &save),
       *at = strtok_r(NULL, " \t\r\n", &save), *what = strtok_r(NULL, " \t\r\n", &save);
  int k = 0;
  if (!what || (strcmp(when, "cycle") && strcmp(when, "seq")) || gmmu_number(at, &e->at))
    return gmmu_fail(err, "expected: cycle|seq N map|unmap|invalidate|coalesce|splinter ...");
  e->by_seq = when[0] == 's';
  while (k < KINDS && strcmp(what, kind_name[k])) k++;
  if (k == KINDS)
    return gmmu_fail(err, "'%.32s' is not map, unmap, invalidate, coalesce or splinter", what);
  e->kind = (enum kind)k;
  e->acknowledged = UINT64_MAX;
  if (k == MAP) {
    if (gmmu_mapping_parse(save, &e->map, err)) return -1;
    return e->map.kind == GMMU_MAP_DEMAND ? gmmu_fail(err, "demand is for mapping files") : 0;
  }
  if (k == INVALIDATE ? parse_invalidate(&save, e, err)
                      : place(&save, &e->map, k == UNMAP, what, err))
    return -1;
  const char *more = strtok_r(NULL, " \t\r\n", &save);
  return more ? gmmu_fail(err, "'%.32s' is one word too many", more) : 0;
}

static int check_change(const struct gmmu_changes *h, const struct change *e,
                        struct gmmu_err *err) {
  if (e->kind == INVALIDATE && e->inv == GMMU_INV_ALL) return 0;
  if (e->map.asid >= h->c->NumAsids || !gmmu_tables_has_asid(h->space->tables, e->map.asid))
    return gmmu_fail(err, "asid %d has no page table", e->map.asid);
  if (e->kind == MAP
          ? gmmu_tables_check_map(h->space->tables, &e->map, err)
          : e->kind != INVALIDATE && gmmu_tables_check_range(h->space->tables, &e->map, err))
    return -1;
  if (e->kind == INVALIDATE && e->inv == GMMU_INV_RANGE &&
      e->map.va + (e->map.bytes - 1) < e->map.va)
    return gmmu_fail(err, "the range goes past the end of the address space");
  if (e->kind == COALESCE && !h->space->env.ctx[e->map.asid].ext)
    return gmmu_fail(err, "asid %d has no contiguity extension", e->map.asid);
  return 0;
}

int changes_read_file(struct gmmu_changes *h, FILE *f, struct gmmu_err *err) {
  struct gmmu_text t = {.f = f, .path = h->path};
  uint64_t last[2] = {0, 0};
  int rc;
  while ((rc = gmmu_text_line(&t, err)) > 0) {
    struct change e = {.line = t.line};
    struct gmmu_err why = {""};
    t.buf[strcspn(t.buf, "#")] = 0;
    if (t.buf[strspn(t.buf, " \t\r\n")] == 0) continue;
    rc = parse(t.buf, &e, &why) || check_change(h, &e, &why);
    if (!rc && e.at < last[e.by_seq])
      rc = gmmu_fail(&why, "%s %" PRIu64 " comes after %" PRIu64, e.by_seq ? "seq" : "cycle", e.at,
                     last[e.by_seq]);
    if (rc) {
      rc = gmmu_fail(err, "%s:%d: %s", h->path, t.line, why.msg);
      break;
    }
    last[e.by_seq] = e.at;
    if (h->num == h->cap) {
      h->cap = h->cap ? 2 * h->cap : 64;
      struct change *v = realloc(h->list, h->cap * sizeof *v);
      if (!v) {
        rc = gmmu_fail(err, "out of memory");
        break;
      }
      h->list = v;
    }
    h->list[h->num++] = e;
  }
  gmmu_text_free(&t);
  return rc;
}
