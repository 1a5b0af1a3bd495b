/* SPDX-License-Identifier: Apache-2.0 */
/** test_apointer.c - pointers by hand: states, aggregation, permissions, errors. */
#include "apointer_rig.h"
#include "apointers/system.h"

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
  gmmu_ap_assign(w, q, q); /* nothing is released */
  assert_true(gmmu_ap_linked(q, 31));
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

/* A page that is linked stays dirty after gvmsync, as its pointer stores again without a fault; one
 * that is linked no more is clean then. */
static void synced(struct gmmu_ap_warp *w, void *arg) {
  struct gmmu_apv *p = gmmu_ap_open(w, false), *q = gmmu_ap_open(w, false);
  bool again = *(bool *)arg;
  int f;
  assert_int_equal(gmmu_ap_gopen(w, path, GMMU_AP_RDWR, &f), GMMU_AP_OK);
  assert_int_equal(gmmu_ap_gvmmap(w, 2 * PAGE, GMMU_AP_RDWR, f, PAGE, p), GMMU_AP_OK);
  gmmu_ap_set_mask(w, 1);
  gmmu_ap_store(w, p, "\x01", 1);
  assert_int_equal(gmmu_ap_gvmsync(w, p, 0), GMMU_AP_OK);
  gmmu_ap_store(w, p, "\x02", 1);
  if (again) assert_int_equal(gmmu_ap_gvmsync(w, p, 0), GMMU_AP_OK);
  gmmu_ap_assign(w, q, p);
  gmmu_ap_close(w, p);
  for (int i = 0; again && i < 2; i++) assert_int_equal(gmmu_ap_gvmsync(w, q, 0), GMMU_AP_OK);
}

static void test_sync_of_linked(void **state) {
  (void)state;
  EACH_BUILD(b) for (int again = 0; again < 2; again++) {
    struct gmmu_ap_stats st;
    struct gmmu_err err = {""};
    uint8_t got = 0;
    bool arg = again;
    make_file(4 * PAGE);
    struct gmmu_ap *s = make(4, b->tlb, b->form, b->prefetch);
    assert_int_equal(launch(s, 1, 1, synced, &arg), 0);
    gmmu_ap_get_stats(s, &st);
    /* A TLB's entry keeps its reference, so for gvmsync the page stays in use. */
    assert_int_equal(st.write_backs, !again ? 1 : b->tlb ? 4 : 3);
    assert_int_equal(gmmu_ap_drop_cache(s, &err), 0);
    int fd = open(path, O_RDONLY);
    assert_int_equal(pread(fd, &got, 1, PAGE), 1);
    close(fd);
    assert_int_equal(got, 2);
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
      /* linked or not, the pointer says which file */
      if (r[i].error == GMMU_AP_PERMISSION || r[i].error == GMMU_AP_BOUNDS)
        assert_true(r[i].file >= 0);
      else if (r[i].error == GMMU_AP_UNINITIALISED) assert_int_equal(r[i].file, -1);
    }
    end(s);
  }
}

