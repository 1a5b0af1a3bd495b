/* SPDX-License-Identifier: Apache-2.0 */
/* trace_binary.c - trace files: one zstd frame with checksum around the layout of
 * docs/trace-format.md. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "common/outfile.h"
#include "trace/trace_int.h"

#define MAGIC "GMMUTRC1"

/* ---------------------------------------- layout */
static int put_name(struct bytes *b, const char *s) {
  size_t n = strlen(s);
  return bytes_varint(b, n) | bytes_put(b, s, n);
}

int trace_serialise(const struct gmmu_trace *t, struct bytes *b, struct gmmu_err *err) {
  int bad = bytes_put(b, MAGIC, 8) | put_name(b, t->app) | bytes_varint(b, t->narrays);
  for (uint32_t i = 0; i < t->narrays; i++) {
    uint8_t w = t->array[i].writable;
    bad |= put_name(b, t->array[i].name) | bytes_varint(b, t->array[i].va) |
           bytes_varint(b, t->array[i].bytes);
    bad |= bytes_put(b, &w, 1);
  }
  bad |= bytes_varint(b, t->nlaunches);
  for (uint32_t l = 0; l < t->nlaunches; l++) {
    const struct launch *x = &t->launch[l];
    bad |= put_name(b, x->kernel) | bytes_varint(b, x->blocks) | bytes_varint(b, x->warps);
    for (uint32_t i = 0; i < x->blocks * x->warps; i++)
      bad |= bytes_varint(b, x->off[i + 1] - x->off[i]);
  }
  bad |= bytes_put(b, t->data.v, t->data.n);
  return bad ? gmmu_fail(err, "out of memory") : 0;
}

static bool take_name(const uint8_t **p, const uint8_t *end, char name[TRACE_NAME]) {
  uint64_t n;
  if (!take_varint(p, end, &n) || n >= TRACE_NAME || n > (uint64_t)(end - *p)) return false;
  memcpy(name, *p, n);
  name[n] = 0;
  *p += n;
  for (uint64_t i = 0; i < n; i++)
    if ((unsigned char)name[i] <= ' ' || (unsigned char)name[i] > '~') return false;
  return true;
}

static bool take_array(const uint8_t **p, const uint8_t *end, struct gmmu_array *a) {
  memset(a, 0, sizeof *a);
  if (!take_name(p, end, a->name) || !take_varint(p, end, &a->va) ||
      !take_varint(p, end, &a->bytes))
    return false;
  if (*p == end || **p > 1 || a->bytes == 0 || a->va + a->bytes - 1 < a->va) return false;
  a->writable = *(*p)++;
  return true;
}

static bool take_launch(const uint8_t **p, const uint8_t *end, struct launch *l, uint64_t left,
                        uint64_t *off) {
  uint64_t blocks, warps, len;
  if (!take_name(p, end, l->kernel) || !take_varint(p, end, &blocks) ||
      !take_varint(p, end, &warps))
    return false;
  if (blocks < 1 || warps < 1 || blocks > TRACE_MAX_WARPS || warps > TRACE_MAX_WARPS) return false;
  /* At least one byte a warp follows: a huge count in a short file is refused before anything is
   * allocated. */
  if (blocks * warps > left || blocks * warps > (uint64_t)(end - *p)) return false;
  l->blocks = (uint32_t)blocks;
  l->warps = (uint32_t)warps;
  l->off = malloc((blocks * warps + 1) * sizeof *l->off);
  if (!l->off) return false;
  for (uint64_t i = 0; i < blocks * warps; i++) {
    l->off[i] = *off;
    if (!take_varint(p, end, &len) || len > (uint64_t)(end - *p)) return false;
    *off += len;
  }
  l->off[blocks * warps] = *off;
  return true;
}

