/* SPDX-License-Identifier: Apache-2.0 */
/** simt.h - the SIMT core's own instructions for C (docs/simt.md). Compiled with Debian's
 * riscv64-unknown-elf-gcc.
 *
 * Votes and shuffles work on the lanes that are active, those at the lowest PC: code that uses them
 * keeps its lanes together, or brings them together by w_sync() before.
 */
#ifndef SIMT_H
#define SIMT_H

#include <stdbool.h>
#include <stdint.h>

#define INLINE static inline __attribute__((always_inline))

#define CSR(name, number)                                      \
  INLINE uint32_t name(void) {                                 \
    uint32_t v;                                                \
    __asm__ volatile("csrrs %0, " #number ", zero" : "=r"(v)); \
    return v;                                                  \
  }
CSR(w_cycle, 0xc00)
CSR(w_lane, 0xcc0)
CSR(w_warp, 0xcc1)
CSR(w_block, 0xcc2)
CSR(w_warps, 0xcc3)
CSR(w_blocks, 0xcc4)
#undef CSR

#define CUSTOM(name, f3, f7)                                                           \
  INLINE uint32_t name(uint32_t a) {                                                   \
    uint32_t v;                                                                        \
    __asm__ volatile(".insn r 0x0b, " #f3 ", " #f7 ", %0, %1, x0" : "=r"(v) : "r"(a)); \
    return v;                                                                          \
  }
CUSTOM(w_all, 0, 0)
CUSTOM(w_any, 0, 1)
CUSTOM(w_ballot, 0, 2)
CUSTOM(w_popc, 2, 0)
CUSTOM(w_ffs, 2, 1)
#undef CUSTOM

INLINE uint32_t w_shfl(uint32_t v, uint32_t from) {
  uint32_t r;
  __asm__ volatile(".insn r 0x0b, 1, 0, %0, %1, %2" : "=r"(r) : "r"(v), "r"(from));
  return r;
}
INLINE uint32_t w_active(void) { return w_ballot(1); }
INLINE void w_sync(uint32_t mask) {
  __asm__ volatile(".insn r 0x0b, 3, 0, x0, %0, x0" ::"r"(mask) : "memory");
}
INLINE void w_bar(void) { __asm__ volatile(".insn r 0x0b, 3, 1, x0, x0, x0" ::: "memory"); }
INLINE void w_abort(uint32_t why) {
  __asm__ volatile(".insn r 0x0b, 3, 2, x0, %0, x0" ::"r"(why) : "memory");
}
INLINE void w_fence(void) { __asm__ volatile("fence" ::: "memory"); }

/* 8 bytes: a pair of registers that GCC chooses (64 bits lie in two that follow each other). 16
 * bytes: consecutive registers, pinned, as GCC knows no quads here; what comes is moved out of
 * them, so a second load waits for the first. */
struct w2 {
  uint32_t v[2];
};
struct w4 {
  uint32_t v[4];
};
INLINE struct w2 w_load8(const void *at) {
  uint64_t v;
  __asm__ volatile(".insn i 0x2b, 0, %0, 0(%1)" : "=r"(v) : "r"(at) : "memory");
  return (struct w2){{(uint32_t)v, (uint32_t)(v >> 32)}};
}
INLINE struct w4 w_load16(const void *at) {
  register uint32_t a __asm__("t3"), b __asm__("t4"), c __asm__("t5"), d __asm__("t6");
  __asm__ volatile(".insn i 0x2b, 1, %0, 0(%4)"
                   : "=r"(a), "=r"(b), "=r"(c), "=r"(d)
                   : "r"(at)
                   : "memory");
  return (struct w4){{a, b, c, d}};
}
INLINE void w_store8(void *at, struct w2 x) {
  uint64_t v = (uint64_t)x.v[1] << 32 | x.v[0];
  __asm__ volatile(".insn s 0x2b, 4, %0, 0(%1)" ::"r"(v), "r"(at) : "memory");
}
INLINE void w_store16(void *at, struct w4 x) {
  register uint32_t a __asm__("t3") = x.v[0], b __asm__("t4") = x.v[1], c __asm__("t5") = x.v[2],
                      d __asm__("t6") = x.v[3];
  __asm__ volatile(".insn s 0x2b, 5, %0, 0(%4)" ::"r"(a), "r"(b), "r"(c), "r"(d), "r"(at)
                   : "memory");
}

/* Atomics by one lane for all active ones; all get the old value. The jump is inside, so the lanes
 * stay together. */
INLINE uint32_t w_add_by(uint32_t leader, volatile uint32_t *at, uint32_t n) {
  uint32_t old = 0, others = w_lane() ^ leader;
  __asm__ volatile("bnez %1, 1f\n\tamoadd.w %0, %3, (%2)\n1:"
                   : "+&r"(old)
                   : "r"(others), "r"(at), "r"(n)
                   : "memory");
  return w_shfl(old, leader);
}
INLINE uint32_t w_swap_by(uint32_t leader, volatile uint32_t *at, uint32_t n) {
  uint32_t old = 0, others = w_lane() ^ leader;
  __asm__ volatile("bnez %1, 1f\n\tamoswap.w %0, %3, (%2)\n1:"
                   : "+&r"(old)
                   : "r"(others), "r"(at), "r"(n)
                   : "memory");
  return w_shfl(old, leader);
}
INLINE uint32_t w_cas_by(uint32_t leader, volatile uint32_t *at, uint32_t expected, uint32_t n) {
  uint32_t old = expected, others = w_lane() ^ leader;
  __asm__ volatile("bnez %1, 1f\n\t.insn r 0x2f, 2, 0x14, %0, %2, %3\n1:"
                   : "+&r"(old)
                   : "r"(others), "r"(at), "r"(n)
                   : "memory");
  return w_shfl(old, leader);
}
/* The same without looking at the old value: nobody waits for it. */
INLINE void w_post_by(uint32_t leader, volatile uint32_t *at, uint32_t n) {
  uint32_t others = w_lane() ^ leader;
  __asm__ volatile("bnez %0, 1f\n\tamoadd.w zero, %2, (%1)\n1:" ::"r"(others), "r"(at), "r"(n)
                   : "memory");
}

#endif
