/* SPDX-License-Identifier: Apache-2.0 */
/** Lines that an SM waits for: one request per line, joined by the warps that need it. Internal to
 * the front end. */
#ifndef GMMU_FRONTEND_LINES_H
#define GMMU_FRONTEND_LINES_H

#include <stdbool.h>
#include <stdint.h>

#define FE_LINE_BUCKETS 256u
#define FE_LINE_WARPS 4u /**< words of 64 warps */

struct fe_line {
  uint64_t line;
  uint64_t warps[FE_LINE_WARPS]; /**< bit per warp slot that waits */
  bool atomic;                   /**< written back when it is there; nobody joins */
  uint32_t next;                 /**< in its bucket, or of the free ones; 0: end, else index + 1 */
};
struct fe_lines {
  struct fe_line *e;
  uint32_t bucket[FE_LINE_BUCKETS]; /**< index + 1 */
  uint32_t cap, unused;             /**< unused: first free one, index + 1 */
  uint32_t n;                       /**< requests under way */
};
void fe_lines_free(struct fe_lines *l);
/** Index of the request for the line that can be joined, or -1. */
int fe_lines_find(const struct fe_lines *l, uint64_t line);
/** A new request; -1: out of memory. */
int fe_lines_add(struct fe_lines *l, uint64_t line, bool atomic);
/** False: the warp waits for it already (two pages of its access lie in one frame). */
static inline bool fe_lines_wait(struct fe_lines *l, int i, unsigned warp) {
  uint64_t *w = &l->e[i].warps[warp / 64], bit = 1ull << (warp % 64);
  bool first = !(*w & bit);
  *w |= bit;
  return first;
}
/** The request is done: copies it out and frees it. */
struct fe_line fe_lines_take(struct fe_lines *l, uint32_t i);
#endif
