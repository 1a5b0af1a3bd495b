/* SPDX-License-Identifier: Apache-2.0 */
/** temp_file.h - a file of a test's own: the plain test and the one under AddressSanitizer run at
 * the same time. */
#ifndef GMMU_TEST_TEMP_FILE_H
#define GMMU_TEST_TEMP_FILE_H
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/** Writes text to a new file; path: `char path[] = TEMP_FILE;`, becomes its name, the caller
 * unlinks it. */
#define TEMP_FILE "/tmp/gmmu-test-XXXXXX"
static inline void temp_file(char *path, const char *text) {
  int fd = mkstemp(path);
  FILE *f = fd < 0 ? NULL : fdopen(fd, "w");
  assert_non_null(f);
  fputs(text, f);
  assert_int_equal(fclose(f), 0);
}
#endif
