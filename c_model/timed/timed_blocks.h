/* SPDX-License-Identifier: Apache-2.0 */
/**
 * timed_blocks.h - the blocks of the timed model and the wires between them.
 *
 * Each x_step() is one clock edge: it reads the block's registers as they were in the cycle that
 * ends and the wires of that cycle, and leaves the registers of the next one. Wires that depend on
 * registers alone are read before any block steps. What is policy is in policy/; here are queues,
 * registers and their cycles (docs/).
 */
#ifndef GMMU_TIMED_BLOCKS_H
#define GMMU_TIMED_BLOCKS_H

#include "policy/fill_tokens.h"
#include "policy/l1_tlb.h"
#include "policy/l2_tlb.h"
#include "policy/walk_cache.h"
#include "policy/walk_stage.h"

/** Round robin over a set: the first member at or after *next; *next moves behind it. The set is
 * not empty. */
static inline int timed_round_robin(uint64_t set, int n, int *next) {
  uint64_t from = *next < n ? set >> *next << *next : 0;
  int i = __builtin_ctzll(from ? from : set);
  *next = i + 1 < n ? i + 1 : 0;
  return i;
}

/** The pulses of an invalidation and its command: registers of the sequencer. */
struct timed_pulses {
  bool mark, sweep, clear;
  struct gmmu_inv_cmd cmd;
};

/* ---------------------------------------- timed_l1.c */
/** A report of waiting warps on its way to the L2. */
struct timed_tell {
  bool valid;
  uint8_t l2_mshr, warps;
};

/** The L2's answer to one L1 in one cycle. */
struct timed_l2_answer {
  bool valid;
  uint8_t l1_mshr;
  struct gmmu_tlb_data data;
};

/** The warp of a lookup that allocated or merged, until it is counted. */
struct timed_l1_warp {
  bool valid;
  uint8_t mshr, warp;
};
#define TIMED_L1_COUNT_AFTER 3 /* cycles behind the lookup */

struct timed_l1 {
  struct gmmu_l1_tlb *tlb;
  struct gmmu_rsp ans;           /* answer register */
  bool drain_valid, drain_first; /* drain register; its next answer is the MSHR's first */
  int drain;
  bool send_valid; /* send register */
  struct gmmu_l2_req send;
  uint64_t to_send, answered;     /* MSHRs; answered: without the one in the drain register */
  uint64_t next_send, next_drain; /* whose turn it is, one of them or 0 */
  uint64_t allocated;             /* by the last cycle's op: in the miss stage */
  bool replayed;                  /* the last cycle's op was a replay that allocated none */
  int rr_send, rr_drain, rr_tell;
  uint64_t taken, to_tell; /* MSHRs whose miss the L2 keeps; of them, those with news for it */
  struct timed_l1_warp count[TIMED_L1_COUNT_AFTER]; /* by cycle modulo; `counts` of them valid */
  int counts;
  uint64_t parked_at[2]; /* cycles of the last two parks: a new head takes two cycles */
  int parked;
  bool busy;                 /* sweeping, or waiting for the answer register */
  int sweep;                 /* next way to read */
  struct gmmu_l1_event seen; /* sweep visits that the next cycle's event reports */
  bool ideal;
  const struct gmmu_mem *mem; /* ideal only */
};

struct timed_l1_in {
  const struct gmmu_env *env;
  const struct gmmu_req *req;
  const struct timed_pulses *pulse;
  const struct timed_l2_answer *answer;
  bool rsp_ready, l2_ready, tell_ready;
  uint64_t cycle;
};

int timed_l1_init(struct timed_l1 *l, const struct gmmu_config *c, int sm);
void timed_l1_reset(struct timed_l1 *l);
bool timed_l1_req_ready(const struct timed_l1 *l, const struct timed_pulses *p, bool rsp_ready,
                        uint64_t cycle);
/** *tell: what the L2 accepts in this cycle. */
void timed_l1_step(struct timed_l1 *l, const struct timed_l1_in *in, struct timed_tell *tell,
                   struct gmmu_l1_event *ev);