int trace_parse(struct gmmu_trace *t, struct bytes *b, uint64_t max_lanes, const char *path,
                struct gmmu_err *err) {
  const uint8_t *v = b->v, *p = v, *end = v + b->n;
  size_t n = b->n;
  uint64_t count, off = 0;
  if (n < 8 || memcmp(p, MAGIC, 8) != 0) return gmmu_fail(err, "%s: not a gmmu trace", path);
  p += 8;
  if (!take_name(&p, end, t->app) || !take_varint(&p, end, &count) || count > TRACE_MAX_ARRAYS)
    goto corrupt;
  t->array = calloc(count ? count : 1, sizeof *t->array);
  for (; t->array && t->narrays < count; t->narrays++)
    if (!take_array(&p, end, &t->array[t->narrays])) goto corrupt;
  if (!take_varint(&p, end, &count) || count > TRACE_MAX_LAUNCHES || count > (uint64_t)(end - p))
    goto corrupt;
  t->launch = calloc(count ? count : 1, sizeof *t->launch);
  if (!t->array || !t->launch) return gmmu_fail(err, "%s: out of memory", path);
  while (t->nlaunches < count) {
    t->nlaunches++; /* first, so that its offsets are freed */
    struct launch *l = &t->launch[t->nlaunches - 1];
    if (!take_launch(&p, end, l, TRACE_MAX_WARPS - t->nwarps, &off)) goto corrupt;
    t->nwarps += (uint64_t)l->blocks * l->warps;
  }
  if (off != (uint64_t)(end - p)) goto corrupt;
  memmove(b->v, p, off); /* the operations stay where they are: large traces are in memory once */
  b->n = off;
  t->data = *b;
  *b = (struct bytes){0};
  struct gmmu_err inner;
  if (trace_validate(t, max_lanes, &inner)) return gmmu_fail(err, "%s: %.400s", path, inner.msg);
  return 0;
corrupt:
  return gmmu_fail(err, "%s: corrupt trace at byte %zu of the uncompressed data", path,
                   (size_t)(p - v));
}

/* ---------------------------------------- zstd */
/* One more piece. What is no trace is refused by its first bytes, and what is larger than its file
 * allows. */
static int take(struct bytes *out, const uint8_t *v, size_t n, uint64_t limit, const char *path,
                struct gmmu_err *err) {
  if (bytes_put(out, v, n)) return gmmu_fail(err, "%s: out of memory", path);
  if (out->n >= 8 && memcmp(out->v, MAGIC, 8) != 0)
    return gmmu_fail(err, "%s: not a gmmu trace", path);
  if (out->n > limit)
    return gmmu_fail(err,
                     "%s: more than %llu bytes uncompressed: a trace may have %u MiB and %u times "
                     "its compressed size",
                     path, (unsigned long long)limit, TRACE_MIN_MIB, TRACE_RATIO);
  return 0;
}

/* *bytes: of the file. */
static int inflate(FILE *f, const char *path, struct bytes *out, uint64_t *bytes,
                   struct gmmu_err *err) {
  size_t in_size = ZSTD_DStreamInSize(), out_size = ZSTD_DStreamOutSize(), left = 1;
  uint8_t *in = malloc(in_size), *buf = malloc(out_size);
  ZSTD_DStream *z = ZSTD_createDStream();
  uint64_t limit = (uint64_t)TRACE_MIN_MIB << 20;
  int rc = 0;
  if (z)
    ZSTD_DCtx_setParameter(z, ZSTD_d_windowLogMax,
                           25); /* what the frame asks for: 32 MiB at most */
  if (!in || !buf || !z) rc = gmmu_fail(err, "%s: out of memory", path);
  for (size_t n; rc == 0 && (n = fread(in, 1, in_size, f)) > 0;) {
    ZSTD_inBuffer i = {in, n, 0};
    limit += n * TRACE_RATIO;
    *bytes += n;
    while (rc == 0 && i.pos < i.size) {
      ZSTD_outBuffer o = {buf, out_size, 0};
      if (left == 0) rc = gmmu_fail(err, "%s: data after the end of the trace", path);
      else if (ZSTD_isError(left = ZSTD_decompressStream(z, &o, &i)))
        rc = gmmu_fail(err,
                       ZSTD_getErrorCode(left) == ZSTD_error_prefix_unknown
                           ? "%s: not a gmmu trace"
                           : "%s: corrupt trace: %s",
                       path, ZSTD_getErrorName(left));
      else rc = take(out, buf, o.pos, limit, path, err);
      /* Output that did not fit stays inside the decoder. */
      while (rc == 0 && left != 0 && o.pos == o.size) {
        o.pos = 0;
        left = ZSTD_decompressStream(z, &o, &i);
        if (ZSTD_isError(left))
          rc = gmmu_fail(err, "%s: corrupt trace: %s", path, ZSTD_getErrorName(left));
        else rc = take(out, buf, o.pos, limit, path, err);
      }
    }
  }
  if (rc == 0 && ferror(f)) rc = gmmu_fail(err, "%s: %s", path, strerror(errno));
  if (rc == 0 && left != 0) rc = gmmu_fail(err, "%s: truncated trace", path);
  ZSTD_freeDStream(z);
  free(in);
  free(buf);
  return rc;
}

