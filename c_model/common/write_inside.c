/* SPDX-License-Identifier: Apache-2.0 */
#include "common/write_inside.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* A pipe's data into memory: where a store would be SIGBUS, as there is no file behind it any more,
 * the kernel's copy is EFAULT. */
static int fill(uint8_t *to, const uint8_t *from, size_t n) {
  int p[2], e = 0;
  if (pipe2(p, O_CLOEXEC)) return errno;
  for (size_t done = 0, k; done < n && !e; done += k) {
    ssize_t w = write(p[1], from + done, n - done);
    k = w > 0 ? (size_t)w : 0;
    if (w < 0 && errno != EINTR) e = errno;
    for (size_t got = 0; got < k && !e;) {
      ssize_t r = read(p[0], to + done + got, k - got);
      if (r > 0) got += (size_t)r;
      else if (r == 0 || errno != EINTR) e = r ? errno : EIO;
    }
  }
  close(p[0]);
  close(p[1]);
  return e;
}

/* The file system has no shared mappings: a file that shrinks at this moment may grow again. */
static int write_plainly(int fd, const uint8_t *from, size_t n, off_t at) {
  for (size_t done = 0; done < n;) {
    ssize_t k = pwrite(fd, from + done, n - done, at + (off_t)done);
    if (k == 0 || (k < 0 && errno != EINTR)) return k ? errno : EIO;
    if (k > 0) done += (size_t)k;
  }
  return 0;
}

int gmmu_write_inside(int fd, const void *from, size_t n, off_t at) {
  struct stat st;
  size_t skew = (size_t)at % (size_t)sysconf(_SC_PAGESIZE);
  uint8_t *map = mmap(NULL, skew + n, PROT_READ | PROT_WRITE, MAP_SHARED, fd, at - (off_t)skew);
  if (map == MAP_FAILED) return errno == ENODEV ? write_plainly(fd, from, n, at) : errno;
  int e = fill(map + skew, from, n);
  munmap(map, skew + n);
  if (e != EFAULT) return e;
  if (fstat(fd, &st)) return errno;
  return st.st_size < at + (off_t)n ? 0 : ENOSPC; /* a hole that cannot be filled is EFAULT too */
}
