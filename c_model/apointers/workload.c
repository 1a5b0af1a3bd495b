/* SPDX-License-Identifier: Apache-2.0 */
#include "apointers/workload.h"
#include "common/outfile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { L = GMMU_AP_LANES, PAGE = GMMU_AP_PAGE };

const char *const ap_kind_names[AP_NUM_KINDS] = {"copy", "add",     "read",   "random", "reduce",
                                                 "fft",  "bitonic", "faults", "tlb",    "collage"};
const char *const ap_through_names[2] = {"apointers", "gpufs"};

/* What a launch shares. The file: one region of pages for each warp; Add has a second vector behind
 * it. */
struct job {
  const struct ap_workload *w;
  struct ap_files files;
  uint64_t vector; /* bytes of one */
  uint32_t *acc;   /* [warp][lane], what the kernel found */
  struct ap_collage *collage;
};

static uint32_t warp_number(const struct gmmu_ap_warp *w, const struct ap_workload *a) {
  return gmmu_ap_block(w) * a->warps + gmmu_ap_warp_id(w);
}

/* ---------------------------------------- where a warp reads */

/* Accesses of a warp, and the file byte of lane 0 in each; lanes follow one another. Faults: one
 * word of each page, the same for all lanes. TLB: the block's pages in turn, warps apart within
 * them. */
static uint32_t accesses(const struct ap_workload *a) {
  if (a->kind == AP_FAULTS) return a->pages;
  if (a->kind == AP_TLB) return PAGE / (L * 4);
  return a->pages * PAGE / (L * a->bytes);
}

static uint64_t place(const struct ap_workload *a, uint32_t block, uint32_t warp, uint32_t n) {
  uint64_t g = (uint64_t)block * a->warps + warp;
  if (a->kind == AP_FAULTS) return (g * a->pages + n) * PAGE + warp * 4;
  if (a->kind == AP_TLB)
    return ((uint64_t)block * a->pages + (warp + n) % a->pages) * PAGE + warp % 32 * (L * 4);
  return g * a->pages * PAGE + (uint64_t)n * L * a->bytes;
}

static uint64_t lane_at(const struct ap_workload *a, uint64_t at, uint32_t lane) {
  return a->kind == AP_FAULTS ? at : at + lane * a->bytes;
}

/* One access's words into the accumulators: 16 bytes a lane are four elements. */
static void consume(const struct ap_workload *a, const uint8_t *buf, const uint8_t *second,
                    uint32_t acc[L]) {
  for (uint32_t k = 0; k < a->bytes / 4; k++) {
    uint32_t x[L], y[L];
    for (uint32_t i = 0; i < L; i++) {
      memcpy(&x[i], buf + i * a->bytes + 4 * k, 4);
      if (second) memcpy(&y[i], second + i * a->bytes + 4 * k, 4);
      if (second) x[i] += y[i];
    }
    ap_compute(a->kind, a->rounds, x, acc);
  }
}

/* ---------------------------------------- kernels */

static void go_to(struct gmmu_ap_warp *w, const struct ap_workload *a, struct gmmu_apv *p,
                  uint64_t at) {
  int64_t d[L];
  for (uint32_t i = 0; i < L; i++) d[i] = (int64_t)lane_at(a, at, i) - gmmu_ap_position(w, p, i);
  gmmu_ap_add(w, p, d);
}

