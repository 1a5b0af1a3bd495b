/* SPDX-License-Identifier: Apache-2.0 */
#include "frontend/l1d.h"

#include <stdlib.h>

int gmmu_l1d_init(struct gmmu_l1d *c, int64_t bytes, int64_t ways) {
  int64_t sets = bytes / 128 / ways;

  if (sets < 1) sets = 1;
  c->tag = calloc((size_t)(sets * ways), sizeof *c->tag);
  return gmmu_replace_init(&c->replace, &gmmu_lru, (int)sets, (int)ways) && c->tag ? 0 : -1;
}

void gmmu_l1d_free(struct gmmu_l1d *c) {
  free(c->tag);
  c->tag = NULL;
  gmmu_replace_free(&c->replace);
}

static bool used(const void *tag, int index) { return ((const uint64_t *)tag)[index] != 0; }

bool gmmu_l1d_access(struct gmmu_l1d *c, uint64_t line) {
  struct gmmu_replace *r = &c->replace;
  int set = (int)(line % (uint32_t)r->sets), way = 0;
  uint64_t *tag = c->tag + (size_t)set * (size_t)r->ways;

  while (way < r->ways && tag[way] != line + 1) way++;
  bool hit = way < r->ways;
  if (!hit) {
    way = gmmu_replace_way(r, set, 0, used, c->tag);
    tag[way] = line + 1;
  }
  gmmu_replace_touch(r, set * r->ways + way);
  return hit;
}
