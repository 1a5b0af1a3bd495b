/* SPDX-License-Identifier: Apache-2.0 */
/* driver_int.h - what the two halves of the driver share. */
#ifndef GMMU_DRIVER_INT_H
#define GMMU_DRIVER_INT_H

#include "gmmu_driver.h"
#include "gmmu_regs.h"

/** Gives an error of `call` to the caller. */
#define TRY(call)      \
  do {                 \
    int e_ = (call);   \
    if (e_) return e_; \
  } while (0)

int drv_read(struct gmmu_drv *d, uint32_t at, uint32_t *v);
int drv_write(struct gmmu_drv *d, uint32_t at, uint32_t v);
/** Invalidates the 2 MiB that hold va. */
int drv_invalidate_frame(struct gmmu_drv *d, unsigned asid, uint64_t va);
/** Coalesce or splinter command; the hardware's refusal or result other than 0: GMMU_DRV_REFUSED.
 */
int drv_coalesce_command(struct gmmu_drv *d, unsigned asid, uint64_t va, bool splinter);
/** Tells the hardware that pages were mapped: faulted bursts are retried. */
int drv_mapped(struct gmmu_drv *d);

/* Page tables (driver_tables.c). */
#define PTE_V 1ull
#define PTE_LEAF 0xeull /* R, W or X */
#define PTE_W (1ull << 2)
#define PTE_A (1ull << 6)
#define PTE_D (1ull << 7)
#define PTE_DIS (1ull << 8)
#define PTE_PPN_MASK (((1ull << 44) - 1) << 10)
#define PTE_PPN(p) ((p) >> 10 & ((1ull << 44) - 1))

static inline uint64_t drv_get(struct gmmu_drv *d, uint64_t pa) {
  return d->bus.read_mem(d->bus.arg, pa);
}
static inline void drv_put(struct gmmu_drv *d, uint64_t pa, uint64_t v) {
  d->bus.write_mem(d->bus.arg, pa, v);
}
static inline uint64_t drv_co_bit(const struct gmmu_drv *d) {
  return d->build.co_rsw ? 1ull << 8 : 1ull << 63;
}
/** Bit bits - 1 of va and all above it are the same. */
static inline bool drv_canonical(uint64_t va, unsigned bits) {
  uint64_t top = va >> (bits - 1);
  return top == 0 || top == (~0ull >> (bits - 1));
}
/** [va, va + bytes) is a canonical range of whole units in an open address space. */
int drv_usable(const struct gmmu_drv *d, unsigned asid, uint64_t va, uint64_t bytes, uint64_t unit);
/** Address of the PTE that decides va (a leaf, or invalid), its level, and of the frame PTE above
 * it if the level is 0. */
uint64_t drv_find(struct gmmu_drv *d, unsigned asid, uint64_t va, int *level, uint64_t *frame_pte);
/** Clears CO, AC and C in the frame PTEs of the range. If a leaf PTE in it stood for pages outside
 * (a head: docs/msc.md), the range is invalidated: no walk takes a new leaf for them. */
int drv_drop_runs(struct gmmu_drv *d, unsigned asid, uint64_t va, uint64_t bytes);

#endif
