/* SPDX-License-Identifier: Apache-2.0 */
/* alloc_rig.h - for tests of what happens without memory: malloc, calloc, realloc and free of the
 * whole test, which can refuse one allocation and count what is not given back. AddressSanitizer
 * has its own: there nothing is refused, and its leak check does the counting. */
#ifndef GMMU_TEST_ALLOC_RIG_H
#define GMMU_TEST_ALLOC_RIG_H

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>

#include <cmocka.h>

static bool counting;
static long not_freed, until_refused;

#ifndef __SANITIZE_ADDRESS__
/* NOLINTBEGIN(bugprone-reserved-identifier): glibc's names of what is replaced */
void *__libc_malloc(size_t n);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *p, size_t n);
void __libc_free(void *p);
/* NOLINTEND(bugprone-reserved-identifier) */

static bool refused(void) {
  if (!counting || until_refused-- != 0) return false;
  errno = ENOMEM;
  return true;
}
static void *counted(void *p) {
  not_freed += counting && p;
  return p;
}
void *malloc(size_t n) { return refused() ? NULL : counted(__libc_malloc(n)); }
void *calloc(size_t n, size_t size) { return refused() ? NULL : counted(__libc_calloc(n, size)); }
void *realloc(void *p, size_t n) {
  if (refused()) return NULL;
  return p ? __libc_realloc(p, n) : counted(__libc_realloc(p, n));
}
void free(void *p) {
  not_freed -= counting && p;
  __libc_free(p);
}
#endif

/* Each allocation of make() refused in turn, until it needs no more of them: it returns NULL and
 * leaves nothing behind; with all of them drop() leaves nothing behind. */
static void refuse_each(const char *what, void *(*make)(void), void (*drop)(void *)) {
  void *made = make();
  assert_non_null(made); /* what the C library keeps of a first use (of threads) is not counted */
  drop(made);
  made = NULL;
  for (long n = 0; !made; n++) {
    counting = true;
    not_freed = 0;
    until_refused = n;
    made = make();
    bool all = until_refused >= 0;
    if (made) drop(made);
    counting = false;
    if (!made == all) fail_msg("%s: allocation %ld refused: made %d", what, n, made != NULL);
    if (not_freed) fail_msg("%s: allocation %ld refused: %ld not freed", what, n, not_freed);
    assert_true(n < 1000);
  }
}

#endif
