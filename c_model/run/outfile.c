/* SPDX-License-Identifier: Apache-2.0 */
#include "run/outfile.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void forget(struct gmmu_outfile *o) {
  free(o->path);
  free(o->tmp);
  memset(o, 0, sizeof *o);
}

int gmmu_outfile_open(struct gmmu_outfile *o, const char *path, struct gmmu_err *err) {
  struct stat st;
  int fd;

  memset(o, 0, sizeof *o);
  if (stat(path, &st) == 0 && S_ISDIR(st.st_mode))
    return gmmu_fail(err, "%s: is a directory", path);
  o->path = strdup(path);
  if (asprintf(&o->tmp, "%s.XXXXXX", path) < 0)
    o->tmp = NULL;
  if (!o->path || !o->tmp) {
    forget(o);
    return gmmu_fail(err, "out of memory");
  }
  fd = mkstemp(o->tmp);
  o->f = fd >= 0 ? fdopen(fd, "w") : NULL;
  if (!o->f) {
    int e = errno;
    forget(o);
    return gmmu_fail(err, "%s: %s", path, strerror(e));
  }
  (void)fchmod(fd, 0644);
  return 0;
}

int gmmu_outfile_commit(struct gmmu_outfile *o, struct gmmu_err *err) {
  bool bad = ferror(o->f) != 0;
  int e;

  bad |= fclose(o->f) != 0;
  o->f = NULL;
  if (!bad && rename(o->tmp, o->path) == 0) {
    forget(o);
    return 0;
  }
  e = errno;
  gmmu_fail(err, "%s: %s", o->path, strerror(e));
  gmmu_outfile_abort(o);
  return -1;
}

void gmmu_outfile_abort(struct gmmu_outfile *o) {
  if (o->f)
    fclose(o->f);
  if (o->tmp)
    unlink(o->tmp);
  forget(o);
}
