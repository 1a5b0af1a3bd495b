/* SPDX-License-Identifier: Apache-2.0 */
/** launch.c - thread blocks and warps on host threads, barriers, errors that end one block; the
 * system's life. */
#include <stdlib.h>
#include <string.h>

#include "apointers/system.h"

const char *const gmmu_ap_error_names[GMMU_AP_NUM_ERRORS] = {
    "ok",
    "pointer was never assigned",
    "outside the mapping",
    "not allowed by the mapping",
    "behind the end of the file",
    "the host could not read or write the file",
    "page cache full of referenced pages",
    "mapping is gone",
    "links remain",
    "illegal argument",
    "no such file",
    "file does not allow this mode",
    "too many files or mappings"};

/* ---------------------------------------- errors, barriers */

void ap_record(struct gmmu_ap_warp *w, uint32_t lane, enum gmmu_ap_error e, bool write, int file,
               int64_t position) {
  struct gmmu_ap *s = w->s;
  pthread_mutex_lock(&s->m);
  if (s->records < GMMU_AP_MAX_RECORDS)
    s->record[s->records++] =
        (struct gmmu_ap_record){w->b->id, w->id, lane, e, write, file, position};
  else s->more_records++;
  pthread_mutex_unlock(&s->m);
}

_Noreturn void ap_fail(struct gmmu_ap_warp *w, uint32_t lane, enum gmmu_ap_error e, bool write,
                       int file, int64_t position) {
  ap_record(w, lane, e, write, file, position);
  pthread_mutex_lock(&w->b->m);
  atomic_store(&w->b->aborted, true);
  pthread_cond_broadcast(&w->b->released);
  pthread_mutex_unlock(&w->b->m);
  longjmp(w->end, 1);
}

void ap_poll(struct gmmu_ap_warp *w) {
  if (atomic_load_explicit(&w->b->aborted, memory_order_relaxed)) longjmp(w->end, 1);
}

static void open_barrier(struct ap_block *b) {
  b->arrived = 0;
  b->barriers++;
  pthread_cond_broadcast(&b->released);
}

void gmmu_ap_barrier(struct gmmu_ap_warp *w) {
  struct ap_block *b = w->b;
  pthread_mutex_lock(&b->m);
  uint64_t n = b->barriers;
  if (++b->arrived == b->alive) open_barrier(b);
  while (b->barriers == n && !atomic_load(&b->aborted)) pthread_cond_wait(&b->released, &b->m);
  pthread_mutex_unlock(&b->m);
  ap_poll(w);
}

/* A warp that ended is not waited for. */
static void leave_block(struct ap_block *b) {
  pthread_mutex_lock(&b->m);
  b->alive--;
  if (b->alive && b->arrived == b->alive) open_barrier(b);
  pthread_mutex_unlock(&b->m);
}

/* ---------------------------------------- warps and blocks */

struct launch {
  struct gmmu_ap *s;
  gmmu_ap_kernel kernel;
  void *arg;
  uint32_t blocks, warps;
  _Atomic uint32_t next;
  _Atomic int aborted;
  _Atomic bool no_threads;
};

struct warp_thread {
  struct launch *l;
  struct gmmu_ap_warp w;
  pthread_t thread;
};

static void add_counts(struct gmmu_ap *s, const struct ap_counts *c) {
  const uint64_t *from = (const uint64_t *)c;
  uint64_t *to = (uint64_t *)&s->counts;
  pthread_mutex_lock(&s->m);
  for (size_t i = 0; i < sizeof *c / sizeof *to; i++) to[i] += from[i];
  pthread_mutex_unlock(&s->m);
}

static void *run_warp(void *arg) {
  struct warp_thread *t = arg;
  struct gmmu_ap_warp *w = &t->w;
  if (!setjmp(w->end)) t->l->kernel(w, t->l->arg);
  while (w->open) gmmu_ap_close(w, w->open);
  ap_end_pins(w);
  add_counts(w->s, &w->counts);
  leave_block(w->b);
  return NULL;
}

