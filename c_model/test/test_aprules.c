/* SPDX-License-Identifier: Apache-2.0 */
/** test_aprules.c - ActivePointers' rules that show at the edges: calls that fail, barriers whose
 * warps end, what gvmsync leaves alone, the most mappings, memory that cannot be had, what is
 * printed of who holds what; and gmmu_ap_watch(): each thing that must hold, broken by hand. */
#include <stdio.h>
#include <sys/resource.h>

#include "apointer_rig.h"
#include "apointers/system.h"

/* Lanes take part or not: what an access that crosses pages leaves of the mask, and votes. */
static void lanes_kernel(struct gmmu_ap_warp *w, void *arg) {
  struct gmmu_apv *p = gmmu_ap_open(w, false);
  uint32_t pred[L] = {0}, value[L];
  int64_t d[L];
  (void)arg;
  assert_int_equal(gmmu_ap_ballot(w, pred), 0);
  pred[0] = pred[31] = 7;
  assert_int_equal(gmmu_ap_ballot(w, pred), 1u << 31 | 1);
  assert_false(gmmu_ap_all(w, pred));
  gmmu_ap_set_mask(w, 1);
  assert_true(gmmu_ap_all(w, pred));
  gmmu_ap_set_mask(w, 0xffffff);
  assert_int_equal(gmmu_ap_gvmmap(w, 3 * PAGE, GMMU_AP_READ, open_ro(w), 0, p), 0);
  for (int i = 0; i < L; i++) d[i] = PAGE - i; /* lanes 1 to 3 end in the next page */
  gmmu_ap_add(w, p, d);
  gmmu_ap_load(w, p, value, 4);
  assert_int_equal(gmmu_ap_mask(w), 0xffffff);
  for (int i = 0; i < 24; i++) {
    uint32_t want;
    memcpy(&want, content + PAGE - i, 4);
    assert_int_equal(value[i], want);
  }
}
static void test_lanes(void **state) {
  (void)state;
  EACH_BUILD(b) {
    make_file(3 * PAGE);
    struct gmmu_ap *s = make(4, b->tlb, b->form, b->prefetch);
    assert_int_equal(launch(s, 1, 1, lanes_kernel, NULL), 0);
    end(s);
  }
}

/* A call that opens nothing gives no handle; one that the host refused is recorded: lane 0, no
 * file, position 0. */
static void open_kernel(struct gmmu_ap_warp *w, void *arg) {
  int f = 7;
  (void)arg;
  for (int mode = 0; mode <= 4; mode += 4) {
    assert_int_equal(gmmu_ap_gopen(w, path, (enum gmmu_ap_prot)mode, &f), GMMU_AP_INVALID);
    assert_int_equal(f, -1);
    f = 7;
  }
  assert_int_equal(gmmu_ap_gopen(w, "/tmp", GMMU_AP_RDWR, &f), GMMU_AP_ACCESS);
  assert_int_equal(f, -1);
  f = 7;
  assert_int_equal(gmmu_ap_gopen(w, "/tmp/no/such/file", GMMU_AP_READ, &f), GMMU_AP_NOT_FOUND);
  assert_int_equal(f, -1);
}
static void test_open(void **state) {
  size_t n;
  uint64_t more;
  (void)state;
  make_file(PAGE);
  struct gmmu_ap *s = make(4, 0, GMMU_AP_LONG, false);
  assert_int_equal(launch(s, 1, 1, open_kernel, NULL), 0);
  const struct gmmu_ap_record *r = gmmu_ap_records(s, &n, &more);
  assert_true(n == 2 && more == 0);
  for (int i = 0; i < 2; i++) {
    assert_true(r[i].block == 0 && r[i].warp == 0 && r[i].lane == 0 && r[i].file == -1 &&
                r[i].position == 0 && r[i].write == !i);
    assert_int_equal(r[i].error, i ? GMMU_AP_NOT_FOUND : GMMU_AP_ACCESS);
  }
  end(s);
}

/* Mappings that are alive at a time. */
static void many_kernel(struct gmmu_ap_warp *w, void *arg) {
  struct gmmu_apv *p = gmmu_ap_open(w, false);
  int f = open_ro(w);
  (void)arg;
  for (int i = 0; i < GMMU_AP_MAX_MAPPINGS; i++)
    assert_int_equal(gmmu_ap_gvmmap(w, PAGE, GMMU_AP_READ, f, 0, p), 0);
  struct gmmu_apv *q = gmmu_ap_open(w, false);
  assert_int_equal(gmmu_ap_gvmmap(w, PAGE, GMMU_AP_READ, f, 0, q), GMMU_AP_LIMIT);
  assert_int_equal(gmmu_ap_gvmunmap(w, p, 0), 0);
  assert_int_equal(gmmu_ap_gvmmap(w, PAGE, GMMU_AP_READ, f, 0, q), 0);
}
static void test_most_mappings(void **state) {
  (void)state;
  make_file(PAGE);
  struct gmmu_ap *s = make(4, 0, GMMU_AP_LONG, false);
  assert_int_equal(launch(s, 1, 1, many_kernel, NULL), 0);
  end(s);
}

