/* SPDX-License-Identifier: Apache-2.0 */
/* sign.c - signatures of blocks by maintenance kernels, and the uniformity heuristic (sections 4.4
 * and 5.2). */
#include <openssl/evp.h>
#include <stdlib.h>
#include <string.h>

#include "gdm/gdm_int.h"

/* 256 for a block of 4 MiB. */
uint32_t gdm_threads(const struct block *b) { return (b->bytes + SIGN_CHUNK - 1) / SIGN_CHUNK; }

/* What the signature adds to a transfer of its block. */
uint64_t gdm_sign_transfer(const struct gdm *g, const struct block *b) {
  return g->c.dirty == GDM_DIRTY_SIGNATURE && g->c.policy == GDM_POLICY_GDM
             ? (uint64_t)gdm_threads(b) * MD5_BYTES
             : 0;
}

/* Thread t hashes the 4-byte words t, t + threads, t + 2 threads, ... (section 5.2, Figure 5); 16
 * threads at a time, as their words share a cache line, and their lanes lie in different sets of a
 * cache. Bytes behind the last whole word count as a word filled up with zeros. */
void gdm_sign_bytes(const uint8_t *data, uint32_t bytes, uint32_t threads, uint8_t *sig) {
  enum { GROUP = 16 };
  uint32_t words = (bytes + 3) / 4, rows = bytes / 4 / threads; /* rows: a word for each thread */
  size_t most = (words + threads - 1) / threads, stride = most + GROUP;
  uint32_t *lane = malloc(GROUP * stride * 4);
  if (!lane) abort();
  for (uint32_t t0 = 0; t0 < threads; t0 += GROUP) {
    uint32_t lanes = threads - t0 < GROUP ? threads - t0 : GROUP, len[GROUP];
    const uint8_t *row = data + (size_t)t0 * 4;
    for (uint32_t r = 0; r < rows; r++, row += (size_t)threads * 4)
      for (uint32_t i = 0; i < lanes; i++) memcpy(&lane[i * stride + r], row + i * 4, 4);
    for (uint32_t i = 0, at = rows * threads + t0; i < lanes; i++) { /* the last row */
      uint32_t w = 0, off = (at + i) * 4;
      len[i] = rows;
      if (at + i >= words) continue;
      memcpy(&w, data + off, bytes - off < 4 ? bytes - off : 4);
      lane[i * stride + len[i]++] = w;
    }
    for (uint32_t i = 0; i < lanes; i++)
      if (!EVP_Digest(&lane[i * stride], (size_t)len[i] * 4, sig + (t0 + i) * MD5_BYTES, NULL,
                      EVP_md5(), NULL))
        abort();
  }
  free(lane);
}

void gdm_sign_block(struct gdm *g, const struct block *b, uint8_t *sig) {
  gdm_device_read(g, b, 0, g->bounce, b->bytes);
  gdm_sign_bytes(g->bounce, b->bytes, gdm_threads(b), sig);
}

void gdm_want_sign(struct gdm *g, struct block *b) {
  if (b->signing) return;
  if (g->num_to_sign == g->sign_room) {
    g->sign_room = g->sign_room ? 2 * g->sign_room : 64;
    struct block **more = realloc(g->to_sign, g->sign_room * sizeof *more);
    if (!more) abort();
    g->to_sign = more;
  }
  b->signing = true;
  g->to_sign[g->num_to_sign++] = b;
}

void gdm_unwant_sign(struct gdm *g, struct block *b) {
  if (!b->signing) return;
  b->signing = false;
  for (uint32_t i = 0; i < g->num_to_sign; i++)
    if (g->to_sign[i] == b) {
      memmove(&g->to_sign[i], &g->to_sign[i + 1], (g->num_to_sign - i - 1) * sizeof *g->to_sign);
      g->num_to_sign--;
      return;
    }
  for (unsigned e = 0; e < g->c.kernel_engines; e++)
    for (uint32_t i = 0; i < g->engine[e].num_signs; i++)
      if (g->engine[e].signs[i] == b) g->engine[e].signs[i] = NULL;
}

