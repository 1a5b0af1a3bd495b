/* SPDX-License-Identifier: Apache-2.0 */
/* One SM. Rules: frontend.h. */
#include "frontend/sm.h"

#include <stdlib.h>
#include <string.h>

static void set_add(struct fe_set *s, unsigned i) { s->w[i / 64] |= 1ull << (i % 64); }
static void set_del(struct fe_set *s, unsigned i) { s->w[i / 64] &= ~(1ull << (i % 64)); }
static bool set_has(const struct fe_set *s, unsigned i) { return (s->w[i / 64] >> (i % 64)) & 1; }
static bool set_empty(const struct fe_set *s) { return !(s->w[0] | s->w[1] | s->w[2] | s->w[3]); }

/** First member at or after i, or -1. */
static int set_next(const struct fe_set *s, unsigned i) {
  for (unsigned k = i / 64; k < FE_SET; k++) {
    uint64_t w = s->w[k];
    if (k == i / 64) w &= ~0ull << (i % 64);
    if (w) return (int)(k * 64) + __builtin_ctzll(w);
  }
  return -1;
}

int fe_sm_init(struct fe_sm *s, const struct gmmu_config *c) {
  memset(s, 0, sizeof *s);
  s->tags = 1u << c->TagW;
  s->warp = calloc((size_t)c->WarpsPerSm, sizeof *s->warp);
  s->wake = calloc((size_t)c->WarpsPerSm, sizeof *s->wake);
  s->age = calloc((size_t)c->WarpsPerSm, sizeof *s->age);
  s->tag = calloc(s->tags, sizeof *s->tag);
  s->free_tag = calloc(s->tags, sizeof *s->free_tag);
  s->again = calloc(s->tags, sizeof *s->again);
  if (!s->warp || !s->wake || !s->age || !s->tag || !s->free_tag || !s->again ||
      gmmu_l1d_init(&s->l1d, c->L1dBytes, c->L1dWays))
    return -1;
  for (uint32_t i = 0; i < s->tags; i++) s->free_tag[i] = (uint16_t)i;
  s->free_n = s->tags;
  s->next_wake = FE_NEVER;
  s->last_accepted = FE_NEVER;
  s->compute_shared = c->ComputeIssue;
  s->store_waits = c->StoreWaits;
  s->spread = c->SpreadTables;
  s->warps_free = (uint32_t)c->WarpsPerSm;
  s->blocks_free = (uint32_t)c->BlocksPerSm;
  return 0;
}

void fe_sm_free(struct fe_sm *s) {
  free(s->warp);
  free(s->wake);
  free(s->age);
  free(s->tag);
  free(s->free_tag);
  free(s->again);
  gmmu_l1d_free(&s->l1d);
  fe_lines_free(&s->lines);
}

static void sleep_until(struct fe_sm *s, unsigned w, uint64_t t) {
  s->wake[w] = t;
  set_add(&s->asleep, w);
  if (t < s->next_wake) s->next_wake = t;
}

static void retire(struct fe_sm *s, unsigned w) {
  unsigned b = s->warp[w].block;

  set_del(&s->used, w);
  s->warps_free++;
  if (--s->block_left[b] == 0) {
    s->blocks_free++;
    s->blocks_done++;
  }
}

/** The warp may go on in cycle `now`: finds its next access, computes, or ends. */
static void advance(struct fe_sm *s, unsigned w, uint64_t now) {
  struct fe_warp *p = &s->warp[w];

  while (gmmu_cursor_next(&p->cur, &p->op)) {
    if (p->op.access == GMMU_OP_GAP) {
      if (p->op.gap == 0) continue;
      if (s->compute_shared) {
        s->issue_free = (s->issue_free > now ? s->issue_free : now) + p->op.gap;
        sleep_until(s, w, s->issue_free);
      } else {
        sleep_until(s, w, now + p->op.gap);
      }
      return;
    }
    if (p->op.lanes) {
      set_add(&s->ready, w);
      return;
    }
  }
  retire(s, w);
}

