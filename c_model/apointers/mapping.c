/* SPDX-License-Identifier: Apache-2.0 */
/** mapping.c - files in kernels: gvmmap, gvmunmap and gvmsync of ActivePointers, gmmap, gmunmap and
 * gread of GPUfs. */
#include <stdlib.h>
#include <string.h>

#include "apointers/system.h"

#define MAY_WRITE (UINT64_C(1) << 62)
#define MAY_READ (UINT64_C(1) << 61)
#define VALUE ((UINT64_C(1) << 60) - 1)
enum { SLOT_BITS = 12, SLOTS = GMMU_AP_MAX_MAPPINGS };
_Static_assert(SLOTS == 1 << SLOT_BITS, "number of a mapping");

#define FREE INT64_C(-1)

/* Never 0: generations are 1 to 2^20 - 1. */
static uint32_t number_of(uint32_t slot, uint32_t uses) {
  return slot | (uses % ((UINT32_C(1) << (32 - SLOT_BITS)) - 1) + 1) << SLOT_BITS;
}

struct ap_mapping *ap_mapping_held(struct gmmu_ap *s, uint32_t map) { return &s->map[map % SLOTS]; }

static int64_t links_of(uint32_t lanes) { return __builtin_popcount(lanes); }

void ap_mapping_put(struct ap_mapping *m, uint32_t lanes) {
  atomic_fetch_sub_explicit(&m->links, links_of(lanes), memory_order_release);
}

struct ap_mapping *ap_mapping_get(struct gmmu_ap *s, uint32_t map, uint32_t lanes) {
  struct ap_mapping *m = ap_mapping_held(s, map);
  int64_t c = atomic_load_explicit(&m->links, memory_order_relaxed);
  do {
    if (c < 0) return NULL;
  } while (!atomic_compare_exchange_weak_explicit(&m->links, &c, c + links_of(lanes),
                                                  memory_order_acquire, memory_order_relaxed));
  if (number_of(map % SLOTS, atomic_load(&m->uses)) == map) return m;
  ap_mapping_put(m, lanes);
  return NULL;
}

enum gmmu_ap_error ap_get_page(struct gmmu_ap_warp *w, uint64_t key, int32_t n, bool dirty,
                               uint32_t *frame) {
  struct ap_cache *c = &w->s->cache;
  uint32_t p = atomic_load_explicit(&c->pressure, memory_order_relaxed);
  if (w->b->tlb.entries &&
      atomic_exchange_explicit(&w->b->pressure_seen, p, memory_order_relaxed) != p)
    ap_relieve(w->b);
  return ap_cache_get(c, key, n, dirty, ap_relieve, w->b, frame);
}

bool ap_relieve(void *block) {
  struct ap_block *b = block;
  return ap_tlb_flush(&b->tlb, &b->s->cache) > 0;
}

/* ---------------------------------------- ActivePointers */

enum gmmu_ap_error gmmu_ap_gopen(struct gmmu_ap_warp *w, const char *path, enum gmmu_ap_prot mode,
                                 int *file) {
  *file = -1;
  if (mode < GMMU_AP_READ || mode > GMMU_AP_RDWR) return GMMU_AP_INVALID;
  enum gmmu_ap_error e = ap_ring_open(&w->s->ring, path, mode, file);
  if (e) ap_record(w, 0, e, mode & GMMU_AP_WRITE, -1, 0);
  return e;
}

static enum gmmu_ap_error check_range(struct gmmu_ap *s, int file, enum gmmu_ap_prot prot,
                                      uint64_t at, uint64_t size) {
  uint64_t limit = s->cfg.form == GMMU_AP_SHORT ? GMMU_AP_SHORT_MAX : GMMU_AP_LONG_MAX;
  int mode = ap_ring_mode(&s->ring, file);
  if (!mode || prot < GMMU_AP_READ || prot > GMMU_AP_RDWR || size == 0) return GMMU_AP_INVALID;
  if (at >= limit || size > limit - at) return GMMU_AP_INVALID;
  return prot & ~mode ? GMMU_AP_ACCESS : GMMU_AP_OK;
}

enum gmmu_ap_error gmmu_ap_gvmmap(struct gmmu_ap_warp *w, uint64_t size, enum gmmu_ap_prot prot,
                                  int file, uint64_t foffset, struct gmmu_apv *v) {
  struct gmmu_ap *s = w->s;
  enum gmmu_ap_error e = check_range(s, file, prot, foffset, size);
  uint32_t slot = 0, uses = 0;
  if (e) return e;
  pthread_mutex_lock(&s->m);
  while (slot < SLOTS && atomic_load(&s->map[slot].links) != FREE) slot++;
  if (slot < SLOTS) {
    struct ap_mapping *m = &s->map[slot];
    m->start = foffset, m->size = size, m->file = file, m->prot = prot;
    uses = atomic_load(&m->uses);
    atomic_store_explicit(&m->links, 0, memory_order_release);
  }
  pthread_mutex_unlock(&s->m);
  if (slot == SLOTS) return GMMU_AP_LIMIT;
  ap_unlink(w, v, w->mask);
  for (int i = 0; i < GMMU_AP_LANES; i++) {
    if (!(w->mask >> i & 1)) continue;
    v->lane[i] = (struct gmmu_aptr){.map = number_of(slot, uses)};
    v->lane[i].word = (prot & GMMU_AP_WRITE ? MAY_WRITE : 0) |
                      (prot & GMMU_AP_READ ? MAY_READ : 0) | (foffset & VALUE);
  }
  return GMMU_AP_OK;
}

