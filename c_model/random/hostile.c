/* SPDX-License-Identifier: Apache-2.0 */
/* Page tables that no driver would write. */
#include "random/hostile.h"

#include <string.h>

#define HEAD_BITS \
  (GMMU_PTE_V | GMMU_PTE_R | GMMU_PTE_W | GMMU_PTE_X | GMMU_PTE_U | GMMU_PTE_A | GMMU_PTE_D)

static uint64_t below(struct hostile *h, uint64_t n) { return gmmu_rng_below(&h->rng, n); }
static bool chance(struct hostile *h, unsigned percent) { return below(h, 100) < percent; }

/* ---------------------------------------- windows */
static const struct gmmu_window *window(struct hostile *h) {
  return &h->env.win[below(h, (uint64_t)h->env.num_windows)];
}

/** The first holds most of memory, for tables and pages; the others are anywhere, some of one page.
 */
static void draw_windows(struct hostile *h) {
  for (int i = 0; i < h->env.num_windows; i++) {
    uint64_t a = below(h, h->top + 1), n = below(h, 3);
    uint64_t b = n == 0 ? a : n == 1 ? a + below(h, 2000) : below(h, h->top + 1);

    if (i == 0) {
      a = below(h, h->top / 4);
      b = h->top - below(h, h->top / 4);
    }
    if (chance(h, 30)) { /* near the ends of frames: sums carry at the edges */
      a = (a & ~511ull) + below(h, 130);
      b = (b | 511) + below(h, 130) - 65;
    }
    if (b > h->top || chance(h, 20)) b = h->top;
    h->env.win[i] = (struct gmmu_window){.lo_pfn = a < b ? a : b,
                                         .hi_pfn = a < b ? b : a,
                                         .walk = i == 0 ? chance(h, 95) : chance(h, 50),
                                         .data = i == 0 ? chance(h, 95) : chance(h, 50)};
  }
}

/** A page at an edge of a window or of memory, inside or outside, by a few pages or about as many
 * as a group, a subregion or a frame has; else within the first window, or anywhere. */
static uint64_t draw_pfn(struct hostile *h, unsigned edges) {
  static const uint64_t many[] = {3, 63, 511};
  const struct gmmu_window *w = window(h);
  uint64_t far = chance(h, 40)   ? below(h, 3)
                 : chance(h, 50) ? many[below(h, 3)] + below(h, 3) - 1
                                 : below(h, 600);

  if (!chance(h, edges)) {
    w = h->env.win;
    return chance(h, 90) ? w->lo_pfn + below(h, w->hi_pfn - w->lo_pfn + 1) : below(h, h->top + 1);
  }
  switch (below(h, 9)) {
    case 0:
    case 1: return (w->lo_pfn + far) & h->top;
    case 2:
    case 3: return (w->lo_pfn - far) & h->top;
    case 4:
    case 5: return (w->hi_pfn + far) & h->top;
    case 6:
    case 7: return (w->hi_pfn - far) & h->top;
    default: return h->top - far;
  }
}

/* ---------------------------------------- PTEs */
/** level: at which most paths reach the table; others reach it too, and then the leaf is often
 * misaligned. */
static uint64_t draw_leaf(struct hostile *h, int level) {
  static const uint64_t rwx[] = {GMMU_PTE_R | GMMU_PTE_W | GMMU_PTE_X,
                                 GMMU_PTE_R | GMMU_PTE_W,
                                 GMMU_PTE_R,
                                 GMMU_PTE_R | GMMU_PTE_X,
                                 GMMU_PTE_X,
                                 GMMU_PTE_W};
  uint64_t bits = GMMU_PTE_V | rwx[chance(h, 50) ? below(h, 2) : below(h, chance(h, 95) ? 5 : 6)];
  uint64_t pfn = draw_pfn(h, 25);

  if (chance(h, 95)) bits |= GMMU_PTE_A;
  if (chance(h, 85)) bits |= GMMU_PTE_D;
  if (chance(h, 75)) bits |= GMMU_PTE_U;
  if (chance(h, 20)) bits |= GMMU_PTE_G;
  if (chance(h, 15)) bits |= GMMU_PTE_DIS << below(h, 2);
  if (chance(h, 30) && level == 0) level = 1; /* PTE 0 of a coalesced frame */
  if (chance(h, 90)) pfn &= ~((1ull << 9 * level) - 1);
  if (chance(h, 3)) bits |= 1ull << (54 + below(h, 10));
  if (chance(h, 3)) pfn |= 1ull << below(h, 44); /* beyond the width, or misaligned */
  return GMMU_PTE_MAKE(pfn, bits);
}

