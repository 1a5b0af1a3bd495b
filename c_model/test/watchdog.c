/* SPDX-License-Identifier: Apache-2.0 */
#include "watchdog.h"

#include <dirent.h>
#include <errno.h>
#include <execinfo.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define DEPTH 40
#define POLL 0.1 /* seconds */
#define ASK SIGXCPU

extern const char __executable_start, etext; /* of the linker */

static struct watchdog_bounds bound;
static void *frames[DEPTH];         /* of the thread that was asked last */
static int num_frames, interrupted; /* the frame of the instruction that the signal met: the only
  one that isn't a return address behind its call */
static sem_t asked;

static double seconds(clockid_t clock) {
  struct timespec t;

  clock_gettime(clock, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void answer(int signal) {
  int kept = errno;

  (void)signal;
  num_frames = backtrace(frames, DEPTH);
  interrupted = 0;
  for (int i = 1; i < num_frames; i++)
    if (frames[i - 1] == __builtin_return_address(0)) interrupted = i;
  sem_post(&asked);
  errno = kept;
}

static void no_more(int signal) {
  (void)signal;
  _exit(1);
}

/** The names of the program's functions among `frames`, the innermost first. */
static void say_functions(void) {
  char command[512 + DEPTH * 20], name[256], place[512];
  uintptr_t first = (uintptr_t)&__executable_start, end = (uintptr_t)&etext;
  int n = snprintf(command, sizeof command, "addr2line -f -e /proc/%d/exe", (int)getpid());
  const char *between = "";
  FILE *f;

  for (int i = interrupted; i < num_frames; i++) {
    uintptr_t at = (uintptr_t)frames[i] - (i != interrupted);
    if (at >= first && at < end)
      n += snprintf(command + n, sizeof command - (size_t)n, " 0x%zx", (size_t)(at - first));
  }
  f = popen(command, "r");
  while (f && fscanf(f, "%255s %511[^\n]", name, place) == 2) {
    if (!strcmp(name, "main") || name[0] == '_') break;
    name[strcspn(name, ".")] = 0; /* what the compiler adds to a copy of its own */
    fprintf(stderr, "%s%s", between, name);
    between = " < ";
  }
  fprintf(stderr, "%s\n", *between ? "" : "a library");
  if (f) pclose(f);
}

static void say_thread(int tid) {
  struct timespec late;

  clock_gettime(CLOCK_REALTIME, &late);
  late.tv_sec += 2;
  if (syscall(SYS_tgkill, getpid(), tid, ASK)) return;
  fprintf(stderr, "  thread %d waits or runs in ", tid);
  if (sem_timedwait(&asked, &late)) fprintf(stderr, "an unknown place\n");
  else say_functions();
}

static _Noreturn void say(const char *what, double n) {
  int me = (int)syscall(SYS_gettid);
  DIR *d;

  signal(SIGALRM, no_more); /* should what follows wait for a lock of who hangs */
  alarm(20);
  fprintf(stderr, "\nwatchdog: %s: %s %.1f s\n", program_invocation_short_name, what, n);
  d = opendir("/proc/self/task");
  for (struct dirent *e; d && (e = readdir(d));) {
    int tid = atoi(e->d_name);
    if (tid && tid != me) say_thread(tid);
  }
  _exit(1);
}

/** Does a thread but this one run, or wait for a disk, which may take its time? */
static bool somebody_runs(void) {
  int me = (int)syscall(SYS_gettid);
  DIR *d = opendir("/proc/self/task");
  bool found = false;

  for (struct dirent *e; d && !found && (e = readdir(d));) {
    char path[64], state = 0;
    int tid = atoi(e->d_name);
    FILE *f;
    if (!tid || tid == me) continue;
    snprintf(path, sizeof path, "/proc/self/task/%d/stat", tid);
    if (!(f = fopen(path, "r"))) continue;
    if (fscanf(f, "%*d (%*[^)]) %c", &state) == 1) found = state == 'R' || state == 'D';
    fclose(f);
  }
  if (d) closedir(d);
  return found;
}

static void *watch(void *arg) {
  double last = 0, still = 0;

  (void)arg;
  for (;;) {
    double used;
    usleep((useconds_t)(POLL * 1e6));
    used = seconds(CLOCK_PROCESS_CPUTIME_ID);
    if (used > bound.busy) say("no end within processor time of", bound.busy);
    still = used - last < POLL / 100 && !somebody_runs() ? still + POLL : 0;
    last = used;
    if (still > bound.asleep) say("nothing runs for", bound.asleep);
  }
  return NULL;
}

void watchdog_start(struct watchdog_bounds bounds) {
  static bool started;
  struct sigaction a = {.sa_handler = answer, .sa_flags = SA_RESTART};
  struct rlimit given;
  sigset_t all, before;
  pthread_t thread;

  bound = bounds;
  if (!getrlimit(RLIMIT_CPU, &given) && given.rlim_cur != RLIM_INFINITY &&
      (double)given.rlim_cur - 1 < bound.busy)
    bound.busy = (double)given.rlim_cur - 1;
  if (started) return;
  started = true;
  sem_init(&asked, 0, 0);
  backtrace(frames, 1); /* loads what it needs */
  sigaction(ASK, &a, NULL);
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before); /* the test's signals are not this thread's */
  sigdelset(&all, SIGALRM);
  sigdelset(&all, SIGPROF); /* of gdm_watch_rig.h */
  if (pthread_create(&thread, NULL, watch, NULL)) {
    fprintf(stderr, "watchdog: no thread\n");
    exit(1);
  }
  pthread_detach(thread);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
}

__attribute__((constructor)) static void start(void) { watchdog_start(watchdog_default); }
