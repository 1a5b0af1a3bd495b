/* SPDX-License-Identifier: Apache-2.0 */
/** ap_pointer.c - pointers: words, translation aggregation (section IV-C), links. */
#include "ap_int.h"

#define VALUE_HI 0x0fffffffu

int64_t ap_position(const struct aptr *p) {
#if AP_SHORT
  return (int64_t)((uint64_t)(p->hi & 0xff) << 32 | p->lo);
#else
  uint32_t linked =
      (uint32_t)((int32_t)p->hi >> 31); /* without a branch: lanes of both kinds stay together */
  uint32_t lo = (linked & (p->x_lo << 12 | (p->lo & 0xfff))) | (~linked & p->lo);
  uint32_t hi = (linked & (p->x_hi << 12 | p->x_lo >> 20)) |
                (~linked & (uint32_t)((int32_t)(p->hi << 4) >> 4));
  return (int64_t)((uint64_t)hi << 32 | lo); /* not linked: 60 bits, signed */
#endif
}

INLINE void set_unlinked(struct aptr *p, int64_t at) {
  p->lo = (uint32_t)at;
  p->hi = (p->hi & (AP_MAY_READ | AP_MAY_WRITE)) |
          ((uint32_t)(at >> 32) & (AP_SHORT ? 0xff : VALUE_HI));
#if AP_BOUNDS
  p->first = p->span = 0;
#endif
}

INLINE void set_linked(struct aptr *p, int64_t at, uint32_t frame, uint32_t in_tlb) {
  uint32_t flags = AP_VALID | (in_tlb ? AP_IN_TLB : 0) | (p->hi & (AP_MAY_READ | AP_MAY_WRITE));
#if AP_SHORT
  p->hi = flags | frame << 8 | ((uint32_t)(at >> 32) & 0xff);
  p->lo = (uint32_t)at;
#else
  int64_t page = at >> APD_PAGE_BITS;
  p->x_lo = (uint32_t)page, p->x_hi = (uint32_t)(page >> 32);
  p->lo = ap_data + (frame << APD_PAGE_BITS) + ((uint32_t)at & 0xfff);
  p->hi = flags;
#endif
}

INLINE uint32_t frame_of(const struct aptr *p) {
#if AP_SHORT
  return p->hi >> 8 & 0xfffff;
#else
  return (p->lo - ap_data) >> APD_PAGE_BITS;
#endif
}

/* ---------------------------------------- errors */

void ap_record(uint32_t leader, uint32_t error, uint32_t write, uint32_t map, int64_t at) {
  uint32_t lead = ap_lead(), i = w_add_by(lead, &ap_far()->records, 1);
  if (i < APD_RECORDS) {
    volatile struct apd_record *r = (volatile struct apd_record *)SYS->record + i;
    r->block = w_block(), r->warp = w_warp(), r->lane = leader, r->error = error, r->write = write;
    r->file = map ? map >> 20 & 0xff : ~0u, r->position_lo = (uint32_t)at,
    r->position_hi = (uint32_t)(at >> 32);
  }
}

/* The group's error: its record, by the leader, and the end of the block. */
static void fail(uint32_t leader, uint32_t error, uint32_t write, uint32_t map, int64_t at) {
  ap_record(leader, error, write, map, at);
  AP_BLOCK->dead = 1;
}

INLINE int64_t shfl64(int64_t v, uint32_t from) {
  return (int64_t)((uint64_t)w_shfl((uint32_t)(v >> 32), from) << 32 | w_shfl((uint32_t)v, from));
}

/* ---------------------------------------- link and unlink */

