/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/l2_cache.h"

#include <stdlib.h>

#include "policy/xor_hash.h"

struct way {
  uint64_t line, used; /* used: order of the last touch */
  bool valid, dirty;
};
struct gmmu_l2_cache {
  uint32_t sets, ways, bits; /* bits: log2 of sets */
  bool linear;
  uint64_t clock;
  struct way w[];
};

struct gmmu_l2_cache *gmmu_l2_cache_new(uint32_t sets, uint32_t ways, bool linear) {
  struct gmmu_l2_cache *c = calloc(1, sizeof *c + (size_t)sets * ways * sizeof c->w[0]);
  if (!c) return NULL;
  c->sets = sets;
  c->ways = ways;
  c->bits = (uint32_t)__builtin_ctz(sets);
  c->linear = linear;
  c->clock = ways;
  for (uint32_t i = 0; i < sets * ways; i++)
    c->w[i].used = i % ways; /* way 0 is the least recent */
  return c;
}
void gmmu_l2_cache_free(struct gmmu_l2_cache *c) { free(c); }

static struct way *set_of(const struct gmmu_l2_cache *c, uint64_t line) {
  uint64_t set = line & (c->sets - 1);
  if (!c->linear) set ^= gmmu_xor_hash(line >> c->bits, c->bits);
  return (struct way *)&c->w[set * c->ways];
}

int gmmu_l2_cache_find(const struct gmmu_l2_cache *c, uint64_t line) {
  const struct way *s = set_of(c, line);
  for (uint32_t i = 0; i < c->ways; i++)
    if (s[i].valid && s[i].line == line) return (int)i;
  return -1;
}

void gmmu_l2_cache_touch(struct gmmu_l2_cache *c, uint64_t line, int way, bool dirty) {
  struct way *w = &set_of(c, line)[way];
  w->used = c->clock++;
  if (dirty) w->dirty = true;
}

void gmmu_l2_cache_drop(struct gmmu_l2_cache *c, uint64_t line, int way) {
  set_of(c, line)[way].valid = false;
}

int gmmu_l2_cache_fill(struct gmmu_l2_cache *c, uint64_t line, bool dirty, uint64_t *victim,
                       bool *wrote_back) {
  struct way *s = set_of(c, line);
  uint32_t v = 0;
  for (uint32_t i = 1; i < c->ways; i++)
    if (s[i].used < s[v].used) v = i;
  for (uint32_t i = c->ways; i-- > 0;)
    if (!s[i].valid) v = i;
  *wrote_back = s[v].valid && s[v].dirty;
  *victim = s[v].line;
  s[v] = (struct way){.line = line, .used = c->clock++, .valid = true, .dirty = dirty};
  return (int)v;
}
