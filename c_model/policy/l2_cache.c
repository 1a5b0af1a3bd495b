/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/l2_cache.h"

#include <stdlib.h>

#include "policy/replace.h"
#include "policy/xor_hash.h"

struct way {
  uint64_t line;
  bool valid, dirty;
};
struct gmmu_l2_cache {
  uint32_t sets, ways, bits; /* bits: log2 of sets */
  bool linear;
  struct gmmu_replace replace;
  struct way w[];
};

struct gmmu_l2_cache *gmmu_l2_cache_new(uint32_t sets, uint32_t ways, bool linear) {
  struct gmmu_l2_cache *c = calloc(1, sizeof *c + (size_t)sets * ways * sizeof c->w[0]);
  if (!c) return NULL;
  c->sets = sets;
  c->ways = ways;
  c->bits = (uint32_t)__builtin_ctz(sets);
  c->linear = linear;
  if (!gmmu_replace_init(&c->replace, &gmmu_lru, (int)sets, (int)ways)) {
    free(c);
    return NULL;
  }
  return c;
}
void gmmu_l2_cache_free(struct gmmu_l2_cache *c) {
  if (!c) return;
  gmmu_replace_free(&c->replace);
  free(c);
}

uint32_t gmmu_l2_cache_set(const struct gmmu_l2_cache *c, uint64_t line) {
  uint64_t set = line & (c->sets - 1);
  if (!c->linear) set ^= gmmu_xor_hash(line >> c->bits, c->bits);
  return (uint32_t)set;
}

/** Index of the first way of a line's set. */
static uint32_t set_of(const struct gmmu_l2_cache *c, uint64_t line) {
  return gmmu_l2_cache_set(c, line) * c->ways;
}

int gmmu_l2_cache_find(const struct gmmu_l2_cache *c, uint64_t line) {
  const struct way *s = &c->w[set_of(c, line)];
  for (uint32_t i = 0; i < c->ways; i++)
    if (s[i].valid && s[i].line == line) return (int)i;
  return -1;
}

void gmmu_l2_cache_touch(struct gmmu_l2_cache *c, uint64_t line, int way, bool dirty) {
  uint32_t at = set_of(c, line) + (uint32_t)way;
  gmmu_replace_touch(&c->replace, (int)at);
  if (dirty) c->w[at].dirty = true;
}

void gmmu_l2_cache_drop(struct gmmu_l2_cache *c, uint64_t line, int way) {
  c->w[set_of(c, line) + (uint32_t)way].valid = false;
}

static bool used(const void *array, int index) {
  return ((const struct gmmu_l2_cache *)array)->w[index].valid;
}

int gmmu_l2_cache_fill(struct gmmu_l2_cache *c, uint64_t line, bool dirty, uint64_t *victim,
                       bool *wrote_back) {
  uint32_t first = set_of(c, line);
  int way = gmmu_replace_way(&c->replace, (int)(first / c->ways), 0, used, c);
  struct way *w = &c->w[first + (uint32_t)way];
  *wrote_back = w->valid && w->dirty;
  *victim = w->line;
  *w = (struct way){.line = line, .valid = true, .dirty = dirty};
  gmmu_replace_touch(&c->replace, (int)first + way);
  return way;
}
