/* SPDX-License-Identifier: Apache-2.0 */
/**
 * text.h - reading text, the same everywhere: lines, numbers, names, suggestions.
 *
 * Lines end with a newline or the end of the file, are at most GMMU_MAX_LINE bytes long and hold no
 * NUL byte. Numbers are decimal, also with leading zeros, or hexadecimal with 0x. Names are 1 to 31
 * printable ASCII characters without blanks.
 */
#ifndef GMMU_COMMON_TEXT_H
#define GMMU_COMMON_TEXT_H

#include "gmmu.h"

#define GMMU_MAX_LINE 65535

/** A text file that is being read. */
struct gmmu_text {
  FILE *f;
  const char *path;
  int line;  /**< number of the line in buf, from 1 on */
  char *buf; /**< its text without the newline; may be changed */
  size_t len, cap;
};
/** 1: the next line is in buf; 0: there is none; -1: *err names file and line. */
int gmmu_text_line(struct gmmu_text *t, struct gmmu_err *err);
void gmmu_text_free(struct gmmu_text *t); /**< the buffer; the file is the caller's */

/** NULL: *v is the number; else what is wrong with the word, as in "is negative". s may be NULL. */
const char *gmmu_number(const char *s, uint64_t *v);
/** The same with a greatest value. */
const char *gmmu_number_to(const char *s, uint64_t max, uint64_t *v);
/** NULL, or what is wrong with a name. */
const char *gmmu_name_wrong(const char *s);

/** The name most like `word` (letter case, one or two letters off), or NULL. */
const char *gmmu_nearest(const char *word, const char *const *names, size_t n);
/** ", did you mean 'NAME'?" in buf, or "". */
const char *gmmu_suggest(const char *word, const char *const *names, size_t n, char buf[96]);
/** Copy in which every byte that is not UTF-8 is U+FFFD; allocated. */
char *gmmu_utf8(const char *s);

#endif