void fe_sm_place(struct fe_sm *s, const struct gmmu_trace *t, uint32_t launch, uint32_t block,
                 uint32_t n, uint64_t now, uint64_t *age) {
  unsigned b = 0, w = 0;

  while (s->block_left[b]) b++;
  s->block_left[b] = n;
  s->blocks_free--;
  s->warps_free -= n;
  for (uint32_t i = 0; i < n; i++, w++) {
    while (set_has(&s->used, w)) w++;
    set_add(&s->used, w);
    s->warp[w].block = (uint8_t)b;
    s->age[w] = (*age)++;
    gmmu_trace_cursor(t, launch, block, i, &s->warp[w].cur);
    sleep_until(s, w,
                now); /* woken in this very cycle: ends of empty warps are seen in one place */
  }
}

/** Splits the warp's access into pages with the lines of each. */
static void coalesce(struct fe_port *p, const struct gmmu_op *op) {
  uint64_t line[2 * GMMU_LANES];
  int n = gmmu_coalesce_lines(op, line), lane = 0;

  p->pages = 0;
  for (int i = 0; i < n; i++) {
    uint64_t page = line[i] >> 5;
    int k = p->pages - 1;
    while (k >= 0 && p->page[k] != page) k--;
    if (k < 0) {
      k = p->pages++;
      p->page[k] = page;
      p->lines[k] = 0;
    }
    p->lines[k] |= 1u << (line[i] & 31);
  }
  /* Pages are in the order in which lanes touch them first, so one pass over the lanes names them
   * all. */
  for (int k = 0; k < p->pages; k++) {
    p->va[k] = p->page[k] << 12;
    for (; lane < op->lanes; lane++) {
      if (op->addr[lane] >> 12 == p->page[k]) {
        p->va[k] = op->addr[lane];
        break;
      }
      if ((op->addr[lane] + op->bytes - 1) >> 12 == p->page[k])
        break; /* the second half of a lane that crosses into this page */
    }
  }
}

#define WRITE_TOKEN \
  0x80000000u /* of a write: this bit and the warp that waits for it to be taken */

/** One part of the warp's access has ended. */
static void part_ended(struct fe_sm *s, struct gmmu_fe_counts *n, unsigned warp) {
  struct fe_warp *w = &s->warp[warp];
  if (--w->pages_left) return;
  n->accesses_done++;
  sleep_until(s, warp, s->wake[warp]);
}

/** A line that the data cache has, or that is asked of the memory system. Returns true if the warp
 * waits for it. Writes go through, atomics go to the L2 cache: neither looks at the data cache. */
static bool line_needed(struct fe_sm *s, struct gmmu_fe_counts *n, const struct fe_tag *g,
                        uint64_t line) {
  if (g->access == GMMU_WRITE) {
    gmmu_memsys_data(s->mem, s->index, s->asid, line, true,
                     s->store_waits ? WRITE_TOKEN | g->warp : GMMU_MEMSYS_NONE);
    return s->store_waits;
  }
  bool atomic = g->access == GMMU_AMO;
  int i = atomic ? -1 : fe_lines_find(&s->lines, line);
  if (!atomic && gmmu_l1d_access(&s->l1d, line) && i < 0) {
    n->line_hits++;
    return false;
  }
  if (i < 0) {
    i = fe_lines_add(&s->lines, line, atomic);
    if (i < 0) {
      s->failed = true;
      return false;
    }
    gmmu_memsys_data(s->mem, s->index, s->asid, line, false, (uint32_t)i);
  }
  return fe_lines_wait(&s->lines, i, g->warp);
}