static void with_pointers(struct gmmu_ap_warp *w, void *arg) {
  struct job *j = arg;
  const struct ap_workload *a = j->w;
  struct gmmu_apv *p = gmmu_ap_open(w, false), *q = gmmu_ap_open(w, false);
  uint8_t buf[L * 16], two[L * 16];
  uint32_t *acc = j->acc + (size_t)warp_number(w, a) * L;
  int f = -1, g = -1;
  bool copies = a->kind == AP_COPY, pairs = a->kind == AP_ADD;
  if (gmmu_ap_gopen(w, j->files.path[0], GMMU_AP_READ, &f)) return;
  if (gmmu_ap_gvmmap(w, j->files.bytes, GMMU_AP_READ, f, 0, p)) return;
  if (copies && (gmmu_ap_gopen(w, j->files.path[1], GMMU_AP_RDWR, &g) ||
                 gmmu_ap_gvmmap(w, j->files.bytes, GMMU_AP_RDWR, g, 0, q)))
    return;
  if (pairs && gmmu_ap_gvmmap(w, j->vector, GMMU_AP_READ, f, j->vector, q)) return;
  for (uint32_t n = 0; n < accesses(a); n++) {
    uint64_t at = place(a, gmmu_ap_block(w), gmmu_ap_warp_id(w), n);
    go_to(w, a, p, at);
    gmmu_ap_load(w, p, buf, a->bytes);
    if (copies || pairs) go_to(w, a, q, at + (pairs ? j->vector : 0));
    if (copies) gmmu_ap_store(w, q, buf, a->bytes);
    if (pairs) gmmu_ap_load(w, q, two, a->bytes);
    consume(a, buf, pairs ? two : NULL, acc);
  }
}

/* The baseline: a page pinned for the warp as long as it reads there. */
struct pin {
  uint64_t page;
  void *at;
};

static bool pin(struct gmmu_ap_warp *w, struct pin *p, int file, uint64_t at,
                enum gmmu_ap_prot prot) {
  if (p->at && p->page == at / PAGE) return true;
  if (p->at) gmmu_ap_gmunmap(w, p->at);
  p->page = at / PAGE;
  return gmmu_ap_gmmap(w, file, at / PAGE * PAGE, prot, &p->at) == GMMU_AP_OK;
}

static void with_gpufs(struct gmmu_ap_warp *w, void *arg) {
  struct job *j = arg;
  const struct ap_workload *a = j->w;
  uint8_t buf[L * 16], two[L * 16];
  uint32_t *acc = j->acc + (size_t)warp_number(w, a) * L;
  struct pin p = {0}, q = {0};
  int f = -1, g = -1;
  bool copies = a->kind == AP_COPY, pairs = a->kind == AP_ADD;
  if (gmmu_ap_gopen(w, j->files.path[0], GMMU_AP_READ, &f)) return;
  if (copies && gmmu_ap_gopen(w, j->files.path[1], GMMU_AP_RDWR, &g)) return;
  for (uint32_t n = 0; n < accesses(a); n++) {
    uint64_t at = place(a, gmmu_ap_block(w), gmmu_ap_warp_id(w), n),
             other = at + (pairs ? j->vector : 0);
    if (!pin(w, &p, f, at, GMMU_AP_READ)) return;
    for (uint32_t i = 0; i < L; i++)
      memcpy(buf + i * a->bytes, (uint8_t *)p.at + lane_at(a, at, i) % PAGE, a->bytes);
    if ((copies || pairs) &&
        !pin(w, &q, copies ? g : f, other, copies ? GMMU_AP_RDWR : GMMU_AP_READ))
      return;
    if (copies) memcpy((uint8_t *)q.at + other % PAGE, buf, (size_t)L * a->bytes);
    if (pairs) memcpy(two, (uint8_t *)q.at + other % PAGE, (size_t)L * a->bytes);
    consume(a, buf, pairs ? two : NULL, acc);
  }
}

/* ---------------------------------------- the files */

