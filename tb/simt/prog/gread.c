/* SPDX-License-Identifier: Apache-2.0 */
/** gread.c - each warp reads ranges of a file into buffers by GPUfs's gread (bench.h, struct
 * gread_args). */
#include "ap.h"
#include "bench.h"

void kernel(const struct apd_system *s, const volatile struct gread_args *a) {
  uint32_t w = w_block() * w_warps() + w_warp(), reads = a->reads, file = a->file;
  volatile struct gread_range *r = (volatile struct gread_range *)a->range + w * reads;
  ap_begin(s);
  uint32_t begin = w_cycle();
  for (uint32_t n = 0; n < reads; n++)
    r[n].error = ap_gread(file, r[n].offset, (void *)r[n].to, r[n].bytes);
  w_fence();
  volatile uint32_t *result = (volatile uint32_t *)(a->result + w * 256) + w_lane();
  result[0] = 0;
  result[32] = w_cycle() - begin;
  ap_end();
}