static void calls(struct gmmu_ap_warp *w, void *arg) {
  struct gmmu_apv *p = gmmu_ap_open(w, false);
  int f, g;
  void *at;
  uint8_t all_5a[L], byte = 0;
  memset(all_5a, 0x5a, sizeof all_5a);
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
  assert_false(gmmu_ap_linked(p, L) || gmmu_ap_linked(p, UINT32_MAX));
  assert_int_equal(gmmu_ap_position(w, p, L), 0);
  assert_int_equal(gmmu_ap_gopen(w, path, GMMU_AP_RDWR, &g), GMMU_AP_OK);
  /* each handle keeps its mode; the pages are the same */
  assert_int_equal(open_ro(w), f);
  assert_int_equal(gmmu_ap_gvmmap(w, 1, GMMU_AP_RDWR, f, 0, p), GMMU_AP_ACCESS);
  assert_int_equal(gmmu_ap_gvmmap(w, 1, GMMU_AP_WRITE, f, 0, p), GMMU_AP_ACCESS);
  assert_int_equal(gmmu_ap_gmmap(w, f, 0, GMMU_AP_RDWR, &at), GMMU_AP_ACCESS);
  assert_int_equal(gmmu_ap_gmmap(w, f, 5 * PAGE + 7, GMMU_AP_READ, &at), GMMU_AP_OK);
  assert_memory_equal(at, content + 5 * PAGE + 7, PAGE - 7);
  assert_int_equal(gmmu_ap_gmunmap(w, at), GMMU_AP_OK);
  assert_int_equal(gmmu_ap_gmunmap(w, at), GMMU_AP_INVALID);
  assert_int_equal(gmmu_ap_gmmap(w, f, 64 * PAGE, GMMU_AP_READ, &at), GMMU_AP_EOF);
  uint8_t big[3 * PAGE];
  assert_int_equal(gmmu_ap_gread(w, f, 100, big, sizeof big), GMMU_AP_OK);
  assert_memory_equal(big, content + 100, sizeof big);
  for (uint32_t n = 0; n < 3 * PAGE; n += n < 9 ? 1 : 1371) { /* the bytes asked for, no others */
    memset(big, 0x5a, sizeof big);
    assert_int_equal(gmmu_ap_gread(w, f, 2 * PAGE - 3, big + 1, n), GMMU_AP_OK);
    assert_memory_equal(big + 1, content + 2 * PAGE - 3, n);
    assert_true(big[0] == 0x5a && big[n + 1] == 0x5a);
  }
  assert_int_equal(gmmu_ap_gread(w, f, 63 * PAGE, big, sizeof big), GMMU_AP_EOF);
  assert_memory_equal(big, content + 63 * PAGE, PAGE); /* what lies before the error is read */
  assert_int_equal(gmmu_ap_gread(w, f + 1, 0, big, 1), GMMU_AP_INVALID);
  assert_int_equal(gmmu_ap_gread(w, f, limit, big, 1), GMMU_AP_INVALID);
  assert_int_equal(gmmu_ap_gread(w, f, UINT64_MAX, big, 2), GMMU_AP_INVALID);
  assert_int_equal(gmmu_ap_gvmmap(w, 1, GMMU_AP_RDWR, g, 20 * PAGE, p), GMMU_AP_OK);
  gmmu_ap_store(w, p, all_5a, 1);
  assert_int_equal(gmmu_ap_gread(w, f, 20 * PAGE, &byte, 1), GMMU_AP_OK);
  assert_int_equal(byte, 0x5a);
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
    /* files that could not be opened: recorded, and the block went on */
    static const enum gmmu_ap_error opens[] = {GMMU_AP_NOT_FOUND, GMMU_AP_ACCESS, GMMU_AP_ACCESS};
    size_t n;
    uint64_t more;
    const struct gmmu_ap_record *r = gmmu_ap_records(s, &n, &more);
    assert_int_equal(n, 3);
    for (size_t i = 0; i < n; i++)
      assert_true(r[i].error == opens[i] && r[i].file == -1 && !r[i].block && !r[i].warp);
    end(s);
  }
}

/* ---------------------------------------- mappings */

/* gvmmap onto a linked pointer releases the lanes that it sets, and no others. */
static void map_onto_linked(struct gmmu_ap_warp *w, void *arg) {
  struct gmmu_apv *p = gmmu_ap_open(w, false), *q = gmmu_ap_open(w, false);
  uint8_t got[L];
  int f = open_ro(w);
  (void)arg;
  assert_int_equal(gmmu_ap_gvmmap(w, PAGE, GMMU_AP_READ, f, 0, p), GMMU_AP_OK);
  gmmu_ap_load(w, p, got, 1);
  gmmu_ap_assign(w, q, p);
  gmmu_ap_set_mask(w, 0xffff);
  assert_int_equal(gmmu_ap_gvmmap(w, PAGE, GMMU_AP_READ, f, PAGE, p), GMMU_AP_OK);
  for (uint32_t i = 0; i < L; i++) assert_int_equal(gmmu_ap_linked(p, i), i >= 16);
  assert_int_equal(gmmu_ap_gvmunmap(w, q, 0), GMMU_AP_BUSY);
  gmmu_ap_set_mask(w, UINT32_MAX);
  assert_int_equal(gmmu_ap_gvmmap(w, PAGE, GMMU_AP_READ, f, 2 * PAGE, p), GMMU_AP_OK);
  assert_int_equal(gmmu_ap_gvmunmap(w, q, 0), GMMU_AP_OK);
  gmmu_ap_load(w, p, got, 1);
  for (int i = 0; i < L; i++) assert_int_equal(got[i], content[2 * PAGE]);
}