/** To a table of the next level, or to any, the PTE's own among them. */
static uint64_t draw_pointer(struct hostile *h, int level) {
  int to = (int)below(h, (uint64_t)h->frames);

  if (h->calm || chance(h, 80))
    for (int i = 0; i < h->frames && h->level[to] != level - 1; i++) to = (to + 1) % h->frames;
  uint64_t pte = GMMU_PTE_MAKE(h->frame[to], GMMU_PTE_V);
  if (h->calm && level != 1) return pte;
  if (chance(h, h->calm ? 1 : 5)) pte |= GMMU_PTE_U << below(h, 4); /* U, G, A or D */
  if (chance(h, 2)) pte |= 1ull << (10 + below(h, 44));
  if (chance(h, level == 1 ? 25 : 3)) pte |= GMMU_PTE_C(below(h, 8));
  if (chance(h, level == 1 ? 30 : 1)) pte |= 255ull << 54;
  if (chance(h, level == 1 ? 20 : 1))
    pte |= h->env.frame_bits_in_rsw ? GMMU_PTE_AC_RSW : GMMU_PTE_AC;
  if (chance(h, level == 1 ? 12 : 1))
    pte |= h->env.frame_bits_in_rsw ? GMMU_PTE_CO_RSW : GMMU_PTE_CO;
  return pte;
}

static uint64_t draw_pte(struct hostile *h, int level) {
  uint64_t roll = below(h, 100);

  if (h->calm) return chance(h, level ? 95 : 1) ? draw_pointer(h, level) : draw_leaf(h, level);
  if (roll < 4) return 0;
  if (roll < 7) return gmmu_rng_next(&h->rng);
  if (roll < 10) return GMMU_PTE_MAKE(h->frame[below(h, (uint64_t)h->frames)], below(h, 1024));
  return chance(h, level ? 82 : 6) ? draw_pointer(h, level) : draw_leaf(h, level);
}

/** The eight PTEs of a line as consecutive pages of one kind, some spoiled, some across the edge of
 * a window: groups of CoLT. */
static void fill_line(struct hostile *h, uint64_t frame, int level, int digit) {
  uint64_t pte = draw_leaf(h, 0), line = frame << 12 | ((uint64_t)digit & ~7ull) << 3;
  const struct gmmu_window *w = window(h);

  if (chance(h, 25))
    pte = GMMU_PTE_MAKE(((chance(h, 50) ? w->lo_pfn : w->hi_pfn) - below(h, 8)) & h->top,
                        pte & 0x3ff);

  for (uint64_t i = 0; i < 8; i++) {
    uint64_t next = pte + (i << 10);
    if (chance(h, 10)) next = chance(h, 50) ? next ^ 1ull << below(h, 64) : draw_pte(h, level);
    gmmu_mem_write64(h->mem, line + 8 * i, next);
  }
}

/** The first or last page of a window or of memory, or the next page to it. Half of them of the
 * first window, in which most edges of the others are none. */
static uint64_t draw_edge(struct hostile *h) {
  const struct gmmu_window *w = chance(h, 50) ? h->env.win : window(h);
  uint64_t at = chance(h, 50) ? w->lo_pfn : w->hi_pfn;

  if (chance(h, 20)) at = chance(h, 30) ? 0 : h->top;
  return at + below(h, 3) - 1;
}

/** The head of a subregion or a frame, good but for where it lies: what is asked for, or the last
 * page of all, is at an edge. */
static uint64_t draw_head(struct hostile *h) {
  uint64_t at = draw_edge(h), d = (uint64_t)h->digit[below(h, (uint64_t)h->digits)];

  at -= chance(h, 50) ? d & (chance(h, 50) ? 511 : 63) : chance(h, 50) ? 511 : 63;
  return GMMU_PTE_MAKE(at & h->top, HEAD_BITS);
}

/** The heads of all subregions of a leaf table one behind the other, some spoiled: runs, most of
 * which end at an edge or lie across one: what is asked for, the first or last page of its
 * subregion or of the frame is at it. */
static void fill_heads(struct hostile *h, uint64_t frame) {
  uint64_t d = (uint64_t)h->digit[below(h, (uint64_t)h->digits)];
  const uint64_t at[] = {d, d & ~63ull, d | 63, 0, 511};
  uint64_t pfn = draw_edge(h) - at[below(h, 5)];
  uint64_t bits = chance(h, 75) ? HEAD_BITS : draw_leaf(h, 0) & 0x3ff;

  if (chance(h, 10)) pfn = draw_pfn(h, 0);
  for (uint64_t x = 0; x < 8; x++) {
    uint64_t pte = GMMU_PTE_MAKE((pfn + 64 * x) & h->top, bits);
    if (chance(h, 8)) pte ^= 1ull << below(h, chance(h, 50) ? 64 : 10);
    gmmu_mem_write64(h->mem, frame << 12 | x << 9, pte);
  }
}

/* ---------------------------------------- tables */
static void add_digit(struct hostile *h, int d) {
  for (int i = 0; i < h->digits; i++)
    if (h->digit[i] == d) return;
  if (h->digits < HT_DIGITS) h->digit[h->digits++] = d;
}