static void run_block(struct launch *l, uint32_t id, struct warp_thread *t) {
  struct ap_block b = {.s = l->s, .id = id, .warps = l->warps, .alive = l->warps};
  pthread_attr_t attr;
  uint32_t n = 0;
  pthread_mutex_init(&b.m, NULL);
  pthread_cond_init(&b.released, NULL);
  pthread_attr_init(&attr);
  pthread_attr_setstacksize(&attr, 1 << 20);
  if (ap_tlb_init(&b.tlb, l->s->cfg.tlb_entries)) atomic_store(&l->no_threads, true);
  while (n < l->warps && !atomic_load(&l->no_threads)) {
    memset(&t[n].w, 0, sizeof t[n].w);
    t[n].l = l;
    t[n].w.s = l->s, t[n].w.b = &b, t[n].w.id = n, t[n].w.mask = UINT32_MAX;
    if (pthread_create(&t[n].thread, &attr, run_warp, &t[n])) {
      atomic_store(&l->no_threads, true);
      pthread_mutex_lock(&b.m);
      atomic_store(&b.aborted, true); /* those who wait for the missing warps at a barrier */
      pthread_cond_broadcast(&b.released);
      pthread_mutex_unlock(&b.m);
    } else {
      n++;
    }
  }
  for (uint32_t i = 0; i < n; i++) pthread_join(t[i].thread, NULL);
  if (b.tlb.entries) ap_tlb_flush(&b.tlb, &l->s->cache);
  if (atomic_load(&b.aborted)) atomic_fetch_add(&l->aborted, 1);
  ap_tlb_free(&b.tlb);
  pthread_attr_destroy(&attr);
  pthread_mutex_destroy(&b.m);
  pthread_cond_destroy(&b.released);
}

static void *run_blocks(void *arg) {
  struct launch *l = arg;
  struct warp_thread *t = calloc(l->warps, sizeof *t);
  if (!t) atomic_store(&l->no_threads, true);
  for (uint32_t id;
       t && (id = atomic_fetch_add(&l->next, 1)) < l->blocks && !atomic_load(&l->no_threads);)
    run_block(l, id, t);
  free(t);
  return NULL;
}

int gmmu_ap_launch(struct gmmu_ap *s, uint32_t blocks, uint32_t warps, uint32_t resident,
                   gmmu_ap_kernel k, void *arg, struct gmmu_err *err) {
  struct launch l = {.s = s, .kernel = k, .arg = arg, .blocks = blocks, .warps = warps};
  pthread_t thread[64];
  uint32_t n = 0;
  if (!blocks || blocks > 1 << 20)
    return gmmu_fail(err, "%u thread blocks: 1 to %d", blocks, 1 << 20);
  if (!warps || warps > GMMU_AP_MAX_WARPS)
    return gmmu_fail(err, "%u warps a block: 1 to %d", warps, GMMU_AP_MAX_WARPS);
  if (resident > 64) return gmmu_fail(err, "%u resident blocks: at most 64", resident);
  if (!resident) resident = 2;
  while (n < resident && n < blocks && pthread_create(&thread[n], NULL, run_blocks, &l) == 0) n++;
  for (uint32_t i = 0; i < n; i++) pthread_join(thread[i], NULL);
  if (!n || atomic_load(&l.no_threads))
    return gmmu_fail(err, "no threads or memory for %u warps", warps);
  return atomic_load(&l.aborted);
}

/* ---------------------------------------- the system */

static int fill_config(struct gmmu_ap_config *c, struct gmmu_err *err) {
  if (!c->pages) c->pages = 1024;
  if (!c->bucket_factor) c->bucket_factor = 16;
  if (!c->retry_limit) c->retry_limit = 10000;
  if (!c->ring_slots) c->ring_slots = 64;
  if (!c->batch) c->batch = 32;
  if ((unsigned)c->form > GMMU_AP_SHORT)
    return gmmu_fail(err, "form %u: GMMU_AP_LONG or GMMU_AP_SHORT", (unsigned)c->form);
  if (c->pages > 1 << 20)
    return gmmu_fail(err, "page cache of %u pages: at most %d", c->pages, 1 << 20);
  if (c->bucket_factor > 64)
    return gmmu_fail(err, "%u buckets a page: at most 64", c->bucket_factor);
  if (c->tlb_entries > 1024 || (c->tlb_entries & (c->tlb_entries - 1)))
    return gmmu_fail(err, "TLB of %u entries: 0, or a power of two up to 1024", c->tlb_entries);
  if (c->ring_slots > 4096 || (c->ring_slots & (c->ring_slots - 1)))
    return gmmu_fail(err, "ring of %u slots: a power of two up to 4096", c->ring_slots);
  return 0;
}

