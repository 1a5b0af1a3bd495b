/* SPDX-License-Identifier: Apache-2.0 */
/** test_apointer.c - pointers by hand (states, arithmetic, permissions, errors), then many warps on
 * few frames. */
#include "gmmu_apointer.h"

#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

enum { PAGE = GMMU_AP_PAGE, L = GMMU_AP_LANES };

static char path[] = "/tmp/gmmu-apointer-XXXXXX";
static uint8_t *content;
static size_t content_bytes;

/* A file of n bytes; byte i is a hash of i, so that no two pages are alike. */
static uint8_t byte_at(uint64_t i) {
  return (uint8_t)((i * UINT64_C(0x9e3779b97f4a7c15)) >> 56 ^ i);
}

static void make_file(size_t n) {
  strcpy(path, "/tmp/gmmu-apointer-XXXXXX");
  int fd = mkstemp(path);
  assert_true(fd >= 0);
  content = realloc(content, n);
  content_bytes = n;
  for (size_t i = 0; i < n; i++) content[i] = byte_at(i);
  assert_int_equal(write(fd, content, n), (ssize_t)n);
  close(fd);
}

/* A hang says who waits for whom. */
static struct gmmu_ap *running;
static void watchdog(int sig) {
  (void)sig;
  fprintf(stderr, "error: watchdog: a launch did not end\n");
  gmmu_ap_dump(running, stderr);
  _exit(2);
}

static struct gmmu_ap *make(uint32_t pages, uint32_t tlb, enum gmmu_ap_form form, bool prefetch) {
  struct gmmu_err err = {""};
  struct gmmu_ap_config c = {
      .pages = pages, .tlb_entries = tlb, .form = form, .prefetch = prefetch, .retry_limit = 200};
  struct gmmu_ap *s = gmmu_ap_new(&c, &err);
  if (!s) fail_msg("%s", err.msg);
  return s;
}

static void end(struct gmmu_ap *s) {
  struct gmmu_err err = {""};
  if (gmmu_ap_audit(s, 0, &err)) fail_msg("%s", err.msg);
  if (gmmu_ap_free(s, &err)) fail_msg("%s", err.msg);
  unlink(path);
}

static int launch(struct gmmu_ap *s, uint32_t blocks, uint32_t warps, gmmu_ap_kernel k, void *arg) {
  struct gmmu_err err = {""};
  running = s;
  alarm(60);
  int r = gmmu_ap_launch(s, blocks, warps, 2, k, arg, &err);
  alarm(0);
  if (r < 0) fail_msg("%s", err.msg);
  return r;
}

static int open_ro(struct gmmu_ap_warp *w) {
  int f;
  assert_int_equal(gmmu_ap_gopen(w, path, GMMU_AP_READ, &f), GMMU_AP_OK);
  return f;
}

/* Combinations of form, TLB and prefetch. */
struct build {
  uint32_t tlb;
  enum gmmu_ap_form form;
  bool prefetch;
};
static const struct build builds[] = {{0, GMMU_AP_LONG, false},
                                      {0, GMMU_AP_SHORT, true},
                                      {8, GMMU_AP_LONG, true},
                                      {4, GMMU_AP_SHORT, false},
                                      {1, GMMU_AP_LONG, false}};
#define EACH_BUILD(b) \
  for (const struct build *b = builds; b < builds + sizeof builds / sizeof *builds; b++)

/* ---------------------------------------- states */

