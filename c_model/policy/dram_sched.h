/* SPDX-License-Identifier: Apache-2.0 */
/**
 * dram_sched.h - policy of gmmu_dram_sched: queues, classes and the choice of the next DRAM command
 * (MASK, section 5.4). Written from docs/dram_sched.md; no clock: the caller says which banks are
 * ready.
 */
#ifndef GMMU_DRAM_SCHED_H
#define GMMU_DRAM_SCHED_H

#include "gmmu.h"

#define GMMU_DRAM_BANKS 8u
#define GMMU_DRAM_MAX_WAITS 15u /**< requests to one line that a newcomer may wait for */
#define GMMU_DRAM_OLD 5u        /**< ages at which a request is old */
#define GMMU_DRAM_BUFFER \
  4u /**< data requests in front of the queues, half of them for each class */

enum gmmu_dram_cmd_kind {
  GMMU_DRAM_NOP,
  GMMU_DRAM_ACT,
  GMMU_DRAM_PRE,
  GMMU_DRAM_RD,
  GMMU_DRAM_WR,
  GMMU_DRAM_PREA,
  GMMU_DRAM_REF
};
enum gmmu_dram_class { GMMU_DRAM_NORMAL, GMMU_DRAM_SILVER, GMMU_DRAM_GOLDEN, GMMU_DRAM_NEXT };

struct gmmu_dram_sched_cfg {
  uint32_t golden, silver, normal; /**< entries */
  bool aware; /**< false: plain FR-FCFS, one queue of silver + normal entries */
  bool closed_row;
  bool keep_rows; /**< silver precharges no row that a normal request asks for */
};
struct gmmu_dram_req {
  uint8_t bank;
  uint64_t row;
  uint32_t col;
  bool we, golden; /**< golden: a translation */
  uint16_t app;    /**< application of a data request */
  uint32_t payload;
};
static inline bool gmmu_dram_is_column(enum gmmu_dram_cmd_kind k) {
  return k == GMMU_DRAM_RD || k == GMMU_DRAM_WR;
}
/** One bit per bank: the row is open; the command would break no timing rule. */
struct gmmu_dram_ready {
  uint32_t open, act, pre, rd, wr;
};
struct gmmu_dram_cmd {
  enum gmmu_dram_cmd_kind kind;
  uint8_t bank;
  uint64_t row;
  uint32_t col;
  bool ap;
  uint32_t payload;         /**< of the request, for RD and WR */
  enum gmmu_dram_class cls; /**< the class that won */
  bool golden;              /**< ... which is a translation's */
  bool from_golden;         /**< the request stands in the golden queue */
  int node;
};
struct gmmu_dram_sched;

struct gmmu_dram_sched *gmmu_dram_sched_new(
    const struct gmmu_dram_sched_cfg *c); /**< NULL: out of memory */
void gmmu_dram_sched_free(struct gmmu_dram_sched *s);
/** The command of this cycle; NOP if none is ready. Changes nothing. */
struct gmmu_dram_cmd gmmu_dram_sched_choose(const struct gmmu_dram_sched *s,
                                            const struct gmmu_dram_ready *r);
/** The command of the other kind, column or row, that may go in the same cycle at another bank; NOP
 * if there is none. first: of choose(), with the same r. */
struct gmmu_dram_cmd gmmu_dram_sched_also(const struct gmmu_dram_sched *s,
                                          const struct gmmu_dram_ready *r,
                                          const struct gmmu_dram_cmd *first);
/** The column that goes behind the first one, of the class that gave it: of what that class may ask
 * with the same r, what would be chosen if the first one were not there; NOP if it goes the other
 * way, or is none. Next and golden have no second one. */
struct gmmu_dram_cmd gmmu_dram_sched_second(const struct gmmu_dram_sched *s,
                                            const struct gmmu_dram_ready *r,
                                            const struct gmmu_dram_cmd *first);
/** With a clock, where a decision takes several cycles: from now on the next request is the present
 * one, until it is asked for again. */
void gmmu_dram_sched_look(struct gmmu_dram_sched *s);
/** The request of a column command asks for nothing any more; it stays in its queue until given().
 */
void gmmu_dram_sched_take(struct gmmu_dram_sched *s, const struct gmmu_dram_cmd *c);
/** Whether a column command carries auto-precharge, as choose() says it in ap. before: goes first,
 * or NULL. */
bool gmmu_dram_sched_closes(const struct gmmu_dram_sched *s, const struct gmmu_dram_cmd *c,
                            const struct gmmu_dram_cmd *before);
/** The command was given: a request leaves, rows open and close. Also for PREA. */
void gmmu_dram_sched_given(struct gmmu_dram_sched *s, const struct gmmu_dram_cmd *c);
/** Room for a translation; for data of an application that has (turn) or has not the silver turn: 0
 * none, 1 normal, 2 silver. */
bool gmmu_dram_sched_golden_room(const struct gmmu_dram_sched *s);
/** Places that requests on their way to the queues hold: more (1) or fewer (-1). */
void gmmu_dram_sched_coming(struct gmmu_dram_sched *s, enum gmmu_dram_class home, int more);
int gmmu_dram_sched_data_room(const struct gmmu_dram_sched *s, bool turn);
/** Data in front of the queues, oldest first; app: which has the turn, -1 none. May a request of
 * application `of` join them? Which of them may enter, -1 none; *home as of data_room. */
bool gmmu_dram_buffer_ready(const struct gmmu_dram_req *buffer, uint32_t n, int app, uint16_t of);
int gmmu_dram_sched_next(const struct gmmu_dram_sched *s, const struct gmmu_dram_req *buffer,
                         uint32_t n, int app, int *home);
/** The banks that no request in the queues is for, a bit each. */
uint32_t gmmu_dram_sched_idle(const struct gmmu_dram_sched *s);
/** Requests in the queues that this one would wait for. */
uint32_t gmmu_dram_sched_conflicts(struct gmmu_dram_sched *s, const struct gmmu_dram_req *r);
/** The request enters (silver: as decided by data_room). False: it would wait for too many, nothing
 * changed. */
bool gmmu_dram_sched_enter(struct gmmu_dram_sched *s, const struct gmmu_dram_req *r, bool silver);
/** All requests of the array get one older (every AgeCap/4 cycles). */
void gmmu_dram_sched_age(struct gmmu_dram_sched *s);
uint32_t gmmu_dram_sched_count(
    const struct gmmu_dram_sched *s,
    enum gmmu_dram_class home); /**< normal, silver, golden; with those on the way */
#endif
