/* SPDX-License-Identifier: Apache-2.0 */
/** timed_l2_warps.c - reports of waiting warps at the L2 TLB: docs/l2_tlb.md, "Timing". */
#include "timed/timed_blocks.h"

void timed_l2_add_warps(struct timed_l2 *l, struct gmmu_l2_event *ev) {
  const struct timed_tell *t;
  int sm;

  if (!l->tells) return;
  sm = timed_round_robin(l->tells, l->num_sms, &l->rr_tell);
  t = &l->tell[sm];
  l->tells &= ~(1ull << sm);
  ev->tell = true;
  ev->tell_counted = gmmu_l2_tell(l->tlb, t->l2_mshr, sm, t->warps);
  ev->tell_mshr = t->l2_mshr;
  ev->tell_sm = (uint8_t)sm;
  ev->tell_warps = t->warps;
  ev->tell_sum = l->tlb->mshr[t->l2_mshr].warps;
}

void timed_l2_take_tells(struct timed_l2 *l, const struct timed_tell *tell) {
  for (int i = 0; i < l->num_sms; i++) {
    if (!tell[i].valid) continue;
    l->tell[i] = tell[i];
    l->tells |= 1ull << i;
  }
}