static void states(struct gmmu_ap_warp *w, void *arg) {
  struct gmmu_apv *p = gmmu_ap_open(w, false), *q = gmmu_ap_open(w, false);
  (void)arg;
  uint32_t got[L];
  int f = open_ro(w);
  assert_int_equal(gmmu_ap_gvmmap(w, 8 * PAGE, GMMU_AP_READ, f, 0, p), GMMU_AP_OK);
  assert_false(gmmu_ap_linked(p, 0)); /* created unlinked */
  int64_t lane4[L];
  for (int i = 0; i < L; i++) lane4[i] = 4 * i;
  gmmu_ap_add(w, p, lane4);
  gmmu_ap_load(w, p, got, 4);
  assert_memory_equal(got, content, sizeof got);
  for (uint32_t i = 0; i < L; i++) assert_true(gmmu_ap_linked(p, i));
  gmmu_ap_assign(w, q, p); /* a copy starts unlinked, its source stays linked */
  assert_true(gmmu_ap_linked(p, 3));
  assert_false(gmmu_ap_linked(q, 3));
  assert_int_equal(gmmu_ap_position(w, q, 3), 12);
  assert_int_equal(gmmu_ap_gvmunmap(w, p, 0), GMMU_AP_BUSY);
  gmmu_ap_load(w, q, got, 4);
  gmmu_ap_add_all(w, q, 64); /* within the page: stays */
  assert_true(gmmu_ap_linked(q, 31));
  gmmu_ap_add_all(w, q, PAGE - 4 * 32); /* lanes 16.. leave the page */
  for (uint32_t i = 0; i < L; i++) {
    assert_int_equal(gmmu_ap_linked(q, i), 64 + 4 * i + PAGE - 128 < PAGE);
    assert_int_equal(gmmu_ap_position(w, q, i), 64 + 4 * i + PAGE - 128);
  }
  gmmu_ap_load(w, q, got, 4);
  assert_memory_equal(got, content + PAGE - 64, sizeof got);
  gmmu_ap_add_all(w, q,
                  -(int64_t)PAGE); /* back, and before the start: not an error until it is used */
  gmmu_ap_assign(w, q, p);         /* a linked target releases */
  gmmu_ap_close(w, p);
  for (int i = 0; i < L; i++) assert_false(gmmu_ap_linked(q, (uint32_t)i));
  if (!gmmu_ap_block(w) && gmmu_ap_warp_id(w) == 0)
    assert_int_equal(gmmu_ap_gvmunmap(w, q, 0), GMMU_AP_OK);
  assert_int_equal(gmmu_ap_gvmunmap(w, q, 0), GMMU_AP_UNMAPPED);
  gmmu_ap_close(w, q);
}

static void test_states(void **state) {
  (void)state;
  EACH_BUILD(b) {
    make_file(8 * PAGE);
    struct gmmu_ap *s = make(4, b->tlb, b->form, b->prefetch);
    assert_int_equal(launch(s, 1, 1, states, s), 0);
    end(s);
  }
}

/* ---------------------------------------- aggregation: counts, groups, 32 pages */

static void one_page(struct gmmu_ap_warp *w, void *arg) {
  struct gmmu_apv *p = gmmu_ap_open(w, false);
  uint8_t got[L];
  uint64_t *held = arg;
  int f = open_ro(w);
  assert_int_equal(gmmu_ap_gvmmap(w, 64 * PAGE, GMMU_AP_READ, f, 0, p), GMMU_AP_OK);
  gmmu_ap_set_mask(w, 0x0ff0); /* eight lanes on one page: one group, eight references */
  gmmu_ap_load(w, p, got, 1);
  struct gmmu_err err = {""};
  if (gmmu_ap_audit((struct gmmu_ap *)(uintptr_t)held[0], held[1], &err)) fail_msg("%s", err.msg);
  gmmu_ap_close(w, p);
}

static void test_counts(void **state) {
  (void)state;
  EACH_BUILD(b) {
    make_file(64 * PAGE);
    struct gmmu_ap *s = make(4, b->tlb, b->form, b->prefetch);
    struct gmmu_ap_stats st;
    uint64_t arg[2] = {(uint64_t)(uintptr_t)s,
                       b->tlb ? 1 : 8}; /* a TLB entry holds one reference for all */
    assert_int_equal(launch(s, 1, 1, one_page, arg), 0);
    gmmu_ap_get_stats(s, &st);
    assert_int_equal(st.groups, 1);
    assert_int_equal(st.major, 1);
    assert_int_equal(st.unlinks, 8);
    assert_int_equal(st.max_linked, 8);
    end(s);
  }
}

static void all_pages(struct gmmu_ap_warp *w, void *arg) {
  struct gmmu_apv *p = gmmu_ap_open(w, false);
  uint32_t got[L];
  int64_t step[L];
  (void)arg;
  int f = open_ro(w);
  assert_int_equal(gmmu_ap_gvmmap(w, 64 * PAGE, GMMU_AP_READ, f, 0, p), GMMU_AP_OK);
  for (int i = 0; i < L; i++) step[i] = (int64_t)PAGE * i + 8;
  gmmu_ap_add(w, p, step);
  for (int round = 0; round < 2; round++) {
    gmmu_ap_load(w, p, got, 4);
    for (int i = 0; i < L; i++)
      assert_memory_equal(&got[i], content + round * L * PAGE + step[i], 4);
    gmmu_ap_add_all(w, p, (int64_t)L * PAGE);
  }
  gmmu_ap_close(w, p);
}

