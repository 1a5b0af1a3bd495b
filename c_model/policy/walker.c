/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/walker.h"

#include <string.h>

void gmmu_walker_init(struct gmmu_walker *w, const struct gmmu_config *c) {
  memset(w, 0, sizeof *w);
  w->num_slots = (int)c->Walks;
  w->mark_by_asid = c->MarkByAsid != 0;
  w->share.free = w->num_slots;
  w->groups = c->Colt != 0;
}

void gmmu_walker_push(struct gmmu_walker *w, uint16_t asid, uint64_t vfn, uint8_t store, int mshr,
                      uint64_t since) {
  if (w->buffered == GMMU_MAX_BUFFER) return;
  w->buffer[w->buffered++] = (struct gmmu_walk_req){
      .vfn = vfn, .since = since, .asid = asid, .mshr = (uint8_t)mshr, .store = store};
}

int gmmu_walker_pick(const struct gmmu_walker *w, const struct gmmu_share *share) {
  uint64_t refused = 0; /* applications that may not take a slot now */

  if (share->free == 0) return -1;
  for (int i = 0; i < w->buffered; i++) {
    uint64_t app = 1ull << (w->buffer[i].asid & (GMMU_MAX_ASIDS - 1));
    if (refused & app) continue;
    if (gmmu_share_may_take(share, w->buffer[i].asid)) return i;
    refused |= app;
  }
  return -1;
}

void gmmu_walker_root(const struct gmmu_walker *w, const struct gmmu_env *e, int place,
                      struct gmmu_walk_root *root) {
  *root = (struct gmmu_walk_root){0};
  root->cause = gmmu_walk_begin(e, w->buffer[place].asid, w->buffer[place].vfn, &root->at);
}

void gmmu_walker_root_again(const struct gmmu_walker *w, const struct gmmu_env *e,
                            struct gmmu_walk_root *root) {
  const struct gmmu_walk_slot *s = &w->slot[w->again[0]];
  *root = (struct gmmu_walk_root){0};
  root->cause = gmmu_walk_begin(e, s->asid, s->vfn, &root->at);
}

/** From the root: the first read, or the end. */
static void begin(struct gmmu_walk_slot *s, const struct gmmu_walk_root *root,
                  struct gmmu_walk_result *out) {
  if (root->cause == GMMU_OK) s->at = root->at; /* a fault leaves it as it was */
  gmmu_walk_no_update(&s->at);
  gmmu_walk_for(&s->at, s->store);
  s->restart = s->again = false;
  s->ended = out->ended = root->cause != GMMU_OK;
  out->reads = out->upper = !out->ended;
  out->data = (struct gmmu_tlb_data){.cause = (uint8_t)root->cause};
}

void gmmu_walker_start(struct gmmu_walker *w, const struct gmmu_walk_root *root, int place,
                       struct gmmu_walk_result *out) {
  struct gmmu_walk_req r = w->buffer[place];
  int i = 0;

  memmove(&w->buffer[place], &w->buffer[place + 1], (size_t)(--w->buffered - place) * sizeof r);
  while (w->slot[i].used) i++; /* share.free > 0 */
  w->slot[i] = (struct gmmu_walk_slot){
      .vfn = r.vfn, .asid = r.asid, .mshr = r.mshr, .store = r.store, .used = true};
  gmmu_share_take(&w->share, r.asid);
  *out = (struct gmmu_walk_result){.slot = i};
  begin(&w->slot[i], root, out);
}

void gmmu_walker_again(struct gmmu_walker *w, const struct gmmu_walk_root *root,
                       struct gmmu_walk_result *out) {
  *out = (struct gmmu_walk_result){.slot = w->again[0]};
  memmove(&w->again[0], &w->again[1], (size_t)--w->num_again);
  begin(&w->slot[out->slot], root, out);
}

bool gmmu_walker_may_read(const struct gmmu_walker *w, const struct gmmu_env *e, int slot, bool err,
                          uint64_t pte) {
  const struct gmmu_walk_slot *s = &w->slot[slot];

  if (s->after) return true;
  if (err || !(pte & GMMU_PTE_V)) return false;
  if (!(pte & (GMMU_PTE_R | GMMU_PTE_W | GMMU_PTE_X))) return s->at.level != 0;
  return e->svadu && s->at.path == GMMU_PATH_OWN &&
         (!(pte & GMMU_PTE_A) || (s->at.store && !(pte & GMMU_PTE_D)));
}

const struct gmmu_env *gmmu_walker_env(const struct gmmu_env *now, const struct gmmu_window *before,
                                       struct gmmu_env *mixed) {
  if (memcmp(now->win, before, sizeof now->win) == 0) return now;
  *mixed = *now;
  memcpy(mixed->win, before, sizeof mixed->win);
  return mixed;
}

/** The head of another subregion was read: the next one, the wait for the lookup, or the end. */
static void head(struct gmmu_walker *w, const struct gmmu_env *e, int slot, bool err, uint64_t pte,
                 struct gmmu_walk_result *out) {
  struct gmmu_walk_slot *s = &w->slot[slot];
  int next;

  out->head = true;
  if (err || s->restart) {
    s->ended = out->ended = true;
    out->data = (struct gmmu_tlb_data){.run_only = true};
    return;
  }
  next = gmmu_run_head(&s->run, (int)(s->vfn >> 6 & 7), pte, e->pa_w);
  if (next < 0) {
    w->waiting[w->num_waiting++] = (uint8_t)slot;
    return;
  }
  gmmu_walk_head(&s->at, next);
  out->reads = true;
}

