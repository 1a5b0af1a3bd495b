/* SPDX-License-Identifier: Apache-2.0 */
/** ap.h - ActivePointers for kernels of the SIMT core. Rules: docs/apointers.md.
 *
 * Built for one form: AP_SHORT (0: long), AP_PREFETCH (load beside the vote), AP_CHECK
 * (permissions), AP_BOUNDS (exact bounds and alignment on linked pointers too; the paper looks at
 * its metadata in faults only). A pointer is a variable of a lane; its word and what accesses need
 * stay in registers. All calls work on the active lanes.
 *
 * After an error of its block (ap_dead) accesses do nothing and read 0, so kernels run to their end
 * and release.
 */
#ifndef AP_H
#define AP_H

#include "ap_layout.h"
#include "simt.h"

#ifndef AP_SHORT
#define AP_SHORT 0
#endif
#ifndef AP_PREFETCH
#define AP_PREFETCH 0
#endif
#ifndef AP_CHECK
#define AP_CHECK 1
#endif
#ifndef AP_BOUNDS
#define AP_BOUNDS 1
#endif

enum { AP_VALID = 1u << 31, AP_MAY_WRITE = 1u << 30, AP_MAY_READ = 1u << 29, AP_IN_TLB = 1u << 28 };
#define AP_FLAGS 0xf0000000u

struct aptr {
  uint32_t lo, hi; /* the word: long: linked: lo is the address; else 60 bits of position. Short:
                      frame, position */
  uint32_t map;    /* 0: uninitialised; slot 7:0, generation 19:8, file 27:20, bit 31 set */
#if !AP_SHORT
  uint32_t x_lo, x_hi; /* linked: page of the file */
#endif
#if AP_BOUNDS
  uint32_t first, span; /* linked: what of its page is mapped, as offset and bytes */
#endif
  uint32_t global; /* other blocks see it: never counted in a TLB */
};

/** Words at the start of a block's scratchpad. */
struct ap_block {
  uint32_t dead, pressure_seen, pad[2];
  struct apd_system s; /* its first 16 words */
};
#define AP_BLOCK ((volatile struct ap_block *)0xe0000000u)

/** Address of the page cache, in tp, which nothing else uses. */
register uint32_t ap_data __asm__("tp");
register uint32_t ap_mask __asm__("gp");

/** First and last call of a kernel, by all lanes of its block. */
void ap_begin(const struct apd_system *s);
void ap_end(void);
INLINE bool ap_dead(void) { return AP_BLOCK->dead; }

/* Slow ways; by all active lanes. */
void ap_fault(struct aptr *p, uint32_t bytes, uint32_t write);
void ap_unlink(struct aptr *p, uint32_t which); /* lanes with which != 0 */
void ap_move(struct aptr *p, int64_t delta);

/* *file: a handle, which keeps this mode; handles of one file have the same pages. */
uint32_t ap_gopen(const char *path, uint32_t prot, uint32_t *file);
uint32_t ap_gvmmap_to(struct aptr *p, uint64_t size, uint32_t prot, uint32_t file, uint64_t offset);
uint32_t ap_gvmunmap(const struct aptr *p, uint32_t lane);
uint32_t ap_gvmsync(const struct aptr *p, uint32_t lane);
uint32_t ap_gmmap(uint32_t file, uint64_t offset, uint32_t prot, uint32_t *at);
void ap_gmunmap(uint32_t at);
uint32_t ap_gread(uint32_t file, uint64_t offset, void *buf, uint32_t bytes);
int64_t ap_position(const struct aptr *p);

INLINE struct aptr ap_new(void) { return (struct aptr){0}; }
INLINE bool ap_linked(const struct aptr *p) { return p->hi >> 31; }

INLINE uint32_t ap_address(const struct aptr *p) {
#if AP_SHORT
  return ap_data + ((p->hi << 4) & 0xfffff000u) + (p->lo & 0xfff);
#else
  return p->lo;
#endif
}

/* This lane may go on without the slow way. */
INLINE uint32_t ap_ready(const struct aptr *p, uint32_t bytes, uint32_t write) {
  uint32_t ok;
#if AP_CHECK
  const uint32_t need = AP_VALID | (write ? AP_MAY_WRITE : AP_MAY_READ);
  ok = (p->hi & need) == need;
#else
  (void)write;
  ok = p->hi >> 31;
#endif
#if AP_BOUNDS
  uint32_t at = (p->lo & 0xfff) - p->first;
  ok &= (at < p->span) & (at + bytes - 1 < p->span) & ((p->lo & (bytes - 1)) == 0);
#else
  (void)bytes;
#endif
  return ok;
}

