/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/replace.h"

#include <stdlib.h>

#define POLICY(n) &gmmu_##n,
const struct gmmu_policy *const gmmu_policies[] = {GMMU_POLICIES NULL};
#undef POLICY

bool gmmu_replace_init(struct gmmu_replace *r, const struct gmmu_policy *p, int sets, int ways) {
  *r = (struct gmmu_replace){.policy = p, .sets = sets, .ways = ways};
  if (ways == 0) return true;
  r->state = malloc(p->bytes(sets, ways));
  if (!r->state) return false;
  gmmu_replace_reset(r);
  return true;
}

void gmmu_replace_free(struct gmmu_replace *r) {
  free(r->state);
  r->state = NULL;
}

void gmmu_replace_reset(struct gmmu_replace *r) {
  if (r->ways) r->policy->reset(r->state, r->sets, r->ways);
}
