/* SPDX-License-Identifier: Apache-2.0 */
#include "common/outfile.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---------------------------------------- signals */
#define MAX_TEMPS 16
static char *volatile temps[MAX_TEMPS]; /* what a signal handler removes */
static char no_room[PATH_MAX + 64];     /* what it says of SIGBUS, or nothing */

static void on_signal(int sig) {
  for (int i = 0; i < MAX_TEMPS; i++)
    if (temps[i]) unlink(temps[i]);
  if (sig == SIGBUS) {
    ssize_t n = write(STDERR_FILENO, no_room, strlen(no_room));
    _exit(n < 0 ? 2 : 1);
  }
  raise(sig); /* SA_RESETHAND: now as if there were no handler */
}

void gmmu_outfile_signals(void) {
  const int all[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGXCPU, SIGXFSZ, SIGABRT};
  struct sigaction a, old;
  memset(&a, 0, sizeof a);
  a.sa_handler = on_signal;
  a.sa_flags = (int)SA_RESETHAND;
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    if (sigaction(all[i], NULL, &old) == 0 && old.sa_handler == SIG_DFL)
      sigaction(all[i], &a, NULL);
}

void gmmu_outfile_mapped(const char *path) {
  struct sigaction a;
  memset(&a, 0, sizeof a);
  a.sa_handler = path ? on_signal : SIG_DFL;
  if (path) snprintf(no_room, sizeof no_room, "gmmu: %s: no room for it\n", path);
  sigaction(SIGBUS, &a, NULL);
}

static int remember(char *name) {
  for (int i = 0; i < MAX_TEMPS; i++)
    if (!temps[i]) {
      temps[i] = name;
      return i;
    }
  return -1;
}

/* ---------------------------------------- which file is it */
/* The directory part with its slash, or "./". */
static char *directory(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? strndup(path, (size_t)(slash - path) + 1) : strdup("./");
}