struct gmmu_trace *gmmu_trace_read(const char *path, struct gmmu_err *err) {
  FILE *f = fopen(path, "rb");
  struct gmmu_trace *t = NULL;
  if (!f) {
    gmmu_fail(err, "%s: %s", path, strerror(errno));
    return NULL;
  }
  int first = getc(f); /* one byte can be put back in a pipe as well; text begins with a letter, '#'
                          or a blank */
  ungetc(first, f);
  if (first == 0x28) { /* zstd's magic number begins so */
    struct bytes b = {0};
    uint64_t bytes = 0;
    t = calloc(1, sizeof *t);
    if (!t) gmmu_fail(err, "%s: out of memory", path);
    else if (inflate(f, path, &b, &bytes, err) ||
             trace_parse(t, &b, TRACE_MIN_LANES + TRACE_BYTE_LANES * bytes, path, err)) {
      gmmu_trace_free(t);
      t = NULL;
    }
    if (t) t->max_lines = TRACE_MIN_LINES + TRACE_BYTE_LINES * bytes;
    free(b.v);
  } else {
    t = trace_read_text(f, path, err);
  }
  fclose(f);
  return t;
}

static int deflate(FILE *f, const struct bytes *b, const char *path, struct gmmu_err *err) {
  ZSTD_CCtx *z = ZSTD_createCCtx();
  size_t size = ZSTD_CStreamOutSize(), left;
  uint8_t *buf = malloc(size);
  int rc = 0;
  if (!z || !buf) rc = gmmu_fail(err, "out of memory");
  if (rc == 0) {
    ZSTD_CCtx_setParameter(z, ZSTD_c_checksumFlag, 1);
    ZSTD_inBuffer i = {b->v, b->n, 0};
    do {
      ZSTD_outBuffer o = {buf, size, 0};
      left = ZSTD_compressStream2(z, &o, &i, ZSTD_e_end);
      if (ZSTD_isError(left))
        rc = gmmu_fail(err, "%s: compression: %s", path, ZSTD_getErrorName(left));
      else if (fwrite(buf, 1, o.pos, f) != o.pos)
        rc = gmmu_fail(err, "%s: %s", path, strerror(errno));
    } while (rc == 0 && left != 0);
  }
  ZSTD_freeCCtx(z);
  free(buf);
  return rc;
}

int gmmu_trace_write(const struct gmmu_trace *t, const char *path, bool text,
                     struct gmmu_err *err) {
  struct gmmu_outfile o = {0};
  struct bytes b = {0};
  if (gmmu_outfile_open(&o, path, err)) return -1;
  int rc = 0;
  if (text) trace_print_text(t, o.f); /* errors of writing show at the end */
  else if (trace_serialise(t, &b, err) || deflate(o.f, &b, path, err)) rc = -1;
  free(b.v);
  if (rc == 0) return gmmu_outfile_commit(&o, err);
  gmmu_outfile_abort(&o);
  return rc;
}
