/* SPDX-License-Identifier: Apache-2.0 */
/* coalesce.c - lanes to 128-byte lines to 4 KiB pages, in order of first use. */
#include "gmmu.h"

/* A new value is usually near the end of the list, or above all of an ascending one (*up). */
static int add(uint64_t *v, int n, uint64_t x, bool *up) {
  if (n && x == v[n - 1]) return n;
  if (*up && (n == 0 || x > v[n - 1])) {
    v[n] = x;
    return n + 1;
  }
  int i = n;
  for (; i >= 4;
       i -=
       4) /* four at once: lanes of any order on lines of their own are compared with all before */
    if ((v[i - 1] == x) | (v[i - 2] == x) | (v[i - 3] == x) | (v[i - 4] == x)) return n;
  while (i > 0)
    if (v[--i] == x) return n;
  *up = false;
  v[n] = x;
  return n + 1;
}

int gmmu_coalesce_lines(const struct gmmu_op *op, uint64_t lines[2 * GMMU_LANES]) {
  bool up = true;
  int n = 0;
  for (int i = 0; i < op->lanes; i++) {
    uint64_t first = op->addr[i] >> 7, last = (op->addr[i] + op->bytes - 1) >> 7;
    n = add(lines, n, first, &up);
    if (last != first) n = add(lines, n, last, &up);
  }
  return n;
}

int gmmu_coalesce_pages(const uint64_t *lines, int nlines, uint64_t pages[2 * GMMU_LANES]) {
  bool up = true;
  int n = 0;
  for (int i = 0; i < nlines; i++) n = add(pages, n, lines[i] >> 5, &up);
  return n;
}
