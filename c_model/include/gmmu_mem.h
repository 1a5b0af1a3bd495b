/* SPDX-License-Identifier: Apache-2.0 */
/* gmmu_mem.h - memory image (c_model/functional/mem.c). Part of gmmu.h, which says the conventions.
 */
#ifndef GMMU_MEM_H
#define GMMU_MEM_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Sparse physical memory; unwritten bytes read 0. */
struct gmmu_mem;
struct gmmu_mem *gmmu_mem_new(void);
void gmmu_mem_free(struct gmmu_mem *m);
uint64_t gmmu_mem_read64(const struct gmmu_mem *m, uint64_t pa);        /**< pa multiple of 8 */
void gmmu_mem_write64(struct gmmu_mem *m, uint64_t pa, uint64_t value); /**< pa multiple of 8 */
/** Calls fn for every 8-byte word that is not 0, in ascending address order. */
void gmmu_mem_each(const struct gmmu_mem *m, void (*fn)(void *arg, uint64_t pa, uint64_t value),
                   void *arg);

#ifdef __cplusplus
}
#endif
#endif
