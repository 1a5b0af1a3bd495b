/* SPDX-License-Identifier: Apache-2.0 */
/** gmmu_apointer.h - ActivePointers (ISCA 2016): memory-mapped files for GPU code by software
 * address translation.
 *
 * The library emulates warps of 32 lanes on host threads, one thread a warp, so that the page
 * cache, the software TLBs and the host ring meet real concurrency. Kernels are C functions called
 * once a warp; what a GPU does in one warp instruction is one call with a value per lane. Rules and
 * decisions where the paper is silent: docs/apointers.md.
 *
 *   position  file byte that a pointer names: mapping's foffset + what was added to it
 *   page      4 KiB of a file (xAddress); frame: 4 KiB of the page cache (aphysical address)
 *   linked    the pointer holds its page's frame and counts in the frame's reference count
 */
#ifndef GMMU_APOINTER_H
#define GMMU_APOINTER_H

#include "gmmu.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
  GMMU_AP_LANES = 32,
  GMMU_AP_PAGE_BITS = 12,
  GMMU_AP_PAGE = 1 << GMMU_AP_PAGE_BITS,
  GMMU_AP_MAX_WARPS = 32, /**< warps of a thread block */
  GMMU_AP_MAX_FILES = 256,
  GMMU_AP_MAX_MAPPINGS = 4096, /**< alive at a time */
  GMMU_AP_MAX_RECORDS = 1024,  /**< later errors are only counted */
};
#define GMMU_AP_SHORT_MAX \
  (UINT64_C(1) << 40) /**< file bytes that the short form reaches: 28-bit page, 12-bit offset */
#define GMMU_AP_LONG_MAX (UINT64_C(1) << 59) /**< the same of the long form: 60 bits, signed */

enum gmmu_ap_error {
  GMMU_AP_OK,
  GMMU_AP_UNINITIALISED, /**< a pointer that was never assigned is read, written or moved */
  GMMU_AP_BOUNDS,        /**< outside the mapping */
  GMMU_AP_PERMISSION,    /**< the mapping does not allow this access */
  GMMU_AP_EOF, /**< page wholly behind the end of the file (mmap's SIGBUS), also of one that shrank
                */
  GMMU_AP_IO,  /**< the host could not read or write the file */
  GMMU_AP_NO_PAGE,   /**< all frames stayed referenced for retry_limit tries */
  GMMU_AP_UNMAPPED,  /**< the mapping is gone */
  GMMU_AP_BUSY,      /**< gvmunmap: links remain */
  GMMU_AP_INVALID,   /**< argument out of range */
  GMMU_AP_NOT_FOUND, /**< no such file */
  GMMU_AP_ACCESS,    /**< the file does not allow this mode */
  GMMU_AP_LIMIT,     /**< too many files or mappings */
  GMMU_AP_NUM_ERRORS
};
/** Text of each, for messages. */
extern const char *const gmmu_ap_error_names[GMMU_AP_NUM_ERRORS];

enum gmmu_ap_form { GMMU_AP_LONG, GMMU_AP_SHORT };
enum gmmu_ap_prot { GMMU_AP_READ = 1, GMMU_AP_WRITE = 2, GMMU_AP_RDWR = 3 };

/** 0 in a field: its default. */
struct gmmu_ap_config {
  uint32_t pages; /**< frames of the page cache, 1 to 2^20 [1024] */
  enum gmmu_ap_form form;
  uint32_t
      tlb_entries; /**< of each block, a power of two up to 1024; 0: without TLB (section III-E) */
  bool prefetch;   /**< load speculatively beside the test of the valid bits (section IV-B) */
  bool
      no_rw_check; /**< leave the permission test out, as the paper's figures do from Table II on */
  uint32_t bucket_factor; /**< buckets of the page table per frame [16] (section V) */
  uint32_t retry_limit;   /**< tries for a frame before NO_PAGE [10000] */
  uint32_t ring_slots;    /**< requests to the host under way, a power of two [64] */
  uint32_t batch;         /**< requests that the host takes together [32] (section V) */
};