void fe_sm_data(struct fe_sm *s, struct gmmu_fe_counts *n, uint32_t token, uint64_t now) {
  struct fe_set waits = {{0}};
  if (token & WRITE_TOKEN) {
    set_add(&waits, token & ~WRITE_TOKEN);
  } else {
    struct fe_line x = fe_lines_take(&s->lines, token);
    memcpy(waits.w, x.warps, sizeof waits.w);
    if (x.atomic) gmmu_memsys_data(s->mem, s->index, s->asid, x.line, true, GMMU_MEMSYS_NONE);
  }
  for (int w = set_next(&waits, 0); w >= 0; w = set_next(&waits, (unsigned)w + 1)) {
    if (now > s->wake[w]) s->wake[w] = now;
    part_ended(s, n, (unsigned)w);
  }
}

static void page_answered(struct fe_sm *s, const struct gmmu_config *c, struct gmmu_fe_counts *n,
                          uint64_t t, const struct fe_tag *g, const struct gmmu_rsp *rsp) {
  struct fe_warp *w = &s->warp[g->warp];
  uint64_t end = t + 1;

  if (rsp->cause == GMMU_OK) {
    end = t + (uint64_t)c->L1dLatency;
    for (uint32_t m = g->lines; m; m &= m - 1) {
      n->lines++;
      if (s->mem)
        w->pages_left += line_needed(s, n, g, rsp->pa >> 12 << 5 | (uint64_t)__builtin_ctz(m));
      else if (gmmu_l1d_access(&s->l1d, rsp->pa >> 12 << 5 | (uint64_t)__builtin_ctz(m)))
        n->line_hits++;
      else end = t + (uint64_t)c->DataLatency;
    }
  } else {
    n->faults++;
  }
  if (end > s->wake[g->warp]) s->wake[g->warp] = end;
  part_ended(s, n, g->warp);
}

bool fe_sm_pins(struct fe_sm *s, const struct gmmu_config *c, struct gmmu_fe_counts *n,
                uint64_t now, bool req_ready, const struct gmmu_rsp *rsp,
                struct gmmu_fe_answer *a) {
  struct fe_port *p = &s->port;
  bool taken = false;

  if (rsp->valid) {
    struct fe_tag *g = rsp->tag < s->tags ? &s->tag[rsp->tag] : NULL;
    taken = true;
    a->rsp = *rsp;
    a->asid = s->asid;
    a->user = true;
    if (!g || !g->busy || g->held || (p->presenting && p->tag == rsp->tag)) {
      n->stray++;
      a->seq = UINT64_MAX;
      a->va = a->first = a->accepted = 0;
      a->warp = 0;
      a->access = 0;
    } else {
      a->seq = g->seq;
      a->va = g->va;
      a->first = g->first;
      a->accepted = g->accepted;
      a->warp = (uint16_t)(g->warp & ((1u << c->WarpW) - 1));
      a->access = g->access;
      n->answers++;
      s->waiting--;
      if (s->replay && rsp->cause != GMMU_OK) {
        n->faults++;
        g->held = true;
      } else {
        g->busy = false;
        s->free_tag[(s->free_head + s->free_n++) % s->tags] = rsp->tag;
        page_answered(s, c, n, now - 1, g, rsp);
      }
    }
  }
  if (p->presenting && req_ready) {
    struct fe_tag *g = &s->tag[p->tag];
    g->seq = n->requests++;
    g->accepted = s->last_accepted = now - 1;
    s->waiting++;
    p->presenting = false;
    if (p->again) p->again = false;
    else if (++p->next == p->pages) p->active = false;
  }
  return taken;
}

void fe_sm_wake(struct fe_sm *s, uint64_t now) {
  struct fe_set due;

  if (s->next_wake > now) return;
  due = s->asleep;
  s->next_wake = FE_NEVER;
  for (int w = set_next(&due, 0); w >= 0; w = set_next(&due, (unsigned)w + 1)) {
    if (s->wake[w] > now) {
      if (s->wake[w] < s->next_wake) s->next_wake = s->wake[w];
      continue;
    }
    set_del(&s->asleep, (unsigned)w);
    advance(s, (unsigned)w, now);
  }
}

void fe_sm_later(struct fe_sm *s, uint64_t cycles) {
  for (int w = set_next(&s->asleep, 0); w >= 0; w = set_next(&s->asleep, (unsigned)w + 1))
    s->wake[w] += cycles;
  if (s->next_wake != FE_NEVER) s->next_wake += cycles;
  s->issue_free += cycles;
}

