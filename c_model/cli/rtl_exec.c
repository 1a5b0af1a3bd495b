/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/rtl_exec.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/util.h"

/** Runs make; its messages go to stderr, so that stdout holds results only. */
static int run_make(const char *goal, char *const *argv, struct gmmu_err *err) {
  int status;
  pid_t pid;

  fflush(NULL);
  pid = fork();
  if (pid < 0) return gmmu_fail(err, "fork: %s", strerror(errno));
  if (pid == 0) {
    dup2(2, 1);
    execvp("make", argv);
    _exit(127);
  }
  while (waitpid(pid, &status, 0) < 0)
    if (errno != EINTR) return gmmu_fail(err, "waitpid: %s", strerror(errno));
  if (!WIFEXITED(status) || WEXITSTATUS(status))
    return gmmu_fail(err, "the RTL of this configuration does not build (make %s failed)", goal);
  return 0;
}

/** One build at a time: two runs started together would write the same objects. */
static int build(const char *goal, const char *root, const char *preset, char *const *set,
                 int num_set, bool waves, struct gmmu_err *err) {
  char lock[PATH_MAX + 32], path[PATH_MAX], *p = NULL, *s = NULL, *settings;
  int fd, r = -1;

  snprintf(lock, sizeof lock, "%s/build", root);
  (void)mkdir(lock, 0755);
  strcat(lock, "/.rtl-lock");
  fd = open(lock, O_CREAT | O_RDWR | O_CLOEXEC, 0644);
  if (fd < 0 || flock(fd, LOCK_EX)) {
    if (fd >= 0) close(fd);
    return gmmu_fail(err, "%s: %s", lock, strerror(errno));
  }
  if (strchr(preset, '/') && realpath(preset, path)) /* make runs in another directory */
    preset = path;
  settings = cli_command(num_set, set, NULL);
  if (settings && asprintf(&p, "PRESET=%s", preset) >= 0 && asprintf(&s, "SET=%s", settings) >= 0) {
    char *argv[] = {"make", "-s", "--no-print-directory",   "-C", (char *)root, (char *)goal,
                    p,      s,    waves ? "WAVES=1" : NULL, NULL};
    unsetenv("MAKEFLAGS"); /* a make above us has its own goals and settings */
    unsetenv("MAKELEVEL");
    r = run_make(goal, argv, err);
  } else {
    gmmu_fail(err, "out of memory");
  }
  free(p);
  free(s);
  free(settings);
  close(fd);
  return r;
}

int cli_rtl_exec(const struct gmmu_app *app, const struct gmmu_config *c, const char *preset,
                 char *const *set, int num_set, bool waves, struct gmmu_err *err) {
  char root[PATH_MAX], file[PATH_MAX + 64], key[17];

  if (cli_root(root, sizeof root))
    return gmmu_fail(err, "cannot find the gmmu tree (set GMMU_ROOT)");
  gmmu_config_rtl_key(c, key);
  snprintf(file, sizeof file, "%s/Makefile", root);
  if (access(file, R_OK) == 0 && build("rtl", root, preset, set, num_set, waves, err)) return -1;
  snprintf(file, sizeof file, "%s/build/rtl/%s%s/gmmu_rtl", root, key, waves ? "-waves" : "");
  fflush(NULL);
  execv(file, app->argv);
  return gmmu_fail(err, "%s: %s", file, strerror(errno));
}

int cli_memory_rtl(struct gmmu_memsys_peer *p, const struct gmmu_config *c, int apps,
                   const char *preset, char *const *set, int num_set, struct gmmu_err *err) {
  char root[PATH_MAX], file[PATH_MAX + 64], key[GMMU_MEMSYS_RTL_KEY];

  if (cli_root(root, sizeof root))
    return gmmu_fail(err, "cannot find the gmmu tree (set GMMU_ROOT)");
  gmmu_memsys_rtl_key(c, key);
  snprintf(file, sizeof file, "%s/Makefile", root);
  if (access(file, R_OK) == 0 && build("memory-rtl", root, preset, set, num_set, false, err))
    return -1;
  snprintf(file, sizeof file, "%s/build/memory-rtl/%s/channels.so", root, key);
  void *so = dlopen(file, RTLD_NOW | RTLD_LOCAL); /* until the program ends */
  gmmu_memsys_rtl_new_fn make = NULL;
  if (so) *(void **)&make = dlsym(so, GMMU_MEMSYS_RTL_NEW);
  if (!make) return gmmu_fail(err, "%s", dlerror());
  return make(p, c, (uint32_t)apps, err);
}