void ap_unlink(struct aptr *p, uint32_t which) {
  uint32_t m = w_active(), lead = w_ffs(m) - 1, left = w_ballot((which != 0) & (p->hi >> 31));
  if (!left) return;
  w_fence(); /* what was loaded and stored through it is done */
  while (left) {
    uint32_t leader = w_ffs(left) - 1, map = w_shfl(p->map, leader),
             frame = w_shfl(frame_of(p), leader);
    uint32_t tlb = w_shfl(p->hi, leader) & AP_IN_TLB;
    int64_t at = ap_position(p), page = shfl64(at, leader) >> APD_PAGE_BITS;
    uint32_t mine = (left >> w_lane() & 1) & (p->map == map) & (at >> APD_PAGE_BITS == page) &
                    ((p->hi & AP_IN_TLB) == tlb);
    w_sync(m);
    uint32_t group = w_ballot(mine), n = w_popc(group);
    if (tlb) ap_tlb_put(lead, ap_key(map >> 20 & 0xff, page), n);
    else ap_cache_put(lead, frame, n);
    if (mine) set_unlinked(p, at);
    w_sync(m);
    w_post_by(lead, &ap_mapping(map)->links, -n);
    left &= ~group;
  }
}

void ap_move(struct aptr *p, int64_t delta) {
  uint32_t m = w_active();
  int64_t at = ap_position(p), to = at + delta;
  uint32_t none = w_ballot(p->map == 0);
  if (none) {
    uint32_t leader = w_ffs(none) - 1;
    if (!ap_dead()) fail(leader, APD_UNINITIALISED, 0, 0, shfl64(at, leader));
    return;
  }
  uint32_t leave = (p->hi >> 31) & (at >> APD_PAGE_BITS != to >> APD_PAGE_BITS);
  ap_unlink(p, leave);
  w_sync(m);
  if (p->hi >> 31) p->lo += (uint32_t)delta; /* stays in its page */
  else set_unlinked(p, to);
  w_sync(m);
}

void ap_assign(struct aptr *d, const struct aptr *s) {
  if (d == s) return; /* C's p = p */
  int64_t at = ap_position(s);
  ap_unlink(d, 1);
  d->hi = s->hi & (AP_MAY_READ | AP_MAY_WRITE);
  d->map = s->map;
  set_unlinked(d, at);
}

void ap_broadcast(struct aptr *d, const struct aptr *s, uint32_t from) {
  int64_t at = shfl64(ap_position(s), from);
  uint32_t hi = w_shfl(s->hi, from) & (AP_MAY_READ | AP_MAY_WRITE), map = w_shfl(s->map, from);
  ap_unlink(d, 1);
  d->hi = hi;
  d->map = map;
  set_unlinked(d, at);
}

/* ---------------------------------------- faults */

struct mapped {
  uint64_t start, size;
  uint32_t prot;
};

/* The group's links to the mapping, which then stays; 0: it is gone. */
INLINE uint32_t get_mapping(uint32_t lead, uint32_t map, uint32_t n, struct mapped *m) {
  volatile struct apd_mapping *at = ap_mapping(map);
  uint32_t old = w_add_by(lead, &at->links, n);
  if (old & APD_MAP_FREE || old >> 20 != (map >> 8 & 0xfff)) {
    w_post_by(lead, &at->links, -n);
    return 0;
  }
  struct w4 a = w_load16((const void *)at), b = w_load16((const void *)&at->size_lo);
  m->prot = a.v[1];
  m->start = (uint64_t)a.v[3] << 32 | a.v[2];
  m->size = (uint64_t)b.v[1] << 32 | b.v[0];
  return 1;
}

INLINE uint32_t inside(const struct mapped *m, int64_t at, uint32_t bytes) {
  uint64_t offset = (uint64_t)at - m->start; /* before the start: larger than any size */
  return (offset < m->size) & (m->size - offset >= bytes);
}

