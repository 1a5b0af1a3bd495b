/* SPDX-License-Identifier: Apache-2.0 */
/**
 * random_world.h - the address spaces of the random bench, and what an answer may say while they
 * change.
 *
 * Every page that traffic touches has a list of versions: what a walk of it returned after each
 * change of the tables, contexts or windows. An answer in cycle T may carry any version that was in
 * force at some time before T and was not *killed*. A superseded version is killed
 *   - by an invalidation that covers it, accepted in or after the cycle in which it was superseded,
 * once that is acknowledged before T (a large version is covered when its frame is touched, if the
 * build has large arrays);
 *   - if it is not kept anywhere (a fault, or DIS): once no request for the page was outstanding.
 * SUM, MXR: any value in force between the request's acceptance and T. Mode off and non-canonical
 * addresses are decided in the cycle of acceptance. A memory error may reach whoever waits for the
 * page when it happens.
 *
 * So that every answer is one of these versions in full, and never a mixture, a change that needs
 * two writes to be seen together is made behind an acknowledgement (random_sw.c).
 */
#ifndef GMMU_RUN_RANDOM_WORLD_H
#define GMMU_RUN_RANDOM_WORLD_H

#include "gmmu.h"

enum {
  RW_ASIDS = 4,
  RW_REGIONS = 3,
  RW_FRAMES = 4,
  RW_HOT = 20,
  RW_VERSIONS = 24,
  RW_BEFORE = 16,
  RW_DEAD = 4,
  RW_CTX_LOG = 64
};
#define RW_NEVER UINT64_MAX

struct rw_version {
  struct gmmu_xlate x;
  uint64_t from, until; /* until: cycle of the write that superseded it, RW_NEVER: current */
  bool pointer;    /* a page walk cache may hold a pointer of its path that was changed since, also
                      in a way that left the translation as it was ... */
  uint64_t moved;  /* ... in this cycle */
  uint64_t killed; /* dead ones: cycle */
  uint64_t before[RW_BEFORE]; /* PTEs of earlier paths to the same translation */
  unsigned befores;
};

struct rw_page {
  int space, frame; /* indices */
  uint16_t asid;
  uint64_t vfn; /* 36 bits */
  struct rw_version v[RW_VERSIONS], dead[RW_DEAD];
  int n, n_dead;
  uint32_t outstanding;
  uint64_t last_idle; /* latest cycle that began without a request outstanding, while one is */
  uint64_t error_at; /* a read of its walk was answered with an error in this cycle; RW_NEVER: no */
};

/* RW_NORMAL frames may have C bits: contiguous subregions among others. */
enum rw_frame_kind { RW_NORMAL, RW_CONTIG, RW_COALESCED, RW_MEGA, RW_BAD, RW_ABSENT };

/** One 2 MiB virtual frame of one address space. */
struct rw_frame {
  int space, region;
  uint64_t lfn;     /* 27 bits */
  int kind;         /* enum rw_frame_kind */
  uint64_t pte_pa;  /* of its frame PTE; 0: no table reaches it */
  uint64_t table;   /* PFN of its leaf table; 0: none */
  bool locked;      /* an operation on the whole frame is in progress */
  int leaf_ops;     /* operations on single leaves in progress */
  int hot[RW_HOT];  /* indices of its pages in the leaf table; hot[0] = 0 */
  int page[RW_HOT]; /* their numbers in rw_world.page */
};

struct rw_ctx_log {
  uint64_t from;
  struct gmmu_ctx ctx;
};

struct rw_space {
  int asid;
  struct rw_frame frame[RW_REGIONS * RW_FRAMES];
  uint64_t region_pte_pa[RW_REGIONS]; /* PTE of the 1 GiB region; 0: no table reaches it */
  uint64_t region_table[RW_REGIONS];  /* PFN of its frame-PTE table; 0: none */
  uint64_t upper_table[RW_REGIONS];   /* PFN of the table above it in Sv48; 0: none */
  struct rw_ctx_log log[RW_CTX_LOG];  /* newest last */
  int n_log;
};

