/* SPDX-License-Identifier: Apache-2.0 */
/* hj of GDM's evaluation (gdm_prog.h): a hash join of two columns of four-byte integers. Both are
 * partitioned by a hash of their values; then each pair of partitions is joined by a hash table. */
#include "workloads/gdm_make.h"

#define NONE 0xffffffffu

static uint32_t mix(uint32_t x) { return x * 0x9e3779b1u; }

/* Values in each partition -> where each partition ends. args: column, ends, values, bits of a
 * partition's number */
static int k_ends(const struct gdm_prog_mem *m, const uint64_t *arg) {
  uint32_t v[GDM_TILE / 4], sum = 0, *n = gdm_scratch_of(m, 4ull << arg[3]);
  if (!n) return GDM_NO_MEMORY;
  for (uint64_t i = 0; i < arg[2]; i += GDM_TILE / 4) {
    GET(arg[0] + i * 4, v, GDM_TILE);
    for (int j = 0; j < (int)(GDM_TILE / 4); j++) n[mix(v[j]) >> (32 - arg[3])]++;
  }
  for (uint64_t p = 0; p < 1ull << arg[3]; p++) sum = n[p] += sum;
  PUT(arg[1], n, 4ull << arg[3]);
  return 0;
}

/* One chunk of the column into its partitions, each of which grows downwards from its end. */
static int scatter(const struct gdm_prog_mem *m, const uint64_t *arg, const uint32_t *v,
                   uint32_t *sorted, uint64_t k, uint32_t *end, uint32_t *first) {
  uint64_t parts = 1ull << arg[4];
  unsigned shift = 32 - (unsigned)arg[4];
  memset(first, 0, (parts + 1) * 4);
  for (uint64_t i = 0; i < k; i++) first[(mix(v[i]) >> shift) + 1]++;
  for (uint64_t p = 0; p < parts; p++) first[p + 1] += first[p];
  for (uint64_t i = 0; i < k; i++)
    sorted[first[mix(v[i]) >> shift]++] = v[i]; /* first[p] is now where p ends */
  for (uint64_t p = 0; p < parts; p++) {
    uint32_t from = p ? first[p - 1] : 0, n = first[p] - from;
    end[p] -= n;
    if (n) PUT(arg[1] + 4ull * end[p], sorted + from, 4ull * n);
  }
  return 0;
}

/* args: column, partitions, ends, values, bits */
static int k_scatter(const struct gdm_prog_mem *m, const uint64_t *arg) {
  uint64_t parts = 1ull << arg[4], chunk = parts * 64, got;
  uint32_t *v = gdm_scratch_of(m, chunk * 4), *sorted = gdm_scratch_of(m, chunk * 4);
  uint32_t *end = gdm_scratch_of(m, parts * 4), *first = gdm_scratch_of(m, (parts + 1) * 4);
  if (!v || !sorted || !end || !first) return GDM_NO_MEMORY;
  GET(arg[2], end, parts * 4);
  for (uint64_t i = 0; i < arg[3]; i += got) {
    got = arg[3] - i < chunk ? arg[3] - i : chunk;
    GET(arg[0] + i * 4, v, got * 4);
    int e = scatter(m, arg, v, sorted, got, end, first);
    if (e) return e;
  }
  return 0;
}

/* Of the largest partition: its values, a hash table of r's, and what is found. */
struct table {
  uint32_t *r, *s, *slot, *pos, mask;
  uint16_t *count;
};

static int table_of(const struct gdm_prog_mem *m, struct table *t, uint64_t most) {
  uint64_t slots = 16;
  while (slots < 2 * most) slots *= 2;
  t->mask = (uint32_t)slots - 1;
  t->r = gdm_scratch_of(m, most * 4 + 4);
  t->s = gdm_scratch_of(m, most * 4 + 4);
  t->pos = gdm_scratch_of(m, most * 4 + 4);
  t->count = gdm_scratch_of(m, most * 2 + 2);
  t->slot = gdm_scratch_of(m, slots * 4);
  return t->r && t->s && t->pos && t->count && t->slot ? 0 : GDM_NO_MEMORY;
}

/* For each value of s: where its first equal is in r's partitions (or NONE), and how many there
 * are. */
static void probe(struct table *t, uint32_t nr, uint32_t ns, uint32_t base) {
  memset(t->slot, 0xff, ((uint64_t)t->mask + 1) * 4);
  for (uint32_t i = 0; i < nr; i++) {
    uint32_t h = mix(t->r[i] ^ 0x55555555u) & t->mask;
    while (t->slot[h] != NONE) h = (h + 1) & t->mask;
    t->slot[h] = i;
  }
  for (uint32_t i = 0; i < ns; i++) {
    t->pos[i] = NONE;
    t->count[i] = 0;
    for (uint32_t h = mix(t->s[i] ^ 0x55555555u) & t->mask; t->slot[h] != NONE;
         h = (h + 1) & t->mask)
      if (t->r[t->slot[h]] == t->s[i] && t->count[i]++ == 0) t->pos[i] = base + t->slot[h];
  }
}

