/* SPDX-License-Identifier: Apache-2.0 */
/**
 * gmmu_mm.h - the memory manager above the driver: contiguity-conserving allocation (CoCoA),
 * in-place coalescing, contiguity-aware compaction (CAC), demand paging, and the baselines they are
 * compared with. Mosaic sections 4.1 to 4.4, 6.4. Rules and decisions: docs/mm.md.
 *
 * It acts on the MMU through gmmu_driver.h alone and moves data through struct gmmu_mm_host, so the
 * same code manages a board and a simulated bus. Pages are 4 KiB, frames 2 MiB. Calls on one
 * manager must not overlap. Not a timed model: who pays for transfers and copies decides in the
 * host's functions.
 */
#ifndef GMMU_MM_H
#define GMMU_MM_H

#include "gmmu_driver.h"

#ifdef __cplusplus
extern "C" {
#endif

#define GMMU_MM_PAGE 4096u
#define GMMU_MM_FRAME (512u * GMMU_MM_PAGE)

/** Functions return 0 or one of these, or a driver's error (-1 and below, gmmu_drv_error_name);
 * then nothing has changed, but for a driver's GMMU_DRV_BUS and GMMU_DRV_TIMEOUT, after which the
 * manager is of no use. */
enum gmmu_mm_error {
  GMMU_MM_NO_MEMORY =
      -32, /**< nothing free, nothing to compact, nothing to page out; or the host's own memory */
  GMMU_MM_EXISTS = -33,  /**< a page of the range is allocated already */
  GMMU_MM_ABSENT = -34,  /**< a page of the range is not allocated (freed twice, never allocated) */
  GMMU_MM_ARGUMENT = -35 /**< empty, unaligned, not canonical, no such address space */
};
const char *gmmu_mm_error_name(int error); /**< driver's errors as well */

enum gmmu_mm_policy {
  GMMU_MM_MOSAIC, /**< CoCoA, coalescing, CAC */
  GMMU_MM_BASE,   /**< GPU-MMU: base pages from one list, so applications share frames */
  GMMU_MM_LARGE   /**< 2 MiB pages only; allocations begin at multiples of 2 MiB */
};

struct gmmu_mm_cfg {
  enum gmmu_mm_policy policy;
  uint64_t first, bytes; /**< physical memory to manage, both multiples of 2 MiB; a window must
                            allow it for data */
  unsigned threshold;    /**< CAC splinters a coalesced frame with fewer allocated pages: 1..512,
                            Mosaic's: 256 */
  bool cac;              /**< false: No CAC (Figure 16) */
  bool page_out;         /**< full memory: pages go back to the host; false: GMMU_MM_NO_MEMORY */
};

/** What the manager needs of its surroundings. Nobody uses the pages that are copied or moved: they
 * are not mapped. */
struct gmmu_mm_host {
  void *arg;
  /** Copies 4 KiB from one physical page to another of the same channel. */
  void (*copy)(void *arg, uint64_t to, uint64_t from);
  /** Brings `bytes` (4 KiB or 2 MiB) of an allocation to pa. 0: they are there; 1:
   * gmmu_mm_arrived() will say so. */
  int (*page_in)(void *arg, unsigned asid, uint64_t va, uint64_t pa, uint64_t bytes);
  /** Takes 4 KiB away; its content must come back with the next page_in of va. */
  void (*page_out)(void *arg, unsigned asid, uint64_t va, uint64_t pa);
  /** Memory channel of a page, 0..63. NULL: there is one. */
  unsigned (*channel)(void *arg, uint64_t pa);
};

struct gmmu_mm_stats {
  uint64_t frames, free_frames; /**< now */
  uint64_t pages, resident;     /**< allocated; of them in memory or on their way, now */
  uint64_t held;    /**< pages of memory in frames that hold something of an application, now */
  uint64_t foreign; /**< pages of gmmu_mm_fragment(), now */
  uint64_t coalesced, splintered; /**< frames, since the start, as all below */
  uint64_t compacted, moved;      /**< frames freed by compaction, pages moved for it */
  uint64_t emergencies;           /**< coalesced frames splintered for their unallocated pages */
  uint64_t given_up;            /**< frames reserved for a virtual 2 MiB and used for other pages */
  uint64_t mixed;               /**< frames that lost the soft guarantee */
  uint64_t ins, in_bytes, outs; /**< transfers, bytes, pages out */
};

struct gmmu_mm;
/** NULL: bad configuration or no memory. The driver must be open for every address space that is
 * used. */
struct gmmu_mm *gmmu_mm_new(const struct gmmu_mm_cfg *cfg, struct gmmu_drv *drv,
                            const struct gmmu_mm_host *host);
void gmmu_mm_free_all(struct gmmu_mm *m); /**< forgets everything; page tables stay as they are */

/** Puts data that belongs to no application (Mosaic section 6.4) into a share `index` of the free
 * frames, on a share `occupancy` of the pages of each, at random. Both 0..1. CAC may move it. */
int gmmu_mm_fragment(struct gmmu_mm *m, double index, double occupancy, uint64_t seed);

/** Allocates [va, va + bytes), page granular, with permissions GMMU_DRV_R etc. Not `demand`:
 * brought in and mapped now; whole aligned 2 MiB get a frame each and are coalesced when all their
 * pages are there. `demand`: when they are touched. */
int gmmu_mm_alloc(struct gmmu_mm *m, unsigned asid, uint64_t va, uint64_t bytes, unsigned perms,
                  bool demand);
/** Frees [va, va + bytes), all of which must be allocated; may be a part of an allocation. */
int gmmu_mm_dealloc(struct gmmu_mm *m, unsigned asid, uint64_t va, uint64_t bytes);

/** A handler for gmmu_drv_handle_faults (arg: the manager): GMMU_DRV_RESOLVED if the access can be
 * retried now, GMMU_DRV_LATER if the page is on its way or nothing can be done; the reason is in
 * gmmu_mm_last_fault(). Faults of a page that is on its way start no second transfer. */
int gmmu_mm_fault(void *mm, const struct gmmu_drv_fault *f);
/** Of the last call of gmmu_mm_fault: 0 it will be resolved; GMMU_MM_ABSENT not allocated, or not
 * with that permission, or a cause that no page cures (an address that is not canonical, an access
 * fault: windows, memory); GMMU_MM_NO_MEMORY; or a driver's error. */
int gmmu_mm_last_fault(const struct gmmu_mm *m);
/** The transfer that page_in began for va has ended: the pages are mapped, which retries faulted
 * accesses. */
int gmmu_mm_arrived(struct gmmu_mm *m, unsigned asid, uint64_t va);

enum gmmu_mm_where { GMMU_MM_NOT_ALLOCATED, GMMU_MM_ON_HOST, GMMU_MM_COMING, GMMU_MM_HERE };
/** Where an address is now; pa: if it is in memory. */
enum gmmu_mm_where gmmu_mm_where(const struct gmmu_mm *m, unsigned asid, uint64_t va, uint64_t *pa);

/** What accesses to an address may do when nothing changes: GMMU_DRV_R etc. of an allocated page, 0
 * if there is none (GMMU_MM_LARGE maps the rest of a 2 MiB too, which nobody allocated). *stale: it
 * was freed, but its coalesced frame or 2 MiB page still maps it, at *pa. */
unsigned gmmu_mm_perms(const struct gmmu_mm *m, unsigned asid, uint64_t va, bool *stale,
                       uint64_t *pa);

void gmmu_mm_get_stats(const struct gmmu_mm *m, struct gmmu_mm_stats *s);
/** Walks all lists, counts and page tables. NULL: all is well; else what is not. */
const char *gmmu_mm_check(struct gmmu_mm *m);

/** The I/O bus between host and GPU memory (docs/mm.md): transfers share it one after the
 * other, each is there latency_ns after its last byte has left. GMMU_IOBUS: Mosaic section 3.2's,
 * 55 us for 4 KiB, 318 us for 2 MiB. */
struct gmmu_iobus {
  double latency_ns, bytes_per_ns, free_ns;
};
#define GMMU_IOBUS_US 54.5
#define GMMU_IOBUS_GB_S 7.96
#define GMMU_IOBUS ((struct gmmu_iobus){1000 * GMMU_IOBUS_US, GMMU_IOBUS_GB_S, 0})
/** Time at which a transfer that is asked for now has arrived. */
double gmmu_iobus_transfer(struct gmmu_iobus *b, double now_ns, uint64_t bytes);

#ifdef __cplusplus
}
#endif
#endif
