/* SPDX-License-Identifier: Apache-2.0 */
/** bench.h - what the program bench.c measures; shared by the machine code and the host. */
#ifndef BENCH_H
#define BENCH_H

#include <stdint.h>

enum bench_way {
  BENCH_RAW,
  BENCH_AP,
  BENCH_GPUFS
}; /* plain pointers, ActivePointers, GPUfs's gmmap */
enum bench_kind {
  BENCH_EMPTY, /* two readings of the clock: what is taken off */
  BENCH_READ,
  BENCH_INC,
  BENCH_READ_INC, /* cycles of one operation, 4 bytes (Table I) */
  BENCH_COPY4,
  BENCH_COPY8,
  BENCH_COPY16, /* each warp copies a page `rounds` times (Table II) */
  BENCH_FAULTS, /* one word of each of `pages` pages of the warp, all lanes the same (Table III) */
  BENCH_SUM,    /* sum of `pages` pages of the warp, 4 bytes a lane */
  BENCH_ADD, /* sections VI-B and VI-D, `width` bytes a lane; Add: two vectors of half the pages */
  BENCH_READ_ALL,
  BENCH_RANDOM, /* `rounds` steps of a generator from each element */
  BENCH_REDUCE,
  BENCH_FFT,
  BENCH_BITONIC,
  BENCH_TLB, /* each warp reads 32 times 128 bytes, of `pages` pages that its block shares (Figure
                7) */
  BENCH_COLLAGE, /* collage.c (section VI-E) */
  BENCH_GREAD,   /* gread.c: `rounds` ranges of the file by each warp */
  BENCH_UPDATE   /* update.c: each word of the file, `rounds` times */
};

/** ARG1. src, dst: raw: address; else file's number and page (dst: mapping to write). Result of
 * warp w at result + 64 w: cycles, sum, operations. */
struct bench_args {
  uint32_t kind, way, src, dst, result, rounds, pages,
      stride;             /* stride: pages between those of a warp */
  uint32_t width, repeat; /* Add to Bitonic: each page is read `repeat` times; more than once:
                             linked before time is taken */
};

/** ARG1 of the collage. A histogram: 3 channels of 256 counts, `pitch` bytes apart in the file.
 * LSH: 4 tables of 6 hashes of 48 bins, bit 31 of a bin: subtract; bucket_mask + 1 buckets a table;
 * of a bucket 16 images are looked at. */
enum {
  COLLAGE_BINS = 768,
  COLLAGE_PIXELS = 1024,
  COLLAGE_TABLES = 4,
  COLLAGE_HASHES = 6,
  COLLAGE_TAPS = 48,
  COLLAGE_SHIFT = 6,
  COLLAGE_MOST = 16
};
struct collage_args {
  uint32_t way, file, pitch, blocks;
  uint32_t pixels;       /* of each block of the input: 1024 words, a byte a channel */
  uint32_t bins, offset; /* [tap][table * 6 + hash], 32 words a row; [table * 6 + hash] */
  uint32_t start, image, bucket_mask; /* first of a bucket: [table][bucket, and one more]; image:
                                         numbers, ascending in each bucket */
  uint32_t choice, result;            /* [block]: the image; [warp]: cycles, as in bench_args */
  uint32_t images;
};

/** update.c: what a word becomes. */
static inline uint32_t bench_updated(uint32_t v) { return v * 0x9e3779b1u + 12345; }

/** ARG1 of gread.c. range: struct gread_range[warp][reads]. */
struct gread_args {
  uint32_t file, reads, range, result; /* result: [warp]: cycles, as in bench_args */
};
struct gread_range {
  uint32_t offset, bytes, to; /* to: address of the buffer */
  uint32_t error;             /* what gread answered */
};

#endif
