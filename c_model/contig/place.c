/* SPDX-License-Identifier: Apache-2.0 */
/** place.c - chooses physical frames for the arrays of a trace: the driver's memory allocation. */
#include "gmmu_manager.h"

#include <stdlib.h>
#include <string.h>

/* Pages that one or several arrays occupy. */
struct range {
  uint64_t first, last; /* page numbers, in units of the job's page */
  bool writable;
};
struct place {
  unsigned shift; /* log2 of the page: 12 or 21 */
  struct range *v;
  size_t n;
  uint64_t pages; /* of all ranges */
};

static int by_first(const void *a, const void *b) {
  uint64_t x = ((const struct range *)a)->first, y = ((const struct range *)b)->first;
  return (x > y) - (x < y);
}

static int collect(const struct gmmu_trace *t, struct place *p, struct gmmu_err *err) {
  for (uint32_t i = 0; i < gmmu_trace_num_arrays(t); i++) {
    const struct gmmu_array *a = gmmu_trace_array(t, i);
    uint64_t last = a->va + (a->bytes - 1);
    if (a->bytes == 0) continue;
    if (last < a->va)
      return gmmu_fail(err, "array '%s' goes past the end of the address space", a->name);
    p->v[p->n++] = (struct range){a->va >> p->shift, last >> p->shift, a->writable};
  }
  return 0;
}

/* Arrays that share a page become one range: a page has one frame and one permission. */
static void merge(struct place *p) {
  size_t n = 0;
  qsort(p->v, p->n, sizeof *p->v, by_first);
  for (size_t i = 0; i < p->n; i++) {
    struct range *prev = n ? &p->v[n - 1] : NULL, r = p->v[i];
    if (prev && r.first <= prev->last) {
      if (r.last > prev->last) prev->last = r.last;
      prev->writable |= r.writable;
    } else {
      p->v[n++] = r;
    }
  }
  p->n = n;
  for (size_t i = 0; i < n; i++) p->pages += p->v[i].last - p->v[i].first + 1;
}

struct gmmu_page_range *gmmu_array_ranges(const struct gmmu_trace *t, unsigned shift, size_t *n,
                                          struct gmmu_err *err) {
  struct place p = {.shift = shift};
  struct gmmu_page_range *v = calloc(gmmu_trace_num_arrays(t) + 1u, sizeof *v);
  p.v = calloc(gmmu_trace_num_arrays(t) + 1u, sizeof *p.v);
  if (!v || !p.v) gmmu_fail(err, "out of memory");
  if (!v || !p.v || collect(t, &p, err)) {
    free(v);
    free(p.v);
    return NULL;
  }
  merge(&p);
  for (size_t i = 0; i < p.n; i++)
    v[i] = (struct gmmu_page_range){p.v[i].first << shift,
                                    (p.v[i].last - p.v[i].first + 1) << shift, p.v[i].writable};
  *n = p.n;
  free(p.v);
  return v;
}

/* 0..n-1 in a random order (Fisher-Yates). */
static uint64_t *shuffled(uint64_t n, uint64_t seed) {
  struct gmmu_rng rng = {seed};
  uint64_t *v = calloc(n + 1, sizeof *v);
  if (!v) return NULL;
  for (uint64_t i = 0; i < n; i++) {
    uint64_t j = gmmu_rng_below(&rng, i + 1);
    v[i] = v[j];
    v[j] = i;
  }
  return v;
}

/* order: frame of the k-th page, NULL: the k-th. Lines of one page each if scattered. */
static void emit(const struct place *p, int asid, int kind, uint64_t base_pa, const uint64_t *order,
                 struct gmmu_mapping *out) {
  uint64_t k = 0;
  for (size_t i = 0; i < p->n; i++) {
    const struct range *r = &p->v[i];
    uint64_t bits = GMMU_PTE_V | GMMU_PTE_R | GMMU_PTE_U | GMMU_PTE_A;
    uint64_t step = order ? 1 : r->last - r->first + 1;
    if (r->writable) bits |= GMMU_PTE_W | GMMU_PTE_D;
    for (uint64_t page = r->first; page <= r->last; page += step, k += step) {
      struct gmmu_map_line *l = gmmu_mapping_next(out);
      l->asid = asid;
      l->va = page << p->shift;
      l->pa = base_pa + ((order ? order[k] : k) << p->shift);
      l->bytes = step << p->shift;
      l->bits = bits;
      l->kind = kind;
      l->line = (int)out->n;
    }
  }
}

