/* SPDX-License-Identifier: Apache-2.0 */
#include "apointers/page_cache.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define OWNED (-1)

static void add(_Atomic uint64_t *v) { atomic_fetch_add_explicit(v, 1, memory_order_relaxed); }

/* A wait of one try; longer after many, as warps are host threads and there are more of them than
 * cores. */
static void pause_try(uint32_t tries) {
  struct timespec t = {0, 20000};
  if (tries < 64) sched_yield();
  else nanosleep(&t, NULL);
}

/* A count that is wrong has lost or doubled a reference: going on would hand a page to two owners.
 */
static void check(bool ok, const char *what, uint32_t frame, int32_t count) {
  if (ok) return;
  fprintf(stderr, "page cache: %s: frame %u, count %d\n", what, frame, count);
  abort();
}

/* ---------------------------------------- counts */

static bool try_get(struct ap_frame *f, int32_t n) {
  int32_t c = atomic_load_explicit(&f->count, memory_order_relaxed);
  while (c >= 0)
    if (atomic_compare_exchange_weak_explicit(&f->count, &c, c + n, memory_order_acquire,
                                              memory_order_relaxed))
      return true;
  return false;
}

static bool try_own(struct ap_frame *f) {
  int32_t zero = 0;
  return atomic_compare_exchange_strong_explicit(&f->count, &zero, OWNED, memory_order_acquire,
                                                 memory_order_relaxed);
}

static void disown(struct ap_cache *c, uint32_t i, int32_t count) {
  int32_t was = atomic_exchange_explicit(&c->frame[i].count, count, memory_order_release);
  check(was == OWNED, "a frame changed under its owner", i, was);
}

void ap_cache_put(struct ap_cache *c, uint32_t i, int32_t n) {
  int32_t was = atomic_fetch_sub_explicit(&c->frame[i].count, n, memory_order_release);
  check(was >= n, "more references released than taken", i, was);
}

/* ---------------------------------------- table */

/* Also what a GPU's handler can afford: one multiplication. */
static struct ap_bucket *bucket_of(struct ap_cache *c, uint64_t key) {
  return &c->bucket[((key * UINT64_C(0x9e3779b97f4a7c15)) >> 32) % c->buckets];
}

static void lock(struct ap_bucket *b) {
  for (uint32_t t = 0; atomic_exchange_explicit(&b->lock, true, memory_order_acquire); t++)
    pause_try(t);
}

static void unlock(struct ap_bucket *b) {
  atomic_store_explicit(&b->lock, false, memory_order_release);
}

/* The frame with this key in the chain, or `frames`. Without the lock a chain may change under the
 * walk, even lead into another one: what is found must be looked at again, what is not found may
 * still be there. */
static uint32_t find(struct ap_cache *c, struct ap_bucket *b, uint64_t key) {
  uint32_t at = atomic_load_explicit(&b->head, memory_order_acquire);
  for (uint32_t steps = 0; at && steps <= c->frames; steps++) {
    struct ap_frame *f = &c->frame[at - 1];
    if (atomic_load_explicit(&f->key, memory_order_acquire) == key) return at - 1;
    at = atomic_load_explicit(&f->next, memory_order_acquire);
  }
  return c->frames;
}

static void chain(struct ap_cache *c, struct ap_bucket *b, uint32_t i) {
  atomic_store_explicit(&c->frame[i].next, atomic_load_explicit(&b->head, memory_order_relaxed),
                        memory_order_relaxed);
  atomic_store_explicit(&b->head, i + 1, memory_order_release);
}

/* Takes an owned frame's page out of the table. */
static void forget(struct ap_cache *c, uint32_t i) {
  struct ap_frame *f = &c->frame[i];
  uint64_t key = atomic_load(&f->key);
  struct ap_bucket *b = bucket_of(c, key);
  _Atomic uint32_t *at = &b->head;
  lock(b);
  while (atomic_load_explicit(at, memory_order_relaxed) != i + 1)
    at = &c->frame[atomic_load_explicit(at, memory_order_relaxed) - 1].next;
  atomic_store_explicit(at, atomic_load_explicit(&f->next, memory_order_relaxed),
                        memory_order_release);
  atomic_store_explicit(&f->key, AP_NO_KEY, memory_order_release);
  unlock(b);
}

