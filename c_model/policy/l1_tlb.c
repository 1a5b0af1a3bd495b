/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/l1_tlb.h"

#include <stdlib.h>
#include <string.h>

#include "functional/walk_step.h"

struct gmmu_l1_tlb *gmmu_l1_new(const struct gmmu_config *c, int sm) {
  struct gmmu_l1_tlb *l = calloc(1, sizeof *l);
  size_t tags = 1u << c->TagW;
  int base = gmmu_config_l1_base(c, sm);

  if (!l) return NULL;
  l->num_mshrs = (int)c->L1Mshrs;
  l->mark_by_asid = c->MarkByAsid != 0;
  l->tag_mask = (uint16_t)(tags - 1);
  l->asid_mask = (uint16_t)((1u << c->AsidW) - 1);
  l->warp_mask = (uint16_t)((1u << c->WarpW) - 1);
  l->count_warps = c->WarpCounters != 0;
  if (c->Colt) l->groups = gmmu_group_new(1, base, (int)c->PaW - 12, &gmmu_lru);
  l->base = gmmu_tlb_new(1, c->Colt ? 0 : base, &gmmu_lru);
  l->large = gmmu_tlb_new(1, (int)c->L1LargeEntries, &gmmu_lru);
  l->req = calloc(tags, sizeof *l->req);
  l->next = calloc(tags, sizeof *l->next);
  if (!l->base || !l->large || !l->req || !l->next || (c->Colt && !l->groups)) {
    gmmu_l1_free(l);
    return NULL;
  }
  gmmu_l1_reset(l);
  return l;
}

void gmmu_l1_free(struct gmmu_l1_tlb *l) {
  if (!l) return;
  gmmu_tlb_free(l->base);
  gmmu_tlb_free(l->large);
  gmmu_group_free(l->groups);
  free(l->req);
  free(l->next);
  free(l);
}

void gmmu_l1_reset(struct gmmu_l1_tlb *l) {
  gmmu_tlb_reset(l->base);
  gmmu_tlb_reset(l->large);
  if (l->groups) gmmu_group_reset(l->groups);
  memset(l->mshr, 0, sizeof l->mshr);
  l->free = ~0ull >> (64 - l->num_mshrs);
  l->mergeable = 0;
  l->park_first = l->park_last = -1;
}

static void append(struct gmmu_l1_tlb *l, int32_t *first, int32_t *last, int tag) {
  l->next[tag] = -1;
  if (*first < 0) *first = tag;
  else l->next[*last] = tag;
  *last = tag;
}

static int take(struct gmmu_l1_tlb *l, int32_t *first) {
  int tag = *first;
  if (tag >= 0) *first = l->next[tag];
  return tag;
}

static bool hit(struct gmmu_tlb *t, uint64_t key, uint8_t store, struct gmmu_l1_result *out) {
  int i = gmmu_tlb_lookup(t, key);

  if (i < 0 || !gmmu_tlb_serves(gmmu_tlb_data_at(t, i), store)) return false;
  gmmu_tlb_touch(t, i);
  out->way = i;
  out->data = *gmmu_tlb_data_at(t, i);
  return true;
}

static bool hit_group(struct gmmu_group *g, uint16_t asid, uint64_t vfn, uint8_t store,
                      struct gmmu_l1_result *out) {
  int i = gmmu_group_lookup(g, asid, vfn);
  struct gmmu_tlb_data d;

  if (i < 0) return false;
  d = gmmu_group_data(g, i, vfn);
  if (!gmmu_tlb_serves(&d, store)) return false;
  gmmu_group_touch(g, i);
  out->way = i;
  out->data = d;
  return true;
}

static int find_mshr(const struct gmmu_l1_tlb *l, uint16_t asid, uint64_t vfn, uint8_t store) {
  for (uint64_t left = l->mergeable; left; left &= left - 1) {
    int i = __builtin_ctzll(left);
    if (l->mshr[i].vfn == vfn && l->mshr[i].asid == asid && l->mshr[i].store == store) return i;
  }
  return -1;
}

static void allocate(struct gmmu_l1_tlb *l, int i, uint16_t asid, uint64_t vfn, uint8_t store) {
  l->mshr[i] = (struct gmmu_l1tlb_mshr){
      .vfn = vfn, .asid = asid, .store = store, .valid = true, .first = -1, .last = -1};
  l->free &= ~(1ull << i);
  l->mergeable |= 1ull << i;
}

