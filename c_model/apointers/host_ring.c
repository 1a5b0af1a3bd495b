/* SPDX-License-Identifier: Apache-2.0 */
#include "apointers/host_ring.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/write_inside.h"

/* ---------------------------------------- the host */

static enum gmmu_ap_error read_page(struct ap_ring *r, struct ap_slot *s) {
  size_t got = 0;
  while (got < GMMU_AP_PAGE) {
    ssize_t n = pread(r->file[s->file].fd, s->staging + got, GMMU_AP_PAGE - got,
                      (off_t)(s->page << GMMU_AP_PAGE_BITS) + (off_t)got);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return GMMU_AP_IO;
    if (n == 0) break;
    got += (size_t)n;
  }
  if (got == 0) return GMMU_AP_EOF;
  memset(s->staging + got, 0, GMMU_AP_PAGE - got);
  atomic_fetch_add_explicit(&r->bytes, got, memory_order_relaxed);
  return GMMU_AP_OK;
}

static enum gmmu_ap_error write_page(struct ap_ring *r, struct ap_slot *s) {
  struct stat st;
  off_t at = (off_t)(s->page << GMMU_AP_PAGE_BITS);
  if (fstat(r->file[s->file].fd, &st)) return GMMU_AP_IO;
  /* Like mmap: what lies behind the end of the file is not written, and a file does not grow, also
   * when it shrinks now. */
  size_t n = at >= st.st_size                 ? 0
             : st.st_size - at < GMMU_AP_PAGE ? (size_t)(st.st_size - at)
                                              : GMMU_AP_PAGE;
  if (n && gmmu_write_inside(r->file[s->file].fd, s->staging, n, at)) return GMMU_AP_IO;
  atomic_fetch_add_explicit(&r->bytes, n, memory_order_relaxed);
  return GMMU_AP_OK;
}

static enum gmmu_ap_error from_errno(int e) {
  return e == ENOENT || e == ENOTDIR                              ? GMMU_AP_NOT_FOUND
         : e == EACCES || e == EPERM || e == EROFS || e == EISDIR ? GMMU_AP_ACCESS
                                                                  : GMMU_AP_IO;
}

