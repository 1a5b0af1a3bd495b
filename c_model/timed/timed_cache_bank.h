/* SPDX-License-Identifier: Apache-2.0 */
/**
 * timed_cache_bank.h - one bank of the shared L2 cache, cycle by cycle: cycle-exact against
 * rtl/mem/gmmu_cache_bank.sv. Holds no data. Written from docs/l2_cache.md; the array is
 * policy/l2_cache.h.
 */
#ifndef GMMU_TIMED_L2_BANK_H
#define GMMU_TIMED_L2_BANK_H

#include "policy/l2_bypass.h"
#include "policy/l2_cache.h"

#define GMMU_CACHE_PORTS 2 /**< 0 translations, 1 data */
enum { GMMU_CACHE_T, GMMU_CACHE_D };
#define GMMU_CACHE_MAX_MSHRS 64u
#define GMMU_CACHE_MAX_WAITERS 16u
#define GMMU_CACHE_FIFO 4u

struct gmmu_cache_bank_cfg {
  uint32_t sets, ways, mshrs, waiters, mem_slots, answer_slots, bypass_slots, latency;
  uint32_t beats;        /**< 64-byte pieces of a line, 1 or 2 */
  bool linear;           /**< sets not hashed (docs/dram_map.md) */
  uint32_t words;        /**< of a line at the data port; 0 is 1 */
  uint32_t miss_latency; /**< cycles that the fetch of a miss waits; the RTL has 0 */
};
struct gmmu_cache_req {
  uint64_t line;
  uint8_t beat;  /**< piece of the line that a translation reads or writes */
  uint8_t depth; /**< of a translation, 1..7 */
  bool we;
  bool full;    /**< a write of data: of all bytes of the line */
  uint16_t app; /**< of data */
  uint32_t id;
};
enum gmmu_cache_mem_kind {
  GMMU_CACHE_FETCH,
  GMMU_CACHE_BYPASSED,
  GMMU_CACHE_WRITE
}; /**< WRITE: a PTE, or a write-back */
struct gmmu_cache_mem {
  bool valid;
  enum gmmu_cache_mem_kind kind;
  uint64_t line;
  uint8_t beat;
  uint16_t app;
  uint32_t id; /**< FETCH: MSHR; BYPASSED: of the request */
};
enum gmmu_cache_outcome {
  GMMU_CACHE_WAITS,
  GMMU_CACHE_HIT,
  GMMU_CACHE_MISS,
  GMMU_CACHE_JOINS,
  GMMU_CACHE_BYPASSES,
  GMMU_CACHE_PTE_WRITE
};

/** A write of data is there for as many cycles in which it is taken as a line has words. */
struct gmmu_cache_bank_in {
  bool valid[GMMU_CACHE_PORTS];
  struct gmmu_cache_req req[GMMU_CACHE_PORTS];
  bool rsp_ready[GMMU_CACHE_PORTS];
  bool mem_ready[GMMU_CACHE_PORTS];
  bool back, back_bypassed; /**< a piece comes from memory */
  uint32_t back_id, back_beat;
  bool bypass[GMMU_DEPTHS];
};
struct gmmu_cache_bank_out {
  bool ready[GMMU_CACHE_PORTS];
  bool rsp_valid[GMMU_CACHE_PORTS];
  uint32_t in_word, out_word; /**< of the data port: words taken of a write, of the answer */
  uint32_t rsp_id[GMMU_CACHE_PORTS];
  struct gmmu_cache_mem mem[GMMU_CACHE_PORTS];
  /* stage C */
  bool decided;
  int port, way;
  enum gmmu_cache_outcome outcome;
  struct gmmu_cache_req req;
  /* F4 */
  bool filled;
  int fill_way;
  bool fill_writes_back;
  /* for the bypass decision: what stage C has served in the cycle before */
  bool counted, counted_hit;
  uint32_t counted_depth;
};
struct gmmu_cache_bank;
struct gmmu_cache_bank *gmmu_cache_bank_new(const struct gmmu_cache_bank_cfg *c);
void gmmu_cache_bank_free(struct gmmu_cache_bank *b);
/** What the bank offers and takes in this cycle: ready, rsp_*, mem. */
void gmmu_cache_bank_offers(const struct gmmu_cache_bank *b, struct gmmu_cache_bank_out *out);
/** The last step did nothing, and up to a request or a piece from memory no other will: each shows
 * what it showed, and gmmu_cache_bank_skip() may stand for it. */
bool gmmu_cache_bank_rests(const struct gmmu_cache_bank *b);
/** It rests and waits for nothing from memory. */
bool gmmu_cache_bank_quiet(const struct gmmu_cache_bank *b);
void gmmu_cache_bank_skip(struct gmmu_cache_bank *b);
/** *out: with what gmmu_cache_bank_offers() says of this cycle, or, resting, of an earlier one. */
void gmmu_cache_bank_step(struct gmmu_cache_bank *b, const struct gmmu_cache_bank_in *in,
                          struct gmmu_cache_bank_out *out);
#endif
