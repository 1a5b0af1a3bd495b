/* SPDX-License-Identifier: Apache-2.0 */
/** write_inside.h - writes to a file that somebody else may shorten at any moment, which therefore
 * must not be made longer. */
#ifndef GMMU_COMMON_WRITE_INSIDE_H
#define GMMU_COMMON_WRITE_INSIDE_H

#include <sys/types.h>

/** n bytes (1 to 4096) at file byte `at`, as a store through mmap would: what lies behind the
 * file's end by then is not written. fd: open for reading and writing. 0, or an error number. */
int gmmu_write_inside(int fd, const void *from, size_t n, off_t at);

#endif