static enum gmmu_ap_error open_file(struct ap_ring *r, struct ap_slot *s) {
  struct stat st;
  int n = atomic_load(&r->num_files), may = s->mode & GMMU_AP_WRITE ? AP_MAY_WRITE : 0;
  /* O_NONBLOCK: a FIFO without a writer must not stop the host. */
  int fd = open(s->path, (s->mode & GMMU_AP_WRITE ? O_RDWR : O_RDONLY) | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return from_errno(errno);
  if (fstat(fd, &st) || !S_ISREG(st.st_mode)) {
    close(fd);
    return GMMU_AP_ACCESS;
  }
  for (int i = 0; i < n; i++) {
    struct ap_file *f = &r->file[i];
    if (f->dev != st.st_dev || f->ino != st.st_ino) continue;
    /* One number for one file, so that a page has one frame whoever opened it. */
    if (s->mode & ~atomic_load(&f->mode)) {
      close(f->fd);
      f->fd = fd;
      atomic_store(&f->mode, GMMU_AP_RDWR);
    } else {
      close(fd);
    }
    s->file = i | may;
    return GMMU_AP_OK;
  }
  if (n == GMMU_AP_MAX_FILES) {
    close(fd);
    return GMMU_AP_LIMIT;
  }
  r->file[n] = (struct ap_file){
      .fd = fd, .mode = (int)(s->mode | GMMU_AP_READ), .dev = st.st_dev, .ino = st.st_ino};
  atomic_store(&r->num_files, n + 1);
  s->file = n | may;
  return GMMU_AP_OK;
}

static void serve(struct ap_ring *r, struct ap_slot *s) {
  enum gmmu_ap_error e = s->op == AP_RING_READ    ? read_page(r, s)
                         : s->op == AP_RING_WRITE ? write_page(r, s)
                                                  : open_file(r, s);
  pthread_mutex_lock(&s->m);
  s->error = e;
  s->done = true;
  pthread_cond_signal(&s->served);
  pthread_mutex_unlock(&s->m);
}

static bool posted(struct ap_ring *r) {
  return atomic_load_explicit(&r->slot[r->tail % r->slots].turn, memory_order_acquire) ==
         r->tail + 1;
}

/* Takes what is posted, in the order of tickets, at most a batch; sleeps when nothing is. */
static void *host(void *arg) {
  struct ap_ring *r = arg;
  for (;;) {
    uint32_t n = 0;
    while (n < r->batch && posted(r)) {
      serve(r, &r->slot[r->tail++ % r->slots]);
      n++;
    }
    if (n) {
      atomic_fetch_add_explicit(&r->batches, 1, memory_order_relaxed);
      atomic_fetch_add_explicit(&r->requests, n, memory_order_relaxed);
      continue;
    }
    pthread_mutex_lock(&r->m);
    while (!r->ringing && !r->stop) pthread_cond_wait(&r->posted, &r->m);
    bool end = r->stop && !r->ringing;
    r->ringing = false;
    pthread_mutex_unlock(&r->m);
    if (end) return NULL;
  }
}

/* ---------------------------------------- the askers */

static struct ap_slot *take(struct ap_ring *r, uint64_t *ticket) {
  *ticket = atomic_fetch_add(&r->head, 1);
  struct ap_slot *s = &r->slot[*ticket % r->slots];
  while (atomic_load_explicit(&s->turn, memory_order_acquire) != *ticket) sched_yield();
  return s;
}

static void post_and_wait(struct ap_ring *r, struct ap_slot *s, uint64_t ticket) {
  s->done = false;
  atomic_store_explicit(&s->turn, ticket + 1, memory_order_release);
  pthread_mutex_lock(&r->m);
  r->ringing = true;
  pthread_cond_signal(&r->posted);
  pthread_mutex_unlock(&r->m);
  pthread_mutex_lock(&s->m);
  while (!s->done) pthread_cond_wait(&s->served, &s->m);
  pthread_mutex_unlock(&s->m);
}

static void release(struct ap_ring *r, struct ap_slot *s, uint64_t ticket) {
  atomic_store_explicit(&s->turn, ticket + r->slots, memory_order_release);
}

enum gmmu_ap_error ap_ring_read(struct ap_ring *r, int file, uint64_t page, uint8_t *to) {
  uint64_t t;
  struct ap_slot *s = take(r, &t);
  s->op = AP_RING_READ, s->file = file, s->page = page;
  post_and_wait(r, s, t);
  enum gmmu_ap_error e = s->error;
  if (!e) memcpy(to, s->staging, GMMU_AP_PAGE);
  release(r, s, t);
  return e;
}

enum gmmu_ap_error ap_ring_write(struct ap_ring *r, int file, uint64_t page, const uint8_t *from) {
  uint64_t t;
  struct ap_slot *s = take(r, &t);
  s->op = AP_RING_WRITE, s->file = file, s->page = page;
  memcpy(s->staging, from, GMMU_AP_PAGE);
  post_and_wait(r, s, t);
  enum gmmu_ap_error e = s->error;
  release(r, s, t);
  return e;
}

enum gmmu_ap_error ap_ring_open(struct ap_ring *r, const char *path, enum gmmu_ap_prot mode,
                                int *file) {
  uint64_t t;
  struct ap_slot *s = take(r, &t);
  s->op = AP_RING_OPEN, s->path = path, s->mode = mode;
  post_and_wait(r, s, t);
  enum gmmu_ap_error e = s->error;
  *file = e ? -1 : s->file;
  release(r, s, t);
  return e;
}

enum gmmu_ap_prot ap_ring_mode(struct ap_ring *r, int handle) {
  int n = AP_FILE_NUMBER(handle), may = handle & AP_MAY_WRITE ? GMMU_AP_RDWR : GMMU_AP_READ;
  if (handle < 0 || handle >= 2 * GMMU_AP_MAX_FILES || n >= atomic_load(&r->num_files) ||
      may & ~atomic_load(&r->file[n].mode))
    return (enum gmmu_ap_prot)0;
  return (enum gmmu_ap_prot)may;
}

/* ---------------------------------------- life and death */

int ap_ring_init(struct ap_ring *r, const struct gmmu_ap_config *cfg, struct gmmu_err *err) {
  r->slots = cfg->ring_slots;
  r->batch = cfg->batch;
  r->slot = calloc(r->slots, sizeof *r->slot);
  r->staging = malloc((size_t)r->slots << GMMU_AP_PAGE_BITS);
  if (!r->slot || !r->staging) return gmmu_fail(err, "out of memory");
  for (uint32_t i = 0; i < r->slots; i++) {
    struct ap_slot *s = &r->slot[i];
    atomic_init(&s->turn, i);
    pthread_mutex_init(&s->m, NULL);
    pthread_cond_init(&s->served, NULL);
    s->staging = r->staging + ((size_t)i << GMMU_AP_PAGE_BITS);
  }
  pthread_mutex_init(&r->m, NULL);
  pthread_cond_init(&r->posted, NULL);
  if (pthread_create(&r->thread, NULL, host, r))
    return gmmu_fail(err, "no thread for the host side");
  r->running = true;
  return 0;
}

void ap_ring_free(struct ap_ring *r) {
  if (r->running) {
    pthread_mutex_lock(&r->m);
    r->stop = true;
    pthread_cond_signal(&r->posted);
    pthread_mutex_unlock(&r->m);
    pthread_join(r->thread, NULL);
    for (int i = 0; i < atomic_load(&r->num_files); i++) close(r->file[i].fd);
    for (uint32_t i = 0; i < r->slots; i++) {
      pthread_mutex_destroy(&r->slot[i].m);
      pthread_cond_destroy(&r->slot[i].served);
    }
    pthread_mutex_destroy(&r->m);
    pthread_cond_destroy(&r->posted);
  }
  free(r->slot);
  free(r->staging);
}