/* A warp on 32 pages with a cache of 32, and of 31: the defined error, nothing left behind. */
static void test_32_pages(void **state) {
  (void)state;
  EACH_BUILD(b) {
    size_t n;
    uint64_t more;
    make_file(64 * PAGE);
    struct gmmu_ap *s = make(32, b->tlb, b->form, b->prefetch);
    assert_int_equal(launch(s, 1, 1, all_pages, NULL), 0);
    end(s);
    make_file(64 * PAGE);
    s = make(31, b->tlb, b->form, b->prefetch);
    assert_int_equal(launch(s, 1, 1, all_pages, NULL), 1);
    const struct gmmu_ap_record *r = gmmu_ap_records(s, &n, &more);
    assert_int_equal(n, 1);
    assert_int_equal(r->error, GMMU_AP_NO_PAGE);
    assert_int_equal(r->lane, 31);
    assert_int_equal(r->position, 31 * PAGE + 8);
    end(s);
  }
}

static void global_pointer(struct gmmu_ap_warp *w, void *arg) {
  struct gmmu_apv *p = gmmu_ap_open(w, true);
  uint32_t got[L];
  (void)arg;
  assert_int_equal(gmmu_ap_gvmmap(w, 64 * PAGE, GMMU_AP_READ, open_ro(w), 0, p), GMMU_AP_OK);
  gmmu_ap_load(w, p, got, 4);
  gmmu_ap_add_all(w, p, PAGE - 2); /* its second page too */
  gmmu_ap_load(w, p, got, 4);
}

/* A page that an entry holds for readers is dirty when a writer links to it through that entry. */
static void read_then_write(struct gmmu_ap_warp *w, void *arg) {
  struct gmmu_apv *p = gmmu_ap_open(w, false), *q = gmmu_ap_open(w, false);
  uint8_t got[L];
  int f;
  (void)arg;
  assert_int_equal(gmmu_ap_gopen(w, path, GMMU_AP_RDWR, &f), GMMU_AP_OK);
  assert_int_equal(gmmu_ap_gvmmap(w, PAGE, GMMU_AP_READ, f, 0, p), GMMU_AP_OK);
  assert_int_equal(gmmu_ap_gvmmap(w, PAGE, GMMU_AP_WRITE, f, 0, q), GMMU_AP_OK);
  gmmu_ap_load(w, p, got, 1);
  gmmu_ap_set_mask(w, 1);
  gmmu_ap_store(w, q, "\x5a", 1);
}

static void test_tlb(void **state) {
  (void)state;
  EACH_BUILD(b) {
    struct gmmu_ap_stats st;
    struct gmmu_err err = {""};
    uint8_t first;
    make_file(64 * PAGE);
    struct gmmu_ap *s = make(8, b->tlb, b->form, b->prefetch);
    assert_int_equal(launch(s, 1, 1, global_pointer, NULL), 0);
    gmmu_ap_get_stats(s, &st);
    assert_int_equal(st.tlb_hits + st.tlb_misses, 0);
    assert_int_equal(launch(s, 1, 1, read_then_write, NULL), 0);
    gmmu_ap_get_stats(s, &st);
    assert_int_equal(st.tlb_hits, b->tlb ? 1 : 0);
    assert_int_equal(gmmu_ap_drop_cache(s, &err), 0);
    int fd = open(path, O_RDONLY);
    assert_int_equal(read(fd, &first, 1), 1);
    close(fd);
    assert_int_equal(first, 0x5a);
    end(s);
  }
}

/* ---------------------------------------- errors */

struct bad {
  const char *what;
  enum gmmu_ap_error want;
};
static const struct bad bads[] = {{"read before the start", GMMU_AP_BOUNDS},
                                  {"read at the end", GMMU_AP_BOUNDS},
                                  {"write to read-only", GMMU_AP_PERMISSION},
                                  {"never assigned", GMMU_AP_UNINITIALISED},
                                  {"mapping is gone", GMMU_AP_UNMAPPED},
                                  {"behind the end of the file", GMMU_AP_EOF},
                                  {"last byte outside", GMMU_AP_BOUNDS},
                                  {"add to an unassigned one", GMMU_AP_UNINITIALISED},
                                  {"read of write-only", GMMU_AP_PERMISSION},
                                  {"linked page, outside the mapping", GMMU_AP_BOUNDS},
                                  {"three bytes", GMMU_AP_INVALID},
                                  {"one lane outside", GMMU_AP_BOUNDS},
                                  {"an old pointer, its number in use again", GMMU_AP_UNMAPPED}};

