/* SPDX-License-Identifier: Apache-2.0 */
/* interpose.c - linked into a program, replaces the calls that would lose or damage what the write
 * watch looks after (watch.h) without a fault that it could catch: memory that is given back or
 * moved, and system calls that write into a buffer, which fail on a read-only page. Each first has
 * what it touches copied. Not part of the library: who links it gets --watch cow. Built without
 * sanitizers, which call free() before they have started. */
#include <dlfcn.h>
#include <malloc.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include "gdm/watch.h"
#include "gmmu_gdm.h"

bool gdm_watch_interposed(void) { return true; }

/* The next definition of a function: libc's, or a sanitizer's. */
#define NEXT(name)                                         \
  static void *found;                                      \
  __typeof__(&name) next;                                  \
  void *known = __atomic_load_n(&found, __ATOMIC_RELAXED); \
  if (!known) {                                            \
    known = dlsym(RTLD_NEXT, #name);                       \
    __atomic_store_n(&found, known, __ATOMIC_RELAXED);     \
  }                                                        \
  memcpy(&next, &known, sizeof next);

static void before_free(void *p) {
  if (p && __atomic_load_n(&gdm_watch_ranges, __ATOMIC_RELAXED) > 0)
    gdm_watch_break(p, malloc_usable_size(p));
}
void free(void *p) {
  static _Thread_local bool
      finding; /* dlsym() itself may free an old error message: that one is left */
  if (finding) return;
  finding = true;
  NEXT(free)
  finding = false;
  before_free(p);
  next(p);
}
void *realloc(void *p, size_t n) {
  NEXT(realloc)
  before_free(p);
  return next(p, n);
}
void *reallocarray(void *p, size_t n, size_t size) {
  NEXT(reallocarray)
  before_free(p);
  return next(p, n, size);
}

/* Takes the place of what is mapped there. */
void *mmap(void *p, size_t n, int prot, int flags, int fd, off_t at) {
  NEXT(mmap)
  if (flags & MAP_FIXED) gdm_watch_break(p, n);
  return next(p, n, prot, flags, fd, at);
}
void *mmap64(void *p, size_t n, int prot, int flags, int fd, off64_t at) {
  NEXT(mmap64)
  if (flags & MAP_FIXED) gdm_watch_break(p, n);
  return next(p, n, prot, flags, fd, at);
}
int munmap(void *p, size_t n) {
  NEXT(munmap)
  gdm_watch_break(p, n);
  return next(p, n);
}
void *mremap(void *p, size_t n, size_t to, int flags, ...) {
  NEXT(mremap)
  va_list more;
  va_start(more, flags);
  void *at = flags & MREMAP_FIXED ? va_arg(more, void *) : NULL;
  va_end(more);
  gdm_watch_break(p, n);
  if (at) gdm_watch_break(at, to);
  return at ? next(p, n, to, flags, at) : next(p, n, to, flags);
}
int madvise(void *p, size_t n, int advice) {
  NEXT(madvise)
  gdm_watch_break(p, n);
  return next(p, n, advice);
}
/* The application may make its pages what it likes; the watch must not take them back to what they
 * were. */
int mprotect(void *p, size_t n, int prot) {
  NEXT(mprotect)
  gdm_watch_break(p, n);
  return next(p, n, prot);
}

ssize_t read(int fd, void *p, size_t n) {
  NEXT(read)
  gdm_watch_break(p, n);
  return next(fd, p, n);
}
ssize_t pread(int fd, void *p, size_t n, off_t at) {
  NEXT(pread)
  gdm_watch_break(p, n);
  return next(fd, p, n, at);
}
ssize_t pread64(int fd, void *p, size_t n, off64_t at) {
  NEXT(pread64)
  gdm_watch_break(p, n);
  return next(fd, p, n, at);
}
static void break_all(const struct iovec *v, int n) {
  for (int i = 0; i < n; i++) gdm_watch_break(v[i].iov_base, v[i].iov_len);
}
ssize_t readv(int fd, const struct iovec *v, int n) {
  NEXT(readv)
  break_all(v, n);
  return next(fd, v, n);
}
ssize_t preadv(int fd, const struct iovec *v, int n, off_t at) {
  NEXT(preadv)
  break_all(v, n);
  return next(fd, v, n, at);
}
ssize_t recv(int fd, void *p, size_t n, int flags) {
  NEXT(recv)
  gdm_watch_break(p, n);
  return next(fd, p, n, flags);
}
ssize_t recvfrom(int fd, void *p, size_t n, int flags, __SOCKADDR_ARG from, socklen_t *len) {
  NEXT(recvfrom)
  gdm_watch_break(p, n);
  return next(fd, p, n, flags, from, len);
}
ssize_t recvmsg(int fd, struct msghdr *m, int flags) {
  NEXT(recvmsg)
  break_all(m->msg_iov, (int)m->msg_iovlen);
  return next(fd, m, flags);
}
ssize_t getrandom(void *p, size_t n, unsigned flags) {
  NEXT(getrandom)
  gdm_watch_break(p, n);
  return next(p, n, flags);
}
/* libc reads large requests into the caller's buffer by a call of its own. */
size_t fread(void *p, size_t size, size_t n, FILE *f) {
  NEXT(fread)
  gdm_watch_break(p, size * n);
  return next(p, size, n, f);
}
#undef fread_unlocked
size_t fread_unlocked(void *p, size_t size, size_t n, FILE *f) {
  NEXT(fread_unlocked)
  gdm_watch_break(p, size * n);
  return next(p, size, n, f);
}

/* Less common ways to read. */
ssize_t preadv64(int fd, const struct iovec *v, int n, off64_t at) {
  NEXT(preadv64)
  break_all(v, n);
  return next(fd, v, n, at);
}
ssize_t preadv2(int fd, const struct iovec *v, int n, off_t at, int flags) {
  NEXT(preadv2)
  break_all(v, n);
  return next(fd, v, n, at, flags);
}
ssize_t preadv64v2(int fd, const struct iovec *v, int n, off64_t at, int flags) {
  NEXT(preadv64v2)
  break_all(v, n);
  return next(fd, v, n, at, flags);
}
int recvmmsg(int fd, struct mmsghdr *m, unsigned n, int flags, struct timespec *until) {
  NEXT(recvmmsg)
  for (unsigned i = 0; i < n; i++) break_all(m[i].msg_hdr.msg_iov, (int)m[i].msg_hdr.msg_iovlen);
  return next(fd, m, n, flags, until);
}
/* What a program compiled with _FORTIFY_SOURCE calls instead. */
ssize_t __read_chk(int fd, void *p, size_t n, size_t room);
ssize_t __pread_chk(int fd, void *p, size_t n, off_t at, size_t room);
ssize_t __pread64_chk(int fd, void *p, size_t n, off64_t at, size_t room);
ssize_t __recv_chk(int fd, void *p, size_t n, size_t room, int flags);
ssize_t __recvfrom_chk(int fd, void *p, size_t n, size_t room, int flags, __SOCKADDR_ARG from,
                       socklen_t *len);
size_t __fread_chk(void *p, size_t room, size_t size, size_t n, FILE *f);
size_t __fread_unlocked_chk(void *p, size_t room, size_t size, size_t n, FILE *f);
ssize_t __read_chk(int fd, void *p, size_t n, size_t room) {
  NEXT(__read_chk)
  gdm_watch_break(p, n);
  return next(fd, p, n, room);
}
ssize_t __pread_chk(int fd, void *p, size_t n, off_t at, size_t room) {
  NEXT(__pread_chk)
  gdm_watch_break(p, n);
  return next(fd, p, n, at, room);
}
ssize_t __pread64_chk(int fd, void *p, size_t n, off64_t at, size_t room) {
  NEXT(__pread64_chk)
  gdm_watch_break(p, n);
  return next(fd, p, n, at, room);
}
ssize_t __recv_chk(int fd, void *p, size_t n, size_t room, int flags) {
  NEXT(__recv_chk)
  gdm_watch_break(p, n);
  return next(fd, p, n, room, flags);
}
ssize_t __recvfrom_chk(int fd, void *p, size_t n, size_t room, int flags, __SOCKADDR_ARG from,
                       socklen_t *len) {
  NEXT(__recvfrom_chk)
  gdm_watch_break(p, n);
  return next(fd, p, n, room, flags, from, len);
}
size_t __fread_chk(void *p, size_t room, size_t size, size_t n, FILE *f) {
  NEXT(__fread_chk)
  gdm_watch_break(p, size * n);
  return next(p, room, size, n, f);
}
size_t __fread_unlocked_chk(void *p, size_t room, size_t size, size_t n, FILE *f) {
  NEXT(__fread_unlocked_chk)
  gdm_watch_break(p, size * n);
  return next(p, room, size, n, f);
}