/** A warp that is counted already, or the 64th, is not counted. */
bool gmmu_l1_count(struct gmmu_l1_tlb *l, int mshr, unsigned warp) {
  struct gmmu_l1tlb_mshr *m = &l->mshr[mshr];
  uint64_t bit = 1ull << warp % 64;

  if (!l->count_warps || !m->valid || m->warp[warp / 64] & bit || m->warps == 63) return false;
  m->warp[warp / 64] |= bit;
  m->warps++;
  m->untold++;
  return true;
}

void gmmu_l1_taken(struct gmmu_l1_tlb *l, int mshr, int l2_mshr) {
  struct gmmu_l1tlb_mshr *m = &l->mshr[mshr];

  m->taken = true;
  m->l2_mshr = (uint8_t)l2_mshr;
  m->untold = m->warps;
}

int gmmu_l1_tell(struct gmmu_l1_tlb *l, int mshr) {
  int n = l->mshr[mshr].untold;

  l->mshr[mshr].untold = 0;
  return n;
}

/** The five cases of the lookup, in order; a request that waits joins its list. */
static void look(struct gmmu_l1_tlb *l, const struct gmmu_env *e, int tag, bool replay,
                 struct gmmu_l1_result *out) {
  const struct gmmu_req *r = &l->req[tag];
  uint64_t vfn = r->va >> 12 & GMMU_VFN_MASK;
  uint8_t store;
  int m;

  *out = (struct gmmu_l1_result){.tag = (uint16_t)tag};
  out->cause = (uint8_t)gmmu_local_fault(e, r->asid, r->va);
  store = e->svadu && !out->cause ? gmmu_store_class(r->access, r->user, e->ctx[r->asid].sum) : 0;
  if (out->cause) {
    out->outcome = GMMU_L1_LOCAL_FAULT;
  } else if (hit(l->large, gmmu_tlb_key(r->asid, vfn >> 9), store, out)) {
    out->outcome = GMMU_L1_HIT_LARGE;
  } else if (l->groups ? hit_group(l->groups, r->asid, vfn, store, out)
                       : hit(l->base, gmmu_tlb_key(r->asid, vfn), store, out)) {
    out->outcome = GMMU_L1_HIT_BASE;
  } else if ((m = find_mshr(l, r->asid, vfn, store)) >= 0) {
    out->outcome = GMMU_L1_MISS_MERGE;
    out->mshr = m;
  } else if (l->free && (replay || l->park_first < 0)) {
    out->outcome = GMMU_L1_MISS_ALLOC;
    out->mshr = __builtin_ctzll(l->free);
    allocate(l, out->mshr, r->asid, vfn, store);
    l->mshr[out->mshr].owner_warp = (uint8_t)(r->warp & l->warp_mask);
  } else {
    out->outcome = GMMU_L1_MISS_PARK;
  }
  if (replay && out->outcome != GMMU_L1_MISS_PARK) take(l, &l->park_first);
  if (!replay && out->outcome == GMMU_L1_MISS_PARK) append(l, &l->park_first, &l->park_last, tag);
  if (out->outcome == GMMU_L1_MISS_MERGE || out->outcome == GMMU_L1_MISS_ALLOC) {
    append(l, &l->mshr[out->mshr].first, &l->mshr[out->mshr].last, tag);
    out->warp = (uint8_t)(r->warp & l->warp_mask);
  }
}

int gmmu_l1_keep(struct gmmu_l1_tlb *l, const struct gmmu_req *r) {
  int tag = r->tag & l->tag_mask;

  l->req[tag] = *r;
  l->req[tag].tag = (uint16_t)tag;
  l->req[tag].asid &= l->asid_mask;
  return tag;
}

void gmmu_l1_lookup(struct gmmu_l1_tlb *l, const struct gmmu_env *e, const struct gmmu_req *r,
                    struct gmmu_l1_result *out) {
  look(l, e, gmmu_l1_keep(l, r), false, out);
}

void gmmu_l1_replay(struct gmmu_l1_tlb *l, const struct gmmu_env *e, struct gmmu_l1_result *out) {
  look(l, e, l->park_first, true, out);
}

void gmmu_l1_store(struct gmmu_l1_tlb *l, int mshr, const struct gmmu_tlb_data *data) {
  l->mshr[mshr].data = *data;
}

