/* SPDX-License-Identifier: Apache-2.0 */
/** ap_int.h - the slow ways of ActivePointers among themselves. All active lanes come together with
 * the same arguments (section IV-C: the warp's threads execute the handler jointly); `lead` is the
 * lane that does atomics. */
#ifndef AP_INT_H
#define AP_INT_H

#include "ap.h"

struct ap_key {
  uint32_t page, file; /* as in struct apd_frame */
};
INLINE struct ap_key ap_key(uint32_t file, int64_t page) {
  return (struct ap_key){(uint32_t)page, file << 24 | (uint32_t)(page >> 32 & 0xff)};
}
INLINE uint32_t ap_same(struct ap_key a, struct ap_key b) {
  return ((a.page ^ b.page) | (a.file ^ b.file)) == 0;
}
INLINE uint32_t ap_lead(void) { return w_ffs(w_active()) - 1; }

#define SYS (&AP_BLOCK->s)
INLINE struct apd_system *ap_far(void) { return (struct apd_system *)AP_BLOCK->pad[0]; }
INLINE volatile struct apd_frame *ap_frame(uint32_t i) {
  return (volatile struct apd_frame *)SYS->frame + i;
}
INLINE volatile struct apd_mapping *ap_mapping(uint32_t map) {
  return (volatile struct apd_mapping *)SYS->map + (map & 0xff);
}

/* n references to the page's frame; brings it when it is not there. dirty: it will be written to.
 */
uint32_t ap_cache_get(uint32_t lead, struct ap_key key, uint32_t n, uint32_t dirty,
                      uint32_t *frame);
void ap_cache_put(uint32_t lead, uint32_t frame, uint32_t n);
uint32_t ap_cache_sync(uint32_t lead, uint32_t file, int64_t from, int64_t to);
/* The host's answer to a request. READ and WRITE: a page and its frame's address; OPEN: mode and
 * path, *answer the file. */
uint32_t ap_ask(uint32_t lead, uint32_t op, uint32_t file, int64_t page, uint32_t address,
                uint32_t *answer);

/* A record of an error; the block goes on. map: of the pointer, 0: none. */
void ap_record(uint32_t leader, uint32_t error, uint32_t write, uint32_t map, int64_t at);

uint32_t ap_tlb_get(uint32_t lead, struct ap_key key, uint32_t n, uint32_t *frame);
uint32_t ap_tlb_fill(uint32_t lead, struct ap_key key, uint32_t n, uint32_t frame);
void ap_tlb_put(uint32_t lead, struct ap_key key, uint32_t n);
uint32_t ap_tlb_flush(uint32_t lead);

#endif