int ap_make_file(const struct ap_workload *w, const char *name, uint64_t bytes, uint64_t seed,
                 char path[4096], struct gmmu_err *err) {
  struct gmmu_rng rng = {seed};
  static const size_t chunk = 1 << 20;
  if (snprintf(path, 4096, "%s/gmmu-%s-XXXXXX", w->dir, name) >= 4096)
    return gmmu_fail(err, "path too long: %s", w->dir); /* the message may be cut off */
  int fd = gmmu_scratch_make(path, err);
  if (fd < 0) return -1;
  int bad = 0;
  uint64_t *buf = malloc(chunk);
  if (w->kind == AP_COLLAGE) {
    bad = ap_collage_fill(w, fd, err);
  } else if (!seed) { /* a target: zeros */
    bad = ftruncate(fd, (off_t)bytes) ? gmmu_fail(err, "%s: %s", path, strerror(errno)) : 0;
  } else {
    for (uint64_t at = 0; at < bytes && !bad && buf;) {
      size_t n = bytes - at < chunk ? (size_t)(bytes - at) : chunk;
      for (size_t i = 0; i < chunk / 8; i++) buf[i] = gmmu_rng_next(&rng);
      ssize_t k = write(fd, buf, n);
      if (k < 0) bad = gmmu_fail(err, "%s: %s", path, strerror(errno));
      else at += (uint64_t)k;
      if (w->progress) w->progress(w->progress_arg, "file", at, bytes);
    }
  }
  if (!buf) bad = gmmu_fail(err, "out of memory");
  free(buf);
  close(fd);
  return bad;
}

static int make_files(struct job *j, struct gmmu_err *err) {
  const struct ap_workload *w = j->w;
  uint64_t regions = (uint64_t)w->blocks * (w->kind == AP_TLB ? 1 : w->warps);
  j->vector = regions * w->pages * PAGE;
  j->files.bytes = w->kind == AP_COLLAGE ? ap_collage_bytes(w)
                   : w->kind == AP_ADD   ? 2 * j->vector
                                         : j->vector;
  if (ap_make_file(w, "data", j->files.bytes, w->seed * 2 + 1, j->files.path[0], err)) return -1;
  if (w->kind == AP_COPY && ap_make_file(w, "copy", j->files.bytes, 0, j->files.path[1], err))
    return -1;
  return 0;
}

/* ---------------------------------------- the plain program */

static const uint8_t *map_plain(const char *path, uint64_t bytes, struct gmmu_err *err) {
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  void *p = fd < 0 ? MAP_FAILED : mmap(NULL, bytes, PROT_READ, MAP_SHARED, fd, 0);
  if (fd >= 0) close(fd);
  if (p != MAP_FAILED) return p;
  gmmu_fail(err, "%s: %s", path, strerror(errno));
  return NULL;
}

static void check_warp(struct job *j, const uint8_t *file, uint32_t block, uint32_t warp,
                       struct ap_result *r) {
  const struct ap_workload *a = j->w;
  uint32_t want[L] = {0};
  const uint32_t *got = j->acc + ((size_t)block * a->warps + warp) * L;
  uint8_t buf[L * 16], two[L * 16];
  for (uint32_t n = 0; n < accesses(a); n++) {
    uint64_t at = place(a, block, warp, n);
    for (uint32_t i = 0; i < L; i++) memcpy(buf + i * a->bytes, file + lane_at(a, at, i), a->bytes);
    if (a->kind == AP_ADD)
      for (uint32_t i = 0; i < L; i++)
        memcpy(two + i * a->bytes, file + j->vector + lane_at(a, at, i), a->bytes);
    consume(a, buf, a->kind == AP_ADD ? two : NULL, want);
  }
  for (int i = 0; i < L; i++) r->wrong += want[i] != got[i];
  r->values += L;
}