/* args: partitions of r, its ends, those of s, its ends, out, values of each column, bits */
static int k_join(const struct gdm_prog_mem *m, const uint64_t *arg) {
  uint64_t n = arg[5], parts = 1ull << arg[6], most = 0;
  struct table t = {0};
  uint32_t *er = gdm_scratch_of(m, parts * 4), *es = gdm_scratch_of(m, parts * 4);
  if (!er || !es) return GDM_NO_MEMORY;
  GET(arg[1], er, parts * 4);
  GET(arg[3], es, parts * 4);
  for (uint64_t p = 0; p < parts; p++) {
    uint64_t nr = er[p] - (p ? er[p - 1] : 0), ns = es[p] - (p ? es[p - 1] : 0);
    if (nr > most) most = nr;
    if (ns > most) most = ns;
  }
  if (most > n || table_of(m, &t, most)) return GDM_NO_MEMORY;
  for (uint64_t p = 0; p < parts; p++) {
    uint32_t fr = p ? er[p - 1] : 0, fs = p ? es[p - 1] : 0, nr = er[p] - fr, ns = es[p] - fs;
    if (!ns) continue;
    if (nr) GET(arg[0] + 4ull * fr, t.r, 4ull * nr);
    GET(arg[2] + 4ull * fs, t.s, 4ull * ns);
    probe(&t, nr, ns, fr);
    PUT(arg[4] + 4ull * fs, t.pos, 4ull * ns);
    PUT(arg[4] + 4 * n + 2ull * fs, t.count, 2ull * ns);
  }
  return 0;
}

/* Distinct keys in no order: multiples of an odd number. */
static uint32_t key(uint64_t i) { return (uint32_t)i * 2654435769u ^ 0x5bd1e995u; }
static void fill_r(struct gdm_prog *l, struct gdm_prog_buf *b) {
  uint32_t *v = (uint32_t *)(void *)b->p;
  uint32_t start = (uint32_t)(l->seed * 977);
  for (uint64_t i = 0; i < b->bytes / 4; i++) v[i] = key(start + i);
}
/* About half of them are in r. */
static void fill_s(struct gdm_prog *l, struct gdm_prog_buf *b) {
  uint32_t *v = (uint32_t *)(void *)b->p;
  uint32_t start = (uint32_t)(l->seed * 977);
  struct gmmu_rng r = gdm_rng(l, b);
  for (uint64_t i = 0; i < b->bytes / 4; i++) v[i] = key(start + gmmu_rng_below(&r, b->bytes / 2));
}

static void partition(struct gdm_prog *l, const char *column, const char *parts, const char *ends,
                      int buf, uint64_t n, uint64_t bits) {
  gdm_alloc(l, column);
  gdm_alloc(l, parts);
  gdm_alloc(l, ends);
  gdm_htod(l, column, 0, buf, 0, n * 4);
  struct gdm_prog_step *s = gdm_launch_step(l, "ends", k_ends, 1);
  gdm_arg_region(l, s, column);
  gdm_arg_region(l, s, ends);
  gdm_arg_value(s, n);
  gdm_arg_value(s, bits);
  s = gdm_launch_step(l, "scatter", k_scatter, 3);
  gdm_arg_region(l, s, column);
  gdm_arg_region(l, s, parts);
  gdm_arg_region(l, s, ends);
  gdm_arg_value(s, n);
  gdm_arg_value(s, bits);
  gdm_free(l, column);
}

void gdm_make_hj(struct gdm_prog *l) {
  uint64_t bytes = gdm_bytes(l, "r"), n = bytes / 4, ends = gdm_bytes(l, "r_ends") / 4, bits = 0;
  int r = gdm_buf(l, bytes, fill_r, false), s = gdm_buf(l, bytes, fill_s, false),
      out = gdm_buf(l, n * 6, NULL, true);
  while (2ull << bits <= ends) bits++;
  gdm_host(l, NULL, 1);
  partition(l, "r", "r_parts", "r_ends", r, n, bits);
  partition(l, "s", "s_parts", "s_ends", s, n, bits);
  gdm_alloc(l, "out");
  struct gdm_prog_step *j = gdm_launch_step(l, "join", k_join, 6);
  gdm_arg_region(l, j, "r_parts");
  gdm_arg_region(l, j, "r_ends");
  gdm_arg_region(l, j, "s_parts");
  gdm_arg_region(l, j, "s_ends");
  gdm_arg_region(l, j, "out");
  gdm_arg_value(j, n);
  gdm_arg_value(j, bits);
  gdm_dtoh(l, out, "out", 0, n * 6);
  gdm_host(l, NULL, 1);
  gdm_free(l, "r_parts");
  gdm_free(l, "r_ends");
  gdm_free(l, "s_parts");
  gdm_free(l, "s_ends");
  gdm_free(l, "out");
}
