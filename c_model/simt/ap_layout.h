/* SPDX-License-Identifier: Apache-2.0 */
/** ap_layout.h - what ActivePointers keeps in the core's memory: the same words for the machine
 * code and for the host. All addresses are the core's. Rules: docs/apointers.md. */
#ifndef AP_LAYOUT_H
#define AP_LAYOUT_H

#include <stdint.h>

enum {
  APD_PAGE_BITS = 12,
  APD_PAGE = 1 << APD_PAGE_BITS,
  APD_MAPS = 256,
  APD_FILES = 256,
  APD_MAY_WRITE = APD_FILES, /* in what open gives beside the file's number: this one may write */
  APD_RECORDS = 64,          /* later errors are only counted */
  APD_SCRATCH_WORDS = 32,    /* of a block's scratchpad, before its TLB */
};

/* Errors: enum gmmu_ap_error of gmmu_apointer.h. */
enum apd_error {
  APD_OK,
  APD_UNINITIALISED,
  APD_BOUNDS,
  APD_PERMISSION,
  APD_EOF,
  APD_IO,
  APD_NO_PAGE,
  APD_UNMAPPED,
  APD_BUSY,
  APD_INVALID,
  APD_NOT_FOUND,
  APD_ACCESS,
  APD_LIMIT
};

enum apd_prot { APD_READ = 1, APD_WRITE = 2 };

/** Frame: 32 bytes, the first 16 are read together. count: references; APD_OWNED is added by the
 * one handler that fills or evicts it, so that who adds references in passing takes them back and
 * nothing is lost. */
#define APD_OWNED 0xc0000000u
#define APD_NO_KEY 0xffffffffu /* both words: no page */
enum apd_state { APD_LOADING, APD_READY, APD_FAILED };
struct apd_frame {
  uint32_t page,
      file;      /* key: file in bits 31:24 of `file`, bits 39:32 of the page in its low ones */
  uint32_t next; /* chain: frame + 1, 0 ends */
  uint32_t state;
  uint32_t count, dirty, used, error;
};

/** Bucket of a key, modulo the buckets. One multiplication. */
static inline uint32_t apd_hash(uint32_t page, uint32_t file) {
  return ((page ^ file << 7 ^ file >> 24) * 0x9e3779b1u) >> 8;
}

struct apd_bucket {
  uint32_t lock, head; /* frame + 1 */
};

/** links: generation in 31:20, not in use 19, in the making (and not in use) 18, linked lanes 17:0.
 */
#define APD_MAP_FREE (1u << 19)
#define APD_MAP_MAKING (1u << 18)
#define APD_MAP_COUNT (APD_MAP_MAKING - 1)
struct apd_mapping {
  uint32_t links, prot, start_lo, start_hi;
  uint32_t size_lo, size_hi, file, pad[9];
};

enum apd_op { APD_OP_READ, APD_OP_WRITE, APD_OP_OPEN };
/** turn: ticket when free for it, ticket + 1 when posted; the host sets done = ticket + 1, then the
 * asker turn. */
struct apd_slot {
  uint32_t turn, op, file, page_lo, page_hi, address, error, done, pad[8];
};

struct apd_record {
  uint32_t block, warp, lane, error, write, file, position_lo, position_hi;
};

/** ARG0 of every kernel. The first 16 words are copied to the scratchpad when a block begins. */
struct apd_system {
  uint32_t frames, frame, bucket_mask, bucket, data, data_mask, slots, ring, map, file_modes,
      record, retry_limit, tlb_entries, pad[3];
  uint32_t hand, pad1[15]; /* words that are added to, a line each */
  uint32_t pressure, pad2[15];
  uint32_t ring_head, pad3[15];
  uint32_t records, pad4[15];
};

#endif
