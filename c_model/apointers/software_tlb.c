/* SPDX-License-Identifier: Apache-2.0 */
#include "apointers/software_tlb.h"

#include <stdio.h>
#include <stdlib.h>

#define LOCKED (-1)

static struct ap_tlb_entry *entry_of(struct ap_tlb *t, uint64_t key) {
  return &t->entry[(key ^ key >> 56) & (t->entries - 1)];
}

static bool try_lock(struct ap_tlb_entry *e) {
  int32_t zero = 0;
  return atomic_compare_exchange_strong_explicit(&e->count, &zero, LOCKED, memory_order_acquire,
                                                 memory_order_relaxed);
}

int ap_tlb_init(struct ap_tlb *t, uint32_t entries) {
  t->entries = entries;
  t->entry = entries ? calloc(entries, sizeof *t->entry) : NULL;
  if (entries && !t->entry) return -1;
  for (uint32_t i = 0; i < entries; i++) atomic_init(&t->entry[i].key, AP_NO_KEY);
  return 0;
}

bool ap_tlb_get(struct ap_tlb *t, uint64_t key, int32_t n, uint32_t *frame) {
  struct ap_tlb_entry *e = entry_of(t, key);
  int32_t c = atomic_load_explicit(&e->count, memory_order_relaxed);
  if (atomic_load_explicit(&e->key, memory_order_relaxed) != key) return false;
  do {
    if (c < 0) return false;
  } while (!atomic_compare_exchange_weak_explicit(&e->count, &c, c + n, memory_order_acquire,
                                                  memory_order_relaxed));
  /* Counted now, so it cannot change any more: it may have before. */
  if (atomic_load_explicit(&e->key, memory_order_relaxed) != key) {
    atomic_fetch_sub_explicit(&e->count, n, memory_order_release);
    return false;
  }
  *frame = atomic_load_explicit(&e->frame, memory_order_relaxed);
  return true;
}

bool ap_tlb_fill(struct ap_tlb *t, struct ap_cache *c, uint64_t key, int32_t n, uint32_t frame) {
  struct ap_tlb_entry *e = entry_of(t, key);
  if (!try_lock(e)) return false;
  uint64_t old = atomic_load_explicit(&e->key, memory_order_relaxed);
  /* One reference stays with the entry; where it holds this page already (filled by another warp)
   * it has one. */
  int32_t spare = old == key ? n : n - 1;
  if (old != AP_NO_KEY && old != key)
    ap_cache_put(c, atomic_load_explicit(&e->frame, memory_order_relaxed), 1);
  if (spare) ap_cache_put(c, frame, spare);
  atomic_store_explicit(&e->key, key, memory_order_relaxed);
  atomic_store_explicit(&e->frame, frame, memory_order_relaxed);
  atomic_store_explicit(&e->count, n, memory_order_release);
  return true;
}

void ap_tlb_put(struct ap_tlb *t, uint64_t key, int32_t n) {
  struct ap_tlb_entry *e = entry_of(t, key);
  bool same = atomic_load_explicit(&e->key, memory_order_relaxed) ==
              key; /* fixed while links are counted */
  int32_t was = atomic_fetch_sub_explicit(&e->count, n, memory_order_release);
  if (was >= n && same) return;
  fprintf(stderr, "software TLB: links released that were not counted: page %llx, count %d\n",
          (unsigned long long)key, was);
  abort();
}

uint32_t ap_tlb_flush(struct ap_tlb *t, struct ap_cache *c) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < t->entries; i++) {
    struct ap_tlb_entry *e = &t->entry[i];
    if (atomic_load_explicit(&e->key, memory_order_relaxed) == AP_NO_KEY || !try_lock(e)) continue;
    if (atomic_load_explicit(&e->key, memory_order_relaxed) != AP_NO_KEY) {
      ap_cache_put(c, atomic_load_explicit(&e->frame, memory_order_relaxed), 1);
      atomic_store_explicit(&e->key, AP_NO_KEY, memory_order_relaxed);
      n++;
    }
    atomic_store_explicit(&e->count, 0, memory_order_release);
  }
  return n;
}

bool ap_tlb_holds(const struct ap_tlb *t, uint64_t key, uint32_t frame, uint32_t held) {
  const struct ap_tlb_entry *e = &t->entry[(key ^ key >> 56) & (t->entries - 1)];
  int32_t n = atomic_load_explicit(&e->count, memory_order_relaxed);
  return atomic_load_explicit(&e->key, memory_order_relaxed) == key &&
         atomic_load_explicit(&e->frame, memory_order_relaxed) == frame && n > 0 &&
         (uint32_t)n >= held;
}

void ap_tlb_free(struct ap_tlb *t) { free(t->entry); }