/* The last page of a mapping is synced also when the mapping ends within it. */
static void sync_last_page(struct gmmu_ap_warp *w, void *arg) {
  struct gmmu_apv *p = gmmu_ap_open(w, false);
  uint8_t byte;
  int f;
  (void)arg;
  gmmu_ap_set_mask(w, 1);
  assert_int_equal(gmmu_ap_gopen(w, path, GMMU_AP_RDWR, &f), GMMU_AP_OK);
  for (int i = 0; i < 2; i++) { /* from a page's start, and from within one */
    uint64_t start = i ? 3 * PAGE + 100 : 0, size = i ? PAGE : PAGE + 100, last = start + size - 1;
    assert_int_equal(gmmu_ap_gvmmap(w, size, GMMU_AP_RDWR, f, start, p), GMMU_AP_OK);
    gmmu_ap_add_all(w, p, (int64_t)size - 1);
    byte = (uint8_t)~content[last];
    gmmu_ap_store(w, p, &byte, 1);
    assert_int_equal(gmmu_ap_gvmsync(w, p, 0), GMMU_AP_OK);
    int fd = open(path, O_RDONLY);
    assert_int_equal(pread(fd, &byte, 1, (off_t)last), 1);
    close(fd);
    assert_int_equal(byte, (uint8_t)~content[last]);
  }
}

/* Short of frames, a block gives back what its TLB keeps for nobody at its next fault, also when
 * that fault needs no frame. */
static void under_pressure(struct gmmu_ap_warp *w, void *arg) {
  struct gmmu_apv *p = gmmu_ap_open(w, false), *q = gmmu_ap_open(w, true),
                  *r = gmmu_ap_open(w, true);
  struct gmmu_ap *s = arg;
  struct gmmu_err err = {""};
  uint8_t got[L];
  gmmu_ap_set_mask(w, 1);
  assert_int_equal(gmmu_ap_gvmmap(w, 4 * PAGE, GMMU_AP_READ, open_ro(w), 0, p), GMMU_AP_OK);
  gmmu_ap_load(w, p, got, 1);
  gmmu_ap_add_all(w, p, 2 * PAGE); /* unlinks: the entry is kept */
  gmmu_ap_assign(w, q, p);
  gmmu_ap_assign(w, r, p);
  gmmu_ap_load(w, q, got, 1);
  if (gmmu_ap_audit(s, 1 + (s->cfg.tlb_entries != 0), &err)) fail_msg("%s", err.msg);
  atomic_fetch_add(&s->cache.pressure, 1); /* another block found no frame */
  gmmu_ap_load(w, r, got, 1);
  if (gmmu_ap_audit(s, 2, &err)) fail_msg("%s", err.msg);
}

static void test_mappings(void **state) {
  static const gmmu_ap_kernel kernels[] = {map_onto_linked, sync_last_page, under_pressure};
  (void)state;
  EACH_BUILD(b) for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++) {
    make_file(8 * PAGE);
    struct gmmu_ap *s = make(8, b->tlb, b->form, b->prefetch);
    assert_int_equal(launch(s, 1, 1, kernels[i], s), 0);
    end(s);
  }
}

/* A mapping's number is never that of an uninitialised pointer, however often it was used. */
static void use_slot(struct gmmu_ap_warp *w, struct gmmu_ap *s, int slot, int f) {
  static const uint32_t uses[] = {0, (1 << 20) - 3, (1 << 20) - 2, (1 << 20) - 1, UINT32_MAX};
  struct gmmu_apv *p = gmmu_ap_open(w, false), *q = gmmu_ap_open(w, false);
  uint8_t got[L];
  for (size_t i = 0; i < sizeof uses / sizeof *uses; i++) {
    atomic_store(&s->map[slot].uses, uses[i]);
    assert_int_equal(gmmu_ap_gvmmap(w, PAGE, GMMU_AP_READ, f, PAGE, p), GMMU_AP_OK);
    gmmu_ap_load(w, p, got, 1);
    assert_int_equal(got[31], content[PAGE]);
    if (slot == GMMU_AP_MAX_MAPPINGS - 1) /* all in use: the pointer stays as it is */
      assert_int_equal(gmmu_ap_gvmmap(w, PAGE, GMMU_AP_READ, f, 0, p), GMMU_AP_LIMIT);
    assert_true(gmmu_ap_linked(p, 31));
    gmmu_ap_assign(w, q, p);
    gmmu_ap_assign(w, p, q);
    assert_int_equal(gmmu_ap_gvmunmap(w, q, 0), GMMU_AP_OK);
    assert_int_equal(gmmu_ap_gvmsync(w, q, 0), GMMU_AP_UNMAPPED);
  }
}

