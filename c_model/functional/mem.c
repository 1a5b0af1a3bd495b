/* SPDX-License-Identifier: Apache-2.0 */
/**
 * mem.c - sparse physical memory: an open-addressed hash of 4 KiB frames.
 *
 * A read is one multiplication and (nearly always) one probe, and changes nothing, so several
 * threads may read one image. Frames are never removed; a frame is allocated by the first word
 * written that is not 0.
 */
#include "gmmu.h"

#include <stdlib.h>
#include <string.h>

#define WORDS_PER_FRAME (GMMU_PAGE / 8)

struct slot {
  uint64_t pfn;
  uint64_t *words; /* NULL: the slot is free */
};
struct gmmu_mem {
  struct slot *slots;
  unsigned log2_slots;
  size_t used;
};

/* A word is written deep inside table builders that have no error to return for it. */
static void *calloc_or_die(size_t n, size_t size) {
  void *p = calloc(n, size);
  if (!p) {
    fputs("gmmu: out of memory\n", stderr);
    abort();
  }
  return p;
}

struct gmmu_mem *gmmu_mem_new(void) {
  struct gmmu_mem *m = calloc_or_die(1, sizeof *m);
  m->log2_slots = 8;
  m->slots = calloc_or_die((size_t)1 << m->log2_slots, sizeof *m->slots);
  return m;
}

void gmmu_mem_free(struct gmmu_mem *m) {
  if (!m) return;
  for (size_t i = 0; i < (size_t)1 << m->log2_slots; i++) free(m->slots[i].words);
  free(m->slots);
  free(m);
}

/* The frame's slot, or the free slot where it would go (the table is never full). */
static struct slot *find(const struct gmmu_mem *m, uint64_t pfn) {
  size_t mask = ((size_t)1 << m->log2_slots) - 1;
  size_t i = (size_t)((pfn * 0x9e3779b97f4a7c15ull) >> (64 - m->log2_slots));
  while (m->slots[i].words && m->slots[i].pfn != pfn) i = (i + 1) & mask;
  return &m->slots[i];
}

static void grow(struct gmmu_mem *m) {
  struct slot *old = m->slots;
  size_t n = (size_t)1 << m->log2_slots;

  m->log2_slots++;
  m->slots = calloc_or_die(2 * n, sizeof *m->slots);
  for (size_t i = 0; i < n; i++)
    if (old[i].words) *find(m, old[i].pfn) = old[i];
  free(old);
}

uint64_t gmmu_mem_read64(const struct gmmu_mem *m, uint64_t pa) {
  const struct slot *s = find(m, pa >> 12);
  return s->words ? s->words[(pa & 0xfff) >> 3] : 0;
}

void gmmu_mem_write64(struct gmmu_mem *m, uint64_t pa, uint64_t value) {
  struct slot *s = find(m, pa >> 12);
  if (!s->words) {
    if (value == 0) return;
    if (2 * (m->used + 1) > (size_t)1 << m->log2_slots) {
      grow(m);
      s = find(m, pa >> 12);
    }
    s->pfn = pa >> 12;
    s->words = calloc_or_die(WORDS_PER_FRAME, sizeof *s->words);
    m->used++;
  }
  s->words[(pa & 0xfff) >> 3] = value;
}

static int by_pfn(const void *a, const void *b) {
  uint64_t x = ((const struct slot *)a)->pfn, y = ((const struct slot *)b)->pfn;
  return (x > y) - (x < y);
}

static void frame_each(const struct slot *s, void (*fn)(void *, uint64_t, uint64_t), void *arg) {
  for (unsigned i = 0; i < WORDS_PER_FRAME; i++)
    if (s->words[i]) fn(arg, s->pfn << 12 | i * 8, s->words[i]);
}

void gmmu_mem_each(const struct gmmu_mem *m, void (*fn)(void *arg, uint64_t pa, uint64_t value),
                   void *arg) {
  struct slot *sorted = calloc_or_die(m->used + 1, sizeof *sorted);
  size_t n = 0;

  for (size_t i = 0; i < (size_t)1 << m->log2_slots; i++)
    if (m->slots[i].words) sorted[n++] = m->slots[i];
  qsort(sorted, n, sizeof *sorted, by_pfn);
  for (size_t i = 0; i < n; i++) frame_each(&sorted[i], fn, arg);
  free(sorted);
}
