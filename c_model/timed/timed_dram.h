/* SPDX-License-Identifier: Apache-2.0 */
/**
 * timed_dram.h - one DRAM channel, cycle by cycle: scheduler (policy/dram_sched.h), turns and bank
 * timing. Cycle-exact against rtl/mem/gmmu_dram.sv. Written from docs/dram_sched.md and
 * docs/dram_ctrl.md. A cycle is one of the core's clock.
 */
#ifndef GMMU_TIMED_DRAM_H
#define GMMU_TIMED_DRAM_H

#include "policy/dram_sched.h"
#include "policy/dram_turn.h"

/** Ticks of the command clock; docs/dram_ctrl.md. */
struct gmmu_dram_timing {
  uint32_t rcd, ras, rc, rp, rrd, faw, ccds, ccdl, rtw, wtr, rtp, wtp, cl, wl, rfc, refi;
};
extern const struct gmmu_dram_timing gmmu_dram_gddr5;
#define GMMU_DRAM_BURST 2u   /**< ticks of data per column command */
#define GMMU_DRAM_ONE 16384u /**< ratio 1 */
#define GMMU_DRAM_GROUPS 4u  /**< group = bank % 4 */

struct gmmu_dram_cfg {
  struct gmmu_dram_sched_cfg sched;
  struct gmmu_dram_timing t;
  uint32_t num_apps, thresh_max, turn_timeout, age_cap; /**< age_cap 0: off; a multiple of 4 */
  uint32_t ratio; /**< command clock over the clock of a cycle, in 1/GMMU_DRAM_ONE: 1..2 *
                     GMMU_DRAM_ONE; 0: 1 to 1 */
};
/** Inputs of one cycle. con, warps: per application, num_apps of them; apps: those that get turns.
 */
struct gmmu_dram_in {
  bool golden_valid, data_valid, epoch;
  struct gmmu_dram_req golden, data;
  uint32_t apps;
  const uint8_t *con, *warps;
};
/** What happened in the cycle. Ready: before it, the handshakes it saw; data_ready: for
 * in->data.app. */
struct gmmu_dram_out {
  bool golden_ready, data_ready;
  struct gmmu_dram_cmd cmd;  /**< on the first tick */
  struct gmmu_dram_cmd also; /**< on the second: ACT or PRE beside a column */
  uint8_t entered; /**< 0 none, else 1 + class of its home (1 normal, 2 silver, 3 golden) */
  uint32_t entered_payload;
  bool turn_found; /**< the application that gets the turn after the present one, and its quota,
                      were found */
  uint16_t turn_app, turn_quota;
  bool turn_passed; /**< from the next cycle on the application found last has the turn */
};
struct gmmu_dram;
struct gmmu_dram *gmmu_dram_new(const struct gmmu_dram_cfg *c);
void gmmu_dram_free(struct gmmu_dram *d);
/** Changes the settings: the largest quota (1..1023) from the next turn on, whether it is 0 (no
 * turns) from the next cycle on, before the first one at once; the timeout (1..65535) and the age
 * cap at once. */
void gmmu_dram_set(struct gmmu_dram *d, uint32_t thresh_max, uint32_t turn_timeout,
                   uint32_t age_cap);
void gmmu_dram_step(struct gmmu_dram *d, const struct gmmu_dram_in *in, struct gmmu_dram_out *out);
/** Cycle in which the data of a read is back that the last step gave. */
uint64_t gmmu_dram_data_at(const struct gmmu_dram *d);
/** First cycle, from the present one on, in which a step without new requests can do anything but
 * count. */
uint64_t gmmu_dram_next_event(const struct gmmu_dram *d);
/** Jumps to that cycle or an earlier one; no input changes meanwhile. */
void gmmu_dram_skip(struct gmmu_dram *d, uint64_t to);
uint64_t gmmu_dram_now(const struct gmmu_dram *d);
uint32_t gmmu_dram_queued(const struct gmmu_dram *d,
                          enum gmmu_dram_class home);  /**< requests in one queue */
uint32_t gmmu_dram_waiting(const struct gmmu_dram *d); /**< requests in FIFOs and queues */
#endif
