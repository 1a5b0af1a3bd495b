/* SPDX-License-Identifier: Apache-2.0 */
/** scoreboard_parts.h - private to scoreboard*.c: the state of the scoreboard and its parts. */
#ifndef GMMU_SCOREBOARD_PARTS_H
#define GMMU_SCOREBOARD_PARTS_H

#include "policy/fill_tokens.h"
#include "policy/l1_tlb.h"
#include "policy/l2_tlb.h"
#include "scoreboard/scoreboard.h"
#include "policy/walk_cache.h"
#include "policy/walk_stage.h"

#define SB_COUNT_AFTER 3 /* cycles after which an L1 counts the warp of a lookup */

/** How far an L1 MSHR's request is. */
enum sb_progress {
  SB_ASKS,    /**< the L2 has not decided: a lookup is due */
  SB_IN_L2,   /**< an L2 MSHR works for it */
  SB_ANSWERED /**< the L2 decided; its translation is stored in the policy's MSHR */
};

struct sb_mshr {
  enum sb_progress progress;
  bool by_walk;     /**< answered by a finish, whose delivery takes an unknown time ... */
  uint64_t visible; /**< ... or from this cycle on the L1 certainly holds the answer */
  bool may_ask;     /**< a resend came while it was unknown whether the L1 held the answer */
};

struct sb_l1 {
  struct gmmu_l1_tlb *tlb;
  struct sb_mshr mshr[GMMU_L1_MAX_MSHRS];
  struct gmmu_rsp rsp;     /**< what the pins must show */
  int drain;               /**< MSHR that is being answered, or -1 */
  struct gmmu_fill filled; /**< by the last cycle's op */
  uint8_t *outstanding;    /**< per tag */
  struct {                 /**< warps of the last cycles' lookups, not counted yet; by cycle */
    bool valid;
    uint8_t mshr, warp;
  } count[SB_COUNT_AFTER];
  struct { /**< report of waiting warps that the L2 has not added */
    bool full;
    uint8_t l2_mshr, warps;
  } tell;
};

/** A walk that ended. */
struct sb_fin {
  uint8_t slot, mshr;
  struct gmmu_tlb_data data;
};

struct sb_l2 {
  struct gmmu_l2_tlb *tlb;
  bool waits[GMMU_MAX_SMS];        /**< the head of this SM's queue got MISS_WAIT ... */
  uint8_t waits_for[GMMU_MAX_SMS]; /**< ... it is of this L1 MSHR */
  struct {                         /**< answers that were not given to all, in order */
    uint8_t mshr;
    bool end; /**< the MSHR is free afterwards */
  } done[2 * GMMU_L2_MAX_MSHRS];
  int dones;
  int filled_large;                  /**< way that the last cycle's finish filled, or -1 */
  struct gmmu_fill filled;           /**< by the last cycle's finish: of the bypass cache */
  uint64_t since[GMMU_L2_MAX_MSHRS]; /**< cycle of each MSHR's allocation */
  bool alloc; /**< a walk was made in this cycle (waits for the walker's comparison) */
  struct gmmu_walk_req walk;
};

/** What the late comparison of the walker needs of a cycle. */
struct sb_walk_cycle {
  struct gmmu_walk_event ev;
  bool mark_due, req_valid, req_ready, rsp_valid, rsp_err;
  bool req_upd;
  uint64_t req_addr, req_old, req_set, rsp_data, rsp_line[8];
  uint16_t req_id, rsp_id;
  uint8_t req_depth;
};

struct sb_walk {
  struct gmmu_walker w;
  struct gmmu_walk_stage stage;
  bool leaves;     /**< a walk's slot that the L2 has freed: */
  uint8_t leaving; /**< free from the cycle after the one that is compared now on */
  struct {         /**< reads made and not yet accepted by memory, in order */
    uint64_t addr, old, set;
    uint8_t slot, depth;
    bool upd;
  } read[GMMU_MAX_WALKS];
  int reads;
  bool reading[GMMU_MAX_WALKS]; /**< accepted by memory, not answered */
  struct sb_answer {
    bool valid, err, cached; /**< cached: from the page walk cache */
    uint8_t slot;
    uint64_t pte, line[8];
  } first, answer; /**< PTE answer of the cycle before, and of the one before that */
  struct gmmu_window win[GMMU_MAX_WINDOWS]; /**< of the cycle before the one that is compared */
  struct sb_fin
      fin[2 * GMMU_MAX_WALKS]; /**< ended or answered early, not yet finished in the L2, in order */
  struct gmmu_msc msc;
  struct gmmu_pwc pwc;
  uint8_t
      probe[GMMU_MAX_WALKS]; /**< slots whose read is in the page walk cache's pipeline, in order */
  int probes;
  struct { /**< PTEs that the cache had, not yet decoded, in order */
    uint8_t slot;
    uint64_t pte;
  } cached[GMMU_MAX_WALKS];
  int num_cached;
  uint64_t insert_pa, insert_pte; /**< of the cycle before; pa 0: nothing */
  int fins;
  bool have_last;
  struct sb_walk_cycle last;
};

