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
  BENCH_SUM     /* sum of `pages` pages of the warp, 4 bytes a lane */
};

/** ARG1. src, dst: raw: address; else file's number and page (dst: mapping to write). Result of
 * warp w at result + 64 w: cycles, sum, operations. */
struct bench_args {
  uint32_t kind, way, src, dst, result, rounds, pages,
      stride; /* stride: pages between those of a warp */
};

#endif
