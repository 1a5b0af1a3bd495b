/* SPDX-License-Identifier: Apache-2.0 */
/** random_sw.h - what software does in the random bench: changes of tables, contexts and windows,
 * each with the invalidations that docs/invalidate.md asks for. */
#ifndef GMMU_RUN_RANDOM_SW_H
#define GMMU_RUN_RANDOM_SW_H

#include "random/random_world.h"

enum { SW_OPS = 6, SW_QUEUE = 32, SW_STEPS = 64, SW_OLD = RW_FRAMES + 1 };
enum sw_kind {
  SW_LEAF,
  SW_FRAME,
  SW_COALESCE,
  SW_SPLINTER,
  SW_REGION,
  SW_SPACE,
  SW_TOGGLE,
  SW_WINDOW,
  SW_SUM_MXR,
  SW_SPURIOUS,
  SW_KINDS
};

enum sw_step_type {
  ST_WRITE,
  ST_INVALIDATE,
  ST_WAIT,
  ST_CTX_OFF,
  ST_CTX_ON,
  ST_CTX_NEW,
  ST_WIN_WALK,
  ST_WIN_DATA
};
struct sw_step {
  int type;
  uint64_t addr, value;
  struct gmmu_inv_cmd cmd;
};

/** An operation in progress: steps with random pauses between. */
struct sw_op {
  bool active;
  int kind, space, frame, region, page; /* frame, region, page: -1 if it has none */
  struct sw_step step[SW_STEPS];
  int steps, next;
  uint64_t at;          /* cycle of the next step */
  uint64_t ticket;      /* command that ST_WAIT waits for */
  int saved_mode;       /* SW_TOGGLE */
  bool alone;           /* SW_LEAF: the frame is locked, its C and AC bits change */
  uint64_t old[SW_OLD]; /* tables to free at the end */
  int num_old;
  struct rw_frame
      after[RW_FRAMES]; /* SW_REGION, SW_FRAME, ...: the frames as they are at the end */
  uint64_t after_table;
};

struct sw {
  struct rw_world *w;
  struct sw_op op[SW_OPS];
  /* commands in order; ticket = number of the command */
  struct rw_command queue[SW_QUEUE];
  uint64_t queued, accepted, acknowledged;
  uint64_t hold_until; /* the next command is not offered before */
  uint64_t last_ctx_change;
  int want, want_space; /* operation that waits until its space (window: every space) is quiet; -1:
                           none */
  uint64_t want_until;
  uint64_t busy; /* 1 in this many cycles a new operation is tried */
  bool stop;     /* start nothing more */
  bool at_once;  /* commands are offered back to back */
  uint64_t count[SW_KINDS], commands[3];
};

void sw_init(struct sw *s, struct rw_world *w);
/** Starts and continues operations: writes are seen by reads accepted in this cycle or later. */
void sw_before(struct sw *s, uint64_t now);
/** Sets pins.inv. */
void sw_drive(const struct sw *s, struct gmmu_pins *p, uint64_t now);
/** Takes the handshakes of the invalidation port. Returns -1 on an acknowledgement without command.
 */
int sw_after(struct sw *s, const struct gmmu_pins *p, uint64_t now);
bool sw_idle(const struct sw *s);
/** A command beside the operations': if none is waiting to be accepted. */
bool sw_may_command(const struct sw *s);
void sw_command(struct sw *s, const struct gmmu_inv_cmd *c);
/** A page that is being changed, or -1. */
int sw_hot_page(struct sw *s);

#endif