void gmmu_walker_decode(struct gmmu_walker *w, const struct gmmu_env *e, int slot, bool err,
                        uint64_t pte, const uint64_t *line, struct gmmu_walk_result *out) {
  struct gmmu_walk_slot *s = &w->slot[slot];
  uint64_t pa = s->at.pa;
  struct gmmu_xlate x;

  *out = (struct gmmu_walk_result){
      .slot = slot, .restarted = s->restart && !s->after, .depth = s->at.depth};
  if (s->after) {
    head(w, e, slot, err, pte, out);
    return;
  }
  if (s->restart) { /* a mark from now on finds it waiting */
    gmmu_walk_no_update(&s->at);
    s->restart = false;
    s->again = true;
    w->again[w->num_again++] = (uint8_t)slot;
    return;
  }
  if (!gmmu_walk_step(e, &s->at, err, pte, &x)) {
    out->reads = true;
    out->updates = s->at.update;
    if (out->updates) return;
    out->upper = s->at.level > 0;
    out->pointer_pa = pa;
    return;
  }
  out->data = gmmu_tlb_data_of(&x);
  if (w->groups) out->data.group = gmmu_walk_group(e, &s->at, line, &x);
  if (x.cause == GMMU_OK && x.path == GMMU_PATH_C && x.whole) {
    s->after = out->early = out->data.early = true;
    gmmu_run_begin(&s->run, (int)(s->vfn >> 6 & 7), pte, s->at.c);
    w->waiting[w->num_waiting++] = (uint8_t)slot;
    return;
  }
  s->ended = out->ended = true;
}

/** What the first waiting run knows: from the cache unless it has read all heads itself. */
static bool knows(const struct gmmu_run *r, int way) {
  return r->insert || way >= 0 || r->todo == 0;
}

bool gmmu_walker_run_reads(const struct gmmu_walker *w, const struct gmmu_msc *m) {
  const struct gmmu_walk_slot *s = &w->slot[w->waiting[0]];
  int way = m->t ? gmmu_tlb_lookup(m->t, gmmu_tlb_key(s->asid, s->vfn >> 9)) : -1;
  return !s->restart && !knows(&s->run, way);
}

static bool inside(const struct gmmu_env *e, uint64_t first, uint64_t last) {
  if (last >> (e->pa_w - 12)) return false;
  for (int i = 0; i < e->num_windows; i++)
    if (e->win[i].data && e->win[i].lo_pfn <= first && last <= e->win[i].hi_pfn) return true;
  return false;
}

/** The fill of the run round the walk's subregion; of that alone if the run leaves the allowed
 * window. */
static struct gmmu_tlb_data run_data(const struct gmmu_walk_slot *s, const struct gmmu_env *e,
                                     uint8_t bitmap) {
  const struct gmmu_run *r = &s->run;
  int x = (int)(s->vfn >> 6 & 7), len, first = gmmu_run_round(bitmap, x, &len);
  uint64_t base = r->own_pfn - 64ull * (uint64_t)(x - first);

  if (!inside(e, base, base + 64ull * (uint64_t)(len + 1) - 1)) {
    first = x;
    len = 0;
  }
  return (struct gmmu_tlb_data){.run_only = true,
                                .sub = true,
                                .start = (uint8_t)first,
                                .len = (uint8_t)len,
                                .pfn = r->own_pfn + (s->vfn & 63),
                                .r = r->own_low & GMMU_PTE_R,
                                .w = r->own_low & GMMU_PTE_W,
                                .x = r->own_low & GMMU_PTE_X,
                                .u = r->own_low & GMMU_PTE_U,
                                .d = r->own_low & GMMU_PTE_D};
}

void gmmu_walker_run(struct gmmu_walker *w, struct gmmu_msc *m, const struct gmmu_env *e,
                     struct gmmu_run_result *out) {
  int slot = w->waiting[0];
  struct gmmu_walk_slot *s = &w->slot[slot];
  struct gmmu_run *r = &s->run;

  memmove(&w->waiting[0], &w->waiting[1], (size_t)--w->num_waiting);
  *out = (struct gmmu_run_result){.slot = slot, .stale = s->restart, .way = -1};
  if (out->stale) {
    s->ended = out->ended = true;
    out->data = (struct gmmu_tlb_data){.run_only = true};
    return;
  }
  if (!r->insert) out->way = gmmu_msc_lookup(m, s->asid, s->vfn >> 9, &r->bitmap);
  out->hit = out->way >= 0;
  out->reads = !knows(r, out->way);
  if (out->reads) {
    r->cur = __builtin_ctz(r->todo);
    gmmu_walk_head(&s->at, r->cur);
    return;
  }
  out->insert = !out->hit;
  out->bitmap = r->bitmap;
  if (out->insert) {
    gmmu_msc_insert(m, s->asid, s->vfn >> 9, r->bitmap, &out->fill);
    out->way = out->fill.way;
  }
  s->ended = out->ended = true;
  out->data = run_data(s, e, out->bitmap);
}

void gmmu_walker_release(struct gmmu_walker *w, int slot) {
  w->slot[slot].used = false;
  gmmu_share_give(&w->share, w->slot[slot].asid);
}

bool gmmu_walker_stale_update(const struct gmmu_walker *w) {
  for (int i = 0; i < w->num_slots; i++) {
    const struct gmmu_walk_slot *s = &w->slot[i];
    if (s->used && !s->ended && s->restart && s->at.update) return true;
  }
  return false;
}

void gmmu_walker_mark(struct gmmu_walker *w, const struct gmmu_inv_cmd *c) {
  for (int i = 0; i < w->num_slots; i++) {
    struct gmmu_walk_slot *s = &w->slot[i];
    if (s->used && !s->ended && gmmu_inv_hits_miss(c, w->mark_by_asid, s->asid, s->vfn))
      s->restart = true;
  }
}