struct gmmu_ap *gmmu_ap_new(const struct gmmu_ap_config *cfg, struct gmmu_err *err) {
  struct gmmu_ap_config c = *cfg;
  if (fill_config(&c, err)) return NULL;
  struct gmmu_ap *s = calloc(1, sizeof *s);
  if (!s) {
    gmmu_fail(err, "out of memory");
    return NULL;
  }
  s->cfg = c;
  pthread_mutex_init(&s->m, NULL);
  for (int i = 0; i < GMMU_AP_MAX_MAPPINGS; i++) atomic_init(&s->map[i].links, -1);
  if (ap_cache_init(&s->cache, &s->cfg, &s->ring, err) || ap_ring_init(&s->ring, &s->cfg, err)) {
    ap_ring_free(&s->ring);
    ap_cache_free(&s->cache);
    free(s);
    return NULL;
  }
  return s;
}

int gmmu_ap_drop_cache(struct gmmu_ap *s, struct gmmu_err *err) {
  enum gmmu_ap_error e = ap_cache_drop(&s->cache);
  return e ? gmmu_fail(err, "page cache: %s",
                       e == GMMU_AP_BUSY ? "a page is still referenced" : gmmu_ap_error_names[e])
           : 0;
}

int gmmu_ap_audit(struct gmmu_ap *s, uint64_t held, struct gmmu_err *err) {
  return ap_cache_audit(&s->cache, held, err);
}

int gmmu_ap_free(struct gmmu_ap *s, struct gmmu_err *err) {
  if (!s) return 0;
  int r = gmmu_ap_drop_cache(s, err);
  ap_ring_free(&s->ring);
  ap_cache_free(&s->cache);
  pthread_mutex_destroy(&s->m);
  free(s);
  return r;
}

void gmmu_ap_get_stats(const struct gmmu_ap *s, struct gmmu_ap_stats *o) {
  const struct ap_counts *n = &s->counts;
  const struct ap_cache *c = &s->cache;
  *o = (struct gmmu_ap_stats){.accesses = n->accesses,
                              .lane_accesses = n->lane_accesses,
                              .fast = n->fast,
                              .groups = n->groups,
                              .tlb_hits = n->tlb_hits,
                              .tlb_misses = n->tlb_misses,
                              .tlb_conflicts = n->tlb_conflicts,
                              .unlinks = n->unlinks,
                              .prefetches = n->prefetches,
                              .prefetch_useful = n->prefetch_useful,
                              .minor = c->minor,
                              .major = c->major,
                              .waits = c->waits,
                              .evictions = c->evictions,
                              .write_backs = c->write_backs,
                              .retries = c->retries,
                              .host_batches = s->ring.batches,
                              .host_requests = s->ring.requests,
                              .host_bytes = s->ring.bytes,
                              .max_linked = c->max_count};
}

void gmmu_ap_dump(const struct gmmu_ap *s, FILE *to) {
  static const char *const state[] = {"loading", "ready", "failed"};
  const struct ap_cache *c = &s->cache;
  for (uint32_t i = 0; i < c->frames; i++) {
    const struct ap_frame *f = &c->frame[i];
    int32_t n = atomic_load(&f->count);
    uint64_t key = atomic_load(&f->key);
    if (n == 0) continue;
    fprintf(to, "frame %u: %s, %d references, %s", i,
            n < 0 ? "owned by a handler" : state[atomic_load(&f->state) % 3], n,
            key == AP_NO_KEY ? "no page\n" : "");
    if (key != AP_NO_KEY)
      fprintf(to, "file %d page %llu\n", AP_KEY_FILE(key), (unsigned long long)AP_KEY_PAGE(key));
  }
  for (uint32_t i = 0; i < c->buckets; i++)
    if (atomic_load(&c->bucket[i].lock)) fprintf(to, "bucket %u: locked\n", i);
  for (uint32_t i = 0; i < s->ring.slots; i++) {
    uint64_t turn = atomic_load(&s->ring.slot[i].turn);
    if (turn % s->ring.slots != i)
      fprintf(to, "host: request %llu posted, not given back\n", (unsigned long long)turn - 1);
  }
  fprintf(to, "tries for a frame that found all referenced: %llu\n",
          (unsigned long long)atomic_load(&c->retries));
}

const struct gmmu_ap_record *gmmu_ap_records(const struct gmmu_ap *s, size_t *n, uint64_t *more) {
  *n = s->records;
  *more = s->more_records;
  return s->record;
}
