/* SPDX-License-Identifier: Apache-2.0 */
/**
 * watch.h - write watch on the source buffers of copies (GDM, section 4.1): whole pages are made
 * read-only, and who writes to them first has what is watched copied, or is told that the host's
 * copy is lost.
 *
 * One table for the process, as SIGSEGV is the process's; any thread may write to a watched page.
 * Functions are for one thread at a time but gdm_watch_break() and the fault handler, which may
 * come from any.
 */
#ifndef GMMU_GDM_WATCH_H
#define GMMU_GDM_WATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum gdm_watch_mode {
  WATCH_COPY, /**< the data has no other home: a write copies it to `to` */
  WATCH_DROP  /**< the device has it too: a write only says that the source is no longer equal */
};
struct gdm_watch_count {
  uint64_t bytes, faults; /**< copied, times (atomic) */
};
/** One watched range of a source: bytes [src, src + len), on pages that are watched whole. */
struct gdm_watch_range {
  uint8_t *src, *to;
  size_t len;
  int prot;                      /**< of the pages before */
  struct gdm_watch_count *count; /**< or NULL */
  /* under the lock: */
  enum gdm_watch_mode mode;
  bool live;   /**< the source still has the data */
  bool copied; /**< it is in `to` */
  int slot;
};

/** The part of [p, p + n) that can be watched: whole pages, private and writable, on no stack.
 * False: nothing. */
bool gdm_watch_pages(const void *p, size_t n, size_t *skip, size_t *len, int *prot);
/** Starts to watch; if that is impossible (table full, too many mappings) copies at once. */
void gdm_watch_add(struct gdm_watch_range *w);
/** Ends it without a copy and gives the pages back what they were, but for those that others watch.
 */
void gdm_watch_end(struct gdm_watch_range *w);
/** Copies now what is live, and ends it. */
void gdm_watch_copy(struct gdm_watch_range *w);
/** Changes the mode; false: not live any more. */
bool gdm_watch_mode(struct gdm_watch_range *w, enum gdm_watch_mode mode);
/** Another home for what a write copies; false: not live any more, it was copied to the old one (or
 * dropped). */
bool gdm_watch_move(struct gdm_watch_range *w, uint8_t *to);
/** Reads bytes from the source if it is live. `to` may be watched itself. */
bool gdm_watch_read(struct gdm_watch_range *w, void *to, size_t offset, size_t bytes);
/** Somebody is about to write to, unmap or hand to the kernel [p, p + n). */
void gdm_watch_break(const void *p, size_t n);
/** Ranges that are watched (atomic). */
extern int gdm_watch_ranges;
/** Is anything watched? */
bool gdm_watch_any(void);

#endif