/* Masked into the page cache: cannot fault, whatever the word holds. */
#if AP_SHORT
#define AP_EARLY(p) (ap_data + ((((p)->hi << 4) & 0xfffff000u & ap_mask) | ((p)->lo & 0xfff)))
#else
#define AP_EARLY(p) (ap_data + (((p)->lo - ap_data) & ap_mask))
#endif

#define AP_SLOW(p, bytes, write)     \
  do {                               \
    struct aptr t_ = *(p);           \
    ap_fault(&t_, (bytes), (write)); \
    *(p) = t_;                       \
  } while (0)

#define AP_LOAD(name, type, bytes, load)                                                \
  INLINE type name(struct aptr *p) {                                                    \
    type v;                                                                             \
    if (AP_PREFETCH) v = load((const void *)(AP_EARLY(p) & ~(bytes - 1u)));             \
    if (__builtin_expect(w_all(ap_ready(p, bytes, 0)), 1)) {                            \
      if (!AP_PREFETCH) v = load((const void *)ap_address(p));                          \
    } else {                                                                            \
      AP_SLOW(p, bytes, 0);                                                             \
      v = (type){0};                                                                    \
      if (ap_linked(p) && ap_ready(p, bytes, 0)) v = load((const void *)ap_address(p)); \
    }                                                                                   \
    return v;                                                                           \
  }
#define AP_STORE(name, type, bytes, store)                                        \
  INLINE void name(struct aptr *p, type v) {                                      \
    if (__builtin_expect(w_all(ap_ready(p, bytes, 1)), 1)) {                      \
      store((void *)ap_address(p), v);                                            \
    } else {                                                                      \
      AP_SLOW(p, bytes, 1);                                                       \
      if (ap_linked(p) && ap_ready(p, bytes, 1)) store((void *)ap_address(p), v); \
    }                                                                             \
  }
INLINE uint32_t ap_raw_load1(const void *at) { return *(const volatile uint8_t *)at; }
INLINE uint32_t ap_raw_load4(const void *at) { return *(const volatile uint32_t *)at; }
INLINE void ap_raw_store1(void *at, uint32_t v) { *(volatile uint8_t *)at = (uint8_t)v; }
INLINE void ap_raw_store4(void *at, uint32_t v) { *(volatile uint32_t *)at = v; }
/* Aligned by their size, so that none crosses a page; ap_load1 does what is not. */
AP_LOAD(ap_load1, uint32_t, 1, ap_raw_load1)
AP_LOAD(ap_load4, uint32_t, 4, ap_raw_load4)
AP_LOAD(ap_load8, struct w2, 8, w_load8)
AP_LOAD(ap_load16, struct w4, 16, w_load16)
AP_STORE(ap_store1, uint32_t, 1, ap_raw_store1)
AP_STORE(ap_store4, uint32_t, 4, ap_raw_store4)
AP_STORE(ap_store8, struct w2, 8, w_store8)
AP_STORE(ap_store16, struct w4, 16, w_store16)

/** += delta bytes. Lanes that stay in their page keep their link. */
INLINE void ap_add(struct aptr *p, int32_t delta) {
  uint32_t to = p->lo + (uint32_t)delta;
  if (__builtin_expect(w_all((p->hi >> 31) & ((to ^ p->lo) < 0x1000)), 1)) {
    p->lo = to;
  } else {
    struct aptr t = *p;
    ap_move(&t, delta);
    *p = t;
  }
}

/* Through a copy, so that p itself may stay in registers. */
INLINE uint32_t ap_gvmmap(struct aptr *p, uint64_t size, uint32_t prot, uint32_t file,
                          uint64_t offset) {
  struct aptr t = *p;
  uint32_t e = ap_gvmmap_to(&t, size, prot, file, offset);
  *p = t;
  return e;
}

/** End of scope. */
INLINE void ap_close(struct aptr *p) {
  struct aptr t = *p;
  ap_unlink(&t, 1);
  *p = ap_new();
}
void ap_assign(struct aptr *d, const struct aptr *s);
/** dst = lane `from`'s pointer. */
void ap_broadcast(struct aptr *d, const struct aptr *s, uint32_t from);

#endif
