/* SPDX-License-Identifier: Apache-2.0 */
/** ap_cache.c - page cache: counts, hash table, clock, faults, requests to the host (section V). */
#include "ap_int.h"

INLINE volatile struct apd_bucket *bucket_of(struct ap_key k) {
  return (volatile struct apd_bucket *)SYS->bucket + (apd_hash(k.page, k.file) & SYS->bucket_mask);
}

/* ---------------------------------------- counts, locks */

/* References, unless the frame is owned: then they are given back. */
INLINE uint32_t try_get(uint32_t lead, volatile struct apd_frame *f, uint32_t n) {
  int32_t old = (int32_t)w_add_by(lead, &f->count, n);
  if (old >= 0) return 1;
  w_post_by(lead, &f->count, -n);
  return 0;
}

INLINE uint32_t try_own(uint32_t lead, volatile struct apd_frame *f) {
  return w_cas_by(lead, &f->count, 0, APD_OWNED) == 0;
}

INLINE void disown(uint32_t lead, volatile struct apd_frame *f, uint32_t n) {
  w_fence();
  w_post_by(lead, &f->count, n - APD_OWNED);
}

void ap_cache_put(uint32_t lead, uint32_t frame, uint32_t n) {
#if AP_VERIFY
  uint32_t old = w_add_by(lead, &ap_frame(frame)->count, -n);
  if ((int32_t)old >= 0 && old < n) w_abort(0xc0000000u | frame); /* more released than taken */
#else
  w_post_by(lead, &ap_frame(frame)->count, -n);
#endif
}

static void lock(uint32_t lead, volatile struct apd_bucket *b) {
  while (w_swap_by(lead, &b->lock, 1)) continue;
  w_fence();
}

INLINE void unlock(volatile struct apd_bucket *b) {
  w_fence();
  b->lock = 0;
}

/* ---------------------------------------- table */

/* The frame with this key in the chain, or `frames`; without the lock it must be looked at again.
 */
static uint32_t find(volatile struct apd_bucket *b, struct ap_key key) {
  uint32_t at = b->head;
  for (uint32_t steps = 0; at && steps <= SYS->frames; steps++) {
    struct w4 f = w_load16((const void *)ap_frame(at - 1));
    if (ap_same((struct ap_key){f.v[0], f.v[1]}, key)) return at - 1;
    at = f.v[2];
  }
  return SYS->frames;
}

INLINE struct ap_key key_of(volatile struct apd_frame *f) {
  struct w2 k = w_load8((const void *)f);
  return (struct ap_key){k.v[0], k.v[1]};
}

/* Takes an owned frame's page out of the table. */
static void forget(uint32_t lead, uint32_t i) {
  volatile struct apd_frame *f = ap_frame(i);
  volatile struct apd_bucket *b = bucket_of(key_of(f));
  lock(lead, b);
  volatile uint32_t *at = &b->head;
  while (*at != i + 1) at = &ap_frame(*at - 1)->next;
  *at = f->next;
  w_store8((void *)f, (struct w2){{APD_NO_KEY, APD_NO_KEY}});
  unlock(b);
}

/* ---------------------------------------- the host */

uint32_t ap_ask(uint32_t lead, uint32_t op, uint32_t file, int64_t page, uint32_t address,
                uint32_t *answer) {
  uint32_t ticket = w_add_by(lead, &ap_far()->ring_head, 1), slots = SYS->slots;
  volatile struct apd_slot *s = (volatile struct apd_slot *)SYS->ring + (ticket & (slots - 1));
  while (s->turn != ticket) continue;
  s->op = op, s->file = file, s->page_lo = (uint32_t)page, s->page_hi = (uint32_t)(page >> 32),
  s->address = address;
  w_fence();
  s->turn = ticket + 1;
  while (s->done != ticket + 1) continue;
  w_fence();
  uint32_t e = s->error;
  if (answer) *answer = s->file;
  w_fence();
  s->turn = ticket + slots;
  return e;
}

INLINE uint32_t frame_address(uint32_t i) { return ap_data + (i << APD_PAGE_BITS); }
INLINE int64_t page_of(struct ap_key k) {
  return (int64_t)((uint64_t)(k.file & 0xff) << 32 | k.page);
}

static uint32_t write_back(uint32_t lead, uint32_t i) {
  struct ap_key k = key_of(ap_frame(i));
  return ap_ask(lead, APD_OP_WRITE, k.file >> 24, page_of(k), frame_address(i), 0);
}

/* ---------------------------------------- eviction */

/* Clock: two turns of the hand find a frame unless all are referenced. An owned frame without a
 * page, or `frames`. */
static uint32_t take_frame(uint32_t lead, uint32_t *error) {
  uint32_t frames = SYS->frames;
  *error = APD_OK;
  for (uint32_t step = 0; step < 2 * frames; step++) {
    uint32_t i = w_add_by(lead, &ap_far()->hand, 1) & (frames - 1);
    volatile struct apd_frame *f = ap_frame(i);
    struct w4 c = w_load16((const void *)&f->count); /* count, dirty, used */
    if (c.v[0]) continue;
    if (c.v[2]) {
      f->used = 0;
      continue;
    }
    if (!try_own(lead, f)) continue;
    w_fence();
    if (key_of(f).page == APD_NO_KEY && key_of(f).file == APD_NO_KEY) return i;
    if (f->dirty && (*error = write_back(lead, i))) {
      disown(lead, f, 0); /* its data exists nowhere else: it stays, and who asked learns of it */
      return frames;
    }
    f->dirty = 0;
    forget(lead, i);
    return i;
  }
  return frames;
}

