/* SPDX-License-Identifier: Apache-2.0 */
/** random_traffic.h - requests of all SMs and stalls of every handshake, in phases of changing
 * character. */
#ifndef GMMU_RUN_RANDOM_TRAFFIC_H
#define GMMU_RUN_RANDOM_TRAFFIC_H

#include "run/pte_mem.h"
#include "random/random_sw.h"
#include "run/watch.h"

enum { RT_SET = 24, RT_MAX_TAGS = 1024 };

struct rt_sm {
  struct rw_request tag[RT_MAX_TAGS];
  struct gmmu_req req;    /* presented */
  struct rw_request next; /* what it is */
  uint32_t outstanding;
  uint64_t stall_until; /* rsp_ready = 0 before */
  int set[RT_SET];      /* pages of this phase's locality */
};

struct rt {
  struct rw_world *w;
  struct sw *sw;
  struct gmmu_rng rng;
  int sms;
  uint32_t tags;
  struct rt_sm sm[GMMU_MAX_SMS];
  uint64_t phase_end, mem_stall_until;
  /* this phase */
  unsigned rate, hot, local, ready, long_stalls, mem_ready, limit;
  uint64_t requests, ops; /* accepted; wanted */
};

void rt_init(struct rt *t, struct rw_world *w, struct sw *sw, uint64_t ops, uint64_t seed);
/** Sets req, rsp_ready and mem_req_ready; also changes the memory's character from phase to phase.
 */
void rt_drive(struct rt *t, struct gmmu_pins *p, struct gmmu_pte_mem *m, uint64_t now);
/** Takes accepted requests. */
void rt_accept(struct rt *t, const struct gmmu_pins *p, uint64_t now);
/** The request of an answer, or NULL if its tag has none; free it with rt_release(). */
struct rw_request *rt_find(struct rt *t, int sm, uint16_t tag);
void rt_release(struct rt *t, int sm, struct rw_request *q);
bool rt_idle(const struct rt *t);
struct gmmu_watch_sm rt_watch(const struct rt *t, int sm);

#endif
