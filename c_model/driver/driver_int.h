/* SPDX-License-Identifier: Apache-2.0 */
/* driver_int.h - what the two halves of the driver share. */
#ifndef GMMU_DRIVER_INT_H
#define GMMU_DRIVER_INT_H

#include "gmmu_driver.h"
#include "gmmu_regs.h"

/** Gives an error of `call` to the caller. */
#define TRY(call)          \
  do {                     \
    int e_ = (call);       \
    if (e_) return e_;     \
  } while (0)

int drv_read(struct gmmu_drv *d, uint32_t at, uint32_t *v);
int drv_write(struct gmmu_drv *d, uint32_t at, uint32_t v);
/** Invalidates the 2 MiB that hold va. */
int drv_invalidate_frame(struct gmmu_drv *d, unsigned asid, uint64_t va);
/** Coalesce or splinter command; the hardware's refusal or result other than 0: GMMU_DRV_REFUSED. */
int drv_coalesce_command(struct gmmu_drv *d, unsigned asid, uint64_t va, bool splinter);
/** Tells the hardware that pages were mapped: faulted bursts are retried. */
int drv_mapped(struct gmmu_drv *d);

#endif
