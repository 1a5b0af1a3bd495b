/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/l2_tlb.h"

#include <stdlib.h>
#include <string.h>

struct gmmu_l2_tlb *gmmu_l2_new(const struct gmmu_config *c) {
  struct gmmu_l2_tlb *l = calloc(1, sizeof *l);

  if (!l) return NULL;
  l->num_mshrs = (int)c->L2Mshrs;
  l->sets = c->L2Entries ? (int)(c->L2Entries / c->L2Ways) : 1;
  l->flush = c->FlushL2 != 0;
  l->mark_by_asid = c->MarkByAsid != 0;
  if (c->L2Unified) l->uni = gmmu_uni_new(l->sets, (int)c->L2Ways, (int)c->L2Ways / 2, &gmmu_lru);
  if (c->BypassEntries) l->bypass = gmmu_uni_new(1, (int)c->BypassEntries, 0, &gmmu_lru);
  if (c->Colt == 2)
    l->groups = gmmu_group_new(l->sets, (int)c->L2Ways, (int)c->PaW - 12, &gmmu_lru);
  l->base = gmmu_tlb_new(
      l->sets, c->L2Unified || c->Colt == 2 || c->L2Entries == 0 ? 0 : (int)c->L2Ways, &gmmu_lru);
  l->large = gmmu_tlb_new(1, (int)c->L2LargeEntries, &gmmu_lru);
  if (!l->base || !l->large || (c->L2Unified && !l->uni) || (c->Colt == 2 && !l->groups) ||
      (c->BypassEntries && !l->bypass)) {
    gmmu_l2_free(l);
    return NULL;
  }
  gmmu_l2_reset(l);
  return l;
}

void gmmu_l2_free(struct gmmu_l2_tlb *l) {
  if (!l) return;
  gmmu_tlb_free(l->base);
  gmmu_tlb_free(l->large);
  gmmu_uni_free(l->uni);
  gmmu_uni_free(l->bypass);
  gmmu_group_free(l->groups);
  free(l);
}

void gmmu_l2_reset(struct gmmu_l2_tlb *l) {
  gmmu_tlb_reset(l->base);
  gmmu_tlb_reset(l->large);
  if (l->uni) gmmu_uni_reset(l->uni);
  if (l->bypass) gmmu_uni_reset(l->bypass);
  if (l->groups) gmmu_group_reset(l->groups);
  memset(l->mshr, 0, sizeof l->mshr);
  l->num_stale = 0;
  memset(l->match, 0, sizeof l->match);
  l->share = (struct gmmu_share){.free = l->num_mshrs};
}

static bool hit(struct gmmu_tlb *t, uint64_t key, uint8_t store, struct gmmu_l2_result *out) {
  int i = gmmu_tlb_lookup(t, key);

  if (i < 0 || !gmmu_tlb_serves(gmmu_tlb_data_at(t, i), store)) return false;
  gmmu_tlb_touch(t, i);
  out->way = i % gmmu_tlb_ways(t);
  out->data = *gmmu_tlb_data_at(t, i);
  return true;
}

static bool hit_group(struct gmmu_group *g, const struct gmmu_l2_req *r,
                      struct gmmu_l2_result *out) {
  int i = gmmu_group_lookup(g, r->asid, r->vfn);
  struct gmmu_tlb_data d;

  if (i < 0) return false;
  d = gmmu_group_data(g, i, r->vfn);
  if (!gmmu_tlb_serves(&d, r->store)) return false;
  gmmu_group_touch(g, i);
  out->way = i % g->ways;
  out->data = d;
  return true;
}

/** Of an MSHR: misses of different classes of stores do not merge. */
static uint64_t miss_key(const struct gmmu_l2_req *r) {
  return gmmu_tlb_key(r->asid, r->vfn) | (uint64_t)r->store << 52;
}

static int find_mshr(const struct gmmu_l2_tlb *l, uint64_t key) {
  for (int i = 0; i < l->num_mshrs; i++)
    if (l->match[i] == key) return i;
  return -1;
}

static void add_waiter(struct gmmu_l2tlb_mshr *m, const struct gmmu_l2_req *r) {
  m->waiting |= 1ull << r->sm;
  m->l1_mshr[r->sm] = r->l1_mshr;
  m->warp[r->sm] = r->warp;
}

