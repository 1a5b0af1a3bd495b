/* SPDX-License-Identifier: Apache-2.0 */
/* replace.c - LRU-COST (section 4.4): the LRU section, most recently used on top, and the COST
 * section below it, what costs least to evict at its bottom. */
#include "gdm/gdm_int.h"

void gdm_list_top(struct list *l, struct block *b) {
  b->prev = NULL;
  b->next = l->head;
  if (l->head) l->head->prev = b;
  else l->tail = b;
  l->head = b;
  l->n++;
}

void gdm_list_remove(struct list *l, struct block *b) {
  if (b->prev) b->prev->next = b->next;
  else l->head = b->next;
  if (b->next) b->next->prev = b->prev;
  else l->tail = b->prev;
  b->prev = b->next = NULL;
  l->n--;
}

static bool listed(const struct gdm *g, const struct block *b) {
  const struct list *l = b->in_cost ? &g->cost : &g->lru;
  return b->prev || l->head == b;
}

void gdm_forget(struct gdm *g, struct block *b) {
  if (listed(g, b)) gdm_list_remove(b->in_cost ? &g->cost : &g->lru, b);
  b->in_cost = false;
}

void gdm_used(struct gdm *g, struct block *b) {
  gdm_forget(g, b);
  gdm_list_top(&g->lru, b);
}

/* 0: goes first. */
static int cost_of(const struct block *b) {
  if (b->status == STATUS_CLEAN) return 0;
  if (b->low) return 3;
  return b->status == STATUS_DIRTY ? 1 : 2;
}

void gdm_place(struct gdm *g, struct block *b) {
  if (!b->in_cost) return;
  gdm_list_remove(&g->cost, b);
  struct block *below = NULL; /* the highest that costs no more */
  for (struct block *x = g->cost.tail; x && cost_of(x) <= cost_of(b); x = x->prev) below = x;
  if (!below) { /* the new bottom */
    b->prev = g->cost.tail;
    b->next = NULL;
    if (g->cost.tail) g->cost.tail->next = b;
    else g->cost.head = b;
    g->cost.tail = b;
  } else {
    b->next = below;
    b->prev = below->prev;
    if (below->prev) below->prev->next = b;
    else g->cost.head = b;
    below->prev = b;
  }
  g->cost.n++;
}

/* Moves blocks of finished kernels from the bottom of the LRU section. */
static void refill(struct gdm *g) {
  uint32_t most = (uint32_t)(g->c.selection_factor * (g->lru.n + g->cost.n));
  if (most == 0) most = 1;
  for (struct block *b = g->lru.tail, *above; b && g->cost.n < most; b = above) {
    above = b->prev;
    if (b->pins) continue;
    gdm_list_remove(&g->lru, b);
    gdm_check_sources(b);
    if (g->c.dirty == GDM_DIRTY_HW && b->status == STATUS_UNKNOWN) {
      bool used;
      gdm_harvest_block(g, b, &used);
    }
    b->low = g->c.dirty == GDM_DIRTY_SIGNATURE && b->status == STATUS_UNKNOWN &&
             ((g->c.overwrite && b->overwritten_before) ||
              (g->c.double_transfer && (b->copied_before || b->copied)));
    b->in_cost = true;
    gdm_list_top(&g->cost, b);
    gdm_place(g, b);
  }
  gdm_sign_refill(g);
}

/* Would a maintenance kernel run soon? */
static bool engine_free(const struct gdm *g) {
  for (unsigned i = 0; i < g->c.kernel_engines; i++)
    if (g->engine[i].job != ENGINE_KERNEL) return true;
  return false;
}

static bool signs_come(const struct gdm *g) {
  for (unsigned i = 0; i < g->c.kernel_engines; i++)
    if (g->engine[i].job == ENGINE_SIGN) return true;
  return g->num_to_sign > 0;
}

static struct block *from_bottom(struct gdm *g, enum block_status status, bool low) {
  for (struct block *b = g->cost.tail; b; b = b->prev)
    if (b->status == status && b->low == low) return b;
  return NULL;
}

struct block *gdm_victim(struct gdm *g, bool *wait) {
  *wait = false;
  if (g->c.policy == GDM_POLICY_BASE) {
    struct block *b = g->lru.tail;
    while (b && b->pins) b = b->prev;
    return b;
  }
  for (struct block *b = g->cost.tail, *above; b;
       b = above) { /* what a kernel wants again has left the section */
    above = b->prev;
    bool used;
    if (b->pins) gdm_used(g, b);
    else if (g->c.dirty == GDM_DIRTY_HW && b->status == STATUS_UNKNOWN)
      gdm_harvest_block(g, b, &used);
    gdm_check_sources(b);
  }
  if (!g->cost.n) refill(g);
  struct block *b = from_bottom(g, STATUS_CLEAN, false),
               *unknown = from_bottom(g, STATUS_UNKNOWN, false);
  if (!b) b = from_bottom(g, STATUS_CLEAN, true);
  if (b) return b;
  if (unknown) gdm_sign_refill(g); /* what it depends on may have been taken by a kernel */
  unknown = from_bottom(g, STATUS_UNKNOWN, false);
  if (unknown && engine_free(g) && signs_come(g)) {
    *wait = true;
    return NULL;
  }
  if ((b = from_bottom(g, STATUS_DIRTY, false)) || (b = unknown)) return b;
  b = g->cost.tail;
  if (b && b->status == STATUS_UNKNOWN &&
      engine_free(g)) { /* reached: its signature is worth it now */
    gdm_want_sign(g, b);
    *wait = true;
    return NULL;
  }
  return b;
}