static int check(struct job *j, struct ap_result *r, struct gmmu_err *err) {
  const struct ap_workload *a = j->w;
  if (a->kind == AP_COLLAGE) {
    if (ap_collage_check(j->collage, &r->wrong, &r->values, err)) return -1;
    ap_collage_reuse(j->collage, &r->reads, &r->distinct);
    r->reads /= 2; /* of both launches */
    return 0;
  }
  const uint8_t *file = map_plain(j->files.path[0], j->files.bytes, err);
  if (!file) return -1;
  for (uint32_t b = 0; b < a->blocks; b++)
    for (uint32_t w = 0; w < a->warps; w++) check_warp(j, file, b, w, r);
  const uint8_t *copy = NULL;
  int bad = 0;
  if (a->kind == AP_COPY && !(copy = map_plain(j->files.path[1], j->files.bytes, err))) bad = -1;
  if (copy) {
    for (uint64_t i = 0; i < j->files.bytes; i += 4) r->wrong += memcmp(file + i, copy + i, 4) != 0;
    r->values += j->files.bytes / 4;
    munmap((void *)(uintptr_t)copy, j->files.bytes);
  }
  munmap((void *)(uintptr_t)file, j->files.bytes);
  return bad;
}

/* ---------------------------------------- run */

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int launch_once(struct job *j, struct gmmu_ap *s, struct ap_result *r,
                       struct gmmu_err *err) {
  const struct ap_workload *w = j->w;
  gmmu_ap_kernel k = w->kind == AP_COLLAGE    ? ap_collage_kernel
                     : w->through == AP_GPUFS ? with_gpufs
                                              : with_pointers;
  double start = now();
  memset(j->acc, 0, sizeof *j->acc * w->blocks * w->warps * L);
  int aborted = gmmu_ap_launch(s, w->blocks, w->warps, w->resident, k,
                               w->kind == AP_COLLAGE ? (void *)j->collage : j, err);
  r->seconds = now() - start;
  if (aborted > 0) r->aborted += aborted;
  return aborted < 0 || gmmu_ap_audit(s, 0, err) ? -1 : 0;
}

static int run_twice(struct job *j, struct gmmu_ap *s, struct ap_result *r, struct gmmu_err *err) {
  if (launch_once(j, s, r, err)) return -1;
  gmmu_ap_get_stats(s, &r->cold);
  if (j->w->progress) j->w->progress(j->w->progress_arg, "launch", 1, 2);
  if (launch_once(j, s, r, err)) return -1;
  gmmu_ap_get_stats(s, &r->warm);
  for (size_t i = 0; i < sizeof r->warm / sizeof(uint64_t); i++) /* all but the maximum are sums */
    if (i != offsetof(struct gmmu_ap_stats, max_linked) / sizeof(uint64_t))
      ((uint64_t *)&r->warm)[i] -= ((uint64_t *)&r->cold)[i];
  if (j->w->progress) j->w->progress(j->w->progress_arg, "launch", 2, 2);
  if (gmmu_ap_drop_cache(s, err)) return -1; /* the copy is in its file now */
  return check(j, r, err);
}

int ap_workload_run(const struct ap_workload *w, const struct gmmu_ap_config *c,
                    struct ap_result *r, struct gmmu_ap_record *first, struct gmmu_err *err) {
  struct job j = {.w = w};
  struct gmmu_ap *s = NULL;
  size_t n;
  uint64_t more;
  int bad = make_files(&j, err);
  *r = (struct ap_result){.file_bytes = j.files.bytes};
  j.acc = calloc((size_t)w->blocks * w->warps * L, sizeof *j.acc);
  if (!bad && !j.acc) bad = gmmu_fail(err, "out of memory");
  if (!bad && w->kind == AP_COLLAGE) bad = ap_collage_new(&j.collage, w, j.files.path[0], err);
  if (!bad) bad = (s = gmmu_ap_new(c, err)) ? 0 : -1;
  if (!bad) bad = run_twice(&j, s, r, err);
  if (s) {
    const struct gmmu_ap_record *rec = gmmu_ap_records(s, &n, &more);
    if (n) *first = rec[0];
    struct gmmu_err ignored;
    if (gmmu_ap_free(s, bad ? &ignored : err)) bad = -1;
  }
  for (int i = 0; i < 2; i++) gmmu_scratch_remove(j.files.path[i]);
  ap_collage_free(j.collage);
  free(j.acc);
  return bad;
}