/* ---------------------------------------- eviction */

static enum gmmu_ap_error write_back(struct ap_cache *c, uint32_t i) {
  uint64_t key = atomic_load(&c->frame[i].key);
  add(&c->write_backs);
  return ap_ring_write(c->ring, AP_KEY_FILE(key), AP_KEY_PAGE(key), ap_cache_data(c, i));
}

/* Clock: two turns of the hand find a frame unless all are referenced. An owned frame without a
 * page, or `frames`. */
static uint32_t take_frame(struct ap_cache *c, enum gmmu_ap_error *error) {
  *error = GMMU_AP_OK;
  for (uint64_t step = 0; step < 2 * (uint64_t)c->frames; step++) {
    uint32_t i = atomic_fetch_add_explicit(&c->hand, 1, memory_order_relaxed) % c->frames;
    struct ap_frame *f = &c->frame[i];
    if (atomic_load_explicit(&f->count, memory_order_relaxed) != 0) continue;
    if (atomic_exchange_explicit(&f->used, false, memory_order_relaxed)) continue;
    if (!try_own(f)) continue;
    if (atomic_load(&f->key) == AP_NO_KEY) return i;
    if (atomic_load(&f->dirty) && (*error = write_back(c, i))) {
      /* Its data exists nowhere else: it stays, and who asked learns of it. */
      disown(c, i, 0);
      return c->frames;
    }
    atomic_store(&f->dirty, false);
    forget(c, i);
    add(&c->evictions);
    return i;
  }
  return c->frames;
}

/* A try that found all frames referenced; nothing is locked. */
static void press(struct ap_cache *c, uint32_t tries, bool (*relieve)(void *), void *arg) {
  add(&c->retries);
  atomic_fetch_add_explicit(&c->pressure, 1, memory_order_relaxed);
  if (!relieve || !relieve(arg)) pause_try(tries);
}

/* ---------------------------------------- faults */

static void note_count(struct ap_cache *c, uint32_t i) {
  int32_t n = atomic_load_explicit(&c->frame[i].count, memory_order_relaxed);
  uint64_t m = atomic_load_explicit(&c->max_count, memory_order_relaxed);
  while (n > 0 && (uint64_t)n > m && !atomic_compare_exchange_weak(&c->max_count, &m, (uint64_t)n))
    continue;
}

/* References to frame i of this page; false: it holds another page by now, or is being filled or
 * evicted. */
static bool get_page(struct ap_cache *c, uint32_t i, uint64_t key, int32_t n) {
  if (!try_get(&c->frame[i], n)) return false;
  if (atomic_load_explicit(&c->frame[i].key, memory_order_acquire) == key) return true;
  ap_cache_put(c, i, n);
  return false;
}

/* Somebody brings the page: wait for it with the references held. */
static enum gmmu_ap_error await(struct ap_cache *c, uint32_t i, int32_t n) {
  struct ap_frame *f = &c->frame[i];
  uint8_t state = atomic_load_explicit(&f->state, memory_order_acquire);
  if (state == AP_LOADING) add(&c->waits);
  for (uint32_t t = 0; state == AP_LOADING; t++) {
    pause_try(t);
    state = atomic_load_explicit(&f->state, memory_order_acquire);
  }
  if (state == AP_READY) return GMMU_AP_OK;
  enum gmmu_ap_error e = (enum gmmu_ap_error)atomic_load(&f->error);
  ap_cache_put(c, i, n);
  return e;
}

/* Puts the owned frame into the table, or finds that somebody was faster: then *i is his frame and
 * ours is free again. */