/** At the end of a cycle: the L2 keeps the miss of this MSHR in its own. */
void timed_l1_taken(struct timed_l1 *l, int mshr, int l2_mshr);

/* ---------------------------------------- timed_walker.c */
/** A walk that ended, on its way to the L2. */
struct timed_fin {
  uint8_t slot, mshr;
  struct gmmu_tlb_data data;
};

/** A read on its way to memory. */
struct timed_read {
  uint64_t addr, at; /* at: cycle of its probe's result, if it is probed */
  uint8_t slot, depth;
  bool upper; /* not of a leaf table */
  bool upd;   /* an update of a PTE from old to set */
  uint64_t old, set;
};

struct timed_walker {
  struct gmmu_walker w;
  struct gmmu_walk_stage stage;
  bool leaves; /* the slot whose end the L2 took in the cycle before */
  uint8_t leaving;
  bool req_valid; /* request register */
  struct timed_read req;
  struct timed_read read[GMMU_MAX_WALKS]; /* read queue */
  int read_head, reads;
  struct timed_answer {
    bool valid, err, cached; /* cached: it came from the page walk cache */
    uint8_t slot;
    uint64_t pte, line[8];
  } first, dec; /* PTE answer to decode in the next cycle, in this one */
  struct gmmu_window win[GMMU_MAX_WINDOWS]; /* as they were in the cycle before */
  struct timed_fin
      fin[2 * GMMU_MAX_WALKS]; /* finish queue; a walk that answers early is in it twice */
  int fin_head, fins;
  struct gmmu_msc msc;
  struct gmmu_pwc pwc;
  int pwc_latency;
  struct timed_read probe[GMMU_MAX_WALKS]; /* in the page walk cache's pipeline */
  int probe_head, probes;
  struct { /* PTEs that the cache had, to be decoded */
    uint8_t slot;
    uint64_t pte;
  } cached[GMMU_MAX_WALKS];
  int cached_head, num_cached;
  uint64_t insert_pa, insert_pte; /* put in at the end of this cycle; pa 0: nothing */
  bool run_held; /* the first waiting run is being looked up, in this cycle of the lookup: */
  int run_cycle;
  bool run_insert;            /* one was put into the cache in the cycle before */
  bool sweep, sweep_a, visit; /* a set of the cache is read; its tags are compared; it is cleared */
  int sweep_set;
};

struct timed_walker_in {
  const struct gmmu_env *env;
  const struct gmmu_pins *pins;
  const struct timed_pulses *pulse;
  bool fin_taken; /* stage 0 of the L2 took the head of the finish queue */
  bool alloc;     /* the L2 made a new walk */
  uint8_t alloc_mshr, alloc_store;
  uint16_t alloc_asid;
  uint64_t alloc_vfn, cycle;
};

/** -1: out of memory. */
int timed_walker_init(struct timed_walker *w, const struct gmmu_config *c);
void timed_walker_free(struct timed_walker *w);
void timed_walker_reset(struct timed_walker *w, const struct gmmu_config *c);
/** The cache is being cleared. */
static inline bool timed_walker_busy(const struct timed_walker *w) {
  return w->sweep || w->sweep_a || w->visit;
}
void timed_walker_step(struct timed_walker *w, const struct timed_walker_in *in,
                       struct gmmu_walk_event *ev);

/* ---------------------------------------- timed_l2.c */
#define TIMED_L2_QUEUE 4   /* requests per SM */
#define TIMED_L2_ANSWERS 4 /* places of the answer queue */
#define TIMED_L2_DELAY 64  /* more than the longest delay line, a power of two */

/** What is in a pipeline stage. */
struct timed_l2_op {
  enum { TIMED_NONE, TIMED_LOOKUP, TIMED_FIN, TIMED_SWEEP } kind;
  struct {
    bool valid, replay;
    struct gmmu_l2_req req;
  } port[2];
  struct timed_fin fin;
  int set;
};

struct timed_l2_queue {
  struct gmmu_l2_req v[TIMED_L2_QUEUE];
  int head, count, issued;
};