/* The first, middle and last resident block of the object. */
static bool probes(const struct block *b, struct block *p[3]) {
  uint32_t first, last, in = 0, seen = 0;
  gdm_object(b, &first, &last);
  if (last - first + 1 < 4) return false;
  for (uint32_t i = first; i <= last; i++) in += b->r->block[i].state == BLOCK_IN;
  for (uint32_t i = first; i <= last; i++) {
    struct block *x = &b->r->block[i];
    if (x->state != BLOCK_IN) continue;
    if (seen == 0) p[0] = x;
    if (seen == in / 2) p[1] = x;
    if (seen == in - 1) p[2] = x;
    seen++;
  }
  return true;
}

/* Which signatures of the COST section are to be computed now. A block that never had one is dirty
 * whatever comes out, but gets one; it says nothing about the other blocks of its object. */
static bool uniform(struct gdm *g, struct block *b) {
  struct block *p[3];
  bool all = true, open = false;
  if (!g->c.uniformity || !b->sig_valid || !probes(b, p)) return false;
  for (int i = 0; i < 3; i++) {
    bool probe_open =
        p[i]->status == STATUS_UNKNOWN && !p[i]->pins && p[i]->sig_valid && !p[i]->low;
    if (probe_open) {
      gdm_want_sign(g, p[i]);
      open = true;
    } else if (p[i]->status != STATUS_DIRTY || !p[i]->evidence) {
      all = false;
    }
  }
  if (!all) return false;
  if (open) return true; /* wait for them */
  b->status = STATUS_DIRTY;
  g->stats.blocks_assumed++;
  b->r->ctx->stats.blocks_assumed++;
  gdm_place(g, b);
  return true;
}

void gdm_sign_refill(struct gdm *g) {
  if (g->c.dirty != GDM_DIRTY_SIGNATURE) return;
  for (struct block *b = g->cost.tail, *above; b; b = above) {
    above = b->prev;
    if (b->status == STATUS_UNKNOWN && !b->low && !uniform(g, b)) gdm_want_sign(g, b);
  }
}

static void sign_end(struct gdm *g, void *arg) {
  struct engine *e = arg;
  uint64_t bytes = 0;
  unsigned asid = 0;
  for (uint32_t i = 0; i < e->num_signs; i++) {
    struct block *b = e->signs[i];
    if (!b) continue;
    bool same = b->sig_valid && !memcmp(b->sig, b->new_sig, (size_t)gdm_threads(b) * MD5_BYTES);
    b->status = same ? STATUS_CLEAN : STATUS_DIRTY;
    b->evidence = b->sig_valid && !same;
    b->new_valid = true;
    b->signing = b->low = false;
    gdm_check_sources(b);
    gdm_place(g, b);
    bytes += b->bytes;
    asid = b->r->ctx->asid;
    g->stats.blocks_signed++;
    b->r->ctx->stats.blocks_signed++;
  }
  g->stats.signs++;
  g->stats.sign_ns += g->now - e->start;
  gdm_tell(g, GDM_EVENT_SIGN, e->index, asid, e->start, bytes, NULL);
  free(e->signs);
  e->signs = NULL;
  e->num_signs = 0;
  e->job = ENGINE_IDLE;
  gdm_sign_refill(g);
  gdm_pump(g);
}

bool gdm_sign_start(struct gdm *g, struct engine *e) {
  uint64_t bytes = 0;
  for (uint32_t i = g->num_to_sign; i-- > 0;) {
    struct block *b = g->to_sign[i];
    if (b->state != BLOCK_IN || b->status != STATUS_UNKNOWN || b->pins) gdm_unwant_sign(g, b);
  }
  if (!g->num_to_sign) return false;
  e->signs = g->to_sign;
  e->num_signs = g->num_to_sign;
  g->to_sign = NULL;
  g->num_to_sign = g->sign_room = 0;
  for (uint32_t i = 0; i < e->num_signs; i++) {
    struct block *b = e->signs[i];
    size_t n = (size_t)gdm_threads(b) * MD5_BYTES;
    if (!b->sig && (!(b->sig = malloc(n)) || !(b->new_sig = malloc(n)))) abort();
    gdm_sign_block(g, b, b->new_sig);
    bytes += b->bytes;
  }
  e->job = ENGINE_SIGN;
  e->start = g->now;
  gdm_at(g, g->now + g->c.costs.kernel_start_ns + gdm_bytes_ns(bytes, g->c.costs.sign_bytes_per_s),
         sign_end, e);
  return true;
}