static void bad_kernel(struct gmmu_ap_warp *w, void *arg) {
  size_t k = gmmu_ap_block(w);
  struct gmmu_apv *p = gmmu_ap_open(w, false);
  uint64_t v[L] = {0};
  int f;
  if (k == sizeof bads / sizeof *bads) { /* the block that goes on */
    all_pages(w, NULL);
    *(atomic_int *)arg += 1;
    return;
  }
  assert_int_equal(gmmu_ap_gopen(w, path, GMMU_AP_RDWR, &f), GMMU_AP_OK);
  if (gmmu_ap_warp_id(w) == 1) gmmu_ap_barrier(w); /* the other warp of the block does not hang */
  if (k != 3 && k != 7)
    assert_int_equal(gmmu_ap_gvmmap(w,
                                    k == 5              ? 66 * PAGE
                                    : k == 9 || k == 11 ? 100
                                                        : 4 * PAGE,
                                    k == 8 ? GMMU_AP_WRITE : GMMU_AP_READ, f, 0, p),
                     0);
  if (k == 0) gmmu_ap_add_all(w, p, -1);
  if (k == 1) gmmu_ap_add_all(w, p, 4 * PAGE);
  if (k == 4) assert_int_equal(gmmu_ap_gvmunmap(w, p, 0), GMMU_AP_OK);
  if (k == 5) gmmu_ap_add_all(w, p, 65 * PAGE);
  if (k == 6) gmmu_ap_add_all(w, p, 4 * PAGE - 3);
  if (k == 7) gmmu_ap_add_all(w, p, 1);
  if (k == 9) {
    gmmu_ap_load(w, p, v, 4);
    gmmu_ap_add_all(w, p, 97);
  }
  if (k == 11) { /* lane 25 alone: lane 0 leads */
    int64_t lane4[L];
    for (int i = 0; i < L; i++) lane4[i] = i < 25 ? 4 * i : i == 25 ? 97 : 0;
    gmmu_ap_add(w, p, lane4);
  }
  if (k == 12) {
    struct gmmu_apv *q = gmmu_ap_open(w, false);
    assert_int_equal(gmmu_ap_gvmunmap(w, p, 0), GMMU_AP_OK);
    for (int i = 0; i < 40; i++)
      assert_int_equal(gmmu_ap_gvmmap(w, PAGE, GMMU_AP_READ, f, 0, q), GMMU_AP_OK);
    gmmu_ap_close(w, q);
  }
  if (k == 2) gmmu_ap_store(w, p, v, 4);
  gmmu_ap_load(w, p, v, k == 10 ? 3 : 4);
  fail_msg("%s: went on", bads[k].what);
}

static void test_errors(void **state) {
  (void)state;
  EACH_BUILD(b) {
    size_t n, blocks = sizeof bads / sizeof *bads;
    uint64_t more;
    atomic_int good = 0;
    make_file(64 * PAGE);
    struct gmmu_ap *s = make(64, b->tlb, b->form, b->prefetch);
    assert_int_equal(launch(s, (uint32_t)blocks + 1, 2, bad_kernel, &good), (int)blocks);
    assert_int_equal(good, 2);
    const struct gmmu_ap_record *r = gmmu_ap_records(s, &n, &more);
    assert_int_equal(n, blocks);
    for (size_t i = 0; i < n; i++) {
      if (r[i].error != bads[r[i].block].want)
        fail_msg("%s: got '%s'", bads[r[i].block].what, gmmu_ap_error_names[r[i].error]);
      assert_int_equal(r[i].warp, 0);
    }
    end(s);
  }
}

