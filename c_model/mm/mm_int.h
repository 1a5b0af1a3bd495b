/* SPDX-License-Identifier: Apache-2.0 */
/* mm_int.h - what the parts of the memory manager share. Each uses those before it only: pages.c
 * (allocated pages), cocoa.c (frames and lists), cac.c (splinter, compaction), evict.c (out to the
 * host), place.c (where a page goes), paging.c (transfers, faults), mm.c (allocations), check.c. */
#ifndef GMMU_MM_INT_H
#define GMMU_MM_INT_H

#include "gmmu_mm.h"

#define HASH_NONFATAL_OOM 1 /* what could not be added has hh.tbl NULL */
#include <uthash.h>

#define PAGES 512u /* of a frame */
#define NONE UINT32_MAX
#define MAX_CHANNELS 64u

/** Applications in frames: an ASID, or one of these. */
enum { FOREIGN = GMMU_DRV_MAX_ASIDS, MIXED, NOBODY, NUM_APPS };

enum vstate {
  ON_HOST, /**< allocated, not in memory */
  COMING,  /**< its place in memory is known, its data is on the way */
  HERE,    /**< in memory and mapped */
  DOOMED,  /**< freed while coming: its place is given back when it arrives */
  DEAD     /**< freed, but its coalesced frame (or 2 MiB page) still maps it */
};
/** An allocated page, or one that was and still occupies a place. */
struct vpage {
  uint64_t key;  /**< key_of() */
  uint32_t page; /**< of managed memory; NONE if ON_HOST */
  uint32_t span; /**< COMING: pages of its transfer, on the first of them; else 0 */
  uint8_t state, perms;
  bool block; /**< its aligned 2 MiB lie wholly inside its allocation */
  UT_hash_handle hh;
};

enum kind {
  K_FREE,  /**< in the free frame list */
  K_BLOCK, /**< page i is kept for page i of one virtual 2 MiB */
  K_BASE   /**< any pages of its application (MIXED: of several) */
};
enum list { L_NONE, L_FREE, L_BASE, L_EMERGENCY };
struct frame {
  uint8_t kind, list;
  bool coalesced, large; /**< large: mapped as one 2 MiB page */
  uint32_t app;
  uint32_t taken, live, here; /**< pages: occupied; allocated; of these HERE */
  uint32_t foreign;           /**< of the occupied: of gmmu_mm_fragment() */
  uint64_t lfn;               /**< K_BLOCK: which virtual 2 MiB */
  uint32_t hand;              /**< K_BASE: pages go out in turn, from this one on */
  uint64_t born;              /**< order in which frames were taken into use */
  uint32_t prev, next;        /**< in its list; NONE at the ends */
};
struct head {
  uint32_t first, last;
};
/** A virtual 2 MiB with a frame of its own. */
struct block {
  uint64_t key;
  uint32_t frame;
  UT_hash_handle hh;
};

struct gmmu_mm {
  struct gmmu_mm_cfg cfg;
  struct gmmu_drv *drv;
  struct gmmu_mm_host host;
  uint32_t num_frames;
  struct frame *frames;
  struct vpage **owner; /**< of each page; NULL: nobody, &foreign: gmmu_mm_fragment() */
  struct vpage foreign;
  struct head free_list, emergency, base[NUM_APPS];
  struct vpage *pages; /**< hash of all */
  struct block *blocks;
  uint64_t births;
  int last_fault;
  struct gmmu_mm_stats stats;
  char wrong[160];
};

/** Gives an error of `call` to the caller. */
#define TRY(call)      \
  do {                 \
    int e_ = (call);   \
    if (e_) return e_; \
  } while (0)

static inline uint64_t key_of(unsigned asid, uint64_t va) {
  return (uint64_t)asid << 36 | (va >> 12 & 0xfffffffff);
}
static inline unsigned asid_of(const struct vpage *v) { return (unsigned)(v->key >> 36); }
/** VA of a page, canonical. */
static inline uint64_t va_of(const struct vpage *v) {
  return (uint64_t)((int64_t)(v->key << 28) >> 16);
}
static inline uint64_t lfn_of(const struct vpage *v) { return v->key >> 9; } /* with its ASID */
static inline uint64_t pa_of(const struct gmmu_mm *m, uint32_t page) {
  return m->cfg.first + (uint64_t)page * GMMU_MM_PAGE;
}
static inline uint64_t frame_va(const struct frame *f) {
  return (uint64_t)((int64_t)(f->lfn << 37) >> 16);
}

static inline bool is_allocated(const struct vpage *v) { return v && v->state <= HERE; }

/* pages.c */
struct vpage *mm_find(const struct gmmu_mm *m, unsigned asid, uint64_t va);
/** Forgets a page whose place was given back. */
void mm_forget(struct gmmu_mm *m, struct vpage *v);

/* cocoa.c */
void cocoa_init(struct gmmu_mm *m);
/** Takes the first free frame into use; NONE: there is none. */
uint32_t cocoa_take_free_frame(struct gmmu_mm *m, enum kind kind, uint32_t app);
/** No page of the frame is occupied: it becomes a free one. */
void cocoa_make_free(struct gmmu_mm *m, uint32_t frame);
/** A frame of base pages becomes one of another application (or MIXED). */
void cocoa_set_app(struct gmmu_mm *m, uint32_t frame, uint32_t app);
/** A base page of an application, taken from what is free already: its own frames, else a free
 * frame. NONE: none. */
uint32_t cocoa_base_page(struct gmmu_mm *m, uint32_t app);
/** A page of an application is put into a place of a frame of any kind. */
void cocoa_take(struct gmmu_mm *m, uint32_t page, struct vpage *v);
/** The place is free again; the last of a frame frees the frame. */
void cocoa_give(struct gmmu_mm *m, uint32_t page);
/** A frame for one virtual 2 MiB becomes a frame of base pages of its application. */
void cocoa_open_up(struct gmmu_mm *m, uint32_t frame);
void list_remove(struct gmmu_mm *m, uint32_t frame);
void list_append(struct gmmu_mm *m, struct head *h, enum list l, uint32_t frame);

/* cac.c */
/** All pages of the frame are here: coalesces it. */
int cac_coalesce(struct gmmu_mm *m, uint32_t frame);
/** Undoes it; pages that are not allocated any more lose their mapping and their place. */
int cac_splinter(struct gmmu_mm *m, uint32_t frame);
/** Some pages of a coalesced frame (or 2 MiB page) were freed. */
int cac_after_free(struct gmmu_mm *m, uint32_t frame);
/** Frees a frame by moving the pages of a fragmented one. 1: one is free now; 0: cannot. */
int cac_make_room(struct gmmu_mm *m);

/* evict.c */
/** Makes a place free by paging something out. 1: done; 0: there is nothing. */
int evict_one(struct gmmu_mm *m);

/* place.c */
/** Chooses a place for a page: in the frame of its virtual 2 MiB, else a base page; makes room for
 * it if it must. v->page is set, state COMING. */
int place_page(struct gmmu_mm *m, struct vpage *v);

/* paging.c */
/** Begins the transfer of `span` pages from v on, whose places are chosen; maps them if they are
 * there at once. */
int paging_bring(struct gmmu_mm *m, struct vpage *v, uint32_t span);
/** The same for a page ON_HOST, whose place is chosen as well; with all of its virtual 2 MiB if
 * that gets a frame of its own and nothing of it is in memory. */
int paging_place_and_bring(struct gmmu_mm *m, struct vpage *v);

#endif
