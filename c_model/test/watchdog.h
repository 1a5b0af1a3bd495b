/* SPDX-License-Identifier: Apache-2.0 */
/** watchdog.h - a unit test that hangs ends by itself, with exit status 1, and says in which
 * functions its threads are. Every program of c_model/test/ is linked with it, and started under
 * the bounds of `watchdog_default`. */
#ifndef GMMU_TEST_WATCHDOG_H
#define GMMU_TEST_WATCHDOG_H

struct watchdog_bounds {
  double busy;   /**< seconds of processor time, all threads together */
  double asleep; /**< seconds in which no thread runs, nor waits for a disk */
};

/** The longest test takes a minute under AddressSanitizer; no test sleeps for a second. Who starts
 * a test with less processor time (RLIMIT_CPU) has the word a second before that is used up. */
static const struct watchdog_bounds watchdog_default = {200, 20};

/** Watches this process from now on, from a thread of its own, under these bounds instead of those
 * before. Not in a child of fork(): start a program there. */
void watchdog_start(struct watchdog_bounds bounds);

#endif
