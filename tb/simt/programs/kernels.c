/* SPDX-License-Identifier: Apache-2.0 */
/** kernels.c - a program for the SIMT core (docs/simt.md), compiled by GCC: each lane a thread with
 * input, a stack and output; then a histogram in the block's scratchpad, added to one in memory,
 * and a sum under compare and swap. No start-up code: the core sets sp and the arguments. */
#include "kernels.h"

#define CSR(n)                                   \
  ({                                             \
    uint32_t v_;                                 \
    __asm__ volatile("csrr %0, " #n : "=r"(v_)); \
    v_;                                          \
  })
static const uint32_t weight[BINS] = {3, 1, 4, 1, 5, 9, 2, 6,
                                      5, 3, 5, 8, 9, 7, 9, 3}; /* .rodata: read as data */

static uint32_t cas(uint32_t *at, uint32_t old, uint32_t new) {
  __asm__ volatile(".insn r 0x2f, 2, 0x14, %0, %1, %2" : "+r"(old) : "r"(at), "r"(new) : "memory");
  return old;
}
static void barrier(void) {
  __asm__ volatile("fence\n.insn r 0x0b, 3, 1, x0, x0, x0" ::: "memory");
}

void __attribute__((noreturn, section(".start"))) start(const uint32_t *in, uint32_t *out,
                                                        uint32_t *hist, uint32_t *sum) {
  uint32_t lane = CSR(0xcc0), warp = CSR(0xcc1), block = CSR(0xcc2), warps = CSR(0xcc3);
  uint32_t id = (block * warps + warp) * 32 + lane;
  uint32_t *shared = (uint32_t *)0xe0000000;
  thread(id, in + id * THREAD_WORDS, out + id * 3);
  if (warp == 0 && lane < BINS) shared[lane] = 0;
  barrier();
  __atomic_fetch_add(&shared[out[id * 3] % BINS], 1, __ATOMIC_RELAXED);
  barrier();
  if (warp == 0 && lane < BINS)
    __atomic_fetch_add(&hist[lane], shared[lane] * weight[lane], __ATOMIC_RELAXED);
  if (lane == 5) { /* one lane a warp: a lane must not wait for another of its warp */
    uint32_t old = *(volatile uint32_t *)sum, seen;
    while ((seen = cas(sum, old, old + id)) != old) old = seen;
  }
  __asm__ volatile("ebreak");
  __builtin_unreachable();
}
