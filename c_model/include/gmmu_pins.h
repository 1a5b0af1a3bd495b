/* SPDX-License-Identifier: Apache-2.0 */
/* gmmu_pins.h - ports and observation of a device under test (c_model/run, timed/). Part of gmmu.h,
 * which says the conventions. */
#ifndef GMMU_PINS_H
#define GMMU_PINS_H

#include <stdbool.h>
#include <stdint.h>

#include "gmmu_config.h"
#include "gmmu_events.h"
#include "gmmu_walk.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Request of one SM; valid/ready. */
struct gmmu_req {
  bool valid, user;
  uint8_t access;
  uint16_t asid, warp, tag;
  uint64_t va;
};
/** Answer to one SM; valid/ready. */
struct gmmu_rsp {
  bool valid, large;
  uint8_t cause;
  uint16_t tag;
  uint64_t pa;
};
enum gmmu_inv_kind { GMMU_INV_ALL = 0, GMMU_INV_ASID = 1, GMMU_INV_RANGE = 2 };
struct gmmu_inv_cmd {
  bool valid;
  int kind;
  uint16_t asid;
  uint64_t lo_vfn, hi_vfn; /**< inclusive */
};
/** All ports of gmmu_top in one cycle. Inputs are set before eval(); outputs are valid after it. */
struct gmmu_pins {
  /* inputs */
  struct gmmu_req req[GMMU_MAX_SMS];
  bool rsp_ready[GMMU_MAX_SMS];
  bool mem_req_ready;
  struct {
    bool valid, err;
    uint16_t id;
    uint64_t data;
    uint64_t line[8]; /**< config LineAnswers: the aligned 64 bytes that hold it */
  } mem_rsp;          /**< always accepted */
  struct gmmu_inv_cmd inv;
  const struct gmmu_env *env; /**< contexts and windows */
  bool env_changed;           /**< set for the first cycle in which *env differs */
  uint64_t noise;             /**< not 0: inputs that no valid goes with are random in this cycle */
  /* outputs */
  bool req_ready[GMMU_MAX_SMS];
  struct gmmu_rsp rsp[GMMU_MAX_SMS];
  struct {
    bool valid;
    uint16_t id;
    uint64_t addr;
    uint8_t depth;
    bool upd; /**< config Svadu: no read but an update: a PTE that equals `old` becomes `set` ... */
    uint64_t old, set; /**< ... and the answer is the PTE as it then is */
  } mem_req;
  uint8_t app_misses[GMMU_MAX_ASIDS]; /**< outstanding L2 misses of each application */
  bool inv_ready;
  bool inv_done; /**< one-cycle pulse: the oldest command is acknowledged */
};

/* Observation events of one clock cycle: what each block did (docs of each block say when). */
enum gmmu_l1_op {
  GMMU_L1_NONE,
  GMMU_L1_LOOKUP,
  GMMU_L1_REPLAY,
  GMMU_L1_ANSWER,
  GMMU_L1_ANSWER_NEXT
};
enum gmmu_l1_outcome {
  GMMU_L1_HIT_BASE,
  GMMU_L1_HIT_LARGE,
  GMMU_L1_MISS_ALLOC,
  GMMU_L1_MISS_MERGE,
  GMMU_L1_MISS_PARK,
  GMMU_L1_LOCAL_FAULT
};
enum gmmu_l2_outcome {
  GMMU_L2_HIT_BASE,
  GMMU_L2_HIT_LARGE,
  GMMU_L2_MISS_ALLOC,
  GMMU_L2_MISS_MERGE,
  GMMU_L2_MISS_WAIT,
  GMMU_L2_HIT_SUB,    /**< unified build: a subregion entry of 4 KiB pages */
  GMMU_L2_HIT_RUN,    /**< unified build: a walk of the same subregion that answered early */
  GMMU_L2_HIT_BYPASS, /**< the bypass cache (BypassEntries) */
  GMMU_L2_OUTCOMES
};
static inline bool gmmu_l2_is_hit(int outcome) {
  return outcome == GMMU_L2_HIT_BASE || outcome == GMMU_L2_HIT_LARGE ||
         outcome == GMMU_L2_HIT_SUB || outcome == GMMU_L2_HIT_RUN || outcome == GMMU_L2_HIT_BYPASS;
}
struct gmmu_events {
  struct gmmu_l1_event l1[GMMU_MAX_SMS];
  struct gmmu_l2_event l2;
  struct gmmu_walk_event walk;
  struct gmmu_token_event token;
  struct gmmu_inv_cmd inv; /**< the command that is in progress (for mark, sweep, resend) */
};

/** A device under test: the Verilated RTL or the timed model behind the same pins. */
struct gmmu_dut {
  void *h;
  void (*eval)(void *h,
               struct gmmu_pins *p); /**< inputs -> outputs of this cycle; no state changes */
  void (*clock)(void *h, struct gmmu_pins *p,
                struct gmmu_events
                    *ev); /**< clock edge; ev may be NULL: what happened in the cycle that ends */
  void (*reset)(void *h, struct gmmu_pins *p);
  /** Completes what it writes beside, its waves: before results are told. NULL: nothing. */
  int (*end)(void *h, struct gmmu_err *err);
  void (*free)(void *h);
};
static inline int gmmu_dut_end(const struct gmmu_dut *d, struct gmmu_err *err) {
  return d->end ? d->end(d->h, err) : 0;
}
/** The timed model (c_model/timed/timed.c). */
int gmmu_timed_new(struct gmmu_dut *d, const struct gmmu_config *c, struct gmmu_err *err);

#ifdef __cplusplus
}
#endif
#endif
