/* SPDX-License-Identifier: Apache-2.0 */
/* watch.c - see watch.h. The table is small (a range per block), so it is searched from end to end;
 * the handler takes no memory and calls nothing but memcpy and mprotect's system call. */
#include "gdm/watch.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sigsegv.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "gmmu_gdm.h"

#define PAGE ((uintptr_t)4096)
#define SLOTS 65536
#define STACKS 256

static struct gdm_watch_range *table[SLOTS];
static int used; /* slots in use lie below */
int gdm_watch_ranges;
static atomic_flag busy = ATOMIC_FLAG_INIT;
static atomic_uint endings; /* ranges that ended */
static struct {
  uintptr_t lo, hi;
} stacks[STACKS];
static int num_stacks;
static _Thread_local bool stack_known;
static _Thread_local volatile bool locked; /* by this thread */
static _Thread_local sigset_t signals;     /* its mask otherwise */
static _Thread_local uintptr_t last_fault;
static _Thread_local unsigned last_endings;

/* Without the application's signals: a handler of theirs that reads would wait for who holds the
 * lock, which is the thread that it interrupts. Those of faults come as ever. */
static void lock(void) {
  sigset_t most, before;
  sigfillset(&most);
  sigdelset(&most, SIGSEGV);
  sigdelset(&most, SIGBUS);
  pthread_sigmask(SIG_SETMASK, &most, &before);
  while (atomic_flag_test_and_set_explicit(&busy, memory_order_acquire)) sched_yield();
  signals = before;
  locked = true;
}
static void unlock(void) {
  sigset_t before = signals;
  locked = false;
  atomic_flag_clear_explicit(&busy, memory_order_release);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
}

/* Not libc's, which interpose.c replaces. */
static int protect(uintptr_t at, size_t n, int prot) {
  return (int)syscall(SYS_mprotect, at, n, prot);
}

static uintptr_t first_page(const struct gdm_watch_range *w) {
  return (uintptr_t)w->src & ~(PAGE - 1);
}
static uintptr_t end_page(const struct gdm_watch_range *w) {
  return ((uintptr_t)w->src + w->len + PAGE - 1) & ~(PAGE - 1);
}

static bool watched_by_another(const struct gdm_watch_range *w, uintptr_t page) {
  for (int i = 0; i < used; i++)
    if (table[i] && table[i] != w && page >= first_page(table[i]) && page < end_page(table[i]))
      return true;
  return false;
}

/* Takes a range out of the table. Only its first and last pages can be shared with neighbours,
 * unless a buffer was copied twice: then every page is looked at. */
static void leave(struct gdm_watch_range *w) {
  uintptr_t at = first_page(w), end = end_page(w);
  bool shared = false;
  table[w->slot] = NULL;
  while (used > 0 && !table[used - 1]) used--;
  w->live = false;
  __atomic_fetch_sub(&gdm_watch_ranges, 1, __ATOMIC_SEQ_CST);
  for (int i = 0; i < used && !shared; i++)
    shared = table[i] && first_page(table[i]) < end && end_page(table[i]) > at;
  if (!shared) {
    protect(at, end - at, w->prot);
  } else {
    for (uintptr_t run = at; at < end; at += PAGE) {
      bool last = at + PAGE >= end, keep = watched_by_another(w, at);
      if (keep || last) {
        uintptr_t stop = keep ? at : end;
        if (stop > run) protect(run, stop - run, w->prot);
        run = at + PAGE;
      }
    }
  }
  atomic_fetch_add(&endings, 1);
}

/* A write that another thread makes after the pages are writable again comes after this, by the
 * page tables, which ThreadSanitizer does not see. */
#ifdef __SANITIZE_THREAD__
void AnnotateIgnoreReadsBegin(const char *file, int line);
void AnnotateIgnoreReadsEnd(const char *file, int line);
static void copy_source(void *to, const void *from, size_t n) {
  AnnotateIgnoreReadsBegin(__FILE__, __LINE__);
  memcpy(to, from, n);
  AnnotateIgnoreReadsEnd(__FILE__, __LINE__);
}
#else
static void copy_source(void *to, const void *from, size_t n) { memcpy(to, from, n); }
#endif

/* The source is about to change. */
static void resolve(struct gdm_watch_range *w) {
  if (w->mode == WATCH_COPY) {
    copy_source(w->to, w->src, w->len);
    w->copied = true;
    if (w->count) {
      __atomic_fetch_add(&w->count->bytes, w->len, __ATOMIC_RELAXED);
      __atomic_fetch_add(&w->count->faults, 1, __ATOMIC_RELAXED);
    }
  }
  leave(w);
}

static bool break_range(uintptr_t lo, uintptr_t hi) {
  bool any = false;
  for (int i = 0; i < used; i++) {
    if (!table[i] || first_page(table[i]) >= hi || end_page(table[i]) <= lo) continue;
    resolve(table[i]);
    any = true;
  }
  return any;
}

/* Who holds the lock does not wait for it: a sanitizer that reports what it finds then unmaps
 * memory of its own. */
void gdm_watch_break(const void *p, size_t n) {
  if (n == 0 || locked || !gdm_watch_any()) return;
  lock();
  break_range((uintptr_t)p, (uintptr_t)p + n);
  unlock();
}

/* Of libsigsegv: not 0 if the fault is ours. A page that another thread's fault made writable
 * meanwhile is tried again, once for each range that ended. */