struct rw_world {
  const struct gmmu_config *cfg;
  struct gmmu_rng rng;
  struct gmmu_mem *mem;
  struct gmmu_env env[2]; /* the current one and the one before it */
  int cur;
  bool env_changed; /* in this cycle */
  int spaces;
  struct rw_space space[RW_ASIDS];
  struct rw_page page[RW_ASIDS * RW_REGIONS * RW_FRAMES * RW_HOT];
  int pages;
  /* table frames */
  uint64_t free_table[8192];
  int n_free;
  /* data regions, PFN inclusive */
  uint64_t data_lo[2], data_hi[2], top;
  uint64_t walk_lo[2], walk_hi[2]; /* of tables, likewise; the second one with four windows */
  bool kill_large_by_frame;
  uint64_t killed, writes;
};

/** A command as the checker sees it. */
struct rw_command {
  struct gmmu_inv_cmd c;
  uint64_t accepted;
};

int rw_world_init(struct rw_world *w, const struct gmmu_config *c, uint64_t seed,
                  struct gmmu_err *err);
void rw_world_free(struct rw_world *w);

static inline const struct gmmu_env *rw_env(const struct rw_world *w) { return &w->env[w->cur]; }
/** Environment to change in this cycle; rw_ctx_changed() afterwards for contexts. */
struct gmmu_env *rw_change_env(struct rw_world *w);
void rw_ctx_changed(struct rw_world *w, int space, uint64_t now);

uint64_t rw_table_new(struct rw_world *w); /* zeroed; 0: none left */
void rw_table_free(struct rw_world *w, uint64_t pfn);
static inline uint64_t rw_below(struct rw_world *w, uint64_t n) {
  return gmmu_rng_below(&w->rng, n);
}
static inline bool rw_chance(struct rw_world *w, unsigned percent) {
  return rw_below(w, 100) < percent;
}

/** Random leaf PTE for a 4 KiB page; may_be_bad: also with every kind of fault. */
uint64_t rw_random_leaf(struct rw_world *w, int space, bool may_be_bad);
/** Builds the leaf table (if any) of a frame and returns the new frame PTE; *table and *kind
 * describe it. */
uint64_t rw_random_frame(struct rw_world *w, int space, struct rw_frame *f, uint64_t *table,
                         int *kind);
/** Builds a table of frame PTEs for the region and returns the PTE that points to it (or a leaf, or
 * a bad PTE). The frames' new places are put in next[RW_FRAMES]. */
uint64_t rw_random_region(struct rw_world *w, int space, int region, uint64_t *table,
                          struct rw_frame *next);
/** Builds a whole address space: returns the new context, sets frames and regions. */
struct gmmu_ctx rw_random_space(struct rw_world *w, int space);
/** Frees every table of the space. */
void rw_release_space(struct rw_world *w, int space);

/** Room for more versions in every page of the frame? */
bool rw_room(const struct rw_world *w, const struct rw_frame *f);
/** Walks the pages again after a write in cycle `now`. */
void rw_update_frame(struct rw_world *w, const struct rw_frame *f, uint64_t now);
void rw_update_space(struct rw_world *w, int space, uint64_t now);
/** An invalidation was acknowledged. */
void rw_acknowledged(struct rw_world *w, const struct rw_command *c, uint64_t now);
/** A PTE read was answered with an error. */
void rw_read_error(struct rw_world *w, uint64_t pa, uint64_t now);
/** Hardware set A or D of the PTE there. */
void rw_pte_updated(struct rw_world *w, uint64_t pa, uint64_t now);

/** A request as traffic remembers it. */
struct rw_request {
  int page; /* or -1: an address outside the world */
  uint16_t asid, warp;
  uint8_t access;
  bool user, busy;
  bool unknown;      /* address outside the world that may be canonical: any answer if it is */
  bool waits;        /* at an L1 MSHR */
  uint32_t commands; /* ... accepted since then that match it */
  uint64_t va, seq, accepted;
};
void rw_accepted(struct rw_world *w, const struct rw_request *q, uint64_t now);
/** Checks an answer of cycle `now`. 0: wrong, see msg; 1: right; 2: right, but superseded. */
int rw_answered(struct rw_world *w, const struct rw_request *q, const struct gmmu_rsp *r,
                uint64_t now, char *msg, size_t n);

#endif