/* `frames` 4 KiB frames, rounded to 2 MiB, from *next on; *next moves behind them. */
static int reserve(uint64_t frames, uint64_t *next, uint64_t hi_pfn, uint64_t *base,
                   struct gmmu_err *err) {
  uint64_t first = *next + 511;
  frames = (frames + 511) & ~511ull;
  first &= ~511ull;
  if (frames && (first < *next || first > hi_pfn || hi_pfn - first + 1 < frames))
    return gmmu_fail(
        err, "%llu frames are needed, but physical memory ends at PFN 0x%llx (next free: 0x%llx)",
        (unsigned long long)frames, (unsigned long long)hi_pfn, (unsigned long long)*next);
  *base = first;
  *next = first + frames;
  return 0;
}

/* A frame for each page, counted from 0, in fragmented memory; *span: frames in all. */
static uint64_t *fragmented(const struct place *p, double target, uint64_t seed, uint64_t *span) {
  uint64_t *vfn = calloc(p->pages + 1, sizeof *vfn), *order = calloc(p->pages + 1, sizeof *order),
           k = 0;

  for (size_t i = 0; vfn && i < p->n; i++)
    for (uint64_t page = p->v[i].first; page <= p->v[i].last; page++) vfn[k++] = page;
  *span = vfn && order ? gmmu_fragment(vfn, k, target, seed, order) : 0;
  free(vfn);
  if (*span || !p->pages) return order;
  free(order);
  return NULL;
}

/* target < 0: contiguous, or scattered. */
static int place(struct place *p, int asid, int kind, bool scattered, double target, uint64_t seed,
                 uint64_t *next, uint64_t hi_pfn, struct gmmu_mapping *out, struct gmmu_err *err) {
  uint64_t base = 0, *order = NULL, after = *next, span = p->pages << (p->shift - 12);
  bool by_page = scattered || target >= 0, ok;
  struct gmmu_mapping m = {0};

  if (p->pages << (kind == GMMU_MAP_COALESCED ? 9 : 0) > GMMU_MAX_LEAVES ||
      p->pages > GMMU_MAX_LEAVES)
    return gmmu_fail(err, "the arrays need more than %u leaf PTEs (32 GiB of 4 KiB pages)",
                     GMMU_MAX_LEAVES);
  if (target >= 0) order = fragmented(p, target, seed, &span);
  if (reserve(span, &after, hi_pfn, &base, err)) {
    free(order);
    return -1;
  }
  m.v = calloc((by_page ? p->pages : p->n) + 1, sizeof *m.v);
  if (scattered) order = shuffled(p->pages, seed);
  ok = m.v && (order || !by_page);
  if (ok) {
    emit(p, asid, kind, base << 12, order, &m);
    *out = m;
    *next = after;
  } else {
    free(m.v);
    gmmu_fail(err, "out of memory");
  }
  free(order);
  return ok ? 0 : -1;
}

static int place_arrays(const struct gmmu_trace *t, int asid, int kind, bool scattered,
                        double target, uint64_t seed, uint64_t *next_frame, uint64_t hi_pfn,
                        struct gmmu_mapping *out, struct gmmu_err *err) {
  struct place p = {.shift = kind == GMMU_MAP_4K ? 12 : 21};
  int rc;

  p.v = calloc(gmmu_trace_num_arrays(t) + 1u, sizeof *p.v);
  if (!p.v) return gmmu_fail(err, "out of memory");
  rc = collect(t, &p, err);
  if (rc == 0) {
    merge(&p);
    rc = place(&p, asid, kind, scattered, target, seed, next_frame, hi_pfn, out, err);
  }
  free(p.v);
  return rc;
}

int gmmu_place_arrays(const struct gmmu_trace *t, int asid, int kind, bool scattered, uint64_t seed,
                      uint64_t *next_frame, uint64_t hi_pfn, struct gmmu_mapping *out,
                      struct gmmu_err *err) {
  return place_arrays(t, asid, kind, scattered, -1, seed, next_frame, hi_pfn, out, err);
}

int gmmu_place_fragmented(const struct gmmu_trace *t, int asid, double target, uint64_t seed,
                          uint64_t *next_frame, uint64_t hi_pfn, struct gmmu_mapping *out,
                          struct gmmu_err *err) {
  return place_arrays(t, asid, GMMU_MAP_4K, false, target, seed, next_frame, hi_pfn, out, err);
}
