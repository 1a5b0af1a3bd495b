/* SPDX-License-Identifier: Apache-2.0 */
/** system.h - what the parts of ActivePointers share: the system, a thread block, a warp. */
#ifndef GMMU_AP_SYSTEM_H
#define GMMU_AP_SYSTEM_H

#include <setjmp.h>

#include "apointers/page_cache.h"
#include "apointers/software_tlb.h"

/** A mapping; its number in a pointer is slot | generation << 12, never 0, so that a pointer into
 * one that is gone is noticed. */
struct ap_mapping {
  _Atomic int64_t links; /* linked lanes; -1: free */
  uint64_t start, size;  /* file bytes; written while links is -1 and nobody has its number */
  _Atomic uint32_t uses; /* of this slot before: its generation */
  int file;              /* handle */
  enum gmmu_ap_prot prot;
};

/** Counters of one warp, added up when it ends. */
struct ap_counts {
  uint64_t accesses, lane_accesses, fast, groups, tlb_hits, tlb_misses, tlb_conflicts, unlinks,
      prefetches, prefetch_useful;
};

struct gmmu_ap {
  struct gmmu_ap_config cfg;
  struct ap_ring ring;
  struct ap_cache cache;
  struct ap_mapping map[GMMU_AP_MAX_MAPPINGS];
  pthread_mutex_t m; /* of what follows, and of making and ending mappings */
  struct ap_counts counts;
  struct gmmu_ap_record record[GMMU_AP_MAX_RECORDS];
  size_t records;
  uint64_t more_records;
};

struct ap_block {
  struct gmmu_ap *s;
  uint32_t id, warps;
  struct ap_tlb tlb;
  _Atomic bool aborted;
  _Atomic uint32_t pressure_seen;
  pthread_mutex_t m; /* of the barrier */
  pthread_cond_t released;
  uint32_t arrived, alive;
  uint64_t barriers;
};

struct gmmu_ap_warp {
  struct gmmu_ap *s;
  struct ap_block *b;
  uint32_t id, mask;
  struct gmmu_apv *open; /* pointers that may be linked */
  struct ap_pin {
    const uint8_t *at;
    struct ap_pin *next;
  } *pins; /* gmmap */
  struct ap_counts counts;
  jmp_buf end;
};

/** Records the error; the block goes on. */
void ap_record(struct gmmu_ap_warp *w, uint32_t lane, enum gmmu_ap_error e, bool write, int file,
               int64_t position);
/** Records the error and ends the block. Does not return. */
_Noreturn void ap_fail(struct gmmu_ap_warp *w, uint32_t lane, enum gmmu_ap_error e, bool write,
                       int file, int64_t position);
/** Ends the warp when its block was ended by another one. */
void ap_poll(struct gmmu_ap_warp *w);
/** Gives back what the warp's block keeps for nobody; true: something was. For ap_cache_get. */
bool ap_relieve(void *block);
/** Links these lanes to the mapping with this number, which then stays; NULL: it is gone. */
struct ap_mapping *ap_mapping_get(struct gmmu_ap *s, uint32_t map, uint32_t lanes);
/** The mapping whose links the caller holds. */
struct ap_mapping *ap_mapping_held(struct gmmu_ap *s, uint32_t map);
void ap_mapping_put(struct ap_mapping *m, uint32_t lanes);
/** References to a page for the warp's own use (GPUfs), past the TLB. */
enum gmmu_ap_error ap_get_page(struct gmmu_ap_warp *w, uint64_t key, int32_t n, bool dirty,
                               uint32_t *frame);
/** All lanes of a pointer release; counts aggregated over lanes with the same frame. */
void ap_unlink(struct gmmu_ap_warp *w, struct gmmu_apv *v, uint32_t lanes);
void ap_end_pins(struct gmmu_ap_warp *w);

#endif