struct gmmu_scoreboard {
  struct gmmu_config cfg;
  struct gmmu_env env[2]; /**< of this cycle and the one before (may be the same one) */
  int now, before;
  struct gmmu_inv_order order;
  uint64_t clear_at; /**< cycle of the last clear pulse */
  uint64_t l1_busy;  /**< L1s that the acknowledgement waits for, in this cycle */
  bool clearing;     /**< it is to come; due: in the next cycle */
  bool ack_due;
  bool stale[2];           /**< a miss was stale at the end of the last cycle, of the one before */
  bool accepted, mark_due; /**< a command in the last cycle; its mark is to come in this one */
  struct sb_l1 l1[GMMU_MAX_SMS];
  struct sb_l2 l2;
  struct sb_walk walk;
  struct { /**< fill tokens */
    struct gmmu_tokens t;
    uint64_t pulse; /**< the last pulse's cycle */
    bool ever;
  } tokens;
  /* report */
  bool begun;
  uint64_t checks, cycle, first; /**< first: the cycle of the first step, just out of reset */
  int bad;
  char *msg;
  size_t msg_n;
  const char *block, *op; /**< what is being compared, for messages */
  int unit;               /**< -1: the block is there once */
  uint16_t asid;
  uint64_t vfn;
};

/** Names what the next comparisons are about. */
static inline void sb_at(struct gmmu_scoreboard *s, const char *block, int unit, const char *op,
                         uint16_t asid, uint64_t vfn) {
  s->block = block;
  s->unit = unit;
  s->op = op;
  s->asid = asid;
  s->vfn = vfn;
}
void sb_mismatch(struct gmmu_scoreboard *s, const char *what, uint64_t expected, uint64_t got);
/** Returns whether they are equal; a mismatch is recorded. */
static inline bool sb_same(struct gmmu_scoreboard *s, const char *what, uint64_t expected,
                           uint64_t got) {
  s->checks++;
  if (expected == got) return true;
  sb_mismatch(s, what, expected, got);
  return false;
}
/** The same for a condition without numbers. */
static inline bool sb_that(struct gmmu_scoreboard *s, const char *what, bool holds) {
  return sb_same(s, what, 1, holds);
}
static inline const struct gmmu_env *sb_env(const struct gmmu_scoreboard *s) {
  return &s->env[s->now];
}

/** Compares a fill with what the event says. */
struct sb_fill_event {
  bool base, large, overwrite, evict;
  int way;
  uint8_t pages;
};
void sb_same_fill(struct gmmu_scoreboard *s, const struct gmmu_fill *f,
                  const struct sb_fill_event *got);

void sb_l1_step(struct gmmu_scoreboard *s, int sm, const struct gmmu_l1_event *ev,
                const struct gmmu_pins *p);
/** The L2 decided the request of this L1 MSHR. */
void sb_l1_decided(struct gmmu_scoreboard *s, int sm, int mshr, const struct gmmu_tlb_data *d,
                   bool by_walk);
/** The L2 gave the answer of a finish to this L1 in this cycle at the latest. */
void sb_l1_delivered(struct gmmu_scoreboard *s, int sm, int mshr);
/** Mark, sweep and finish; later (after the walker) lookups and the freed MSHR. */
void sb_l2_first(struct gmmu_scoreboard *s, const struct gmmu_l2_event *ev);
void sb_l2_second(struct gmmu_scoreboard *s, const struct gmmu_l2_event *ev);
/** After all blocks of the cycle. */
void sb_tokens_step(struct gmmu_scoreboard *s, const struct gmmu_events *ev,
                    const struct gmmu_pins *p);
/** Compares the cycle before and remembers this one. */
void sb_walk_step(struct gmmu_scoreboard *s, const struct gmmu_walk_event *ev,
                  const struct gmmu_pins *p);

#endif
