/* SPDX-License-Identifier: Apache-2.0 */
/** test_watchdog.c - unit tests that hang, busy or asleep, end and say where; others are left
 * alone. */
#include "watchdog.h"

#include <semaphore.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
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
__attribute__((noinline)) static void sleeps_for_ever(void) {
  while (sem_wait(&nobody_posts)) continue;
  never = true; /* so that the call above is no tail call */
}
static void is_busy_a_little(void) {
  for (clock_t start = clock(); clock() - start < CLOCKS_PER_SEC / 2;) continue;
}

/* A child that does `what` under these bounds: its exit status; said: its standard error. */
__attribute__((noinline)) static int child(struct watchdog_bounds bounds, void (*what)(void),
                                           char *said, size_t size) {
  int ends[2], status;
  size_t n = 0;
  ssize_t got;
  pid_t pid;

  assert_int_equal(pipe(ends), 0);
  pid = fork();
  assert_true(pid >= 0);
  if (!pid) {
    dup2(ends[1], 2);
    watchdog_start(bounds);
    what();
    _exit(0);
  }
  close(ends[1]);
  while ((got = read(ends[0], said + n, size - 1 - n)) > 0) n += (size_t)got;
  said[n] = 0;
  close(ends[0]);
  assert_int_equal(waitpid(pid, &status, 0), pid);
  assert_true(WIFEXITED(status));
  return WEXITSTATUS(status);
}

static void says_where_it_is_busy(void **state) {
  char said[4096];

  (void)state;
  assert_int_equal(child((struct watchdog_bounds){0.3, 20}, spins_for_ever, said, sizeof said), 1);
  assert_non_null(strstr(said, "watchdog: test_watchdog: no end within processor time of 0.3 s"));
  assert_non_null(strstr(said, "spins_for_ever < child < says_where_it_is_busy"));
}

static void says_where_it_sleeps(void **state) {
  char said[4096];

  (void)state;
  assert_int_equal(child((struct watchdog_bounds){300, 1}, sleeps_for_ever, said, sizeof said), 1);
  assert_non_null(strstr(said, "watchdog: test_watchdog: nothing runs for 1.0 s"));
  assert_non_null(strstr(said, "sleeps_for_ever < child < says_where_it_sleeps"));
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
  status = child(watchdog_default, spins_for_ever, said, sizeof said);
  assert_int_equal(setrlimit(RLIMIT_CPU, &before), 0);
  assert_int_equal(status, 1);
  assert_non_null(strstr(said, "no end within processor time of"));
}

static void leaves_others_alone(void **state) {
  char said[4096];

  (void)state;
  assert_int_equal(child((struct watchdog_bounds){20, 0.3}, is_busy_a_little, said, sizeof said),
                   0);
  assert_string_equal(said, "");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(says_where_it_is_busy), cmocka_unit_test(says_where_it_sleeps),
      cmocka_unit_test(has_the_word_before_a_limit), cmocka_unit_test(leaves_others_alone)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
