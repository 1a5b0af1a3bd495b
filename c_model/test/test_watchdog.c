/* SPDX-License-Identifier: Apache-2.0 */
/** test_watchdog.c - unit tests that hang, busy or asleep, end and say where; others are left
 * alone. */
#include "watchdog.h"

#include <errno.h>
#include <semaphore.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

static volatile bool never;
static sem_t nobody_posts;

__attribute__((noinline)) static void spins_for_ever(void) {
  while (!never) continue;
}
/* One instruction, the function's first: no return address lies as near its edge. */
__attribute__((noinline)) static void stands_for_ever(void) {
  for (;;) continue;
}
__attribute__((noinline)) static void sleeps_for_ever(void) {
  while (sem_wait(&nobody_posts)) continue;
  never = true; /* so that the call above is no tail call */
}
static void is_busy_a_little(void) {
  for (clock_t start = clock(); clock() - start < CLOCKS_PER_SEC / 2;) continue;
}

static const struct {
  const char *name;
  void (*what)(void);
} cases[] = {{"spins", spins_for_ever},
             {"stands", stands_for_ever},
             {"sleeps", sleeps_for_ever},
             {"is-busy", is_busy_a_little}};

/* This program, started by child(): NAME BUSY ASLEEP. */
__attribute__((noinline)) static int as_child(char **argument) {
  watchdog_start((struct watchdog_bounds){atof(argument[1]), atof(argument[2])});
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    if (!strcmp(argument[0], cases[i].name)) {
      cases[i].what();
      return 0;
    }
  return 2; /* there is no such case */
}

/* This program again, for the case `name` under these bounds: its exit status; said: its standard
 * error. A process of its own: after a fork() alone, locks of threads that are not there stay. */
static int child(const char *name, struct watchdog_bounds bounds, char *said, size_t size) {
  char busy[32], asleep[32];
  int ends[2], status;
  size_t n = 0;
  ssize_t got;
  pid_t pid;

  snprintf(busy, sizeof busy, "%g", bounds.busy);
  snprintf(asleep, sizeof asleep, "%g", bounds.asleep);
  assert_int_equal(pipe(ends), 0);
  pid = fork();
  assert_true(pid >= 0);
  if (!pid) {
    dup2(ends[1], 2);
    close(ends[0]);
    close(ends[1]);
    execl("/proc/self/exe", program_invocation_short_name, name, busy, asleep, (char *)NULL);
    _exit(127);
  }
  close(ends[1]);
  while ((got = read(ends[0], said + n, size - 1 - n)) > 0) n += (size_t)got;
  said[n] = 0;
  close(ends[0]);
  assert_int_equal(waitpid(pid, &status, 0), pid);
  assert_true(WIFEXITED(status));
  return WEXITSTATUS(status);
}

static void assert_says(const char *said, const char *what) {
  if (!strstr(said, what)) fail_msg("not said: %s; said: %s", what, said);
}

static void says_where_it_is_busy(void **state) {
  char said[4096];

  (void)state;
  assert_int_equal(child("spins", (struct watchdog_bounds){0.3, 20}, said, sizeof said), 1);
  assert_says(said, "watchdog: test_watchdog: no end within processor time of 0.3 s");
  assert_says(said, "spins_for_ever < as_child");
}

static void says_where_it_stands(void **state) {
  char said[4096];

  (void)state;
  assert_int_equal(child("stands", (struct watchdog_bounds){0.3, 20}, said, sizeof said), 1);
  assert_says(said, "stands_for_ever < as_child");
}

static void says_where_it_sleeps(void **state) {
  char said[4096];

  (void)state;
  assert_int_equal(child("sleeps", (struct watchdog_bounds){300, 1}, said, sizeof said), 1);
  assert_says(said, "watchdog: test_watchdog: nothing runs for 1.0 s");
  assert_says(said, "sleeps_for_ever < as_child");
}

/* Two seconds are given: the word comes after one, before the kernel ends the process. */
static void has_the_word_before_a_limit(void **state) {
  struct rlimit before, two;
  char said[4096];
  int status;

  (void)state;
  assert_int_equal(getrlimit(RLIMIT_CPU, &before), 0);
  two = before;
  two.rlim_cur = 2 + (rlim_t)(clock() / CLOCKS_PER_SEC);
  assert_int_equal(setrlimit(RLIMIT_CPU, &two), 0);
  status = child("spins", watchdog_default, said, sizeof said);
  assert_int_equal(setrlimit(RLIMIT_CPU, &before), 0);
  assert_int_equal(status, 1);
  assert_says(said, "no end within processor time of");
}

static void leaves_others_alone(void **state) {
  char said[4096];

  (void)state;
  assert_int_equal(child("is-busy", (struct watchdog_bounds){20, 0.3}, said, sizeof said), 0);
  assert_string_equal(said, "");
}

int main(int argc, char **argv) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(says_where_it_is_busy), cmocka_unit_test(says_where_it_stands),
      cmocka_unit_test(says_where_it_sleeps), cmocka_unit_test(has_the_word_before_a_limit),
      cmocka_unit_test(leaves_others_alone)};

  if (argc == 4) return as_child(argv + 1);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
