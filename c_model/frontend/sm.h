/* SPDX-License-Identifier: Apache-2.0 */
/** One SM: resident warps, its request port and its data cache. Internal to the front end. */
#ifndef GMMU_FRONTEND_SM_H
#define GMMU_FRONTEND_SM_H

#include "frontend/frontend.h"
#include "frontend/l1d.h"
#include "frontend/lines.h"
#include "timed/memsys.h"

#define FE_MAX_WARPS 256
#define FE_MAX_BLOCKS 64
#define FE_SET (FE_MAX_WARPS / 64)
#define FE_NEVER UINT64_MAX

/** Set of warp slots. */
struct fe_set {
  uint64_t w[FE_SET];
};

struct fe_warp {
  struct gmmu_cursor cur;
  struct gmmu_op op;   /* next access, when ready */
  uint32_t pages_left; /* of the access in progress */
  uint8_t block;       /* block slot */
};

/** An outstanding or presented request. */
struct fe_tag {
  bool busy, held; /* held: answered with a fault, waits for gmmu_fe_retry() */
  uint8_t access;
  uint16_t warp;
  uint32_t lines; /* bit i: line i of the page is part of the access */
  uint64_t seq, va, first, accepted;
};

/** The access that holds the port. */
struct fe_port {
  bool active, presenting;
  bool again; /* what is presented is a replay, not the access that holds the port */
  uint16_t warp, tag;
  uint8_t access;
  int pages, next; /* next: page to present, or being presented */
  uint64_t page[2 * GMMU_LANES], va[2 * GMMU_LANES], first;
  uint32_t lines[2 * GMMU_LANES];
};

struct fe_sm {
  struct fe_warp *warp; /* [warps] */
  /* [warps], apart from fe_warp, as all of them are looked at */
  uint64_t *wake;     /* asleep: goes on in this cycle; waiting: end of what has ended so far */
  uint64_t *age;      /* dispatch number: smaller is older */
  struct fe_tag *tag; /* [tags] */
  uint16_t *free_tag; /* ring of free tags */
  uint32_t tags, free_head, free_n;
  struct fe_set ready, asleep, used;
  uint64_t next_wake; /* not later than the earliest wake of a sleeper */
  uint16_t last;      /* warp that had the port last */
  bool last_valid;
  struct fe_port port;
  struct gmmu_l1d l1d;
  uint32_t warps_free, blocks_free;
  uint32_t block_left[FE_MAX_BLOCKS]; /* unfinished warps; 0: free */
  uint32_t blocks_done;               /* finished since the dispatcher looked */
  bool replay;                        /* faults are held, not ends of pages */
  uint16_t *again;                    /* ring of tags to present again */
  uint32_t again_head, again_n;
  uint32_t waiting; /* requests accepted, neither answered nor held */
  uint64_t
      last_accepted;   /* cycle of the last acceptance: its answer, if it hits, is still to come */
  uint64_t issue_free; /* ComputeIssue: cycle from which nobody computes */
  uint16_t asid;
  struct gmmu_memsys *mem; /* NULL: a data miss takes DataLatency */
  int index;               /* of this SM */
  struct fe_lines lines;
  bool failed;                              /* out of memory */
  bool compute_shared, store_waits, spread; /* ComputeIssue, StoreWaits, SpreadTables */
};

int fe_sm_init(struct fe_sm *s, const struct gmmu_config *c);
void fe_sm_free(struct fe_sm *s);
/** Puts a block of n warps into the SM; `now` is the first cycle in which a warp may use the port.
 */
void fe_sm_place(struct fe_sm *s, const struct gmmu_trace *t, uint32_t launch, uint32_t block,
                 uint32_t n, uint64_t now, uint64_t *age);
/** Handshakes of cycle `now - 1`. Returns true and fills *a when an answer was taken. */
bool fe_sm_pins(struct fe_sm *s, const struct gmmu_config *c, struct gmmu_fe_counts *n,
                uint64_t now, bool req_ready, const struct gmmu_rsp *rsp, struct gmmu_fe_answer *a);
/** A held request is presented again, before new ones. */
void fe_sm_retry(struct fe_sm *s, uint16_t tag);
void fe_sm_give_up(struct fe_sm *s, const struct gmmu_config *c, struct gmmu_fe_counts *n,
                   uint16_t tag, int cause, uint64_t t);
/** The memory system is done with a line: data is there, or a write was taken, in cycle `now`. */
void fe_sm_data(struct fe_sm *s, struct gmmu_fe_counts *n, uint32_t token, uint64_t now);
/** What its warps compute ends `cycles` later. */
void fe_sm_later(struct fe_sm *s, uint64_t cycles);
/** Wakes the warps that may go on in cycle `now`. */
void fe_sm_wake(struct fe_sm *s, uint64_t now);
/** Chooses what the port presents in cycle `now`. */
void fe_sm_issue(struct fe_sm *s, const struct gmmu_config *c, struct gmmu_fe_counts *n,
                 uint64_t now);

#endif
