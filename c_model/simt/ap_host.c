/* SPDX-License-Identifier: Apache-2.0 */
/** ap_host.c - the host's side of ActivePointers on the SIMT core: the ring and files. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/write_inside.h"
#include "simt/ap_host.h"

static bool power_of_two(uint32_t n) { return n && !(n & (n - 1)); }

static uint32_t take(uint32_t *end, uint64_t bytes) { /* from the end downwards */
  bytes = (bytes + 4095) & ~UINT64_C(4095);
  return *end = bytes > *end ? 0 : *end - (uint32_t)bytes;
}

static void lay_out(struct simt_ap *h) {
  struct apd_system *s = h->system;
  uint32_t end = h->bytes, frames = h->cfg.frames;
  s->frames = frames, s->slots = h->cfg.slots, s->retry_limit = h->cfg.retry_limit,
  s->tlb_entries = h->cfg.tlb_entries;
  s->bucket_mask = frames * h->cfg.bucket_factor - 1;
  s->data = take(&end, (uint64_t)frames << APD_PAGE_BITS),
  s->data_mask = (frames << APD_PAGE_BITS) - 1;
  s->frame = take(&end, frames * sizeof(struct apd_frame));
  s->bucket = take(&end, (s->bucket_mask + UINT64_C(1)) * sizeof(struct apd_bucket));
  s->ring = take(&end, h->cfg.slots * sizeof(struct apd_slot));
  s->map = take(&end, APD_MAPS * sizeof(struct apd_mapping));
  s->record = take(&end, APD_RECORDS * sizeof(struct apd_record));
  s->file_modes = take(&end, APD_FILES * 4);
  h->heap_end = end;
}

struct simt_ap *simt_ap_new(uint8_t *memory, uint32_t bytes, const struct simt_ap_config *c,
                            struct gmmu_err *err) {
  struct simt_ap_config f = *c;
  if (!f.frames) f.frames = 64;
  if (!f.bucket_factor) f.bucket_factor = 16;
  if (!f.slots) f.slots = 64;
  if (!f.batch) f.batch = 32;
  if (!f.retry_limit) f.retry_limit = 10000;
  uint64_t need = ((uint64_t)f.frames << APD_PAGE_BITS) +
                  f.frames * (UINT64_C(32) + UINT64_C(8) * f.bucket_factor) +
                  f.slots * UINT64_C(64);
  if (!power_of_two(f.frames) || !power_of_two(f.bucket_factor) || !power_of_two(f.slots) ||
      f.slots < 2 || (f.tlb_entries && !power_of_two(f.tlb_entries)) || f.tlb_entries > 1024)
    return gmmu_fail(err,
                     "apointers: frames, buckets, slots (2 or more) and TLB entries (up to 1024) "
                     "must be powers of two"),
           NULL;
  if (bytes < 0x40000 || need > bytes - 0x40000)
    return gmmu_fail(err, "apointers: %u frames do not fit in %u bytes", f.frames, bytes), NULL;
  struct simt_ap *h = calloc(1, sizeof *h);
  if (h) {
    h->was = calloc(f.frames, sizeof *h->was);
    h->request = calloc(f.slots, sizeof *h->request);
  }
  if (!h || !h->was || !h->request) return simt_ap_free(h), gmmu_fail(err, "out of memory"), NULL;
  h->cfg = f, h->memory = memory, h->bytes = bytes, h->heap = 0x20000;
  h->system = (struct apd_system *)(memory + SIMT_AP_SYSTEM);
  memset(h->system, 0, sizeof *h->system);
  lay_out(h);
  memset(memory + h->heap_end, 0, bytes - h->heap_end);
  for (uint32_t i = 0; i < f.frames; i++) ap_frames(h)[i].page = ap_frames(h)[i].file = APD_NO_KEY;
  for (uint32_t i = 0; i < f.slots; i++) ap_slots(h)[i].turn = i;
  struct apd_mapping *m = (struct apd_mapping *)(memory + h->system->map);
  for (uint32_t i = 0; i < APD_MAPS; i++) m[i].links = APD_MAP_FREE;
  memcpy(h->was, ap_frames(h), f.frames * sizeof *h->was);
  return h;
}

void simt_ap_free(struct simt_ap *h) {
  if (!h) return;
  for (int i = 0; i < h->files; i++) close(h->file[i].fd);
  free(h->was);
  free(h->request);
  free(h);
}

uint32_t simt_ap_system(const struct simt_ap *h) {
  (void)h;
  return SIMT_AP_SYSTEM;
}

uint32_t simt_ap_heap(struct simt_ap *h, uint32_t bytes) {
  uint32_t at = h->heap;
  bytes = (bytes + 63) & ~UINT32_C(63);
  if (bytes > h->heap_end - at) return 0;
  h->heap += bytes;
  return at;
}

/* ---------------------------------------- files */

static const int mode_flags[] = {0, O_RDONLY, O_WRONLY, O_RDWR};

/* APD_ACCESS, APD_NOT_FOUND or APD_LIMIT, negative; else the handle: the number, and whether it
 * may write. A file of two names is one file; its mode is that of its widest handle. */
