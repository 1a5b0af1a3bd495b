/* SPDX-License-Identifier: Apache-2.0 */
#include "frontend/l1d.h"

#include <stdlib.h>

int gmmu_l1d_init(struct gmmu_l1d *c, int64_t bytes, int64_t ways) {
  int64_t sets = bytes / 128 / ways;

  c->ways = (uint32_t)ways;
  c->sets = sets < 1 ? 1u : (uint32_t)sets;
  c->clock = 0;
  c->tag = calloc((size_t)c->sets * c->ways, sizeof *c->tag);
  c->stamp = calloc((size_t)c->sets * c->ways, sizeof *c->stamp);
  return c->tag && c->stamp ? 0 : -1;
}

void gmmu_l1d_free(struct gmmu_l1d *c) {
  free(c->tag);
  free(c->stamp);
  c->tag = c->stamp = NULL;
}

bool gmmu_l1d_access(struct gmmu_l1d *c, uint64_t line) {
  size_t base = (size_t)(line % c->sets) * c->ways;
  uint64_t *tag = c->tag + base, *stamp = c->stamp + base;
  uint32_t victim = 0;

  c->clock++;
  for (uint32_t w = 0; w < c->ways; w++) {
    if (tag[w] == line + 1) {
      stamp[w] = c->clock;
      return true;
    }
    if (stamp[w] < stamp[victim]) victim = w; /* empty ways have stamp 0: they go first */
  }
  tag[victim] = line + 1;
  stamp[victim] = c->clock;
  return false;
}
