/* SPDX-License-Identifier: Apache-2.0 */
#include "run/mismatch.h"

#include <stdio.h>

#define SHOW 10 /* later ones are usually consequences */

void gmmu_mismatch(struct gmmu_mismatches *m, uint64_t cycle, const char *block, uint64_t count,
                   const char *msg) {
  m->n += count;
  if (m->shown >= SHOW) return;
  fprintf(stderr, "mismatch: cycle %llu, %s%s%s\n", (unsigned long long)cycle, block,
          *block ? ": " : "", msg);
  if (m->shown++ == 0)
    fprintf(stderr, "  seed %llu; again, with waves: %s\n", (unsigned long long)m->seed,
            m->rerun ? m->rerun : "-");
  if (m->shown == SHOW) fprintf(stderr, "  (further mismatches are counted, not printed)\n");
}