static int allocate(struct gmmu_l2_tlb *l, const struct gmmu_l2_req *r) {
  struct gmmu_l2tlb_mshr *m = l->mshr;

  while (m->valid) m++; /* share.free > 0 */
  m->vfn = r->vfn;
  m->asid = r->asid;
  m->store = r->store;
  m->valid = true;
  m->stale = m->done = m->early = false;
  m->waiting = 0;
  m->warps = 0;
  m->owner_sm = r->sm;
  m->owner_warp = r->warp;
  add_waiter(m, r);
  l->match[m - l->mshr] = miss_key(r);
  gmmu_share_take(&l->share, r->asid);
  return (int)(m - l->mshr);
}

/** Unified array or bypass cache. */
static bool hit_unified(struct gmmu_uni *u, const struct gmmu_l2_req *r,
                        struct gmmu_l2_result *out) {
  int i = gmmu_uni_lookup(u, r->asid, r->vfn);
  const struct gmmu_uni_entry *e;

  if (i < 0 || !gmmu_tlb_serves(&u->entry[i].data, r->store)) return false;
  e = &u->entry[i];
  gmmu_uni_touch(u, i);
  out->way = i % u->ways;
  out->data = e->data;
  if (!e->data.large) out->data.pfn += r->vfn - e->vfn;
  out->outcome = !e->sub ? GMMU_L2_HIT_BASE : e->data.large ? GMMU_L2_HIT_LARGE : GMMU_L2_HIT_SUB;
  return true;
}

/** Walks that answered early. */
static bool hit_run(const struct gmmu_l2_tlb *l, const struct gmmu_l2_req *r,
                    struct gmmu_l2_result *out) {
  for (int i = 0; i < l->num_mshrs; i++) {
    const struct gmmu_l2tlb_mshr *m = &l->mshr[i];
    if (!m->valid || !m->early || m->asid != r->asid || m->vfn >> 6 != r->vfn >> 6) continue;
    if (!gmmu_tlb_serves(&m->head, r->store)) return false;
    out->outcome = GMMU_L2_HIT_RUN;
    out->data = m->head;
    out->data.pfn += r->vfn & 63;
    return true;
  }
  return false;
}

void gmmu_l2_lookup(struct gmmu_l2_tlb *l, const struct gmmu_l2_req *r, bool may_alloc,
                    struct gmmu_l2_result *out) {
  uint64_t key = gmmu_tlb_key(r->asid, r->vfn);
  int m;

  *out = (struct gmmu_l2_result){.outcome = GMMU_L2_MISS_WAIT};
  if (l->uni && hit_unified(l->uni, r, out)) return;
  if (hit(l->large, gmmu_tlb_key(r->asid, r->vfn >> 9), r->store, out)) {
    out->outcome = GMMU_L2_HIT_LARGE;
  } else if (l->groups ? hit_group(l->groups, r, out) : hit(l->base, key, r->store, out)) {
    out->outcome = GMMU_L2_HIT_BASE;
  } else if (l->bypass && hit_unified(l->bypass, r, out)) {
    out->outcome = GMMU_L2_HIT_BYPASS;
  } else if (l->uni && hit_run(l, r, out)) {
    return;
  } else if ((m = find_mshr(l, miss_key(r))) >= 0) {
    if (l->mshr[m].waiting >> r->sm & 1) return;
    out->outcome = GMMU_L2_MISS_MERGE;
    out->mshr = m;
    add_waiter(&l->mshr[m], r);
  } else if (may_alloc && gmmu_share_may_take(&l->share, r->asid)) {
    out->outcome = GMMU_L2_MISS_ALLOC;
    out->mshr = allocate(l, r);
  }
}

