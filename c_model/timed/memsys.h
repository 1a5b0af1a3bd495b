/* SPDX-License-Identifier: Apache-2.0 */
/**
 * memsys.h - the memory system behind SMs and walker (config MemChannels): interconnect, and
 * channels of L2 cache and DRAM (timed/timed_channel.h). No data: contents are in the memory image.
 * Rules: docs/memsys.md.
 *
 * Per cycle: gmmu_memsys_step(), after the cycle's requests were handed over.
 */
#ifndef GMMU_TIMED_MEMSYS_H
#define GMMU_TIMED_MEMSYS_H

#include "gmmu.h"
#include "policy/l2_bypass.h"

#define GMMU_MEMSYS_NONE UINT32_MAX
struct gmmu_memsys_stats {
  uint64_t cycles;
  uint64_t reads[2], wait[2],
      wait_max[2]; /**< answered reads of translations, data; cycles from request to answer */
  uint64_t access[GMMU_DEPTHS], hit[GMMU_DEPTHS],
      bypassed[GMMU_DEPTHS]; /**< L2 cache, by depth; 0: data */
  uint64_t column[2];        /**< DRAM columns of translations, data (with write-backs) */
  uint64_t row_commands;     /**< ACT */
  uint64_t queued[3]; /**< normal, silver, golden requests in the schedulers, summed over cycles and
                         channels */
};
struct gmmu_memsys_done {
  int sm; /**< -1: a PTE read, token is its id */
  uint32_t token;
};
struct gmmu_memsys;
/** apps: number of applications, ASIDs 0..apps-1. NULL: out of memory. */
struct gmmu_memsys *gmmu_memsys_new(const struct gmmu_config *c, int apps);
void gmmu_memsys_free(struct gmmu_memsys *m);
/** From now on writes to f what channel 0 is given, for benches of its RTL (docs/memsys.md,
 * "Recording"). NULL: no more. */
void gmmu_memsys_record(struct gmmu_memsys *m, FILE *f);
/** From now on p's RTL does what the channels do (timed/memsys_rtl.h). */
struct gmmu_memsys_peer;
void gmmu_memsys_set_peer(struct gmmu_memsys *m, struct gmmu_memsys_peer *p);
void gmmu_memsys_pte(struct gmmu_memsys *m, uint64_t pa, uint8_t depth, uint16_t id);
/** A 128-byte line (pa >> 7) of an SM. Reads are done when the line is there, writes when the cache
 * has taken them; with token NONE nobody is told. */
void gmmu_memsys_data(struct gmmu_memsys *m, int sm, uint16_t asid, uint64_t line, bool write,
                      uint32_t token);
/** One cycle. misses: outstanding L2 TLB misses per application; ev: what the L2 TLB did in the
 * last cycle, or NULL. Returns what is done, *n entries, valid until the next call; *n = -1: out of
 * memory. */
const struct gmmu_memsys_done *gmmu_memsys_step(struct gmmu_memsys *m, const uint8_t *misses,
                                                const struct gmmu_l2_event *ev, int *n);
const struct gmmu_memsys_stats *gmmu_memsys_get_stats(const struct gmmu_memsys *m);
#endif
