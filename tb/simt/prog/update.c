/* SPDX-License-Identifier: Apache-2.0 */
/** update.c - warps update a file through writable apointers (bench.h, struct bench_args): all of
 * them visit all of its pages, each from its own on, `rounds` times; warp w of n has rows w, w + n
 * .. of 128 bytes. Sum of what was loaded. */
#include "ap.h"
#include "bench.h"

enum { ROW = 128, ROWS = APD_PAGE / ROW };

void kernel(const struct apd_system *s, const volatile struct bench_args *a) {
  uint32_t warps = w_blocks() * w_warps(), w = w_block() * w_warps() + w_warp();
  uint32_t pages = warps * a->pages, page = w * a->pages, sum = 0;
  struct aptr p = ap_new();
  ap_begin(s);
  uint32_t begin = w_cycle();
  if (ap_gvmmap(&p, (uint64_t)pages << APD_PAGE_BITS, APD_READ | APD_WRITE, a->dst, 0)) w_abort(w);
  ap_add(&p, (int32_t)((page << APD_PAGE_BITS) + w * ROW + w_lane() * 4));
  for (uint32_t n = pages * a->rounds; n; n--) {
    uint32_t row = w, next = page + 1 < pages ? page + 1 : 0;
    for (; row < ROWS; row += warps) {
      uint32_t v = ap_load4(&p);
      sum += v;
      ap_store4(&p, bench_updated(v));
      if (row + warps < ROWS) ap_add(&p, (int32_t)(warps * ROW));
    }
    /* The last store is still on its way. */
    ap_add(&p, (int32_t)((next - page) << APD_PAGE_BITS) - (int32_t)((row - warps - w) * ROW));
    page = next;
  }
  ap_close(&p);
  w_fence();
  volatile uint32_t *result = (volatile uint32_t *)(a->result + w * 256) + w_lane();
  result[0] = sum;
  result[32] = w_cycle() - begin;
  ap_end();
}
