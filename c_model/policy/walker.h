/* SPDX-License-Identifier: Apache-2.0 */
/**
 * walker.h - policy of the page table walker, without a clock: which walk starts in which slot,
 * what a PTE answer leads to, what an invalidation restarts. docs/walker.md, "Policy". Model of
 * rtl/walk/gmmu_walker.sv; what a PTE means is functional/walk_step.c's.
 */
#ifndef GMMU_POLICY_WALKER_H
#define GMMU_POLICY_WALKER_H

#include "policy/invalidate.h"
#include "policy/msc.h"
#include "policy/share.h"
#include "policy/tlb_data.h"

#define GMMU_MAX_WALKS 128
#define GMMU_MAX_BUFFER 128

/** A walk of the walk buffer. */
struct gmmu_walk_req {
  uint64_t vfn, since; /**< since: first cycle in the buffer, for the caller */
  uint16_t asid;
  uint8_t mshr;
  uint8_t store; /**< class of the stores it is for (env.svadu, else 0) */
};

struct gmmu_walk_slot {
  struct gmmu_walk_state at; /**< at.pa: the PTE that is being read, or with at.update updated */
  uint64_t vfn;
  uint16_t asid;
  uint8_t mshr, store;
  bool used, ended, restart;
  bool again;          /**< it is to start over */
  bool after;          /**< answered early: restart then means that it ends without a fill */
  struct gmmu_run run; /**< ... what it knows of its frame's subregions */
};

/** Callers may read everything and write only through the functions below. */
struct gmmu_walker {
  int num_slots, buffered;
  bool groups;       /**< config Colt: translations come with their group */
  bool mark_by_asid; /**< config MarkByAsid */
  struct gmmu_share share;
  struct gmmu_walk_req buffer[GMMU_MAX_BUFFER]; /**< oldest first */
  struct gmmu_walk_slot slot[GMMU_MAX_WALKS];
  uint8_t waiting[GMMU_MAX_WALKS]; /**< slots whose run is to be looked up, in order */
  int num_waiting;
  uint8_t again[GMMU_MAX_WALKS]; /**< slots that are to start over, in order */
  int num_again;
};

/** Where a walk begins: its root PTE, or the fault that ends it there. */
struct gmmu_walk_root {
  int cause; /**< GMMU_OK: at is set */
  struct gmmu_walk_state at;
};

/** What a start or a PTE answer led to. */
struct gmmu_walk_result {
  int slot;
  bool restarted;            /**< the PTE was thrown away: the walk is to start over */
  bool ended;                /**< with data */
  bool early;                /**< answered early, with data; the run is looked up later */
  bool head;                 /**< the PTE was the head of another subregion */
  bool reads;                /**< the PTE at slot[].at.pa is to be read */
  bool updates;              /**< ... not read but updated, from at.old to at.set */
  bool upper;                /**< ... it is not of a leaf table: the page walk cache may have it */
  uint64_t pointer_pa;       /**< the PTE pointed on to a table: its address, else 0 */
  uint8_t depth;             /**< of the PTE that was answered */
  struct gmmu_tlb_data data; /**< if it ended */
};

void gmmu_walker_init(struct gmmu_walker *w, const struct gmmu_config *c);
/** A new walk goes to the end of the buffer (dropped if that is full, which L2Mshrs rules out). */
void gmmu_walker_push(struct gmmu_walker *w, uint16_t asid, uint64_t vfn, uint8_t store, int mshr,
                      uint64_t since);
/** Place in the buffer of the walk that is next to start by these counts, -1 if none may. */
int gmmu_walker_pick(const struct gmmu_walker *w, const struct gmmu_share *share);
/** The root of the walk at that place; of the first that is to start over. */
void gmmu_walker_root(const struct gmmu_walker *w, const struct gmmu_env *e, int place,
                      struct gmmu_walk_root *root);
void gmmu_walker_root_again(const struct gmmu_walker *w, const struct gmmu_env *e,
                            struct gmmu_walk_root *root);
/** The walk at that place starts in the lowest-numbered free slot; the first one that is to start
 * over does. */
void gmmu_walker_start(struct gmmu_walker *w, const struct gmmu_walk_root *root, int place,
                       struct gmmu_walk_result *out);
void gmmu_walker_again(struct gmmu_walker *w, const struct gmmu_walk_root *root,
                       struct gmmu_walk_result *out);
/** May the walk read on after this answer? False: it does not; known before what the PTE means. */
bool gmmu_walker_may_read(const struct gmmu_walker *w, const struct gmmu_env *e, int slot, bool err,
                          uint64_t pte);
/** The environment of a decode and of a run's end: contexts of now, windows as they were `before`,
 * in the cycle before. `mixed`: room for it. */
const struct gmmu_env *gmmu_walker_env(const struct gmmu_env *now, const struct gmmu_window *before,
                                       struct gmmu_env *mixed);
/** The PTE answer for a slot that is walking; `line`: the 64-byte line it is in, NULL without line
 * answers. */
void gmmu_walker_decode(struct gmmu_walker *w, const struct gmmu_env *e, int slot, bool err,
                        uint64_t pte, const uint64_t *line, struct gmmu_walk_result *out);
/** The lookup of the first waiting run: whether it wants to read a head (else it ends the walk),
 * and then does. */
bool gmmu_walker_run_reads(const struct gmmu_walker *w, const struct gmmu_msc *m);
struct gmmu_run_result {
  int slot;
  bool stale, hit, insert, reads, ended;
  uint8_t bitmap;
  int way; /**< of the hit or the insertion */
  struct gmmu_fill fill;
  struct gmmu_tlb_data data; /**< if it ended */
};
void gmmu_walker_run(struct gmmu_walker *w, struct gmmu_msc *m, const struct gmmu_env *e,
                     struct gmmu_run_result *out);
/** The L2 took the answer of a walk that ended: the slot is free. */
void gmmu_walker_release(struct gmmu_walker *w, int slot);
/** Is an update of a walk that will restart outstanding? No invalidation is acknowledged before it
 * is answered. */
bool gmmu_walker_stale_update(const struct gmmu_walker *w);
/** Matching walks restart. */
void gmmu_walker_mark(struct gmmu_walker *w, const struct gmmu_inv_cmd *c);

#endif
