/* SPDX-License-Identifier: Apache-2.0 */
/**
 * timed_channel.h - one channel of the memory system, cycle by cycle: L2 cache banks, DRAM
 * scheduler and controller; cycle-exact against rtl/mem/gmmu_mem_channel.sv. Holds no data.
 */
#ifndef GMMU_TIMED_CHANNEL_H
#define GMMU_TIMED_CHANNEL_H

#include "timed/timed_dram.h"
#include "timed/timed_cache_bank.h"

#define GMMU_CHANNEL_MAX_BANKS 16u
struct gmmu_channel_cfg {
  uint32_t banks;    /**< of the L2 cache in this channel, a power of two */
  uint32_t col_bits; /**< log2 of the 64-byte pieces of a DRAM row */
  bool linear;       /**< banks not hashed (docs/dram_map.md); bank.linear: sets */
  struct gmmu_cache_bank_cfg bank;
  struct gmmu_dram_cfg dram;
};
struct gmmu_channel_in { /**< lines: numbers of lines in their bank */
  struct gmmu_cache_bank_in bank[GMMU_CHANNEL_MAX_BANKS]; /**< without mem_ready, back..., bypass */
  const bool *bypass;                                     /**< by depth */
  bool epoch;
  uint32_t apps;
  const uint8_t *con, *warps;
};
struct gmmu_channel_out {
  struct gmmu_cache_bank_out bank[GMMU_CHANNEL_MAX_BANKS];
  struct gmmu_dram_out dram;
};
struct gmmu_channel;
struct gmmu_channel *gmmu_channel_new(const struct gmmu_channel_cfg *c);
void gmmu_channel_free(struct gmmu_channel *m);
/** A cycle: first what the banks offer in it, as gmmu_cache_bank_offers(), then the step; both with
 * one and the same *out in all cycles: what a bank that rests shows stays there. */
void gmmu_channel_offers(const struct gmmu_channel *m, struct gmmu_channel_out *out);
void gmmu_channel_step(struct gmmu_channel *m, struct gmmu_channel_in *in,
                       struct gmmu_channel_out *out);
/** Instead of a step: true if nothing is in the channel and it is given nothing; then the cycle is
 * over, and *out stays as the last step left it but for its DRAM commands, of which there are none.
 * False: the cycle needs a step. */
bool gmmu_channel_rests(struct gmmu_channel *m, const struct gmmu_channel_in *in);
/** Requests in the scheduler's queues: 0 normal, 1 silver, 2 golden. */
uint32_t gmmu_channel_queued(const struct gmmu_channel *m, int queue);
/** Whose turn it is to be decided anew: depth `1 + before`, for the cycle'th cycle. */
struct gmmu_bypass_turn {
  uint32_t before, cycle;
  bool wanted; /**< the decision that will count when the turn is over */
};
#define GMMU_BYPASS_TURN 18u /**< cycles of a depth's turn */
/** Counts a cycle of all channels' banks for the bypass decision; t: all 0 at first. */
void gmmu_channel_count(struct gmmu_l2_bypass *b, struct gmmu_bypass_turn *t, bool epoch,
                        const struct gmmu_channel_out *const *out, uint32_t channels,
                        uint32_t banks);
#endif