static void many_mappings(struct gmmu_ap_warp *w, void *arg) {
  struct gmmu_apv *p = gmmu_ap_open(w, false);
  int f = open_ro(w);
  use_slot(w, arg, 0, f);
  for (int i = 0; i < GMMU_AP_MAX_MAPPINGS - 1; i++)
    assert_int_equal(gmmu_ap_gvmmap(w, PAGE, GMMU_AP_READ, f, 0, p), GMMU_AP_OK);
  use_slot(w, arg, GMMU_AP_MAX_MAPPINGS - 1, f);
}

static const int64_t FAR = INT64_C(6) << 30;

/* Positions above 4 GiB, up to the end of the short form, whose arithmetic wraps there. */
static void far_away(struct gmmu_ap_warp *w, void *arg) {
  struct gmmu_apv *p = gmmu_ap_open(w, false);
  int64_t end = (int64_t)GMMU_AP_SHORT_MAX, wraps = *(enum gmmu_ap_form *)arg == GMMU_AP_SHORT;
  uint8_t got[L];
  assert_int_equal(gmmu_ap_gvmmap(w, GMMU_AP_SHORT_MAX, GMMU_AP_READ, open_ro(w), 0, p),
                   GMMU_AP_OK);
  gmmu_ap_add_all(w, p, FAR);
  assert_int_equal(gmmu_ap_position(w, p, 0), FAR);
  gmmu_ap_load(w, p, got, 1);
  assert_int_equal(gmmu_ap_position(w, p, 31), FAR);
  assert_int_equal(got[0], 0x42);
  gmmu_ap_add_all(w, p, end - 8 - FAR);
  assert_int_equal(gmmu_ap_position(w, p, 3), end - 8);
  gmmu_ap_add_all(w, p, 16);
  assert_true(gmmu_ap_position(w, p, 3) == (wraps ? 8 : end + 8));
  gmmu_ap_add_all(w, p, -end - 16); /* before the file's start, and back */
  assert_true(gmmu_ap_position(w, p, 3) == (wraps ? end - 8 : -8));
  gmmu_ap_add_all(w, p, FAR + 8);
  gmmu_ap_load(w, p, got, 1);
  assert_int_equal(got[5], 0x42);
}

static void test_limits(void **state) {
  (void)state;
  make_file(2 * PAGE);
  struct gmmu_ap *s = make(8, 0, GMMU_AP_LONG, false);
  assert_int_equal(launch(s, 1, 1, many_mappings, s), 0);
  end(s);
  EACH_BUILD(b) {
    enum gmmu_ap_form form = b->form;
    make_file(PAGE);
    int fd = open(path, O_RDWR); /* sparse */
    assert_int_equal(pwrite(fd, "\x42", 1, FAR), 1);
    close(fd);
    s = make(8, b->tlb, b->form, b->prefetch);
    assert_int_equal(launch(s, 1, 1, far_away, &form), 0);
    end(s);
  }
}

static void test_config(void **state) {
  (void)state;
  static const struct gmmu_ap_config bad[] = {{.pages = (1 << 20) + 1},
                                              {.tlb_entries = 3},
                                              {.tlb_entries = 2048},
                                              {.ring_slots = 5},
                                              {.bucket_factor = 65},
                                              {.form = (enum gmmu_ap_form)2},
                                              {.form = (enum gmmu_ap_form) - 1}};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    struct gmmu_err err = {""};
    assert_null(gmmu_ap_new(&bad[i], &err));
    assert_true(err.msg[0]);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_states),   cmocka_unit_test(test_counts),
      cmocka_unit_test(test_32_pages), cmocka_unit_test(test_tlb),
      cmocka_unit_test(test_errors),   cmocka_unit_test(test_sync_of_linked),
      cmocka_unit_test(test_calls),    cmocka_unit_test(test_config),
      cmocka_unit_test(test_mappings), cmocka_unit_test(test_limits)};
  signal(SIGALRM, watchdog);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