static void calls(struct gmmu_ap_warp *w, void *arg) {
  struct gmmu_apv *p = gmmu_ap_open(w, false);
  int f, g;
  void *at;
  bool narrow = *(enum gmmu_ap_form *)arg == GMMU_AP_SHORT;
  assert_int_equal(gmmu_ap_gopen(w, "/nonexistent/x", GMMU_AP_READ, &f), GMMU_AP_NOT_FOUND);
  assert_int_equal(f, -1);
  assert_int_equal(gmmu_ap_gopen(w, "/tmp", GMMU_AP_READ, &f), GMMU_AP_ACCESS);
  assert_int_equal(gmmu_ap_gopen(w, "/dev/null", GMMU_AP_READ, &f), GMMU_AP_ACCESS);
  assert_int_equal(gmmu_ap_gopen(w, path, (enum gmmu_ap_prot)4, &f), GMMU_AP_INVALID);
  f = open_ro(w);
  assert_int_equal(gmmu_ap_gvmmap(w, 0, GMMU_AP_READ, f, 0, p), GMMU_AP_INVALID);
  assert_int_equal(gmmu_ap_gvmmap(w, 1, GMMU_AP_READ, f + 1, 0, p), GMMU_AP_INVALID);
  assert_int_equal(gmmu_ap_gvmmap(w, 1, GMMU_AP_READ, -1, 0, p), GMMU_AP_INVALID);
  assert_int_equal(gmmu_ap_gvmmap(w, 1, GMMU_AP_RDWR, f, 0, p), GMMU_AP_ACCESS);
  uint64_t limit = narrow ? GMMU_AP_SHORT_MAX : GMMU_AP_LONG_MAX;
  assert_int_equal(gmmu_ap_gvmmap(w, 2, GMMU_AP_READ, f, limit - 1, p), GMMU_AP_INVALID);
  assert_int_equal(gmmu_ap_gvmmap(w, UINT64_MAX, GMMU_AP_READ, f, 1, p), GMMU_AP_INVALID);
  assert_int_equal(gmmu_ap_gvmmap(w, 1, GMMU_AP_READ, f, limit - 1, p), GMMU_AP_OK);
  assert_int_equal(gmmu_ap_gvmunmap(w, p, 0), GMMU_AP_OK);
  assert_int_equal(gmmu_ap_gopen(w, path, GMMU_AP_RDWR, &g), GMMU_AP_OK);
  assert_int_equal(g, f); /* one file, one number */
  assert_int_equal(gmmu_ap_gvmmap(w, 1, GMMU_AP_RDWR, f, 0, p), GMMU_AP_OK);
  assert_int_equal(gmmu_ap_gmmap(w, f, 5 * PAGE + 7, GMMU_AP_READ, &at), GMMU_AP_OK);
  assert_memory_equal(at, content + 5 * PAGE + 7, PAGE - 7);
  assert_int_equal(gmmu_ap_gmunmap(w, at), GMMU_AP_OK);
  assert_int_equal(gmmu_ap_gmunmap(w, at), GMMU_AP_INVALID);
  assert_int_equal(gmmu_ap_gmmap(w, f, 64 * PAGE, GMMU_AP_READ, &at), GMMU_AP_EOF);
  uint8_t big[3 * PAGE];
  assert_int_equal(gmmu_ap_gread(w, f, 100, big, sizeof big), GMMU_AP_OK);
  assert_memory_equal(big, content + 100, sizeof big);
  assert_int_equal(gmmu_ap_gread(w, f, 63 * PAGE, big, sizeof big), GMMU_AP_EOF);
  /* left open and pinned: the end of the warp releases */
  assert_int_equal(gmmu_ap_gmmap(w, f, 0, GMMU_AP_READ, &at), GMMU_AP_OK);
}

static void test_calls(void **state) {
  (void)state;
  EACH_BUILD(b) {
    make_file(64 * PAGE);
    struct gmmu_ap *s = make(4, b->tlb, b->form, b->prefetch);
    enum gmmu_ap_form form = b->form;
    assert_int_equal(launch(s, 1, 1, calls, &form), 0);
    end(s);
  }
}

static void test_config(void **state) {
  (void)state;
  static const struct gmmu_ap_config bad[] = {{.pages = (1 << 20) + 1},
                                              {.tlb_entries = 3},
                                              {.tlb_entries = 2048},
                                              {.ring_slots = 5},
                                              {.bucket_factor = 65}};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    struct gmmu_err err = {""};
    assert_null(gmmu_ap_new(&bad[i], &err));
    assert_true(err.msg[0]);
  }
}