/* gvmsync writes the pages of its mapping and no other. */
static uint8_t in_file(uint64_t at) {
  uint8_t b;
  int fd = open(path, O_RDONLY);
  assert_int_equal(pread(fd, &b, 1, (off_t)at), 1);
  close(fd);
  return b;
}
static void sync_kernel(struct gmmu_ap_warp *w, void *arg) {
  struct gmmu_apv *p[4];
  uint8_t byte[L];
  int f;
  (void)arg;
  memset(byte, 0x5a, sizeof byte);
  gmmu_ap_set_mask(w, 1);
  assert_int_equal(gmmu_ap_gopen(w, path, GMMU_AP_RDWR, &f), 0);
  for (uint64_t i = 0; i < 4; i++) { /* a page each; the second begins and ends inside of one */
    p[i] = gmmu_ap_open(w, false);
    uint64_t at = i * PAGE + (i == 1) * 100;
    assert_int_equal(gmmu_ap_gvmmap(w, i == 1 ? 200 : PAGE, GMMU_AP_RDWR, f, at, p[i]), 0);
    gmmu_ap_store(w, p[i], byte, 1);
  }
  assert_int_equal(gmmu_ap_gvmsync(w, p[1], 0), 0);
  for (uint64_t i = 0; i < 4; i++)
    assert_int_equal(in_file(i * PAGE + (i == 1) * 100) == 0x5a, i == 1);
}
static void test_sync(void **state) {
  (void)state;
  make_file(4 * PAGE);
  for (size_t i = 0; i < 4; i++)
    assert_true(content[i * PAGE] != 0x5a && content[PAGE + 100] != 0x5a);
  struct gmmu_ap *s = make(8, 0, GMMU_AP_LONG, false);
  assert_int_equal(launch(s, 1, 1, sync_kernel, NULL), 0);
  end(s);
}

/* A warp that ends opens no barrier for which another one is still awaited. */
static atomic_bool there;
static void barrier_kernel(struct gmmu_ap_warp *w, void *arg) {
  (void)arg;
  if (gmmu_ap_warp_id(w) == 0) {
    usleep(10000); /* the others' first is at the barrier by now, most likely */
    return;
  }
  if (gmmu_ap_warp_id(w) == 2) {
    usleep(40000);
    atomic_store(&there, true);
  }
  gmmu_ap_barrier(w);
  assert_true(atomic_load(&there));
}
static void test_barrier(void **state) {
  (void)state;
  make_file(PAGE);
  struct gmmu_ap *s = make(4, 0, GMMU_AP_LONG, false);
  assert_int_equal(launch(s, 1, 3, barrier_kernel, NULL), 0);
  end(s);
}

/* No memory for the pages: no system. Not with AddressSanitizer, which ends such a program. */
static void test_no_memory(void **state) {
  struct gmmu_ap_config c = {.pages = 1 << 20};
  struct gmmu_err err = {""};
  struct rlimit was, now;
  unsigned long pages = 0;
  (void)state;
#ifdef __SANITIZE_ADDRESS__
  skip();
#endif
  FILE *f = fopen("/proc/self/statm", "r");
  assert_int_equal(fscanf(f, "%lu", &pages), 1);
  fclose(f);
  getrlimit(RLIMIT_AS, &was);
  now = was;
  now.rlim_cur = pages * 4096 + (UINT64_C(1) << 30); /* tables, but not 4 GiB */
  setrlimit(RLIMIT_AS, &now);
  struct gmmu_ap *s = gmmu_ap_new(&c, &err);
  setrlimit(RLIMIT_AS, &was);
  assert_null(s);
  assert_string_equal(err.msg, "out of memory for 1048576 pages");
}

/* ---------------------------------------- what is linked */

static void says(const struct gmmu_ap_warp *w, const char *what) {
  struct gmmu_err err = {""};
  int e = gmmu_ap_watch(w, &err);
  assert_int_equal(e, what ? -1 : 0);
  if (what && !strstr(err.msg, what)) fail_msg("'%s' is not in '%s'", what, err.msg);
}

static void printed(struct gmmu_ap *s, const char *what) {
  char *text = NULL;
  size_t n;
  FILE *f = open_memstream(&text, &n);
  gmmu_ap_dump(s, f);
  fclose(f);
  if (!strstr(text, what)) fail_msg("'%s' is not in '%s'", what, text);
  free(text);
}