struct timed_l2 {
  struct gmmu_l2_tlb *tlb;
  int num_sms, ports, latency;
  int delay; /* cycles from stage B to a hit's answer */
  int turn;  /* serial build: cycles in stage A; else 0, one cycle and no wait */
  int left;  /* serial build: cycles in which stage 0 takes nothing: a turn, or after reset */
  struct timed_l2_queue q[GMMU_MAX_SMS];
  uint64_t unissued, waiting, masked; /* SMs: with requests not yet issued; waiting; masked */
  int rr;
  bool reads;     /* there is a stage R, in which what stage 0 chose is read */
  uint64_t retry; /* applications that might take an MSHR in the cycle before */
  struct timed_l2_op r, a, b;
  int fins_in_flight; /* finishes in stages R, A and B */
  struct {
    struct gmmu_l2_req req;
    struct gmmu_tlb_data data;
  } hit[TIMED_L2_DELAY][2]; /* by the cycle of the answer */
  uint8_t hits[TIMED_L2_DELAY];
  uint64_t hit_sms[TIMED_L2_DELAY];
  struct {
    uint8_t mshr;
    bool end; /* the walk has ended: it was not an early answer */
    struct gmmu_tlb_data data;
  } answer[TIMED_L2_ANSWERS];
  int answer_head, answers;
  struct timed_tell tell[GMMU_MAX_SMS]; /* reports that wait to be added */
  uint64_t tells;                       /* SMs that have one */
  int rr_tell;
  /* sweep */
  bool sweeping, draining, done; /* done: the done pulse is in this cycle */
  int sets_issued, sets_done, large_read, large_seen, bypass_read;
  int drain_left, drain_old;
  struct gmmu_l2_event
      seen; /* large and bypass ways visited, reported with the next cycle's event */
};

struct timed_l2_in {
  const struct gmmu_env *env;
  const struct timed_pulses *pulse;
  const struct timed_fin *fin;      /* head of the finish queue, NULL: empty */
  const struct gmmu_l2_req *req;    /* accepted in this cycle */
  const struct gmmu_tokens *tokens; /* NULL: every warp may fill */
  int reqs;
  const struct timed_tell *tell; /* by SM: accepted in this cycle */
  uint64_t cycle;
};

struct timed_l2_out {
  bool fin_taken, alloc;
  uint8_t alloc_mshr, alloc_store;
  uint16_t alloc_asid;
  uint64_t alloc_vfn;
};

int timed_l2_init(struct timed_l2 *l, const struct gmmu_config *c);
void timed_l2_reset(struct timed_l2 *l);
static inline bool timed_l2_ready(const struct timed_l2 *l, int sm) {
  return l->q[sm].count < TIMED_L2_QUEUE;
}
/** Answers of this cycle, into out[SM] with .valid set; returns the SMs that get one. */
uint64_t timed_l2_answers(const struct timed_l2 *l, uint64_t cycle, struct timed_l2_answer *out);
void timed_l2_step(struct timed_l2 *l, const struct timed_l2_in *in, struct timed_l2_out *out,
                   struct gmmu_l2_event *ev);

/* ---------------------------------------- timed_l2_warps.c */
/** Adds one report of waiting warps, by the state before this cycle's finish and lookups. */
void timed_l2_add_warps(struct timed_l2 *l, struct gmmu_l2_event *ev);
/** Reports that are accepted in this cycle, by SM. */
void timed_l2_take_tells(struct timed_l2 *l, const struct timed_tell *tell);

/* ---------------------------------------- timed_tokens.c */
struct timed_tokens {
  struct gmmu_tokens t;
  uint64_t epoch, pulse; /* its length; the last pulse's cycle */
  bool ever;             /* there was a pulse */
};

void timed_tokens_reset(struct timed_tokens *k, const struct gmmu_config *c);
/** After all blocks of the cycle. */
void timed_tokens_step(struct timed_tokens *k, uint64_t cycle, const struct gmmu_pins *p,
                       const struct gmmu_l2_lookup port[2], struct gmmu_token_event *ev);

#endif