void gmmu_l2_finish(struct gmmu_l2_tlb *l, int mshr, const struct gmmu_tlb_data *data, bool token,
                    struct gmmu_fill *f) {
  struct gmmu_l2tlb_mshr *m = &l->mshr[mshr];
  struct gmmu_tlb_data entry = *data;

  *f = (struct gmmu_fill){0};
  m->done = true;
  l->match[mshr] = 0;
  m->early = data->early && !m->stale;
  if (m->early) {
    m->head = *data;
    m->head.early = false;
    m->head.pfn -= m->vfn & 63;
  }
  if (m->stale || data->cause || data->no_fill || data->early || (data->run_only && !data->sub))
    return;
  entry.run_only = false;
  entry.group = 0; /* a hit fills one page */
  if (!token) {
    if (!l->bypass) return;
    gmmu_uni_fill(l->bypass, m->asid, m->vfn, &entry, f);
    f->bypass = true;
    f->base = false;
    f->left = f->dropped;
    f->dropped = 0;
    return;
  }
  if (l->bypass) f->left = gmmu_uni_leave(l->bypass, m->asid, m->vfn, &entry);
  if (l->groups && !data->large) {
    gmmu_group_fill(l->groups, m->asid, m->vfn, data, f);
    return;
  }
  if (l->uni) {
    gmmu_uni_fill(l->uni, m->asid, m->vfn, &entry, f);
    return;
  }
  f->large = data->large;
  f->base = !data->large && gmmu_tlb_ways(l->base);
  if (f->large) gmmu_tlb_fill(l->large, 0, gmmu_tlb_key(m->asid, m->vfn >> 9), &entry, f);
  else if (f->base)
    gmmu_tlb_fill(l->base, (int)(m->vfn & (uint64_t)(l->sets - 1)), gmmu_tlb_key(m->asid, m->vfn),
                  &entry, f);
}

bool gmmu_l2_served(struct gmmu_l2_tlb *l, int mshr, uint64_t sms, bool end) {
  struct gmmu_l2tlb_mshr *m = &l->mshr[mshr];

  m->waiting &= ~sms;
  if (m->waiting) return false;
  if (!end) return true;
  m->valid = false;
  l->num_stale -= m->stale;
  gmmu_share_give(&l->share, m->asid);
  return true;
}

bool gmmu_l2_tell(struct gmmu_l2_tlb *l, int mshr, int sm, int warps) {
  struct gmmu_l2tlb_mshr *m = &l->mshr[mshr];

  if (!m->valid || m->done || !(m->waiting >> sm & 1)) return false;
  m->warps = (uint8_t)(m->warps + warps > 63 ? 63 : m->warps + warps);
  return true;
}

void gmmu_l2_mark(struct gmmu_l2_tlb *l, const struct gmmu_inv_cmd *c) {
  for (int i = 0; i < l->num_mshrs; i++) {
    if (!l->mshr[i].valid ||
        !gmmu_inv_hits_miss(c, l->mark_by_asid, l->mshr[i].asid, l->mshr[i].vfn))
      continue;
    l->num_stale += !l->mshr[i].stale;
    l->mshr[i].stale = true;
    l->mshr[i].early = false;
    l->match[i] = 0;
  }
}

/** What L2 TLB and bypass cache are swept for. */
static const struct gmmu_inv_cmd *scope(const struct gmmu_l2_tlb *l, const struct gmmu_inv_cmd *c) {
  static const struct gmmu_inv_cmd all = {.kind = GMMU_INV_ALL};
  return l->flush ? &all : c;
}

uint32_t gmmu_l2_sweep_set(struct gmmu_l2_tlb *l, int set, const struct gmmu_inv_cmd *cmd) {
  const struct gmmu_inv_cmd *c = scope(l, cmd);
  int ways = gmmu_tlb_ways(l->base);
  uint32_t cleared = 0;

  if (l->uni) return gmmu_uni_sweep(l->uni, set, c);
  for (int w = 0; l->groups && w < l->groups->ways; w++)
    if (gmmu_group_drop(l->groups, set * l->groups->ways + w, c, 0)) cleared |= 1u << w;
  for (int w = 0; w < ways; w++) {
    uint64_t key = gmmu_tlb_key_at(l->base, set * ways + w);
    if (!key || !gmmu_inv_hits_page(c, gmmu_tlb_key_asid(key), gmmu_tlb_key_n(key))) continue;
    gmmu_tlb_clear(l->base, set * ways + w);
    cleared |= 1u << w;
  }
  return cleared;
}

bool gmmu_l2_large_matches(const struct gmmu_l2_tlb *l, int way, const struct gmmu_inv_cmd *c) {
  uint64_t key = gmmu_tlb_key_at(l->large, way);
  return key && gmmu_inv_hits_frame(scope(l, c), gmmu_tlb_key_asid(key), gmmu_tlb_key_n(key));
}

bool gmmu_l2_bypass_matches(const struct gmmu_l2_tlb *l, int way, const struct gmmu_inv_cmd *c) {
  return gmmu_uni_matches(&l->bypass->entry[way], scope(l, c));
}

void gmmu_l2_bypass_drop(struct gmmu_l2_tlb *l, int way) { l->bypass->entry[way].valid = false; }
