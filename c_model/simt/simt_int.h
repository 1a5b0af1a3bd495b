/* SPDX-License-Identifier: Apache-2.0 */
/** simt_int.h - state of the SIMT core's simulator, shared by its parts. */
#ifndef GMMU_SIMT_INT_H
#define GMMU_SIMT_INT_H

#include "simt/simt.h"

#define each_lane(i, lanes)                                                           \
  for (uint32_t i##_ = (lanes), i; i##_ && (i = (uint32_t)__builtin_ctz(i##_), true); \
       i##_ &= i##_ - 1)

struct simt_warp {
  uint32_t reg[SIMT_LANES][32];
  uint32_t pc[SIMT_LANES];
  uint32_t live, at_sync, at_bar; /* lanes: not ended, waiting at wsync, waiting at bar */
  uint32_t sync_mask[SIMT_LANES]; /* whom a lane at wsync waits for */
  uint32_t group, index;          /* group of slots, warp in block */
  uint64_t instret;
  uint64_t held; /* back until the core has executed so many instructions */
  bool stopped;  /* simt_hold */
};

struct simt_group {
  bool used;
  uint32_t block;
};

struct simt_error {
  uint32_t info, block, address, pc;
};

struct simt {
  struct simt_config cfg;
  simt_at at;
  void *context;
  uint32_t *imem;
  uint8_t *scratch, *local; /* local: slot, lane, byte */
  struct simt_warp warp[SIMT_MAX_WARPS];
  struct simt_group group[SIMT_MAX_WARPS];
  uint32_t reg[0x30 / 4]; /* ENTRY .. SCRATCH as written */
  uint32_t groups, next_block, blocks, warps, scratch_each, running; /* of this launch */
  struct simt_error error[SIMT_RECORDS];
  uint32_t first_error, errors, lost;
  uint32_t last; /* slot that went last */
  uint64_t random;
  struct simt_counts counts;
  void (*on)(void *context, uint32_t slot, uint32_t pc, uint32_t word, uint32_t mask);
  void *on_context;
};

/** Executes the instruction at the PC of `active`. */
void simt_exec(struct simt *s, struct simt_warp *w, uint32_t pc, uint32_t active);
/** Loads, stores and atomics of an instruction. */
void simt_memory_access(struct simt *s, struct simt_warp *w, uint32_t pc, uint32_t insn,
                        uint32_t active);
/** Ends the block of w with a record. */
void simt_fail(struct simt *s, struct simt_warp *w, enum simt_cause cause, uint32_t lane,
               uint32_t address, uint32_t pc);
/** Lets lanes at wsync and bar go on when all that they wait for have come. */
void simt_release_sync(struct simt_warp *w);
void simt_release_bar(struct simt *s, uint32_t group);

static inline uint32_t simt_slot(const struct simt *s, const struct simt_warp *w) {
  return (uint32_t)(w - s->warp);
}
static inline int32_t simt_imm_i(uint32_t i) { return (int32_t)i >> 20; }
static inline int32_t simt_imm_s(uint32_t i) {
  return ((int32_t)i >> 25) * 32 + (int32_t)(i >> 7 & 31);
}

#endif