enum entered { INSERTED, OTHERS, AGAIN };
static enum entered enter(struct ap_cache *c, uint64_t key, int32_t n, uint32_t *i) {
  struct ap_bucket *b = bucket_of(c, key);
  struct ap_frame *f = &c->frame[*i];
  lock(b);
  uint32_t other = find(c, b, key);
  if (other < c->frames) {
    bool got = get_page(c, other, key, n);
    unlock(b);
    disown(c, *i, 0);
    *i = other;
    return got ? OTHERS : AGAIN;
  }
  atomic_store_explicit(&f->state, AP_LOADING, memory_order_relaxed);
  atomic_store_explicit(&f->used, true, memory_order_relaxed);
  atomic_store_explicit(&f->key, key, memory_order_release);
  disown(c, *i, n);
  chain(c, b, *i);
  unlock(b);
  return INSERTED;
}

static enum gmmu_ap_error bring(struct ap_cache *c, uint32_t i, uint64_t key, int32_t n) {
  struct ap_frame *f = &c->frame[i];
  enum gmmu_ap_error e =
      ap_ring_read(c->ring, AP_KEY_FILE(key), AP_KEY_PAGE(key), ap_cache_data(c, i));
  add(&c->major);
  if (!e) {
    atomic_store_explicit(&f->state, AP_READY, memory_order_release);
    return e;
  }
  forget(c, i);
  atomic_store(&f->error, (uint8_t)e);
  atomic_store_explicit(&f->state, AP_FAILED, memory_order_release);
  ap_cache_put(c, i, n); /* those who wait give theirs back too, then the clock takes it */
  return e;
}

enum gmmu_ap_error ap_cache_get(struct ap_cache *c, uint64_t key, int32_t n, bool dirty,
                                bool (*relieve)(void *), void *arg, uint32_t *frame) {
  enum gmmu_ap_error e;
  uint32_t tries = 0; /* for a frame */
  for (uint32_t t = 0;; t++) {
    uint32_t i = find(c, bucket_of(c, key), key);
    if (i < c->frames && get_page(c, i, key, n)) {
      if ((e = await(c, i, n))) return e;
      add(&c->minor);
    } else if (i < c->frames && atomic_load(&c->frame[i].key) == key) {
      pause_try(t); /* on its way out: no second frame for it, and none evicted for nothing */
      continue;
    } else {
      if (tries == c->retry_limit) return GMMU_AP_NO_PAGE;
      if ((i = take_frame(c, &e)) == c->frames) {
        if (e) return e;
        press(c, tries++, relieve, arg);
        continue; /* who took the last frame may have brought this very page */
      }
      enum entered how = enter(c, key, n, &i);
      if (how == AGAIN) {
        pause_try(t);
        continue;
      }
      if ((e = how == INSERTED ? bring(c, i, key, n) : await(c, i, n))) return e;
      if (how == OTHERS) add(&c->minor);
    }
    if (dirty) atomic_store_explicit(&c->frame[i].dirty, true, memory_order_relaxed);
    atomic_store_explicit(&c->frame[i].used, true, memory_order_relaxed);
    note_count(c, i);
    *frame = i;
    return GMMU_AP_OK;
  }
}

/* ---------------------------------------- all at a time */

enum gmmu_ap_error ap_cache_sync(struct ap_cache *c, int file, uint64_t lo, uint64_t hi) {
  enum gmmu_ap_error first = GMMU_AP_OK;
  for (uint32_t i = 0; i < c->frames; i++) {
    struct ap_frame *f = &c->frame[i];
    uint64_t key = atomic_load(&f->key);
    if (key == AP_NO_KEY || AP_KEY_FILE(key) != AP_FILE_NUMBER(file) || AP_KEY_PAGE(key) < lo ||
        AP_KEY_PAGE(key) >= hi)
      continue;
    if (!atomic_load(&f->dirty)) continue;
    bool alone = try_own(f);
    if (!alone && !get_page(c, i, key, 1)) continue; /* its evictor writes it */
    if (!alone && atomic_load_explicit(&f->state, memory_order_acquire) != AP_READY) {
      /* Evicted since, and on its way back: its frame still holds another page's bytes. */
      ap_cache_put(c, i, 1);
      continue;
    }
    enum gmmu_ap_error e = atomic_load(&f->key) == key ? write_back(c, i) : GMMU_AP_OK;
    /* A linked pointer may store again without a fault, so only an unreferenced page is clean now.
     */
    if (alone && !e && atomic_load(&f->key) == key) atomic_store(&f->dirty, false);
    if (alone) disown(c, i, 0);
    else ap_cache_put(c, i, 1);
    if (e && !first) first = e;
  }
  return first;
}