/** What happened, since creation. */
struct gmmu_ap_stats {
  uint64_t accesses; /**< warp accesses through pointers */
  uint64_t lane_accesses;
  uint64_t fast;   /**< of `accesses`: all lanes were linked */
  uint64_t groups; /**< (page, warp) groups that were translated */
  uint64_t tlb_hits, tlb_misses,
      tlb_conflicts;     /**< conflicts: gone past a TLB entry whose count is above 0 */
  uint64_t minor, major; /**< faults of groups that came to the page table */
  uint64_t waits;        /**< minor faults on a page that somebody else was bringing */
  uint64_t evictions, write_backs;
  uint64_t retries; /**< tries for a frame that found all referenced */
  uint64_t unlinks, prefetches, prefetch_useful;
  uint64_t host_batches, host_requests, host_bytes;
  uint64_t max_linked; /**< most references of one frame */
};

/** An error of a kernel: its block ended, the others go on. Of a file that cannot be opened: lane
 * 0, file -1, position 0; its block goes on too. */
struct gmmu_ap_record {
  uint32_t block, warp, lane;
  enum gmmu_ap_error error;
  bool write;
  int file;         /**< handle; -1: none */
  int64_t position; /**< file byte */
};

struct gmmu_ap; /* page cache, files, mappings, host side */
struct gmmu_ap_warp;

/** NULL with err on an illegal configuration or lack of memory. */
struct gmmu_ap *gmmu_ap_new(const struct gmmu_ap_config *c, struct gmmu_err *err);
/** Writes dirty pages back and frees all. Error: a page that could not be written, or a count that
 * is not 0. */
int gmmu_ap_free(struct gmmu_ap *s, struct gmmu_err *err);
void gmmu_ap_get_stats(const struct gmmu_ap *s, struct gmmu_ap_stats *out);
/** Records of errors so far, oldest first; *more: how many were only counted. */
const struct gmmu_ap_record *gmmu_ap_records(const struct gmmu_ap *s, size_t *n, uint64_t *more);
/** While kernels run, between two operations of this warp: what must hold at every moment. Each
 * page that it has linked lies in one frame only, which is brought and has at least the warp's
 * references (by the TLB: one, and the entry the warp's links); its mapping has at least the warp's
 * links; no frame's count is below -1. */
int gmmu_ap_watch(const struct gmmu_ap_warp *w, struct gmmu_err *err);
/** No kernel runs: each frame's count is 0 but for what `held` references are known to the caller,
 * no page has two frames, the table finds each page. */
int gmmu_ap_audit(struct gmmu_ap *s, uint64_t held, struct gmmu_err *err);
/** Who holds and who waits, while kernels run or hang: owned and loading frames, held buckets,
 * requests to the host. */
void gmmu_ap_dump(const struct gmmu_ap *s, FILE *to);
/** Drops clean and written-back pages, so that the next run starts cold. Fails when a page is
 * referenced. */
int gmmu_ap_drop_cache(struct gmmu_ap *s, struct gmmu_err *err);

/* ---------------------------------------- kernels */

typedef void (*gmmu_ap_kernel)(struct gmmu_ap_warp *w, void *arg);

/** Runs `blocks` thread blocks of `warps` warps (1 to 32), `resident` blocks at a time (0: 2).
 * Returns the number of blocks that ended by an error, -1 with err when threads cannot be had. */
int gmmu_ap_launch(struct gmmu_ap *s, uint32_t blocks, uint32_t warps, uint32_t resident,
                   gmmu_ap_kernel k, void *arg, struct gmmu_err *err);

uint32_t gmmu_ap_block(const struct gmmu_ap_warp *w);
uint32_t gmmu_ap_warp_id(const struct gmmu_ap_warp *w); /**< in its block */
/** All warps of the block; ends the warp when another one of the block ended by an error. */
void gmmu_ap_barrier(struct gmmu_ap_warp *w);
/** Lanes that the next calls work on. */
uint32_t gmmu_ap_mask(const struct gmmu_ap_warp *w);
void gmmu_ap_set_mask(struct gmmu_ap_warp *w, uint32_t mask);

/** One pointer of one lane. `word` is what a GPU keeps in a register (Figure 5): flags 63 valid, 62
 * write, 61 read, 60 counted in the block's TLB; then the long form's 60 bits (valid: address in
 * the page cache; else position), or the short form's frame (59:40), file page (39:12) and offset
 * (11:0). The rest is metadata, used in faults only. */
struct gmmu_aptr {
  uint64_t word;
  int64_t xpage; /**< long form, valid: page of the file */
  uint32_t map;  /**< mapping's number; 0: uninitialised */
};

