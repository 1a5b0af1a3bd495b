/* SPDX-License-Identifier: Apache-2.0 */
/**
 * pte_mem.h - the memory behind the walker's read port: latency plus random extra cycles, so that
 * answers come out of order; at most one answer a cycle; errors on request.
 *
 * Per cycle: gmmu_pte_mem_drive(), eval(), gmmu_pte_mem_step(). A read accepted in cycle t is
 * answered in cycle t + latency or later.
 */
#ifndef GMMU_RUN_PTE_MEM_H
#define GMMU_RUN_PTE_MEM_H

#include "gmmu.h"

struct gmmu_pte_read {
  uint64_t due, seq, addr, data, accepted;
  uint64_t old, set; /**< of an update */
  uint64_t line[8];  /**< with lines on */
  uint16_t id;
  bool err, upd;
};

struct gmmu_pte_mem {
  const struct gmmu_mem *image;
  struct gmmu_rng rng;
  uint32_t latency, jitter; /**< may be changed between cycles */
  uint32_t err_per_million; /**< reads answered with an error */
  bool lines;               /**< answers come with their 64-byte line (config LineAnswers) */
  bool external;            /**< reads are due when gmmu_pte_mem_release() says so */
  bool sample_late;         /**< a read sees memory as it is when answered (else: when accepted) */
  uint64_t reads, answered, protocol_errors;
  uint64_t updates, updated; /**< updates answered; those whose PTE was still the old one */
  struct gmmu_mem *writable; /**< where updates (config Svadu) write, the image; NULL: an update is
                                a protocol error */
  bool wrote;                /**< the last drive() answered an update that wrote */
  struct gmmu_pte_read last; /**< the read answered by the last drive(), if pins.mem_rsp.valid */
  struct gmmu_pte_read heap[1024];
  uint32_t n;      /**< reads outstanding */
  bool busy[1024]; /**< by id: a read is outstanding */
};

void gmmu_pte_mem_init(struct gmmu_pte_mem *m, const struct gmmu_mem *image, uint32_t latency,
                       uint32_t jitter, uint64_t seed);
/** Sets pins.mem_rsp; mem_req_ready belongs to the caller. */
void gmmu_pte_mem_drive(struct gmmu_pte_mem *m, uint64_t cycle, struct gmmu_pins *p);
/** External: the read with this id is due in `cycle`. */
void gmmu_pte_mem_release(struct gmmu_pte_mem *m, uint16_t id, uint64_t cycle);
/** Takes the request of this cycle. Returns true if one was accepted. */
bool gmmu_pte_mem_step(struct gmmu_pte_mem *m, uint64_t cycle, const struct gmmu_pins *p);

#endif