enum gmmu_ap_error ap_cache_drop(struct ap_cache *c) {
  enum gmmu_ap_error first = GMMU_AP_OK, e = GMMU_AP_OK;
  for (uint32_t i = 0; i < c->frames; i++) {
    struct ap_frame *f = &c->frame[i];
    if (atomic_load(&f->key) == AP_NO_KEY) continue;
    if (!try_own(f)) {
      first = first ? first : GMMU_AP_BUSY;
      continue;
    }
    if (atomic_load(&f->dirty) && (e = write_back(c, i))) {
      first = first ? first : e;
    } else {
      atomic_store(&f->dirty, false);
      forget(c, i);
    }
    disown(c, i, 0);
  }
  return first;
}

int ap_cache_watch(const struct ap_cache *c, uint64_t key, uint32_t frame, uint32_t held,
                   struct gmmu_err *err) {
  for (uint32_t i = 0; i < c->frames; i++) {
    const struct ap_frame *f = &c->frame[i];
    int32_t n = atomic_load_explicit(&f->count, memory_order_relaxed);
    uint64_t k = atomic_load_explicit(&f->key, memory_order_relaxed);
    if (n < -1) return gmmu_fail(err, "page cache: frame %u has a count of %d", i, n);
    if (i != frame && k == key)
      return gmmu_fail(err, "page cache: a linked page is in frames %u and %u", frame, i);
    if (i != frame) continue;
    if (k != key) return gmmu_fail(err, "page cache: frame %u has lost its linked page", i);
    if (n < 0 || (uint32_t)n < held)
      return gmmu_fail(err, "page cache: frame %u has a count of %d, one warp alone holds %u", i, n,
                       held);
    if (atomic_load_explicit(&f->state, memory_order_relaxed) != AP_READY)
      return gmmu_fail(err, "page cache: frame %u is linked and not brought", i);
  }
  return 0;
}

int ap_cache_audit(struct ap_cache *c, uint64_t held, struct gmmu_err *err) {
  uint64_t sum = 0;
  for (uint32_t i = 0; i < c->frames; i++) {
    struct ap_frame *f = &c->frame[i];
    int32_t n = atomic_load(&f->count);
    uint64_t key = atomic_load(&f->key);
    if (n < 0) return gmmu_fail(err, "page cache: frame %u is owned by nobody who runs", i);
    if (key == AP_NO_KEY && n)
      return gmmu_fail(err, "page cache: frame %u holds no page but has %d references", i, n);
    /* Two frames of one page: the table finds the newer one only. */
    if (key != AP_NO_KEY && find(c, bucket_of(c, key), key) != i)
      return gmmu_fail(
          err,
          "page cache: the table does not find frame %u by its page, or the page has two frames",
          i);
    sum += (uint64_t)n;
  }
  if (sum != held)
    return gmmu_fail(err, "page cache: %llu references, %llu expected", (unsigned long long)sum,
                     (unsigned long long)held);
  return 0;
}

int ap_cache_init(struct ap_cache *c, const struct gmmu_ap_config *cfg, struct ap_ring *ring,
                  struct gmmu_err *err) {
  c->frames = cfg->pages;
  c->buckets = cfg->pages * cfg->bucket_factor;
  c->retry_limit = cfg->retry_limit;
  c->ring = ring;
  c->frame = calloc(c->frames, sizeof *c->frame);
  c->bucket = calloc(c->buckets, sizeof *c->bucket);
  /* Calloc: a speculative load reads a frame that nothing was brought to. */
  c->data = calloc(c->frames, GMMU_AP_PAGE);
  if (!c->frame || !c->bucket || !c->data)
    return gmmu_fail(err, "out of memory for %u pages", cfg->pages);
  for (uint32_t i = 0; i < c->frames; i++) atomic_init(&c->frame[i].key, AP_NO_KEY);
  return 0;
}

void ap_cache_free(struct ap_cache *c) {
  free(c->frame);
  free(c->bucket);
  free(c->data);
}