/* ---------------------------------------- random, against plain memory */

struct random_arg {
  uint64_t seed;
  uint32_t pages, ops;
  bool unaligned;
};

/* Each warp owns a slice of the file at an odd offset and reads and writes it at random through two
 * pointers, copies and moves them; its shadow is plain memory. */
static void random_kernel(struct gmmu_ap_warp *w, void *arg) {
  const struct random_arg *a = arg;
  struct gmmu_rng rng = {a->seed + gmmu_ap_block(w) * 1000 + gmmu_ap_warp_id(w)};
  uint32_t g = gmmu_ap_block(w) * 4 + gmmu_ap_warp_id(w), bytes = a->pages * PAGE - 24;
  uint64_t start = (uint64_t)g * a->pages * PAGE + (a->unaligned ? 13 : 0);
  uint8_t *shadow = malloc(bytes);
  struct gmmu_apv *v[2] = {gmmu_ap_open(w, false), gmmu_ap_open(w, gmmu_rng_below(&rng, 4) == 0)};
  int f;
  assert_non_null(shadow);
  memcpy(shadow, content + start, bytes);
  assert_int_equal(gmmu_ap_gopen(w, path, GMMU_AP_RDWR, &f), GMMU_AP_OK);
  for (int k = 0; k < 2; k++)
    assert_int_equal(gmmu_ap_gvmmap(w, bytes, GMMU_AP_RDWR, f, start, v[k]), GMMU_AP_OK);
  for (uint32_t op = 0; op < a->ops; op++) {
    int k = (int)gmmu_rng_below(&rng, 2);
    uint32_t n = 1u << gmmu_rng_below(&rng, 5), mask = (uint32_t)gmmu_rng_next(&rng);
    if (gmmu_rng_below(&rng, 4) == 0) mask = UINT32_MAX;
    gmmu_ap_set_mask(w, mask);
    if (gmmu_rng_below(&rng, 8) == 0) gmmu_ap_assign(w, v[k], v[!k]);
    if (gmmu_rng_below(&rng, 16) == 0)
      gmmu_ap_broadcast(w, v[k], v[!k], (uint32_t)gmmu_rng_below(&rng, L));
    int64_t d[L], near = (int64_t)gmmu_rng_below(&rng, bytes);
    uint8_t buf[L * 16];
    bool few = gmmu_rng_below(&rng, 2);
    for (uint32_t i = 0; i < L; i++) {
      /* lanes apart by their own 16 bytes, so that stores of one access do not meet */
      int64_t room = bytes - 16 * L - 16,
              to = (few ? near % room : (int64_t)gmmu_rng_below(&rng, 3) * (room / 3)) + 16 * i;
      if (a->unaligned) to += (int64_t)(16 - n ? gmmu_rng_below(&rng, 17 - n) : 0);
      else to = to / 16 * 16;
      d[i] = (int64_t)start + to - gmmu_ap_position(w, v[k], i);
    }
    gmmu_ap_add(w, v[k], d);
    bool write = gmmu_rng_below(&rng, 2);
    for (uint32_t i = 0; i < L * n; i++) buf[i] = (uint8_t)gmmu_rng_next(&rng);
    if (write) gmmu_ap_store(w, v[k], buf, n);
    else gmmu_ap_load(w, v[k], buf, n);
    for (uint32_t i = 0; i < L; i++) {
      uint8_t *at = shadow + gmmu_ap_position(w, v[k], i) - start;
      if (!(mask >> i & 1)) continue;
      if (write) memcpy(at, buf + i * n, n);
      else assert_memory_equal(at, buf + i * n, n);
    }
  }
  memcpy(content + start, shadow, bytes);
  free(shadow);
}

static void run_random(uint64_t seed, uint32_t blocks, uint32_t warps, uint32_t ops) {
  printf("seed %llu\n", (unsigned long long)seed);
  EACH_BUILD(b) {
    struct random_arg a = {
        .seed = seed, .pages = 6, .ops = ops, .unaligned = b->form == GMMU_AP_LONG};
    make_file((size_t)blocks * 4 * a.pages * PAGE);
    /* room for what can be linked at once: two pointers, a second page each, the TLBs */
    struct gmmu_ap *s = make(2 * warps * 6 + 8, b->tlb, b->form, b->prefetch);
    assert_int_equal(launch(s, blocks, warps, random_kernel, &a), 0);
    struct gmmu_ap_stats st;
    gmmu_ap_get_stats(s, &st);
    assert_true(st.evictions > 0 && st.minor > 0 && st.write_backs > 0);
    struct gmmu_err err = {""};
    assert_int_equal(gmmu_ap_drop_cache(s, &err), 0);
    uint8_t *file = malloc(content_bytes);
    int fd = open(path, O_RDONLY);
    assert_int_equal(read(fd, file, content_bytes), (ssize_t)content_bytes);
    assert_memory_equal(file, content, content_bytes);
    close(fd);
    free(file);
    end(s);
  }
}