static int open_file(struct simt_ap *h, const char *path, uint32_t prot) {
  int may = prot & APD_WRITE ? APD_MAY_WRITE : 0;
  uint32_t *modes = (uint32_t *)(h->memory + h->system->file_modes);
  struct stat st;
  /* The page cache reads a file's pages whatever the kernel wants to do. O_NONBLOCK: a FIFO without
   * a writer must not stop the host. */
  if (prot & APD_WRITE) prot |= APD_READ;
  int fd = open(path, mode_flags[prot & APD_WRITE ? 3 : 1] | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) {
    int e = errno;
    return e == ENOENT || e == ENOTDIR                              ? -APD_NOT_FOUND
           : e == EACCES || e == EPERM || e == EROFS || e == EISDIR ? -APD_ACCESS
                                                                    : -APD_IO;
  }
  if (fstat(fd, &st) || !S_ISREG(st.st_mode)) return close(fd), -APD_ACCESS;
  for (int i = 0; i < h->files; i++) {
    struct ap_host_file *f = &h->file[i];
    if (f->dev != st.st_dev || f->ino != st.st_ino) continue;
    if (prot & ~modes[i] & APD_WRITE) {
      close(f->fd);
      f->fd = fd;
    } else {
      close(fd);
    }
    modes[i] |= prot;
    return i | may;
  }
  if (h->files == APD_FILES) return close(fd), -APD_LIMIT;
  h->file[h->files] = (struct ap_host_file){fd, st.st_dev, st.st_ino};
  modes[h->files] = prot;
  return h->files++ | may;
}

int simt_ap_open(struct simt_ap *h, const char *path, uint32_t prot) {
  int f = open_file(h, path, prot);
  return f < 0 ? -1 : f;
}

static enum apd_error transfer(struct simt_ap *h, uint32_t file, uint64_t page, uint32_t address,
                               bool write) {
  struct stat st;
  if (file >= (uint32_t)h->files || address % APD_PAGE || address > h->bytes - APD_PAGE)
    return APD_INVALID;
  int fd = h->file[file].fd;
  if (fstat(fd, &st)) return APD_IO;
  uint64_t size = (uint64_t)st.st_size, at = page << APD_PAGE_BITS;
  uint8_t *data = h->memory + address;
  if (at >= size)
    return write ? APD_OK
                 : APD_EOF; /* a file that shrank: what was written behind its end is gone */
  size_t n = size - at < APD_PAGE ? (size_t)(size - at) : APD_PAGE, done = 0;
  /* Which does not make it longer when it shrinks now. */
  if (write) return gmmu_write_inside(fd, data, n, (off_t)at) ? APD_IO : APD_OK;
  while (done < n) {
    ssize_t k = pread(fd, data + done, n - done, (off_t)(at + done));
    if (k < 0 && errno == EINTR) continue;
    if (k < 0) return APD_IO;
    if (k == 0) break; /* shrank meanwhile */
    done += (size_t)k;
  }
  memset(data + done, 0, APD_PAGE - done);
  return APD_OK;
}

enum apd_error simt_ap_read(struct simt_ap *h, uint32_t file, uint64_t page, uint32_t address) {
  return transfer(h, file, page, address, false);
}

enum apd_error simt_ap_write(struct simt_ap *h, uint32_t file, uint64_t page, uint32_t address) {
  return transfer(h, file, page, address, true);
}

static enum apd_error do_open(struct simt_ap *h, struct apd_slot *s) {
  const char *path = (const char *)h->memory + s->address;
  if (s->address >= h->bytes || !memchr(path, 0, h->bytes - s->address)) return APD_INVALID;
  int f = open_file(h, path, s->file);
  s->file = f < 0 ? UINT32_MAX : (uint32_t)f;
  return f < 0 ? (enum apd_error) - f : APD_OK;
}

/* ---------------------------------------- ring */

static void serve(struct simt_ap *h, struct apd_slot *s) {
  uint64_t page = (uint64_t)s->page_hi << 32 | s->page_lo;
  switch (s->op) {
    case APD_OP_READ:
      h->counts.reads++, s->error = transfer(h, s->file, page, s->address, false);
      break;
    case APD_OP_WRITE:
      h->counts.writes++, s->error = transfer(h, s->file, page, s->address, true);
      break;
    case APD_OP_OPEN: h->counts.opens++, s->error = do_open(h, s); break;
    default: s->error = APD_INVALID;
  }
  h->counts.failed += s->error != APD_OK;
}

/* Latencies of requests overlap, the link carries one page at a time; opening a file is not slower
 * than a read. */
static void accept_batch(struct simt_ap *h, uint64_t now) {
  uint32_t n = 0;
  for (; n < h->cfg.batch; n++) {
    struct apd_slot *s = &ap_slots(h)[h->taken & (h->cfg.slots - 1)];
    if (s->turn != h->taken + 1 || s->done == h->taken + 1) break;
    struct ap_host_request *r = &h->request[h->taken & (h->cfg.slots - 1)];
    uint64_t ready = now + h->cfg.latency;
    if (h->link_free + h->cfg.page_time > ready) ready = h->link_free + h->cfg.page_time;
    h->link_free = ready;
    *r = (struct ap_host_request){true, ready};
    h->taken++;
  }
  h->counts.batches += n != 0;
}

void simt_ap_poll(struct simt_ap *h, uint64_t now) {
  accept_batch(h, now);
  while (h->answered != h->taken) {
    struct ap_host_request *r = &h->request[h->answered & (h->cfg.slots - 1)];
    struct apd_slot *s = &ap_slots(h)[h->answered & (h->cfg.slots - 1)];
    if (r->due > now) break;
    r->waits = false;
    serve(h, s);
    s->done = ++h->answered;
  }
}

uint32_t simt_ap_pending(const struct simt_ap *h) { return h->taken - h->answered; }
const struct simt_ap_counts *simt_ap_counts(const struct simt_ap *h) { return &h->counts; }
