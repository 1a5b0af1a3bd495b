/* SPDX-License-Identifier: Apache-2.0 */
/** err.c - error lines. */
#include "gmmu.h"

#include <stdarg.h>
#include <string.h>

int gmmu_fail(struct gmmu_err *err, const char *fmt, ...) {
  /* Formatted aside first: callers prefix a line by passing err->msg itself as an argument. */
  char line[sizeof err->msg];
  va_list ap;

  if (!err) return -1;
  va_start(ap, fmt);
  vsnprintf(line, sizeof line, fmt, ap);
  va_end(ap);
  for (char *p = line; *p; p++)
    if ((unsigned char)*p < ' ' || *p == 0x7f)
      *p = '?'; /* an error is one line, whatever the input holds */
  memcpy(err->msg, line, sizeof line);
  return -1;
}