static void test_random(void **state) {
  const char *seed = getenv("SEED"), *rounds = getenv("ROUNDS");
  (void)state;
  for (uint64_t r = 0; r < (rounds ? strtoull(rounds, NULL, 10) : 1); r++)
    run_random((seed ? strtoull(seed, NULL, 10) : 1) + r, 6, 4, 150);
}

/* ---------------------------------------- contention: one bucket, one page, one frame */

static void contend(struct gmmu_ap_warp *w, void *arg) {
  struct gmmu_rng rng = {gmmu_ap_block(w) * 32 + gmmu_ap_warp_id(w) + *(uint64_t *)arg};
  struct gmmu_apv *p = gmmu_ap_open(w, false);
  uint32_t got[L];
  int f = open_ro(w);
  assert_int_equal(gmmu_ap_gvmmap(w, 64 * PAGE, GMMU_AP_READ, f, 0, p), GMMU_AP_OK);
  for (int k = 0; k < 40; k++) {
    int64_t to = (int64_t)gmmu_rng_below(&rng, 12) * PAGE + 64;
    gmmu_ap_add_all(w, p, to - gmmu_ap_position(w, p, 0));
    gmmu_ap_load(w, p, got, 4);
    for (int i = 0; i < L; i++) assert_memory_equal(&got[i], content + to, 4);
    gmmu_ap_add_all(w, p,
                    (int64_t)PAGE * 20); /* unlinks: nobody waits for a frame while holding one */
  }
}

static void test_contention(void **state) {
  uint64_t seed = getenv("SEED") ? strtoull(getenv("SEED"), NULL, 10) : 1;
  (void)state;
  for (uint32_t factor = 1; factor <= 16; factor *= 16)
    for (uint32_t tlb = 0; tlb <= 2; tlb += 2) {
      struct gmmu_err err = {""};
      make_file(64 * PAGE);
      struct gmmu_ap_config c = {.pages = 8 + tlb,
                                 .bucket_factor = factor,
                                 .tlb_entries = tlb,
                                 .retry_limit = 100000,
                                 .ring_slots = 2,
                                 .batch = 2};
      struct gmmu_ap *s = gmmu_ap_new(&c, &err);
      assert_non_null(s);
      assert_int_equal(launch(s, 4, 8, contend, &seed), 0);
      struct gmmu_ap_stats st;
      gmmu_ap_get_stats(s, &st);
      assert_true(st.evictions > 12);
      end(s);
    }
}

/* ---------------------------------------- barrier, sync, files that shrink, two mappings */

static void halves(struct gmmu_ap_warp *w, void *arg) {
  struct gmmu_apv *a = gmmu_ap_open(w, false), *b = gmmu_ap_open(w, false);
  uint32_t v[L], got[L];
  int f;
  (void)arg;
  assert_int_equal(gmmu_ap_gopen(w, path, GMMU_AP_RDWR, &f), GMMU_AP_OK);
  assert_int_equal(gmmu_ap_gvmmap(w, 2 * PAGE, GMMU_AP_RDWR, f, 0, a), GMMU_AP_OK);
  assert_int_equal(gmmu_ap_gvmmap(w, PAGE, GMMU_AP_READ, f, PAGE, b), GMMU_AP_OK);
  int64_t at[L];
  for (uint32_t i = 0; i < L; i++)
    at[i] = PAGE + 128 * gmmu_ap_warp_id(w) + 4 * i, v[i] = 1000 * gmmu_ap_warp_id(w) + i;
  gmmu_ap_add(w, a, at);
  gmmu_ap_store(w, a, v, 4);
  gmmu_ap_barrier(w);
  for (uint32_t i = 0; i < L; i++) at[i] = 128 * ((gmmu_ap_warp_id(w) + 1) % 4) + 4 * i;
  gmmu_ap_add(w, b, at); /* what the next warp wrote, through another mapping of the file */
  gmmu_ap_load(w, b, got, 4);
  for (uint32_t i = 0; i < L; i++)
    assert_int_equal(got[i], 1000 * ((gmmu_ap_warp_id(w) + 1) % 4) + i);
  gmmu_ap_barrier(w);
  if (gmmu_ap_warp_id(w) == 0) {
    assert_int_equal(gmmu_ap_gvmsync(w, a, 0), GMMU_AP_OK);
    int fd = open(path, O_RDONLY);
    assert_int_equal(pread(fd, got, sizeof got, PAGE + 128), (ssize_t)sizeof got);
    close(fd);
    for (uint32_t i = 0; i < L; i++) assert_int_equal(got[i], 1000 + i);
  }
  if (gmmu_ap_warp_id(w) == 3) return; /* ends while the others wait: they go on */
  gmmu_ap_barrier(w);
}