void gmmu_l1_fill(struct gmmu_l1_tlb *l, int mshr, struct gmmu_fill *f) {
  const struct gmmu_l1tlb_mshr *m = &l->mshr[mshr];
  struct gmmu_tlb_data d = m->data;

  *f = (struct gmmu_fill){0};
  if (m->stale || m->begun || d.cause || d.no_fill) return;
  if (d.large && gmmu_tlb_ways(l->large)) {
    f->large = true;
    gmmu_tlb_fill(l->large, 0, gmmu_tlb_key(m->asid, m->vfn >> 9), &d, f);
    return;
  }
  f->base = true;
  if (d.large) d.pfn += m->vfn & 511;
  d.large = false;
  if (l->groups) gmmu_group_fill(l->groups, m->asid, m->vfn, &d, f);
  else gmmu_tlb_fill(l->base, 0, gmmu_tlb_key(m->asid, m->vfn), &d, f);
}

int gmmu_l1_serve(struct gmmu_l1_tlb *l, int mshr, bool *last) {
  struct gmmu_l1tlb_mshr *m = &l->mshr[mshr];
  int tag = m->valid ? take(l, &m->first) : -1;

  m->begun = true;
  *last = m->first < 0;
  if (tag < 0 || !*last) return tag;
  m->valid = m->stale = false;
  l->free |= 1ull << mshr;
  l->mergeable &= ~(1ull << mshr);
  return tag;
}

void gmmu_l1_respond(const struct gmmu_l1_tlb *l, const struct gmmu_env *e, int tag,
                     const struct gmmu_tlb_data *d, uint8_t store, struct gmmu_rsp *rsp) {
  const struct gmmu_req *r = &l->req[tag];
  struct gmmu_ctx ctx;
  struct gmmu_xlate x;

  *rsp = (struct gmmu_rsp){.valid = true, .tag = (uint16_t)tag, .cause = d->cause};
  if (d->cause) return;
  x.r = d->r, x.w = d->w, x.x = d->x, x.u = d->u, x.d = d->d; /* all that the check looks at */
  ctx = e->ctx[r->asid];
  if (store) ctx.sum = store & 2;
  rsp->cause = (uint8_t)gmmu_check_access(&ctx, &x, r->access, r->user);
  if (rsp->cause) return;
  rsp->large = d->large;
  rsp->pa = (d->pfn + (d->large ? r->va >> 12 & 511 : 0)) << 12 | (r->va & 0xfff);
}

uint64_t gmmu_l1_matching(const struct gmmu_l1_tlb *l, const struct gmmu_inv_cmd *c,
                          uint64_t among) {
  uint64_t found = 0;

  for (uint64_t left = among & ~l->free; left; left &= left - 1) {
    int i = __builtin_ctzll(left);
    if (i < l->num_mshrs && gmmu_inv_hits_miss(c, l->mark_by_asid, l->mshr[i].asid, l->mshr[i].vfn))
      found |= 1ull << i;
  }
  return found;
}

void gmmu_l1_mark(struct gmmu_l1_tlb *l, const struct gmmu_inv_cmd *c) {
  uint64_t stale = gmmu_l1_matching(l, c, ~0ull);

  l->mergeable &= ~stale;
  for (; stale; stale &= stale - 1) l->mshr[__builtin_ctzll(stale)].stale = true;
}

int gmmu_l1_base_ways(const struct gmmu_l1_tlb *l) {
  return l->groups ? l->groups->ways : gmmu_tlb_ways(l->base);
}

bool gmmu_l1_sweep_base(struct gmmu_l1_tlb *l, int way, const struct gmmu_inv_cmd *c,
                        const struct gmmu_fill *f) {
  bool filled = f->base && f->way == way;
  uint64_t key;

  if (l->groups)
    return (!filled || f->overwrite) && gmmu_group_drop(l->groups, way, c, filled ? f->pages : 0);
  key = gmmu_tlb_key_at(l->base, way);
  if (filled || !key || !gmmu_inv_hits_page(c, gmmu_tlb_key_asid(key), gmmu_tlb_key_n(key)))
    return false;
  gmmu_tlb_clear(l->base, way);
  return true;
}

bool gmmu_l1_large_matches(const struct gmmu_l1_tlb *l, int way, const struct gmmu_inv_cmd *c) {
  uint64_t key = gmmu_tlb_key_at(l->large, way);
  return key && gmmu_inv_hits_frame(c, gmmu_tlb_key_asid(key), gmmu_tlb_key_n(key));
}
