/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/tlb_array.h"

#include <stdlib.h>
#include <string.h>

struct gmmu_tlb {
  int sets, ways;
  uint32_t shift, mask; /* of the hash */
  uint32_t *slot;       /* open addressing, linear probing: index + 1, or 0 */
  uint64_t *key;        /* per entry, 0 = invalid */
  struct gmmu_tlb_data *data;
  struct gmmu_replace replace;
  uint16_t *valid; /* valid entries per set */
};

static uint32_t home(const struct gmmu_tlb *t, uint64_t key) {
  return (uint32_t)(key * 0x9e3779b97f4a7c15ull >> t->shift);
}

struct gmmu_tlb *gmmu_tlb_new(int sets, int ways, const struct gmmu_policy *policy) {
  struct gmmu_tlb *t = calloc(1, sizeof *t);
  size_t n = (size_t)sets * (size_t)ways, bits = 3;

  if (!t) return NULL;
  while (n * 4 > 1ull << bits) bits++; /* at most a quarter full: about one probe, also on a miss */
  t->sets = sets;
  t->ways = ways;
  t->shift = (uint32_t)(64 - bits);
  t->mask = (uint32_t)((1ull << bits) - 1);
  t->slot = malloc(sizeof *t->slot << bits);
  t->key = malloc((n + 1) * sizeof *t->key);
  t->data = malloc((n + 1) * sizeof *t->data);
  t->valid = malloc((size_t)sets * sizeof *t->valid);
  if (!t->slot || !t->key || !t->data || !t->valid ||
      !gmmu_replace_init(&t->replace, policy, sets, ways)) {
    gmmu_tlb_free(t);
    return NULL;
  }
  gmmu_tlb_reset(t);
  return t;
}

void gmmu_tlb_free(struct gmmu_tlb *t) {
  if (!t) return;
  free(t->slot);
  free(t->key);
  free(t->data);
  gmmu_replace_free(&t->replace);
  free(t->valid);
  free(t);
}

void gmmu_tlb_reset(struct gmmu_tlb *t) {
  size_t n = (size_t)t->sets * (size_t)t->ways;

  memset(t->slot, 0, (t->mask + 1ull) * sizeof *t->slot);
  memset(t->key, 0, (n + 1) * sizeof *t->key);
  memset(t->data, 0, (n + 1) * sizeof *t->data);
  memset(t->valid, 0, (size_t)t->sets * sizeof *t->valid);
  gmmu_replace_reset(&t->replace);
}

int gmmu_tlb_lookup(const struct gmmu_tlb *t, uint64_t key) {
  for (uint32_t h = home(t, key);; h = (h + 1) & t->mask) {
    uint32_t i = t->slot[h];
    if (i == 0) return -1;
    if (t->key[i - 1] == key) return (int)(i - 1);
  }
}

void gmmu_tlb_touch(struct gmmu_tlb *t, int index) { gmmu_replace_touch(&t->replace, index); }

static void hash_put(struct gmmu_tlb *t, uint64_t key, uint32_t index) {
  uint32_t h = home(t, key);
  while (t->slot[h]) h = (h + 1) & t->mask;
  t->slot[h] = index + 1;
}

/** Takes a key out and moves later ones of its run back, so that no search meets a gap before its
 * key. */
static void hash_drop(struct gmmu_tlb *t, uint32_t index) {
  uint32_t gap = home(t, t->key[index]), h;

  while (t->slot[gap] != index + 1) gap = (gap + 1) & t->mask;
  for (h = (gap + 1) & t->mask; t->slot[h]; h = (h + 1) & t->mask) {
    uint32_t from_home = (h - home(t, t->key[t->slot[h] - 1])) & t->mask;
    if (from_home < ((h - gap) & t->mask)) continue;
    t->slot[gap] = t->slot[h];
    gap = h;
  }
  t->slot[gap] = 0;
}

void gmmu_tlb_clear(struct gmmu_tlb *t, int index) {
  if (!t->key[index]) return;
  hash_drop(t, (uint32_t)index);
  t->key[index] = 0;
  t->valid[index / t->ways]--;
}

static bool used(const void *array, int index) {
  return ((const struct gmmu_tlb *)array)->key[index] != 0;
}

/** In constant time where the set is full, which it is in most fills of a long trace. */
static int way_for(const struct gmmu_tlb *t, int set) {
  return t->valid[set] == t->ways ? gmmu_replace_victim(&t->replace, set, 0)
                                  : gmmu_replace_way(&t->replace, set, 0, used, t);
}

int gmmu_tlb_fill(struct gmmu_tlb *t, int set, uint64_t key, const struct gmmu_tlb_data *data,
                  struct gmmu_fill *f) {
  int i = gmmu_tlb_lookup(t, key);

  f->overwrite = i >= 0;
  f->evict = false;
  if (i < 0) {
    i = set * t->ways + way_for(t, set);
    f->evict = t->key[i] != 0;
    gmmu_tlb_clear(t, i);
    t->key[i] = key;
    t->valid[set]++;
    hash_put(t, key, (uint32_t)i);
  }
  t->data[i] = *data;
  gmmu_tlb_touch(t, i);
  f->way = i - set * t->ways;
  return i;
}

int gmmu_tlb_sets(const struct gmmu_tlb *t) { return t->sets; }
int gmmu_tlb_ways(const struct gmmu_tlb *t) { return t->ways; }
uint64_t gmmu_tlb_key_at(const struct gmmu_tlb *t, int index) { return t->key[index]; }
const struct gmmu_tlb_data *gmmu_tlb_data_at(const struct gmmu_tlb *t, int index) {
  return &t->data[index];
}
