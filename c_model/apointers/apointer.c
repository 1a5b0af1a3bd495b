/* SPDX-License-Identifier: Apache-2.0 */
/** apointer.c - the pointers of a warp: words, translation aggregation (section IV-C), loads and
 * stores. */
#include <stdlib.h>
#include <string.h>

#include "apointers/system.h"

#define VALID (UINT64_C(1) << 63)
#define MAY_WRITE (UINT64_C(1) << 62)
#define MAY_READ (UINT64_C(1) << 61)
#define IN_TLB (UINT64_C(1) << 60)
#define PERMS (MAY_WRITE | MAY_READ)
#define VALUE (IN_TLB - 1)
#define OFFSET ((uint64_t)GMMU_AP_PAGE - 1)
#define SHORT_PAGE ((UINT64_C(1) << 28) - 1)

#define each_lane(i, lanes)                                                           \
  for (uint32_t i##_ = (lanes), i; i##_ && (i = (uint32_t)__builtin_ctz(i##_), true); \
       i##_ &= i##_ - 1)

/* ---------------------------------------- words */

static bool is_short(const struct gmmu_ap_warp *w) { return w->s->cfg.form == GMMU_AP_SHORT; }

static int64_t position(bool narrow, const struct gmmu_aptr *p) {
  if (narrow) return (int64_t)(p->word & (SHORT_PAGE << GMMU_AP_PAGE_BITS | OFFSET));
  if (p->word & VALID)
    return (int64_t)((uint64_t)p->xpage << GMMU_AP_PAGE_BITS | (p->word & OFFSET));
  return (int64_t)(p->word << 4) >> 4; /* 60 bits, signed: a pointer may stand before its file */
}

static uint32_t frame_of(bool narrow, const struct gmmu_aptr *p) {
  return (uint32_t)(narrow ? p->word >> 40 & 0xfffff : (p->word & VALUE) >> GMMU_AP_PAGE_BITS);
}

static void set_unlinked(bool narrow, struct gmmu_aptr *p, int64_t at) {
  p->word = (p->word & PERMS) |
            ((uint64_t)at & (narrow ? SHORT_PAGE << GMMU_AP_PAGE_BITS | OFFSET : VALUE));
}

static void set_linked(bool narrow, struct gmmu_aptr *p, uint32_t frame, bool in_tlb) {
  int64_t at = position(narrow, p);
  uint64_t value = narrow ? (uint64_t)frame << 40 | (uint64_t)at
                          : (uint64_t)frame << GMMU_AP_PAGE_BITS | ((uint64_t)at & OFFSET);
  p->xpage = at >> GMMU_AP_PAGE_BITS;
  p->word = VALID | (in_tlb ? IN_TLB : 0) | (p->word & PERMS) | value;
}

int64_t gmmu_ap_position(const struct gmmu_ap_warp *w, const struct gmmu_apv *v, uint32_t lane) {
  return lane >= GMMU_AP_LANES ? 0 : position(is_short(w), &v->lane[lane]);
}

bool gmmu_ap_linked(const struct gmmu_apv *v, uint32_t lane) {
  return lane < GMMU_AP_LANES && v->lane[lane].word & VALID;
}

/* ---------------------------------------- life of one */

struct gmmu_apv *gmmu_ap_open(struct gmmu_ap_warp *w, bool global) {
  struct gmmu_apv *v = calloc(1, sizeof *v);
  if (!v) ap_fail(w, 0, GMMU_AP_LIMIT, false, -1, 0);
  v->global = global;
  v->next = w->open;
  v->link = &w->open;
  if (w->open) w->open->link = &v->next;
  w->open = v;
  return v;
}

void gmmu_ap_close(struct gmmu_ap_warp *w, struct gmmu_apv *v) {
  ap_unlink(w, v, UINT32_MAX);
  *v->link = v->next;
  if (v->next) v->next->link = v->link;
  free(v);
}

static void copy_lane(struct gmmu_ap_warp *w, struct gmmu_aptr *d, const struct gmmu_aptr *s) {
  int64_t at = position(is_short(w), s);
  *d = (struct gmmu_aptr){.word = s->word & PERMS, .map = s->map};
  set_unlinked(is_short(w), d, at);
}

void gmmu_ap_assign(struct gmmu_ap_warp *w, struct gmmu_apv *dst, const struct gmmu_apv *src) {
  if (dst == src) return; /* C's p = p */
  ap_unlink(w, dst, w->mask);
  each_lane(i, w->mask) copy_lane(w, &dst->lane[i], &src->lane[i]);
}

void gmmu_ap_broadcast(struct gmmu_ap_warp *w, struct gmmu_apv *dst, const struct gmmu_apv *src,
                       uint32_t from) {
  struct gmmu_aptr p = src->lane[from % GMMU_AP_LANES];
  ap_unlink(w, dst, w->mask);
  each_lane(i, w->mask) copy_lane(w, &dst->lane[i], &p);
}

void gmmu_ap_add(struct gmmu_ap_warp *w, struct gmmu_apv *v, const int64_t delta[GMMU_AP_LANES]) {
  int64_t to[GMMU_AP_LANES];
  uint32_t leave = 0;
  bool narrow = is_short(w);
  each_lane(i, w->mask) {
    struct gmmu_aptr *p = &v->lane[i];
    int64_t at = position(narrow, p);
    if (!p->map) ap_fail(w, i, GMMU_AP_UNINITIALISED, false, -1, at);
    to[i] = (int64_t)((uint64_t)at + (uint64_t)delta[i]);
    if (!(p->word & VALID)) set_unlinked(narrow, p, to[i]);
    else if (to[i] >> GMMU_AP_PAGE_BITS == at >> GMMU_AP_PAGE_BITS)
      p->word = (p->word & ~OFFSET) | ((uint64_t)to[i] & OFFSET);
    else leave |= UINT32_C(1) << i;
  }
  ap_unlink(w, v, leave);
  each_lane(i, leave) set_unlinked(narrow, &v->lane[i], to[i]);
}

void gmmu_ap_add_all(struct gmmu_ap_warp *w, struct gmmu_apv *v, int64_t delta) {
  int64_t d[GMMU_AP_LANES];
  for (int i = 0; i < GMMU_AP_LANES; i++) d[i] = delta;
  gmmu_ap_add(w, v, d);
}

/* ---------------------------------------- watched */

/* Lanes of this warp that are linked to one page of one mapping. */
struct held {
  const struct gmmu_aptr *p;
  uint32_t frame, lanes, in_tlb;
};
enum { MOST_HELD = 128 }; /* pages that are looked at; a warp that links more is watched less */

static uint32_t what_is_held(const struct gmmu_ap_warp *w, struct held h[MOST_HELD]) {
  uint32_t n = 0, k;
  bool narrow = is_short(w);
  for (const struct gmmu_apv *v = w->open; v; v = v->next)
    for (int i = 0; i < GMMU_AP_LANES; i++) {
      const struct gmmu_aptr *p = &v->lane[i];
      if (!(p->word & VALID)) continue;
      uint32_t frame = frame_of(narrow, p);
      for (k = 0; k < n && (h[k].frame != frame || h[k].p->map != p->map); k++) continue;
      if (k == MOST_HELD) continue;
      if (k == n) h[n++] = (struct held){.p = p, .frame = frame};
      h[k].lanes++;
      h[k].in_tlb += (p->word & IN_TLB) != 0;
    }
  return n;
}

int gmmu_ap_watch(const struct gmmu_ap_warp *w, struct gmmu_err *err) {
  struct held h[MOST_HELD];
  uint32_t n = what_is_held(w, h);
  for (uint32_t k = 0; k < n; k++) {
    struct ap_mapping *m = ap_mapping_held(w->s, h[k].p->map);
    uint64_t key = AP_KEY(m->file, position(is_short(w), h[k].p) >> GMMU_AP_PAGE_BITS);
    int64_t links = atomic_load_explicit(&m->links, memory_order_relaxed);
    if (links < (int64_t)h[k].lanes)
      return gmmu_fail(err, "mapping: %lld links, %u lanes of one warp are linked through it",
                       (long long)links, h[k].lanes);
    if (h[k].in_tlb && !ap_tlb_holds(&w->b->tlb, key, h[k].frame, h[k].in_tlb))
      return gmmu_fail(err, "software TLB: no entry has the %u links of a warp to frame %u",
                       h[k].in_tlb, h[k].frame);
    uint32_t past = h[k].lanes - h[k].in_tlb + (h[k].in_tlb != 0);
    if (ap_cache_watch(&w->s->cache, key, h[k].frame, past, err)) return -1;
  }
  return 0;
}

/* ---------------------------------------- link and unlink */

/* Lanes of `lanes` with lane `leader`'s mapping and page. */
static uint32_t same_page(bool narrow, const struct gmmu_apv *v, uint32_t lanes, uint32_t leader) {
  const struct gmmu_aptr *l = &v->lane[leader];
  uint32_t group = 0;
  each_lane(i, lanes) {
    const struct gmmu_aptr *p = &v->lane[i];
    if (p->map == l->map &&
        position(narrow, p) >> GMMU_AP_PAGE_BITS == position(narrow, l) >> GMMU_AP_PAGE_BITS &&
        (p->word & IN_TLB) == (l->word & IN_TLB))
      group |= UINT32_C(1) << i;
  }
  return group;
}

void ap_unlink(struct gmmu_ap_warp *w, struct gmmu_apv *v, uint32_t lanes) {
  bool narrow = is_short(w);
  uint32_t left = 0;
  each_lane(i, lanes) left |= v->lane[i].word & VALID ? UINT32_C(1) << i : 0;
  while (left) {
    uint32_t leader = (uint32_t)__builtin_ctz(left), group = same_page(narrow, v, left, leader);
    struct gmmu_aptr *p = &v->lane[leader];
    struct ap_mapping *m = ap_mapping_held(w->s, p->map);
    int32_t n = __builtin_popcount(group);
    if (p->word & IN_TLB)
      ap_tlb_put(&w->b->tlb, AP_KEY(m->file, position(narrow, p) >> GMMU_AP_PAGE_BITS), n);
    else ap_cache_put(&w->s->cache, frame_of(narrow, p), n);
    each_lane(i, group) set_unlinked(narrow, &v->lane[i], position(narrow, &v->lane[i]));
    ap_mapping_put(m, group);
    w->counts.unlinks += (uint64_t)n;
    left &= ~group;
  }
}

/* The group's references, from the block's TLB or the page table; *in_tlb: they are counted there.
 */
static enum gmmu_ap_error translate(struct gmmu_ap_warp *w, bool global, const struct ap_mapping *m,
                                    uint64_t page, int32_t n, uint32_t *frame, bool *in_tlb) {
  struct ap_tlb *t = &w->b->tlb;
  struct ap_cache *c = &w->s->cache;
  uint64_t key = AP_KEY(m->file, page);
  bool dirty = (m->prot & GMMU_AP_WRITE) != 0, use = t->entries && !global;
  enum gmmu_ap_error e;
  *in_tlb = use && ap_tlb_get(t, key, n, frame);
  if (*in_tlb) {
    w->counts.tlb_hits++;
    if (dirty) atomic_store_explicit(&c->frame[*frame].dirty, true, memory_order_relaxed);
    return GMMU_AP_OK;
  }
  if ((e = ap_get_page(w, key, n, dirty, frame))) return e;
  if (use) {
    *in_tlb = ap_tlb_fill(t, c, key, n, *frame);
    w->counts.tlb_misses++;
    w->counts.tlb_conflicts += !*in_tlb;
  }
  return e;
}

static bool inside(const struct ap_mapping *m, int64_t at, uint32_t bytes) {
  uint64_t offset = (uint64_t)at - m->start; /* before the start: larger than any size */
  return offset < m->size && m->size - offset >= bytes;
}

/* Listing 1: the pages of the lanes that are not valid, one after the other. Each group is the
 * lanes that are active, not valid and on the leader's page; the leader is the lowest lane. */
static void page_faults(struct gmmu_ap_warp *w, struct gmmu_apv *v, uint32_t lanes, uint32_t bytes,
                        bool write) {
  bool narrow = is_short(w), in_tlb;
  uint32_t frame, left = lanes;
  while (left) {
    uint32_t leader = (uint32_t)__builtin_ctz(left), group = same_page(narrow, v, left, leader);
    struct gmmu_aptr *p = &v->lane[leader];
    int64_t at = position(narrow, p);
    int32_t n = __builtin_popcount(group);
    struct ap_mapping *m = ap_mapping_get(w->s, p->map, group);
    if (!m) ap_fail(w, leader, GMMU_AP_UNMAPPED, write, -1, at);
    int file = m->file;
    enum gmmu_ap_error e = GMMU_AP_OK;
    each_lane(i, group) {
      if (e || inside(m, position(narrow, &v->lane[i]), bytes)) continue;
      e = GMMU_AP_BOUNDS, leader = i, at = position(narrow, &v->lane[i]);
    }
    if (!e) e = translate(w, v->global, m, (uint64_t)at >> GMMU_AP_PAGE_BITS, n, &frame, &in_tlb);
    if (e) {
      ap_mapping_put(m, group);
      ap_fail(w, leader, e, write, file, at);
    }
    w->counts.groups++;
    each_lane(i, group) set_linked(narrow, &v->lane[i], frame, in_tlb);
    left &= ~group;
  }
}

/* ---------------------------------------- loads and stores */

static uint8_t *data_of(struct gmmu_ap_warp *w, const struct gmmu_aptr *p) {
  return ap_cache_data(&w->s->cache, frame_of(is_short(w), p)) + (p->word & OFFSET);
}

/* Loads beside the test of the valid bits, at whatever the word says, masked into the page cache.
 * What a lane that is not valid gets is thrown away, so it may be torn by whoever fills that frame.
 */
__attribute__((no_sanitize("thread"))) static void speculate(struct gmmu_ap_warp *w,
                                                             const struct gmmu_apv *v, uint8_t *got,
                                                             uint32_t bytes) {
  uint64_t size = (uint64_t)w->s->cache.frames << GMMU_AP_PAGE_BITS;
  each_lane(i, w->mask) {
    const struct gmmu_aptr *p = &v->lane[i];
    uint64_t at =
        ((uint64_t)frame_of(is_short(w), p) << GMMU_AP_PAGE_BITS | (p->word & OFFSET)) % size;
    const volatile uint8_t *from = w->s->cache.data + (at + bytes > size ? 0 : at);
    for (uint32_t k = 0; k < bytes; k++) got[i * bytes + k] = from[k];
    w->counts.prefetches++;
  }
}

/* The file of a pointer's mapping, also of one that is not linked; -1: the mapping is gone. */
static int mapped_file(struct gmmu_ap *s, const struct gmmu_aptr *p) {
  const uint32_t one = 1;
  struct ap_mapping *m = ap_mapping_get(s, p->map, one);
  if (!m) return -1;
  int file = m->file;
  ap_mapping_put(m, one);
  return file;
}

static void check_lane(struct gmmu_ap_warp *w, const struct gmmu_apv *v, uint32_t i, uint32_t bytes,
                       bool write) {
  const struct gmmu_aptr *p = &v->lane[i];
  int64_t at = position(is_short(w), p);
  struct ap_mapping *m = p->word & VALID ? ap_mapping_held(w->s, p->map) : NULL;
  if (!p->map) ap_fail(w, i, GMMU_AP_UNINITIALISED, write, -1, at);
  if (!w->s->cfg.no_rw_check && !(p->word & (write ? MAY_WRITE : MAY_READ)))
    ap_fail(w, i, GMMU_AP_PERMISSION, write, mapped_file(w->s, p), at);
  if (m && !inside(m, at, bytes)) ap_fail(w, i, GMMU_AP_BOUNDS, write, m->file, at);
}

static uint32_t invalid_lanes(const struct gmmu_apv *v, uint32_t lanes) {
  uint32_t n = 0;
  each_lane(i, lanes) n |= v->lane[i].word & VALID ? 0 : UINT32_C(1) << i;
  return n;
}

/* Part of an access that lies in the pointers' own page. */
static void copy_part(struct gmmu_ap_warp *w, struct gmmu_apv *v, uint32_t i, uint8_t *mem,
                      uint32_t n, bool write) {
  if (write) memcpy(data_of(w, &v->lane[i]), mem, n);
  else memcpy(mem, data_of(w, &v->lane[i]), n);
}

/* Lanes whose access ends in the next page: a second pointer for the rest. */
static void second_page(struct gmmu_ap_warp *w, struct gmmu_apv *v, uint32_t lanes, uint8_t *buf,
                        uint32_t bytes, bool write) {
  struct gmmu_apv *next = gmmu_ap_open(w, v->global);
  uint32_t mask = w->mask;
  int64_t step[GMMU_AP_LANES] = {0};
  w->mask = lanes;
  gmmu_ap_assign(w, next, v);
  each_lane(i, lanes) step[i] = GMMU_AP_PAGE - (int64_t)(v->lane[i].word & OFFSET);
  gmmu_ap_add(w, next, step);
  page_faults(w, next, lanes, 1, write);
  each_lane(i, lanes)
      copy_part(w, next, i, buf + i * bytes + step[i], bytes - (uint32_t)step[i], write);
  gmmu_ap_close(w, next);
  w->mask = mask;
}

static void access_lanes(struct gmmu_ap_warp *w, struct gmmu_apv *v, uint8_t *buf, uint32_t bytes,
                         bool write) {
  uint8_t early[GMMU_AP_LANES * 16];
  uint32_t crossing = 0;
  bool ahead = w->s->cfg.prefetch && !write;
  ap_poll(w);
  if (bytes == 0 || bytes > 16 || (bytes & (bytes - 1)))
    ap_fail(w, 0, GMMU_AP_INVALID, write, -1, 0);
  if (ahead) speculate(w, v, early, bytes);
  each_lane(i, w->mask) check_lane(w, v, i, bytes, write);
  uint32_t faults = invalid_lanes(v, w->mask); /* the vote, __all */
  w->counts.accesses++;
  w->counts.lane_accesses += (uint64_t)__builtin_popcount(w->mask);
  w->counts.fast += !faults;
  if (faults) page_faults(w, v, faults, bytes, write);
  each_lane(i, w->mask) {
    uint32_t room = GMMU_AP_PAGE - (uint32_t)(v->lane[i].word & OFFSET),
             n = bytes < room ? bytes : room;
    if (n < bytes) crossing |= UINT32_C(1) << i;
    if (ahead && n == bytes && !(faults >> i & 1)) {
      memcpy(buf + i * bytes, early + i * bytes, bytes);
      w->counts.prefetch_useful++;
    } else {
      copy_part(w, v, i, buf + i * bytes, n, write);
    }
  }
  if (crossing) second_page(w, v, crossing, buf, bytes, write);
}

void gmmu_ap_load(struct gmmu_ap_warp *w, struct gmmu_apv *v, void *buf, uint32_t bytes) {
  access_lanes(w, v, buf, bytes, false);
}

void gmmu_ap_store(struct gmmu_ap_warp *w, struct gmmu_apv *v, const void *buf, uint32_t bytes) {
  access_lanes(w, v, (uint8_t *)(uintptr_t)buf, bytes, true);
}

/* ---------------------------------------- the warp */

uint32_t gmmu_ap_mask(const struct gmmu_ap_warp *w) { return w->mask; }
void gmmu_ap_set_mask(struct gmmu_ap_warp *w, uint32_t mask) { w->mask = mask; }
uint32_t gmmu_ap_block(const struct gmmu_ap_warp *w) { return w->b->id; }
uint32_t gmmu_ap_warp_id(const struct gmmu_ap_warp *w) { return w->id; }

uint32_t gmmu_ap_ballot(const struct gmmu_ap_warp *w, const uint32_t pred[GMMU_AP_LANES]) {
  uint32_t r = 0;
  each_lane(i, w->mask) r |= pred[i] ? UINT32_C(1) << i : 0;
  return r;
}

bool gmmu_ap_all(const struct gmmu_ap_warp *w, const uint32_t pred[GMMU_AP_LANES]) {
  return gmmu_ap_ballot(w, pred) == w->mask;
}
