/* SPDX-License-Identifier: Apache-2.0 */
/** page_cache.h - frames, the concurrent hash table that finds them, and eviction (ActivePointers
 * section V).
 *
 * A page is a key (file, page of the file). A frame's count word is the whole protocol:
 *   -1  owned by one thread, which fills or evicts it      0  unreferenced, may be evicted
 *   n   n references: linked pointers, TLB entries, warps that wait for its data
 * Lookup takes no lock: it walks a bucket's chain, adds its references, and looks at the key again.
 * Insertion and removal hold the bucket's lock, one lock at a time and never while waiting for the
 * host, so no two handlers wait for one another. A page that is being evicted stays in its chain
 * until its data is back in the file.
 */
#ifndef GMMU_AP_PAGE_CACHE_H
#define GMMU_AP_PAGE_CACHE_H

#include <stdatomic.h>

#include "apointers/host_ring.h"
#include "gmmu_apointer.h"

#define AP_NO_KEY UINT64_MAX
/** Key: number of the file (or of a handle's) in the top 8 bits, page in the rest. */
#define AP_KEY(file, page) ((uint64_t)AP_FILE_NUMBER(file) << 56 | (uint64_t)(page))
#define AP_KEY_FILE(key) ((int)((key) >> 56))
#define AP_KEY_PAGE(key) ((key) & (UINT64_MAX >> 8))

enum ap_frame_state { AP_LOADING, AP_READY, AP_FAILED };

struct ap_frame {
  _Atomic uint64_t key;
  _Atomic int32_t count;
  _Atomic uint32_t next; /* chain: frame + 1, 0 ends */
  _Atomic uint8_t state; /* enum ap_frame_state */
  _Atomic uint8_t error; /* enum gmmu_ap_error, when FAILED */
  _Atomic bool dirty, used;
};

struct ap_bucket {
  _Atomic bool lock;
  _Atomic uint32_t head; /* frame + 1 */
};

struct ap_cache {
  struct ap_frame *frame;
  struct ap_bucket *bucket;
  uint8_t *data;
  uint32_t frames, buckets, retry_limit;
  _Atomic uint32_t hand; /* of the clock */
  _Atomic uint32_t
      pressure; /* tries that found all frames referenced: blocks then empty their TLBs */
  struct ap_ring *ring;
  _Atomic uint64_t minor, major, waits, evictions, write_backs, retries, max_count;
};

int ap_cache_init(struct ap_cache *c, const struct gmmu_ap_config *cfg, struct ap_ring *ring,
                  struct gmmu_err *err);
void ap_cache_free(struct ap_cache *c);

/** n references to the page's frame; brings it when it is not there. dirty: it will be written to.
 */
enum gmmu_ap_error ap_cache_get(struct ap_cache *c, uint64_t key, int32_t n, bool dirty,
                                bool (*relieve)(void *), void *arg, uint32_t *frame);
/** n references fewer. */
void ap_cache_put(struct ap_cache *c, uint32_t frame, int32_t n);
/** Writes the dirty pages lo <= page < hi of a file back; those that nobody references are clean
 * then. */
enum gmmu_ap_error ap_cache_sync(struct ap_cache *c, int file, uint64_t lo, uint64_t hi);
/** Writes all back and forgets all pages. */
enum gmmu_ap_error ap_cache_drop(struct ap_cache *c);
/** While others work: no count is below -1; a page of which the caller holds `held` references is
 * in this frame only, and brought. */
int ap_cache_watch(const struct ap_cache *c, uint64_t key, uint32_t frame, uint32_t held,
                   struct gmmu_err *err);
int ap_cache_audit(struct ap_cache *c, uint64_t held, struct gmmu_err *err);

static inline uint8_t *ap_cache_data(struct ap_cache *c, uint32_t frame) {
  return c->data + ((size_t)frame << GMMU_AP_PAGE_BITS);
}

#endif
