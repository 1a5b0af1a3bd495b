/* SPDX-License-Identifier: Apache-2.0 */
/** ap_audit.c - what must hold of the page cache in the core's memory, while kernels run and
 * afterwards. */
#include <string.h>

#include "simt/ap_host.h"

static bool is_empty(const struct apd_frame *f) {
  return f->page == APD_NO_KEY && f->file == APD_NO_KEY;
}
static bool same(const struct apd_frame *a, const struct apd_frame *b) {
  return a->page == b->page && a->file == b->file;
}
static bool owned(uint32_t count) { return (int32_t)count < 0; }

static bool in_table(const struct simt_ap *h, uint32_t frame) {
  const struct apd_bucket *b = (const struct apd_bucket *)(h->memory + h->system->bucket);
  uint32_t found = 0;
  for (uint32_t k = 0; k <= h->system->bucket_mask; k++) {
    uint32_t at = b[k].head;
    for (uint32_t steps = 0; at && at <= h->cfg.frames && steps < h->cfg.frames;
         steps++, at = ap_frames(h)[at - 1].next)
      found += at - 1 == frame;
  }
  return found == 1;
}

int simt_ap_audit(const struct simt_ap *h, struct gmmu_err *err) {
  const struct apd_frame *f = ap_frames(h);
  const struct apd_mapping *m = (const struct apd_mapping *)(h->memory + h->system->map);
  const struct apd_bucket *b = (const struct apd_bucket *)(h->memory + h->system->bucket);
  for (uint32_t i = 0; i < h->cfg.frames; i++) {
    if (f[i].count)
      return gmmu_fail(err, "page cache: frame %u has %d references at the end", i,
                       (int32_t)f[i].count);
    if (is_empty(&f[i])) continue;
    if (!in_table(h, i))
      return gmmu_fail(err, "page cache: frame %u is not in the table, or twice", i);
    for (uint32_t k = 0; k < i; k++)
      if (same(&f[i], &f[k]))
        return gmmu_fail(err, "page cache: one page in frames %u and %u", k, i);
  }
  for (uint32_t k = 0; k <= h->system->bucket_mask; k++)
    if (b[k].lock) return gmmu_fail(err, "page cache: bucket %u is locked at the end", k);
  for (uint32_t i = 0; i < APD_MAPS; i++)
    if (m[i].links & (APD_MAP_COUNT | APD_MAP_MAKING))
      return gmmu_fail(err, "mapping %u: links %x at the end", i, m[i].links);
  if (h->system->ring_head != h->answered)
    return gmmu_fail(err, "ring: %u requests asked, %u answered", h->system->ring_head,
                     h->answered);
  return 0;
}

static int look(const struct apd_frame *was, const struct apd_frame *f, uint32_t i,
                struct gmmu_err *err) {
  const uint32_t limit = 1u << 20;
  if (!owned(f->count) ? f->count >= limit : f->count - APD_OWNED >= limit)
    return gmmu_fail(err, "frame %u: count %08x below 0 or out of range", i, f->count);
  if (!owned(was->count) && was->count && owned(f->count))
    return gmmu_fail(err, "frame %u: owned while it has %u references", i, was->count);
  if (!same(was, f) && !owned(was->count) && !(was->state == APD_LOADING && is_empty(f)))
    return gmmu_fail(err, "frame %u: page %x changed to %x with count %08x", i, was->page, f->page,
                     was->count);
  return 0;
}

int simt_ap_monitor(struct simt_ap *h, struct gmmu_err *err) {
  const struct apd_frame *f = ap_frames(h);
  if (!memcmp(h->was, f, h->cfg.frames * sizeof *f)) return 0;
  for (uint32_t i = 0; i < h->cfg.frames; i++) {
    if (!memcmp(&h->was[i], &f[i], sizeof *f)) continue;
    if (look(&h->was[i], &f[i], i, err)) return -1;
    for (uint32_t k = 0; k < h->cfg.frames && !is_empty(&f[i]); k++)
      if (k != i && same(&f[i], &f[k]) && (in_table(h, i) && in_table(h, k)))
        return gmmu_fail(err, "one page in frames %u and %u", k, i);
  }
  memcpy(h->was, f, h->cfg.frames * sizeof *f);
  return 0;
}

int simt_ap_warm(struct simt_ap *h, uint32_t file, uint64_t page) {
  struct apd_system *s = h->system;
  file &= APD_FILES - 1;
  uint32_t i = s->hand, key_file = file << 24 | (uint32_t)(page >> 32 & 0xff);
  struct apd_frame *f = &ap_frames(h)[i % h->cfg.frames];
  struct apd_bucket *k = (struct apd_bucket *)(h->memory + s->bucket) +
                         (apd_hash((uint32_t)page, key_file) & s->bucket_mask);
  if (i >= h->cfg.frames || !is_empty(f) ||
      simt_ap_read(h, file, page, s->data + (i << APD_PAGE_BITS)))
    return -1;
  *f = (struct apd_frame){
      .page = (uint32_t)page, .file = key_file, .next = k->head, .state = APD_READY, .used = 1};
  k->head = i + 1;
  s->hand++;
  h->was[i] = *f;
  return 0;
}

int simt_ap_drop(struct simt_ap *h, struct gmmu_err *err) {
  struct apd_frame *f = ap_frames(h);
  if (simt_ap_audit(h, err)) return -1;
  for (uint32_t i = 0; i < h->cfg.frames; i++) {
    if (is_empty(&f[i])) continue;
    uint64_t page = (uint64_t)(f[i].file & 0xff) << 32 | f[i].page;
    if (f[i].dirty &&
        simt_ap_write(h, f[i].file >> 24, page, h->system->data + (i << APD_PAGE_BITS)))
      return gmmu_fail(err, "frame %u cannot be written back", i);
    memset(&f[i], 0, sizeof f[i]);
    f[i].page = f[i].file = APD_NO_KEY;
  }
  struct apd_bucket *b = (struct apd_bucket *)(h->memory + h->system->bucket);
  memset(b, 0, (h->system->bucket_mask + 1) * sizeof *b);
  memcpy(h->was, f, h->cfg.frames * sizeof *f);
  return 0;
}

const struct apd_record *simt_ap_records(const struct simt_ap *h, uint32_t *n) {
  *n = h->system->records;
  return (const struct apd_record *)(h->memory + h->system->record);
}

void simt_ap_clear_records(struct simt_ap *h) { h->system->records = 0; }
