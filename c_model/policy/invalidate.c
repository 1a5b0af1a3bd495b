/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/invalidate.h"

#include <string.h>

#include "policy/tlb_data.h"

struct gmmu_inv_cmd gmmu_inv_normal(const struct gmmu_inv_cmd *c, int asid_w) {
  struct gmmu_inv_cmd n = *c;

  n.valid = true;
  if (n.kind != GMMU_INV_ASID && n.kind != GMMU_INV_RANGE) n.kind = GMMU_INV_ALL;
  n.asid &= (uint16_t)((1u << asid_w) - 1);
  n.lo_vfn &= GMMU_VFN_MASK;
  n.hi_vfn &= GMMU_VFN_MASK;
  return n;
}

bool gmmu_inv_hits_page(const struct gmmu_inv_cmd *c, uint16_t asid, uint64_t vfn) {
  if (c->kind == GMMU_INV_ALL) return true;
  if (c->asid != asid) return false;
  return c->kind == GMMU_INV_ASID || (c->lo_vfn <= vfn && vfn <= c->hi_vfn);
}

bool gmmu_inv_hits_run(const struct gmmu_inv_cmd *c, uint16_t asid, uint64_t first, uint64_t last) {
  if (c->kind == GMMU_INV_ALL) return true;
  if (c->asid != asid) return false;
  return c->kind == GMMU_INV_ASID || (c->lo_vfn <= last && first <= c->hi_vfn);
}

bool gmmu_inv_hits_frame(const struct gmmu_inv_cmd *c, uint16_t asid, uint64_t lfn) {
  if (c->kind == GMMU_INV_ALL) return true;
  if (c->asid != asid) return false;
  return c->kind == GMMU_INV_ASID || (c->lo_vfn >> 9 <= lfn && lfn <= c->hi_vfn >> 9);
}

bool gmmu_inv_hits_miss(const struct gmmu_inv_cmd *c, bool by_asid, uint16_t asid, uint64_t vfn) {
  return by_asid ? c->kind == GMMU_INV_ALL || c->asid == asid
                 : gmmu_inv_hits_frame(c, asid, vfn >> 9);
}

bool gmmu_inv_visit(struct gmmu_inv_sweep *s, int place) {
  bool right = place == s->next && place < s->n;
  s->next = place + 1;
  return right;
}

static bool complete(const struct gmmu_inv_sweep *s) { return s->next == s->n; }
static const struct gmmu_inv_sweep swept = {0, 0}; /* outside a command no visit is right */

void gmmu_inv_order_init(struct gmmu_inv_order *o, const struct gmmu_config *c) {
  memset(o, 0, sizeof *o);
  o->num_sms = (int)c->NumSms;
  for (int i = 0; i < o->num_sms; i++) o->l1_base[i] = gmmu_config_l1_base(c, i);
  o->l1_large = (int)c->L1LargeEntries;
  o->l2_sets = c->L2Entries ? (int)(c->L2Entries / c->L2Ways) : 1;
  o->l2_bypass = (int)c->BypassEntries;
  o->l2_large = (int)c->L2LargeEntries;
  o->msc_sets = c->L2Unified && c->MscWays ? (int)c->MscSets : 0;
}

const char *gmmu_inv_accept(struct gmmu_inv_order *o, const struct gmmu_inv_cmd *c, int asid_w) {
  bool idle = o->step == GMMU_INV_IDLE;

  o->cmd = gmmu_inv_normal(c, asid_w);
  o->step = GMMU_INV_MARK;
  return idle ? NULL : "command accepted before the acknowledgement of the last one";
}

const char *gmmu_inv_mark(struct gmmu_inv_order *o) {
  bool due = o->step == GMMU_INV_MARK;

  o->step = GMMU_INV_L2;
  o->sets = (struct gmmu_inv_sweep){o->l2_sets, 0};
  o->large = (struct gmmu_inv_sweep){o->l2_large, 0};
  o->bypass = (struct gmmu_inv_sweep){o->l2_bypass, 0};
  o->msc = (struct gmmu_inv_sweep){o->msc_sets, 0};
  return due ? NULL : "mark pulse without a new command";
}

const char *gmmu_inv_clear_l1s(struct gmmu_inv_order *o) {
  bool due = o->step == GMMU_INV_L2,
       all = complete(&o->sets) && complete(&o->large) && complete(&o->bypass);

  o->step = GMMU_INV_L1;
  o->sets = o->large = o->bypass = swept;
  for (int i = 0; i < o->num_sms; i++) {
    o->sm_base[i] = (struct gmmu_inv_sweep){o->l1_base[i], 0};
    o->sm_large[i] = (struct gmmu_inv_sweep){o->l1_large, 0};
  }
  if (!due) return "clear pulse out of order";
  return all ? NULL : "clear pulse before the L2's sweep visited every set, large and bypass way";
}

const char *gmmu_inv_acknowledge(struct gmmu_inv_order *o) {
  bool due = o->step == GMMU_INV_L1, all = true, msc = complete(&o->msc);

  o->msc = swept;
  for (int i = 0; i < o->num_sms; i++) {
    all &= complete(&o->sm_base[i]) && complete(&o->sm_large[i]);
    o->sm_base[i] = o->sm_large[i] = swept;
  }
  o->step = GMMU_INV_IDLE;
  if (!due) return "acknowledged out of order";
  if (!msc) return "acknowledged before the memory subregion cache was cleared";
  return all ? NULL : "acknowledged before the L1s' sweeps visited every way";
}