static void test_barrier_sync(void **state) {
  (void)state;
  EACH_BUILD(b) {
    make_file(2 * PAGE);
    struct gmmu_ap *s = make(4, b->tlb, b->form, b->prefetch);
    assert_int_equal(launch(s, 1, 4, halves, NULL), 0);
    end(s);
  }
}

static void last_page(struct gmmu_ap_warp *w, void *arg) {
  struct gmmu_apv *p = gmmu_ap_open(w, false);
  uint8_t got[L];
  int f, phase = *(int *)arg;
  assert_int_equal(gmmu_ap_gopen(w, path, GMMU_AP_RDWR, &f), GMMU_AP_OK);
  assert_int_equal(gmmu_ap_gvmmap(w, 4 * PAGE, GMMU_AP_RDWR, f, 0, p), GMMU_AP_OK);
  int64_t at = phase == 0 ? 3 * PAGE + 90 : phase == 1 ? 90 : 3 * PAGE;
  gmmu_ap_add_all(w, p, at);
  gmmu_ap_set_mask(w, 1);
  gmmu_ap_load(w, p, got, 1);
  assert_int_equal(got[0], phase == 0 ? content[at] : 0);
  if (phase == 0) {
    gmmu_ap_store(w, p, "\xaa", 1);
    gmmu_ap_add_all(
        w, p, 20); /* behind the end of the file, in its last page: zero, and not written back */
    gmmu_ap_load(w, p, got, 1);
    assert_int_equal(got[0], 0);
    gmmu_ap_store(w, p, "\xbb", 1);
  }
}

static void test_file_ends(void **state) {
  (void)state;
  struct gmmu_err err = {""};
  int phase = 0;
  size_t n;
  uint64_t more;
  make_file(3 * PAGE + 100);
  struct gmmu_ap *s = make(8, 0, GMMU_AP_LONG, false);
  assert_int_equal(launch(s, 1, 1, last_page, &phase), 0);
  assert_int_equal(gmmu_ap_drop_cache(s, &err), 0);
  uint8_t tail[64];
  int fd = open(path, O_RDONLY);
  assert_int_equal(pread(fd, tail, sizeof tail, 3 * PAGE + 80), 20); /* it did not grow */
  assert_int_equal(tail[10], 0xaa);
  close(fd);
  assert_int_equal(truncate(path, 50),
                   0); /* shrinks while it is open: an error, not a hang; what is left reads on */
  phase = 1;
  assert_int_equal(launch(s, 1, 1, last_page, &phase), 0);
  phase = 2;
  assert_int_equal(launch(s, 1, 1, last_page, &phase), 1);
  const struct gmmu_ap_record *r = gmmu_ap_records(s, &n, &more);
  assert_int_equal(n, 1);
  assert_int_equal(r->error, GMMU_AP_EOF);
  end(s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_states),     cmocka_unit_test(test_counts),
      cmocka_unit_test(test_32_pages),   cmocka_unit_test(test_tlb),
      cmocka_unit_test(test_errors),     cmocka_unit_test(test_calls),
      cmocka_unit_test(test_config),     cmocka_unit_test(test_random),
      cmocka_unit_test(test_contention), cmocka_unit_test(test_barrier_sync),
      cmocka_unit_test(test_file_ends),
  };
  signal(SIGALRM, watchdog);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
