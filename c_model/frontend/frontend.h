/* SPDX-License-Identifier: Apache-2.0 */
/**
 * frontend.h - the SM front end: what the streaming multiprocessors send to the MMU.
 *
 * It stands between a trace and the pins of one `struct gmmu_dut`, so that the RTL and the timed
 * model get the same requests. Everything is registered: what an SM presents in cycle t depends
 * only on what happened before t.
 *
 * Per cycle: gmmu_fe_drive(), the device's eval(), gmmu_fe_step(), the device's clock().
 *
 * Rules
 *   - Blocks go to the SMs of their application round robin in block order, as WarpsPerSm and
 * BlocksPerSm allow. A launch starts when the one before it is finished.
 *   - One port per SM. An access takes the port from its first page to its last; one page a cycle.
 *   - The next warp is chosen when the port is free: greedy then oldest, or round robin over warp
 * slots.
 *   - A page's request carries the address of the first lane that touches the page.
 *   - A request takes a free tag, oldest freed first; without one the SM waits.
 *   - When a page is translated each of its 128-byte lines looks up the data cache, ascending, in
 * that cycle (the cache has as many ports as that needs). The page ends L1dLatency (all lines hit)
 * or DataLatency (one missed) later. A fault ends the page at once.
 *   - With a memory system (gmmu_fe_set_memory) a read that misses the data cache waits for its
 * line, joins a request for the same line that is on its way; a write goes through and waits until
 * the L2 cache has taken it; an atomic reads its line from the L2 cache and then writes it there.
 * Neither of the two looks at the data cache.
 *   - With replay (gmmu_fe_set_replay) a page that is answered with a fault keeps its tag and waits
 * for gmmu_fe_retry(); it is then presented again, before new requests, with a new number.
 *   - The warp goes on with its next operation in the cycle in which its last page ends.
 */
#ifndef GMMU_FRONTEND_FRONTEND_H
#define GMMU_FRONTEND_FRONTEND_H

#include "gmmu.h"

/** One application: a trace that runs in one address space. */
struct gmmu_fe_app {
  const struct gmmu_trace *trace;
  const char *path; /**< for messages; may be NULL */
  int asid;
  int sms; /**< its SMs; 0 for all: equal shares */
};

/** How far an application is. */
struct gmmu_fe_progress {
  uint64_t first_end; /**< cycle in which its trace had run in all passes; 0: not yet */
  uint64_t runs;      /**< times that it has ended */
};

/** One answer with the request it belongs to. */
struct gmmu_fe_answer {
  uint64_t seq; /**< number of the request, in order of acceptance */
  uint64_t va;
  uint64_t first; /**< first cycle in which the request was presented */
  uint64_t accepted;
  uint16_t sm, warp, asid;
  uint8_t access;
  bool user;
  struct gmmu_rsp rsp;
};

struct gmmu_fe_counts {
  uint64_t accesses;      /**< warp accesses that took the port */
  uint64_t accesses_done; /**< ... and ended */
  uint64_t requests, answers, faults;
  uint64_t lines, line_hits; /**< data cache */
  uint64_t tag_stalls;       /**< SM cycles without a free tag */
  uint64_t lsu_stalls;       /**< SM cycles in which LsuMisses or SmLines held the port up */
  uint64_t stray;            /**< answers to tags without a request (a device error) */
};

/** What one SM waits for, for the watchdog. */
struct gmmu_fe_sm_state {
  uint32_t outstanding; /**< accepted requests without answer */
  uint64_t oldest_seq, oldest_va, oldest_since;
  uint16_t oldest_asid, oldest_tag;
  bool presenting; /**< a request is valid and not accepted */
};

struct gmmu_fe;
struct gmmu_memsys;
/** Divides the SMs among the applications: contiguous equal shares, the remainder to the first, or
 * shares as given. restart: an application that ends is started again until all have ended once
 * (MASK section 6). */
struct gmmu_fe *gmmu_fe_new(const struct gmmu_config *c, const struct gmmu_fe_app *apps, int napps,
                            bool restart, struct gmmu_err *err);
/** Before the first gmmu_fe_step(): each application runs its trace so often, one pass behind the
 * other over the same data, until it has ended; 1 or more. */
void gmmu_fe_set_passes(struct gmmu_fe *f, uint64_t passes);
/** Data goes to the memory system from now on, instead of taking DataLatency. */
void gmmu_fe_set_memory(struct gmmu_fe *f, struct gmmu_memsys *m);
/** Before gmmu_fe_step() of `cycle`: the memory system is done with a line of an SM. */
void gmmu_fe_data(struct gmmu_fe *f, int sm, uint32_t token, uint64_t cycle);
/** Faults wait for gmmu_fe_retry() from now on. */
void gmmu_fe_set_replay(struct gmmu_fe *f);
/** Before gmmu_fe_step(): the request that was answered with a fault, by its tag, is presented
 * again. */
void gmmu_fe_retry(struct gmmu_fe *f, int sm, uint16_t tag);
/** ... or ends with that fault, as it does without replay. */
void gmmu_fe_give_up(struct gmmu_fe *f, int sm, uint16_t tag, int cause, uint64_t cycle);
/** All SMs stand still: they present nothing more and do not compute; what is on its way comes.
 * Off: they go on where they were. */
void gmmu_fe_stall(struct gmmu_fe *f, bool on);
/** False once memory ran out. */
bool gmmu_fe_ok(const struct gmmu_fe *f);
struct gmmu_fe_progress gmmu_fe_app_progress(const struct gmmu_fe *f, int app);
void gmmu_fe_free(struct gmmu_fe *f);
/** Sets req and rsp_ready of the pins. */
void gmmu_fe_drive(const struct gmmu_fe *f, struct gmmu_pins *p);
/** Takes the handshakes of `cycle` and prepares the next one. Puts the answers of this cycle in
 * ans[] (NumSms places) and returns their number. */
int gmmu_fe_step(struct gmmu_fe *f, uint64_t cycle, const struct gmmu_pins *p,
                 struct gmmu_fe_answer *ans);
/** All applications have ended (once). */
bool gmmu_fe_done(const struct gmmu_fe *f);
/** True while a warp computes or waits for data: the device is not to blame for a silent cycle. */
bool gmmu_fe_computing(const struct gmmu_fe *f);
const struct gmmu_fe_counts *gmmu_fe_get_counts(const struct gmmu_fe *f);
struct gmmu_fe_sm_state gmmu_fe_sm(const struct gmmu_fe *f, int sm);
/** SMs of application `app`: first and number. */
void gmmu_fe_share(const struct gmmu_fe *f, int app, int *first, int *number);

#endif
