/* SPDX-License-Identifier: Apache-2.0 */
/** timed_cache_queue.h - queues of a bank of the L2 cache (timed_cache_bank.c), as rings. Whoever
 * pushes has seen that there is room. */
#ifndef GMMU_TIMED_CACHE_QUEUE_H
#define GMMU_TIMED_CACHE_QUEUE_H

#include "timed/timed_cache_bank.h"

#define MAX_SLOTS 64u

/* Queue of things that go to memory; sent: pieces of the head. */
struct mem_queue {
  struct gmmu_cache_mem e[MAX_SLOTS];
  uint32_t first, n, sent;
};
struct answer {
  uint32_t id;
  uint64_t entered;
};
struct answers {
  struct answer a[MAX_SLOTS];
  uint32_t first, n, used; /* used: places taken or promised */
};

static inline const struct answer *oldest(const struct answers *a) { return &a->a[a->first]; }
static inline const struct gmmu_cache_mem *head(const struct mem_queue *q) {
  return &q->e[q->first];
}

/* The place behind the last one, which is in the queue now. */
static inline struct gmmu_cache_mem *append(struct mem_queue *q) {
  return &q->e[(q->first + q->n++) % MAX_SLOTS];
}

static inline void pop_answer(struct answers *a) {
  a->first = (a->first + 1) % MAX_SLOTS;
  a->n--;
  a->used--;
}
static inline void push_answer(struct answers *a, uint32_t id, uint64_t now) {
  a->a[(a->first + a->n++) % MAX_SLOTS] = (struct answer){id, now};
}

#endif
