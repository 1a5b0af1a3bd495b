/* SPDX-License-Identifier: Apache-2.0 */
#include "frontend/lines.h"

#include <stdlib.h>

static uint32_t bucket_of(uint64_t line) {
  return (uint32_t)((line * 0x9e3779b97f4a7c15ull) >> 56) % FE_LINE_BUCKETS;
}

void fe_lines_free(struct fe_lines *l) {
  free(l->e);
  l->e = NULL;
}

int fe_lines_find(const struct fe_lines *l, uint64_t line) {
  for (uint32_t i = l->bucket[bucket_of(line)]; i; i = l->e[i - 1].next)
    if (l->e[i - 1].line == line && !l->e[i - 1].atomic) return (int)i - 1;
  return -1;
}

int fe_lines_add(struct fe_lines *l, uint64_t line, bool atomic) {
  if (!l->unused) {
    uint32_t cap = l->cap ? 2 * l->cap : 64;
    struct fe_line *e = realloc(l->e, cap * sizeof *e);
    if (!e) return -1;
    l->e = e;
    for (uint32_t i = cap; i-- > l->cap;) {
      l->e[i].next = l->unused;
      l->unused = i + 1;
    }
    l->cap = cap;
  }
  uint32_t i = l->unused - 1, *b = &l->bucket[bucket_of(line)];
  l->unused = l->e[i].next;
  l->e[i] = (struct fe_line){.line = line, .atomic = atomic, .next = *b};
  *b = i + 1;
  l->n++;
  return (int)i;
}

struct fe_line fe_lines_take(struct fe_lines *l, uint32_t i) {
  struct fe_line x = l->e[i];
  uint32_t *p = &l->bucket[bucket_of(x.line)];
  while (*p != i + 1) p = &l->e[*p - 1].next;
  *p = x.next;
  l->e[i].next = l->unused;
  l->unused = i + 1;
  l->n--;
  return x;
}