/** A pointer of each lane: a register of a warp. */
struct gmmu_apv {
  struct gmmu_aptr lane[GMMU_AP_LANES];
  struct gmmu_apv *next, **link; /* list of the warp, whose end closes them all */
  bool global;
};

/** A new one, uninitialised. global: one that other blocks see (section III-E), never counted in a
 * TLB. */
struct gmmu_apv *gmmu_ap_open(struct gmmu_ap_warp *w, bool global);
/** End of scope: all lanes release. The end of the warp does it too. */
void gmmu_ap_close(struct gmmu_ap_warp *w, struct gmmu_apv *v);
/** dst = src: dst's link is released, dst starts unlinked, src stays as it is. */
void gmmu_ap_assign(struct gmmu_ap_warp *w, struct gmmu_apv *dst, const struct gmmu_apv *src);
/** dst[lane] = src[from]: one lane's pointer for all active lanes (__shfl). */
void gmmu_ap_broadcast(struct gmmu_ap_warp *w, struct gmmu_apv *dst, const struct gmmu_apv *src,
                       uint32_t from);
/** += delta bytes; a lane that leaves its page unlinks. */
void gmmu_ap_add(struct gmmu_ap_warp *w, struct gmmu_apv *v, const int64_t delta[GMMU_AP_LANES]);
void gmmu_ap_add_all(struct gmmu_ap_warp *w, struct gmmu_apv *v, int64_t delta);
/** File byte of one lane's pointer; is it linked? A lane that there is not: 0, false. */
int64_t gmmu_ap_position(const struct gmmu_ap_warp *w, const struct gmmu_apv *v, uint32_t lane);
bool gmmu_ap_linked(const struct gmmu_apv *v, uint32_t lane);

/** Loads and stores of 1, 2, 4, 8 or 16 bytes a lane; value of lane i at buf + i * bytes. Any
 * alignment. */
void gmmu_ap_load(struct gmmu_ap_warp *w, struct gmmu_apv *v, void *buf, uint32_t bytes);
void gmmu_ap_store(struct gmmu_ap_warp *w, struct gmmu_apv *v, const void *buf, uint32_t bytes);

/** Lanes of an access: none may differ in the calling warp. */
uint32_t gmmu_ap_ballot(const struct gmmu_ap_warp *w, const uint32_t pred[GMMU_AP_LANES]);
bool gmmu_ap_all(const struct gmmu_ap_warp *w, const uint32_t pred[GMMU_AP_LANES]);

/* ---------------------------------------- files, in kernels */
/* Each is called by a whole warp; an error ends nothing, it is returned. */

/** File by path, through the host; what cannot be opened is recorded, too. A handle has the mode
 * that it was opened with; handles of one file share its pages. */
enum gmmu_ap_error gmmu_ap_gopen(struct gmmu_ap_warp *w, const char *path, enum gmmu_ap_prot mode,
                                 int *file);
/** Maps size bytes from foffset (any alignment) and sets all active lanes of v, unlinked, to its
 * start. */
enum gmmu_ap_error gmmu_ap_gvmmap(struct gmmu_ap_warp *w, uint64_t size, enum gmmu_ap_prot prot,
                                  int file, uint64_t foffset, struct gmmu_apv *v);
/** Ends the mapping that lane `lane` of v belongs to; BUSY while any pointer into it is linked, and
 * nothing happens. */
enum gmmu_ap_error gmmu_ap_gvmunmap(struct gmmu_ap_warp *w, const struct gmmu_apv *v,
                                    uint32_t lane);
/** Writes the mapping's dirty pages to the file. */
enum gmmu_ap_error gmmu_ap_gvmsync(struct gmmu_ap_warp *w, const struct gmmu_apv *v, uint32_t lane);

/** GPUfs, the paper's baseline: pins one page for the warp and gives its address, from `offset` to
 * the page's end. */
enum gmmu_ap_error gmmu_ap_gmmap(struct gmmu_ap_warp *w, int file, uint64_t offset,
                                 enum gmmu_ap_prot prot, void **at);
/** Ends it; at: any address in the page. */
enum gmmu_ap_error gmmu_ap_gmunmap(struct gmmu_ap_warp *w, const void *at);
/** Reads through the page cache into the warp's own memory. */
enum gmmu_ap_error gmmu_ap_gread(struct gmmu_ap_warp *w, int file, uint64_t offset, void *buf,
                                 size_t bytes);

#ifdef __cplusplus
}
#endif
#endif