enum gmmu_ap_error gmmu_ap_gvmunmap(struct gmmu_ap_warp *w, const struct gmmu_apv *v,
                                    uint32_t lane) {
  uint32_t map = v->lane[lane % GMMU_AP_LANES].map;
  enum gmmu_ap_error e = GMMU_AP_OK;
  int64_t none = 0;
  if (!map) return GMMU_AP_UNINITIALISED;
  struct ap_mapping *m = ap_mapping_held(w->s, map);
  pthread_mutex_lock(&w->s->m);
  if (number_of(map % SLOTS, atomic_load(&m->uses)) != map) e = GMMU_AP_UNMAPPED;
  else if (atomic_compare_exchange_strong(&m->links, &none, FREE)) atomic_fetch_add(&m->uses, 1);
  else e = none < 0 ? GMMU_AP_UNMAPPED : GMMU_AP_BUSY;
  pthread_mutex_unlock(&w->s->m);
  return e;
}

enum gmmu_ap_error gmmu_ap_gvmsync(struct gmmu_ap_warp *w, const struct gmmu_apv *v,
                                   uint32_t lane) {
  uint32_t map = v->lane[lane % GMMU_AP_LANES].map;
  if (!map) return GMMU_AP_UNINITIALISED;
  struct ap_mapping *m = ap_mapping_get(w->s, map, 1); /* one link, so that it stays */
  if (!m) return GMMU_AP_UNMAPPED;
  enum gmmu_ap_error e =
      ap_cache_sync(&w->s->cache, m->file, m->start >> GMMU_AP_PAGE_BITS,
                    (m->start + m->size + GMMU_AP_PAGE - 1) >> GMMU_AP_PAGE_BITS);
  ap_mapping_put(m, 1);
  return e;
}

/* ---------------------------------------- GPUfs */

enum gmmu_ap_error gmmu_ap_gmmap(struct gmmu_ap_warp *w, int file, uint64_t offset,
                                 enum gmmu_ap_prot prot, void **at) {
  enum gmmu_ap_error e;
  uint32_t frame;
  *at = NULL;
  ap_poll(w);
  if ((e = check_range(w->s, file, prot, offset, 1))) return e;
  struct ap_pin *p = malloc(sizeof *p);
  if (!p) return GMMU_AP_LIMIT;
  if ((e = ap_get_page(w, AP_KEY(file, offset >> GMMU_AP_PAGE_BITS), 1, (prot & GMMU_AP_WRITE) != 0,
                       &frame))) {
    free(p);
    return e;
  }
  uint8_t *page = ap_cache_data(&w->s->cache, frame);
  *p = (struct ap_pin){page, w->pins};
  w->pins = p;
  *at = page + offset % GMMU_AP_PAGE;
  return GMMU_AP_OK;
}

static void unpin(struct gmmu_ap_warp *w, struct ap_pin **at) {
  struct ap_pin *p = *at;
  *at = p->next;
  ap_cache_put(&w->s->cache, (uint32_t)((size_t)(p->at - w->s->cache.data) >> GMMU_AP_PAGE_BITS),
               1);
  free(p);
}

enum gmmu_ap_error gmmu_ap_gmunmap(struct gmmu_ap_warp *w, const void *at) {
  for (struct ap_pin **p = &w->pins; *p; p = &(*p)->next) {
    if ((const uint8_t *)at < (*p)->at || (const uint8_t *)at >= (*p)->at + GMMU_AP_PAGE) continue;
    unpin(w, p);
    return GMMU_AP_OK;
  }
  return GMMU_AP_INVALID;
}

void ap_end_pins(struct gmmu_ap_warp *w) {
  while (w->pins) unpin(w, &w->pins);
}

enum gmmu_ap_error gmmu_ap_gread(struct gmmu_ap_warp *w, int file, uint64_t offset, void *buf,
                                 size_t bytes) {
  for (size_t done = 0; done < bytes;) {
    size_t room = GMMU_AP_PAGE - (size_t)((offset + done) % GMMU_AP_PAGE),
           n = bytes - done < room ? bytes - done : room;
    void *at;
    enum gmmu_ap_error e = gmmu_ap_gmmap(w, file, offset + done, GMMU_AP_READ, &at);
    if (e) return e;
    memcpy((uint8_t *)buf + done, at, n);
    gmmu_ap_gmunmap(w, at);
    done += n;
  }
  return GMMU_AP_OK;
}