static void watched_kernel(struct gmmu_ap_warp *w, void *arg) {
  const struct build *b = arg;
  struct gmmu_apv *p = gmmu_ap_open(w, false);
  uint32_t value[L];
  int64_t d[L];
  assert_int_equal(gmmu_ap_gvmmap(w, 2 * PAGE, GMMU_AP_READ, open_ro(w), 0, p), 0);
  for (int i = 0; i < L; i++) d[i] = i < 20 ? 4 * i : PAGE + 4 * i;
  gmmu_ap_add(w, p, d);
  says(w, NULL); /* nothing is linked */
  gmmu_ap_load(w, p, value, 4);
  says(w, NULL);
  struct ap_mapping *m = ap_mapping_held(w->s, p->lane[0].map);
  struct ap_cache *c = &w->s->cache;
  uint32_t frame = 0;
  while (atomic_load(&c->frame[frame].key) == AP_NO_KEY ||
         AP_KEY_PAGE(atomic_load(&c->frame[frame].key)) != 0)
    frame++;
  struct ap_frame *f = &c->frame[frame];
  char text[80];
  int32_t count = atomic_load(&f->count);
  assert_int_equal(count, b->tlb ? 1 : 20); /* the TLB's entry has one */
  snprintf(text, sizeof text, "frame %u: ready, %d references, file 0 page 0\n", frame, count);
  printed(w->s, text);
  atomic_fetch_sub(&m->links, 13); /* 19 are not enough for the 20 of the first page */
  says(w, "mapping: 19 links, 20 lanes of one warp are linked through it");
  atomic_fetch_add(&m->links, 13);
  says(w, NULL);
  atomic_store(&f->count, count - 1);
  says(w, b->tlb ? "has a count of 0" : "has a count of 19, one warp alone holds 20");
  atomic_store(&f->count, -2);
  says(w, "has a count of -2");
  atomic_store(&f->count, count);
  uint64_t key = atomic_load(&f->key);
  atomic_store(&f->key, key + 5);
  says(w, "has lost its linked page");
  atomic_store(&f->key, key);
  atomic_store(&f->state, AP_LOADING);
  says(w, "is linked and not brought");
  atomic_store(&f->state, AP_READY);
  struct ap_frame *other = &c->frame[frame ? 0 : 3];
  uint64_t was = atomic_load(&other->key);
  if (other != f && was == AP_NO_KEY) {
    atomic_store(&other->key, key);
    says(w, "a linked page is in frames");
    atomic_store(&other->key, was);
  }
  says(w, NULL);
  if (!b->tlb) return;
  struct ap_tlb_entry *e = &w->b->tlb.entry[(key ^ key >> 56) & (w->b->tlb.entries - 1)];
  int32_t links = atomic_load(&e->count);
  assert_int_equal(links, 20);
  atomic_store(&e->count, 19);
  says(w, "software TLB: no entry has the 20 links of a warp");
  atomic_store(&e->count, links);
  uint64_t k = atomic_load(&e->key);
  atomic_store(&e->key, k + 8);
  says(w, "software TLB: no entry");
  atomic_store(&e->key, k);
  says(w, NULL);
}
static void test_watch(void **state) {
  static const struct build v[] = {{0, GMMU_AP_LONG, false}, {8, GMMU_AP_LONG, false}};
  (void)state;
  for (int i = 0; i < 2; i++) {
    struct build b = v[i];
    make_file(2 * PAGE);
    struct gmmu_ap *s = make(4, b.tlb, b.form, false);
    assert_int_equal(launch(s, 1, 1, watched_kernel, &b), 0);
    end(s);
  }
}

/* A page that is still referenced stays, and dropping the rest says so. */
static void pins_kernel(struct gmmu_ap_warp *w, void *arg) {
  struct gmmu_err err = {""};
  void *at;
  (void)arg;
  assert_int_equal(gmmu_ap_gmmap(w, open_ro(w), 5, GMMU_AP_READ, &at), 0);
  assert_int_equal(gmmu_ap_drop_cache(w->s, &err), -1);
  assert_string_equal(err.msg, "page cache: a page is still referenced");
  assert_int_equal(*(uint8_t *)at, content[5]);
}
static void test_drop(void **state) {
  (void)state;
  make_file(PAGE);
  struct gmmu_ap *s = make(4, 0, GMMU_AP_LONG, false);
  assert_int_equal(launch(s, 1, 1, pins_kernel, NULL), 0);
  end(s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_lanes),         cmocka_unit_test(test_open),
      cmocka_unit_test(test_most_mappings), cmocka_unit_test(test_sync),
      cmocka_unit_test(test_barrier),       cmocka_unit_test(test_no_memory),
      cmocka_unit_test(test_watch),         cmocka_unit_test(test_drop)};
  int r = cmocka_run_group_tests(tests, NULL, NULL);
  free(content);
  return r;
}