static int on_fault(void *address, int serious) {
  uintptr_t at = (uintptr_t)address, page = at & ~(PAGE - 1);
  (void)serious;
  if (locked) return 0; /* a source that was unmapped behind our back: the program ends */
  lock();
  bool ours = break_range(page, page + PAGE);
  unsigned now = atomic_load(&endings);
  unlock();
  if (ours) {
    last_fault = 0;
    return 1;
  }
  if (now == 0 || (last_fault == at && last_endings == now)) return 0;
  last_fault = at;
  last_endings = now;
  return 1;
}

static void know_stack(void) {
  pthread_attr_t a;
  void *base;
  size_t size;
  if (stack_known || pthread_getattr_np(pthread_self(), &a))
    return; /* it frees memory, which takes the lock: not under it */
  bool known = !pthread_attr_getstack(&a, &base, &size);
  pthread_attr_destroy(&a);
  lock();
  if (known && num_stacks < STACKS) {
    stacks[num_stacks].lo = (uintptr_t)base;
    stacks[num_stacks++].hi = (uintptr_t)base + size;
  }
  unlock();
  stack_known = true;
}

/* Is every page from lo to hi watched already? Then *prot is what they were before. */
static bool all_watched(uintptr_t lo, uintptr_t hi, int *prot) {
  bool found = true;
  lock();
  while (found && lo < hi) {
    found = false;
    for (int i = 0; i < used && !found; i++) {
      if (!table[i] || first_page(table[i]) > lo || end_page(table[i]) <= lo) continue;
      found = true;
      lo = end_page(table[i]);
      *prot = table[i]->prot;
    }
  }
  unlock();
  return found;
}

/* Private, writable memory from lo to hi, in one mapping or several with equal protection? */
static bool plain_memory(uintptr_t lo, uintptr_t hi, int *prot) {
  FILE *f = fopen("/proc/self/maps", "re");
  char line[512];
  bool ok = false;
  *prot = 0;
  while (f && fgets(line, sizeof line, f)) {
    unsigned long from, to;
    char p[5];
    if (sscanf(line, "%lx-%lx %4s", &from, &to, p) != 3 || to <= lo) continue;
    int here = (p[0] == 'r' ? PROT_READ : 0) | (p[1] == 'w' ? PROT_WRITE : 0) |
               (p[2] == 'x' ? PROT_EXEC : 0);
    if (from <= lo && here == PROT_READ && p[3] == 'p' && all_watched(lo, to < hi ? to : hi, &here))
      p[1] = 'w';
    if (from > lo || p[3] != 'p' || p[0] != 'r' || p[1] != 'w' || strstr(line, "[stack") ||
        (*prot && *prot != here))
      break;
    *prot = here;
    lo = to;
    ok = lo >= hi;
    if (ok) break;
  }
  if (f) fclose(f);
  return ok;
}

bool gdm_watch_pages(const void *p, size_t n, size_t *skip, size_t *len, int *prot) {
  uintptr_t at = (uintptr_t)p, lo = (at + PAGE - 1) & ~(PAGE - 1), hi = (at + n) & ~(PAGE - 1);
  sigsegv_install_handler(on_fault); /* each time: the application may have set another since */
  know_stack();
  lock();
  bool on_stack = false;
  for (int i = 0; i < num_stacks; i++)
    on_stack = on_stack || (at < stacks[i].hi && at + n > stacks[i].lo);
  unlock();
  if (on_stack || hi <= lo) return false;
  if (!plain_memory(lo, hi, prot)) return false;
  *skip = lo - at;
  *len = hi - lo;
  return true;
}

void gdm_watch_add(struct gdm_watch_range *w) {
  uintptr_t at = first_page(w);
  lock();
  w->copied = false;
  w->slot = 0;
  while (w->slot < SLOTS && table[w->slot]) w->slot++;
  w->live = w->slot < SLOTS && !protect(at, end_page(w) - at, w->prot & ~PROT_WRITE);
  if (w->live) {
    table[w->slot] = w;
    if (w->slot >= used) used = w->slot + 1;
    __atomic_fetch_add(&gdm_watch_ranges, 1, __ATOMIC_SEQ_CST);
  } else {
    copy_source(w->to, w->src, w->len);
    w->copied = true;
  }
  unlock();
}

void gdm_watch_end(struct gdm_watch_range *w) {
  lock();
  if (w->live) leave(w);
  unlock();
}

void gdm_watch_copy(struct gdm_watch_range *w) {
  lock();
  if (w->live) {
    copy_source(w->to, w->src, w->len);
    w->copied = true;
    leave(w);
  }
  unlock();
}

bool gdm_watch_mode(struct gdm_watch_range *w, enum gdm_watch_mode mode) {
  lock();
  bool live = w->live;
  if (live) w->mode = mode;
  unlock();
  return live;
}

bool gdm_watch_move(struct gdm_watch_range *w, uint8_t *to) {
  lock();
  bool live = w->live;
  if (live) w->to = to;
  unlock();
  return live;
}

bool gdm_watch_read(struct gdm_watch_range *w, void *to, size_t offset, size_t bytes) {
  lock(); /* a fault at `to` would wait for it */
  break_range((uintptr_t)to, (uintptr_t)to + bytes);
  bool live = w->live;
  if (live) copy_source(to, w->src + offset, bytes);
  unlock();
  return live;
}

bool gdm_watch_any(void) { return __atomic_load_n(&gdm_watch_ranges, __ATOMIC_RELAXED) > 0; }

/* Replaced by interpose.c where the program links it. */
__attribute__((weak)) bool gdm_watch_interposed(void) { return false; }