/** Warp that gets the port, or -1. */
static int choose(const struct fe_sm *s, bool round_robin) {
  int best = -1;

  if (set_empty(&s->ready)) return -1;
  if (round_robin) {
    best = set_next(&s->ready, s->last_valid ? s->last + 1u : 0u);
    return best >= 0 ? best : set_next(&s->ready, 0);
  }
  if (s->last_valid && set_has(&s->ready, s->last)) return s->last;
  for (unsigned k = 0; k < FE_SET; k++)
    for (uint64_t m = s->ready.w[k]; m; m &= m - 1) {
      int w = (int)(k * 64) + __builtin_ctzll(m);
      if (best < 0 || s->age[w] < s->age[best]) best = w;
    }
  return best;
}

void fe_sm_retry(struct fe_sm *s, uint16_t tag) {
  s->tag[tag].held = false;
  s->again[(s->again_head + s->again_n++) % s->tags] = tag;
}

void fe_sm_give_up(struct fe_sm *s, const struct gmmu_config *c, struct gmmu_fe_counts *n,
                   uint16_t tag, int cause, uint64_t t) {
  struct fe_tag *g = &s->tag[tag];
  g->held = g->busy = false;
  s->free_tag[(s->free_head + s->free_n++) % s->tags] = tag;
  n->faults--; /* counted when it was held */
  page_answered(s, c, n, t, g, &(struct gmmu_rsp){.cause = (uint8_t)cause});
}

/** Requests that have missed: those accepted so long ago that a hit would have been answered. */
static uint32_t missing(const struct fe_sm *s, uint64_t now) {
  return s->waiting - (s->waiting && s->last_accepted + 1 == now);
}

/** The load/store unit is held up: as many misses, or lines, as it can have are under way. */
static bool lsu_blocked(const struct fe_sm *s, const struct gmmu_config *c, uint64_t now) {
  return (c->LsuMisses && missing(s, now) >= (uint64_t)c->LsuMisses) ||
         (c->SmLines && s->lines.n >= (uint64_t)c->SmLines);
}

void fe_sm_issue(struct fe_sm *s, const struct gmmu_config *c, struct gmmu_fe_counts *n,
                 uint64_t now) {
  struct fe_port *p = &s->port;

  if (!p->presenting && s->again_n) {
    p->tag = s->again[s->again_head];
    s->again_head = (s->again_head + 1) % s->tags;
    s->again_n--;
    p->presenting = p->again = true;
    return;
  }
  if (!p->active) {
    int w = choose(s, c->Scheduler == 1);
    if (w < 0) return;
    set_del(&s->ready, (unsigned)w);
    s->last = (uint16_t)w;
    s->last_valid = true;
    coalesce(p, &s->warp[w].op);
    for (int k = 0; s->spread && k < p->pages; k++) p->va[k] = gmmu_spread_va(p->va[k]);
    p->active = true;
    p->warp = (uint16_t)w;
    p->access = s->warp[w].op.access;
    p->next = 0;
    s->warp[w].pages_left = (uint32_t)p->pages;
    s->wake[w] = 0;
    n->accesses++;
    if (s->compute_shared) s->issue_free = (s->issue_free > now ? s->issue_free : now) + 1;
  }
  if (p->presenting) return;
  if (lsu_blocked(s, c, now)) {
    n->lsu_stalls++;
    return;
  }
  if (s->free_n == 0) {
    n->tag_stalls++;
    return;
  }
  p->tag = s->free_tag[s->free_head];
  s->free_head = (s->free_head + 1) % s->tags;
  s->free_n--;
  p->presenting = true;
  p->first = now;
  s->tag[p->tag] = (struct fe_tag){.busy = true,
                                   .access = p->access,
                                   .warp = p->warp,
                                   .first = now,
                                   .lines = p->lines[p->next],
                                   .va = p->va[p->next]};
}
