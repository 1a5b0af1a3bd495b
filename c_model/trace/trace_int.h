/* SPDX-License-Identifier: Apache-2.0 */
/* trace_int.h - the trace object, shared by the files of c_model/trace. Encoding:
 * docs/trace-format.md. */
#ifndef GMMU_TRACE_INT_H
#define GMMU_TRACE_INT_H

#include "gmmu.h"

/* Limits of docs/trace-format.md: work and memory follow the size of a file. */
#define TRACE_MAX_WARPS (1u << 23) /* of all launches together */
#define TRACE_MAX_LAUNCHES (1u << 17)
#define TRACE_MAX_ARRAYS 4096
#define TRACE_MIN_MIB 32u /* uncompressed; and for each compressed byte: */
#define TRACE_RATIO 4096u
#define TRACE_MIN_LANES                                                     \
  (1ull << 29) /* addresses of all accesses; and for each byte of the file: \
                */
#define TRACE_BYTE_LANES (1ull << 11)
#define TRACE_MIN_LINES \
  (1ull << 26) /* lines that are counted (gmmu_trace_max_lines); and for each byte of the file: */
#define TRACE_BYTE_LINES 256ull
#define TRACE_NAME 32

struct bytes {
  uint8_t *v;
  size_t n, cap;
};

struct launch {
  char kernel[TRACE_NAME];
  uint32_t blocks, warps;
  uint64_t *off; /* blocks * warps + 1 offsets into data */
};

struct gmmu_trace {
  char app[TRACE_NAME];
  struct gmmu_array *array;
  uint32_t narrays;
  struct launch *launch;
  uint32_t nlaunches;
  struct bytes data;
  uint64_t nops, nwarps;
  uint64_t max_lines; /* 0: no limit */
};

int bytes_put(struct bytes *b, const void *p, size_t n); /* 0, or -1: out of memory */
int bytes_varint(struct bytes *b, uint64_t x);
/* Reads a varint from [*p, end); false at the end or when it is too long. */
bool take_varint(const uint8_t **p, const uint8_t *end, uint64_t *x);

/* Decodes every warp once: lengths, lane counts and sizes are legal. Returns -1 and the launch and
 * warp. */
int trace_validate(struct gmmu_trace *t, uint64_t max_lanes, struct gmmu_err *err);
/* Takes what is in b; max_lanes: addresses. */
int trace_parse(struct gmmu_trace *t, struct bytes *b, uint64_t max_lanes, const char *path,
                struct gmmu_err *err);
int trace_serialise(const struct gmmu_trace *t, struct bytes *out, struct gmmu_err *err);
struct gmmu_trace *trace_read_text(FILE *f, const char *path, struct gmmu_err *err);
int trace_print_text(const struct gmmu_trace *t, FILE *f);
#endif