/* The group's references, from the block's TLB or the page table. */
INLINE uint32_t translate(uint32_t lead, uint32_t global, struct ap_key key, uint32_t n,
                          uint32_t dirty, uint32_t *frame, uint32_t *in_tlb) {
  uint32_t use = SYS->tlb_entries && !global, e;
  *in_tlb = 0;
  if (use) {
    uint32_t pressure = ap_far()->pressure;
    if (AP_BLOCK->pressure_seen != pressure) {
      AP_BLOCK->pressure_seen = pressure;
      ap_tlb_flush(lead);
    }
    if (ap_tlb_get(lead, key, n, frame)) {
      *in_tlb = 1;
      if (dirty) ap_frame(*frame)->dirty = 1;
      return APD_OK;
    }
  }
  if ((e = ap_cache_get(lead, key, n, dirty, frame))) return e;
  if (use) *in_tlb = ap_tlb_fill(lead, key, n, *frame);
  return APD_OK;
}

#if AP_BOUNDS
/* What of the page is mapped. */
INLINE void set_bounds(struct aptr *p, const struct mapped *m, int64_t page) {
  uint64_t lo = (uint64_t)page << APD_PAGE_BITS, hi = lo + APD_PAGE, end = m->start + m->size;
  if (lo < m->start) lo = m->start;
  if (hi > end) hi = end;
  p->first = (uint32_t)lo & 0xfff;
  p->span = (uint32_t)(hi - lo);
}
#endif

/* What stands against this lane's access whatever its page. */
INLINE uint32_t refuse(const struct aptr *p, uint32_t bytes, uint32_t write) {
  uint32_t e = APD_OK;
#if AP_BOUNDS
  uint32_t at = (p->lo & 0xfff) - p->first;
  e = (p->hi >> 31) & !((at < p->span) & (at + bytes - 1 < p->span)) ? APD_BOUNDS : e;
#endif
#if AP_CHECK
  e = p->hi & (write ? AP_MAY_WRITE : AP_MAY_READ) ? e : APD_PERMISSION;
#endif
  e = p->lo & (bytes - 1) ? APD_INVALID : e;
  (void)write;
  return p->map ? e : APD_UNINITIALISED;
}

/* Listing 1: the pages of the lanes that are not valid, one after the other. A group is the lanes
 * that are active, not valid and on the leader's page; its leader is the lowest of them. */
void ap_fault(struct aptr *p, uint32_t bytes, uint32_t write) {
  uint32_t m = w_active(), lead = w_ffs(m) - 1, e, frame = 0, in_tlb = 0;
  if (ap_dead()) return;
  int64_t at = ap_position(p);
  uint32_t no = refuse(p, bytes, write);
  w_sync(m);
  uint32_t left = w_ballot(no);
  if (left) {
    uint32_t leader = w_ffs(left) - 1;
    fail(leader, w_shfl(no, leader), write, w_shfl(p->map, leader), shfl64(at, leader));
    return;
  }
  left = w_ballot(!(p->hi >> 31));
  while (left) {
    uint32_t leader = w_ffs(left) - 1, map = w_shfl(p->map, leader),
             global = w_shfl(p->global, leader);
    int64_t page = shfl64(at, leader) >> APD_PAGE_BITS;
    uint32_t mine = (left >> w_lane() & 1) & (p->map == map) & (at >> APD_PAGE_BITS == page) &
                    (p->global == global);
    w_sync(m);
    uint32_t group = w_ballot(mine), n = w_popc(group);
    struct mapped k;
    if (!get_mapping(lead, map, n, &k)) {
      fail(leader, APD_UNMAPPED, write, 0, shfl64(at, leader));
      return;
    }
    uint32_t out = mine & !inside(&k, at, bytes);
    w_sync(m);
    out = w_ballot(out);
    e = APD_BOUNDS;
    if (out) leader = w_ffs(out) - 1;
    else
      e = translate(lead, global, ap_key(map >> 20 & 0xff, page), n, k.prot & APD_WRITE, &frame,
                    &in_tlb);
    if (e) {
      w_post_by(lead, &ap_mapping(map)->links, -n);
      fail(leader, e, write, map, shfl64(at, leader));
      return;
    }
    if (mine) {
      set_linked(p, at, frame, in_tlb);
#if AP_BOUNDS
      set_bounds(p, &k, page);
#endif
    }
    w_sync(m);
    left &= ~group;
  }
}
