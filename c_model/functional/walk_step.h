/* SPDX-License-Identifier: Apache-2.0 */
/**
 * walk_step.h - the walk of docs/walk-rules.md one PTE at a time, for models whose memory answers
 * later.
 *
 * gmmu_walk_begin() says where the root PTE is; gmmu_walk_step() takes a PTE and says where the
 * next one is, or ends the walk. The same answers as gmmu_walk() if nothing changes in between;
 * contexts and windows are looked at when they are needed, so what changes between two steps counts
 * for the later one.
 */
#ifndef GMMU_WALK_STEP_H
#define GMMU_WALK_STEP_H

#include "gmmu.h"

/** One walk between two reads. */
struct gmmu_walk_state {
  uint64_t vfn;
  uint64_t pa; /**< of the PTE to read */
  uint16_t asid;
  int8_t level;   /**< of that PTE: 0 = table of 4 KiB leaves */
  uint8_t depth;  /**< of that PTE: 1 = root */
  uint8_t path;   /**< which leaf PTE that is: enum gmmu_walk_path */
  uint8_t c;      /**< C bits of the frame PTE, path C */
  uint64_t table; /**< the frame's leaf table, path C */
  /* env.svadu: */
  uint8_t store; /**< class of the stores it is for (gmmu_store_class()); the caller sets it after
                    the begin */
  bool update;   /**< the PTE at pa is not to be read but to be updated: from `old` to `set` */
  uint64_t old, set;
};

/** Stores of an access: bit 1: they may go to user pages, bit 0: to supervisor pages; 0: it is no
 * store. */
static inline uint8_t gmmu_store_class(int access, bool user, bool sum) {
  if (access != GMMU_WRITE && access != GMMU_AMO) return 0;
  return (uint8_t)((user || sum) << 1 | !user);
}
/** May stores of this class go to the page, but for D? */
static inline bool gmmu_needs_dirty(bool w, bool u, bool d, uint8_t store) {
  return w && !d && store >> u & 1;
}

/** Rule 1: a context that exists and is on. */
bool gmmu_ctx_on(const struct gmmu_env *e, int asid);
/** Rules 1 and 2 for a request: GMMU_OK, GMMU_UNKNOWN_ASID or GMMU_NON_CANONICAL. */
int gmmu_local_fault(const struct gmmu_env *e, int asid, uint64_t va);
/** Starts the walk: GMMU_OK and s->pa is to be read, or the fault that ends it without a read. */
int gmmu_walk_begin(const struct gmmu_env *e, int asid, uint64_t vfn, struct gmmu_walk_state *s);
/** Takes the PTE at s->pa (`err`: memory answered with an error, pte ignored). Returns true if the
 * walk ended: `out` is set but for reads and pte_pa, which are 0; false: s->pa is to be read (or
 * updated) next, `out` is unchanged. An update's answer is the PTE as it then is. */
bool gmmu_walk_step(const struct gmmu_env *e, struct gmmu_walk_state *s, bool err, uint64_t pte,
                    struct gmmu_xlate *out);
/** After a begin: the stores that it is for; it has no update (after a fault neither). */
static inline void gmmu_walk_for(struct gmmu_walk_state *s, uint8_t store) { s->store = store; }
static inline void gmmu_walk_no_update(struct gmmu_walk_state *s) { s->update = false; }
/** Path C: the PTE to read is that of subregion `head` of the frame. */
static inline void gmmu_walk_head(struct gmmu_walk_state *s, int head) {
  s->pa = s->table << 12 | (uint64_t)head << 9;
}
/** CoLT (docs/colt.md): pages of the aligned group of 4 that share the translation `x` with which
 * the walk ended in `s`. `line`: the 64-byte line of its last PTE. 0 after a fault. */
uint8_t gmmu_walk_group(const struct gmmu_env *e, const struct gmmu_walk_state *s,
                        const uint64_t line[8], const struct gmmu_xlate *x);

#endif