static const char *base(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

/* Where symbolic links lead, whether or not there is a file. NULL: error in errno. */
static char *resolve(const char *path) {
  char *p = strdup(path), to[PATH_MAX];
  for (int hops = 0; p && hops < 40; hops++) {
    ssize_t n = readlink(p, to, sizeof to - 1);
    if (n < 0) return p;
    to[n] = 0;
    char *next = NULL, *dir = to[0] == '/' ? strdup("") : directory(p);
    if (dir && asprintf(&next, "%s%s", dir, to) < 0) next = NULL;
    free(dir);
    free(p);
    p = next;
  }
  if (p) errno = ELOOP;
  free(p);
  return NULL;
}

static bool same(const struct stat *a, const struct stat *b) {
  return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

bool gmmu_outfile_is_stdout(const char *path) {
  struct stat st, out;
  if (strcmp(path, "-") == 0) return true;
  return stat(path, &st) == 0 && fstat(STDOUT_FILENO, &out) == 0 && same(&st, &out) &&
         (S_ISREG(st.st_mode) || S_ISFIFO(st.st_mode));
}

/* What a use is: standard output, a file that is there, or a new one, known by its directory and
 * name. */
struct identity {
  enum { NOTHING, STDOUT, THERE, NEW } kind;
  struct stat st;
  char name[NAME_MAX + 1];
};

static struct identity identify(const struct gmmu_file_use *u) {
  struct identity id = {.kind = NOTHING};
  if (!u->path) return id;
  if (u->out && gmmu_outfile_is_stdout(u->path)) {
    id.kind = STDOUT;
    return id;
  }
  if (stat(u->path, &id.st) == 0) {
    if (S_ISREG(id.st.st_mode)) id.kind = THERE;
    return id;
  }
  char *p = u->out ? resolve(u->path) : NULL, *dir = p ? directory(p) : NULL;
  if (dir && stat(dir, &id.st) == 0 && strlen(base(p)) <= NAME_MAX) {
    id.kind = NEW;
    strcpy(id.name, base(p));
  }
  free(dir);
  free(p);
  return id;
}

int gmmu_files_apart(const struct gmmu_file_use *v, int n, struct gmmu_err *err) {
  for (int i = 0; i < n; i++) {
    struct identity a = identify(&v[i]);
    for (int k = 0; k < n && v[i].out && a.kind != NOTHING; k++) {
      if (k == i || (v[k].out && k > i)) continue; /* two outputs once */
      struct identity b = identify(&v[k]);
      if (b.kind != a.kind) continue;
      if (a.kind == STDOUT)
        return gmmu_fail(err, "%s and %s are both standard output", v[k].option, v[i].option);
      if (same(&a.st, &b.st) && (a.kind == THERE || strcmp(a.name, b.name) == 0))
        return gmmu_fail(err, "%s: %s is the file of %s %s as well", v[i].path, v[i].option,
                         v[k].option, v[k].path);
    }
  }
  return 0;
}

/* ---------------------------------------- writing */
static int no_file(struct gmmu_err *err, const char *path, const char *why) {
  return gmmu_fail(err, "%s: %s", path[0] ? path : "''", why);
}

static int set_up(struct gmmu_outfile *o, const char *path) {
  *o = (struct gmmu_outfile){.slot = -1, .path = strdup(path)};
  return o->path ? 0 : -1;
}

static void forget(struct gmmu_outfile *o) {
  if (o->tmp && o->slot >= 0) temps[o->slot] = NULL;
  if (o->helper) {
    unlink(o->helper);
    if (o->helper_slot >= 0) temps[o->helper_slot] = NULL;
  }
  free(o->helper);
  free(o->path);
  free(o->target);
  free(o->tmp);
  memset(o, 0, sizeof *o);
}

/* An existing regular file may be replaced. */
static int writable(const char *path, const struct stat *st, struct gmmu_err *err) {
  if (!(st->st_mode & 0222)) return no_file(err, path, "is read-only (it has no write bit)");
  return access(path, W_OK) ? no_file(err, path, strerror(errno)) : 0;
}

static int open_direct(struct gmmu_outfile *o, struct gmmu_err *err) {
  int fd = gmmu_outfile_is_stdout(o->path) ? dup(STDOUT_FILENO)
                                           : open(o->path, O_WRONLY | O_NOCTTY | O_CLOEXEC);
  fflush(stdout);
  o->f = fd >= 0 ? fdopen(fd, "w") : NULL;
  if (o->f) return 0;
  int e = errno;
  if (fd >= 0) close(fd);
  return no_file(err, o->path, strerror(e));
}

/* mkstemp under a name that signals remove. */
static int make_temporary(char *name, int *slot) {
  sigset_t all, before;
  sigfillset(&all);
  sigprocmask(SIG_BLOCK, &all, &before); /* between its creation and its entry in the list */
  int fd = mkstemp(name), e = errno;
  *slot = fd >= 0 ? remember(name) : -1;
  sigprocmask(SIG_SETMASK, &before, NULL);
  errno = e;
  return fd;
}

int gmmu_scratch_make(char *name, struct gmmu_err *err) {
  int slot, fd = make_temporary(name, &slot);
  if (fd >= 0) return fd;
  no_file(err, name, strerror(errno));
  name[0] = 0;
  return -1;
}

void gmmu_scratch_remove(char *name) {
  if (name[0]) unlink(name);
  for (int i = 0; i < MAX_TEMPS; i++)
    if (temps[i] == name) temps[i] = NULL;
  name[0] = 0;
}

/* Beside the target. */
static int open_temporary(struct gmmu_outfile *o, const struct stat *like, mode_t mode,
                          struct gmmu_err *err) {
  char *dir = directory(o->target);
  int fd, e;
  if (!dir || asprintf(&o->tmp, "%s.gmmu.XXXXXX", dir) < 0) o->tmp = NULL;
  free(dir);
  if (!o->tmp) return gmmu_fail(err, "out of memory");
  fd = make_temporary(o->tmp, &o->slot);
  e = errno;
  o->f = fd >= 0 ? fdopen(fd, "w") : NULL;
  if (o->f) {
    if (like && geteuid() == 0 && fchown(fd, like->st_uid, like->st_gid))
      return no_file(err, o->path, strerror(errno));
    return fchmod(fd, mode) ? no_file(err, o->path, strerror(errno)) : 0;
  }
  if (fd >= 0) {
    close(fd);
    unlink(o->tmp);
  }
  free(o->tmp); /* not entered: mkstemp failed */
  o->tmp = NULL;
  return no_file(err, o->path, strerror(e));
}

int gmmu_outfile_open(struct gmmu_outfile *o, const char *path, struct gmmu_err *err) {
  struct stat st, to;
  bool there = stat(path, &st) == 0;
  mode_t mask = umask(0);
  int r;
  umask(mask);
  if (set_up(o, path)) return gmmu_fail(err, "out of memory");
  if (gmmu_outfile_is_stdout(path)) r = open_direct(o, err);
  else if (there && S_ISDIR(st.st_mode)) r = no_file(err, path, "is a directory");
  else if (there && !S_ISREG(st.st_mode)) r = open_direct(o, err);
  else if (there && writable(path, &st, err)) r = -1;
  else if (!(o->target = resolve(path))) r = no_file(err, path, strerror(errno));
  else if (there && (stat(o->target, &to) || !same(&st, &to)))
    r = open_direct(o, err); /* open somewhere, but without a name */
  else r = open_temporary(o, there ? &st : NULL, there ? st.st_mode & 0777 : 0666 & ~mask, err);
  if (r) gmmu_outfile_abort(o);
  return r;
}

int gmmu_outfile_check(const char *path, struct gmmu_err *err) {
  struct gmmu_outfile o;
  struct stat st;
  if (gmmu_outfile_is_stdout(path)) return 0;
  if (stat(path, &st) == 0 && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode))
    return access(path, W_OK) ? no_file(err, path, strerror(errno)) : 0;
  if (gmmu_outfile_open(&o, path, err)) return -1;
  gmmu_outfile_abort(&o);
  return 0;
}

int gmmu_outfile_commit(struct gmmu_outfile *o, struct gmmu_err *err) {
  bool bad = ferror(o->f) != 0;
  errno = 0;
  if (bad) { /* once more, for its reason */
    clearerr(o->f);
    fputc(0, o->f);
    fflush(o->f);
  }
  int why = errno;
  bad |= fclose(o->f) != 0;
  o->f = NULL;
  if (!bad && (!o->tmp || rename(o->tmp, o->target) == 0)) {
    forget(o);
    return 0;
  }
  why = why ? why : errno;
  no_file(err, o->path, why ? strerror(why) : "cannot be written");
  gmmu_outfile_abort(o);
  return -1;
}

void gmmu_outfile_abort(struct gmmu_outfile *o) {
  if (o->f) fclose(o->f);
  if (o->tmp) unlink(o->tmp);
  forget(o);
}

int gmmu_outfile_regular(const char *option, const char *path, struct gmmu_err *err) {
  struct stat st;
  if (strcmp(path, "-") == 0 || (stat(path, &st) == 0 && !S_ISREG(st.st_mode)))
    return gmmu_fail(err, "%s %s: needs a regular file", option, path);
  return gmmu_outfile_check(path, err);
}

int gmmu_outfile_helper(struct gmmu_outfile *o, const char *suffix, struct gmmu_err *err) {
  if (asprintf(&o->helper, "%s%s", o->tmp, suffix) < 0) {
    o->helper = NULL;
    return gmmu_fail(err, "out of memory");
  }
  o->helper_slot = remember(o->helper);
  return 0;
}
