/* SPDX-License-Identifier: Apache-2.0 */
/** ap_tlb.c - the TLB of a block in its scratchpad (section III-E): entry = key, frame, count of
 * the block's links. An entry keeps one reference to its page; with links it is never replaced.
 * Atomics and loads there take effect in order. */
#include "ap_int.h"

#define LOCKED 0xffffffffu
struct entry {
  uint32_t page, file, frame, count;
};

INLINE volatile struct entry *entry_of(struct ap_key k) {
  return (volatile struct entry *)(0xe0000000u + APD_SCRATCH_WORDS * 4) +
         ((k.page ^ k.file >> 24) & (SYS->tlb_entries - 1));
}
INLINE struct ap_key key_in(volatile struct entry *e) { return (struct ap_key){e->page, e->file}; }
INLINE uint32_t empty(volatile struct entry *e) { return (e->page & e->file) == APD_NO_KEY; }
INLINE uint32_t try_lock(uint32_t lead, volatile struct entry *e) {
  return w_cas_by(lead, &e->count, 0, LOCKED) == 0;
}

uint32_t ap_tlb_get(uint32_t lead, struct ap_key key, uint32_t n, uint32_t *frame) {
  volatile struct entry *e = entry_of(key);
  if (!ap_same(key_in(e), key)) return 0;
  for (;;) {
    uint32_t c = e->count;
    if (c == LOCKED) return 0;
    if (w_cas_by(lead, &e->count, c, c + n) == c) break;
  }
  /* Counted now, so it cannot change any more: it may have before. */
  if (!ap_same(key_in(e), key)) {
    w_post_by(lead, &e->count, -n);
    return 0;
  }
  *frame = e->frame;
  return 1;
}

uint32_t ap_tlb_fill(uint32_t lead, struct ap_key key, uint32_t n, uint32_t frame) {
  volatile struct entry *e = entry_of(key);
  if (!try_lock(lead, e)) return 0;
  struct ap_key old = key_in(e);
  /* One reference stays with the entry; where it holds this page already (filled by another warp)
   * it has one. */
  uint32_t same = ap_same(old, key), spare = same ? n : n - 1;
  if (!same && !empty(e)) ap_cache_put(lead, e->frame, 1);
  if (spare) ap_cache_put(lead, frame, spare);
  e->page = key.page, e->file = key.file, e->frame = frame;
  e->count = n;
  return 1;
}

void ap_tlb_put(uint32_t lead, struct ap_key key, uint32_t n) {
  volatile struct entry *e = entry_of(key);
#if AP_VERIFY
  uint32_t same = ap_same(key_in(e), key); /* fixed while links are counted */
  uint32_t was = w_add_by(lead, &e->count, -n);
  if (!same || was == LOCKED || was < n) w_abort(0xd0000000u | was);
#else
  w_post_by(lead, &e->count, -n);
#endif
}

/* Gives back what entries without links keep. */
uint32_t ap_tlb_flush(uint32_t lead) {
  uint32_t n = 0;
  volatile struct entry *e = (volatile struct entry *)(0xe0000000u + APD_SCRATCH_WORDS * 4);
  for (uint32_t i = 0; i < SYS->tlb_entries; i++, e++) {
    if (empty(e) || !try_lock(lead, e)) continue;
    if (!empty(e)) {
      ap_cache_put(lead, e->frame, 1);
      e->page = e->file = APD_NO_KEY;
      n++;
    }
    e->count = 0;
  }
  return n;
}

void ap_begin(const struct apd_system *s) {
  volatile uint32_t *to = (volatile uint32_t *)SYS;
  const volatile uint32_t *from = (const volatile uint32_t *)s;
  ap_data = s->data;
  ap_mask = s->data_mask;
  if (w_warp() == 0) {
    AP_BLOCK->dead = AP_BLOCK->pressure_seen = 0;
    AP_BLOCK->pad[0] = (uint32_t)s;
    for (uint32_t i = 0; i < 16; i++) to[i] = from[i];
    volatile struct entry *e = (volatile struct entry *)(0xe0000000u + APD_SCRATCH_WORDS * 4);
    for (uint32_t i = w_lane(); i < s->tlb_entries; i += 32) {
      e[i].page = e[i].file = APD_NO_KEY;
      e[i].frame = e[i].count = 0;
    }
  }
  w_bar();
}

void ap_end(void) {
  w_bar();
  if (w_warp() == 0) ap_tlb_flush(ap_lead());
}