/* An owned frame for this page; or `frames`: somebody else found one for it meanwhile. Up to
 * retry_limit tries of one fault; nothing is locked meanwhile. */
static uint32_t find_frame(uint32_t lead, struct ap_key key, uint32_t *tries, uint32_t *frame) {
  for (; *tries < SYS->retry_limit; ++*tries) {
    uint32_t e;
    if ((*frame = take_frame(lead, &e)) < SYS->frames) return APD_OK;
    if (e) return e;
    if (find(bucket_of(key), key) < SYS->frames) return APD_OK;
    w_post_by(lead, &ap_far()->pressure, 1);
    ap_tlb_flush(lead);
  }
  return APD_NO_PAGE;
}

/* ---------------------------------------- faults */

/* References to frame i of this page; 0: it holds another page by now, or is being filled or
 * evicted. */
static uint32_t get_page(uint32_t lead, uint32_t i, struct ap_key key, uint32_t n) {
  if (!try_get(lead, ap_frame(i), n)) return 0;
  if (ap_same(key_of(ap_frame(i)), key)) return 1;
  ap_cache_put(lead, i, n);
  return 0;
}

/* Somebody brings the page: wait for it with the references held. */
static uint32_t await(uint32_t lead, uint32_t i, uint32_t n) {
  volatile struct apd_frame *f = ap_frame(i);
  uint32_t state;
  while ((state = f->state) == APD_LOADING) continue;
  if (state == APD_READY) return APD_OK;
  uint32_t e = f->error;
  ap_cache_put(lead, i, n);
  return e;
}

/* Puts the owned frame into the table, or finds that somebody was faster: then *i is his frame and
 * ours is free again. */
enum entered { INSERTED, OTHERS, AGAIN };
static enum entered enter(uint32_t lead, struct ap_key key, uint32_t n, uint32_t *i) {
  volatile struct apd_bucket *b = bucket_of(key);
  volatile struct apd_frame *f = ap_frame(*i);
  lock(lead, b);
  uint32_t other = find(b, key);
  if (other < SYS->frames) {
    uint32_t got = get_page(lead, other, key, n);
    unlock(b);
    disown(lead, f, 0);
    *i = other;
    return got ? OTHERS : AGAIN;
  }
  f->used = 1;
  w_store16((void *)f, (struct w4){{key.page, key.file, b->head, APD_LOADING}});
  disown(lead, f, n);
  w_fence();
  b->head = *i + 1;
  unlock(b);
  return INSERTED;
}

static uint32_t bring(uint32_t lead, uint32_t i, struct ap_key key, uint32_t n) {
  volatile struct apd_frame *f = ap_frame(i);
  uint32_t e = ap_ask(lead, APD_OP_READ, key.file >> 24, page_of(key), frame_address(i), 0);
  if (e) {
    forget(lead, i);
    f->error = e;
    w_fence();
    f->state = APD_FAILED;
    ap_cache_put(lead, i, n); /* those who wait give theirs back too, then the clock takes it */
  } else {
    f->state = APD_READY;
  }
  return e;
}

uint32_t ap_cache_get(uint32_t lead, struct ap_key key, uint32_t n, uint32_t dirty,
                      uint32_t *frame) {
  uint32_t e, i, frames = SYS->frames, tries = 0;
  for (;;) {
    i = find(bucket_of(key), key);
    if (i < frames && get_page(lead, i, key, n)) {
      if ((e = await(lead, i, n))) return e;
    } else if (i < frames && ap_same(key_of(ap_frame(i)), key)) {
      continue; /* on its way out: no second frame for it, and none evicted for nothing */
    } else {
      if ((e = find_frame(lead, key, &tries, &i))) return e;
      if (i == frames) continue;
      enum entered how = enter(lead, key, n, &i);
      if (how == AGAIN) continue;
      if ((e = how == INSERTED ? bring(lead, i, key, n) : await(lead, i, n))) return e;
    }
    if (dirty) ap_frame(i)->dirty = 1;
    ap_frame(i)->used = 1;
    *frame = i;
    return APD_OK;
  }
}

uint32_t ap_cache_sync(uint32_t lead, uint32_t file, int64_t from, int64_t to) {
  uint32_t first = APD_OK;
  for (uint32_t i = 0; i < SYS->frames; i++) {
    volatile struct apd_frame *f = ap_frame(i);
    struct ap_key k = key_of(f);
    if (k.file >> 24 != file || page_of(k) < from || page_of(k) >= to || !f->dirty) continue;
    uint32_t alone = try_own(lead, f), e;
    if (!alone && !get_page(lead, i, k, 1)) continue; /* its evictor writes it */
    w_fence();
    if (!alone && f->state != APD_READY) {
      /* Evicted since, and on its way back: its frame still holds another page's bytes. */
      ap_cache_put(lead, i, 1);
      continue;
    }
    uint32_t still = ap_same(key_of(f), k);
    e = still ? write_back(lead, i) : APD_OK;
    /* A linked pointer may store again without a fault, so only an unreferenced page is clean now.
     */
    if (alone && !e && still) f->dirty = 0;
    if (alone) disown(lead, f, 0);
    else ap_cache_put(lead, i, 1);
    if (e && !first) first = e;
  }
  return first;
}