/** Few, so that paths meet: anywhere, ends, pairs that differ in one bit, heads of subregions. */
static void draw_digits(struct hostile *h) {
  int n = 2 + (int)below(h, 6);

  h->digits = 0;
  add_digit(h, 0);
  for (int i = 0; i < n; i++) {
    int d = chance(h, 10) ? 511 : (int)below(h, 512);
    add_digit(h, d);
    if (chance(h, 40)) add_digit(h, d ^ 1 << below(h, 9));
    if (chance(h, 50)) add_digit(h, d & ~63);
  }
}

/** Most at a table of their first level, if there is one. */
static uint64_t draw_root(struct hostile *h, int mode) {
  int at = (int)below(h, (uint64_t)h->frames);

  if (h->calm || chance(h, 85))
    for (int i = 0; i < h->frames && h->level[at] != mode + 1; i++) at = (at + 1) % h->frames;
  return chance(h, 97) ? h->frame[at] : draw_pfn(h, 80);
}

static void draw_contexts(struct hostile *h) {
  const int n = h->env.num_asids;

  memset(h->env.ctx, 0, sizeof h->env.ctx);
  h->asids = n < HT_ASIDS ? n : HT_ASIDS;
  for (int i = 0; i < h->asids; i++) {
    int mode = chance(h, 5)        ? GMMU_MODE_OFF
               : h->env.va_w == 39 ? (chance(h, 5) ? GMMU_MODE_SV48 : GMMU_MODE_SV39)
                                   : 1 + (int)below(h, 2);
    h->asid[i] = (int)below(h, (uint64_t)n); /* two may be the same */
    h->env.ctx[h->asid[i]] = (struct gmmu_ctx){.root_pfn = draw_root(h, mode),
                                               .mode = mode,
                                               .ext = chance(h, h->calm ? 95 : 70),
                                               .sum = chance(h, 50),
                                               .mxr = chance(h, 50)};
  }
}

void hostile_init(struct hostile *h, const struct gmmu_config *c, uint64_t seed) {
  memset(h, 0, sizeof *h);
  h->cfg = c;
  gmmu_rng_seed(&h->rng, seed ^ 0x686f7374696c65);
  h->top = (1ull << (c->PaW - 12)) - 1;
  gmmu_env_from_config(&h->env, c);
}

int hostile_next(struct hostile *h) {
  hostile_free(h);
  h->mem = gmmu_mem_new();
  if (!h->mem) return -1;
  h->calm = chance(h, 50);
  draw_windows(h);
  h->frames = chance(h, 20) ? 1 + (int)below(h, HT_FRAMES) : HT_FRAMES;
  for (int i = 0; i < h->frames; i++) {
    h->frame[i] = draw_pfn(h, 8);
    h->level[i] = i % 4;
  }
  draw_digits(h);
  draw_contexts(h);
  for (int i = 0; i < h->frames; i++)
    for (int k = 0; k < h->digits; k++) {
      if (chance(h, h->level[i] ? 2 : 40)) fill_line(h, h->frame[i], h->level[i], h->digit[k]);
      else
        gmmu_mem_write64(h->mem, h->frame[i] << 12 | (uint64_t)h->digit[k] << 3,
                         h->level[i] == 0 && h->digit[k] % 64 == 0 && chance(h, 40)
                             ? draw_head(h)
                             : draw_pte(h, h->level[i]));
    }
  for (int i = 0; i < h->frames && h->env.unified; i++)
    if (h->level[i] == 0 && chance(h, 40)) fill_heads(h, h->frame[i]);
  return 0;
}

void hostile_free(struct hostile *h) {
  if (h->mem) gmmu_mem_free(h->mem);
  h->mem = NULL;
}

/* ---------------------------------------- requests */
void hostile_request(struct hostile *h, struct gmmu_req *q) {
  const int asid = h->asid[below(h, (uint64_t)h->asids)];
  const int bits = h->env.ctx[asid].mode == GMMU_MODE_SV48 ? 48 : 39;
  uint64_t va = 0;

  for (int level = 0; level < 4; level++) {
    int d = h->digit[below(h, (uint64_t)h->digits)];
    if (level == 0 && chance(h, 30)) d ^= (int)below(h, 8); /* another of its line */
    va |= (uint64_t)d << (12 + 9 * level);
  }
  va = (uint64_t)((int64_t)(va << (64 - bits)) >> (64 - bits)) | below(h, 4096);
  if (chance(h, 1)) va ^= 1ull << (38 + below(h, 26));
  q->va = va;
  q->asid = (uint16_t)(chance(h, 1) ? below(h, 1ull << h->cfg->AsidW) : (uint64_t)asid);
  q->access = (uint8_t)(chance(h, 60) ? GMMU_READ : below(h, 4));
  q->user = chance(h, 70);
  q->warp = (uint16_t)below(h, 1ull << h->cfg->WarpW);
}
